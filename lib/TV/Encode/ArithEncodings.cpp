//===- ArithEncodings.cpp - Encodings of arith and math -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Nearly every operation of these dialects is one scalar operation, applied
/// element by element to tensors and vectors; the shared table ScalarMapping.h
/// says which.
///
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "TensorEncodings.h"

#include "panpipe/TV/Encode/Encoder.h"
#include "panpipe/TV/Interp/ScalarMapping.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

/// Shapes of all shaped operands, proved or required to agree.
static SmallVector<IndexTerm> commonShape(Operation *op, Encoder &e) {
  SmallVector<IndexTerm> shape;
  bool first = true;
  for (Value operand : op->getOperands()) {
    if (!isa<ShapedType>(operand.getType()))
      continue;
    const SymTensor &tensor = e.tensor(operand);
    if (first)
      shape.assign(tensor.shape.begin(), tensor.shape.end());
    else
      for (auto [a, b] : llvm::zip_equal(shape, tensor.shape))
        e.requireEqual(a, b, "operands of different size", op);
    first = false;
  }
  return shape;
}

LogicalResult panpipe::tv::elementwise(
    Operation *op, unsigned resultNumber, Encoder &e,
    llvm::function_ref<Element(ArrayRef<Element>, ScalarType)> perElement) {
  Value result = op->getResult(resultNumber);
  ScalarType type = *e.scalarType(result.getType());
  if (!isa<ShapedType>(result.getType())) {
    SmallVector<Element, 3> operands;
    for (Value operand : op->getOperands())
      operands.push_back(e.scalar(operand));
    e.define(result, perElement(operands, type));
    return success();
  }
  FailureOr<SymTensor> tensor = e.compute(
      type, commonShape(op, e),
      [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        SmallVector<Element, 3> operands;
        for (Value operand : op->getOperands())
          operands.push_back(
              isa<ShapedType>(operand.getType())
                  ? readElement(e.terms(), e.tensor(operand), at, e.context())
                  : e.scalar(operand));
        return perElement(operands, type);
      });
  if (failed(tensor))
    return failure();
  e.define(result, std::move(*tensor));
  return success();
}

static LogicalResult encodeMapped(Operation *op, Encoder &e) {
  for (unsigned number = 0; number < op->getNumResults(); ++number) {
    std::optional<ScalarMapping> mapping = mapScalarOp(op, number);
    if (!mapping)
      return e.unsupported(op, "no scalar operation stands for it");
    auto apply = [&](ArrayRef<Element> operands, ScalarType type) {
      return e.apply(mapping->op, mapping->attrs, type, operands, op);
    };
    if (failed(elementwise(op, number, e, apply)))
      return failure();
  }
  return success();
}

/// math.clampf: max(min(value, max), min).
static LogicalResult encodeClampF(math::ClampFOp op, Encoder &e) {
  ScalarAttrs attrs;
  attrs.fastMath = static_cast<uint8_t>(op.getFastmath());
  auto clamp = [&](ArrayRef<Element> operands, ScalarType type) {
    Element low = e.apply(ScalarOp::MinimumF, attrs, type,
                          {operands[0], operands[2]}, op);
    return e.apply(ScalarOp::MaximumF, attrs, type, {low, operands[1]}, op);
  };
  return elementwise(op, 0, e, clamp);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static std::string digestOf(StringRef bytes) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(bytes)),
                     /*LowerCase=*/true);
}

/// A constant that is too large to write out: an unknown tensor that is the
/// same wherever the same bytes occur.
static SymTensor namedConstant(Encoder &e, ShapedType type, ScalarType scalar,
                               StringRef bytes) {
  std::string name = "constant." + digestOf(bytes).substr(0, 32) + "." +
                     toString(scalar) + "." + std::to_string(type.getRank());
  SmallVector<IndexTerm> shape;
  for (int64_t size : type.getShape()) {
    name += "x" + std::to_string(size);
    shape.push_back(e.constant(size));
  }
  return argumentTensor(e.terms(), name, scalar, shape);
}

