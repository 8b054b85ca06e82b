#!/usr/bin/env python3
"""Makes the .pt2 fixtures of the tests, with the outputs that PyTorch computes.

    python3 utils/make-pt2-fixtures.py ops     test/Import/Inputs  [FAMILY …]
    python3 utils/make-pt2-fixtures.py models  models/fixtures
    python3 utils/make-pt2-fixtures.py large   build/fixtures  [NAME …]  (ResNet-50, BERT, …)

`ops` writes one archive per family of operators, with one program per form
(training, functional, core) that computes all operators side by side, each in a
module of its name. The inputs and the outputs of eager PyTorch lie in the
archive, as extra/<in|out><k>.npy, and extra/outputs.txt names the outputs.
`models` and `large` write one archive per model, with NAME.<input>.npy and
NAME.out<k>.npy beside it. Needs torch (and torchvision for `large`); all
weights are random, from a fixed seed.
"""
import io
import os
import re
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import pt2_models
import pt2_ops
from pt2_models import bert_inputs, vision

HERE = os.path.dirname(os.path.abspath(__file__))


def shorten(trace):
    """Only the user's innermost frame, without the path of this checkout."""
    frames = re.findall(r'File "([^"]*)", line (\d+), in (\S+)\n *([^\n]*)', trace)
    own = [f for f in frames if "/site-packages/torch/" not in f[0]]
    path, line, function, code = (own or frames)[-1]
    path = "utils/" + os.path.basename(path) if os.path.dirname(os.path.abspath(path)) == HERE \
        else re.sub(r".*/site-packages/", "", path)
    return 'File "%s", line %s, in %s\n    %s' % (path, line, function, code)


def strip(program):
    for node in program.graph.nodes:
        if node.meta.get("stack_trace"):
            node.meta["stack_trace"] = shorten(node.meta["stack_trace"])
        node.meta.pop("torch_fn", None)
        stack = node.meta.get("nn_module_stack")
        if stack:
            node.meta["nn_module_stack"] = dict([list(stack.items())[-1]])
    program.example_inputs = None
    del program._module_call_graph[1:]
    return program


def export(model, args, form):
    with torch.no_grad():
        program = torch.export.export(model.eval(), args)
        if form == "functional":
            program = program.run_decompositions({})
        elif form == "core":
            program = program.run_decompositions()
    return strip(program)


def targets(program):
    return [str(n.target) for n in program.graph.nodes if n.op == "call_function"]


def as_list(value):
    return list(value) if isinstance(value, (tuple, list)) else [value]


