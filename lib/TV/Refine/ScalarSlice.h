//===- ScalarSlice.h - The scalar operations of one obligation -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of the term graph that one obligation sees, flattened in
/// topological order, with two interpretations: by evalScalar, and as solver
/// expressions.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_REFINE_SCALARSLICE_H
#define PANPIPE_LIB_TV_REFINE_SCALARSLICE_H

#include "panpipe/TV/SMT/ScalarEncoder.h"
#include "panpipe/TV/Term/Term.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace panpipe::tv {

/// A guard atom as a boolean leaf, or the opposite of one.
struct GuardLiteral {
  unsigned leaf;
  bool negated;
};

struct SliceNode {
  enum class Kind : uint8_t {
    Const,
    Leaf,
    Op,
    Guarded, ///< all guards hold ? operand 0 : operand 1
    Unknown  ///< an application with element arguments
  };
  explicit SliceNode(const Term *term) : type(term->type()), term(term) {}
  Kind kind = Kind::Leaf;
  ScalarType type;
  const Term *term;
  ScalarOp op = ScalarOp::AddI;
  ScalarAttrs attrs;
  llvm::SmallVector<unsigned, 3> operands;
  llvm::SmallVector<ScalarType, 3> operandTypes;
  llvm::SmallVector<GuardLiteral, 2> guards;
  unsigned leaf = 0;
  std::string function; ///< of Unknown
  /// May be a NaN whose bits no one knows: it comes from arithmetic.
  bool anyNaN = false;
  /// Reads bits of a float (bitcast to an integer, sign of copysign).
  bool readsBits = false;
};

struct SliceLeaf {
  ScalarType type;
  const Term *term; ///< null for a guard atom
  GuardAtom guard;
};

class ScalarSlice {
public:
  /// With `terms`, names of deep terms (applications of Map closures) are
  /// replaced by what they stand for, up to a size; else they are unknown
  /// functions, as all other applications. A closure whose operations denote
  /// sets of results is never opened: its picks would be lost.
  /// `exactBits`: terms were built for programs that read bits of NaNs (the
  /// mode TermContext::nanBitsAreRead): inputs have the bits they have, and
  /// only operations make any NaN.
  explicit ScalarSlice(TermContext *terms = nullptr, bool exactBits = false)
      : terms(terms), exactBits(exactBits) {}

  /// Adds a root (shared with what is there); its node number.
  unsigned add(const Term *root);

  llvm::ArrayRef<SliceNode> nodes() const { return nodeList; }
  llvm::ArrayRef<SliceLeaf> leaves() const { return leafList; }
  bool hasLibraryFunctions() const { return library; }
  bool hasUnknownFunctions() const { return unknown; }
  bool readsBits() const { return bitReads; }
  bool hasExactBits() const { return exactBits; }
  /// Some name was left closed.
  bool hasClosedNames() const { return closedNames; }
  /// Sum of the leaves' widths.
  unsigned inputBits() const;
  /// Float formats and integer widths that occur, for choosing inputs.
  void collectTypes(std::vector<smt::FloatFormat> &formats,
                    std::vector<unsigned> &integerWidths) const;

  struct Run {
    std::vector<ScalarValue> values;
    bool undefined = false;  ///< some operation was
    bool readNaN = false;    ///< bits of a NaN were read
    bool readAnyNaN = false; ///< … of a NaN that arithmetic made
  };
  /// Evaluates all nodes for the given leaf values.
  void run(llvm::ArrayRef<llvm::APInt> leafValues, Run &run) const;

private:
  unsigned build(const Term *term);
  unsigned leafOf(const Term *term);
  GuardLiteral literalOf(const GuardAtom &atom);
  void classify(SliceNode &node);
  const Term *opened(const Term *term);

  TermContext *terms;
  bool exactBits;
  std::vector<SliceNode> nodeList;
  std::vector<SliceLeaf> leafList;
  llvm::DenseMap<const Term *, unsigned> numbers;
  llvm::DenseMap<const Term *, const Term *> names; ///< App -> opened
  bool library = false, unknown = false, bitReads = false, closedNames = false;
};

/// Encodes nodes of a slice for one side. Where bits of NaN are read, NaNs of
/// arithmetic are unknown patterns, and so are NaNs of inputs on the target's
/// side: its terms may have been narrowed by rewriting (x + -0.0 became x),
/// unless the slice has exact bits.
class SliceEncoder {
public:
  enum class Side : uint8_t {
    Plain,           ///< no bits are read
    SourceCanonical, ///< a source whose NaNs are the canonical one
    SourceFresh,     ///< a source whose NaNs are those of the target
    Target
  };
  SliceEncoder(const ScalarSlice &slice, smt::ExprContext &context,
               smt::ScalarEncoder &encoder, Side side)
      : slice(slice), ctx(context), encoder(encoder), side(side) {}
  /// Nothing if some operation has no encoding.
  std::optional<smt::EncodedScalar> encode(unsigned node);

private:
  std::optional<smt::EncodedScalar> encodeNode(const SliceNode &node);

  const ScalarSlice &slice;
  smt::ExprContext &ctx;
  smt::ScalarEncoder &encoder;
  Side side;
  std::vector<std::optional<smt::EncodedScalar>> memo;
};

/// The variable of a leaf.
smt::Expr leafVariable(smt::ExprContext &context, const ScalarSlice &slice,
                       unsigned leaf);

/// True if both are the same result of the type.
bool sameValue(ScalarType type, const llvm::APInt &a, const llvm::APInt &b);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_REFINE_SCALARSLICE_H
