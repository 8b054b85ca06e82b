//===- InterpTosaStructure.cpp - tosa ops that move or reduce -------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpTosa.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

static int64_t at(const ConcreteValue &value, ArrayRef<int64_t> index) {
  return linearize(index, ConcreteValue::stridesOf(value.shape()));
}

/// A tensor of `shape` whose elements are copied from positions of `source`.
template <typename From>
static Did copied(Executor &e, Operation *op, const ConcreteValue &source,
                  ArrayRef<int64_t> shape, From from) {
  if (!e.allocate(op, source.type(), shape))
    return Did::Failed;
  ConcreteValue value(source.type(), shape);
  int64_t position = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    value.copy(position++, source, at(source, from(index)));
  });
  return e.define(op->getResult(0), std::move(value));
}

static std::optional<SmallVector<int64_t>> numbers(Value shape) {
  auto constant = shape.getDefiningOp<tosa::ConstShapeOp>();
  if (!constant)
    return std::nullopt;
  SmallVector<int64_t> result;
  for (const llvm::APInt &number :
       constant.getValues().getValues<llvm::APInt>())
    result.push_back(number.getSExtValue());
  return result;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

static Did executeReshape(Executor &e, tosa::ReshapeOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  const ConcreteValue &source = e.get(op.getInput1());
  if (!type || !type.hasStaticShape() || type.getNumElements() != source.size())
    return e.unsupported(op, "a reshape of dynamic sizes");
  return e.define(op.getResult(), source.reshaped(type.getShape()));
}

static Did executeTranspose(Executor &e, tosa::TransposeOp op) {
  const ConcreteValue &source = e.get(op.getInput1());
  SmallVector<int64_t> shape;
  for (int32_t dim : op.getPerms())
    shape.push_back(source.shape()[dim]);
  return copied(e, op, source, shape, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index.size());
    for (auto [to, dim] : llvm::enumerate(op.getPerms()))
      from[dim] = index[to];
    return from;
  });
}

static Did executeSlice(Executor &e, tosa::SliceOp op) {
  const ConcreteValue &source = e.get(op.getInput1());
  auto start = numbers(op.getStart()), size = numbers(op.getSize());
  if (!start || !size)
    return e.unsupported(op, "a shape that is not constant");
  for (int64_t dim = 0; dim < source.rank(); ++dim) {
    if ((*size)[dim] < 0)
      (*size)[dim] = source.shape()[dim] - (*start)[dim];
    if ((*start)[dim] < 0 || (*size)[dim] < 0 ||
        (*start)[dim] + (*size)[dim] > source.shape()[dim])
      return e.undefined(op, "a slice out of bounds");
  }
  return copied(e, op, source, *size, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    for (auto [i, first] : llvm::zip(from, *start))
      i += first;
    return from;
  });
}

static Did executeConcat(Executor &e, tosa::ConcatOp op) {
  unsigned axis = op.getAxis();
  SmallVector<int64_t> shape(e.get(op.getInput1()[0]).shape());
  shape[axis] = 0;
  for (Value input : op.getInput1())
    for (auto [dim, size] : llvm::enumerate(e.get(input).shape())) {
      if (dim == axis)
        shape[axis] += size;
      else if (shape[dim] != size)
        return e.undefined(op, "parts of different sizes");
    }
  ScalarType type = e.get(op.getInput1()[0]).type();
  if (!e.allocate(op, type, shape))
    return Did::Failed;
  ConcreteValue value(type, shape);
  int64_t before = 0;
  for (Value input : op.getInput1()) {
    const ConcreteValue &part = e.get(input);
    int64_t position = 0;
    forEachIndex(part.shape(), [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> to(index);
      to[axis] += before;
      value.copy(at(value, to), part, position++);
    });
    before += part.shape()[axis];
  }
  return e.define(op.getResult(), std::move(value));
}

static Did executeTile(Executor &e, tosa::TileOp op) {
  const ConcreteValue &source = e.get(op.getInput1());
  auto shape = numbers(op.getMultiples());
  if (!shape)
    return e.unsupported(op, "a shape that is not constant");
  for (auto [factor, size] : llvm::zip(*shape, source.shape())) {
    if (factor < 0)
      return e.unsupported(op, "an inferred factor");
    factor *= size;
  }
  return copied(e, op, source, *shape, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    for (auto [i, size] : llvm::zip(from, source.shape()))
      i %= size;
    return from;
  });
}

static Did executeReverse(Executor &e, tosa::ReverseOp op) {
  const ConcreteValue &source = e.get(op.getInput1());
  return copied(e, op, source, source.shape(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(index);
    from[op.getAxis()] = source.shape()[op.getAxis()] - 1 - from[op.getAxis()];
    return from;
  });
}

