// RUN: panpipe-tv --expect %s

// A shift by minus one is poison, and `andi` with false does not hide it.

#id = affine_map<(d0) -> (d0)>
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @rsr(%x: tensor<2xi32>, %n: tensor<2xi32>) -> tensor<2xi32> {
      %r = tosa.arithmetic_right_shift %x, %n {round = true} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @rsr(%x: tensor<2xi32>, %n: tensor<2xi32>) -> tensor<2xi32> {
      %one = arith.constant 1 : i32
      %z = arith.constant 0 : i32
      %e = tensor.empty() : tensor<2xi32>
      %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %n : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>) {
      ^bb0(%a: i32, %b: i32, %o: i32):
        %s = arith.shrsi %a, %b : i32
        %g = arith.cmpi sgt, %b, %z : i32
        %d = arith.subi %b, %one : i32
        %h = arith.shrsi %a, %d : i32
        %t = arith.trunci %h : i32 to i1
        %u = arith.andi %g, %t : i1
        %w = arith.extui %u : i1 to i32
        %v = arith.addi %s, %w : i32
        linalg.yield %v : i32
      } -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
}

// -----

#id = affine_map<(d0) -> (d0)>
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @rsr(%x: tensor<2xi32>, %n: tensor<2xi32>) -> tensor<2xi32> {
      %r = tosa.arithmetic_right_shift %x, %n {round = true} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @rsr(%x: tensor<2xi32>, %n: tensor<2xi32>) -> tensor<2xi32> {
      %one = arith.constant 1 : i32
      %z = arith.constant 0 : i32
      %f = arith.constant false
      %e = tensor.empty() : tensor<2xi32>
      %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %n : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>) {
      ^bb0(%a: i32, %b: i32, %o: i32):
        %s = arith.shrsi %a, %b : i32
        %g = arith.cmpi sgt, %b, %z : i32
        %d = arith.subi %b, %one : i32
        %h = arith.shrsi %a, %d : i32
        %t = arith.trunci %h : i32 to i1
        %u = arith.select %g, %t, %f : i1
        %w = arith.extui %u : i1 to i32
        %v = arith.addi %s, %w : i32
        linalg.yield %v : i32
      } -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
}
