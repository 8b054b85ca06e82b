//===- ScalarEncoder.cpp - Scalar operations as expressions -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/SMT/ScalarEncoder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace panpipe::tv::smt {

bool ScalarEncoder::enabled(StringRef axiom) const {
  return options.axioms && !is_contained(options.without, axiom);
}

//===----------------------------------------------------------------------===//
// Unknown functions
//===----------------------------------------------------------------------===//

Expr ScalarEncoder::core(StringRef name, unsigned width, ArrayRef<Expr> args) {
  auto &list = cores[name.str()];
  for (auto &[tuple, result] : list)
    if (ArrayRef<Expr>(tuple) == args)
      return result;
  Expr r = ctx.fresh(name, Sort::bitVec(width));
  for (auto &[tuple, result] : list) {
    Expr same = ctx.boolean(true);
    for (auto [x, y] : zip(tuple, args))
      same = land(same, eq(x, y));
    if (!same.isFalse())
      side.push_back(implies(same, eq(r, result)));
  }
  list.push_back({args.vec(), r});
  return r;
}

Expr ScalarEncoder::applyUnknown(StringRef function, ScalarType resultType,
                                 ArrayRef<ScalarType> types,
                                 ArrayRef<Expr> args) {
  SmallVector<Expr, 4> canonical;
  std::string name = function.str();
  for (auto [type, arg] : zip(types, args)) {
    std::optional<FloatFormat> format = FloatFormat::of(type);
    canonical.push_back(format ? FloatCircuits(ctx, *format).canonical(arg)
                               : arg);
    name += "." + toString(type);
  }
  name += ":" + toString(resultType);
  return core(name, resultType.width(), canonical);
}

Expr ScalarEncoder::withFreshNaN(ScalarType type, Expr value, uint32_t pick) {
  std::optional<FloatFormat> format = FloatFormat::of(type);
  if (!format || value.isConst())
    return value;
  FloatCircuits f(ctx, *format);
  Expr &pattern = nanPatterns[{value.id(), pick}];
  if (!pattern) {
    pattern = ctx.fresh("nan", value.sort());
    side.push_back(f.isNaN(pattern));
  }
  return ite(f.isNaN(value), pattern, value);
}

Expr ScalarEncoder::abstractFloat(ScalarOp op, ScalarType type,
                                  const FloatCircuits &f, ArrayRef<Expr> args) {
  std::vector<unsigned> key{unsigned(op)};
  for (Expr a : args)
    key.push_back(a.id());
  key.push_back(f.format().precision);
  auto found = known.find(key);
  if (found != known.end())
    return found->second;
  std::string name =
      (scalarOpName(op).split('.').second + "." + toString(type)).str();
  unsigned width = f.format().width();
  auto unknown = [&](ArrayRef<Expr> normal) {
    return core(name, width, normal);
  };
  Expr body = options.normalForms ? normalisedApplication(op, f, args, unknown)
                                  : unknown(args);
  Expr r = ctx.fresh("r." + name, Sort::bitVec(width));
  side.push_back(eq(r, body));
  for (const Axiom &a : applicationAxioms(op, f, args, r))
    if (enabled(a.name))
      side.push_back(a.fact);
  Application app{op, width, f.format(), {}, r, false};
  app.args.assign(args.begin(), args.end());
  apps.push_back(std::move(app));
  known[key] = r;
  return r;
}

