#!/usr/bin/env python3
# ===- check-models.py - Whole models against PyTorch --------------------------===#
#
# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===--------------------------------------------------------------------------===#
"""Imports, splits, compiles and runs models and compares every output with PyTorch's.

usage: check-models.py [--bin BUILD/bin] [--devices 2] [--microbatches 2] MODEL.pt2...

Beside MODEL.pt2 lie MODEL.<input>.npy and MODEL.out<k>.npy, as
utils/make-pt2-fixtures.py writes them. Each model runs three times: in one
stage, in --devices stages, and in stages with --microbatches. The first is
compared with PyTorch (difference at most 1e-4 of the output's range), the others
must have the same bytes as the first.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile


def run(command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("%s\n%s" % (" ".join(map(str, command)), done.stderr[-2000:]))
    return done.stdout


def beside(model):
    """Inputs as NAME=FILE, and the files with PyTorch's outputs in order."""
    inputs, outputs = [], []
    for path in sorted(model.parent.glob(f"{model.stem}.*.npy")):
        name = path.name[len(model.stem) + 1:-len(".npy")]
        if re.fullmatch(r"out\d+", name):
            outputs.append((int(name[3:]), path))
        else:
            inputs.append(f"{name}={path}")
    return inputs, [path for _, path in sorted(outputs)]


def execute(tools, stem, devices, count, inputs, outputs):
    """The files with the outputs of the model, split as asked."""
    tag = f"{stem}.{devices}.{count}"
    pipeline = (f"builtin.module(pipe-partition{{devices={devices}}},"
                f"pipe-microbatch{{count={count}}},pipe-schedule)")
    run([tools / "panpipe-opt", f"{stem}.mlir", f"--pass-pipeline={pipeline}", "-o", f"{tag}.mlir"])
    run([tools / "panpipe-run", "compile", f"{tag}.mlir", "-o", f"{tag}.panpipe"])
    command, made = [tools / "panpipe-run", f"{tag}.panpipe"], []
    for path in inputs:
        command += ["--input", path]
    for i in range(len(outputs)):
        made.append(pathlib.Path(f"{tag}.out{i}.npy"))
        command += ["--output", made[-1]]
    run(command)
    return made


def error(got, expected):
    compare = pathlib.Path(__file__).parent / "npy-compare.py"
    done = subprocess.run([sys.executable, compare, got, expected], capture_output=True, text=True)
    ratio = re.search(r"ratio (\S+)", done.stdout)
    if not ratio:
        raise RuntimeError(done.stdout + done.stderr)
    return float(ratio.group(1))


def check(arguments, model, folder):
    tools, stem = arguments.bin, folder / model.stem
    inputs, outputs = beside(model)
    if not outputs:
        raise RuntimeError("no outputs of PyTorch beside it")
    run([tools / "panpipe-translate", "--import-pt2", model, "-o", f"{stem}.mlir"])
    whole = execute(tools, stem, 1, 1, inputs, outputs)
    worst = max(error(g, e) for g, e in zip(whole, outputs))
    good = worst <= 1e-4
    words = ["error/range %.3g%s" % (worst, "" if good else " (above 1e-4)")]
    for devices, count in ((arguments.devices, 1), (arguments.devices, arguments.microbatches)):
        name = f"{devices} stages, {count} microbatches: "
        try:
            parts = execute(tools, stem, devices, count, inputs, outputs)
        except RuntimeError as problem:
            words.append(name + "failed: " + str(problem))
            good = False
            continue
        same = all(a.read_bytes() == b.read_bytes() for a, b in zip(whole, parts))
        words.append(name + ("the same bytes" if same else "other bytes, error/range %.3g" % max(
            error(g, e) for g, e in zip(parts, outputs))))
        good &= same
    print(f"{model.stem}: " + "; ".join(words), flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=pathlib.Path(), help="default: from PATH")
    parser.add_argument("--devices", type=int, default=2)
    parser.add_argument("--microbatches", type=int, default=2)
    parser.add_argument("models", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    bad = 0
    for model in arguments.models:
        with tempfile.TemporaryDirectory() as folder:
            try:
                bad += not check(arguments, model, pathlib.Path(folder))
            except RuntimeError as problem:
                print(f"{model.stem}: failed: {problem}", flush=True)
                bad += 1
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
