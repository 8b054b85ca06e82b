//===- ScalarChoices.cpp - Fast-math as sets of allowed results -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarChoices.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace panpipe::tv {

static const uint8_t setFlags =
    FMF_reassoc | FMF_nsz | FMF_arcp | FMF_contract | FMF_afn;

static bool isMaxNum(ScalarOp op) {
  return op == ScalarOp::MaxNumF || op == ScalarOp::MinNumF;
}

bool denotesSet(const Term *t) {
  if (t->kind() != TermKind::Op || !t->type().isFloat())
    return false;
  return (t->attrs().fastMath & setFlags) || isMaxNum(t->op());
}

/// Operations below `root`, operands first, without going into applications'
/// bodies (their element arguments are visited).
static std::vector<const Term *> postOrder(const Term *root) {
  std::vector<const Term *> order;
  DenseSet<const Term *> done;
  SmallVector<std::pair<const Term *, bool>, 16> stack{{root, false}};
  while (!stack.empty()) {
    auto [t, ready] = stack.pop_back_val();
    if (done.contains(t))
      continue;
    if (ready) {
      done.insert(t);
      order.push_back(t);
      continue;
    }
    stack.push_back({t, true});
    for (const Term *o : reverse(t->operands()))
      stack.push_back({o, false});
  }
  return order;
}

namespace {
/// Rebuilds a term with picks for its sets.
class Instance {
public:
  Instance(TermContext &terms, bool keepPoisonFlags)
      : terms(terms), keep(keepPoisonFlags ? FMF_nnan | FMF_ninf : 0) {}

  DenseMap<const Term *, const Term *> map; ///< original -> instance

  /// The results of a set operation whose operands are in `map`; the first is
  /// the strict one. `complete` becomes false if members are missing.
  SmallVector<const Term *, 4> members(const Term *t, bool &complete);
  /// The operation without a set, or any other term, on mapped operands.
  const Term *rebuild(const Term *t);

private:
  const Term *op(const Term *like, ScalarOp o, ArrayRef<const Term *> x) {
    ScalarAttrs attrs;
    attrs.fastMath = like->attrs().fastMath & keep;
    attrs.pick = pickOf(like);
    return terms.mkOp(o, attrs, like->type(), x);
  }
  const Term *strict(const Term *t) {
    SmallVector<const Term *, 3> x;
    for (const Term *o : t->operands())
      x.push_back(map.lookup(o));
    ScalarAttrs attrs = t->attrs();
    attrs.fastMath &= keep;
    attrs.pick = pickOf(t);
    return terms.mkOp(t->op(), attrs, t->type(), x);
  }
  /// An instance has one result, up to the bits of a NaN.
  uint32_t pickOf(const Term *t) const {
    return terms.nanBitsAreRead ? t->attrs().pick : 0;
  }
  void contractions(const Term *t, SmallVectorImpl<const Term *> &out);
  void trees(const Term *t, SmallVectorImpl<const Term *> &out, bool &complete);
  const Term *zeroTest(const Term *v);
  const Term *dropNaN(const Term *t, ScalarOp propagating);
  const Term *flipZero(const Term *t, const Term *r);

  TermContext &terms;
  uint8_t keep;
};
} // namespace

const Term *Instance::zeroTest(const Term *v) {
  ScalarAttrs equal;
  equal.predicate = 1; // oeq
  return terms.mkOp(ScalarOp::CmpF, equal, ScalarType::boolean(),
                    {v, terms.mkFloat(v->type(), 0.0)});
}

/// nsz: the other sign where the result, or a zero that decides its sign, is
/// zero.
const Term *Instance::flipZero(const Term *t, const Term *r) {
  const Term *zero = zeroTest(r);
  if (t->op() == ScalarOp::DivF || t->op() == ScalarOp::CopySign)
    zero = terms.mkOr(zero, zeroTest(map.lookup(t->operands()[1])));
  return terms.mkSelect(zero, terms.mkOp(ScalarOp::NegF, r->type(), {r}), r);
}

