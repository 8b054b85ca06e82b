//===- OpsMatmul.cpp - Matrix products and attention ---------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cmath>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::import;
using Shape = TensorBuilder::Shape;

static DictionaryAttr noParams(NodeLowering &op) {
  return op.b.b.getDictionaryAttr({});
}

static void linear(NodeLowering &op, Value x, Value weight, Value bias) {
  Shape in = TensorBuilder::shapeOf(x), w = TensorBuilder::shapeOf(weight);
  if (!op.require(w.size() == 2 && !in.empty() && in.back() == w[1],
                  "its weight does not fit its input") ||
      (bias && !op.require(TensorBuilder::shapeOf(bias) == Shape{w[0]},
                           "its bias does not fit its weight")))
    return;
  Ints shape(in);
  shape.back() = w[0];
  if (!op.require(shape == Ints(op.resultShape()),
                  "its operands do not give the declared shape"))
    return;
  SmallVector<Value> args{x, weight};
  if (bias)
    args.push_back(bias);
  op.call("linear", args, noParams(op));
}

static void lowerLinear(NodeLowering &op) {
  Value x = op.tensor("input"), weight = op.tensor("weight"),
        bias = op.optionalTensor("bias");
  if (op.ok())
    linear(op, x, weight, bias);
}

/// a [.., m, k] times b [.., k, n]; batch dimensions are broadcast first.
static Value product(NodeLowering &op, Value a, Value b) {
  Ints x(TensorBuilder::shapeOf(a)), y(TensorBuilder::shapeOf(b));
  if (!op.require(x.size() >= 2 && y.size() >= 2 && x.back() == y[y.size() - 2],
                  "its operands do not fit"))
    return Value();
  Ints shape;
  if (y.size() > 2) {
    size_t rank = std::max(x.size(), y.size());
    x.insert(x.begin(), rank - x.size(), 1);
    y.insert(y.begin(), rank - y.size(), 1);
    for (size_t i = 0; i + 2 < rank; ++i) {
      if (!op.require(x[i] == y[i] || x[i] == 1 || y[i] == 1,
                      "its batch dimensions do not fit"))
        return Value();
      x[i] = y[i] = std::max(x[i], y[i]);
    }
    a = op.b.broadcastTo(a, x);
    b = op.b.broadcastTo(b, y);
  }
  shape.assign(x.begin(), x.end());
  shape.back() = y.back();
  auto type = RankedTensorType::get(shape, op.resultType().getElementType());
  return op.composite("matmul", {a, b}, noParams(op), type);
}

static void lowerMatmul(NodeLowering &op) {
  Value a = op.tensor("self"), b;
  for (StringRef name : {"mat2", "vec", "tensor", "other"})
    if (!b && (name == "other" || op.node.find(name.str())))
      b = op.tensor(name);
  if (!op.ok() || !op.require(TensorBuilder::typeOf(a).getRank() > 0 &&
                                  TensorBuilder::typeOf(b).getRank() > 0,
                              "an operand is a scalar"))
    return;
  // A vector is a row on the left and a column on the right.
  if (TensorBuilder::typeOf(a).getRank() == 1)
    a = op.b.unsqueeze(a, 0);
  if (TensorBuilder::typeOf(b).getRank() == 1)
    b = op.b.unsqueeze(b, 1);
  Value y = product(op, a, b);
  if (y && op.require(TensorBuilder::typeOf(y).getNumElements() ==
                          op.resultType().getNumElements(),
                      "its operands do not give the declared shape"))
    op.bind(op.b.reshape(y, op.resultShape()));
}

/// A column times a row.
static void lowerOuter(NodeLowering &op) {
  Value a = op.tensor("self"), b = op.tensor("vec2");
  if (!op.ok() || !op.require(TensorBuilder::typeOf(a).getRank() == 1 &&
                                  TensorBuilder::typeOf(b).getRank() == 1,
                              "an operand is no vector"))
    return;
  Ints shape{TensorBuilder::shapeOf(a)[0], TensorBuilder::shapeOf(b)[0]};
  op.bind(op.b.elementwise(
      {op.b.unsqueeze(a, 1), b}, shape, TensorBuilder::elementOf(a),
      [](OpBuilder &inner, Location at, ValueRange v) -> Value {
        return arith::MulFOp::create(inner, at, v[0], v[1]);
      }));
}

