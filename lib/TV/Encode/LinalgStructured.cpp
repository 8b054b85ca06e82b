//===- LinalgStructured.cpp - Structured operations of linalg -------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One encoding for every operation with LinalgOp's interface, named or
/// generic: the interface gives maps, iterators and a scalar body for all of
/// them.
///
/// A result element at index o: the loops that the output map ties to o take
/// those values, the others are the domain of a fold in iteration order, which
/// starts from the element of `outs`. A body of the form kind(acc, h) with h
/// free of acc is a fold of that kind; any other body is kept whole as its
/// step. Where an output map is no projected permutation, every loop that it
/// leaves open stays in the domain under the guard map(loops) = o.
///
//===----------------------------------------------------------------------===//

#include "LinalgStructured.h"
#include "LoopSummary.h"

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

IndexTerm tv::evaluateExpr(AffineExpr expr, ArrayRef<IndexTerm> dims,
                           const IndexContext &context) {
  IndexManager &index = context.manager();
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return index.constant(cast<AffineConstantExpr>(expr).getValue());
  case AffineExprKind::DimId:
    return dims[cast<AffineDimExpr>(expr).getPosition()];
  case AffineExprKind::SymbolId:
    return IndexTerm();
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  IndexTerm a = evaluateExpr(binary.getLHS(), dims, context);
  IndexTerm b = evaluateExpr(binary.getRHS(), dims, context);
  if (!a || !b)
    return IndexTerm();
  if (expr.getKind() == AffineExprKind::Add)
    return a + b;
  if (expr.getKind() == AffineExprKind::Mul)
    return a * b;
  if (!IndexManager::isDivisor(b) || !context.nonneg(b - 1))
    return IndexTerm();
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return context.floorDiv(a, b);
  case AffineExprKind::CeilDiv:
    return context.ceilDiv(a, b);
  default:
    return context.mod(a, b);
  }
}

/// Sums and products by constants that are not negative: such an expression is
/// smallest at 0 and largest at the last point.
static bool isMonotone(AffineExpr expr) {
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return cast<AffineConstantExpr>(expr).getValue() >= 0;
  case AffineExprKind::DimId:
    return true;
  case AffineExprKind::Add:
  case AffineExprKind::Mul:
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv: {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    return isMonotone(binary.getLHS()) && isMonotone(binary.getRHS());
  }
  default:
    return false;
  }
}

namespace {

/// How the loops relate to one result index.
struct ResultLoops {
  SmallVector<IndexTerm> values; ///< per loop: the result's index or a variable
  FoldSpec domain;               ///< the loops left open, outermost first
};

class Structured {
public:
  Structured(linalg::LinalgOp op, Encoder &e)
      : op(op), e(e), maps(op.getIndexingMapsArray()) {}
  LogicalResult encode();

private:
  LogicalResult findExtents();
  LogicalResult checkBounds();
  LogicalResult checkOperandBounds(OpOperand &operand, AffineMap map,
                                   ArrayRef<IndexTerm> last,
                                   ArrayRef<GuardAtom> nonEmpty);
  FailureOr<ResultLoops> solve(unsigned result, ArrayRef<IndexTerm> at);
  FailureOr<IndexList> indicesOf(OpOperand &operand,
                                 ArrayRef<IndexTerm> values);
  FailureOr<Element> readOperand(OpOperand &operand,
                                 ArrayRef<IndexTerm> values);
  FailureOr<Element> elementAt(unsigned result, ArrayRef<IndexTerm> at);
  FailureOr<Element> reduce(unsigned result, const ResultLoops &loops,
                            ArrayRef<Element> inits);
  LogicalResult runBody(const ResultLoops &loops, ArrayRef<Element> outs,
                        SmallVectorImpl<Element> &results);
  std::optional<Element> contribution(Element step, unsigned result,
                                      FoldSpec &spec);
  Element stepFold(ArrayRef<Element> steps, ArrayRef<Element> inits,
                   unsigned result, const FoldSpec &spec,
                   ArrayRef<UBCondition> conditions);

  LogicalResult readOperands();
  LogicalResult checkOverlap(unsigned out);
  unsigned numOuts() { return op.getNumDpsInits(); }
  const SymTensor &tensorOf(Value operand) const {
    auto found = operands.find(operand);
    assert(found != operands.end() && "a scalar operand has no elements");
    return found->second;
  }
  ScalarType outType(unsigned out) {
    return tensorOf(op.getDpsInitOperand(out)->get()).type;
  }
  const Term *acc(ScalarType type, unsigned out) {
    return e.terms().mkAcc(type, 2 * out);
  }
  const Term *accPoison(unsigned out) {
    return e.terms().mkAcc(ScalarType::boolean(), 2 * out + 1);
  }

