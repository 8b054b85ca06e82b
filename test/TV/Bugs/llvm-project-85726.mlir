// RUN: panpipe-tv --expect %s

// llvm/llvm-project#85726: a correct rewrite that looks wrong.

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @fa1(%arg0: index) -> index {
      %0 = affine.apply affine_map<()[s0] -> ((s0 mod 32) * 64)>()[%arg0]
      return %0 : index
    }
  }
  module @tgt {
    func.func @fa1(%arg0: index) -> index {
      %0 = affine.apply affine_map<()[s0] -> (s0 * 64 - (s0 floordiv 32) * 2048)>()[%arg0]
      return %0 : index
    }
  }
}
