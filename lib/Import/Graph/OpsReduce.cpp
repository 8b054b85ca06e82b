//===- OpsReduce.cpp - Reductions and softmax ----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::import;

/// Brings back the reduced dimensions as 1 where the result has them.
static void bindReduced(NodeLowering &op, Value reduced) {
  if (op.require(TensorBuilder::typeOf(reduced).getNumElements() ==
                     op.resultType().getNumElements(),
                 "its dimensions do not give the declared shape"))
    op.bind(op.b.reshape(reduced, op.resultShape()));
}

static Value convertTo(NodeLowering &op, Value v, DType from, DType to) {
  if (from == to)
    return v;
  return op.b.elementwise(
      v, TensorBuilder::shapeOf(v), elementType(op.b.b.getContext(), to),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        return castScalar(b, loc, args[0], from, to);
      });
}

/// The operand and the dimensions that "dim" names; none means all.
static std::pair<Value, Ints> reduction(NodeLowering &op, bool hasDims = true) {
  Value v = op.tensor("self");
  if (!op.ok())
    return {v, Ints()};
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  Ints dims;
  if (hasDims)
    dims = op.dims("dim", rank);
  else
    for (int64_t i = 0; i < rank; ++i)
      dims.push_back(i);
  return {v, dims};
}

static void reduceSum(NodeLowering &op, bool hasDims) {
  auto [v, dims] = reduction(op, hasDims);
  if (!op.ok())
    return;
  v = convertTo(op, v, op.dtypeOf("self"), op.resultDType());
  bindReduced(op, op.b.sum(v, dims));
}
static void lowerSumAll(NodeLowering &op) { reduceSum(op, false); }
static void lowerSum(NodeLowering &op) { reduceSum(op, true); }

/// The sum, from 0.0 in row-major order, divided by the count.
static void reduceMean(NodeLowering &op, bool hasDims) {
  auto [v, dims] = reduction(op, hasDims);
  if (!op.ok() ||
      !op.require(isFloat(op.resultDType()), "its result is no float"))
    return;
  v = convertTo(op, v, op.dtypeOf("self"), op.resultDType());
  Value sum = op.b.sum(v, dims);
  double count = double(TensorBuilder::typeOf(v).getNumElements()) /
                 double(TensorBuilder::typeOf(sum).getNumElements());
  bindReduced(
      op, op.b.elementwise(
              sum, TensorBuilder::shapeOf(sum), TensorBuilder::elementOf(sum),
              [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                Value n =
                    TensorBuilder(b, loc).scalar(args[0].getType(), count);
                return arith::DivFOp::create(b, loc, args[0], n);
              }));
}
static void lowerMeanAll(NodeLowering &op) { reduceMean(op, false); }
static void lowerMean(NodeLowering &op) { reduceMean(op, true); }

/// Sum of squared distances from the mean, divided by count - correction.
static void reduceVar(NodeLowering &op, double correction, bool hasDims) {
  auto [v, dims] = reduction(op, hasDims);
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  Value sum = op.b.sum(v, dims);
  double count = double(TensorBuilder::typeOf(v).getNumElements()) /
                 double(TensorBuilder::typeOf(sum).getNumElements());
  auto divide = [&](Value x, double by) {
    return op.b.elementwise(
        x, TensorBuilder::shapeOf(x), TensorBuilder::elementOf(x),
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value n = TensorBuilder(b, loc).scalar(args[0].getType(), by);
          return arith::DivFOp::create(b, loc, args[0], n);
        });
  };
  Value mean = divide(sum, count);
  Ints kept;
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(dims, i))
      kept.push_back(i);
  Value squares =
      op.b.mapped({v, mean}, {op.b.identityMap(rank), op.b.dimsMap(rank, kept)},
                  TensorBuilder::shapeOf(v), TensorBuilder::elementOf(v),
                  [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                    Value d = arith::SubFOp::create(b, loc, args[0], args[1]);
                    return arith::MulFOp::create(b, loc, d, d);
                  });
  double divisor = std::max(count - correction, 0.0);
  bindReduced(op, divide(op.b.sum(squares, dims), divisor));
  if (op.ok() && op.hasResult(1)) // var_mean
    op.bind(op.b.reshape(mean, op.resultShape(1)), 1);
}

