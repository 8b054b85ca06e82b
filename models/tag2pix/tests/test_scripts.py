# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Export, measuring and colouring: round trips and refusals."""

import importlib.util
import json
import tempfile
import unittest
from pathlib import Path

import colorize
import common
import export
import measure
import numpy as np
import synth
import torch
from colour import nearest
from PIL import Image


COPY = colorize.WEIGHTS.with_suffix(".safetensors")


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.dir = Path(holder.name)

    def refuse(self, main, *args):
        status, text = common.call(main, *args)
        self.assertNotEqual(status, 0, args)
        self.assertTrue(text.strip(), args)
        self.assertNotIn("Traceback", text)


class Export(Folder):
    def test_untrained_then_another_batch(self):
        one, two = self.dir / "one.pt2", self.dir / "two.pt2"
        status, text = common.call(export.main, "--untrained", "--out", one)
        self.assertEqual(status, 0, text)
        self.assertLess(one.stat().st_size, 8_000_000)
        status, text = common.call(export.main, "--weights", one, "--batch", 2, "--out", two)
        self.assertEqual(status, 0, text)
        line, tags = (np.load(self.dir / f"two.{n}.npy") for n in ("line", "tags"))
        self.assertEqual((line.shape, tags.shape), ((2, 1, 64, 64), (2, 60)))
        got = torch.export.load(two).module()(torch.from_numpy(line), torch.from_numpy(tags))
        want = np.load(self.dir / "two.out0.npy")
        self.assertLess(np.abs(got.detach().numpy() - want).max(), 1e-5)
        self.assertLess(np.abs(np.load(self.dir / "one.out0.npy") - want[:1]).max(), 1e-4)

    def test_graph_is_functional_and_whole(self):
        out = self.dir / "x.pt2"
        common.call(export.main, "--untrained", "--out", out)
        program = torch.export.load(out)
        names = {str(n.target) for n in program.graph.nodes if n.op == "call_function"}
        self.assertIn("aten.conv2d.default", names)
        self.assertIn("aten.pixel_shuffle.default", names)
        self.assertFalse([n for n in names if n.split(".")[1].endswith("_")])
        self.assertFalse([k for k in program.state_dict if "guide" in k])

    def test_refusals(self):
        bad = self.dir / "bad.pt2"
        bad.write_bytes(b"not a zip")
        good = self.dir / "out.pt2"
        self.refuse(export.main, "--weights", self.dir / "none.pt2", "--out", good)
        self.refuse(export.main, "--weights", bad, "--out", good)
        self.refuse(export.main, "--untrained", "--out", self.dir / "out.bin")
        self.refuse(export.main, "--untrained", "--batch", 0, "--out", good)
        self.refuse(export.main, "--untrained", "--out", self.dir / "no" / "out.pt2")
        self.refuse(export.main, "--full-size", 100, "--out", good)
        self.refuse(export.main, "--untrained", "--half", "--out", good)
        self.refuse(export.main, "--full-size", 256, "--out", self.dir / "out.safetensors")
        self.refuse(export.main, "--discriminator", 256, "--out", self.dir / "out.safetensors")
        for name in ("bad.safetensors", "none.safetensors"):
            (self.dir / "bad.safetensors").write_bytes(b"\x08" + bytes(7) + b"no json!")
            self.refuse(export.main, "--weights", self.dir / name, "--out", good)


@unittest.skipUnless(importlib.util.find_spec("safetensors"), "no safetensors package")
class Safetensors(Folder):
    def write(self, name: str, *more) -> Path:
        out = self.dir / name
        status, text = common.call(export.main, "--untrained", "--out", out, *more)
        self.assertEqual(status, 0, text)
        return out

    def test_round_trip_is_exact(self):
        out = self.write("a.safetensors")
        got, want = export.load_generator(out), export.random_reduced(1)
        self.assertEqual(got.config, want.config)
        self.assertEqual(got.state_dict().keys(), want.state_dict().keys())
        for key, value in want.state_dict().items():
            self.assertTrue(torch.equal(got.state_dict()[key], value), key)
        self.assertEqual(out.read_bytes(), self.write("b.safetensors").read_bytes())

    def test_half_rounds_to_nearest(self):
        out = self.write("h.safetensors", "--half")
        self.assertLess(out.stat().st_size, 2_500_000)
        got, want = export.load_generator(out).state_dict(), export.random_reduced(1).state_dict()
        for key, value in want.items():
            self.assertEqual(got[key].dtype, torch.float32)
            self.assertTrue(torch.equal(got[key], value.half().float()), key)
        self.assertFalse(all(torch.equal(got[k], v) for k, v in want.items()))

    def test_a_program_from_it(self):
        """From .safetensors to .pt2 gives the very weights."""
        out, pt2 = self.write("h.safetensors", "--half"), self.dir / "p.pt2"
        status, text = common.call(export.main, "--weights", out, "--out", pt2)
        self.assertEqual(status, 0, text)
        one, two = (export.load_generator(p).state_dict() for p in (out, pt2))
        self.assertTrue(all(torch.equal(one[k], two[k]) for k in one))

    def test_without_settings(self):
        from safetensors.torch import save_file

        bare = self.dir / "bare.safetensors"
        save_file({"x": torch.zeros(2)}, bare)
        self.refuse(export.main, "--weights", bare, "--out", self.dir / "x.pt2")


