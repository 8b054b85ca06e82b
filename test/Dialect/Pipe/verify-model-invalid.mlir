// RUN: panpipe-opt %s --pipe-verify-model --split-input-file --verify-diagnostics

// expected-error @below {{the module does not say its level: expected the attribute panpipe.level = "model"}}
module {
}

// -----

// expected-error @below {{expected a module of level "model", but panpipe.level is "staged"}}
module attributes {panpipe.level = "staged"} {
}

// -----

// expected-error @below {{the module has no func.func @main}}
module attributes {panpipe.level = "model"} {
}

// -----

module attributes {panpipe.level = "model"} {
  // expected-error @below {{argument 0 of @main needs a name: either panpipe.input or panpipe.param}}
  func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32> {panpipe.output = "y"}) {
    return %x : tensor<2xf32>
  }
}

// -----

module attributes {panpipe.level = "model"} {
  // expected-error @below {{argument 1 of @main is input "x" after a parameter: inputs come first}}
  func.func @main(%w: tensor<2xf32> {panpipe.param = "w"}, %x: tensor<2xf32> {panpipe.input = "x"}) {
    return
  }
}

// -----

module attributes {panpipe.level = "model"} {
  // expected-error @below {{argument 1 of @main is named "x", as an earlier one is}}
  func.func @main(%w: tensor<2xf32> {panpipe.input = "x"}, %x: tensor<2xf32> {panpipe.input = "x"}) {
    return
  }
}

// -----

module attributes {panpipe.level = "model"} {
  // expected-error @below {{argument 0 of @main is 'tensor<?xf32>': expected a ranked tensor of static shape}}
  func.func @main(%x: tensor<?xf32> {panpipe.input = "x"}) {
    return
  }
}

// -----

module attributes {panpipe.level = "model"} {
  // expected-error @below {{result 0 of @main needs a name: panpipe.output}}
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
}

// -----

module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) {
    return
  }
  // expected-error @below {{function @f is neither @main nor a composite: it needs the attribute panpipe.composite}}
  func.func private @f(%x: tensor<2xf32>) {
    return
  }
}

// -----

module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) {
    return
  }
  // expected-error @below {{composite @f needs a body of one block: the body is its meaning}}
  func.func private @f(tensor<2xf32>) attributes {panpipe.composite = "relu"}
}

// -----

module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) {
    return
  }
  // expected-error @below {{panpipe.attrs of composite @f must be a dictionary, but is 3 : i64}}
  func.func private @f() attributes {panpipe.composite = "relu", panpipe.attrs = 3 : i64} {
    return
  }
}

// -----

module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) {
    call @f(%x) : (tensor<2xf32>) -> ()
    return
  }
  // expected-error @below {{composite @f calls itself, directly or not}}
  func.func private @f(%x: tensor<2xf32>) attributes {panpipe.composite = "f"} {
    call @g(%x) : (tensor<2xf32>) -> ()
    return
  }
  func.func private @g(%x: tensor<2xf32>) attributes {panpipe.composite = "g"} {
    call @f(%x) : (tensor<2xf32>) -> ()
    return
  }
}

// -----

module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) {
    %m = memref.alloc() : memref<2xf32> // expected-error {{has an effect, but a model is a function of tensors}}
    return
  }
}

// -----

module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<2xf32> {panpipe.input = "x"}) {
    %0 = pipe.concat %x dim 0 : (tensor<2xf32>) -> tensor<2xf32> // expected-error {{cannot stand in a module of level model}}
    return
  }
}
