# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sRGB to CIELAB (D65) and nearest anchors."""

from __future__ import annotations

import numpy as np

_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def lab(rgb: np.ndarray) -> np.ndarray:
    """sRGB [..., 3] in [0,1] to CIELAB [..., 3]."""
    c = np.asarray(rgb, np.float64)
    linear = np.where(c <= 0.04045, c / 12.92, ((np.maximum(c, 0) + 0.055) / 1.055) ** 2.4)
    t = linear @ _XYZ.T / _WHITE
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    l, a, b = 116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])
    return np.stack([l, a, b], -1)


def nearest(rgb: np.ndarray, anchors: np.ndarray) -> np.ndarray:
    """Index of the nearest anchor [k,3] (CIELAB, dE76) for colours [n,3]."""
    d = lab(rgb)[:, None] - lab(anchors)[None]
    return (d**2).sum(-1).argmin(1)
