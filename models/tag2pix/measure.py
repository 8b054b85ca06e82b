# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quality of a colouring network on unseen synthetic drawings.

    python measure.py --weights tag2pix-64.pt2 --json quality.json
    python measure.py --weights tag2pix-64.pt2 --style brush

To judge another implementation (say, the compiled program) write the inputs,
run it on every NNNNN.line.npy / NNNNN.tags.npy, and store its [1,3,s,s]
results as NNNNN.out0.npy in one folder:

    python measure.py --write-inputs DIR --count 50
    python measure.py --outputs DIR --count 50

Measures: share of regions (and of interior pixels) whose nearest anchor in
CIELAB is the tag; change outside and inside a region when only its tag
changes; L1, PSNR and the error near region borders; dark lines that stay dark.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

import synth
from colour import nearest
from figure import SMALL
from synth import interior


def conformance(image: np.ndarray, data: dict, painted: np.ndarray, vocab) -> dict:
    """Share of regions and of interior pixels whose nearest anchor is the tag.

    image [n,3,s,s] in [0,1]; painted [n,7] is the tag of every category.
    """
    region, pixel, counts = {}, {}, {}
    for c, (name, (lo, hi)) in enumerate(vocab.ranges.items()):
        inside = interior(data, synth.REGION_OF[name])
        anchors, want = vocab.anchors[lo:hi], painted[:, c] - lo
        keep = [k for k in range(len(image)) if inside[k].sum() >= 4]
        counts[name] = len(keep)
        if not keep:
            region[name] = pixel[name] = None
            continue
        means = np.array([image[k][:, inside[k]].mean(1) for k in keep])
        region[name] = float((nearest(means, anchors) == want[keep]).mean())
        hits = [(nearest(image[k][:, inside[k]].T, anchors) == want[k]).mean() for k in keep]
        pixel[name] = float(np.mean(hits))
    return {"region": region, "pixel": pixel, "regions_counted": counts}


class Trials:
    """Shapes, base tags, and one variant per category with that tag changed."""

    def __init__(self, data: dict, vocab: synth.Vocabulary, seed: int = 11):
        self.data, self.vocab = data, vocab
        rng = np.random.default_rng(seed)
        n = len(data["ink"])
        _, base = synth.pick_tags(rng, vocab, n, drop=0.0)
        self.painted = [base]
        for c, (lo, hi) in enumerate(vocab.ranges.values()):
            other = base.copy()
            shift = rng.integers(1, hi - lo, n)
            other[:, c] = lo + (base[:, c] - lo + shift) % (hi - lo)
            self.painted.append(other)

    def tags(self, variant: int) -> np.ndarray:
        """Multi-hot vectors [n,60] of a variant (0 = base)."""
        out = np.zeros((len(self.painted[0]), len(self.vocab.tags)), np.float32)
        np.put_along_axis(out, self.painted[variant], 1, 1)
        return out

    def line(self) -> np.ndarray:
        """Network input [n,1,s,s]."""
        return synth.line_art(self.data["ink"])

    def truth(self, variant: int) -> np.ndarray:
        """Perfect images [n,3,s,s] of a variant."""
        rgb = synth.colours(self.vocab, self.painted[variant])
        return synth.compose(self.data["cover"], self.data["shade"], rgb)


def border_band(data: dict) -> np.ndarray:
    """Mask [n,s,s]: pixels at most 2 px from another region."""
    label = data["cover"].argmax(1)
    near = np.zeros(label.shape, bool)
    for axis in (1, 2):
        for step in (1, 2):
            a = np.moveaxis(label, axis, 1)
            differ = a[:, step:] != a[:, :-step]
            b = np.moveaxis(near, axis, 1)
            b[:, step:] |= differ
            b[:, :-step] |= differ
    return near


