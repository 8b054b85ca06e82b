//===- TosaStructureEncodings.cpp - tosa ops that move or reduce ----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shapes are constants (tosa.const_shape), so most of these are views. Sums
/// start from zero and run in the order of the specification's loops.
///
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "TensorEncodings.h"
#include "TosaEncodings.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static LogicalResult encodeConst(tosa::ConstOp op, Encoder &e) {
  FailureOr<SymTensor> tensor = constantElements(op.getValues(), op, e);
  if (failed(tensor))
    return failure();
  e.define(op, std::move(*tensor));
  return success();
}

/// Whoever uses the shape reads the attribute.
static LogicalResult encodeConstShape(tosa::ConstShapeOp op, Encoder &e) {
  e.define(op, SymValue());
  return success();
}

static LogicalResult numbersOf(Value shape, Operation *op, Encoder &e,
                               SmallVectorImpl<int64_t> &numbers) {
  auto constant = shape.getDefiningOp<tosa::ConstShapeOp>();
  if (!constant)
    return e.unsupported(op, "a shape that is not a tosa.const_shape has no "
                             "encoding");
  for (const llvm::APInt &number :
       constant.getValues().getValues<llvm::APInt>())
    numbers.push_back(number.getSExtValue());
  return success();
}

/// Defines the result and checks its sizes against the result's type.
static LogicalResult finish(Operation *op, SymTensor tensor, Encoder &e) {
  e.requireStaticSizes(tensor.shape,
                       cast<ShapedType>(op->getResult(0).getType()).getShape(),
                       op);
  e.define(op->getResult(0), std::move(tensor));
  return success();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static LogicalResult encodeIdentity(tosa::IdentityOp op, Encoder &e) {
  return finish(op, e.tensor(op.getInput1()), e);
}

static LogicalResult encodeReshape(tosa::ReshapeOp op, Encoder &e) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  const SymTensor &source = e.tensor(op.getInput1());
  bool isStatic = type && type.hasStaticShape() &&
                  llvm::all_of(source.shape, [](IndexTerm size) {
                    return size.constantInt64().has_value();
                  });
  if (!isStatic)
    return e.unsupported(op, "a reshape of dynamic sizes has no encoding");
  SmallVector<IndexTerm> shape;
  for (int64_t size : type.getShape())
    shape.push_back(e.constant(size));
  e.define(op, reshapeTensor(e.terms(), source, shape));
  return success();
}

static LogicalResult encodeTranspose(tosa::TransposeOp op, Encoder &e) {
  SmallVector<int64_t> order(op.getPerms().begin(), op.getPerms().end());
  return finish(op, transposeTensor(e.terms(), e.tensor(op.getInput1()), order),
                e);
}

/// A size of -1 reaches to the end.
static LogicalResult encodeSlice(tosa::SliceOp op, Encoder &e) {
  const SymTensor &source = e.tensor(op.getInput1());
  SmallVector<int64_t> start, size;
  if (failed(numbersOf(op.getStart(), op, e, start)) ||
      failed(numbersOf(op.getSize(), op, e, size)))
    return failure();
  SmallVector<IndexTerm> offsets, sizes, strides;
  for (unsigned dim = 0; dim < source.rank(); ++dim) {
    offsets.push_back(e.constant(start[dim]));
    sizes.push_back(size[dim] < 0 ? source.shape[dim] - start[dim]
                                  : e.constant(size[dim]));
    strides.push_back(e.constant(1));
    e.require({geZero(offsets.back()), geZero(sizes.back()),
               geZero(source.shape[dim] - offsets.back() - sizes.back())},
              "slice out of bounds", op);
  }
  return finish(op, extractSlice(e.terms(), source, offsets, sizes, strides),
                e);
}

static LogicalResult encodeConcat(tosa::ConcatOp op, Encoder &e) {
  SmallVector<SymTensor> parts;
  for (Value input : op.getInput1())
    parts.push_back(e.tensor(input));
  for (const SymTensor &part : ArrayRef(parts).drop_front())
    for (unsigned dim = 0; dim < part.rank(); ++dim)
      if (dim != op.getAxis())
        e.requireEqual(parts[0].shape[dim], part.shape[dim],
                       "parts of different size", op);
  return finish(op, concatTensors(e.terms(), parts, op.getAxis()), e);
}

