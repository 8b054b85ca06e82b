#!/usr/bin/env python3
"""Writes a small network for the tests of panpipe-run into the current folder:
net.pt2 (a zip archive with the weights), model.mlir (level MODEL), staged.mlir (level
SCHEDULED: two devices, microbatches of 2 and 1), x.npy and want.npy (computed here by
plain loops). Needs nothing but Python.

The network, batch 3: x 4x6x6 -> conv 3x3 to 16, leaky relu (0.2) -> conv 3x3 in 8
groups -> relu -> mean over the image -> linear to 5, sigmoid.
"""
import math
import random
import struct
import zipfile
import zlib

random.seed(1)
N, CI, C, S, OUT, GROUPS = 3, 4, 16, 6, 5, 8


def floats(count, scale=1.0):
    """Random numbers that are exact in float32."""
    return [round(random.uniform(-1, 1) * 64) / 64 * scale for _ in range(count)]


WEIGHTS = {"conv1.weight": (floats(C * CI * 9), [C, CI, 3, 3]),
           "conv1.bias": (floats(C), [C]),
           "conv2.weight": (floats(C * C // GROUPS * 9), [C, C // GROUPS, 3, 3]),
           "fc.weight": (floats(OUT * C), [OUT, C]),
           "fc.bias": (floats(OUT), [OUT])}
X = floats(N * CI * S * S)


def write_npy(path, values, shape):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }" % "".join(
        f"{n}," for n in shape)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack(f"<{len(values)}f", *values))


def conv(x, n, ci, co, weight, bias, groups):
    """3x3, padding 1, on [n][ci][S][S]."""
    y, per, outs = [], ci // groups, co // groups
    for b in range(n):
        for o in range(co):
            for i in range(S):
                for j in range(S):
                    total = 0.0
                    for c in range(per):
                        for k in range(3):
                            for m in range(3):
                                r, s = i + k - 1, j + m - 1
                                if 0 <= r < S and 0 <= s < S:
                                    ic = o // outs * per + c
                                    total += (x[((b * ci + ic) * S + r) * S + s]
                                              * weight[((o * per + c) * 3 + k) * 3 + m])
                    y.append(total + (bias[o] if bias else 0.0))
    return y


def expected():
    w = {name: values for name, (values, _) in WEIGHTS.items()}
    a = conv(X, N, CI, C, w["conv1.weight"], w["conv1.bias"], 1)
    a = [v if v > 0 else 0.2 * v for v in a]
    a = [max(v, 0.0) for v in conv(a, N, C, C, w["conv2.weight"], None, GROUPS)]
    y = []
    for b in range(N):
        means = [sum(a[(b * C + c) * S * S:(b * C + c + 1) * S * S]) / (S * S) for c in range(C)]
        for o in range(OUT):
            total = sum(m * f for m, f in zip(means, w["fc.weight"][o * C:(o + 1) * C]))
            y.append(1 / (1 + math.exp(-total - w["fc.bias"][o])))
    return y


def write_archive():
    """Offsets of the tensors in net.pt2."""
    blob, places = b"", {}
    for name, (values, _) in WEIGHTS.items():
        places[name] = len(blob)
        blob += struct.pack(f"<{len(values)}f", *values)
        blob += b"\0" * (-len(blob) % 64)
    with zipfile.ZipFile("net.pt2", "w", zipfile.ZIP_STORED) as z:
        z.writestr("net/data/weights/0", blob)
    raw = open("net.pt2", "rb").read()
    start = raw.find(blob)
    end = raw.rfind(b"PK\5\6")
    size, offset = struct.unpack_from("<II", raw, end + 12)
    archive = (f'panpipe.archive = {{path = "net.pt2", size = {len(raw)} : i64, '
               f"crc = {zlib.crc32(raw[offset:offset + size])} : i64}}")
    return archive, {name: start + place for name, place in places.items()}


def tensor(*shape):
    return "tensor<" + "".join(f"{n}x" for n in shape) + "f32>"


def arguments(offsets):
    text = [f'%x: {tensor(N, CI, S, S)} {{panpipe.input = "x"}}']
    for name, (_, shape) in WEIGHTS.items():
        strides, step = [], 1
        for size in reversed(shape):
            strides.insert(0, step)
            step *= size
        text.append(f'%{name.replace(".", "_")}: {tensor(*shape)} {{panpipe.param = "{name}", '
                    f"panpipe.storage = {{offset = {offsets[name]} : i64, strides = array<i64: "
                    f'{", ".join(map(str, strides))}>, dtype = "f32"}}}}')
    return ", ".join(text)


def generic(result, operand, shape, body):
    dims = ", ".join(f"d{i}" for i in range(len(shape)))
    identity = f"affine_map<({dims}) -> ({dims})>"
    loops = ", ".join(['"parallel"'] * len(shape))
    return f"""
    {result}_e = tensor.empty() : {tensor(*shape)}
    {result} = linalg.generic {{indexing_maps = [{identity}, {identity}], iterator_types = [{loops}]}} ins({operand} : {tensor(*shape)}) outs({result}_e : {tensor(*shape)}) {{
    ^bb0(%in: f32, %out: f32):{body}
      linalg.yield %q : f32
    }} -> {tensor(*shape)}"""


