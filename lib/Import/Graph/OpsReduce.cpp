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

#include <cmath>
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

static Value squareRoot(NodeLowering &op, Value v) {
  return op.b.elementwise(
      v, TensorBuilder::shapeOf(v), TensorBuilder::elementOf(v),
      [](OpBuilder &b, Location loc, ValueRange args) -> Value {
        return math::SqrtOp::create(b, loc, args[0]);
      });
}

/// Sum of squared distances from the mean, divided by count - correction;
/// `root`: the square root of that.
static void reduceVar(NodeLowering &op, double correction, bool hasDims,
                      bool root) {
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
  Value variance = divide(op.b.sum(squares, dims), divisor);
  bindReduced(op, root ? squareRoot(op, variance) : variance);
  if (op.ok() && op.hasResult(1)) // var_mean
    op.bind(op.b.reshape(mean, op.resultShape(1)), 1);
}

template <bool root> static void lowerVar(NodeLowering &op) {
  reduceVar(op, op.optionalNumber("correction").value_or(1.0), true, root);
}
template <bool root> static void lowerVarUnbiased(NodeLowering &op) {
  reduceVar(op, op.boolean("unbiased") ? 1.0 : 0.0, op.node.find("dim"), root);
}

/// The neutral element of max (min) among integers.
static double farthest(DType dtype, bool isMax) {
  if (dtype == DType::Bool)
    return isMax ? 0.0 : 1.0;
  int bits = int(8 * dtypeBytes(dtype));
  if (isUnsigned(dtype))
    return isMax ? 0.0 : std::ldexp(1.0, bits) - 1.0;
  // The bounds of i64 come out of the infinities, which `scalar` clamps.
  if (bits == 64)
    return std::numeric_limits<double>::infinity() * (isMax ? -1.0 : 1.0);
  return isMax ? -std::ldexp(1.0, bits - 1) : std::ldexp(1.0, bits - 1) - 1.0;
}

Value panpipe::import::extremum(TensorBuilder &b, Value v,
                                ArrayRef<int64_t> dims, DType dtype,
                                bool isMax) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double init =
      isFloat(dtype) ? (isMax ? -infinity : infinity) : farthest(dtype, isMax);
  bool plain = isUnsigned(dtype) || dtype == DType::Bool;
  return b.reduce(
      v, dims, b.scalar(TensorBuilder::elementOf(v), init),
      [&](OpBuilder &inner, Location loc, ValueRange args) -> Value {
        Value x = args[1], y = args[0];
        if (isFloat(dtype))
          return isMax
                     ? arith::MaximumFOp::create(inner, loc, x, y).getResult()
                     : arith::MinimumFOp::create(inner, loc, x, y).getResult();
        if (plain)
          return isMax ? arith::MaxUIOp::create(inner, loc, x, y).getResult()
                       : arith::MinUIOp::create(inner, loc, x, y).getResult();
        return isMax ? arith::MaxSIOp::create(inner, loc, x, y).getResult()
                     : arith::MinSIOp::create(inner, loc, x, y).getResult();
      });
}

/// amax and amin over some dimensions; max and min over all.
template <bool isMax, bool hasDims>
static void lowerExtremum(NodeLowering &op) {
  auto [v, dims] = reduction(op, hasDims);
  // An unsigned 64-bit bound is no double; PyTorch has no kernel for it either.
  if (op.ok() && op.require(op.dtypeOf("self") != DType::U64,
                            "it compares elements of type u64"))
    bindReduced(op, extremum(op.b, v, dims, op.dtypeOf("self"), isMax));
}

Value panpipe::import::foldProduct(TensorBuilder &b, Value v,
                                   ArrayRef<int64_t> dims) {
  bool floating = isa<FloatType>(TensorBuilder::elementOf(v));
  return b.reduce(
      v, dims, b.scalar(TensorBuilder::elementOf(v), 1.0),
      [&](OpBuilder &inner, Location loc, ValueRange args) -> Value {
        if (floating)
          return arith::MulFOp::create(inner, loc, args[1], args[0]);
        return arith::MulIOp::create(inner, loc, args[1], args[0]);
      });
}

template <bool hasDim> static void lowerProd(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  Ints dims;
  if (hasDim && rank > 0)
    dims.push_back(op.dim("dim", rank));
  for (int64_t i = 0; !hasDim && i < rank; ++i)
    dims.push_back(i);
  if (!op.ok())
    return;
  v = convertTo(op, v, op.dtypeOf("self"), op.resultDType());
  bindReduced(op, foldProduct(op.b, v, dims));
}