  linalg::LinalgOp op;
  Encoder &e;
  SmallVector<AffineMap> maps;
  SmallVector<IndexTerm> extents;
  /// What the operands hold before the operation, buffers too.
  llvm::DenseMap<Value, SymTensor> operands;
};

} // namespace

/// On buffers: every element of an output is computed from what the inputs hold
/// before the operation. That is so unless an iteration reads what another one
/// wrote, which is excluded here: an input either has nothing in common with
/// the output, or is the same view, read by an iteration where it writes.
LogicalResult Structured::checkOverlap(unsigned out) {
  OpOperand &output = *op.getDpsInitOperand(out);
  const SymMemRef &written = e.memref(output.get());
  bool isParallel = op.getNumParallelLoops() == op.getNumLoops() &&
                    op.getMatchingIndexingMap(&output).isPermutation();
  for (OpOperand &other : op->getOpOperands()) {
    if (&other == &output || !isa<MemRefType>(other.get().getType()))
      continue;
    const SymMemRef &read = e.memref(other.get());
    if (!e.mayOverlap(written, read))
      continue;
    bool isOutput = other.getOperandNumber() >= output.getOperandNumber() - out;
    if (isOutput || !isParallel || !e.isSameView(written, read) ||
        op.getMatchingIndexingMap(&other) != op.getMatchingIndexingMap(&output))
      return e.unsupported(op, "operands that overlap the output have no "
                               "encoding");
  }
  return success();
}

LogicalResult Structured::readOperands() {
  for (Value operand : op->getOperands()) {
    if (isa<TensorType>(operand.getType()))
      operands[operand] = e.tensor(operand);
    if (!isa<MemRefType>(operand.getType()))
      continue;
    FailureOr<SymTensor> tensor = e.readView(e.memref(operand), op);
    if (failed(tensor))
      return failure();
    operands[operand] = std::move(*tensor);
  }
  if (op.hasPureBufferSemantics())
    for (unsigned out = 0; out < numOuts(); ++out)
      if (failed(checkOverlap(out)))
        return failure();
  return success();
}

/// The extent of each loop is the size of the first operand dimension that it
/// walks along; other dimensions it walks along must have the same size.
LogicalResult Structured::findExtents() {
  extents.assign(op.getNumLoops(), IndexTerm());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      IndexTerm size = tensorOf(operand.get()).shape[position];
      IndexTerm &extent = extents[dim.getPosition()];
      if (!extent)
        extent = size;
      else
        e.requireEqual(extent, size, "operand sizes disagree", op);
      // A constant is the simpler name.
      if (size.isConstant())
        extent = size;
    }
  }
  for (IndexTerm extent : extents)
    if (!extent)
      return e.unsupported(op, "a loop that no operand gives an extent");
  return success();
}

LogicalResult Structured::checkOperandBounds(OpOperand &operand, AffineMap map,
                                             ArrayRef<IndexTerm> last,
                                             ArrayRef<GuardAtom> nonEmpty) {
  TermContext &terms = e.terms();
  if (map.getNumResults() == 0)
    return success(); // a scalar
  ArrayRef<IndexTerm> shape = tensorOf(operand.get()).shape;
  IndexContext some = e.context().assume(nonEmpty);
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    if (isa<AffineDimExpr>(expr))
      continue;
    if (!isMonotone(expr))
      return e.unsupported(op, "this indexing map on dynamic sizes");
    IndexTerm largest = evaluateExpr(expr, last, some);
    if (!largest)
      return e.unsupported(op, "this indexing map on dynamic sizes");
    const Term *outside =
        terms.mkIte(geZero(shape[position] - 1 - largest), terms.mkBool(false),
                    terms.mkBool(true), some);
    e.addUB(terms.mkIte(nonEmpty, outside, terms.mkBool(false), e.context()),
            "operand read out of bounds", op);
  }
  return success();
}

