#!/usr/bin/env python3
# ===- npy-compare.py - Compares two .npy files -------------------------------===#
#
# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===--------------------------------------------------------------------------===#
"""Compares two .npy files of 32-bit floats, with nothing but the standard library.

usage: npy-compare.py ACTUAL EXPECTED [--range-error E | --identical]

--range-error E  (default 1e-4) the largest difference must be at most E times the
                 range (max - min) of EXPECTED
--identical      every bit must agree
Prints the largest difference; exit code 1 if it is too large or a shape differs.
"""
import array
import ast
import struct
import sys


def load(path):
    with open(path, "rb") as file:
        if file.read(6) != b"\x93NUMPY":
            sys.exit(f"{path}: not a .npy file")
        major = file.read(2)[0]
        size = struct.unpack("<H" if major == 1 else "<I", file.read(2 if major == 1 else 4))[0]
        header = ast.literal_eval(file.read(size).decode())
        if header["descr"] != "<f4" or header["fortran_order"]:
            sys.exit(f"{path}: {header['descr']} in this order is not supported, only '<f4' in C order")
        values = array.array("f")
        values.frombytes(file.read())
    return header["shape"], values


def main():
    arguments = sys.argv[1:]
    identical = "--identical" in arguments
    if identical:
        arguments.remove("--identical")
    limit = 1e-4
    if "--range-error" in arguments:
        at = arguments.index("--range-error")
        limit = float(arguments[at + 1])
        del arguments[at:at + 2]
    if len(arguments) != 2:
        sys.exit(__doc__)
    (shape_a, a), (shape_b, b) = load(arguments[0]), load(arguments[1])
    if shape_a != shape_b or len(a) != len(b):
        sys.exit(f"shapes differ: {shape_a} and {shape_b}")
    if identical:
        different = sum(x != y for x, y in zip(memoryview(a).cast("B").cast("I"), memoryview(b).cast("B").cast("I")))
        print(f"{different} of {len(a)} values differ")
        sys.exit(different != 0)
    if any(x != x for x in a) != any(x != x for x in b):
        sys.exit("one of the two has NaNs")
    worst = max((abs(x - y) for x, y in zip(a, b)), default=0.0)
    span = (max(b) - min(b)) if len(b) else 0.0
    print(f"largest difference {worst:.3g}, range {span:.3g}, ratio {worst / span if span else 0:.3g}")
    sys.exit(not worst <= limit * span)


if __name__ == "__main__":
    main()
