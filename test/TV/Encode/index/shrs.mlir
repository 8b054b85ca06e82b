// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.shrs %a, %b
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> index {
      %r = arith.shrsi %a, %b : index
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.shrs %a, %b
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> index {
      %r = arith.shrui %a, %b : index
      return %r : index
    }
  }
}

// -----

// A shift by the width is poison.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: index) -> index {
      %c = index.constant 64
      %d = index.shrs %a, %c
      return %d : index
    }
  }
  module @tgt {
    func.func @f(%a: index) -> index {
      return %a : index
    }
  }
}