/// Static operands were checked by the operation's verifier.
LogicalResult Structured::checkBounds() {
  bool isStatic = llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || shaped.hasStaticShape();
  });
  if (isStatic)
    return success();
  SmallVector<IndexTerm> last;
  Guard nonEmpty;
  for (IndexTerm extent : extents) {
    last.push_back(extent - 1);
    if (!e.context().nonneg(extent - 1))
      nonEmpty.push_back(geZero(extent - 1));
  }
  for (OpOperand &operand : op->getOpOperands())
    if (failed(checkOperandBounds(operand, op.getMatchingIndexingMap(&operand),
                                  last, nonEmpty)))
      return failure();
  return success();
}

FailureOr<ResultLoops> Structured::solve(unsigned result,
                                         ArrayRef<IndexTerm> at) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  ResultLoops loops;
  loops.values.assign(extents.size(), IndexTerm());
  loops.domain.location = toText(op.getLoc());
  SmallVector<unsigned> open;
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && !loops.values[dim.getPosition()])
      loops.values[dim.getPosition()] = at[position];
    else
      open.push_back(position);
  }
  for (auto [loop, value] : llvm::enumerate(loops.values)) {
    if (value)
      continue;
    value = e.terms().index().freshVar();
    loops.domain.vars.push_back(value);
    loops.domain.extents.push_back(extents[loop]);
  }
  IndexContext inside = foldContext(e.context(), loops.domain);
  for (unsigned position : open) {
    IndexTerm where =
        evaluateExpr(map.getResult(position), loops.values, inside);
    if (!where)
      return e.unsupported(op, "this output map has no encoding");
    loops.domain.guard.push_back(eqZero(where - at[position]));
  }
  return loops;
}

FailureOr<IndexList> Structured::indicesOf(OpOperand &operand,
                                           ArrayRef<IndexTerm> values) {
  IndexList at;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    IndexTerm index = evaluateExpr(expr, values, e.context());
    if (!index)
      return e.unsupported(op, "this indexing map has no encoding");
    at.push_back(index);
  }
  return at;
}

FailureOr<Element> Structured::readOperand(OpOperand &operand,
                                           ArrayRef<IndexTerm> values) {
  if (!isa<ShapedType>(operand.get().getType()))
    return e.scalar(operand.get());
  FailureOr<IndexList> at = indicesOf(operand, values);
  if (failed(at))
    return failure();
  return readElement(e.terms(), tensorOf(operand.get()), *at, e.context());
}

/// Runs the body at one point. The caller has opened its scope.
LogicalResult Structured::runBody(const ResultLoops &loops,
                                  ArrayRef<Element> outs,
                                  SmallVectorImpl<Element> &results) {
  Block &body = *op.getBlock();
  SmallVector<SymValue> arguments, yielded;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    FailureOr<Element> element = readOperand(*operand, loops.values);
    if (failed(element))
      return failure();
    arguments.push_back(*element);
  }
  for (Element out : outs)
    arguments.push_back(out);
  arguments.resize(body.getNumArguments()); // a body may leave the outs out
  if (failed(e.encodeBlock(body, arguments, yielded)))
    return failure();
  for (SymValue &value : yielded)
    results.push_back(value.scalar);
  return success();
}

/// The body as kind(acc, h): returns h and sets the kind.
std::optional<Element> Structured::contribution(Element step, unsigned result,
                                                FoldSpec &spec) {
  SmallVector<const Term *> accs;
  for (unsigned out = 0; out < numOuts(); ++out)
    accs.append({acc(outType(out), out), accPoison(out)});
  return asContribution(e.terms(), step, accs, 2 * result, e.context(), spec);
}

/// All accumulators together, and one for each condition of undefined behaviour
/// that reads an accumulator.
Element Structured::stepFold(ArrayRef<Element> steps, ArrayRef<Element> inits,
                             unsigned result, const FoldSpec &spec,
                             ArrayRef<UBCondition> conditions) {
  TermContext &terms = e.terms();
  SmallVector<const Term *> next, first;
  for (auto [step, init] : llvm::zip_equal(steps, inits)) {
    next.append({step.value, step.poison});
    first.append({init.value, init.poison});
  }
  for (const UBCondition &ub : conditions) {
    const Term *before = terms.mkAcc(ScalarType::boolean(), next.size());
    next.push_back(terms.mkOr(before, ub.condition));
    first.push_back(terms.mkBool(false));
  }
  auto last = mkStepFold(terms, e.context(), spec, next, first);
  for (auto [number, ub] : llvm::enumerate(conditions))
    e.addUB(last[2 * steps.size() + number], ub.reason, op);
  return {last[2 * result], last[2 * result + 1]};
}

