// Every step is proved, and the proof can fail.
// RUN: panpipe-opt %S/../Dialect/Pipe/Inputs/mlp.mlir --panpipe-default-pipeline="devices=2 sizes=3,3,2" --validate -o %t.scheduled 2>&1 | FileCheck %s
// RUN: panpipe-opt %S/../Dialect/Pipe/Inputs/mlp.mlir --panpipe-default-pipeline="devices=4 microbatches=8" --validate -o /dev/null 2>&1 | FileCheck %s
// RUN: panpipe-opt %S/../Dialect/Pipe/microbatch-dims.mlir --pipe-partition --pipe-microbatch="sizes=1,2 batch-dims=x:1" --pipe-schedule --validate -o /dev/null 2>&1 | FileCheck %s
// RUN: panpipe-opt %S/../Dialect/Pipe/Inputs/two-towers.mlir --pipe-partition=plan-in=%S/../Dialect/Pipe/Inputs/two-towers-plan.json --pipe-microbatch=count=2 --pipe-schedule --validate -o /dev/null 2>&1 | FileCheck %s

// CHECK: pipe-partition{{ *}}@main{{ *}}VALID
// CHECK-NEXT: pipe-microbatch{{ *}}@main{{ *}}VALID
// CHECK-NEXT: pipe-schedule{{ *}}@main{{ *}}VALID
// CHECK-NEXT: 3 of 3 covered passes proved: VALID

// The whole way at once.
// RUN: panpipe-tv %S/../Dialect/Pipe/Inputs/mlp.mlir %t.scheduled

// Two microbatches change places in the result.
// RUN: panpipe-opt %S/../Dialect/Pipe/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-microbatch=sizes=3,3,2 -o %t.good
// RUN: sed 's/pipe.concat %2, %4, %6/pipe.concat %4, %2, %6/' %t.good > %t.swapped
// RUN: not diff %t.good %t.swapped
// RUN: not panpipe-tv %S/../Dialect/Pipe/Inputs/mlp.mlir %t.swapped --reproducer= | FileCheck %s --check-prefix=BAD

// The skip connection takes its value from the neighbour.
// RUN: sed 's/pipe.run @s1_mb3(%1#1, %1#0,/pipe.run @s1_mb3(%1#1, %1#1,/' %t.good > %t.neighbour
// RUN: not diff %t.good %t.neighbour
// RUN: not panpipe-tv %S/../Dialect/Pipe/Inputs/mlp.mlir %t.neighbour --reproducer= | FileCheck %s --check-prefix=BAD

// A value of the right type comes from the wrong channel.
// RUN: sed 's/pipe.send %2#0 to 1 tag 0/pipe.send %2#1 to 1 tag 0/' %t.scheduled > %t.channel
// RUN: not diff %t.scheduled %t.channel
// RUN: not panpipe-tv %S/../Dialect/Pipe/Inputs/mlp.mlir %t.channel --reproducer= | FileCheck %s --check-prefix=BAD
// BAD: INVALID
