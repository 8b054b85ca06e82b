//===- OpsBinary.cpp - Elementwise operators of several operands ---------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::import;

/// The scalar meaning of an operator on two values of one type.
using BinaryFn = Value (*)(OpBuilder &b, Location loc, Value x, Value y,
                           DType type);

/// One generic over operands that are tensors or numbers. `compute` is the type
/// in which `fn` sees them; numbers become constants in its body.
static void bindElementwise(
    NodeLowering &op, ArrayRef<Operand> operands, ArrayRef<DType> compute,
    llvm::function_ref<Value(OpBuilder &, Location, ArrayRef<Value>)> fn) {
  if (!op.ok())
    return;
  TensorBuilder::Shape shape = op.resultShape();
  SmallVector<Value> tensors;
  for (const Operand &operand : operands) {
    if (!operand.isTensor())
      continue;
    TensorBuilder::Shape from = TensorBuilder::shapeOf(operand.value);
    bool fits = from.size() <= shape.size();
    for (size_t i = 0; fits && i < from.size(); ++i) {
      int64_t target = shape[shape.size() - from.size() + i];
      fits = from[i] == target || from[i] == 1;
    }
    if (!op.require(fits, "its operands cannot be broadcast to its result"))
      return;
    tensors.push_back(operand.value);
  }
  MLIRContext *context = op.b.b.getContext();
  op.bind(op.b.elementwise(
      tensors, shape, op.resultType().getElementType(),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> scalars;
        unsigned next = 0;
        for (auto [operand, type] : llvm::zip_equal(operands, compute)) {
          if (operand.isTensor())
            scalars.push_back(
                castScalar(b, loc, args[next++], operand.dtype, type));
          else
            scalars.push_back(TensorBuilder(b, loc).scalar(
                elementType(context, type),
                type == DType::Bool ? operand.number != 0.0 : operand.number));
        }
        return fn(b, loc, scalars);
      }));
}

/// The common type of two operands, by PyTorch's rules: the higher kind (bool,
/// integer, float) wins; in one kind a tensor with dimensions beats a scalar,
/// and else the wider type.
static DType commonType(const Operand &x, const Operand &y) {
  auto kind = [](const Operand &o) {
    return isFloat(o.dtype) ? 2 : o.dtype == DType::Bool ? 0 : 1;
  };
  auto weight = [](const Operand &o) {
    return !o.isTensor() ? 0 : TensorBuilder::typeOf(o.value).getRank() ? 2 : 1;
  };
  auto typeOf = [&](const Operand &o) {
    if (!o.isTensor() && kind(o) == 2)
      return DType::F32; // a Python float has the default width
    return o.dtype;
  };
  if (kind(x) != kind(y))
    return typeOf(kind(x) > kind(y) ? x : y);
  if (weight(x) != weight(y))
    return typeOf(weight(x) > weight(y) ? x : y);
  return dtypeBytes(x.dtype) >= dtypeBytes(y.dtype) ? typeOf(x) : typeOf(y);
}

static Value addScalars(OpBuilder &b, Location loc, Value x, Value y, DType t) {
  if (isFloat(t))
    return arith::AddFOp::create(b, loc, x, y);
  if (t == DType::Bool)
    return arith::OrIOp::create(b, loc, x, y);
  return arith::AddIOp::create(b, loc, x, y);
}

static Value subScalars(OpBuilder &b, Location loc, Value x, Value y, DType t) {
  if (isFloat(t))
    return arith::SubFOp::create(b, loc, x, y);
  return arith::SubIOp::create(b, loc, x, y);
}

static Value mulScalars(OpBuilder &b, Location loc, Value x, Value y, DType t) {
  if (isFloat(t))
    return arith::MulFOp::create(b, loc, x, y);
  if (t == DType::Bool)
    return arith::AndIOp::create(b, loc, x, y);
  return arith::MulIOp::create(b, loc, x, y);
}

static Value divScalars(OpBuilder &b, Location loc, Value x, Value y, DType) {
  return arith::DivFOp::create(b, loc, x, y);
}

