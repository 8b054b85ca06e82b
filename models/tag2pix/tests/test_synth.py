# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The data generator: determinism, ground truth, vocabulary."""

import hashlib
import tempfile
import unittest
from pathlib import Path

import common
import numpy as np
import synth
from colour import lab, nearest


def digest(data: dict) -> str:
    h = hashlib.sha256()
    for key in sorted(data):
        h.update(np.ascontiguousarray(data[key]).tobytes())
    return h.hexdigest()


class Shapes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = synth.make_shapes(500, 40)

    def test_same_seed_same_bytes(self):
        again = synth.make_shapes(500, 40)
        self.assertEqual(digest(self.data), digest(again))
        self.assertNotEqual(digest(self.data), digest(synth.make_shapes(501, 40)))

    def test_a_shape_does_not_depend_on_its_neighbours(self):
        one = synth.make_shape(517)
        for key, value in one.items():
            self.assertTrue(np.array_equal(value, self.data[key][17]), key)

    def test_cover_is_a_partition(self):
        total = self.data["cover"].astype(int).sum(1)
        self.assertLessEqual(int(np.abs(total - 255).max()), 4)

    def test_every_region_is_frequent(self):
        inside = (self.data["cover"] > 252).sum((2, 3)) >= 4
        share = inside.mean(0)
        for name, region in synth.REGION_OF.items():
            self.assertGreater(share[region], 0.5, name)

    def test_no_slivers(self):
        for region in synth.WHOLE:
            shown = self.data["cover"][:, region].any((1, 2))
            inside = synth.interior(self.data, region).sum((1, 2))
            self.assertGreaterEqual(int(inside[shown].min()), synth.LEAST * 64 * 64, region)
            self.assertTrue(synth.is_legible({k: v[0] for k, v in self.data.items()}))

    def test_slivers_are_there_if_wanted(self):
        """Legible drawings are the same; the others are drawn again."""
        both = [synth.make_shape(k, legible=False) for k in range(500, 540)]
        legible = [synth.is_legible(s) for s in both]
        self.assertTrue(20 <= sum(legible) < 40, sum(legible))
        for k, (shape, good) in enumerate(zip(both, legible)):
            self.assertEqual(np.array_equal(shape["ink"], self.data["ink"][k]), good, k)

    def test_a_strip_of_a_garment_is_a_sliver(self):
        cover = np.zeros((8, 64, 64), np.uint8)
        cover[synth.TOP] = 255
        shape = {"cover": cover, "ink": np.zeros((64, 64), np.uint8)}
        self.assertTrue(synth.is_legible(shape))
        cover[synth.TOP, 63, :40], cover[synth.BOTTOM, 63, :40] = 0, 255  # 40 pixels
        self.assertFalse(synth.is_legible(shape))
        cover[synth.TOP, 62, :40], cover[synth.BOTTOM, 62, :40] = 0, 255
        self.assertTrue(synth.is_legible(shape))
        shape["ink"][62:] = 200  # the same, hidden under lines
        self.assertFalse(synth.is_legible(shape))

    def test_the_held_out_style_is_held_out(self):
        held = synth.STYLES.index(synth.HELD_OUT)
        self.assertNotIn(held, self.data["style"].tolist())
        self.assertEqual(int(synth.make_shape(3, style=synth.HELD_OUT)["style"]), held)

    def test_lines_separate_regions(self):
        ink = self.data["ink"].astype(float).mean((1, 2)) / 255
        self.assertTrue(((ink > 0.01) & (ink < 0.6)).all())


class Colours(unittest.TestCase):
    def setUp(self):
        self.vocab = synth.Vocabulary()

    def test_vocabulary(self):
        sizes = [hi - lo for lo, hi in self.vocab.ranges.values()]
        self.assertEqual(sizes, [7, 3, 12, 11, 10, 10, 7])
        for name, tag in synth.DEFAULTS.items():
            self.assertIn(tag, self.vocab.categories[name])
        with self.assertRaises(KeyError):
            self.vocab.vector(["plaid_hair"])

    def test_anchors_are_apart(self):
        for lo, hi in self.vocab.ranges.values():
            values = lab(self.vocab.anchors[lo:hi])
            gap = np.sqrt(((values[:, None] - values[None]) ** 2).sum(-1))
            self.assertGreater(gap[~np.eye(hi - lo, dtype=bool)].min(), 19.9)
            anchors = self.vocab.anchors[lo:hi]
            self.assertEqual(nearest(anchors, anchors).tolist(), list(range(hi - lo)))

    def test_lab_of_known_colours(self):
        got = lab(np.array([[1, 1, 1], [0, 0, 0], [1, 0, 0]]))
        want = [[100, 0, 0], [0, 0, 0], [53.24, 80.09, 67.20]]
        self.assertLess(np.abs(got - want).max(), 0.02)

    def test_dropped_tags_take_the_default(self):
        rng = np.random.default_rng(0)
        vectors, painted = synth.pick_tags(rng, self.vocab, 300, drop=0.5)
        for c, (name, (lo, hi)) in enumerate(self.vocab.ranges.items()):
            given = vectors[:, lo:hi].sum(1)
            self.assertEqual(set(given.tolist()), {0.0, 1.0})
            default = self.vocab.index[synth.DEFAULTS[name]]
            self.assertTrue((painted[given == 0, c] == default).all())
            row = np.nonzero(given)[0]
            self.assertTrue((vectors[row, painted[row, c]] == 1).all())

    def test_composed_colour_is_the_anchor(self):
        cover = np.zeros((1, synth.REGIONS, 2, 2), np.uint8)
        cover[0, synth.REGION_OF["hair"]] = 255
        shade = np.full((1, 2, 2), synth.NEUTRAL, np.uint8)
        painted = np.array([[lo for lo, _ in self.vocab.ranges.values()]])
        image = synth.compose(cover, shade, synth.colours(self.vocab, painted))
        anchor = self.vocab.anchors[self.vocab.index["blonde_hair"]]
        self.assertLess(np.abs(image[0, :, 0, 0] - anchor).max(), 1e-6)


class Script(unittest.TestCase):
    def test_writes_and_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            out, sheet = Path(folder) / "a.npz", Path(folder) / "a.png"
            args = ("--count", 3, "--size", 32, "--out", out, "--sheet", sheet)
            status, text = common.call(synth.main, *args)
            self.assertEqual(status, 0, text)
            self.assertTrue(out.exists() and sheet.exists())
        for bad in (("--count", 0), ("--size", 30), ("--style", "crayon")):
            status, text = common.call(synth.main, *bad)
            self.assertNotEqual(status, 0)
            self.assertTrue(text)


if __name__ == "__main__":
    unittest.main()
