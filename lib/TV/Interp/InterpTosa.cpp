//===- InterpTosa.cpp - Execution of elementwise tosa ---------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpTosa.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

ConcreteElement TosaScalars::run(ScalarOp scalar, ScalarType result,
                                 ArrayRef<Typed> operands, uint8_t predicate) {
  SmallVector<ScalarType, 3> types;
  SmallVector<ConcreteElement, 3> elements;
  for (const Typed &operand : operands) {
    types.push_back(operand.type);
    elements.push_back(operand.element);
  }
  ScalarMapping mapping{scalar, {}};
  mapping.attrs.predicate = predicate;
  std::optional<ConcreteElement> value =
      failed ? std::nullopt : e.scalarOp(op, mapping, result, types, elements);
  failed |= !value;
  return value.value_or(ConcreteElement{llvm::APInt(result.width(), 0)});
}

Typed TosaScalars::real(ScalarType type, double value) {
  APFloat number(value);
  bool lossy;
  number.convert(type.fltSemantics(), APFloat::rmNearestTiesToEven, &lossy);
  return {type, {number.bitcastToAPInt()}};
}

namespace {
using Operands = ArrayRef<Typed>;

/// What one element of each operand gives.
class Elementwise {
public:
  Elementwise(Executor &e, Operation *op, ScalarType type)
      : op(op), s(e, op), type(type) {}
  std::optional<ConcreteElement> apply(Operands x);
  bool failed() const { return s.failed; }

private:
  ConcreteElement either(Operands x, ScalarOp real, ScalarOp integer) {
    return s.run(x[0].type.isFloat() ? real : integer, type, x);
  }
  ConcreteElement compare(Operands x, uint8_t real, uint8_t integer) {
    bool isReal = x[0].type.isFloat();
    return s.run(isReal ? ScalarOp::CmpF : ScalarOp::CmpI, type, x,
                 isReal ? real : integer);
  }
  std::optional<ScalarOp> plain();
  ConcreteElement extremum(Operands x, bool max, bool ignore);
  ConcreteElement clamp(Typed x, tosa::ClampOp clamp);
  ConcreteElement shiftRight(Operands x, bool round);
  ConcreteElement multiply(Operands x);
  ConcreteElement convert(Typed x);
  ConcreteElement toInteger(Typed x);

  Operation *op;
  TosaScalars s;
  ScalarType type;
};
} // namespace

/// Operations that are one scalar operation whatever the type.
std::optional<ScalarOp> Elementwise::plain() {
  return llvm::TypeSwitch<Operation *, std::optional<ScalarOp>>(op)
      .Case([](tosa::BitwiseAndOp) { return ScalarOp::AndI; })
      .Case([](tosa::BitwiseOrOp) { return ScalarOp::OrI; })
      .Case([](tosa::BitwiseXorOp) { return ScalarOp::XOrI; })
      .Case([](tosa::LogicalAndOp) { return ScalarOp::AndI; })
      .Case([](tosa::LogicalOrOp) { return ScalarOp::OrI; })
      .Case([](tosa::LogicalXorOp) { return ScalarOp::XOrI; })
      .Case([](tosa::LogicalLeftShiftOp) { return ScalarOp::ShLI; })
      .Case([](tosa::LogicalRightShiftOp) { return ScalarOp::ShRUI; })
      .Case([](tosa::IntDivOp) { return ScalarOp::DivSI; })
      .Case([](tosa::ClzOp) { return ScalarOp::CtLz; })
      .Case([](tosa::CeilOp) { return ScalarOp::Ceil; })
      .Case([](tosa::FloorOp) { return ScalarOp::Floor; })
      .Case([](tosa::CosOp) { return ScalarOp::Cos; })
      .Case([](tosa::SinOp) { return ScalarOp::Sin; })
      .Case([](tosa::ErfOp) { return ScalarOp::Erf; })
      .Case([](tosa::ExpOp) { return ScalarOp::Exp; })
      .Case([](tosa::LogOp) { return ScalarOp::Log; })
      .Case([](tosa::PowOp) { return ScalarOp::PowF; })
      .Case([](tosa::RsqrtOp) { return ScalarOp::Rsqrt; })
      .Case([](tosa::TanhOp) { return ScalarOp::TanH; })
      .Case([](tosa::SelectOp) { return ScalarOp::Select; })
      .Default(std::nullopt);
}

