// RUN: panpipe-opt %s --pipe-partition --pipe-microbatch=count=2 --split-input-file --verify-diagnostics

// Options.
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition --pipe-microbatch=count=9 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: cannot cut a batch of 8 into 9 microbatches
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition --pipe-microbatch=sizes=4,3 2>&1 | FileCheck %s --check-prefix=SUM
// SUM: error: the microbatch sizes add up to 7, but the batch is 8
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition --pipe-microbatch=sizes=9,-1 2>&1 | FileCheck %s --check-prefix=SIGN
// SIGN: error: microbatch sizes must be positive, but one is -1
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition --pipe-microbatch="count=2 batch-dims=z:0" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: batch-dims: the model has no input "z"
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition --pipe-microbatch="batch-dims=z:0" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition --pipe-microbatch="count=2 batch-dims=x:2" 2>&1 | FileCheck %s --check-prefix=DIM
// DIM: error: batch-dims: input "x" is 'tensor<8x16xf32>' and has no dimension 2
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-partition --pipe-microbatch="count=2 batch-dims=x:none" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: the model has no input that could carry a batch
// RUN: not panpipe-opt %S/Inputs/mlp.mlir --pipe-microbatch=count=2 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: expected a module of level "staged", but panpipe.level is "model"

// Batch statistics, inside a composite.
module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}) -> (tensor<5xf32> {panpipe.output = "y"}) {
    // expected-note @below {{in the body of this 'mean.0'}}
    %0 = call @mean.0(%x) : (tensor<4x5xf32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
  func.func private @mean.0(%x: tensor<4x5xf32>) -> tensor<5xf32> attributes {panpipe.composite = "mean"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<5xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
    // expected-error @below {{cannot cut the batch at mean.0: 'linalg.reduce' reduces over the batch (loop 0)}}
    %0 = linalg.reduce ins(%x : tensor<4x5xf32>) outs(%f : tensor<5xf32>) dimensions = [0]
      (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      }
    return %0 : tensor<5xf32>
  }
}

// -----

// In-batch similarity: every sample with every other.
module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}) -> (tensor<4x4xf32> {panpipe.output = "y"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-error @below {{'linalg.matmul' combines samples of the batch with each other (loops 0 and 1)}}
    %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
        ins(%x, %x : tensor<4x5xf32>, tensor<4x5xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// -----

// Reversal of the batch.
module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}) -> (tensor<4x5xf32> {panpipe.output = "y"}) {
    %e = tensor.empty() : tensor<4x5xf32>
    // expected-error @below {{'linalg.generic' does not read sample i for sample i: it indexes the batch with -d0 + 3}}
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (3 - d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
}

// -----

// The same in the body.
module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}) -> (tensor<4x5xf32> {panpipe.output = "y"}) {
    %e = tensor.empty() : tensor<4x5xf32>
    // expected-error @below {{'linalg.generic' reads any sample of the batch from its body}}
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        outs(%e : tensor<4x5xf32>) {
    ^bb0(%b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %three = arith.constant 3 : index
      %r = arith.subi %three, %i : index
      %a = tensor.extract %x[%r, %j] : tensor<4x5xf32>
      linalg.yield %a : f32
    } -> tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
}

// -----

// The position in the batch as a value.
module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xi64> {panpipe.input = "x"}) -> (tensor<4x5xi64> {panpipe.output = "y"}) {
    %e = tensor.empty() : tensor<4x5xi64>
    // expected-error @below {{'linalg.generic' uses the position in the batch as a value (in 'arith.index_cast')}}
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x5xi64>) outs(%e : tensor<4x5xi64>) {
    ^bb0(%a: i64, %b: i64):
      %i = linalg.index 0 : index
      %c = arith.index_cast %i : index to i64
      %s = arith.addi %a, %c : i64
      linalg.yield %s : i64
    } -> tensor<4x5xi64>
    return %0 : tensor<4x5xi64>
  }
}

// -----

// A parameter with one row per sample of this batch.
module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}, %w: tensor<4x5xf32> {panpipe.param = "w"}) -> (tensor<4x5xf32> {panpipe.output = "y"}) {
    // expected-error @below {{'arith.addf' pairs the samples of the batch with operand 1, which is not cut}}
    %0 = arith.addf %x, %w : tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
}

// -----

// A constant with other samples.
module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4xf32> {panpipe.input = "x"}) -> (tensor<4xf32> {panpipe.output = "y"}) {
    %c = arith.constant dense<[1.0, 1.0, 1.0, 2.0]> : tensor<4xf32>
    // expected-error @below {{'arith.addf' pairs the samples of the batch with operand 1, which is not cut}}
    %0 = arith.addf %x, %c : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}) -> (tensor<3x5xf32> {panpipe.output = "y"}) {
    // expected-error @below {{'tensor.extract_slice' takes only some samples of the batch}}
    %0 = tensor.extract_slice %x[1, 0] [3, 5] [1, 1] : tensor<4x5xf32> to tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
}

// -----

module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}) -> (tensor<8x5xf32> {panpipe.output = "y"}) {
    // expected-error @below {{'tensor.concat' concatenates along the batch}}
    %0 = tensor.concat dim(0) %x, %x : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
    return %0 : tensor<8x5xf32>
  }
}

// -----

// The batch comes second: rows of one sample are no longer together.
module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}) -> (tensor<20xf32> {panpipe.output = "y"}) {
    %e = tensor.empty() : tensor<5x4xf32>
    %0 = linalg.transpose ins(%x : tensor<4x5xf32>) outs(%e : tensor<5x4xf32>) permutation = [1, 0]
    // expected-error @below {{'tensor.collapse_shape' merges dimension 0 into the batch from outside}}
    %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<5x4xf32> into tensor<20xf32>
    return %1 : tensor<20xf32>
  }
}

// -----

module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}) -> (tensor<2x2x5xf32> {panpipe.output = "y"}) {
    // expected-error @below {{'tensor.expand_shape' cuts the batch itself: dimension 0 of the result has extent 2, which is no multiple of the batch 4}}
    %0 = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 2, 5] : tensor<4x5xf32> into tensor<2x2x5xf32>
    return %0 : tensor<2x2x5xf32>
  }
}

// -----

module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}) -> (tensor<5x5xf32> {panpipe.output = "y"}) {
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{'tensor.pad' pads the batch}}
    %0 = tensor.pad %x low[1, 0] high[0, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<4x5xf32> to tensor<5x5xf32>
    return %0 : tensor<5x5xf32>
  }
}

// -----

module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}) -> (tensor<4x5xf32> {panpipe.output = "y"}) {
    %e = tensor.empty() : tensor<4x5xf32>
    // expected-error @below {{'linalg.softmax' normalises over the batch}}
    %0 = linalg.softmax dimension(0) ins(%x : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
}

// -----

// An unknown operation is refused, not guessed.
module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}) -> (tensor<4x5xf32> {panpipe.output = "y"}) {
    %i = arith.constant dense<0> : tensor<4x1xi64>
    // expected-error @below {{'tensor.gather' is not known to treat the samples of the batch one by one}}
    %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<4x5xf32>, tensor<4x1xi64>) -> tensor<4x1x5xf32>
    %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<4x1x5xf32> into tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
}
