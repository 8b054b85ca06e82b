# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Colours every drawing here in two palettes and writes preview.png."""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from colorize import WEIGHTS, colorize, load_generator, parse_tags, read_line_art  # noqa: E402
from synth import Vocabulary  # noqa: E402

SIDE = 200
PALETTES = (
    "blonde_hair,blue_eyes,white_shirt,red_skirt,red_ribbon,pale_skin,blue_background",
    "aqua_hair,red_eyes,black_shirt,green_skirt,yellow_ribbon,tan_skin,grey_background",
)


def tile(image: np.ndarray) -> Image.Image:
    """A square tile [SIDE, SIDE] with the picture in its middle."""
    picture = Image.fromarray(np.rint(image * 255).astype(np.uint8))
    picture.thumbnail((SIDE - 6, SIDE - 6), Image.Resampling.LANCZOS)
    out = Image.new("RGB", (SIDE, SIDE), (255, 255, 255))
    out.paste(picture, ((SIDE - picture.width) // 2, (SIDE - picture.height) // 2))
    return out


def main() -> None:
    generator, vocab = load_generator(WEIGHTS), Vocabulary()
    files = sorted(HERE.glob("0*.png"))
    sheet = Image.new("RGB", (SIDE * len(files), SIDE * (1 + len(PALETTES))), (255, 255, 255))
    for k, path in enumerate(files):
        line = read_line_art(path)
        sheet.paste(tile(np.repeat(line[..., None], 3, 2)), (k * SIDE, 0))
        for row, palette in enumerate(PALETTES):
            image = colorize(generator, line, parse_tags(palette, vocab))
            sheet.paste(tile(image), (k * SIDE, (row + 1) * SIDE))
    sheet.quantize(256, kmeans=3, dither=Image.Dither.NONE).save(HERE / "preview.png", optimize=True)


if __name__ == "__main__":
    main()
