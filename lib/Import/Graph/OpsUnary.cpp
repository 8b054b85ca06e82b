//===- OpsUnary.cpp - Elementwise operators of one operand ---------------===//
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
using Pred = arith::CmpFPredicate;

/// The scalar meaning of an operator on one float.
using UnaryFn = Value (*)(OpBuilder &b, Location loc, Value x);

static Value constant(OpBuilder &b, Location loc, Value like, double value) {
  return TensorBuilder(b, loc).scalar(like.getType(), value);
}

template <typename Op> static Value plain(OpBuilder &b, Location loc, Value x) {
  return Op::create(b, loc, x);
}

static Value relu(OpBuilder &b, Location loc, Value x) {
  return arith::MaximumFOp::create(b, loc, x, constant(b, loc, x, 0.0));
}

static Value clampTo(OpBuilder &b, Location loc, Value x, double low,
                     double high) {
  x = arith::MaximumFOp::create(b, loc, x, constant(b, loc, x, low));
  return arith::MinimumFOp::create(b, loc, x, constant(b, loc, x, high));
}

/// 1 / (1 + exp(-x))
static Value sigmoid(OpBuilder &b, Location loc, Value x) {
  Value one = constant(b, loc, x, 1.0);
  Value e = math::ExpOp::create(b, loc, arith::NegFOp::create(b, loc, x));
  Value sum = arith::AddFOp::create(b, loc, one, e);
  return arith::DivFOp::create(b, loc, one, sum);
}

/// x / (1 + exp(-x))
static Value silu(OpBuilder &b, Location loc, Value x) {
  Value e = math::ExpOp::create(b, loc, arith::NegFOp::create(b, loc, x));
  Value sum = arith::AddFOp::create(b, loc, constant(b, loc, x, 1.0), e);
  return arith::DivFOp::create(b, loc, x, sum);
}

/// min(max(x + 3, 0), 6)
static Value hardGate(OpBuilder &b, Location loc, Value x) {
  Value sum = arith::AddFOp::create(b, loc, x, constant(b, loc, x, 3.0));
  return clampTo(b, loc, sum, 0.0, 6.0);
}

static Value hardsigmoid(OpBuilder &b, Location loc, Value x) {
  return arith::DivFOp::create(b, loc, hardGate(b, loc, x),
                               constant(b, loc, x, 6.0));
}

static Value hardswish(OpBuilder &b, Location loc, Value x) {
  Value product = arith::MulFOp::create(b, loc, x, hardGate(b, loc, x));
  return arith::DivFOp::create(b, loc, product, constant(b, loc, x, 6.0));
}

/// x * tanh(log(1 + exp(x)))
static Value mish(OpBuilder &b, Location loc, Value x) {
  Value log = math::Log1pOp::create(b, loc, math::ExpOp::create(b, loc, x));
  return arith::MulFOp::create(b, loc, x, math::TanhOp::create(b, loc, log));
}

static Value relu6(OpBuilder &b, Location loc, Value x) {
  return clampTo(b, loc, x, 0.0, 6.0);
}

static Value reciprocal(OpBuilder &b, Location loc, Value x) {
  return arith::DivFOp::create(b, loc, constant(b, loc, x, 1.0), x);
}

static Value rsqrt(OpBuilder &b, Location loc, Value x) {
  return reciprocal(b, loc, math::SqrtOp::create(b, loc, x));
}

static Value square(OpBuilder &b, Location loc, Value x) {
  return arith::MulFOp::create(b, loc, x, x);
}

/// -1, 0 or 1; 0 for NaN, as PyTorch computes it.
static Value sign(OpBuilder &b, Location loc, Value x) {
  Value zero = constant(b, loc, x, 0.0);
  Value positive = arith::CmpFOp::create(b, loc, Pred::OGT, x, zero);
  Value negative = arith::CmpFOp::create(b, loc, Pred::OLT, x, zero);
  Value low = arith::SelectOp::create(b, loc, negative,
                                      constant(b, loc, x, -1.0), zero);
  return arith::SelectOp::create(b, loc, positive, constant(b, loc, x, 1.0),
                                 low);
}

/// log(1 / (1 + exp(-x))) without overflow: min(x, 0) - log1p(exp(-|x|))
static Value logSigmoid(OpBuilder &b, Location loc, Value x) {
  Value low = arith::MinimumFOp::create(b, loc, x, constant(b, loc, x, 0.0));
  Value size = math::AbsFOp::create(b, loc, x);
  Value e = math::ExpOp::create(b, loc, arith::NegFOp::create(b, loc, size));
  return arith::SubFOp::create(b, loc, low, math::Log1pOp::create(b, loc, e));
}

