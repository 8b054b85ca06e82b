"""Whole models for utils/make-pt2-fixtures.py, in plain torch and torchvision.

Each function or class builds a model with random weights; the sizes of the
published architectures are the defaults, and reduced ones are for fixtures.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def vision(name, **options):
    """A network of torchvision, with random weights."""
    def build():
        import torchvision
        return getattr(torchvision.models, name)(weights=None, **options)
    return build


class BertAttention(nn.Module):
    """Written out, as the first transformers were, with an additive mask."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.dense, self.norm = nn.Linear(width, width), nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, self.size).transpose(1, 2)

    def forward(self, x, mask):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.size) + mask
        y = torch.matmul(self.dropout(F.softmax(scores, dim=-1)), v)
        y = y.permute(0, 2, 1, 3).contiguous().view(x.shape)
        return self.norm(self.dropout(self.dense(y)) + x)


class BertLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = BertAttention(width, heads)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm, self.dropout = nn.LayerNorm(width, eps=1e-12), nn.Dropout(0.1)

    def forward(self, x, mask):
        x = self.attention(x, mask)
        return self.norm(self.dropout(self.down(F.gelu(self.up(x)))) + x)


class Bert(nn.Module):
    """Three embeddings, post-norm encoder layers, and the pooler.

    Twelve layers of width 384, as in the small models that sentence encoders use.
    """

    def __init__(self, vocabulary=30522, length=512, width=384, heads=12, layers=12):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width, padding_idx=0)
        self.places, self.types = nn.Embedding(length, width), nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.register_buffer("position_ids", torch.arange(length)[None], persistent=False)
        self.layers = nn.ModuleList(BertLayer(width, heads) for _ in range(layers))
        self.pooler = nn.Linear(width, width)

    def forward(self, tokens, mask, kinds):
        places = self.position_ids[:, :tokens.shape[1]]
        x = self.norm(self.words(tokens) + self.types(kinds) + self.places(places))
        mask = (1.0 - mask[:, None, None, :].to(x.dtype)) * torch.finfo(x.dtype).min
        for layer in self.layers:
            x = layer(x, mask)
        return x, torch.tanh(self.pooler(x[:, 0]))


def bert_inputs(batch, length, vocabulary=30522):
    def make():
        mask = torch.ones(batch, length, dtype=torch.int64)
        mask[-1, length - length // 4:] = 0
        return {"tokens": torch.randint(0, vocabulary, (batch, length)), "mask": mask,
                "kinds": torch.randint(0, 2, (batch, length))}
    return make


class GptBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        # GPT-2 stores its matrices as [in, out].
        self.weight = nn.Parameter(torch.randn(width, 3 * width) * 0.05)
        self.bias = nn.Parameter(torch.randn(3 * width) * 0.05)
        self.out = nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, mask):
        n, length, width = x.shape
        y = torch.addmm(self.bias, self.norm1(x).view(-1, width), self.weight)
        q, k, v = (t.view(n, length, self.heads, -1).transpose(1, 2)
                   for t in y.view(n, length, -1).split(width, dim=2))
        if mask is None:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = torch.matmul(q, k.transpose(-1, -2)) * (q.shape[-1] ** -0.5)
            low = torch.full([], torch.finfo(x.dtype).min, dtype=x.dtype)
            y = torch.matmul(torch.where(mask, scores, low).softmax(-1), v)
        x = x + self.out(y.transpose(1, 2).reshape(n, length, width))
        y = self.up(self.norm2(x))
        y = 0.5 * y * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) *
                                        (y + 0.044715 * torch.pow(y, 3.0))))
        return x + self.down(y)


