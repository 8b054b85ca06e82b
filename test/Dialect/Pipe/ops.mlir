// RUN: panpipe-opt %s | panpipe-opt | FileCheck %s

// CHECK-LABEL: pipe.stage @s0 on 0 (%{{.*}}: tensor<5x16xf32>) -> tensor<5x16xf32>
pipe.stage @s0 on 0 (%x: tensor<5x16xf32>) -> tensor<5x16xf32> {
  pipe.yield %x : tensor<5x16xf32>
}
pipe.stage @s0_mb3 on 0 (%x: tensor<3x16xf32>) -> tensor<3x16xf32> {
  pipe.yield %x : tensor<3x16xf32>
}

// CHECK-LABEL: pipe.pipeline @main
pipe.pipeline @main(%x: tensor<8x16xf32> {panpipe.input = "x"}) -> (tensor<8x16xf32> {panpipe.output = "y"}) {
  // CHECK: pipe.program on 0
  pipe.program on 0 {
    // CHECK: pipe.split %{{.*}} dim 0 sizes [5, 3]
    %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x16xf32> -> (tensor<5x16xf32>, tensor<3x16xf32>)
    // CHECK: pipe.run @s0(%{{.*}}) microbatch 0
    %c = pipe.run @s0(%a) microbatch 0 : (tensor<5x16xf32>) -> tensor<5x16xf32>
    pipe.send %c to 1 tag 0 : tensor<5x16xf32>
    pipe.free %c : tensor<5x16xf32>
    %d = pipe.run @s0_mb3(%b) microbatch 1 : (tensor<3x16xf32>) -> tensor<3x16xf32>
    pipe.send %d to 1 tag 1 : tensor<3x16xf32>
  }
  // CHECK: pipe.program on 1
  pipe.program on 1 {
    // CHECK: pipe.recv from 0 tag 0 : tensor<5x16xf32>
    %c = pipe.recv from 0 tag 0 : tensor<5x16xf32>
    %d = pipe.recv from 0 tag 1 : tensor<3x16xf32>
    %y = pipe.concat %c, %d dim 0 : (tensor<5x16xf32>, tensor<3x16xf32>) -> tensor<8x16xf32>
    // CHECK: pipe.deliver %{{.*}} to 0
    pipe.deliver %y to 0 : tensor<8x16xf32>
  }
}