/// sqrt(sum(x * x)), sum(|x|) or max(|x|).
static void lowerVectorNorm(NodeLowering &op) {
  double order = op.number("ord");
  auto [v, dims] = reduction(op);
  if (!op.ok())
    return;
  bool square = order == 2.0, most = std::isinf(order) && order > 0;
  if (!op.require(square || most || order == 1.0,
                  "its order is none of 1, 2 and infinity") ||
      !op.require(op.dtypeOf("self") == op.resultDType(),
                  "its result has another type than its operand"))
    return;
  Value parts = op.b.elementwise(
      v, TensorBuilder::shapeOf(v), TensorBuilder::elementOf(v),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        if (square)
          return arith::MulFOp::create(b, loc, args[0], args[0]);
        return math::AbsFOp::create(b, loc, args[0]);
      });
  if (most)
    return bindReduced(op, extremum(op.b, parts, dims, op.resultDType(), true));
  Value sum = op.b.sum(parts, dims);
  bindReduced(op, square ? squareRoot(op, sum) : sum);
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

/// Softmax that is 0 where all elements are minus infinity.
static void lowerSafeSoftmax(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  unsigned rank = unsigned(TensorBuilder::typeOf(v).getRank());
  int64_t axis = op.dim("dim", rank);
  if (!op.ok() || !op.require(rank > 0 && v.getType() == op.resultType(),
                              "its result has another type than its operand"))
    return;
  Builder &builder = op.b.b;
  auto params = builder.getDictionaryAttr(
      builder.getNamedAttr("axis", builder.getI64IntegerAttr(axis)));
  Value y = op.composite("softmax", v, params, op.resultType());
  Ints kept;
  for (int64_t i = 0; i < int64_t(rank); ++i)
    if (i != axis)
      kept.push_back(i);
  op.bind(op.b.mapped(
      {y, op.b.maximum(v, axis)},
      {op.b.identityMap(rank), op.b.dimsMap(rank, kept)}, op.resultShape(),
      TensorBuilder::elementOf(v),
      [](OpBuilder &b, Location loc, ValueRange args) -> Value {
        TensorBuilder s(b, loc);
        Type type = args[0].getType();
        Value lowest = s.scalar(type, -std::numeric_limits<double>::infinity());
        Value masked = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                             args[1], lowest);
        return arith::SelectOp::create(b, loc, masked, s.scalar(type, 0.0),
                                       args[0]);
      }));
}

ArrayRef<OpEntry> panpipe::import::reduceOps() {
  constexpr Accepts numbers = Accepts::Numbers, floats = Accepts::Floats;
  static const OpEntry table[] = {
      {"sum", numbers, lowerSumAll},
      {"sum.dim_IntList", numbers, lowerSum},
      {"mean", numbers, lowerMeanAll},
      {"mean.dim", numbers, lowerMean},
      {"var.correction", floats, lowerVar<false>},
      {"var_mean.correction", floats, lowerVar<false>},
      {"var", floats, lowerVarUnbiased<false>},
      {"var.dim", floats, lowerVarUnbiased<false>},
      {"var_mean", floats, lowerVarUnbiased<false>},
      {"var_mean.dim", floats, lowerVarUnbiased<false>},
      {"std.correction", floats, lowerVar<true>},
      {"std_mean.correction", floats, lowerVar<true>},
      {"std", floats, lowerVarUnbiased<true>},
      {"std.dim", floats, lowerVarUnbiased<true>},
      {"amax", numbers, lowerExtremum<true, true>},
      {"amin", numbers, lowerExtremum<false, true>},
      {"max", numbers, lowerExtremum<true, false>},
      {"min", numbers, lowerExtremum<false, false>},
      {"prod", numbers, lowerProd<false>},
      {"prod.dim_int", numbers, lowerProd<true>},
      {"linalg_vector_norm", floats, lowerVectorNorm},
      {"any", numbers, lowerTruth<true, false>},
      {"any.dim", numbers, lowerTruth<true, true>},
      {"any.dims", numbers, lowerTruth<true, true>},
      {"all", numbers, lowerTruth<false, false>},
      {"all.dim", numbers, lowerTruth<false, true>},
      {"softmax.int", floats, lowerSoftmax},
      {"_softmax", floats, lowerSoftmax},
      {"_safe_softmax", floats, lowerSafeSoftmax},
      {"log_softmax.int", floats, lowerLogSoftmax},
      {"_log_softmax", floats, lowerLogSoftmax},
  };
  return table;
}
