//===- ScalarPairs.cpp - Building pairs of scalar functions -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarPairs.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace panpipe::tv::test {

T operator+(T a, T b) { return a.dsl->f(ScalarOp::AddF, {a, b}); }
T operator-(T a, T b) { return a.dsl->f(ScalarOp::SubF, {a, b}); }
T operator*(T a, T b) { return a.dsl->f(ScalarOp::MulF, {a, b}); }
T operator/(T a, T b) { return a.dsl->f(ScalarOp::DivF, {a, b}); }
T operator-(T a) { return a.dsl->f(ScalarOp::NegF, {a}); }

ScalarType Dsl::f16() { return ScalarType::floating(APFloatBase::S_IEEEhalf); }
ScalarType Dsl::bf16() { return ScalarType::floating(APFloatBase::S_BFloat); }
ScalarType Dsl::f32() {
  return ScalarType::floating(APFloatBase::S_IEEEsingle);
}
ScalarType Dsl::f64() {
  return ScalarType::floating(APFloatBase::S_IEEEdouble);
}

T Dsl::op(ScalarOp o, ScalarType type, std::vector<T> args, ScalarAttrs attrs) {
  SmallVector<const Term *, 3> x;
  for (T a : args)
    x.push_back(a.term);
  return {rewriting ? terms.mkOp(o, attrs, type, x)
                    : terms.mkRawOp(o, attrs, type, x),
          this};
}
T Dsl::f(ScalarOp o, std::vector<T> args, uint8_t fastMath) {
  ScalarAttrs attrs;
  attrs.fastMath = fastMath;
  ScalarType type = args[0].term->type();
  return op(o, type, std::move(args), attrs);
}
T Dsl::var(const char *name, ScalarType type) {
  // Each mkSymbol is another symbol.
  const Term *&symbol = symbols[std::string(name) + ":" + toString(type)];
  if (!symbol)
    symbol = terms.mkSymbol(type, name);
  return {symbol, this};
}
T Dsl::c(double v, ScalarType type) { return {terms.mkFloat(type, v), this}; }
T Dsl::bits(uint64_t v, ScalarType type) {
  return {terms.mkConst(type, APInt(type.width(), v)), this};
}
T Dsl::i(int64_t v, unsigned width) {
  return {terms.mkInt(ScalarType::integer(width), v), this};
}
T Dsl::cmp(const char *predicate, T a, T b, uint8_t fastMath) {
  static const char *names[] = {"false", "oeq", "ogt", "oge", "olt", "ole",
                                "one",   "ord", "ueq", "ugt", "uge", "ult",
                                "ule",   "une", "uno", "true"};
  ScalarAttrs attrs;
  attrs.fastMath = fastMath;
  attrs.predicate =
      find_if(names, [&](StringRef n) { return n == predicate; }) - names;
  return op(ScalarOp::CmpF, ScalarType::boolean(), {a, b}, attrs);
}
T Dsl::icmp(const char *predicate, T a, T b) {
  static const char *names[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                "sge", "ult", "ule", "ugt", "uge"};
  ScalarAttrs attrs;
  attrs.predicate =
      find_if(names, [&](StringRef n) { return n == predicate; }) - names;
  return op(ScalarOp::CmpI, ScalarType::boolean(), {a, b}, attrs);
}
T Dsl::select(T cond, T a, T b) {
  return op(ScalarOp::Select, a.term->type(), {cond, a, b});
}

} // namespace panpipe::tv::test