static Did executePad(Executor &e, tosa::PadOp op) {
  const ConcreteValue &source = e.get(op.getInput1());
  auto widths = numbers(op.getPadding());
  if (!widths || llvm::any_of(*widths, [](int64_t w) { return w < 0; }))
    return e.unsupported(op, "padding of an unknown width");
  SmallVector<int64_t> shape(source.shape());
  for (auto [dim, size] : llvm::enumerate(shape))
    size += (*widths)[2 * dim] + (*widths)[2 * dim + 1];
  if (!e.allocate(op, source.type(), shape))
    return Did::Failed;
  ConcreteValue value(source.type(), shape);
  for (int64_t i = 0; i < value.size(); ++i)
    value.copy(i, e.get(op.getPadConst()), 0);
  int64_t position = 0;
  forEachIndex(source.shape(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> to(index);
    for (auto [dim, i] : llvm::enumerate(to))
      i += (*widths)[2 * dim];
    value.copy(at(value, to), source, position++);
  });
  return e.define(op.getResult(), std::move(value));
}

static Did executeGather(Executor &e, tosa::GatherOp op) {
  const ConcreteValue &values = e.get(op.getValues());
  const ConcreteValue &indices = e.get(op.getIndices());
  int64_t batches = values.shape()[0], rows = values.shape()[1],
          channels = values.shape()[2], picks = indices.shape()[1];
  if (indices.shape()[0] != batches)
    return e.undefined(op, "batches of different sizes");
  if (!e.allocate(op, values.type(), {batches, picks, channels}))
    return Did::Failed;
  ConcreteValue value(values.type(), {batches, picks, channels});
  // Without channels nothing is read.
  for (int64_t i = 0; i < batches * picks && channels != 0; ++i) {
    std::optional<int64_t> row = e.index(op, indices.get(i), "an index");
    if (!row)
      return Did::Failed;
    if (*row < 0 || *row >= rows)
      return e.undefined(op, "an index out of bounds");
    for (int64_t c = 0; c < channels; ++c)
      value.copy(i * channels + c, values,
                 ((i / picks) * rows + *row) * channels + c);
  }
  return e.define(op.getResult(), std::move(value));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
struct ReduceKind {
  ScalarOp scalar;
  Typed start;
};
} // namespace

static std::optional<ReduceKind> kindOf(Operation *op, ScalarType type) {
  unsigned width = type.width();
  auto whole = [&](ScalarOp scalar, llvm::APInt start) {
    return ReduceKind{scalar, {type, {start}}};
  };
  auto real = [&](ScalarOp scalar, APFloat start) {
    bool lossy;
    start.convert(type.fltSemantics(), APFloat::rmNearestTiesToEven, &lossy);
    return whole(scalar, start.bitcastToAPInt());
  };
  bool isReal = type.isFloat();
  if (isa<tosa::ReduceAllOp>(op))
    return whole(ScalarOp::AndI, llvm::APInt::getAllOnes(width));
  if (isa<tosa::ReduceAnyOp>(op))
    return whole(ScalarOp::OrI, llvm::APInt(width, 0));
  if (isa<tosa::ReduceSumOp>(op))
    return isReal ? real(ScalarOp::AddF, APFloat(0.0))
                  : whole(ScalarOp::AddI, llvm::APInt(width, 0));
  if (isa<tosa::ReduceProductOp>(op))
    return isReal ? real(ScalarOp::MulF, APFloat(1.0))
                  : whole(ScalarOp::MulI, llvm::APInt(width, 1));
  auto infinity = [&](bool negative) {
    return APFloat::getInf(APFloat::IEEEdouble(), negative);
  };
  if (isReal && !APFloat::semanticsHasInf(type.fltSemantics()))
    return std::nullopt;
  if (isa<tosa::ReduceMaxOp>(op))
    return isReal
               ? real(ScalarOp::MaximumF, infinity(true))
               : whole(ScalarOp::MaxSI, llvm::APInt::getSignedMinValue(width));
  if (isa<tosa::ReduceMinOp>(op))
    return isReal
               ? real(ScalarOp::MinimumF, infinity(false))
               : whole(ScalarOp::MinSI, llvm::APInt::getSignedMaxValue(width));
  return std::nullopt;
}

static bool ignoresNaN(Operation *op) {
  using Mode = tosa::NanPropagationMode;
  if (auto max = dyn_cast<tosa::ReduceMaxOp>(op))
    return max.getNanMode() == Mode::IGNORE;
  auto min = dyn_cast<tosa::ReduceMinOp>(op);
  return min && min.getNanMode() == Mode::IGNORE;
}

