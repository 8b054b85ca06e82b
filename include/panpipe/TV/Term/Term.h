//===- Term.h - Hash-consed element terms -----------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one graph of both sides. A term is a scalar: the value of a tensor
/// element (or its poison bit) at symbolic indices. Equal terms are equal
/// pointers. Reductions and deep elementwise results are applications of closed
/// functions (Closure.h), so terms stay small whatever the network's depth.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_TERM_TERM_H
#define PANPIPE_TV_TERM_TERM_H

#include "panpipe/TV/Term/IndexTerm.h"
#include "panpipe/TV/Term/Scalar.h"

#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace panpipe::tv {

class Closure;
class Term;
class TermContext;
struct TensorBase;

/// One element: its value and the boolean "it is poison".
struct Element {
  const Term *value = nullptr;
  const Term *poison = nullptr;
  bool operator==(const Element &o) const {
    return value == o.value && poison == o.poison;
  }
};

enum class TermKind : uint8_t {
  Const,      ///< type, bits
  Symbol,     ///< a scalar argument or any unknown scalar
  Read,       ///< an element of a tensor base at indices
  PoisonRead, ///< its poison bit
  Op,         ///< a scalar operation
  IndexValue, ///< an index polynomial modulo 2^width, as a scalar
  Ite,        ///< guard ? then : else; the guard is a conjunction on indices
  App,        ///< a closure applied to index and element arguments
  ElemParam,  ///< inside closures: element parameter
  Acc         ///< inside step closures: accumulator number
};

/// A hash-consed scalar term. Made by TermContext only.
class Term {
public:
  TermKind kind() const { return termKind; }
  ScalarType type() const { return scalarType; }
  /// In order of creation; deterministic.
  unsigned id() const { return number; }

  bool isConst() const { return termKind == TermKind::Const; }
  const llvm::APInt &bits() const { return constant; } ///< Const
  bool isTrue() const {
    return isConst() && type().isBoolean() && constant.isAllOnes();
  }
  bool isFalse() const {
    return isConst() && type().isBoolean() && constant.isZero();
  }
  /// Symbol, ElemParam, Acc: which one.
  unsigned symbol() const { return which; }
  llvm::StringRef name() const { return symbolName; } ///< Symbol
  const TensorBase *base() const { return tensor; }   ///< Read, PoisonRead
  /// Read, PoisonRead: where. App: index arguments. IndexValue: one.
  llvm::ArrayRef<IndexTerm> indices() const { return indexList; }
  ScalarOp op() const { return scalarOp; }                 ///< Op
  const ScalarAttrs &attrs() const { return scalarAttrs; } ///< Op
  /// Op: operands. Ite: then, else. App: element arguments.
  llvm::ArrayRef<const Term *> operands() const { return operandList; }
  llvm::ArrayRef<GuardAtom> guard() const { return guardList; } ///< Ite
  const Closure *closure() const { return function; }           ///< App

  bool is(ScalarOp o) const {
    return termKind == TermKind::Op && scalarOp == o;
  }
  /// Index atoms that occur free, inside divisions and guards too. A closure
  /// has none.
  llvm::ArrayRef<const IndexAtom *> leaves() const { return leafAtoms; }
  bool hasLeaf(const IndexAtom *atom) const;
  /// Contains ElemParam or Acc.
  bool hasElemParams() const { return elemParams; }
  /// Contains a read of unspecified contents that was not yet fixed by a
  /// computing use (see TensorBase::Kind::Unspecified).
  bool hasUnspecified() const { return unspecified; }
  /// Contains a read of TensorBase::Kind::State, inside closures too.
  bool hasState() const { return state; }
  /// Height in operations, and number of nodes as a tree (saturating); an
  /// application counts as one node plus its element arguments.
  unsigned depth() const { return height; }
  unsigned size() const { return treeSize; }
  /// Sees base names, operations and closures, but no index: the sort key of
  /// commutative operands. The same in every run.
  uint64_t shapeHash() const { return shape; }

private:
  friend class TermContext;
  Term(TermKind kind, ScalarType type) : termKind(kind), scalarType(type) {}
  TermKind termKind;
  ScalarType scalarType;
  ScalarOp scalarOp = ScalarOp::AddI;
  ScalarAttrs scalarAttrs;
  bool elemParams = false, unspecified = false, state = false;
  unsigned number = 0, which = 0, height = 0, treeSize = 1;
  uint64_t shape = 0;
  llvm::APInt constant;
  llvm::StringRef symbolName;
  const TensorBase *tensor = nullptr;
  const Closure *function = nullptr;
  llvm::ArrayRef<IndexTerm> indexList;
  llvm::ArrayRef<const Term *> operandList;
  llvm::ArrayRef<GuardAtom> guardList;
  llvm::ArrayRef<const IndexAtom *> leafAtoms;
};

