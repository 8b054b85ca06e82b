# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses of both training steps."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from figure import BOTTOM, HAIR, IRIS, RIBBON, SCLERA, SKIN, TOP

GUIDE = 0.9  # weight of the guide image
# Extra weight of a pixel that lies wholly in the region; 1 is the base.
EXTRA = {IRIS: 14.0, RIBBON: 7.0, SCLERA: 4.0, TOP: 1.5, BOTTOM: 2.5, SKIN: 1.0, HAIR: 0.5}
# A region smaller than this share of the picture gets at least the total extra
# weight of one of this size; no pixel gets more than the iris does.
BALANCED_SHARE, MOST = 1 / 16, 14.0


def region_extra(share: np.ndarray) -> np.ndarray:
    """Extra weight [n,8] of every region of every drawing, from shares [n,8,s,s]."""
    area = share.mean((2, 3))
    extra = np.array([EXTRA.get(k, 0.0) for k in range(share.shape[1])], np.float32)
    small = np.minimum(BALANCED_SHARE / np.maximum(area, 1e-6), MOST)
    return np.maximum(extra, np.where(small > 1, small, 0))


def pixel_weights(cover: np.ndarray) -> np.ndarray:
    """Area-balancing weights [n,1,s,s], mean 1 per batch, from cover [n,8,s,s]."""
    share = cover.astype(np.float32) / 255
    weight = 1 + (region_extra(share)[:, :, None, None] * share).sum(1)
    return (weight / weight.mean())[:, None].astype(np.float32)


def balanced_l1(image: torch.Tensor, target: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Mean of weight * |image - target|."""
    return (weight * (image - target).abs()).mean()


def consistency_loss(image: torch.Tensor, outside: torch.Tensor) -> torch.Tensor:
    """What changes outside a region when only its tag changes.

    image [2n,3,s,s] holds n drawings in two colourings, first all of the one;
    outside [n,1,s,s] is 1 where the region is not.  Mean per drawing, so that
    one with a large region counts like any other.
    """
    one, two = image.chunk(2)
    change = (one - two).abs().mean(1, keepdim=True) * outside
    return (change.sum((1, 2, 3)) / outside.sum((1, 2, 3)).clamp_min(1.0)).mean()


def reconstruction_loss(image, guide, target, weight) -> tuple[torch.Tensor, dict[str, float]]:
    """Balanced L1 of image and guide (or None); the parts as numbers for the log."""
    main = balanced_l1(image, target, weight)
    if guide is None:
        return main, {"l1": main.item()}
    help_ = balanced_l1(guide, target, weight)
    return main + GUIDE * help_, {"l1": main.item(), "guide": help_.item()}


def real_fake(logit: torch.Tensor, real: bool) -> torch.Tensor:
    """Cross-entropy of the real/fake head."""
    want = torch.ones_like(logit) if real else torch.zeros_like(logit)
    return F.binary_cross_entropy_with_logits(logit, want)


def discriminator_loss(d: nn.Module, real, fake, tags) -> torch.Tensor:
    """Real/fake on both images, tags on both, all with the true labels."""
    real_logit, real_tags = d.logits(real)
    fake_logit, fake_tags = d.logits(fake)
    adversarial = real_fake(real_logit, True) + real_fake(fake_logit, False)
    classify = F.binary_cross_entropy_with_logits(real_tags, tags)
    classify = classify + F.binary_cross_entropy_with_logits(fake_tags, tags)
    return adversarial + classify


def generator_adversarial_loss(d: nn.Module, image, tags) -> tuple[torch.Tensor, torch.Tensor]:
    """How far the image is from passing as real, and from showing its tags."""
    logit, tag_logits = d.logits(image)
    return real_fake(logit, True), F.binary_cross_entropy_with_logits(tag_logits, tags)


def clip_and_step(net: nn.Module, optimiser, loss: torch.Tensor, lr: float) -> None:
    """Backward, gradient norm at most 5, one optimiser step at rate lr."""
    for group in optimiser.param_groups:
        group["lr"] = lr
    params = [p for group in optimiser.param_groups for p in group["params"]]
    grads = torch.autograd.grad(loss, params)
    for p, g in zip(params, grads):
        p.grad = g
    torch.nn.utils.clip_grad_norm_(params, 5.0)
    optimiser.step()
