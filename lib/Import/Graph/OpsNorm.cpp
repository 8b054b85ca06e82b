//===- OpsNorm.cpp - Normalisations --------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::import;
using Shape = TensorBuilder::Shape;

static DictionaryAttr epsParam(NodeLowering &op, double eps,
                               ArrayRef<NamedAttribute> more = {}) {
  SmallVector<NamedAttribute> params(more);
  params.push_back(op.b.b.getNamedAttr("eps", op.b.b.getF64FloatAttr(eps)));
  return op.b.b.getDictionaryAttr(params);
}

/// Both weight and bias, or neither: fills the absent one.
static bool completeAffine(NodeLowering &op, Value &weight, Value &bias,
                           Shape shape) {
  for (Value v : {weight, bias})
    if (v && !op.require(TensorBuilder::shapeOf(v) == shape,
                         "its weight or bias does not fit its input"))
      return false;
  Type element = op.resultType().getElementType();
  if (weight && !bias)
    bias = op.b.filled(shape, element, 0.0);
  if (bias && !weight)
    weight = op.b.filled(shape, element, 1.0);
  return true;
}

static void batchNorm(NodeLowering &op) {
  Value x = op.tensor("input"), weight = op.optionalTensor("weight"),
        bias = op.optionalTensor("bias"),
        mean = op.optionalTensor("running_mean"),
        var = op.optionalTensor("running_var");
  double eps = op.number("eps");
  if (!op.ok())
    return;
  if (!mean || !var)
    return op.fail("it normalises with the statistics of the batch",
                   "keep running statistics (track_running_stats=True)");
  if (!op.require(TensorBuilder::typeOf(x).getRank() >= 2 &&
                      x.getType() == op.resultType(),
                  "its input has no channels"))
    return;
  Ints shape{TensorBuilder::shapeOf(x)[1]};
  for (Value v : {mean, var})
    if (!op.require(TensorBuilder::shapeOf(v) == Shape(shape),
                    "its statistics do not fit its input"))
      return;
  if (!completeAffine(op, weight, bias, shape))
    return;
  SmallVector<Value> args{x, mean, var};
  if (weight)
    args.append({weight, bias});
  op.call("batch_norm", args, epsParam(op, eps));
}

static void lowerBatchNorm(NodeLowering &op) {
  if (op.boolean("training"))
    return op.fail("it is in training mode and changes its statistics",
                   "call model.eval() before the export; for training graphs, "
                   "save ep.run_decompositions({})");
  batchNorm(op);
}

static void lowerNativeBatchNorm(NodeLowering &op) {
  op.fail("it changes its statistics although its schema does not say so",
          "call model.eval() before the export, or save "
          "ep.run_decompositions({})");
}

static void lowerLayerNorm(NodeLowering &op) {
  Value x = op.tensor("input"), weight = op.optionalTensor("weight"),
        bias = op.optionalTensor("bias");
  Ints normalized = op.integers("normalized_shape");
  double eps = op.number("eps");
  if (!op.ok())
    return;
  Shape shape = TensorBuilder::shapeOf(x);
  if (!op.require(!normalized.empty() && normalized.size() <= shape.size() &&
                      shape.take_back(normalized.size()) == Shape(normalized) &&
                      x.getType() == op.resultType(),
                  "its normalised shape does not fit its input") ||
      !completeAffine(op, weight, bias, normalized))
    return;
  SmallVector<Value> args{x};
  if (weight)
    args.append({weight, bias});
  Builder &b = op.b.b;
  op.call("layer_norm", args,
          epsParam(op, eps,
                   b.getNamedAttr("axes", b.getI64IntegerAttr(
                                              int64_t(normalized.size())))));
}

static void lowerGroupNorm(NodeLowering &op) {
  Value x = op.tensor("input"), weight = op.optionalTensor("weight"),
        bias = op.optionalTensor("bias");
  bool native = op.node.find("group") != nullptr;
  int64_t groups = op.integer(native ? "group" : "num_groups");
  double eps = op.number("eps");
  if (!op.ok())
    return;
  Shape shape = TensorBuilder::shapeOf(x);
  if (!op.require(shape.size() >= 2 && groups > 0 && shape[1] % groups == 0 &&
                      x.getType() == op.resultType(),
                  "its groups do not fit its input") ||
      !completeAffine(op, weight, bias, shape[1]))
    return;
  SmallVector<Value> args{x};
  if (weight)
    args.append({weight, bias});
  Builder &b = op.b.b;
  op.call(
      "group_norm", args,
      epsParam(op, eps, b.getNamedAttr("groups", b.getI64IntegerAttr(groups))));
}

ArrayRef<OpEntry> panpipe::import::normOps() {
  constexpr Accepts floats = Accepts::Floats;
  static const OpEntry table[] = {
      {"batch_norm", floats, lowerBatchNorm},
      {"_native_batch_norm_legit_no_training", floats, batchNorm},
      {"_batch_norm_no_update", floats, batchNorm},
      {"native_batch_norm", floats, lowerNativeBatchNorm},
      {"layer_norm", floats, lowerLayerNorm},
      {"native_layer_norm", floats, lowerLayerNorm},
      {"group_norm", floats, lowerGroupNorm},
      {"native_group_norm", floats, lowerGroupNorm},
  };
  return table;
}