void Instance::contractions(const Term *t, SmallVectorImpl<const Term *> &out) {
  bool isSub = t->is(ScalarOp::SubF);
  if (t->is(ScalarOp::AddF) || isSub) {
    for (unsigned i : {0u, 1u}) {
      const Term *m = t->operands()[i];
      if (!m->is(ScalarOp::MulF) || !(m->attrs().fastMath & FMF_contract))
        continue;
      const Term *a = map.lookup(m->operands()[0]);
      const Term *b = map.lookup(m->operands()[1]);
      const Term *z = map.lookup(t->operands()[1 - i]);
      auto minus = [&](const Term *v) {
        return terms.mkOp(ScalarOp::NegF, v->type(), {v});
      };
      if (isSub && i == 0)
        z = minus(z);
      if (isSub && i == 1)
        a = minus(a);
      out.push_back(op(t, ScalarOp::Fma, {a, b, z}));
    }
  }
  if (t->is(ScalarOp::ExtF) && t->operands()[0]->is(ScalarOp::TruncF)) {
    const Term *inner = t->operands()[0]->operands()[0];
    if ((t->operands()[0]->attrs().fastMath & FMF_contract) &&
        inner->type() == t->type())
      out.push_back(map.lookup(inner));
  }
}

/// All trees over the leaves of a sum or product: (2n-3)!!.
static void
allTrees(ArrayRef<const Term *> leaves,
         function_ref<const Term *(const Term *, const Term *)> join,
         SmallVectorImpl<const Term *> &out) {
  if (leaves.size() == 1) {
    out.push_back(leaves[0]);
    return;
  }
  // The first leaf is on the left: every split once.
  unsigned n = leaves.size();
  for (unsigned mask = 0; mask < (1u << (n - 1)) - 1; ++mask) {
    SmallVector<const Term *, 4> left{leaves[0]}, right;
    for (unsigned i = 1; i < n; ++i)
      (mask >> (i - 1) & 1 ? left : right).push_back(leaves[i]);
    SmallVector<const Term *, 16> l, r;
    allTrees(left, join, l);
    allTrees(right, join, r);
    for (const Term *a : l)
      for (const Term *b : r)
        out.push_back(join(a, b));
  }
}

void Instance::trees(const Term *t, SmallVectorImpl<const Term *> &out,
                     bool &complete) {
  bool sum = t->is(ScalarOp::AddF) || t->is(ScalarOp::SubF);
  ScalarOp which = sum ? ScalarOp::AddF : ScalarOp::MulF;
  SmallVector<const Term *, 8> leaves;
  SmallVector<std::pair<const Term *, bool>, 8> work{{t, false}};
  while (!work.empty()) {
    auto [x, negative] = work.pop_back_val();
    bool inside = (x->is(which) || (sum && x->is(ScalarOp::SubF))) &&
                  (x->attrs().fastMath & FMF_reassoc);
    if (inside) {
      bool minus = x->is(ScalarOp::SubF);
      work.push_back({x->operands()[0], negative});
      work.push_back({x->operands()[1], negative != minus});
      continue;
    }
    // A contracted product inside a regrouped sum makes more members.
    if (sum && x->is(ScalarOp::MulF) && (t->attrs().fastMath & FMF_contract) &&
        (x->attrs().fastMath & FMF_contract))
      complete = false;
    const Term *leaf = map.lookup(x);
    leaves.push_back(negative ? terms.mkOp(ScalarOp::NegF, x->type(), {leaf})
                              : leaf);
    if (leaves.size() > 4) {
      complete = false;
      return;
    }
  }
  if (leaves.size() <= 2)
    return;
  allTrees(
      leaves,
      [&](const Term *a, const Term *b) { return op(t, which, {a, b}); }, out);
}

/// maxnum through maximum: an operation with one result, so that what is
/// built here denotes no set any more.
const Term *Instance::dropNaN(const Term *t, ScalarOp propagating) {
  const Term *x = map.lookup(t->operands()[0]);
  const Term *y = map.lookup(t->operands()[1]);
  auto isNaNTerm = [&](const Term *v) {
    return terms.mkOp(ScalarOp::IsNaN, ScalarType::boolean(), {v});
  };
  return terms.mkSelect(
      isNaNTerm(x), y,
      terms.mkSelect(isNaNTerm(y), x, op(t, propagating, {x, y})));
}

