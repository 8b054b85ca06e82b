//===- InterpLinalg.cpp - Execution of linalg operations ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every structured operation is executed from its indexing maps and body, in
/// lexicographic order of its loops. Softmax, pack, unpack and the Winograd
/// transforms are executed by their upstream definitions.
///
//===----------------------------------------------------------------------===//

#include "Strips.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

namespace {

/// Where an operand is accessed: position = base + Σ step·loop when the map is
/// linear, else by evaluating the map.
struct Access {
  AffineMap map;
  SmallVector<int64_t> strides;
  bool isLinear = true;
  int64_t base = 0;
  SmallVector<int64_t> steps;

  int64_t at(ArrayRef<int64_t> index) const {
    if (!isLinear)
      return linearize(map.compose(index), strides);
    int64_t position = base;
    for (auto [i, step] : llvm::zip(index, steps))
      position += i * step;
    return position;
  }
};

/// One run of a structured operation.
class Structured {
public:
  Structured(Executor &e, linalg::LinalgOp op) : e(e), op(op) {}
  Did run();

private:
  bool prepareLoops();
  bool prepareAccesses();
  bool checkAccess(OpOperand &operand, AffineExpr expr, unsigned dim,
                   ArrayRef<int64_t> flat);
  bool isInside(unsigned k);
  std::optional<SmallVector<unsigned>> outputLoops();
  bool runStrips(Strips &strips, ArrayRef<unsigned> parallel);
  bool runFast(Body &body);
  bool runSlow(Body &body);
  Did runOnBuffers();
  bool runPoint(Body &body, ArrayRef<int64_t> index);
  const ConcreteValue &valueOf(unsigned k) const {
    return k < numInputs ? *inputs[k] : outputs[k - numInputs];
  }

  Executor &e;
  linalg::LinalgOp op;
  unsigned numInputs = 0;
  SmallVector<int64_t> extents;
  SmallVector<Access> accesses;
  SmallVector<ValuePtr> inputs;
  SmallVector<ConcreteValue> outputs;
};

} // namespace

bool Structured::prepareLoops() {
  SmallVector<int64_t> sizes;
  for (Value operand : op->getOperands())
    llvm::append_range(sizes, e.get(operand).shape());
  AffineMap shapesToLoops = op.getShapesToLoopsMap();
  if (!shapesToLoops) {
    e.unsupported(op, "loops whose extents no operand gives");
    return false;
  }
  extents = shapesToLoops.compose(sizes);
  return true;
}

/// One subscript of one operand must stay inside it; a plain loop as subscript
/// must cover it exactly.
bool Structured::checkAccess(OpOperand &operand, AffineExpr expr, unsigned dim,
                             ArrayRef<int64_t> flat) {
  int64_t size = e.get(operand.get()).shape()[dim];
  if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
    if (extents[loop.getPosition()] == size)
      return true;
    e.undefined(op, "operand #" + Twine(operand.getOperandNumber()) +
                        " has size " + Twine(size) + " in dimension " +
                        Twine(dim) + " where the loop runs to " +
                        Twine(extents[loop.getPosition()]));
    return false;
  }
  int64_t low = flat.back(), high = flat.back();
  for (auto [coefficient, extent] : llvm::zip(flat.drop_back(), extents)) {
    if (extent == 0)
      return true;
    (coefficient < 0 ? low : high) += coefficient * (extent - 1);
  }
  if (low >= 0 && high < size)
    return true;
  e.undefined(op, "operand #" + Twine(operand.getOperandNumber()) +
                      " is accessed at " + Twine(low < 0 ? low : high) +
                      " in dimension " + Twine(dim) + " of size " +
                      Twine(size));
  return false;
}

bool Structured::prepareAccesses() {
  for (OpOperand &operand : op->getOpOperands()) {
    Access access;
    access.map = op.getMatchingIndexingMap(&operand);
    access.strides = ConcreteValue::stridesOf(e.get(operand.get()).shape());
    access.steps.assign(extents.size(), 0);
    for (auto [d, expr] : llvm::enumerate(access.map.getResults())) {
      SmallVector<int64_t> flat;
      if (failed(getFlattenedAffineExpr(expr, extents.size(), 0, &flat))) {
        e.unsupported(op, "a subscript that is not affine");
        return false;
      }
      if (flat.size() != extents.size() + 1) {
        access.isLinear = false;
        continue;
      }
      if (!checkAccess(operand, expr, d, flat))
        return false;
      access.base += flat.back() * access.strides[d];
      for (auto [step, coefficient] : llvm::zip(access.steps, flat))
        step += coefficient * access.strides[d];
    }
    accesses.push_back(std::move(access));
  }
  return true;
}

