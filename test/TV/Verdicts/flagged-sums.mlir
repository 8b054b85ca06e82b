// RUN: panpipe-tv --expect %s

// Sums of many terms with flags: any tree over the same terms will do,
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %g: f32) -> f32 {
      %s0 = arith.addf %a, %b fastmath<reassoc> : f32
      %s1 = arith.addf %s0, %c fastmath<reassoc> : f32
      %s2 = arith.addf %s1, %d fastmath<reassoc> : f32
      %s3 = arith.addf %s2, %e fastmath<reassoc> : f32
      %s4 = arith.addf %s3, %g fastmath<reassoc> : f32
      return %s4 : f32
    }
  }
  module @tgt {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %g: f32) -> f32 {
      %p = arith.addf %g, %b : f32
      %q = arith.addf %a, %e : f32
      %r = arith.addf %d, %c : f32
      %s = arith.addf %p, %q : f32
      %t = arith.addf %r, %s : f32
      return %t : f32
    }
  }
}

// -----

// whether the target's has flags
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %g: f32) -> f32 {
      %s0 = arith.addf %a, %b fastmath<reassoc> : f32
      %s1 = arith.addf %s0, %c fastmath<reassoc> : f32
      %s2 = arith.addf %s1, %d fastmath<reassoc> : f32
      %s3 = arith.addf %s2, %e fastmath<reassoc> : f32
      %s4 = arith.addf %s3, %g fastmath<reassoc> : f32
      return %s4 : f32
    }
  }
  module @tgt {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %g: f32) -> f32 {
      %p = arith.addf %g, %b fastmath<reassoc> : f32
      %q = arith.addf %a, %e fastmath<reassoc> : f32
      %r = arith.addf %d, %c fastmath<reassoc> : f32
      %s = arith.addf %p, %q fastmath<reassoc> : f32
      %t = arith.addf %r, %s fastmath<reassoc> : f32
      return %t : f32
    }
  }
}

// -----

// or not.
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %g: f32) -> f32 {
      %s0 = arith.addf %a, %b fastmath<reassoc> : f32
      %s1 = arith.addf %s0, %c fastmath<reassoc> : f32
      %s2 = arith.addf %s1, %d fastmath<reassoc> : f32
      %s3 = arith.addf %s2, %e fastmath<reassoc> : f32
      %s4 = arith.addf %s3, %g fastmath<reassoc> : f32
      return %s4 : f32
    }
  }
  module @tgt {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %g: f32) -> f32 {
      %s0 = arith.addf %a, %b : f32
      %s1 = arith.addf %s0, %c : f32
      %s2 = arith.addf %s1, %d : f32
      %s3 = arith.addf %s2, %e : f32
      %s4 = arith.addf %s3, %g : f32
      return %s4 : f32
    }
  }
}

// -----

// Other terms will not,
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %g: f32) -> f32 {
      %s0 = arith.addf %a, %b fastmath<reassoc> : f32
      %s1 = arith.addf %s0, %c fastmath<reassoc> : f32
      %s2 = arith.addf %s1, %d fastmath<reassoc> : f32
      %s3 = arith.addf %s2, %e fastmath<reassoc> : f32
      %s4 = arith.addf %s3, %g fastmath<reassoc> : f32
      return %s4 : f32
    }
  }
  module @tgt {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %g: f32) -> f32 {
      %p = arith.addf %g, %b : f32
      %q = arith.addf %a, %e : f32
      %r = arith.addf %d, %d : f32
      %s = arith.addf %p, %q : f32
      %t = arith.addf %r, %s : f32
      return %t : f32
    }
  }
}

// -----

// nor flags that the source does not have,
module attributes {tv.expect = "UNSUPPORTED"} {
  module @src {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %g: f32) -> f32 {
      %s0 = arith.addf %a, %b fastmath<reassoc> : f32
      %s1 = arith.addf %s0, %c fastmath<reassoc> : f32
      %s2 = arith.addf %s1, %d fastmath<reassoc> : f32
      %s3 = arith.addf %s2, %e fastmath<reassoc> : f32
      %s4 = arith.addf %s3, %g fastmath<reassoc> : f32
      return %s4 : f32
    }
  }
  module @tgt {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %g: f32) -> f32 {
      %p = arith.addf %g, %b fastmath<reassoc,nsz> : f32
      %q = arith.addf %a, %e fastmath<reassoc,nsz> : f32
      %r = arith.addf %d, %c fastmath<reassoc,nsz> : f32
      %s = arith.addf %p, %q fastmath<reassoc,nsz> : f32
      %t = arith.addf %r, %s fastmath<reassoc,nsz> : f32
      return %t : f32
    }
  }
}

// -----

// nor trees without flags of the source.
module attributes {tv.expect = "VALID", tv.allow = ["reassoc"], tv.assumes = ["reassoc"]} {
  module @src {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32) -> f32 {
      %s0 = arith.addf %a, %b : f32
      %s1 = arith.addf %s0, %c : f32
      %s2 = arith.addf %s1, %d : f32
      %s3 = arith.addf %s2, %e : f32
      return %s3 : f32
    }
  }
  module @tgt {
    func.func @sum(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32) -> f32 {
      %q = arith.addf %a, %e : f32
      %r = arith.addf %d, %c : f32
      %s = arith.addf %b, %q : f32
      %t = arith.addf %r, %s : f32
      return %t : f32
    }
  }
}

// -----

// Sums over a dimension.
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @rows(%x: tensor<3x?xf32>, %y: tensor<3x?xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<3x?xf32>) outs(%i : tensor<3xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a fastmath<reassoc> : f32
        linalg.yield %s : f32
      } -> tensor<3xf32>
      %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%y : tensor<3x?xf32>) outs(%r : tensor<3xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a fastmath<reassoc> : f32
        linalg.yield %s : f32
      } -> tensor<3xf32>
      return %t : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @rows(%x: tensor<3x?xf32>, %y: tensor<3x?xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%y : tensor<3x?xf32>) outs(%i : tensor<3xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a : f32
        linalg.yield %s : f32
      } -> tensor<3xf32>
      %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<3x?xf32>) outs(%r : tensor<3xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a : f32
        linalg.yield %s : f32
      } -> tensor<3xf32>
      return %t : tensor<3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @rows(%x: tensor<3x?xf32>, %y: tensor<3x?xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<3x?xf32>) outs(%i : tensor<3xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a fastmath<reassoc> : f32
        linalg.yield %s : f32
      } -> tensor<3xf32>
      %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%y : tensor<3x?xf32>) outs(%r : tensor<3xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a fastmath<reassoc> : f32
        linalg.yield %s : f32
      } -> tensor<3xf32>
      return %t : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @rows(%x: tensor<3x?xf32>, %y: tensor<3x?xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%y : tensor<3x?xf32>) outs(%i : tensor<3xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a : f32
        linalg.yield %s : f32
      } -> tensor<3xf32>
      %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%y : tensor<3x?xf32>) outs(%r : tensor<3xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a : f32
        linalg.yield %s : f32
      } -> tensor<3xf32>
      return %t : tensor<3xf32>
    }
  }
}
