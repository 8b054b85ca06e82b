//===- Loops.cpp - Counted loops ------------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Short loops are unrolled, other ones summarised (LoopSummary.cpp); what is
/// neither is unrolled as far as a bound goes, under a printed assumption.
///
//===----------------------------------------------------------------------===//

#include "LoopSummary.h"

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace panpipe::tv;

/// Loops of at most this many executed operations are simply unrolled.
static constexpr int64_t kSmall = 256;

/// Operations that one run of the regions of `op` executes, roughly.
static int64_t costOf(Operation *op) {
  int64_t cost = 0;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block) {
        int64_t trips = 1;
        if (auto loop = dyn_cast<LoopLikeOpInterface>(inner)) {
          auto lower = loop.getLoopLowerBounds();
          auto upper = loop.getLoopUpperBounds();
          auto steps = loop.getLoopSteps();
          if (lower && upper && steps)
            for (auto [l, u, s] : llvm::zip(*lower, *upper, *steps)) {
              auto a = getConstantIntValue(l), b = getConstantIntValue(u),
                   c = getConstantIntValue(s);
              trips *= a && b && c && *c > 0
                           ? std::max<int64_t>(
                                 1, std::min<int64_t>((*b - *a + *c - 1) / *c,
                                                      1 << 20))
                           : 4;
              trips = std::min<int64_t>(trips, 1 << 20);
            }
        }
        cost = std::min<int64_t>(
            cost + 1 + trips * std::min<int64_t>(costOf(&inner), 1 << 20),
            int64_t(1) << 40);
      }
  return cost;
}

/// Reductions keep their normal form only if the loop is not unrolled.
static bool hasStructuredOps(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        bool isReduction = inner->getName().getDialectNamespace() == "linalg" ||
                           isa<OffsetSizeAndStrideOpInterface>(inner);
        return isReduction ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult Encoder::loop(const LoopSpec &spec, LoopBody body,
                            SmallVectorImpl<SymValue> &carried) {
  std::optional<int64_t> trips = spec.trips.constantInt64();
  if (trips && *trips <= 0)
    return success();
  int64_t cost = std::max<int64_t>(1, costOf(spec.op));
  bool isSmall = trips && *trips <= kSmall / cost;
  if (trips == 1 || (isSmall && summaries == 0 && !hasStructuredOps(spec.op)))
    return unroll(spec, *trips, body, carried);
  std::string why;
  {
    auto unsupportedBefore = out.unsupported;
    auto assumptionsBefore = out.assumptions;
    Memory memoryBefore = memory;
    auto *accessesBefore = accesses;
    size_t recordsBefore = accesses ? accesses->size() : 0;
    ++summaries;
    LoopSummary summary(*this, spec, body);
    bool ok = summary.run(carried);
    --summaries;
    if (ok)
      return success();
    why = summary.reason();
    accesses = accessesBefore;
    if (accesses)
      accesses->resize(recordsBefore, AccessRecord{0, false, {}, current});
    out.unsupported = unsupportedBefore;
    out.assumptions = assumptionsBefore;
    memory = memoryBefore;
    memory.resize(blocks.size());
  }
  if (trips && *trips <= unrollBudget / cost)
    return unroll(spec, *trips, body, carried);
  if (!trips)
    return unrollBounded(spec, body, carried);
  return unsupported(spec.op,
                     "a loop of " + Twine(*trips) +
                         " iterations that has no closed form: " + why);
}

LogicalResult Encoder::unroll(const LoopSpec &spec, int64_t trips,
                              LoopBody body,
                              SmallVectorImpl<SymValue> &carried) {
  unrollBudget -= trips * std::max<int64_t>(1, costOf(spec.op));
  if (unrollBudget < 0)
    return unsupported(spec.op, "loops that are too long to be unrolled");
  std::vector<std::vector<AccessRecord>> records(spec.parallel ? trips : 0);
  auto *outer = accesses;
  unsigned firstLocalBlock = blocks.size();
  for (int64_t t = 0; t < trips; ++t) {
    SmallVector<SymValue> next;
    if (spec.parallel)
      accesses = &records[t];
    LogicalResult result = body(constant(t), carried, next);
    accesses = outer;
    if (failed(result))
      return failure();
    carried.assign(next.begin(), next.end());
    if (outer && spec.parallel)
      outer->insert(outer->end(), records[t].begin(), records[t].end());
  }
  if (spec.parallel &&
      (llvm::any_of(carried,
                    [](const SymValue &value) { return value.isTensor(); }) ||
       !areIndependent(records, IndexTerm(), spec.trips, firstLocalBlock)))
    noteConflicts(spec.op);
  return success();
}

/// One guarded iteration after the other; the guard of each includes those
/// before, so they nest.
LogicalResult Encoder::unrollBounded(const LoopSpec &spec, LoopBody body,
                                     SmallVectorImpl<SymValue> &carried) {
  unsigned bound = shared.options.loopBound;
  if (spec.parallel)
    noteConflicts(spec.op);
  unrollBudget -= bound * std::max<int64_t>(1, costOf(spec.op));
  if (unrollBudget < 0)
    return unsupported(spec.op, "loops that are too long to be unrolled");
  const Term *yes = terms().mkBool(true), *no = terms().mkBool(false);
  for (unsigned t = 0; t < bound; ++t) {
    const Term *runs =
        terms().mkIte(geZero(spec.trips - 1 - t), yes, no, current);
    SmallVector<SymValue> next, before(carried.begin(), carried.end());
    auto iterate = [&](SmallVectorImpl<SymValue> &results) {
      return body(constant(t), before, results);
    };
    auto skip = [&](SmallVectorImpl<SymValue> &results) {
      results.append(before.begin(), before.end());
      return success();
    };
    if (failed(branch(runs, iterate, skip, next, spec.op)))
      return failure();
    carried.assign(next.begin(), next.end());
  }
  addBound(terms().mkIte(geZero(spec.trips - 1 - bound), yes, no, current),
           spec.op);
  return success();
}
