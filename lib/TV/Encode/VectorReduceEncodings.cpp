//===- VectorReduceEncodings.cpp - Encodings that combine elements --------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reductions, contractions and scans of vectors. One running value visits the
/// points in row-major order (docs/TV/Semantics.md), which matters for floats
/// only. A point whose mask is off contributes nothing.
///
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "VectorEncodings.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

static ScalarOp scalarOpOf(vector::CombiningKind kind, ScalarType type) {
  using Kind = vector::CombiningKind;
  switch (kind) {
  case Kind::ADD:
    return type.isFloat() ? ScalarOp::AddF : ScalarOp::AddI;
  case Kind::MUL:
    return type.isFloat() ? ScalarOp::MulF : ScalarOp::MulI;
  case Kind::MINUI:
    return ScalarOp::MinUI;
  case Kind::MINSI:
    return ScalarOp::MinSI;
  case Kind::MINNUMF:
    return ScalarOp::MinNumF;
  case Kind::MAXUI:
    return ScalarOp::MaxUI;
  case Kind::MAXSI:
    return ScalarOp::MaxSI;
  case Kind::MAXNUMF:
    return ScalarOp::MaxNumF;
  case Kind::AND:
    return ScalarOp::AndI;
  case Kind::OR:
    return ScalarOp::OrI;
  case Kind::XOR:
    return ScalarOp::XOrI;
  case Kind::MAXIMUMF:
    return ScalarOp::MaximumF;
  case Kind::MINIMUMF:
    return ScalarOp::MinimumF;
  }
  llvm_unreachable("a kind of reduction");
}

namespace {
/// One reduction: kind, points, and where it starts.
struct Reduction {
  Operation *op;
  ScalarOp kind;
  ScalarAttrs attrs;
  ScalarType type;
  SmallVector<int64_t> extents;
  std::optional<Element> init;
  /// The contribution of a point.
  std::function<Element(ArrayRef<IndexTerm>)> value;
  /// Null: every point contributes.
  std::function<Element(ArrayRef<IndexTerm>)> mask;

  FailureOr<Element> encode(Encoder &e) const;

private:
  std::optional<Element> neutral(Encoder &e) const;
  Element fold(Encoder &e, Element neutral) const;
  FailureOr<Element> unrolled(Encoder &e) const;
  Element select(Encoder &e, Element condition, Element a, Element b) const {
    return e.apply(ScalarOp::Select, {}, type, {condition, a, b}, op);
  }
};
} // namespace

/// What a reduction of no points without initial value gives.
std::optional<Element> Reduction::neutral(Encoder &e) const {
  if (kind == ScalarOp::MaxNumF || kind == ScalarOp::MinNumF)
    return e.defined(e.terms().mkConst(type, canonicalNaN(type)));
  std::optional<llvm::APInt> identity = identityOf(kind, type);
  if (!identity)
    return std::nullopt;
  return e.defined(e.terms().mkConst(type, *identity));
}

Element Reduction::fold(Encoder &e, Element neutral) const {
  FoldSpec spec;
  spec.op = kind;
  for (int64_t extent : extents) {
    spec.vars.push_back(e.terms().index().freshVar());
    spec.extents.push_back(e.constant(extent));
  }
  Element body;
  {
    Encoder::BodyScope scope(e, foldContext(e.context(), spec), spec.vars);
    body = value(spec.vars);
    if (mask)
      body = select(e, mask(spec.vars), body, neutral);
    // Only values are combined here: nothing is undefined.
    assert(scope.conditions().empty());
  }
  return mkFold(e.terms(), e.context(), spec, body, init.value_or(neutral));
}

/// Points written one after the other, at most.
static constexpr int64_t kUnrollLimit = 256;

FailureOr<Element> Reduction::unrolled(Encoder &e) const {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  if (count > kUnrollLimit)
    return e.unsupported(op, "a reduction of this kind of more than 256 "
                             "elements has no encoding");
  std::optional<Element> acc = init;
  if (!acc && mask)
    acc = neutral(e);
  if (!acc && mask)
    return e.unsupported(op, "this masked reduction has no encoding");
  for (int64_t number = 0; number < count; ++number) {
    SmallVector<IndexTerm> point(extents.size());
    int64_t rest = number;
    for (int64_t dim = int64_t(extents.size()) - 1; dim >= 0; --dim) {
      point[dim] = e.constant(rest % extents[dim]);
      rest /= extents[dim];
    }
    Element next = value(point);
    if (acc)
      next = e.apply(kind, attrs, type, {*acc, next}, op);
    acc = mask ? select(e, mask(point), next, *acc) : next;
  }
  return *acc;
}

