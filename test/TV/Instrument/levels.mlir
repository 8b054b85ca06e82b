// From the model to device programs: each change of level is proved, @main the
// function against @main the pipeline included.
// RUN: panpipe-opt %S/../../Dialect/Pipe/Inputs/mlp.mlir --validate --panpipe-default-pipeline="devices=2 microbatches=4" -o %t 2>&1 | FileCheck %s
// RUN: split-file %s %t.d
// RUN: not panpipe-tv --reproducer= %t.d/function.mlir %t.d/swapped.mlir | FileCheck %s --check-prefix=SWAPPED
// RUN: not panpipe-tv --reproducer= %t.d/function.mlir %t.d/stuck.mlir | FileCheck %s --check-prefix=STUCK

// CHECK: pipe-partition {{ *}}@main {{ *}}VALID
// CHECK: pipe-microbatch {{ *}}@main {{ *}}VALID
// CHECK: pipe-schedule {{ *}}@main {{ *}}VALID
// CHECK: 3 of 3 covered passes proved: VALID

// SWAPPED: @main  INVALID
// SWAPPED: pipe.program
// SWAPPED: result #0 at [0]: source 1, target -1

// STUCK: @main  INVALID
// STUCK: the target never finishes: device 1 waits for tag 5 from device 0

//--- function.mlir
func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = arith.addi %x, %x : tensor<2xi32>
  %1 = arith.subi %0, %x : tensor<2xi32>
  return %1 : tensor<2xi32>
}
//--- swapped.mlir
pipe.stage @s0 on 0 (%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %0 = arith.addi %x, %x : tensor<2xi32>
  pipe.yield %0 : tensor<2xi32>
}
pipe.stage @s1 on 1 (%a: tensor<2xi32>, %b: tensor<2xi32>) -> (tensor<2xi32>) {
  %0 = arith.subi %a, %b : tensor<2xi32>
  pipe.yield %0 : tensor<2xi32>
}
pipe.pipeline @main(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  pipe.program on 0 {
    %a = pipe.run @s0(%x) microbatch 0 : (tensor<2xi32>) -> tensor<2xi32>
    pipe.send %a to 1 tag 0 : tensor<2xi32>
  }
  pipe.program on 1 {
    %a = pipe.recv from 0 tag 0 : tensor<2xi32>
    %b = pipe.run @s1(%x, %a) microbatch 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    pipe.deliver %b to 0 : tensor<2xi32>
  }
}
//--- stuck.mlir
pipe.stage @s0 on 0 (%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %0 = arith.addi %x, %x : tensor<2xi32>
  pipe.yield %0 : tensor<2xi32>
}
pipe.stage @s1 on 1 (%a: tensor<2xi32>, %b: tensor<2xi32>) -> (tensor<2xi32>) {
  %0 = arith.subi %a, %b : tensor<2xi32>
  pipe.yield %0 : tensor<2xi32>
}
pipe.pipeline @main(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  pipe.program on 0 {
    %a = pipe.run @s0(%x) microbatch 0 : (tensor<2xi32>) -> tensor<2xi32>
    pipe.send %a to 1 tag 0 : tensor<2xi32>
  }
  pipe.program on 1 {
    %a = pipe.recv from 0 tag 5 : tensor<2xi32>
    %b = pipe.run @s1(%a, %x) microbatch 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    pipe.deliver %b to 0 : tensor<2xi32>
  }
}
