// RUN: panpipe-tv --expect %s

// deepspeedai/DeepSpeed#3900: a correct rewrite that looks wrong.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @slot(%x: tensor<2xi32>) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = tensor.extract %x[%c0] : tensor<2xi32>
      %b = tensor.extract %x[%c1] : tensor<2xi32>
      %p = arith.muli %a, %a : i32
      %q = arith.muli %b, %b : i32
      %r = arith.addi %p, %q : i32
      return %r : i32
    }
  }
  module @tgt {
    func.func @slot(%x: tensor<2xi32>) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = memref.alloc() : memref<1xi32>
      %a = tensor.extract %x[%c0] : tensor<2xi32>
      memref.store %a, %m[%c0] : memref<1xi32>
      %b = tensor.extract %x[%c1] : tensor<2xi32>
      memref.store %b, %m[%c0] : memref<1xi32>
      %u = memref.load %m[%c0] : memref<1xi32>
      %p = arith.muli %u, %u : i32
      %v = memref.load %m[%c0] : memref<1xi32>
      %q = arith.muli %v, %v : i32
      %r = arith.addi %p, %q : i32
      memref.dealloc %m : memref<1xi32>
      return %r : i32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @slot(%x: tensor<2xi32>) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = tensor.extract %x[%c0] : tensor<2xi32>
      %b = tensor.extract %x[%c1] : tensor<2xi32>
      %p = arith.muli %a, %a : i32
      %q = arith.muli %b, %b : i32
      %r = arith.addi %p, %q : i32
      return %r : i32
    }
  }
  module @tgt {
    func.func @slot(%x: tensor<2xi32>) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = memref.alloc() : memref<2xi32>
      %a = tensor.extract %x[%c0] : tensor<2xi32>
      memref.store %a, %m[%c0] : memref<2xi32>
      %b = tensor.extract %x[%c1] : tensor<2xi32>
      memref.store %b, %m[%c1] : memref<2xi32>
      %u = memref.load %m[%c0] : memref<2xi32>
      %p = arith.muli %u, %u : i32
      %v = memref.load %m[%c1] : memref<2xi32>
      %q = arith.muli %v, %v : i32
      %r = arith.addi %p, %q : i32
      memref.dealloc %m : memref<2xi32>
      return %r : i32
    }
  }
}
