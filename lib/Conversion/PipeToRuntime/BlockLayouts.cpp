//===- BlockLayouts.cpp - Blocked layout of images ------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Convolutions and poolings take images in blocked layout wherever the number
/// of channels is a multiple of the block: by this rule alone, so that the same
/// operation runs the same kernel however the model is cut into stages. Around
/// each of them `linalg.pack` and `linalg.unpack` change the layout; then
/// operations on an unpacked image are rewritten to work on the packed one, and
/// pairs of changes cancel.
///
//===----------------------------------------------------------------------===//

#include "KernelCalls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::lower;

namespace {

class Blocker {
public:
  Blocker(KernelTable &table, int64_t block) : table(table), block(block) {}
  void run(Operation *stage);

private:
  KernelTable &table;
  int64_t block;

  bool canBlock(Value value) const;
  Value pack(OpBuilder &b, Location loc, Value value);
  Value unpack(OpBuilder &b, Location loc, Value packed);
  void blockCall(func::CallOp call, LibraryKernel kernel);
  bool blockGeneric(linalg::GenericOp op);
  bool blockConcat(tensor::ConcatOp op);
};

/// The packed image behind `value`, or null.
static Value packedSource(Value value) {
  auto unpack = value.getDefiningOp<linalg::UnPackOp>();
  return unpack ? unpack.getSource() : Value();
}

static RankedTensorType typeOf(Value v) {
  return cast<RankedTensorType>(v.getType());
}

} // namespace

bool Blocker::canBlock(Value value) const {
  RankedTensorType type = typeOf(value);
  return type.getRank() == 4 && type.getElementType().isF32() &&
         type.getDimSize(1) % block == 0;
}

Value Blocker::pack(OpBuilder &b, Location loc, Value value) {
  if (Value packed = packedSource(value))
    return packed;
  ArrayRef<int64_t> s = typeOf(value).getShape();
  Value dest = tensor::EmptyOp::create(
      b, loc, {s[0], s[1] / block, s[2], s[3], block}, b.getF32Type());
  return linalg::PackOp::create(b, loc, value, dest, ArrayRef<int64_t>{1},
                                ArrayRef<OpFoldResult>{b.getIndexAttr(block)})
      ->getResult(0);
}

Value Blocker::unpack(OpBuilder &b, Location loc, Value packed) {
  ArrayRef<int64_t> s = typeOf(packed).getShape();
  Value dest = tensor::EmptyOp::create(b, loc, {s[0], s[1] * s[4], s[2], s[3]},
                                       b.getF32Type());
  return linalg::UnPackOp::create(b, loc, packed, dest, ArrayRef<int64_t>{1},
                                  ArrayRef<OpFoldResult>{b.getIndexAttr(block)})
      ->getResult(0);
}

void Blocker::blockCall(func::CallOp call, LibraryKernel kernel) {
  bool src = canBlock(call.getOperand(0)), dst = canBlock(call.getResult(0));
  kernel.window.block = block;
  if (!src && !dst)
    return;
  OpBuilder b(call);
  SmallVector<Value> operands(call.getOperands());
  if (src) {
    operands[0] = pack(b, call.getLoc(), operands[0]);
    kernel.window.src = rt::Layout::Blocked;
  }
  Type type = call.getResult(0).getType();
  if (dst) {
    kernel.window.dst = rt::Layout::Blocked;
    ArrayRef<int64_t> s = typeOf(call.getResult(0)).getShape();
    type = RankedTensorType::get({s[0], s[1] / block, s[2], s[3], block},
                                 b.getF32Type());
  }
  Value result =
      table.call(b, call.getLoc(), kernel, operands, type).getResult(0);
  if (dst)
    result = unpack(b, call.getLoc(), result);
  call.getResult(0).replaceAllUsesWith(result);
  call.erase();
}

