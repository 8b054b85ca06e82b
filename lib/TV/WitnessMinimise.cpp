//===- WitnessMinimise.cpp - Simpler inputs -------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes the inputs of a found difference simpler, as long as one remains.
///
//===----------------------------------------------------------------------===//

#include "Witness.h"

using namespace mlir;
using namespace panpipe::tv;

namespace {
/// Greedy simplification of one found input.
class Minimiser {
public:
  Minimiser(const Witness &witness, Found &found, uint64_t steps)
      : witness(witness), found(found), left(steps) {}

  void run() {
    if (shareMemory(found.inputs)) {
      InputEdit edit(found.inputs);
      edit.separate();
      attempt(edit.take());
    }
    for (unsigned k = 0; k < found.inputs.size(); ++k)
      replace(k, 0, found.inputs[k]->size(), 0);
    for (unsigned k = 0; k < found.inputs.size(); ++k)
      for (int64_t size = found.inputs[k]->size() / 2; size >= 1; size /= 2)
        // From the end: what remains is near the beginning.
        for (int64_t at = (found.inputs[k]->size() - 1) / size * size; at >= 0;
             at -= size)
          if (!replace(k, at, size, 0) && left == 0)
            return;
    for (unsigned k = 0; k < found.inputs.size(); ++k)
      for (int64_t i = 0; i < found.inputs[k]->size(); ++i)
        for (int64_t number : {1, 2, -1, 3})
          if (simplerThan(k, i, number) && replace(k, i, 1, number))
            break;
  }

private:
  /// `number` of the type of argument k.
  llvm::APInt pattern(unsigned k, int64_t number) const {
    ScalarType type = found.inputs[k]->type();
    if (!type.isFloat())
      return llvm::APInt(type.width(), number, true, true);
    APFloat value(type.fltSemantics());
    value.convertFromAPInt(llvm::APInt(64, number, true), true,
                           APFloat::rmNearestTiesToEven);
    return value.bitcastToAPInt();
  }
  /// Zeros and ones stay as they are.
  bool simplerThan(unsigned k, int64_t i, int64_t number) const {
    ConcreteElement old = found.inputs[k]->get(i);
    if (!old.marks && old.bits.isZero())
      return false;
    for (int64_t other : {1, 2, -1, 3}) {
      if (!old.marks && old.bits == pattern(k, other))
        return false;
      if (other == number)
        break;
    }
    return true;
  }
  /// Puts `number` into a range of elements; keeps it if a difference remains.
  bool replace(unsigned k, int64_t at, int64_t size, int64_t number) {
    const ConcreteValue &value = *found.inputs[k];
    llvm::APInt bits = pattern(k, number);
    InputEdit edit(found.inputs);
    bool changed = false;
    for (int64_t i = at; i < std::min(at + size, value.size()); ++i) {
      if (value.get(i).bits == bits && !value.marks(i))
        continue;
      changed = true;
      edit.set(k, i, {bits, EM_none});
    }
    return changed && attempt(edit.take());
  }
  /// Keeps the inputs if a difference remains on them.
  bool attempt(std::vector<ValuePtr> inputs) {
    if (left == 0)
      return false;
    Trial trial = witness.run(inputs, left);
    left -= std::min(left, trial.steps + 50);
    // A hard difference must not become one of rounding.
    if (trial.kind != Trial::Different || (found.trial.isHard && !trial.isHard))
      return false;
    found.inputs = std::move(inputs);
    found.trial = std::move(trial);
    return true;
  }

  const Witness &witness;
  Found &found;
  uint64_t left;
};
} // namespace

Found Witness::minimise(Found found, uint64_t steps) const {
  Minimiser(*this, found, steps).run();
  return found;
}
