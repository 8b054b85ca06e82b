// RUN: panpipe-tv --expect %s

// The weakest classes of assumptions that a proof needs, each with a twin that
// needs more, or that nothing saves.

// nsz.
module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["nsz"]} {
  module @src {
    func.func @zero(%a: f32) -> f32 {
      %z = arith.constant 0.0 : f32
      %r = arith.addf %a, %z : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @zero(%a: f32) -> f32 {
      return %a : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID", tv.allow = ["nsz"]} {
  module @src {
    func.func @zero(%a: f32) -> f32 {
      %z = arith.constant 1.0 : f32
      %r = arith.addf %a, %z : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @zero(%a: f32) -> f32 {
      return %a : f32
    }
  }
}

// -----

// contract.
module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["contract"]} {
  module @src {
    func.func @fused(%a: f32, %b: f32, %c: f32) -> f32 {
      %m = arith.mulf %a, %b : f32
      %r = arith.addf %m, %c : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @fused(%a: f32, %b: f32, %c: f32) -> f32 {
      %r = math.fma %a, %b, %c : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID", tv.allow = ["contract"]} {
  module @src {
    func.func @fused(%a: f32, %b: f32, %c: f32) -> f32 {
      %m = arith.mulf %a, %b : f32
      %r = arith.subf %m, %c : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @fused(%a: f32, %b: f32, %c: f32) -> f32 {
      %r = math.fma %a, %b, %c : f32
      return %r : f32
    }
  }
}

// -----

// reassoc, on one of two sums: the report names its line.
module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["reassoc"]} {
  module @src {
    func.func @one(%x: tensor<3x5xf32>, %i: tensor<3xf32>, %j: tensor<5xf32>) -> (tensor<3xf32>, tensor<5xf32>) {
      %r = linalg.reduce { arith.addf } ins(%x : tensor<3x5xf32>) outs(%i : tensor<3xf32>) dimensions = [1]
      %s = linalg.reduce { arith.addf } ins(%x : tensor<3x5xf32>) outs(%j : tensor<5xf32>) dimensions = [0]
      return %r, %s : tensor<3xf32>, tensor<5xf32>
    }
  }
  module @tgt {
    func.func @one(%x: tensor<3x5xf32>, %i: tensor<3xf32>, %j: tensor<5xf32>) -> (tensor<3xf32>, tensor<5xf32>) {
      %r = linalg.reduce { arith.addf } ins(%x : tensor<3x5xf32>) outs(%i : tensor<3xf32>) dimensions = [1]
      %e = tensor.empty() : tensor<3x5xf32>
      %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x5xf32>) {
      ^bb0(%o: f32):
        %two = arith.constant 2 : index
        %k = linalg.index 0 : index
        %l = linalg.index 1 : index
        %m = arith.subi %two, %k : index
        %v = tensor.extract %x[%m, %l] : tensor<3x5xf32>
        linalg.yield %v : f32
      } -> tensor<3x5xf32>
      %s = linalg.reduce { arith.addf } ins(%y : tensor<3x5xf32>) outs(%j : tensor<5xf32>) dimensions = [0]
      return %r, %s : tensor<3xf32>, tensor<5xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID", tv.allow = ["reassoc"]} {
  module @src {
    func.func @one(%x: tensor<3x5xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.reduce { arith.addf } ins(%x : tensor<3x5xf32>) outs(%i : tensor<3xf32>) dimensions = [1]
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @one(%x: tensor<3x5xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
      %y = tensor.extract_slice %x[0, 1] [3, 4] [1, 1] : tensor<3x5xf32> to tensor<3x4xf32>
      %r = linalg.reduce { arith.addf } ins(%y : tensor<3x4xf32>) outs(%i : tensor<3xf32>) dimensions = [1]
      return %r : tensor<3xf32>
    }
  }
}

// -----

// finite: a NaN must not come through.
module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["finite"]} {
  module @src {
    func.func @max(%a: f32, %b: f32) -> f32 {
      %r = arith.maxnumf %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @max(%a: f32, %b: f32) -> f32 {
      %r = arith.maximumf %a, %b : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID", tv.allow = ["nsz", "finite"]} {
  module @src {
    func.func @max(%a: f32, %b: f32) -> f32 {
      %r = arith.maximumf %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @max(%a: f32, %b: f32) -> f32 {
      %r = arith.minnumf %a, %b : f32
      return %r : f32
    }
  }
}