bool Blocker::blockConcat(tensor::ConcatOp op) {
  bool any = false;
  for (Value input : op.getInputs()) {
    if (!canBlock(input))
      return false;
    any |= static_cast<bool>(packedSource(input));
  }
  if (!any || op.getDim() > 3)
    return false;
  OpBuilder b(op);
  SmallVector<Value> packed;
  for (Value input : op.getInputs())
    packed.push_back(pack(b, op.getLoc(), input));
  Value joined = tensor::ConcatOp::create(b, op.getLoc(), op.getDim(), packed);
  op.getResult().replaceAllUsesWith(unpack(b, op.getLoc(), joined));
  op.erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Generic operations
//===----------------------------------------------------------------------===//

namespace {

/// How one operand of a generic operation changes when loop `dim` is split into
/// an outer loop (which keeps the number) and an inner one, `inner`.
struct SplitOperand {
  enum Kind { Keep, Packed, Expanded } kind = Keep;
  unsigned position = 0; // of the split dimension, Expanded
  AffineMap map;
};

} // namespace

/// Where `dim` stands alone in the map; -1 when it does not occur; none when it
/// is part of something else or occurs twice.
static std::optional<int> findDim(AffineMap map, unsigned dim) {
  int found = -1;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    if (found >= 0 || !isa<AffineDimExpr>(expr))
      return std::nullopt;
    found = static_cast<int>(i);
  }
  return found;
}

static std::optional<SplitOperand> splitOperand(AffineMap map, unsigned dim,
                                                bool asImage) {
  std::optional<int> position = findDim(map, dim);
  if (!position)
    return std::nullopt;
  SplitOperand split;
  MLIRContext *context = map.getContext();
  unsigned loops = map.getNumDims();
  SmallVector<AffineExpr> exprs(map.getResults());
  if (*position >= 0) {
    split.position = *position;
    AffineExpr inner = getAffineDimExpr(loops, context);
    split.kind = asImage && *position == 1 ? SplitOperand::Packed
                                           : SplitOperand::Expanded;
    if (split.kind == SplitOperand::Packed)
      exprs.push_back(inner);
    else
      exprs.insert(exprs.begin() + *position + 1, inner);
  }
  split.map = AffineMap::get(loops + 1, 0, exprs, context);
  return split;
}

static SmallVector<ReassociationIndices> splitGroups(unsigned rank,
                                                     unsigned position) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (unsigned i = 0; i != rank; ++i) {
    groups.push_back({next++});
    if (i == position)
      groups.back().push_back(next++);
  }
  return groups;
}

static RankedTensorType expandedType(RankedTensorType type, unsigned position,
                                     int64_t block) {
  SmallVector<int64_t> shape(type.getShape());
  shape[position] /= block;
  shape.insert(shape.begin() + position + 1, block);
  return RankedTensorType::get(shape, type.getElementType());
}

static Value expand(OpBuilder &b, Location loc, Value value, unsigned position,
                    int64_t block) {
  RankedTensorType type = typeOf(value);
  return tensor::ExpandShapeOp::create(
      b, loc, expandedType(type, position, block), value,
      splitGroups(type.getRank(), position));
}

/// The same initial value for the new type: nothing, or a fill.
static Value rebuildInit(OpBuilder &b, Location loc, Value init,
                         RankedTensorType type) {
  Value empty =
      tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    return linalg::FillOp::create(b, loc, fill.getInputs()[0], empty)
        .getResult(0);
  return init.getDefiningOp<tensor::EmptyOp>() ? empty : Value();
}

/// linalg.index of the split loop is outer · block + inner.
static void rewriteIndices(Block &body, unsigned dim, unsigned inner,
                           int64_t block) {
  SmallVector<linalg::IndexOp> indices;
  body.walk([&](linalg::IndexOp op) {
    if (op.getDim() == dim)
      indices.push_back(op);
  });
  for (linalg::IndexOp op : indices) {
    OpBuilder b(op);
    Value outer = linalg::IndexOp::create(b, op.getLoc(), dim);
    Value low = linalg::IndexOp::create(b, op.getLoc(), inner);
    Value size = arith::ConstantIndexOp::create(b, op.getLoc(), block);
    Value high = arith::MulIOp::create(b, op.getLoc(), outer, size);
    Value sum = arith::AddIOp::create(b, op.getLoc(), high, low);
    op.getResult().replaceAllUsesWith(sum);
    op.erase();
  }
}