static Did executeReduce(Executor &e, Operation *op) {
  const ConcreteValue &source = e.get(op->getOperand(0));
  int64_t axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  std::optional<ReduceKind> kind = kindOf(op, source.type());
  if (!kind || (source.type().isFloat() && ignoresNaN(op)) ||
      getElementTypeOrSelf(op->getOperand(0)).isUnsignedInteger())
    return e.unsupported(op, "no execution of this reduction");
  SmallVector<int64_t> shape(source.shape());
  shape[axis] = 1;
  if (!e.allocate(op, source.type(), shape) || !e.spend(op, source.size()))
    return Did::Failed;
  ConcreteValue value(source.type(), shape);
  for (int64_t i = 0; i < value.size(); ++i)
    value.set(i, kind->start.element);
  TosaScalars scalars(e, op);
  int64_t position = 0;
  forEachIndex(source.shape(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> to(index);
    to[axis] = 0;
    ConcreteElement next =
        scalars.run(kind->scalar, source.type(),
                    {{source.type(), value.get(at(value, to))},
                     {source.type(), source.get(position++)}});
    value.set(at(value, to), next);
  });
  return scalars.failed ? Did::Failed
                        : e.define(op->getResult(0), std::move(value));
}

/// A widened element less its zero point.
static Typed widened(TosaScalars &scalars, ScalarType type,
                     const ConcreteValue &source, int64_t position,
                     const ConcreteValue &zeroPoint) {
  auto widen = [&](ScalarType from, ConcreteElement element) -> Typed {
    if (from == type)
      return {type, element};
    return {type, scalars.run(type.isFloat() ? ScalarOp::ExtF : ScalarOp::ExtSI,
                              type, {{from, element}})};
  };
  Typed x = widen(source.type(), source.get(position));
  if (type.isFloat())
    return x;
  Typed zero = widen(zeroPoint.type(), zeroPoint.get(0));
  return {type, scalars.run(ScalarOp::SubI, type, {x, zero})};
}

static Did executeMatMul(Executor &e, tosa::MatMulOp op) {
  const ConcreteValue &a = e.get(op.getA()), &b = e.get(op.getB());
  const ConcreteValue &za = e.get(op.getAZp()), &zb = e.get(op.getBZp());
  std::optional<ScalarType> type = e.elementType(op.getType());
  if (!type || (type->isFloat() &&
                (!za.get(0).bits.isZero() || !zb.get(0).bits.isZero())))
    return e.unsupported(op, "zero points of floats");
  int64_t batches = a.shape()[0], rows = a.shape()[1], depth = a.shape()[2],
          columns = b.shape()[2];
  if (b.shape()[0] != batches || b.shape()[1] != depth)
    return e.undefined(op, "operands of different sizes");
  if (!e.allocate(op, *type, {batches, rows, columns}) ||
      !e.spend(op, batches * rows * columns * depth))
    return Did::Failed;
  ConcreteValue value(*type, {batches, rows, columns});
  TosaScalars scalars(e, op);
  bool isReal = type->isFloat();
  forEachIndex(value.shape(), [&](ArrayRef<int64_t> i) {
    Typed sum{*type, {llvm::APInt(type->width(), 0)}};
    for (int64_t k = 0; k < depth; ++k) {
      Typed x = widened(scalars, *type, a, at(a, {i[0], i[1], k}), za);
      Typed y = widened(scalars, *type, b, at(b, {i[0], k, i[2]}), zb);
      Typed product{*type, scalars.run(isReal ? ScalarOp::MulF : ScalarOp::MulI,
                                       *type, {x, y})};
      sum.element = scalars.run(isReal ? ScalarOp::AddF : ScalarOp::AddI, *type,
                                {sum, product});
    }
    value.set(at(value, i), sum.element);
  });
  return scalars.failed ? Did::Failed
                        : e.define(op.getResult(), std::move(value));
}

//===----------------------------------------------------------------------===//
// Rescale
//===----------------------------------------------------------------------===//

/// On 64 bits, exactly: the products of the supported widths fit.
static ConcreteElement rescaled(const ConcreteElement &x, int64_t inputZero,
                                int64_t outputZero, int64_t multiplier,
                                int64_t shift, bool twice, ScalarType to) {
  uint64_t value = uint64_t(x.bits.getSExtValue() - inputZero);
  bool negative = int64_t(value) < 0;
  value *= uint64_t(multiplier);
  if (shift > 0)
    value += uint64_t(1) << (shift - 1);
  if (twice && shift > 31)
    value += uint64_t(negative ? -(int64_t(1) << 30) : int64_t(1) << 30);
  int64_t result =
      int64_t(uint64_t(int64_t(value) >> shift) + uint64_t(outputZero));
  int64_t top = (int64_t(1) << (to.width() - 1)) - 1;
  result = std::clamp(result, -top - 1, top);
  return {llvm::APInt(to.width(), uint64_t(result), false, true), x.marks};
}

