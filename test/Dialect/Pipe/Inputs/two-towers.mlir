// Two independent chains, interleaved in program order.
module @towers attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x8xf32> {panpipe.input = "x"}, %y: tensor<4x8xf32> {panpipe.input = "y"})
      -> (tensor<4x8xf32> {panpipe.output = "a"}, tensor<4x8xf32> {panpipe.output = "b"}) {
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32> loc("left.0")
    %1 = linalg.log ins(%y : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32> loc("right.0")
    %2 = linalg.negf ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32> loc("left.1")
    %3 = linalg.abs ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32> loc("right.1")
    return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
  }
}
