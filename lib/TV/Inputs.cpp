//===- Inputs.cpp - Concrete inputs of a function -------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Families of inputs, adapted from the scalar ones of docs/TV/Floats.md to
/// tensors. Cheap telling ones come first: wrong index maps show on distinct
/// elements, wrong float identities on zeros, infinities and NaN.
///
//===----------------------------------------------------------------------===//

#include "Inputs.h"

#include "llvm/Support/MathExtras.h"

#include "panpipe/TV/Interp/ScalarMapping.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cmath>

using namespace mlir;
using namespace panpipe::tv;

namespace {

/// splitmix64: the same numbers everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15ull + 1) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t bound) { return bound ? next() % bound : 0; }
  int between(int low, int high) {
    return low + int(below(uint64_t(high - low) + 1));
  }
  llvm::APInt bits(unsigned width) {
    llvm::APInt result(width, 0);
    for (unsigned at = 0; at < width; at += 64)
      result.insertBits(
          llvm::APInt(std::min(64u, width - at), next(), false, true), at);
    return result;
  }

private:
  uint64_t state;
};

} // namespace

//===----------------------------------------------------------------------===//
// Single values
//===----------------------------------------------------------------------===//

/// ±m·2^j, rounded to nearest.
static llvm::APInt scaled(ScalarType type, bool negative, uint64_t m, int j) {
  // Exact in the host's format, which matters for millions of elements.
  if (type.isFloat() && type.semantics() == llvm::APFloatBase::S_IEEEsingle &&
      m < (1u << 24) && j > -100 && j < 100) {
    float value = std::ldexp(float(m), j);
    return APFloat(negative ? -value : value).bitcastToAPInt();
  }
  APFloat value(APFloat::IEEEquad());
  value.convertFromAPInt(llvm::APInt(64, m), false,
                         APFloat::rmNearestTiesToEven);
  value = scalbn(value, j, APFloat::rmNearestTiesToEven);
  bool lossy;
  value.convert(type.fltSemantics(), APFloat::rmNearestTiesToEven, &lossy);
  if (negative)
    value.changeSign();
  return value.bitcastToAPInt();
}

static constexpr unsigned numSpecials = 20;

static llvm::APInt specialFloat(ScalarType type, unsigned k) {
  const llvm::fltSemantics &format = type.fltSemantics();
  bool ieee = llvm::APFloatBase::semanticsHasInf(format) &&
              llvm::APFloatBase::semanticsHasNaN(format);
  switch (k % numSpecials) {
  case 0:
    return APFloat::getZero(format).bitcastToAPInt();
  case 1:
    return APFloat::getZero(format,
                            llvm::APFloatBase::semanticsHasSignedRepr(format))
        .bitcastToAPInt();
  case 2:
    return scaled(type, false, 1, 0);
  case 3:
    return scaled(type, true, 1, 0);
  case 4:
    return canonicalNaN(type);
  case 5:
    return ieee ? APFloat::getInf(format).bitcastToAPInt()
                : scaled(type, false, 3, 0);
  case 6:
    return ieee ? APFloat::getInf(format, true).bitcastToAPInt()
                : scaled(type, true, 3, 0);
  case 7:
    return APFloat::getSmallest(format).bitcastToAPInt();
  case 8:
    return APFloat::getSmallest(format, true).bitcastToAPInt();
  case 9:
    return APFloat::getLargest(format).bitcastToAPInt();
  case 10:
    return APFloat::getLargest(format, true).bitcastToAPInt();
  case 11:
    return APFloat::getSmallestNormalized(format).bitcastToAPInt();
  case 12:
    return scaled(type, false, 2, 0);
  case 13:
    return scaled(type, false, 1, -1);
  case 14:
    return scaled(type, false, 3, 0);
  case 15:
    return scaled(type, true, 5, -1);
  case 16:
    return scaled(type, false, 7205759403792794, -56); // 0.1
  case 17:
    return scaled(type, false, 1000, 0);
  case 18: // a NaN with payload, where there is room for one
    return ieee && type.width() >= 16 && type.width() <= 64
               ? APFloat::getInf(format).bitcastToAPInt() + 1
               : canonicalNaN(type);
  default:
    return scaled(type, true, 7, 0);
  }
}

static llvm::APInt specialInteger(ScalarType type, unsigned k) {
  unsigned width = type.width();
  switch (k % 10) {
  case 0:
    return llvm::APInt(width, 0);
  case 1:
    return llvm::APInt(width, 1);
  case 2:
    return llvm::APInt::getAllOnes(width);
  case 3:
    return llvm::APInt::getSignedMinValue(width);
  case 4:
    return llvm::APInt::getSignedMaxValue(width);
  case 5:
    return llvm::APInt(width, 2, false, true);
  case 6:
    return llvm::APInt(width, width, false, true);
  case 7:
    return llvm::APInt(width, width - 1, false, true);
  case 8:
    return llvm::APInt::getSignedMinValue(width) + 1;
  default:
    return llvm::APInt(width, -7, true, true);
  }
}

