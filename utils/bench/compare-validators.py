#!/usr/bin/env python3
"""Runs panpipe-tv and a peer validator over a folder of pairs, side by side.

usage: compare-validators.py FOLDER [--panpipe build/bin/panpipe-tv]
           [--peer 'other-tv {src} {tgt}'] [--valid REGEX] [--invalid REGEX]
           [--rounds 3] [--timeout 60] [--json FILE]

FOLDER holds pairs NAME.src.mlir and NAME.tgt.mlir. The two programs are run in turn on each pair,
so that both see the same load of the machine; of `--rounds` runs the fastest counts. A peer says what it
found by its output: --valid and --invalid are searched in it (default: 'correct' or 'refines', and
'incorrect', 'mismatch' or 'counterexample', in any case; invalid is looked for first). Without --peer
only panpipe-tv is timed, and compared with a FOLDER/expect.json {NAME: verdict} if there is one.
The exit code is 1 when the two contradict each other or the expectation.
"""
import argparse
import json
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import time

EXIT_CODES = {0: "VALID", 1: "INVALID", 2: "UNCONFIRMED", 3: "TIMEOUT", 4: "UNSUPPORTED", 5: "BAD-INPUT", 6: "VALID-UNDER"}


def timed(command, limit):
    """Exit code, output and seconds of one run; the code is None when it was stopped."""
    start = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, "", limit
    return done.returncode, done.stdout + done.stderr, time.perf_counter() - start


def panpipe_verdict(code, _):
    return "TIMEOUT" if code is None else EXIT_CODES.get(code, f"exit {code}")


def peer_verdict(valid, invalid):
    def verdict(code, output):
        if code is None:
            return "TIMEOUT"
        if re.search(invalid, output, re.I):
            return "INVALID"
        return "VALID" if re.search(valid, output, re.I) else f"none (exit {code})"
    return verdict


def contradict(ours, theirs):
    """A proof on one side, a refutation on the other; VALID-UNDER agrees with both."""
    return {ours, theirs} == {"VALID", "INVALID"}


def best(command, verdict, rounds, limit):
    results = [timed(command, limit) for _ in range(rounds)]
    said = {verdict(code, output) for code, output, _ in results}
    return "/".join(sorted(said)), min(seconds for _, _, seconds in results)


def compare(pair, options):
    source, target = str(pair) + ".src.mlir", str(pair) + ".tgt.mlir"
    row = {"pair": pair.name}
    command = [options.panpipe, "--reproducer=", f"--timeout={options.timeout}", source, target]
    row["panpipe"], row["panpipe_s"] = best(command, panpipe_verdict, options.rounds, options.timeout + 5)
    if options.peer:
        command = [word.format(src=source, tgt=target) for word in shlex.split(options.peer)]
        row["peer"], row["peer_s"] = best(command, peer_verdict(options.valid, options.invalid), options.rounds,
                                          options.timeout + 5)
        row["ratio"] = row["peer_s"] / row["panpipe_s"]
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--panpipe", default="build/bin/panpipe-tv")
    parser.add_argument("--peer")
    parser.add_argument("--valid", default="correct|refines")
    parser.add_argument("--invalid", default="incorrect|mismatch|counterexample|doesn't")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--json")
    options = parser.parse_args()
    pairs = sorted(path.with_name(path.name[:-len(".src.mlir")]) for path in options.folder.glob("*.src.mlir"))
    pairs = [pair for pair in pairs if pathlib.Path(str(pair) + ".tgt.mlir").exists()]
    if not pairs:
        sys.exit(f"{options.folder}: no pair NAME.src.mlir and NAME.tgt.mlir")
    expected_file = options.folder / "expect.json"
    expected = json.loads(expected_file.read_text()) if expected_file.exists() else {}
    rows, wrong = [], 0
    for pair in pairs:
        row = compare(pair, options)
        rows.append(row)
        other = row.get("peer", expected.get(pair.name))
        clash = other is not None and (contradict(row["panpipe"], other) or "/" in row["panpipe"])
        wrong += clash
        text = f"{row['pair']:32} {row['panpipe']:12} {row['panpipe_s']:7.3f} s"
        if options.peer:
            text += f"   {row['peer']:16} {row['peer_s']:7.3f} s   x{row['ratio']:.2f}"
        print(text + ("   CONTRADICTION" if clash else ""), flush=True)
    summary = f"{len(rows)} pairs, panpipe-tv median {statistics.median(r['panpipe_s'] for r in rows):.3f} s"
    if options.peer:
        ratios = [r["ratio"] for r in rows]
        summary += f", peer / panpipe-tv: median {statistics.median(ratios):.2f}, minimum {min(ratios):.2f}"
    print(f"{summary}, {wrong} contradictions")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=2) + "\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
