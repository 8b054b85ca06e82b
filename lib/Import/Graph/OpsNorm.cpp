//===- OpsNorm.cpp - Normalisations --------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include <limits>

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

/// `weight` and `bias` are both there or both missing.
static void callGroupNorm(NodeLowering &op, Value x, Value weight, Value bias,
                          double eps, int64_t groups) {
  SmallVector<Value> args{x};
  if (weight)
    args.append({weight, bias});
  Builder &b = op.b.b;
  op.call(
      "group_norm", args,
      epsParam(op, eps, b.getNamedAttr("groups", b.getI64IntegerAttr(groups))));
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
  callGroupNorm(op, x, weight, bias, eps, groups);
}

/// x / sqrt(mean(x * x) + eps) * weight; eps defaults to the type's epsilon.
static void lowerRmsNorm(NodeLowering &op) {
  Value x = op.tensor("input"), weight = op.optionalTensor("weight");
  Ints normalized = op.integers("normalized_shape");
  std::optional<double> eps = op.optionalNumber("eps");
  if (!op.ok())
    return;
  Shape shape = TensorBuilder::shapeOf(x);
  if (!op.require(
          !normalized.empty() && normalized.size() <= shape.size() &&
              shape.take_back(normalized.size()) == Shape(normalized) &&
              x.getType() == op.resultType() &&
              (!weight || TensorBuilder::shapeOf(weight) == Shape(normalized)),
          "its normalised shape does not fit its input"))
    return;
  double least = TensorBuilder::elementOf(x).isF64()
                     ? std::numeric_limits<double>::epsilon()
                     : double(std::numeric_limits<float>::epsilon());
  SmallVector<Value> args{x};
  if (weight)
    args.push_back(weight);
  Builder &b = op.b.b;
  op.call("rms_norm", args,
          epsParam(op, eps.value_or(least),
                   b.getNamedAttr("axes", b.getI64IntegerAttr(
                                              int64_t(normalized.size())))));
}

/// Each channel of each sample by its own statistics: groups of one channel.
static void normalizeChannels(NodeLowering &op) {
  Value x = op.tensor("input"), weight = op.optionalTensor("weight"),
        bias = op.optionalTensor("bias");
  double eps = op.number("eps");
  if (!op.ok())
    return;
  Shape shape = TensorBuilder::shapeOf(x);
  if (!op.require(shape.size() >= 3 && x.getType() == op.resultType(),
                  "its input has no channels") ||
      !completeAffine(op, weight, bias, shape[1]))
    return;
  callGroupNorm(op, x, weight, bias, eps, shape[1]);
}

/// With kept statistics it is a batch norm.
static void lowerInstanceNorm(NodeLowering &op) {
  if (op.boolean("use_input_stats"))
    return normalizeChannels(op);
  batchNorm(op);
}

/// The core form of an instance norm: a batch norm over one sample that has all
/// samples' channels.
static void lowerNormWithoutStats(NodeLowering &op) {
  Value x = op.tensor("input");
  if (!op.ok())
    return;
  Shape shape = TensorBuilder::shapeOf(x);
  if (shape.empty() || shape[0] != 1)
    return op.fail("it normalises with the statistics of the batch",
                   "keep running statistics (track_running_stats=True)");
  normalizeChannels(op);
}

ArrayRef<OpEntry> panpipe::import::normOps() {
  constexpr Accepts floats = Accepts::Floats;
  static const OpEntry table[] = {
      {"batch_norm", floats, lowerBatchNorm},
      {"_native_batch_norm_legit_no_training", floats, batchNorm},
      {"_batch_norm_no_update", floats, batchNorm},
      {"_native_batch_norm_legit.no_stats", floats, lowerNormWithoutStats},
      {"native_batch_norm", floats, lowerNativeBatchNorm},
      {"layer_norm", floats, lowerLayerNorm},
      {"native_layer_norm", floats, lowerLayerNorm},
      {"group_norm", floats, lowerGroupNorm},
      {"native_group_norm", floats, lowerGroupNorm},
      {"instance_norm", floats, lowerInstanceNorm},
      {"rms_norm", floats, lowerRmsNorm},
      {"_fused_rms_norm", floats, lowerRmsNorm},
  };
  return table;
}
