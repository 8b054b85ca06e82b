// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i32) -> i32 {
      %r = index.castu %a : i32 to index
      %s = index.casts %r : index to i32
      return %s : i32
    }
  }
  module @tgt {
    func.func @f(%a: i32) -> i32 {
      return %a : i32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i64) -> i64 {
      return %a : i64
    }
  }
  module @tgt {
    func.func @f(%a: i64) -> i64 {
      %r = arith.trunci %a : i64 to i32
      %s = index.castu %r : i32 to index
      %t = index.casts %s : index to i64
      return %t : i64
    }
  }
}