static llvm::APInt special(ScalarType type, unsigned k) {
  if (type.isFloat())
    return specialFloat(type, k);
  if (type.isIndex() && k < 8) // mostly in bounds
    return llvm::APInt(type.width(), k % 4);
  return specialInteger(type, k);
}

/// F2: specials, numbers around one, small multiples of powers, any bits.
static llvm::APInt mixed(ScalarType type, Random &random) {
  unsigned dice = random.below(10);
  if (dice < 4)
    return special(type, random.below(numSpecials));
  if (!type.isFloat()) {
    if (type.isIndex() && dice < 9)
      return llvm::APInt(type.width(), random.below(6));
    llvm::APInt bits = random.bits(type.width());
    return dice < 7 ? bits : bits.lshr(random.below(type.width()));
  }
  int precision = llvm::APFloatBase::semanticsPrecision(type.fltSemantics());
  bool negative = random.below(2);
  if (dice < 8)
    return scaled(type, negative,
                  random.next() >> (64 - std::min(precision, 60)),
                  random.between(-precision - 4, -precision + 2));
  if (dice == 8)
    return scaled(type, negative, 2 * random.below(4) + 1,
                  random.between(-3, precision));
  return random.bits(type.width());
}

/// F3: significands at their limits, exponents near overflow, underflow or one.
static llvm::APInt nearLimit(ScalarType type, Random &random) {
  if (!type.isFloat())
    return special(type, random.below(10)) +
           llvm::APInt(type.width(), random.between(-1, 1), true, true);
  const llvm::fltSemantics &format = type.fltSemantics();
  int p = std::min<int>(llvm::APFloatBase::semanticsPrecision(format), 62);
  int high = llvm::APFloatBase::semanticsMaxExponent(format);
  int low = llvm::APFloatBase::semanticsMinExponent(format);
  uint64_t top = uint64_t(1) << (p - 1);
  uint64_t significands[] = {top, 2 * top - 1, top + top / 2,
                             top | (random.next() & (top - 1))};
  int exponents[] = {high - p + 1, high - p, low - p + 1, low - p + 2,
                     low - p + 3,  -p,       -p + 1};
  return scaled(type, random.below(2), significands[random.below(4)],
                exponents[random.below(7)] + random.between(-1, 1));
}

/// F5, F7: halfway between numbers of narrower formats; integers ± 1/2.
static llvm::APInt halfway(ScalarType type, Random &random) {
  if (!type.isFloat()) {
    // ±(2^a + 2^(a-p) + δ): rounds differently in one step and in two.
    static constexpr unsigned kept[] = {8, 11, 24, 53};
    unsigned a = random.below(type.width());
    llvm::APInt bits = llvm::APInt::getOneBitSet(type.width(), a);
    unsigned p = kept[random.below(4)];
    if (p <= a && random.below(4))
      bits += llvm::APInt::getOneBitSet(type.width(), a - p);
    bits += llvm::APInt(type.width(), random.between(-1, 1), true, true);
    return random.below(2) ? bits : -bits;
  }
  static constexpr int precisions[] = {2, 3, 4, 8, 11, 24};
  int p = std::min<int>(
      llvm::APFloatBase::semanticsPrecision(type.fltSemantics()), 60);
  int narrow = precisions[random.below(6)];
  if (narrow >= p || random.below(4) == 0)
    return scaled(type, random.below(2), 2 * random.below(300) + 1, -1);
  int gap = p - narrow;
  uint64_t k =
      (uint64_t(1) << (narrow - 1)) | random.below(uint64_t(1) << (narrow - 1));
  uint64_t m = (k << gap) + (uint64_t(1) << (gap - 1)) + random.between(-1, 1);
  static constexpr int exponents[] = {0, 1, -3, 7, 15, -14, -24, 127, -126};
  return scaled(type, random.below(2), m, exponents[random.below(9)] - (p - 1));
}

//===----------------------------------------------------------------------===//
// Whole inputs
//===----------------------------------------------------------------------===//

InputGenerator::InputGenerator(TypeRange types, unsigned indexWidth) {
  for (Type type : types) {
    auto shaped = dyn_cast<ShapedType>(type);
    std::optional<ScalarType> element =
        mapScalarType(shaped ? shaped.getElementType() : type, indexWidth);
    if (!element ||
        (shaped && !isa<RankedTensorType, VectorType, MemRefType>(type))) {
      supported = false;
      return;
    }
    Argument argument;
    argument.type = *element;
    argument.isScalar = !shaped;
    if (shaped)
      for (int64_t extent : shaped.getShape()) {
        argument.shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
        dynamic |= ShapedType::isDynamic(extent);
      }
    addMemRefLayout(type, argument);
    for (auto [k, other] : llvm::enumerate(arguments))
      if (argument.isMemRef && other.isMemRef && argument.type == other.type)
        pairs.push_back({unsigned(k), unsigned(arguments.size())});
    arguments.push_back(std::move(argument));
  }
}

