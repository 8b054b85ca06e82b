// RUN: panpipe-tv --expect %s

// Larger instances are measured by utils/bench/float-proofs.py.

module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src { func.func @f(%x0: tensor<8x8xf32>, %w0: tensor<8x8xf32>, %b0: tensor<8x8xf32>, %w1: tensor<8x8xf32>, %b1: tensor<8x8xf32>, %w2: tensor<8x8xf32>, %b2: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %c = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %m0 = linalg.matmul ins(%x0, %w0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x1 = arith.addf %m0, %b0 : tensor<8x8xf32>
    %m1 = linalg.matmul ins(%x1, %w1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x2 = arith.addf %m1, %b1 : tensor<8x8xf32>
    %m2 = linalg.matmul ins(%x2, %w2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x3 = arith.addf %m2, %b2 : tensor<8x8xf32>
    return %x3 : tensor<8x8xf32>
  } }
  module @tgt { func.func @f(%x0: tensor<8x8xf32>, %w0: tensor<8x8xf32>, %b0: tensor<8x8xf32>, %w1: tensor<8x8xf32>, %b1: tensor<8x8xf32>, %w2: tensor<8x8xf32>, %b2: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %c = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %m0 = linalg.matmul ins(%x0, %w0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x1 = arith.addf %m0, %b0 : tensor<8x8xf32>
    %m1 = linalg.matmul ins(%x1, %w1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x2 = arith.addf %m1, %b1 : tensor<8x8xf32>
    %m2 = linalg.matmul ins(%x2, %w2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x3 = arith.addf %m2, %b2 : tensor<8x8xf32>
    return %x3 : tensor<8x8xf32>
  } }
}

// -----

// A sum has no first operand.
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src { func.func @f(%x0: tensor<8x8xf32>, %w0: tensor<8x8xf32>, %b0: tensor<8x8xf32>, %w1: tensor<8x8xf32>, %b1: tensor<8x8xf32>, %w2: tensor<8x8xf32>, %b2: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %c = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %m0 = linalg.matmul ins(%x0, %w0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x1 = arith.addf %m0, %b0 : tensor<8x8xf32>
    %m1 = linalg.matmul ins(%x1, %w1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x2 = arith.addf %m1, %b1 : tensor<8x8xf32>
    %m2 = linalg.matmul ins(%x2, %w2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x3 = arith.addf %m2, %b2 : tensor<8x8xf32>
    return %x3 : tensor<8x8xf32>
  } }
  module @tgt { func.func @f(%x0: tensor<8x8xf32>, %w0: tensor<8x8xf32>, %b0: tensor<8x8xf32>, %w1: tensor<8x8xf32>, %b1: tensor<8x8xf32>, %w2: tensor<8x8xf32>, %b2: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %c = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %m0 = linalg.matmul ins(%x0, %w0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x1 = arith.addf %b0, %m0 : tensor<8x8xf32>
    %m1 = linalg.matmul ins(%x1, %w1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x2 = arith.addf %b1, %m1 : tensor<8x8xf32>
    %m2 = linalg.matmul ins(%x2, %w2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x3 = arith.addf %b2, %m2 : tensor<8x8xf32>
    return %x3 : tensor<8x8xf32>
  } }
}

// -----

// Another weight.
module attributes {tv.expect = "INVALID"} {
  module @src { func.func @f(%x0: tensor<8x8xf32>, %w0: tensor<8x8xf32>, %b0: tensor<8x8xf32>, %w1: tensor<8x8xf32>, %b1: tensor<8x8xf32>, %w2: tensor<8x8xf32>, %b2: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %c = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %m0 = linalg.matmul ins(%x0, %w0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x1 = arith.addf %m0, %b0 : tensor<8x8xf32>
    %m1 = linalg.matmul ins(%x1, %w1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x2 = arith.addf %m1, %b1 : tensor<8x8xf32>
    %m2 = linalg.matmul ins(%x2, %w2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x3 = arith.addf %m2, %b2 : tensor<8x8xf32>
    return %x3 : tensor<8x8xf32>
  } }
  module @tgt { func.func @f(%x0: tensor<8x8xf32>, %w0: tensor<8x8xf32>, %b0: tensor<8x8xf32>, %w1: tensor<8x8xf32>, %b1: tensor<8x8xf32>, %w2: tensor<8x8xf32>, %b2: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %c = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %m0 = linalg.matmul ins(%x0, %w0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x1 = arith.addf %m0, %b0 : tensor<8x8xf32>
    %m1 = linalg.matmul ins(%x1, %w0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x2 = arith.addf %m1, %b1 : tensor<8x8xf32>
    %m2 = linalg.matmul ins(%x2, %w2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
    %x3 = arith.addf %m2, %b2 : tensor<8x8xf32>
    return %x3 : tensor<8x8xf32>
  } }
}

// -----

// Rows first or columns first.
module attributes {tv.expect = "VALID", tv.allow = ["reassoc"], tv.assumes = ["reassoc"]} {
  module @src { func.func @f(%x: tensor<12x12xf32>) -> tensor<f32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<f32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %r = linalg.reduce { arith.addf } ins(%x : tensor<12x12xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
    return %r : tensor<f32>
  } }
  module @tgt { func.func @f(%x: tensor<12x12xf32>) -> tensor<f32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<f32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %te = tensor.empty() : tensor<12x12xf32>
    %t = linalg.transpose ins(%x : tensor<12x12xf32>) outs(%te : tensor<12x12xf32>) permutation = [1, 0]
    %r = linalg.reduce { arith.addf } ins(%t : tensor<12x12xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
    return %r : tensor<f32>
  } }
}

// -----

// A column less.
module attributes {tv.expect = "INVALID", tv.allow = ["reassoc"]} {
  module @src { func.func @f(%x: tensor<12x12xf32>) -> tensor<f32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<f32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %r = linalg.reduce { arith.addf } ins(%x : tensor<12x12xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
    return %r : tensor<f32>
  } }
  module @tgt { func.func @f(%x: tensor<12x12xf32>) -> tensor<f32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<f32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %te = tensor.empty() : tensor<12x12xf32>
    %t = linalg.transpose ins(%x : tensor<12x12xf32>) outs(%te : tensor<12x12xf32>) permutation = [1, 0]
    %w = tensor.extract_slice %t[0, 0] [12, 11] [1, 1] : tensor<12x12xf32> to tensor<12x11xf32>
    %r = linalg.reduce { arith.addf } ins(%w : tensor<12x11xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
    return %r : tensor<f32>
  } }
}
