//===- LoopSummary.cpp - One symbolic iteration ---------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the body once at a symbolic counter on symbols for everything it
/// changes, and splits what it does to each of them. The rules are in
/// LoopRules.cpp.
///
//===----------------------------------------------------------------------===//

#include "LoopSummary.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// The values whose memory an operation may write; nothing: any memory.
static std::optional<SmallVector<Value>> writtenValues(Operation *op) {
  SmallVector<Value> values;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    bool harmless =
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        (op->hasTrait<OpTrait::IsTerminator>() && op->getNumRegions() == 0) ||
        llvm::none_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
    return harmless && !isa<CallOpInterface>(op) ? std::optional(values)
                                                 : std::nullopt;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (MemoryEffects::EffectInstance &effect : effects) {
    if (!isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect()))
      continue;
    if (!effect.getValue())
      return std::nullopt;
    values.push_back(effect.getValue());
  }
  return values;
}

/// Which blocks the loop may write, by number.
SmallVector<bool> LoopSummary::writtenBlocks() {
  SmallVector<bool> written(e.blocks.size(), false);
  bool any = false;
  spec.op->walk([&](Operation *op) {
    if (op == spec.op)
      return;
    std::optional<SmallVector<Value>> values = writtenValues(op);
    any |= !values;
    if (!values)
      return;
    for (Value value : *values) {
      if (!isa<BaseMemRefType>(value.getType()))
        continue;
      Operation *made = value.getDefiningOp();
      while (made && spec.op->isProperAncestor(made) &&
             isa<ViewLikeOpInterface>(made)) {
        value = cast<ViewLikeOpInterface>(made).getViewSource();
        made = value.getDefiningOp();
      }
      Operation *owner = made ? made : value.getParentBlock()->getParentOp();
      bool outside =
          made ? !spec.op->isProperAncestor(made)
               : owner != spec.op && !spec.op->isProperAncestor(owner);
      if (outside && e.values.contains(value)) {
        for (const SymMemRef::Choice &choice : e.memref(value).choices)
          written[choice.view.block] = true;
      } else if (!made || !hasSingleEffect<MemoryEffects::Allocate>(made)) {
        any = true; // carried by a loop, or made in a way not looked into
      }
    }
  });
  if (any)
    written.assign(written.size(), true);
  return written;
}

void LoopSummary::addSlot(Slot::Kind kind, unsigned number,
                          const SymTensor &init) {
  Slot slot;
  slot.kind = kind;
  slot.number = number;
  slot.init = init;
  slot.base = terms.stateBase("loop" + std::to_string(e.summaries) + "." +
                                  std::to_string(slots.size()),
                              init.type, init.rank());
  slots.push_back(std::move(slot));
}

bool LoopSummary::makeSlots(ArrayRef<SymValue> carried) {
  for (auto [number, value] : llvm::enumerate(carried)) {
    if (value.isMemRef())
      return fail("it carries memrefs");
    SymTensor init = value.tensor;
    if (value.isScalar()) {
      init.type = value.scalar.value->type();
      init.element = value.scalar;
    }
    addSlot(value.isScalar() ? Slot::Kind::Scalar : Slot::Kind::Tensor, number,
            init);
  }
  SmallVector<bool> written = writtenBlocks();
  for (auto [number, isWritten] : llvm::enumerate(written))
    if (isWritten && e.memory[number].dead)
      addSlot(Slot::Kind::Block, number, e.contentsOf(number));
  return true;
}

LoopSummary::Slot *LoopSummary::slotOf(const TensorBase *base) {
  for (Slot &slot : slots)
    if (slot.base == base)
      return &slot;
  return nullptr;
}

/// The slot's element at its own indices as an iteration finds it.
Element LoopSummary::before(const Slot &slot) {
  IndexList own;
  for (unsigned dim = 0; dim < slot.init.rank(); ++dim)
    own.push_back(terms.ownIndex(dim));
  return {terms.mkRead(slot.base, own), terms.mkPoisonRead(slot.base, own)};
}