void InputGenerator::addMemRefLayout(Type type, Argument &argument) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return;
  argument.isMemRef = hasMemory = true;
  if (memref.getLayout().isIdentity())
    return;
  argument.strides.emplace();
  if (failed(memref.getStridesAndOffset(*argument.strides, argument.offset)))
    supported = false;
}

int64_t InputGenerator::elements() const {
  int64_t total = 0;
  for (const Argument &argument : arguments) {
    int64_t count = 1;
    // More than fits into an integer is more than can be executed, too.
    for (int64_t extent : argument.shape)
      if (llvm::MulOverflow(count, std::max<int64_t>(extent, 1), count))
        return INT64_MAX;
    if (llvm::AddOverflow(total, count, total))
      return INT64_MAX;
  }
  return total;
}

std::optional<uint64_t> InputGenerator::exhaustive() const {
  if (dynamic || hasMemory || !supported)
    return std::nullopt;
  uint64_t bits = 0;
  for (const Argument &argument : arguments) {
    int64_t count = 1;
    for (int64_t extent : argument.shape)
      count *= extent;
    bits += uint64_t(count) * argument.type.width();
    if (bits > 16)
      return std::nullopt;
  }
  // Besides, each argument poison next to some values of the others.
  uint64_t all = uint64_t(1) << bits;
  return all + arguments.size() * std::min<uint64_t>(all, 256);
}

std::vector<ValuePtr> InputGenerator::makeExhaustive(uint64_t i) const {
  uint64_t bits = 0;
  for (const Argument &argument : arguments) {
    uint64_t count = 1;
    for (int64_t extent : argument.shape)
      count *= extent;
    bits += count * argument.type.width();
  }
  uint64_t all = uint64_t(1) << bits, some = std::min<uint64_t>(all, 256);
  size_t poisoned = arguments.size();
  if (i >= all) {
    poisoned = (i - all) / some;
    i = (i - all) % some * (all / some + (all > some));
  }
  std::vector<ValuePtr> values;
  for (auto [k, argument] : llvm::enumerate(arguments)) {
    ConcreteValue value(argument.type, argument.shape, argument.isScalar);
    for (int64_t j = 0; j < value.size(); ++j) {
      unsigned width = argument.type.width();
      value.set(j, {llvm::APInt(width, i, false, true),
                    uint8_t(k == poisoned ? EM_poison : EM_none)});
      i >>= width;
    }
    values.push_back(std::make_shared<ConcreteValue>(std::move(value)));
  }
  return values;
}

/// Dynamic sizes: unequal, all 3, 1 or 2, random, some empty.
static int64_t sizeOf(unsigned kind, unsigned position, Random &random) {
  switch (kind) {
  case 0:
    return 2 + position % 4;
  case 1:
    return 3;
  case 2:
    return 1 + random.below(4);
  case 3:
    return 2;
  case 4:
    return 1;
  case 5:
    return random.below(6);
  default:
    return 4;
  }
}

/// Strides for a layout: row-major where the type leaves them open, sometimes
/// with gaps.
static SmallVector<int64_t>
chooseStrides(ArrayRef<int64_t> shape,
              const std::optional<SmallVector<int64_t>> &layout,
              Random &random) {
  SmallVector<int64_t> strides = ConcreteValue::stridesOf(shape);
  if (!layout)
    return strides;
  int64_t next = 1;
  for (int64_t d = int64_t(shape.size()) - 1; d >= 0; --d) {
    strides[d] = (*layout)[d];
    if (ShapedType::isDynamic(strides[d]))
      strides[d] = next + (random.below(2) ? 0 : random.below(3));
    next = std::max(next, strides[d] * std::max<int64_t>(shape[d], 1));
  }
  return strides;
}

