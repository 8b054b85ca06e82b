#!/usr/bin/env python3
# ===- planner.py - Plans against reference values ----------------------------===#
#
# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===--------------------------------------------------------------------------===#
"""Plans the three reference graphs of the planner's tests with `panpipe-run plan`,
judges every plan with the simulator below (which shares no code with Panpipe) and
prints the makespan beside the best value known from elsewhere, the CPU time of the
planner, and a run under the memory that 1F1B on even stages takes.

usage: planner.py [--bin DIR] [--effort N] [--only GRAPH] [--large]
"""
import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
INPUTS = ROOT / "test/Unit/Planner/Inputs"
# Graph, devices, microbatches, best makespan known from elsewhere.
ROWS = [("uniform32", 4, 8, 197.9), ("uniform32", 8, 16, 204.8), ("uniform32", 2, 8, 379.5),
        ("mixed32", 4, 8, 244.6), ("mixed32", 8, 16, 271.1), ("mixed32", 2, 8, 460.5),
        ("unet32", 4, 8, 315.7), ("unet32", 8, 16, 333.9), ("unet32", 2, 8, 608.2)]


class Judge:
    """Runs a plan: a clock per device and per link, in any order that respects both."""

    def __init__(self, graph, plan):
        self.graph, self.plan = graph, plan
        nodes = graph["nodes"]
        names = {node["name"]: i for i, node in enumerate(nodes)}
        self.stages = [[names.get(n, n) for n in stage] for stage in plan["stages"]]
        flat = sorted(n for stage in self.stages for n in stage)
        if flat != list(range(len(nodes))):
            raise ValueError("nodes are missing or come twice")
        self.owner = {n: s for s, stage in enumerate(self.stages) for n in stage}
        self.device = plan["stage_device"]
        self.again = set(plan.get("recompute", []))
        self.values = {"F": {}, "B": {}}
        for edge in graph["edges"]:
            ends = self.owner[edge["src"]], self.owner[edge["dst"]]
            if ends[0] == ends[1]:
                continue
            value = edge["src"], edge.get("value", 0)
            for kind in "FB" if edge.get("grad", True) else "F":
                sizes = self.values[kind].setdefault(ends if kind == "F" else ends[::-1], {})
                sizes[value] = max(edge["bytes"], sizes.get(value, 0))
        self.bytes = {kind: {ends: sum(sizes.values()) for ends, sizes in table.items()}
                      for kind, table in self.values.items()}

    def total(self, stage, member):
        return sum(self.graph["nodes"][n].get(member, 0) for n in self.stages[stage])

    def duration(self, kind, stage, is_split):
        if kind == "W":
            return self.total(stage, "bwd_weight")
        if kind == "F":
            return self.total(stage, "fwd")
        return (self.total(stage, "bwd_input") + (0 if is_split else self.total(stage, "bwd_weight"))
                + (self.total(stage, "fwd") if stage in self.again else 0))

    def run(self):
        """Makespan and peak per device; ValueError if the plan cannot run."""
        lists = [[(x[0], *map(int, x[1:].split("."))) for x in order] for order in self.plan["order"]]
        every = [x for order in lists for x in order]
        if len(every) != len(set(every)):
            raise ValueError("a run comes twice")
        count = self.plan["microbatches"]
        for stage in range(len(self.stages)):
            for mb in range(count):
                if ("F", stage, mb) not in every or ("B", stage, mb) not in every and self.total(stage, "bwd_weight"):
                    raise ValueError(f"a run of stage {stage} is missing")
        split = {(s, m) for k, s, m in every if k == "W"}
        clock = [0.0] * len(lists)
        link, end, came, claims = {}, {}, {}, [[] for _ in lists]
        todo = [list(order) for order in lists]
        while any(todo):
            moved = False
            for device, order in enumerate(todo):
                while order:
                    start = self.ready(order[0], end, came)
                    if start is None:
                        break
                    kind, stage, mb = order.pop(0)
                    if self.device[stage] != device:
                        raise ValueError("a run is on the wrong device")
                    start = max(start, clock[device])
                    clock[device] = end[kind, stage, mb] = start + self.duration(kind, stage, (stage, mb) in split)
                    self.claim(claims, (kind, stage, mb), start, clock[device], (stage, mb) in split)
                    self.send((kind, stage, mb), clock[device], link, came, claims)
                    moved = True
            if not moved:
                raise ValueError("the devices wait for each other")
        return max(clock), [self.peak(device, changes) for device, changes in enumerate(claims)]

    def ready(self, run, end, came):
        kind, stage, mb = run
        times = [0.0]
        if kind != "F":
            times.append(end.get(("F" if kind == "B" else "B", stage, mb)))
        if kind != "W":
            times += [came.get((kind, source, stage, mb))
                      for source, target in self.bytes[kind] if target == stage]
        return None if None in times else max(times)

    def send(self, run, now, link, came, claims):
        kind, stage, mb = run
        if kind == "W":
            return
        for (source, target), size in sorted(self.bytes[kind].items()):
            if source != stage:
                continue
            ends = self.device[source], self.device[target]
            time = now
            if ends[0] != ends[1]:
                speed = self.graph["link"]["bandwidth"]
                time = max(now, link.get(ends, 0.0)) + self.graph["link"]["latency"] + (size / speed if speed else 0)
                link[ends] = time
                claims[ends[1]].append((time, 1, size))
            came[kind, source, target, mb] = time

    def claim(self, claims, run, start, end, is_split):
        kind, stage, mb = run
        mine = claims[self.device[stage]]
        saved = self.total(stage, "saved_bytes")
        kept = saved
        if stage in self.again:
            kept = sum(size for (_, target), size in self.bytes["F"].items() if target == stage)
        if kind == "F":
            mine.append((start, 1, kept))
        elif kind == "B":
            if stage in self.again:
                mine += [(start, 1, saved), (end, 0, -saved)]
            mine.append((end, 0, -kept))
            if is_split:
                mine.append((end, 1, self.total(stage, "w_bytes")))
        else:
            mine.append((end, 0, -self.total(stage, "w_bytes")))
        if kind != "W":
            mine += [(end, 0, -size) for (source, target), size in self.bytes[kind].items()
                     if target == stage and self.device[source] != self.device[stage]]

    def peak(self, device, changes):
        now = self.graph.get("param_factor", 4) * sum(
            self.total(s, "param_bytes") for s, d in enumerate(self.device) if d == device)
        most = now
        for _, _, size in sorted(changes):
            now += size
            most = max(most, now)
        return most


