//===- TosaEncodings.cpp - Encodings of elementwise tosa ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operations of tosa that compute one element from elements at one index.
/// Unit dimensions stretch. What moves or reduces is in
/// TosaStructureEncodings.cpp.
///
//===----------------------------------------------------------------------===//

#include "TosaEncodings.h"

#include <cmath>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

/// The common shape: where sizes differ, one of them is 1.
static FailureOr<SmallVector<IndexTerm>>
stretchedShape(Operation *op, ValueRange operands, Encoder &e) {
  SmallVector<IndexTerm> shape;
  for (Value operand : operands) {
    const SymTensor &tensor = e.tensor(operand);
    if (shape.empty()) {
      shape.assign(tensor.shape.begin(), tensor.shape.end());
      continue;
    }
    if (shape.size() != tensor.rank())
      return e.unsupported(op, "operands of different rank have no encoding");
    for (auto [have, size] : llvm::zip_equal(shape, tensor.shape)) {
      if (have == size || e.context().provablyEqual(have, size) ||
          size.constantInt64() == 1)
        continue;
      if (have.constantInt64() != 1)
        return e.unsupported(op, "run-time sizes that may stretch or not have "
                                 "no encoding");
      have = size;
    }
  }
  return shape;
}

LogicalResult
tv::stretched(Operation *op, ValueRange operands, Encoder &e,
              llvm::function_ref<Element(ArrayRef<Element>, ScalarType)> f) {
  auto isUnsigned = [](Value value) {
    return getElementTypeOrSelf(value).isUnsignedInteger();
  };
  if (llvm::any_of(operands, isUnsigned) || isUnsigned(op->getResult(0)))
    return e.unsupported(op, "unsigned integer types have no encoding");
  FailureOr<SmallVector<IndexTerm>> shape = stretchedShape(op, operands, e);
  if (failed(shape))
    return failure();
  ScalarType type = *e.scalarType(op->getResult(0).getType());
  FailureOr<SymTensor> result = e.compute(
      type, *shape, [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        SmallVector<Element, 3> elements;
        for (Value operand : operands) {
          const SymTensor &tensor = e.tensor(operand);
          IndexList from(at);
          for (auto [index, size] : llvm::zip_equal(from, tensor.shape))
            if (size.constantInt64() == 1)
              index = e.constant(0);
          elements.push_back(readElement(e.terms(), tensor, from, e.context()));
        }
        return f(elements, type);
      });
  if (failed(result))
    return failure();
  e.requireStaticSizes(result->shape,
                       cast<ShapedType>(op->getResult(0).getType()).getShape(),
                       op);
  e.define(op->getResult(0), std::move(*result));
  return success();
}

//===----------------------------------------------------------------------===//
// One scalar operation
//===----------------------------------------------------------------------===//

/// The operation for floats, and that for integers.
template <typename OpT, ScalarOp real, ScalarOp integer, uint8_t realPredicate,
          uint8_t integerPredicate>
static LogicalResult encodeEither(OpT op, Encoder &e) {
  return stretched(
      op, op->getOperands(), e,
      [&](ArrayRef<Element> operands, ScalarType type) {
        bool isReal = operands[0].value->type().isFloat();
        ScalarAttrs attrs;
        attrs.predicate = isReal ? realPredicate : integerPredicate;
        return e.apply(isReal ? real : integer, attrs, type, operands, op);
      });
}

template <typename OpT, ScalarOp scalar>
static LogicalResult encodeOne(OpT op, Encoder &e) {
  return encodeEither<OpT, scalar, scalar, 0, 0>(op, e);
}

namespace {
/// Writes scalar expressions on elements of one type.
struct Build {
  Encoder &e;
  Operation *op;
  ScalarType type;

