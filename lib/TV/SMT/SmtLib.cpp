//===- SmtLib.cpp - Printing of queries as SMT-LIB -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/SMT/Solver.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace llvm;

namespace panpipe::tv::smt {

static std::string printSort(Sort s) {
  switch (s.kind) {
  case Sort::Kind::Bool:
    return "Bool";
  case Sort::Kind::Int:
    return "Int";
  case Sort::Kind::BitVec:
    return "(_ BitVec " + std::to_string(s.first) + ")";
  case Sort::Kind::Float:
    return "(_ FloatingPoint " + std::to_string(s.first) + " " +
           std::to_string(s.second) + ")";
  }
  return "";
}

static std::string printSymbol(StringRef name) {
  bool simple = !name.empty() && !isDigit(name[0]);
  for (char c : name)
    simple &= isAlnum(c) || StringRef("!_.$%&*+-/<>=?@^~").contains(c);
  std::string text = name.str();
  for (char &c : text)
    if (c == '|' || c == '\\')
      c = '#';
  return simple ? text : "|" + text + "|";
}

static std::string printConst(Expr e) {
  switch (e.sort().kind) {
  case Sort::Kind::Bool:
    return e.isTrue() ? "true" : "false";
  case Sort::Kind::Int: {
    SmallString<40> digits;
    e.value().abs().toString(digits, 10, /*Signed=*/false);
    std::string s(digits);
    return e.value().isNegative() ? "(- " + s + ")" : s;
  }
  default: {
    SmallString<80> digits;
    e.value().toString(digits, 2, /*Signed=*/false);
    std::string s(digits);
    return "#b" + std::string(e.width() - s.size(), '0') + s;
  }
  }
}

/// The operator's name, in brackets where it takes parameters.
static std::string printHead(Expr e) {
  static const char *modes[] = {"RNE", "RNA", "RTP", "RTN", "RTZ"};
  Sort s = e.sort();
  std::string format = std::to_string(s.first) + " " + std::to_string(s.second);
  switch (e.op()) {
#define SIMPLE(Op, Text)                                                       \
  case ExprOp::Op:                                                             \
    return Text;
    SIMPLE(Not, "not")
    SIMPLE(And, "and")
    SIMPLE(Or, "or")
    SIMPLE(Ite, "ite")
    SIMPLE(Eq, "=")
    SIMPLE(BvNeg, "bvneg")
    SIMPLE(BvNot, "bvnot")
    SIMPLE(BvAdd, "bvadd")
    SIMPLE(BvSub, "bvsub")
    SIMPLE(BvMul, "bvmul")
    SIMPLE(BvUDiv, "bvudiv")
    SIMPLE(BvURem, "bvurem")
    SIMPLE(BvSDiv, "bvsdiv")
    SIMPLE(BvSRem, "bvsrem")
    SIMPLE(BvAnd, "bvand")
    SIMPLE(BvOr, "bvor")
    SIMPLE(BvXor, "bvxor")
    SIMPLE(BvShl, "bvshl")
    SIMPLE(BvLShr, "bvlshr")
    SIMPLE(BvAShr, "bvashr")
    SIMPLE(BvULt, "bvult")
    SIMPLE(BvULe, "bvule")
    SIMPLE(BvSLt, "bvslt")
    SIMPLE(BvSLe, "bvsle")
    SIMPLE(Concat, "concat")
    SIMPLE(IntAdd, "+")
    SIMPLE(IntMul, "*")
    SIMPLE(IntDiv, "div")
    SIMPLE(IntMod, "mod")
    SIMPLE(IntLe, "<=")
    SIMPLE(IntLt, "<")
    SIMPLE(FpNeg, "fp.neg")
    SIMPLE(FpAbs, "fp.abs")
    SIMPLE(FpAdd, "fp.add RNE")
    SIMPLE(FpMul, "fp.mul RNE")
    SIMPLE(FpDiv, "fp.div RNE")
    SIMPLE(FpFma, "fp.fma RNE")
    SIMPLE(FpSqrt, "fp.sqrt RNE")
    SIMPLE(FpLt, "fp.lt")
    SIMPLE(FpLe, "fp.leq")
    SIMPLE(FpEq, "fp.eq")
    SIMPLE(FpIsNaN, "fp.isNaN")
    SIMPLE(FpIsInf, "fp.isInfinite")
    SIMPLE(FpIsZero, "fp.isZero")
    SIMPLE(FpIsNegative, "fp.isNegative")
#undef SIMPLE
  case ExprOp::Extract:
    return "(_ extract " + std::to_string(e.param(0)) + " " +
           std::to_string(e.param(1)) + ")";
  case ExprOp::ZeroExt:
    return "(_ zero_extend " + std::to_string(e.param(0)) + ")";
  case ExprOp::SignExt:
    return "(_ sign_extend " + std::to_string(e.param(0)) + ")";
  case ExprOp::FpFromBits:
    return "(_ to_fp " + format + ")";
  case ExprOp::FpConvert:
  case ExprOp::FpFromSInt:
    return "(_ to_fp " + format + ") RNE";
  case ExprOp::FpFromUInt:
    return "(_ to_fp_unsigned " + format + ") RNE";
  case ExprOp::FpToSInt:
    return "(_ fp.to_sbv " + std::to_string(s.first) + ") RTZ";
  case ExprOp::FpToUInt:
    return "(_ fp.to_ubv " + std::to_string(s.first) + ") RTZ";
  case ExprOp::FpRound:
    return std::string("fp.roundToIntegral ") + modes[e.param(0)];
  case ExprOp::Apply:
    return printSymbol(e.name());
  case ExprOp::Const:
  case ExprOp::Var:
    break;
  }
  return "";
}

namespace {
/// Prints each shared expression once, as a definition without parameters:
/// text stays linear in the graph and flat (nested lets overflow parsers).
class Printer {
public:
  explicit Printer(raw_ostream &os) : os(os) {}