static Value fmodScalars(OpBuilder &b, Location loc, Value x, Value y,
                         DType t) {
  if (isFloat(t))
    return arith::RemFOp::create(b, loc, x, y);
  if (isUnsigned(t))
    return arith::RemUIOp::create(b, loc, x, y);
  return arith::RemSIOp::create(b, loc, x, y);
}

/// Python's modulo: the sign of the divisor.
static Value remainderScalars(OpBuilder &b, Location loc, Value x, Value y,
                              DType t) {
  Value r = fmodScalars(b, loc, x, y, t);
  if (isUnsigned(t))
    return r;
  Value zero = TensorBuilder(b, loc).scalar(r.getType(), 0.0), wrong, shifted;
  auto negative = [&](Value v) -> Value {
    if (isFloat(t))
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, v, zero);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, v, zero);
  };
  wrong = arith::XOrIOp::create(b, loc, negative(r), negative(y));
  Value some;
  if (isFloat(t)) {
    some = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, r, zero);
    shifted = arith::AddFOp::create(b, loc, r, y);
  } else {
    some = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, r, zero);
    shifted = arith::AddIOp::create(b, loc, r, y);
  }
  Value change = arith::AndIOp::create(b, loc, some, wrong);
  return arith::SelectOp::create(b, loc, change, shifted, r);
}

static Value atan2Scalars(OpBuilder &b, Location loc, Value x, Value y, DType) {
  return math::Atan2Op::create(b, loc, x, y);
}

static Value powScalars(OpBuilder &b, Location loc, Value x, Value y, DType) {
  return math::PowFOp::create(b, loc, x, y);
}

static Value maxScalars(OpBuilder &b, Location loc, Value x, Value y, DType t) {
  if (isFloat(t))
    return arith::MaximumFOp::create(b, loc, x, y);
  if (isUnsigned(t) || t == DType::Bool)
    return arith::MaxUIOp::create(b, loc, x, y);
  return arith::MaxSIOp::create(b, loc, x, y);
}

static Value minScalars(OpBuilder &b, Location loc, Value x, Value y, DType t) {
  if (isFloat(t))
    return arith::MinimumFOp::create(b, loc, x, y);
  if (isUnsigned(t) || t == DType::Bool)
    return arith::MinUIOp::create(b, loc, x, y);
  return arith::MinSIOp::create(b, loc, x, y);
}

static Value andScalars(OpBuilder &b, Location loc, Value x, Value y, DType) {
  return arith::AndIOp::create(b, loc, x, y);
}
static Value orScalars(OpBuilder &b, Location loc, Value x, Value y, DType) {
  return arith::OrIOp::create(b, loc, x, y);
}
static Value xorScalars(OpBuilder &b, Location loc, Value x, Value y, DType) {
  return arith::XOrIOp::create(b, loc, x, y);
}

/// Computes in the result's type.
template <BinaryFn fn, bool needsFloat>
static void lowerBinary(NodeLowering &op) {
  Operand x = op.operand("self"), y = op.operand("other");
  DType type = op.resultDType();
  if (op.ok() && needsFloat &&
      !op.require(isFloat(type), "its result is no float"))
    return;
  bindElementwise(op, {x, y}, {type, type},
                  [&](OpBuilder &b, Location loc, ArrayRef<Value> v) {
                    return fn(b, loc, v[0], v[1], type);
                  });
}

/// x + alpha * y, or x - alpha * y; `swapped`: y - alpha * x.
template <BinaryFn fn, bool swapped> static void lowerScaled(NodeLowering &op) {
  Operand x = op.operand("self"), y = op.operand("other");
  double alpha = op.number("alpha");
  DType type = op.resultDType();
  if (swapped)
    std::swap(x, y);
  bindElementwise(op, {x, y}, {type, type},
                  [&](OpBuilder &b, Location loc, ArrayRef<Value> v) {
                    Value right = v[1];
                    if (alpha != 1.0)
                      right = mulScalars(
                          b, loc, right,
                          TensorBuilder(b, loc).scalar(right.getType(), alpha),
                          type);
                    return fn(b, loc, v[0], right, type);
                  });
}