static LogicalResult encodeTile(tosa::TileOp op, Encoder &e) {
  const SymTensor &source = e.tensor(op.getInput1());
  SmallVector<int64_t> times;
  if (failed(numbersOf(op.getMultiples(), op, e, times)))
    return failure();
  SmallVector<IndexTerm> shape;
  for (auto [size, factor] : llvm::zip_equal(source.shape, times)) {
    if (factor < 0 || !size.constantInt64())
      return e.unsupported(op, "tiling by an inferred factor, or of dynamic "
                               "sizes, has no encoding");
    shape.push_back(size * factor);
  }
  auto map = [&](ArrayRef<IndexTerm> at, const IndexContext &inside) {
    IndexList from;
    for (auto [index, size] : llvm::zip_equal(at, source.shape))
      from.push_back(size.constantInt64() == 0 ? e.constant(0)
                                               : inside.mod(index, size));
    return from;
  };
  return finish(op, indexMapTensor(e.terms(), source, shape, map), e);
}

static LogicalResult encodeReverse(tosa::ReverseOp op, Encoder &e) {
  const SymTensor &source = e.tensor(op.getInput1());
  unsigned axis = op.getAxis();
  auto map = [&](ArrayRef<IndexTerm> at, const IndexContext &) {
    IndexList from(at);
    from[axis] = source.shape[axis] - 1 - at[axis];
    return from;
  };
  return finish(op, indexMapTensor(e.terms(), source, source.shape, map), e);
}

/// Widths are listed as low, high for each dimension.
static LogicalResult encodePad(tosa::PadOp op, Encoder &e) {
  SmallVector<int64_t> widths;
  if (failed(numbersOf(op.getPadding(), op, e, widths)))
    return failure();
  SmallVector<IndexTerm> low, high;
  for (unsigned i = 0; i < widths.size(); i += 2) {
    if (widths[i] < 0 || widths[i + 1] < 0)
      return e.unsupported(op, "padding of an inferred width has no encoding");
    low.push_back(e.constant(widths[i]));
    high.push_back(e.constant(widths[i + 1]));
  }
  Element value = singleElement(op.getPadConst(), e);
  return finish(op,
                padTensor(e.terms(), e.tensor(op.getInput1()), low, high,
                          [&](ArrayRef<IndexTerm>, const IndexContext &) {
                            return value;
                          }),
                e);
}