class Measure(Folder):
    def test_truth_is_perfect_and_grey_is_not(self):
        trials = measure.trials_for(30, 64, None)
        truth = [trials.truth(v) for v in range(8)]
        best = measure.report(truth, trials)
        self.assertGreater(min(best["region"].values()), 0.99)
        self.assertEqual(best["l1"], 0.0)
        self.assertLess(best["leak_mean"], 1e-6)
        for value in best["counterfactual"].values():
            self.assertAlmostEqual(value["response"], 1.0, 4)
        grey = measure.report([np.full_like(t, 0.5) for t in truth], trials)
        self.assertLess(grey["region_mean"], 0.35)
        self.assertEqual(grey["counterfactual"]["hair"]["response"], 0.0)

    def test_skip_takes_other_shapes(self):
        some, later = measure.trials_for(6, 32, None), measure.trials_for(2, 32, None, skip=4)
        self.assertTrue(np.array_equal(some.data["ink"][4:], later.data["ink"]))
        self.assertFalse(np.array_equal(some.data["ink"][:2], later.data["ink"]))

    def test_outputs_of_another_program(self):
        inputs = self.dir / "in"
        status, text = common.call(measure.main, "--write-inputs", inputs, "--count", 5)
        self.assertEqual(status, 0, text)
        self.assertEqual(len(list(inputs.glob("*.line.npy"))), 40)
        trials = measure.trials_for(5, 64, None)
        for v in range(8):
            for k, image in enumerate(trials.truth(v)):
                np.save(inputs / f"{v * 5 + k:05d}.out0.npy", image[None] * 2 - 1)
        report = self.dir / "r.json"
        status, text = common.call(measure.main, "--outputs", inputs, "--count", 5, "--json", report)
        self.assertEqual(status, 0, text)
        self.assertGreater(json.loads(report.read_text())["training styles"]["region_mean"], 0.99)
        np.save(inputs / "00003.out0.npy", np.zeros((1, 3, 32, 32), np.float32))
        self.refuse(measure.main, "--outputs", inputs, "--count", 5)

    def test_refusals(self):
        self.refuse(measure.main, "--weights", self.dir / "none.pt")
        self.refuse(measure.main, "--outputs", self.dir / "none")
        self.refuse(measure.main, "--outputs", self.dir, "--count", 0)
        self.refuse(measure.main, "--outputs", self.dir, "--count", 1, "--skip", -1)
        self.refuse(measure.main)

    def test_wrong_size(self):
        out = self.dir / "x.pt2"
        common.call(export.main, "--untrained", "--out", out)
        self.refuse(measure.main, "--weights", out, "--size", 32, "--count", 1)


class Colorize(Folder):
    def setUp(self):
        super().setUp()
        self.weights = self.dir / "w.pt2"
        common.call(export.main, "--untrained", "--out", self.weights)

    def picture(self, name: str, array: np.ndarray) -> Path:
        path = self.dir / name
        Image.fromarray(array).save(path)
        return path

    def test_same_size_out_and_lines_stay(self):
        art = np.full((90, 150), 255, np.uint8)
        art[40:44, 20:130] = 0
        out = self.dir / "out.png"
        args = (self.picture("a.png", art), "--weights", self.weights, "--out", out)
        status, text = common.call(colorize.main, *args, "--tags", "blonde_hair, red_ribbon")
        self.assertEqual(status, 0, text)
        result = np.asarray(Image.open(out))
        self.assertEqual(result.shape, (90, 150, 3))
        self.assertEqual(int(result[41, 60].max()), 0)

    def test_alpha_and_dark_paper_read_alike(self):
        ink = np.zeros((64, 64), bool)
        ink[30:33, 8:56] = True
        rgba = np.zeros((64, 64, 4), np.uint8)
        rgba[..., 3] = ink * 255
        plain = colorize.read_line_art(self.picture("p.png", np.where(ink, 0, 255).astype(np.uint8)))
        alpha = colorize.read_line_art(self.picture("a.png", rgba))
        dark = colorize.read_line_art(self.picture("d.png", np.where(ink, 255, 20).astype(np.uint8)))
        self.assertLess(np.abs(plain - alpha).max(), 0.01)
        self.assertLess(np.abs(plain - dark).max(), 0.12)

    def test_refusals(self):
        art = self.picture("a.png", np.full((20, 20), 255, np.uint8))
        text_file = self.dir / "t.png"
        text_file.write_text("no picture")
        out = self.dir / "o.png"
        rest = ("--weights", self.weights, "--out", out)
        self.refuse(colorize.main, self.dir / "none.png", *rest)
        self.refuse(colorize.main, text_file, *rest)
        self.refuse(colorize.main, art, "--weights", self.dir / "none.pt2", "--out", out)
        status, text = common.call(colorize.main, art, "--tags", "blond_hair", *rest)
        self.assertEqual(status, 2)
        self.assertIn("blonde_hair", text)


