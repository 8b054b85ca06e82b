#!/usr/bin/env python3
"""Reads operation names, one a line; complains about each that has no test
FOLDER/<dialect>/<operation>.mlir with a pair expected VALID and one expected
INVALID, and about each test of an operation that is not in the list."""
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
names = sys.stdin.read().split()
failures = []
for name in names:
    dialect, operation = name.split(".", 1)
    test = folder / dialect / (operation + ".mlir")
    if not test.exists():
        failures.append(f"{name}: no test {test}")
        continue
    text = test.read_text()
    for verdict in ("VALID", "INVALID"):
        if f'tv.expect = "{verdict}"' not in text:
            failures.append(f"{name}: {test} has no pair that is {verdict}")
print("\n".join(failures) or f"{len(names)} encodings, each with a test")
sys.exit(1 if failures or not names else 0)
