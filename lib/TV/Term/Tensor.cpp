//===- Tensor.cpp - Symbolic tensors and views ----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every view is a substitution of indices into its source's element, done once
/// when the view is made (validation-tensors 3.2).
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Term/Tensor.h"

#include "llvm/ADT/STLExtras.h"

using namespace panpipe::tv;

IndexContext panpipe::tv::ownContext(TermContext &terms,
                                     llvm::ArrayRef<IndexTerm> shape) {
  IndexContext context = terms.ambient();
  for (auto [d, extent] : llvm::enumerate(shape))
    context = context.withExtent(terms.ownIndex(d), extent);
  return context;
}

/// The index of a unit dimension is 0 from the start: with a variable there,
/// equal values would get names over different lists of parameters.
static IndexList ownIndices(TermContext &terms,
                            llvm::ArrayRef<IndexTerm> shape) {
  IndexList own;
  for (auto [d, extent] : llvm::enumerate(shape))
    own.push_back(extent.constantInt64() == 1 ? terms.index().constant(0)
                                              : terms.ownIndex(d));
  return own;
}

Element panpipe::tv::viewElement(TermContext &terms, const SymTensor &tensor,
                                 llvm::ArrayRef<IndexTerm> at,
                                 const IndexContext &context) {
  assert(at.size() == tensor.rank());
  TermSubst subst;
  bool isChanged = false;
  for (auto [d, index] : llvm::enumerate(at))
    if (index != terms.ownIndex(d)) {
      subst.index.set(terms.ownIndex(d), index);
      isChanged |= tensor.shape[d].constantInt64() != 1;
    }
  // Even without a change of indices, guards may be decided here that were open
  // in the tensor's own context: substitute the variables by themselves.
  if (!isChanged)
    for (auto [d, index] : llvm::enumerate(at))
      subst.index.set(terms.ownIndex(d), index);
  return terms.substitute(tensor.element, subst, context);
}

namespace {
/// Replaces each unspecified base by one new choice.
class Chooser {
public:
  Chooser(TermContext &terms, const IndexContext &context)
      : terms(terms), context(context), iterations(context.rangedVars()) {}

  const Term *run(const Term *t) {
    if (!t->hasUnspecified())
      return t;
    const Term *&slot = memo[t];
    if (slot)
      return slot;
    const Term *result = rewrite(t);
    memo[t] = result;
    return result;
  }

private:
  const Term *rewrite(const Term *t) {
    if (t->base()) {
      const TensorBase *&choice = choices[t->base()];
      if (!choice)
        choice = terms.choiceBase(t->base(), iterations.size());
      // Two iterations that read one element choose apart.
      llvm::SmallVector<IndexTerm, 8> at(t->indices());
      at.append(iterations.begin(), iterations.end());
      return t->kind() == TermKind::Read ? terms.mkRead(choice, at)
                                         : terms.mkBool(false);
    }
    llvm::SmallVector<const Term *, 4> operands;
    for (const Term *o : t->operands())
      operands.push_back(run(o));
    switch (t->kind()) {
    case TermKind::Op:
      return terms.mkOp(t->op(), t->attrs(), t->type(), operands);
    case TermKind::Ite:
      return terms.mkIte(t->guard(), operands[0], operands[1], context);
    default:
      return terms.mkApp(t->closure(), t->indices(), operands);
    }
  }

  TermContext &terms;
  const IndexContext &context;
  llvm::SmallVector<IndexTerm, 8> iterations;
  llvm::DenseMap<const Term *, const Term *> memo;
  llvm::DenseMap<const TensorBase *, const TensorBase *> choices;
};
} // namespace

Element panpipe::tv::readElement(TermContext &terms, const SymTensor &tensor,
                                 llvm::ArrayRef<IndexTerm> at,
                                 const IndexContext &context) {
  Element e = viewElement(terms, tensor, at, context);
  if (!e.value->hasUnspecified() && !e.poison->hasUnspecified())
    return e;
  Chooser chooser(terms, context);
  return {chooser.run(e.value), chooser.run(e.poison)};
}