SmallVector<const Term *, 4> Instance::members(const Term *t, bool &complete) {
  complete = true;
  uint8_t f = t->attrs().fastMath;
  SmallVector<const Term *, 4> out{strict(t)};
  if (f & FMF_contract)
    contractions(t, out);
  if ((f & FMF_arcp) && t->is(ScalarOp::DivF)) {
    const Term *x = map.lookup(t->operands()[0]);
    const Term *y = map.lookup(t->operands()[1]);
    const Term *inverse =
        op(t, ScalarOp::DivF, {terms.mkFloat(t->type(), 1.0), y});
    out.push_back(op(t, ScalarOp::MulF, {x, inverse}));
  }
  bool sumOrProduct =
      t->is(ScalarOp::AddF) || t->is(ScalarOp::SubF) || t->is(ScalarOp::MulF);
  if ((f & FMF_reassoc) && sumOrProduct)
    trees(t, out, complete);
  if (isMaxNum(t->op())) {
    out.clear();
    bool isMax = t->is(ScalarOp::MaxNumF);
    const Term *plain =
        dropNaN(t, isMax ? ScalarOp::MaximumF : ScalarOp::MinimumF);
    out.push_back(plain);
    // Of +0 and -0 either.
    const Term *zeros = terms.mkAnd(zeroTest(map.lookup(t->operands()[0])),
                                    zeroTest(map.lookup(t->operands()[1])));
    const Term *other =
        dropNaN(t, isMax ? ScalarOp::MinimumF : ScalarOp::MaximumF);
    out.push_back(terms.mkSelect(zeros, other, plain));
  }
  if (f & FMF_nsz) {
    SmallVector<const Term *, 4> plain = out;
    for (const Term *r : plain)
      out.push_back(flipZero(t, r));
    if (scalarOpClass(t->op()) == ScalarOpClass::OPAQUE)
      complete = false;
  }
  if ((f & FMF_afn) && (scalarOpClass(t->op()) == ScalarOpClass::OPAQUE ||
                        t->is(ScalarOp::Sqrt)))
    complete = false;
  // Different picks of the same value are one.
  SmallVector<const Term *, 4> distinct;
  for (const Term *r : out)
    if (!is_contained(distinct, r))
      distinct.push_back(r);
  return distinct;
}

const Term *Instance::rebuild(const Term *t) {
  if (t->operands().empty())
    return t;
  SmallVector<const Term *, 4> x;
  bool changed = false;
  for (const Term *o : t->operands()) {
    x.push_back(map.lookup(o));
    changed |= x.back() != o;
  }
  switch (t->kind()) {
  case TermKind::Op: {
    ScalarAttrs attrs = t->attrs();
    attrs.fastMath &= keep;
    attrs.pick = pickOf(t);
    if (attrs == t->attrs() && !changed)
      return t;
    return terms.mkOp(t->op(), attrs, t->type(), x);
  }
  case TermKind::Ite:
    return changed ? terms.mkIte(t->guard(), x[0], x[1], terms.emptyContext())
                   : t;
  case TermKind::App:
    return changed ? terms.mkApp(t->closure(), t->indices(), x) : t;
  default:
    return t;
  }
}

//===----------------------------------------------------------------------===//
// Sides
//===----------------------------------------------------------------------===//

/// The instance of `root` for one choice vector. `sizes` gets the number of
/// members of each set, in order.
static const Term *
instantiate(TermContext &terms, ArrayRef<const Term *> order,
            const DenseMap<const Term *, const Term *> &shared,
            ArrayRef<unsigned> vector, SmallVectorImpl<unsigned> &sizes,
            bool *allComplete = nullptr) {
  Instance instance(terms, /*keepPoisonFlags=*/false);
  sizes.clear();
  for (const Term *t : order) {
    if (const Term *s = shared.lookup(t)) {
      instance.map[t] = s;
      continue;
    }
    if (!denotesSet(t)) {
      instance.map[t] = instance.rebuild(t);
      continue;
    }
    bool complete;
    auto members = instance.members(t, complete);
    if (allComplete)
      *allComplete &= complete;
    unsigned k = sizes.size();
    sizes.push_back(members.size());
    unsigned pick = k < vector.size() ? vector[k] : 0;
    instance.map[t] = members[std::min<unsigned>(pick, members.size() - 1)];
  }
  return instance.map.lookup(order.back());
}

static const Term *
chooseTarget(TermContext &terms, ArrayRef<const Term *> order,
             const DenseMap<const Term *, const Term *> &shared,
             std::string &unsupported) {
  Instance instance(terms, /*keepPoisonFlags=*/true);
  for (const Term *t : order) {
    if (const Term *s = shared.lookup(t)) {
      instance.map[t] = s;
      continue;
    }
    if (!denotesSet(t)) {
      instance.map[t] = instance.rebuild(t);
      continue;
    }
    bool complete;
    auto members = instance.members(t, complete);
    if (!complete && unsupported.empty())
      unsupported = scalarOpName(t->op()).str() +
                    " with fast-math flags whose allowed results are not all "
                    "known";
    const Term *value = members[0];
    for (unsigned i = 1; i < members.size(); ++i) {
      const Term *pick = terms.mkSymbol(ScalarType::boolean(),
                                        "choice." + std::to_string(t->id()) +
                                            "." + std::to_string(i));
      value = terms.mkSelect(pick, members[i], value);
    }
    instance.map[t] = value;
  }
  return instance.map.lookup(order.back());
}

