// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2xi32>) -> vector<4xi16> {
      %s = vector.bitcast %x : vector<2xi32> to vector<4xi16>
      return %s : vector<4xi16>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xi32>) -> vector<4xi16> {
      %l = arith.trunci %x : vector<2xi32> to vector<2xi16>
      %c = arith.constant dense<16> : vector<2xi32>
      %h = arith.shrui %x, %c : vector<2xi32>
      %t = arith.trunci %h : vector<2xi32> to vector<2xi16>
      %s = vector.interleave %l, %t : vector<2xi16> -> vector<4xi16>
      return %s : vector<4xi16>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<2xi32>) -> vector<4xi16> {
      %s = vector.bitcast %x : vector<2xi32> to vector<4xi16>
      return %s : vector<4xi16>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xi32>) -> vector<4xi16> {
      %l = arith.trunci %x : vector<2xi32> to vector<2xi16>
      %c = arith.constant dense<16> : vector<2xi32>
      %h = arith.shrui %x, %c : vector<2xi32>
      %t = arith.trunci %h : vector<2xi32> to vector<2xi16>
      %s = vector.interleave %t, %l : vector<2xi16> -> vector<4xi16>
      return %s : vector<4xi16>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<4xi8>) -> vector<1xi32> {
      %a = vector.bitcast %x : vector<4xi8> to vector<2xi16>
      %s = vector.bitcast %a : vector<2xi16> to vector<1xi32>
      return %s : vector<1xi32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<4xi8>) -> vector<1xi32> {
      %s = vector.bitcast %x : vector<4xi8> to vector<1xi32>
      return %s : vector<1xi32>
    }
  }
}
