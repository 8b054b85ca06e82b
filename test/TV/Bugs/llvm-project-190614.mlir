// RUN: panpipe-tv --expect %s

// A broadcast through a shape_cast stretched where it had to repeat.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @bc(%x: vector<2x1xi32>) -> vector<2x2xi32> {
      %b = vector.broadcast %x : vector<2x1xi32> to vector<2x2x1xi32>
      %s = vector.shape_cast %b : vector<2x2x1xi32> to vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
  module @tgt {
    func.func @bc(%x: vector<2x1xi32>) -> vector<2x2xi32> {
      %s = vector.broadcast %x : vector<2x1xi32> to vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @bc(%x: vector<2x1xi32>) -> vector<2x2xi32> {
      %b = vector.broadcast %x : vector<2x1xi32> to vector<2x2x1xi32>
      %s = vector.shape_cast %b : vector<2x2x1xi32> to vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
  module @tgt {
    func.func @bc(%x: vector<2x1xi32>) -> vector<2x2xi32> {
      %r = vector.shape_cast %x : vector<2x1xi32> to vector<2xi32>
      %s = vector.broadcast %r : vector<2xi32> to vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
}
