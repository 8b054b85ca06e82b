# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The training script: smoke run, resuming, schedule, refusals."""

import json
import tempfile
import unittest
from pathlib import Path

import common
import synth
import torch
import train
from export import load_generator

TINY = ("--size", 32, "--width", 0.25, "--blocks", "1,1,1,1", "--batch", 4, "--shapes", 12,
        "--test-shapes", 4, "--no-bf16", "--lead-in", 1, "--warmup", 2, "--log", 1)


def train_tiny(folder: str, *more) -> tuple[int, str]:
    return common.call(train.main, "--run", folder, *TINY, *more)


class Smoke(unittest.TestCase):
    def test_learns_the_easy_regions(self):
        """About 40 s: chance is 0.14 for backgrounds, 0.33 for skin, 0.14 overall."""
        with tempfile.TemporaryDirectory() as folder:
            status, text = common.call(train.main, "--smoke", "--run", folder)
            self.assertEqual(status, 0, text)
            test = json.loads((Path(folder) / "summary.json").read_text())["test"]
            region = test["region"]
            self.assertGreater(region["background"], 0.5, text)
            self.assertGreater(region["skin"], 0.5, text)
            self.assertGreater(sum(region.values()) / 7, 0.27, text)
            self.assertLess(test["l1"], 0.14)


class Pairs(unittest.TestCase):
    def setUp(self):
        self.vocab = synth.Vocabulary()
        data = synth.make_shapes(40, 6, 32)
        self.batches = train.Batches(data, self.vocab, 8, 3, pairs=1.0)

    def test_halves_differ_in_one_tag_and_outside_in_nothing(self):
        for step in range(6):
            line, tags, target, weight, outside = self.batches.make(step)
            self.assertEqual([len(v) for v in (line, tags, target, weight, outside)], [8, 8, 8, 8, 4])
            for value in (line, weight):
                self.assertTrue(torch.equal(value[:4], value[4:]))
            for k in range(4):
                changed = [
                    n for n, (lo, hi) in self.vocab.ranges.items()
                    if not torch.equal(tags[k, lo:hi], tags[k + 4, lo:hi])
                ]
                self.assertEqual(len(changed), 1)
                lo, hi = self.vocab.ranges[changed[0]]
                self.assertEqual(float(tags[k + 4, lo:hi].sum()), 1.0)
            difference = (target[:4] - target[4:]).abs()
            self.assertEqual(float((difference * outside).max()), 0.0)
            self.assertGreater(float(difference.max()), 0.1)

    def test_share_of_the_batches(self):
        self.batches.pairs = 0.5
        paired = sum(len(self.batches.make(k)) == 5 for k in range(40))
        self.assertTrue(10 <= paired <= 30, paired)
        self.batches.pairs = 0.0
        self.assertEqual({len(self.batches.make(k)) for k in range(10)}, {4})