static void lowerPow(NodeLowering &op) {
  Operand x = op.operand("self"), y = op.operand("exponent");
  DType type = op.resultDType();
  if (!op.ok() || !op.require(isFloat(type), "its result is no float"))
    return;
  bindElementwise(op, {x, y}, {type, type},
                  [&](OpBuilder &b, Location loc, ArrayRef<Value> v) -> Value {
                    // The exponents that models use have exact short forms.
                    if (!y.isTensor() && y.number == 2.0)
                      return arith::MulFOp::create(b, loc, v[0], v[0]);
                    if (!y.isTensor() && y.number == 3.0) {
                      Value s = arith::MulFOp::create(b, loc, v[0], v[0]);
                      return arith::MulFOp::create(b, loc, s, v[0]);
                    }
                    if (!y.isTensor() && y.number == 0.5)
                      return math::SqrtOp::create(b, loc, v[0]);
                    return powScalars(b, loc, v[0], v[1], type);
                  });
}

/// A quotient rounded down ("floor"), towards zero ("trunc") or not at all.
static Value divideScalars(OpBuilder &b, Location loc, Value x, Value y,
                           DType t, StringRef mode) {
  if (isUnsigned(t))
    return arith::DivUIOp::create(b, loc, x, y);
  if (!isFloat(t) && mode == "floor")
    return arith::FloorDivSIOp::create(b, loc, x, y);
  if (!isFloat(t))
    return arith::DivSIOp::create(b, loc, x, y);
  Value q = arith::DivFOp::create(b, loc, x, y);
  if (mode == "floor")
    return math::FloorOp::create(b, loc, q);
  if (mode == "trunc")
    return math::TruncOp::create(b, loc, q);
  return q;
}

static void divideWith(NodeLowering &op, StringRef mode) {
  Operand x = op.operand("self"), y = op.operand("other");
  DType type = op.resultDType();
  if (!op.ok() || !op.require(type != DType::Bool, "it divides bools"))
    return;
  bindElementwise(op, {x, y}, {type, type},
                  [&](OpBuilder &b, Location loc, ArrayRef<Value> v) -> Value {
                    return divideScalars(b, loc, v[0], v[1], type, mode);
                  });
}

static void lowerDivMode(NodeLowering &op) {
  divideWith(op, op.string("rounding_mode"));
}
static void lowerFloorDivide(NodeLowering &op) { divideWith(op, "floor"); }

/// self + value * tensor1 * tensor2, or self + value * tensor1 / tensor2.
template <bool divides> static void lowerAddScaled(NodeLowering &op) {
  Operand x = op.operand("self"), y = op.operand("tensor1"),
          z = op.operand("tensor2");
  double factor = op.number("value");
  DType type = op.resultDType();
  if (!op.ok() || !op.require(isFloat(type), "its result is no float"))
    return;
  bindElementwise(
      op, {x, y, z}, {type, type, type},
      [&](OpBuilder &b, Location loc, ArrayRef<Value> v) -> Value {
        Value left = v[1];
        if (factor != 1.0)
          left = arith::MulFOp::create(
              b, loc, TensorBuilder(b, loc).scalar(left.getType(), factor),
              left);
        Value term =
            divides ? arith::DivFOp::create(b, loc, left, v[2]).getResult()
                    : arith::MulFOp::create(b, loc, left, v[2]).getResult();
        return arith::AddFOp::create(b, loc, v[0], term);
      });
}

/// self + weight * (end - self)
static void lowerLerp(NodeLowering &op) {
  Operand x = op.operand("self"), y = op.operand("end"),
          w = op.operand("weight");
  DType type = op.resultDType();
  bindElementwise(op, {x, y, w}, {type, type, type},
                  [](OpBuilder &b, Location loc, ArrayRef<Value> v) -> Value {
                    Value d = arith::SubFOp::create(b, loc, v[1], v[0]);
                    Value part = arith::MulFOp::create(b, loc, v[2], d);
                    return arith::AddFOp::create(b, loc, v[0], part);
                  });
}

template <arith::CmpFPredicate onFloats, arith::CmpIPredicate onSigned,
          arith::CmpIPredicate onUnsigned>
