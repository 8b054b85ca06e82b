//===- IndexAccess.cpp - Scalars as indices -------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Programs compute indices modulo 2^width, reads use mathematical integers.
/// The two agree where the polynomial provably stays in range; everything else
/// goes through a symbol or through a search over the dimension, which is
/// exact.
///
/// No dimension of a tensor exceeds 2^62 elements. So an index that is computed
/// without leaving (-2^64 + 2^62, 2^64) is in bounds if and only if its
/// polynomial is: a wrapped value never lands in a dimension.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"

using namespace mlir;
using namespace panpipe::tv;
using llvm::DynamicAPInt;

namespace {
struct Interval {
  DynamicAPInt lo, hi;
};
} // namespace

static DynamicAPInt powerOfTwo(unsigned exponent) {
  DynamicAPInt result(1);
  for (unsigned i = 0; i < exponent; ++i)
    result *= 2;
  return result;
}

static std::optional<Interval> intervalOf(IndexTerm p, const IndexContext &c,
                                          const DynamicAPInt &maxDim,
                                          unsigned depth);

static std::optional<Interval> intervalOf(const IndexAtom *atom,
                                          const IndexContext &context,
                                          const DynamicAPInt &maxDim,
                                          unsigned depth) {
  switch (atom->kind) {
  case AtomKind::Dim:
    return Interval{DynamicAPInt(0), maxDim};
  case AtomKind::Int: {
    DynamicAPInt half = powerOfTwo(63);
    return Interval{-half, half - 1};
  }
  case AtomKind::Var: {
    auto [lo, hi] = context.range(atom);
    if (!lo || !hi)
      return std::nullopt;
    auto low = intervalOf(lo, context, maxDim, depth + 1);
    auto high = intervalOf(hi, context, maxDim, depth + 1);
    if (!low || !high)
      return std::nullopt;
    return Interval{low->lo, std::max(low->lo, high->hi)};
  }
  case AtomKind::FloorDiv: {
    auto num = intervalOf(atom->num, context, maxDim, depth + 1);
    if (!num)
      return std::nullopt;
    // The divisor is at least 1, so the quotient is no larger than the
    // dividend.
    return Interval{std::min(num->lo, DynamicAPInt(0)),
                    std::max(num->hi, DynamicAPInt(0))};
  }
  default:
    return std::nullopt;
  }
}

/// Values that `p` can have, with dims up to `maxDim`.
static std::optional<Interval> intervalOf(IndexTerm p,
                                          const IndexContext &context,
                                          const DynamicAPInt &maxDim,
                                          unsigned depth) {
  if (depth > 6)
    return std::nullopt;
  Interval sum{DynamicAPInt(0), DynamicAPInt(0)};
  for (const IndexSummand &summand : p->summands()) {
    Interval product{summand.coefficient, summand.coefficient};
    for (const IndexAtom *atom : summand.monomial->atoms) {
      auto factor = intervalOf(atom, context, maxDim, depth);
      if (!factor)
        return std::nullopt;
      DynamicAPInt corners[] = {
          product.lo * factor->lo, product.lo * factor->hi,
          product.hi * factor->lo, product.hi * factor->hi};
      product.lo = *std::min_element(std::begin(corners), std::end(corners));
      product.hi = *std::max_element(std::begin(corners), std::end(corners));
    }
    sum.lo += product.lo;
    sum.hi += product.hi;
  }
  return sum;
}

/// Largest size of one dimension.
static DynamicAPInt maxDimension() { return powerOfTwo(62); }

/// Sizes that a product of dims may be computed with, under an assumption.
static DynamicAPInt usualDimension() { return powerOfTwo(31); }

/// Stays `p` within (lo, hi)? Products of dynamic sizes only do if the sizes
/// are no larger than usual, which is then reported.
static bool staysWithin(Encoder &encoder, IndexTerm p, const DynamicAPInt &lo,
                        const DynamicAPInt &hi) {
  auto fits = [&](const DynamicAPInt &maxDim) {
    auto interval = intervalOf(p, encoder.context(), maxDim, 0);
    return interval && interval->lo > lo && interval->hi < hi;
  };
  if (fits(maxDimension()))
    return true;
  if (!fits(usualDimension()))
    return false;
  encoder.assumeNote("index-range", "dynamic sizes are below 2^31");
  return true;
}

