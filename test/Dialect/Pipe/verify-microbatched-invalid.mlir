// RUN: panpipe-opt %s --pipe-verify-microbatched --split-input-file --verify-diagnostics

module attributes {panpipe.level = "microbatched"} {
  // expected-error @below {{stage @s1 does not run for microbatch 1, but others do}}
  pipe.stage @s1 on 0 (%x: tensor<1xf32>) -> tensor<1xf32> {
    %0 = math.exp %x : tensor<1xf32>
    pipe.yield %0 : tensor<1xf32>
  }
  pipe.stage @s0 on 0 (%x: tensor<1xf32>) -> tensor<1xf32> {
    %0 = math.exp %x : tensor<1xf32>
    pipe.yield %0 : tensor<1xf32>
  }
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    %a, %b = pipe.split %x dim 0 sizes [1, 1] : tensor<2xf32> -> (tensor<1xf32>, tensor<1xf32>)
    %0 = pipe.run @s0(%a) microbatch 0 : (tensor<1xf32>) -> tensor<1xf32>
    %1 = pipe.run @s0(%b) microbatch 1 : (tensor<1xf32>) -> tensor<1xf32>
    %2 = pipe.run @s1(%0) microbatch 0 : (tensor<1xf32>) -> tensor<1xf32>
    %y = pipe.concat %2, %1 dim 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    return %y : tensor<2xf32>
  }
}

// -----

module attributes {panpipe.level = "microbatched"} {
  pipe.stage @s0 on 0 (%x: tensor<1xf32>) -> tensor<1xf32> {
    %0 = math.exp %x : tensor<1xf32>
    pipe.yield %0 : tensor<1xf32>
  }
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    %a, %b = pipe.split %x dim 0 sizes [1, 1] : tensor<2xf32> -> (tensor<1xf32>, tensor<1xf32>)
    // expected-note @below {{the first run is here}}
    %0 = pipe.run @s0(%a) microbatch 0 : (tensor<1xf32>) -> tensor<1xf32>
    // expected-error @below {{runs stage @s0 again for microbatch 0}}
    %1 = pipe.run @s0(%b) microbatch 0 : (tensor<1xf32>) -> tensor<1xf32>
    %y = pipe.concat %0, %1 dim 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    return %y : tensor<2xf32>
  }
}

// -----

module attributes {panpipe.level = "microbatched"} {
  pipe.stage @s0 on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = math.exp %x : tensor<2xf32>
    pipe.yield %0 : tensor<2xf32>
  }
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    // expected-error @below {{needs a microbatch number}}
    %0 = pipe.run @s0(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

module attributes {panpipe.level = "microbatched"} {
  pipe.stage @s0_mb2 on 0 (%x: tensor<2xf32>) -> tensor<2xf32> attributes {panpipe.stage = "s0"} {
    %0 = math.exp %x : tensor<2xf32>
    pipe.yield %0 : tensor<2xf32>
  }
  // expected-error @below {{@s0_mb1 is a variant of stage "s0" on device 1, but @s0_mb2 is on device 0}}
  pipe.stage @s0_mb1 on 1 (%x: tensor<1xf32>) -> tensor<1xf32> attributes {panpipe.stage = "s0"} {
    %0 = math.exp %x : tensor<1xf32>
    pipe.yield %0 : tensor<1xf32>
  }
  func.func @main(%x: tensor<3xf32> {panpipe.input = "x"}) -> (tensor<3xf32> {panpipe.output = "y"}) {
    %a, %b = pipe.split %x dim 0 sizes [2, 1] : tensor<3xf32> -> (tensor<2xf32>, tensor<1xf32>)
    %0 = pipe.run @s0_mb2(%a) microbatch 0 : (tensor<2xf32>) -> tensor<2xf32>
    %1 = pipe.run @s0_mb1(%b) microbatch 1 : (tensor<1xf32>) -> tensor<1xf32>
    %y = pipe.concat %0, %1 dim 0 : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }
}
