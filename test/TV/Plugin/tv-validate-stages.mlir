// A stage is public but no function that is compared on its own: what a pass
// changes in one is a change of the pipeline.
// RUN: panpipe-opt %s --tv-validate="pipeline=canonicalize" -o /dev/null 2>&1 | FileCheck %s
// RUN: panpipe-opt %s --tv-validate="pipeline=cse" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME

// CHECK: canonicalize {{ *}}@main {{ *}}VALID
// CHECK: 1 of 1 covered passes proved: VALID
// SAME: (none did)

pipe.stage @s0 on 0 (%x: tensor<2xi32>) -> (tensor<2xi32>) {
  %zero = arith.constant dense<0> : tensor<2xi32>
  %0 = arith.addi %x, %zero : tensor<2xi32>
  pipe.yield %0 : tensor<2xi32>
}
pipe.pipeline @main(%x: tensor<2xi32>) -> (tensor<2xi32>) {
  pipe.program on 0 {
    %a = pipe.run @s0(%x) microbatch 0 : (tensor<2xi32>) -> tensor<2xi32>
    pipe.deliver %a to 0 : tensor<2xi32>
  }
}
