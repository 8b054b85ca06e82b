//===- Picks.cpp - Which execution picks its result -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Picks.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace panpipe::tv;

/// Results of these are moved bits, or no NaN that arithmetic made.
static bool makesNoNaN(ScalarOp op) {
  return movesBits(op) || op == ScalarOp::SIToFP || op == ScalarOp::UIToFP;
}

static bool picks(PickTable::Mode mode, ScalarOp op, const ScalarAttrs &attrs,
                  ScalarType type) {
  if (mode == PickTable::Mode::Off || !type.isFloat())
    return false;
  if (mode == PickTable::Mode::Bits && !makesNoNaN(op))
    return true;
  const uint8_t sets =
      FMF_reassoc | FMF_nsz | FMF_arcp | FMF_contract | FMF_afn;
  return (attrs.fastMath & sets) || op == ScalarOp::MaxNumF ||
         op == ScalarOp::MinNumF;
}

static uint64_t mix(uint64_t a, uint64_t b) {
  return (a ^ (b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2))) *
         0xff51afd7ed558ccdull;
}

/// Blind to indices: equal terms have equal patterns.
static uint64_t patternOf(ScalarOp op, const ScalarAttrs &attrs,
                          ArrayRef<Element> operands) {
  uint64_t h =
      mix(unsigned(op), attrs.fastMath | unsigned(attrs.rounding) << 8 |
                            unsigned(attrs.predicate) << 16);
  SmallVector<uint64_t, 3> hashes;
  for (const Element &operand : operands)
    hashes.push_back(operand.value->shapeHash());
  if (isCommutative(op, attrs) && hashes[0] > hashes[1])
    std::swap(hashes[0], hashes[1]);
  for (uint64_t x : hashes)
    h = mix(h, x);
  return h;
}

uint32_t PickTable::name(mlir::Operation *op, unsigned instance,
                         ScalarOp scalarOp, const ScalarAttrs &attrs,
                         ScalarType type, ArrayRef<Element> operands) {
  if (!picks(mode, scalarOp, attrs, type))
    return 0;
  uint64_t pattern = patternOf(scalarOp, attrs, operands);
  // An operation may be encoded once for each result of its parent.
  auto [slot, isNew] = known.try_emplace({op, instance, pattern}, 0);
  if (!isNew)
    return slot->second;
  if (target) {
    targets[pattern].push_back(++next);
    return slot->second = next;
  }
  for (auto &[key, pick] : known)
    if (pick && std::get<0>(key) == op && std::get<1>(key) == instance &&
        std::get<2>(key) != pattern)
      split.push_back(op);
  ArrayRef<uint32_t> like = targets[pattern];
  unsigned number = used[pattern]++;
  slot->second =
      like.empty() ? ++next : like[std::min<size_t>(number, like.size() - 1)];
  sources.push_back({op, slot->second});
  return slot->second;
}
