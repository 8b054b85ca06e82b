// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-verify-model | FileCheck %s
// RUN: panpipe-opt %S/Inputs/two-towers.mlir --pipe-verify-model
// CHECK: panpipe.level = "model"
