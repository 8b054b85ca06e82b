# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Synthetic line drawings with exact region ground truth.

A *shape* is one drawing without colours: ink, shade and the share of every
region in every pixel.  Colours are composed from tags afterwards, so one
shape serves all tag combinations.  Same seed, same bytes.

    python synth.py --count 6000 --out shapes.npz
    python synth.py --count 64 --sheet sheet.png      # to look at
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from figure import BACKGROUND, BOTTOM, HAIR, IRIS, RIBBON, SCLERA, SKIN, TOP, draw_figure
from strokes import HELD_OUT, NEUTRAL, SCALE, STYLES, Canvas

REGIONS = 8
TEST_SEED = 10_000_000  # seeds from here on are never trained on
REGION_OF = {
    "background": BACKGROUND,
    "skin": SKIN,
    "hair": HAIR,
    "eyes": IRIS,
    "top": TOP,
    "bottom": BOTTOM,
    "ribbon": RIBBON,
}
# What is painted where the user gives no tag of the category.
DEFAULTS = {
    "background": "white_background",
    "skin": "pale_skin",
    "hair": "brown_hair",
    "eyes": "blue_eyes",
    "top": "white_shirt",
    "bottom": "blue_skirt",
    "ribbon": "red_ribbon",
}
INTERIOR, CLEAR = 252, 38  # least cover and most ink (of 255) of an interior pixel
# Regions a legible drawing shows either not at all or with at least this
# share of the picture as interior pixels.
WHOLE, LEAST = (SKIN, HAIR, TOP, BOTTOM), 0.01
TRIES = 50  # drawings made for one seed until one is legible
DROP = 0.2  # chance that a category's tag is not given in training


class Vocabulary:
    """Tag names, their categories and sRGB anchors, in vector order."""

    def __init__(self, path: Path | None = None):
        path = path or Path(__file__).with_name("vocabulary.json")
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        self.categories = data["categories"]
        self.tags = [t for c in self.categories.values() for t in c]
        self.index = {t: k for k, t in enumerate(self.tags)}
        anchors = [a for c in self.categories.values() for a in c.values()]
        self.anchors = np.array([self._rgb(a) for a in anchors], np.float32)
        self.ranges, start = {}, 0
        for name, members in self.categories.items():
            self.ranges[name] = (start, start + len(members))
            start += len(members)

    @staticmethod
    def _rgb(text: str) -> list[float]:
        return [int(text[k : k + 2], 16) / 255 for k in (1, 3, 5)]

    def vector(self, tags: list[str]) -> np.ndarray:
        """Multi-hot [tags] float32; KeyError names an unknown tag."""
        v = np.zeros(len(self.tags), np.float32)
        for t in tags:
            v[self.index[t]] = 1
        return v


def ink_width(rng: np.random.Generator, size: int) -> float:
    """Line width in canvas pixels: 0.3 to 1.7 output pixels at 64."""
    return float(np.exp(rng.uniform(np.log(1.2), np.log(6.8)))) * size / 64


def shrink(layer: np.ndarray) -> np.ndarray:
    """Box filter of canvas pixels [SCALE*s, SCALE*s] to [s, s]."""
    s = layer.shape[0] // SCALE
    return layer.reshape(s, SCALE, s, SCALE).mean((1, 3), dtype=np.float32)


def soften(shade: np.ndarray) -> np.ndarray:
    """3x3 box blur of [s, s] with repeated borders."""
    p = np.pad(shade, 1, mode="edge")
    s = shade.shape[0]
    return sum(p[i : i + s, j : j + s] for i in range(3) for j in range(3)) / 9


def letterbox(rng: np.random.Generator, layers: list[np.ndarray], blank: list[int]) -> None:
    """Blank margins, as a padded wide or tall drawing has them (in place)."""
    side = layers[0].shape[0]
    if rng.random() > 0.22:
        return
    kind, m = int(rng.integers(4)), int(side * rng.uniform(0.04, 0.22))
    for layer, value in zip(layers, blank):
        if kind == 0:
            layer[side - m :] = value
        elif kind == 1:
            layer[:m], layer[side - m :] = value, value
        else:
            layer[:, :m], layer[:, side - m :] = value, value


