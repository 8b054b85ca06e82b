"""usage: judge.py SOURCE_DIR GRAPH PLAN: the simulator of utils/bench/planner.py
against the makespan that the plan names."""
import json
import sys

sys.path.insert(0, sys.argv[1] + "/utils/bench")
sys.dont_write_bytecode = True
import planner  # noqa: E402

graph, plan = (json.load(open(name)) for name in sys.argv[2:])
time, _ = planner.Judge(graph, plan).run()
print("same makespan" if abs(time - plan["makespan"]) < 1e-6 * time else f"{time} against {plan['makespan']}")
