// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-microbatch=sizes=3,3,2 --pipe-verify-microbatched -o %t.1
// RUN: FileCheck %s < %t.1
// Again, and through the text form.
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 | panpipe-opt --pipe-microbatch=count=3 | panpipe-opt --pipe-verify-microbatched -o %t.2
// RUN: diff %t.1 %t.2
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-microbatch=count=4 --pipe-verify-microbatched | FileCheck %s --check-prefix=EVEN
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-microbatch --pipe-verify-microbatched | FileCheck %s --check-prefix=ONE

// CHECK: panpipe.level = "microbatched"
// CHECK-LABEL: pipe.stage @s0_mb3 on 0
// CHECK-SAME: tensor<3x16xf32> {panpipe.input = "x"}, %{{.*}}: tensor<4x16xf32>
// CHECK-SAME: attributes {panpipe.stage = "s0"}
// CHECK: call @linear.0_mb3
// CHECK: tensor.empty() : tensor<3x4xf32>
// CHECK-LABEL: pipe.stage @s0_mb2 on 0
// CHECK: call @linear.0_mb2
// CHECK-LABEL: pipe.stage @s1_mb3 on 1
// CHECK-LABEL: pipe.stage @s1_mb2 on 1
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<8x16xf32> {panpipe.input = "x"}, %[[V:.*]]: tensor<4x16xf32>
// CHECK-NEXT: %[[P:.*]]:3 = pipe.split %[[X]] dim 0 sizes [3, 3, 2]
// CHECK-NEXT: %[[A:.*]]:2 = pipe.run @s0_mb3(%[[P]]#0, %[[V]]) microbatch 0
// CHECK-NEXT: %[[Y0:.*]] = pipe.run @s1_mb3(%[[A]]#1, %[[A]]#0, %{{.*}}) microbatch 0
// CHECK-NEXT: %[[B:.*]]:2 = pipe.run @s0_mb3(%[[P]]#1, %[[V]]) microbatch 1
// CHECK-NEXT: %[[Y1:.*]] = pipe.run @s1_mb3(%[[B]]#1, %[[B]]#0, %{{.*}}) microbatch 1
// CHECK-NEXT: %[[C:.*]]:2 = pipe.run @s0_mb2(%[[P]]#2, %[[V]]) microbatch 2
// CHECK-NEXT: %[[Y2:.*]] = pipe.run @s1_mb2(%[[C]]#1, %[[C]]#0, %{{.*}}) microbatch 2
// CHECK-NEXT: %[[Y:.*]] = pipe.concat %[[Y0]], %[[Y1]], %[[Y2]] dim 0
// CHECK-NEXT: return %[[Y]] : tensor<8x4xf32>
// The composites for the whole batch are gone.
// CHECK-NOT: @linear.0(
// CHECK: func.func private @linear.0_mb3(%{{.*}}: tensor<3x16xf32>, %{{.*}}: tensor<4x16xf32>) -> tensor<3x4xf32> attributes {panpipe.attrs = {}, panpipe.composite = "linear"}
// CHECK: linalg.matmul{{.*}} outs(%{{.*}} : tensor<3x4xf32>)

// One size only: one variant of each stage.
// EVEN: pipe.stage @s0_mb2
// EVEN-NOT: pipe.stage @s0
// EVEN: pipe.split %{{.*}} dim 0 sizes [2, 2, 2, 2]
// EVEN: microbatch 3

// The whole batch: nothing is cut or copied.
// ONE: pipe.stage @s0 on 0
// ONE: pipe.run @s0(%{{.*}}) microbatch 0
// ONE-NOT: pipe.concat
