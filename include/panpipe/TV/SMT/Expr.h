//===- Expr.h - Expressions of solver queries -------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A small hash-consed expression language for ground SMT queries: booleans,
/// bit-vectors, mathematical integers, IEEE floats and uninterpreted functions.
/// It knows no solver. Constants are folded while expressions are built.
///
/// An Expr is a handle of pointer size into an ExprContext, which owns all
/// nodes and must outlive them. Equal expressions are equal handles. Mixing
/// contexts, or widths where SMT-LIB asks for equal ones, is a programming
/// error (asserted).
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_SMT_EXPR_H
#define PANPIPE_TV_SMT_EXPR_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace panpipe::tv::smt {

/// The sort of an expression.
struct Sort {
  enum class Kind : uint8_t { Bool, BitVec, Int, Float };
  Kind kind = Kind::Bool;
  /// BitVec: the width. Float: the exponent's bits.
  unsigned first = 0;
  /// Float: the precision, hidden bit included.
  unsigned second = 0;

  static Sort boolean() { return {Kind::Bool, 0, 0}; }
  static Sort integer() { return {Kind::Int, 0, 0}; }
  static Sort bitVec(unsigned width) { return {Kind::BitVec, width, 0}; }
  static Sort floating(unsigned exponent, unsigned precision) {
    return {Kind::Float, exponent, precision};
  }
  bool operator==(const Sort &o) const {
    return kind == o.kind && first == o.first && second == o.second;
  }
  bool operator!=(const Sort &o) const { return !(*this == o); }
};

enum class ExprOp : uint8_t {
  Const, ///< payload: value (Bool: 0 or 1; Int: two's complement, 128 bits)
  Var,   ///< payload: name
  Apply, ///< payload: name of an uninterpreted function
  Not,
  And,
  Or,
  Ite,
  Eq,
  BvNeg,
  BvNot,
  BvAdd,
  BvSub,
  BvMul,
  BvUDiv,
  BvURem,
  BvSDiv,
  BvSRem,
  BvAnd,
  BvOr,
  BvXor,
  BvShl,
  BvLShr,
  BvAShr,
  BvULt,
  BvULe,
  BvSLt,
  BvSLe,
  Concat,
  Extract, ///< parameters: high, low
  ZeroExt, ///< parameter: added bits
  SignExt, ///< parameter: added bits
  IntAdd,
  IntMul,
  IntDiv, ///< SMT-LIB's Euclidean division
  IntMod,
  IntLe,
  IntLt,
  // Floats; arithmetic rounds to nearest, ties to even.
  FpFromBits,
  FpNeg,
  FpAbs,
  FpAdd,
  FpMul,
  FpDiv,
  FpFma,
  FpSqrt,
  FpRound, ///< parameter: RoundingMode
  FpConvert,
  FpFromSInt,
  FpFromUInt,
  FpToSInt, ///< rounds toward zero
  FpToUInt, ///< rounds toward zero
  FpLt,
  FpLe,
  FpEq, ///< IEEE equality; Eq on floats is identity with one NaN
  FpIsNaN,
  FpIsInf,
  FpIsZero,
  FpIsNegative
};

/// Rounding modes of FpRound (roundToIntegral).
enum class RoundingMode : uint8_t {
  NearestEven,
  NearestAway,
  TowardPositive,
  TowardNegative,
  TowardZero
};

class ExprContext;
struct ExprNode;

/// A handle of one expression; null when default-constructed.
class Expr {
public:
  Expr() = default;
  explicit Expr(const ExprNode *node) : node(node) {}
  explicit operator bool() const { return node != nullptr; }
  bool operator==(Expr o) const { return node == o.node; }
  bool operator!=(Expr o) const { return node != o.node; }

  ExprOp op() const;
  Sort sort() const;
  /// Width of a bit-vector.
  unsigned width() const;
  llvm::ArrayRef<Expr> args() const;
  Expr arg(unsigned i) const { return args()[i]; }
  /// Creation number within the context: dense, deterministic.
  unsigned id() const;
  /// Name of a Var or Apply.
  llvm::StringRef name() const;
  /// Parameters of Extract, ZeroExt, SignExt, FpRound.
  unsigned param(unsigned i) const;
  bool isConst() const { return op() == ExprOp::Const; }
  /// Value of a Const.
  const llvm::APInt &value() const;
  bool isTrue() const;
  bool isFalse() const;
  ExprContext &context() const;
  /// A constant of this bit-vector's width.
  Expr constant(uint64_t value) const;
  Expr constant(const llvm::APInt &value) const;

private:
  friend class ExprContext;
  const ExprNode *node = nullptr;
};

/// Owns expressions.
class ExprContext {
public:
  ExprContext();
  ~ExprContext();
  ExprContext(const ExprContext &) = delete;
  ExprContext &operator=(const ExprContext &) = delete;

