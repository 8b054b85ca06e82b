//===- OpsShape.cpp - Operators that only rearrange ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::import;
using Shape = TensorBuilder::Shape;

/// view, reshape, flatten, squeeze, …: the file's result shape says it all.
static void lowerReshape(NodeLowering &op, Value v) {
  if (!op.ok())
    return;
  RankedTensorType from = TensorBuilder::typeOf(v), to = op.resultType();
  if (op.require(from.getNumElements() == to.getNumElements(),
                 "it changes the number of elements from " +
                     Twine(from.getNumElements()) + " to " +
                     Twine(to.getNumElements())))
    op.bind(op.b.reshape(v, to.getShape()));
}

static void lowerView(NodeLowering &op) { lowerReshape(op, op.tensor("self")); }

static void lowerIdentity(NodeLowering &op) {
  Value v = op.tensor("self");
  if (op.ok())
    op.bind(v);
}

static void lowerDropout(NodeLowering &op) {
  Value v = op.tensor("input");
  if (op.boolean("train") && op.number("p") != 0.0)
    return op.fail("it drops elements at random",
                   "call model.eval() before the export");
  if (op.ok())
    op.bind(v);
}

static void lowerDropoutInPlace(NodeLowering &op) {
  Value v = op.tensor("self");
  if (op.boolean("train") && op.number("p") != 0.0)
    return op.fail("it drops elements at random",
                   "call model.eval() before the export");
  if (op.ok())
    op.bind(v);
}

static void permute(NodeLowering &op, Value v, Ints permutation) {
  Ints sorted(permutation);
  llvm::sort(sorted);
  for (auto [i, d] : llvm::enumerate(sorted))
    if (d != int64_t(i))
      return op.fail("its dimensions are no permutation");
  if (permutation.size() != TensorBuilder::shapeOf(v).size())
    return op.fail("its dimensions are no permutation");
  op.bind(op.b.transpose(v, permutation));
}

static void lowerPermute(NodeLowering &op) {
  Value v = op.tensor("self");
  Ints permutation = op.integers("dims");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  for (int64_t &d : permutation)
    d = op.wrapDim(d, rank);
  if (op.ok())
    permute(op, v, permutation);
}

static Ints identityPermutation(int64_t rank) {
  Ints p;
  for (int64_t i = 0; i < rank; ++i)
    p.push_back(i);
  return p;
}

static void lowerTranspose(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  int64_t a = op.dim("dim0", rank), c = op.dim("dim1", rank);
  if (!op.ok())
    return;
  Ints p = identityPermutation(rank);
  if (rank > 0)
    std::swap(p[a], p[c]);
  permute(op, v, p);
}

static void lowerSwapAxes(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  int64_t x = op.dim("axis0", rank), y = op.dim("axis1", rank);
  Ints permutation;
  for (int64_t i = 0; i < rank; ++i)
    permutation.push_back(i == x ? y : i == y ? x : i);
  if (op.ok())
    permute(op, v, permutation);
}

/// The named dimensions go to their destinations, the others keep their order.
static void lowerMoveDim(NodeLowering &op) {
  Value v = op.tensor("self");
  Ints from = op.integers("source"), to = op.integers("destination");
  if (!op.ok() || !op.require(from.size() == to.size(),
                              "it moves another number of dimensions than it "
                              "has places for"))
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  Ints permutation(rank, -1);
  for (auto [source, destination] : llvm::zip_equal(from, to)) {
    source = op.wrapDim(source, rank);
    destination = op.wrapDim(destination, rank);
    if (!op.ok() || rank == 0)
      return;
    permutation[destination] = source;
  }
  int64_t next = 0;
  for (int64_t &place : permutation) {
    while (place < 0 && llvm::is_contained(from, next))
      ++next;
    if (place < 0)
      place = next++;
  }
  permute(op, v, permutation);
}

static void lowerT(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  if (op.require(rank <= 2, "its operand has more than two dimensions"))
    op.bind(rank == 2 ? op.b.transpose(v, {1, 0}) : v);
}

/// Right-aligned broadcasting to the result's shape.
static void lowerExpand(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  Shape from = TensorBuilder::shapeOf(v), to = op.resultShape();
  bool fits = from.size() <= to.size();
  for (size_t i = 0; fits && i < from.size(); ++i) {
    int64_t target = to[to.size() - from.size() + i];
    fits = from[i] == target || from[i] == 1;
  }
  if (op.require(fits, "its operand cannot be expanded to the result's shape"))
    op.bind(op.b.broadcastTo(v, to));
}

static void lowerPixelShuffle(NodeLowering &op) {
  Value v = op.tensor("self");
  int64_t r = op.integer("upscale_factor");
  if (!op.ok())
    return;
  Shape s = TensorBuilder::shapeOf(v);
  if (!op.require(s.size() == 4, "its operand is not [N, C, H, W]") ||
      !op.require(r > 0 && r < 1024 && s[1] % (r * r) == 0,
                  "its channels are no multiple of the squared factor"))
    return;
  int64_t c = s[1] / (r * r);
  Value split = op.b.reshape(v, {s[0], c, r, r, s[2], s[3]});
  Value moved = op.b.transpose(split, {0, 1, 4, 2, 5, 3});
  op.bind(op.b.reshape(moved, {s[0], c, s[2] * r, s[3] * r}));
}

