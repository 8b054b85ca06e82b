#!/usr/bin/env python3
#===- float-proofs.py - Time of proofs about large float sums -*- Python -*-===#
#
# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Measures panpipe-tv on pairs that grow.

    utils/bench/float-proofs.py [build/bin/panpipe-tv]

Chained matrix products against themselves and with exchanged additions, the
sum of a matrix against the sum of its transpose, and (from the tests) a
convolution against a product of patches. Prints the processor time of each
proof and fails if a verdict is not the expected one."""

import os
import resource
import subprocess
import sys
import tempfile


def matmuls(count, exchanged):
    def side(name, swap):
        params = ", ".join(
            f"%w{i}: tensor<8x8xf32>, %b{i}: tensor<8x8xf32>"
            for i in range(count))
        text = (f"  module @{name} {{ func.func @f(%x0: tensor<8x8xf32>, "
                f"{params}) -> tensor<8x8xf32> {{\n"
                "    %z = arith.constant 0.0 : f32\n"
                "    %e = tensor.empty() : tensor<8x8xf32>\n"
                "    %c = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>)"
                " -> tensor<8x8xf32>\n")
        for i in range(count):
            a, b = (f"%b{i}", f"%m{i}") if swap else (f"%m{i}", f"%b{i}")
            text += (f"    %m{i} = linalg.matmul ins(%x{i}, %w{i} : "
                     "tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : "
                     "tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                     f"    %x{i + 1} = arith.addf {a}, {b} : tensor<8x8xf32>\n")
        return text + f"    return %x{count} : tensor<8x8xf32>\n  }} }}\n"

    return ('module attributes {tv.expect = "VALID"} {\n' +
            side("src", False) + side("tgt", exchanged) + "}\n")


def transposed(size):
    matrix = f"tensor<{size}x{size}xf32>"

    def side(name, transpose):
        return (f"""  module @{name} {{ func.func @f(%x: {matrix}) -> tensor<f32> {{
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<f32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %o = tensor.empty() : {matrix}
    %t = linalg.transpose ins(%x : {matrix}) outs(%o : {matrix}) permutation = [1, 0]
    %r = linalg.reduce {{ arith.addf }} ins({transpose} : {matrix}) outs(%i : tensor<f32>) dimensions = [0, 1]
    return %r : tensor<f32>
  }} }}
""")

    return ('module attributes {tv.expect = "VALID", tv.allow = ["reassoc"]} {\n'
            + side("src", "%x") + side("tgt", "%t") + "}\n")


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(
        os.path.abspath(__file__))))
    tool = sys.argv[1] if len(sys.argv) > 1 else os.path.join(
        root, "build", "bin", "panpipe-tv")
    cases = []
    for count in (1, 4, 16, 64):
        cases.append((f"{count} matrix products", matmuls(count, False)))
        cases.append((f"{count} matrix products, sums exchanged",
                      matmuls(count, True)))
    for size in (10, 100):
        cases.append((f"sum of {size}x{size} against its transpose",
                      transposed(size)))
    with open(os.path.join(root, "test", "TV", "Verdicts", "im2col.mlir")) as f:
        cases.append(("convolution against patches", f.read()))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pair.mlir")
        for name, text in cases:
            with open(path, "w") as f:
                f.write(text)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = subprocess.run([tool, "--expect", path], capture_output=True,
                                 cwd=folder)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = (after.ru_utime + after.ru_stime - before.ru_utime -
                       before.ru_stime)
            print(f"{seconds:7.2f} s  {'ok' if run.returncode == 0 else 'BAD'}"
                  f"  {name}", flush=True)
            failed |= run.returncode
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
