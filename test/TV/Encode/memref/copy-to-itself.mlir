// RUN: panpipe-tv --expect %s

// A copy of a buffer onto itself changes nothing, but it is an access. The
// constant is one that no execution tries: the proof has to fail.

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: i64, %y: f32) -> f32 {
      %k = arith.constant 81985529216486895 : i64
      %c = arith.cmpi eq, %x, %k : i64
      %a = memref.alloc() : memref<4xf32>
      scf.if %c {
      }
      return %y : f32
    }
  }
  module @tgt {
    func.func @f(%x: i64, %y: f32) -> f32 {
      %k = arith.constant 81985529216486895 : i64
      %c = arith.cmpi eq, %x, %k : i64
      %a = memref.alloc() : memref<4xf32>
      scf.if %c {
        memref.copy %a, %a : memref<4xf32> to memref<4xf32>
      }
      return %y : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: i64, %y: f32) -> f32 {
      %k = arith.constant 81985529216486895 : i64
      %c = arith.cmpi eq, %x, %k : i64
      %a = memref.alloc() : memref<4xf32>
      memref.dealloc %a : memref<4xf32>
      scf.if %c {
      }
      return %y : f32
    }
  }
  module @tgt {
    func.func @f(%x: i64, %y: f32) -> f32 {
      %k = arith.constant 81985529216486895 : i64
      %c = arith.cmpi eq, %x, %k : i64
      %a = memref.alloc() : memref<4xf32>
      memref.dealloc %a : memref<4xf32>
      scf.if %c {
        memref.copy %a, %a : memref<4xf32> to memref<4xf32>
      }
      return %y : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    memref.global "private" constant @g : memref<4xf32> = dense<1.0>
    func.func @f(%x: i64, %y: f32) -> f32 {
      %k = arith.constant 81985529216486895 : i64
      %c = arith.cmpi eq, %x, %k : i64
      %a = memref.get_global @g : memref<4xf32>
      scf.if %c {
      }
      return %y : f32
    }
  }
  module @tgt {
    memref.global "private" constant @g : memref<4xf32> = dense<1.0>
    func.func @f(%x: i64, %y: f32) -> f32 {
      %k = arith.constant 81985529216486895 : i64
      %c = arith.cmpi eq, %x, %k : i64
      %a = memref.get_global @g : memref<4xf32>
      scf.if %c {
        memref.copy %a, %a : memref<4xf32> to memref<4xf32>
      }
      return %y : f32
    }
  }
}
