//===- Fold.cpp - Closing folds -------------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Folds are closed here: what does not depend on the bound variables becomes
/// an argument, what remains is the congruence key (validation-tensors 4.3).
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Term/FoldDomain.h"

#include "TermContextImpl.h"

#include "llvm/ADT/STLExtras.h"

using namespace panpipe::tv;

bool panpipe::tv::isOrderFree(ScalarOp op) {
  switch (op) {
  case ScalarOp::AddI:
  case ScalarOp::MulI:
  case ScalarOp::AndI:
  case ScalarOp::OrI:
  case ScalarOp::XOrI:
  case ScalarOp::MinSI:
  case ScalarOp::MaxSI:
  case ScalarOp::MinUI:
  case ScalarOp::MaxUI:
  case ScalarOp::MaximumF:
  case ScalarOp::MinimumF:
    return true;
  default:
    return false;
  }
}

std::optional<llvm::APInt> panpipe::tv::identityOf(ScalarOp op,
                                                   ScalarType type) {
  unsigned w = type.width();
  switch (op) {
  case ScalarOp::AddI:
  case ScalarOp::OrI:
  case ScalarOp::XOrI:
  case ScalarOp::MaxUI:
    return llvm::APInt::getZero(w);
  case ScalarOp::MulI:
    return llvm::APInt(w, 1);
  case ScalarOp::AndI:
  case ScalarOp::MinUI:
    return llvm::APInt::getAllOnes(w);
  case ScalarOp::MinSI:
    return llvm::APInt::getSignedMaxValue(w);
  case ScalarOp::MaxSI:
    return llvm::APInt::getSignedMinValue(w);
  case ScalarOp::AddF: // x + (-0.0) = x, for x = -0.0 and +0.0 too
    return llvm::APFloat::getZero(type.fltSemantics(), /*Negative=*/true)
        .bitcastToAPInt();
  case ScalarOp::MulF: {
    llvm::APFloat one(1.0);
    bool losesInfo;
    one.convert(type.fltSemantics(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
    return one.bitcastToAPInt();
  }
  case ScalarOp::MaximumF:
  case ScalarOp::MinimumF:
    if (!llvm::APFloat::semanticsHasInf(type.fltSemantics()))
      return std::nullopt;
    return llvm::APFloat::getInf(type.fltSemantics(),
                                 /*Negative=*/op == ScalarOp::MaximumF)
        .bitcastToAPInt();
  default:
    return std::nullopt;
  }
}

IndexContext panpipe::tv::foldContext(const IndexContext &context,
                                      const FoldSpec &spec) {
  IndexContext inside = context;
  for (auto [v, e] : llvm::zip(spec.vars, spec.extents))
    inside = inside.withExtent(v, e);
  return inside.assume(spec.guard);
}

//===----------------------------------------------------------------------===//
// Closing
//===----------------------------------------------------------------------===//

namespace {
/// The domain with its variables renamed to Bound 0, 1, …
struct Renamed {
  llvm::SmallVector<const IndexAtom *, 4> bound;
  TermSubst subst;
  IndexContext inside;
};
} // namespace

static Renamed renameBound(TermContext &terms, const IndexContext &context,
                           const FoldSpec &spec) {
  Renamed r{{}, {}, context};
  for (auto [i, v] : llvm::enumerate(spec.vars)) {
    IndexTerm b = terms.index().bound(i);
    r.bound.push_back(b->asAtom());
    r.subst.index.set(v, b);
    r.inside = r.inside.withExtent(b, spec.extents[i]);
  }
  Guard guard;
  for (GuardAtom g : spec.guard)
    guard.push_back({r.inside.substitute(g.poly, r.subst.index), g.isEquality});
  r.inside = r.inside.assume(guard);
  return r;
}

/// Extents made of constants and dims stay in the key; one that depends on an
/// outer variable is an argument.
static IndexTerm closeExtent(Lifter &lifter, IndexTerm extent) {
  bool closed = llvm::all_of(extent->leaves(), [](const IndexAtom *a) {
    return a->kind == AtomKind::Dim;
  });
  return closed ? extent : lifter.lift(extent);
}

[[maybe_unused]] static bool isClosed(const Term *t) {
  return llvm::all_of(t->leaves(), [](const IndexAtom *a) {
    return a->kind == AtomKind::Bound || a->kind == AtomKind::Param ||
           a->kind == AtomKind::Dim;
  });
}

/// Guards and extents are closed after the bodies, so that parameters are
/// numbered by the body.
static void closeDomain(const IndexContext &inside, const Renamed &r,
                        const FoldSpec &spec, Lifter &lifter, Closure &c) {
  for (GuardAtom g : spec.guard)
    c.guard.push_back(lifter.lift(
        GuardAtom{inside.substitute(g.poly, r.subst.index), g.isEquality}));
  for (IndexTerm e : spec.extents)
    c.extents.push_back(closeExtent(lifter, e));
}

static const Term *finishClosure(TermContext &terms, Closure &&c,
                                 const Lifter &lifter) {
  c.numIndexParams = lifter.indexArgs.size();
  for (const Term *a : lifter.elemArgs)
    c.elemParams.push_back(a->type());
  assert(llvm::all_of(c.bodies, isClosed) && llvm::all_of(c.inits, isClosed));
  return terms.mkApp(terms.internClosure(std::move(c)), lifter.indexArgs,
                     lifter.elemArgs);
}

const Term *panpipe::tv::closeFold(TermContext &terms,
                                   const IndexContext &context,
                                   const FoldSpec &spec, const Term *body,
                                   const Term *init) {
  Renamed r = renameBound(terms, context, spec);
  Lifter lifter(terms, r.bound, /*named=*/false);
  Closure c;
  c.kind = Closure::Kind::Fold;
  c.type = body->type();
  c.op = spec.op;
  c.attrs = spec.attrs;
  c.location = spec.location;
  c.bodies.push_back(lifter.lift(terms.substitute(body, r.subst, r.inside)));
  closeDomain(r.inside, r, spec, lifter, c);
  c.inits.push_back(lifter.lift(init));
  return finishClosure(terms, std::move(c), lifter);
}

const Term *panpipe::tv::closeBody(TermContext &terms,
                                   const IndexContext &inside,
                                   llvm::ArrayRef<IndexTerm> vars,
                                   llvm::ArrayRef<GuardAtom> guard,
                                   const Term *body) {
  TermSubst subst;
  llvm::SmallVector<const IndexAtom *, 4> bound;
  IndexContext renamed = inside;
  for (auto [i, v] : llvm::enumerate(vars)) {
    IndexTerm b = terms.index().bound(i);
    subst.index.set(v, b);
    bound.push_back(b->asAtom());
    auto [lo, hi] = inside.range(v->asAtom());
    if (lo)
      renamed = renamed.withRange(b, lo, hi);
  }
  Lifter lifter(terms, bound, /*named=*/false);
  Closure c;
  c.kind = Closure::Kind::Map;
  c.name = "piece"; // never taken for a named value
  // Variables that do not occur count too: the body is repeated.
  c.result = vars.size();
  c.type = body->type();
  c.bodies.push_back(lifter.lift(terms.substitute(body, subst, renamed)));
  for (GuardAtom g : guard)
    c.guard.push_back(lifter.lift(
        GuardAtom{renamed.substitute(g.poly, subst.index), g.isEquality}));
  return finishClosure(terms, std::move(c), lifter);
}

const Term *panpipe::tv::mkFold(TermContext &terms, const IndexContext &context,
                                FoldSpec spec, const Term *body,
                                const Term *init) {
  bool anyOrder = isOrderFree(spec.op);
  return FoldNormalizer(terms, context, std::move(spec), anyOrder)
      .run(body, init);
}

Element panpipe::tv::mkFold(TermContext &terms, const IndexContext &context,
                            const FoldSpec &spec, Element body, Element init) {
  FoldSpec poisonSpec = spec;
  poisonSpec.op = ScalarOp::OrI;
  poisonSpec.attrs = ScalarAttrs();
  return {mkFold(terms, context, spec, body.value, init.value),
          mkFold(terms, context, poisonSpec, body.poison, init.poison)};
}

llvm::SmallVector<const Term *, 2>
panpipe::tv::mkStepFold(TermContext &terms, const IndexContext &context,
                        FoldSpec spec, llvm::ArrayRef<const Term *> steps,
                        llvm::ArrayRef<const Term *> inits) {
  Renamed r = renameBound(terms, context, spec);
  Lifter lifter(terms, r.bound, /*named=*/false);
  Closure c;
  c.kind = Closure::Kind::Step;
  c.location = spec.location;
  for (const Term *s : steps)
    c.bodies.push_back(lifter.lift(terms.substitute(s, r.subst, r.inside)));
  closeDomain(r.inside, r, spec, lifter, c);
  for (const Term *i : inits)
    c.inits.push_back(lifter.lift(i));
  llvm::SmallVector<const Term *, 2> results;
  for (unsigned i = 0; i < steps.size(); ++i) {
    Closure one = c;
    one.type = steps[i]->type();
    one.result = i;
    results.push_back(finishClosure(terms, std::move(one), lifter));
  }
  return results;
}

static TermSubst argumentsOf(TermContext &terms, const Term *app) {
  TermSubst subst;
  for (auto [i, arg] : llvm::enumerate(app->indices()))
    subst.index.set(terms.index().param(i), arg);
  subst.elemParams = app->operands();
  return subst;
}

llvm::SmallVector<IndexTerm, 4>
panpipe::tv::foldExtents(TermContext &terms, const Term *app,
                         const IndexContext &context) {
  TermSubst subst = argumentsOf(terms, app);
  llvm::SmallVector<IndexTerm, 4> extents;
  for (IndexTerm e : app->closure()->extents)
    extents.push_back(context.substitute(e, subst.index));
  return extents;
}

OpenedFold panpipe::tv::openFoldAt(TermContext &terms, const Term *app,
                                   llvm::ArrayRef<IndexTerm> points,
                                   const IndexContext &context,
                                   const IndexContext &inside) {
  const Closure &c = *app->closure();
  assert(points.size() == c.extents.size());
  OpenedFold o{{points.begin(), points.end()},
               foldExtents(terms, app, context),
               {},
               {},
               {},
               inside};
  TermSubst subst = argumentsOf(terms, app);
  for (auto [i, p] : llvm::enumerate(points))
    subst.index.set(terms.index().bound(i), p);
  for (GuardAtom g : c.guard) {
    g.poly = inside.substitute(g.poly, subst.index);
    g = g.normalized();
    if (o.inside.decide(g) != true)
      o.guard.push_back(g);
  }
  o.inside = o.inside.assume(o.guard);
  for (const Term *b : c.bodies)
    o.bodies.push_back(terms.substitute(b, subst, o.inside));
  for (const Term *i : c.inits)
    o.inits.push_back(terms.substitute(i, subst, context));
  return o;
}

OpenedFold panpipe::tv::openFold(TermContext &terms, const Term *app,
                                 llvm::ArrayRef<IndexTerm> vars,
                                 const IndexContext &context) {
  IndexContext inside = context;
  for (auto [v, e] : llvm::zip(vars, foldExtents(terms, app, context)))
    inside = inside.withExtent(v, e);
  return openFoldAt(terms, app, vars, context, inside);
}