def front(n):
    """Both halves of the network, for a batch of n."""
    image = (n, C, S, S)
    text = f"""
    %c = func.call @conv2d.{n}a(%x, %conv1_weight, %conv1_bias) : ({tensor(n, CI, S, S)}, {tensor(C, CI, 3, 3)}, {tensor(C)}) -> {tensor(*image)}"""
    return text + generic("%l", "%c", image, """
      %zero = arith.constant 0.0 : f32
      %slope = arith.constant 0.2 : f32
      %positive = arith.cmpf ogt, %in, %zero : f32
      %scaled = arith.mulf %in, %slope : f32
      %q = arith.select %positive, %in, %scaled : f32""")


def back(n):
    image = (n, C, S, S)
    text = f"""
    %d = func.call @conv2d.{n}b(%l, %conv2_weight) : ({tensor(*image)}, {tensor(C, C // GROUPS, 3, 3)}) -> {tensor(*image)}"""
    text += generic("%r", "%d", image, """
      %zero = arith.constant 0.0 : f32
      %q = arith.maximumf %in, %zero : f32""")
    text += f"""
    %init = arith.constant 0.0 : f32
    %se = tensor.empty() : {tensor(n, C)}
    %sf = linalg.fill ins(%init : f32) outs(%se : {tensor(n, C)}) -> {tensor(n, C)}
    %s = linalg.generic {{indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}} ins(%r : {tensor(*image)}) outs(%sf : {tensor(n, C)}) {{
    ^bb0(%in: f32, %out: f32):
      %sum = arith.addf %out, %in : f32
      linalg.yield %sum : f32
    }} -> {tensor(n, C)}"""
    text += generic("%m", "%s", (n, C), f"""
      %count = arith.constant {S * S}.0 : f32
      %q = arith.divf %in, %count : f32""")
    text += f"""
    %f = func.call @linear.{n}(%m, %fc_weight, %fc_bias) : ({tensor(n, C)}, {tensor(OUT, C)}, {tensor(OUT)}) -> {tensor(n, OUT)}"""
    return text + generic("%y", "%f", (n, OUT), """
      %one = arith.constant 1.0 : f32
      %minus = arith.negf %in : f32
      %e = math.exp %minus : f32
      %denominator = arith.addf %e, %one : f32
      %q = arith.divf %one, %denominator : f32""")


def padded(n, channels):
    return f"""
    %zero = arith.constant 0.0 : f32
    %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {{
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
    }} : {tensor(n, channels, S, S)} to {tensor(n, channels, S + 2, S + 2)}"""


def biased(result, operand, shape, dim):
    dims = ", ".join(f"d{i}" for i in range(len(shape)))
    loops = ", ".join(['"parallel"'] * len(shape))
    return f"""
    %be = tensor.empty() : {tensor(*shape)}
    {result} = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>, affine_map<({dims}) -> (d{dim})>, affine_map<({dims}) -> ({dims})>], iterator_types = [{loops}]}} ins({operand}, %b : {tensor(*shape)}, {tensor(shape[dim])}) outs(%be : {tensor(*shape)}) {{
    ^bb0(%u: f32, %v: f32, %out: f32):
      %q = arith.addf %u, %v : f32
      linalg.yield %q : f32
    }} -> {tensor(*shape)}"""


def filled(shape):
    return f"""
    %fe = tensor.empty() : {tensor(*shape)}
    %f = linalg.fill ins(%zero : f32) outs(%fe : {tensor(*shape)}) -> {tensor(*shape)}"""


