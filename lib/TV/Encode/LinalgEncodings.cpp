//===- LinalgEncodings.cpp - Encodings of linalg --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The table of linalg, and the operations that are not structured: index,
/// softmax, pack and unpack.
///
//===----------------------------------------------------------------------===//

#include "LinalgStructured.h"

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

static LogicalResult encodeIndex(linalg::IndexOp op, Encoder &e) {
  e.define(op, e.defined(e.indexValue(e.loopIndices()[op.getDim()])));
  return success();
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

namespace {
/// In the steps of the operation's own decomposition: the largest element by
/// maxnumf from NaN, exp(x - largest), their sum from +0.0, the quotient.
class Softmax {
public:
  Softmax(linalg::SoftmaxOp op, Encoder &e)
      : op(op), e(e), input(e.tensor(op.getInput())), dim(op.getDimension()) {}
  LogicalResult encode();

private:
  FailureOr<SymTensor> reduce(const SymTensor &source, ScalarOp kind,
                              const Term *init);
  /// result[i] = kind(a[i], b[i without dim]).
  FailureOr<SymTensor> combine(const SymTensor &a, const SymTensor &b,
                               ScalarOp kind, bool thenExp);

  linalg::SoftmaxOp op;
  Encoder &e;
  SymTensor input;
  unsigned dim;
};
} // namespace

FailureOr<SymTensor> Softmax::reduce(const SymTensor &source, ScalarOp kind,
                                     const Term *init) {
  SmallVector<IndexTerm> shape(source.shape.begin(), source.shape.end());
  shape.erase(shape.begin() + dim);
  return e.compute(
      source.type, shape, [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        FoldSpec spec;
        spec.op = kind;
        spec.location = toText(op.getLoc());
        spec.vars.push_back(e.terms().index().freshVar());
        spec.extents.push_back(source.shape[dim]);
        SmallVector<IndexTerm> from(at.begin(), at.end());
        from.insert(from.begin() + dim, spec.vars.front());
        Element element = readElement(e.terms(), source, from,
                                      foldContext(e.context(), spec));
        return mkFold(e.terms(), e.context(), spec, element, e.defined(init));
      });
}

FailureOr<SymTensor> Softmax::combine(const SymTensor &a, const SymTensor &b,
                                      ScalarOp kind, bool thenExp) {
  return e.compute(
      a.type, a.shape, [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        SmallVector<IndexTerm> row(at.begin(), at.end());
        row.erase(row.begin() + dim);
        Element x = readElement(e.terms(), a, at, e.context());
        Element y = readElement(e.terms(), b, row, e.context());
        Element result = e.apply(kind, ScalarAttrs(), a.type, {x, y}, op);
        return thenExp
                   ? e.apply(ScalarOp::Exp, ScalarAttrs(), a.type, {result}, op)
                   : result;
      });
}

LogicalResult Softmax::encode() {
  const Term *nan = e.terms().mkConst(input.type, canonicalNaN(input.type));
  FailureOr<SymTensor> largest = reduce(input, ScalarOp::MaxNumF, nan);
  if (failed(largest))
    return failure();
  FailureOr<SymTensor> powers =
      combine(input, *largest, ScalarOp::SubF, /*thenExp=*/true);
  if (failed(powers))
    return failure();
  FailureOr<SymTensor> sum =
      reduce(*powers, ScalarOp::AddF, e.terms().mkFloat(input.type, 0.0));
  if (failed(sum))
    return failure();
  FailureOr<SymTensor> result =
      combine(*powers, *sum, ScalarOp::DivF, /*thenExp=*/false);
  if (failed(result))
    return failure();
  e.define(op->getResult(0), std::move(*result));
  return success();
}

static LogicalResult encodeSoftmax(linalg::SoftmaxOp op, Encoder &e) {
  if (!op.hasPureTensorSemantics())
    return e.unsupported(op, "only tensor operands have an encoding");
  return Softmax(op, e).encode();
}

//===----------------------------------------------------------------------===//
// Pack and unpack
//===----------------------------------------------------------------------===//

namespace {
/// Where the dims of the packed form come from.
struct Tiling {
  SmallVector<int64_t>
      outer; ///< packed outer dim k walks over plain dim outer[k]
  SmallVector<int64_t>
      tiled; ///< packed inner dim k is inside of plain dim tiled[k]
  SmallVector<IndexTerm> sizes; ///< tile size per inner dim
};
} // namespace

template <typename OpT>
static LogicalResult readTiling(OpT op, unsigned rank, Encoder &e,
                                Tiling &tiling) {
  ArrayRef<int64_t> permutation = op.getOuterDimsPerm();
  for (unsigned dim = 0; dim < rank; ++dim)
    tiling.outer.push_back(permutation.empty() ? dim : permutation[dim]);
  tiling.tiled.assign(op.getInnerDimsPos().begin(), op.getInnerDimsPos().end());
  if (failed(e.mixed(op.getMixedTiles(), tiling.sizes, op)))
    return failure();
  for (IndexTerm size : tiling.sizes)
    if (!IndexManager::isDivisor(size) || !size.isConstant())
      return e.unsupported(op, "tile sizes that are not constant have no "
                               "encoding");
  return success();
}

static LogicalResult encodePack(linalg::PackOp op, Encoder &e) {
  if (!op.hasPureTensorSemantics())
    return e.unsupported(op, "only tensor operands have an encoding");
  const SymTensor source = e.tensor(op.getSource());
  const SymTensor dest = e.tensor(op.getDest());
  unsigned rank = source.rank();
  Tiling tiling;
  if (failed(readTiling(op, rank, e, tiling)))
    return failure();
  std::optional<Element> padding;
  if (Value value = op.getPaddingValue())
    padding = e.scalar(value);
  auto plainIndex = [&](ArrayRef<IndexTerm> at) {
    IndexList plain(rank);
    for (unsigned k = 0; k < rank; ++k)
      plain[tiling.outer[k]] = at[k];
    for (auto [k, dim] : llvm::enumerate(tiling.tiled))
      plain[dim] = plain[dim] * tiling.sizes[k] + at[rank + k];
    return plain;
  };
  FailureOr<SymTensor> result = e.compute(
      source.type, dest.shape,
      [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        IndexList plain = plainIndex(at);
        Guard inside;
        for (auto [index, size] : llvm::zip_equal(plain, source.shape))
          inside.push_back(geZero(size - 1 - index));
        if (!padding) {
          e.require(inside, "pack leaves part of a tile without a value", op);
          return viewElement(e.terms(), source, plain, e.context());
        }
        IndexContext known = e.context().assume(inside);
        return e.terms().mkIte(inside,
                               viewElement(e.terms(), source, plain, known),
                               *padding, e.context());
      });
  if (failed(result))
    return failure();
  e.define(op->getResult(0), std::move(*result));
  return success();
}

static LogicalResult encodeUnpack(linalg::UnPackOp op, Encoder &e) {
  if (!op.hasPureTensorSemantics())
    return e.unsupported(op, "only tensor operands have an encoding");
  const SymTensor source = e.tensor(op.getSource());
  const SymTensor dest = e.tensor(op.getDest());
  unsigned rank = dest.rank();
  Tiling tiling;
  if (failed(readTiling(op, rank, e, tiling)))
    return failure();
  // The tiles cover the result.
  for (unsigned k = 0; k < rank; ++k) {
    IndexTerm covered = source.shape[k];
    for (auto [tile, dim] : llvm::enumerate(tiling.tiled))
      if (dim == tiling.outer[k])
        covered = covered * tiling.sizes[tile];
    e.require(geZero(covered - dest.shape[tiling.outer[k]]),
              "the tiles do not cover the result", op);
  }
  e.define(
      op->getResult(0),
      indexMapTensor(e.terms(), source, dest.shape,
                     [&](ArrayRef<IndexTerm> at, const IndexContext &context) {
                       IndexList plain(at.begin(), at.end()), packed;
                       SmallVector<IndexTerm> inner;
                       for (auto [k, dim] : llvm::enumerate(tiling.tiled)) {
                         IndexTerm size = tiling.sizes[k];
                         inner.push_back(context.mod(at[dim], size));
                         plain[dim] = context.floorDiv(at[dim], size);
                       }
                       for (unsigned k = 0; k < rank; ++k)
                         packed.push_back(plain[tiling.outer[k]]);
                       packed.append(inner.begin(), inner.end());
                       return packed;
                     }));
  return success();
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

/// Operations of linalg.generic's form; each has a body of its own.
static void populateStructured(OpEncodings &t) {
  using namespace linalg;
  t.onAll<GenericOp, MapOp, ReduceOp, TransposeOp, BroadcastOp, ElementwiseOp,
          FillOp, CopyOp, SelectOp>(encodeStructured);
  t.onAll<AbsOp, AddOp, CeilOp, DivOp, DivUnsignedOp, ErfOp, ExpOp, FloorOp,
          LogOp, MaxOp, MinOp, MulOp, NegFOp, PowFOp, ReciprocalOp, RoundOp,
          RsqrtOp, SqrtOp, SquareOp, SubOp, TanhOp>(encodeStructured);
  t.onAll<MatmulOp, BatchMatmulOp, BatchReduceMatmulOp, ContractOp, MatvecOp,
          VecmatOp, BatchMatvecOp, BatchVecmatOp, DotOp, Mmt4DOp, BatchMmt4DOp,
          QuantizedMatmulOp, QuantizedBatchMatmulOp>(encodeStructured);
  t.onAll<Conv1DOp, Conv1DNcwFcwOp, Conv1DNwcWcfOp, Conv2DOp, Conv2DNchwFchwOp,
          Conv2DNchwFchwQOp, Conv2DNgchwFgchwOp, Conv2DNgchwGfchwOp,
          Conv2DNgchwGfchwQOp, Conv2DNhwcFhwcOp, Conv2DNhwcFhwcQOp,
          Conv2DNhwcHwcfOp, Conv2DNhwcHwcfQOp, Conv2DNhwgcGfhwcOp,
          Conv2DNhwgcGfhwcQOp, Conv3DOp, Conv3DNcdhwFcdhwOp, Conv3DNdhwcDhwcfOp,
          Conv3DNdhwcDhwcfQOp>(encodeStructured);
  t.onAll<DepthwiseConv1DNcwCwOp, DepthwiseConv1DNwcWcOp,
          DepthwiseConv1DNwcWcmOp, DepthwiseConv2DNchwChwOp,
          DepthwiseConv2DNhwcHwcOp, DepthwiseConv2DNhwcHwcQOp,
          DepthwiseConv2DNhwcHwcmOp, DepthwiseConv2DNhwcHwcmQOp,
          DepthwiseConv3DNcdhwCdhwOp, DepthwiseConv3DNdhwcDhwcOp,
          DepthwiseConv3DNdhwcDhwcmOp>(encodeStructured);
  t.onAll<PoolingNchwMaxOp, PoolingNchwSumOp, PoolingNcwMaxOp, PoolingNcwSumOp,
          PoolingNdhwcMaxOp, PoolingNdhwcMinOp, PoolingNdhwcSumOp,
          PoolingNhwcMaxOp, PoolingNhwcMaxUnsignedOp, PoolingNhwcMinOp,
          PoolingNhwcMinUnsignedOp, PoolingNhwcSumOp, PoolingNwcMaxOp,
          PoolingNwcMaxUnsignedOp, PoolingNwcMinOp, PoolingNwcMinUnsignedOp,
          PoolingNwcSumOp>(encodeStructured);
}

void tv::populateLinalgEncodings(OpEncodings &t) {
  populateStructured(t);
  t.on<linalg::IndexOp>(encodeIndex);
  t.on<linalg::PackOp>(encodePack);
  t.on<linalg::SoftmaxOp>(encodeSoftmax);
  t.on<linalg::UnPackOp>(encodeUnpack);
}