std::vector<ValuePtr> InputGenerator::makeFamily(uint64_t family, uint64_t seed,
                                                 unsigned sizes) const {
  Random random(seed + 1);
  std::vector<ValuePtr> values;
  unsigned position = 0;
  int64_t counter = 0;
  llvm::APInt sign; // F4
  uint64_t regime = random.next();
  bool fewPoison = family % 16 == 15 && family > 16;
  for (const Argument &argument : arguments) {
    SmallVector<int64_t> shape(argument.shape);
    for (int64_t &extent : shape)
      if (extent < 0)
        extent = sizeOf(sizes, position++, random);
    ScalarType type = argument.type;
    ConcreteValue value(type, shape, argument.isScalar);
    for (int64_t j = 0; j < value.size(); ++j, ++counter) {
      llvm::APInt bits(type.width(), 0);
      if (family == 0) // distinct, exact in every sum
        bits = type.isFloat() ? scaled(type, false, counter % 251 + 1, 0)
               : type.isIndex()
                   ? llvm::APInt(type.width(), counter % 3)
                   : llvm::APInt(type.width(), counter + 1, false, true);
      else if (family == 1) // distinct, both signs, fractions
        bits = type.isFloat()
                   ? scaled(type, counter % 2, counter % 509 * 2 + 1, -2)
                   : llvm::APInt(type.width(), counter % 2 ? -counter : counter,
                                 true, true);
      else if (family < 2 + numSpecials)
        bits = special(type, family - 2);
      else if (family % 8 == 2)
        bits = nearLimit(type, random);
      else if (family % 8 == 4) {
        Random again(regime);
        bits = nearLimit(type, again);
        if (type.isFloat() && random.below(2))
          bits ^= llvm::APInt::getSignMask(type.width());
        bits ^= llvm::APInt(type.width(), random.below(3) == 2, false, true);
      } else if (family % 8 == 6)
        bits = halfway(type, random);
      else
        bits = mixed(type, random);
      uint8_t marks = EM_none;
      if (fewPoison && random.below(value.size() < 8 ? 3 : 8) == 0)
        marks = EM_poison;
      value.set(j, {bits, marks});
    }
    if (argument.isMemRef)
      value =
          makeMemRef(value, chooseStrides(shape, argument.strides, random),
                     ShapedType::isDynamic(argument.offset) ? random.below(3)
                                                            : argument.offset);
    values.push_back(std::make_shared<ConcreteValue>(std::move(value)));
  }
  return values;
}

/// What keeps the numbers of a deep network apart from zero, infinity and each
/// other: vectors (biases, scales, variances) around one, everything else small
/// enough that a product with it neither grows nor vanishes, small integers.
std::vector<ValuePtr> InputGenerator::makeNetwork(uint64_t seed) const {
  Random random(seed + 1);
  std::vector<ValuePtr> values;
  for (const Argument &argument : arguments) {
    ScalarType type = argument.type;
    ConcreteValue value(type, argument.shape, argument.isScalar);
    double fan = 1;
    for (int64_t extent : ArrayRef<int64_t>(argument.shape)
                              .drop_front(argument.shape.empty() ? 0 : 1))
      fan *= std::max<int64_t>(extent, 1);
    bool isVector = argument.shape.size() < 2;
    // The power of two next to the usual bound sqrt(6 / fan).
    int exponent =
        isVector ? 0
                 : int(std::round(std::log2(6 / std::min(fan, 4096.0)) / 2));
    for (int64_t j = 0; j < value.size(); ++j) {
      uint64_t m = random.next() >> 42 | 1; // 22 bits
      bool negative = !isVector && random.below(2);
      if (!type.isFloat())
        value.set(j, {llvm::APInt(type.width(), m % 4, false, true)});
      else if (isVector) // 1/2 + m / 2^22
        value.set(j, {scaled(type, false, m + (1 << 21), -22)});
      else
        value.set(j, {scaled(type, negative, m, exponent - 22)});
    }
    values.push_back(std::make_shared<ConcreteValue>(std::move(value)));
  }
  return values;
}

bool InputGenerator::isLarge() const { return elements() > 4096; }

std::vector<ValuePtr> InputGenerator::make(uint64_t i) const {
  if (exhaustive())
    return makeExhaustive(i % *exhaustive());
  if (pairs.empty())
    return makePlain(i);
  if (i % 3 != 2)
    return makePlain(i / 3 * 2 + i % 3);
  // Every third time two memrefs overlap: both begin together, or one an
  // element behind the other.
  auto [first, second] = pairs[i / 9 % pairs.size()];
  uint64_t kind = i / 3 % 3;
  InputEdit edit(makePlain(i / 3));
  if (kind == 2)
    std::swap(first, second);
  edit.share(first, second, kind == 0 ? 0 : 1);
  return edit.take();
}

std::vector<ValuePtr> InputGenerator::makePlain(uint64_t i) const {
  // Most families overflow in a deep network; every second input does not.
  if (!dynamic && !hasMemory && isLarge())
    return i % 2 == 0 ? makeNetwork(i) : makeFamily(i / 2, i / 2, 0);
  if (!dynamic)
    return makeFamily(i, i, 0);
  // Each family with several choices of sizes; the telling ones early.
  return makeFamily(i / 4, i, i < 8 ? i % 4 : i % 7);
}