/// result[n, w, c] = values[n, indices[n, w], c].
static LogicalResult encodeGather(tosa::GatherOp op, Encoder &e) {
  const SymTensor values = e.tensor(op.getValues());
  const SymTensor indices = e.tensor(op.getIndices());
  e.requireEqual(values.shape[0], indices.shape[0], "batches of different size",
                 op);
  FailureOr<SymTensor> result = e.compute(
      values.type, {values.shape[0], indices.shape[1], values.shape[2]},
      [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        Element index =
            readElement(e.terms(), indices, {at[0], at[1]}, e.context());
        return e.readAt(values,
                        {e.defined(e.indexValue(at[0])), index,
                         e.defined(e.indexValue(at[2]))},
                        op);
      });
  if (failed(result))
    return failure();
  return finish(op, std::move(*result), e);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Where a reduction starts: sums from +0.0, everything else from the value
/// that changes nothing.
static std::optional<llvm::APInt> startOf(ScalarOp kind, ScalarType type) {
  if (kind == ScalarOp::AddF)
    return llvm::APFloat::getZero(type.fltSemantics()).bitcastToAPInt();
  return identityOf(kind, type);
}

template <typename OpT, ScalarOp real, ScalarOp integer>
static LogicalResult encodeReduce(OpT op, Encoder &e) {
  const SymTensor source = e.tensor(op.getInput());
  if constexpr (real == ScalarOp::MaximumF || real == ScalarOp::MinimumF)
    if (source.type.isFloat() &&
        op.getNanMode() == tosa::NanPropagationMode::IGNORE)
      return e.unsupported(op, "a reduction that ignores NaN has no encoding");
  if (cast<ShapedType>(op.getInput().getType())
          .getElementType()
          .isUnsignedInteger())
    return e.unsupported(op, "unsigned integer types have no encoding");
  unsigned axis = op.getAxis();
  SmallVector<IndexTerm> shape(source.shape.begin(), source.shape.end());
  shape[axis] = e.constant(1);
  FoldSpec spec;
  spec.op = source.type.isFloat() ? real : integer;
  std::optional<llvm::APInt> start = startOf(spec.op, source.type);
  if (!start)
    return e.unsupported(op, "this reduction has no encoding");
  spec.vars.push_back(e.terms().index().freshVar());
  spec.extents.push_back(source.shape[axis]);
  FailureOr<SymTensor> result = e.compute(
      source.type, shape, [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        IndexList from(at);
        from[axis] = spec.vars[0];
        Element element = readElement(e.terms(), source, from,
                                      foldContext(e.context(), spec));
        return mkFold(e.terms(), e.context(), spec, element,
                      e.defined(e.terms().mkConst(source.type, *start)));
      });
  if (failed(result))
    return failure();
  return finish(op, std::move(*result), e);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult TosaProducts::check(Value zeroPoint, ScalarType from) {
  if (from.isFloat() != type.isFloat() || from.width() > type.width())
    return e.unsupported(op, "this mixture of element types has no encoding");
  Element point = singleElement(zeroPoint, e);
  if (from.isFloat() &&
      (!point.value->isConst() || !point.value->bits().isZero()))
    return e.unsupported(op, "zero points of floats have no encoding");
  return success();
}

Element TosaProducts::widened(Element x, Value zeroPoint) {
  auto widen = [&](Element y) {
    if (y.value->type() == type)
      return y;
    return e.apply(type.isFloat() ? ScalarOp::ExtF : ScalarOp::ExtSI, {}, type,
                   {y}, op);
  };
  if (type.isFloat())
    return widen(x);
  return e.apply(ScalarOp::SubI, {}, type,
                 {widen(x), widen(singleElement(zeroPoint, e))}, op);
}

static LogicalResult encodeMatMul(tosa::MatMulOp op, Encoder &e) {
  const SymTensor a = e.tensor(op.getA()), b = e.tensor(op.getB());
  TosaProducts products(op, e);
  if (failed(products.check(op.getAZp(), a.type)) ||
      failed(products.check(op.getBZp(), b.type)))
    return failure();
  e.requireEqual(a.shape[0], b.shape[0], "batches of different size", op);
  e.requireEqual(a.shape[2], b.shape[1], "operands of different size", op);
  FoldSpec spec;
  spec.op = products.sum();
  spec.vars.push_back(e.terms().index().freshVar());
  spec.extents.push_back(a.shape[2]);
  FailureOr<SymTensor> result = e.compute(
      products.resultType(), {a.shape[0], a.shape[1], b.shape[2]},
      [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        IndexContext inside = foldContext(e.context(), spec);
        IndexTerm k = spec.vars[0];
        Element x = readElement(e.terms(), a, {at[0], at[1], k}, inside);
        Element y = readElement(e.terms(), b, {at[0], k, at[2]}, inside);
        Element product = products.product(products.widened(x, op.getAZp()),
                                           products.widened(y, op.getBZp()));
        return mkFold(e.terms(), e.context(), spec, product, products.zero());
      });
  if (failed(result))
    return failure();
  return finish(op, std::move(*result), e);
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

void tv::populateTosaStructureEncodings(OpEncodings &t) {
  using S = ScalarOp;
  t.on(encodeConcat);
  t.on(encodeConst);
  t.on(encodeConstShape);
  t.on(encodeGather);
  t.on(encodeIdentity);
  t.on(encodeMatMul);
  t.on(encodePad);
  t.on(encodeReduce<tosa::ReduceAllOp, S::AndI, S::AndI>);
  t.on(encodeReduce<tosa::ReduceAnyOp, S::OrI, S::OrI>);
  t.on(encodeReduce<tosa::ReduceMaxOp, S::MaximumF, S::MaxSI>);
  t.on(encodeReduce<tosa::ReduceMinOp, S::MinimumF, S::MinSI>);
  t.on(encodeReduce<tosa::ReduceProductOp, S::MulF, S::MulI>);
  t.on(encodeReduce<tosa::ReduceSumOp, S::AddF, S::AddI>);
  t.on(encodeReshape);
  t.on(encodeReverse);
  t.on(encodeSlice);
  t.on(encodeTile);
  t.on(encodeTranspose);
}
