// RUN: panpipe-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{device numbers start at 0, but this one is -1}}
pipe.stage @s on -1 (%x: tensor<2xf32>) -> tensor<2xf32> {
  pipe.yield %x : tensor<2xf32>
}

// -----

pipe.stage @s on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{yields 2 values, but stage @s has 1 results}}
  pipe.yield %x, %x : tensor<2xf32>, tensor<2xf32>
}

// -----

pipe.stage @s on 0 (%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @below {{value 0 has type 'tensor<2xf32>', but result 0 of stage @s is 'tensor<3xf32>'}}
  pipe.yield %x : tensor<2xf32>
}

// -----

pipe.stage @s on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot stand in a stage}}
  %0 = pipe.concat %x dim 0 : (tensor<2xf32>) -> tensor<2xf32>
  pipe.yield %0 : tensor<2xf32>
}

// -----

pipe.stage @s on 0 (%x: tensor<2xf32>) {
  // expected-error @below {{cannot end a stage: expected pipe.yield}}
  llvm.unreachable
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{runs @s, which does not exist}}
  %0 = pipe.run @s(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func private @s(tensor<2xf32>) -> tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{runs @s, which is a 'func.func' and not a pipe.stage}}
  %0 = pipe.run @s(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-note @below {{the stage is here}}
pipe.stage @s on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
  pipe.yield %x : tensor<2xf32>
}
func.func @main(%x: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error @below {{operand 0 has type 'tensor<3xf32>', but stage @s expects 'tensor<2xf32>'}}
  %0 = pipe.run @s(%x) : (tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-note @below {{the stage is here}}
pipe.stage @s on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
  pipe.yield %x : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{has 2 results, but stage @s has 1}}
  %0:2 = pipe.run @s(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0 : tensor<2xf32>
}

// -----

pipe.stage @s on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
  pipe.yield %x : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{microbatch numbers start at 0, but this one is -2}}
  %0 = pipe.run @s(%x) microbatch -2 : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<8x4xf32>) {
  // expected-error @below {{the pieces' extents along dimension 0 add up to 7, but the whole has 8}}
  %a, %b = pipe.split %x dim 0 sizes [5, 2] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @main(%x: tensor<8x4xf32>) {
  // expected-error @below {{dimension 2 is out of range for 'tensor<8x4xf32>'}}
  %a, %b = pipe.split %x dim 2 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
  return
}

// -----

func.func @main(%x: tensor<8x4xf32>) {
  // expected-error @below {{has 3 sizes, but 2 results}}
  %a, %b = pipe.split %x dim 0 sizes [4, 2, 2] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
  return
}

// -----

func.func @main(%x: tensor<8x4xf32>) {
  // expected-error @below {{piece 0 has extent 5 along dimension 0, but its size is given as 4}}
  %a, %b = pipe.split %x dim 0 sizes [4, 4] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
  return
}

// -----

func.func @main(%x: tensor<8x4xf32>) {
  // expected-error @below {{piece 1 has type 'tensor<3x5xf32>', which differs from the whole 'tensor<8x4xf32>' in more than dimension 0}}
  %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x5xf32>)
  return
}

// -----

func.func @main(%a: tensor<5x4xf32>, %b: tensor<3x4xf16>) -> tensor<8x4xf32> {
  // expected-error @below {{piece 1 has type 'tensor<3x4xf16>'}}
  %0 = pipe.concat %a, %b dim 0 : (tensor<5x4xf32>, tensor<3x4xf16>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @main(%a: tensor<5x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{add up to 5, but the whole has 8}}
  %0 = pipe.concat %a dim 0 : (tensor<5x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

pipe.pipeline @main(%x: tensor<2xf32>) {
  // expected-note @below {{the first one is here}}
  pipe.program on 0 {
  }
  // expected-error @below {{device 0 has a program already}}
  pipe.program on 0 {
  }
}

// -----

// expected-error @below {{result 1 is never delivered}}
pipe.pipeline @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  pipe.program on 0 {
    pipe.deliver %x to 0 : tensor<2xf32>
  }
}

// -----

pipe.pipeline @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  pipe.program on 0 {
    // expected-note @below {{the first time is here}}
    pipe.deliver %x to 0 : tensor<2xf32>
  }
  pipe.program on 1 {
    // expected-error @below {{result 0 is delivered twice}}
    pipe.deliver %x to 0 : tensor<2xf32>
  }
}

// -----

pipe.pipeline @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  pipe.program on 0 {
    // expected-error @below {{delivers result 1, but @main has 1 results}}
    pipe.deliver %x to 1 : tensor<2xf32>
  }
}

// -----

pipe.pipeline @main(%x: tensor<2xf32>) -> tensor<3xf32> {
  pipe.program on 0 {
    // expected-error @below {{delivers a value of type 'tensor<2xf32>' as result 0 of @main, which is 'tensor<3xf32>'}}
    pipe.deliver %x to 0 : tensor<2xf32>
  }
}

// -----

pipe.pipeline @main(%x: tensor<2xf32>) {
  pipe.program on 0 {
    %0 = pipe.recv from 1 tag 0 : tensor<2xf32>
    // expected-note @below {{it is freed here}}
    pipe.free %0 : tensor<2xf32>
    // expected-error @below {{uses a value after its pipe.free}}
    pipe.send %0 to 1 tag 0 : tensor<2xf32>
  }
}

// -----

pipe.pipeline @main(%x: tensor<2xf32>) {
  pipe.program on 0 {
    %0 = pipe.recv from 1 tag 0 : tensor<2xf32>
    // expected-note @below {{it is freed here}}
    pipe.free %0 : tensor<2xf32>
    // expected-error @below {{frees a value that is freed already}}
    pipe.free %0 : tensor<2xf32>
  }
}

// -----

pipe.pipeline @main(%x: tensor<2xf32>) {
  pipe.program on 0 {
    // expected-error @below {{frees an argument of the pipeline, which belongs to the host}}
    pipe.free %x : tensor<2xf32>
  }
}

// -----

pipe.pipeline @main(%x: tensor<2xf32>) {
  pipe.program on 1 {
    // expected-error @below {{connects device 1 to itself}}
    pipe.send %x to 1 tag 0 : tensor<2xf32>
  }
}

// -----

pipe.pipeline @main(%x: tensor<2xf32>) {
  pipe.program on 1 {
    // expected-error @below {{tags start at 0, but this one is -1}}
    %0 = pipe.recv from 0 tag -1 : tensor<2xf32>
  }
}

// -----

pipe.pipeline @main(%x: tensor<2xf32>) {
  pipe.program on 1 {
    // expected-error @below {{cannot stand in a pipe.program}}
    %0 = tensor.empty() : tensor<2xf32>
  }
}

// -----

pipe.stage @s on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
  pipe.yield %x : tensor<2xf32>
}
pipe.pipeline @main(%x: tensor<2xf32>) {
  pipe.program on 1 {
    // expected-error @below {{runs stage @s of device 0 in the program of device 1}}
    %0 = pipe.run @s(%x) microbatch 0 : (tensor<2xf32>) -> tensor<2xf32>
  }
}
