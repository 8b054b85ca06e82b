#!/usr/bin/env python3
# ===- check-include-rules.py - Who may include whom --------------------------===#
#
# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===--------------------------------------------------------------------------===#
"""Checks the #include lines of lib/, include/ and tools/ against the table of
docs/Architecture.md. Prints each violation as `file:line: message`; exit code 1
if there is one. Usage: check-include-rules.py SOURCE_DIR"""
import pathlib
import re
import sys

LLVM = r"(mlir|mlir-c|llvm|llvm-c)/"
PANPIPE = r"panpipe/"
# Part -> patterns of headers it must not include.
FORBIDDEN = {
    "Import": [PANPIPE + r"(Dialect/Pipe|TV|Runtime)/"],
    "Composite": [PANPIPE + r"(Import|Dialect|Planner|Conversion|Pipelines|TV|Runtime)/"],
    "Dialect/Pipe": [PANPIPE + r"(Import|TV|Runtime)/"],
    "Planner": [LLVM, PANPIPE + r"(Import|TV|Dialect|Runtime)/"],
    "Conversion": [PANPIPE + r"TV/"],
    "Pipelines": [PANPIPE + r"TV/"],
    "TV/Term": [r"mlir/Dialect/", PANPIPE + r"(Import|Runtime|Dialect)/"],
    "TV/SMT": [r"mlir/Dialect/", PANPIPE + r"(Import|Runtime|Dialect)/"],
    "TV/Refine": [r"mlir/Dialect/(?!Func/)", PANPIPE + r"(Import|Runtime)/"],
    "TV": [PANPIPE + r"(Import|Runtime)/"],
    "Runtime": [LLVM, PANPIPE + r"(Import|TV|Dialect|Planner|Conversion|Pipelines)/"],
    "Colorize": [LLVM, PANPIPE + r"(Import|TV|Dialect|Planner|Conversion|Pipelines)/"],
}
# One header of one solver, in one file.
ONLY_IN = {r"z3\.h": "lib/TV/SMT/", r"dnnl|oneapi/": "lib/Runtime/CPU/"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def violations(root):
    for top in ("lib", "include/panpipe", "tools"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".def", ".inc"):
                continue
            name = path.relative_to(root).as_posix()
            part = path.relative_to(root / top).as_posix() if top != "tools" else ""
            rules = [pattern for prefix, patterns in FORBIDDEN.items()
                     if part.startswith(prefix + "/") for pattern in patterns]
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                header = match.group(1)
                for pattern in rules:
                    if re.match(pattern, header):
                        yield f"{name}:{number}: may not include {header}"
                for pattern, folder in ONLY_IN.items():
                    if re.search(pattern, header) and not name.startswith(folder):
                        yield f"{name}:{number}: {header} belongs into {folder} only"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "include rules: ok")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