class Runs(unittest.TestCase):
    def test_resume_gives_the_same_weights(self):
        with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
            for folder in (a, b):
                checks = ("--check", 3) if folder == b else ()
                status, text = train_tiny(folder, "--steps", 6, "--two-step-fraction", 0.5, *checks)
                self.assertEqual(status, 0, text)
            self.assertIn("adv", text)
            one, two = (load_generator(Path(f) / "generator.pt").state_dict() for f in (a, b))
            self.assertTrue(all(torch.equal(one[k], two[k]) for k in one))
            self.interrupt_and_resume(b, one)

    def interrupt_and_resume(self, folder: str, want: dict) -> None:
        """Run to the middle with the same schedule, then resume to the end."""
        (Path(folder) / "checkpoint.pt").unlink()
        rest = ("--steps", 6, "--two-step-fraction", 0.5, "--check", 3)
        original = train.evaluate

        def stop(*_):
            raise KeyboardInterrupt

        train.evaluate = stop
        try:
            with self.assertRaises(KeyboardInterrupt):
                train_tiny(folder, *rest)
        finally:
            train.evaluate = original
        status, text = train_tiny(folder, *rest, "--resume")
        self.assertEqual(status, 0, text)
        got = load_generator(Path(folder) / "generator.pt").state_dict()
        self.assertTrue(all(torch.equal(want[k], got[k]) for k in want))

    def test_schedule(self):
        s = train.Schedule(1000, 1.0, 100, 900, 500)
        self.assertAlmostEqual(s.rate(0), 0.01)
        self.assertEqual(s.rate(300), 1.0)
        self.assertAlmostEqual(s.rate(750), 0.5)
        self.assertAlmostEqual(s.rate(999), 0.02)

    def test_moving_the_end_does_not_make_the_rate_jump(self):
        s = train.Schedule(1000, 1.0, 100, 900, 500)
        for steps in (900, 1400):
            moved = s.moved(750, steps, 0.1)
            self.assertAlmostEqual(moved.rate(750), 0.5)
            self.assertAlmostEqual(moved.fall(steps), 0.0)
            again = moved.moved(800, 1000, 0.1)
            self.assertAlmostEqual(again.rate(800), moved.rate(800))
        self.assertEqual(s.moved(100, 600, 0.1).anchor, 300)
        self.assertEqual(s.moved(950, 980, 0.1).two_step, 900)

    def test_init_begins_with_the_weights_of_another_run(self):
        with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
            status, text = train_tiny(a, "--steps", 3, "--seed", 5)
            self.assertEqual(status, 0, text)
            first = Path(a) / "generator.pt"
            still = ("--steps", 1, "--lr", 0, "--init", first)
            for more in (("--guide",), ("--no-guide", "--two-step-fraction", 0)):
                status, text = train_tiny(b, *still, *more)
                self.assertEqual(status, 0, text)
                want = load_generator(first).state_dict()
                got = load_generator(Path(b) / "generator.pt").state_dict()
                self.assertTrue(all(torch.equal(want[k], got[k]) for k in want))
                saved = torch.load(Path(b) / "generator.pt", weights_only=True)["weights"]
                self.assertEqual(any(k.startswith("guide.") for k in saved), "--guide" in more)
            half = load_generator(Path(b) / "checkpoint.pt").state_dict()
            self.assertTrue(all(torch.equal(want[k], half[k]) for k in want))
            self.refuse_init(b, first)

    def refuse_init(self, folder: str, first: Path) -> None:
        """Another width, no such file, no network."""
        junk = Path(folder) / "junk.pt2"
        junk.write_bytes(b"junk")
        for more in (("--init", first, "--width", 0.5), ("--init", junk), ("--init", "none.pt")):
            status, text = train_tiny(folder, "--steps", 1, *more)
            self.assertEqual(status, 2, text)
        status, text = train_tiny(folder, "--steps", 1, "--init", first, "--blocks", "2,1,1,1")
        self.assertIn("--blocks 1,1,1,1", text)

    def test_pairs_train_the_leak(self):
        """Same start, same steps: only the run with the loss in it leaks less."""
        with tempfile.TemporaryDirectory() as folder:
            args = ("--steps", 30, "--pairs", 1, "--two-step-fraction", 0, "--no-guide", "--lr", 3e-3)
            leaks = []
            for weight in (0, 20):
                status, text = train_tiny(folder, *args, "--consistency", weight)
                self.assertEqual(status, 0, text)
                line = [t for t in text.splitlines() if t.startswith("step 30/30")][0]
                leaks.append(float(line.split(" leak ")[1].split()[0]))
            self.assertLess(leaks[1], 0.7 * leaks[0])

    def test_minutes_limit_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            status, text = train_tiny(folder, "--minutes", 0.05, "--check", 20)
            self.assertEqual(status, 0, text)
            summary = json.loads((Path(folder) / "summary.json").read_text())
            self.assertLess(summary["seconds"], 30)

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as folder:
            for bad in (("--blocks", "3,2"), ("--blocks", "a"), ("--size", 40), ("--resume",),
                        ("--minutes", 0), ("--two-step-fraction", 1.5), ("--pairs", 2),
                        ("--pairs", 0.5, "--batch", 3), ("--no-such-flag",)):
                status, text = common.call(train.main, "--run", folder, *bad)
                self.assertNotEqual(status, 0, bad)
                self.assertTrue(text, bad)


if __name__ == "__main__":
    unittest.main()