  void define(Expr root) {
    SmallVector<std::pair<Expr, bool>, 32> stack{{root, false}};
    while (!stack.empty()) {
      auto [e, ready] = stack.pop_back_val();
      if (done.contains(e.id()))
        continue;
      if (!ready) {
        stack.push_back({e, true});
        for (Expr a : e.args())
          stack.push_back({a, false});
        continue;
      }
      done.insert(e.id());
      declare(e);
    }
  }

  std::string reference(Expr e) {
    if (e.isConst())
      return printConst(e);
    if (e.op() == ExprOp::Var)
      return printSymbol(e.name());
    return "e" + std::to_string(e.id()) + "!";
  }

private:
  void declare(Expr e) {
    if (e.isConst())
      return;
    if (e.op() == ExprOp::Var) {
      os << "(declare-fun " << printSymbol(e.name()) << " () "
         << printSort(e.sort()) << ")\n";
      return;
    }
    if (e.op() == ExprOp::Apply && functions.insert(e.name().str()).second) {
      os << "(declare-fun " << printSymbol(e.name()) << " (";
      for (Expr a : e.args())
        os << printSort(a.sort()) << " ";
      os << ") " << printSort(e.sort()) << ")\n";
    }
    os << "(define-fun " << reference(e) << " () " << printSort(e.sort())
       << " (" << printHead(e);
    for (Expr a : e.args())
      os << " " << reference(a);
    os << "))\n";
  }

  raw_ostream &os;
  DenseSet<unsigned> done;
  std::set<std::string> functions;
};
} // namespace

std::string printSmtLib(ArrayRef<Expr> assertions, ArrayRef<Expr> values) {
  std::string text;
  raw_string_ostream os(text);
  if (!values.empty())
    os << "(set-option :produce-models true)\n";
  os << "(set-logic ALL)\n";
  Printer printer(os);
  for (Expr a : assertions) {
    printer.define(a);
    os << "(assert " << printer.reference(a) << ")\n";
  }
  for (Expr v : values)
    printer.define(v);
  os << "(check-sat)\n";
  if (!values.empty()) {
    os << "(get-value (";
    for (Expr v : values)
      os << printer.reference(v) << " ";
    os << "))\n";
  }
  return text;
}

std::string escapeFileName(StringRef name) {
  std::string out;
  for (char c : name) {
    if (isAlnum(c)) {
      out += c;
      continue;
    }
    static const char hex[] = "0123456789abcdef";
    out += '_';
    out += hex[(c >> 4) & 15];
    out += hex[c & 15];
  }
  return out;
}

bool QueryDump::write(StringRef queryName, StringRef text) {
  if (!enabled())
    return true;
  std::string file = escapeFileName(queryName);
  // The escape has no dot, so a counter behind one keeps names apart.
  if (unsigned n = used[file]++)
    file += "." + std::to_string(n);
  if (sys::fs::create_directories(folder))
    return false;
  SmallString<128> path(folder);
  sys::path::append(path, file + ".smt2");
  std::error_code ec;
  raw_fd_ostream os(path, ec);
  if (ec)
    return false;
  os << text;
  return true;
}

} // namespace panpipe::tv::smt