//===----------------------------------------------------------------------===//
// One iteration
//===----------------------------------------------------------------------===//

bool LoopSummary::runBody(ArrayRef<SymValue> carried) {
  t = terms.index().freshVar();
  inside = e.current.withExtent(t, spec.trips);
  if (e.current.decide(geZero(spec.trips - 1)) != true)
    inside = inside->assume(geZero(spec.trips - 1));
  SmallVector<SymValue> arguments(carried.begin(), carried.end()), next;
  for (Slot &slot : slots) {
    if (slot.kind == Slot::Kind::Block) {
      e.setContents(slot.number, before(slot));
    } else if (slot.kind == Slot::Kind::Scalar) {
      arguments[slot.number] = SymValue(before(slot));
    } else {
      SymTensor tensor = slot.init;
      tensor.element = before(slot);
      arguments[slot.number] = SymValue(tensor);
    }
  }
  Memory start = e.memory;
  size_t frozenBefore = e.frozen.size();
  auto *outerSink = e.sink;
  IndexContext outer = e.current, outerAmbient = terms.ambient();
  e.sink = &conditions;
  e.current = *inside;
  if (e.depth == 0)
    terms.setAmbient(*inside);
  std::vector<std::vector<Encoder::AccessRecord>> records(1);
  auto *outerAccesses = e.accesses;
  if (spec.parallel)
    e.accesses = &records[0];
  bool ok = succeeded(body(t, arguments, next));
  e.accesses = outerAccesses;
  e.sink = outerSink;
  e.current = outer;
  terms.setAmbient(outerAmbient);
  if (outerAccesses && spec.parallel)
    outerAccesses->insert(outerAccesses->end(), records[0].begin(),
                          records[0].end());
  if (ok && spec.parallel &&
      !e.areIndependent(records, t, spec.trips, start.size()))
    e.noteConflicts(spec.op);
  if (!ok)
    return fail("its body has no encoding at a symbolic iteration");
  for (unsigned number :
       ArrayRef(e.frozen.getArrayRef()).drop_front(frozenBefore))
    if (number < start.size())
      return fail("it makes tensors of memory around it");
  for (Slot &slot : slots)
    if (slot.kind == Slot::Kind::Block) {
      slot.next = e.memory[slot.number].contents;
      e.memory[slot.number].contents = slot.init.element;
      start[slot.number].contents = slot.init.element;
    }
  for (auto [number, state] : llvm::enumerate(start))
    if (state.dead && (state.dead != e.memory[number].dead ||
                       !(state.contents == e.memory[number].contents)))
      return fail("it frees memory, or writes where that was not seen");
  return takeResults(carried, next);
}