/// A map that is not linear is checked at each point of the domain.
bool Structured::isInside(unsigned k) {
  bool inside = true;
  forEachIndex(extents, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> position = accesses[k].map.compose(index);
    for (auto [i, size] : llvm::zip(position, valueOf(k).shape()))
      inside &= i >= 0 && i < size;
  });
  return inside;
}

/// The loops that number the elements of every output, if the outputs agree
/// about them; and all accesses are linear.
std::optional<SmallVector<unsigned>> Structured::outputLoops() {
  if (op.getBlock()->getNumArguments() != accesses.size() ||
      !llvm::all_of(accesses, [](const Access &a) { return a.isLinear; }))
    return std::nullopt;
  std::optional<SmallVector<unsigned>> loops;
  for (const Access &access :
       ArrayRef<Access>(accesses).drop_front(numInputs)) {
    SmallVector<unsigned> own;
    for (AffineExpr expr : access.map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || llvm::is_contained(own, dim.getPosition()))
        return std::nullopt;
      own.push_back(dim.getPosition());
    }
    llvm::sort(own);
    if (loops && *loops != own)
      return std::nullopt;
    loops = own;
  }
  return loops;
}

bool Structured::runStrips(Strips &strips, ArrayRef<unsigned> parallel) {
  SmallVector<Strips::Operand> operands;
  for (auto [k, access] : llvm::enumerate(accesses))
    operands.push_back({&valueOf(k), access.base, access.steps});
  return strips.run(op, extents, parallel, operands, outputs);
}

/// With fewer points strips cost more than they save.
static constexpr int64_t kFewPoints = 64;

bool Structured::runFast(Body &body) {
  Payload &payload = body.fast();
  int64_t points = 1;
  for (int64_t extent : extents)
    points *= extent;
  if (!e.options.pointByPoint && points >= kFewPoints)
    if (std::optional<SmallVector<unsigned>> parallel = outputLoops())
      if (auto strips = Strips::prepare(e, payload, numInputs))
        return runStrips(*strips, *parallel);
  unsigned numArguments = op.getBlock()->getNumArguments();
  bool ok = true;
  forEachIndex(extents, [&](ArrayRef<int64_t> index) {
    if (!ok)
      return;
    for (unsigned k = 0; k < numArguments; ++k) {
      const ConcreteValue &value = valueOf(k);
      int64_t position = accesses[k].at(index);
      payload.argument(k) = {value.word(position), value.marks(position)};
    }
    ok = payload.run(e, index) && e.spend(op, 0);
    if (!ok)
      return;
    for (auto [r, output] : llvm::enumerate(outputs)) {
      const Payload::Slot &slot = payload.result(r);
      output.setWord(accesses[numInputs + r].at(index), slot.word, slot.marks);
    }
  });
  return ok;
}

bool Structured::runSlow(Body &body) {
  unsigned numArguments = op.getBlock()->getNumArguments();
  bool ok = true;
  forEachIndex(extents, [&](ArrayRef<int64_t> index) {
    if (!ok)
      return;
    SmallVector<ConcreteValue, 3> arguments;
    for (unsigned k = 0; k < numArguments; ++k)
      arguments.push_back(ConcreteValue::scalar(
          valueOf(k).type(), valueOf(k).get(accesses[k].at(index))));
    SmallVector<ConcreteElement> results;
    ok = body.run(arguments, index, results) && e.spend(op, 1);
    if (!ok)
      return;
    for (auto [r, output] : llvm::enumerate(outputs))
      output.set(accesses[numInputs + r].at(index), results[r]);
  });
  return ok;
}

