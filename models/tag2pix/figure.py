# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Procedural anime-style busts drawn on a `strokes.Canvas`.

Units: half the width of the face is about 1; the origin is the middle of the
head, x to the right, y down.  Everything random comes from one generator.
"""

from __future__ import annotations

import numpy as np

from strokes import Canvas, curve

BACKGROUND, SKIN, HAIR, IRIS, SCLERA, TOP, BOTTOM, RIBBON = range(8)
HAIR_STYLES = ("short", "bob", "long", "twintails", "ponytail", "bun", "wavy")


def mirror(points) -> np.ndarray:
    """Right half, top to bottom, to a closed symmetric outline."""
    p = np.asarray(points, float)
    q = p[::-1] * [-1, 1]
    return np.concatenate([p, q[np.abs(q[:, 0]) > 1e-9]])


def ellipse(x, y, w, h, n: int = 16) -> np.ndarray:
    """Outline points [n,2] of an axis-parallel ellipse."""
    a = np.arange(n) * (2 * np.pi / n)
    return np.stack([x + w * np.cos(a), y + h * np.sin(a)], 1)


class Figure:
    """One character; `draw` paints it."""

    def __init__(self, rng: np.random.Generator, canvas: Canvas):
        self.rng, self.c = rng, canvas
        u = rng.uniform
        self.turn = u(-0.22, 0.22) if rng.random() < 0.7 else 0.0
        self.face_w, self.chin = u(0.88, 1.02), u(0.92, 1.2)
        self.eye_y, self.eye_x = u(0.14, 0.34), u(0.4, 0.48)
        self.hair_w = self.face_w + u(0.12, 0.3)
        self.crown = -u(1.15, 1.45)
        self.shoulder_y = self.chin + u(0.12, 0.42)
        self.shoulder_w = u(0.85, 1.35)
        self.waist_y = self.shoulder_y + u(0.7, 1.35)
        self.waist_w = self.shoulder_w * u(0.55, 0.82)
        self.style = HAIR_STYLES[rng.integers(len(HAIR_STYLES))]
        self.bottom = ("skirt", "trousers", "dress")[rng.choice(3, p=[0.45, 0.25, 0.3])]

    def jitter(self, points, amount: float = 0.02) -> np.ndarray:
        """Points moved a little, so that nothing is exactly symmetric."""
        p = np.asarray(points, float)
        return p + self.rng.normal(0, amount, p.shape)

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def draw(self) -> None:
        """Paint back to front."""
        ribbons = self.choose_ribbons()
        if self.chance(0.25):
            self.doodles()
        self.back_hair()
        self.body()
        if "neck" in ribbons:
            self.neck_ribbon()
        if "tie" in ribbons:
            self.necktie()
        if "sash" in ribbons:
            self.bow(0, self.waist_y, self.rng.uniform(0.4, 0.6))
        self.head()
        self.front_hair()
        if "top" in ribbons:
            self.bow(self.rng.uniform(-0.7, 0.7), self.crown + 0.15, self.rng.uniform(0.5, 0.8))
        if "side" in ribbons or "pair" in ribbons:
            self.side_bows("pair" in ribbons)
        if "band" in ribbons:
            self.hair_band()

    def choose_ribbons(self) -> list[str]:
        """Places of the ribbons; none in about a fifth of the figures."""
        kinds = ["neck", "tie", "sash", "top", "side", "pair", "band"]
        weights = [0.32, 0.13, 0.08, 0.13, 0.14, 0.12, 0.08]
        n = int(self.rng.choice(3, p=[0.2, 0.55, 0.25]))
        return list(self.rng.choice(kinds, n, replace=False, p=weights))

    def doodles(self) -> None:
        """Stray strokes on the paper behind the figure."""
        for _ in range(int(self.rng.integers(1, 5))):
            start = self.rng.uniform(-3, 3, 2) + [0, 1]
            steps = self.rng.normal(0, 0.4, (5, 2))
            self.c.line(curve(start + np.cumsum(steps, 0), False), 0.8)

    # ---- hair ------------------------------------------------------------

    def back_hair(self) -> None:
        """The hair mass behind head and body."""
        u, w, top = self.rng.uniform, self.hair_w, self.crown
        kind = self.style
        if kind in ("twintails", "ponytail", "bun"):
            getattr(self, kind)()
        length = {
            "bob": u(0.9, 1.35),
            "long": u(1.9, 4.2),
            "wavy": u(1.6, 3.6),
        }.get(kind, u(0.35, 0.85))
        low = w * (u(1.0, 1.45) if length > 0.9 else u(0.85, 1.05))
        right = [(0, top), (w * 0.7, top * 0.8), (w, -0.2), (w * 1.02, 0.3)]
        right += self.edge(w, low, length, kind == "wavy")
        points = mirror(right)
        hem = self.hem(low, length)
        half = len(right)
        points = np.concatenate([points[:half], hem, points[half:]])
        self.c.fill(curve(self.jitter(points, 0.025)), HAIR)
        for _ in range(int(self.rng.integers(0, 5))):
            x = u(-low, low) * 0.9
            y1 = length * u(0.75, 0.95)
            self.c.line(curve([(x * 0.9, y1 - u(0.3, 0.9)), (x, y1)], False), 0.7)

    def edge(self, w, low, length, wavy: bool) -> list[tuple[float, float]]:
        """Right side of the hair mass from the ear down to the hem."""
        n = 6 if wavy else 2
        out = []
        for k in range(1, n + 1):
            t = k / (n + 0.4)
            wave = (0.09 if k % 2 else -0.09) if wavy else 0.0
            out.append((w + (low - w) * t + wave, 0.3 + (length - 0.3) * t))
        return out

    def hem(self, low: float, length: float) -> np.ndarray:
        """Points right to left: tufts or a plain round end."""
        n = int(self.rng.integers(2, 6))
        depth = self.rng.uniform(0.05, 0.28)
        out = []
        for x in np.linspace(low * 0.95, -low * 0.95, 2 * n + 1):
            tip = len(out) % 2 == 0
            out.append((x, length + (0.0 if tip else -depth)))
            if tip and self.rng.random() < 0.6:
                out.append(out[-1])
        return np.array(out)

    def tail(self, x, y, side, length, thick) -> None:
        """A hanging lock that starts at (x, y) and bends outwards."""
        u = self.rng.uniform
        out = side * u(0.2, 0.75)
        spine = np.array([(x, y), (x + side * thick * 0.8, y + 0.1 * length)])
        spine = np.concatenate(
            [spine, [(x + out, y + 0.55 * length), (x + out * u(0.5, 1.1), y + length)]]
        )
        widths = np.array([0.12, thick * 0.8, thick, 0.02])
        left = spine - np.stack([widths, 0 * widths], 1)
        right = spine + np.stack([widths, 0 * widths], 1)
        points = np.concatenate([right, right[-1:], left[::-1]])
        self.c.fill(curve(self.jitter(points)), HAIR)
        for _ in range(int(self.rng.integers(0, 3))):
            off = [u(-0.5, 0.5) * thick, 0]
            self.c.line(curve(spine[1:] * [1, 0.97] + off, False), 0.7)

    def twintails(self) -> None:
        u = self.rng.uniform
        y, length, thick = u(-0.8, 0.2), u(1.3, 3.2), u(0.25, 0.5)
        for side in (-1, 1):
            self.tail(side * self.hair_w * 0.92, y, side, length, thick)

    def ponytail(self) -> None:
        u = self.rng.uniform
        side = 1 if self.chance(0.5) else -1
        x, y = side * u(0.2, 1.0) * self.hair_w, self.crown * u(0.55, 0.95)
        self.tail(x, y, side * u(1.0, 1.8), u(1.6, 3.4), u(0.3, 0.55))

    def bun(self) -> None:
        u = self.rng.uniform
        r, y = u(0.3, 0.5), self.crown * u(0.8, 1.0)
        xs = (0.0,) if self.chance(0.4) else (-u(0.6, 0.9), u(0.6, 0.9))
        for x in xs:
            self.c.fill(curve(self.jitter(ellipse(x, y, r, r, 10))), HAIR)
            self.c.line(ellipse(x, y, r * 0.5, r * 0.5, 14)[:9], 0.7)

    def fringe(self) -> np.ndarray:
        """Lower edge of the bangs, right to left."""
        u, w = self.rng.uniform, self.face_w * 0.98
        kind = int(self.rng.integers(5))
        low, high = self.eye_y - u(0.08, 0.3), -u(0.35, 0.65)
        part = u(-0.6, 0.6) if kind in (1, 3) else 0.0
        n = int(self.rng.integers(3, 8))
        xs = np.linspace(w, -w, 2 * n + 1) + self.rng.normal(0, 0.02, 2 * n + 1)
        out = []
        for k, x in enumerate(xs):
            if kind == 0:  # straight cut
                y = low + (0.0 if k % 2 else -0.06)
            elif kind in (1, 2):  # tufts parted at a point
                rise = max(0.0, 1.0 - abs(x - part) / 0.9)
                y = (low if k % 2 else low - 0.3) - 0.55 * rise
            elif kind == 3:  # swept curtain
                y = high + (low - high) * min(1.0, abs(x - part) / 1.1) ** 0.8
            else:  # plain tufts
                y = low + u(-0.06, 0.04) if k % 2 else low - u(0.2, 0.4)
            out.append((x, y))
            if k % 2 and kind != 3:
                out.append((x, y))
        return np.array(out)

    def front_hair(self) -> None:
        """Bangs and side locks, with their shadow on the face."""
        u = self.rng.uniform
        rim = u(0.9, 0.98) if self.chance(0.3) else 1.0
        w, top = self.hair_w * rim, self.crown * rim
        lock = u(0.5, 1.7) if self.chance(0.75) else 0.0
        t = self.turn * 0.4
        arc = [(-w, u(0.1, 0.4)), (-w, -0.2), (-w * 0.72, top * 0.78), (0, top)]
        arc += [(w * 0.72, top * 0.78), (w, -0.2), (w, u(0.1, 0.4))]
        fringe = self.fringe() + [t, 0]
        points = np.concatenate([arc, fringe])
        shape = curve(self.jitter(points, 0.012))
        self.c.tint(shape + [0, 0.13], 110, SKIN)
        if lock:
            for side in (-1, 1):
                self.side_lock(side, lock * u(0.85, 1.15))
        self.c.fill(shape, HAIR)
        self.shine()
        self.strands(fringe)

    def side_lock(self, side: int, length: float) -> None:
        """A lock in front of the ear, pointed at its end."""
        u, w = self.rng.uniform, self.hair_w
        inner = self.face_w * u(0.7, 0.88)
        points = [(side * w, -0.4), (side * w * 1.03, length * 0.5)]
        points += [(side * w * u(0.8, 1.05), length)] * 2
        points += [(side * inner, length * 0.55), (side * inner, -0.4)]
        self.c.fill(curve(self.jitter(points, 0.015)), HAIR)

    def strands(self, fringe: np.ndarray) -> None:
        """A few lines from the crown towards the notches of the fringe."""
        for _ in range(int(self.rng.integers(0, 6))):
            x, y = fringe[self.rng.integers(len(fringe))]
            top = self.crown + self.rng.uniform(0.15, 0.5)
            mid = (x * 0.85, (top + y) / 2 - 0.1)
            self.c.line(curve([(x * 0.45, top), mid, (x, y)], False), 0.7)
        if self.chance(0.2):
            tip = (self.rng.uniform(-0.5, 0.5), self.crown - 0.35)
            self.c.line(curve([(0, self.crown), (0.15, self.crown - 0.3), tip], False))

    def shine(self) -> None:
        """The light ring most anime hair has, a band above the fringe."""
        if self.chance(0.5):
            return
        y, w = self.crown * 0.62, self.hair_w * 0.7
        up = curve([(-w, y + 0.18), (0, y - 0.08), (w, y + 0.18)], False)
        self.c.tint(np.concatenate([up, up[::-1] + [0, 0.16]]), 160, HAIR)

    # ---- head ------------------------------------------------------------

    def head(self) -> None:
        """Ears, face, features."""
        u, w, chin = self.rng.uniform, self.face_w, self.chin
        t = self.turn
        if self.chance(0.45):
            for side in (-1, 1):
                ear = ellipse(side * w * 0.98, self.eye_y + 0.08, 0.17, 0.26, 10)
                self.c.fill(curve(self.jitter(ear, 0.01)), SKIN)
        jaw = u(0.62, 0.82)
        right = [(0, -1.0), (w * 0.75, -0.75), (w, -0.1), (w * 0.96, 0.35)]
        right += [(w * jaw, 0.35 + (chin - 0.35) * 0.6), (0.14, chin), (0, chin * 1.01)]
        points = mirror(right)
        points[:, 0] += t * 0.35 * np.clip(points[:, 1], 0, 2)
        face = curve(self.jitter(points, 0.01))
        self.c.tint(face + [0, 0.2], 108, SKIN)
        self.c.fill(face, SKIN)
        self.eyes()
        self.features()

    def eyes(self) -> None:
        u = self.rng.uniform
        w, h = u(0.22, 0.31), u(0.24, 0.38)
        iris = (w * u(0.66, 0.85), h * u(0.88, 1.15))
        closed, pupil = self.rng.random() < 0.04, int(self.rng.integers(4))
        glance, lower = u(-0.05, 0.05), self.chance(0.65)
        for side in (-1, 1):
            x = side * self.eye_x + self.turn * 0.55
            squeeze = 1.0 - 0.35 * max(0.0, side * self.turn)
            if closed:
                arc = np.linspace(-1, 1, 7)
                line = np.stack([x + w * arc, self.eye_y + 0.1 * (1 - arc**2)], 1)
                self.c.line(line, 1.5)
            else:
                self.eye(x, w * squeeze, h, iris, side, pupil, glance, lower)

    def eye(self, x, w, h, iris, side, pupil, glance, lower) -> None:
        """Sclera, iris, pupil, lashes; sizes are half extents."""
        y, a = self.eye_y, np.linspace(-1, 1, 11)
        slant = 0.12 * h * side * a
        up = -h * (1 - np.abs(a) ** 2.4) - slant
        down = 0.85 * h * (1 - np.abs(a) ** 2.8) - slant
        upper = np.stack([x + w * a, y + up], 1)
        under = np.stack([x + w * a, y + down], 1)
        self.c.fill(np.concatenate([upper, under[::-1]]), SCLERA, 0)
        gx = x + glance - 0.04 * side
        ball = ellipse(gx, y, iris[0], iris[1], 20)
        ball[:, 0] = np.clip(ball[:, 0], x - w, x + w)
        r = (ball[:, 0] - x) / w
        ball[:, 1] = np.clip(ball[:, 1], y + np.interp(r, a, up), y + np.interp(r, a, down))
        self.c.fill(ball, IRIS, 0.8)
        if pupil:
            size = self.rng.uniform(0.3, 0.48)
            self.c.blot(ellipse(gx, y, iris[0] * size, iris[1] * size, 10))
        if pupil > 1:
            r = iris[0] * self.rng.uniform(0.25, 0.38)
            spot = ellipse(gx - iris[0] * 0.4, y - iris[1] * 0.45, r, r * 1.1, 10)
            self.c.fill(spot, SCLERA, 0.6 if pupil == 2 else 0)
        self.c.line(curve(upper, False, 2), self.rng.uniform(1.2, 2.2))
        if lower:
            self.c.line(under[2:-2], 0.7)

    def features(self) -> None:
        """Brows, nose, mouth, blush lines."""
        u, t = self.rng.uniform, self.turn
        brow, tilt = self.eye_y - u(0.42, 0.6), u(-0.08, 0.08)
        for side in (-1, 1):
            x = side * self.eye_x + t * 0.55
            p = [(x - 0.2, brow + tilt * side), (x, brow - 0.06), (x + 0.2, brow - tilt * side)]
            self.c.line(curve(p, False), u(0.7, 1.4))
        x, y = t * 0.8, self.eye_y + 0.34
        if self.chance(0.7):
            self.c.line([(x, y), (x + 0.05, y + 0.05)], 0.8)
        y = self.eye_y + (self.chin - self.eye_y) * u(0.58, 0.72)
        w = u(0.1, 0.24)
        if self.chance(0.3):
            mouth = ellipse(x, y, w, w * u(0.5, 0.9), 10)
            self.c.fill(curve(mouth), SKIN, 0.9)
        else:
            bend = u(-0.05, 0.09)
            self.c.line(curve([(x - w, y), (x, y + bend), (x + w, y)], False))
        if self.chance(0.2):
            for k in range(6):
                bx = (self.eye_x + 0.1 * (k % 3)) * (1 if k > 2 else -1) + t * 0.5 - 0.08
                self.c.line([(bx + 0.05, self.eye_y + 0.4), (bx, self.eye_y + 0.5)], 0.6)

    # ---- body ------------------------------------------------------------

    def body(self) -> None:
        """Legs, bottom garment, arms, neck, top with collar."""
        tucked = self.chance(0.5)
        arms_first = self.chance(0.5)
        self.legs()
        if arms_first:
            self.arms()
        if not tucked:
            self.bottom_garment()
        self.neck()
        self.torso()
        if tucked:
            self.bottom_garment()
        if not arms_first:
            self.arms()
        self.collar()

    def legs(self) -> None:
        if self.bottom == "trousers":
            return
        x, y = self.waist_w * 0.5, self.waist_y
        for side in (-1, 1):
            leg = [(side * x * 1.7, y), (side * x * 1.5, y + 5), (side * 0.1, y + 5), (side * 0.08, y)]
            self.c.fill(np.array(leg), SKIN)

    def neck(self) -> None:
        w, y = self.rng.uniform(0.2, 0.34), self.shoulder_y
        flare = self.shoulder_w * 0.6
        right = [(w, 0.5), (w, y - 0.08), (flare, y + 0.12), (0.3, y + 0.5), (0, y + 0.6)]
        self.c.fill(curve(mirror(right)), SKIN)

    def torso(self) -> None:
        """Shirt or bodice from the shoulders to below the waist."""
        u, s, y = self.rng.uniform, self.shoulder_w, self.shoulder_y
        self.neckline = int(self.rng.integers(4))  # round, V, high, wide
        dip = (u(0.1, 0.22), u(0.35, 0.6), -0.08, u(0.1, 0.25))[self.neckline]
        nw = (u(0.28, 0.4), u(0.26, 0.36), u(0.24, 0.3), s * 0.6)[self.neckline]
        self.neck_w, self.dip = nw, dip
        hip = self.waist_w * u(1.0, 1.2)
        low = self.waist_y + u(0.05, 0.4)
        right = [(0, y + dip), (nw, y - 0.03), (nw, y - 0.03), (s * 0.8, y + 0.06), (s, y + 0.25)]
        right += [(s * 0.88, y + 0.6), (self.waist_w, self.waist_y)]
        right += [(hip, low), (hip, low), (0, low + 0.02)]
        if self.neckline == 1:
            right.insert(0, right[0])
        self.c.fill(curve(self.jitter(mirror(right), 0.01)), TOP)
        if self.chance(0.5):
            self.c.line([(0, y + max(dip, 0.05)), (0, low)], 0.7)
        if self.chance(0.4):
            for side in (-1, 1):
                x = side * self.waist_w
                self.c.line([(x * 0.9, self.waist_y - 0.2), (x * 0.6, self.waist_y)], 0.6)

    def collar(self) -> None:
        """Two flaps, a sailor collar, a roll neck, or nothing."""
        u, y, n = self.rng.uniform, self.shoulder_y, self.neck_w
        kind = int(self.rng.integers(4))
        if kind == 0:
            size = u(0.28, 0.5)
            for side in (-1, 1):
                flap = [(side * n * 0.8, y - 0.16), (side * (n + 0.28), y + 0.1)]
                flap += [(side * (n * 0.6 + 0.1), y + size), (side * 0.02, y + max(self.dip, 0.12))]
                self.c.fill(self.jitter(flap, 0.01), TOP)
        elif kind == 1 and self.neckline != 3:
            deep = y + u(0.6, 0.85)
            for side in (-1, 1):
                p = [(side * n, y - 0.08), (side * self.shoulder_w * 0.7, y + 0.3), (side * 0.05, deep)]
                self.c.line(curve(p, False))
        elif self.neckline == 2:
            h = u(0.15, 0.3)
            band = [(-n, y - h), (n, y - h), (n * 1.1, y + 0.05), (-n * 1.1, y + 0.05)]
            self.c.fill(self.jitter(band, 0.01), TOP)

    def arms(self) -> None:
        """Hanging or bent arms; sleeves short, long, or none."""
        u, s, y = self.rng.uniform, self.shoulder_w, self.shoulder_y
        out, sleeve = u(0.0, 0.45), u(0.4, 0.8)
        long = self.chance(0.5)
        bend = self.chance(0.3)
        w = u(0.19, 0.28)
        for side in (-1, 1):
            top = np.array([side * (s - w * 0.6), y + 0.25])
            elbow = np.array([side * (s + out), y + 1.0])
            x = side * (s * 0.3 if bend else s + out * u(0.8, 1.5))
            hand = np.array([x, y + (1.25 if bend else 2.0)])
            spine = curve([top, elbow, hand], False, 4)
            self.limb(spine, w, SKIN, 0.75)
            end = 8 if long else max(3, int(8 * sleeve * 0.6))
            self.limb(spine[: end + 1], w * u(1.1, 1.5), TOP, 1.0)

    def limb(self, spine: np.ndarray, width: float, region: int, taper: float) -> None:
        """A tube around a spine [k,2], narrower by `taper` at its end."""
        d = np.gradient(spine, axis=0)
        normal = np.stack([-d[:, 1], d[:, 0]], 1) / (np.hypot(*d.T)[:, None] + 1e-6)
        w = width * np.linspace(1, taper, len(spine))[:, None]
        self.c.fill(np.concatenate([spine + normal * w, (spine - normal * w)[::-1]]), region)

    def bottom_garment(self) -> None:
        """Skirt, trousers, or the skirt of a dress; starts at the waist."""
        u, y, w = self.rng.uniform, self.waist_y, self.waist_w * 1.05
        if self.bottom == "trousers":
            self.trousers(w, y)
            return
        long = u(0.9, 1.8) if self.bottom == "skirt" else u(1.3, 3.0)
        hem = w + u(0.35, 0.9)
        waves = 2 * int(self.rng.integers(2, 6)) + 1
        right = [(w, y - 0.05), (w * 1.08 + 0.1, y + 0.3), (hem, y + long)]
        xs = np.linspace(hem * 0.97, -hem * 0.97, waves)
        edge = np.stack([xs, y + long + 0.1 + 0.06 * (-1.0) ** np.arange(waves)], 1)
        left = (np.array(right) * [-1, 1])[::-1]
        points = np.concatenate([right[:1], right, right[-1:], edge, left[:1], left, left[-1:]])
        self.c.fill(curve(self.jitter(points, 0.008)), BOTTOM)
        for x in np.linspace(-0.8, 0.8, int(self.rng.integers(0, 7))):
            a, b = (x * w, y + u(0.05, 0.5)), (x * hem, y + long)
            self.c.line([a, b], 0.8)
            shade = [a, b, (b[0] + 0.14, b[1])]
            self.c.tint(np.array(shade), 112, BOTTOM)
        if self.chance(0.5):
            band = [(-w, y - 0.06), (w, y - 0.06), (w * 1.03, y + 0.14), (-w * 1.03, y + 0.14)]
            self.c.fill(np.array(band), BOTTOM)

    def trousers(self, w: float, y: float) -> None:
        u = self.rng.uniform
        crotch, leg = y + u(0.6, 1.0), w * u(1.0, 1.3)
        right = [(w, y - 0.05), (leg, y + 0.4), (leg, y + 5), (0.12, y + 5), (0.02, crotch)]
        left = (np.array(right) * [-1, 1])[::-1]
        self.c.fill(np.concatenate([right, left]), BOTTOM)
        self.c.line([(0, y + 0.15), (0, crotch)], 0.7)
        self.c.line([(-w, y + 0.14), (w, y + 0.14)], 0.8)

    # ---- ribbons ---------------------------------------------------------

    def bow(self, x: float, y: float, size: float) -> None:
        """Two loops, two ends, a knot; `size` is half the width."""
        u = self.rng.uniform
        h, droop = size * u(0.5, 0.75), u(-0.1, 0.25) * size
        for side in (-1, 1):
            if self.chance(0.6):
                end = [(x, y), (x + side * size * 0.35, y + size * 0.9)]
                end.append((x + side * size * 0.6, y + size * 1.1))
                end.append((x + side * size * 0.75, y + size * 0.7))
                self.c.fill(self.jitter(end, 0.01), RIBBON)
            near, far = x + side * size * 0.6, x + side * size
            loop = [(x, y), (near, y - h + droop), (far, y - h * 0.7 + droop)]
            loop += [(far, y + h * 0.6 + droop), (near, y + h * 0.7 + droop)]
            shape = curve(self.jitter(loop, 0.012))
            self.c.fill(shape, RIBBON)
            if self.chance(0.5):
                self.c.line([(x + side * 0.12, y), (x + side * size * 0.5, y - h * 0.1)], 0.7)
        k = size * u(0.16, 0.26)
        self.c.fill(curve(ellipse(x, y, k, k * 1.1, 8), steps=3), RIBBON)

    def neck_ribbon(self) -> None:
        y = self.shoulder_y + self.rng.uniform(0.12, 0.4)
        self.bow(0.0, y, self.rng.uniform(0.42, 0.72))

    def necktie(self) -> None:
        u, y = self.rng.uniform, self.shoulder_y + self.rng.uniform(0.0, 0.2)
        w, long = u(0.18, 0.3), u(0.8, 1.3)
        tie = [(0.1, y + 0.15), (w, y + long * 0.85), (0, y + long)]
        tie += [(-w, y + long * 0.85), (-0.1, y + 0.15)]
        self.c.fill(self.jitter(tie, 0.01), RIBBON)
        knot = [(-0.15, y - 0.05), (0.15, y - 0.05), (0.1, y + 0.2), (-0.1, y + 0.2)]
        self.c.fill(self.jitter(knot, 0.01), RIBBON)

    def side_bows(self, both: bool) -> None:
        """A bow beside the head, or one on each side."""
        u, first = self.rng.uniform, 1 if self.chance(0.5) else -1
        x, y, size = self.hair_w * u(0.8, 1.1), u(-1.0, -0.1), u(0.42, 0.7)
        for side in (first, -first)[: 2 if both else 1]:
            self.bow(side * x, y, size)

    def hair_band(self) -> None:
        """A broad band across the hair above the fringe."""
        y, w = self.crown * self.rng.uniform(0.5, 0.68), self.hair_w * 0.9
        thick = self.rng.uniform(0.2, 0.3)
        up = [(-w, y + 0.35), (-w * 0.6, y - 0.05), (0, y - 0.2), (w * 0.6, y - 0.05)]
        up = curve(up + [(w, y + 0.35)], False)
        down = [(w * 0.97, y + 0.4), (w * 0.55, y + thick), (0, y - 0.2 + thick)]
        down = curve(down + [(-w * 0.55, y + thick), (-w * 0.97, y + 0.4)], False)
        self.c.fill(np.concatenate([up, down]), RIBBON)


SMALL = 0.165  # figures below this unit are small ones


def draw_figure(rng: np.random.Generator, canvas: Canvas, size: int) -> float:
    """Choose a framing for a size x size picture and draw one figure.

    One in eight is a close-up; one in five is small, as in a padded wide
    drawing, and then stands anywhere across and further down.  Returns the
    figure unit (half a face) as a share of the side.
    """
    kind = rng.random()
    small = kind > 0.8
    if kind < 0.12:
        unit = rng.uniform(0.25, 0.31)
    else:
        unit = rng.uniform(0.125, SMALL) if small else rng.uniform(SMALL, 0.25)
    angle = np.deg2rad(rng.uniform(-10, 10)) * (rng.random() < 0.6)
    x = 0.5 + rng.normal(0, 0.1 if small else 0.045)
    top = rng.uniform(0.0, 0.42) if small else rng.uniform(-0.02, 0.16)
    canvas.place(unit * size, angle, (x * size, (top + 1.35 * unit) * size))
    canvas.width = min(canvas.width, 0.11 * canvas.unit)
    Figure(rng, canvas).draw()
    return unit