std::optional<IndexTerm> Encoder::polynomial(const Term *scalar) {
  if (scalar->kind() == TermKind::IndexValue)
    return scalar->indices().front();
  if (scalar->isConst() && !scalar->type().isFloat())
    return terms().index().constant(DynamicAPInt(scalar->bits()));
  return std::nullopt;
}

std::optional<IndexTerm> Encoder::exactIndex(const Term *scalar) {
  std::optional<IndexTerm> poly = polynomial(scalar);
  if (!poly)
    return std::nullopt;
  DynamicAPInt half = powerOfTwo(scalar->type().width() - 1);
  if (!staysWithin(*this, *poly, -half - 1, half))
    return std::nullopt;
  return poly;
}

/// A polynomial that can stand for the scalar wherever it has to be in bounds.
static std::optional<IndexTerm> accessIndex(Encoder &encoder,
                                            const Term *scalar) {
  std::optional<IndexTerm> poly = encoder.polynomial(scalar);
  if (!poly || scalar->type().width() < 64)
    return encoder.exactIndex(scalar);
  DynamicAPInt whole = powerOfTwo(scalar->type().width());
  if (!staysWithin(encoder, *poly, maxDimension() - whole, whole))
    return std::nullopt;
  return poly;
}

/// The scalar depends on the variable of a loop or of a tensor's element.
static bool dependsOnVariable(const Term *scalar) {
  return scalar->hasElemParams() || scalar->hasState() ||
         llvm::any_of(scalar->leaves(), [](const IndexAtom *atom) {
           return atom->kind == AtomKind::Var || atom->kind == AtomKind::Bound;
         });
}

static IndexTerm symbolFor(SharedEncoding &shared, const Term *scalar) {
  IndexTerm &symbol = shared.indexSymbols[scalar];
  if (!symbol)
    symbol = shared.terms.index().freshInt("t" + std::to_string(scalar->id()));
  return symbol;
}

IndexTerm Encoder::indexOrSymbol(Element scalar, StringRef reason,
                                 Operation *op) {
  addUB(scalar.poison, "poison " + reason, op);
  if (std::optional<IndexTerm> poly = accessIndex(*this, scalar.value))
    return *poly;
  if (dependsOnVariable(scalar.value))
    return IndexTerm();
  return symbolFor(shared, scalar.value);
}

