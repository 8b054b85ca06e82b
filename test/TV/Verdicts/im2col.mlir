// RUN: panpipe-tv --expect %s

// A convolution is a matrix product of patches; rows and columns of a window
// must not be exchanged.

module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @conv(%x: tensor<2x16x16x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<2x14x14x8xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<2x14x14x8xf32>
      %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x14x14x8xf32>) -> tensor<2x14x14x8xf32>
      %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x16x16x4xf32>, tensor<3x3x4x8xf32>) outs(%i : tensor<2x14x14x8xf32>) -> tensor<2x14x14x8xf32>
      return %r : tensor<2x14x14x8xf32>
    }
  }
  module @tgt {
    func.func @conv(%x: tensor<2x16x16x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<2x14x14x8xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<2x14x14x3x3x4xf32>
      %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d3, d2 + d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
          ins(%x : tensor<2x16x16x4xf32>) outs(%e : tensor<2x14x14x3x3x4xf32>) {
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
      } -> tensor<2x14x14x3x3x4xf32>
      %q = tensor.collapse_shape %p [[0], [1, 2], [3, 4, 5]] : tensor<2x14x14x3x3x4xf32> into tensor<2x196x36xf32>
      %v = tensor.collapse_shape %w [[0, 1, 2], [3]] : tensor<3x3x4x8xf32> into tensor<36x8xf32>
      %f = tensor.empty() : tensor<2x196x8xf32>
      %i = linalg.fill ins(%z : f32) outs(%f : tensor<2x196x8xf32>) -> tensor<2x196x8xf32>
      %m = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
          ins(%q, %v : tensor<2x196x36xf32>, tensor<36x8xf32>) outs(%i : tensor<2x196x8xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %k = arith.mulf %a, %b : f32
        %s = arith.addf %o, %k : f32
        linalg.yield %s : f32
      } -> tensor<2x196x8xf32>
      %r = tensor.expand_shape %m [[0], [1, 2], [3]] output_shape [2, 14, 14, 8] : tensor<2x196x8xf32> into tensor<2x14x14x8xf32>
      return %r : tensor<2x14x14x8xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID", tv.assumes = []} {
  module @src {
    func.func @conv(%x: tensor<1x16x16x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x14x14x8xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x14x14x8xf32>
      %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x14x14x8xf32>) -> tensor<1x14x14x8xf32>
      %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x16x16x4xf32>, tensor<3x3x4x8xf32>) outs(%i : tensor<1x14x14x8xf32>) -> tensor<1x14x14x8xf32>
      return %r : tensor<1x14x14x8xf32>
    }
  }
  module @tgt {
    func.func @conv(%x: tensor<1x16x16x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x14x14x8xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x14x14x3x3x4xf32>
      %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
          ins(%x : tensor<1x16x16x4xf32>) outs(%e : tensor<1x14x14x3x3x4xf32>) {
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
      } -> tensor<1x14x14x3x3x4xf32>
      %q = tensor.collapse_shape %p [[0], [1, 2], [3, 4, 5]] : tensor<1x14x14x3x3x4xf32> into tensor<1x196x36xf32>
      %v = tensor.collapse_shape %w [[0, 1, 2], [3]] : tensor<3x3x4x8xf32> into tensor<36x8xf32>
      %f = tensor.empty() : tensor<1x196x8xf32>
      %i = linalg.fill ins(%z : f32) outs(%f : tensor<1x196x8xf32>) -> tensor<1x196x8xf32>
      %m = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
          ins(%q, %v : tensor<1x196x36xf32>, tensor<36x8xf32>) outs(%i : tensor<1x196x8xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %k = arith.mulf %a, %b : f32
        %s = arith.addf %o, %k : f32
        linalg.yield %s : f32
      } -> tensor<1x196x8xf32>
      %r = tensor.expand_shape %m [[0], [1, 2], [3]] output_shape [1, 14, 14, 8] : tensor<1x196x8xf32> into tensor<1x14x14x8xf32>
      return %r : tensor<1x14x14x8xf32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @conv(%x: tensor<?x16x16x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<?x14x14x8xf32> {
      %z = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %d = tensor.dim %x, %c0 : tensor<?x16x16x4xf32>
      %e = tensor.empty(%d) : tensor<?x14x14x8xf32>
      %i = linalg.fill ins(%z : f32) outs(%e : tensor<?x14x14x8xf32>) -> tensor<?x14x14x8xf32>
      %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x16x16x4xf32>, tensor<3x3x4x8xf32>) outs(%i : tensor<?x14x14x8xf32>) -> tensor<?x14x14x8xf32>
      return %r : tensor<?x14x14x8xf32>
    }
  }
  module @tgt {
    func.func @conv(%x: tensor<?x16x16x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<?x14x14x8xf32> {
      %z = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %d = tensor.dim %x, %c0 : tensor<?x16x16x4xf32>
      %e = tensor.empty(%d) : tensor<?x14x14x3x3x4xf32>
      %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d3, d2 + d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
          ins(%x : tensor<?x16x16x4xf32>) outs(%e : tensor<?x14x14x3x3x4xf32>) {
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
      } -> tensor<?x14x14x3x3x4xf32>
      %q = tensor.collapse_shape %p [[0], [1, 2], [3, 4, 5]] : tensor<?x14x14x3x3x4xf32> into tensor<?x196x36xf32>
      %v = tensor.collapse_shape %w [[0, 1, 2], [3]] : tensor<3x3x4x8xf32> into tensor<36x8xf32>
      %f = tensor.empty(%d) : tensor<?x196x8xf32>
      %i = linalg.fill ins(%z : f32) outs(%f : tensor<?x196x8xf32>) -> tensor<?x196x8xf32>
      %m = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
          ins(%q, %v : tensor<?x196x36xf32>, tensor<36x8xf32>) outs(%i : tensor<?x196x8xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %k = arith.mulf %a, %b : f32
        %s = arith.addf %o, %k : f32
        linalg.yield %s : f32
      } -> tensor<?x196x8xf32>
      %r = tensor.expand_shape %m [[0], [1, 2], [3]] output_shape [%d, 14, 14, 8] : tensor<?x196x8xf32> into tensor<?x14x14x8xf32>
      return %r : tensor<?x14x14x8xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID", tv.assumes = []} {
  module @src {
    func.func @conv(%x: tensor<?x16x16x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<?x14x14x8xf32> {
      %z = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %d = tensor.dim %x, %c0 : tensor<?x16x16x4xf32>
      %e = tensor.empty(%d) : tensor<?x14x14x8xf32>
      %i = linalg.fill ins(%z : f32) outs(%e : tensor<?x14x14x8xf32>) -> tensor<?x14x14x8xf32>
      %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x16x16x4xf32>, tensor<3x3x4x8xf32>) outs(%i : tensor<?x14x14x8xf32>) -> tensor<?x14x14x8xf32>
      return %r : tensor<?x14x14x8xf32>
    }
  }
  module @tgt {
    func.func @conv(%x: tensor<?x16x16x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<?x14x14x8xf32> {
      %z = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %d = tensor.dim %x, %c0 : tensor<?x16x16x4xf32>
      %e = tensor.empty(%d) : tensor<?x14x14x3x3x4xf32>
      %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
          ins(%x : tensor<?x16x16x4xf32>) outs(%e : tensor<?x14x14x3x3x4xf32>) {
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
      } -> tensor<?x14x14x3x3x4xf32>
      %q = tensor.collapse_shape %p [[0], [1, 2], [3, 4, 5]] : tensor<?x14x14x3x3x4xf32> into tensor<?x196x36xf32>
      %v = tensor.collapse_shape %w [[0, 1, 2], [3]] : tensor<3x3x4x8xf32> into tensor<36x8xf32>
      %f = tensor.empty(%d) : tensor<?x196x8xf32>
      %i = linalg.fill ins(%z : f32) outs(%f : tensor<?x196x8xf32>) -> tensor<?x196x8xf32>
      %m = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
          ins(%q, %v : tensor<?x196x36xf32>, tensor<36x8xf32>) outs(%i : tensor<?x196x8xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %k = arith.mulf %a, %b : f32
        %s = arith.addf %o, %k : f32
        linalg.yield %s : f32
      } -> tensor<?x196x8xf32>
      %r = tensor.expand_shape %m [[0], [1, 2], [3]] output_shape [%d, 14, 14, 8] : tensor<?x196x8xf32> into tensor<?x14x14x8xf32>
      return %r : tensor<?x14x14x8xf32>
    }
  }
}