/// beta * self + alpha * a b
static void lowerAddProduct(NodeLowering &op) {
  Value self = op.tensor("self");
  bool batched = op.node.find("batch1");
  Value a = op.tensor(batched ? "batch1" : "mat1");
  Value b = op.tensor(batched ? "batch2" : "mat2");
  double alpha = op.number("alpha"), beta = op.number("beta");
  if (!op.ok())
    return;
  // The core form of a linear layer: addmm(bias, x, transpose(weight)).
  auto transpose = b.getDefiningOp<linalg::TransposeOp>();
  if (!batched && alpha == 1.0 && beta == 1.0 && transpose &&
      TensorBuilder::typeOf(b).getRank() == 2 &&
      TensorBuilder::typeOf(self).getRank() == 1)
    return linear(op, a, transpose.getInput(), self);
  Value y = product(op, a, b);
  if (!y || !op.require(y.getType() == op.resultType(),
                        "its operands do not give the declared shape"))
    return;
  Shape from = TensorBuilder::shapeOf(self), to = op.resultShape();
  bool fits = from.size() <= to.size();
  for (size_t i = 0; fits && i < from.size(); ++i) {
    int64_t target = to[to.size() - from.size() + i];
    fits = from[i] == target || from[i] == 1;
  }
  if (!op.require(fits, "its first operand cannot be broadcast"))
    return;
  op.bind(op.b.elementwise(
      {self, y}, to, op.resultType().getElementType(),
      [&](OpBuilder &inner, Location at, ValueRange v) -> Value {
        auto times = [&](Value x, double factor) -> Value {
          if (factor == 1.0)
            return x;
          Value f = TensorBuilder(inner, at).scalar(x.getType(), factor);
          return arith::MulFOp::create(inner, at, x, f);
        };
        return arith::AddFOp::create(inner, at, times(v[0], beta),
                                     times(v[1], alpha));
      }));
}

/// Brings a mask to the rank of the scores; broadcasting does the rest.
static bool maskFits(NodeLowering &op, Value mask, Shape scores) {
  Shape m = TensorBuilder::shapeOf(mask);
  bool fits = m.size() <= scores.size();
  for (size_t i = 0; fits && i < m.size(); ++i) {
    int64_t target = scores[scores.size() - m.size() + i];
    fits = m[i] == target || m[i] == 1;
  }
  return op.require(fits, "its mask does not fit the scores");
}

/// Grouped queries: each head of the keys and values serves several
/// neighbouring heads of the queries.
static bool shareHeads(NodeLowering &op, Value q, Value &k, Value &v) {
  Shape qs = TensorBuilder::shapeOf(q);
  size_t rank = qs.size();
  for (Value *shared : {&k, &v}) {
    Shape s = TensorBuilder::shapeOf(*shared);
    if (!op.require(rank >= 3 && s.size() == rank && s[rank - 3] > 0 &&
                        qs[rank - 3] % s[rank - 3] == 0,
                    "its number of query heads is no multiple of its keys'"))
      return false;
    int64_t count = qs[rank - 3] / s[rank - 3];
    if (count > 1)
      *shared = repeatEach(op.b, *shared, int64_t(rank) - 3, count);
  }
  return true;
}

static void lowerSdpa(NodeLowering &op) {
  Value q = op.tensor("query"), k = op.tensor("key"), v = op.tensor("value");
  Value mask = op.optionalTensor("attn_mask");
  double dropout = op.number("dropout_p");
  bool causal = op.boolean("is_causal");
  std::optional<double> scale = op.optionalNumber("scale");
  bool gqa = op.node.find("enable_gqa") && op.boolean("enable_gqa");
  if (!op.ok())
    return;
  if (dropout != 0.0)
    return op.fail("it drops elements at random",
                   "call model.eval() before the export");
  if (gqa && !shareHeads(op, q, k, v))
    return;
  Shape qs = TensorBuilder::shapeOf(q), ks = TensorBuilder::shapeOf(k),
        vs = TensorBuilder::shapeOf(v);
  size_t rank = qs.size();
  bool fits = rank >= 2 && ks.size() == rank && vs.size() == rank;
  fits = fits && qs.back() == ks.back() && ks[rank - 2] == vs[rank - 2];
  for (size_t i = 0; fits && i + 2 < rank; ++i)
    fits = qs[i] == ks[i] && ks[i] == vs[i];
  if (!op.require(fits, "its operands do not fit"))
    return;
  Ints scores(qs.drop_back(1)), shape(qs.drop_back(1));
  scores.push_back(ks[rank - 2]);
  shape.push_back(vs.back());
  if (!op.require(shape == Ints(op.resultShape()),
                  "its operands do not give the declared shape") ||
      (mask && !maskFits(op, mask, scores)) ||
      !op.require(!(mask && causal), "it has a mask and is causal"))
    return;
  SmallVector<Value> args{q, k, v};
  if (mask)
    args.push_back(mask);
  Builder &b = op.b.b;
  double factor = scale.value_or(1.0 / std::sqrt(double(qs.back())));
  op.call(
      "sdpa", args,
      b.getDictionaryAttr({b.getNamedAttr("scale", b.getF64FloatAttr(factor)),
                           b.getNamedAttr("causal", b.getBoolAttr(causal))}));
}

ArrayRef<OpEntry> panpipe::import::matmulOps() {
  constexpr Accepts floats = Accepts::Floats;
  static const OpEntry table[] = {
      {"linear", floats, lowerLinear},
      {"mm", floats, lowerMatmul},
      {"bmm", floats, lowerMatmul},
      {"matmul", floats, lowerMatmul},
      {"mv", floats, lowerMatmul},
      {"dot", floats, lowerMatmul},
      {"outer", floats, lowerOuter},
      {"addmm", floats, lowerAddProduct},
      {"baddbmm", floats, lowerAddProduct},
      {"scaled_dot_product_attention", Accepts::Numbers, lowerSdpa},
      {"_scaled_dot_product_flash_attention_for_cpu", Accepts::Numbers,
       lowerSdpa},
  };
  return table;
}
