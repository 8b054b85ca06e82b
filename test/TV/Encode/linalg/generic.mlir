// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
      %e = tensor.empty() : tensor<3xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
        ^bb0(%a: f32, %b: f32, %o: f32):
          %s = arith.addf %a, %b : f32
          linalg.yield %s : f32
        } -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
      %e = tensor.empty() : tensor<3xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
        ^bb0(%a: f32, %b: f32, %o: f32):
          %s = arith.addf %b, %a : f32
          linalg.yield %s : f32
        } -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
      %e = tensor.empty() : tensor<3xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
        ^bb0(%a: f32, %b: f32, %o: f32):
          %s = arith.subf %a, %b : f32
          linalg.yield %s : f32
        } -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
      %e = tensor.empty() : tensor<3xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
        ^bb0(%a: f32, %b: f32, %o: f32):
          %s = arith.subf %b, %a : f32
          linalg.yield %s : f32
        } -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
}

// -----

// Undefined behaviour in one element is enough.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<3xi8>) -> tensor<3xi8> {
      %r = arith.addi %x, %x : tensor<3xi8>
      return %r : tensor<3xi8>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3xi8>) -> tensor<3xi8> {
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<3xi8>) outs(%x : tensor<3xi8>) {
        ^bb0(%a: i8, %o: i8):
          %d = arith.divui %a, %a : i8
          %s = arith.addi %a, %a : i8
          linalg.yield %s : i8
        } -> tensor<3xi8>
      return %r : tensor<3xi8>
    }
  }
}

// -----

// The sum starts from what outs holds.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<f32> {
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%c : tensor<f32>) {
        ^bb0(%a: f32, %o: f32):
          %s = arith.addf %o, %a : f32
          linalg.yield %s : f32
        } -> tensor<f32>
      return %r : tensor<f32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<f32> {
      %z = arith.constant dense<0.0> : tensor<f32>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%z : tensor<f32>) {
        ^bb0(%a: f32, %o: f32):
          %s = arith.addf %o, %a : f32
          linalg.yield %s : f32
        } -> tensor<f32>
      return %r : tensor<f32>
    }
  }
}

// -----

// A step that is no simple fold: equal steps.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<f32> {
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%c : tensor<f32>) {
        ^bb0(%a: f32, %o: f32):
          %m = arith.mulf %o, %a : f32
          %s = arith.addf %o, %m : f32
          linalg.yield %s : f32
        } -> tensor<f32>
      return %r : tensor<f32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<f32> {
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%c : tensor<f32>) {
        ^bb0(%a: f32, %o: f32):
          %m = arith.mulf %a, %o : f32
          %s = arith.addf %m, %o : f32
          linalg.yield %s : f32
        } -> tensor<f32>
      return %r : tensor<f32>
    }
  }
}

// -----

// … and different ones.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<f32> {
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%c : tensor<f32>) {
        ^bb0(%a: f32, %o: f32):
          %m = arith.mulf %o, %a : f32
          %s = arith.addf %o, %m : f32
          linalg.yield %s : f32
        } -> tensor<f32>
      return %r : tensor<f32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<f32> {
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%c : tensor<f32>) {
        ^bb0(%a: f32, %o: f32):
          %m = arith.mulf %a, %o : f32
          %s = arith.addf %m, %a : f32
          linalg.yield %s : f32
        } -> tensor<f32>
      return %r : tensor<f32>
    }
  }
}