static Did executeRescale(Executor &e, tosa::RescaleOp op) {
  ConcreteValue input = e.get(op.getInput());
  std::optional<ScalarType> to = e.elementType(op.getType());
  bool isKnown = to && to->width() <= 32 &&
                 input.type().width() <= (op.getScale32() ? 32u : 48u) &&
                 !op.getInputUnsigned() && !op.getOutputUnsigned() &&
                 op.getRoundingMode() != tosa::RoundingMode::INEXACT_ROUND;
  if (!isKnown)
    return e.unsupported(op, "rescaling of this kind");
  const ConcreteValue &multipliers = e.get(op.getMultiplier());
  const ConcreteValue &shifts = e.get(op.getShift());
  const ConcreteElement from = e.get(op.getInputZp()).get(0),
                        onto = e.get(op.getOutputZp()).get(0);
  bool twice = op.getScale32() &&
               op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
  if (!e.allocate(op, *to, input.shape()))
    return Did::Failed;
  ConcreteValue value(*to, input.shape());
  int64_t channels = input.rank() ? input.shape().back() : 1;
  for (int64_t i = 0; i < value.size(); ++i) {
    int64_t channel = op.getPerChannel() ? i % channels : 0;
    ConcreteElement multiplier = multipliers.get(channel),
                    shift = shifts.get(channel), x = input.get(i);
    int64_t by = shift.bits.getSExtValue();
    x.marks |= multiplier.marks | shift.marks | from.marks | onto.marks;
    if (by < 0 || by > 63)
      x.marks |= EM_poison;
    if (x.isPoison())
      value.set(i, {llvm::APInt(to->width(), 0), x.marks});
    else
      value.set(i,
                rescaled(x, from.bits.getSExtValue(), onto.bits.getSExtValue(),
                         multiplier.bits.getSExtValue(), by, twice, *to));
  }
  return e.define(op.getResult(), std::move(value));
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool interp::knowsTosaStructure(Operation *op) {
  return isa<tosa::ConcatOp, tosa::ConstOp, tosa::ConstShapeOp, tosa::GatherOp,
             tosa::IdentityOp, tosa::MatMulOp, tosa::PadOp, tosa::ReduceAllOp,
             tosa::ReduceAnyOp, tosa::ReduceMaxOp, tosa::ReduceMinOp,
             tosa::ReduceProductOp, tosa::ReduceSumOp, tosa::RescaleOp,
             tosa::ReshapeOp, tosa::ReverseOp, tosa::SliceOp, tosa::TileOp,
             tosa::TransposeOp>(op);
}

static Did executeConst(Executor &e, Operation *op, ElementsAttr values) {
  std::optional<ConcreteValue> value =
      ConcreteValue::fromAttribute(values, e.options.indexWidth);
  if (!value)
    return e.unsupported(op, "a constant whose elements cannot be read");
  return e.define(op->getResult(0), std::move(*value));
}

Did interp::executeTosaStructure(Executor &e, Operation *op) {
  if (auto o = dyn_cast<tosa::ConstOp>(op))
    return executeConst(e, op, o.getValues());
  if (auto o = dyn_cast<tosa::ConstShapeOp>(op))
    return executeConst(e, op, o.getValues());
  if (auto o = dyn_cast<tosa::IdentityOp>(op))
    return e.define(o.getResult(), e.getPtr(o.getInput1()));
  if (auto o = dyn_cast<tosa::ReshapeOp>(op))
    return executeReshape(e, o);
  if (auto o = dyn_cast<tosa::TransposeOp>(op))
    return executeTranspose(e, o);
  if (auto o = dyn_cast<tosa::SliceOp>(op))
    return executeSlice(e, o);
  if (auto o = dyn_cast<tosa::ConcatOp>(op))
    return executeConcat(e, o);
  if (auto o = dyn_cast<tosa::TileOp>(op))
    return executeTile(e, o);
  if (auto o = dyn_cast<tosa::ReverseOp>(op))
    return executeReverse(e, o);
  if (auto o = dyn_cast<tosa::PadOp>(op))
    return executePad(e, o);
  if (auto o = dyn_cast<tosa::GatherOp>(op))
    return executeGather(e, o);
  if (auto o = dyn_cast<tosa::MatMulOp>(op))
    return executeMatMul(e, o);
  if (auto o = dyn_cast<tosa::RescaleOp>(op))
    return executeRescale(e, o);
  if (knowsTosaStructure(op))
    return executeReduce(e, op);
  return e.unsupported(op, "no execution of this operation");
}
