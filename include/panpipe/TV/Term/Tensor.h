//===- Tensor.h - Symbolic tensors ------------------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A tensor is a comprehension: a shape and one element at its own index
/// variables (TermContext::ownIndex). Tensors are built in program order, so
/// building never recurses over the program; reading substitutes the indices
/// into the element, which stays small because deep values are named.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_TERM_TENSOR_H
#define PANPIPE_TV_TERM_TENSOR_H

#include "panpipe/TV/Term/Closure.h"
#include "panpipe/TV/Term/Term.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace panpipe::tv {

/// A ranked tensor; a value. Rank 0 is allowed.
struct SymTensor {
  ScalarType type = ScalarType::boolean();
  llvm::SmallVector<IndexTerm, 4> shape;
  /// At ownIndex(0), …, ownIndex(rank-1), in ownContext().
  Element element;

  unsigned rank() const { return shape.size(); }
};

/// 0 <= ownIndex(d) <= shape[d] - 1, and every dim of the shape >= 1 (an index
/// exists).
IndexContext ownContext(TermContext &terms, llvm::ArrayRef<IndexTerm> shape);

/// The element at `at`, to compute with it: unspecified contents are chosen
/// anew at each such read. The caller owes 0 <= at < shape (an obligation of
/// its op, or known from a guard).
Element readElement(TermContext &terms, const SymTensor &tensor,
                    llvm::ArrayRef<IndexTerm> at, const IndexContext &context);
/// The same for view operations: unspecified contents stay unspecified.
Element viewElement(TermContext &terms, const SymTensor &tensor,
                    llvm::ArrayRef<IndexTerm> at, const IndexContext &context);

using IndexList = llvm::SmallVector<IndexTerm, 4>;

//===--- Sources ----------------------------------------------------------===//
/// `mayBePoison`: its elements may be poison on entry.
SymTensor argumentTensor(TermContext &terms, llvm::StringRef name,
                         ScalarType type, llvm::ArrayRef<IndexTerm> shape,
                         bool mayBePoison = false);
SymTensor emptyTensor(TermContext &terms, ScalarType type,
                      llvm::ArrayRef<IndexTerm> shape);
SymTensor splatTensor(TermContext &terms, ScalarType type,
                      llvm::ArrayRef<IndexTerm> shape, Element value);
/// Result number `result` of an unknown function of whole tensors. Functions
/// with effects: put a sequence number into the name.
SymTensor opaqueTensor(TermContext &terms, llvm::StringRef name,
                       unsigned result, ScalarType type,
                       llvm::ArrayRef<IndexTerm> shape,
                       llvm::ArrayRef<SymTensor> operands);
/// A constant tensor with known elements in row-major order; at most a few
/// (the element is a tree of guards). Larger constants are argument tensors
/// named by a hash of their contents.
SymTensor constantTensor(TermContext &terms, ScalarType type,
                         llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<llvm::APInt> values);

//===--- Views (index rewrites) -------------------------------------------===//
/// Any map from result indices to source indices.
SymTensor indexMapTensor(TermContext &terms, const SymTensor &source,
                         llvm::ArrayRef<IndexTerm> shape,
                         llvm::function_ref<IndexList(llvm::ArrayRef<IndexTerm>,
                                                      const IndexContext &)>
                             map);
/// Without rank reduction: shape = sizes, element at offset + stride * i.
SymTensor extractSlice(TermContext &terms, const SymTensor &source,
                       llvm::ArrayRef<IndexTerm> offsets,
                       llvm::ArrayRef<IndexTerm> sizes,
                       llvm::ArrayRef<IndexTerm> strides);
/// Drops the unit dims marked in `dropped` (one flag per source dim).
SymTensor dropUnitDims(TermContext &terms, const SymTensor &source,
                       llvm::ArrayRef<bool> dropped);
/// The reverse: the result has shape `shape`, unit where `added`.
SymTensor addUnitDims(TermContext &terms, const SymTensor &source,
                      llvm::ArrayRef<IndexTerm> shape,
                      llvm::ArrayRef<bool> added);
/// Result dim d is source dim perm[d].
SymTensor transposeTensor(TermContext &terms, const SymTensor &source,
                          llvm::ArrayRef<int64_t> perm);
/// Source dim k is result dim dims[k]; the other result dims repeat.
SymTensor broadcastTensor(TermContext &terms, const SymTensor &source,
                          llvm::ArrayRef<IndexTerm> shape,
                          llvm::ArrayRef<int64_t> dims);
/// shape = low + source + high; `padValue` gives the element at result indices
/// (it may depend on them) in the given context.
SymTensor padTensor(
    TermContext &terms, const SymTensor &source, llvm::ArrayRef<IndexTerm> low,
    llvm::ArrayRef<IndexTerm> high,
    llvm::function_ref<Element(llvm::ArrayRef<IndexTerm>, const IndexContext &)>
        padValue);
SymTensor concatTensors(TermContext &terms, llvm::ArrayRef<SymTensor> parts,
                        unsigned dim);
/// `source` has the rank of `dest` (add unit dims first).
SymTensor insertSlice(TermContext &terms, const SymTensor &source,
                      const SymTensor &dest, llvm::ArrayRef<IndexTerm> offsets,
                      llvm::ArrayRef<IndexTerm> strides);
using Reassociation = llvm::ArrayRef<llvm::SmallVector<int64_t, 2>>;
SymTensor collapseShape(TermContext &terms, const SymTensor &source,
                        Reassociation groups);
SymTensor expandShape(TermContext &terms, const SymTensor &source,
                      Reassociation groups, llvm::ArrayRef<IndexTerm> shape);
/// Row-major reshape between shapes of equal element count.
SymTensor reshapeTensor(TermContext &terms, const SymTensor &source,
                        llvm::ArrayRef<IndexTerm> shape);

//===--- Computing --------------------------------------------------------===//
/// One element per result index; `fn` reads with readElement in the context it
/// is given.
SymTensor mapTensor(
    TermContext &terms, ScalarType type, llvm::ArrayRef<IndexTerm> shape,
    llvm::function_ref<Element(llvm::ArrayRef<IndexTerm>, const IndexContext &)>
        fn);

} // namespace panpipe::tv

#endif // PANPIPE_TV_TERM_TENSOR_H
