//===- CompareScalar.cpp - Scalar pairs from elements ---------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What structure does not settle is a pair of scalar functions of leaves
/// (reads and applications). Leaves proved equal share one symbol.
///
//===----------------------------------------------------------------------===//

#include "ComparerImpl.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <random>

using namespace panpipe::tv;

namespace {

using Leaves = llvm::SetVector<const Term *>;

bool isLeaf(const Term *t) {
  return t->kind() != TermKind::Op && t->kind() != TermKind::Const &&
         t->kind() != TermKind::Ite;
}

void collectLeaves(const Term *t, Leaves &leaves,
                   llvm::DenseSet<const Term *> &seen) {
  if (!seen.insert(t).second)
    return;
  if (isLeaf(t)) {
    leaves.insert(t);
    return;
  }
  for (const Term *o : t->operands())
    collectLeaves(o, leaves, seen);
}

/// Replaces leaves by what `map` says.
class LeafRewriter {
public:
  LeafRewriter(TermContext &terms,
               const llvm::DenseMap<const Term *, const Term *> &map)
      : terms(terms), map(map) {}
  const Term *run(const Term *t) {
    if (const Term *by = map.lookup(t))
      return by;
    if (t->operands().empty() || isLeaf(t))
      return t;
    const Term *&slot = memo[t];
    if (slot)
      return slot;
    llvm::SmallVector<const Term *, 4> operands;
    for (const Term *o : t->operands())
      operands.push_back(run(o));
    const Term *r = t->kind() == TermKind::Ite
                        ? terms.mkIte(t->guard(), operands[0], operands[1],
                                      terms.emptyContext())
                        : terms.mkOp(t->op(), t->attrs(), t->type(), operands);
    memo[t] = r;
    return r;
  }

private:
  TermContext &terms;
  const llvm::DenseMap<const Term *, const Term *> &map;
  llvm::DenseMap<const Term *, const Term *> memo;
};

/// Runs a term on concrete symbol values.
class Execution {
public:
  explicit Execution(unsigned seed) : rng(seed) {}
  ScalarValue run(const Term *t) {
    auto it = values.find(t);
    if (it != values.end())
      return it->second;
    ScalarValue v{llvm::APInt(t->type().width(), 0), false};
    if (t->isConst()) {
      v.bits = t->bits();
    } else if (t->kind() == TermKind::Op) {
      llvm::SmallVector<ScalarType, 3> types;
      llvm::SmallVector<ScalarValue, 3> args;
      for (const Term *o : t->operands()) {
        types.push_back(o->type());
        args.push_back(run(o));
      }
      ScalarResult r = evalScalar(t->op(), t->attrs(), t->type(), types, args);
      if (r.ub)
        unknown = true;
      v = r.value;
      v.poison = false;
    } else {
      v.bits = pick(t->type());
    }
    values[t] = v;
    return v;
  }
  /// Something was undefined on the way: the run decides nothing.
  bool unknown = false;

private:
  llvm::APInt pick(ScalarType type) {
    unsigned w = type.width();
    if (type.isFloat()) {
      static const double specials[] = {0.0,  1.0, -1.0, 0.5, 3.0,
                                        -2.5, 7.0, 0.1,  1e3, -0.3};
      llvm::APFloat f(specials[rng() % 10]);
      bool losesInfo;
      f.convert(type.fltSemantics(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
      return f.bitcastToAPInt();
    }
    llvm::APInt r(w, 0);
    uint64_t kind = rng() % 3;
    if (kind == 0)
      return llvm::APInt(w, rng() % 4, false, true);
    for (unsigned i = 0; i < w; ++i)
      if (rng() & 1)
        r.setBit(i);
    return r;
  }
  std::mt19937 rng;
  llvm::DenseMap<const Term *, ScalarValue> values;
};

/// Operations that may have other results than an execution shows.
bool hasSets(const Term *root) {
  const uint8_t sets =
      FMF_reassoc | FMF_nsz | FMF_arcp | FMF_contract | FMF_afn;
  llvm::SmallVector<const Term *, 16> work{root};
  llvm::DenseSet<const Term *> seen;
  while (!work.empty()) {
    const Term *t = work.pop_back_val();
    if (!seen.insert(t).second)
      continue;
    if (t->kind() == TermKind::Op &&
        ((t->attrs().fastMath & sets) || t->is(ScalarOp::MaxNumF) ||
         t->is(ScalarOp::MinNumF)))
      return true;
    work.append(t->operands().begin(), t->operands().end());
  }
  return false;
}

/// True if a few runs show a difference: no proof is possible then.
bool refuted(const ScalarPair &pair) {
  if (hasSets(pair.source.value))
    return false;
  for (unsigned seed = 1; seed <= 16; ++seed) {
    Execution e(seed);
    ScalarValue sp = e.run(pair.source.poison), tp = e.run(pair.target.poison);
    ScalarValue s = e.run(pair.source.value), t = e.run(pair.target.value);
    if (e.unknown || !sp.bits.isZero())
      continue;
    if (!tp.bits.isZero())
      return true;
    ScalarType type = pair.source.value->type();
    bool bothNaN = type.isFloat() && isNaN(type, s.bits) && isNaN(type, t.bits);
    if (s.bits != t.bits && !bothNaN)
      return true;
  }
  return false;
}

} // namespace

bool Comparer::Impl::byScalars(const IndexContext &context, Element s,
                               Element t, unsigned depth) {
  if (!scalarsOn)
    return false;
  NamingOff off(terms);
  return decideScalars(context, s, t, depth, 6);
}

bool Comparer::Impl::decideScalars(const IndexContext &context, Element s,
                                   Element t, unsigned depth,
                                   unsigned unfoldings) {
  Leaves ls, lt;
  llvm::DenseSet<const Term *> seenS, seenT;
  for (const Term *x : {s.value, s.poison})
    collectLeaves(x, ls, seenS);
  for (const Term *x : {t.value, t.poison})
    collectLeaves(x, lt, seenT);

  // Names that the other side does not have are opened, a level at a time.
  llvm::DenseMap<const Term *, const Term *> unfolded;
  if (unfoldings > 0)
    for (auto [mine, other] : {std::pair(&ls, &lt), std::pair(&lt, &ls)})
      for (const Term *x : *mine)
        if (!other->contains(x))
          if (const Term *body = terms.unfold(x, context))
            unfolded[x] = body;
  if (!unfolded.empty()) {
    LeafRewriter rewriter(terms, unfolded);
    const Term *all[] = {rewriter.run(s.value), rewriter.run(s.poison),
                         rewriter.run(t.value), rewriter.run(t.poison)};
    return forEachCell(
        context, all,
        [&](const IndexContext &c, llvm::ArrayRef<const Term *> x) {
          return decideScalars(c, {x[0], x[1]}, {x[2], x[3]}, depth,
                               unfoldings - 1);
        });
  }
  // Two single leaves: the descent has compared them.
  if (isLeaf(s.value) && isLeaf(t.value) && s.value != t.value &&
      s.poison->isFalse())
    return false;

  llvm::DenseMap<const Term *, const Term *> symbols;
  unsigned number = 0;
  auto symbolFor = [&](const Term *leaf) {
    const Term *&slot = symbols[leaf];
    if (!slot)
      slot = leaf->kind() == TermKind::Symbol
                 ? leaf
                 : terms.mkElemParam(leaf->type(), number++);
    return slot;
  };
  for (const Term *x : ls)
    symbolFor(x);
  Mark start = mark();
  for (const Term *y : lt) {
    if (symbols.count(y))
      continue;
    const Term *partner = nullptr;
    for (const Term *x : ls)
      if (x->kind() == y->kind() && x->type() == y->type() &&
          x->base() == y->base() && equal(context, x, y, depth)) {
        partner = x;
        break;
      }
    // A leaf of the target alone can have any value; executions below settle
    // nearly every such pair at once.
    if (partner)
      symbols[y] = symbols[partner];
    else
      symbolFor(y);
  }
  // Numbered parameters make equal pairs equal whatever their leaves; the
  // ladder wants symbols.
  llvm::DenseMap<const Term *, const Term *> fresh;
  for (auto &[leaf, param] : symbols)
    if (param->kind() == TermKind::ElemParam) {
      const Term *&slot = scalarSymbols[param];
      if (!slot)
        slot = terms.mkSymbol(param->type(),
                              "s" + std::to_string(param->symbol()));
      param = slot;
    }
  LeafRewriter rewriter(terms, symbols);
  ScalarPair pair;
  pair.source = {rewriter.run(s.value), rewriter.run(s.poison)};
  pair.target = {rewriter.run(t.value), rewriter.run(t.poison)};
  if (pair.source == pair.target ||
      (pair.source.value == pair.target.value && pair.target.poison->isFalse()))
    return true;
  bool strict = !options.scalarOracle || options.scalarOracle->isStrict;
  if (strict && refuted(pair)) {
    rollBack(start);
    return false;
  }
  pair.where = "source " + terms.print(s.value, 5) + ", target " +
               terms.print(t.value, 5);
  usedScalars = true;
  if (!options.scalarOracle) {
    trail.residuals.push_back(allResiduals.size());
    allResiduals.push_back(std::move(pair));
    return true;
  }
  size_t before = options.scalarOracle->assumptions.size();
  if (!options.scalarOracle->proves(terms, pair)) {
    rollBack(start);
    return false;
  }
  for (size_t i = before; i < options.scalarOracle->assumptions.size(); ++i)
    assume(options.scalarOracle->assumptions[i]);
  return true;
}
