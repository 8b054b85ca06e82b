# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Colours every drawing here in two palettes and writes preview.png.

    python preview.py                                          # the network's own, soft colours
    PANPIPE_TAG2PIX=tag2pix.panpipe python preview.py build/bin/panpipe-colorize

Given the compiled program, a row made by it follows for each palette: it
fills closed lines with one colour.
"""

import subprocess
import sys
import tempfile
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


def compiled(program: str, path: Path, palette: str) -> np.ndarray:
    """The picture [h,w,3] in [0,1] that panpipe-colorize makes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.png"
        subprocess.run([program, path, "--tags", palette, "-o", out], check=True, stdout=subprocess.DEVNULL)
        return np.asarray(Image.open(out).convert("RGB"), np.float32) / 255


def main(program: str | None = None) -> None:
    generator, vocab = load_generator(WEIGHTS), Vocabulary()
    columns = []
    for path in sorted(HERE.glob("0*.png")):
        line = read_line_art(path)
        column = [np.repeat(line[..., None], 3, 2)]
        for palette in PALETTES:
            column.append(colorize(generator, line, parse_tags(palette, vocab)))
            if program:
                column.append(compiled(program, path, palette))
        columns.append(column)
    sheet = Image.new("RGB", (SIDE * len(columns), SIDE * len(columns[0])), (255, 255, 255))
    for k, column in enumerate(columns):
        for row, image in enumerate(column):
            sheet.paste(tile(image), (k * SIDE, row * SIDE))
    sheet.quantize(256, kmeans=3, dither=Image.Dither.NONE).save(HERE / "preview.png", optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:2])
