//===- SymValue.h - What an SSA value stands for ----------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The symbolic value of an SSA value: one element (integers, floats, index
/// values) or a tensor of elements. Vectors are tensors of static shape.
///
/// The value term of an index is an IndexValue whenever it is a polynomial of
/// index symbols modulo 2^width; only then can it address elements exactly.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_ENCODE_SYMVALUE_H
#define PANPIPE_TV_ENCODE_SYMVALUE_H

#include "panpipe/TV/Term/Tensor.h"

namespace panpipe::tv {

struct SymValue {
  enum class Kind : uint8_t { None, Scalar, Tensor };
  Kind kind = Kind::None;
  Element scalar;   ///< Scalar
  SymTensor tensor; ///< Tensor

  SymValue() = default;
  SymValue(Element element) : kind(Kind::Scalar), scalar(element) {}
  SymValue(SymTensor value) : kind(Kind::Tensor), tensor(std::move(value)) {}
  bool isScalar() const { return kind == Kind::Scalar; }
  bool isTensor() const { return kind == Kind::Tensor; }
};

} // namespace panpipe::tv

#endif // PANPIPE_TV_ENCODE_SYMVALUE_H
