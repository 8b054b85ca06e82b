# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Colour a drawing of any size with the trained network, in PyTorch.

    python colorize.py drawing.png --tags blonde_hair,blue_eyes --out out.png

The reference for what the compiled program does around the network: alpha is
put over white paper, light-on-dark drawings are inverted, the picture is
padded to a square with paper (above a wide one, left and right of a tall
one), averaged down to 64 px, coloured, enlarged, and the lines are multiplied
in again at their own resolution.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path

import numpy as np
import torch
from PIL import Image, UnidentifiedImageError

import synth
from export import ExportError, load_generator
from model import Generator

WEIGHTS = Path(__file__).with_name("tag2pix-64.pt2")


def read_line_art(path: Path) -> np.ndarray:
    """Grey values [h,w] in [0,1], dark lines on white paper."""
    try:
        picture = Image.open(path).convert("RGBA")
    except FileNotFoundError as e:
        raise ExportError(f"no such file: {path}") from e
    except (UnidentifiedImageError, OSError) as e:
        raise ExportError(f"{path} is not a picture: {e}") from e
    rgba = np.asarray(picture, np.float32) / 255
    rgb = rgba[..., :3] * rgba[..., 3:] + 1 - rgba[..., 3:]
    grey = rgb @ np.array([0.299, 0.587, 0.114], np.float32)
    if grey.mean() < 0.5:
        grey = 1 - grey
    # Stretch so that the paper is white (a dark paper inverts to light grey).
    paper = np.median(grey)
    return np.clip(grey / max(paper, 0.5), 0, 1)


def square(line: np.ndarray) -> tuple[np.ndarray, tuple[int, int]]:
    """Pad [h,w] with paper to a square; also the (top, left) margins."""
    h, w = line.shape
    side = max(h, w)
    top, left = side - h, (side - w) // 2
    out = np.ones((side, side), np.float32)
    out[top:, left : left + w] = line
    return out, (top, left)


def resize(plane: np.ndarray, side: int, method: int) -> np.ndarray:
    """Resample one float plane to side x side."""
    return np.asarray(Image.fromarray(plane.astype(np.float32)).resize((side, side), method))


def reduce_line(line: np.ndarray, size: int) -> np.ndarray:
    """Average a square plane down to size x size."""
    return np.clip(resize(line, size, Image.Resampling.BOX), 0, 1)


@torch.no_grad()
def colorize(
    generator: Generator, line: np.ndarray, tags: np.ndarray, keep_lines: bool = True
) -> np.ndarray:
    """Colour image [h,w,3] in [0,1] of grey line art [h,w] and tags [60]."""
    h, w = line.shape
    padded, (top, left) = square(line)
    small = reduce_line(padded, generator.config.size)
    out = generator(torch.from_numpy(small.copy())[None, None], torch.from_numpy(tags)[None])
    planes = ((out[0] + 1) / 2).numpy()
    side = padded.shape[0]
    big = np.stack([resize(p, side, Image.Resampling.BICUBIC) for p in planes], -1)
    big = np.clip(big[top : top + h, left : left + w], 0, 1)
    return big * line[..., None] if keep_lines else big


def parse_tags(text: str, vocab: synth.Vocabulary) -> np.ndarray:
    """Comma-separated tag names to a vector; unknown names get a suggestion."""
    names = [t.strip() for t in text.split(",") if t.strip()]
    for name in names:
        if name not in vocab.index:
            near = difflib.get_close_matches(name, vocab.tags, 1)
            hint = f", did you mean {near[0]}?" if near else ""
            raise ExportError(f"unknown tag {name}{hint}")
    return vocab.vector(names)


def main(argv: list[str] | None = None) -> int:
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("picture", type=Path)
    p.add_argument("--tags", default="", help="comma-separated names")
    p.add_argument("--weights", type=Path, default=WEIGHTS)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--no-lines", action="store_true", help="only the colour layer")
    a = p.parse_args(argv)
    torch.set_num_threads(1)
    try:
        tags = parse_tags(a.tags, synth.Vocabulary())
        line = read_line_art(a.picture)
        image = colorize(load_generator(a.weights), line, tags, not a.no_lines)
        Image.fromarray(np.rint(image * 255).astype(np.uint8)).save(a.out)
    except (ExportError, ValueError, OSError) as e:
        print(f"colorize: {e}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