  Element run(ScalarOp scalar, ArrayRef<Element> operands) {
    return e.apply(scalar, {}, type, operands, op);
  }
  Element integer(int64_t value) {
    return e.defined(e.terms().mkInt(type, value));
  }
  Element real(double value) {
    return e.defined(e.terms().mkFloat(type, value));
  }
  Element compare(bool isReal, unsigned predicate, Element a, Element b) {
    ScalarAttrs attrs;
    attrs.predicate = predicate;
    return e.apply(isReal ? ScalarOp::CmpF : ScalarOp::CmpI, attrs,
                   ScalarType::boolean(), {a, b}, op);
  }
  Element isNaN(Element a) {
    return e.apply(ScalarOp::IsNaN, {}, ScalarType::boolean(), {a}, op);
  }
  Element select(Element c, Element a, Element b) {
    return run(ScalarOp::Select, {c, a, b});
  }
};
} // namespace

/// An extremum; in mode IGNORE a NaN loses against a number.
template <typename OpT, ScalarOp real, ScalarOp integer>
static LogicalResult encodeExtremum(OpT op, Encoder &e) {
  bool ignore = op.getNanMode() == tosa::NanPropagationMode::IGNORE;
  return stretched(op, op->getOperands(), e,
                   [&](ArrayRef<Element> x, ScalarType type) -> Element {
                     Build b{e, op, type};
                     if (!type.isFloat())
                       return b.run(integer, x);
                     Element both = b.run(real, x);
                     if (!ignore)
                       return both;
                     return b.select(b.isNaN(x[0]), x[1],
                                     b.select(b.isNaN(x[1]), x[0], both));
                   });
}