static void lowerVar(NodeLowering &op) {
  reduceVar(op, op.optionalNumber("correction").value_or(1.0), true);
}
static void lowerVarUnbiased(NodeLowering &op) {
  reduceVar(op, op.boolean("unbiased") ? 1.0 : 0.0, op.node.find("dim"));
}

template <bool isMax> static void lowerExtremum(NodeLowering &op) {
  auto [v, dims] = reduction(op);
  if (!op.ok())
    return;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value init =
      op.b.scalar(TensorBuilder::elementOf(v), isMax ? -infinity : infinity);
  bindReduced(
      op, op.b.reduce(
              v, dims, init,
              [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                if (isMax)
                  return arith::MaximumFOp::create(b, loc, args[1], args[0]);
                return arith::MinimumFOp::create(b, loc, args[1], args[0]);
              }));
}

/// any, all: of the truth values.
template <bool isAny, bool hasDims> static void lowerTruth(NodeLowering &op) {
  auto [v, dims] = reduction(op, hasDims);
  if (!op.ok())
    return;
  v = convertTo(op, v, op.dtypeOf("self"), DType::Bool);
  Value init = op.b.scalar(op.b.b.getI1Type(), isAny ? 0 : 1);
  bindReduced(
      op, op.b.reduce(v, dims, init,
                      [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                        if (isAny)
                          return arith::OrIOp::create(b, loc, args[1], args[0]);
                        return arith::AndIOp::create(b, loc, args[1], args[0]);
                      }));
}

static void softmaxLike(NodeLowering &op, StringRef composite) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  int64_t axis = op.dim("dim", rank);
  if (!op.ok() || !op.require(rank > 0, "its operand is a scalar"))
    return;
  v = convertTo(op, v, op.dtypeOf("self"), op.resultDType());
  if (!op.require(v.getType() == op.resultType(), "its result has another "
                                                  "shape than its operand"))
    return;
  op.call(composite, v,
          op.b.b.getDictionaryAttr(
              op.b.b.getNamedAttr("axis", op.b.b.getI64IntegerAttr(axis))));
}
static void lowerSoftmax(NodeLowering &op) { softmaxLike(op, "softmax"); }
static void lowerLogSoftmax(NodeLowering &op) {
  softmaxLike(op, "log_softmax");
}

ArrayRef<OpEntry> panpipe::import::reduceOps() {
  constexpr Accepts numbers = Accepts::Numbers, floats = Accepts::Floats;
  static const OpEntry table[] = {
      {"sum", numbers, lowerSumAll},
      {"sum.dim_IntList", numbers, lowerSum},
      {"mean", numbers, lowerMeanAll},
      {"mean.dim", numbers, lowerMean},
      {"var.correction", floats, lowerVar},
      {"var_mean.correction", floats, lowerVar},
      {"var", floats, lowerVarUnbiased},
      {"var.dim", floats, lowerVarUnbiased},
      {"var_mean", floats, lowerVarUnbiased},
      {"var_mean.dim", floats, lowerVarUnbiased},
      {"amax", floats, lowerExtremum<true>},
      {"amin", floats, lowerExtremum<false>},
      {"any", numbers, lowerTruth<true, false>},
      {"any.dim", numbers, lowerTruth<true, true>},
      {"any.dims", numbers, lowerTruth<true, true>},
      {"all", numbers, lowerTruth<false, false>},
      {"all.dim", numbers, lowerTruth<false, true>},
      {"softmax.int", floats, lowerSoftmax},
      {"_softmax", floats, lowerSoftmax},
      {"log_softmax.int", floats, lowerLogSoftmax},
      {"_log_softmax", floats, lowerLogSoftmax},
  };
  return table;
}