def composites(n):
    attrs = ("stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, "
             "dilation = array<i64: 1, 1>, groups = %d : i64")
    per, image, grouped = C // GROUPS, (n, C, S, S), (n, GROUPS, C // GROUPS, S, S)
    return f"""
  func.func private @conv2d.{n}a(%x: {tensor(n, CI, S, S)}, %w: {tensor(C, CI, 3, 3)}, %b: {tensor(C)}) -> {tensor(*image)} attributes {{panpipe.composite = "conv2d", panpipe.attrs = {{{attrs % 1}}}}} {{{padded(n, CI)}{filled(image)}
    %c = linalg.conv_2d_nchw_fchw {{strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}} ins(%p, %w : {tensor(n, CI, S + 2, S + 2)}, {tensor(C, CI, 3, 3)}) outs(%f : {tensor(*image)}) -> {tensor(*image)}{biased("%y", "%c", image, 1)}
    return %y : {tensor(*image)}
  }}
  func.func private @conv2d.{n}b(%x: {tensor(*image)}, %w: {tensor(C, per, 3, 3)}) -> {tensor(*image)} attributes {{panpipe.composite = "conv2d", panpipe.attrs = {{{attrs % GROUPS}}}}} {{{padded(n, C)}{filled(grouped)}
    %px = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [{n}, {GROUPS}, {per}, {S + 2}, {S + 2}] : {tensor(n, C, S + 2, S + 2)} into {tensor(n, GROUPS, per, S + 2, S + 2)}
    %wx = tensor.expand_shape %w [[0, 1], [2], [3], [4]] output_shape [{GROUPS}, {per}, {per}, 3, 3] : {tensor(C, per, 3, 3)} into {tensor(GROUPS, per, per, 3, 3)}
    %c = linalg.conv_2d_ngchw_gfchw {{strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}} ins(%px, %wx : {tensor(n, GROUPS, per, S + 2, S + 2)}, {tensor(GROUPS, per, per, 3, 3)}) outs(%f : {tensor(*grouped)}) -> {tensor(*grouped)}
    %y = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : {tensor(*grouped)} into {tensor(*image)}
    return %y : {tensor(*image)}
  }}
  func.func private @linear.{n}(%x: {tensor(n, C)}, %w: {tensor(OUT, C)}, %b: {tensor(OUT)}) -> {tensor(n, OUT)} attributes {{panpipe.composite = "linear", panpipe.attrs = {{}}}} {{
    %zero = arith.constant 0.0 : f32{filled((n, OUT))}
    %c = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%x, %w : {tensor(n, C)}, {tensor(OUT, C)}) outs(%f : {tensor(n, OUT)}) -> {tensor(n, OUT)}{biased("%y", "%c", (n, OUT), 1)}
    return %y : {tensor(n, OUT)}
  }}"""


def stages(n):
    image = tensor(n, C, S, S)
    return f"""
  pipe.stage @s0.{n} on 0 (%x: {tensor(n, CI, S, S)}, %conv1_weight: {tensor(C, CI, 3, 3)}, %conv1_bias: {tensor(C)}) -> ({image}) {{{front(n)}
    pipe.yield %l : {image}
  }}
  pipe.stage @s1.{n} on 1 (%l: {image}, %conv2_weight: {tensor(C, C // GROUPS, 3, 3)}, %fc_weight: {tensor(OUT, C)}, %fc_bias: {tensor(OUT)}) -> ({tensor(n, OUT)}) {{{back(n)}
    pipe.yield %y : {tensor(n, OUT)}
  }}"""


def main():
    archive, offsets = write_archive()
    write_npy("x.npy", X, [N, CI, S, S])
    write_npy("want.npy", expected(), [N, OUT])
    result = f'({tensor(N, OUT)} {{panpipe.output = "y"}})'
    with open("model.mlir", "w") as f:
        f.write(f"""module @net attributes {{panpipe.level = "model", {archive}}} {{
  func.func @main({arguments(offsets)}) -> {result} {{{front(N)}{back(N)}
    return %y : {tensor(N, OUT)}
  }}{composites(N)}
}}
""")

    def first(n, k):
        return (f"%a{k} = pipe.run @s0.{n}(%x{k}, %conv1_weight, %conv1_bias) microbatch {k} : "
                f"({tensor(n, CI, S, S)}, {tensor(C, CI, 3, 3)}, {tensor(C)}) -> {tensor(n, C, S, S)}\n"
                f"      pipe.send %a{k} to 1 tag {k} : {tensor(n, C, S, S)}\n"
                f"      pipe.free %a{k} : {tensor(n, C, S, S)}")

    def second(n, k):
        return (f"%a{k} = pipe.recv from 0 tag {k} : {tensor(n, C, S, S)}\n"
                f"      %y{k} = pipe.run @s1.{n}(%a{k}, %conv2_weight, %fc_weight, %fc_bias) microbatch {k} : "
                f"({tensor(n, C, S, S)}, {tensor(C, C // GROUPS, 3, 3)}, {tensor(OUT, C)}, {tensor(OUT)}) -> {tensor(n, OUT)}\n"
                f"      pipe.free %a{k} : {tensor(n, C, S, S)}")
    with open("staged.mlir", "w") as f:
        f.write(f"""module @net attributes {{panpipe.level = "scheduled", {archive}}} {{{stages(2)}{stages(1)}
  pipe.pipeline @main({arguments(offsets)}) -> {result} {{
    pipe.program on 0 {{
      %x0, %x1 = pipe.split %x dim 0 sizes [2, 1] : {tensor(N, CI, S, S)} -> ({tensor(2, CI, S, S)}, {tensor(1, CI, S, S)})
      {first(2, 0)}
      {first(1, 1)}
    }}
    pipe.program on 1 {{
      {second(2, 0)}
      {second(1, 1)}
      %y = pipe.concat %y0, %y1 dim 0 : ({tensor(2, OUT)}, {tensor(1, OUT)}) -> {tensor(N, OUT)}
      pipe.deliver %y to 0 : {tensor(N, OUT)}
    }}
  }}{composites(2)}{composites(1)}
}}
""")


main()
