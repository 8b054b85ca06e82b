#!/usr/bin/env python3
"""Imports, compiles and runs the programs of an ops-*.pt2 archive and compares the
outputs with PyTorch's, which lie in the archive (see utils/make-pt2-fixtures.py).

    run-ops.py archive.pt2 scratch-folder

Needs only the standard library. A difference above 1e-5 of an output's range is
reported by the operator's name.
"""
import array
import ast
import os
import struct
import subprocess
import sys
import zipfile

CODES = {"<f4": "f", "<f8": "d", "<i8": "q", "<i4": "i", "|b1": "B", "|u1": "B"}


def parse(data, what):
    size = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + size].decode())
    values = array.array(CODES[header["descr"]])
    values.frombytes(data[10 + size:])
    return header["descr"], header["shape"], values


def difference(got, want):
    """The largest difference, relative to the range of the wanted values."""
    if any((a != a) != (b != b) for a, b in zip(got, want)):
        return float("inf")
    finite = [(a, b) for a, b in zip(got, want) if b == b and abs(b) != float("inf")]
    if any(a != b for a, b in zip(got, want) if abs(b) == float("inf")):
        return float("inf")
    wanted = [b for _, b in finite]
    span = max(wanted, default=0) - min(wanted, default=0)
    span = span or max(map(abs, wanted), default=0) or 1
    return max((abs(a - b) for a, b in finite), default=0) / span


def run(archive, program, folder, extra):
    path = os.path.join(folder, program)
    steps = [["panpipe-translate", "--import-pt2", archive, "--model", program, "-o",
              path + ".mlir"],
             ["panpipe-run", "compile", path + ".mlir", "-o", path + ".panpipe"]]
    inputs = [k for k in extra if k.startswith("in") and k.endswith(".npy")]
    outputs = [k for k in extra if k.startswith("out") and k.endswith(".npy")]
    number = lambda name: int("".join(c for c in name if c.isdigit()))
    command = ["panpipe-run", path + ".panpipe"]
    for name in sorted(inputs, key=number):
        command += ["--input", os.path.join(folder, name)]
    for name in sorted(outputs, key=number):
        command += ["--output", path + "." + name]
    for step in steps + [command]:
        if subprocess.run(step).returncode:
            sys.exit("failed: " + " ".join(step))
    names, bad = extra["outputs.txt"].decode().split("\n"), 0
    for name in sorted(outputs, key=number):
        with open(path + "." + name, "rb") as f:
            got = parse(f.read(), name)
        want = parse(extra[name], name)
        same = got[:2] == want[:2]
        error = difference(got[2], want[2]) if same else float("inf")
        if error > 1e-5:
            bad += 1
            print("%s: %s differs by %g (%s %s, expected %s %s)" %
                  (program, names[number(name)], error, *got[:2], *want[:2]))
    print("%s: %d of %d outputs agree" % (program, len(outputs) - bad, len(outputs)))
    return bad


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    archive, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with zipfile.ZipFile(archive) as z:
        extra = {n.split("/extra/")[1]: z.read(n) for n in z.namelist() if "/extra/" in n}
        programs = [n.split("/models/")[1][:-5] for n in z.namelist()
                    if "/models/" in n and n.endswith(".json")]
    for name, data in extra.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
    sys.exit(any([run(archive, p, folder, extra) for p in programs]))


if __name__ == "__main__":
    main()