ConcreteElement Elementwise::extremum(Operands x, bool max, bool ignore) {
  if (!type.isFloat())
    return s.run(max ? ScalarOp::MaxSI : ScalarOp::MinSI, type, x);
  // Poison comes first: it is in the result of the operation as it is.
  bool poison = x[0].element.isPoison() || x[1].element.isPoison();
  if (ignore && !poison)
    for (unsigned i : {0, 1})
      if (isNaN(type, x[i].element.bits)) {
        ConcreteElement other = x[1 - i].element;
        other.marks |= x[i].element.marks;
        return other;
      }
  return s.run(max ? ScalarOp::MaximumF : ScalarOp::MinimumF, type, x);
}

ConcreteElement Elementwise::clamp(Typed x, tosa::ClampOp clamp) {
  auto bound = [&](Attribute attr) {
    llvm::APInt bits =
        type.isFloat()
            ? cast<FloatAttr>(attr).getValue().bitcastToAPInt()
            : cast<IntegerAttr>(attr).getValue().sextOrTrunc(type.width());
    return Typed{type, {bits}};
  };
  Typed low = bound(clamp.getMinValAttr()), high = bound(clamp.getMaxValAttr());
  if (type.isFloat() && !x.element.isPoison() && isNaN(type, x.element.bits) &&
      clamp.getNanMode() == tosa::NanPropagationMode::IGNORE) {
    low.element.marks |= x.element.marks;
    return low.element;
  }
  Typed raised{type, either({x, low}, ScalarOp::MaximumF, ScalarOp::MaxSI)};
  return either({raised, high}, ScalarOp::MinimumF, ScalarOp::MinSI);
}

/// Rounding adds one half of the last place: the last bit shifted out.
ConcreteElement Elementwise::shiftRight(Operands x, bool round) {
  ConcreteElement result = s.run(ScalarOp::ShRSI, type, x);
  const llvm::APInt &by = x[1].element.bits;
  if (!round || result.isPoison() || !by.isStrictlyPositive())
    return result;
  uint64_t last = by.getZExtValue() - 1;
  if (x[0].element.bits[last])
    ++result.bits;
  return result;
}

ConcreteElement Elementwise::multiply(Operands x) {
  if (type.isFloat())
    return s.run(ScalarOp::MulF, type, {x[0], x[1]});
  ConcreteElement shift = x[2].element;
  uint8_t marks = x[0].element.marks | x[1].element.marks | shift.marks;
  unsigned wide = 2 * std::max(64u, type.width());
  llvm::APInt product =
      x[0].element.bits.sext(wide) * x[1].element.bits.sext(wide);
  int64_t by = shift.bits.getSExtValue();
  bool isPoison = (marks & EM_poison) || by < 0 || by > 63;
  if (isPoison)
    return {llvm::APInt(type.width(), 0), uint8_t(marks | EM_poison)};
  if (by > 0) {
    product += llvm::APInt::getOneBitSet(wide, by - 1);
    product.ashrInPlace(by);
  }
  return {product.trunc(type.width()), marks};
}

ConcreteElement Elementwise::toInteger(Typed x) {
  ConcreteElement rounded = s.run(ScalarOp::RoundEven, x.type, {x});
  if (rounded.isPoison())
    return {llvm::APInt(type.width(), 0), rounded.marks};
  APFloat value(x.type.fltSemantics(), rounded.bits);
  uint8_t poison = value.isNaN() ? EM_poison : EM_none;
  llvm::APSInt whole(type.width(), /*isUnsigned=*/false);
  bool exact;
  value.convertToInteger(whole, APFloat::rmTowardZero, &exact); // saturates
  if (poison)
    whole = 0;
  return {whole, uint8_t(rounded.marks | poison)};
}

