//===- TermEval.h - Executes terms on concrete inputs -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The meaning of a term, by brute force: folds are loops, reads are looked up.
/// It shares no code with the interpreter of MLIR nor with the prover, so that
/// agreement of the three says something.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TEST_TV_ENCODE_TERMEVAL_H
#define PANPIPE_TEST_TV_ENCODE_TERMEVAL_H

#include "panpipe/TV/Term/Closure.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace panpipe::tv {

/// Values of everything that is free in a term.
struct TermInputs {
  llvm::DenseMap<const IndexAtom *, int64_t> atoms; ///< Var, Dim, Int
  llvm::DenseMap<const Term *, llvm::APInt> symbols;
  /// An element of an argument, or its poison bit.
  std::function<llvm::APInt(const TensorBase *, llvm::ArrayRef<int64_t>,
                            bool poison)>
      read;
  /// Set if unspecified contents or an unknown function were met.
  bool open = false;
};

/// Evaluates under one binding of closure parameters.
class TermEval {
public:
  explicit TermEval(TermInputs &inputs) : inputs(inputs) {}

  llvm::APInt value(const Term *term) {
    auto found = memo.find(term);
    if (found != memo.end())
      return found->second;
    llvm::APInt result = compute(term);
    memo.insert({term, result});
    return result;
  }

  /// Indices are mathematical integers: bounds next to the ends of 64 bits are
  /// compared, not wrapped.
  __extension__ using Exact = __int128;

  Exact index(IndexTerm p) {
    Exact sum = 0;
    for (const IndexSummand &summand : p->summands()) {
      Exact product = int64_t(summand.coefficient);
      for (const IndexAtom *atom : summand.monomial->atoms)
        product *= this->atom(atom);
      sum += product;
    }
    return sum;
  }

  bool holds(llvm::ArrayRef<GuardAtom> guard) {
    return llvm::all_of(guard, [&](const GuardAtom &atom) {
      Exact p = index(atom.poly);
      return atom.isEquality ? p == 0 : p >= 0;
    });
  }

private:
  Exact atom(const IndexAtom *atom) {
    switch (atom->kind) {
    case AtomKind::Bound:
      return bounds[atom->number];
    case AtomKind::Param:
      return params[atom->number];
    case AtomKind::FloorDiv: {
      Exact num = index(atom->num), den = index(atom->den);
      return num / den - (num % den < 0);
    }
    default:
      break;
    }
    auto found = inputs.atoms.find(atom);
    if (found != inputs.atoms.end())
      return found->second;
    if (atom->definition)
      return index(atom->definition);
    inputs.open = true;
    return 0;
  }

  llvm::APInt compute(const Term *term) {
    unsigned width = term->type().width();
    switch (term->kind()) {
    case TermKind::Const:
      return term->bits();
    case TermKind::Symbol:
      return inputs.symbols.lookup(term);
    case TermKind::Read:
    case TermKind::PoisonRead: {
      if (term->base()->kind != TensorBase::Kind::Argument) {
        inputs.open = true;
        return llvm::APInt(width, 0);
      }
      llvm::SmallVector<int64_t> at;
      for (IndexTerm i : term->indices())
        at.push_back(index(i));
      return inputs.read(term->base(), at,
                         term->kind() == TermKind::PoisonRead);
    }
    case TermKind::IndexValue:
      return llvm::APInt(width, index(term->indices()[0]), true, true);
    case TermKind::Ite:
      return value(term->operands()[holds(term->guard()) ? 0 : 1]);
    case TermKind::ElemParam:
      return elemParams[term->symbol()];
    case TermKind::Acc:
      return accs[term->symbol()];
    case TermKind::Op:
      return operation(term);
    case TermKind::App:
      return application(term);
    }
    return llvm::APInt(width, 0);
  }

  llvm::APInt operation(const Term *term) {
    if (term->is(ScalarOp::Select))
      return value(
          term->operands()[value(term->operands()[0]).isOne() ? 1 : 2]);
    llvm::SmallVector<ScalarType> types;
    llvm::SmallVector<ScalarValue> values;
    for (const Term *operand : term->operands()) {
      types.push_back(operand->type());
      values.push_back({value(operand), false});
    }
    ScalarAttrs attrs = term->attrs();
    attrs.fastMath = FMF_none; // its poison is a term of its own
    return evalScalar(term->op(), attrs, term->type(), types, values)
        .value.bits;
  }

  llvm::APInt application(const Term *term) {
    const Closure &c = *term->closure();
    TermEval inner(inputs);
    for (IndexTerm i : term->indices())
      inner.params.push_back(index(i));
    for (const Term *operand : term->operands())
      inner.elemParams.push_back(value(operand));
    if (c.kind == Closure::Kind::Map)
      return inner.value(c.body());
    if (c.kind == Closure::Kind::Opaque) {
      inputs.open = true;
      return llvm::APInt(term->type().width(), 0);
    }
    return inner.fold(c);
  }

  llvm::APInt fold(const Closure &c) {
    llvm::SmallVector<int64_t> extents;
    for (IndexTerm extent : c.extents)
      extents.push_back(index(extent));
    for (const Term *init : c.inits)
      accs.push_back(value(init));
    if (llvm::all_of(extents, [](int64_t e) { return e > 0; }))
      walk(c, extents);
    return accs[c.result];
  }

  void walk(const Closure &c, llvm::ArrayRef<int64_t> extents) {
    if (bounds.size() < extents.size()) {
      unsigned dim = bounds.size();
      for (int64_t i = 0; i < extents[dim]; ++i) {
        bounds.push_back(i);
        walk(c, extents);
        bounds.pop_back();
      }
      return;
    }
    memo.clear(); // everything depends on the point
    if (!holds(c.guard))
      return;
    llvm::SmallVector<llvm::APInt> next;
    for (const Term *body : c.bodies)
      next.push_back(value(body));
    if (c.kind == Closure::Kind::Fold)
      next[0] = evalScalar(c.op, c.attrs, c.type, {c.type, c.type},
                           {{accs[0], false}, {next[0], false}})
                    .value.bits;
    accs = std::move(next);
  }

  TermInputs &inputs;
  llvm::SmallVector<int64_t> params, bounds;
  llvm::SmallVector<llvm::APInt> elemParams, accs;
  llvm::DenseMap<const Term *, llvm::APInt> memo;
};

} // namespace panpipe::tv

#endif // PANPIPE_TEST_TV_ENCODE_TERMEVAL_H
