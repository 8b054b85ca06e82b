// Two linear layers with an inlined relu between them, and a skip from the first
// layer past the relu.
module @mlp attributes {panpipe.level = "model", panpipe.source = "mlp.pt2"} {
  func.func @main(%x: tensor<8x16xf32> {panpipe.input = "x"},
                  %v: tensor<4x16xf32> {panpipe.param = "fc1.weight"},
                  %w: tensor<4x4xf32> {panpipe.param = "fc2.weight"})
      -> (tensor<8x4xf32> {panpipe.output = "y"}) {
    %0 = call @linear.0(%x, %v) : (tensor<8x16xf32>, tensor<4x16xf32>) -> tensor<8x4xf32> loc("mlp.fc1")
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%0 : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %m = arith.maximumf %in, %zero : f32
      linalg.yield %m : f32
    } -> tensor<8x4xf32> loc("mlp.act")
    %2 = call @linear.1(%1, %w) : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32> loc("mlp.fc2")
    %f = tensor.empty() : tensor<8x4xf32>
    %3 = linalg.add ins(%2, %0 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32> loc("mlp.add")
    return %3 : tensor<8x4xf32>
  }
  func.func private @linear.0(%x: tensor<8x16xf32>, %w: tensor<4x16xf32>) -> tensor<8x4xf32>
      attributes {panpipe.composite = "linear", panpipe.attrs = {}} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
    %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        ins(%x, %w : tensor<8x16xf32>, tensor<4x16xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
  func.func private @linear.1(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32>
      attributes {panpipe.composite = "linear", panpipe.attrs = {}} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
    %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        ins(%x, %w : tensor<8x4xf32>, tensor<4x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
