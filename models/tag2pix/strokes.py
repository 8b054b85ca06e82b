# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small painter's-algorithm canvas: regions, ink and shade in parallel.

Every filled shape hides what is below it in all three layers, so the ink
layer is a line drawing with hidden lines removed and the region layer its
exact ground truth.  Ink strokes follow one of several line styles.
"""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

SCALE = 4  # canvas pixels per output pixel
NEUTRAL = 128  # shade value that leaves a colour as it is
STYLES = ("clean", "wobble", "double", "gaps", "pencil", "brush")
HELD_OUT = "brush"  # never used in training


def curve(points: np.ndarray, closed: bool = True, steps: int = 5) -> np.ndarray:
    """Catmull-Rom through points [k,2]; a repeated point makes a corner."""
    p = np.asarray(points, float)
    if closed:
        q = np.concatenate([p[-1:], p, p[:2]])
    else:
        q = np.concatenate([p[:1], p, p[-1:]])
    a, b, c, d = q[:-3, None], q[1:-2, None], q[2:-1, None], q[3:, None]
    t = (np.arange(steps) / steps)[None, :, None]
    out = 0.5 * (
        2 * b
        + (c - a) * t
        + (2 * a - 5 * b + 4 * c - d) * t**2
        + (3 * b - a - 3 * c + d) * t**3
    )
    out = out.reshape(-1, 2)
    return out if closed else np.concatenate([out, p[-1:]])


def resample(path: np.ndarray, step: float) -> np.ndarray:
    """Points at about equal distance `step` along a polyline [k,2]."""
    seg = np.hypot(*np.diff(path, axis=0).T)
    at = np.concatenate([[0], np.cumsum(seg)])
    n = max(2, int(at[-1] / step) + 1)
    s = np.linspace(0, at[-1], n)
    return np.stack([np.interp(s, at, path[:, 0]), np.interp(s, at, path[:, 1])], 1)


class Canvas:
    """Draws in figure units; keeps layers of SCALE * size canvas pixels."""

    def __init__(self, size: int, rng: np.random.Generator, style: str, width: float):
        side = SCALE * size
        self.side, self.rng, self.style, self.width = side, rng, style, width
        self.regions = Image.new("L", (side, side), 0)
        self.ink = Image.new("L", (side, side), 0)
        self.shade = Image.new("L", (side, side), NEUTRAL)
        self._draw = [ImageDraw.Draw(i) for i in (self.regions, self.ink, self.shade)]
        self.unit, self.matrix, self.origin = 1.0, np.eye(2), np.zeros(2)

    def place(self, unit: float, angle: float, origin: tuple[float, float]) -> None:
        """One figure unit = `unit` output px, turned by `angle` (radians)."""
        c, s = np.cos(angle), np.sin(angle)
        self.unit = unit * SCALE
        self.matrix = np.array([[c, s], [-s, c]]) * self.unit
        self.origin = np.asarray(origin, float) * SCALE

    def to_canvas(self, points: np.ndarray) -> np.ndarray:
        """Figure units [k,2] to canvas pixels."""
        return np.asarray(points, float) @ self.matrix + self.origin

    @staticmethod
    def _flat(path: np.ndarray) -> list[float]:
        return path.ravel().tolist()

    def fill(self, points: np.ndarray, region: int, outline: float = 1.0) -> None:
        """Fill a polygon; outline 0 draws no ink, 2 twice as thick a line."""
        path = self.to_canvas(points)
        flat = self._flat(path)
        for draw, value in zip(self._draw, (region, 0, NEUTRAL)):
            draw.polygon(flat, fill=value)
        if outline:
            self._stroke(np.concatenate([path, path[:1]]), outline)

    def line(self, points: np.ndarray, weight: float = 1.0) -> None:
        """An ink line that belongs to no region."""
        self._stroke(self.to_canvas(points), weight)

    def blot(self, points: np.ndarray) -> None:
        """A solid ink area (pupils)."""
        self._draw[1].polygon(self._flat(self.to_canvas(points)), fill=255)

    def tint(self, points: np.ndarray, value: int, region: int) -> None:
        """Shade a polygon where the region layer shows `region`."""
        mask = Image.new("L", (self.side, self.side), 0)
        ImageDraw.Draw(mask).polygon(self._flat(self.to_canvas(points)), fill=255)
        where = np.asarray(self.regions) == region
        mask = Image.fromarray(np.asarray(mask) * where)
        self.shade.paste(value, (0, 0, self.side, self.side), mask)

    def _wobble(self, path: np.ndarray, amount: float) -> np.ndarray:
        """Smooth random displacement of about `amount` canvas pixels."""
        n = len(path)
        knots = max(2, n // 5 + 1)
        noise = self.rng.normal(0, amount, (knots, 2))
        at, x = np.linspace(0, 1, knots), np.linspace(0, 1, n)
        return path + np.stack([np.interp(x, at, noise[:, k]) for k in (0, 1)], 1)

    def _pen(self, path: np.ndarray, width: float) -> None:
        w = max(1, int(round(width)))
        self._draw[1].line(self._flat(path), fill=255, width=w, joint="curve")

    def _stroke(self, path: np.ndarray, weight: float) -> None:
        """Draw a canvas path in the canvas's line style."""
        width, style = self.width * weight, self.style
        if style == "clean":
            self._pen(path, width)
        elif style == "wobble":
            self._pen(self._wobble(resample(path, 6.0), 0.7), width)
        elif style == "double":
            fine = resample(path, 8.0)
            for _ in range(2):
                self._pen(self._wobble(fine, 1.0), 0.6 * width)
        elif style == "gaps":
            self._gaps(resample(path, 3.0), width)
        elif style == "pencil":
            self._pen(self._wobble(resample(path, 5.0), 0.5), 1.2 * width)
        else:
            self._brush(self._wobble(resample(path, 3.0), 0.35), width)

    def _gaps(self, path: np.ndarray, width: float) -> None:
        """Pieces of about 30..100 px with gaps of 2..7 px between."""
        k = 0
        while k < len(path) - 1:
            n = int(self.rng.integers(10, 34))
            if len(path[k : k + n]) > 1:
                self._pen(path[k : k + n], width)
            k += n + int(self.rng.integers(0, 3))

    def _brush(self, path: np.ndarray, width: float) -> None:
        """Width swells and tapers along the stroke, as under a soft brush."""
        n = len(path)
        if n < 3:
            self._pen(path, width)
            return
        turns = max(1.0, n / 24.0)
        phase = self.rng.uniform(0, np.pi)
        x = np.linspace(0, turns * np.pi, n) + phase
        widths = width * (0.45 + 1.0 * np.abs(np.sin(x)))
        for k in range(0, n - 1, 2):
            self._pen(path[k : k + 3], widths[k])
