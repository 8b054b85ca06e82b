//===- UnknownCalls.cpp - Calls of functions without a body ---------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An unknown function may read and write all memory that the caller can see,
/// and the local memory that was ever passed to such a function. It is the same
/// function on both sides: equal arguments and memory give equal results.
/// A block of its own, "the outside world", keeps the calls in order.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace panpipe::tv;

namespace {
class UnknownCall {
public:
  UnknownCall(TermContext &terms, const std::string &name)
      : terms(terms), name(name) {}
  void pass(const SymTensor &tensor) {
    operands.push_back({tensor.type, tensor.shape, tensor.element});
  }
  void pass(Element element) {
    operands.push_back({element.value->type(), {}, element});
  }
  Element result(ScalarType type, ArrayRef<IndexTerm> shape) {
    const TensorBase *base =
        terms.opaqueBase(name, next++, type, shape.size(), operands);
    IndexList own;
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      own.push_back(terms.ownIndex(dim));
    return {terms.mkRead(base, own), terms.mkPoisonRead(base, own)};
  }

private:
  TermContext &terms;
  std::string name;
  std::vector<TensorBase::Operand> operands;
  unsigned next = 0;
};
} // namespace

/// Depends on nothing but symbols: an operand of an unknown function is never
/// substituted into.
static bool isClosed(const SymTensor &tensor, TermContext &terms) {
  auto closed = [&](const Term *term) {
    return !term->hasElemParams() && !term->hasState() &&
           llvm::all_of(term->leaves(), [&](const IndexAtom *atom) {
             return atom->kind != AtomKind::Var || atom->number < tensor.rank();
           });
  };
  return closed(tensor.element.value) && closed(tensor.element.poison);
}

LogicalResult Encoder::encodeUnknownCall(Operation *call, StringRef name,
                                         SmallVectorImpl<SymValue> &results) {
  for (Type type : call->getResultTypes())
    if (auto shaped = dyn_cast<ShapedType>(type);
        shaped && (isa<BaseMemRefType>(type) || !shaped.hasStaticShape()))
      return unsupported(call, "unknown functions with results of type " +
                                   toText(type) + " have no encoding");
  UnknownCall function(terms(), ("@" + name).str());
  bool closed = true;
  auto pass = [&](const SymTensor &tensor) {
    closed &= isClosed(tensor, terms());
    function.pass(tensor);
  };
  for (Value operand : call->getOperands()) {
    const SymValue &value = get(operand);
    if (value.isTensor()) {
      pass(value.tensor);
    } else if (value.isScalar()) {
      SymTensor scalar;
      scalar.type = value.scalar.value->type();
      scalar.element = value.scalar;
      pass(scalar);
    } else {
      if (value.memref.choices.size() != 1)
        return unsupported(call, "a memref that data decides on");
      const MemView &view = value.memref.choices[0].view;
      if (failed(access(value.memref, /*writes=*/false, call)))
        return failure();
      if (blocks[view.block].kind == MemBlock::Kind::Frozen ||
          frozen.contains(view.block))
        return unsupported(call, "memory that a tensor shares");
      if (!blocks[view.block].isObservable() &&
          blocks[view.block].kind != MemBlock::Kind::Constant)
        escaped.insert(view.block);
      SymTensor where;
      where.type = indexType();
      where.shape = view.shape;
      for (IndexTerm index : view.forward) {
        where.element = defined(indexValue(index));
        pass(where);
      }
      // Which block it is: observable ones have one name on both sides.
      std::string address =
          escaped.contains(view.block)
              ? std::to_string(
                    std::find(escaped.begin(), escaped.end(), view.block) -
                    escaped.begin())
              : blocks[view.block].name;
      SymTensor block;
      block.type = indexType();
      block.element = defined(terms().mkRead(
          terms().argumentBase("address of " + address, indexType(), 0), {}));
      pass(block);
    }
  }
  SmallVector<unsigned> reached;
  for (unsigned number = 0; number < blocks.size(); ++number)
    if (blocks[number].isObservable())
      reached.push_back(number);
  llvm::sort(reached, [&](unsigned a, unsigned b) {
    return blocks[a].name < blocks[b].name;
  });
  for (unsigned number : escaped)
    if (memory[number].dead)
      reached.push_back(number);
  for (unsigned number : reached)
    pass(contentsOf(number));
  if (!closed)
    return unsupported(call, "an unknown function under loop variables has no "
                             "encoding");
  for (Type type : call->getResultTypes()) {
    IndexList shape;
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      for (int64_t size : shaped.getShape())
        shape.push_back(constant(size));
      SymTensor tensor;
      tensor.type = *scalarType(type);
      tensor.shape = shape;
      tensor.element = function.result(tensor.type, shape);
      results.push_back(SymValue(tensor));
    } else {
      results.push_back(SymValue(function.result(*scalarType(type), {})));
    }
  }
  for (unsigned number : reached) {
    if (blocks[number].isObservable())
      out.touched.insert(blocks[number].name);
    setContents(number,
                function.result(blocks[number].type, blocks[number].shape));
  }
  assumeNote("unknown-function", "@" + name +
                                     " does the same on both sides, given the "
                                     "same arguments and memory");
  return success();
}