  Expr boolean(bool value);
  Expr bv(const llvm::APInt &value);
  Expr bv(uint64_t value, unsigned width);
  Expr integer(int64_t value);
  /// The variable of this name and sort; a name has one sort.
  Expr var(llvm::StringRef name, Sort sort);
  /// A variable `prefix!N` that did not exist before.
  Expr fresh(llvm::StringRef prefix, Sort sort);
  /// Application of an uninterpreted function; a name has one signature.
  Expr apply(llvm::StringRef function, llvm::ArrayRef<Expr> args, Sort result);
  /// Any other operation, without simplification; the functions below are the
  /// usual way in.
  Expr make(ExprOp op, Sort sort, llvm::ArrayRef<Expr> args, unsigned p0 = 0,
            unsigned p1 = 0);
  /// Number of expressions so far.
  unsigned size() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
  Expr intern(ExprOp op, Sort sort, llvm::ArrayRef<Expr> args, unsigned p0,
              unsigned p1, llvm::APInt value, llvm::StringRef name);
};

// Booleans.
Expr lnot(Expr a);
/// Conjunction; the empty one needs a context.
Expr land(ExprContext &context, llvm::ArrayRef<Expr> args);
Expr lor(ExprContext &context, llvm::ArrayRef<Expr> args);
Expr land(Expr a, Expr b);
Expr lor(Expr a, Expr b);
template <typename... T> Expr land(Expr a, Expr b, Expr c, T... rest) {
  return land(a, land(b, c, rest...));
}
template <typename... T> Expr lor(Expr a, Expr b, Expr c, T... rest) {
  return lor(a, lor(b, c, rest...));
}
Expr implies(Expr a, Expr b);
Expr ite(Expr cond, Expr then, Expr otherwise);
Expr eq(Expr a, Expr b);
inline Expr ne(Expr a, Expr b) { return lnot(eq(a, b)); }

// Bit-vectors.
Expr operator~(Expr a);
Expr neg(Expr a);
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator&(Expr a, Expr b);
Expr operator|(Expr a, Expr b);
Expr operator^(Expr a, Expr b);
Expr udiv(Expr a, Expr b);
Expr urem(Expr a, Expr b);
Expr sdiv(Expr a, Expr b);
Expr srem(Expr a, Expr b);
Expr shl(Expr a, Expr b);
Expr lshr(Expr a, Expr b);
Expr ashr(Expr a, Expr b);
Expr ult(Expr a, Expr b);
Expr ule(Expr a, Expr b);
Expr slt(Expr a, Expr b);
Expr sle(Expr a, Expr b);
inline Expr ugt(Expr a, Expr b) { return ult(b, a); }
inline Expr uge(Expr a, Expr b) { return ule(b, a); }
inline Expr sgt(Expr a, Expr b) { return slt(b, a); }
inline Expr sge(Expr a, Expr b) { return sle(b, a); }
Expr concat(Expr high, Expr low);
Expr extract(Expr a, unsigned high, unsigned low);
/// Zero- or sign-extends to `width`, or truncates.
Expr zextOrTrunc(Expr a, unsigned width);
Expr sextOrTrunc(Expr a, unsigned width);
/// One bit: 1 if `condition`.
Expr bit(Expr condition);
/// The condition that bit `i` of `a` is set.
Expr bitSet(Expr a, unsigned i);

// Integers.
Expr intAdd(Expr a, Expr b);
Expr intMul(Expr a, Expr b);
Expr intDiv(Expr a, Expr b);
Expr intMod(Expr a, Expr b);
Expr intLe(Expr a, Expr b);
Expr intLt(Expr a, Expr b);

// Floats.
Expr fpFromBits(Expr bits, unsigned exponent, unsigned precision);
Expr fpUnary(ExprOp op, Expr a);
Expr fpBinary(ExprOp op, Expr a, Expr b);
Expr fpFma(Expr a, Expr b, Expr c);
Expr fpRound(Expr a, RoundingMode mode);
Expr fpConvert(Expr a, Sort to);
Expr fpFromInt(Expr bits, bool isSigned, Sort to);
Expr fpToInt(Expr a, bool isSigned, unsigned width);
/// FpLt, FpLe, FpEq, FpIsNaN, …
Expr fpTest(ExprOp op, llvm::ArrayRef<Expr> args);

/// The value of `e` when every Var and Apply it reaches is given by `lookup`
/// (which returns a value of the sort's width); floats are not evaluated.
/// Returns false if something without a value was met. Bool: 1 bit.
class ExprEvaluator {
public:
  /// Sets the value of a variable (or application).
  void set(Expr leaf, llvm::APInt value);
  bool evaluate(Expr e, llvm::APInt &value);

private:
  bool evaluateNode(Expr e, llvm::APInt &value);
  struct Entry {
    bool known = false;
    llvm::APInt value;
  };
  std::vector<Entry> memo;
};

} // namespace panpipe::tv::smt

#endif // PANPIPE_TV_SMT_EXPR_H
