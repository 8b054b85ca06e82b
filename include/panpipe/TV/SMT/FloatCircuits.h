//===- FloatCircuits.h - Floats as bit-vector circuits ----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A float is the bit-vector of its IEEE pattern. This file has the exact
/// circuits over patterns: class tests, comparisons, min and max, conversions,
/// rounding to an integer, scaling by a power of two. None of them is an
/// approximation; docs/TV/Floats.md says how each is proved.
///
/// Arithmetic results that are NaN are the format's canonical quiet NaN.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_SMT_FLOATCIRCUITS_H
#define PANPIPE_TV_SMT_FLOATCIRCUITS_H

#include "panpipe/TV/SMT/Expr.h"
#include "panpipe/TV/Term/Scalar.h"

#include <optional>

namespace panpipe::tv::smt {

/// An IEEE-like binary format: with infinities, signed zeros, subnormals, and
/// NaNs above the infinities.
struct FloatFormat {
  unsigned exponentBits = 0;
  /// Hidden bit included.
  unsigned precision = 0;

  unsigned width() const { return exponentBits + precision; }
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int minExponent() const { return 1 - bias(); }
  int maxExponent() const { return bias(); }
  uint64_t infinity() const {
    return ((uint64_t(1) << exponentBits) - 1) << (precision - 1);
  }
  uint64_t signMask() const { return uint64_t(1) << (width() - 1); }
  uint64_t quietNaN() const {
    return infinity() + (uint64_t(1) << (precision - 2));
  }
  uint64_t one() const { return uint64_t(bias()) << (precision - 1); }
  /// The pattern of 2^k, subnormals included; nothing if not representable.
  std::optional<uint64_t> powerOfTwo(int k) const;
  /// k if |pattern| is 2^k.
  std::optional<int> log2(uint64_t pattern) const;
  Sort sort() const { return Sort::floating(exponentBits, precision); }

  bool operator==(const FloatFormat &o) const {
    return exponentBits == o.exponentBits && precision == o.precision;
  }

  /// Nothing for formats that are not IEEE-like (fp8 without infinities, x87,
  /// double-double) or are wider than 64 bits.
  static std::optional<FloatFormat> of(ScalarType type);
};

/// For tests of the tests: a circuit with a known bug.
enum class CircuitMutant : uint8_t { None, TiesUp, NoSpareBit };

/// The circuits of one format, over expressions of one context.
class FloatCircuits {
public:
  FloatCircuits(ExprContext &context, FloatFormat format,
                CircuitMutant mutant = CircuitMutant::None)
      : ctx(context), f(format), mutant(mutant) {}

  const FloatFormat &format() const { return f; }
  Expr constant(uint64_t pattern) const { return ctx.bv(pattern, f.width()); }
  Expr quietNaN() const { return constant(f.quietNaN()); }

  Expr magnitude(Expr x) const;
  Expr signBit(Expr x) const; ///< x with all other bits cleared
  Expr isNegative(Expr x) const;
  Expr negate(Expr x) const;
  Expr copySign(Expr x, Expr sign) const;
  Expr isNaN(Expr x) const;
  Expr isInf(Expr x) const;
  Expr isZero(Expr x) const;
  Expr isFinite(Expr x) const;
  Expr isNormal(Expr x) const;
  /// NaN payloads replaced by the canonical NaN.
  Expr canonical(Expr x) const;
  /// Total order without NaN, -0 below +0, as unsigned numbers.
  Expr key(Expr x) const;
  /// IEEE comparisons; operands are not NaN.
  Expr lessNoNaN(Expr x, Expr y) const;
  Expr lessEqualNoNaN(Expr x, Expr y) const;
  Expr equalNoNaN(Expr x, Expr y) const;
  /// arith::CmpFPredicate.
  Expr compare(unsigned predicate, Expr x, Expr y) const;
  /// Equal results: same bits, or both NaN.
  Expr same(Expr x, Expr y) const;
  Expr maximum(Expr x, Expr y, bool wantMax) const;
  Expr maxNum(Expr x, Expr y, bool wantMax) const;

  /// x·2^k in format `to`, rounded once to nearest even.
  Expr convert(Expr x, FloatFormat to, int k = 0) const;
  Expr scale(Expr x, int k) const { return convert(x, f, k); }
  /// An integer to this format.
  Expr fromInt(Expr x, bool isSigned) const;
  struct IntResult {
    Expr value;
    Expr inRange; ///< otherwise poison
  };
  IntResult toInt(Expr x, unsigned width, bool isSigned) const;
  Expr roundToInt(Expr x, RoundingMode mode) const;

  /// The value as an expression of the FP theory.
  Expr toTheory(Expr x) const;

private:
  struct Unpacked {
    Expr significand; ///< precision bits, top bit set
    Expr exponent;    ///< 16 bits, signed
  };
  Unpacked unpack(Expr x) const;
  Expr roundPack(Expr negative, Expr significand, Expr exponent) const;
  Expr exponentField(Expr x) const;
  Expr twice(Expr x) const;
  Expr scaleDown(Expr x, unsigned k) const;

  ExprContext &ctx;
  FloatFormat f;
  CircuitMutant mutant;
};

} // namespace panpipe::tv::smt

#endif // PANPIPE_TV_SMT_FLOATCIRCUITS_H