/// Splits the loop over the channels of an unpacked image, so that the
/// operation reads and writes packed images. Every result element is computed
/// by the same operations in the same order as before.
bool Blocker::blockGeneric(linalg::GenericOp op) {
  OpOperand *image = nullptr;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (packedSource(operand->get()))
      image = operand;
  if (!image)
    return false;
  auto channel =
      dyn_cast<AffineDimExpr>(op.getMatchingIndexingMap(image).getResult(1));
  if (!channel)
    return false;
  unsigned dim = channel.getPosition(), loops = op.getNumLoops();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  // Splitting a reduction could change the order of its sum.
  if (iterators[dim] != utils::IteratorType::parallel)
    return false;

  SmallVector<SplitOperand> splits;
  for (OpOperand &operand : op->getOpOperands()) {
    RankedTensorType type = dyn_cast<RankedTensorType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool asImage = type && canBlock(operand.get()) &&
                   (op.isDpsInit(&operand) || packedSource(operand.get()) ||
                    type.getDimSize(2) * type.getDimSize(3) > 1);
    std::optional<SplitOperand> split = splitOperand(map, dim, asImage);
    if (!split || (!type && split->kind != SplitOperand::Keep))
      return false;
    if (split->kind != SplitOperand::Keep &&
        type.getDimSize(split->position) % block != 0)
      return false;
    if (op.isDpsInit(&operand) &&
        (split->kind == SplitOperand::Keep ||
         !(operand.get().getDefiningOp<tensor::EmptyOp>() ||
           operand.get().getDefiningOp<linalg::FillOp>())))
      return false;
    splits.push_back(*split);
  }

  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  SmallVector<Type> types;
  for (auto [operand, split] : llvm::zip(op->getOpOperands(), splits)) {
    Value value = operand.get();
    maps.push_back(split.map);
    if (op.isDpsInit(&operand)) {
      ArrayRef<int64_t> s = typeOf(value).getShape();
      auto type =
          split.kind == SplitOperand::Packed
              ? RankedTensorType::get({s[0], s[1] / block, s[2], s[3], block},
                                      typeOf(value).getElementType())
              : expandedType(typeOf(value), split.position, block);
      inits.push_back(rebuildInit(b, loc, value, type));
      types.push_back(type);
    } else if (split.kind == SplitOperand::Packed) {
      inputs.push_back(pack(b, loc, value));
    } else if (split.kind == SplitOperand::Expanded) {
      inputs.push_back(expand(b, loc, value, split.position, block));
    } else {
      inputs.push_back(value);
    }
  }
  iterators.push_back(utils::IteratorType::parallel);
  auto blocked =
      linalg::GenericOp::create(b, loc, types, inputs, inits, maps, iterators);
  blocked.getRegion().takeBody(op.getRegion());
  rewriteIndices(*blocked.getBody(), dim, loops, block);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    const SplitOperand &split = splits[op.getNumDpsInputs() + i];
    Value value = blocked->getResult(i);
    if (split.kind == SplitOperand::Packed)
      value = unpack(b, loc, value);
    else
      value = tensor::CollapseShapeOp::create(
          b, loc, result.getType(), value,
          splitGroups(typeOf(result).getRank(), split.position));
    result.replaceAllUsesWith(value);
  }
  op.erase();
  return true;
}

void Blocker::run(Operation *stage) {
  SmallVector<Operation *> ops;
  for (Operation &op : stage->getRegion(0).front())
    ops.push_back(&op);
  // In order: when an operation is looked at, what it reads is settled.
  for (Operation *op : ops) {
    FailureOr<LibraryKernel> kernel = table.lookup(op);
    if (succeeded(kernel) && kernel->kind != rt::KernelKind::MatMul) {
      if (kernel->kind == rt::KernelKind::Pool2d &&
          !packedSource(op->getOperand(0)))
        continue; // pooling itself gains nothing
      blockCall(cast<func::CallOp>(op), *kernel);
    } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      blockGeneric(generic);
    } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
      blockConcat(concat);
    }
  }
}

LogicalResult lower::blockLayouts(Operation *stage, KernelTable &table,
                                  int64_t block) {
  if (block == 0)
    return success();
  Blocker(table, block).run(stage);
  // Packs that became equal, unpacks that nobody reads any more.
  IRRewriter rewriter(stage->getContext());
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, stage);
  bool changed = true;
  while (changed) {
    changed = false;
    SmallVector<Operation *> dead;
    for (Operation &op : stage->getRegion(0).front())
      if (isOpTriviallyDead(&op))
        dead.push_back(&op);
    for (Operation *op : llvm::reverse(dead)) {
      op->erase();
      changed = true;
    }
  }
  return success();
}
