#!/usr/bin/env python3
"""Writes docs/TV/Encodings.md: which operations the validator can prove about.

  panpipe-tv --list-operations | utils/encodings-page.py > docs/TV/Encodings.md

A tested operation has test/TV/Encode/<dialect>/<operation>.mlir; those pairs run
in the interpreter too (TVEncodeOracleTest). Why an operation has no encoding is
in docs/TV/left-out.txt, one "pattern: reason" a line; the first match counts."""
import fnmatch
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
tests = root / "test/TV/Encode"
reasons = []
for line in (root / "docs/TV/left-out.txt").read_text().splitlines():
    if line and not line.startswith("#"):
        pattern, reason = line.split(": ", 1)
        reasons.append((pattern, reason))


def reason_for(name):
    for pattern, reason in reasons:
        if fnmatch.fnmatchcase(name, pattern):
            return reason
    return "not yet"


dialects = {}
for line in sys.stdin.read().splitlines():
    name, answer = line.split()
    dialects.setdefault(name.split(".", 1)[0], []).append((name, answer == "yes"))

print("""# Operations that can be proved about

Written by `panpipe-tv --list-operations | utils/encodings-page.py`; `TV/encodings-page.test` keeps it true. An encoded operation
has a test with a pair that is VALID and one that is INVALID; the interpreter executes the same pairs on random inputs, and the two must
agree. An operation that is left out makes every function that uses it UNSUPPORTED, never VALID.
""")
for dialect, operations in sorted(dialects.items()):
    encoded = sorted(name for name, yes in operations if yes)
    missing = sorted(name for name, yes in operations if not yes)
    untested = [n for n in encoded
                if not (tests / dialect / (n.split(".", 1)[1] + ".mlir")).exists()]
    print(f"## {dialect}\n")
    print(f"{len(encoded)} of {len(operations)} operations, {len(encoded) - len(untested)} with a test of their own:")
    print(", ".join(f"`{n.split('.', 1)[1]}`" for n in encoded) + ".\n")
    if missing:
        print("| left out | reason |\n|---|---|")
        for name in missing:
            print(f"| `{name.split('.', 1)[1]}` | {reason_for(name)} |")
        print()