/// What a Read reads.
struct TensorBase {
  enum class Kind : uint8_t {
    Argument,    ///< a function argument; shared by both sides
    Opaque,      ///< a result of an unknown function of whole tensors
    Unspecified, ///< contents of tensor.empty, not yet chosen: each computing
                 ///< use makes its own Choice
    State,       ///< what an iteration of a loop starts from; while it is
                 ///< summarised only
    Choice       ///< one choice of unspecified contents: any value, per element
  };
  /// An operand of an unknown function: its elements over own indices.
  struct Operand {
    ScalarType type;
    llvm::SmallVector<IndexTerm, 4> shape;
    Element element;
  };
  Kind kind;
  unsigned id; ///< in order of creation
  std::string name;
  ScalarType type;
  unsigned rank;
  std::vector<Operand> operands; ///< Opaque
  unsigned result = 0;           ///< Opaque: result number
  unsigned elementRank = 0;      ///< Choice: how many indices name the element
};

/// Replaces index atoms and element parameters, all at once.
struct TermSubst {
  IndexSubst index;
  llvm::ArrayRef<const Term *> elemParams; ///< by number; empty: keep
  llvm::ArrayRef<const Term *> accs;       ///< by number; empty: keep
};

/// A scalar rewrite rule set: null if no rule applies, else an equal term. The
/// operands are already sorted for commutative operations; it must not undo
/// that. Implemented in lib/TV/Term/NormalForms.cpp.
const Term *simplifyOp(TermContext &context, ScalarOp op,
                       const ScalarAttrs &attrs, ScalarType type,
                       llvm::ArrayRef<const Term *> operands);

/// True if operands 0 and 1 of the operation may be exchanged (any NaN equals
/// any NaN).
bool isCommutative(ScalarOp op, const ScalarAttrs &attrs);
/// Total order of terms for sorting operands: shape first, then indices
/// structurally; independent of creation order as far as closures allow.
int compareTerms(const Term *a, const Term *b);

/// Owns all terms, closures, bases and index terms.
class TermContext {
public:
  TermContext();
  ~TermContext();
  TermContext(const TermContext &) = delete;
  TermContext &operator=(const TermContext &) = delete;

  IndexManager &index() { return *indexManager; }
  IndexContext emptyContext() const { return indexManager->emptyContext(); }
  /// Index variable `dim` of the tensor being described; see Tensor.h.
  IndexTerm ownIndex(unsigned dim) { return indexManager->var(dim); }

  //===--- Leaves ---------------------------------------------------------===//
  const Term *mkConst(ScalarType type, const llvm::APInt &bits);
  const Term *mkInt(ScalarType type, int64_t value);
  const Term *mkFloat(ScalarType type, double value);
  const Term *mkBool(bool value);
  const Term *mkSymbol(ScalarType type, llvm::StringRef name);
  const Term *mkRead(const TensorBase *base, llvm::ArrayRef<IndexTerm> at);
  const Term *mkPoisonRead(const TensorBase *base,
                           llvm::ArrayRef<IndexTerm> at);
  const Term *mkIndexValue(ScalarType type, IndexTerm value);
  const Term *mkElemParam(ScalarType type, unsigned number);
  const Term *mkAcc(ScalarType type, unsigned number);

