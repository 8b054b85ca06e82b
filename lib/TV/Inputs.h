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

#include "panpipe/TV/Interp/ConcreteValue.h"

#include "mlir/IR/TypeRange.h"

#include <optional>

namespace panpipe::tv {

class InputGenerator {
public:
  InputGenerator(mlir::TypeRange types, unsigned indexWidth);

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

private:
  struct Argument {
    ScalarType type = ScalarType::boolean();
    llvm::SmallVector<int64_t> shape; ///< −1: dynamic
    bool isScalar = false;
  };
  std::vector<ValuePtr> makeExhaustive(uint64_t i) const;
  std::vector<ValuePtr> makeFamily(uint64_t family, uint64_t seed,
                                   unsigned sizes) const;

  std::vector<Argument> arguments;
  bool supported = true;
  bool dynamic = false;
};

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_INPUTS_H