def even_1f1b(graph, devices, count):
    """One stage per device, the heaviest as light as can be; one forward, one backward."""
    work = [n["fwd"] + n["bwd_input"] + n["bwd_weight"] for n in graph["nodes"]]
    sums = [0.0]
    for cost in work:
        sums.append(sums[-1] + cost)
    cuts = [(sums[e], [e]) for e in range(len(sums))]
    for _ in range(devices - 1):
        cuts = [(float("inf"), [])] + [
            min((max(cuts[a][0], sums[e] - sums[a]), cuts[a][1] + [e]) for a in range(e)) for e in range(1, len(sums))]
    ends = [0] + cuts[-1][1]
    stages = [list(range(a, e)) for a, e in zip(ends, ends[1:])]
    order = []
    for s in range(devices):
        ahead = min(devices - 1 - s, count)
        runs = [f"F{s}.{m}" for m in range(ahead)]
        for m in range(count):
            if ahead < count:
                runs.append(f"F{s}.{ahead}")
                ahead += 1
            runs.append(f"B{s}.{m}")
        order.append(runs)
    return {"devices": devices, "microbatches": count, "stages": stages,
            "stage_device": list(range(devices)), "order": order}


def plan(tool, graph_file, devices, count, effort, *more):
    """The plan, and the CPU seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "plan.json"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [tool, "plan", "--graph", graph_file, "--devices", devices, "--microbatches", count,
                   "-o", out, *(["--effort", effort] if effort else []), *more]
        done = subprocess.run([str(x) for x in command], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return (json.loads(out.read_text()) if done.returncode == 0 else done.stderr), seconds


def large(nodes):
    """A deep residual chain of many nodes."""
    shape = {"bwd_input": 1.0, "out_bytes": 1 << 20, "saved_bytes": 2 << 20, "w_bytes": 2 << 20, "param_bytes": 1 << 18}
    made = [{"name": f"n{i}", "fwd": 0.5 + i * 37 % 100 / 100, "bwd_weight": i * 61 % 100 / 100, **shape}
            for i in range(nodes)]
    edges = [{"src": i, "dst": j, "bytes": 1 << 20} for i in range(nodes)
             for j in ((i + 1, i + 4) if i % 4 == 0 else (i + 1,)) if j < nodes]
    return {"format": "pipe-graph/1", "name": "large", "time_unit": "ms", "param_factor": 4,
            "link": {"latency": 0.02, "bandwidth": 2e7}, "nodes": made, "edges": edges}


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--bin", default=str(ROOT / "build/bin"))
    options.add_argument("--effort", help="millions of simulated runs")
    options.add_argument("--only", help="one graph")
    options.add_argument("--large", action="store_true", help="2000 nodes, 8 devices, 16 microbatches")
    args = options.parse_args()
    tool = pathlib.Path(args.bin) / "panpipe-run"
    if args.large:
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(large(2000), file)
            file.flush()
            made, seconds = plan(tool, file.name, 8, 16, args.effort)
        print(f"2000 nodes: {made['makespan']:.1f} ms, bound {made['lower_bound']:.1f} ms, CPU {seconds:.1f} s")
        return 0
    print("| graph | D | M | bound | best known | panpipe | difference | CPU s | 1F1B | at the memory of 1F1B | gain |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    gains, failed = {}, False
    for name, devices, count, known in ROWS:
        if args.only and name != args.only:
            continue
        path = INPUTS / f"{name}.json"
        graph = json.loads(path.read_text())
        made, seconds = plan(tool, path, devices, count, args.effort)
        time, _ = Judge(graph, made).run()
        failed |= time > 1.01 * known or abs(time - made["makespan"]) > 1e-6 * time
        base, peaks = Judge(graph, even_1f1b(graph, devices, count)).run()
        cap = int(max(peaks))
        under, _ = plan(tool, path, devices, count, args.effort, "--memory-cap", cap)
        capped = "nothing fits"
        if isinstance(under, dict):
            limited, used = Judge(graph, under).run()
            failed |= max(used) > cap
            gains.setdefault(devices, []).append(1 - limited / base)
            capped = f"{limited:.1f} | {100 * (1 - limited / base):.1f} %"
        print(f"| {name} | {devices} | {count} | {made['lower_bound']:.1f} | {known} | {time:.1f} | "
              f"{100 * (time / known - 1):+.1f} % | {seconds:.1f} | {base:.1f} | {capped} |", flush=True)
    for devices, list_ in sorted(gains.items()):
        print(f"median gain over 1F1B in its memory on {devices} devices: {100 * statistics.median(list_):.1f} %")
    return failed


if __name__ == "__main__":
    sys.exit(main())
