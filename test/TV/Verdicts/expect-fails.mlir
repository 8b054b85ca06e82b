// What --expect must notice.
// RUN: not panpipe-tv --expect %s | FileCheck %s

// CHECK: expect-fails.mlir:[[#@LINE+2]]: error: expected VALID, got INVALID
// CHECK: expect-fails.mlir:[[#@LINE+1]]: error: the report does not say "no such words"
module attributes {tv.expect = "VALID", tv.reason = "no such words"} {
  module @src { func.func @f(%x: i8) -> i8 { return %x : i8 } }
  module @tgt { func.func @f(%x: i8) -> i8 {
    %0 = arith.constant 0 : i8
    return %0 : i8
  } }
}

// -----
// CHECK: expect-fails.mlir:[[#@LINE+1]]: error: expected an attribute tv.expect
module {
  module @src { func.func @f(%x: i8) -> i8 { return %x : i8 } }
  module @tgt { func.func @f(%x: i8) -> i8 { return %x : i8 } }
}

// -----
// CHECK: expect-fails.mlir:[[#@LINE+1]]: error: expected modules @src and @tgt
module attributes {tv.expect = "VALID"} {
}
