//===- ScalarSlice.cpp - The scalar operations of one obligation -*- C++
//-*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarSlice.h"

#include "ScalarChoices.h"

#include "panpipe/TV/SMT/ScalarInputs.h"
#include "panpipe/TV/Term/Closure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace panpipe::tv {

bool sameValue(ScalarType type, const APInt &a, const APInt &b) {
  return a == b || (type.isFloat() && isNaN(type, a) && isNaN(type, b));
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Beyond this many nodes names stay closed.
static const unsigned maxOpenedNodes = 4000;

static bool bodyHasSets(const Term *body) {
  SmallVector<const Term *, 16> work{body};
  SmallPtrSet<const Term *, 16> seen;
  while (!work.empty()) {
    const Term *t = work.pop_back_val();
    if (!seen.insert(t).second)
      continue;
    if (denotesSet(t))
      return true;
    work.append(t->operands().begin(), t->operands().end());
    if (t->kind() == TermKind::App)
      work.append(t->closure()->bodies.begin(), t->closure()->bodies.end());
  }
  return false;
}

/// What the name stands for, or null if it stays closed.
const Term *ScalarSlice::opened(const Term *t) {
  if (t->kind() != TermKind::App || t->closure()->kind != Closure::Kind::Map)
    return nullptr;
  auto [it, isNew] = names.try_emplace(t, nullptr);
  if (!isNew)
    return it->second;
  const Term *body = nullptr;
  if (terms && nodeList.size() < maxOpenedNodes &&
      !bodyHasSets(t->closure()->body()))
    body = terms->unfold(t, terms->emptyContext());
  if (!body || body == t) {
    closedNames = true;
    body = nullptr;
  }
  return names[t] = body;
}

unsigned ScalarSlice::add(const Term *root) {
  // An explicit stack: terms may be deep.
  SmallVector<const Term *, 16> stack{root};
  while (!stack.empty()) {
    const Term *t = stack.back();
    if (numbers.count(t)) {
      stack.pop_back();
      continue;
    }
    size_t before = stack.size();
    if (const Term *body = opened(t)) {
      if (!numbers.count(body)) {
        stack.push_back(body);
        continue;
      }
      numbers[t] = numbers[body];
      stack.pop_back();
      continue;
    }
    if (t->kind() == TermKind::Op || t->kind() == TermKind::Ite ||
        t->kind() == TermKind::App)
      for (const Term *o : t->operands())
        if (!numbers.count(o))
          stack.push_back(o);
    if (stack.size() != before)
      continue;
    numbers[t] = build(t);
    stack.pop_back();
  }
  return numbers[root];
}

unsigned ScalarSlice::leafOf(const Term *term) {
  leafList.push_back({term->type(), term, GuardAtom()});
  return leafList.size() - 1;
}

GuardLiteral ScalarSlice::literalOf(const GuardAtom &atom) {
  for (auto [i, leaf] : enumerate(leafList))
    if (!leaf.term && leaf.guard == atom)
      return {unsigned(i), false};
  if (!atom.isEquality) {
    // Over the integers, not p >= 0 is -p - 1 >= 0.
    GuardAtom opposite = geZero(-atom.poly - 1);
    for (auto [i, leaf] : enumerate(leafList))
      if (!leaf.term && leaf.guard == opposite)
        return {unsigned(i), true};
  }
  leafList.push_back({ScalarType::boolean(), nullptr, atom});
  return {unsigned(leafList.size() - 1), false};
}

void ScalarSlice::classify(SliceNode &node) {
  auto operandAny = [&](unsigned i) {
    return nodeList[node.operands[i]].anyNaN;
  };
  switch (node.kind) {
  case SliceNode::Kind::Const:
    return;
  case SliceNode::Kind::Leaf:
    // Inputs have bits; results of earlier arithmetic need not.
    node.anyNaN = node.type.isFloat() &&
                  !(node.term->kind() == TermKind::Symbol ||
                    (node.term->kind() == TermKind::Read &&
                     node.term->base()->kind == TensorBase::Kind::Argument));
    return;
  case SliceNode::Kind::Guarded:
    node.anyNaN = operandAny(0) || operandAny(1);
    return;
  case SliceNode::Kind::Unknown:
    node.anyNaN = node.type.isFloat();
    return;
  case SliceNode::Kind::Op:
    break;
  }
  library |= scalarOpClass(node.op) == ScalarOpClass::OPAQUE;
  bool toInteger = node.op == ScalarOp::Bitcast &&
                   node.operandTypes[0].isFloat() && !node.type.isFloat();
  bool fromInteger = node.op == ScalarOp::Bitcast &&
                     !node.operandTypes[0].isFloat() && node.type.isFloat();
  node.readsBits = toInteger || node.op == ScalarOp::CopySign;
  bitReads |= node.readsBits;
  if (!node.type.isFloat() || fromInteger)
    return;
  if (!movesBits(node.op)) {
    node.anyNaN = true;
    return;
  }
  if (node.op == ScalarOp::Select)
    node.anyNaN = operandAny(1) || operandAny(2);
  else
    node.anyNaN = operandAny(0);
}

unsigned ScalarSlice::build(const Term *t) {
  SliceNode node(t);
  switch (t->kind()) {
  case TermKind::Const:
    node.kind = SliceNode::Kind::Const;
    break;
  case TermKind::Op:
    node.kind = SliceNode::Kind::Op;
    node.op = t->op();
    node.attrs = t->attrs();
    break;
  case TermKind::Ite:
    node.kind = SliceNode::Kind::Guarded;
    for (const GuardAtom &g : t->guard())
      node.guards.push_back(literalOf(g));
    break;
  case TermKind::App:
    if (!t->operands().empty()) {
      node.kind = SliceNode::Kind::Unknown;
      unknown = true;
      node.function = "app" + std::to_string(t->closure()->id);
      for (IndexTerm i : t->indices())
        node.function += "_" + std::to_string(i->id());
      break;
    }
    node.leaf = leafOf(t);
    break;
  default:
    node.leaf = leafOf(t);
    break;
  }
  if (node.kind != SliceNode::Kind::Leaf && node.kind != SliceNode::Kind::Const)
    for (const Term *o : t->operands()) {
      node.operands.push_back(numbers.lookup(o));
      node.operandTypes.push_back(o->type());
    }
  classify(node);
  nodeList.push_back(std::move(node));
  return nodeList.size() - 1;
}

unsigned ScalarSlice::inputBits() const {
  unsigned bits = 0;
  for (const SliceLeaf &l : leafList)
    bits += l.type.width();
  return bits;
}

void ScalarSlice::collectTypes(std::vector<smt::FloatFormat> &formats,
                               std::vector<unsigned> &integerWidths) const {
  for (const SliceNode &n : nodeList) {
    if (auto f = smt::FloatFormat::of(n.type)) {
      if (!is_contained(formats, *f))
        formats.push_back(*f);
    } else if (!n.type.isFloat() && n.type.width() > 1 &&
               !is_contained(integerWidths, n.type.width())) {
      integerWidths.push_back(n.type.width());
    }
  }
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Some value of an unknown function: the same for equal arguments.
static APInt unknownValue(const SliceNode &node,
                          ArrayRef<ScalarValue> arguments) {
  uint64_t seed = 0x9e37;
  for (char c : node.function)
    seed = seed * 1099511628211ull + uint8_t(c);
  for (auto [type, v] : zip(node.operandTypes, arguments)) {
    APInt bits =
        type.isFloat() && isNaN(type, v.bits) ? canonicalNaN(type) : v.bits;
    for (unsigned i = 0; i < bits.getNumWords(); ++i)
      seed = (seed ^ bits.getRawData()[i]) * 0x100000001b3ull + 17;
  }
  smt::Random random(seed);
  unsigned width = node.type.width();
  if (auto f = smt::FloatFormat::of(node.type))
    return APInt(width, smt::roundedPattern(*f, random.below(2),
                                            random.below(1u << 20),
                                            random.between(-24, -14)));
  APInt v(width, random.next(), false, /*implicitTrunc=*/true);
  return v;
}

void ScalarSlice::run(ArrayRef<APInt> leafValues, Run &run) const {
  run.values.resize(nodeList.size());
  run.undefined = run.readNaN = run.readAnyNaN = false;
  SmallVector<ScalarValue, 3> args;
  for (auto [i, node] : enumerate(nodeList)) {
    ScalarValue &out = run.values[i];
    args.clear();
    for (unsigned o : node.operands)
      args.push_back(run.values[o]);
    switch (node.kind) {
    case SliceNode::Kind::Const:
      out = {node.term->bits(), false};
      break;
    case SliceNode::Kind::Leaf:
      out = {leafValues[node.leaf], false};
      break;
    case SliceNode::Kind::Guarded: {
      bool holds = all_of(node.guards, [&](GuardLiteral g) {
        return leafValues[g.leaf].isOne() != g.negated;
      });
      out = args[holds ? 0 : 1];
      break;
    }
    case SliceNode::Kind::Unknown:
      // Unknown functions are given values only.
      if (any_of(args, [](const ScalarValue &v) { return v.poison; }))
        out = ScalarValue::poisoned(node.type.width());
      else
        out = {unknownValue(node, args), false};
      break;
    case SliceNode::Kind::Op: {
      if (node.readsBits) {
        unsigned which = node.op == ScalarOp::CopySign ? 1 : 0;
        if (!args[which].poison &&
            isNaN(node.operandTypes[which], args[which].bits)) {
          run.readNaN = true;
          run.readAnyNaN |= nodeList[node.operands[which]].anyNaN;
        }
      }
      ScalarResult r =
          evalScalar(node.op, node.attrs, node.type, node.operandTypes, args);
      run.undefined |= r.ub != nullptr;
      out = std::move(r.value);
      break;
    }
    }
  }
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

smt::Expr leafVariable(smt::ExprContext &context, const ScalarSlice &slice,
                       unsigned leaf) {
  return context.var("in" + std::to_string(leaf),
                     smt::Sort::bitVec(slice.leaves()[leaf].type.width()));
}

std::optional<smt::EncodedScalar> SliceEncoder::encode(unsigned root) {
  bool fresh = side == Side::SourceFresh || side == Side::Target;
  encoder.setNaNMode(fresh ? smt::NaNMode::Fresh : smt::NaNMode::Canonical);
  memo.resize(slice.nodes().size());
  // Operands come first, so going upwards is enough.
  std::vector<bool> needed(root + 1, false);
  needed[root] = true;
  for (unsigned i = root + 1; i-- > 0;)
    if (needed[i] && !memo[i])
      for (unsigned o : slice.nodes()[i].operands)
        needed[o] = true;
  for (unsigned i = 0; i <= root; ++i) {
    if (!needed[i] || memo[i])
      continue;
    memo[i] = encodeNode(slice.nodes()[i]);
    if (!memo[i])
      return std::nullopt;
  }
  return memo[root];
}

std::optional<smt::EncodedScalar>
SliceEncoder::encodeNode(const SliceNode &node) {
  smt::Expr never = ctx.boolean(false);
  SmallVector<smt::EncodedScalar, 3> args;
  SmallVector<smt::Expr, 3> values;
  for (unsigned o : node.operands) {
    args.push_back(*memo[o]);
    values.push_back(args.back().value);
  }
  switch (node.kind) {
  case SliceNode::Kind::Const:
    return smt::EncodedScalar{ctx.bv(node.term->bits()), never};
  case SliceNode::Kind::Leaf: {
    smt::Expr v = leafVariable(ctx, slice, node.leaf);
    if (!slice.hasExactBits() &&
        (side == Side::Target || (side == Side::SourceFresh && node.anyNaN)))
      v = encoder.withFreshNaN(node.type, v);
    return smt::EncodedScalar{v, never};
  }
  case SliceNode::Kind::Guarded: {
    smt::Expr holds = ctx.boolean(true);
    for (GuardLiteral g : node.guards) {
      smt::Expr b = smt::bitSet(leafVariable(ctx, slice, g.leaf), 0);
      holds = smt::land(holds, g.negated ? smt::lnot(b) : b);
    }
    return smt::EncodedScalar{smt::ite(holds, args[0].value, args[1].value),
                              smt::ite(holds, args[0].poison, args[1].poison)};
  }
  case SliceNode::Kind::Unknown: {
    smt::Expr poison = never;
    for (const smt::EncodedScalar &a : args)
      poison = smt::lor(poison, a.poison);
    // A name may read the bits of its arguments; where picks matter it is
    // another name.
    SmallVector<ScalarType, 3> types(node.operandTypes);
    if (slice.hasExactBits())
      for (ScalarType &t : types)
        t = ScalarType::integer(t.width());
    smt::Expr v = encoder.applyUnknown(node.function, node.type, types, values);
    if (slice.hasExactBits())
      return smt::EncodedScalar{v, poison};
    if (side == Side::Target || side == Side::SourceFresh)
      v = encoder.withFreshNaN(node.type, v);
    return smt::EncodedScalar{v, poison};
  }
  case SliceNode::Kind::Op:
    return encoder.encode(node.op, node.attrs, node.type, node.operandTypes,
                          args);
  }
  return std::nullopt;
}

} // namespace panpipe::tv
