#!/usr/bin/env python3
# ===- run-doc-commands.py - The commands of a documentation page -------------===#
#
# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===--------------------------------------------------------------------------===#
"""Runs the commands of documentation pages, so that they stay true.

In a fenced block marked ```console, a line `$ command` is run by bash, in one
folder per page, with the tools on the PATH and $PANPIPE set to the source
folder. Its exit code must be 0, or the number in a following `(exit N)`. Output
lines between commands must occur in the command's output, in order; `…` stands
for anything. A fenced block whose info string is `text file=NAME` or `mlir
file=NAME` is written to NAME first.

usage: run-doc-commands.py SOURCE_DIR WORK_DIR PAGE...
"""
import pathlib
import re
import shutil
import subprocess
import sys


def blocks(text):
    """Yields (info string, lines) of the fenced blocks of a page."""
    info, lines = None, []
    for line in text.splitlines():
        if line.startswith("```"):
            if info is None:
                info, lines = line[3:].strip(), []
            else:
                yield info, lines
                info = None
        elif info is not None:
            lines.append(line)


def commands(lines):
    """Yields (command, expected exit code, expected output lines)."""
    current = None
    for line in lines:
        if line.startswith("$ "):
            if current:
                yield current
            current = [line[2:], 0, []]
        elif current is None:
            raise ValueError(f"a console block starts with output: {line}")
        elif current[0].endswith("\\"):
            current[0] = current[0][:-1] + line.strip()
        elif re.fullmatch(r"\(exit \d+\)", line.strip()):
            current[1] = int(line.strip()[6:-1])
        elif line.strip():
            current[2].append(line.strip())
    if current:
        yield current


def missing_line(expected, output):
    """The first expected line that does not occur in order, or None."""
    rest = [" ".join(line.split()) for line in output.splitlines()]
    for line in expected:
        pattern = ".*".join(re.escape(part) for part in " ".join(line.split()).split("…"))
        while rest and not re.search(pattern, rest[0]):
            rest.pop(0)
        if not rest:
            return line
        rest.pop(0)
    return None


def run_page(source, page, work):
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    count = 0
    build = pathlib.Path(shutil.which("panpipe-opt")).parent.parent
    for info, lines in blocks(page.read_text()):
        named = re.search(r"\bfile=(\S+)", info)
        if named:
            (work / named.group(1)).write_text("\n".join(lines) + "\n")
        if info.split()[:1] != ["console"]:
            continue
        for command, code, expected in commands(lines):
            done = subprocess.run(["bash", "-o", "pipefail", "-c", f'export PANPIPE="{source}" PANPIPE_BUILD="{build}"; {command}'],
                                  cwd=work, capture_output=True, text=True, timeout=600)
            output = done.stdout + done.stderr
            count += 1
            if done.returncode != code:
                sys.exit(f"{page}: exit code {done.returncode} instead of {code} from\n  {command}\n{output}")
            line = missing_line(expected, output)
            if line is not None:
                sys.exit(f"{page}: expected '{line}' from\n  {command}\nbut it printed\n{output}")
    print(f"{page.name}: {count} commands")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    source, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    for page in sys.argv[3:]:
        run_page(source, pathlib.Path(page), work / pathlib.Path(page).stem)


if __name__ == "__main__":
    main()
