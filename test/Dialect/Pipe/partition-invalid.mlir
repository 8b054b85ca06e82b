// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=5 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: cannot cut 4 nodes into 5 stages: every stage needs a node

// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="devices=2 memory-cap=300" 2>&1 | FileCheck %s --check-prefix=CAP
// CAP: error: no partition fits into the memory caps: more than one device is short, by up to 148 bytes; smallest equal change that fits: raise every cap by 148 bytes

// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="devices=3 memory-cap=1,2" 2>&1 | FileCheck %s --check-prefix=CAPS
// CAPS: error: memory-cap lists 2 numbers for 3 devices

// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="objective=fast" 2>&1 | FileCheck %s --check-prefix=OBJECTIVE
// OBJECTIVE: error: unknown objective "fast"; known ones are auto, bottleneck, makespan

// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="device-kind=abacus" 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: unknown device kind "abacus"; known ones are cpu, a100, h100

// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="plan-in=%t.missing" 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot open input file {{.*}}missing

// RUN: echo '{"format": "pipe-plan/1", "devices": 2, "stages": [[0, 2], [1, 3]], "stage_device": [0, 1]}' > %t.cycle
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="plan-in=%t.cycle" 2>&1 | FileCheck %s --check-prefix=CYCLE
// CYCLE: error: plan {{.*}}cycle: the stages depend on each other in a circle, through the value from node 0 (mlp.fc1) in stage 0 to node 1 (mlp.act) in stage 1

// RUN: echo '{"format": "pipe-plan/1", "devices": 2, "stages": [[0, 1], [3]], "stage_device": [0, 1]}' > %t.hole
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="plan-in=%t.hole" 2>&1 | FileCheck %s --check-prefix=HOLE
// HOLE: error: plan {{.*}}hole: node 2 (mlp.fc2) is in no stage

// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition --pipe-partition 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: expected a module of level "model", but panpipe.level is "staged"

// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="devices=2 memory-cap=300,0" 2>&1 | FileCheck %s --check-prefix=ONECAP
// ONECAP: device 0 is short by 84 bytes; smallest change that fits: raise its cap from 300 to 384 bytes
