//===- Memory.cpp - Memory of concrete execution --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Interp/Memory.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace panpipe::tv;

unsigned panpipe::tv::bytesOf(ScalarType type) {
  return llvm::PowerOf2Ceil((type.width() + 7) / 8);
}

void MemoryBlock::copyFrom(const MemoryBlock &other, int64_t at) {
  int64_t count = std::min(other.size(), size() - at);
  for (int64_t b = 0; b < count; ++b) {
    bytes[at + b] = other.bytes[b];
    marks[at + b] = other.marks[b];
  }
}

ConcreteElement MemoryBlock::load(int64_t at, ScalarType type) const {
  unsigned count = (type.width() + 7) / 8;
  llvm::APInt bits(8 * count, 0);
  uint8_t all = EM_none;
  for (unsigned b = 0; b < count; ++b) {
    bits.insertBits(bytes[at + b], 8 * b, 8);
    all |= marks[at + b];
  }
  return {bits.trunc(type.width()), all};
}

void MemoryBlock::store(int64_t at, ScalarType type,
                        const ConcreteElement &element) {
  unsigned count = (type.width() + 7) / 8;
  llvm::APInt bits = element.bits.zext(8 * count);
  for (unsigned b = 0; b < count; ++b) {
    bytes[at + b] = bits.extractBitsAsZExtValue(8, 8 * b);
    marks[at + b] = element.marks;
  }
}
