// RUN: panpipe-tv --expect %s

// A tiled elementwise operation.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      %r = linalg.exp ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
      return %r : tensor<8xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      %r = scf.forall (%i) in (4) shared_outs(%o = %y) -> (tensor<8xf32>) {
        %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
        %s = tensor.extract_slice %x[%k] [2] [1] : tensor<8xf32> to tensor<2xf32>
        %t = tensor.extract_slice %o[%k] [2] [1] : tensor<8xf32> to tensor<2xf32>
        %e = linalg.exp ins(%s : tensor<2xf32>) outs(%t : tensor<2xf32>) -> tensor<2xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %e into %o[%k] [2] [1] : tensor<2xf32> into tensor<8xf32>
        }
      }
      return %r : tensor<8xf32>
    }
  }
}

// -----

// Tiles at the wrong place.
module attributes {tv.expect = "INVALID", tv.reflexive = false} {
  module @src {
    func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      %r = linalg.exp ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
      return %r : tensor<8xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      %r = scf.forall (%i) in (4) shared_outs(%o = %y) -> (tensor<8xf32>) {
        %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
        %s = tensor.extract_slice %x[%k] [2] [1] : tensor<8xf32> to tensor<2xf32>
        %t = tensor.extract_slice %o[%k] [2] [1] : tensor<8xf32> to tensor<2xf32>
        %e = linalg.exp ins(%s : tensor<2xf32>) outs(%t : tensor<2xf32>) -> tensor<2xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %e into %o[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
        }
      }
      return %r : tensor<8xf32>
    }
  }
}
