// RUN: split-file %s %t
// RUN: bash -c 'panpipe-tv --json --reproducer= %t/src.mlir %t/tgt.mlir > %t/out.json; test $? = 1'
// RUN: python3 %t/check.py %t/out.json

//--- src.mlir
func.func @f(%x: i8) -> i8 {
  %0 = arith.addi %x, %x : i8
  return %0 : i8
}
//--- tgt.mlir
func.func @f(%x: i8) -> i8 {
  return %x : i8
}
func.func @g(%x: i8) -> i8 {
  return %x : i8
}
//--- check.py
# The fields of docs/TV/README.md, with their types.
import json, sys

report = json.load(open(sys.argv[1]))
assert set(report) == {"verdict", "exitCode", "functions"}, report
assert report["verdict"] == "INVALID" and report["exitCode"] == 1
f, g = report["functions"]
for function in (f, g):
    for name, kind in {"function": str, "verdict": str, "reason": str, "location": str,
                       "sourceAlwaysUndefined": bool, "assumptions": list, "seconds": (int, float),
                       "statistics": dict}.items():
        assert isinstance(function[name], kind), name
    for name in ("nodes", "obligations", "congruence", "cells", "sums", "abstractFloat", "exactFloat", "queries"):
        assert isinstance(function["statistics"][name], int), name
assert f["function"] == "f" and f["verdict"] == "INVALID"
example = f["counterexample"]
assert set(example) == {"inputs", "sourceTrace", "targetTrace", "difference", "reproducer"}
assert example["inputs"] == [{"name": "%arg0", "type": "i8", "value": "1"}], example["inputs"]
assert example["difference"] == "result #0: source 2, target 1"
assert "module @src" in example["reproducer"]
assert g["verdict"] == "BAD-INPUT" and "counterexample" not in g
