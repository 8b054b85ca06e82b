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
EXTRA = {IRIS: 14.0, RIBBON: 7.0, SCLERA: 4.0, TOP: 1.5, BOTTOM: 1.5, SKIN: 1.0, HAIR: 0.5}


def pixel_weights(cover: np.ndarray) -> np.ndarray:
    """Area-balancing weights [n,1,s,s], mean 1 per batch, from cover [n,8,s,s]."""
    share = cover.astype(np.float32) / 255
    weight = 1 + sum(v * share[:, k] for k, v in EXTRA.items())
    return (weight / weight.mean())[:, None].astype(np.float32)


def balanced_l1(image: torch.Tensor, target: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Mean of weight * |image - target|."""
    return (weight * (image - target).abs()).mean()


def reconstruction_loss(image, guide, target, weight) -> tuple[torch.Tensor, dict[str, float]]:
    """Balanced L1 of image and guide; the parts as numbers for the log."""
    main = balanced_l1(image, target, weight)
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
