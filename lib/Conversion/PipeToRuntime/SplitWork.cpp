//===- SplitWork.cpp - Kernels that several threads can share -------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every kernel gets two more arguments, the number of a thread and how many
/// there are. A kernel that is a sequence of parallel loops at its top level
/// does its share of each of them, with a barrier in between. Which thread
/// computes an element does not change how it is computed, so results keep
/// their bits.
///
//===----------------------------------------------------------------------===//

#include "NativeCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::lower;

/// Elements that the loops of `loop` visit, the nested ones included.
static int64_t workOf(Operation *loop) {
  int64_t work = 1;
  loop->walk([&](Operation *op) {
    auto multiply = [&](Value lower, Value upper) {
      std::optional<int64_t> from = getConstantIntValue(lower);
      std::optional<int64_t> to = getConstantIntValue(upper);
      if (from && to)
        work *= std::max<int64_t>(*to - *from, 1);
    };
    if (auto parallel = dyn_cast<scf::ParallelOp>(op))
      for (auto [lower, upper] :
           llvm::zip(parallel.getLowerBound(), parallel.getUpperBound()))
        multiply(lower, upper);
    if (auto sequential = dyn_cast<scf::ForOp>(op))
      multiply(sequential.getLowerBound(), sequential.getUpperBound());
  });
  return work;
}

/// The parallel loops at the top level, or nothing when something else there
/// writes memory or allocates.
static SmallVector<scf::ParallelOp> topLoops(func::FuncOp function) {
  SmallVector<scf::ParallelOp> loops;
  for (Operation &op : function.front().without_terminator()) {
    if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
      if (loop.getNumReductions() != 0)
        return {};
      loops.push_back(loop);
    } else if (!isMemoryEffectFree(&op)) {
      return {};
    }
  }
  return loops;
}

/// The loop dimension to share: the first with many steps, else the longest.
static std::optional<unsigned> sharedDim(scf::ParallelOp loop) {
  std::optional<unsigned> best;
  int64_t bestExtent = 1;
  for (unsigned i = 0; i != loop.getNumLoops(); ++i) {
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()[i]);
    std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound()[i]);
    std::optional<int64_t> step = getConstantIntValue(loop.getStep()[i]);
    if (!lower || !upper || !step || *lower != 0 || *step != 1)
      continue;
    if (*upper > bestExtent) {
      best = i;
      bestExtent = *upper;
    }
    if (*upper >= 8)
      break;
  }
  return best;
}

/// Bounds of a thread's share: extent · t / n up to extent · (t + 1) / n.
static void share(scf::ParallelOp loop, unsigned dim, Value thread,
                  Value threads) {
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Value extent = loop.getUpperBound()[dim];
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value next = arith::AddIOp::create(b, loc, thread, one);
  Value from = arith::MulIOp::create(b, loc, extent, thread);
  Value to = arith::MulIOp::create(b, loc, extent, next);
  loop.getLowerBoundMutable().slice(dim, 1).assign(
      arith::DivUIOp::create(b, loc, from, threads).getResult());
  loop.getUpperBoundMutable().slice(dim, 1).assign(
      arith::DivUIOp::create(b, loc, to, threads).getResult());
}

int64_t lower::splitWork(func::FuncOp function) {
  Location loc = function.getLoc();
  MLIRContext *context = function.getContext();
  Type index = IndexType::get(context);
  unsigned count = function.getNumArguments();
  for (Type type : {index, index, Type(FunctionType::get(context, {}, {}))})
    if (failed(function.insertArgument(function.getNumArguments(), type,
                                       DictionaryAttr(), loc)))
      return 0;
  SmallVector<scf::ParallelOp> loops = topLoops(function);
  SmallVector<unsigned> dims;
  for (scf::ParallelOp loop : loops) {
    std::optional<unsigned> dim = sharedDim(loop);
    if (!dim)
      return 0;
    dims.push_back(*dim);
  }
  int64_t work = 0;
  for (auto [i, loop] : llvm::enumerate(loops)) {
    work += workOf(loop);
    share(loop, dims[i], function.getArgument(count),
          function.getArgument(count + 1));
    if (i + 1 == loops.size())
      continue;
    OpBuilder b(loop->getContext());
    b.setInsertionPointAfter(loop);
    func::CallIndirectOp::create(b, loc, function.getArgument(count + 2),
                                 ValueRange());
  }
  return work;
}