LogicalResult Encoder::mixed(ArrayRef<OpFoldResult> entries,
                             SmallVectorImpl<IndexTerm> &out, Operation *op) {
  for (OpFoldResult entry : entries) {
    if (auto attr = dyn_cast<Attribute>(entry)) {
      out.push_back(constant(cast<IntegerAttr>(attr).getInt()));
      continue;
    }
    IndexTerm index =
        indexOrSymbol(scalar(cast<Value>(entry)), "offset, size or stride", op);
    if (!index)
      return unsupported(op, "an offset, size or stride that depends on data "
                             "and on loop variables has no encoding");
    out.push_back(index);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Reads at run-time indices
//===----------------------------------------------------------------------===//

void Encoder::requireInBounds(Element index, IndexTerm size, Operation *op) {
  addUB(index.poison, "poison index", op);
  if (std::optional<IndexTerm> poly = accessIndex(*this, index.value)) {
    require({geZero(*poly), geZero(size - 1 - *poly)}, "index out of bounds",
            op);
    return;
  }
  ScalarAttrs atLeast;
  atLeast.predicate = 9; // uge: negative values are large
  addUB(terms().mkOp(
            ScalarOp::CmpI, atLeast, ScalarType::boolean(),
            {index.value, terms().mkIndexValue(index.value->type(), size)}),
        "index out of bounds", op);
}

std::optional<IndexTerm> Encoder::accessPolynomial(const Term *scalar) {
  return accessIndex(*this, scalar);
}

FailureOr<Element> Encoder::readAt(const SymTensor &tensor,
                                   ArrayRef<Element> at, Operation *op) {
  SmallVector<const Term *> indices;
  for (auto [index, size] : llvm::zip_equal(at, tensor.shape)) {
    requireInBounds(index, size, op);
    indices.push_back(index.value);
  }
  SmallVector<IndexTerm> done;
  return readSplit(tensor, indices, 0, done, current, op);
}

/// At most this many elements are compared one by one with a run-time index.
static constexpr int64_t kChainLimit = 16;

FailureOr<Element>
Encoder::readSplit(const SymTensor &tensor, MutableArrayRef<const Term *> at,
                   unsigned dim, SmallVectorImpl<IndexTerm> &done,
                   const IndexContext &where, Operation *op) {
  if (dim == at.size())
    return readElement(terms(), tensor, done, where);
  const Term *index = at[dim];
  auto with = [&](IndexTerm poly, const IndexContext &inside) {
    done.push_back(poly);
    FailureOr<Element> element =
        readSplit(tensor, at, dim + 1, done, inside, op);
    done.pop_back();
    return element;
  };
  auto branch = [&](const Term *term, const IndexContext &inside) {
    at[dim] = term;
    FailureOr<Element> element = readSplit(tensor, at, dim, done, inside, op);
    at[dim] = index;
    return element;
  };
  auto select = [&](const Term *condition, Element a, Element b) {
    return Element{terms().mkSelect(condition, a.value, b.value),
                   terms().mkSelect(condition, a.poison, b.poison)};
  };
  std::optional<int64_t> extent = tensor.shape[dim].constantInt64();
  if (extent == 1)
    return with(constant(0), where);
  if (std::optional<IndexTerm> poly = accessIndex(*this, index))
    return with(*poly, where);
  if (index->kind() == TermKind::Ite || index->is(ScalarOp::Select)) {
    bool isIte = index->kind() == TermKind::Ite;
    ArrayRef<const Term *> choices =
        isIte ? index->operands() : index->operands().drop_front();
    FailureOr<Element> a =
        branch(choices[0], isIte ? where.assume(index->guard()) : where);
    FailureOr<Element> b = branch(choices[1], where);
    if (failed(a) || failed(b))
      return failure();
    return isIte ? terms().mkIte(index->guard(), *a, *b, where)
                 : select(index->operands()[0], *a, *b);
  }
  ScalarAttrs equal;
  auto isAt = [&](IndexTerm k) {
    return terms().mkOp(ScalarOp::CmpI, equal, ScalarType::boolean(),
                        {index, terms().mkIndexValue(index->type(), k)});
  };
  if (extent && *extent <= kChainLimit) {
    FailureOr<Element> result = with(constant(*extent - 1), where);
    for (int64_t k = *extent - 2; k >= 0 && succeeded(result); --k) {
      FailureOr<Element> element = with(constant(k), where);
      if (failed(element))
        return failure();
      result = select(isAt(constant(k)), *element, *result);
    }
    return result;
  }
  if (!dependsOnVariable(index))
    return with(symbolFor(shared, index), where);
  // The element that a walk along the dimension finds.
  FoldSpec spec;
  spec.vars.push_back(terms().index().freshVar());
  spec.extents.push_back(tensor.shape[dim]);
  FailureOr<Element> element = with(spec.vars[0], foldContext(where, spec));
  if (failed(element))
    return failure();
  const Term *here = isAt(spec.vars[0]);
  Element before = {terms().mkAcc(tensor.type, 0),
                    terms().mkAcc(ScalarType::boolean(), 1)};
  Element next = select(here, *element, before);
  auto found = mkStepFold(
      terms(), where, spec, {next.value, next.poison},
      {terms().mkConst(tensor.type, llvm::APInt(tensor.type.width(), 0)),
       terms().mkBool(false)});
  return Element{found[0], found[1]};
}