static Value isInfinite(OpBuilder &b, Location loc, Value x) {
  Value infinity = constant(b, loc, x, std::numeric_limits<double>::infinity());
  return arith::CmpFOp::create(b, loc, Pred::OEQ,
                               math::AbsFOp::create(b, loc, x), infinity);
}

static Value isFinite(OpBuilder &b, Location loc, Value x) {
  Value infinity = constant(b, loc, x, std::numeric_limits<double>::infinity());
  return arith::CmpFOp::create(b, loc, Pred::OLT,
                               math::AbsFOp::create(b, loc, x), infinity);
}

static void bindUnary(NodeLowering &op, Value v, ScalarFn fn) {
  op.bind(op.b.elementwise(v, TensorBuilder::shapeOf(v),
                           op.resultType().getElementType(), fn));
}

/// Integers are converted first where the result is a float.
template <UnaryFn fn> static void lowerUnary(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  DType from = op.dtypeOf("self"), to = op.resultDType();
  if (!op.require(isFloat(to), "its result is no float"))
    return;
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    return fn(b, loc, castScalar(b, loc, args[0], from, to));
  });
}

//===----------------------------------------------------------------------===//
// With parameters, or on integers too
//===----------------------------------------------------------------------===//

static void lowerNeg(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  bool floating = isFloat(op.dtypeOf("self"));
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    if (floating)
      return arith::NegFOp::create(b, loc, args[0]);
    return arith::SubIOp::create(b, loc, constant(b, loc, args[0], 0), args[0]);
  });
}

static void lowerAbs(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  DType dtype = op.dtypeOf("self");
  if (isUnsigned(dtype))
    return op.bind(v);
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    if (isFloat(dtype))
      return math::AbsFOp::create(b, loc, args[0]);
    return math::AbsIOp::create(b, loc, args[0]);
  });
}

static void lowerLogicalNot(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  DType from = op.dtypeOf("self");
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value truth = castScalar(b, loc, args[0], from, DType::Bool);
    return arith::XOrIOp::create(b, loc, truth, constant(b, loc, truth, 1));
  });
}

static void lowerBitwiseNot(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok() ||
      !op.require(!isFloat(op.dtypeOf("self")), "its operand is a float"))
    return;
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    return arith::XOrIOp::create(b, loc, args[0],
                                 constant(b, loc, args[0], -1));
  });
}

template <UnaryFn fn> static void lowerClassify(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok() ||
      !op.require(isFloat(op.dtypeOf("self")), "its operand is no float"))
    return;
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    return fn(b, loc, args[0]);
  });
}

static void lowerIsNan(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok() ||
      !op.require(isFloat(op.dtypeOf("self")), "its operand is no float"))
    return;
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    return arith::CmpFOp::create(b, loc, Pred::UNO, args[0], args[0]);
  });
}

static void lowerLeakyRelu(NodeLowering &op) {
  Value v = op.tensor("self");
  double slope = op.number("negative_slope");
  if (!op.ok())
    return;
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value x = args[0];
    Value positive =
        arith::CmpFOp::create(b, loc, Pred::OGT, x, constant(b, loc, x, 0.0));
    Value scaled = arith::MulFOp::create(b, loc, x, constant(b, loc, x, slope));
    return arith::SelectOp::create(b, loc, positive, x, scaled);
  });
}

/// scale * x above zero, else scale * alpha * (exp(input_scale * x) - 1)
static void eluWith(NodeLowering &op, double alpha, double scale,
                    double inputScale) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value x = args[0];
    auto times = [&](Value a, double factor) -> Value {
      return factor == 1.0 ? a
                           : arith::MulFOp::create(b, loc, a,
                                                   constant(b, loc, a, factor));
    };
    Value positive =
        arith::CmpFOp::create(b, loc, Pred::OGT, x, constant(b, loc, x, 0.0));
    Value low = math::ExpM1Op::create(b, loc, times(x, inputScale));
    return arith::SelectOp::create(b, loc, positive, times(x, scale),
                                   times(low, scale * alpha));
  });
}

static void lowerElu(NodeLowering &op) {
  double alpha = op.number("alpha"), scale = op.number("scale");
  eluWith(op, alpha, scale, op.number("input_scale"));
}
static void lowerSelu(NodeLowering &op) {
  eluWith(op, 1.6732632423543772, 1.0507009873554805, 1.0);
}
static void lowerCelu(NodeLowering &op) {
  double alpha = op.number("alpha");
  if (op.ok() && op.require(alpha != 0.0, "its alpha is zero"))
    eluWith(op, alpha, 1.0, 1.0 / alpha);
}

