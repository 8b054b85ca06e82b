//===- IntCircuits.cpp - Integer operations on bit-vectors -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/SMT/ScalarEncoder.h"

using namespace llvm;

namespace panpipe::tv::smt {

namespace {
class IntEncoder {
public:
  IntEncoder(ExprContext &ctx, ScalarOp op, const ScalarAttrs &attrs,
             unsigned width, ArrayRef<Expr> v,
             const std::function<Expr(ScalarOp, Expr, Expr)> &abstract)
      : ctx(ctx), op(op), flags(attrs.intFlags), predicate(attrs.predicate),
        width(width), a(v[0]), b(v.size() > 1 ? v[1] : v[0]),
        abstract(abstract) {}

  EncodedScalar encode();

private:
  EncodedScalar plain(Expr value) { return {value, ctx.boolean(false)}; }
  /// Poison if a promise of nsw or nuw is broken.
  EncodedScalar flagged(Expr value, Expr lostSigned, Expr lostUnsigned) {
    Expr poison = ctx.boolean(false);
    if (flags & IF_nsw)
      poison = lor(poison, lostSigned);
    if (flags & IF_nuw)
      poison = lor(poison, lostUnsigned);
    return {value, poison};
  }
  Expr binary(ScalarOp which, Expr x, Expr y) {
    if (abstract)
      if (Expr e = abstract(which, x, y))
        return e;
    switch (which) {
    case ScalarOp::MulI:
      return x * y;
    case ScalarOp::DivSI:
      return sdiv(x, y);
    case ScalarOp::DivUI:
      return udiv(x, y);
    case ScalarOp::RemSI:
      return srem(x, y);
    default:
      return urem(x, y);
    }
  }
  EncodedScalar addSubMul();
  EncodedScalar division();
  EncodedScalar shift();
  EncodedScalar cast();
  Expr compare();
  Expr count();
  Expr mulHigh();

