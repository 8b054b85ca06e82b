//===- InterpArith.cpp - Execution of arith, math, ub, affine.apply -------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "ScalarFast.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

//===----------------------------------------------------------------------===//
// One scalar operation on marked elements
//===----------------------------------------------------------------------===//

std::optional<ConcreteElement>
Executor::scalarOp(Operation *op, const ScalarMapping &mapping,
                   ScalarType resultType, ArrayRef<ScalarType> operandTypes,
                   ArrayRef<ConcreteElement> operands) {
  SmallVector<ScalarValue, 3> values;
  bool openOperand = false;
  for (const ConcreteElement &operand : operands) {
    values.push_back({operand.bits, operand.isPoison()});
    openOperand |= operand.isOpen();
  }
  ScalarResult result =
      evalScalar(mapping.op, mapping.attrs, resultType, operandTypes, values);
  if (result.ub) {
    undefined(op, result.ub);
    return std::nullopt;
  }
  // Another choice of an open divisor could be zero.
  if (options.isSource && openOperand && canBeUndefined(mapping.op)) {
    undefined(op, "a divisor depends on unspecified contents");
    return std::nullopt;
  }
  uint8_t marks =
      marksOf(op, mapping, resultType, operandTypes, operands, result.value);
  return ConcreteElement{result.value.bits, marks};
}

/// True for integers so small that sums and products of many are exact in any
/// order.
static bool isSmallInteger(ScalarType type, const llvm::APInt &bits) {
  APFloat value(type.fltSemantics(), bits);
  if (!value.isFinite() || !value.isInteger())
    return false;
  unsigned precision = APFloat::semanticsPrecision(type.fltSemantics());
  return value.isZero() || ilogb(value) < int(precision / 3);
}

static bool isZero(ScalarType type, const llvm::APInt &bits) {
  return type.isFloat() && APFloat(type.fltSemantics(), bits).isZero();
}

/// True if an operand of `op` is computed by an operation with the flag.
static bool operandHasFlag(Operation *op, arith::FastMathFlags flag) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    auto producer = operand.getDefiningOp<arith::ArithFastMathInterface>();
    return producer && producer.getFastMathFlagsAttr() &&
           bitEnumContainsAny(producer.getFastMathFlagsAttr().getValue(), flag);
  });
}

/// Whether the operation's flags allow another result than the computed one.
static bool leavesChoice(Operation *op, const ScalarMapping &mapping,
                         ScalarType resultType,
                         ArrayRef<ScalarType> operandTypes,
                         ArrayRef<ConcreteElement> operands,
                         const ScalarValue &result) {
  ScalarType type = operandTypes[0];
  if (mapping.op == ScalarOp::MaxNumF || mapping.op == ScalarOp::MinNumF)
    if (isZero(type, operands[0].bits) && isZero(type, operands[1].bits) &&
        operands[0].bits != operands[1].bits)
      return true;
  // The bits of an arithmetic NaN are any NaN's where they are read.
  if (mapping.op == ScalarOp::Bitcast && isNaN(type, operands[0].bits))
    return operands[0].bits == canonicalNaN(type);
  if (mapping.op == ScalarOp::CopySign && isNaN(type, operands[1].bits) &&
      operands[1].bits == canonicalNaN(type))
    return true;
  uint8_t flags = mapping.attrs.fastMath;
  if (!flags)
    return false;
  bool zeroOperand =
      llvm::any_of(llvm::zip(operandTypes, operands), [](auto p) {
        return isZero(std::get<0>(p), std::get<1>(p).bits);
      });
  switch (mapping.op) {
  case ScalarOp::DivF:
  case ScalarOp::CopySign:
  case ScalarOp::ATan2:
  case ScalarOp::PowF:
    if ((flags & FMF_nsz) && zeroOperand)
      return true;
    break;
  default:
    break;
  }
  if ((flags & FMF_nsz) && isZero(resultType, result.bits))
    return true;
  if ((flags & FMF_afn) && scalarOpClass(mapping.op) == ScalarOpClass::OPAQUE)
    return true;
  if ((flags & FMF_arcp) && mapping.op == ScalarOp::DivF)
    return true;
  if ((flags & FMF_contract) &&
      operandHasFlag(op, arith::FastMathFlags::contract))
    return true;
  bool associative =
      mapping.op == ScalarOp::AddF || mapping.op == ScalarOp::SubF ||
      mapping.op == ScalarOp::MulF || mapping.op == ScalarOp::DivF;
  if (!(flags & FMF_reassoc) || !associative)
    return false;
  return !llvm::all_of(operands, [&](const ConcreteElement &operand) {
    return isSmallInteger(type, operand.bits);
  });
}

