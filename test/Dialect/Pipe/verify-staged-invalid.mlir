// RUN: panpipe-opt %s --pipe-verify-staged --split-input-file --verify-diagnostics

module attributes {panpipe.level = "staged"} {
  // expected-error @below {{@s0 never runs}}
  pipe.stage @s0 on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = math.exp %x : tensor<2xf32>
    pipe.yield %0 : tensor<2xf32>
  }
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    return %x : tensor<2xf32>
  }
}

// -----

module attributes {panpipe.level = "staged"} {
  pipe.stage @s0 on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = math.exp %x : tensor<2xf32>
    pipe.yield %0 : tensor<2xf32>
  }
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    // expected-note @below {{the first run is here}}
    %0 = pipe.run @s0(%x) : (tensor<2xf32>) -> tensor<2xf32>
    // expected-error @below {{runs stage @s0 again}}
    %1 = pipe.run @s0(%0) : (tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}

// -----

module attributes {panpipe.level = "staged"} {
  // expected-error @below {{@s0 computes nothing}}
  pipe.stage @s0 on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
    pipe.yield %x : tensor<2xf32>
  }
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    %0 = pipe.run @s0(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

module attributes {panpipe.level = "staged"} {
  pipe.stage @s0 on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = math.exp %x : tensor<2xf32>
    pipe.yield %0 : tensor<2xf32>
  }
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    // expected-error @below {{has a microbatch number, but level staged runs the whole batch}}
    %0 = pipe.run @s0(%x) microbatch 0 : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

module attributes {panpipe.level = "staged"} {
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    // expected-error @below {{cannot stand in @main of level staged}}
    %0 = math.exp %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

module attributes {panpipe.level = "staged"} {
  pipe.stage @s0 on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error @below {{calls @main, which is not a composite}}
    %0 = func.call @main(%x) : (tensor<2xf32>) -> tensor<2xf32>
    pipe.yield %0 : tensor<2xf32>
  }
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    %0 = pipe.run @s0(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