static SymTensor make(ScalarType type, llvm::ArrayRef<IndexTerm> shape,
                      Element element) {
  SymTensor t;
  t.type = type;
  t.shape.assign(shape.begin(), shape.end());
  t.element = element;
  return t;
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

SymTensor panpipe::tv::argumentTensor(TermContext &terms, llvm::StringRef name,
                                      ScalarType type,
                                      llvm::ArrayRef<IndexTerm> shape,
                                      bool mayBePoison) {
  const TensorBase *base = terms.argumentBase(name, type, shape.size());
  IndexList own = ownIndices(terms, shape);
  return make(type, shape,
              {terms.mkRead(base, own), mayBePoison
                                            ? terms.mkPoisonRead(base, own)
                                            : terms.mkBool(false)});
}

SymTensor panpipe::tv::emptyTensor(TermContext &terms, ScalarType type,
                                   llvm::ArrayRef<IndexTerm> shape) {
  const TensorBase *base = terms.unspecifiedBase(type, shape.size());
  return make(
      type, shape,
      {terms.mkRead(base, ownIndices(terms, shape)), terms.mkBool(false)});
}

SymTensor panpipe::tv::splatTensor(TermContext &, ScalarType type,
                                   llvm::ArrayRef<IndexTerm> shape,
                                   Element value) {
  return make(type, shape, value);
}

SymTensor panpipe::tv::opaqueTensor(TermContext &terms, llvm::StringRef name,
                                    unsigned result, ScalarType type,
                                    llvm::ArrayRef<IndexTerm> shape,
                                    llvm::ArrayRef<SymTensor> operands) {
  std::vector<TensorBase::Operand> list;
  for (const SymTensor &t : operands)
    list.push_back({t.type, t.shape, t.element});
  const TensorBase *base =
      terms.opaqueBase(name, result, type, shape.size(), std::move(list));
  IndexList own = ownIndices(terms, shape);
  return make(type, shape,
              {terms.mkRead(base, own), terms.mkPoisonRead(base, own)});
}

SymTensor panpipe::tv::constantTensor(TermContext &terms, ScalarType type,
                                      llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<llvm::APInt> values) {
  IndexList extents;
  IndexTerm linear = terms.index().constant(0);
  for (auto [d, extent] : llvm::enumerate(shape)) {
    extents.push_back(terms.index().constant(extent));
    linear = linear * extent + terms.ownIndex(d);
  }
  IndexContext context = ownContext(terms, extents);
  const Term *value = nullptr;
  for (size_t i = values.size(); i-- > 0;) {
    const Term *v = terms.mkConst(type, values[i]);
    value =
        !value
            ? v
            : terms.mkIte({geZero(terms.index().constant(int64_t(i)) - linear)},
                          v, value, context);
  }
  if (!value)
    value = terms.mkConst(type, llvm::APInt(type.width(), 0));
  return make(type, extents, {value, terms.mkBool(false)});
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

SymTensor panpipe::tv::indexMapTensor(
    TermContext &terms, const SymTensor &source,
    llvm::ArrayRef<IndexTerm> shape,
    llvm::function_ref<IndexList(llvm::ArrayRef<IndexTerm>,
                                 const IndexContext &)>
        map) {
  IndexContext context = ownContext(terms, shape);
  IndexList own = ownIndices(terms, shape);
  return make(source.type, shape,
              viewElement(terms, source, map(own, context), context));
}

SymTensor panpipe::tv::extractSlice(TermContext &terms, const SymTensor &source,
                                    llvm::ArrayRef<IndexTerm> offsets,
                                    llvm::ArrayRef<IndexTerm> sizes,
                                    llvm::ArrayRef<IndexTerm> strides) {
  return indexMapTensor(terms, source, sizes,
                        [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &) {
                          IndexList at;
                          for (unsigned d = 0; d < i.size(); ++d)
                            at.push_back(offsets[d] + strides[d] * i[d]);
                          return at;
                        });
}

SymTensor panpipe::tv::dropUnitDims(TermContext &terms, const SymTensor &source,
                                    llvm::ArrayRef<bool> dropped) {
  IndexList shape;
  for (unsigned d = 0; d < source.rank(); ++d)
    if (!dropped[d])
      shape.push_back(source.shape[d]);
  return indexMapTensor(terms, source, shape,
                        [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &) {
                          IndexList at;
                          unsigned next = 0;
                          for (unsigned d = 0; d < source.rank(); ++d)
                            at.push_back(dropped[d] ? terms.index().constant(0)
                                                    : i[next++]);
                          return at;
                        });
}

SymTensor panpipe::tv::addUnitDims(TermContext &terms, const SymTensor &source,
                                   llvm::ArrayRef<IndexTerm> shape,
                                   llvm::ArrayRef<bool> added) {
  return indexMapTensor(terms, source, shape,
                        [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &) {
                          IndexList at;
                          for (unsigned d = 0; d < i.size(); ++d)
                            if (!added[d])
                              at.push_back(i[d]);
                          return at;
                        });
}

SymTensor panpipe::tv::transposeTensor(TermContext &terms,
                                       const SymTensor &source,
                                       llvm::ArrayRef<int64_t> perm) {
  IndexList shape;
  for (int64_t p : perm)
    shape.push_back(source.shape[p]);
  return indexMapTensor(terms, source, shape,
                        [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &) {
                          IndexList at(perm.size());
                          for (unsigned d = 0; d < perm.size(); ++d)
                            at[perm[d]] = i[d];
                          return at;
                        });
}

SymTensor panpipe::tv::broadcastTensor(TermContext &terms,
                                       const SymTensor &source,
                                       llvm::ArrayRef<IndexTerm> shape,
                                       llvm::ArrayRef<int64_t> dims) {
  return indexMapTensor(terms, source, shape,
                        [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &) {
                          IndexList at;
                          for (int64_t d : dims)
                            at.push_back(i[d]);
                          return at;
                        });
}

/// Adds `p >= 0` unless it is known; false if it cannot hold.
static bool addGuard(Guard &guard, IndexTerm p, const IndexContext &context) {
  auto known = context.decide(geZero(p));
  if (known == false)
    return false;
  if (!known)
    guard.push_back(geZero(p));
  return true;
}

/// guard ? then : else, each branch built under what is known in it.
static Element
branch(TermContext &terms, const IndexContext &context,
       llvm::ArrayRef<GuardAtom> guard,
       llvm::function_ref<Element(const IndexContext &)> thenElement,
       llvm::function_ref<Element(const IndexContext &)> elseElement) {
  if (guard.empty())
    return thenElement(context);
  IndexContext inside = context.assume(guard);
  if (inside.isContradictory())
    return elseElement(context);
  IndexContext outside = context;
  if (guard.size() == 1) {
    // Not p = 0 is p >= 1 or p <= -1: a fact only where one of them is
    // excluded.
    IndexTerm p = guard[0].poly;
    if (!guard[0].isEquality || context.nonneg(-p))
      outside = context.assume(geZero(-p - 1));
    else if (context.nonneg(p))
      outside = context.assume(geZero(p - 1));
  }
  return terms.mkIte(guard, thenElement(inside), elseElement(outside), context);
}

SymTensor panpipe::tv::padTensor(
    TermContext &terms, const SymTensor &source, llvm::ArrayRef<IndexTerm> low,
    llvm::ArrayRef<IndexTerm> high,
    llvm::function_ref<Element(llvm::ArrayRef<IndexTerm>, const IndexContext &)>
        padValue) {
  IndexList shape, at;
  for (unsigned d = 0; d < source.rank(); ++d)
    shape.push_back(low[d] + source.shape[d] + high[d]);
  IndexList own = ownIndices(terms, shape);
  for (unsigned d = 0; d < source.rank(); ++d)
    at.push_back(own[d] - low[d]);
  IndexContext context = ownContext(terms, shape);
  Guard guard;
  for (unsigned d = 0; d < source.rank(); ++d)
    if (!addGuard(guard, at[d], context) ||
        !addGuard(guard, source.shape[d] - 1 - at[d], context))
      return make(source.type, shape, padValue(own, context));
  return make(source.type, shape,
              branch(
                  terms, context, guard,
                  [&](const IndexContext &c) {
                    return viewElement(terms, source, at, c);
                  },
                  [&](const IndexContext &c) { return padValue(own, c); }));
}

SymTensor panpipe::tv::concatTensors(TermContext &terms,
                                     llvm::ArrayRef<SymTensor> parts,
                                     unsigned dim) {
  IndexList shape = parts[0].shape;
  for (const SymTensor &t : parts.drop_front())
    shape[dim] = shape[dim] + t.shape[dim];
  IndexList own = ownIndices(terms, shape);
  // Front to back: each part under the negation of the guards before it; then
  // the nested case distinction is put together from the back.
  struct Arm {
    GuardAtom guard;
    Element element;
    IndexContext context;
  };
  llvm::SmallVector<Arm, 4> arms;
  IndexContext context = ownContext(terms, shape);
  IndexTerm offset = terms.index().constant(0);
  Element last;
  for (const SymTensor &t : parts) {
    IndexList at = own;
    at[dim] = own[dim] - offset;
    GuardAtom g = geZero(t.shape[dim] - 1 - at[dim]);
    auto known = context.decide(g);
    if (&t == &parts.back() || known == true) {
      last = viewElement(terms, t, at, context);
      break;
    }
    if (known != false) {
      IndexContext inside = context.assume(g);
      arms.push_back({g, viewElement(terms, t, at, inside), context});
      context = context.assume(geZero(-g.poly - 1));
    }
    offset = offset + t.shape[dim];
  }
  for (const Arm &arm : llvm::reverse(arms))
    last = terms.mkIte({arm.guard}, arm.element, last, arm.context);
  return make(parts[0].type, shape, last);
}

SymTensor panpipe::tv::insertSlice(TermContext &terms, const SymTensor &source,
                                   const SymTensor &dest,
                                   llvm::ArrayRef<IndexTerm> offsets,
                                   llvm::ArrayRef<IndexTerm> strides) {
  IndexList own = ownIndices(terms, dest.shape), at;
  IndexContext context = ownContext(terms, dest.shape);
  Guard guard;
  for (unsigned d = 0; d < dest.rank(); ++d) {
    IndexTerm delta = own[d] - offsets[d];
    auto stride = strides[d].constantInt64();
    if (stride && *stride > 1) {
      // Only every stride-th element: delta - stride·floor(delta/stride) = 0.
      IndexTerm step = terms.index().constant(*stride);
      at.push_back(context.floorDiv(delta, step));
      GuardAtom on = eqZero(delta - step * at.back());
      if (context.decide(on) == false)
        return dest;
      if (context.decide(on) != true)
        guard.push_back(on);
    } else {
      at.push_back(delta);
    }
    if (!addGuard(guard, at[d], context) ||
        !addGuard(guard, source.shape[d] - 1 - at[d], context))
      return dest;
  }
  return make(dest.type, dest.shape,
              branch(
                  terms, context, guard,
                  [&](const IndexContext &c) {
                    return viewElement(terms, source, at, c);
                  },
                  [&](const IndexContext &c) {
                    return viewElement(terms, dest, own, c);
                  }));
}

SymTensor panpipe::tv::collapseShape(TermContext &terms,
                                     const SymTensor &source,
                                     Reassociation groups) {
  IndexList shape;
  for (const auto &group : groups) {
    IndexTerm extent = terms.index().constant(1);
    for (int64_t d : group)
      extent = extent * source.shape[d];
    shape.push_back(extent);
  }
  return indexMapTensor(
      terms, source, shape,
      [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &context) {
        IndexList at(source.rank(), terms.index().constant(0));
        for (auto [g, group] : llvm::enumerate(groups)) {
          // From the innermost dim outwards; the outermost takes what remains.
          IndexTerm rest = i[g];
          for (unsigned k = group.size(); k-- > 0;) {
            IndexTerm extent = source.shape[group[k]];
            if (k == 0) {
              at[group[k]] = rest;
              break;
            }
            IndexTerm quotient = context.floorDiv(rest, extent);
            at[group[k]] = rest - extent * quotient;
            rest = quotient;
          }
        }
        return at;
      });
}

SymTensor panpipe::tv::expandShape(TermContext &terms, const SymTensor &source,
                                   Reassociation groups,
                                   llvm::ArrayRef<IndexTerm> shape) {
  return indexMapTensor(terms, source, shape,
                        [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &) {
                          IndexList at;
                          for (const auto &group : groups) {
                            IndexTerm linear = terms.index().constant(0);
                            for (int64_t d : group)
                              linear = linear * shape[d] + i[d];
                            at.push_back(linear);
                          }
                          return at;
                        });
}

SymTensor panpipe::tv::reshapeTensor(TermContext &terms,
                                     const SymTensor &source,
                                     llvm::ArrayRef<IndexTerm> shape) {
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>, 1> all(1), out(1);
  for (unsigned d = 0; d < source.rank(); ++d)
    all[0].push_back(d);
  for (unsigned d = 0; d < shape.size(); ++d)
    out[0].push_back(d);
  if (source.rank() == 0)
    return indexMapTensor(terms, source, shape,
                          [](llvm::ArrayRef<IndexTerm>, const IndexContext &) {
                            return IndexList();
                          });
  SymTensor flat = collapseShape(terms, source, all);
  if (shape.empty())
    return indexMapTensor(terms, flat, shape,
                          [&](llvm::ArrayRef<IndexTerm>, const IndexContext &) {
                            return IndexList(1, terms.index().constant(0));
                          });
  return expandShape(terms, flat, out, shape);
}

SymTensor panpipe::tv::mapTensor(
    TermContext &terms, ScalarType type, llvm::ArrayRef<IndexTerm> shape,
    llvm::function_ref<Element(llvm::ArrayRef<IndexTerm>, const IndexContext &)>
        fn) {
  IndexContext context = ownContext(terms, shape);
  return make(type, shape, fn(ownIndices(terms, shape), context));
}
