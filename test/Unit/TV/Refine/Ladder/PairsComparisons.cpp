//===- PairsComparisons.cpp - Comparisons, min and max, rounding -*- C++
//-*-===//
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

static void addPredicates(Dsl &d) {
  T x = d.x(), y = d.x("y"), z = d.x("z"), zero = d.c(0.0);
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  auto cmp = [&](const char *k, T a, T b) { return d.cmp(k, a, b); };
  p("x==x", N, cmp("oeq", x, x), d.truth());
  p("x==x ord", V, cmp("oeq", x, x), cmp("ord", x, x));
  p("not-olt", N, d.no(cmp("olt", x, y)), cmp("oge", x, y));
  p("not-olt-uge", V, d.no(cmp("olt", x, y)), cmp("uge", x, y));
  p("swap", V, cmp("olt", x, y), cmp("ogt", y, x));
  p("ueq-and", V, d.both(cmp("ule", x, y), cmp("uge", x, y)), cmp("ueq", x, y));
  p("or-ole", V, d.either(cmp("olt", x, y), cmp("oeq", x, y)),
    cmp("ole", x, y));
  p("ne-one", N, cmp("une", x, y), cmp("one", x, y));
  p("add-mono-cmp", V, d.both(cmp("ole", x, y), cmp("ogt", x + z, y + z)),
    d.falsity());
  p("mul-mono-cmp", V,
    d.both(d.both(cmp("ole", x, y), cmp("oge", z, zero)),
           cmp("ogt", x * z, y * z)),
    d.falsity());
  p("max-sub0", N, d.select(cmp("ogt", x - y, zero), x, y),
    d.select(cmp("oge", x, y), x, y));
  T inf = d.bits(0x7f800000, d.f32());
  T finite = d.both(cmp("olt", d.abs(x), inf), cmp("olt", d.abs(y), inf));
  p("sub-pos-fin", V,
    d.both(finite, d.exor(cmp("ogt", x - y, zero), cmp("ogt", x, y))),
    d.falsity());
}

static void addMinMax(Dsl &d) {
  T x = d.x(), y = d.x("y"), z = d.x("z"), zero = d.c(0.0);
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  auto mx = [&](T a, T b) { return d.max(a, b); };
  auto mn = [&](T a, T b) { return d.min(a, b); };
  p("maxxx", V, mx(x, x), x);
  p("maxnum-maximum", N, d.maxnum(x, y), mx(x, y));
  p("maxcomm", V, mx(x, y), mx(y, x));
  p("maxassoc", V, mx(mx(x, y), z), mx(x, mx(y, z)));
  p("maxnumassoc", V, d.maxnum(d.maxnum(x, y), z), d.maxnum(x, d.maxnum(y, z)));
  p("relu-sel", N, mx(x, zero), d.select(d.cmp("ogt", x, zero), x, zero));
  p("relu-sel-u", V, mx(x, zero), d.select(d.cmp("ugt", x, zero), x, zero));
  p("sel-min", N, d.select(d.cmp("olt", x, y), x, y), mn(x, y));
  p("neg-max", V, -mx(x, y), mn(-x, -y));
  p("abs-max", V, d.abs(x), mx(x, -x));
  T one = d.c(1.0), six = d.c(6.0), two = d.c(2.0);
  T clamped = mn(mx(x, -one), one);
  p("clamp-merge", V, mn(mx(clamped, zero), six), mn(mx(x, zero), one));
  p("clamp-merge-bad", N, mn(mx(clamped, two), six), mn(mx(x, two), one));
  p("clampnum-merge", N, mn(mx(d.minnum(d.maxnum(x, zero), six), zero), six),
    mn(mx(x, zero), six));
  p("relu6 order", V, mn(mx(x, zero), six), mx(mn(x, six), zero));
  p("max-add", V, mx(x, y) + z, mx(y, x) + z);
  p("max-add-mono", N, mx(x + z, y + z), mx(x, y) + z);
  p("relu-scale", V, mx(x, zero) * two, mx(x * two, zero));
  p("relu-scale3", N, mx(x, zero) * d.c(-3.0), mx(x * d.c(-3.0), zero));
}

void addComparisons(Dsl &d) {
  addPredicates(d);
  addMinMax(d);
}

void addRounding(Dsl &d) {
  T x = d.x(), one = d.c(1.0);
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  auto f = [&](ScalarOp o, T t) { return d.f(o, {t}); };
  auto toInt = [&](T t) { return d.op(ScalarOp::FPToSI, d.in(32), {t}); };
  T fi = d.op(ScalarOp::SIToFP, d.f32(), {toInt(x)});
  T big = d.cmp("oge", d.abs(x), d.c(std::ldexp(1, 23)));
  T keep = d.either(d.cmp("uno", x, x), big);
  T floorInt = d.select(d.cmp("olt", x, fi), fi - one, fi);
  T ceilInt = d.select(d.cmp("ogt", x, fi), fi + one, fi);
  ScalarOp Floor = ScalarOp::Floor, Ceil = ScalarOp::Ceil;
  p("floor-int", N, f(Floor, x), floorInt);
  p("floor-guard", N, f(Floor, x), d.select(keep, x, floorInt));
  p("floor-guard-cs", V, f(Floor, x),
    d.select(keep, x, d.copysign(floorInt, x)));
  p("ceil-guard-cs", V, f(Ceil, x), d.select(keep, x, d.copysign(ceilInt, x)));
  p("ceil-guard", N, f(Ceil, x), d.select(keep, x, ceilInt));
  p("ceil-neg-floor", V, f(Ceil, x), -f(Floor, -x));
  p("floor-floor", V, f(Floor, f(Floor, x)), f(Floor, x));
  p("trunc-sel", V, f(ScalarOp::Trunc, x),
    d.select(d.cmp("oge", x, d.c(0.0)), f(Floor, x), f(Ceil, x)));
  p("round-half", N, f(ScalarOp::Round, x),
    d.copysign(f(ScalarOp::Trunc, d.abs(x) + d.c(0.5)), x));
  p("round-even", N, f(ScalarOp::Round, x), f(ScalarOp::RoundEven, x));
  T magic = d.c(std::ldexp(1, 23));
  T inRange = d.cmp("olt", d.abs(x), magic);
  p("roundeven-magic", V, f(ScalarOp::RoundEven, x),
    d.select(inRange, d.copysign((d.abs(x) + magic) - magic, x), x));
  p("roundeven-magic-nocs", N, f(ScalarOp::RoundEven, x),
    d.select(inRange, (x + magic) - magic, x));
  p("fptosi-trunc", V, toInt(f(ScalarOp::Trunc, x)), toInt(x));
  p("fptosi-floor", N, toInt(f(Floor, x)), toInt(x));
}

} // namespace panpipe::tv::test