class Gpt(nn.Module):
    """Pre-norm decoder whose output layer is the embedding.

    The first block masks by hand, with a triangle that is cut from a buffer.
    """

    def __init__(self, vocabulary=61, length=16, width=24, heads=3, layers=2):
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(GptBlock(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.words.weight
        triangle = torch.tril(torch.ones(length, length, dtype=torch.bool))
        self.register_buffer("triangle", triangle[None, None], persistent=False)

    def forward(self, tokens):
        length = tokens.shape[1]
        places = torch.arange(0, length, dtype=torch.long, device=tokens.device).unsqueeze(0)
        x = self.words(tokens) + self.places(places)
        mask = self.triangle[:, :, :length, :length]
        for i, block in enumerate(self.blocks):
            x = block(x, mask if i == 0 else None)
        return self.head(self.norm(x))


class TimeEmbedding(nn.Module):
    """Sines and cosines of the time step, then two layers."""

    def __init__(self, width, out):
        super().__init__()
        self.width = width
        self.linear1, self.linear2 = nn.Linear(width, out), nn.Linear(out, out)

    def forward(self, step):
        half = self.width // 2
        exponent = -math.log(10000) * torch.arange(half, dtype=torch.float32) / half
        angle = step[:, None].float() * torch.exp(exponent)[None, :]
        wave = torch.cat([torch.sin(angle), torch.cos(angle)], dim=-1)
        wave = torch.cat([wave[:, half:], wave[:, :half]], dim=-1)
        return self.linear2(F.silu(self.linear1(wave)))


class ResnetBlock(nn.Module):
    def __init__(self, inside, outside, time, groups):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(groups, inside), nn.GroupNorm(groups, outside)
        self.conv1 = nn.Conv2d(inside, outside, 3, padding=1)
        self.conv2 = nn.Conv2d(outside, outside, 3, padding=1)
        self.time = nn.Linear(time, outside)
        self.skip = nn.Conv2d(inside, outside, 1) if inside != outside else None

    def forward(self, x, time):
        y = self.conv1(F.silu(self.norm1(x)))
        y = y + self.time(F.silu(time))[:, :, None, None]
        y = self.conv2(F.silu(self.norm2(y)))
        return (x if self.skip is None else self.skip(x)) + y


class CrossAttention(nn.Module):
    def __init__(self, width, heads, context=None):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(width, width, bias=False)
        self.k = nn.Linear(context or width, width, bias=False)
        self.v = nn.Linear(context or width, width, bias=False)
        self.out = nn.Linear(width, width)

    def forward(self, x, context=None):
        context = x if context is None else context
        n, _, width = x.shape
        q, k, v = (m(t).view(n, -1, self.heads, width // self.heads).transpose(1, 2)
                   for m, t in ((self.q, x), (self.k, context), (self.v, context)))
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=0.0, is_causal=False)
        return self.out(y.transpose(1, 2).reshape(n, -1, width))


class SpatialTransformer(nn.Module):
    """Self and cross attention over the pixels, and a gated feed-forward."""

    def __init__(self, width, heads, context, groups):
        super().__init__()
        self.norm = nn.GroupNorm(groups, width, eps=1e-6)
        self.inward, self.outward = nn.Conv2d(width, width, 1), nn.Conv2d(width, width, 1)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(width) for _ in range(3))
        self.attention = CrossAttention(width, heads)
        self.cross = CrossAttention(width, heads, context)
        self.up, self.down = nn.Linear(width, 8 * width), nn.Linear(4 * width, width)

    def forward(self, x, context):
        n, width, height, columns = x.shape
        y = self.inward(self.norm(x)).permute(0, 2, 3, 1).reshape(n, height * columns, width)
        y = y + self.attention(self.norm1(y))
        y = y + self.cross(self.norm2(y), context)
        value, gate = self.up(self.norm3(y)).chunk(2, dim=-1)
        y = y + self.down(value * F.gelu(gate))
        y = y.reshape(n, height, columns, width).permute(0, 3, 1, 2).contiguous()
        return x + self.outward(y)


class DiffusionUNet(nn.Module):
    """One level down and up again, as the U-Nets of latent diffusion are made."""

    def __init__(self, width=8, heads=2, context=6, groups=4):
        super().__init__()
        time = 2 * width
        self.time = TimeEmbedding(width, time)
        self.first = nn.Conv2d(4, width, 3, padding=1)
        self.down = ResnetBlock(width, width, time, groups)
        self.shrink = nn.Conv2d(width, width, 3, stride=2, padding=1)
        self.middle1 = ResnetBlock(width, 2 * width, time, groups)
        self.attention = SpatialTransformer(2 * width, heads, context, groups)
        self.middle2 = ResnetBlock(2 * width, width, time, groups)
        self.grow = nn.Conv2d(width, width, 3, padding=1)
        self.up = ResnetBlock(2 * width, width, time, groups)
        self.norm, self.last = nn.GroupNorm(groups, width), nn.Conv2d(width, 4, 3, padding=1)

    def forward(self, latent, step, context):
        time = self.time(step)
        x = self.down(self.first(latent), time)
        y = self.attention(self.middle1(self.shrink(x), time), context)
        y = self.middle2(y, time)
        y = self.grow(F.interpolate(y, scale_factor=2.0, mode="nearest"))
        y = self.up(torch.cat([y, x], dim=1), time)
        return self.last(F.silu(self.norm(y)))
