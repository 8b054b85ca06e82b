//===- Evaluate.h - Concrete meaning of terms, for tests --------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates index terms and element terms directly: folds are loops. The tests
/// compare it with what the normal forms make of a term.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TEST_UNIT_TV_TERM_EVALUATE_H
#define PANPIPE_TEST_UNIT_TV_TERM_EVALUATE_H

#include "panpipe/TV/Term/Closure.h"

#include <functional>
#include <map>

namespace panpipe::tv::test {

/// Values of index atoms and of tensor elements.
class Evaluator {
public:
  using Read =
      std::function<llvm::APInt(const TensorBase *, llvm::ArrayRef<int64_t>)>;
  explicit Evaluator(Read read) : read(std::move(read)) {}

  void set(IndexTerm atom, int64_t value) { values[atom->asAtom()] = value; }

  int64_t eval(IndexTerm p) const {
    int64_t sum = 0;
    for (const IndexSummand &s : p->summands()) {
      int64_t product = int64_t(s.coefficient);
      for (const IndexAtom *a : s.monomial->atoms)
        product *= eval(a);
      sum += product;
    }
    return sum;
  }
  int64_t eval(const IndexAtom *a) const {
    if (a->kind == AtomKind::FloorDiv)
      return floorDivide(eval(a->num), eval(a->den));
    auto it = values.find(a);
    assert(it != values.end() && "atom without value");
    return it->second;
  }
  bool eval(llvm::ArrayRef<GuardAtom> guard) const {
    for (GuardAtom g : guard) {
      int64_t v = eval(g.poly);
      if (g.isEquality ? v != 0 : v < 0)
        return false;
    }
    return true;
  }

  llvm::APInt eval(const Term *t) const {
    llvm::SmallVector<int64_t, 6> at;
    switch (t->kind()) {
    case TermKind::Const:
      return t->bits();
    case TermKind::Read:
    case TermKind::PoisonRead:
      for (IndexTerm i : t->indices())
        at.push_back(eval(i));
      return t->kind() == TermKind::Read ? read(t->base(), at)
                                         : llvm::APInt(1, 0);
    case TermKind::IndexValue:
      return llvm::APInt(t->type().width(), uint64_t(eval(t->indices()[0])),
                         true, true);
    case TermKind::Ite:
      return eval(t->operands()[eval(t->guard()) ? 0 : 1]);
    case TermKind::Op: {
      llvm::SmallVector<ScalarType, 3> types;
      llvm::SmallVector<ScalarValue, 3> args;
      for (const Term *o : t->operands()) {
        types.push_back(o->type());
        args.push_back({eval(o), false});
      }
      return evalScalar(t->op(), t->attrs(), t->type(), types, args).value.bits;
    }
    case TermKind::App:
      return apply(t);
    case TermKind::ElemParam:
      return params[t->symbol()];
    case TermKind::Acc:
      return accs[t->symbol()];
    case TermKind::Symbol:
      break;
    }
    assert(false && "no value");
    return llvm::APInt(1, 0);
  }

  static int64_t floorDivide(int64_t a, int64_t b) {
    assert(b >= 1);
    return a >= 0 ? a / b : -((-a + b - 1) / b);
  }

private:
  llvm::APInt apply(const Term *t) const {
    const Closure &c = *t->closure();
    Evaluator inner(read);
    inner.values = values; // dims
    IndexManager &m = anyPoly(t)->manager();
    for (unsigned i = 0; i < t->indices().size(); ++i)
      inner.set(m.param(i), eval(t->indices()[i]));
    for (const Term *o : t->operands())
      inner.params.push_back(eval(o));
    if (c.kind == Closure::Kind::Map)
      return inner.eval(c.body());
    for (const Term *i : c.inits)
      inner.accs.push_back(inner.eval(i));
    inner.loop(c, m, 0);
    return inner.accs[c.kind == Closure::Kind::Fold ? 0 : c.result];
  }
  void loop(const Closure &c, IndexManager &m, unsigned dim) {
    if (dim == c.extents.size()) {
      if (!eval(c.guard))
        return;
      std::vector<llvm::APInt> next;
      if (c.kind == Closure::Kind::Fold) {
        ScalarValue args[] = {{accs[0], false}, {eval(c.body()), false}};
        ScalarType types[] = {c.type, c.type};
        next.push_back(
            evalScalar(c.op, c.attrs, c.type, types, args).value.bits);
      } else {
        for (const Term *b : c.bodies)
          next.push_back(eval(b));
      }
      accs = next;
      return;
    }
    int64_t n = eval(c.extents[dim]);
    for (int64_t i = 0; i < n; ++i) {
      set(m.bound(dim), i);
      loop(c, m, dim + 1);
    }
  }
  const IndexPoly *anyPoly(const Term *t) const {
    const Closure &c = *t->closure();
    if (!t->indices().empty())
      return t->indices()[0].get();
    if (!c.extents.empty())
      return c.extents[0].get();
    for (const auto &[a, v] : values)
      return a->term.get();
    assert(false && "no index manager in reach");
    return nullptr;
  }

  Read read;
  std::map<const IndexAtom *, int64_t> values;
  std::vector<llvm::APInt> params, accs;
};

} // namespace panpipe::tv::test

#endif // PANPIPE_TEST_UNIT_TV_TERM_EVALUATE_H