def interior(data: dict, region: int) -> np.ndarray:
    """Mask [...,s,s] of pixels wholly inside a region and almost free of ink."""
    return (data["cover"][..., region, :, :] > INTERIOR) & (data["ink"] < CLEAR)


def is_legible(shape: dict) -> bool:
    """Whether no garment, hair or skin is a mere sliver.

    Slivers come from frames that end just below a hem and from hair, arms and
    bows in front of a region.  Nobody could tell what such a strip belongs to.
    """
    least = LEAST * shape["ink"].size
    shown = [k for k in WHOLE if shape["cover"][k].any()]
    return all(interior(shape, k).sum() >= least for k in shown)


def make_shape(
    seed: int, size: int = 64, style: str | None = None, legible: bool = True
) -> dict:
    """One shape: ink, shade [s,s], cover [8,s,s], all uint8; style, figure unit.

    A drawing with slivers of a region is thrown away and another one made
    from the same stream, unless `legible` is off.
    """
    rng = np.random.default_rng(seed)
    usable = [s for s in STYLES if s != HELD_OUT]
    chosen = usable[rng.integers(len(usable))]
    style = style or chosen
    for _ in range(TRIES):
        shape = draw_shape(rng, size, style)
        if not legible or is_legible(shape):
            break
    return shape


def draw_shape(rng: np.random.Generator, size: int, style: str) -> dict:
    """One drawing as it comes, in the form of `make_shape`."""
    canvas = Canvas(size, rng, style, ink_width(rng, size))
    unit = draw_figure(rng, canvas, size)
    layers = [np.array(i) for i in (canvas.regions, canvas.ink, canvas.shade)]
    letterbox(rng, layers, [BACKGROUND, 0, NEUTRAL])
    regions, ink, shade = layers
    cover = np.stack([shrink((regions == k) * np.uint8(255)) for k in range(REGIONS)])
    ink, shade = shrink(ink), soften(shrink(shade))
    return {
        "ink": np.rint(ink).astype(np.uint8),
        "shade": np.rint(shade).astype(np.uint8),
        "cover": np.rint(cover).astype(np.uint8),
        "style": np.uint8(STYLES.index(style)),
        "unit": np.float32(unit),
    }


def make_shapes(
    first: int,
    count: int,
    size: int = 64,
    style: str | None = None,
    show: bool = False,
    legible: bool = True,
) -> dict[str, np.ndarray]:
    """Shapes of the seeds first .. first+count-1, stacked on axis 0."""
    items, start = [], time.time()
    for k in range(count):
        items.append(make_shape(first + k, size, style, legible))
        if show and (k + 1) % 1000 == 0:
            print(f"synth: {k + 1}/{count} shapes, {time.time() - start:.0f} s", flush=True)
    return {key: np.stack([i[key] for i in items]) for key in items[0]}