class Shipped(unittest.TestCase):
    """The trained network in the repository."""

    @unittest.skipUnless(colorize.WEIGHTS.exists(), "no trained weights here")
    def test_conformance_on_unseen_shapes(self):
        from train import paint_all

        self.assertLess(colorize.WEIGHTS.stat().st_size, 8_000_000)
        generator = export.load_generator(colorize.WEIGHTS)
        # The goals less what 120 shapes leave to chance (two standard errors).
        goals, chance = {"eyes": 0.95, "ribbon": 0.8}, 0.03
        for style in (None, synth.HELD_OUT):
            trials = measure.trials_for(120, 64, style)
            image = paint_all(generator, trials.line(), trials.tags(0))
            result = measure.conformance(image, trials.data, trials.painted[0], trials.vocab)
            for name, value in result["region"].items():
                self.assertGreaterEqual(value, goals.get(name, 0.97) - chance, f"{name}, style {style}")

    @unittest.skipUnless(colorize.WEIGHTS.exists(), "no trained weights here")
    def test_leak_on_unseen_shapes(self):
        """A changed tag leaves the rest alone, and does change its region."""
        from train import paint_all

        generator = export.load_generator(colorize.WEIGHTS)
        for style in (None, synth.HELD_OUT):
            trials = measure.trials_for(30, 64, style, skip=120)
            images = [paint_all(generator, trials.line(), trials.tags(v)) for v in range(8)]
            for name, value in measure.counterfactual(images, trials).items():
                self.assertLess(value["leak"], 0.01, f"{name}, style {style}")
                self.assertGreater(value["response"], 0.9, f"{name}, style {style}")

    @unittest.skipUnless(COPY.exists() and importlib.util.find_spec("safetensors"), "no copy here")
    def test_the_copy_holds_the_same_weights(self):
        program, copy = (export.load_generator(p) for p in (colorize.WEIGHTS, COPY))
        self.assertEqual(program.config, copy.config)
        self.assertLess(COPY.stat().st_size, 2_500_000)
        program, copy = program.state_dict(), copy.state_dict()
        self.assertEqual(program.keys(), copy.keys())
        for key, value in program.items():
            self.assertTrue(torch.equal(copy[key], value.half().float()), key)

    @unittest.skipUnless(colorize.WEIGHTS.exists(), "no trained weights here")
    def test_half_precision_weights_are_enough(self):
        generator = export.load_generator(colorize.WEIGHTS)
        line, tags = export.example(64, 8, 60, 5)
        with torch.no_grad():
            want = generator(line, tags)
            for p in generator.parameters():
                p.copy_(p.half().float())
            got = generator(line, tags)
        error = (got - want).abs() / 2 * 255  # in 8-bit steps
        self.assertLess(float(error.mean()), 0.1)
        self.assertLess(float((error > 1).float().mean()), 0.002)

    @unittest.skipUnless(colorize.WEIGHTS.exists(), "no trained weights here")
    def test_own_drawing(self):
        """Hair of a drawing made by hand takes the colour of its tag."""
        vocab = synth.Vocabulary()
        generator = export.load_generator(colorize.WEIGHTS)
        line = colorize.read_line_art(common.HERE / "examples" / "01-school.png")
        lo, hi = vocab.ranges["hair"]
        for tag in ("blonde_hair", "blue_hair", "black_hair"):
            image = colorize.colorize(generator, line, vocab.vector([tag]), keep_lines=False)
            patch = image[100:160, 290:350].reshape(-1, 3).mean(0)
            found = lo + int(nearest(patch[None], vocab.anchors[lo:hi])[0])
            self.assertEqual(vocab.tags[found], tag)


if __name__ == "__main__":
    unittest.main()
