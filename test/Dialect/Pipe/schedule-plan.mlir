// The order can come from a file; receives then follow the order of sends, and
// what comes too early is kept.
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-microbatch=count=2 --pipe-schedule=plan-out=%t.json -o %t.1
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=plan-in=%t.json --pipe-microbatch=count=2 --pipe-schedule=plan-in=%t.json -o %t.2
// RUN: diff %t.1 %t.2
// RUN: FileCheck %s --check-prefix=PLAN < %t.json
// PLAN: "microbatches": 2
// PLAN: "stages": {{\[\[}}0, 1], [2, 3]]
// PLAN: "order": {{\[\[}}"F0.0", "F0.1"], ["F1.0", "F1.1"]]

// RUN: echo '{"format": "pipe-plan/1", "devices": 2, "microbatches": 2, "stage_device": [0, 1], "stages": [[0, 1], [2, 3]], "order": [["F0.0", "F0.1"], ["F1.1", "F1.0"]]}' > %t.swapped
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=plan-in=%t.swapped --pipe-microbatch=count=2 --pipe-schedule=plan-in=%t.swapped --pipe-verify-scheduled | FileCheck %s
// CHECK: pipe.program on 1
// CHECK-NEXT: %[[B0:.*]] = pipe.recv from 0 tag 1
// CHECK-NEXT: %[[B1:.*]] = pipe.recv from 0 tag 1
// CHECK-NEXT: %[[A0:.*]] = pipe.recv from 0 tag 0
// CHECK-NEXT: %[[A1:.*]] = pipe.recv from 0 tag 0
// CHECK-NEXT: %[[Y1:.*]] = pipe.run @s1_mb4(%[[B1]], %[[A1]], %{{.*}}) microbatch 1
// CHECK: %[[Y0:.*]] = pipe.run @s1_mb4(%[[B0]], %[[A0]], %{{.*}}) microbatch 0
// CHECK: pipe.concat %[[Y0]], %[[Y1]] dim 0
