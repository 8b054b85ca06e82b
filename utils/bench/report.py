#!/usr/bin/env python3
# ===- report.py - The numbers of docs/Status.md ------------------------------===#
#
# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===--------------------------------------------------------------------------===#
"""Takes models through the whole chain and prints a Markdown table of what each
step cost: import, split and proof, compilation, run.

usage: report.py --bin BUILD/bin MODEL.pt2...

For each model the files MODEL.<input name>.npy and MODEL.out0.npy, if present,
are its inputs and PyTorch's output, and the run is compared with it. Times are wall-clock seconds of whole processes, except the run,
which is the fastest of 20 in milliseconds. Peak memory is that of the process.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time


def run(command):
    """(seconds, peak MiB, output) of a command that must succeed."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    if status != 0:
        sys.exit(f"{' '.join(command)}\nfailed:\n{output}")
    return seconds, usage.ru_maxrss / 1024, output


def proof_columns(report):
    """Terms, obligations and how they were settled, over all passes."""
    totals = {}
    for one in report["passes"]:
        for function in one["functions"]:
            for key, value in function["statistics"].items():
                totals[key] = max(totals.get(key, 0), value) if key == "nodes" else totals.get(key, 0) + value
    how = [f"{totals[key]} {name}" for key, name in
           [("congruence", "congruence"), ("cells", "cells"), ("sums", "sums"), ("abstractFloat", "abstract floats"),
            ("exactFloat", "exact floats")] if totals.get(key)]
    return totals.get("nodes", 0), totals.get("obligations", 0), ", ".join(how) or "-"


def measure(tools, model, work, devices):
    stem = work / model.stem
    inputs = []
    for path in sorted(model.parent.glob(f"{model.stem}.*.npy")):
        name = path.name[len(model.stem) + 1:-len(".npy")]
        if not re.fullmatch(r"out\d+", name):
            inputs.append(f"{name}={path}")
    imported, import_memory, _ = run([tools / "panpipe-translate", "--import-pt2", str(model), "-o", f"{stem}.mlir"])
    pipeline = (f"builtin.module(pipe-verify-model,pipe-partition{{devices={devices}}},pipe-verify-staged,"
                "pipe-microbatch{count=1},pipe-verify-microbatched,pipe-schedule,pipe-verify-scheduled)")
    planned, _, _ = run([tools / "panpipe-opt", f"{stem}.mlir", f"--pass-pipeline={pipeline}", "-o", f"{stem}.scheduled.mlir"])
    proved, proof_memory, _ = run([tools / "panpipe-opt", f"{stem}.mlir", "--validate", f"--validate-report={stem}.json",
                                   f"--pass-pipeline={pipeline}", "-o", "/dev/null"])
    report = json.loads(pathlib.Path(f"{stem}.json").read_text())
    compiled, _, _ = run([tools / "panpipe-run", "compile", f"{stem}.scheduled.mlir", "-o", f"{stem}.panpipe"])
    milliseconds, error = "-", "-"
    if inputs:
        command = [tools / "panpipe-run", f"{stem}.panpipe", "--output", f"{stem}.npy", "--repeat", "20", "--summary"]
        for path in inputs:
            command += ["--input", path]
        _, _, output = run(command)
        milliseconds = re.search(r"run ([0-9.]+) ms", output).group(1)
        expected = model.with_suffix(".out0.npy")
        if expected.exists():
            compare = pathlib.Path(__file__).parent.parent / "npy-compare.py"
            done = subprocess.run([sys.executable, compare, f"{stem}.npy", expected], capture_output=True, text=True)
            error = re.search(r"ratio (\S+)", done.stdout).group(1) if done.stdout else done.stderr.strip()
    nodes, obligations, how = proof_columns(report)
    main = pathlib.Path(f"{stem}.mlir").read_text()
    body = main[main.index("func.func @main"):]
    graph_nodes = len(re.findall(r"^    %", body[:body.index("\n  }")], re.M))
    return [model.stem, graph_nodes, f"{imported:.2f} s, {import_memory:.0f} MiB", f"{planned:.2f} s",
            f"{max(0.0, proved - planned):.2f} s, {proof_memory:.0f} MiB", report["verdict"], nodes, obligations, how,
            f"{compiled:.2f} s", f"{milliseconds} ms", error]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--devices", type=int, default=2)
    parser.add_argument("models", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    header = ["model", "operations", "import", "split", "proof", "verdict", "terms", "obligations", "how", "compile",
              "run", "error/range"]
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.models:
            row = measure(arguments.bin, model, pathlib.Path(folder), arguments.devices)
            print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


if __name__ == "__main__":
    main()
