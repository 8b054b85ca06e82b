//===- CandidateInputs.cpp - From models to inputs ------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A model is a hint: it gives values to reads at symbolic indices. Here the
/// index variables are set to small numbers, so that a read names an element;
/// whether the input then shows a difference is for execution to say.
///
//===----------------------------------------------------------------------===//

#include "CandidateInputs.h"

#include "panpipe/TV/Encode/Encoder.h"

using namespace llvm;
using namespace panpipe::tv;

namespace {
/// Values of index atoms in one candidate.
class Point {
public:
  explicit Point(int64_t everywhere) : everywhere(everywhere) {}
  void set(const IndexAtom *atom, int64_t value) { values[atom] = value; }

  std::optional<int64_t> evaluate(IndexTerm p) const {
    int64_t sum = 0;
    for (const IndexSummand &summand : p->summands()) {
      int64_t product = int64_t(summand.coefficient);
      for (const IndexAtom *atom : summand.monomial->atoms) {
        std::optional<int64_t> factor = evaluate(atom);
        if (!factor)
          return std::nullopt;
        product *= *factor;
      }
      sum += product;
    }
    return sum;
  }

private:
  std::optional<int64_t> evaluate(const IndexAtom *atom) const {
    if (atom->kind == AtomKind::FloorDiv) {
      auto num = evaluate(atom->num), den = evaluate(atom->den);
      if (!num || !den || *den < 1)
        return std::nullopt;
      return *num / *den - (*num % *den < 0);
    }
    auto found = values.find(atom);
    if (found != values.end())
      return found->second;
    return atom->kind == AtomKind::Var ? std::optional<int64_t>(everywhere)
                                       : std::nullopt;
  }

  int64_t everywhere;
  DenseMap<const IndexAtom *, int64_t> values;
};
} // namespace

/// Number of the argument whose value, poison bit or index the leaf is.
static std::optional<unsigned> argumentOf(const SharedEncoding &shared,
                                          const Term *leaf, bool &isPoison) {
  for (auto [number, argument] : enumerate(shared.arguments)) {
    if (argument.isScalar()) {
      isPoison = leaf == argument.scalar.poison;
      if (isPoison || leaf == argument.scalar.value)
        return number;
    } else if (leaf->base() &&
               argument.tensor.element.value->base() == leaf->base()) {
      isPoison = leaf->kind() == TermKind::PoisonRead;
      return number;
    }
  }
  return std::nullopt;
}

static void addElement(const SharedEncoding &shared, const LadderInput &input,
                       const Point &point, Candidate &candidate) {
  bool isPoison = false;
  auto argument = argumentOf(shared, input.term, isPoison);
  if (!argument)
    return;
  Candidate::Element element{*argument, {}, input.value};
  const SymValue &value = shared.arguments[*argument];
  if (!value.isScalar())
    for (IndexTerm index : input.term->indices()) {
      std::optional<int64_t> at = point.evaluate(index);
      if (!at || *at < 0)
        return;
      element.index.push_back(*at);
    }
  if (isPoison) {
    if (input.value.bits.isZero())
      return;
    ScalarType type =
        !value.isScalar() ? value.tensor.type : value.scalar.value->type();
    element.value = ScalarValue::poisoned(type.width());
  }
  candidate.elements.push_back(std::move(element));
}

void panpipe::tv::addCandidates(const SharedEncoding &shared,
                                ArrayRef<LadderInput> model,
                                std::vector<Candidate> &candidates) {
  bool hasVariables = any_of(model, [](const LadderInput &input) {
    return !input.term->leaves().empty();
  });
  for (int64_t everywhere : {0, 1}) {
    Point point(everywhere);
    // Index values that are one symbol fix that symbol.
    for (const LadderInput &input : model)
      if (input.term->kind() == TermKind::IndexValue)
        if (const IndexAtom *atom = input.term->indices()[0]->asAtom())
          if (input.value.bits.getSignificantBits() <= 64)
            point.set(atom, input.value.bits.getSExtValue());
    Candidate candidate;
    for (const LadderInput &input : model)
      addElement(shared, input, point, candidate);
    if (!candidate.elements.empty())
      candidates.push_back(std::move(candidate));
    if (!hasVariables)
      return;
  }
}
