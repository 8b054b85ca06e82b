// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-microbatch=sizes=3,3,2 --pipe-schedule --pipe-verify-scheduled -o %t.1
// RUN: FileCheck %s < %t.1
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-microbatch=sizes=3,3,2 | panpipe-opt --pipe-schedule | panpipe-opt --pipe-verify-scheduled -o %t.2
// RUN: diff %t.1 %t.2
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=4 --pipe-microbatch=count=2 --pipe-schedule --pipe-verify-scheduled | FileCheck %s --check-prefix=SKIP
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition --pipe-microbatch --pipe-schedule --pipe-verify-scheduled | FileCheck %s --check-prefix=ONE
// RUN: panpipe-opt %t.1 --pipe-dump-plan 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP

// CHECK: panpipe.level = "scheduled"
// CHECK-LABEL: pipe.pipeline @main
// CHECK-SAME: (%[[X:.*]]: tensor<8x16xf32> {panpipe.input = "x"}, %[[V:.*]]: tensor<4x16xf32> {panpipe.param = "fc1.weight"}, %[[W:.*]]: tensor<4x4xf32> {panpipe.param = "fc2.weight"}) -> (tensor<8x4xf32> {panpipe.output = "y"})
// CHECK: pipe.program on 0
// CHECK-NEXT: %[[P:.*]]:3 = pipe.split %[[X]] dim 0 sizes [3, 3, 2]
// CHECK-NEXT: %[[A:.*]]:2 = pipe.run @s0_mb3(%[[P]]#0, %[[V]]) microbatch 0
// CHECK-NEXT: pipe.free %[[P]]#0
// CHECK-NEXT: pipe.send %[[A]]#0 to 1 tag 0
// CHECK-NEXT: pipe.free %[[A]]#0
// CHECK-NEXT: pipe.send %[[A]]#1 to 1 tag 1
// CHECK-NEXT: pipe.free %[[A]]#1
// CHECK-NEXT: pipe.run @s0_mb3(%[[P]]#1, %[[V]]) microbatch 1
// CHECK: pipe.run @s0_mb2(%[[P]]#2, %[[V]]) microbatch 2
// CHECK: pipe.program on 1
// CHECK-NEXT: %[[B:.*]] = pipe.recv from 0 tag 1 : tensor<3x4xf32>
// CHECK-NEXT: %[[A:.*]] = pipe.recv from 0 tag 0 : tensor<3x4xf32>
// CHECK-NEXT: %[[Y0:.*]] = pipe.run @s1_mb3(%[[B]], %[[A]], %[[W]]) microbatch 0
// CHECK-NEXT: pipe.free %[[B]]
// CHECK-NEXT: pipe.free %[[A]]
// CHECK: %[[Y1:.*]] = pipe.run @s1_mb3({{.*}}) microbatch 1
// CHECK: pipe.recv from 0 tag 1 : tensor<2x4xf32>
// CHECK: %[[Y2:.*]] = pipe.run @s1_mb2({{.*}}) microbatch 2
// CHECK: %[[Y:.*]] = pipe.concat %[[Y0]], %[[Y1]], %[[Y2]] dim 0
// CHECK-NEXT: pipe.free %[[Y0]]
// CHECK-NEXT: pipe.free %[[Y1]]
// CHECK-NEXT: pipe.free %[[Y2]]
// CHECK-NEXT: pipe.deliver %[[Y]] to 0
// CHECK-NEXT: pipe.free %[[Y]]

// The skip goes from its producer to its user, past two devices.
// SKIP: pipe.program on 0
// SKIP: %[[A:.*]] = pipe.run @s0_mb4
// SKIP-NEXT: pipe.free
// SKIP-NEXT: pipe.send %[[A]] to 1 tag 0
// SKIP-NEXT: pipe.send %[[A]] to 3 tag 0
// SKIP-NEXT: pipe.free %[[A]]
// SKIP: pipe.program on 1
// SKIP-NOT: from 0 tag 0
// SKIP: pipe.recv from 0 tag 0
// SKIP: pipe.program on 3
// SKIP: pipe.recv from 2 tag 2
// SKIP-NEXT: pipe.recv from 0 tag 0

// ONE: pipe.program on 0
// ONE-NEXT: %[[Y:.*]] = pipe.run @s0
// ONE-NEXT: pipe.deliver %[[Y]] to 0
// ONE-NEXT: pipe.free %[[Y]]
// ONE-NOT: pipe.program

// DUMP: device  receives  sends  runs, in order
// DUMP-NEXT: 0       0 B       256 B  s0_mb3.0 s0_mb3.1 s0_mb2.2
// DUMP-NEXT: 1       256 B     0 B    s1_mb3.0 s1_mb3.1 s1_mb2.2