static void lowerCompare(NodeLowering &op) {
  Operand x = op.operand("self"), y = op.operand("other");
  if (!op.ok())
    return;
  DType type = commonType(x, y);
  bindElementwise(op, {x, y}, {type, type},
                  [&](OpBuilder &b, Location loc, ArrayRef<Value> v) -> Value {
                    if (isFloat(type))
                      return arith::CmpFOp::create(b, loc, onFloats, v[0],
                                                   v[1]);
                    bool plain = isUnsigned(type) || type == DType::Bool;
                    return arith::CmpIOp::create(
                        b, loc, plain ? onUnsigned : onSigned, v[0], v[1]);
                  });
}

/// On the operands' truth values.
template <BinaryFn fn> static void lowerLogical(NodeLowering &op) {
  Operand x = op.operand("self"), y = op.operand("other");
  bindElementwise(op, {x, y}, {DType::Bool, DType::Bool},
                  [&](OpBuilder &b, Location loc, ArrayRef<Value> v) {
                    return fn(b, loc, v[0], v[1], DType::Bool);
                  });
}

template <BinaryFn fn> static void lowerBitwise(NodeLowering &op) {
  if (op.require(!isFloat(op.resultDType()), "its operands are floats"))
    lowerBinary<fn, false>(op);
}

static void lowerWhere(NodeLowering &op) {
  Operand condition = op.operand("condition");
  Operand x = op.operand("self"), y = op.operand("other");
  DType type = op.resultDType();
  bindElementwise(op, {condition, x, y}, {DType::Bool, type, type},
                  [](OpBuilder &b, Location loc, ArrayRef<Value> v) -> Value {
                    return arith::SelectOp::create(b, loc, v[0], v[1], v[2]);
                  });
}

static void lowerMaskedFill(NodeLowering &op) {
  Operand mask = op.operand("mask");
  Operand x = op.operand("self"), y = op.operand("value");
  DType type = op.resultDType();
  bindElementwise(op, {mask, y, x}, {DType::Bool, type, type},
                  [](OpBuilder &b, Location loc, ArrayRef<Value> v) -> Value {
                    return arith::SelectOp::create(b, loc, v[0], v[1], v[2]);
                  });
}

/// weight is one number, or one per channel (dimension 1).
static void lowerPrelu(NodeLowering &op) {
  Value v = op.tensor("self"), weight = op.tensor("weight");
  if (!op.ok())
    return;
  TensorBuilder::Shape shape = TensorBuilder::shapeOf(v);
  int64_t count = TensorBuilder::typeOf(weight).getNumElements();
  int64_t channels = shape.size() > 1 ? shape[1] : 1;
  if (!op.require(count == 1 || count == channels,
                  "its weight fits no channel"))
    return;
  Ints spread(shape.size(), 1);
  if (count > 1)
    spread[1] = count;
  op.bind(op.b.elementwise(
      {v, op.b.reshape(weight, spread)}, shape, TensorBuilder::elementOf(v),
      [](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value zero = TensorBuilder(b, loc).scalar(args[0].getType(), 0.0);
        Value positive = arith::CmpFOp::create(
            b, loc, arith::CmpFPredicate::OGT, args[0], zero);
        Value scaled = arith::MulFOp::create(b, loc, args[1], args[0]);
        return arith::SelectOp::create(b, loc, positive, args[0], scaled);
      }));
}

