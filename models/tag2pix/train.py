# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Train the reduced Tag2Pix generator on synthetic drawings.

    python train.py --run DIR --minutes 75       # from nothing
    python train.py --run DIR --init FILE        # from the weights of another run
    python train.py --run DIR --resume           # go on after an interruption
    python train.py --smoke                      # under a minute, for CI

Step one is an area-balanced L1 on the image and on the guide image.  Step two
(the last `--two-step-fraction` of the steps) adds a discriminator that judges
real/fake and reads the colour tags.  In a share of the batches (`--pairs`)
every drawing comes twice with one tag changed, and what changes outside that
tag's region is a loss of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch

import synth
from export import ExportError, load_generator
from losses import (
    clip_and_step,
    consistency_loss,
    discriminator_loss,
    generator_adversarial_loss,
    pixel_weights,
    reconstruction_loss,
)
from measure import conformance, region_table
from model import (
    Discriminator,
    Generator,
    count_parameters,
    reduced_config,
    reduced_discriminator_config,
    soften_residuals,
)


@dataclass
class Schedule:
    """Length and learning rate of a run, in steps."""

    steps: int
    lr: float
    warmup: int
    two_step: int  # first step with the discriminator
    anchor: int  # where the linear decay starts ...
    level: float = 1.0  # ... and from which share of the rate

    def fall(self, step: int) -> float:
        """Decay factor: `level` up to the anchor, then down to 0 at the end."""
        left = (self.steps - step) / max(1, self.steps - self.anchor)
        return self.level * min(1.0, max(0.0, left))

    def rate(self, step: int) -> float:
        """Learning rate: warm-up, flat, decay down to 2 %."""
        warm = min(1.0, (step + 1) / max(1, self.warmup))
        return self.lr * warm * max(self.fall(step), 0.02)

    def moved(self, step: int, steps: int, fraction: float) -> Schedule:
        """The same run with another end; the rate does not jump."""
        begun = step >= self.two_step
        two_step = self.two_step if begun else max(step, int(steps * (1 - fraction)))
        late = step >= steps // 2 or self.level < 1.0
        anchor, level = (step, self.fall(step)) if late else (steps // 2, 1.0)
        return Schedule(steps, self.lr, self.warmup, two_step, anchor, level)


def schedule_for(a: argparse.Namespace, steps: int) -> Schedule:
    """Flat for the first half, decay in the second, step two at the end."""
    two_step = int(steps * (1 - a.two_step_fraction))
    return Schedule(steps, a.lr, a.warmup, two_step, steps // 2)


class Batches:
    """Random coloured batches from a set of shapes; one stream per step."""

    def __init__(
        self, data: dict, vocab: synth.Vocabulary, batch: int, seed: int, pairs: float = 0.0
    ):
        self.data, self.vocab, self.batch, self.seed = data, vocab, batch, seed
        self.pairs = pairs  # share of the batches that are pairs

    def make(self, step: int) -> tuple[torch.Tensor, ...]:
        """line [n,1,s,s], tags [n,60], target [n,3,s,s], weights [n,1,s,s].

        A batch of pairs has a fifth part, the mask [n/2,1,s,s] of what lies
        outside the region of the changed tag.
        """
        rng = np.random.default_rng((self.seed, step))
        paired = self.pairs > 0 and rng.random() < self.pairs
        count = self.batch // 2 if paired else self.batch
        pick = rng.integers(0, len(self.data["ink"]), count)
        ink, shade, cover = (self.data[k][pick] for k in ("ink", "shade", "cover"))
        tags, painted = synth.pick_tags(rng, self.vocab, count)
        line, weight, outside = self.vary(rng, synth.line_art(ink)), pixel_weights(cover), []
        if paired:
            regions, tags, painted = self.change_one(rng, tags, painted)
            outside = [cover[np.arange(count), regions][:, None] == 0]
            cover, shade, line, weight = (np.concatenate([v, v]) for v in (cover, shade, line, weight))
        image = synth.compose(cover, shade, synth.colours(self.vocab, painted))
        arrays = [line, 2 * image - 1, weight] + outside
        if rng.random() < 0.5:
            arrays = [np.flip(v, 3) for v in arrays]
        arrays.insert(1, tags)
        return tuple(torch.from_numpy(np.ascontiguousarray(v, np.float32)) for v in arrays)

    def change_one(self, rng: np.random.Generator, tags: np.ndarray, painted: np.ndarray):
        """Regions [n] of the tags changed; tags and painted [2n, ...] before and after."""
        spans = list(self.vocab.ranges.items())
        regions, tags, painted = [], np.concatenate([tags, tags]), np.concatenate([painted, painted])
        for row in range(len(tags) // 2, len(tags)):
            c = int(rng.integers(len(spans)))
            name, (lo, hi) = spans[c]
            old = painted[row, c]
            new = lo + (old - lo + int(rng.integers(1, hi - lo))) % (hi - lo)
            tags[row, lo:hi], painted[row, c] = 0, new
            tags[row, new] = 1
            regions.append(synth.REGION_OF[name])
        return np.array(regions), tags, painted

    def vary(self, rng: np.random.Generator, line: np.ndarray) -> np.ndarray:
        """Darkness 0.4..1.7 (clipped), paper tone, a little noise."""
        n = len(line)
        dark = np.exp(rng.uniform(np.log(0.4), np.log(1.7), (n, 1, 1, 1)))
        paper = 1 - rng.uniform(0, 0.06, (n, 1, 1, 1)) * (rng.random((n, 1, 1, 1)) < 0.4)
        noise = rng.normal(0, 1, line.shape) * rng.uniform(0, 0.04, (n, 1, 1, 1))
        noise *= rng.random((n, 1, 1, 1)) < 0.4
        return np.clip(paper - dark * (1 - line) + noise, 0, 1).astype(np.float32)


class Trainer:
    """Networks, optimisers, checkpoints and the two kinds of step."""

    def __init__(self, a: argparse.Namespace, vocab: synth.Vocabulary):
        self.a, self.vocab, self.step, self.spent = a, vocab, 0, 0.0
        self.schedule: dict | None = None  # of an interrupted --minutes run
        torch.manual_seed(a.seed)
        self.g = Generator(replace(reduced_config(a.size, a.width, a.blocks), guide=a.guide))
        soften_residuals(self.g)
        if a.init and not a.resume:
            self.begin_with(a.init)
        self.d = Discriminator(reduced_discriminator_config())
        self.g = self.g.to(memory_format=torch.channels_last)
        self.d = self.d.to(memory_format=torch.channels_last)
        self.g_opt = torch.optim.Adam(self.g.parameters(), a.lr, foreach=True)
        self.d_opt = torch.optim.Adam(self.d.parameters(), a.lr, (0.5, 0.999), foreach=True)

    def begin_with(self, path: Path) -> None:
        """Take the weights of a trained network; its file holds no guide decoder."""
        other = load_generator(path)
        if replace(other.config, guide=self.a.guide) != self.g.config:
            c = other.config
            blocks = ",".join(map(str, c.blocks))
            raise ExportError(
                f"{path} is another network: --size {c.size} --width {c.width} --blocks {blocks}"
            )
        self.g.load_state_dict(other.state_dict(), strict=False)

    def paint(self, line: torch.Tensor, tags: torch.Tensor):
        """Image and guide (or None) in float32, computed in bfloat16 if asked for."""
        line = line.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.a.bf16):
            if not self.a.guide:
                return self.g(line, tags).float(), None
            image, guide = self.g(line, tags, with_guide=True)
        return image.float(), guide.float()

    def run_step(self, batch: tuple[torch.Tensor, ...], s: Schedule) -> dict[str, float]:
        """One step of either kind; returns losses by name."""
        line, tags, target, weight, *outside = batch
        lr = s.rate(self.step)
        image, guide = self.paint(line, tags)
        loss, parts = reconstruction_loss(image, guide, target, weight)
        if outside:
            leak = consistency_loss(image, outside[0])
            parts["leak"] = leak.item()
            loss = loss + self.a.consistency * leak
        if self.step >= s.two_step:
            parts["d"] = self.discriminate(target, image.detach(), tags, lr)
            # The discriminator starts from nothing: let it lead first.
            if self.step >= s.two_step + self.a.lead_in:
                extra = generator_adversarial_loss(self.d, image, tags)
                parts["adv"], parts["cls"] = extra[0].item(), extra[1].item()
                loss = loss + self.a.adversarial * extra[0] + self.a.classify * extra[1]
        clip_and_step(self.g, self.g_opt, loss, lr)
        self.step += 1
        return parts

    def discriminate(self, real, fake, tags, lr: float) -> float:
        """One step of the discriminator."""
        loss = discriminator_loss(self.d, real, fake, tags)
        clip_and_step(self.d, self.d_opt, loss, lr)
        return loss.item()

    def state(self) -> dict:
        return {
            "step": self.step,
            "spent": self.spent,
            "schedule": self.schedule,
            "config": self.g.config.to_dict(),
            "g": self.g.state_dict(),
            "d": self.d.state_dict(),
            "g_opt": self.g_opt.state_dict(),
            "d_opt": self.d_opt.state_dict(),
        }

    def save(self, path: Path) -> None:
        """Write a checkpoint whole or not at all."""
        part = path.with_suffix(".part")
        torch.save(self.state(), part)
        os.replace(part, path)

    def load(self, path: Path) -> None:
        """Continue from a checkpoint of the same configuration."""
        s = torch.load(path, weights_only=True)
        self.step, self.spent, self.schedule = s["step"], s["spent"], s["schedule"]
        self.g.load_state_dict(s["g"])
        self.d.load_state_dict(s["d"])
        self.g_opt.load_state_dict(s["g_opt"])
        self.d_opt.load_state_dict(s["d_opt"])


@torch.no_grad()
def paint_all(generator: Generator, line: np.ndarray, tags: np.ndarray) -> np.ndarray:
    """Images [n,3,s,s] in [0,1] from numpy inputs, in float32."""
    out = []
    for k in range(0, len(line), 32):
        parts = (torch.from_numpy(v[k : k + 32]) for v in (line, tags))
        out.append(((generator(*parts) + 1) / 2).numpy())
    return np.concatenate(out)


def evaluate(generator: Generator, data: dict, vocab: synth.Vocabulary, count: int) -> dict:
    """Region conformance per category and L1 on `count` test shapes."""
    data = {k: v[:count] for k, v in data.items()}
    rng = np.random.default_rng(7)
    tags, painted = synth.pick_tags(rng, vocab, len(data["ink"]), drop=0.0)
    truth = synth.compose(data["cover"], data["shade"], synth.colours(vocab, painted))
    image = paint_all(generator, synth.line_art(data["ink"]), tags)
    result = conformance(image, data, painted, vocab)
    result["l1"] = float(np.abs(image - truth).mean())
    return result


def measure_speed(trainer: Trainer, batches: Batches, s: Schedule, seconds: float) -> float:
    """Seconds per step of step one; the steps count as training."""
    trainer.run_step(batches.make(trainer.step), s)
    start, first = time.time(), trainer.step
    while time.time() - start < seconds:
        trainer.run_step(batches.make(trainer.step), s)
    return (time.time() - start) / (trainer.step - first)


def fit(a: argparse.Namespace, s: Schedule, step: int, per: float, took: float) -> Schedule:
    """Move the end so that the run takes --minutes at `per` seconds a step.

    A step with the discriminator costs about 1.7 plain ones.
    """
    dear = 0.7 * a.two_step_fraction * s.steps / max(1, s.steps - step)
    dear = 0.0 if step >= s.two_step else dear  # `per` already holds it
    left = max(0.0, a.minutes * 60 * 0.98 - took)
    steps = step + max(1, int(left / (per * (1 + min(0.7, dear)))))
    return s.moved(step, steps, a.two_step_fraction)


def plan(a: argparse.Namespace, trainer: Trainer, batches: Batches) -> Schedule:
    """Take --steps, or fit the steps to --minutes by a short speed test."""
    if a.steps:
        return schedule_for(a, a.steps)
    start = time.time()
    s = Schedule(**trainer.schedule) if trainer.schedule else schedule_for(a, 10**7)
    per = measure_speed(trainer, batches, s, min(30.0, a.minutes * 3))
    s = fit(a, s, trainer.step, per, trainer.spent + time.time() - start)
    print(f"train: {per * 1000:.0f} ms a step, planned {s.steps} steps", flush=True)
    return s


def progress(trainer: Trainer, s: Schedule, parts: dict, took: float, per: float) -> None:
    """One line on the terminal."""
    numbers = " ".join(f"{k} {v:.4f}" for k, v in parts.items())
    left = per * (s.steps - trainer.step)
    print(
        f"step {trainer.step}/{s.steps} {numbers} lr {s.rate(trainer.step):.1e} | "
        f"{took:.0f} s, {left:.0f} s left",
        flush=True,
    )


def checkpoint(a: argparse.Namespace, trainer: Trainer, s: Schedule, took: float) -> None:
    """Store everything needed to go on."""
    trainer.schedule = None if a.steps else asdict(s)
    before, trainer.spent = trainer.spent, took
    trainer.save(a.run / "checkpoint.pt")
    trainer.spent = before


def loop(a: argparse.Namespace, trainer: Trainer, batches: Batches, test: dict) -> None:
    """Train to the end of the schedule, with checkpoints and tests."""
    start, mean = time.time(), {}
    s = plan(a, trainer, batches)
    last_step, last_time = trainer.step, time.time()
    while trainer.step < s.steps:
        parts = trainer.run_step(batches.make(trainer.step), s)
        for k, v in parts.items():
            mean[k] = 0.98 * mean.get(k, v) + 0.02 * v
        took = trainer.spent + time.time() - start
        per = (time.time() - last_time) / (trainer.step - last_step)
        if trainer.step % a.log == 0:
            progress(trainer, s, mean, took, per)
        if trainer.step % a.check == 0:
            if not a.steps:
                s = fit(a, s, trainer.step, per, took)
            checkpoint(a, trainer, s, took)
            last_step, last_time = trainer.step, time.time()
            result = evaluate(trainer.g, test, trainer.vocab, 64)
            print("  " + region_table(result), flush=True)
    trainer.spent += time.time() - start
    checkpoint(a, trainer, s, trainer.spent)


def finish(a: argparse.Namespace, trainer: Trainer, test: dict) -> dict:
    """Write the generator's weights and a JSON summary; return it."""
    result = evaluate(trainer.g, test, trainer.vocab, len(test["ink"]))
    summary = {
        "steps": trainer.step,
        "seconds": round(trainer.spent, 1),
        "seed": a.seed,
        "batch": a.batch,
        "test": result,
    }
    weights = {k: v.contiguous().clone() for k, v in trainer.g.state_dict().items()}
    part = a.run / "generator.part"
    torch.save({"config": trainer.g.config.to_dict(), "weights": weights}, part)
    os.replace(part, a.run / "generator.pt")
    (a.run / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    print("final " + region_table(result), flush=True)
    return summary


def parse(argv: list[str] | None) -> argparse.Namespace:
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--run", type=Path, default=Path("tag2pix-run"), help="output folder")
    p.add_argument("--minutes", type=float, default=75, help="wall-clock length")
    p.add_argument("--steps", type=int, default=0, help="instead of --minutes")
    p.add_argument("--size", type=int, default=64)
    p.add_argument("--width", type=float, default=0.5)
    p.add_argument("--blocks", default="3,2,2,2", help="bottlenecks per decoder block")
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--warmup", type=int, default=200)
    p.add_argument("--shapes", type=int, default=10000)
    p.add_argument("--test-shapes", type=int, default=256)
    p.add_argument("--two-step-fraction", type=float, default=0.08)
    p.add_argument("--lead-in", type=int, default=100, help="steps of the discriminator alone")
    p.add_argument("--adversarial", type=float, default=0.002)
    p.add_argument("--classify", type=float, default=0.005)
    p.add_argument("--init", type=Path, help="start from a generator.pt, .pt2 or .safetensors")
    p.add_argument("--guide", action=argparse.BooleanOptionalAction, default=True)
    p.add_argument("--pairs", type=float, default=0.0, help="share of batches with one tag changed")
    p.add_argument("--consistency", type=float, default=2.0, help="weight of the leak in them")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--log", type=int, default=100, help="steps between progress lines")
    p.add_argument("--check", type=int, default=500, help="steps between checkpoints")
    fast = bool(torch.cpu.get_capabilities().get("avx512_bf16"))
    p.add_argument("--bf16", action=argparse.BooleanOptionalAction, default=fast,
                   help="compute in bfloat16; default: if the CPU can, else it is ten times slower")
    p.add_argument("--resume", action="store_true")
    p.add_argument("--smoke", action="store_true", help="tiny run for CI")
    return p.parse_args(argv)


def smoke(a: argparse.Namespace) -> None:
    """The settings of the CI run: 32 px, a narrow net, under a minute."""
    a.size, a.width, a.blocks, a.shapes, a.test_shapes = 32, 0.5, "1,1,1,1", 500, 48
    a.steps, a.batch, a.warmup, a.log, a.check = 700, 16, 40, 100, 10**6
    a.lr, a.lead_in, a.two_step_fraction, a.bf16 = 3e-3, 5, 0.03, False


def check(a: argparse.Namespace) -> str:
    """What is wrong with the arguments, or an empty string."""
    try:
        a.blocks = tuple(int(v) for v in str(a.blocks).split(","))
    except ValueError:
        return f"--blocks must be four numbers like 3,2,2,2, not {a.blocks!r}"
    if len(a.blocks) != 4 or min(a.blocks) < 1:
        return "--blocks must be four numbers of at least 1"
    if a.size < 32 or a.size % 16:
        return "--size must be a multiple of 16, at least 32"
    if not 0 <= a.two_step_fraction < 1:
        return "--two-step-fraction must be in [0, 1)"
    if not 0 <= a.pairs <= 1 or (a.pairs and a.batch % 2):
        return "--pairs must be in [0, 1] and needs an even --batch"
    if min(a.batch, a.shapes, a.test_shapes, a.threads) < 1 or a.minutes <= 0:
        return "counts, --threads and --minutes must be positive"
    if a.resume and not (a.run / "checkpoint.pt").exists():
        return f"nothing to resume: {a.run / 'checkpoint.pt'} does not exist"
    return ""


def main(argv: list[str] | None = None) -> int:
    a = parse(argv)
    if a.smoke:
        smoke(a)
    problem = check(a)
    if problem:
        print(f"train: {problem}", file=sys.stderr)
        return 2
    torch.set_num_threads(a.threads)
    a.run.mkdir(parents=True, exist_ok=True)
    vocab = synth.Vocabulary()
    data = synth.cached_shapes(a.run / f"train-{a.size}.npz", 0, a.shapes, a.size)
    test_path = a.run / f"test-{a.size}.npz"
    test = synth.cached_shapes(test_path, synth.TEST_SEED, a.test_shapes, a.size)
    try:
        trainer = Trainer(a, vocab)
    except ExportError as e:
        print(f"train: {e}", file=sys.stderr)
        return 2
    if a.resume:
        trainer.load(a.run / "checkpoint.pt")
    print(f"train: {count_parameters(trainer.g)} parameters, {a.shapes} shapes", flush=True)
    loop(a, trainer, Batches(data, vocab, a.batch, a.seed, a.pairs), test)
    finish(a, trainer, test)
    return 0


if __name__ == "__main__":
    sys.exit(main())
