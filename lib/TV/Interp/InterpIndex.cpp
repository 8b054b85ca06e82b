//===- InterpIndex.cpp - Execution of the index dialect -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

static std::optional<ScalarOp> scalarOpOf(Operation *op) {
  using Result = std::optional<ScalarOp>;
  return llvm::StringSwitch<Result>(op->getName().stripDialect())
      .Case("add", ScalarOp::AddI)
      .Case("sub", ScalarOp::SubI)
      .Case("mul", ScalarOp::MulI)
      .Case("divs", ScalarOp::DivSI)
      .Case("divu", ScalarOp::DivUI)
      .Case("ceildivs", ScalarOp::CeilDivSI)
      .Case("ceildivu", ScalarOp::CeilDivUI)
      .Case("floordivs", ScalarOp::FloorDivSI)
      .Case("rems", ScalarOp::RemSI)
      .Case("remu", ScalarOp::RemUI)
      .Case("maxs", ScalarOp::MaxSI)
      .Case("maxu", ScalarOp::MaxUI)
      .Case("mins", ScalarOp::MinSI)
      .Case("minu", ScalarOp::MinUI)
      .Case("shl", ScalarOp::ShLI)
      .Case("shrs", ScalarOp::ShRSI)
      .Case("shru", ScalarOp::ShRUI)
      .Case("and", ScalarOp::AndI)
      .Case("or", ScalarOp::OrI)
      .Case("xor", ScalarOp::XOrI)
      .Case("casts", ScalarOp::IndexCast)
      .Case("castu", ScalarOp::IndexCastUI)
      .Case("cmp", ScalarOp::CmpI)
      .Default(std::nullopt);
}

static uint8_t predicateOf(index::IndexCmpPredicate predicate) {
  using P = index::IndexCmpPredicate;
  switch (predicate) {
  case P::EQ:
    return 0;
  case P::NE:
    return 1;
  case P::SLT:
    return 2;
  case P::SLE:
    return 3;
  case P::SGT:
    return 4;
  case P::SGE:
    return 5;
  case P::ULT:
    return 6;
  case P::ULE:
    return 7;
  case P::UGT:
    return 8;
  case P::UGE:
    return 9;
  }
  return 0;
}

bool interp::knowsIndex(Operation *op) {
  return isa_and_present<index::IndexDialect>(op->getDialect());
}

Did interp::executeIndex(Executor &e, Operation *op) {
  if (!knowsIndex(op))
    return Did::NotMine;
  ScalarType index = ScalarType::index(e.options.indexWidth);
  Value result = op->getResult(0);
  if (auto constant = dyn_cast<index::ConstantOp>(op))
    return e.define(
        result,
        ConcreteValue::scalar(
            index, {constant.getValue().sextOrTrunc(index.width()), EM_none}));
  if (auto constant = dyn_cast<index::BoolConstantOp>(op))
    return e.define(result, ConcreteValue::scalar(ScalarType::boolean(),
                                                  constant.getValue()));
  if (isa<index::SizeOfOp>(op))
    return e.define(result, ConcreteValue::scalar(index, index.width()));
  std::optional<ScalarOp> scalar = scalarOpOf(op);
  std::optional<ScalarType> type = e.elementType(result.getType());
  if (!scalar || !type)
    return e.unsupported(op, "no execution for this operation");
  ScalarMapping mapping{*scalar, {}};
  if (auto cmp = dyn_cast<index::CmpOp>(op))
    mapping.attrs.predicate = predicateOf(cmp.getPred());
  SmallVector<ConcreteElement, 2> operands;
  SmallVector<ScalarType, 2> types;
  for (Value operand : op->getOperands()) {
    operands.push_back(e.get(operand).get(0));
    types.push_back(e.get(operand).type());
  }
  std::optional<ConcreteElement> element =
      e.scalarOp(op, mapping, *type, types, operands);
  if (!element)
    return Did::Failed;
  return e.define(result, ConcreteValue::scalar(*type, *element));
}
