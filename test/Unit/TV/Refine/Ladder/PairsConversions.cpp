//===- PairsConversions.cpp - Conversions and bit tricks -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarPairs.h"

#include <limits>

namespace panpipe::tv::test {

static const bool V = true, N = false;

static void addFormats(Dsl &d) {
  ScalarType f16 = d.f16(), bf16 = d.bf16(), f32 = d.f32(), f64 = d.f64();
  T x = d.x(), h = d.var("h", f16), g = d.var("g", bf16), D = d.var("D", f64);
  T i = d.var("i", d.in(32)), j = d.var("j", d.in(8)), I = d.var("I", d.in(64));
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  auto si = [&](T t, ScalarType u) { return d.op(ScalarOp::SIToFP, u, {t}); };
  auto ui = [&](T t, ScalarType u) { return d.op(ScalarOp::UIToFP, u, {t}); };
  auto fs = [&](T t, unsigned w) {
    return d.op(ScalarOp::FPToSI, d.in(w), {t});
  };
  T j32 = d.op(ScalarOp::ExtSI, d.in(32), {j});
  T z32 = d.op(ScalarOp::ExtUI, d.in(32), {j});
  p("trunc-ext", V, d.trunc(d.ext(h, f32), f16), h);
  p("trunc-ext-bf", V, d.trunc(d.ext(g, f32), bf16), g);
  p("ext-trunc", N, d.ext(d.trunc(x, f16), f32), x);
  p("trunc2", N, d.trunc(d.trunc(D, f32), f16), d.trunc(D, f16));
  p("ext2", V, d.ext(d.ext(h, f32), f64), d.ext(h, f64));
  p("trunc-ext-hop", V, d.trunc(d.ext(h, f64), f32), d.ext(h, f32));
  p("si-f64-f32", N, d.trunc(si(I, f64), f32), si(I, f32));
  p("si32-f64-f32", V, d.trunc(si(i, f64), f32), si(i, f32));
  p("si8", V, fs(si(j, f32), 8), j);
  p("si32rt", N, fs(si(i, f32), 32), i);
  p("si32rt64", V, fs(si(i, f64), 32), i);
  p("fs-sitofp", N, si(fs(x, 32), f32), x);
  p("si8-via-f32-f16", V, d.trunc(si(j, f32), f16), si(j, f16));
  p("sext-si", V, si(j32, f32), si(j, f32));
  p("zext-ui=si", V, si(z32, f32), ui(j, f32));
  p("sext-ui", N, ui(j32, f32), ui(j, f32));
  p("si32f16-2", V, d.trunc(si(i, f32), f16), si(i, f16));
}

static void addNarrow(Dsl &d) {
  ScalarType f16 = d.f16(), bf16 = d.bf16(), f32 = d.f32(), f64 = d.f64();
  T x = d.x(), y = d.x("y"), h = d.var("h", f16), h2 = d.var("h2", f16);
  T h3 = d.var("h3", f16), g = d.var("g", bf16), g2 = d.var("g2", bf16);
  T g3 = d.var("g3", bf16);
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  auto e = [&](T t) { return d.ext(t, f32); };
  p("addf16-in-f32", V, d.trunc(e(h) + e(h2), f16), h + h2);
  p("subf16-in-f32", V, d.trunc(e(h) - e(h2), f16), h - h2);
  p("mulf16-in-f32", V, d.trunc(e(h) * e(h2), f16), h * h2);
  p("mulbf16-in-f32", V, d.trunc(e(g) * e(g2), bf16), g * g2);
  p("divf16-in-f32", V, d.trunc(e(h) / e(h2), f16), h / h2);
  p("addf32-in-f64", V, d.trunc(d.ext(x, f64) + d.ext(y, f64), f32), x + y);
  p("mulf32-in-f64", V, d.trunc(d.ext(x, f64) * d.ext(y, f64), f32), x * y);
  p("fmabf-in-f32", N, d.trunc(e(g) * e(g2) + e(g3), bf16), d.fma(g, g2, g3));
  p("add3f16-in-f32", N, d.trunc((e(h) + e(h2)) + e(h3), f16), (h + h2) + h3);
  p("addf16 ext", N, e(h + h2), e(h) + e(h2));
  p("mulf16 ext to f32", N, e(h * h2), e(h) * e(h2));
}

static void addBits(Dsl &d) {
  ScalarType bf16 = d.bf16(), f32 = d.f32(), i32 = d.in(32), i16 = d.in(16);
  T x = d.x(), g = d.var("g", bf16);
  auto p = [&](const char *n, bool v, T s, T t) { d.pair(n, v, s, t); };
  T bx = d.bitcast(x, i32), sixteen = d.i(16, 32);
  auto shr = [&](T t) { return d.op(ScalarOp::ShRUI, i32, {t, sixteen}); };
  auto add = [&](T a, T b) { return d.op(ScalarOp::AddI, i32, {a, b}); };
  T lsb = d.both(shr(bx), d.i(1, 32));
  T rn = shr(add(add(bx, d.i(0x7fff, 32)), lsb));
  auto b16 = [&](T t) {
    return d.bitcast(d.op(ScalarOp::TruncI, i16, {t}), bf16);
  };
  T nan = d.bits(0x7fc0, bf16), isNaN = d.cmp("uno", x, x);
  auto guarded = [&](T t) { return d.select(isNaN, nan, b16(t)); };
  T narrow = d.trunc(x, bf16);
  p("bf16-bits", V, narrow, guarded(rn));
  p("bf16-nonan", N, narrow, b16(rn));
  p("bf16-carry", N, narrow,
    guarded(
        d.either(d.both(shr(bx), d.i(0xff80, 32)), d.both(rn, d.i(0x7f, 32)))));
  p("bf16-ties-up", N, narrow, guarded(shr(add(bx, d.i(0x8000, 32)))));
  p("bf16-trunc", N, narrow, b16(shr(bx)));
  T low = d.both(bx, d.i(0x7fffffff, 32));
  p("abs-bits", V, d.abs(x), d.bitcast(low, f32));
  p("signbit", N, d.cmp("olt", x, d.c(0.0)), d.icmp("slt", bx, d.i(0, 32)));
  p("isnan-bits", V, isNaN, d.icmp("ugt", low, d.i(0x7f800000, 32)));
  T wide = d.op(ScalarOp::ExtUI, i32, {d.bitcast(g, i16)});
  p("bitext", V, d.ext(g, f32),
    d.bitcast(d.op(ScalarOp::ShLI, i32, {wide, sixteen}), f32));
  // Reads of the bits of an arithmetic NaN: any pattern is allowed.
  T y = d.x("y"), sum = d.bitcast(x + y, i32);
  T sumIsNaN = d.cmp("uno", x + y, x + y);
  p("bits-any-nan", V, sum, d.select(sumIsNaN, d.i(0x7fc00000, 32), sum));
}

void addConversions(Dsl &d) {
  addFormats(d);
  addNarrow(d);
  addBits(d);
}

} // namespace panpipe::tv::test
