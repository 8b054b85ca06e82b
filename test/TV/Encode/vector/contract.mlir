// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2x3xi32>, %y: vector<3x2xi32>, %z: vector<2x2xi32>) -> vector<2x2xi32> {
      %s = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %x, %y, %z : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x3xi32>, %y: vector<3x2xi32>, %z: vector<2x2xi32>) -> vector<2x2xi32> {
      %t = vector.transpose %y, [1, 0] : vector<3x2xi32> to vector<2x3xi32>
      %s = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %t, %x, %z : vector<2x3xi32>, vector<2x3xi32> into vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<2x3xi32>, %y: vector<3x2xi32>, %z: vector<2x2xi32>) -> vector<2x2xi32> {
      %s = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %x, %y, %z : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x3xi32>, %y: vector<3x2xi32>, %z: vector<2x2xi32>) -> vector<2x2xi32> {
      %t = vector.shape_cast %y : vector<3x2xi32> to vector<2x3xi32>
      %s = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %t, %x, %z : vector<2x3xi32>, vector<2x3xi32> into vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
}

// -----

// Narrow operands are sign-extended.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2xi8>, %y: vector<2xi8>, %z: i32) -> i32 {
      %s = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} %x, %y, %z : vector<2xi8>, vector<2xi8> into i32
      return %s : i32
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xi8>, %y: vector<2xi8>, %z: i32) -> i32 {
      %a = arith.extsi %x : vector<2xi8> to vector<2xi32>
      %b = arith.extsi %y : vector<2xi8> to vector<2xi32>
      %p = arith.muli %a, %b : vector<2xi32>
      %s = vector.reduction <add>, %p, %z : vector<2xi32> into i32
      return %s : i32
    }
  }
}
