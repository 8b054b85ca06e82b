// Conditions of undefined behaviour over boxes of elements: the lookups of a
// part of a batch are among those of the whole.
// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src { func.func @f(%t: tensor<4x3xi64>, %w: tensor<10x2xf32>) -> tensor<4x3x2xf32> {
    %e = tensor.empty() : tensor<4x3x2xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>],
        iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<4x3xi64>) outs(%e : tensor<4x3x2xf32>) {
    ^bb0(%in: i64, %out: f32):
      %i = arith.index_cast %in : i64 to index
      %c = linalg.index 2 : index
      %v = tensor.extract %w[%i, %c] : tensor<10x2xf32>
      linalg.yield %v : f32
    } -> tensor<4x3x2xf32>
    return %0 : tensor<4x3x2xf32>
  } }
  module @tgt {
    func.func private @part(%t: tensor<2x3xi64>, %w: tensor<10x2xf32>) -> tensor<2x3x2xf32> {
      %e = tensor.empty() : tensor<2x3x2xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b, c)>],
          iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<2x3xi64>) outs(%e : tensor<2x3x2xf32>) {
      ^bb0(%in: i64, %out: f32):
        %i = arith.index_cast %in : i64 to index
        %c = linalg.index 2 : index
        %v = tensor.extract %w[%i, %c] : tensor<10x2xf32>
        linalg.yield %v : f32
      } -> tensor<2x3x2xf32>
      return %0 : tensor<2x3x2xf32>
    }
    func.func @f(%t: tensor<4x3xi64>, %w: tensor<10x2xf32>) -> tensor<4x3x2xf32> {
      %a = tensor.extract_slice %t[0, 0] [2, 3] [1, 1] : tensor<4x3xi64> to tensor<2x3xi64>
      %b = tensor.extract_slice %t[2, 0] [2, 3] [1, 1] : tensor<4x3xi64> to tensor<2x3xi64>
      %0 = func.call @part(%a, %w) : (tensor<2x3xi64>, tensor<10x2xf32>) -> tensor<2x3x2xf32>
      %1 = func.call @part(%b, %w) : (tensor<2x3xi64>, tensor<10x2xf32>) -> tensor<2x3x2xf32>
      %2 = tensor.concat dim(0) %0, %1 : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<4x3x2xf32>
      return %2 : tensor<4x3x2xf32>
    }
  }
}

// -----
// One part looks up the next row of the table, which may not exist.
module attributes {tv.expect = "INVALID"} {
  module @src { func.func @f(%t: tensor<2x3xi64>, %w: tensor<10xf32>) -> tensor<2x3xf32> {
    %e = tensor.empty() : tensor<2x3xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>],
        iterator_types = ["parallel", "parallel"]} ins(%t : tensor<2x3xi64>) outs(%e : tensor<2x3xf32>) {
    ^bb0(%in: i64, %out: f32):
      %i = arith.index_cast %in : i64 to index
      %v = tensor.extract %w[%i] : tensor<10xf32>
      linalg.yield %v : f32
    } -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  } }
  module @tgt { func.func @f(%t: tensor<2x3xi64>, %w: tensor<10xf32>) -> tensor<2x3xf32> {
    %a = tensor.extract_slice %t[0, 0] [1, 3] [1, 1] : tensor<2x3xi64> to tensor<1x3xi64>
    %b = tensor.extract_slice %t[1, 0] [1, 3] [1, 1] : tensor<2x3xi64> to tensor<1x3xi64>
    %e = tensor.empty() : tensor<1x3xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>],
        iterator_types = ["parallel", "parallel"]} ins(%a : tensor<1x3xi64>) outs(%e : tensor<1x3xf32>) {
    ^bb0(%in: i64, %out: f32):
      %i = arith.index_cast %in : i64 to index
      %v = tensor.extract %w[%i] : tensor<10xf32>
      linalg.yield %v : f32
    } -> tensor<1x3xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>],
        iterator_types = ["parallel", "parallel"]} ins(%b : tensor<1x3xi64>) outs(%e : tensor<1x3xf32>) {
    ^bb0(%in: i64, %out: f32):
      %one = arith.constant 1 : index
      %j = arith.index_cast %in : i64 to index
      %i = arith.addi %j, %one : index
      %v = tensor.extract %w[%i] : tensor<10xf32>
      linalg.yield %v : f32
    } -> tensor<1x3xf32>
    %2 = tensor.concat dim(0) %0, %1 : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  } }
}

// -----
// The part reaches one row further than the whole: a larger box is not implied.
module attributes {tv.expect = "INVALID"} {
  module @src { func.func @f(%t: tensor<3xi64>, %w: tensor<10xf32>) -> tensor<2xf32> {
    %s = tensor.extract_slice %t[0] [2] [1] : tensor<3xi64> to tensor<2xi64>
    %e = tensor.empty() : tensor<2xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>],
        iterator_types = ["parallel"]} ins(%s : tensor<2xi64>) outs(%e : tensor<2xf32>) {
    ^bb0(%in: i64, %out: f32):
      %i = arith.index_cast %in : i64 to index
      %v = tensor.extract %w[%i] : tensor<10xf32>
      linalg.yield %v : f32
    } -> tensor<2xf32>
    return %0 : tensor<2xf32>
  } }
  module @tgt { func.func @f(%t: tensor<3xi64>, %w: tensor<10xf32>) -> tensor<2xf32> {
    %e = tensor.empty() : tensor<3xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>],
        iterator_types = ["parallel"]} ins(%t : tensor<3xi64>) outs(%e : tensor<3xf32>) {
    ^bb0(%in: i64, %out: f32):
      %i = arith.index_cast %in : i64 to index
      %v = tensor.extract %w[%i] : tensor<10xf32>
      linalg.yield %v : f32
    } -> tensor<3xf32>
    %1 = tensor.extract_slice %0[0] [2] [1] : tensor<3xf32> to tensor<2xf32>
    return %1 : tensor<2xf32>
  } }
}