class Call(nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def rand(*shape):
    return torch.randn(*shape)


def ints(high, *shape):
    return torch.randint(0, high, shape)


def seeded(module):
    """Random values for everything that is initialised with constants."""
    for name, p in list(module.named_parameters()) + list(module.named_buffers()):
        if p.dtype.is_floating_point:
            p.data = torch.rand_like(p) + 0.5 if name.endswith("var") \
                else torch.randn_like(p) * 0.5
    return module


# --- one operator each --------------------------------------------------------

def elementwise_ops():
    x, y = rand(2, 3, 4), rand(2, 3, 4)
    positive = torch.rand(2, 3, 4) + 0.1
    for name in ("relu relu6 sigmoid tanh silu hardsigmoid hardswish leaky_relu elu "
                 "softplus gelu mish").split():
        yield name, lambda v, f=getattr(F, name): f(v), (x,)
    yield "gelu_tanh", lambda v: F.gelu(v, approximate="tanh"), (x,)
    yield "leaky_relu_slope", lambda v: F.leaky_relu(v, 0.2), (x,)
    yield "hardtanh", lambda v: F.hardtanh(v, -0.5, 0.75), (x,)
    yield "prelu", lambda v, w: F.prelu(v, w), (x, rand(3))
    yield "prelu_one", lambda v, w: F.prelu(v, w), (x, rand(1))
    for name in ("neg abs sign exp expm1 sin cos erf floor ceil trunc round square isnan").split():
        yield name, lambda v, f=getattr(torch, name): f(v), (x * 2,)
    for name in "log log2 log1p sqrt rsqrt reciprocal".split():
        yield name, lambda v, f=getattr(torch, name): f(v), (positive,)
    for name in "add sub mul div maximum minimum".split():
        yield name, lambda v, w, f=getattr(torch, name): f(v, w), (x, y)
        yield name + "_broadcast", lambda v, w, f=getattr(torch, name): f(v, w), \
            (rand(2, 3, 4), rand(3, 1))
    yield "fmod", lambda v, w: torch.fmod(v, w), (x * 3, positive)
    yield "add_alpha", lambda v, w: torch.add(v, w, alpha=2), (x, y)
    yield "sub_alpha", lambda v, w: torch.sub(v, w, alpha=0.5), (x, y)
    yield "add_number", lambda v: v + 2.5, (x,)
    yield "mul_int_number", lambda v: v * 2, (x,)
    yield "int_times_float", lambda v: v * 2.5, (ints(9, 4),)
    yield "rsub", lambda v: 1.0 - v, (x,)
    yield "int_add", lambda v, w: v + w, (ints(9, 4), ints(9, 4))
    yield "int_sub_float", lambda v, w: v - w, (ints(9, 4), rand(4))
    yield "pow2", lambda v: v ** 2, (x,)
    yield "pow3", lambda v: v ** 3, (x,)
    yield "pow_half", lambda v: v ** 0.5, (positive,)
    yield "pow_float", lambda v: v ** 1.7, (positive,)
    yield "pow_tensor", lambda v, w: v ** w, (positive, y)
    yield "div_floor", lambda v: torch.div(v, 0.7, rounding_mode="floor"), (x,)
    yield "clamp", lambda v: torch.clamp(v, -0.5, 0.5), (x,)
    yield "clamp_min", lambda v: torch.clamp(v, min=0.25), (x,)
    yield "clamp_max", lambda v: torch.clamp_max(v, 0.25), (x,)
    for name in "eq ne lt le gt ge".split():
        yield name, lambda v, w, f=getattr(torch, name): f(v, w), \
            (ints(3, 8), ints(3, 8))
        yield name + "_number", lambda v, f=getattr(torch, name): f(v, 0.25), (x,)
    a, b = ints(2, 8) > 0, ints(2, 8) > 0
    for name in "logical_and logical_or logical_xor bitwise_and bitwise_or".split():
        yield name, lambda v, w, f=getattr(torch, name): f(v, w), (a, b)
    yield "logical_not", lambda v: torch.logical_not(v), (a,)
    yield "bitwise_not", lambda v: torch.bitwise_not(v), (ints(100, 8),)
    yield "and_operator", lambda v, w: v & w, (a, b)
    yield "where", lambda v, w: torch.where(v > 0, v, w), (x, y)
    yield "where_number", lambda v: torch.where(v > 0, v, -1.0), (x,)
    yield "where_infinity", lambda v: torch.where(v > 0, v, float("-inf")), (x,)
    yield "masked_fill", lambda v, w: v.masked_fill(w > 0, -2.0), (x, y)
    yield "to_int", lambda v: v.to(torch.int32), (x * 3,)
    yield "to_float", lambda v: v.to(torch.float32), (ints(9, 4),)
    yield "to_double", lambda v: v.double() * 2, (x,)
    yield "to_bool", lambda v: v.to(torch.bool), (ints(2, 8),)
    yield "bool_to_float", lambda v: v.float(), (a,)


def shape_ops():
    x = rand(2, 3, 4)
    yield "view", lambda v: v.view(6, 4), (x,)
    yield "view_split", lambda v: v.view(2, 3, 2, 2), (x,)
    yield "reshape_cross", lambda v: v.reshape(4, 6), (x,)
    yield "reshape_one", lambda v: v.reshape(1, 24, 1), (x,)
    yield "reshape_scalar", lambda v: v.reshape(()), (rand(1, 1),)
    yield "flatten", lambda v: torch.flatten(v, 1), (x,)
    yield "unflatten", lambda v: v.unflatten(2, (2, 2)), (x,)
    yield "permute", lambda v: v.permute(2, 0, 1), (x,)
    yield "transpose", lambda v: v.transpose(-1, -2), (x,)
    yield "t", lambda v: v.t() * 1.0, (rand(2, 3),)
    yield "expand", lambda v: v.expand(2, 3, 4), (rand(3, 1),)
    yield "expand_keep", lambda v: v.expand(-1, 5) + 0, (rand(3, 1),)
    yield "unsqueeze", lambda v: v.unsqueeze(1), (x,)
    yield "squeeze", lambda v: v.squeeze(), (rand(1, 3, 1, 2),)
    yield "squeeze_dim", lambda v: v.squeeze(-1), (rand(3, 2, 1),)
    yield "cat", lambda v, w: torch.cat([v, w], 1), (x, rand(2, 2, 4))
    yield "cat_mixed", lambda v, w: torch.cat([v, w]), (rand(3), ints(9, 2))
    yield "stack", lambda v, w: torch.stack([v, w], -1), (x, rand(2, 3, 4))
    yield "split", lambda v: torch.split(v, 2, 1), (x,)
    yield "split_sizes", lambda v: torch.split(v, [1, 3], -1), (x,)
    yield "chunk", lambda v: torch.chunk(v, 2, -1), (x,)
    yield "unbind", lambda v: torch.unbind(v, 1), (x,)
    yield "select", lambda v: v[:, -1], (x,)
    yield "slice", lambda v: v[:, 1:, ::2], (x,)
    yield "slice_negative", lambda v: v[:, -2:, :-1], (x,)
    yield "narrow", lambda v: v.narrow(1, 1, 2), (x,)
    yield "pad", lambda v: F.pad(v, (1, 2, 0, 1), value=0.5), (x,)
    yield "pad_negative", lambda v: F.pad(v, (-1, 2)), (x,)
    yield "repeat", lambda v: v.repeat(2, 1, 3), (rand(3, 2),)
    yield "flip", lambda v: v.flip(0, -1), (x,)
    yield "roll", lambda v: v.roll((1, -1), (0, 2)), (x,)
    yield "pixel_shuffle", lambda v: F.pixel_shuffle(v, 2), (rand(1, 8, 2, 3),)
    yield "pixel_unshuffle", lambda v: F.pixel_unshuffle(v, 2), (rand(1, 2, 4, 6),)
    yield "contiguous", lambda v: v.transpose(0, 1).contiguous().clone(), (x,)
    yield "select_scatter", lambda v, w: v.select_scatter(w, 1, 1), (x, rand(2, 4))
    yield "slice_scatter", lambda v, w: v.slice_scatter(w, 2, 1, 4, 2), (x, rand(2, 3, 2))
    yield "index_select", lambda v, i: v.index_select(1, i), (x, ints(3, 5))
    yield "index_tensor", lambda v, i: v[:, i], (x, ints(3, 5))
    yield "embedding", lambda w, i: F.embedding(i, w), (rand(10, 4), ints(10, 2, 3))
    yield "dropout", lambda v: F.dropout(v, 0.5, training=False) + 1, (x,)


def create_ops():
    x = rand(3, 4)
    yield "full", lambda v: v + torch.full((3, 4), 2.5), (x,)
    yield "full_like", lambda v: torch.full_like(v, -1.5) * v, (x,)
    yield "zeros", lambda v: torch.zeros(3, 4) + v, (x,)
    yield "ones_like", lambda v: torch.ones_like(v) - v, (x,)
    yield "arange", lambda v: v + torch.arange(4), (x,)
    yield "arange_step", lambda v: v + torch.arange(1.0, 3.0, 0.5), (x,)
    yield "tril", lambda v: torch.tril(v), (x,)
    yield "triu", lambda v: torch.triu(v, 1), (x,)
    yield "constant", lambda v, c=rand(4): v * c, (x,)


def reduce_ops():
    x = rand(2, 3, 4, 5)
    yield "sum", lambda v: v.sum(), (x,)
    yield "sum_dim", lambda v: v.sum(1), (x,)
    yield "sum_keep", lambda v: v.sum((1, 3), keepdim=True), (x,)
    yield "sum_int", lambda v: v.sum(0), (ints(9, 3, 4),)
    yield "sum_bool", lambda v: (v > 0).sum(1), (rand(3, 4),)
    yield "mean", lambda v: v.mean(), (x,)
    yield "mean_dim", lambda v: v.mean((2, 3)), (x,)
    yield "mean_keep", lambda v: v.mean(-1, keepdim=True), (x,)
    yield "var", lambda v: v.var(1), (x,)
    yield "var_mean", lambda v: torch.var_mean(v, 1, correction=0, keepdim=True), (x,)
    yield "amax", lambda v: v.amax(1), (x,)
    yield "amin", lambda v: v.amin((0, 2), keepdim=True), (x,)
    yield "any", lambda v: (v > 1).any(1), (rand(3, 4),)
    yield "all", lambda v: (v > -1).all(), (rand(3, 4),)
    yield "softmax", lambda v: v.softmax(-1), (x,)
    yield "softmax_inner", lambda v: v.softmax(1), (x,)
    yield "log_softmax", lambda v: v.log_softmax(-1), (x,)


def conv_ops():
    def conv(*shape, **options):
        return seeded(nn.Conv2d(*shape, **options))

    def convt(*shape, **options):
        return seeded(nn.ConvTranspose2d(*shape, **options))
    x = rand(2, 4, 7, 6)
    yield "conv", conv(4, 3, 3), (x,)
    yield "conv_pad", conv(4, 3, 3, padding=1), (x,)
    yield "conv_nobias", conv(4, 3, (3, 1), bias=False), (x,)
    yield "conv_stride", conv(4, 3, 3, stride=2, padding=1), (x,)
    yield "conv_dilated", conv(4, 3, 3, dilation=2, padding=(2, 1)), (x,)
    yield "conv_grouped", conv(4, 6, 3, groups=2, padding=1), (x,)
    yield "conv_depthwise", conv(4, 8, 3, groups=4), (x,)
    yield "conv_1x1_stride", conv(4, 3, 1, stride=2), (x,)
    yield "conv_same", conv(4, 3, 3, padding="same"), (x,)
    yield "conv1d", seeded(nn.Conv1d(4, 3, 3, padding=1)), (rand(2, 4, 7),)
    yield "conv_weight_channels_last", \
        conv(4, 3, 3).to(memory_format=torch.channels_last), (x,)
    yield "convt", convt(4, 3, 3), (x,)
    yield "convt_stride", convt(4, 3, 3, stride=2, padding=1, output_padding=1), (x,)
    yield "convt_grouped", convt(4, 6, 2, stride=2, groups=2), (x,)
    yield "convt_dilated", convt(4, 3, 3, stride=(1, 2), dilation=2), (x,)
    yield "convt_crop", convt(4, 3, 3, stride=3, padding=3), (x,)
    yield "upsample", lambda v: F.interpolate(v, scale_factor=2), (x,)
    yield "upsample_bilinear", lambda v: F.interpolate(
        v, scale_factor=2, mode="bilinear"), (x,)
    yield "upsample_bilinear_size", lambda v: F.interpolate(
        v, size=(9, 11), mode="bilinear", align_corners=True), (x,)


def pool_ops():
    x = rand(2, 3, 8, 7)
    yield "max_pool", lambda v: F.max_pool2d(v, 2), (x,)
    yield "max_pool_pad", lambda v: F.max_pool2d(v, 3, 2, 1), (x,)
    yield "max_pool_ceil", lambda v: F.max_pool2d(v, 3, 2, 1, ceil_mode=True), (x,)
    yield "max_pool_dilated", lambda v: F.max_pool2d(v, 2, 1, dilation=2), (x,)
    yield "avg_pool", lambda v: F.avg_pool2d(v, 2), (x,)
    yield "avg_pool_pad", lambda v: F.avg_pool2d(v, 3, 2, 1), (x,)
    yield "avg_pool_nopad", lambda v: F.avg_pool2d(
        v, 3, 2, 1, count_include_pad=False), (x,)
    yield "avg_pool_ceil", lambda v: F.avg_pool2d(v, 3, 2, 1, ceil_mode=True), (x,)
    yield "avg_pool_divisor", lambda v: F.avg_pool2d(v, 2, divisor_override=3), (x,)
    yield "adaptive_one", lambda v: F.adaptive_avg_pool2d(v, 1), (x,)
    yield "adaptive_even", lambda v: F.adaptive_avg_pool2d(v, (4, 7)), (x,)
    yield "adaptive_uneven", lambda v: F.adaptive_avg_pool2d(v, (3, 2)), (x,)


def norm_ops():
    x = rand(2, 6, 4, 4)
    yield "batch_norm", seeded(nn.BatchNorm2d(6)), (x,)
    yield "batch_norm_plain", seeded(nn.BatchNorm2d(6, affine=False)), (x,)
    yield "batch_norm_1d", seeded(nn.BatchNorm1d(6)), (rand(5, 6),)
    yield "layer_norm", seeded(nn.LayerNorm(8)), (rand(2, 3, 8),)
    yield "layer_norm_two", seeded(nn.LayerNorm((3, 8))), (rand(2, 3, 8),)
    yield "layer_norm_plain", nn.LayerNorm(8, elementwise_affine=False), (rand(2, 8),)
    yield "layer_norm_nobias", seeded(nn.LayerNorm(8, bias=False)), (rand(2, 8),)
    yield "group_norm", seeded(nn.GroupNorm(3, 6)), (x,)


def matmul_ops():
    yield "linear", seeded(nn.Linear(4, 3)), (rand(2, 4),)
    yield "linear_nobias", seeded(nn.Linear(4, 3, bias=False)), (rand(2, 5, 4),)
    yield "linear_vector", seeded(nn.Linear(4, 3)), (rand(4),)
    yield "mm", lambda a, b: torch.mm(a, b), (rand(2, 3), rand(3, 4))
    yield "bmm", lambda a, b: torch.bmm(a, b), (rand(2, 3, 4), rand(2, 4, 5))
    yield "matmul_broadcast", lambda a, b: a @ b, (rand(2, 1, 3, 4), rand(5, 4, 2))
    yield "matmul_matrix", lambda a, b: a @ b, (rand(2, 3, 4), rand(4, 2))
    yield "matmul_vector", lambda a, b: a @ b, (rand(2, 3, 4), rand(4))
    yield "matmul_dot", lambda a, b: a @ b, (rand(4), rand(4))
    yield "addmm", lambda c, a, b: torch.addmm(c, a, b, alpha=0.5, beta=2.0), \
        (rand(4), rand(2, 3), rand(3, 4))
    yield "baddbmm", lambda c, a, b: torch.baddbmm(c, a, b), \
        (rand(2, 3, 5), rand(2, 3, 4), rand(2, 4, 5))
    q, k, v = rand(2, 2, 5, 4), rand(2, 2, 6, 4), rand(2, 2, 6, 3)
    sdpa = F.scaled_dot_product_attention
    yield "sdpa", lambda a, b, c: sdpa(a, b, c), (q, k, v)
    yield "sdpa_scale", lambda a, b, c: sdpa(a, b, c, scale=0.3), (q, k, v)
    yield "sdpa_causal", lambda a, b: sdpa(a, b, b, is_causal=True), (q, rand(2, 2, 5, 4))
    yield "sdpa_mask", lambda a, b, c, m: sdpa(a, b, c, attn_mask=m), \
        (q, k, v, rand(5, 6))
    mask = torch.rand(2, 1, 5, 6) > 0.3
    mask[0, 0, 2] = False
    yield "sdpa_bool_mask", lambda a, b, c, m: sdpa(a, b, c, attn_mask=m), \
        (q, k, v, mask)


def inplace_ops():
    x = rand(2, 3, 4)

    def slice_fill(v):
        y = v * 2
        y[:, 0].fill_(0.5)
        return y + 1

    def slice_add(v):
        y = v * 2
        y[:, 1:].add_(3.0)
        return y, y * 2
    yield "relu_", lambda v: F.relu(v * 1.0, inplace=True) + 1, (x,)
    yield "add_", lambda v: (v * 2).add_(v), (x,)
    yield "silu_", lambda v: F.silu(v * 1.0, inplace=True), (x,)
    yield "chain", lambda v: (v * 1.0).mul_(2.0).sub_(1.0).clamp_(-1.0, 1.0), (x,)
    yield "old_name", lambda v: (lambda y: (y.relu_(), y + 1)[1])(v * 1.0), (x,)
    yield "slice_fill", slice_fill, (x,)
    yield "slice_add", slice_add, (x,)


FAMILIES = {"elementwise": elementwise_ops, "shape": shape_ops, "create": create_ops,
            "reduce": reduce_ops, "conv": conv_ops, "pool": pool_ops, "norm": norm_ops,
            "matmul": matmul_ops, "inplace": inplace_ops,
            **{name: lambda f=f: f(seeded) for name, f in pt2_ops.FAMILIES.items()}}


def npy(tensor):
    stream = io.BytesIO()
    np.save(stream, tensor.detach().contiguous().numpy())
    return stream.getvalue()


class Family(nn.Module):
    """All cases of a family side by side; a case's name is its module path."""

    def __init__(self, cases):
        super().__init__()
        self.arity = [(name, len(args)) for name, _, args in cases]
        self.cases = nn.ModuleDict(
            (name, f if isinstance(f, nn.Module) else Call(f)) for name, f, _ in cases)

    def forward(self, *args):
        results, start = [], 0
        for name, count in self.arity:
            results += as_list(self.cases[name](*args[start:start + count]))
            start += count
        return tuple(results)


def make_ops(folder, chosen):
    from torch.export.pt2_archive._package import package_pt2
    for family, cases in FAMILIES.items():
        if chosen and family not in chosen:
            continue
        torch.manual_seed(1)
        cases = list(cases())
        model = Family(cases)
        args = tuple(a for _, _, inputs in cases for a in inputs)
        programs, extra = {}, {}
        for form in ("training", "functional", "core"):
            program = export(model, args, form)
            if form == "functional" and family not in ("inplace", "norm"):
                continue  # the same operators as in the training form
            if form == "core" and family in ("elementwise", "create"):
                continue
            programs[form] = program
        with torch.no_grad():
            outputs = model.eval()(*[a.clone() for a in args])
        for kind, values in (("in", args), ("out", outputs)):
            for i, value in enumerate(values):
                extra["%s%d.npy" % (kind, i)] = npy(value)
        names = [name for name, f, inputs in cases for _ in as_list(f(*inputs))]
        extra["outputs.txt"] = "\n".join(names).encode()
        path = os.path.join(folder, "ops-%s.pt2" % family)
        package_pt2(path, exported_programs=programs)
        add_extra(path, extra)
        print(path, list(programs), os.path.getsize(path), "bytes")


def add_extra(path, extra):
    import zipfile
    with zipfile.ZipFile(path, "a", zipfile.ZIP_STORED) as archive:
        root = archive.namelist()[0].split("/")[0]
        for name, data in extra.items():
            info = zipfile.ZipInfo(root + "/extra/" + name)
            archive.writestr(info, data)


# --- models --------------------------------------------------------------------

class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(8, 16)
        self.out = nn.Linear(16, 4)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


class Tied(nn.Module):
    """One storage under two names, a transposed view, a buffer, a constant."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(11, 6)
        self.head = nn.Linear(6, 11, bias=False)
        self.head.weight = self.embed.weight
        self.register_buffer("scale", torch.rand(6) + 0.5)
        self.register_buffer("shift", torch.randn(6), persistent=False)
        self.register_buffer("view", torch.randn(6, 6).t())
        self.register_buffer("wide", torch.randn(6, 1).expand(6, 6))
        self.register_buffer("part", torch.randn(30)[4:10])

    def forward(self, tokens):
        x = self.embed(tokens) * self.scale + self.shift
        x = x @ self.view + x @ self.wide + self.part
        return self.head(torch.tanh(x))


class Block(nn.Module):
    """The basic block of a ResNet."""

    def __init__(self, inside, outside, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outside)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outside)
        self.downsample = None
        if stride != 1 or inside != outside:
            self.downsample = nn.Sequential(
                nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x):
        skip = x if self.downsample is None else self.downsample(x)
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        y += skip
        return self.relu(y)


class NarrowResNet(nn.Module):
    """ResNet-18 with a sixteenth of its width."""

    def __init__(self, width=4, classes=10):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 7, 2, 3, bias=False),
                                  nn.BatchNorm2d(width), nn.ReLU(inplace=True),
                                  nn.MaxPool2d(3, 2, 1))
        layers, inside = [], width
        for i, outside in enumerate((width, 2 * width, 4 * width, 8 * width)):
            layers += [Block(inside, outside, 1 if i == 0 else 2), Block(outside, outside, 1)]
            inside = outside
        self.layers = nn.Sequential(*layers)
        self.fc = nn.Linear(inside, classes)

    def forward(self, x):
        x = F.adaptive_avg_pool2d(self.layers(self.stem(x)), 1)
        return self.fc(torch.flatten(x, 1))


class UNet(nn.Module):
    """Three levels with skips; upsampling nearest and by transposed convolution."""

    def __init__(self, width=8):
        super().__init__()
        def double(inside, outside):
            return nn.Sequential(nn.Conv2d(inside, outside, 3, 1, 1), nn.GroupNorm(4, outside),
                                 nn.SiLU(), nn.Conv2d(outside, outside, 3, 1, 1), nn.ReLU())
        self.down1, self.down2 = double(1, width), double(width, 2 * width)
        self.bottom = double(2 * width, 4 * width)
        self.up2 = nn.ConvTranspose2d(4 * width, 2 * width, 2, 2)
        self.merge2, self.merge1 = double(4 * width, 2 * width), double(3 * width, width)
        self.out = nn.Conv2d(width, 2, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        y = self.bottom(F.avg_pool2d(b, 2))
        y = self.merge2(torch.cat([self.up2(y), b], 1))
        y = self.merge1(torch.cat([F.interpolate(y, scale_factor=2), a], 1))
        return torch.sigmoid(self.out(y))


class SelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        n, length, width = x.shape
        q, k, v = self.qkv(x).view(n, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v)
        return self.out(y.transpose(1, 2).reshape(n, length, width))


class EncoderLayer(nn.Module):
    def __init__(self, width, heads, gelu):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = SelfAttention(width, heads)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.gelu = nn.GELU(approximate=gelu)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(self.gelu(self.up(self.norm2(x))))


class Encoder(nn.Module):
    """A small transformer encoder over tokens, with one head per class."""

    def __init__(self, vocabulary=50, length=12, width=24, heads=4, classes=5):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList(EncoderLayer(width, heads, g) for g in ("none", "tanh"))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, classes)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.places(torch.arange(tokens.shape[1]))
        for layer in self.layers:
            x = layer(x)
        return torch.log_softmax(self.head(self.norm(x)[:, 0]), -1)


def squeeze_excite(x, gate):
    return x * torch.sigmoid(gate(x.mean((2, 3))))[:, :, None, None]


class Colorizer(nn.Module):
    """The shapes of Tag2Pix in small: tags, grouped blocks, pixel shuffle, skips."""

    def __init__(self, tags=6, width=8):
        super().__init__()
        self.tags = nn.Linear(tags, 4 * 4 * 4)
        self.latent = nn.Linear(tags, 8)
        self.enc1, self.enc2 = nn.Conv2d(1, width, 3, 1, 1), nn.Conv2d(width, width, 3, 2, 1)
        self.enc3 = nn.Conv2d(width, 2 * width, 3, 2, 1)
        self.squash = nn.Conv2d(2 * width + 4, 2 * width, 1)
        self.grouped = nn.Conv2d(2 * width, 2 * width, 3, 1, 1, groups=4)
        self.gate = nn.Linear(2 * width + 8, 2 * width)
        self.widen = nn.Conv2d(3 * width // 2, 2 * width, 3, 1, 1)
        self.out = nn.Conv2d(3 * width // 2, 3, 3, 1, 1)

    def forward(self, line, tags):
        f1 = F.leaky_relu(self.enc1(line), 0.2)
        f2 = F.leaky_relu(self.enc2(f1), 0.2)
        f3 = F.leaky_relu(self.enc3(f2), 0.2)
        spatial = torch.tanh(self.tags(tags).view(-1, 4, 4, 4))
        y = self.squash(torch.cat([f3, spatial], 1))
        r = F.relu(self.grouped(y))
        z = torch.cat([r.mean((2, 3)), self.latent(tags)], 1)
        y = F.relu(y + r * torch.sigmoid(self.gate(z))[:, :, None, None])
        y = F.pixel_shuffle(y, 2)
        y = F.pixel_shuffle(self.widen(torch.cat([y, f2], 1)), 2)
        return torch.tanh(self.out(torch.cat([y, f1], 1)))


class Discriminator(nn.Module):
    """Squeeze-and-excite blocks with batch norm, three sigmoid heads."""

    def __init__(self, width=8):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, 2)
        self.conv = nn.Conv2d(width, width, 3, 1, 1, groups=2, bias=False)
        self.bn = nn.BatchNorm2d(width)
        self.gate = nn.Sequential(nn.Linear(width, 4, bias=False), nn.ReLU(),
                                  nn.Linear(4, width, bias=False))
        self.heads = nn.ModuleList(nn.Linear(width, n) for n in (1, 7, 5))

    def forward(self, image):
        x = F.leaky_relu(self.stem(image), 0.2)
        y = self.bn(self.conv(x))
        x = F.relu(x + squeeze_excite(y, self.gate))
        x = F.adaptive_avg_pool2d(x, 1).flatten(1)
        return tuple(torch.sigmoid(head(x)) for head in self.heads)


MODELS = {
    "mlp": (MLP, lambda: {"x": rand(3, 8)}, "training"),
    "tied": (Tied, lambda: {"tokens": ints(11, 2, 4)}, "training"),
    "resnet-narrow": (NarrowResNet, lambda: {"x": rand(1, 3, 64, 64)}, "training"),
    "unet": (UNet, lambda: {"x": rand(2, 1, 16, 16)}, "functional"),
    "encoder": (Encoder, lambda: {"tokens": ints(50, 2, 12)}, "functional"),
    "colorizer": (Colorizer, lambda: {"line": torch.rand(2, 1, 16, 16),
                                      "tags": (rand(2, 6) > 0).float()}, "functional"),
    "bert-mini": (lambda: pt2_models.Bert(40, 16, 16, 2, 2), bert_inputs(2, 8, 40), "training"),
    "gpt-mini": (pt2_models.Gpt, lambda: {"tokens": ints(61, 2, 10)}, "training"),
    "diffusion-mini": (pt2_models.DiffusionUNet,
                       lambda: {"latent": rand(2, 4, 8, 8), "step": torch.tensor([7, 350]),
                                "context": rand(2, 5, 6)}, "training"),
    "discriminator": (Discriminator, lambda: {"image": rand(2, 3, 17, 17)}, "functional"),
}


class Large(nn.Module):
    """A gigabyte of weights under little JSON."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(*[nn.Linear(8192, 8192) for _ in range(4)])

    def forward(self, x):
        return self.layers(x)


def images(batch, size):
    return lambda: {"x": rand(batch, 3, size, size)}


# Each in the training and the core form.
WHOLE = {"squeezenet": (vision("squeezenet1_1"), images(2, 224)),
         "mobilenetv3": (vision("mobilenet_v3_small"), images(2, 224)),
         "resnet50": (vision("resnet50"), images(2, 224)),
         "bert": (pt2_models.Bert, bert_inputs(2, 64))}
LARGE = {"resnet18": (vision("resnet18"), images(1, 224), "functional"),
         "resnet18-training": (vision("resnet18"), images(1, 224), "training"),
         "resnet-narrow-core": (lambda: NarrowResNet(2), lambda: {"x": rand(2, 3, 32, 32)}, "core"),
         "encoder-core": (Encoder, lambda: {"tokens": ints(50, 2, 12)}, "core"),
         "gigabyte": (Large, lambda: {"x": rand(1, 8192)}, "training")}
for key, (build, inputs) in WHOLE.items():
    LARGE[key] = (build, inputs, "training")
    LARGE[key + "-core"] = (build, inputs, "core")


def make_models(folder, models):
    for name, (build, inputs, form) in models.items():
        torch.manual_seed(2)
        model = build().eval()
        if name != "gigabyte":
            for module in model.modules():
                if isinstance(module, (nn.BatchNorm2d, nn.GroupNorm, nn.LayerNorm)):
                    seeded(module)
        args = inputs()
        path = os.path.join(folder, name)
        torch.export.save(export(model, tuple(args.values()), form), path + ".pt2")
        for key, value in args.items():
            np.save("%s.%s.npy" % (path, key), value.numpy())
        with torch.no_grad():
            for i, value in enumerate(as_list(model(*args.values()))):
                np.save("%s.out%d.npy" % (path, i), value.numpy())
        print(path + ".pt2", os.path.getsize(path + ".pt2"), "bytes")


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("ops", "models", "large"):
        raise SystemExit(__doc__)
    torch.set_num_threads(1)
    os.makedirs(sys.argv[2], exist_ok=True)
    if sys.argv[1] == "ops":
        make_ops(sys.argv[2], sys.argv[3:])
    else:
        models = MODELS if sys.argv[1] == "models" else LARGE
        make_models(sys.argv[2], {n: m for n, m in models.items()
                                  if n in (sys.argv[3:] or models)})


if __name__ == "__main__":
    main()
