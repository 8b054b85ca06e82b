//===- PairsAlgebra.cpp - Identities, products, quotients -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarPairs.h"

#include <cmath>

namespace panpipe::tv::test {

static const bool V = true, N = false;

static void addIdentities(Dsl &d) {
  T x = d.x(), y = d.x("y"), z = d.x("z");
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  p("add+0", N, x + d.c(0.0), x);
  p("add-0", V, x + d.c(-0.0), x);
  p("sub+0", V, x - d.c(0.0), x);
  p("sub-0", N, x - d.c(-0.0), x);
  p("mul1", V, x * d.c(1.0), x);
  p("mul-1", V, x * d.c(-1.0), -x);
  p("mul0", N, x * d.c(0.0), d.c(0.0));
  p("mul2", V, x * d.c(2.0), x + x);
  p("div2", V, x / d.c(2.0), x * d.c(0.5));
  p("div3", N, x / d.c(3.0), x * d.c(1 / 3.0));
  p("div1", V, x / d.c(1.0), x);
  p("div-1", V, x / d.c(-1.0), -x);
  p("div4-mul.25", V, x / d.c(4.0), x * d.c(0.25));
  p("div2^-127 via 2^127", V, x / d.c(std::ldexp(1, -127)),
    x * d.c(std::ldexp(1, 127)) / d.c(2.0) * d.c(2.0));
  p("div10", N, x / d.c(10.0), x * d.c(0.1));
  p("comm", V, x + y, y + x);
  p("mulcomm", V, x * y, y * x);
  p("assoc", N, (x + y) + z, x + (y + z));
  p("mulassoc", N, (x * y) * z, x * (y * z));
  p("distr", N, x * (y + z), x * y + x * z);
  p("distr2", N, (y + z) * d.c(2.0), y * d.c(2.0) + z * d.c(2.0));
  p("distr.5", N, (y + z) * d.c(0.5), y * d.c(0.5) + z * d.c(0.5));
}

static void addSigns(Dsl &d) {
  T x = d.x(), y = d.x("y"), z = d.x("z");
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  auto abs = [&](T t) { return d.abs(t); };
  p("neg-sub", N, -(x - y), y - x);
  p("negneg", V, -(-x), x);
  p("absneg", V, abs(-x), abs(x));
  p("abs-mul", V, abs(x * y), abs(x) * abs(y));
  p("abs-add", N, abs(x + y), abs(x) + abs(y));
  p("negmul", V, -x * y, -(x * y));
  p("negneg-mul", V, -x * -y, x * y);
  p("negadd", N, -x + -y, -(x + y));
  p("add-neg=sub", V, x + -y, x - y);
  p("sub-neg=add", V, x - -y, x + y);
  p("negdiv", V, -x / y, x / -y);
  p("x-x", N, x - x, d.c(0.0));
  p("x/x", N, x / x, d.c(1.0));
  p("x+y-y", N, (x + y) - y, x);
  p("sqr-abs", V, x * x, abs(x) * abs(x));
  p("sqrt-sq", N, d.sqrt(x * x), abs(x));
  p("sqrt-sq2", N, d.sqrt(x) * d.sqrt(x), x);
  p("x*x>=0", V, d.cmp("olt", x * x, d.c(0.0)), d.falsity());
  p("sqrt>=0", V, d.cmp("olt", d.sqrt(x), d.c(0.0)), d.falsity());
  p("exp>=0", V, d.cmp("olt", d.exp(x), d.c(0.0)), d.falsity());
  p("fma-muladd", N, d.fma(x, y, z), x * y + z);
  p("fma-negz", V, d.fma(x, y, d.c(-0.0)), x * y);
  p("fma+0", N, d.fma(x, y, d.c(0.0)), x * y);
  p("fma1", V, d.fma(x, d.c(1.0), z), x + z);
  p("fmacomm", V, d.fma(x, y, z), d.fma(y, x, z));
  p("fmaneg", V, d.fma(-x, y, z), d.fma(x, -y, z));
  p("fma2", N, d.fma(x, d.c(2.0), z), x * d.c(2.0) + z);
}

static void addFunctions(Dsl &d) {
  T x = d.x(), y = d.x("y"), z = d.x("z"), one = d.c(1.0);
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  auto sigmoid = [&](T t) { return one / (one + d.exp(-t)); };
  p("sigmoid-comm", V, sigmoid(x), one / (d.exp(-x) + one));
  p("sigmoid-exp", N, sigmoid(x), d.exp(x) / (d.exp(x) + one));
  p("recip", N, x / y, x * (one / y));
  p("recip2", V, one / (one / (x * one)), one / (one / x));
  p("recip-recip", N, one / (one / x), x);
  p("rsqrt", N, one / d.sqrt(x), d.sqrt(one / x));
  p("silu", V, x * sigmoid(x), sigmoid(-(-x)) * x);
  p("silu-div", N, x * sigmoid(x), x / (d.exp(-x) + one));
  p("mul4", V, (x * d.c(2.0)) * d.c(2.0), x * d.c(4.0));
  p("half-half", V, (x * d.c(0.5)) * d.c(0.5), x * d.c(0.25));
  p("const-fold", V, x * (d.c(1.5) + d.c(1.5)), x * d.c(3.0));
  p("x*3=x+x+x", V, x * d.c(3.0), (x + x) + x);
  p("x*5-chain", V, x * d.c(5.0), (((x + x) + x) + x) + x);
  p("x*4-x+x+x+x", V, x * d.c(4.0), (x + x) + (x + x));
  p("x*4-chain", V, x * d.c(4.0), ((x + x) + x) + x);
  p("dblneg-assoc", V, (x - y) * d.c(-2.0), (x - y) * d.c(-1.0) * d.c(2.0));
  p("sub-swap-abs", V, d.abs(x - y), d.abs(y - x));
  p("sq-sub", V, (x - y) * (x - y), (y - x) * (y - x));
  p("avg", N, (x + y) * d.c(0.5), x * d.c(0.5) + y * d.c(0.5));
  p("lerp", N, x + z * (y - x), x * (one - z) + z * y);
  p("x+y-x", N, (x + y) - x, y);
  p("y/x*x", N, (y / x) * x, y);
  p("scale-pull", V, (x * -y) + z, z - (x * y));
  p("x*2*y", N, (x * d.c(2.0)) * y, (x * y) * d.c(2.0));
}

void addAlgebra(Dsl &d) {
  addIdentities(d);
  addSigns(d);
  addFunctions(d);
}

} // namespace panpipe::tv::test