static FailureOr<SymTensor> encodeDense(Operation *op, DenseElementsAttr attr,
                                        Encoder &e) {
  ShapedType type = attr.getType();
  ScalarType scalar = *e.scalarType(type);
  if (attr.isSplat() && type.getNumElements() > 0) {
    auto value = mapScalarAttr(attr.getSplatValue<Attribute>(), scalar);
    if (!value)
      return e.unsupported(op, "elements of this type have no encoding");
    SmallVector<IndexTerm> shape;
    for (int64_t size : type.getShape())
      shape.push_back(e.constant(size));
    return splatTensor(e.terms(), scalar, shape,
                       e.defined(e.terms().mkConst(scalar, value->bits)));
  }
  if (type.getNumElements() > e.options().exactConstantElements) {
    ArrayRef<char> raw = attr.getRawData();
    return namedConstant(e, type, scalar, StringRef(raw.data(), raw.size()));
  }
  SmallVector<llvm::APInt> values;
  for (Attribute element : attr.getValues<Attribute>()) {
    auto value = mapScalarAttr(element, scalar);
    if (!value)
      return e.unsupported(op, "elements of this type have no encoding");
    values.push_back(value->bits);
  }
  return constantTensor(e.terms(), scalar, type.getShape(), values);
}

static FailureOr<SymTensor>
encodeResource(Operation *op, DenseResourceElementsAttr attr, Encoder &e) {
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!blob)
    return e.unsupported(op, "the resource has no contents here");
  ArrayRef<char> raw = blob->getData();
  ShapedType type = attr.getType();
  ScalarType scalar = *e.scalarType(type);
  return namedConstant(e, type, scalar, StringRef(raw.data(), raw.size()));
}

FailureOr<SymTensor> tv::constantElements(Attribute attr, Operation *op,
                                          Encoder &e) {
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return encodeDense(op, dense, e);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return encodeResource(op, resource, e);
  return e.unsupported(op, "constants of this kind have no encoding");
}

static LogicalResult encodeConstant(arith::ConstantOp op, Encoder &e) {
  Attribute attr = op.getValue();
  if (!isa<ShapedType>(op.getType())) {
    ScalarType type = *e.scalarType(op.getType());
    auto value = mapScalarAttr(attr, type);
    if (!value)
      return e.unsupported(op, "constants of this type have no encoding");
    e.define(op, e.defined(e.terms().mkConst(type, value->bits)));
    return success();
  }
  FailureOr<SymTensor> tensor = constantElements(attr, op, e);
  if (failed(tensor))
    return failure();
  e.define(op, std::move(*tensor));
  return success();
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void panpipe::tv::populateArithEncodings(OpEncodings &t) {
  t.on<arith::ConstantOp>(encodeConstant);
  t.onAll<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AddUIExtendedOp,
          arith::MulSIExtendedOp, arith::MulUIExtendedOp, arith::DivSIOp,
          arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
          arith::FloorDivSIOp, arith::RemSIOp, arith::RemUIOp, arith::AndIOp,
          arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRSIOp,
          arith::ShRUIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp,
          arith::MaxUIOp, arith::CmpIOp, arith::SelectOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::IndexCastUIOp, arith::BitcastOp>(encodeMapped);
  t.onAll<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::RemFOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
          arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp, arith::ExtFOp,
          arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
          arith::FPToUIOp>(encodeMapped);
}

void panpipe::tv::populateMathEncodings(OpEncodings &t) {
  t.on<math::ClampFOp>(encodeClampF);
  t.onAll<math::AbsIOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp,
          math::CtPopOp, math::IPowIOp>(encodeMapped);
  t.onAll<math::AbsFOp, math::CeilOp, math::CopySignOp, math::FloorOp,
          math::FmaOp, math::IsFiniteOp, math::IsInfOp, math::IsNaNOp,
          math::IsNormalOp, math::RoundOp, math::RoundEvenOp, math::SqrtOp,
          math::TruncOp>(encodeMapped);
  t.onAll<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp,
          math::AtanOp, math::Atan2Op, math::AtanhOp, math::CbrtOp, math::CosOp,
          math::CoshOp, math::ErfOp, math::ErfcOp, math::ExpOp, math::Exp2Op,
          math::ExpM1Op, math::FPowIOp, math::LogOp, math::Log10Op,
          math::Log1pOp, math::Log2Op, math::PowFOp, math::RsqrtOp, math::SinOp,
          math::SincosOp, math::SinhOp, math::TanOp, math::TanhOp>(
      encodeMapped);
}
