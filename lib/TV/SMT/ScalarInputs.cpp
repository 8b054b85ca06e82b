//===- ScalarInputs.cpp - Inputs worth executing -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/SMT/ScalarInputs.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace panpipe::tv::smt {

uint64_t roundedPattern(const FloatFormat &f, bool negative, uint64_t m,
                        int j) {
  uint64_t sign = negative ? f.signMask() : 0;
  if (m == 0)
    return sign;
  int p = int(f.precision);
  int exponent = int(Log2_64(m)) + j; // of the leading bit
  // The last place: of a normal result, or of the subnormals.
  int last = std::max(exponent, f.minExponent()) - p + 1;
  int drop = last - j;
  uint64_t k;
  if (drop <= 0) {
    k = -drop < 64 ? m << -drop : 0;
  } else if (drop > 64) {
    k = 0;
  } else {
    uint64_t kept = drop == 64 ? 0 : m >> drop;
    uint64_t rest = drop == 64 ? m : m & ((uint64_t(1) << drop) - 1);
    uint64_t half = uint64_t(1) << (drop - 1);
    k = kept + (rest > half || (rest == half && (kept & 1)));
  }
  int field = std::max(exponent, f.minExponent()) - f.minExponent();
  if (exponent > f.maxExponent())
    return sign | f.infinity();
  // The hidden bit of k and a carry move the exponent.
  uint64_t pattern = (uint64_t(field) << (p - 1)) + k;
  return sign | std::min(pattern, f.infinity());
}

std::vector<uint64_t> specialPatterns(const FloatFormat &f) {
  uint64_t s = f.signMask(), inf = f.infinity();
  std::vector<uint64_t> v{0,
                          s,
                          inf,
                          inf | s,
                          f.quietNaN(),
                          1,
                          1 | s,
                          uint64_t(1) << (f.precision - 1),
                          inf - 1,
                          (inf - 1) | s};
  auto number = [&](bool negative, uint64_t m, int j) {
    v.push_back(roundedPattern(f, negative, m, j));
  };
  number(false, 1, 0);
  number(true, 1, 0);
  number(false, 2, 0);
  number(false, 1, -1);
  number(false, 3, 0);
  number(true, 0x1333333333333333ull, -62);  // -0.3
  number(false, 0x1999999999999999ull, -64); // 0.1
  number(false, 7, 0);
  number(false, 1000, 0);
  number(true, 5, -1);
  return v;
}

namespace {
class Generator {
public:
  Generator(ArrayRef<ScalarType> types, ArrayRef<FloatFormat> narrower,
            ArrayRef<unsigned> integerWidths, uint64_t seed)
      : types(types), narrower(narrower), integerWidths(integerWidths),
        random(seed) {
    for (ScalarType t : types)
      formats.push_back(FloatFormat::of(t));
  }

  void specials(unsigned limit);
  void randoms(unsigned n) {
    for (unsigned i = 0; i < n; ++i)
      push([&](unsigned k) { return randomValue(k); });
  }
  void limits(unsigned n);
  void productTies(unsigned n);
  void ties(unsigned n);
  void payloads();
  void integers(unsigned n);
  std::vector<std::vector<APInt>> take() { return std::move(out); }

private:
  template <typename F> void push(F value) {
    std::vector<APInt> row;
    for (unsigned k = 0; k < types.size(); ++k)
      row.push_back(value(k));
    out.push_back(std::move(row));
  }
  APInt bits(unsigned k, uint64_t v) {
    return APInt(types[k].width(), v, false, /*implicitTrunc=*/true);
  }
  APInt randomBits(unsigned width) {
    APInt v(width, 0);
    for (unsigned i = 0; i < width; i += 64)
      v.insertBits(APInt(std::min(64u, width - i), random.next(), false, true),
                   i);
    return v;
  }
  APInt randomInteger(unsigned width);
  uint64_t randomFloat(const FloatFormat &f);
  APInt randomValue(unsigned k);
  uint64_t nearLimit(const FloatFormat &f);
  uint64_t tie(const FloatFormat &f, const FloatFormat &u);

  ArrayRef<ScalarType> types;
  ArrayRef<FloatFormat> narrower;
  ArrayRef<unsigned> integerWidths;
  std::vector<std::optional<FloatFormat>> formats;
  Random random;
  std::vector<std::vector<APInt>> out;
};
} // namespace

APInt Generator::randomInteger(unsigned w) {
  unsigned r = random.below(10);
  if (r < 4) {
    APInt one(w, 1);
    switch (random.below(6)) {
    case 0:
      return APInt(w, 0);
    case 1:
      return one;
    case 2:
      return APInt::getAllOnes(w);
    case 3:
      return APInt::getSignedMinValue(w);
    case 4:
      return APInt::getSignedMaxValue(w);
    default:
      return APInt::getSignedMaxValue(w) - 1;
    }
  }
  APInt v = randomBits(w);
  return r < 7 ? v : v.lshr(random.below(w));
}

