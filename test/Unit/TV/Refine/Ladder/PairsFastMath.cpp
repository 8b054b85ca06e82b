//===- PairsFastMath.cpp - Fast-math flags, reductions, integers -*- C++
//-*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarPairs.h"

namespace panpipe::tv::test {

static const bool V = true, N = false;

void addFastMath(Dsl &d) {
  T x = d.x(), y = d.x("y"), z = d.x("z"), w = d.x("w"), zero = d.c(0.0);
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  ScalarOp Add = ScalarOp::AddF, Mul = ScalarOp::MulF, Sub = ScalarOp::SubF;
  auto f = [&](ScalarOp o, T a, T b, int flags) {
    return d.f(o, {a, b}, uint8_t(flags));
  };
  T contracted = f(Add, f(Mul, x, y, FMF_contract), z, FMF_contract);
  p("fma-contract", V, contracted, d.fma(x, y, z));
  p("fma-contract-sub", V, f(Sub, z, f(Mul, x, y, FMF_contract), FMF_contract),
    d.fma(-x, y, z));
  p("fma-nocontract", N, x * y + z, d.fma(x, y, z));
  p("fma-contract-tgt", N, x * y + z, contracted);
  p("fma-contract-half", N, f(Add, x * y, z, FMF_contract), d.fma(x, y, z));
  p("nsz add0", V, f(Add, x, zero, FMF_nsz), x);
  p("nsz tgt", N, x, f(Add, x, zero, FMF_nsz));
  int nnanNinf = FMF_nnan | FMF_ninf;
  p("mul0 nnan nsz", V, f(Mul, x, zero, nnanNinf | FMF_nsz), zero);
  p("mul0 nnan", N, f(Mul, x, zero, nnanNinf), zero);
  p("x-x nnan ninf", V, f(Sub, x, x, nnanNinf), zero);
  p("x-x nnan", V, f(Sub, x, x, FMF_nnan), zero);
  p("x/x nnan", V, f(ScalarOp::DivF, x, x, FMF_nnan), d.c(1.0));
  p("neg-sub nsz", V, d.f(ScalarOp::NegF, {f(Sub, x, y, FMF_nsz)}, FMF_nsz),
    y - x);
  p("x==x nnan", V, d.cmp("oeq", f(Add, x, y, FMF_nnan), x + y), d.truth());
  p("cmp nnan tgt", N, d.cmp("olt", x, y), d.cmp("olt", x, y, FMF_nnan));
  auto R = [&](T a, T b) { return f(Add, a, b, FMF_reassoc); };
  p("assoc reassoc", V, R(R(x, y), z), R(x, R(y, z)));
  p("assoc reassoc strict tgt", V, R(R(x, y), z), x + (y + z));
  p("assoc4", V, R(R(R(x, y), z), w), (x + z) + (w + y));
  p("assoc4-strict-src", N, ((x + y) + z) + w, (x + z) + (w + y));
  p("assoc4 dup", N, R(R(R(x, y), z), w), (x + z) + (w + x));
  p("flags merge", N, f(Add, x, y, FMF_nnan), f(Add, x, y, nnanNinf));
  p("recip-arcp", V, f(ScalarOp::DivF, x, y, FMF_arcp), x * (d.c(1.0) / y));
  // One choice per operation: the same value has one sign of zero.
  T s = f(Add, x, zero, FMF_nsz);
  ScalarType i32 = d.in(32);
  p("nsz one choice", V, d.exor(d.bitcast(s, i32), d.bitcast(s, i32)),
    d.i(0, 32));
}

static T chain(std::vector<T> l) {
  T r = l[0];
  for (size_t i = 1; i < l.size(); ++i)
    r = r + l[i];
  return r;
}

void addReductions(Dsl &d) {
  std::vector<T> l;
  for (const char *n : {"x", "y", "z", "w", "a", "b", "d", "e"})
    l.push_back(d.x(n));
  T x = l[0], y = l[1], z = l[2], w = l[3], a = l[4], b = l[5], u = l[6],
    e = l[7];
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  std::vector<T> reversed(l.rbegin(), l.rend()),
      first4(l.begin(), l.begin() + 4);
  auto with = [&](T head, std::vector<T> tail) {
    tail.insert(tail.begin(), head);
    return tail;
  };
  auto maxChain = [&](std::vector<T> v, bool num = false) {
    T r = v[0];
    for (size_t i = 1; i < v.size(); ++i)
      r = num ? d.maxnum(r, v[i]) : d.max(r, v[i]);
    return r;
  };
  p("sum8 reorder", N, chain(l), chain(reversed));
  p("sum8 tree", N, chain(l), ((x + y) + (z + w)) + ((a + b) + (u + e)));
  p("sum8 pad", V, chain(l), chain(with(d.c(-0.0), l)));
  p("sum8 pad+0", N, chain(l), chain(with(d.c(0.0), l)));
  p("sum8 swap first", V, chain(l), chain({y, x, z, w, a, b, u, e}));
  p("max8 tree", V, maxChain(l),
    d.max(d.max(d.max(x, y), d.max(z, w)), d.max(d.max(a, b), d.max(u, e))));
  p("dot4 comm", V, chain({x * y, z * w, a * b, u * e}),
    chain({y * x, w * z, b * a, e * u}));
  T dot = d.fma(u, e, d.fma(a, b, d.fma(z, w, x * y)));
  p("dot4 fma", N, chain({x * y, z * w, a * b, u * e}), dot);
  p("sum8 lastswap", N, chain(l), chain({x, y, z, w, a, b, e, u}));
  p("dot4 negpad", V,
    d.fma(u, e, d.fma(a, b, d.fma(z, w, d.fma(x, y, d.c(-0.0))))), dot);
  T inf = d.bits(0xff800000, d.f32()), least = d.bits(0xff7fffff, d.f32());
  p("max -FLT_MAX", N, maxChain(with(inf, first4)),
    maxChain(with(least, first4)));
  p("max -inf", V, maxChain(first4), maxChain(with(inf, first4)));
  p("maxnum -inf", N, maxChain(first4, true),
    maxChain(with(inf, first4), true));
  T two = d.c(2.0);
  p("sum4 scale2", N, chain({x * two, y * two, z * two, w * two}),
    chain(first4) * two);
  p("sum4 neg", N, -chain(first4), chain({-x, -y, -z, -w}));
  p("mean4", V, chain(first4) / d.c(4.0), chain(first4) * d.c(0.25));
  p("mean3", N, chain({x, y, z}) / d.c(3.0), chain({x, y, z}) * d.c(1 / 3.0));
}

void addIntegers(Dsl &d) {
  ScalarType i32 = d.in(32), i64 = d.in(64), i8 = d.in(8);
  T a = d.var("a32", i32), b = d.var("b32", i32), c = d.var("c32", i32);
  T q = d.var("q64", i64), r = d.var("r64", i64), s = d.var("s8", i8);
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  auto op = [&](ScalarOp o, T u, T v) {
    return d.op(o, u.term->type(), {u, v});
  };
  ScalarOp Add = ScalarOp::AddI, Mul = ScalarOp::MulI;
  p("iadd assoc", V, op(Add, op(Add, a, b), c), op(Add, a, op(Add, b, c)));
  p("imul distr i8", V, op(Mul, s, op(Add, s, d.i(3, 8))),
    op(Add, op(Mul, s, s), op(Mul, s, d.i(3, 8))));
  p("imul64 comm", V, op(Mul, q, r), op(Mul, r, q));
  p("shl is times", V, op(ScalarOp::ShLI, a, d.i(3, 32)),
    op(Mul, a, d.i(8, 32)));
  p("div by 4 is shift", N, op(ScalarOp::DivSI, a, d.i(4, 32)),
    op(ScalarOp::ShRSI, a, d.i(2, 32)));
  p("floordiv by 4 is shift", V, op(ScalarOp::FloorDivSI, a, d.i(4, 32)),
    op(ScalarOp::ShRSI, a, d.i(2, 32)));
  p("xor swap", V, d.exor(d.exor(a, b), b), a);
  p("min max", V, op(Add, op(ScalarOp::MinSI, a, b), op(ScalarOp::MaxSI, a, b)),
    op(Add, a, b));
  p("abs min", N,
    op(ScalarOp::MaxSI, d.op(ScalarOp::AbsI, i32, {a}), d.i(0, 32)),
    d.op(ScalarOp::AbsI, i32, {a}));
  ScalarAttrs nsw;
  nsw.intFlags = IF_nsw;
  T flagged = d.op(Add, i32, {a, b}, nsw);
  p("nsw dropped", V, flagged, op(Add, a, b));
  p("nsw added", N, op(Add, a, b), flagged);
  p("shift too far", V, op(ScalarOp::ShLI, a, d.i(40, 32)), d.i(7, 32));
  p("select over and", N,
    d.select(d.icmp("slt", a, d.i(0, 32)),
             d.icmp("slt", d.op(Add, i32, {a, d.i(1, 32)}, nsw), a),
             d.falsity()),
    d.both(d.icmp("slt", a, d.i(0, 32)),
           d.icmp("slt", d.op(Add, i32, {a, d.i(1, 32)}, nsw), a)));
}

} // namespace panpipe::tv::test
