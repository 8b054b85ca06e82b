// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i1 {
      %r = arith.cmpi slt, %a, %b : i8
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i1 {
      %r = arith.cmpi sgt, %b, %a : i8
      return %r : i1
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i1 {
      %r = arith.cmpi slt, %a, %b : i8
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i1 {
      %r = arith.cmpi sge, %b, %a : i8
      return %r : i1
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i1 {
      %r = arith.cmpi ult, %a, %b : i8
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i1 {
      %r = arith.cmpi slt, %a, %b : i8
      return %r : i1
    }
  }
}

// -----

// On index values.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> i1 {
      %r = arith.cmpi slt, %a, %b : index
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> i1 {
      %r = arith.cmpi sgt, %b, %a : index
      return %r : i1
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> i1 {
      %r = arith.cmpi slt, %a, %b : index
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> i1 {
      %c = arith.constant 1 : index
      %x = arith.addi %a, %c : index
      %r = arith.cmpi sle, %x, %b : index
      return %r : i1
    }
  }
}