  ExprContext &ctx;
  ScalarOp op;
  uint8_t flags, predicate;
  unsigned width;
  Expr a, b;
  const std::function<Expr(ScalarOp, Expr, Expr)> &abstract;
};
} // namespace

EncodedScalar IntEncoder::addSubMul() {
  unsigned w = a.width();
  unsigned wide = op == ScalarOp::MulI ? 2 * w : w + 1;
  Expr value = op == ScalarOp::AddI   ? a + b
               : op == ScalarOp::SubI ? a - b
                                      : binary(op, a, b);
  if (!(flags & (IF_nsw | IF_nuw)))
    return plain(value);
  auto exact = [&](Expr x, Expr y) {
    return op == ScalarOp::AddI ? x + y : op == ScalarOp::SubI ? x - y : x * y;
  };
  Expr s = exact(sextOrTrunc(a, wide), sextOrTrunc(b, wide));
  Expr u = exact(zextOrTrunc(a, wide), zextOrTrunc(b, wide));
  return flagged(value, ne(s, sextOrTrunc(value, wide)),
                 ne(u, zextOrTrunc(value, wide)));
}

EncodedScalar IntEncoder::division() {
  bool isSigned = op != ScalarOp::DivUI && op != ScalarOp::CeilDivUI &&
                  op != ScalarOp::RemUI;
  Expr zero = a.constant(0), one = a.constant(1);
  Expr quotient = binary(isSigned ? ScalarOp::DivSI : ScalarOp::DivUI, a, b);
  if (op == ScalarOp::RemSI || op == ScalarOp::RemUI)
    return plain(binary(op, a, b));
  // By the remainder, as programs have it: the product is hard to invert.
  Expr exact =
      eq(binary(isSigned ? ScalarOp::RemSI : ScalarOp::RemUI, a, b), zero);
  unsigned top = a.width() - 1;
  Expr sameSign = eq(extract(a, top, top), extract(b, top, top));
  switch (op) {
  case ScalarOp::CeilDivSI:
    return plain(quotient + ite(land(lnot(exact), sameSign), one, zero));
  case ScalarOp::CeilDivUI:
    return plain(quotient + ite(exact, zero, one));
  case ScalarOp::FloorDivSI:
    return plain(quotient - ite(lor(exact, sameSign), zero, one));
  default:
    return {quotient, flags & IF_exact ? lnot(exact) : ctx.boolean(false)};
  }
}

EncodedScalar IntEncoder::shift() {
  unsigned w = a.width();
  // Widths are below 2^32, so the comparison needs the width's own bits only
  // where w is representable; a one-bit shift by 1 is too far.
  Expr tooFar = isUIntN(w, w) ? uge(b, b.constant(w)) : ctx.boolean(false);
  EncodedScalar r;
  if (op == ScalarOp::ShLI) {
    Expr value = shl(a, b);
    r = flagged(value, ne(ashr(value, b), a), ne(lshr(value, b), a));
  } else {
    Expr value = op == ScalarOp::ShRSI ? ashr(a, b) : lshr(a, b);
    r = {value, flags & IF_exact ? ne(shl(value, b), a) : ctx.boolean(false)};
  }
  r.poison = lor(tooFar, r.poison);
  return r;
}

EncodedScalar IntEncoder::cast() {
  Expr negative = bitSet(a, a.width() - 1);
  Expr nneg = flags & IF_nneg ? negative : ctx.boolean(false);
  switch (op) {
  case ScalarOp::ExtSI:
  case ScalarOp::IndexCast:
    return plain(sextOrTrunc(a, width));
  case ScalarOp::ExtUI:
  case ScalarOp::IndexCastUI:
    return {zextOrTrunc(a, width), nneg};
  default: {
    Expr value = zextOrTrunc(a, width);
    return flagged(value, ne(sextOrTrunc(value, a.width()), a),
                   ne(zextOrTrunc(value, a.width()), a));
  }
  }
}

Expr IntEncoder::compare() {
  switch (predicate) {
  case 0:
    return eq(a, b);
  case 1:
    return ne(a, b);
  case 2:
    return slt(a, b);
  case 3:
    return sle(a, b);
  case 4:
    return sgt(a, b);
  case 5:
    return sge(a, b);
  case 6:
    return ult(a, b);
  case 7:
    return ule(a, b);
  case 8:
    return ugt(a, b);
  default:
    return uge(a, b);
  }
}

/// Population count; leading and trailing zeros through it.
Expr IntEncoder::count() {
  unsigned w = a.width();
  Expr x = a;
  if (op == ScalarOp::CtTz) {
    x = ~a & (a - a.constant(1));
  } else if (op == ScalarOp::CtLz) {
    for (unsigned k = 1; k < w; k *= 2)
      x = x | lshr(x, x.constant(k));
    x = ~x;
  }
  Expr n = x.constant(0);
  for (unsigned i = 0; i < w; ++i)
    n = n + zextOrTrunc(extract(x, i, i), w);
  return n;
}

Expr IntEncoder::mulHigh() {
  unsigned w = a.width();
  bool isSigned = op == ScalarOp::MulHighSI;
  Expr x = isSigned ? sextOrTrunc(a, 2 * w) : zextOrTrunc(a, 2 * w);
  Expr y = isSigned ? sextOrTrunc(b, 2 * w) : zextOrTrunc(b, 2 * w);
  return extract(x * y, 2 * w - 1, w);
}

EncodedScalar IntEncoder::encode() {
  switch (op) {
  case ScalarOp::AddI:
  case ScalarOp::SubI:
  case ScalarOp::MulI:
    return addSubMul();
  case ScalarOp::MulHighSI:
  case ScalarOp::MulHighUI:
    return plain(mulHigh());
  case ScalarOp::AddUICarry:
    return plain(bit(ult(a + b, a)));
  case ScalarOp::DivSI:
  case ScalarOp::DivUI:
  case ScalarOp::CeilDivSI:
  case ScalarOp::CeilDivUI:
  case ScalarOp::FloorDivSI:
  case ScalarOp::RemSI:
  case ScalarOp::RemUI:
    return division();
  case ScalarOp::AndI:
    return plain(a & b);
  case ScalarOp::OrI:
    return plain(a | b);
  case ScalarOp::XOrI:
    return plain(a ^ b);
  case ScalarOp::ShLI:
  case ScalarOp::ShRSI:
  case ScalarOp::ShRUI:
    return shift();
  case ScalarOp::MinSI:
    return plain(ite(slt(a, b), a, b));
  case ScalarOp::MaxSI:
    return plain(ite(slt(a, b), b, a));
  case ScalarOp::MinUI:
    return plain(ite(ult(a, b), a, b));
  case ScalarOp::MaxUI:
    return plain(ite(ult(a, b), b, a));
  case ScalarOp::CmpI:
    return plain(bit(compare()));
  case ScalarOp::ExtSI:
  case ScalarOp::ExtUI:
  case ScalarOp::TruncI:
  case ScalarOp::IndexCast:
  case ScalarOp::IndexCastUI:
    return cast();
  case ScalarOp::AbsI:
    return plain(ite(bitSet(a, a.width() - 1), neg(a), a));
  case ScalarOp::CtPop:
  case ScalarOp::CtLz:
  case ScalarOp::CtTz:
    return plain(count());
  default:
    return {};
  }
}

EncodedScalar
encodeIntegerOp(ExprContext &context, ScalarOp op, const ScalarAttrs &attrs,
                unsigned resultWidth, ArrayRef<Expr> operands,
                const std::function<Expr(ScalarOp, Expr, Expr)> &abstract) {
  return IntEncoder(context, op, attrs, resultWidth, operands, abstract)
      .encode();
}

} // namespace panpipe::tv::smt