bool LoopSummary::takeResults(ArrayRef<SymValue> carried,
                              ArrayRef<SymValue> next) {
  for (Slot &slot : slots) {
    if (slot.kind != Slot::Kind::Block) {
      const SymValue &value = next[slot.number];
      if (value.kind != carried[slot.number].kind)
        return fail("it carries values of another kind");
      slot.next = value.isScalar() ? value.scalar : value.tensor.element;
      if (value.isTensor())
        for (auto [a, b] : llvm::zip_equal(slot.init.shape, value.tensor.shape))
          if (!inside->provablyEqual(a, b))
            return fail("a carried tensor changes its shape");
    }
    slot.changed = !(slot.next == before(slot));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

namespace {
/// term = guard ? update : self.
struct Flat {
  bool never = false;
  Guard guard;
  const Term *update = nullptr;
};
} // namespace

static Flat flatten(const Term *term, const Term *self) {
  if (term == self)
    return {true, {}, term};
  if (term->kind() == TermKind::Ite) {
    const Term *yes = term->operands()[0], *no = term->operands()[1];
    Guard guard(term->guard().begin(), term->guard().end());
    const Term *rest = nullptr;
    if (no == self) {
      rest = yes;
    } else if (yes == self && guard.size() == 1 && !guard[0].isEquality) {
      guard[0] = geZero(-guard[0].poly - 1);
      rest = no;
    }
    if (rest) {
      Flat inner = flatten(rest, self);
      guard.append(inner.guard.begin(), inner.guard.end());
      inner.guard = guard;
      return inner;
    }
  }
  return {false, {}, term};
}

void LoopSummary::splitUpdate(Slot &slot) {
  Element self = before(slot);
  Flat value = flatten(slot.next.value, self.value);
  Flat poison = flatten(slot.next.poison, self.poison);
  if (poison.never && !value.never) {
    slot.guard = value.guard;
    slot.update = {value.update, self.poison};
  } else if (value.never && !poison.never) {
    slot.guard = poison.guard;
    slot.update = {self.value, poison.update};
  } else if (value.guard == poison.guard) {
    slot.guard = value.guard;
    slot.update = {value.update, poison.update};
  } else {
    slot.guard.clear();
    slot.update = slot.next;
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void LoopSummary::storeResults(SmallVectorImpl<SymValue> &carried) {
  for (Slot &slot : slots) {
    if (!slot.changed)
      continue;
    if (slot.kind == Slot::Kind::Block)
      e.setContents(slot.number, slot.result.element);
    else if (slot.kind == Slot::Kind::Scalar)
      carried[slot.number] = SymValue(slot.result.element);
    else
      carried[slot.number] = SymValue(slot.result);
  }
}

static bool hasFlags(Operation *op) {
  auto flags = op->getAttrOfType<arith::FastMathFlagsAttr>("fastmath");
  return flags && flags.getValue() != arith::FastMathFlags::none;
}

/// Does the body hold an operation whose result is a set? Each iteration picks
/// anew, which one symbolic iteration does not tell.
static bool mayPick(Operation *loop, PickTable::Mode mode) {
  if (mode == PickTable::Mode::Off)
    return false;
  auto result = loop->walk([&](Operation *op) {
    bool isFloat = llvm::any_of(op->getResultTypes(), [](Type type) {
      return isa<FloatType>(getElementTypeOrSelf(type));
    });
    bool isSet =
        hasFlags(op) || isa<CallOpInterface>(op) ||
        llvm::is_contained({"arith.maxnumf", "arith.minnumf", "linalg.softmax"},
                           op->getName().getStringRef());
    return isSet || (isFloat && mode == PickTable::Mode::Bits)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool LoopSummary::run(SmallVectorImpl<SymValue> &carried) {
  if (mayPick(spec.op, e.shared.picks.mode))
    return fail("its operations pick their results");
  if (e.depth != 0)
    for (const SymValue &value : carried)
      if (!value.isScalar())
        return fail("it carries a tensor inside of a tensor's element");
  if (!makeSlots(carried) || !runBody(carried))
    return false;
  // Inside of a reduction's body its accumulators would be taken for ours.
  auto isOpen = [](Element element) {
    return element.value->hasElemParams() || element.poison->hasElemParams();
  };
  for (const Slot &slot : slots)
    if (isOpen(slot.init.element) || isOpen(slot.next))
      return fail("it is part of a reduction");
  for (const UBCondition &ub : conditions)
    if (ub.condition->hasElemParams())
      return fail("it is part of a reduction");
  for (Slot &slot : slots)
    if (slot.changed)
      splitUpdate(slot);
  if (!foldScalars())
    return false;
  for (Slot &slot : slots) {
    if (!slot.changed || slot.kind == Slot::Kind::Scalar)
      continue;
    if (!summarise(slot))
      return false;
  }
  for (Slot &slot : slots) {
    if (!slot.changed)
      continue;
    Element element = slot.result.element;
    for (const Slot &other : slots) // nothing of this loop is left
      for (const Term *part : {element.value, element.poison})
        if (part->hasState() && mentions(part, other.base))
          return fail("what it computes depends on other iterations");
  }
  if (!closeConditions())
    return false;
  storeResults(carried);
  return true;
}
