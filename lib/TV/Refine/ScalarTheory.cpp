//===- ScalarTheory.cpp - The whole slice in the FP theory -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The last rung: one FP term per float value, nothing abstract but library
/// functions, solved by child processes.
///
/// `fp.to_ieee_bv` of NaN and `fp.max(+0, -0)` are never used: solvers may
/// pick. Bits of a value are a fresh pattern b with to_fp(b) = e, so bits of a
/// NaN are any pattern; both sides share it where the value is the same (the
/// source copies the target's pattern). Bits of an input are its own on the
/// source's side, and any pattern on the target's if NaN, as in SliceEncoder.
///
//===----------------------------------------------------------------------===//

#include "ScalarObligation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace panpipe::tv::smt;

namespace panpipe::tv {

namespace {

/// A value as bit-vector (integers) or as FP term, and its poison.
struct TheoryValue {
  Expr value;
  Expr poison;
};

class TheoryEncoder {
public:
  TheoryEncoder(const ScalarSlice &slice, ExprContext &ctx)
      : slice(slice), ctx(ctx) {}

  /// Null value if there is no encoding.
  TheoryValue encode(unsigned root, bool isTarget);
  std::vector<Expr> side;
  std::string unsupported;
  SetVector<StringRef> library;

private:
  TheoryValue node(const SliceNode &n, bool isTarget);
  Expr operation(const SliceNode &n, ArrayRef<TheoryValue> x, bool isTarget,
                 Expr &poison);
  Expr bits(unsigned number, bool isTarget);
  Expr patternOf(Expr value, FloatFormat format);
  Expr unknown(const SliceNode &n, StringRef function, bool isTarget);
  Expr minMax(ScalarOp op, Expr x, Expr y, FloatFormat format);
  Expr compare(unsigned predicate, Expr x, Expr y);
  Expr isNaN(Expr x) { return fpTest(ExprOp::FpIsNaN, {x}); }
  TheoryValue value(unsigned n, bool isTarget) { return memo[isTarget][n]; }

