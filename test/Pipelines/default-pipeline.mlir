// The whole order. Each level is verified before the next step.
// RUN: panpipe-opt %S/../Dialect/Pipe/Inputs/mlp.mlir --panpipe-default-pipeline="devices=2 microbatches=4" --dump-pass-pipeline -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=RESULT < %t
// RUN: not panpipe-opt %t --panpipe-default-pipeline 2>&1 | FileCheck %s --check-prefix=LEVEL

// CHECK: builtin.module(
// CHECK-NEXT: pipe-verify-model,
// CHECK-NEXT: pipe-partition{{{[^}]*}}devices=2
// CHECK-SAME: microbatches=4
// CHECK-NEXT: pipe-verify-staged,
// CHECK-NEXT: pipe-microbatch{{{[^}]*}}count=4
// CHECK-NEXT: pipe-verify-microbatched,
// CHECK-NEXT: pipe-schedule{{.*}},
// CHECK-NEXT: pipe-verify-scheduled

// RESULT: panpipe.level = "scheduled"
// RESULT: pipe.program on 1

// LEVEL: error: expected a module of level "model", but panpipe.level is "scheduled"