Expr ScalarEncoder::abstractInt(ScalarOp op, Expr a, Expr b) {
  if (a.width() <= options.maxExactProduct || a.isConst() || b.isConst())
    return Expr();
  std::vector<unsigned> key{unsigned(op), a.id(), b.id()};
  auto found = known.find(key);
  if (found != known.end())
    return found->second;
  Expr x = a, y = b;
  if (op == ScalarOp::MulI) { // commutative: order the arguments
    x = ite(ult(a, b), b, a);
    y = ite(ult(a, b), a, b);
  }
  std::string name =
      (scalarOpName(op).split('.').second + ".i" + Twine(a.width())).str();
  Expr r = core(name, a.width(), {x, y});
  apps.push_back({op, a.width(), std::nullopt, {a, b}, r, false});
  known[key] = r;
  return r;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Expr ScalarEncoder::fastMathPoison(const ScalarAttrs &attrs, ScalarType type,
                                   Expr value) {
  Expr poison = ctx.boolean(false);
  std::optional<FloatFormat> format = FloatFormat::of(type);
  if (!format)
    return poison;
  FloatCircuits f(ctx, *format);
  if (attrs.fastMath & FMF_nnan)
    poison = lor(poison, f.isNaN(value));
  if (attrs.fastMath & FMF_ninf)
    poison = lor(poison, f.isInf(value));
  return poison;
}

std::optional<Expr> ScalarEncoder::encodeByConstant(ScalarOp op,
                                                    const FloatCircuits &f,
                                                    ArrayRef<Expr> v) {
  if (!options.powersOfTwo)
    return std::nullopt;
  for (unsigned i : {1u, 0u}) {
    if (!v[i].isConst() || (op == ScalarOp::DivF && i == 0))
      continue;
    uint64_t pattern = v[i].value().getZExtValue();
    std::optional<int> k = f.format().log2(pattern);
    if (!k)
      continue;
    Expr x = v[1 - i];
    Expr r = f.scale(x, op == ScalarOp::DivF ? -*k : *k);
    if (pattern & f.format().signMask())
      r = ite(f.isNaN(x), f.quietNaN(), f.negate(r));
    return r;
  }
  return std::nullopt;
}

static std::optional<RoundingMode> roundingOf(ScalarOp op) {
  switch (op) {
  case ScalarOp::Ceil:
    return RoundingMode::TowardPositive;
  case ScalarOp::Floor:
    return RoundingMode::TowardNegative;
  case ScalarOp::Trunc:
    return RoundingMode::TowardZero;
  case ScalarOp::Round:
    return RoundingMode::NearestAway;
  case ScalarOp::RoundEven:
    return RoundingMode::NearestEven;
  default:
    return std::nullopt;
  }
}

std::optional<Expr> ScalarEncoder::encodeFloat(ScalarOp op,
                                               const ScalarAttrs &attrs,
                                               ScalarType resultType,
                                               ArrayRef<ScalarType> types,
                                               ArrayRef<Expr> v, Expr &poison) {
  if (op == ScalarOp::Bitcast)
    return v[0];
  std::optional<FloatFormat> from = FloatFormat::of(types[0]);
  std::optional<FloatFormat> to = FloatFormat::of(resultType);
  if ((types[0].isFloat() && !from) || (resultType.isFloat() && !to) ||
      attrs.rounding > 1) {
    reason = (scalarOpName(op) + " on " + toString(types[0]) + ", " +
              toString(resultType) +
              (attrs.rounding > 1 ? ", with a rounding mode" : ""))
                 .str();
    return std::nullopt;
  }
  FloatCircuits f(ctx, from ? *from : *to);
  if (auto mode = roundingOf(op))
    return f.roundToInt(v[0], *mode);
  switch (op) {
  case ScalarOp::CmpF:
    return bit(f.compare(attrs.predicate, v[0], v[1]));
  case ScalarOp::NegF:
    return f.negate(v[0]);
  case ScalarOp::AbsF:
    return f.magnitude(v[0]);
  case ScalarOp::CopySign:
    return f.copySign(v[0], v[1]);
  case ScalarOp::MaximumF:
  case ScalarOp::MinimumF:
    return f.maximum(v[0], v[1], op == ScalarOp::MaximumF);
  case ScalarOp::MaxNumF:
  case ScalarOp::MinNumF:
    return f.maxNum(v[0], v[1], op == ScalarOp::MaxNumF);
  case ScalarOp::ExtF:
  case ScalarOp::TruncF:
    return f.convert(v[0], *to);
  case ScalarOp::SIToFP:
  case ScalarOp::UIToFP:
    if (attrs.intFlags & IF_nneg)
      poison = lor(poison, bitSet(v[0], v[0].width() - 1));
    return f.fromInt(v[0], op == ScalarOp::SIToFP);
  case ScalarOp::FPToSI:
  case ScalarOp::FPToUI: {
    auto r = f.toInt(v[0], resultType.width(), op == ScalarOp::FPToSI);
    poison = lor(poison, lnot(r.inRange));
    return r.value;
  }
  case ScalarOp::IsNaN:
    return bit(f.isNaN(v[0]));
  case ScalarOp::IsInf:
    return bit(f.isInf(v[0]));
  case ScalarOp::IsFinite:
    return bit(f.isFinite(v[0]));
  case ScalarOp::IsNormal:
    return bit(f.isNormal(v[0]));
  case ScalarOp::SubF:
    return abstractFloat(ScalarOp::AddF, resultType, f, {v[0], f.negate(v[1])});
  case ScalarOp::MulF:
  case ScalarOp::DivF:
    if (auto r = encodeByConstant(op, f, v))
      return r;
    return abstractFloat(op, resultType, f, v);
  case ScalarOp::AddF:
  case ScalarOp::Fma:
  case ScalarOp::Sqrt:
    return abstractFloat(op, resultType, f, v);
  default:
    break;
  }
  // A library function.
  library.insert(scalarOpName(op));
  Expr r = applyUnknown(scalarOpName(op), resultType, types, v);
  for (const Axiom &a : applicationAxioms(op, f, v, r))
    if (enabled(a.name))
      side.push_back(a.fact);
  return r;
}

std::optional<EncodedScalar>
ScalarEncoder::encode(ScalarOp op, const ScalarAttrs &attrs,
                      ScalarType resultType, ArrayRef<ScalarType> types,
                      ArrayRef<EncodedScalar> operands) {
  SmallVector<Expr, 3> v;
  Expr poison = ctx.boolean(false);
  for (const EncodedScalar &o : operands) {
    v.push_back(o.value);
    poison = lor(poison, o.poison);
  }
  if (op == ScalarOp::Select) {
    Expr cond = bitSet(v[0], 0);
    Expr value = ite(cond, v[1], v[2]);
    Expr p = lor(operands[0].poison,
                 ite(cond, operands[1].poison, operands[2].poison));
    return EncodedScalar{value,
                         lor(p, fastMathPoison(attrs, resultType, value))};
  }
  if (scalarOpClass(op) == ScalarOpClass::INT) {
    auto abstract = [&](ScalarOp which, Expr a, Expr b) {
      return abstractInt(which, a, b);
    };
    EncodedScalar r;
    if (op != ScalarOp::IPowI)
      r = encodeIntegerOp(ctx, op, attrs, resultType.width(), v, abstract);
    if (!r.value) {
      reason = scalarOpName(op).str();
      return std::nullopt;
    }
    r.poison = lor(poison, r.poison);
    return r;
  }
  for (auto [type, value] : zip(types, v))
    poison = lor(poison, fastMathPoison(attrs, type, value));
  std::optional<Expr> value =
      encodeFloat(op, attrs, resultType, types, v, poison);
  if (!value)
    return std::nullopt;
  poison = lor(poison, fastMathPoison(attrs, resultType, *value));
  if (nanMode != NaNMode::Canonical && resultType.isFloat() && !movesBits(op))
    *value = withFreshNaN(resultType, *value, attrs.pick);
  return EncodedScalar{*value, poison};
}

} // namespace panpipe::tv::smt