  const ScalarSlice &slice;
  ExprContext &ctx;
  std::vector<TheoryValue> memo[2];
  DenseMap<unsigned, Expr> patterns;
};
} // namespace

/// The bits of an FP term.
Expr TheoryEncoder::patternOf(Expr value, FloatFormat format) {
  Expr &b = patterns[value.id()];
  if (!b) {
    b = ctx.fresh("bits", Sort::bitVec(format.width()));
    side.push_back(eq(FloatCircuits(ctx, format).toTheory(b), value));
  }
  return b;
}

/// The bits of a node; moves of bits are followed.
Expr TheoryEncoder::bits(unsigned number, bool isTarget) {
  const SliceNode &n = slice.nodes()[number];
  std::optional<FloatFormat> format = FloatFormat::of(n.type);
  Expr v = value(number, isTarget).value;
  if (!format)
    return v;
  FloatCircuits f(ctx, *format);
  switch (n.kind) {
  case SliceNode::Kind::Const:
    return ctx.bv(n.term->bits());
  case SliceNode::Kind::Leaf:
    // An arithmetic leaf's NaN is anyone's; an input's only for the target.
    return isTarget || n.anyNaN ? patternOf(v, *format)
                                : leafVariable(ctx, slice, n.leaf);
  case SliceNode::Kind::Op:
    switch (n.op) {
    case ScalarOp::NegF:
      return f.negate(bits(n.operands[0], isTarget));
    case ScalarOp::AbsF:
      return f.magnitude(bits(n.operands[0], isTarget));
    case ScalarOp::CopySign:
      return f.copySign(bits(n.operands[0], isTarget),
                        bits(n.operands[1], isTarget));
    case ScalarOp::Select:
      return ite(bitSet(value(n.operands[0], isTarget).value, 0),
                 bits(n.operands[1], isTarget), bits(n.operands[2], isTarget));
    case ScalarOp::Bitcast:
      return bits(n.operands[0], isTarget);
    default:
      return patternOf(v, *format);
    }
  default:
    return patternOf(v, *format);
  }
}

Expr TheoryEncoder::unknown(const SliceNode &n, StringRef function,
                            bool isTarget) {
  SmallVector<Expr, 4> args;
  std::string name = function.str();
  for (auto [o, type] : zip(n.operands, n.operandTypes)) {
    Expr b = bits(o, isTarget);
    if (auto f = FloatFormat::of(type))
      b = FloatCircuits(ctx, *f).canonical(b);
    args.push_back(b);
    name += "." + toString(type);
  }
  Expr r = ctx.apply(name + ":" + toString(n.type), args,
                     Sort::bitVec(n.type.width()));
  auto format = FloatFormat::of(n.type);
  if (!format)
    return r;
  FloatCircuits f(ctx, *format);
  for (const Axiom &a : n.kind == SliceNode::Kind::Op
                            ? applicationAxioms(n.op, f, args, r)
                            : std::vector<Axiom>())
    side.push_back(a.fact);
  return f.toTheory(r);
}

/// From comparisons, +0 above -0, NaN if any operand is.
Expr TheoryEncoder::minMax(ScalarOp op, Expr x, Expr y, FloatFormat format) {
  bool isMax = op == ScalarOp::MaximumF || op == ScalarOp::MaxNumF;
  auto below = [&](Expr a, Expr b) {
    Expr zeros = land(fpTest(ExprOp::FpEq, {a, b}),
                      lor(fpTest(ExprOp::FpIsNegative, {a}),
                          lnot(fpTest(ExprOp::FpIsNegative, {b}))));
    return lor(fpTest(ExprOp::FpLt, {a, b}), zeros);
  };
  Expr m = ite(isMax ? below(y, x) : below(x, y), x, y);
  FloatCircuits f(ctx, format);
  if (op == ScalarOp::MaximumF || op == ScalarOp::MinimumF)
    return ite(isNaN(x), x, ite(isNaN(y), y, m));
  return ite(isNaN(x), y, ite(isNaN(y), x, m));
}

Expr TheoryEncoder::compare(unsigned predicate, Expr x, Expr y) {
  Expr unordered = lor(isNaN(x), isNaN(y));
  if (predicate == 0 || predicate == 15)
    return ctx.boolean(predicate == 15);
  if (predicate == 14)
    return unordered;
  bool orUnordered = predicate >= 8;
  Expr less = fpTest(ExprOp::FpLt, {x, y}), more = fpTest(ExprOp::FpLt, {y, x});
  Expr equal = fpTest(ExprOp::FpEq, {x, y});
  Expr holds = ctx.boolean(false);
  unsigned code = orUnordered ? predicate - 7 : predicate;
  if (code & 1)
    holds = lor(holds, equal);
  if (code & 2)
    holds = lor(holds, more);
  if (code & 4)
    holds = lor(holds, less);
  return orUnordered ? lor(unordered, holds) : land(lnot(unordered), holds);
}

static std::optional<smt::RoundingMode> integralMode(ScalarOp op) {
  switch (op) {
  case ScalarOp::Ceil:
    return smt::RoundingMode::TowardPositive;
  case ScalarOp::Floor:
    return smt::RoundingMode::TowardNegative;
  case ScalarOp::Trunc:
    return smt::RoundingMode::TowardZero;
  case ScalarOp::Round:
    return smt::RoundingMode::NearestAway;
  case ScalarOp::RoundEven:
    return smt::RoundingMode::NearestEven;
  default:
    return std::nullopt;
  }
}

Expr TheoryEncoder::operation(const SliceNode &n, ArrayRef<TheoryValue> x,
                              bool isTarget, Expr &poison) {
  auto format = FloatFormat::of(n.type);
  auto from = FloatFormat::of(n.operandTypes[0]);
  Expr a = x[0].value, b = x.size() > 1 ? x[1].value : a;
  if (auto mode = integralMode(n.op))
    return fpRound(a, *mode);
  switch (n.op) {
  case ScalarOp::Bitcast:
    if (format && !from)
      return FloatCircuits(ctx, *format).toTheory(a);
    return format ? a : bits(n.operands[0], isTarget);
  case ScalarOp::CmpF:
    return bit(compare(n.attrs.predicate, a, b));
  case ScalarOp::NegF:
    return fpUnary(ExprOp::FpNeg, a);
  case ScalarOp::AbsF:
    return fpUnary(ExprOp::FpAbs, a);
  case ScalarOp::CopySign: {
    Expr sign =
        FloatCircuits(ctx, *format).isNegative(bits(n.operands[1], isTarget));
    Expr magnitude = fpUnary(ExprOp::FpAbs, a);
    return ite(sign, fpUnary(ExprOp::FpNeg, magnitude), magnitude);
  }
  case ScalarOp::MaximumF:
  case ScalarOp::MinimumF:
  case ScalarOp::MaxNumF:
  case ScalarOp::MinNumF:
    return minMax(n.op, a, b, *format);
  case ScalarOp::ExtF:
  case ScalarOp::TruncF:
    return fpConvert(a, format->sort());
  case ScalarOp::SIToFP:
  case ScalarOp::UIToFP:
    if (n.attrs.intFlags & IF_nneg)
      poison = lor(poison, bitSet(a, a.width() - 1));
    return fpFromInt(a, n.op == ScalarOp::SIToFP, format->sort());
  case ScalarOp::FPToSI:
  case ScalarOp::FPToUI: {
    bool isSigned = n.op == ScalarOp::FPToSI;
    Expr pattern = bits(n.operands[0], isTarget);
    poison = lor(poison, lnot(FloatCircuits(ctx, *from)
                                  .toInt(pattern, n.type.width(), isSigned)
                                  .inRange));
    return fpToInt(a, isSigned, n.type.width());
  }
  case ScalarOp::IsNaN:
    return bit(isNaN(a));
  case ScalarOp::IsInf:
    return bit(fpTest(ExprOp::FpIsInf, {a}));
  case ScalarOp::IsFinite:
    return bit(lnot(lor(isNaN(a), fpTest(ExprOp::FpIsInf, {a}))));
  case ScalarOp::IsNormal:
    return bit(
        FloatCircuits(ctx, *from).isNormal(bits(n.operands[0], isTarget)));
  case ScalarOp::SubF:
    return fpBinary(ExprOp::FpAdd, a, fpUnary(ExprOp::FpNeg, b));
  case ScalarOp::AddF:
  case ScalarOp::MulF:
  case ScalarOp::DivF:
  case ScalarOp::Fma:
  case ScalarOp::Sqrt: {
    SmallVector<Expr, 3> args;
    for (const TheoryValue &v : x)
      args.push_back(v.value);
    return theoryOperation(n.op, args);
  }
  default:
    library.insert(scalarOpName(n.op));
    return unknown(n, scalarOpName(n.op), isTarget);
  }
}

TheoryValue TheoryEncoder::node(const SliceNode &n, bool isTarget) {
  SmallVector<TheoryValue, 3> x;
  Expr poison = ctx.boolean(false);
  for (unsigned o : n.operands) {
    x.push_back(value(o, isTarget));
    poison = lor(poison, x.back().poison);
  }
  auto format = FloatFormat::of(n.type);
  auto toValue = [&](Expr pattern) {
    return format ? FloatCircuits(ctx, *format).toTheory(pattern) : pattern;
  };
  switch (n.kind) {
  case SliceNode::Kind::Const:
    return {toValue(ctx.bv(n.term->bits())), poison};
  case SliceNode::Kind::Leaf:
    return {toValue(leafVariable(ctx, slice, n.leaf)), poison};
  case SliceNode::Kind::Unknown:
    return {unknown(n, n.function, isTarget), poison};
  case SliceNode::Kind::Guarded: {
    Expr holds = ctx.boolean(true);
    for (GuardLiteral g : n.guards) {
      Expr b = bitSet(leafVariable(ctx, slice, g.leaf), 0);
      holds = land(holds, g.negated ? lnot(b) : b);
    }
    return {ite(holds, x[0].value, x[1].value),
            ite(holds, x[0].poison, x[1].poison)};
  }
  case SliceNode::Kind::Op:
    break;
  }
  auto violated = [&](ScalarType type, Expr v) {
    if (type.isFloat() && (n.attrs.fastMath & FMF_nnan))
      poison = lor(poison, isNaN(v));
    if (type.isFloat() && (n.attrs.fastMath & FMF_ninf))
      poison = lor(poison, fpTest(ExprOp::FpIsInf, {v}));
  };
  if (n.op == ScalarOp::Select) {
    Expr c = bitSet(x[0].value, 0);
    Expr v = ite(c, x[1].value, x[2].value);
    poison = lor(x[0].poison, ite(c, x[1].poison, x[2].poison));
    violated(n.type, v);
    return {v, poison};
  }
  if (scalarOpClass(n.op) == ScalarOpClass::INT) {
    SmallVector<Expr, 3> args;
    for (const TheoryValue &v : x)
      args.push_back(v.value);
    EncodedScalar e;
    if (n.op != ScalarOp::IPowI)
      e = encodeIntegerOp(ctx, n.op, n.attrs, n.type.width(), args);
    if (!e.value)
      return {};
    return {e.value, lor(poison, e.poison)};
  }
  for (auto [type, v] : zip(n.operandTypes, x))
    violated(type, v.value);
  Expr v = operation(n, x, isTarget, poison);
  violated(n.type, v);
  return {v, poison};
}

TheoryValue TheoryEncoder::encode(unsigned root, bool isTarget) {
  std::vector<TheoryValue> &values = memo[isTarget];
  values.resize(slice.nodes().size());
  std::vector<bool> needed(root + 1, false);
  needed[root] = true;
  for (unsigned i = root + 1; i-- > 0;)
    if (needed[i])
      for (unsigned o : slice.nodes()[i].operands)
        needed[o] = true;
  for (unsigned i = 0; i <= root; ++i) {
    if (!needed[i] || values[i].value)
      continue;
    const SliceNode &n = slice.nodes()[i];
    bool known =
        (!n.type.isFloat() || FloatFormat::of(n.type)) && n.attrs.rounding <= 1;
    for (ScalarType t : n.operandTypes)
      known &= !t.isFloat() || FloatFormat::of(t);
    if (known)
      values[i] = node(n, isTarget);
    if (!values[i].value) {
      unsupported = n.kind == SliceNode::Kind::Op
                        ? scalarOpName(n.op).str()
                        : "values of type " + toString(n.type);
      return {};
    }
  }
  return values[root];
}

bool climbTheory(const std::string &name, const ScalarObligation &ob,
                 LadderTools &tools, LadderResult &result) {
  // Patterns of NaNs are one per value here, not one per pick.
  bool perPick = ob.slice.hasExactBits() && ob.slice.readsBits();
  if (tools.options.theorySeconds <= 0 || perPick)
    return false;
  ExprContext ctx;
  TheoryEncoder encoder(ob.slice, ctx);
  std::vector<Expr> assertions;
  auto holds = [](const TheoryValue &v) {
    return lor(v.poison, bitSet(v.value, 0));
  };
  TheoryValue poison = encoder.encode(ob.sourcePoison, false);
  TheoryValue strict = encoder.encode(ob.sourceStrict, false);
  TheoryValue targetPoison = encoder.encode(ob.targetPoison, true);
  TheoryValue targetStrict = encoder.encode(ob.targetStrict, true);
  TheoryValue value = encoder.encode(ob.targetValue, true);
  std::vector<TheoryValue> instances, facts;
  for (unsigned i : ob.instances)
    instances.push_back(encoder.encode(i, false));
  for (unsigned f : ob.facts)
    facts.push_back(encoder.encode(f, false));
  if (!encoder.unsupported.empty()) {
    result.reason = "no encoding of " + encoder.unsupported;
    result.unsupported = true;
    return false;
  }
  for (const TheoryValue &f : facts)
    assertions.push_back(land(lnot(f.poison), bitSet(f.value, 0)));
  Expr none = ctx.boolean(true);
  for (const TheoryValue &i : instances)
    none = land(none, lor(i.poison, lnot(eq(i.value, value.value))));
  Expr bad = lor(holds(targetPoison), targetStrict.poison, value.poison);
  assertions.push_back(
      land(lnot(holds(poison)), lnot(strict.poison), lor(bad, none)));
  assertions.insert(assertions.begin(), encoder.side.begin(),
                    encoder.side.end());

  std::vector<Expr> leaves;
  for (unsigned i = 0; i < ob.slice.leaves().size(); ++i)
    leaves.push_back(leafVariable(ctx, ob.slice, i));
  QueryRunner runner(tools.solvers, tools.dump);
  QueryOptions options;
  options.secondsPerSolver = tools.options.theorySeconds;
  options.memoryMegabytes = tools.options.memoryMegabytes;
  options.crossCheck = tools.options.crossCheck;
  ++tools.queries;
  QueryResult r = runner.run(name + "-theory", assertions, leaves, options);
  if (r.result == CheckResult::Unsat) {
    result.kind = LadderResult::Kind::Proved;
    result.rung = LadderRung::Theory;
    for (StringRef f : encoder.library)
      result.assumptions.push_back(
          {"library", (f + ": one function on both sides").str()});
    return true;
  }
  result.reason = r.reason;
  if (r.result != CheckResult::Sat)
    return false;
  result.reason =
      "a counterexample of " + r.solver + " that no execution confirms";
  std::vector<APInt> model;
  for (auto &v : r.values) {
    if (!v)
      return false;
    model.push_back(*v);
  }
  return ob.tryCandidate(model, LadderRung::Theory, result);
}

} // namespace panpipe::tv
