//===- ScalarPairs.h - Pairs of scalar functions with known verdicts -*- C++
//-*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TEST_UNIT_TV_REFINE_SCALARPAIRS_H
#define PANPIPE_TEST_UNIT_TV_REFINE_SCALARPAIRS_H

#include "panpipe/TV/Term/Term.h"

#include <map>
#include <string>
#include <vector>

namespace panpipe::tv::test {

class Dsl;

/// A term with operators; made by a Dsl.
struct T {
  const Term *term;
  Dsl *dsl;
};
T operator+(T a, T b);
T operator-(T a, T b);
T operator*(T a, T b);
T operator/(T a, T b);
T operator-(T a);

struct Pair {
  std::string name;
  bool valid;
  const Term *source, *target;
};

/// Builds terms, with or without the rewriting of mkOp.
class Dsl {
public:
  Dsl(TermContext &terms, bool rewriting)
      : terms(terms), rewriting(rewriting) {}

  T op(ScalarOp o, ScalarType type, std::vector<T> args,
       ScalarAttrs attrs = {});
  /// A float operation of the first operand's type, with fast-math flags.
  T f(ScalarOp o, std::vector<T> args, uint8_t fastMath = 0);
  T var(const char *name, ScalarType type);
  T x(const char *name = "x") { return var(name, f32()); }
  T c(double v) { return c(v, f32()); }
  T c(double v, ScalarType type);
  T bits(uint64_t v, ScalarType type);
  T i(int64_t v, unsigned width);
  T truth() { return i(1, 1); }
  T falsity() { return i(0, 1); }
  /// Predicates of arith.cmpf and arith.cmpi, by name.
  T cmp(const char *predicate, T a, T b, uint8_t fastMath = 0);
  T icmp(const char *predicate, T a, T b);
  T select(T cond, T a, T b);
  T ext(T a, ScalarType to) { return op(ScalarOp::ExtF, to, {a}); }
  T trunc(T a, ScalarType to) { return op(ScalarOp::TruncF, to, {a}); }
  T fma(T a, T b, T c) { return f(ScalarOp::Fma, {a, b, c}); }
  T abs(T a) { return f(ScalarOp::AbsF, {a}); }
  T max(T a, T b) { return f(ScalarOp::MaximumF, {a, b}); }
  T min(T a, T b) { return f(ScalarOp::MinimumF, {a, b}); }
  T maxnum(T a, T b) { return f(ScalarOp::MaxNumF, {a, b}); }
  T minnum(T a, T b) { return f(ScalarOp::MinNumF, {a, b}); }
  T exp(T a) { return f(ScalarOp::Exp, {a}); }
  T sqrt(T a) { return f(ScalarOp::Sqrt, {a}); }
  T copysign(T a, T b) { return f(ScalarOp::CopySign, {a, b}); }
  T bitcast(T a, ScalarType to) { return op(ScalarOp::Bitcast, to, {a}); }
  T both(T a, T b) { return op(ScalarOp::AndI, a.term->type(), {a, b}); }
  T either(T a, T b) { return op(ScalarOp::OrI, a.term->type(), {a, b}); }
  T exor(T a, T b) { return op(ScalarOp::XOrI, a.term->type(), {a, b}); }
  T no(T a) { return exor(a, truth()); }

  static ScalarType f16();
  static ScalarType bf16();
  static ScalarType f32();
  static ScalarType f64();
  static ScalarType in(unsigned width) { return ScalarType::integer(width); }

  void pair(const char *name, bool valid, T source, T target) {
    pairs.push_back({name, valid, source.term, target.term});
  }

  TermContext &terms;
  bool rewriting;
  std::vector<Pair> pairs;
  std::map<std::string, const Term *> symbols;
};

/// The pairs, in groups.
void addAlgebra(Dsl &d);
void addConversions(Dsl &d);
void addComparisons(Dsl &d);
void addRounding(Dsl &d);
void addFastMath(Dsl &d);
void addReductions(Dsl &d);
void addIntegers(Dsl &d);

} // namespace panpipe::tv::test

#endif // PANPIPE_TEST_UNIT_TV_REFINE_SCALARPAIRS_H