/// x above the threshold, else another value.
static void lowerThreshold(NodeLowering &op) {
  Value v = op.tensor("self");
  double threshold = op.number("threshold"), value = op.number("value");
  if (!op.ok())
    return;
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value x = args[0];
    Value below = arith::CmpFOp::create(b, loc, Pred::OLE, x,
                                        constant(b, loc, x, threshold));
    return arith::SelectOp::create(b, loc, below, constant(b, loc, x, value),
                                   x);
  });
}

/// Zero between -lambd and lambd; `soft`: the rest moves towards zero.
template <bool soft> static void lowerShrink(NodeLowering &op) {
  Value v = op.tensor("self");
  double lambd = op.number("lambd");
  if (!op.ok())
    return;
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value x = args[0], size = constant(b, loc, x, lambd),
          least = constant(b, loc, x, -lambd), low = x, high = x;
    if (soft) {
      high = arith::SubFOp::create(b, loc, x, size);
      low = arith::AddFOp::create(b, loc, x, size);
    }
    Value above = arith::CmpFOp::create(b, loc, Pred::OGT, x, size);
    Value below = arith::CmpFOp::create(b, loc, Pred::OLT, x, least);
    // A NaN is neither: PyTorch keeps it.
    Value within = arith::CmpFOp::create(b, loc, Pred::ORD, x, x);
    Value zero =
        arith::SelectOp::create(b, loc, within, constant(b, loc, x, 0.0), x);
    Value rest = arith::SelectOp::create(b, loc, below, low, zero);
    return arith::SelectOp::create(b, loc, above, high, rest);
  });
}

/// The first half times the sigmoid of the second.
static void lowerGlu(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  Ints sizes(TensorBuilder::shapeOf(v));
  int64_t rank = int64_t(sizes.size()), dim = op.dim("dim", rank);
  if (!op.ok() || !op.require(rank > 0 && sizes[dim] % 2 == 0,
                              "its dimension cannot be halved"))
    return;
  sizes[dim] /= 2;
  Ints offsets(rank, 0), strides(rank, 1);
  Value value = op.b.slice(v, offsets, sizes, strides);
  offsets[dim] = sizes[dim];
  Value gate = op.b.slice(v, offsets, sizes, strides);
  op.bind(op.b.elementwise(
      {value, gate}, sizes, TensorBuilder::elementOf(v),
      [](OpBuilder &b, Location loc, ValueRange args) -> Value {
        return arith::MulFOp::create(b, loc, args[0], sigmoid(b, loc, args[1]));
      }));
}

/// log(1 + exp(beta x)) / beta; the identity above the threshold.
static void lowerSoftplus(NodeLowering &op) {
  Value v = op.tensor("self");
  double beta = op.number("beta"), threshold = op.number("threshold");
  if (!op.ok())
    return;
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value x = args[0];
    Value scaled = arith::MulFOp::create(b, loc, x, constant(b, loc, x, beta));
    Value large = arith::CmpFOp::create(b, loc, Pred::OGT, scaled,
                                        constant(b, loc, x, threshold));
    Value log =
        math::Log1pOp::create(b, loc, math::ExpOp::create(b, loc, scaled));
    Value y = arith::DivFOp::create(b, loc, log, constant(b, loc, x, beta));
    return arith::SelectOp::create(b, loc, large, x, y);
  });
}

static Value bounded(OpBuilder &b, Location loc, Value x, double bound,
                     bool below, DType dtype) {
  Value limit = constant(b, loc, x, bound);
  if (isFloat(dtype))
    return below ? arith::MaximumFOp::create(b, loc, x, limit).getResult()
                 : arith::MinimumFOp::create(b, loc, x, limit).getResult();
  if (isUnsigned(dtype))
    return below ? arith::MaxUIOp::create(b, loc, x, limit).getResult()
                 : arith::MinUIOp::create(b, loc, x, limit).getResult();
  return below ? arith::MaxSIOp::create(b, loc, x, limit).getResult()
               : arith::MinSIOp::create(b, loc, x, limit).getResult();
}

/// Bounds that are absent are infinite and not computed.
static void clampBetween(NodeLowering &op, std::optional<double> low,
                         std::optional<double> high) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  DType from = op.dtypeOf("self"), to = op.resultDType();
  bindUnary(op, v, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value x = castScalar(b, loc, args[0], from, to);
    if (low)
      x = bounded(b, loc, x, *low, true, to);
    if (high)
      x = bounded(b, loc, x, *high, false, to);
    return x;
  });
}

