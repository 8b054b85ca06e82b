//===- MemoryAccess.cpp - Loads and stores --------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A load is a read of the block's contents at the mapped index; a store is a
/// case distinction on the block's own index. Both have one case for each view
/// that the memref may be.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace panpipe::tv;

SymTensor Encoder::contentsOf(unsigned number) const {
  SymTensor tensor;
  tensor.type = blocks[number].type;
  tensor.shape = blocks[number].shape;
  tensor.element = memory[number].contents;
  return tensor;
}

void Encoder::setContents(unsigned number, Element contents) {
  memory[number].contents = contents;
}

SymMemRef Encoder::allocate(MemBlock::Kind kind, const SymTensor &tensor,
                            const Twine &name) {
  unsigned number = blocks.size();
  MemBlock block;
  block.kind = kind;
  block.name = name.str();
  block.type = tensor.type;
  block.shape = tensor.shape;
  blocks.push_back(std::move(block));
  memory.resize(blocks.size());
  memory[number] = {tensor.element, terms().mkBool(false)};
  SymMemRef memref;
  memref.type = tensor.type;
  memref.choices.push_back(
      {terms().mkBool(true), wholeView(terms(), number, tensor.shape)});
  return memref;
}

SymMemRef Encoder::global(StringRef name, ScalarType type,
                          ArrayRef<IndexTerm> shape) {
  std::string full = ("@" + name).str();
  unsigned number = 0;
  while (number < blocks.size() && blocks[number].name != full)
    ++number;
  if (number == blocks.size()) {
    SymTensor initial = argumentTensor(terms(), full, type, shape,
                                       shared.options.poisonArguments);
    MemBlock block{MemBlock::Kind::Global, full, type, initial.shape,
                   initial.element};
    blocks.push_back(block);
    memory.resize(blocks.size());
    memory[number] = {initial.element, terms().mkBool(false)};
  }
  SymMemRef memref;
  memref.type = type;
  memref.choices.push_back(
      {terms().mkBool(true), wholeView(terms(), number, shape)});
  return memref;
}

