// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<3xi32>, %z: vector<i32>) -> (vector<3xi32>, vector<i32>) {
      %s:2 = vector.scan <add>, %x, %z {inclusive = false, reduction_dim = 0} : vector<3xi32>, vector<i32>
      return %s#0, %s#1 : vector<3xi32>, vector<i32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<3xi32>, %z: vector<i32>) -> (vector<3xi32>, vector<i32>) {
      %e:3 = vector.to_elements %x : vector<3xi32>
      %a = vector.extract %z[] : i32 from vector<i32>
      %b = arith.addi %a, %e#0 : i32
      %c = arith.addi %b, %e#1 : i32
      %s = vector.from_elements %a, %b, %c : vector<3xi32>
      %t = vector.broadcast %c : i32 to vector<i32>
      return %s, %t : vector<3xi32>, vector<i32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<3xi32>, %z: vector<i32>) -> (vector<3xi32>, vector<i32>) {
      %s:2 = vector.scan <add>, %x, %z {inclusive = false, reduction_dim = 0} : vector<3xi32>, vector<i32>
      return %s#0, %s#1 : vector<3xi32>, vector<i32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<3xi32>, %z: vector<i32>) -> (vector<3xi32>, vector<i32>) {
      %s:2 = vector.scan <add>, %x, %z {inclusive = true, reduction_dim = 0} : vector<3xi32>, vector<i32>
      return %s#0, %s#1 : vector<3xi32>, vector<i32>
    }
  }
}
