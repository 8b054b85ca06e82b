#!/usr/bin/env python3
"""Writes lib/Import/Graph/AtenDefaults.cpp from PyTorch's own operator schemas.

A .pt2 file does not write arguments that equal their default, so the importer
needs the defaults. Run with a Python that has torch, from the root of the tree:

    python3 utils/gen-aten-defaults.py > lib/Import/Graph/AtenDefaults.cpp

All overloads (but those that write into `out`) of the operators below are in
the table, also those that the importer does not lower yet.
"""
import sys

import torch

OPERATORS = """
convolution conv1d conv2d conv_transpose2d mm bmm addmm baddbmm linear matmul dot
max_pool2d max_pool2d_with_indices avg_pool2d adaptive_avg_pool2d _adaptive_avg_pool2d
adaptive_max_pool2d pixel_shuffle pixel_unshuffle upsample_nearest2d
_upsample_nearest_exact2d upsample_bilinear2d
batch_norm _native_batch_norm_legit _native_batch_norm_legit_no_training
_native_batch_norm_legit_functional native_batch_norm _batch_norm_no_update
layer_norm native_layer_norm group_norm native_group_norm rms_norm instance_norm
relu relu_ relu6 leaky_relu leaky_relu_ prelu sigmoid sigmoid_ hardsigmoid
hardsigmoid_ tanh tanh_ silu silu_ hardswish hardswish_ hardtanh hardtanh_ gelu elu
elu_ softplus mish dropout dropout_ feature_dropout alpha_dropout
softmax _softmax _safe_softmax log_softmax _log_softmax scaled_dot_product_attention
_scaled_dot_product_flash_attention_for_cpu
add add_ sub sub_ rsub mul mul_ div div_ fmod remainder neg abs sgn sign exp expm1 log
log2 log1p sqrt rsqrt reciprocal square pow sin cos erf floor ceil round trunc maximum
minimum min max clamp clamp_ clamp_min clamp_max where masked_fill eq ne lt le gt ge
logical_and logical_or logical_not logical_xor bitwise_and bitwise_or bitwise_not
__and__ __or__ isnan sum mean amax amin argmax argmin var var_mean std cumsum diff any
all prod
view _unsafe_view reshape flatten unflatten permute transpose t expand expand_as
view_as unsqueeze squeeze cat concat stack split split_with_sizes chunk unbind select
slice narrow pad constant_pad_nd repeat repeat_interleave roll flip clone contiguous
alias detach detach_ copy lift_fresh_copy fill fill_ select_scatter slice_scatter
as_strided movedim
full full_like zeros zeros_like ones ones_like new_full new_ones new_zeros empty
empty_like new_empty arange linspace scalar_tensor tril triu _to_copy to type_as
_assert_tensor_metadata _assert_scalar sym_size sym_constrain_range_for_size
embedding index _unsafe_index index_put index_select gather scatter scatter_add
conv3d conv_transpose1d conv_transpose3d one_hot sort topk argsort take_along_dim
reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d
upsample_nearest1d upsample_bicubic2d _fused_rms_norm floor_divide selu selu_ celu
glu log_sigmoid hardshrink softshrink threshold tan asin acos atan atan2 sinh cosh
erfc log10 exp2 isinf isfinite std_mean logsumexp linalg_vector_norm norm addcmul
addcdiv lerp outer mv einsum tile rot90 avg_pool1d max_pool1d adaptive_avg_pool1d
adaptive_max_pool1d swapaxes bitwise_xor __xor__ triu_ tril_ masked_fill_ pow_ exp_
sqrt_ mish_ relu6_ masked_fill_ cumprod
""".split()

# Types as the importer sees them: symbolic numbers are numbers, and a list
# keeps no length.
TYPES = {"SymInt": "int", "SymBool": "bool", "ScalarType": "dtype",
         "MemoryFormat": "memory_format", "Layout": "layout", "Device": "device",
         "number": "Scalar"}


def type_name(kind):
    text = str(kind)
    optional = text.startswith("Optional[")
    if optional:
        text = text[len("Optional["):-1]
    is_list = text.startswith("List[")
    if is_list:
        text = text[len("List["):-1]
    if text.startswith("Optional["):
        text = text[len("Optional["):-1] + "?"
    text = TYPES.get(text, text)
    return text + ("[]" if is_list else "") + ("?" if optional else "")


def default_text(argument):
    """None: required. Otherwise a letter for the kind, and the value."""
    if not argument.has_default_value():
        return None
    value = argument.default_value
    if value is None:
        return "n"
    if isinstance(value, bool):
        return "b:%d" % value
    if isinstance(value, int):
        # Enumerations (dtype, layout, …) never have a default but None here.
        return "i:%d" % value
    if isinstance(value, float):
        return "f:%r" % value
    if isinstance(value, str):
        return "s:" + value
    if isinstance(value, (list, tuple)):
        length = argument.N or len(value)
        if len(value) == 1:
            value = list(value) * length
        kind = "B" if value and isinstance(value[0], bool) else "I"
        return kind + ":" + ",".join("%d" % v for v in value)
    raise SystemExit("unknown default %r of %s" % (value, argument.name))


def overloads(name):
    packet = getattr(torch.ops.aten, name)
    for overload in packet.overloads():
        schema = getattr(packet, overload)._schema
        text = str(schema)
        if any(a.is_out for a in schema.arguments) or "Dimname" in text or \
           "Tensor" not in text and not name.startswith(("sym_", "_assert")):
            continue
        if any(a.name.startswith("out") and a.kwarg_only and a.alias_info and
               a.alias_info.is_write for a in schema.arguments):
            continue
        yield "aten.%s.%s" % (name, overload), schema


HEADER = """\
//===- AtenDefaults.cpp - Arguments of ATen operators (generated) ---------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \\file
/// Generated by utils/gen-aten-defaults.py from the schemas of PyTorch %s;
/// do not edit. Sorted by name.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Import/AtenSchema.h"

using panpipe::import::AtenArgument;
using panpipe::import::AtenOp;

// clang-format off
"""


def main():
    table = {}
    for name in OPERATORS:
        table.update(overloads(name))
    print(HEADER % torch.__version__.split("+")[0])
    print("static const AtenArgument arguments[] = {")
    rows, start = [], 0
    for target in sorted(table):
        schema = table[target]
        for a in schema.arguments:
            default = default_text(a)
            text = "nullptr" if default is None else '"%s"' % default
            print('  {"%s", "%s", %s},' % (a.name, type_name(a.type), text))
        rows.append('  {"%s", arguments + %d, %d, %d},' %
                    (target, start, len(schema.arguments), len(schema.returns)))
        start += len(schema.arguments)
    print("};\n\nstatic const AtenOp operators[] = {")
    print("\n".join(rows))
    print("};\n// clang-format on\n")
    print("const AtenOp *panpipe::import::atenOpsBegin() { return operators; }")
    print("const AtenOp *panpipe::import::atenOpsEnd() {")
    print("  return operators + sizeof(operators) / sizeof(operators[0]);\n}")


if __name__ == "__main__":
    sys.exit(main())
