# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of every loss against finite differences, in double."""

import unittest

import common  # noqa: F401
import losses
import numpy as np
import torch
from figure import BACKGROUND, BOTTOM, IRIS
from model import Discriminator, DiscriminatorConfig, Generator, GeneratorConfig


def tiny_generator() -> Generator:
    config = GeneratorConfig(
        size=16, tags=6, width=0.125, blocks=(1, 1, 1, 1), cardinality=2, batch_norm=False,
        extractor=False, map_channels=4, latent=4, latent_layers=2, latent_relu=True, min_hidden=4,
    )
    return Generator(config).double()


def tiny_discriminator() -> Discriminator:
    return Discriminator(DiscriminatorConfig(4, (16,), 1, 1, 2, False, (1, 6))).double()


def check(test: unittest.TestCase, loss, net, probes: int = 40, step: float = 1e-6) -> None:
    """Compare the gradient of loss() with central differences at random weights."""
    params = list(net.parameters())
    grads = torch.autograd.grad(loss(), params, allow_unused=True)
    rng = np.random.default_rng(0)
    for _ in range(probes):
        k = int(rng.integers(len(params)))
        i = int(rng.integers(params[k].numel()))
        flat, got = params[k].data.view(-1), grads[k]
        got = 0.0 if got is None else float(got.reshape(-1)[i])
        old = float(flat[i])
        values = []
        for sign in (1, -1):
            flat[i] = old + sign * step
            with torch.no_grad():
                values.append(float(loss()))
        flat[i] = old
        want = (values[0] - values[1]) / (2 * step)
        test.assertLess(abs(got - want), 1e-6 + 1e-4 * abs(want), f"parameter {k}[{i}]")


class Gradients(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(5)
        self.g, self.d = tiny_generator(), tiny_discriminator()
        self.line = torch.rand(2, 1, 16, 16, dtype=torch.double)
        self.tags = torch.tensor([[1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 0, 1]], dtype=torch.double)
        self.target = torch.rand(2, 3, 16, 16, dtype=torch.double) * 2 - 1
        self.weight = torch.rand(2, 1, 16, 16, dtype=torch.double) + 0.5

    def test_reconstruction(self):
        def loss():
            image, guide = self.g(self.line, self.tags, with_guide=True)
            return losses.reconstruction_loss(image, guide, self.target, self.weight)[0]

        check(self, loss, self.g)

    def test_consistency(self):
        line = torch.cat([self.line[:1]] * 2)
        outside = (torch.rand(1, 1, 16, 16) < 0.6).double()
        check(self, lambda: losses.consistency_loss(self.g(line, self.tags), outside), self.g)

    def test_generator_against_discriminator(self):
        def loss():
            image = self.g(self.line, self.tags)
            adversarial, classify = losses.generator_adversarial_loss(self.d, image, self.tags)
            return adversarial + 0.5 * classify

        check(self, loss, self.g)

    def test_discriminator(self):
        fake = torch.rand(2, 3, 16, 16, dtype=torch.double) * 2 - 1
        check(self, lambda: losses.discriminator_loss(self.d, self.target, fake, self.tags), self.d)


class Values(unittest.TestCase):
    def test_weights_favour_small_regions(self):
        cover = np.zeros((1, 8, 2, 2), np.uint8)
        cover[0, BACKGROUND] = 255
        cover[0, BACKGROUND, 0, 0], cover[0, IRIS, 0, 0] = 0, 255
        weight = losses.pixel_weights(cover)
        self.assertAlmostEqual(float(weight.mean()), 1.0, 5)
        self.assertAlmostEqual(float(weight[0, 0, 0, 0] / weight[0, 0, 1, 1]), 1 + losses.EXTRA[IRIS], 3)

    def test_a_sliver_weighs_as_much_as_a_region_of_the_least_size(self):
        cover = np.zeros((3, 8, 16, 16), np.uint8)
        cover[:, BACKGROUND] = 255
        for k, pixels in enumerate((2, 4, 8)):  # of 256: 8, 4 and 2 times too small
            cover[k, BACKGROUND, 0, :pixels], cover[k, BOTTOM, 0, :pixels] = 0, 255
        extra = losses.region_extra(cover.astype(np.float32) / 255)
        self.assertEqual(extra[:, BOTTOM].tolist(), [8.0, 4.0, losses.EXTRA[BOTTOM]])
        self.assertEqual(extra[:, BACKGROUND].tolist(), [0.0] * 3)
        self.assertLessEqual(float(extra.max()), losses.MOST)
        weight = losses.pixel_weights(cover)[:, 0] / losses.pixel_weights(cover)[0, 0, 9, 9]
        self.assertAlmostEqual(float(weight[0, 0, 0]), 9.0, 4)

    def test_consistency_sees_only_the_outside(self):
        image = torch.zeros(4, 3, 4, 4)
        outside = torch.ones(2, 1, 4, 4)
        outside[:, :, :2] = 0
        image[2:, :, :2] = 0.7  # inside the region: free to change
        self.assertEqual(float(losses.consistency_loss(image, outside)), 0.0)
        image[2, :, 3, 3] = 0.8  # one of the 8 outer pixels of one of 2 drawings
        self.assertAlmostEqual(float(losses.consistency_loss(image, outside)), 0.8 / 8 / 2, 6)
        self.assertEqual(float(losses.consistency_loss(image, 0 * outside)), 0.0)

    def test_without_guide(self):
        one, two, weight = torch.zeros(1, 3, 2, 2), torch.ones(1, 3, 2, 2), torch.ones(1, 1, 2, 2)
        loss, parts = losses.reconstruction_loss(one, None, two, weight)
        self.assertEqual((float(loss), parts), (1.0, {"l1": 1.0}))

    def test_real_fake(self):
        logit = torch.tensor([[0.0]])
        for real in (True, False):
            self.assertAlmostEqual(float(losses.real_fake(logit, real)), float(np.log(2)), 6)
        self.assertLess(float(losses.real_fake(torch.tensor([[9.0]]), True)), 1e-3)

    def test_step_clips(self):
        net = torch.nn.Linear(1, 1, bias=False)
        opt = torch.optim.SGD(net.parameters(), 1.0)
        before = net.weight.item()
        losses.clip_and_step(net, opt, 1000 * net.weight.sum(), 0.1)
        self.assertAlmostEqual(before - net.weight.item(), 0.5, 4)


if __name__ == "__main__":
    unittest.main()
