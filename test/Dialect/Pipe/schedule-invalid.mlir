// RUN: echo '{"format": "pipe-plan/1", "devices": 2, "microbatches": 2, "order": [["F0.0", "F0.1"], ["F1.0"]]}' > %t.hole
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-microbatch=count=2 --pipe-schedule=plan-in=%t.hole 2>&1 | FileCheck %s --check-prefix=HOLE
// HOLE: error: plan {{.*}}hole: F1.1 is missing

// RUN: echo '{"format": "pipe-plan/1", "devices": 2, "microbatches": 3, "order": []}' > %t.count
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-microbatch=count=2 --pipe-schedule=plan-in=%t.count 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: plan {{.*}}count: the plan is for 3 microbatches, but the module has 2

// RUN: echo '{"format": "pipe-plan/1", "devices": 2, "microbatches": 2, "order": [["F0.0", "F0.1"], ["F1.0", "B1.0"]]}' > %t.train
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-microbatch=count=2 --pipe-schedule=plan-in=%t.train 2>&1 | FileCheck %s --check-prefix=TRAIN
// TRAIN: error: plan {{.*}}train: device 1: B1.0 is not a forward run; training steps do not run as modules yet

// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-schedule 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: expected a module of level "microbatched", but panpipe.level is "staged"