/// F2.
uint64_t Generator::randomFloat(const FloatFormat &f) {
  int p = f.precision;
  unsigned r = random.below(10);
  if (r < 4) {
    std::vector<uint64_t> special = specialPatterns(f);
    return special[random.below(special.size())];
  }
  bool negative = random.below(2);
  if (r < 8)
    return roundedPattern(f, negative, random.below(uint64_t(1) << p),
                          random.between(-p - 4, -p + 2));
  if (r < 9)
    return roundedPattern(f, negative, random.below(4) * 2 + 1,
                          random.between(-3, p));
  return random.next() & (f.signMask() * 2 - 1);
}

APInt Generator::randomValue(unsigned k) {
  if (formats[k])
    return bits(k, randomFloat(*formats[k]));
  if (types[k].isFloat())
    return randomBits(types[k].width());
  return randomInteger(types[k].width());
}

/// F1.
void Generator::specials(unsigned limit) {
  auto at = [&](unsigned k, unsigned i) {
    if (!formats[k])
      return randomValue(k);
    std::vector<uint64_t> s = specialPatterns(*formats[k]);
    return bits(k, s[i % s.size()]);
  };
  unsigned floats = 0;
  for (auto &f : formats)
    floats += f.has_value();
  if (floats == 0)
    return;
  static const unsigned some[] = {0, 1, 2, 3, 4, 5, 10, 12};
  if (floats == 2) {
    for (unsigned i : some)
      for (unsigned j : some) {
        unsigned seen = 0;
        push([&](unsigned k) { return at(k, formats[k] && seen++ ? j : i); });
      }
    return;
  }
  for (unsigned i = 0; i < 20 && i < limit; ++i)
    push([&](unsigned k) { return at(k, i); });
  if (floats > 2)
    for (unsigned i = 0; i < 64; ++i)
      push([&](unsigned k) { return at(k, some[random.below(8)]); });
}

/// F8: a product that is a tie of its format, and something tiny beside it.
void Generator::productTies(unsigned n) {
  unsigned floats = 0;
  for (auto &f : formats)
    floats += f.has_value();
  if (floats < 3)
    return;
  for (unsigned i = 0; i < n; ++i) {
    unsigned seen = 0;
    push([&](unsigned k) {
      if (!formats[k])
        return randomValue(k);
      const FloatFormat &f = *formats[k];
      int p = int(f.precision), s = p / 2;
      bool negative = random.below(2);
      auto odd = [&](int width) {
        uint64_t top = uint64_t(1) << (width - 1);
        return top | random.below(top) | 1;
      };
      switch (seen++ % 3) {
      case 0:
        return bits(k, roundedPattern(f, negative, odd(p - s), s - p));
      case 1:
        return bits(k, roundedPattern(f, negative, odd(s + 1), -s));
      default:
        return bits(
            k, roundedPattern(f, negative, 1, -3 * p - int(random.below(20))));
      }
    });
  }
}

/// A number near overflow, near the least normal, or near 1.
uint64_t Generator::nearLimit(const FloatFormat &f) {
  int p = f.precision, bias = f.bias();
  uint64_t top = uint64_t(1) << (p - 1);
  uint64_t ms[] = {top, 2 * top - 1, top + top / 2,
                   top | random.below(top ? top : 1)};
  int js[] = {bias - p + 1, bias - p, 1 - bias - p, 2 - bias - p,
              3 - bias - p, -p,       -p + 1};
  int j = js[random.below(7)] + random.between(-1, 1);
  return roundedPattern(f, random.below(2), ms[random.below(4)], j);
}

/// F3, and F4 as every second input: one magnitude, random signs.
void Generator::limits(unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    // One draw for all inputs of a format.
    std::vector<std::pair<FloatFormat, uint64_t>> shared;
    push([&](unsigned k) {
      if (!formats[k])
        return randomValue(k);
      const FloatFormat &f = *formats[k];
      if (i % 2 == 0)
        return bits(k, random.below(4) ? nearLimit(f) : randomFloat(f));
      uint64_t v = 0;
      bool found = false;
      for (auto &[format, value] : shared)
        if (format == f) {
          v = value;
          found = true;
        }
      if (!found)
        shared.push_back({f, v = nearLimit(f)});
      uint64_t flips[] = {0, 0, 1, uint64_t(1) << (f.precision - 2),
                          uint64_t(1) << (f.precision - 1)};
      v ^= flips[random.below(5)];
      return bits(k, random.below(2) ? v ^ f.signMask() : v);
    });
  }
}

