//===- Determines.cpp - Variables that a term tells -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Term/FoldDomain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;
using namespace panpipe::tv;

/// Polynomials that stay in the term whatever it is simplified to: none below a
/// case distinction, whose branches may go.
static void collectLasting(const Term *term, SmallVectorImpl<IndexTerm> &out);

/// Adds to `known` the atoms that the polynomials determine: one is the only
/// unknown of a polynomial, with a constant factor.
static void solve(ArrayRef<IndexTerm> polys,
                  SmallPtrSetImpl<const IndexAtom *> &known) {
  for (bool changed = true; changed;) {
    changed = false;
    for (IndexTerm p : polys) {
      const IndexAtom *only = nullptr;
      unsigned unknowns = 0;
      for (const IndexAtom *a : p->leaves())
        if (a->kind != AtomKind::Dim && !known.contains(a)) {
          only = a;
          ++unknowns;
        }
      if (unknowns != 1)
        continue;
      auto split = splitLinear(p, only);
      if (!split || !split->coefficient.isConstant() ||
          split->coefficient.isZero())
        continue;
      known.insert(only);
      changed = true;
    }
  }
}

/// Arguments that the body of a name or fold does not lose.
static void collectFromApp(const Term *app, SmallVectorImpl<IndexTerm> &out) {
  const Closure &closure = *app->closure();
  if (closure.kind == Closure::Kind::Opaque) {
    out.append(app->indices().begin(), app->indices().end());
  } else {
    SmallVector<IndexTerm, 16> inside;
    for (const Term *body : closure.bodies)
      collectLasting(body, inside);
    SmallPtrSet<const IndexAtom *, 8> known;
    solve(inside, known);
    for (const IndexAtom *a : known)
      if (a->kind == AtomKind::Param && a->number < app->indices().size())
        out.push_back(app->indices()[a->number]);
    // Element arguments may be lost by the body.
    return;
  }
  for (const Term *operand : app->operands())
    collectLasting(operand, out);
}

static void collectLasting(const Term *term, SmallVectorImpl<IndexTerm> &out) {
  switch (term->kind()) {
  case TermKind::Read:
  case TermKind::IndexValue:
    out.append(term->indices().begin(), term->indices().end());
    return;
  case TermKind::App:
    return collectFromApp(term, out);
  case TermKind::Op:
    if (term->type().isBoolean() || term->is(ScalarOp::Select))
      return;
    for (const Term *operand : term->operands())
      collectLasting(operand, out);
    return;
  default:
    return;
  }
}

bool panpipe::tv::determines(const Term *term, ArrayRef<IndexTerm> vars) {
  SmallVector<IndexTerm, 16> polys;
  collectLasting(term, polys);
  SmallPtrSet<const IndexAtom *, 8> known;
  solve(polys, known);
  return all_of(vars, [&](IndexTerm v) { return known.contains(v->asAtom()); });
}