static void lowerPixelUnshuffle(NodeLowering &op) {
  Value v = op.tensor("self");
  int64_t r = op.integer("downscale_factor");
  if (!op.ok())
    return;
  Shape s = TensorBuilder::shapeOf(v);
  if (!op.require(s.size() == 4, "its operand is not [N, C, H, W]") ||
      !op.require(r > 0 && r < 1024 && s[2] % r == 0 && s[3] % r == 0,
                  "its height or width is no multiple of the factor"))
    return;
  Value split = op.b.reshape(v, {s[0], s[1], s[2] / r, r, s[3] / r, r});
  Value moved = op.b.transpose(split, {0, 1, 3, 5, 2, 4});
  op.bind(op.b.reshape(moved, {s[0], s[1] * r * r, s[2] / r, s[3] / r}));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static void lowerConvert(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  DType from = op.dtypeOf("self"), to = op.resultDType();
  if (from == to)
    return op.bind(v);
  Type element = op.resultType().getElementType();
  op.bind(op.b.elementwise(
      v, TensorBuilder::shapeOf(v), element,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        return castScalar(b, loc, args[0], from, to);
      }));
}

static Value castFromFloat(OpBuilder &b, Location loc, Value v, Type target,
                           DType to) {
  if (isFloat(to)) {
    unsigned from = v.getType().getIntOrFloatBitWidth(),
             width = target.getIntOrFloatBitWidth();
    if (from == width) { // f16 and bf16
      v = arith::ExtFOp::create(b, loc, b.getF32Type(), v);
      from = 32;
    }
    if (from < width)
      return arith::ExtFOp::create(b, loc, target, v);
    return arith::TruncFOp::create(b, loc, target, v);
  }
  if (to == DType::Bool) {
    Value zero = TensorBuilder(b, loc).scalar(v.getType(), 0.0);
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, v, zero);
  }
  if (isUnsigned(to))
    return arith::FPToUIOp::create(b, loc, target, v);
  return arith::FPToSIOp::create(b, loc, target, v);
}

Value panpipe::import::castScalar(OpBuilder &b, Location loc, Value v,
                                  DType from, DType to) {
  if (from == to)
    return v;
  Type target = elementType(b.getContext(), to);
  if (isFloat(from))
    return castFromFloat(b, loc, v, target, to);
  bool zeroExtended = isUnsigned(from) || from == DType::Bool;
  if (isFloat(to)) {
    if (zeroExtended)
      return arith::UIToFPOp::create(b, loc, target, v);
    return arith::SIToFPOp::create(b, loc, target, v);
  }
  if (to == DType::Bool) {
    Value zero = TensorBuilder(b, loc).scalar(v.getType(), 0.0);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, v, zero);
  }
  unsigned width = v.getType().getIntOrFloatBitWidth();
  unsigned wanted = target.getIntOrFloatBitWidth();
  if (width == wanted)
    return v;
  if (width > wanted)
    return arith::TruncIOp::create(b, loc, target, v);
  if (zeroExtended)
    return arith::ExtUIOp::create(b, loc, target, v);
  return arith::ExtSIOp::create(b, loc, target, v);
}

ArrayRef<OpEntry> panpipe::import::shapeOps() {
  constexpr Accepts any = Accepts::Anything;
  static const OpEntry table[] = {
      {"view", any, lowerView},
      {"_unsafe_view", any, lowerView},
      {"reshape", any, lowerView},
      {"flatten.using_ints", any, lowerView},
      {"unflatten.int", any, lowerView},
      {"squeeze", any, lowerView},
      {"squeeze.dim", any, lowerView},
      {"squeeze.dims", any, lowerView},
      {"unsqueeze", any, lowerView},
      {"view_as", any, lowerView},
      {"clone", any, lowerIdentity},
      {"contiguous", any, lowerIdentity},
      {"alias", any, lowerIdentity},
      {"detach", any, lowerIdentity},
      {"detach_", any, lowerIdentity},
      {"lift_fresh_copy", any, lowerIdentity},
      {"dropout", any, lowerDropout},
      {"feature_dropout", any, lowerDropout},
      {"alpha_dropout", any, lowerDropout},
      {"dropout_", any, lowerDropoutInPlace},
      {"permute", any, lowerPermute},
      {"transpose.int", any, lowerTranspose},
      {"swapaxes", any, lowerSwapAxes},
      {"movedim.int", any, lowerMoveDim},
      {"movedim.intlist", any, lowerMoveDim},
      {"t", any, lowerT},
      {"expand", any, lowerExpand},
      {"expand_as", any, lowerExpand},
      {"pixel_shuffle", any, lowerPixelShuffle},
      {"pixel_unshuffle", any, lowerPixelUnshuffle},
      {"to.dtype", any, lowerConvert},
      {"to.dtype_layout", any, lowerConvert},
      {"to.device", any, lowerConvert},
      {"to.other", any, lowerConvert},
      {"type_as", any, lowerConvert},
      {"_to_copy", any, lowerConvert},
  };
  return table;
}
