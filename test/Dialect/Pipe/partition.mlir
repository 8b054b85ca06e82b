// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-verify-model --pipe-partition=devices=2 --pipe-verify-staged | FileCheck %s
// The same twice, and through the text form.
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 -o %t.1
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 | panpipe-opt --pipe-verify-staged -o %t.2
// RUN: diff %t.1 %t.2
// One stage, and one per node.
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition --pipe-verify-staged | FileCheck %s --check-prefix=ONE
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=4 --pipe-verify-staged | FileCheck %s --check-prefix=SKIP
// Locations are the model's.
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// CHECK: module @mlp attributes {panpipe.level = "staged", panpipe.source = "mlp.pt2"}
// CHECK-LABEL: pipe.stage @s0 on 0
// CHECK-SAME: (%[[X:.*]]: tensor<8x16xf32> {panpipe.input = "x"}, %[[V:.*]]: tensor<4x16xf32> {panpipe.param = "fc1.weight"}) -> (tensor<8x4xf32>, tensor<8x4xf32>)
// CHECK: %[[A:.*]] = func.call @linear.0(%[[X]], %[[V]])
// CHECK: %[[B:.*]] = linalg.generic
// CHECK: pipe.yield %[[A]], %[[B]]
// Only the parameter it uses; its own copy of the empty tensor.
// CHECK-LABEL: pipe.stage @s1 on 1
// CHECK-SAME: (%[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<8x4xf32>, %[[W:.*]]: tensor<4x4xf32> {panpipe.param = "fc2.weight"}) -> tensor<8x4xf32>
// CHECK: func.call @linear.1(%[[A]], %[[W]])
// CHECK: tensor.empty
// CHECK: %[[Y:.*]] = linalg.add
// CHECK: pipe.yield %[[Y]]
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<8x16xf32> {panpipe.input = "x"}, %[[V:.*]]: tensor<4x16xf32> {panpipe.param = "fc1.weight"}, %[[W:.*]]: tensor<4x4xf32> {panpipe.param = "fc2.weight"}) -> (tensor<8x4xf32> {panpipe.output = "y"})
// CHECK-NEXT: %[[R:.*]]:2 = pipe.run @s0(%[[X]], %[[V]])
// CHECK-NEXT: %[[S:.*]] = pipe.run @s1(%[[R]]#1, %[[R]]#0, %[[W]])
// CHECK-NEXT: return %[[S]]

// ONE: pipe.stage @s0
// ONE-NOT: pipe.stage
// ONE: pipe.run @s0
// ONE-NOT: pipe.run

// The first layer's value crosses three stages: it is a value with a far user.
// SKIP-LABEL: func.func @main
// SKIP: %[[A:.*]] = pipe.run @s0(
// SKIP-NEXT: %[[B:.*]] = pipe.run @s1(%[[A]])
// SKIP-NEXT: %[[C:.*]] = pipe.run @s2(%[[B]], %{{.*}})
// SKIP-NEXT: %[[D:.*]] = pipe.run @s3(%[[C]], %[[A]])
// SKIP-NEXT: return %[[D]]

// LOC: func.call @linear.0{{.*}} loc("mlp.fc1")
// LOC: pipe.run @s0{{.*}} loc(fused["mlp.fc1", "mlp.act"])

// A cap moves the cut: two nodes on the first device need 512 bytes.
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition="devices=2 memory-cap=500,0" --pipe-verify-staged | FileCheck %s --check-prefix=CAP
// CAP: pipe.stage @s0
// CAP-NOT: linalg.generic
// CAP: pipe.stage @s1
// CAP: linalg.generic