uint8_t interp::marksOf(Operation *op, const ScalarMapping &mapping,
                        ScalarType resultType,
                        ArrayRef<ScalarType> operandTypes,
                        ArrayRef<ConcreteElement> operands,
                        const ScalarValue &result) {
  if (mapping.op == ScalarOp::Select && !operands[0].marks)
    return operands[operands[0].bits.isZero() ? 2 : 1].marks |
           (result.poison ? EM_poison : EM_none);
  uint8_t marks = EM_none;
  for (const ConcreteElement &operand : operands)
    marks |= operand.marks & ~EM_poison;
  if (result.poison)
    return marks | EM_poison;
  // x·0, x & 0 and x | -1 are what they are, whatever x holds.
  for (const ConcreteElement &operand : operands) {
    if (operand.isOpen())
      continue;
    if ((mapping.op == ScalarOp::MulI || mapping.op == ScalarOp::AndI) &&
        operand.bits.isZero() && !mapping.attrs.intFlags)
      marks &= ~EM_open;
    if (mapping.op == ScalarOp::OrI && operand.bits.isAllOnes())
      marks &= ~EM_open;
  }
  if (scalarOpClass(mapping.op) == ScalarOpClass::OPAQUE &&
      mapping.op != ScalarOp::RemF)
    marks |= EM_library;
  bool anyPoison = llvm::any_of(operands, [](const ConcreteElement &operand) {
    return operand.isPoison();
  });
  if (!anyPoison &&
      leavesChoice(op, mapping, resultType, operandTypes, operands, result))
    marks |= EM_open;
  return marks;
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

/// All elements by the fast function, when nothing is marked.
static bool tryFast(const ScalarMapping &mapping,
                    ArrayRef<const ConcreteValue *> operands,
                    ArrayRef<ScalarType> types, ConcreteValue &result) {
  FastFunction fast = lookupFast(mapping, result.type(), types);
  if (!fast)
    return false;
  for (const ConcreteValue *operand : operands)
    if (operand->hasMarks())
      return false;
  uint64_t words[3] = {};
  for (int64_t i = 0; i < result.size(); ++i) {
    for (auto [k, operand] : llvm::enumerate(operands))
      words[k] = operand->word(operand->isScalar() ? 0 : i);
    result.setWord(i, fast(words, types[0].width(), mapping.attrs.predicate));
  }
  return true;
}

static Did mapElements(Executor &e, Operation *op, Value result,
                       const ScalarMapping &mapping) {
  std::optional<ScalarType> resultType = e.elementType(result.getType());
  if (!resultType)
    return e.unsupported(op, "an element type without execution");
  SmallVector<const ConcreteValue *, 3> operands;
  SmallVector<ScalarType, 3> types;
  ArrayRef<int64_t> shape;
  bool isScalar = !isa<ShapedType>(result.getType());
  for (Value operand : op->getOperands()) {
    operands.push_back(&e.get(operand));
    types.push_back(operands.back()->type());
    if (operands.back()->isScalar())
      continue;
    if (!shape.empty() && shape != operands.back()->shape())
      return e.undefined(op, "operands of different shapes");
    shape = operands.back()->shape();
  }
  if (!e.allocate(op, *resultType, shape))
    return Did::Failed;
  ConcreteValue value(*resultType, shape, isScalar);
  if (tryFast(mapping, operands, types, value))
    return e.define(result, std::move(value));
  SmallVector<ConcreteElement, 3> elements(operands.size());
  for (int64_t i = 0; i < value.size(); ++i) {
    for (auto [k, operand] : llvm::enumerate(operands))
      elements[k] = operand->get(operand->isScalar() ? 0 : i);
    std::optional<ConcreteElement> element =
        e.scalarOp(op, mapping, *resultType, types, elements);
    if (!element)
      return Did::Failed;
    value.set(i, *element);
  }
  return e.define(result, std::move(value));
}

/// clampf(x, lo, hi) = max(min(x, hi), lo), NaN left open by the definition.
static Did executeClamp(Executor &e, math::ClampFOp op) {
  const ConcreteValue &x = e.get(op.getValue());
  const ConcreteValue &lo = e.get(op.getMin()), &hi = e.get(op.getMax());
  ScalarAttrs attrs;
  attrs.fastMath = static_cast<uint8_t>(op.getFastmath());
  ConcreteValue value = x;
  ScalarType types[] = {x.type(), x.type()};
  for (int64_t i = 0; i < value.size(); ++i) {
    std::optional<ConcreteElement> low =
        e.scalarOp(op, {ScalarOp::MinimumF, attrs}, x.type(), types,
                   {x.get(i), hi.get(i)});
    std::optional<ConcreteElement> both = e.scalarOp(
        op, {ScalarOp::MaximumF, attrs}, x.type(), types, {*low, lo.get(i)});
    if (isNaN(x.type(), both->bits))
      both->marks |= EM_open;
    value.set(i, *both);
  }
  return e.define(op.getResult(), std::move(value));
}

//===----------------------------------------------------------------------===//
// Constants, poison, affine maps
//===----------------------------------------------------------------------===//

static Did executePoison(Executor &e, ub::PoisonOp op) {
  std::optional<ScalarType> type = e.elementType(op.getType());
  auto shaped = dyn_cast<ShapedType>(op.getType());
  if (!type || (shaped && !shaped.hasStaticShape()))
    return e.unsupported(op, "poison of a type without execution");
  ConcreteValue value(*type, shaped ? shaped.getShape() : ArrayRef<int64_t>(),
                      !shaped);
  for (int64_t i = 0; i < value.size(); ++i)
    value.setMarks(i, EM_poison);
  return e.define(op.getResult(), std::move(value));
}

static Did executeConstant(Executor &e, arith::ConstantOp op) {
  std::optional<ConcreteValue> value =
      ConcreteValue::fromAttribute(op.getValue(), e.options.indexWidth);
  if (!value)
    return e.unsupported(op, "a constant whose elements cannot be read");
  return e.define(op.getResult(), std::move(*value));
}

std::optional<SmallVector<int64_t>> interp::evaluateMap(Executor &e,
                                                        Operation *op,
                                                        AffineMap map,
                                                        ValueRange operands) {
  SmallVector<Attribute> constants;
  for (Value operand : operands) {
    std::optional<int64_t> number = e.index(op, operand);
    if (!number)
      return std::nullopt;
    constants.push_back(
        IntegerAttr::get(IndexType::get(op->getContext()), *number));
  }
  SmallVector<Attribute> results;
  bool poison = false;
  bool folded = succeeded(map.constantFold(constants, results, &poison));
  if (poison) {
    e.undefined(op, "an affine division by a number that is not positive");
    return std::nullopt;
  }
  if (!folded) {
    e.unsupported(op, "an affine map that wraps around");
    return std::nullopt;
  }
  SmallVector<int64_t> numbers;
  for (Attribute result : results)
    numbers.push_back(cast<IntegerAttr>(result).getInt());
  return numbers;
}

/// Does a poison operand reach a result of the map other than as a divisor?
static bool isPoisoned(Executor &e, Operation *op, AffineMap map) {
  bool poisoned = false, divides = false;
  auto isPoison = [&](AffineExpr expr) {
    unsigned position = map.getNumDims() + map.getNumSymbols();
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      position = dim.getPosition();
    else if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      position = map.getNumDims() + symbol.getPosition();
    return position < op->getNumOperands() &&
           (e.get(op->getOperand(position)).marks(0) & EM_poison);
  };
  map.walkExprs([&](AffineExpr expr) {
    poisoned |= isPoison(expr);
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (binary && expr.getKind() != AffineExprKind::Add &&
        expr.getKind() != AffineExprKind::Mul)
      divides |= isPoison(binary.getRHS());
  });
  return poisoned && !divides;
}

static Did executeAffine(Executor &e, Operation *op, AffineMap map) {
  ScalarType index = ScalarType::index(e.options.indexWidth);
  if (isPoisoned(e, op, map))
    return e.define(op->getResult(0),
                    ConcreteValue::scalar(
                        index, {llvm::APInt(index.width(), 0), EM_poison}));
  std::optional<SmallVector<int64_t>> numbers =
      evaluateMap(e, op, map, op->getOperands());
  if (!numbers)
    return Did::Failed;
  int64_t number = isa<affine::AffineMaxOp>(op)
                       ? *std::max_element(numbers->begin(), numbers->end())
                       : *std::min_element(numbers->begin(), numbers->end());
  return e.define(
      op->getResult(0),
      ConcreteValue::scalar(ScalarType::index(e.options.indexWidth), number));
}

bool interp::knowsArith(Operation *op) {
  if (isa<arith::ConstantOp, ub::PoisonOp, ub::UnreachableOp, math::ClampFOp,
          affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op))
    return true;
  return op->getNumResults() > 0 && mapScalarOp(op).has_value();
}

Did interp::executeArith(Executor &e, Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return executeConstant(e, constant);
  if (auto poison = dyn_cast<ub::PoisonOp>(op))
    return executePoison(e, poison);
  if (auto clamp = dyn_cast<math::ClampFOp>(op))
    return executeClamp(e, clamp);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return executeAffine(e, op, apply.getAffineMap());
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return executeAffine(e, op, min.getMap());
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return executeAffine(e, op, max.getMap());
  if (op->getNumResults() == 0)
    return Did::NotMine;
  Did did = Did::NotMine;
  for (OpResult result : op->getResults()) {
    std::optional<ScalarMapping> mapping =
        mapScalarOp(op, result.getResultNumber());
    if (!mapping)
      return Did::NotMine;
    did = mapElements(e, op, result, *mapping);
    if (did != Did::Done)
      return did;
  }
  return did;
}
