//===- OpsPad.cpp - Padding ----------------------------------------------===//
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

/// Constant padding; a negative amount cuts. PyTorch lists the last dimension
/// first.
static void lowerPad(NodeLowering &op, double value) {
  Value v = op.tensor("self");
  Ints amounts = op.integers("pad");
  if (!op.ok())
    return;
  Shape shape = TensorBuilder::shapeOf(v);
  size_t rank = shape.size();
  if (!op.require(amounts.size() % 2 == 0 && amounts.size() <= 2 * rank,
                  "its list of amounts does not fit its operand"))
    return;
  Ints low(rank, 0), high(rank, 0), offsets(rank, 0), sizes(shape);
  for (size_t i = 0; i < amounts.size() / 2; ++i) {
    size_t dim = rank - 1 - i;
    low[dim] = amounts[2 * i];
    high[dim] = amounts[2 * i + 1];
  }
  constexpr int64_t bound = int64_t(1) << 40;
  for (size_t d = 0; d < rank; ++d) {
    if (!op.require(std::abs(low[d]) < bound && std::abs(high[d]) < bound,
                    "its amounts are too large"))
      return;
    offsets[d] = std::max<int64_t>(-low[d], 0);
    sizes[d] -= offsets[d] + std::max<int64_t>(-high[d], 0);
    if (!op.require(sizes[d] > 0, "it cuts more than there is"))
      return;
    low[d] = std::max<int64_t>(low[d], 0);
    high[d] = std::max<int64_t>(high[d], 0);
  }
  Value cut = op.b.slice(v, offsets, sizes, Ints(rank, 1));
  // Compare before building: a hostile file must not make us allocate.
  for (size_t d = 0; d < rank; ++d)
    if (!op.require(op.resultType().getRank() == int64_t(rank) &&
                        op.resultShape()[d] == sizes[d] + low[d] + high[d],
                    "its amounts do not give the declared shape"))
      return;
  op.bind(op.b.pad(cut, low, high, value));
}

static void lowerConstantPad(NodeLowering &op) {
  lowerPad(op, op.number("value"));
}

/// `size` slices along `dim` from `begin`, in reverse order if `mirrored`.
static Value take(TensorBuilder &b, Value v, int64_t dim, int64_t begin,
                  int64_t size, bool mirrored = false) {
  Ints offsets(TensorBuilder::shapeOf(v).size(), 0), strides(offsets.size(), 1),
      sizes(TensorBuilder::shapeOf(v));
  offsets[dim] = begin;
  sizes[dim] = size;
  Value part = b.slice(v, offsets, sizes, strides);
  if (!mirrored)
    return part;
  SmallVector<AffineExpr> exprs;
  for (size_t i = 0; i < sizes.size(); ++i)
    exprs.push_back(b.b.getAffineDimExpr(unsigned(i)));
  exprs[dim] = size - 1 - exprs[dim];
  AffineMap map = AffineMap::get(sizes.size(), 0, exprs, b.b.getContext());
  return b.mapped(
      part, map, sizes, TensorBuilder::elementOf(v),
      [](OpBuilder &, Location, ValueRange args) { return args[0]; });
}

/// One slice `count` times.
static Value repeatSlice(TensorBuilder &b, Value v, int64_t dim, int64_t at,
                         int64_t count) {
  Value part = take(b, v, dim, at, 1);
  Ints shape(TensorBuilder::shapeOf(part));
  shape[dim] = count;
  return b.broadcastTo(part, shape);
}

/// Joins what the mode puts before and after `v`.
static Value extendDim(NodeLowering &op, Value v, int64_t dim, int64_t low,
                       int64_t high, StringRef mode) {
  int64_t size = TensorBuilder::shapeOf(v)[dim];
  int64_t most = mode == "reflect"    ? size - 1
                 : mode == "circular" ? size
                                      : int64_t(1) << 31;
  if (!op.require(low >= 0 && high >= 0,
                  "it cuts and pads by '" + mode + "'") ||
      !op.require(low <= most && high <= most,
                  "it pads by more than there is to copy"))
    return v;
  auto side = [&](bool after, int64_t count) {
    if (mode == "reflect")
      return take(op.b, v, dim, after ? size - 1 - count : 1, count, true);
    if (mode == "circular")
      return take(op.b, v, dim, after ? 0 : size - count, count);
    return repeatSlice(op.b, v, dim, after ? size - 1 : 0, count);
  };
  SmallVector<Value> parts;
  if (low)
    parts.push_back(side(false, low));
  parts.push_back(v);
  if (high)
    parts.push_back(side(true, high));
  return op.b.concat(parts, dim);
}

/// Pads with the operand's own elements.
static void padByCopying(NodeLowering &op, StringRef argument, StringRef mode) {
  Value v = op.tensor("self");
  Ints amounts = op.integers(argument);
  if (!op.ok())
    return;
  size_t rank = TensorBuilder::shapeOf(v).size();
  if (!op.require(amounts.size() % 2 == 0 && amounts.size() <= 2 * rank,
                  "its list of amounts does not fit its operand"))
    return;
  for (size_t i = 0; op.ok() && i < amounts.size() / 2; ++i)
    v = extendDim(op, v, int64_t(rank - 1 - i), amounts[2 * i],
                  amounts[2 * i + 1], mode);
  if (op.ok())
    op.bind(v);
}

static void lowerReflectionPad(NodeLowering &op) {
  padByCopying(op, "padding", "reflect");
}
static void lowerReplicationPad(NodeLowering &op) {
  padByCopying(op, "padding", "replicate");
}

static void lowerAnyPad(NodeLowering &op) {
  std::string mode = op.string("mode");
  if (mode == "constant")
    return lowerPad(op, op.optionalNumber("value").value_or(0.0));
  if (op.require(mode == "reflect" || mode == "replicate" || mode == "circular",
                 "its mode is '" + mode + "'"))
    padByCopying(op, "pad", mode);
}

ArrayRef<OpEntry> panpipe::import::padOps() {
  constexpr Accepts any = Accepts::Anything;
  static const OpEntry table[] = {
      {"constant_pad_nd", any, lowerConstantPad},
      {"pad", any, lowerAnyPad},
      {"reflection_pad1d", any, lowerReflectionPad},
      {"reflection_pad2d", any, lowerReflectionPad},
      {"replication_pad1d", any, lowerReplicationPad},
      {"replication_pad2d", any, lowerReplicationPad},
  };
  return table;
}
