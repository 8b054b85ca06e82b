// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> i1 {
      %r = index.cmp slt(%a, %b)
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> i1 {
      %r = index.cmp sgt(%b, %a)
      return %r : i1
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> i1 {
      %r = index.cmp slt(%a, %b)
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> i1 {
      %r = index.cmp ult(%a, %b)
      return %r : i1
    }
  }
}
