# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The training script: smoke run, resuming, schedule, refusals."""

import json
import tempfile
import unittest
from pathlib import Path

import common
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

    def test_minutes_limit_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            status, text = train_tiny(folder, "--minutes", 0.05, "--check", 20)
            self.assertEqual(status, 0, text)
            summary = json.loads((Path(folder) / "summary.json").read_text())
            self.assertLess(summary["seconds"], 30)

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as folder:
            for bad in (("--blocks", "3,2"), ("--blocks", "a"), ("--size", 40), ("--resume",),
                        ("--minutes", 0), ("--two-step-fraction", 1.5), ("--no-such-flag",)):
                status, text = common.call(train.main, "--run", folder, *bad)
                self.assertNotEqual(status, 0, bad)
                self.assertTrue(text, bad)


if __name__ == "__main__":
    unittest.main()
