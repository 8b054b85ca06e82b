# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tag2Pix networks: generator, semantic extractor, discriminator.

One set of modules serves the full-size networks of the paper (256 px with
batch normalisation, 512 px without) and the reduced 64 px variant that is
trained here on synthetic drawings.  Shapes are [batch, channels, height,
width]; line art is in [0, 1] (1 = paper), images are in [-1, 1].
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import torch
from torch import nn
from torch.nn import functional as F

SLOPE = 0.2  # negative slope of every leaky ReLU


@dataclass(frozen=True)
class GeneratorConfig:
    """Everything that decides the shape of a generator."""

    size: int = 256  # side of the square input; baked into the tag map
    tags: int = 115
    width: float = 1.0  # multiplies every channel count but the latent's
    blocks: tuple[int, ...] = (12, 8, 5, 5)
    cardinality: int = 16
    batch_norm: bool = True
    extractor: bool = True  # expects 512 feature channels at 1/8 size
    map_channels: int = 32  # channels made by the tag-to-space linear layer
    latent: int = 64
    latent_layers: int = 4
    latent_relu: bool = False
    min_hidden: int = 1  # least hidden width of the SECat gates
    guide: bool = True

    def to_dict(self) -> dict:
        """A plain dictionary, for checkpoints."""
        return asdict(self)


def full_config(size: int) -> GeneratorConfig:
    """The paper's generator for 256 px (batch norm) or 512 px (none)."""
    return GeneratorConfig(size=size, batch_norm=size == 256)


def reduced_config(
    size: int = 64, width: float = 0.5, blocks: tuple[int, ...] = (3, 2, 2, 2)
) -> GeneratorConfig:
    """The reduced generator: own 60 tags, no batch norm, no extractor."""
    return GeneratorConfig(
        size=size,
        tags=60,
        width=width,
        blocks=tuple(blocks),
        cardinality=8,
        batch_norm=False,
        extractor=False,
        map_channels=16,
        latent_layers=3,
        latent_relu=True,
        min_hidden=8,
    )


def count_parameters(module: nn.Module) -> int:
    """Number of trainable scalars."""
    return sum(p.numel() for p in module.parameters())


def initialise(module: nn.Module) -> None:
    """Kaiming-normal weights, zero biases; transposed convs keep defaults."""
    for m in module.modules():
        if isinstance(m, nn.Conv2d):
            nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
        elif isinstance(m, nn.Linear):
            nn.init.kaiming_normal_(m.weight)
        elif isinstance(m, nn.BatchNorm2d):
            nn.init.ones_(m.weight)
        if getattr(m, "bias", None) is not None:
            nn.init.zeros_(m.bias)


def pixel_mean(x: torch.Tensor) -> torch.Tensor:
    """Global average pool: [n, c, h, w] to [n, c]."""
    return x.mean(dim=(2, 3))


def norm(channels: int, on: bool) -> nn.Module:
    """Batch normalisation, or nothing."""
    return nn.BatchNorm2d(channels) if on else nn.Identity()


def leaky_convs(*specs: tuple[int, int, int, int]) -> nn.Sequential:
    """A chain of biased convs (in, out, stride, padding), 3x3, leaky ReLU."""
    layers: list[nn.Module] = []
    for i, o, stride, pad in specs:
        layers += [nn.Conv2d(i, o, 3, stride, pad), nn.LeakyReLU(SLOPE)]
    return nn.Sequential(*layers)


class Gate(nn.Module):
    """Squeeze-and-excitation; with a latent it is the paper's SECat."""

    def __init__(self, channels: int, hidden: int, latent: int = 0, bias: bool = False):
        super().__init__()
        self.squeeze = nn.Linear(channels + latent, hidden, bias=bias)
        self.excite = nn.Linear(hidden, channels, bias=bias)

    def forward(self, x: torch.Tensor, z: torch.Tensor | None = None) -> torch.Tensor:
        y = pixel_mean(x)
        if z is not None:
            y = torch.cat([y, z], 1)
        y = torch.sigmoid(self.excite(F.relu(self.squeeze(y))))
        return x * y[:, :, None, None]


