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
/// values), a tensor of elements, or a memref. Vectors are tensors of static
/// shape.
///
/// The value term of an index is an IndexValue whenever it is a polynomial of
/// index symbols modulo 2^width; only then can it address elements exactly.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_ENCODE_SYMVALUE_H
#define PANPIPE_TV_ENCODE_SYMVALUE_H

#include "panpipe/TV/Term/Tensor.h"

#include <vector>

namespace panpipe::tv {

/// Where the elements of a memref are: a bijection between the indices of the
/// view and a part of one block. Views of views compose; both directions are
/// kept, so that neither reading nor writing has to solve equations.
struct MemView {
  unsigned block = 0;
  IndexList shape;
  /// Index of the block, one term per dimension of the block, over
  /// ownIndex(dimension of the view).
  IndexList forward;
  /// Index of the view, one term per dimension of the view, over
  /// ownIndex(dimension of the block); means something where `inside` holds.
  IndexList inverse;
  /// The indices of the block that the view addresses.
  Guard inside;
  /// The view is the block as it was allocated.
  bool whole = true;
};

/// A memref: one view, or one of several that data decides between.
struct SymMemRef {
  ScalarType type = ScalarType::boolean();
  struct Choice {
    const Term *condition; ///< exactly one is true
    MemView view;
  };
  std::vector<Choice> choices;
  llvm::ArrayRef<IndexTerm> shape() const { return choices.front().view.shape; }
};

struct SymValue {
  enum class Kind : uint8_t { None, Scalar, Tensor, MemRef };
  Kind kind = Kind::None;
  Element scalar;   ///< Scalar
  SymTensor tensor; ///< Tensor; of a memref argument, what it holds on entry
  SymMemRef memref; ///< MemRef

  SymValue() = default;
  SymValue(Element element) : kind(Kind::Scalar), scalar(element) {}
  SymValue(SymTensor value) : kind(Kind::Tensor), tensor(std::move(value)) {}
  SymValue(SymMemRef value) : kind(Kind::MemRef), memref(std::move(value)) {}
  bool isMemRef() const { return kind == Kind::MemRef; }
  bool isScalar() const { return kind == Kind::Scalar; }
  bool isTensor() const { return kind == Kind::Tensor; }
};

} // namespace panpipe::tv

#endif // PANPIPE_TV_ENCODE_SYMVALUE_H