FailureOr<Element> Structured::reduce(unsigned result, const ResultLoops &loops,
                                      ArrayRef<Element> inits) {
  FoldSpec spec = loops.domain;
  SmallVector<Element> accumulators, steps;
  for (unsigned out = 0; out < numOuts(); ++out)
    accumulators.push_back({acc(outType(out), out), accPoison(out)});
  std::vector<UBCondition> free, bound;
  std::optional<Element> own;
  {
    Encoder::BodyScope scope(e, foldContext(e.context(), spec), loops.values);
    if (failed(runBody(loops, accumulators, steps)))
      return failure();
    own = contribution(steps[result], result, spec);
    for (UBCondition &ub : scope.conditions())
      (ub.condition->hasElemParams() ? bound : free).push_back(std::move(ub));
  }
  for (UBCondition &ub : free)
    ub.condition = e.terms().mkIte(spec.guard, ub.condition,
                                   e.terms().mkBool(false), e.context());
  e.foldUB(free, spec.vars, spec.extents);
  if (own && bound.empty())
    return mkFold(e.terms(), e.context(), spec, *own, inits[result]);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  for (OpOperand &out : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&out) != map)
      return e.unsupported(op, "accumulators with different maps that depend "
                               "on each other have no encoding");
  return stepFold(steps, inits, result, spec, bound);
}

FailureOr<Element> Structured::elementAt(unsigned result,
                                         ArrayRef<IndexTerm> at) {
  FailureOr<ResultLoops> loops = solve(result, at);
  if (failed(loops))
    return failure();
  bool open = !loops->domain.vars.empty();
  SmallVector<Element> inits;
  for (unsigned out = 0; out < numOuts(); ++out) {
    OpOperand &operand = *op.getDpsInitOperand(out);
    if (out == result) {
      inits.push_back(
          readElement(e.terms(), tensorOf(operand.get()), at, e.context()));
    } else if (open) {
      // Used only where its map is the same.
      inits.push_back(
          op.getMatchingIndexingMap(&operand) ==
                  op.getMatchingIndexingMap(op.getDpsInitOperand(result))
              ? readElement(e.terms(), tensorOf(operand.get()), at, e.context())
              : e.poison(tensorOf(operand.get()).type));
    } else {
      FailureOr<Element> element = readOperand(operand, loops->values);
      if (failed(element))
        return failure();
      inits.push_back(*element);
    }
  }
  if (open)
    return reduce(result, *loops, inits);
  ArrayRef<GuardAtom> guard = loops->domain.guard;
  SmallVector<Element> results;
  std::vector<UBCondition> conditions;
  {
    Encoder::BodyScope scope(e, e.context().assume(guard), loops->values);
    if (failed(runBody(*loops, inits, results)))
      return failure();
    conditions = std::move(scope.conditions());
  }
  for (UBCondition &ub : conditions)
    ub.condition = e.terms().mkIte(guard, ub.condition, e.terms().mkBool(false),
                                   e.context());
  e.foldUB(conditions, {}, {});
  return e.terms().mkIte(guard, results[result], inits[result], e.context());
}

LogicalResult Structured::encode() {
  bool onBuffers = op.hasPureBufferSemantics();
  if (!op.hasPureTensorSemantics() && !onBuffers)
    return e.unsupported(op, "tensors mixed with buffers have no encoding");
  if (failed(readOperands()) || failed(findExtents()) || failed(checkBounds()))
    return failure();
  SmallVector<SymTensor> results;
  Encoder::OneExecution execution(e);
  for (unsigned result = 0; result < numOuts(); ++result) {
    execution.again();
    const SymTensor out = tensorOf(op.getDpsInitOperand(result)->get());
    FailureOr<SymTensor> tensor =
        e.compute(out.type, out.shape, [&](ArrayRef<IndexTerm> at) {
          return elementAt(result, at);
        });
    if (failed(tensor))
      return failure();
    results.push_back(std::move(*tensor));
  }
  if (onBuffers) {
    for (unsigned out = 0; out < numOuts(); ++out)
      if (failed(e.writeView(e.memref(op.getDpsInitOperand(out)->get()),
                             results[out], op)))
        return failure();
    return success();
  }
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), results))
    e.define(result, std::move(tensor));
  return success();
}

LogicalResult tv::encodeStructured(Operation *op, Encoder &e) {
  return Structured(cast<linalg::LinalgOp>(op), e).encode();
}