class Bottleneck(nn.Module):
    """ResNeXt bottleneck with a gate: i -> inner -> inner -> out channels."""

    def __init__(
        self,
        channels: int,
        inner: int,
        out: int,
        groups: int,
        stride: int = 1,
        batch_norm: bool = True,
        latent: int = 0,
        hidden: int | None = None,
        gate_bias: bool = False,
    ):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, inner, 1, bias=False)
        self.bn1 = norm(inner, batch_norm)
        self.conv2 = nn.Conv2d(inner, inner, 3, stride, 1, groups=groups, bias=False)
        self.bn2 = norm(inner, batch_norm)
        self.conv3 = nn.Conv2d(inner, out, 1, bias=False)
        self.bn3 = norm(out, batch_norm)
        self.gate = Gate(out, hidden or out // 16, latent, gate_bias)
        self.shortcut: nn.Module = nn.Identity()
        if channels != out or stride != 1:
            conv = nn.Conv2d(channels, out, 1, stride, bias=False)
            layers = [conv, nn.BatchNorm2d(out)] if batch_norm else [conv]
            self.shortcut = nn.Sequential(*layers)

    def forward(self, x: torch.Tensor, z: torch.Tensor | None = None) -> torch.Tensor:
        y = F.relu(self.bn1(self.conv1(x)))
        y = F.relu(self.bn2(self.conv2(y)))
        y = self.gate(self.bn3(self.conv3(y)), z)
        return F.relu(y + self.shortcut(x))


class DecoderBlock(nn.Module):
    """n SECat bottlenecks, then a pixel shuffle that doubles the side."""

    def __init__(self, channels: int, planes: int, count: int, c: GeneratorConfig):
        super().__init__()
        out = 4 * planes
        hidden = max(out // 16, c.min_hidden)
        groups = min(c.cardinality, planes)
        self.layers = nn.ModuleList(
            Bottleneck(
                channels if k == 0 else out,
                planes,
                out,
                groups,
                batch_norm=c.batch_norm,
                latent=c.latent,
                hidden=hidden,
            )
            for k in range(count)
        )

    def forward(self, x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x, z)
        return F.pixel_shuffle(x, 2)


def feature_adapter(batch_norm: bool) -> nn.Sequential:
    """Extractor features [n, 512, S/8, S/8] to [n, 256, S/16, S/16]."""
    layers: list[nn.Module] = []
    for k, (i, stride) in enumerate(((512, 2), (256, 1), (256, 1))):
        layers.append(nn.Conv2d(i, 256, 3, stride, 1, bias=False))
        if batch_norm and k < 2:
            layers.append(nn.BatchNorm2d(256))
        layers.append(nn.ReLU())
    return nn.Sequential(*layers)


def guide_decoder(channels: int) -> nn.Sequential:
    """Training only: the first decoder output up to an image of side S."""
    layers: list[nn.Module] = []
    for k in range(3):
        i, o = channels >> k, channels >> (k + 1)
        layers.append(nn.ConvTranspose2d(i, o, 3, 2, 1, output_padding=1))
        layers.append(nn.LeakyReLU(SLOPE))
    layers += [nn.ConvTranspose2d(channels >> 3, 3, 3, 1, 1), nn.Tanh()]
    return nn.Sequential(*layers)


class Generator(nn.Module):
    """Line art and tags to a colour image (and a guide image in training)."""

    def __init__(self, config: GeneratorConfig):
        super().__init__()
        c = self.config = config
        e = [round(v * c.width) for v in (16, 32, 64, 128, 256)]
        d = [round(v * c.width) for v in (256, 128, 64, 32)]
        space, self.side = round(64 * c.width), c.size // 16
        self.encoder = nn.ModuleList([leaky_convs((1, e[0], 1, 1), (e[0], e[0], 1, 1))])
        for i, o in zip(e, e[1:]):
            self.encoder.append(leaky_convs((i, o, 2, 1), (o, o, 1, 1)))
        self.tag_linear = nn.Linear(c.tags, c.map_channels * self.side**2)
        self.tag_convs = leaky_convs((c.map_channels, space, 1, 1), (space, space, 1, 1))
        self.tag_last = nn.Conv2d(space, space, 3, 1, 1)
        dims = [c.tags] + [c.latent] * c.latent_layers
        self.latent = nn.ModuleList(nn.Linear(i, o) for i, o in zip(dims, dims[1:]))
        self.adapter = feature_adapter(c.batch_norm) if c.extractor else None
        extra = 256 if c.extractor else 0
        inputs = [e[4] + extra + space, d[0] + e[3], d[1] + e[2], d[2] + e[1]]
        self.decoder = nn.ModuleList(
            DecoderBlock(i, p, n, c) for i, p, n in zip(inputs, d, c.blocks)
        )
        self.head = leaky_convs((d[3] + e[0], d[3], 1, 1))
        self.head_last = nn.Conv2d(d[3], 3, 3, 1, 1)
        self.guide = guide_decoder(d[0]) if c.guide else None
        initialise(self)

    def encode_tags(self, tags: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """[n, tags] to the tag map [n, 64w, S/16, S/16] and latent [n, 64]."""
        space = self.tag_linear(tags)
        space = space.view(-1, self.config.map_channels, self.side, self.side)
        space = torch.tanh(self.tag_last(self.tag_convs(space)))
        z = tags
        for k, layer in enumerate(self.latent):
            z = layer(z)
            if self.config.latent_relu and k + 1 < len(self.latent):
                z = F.relu(z)
        return space, z

    def forward(
        self,
        line: torch.Tensor,
        tags: torch.Tensor,
        features: torch.Tensor | None = None,
        with_guide: bool = False,
    ):
        """line [n,1,S,S], tags [n,tags] to [n,3,S,S], or (image, guide)."""
        skips, x = [], line
        for stage in self.encoder:
            x = stage(x)
            skips.append(x)
        space, z = self.encode_tags(tags)
        parts = [skips.pop()]
        if self.adapter is not None:
            parts.append(self.adapter(features))
        x = torch.cat(parts + [space], 1)
        guide = None
        for k, block in enumerate(self.decoder):
            x = block(x, z)
            if k == 0 and with_guide:
                guide = self.guide(x)
            x = torch.cat([x, skips.pop()], 1)
        image = torch.tanh(self.head_last(self.head(x)))
        return (image, guide) if with_guide else image


class Extractor(nn.Module):
    """Stem and first two layers of SE-ResNeXt-50: [n,1,S,S] to [n,512,S/8,S/8]."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, 64, 7, 2, 3, bias=False),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.MaxPool2d(3, 2, 1),
        )
        self.layer1 = self._layer(64, 64, 3, 1)
        self.layer2 = self._layer(256, 128, 4, 2)
        initialise(self)

    @staticmethod
    def _layer(channels: int, planes: int, count: int, stride: int) -> nn.Sequential:
        out = 4 * planes
        blocks = []
        for k in range(count):
            i, s = (channels, stride) if k == 0 else (out, 1)
            blocks.append(Bottleneck(i, 2 * planes, out, 32, s, gate_bias=True))
        return nn.Sequential(*blocks)

    def forward(self, line: torch.Tensor) -> torch.Tensor:
        return self.layer2(self.layer1(self.stem(line)))


class Colorizer(nn.Module):
    """What is exported: line and tags to an image, guide decoder left out."""

    def __init__(self, generator: Generator, extractor: Extractor | None = None):
        super().__init__()
        self.generator, self.extractor = generator, extractor

    def forward(self, line: torch.Tensor, tags: torch.Tensor) -> torch.Tensor:
        features = None if self.extractor is None else self.extractor(line)
        return self.generator(line, tags, features)


@dataclass(frozen=True)
class DiscriminatorConfig:
    """Shape of a discriminator; the defaults are the paper's."""

    stem: int = 32
    widths: tuple[int, ...] = (64, 128, 256, 512)
    per_stage: int = 2
    tail: int = 3
    cardinality: int = 16
    batch_norm: bool = True
    heads: tuple[int, ...] = (1, 370, 115)  # real/fake, shape tags, colour tags


def reduced_discriminator_config() -> DiscriminatorConfig:
    """A small discriminator for 64 px and the own 60 colour tags."""
    return DiscriminatorConfig(16, (32, 64, 128), 1, 1, 8, False, (1, 60))


class Discriminator(nn.Module):
    """Image [n,3,S,S] to one [n,k] per head, probabilities or logits."""

    def __init__(self, config: DiscriminatorConfig = DiscriminatorConfig()):
        super().__init__()
        c = self.config = config
        self.stem = leaky_convs((3, c.stem, 1, 1), (c.stem, c.stem, 2, 0))
        layers: list[nn.Module] = []
        i = c.stem
        for o in c.widths:
            for _ in range(c.per_stage):
                layers.append(self._bottleneck(i, o))
                i = o
            layers.append(leaky_convs((o, o, 2, 1)))
        layers += [self._bottleneck(i, i) for _ in range(c.tail)]
        self.body = nn.Sequential(*layers)
        self.heads = nn.ModuleList(nn.Linear(i, k) for k in c.heads)
        initialise(self)

    def _bottleneck(self, i: int, o: int) -> Bottleneck:
        c = self.config
        groups, hidden = min(c.cardinality, o // 4), max(o // 16, 4)
        return Bottleneck(i, o // 4, o, groups, batch_norm=c.batch_norm, hidden=hidden)

    def logits(self, image: torch.Tensor) -> list[torch.Tensor]:
        """Head outputs before the sigmoid (for a stable loss)."""
        y = pixel_mean(self.body(self.stem(image)))
        return [head(y) for head in self.heads]

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(torch.sigmoid(y) for y in self.logits(image))


def soften_residuals(generator: Generator, factor: float = 0.5) -> None:
    """Scale the last conv of every residual branch (no batch norm: steadier)."""
    with torch.no_grad():
        for m in generator.modules():
            if isinstance(m, Bottleneck):
                m.conv3.weight.mul_(factor)