ArrayRef<OpEntry> panpipe::import::binaryOps() {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  constexpr Accepts numbers = Accepts::Numbers;
  static const OpEntry table[] = {
      {"add.Tensor", numbers, lowerScaled<addScalars, false>},
      {"add.Scalar", numbers, lowerScaled<addScalars, false>},
      {"sub.Tensor", numbers, lowerScaled<subScalars, false>},
      {"sub.Scalar", numbers, lowerScaled<subScalars, false>},
      {"rsub.Tensor", numbers, lowerScaled<subScalars, true>},
      {"rsub.Scalar", numbers, lowerScaled<subScalars, true>},
      {"mul.Tensor", numbers, lowerBinary<mulScalars, false>},
      {"mul.Scalar", numbers, lowerBinary<mulScalars, false>},
      {"div.Tensor", numbers, lowerBinary<divScalars, true>},
      {"div.Scalar", numbers, lowerBinary<divScalars, true>},
      {"div.Tensor_mode", numbers, lowerDivMode},
      {"div.Scalar_mode", numbers, lowerDivMode},
      {"fmod.Tensor", numbers, lowerBinary<fmodScalars, false>},
      {"fmod.Scalar", numbers, lowerBinary<fmodScalars, false>},
      {"remainder.Tensor", numbers, lowerBinary<remainderScalars, false>},
      {"remainder.Scalar", numbers, lowerBinary<remainderScalars, false>},
      {"floor_divide", numbers, lowerFloorDivide},
      {"floor_divide.Scalar", numbers, lowerFloorDivide},
      {"atan2", numbers, lowerBinary<atan2Scalars, true>},
      {"addcmul", numbers, lowerAddScaled<false>},
      {"addcdiv", numbers, lowerAddScaled<true>},
      {"lerp.Scalar", Accepts::Floats, lowerLerp},
      {"lerp.Tensor", Accepts::Floats, lowerLerp},
      {"pow.Tensor_Scalar", numbers, lowerPow},
      {"pow.Tensor_Tensor", numbers, lowerPow},
      {"pow.Scalar", numbers, lowerPow},
      {"maximum", numbers, lowerBinary<maxScalars, false>},
      {"minimum", numbers, lowerBinary<minScalars, false>},
      {"max.other", numbers, lowerBinary<maxScalars, false>},
      {"min.other", numbers, lowerBinary<minScalars, false>},
      {"eq.Tensor", numbers, lowerCompare<F::OEQ, I::eq, I::eq>},
      {"eq.Scalar", numbers, lowerCompare<F::OEQ, I::eq, I::eq>},
      {"ne.Tensor", numbers, lowerCompare<F::UNE, I::ne, I::ne>},
      {"ne.Scalar", numbers, lowerCompare<F::UNE, I::ne, I::ne>},
      {"lt.Tensor", numbers, lowerCompare<F::OLT, I::slt, I::ult>},
      {"lt.Scalar", numbers, lowerCompare<F::OLT, I::slt, I::ult>},
      {"le.Tensor", numbers, lowerCompare<F::OLE, I::sle, I::ule>},
      {"le.Scalar", numbers, lowerCompare<F::OLE, I::sle, I::ule>},
      {"gt.Tensor", numbers, lowerCompare<F::OGT, I::sgt, I::ugt>},
      {"gt.Scalar", numbers, lowerCompare<F::OGT, I::sgt, I::ugt>},
      {"ge.Tensor", numbers, lowerCompare<F::OGE, I::sge, I::uge>},
      {"ge.Scalar", numbers, lowerCompare<F::OGE, I::sge, I::uge>},
      {"logical_and", numbers, lowerLogical<andScalars>},
      {"logical_or", numbers, lowerLogical<orScalars>},
      {"logical_xor", numbers, lowerLogical<xorScalars>},
      {"bitwise_and.Tensor", numbers, lowerBitwise<andScalars>},
      {"bitwise_or.Tensor", numbers, lowerBitwise<orScalars>},
      {"bitwise_xor.Tensor", numbers, lowerBitwise<xorScalars>},
      {"__xor__.Tensor", numbers, lowerBitwise<xorScalars>},
      {"__and__.Tensor", numbers, lowerBitwise<andScalars>},
      {"__or__.Tensor", numbers, lowerBitwise<orScalars>},
      {"where.self", numbers, lowerWhere},
      {"where.ScalarOther", numbers, lowerWhere},
      {"where.ScalarSelf", numbers, lowerWhere},
      {"where.Scalar", numbers, lowerWhere},
      {"masked_fill.Scalar", numbers, lowerMaskedFill},
      {"masked_fill.Tensor", numbers, lowerMaskedFill},
      {"prelu", Accepts::Floats, lowerPrelu},
  };
  return table;
}
