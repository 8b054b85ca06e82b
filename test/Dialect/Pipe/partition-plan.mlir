// A plan written and read again gives the same module.
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="devices=3 plan-out=%t.json graph-out=%t.graph.json" -o %t.1
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="plan-in=%t.json plan-out=%t.again.json" -o %t.2
// RUN: diff %t.1 %t.2
// RUN: diff %t.json %t.again.json
// RUN: FileCheck %s --check-prefix=PLAN < %t.json
// RUN: FileCheck %s --check-prefix=GRAPH < %t.graph.json
// The reference policy.
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="devices=2 policy=even" --pipe-verify-staged | FileCheck %s --check-prefix=EVEN
// A plan by hand: names, stages that are no intervals, in any order.
// RUN: panpipe-opt %S/Inputs/two-towers.mlir --pipe-partition=plan-in=%S/Inputs/two-towers-plan.json --pipe-verify-staged | FileCheck %s --check-prefix=TOWERS

// PLAN: "format": "pipe-plan/1"
// PLAN: "graph": "mlp"
// PLAN: "devices": 3
// PLAN: "stages": {{\[\[0.*3\]\]}}
// PLAN: "stage_device": [0, 1, 2]
// PLAN: "lower_bound"

// GRAPH: "format": "pipe-graph/1"
// GRAPH: "name": "fc1.weight"
// GRAPH-NEXT: "bytes": 256
// GRAPH: "name": "mlp.fc1"
// GRAPH: "name": "mlp.add"
// GRAPH: "output": true
// GRAPH: "src": 0
// GRAPH-NEXT: "dst": 1
// GRAPH-NEXT: "bytes": 128
// GRAPH-NEXT: "grad": false

// EVEN-LABEL: pipe.stage @s0 on 0
// EVEN: linear.0
// EVEN: linalg.generic
// EVEN-LABEL: pipe.stage @s1 on 1
// EVEN: linear.1

// TOWERS-LABEL: pipe.stage @s0 on 1
// TOWERS: linalg.exp
// TOWERS: linalg.negf
// TOWERS-LABEL: pipe.stage @s1 on 0
// TOWERS: linalg.log
// TOWERS: linalg.abs
// TOWERS-LABEL: func.func @main
// TOWERS-NEXT: %[[A:.*]] = pipe.run @s0(%{{.*}})
// TOWERS-NEXT: %[[B:.*]] = pipe.run @s1(%{{.*}})
// TOWERS-NEXT: return %[[A]], %[[B]]