def cached_shapes(path: Path, first: int, count: int, size: int) -> dict[str, np.ndarray]:
    """Load shapes from an .npz, or make and store them there."""
    if path.exists():
        with np.load(path) as f:
            data = {k: f[k] for k in f.files}
        if len(data["ink"]) == count and data["ink"].shape[1] == size:
            return data
        print(f"synth: {path} holds other shapes, making them again", flush=True)
    data = make_shapes(first, count, size, show=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part.npz")
    np.savez(part, **data)
    os.replace(part, path)
    return data


def pick_tags(
    rng: np.random.Generator, vocab: Vocabulary, count: int, drop: float = DROP
) -> tuple[np.ndarray, np.ndarray]:
    """Random tags: vectors [n,tags] and the tag painted per category [n,7].

    A dropped category has no bit set and is painted in its default.
    """
    vectors = np.zeros((count, len(vocab.tags)), np.float32)
    painted = np.zeros((count, len(vocab.ranges)), np.int64)
    for c, (name, (lo, hi)) in enumerate(vocab.ranges.items()):
        tag = rng.integers(lo, hi, count)
        given = rng.random(count) >= drop
        painted[:, c] = np.where(given, tag, vocab.index[DEFAULTS[name]])
        vectors[np.nonzero(given)[0], tag[given]] = 1
    return vectors, painted


def colours(vocab: Vocabulary, painted: np.ndarray) -> np.ndarray:
    """Region colours [n, 8, 3] in [0,1] of painted tags [n, 7]."""
    out = np.ones((len(painted), REGIONS, 3), np.float32)
    for c, name in enumerate(vocab.ranges):
        out[:, REGION_OF[name]] = vocab.anchors[painted[:, c]]
    return out


def compose(cover: np.ndarray, shade: np.ndarray, rgb: np.ndarray) -> np.ndarray:
    """Colour images [n,3,s,s] in [0,1], without lines.

    cover [n,8,s,s] and shade [n,s,s] are uint8, rgb is [n,8,3].
    Shade below 128 darkens, above it lightens towards white.
    """
    n, _, s, _ = cover.shape
    share = cover.reshape(n, REGIONS, s * s).astype(np.float32)
    share /= share.sum(1, keepdims=True)
    image = np.matmul(rgb.transpose(0, 2, 1), share).reshape(n, 3, s, s)
    v = shade[:, None].astype(np.float32) / NEUTRAL
    return np.where(v <= 1, image * v, image + (1 - image) * (v - 1))


def line_art(ink: np.ndarray) -> np.ndarray:
    """Ink uint8 [n,s,s] to a network input [n,1,s,s]: 1 paper, 0 line."""
    return 1 - ink[:, None].astype(np.float32) / 255


def contact_sheet(data: dict, vocab: Vocabulary, path: Path, columns: int = 8) -> None:
    """Line art beside its coloured truth, enlarged, as one PNG."""
    from PIL import Image

    n, size = len(data["ink"]), data["ink"].shape[1]
    _, painted = pick_tags(np.random.default_rng(0), vocab, n)
    image = compose(data["cover"], data["shade"], colours(vocab, painted))
    line = line_art(data["ink"])
    both = np.concatenate([np.repeat(line, 3, 1), image * line], 3)
    rows = -(-n // columns)
    sheet = np.ones((rows * size, columns * 2 * size, 3), np.float32)
    for k in range(n):
        y, x = k // columns * size, k % columns * 2 * size
        sheet[y : y + size, x : x + 2 * size] = both[k].transpose(1, 2, 0)
    picture = Image.fromarray((sheet * 255).astype(np.uint8))
    picture.resize((sheet.shape[1] * 2, sheet.shape[0] * 2), 0).save(path)


def main(argv: list[str] | None = None) -> int:
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--seed", type=int, default=0, help="first seed")
    p.add_argument("--count", type=int, default=64)
    p.add_argument("--size", type=int, default=64)
    p.add_argument("--style", choices=STYLES, help="force one line style")
    p.add_argument("--out", type=Path, help="write the shapes as .npz")
    p.add_argument("--sheet", type=Path, help="write a contact sheet as PNG")
    a = p.parse_args(argv)
    if a.count < 1 or a.size < 16 or a.size % 16:
        print("synth: count must be >= 1 and size a multiple of 16", file=sys.stderr)
        return 2
    data = make_shapes(a.seed, a.count, a.size, a.style, show=True)
    if a.out:
        np.savez(a.out, **data)
    if a.sheet:
        contact_sheet(data, Vocabulary(), a.sheet)
    present = (data["cover"] > 252).sum((2, 3)) >= 4
    print("synth: share of shapes with each region:", np.round(present.mean(0), 2).tolist())
    return 0


if __name__ == "__main__":
    sys.exit(main())