static void lowerClamp(NodeLowering &op) {
  clampBetween(op, op.optionalNumber("min"), op.optionalNumber("max"));
}
static void lowerClampMin(NodeLowering &op) {
  clampBetween(op, op.optionalNumber("min"), std::nullopt);
}
static void lowerClampMax(NodeLowering &op) {
  clampBetween(op, std::nullopt, op.optionalNumber("max"));
}
static void lowerHardtanh(NodeLowering &op) {
  clampBetween(op, op.optionalNumber("min_val"), op.optionalNumber("max_val"));
}

static void lowerGelu(NodeLowering &op) {
  Value v = op.tensor("self");
  std::string approximate = op.string("approximate");
  if (!op.ok() || !op.require(approximate == "none" || approximate == "tanh",
                              "its approximation is '" + approximate + "'"))
    return;
  op.call("gelu", v,
          op.b.b.getDictionaryAttr(op.b.b.getNamedAttr(
              "approximate", op.b.b.getStringAttr(approximate))));
}

ArrayRef<OpEntry> panpipe::import::unaryOps() {
  constexpr Accepts floats = Accepts::Floats, numbers = Accepts::Numbers;
  static const OpEntry table[] = {
      {"relu", floats, lowerUnary<relu>},
      {"relu6", floats, lowerUnary<relu6>},
      {"sigmoid", numbers, lowerUnary<sigmoid>},
      {"tanh", numbers, lowerUnary<plain<math::TanhOp>>},
      {"silu", floats, lowerUnary<silu>},
      {"mish", floats, lowerUnary<mish>},
      {"hardsigmoid", floats, lowerUnary<hardsigmoid>},
      {"hardswish", floats, lowerUnary<hardswish>},
      {"hardtanh", floats, lowerHardtanh},
      {"leaky_relu", floats, lowerLeakyRelu},
      {"elu", floats, lowerElu},
      {"softplus", floats, lowerSoftplus},
      {"selu", floats, lowerSelu},
      {"celu", floats, lowerCelu},
      {"glu", floats, lowerGlu},
      {"log_sigmoid", floats, lowerUnary<logSigmoid>},
      {"threshold", floats, lowerThreshold},
      {"hardshrink", floats, lowerShrink<false>},
      {"softshrink", floats, lowerShrink<true>},
      {"gelu", floats, lowerGelu},
      {"neg", numbers, lowerNeg},
      {"abs", numbers, lowerAbs},
      {"sign", floats, lowerUnary<sign>},
      {"sgn", floats, lowerUnary<sign>},
      {"exp", numbers, lowerUnary<plain<math::ExpOp>>},
      {"expm1", numbers, lowerUnary<plain<math::ExpM1Op>>},
      {"log", numbers, lowerUnary<plain<math::LogOp>>},
      {"log2", numbers, lowerUnary<plain<math::Log2Op>>},
      {"log1p", numbers, lowerUnary<plain<math::Log1pOp>>},
      {"sqrt", numbers, lowerUnary<plain<math::SqrtOp>>},
      {"rsqrt", numbers, lowerUnary<rsqrt>},
      {"reciprocal", numbers, lowerUnary<reciprocal>},
      {"square", floats, lowerUnary<square>},
      {"sin", numbers, lowerUnary<plain<math::SinOp>>},
      {"cos", numbers, lowerUnary<plain<math::CosOp>>},
      {"erf", numbers, lowerUnary<plain<math::ErfOp>>},
      {"erfc", numbers, lowerUnary<plain<math::ErfcOp>>},
      {"tan", numbers, lowerUnary<plain<math::TanOp>>},
      {"asin", numbers, lowerUnary<plain<math::AsinOp>>},
      {"acos", numbers, lowerUnary<plain<math::AcosOp>>},
      {"atan", numbers, lowerUnary<plain<math::AtanOp>>},
      {"sinh", numbers, lowerUnary<plain<math::SinhOp>>},
      {"cosh", numbers, lowerUnary<plain<math::CoshOp>>},
      {"exp2", numbers, lowerUnary<plain<math::Exp2Op>>},
      {"log10", numbers, lowerUnary<plain<math::Log10Op>>},
      {"floor", floats, lowerUnary<plain<math::FloorOp>>},
      {"ceil", floats, lowerUnary<plain<math::CeilOp>>},
      {"trunc", floats, lowerUnary<plain<math::TruncOp>>},
      {"round", floats, lowerUnary<plain<math::RoundEvenOp>>},
      {"isnan", numbers, lowerIsNan},
      {"isinf", numbers, lowerClassify<isInfinite>},
      {"isfinite", numbers, lowerClassify<isFinite>},
      {"logical_not", numbers, lowerLogicalNot},
      {"bitwise_not", numbers, lowerBitwiseNot},
      {"clamp", numbers, lowerClamp},
      {"clamp_min", numbers, lowerClampMin},
      {"clamp_max", numbers, lowerClampMax},
  };
  return table;
}
