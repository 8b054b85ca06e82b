// RUN: panpipe-opt %s --pipe-verify-scheduled --split-input-file --verify-diagnostics

module attributes {panpipe.level = "scheduled"} {
  // expected-error @below {{@main must be a pipe.pipeline at level scheduled}}
  func.func @main() {
    return
  }
}

// -----

module attributes {panpipe.level = "scheduled"} {
  pipe.pipeline @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    pipe.program on 0 {
      // expected-error @below {{deadlock: the programs wait for each other in a circle}}
      // expected-note @below {{device 0 waits here for device 1 (tag 1)}}
      %a = pipe.recv from 1 tag 1 : tensor<2xf32>
      pipe.free %a : tensor<2xf32>
      pipe.send %x to 1 tag 0 : tensor<2xf32>
    }
    pipe.program on 1 {
      // expected-note @below {{device 1 waits here for device 2 (tag 0)}}
      %a = pipe.recv from 2 tag 0 : tensor<2xf32>
      pipe.send %a to 0 tag 1 : tensor<2xf32>
      pipe.free %a : tensor<2xf32>
    }
    pipe.program on 2 {
      // expected-note @below {{device 2 waits here for device 0 (tag 0)}}
      %a = pipe.recv from 0 tag 0 : tensor<2xf32>
      pipe.send %a to 1 tag 0 : tensor<2xf32>
      pipe.deliver %a to 0 : tensor<2xf32>
      pipe.free %a : tensor<2xf32>
    }
  }
}

// -----

module attributes {panpipe.level = "scheduled"} {
  pipe.pipeline @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    pipe.program on 0 {
      pipe.send %x to 1 tag 0 : tensor<2xf32>
    }
    pipe.program on 1 {
      %a = pipe.recv from 0 tag 0 : tensor<2xf32>
      pipe.free %a : tensor<2xf32>
      // expected-error @below {{waits for ever: device 0 sends no further value to device 1 with tag 0}}
      %b = pipe.recv from 0 tag 0 : tensor<2xf32>
      pipe.deliver %b to 0 : tensor<2xf32>
      pipe.free %b : tensor<2xf32>
    }
  }
}

// -----

module attributes {panpipe.level = "scheduled"} {
  pipe.pipeline @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    pipe.program on 0 {
      pipe.send %x to 1 tag 0 : tensor<2xf32>
      // expected-error @below {{is never received: device 1 takes fewer values from device 0 with tag 0}}
      pipe.send %x to 1 tag 0 : tensor<2xf32>
    }
    pipe.program on 1 {
      %a = pipe.recv from 0 tag 0 : tensor<2xf32>
      pipe.deliver %a to 0 : tensor<2xf32>
      pipe.free %a : tensor<2xf32>
    }
  }
}

// -----

module attributes {panpipe.level = "scheduled"} {
  pipe.pipeline @main(%x: tensor<2xf32> {panpipe.input = "x"}, %z: tensor<3xf32> {panpipe.input = "z"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    pipe.program on 0 {
      // expected-note @below {{it is sent here}}
      pipe.send %z to 1 tag 0 : tensor<3xf32>
    }
    pipe.program on 1 {
      // expected-error @below {{receives 'tensor<2xf32>' from device 0 tag 0, but the value sent is 'tensor<3xf32>'}}
      %a = pipe.recv from 0 tag 0 : tensor<2xf32>
      pipe.deliver %a to 0 : tensor<2xf32>
      pipe.free %a : tensor<2xf32>
    }
  }
}

// -----

module attributes {panpipe.level = "scheduled"} {
  pipe.pipeline @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    pipe.program on 0 {
      pipe.send %x to 1 tag 0 : tensor<2xf32>
    }
    pipe.program on 1 {
      // expected-error @below {{result 0 is never freed on device 1}}
      %a = pipe.recv from 0 tag 0 : tensor<2xf32>
      pipe.deliver %a to 0 : tensor<2xf32>
    }
  }
}

// -----

module attributes {panpipe.level = "scheduled"} {
  pipe.stage @s0 on 0 (%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = math.exp %x : tensor<2xf32>
    pipe.yield %0 : tensor<2xf32>
  }
  pipe.pipeline @main(%x: tensor<2xf32> {panpipe.input = "x"}) -> (tensor<2xf32> {panpipe.output = "y"}) {
    pipe.program on 0 {
      // expected-note @below {{the first run is here}}
      %a = pipe.run @s0(%x) microbatch 0 : (tensor<2xf32>) -> tensor<2xf32>
      // expected-error @below {{runs stage @s0 again for microbatch 0}}
      %b = pipe.run @s0(%a) microbatch 0 : (tensor<2xf32>) -> tensor<2xf32>
      pipe.free %a : tensor<2xf32>
      pipe.deliver %b to 0 : tensor<2xf32>
      pipe.free %b : tensor<2xf32>
    }
  }
}
