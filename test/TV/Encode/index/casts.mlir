// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i32) -> index {
      %r = index.casts %a : i32 to index
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: i32) -> index {
      %r = arith.index_cast %a : i32 to index
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i32) -> index {
      %r = index.casts %a : i32 to index
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: i32) -> index {
      %r = index.castu %a : i32 to index
      return %r : index
    }
  }
}