/// What every access checks: the memory lives, and may be written.
LogicalResult Encoder::access(const SymMemRef &memref, bool writes,
                              Operation *op) {
  if (writes && depth != 0)
    return unsupported(op, "a write inside of a tensor's element");
  for (const SymMemRef::Choice &choice : memref.choices) {
    const MemBlock &block = blocks[choice.view.block];
    const MemState &state = memory[choice.view.block];
    if (!state.dead)
      return unsupported(op, "memory that may not have been allocated");
    addUB(terms().mkAnd(choice.condition, state.dead),
          "access to memory that was freed", op);
    if (writes && block.kind == MemBlock::Kind::Constant)
      addUB(choice.condition, "write to constant memory", op);
    if (writes && (block.kind == MemBlock::Kind::Frozen ||
                   frozen.contains(choice.view.block)))
      return unsupported(op, "a write to memory that a tensor shares has no "
                             "encoding");
    if (block.isObservable())
      out.touched.insert(block.name);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

FailureOr<SymTensor> Encoder::readView(const SymMemRef &memref, Operation *op) {
  if (failed(access(memref, /*writes=*/false, op)))
    return failure();
  record(memref, {}, /*writes=*/false);
  return readViewAt(memref);
}

SymTensor Encoder::readViewAt(const SymMemRef &memref) {
  SymTensor result;
  for (const SymMemRef::Choice &choice : llvm::reverse(memref.choices)) {
    const MemView &view = choice.view;
    SymTensor read =
        indexMapTensor(terms(), contentsOf(view.block), view.shape,
                       [&](ArrayRef<IndexTerm>, const IndexContext &) {
                         return view.forward;
                       });
    if (result.element.value)
      read.element = choose(choice.condition, read.element, result.element);
    result = std::move(read);
  }
  return result;
}

FailureOr<Element> Encoder::load(const SymMemRef &memref, ArrayRef<Element> at,
                                 Operation *op) {
  if (failed(access(memref, /*writes=*/false, op)))
    return failure();
  record(memref, at, /*writes=*/false);
  return readAt(readViewAt(memref), at, op);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// `old` without earlier stores under the same guard: they are overwritten.
static const Term *withoutGuard(TermContext &terms, const Term *old,
                                ArrayRef<GuardAtom> guard,
                                const IndexContext &context) {
  SmallVector<const Term *, 8> kept;
  bool found = false;
  const Term *next = old;
  for (; next->kind() == TermKind::Ite; next = next->operands()[1]) {
    if (next->guard() == guard)
      found = true;
    else
      kept.push_back(next);
  }
  if (!found)
    return old;
  for (const Term *ite : llvm::reverse(kept))
    next = terms.mkIte(ite->guard(), ite->operands()[0], next, context);
  return next;
}

LogicalResult Encoder::writeView(const SymMemRef &memref,
                                 const SymTensor &tensor, Operation *op,
                                 ArrayRef<GuardAtom> where) {
  if (failed(access(memref, /*writes=*/true, op)))
    return failure();
  record(memref, {}, /*writes=*/true);
  for (const SymMemRef::Choice &choice : memref.choices) {
    const MemView &view = choice.view;
    const MemBlock &block = blocks[view.block];
    IndexContext context = ownContext(terms(), block.shape);
    Guard guard = view.inside;
    IndexContext inside = context.assume(guard);
    IndexSubst back;
    for (auto [dim, index] : llvm::enumerate(view.inverse))
      back.set(terms().ownIndex(dim), index);
    for (GuardAtom atom : where) {
      atom.poly = inside.substitute(atom.poly, back);
      guard.push_back(atom.normalized());
    }
    inside = inside.assume(guard);
    Element value = viewElement(terms(), tensor, view.inverse, inside);
    Element old = memory[view.block].contents;
    Element written = terms().mkIte(guard, value, old, context);
    setContents(view.block, choose(choice.condition, written, old));
  }
  return success();
}

LogicalResult Encoder::store(const SymMemRef &memref, ArrayRef<Element> at,
                             Element value, Operation *op) {
  if (failed(access(memref, /*writes=*/true, op)))
    return failure();
  record(memref, at, /*writes=*/true);
  SmallVector<const Term *> indices;
  for (auto [index, size] : llvm::zip_equal(at, memref.shape())) {
    requireInBounds(index, size, op);
    indices.push_back(index.value);
  }
  return storeSplit(memref, indices, 0, value, op);
}

/// `term` as condition ? a : b, where data decides between index values;
/// arithmetic on such is taken into both.
static std::optional<
    std::pair<const Term *, std::pair<const Term *, const Term *>>>
splitOnData(Encoder &e, const Term *term, Operation *op, unsigned depth = 0) {
  TermContext &terms = e.terms();
  if (term->kind() == TermKind::Ite) {
    const Term *condition = terms.mkIte(term->guard(), terms.mkBool(true),
                                        terms.mkBool(false), e.context());
    return {{condition, {term->operands()[0], term->operands()[1]}}};
  }
  if (term->is(ScalarOp::Select))
    return {{term->operands()[0], {term->operands()[1], term->operands()[2]}}};
  if (depth == 4 || !(term->is(ScalarOp::AddI) || term->is(ScalarOp::SubI) ||
                      term->is(ScalarOp::MulI)))
    return std::nullopt;
  for (unsigned k : {0u, 1u}) {
    auto inner = splitOnData(e, term->operands()[k], op, depth + 1);
    if (!inner)
      continue;
    auto with = [&](const Term *value) {
      SmallVector<Element> operands = {e.defined(term->operands()[0]),
                                       e.defined(term->operands()[1])};
      operands[k] = e.defined(value);
      return e.apply(term->op(), ScalarAttrs(), term->type(), operands, op)
          .value;
    };
    return {{inner->first,
             {with(inner->second.first), with(inner->second.second)}}};
  }
  return std::nullopt;
}

/// Stores at indices of which the first `dim` are polynomials (IndexValues).
LogicalResult Encoder::storeSplit(const SymMemRef &memref,
                                  MutableArrayRef<const Term *> at,
                                  unsigned dim, Element value, Operation *op) {
  for (; dim < at.size(); ++dim) {
    const Term *index = at[dim];
    if (memref.shape()[dim].constantInt64() == 1) {
      at[dim] = indexValue(constant(0));
      continue;
    }
    if (auto exact = accessPolynomial(index)) {
      at[dim] = indexValue(*exact);
      continue;
    }
    if (auto split = splitOnData(*this, index, op)) {
      Memory before = memory;
      at[dim] = split->second.first;
      if (failed(storeSplit(memref, at, dim, value, op)))
        return failure();
      Memory first = memory;
      memory = before;
      at[dim] = split->second.second;
      if (failed(storeSplit(memref, at, dim, value, op)))
        return failure();
      at[dim] = index;
      std::swap(memory, first);
      joinMemory(split->first, first);
      return success();
    }
    IndexTerm symbol = indexOrSymbol(defined(index), "index", op);
    if (!symbol)
      return unsupported(op, "a store at an index that depends on data and on "
                             "loop variables has no encoding");
    at[dim] = indexValue(symbol);
  }
  for (const SymMemRef::Choice &choice : memref.choices) {
    const MemView &view = choice.view;
    IndexContext context = ownContext(terms(), blocks[view.block].shape);
    IndexSubst subst;
    for (auto [number, index] : llvm::enumerate(at))
      subst.set(terms().ownIndex(number), *polynomial(index));
    Guard guard;
    for (auto [number, forward] : llvm::enumerate(view.forward))
      guard.push_back(
          eqZero(terms().ownIndex(number) - current.substitute(forward, subst))
              .normalized());
    Element old = memory[view.block].contents;
    Element rest = {withoutGuard(terms(), old.value, guard, context),
                    withoutGuard(terms(), old.poison, guard, context)};
    if (!choice.condition->isTrue())
      rest = old;
    Element written = terms().mkIte(guard, value, rest, context);
    setContents(view.block, choose(choice.condition, written, old));
  }
  return success();
}

LogicalResult Encoder::free(const SymMemRef &memref, Operation *op) {
  if (failed(access(memref, /*writes=*/false, op)))
    return failure();
  if (depth != 0)
    return unsupported(op, "freeing inside of a tensor's element");
  for (const SymMemRef::Choice &choice : memref.choices) {
    const MemBlock &block = blocks[choice.view.block];
    if (!choice.view.whole || block.kind != MemBlock::Kind::Heap)
      return unsupported(op, "freeing anything but a buffer that this function "
                             "allocated has no encoding");
    const Term *&dead = memory[choice.view.block].dead;
    dead = terms().mkOr(dead, choice.condition);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

std::optional<SymMemRef> Encoder::mapViews(const SymMemRef &memref,
                                           ViewFunction function) {
  SymMemRef result;
  result.type = memref.type;
  for (const SymMemRef::Choice &choice : memref.choices) {
    std::optional<MemView> view = function(choice.view);
    if (!view)
      return std::nullopt;
    result.choices.push_back({choice.condition, std::move(*view)});
  }
  return result;
}

bool Encoder::isSameView(const SymMemRef &a, const SymMemRef &b) const {
  return a.choices.size() == 1 && b.choices.size() == 1 &&
         a.choices[0].view.block == b.choices[0].view.block &&
         a.choices[0].view.shape == b.choices[0].view.shape &&
         a.choices[0].view.forward == b.choices[0].view.forward;
}

bool Encoder::mayOverlap(const SymMemRef &a, const SymMemRef &b) const {
  for (const SymMemRef::Choice &x : a.choices)
    for (const SymMemRef::Choice &y : b.choices) {
      if (x.view.block != y.view.block)
        continue;
      IndexContext both = ownContext(shared.terms, blocks[x.view.block].shape)
                              .assume(x.view.inside);
      bool apart = llvm::any_of(y.view.inside, [&](GuardAtom atom) {
        return both.decide(atom) == false;
      });
      both = both.assume(y.view.inside);
      if (!apart && !both.isContradictory() &&
          !(shared.oracle &&
            shared.oracle->isEmpty(both, both.facts()) == true))
        return true;
    }
  return false;
}