/// The lower bound first. In mode IGNORE a NaN becomes the lower bound.
static LogicalResult encodeClamp(tosa::ClampOp op, Encoder &e) {
  return stretched(
      op, op->getOperands(), e,
      [&](ArrayRef<Element> x, ScalarType type) -> Element {
        Build b{e, op, type};
        auto bound = [&](Attribute attr) {
          llvm::APInt bits =
              type.isFloat() ? cast<FloatAttr>(attr).getValue().bitcastToAPInt()
                             : cast<IntegerAttr>(attr).getValue().sextOrTrunc(
                                   type.width());
          return e.defined(e.terms().mkConst(type, bits));
        };
        Element low = bound(op.getMinValAttr()),
                high = bound(op.getMaxValAttr());
        if (!type.isFloat())
          return b.run(ScalarOp::MinSI,
                       {b.run(ScalarOp::MaxSI, {x[0], low}), high});
        Element clamped = b.run(ScalarOp::MinimumF,
                                {b.run(ScalarOp::MaximumF, {x[0], low}), high});
        if (op.getNanMode() != tosa::NanPropagationMode::IGNORE)
          return clamped;
        return b.select(b.isNaN(x[0]), low, clamped);
      });
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// With `round`, the last bit shifted out is added.
static LogicalResult encodeArithmeticShift(tosa::ArithmeticRightShiftOp op,
                                           Encoder &e) {
  return stretched(
      op, op->getOperands(), e,
      [&](ArrayRef<Element> x, ScalarType type) -> Element {
        Build b{e, op, type};
        Element shifted = b.run(ScalarOp::ShRSI, x);
        if (!op.getRound())
          return shifted;
        Element one = b.integer(1), zero = b.integer(0);
        Element last = b.run(
            ScalarOp::AndI,
            {b.run(ScalarOp::ShRSI, {x[0], b.run(ScalarOp::SubI, {x[1], one})}),
             one});
        Element carry =
            b.select(b.compare(false, /*sgt*/ 4, x[1], zero), last, zero);
        return b.run(ScalarOp::AddI, {shifted, carry});
      });
}

/// (value · multiplier + half of 2^shift) >> shift, on 64 bits. A double round
/// adds or subtracts 2^30 first where the shift exceeds 31.
static Element scaled(Element value, Element multiplier, Element shift,
                      bool twice, Operation *op, Encoder &e) {
  ScalarType wide = ScalarType::integer(64);
  Build b{e, op, wide};
  auto widen = [&](Element x) {
    return x.value->type() == wide ? x : b.run(ScalarOp::ExtSI, {x});
  };
  value = widen(value);
  shift = widen(shift);
  Element zero = b.integer(0), one = b.integer(1);
  Element product = b.run(ScalarOp::MulI, {value, widen(multiplier)});
  Element half =
      b.run(ScalarOp::ShLI, {one, b.run(ScalarOp::SubI, {shift, one})});
  half = b.select(b.compare(false, /*sgt*/ 4, shift, zero), half, zero);
  if (twice) {
    Element more =
        b.select(b.compare(false, /*sge*/ 5, value, zero),
                 b.integer(int64_t(1) << 30), b.integer(-(int64_t(1) << 30)));
    more = b.select(b.compare(false, 4, shift, b.integer(31)), more, zero);
    half = b.run(ScalarOp::AddI, {half, more});
  }
  return b.run(ScalarOp::ShRSI,
               {b.run(ScalarOp::AddI, {product, half}), shift});
}

Element tv::singleElement(Value value, Encoder &e) {
  const SymTensor &tensor = e.tensor(value);
  SmallVector<IndexTerm> at(tensor.rank(), e.constant(0));
  return readElement(e.terms(), tensor, at, e.context());
}

/// i32 products are shifted with rounding; others have no shift.
static LogicalResult encodeMul(tosa::MulOp op, Encoder &e) {
  Value operands[] = {op.getInput1(), op.getInput2()};
  Element shift = singleElement(op.getShift(), e);
  ScalarType from = e.tensor(op.getInput1()).type;
  bool shifts = from == ScalarType::integer(32);
  if (!shifts && !(shift.value->isConst() && shift.value->bits().isZero()))
    return e.unsupported(op, "a shift of a product that is not i32 has no "
                             "encoding");
  return stretched(
      op, operands, e, [&](ArrayRef<Element> x, ScalarType type) -> Element {
        Build b{e, op, type};
        if (type.isFloat())
          return b.run(ScalarOp::MulF, x);
        bool isPlain = shift.value->isConst() && shift.value->bits().isZero() &&
                       shift.poison->isFalse();
        if (shifts && !isPlain)
          return b.run(ScalarOp::TruncI,
                       {scaled(x[0], x[1], shift, false, op, e)});
        auto widen = [&](Element y) {
          return from == type ? y : b.run(ScalarOp::ExtSI, {y});
        };
        return b.run(ScalarOp::MulI, {widen(x[0]), widen(x[1])});
      });
}

static LogicalResult encodeBitwiseNot(tosa::BitwiseNotOp op, Encoder &e) {
  return stretched(op, op->getOperands(), e,
                   [&](ArrayRef<Element> x, ScalarType type) {
                     Build b{e, op, type};
                     return b.run(ScalarOp::XOrI, {x[0], b.integer(-1)});
                   });
}

static LogicalResult encodeLogicalNot(tosa::LogicalNotOp op, Encoder &e) {
  return stretched(op, op->getOperands(), e,
                   [&](ArrayRef<Element> x, ScalarType type) {
                     Build b{e, op, type};
                     return b.run(ScalarOp::XOrI, {x[0], b.integer(1)});
                   });
}

/// Zero points other than 0 are saturated by some and wrapped by others.
static LogicalResult encodeNegate(tosa::NegateOp op, Encoder &e) {
  for (Value point : {op.getInput1Zp(), op.getOutputZp()})
    if (Element zero = singleElement(point, e);
        !zero.value->isConst() || !zero.value->bits().isZero())
      return e.unsupported(op, "zero points other than 0 have no encoding");
  Value input = op.getInput1();
  return stretched(op, input, e, [&](ArrayRef<Element> x, ScalarType type) {
    Build b{e, op, type};
    return type.isFloat() ? b.run(ScalarOp::NegF, x)
                          : b.run(ScalarOp::SubI, {b.integer(0), x[0]});
  });
}

/// Per channel, the last dimension picks multiplier and shift.
static LogicalResult encodeRescale(tosa::RescaleOp op, Encoder &e) {
  if (op.getInputUnsigned() || op.getOutputUnsigned())
    return e.unsupported(op, "rescaling of unsigned numbers has no encoding");
  if (op.getRoundingMode() == tosa::RoundingMode::INEXACT_ROUND)
    return e.unsupported(op, "inexact rounding has no encoding");
  const SymTensor input = e.tensor(op.getInput());
  ScalarType to = *e.scalarType(op.getType());
  if (input.type.width() > (op.getScale32() ? 32 : 48) || to.width() > 32)
    return e.unsupported(op, "these widths have no encoding");
  bool twice = op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
  Element inputPoint = singleElement(op.getInputZp(), e);
  Element outputPoint = singleElement(op.getOutputZp(), e);
  FailureOr<SymTensor> result = e.compute(
      to, input.shape, [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        Build b{e, op, ScalarType::integer(64)};
        auto widen = [&](Element x) { return b.run(ScalarOp::ExtSI, {x}); };
        IndexTerm channel = op.getPerChannel() ? at.back() : e.constant(0);
        auto scale = [&](Value list) {
          return readElement(e.terms(), e.tensor(list), {channel}, e.context());
        };
        Element x = readElement(e.terms(), input, at, e.context());
        x = b.run(ScalarOp::SubI, {widen(x), widen(inputPoint)});
        x = scaled(x, scale(op.getMultiplier()), scale(op.getShift()),
                   twice && op.getScale32(), op, e);
        x = b.run(ScalarOp::AddI, {x, widen(outputPoint)});
        int64_t top = (int64_t(1) << (to.width() - 1)) - 1;
        x = b.run(ScalarOp::MaxSI, {x, b.integer(-top - 1)});
        x = b.run(ScalarOp::MinSI, {x, b.integer(top)});
        return e.apply(ScalarOp::TruncI, {}, to, {x}, op);
      });
  if (failed(result))
    return failure();
  e.define(op, std::move(*result));
  return success();
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static LogicalResult encodeReciprocal(tosa::ReciprocalOp op, Encoder &e) {
  return stretched(op, op->getOperands(), e,
                   [&](ArrayRef<Element> x, ScalarType type) {
                     Build b{e, op, type};
                     return b.run(ScalarOp::DivF, {b.real(1.0), x[0]});
                   });
}

/// 1 / (1 + exp(-x)).
static LogicalResult encodeSigmoid(tosa::SigmoidOp op, Encoder &e) {
  return stretched(
      op, op->getOperands(), e, [&](ArrayRef<Element> x, ScalarType type) {
        Build b{e, op, type};
        Element power = b.run(ScalarOp::Exp, {b.run(ScalarOp::NegF, x)});
        Element one = b.real(1.0);
        return b.run(ScalarOp::DivF,
                     {one, b.run(ScalarOp::AddF, {one, power})});
      });
}

/// To nearest, ties to even, then saturated. NaN has no integer: poison.
static Element toInteger(Element x, ScalarType type, Operation *op,
                         Encoder &e) {
  ScalarType from = x.value->type();
  Build real{e, op, from}, whole{e, op, type};
  Element rounded = real.run(ScalarOp::RoundEven, {x});
  double edge = std::ldexp(1.0, type.width() - 1);
  Element top = e.defined(e.terms().mkConst(
              type, llvm::APInt::getSignedMaxValue(type.width()))),
          bottom = e.defined(e.terms().mkConst(
              type, llvm::APInt::getSignedMinValue(type.width())));
  Element number = whole.run(ScalarOp::FPToSI, {rounded});
  number = whole.select(
      real.compare(true, /*olt*/ 4, rounded, real.real(-edge)), bottom, number);
  return whole.select(real.compare(true, /*oge*/ 3, rounded, real.real(edge)),
                      top, number);
}

static Element converted(Element x, ScalarType to, Operation *op, Encoder &e) {
  ScalarType from = x.value->type();
  Build b{e, op, to}, source{e, op, from};
  if (from == to)
    return x;
  if (to.isBoolean()) {
    Element zero = from.isFloat() ? source.real(0.0) : source.integer(0);
    return source.compare(from.isFloat(), from.isFloat() ? /*une*/ 13 : 1, x,
                          zero);
  }
  if (from.isFloat() && to.isFloat())
    return b.run(from.width() < to.width() ? ScalarOp::ExtF : ScalarOp::TruncF,
                 {x});
  if (from.isFloat())
    return toInteger(x, to, op, e);
  if (to.isFloat())
    return b.run(from.isBoolean() ? ScalarOp::UIToFP : ScalarOp::SIToFP, {x});
  if (from.width() > to.width())
    return b.run(ScalarOp::TruncI, {x});
  return b.run(from.isBoolean() ? ScalarOp::ExtUI : ScalarOp::ExtSI, {x});
}

static LogicalResult encodeCast(tosa::CastOp op, Encoder &e) {
  ScalarType from = e.tensor(op.getInput()).type;
  ScalarType to = *e.scalarType(op.getType());
  if (from != to && from.isFloat() && to.isFloat() &&
      from.width() == to.width())
    return e.unsupported(op, "a cast between floats of one width has no "
                             "encoding");
  bool small = llvm::is_contained({16u, 32u, 64u}, from.width());
  if (from.isFloat() && !to.isFloat() && !to.isBoolean() &&
      (!small || to.width() > 32 || (from.width() == 16 && to.width() > 16)))
    return e.unsupported(op, "this cast to integers has no encoding");
  return stretched(op, op->getOperands(), e,
                   [&](ArrayRef<Element> x, ScalarType type) {
                     return converted(x[0], type, op, e);
                   });
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

void tv::populateTosaEncodings(OpEncodings &t) {
  using S = ScalarOp;
  t.on(encodeEither<tosa::AbsOp, S::AbsF, S::AbsI, 0, 0>);
  t.on(encodeEither<tosa::AddOp, S::AddF, S::AddI, 0, 0>);
  t.on(encodeArithmeticShift);
  t.on(encodeOne<tosa::BitwiseAndOp, S::AndI>);
  t.on(encodeBitwiseNot);
  t.on(encodeOne<tosa::BitwiseOrOp, S::OrI>);
  t.on(encodeOne<tosa::BitwiseXorOp, S::XOrI>);
  t.on(encodeCast);
  t.on(encodeOne<tosa::CeilOp, S::Ceil>);
  t.on(encodeClamp);
  t.on(encodeOne<tosa::ClzOp, S::CtLz>);
  t.on(encodeOne<tosa::CosOp, S::Cos>);
  t.on(encodeEither<tosa::EqualOp, S::CmpF, S::CmpI, 1, 0>);
  t.on(encodeOne<tosa::ErfOp, S::Erf>);
  t.on(encodeOne<tosa::ExpOp, S::Exp>);
  t.on(encodeOne<tosa::FloorOp, S::Floor>);
  t.on(encodeEither<tosa::GreaterEqualOp, S::CmpF, S::CmpI, 3, 5>);
  t.on(encodeEither<tosa::GreaterOp, S::CmpF, S::CmpI, 2, 4>);
  t.on(encodeOne<tosa::IntDivOp, S::DivSI>);
  t.on(encodeOne<tosa::LogOp, S::Log>);
  t.on(encodeOne<tosa::LogicalAndOp, S::AndI>);
  t.on(encodeOne<tosa::LogicalLeftShiftOp, S::ShLI>);
  t.on(encodeLogicalNot);
  t.on(encodeOne<tosa::LogicalOrOp, S::OrI>);
  t.on(encodeOne<tosa::LogicalRightShiftOp, S::ShRUI>);
  t.on(encodeOne<tosa::LogicalXorOp, S::XOrI>);
  t.on(encodeExtremum<tosa::MaximumOp, S::MaximumF, S::MaxSI>);
  t.on(encodeExtremum<tosa::MinimumOp, S::MinimumF, S::MinSI>);
  t.on(encodeMul);
  t.on(encodeNegate);
  t.on(encodeOne<tosa::PowOp, S::PowF>);
  t.on(encodeReciprocal);
  t.on(encodeRescale);
  t.on(encodeOne<tosa::RsqrtOp, S::Rsqrt>);
  t.on(encodeOne<tosa::SelectOp, S::Select>);
  t.on(encodeSigmoid);
  t.on(encodeOne<tosa::SinOp, S::Sin>);
  t.on(encodeEither<tosa::SubOp, S::SubF, S::SubI, 0, 0>);
  t.on(encodeOne<tosa::TanhOp, S::TanH>);
  populateTosaStructureEncodings(t);
  populateTosaWindowEncodings(t);
}
