#!/usr/bin/env python3
"""Imports, compiles and runs a .pt2 file with recorded inputs and outputs, and compares.

usage: run_fixture.py MODEL.pt2 [--model NAME] [--exact-with "COMPILE OPTIONS"]…

Inputs and outputs are members extra/in<k>.npy and extra/out<k>.npy of the archive, or
files MODEL.<input>.npy and MODEL.out<k>.npy beside it. Every output must agree with its
recording to 1e-4 of the range (integers and bools exactly). With --exact-with the model
is compiled a second time with those options, and must give the same bits.
Works in the current folder; needs the tools on the PATH and nothing but Python.
"""
import argparse
import array
import ast
import glob
import os
import re
import struct
import subprocess
import sys
import zipfile


def read_npy(data):
    size = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + size].decode())
    code = {"f4": "f", "f8": "d", "i8": "q", "i4": "i", "i2": "h", "i1": "b", "u1": "B",
            "b1": "B"}[header["descr"][1:]]
    values = array.array(code)
    values.frombytes(data[10 + size:])
    return header["descr"][1:], header["shape"], values


def compare(have, want, name):
    (type_a, shape_a, a), (type_b, shape_b, b) = have, want
    if type_a != type_b or shape_a != shape_b:
        sys.exit(f"{name}: is {type_a} {shape_a}, PyTorch's is {type_b} {shape_b}")
    if a.typecode not in "fd":
        if a != b:
            sys.exit(f"{name}: differs")
        return 0.0
    finite = [v for v in b if v == v and abs(v) != float("inf")]
    span = max(max(finite) - min(finite), max(map(abs, finite))) if finite else 1.0
    worst = 0.0
    for x, y in zip(a, b):
        if x == y or (x != x and y != y):
            continue
        if not abs(x - y) <= 1e-4 * span:
            sys.exit(f"{name}: {x} instead of {y}, range {span}")
        worst = max(worst, abs(x - y) / span)
    return worst


def tool(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    return result.stdout


def run(options, inputs, count, tag):
    tool("panpipe-run", "compile", "model.mlir", "-o", f"{tag}.panpipe", *options)
    outputs = [f"{tag}.out{k}.npy" for k in range(count)]
    command = ["panpipe-run", f"{tag}.panpipe"]
    for path in inputs:
        command += ["--input", path]
    for path in outputs:
        command += ["--output", path]
    tool(*command)
    return [open(path, "rb").read() for path in outputs]


def recorded(path):
    """Paths of the inputs, bytes of the outputs; without archive members, inputs are
    found by name later."""
    archive = zipfile.ZipFile(path)
    members = {m.split("/extra/")[1]: m for m in archive.namelist() if "/extra/" in m}
    inputs, outputs = [], []
    while f"in{len(inputs)}.npy" in members:
        name = f"in{len(inputs)}.npy"
        with open(name, "wb") as f:
            f.write(archive.read(members[name]))
        inputs.append(name)
    while f"out{len(outputs)}.npy" in members:
        outputs.append(archive.read(members[f"out{len(outputs)}.npy"]))
    if not outputs:
        stem = path[:-len(".pt2")]
        for k in range(len(glob.glob(stem + ".out*.npy"))):
            outputs.append(open(f"{stem}.out{k}.npy", "rb").read())
        module = open("model.mlir").read()
        signature = next(line for line in module.split("\n") if "func.func @main" in line)
        inputs = [f"{stem}.{name}.npy" for name in re.findall(r'panpipe.input = "([^"]+)"', signature)]
    return inputs, outputs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--model", dest="program")
    parser.add_argument("--exact-with", action="append", default=[])
    args = parser.parse_args()
    choice = ["--model", args.program] if args.program else []
    tool("panpipe-translate", "--import-pt2", args.model, *choice, "-o", "model.mlir")
    inputs, wanted = recorded(args.model)
    found = run([], inputs, len(wanted), "whole")
    name = os.path.basename(args.model)
    worst = max(compare(read_npy(a), read_npy(b), f"{name} output {k}")
                for k, (a, b) in enumerate(zip(found, wanted)))
    for options in args.exact_with:
        if run(options.split(), inputs, len(wanted), "other") != found:
            sys.exit(f"{name}: other bits with {options}")
    print(f"{name}: {len(wanted)} outputs agree, worst {worst:.1e}")


main()
