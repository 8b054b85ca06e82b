//===- ConcreteValue.h - Values of concrete execution -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an SSA value holds while a function is executed: a scalar, a tensor
/// as its shape and one element per position, each with its own poison bit, or
/// a memref as a view of memory.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_INTERP_CONCRETEVALUE_H
#define PANPIPE_TV_INTERP_CONCRETEVALUE_H

#include "panpipe/TV/Term/Scalar.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class Attribute;
class Type;
} // namespace mlir

namespace panpipe::tv {

/// What is known about an element besides its bits.
enum ElementMarks : uint8_t {
  EM_none = 0,
  /// Poison; the bits mean nothing.
  EM_poison = 1,
  /// One of several allowed values: computed from unspecified contents, or an
  /// operation whose fast-math flags (or signed zeros in maxnumf, minnumf)
  /// leave a choice. A source value with this mark refutes nothing.
  EM_open = 2,
  /// Computed from a library function (exp, tanh …), whose last bits are those
  /// of one implementation.
  EM_library = 4
};

struct ConcreteElement {
  llvm::APInt bits;
  uint8_t marks = EM_none;
  bool isPoison() const { return marks & EM_poison; }
  bool isOpen() const { return marks & EM_open; }
};

struct MemoryView;

/// A scalar, a tensor (vectors too) or a memref. Elements of up to 64 bits are
/// kept in one word each. A copy is deep, but one of a memref views the same
/// memory; the interpreter shares values by pointer.
class ConcreteValue {
public:
  /// All elements zero. A scalar has rank 0 and `isScalar`.
  ConcreteValue(ScalarType type, llvm::ArrayRef<int64_t> shape,
                bool isScalar = false);
  static ConcreteValue scalar(ScalarType type, const ConcreteElement &element);
  static ConcreteValue scalar(ScalarType type, uint64_t bits) {
    return scalar(type, {llvm::APInt(type.width(), bits, false, true)});
  }

  /// The memref with these sizes; its elements are read with `get`, and written
  /// through the block of its view.
  static ConcreteValue memref(ScalarType type, llvm::ArrayRef<int64_t> shape,
                              MemoryView view);

  ScalarType type() const { return elementType; }
  llvm::ArrayRef<int64_t> shape() const { return extents; }
  int64_t rank() const { return extents.size(); }
  int64_t size() const { return count; }
  bool isScalar() const { return scalarFlag; }
  bool isMemRef() const { return memory != nullptr; }
  const MemoryView &view() const { return *memory; }
  /// Of a memref: the first byte of the element at a row-major position.
  int64_t byteOf(int64_t i) const;
  /// Elements wider than 64 bits and those in memory have no words.
  bool isCompact() const { return elementType.width() <= 64 && !memory; }

  /// ConcreteElement at a linear (row-major) position.
  ConcreteElement get(int64_t i) const;
  void set(int64_t i, const ConcreteElement &element);
  uint8_t marks(int64_t i) const {
    return memory ? get(i).marks : flags.empty() ? 0 : flags[i];
  }
  bool hasMarks() const { return memory || !flags.empty(); }
  uint64_t word(int64_t i) const { return words[i]; }
  void setWord(int64_t i, uint64_t bits, uint8_t elementMarks = EM_none) {
    words[i] = bits;
    if (elementMarks || !flags.empty())
      setMarks(i, elementMarks);
  }
  void setMarks(int64_t i, uint8_t elementMarks);
  /// All words in a row; only of compact values.
  const uint64_t *rawWords() const { return words.data(); }
  /// Forgets the marks if no element has any.
  void dropEmptyMarks();
  /// Copies element `from` of `other`, which has the same type.
  void copy(int64_t i, const ConcreteValue &other, int64_t from);
  /// The same elements under another shape of the same size, or as a scalar.
  ConcreteValue reshaped(llvm::ArrayRef<int64_t> shape) const;
  /// The same patterns read as another type of the same width.
  void retype(ScalarType type) { elementType = type; }

  /// Row-major strides of a shape.
  static llvm::SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape);

  /// The value of an integer, float, dense or splat attribute; nothing if the
  /// attribute has another kind (resources without data, complex numbers …).
  static std::optional<ConcreteValue> fromAttribute(mlir::Attribute attr,
                                                    unsigned indexWidth = 64);
  /// The attribute of MLIR type `type` with this value; poison becomes zero.
  mlir::Attribute toAttribute(mlir::Type type) const;

  /// "3.0", or "[[1.0, 2.0], [3.0, poison]]" with at most `limit` elements and
  /// an ellipsis; unspecified elements print as "?value".
  std::string str(int64_t limit = 16) const;

private:
  /// The element of a memref at a row-major position; poison if its memory is
  /// gone.
  ConcreteElement fromMemory(int64_t i) const;

  ScalarType elementType;
  llvm::SmallVector<int64_t, 4> extents;
  int64_t count;
  bool scalarFlag;
  std::vector<uint64_t> words;
  std::vector<llvm::APInt> wide;
  std::vector<uint8_t> flags; ///< empty when no element is marked
  std::shared_ptr<const MemoryView> memory;
};

using ValuePtr = std::shared_ptr<const ConcreteValue>;

} // namespace panpipe::tv

#endif // PANPIPE_TV_INTERP_CONCRETEVALUE_H
