#!/usr/bin/env python3
# ===- whole-models.py - Proofs of stock passes on whole networks --------------===#
#
# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===--------------------------------------------------------------------------===#
"""Runs passes of MLIR over whole networks with `panpipe-opt --validate` and prints a
Markdown table: verdict, seconds, peak MiB, how.

usage: whole-models.py export FOLDER [NAME…]        torchvision's, with random weights
       whole-models.py prove --bin BUILD/bin [--pass NAME]… MODEL.pt2…
       whole-models.py graph NODES OUT.mlir          a graph of so many operations

`export` needs torch and torchvision. The time of a row is that of all its passes
together, as the report gives it; the memory is the largest of any process. A model
may also be an .mlir file.
"""
import argparse
import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

PIPELINES = {
    "generalize": "linalg-generalize-named-ops",
    "fuse": "func.func(linalg-generalize-named-ops),func.func(linalg-fuse-elementwise-ops)",
    "fuse-inlined": "inline,func.func(linalg-fuse-elementwise-ops)",
    "canonicalize-cse": "canonicalize,cse",
    "fold-unit-dims": "func.func(linalg-fold-unit-extent-dims)",
    "elementwise": "convert-elementwise-to-linalg",
    "inline": "inline",
    "split": "pipe-verify-model,pipe-partition{devices=2},pipe-verify-staged,"
             "pipe-microbatch{count=COUNT},pipe-verify-microbatched,pipe-schedule,pipe-verify-scheduled",
}


def export(folder, names):
    import torch
    import torchvision
    builders = {"squeezenet": torchvision.models.squeezenet1_1,
                "mobilenet": torchvision.models.mobilenet_v3_small,
                "resnet18": torchvision.models.resnet18,
                "resnet50": torchvision.models.resnet50}
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or builders:
        torch.manual_seed(2)
        model = builders[name](weights=None).eval()
        program = torch.export.export(model, (torch.randn(1, 3, 224, 224),))
        torch.export.save(program, folder / f"{name}.pt2")
        print(folder / f"{name}.pt2")


def graph(nodes, out):
    """Layers of products, additions and activations with skips, one batch of 4."""
    random.seed(nodes)
    kind = "tensor<4x16xf32>"
    lines = ["#id = affine_map<(d0, d1) -> (d0, d1)>", "module {", f"  func.func @main(%x: {kind}, %w: tensor<16x16xf32>) -> {kind} {{",
             "    %zero = arith.constant 0.0 : f32", f"    %e = tensor.empty() : {kind}"]
    values = ["%x"]
    for i in range(nodes):
        a, b = values[-1], random.choice(values[-8:])
        if i % 4 == 0:
            lines.append(f"    %f{i} = linalg.fill ins(%zero : f32) outs(%e : {kind}) -> {kind}")
            lines.append(f"    %v{i} = linalg.matmul ins({a}, %w : {kind}, tensor<16x16xf32>) outs(%f{i} : {kind}) -> {kind}")
        else:
            op = ["arith.addf", "arith.maximumf", "arith.mulf"][i % 4 - 1]
            lines.append(f"    %v{i} = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = [\"parallel\", \"parallel\"]}} "
                         f"ins({a}, {b} : {kind}, {kind}) outs(%e : {kind}) {{")
            lines.append("    ^bb0(%p: f32, %q: f32, %o: f32):")
            lines.append(f"      %r = {op} %p, %q : f32\n      linalg.yield %r : f32\n    }} -> {kind}")
        values.append(f"%v{i}")
    lines += [f"    return {values[-1]} : {kind}", "  }", "}"]
    out.write_text("\n".join(lines) + "\n")


def prove(tools, models, wanted, timeout, count):
    print("| model | passes | verdict | seconds | MiB | how |\n|---|---|---|---|---|---|")
    ok = True
    with tempfile.TemporaryDirectory() as work:
        for model in models:
            text = model
            if model.suffix == ".pt2":
                text = pathlib.Path(work) / f"{model.stem}.mlir"
                subprocess.run([tools / "panpipe-translate", "--import-pt2", model, "-o", text], check=True)
            for name, pipeline in PIPELINES.items():
                if wanted and name not in wanted:
                    continue
                report = pathlib.Path(work) / "report.json"
                command = [tools / "panpipe-opt", text, "--validate", f"--validate-report={report}", f"--validate-timeout={timeout}",
                           f"--pass-pipeline=builtin.module({pipeline.replace('COUNT', str(count))})", "-o", "/dev/null"]
                report.unlink(missing_ok=True)
                done = subprocess.run(command, capture_output=True, text=True)
                peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
                if not report.exists():
                    print(f"| {model.stem} | {name} | {done.stderr.strip().splitlines()[-1:]} | | | |")
                    ok = False
                    continue
                rows = json.loads(report.read_text())["passes"]
                verdicts = sorted({f["verdict"] for one in rows for f in one["functions"]})
                seconds = sum(f["seconds"] for one in rows for f in one["functions"])
                how = {}
                for one in rows:
                    for function in one["functions"]:
                        for key, value in function["statistics"].items():
                            if key not in ("nodes", "obligations", "queries"):
                                how[key] = how.get(key, 0) + value
                ok &= verdicts in ([], ["VALID"])
                print(f"| {model.stem} | {name} | {', '.join(verdicts) or 'unchanged'} | {seconds:.2f} | {peak:.0f} | "
                      f"{', '.join(f'{v} {k}' for k, v in how.items() if v) or '-'} |", flush=True)
    return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = parser.add_subparsers(dest="command", required=True)
    one = sub.add_parser("export")
    one.add_argument("folder", type=pathlib.Path)
    one.add_argument("names", nargs="*")
    one = sub.add_parser("prove")
    one.add_argument("--bin", type=pathlib.Path, required=True)
    one.add_argument("--pass", dest="passes", action="append", choices=sorted(PIPELINES))
    one.add_argument("--timeout", type=float, default=60)
    one.add_argument("--count", type=int, default=1, help="microbatches of the row 'split'")
    one.add_argument("models", nargs="+", type=pathlib.Path)
    one = sub.add_parser("graph")
    one.add_argument("nodes", type=int)
    one.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    if args.command == "export":
        export(args.folder, args.names)
    elif args.command == "graph":
        graph(args.nodes, args.out)
    elif not prove(args.bin, args.models, args.passes, args.timeout, args.count):
        sys.exit(1)


if __name__ == "__main__":
    main()