/// A value of `f` at or next to the middle of two values of `u`.
uint64_t Generator::tie(const FloatFormat &f, const FloatFormat &u) {
  int g = int(f.precision) - int(u.precision);
  int exponent;
  switch (random.below(3)) {
  case 0:
    exponent = random.between(u.minExponent(), std::min(u.maxExponent(), 20));
    break;
  case 1: { // subnormal in u
    int extra = random.between(1, int(u.precision));
    exponent = u.minExponent() - extra;
    g += extra;
    break;
  }
  default:
    exponent = u.maxExponent();
  }
  if (g < 1 || g > 62)
    g = std::min(std::max(g, 1), 62);
  uint64_t topBit = uint64_t(1) << (f.precision - 1);
  uint64_t k = exponent == u.maxExponent() && random.below(2)
                   ? (2 * topBit - 1) >> g
                   : (topBit | random.below(topBit)) >> g;
  uint64_t m = (k << g) + (uint64_t(1) << (g - 1)) + random.below(3) - 1;
  // Sometimes the deviation is far below the middle: double roundings.
  if (m & topBit)
    return roundedPattern(f, random.below(2), m,
                          exponent - int(f.precision) + 1);
  return roundedPattern(f, random.below(2), m | 1,
                        exponent - int(f.precision) + 1);
}

/// F5.
void Generator::ties(unsigned n) {
  bool any = false;
  for (auto &f : formats)
    for (const FloatFormat &u : narrower)
      any |= f && u.precision < f->precision;
  if (!any)
    return;
  for (unsigned i = 0; i < n; ++i)
    push([&](unsigned k) {
      if (!formats[k])
        return randomValue(k);
      const FloatFormat &u = narrower[random.below(narrower.size())];
      if (u.precision >= formats[k]->precision)
        return bits(k, randomFloat(*formats[k]));
      return bits(k, tie(*formats[k], u));
    });
}

/// F6.
void Generator::payloads() {
  for (unsigned i = 0; i < 8; ++i)
    push([&](unsigned k) {
      if (!formats[k])
        return randomValue(k);
      const FloatFormat &f = *formats[k];
      uint64_t quiet = uint64_t(1) << (f.precision - 2);
      uint64_t patterns[] = {f.infinity() + 1, f.infinity() | (2 * quiet - 1),
                             f.infinity() | (quiet - 1) | 1,
                             f.infinity() + std::max<uint64_t>(quiet / 2, 1)};
      uint64_t v = patterns[i % 4];
      return bits(k, i >= 4 ? v | f.signMask() : v);
    });
}

/// F7: integers whose conversion is a tie, floats at the integers' limits.
void Generator::integers(unsigned n) {
  SmallVector<unsigned, 4> precisions;
  for (const FloatFormat &f : narrower)
    precisions.push_back(f.precision);
  for (auto &f : formats)
    if (f)
      precisions.push_back(f->precision);
  for (unsigned i = 0; i < n; ++i)
    push([&](unsigned k) {
      int delta = random.between(-1, 1);
      if (formats[k]) {
        const FloatFormat &f = *formats[k];
        unsigned w = integerWidths.empty()
                         ? 32
                         : integerWidths[random.below(integerWidths.size())];
        uint64_t limit = roundedPattern(f, random.below(2), 1, int(w) - 1);
        uint64_t half =
            roundedPattern(f, random.below(2), 2 * random.below(200) + 1, -1);
        uint64_t belowHalf = roundedPattern(f, random.below(2), 1, -1) - 1;
        uint64_t choices[] = {limit, limit + delta, half, belowHalf};
        return bits(k, choices[random.below(4)]);
      }
      unsigned w = types[k].width();
      if (precisions.empty() || random.below(4) == 0)
        return randomInteger(w);
      unsigned p = precisions[random.below(precisions.size())];
      if (p + 1 >= w)
        return randomInteger(w);
      unsigned a = random.between(int(p) + 1, int(w) - 1);
      APInt v = APInt::getOneBitSet(w, a) + APInt::getOneBitSet(w, a - p);
      v += uint64_t(int64_t(delta));
      if (random.below(3) == 0 && a > p)
        v += APInt::getOneBitSet(w, a - p + 1);
      return random.below(2) ? v : -v;
    });
}

std::vector<std::vector<APInt>> scalarInputs(ArrayRef<ScalarType> types,
                                             ArrayRef<FloatFormat> narrower,
                                             ArrayRef<unsigned> integerWidths,
                                             unsigned count, uint64_t seed) {
  Generator g(types, narrower, integerWidths, seed);
  if (types.empty())
    return {{}};
  g.specials(count);
  unsigned part = count / 5;
  g.randoms(part);
  g.limits(part);
  g.ties(part);
  g.payloads();
  g.productTies(part / 2);
  g.integers(part);
  g.randoms(part);
  return g.take();
}

} // namespace panpipe::tv::smt
