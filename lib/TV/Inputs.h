//===- Inputs.h - Concrete inputs of a function -----------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/TV: the inputs on which two functions are compared by
/// execution. The same sequence every time.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_INPUTS_H
#define PANPIPE_LIB_TV_INPUTS_H

#include "panpipe/TV/Interp/Memory.h"

#include "mlir/IR/TypeRange.h"

#include <optional>

namespace panpipe::tv {

class InputGenerator {
public:
  InputGenerator(mlir::TypeRange types, unsigned indexWidth);

  /// Memrefs share no memory, from now on.
  void setNoAlias() { pairs.clear(); }
  /// False if some argument has a type without concrete values.
  bool isSupported() const { return supported; }
  /// The i-th input: all elements distinct, special values everywhere, random
  /// mixtures, numbers near the limits, poison; small unequal dynamic sizes.
  std::vector<ValuePtr> make(uint64_t i) const;
  /// Number of inputs after which nothing new comes: all of them when at most
  /// 16 bits are free.
  std::optional<uint64_t> exhaustive() const;
  /// Elements of all static tensors together; large ones cost time.
  int64_t elements() const;
  /// Whole networks rather than single operations.
  bool isLarge() const;

private:
  struct Argument {
    ScalarType type = ScalarType::boolean();
    llvm::SmallVector<int64_t> shape; ///< −1: dynamic
    bool isScalar = false;
    bool isMemRef = false;
    /// Memrefs: nothing if row-major without offset; dynamic ones are chosen.
    std::optional<llvm::SmallVector<int64_t>> strides;
    int64_t offset = 0;
  };
  void addMemRefLayout(mlir::Type type, Argument &argument);
  std::vector<ValuePtr> makeExhaustive(uint64_t i) const;
  std::vector<ValuePtr> makeNetwork(uint64_t seed) const;
  std::vector<ValuePtr> makeFamily(uint64_t family, uint64_t seed,
                                   unsigned sizes) const;
  std::vector<ValuePtr> makePlain(uint64_t i) const;

  std::vector<Argument> arguments;
  bool supported = true;
  bool dynamic = false;
  bool hasMemory = false;
  /// Memrefs that may share memory: equal element types.
  std::vector<std::pair<unsigned, unsigned>> pairs;
};

/// All elements of a block as a tensor of one dimension.
ConcreteValue wholeBlock(const MemoryBlock &block);

/// True if two memrefs among the inputs share memory.
bool shareMemory(llvm::ArrayRef<ValuePtr> inputs);

/// Changes of single elements of inputs. Memrefs that share memory still do.
class InputEdit {
public:
  explicit InputEdit(llvm::ArrayRef<ValuePtr> inputs)
      : inputs(inputs.begin(), inputs.end()) {}
  void set(unsigned input, int64_t i, const ConcreteElement &element);
  /// Puts memref `second` onto the memory of `first`, `shift` elements behind
  /// its beginning.
  void share(unsigned first, unsigned second, int64_t shift);
  /// Gives each memref that shares memory a copy of its own.
  void separate();
  std::vector<ValuePtr> take() { return std::move(inputs); }

private:
  void move(const MemoryBlock *from, const BlockPtr &to, int64_t shift);

  std::vector<ValuePtr> inputs;
  llvm::SmallVector<const void *, 4> owned;
};

/// A memref with a block of its own and the elements of `tensor`; what lies
/// between them is zero.
ConcreteValue makeMemRef(const ConcreteValue &tensor,
                         llvm::ArrayRef<int64_t> strides, int64_t offset);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_INPUTS_H
