//===- ApplyScalar.cpp - Scalar operations in an encoding -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arithmetic on index values stays polynomial: sums and products are exact
/// modulo 2^width whatever happens in between; comparisons, divisions and
/// widenings are taken on the polynomial only where it provably has the
/// machine's value.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Encoder.h"
#include "panpipe/TV/Encode/ScalarSemantics.h"
#include "panpipe/TV/Term/FoldDomain.h"

using namespace mlir;
using namespace panpipe::tv;

namespace {
/// The value of a scalar operation on index polynomials, or null.
class PolynomialOp {
public:
  PolynomialOp(Encoder &encoder, ScalarType type, ArrayRef<Element> operands)
      : e(encoder), type(type), operands(operands) {}
  const Term *value(ScalarOp op, const ScalarAttrs &attrs);

private:
  const Term *ring(ScalarOp op);
  const Term *shiftLeft();
  const Term *cast(bool isSigned);
  const Term *compare(unsigned predicate);
  const Term *divide(ScalarOp op);
  const Term *choose(bool isSigned, bool smaller);
  const Term *make(IndexTerm poly) {
    return e.terms().mkIndexValue(type, poly);
  }
  std::optional<IndexTerm> exact(unsigned i) {
    return e.exactIndex(operands[i].value);
  }

  Encoder &e;
  ScalarType type;
  ArrayRef<Element> operands;
};
} // namespace

const Term *PolynomialOp::ring(ScalarOp op) {
  auto a = e.polynomial(operands[0].value);
  auto b = e.polynomial(operands[1].value);
  if (!a || !b)
    return nullptr;
  return make(op == ScalarOp::AddI   ? *a + *b
              : op == ScalarOp::SubI ? *a - *b
                                     : *a * *b);
}

const Term *PolynomialOp::shiftLeft() {
  auto a = e.polynomial(operands[0].value);
  const Term *amount = operands[1].value;
  if (!a || !amount->isConst() || amount->bits().uge(type.width()) ||
      amount->bits().uge(62))
    return nullptr;
  return make(*a * (int64_t(1) << amount->bits().getZExtValue()));
}

const Term *PolynomialOp::cast(bool isSigned) {
  const Term *from = operands[0].value;
  if (type.width() <= from->type().width()) {
    auto a = e.polynomial(from);
    return a ? make(*a) : nullptr;
  }
  auto a = exact(0);
  if (!a || (!isSigned && !e.context().nonneg(*a)))
    return nullptr;
  return make(*a);
}

const Term *PolynomialOp::compare(unsigned predicate) {
  auto a = exact(0), b = exact(1);
  if (!a || !b)
    return nullptr;
  return e.terms().mkIndexCmp(predicate, *a, *b, e.context());
}

const Term *PolynomialOp::divide(ScalarOp op) {
  auto a = exact(0), d = exact(1);
  if (!a || !d)
    return nullptr;
  std::optional<int64_t> divisor = d->constantInt64();
  if (!divisor || *divisor < 1)
    return nullptr;
  const IndexContext &context = e.context();
  switch (op) {
  case ScalarOp::FloorDivSI:
    return make(context.floorDiv(*a, *d));
  case ScalarOp::CeilDivSI:
    return make(context.ceilDiv(*a, *d));
  default:
    break;
  }
  if (!context.nonneg(*a))
    return nullptr;
  switch (op) {
  case ScalarOp::DivSI:
  case ScalarOp::DivUI:
    return make(context.floorDiv(*a, *d));
  case ScalarOp::CeilDivUI:
    return make(context.ceilDiv(*a, *d));
  default:
    return make(context.mod(*a, *d));
  }
}

const Term *PolynomialOp::choose(bool isSigned, bool smaller) {
  auto a = exact(0), b = exact(1);
  if (!a || !b)
    return nullptr;
  const IndexContext &context = e.context();
  if (!isSigned && (!context.nonneg(*a) || !context.nonneg(*b)))
    return nullptr;
  IndexTerm first = smaller ? *a : *b, second = smaller ? *b : *a;
  // first <= second ? a : b
  return e.terms().mkIte(geZero(second - first), make(*a), make(*b), context);
}

const Term *PolynomialOp::value(ScalarOp op, const ScalarAttrs &attrs) {
  switch (op) {
  case ScalarOp::AddI:
  case ScalarOp::SubI:
  case ScalarOp::MulI:
    return ring(op);
  case ScalarOp::ShLI:
    return shiftLeft();
  case ScalarOp::IndexCast:
  case ScalarOp::ExtSI:
  case ScalarOp::TruncI:
    return cast(/*isSigned=*/true);
  case ScalarOp::IndexCastUI:
  case ScalarOp::ExtUI:
    return cast(/*isSigned=*/false);
  case ScalarOp::CmpI:
    return compare(attrs.predicate);
  case ScalarOp::DivSI:
  case ScalarOp::DivUI:
  case ScalarOp::CeilDivSI:
  case ScalarOp::CeilDivUI:
  case ScalarOp::FloorDivSI:
  case ScalarOp::RemSI:
  case ScalarOp::RemUI:
    return divide(op);
  case ScalarOp::MinSI:
  case ScalarOp::MinUI:
    return choose(op == ScalarOp::MinSI, /*smaller=*/true);
  case ScalarOp::MaxSI:
  case ScalarOp::MaxUI:
    return choose(op == ScalarOp::MaxSI, /*smaller=*/false);
  default:
    return nullptr;
  }
}

Element Encoder::apply(ScalarOp scalarOp, const ScalarAttrs &plain,
                       ScalarType type, ArrayRef<Element> operands,
                       Operation *op) {
  SmallVector<ScalarUB, 4> ub;
  ScalarAttrs attrs = plain;
  attrs.pick = shared.picks.name(op, instance, scalarOp, plain, type, operands);
  Element element =
      encodeScalarOp(terms(), scalarOp, attrs, type, operands, ub);
  for (const ScalarUB &condition : ub)
    addUB(condition.condition, condition.reason, op);
  // Constants are folded already; a polynomial needs an index symbol.
  bool onIndices = llvm::any_of(operands, [](const Element &operand) {
    return operand.value->kind() == TermKind::IndexValue;
  });
  if (onIndices)
    if (const Term *value =
            PolynomialOp(*this, type, operands).value(scalarOp, attrs))
      element.value = value;
  if (attrs.pick && shared.picks.target && depth != 0) {
    SmallVector<IndexTerm> iteration;
    for (IndexTerm v : current.rangedVars()) {
      auto [low, high] = current.range(v->asAtom());
      if (low != high)
        iteration.push_back(v);
    }
    if (!determines(element.value, iteration))
      shared.picks.merged.push_back(op);
  }
  return element;
}
