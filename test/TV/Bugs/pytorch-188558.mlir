// RUN: panpipe-tv --expect %s

// pytorch/pytorch#188558 (also #188763): a correct rewrite that looks wrong.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @probe(%buf: memref<1xi32>, %x: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %a = memref.load %buf[%c0] : memref<1xi32>
      %b = arith.addi %a, %x : i32
      memref.store %b, %buf[%c0] : memref<1xi32>
      return %b : i32
    }
  }
  module @tgt {
    func.func @probe(%buf: memref<1xi32>, %x: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %p = memref.load %buf[%c0] : memref<1xi32>
      %q = arith.addi %p, %x : i32
      memref.store %q, %buf[%c0] : memref<1xi32>
      %a = memref.load %buf[%c0] : memref<1xi32>
      %b = arith.addi %a, %x : i32
      memref.store %b, %buf[%c0] : memref<1xi32>
      return %b : i32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @probe(%buf: memref<1xi32>, %x: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %a = memref.load %buf[%c0] : memref<1xi32>
      %b = arith.addi %a, %x : i32
      memref.store %b, %buf[%c0] : memref<1xi32>
      return %b : i32
    }
  }
  module @tgt {
    func.func @probe(%buf: memref<1xi32>, %x: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %p = memref.load %buf[%c0] : memref<1xi32>
      %q = arith.addi %p, %x : i32
      memref.store %q, %buf[%c0] : memref<1xi32>
      memref.store %p, %buf[%c0] : memref<1xi32>
      %a = memref.load %buf[%c0] : memref<1xi32>
      %b = arith.addi %a, %x : i32
      memref.store %b, %buf[%c0] : memref<1xi32>
      return %b : i32
    }
  }
}