/// One iteration with operands in memory, whose writes later ones see.
bool Structured::runPoint(Body &body, ArrayRef<int64_t> index) {
  SmallVector<ConcreteElement, 3> elements;
  unsigned numArguments = op.getBlock()->getNumArguments();
  for (unsigned k = 0; k < numArguments; ++k) {
    ValuePtr value = e.getPtr(op->getOperand(k));
    std::optional<ConcreteElement> element;
    if (value->isMemRef())
      element = e.load(op, *value, accesses[k].map.compose(index));
    else
      element = value->get(accesses[k].at(index));
    if (!element)
      return false;
    elements.push_back(std::move(*element));
  }
  SmallVector<ConcreteElement> results;
  if (body.isFast()) {
    Payload &payload = body.fast();
    for (auto [k, element] : llvm::enumerate(elements))
      payload.argument(k) = {element.bits.getZExtValue(), element.marks};
    if (!payload.run(e, index))
      return false;
    for (unsigned r = 0; r < op.getNumDpsInits(); ++r) {
      ScalarType type = e.get(op.getDpsInits()[r]).type();
      const Payload::Slot &slot = payload.result(r);
      results.push_back({llvm::APInt(type.width(), slot.word), slot.marks});
    }
  } else {
    SmallVector<ConcreteValue, 3> arguments;
    for (auto [k, element] : llvm::enumerate(elements))
      arguments.push_back(
          ConcreteValue::scalar(e.get(op->getOperand(k)).type(), element));
    if (!body.run(arguments, index, results))
      return false;
  }
  unsigned first = op.getNumDpsInputs();
  for (auto [r, result] : llvm::enumerate(results))
    if (!e.store(op, e.getPtr(op.getDpsInits()[r]),
                 accesses[first + r].map.compose(index), result))
      return false;
  return e.spend(op, 1);
}

Did Structured::runOnBuffers() {
  for (Value init : op.getDpsInits())
    if (!e.get(init).isMemRef())
      return e.unsupported(op, "tensors and buffers in one operation");
  if (!prepareLoops() || !prepareAccesses())
    return Did::Failed;
  Body body(e, *op.getBlock());
  bool ok = true;
  forEachIndex(extents, [&](ArrayRef<int64_t> index) {
    ok = ok && runPoint(body, index);
  });
  return ok ? Did::Done : Did::Failed;
}

Did Structured::run() {
  if (!op.hasPureTensorSemantics())
    return runOnBuffers();
  for (OpOperand *input : op.getDpsInputOperands())
    inputs.push_back(e.getPtr(input->get()));
  for (Value init : op.getDpsInits()) {
    const ConcreteValue &value = e.get(init);
    if (!e.allocate(op, value.type(), value.shape()))
      return Did::Failed;
    outputs.push_back(value);
  }
  numInputs = inputs.size();
  if (!prepareLoops() || !prepareAccesses())
    return Did::Failed;
  for (unsigned k = 0; k < accesses.size(); ++k)
    if (!accesses[k].isLinear && !isInside(k))
      return e.undefined(op, "operand #" + Twine(k) +
                                 " is accessed outside its bounds");
  Body body(e, *op.getBlock());
  bool compact = llvm::all_of(llvm::seq<size_t>(0, accesses.size()),
                              [&](size_t k) { return valueOf(k).isCompact(); });
  if (!(body.isFast() && compact ? runFast(body) : runSlow(body)))
    return Did::Failed;
  for (auto [result, output] : llvm::zip(op->getResults(), outputs))
    e.define(result, std::move(output));
  return Did::Done;
}

/// Runs an operation through its definition in simpler ones.
static Did executeByDefinition(Executor &e, Operation *op) {
  Operation *definition = e.definition(op);
  if (!definition)
    return e.unsupported(op, "'" + op->getName().getStringRef() +
                                 "' of this form has no definition");
  SmallVector<ValuePtr> arguments, results;
  for (Value operand : op->getOperands())
    arguments.push_back(e.getPtr(operand));
  bool quiet = std::exchange(e.quiet, true); // its steps are not the program's
  bool ok = e.call(definition, arguments, results);
  e.quiet = quiet;
  if (!ok) {
    e.outcome.op = op; // the definition does not outlive the run
    return Did::Failed;
  }
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    e.define(result, value);
  return Did::Done;
}

bool interp::knowsLinalg(Operation *op) {
  return isa<linalg::IndexOp, linalg::YieldOp, linalg::SoftmaxOp,
             linalg::PackOp, linalg::UnPackOp,
             linalg::WinogradFilterTransformOp,
             linalg::WinogradInputTransformOp,
             linalg::WinogradOutputTransformOp>(op) ||
         isa<linalg::LinalgOp>(op);
}

Did interp::executeLinalg(Executor &e, Operation *op) {
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return e.define(
        index.getResult(),
        ConcreteValue::scalar(ScalarType::index(e.options.indexWidth),
                              e.loopIndex[index.getDim()]));
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return Structured(e, structured).run();
  if (knowsLinalg(op))
    return executeByDefinition(e, op);
  return Did::NotMine;
}