def fidelity(image: np.ndarray, truth: np.ndarray, data: dict) -> dict:
    """L1, PSNR (dB), mean error in the border band, in full-scale units."""
    error = np.abs(image - truth)
    square = ((image - truth) ** 2).mean((1, 2, 3))
    band = border_band(data)
    per_pixel = error.mean(1)
    return {
        "l1": float(error.mean()),
        "psnr_db": float(np.mean(-10 * np.log10(np.maximum(square, 1e-10)))),
        "border_l1": float(per_pixel[band].mean()),
    }


def counterfactual(images: list[np.ndarray], trials: Trials) -> dict:
    """Leak outside and response inside a region when its tag changes."""
    out = {}
    base, base_truth = images[0], trials.truth(0)
    for c, name in enumerate(trials.vocab.ranges):
        region = synth.REGION_OF[name]
        change = np.abs(images[c + 1] - base).mean(1)
        wanted = np.abs(trials.truth(c + 1) - base_truth).mean(1)
        outside = trials.data["cover"][:, region] == 0
        inside = interior(trials.data, region)
        response = change[inside].mean() / wanted[inside].mean() if inside.any() else None
        out[name] = {
            "leak": float(change[outside].mean()),
            "response": None if response is None else float(response),
        }
    return out


def line_recall(image: np.ndarray, line: np.ndarray) -> float:
    """Share of dark line pixels still dark after the lines are multiplied in."""
    dark = line[:, 0] < 0.3
    light = (image * line).mean(1)
    return float((light[dark] < 0.4).mean()) if dark.any() else 1.0


def report(images: list[np.ndarray], trials: Trials) -> dict:
    """All measures for the images of every variant."""
    out = conformance(images[0], trials.data, trials.painted[0], trials.vocab)
    out["region_mean"] = float(np.mean([v for v in out["region"].values() if v is not None]))
    out["counterfactual"] = counterfactual(images, trials)
    out["leak_mean"] = float(np.mean([v["leak"] for v in out["counterfactual"].values()]))
    out.update(fidelity(images[0], trials.truth(0), trials.data))
    out["line_recall"] = line_recall(images[0], trials.line())
    out["shapes"] = len(images[0])
    return out


def region_table(result: dict) -> str:
    """One short line: region conformance and L1."""
    parts = [f"{k[:6]} {v:.3f}" for k, v in result["region"].items() if v is not None]
    return " ".join(parts) + f" | l1 {result.get('l1', float('nan')):.4f}"


def table(results: dict[str, dict]) -> str:
    """A Markdown table, one row per category, of every set of shapes."""
    head = ["category (tags)"]
    for name in results:
        head += [f"{name}: region", "pixel", "leak", "response"]
    rows = [head, ["---"] * len(head)]
    vocab = synth.Vocabulary()
    for c, (lo, hi) in vocab.ranges.items():
        row = [f"{c} ({hi - lo})"]
        for r in results.values():
            cf = r["counterfactual"][c]
            values = (r["region"][c], r["pixel"][c], cf["leak"], cf["response"])
            digits = (3, 3, 4, 3)
            row += ["–" if v is None else f"{v:.{n}f}" for v, n in zip(values, digits)]
        rows.append(row)
    lines = ["| " + " | ".join(r) + " |" for r in rows]
    for name, r in results.items():
        lines.append(
            f"{name}: {r['shapes']} shapes, mean region {r['region_mean']:.4f}, mean leak "
            f"{r['leak_mean']:.4f}, L1 {r['l1']:.4f}, PSNR {r['psnr_db']:.1f} dB, "
            f"border L1 {r['border_l1']:.4f}, line recall {r['line_recall']:.4f}"
        )
    return "\n".join(lines)


def trials_for(
    count: int,
    size: int,
    style: str | None,
    small: bool = True,
    legible: bool = True,
    skip: int = 0,
) -> Trials:
    """Trials on shapes no training run has seen, with or without small figures.

    With `legible` off the frames that leave a sliver of a region count too.
    """
    data = synth.make_shapes(synth.TEST_SEED + skip, count, size, style, legible=legible)
    if not small:
        data = {k: v[data["unit"] >= SMALL] for k, v in data.items()}
    return Trials(data, synth.Vocabulary())


