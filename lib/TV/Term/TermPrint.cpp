//===- TermPrint.cpp - Terms as text --------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints terms for messages and tests: x[i0, i1 + 3], arith.addf(a, b),
/// #4(i0, i1; a) for the application of closure 4.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Term/Closure.h"
#include "panpipe/TV/Term/Term.h"

#include "llvm/Support/raw_ostream.h"

using namespace panpipe::tv;

namespace {
struct Printer {
  llvm::raw_ostream &os;

  void list(llvm::ArrayRef<IndexTerm> items) {
    for (unsigned i = 0; i < items.size(); ++i)
      os << (i ? ", " : "") << items[i];
  }
  void list(llvm::ArrayRef<const Term *> items, unsigned depth) {
    for (unsigned i = 0; i < items.size(); ++i) {
      os << (i ? ", " : "");
      print(items[i], depth);
    }
  }
  void guard(llvm::ArrayRef<GuardAtom> atoms) {
    for (unsigned i = 0; i < atoms.size(); ++i)
      os << (i ? " and " : "") << atoms[i].str();
  }

  void print(const Term *t, unsigned depth) {
    if (depth == 0) {
      os << "...";
      return;
    }
    switch (t->kind()) {
    case TermKind::Const:
      os << toString(t->type(), ScalarValue{t->bits(), false});
      return;
    case TermKind::Symbol:
      os << t->name();
      return;
    case TermKind::Read:
    case TermKind::PoisonRead:
      os << (t->kind() == TermKind::PoisonRead ? "poison " : "")
         << t->base()->name << "[";
      list(t->indices());
      os << "]";
      return;
    case TermKind::Op:
      os << scalarOpName(t->op()) << "(";
      list(t->operands(), depth - 1);
      os << ")";
      return;
    case TermKind::IndexValue:
      os << "{" << t->indices()[0] << "}";
      return;
    case TermKind::Ite:
      os << "(";
      guard(t->guard());
      os << " ? ";
      print(t->operands()[0], depth - 1);
      os << " : ";
      print(t->operands()[1], depth - 1);
      os << ")";
      return;
    case TermKind::App:
      application(t, depth);
      return;
    case TermKind::ElemParam:
      os << "e" << t->symbol();
      return;
    case TermKind::Acc:
      os << "acc" << t->symbol();
      return;
    }
  }

  void application(const Term *t, unsigned depth) {
    const Closure &c = *t->closure();
    if (c.kind == Closure::Kind::Opaque)
      os << "@" << c.name << "(";
    else
      os << "#" << c.id << "(";
    list(t->indices());
    if (!t->operands().empty()) {
      os << (t->indices().empty() ? "" : "; ");
      list(t->operands(), depth - 1);
    }
    os << ")";
  }

  void closure(const Closure &c) {
    os << "#" << c.id << " = ";
    if (c.kind == Closure::Kind::Map) {
      os << "map ";
      print(c.body(), 12);
      return;
    }
    os << (c.kind == Closure::Kind::Fold ? scalarOpName(c.op)
                                         : llvm::StringRef("step"))
       << "-fold over [";
    list(c.extents);
    os << "]";
    if (!c.guard.empty()) {
      os << " if ";
      guard(c.guard);
    }
    os << " of ";
    list(c.bodies, 12);
    os << " from ";
    list(c.inits, 12);
  }
};
} // namespace

std::string TermContext::print(const Term *term, unsigned maxDepth) const {
  std::string s;
  llvm::raw_string_ostream os(s);
  Printer{os}.print(term, maxDepth);
  return s;
}

std::string panpipe::tv::print(const Closure &closure) {
  std::string s;
  llvm::raw_string_ostream os(s);
  Printer{os}.closure(closure);
  return s;
}
