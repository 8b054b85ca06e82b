# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameter totals, shapes and multiply counts of every network."""

import unittest

import common  # noqa: F401
import torch
from model import (
    Colorizer,
    Discriminator,
    Extractor,
    Generator,
    count_parameters,
    full_config,
    reduced_config,
    reduced_discriminator_config,
)
from torch import nn


def inference_parameters(g: Generator) -> int:
    return count_parameters(g) - count_parameters(g.guide)


def count_macs(net: nn.Module, *inputs) -> int:
    """Multiply-adds of convolutions and linear layers in one forward."""
    total = 0

    def hook(m, args, out):
        nonlocal total
        per = m.weight[0].numel()
        if isinstance(m, nn.ConvTranspose2d):
            total += args[0].numel() * per
        else:
            total += out.numel() * per

    kinds = (nn.Conv2d, nn.ConvTranspose2d, nn.Linear)
    for m in net.modules():
        if isinstance(m, kinds):
            m.register_forward_hook(hook)
    with torch.no_grad():
        net(*inputs)
    return total


class Totals(unittest.TestCase):
    def test_full_generator(self):
        for size, all_, without in ((256, 15_809_398, 15_421_235), (512, 18_600_438, 18_212_275)):
            g = Generator(full_config(size))
            self.assertEqual(count_parameters(g), all_)
            self.assertEqual(inference_parameters(g), without)
            self.assertEqual(count_parameters(g.guide), 388_163)

    def test_full_parts(self):
        g = Generator(full_config(256))
        self.assertEqual(count_parameters(g.encoder), 1_178_480)
        self.assertEqual(count_parameters(g.adapter), 2_360_320)
        self.assertEqual(count_parameters(g.tag_linear), 950_272)
        self.assertEqual(count_parameters(g.latent), 19_904)
        blocks = [count_parameters(b) for b in g.decoder]
        self.assertEqual(blocks, [8_869_888, 1_594_368, 270_848, 70_080])

    def test_extractor_and_discriminator(self):
        self.assertEqual(count_parameters(Extractor()), 1_564_784)
        norms = [m for m in Extractor().modules() if isinstance(m, nn.BatchNorm2d)]
        self.assertEqual(len(norms), 24)
        self.assertEqual(count_parameters(Discriminator()), 4_515_558)

    def test_reduced(self):
        cases = (
            (64, 0.5, (2, 2, 1, 1), 923_387),
            (64, 0.5, (3, 2, 2, 2), 1_123_483),
            (64, 0.75, (3, 2, 2, 2), 2_479_015),
            (64, 1.0, (12, 8, 5, 5), 12_253_427),
            (128, 0.5, (3, 2, 2, 2), 1_170_331),
            (256, 0.5, (3, 2, 2, 2), 1_357_723),
        )
        for size, width, blocks, want in cases:
            g = Generator(reduced_config(size, width, blocks))
            self.assertEqual(inference_parameters(g), want)


class Forward(unittest.TestCase):
    def test_macs_of_full_size(self):
        line, tags = torch.rand(1, 1, 256, 256), torch.zeros(1, 115)
        extractor = Extractor().eval()
        self.assertEqual(count_macs(extractor, line), 2_297_585_664)
        features = extractor(line)
        self.assertEqual(list(features.shape), [1, 512, 32, 32])
        g = Generator(full_config(256)).eval()
        self.assertEqual(count_macs(g, line, tags, features, True), 8_607_011_520)
        d = Discriminator().eval()
        self.assertEqual(count_macs(d, torch.rand(1, 3, 256, 256)), 1_223_080_736)

    def test_reduced_shapes(self):
        g = Generator(reduced_config()).eval()
        line, tags = torch.rand(2, 1, 64, 64), torch.zeros(2, 60)
        image, guide = g(line, tags, with_guide=True)
        self.assertEqual(list(image.shape), [2, 3, 64, 64])
        self.assertEqual(list(guide.shape), [2, 3, 64, 64])
        self.assertLessEqual(float(image.detach().abs().max()), 1.0)
        self.assertTrue(torch.equal(Colorizer(g)(line, tags), image))

    def test_reduced_discriminator(self):
        d = Discriminator(reduced_discriminator_config())
        real, tags = d(torch.rand(2, 3, 64, 64))
        self.assertEqual((list(real.shape), list(tags.shape)), ([2, 1], [2, 60]))

    def test_seed_decides_the_weights(self):
        outs = []
        for _ in range(2):
            torch.manual_seed(3)
            outs.append(Generator(reduced_config(32, 0.25, (1, 1, 1, 1))).state_dict())
        self.assertTrue(all(torch.equal(outs[0][k], outs[1][k]) for k in outs[0]))


if __name__ == "__main__":
    unittest.main()
