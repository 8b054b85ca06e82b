//===- FloatCircuits.cpp - Floats as bit-vector circuits -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/SMT/FloatCircuits.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace panpipe::tv::smt {

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

std::optional<FloatFormat> FloatFormat::of(ScalarType type) {
  if (!type.isFloat())
    return std::nullopt;
  switch (type.semantics()) {
  case APFloatBase::S_IEEEhalf:
    return FloatFormat{5, 11};
  case APFloatBase::S_BFloat:
    return FloatFormat{8, 8};
  case APFloatBase::S_IEEEsingle:
    return FloatFormat{8, 24};
  case APFloatBase::S_IEEEdouble:
    return FloatFormat{11, 53};
  case APFloatBase::S_Float8E5M2:
    return FloatFormat{5, 3};
  case APFloatBase::S_Float8E4M3:
    return FloatFormat{4, 4};
  case APFloatBase::S_Float8E3M4:
    return FloatFormat{3, 5};
  default:
    return std::nullopt;
  }
}

std::optional<uint64_t> FloatFormat::powerOfTwo(int k) const {
  if (k > maxExponent())
    return std::nullopt;
  if (k >= minExponent())
    return uint64_t(k + bias()) << (precision - 1);
  int shift = k - (minExponent() - int(precision) + 1);
  if (shift < 0)
    return std::nullopt;
  return uint64_t(1) << shift;
}

