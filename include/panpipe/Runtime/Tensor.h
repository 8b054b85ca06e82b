//===- Tensor.h - Element types, shapes, host tensors -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_RUNTIME_TENSOR_H
#define PANPIPE_RUNTIME_TENSOR_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace panpipe::rt {

/// Element types. The numbers are part of the executable file format.
enum class DType : uint8_t {
  Bool = 0, // one byte, 0 or 1
  I8 = 1,
  I16 = 2,
  I32 = 3,
  I64 = 4,
  U8 = 5,
  F16 = 6,
  BF16 = 7,
  F32 = 8,
  F64 = 9,
};

/// Bytes of one element.
size_t byteSize(DType type);
/// "f32", "i64", "bool", …
const char *nameOf(DType type);
std::optional<DType> parseDType(std::string_view name);

/// Name, element type and shape of a dense row-major tensor.
struct TensorInfo {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;

  int64_t elements() const;
  size_t bytes() const {
    return static_cast<size_t>(elements()) * byteSize(dtype);
  }
  /// "1x3x64x64xf32"; a scalar is "f32".
  std::string typeString() const;
};

/// Memory with the alignment that kernels like (64 bytes). Movable, not
/// copyable.
class AlignedBytes {
public:
  AlignedBytes() = default;
  /// Uninitialised memory; `size` 0 gives no memory.
  explicit AlignedBytes(size_t size);

  uint8_t *data() { return memory.get(); }
  const uint8_t *data() const { return memory.get(); }
  size_t size() const { return length; }

private:
  struct Free {
    void operator()(uint8_t *pointer) const;
  };
  std::unique_ptr<uint8_t, Free> memory;
  size_t length = 0;
};

/// A tensor on the host that owns its elements: dense, row-major.
struct HostTensor {
  TensorInfo info;
  AlignedBytes storage;

  HostTensor() = default;
  explicit HostTensor(TensorInfo type)
      : info(std::move(type)), storage(info.bytes()) {}

  template <typename T> T *as() {
    return reinterpret_cast<T *>(storage.data());
  }
  template <typename T> const T *as() const {
    return reinterpret_cast<const T *>(storage.data());
  }
};

} // namespace panpipe::rt

#endif // PANPIPE_RUNTIME_TENSOR_H
