//===- Tensor.cpp - Element types, shapes, host tensors -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Runtime/Tensor.h"

#include <cstdlib>

using namespace panpipe::rt;

namespace {
struct DTypeEntry {
  const char *name;
  size_t bytes;
};
} // namespace

static const DTypeEntry table[] = {
    {"bool", 1}, {"i8", 1},  {"i16", 2},  {"i32", 4}, {"i64", 8},
    {"u8", 1},   {"f16", 2}, {"bf16", 2}, {"f32", 4}, {"f64", 8}};

size_t panpipe::rt::byteSize(DType type) {
  return table[static_cast<size_t>(type)].bytes;
}

const char *panpipe::rt::nameOf(DType type) {
  return table[static_cast<size_t>(type)].name;
}

std::optional<DType> panpipe::rt::parseDType(std::string_view name) {
  for (size_t i = 0; i != sizeof(table) / sizeof(table[0]); ++i)
    if (name == table[i].name)
      return static_cast<DType>(i);
  return std::nullopt;
}

int64_t TensorInfo::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::string TensorInfo::typeString() const {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + nameOf(dtype);
}

AlignedBytes::AlignedBytes(size_t size) : length(size) {
  if (size)
    memory.reset(
        static_cast<uint8_t *>(std::aligned_alloc(64, (size + 63) / 64 * 64)));
}

void AlignedBytes::Free::operator()(uint8_t *pointer) const {
  std::free(pointer);
}
