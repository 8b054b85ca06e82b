// RUN: panpipe-tv --expect %s

// Proved.
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src { func.func @f(%x: i32) -> i32 {
    %two = arith.constant 2 : i32
    %0 = arith.muli %x, %two : i32
    return %0 : i32
  } }
  module @tgt { func.func @f(%x: i32) -> i32 {
    %0 = arith.addi %x, %x : i32
    return %0 : i32
  } }
}

// -----
// Vacuously.
module attributes {tv.expect = "VALID", tv.reflexive = false} {
  module @src { func.func @f(%x: i32) -> i32 {
    %zero = arith.constant 0 : i32
    %0 = arith.divui %x, %zero : i32
    return %0 : i32
  } }
  module @tgt { func.func @f(%x: i32) -> i32 { return %x : i32 } }
}

// -----
// Refuted: undefined behaviour that the source does not have.
module attributes {tv.expect = "INVALID", tv.reason = "the target is undefined where the source is not: division by zero ('arith.divui', line 32)"} {
  module @src { func.func @f(%x: i32, %y: i32) -> i32 { return %x : i32 } }
  module @tgt { func.func @f(%x: i32, %y: i32) -> i32 {
    %0 = arith.divui %x, %y : i32
    return %x : i32
  } }
}

// -----
// Refuted: poison that the source does not have.
module attributes {tv.expect = "INVALID", tv.reason = "target poison"} {
  module @src { func.func @f(%x: i8) -> i8 {
    %0 = arith.addi %x, %x : i8
    return %0 : i8
  } }
  module @tgt { func.func @f(%x: i8) -> i8 {
    %0 = arith.addi %x, %x overflow<nsw> : i8
    return %0 : i8
  } }
}

// -----
// Refuted: contents of tensor.empty that reach the result.
module attributes {tv.expect = "INVALID"} {
  module @src { func.func @f() -> tensor<2xi32> {
    %0 = arith.constant dense<17> : tensor<2xi32>
    return %0 : tensor<2xi32>
  } }
  module @tgt { func.func @f() -> tensor<2xi32> {
    %0 = tensor.empty() : tensor<2xi32>
    return %0 : tensor<2xi32>
  } }
}

// -----
// Refuted: sizes.
module attributes {tv.expect = "INVALID", tv.reason = "has shape"} {
  module @src { func.func @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> { return %x : tensor<?x?xf32> } }
  module @tgt { func.func @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = tensor.dim %x, %c0 : tensor<?x?xf32>
    %1 = tensor.dim %x, %c1 : tensor<?x?xf32>
    %e = tensor.empty(%1, %0) : tensor<?x?xf32>
    %t = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
    return %t : tensor<?x?xf32>
  } }
}

// -----
// Proved, but only if the order of a sum does not matter.
module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["reassoc"]} {
  module @src { func.func @f(%x: f32, %y: f32, %z: f32) -> f32 {
    %0 = arith.addf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    return %1 : f32
  } }
  module @tgt { func.func @f(%x: f32, %y: f32, %z: f32) -> f32 {
    %0 = arith.addf %y, %z : f32
    %1 = arith.addf %x, %0 : f32
    return %1 : f32
  } }
}

// -----
// The caller allows it.
module attributes {tv.expect = "VALID", tv.allow = ["reassoc"], tv.assumes = ["reassoc"]} {
  module @src { func.func @f(%x: f32, %y: f32, %z: f32) -> f32 {
    %0 = arith.addf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    return %1 : f32
  } }
  module @tgt { func.func @f(%x: f32, %y: f32, %z: f32) -> f32 {
    %0 = arith.addf %y, %z : f32
    %1 = arith.addf %x, %0 : f32
    return %1 : f32
  } }
}

// -----
// True or false depends on the library's exp: nobody can execute a difference.
module attributes {tv.expect = "UNCONFIRMED", tv.reflexive = false} {
  module @src { func.func @f(%x: f32) -> f32 {
    %c = arith.constant 1.0 : f32
    %0 = math.exp %c : f32
    return %0 : f32
  } }
  module @tgt { func.func @f(%x: f32) -> f32 {
    %0 = arith.constant 2.71828175 : f32
    return %0 : f32
  } }
}

// -----
// No encoding: the operation and its line are named.
module attributes {tv.expect = "UNSUPPORTED", tv.reason = "foo.bar"} {
  module @src { func.func @f(%x: i32) -> i32 {
    %0 = "foo.bar"(%x) : (i32) -> i32
    return %0 : i32
  } }
  module @tgt { func.func @f(%x: i32) -> i32 {
    %0 = "foo.bar"(%x) : (i32) -> i32
    return %0 : i32
  } }
}

// -----
// Unsupported does not hide a difference in another function.
module attributes {tv.expect = "INVALID", tv.reflexive = false} {
  module @src {
    func.func @f(%x: i32) -> i32 {
      %0 = "foo.bar"(%x) : (i32) -> i32
      return %0 : i32
    }
    func.func @g(%x: i32) -> i32 { return %x : i32 }
  }
  module @tgt {
    func.func @f(%x: i32) -> i32 {
      %0 = "foo.bar"(%x) : (i32) -> i32
      return %0 : i32
    }
    func.func @g(%x: i32) -> i32 {
      %0 = arith.constant 0 : i32
      return %0 : i32
    }
  }
}

// -----
module attributes {tv.expect = "BAD-INPUT", tv.reason = "the signature changed"} {
  module @src { func.func @f(%x: i32) -> i32 { return %x : i32 } }
  module @tgt { func.func @f(%x: i32, %y: i32) -> i32 { return %x : i32 } }
}

// -----
// No time at all.
module attributes {tv.expect = "TIMEOUT", tv.seconds = 0.000001} {
  module @src { func.func @f(%x: i64, %y: i64) -> i64 {
    %0 = arith.muli %x, %y : i64
    %1 = arith.muli %0, %0 : i64
    %2 = arith.remui %1, %1 : i64
    return %2 : i64
  } }
  module @tgt { func.func @f(%x: i64, %y: i64) -> i64 {
    %0 = arith.muli %y, %x : i64
    %1 = arith.muli %0, %0 : i64
    %2 = arith.remui %1, %1 : i64
    %3 = arith.muli %2, %1 : i64
    return %3 : i64
  } }
}
