"""Further operators for utils/make-pt2-fixtures.py, one case each.

A family yields (name, function or module, inputs), as those of that script do.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


def rand(*shape):
    return torch.randn(*shape)


def ints(high, *shape):
    return torch.randint(0, high, shape)


def select_ops(_):
    x = rand(2, 3, 5)
    ties = torch.tensor([[1.0, 3.0, 3.0, -2.0], [float("nan"), 1.0, 9.0, float("nan")],
                         [float("-inf")] * 4])
    whole = ints(4, 3, 6)
    yield "max_dim", lambda v: torch.max(v, 1), (x,)
    yield "min_dim_keep", lambda v: torch.min(v, -1, keepdim=True), (x,)
    yield "max_dim_ties", lambda v: torch.max(v, 1), (ties,)
    yield "min_dim_int", lambda v: torch.min(v, 1), (whole,)
    yield "argmax", lambda v: v.argmax(-1), (x,)
    yield "argmin_keep", lambda v: v.argmin(1, keepdim=True), (x,)
    yield "argmax_all", lambda v: v.argmax(), (x,)
    yield "max_all", lambda v: (v.max(), v.min()), (whole,)
    yield "amax_int", lambda v: v.amax(1), (whole.int() - 9,)
    yield "sort", lambda v: torch.sort(v, 1), (x,)
    yield "sort_descending", lambda v: torch.sort(v, -1, descending=True), (x,)
    yield "sort_stable", lambda v: torch.sort(v, dim=1, stable=True), (ties,)
    yield "argsort", lambda v: torch.argsort(v, -1), (x,)
    yield "topk", lambda v: torch.topk(v, 2), (x,)
    yield "topk_smallest", lambda v: torch.topk(v, 3, 1, largest=False), (x,)
    yield "cumsum", lambda v: v.cumsum(1), (x,)
    yield "cumsum_bool", lambda v: (v > 0).cumsum(-1), (x,)
    yield "cumprod", lambda v: v.cumprod(-1), (x,)
    yield "gather", lambda v, i: v.gather(2, i), (x, ints(5, 2, 3, 4))
    yield "gather_part", lambda v, i: v.gather(1, i), (x, ints(3, 1, 2, 5))
    yield "take_along_dim", lambda v, i: torch.take_along_dim(v, i, -1), (x, ints(5, 2, 3, 2))
    yield "index_two", lambda v, i, j: v[i, j], (x, ints(2, 4), ints(3, 4))
    yield "index_apart", lambda v, i, j: v[i, :, j], (x, ints(2, 4), ints(5, 4))
    yield "index_inner", lambda v, i, j: v[:, i, j], (x, ints(3, 4, 1), ints(5, 1, 2))
    yield "index_negative", lambda v, i: v[:, i - 3], (x, ints(3, 2, 2))
    yield "one_hot", lambda i: F.one_hot(i, 7), (ints(7, 2, 3),)
    yield "repeat_interleave", lambda v: v.repeat_interleave(3, dim=1), (x,)
    yield "repeat_interleave_flat", lambda v: v.repeat_interleave(2), (x,)


def pad_ops(_):
    x = rand(2, 3, 5, 4)
    yield "reflect", lambda v: F.pad(v, (1, 2, 3, 0), mode="reflect"), (x,)
    yield "reflect_1d", lambda v: F.pad(v, (2, 3), mode="reflect"), (rand(2, 3, 6),)
    yield "replicate", lambda v: F.pad(v, (1, 5, 0, 2), mode="replicate"), (x,)
    yield "replicate_1d", lambda v: F.pad(v, (3, 1), mode="replicate"), (rand(2, 3, 6),)
    yield "roll_flat", lambda v: v.roll(5), (x,)
    yield "roll_two", lambda v: v.roll((-2, 7), (1, 3)), (x,)
    yield "tile", lambda v: v.tile(2, 1, 2), (rand(3, 2),)
    yield "movedim", lambda v: v.movedim((0, 3), (2, 0)), (x,)
    yield "swapaxes", lambda v: v.swapaxes(1, -1), (x,)
    yield "tril_batch", lambda v: v.tril(-1) + v.triu(2), (x,)


def resize_ops(_):
    x = rand(2, 3, 5, 4)
    yield "nearest_uneven", lambda v: F.interpolate(v, size=(7, 3)), (x,)
    yield "nearest_factor", lambda v: F.interpolate(v, scale_factor=1.7), (x,)
    yield "nearest_exact", lambda v: F.interpolate(v, size=(8, 11), mode="nearest-exact"), (x,)
    yield "nearest_shrink", lambda v: F.interpolate(v, size=(2, 2)), (x,)
    yield "bilinear_shrink", lambda v: F.interpolate(v, size=(3, 2), mode="bilinear"), (x,)
    yield "bilinear_factor", lambda v: F.interpolate(
        v, scale_factor=(1.5, 2.3), mode="bilinear", recompute_scale_factor=False), (x,)
    yield "adaptive_uneven", lambda v: F.adaptive_avg_pool2d(v, (3, 3)), (rand(2, 3, 7, 8),)
    yield "adaptive_enlarge", lambda v: F.adaptive_avg_pool2d(v, (9, 6)), (x,)
    yield "adaptive_1d", lambda v: F.adaptive_avg_pool1d(v, 4), (rand(2, 3, 10),)
    yield "adaptive_max", lambda v: F.adaptive_max_pool2d(v, (1, 2)), (x,)
    yield "max_pool1d", lambda v: F.max_pool1d(v, 3, 2, 1), (rand(2, 3, 10),)
    yield "avg_pool1d", lambda v: F.avg_pool1d(v, 3, 2, 1), (rand(2, 3, 10),)


def math_ops(seeded):
    x, y = rand(2, 6, 4), rand(2, 6, 4)
    whole, other = ints(19, 12) - 9, ints(5, 12) + 1
    for name in "selu celu logsigmoid softsign tanhshrink hardshrink softshrink".split():
        yield name, lambda v, f=getattr(F, name): f(v), (x * 2,)
    yield "celu_alpha", lambda v: F.celu(v, 0.7), (x,)
    yield "threshold", lambda v: F.threshold(v, 0.1, -2.0), (x,)
    yield "glu", lambda v: F.glu(v, 1), (x,)
    for name in "tan atan sinh cosh erfc exp2".split():
        yield name, lambda v, f=getattr(torch, name): f(v), (x,)
    yield "asin", lambda v: (torch.asin(v), torch.acos(v)), (torch.rand(2, 5) - 0.5,)
    yield "log10", lambda v: torch.log10(v), (torch.rand(5) + 0.1,)
    special = torch.tensor([1.0, float("inf"), float("-inf"), float("nan")])
    yield "isinf", lambda v: (v.isinf(), v.isfinite()), (special,)
    yield "atan2", lambda v, w: torch.atan2(v, w), (x, y)
    yield "remainder", lambda v, w: torch.remainder(v, w), (x * 3, y)
    yield "remainder_int", lambda v, w: (v % w, v % -3), (whole, other)
    yield "floor_divide", lambda v, w: (v // w, v // 3), (whole, other)
    yield "trunc_divide", lambda v, w: torch.div(v, w, rounding_mode="trunc"), (whole, other)
    yield "clamp_int", lambda v: v.clamp(-2, 3), (whole,)
    yield "addcmul", lambda v, w: torch.addcmul(v, w, v, value=0.5), (x, y)
    yield "addcdiv", lambda v, w: torch.addcdiv(v, w, w.abs() + 1), (x, y)
    yield "lerp", lambda v, w: (torch.lerp(v, w, 0.3), torch.lerp(v, w, v)), (x, y)
    yield "bitwise_xor", lambda v, w: v ^ w, (whole, other)
    yield "std", lambda v: (v.std(), v.std(1), v.std((0, 2), correction=0, keepdim=True)), (x,)
    yield "prod", lambda v: (v.prod(), v.prod(1)), (x,)
    yield "norm", lambda v: F.normalize(v, dim=-1), (x,)
    yield "vector_norm", lambda v: (torch.linalg.vector_norm(v, 1, dim=1),
                                    torch.linalg.vector_norm(v, float("inf"))), (x,)
    yield "rms_norm", seeded(nn.RMSNorm(4)), (x,)
    yield "rms_norm_plain", nn.RMSNorm((6, 4), eps=1e-3, elementwise_affine=False), (x,)
    yield "instance_norm", seeded(nn.InstanceNorm2d(3, affine=True)), (rand(2, 3, 4, 4),)
    yield "instance_norm_kept", seeded(nn.InstanceNorm1d(6, track_running_stats=True)), (x,)
    yield "outer", lambda v, w: torch.outer(v, w), (rand(3), rand(4))
    yield "mv", lambda v, w: torch.mv(v, w), (rand(3, 4), rand(4))
    yield "conv3d", seeded(nn.Conv3d(2, 3, 2, stride=(1, 2, 1), padding=1)), (rand(1, 2, 3, 4, 3),)
    yield "conv3d_grouped", seeded(nn.Conv3d(2, 4, 2, groups=2, bias=False)), \
        (rand(2, 2, 3, 3, 3),)
    yield "conv_transpose1d", seeded(nn.ConvTranspose1d(4, 3, 3, stride=2, output_padding=1)), \
        (rand(2, 4, 5),)
    sdpa = F.scaled_dot_product_attention
    yield "sdpa_grouped", lambda q, k, v: sdpa(q, k, v, enable_gqa=True), \
        (rand(1, 4, 3, 4), rand(1, 2, 5, 4), rand(1, 2, 5, 4))
    yield "dropout_", lambda v: F.dropout(v * 1.0, 0.5, training=False, inplace=True) + 1, (x,)


FAMILIES = {"select": select_ops, "pad": pad_ops, "resize": resize_ops, "math": math_ops}