  //===--- Composite terms ------------------------------------------------===//
  /// Folds constants by evalScalar (unless poison or undefined), sorts the
  /// operands of commutative operations, applies simplifyOp, names operands
  /// that are too deep. The value only: integer flags belong into the poison
  /// term and should be stripped by the caller.
  const Term *mkOp(ScalarOp op, const ScalarAttrs &attrs, ScalarType type,
                   llvm::ArrayRef<const Term *> operands);
  const Term *mkOp(ScalarOp op, ScalarType type,
                   llvm::ArrayRef<const Term *> operands) {
    return mkOp(op, ScalarAttrs(), type, operands);
  }
  /// The plain node; for rules that have simplified already.
  const Term *mkRawOp(ScalarOp op, const ScalarAttrs &attrs, ScalarType type,
                      llvm::ArrayRef<const Term *> operands);
  /// Drops atoms the context proves, returns a branch if the guard is decided
  /// or both are equal. The branches should have been built under
  /// `context.assume(guard)` and (for one atom) its negation.
  const Term *mkIte(llvm::ArrayRef<GuardAtom> guard, const Term *thenTerm,
                    const Term *elseTerm, const IndexContext &context);
  Element mkIte(llvm::ArrayRef<GuardAtom> guard, Element thenElement,
                Element elseElement, const IndexContext &context) {
    return {mkIte(guard, thenElement.value, elseElement.value, context),
            mkIte(guard, thenElement.poison, elseElement.poison, context)};
  }
  const Term *mkApp(const Closure *closure, llvm::ArrayRef<IndexTerm> indexArgs,
                    llvm::ArrayRef<const Term *> elemArgs);
  const Term *mkAnd(const Term *a, const Term *b);
  const Term *mkOr(const Term *a, const Term *b);
  const Term *mkNot(const Term *a);
  const Term *mkSelect(const Term *c, const Term *a, const Term *b);

  /// `a pred b` on exact indices as a boolean term, decided in `context` where
  /// possible. `pred` is a number of arith::CmpIPredicate (signed and equality
  /// predicates; unsigned ones only where both are provably >= 0, else null).
  const Term *mkIndexCmp(unsigned pred, IndexTerm a, IndexTerm b,
                         const IndexContext &context);
  /// An unknown scalar function, the same on both sides.
  const Term *mkOpaque(llvm::StringRef name, ScalarType type,
                       llvm::ArrayRef<const Term *> args);

  //===--- Rewriting ------------------------------------------------------===//
  /// Substitutes in `term`, rebuilding divisions and guards in `context`.
  const Term *substitute(const Term *term, const TermSubst &subst,
                         const IndexContext &context);
  Element substitute(Element e, const TermSubst &subst,
                     const IndexContext &context) {
    return {substitute(e.value, subst, context),
            substitute(e.poison, subst, context)};
  }
  /// Rebuilds everything in `context`: divisions, guards, single-valued
  /// variables.
  const Term *rebuild(const Term *term, const IndexContext &context);
  /// Replaces a term by App(closure over its index polynomials): its name.
  /// Constants, symbols, reads and applications are returned as they are.
  const Term *nameTerm(const Term *term);
  /// The body of an application of a Map closure, instantiated. Null for other
  /// closures.
  const Term *unfold(const Term *app, const IndexContext &context);

  //===--- Bases ----------------------------------------------------------===//
  const TensorBase *argumentBase(llvm::StringRef name, ScalarType type,
                                 unsigned rank);
  const TensorBase *stateBase(llvm::StringRef name, ScalarType type,
                              unsigned rank);
  const TensorBase *unspecifiedBase(ScalarType type, unsigned rank);
  /// A choice of the contents of `unspecified`, one for each element and each
  /// of `iterations` further indices: the iteration that reads.
  const TensorBase *choiceBase(const TensorBase *unspecified,
                               unsigned iterations);
  /// Interned by name, result number and operands.
  const TensorBase *opaqueBase(llvm::StringRef name, unsigned result,
                               ScalarType type, unsigned rank,
                               std::vector<TensorBase::Operand> operands);

  //===--- Closures (Closure.h) -------------------------------------------===//
  /// Interns; `closure` is a description whose id is ignored.
  const Closure *internClosure(Closure &&closure);

  //===--- Modes ----------------------------------------------------------===//
  /// What holds wherever tensors are being built: the ranges of the loops and
  /// the conditions of the paths around (set by the encoder, empty outside).
  void setAmbient(const IndexContext &context) { ambientContext = context; }
  const IndexContext &ambient() const { return *ambientContext; }
  /// Off: deep operands are not named (while a comparison unfolds names).
  bool naming = true;
  /// Set by the encoder when a program reads the bits of a float (bitcast to an
  /// integer, sign operand of copysign): rules that change which NaN an
  /// arithmetic result is then do not apply. Set it before encoding.
  bool nanBitsAreRead = false;

  /// Number of terms and closures made so far.
  unsigned numTerms() const;
  unsigned numClosures() const;
  std::string print(const Term *term, unsigned maxDepth = 8) const;

private:
  friend class TermRewriter;
  const Term *intern(Term &&key);
  void complete(Term &term);
  struct Impl;
  std::unique_ptr<IndexManager> indexManager;
  std::unique_ptr<Impl> impl;
  std::optional<IndexContext> ambientContext;
};

} // namespace panpipe::tv

#endif // PANPIPE_TV_TERM_TERM_H