/// Instances for all choice vectors, up to `maxInstances`; the strict one
/// first. `all` becomes false if some are left out.
static std::vector<const Term *>
listInstances(TermContext &terms, ArrayRef<const Term *> order,
              const DenseMap<const Term *, const Term *> &shared,
              unsigned maxInstances, bool *all) {
  std::vector<const Term *> out;
  SmallVector<unsigned, 8> vector, sizes;
  out.push_back(instantiate(terms, order, shared, {}, sizes, all));
  vector.assign(sizes.size(), 0);
  // Counts through the vectors; the number of members may depend on earlier
  // picks, so it is asked anew each time.
  for (;;) {
    unsigned k = 0;
    while (k < vector.size() && vector[k] + 1 >= sizes[k])
      vector[k++] = 0;
    if (k == vector.size())
      return out;
    if (out.size() >= maxInstances)
      break;
    ++vector[k];
    const Term *t = instantiate(terms, order, shared, vector, sizes, all);
    if (!is_contained(out, t))
      out.push_back(t);
  }
  if (all)
    *all = false;
  return out;
}

bool coversTargets(TermContext &terms, const Term *target,
                   ArrayRef<const Term *> sources, unsigned maxInstances) {
  std::vector<const Term *> order = postOrder(target);
  for (const Term *t : order)
    if (t->kind() == TermKind::Op &&
        (t->attrs().fastMath & (FMF_nnan | FMF_ninf)))
      return false; // poison is not compared here
  bool all = true;
  auto instances = listInstances(
      terms, order, DenseMap<const Term *, const Term *>(), maxInstances, &all);
  return all && all_of(instances,
                       [&](const Term *t) { return is_contained(sources, t); });
}

ChosenSides expandChoices(TermContext &terms, const Term *source,
                          const Term *target, unsigned maxInstances,
                          bool shareCommon) {
  ChosenSides sides;
  std::vector<const Term *> from = postOrder(source), to = postOrder(target);
  sides.any = any_of(from, denotesSet) || any_of(to, denotesSet);
  if (!sides.any) {
    sides.sources.push_back(source);
    sides.target = target;
    return sides;
  }
  DenseMap<const Term *, const Term *> shared;
  if (shareCommon) {
    DenseSet<const Term *> inSource(from.begin(), from.end());
    for (const Term *t : to)
      if (denotesSet(t) && inSource.contains(t)) {
        shared[t] =
            terms.mkSymbol(t->type(), "picked." + std::to_string(t->id()));
        sides.copied.push_back(t->attrs().pick);
      }
  }
  sides.target = chooseTarget(terms, to, shared, sides.unsupported);
  sides.sources = listInstances(terms, from, shared, maxInstances, nullptr);
  return sides;
}

const Term *withFastMath(TermContext &terms, const Term *term, uint8_t flags) {
  DenseMap<const Term *, const Term *> map;
  std::vector<const Term *> order = postOrder(term);
  for (const Term *t : order) {
    SmallVector<const Term *, 4> x;
    for (const Term *o : t->operands())
      x.push_back(map.lookup(o));
    const Term *r = t;
    if (t->kind() == TermKind::Op) {
      ScalarAttrs attrs = t->attrs();
      bool isFloat = t->type().isFloat() || t->is(ScalarOp::CmpF);
      if (isFloat && t->op() != ScalarOp::Bitcast &&
          t->op() != ScalarOp::SIToFP && t->op() != ScalarOp::UIToFP)
        attrs.fastMath |= flags;
      r = terms.mkOp(t->op(), attrs, t->type(), x);
    } else if (t->kind() == TermKind::Ite) {
      r = terms.mkIte(t->guard(), x[0], x[1], terms.emptyContext());
    } else if (t->kind() == TermKind::App && !x.empty()) {
      r = terms.mkApp(t->closure(), t->indices(), x);
    }
    map[t] = r;
  }
  return map.lookup(term);
}

} // namespace panpipe::tv