std::optional<int> FloatFormat::log2(uint64_t pattern) const {
  uint64_t magnitude = pattern & (signMask() - 1);
  if (magnitude == 0 || magnitude >= infinity())
    return std::nullopt;
  uint64_t fraction = magnitude & ((uint64_t(1) << (precision - 1)) - 1);
  int exponent = int(magnitude >> (precision - 1));
  if (exponent == 0)
    return isPowerOf2_64(fraction)
               ? std::optional<int>(int(Log2_64(fraction)) + minExponent() -
                                    int(precision) + 1)
               : std::nullopt;
  return fraction == 0 ? std::optional<int>(exponent - bias()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Classes, signs, comparisons
//===----------------------------------------------------------------------===//

Expr FloatCircuits::magnitude(Expr x) const {
  return x & constant(f.signMask() - 1);
}
Expr FloatCircuits::signBit(Expr x) const { return x & constant(f.signMask()); }
Expr FloatCircuits::isNegative(Expr x) const {
  return bitSet(x, f.width() - 1);
}
Expr FloatCircuits::negate(Expr x) const { return x ^ constant(f.signMask()); }
Expr FloatCircuits::copySign(Expr x, Expr sign) const {
  return magnitude(x) | signBit(sign);
}
Expr FloatCircuits::isNaN(Expr x) const {
  return ugt(magnitude(x), constant(f.infinity()));
}
Expr FloatCircuits::isInf(Expr x) const {
  return eq(magnitude(x), constant(f.infinity()));
}
Expr FloatCircuits::isZero(Expr x) const {
  return eq(magnitude(x), constant(0));
}
Expr FloatCircuits::isFinite(Expr x) const {
  return ult(magnitude(x), constant(f.infinity()));
}
Expr FloatCircuits::isNormal(Expr x) const {
  return land(isFinite(x),
              uge(magnitude(x), constant(uint64_t(1) << (f.precision - 1))));
}
Expr FloatCircuits::canonical(Expr x) const {
  return ite(isNaN(x), quietNaN(), x);
}
Expr FloatCircuits::key(Expr x) const {
  return ite(isNegative(x), ~x, x | constant(f.signMask()));
}
Expr FloatCircuits::lessNoNaN(Expr x, Expr y) const {
  return land(lnot(land(isZero(x), isZero(y))), ult(key(x), key(y)));
}
Expr FloatCircuits::lessEqualNoNaN(Expr x, Expr y) const {
  return lor(land(isZero(x), isZero(y)), ule(key(x), key(y)));
}
Expr FloatCircuits::equalNoNaN(Expr x, Expr y) const {
  return lor(land(isZero(x), isZero(y)), eq(x, y));
}

Expr FloatCircuits::compare(unsigned predicate, Expr x, Expr y) const {
  // arith::CmpFPredicate: false oeq ogt oge olt ole one ord ueq ugt uge ult
  // ule une uno true.
  Expr unordered = lor(isNaN(x), isNaN(y));
  if (predicate == 14)
    return unordered;
  if (predicate == 15)
    return ctx.boolean(true);
  bool orUnordered = predicate >= 8;
  Expr holds = ctx.boolean(false);
  switch (orUnordered ? predicate - 7 : predicate) {
  case 0:
    break;
  case 1:
    holds = equalNoNaN(x, y);
    break;
  case 2:
    holds = lessNoNaN(y, x);
    break;
  case 3:
    holds = lessEqualNoNaN(y, x);
    break;
  case 4:
    holds = lessNoNaN(x, y);
    break;
  case 5:
    holds = lessEqualNoNaN(x, y);
    break;
  case 6:
    holds = lnot(equalNoNaN(x, y));
    break;
  case 7:
    holds = ctx.boolean(true);
    break;
  }
  return orUnordered ? lor(unordered, holds) : land(lnot(unordered), holds);
}

Expr FloatCircuits::same(Expr x, Expr y) const {
  return lor(eq(x, y), land(isNaN(x), isNaN(y)));
}

Expr FloatCircuits::maximum(Expr x, Expr y, bool wantMax) const {
  Expr takeX = wantMax ? ule(key(y), key(x)) : ule(key(x), key(y));
  return ite(lor(isNaN(x), isNaN(y)), quietNaN(), ite(takeX, x, y));
}

Expr FloatCircuits::maxNum(Expr x, Expr y, bool wantMax) const {
  Expr takeX = wantMax ? ule(key(y), key(x)) : ule(key(x), key(y));
  return ite(isNaN(x), ite(isNaN(y), quietNaN(), y),
             ite(isNaN(y), x, ite(takeX, x, y)));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static const unsigned exponentWidth = 16;

Expr FloatCircuits::exponentField(Expr x) const {
  return extract(x, f.width() - 2, f.precision - 1);
}

/// Shifts left until the top bit is set; `count` (16 bits) is by how much.
static std::pair<Expr, Expr> normalise(ExprContext &ctx, Expr m) {
  unsigned w = m.width();
  Expr count = ctx.bv(0, exponentWidth);
  unsigned k = w > 1 ? 1u << Log2_32(w - 1) : 0;
  for (; k; k /= 2) {
    Expr top = eq(extract(m, w - 1, w - k), ctx.bv(0, k));
    m = ite(top, shl(m, m.constant(k)), m);
    count = ite(top, count + ctx.bv(k, exponentWidth), count);
  }
  return {m, count};
}

FloatCircuits::Unpacked FloatCircuits::unpack(Expr x) const {
  Expr field = exponentField(x);
  Expr fraction = extract(x, f.precision - 2, 0);
  Expr subnormal = eq(field, field.constant(0));
  auto [m, n] = normalise(ctx, concat(ctx.bv(0, 1), fraction));
  Expr bias = ctx.bv(f.bias(), exponentWidth);
  Unpacked u;
  u.significand = ite(subnormal, m, concat(ctx.bv(1, 1), fraction));
  u.exponent = ite(subnormal, ctx.bv(1, exponentWidth) - bias - n,
                   zextOrTrunc(field, exponentWidth) - bias);
  return u;
}

Expr FloatCircuits::roundPack(Expr negative, Expr significand,
                              Expr exponent) const {
  unsigned p = f.precision, m = significand.width(), w = f.width();
  Expr emin = ctx.bv(APInt(exponentWidth, f.minExponent(), true));
  Expr emax = ctx.bv(APInt(exponentWidth, f.maxExponent(), true));
  Expr zero = ctx.bv(0, exponentWidth);
  Expr limit = ctx.bv(p + 1, exponentWidth);
  Expr d = ite(slt(exponent, emin), emin - exponent, zero);
  d = ite(sgt(d, limit), limit, d);
  // The spare bit on top keeps `half` from wrapping for the greatest shift.
  unsigned spare = mutant == CircuitMutant::NoSpareBit ? 0 : 1;
  unsigned width = std::max(m, p) + p + 2 + spare;
  Expr a = zextOrTrunc(significand, width);
  a = shl(a, a.constant(width - m - spare));
  Expr shift = zextOrTrunc(ctx.bv(width - spare - p, exponentWidth) + d,
                           std::max(width, exponentWidth));
  if (shift.width() > width)
    shift = zextOrTrunc(shift, width);
  Expr k = lshr(a, shift);
  Expr rest = a - shl(k, shift);
  Expr half = shl(a.constant(1), shift - a.constant(1));
  Expr tie = eq(rest, half);
  if (mutant != CircuitMutant::TiesUp)
    tie = land(tie, bitSet(k, 0));
  k = ite(lor(ugt(rest, half), tie), k + k.constant(1), k);
  Expr field = ite(slt(exponent, emin), zero, exponent - emin);
  Expr b = shl(zextOrTrunc(field, w + 2), ctx.bv(p - 1, w + 2)) +
           zextOrTrunc(extract(k, p, 0), w + 2);
  Expr overflow = lor(sgt(exponent, emax), uge(b, b.constant(f.infinity())));
  Expr r = ite(overflow, constant(f.infinity()), zextOrTrunc(b, w));
  return ite(negative, r | constant(f.signMask()), r);
}

/// x·2, without unpacking: a subnormal's fraction moves up into the exponent.
Expr FloatCircuits::twice(Expr x) const {
  Expr field = exponentField(x), m = magnitude(x);
  Expr last = field.constant((uint64_t(1) << f.exponentBits) - 2);
  Expr up = m + constant(uint64_t(1) << (f.precision - 1));
  Expr r = ite(eq(field, field.constant(0)), shl(m, constant(1)),
               ite(uge(field, last), constant(f.infinity()), up));
  return ite(isNaN(x), quietNaN(), r | signBit(x));
}

/// x·2^-k, k > 0, rounded once: significands only move right.
Expr FloatCircuits::scaleDown(Expr x, unsigned k) const {
  unsigned p = f.precision, w = f.width();
  unsigned shifts = std::min(k, p + 1); // more than that is zero
  Expr field = zextOrTrunc(exponentField(x), w), m = magnitude(x);
  Expr fraction = m & constant((uint64_t(1) << (p - 1)) - 1);
  Expr hidden = constant(uint64_t(1) << (p - 1));
  Expr subnormal = eq(field, constant(0));
  Expr significand = ite(subnormal, fraction, fraction | hidden);
  Expr exponent = ite(subnormal, constant(1), field);
  // Below the normals: shift by what is missing, at most p + 1.
  Expr missing = constant(k + 1) - exponent;
  Expr shift = ite(ugt(missing, constant(shifts)), constant(shifts), missing);
  unsigned wide = 2 * p + 3;
  Expr a = shl(zextOrTrunc(significand, wide), ctx.bv(p + 2, wide));
  a = lshr(a, zextOrTrunc(shift, wide));
  Expr kept = zextOrTrunc(extract(a, wide - 1, p + 2), w);
  Expr half = bitSet(a, p + 1);
  Expr sticky = ne(extract(a, p, 0), ctx.bv(0, p + 1));
  Expr roundUp = land(half, lor(sticky, bitSet(kept, 0)));
  Expr small = ite(roundUp, kept + constant(1), kept);
  Expr normal = m - constant(uint64_t(k) << (p - 1));
  Expr r = ite(ugt(exponent, constant(k)), normal, small);
  return ite(isNaN(x), quietNaN(), ite(isInf(x), x, r | signBit(x)));
}

Expr FloatCircuits::convert(Expr x, FloatFormat to, int k) const {
  if (to == f && k == 0)
    return canonical(x);
  bool plain = mutant == CircuitMutant::None;
  if (plain && to == f && k > 0 && k <= 8) {
    for (; k > 0; --k)
      x = twice(x); // exact, or infinite for good
    return x;
  }
  unsigned fields = 1u << std::min(f.exponentBits, 30u);
  if (plain && to == f && k < 0 && unsigned(-k) < fields &&
      uint64_t(-k) + 1 < f.signMask())
    return scaleDown(x, -k);
  if (plain && k == 0 && to.exponentBits == f.exponentBits) {
    FloatCircuits g(ctx, to);
    if (to.precision > f.precision)
      return ite(isNaN(x), g.quietNaN(),
                 concat(x, ctx.bv(0, to.precision - f.precision)));
    unsigned cut = f.precision - to.precision;
    Expr lsb = zextOrTrunc(extract(x, cut, cut), f.width());
    Expr rounded = x + constant((uint64_t(1) << (cut - 1)) - 1) + lsb;
    return ite(isNaN(x), g.quietNaN(), extract(rounded, f.width() - 1, cut));
  }
  FloatCircuits g(ctx, to, mutant);
  Expr sign = ite(isNegative(x), g.constant(to.signMask()), g.constant(0));
  Unpacked u = unpack(x);
  Expr scaled = u.exponent + ctx.bv(APInt(exponentWidth, k, true));
  Expr finite = g.roundPack(isNegative(x), u.significand, scaled);
  return ite(isNaN(x), g.quietNaN(),
             ite(isInf(x), sign | g.constant(to.infinity()),
                 ite(isZero(x), sign, finite)));
}

Expr FloatCircuits::fromInt(Expr x, bool isSigned) const {
  unsigned n = x.width();
  Expr negative = isSigned ? bitSet(x, n - 1) : ctx.boolean(false);
  Expr a = ite(negative, smt::neg(x), x);
  auto [m, count] = normalise(ctx, a);
  Expr r = roundPack(negative, m, ctx.bv(n - 1, exponentWidth) - count);
  return ite(eq(x, x.constant(0)), constant(0), r);
}

FloatCircuits::IntResult FloatCircuits::toInt(Expr x, unsigned n,
                                              bool isSigned) const {
  Unpacked u = unpack(x);
  unsigned width = n + f.precision + 1;
  Expr zero = ctx.bv(0, exponentWidth), top = ctx.bv(n, exponentWidth);
  Expr below = slt(u.exponent, zero), above = sgt(u.exponent, top);
  Expr shift = ite(lor(below, above), zero, u.exponent);
  Expr m = zextOrTrunc(u.significand, width);
  Expr v = lshr(shl(m, zextOrTrunc(shift, width)), m.constant(f.precision - 1));
  v = ite(below, v.constant(0), v);
  Expr negative = isNegative(x);
  APInt bound = APInt::getOneBitSet(width, isSigned ? n - 1 : n);
  Expr limit = ctx.bv(bound);
  Expr negativeOk = isSigned ? ule(v, limit) : eq(v, v.constant(0));
  Expr fits = ite(negative, negativeOk, ult(v, limit));
  Expr result = extract(v, n - 1, 0);
  result = ite(negative, smt::neg(result), result);
  Expr isZeroX = isZero(x);
  return {ite(isZeroX, result.constant(0), result),
          lor(isZeroX, land(isFinite(x), lnot(above), fits))};
}

Expr FloatCircuits::roundToInt(Expr x, RoundingMode mode) const {
  unsigned p = f.precision, w = f.width();
  auto c = [&](uint64_t v) { return constant(v); };
  Expr field = zextOrTrunc(exponentField(x), w);
  // The mask of fraction bits, where the exponent is at least 0.
  Expr mask = lshr(c((uint64_t(1) << (p - 1)) - 1), field - c(f.bias()));
  mask = ite(uge(field, c(f.bias() + p - 1)), c(0), mask);
  Expr step = lshr(mask + c(1), c(1));
  Expr negative = isNegative(x), one = c(0);
  Expr big, up;
  switch (mode) {
  case RoundingMode::TowardZero:
    big = x & ~mask;
    up = ctx.boolean(false);
    break;
  case RoundingMode::TowardNegative:
  case RoundingMode::TowardPositive: {
    Expr away =
        mode == RoundingMode::TowardNegative ? negative : lnot(negative);
    big = ite(away, (x + mask) & ~mask, x & ~mask);
    up = away;
    break;
  }
  case RoundingMode::NearestAway:
    big = (x + step) & ~mask;
    up = uge(field, c(f.bias() - 1));
    break;
  case RoundingMode::NearestEven: {
    // In [1, 2) the units bit is the hidden one, which is set.
    Expr odd = lor(eq(field, c(f.bias())), ne(x & (mask + c(1)), c(0)));
    Expr bump = ite(odd, step, step - c(1));
    big = ite(eq(mask, c(0)), x, (x + bump) & ~mask);
    up = ugt(magnitude(x), c(uint64_t(f.bias() - 1) << (p - 1)));
    break;
  }
  }
  Expr small = signBit(x) | ite(up, c(f.one()), one);
  Expr r = ite(ult(field, c(f.bias())), small, big);
  return ite(isNaN(x), quietNaN(), ite(lor(isInf(x), isZero(x)), x, r));
}

Expr FloatCircuits::toTheory(Expr x) const {
  return fpFromBits(x, f.exponentBits, f.precision);
}

} // namespace panpipe::tv::smt