def write_inputs(trials: Trials, folder: Path) -> int:
    """Numbered .npy inputs of every variant; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    line, k = trials.line(), 0
    for v in range(len(trials.painted)):
        for one, tags in zip(line, trials.tags(v)):
            np.save(folder / f"{k:05d}.line.npy", one[None])
            np.save(folder / f"{k:05d}.tags.npy", tags[None])
            k += 1
    return k


def read_outputs(trials: Trials, folder: Path) -> list[np.ndarray]:
    """Images in [0,1] of every variant from numbered .out0.npy files."""
    n, s = len(trials.data["ink"]), trials.data["ink"].shape[1]
    images = []
    for v in range(len(trials.painted)):
        paths = [folder / f"{v * n + k:05d}.out0.npy" for k in range(n)]
        arrays = [np.load(p) for p in paths]
        for p, a in zip(paths, arrays):
            if a.shape != (1, 3, s, s):
                raise ValueError(f"{p} has shape {list(a.shape)}, want [1, 3, {s}, {s}]")
        images.append((np.concatenate(arrays).astype(np.float32) + 1) / 2)
    return images


def run_network(weights: Path, trials: Trials) -> list[np.ndarray]:
    """Images in [0,1] of every variant from a trained network."""
    import torch

    from export import load_generator
    from train import paint_all

    torch.set_num_threads(1)
    generator = load_generator(weights)
    want = trials.data["ink"].shape[1]
    if generator.config.size != want:
        raise ValueError(f"{weights} is for {generator.config.size} px, --size is {want}")
    line = trials.line()
    return [paint_all(generator, line, trials.tags(v)) for v in range(len(trials.painted))]


def parse(argv: list[str] | None) -> argparse.Namespace:
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = p.add_mutually_exclusive_group(required=True)
    what.add_argument("--weights", type=Path, help="generator.pt of a run, or a .pt2")
    what.add_argument("--outputs", type=Path, help="folder of NNNNN.out0.npy")
    what.add_argument("--write-inputs", type=Path, help="folder to fill")
    p.add_argument("--count", type=int, default=200, help="shapes")
    p.add_argument("--skip", type=int, default=0, help="leave out the first so many test shapes")
    p.add_argument("--size", type=int, default=64)
    p.add_argument("--style", choices=synth.STYLES, help="one line style only")
    p.add_argument("--json", type=Path, help="also write all numbers there")
    return p.parse_args(argv)


def run(a: argparse.Namespace) -> None:
    """Do what the command line asks for."""
    if a.write_inputs:
        n = write_inputs(trials_for(a.count, a.size, a.style, skip=a.skip), a.write_inputs)
        print(f"measure: {n} inputs in {a.write_inputs}")
        return
    sets = {a.style or "training styles": (a.style, True, True)}
    if a.weights and not a.style:
        sets[f"{synth.HELD_OUT} (held out)"] = (synth.HELD_OUT, True, True)
        sets[f"{synth.HELD_OUT}, no small figures"] = (synth.HELD_OUT, False, True)
        sets["training styles, slivers too"] = (None, True, False)
        sets[f"{synth.HELD_OUT}, slivers too"] = (synth.HELD_OUT, True, False)
    results = {}
    for name, (style, small, legible) in sets.items():
        trials = trials_for(a.count, a.size, style, small, legible, a.skip)
        images = run_network(a.weights, trials) if a.weights else read_outputs(trials, a.outputs)
        results[name] = report(images, trials)
    print(table(results))
    if a.json:
        a.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def main(argv: list[str] | None = None) -> int:
    a = parse(argv)
    try:
        if a.count < 1 or a.skip < 0 or a.size < 16 or a.size % 16:
            raise ValueError("--count must be >= 1, --skip >= 0 and --size a multiple of 16")
        if a.weights and not a.weights.is_file():
            raise FileNotFoundError(f"no such file: {a.weights}")
        run(a)
    except Exception as e:  # every cause is a message and a status for the user
        print(f"measure: {e}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
