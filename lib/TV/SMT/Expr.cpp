//===- Expr.cpp - Hash-consing of expressions -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprNode.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

#include <deque>
#include <unordered_map>

using namespace llvm;

namespace panpipe::tv::smt {

struct ExprContext::Impl {
  std::deque<ExprNode> nodes;
  std::unordered_multimap<size_t, ExprNode *> table;
  StringMap<unsigned> freshCounters;
};

ExprContext::ExprContext() : impl(std::make_unique<Impl>()) {}
ExprContext::~ExprContext() = default;

unsigned ExprContext::size() const { return impl->nodes.size(); }

static size_t hashNode(ExprOp op, Sort sort, ArrayRef<Expr> args, unsigned p0,
                       unsigned p1, const APInt &value, StringRef name) {
  hash_code h =
      hash_combine(op, sort.kind, sort.first, sort.second, p0, p1, name);
  if (op == ExprOp::Const)
    h = hash_combine(h, value);
  for (Expr a : args)
    h = hash_combine(h, a.id());
  return h;
}

Expr ExprContext::intern(ExprOp op, Sort sort, ArrayRef<Expr> args, unsigned p0,
                         unsigned p1, APInt value, StringRef name) {
  size_t h = hashNode(op, sort, args, p0, p1, value, name);
  auto range = impl->table.equal_range(h);
  for (auto it = range.first; it != range.second; ++it) {
    ExprNode *n = it->second;
    if (n->op == op && n->sort == sort && n->p0 == p0 && n->p1 == p1 &&
        n->name == name && ArrayRef<Expr>(n->args) == args &&
        (op != ExprOp::Const || n->value == value))
      return Expr(n);
  }
  ExprNode node{op,
                sort,
                unsigned(impl->nodes.size()),
                p0,
                p1,
                this,
                {},
                std::move(value),
                name.str()};
  node.args.assign(args.begin(), args.end());
  impl->nodes.push_back(std::move(node));
  ExprNode *n = &impl->nodes.back();
  impl->table.emplace(h, n);
  return Expr(n);
}

Expr ExprContext::boolean(bool value) {
  return intern(ExprOp::Const, Sort::boolean(), {}, 0, 0, APInt(1, value), "");
}
Expr ExprContext::bv(const APInt &value) {
  return intern(ExprOp::Const, Sort::bitVec(value.getBitWidth()), {}, 0, 0,
                value, "");
}
Expr ExprContext::bv(uint64_t value, unsigned width) {
  return bv(APInt(width, value, /*isSigned=*/false, /*implicitTrunc=*/true));
}
Expr ExprContext::integer(int64_t value) {
  return intern(ExprOp::Const, Sort::integer(), {}, 0, 0,
                APInt(128, uint64_t(value), /*isSigned=*/true), "");
}
Expr ExprContext::var(StringRef name, Sort sort) {
  return intern(ExprOp::Var, sort, {}, 0, 0, APInt(), name);
}
Expr ExprContext::fresh(StringRef prefix, Sort sort) {
  unsigned n = impl->freshCounters[prefix]++;
  return var((prefix + "!" + Twine(n)).str(), sort);
}
Expr ExprContext::apply(StringRef function, ArrayRef<Expr> args, Sort result) {
  return intern(ExprOp::Apply, result, args, 0, 0, APInt(), function);
}
Expr ExprContext::make(ExprOp op, Sort sort, ArrayRef<Expr> args, unsigned p0,
                       unsigned p1) {
  return intern(op, sort, args, p0, p1, APInt(), "");
}

ExprOp Expr::op() const { return node->op; }
Sort Expr::sort() const { return node->sort; }
unsigned Expr::width() const {
  assert(node->sort.kind == Sort::Kind::BitVec && "not a bit-vector");
  return node->sort.first;
}
ArrayRef<Expr> Expr::args() const { return node->args; }
unsigned Expr::id() const { return node->id; }
StringRef Expr::name() const { return node->name; }
unsigned Expr::param(unsigned i) const { return i ? node->p1 : node->p0; }
const APInt &Expr::value() const {
  assert(isConst() && "only constants have a value");
  return node->value;
}
bool Expr::isTrue() const {
  return isConst() && node->sort.kind == Sort::Kind::Bool &&
         node->value.isOne();
}
bool Expr::isFalse() const {
  return isConst() && node->sort.kind == Sort::Kind::Bool &&
         node->value.isZero();
}
ExprContext &Expr::context() const { return *node->context; }
Expr Expr::constant(uint64_t value) const {
  return context().bv(value, width());
}
Expr Expr::constant(const APInt &value) const {
  assert(value.getBitWidth() == width() && "constant of another width");
  return context().bv(value);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

void ExprEvaluator::set(Expr leaf, APInt value) {
  if (memo.size() <= leaf.id())
    memo.resize(leaf.id() + 1);
  memo[leaf.id()] = {true, std::move(value)};
}

bool ExprEvaluator::evaluate(Expr root, APInt &value) {
  // An explicit stack: expressions of long sums are deep.
  SmallVector<Expr, 32> stack{root};
  if (memo.size() <= root.id())
    memo.resize(root.id() + 1);
  while (!stack.empty()) {
    Expr e = stack.back();
    if (memo[e.id()].known) {
      stack.pop_back();
      continue;
    }
    size_t before = stack.size();
    for (Expr a : e.args())
      if (!memo[a.id()].known)
        stack.push_back(a);
    if (stack.size() != before)
      continue;
    APInt v;
    if (!evaluateNode(e, v))
      return false;
    memo[e.id()] = {true, std::move(v)};
    stack.pop_back();
  }
  value = memo[root.id()].value;
  return true;
}

bool ExprEvaluator::evaluateNode(Expr e, APInt &value) {
  if (e.isConst()) {
    value = e.value();
    return true;
  }
  if (e.op() == ExprOp::Var || e.op() == ExprOp::Apply)
    return false;
  SmallVector<APInt, 3> args;
  for (Expr a : e.args())
    args.push_back(memo[a.id()].value);
  std::optional<APInt> v =
      foldConstants(e.op(), e.sort(), e.param(0), e.param(1), args);
  if (!v)
    return false;
  value = std::move(*v);
  return true;
}

} // namespace panpipe::tv::smt
