// RUN: panpipe-tv --expect %s

// llvm/llvm-project#93199: loops with carried values, f32 compare.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @carry(%f: f32, %g: f32) -> (index, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %p = arith.cmpf ugt, %f, %g : f32
      %r:2 = scf.while (%i = %c0, %v = %c0) : (index, index) -> (index, index) {
        %k = arith.cmpi ult, %i, %c3 : index
        scf.condition(%k) %i, %v : index, index
      } do {
      ^bb0(%i: index, %v: index):
        %w = arith.select %p, %i, %v : index
        %j = arith.addi %i, %c1 : index
        scf.yield %j, %w : index, index
      }
      return %r#0, %r#1 : index, index
    }
  }
  module @tgt {
    func.func @carry(%f: f32, %g: f32) -> (index, index) {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      return %c3, %c0 : index, index
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @carry(%f: f32, %g: f32) -> (index, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %p = arith.cmpf ugt, %f, %g : f32
      %r:2 = scf.while (%i = %c0, %v = %c0) : (index, index) -> (index, index) {
        %k = arith.cmpi ult, %i, %c3 : index
        scf.condition(%k) %i, %v : index, index
      } do {
      ^bb0(%i: index, %v: index):
        %w = arith.select %p, %i, %v : index
        %j = arith.addi %i, %c1 : index
        scf.yield %j, %w : index, index
      }
      return %r#0, %r#1 : index, index
    }
  }
  module @tgt {
    func.func @carry(%f: f32, %g: f32) -> (index, index) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %p = arith.cmpf ugt, %f, %g : f32
      %w = arith.select %p, %c2, %c0 : index
      return %c3, %w : index, index
    }
  }
}