FailureOr<Element> Reduction::encode(Encoder &e) const {
  std::optional<Element> start = neutral(e);
  bool picks = kind == ScalarOp::MaxNumF || kind == ScalarOp::MinNumF;
  // Flags are about single operations, so these are written out.
  if (attrs.fastMath || picks || !start || extents.empty())
    return unrolled(e);
  return fold(e, *start);
}

/// Computes a result that may be a scalar.
static LogicalResult
computeResult(Operation *op, Value result, Encoder &e,
              llvm::function_ref<FailureOr<Element>(ArrayRef<IndexTerm>)> at) {
  auto type = dyn_cast<ShapedType>(result.getType());
  if (!type) {
    FailureOr<Element> element = at({});
    if (failed(element))
      return failure();
    e.define(result, *element);
    return success();
  }
  FailureOr<SymTensor> tensor =
      e.compute(*e.scalarType(type), sizesOf(type, e), at);
  if (failed(tensor))
    return failure();
  e.define(result, std::move(*tensor));
  return success();
}

static Element readOf(const SymTensor &tensor, ArrayRef<IndexTerm> at,
                      Encoder &e) {
  return readElement(e.terms(), tensor, at, e.context());
}

/// An accumulator at a result index; scalars are scalars everywhere.
static Element accumulator(Value acc, ArrayRef<IndexTerm> at, Encoder &e) {
  return isa<ShapedType>(acc.getType()) ? readOf(e.tensor(acc), at, e)
                                        : e.scalar(acc);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult tv::encodeReduction(vector::ReductionOp op, Value mask,
                                  Value result, Encoder &e) {
  const SymTensor source = e.tensor(op.getVector());
  Reduction r{op,      scalarOpOf(op.getKind(), source.type),
              {},      source.type,
              {},      std::nullopt,
              nullptr, nullptr};
  r.attrs.fastMath = static_cast<uint8_t>(op.getFastmath());
  llvm::append_range(r.extents, op.getSourceVectorType().getShape());
  r.value = [&](ArrayRef<IndexTerm> at) { return readOf(source, at, e); };
  if (mask)
    r.mask = [&](ArrayRef<IndexTerm> at) {
      return readOf(e.tensor(mask), at, e);
    };
  if (op.getAcc())
    r.init = e.scalar(op.getAcc());
  return computeResult(op, result, e,
                       [&](ArrayRef<IndexTerm>) { return r.encode(e); });
}

LogicalResult tv::encodeMultiReduction(vector::MultiDimReductionOp op,
                                       Value mask, Value result, Encoder &e) {
  const SymTensor source = e.tensor(op.getSource());
  // No dimension to reduce: the source, whatever the accumulator holds.
  if (op.getReductionDims().empty() && !mask) {
    defineAs(result, source, e);
    return success();
  }
  SmallVector<bool> reduced = op.getReductionMask();
  Reduction r{op,      scalarOpOf(op.getKind(), source.type),
              {},      source.type,
              {},      std::nullopt,
              nullptr, nullptr};
  for (auto [dim, size] : llvm::enumerate(op.getSourceVectorType().getShape()))
    if (reduced[dim])
      r.extents.push_back(size);
  return computeResult(op, result, e, [&](ArrayRef<IndexTerm> at) {
    auto where = [&](ArrayRef<IndexTerm> point) {
      IndexList all;
      unsigned outer = 0, inner = 0;
      for (bool isReduced : reduced)
        all.push_back(isReduced ? point[inner++] : at[outer++]);
      return all;
    };
    r.init = accumulator(op.getAcc(), at, e);
    r.value = [&](ArrayRef<IndexTerm> point) {
      return readOf(source, where(point), e);
    };
    if (mask)
      r.mask = [&](ArrayRef<IndexTerm> point) {
        return readOf(e.tensor(mask), where(point), e);
      };
    return r.encode(e);
  });
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

namespace {
class Contraction {
public:
  Contraction(vector::ContractionOp op, Value mask, Encoder &e)
      : op(op), mask(mask), e(e), lhs(e.tensor(op.getLhs())),
        rhs(e.tensor(op.getRhs())), maps(op.getIndexingMapsArray()),
        type(*e.scalarType(op.getResultType())) {}
  LogicalResult encode(Value result);

private:
  FailureOr<Element> elementAt(ArrayRef<IndexTerm> at);
  Element operand(const SymTensor &source, AffineMap map,
                  ArrayRef<IndexTerm> loops);

  vector::ContractionOp op;
  Value mask;
  Encoder &e;
  SymTensor lhs, rhs;
  SmallVector<AffineMap> maps;
  ScalarType type;
};
} // namespace

/// An element of an operand, widened to the accumulator's type.
Element Contraction::operand(const SymTensor &source, AffineMap map,
                             ArrayRef<IndexTerm> loops) {
  IndexList at;
  for (AffineExpr expr : map.getResults())
    at.push_back(loops[cast<AffineDimExpr>(expr).getPosition()]);
  Element element = readOf(source, at, e);
  if (source.type == type)
    return element;
  ScalarOp widen = type.isFloat() ? ScalarOp::ExtF : ScalarOp::ExtSI;
  return e.apply(widen, {}, type, {element}, op);
}

FailureOr<Element> Contraction::elementAt(ArrayRef<IndexTerm> at) {
  SmallVector<int64_t> bounds;
  op.getIterationBounds(bounds);
  SmallVector<IndexTerm> loops(bounds.size());
  for (auto [position, expr] : llvm::enumerate(maps[2].getResults()))
    loops[cast<AffineDimExpr>(expr).getPosition()] = at[position];
  Reduction r{op, scalarOpOf(op.getKind(), type),  {},      type,
              {}, accumulator(op.getAcc(), at, e), nullptr, nullptr};
  SmallVector<unsigned> inner;
  for (auto [loop, index] : llvm::enumerate(loops))
    if (!index) {
      inner.push_back(loop);
      r.extents.push_back(bounds[loop]);
    }
  auto allLoops = [&](ArrayRef<IndexTerm> point) {
    SmallVector<IndexTerm> all = loops;
    for (auto [loop, index] : llvm::zip_equal(inner, point))
      all[loop] = index;
    return all;
  };
  r.value = [&](ArrayRef<IndexTerm> point) {
    SmallVector<IndexTerm> all = allLoops(point);
    return e.apply(type.isFloat() ? ScalarOp::MulF : ScalarOp::MulI, {}, type,
                   {operand(lhs, maps[0], all), operand(rhs, maps[1], all)},
                   op);
  };
  if (mask)
    r.mask = [&](ArrayRef<IndexTerm> point) {
      return readOf(e.tensor(mask), allLoops(point), e);
    };
  return r.encode(e);
}

LogicalResult Contraction::encode(Value result) {
  for (const SymTensor &side : {lhs, rhs})
    if (side.type != type && (side.type.isFloat() != type.isFloat() ||
                              side.type.width() >= type.width()))
      return e.unsupported(op, "this mixture of element types has no encoding");
  return computeResult(op, result, e,
                       [&](ArrayRef<IndexTerm> at) { return elementAt(at); });
}

LogicalResult tv::encodeContract(vector::ContractionOp op, Value mask,
                                 Value result, Encoder &e) {
  return Contraction(op, mask, e).encode(result);
}

/// With an accumulator and kind `add`, floats are multiplied and added with one
/// rounding, as the operation promises.
static LogicalResult encodeOuterProduct(vector::OuterProductOp op, Encoder &e) {
  const SymTensor lhs = e.tensor(op.getLhs());
  bool isMatrix = isa<VectorType>(op.getRhs().getType());
  ScalarType type = lhs.type;
  ScalarOp kind = scalarOpOf(op.getKind(), type);
  return computeResult(
      op, op.getResult(), e, [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        Element a = readOf(lhs, {at[0]}, e);
        Element b = isMatrix ? readOf(e.tensor(op.getRhs()), {at[1]}, e)
                             : e.scalar(op.getRhs());
        if (op.getAcc() && kind == ScalarOp::AddF)
          return e.apply(ScalarOp::Fma, {}, type,
                         {a, b, readOf(e.tensor(op.getAcc()), at, e)}, op);
        Element product =
            e.apply(type.isFloat() ? ScalarOp::MulF : ScalarOp::MulI, {}, type,
                    {a, b}, op);
        if (!op.getAcc())
          return product;
        return e.apply(kind, {}, type,
                       {product, readOf(e.tensor(op.getAcc()), at, e)}, op);
      });
}

static LogicalResult encodeFma(vector::FMAOp op, Encoder &e) {
  return elementwise(op, 0, e,
                     [&](ArrayRef<Element> operands, ScalarType type) {
                       return e.apply(ScalarOp::Fma, {}, type, operands, op);
                     });
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// Running values along `dim` at the other indices: an inclusive scan starts
/// from the first element (the initial value is not read), an exclusive one
/// from the initial value.
static SmallVector<Element>
runningValues(vector::ScanOp op, ArrayRef<IndexTerm> others, Encoder &e) {
  const SymTensor &source = e.tensor(op.getSource());
  unsigned dim = op.getReductionDim();
  ScalarOp kind = scalarOpOf(op.getKind(), source.type);
  auto read = [&](int64_t k) {
    IndexList at(others);
    at.insert(at.begin() + dim, e.constant(k));
    return readOf(source, at, e);
  };
  SmallVector<Element> values = {
      op.getInclusive() ? read(0)
                        : accumulator(op.getInitialValue(), others, e)};
  for (int64_t k = 1; k < *source.shape[dim].constantInt64(); ++k)
    values.push_back(
        e.apply(kind, {}, source.type,
                {values.back(), read(op.getInclusive() ? k : k - 1)}, op));
  return values;
}

static LogicalResult encodeScan(vector::ScanOp op, Encoder &e) {
  unsigned dim = op.getReductionDim();
  if (op.getSourceType().getDimSize(dim) > kUnrollLimit)
    return e.unsupported(op, "a scan over more than 256 elements has no "
                             "encoding");
  LogicalResult scanned = computeResult(
      op, op.getDest(), e, [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        IndexList others(at);
        others.erase(others.begin() + dim);
        SmallVector<Element> values = runningValues(op, others, e);
        Element result = values.back();
        for (int64_t k = int64_t(values.size()) - 2; k >= 0; --k)
          result = e.terms().mkIte(eqZero(at[dim] - k), values[k], result,
                                   e.context());
        return result;
      });
  if (failed(scanned))
    return failure();
  return computeResult(op, op.getAccumulatedValue(), e,
                       [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
                         return runningValues(op, at, e).back();
                       });
}

//===----------------------------------------------------------------------===//
// Masked operations
//===----------------------------------------------------------------------===//

static LogicalResult encodeMask(vector::MaskOp op, Encoder &e) {
  Operation *inner = op.getMaskableOp();
  if (!inner)
    return e.unsupported(op, "a mask over nothing has no encoding");
  if (op.getPassthru())
    return e.unsupported(op, "a mask with a pass-through value has no "
                             "encoding");
  Value mask = op.getMask();
  Value result = op->getNumResults() ? op->getResult(0) : Value();
  if (auto reduction = dyn_cast<vector::ReductionOp>(inner))
    return encodeReduction(reduction, mask, result, e);
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(inner))
    return encodeMultiReduction(reduction, mask, result, e);
  if (auto contract = dyn_cast<vector::ContractionOp>(inner))
    return encodeContract(contract, mask, result, e);
  if (auto read = dyn_cast<vector::TransferReadOp>(inner))
    return encodeTransferRead(read, mask, result, e);
  if (auto write = dyn_cast<vector::TransferWriteOp>(inner))
    return encodeTransferWrite(write, mask, result, e);
  return e.unsupported(op, ("'" + inner->getName().getStringRef() +
                            "' under a mask has no encoding")
                               .str());
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

void tv::populateVectorReduceEncodings(OpEncodings &t) {
  t.on<vector::ContractionOp>([](vector::ContractionOp op, Encoder &e) {
    return encodeContract(op, Value(), op.getResult(), e);
  });
  t.on<vector::FMAOp>(encodeFma);
  t.on<vector::MaskOp>(encodeMask);
  t.on<vector::MultiDimReductionOp>(
      [](vector::MultiDimReductionOp op, Encoder &e) {
        return encodeMultiReduction(op, Value(), op.getDest(), e);
      });
  t.on<vector::OuterProductOp>(encodeOuterProduct);
  t.on<vector::ReductionOp>([](vector::ReductionOp op, Encoder &e) {
    return encodeReduction(op, Value(), op.getDest(), e);
  });
  t.on<vector::ScanOp>(encodeScan);
}