ConcreteElement Elementwise::convert(Typed x) {
  if (x.type == type)
    return x.element;
  if (type.isBoolean())
    return s.run(x.type.isFloat() ? ScalarOp::CmpF : ScalarOp::CmpI, type,
                 {x, {x.type, {llvm::APInt(x.type.width(), 0)}}},
                 x.type.isFloat() ? 13 : 1);
  if (x.type.isFloat() && type.isFloat())
    return s.run(x.type.width() < type.width() ? ScalarOp::ExtF
                                               : ScalarOp::TruncF,
                 type, {x});
  if (x.type.isFloat())
    return toInteger(x);
  bool isTruth = x.type.isBoolean();
  if (type.isFloat())
    return s.run(isTruth ? ScalarOp::UIToFP : ScalarOp::SIToFP, type, {x});
  if (x.type.width() > type.width())
    return s.run(ScalarOp::TruncI, type, {x});
  return s.run(isTruth ? ScalarOp::ExtUI : ScalarOp::ExtSI, type, {x});
}

std::optional<ConcreteElement> Elementwise::apply(Operands x) {
  if (std::optional<ScalarOp> scalar = plain())
    return s.run(*scalar, type, x);
  if (isa<tosa::AddOp>(op))
    return either(x, ScalarOp::AddF, ScalarOp::AddI);
  if (isa<tosa::SubOp>(op))
    return either(x, ScalarOp::SubF, ScalarOp::SubI);
  if (isa<tosa::AbsOp>(op))
    return either(x, ScalarOp::AbsF, ScalarOp::AbsI);
  if (isa<tosa::EqualOp>(op))
    return compare(x, 1, 0);
  if (isa<tosa::GreaterOp>(op))
    return compare(x, 2, 4);
  if (isa<tosa::GreaterEqualOp>(op))
    return compare(x, 3, 5);
  using Mode = tosa::NanPropagationMode;
  if (auto max = dyn_cast<tosa::MaximumOp>(op))
    return extremum(x, true, max.getNanMode() == Mode::IGNORE);
  if (auto min = dyn_cast<tosa::MinimumOp>(op))
    return extremum(x, false, min.getNanMode() == Mode::IGNORE);
  if (auto clamped = dyn_cast<tosa::ClampOp>(op))
    return clamp(x[0], clamped);
  if (auto shift = dyn_cast<tosa::ArithmeticRightShiftOp>(op))
    return shiftRight(x, shift.getRound());
  if (isa<tosa::MulOp>(op))
    return multiply(x);
  if (isa<tosa::CastOp>(op))
    return convert(x[0]);
  if (isa<tosa::BitwiseNotOp, tosa::LogicalNotOp>(op))
    return s.run(ScalarOp::XOrI, type,
                 {x[0], {type, {llvm::APInt::getAllOnes(type.width())}}});
  if (isa<tosa::NegateOp>(op)) {
    if (type.isFloat())
      return s.run(ScalarOp::NegF, type, {x[0]});
    return s.run(ScalarOp::SubI, type,
                 {{type, {llvm::APInt(type.width(), 0)}}, x[0]});
  }
  if (!type.isFloat())
    return std::nullopt;
  Typed one = s.real(type, 1.0);
  if (isa<tosa::ReciprocalOp>(op))
    return s.run(ScalarOp::DivF, type, {one, x[0]});
  if (isa<tosa::SigmoidOp>(op)) {
    Typed negated{type, s.run(ScalarOp::NegF, type, {x[0]})};
    Typed power{type, s.run(ScalarOp::Exp, type, {negated})};
    Typed sum{type, s.run(ScalarOp::AddF, type, {one, power})};
    return s.run(ScalarOp::DivF, type, {one, sum});
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// All elements
//===----------------------------------------------------------------------===//

/// True if the operation is elementwise, but for operands that hold one scalar
/// for all elements.
static bool isElementwise(Operation *op) {
  return isa<tosa::AbsOp, tosa::AddOp, tosa::ArithmeticRightShiftOp,
             tosa::BitwiseAndOp, tosa::BitwiseNotOp, tosa::BitwiseOrOp,
             tosa::BitwiseXorOp, tosa::CastOp, tosa::CeilOp, tosa::ClampOp,
             tosa::ClzOp, tosa::CosOp, tosa::EqualOp, tosa::ErfOp, tosa::ExpOp,
             tosa::FloorOp, tosa::GreaterEqualOp, tosa::GreaterOp,
             tosa::IntDivOp, tosa::LogOp, tosa::LogicalAndOp,
             tosa::LogicalLeftShiftOp, tosa::LogicalNotOp, tosa::LogicalOrOp,
             tosa::LogicalRightShiftOp, tosa::LogicalXorOp, tosa::MaximumOp,
             tosa::MinimumOp, tosa::MulOp, tosa::NegateOp, tosa::PowOp,
             tosa::ReciprocalOp, tosa::RsqrtOp, tosa::SelectOp, tosa::SigmoidOp,
             tosa::SinOp, tosa::SubOp, tosa::TanhOp>(op);
}

static bool isZero(const ConcreteValue &value) {
  return value.size() == 1 && value.get(0).bits.isZero() && !value.marks(0);
}

static Did executeElementwise(Executor &e, Operation *op) {
  std::optional<ScalarType> type = e.elementType(op->getResult(0).getType());
  auto isUnsigned = [](Value v) {
    return getElementTypeOrSelf(v).isUnsignedInteger();
  };
  if (!type || llvm::any_of(op->getOperands(), isUnsigned))
    return e.unsupported(op, "an element type without execution");
  if (isa<tosa::NegateOp>(op) &&
      (!isZero(e.get(op->getOperand(1))) || !isZero(e.get(op->getOperand(2)))))
    return e.unsupported(op, "zero points other than 0");
  if (isa<tosa::MulOp>(op) && e.get(op->getOperand(0)).type().width() != 32 &&
      !isZero(e.get(op->getOperand(2))))
    return e.unsupported(op, "a shift of a product that is not i32");
  unsigned stretching = isa<tosa::NegateOp>(op) ? 1
                        : isa<tosa::MulOp>(op)  ? 2
                                                : op->getNumOperands();
  SmallVector<int64_t> shape;
  for (Value operand : op->getOperands().take_front(stretching)) {
    ArrayRef<int64_t> sizes = e.get(operand).shape();
    if (shape.empty())
      shape.append(sizes.begin(), sizes.end());
    for (auto [have, size] : llvm::zip(shape, sizes)) {
      if (have != size && have != 1 && size != 1)
        return e.undefined(op, "operands of different sizes");
      have = have == 1 ? size : have;
    }
  }
  if (!e.allocate(op, *type, shape))
    return Did::Failed;
  ConcreteValue value(*type, shape);
  Elementwise elementwise(e, op, *type);
  int64_t position = 0;
  bool known = true;
  forEachIndex(shape, [&](ArrayRef<int64_t> at) {
    SmallVector<Typed, 3> x;
    for (Value operand : op->getOperands()) {
      const ConcreteValue &source = e.get(operand);
      if (source.size() == 1) {
        x.push_back({source.type(), source.get(0)});
        continue;
      }
      SmallVector<int64_t> from(at.take_back(source.rank()));
      for (auto [index, size] : llvm::zip(from, source.shape()))
        if (size == 1)
          index = 0;
      x.push_back({source.type(),
                   source.get(linearize(
                       from, ConcreteValue::stridesOf(source.shape())))});
    }
    std::optional<ConcreteElement> element = elementwise.apply(x);
    known &= element.has_value();
    if (element && !elementwise.failed())
      value.set(position++, *element);
  });
  if (!known)
    return e.unsupported(op, "no execution of this operation");
  return elementwise.failed() ? Did::Failed
                              : e.define(op->getResult(0), std::move(value));
}

bool interp::knowsTosa(Operation *op) {
  return isElementwise(op) || knowsTosaStructure(op) || knowsTosaWindow(op);
}

Did interp::executeTosa(Executor &e, Operation *op) {
  if (!isa_and_present<tosa::TosaDialect>(op->getDialect()))
    return Did::NotMine;
  if (isElementwise(op))
    return executeElementwise(e, op);
  return knowsTosaWindow(op) ? executeTosaWindow(e, op)
                             : executeTosaStructure(e, op);
}
