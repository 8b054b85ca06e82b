//===- Encoder.cpp - From functions to terms ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The state of an encoding: values, undefined behaviour, blocks and calls. How
/// scalars become indices is in IndexAccess.cpp.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Encoder.h"

#include "panpipe/Dialect/Pipe/IR/Pipe.h"
#include "panpipe/TV/Encode/ScalarSemantics.h"
#include "panpipe/TV/Interp/ScalarMapping.h"
#include "panpipe/TV/Pipe/Network.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

Encoder::Encoder(SharedEncoding &shared, const OpEncodings &encodings,
                 FunctionEncoding &out)
    : shared(shared), encodings(encodings), out(out),
      current(shared.terms.emptyContext()), sink(&out.ub),
      blocks(shared.blocks) {
  for (const MemBlock &block : blocks)
    memory.push_back({block.initial, terms().mkBool(false)});
  current = current.assume(shared.facts);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const SymValue &Encoder::get(Value value) const {
  auto found = values.find(value);
  assert(found != values.end() && "operand was not encoded");
  return found->second;
}

void Encoder::define(Value value, SymValue symbolic) {
  values[value] = std::move(symbolic);
}

Element Encoder::poison(ScalarType type) {
  return {terms().mkConst(type, llvm::APInt(type.width(), 0)),
          terms().mkBool(true)};
}

std::optional<ScalarType> Encoder::scalarType(Type type) const {
  if (auto shaped = dyn_cast<ShapedType>(type))
    type = shaped.getElementType();
  std::optional<ScalarType> scalar =
      mapScalarType(type, shared.options.indexWidth);
  // Formats without a NaN have conversions without a result: not encoded.
  if (scalar && scalar->isFloat() &&
      !llvm::APFloat::semanticsHasNaN(scalar->fltSemantics()))
    return std::nullopt;
  return scalar;
}

//===----------------------------------------------------------------------===//
// Undefined behaviour
//===----------------------------------------------------------------------===//

void Encoder::addUB(const Term *condition, const Twine &reason, Operation *op) {
  if (condition->isFalse())
    return;
  for (const UBCondition &earlier : *sink)
    if (earlier.condition == condition)
      return;
  sink->push_back({condition, reason.str(), op->getLoc()});
}

void Encoder::require(ArrayRef<GuardAtom> guard, const Twine &reason,
                      Operation *op) {
  const Term *violated = terms().mkIte(guard, terms().mkBool(false),
                                       terms().mkBool(true), current);
  addUB(violated, reason, op);
  for (const GuardAtom &atom : guard)
    if (!current.decide(atom))
      current = current.assume(atom);
}

void Encoder::requireEqual(IndexTerm a, IndexTerm b, const Twine &reason,
                           Operation *op) {
  if (a != b && !current.provablyEqual(a, b))
    require(eqZero(a - b), reason, op);
}

void Encoder::requireStaticSizes(ArrayRef<IndexTerm> shape,
                                 ArrayRef<int64_t> type, Operation *op) {
  for (auto [dim, size] : llvm::enumerate(type))
    if (!ShapedType::isDynamic(size))
      requireEqual(shape[dim], constant(size),
                   "the size at run time contradicts the result type", op);
}

void Encoder::assumeNote(StringRef kind, const Twine &detail) {
  std::string text = detail.str();
  for (const Assumption &known : out.assumptions)
    if (known.kind == kind && known.detail == text)
      return;
  out.assumptions.push_back({kind.str(), text});
}

LogicalResult Encoder::unsupported(Operation *op, const Twine &what) {
  if (!out.unsupported)
    out.unsupported = UnsupportedNote{
        ("'" + op->getName().getStringRef() + "': " + what).str(),
        op->getLoc()};
  return failure();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Encoder::BodyScope::BodyScope(Encoder &encoder, const IndexContext &inside,
                              ArrayRef<IndexTerm> loopIndices)
    : encoder(encoder), outerSink(encoder.sink), outerContext(encoder.current),
      outerLoops(std::move(encoder.loops)) {
  encoder.sink = &collected;
  encoder.current = inside;
  encoder.loops.assign(loopIndices.begin(), loopIndices.end());
  ++encoder.depth;
}

Encoder::BodyScope::~BodyScope() {
  --encoder.depth;
  encoder.sink = outerSink;
  encoder.current = outerContext;
  encoder.loops = std::move(outerLoops);
}

void Encoder::foldUB(ArrayRef<UBCondition> conditions, ArrayRef<IndexTerm> vars,
                     ArrayRef<IndexTerm> extents) {
  for (const UBCondition &ub : conditions) {
    FoldSpec spec;
    spec.op = ScalarOp::OrI;
    Guard nonEmpty;
    for (auto [var, extent] : llvm::zip_equal(vars, extents)) {
      // Variables that the condition does not mention only have to exist.
      if (ub.condition->hasLeaf(var->asAtom())) {
        spec.vars.push_back(var);
        spec.extents.push_back(extent);
      } else {
        nonEmpty.push_back(geZero(extent - 1));
      }
    }
    const Term *some = ub.condition;
    if (!spec.vars.empty())
      some = mkFold(terms(), current, spec, some, terms().mkBool(false));
    if (!nonEmpty.empty())
      some = terms().mkIte(nonEmpty, some, terms().mkBool(false), current);
    if (some->isFalse())
      continue;
    bool known = llvm::any_of(*sink, [&](const UBCondition &earlier) {
      return earlier.condition == some;
    });
    if (!known)
      sink->push_back({some, ub.reason, ub.where, ub.isBound});
  }
}

FailureOr<SymTensor> Encoder::compute(ScalarType type,
                                      ArrayRef<IndexTerm> shape,
                                      ElementFunction body) {
  assert(depth == 0 && "a tensor under a binder");
  std::vector<UBCondition> conditions;
  SmallVector<IndexTerm> vars;
  bool failed = false;
  SymTensor result = mapTensor(
      terms(), type, shape,
      [&](ArrayRef<IndexTerm> at, const IndexContext &inside) -> Element {
        vars.assign(at.begin(), at.end());
        BodyScope scope(*this, inside.assume(current.facts()), at);
        FailureOr<Element> element = body(at);
        conditions = std::move(scope.conditions());
        if (succeeded(element))
          return *element;
        failed = true;
        return poison(type);
      });
  if (failed)
    return failure();
  foldUB(conditions, vars, shape);
  return result;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

LogicalResult Encoder::encodeOp(Operation *op) {
  const OpEncodings::Function *encode =
      encodings.lookup(op->getName().getStringRef());
  if (!encode)
    return unsupported(op, "the operation has no encoding");
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    if (isa<tosa::shapeType>(type))
      continue; // constants that their users look up
    if (isa<UnrankedTensorType, UnrankedMemRefType>(type) || !scalarType(type))
      return unsupported(op, "values of type " + toText(type) +
                                 " have no encoding");
    if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
      return unsupported(op, "scalable vectors have no encoding");
  }
  // The index variables of a tensor are global names, so tensors are not made
  // inside the element of another tensor.
  if (depth != 0 && !op->hasTrait<OpTrait::ConstantLike>() &&
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<ShapedType>))
    return unsupported(op, "tensor operations inside the body of another "
                           "tensor operation have no encoding");
  return (*encode)(op, *this);
}

unsigned Encoder::nextInstance() {
  if (!execution)
    return ++instances;
  if (execution->at == execution->instances.size())
    execution->instances.push_back(++instances);
  return execution->instances[execution->at++];
}

LogicalResult Encoder::encodeBlock(Block &block, ArrayRef<SymValue> arguments,
                                   SmallVectorImpl<SymValue> &results) {
  for (auto [argument, symbolic] :
       llvm::zip_equal(block.getArguments(), arguments))
    define(argument, symbolic);
  llvm::SaveAndRestore<unsigned> scope(instance, nextInstance());
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      if (op.getNumSuccessors() != 0)
        return unsupported(&op, "control flow between blocks has no encoding");
      for (Value operand : op.getOperands()) {
        if (isa<tosa::shapeType>(operand.getType()))
          return unsupported(&op, "a shape as a result has no encoding");
        results.push_back(get(operand));
      }
      return success();
    }
    if (failed(encodeOp(&op)))
      return failure();
  }
  return success();
}

LogicalResult Encoder::encodeOps(Block &block) {
  llvm::SaveAndRestore<unsigned> scope(instance, nextInstance());
  for (Operation &op : block.without_terminator())
    if (failed(encodeOp(&op)))
      return failure();
  return success();
}

LogicalResult Encoder::encodeCall(Operation *call, FunctionOpInterface callee,
                                  ArrayRef<SymValue> arguments,
                                  SmallVectorImpl<SymValue> &results) {
  if (callee.isExternal())
    return encodeUnknownCall(call, callee.getName(), results);
  if (llvm::is_contained(callStack, callee.getOperation()))
    return unsupported(call, "recursion of @" + callee.getName() +
                                 " has no encoding");
  callStack.push_back(callee);
  LogicalResult result =
      encodeRegion(callee.getFunctionBody(), arguments, results);
  callStack.pop_back();
  return result;
}

/// Globals exist on entry, on every path, so their blocks are made first.
void Encoder::declareGlobals(Operation *function) {
  Operation *module = function->getParentOp();
  if (!module)
    return;
  for (Region &region : module->getRegions())
    for (auto op : region.getOps<memref::GlobalOp>()) {
      MemRefType type = op.getType();
      std::optional<ScalarType> scalar = scalarType(type);
      if (op.getConstant() || !scalar || !type.hasStaticShape())
        continue;
      IndexList shape;
      for (int64_t size : type.getShape())
        shape.push_back(constant(size));
      (void)global(op.getSymName(), *scalar, shape);
    }
}

void Encoder::finish() {
  terms().setAmbient(terms().emptyContext());
  for (auto [number, block] : llvm::enumerate(blocks))
    if (block.isObservable())
      out.memory.push_back({block, memory[number].contents});
  std::vector<UBCondition> conditions;
  for (UBCondition &ub : out.ub) {
    if (ub.isBound)
      out.bounds.push_back(ub.condition);
    else
      conditions.push_back(std::move(ub));
  }
  out.ub = std::move(conditions);
}

std::string tv::toText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string tv::toText(Location location) {
  std::string text;
  llvm::raw_string_ostream(text) << location;
  return text;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A memref argument: a block of its own. Its elements do not overlap each
/// other, whatever the layout; that is part of what a memref is.
static SymValue makeMemRef(SharedEncoding &shared, const SymTensor &tensor,
                           StringRef name) {
  TermContext &terms = shared.terms;
  MemBlock block{MemBlock::Kind::Argument, name.str(), tensor.type,
                 tensor.shape, tensor.element};
  SymMemRef memref;
  memref.type = tensor.type;
  memref.choices.push_back(
      {terms.mkBool(true),
       wholeView(terms, shared.blocks.size(), tensor.shape)});
  shared.blocks.push_back(std::move(block));
  SymValue value(memref);
  value.tensor = tensor;
  return value;
}

static SymValue makeArgument(SharedEncoding &shared, Type type,
                             ScalarType scalar, StringRef name) {
  TermContext &terms = shared.terms;
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped) {
    const Term *poison =
        shared.options.poisonArguments
            ? terms.mkSymbol(ScalarType::boolean(), (name + ".poison").str())
            : terms.mkBool(false);
    if (scalar.isIndex())
      return Element{terms.mkIndexValue(scalar, terms.index().freshInt(name)),
                     poison};
    return Element{terms.mkSymbol(scalar, name), poison};
  }
  SmallVector<IndexTerm> shape;
  for (auto [dim, size] : llvm::enumerate(shaped.getShape()))
    shape.push_back(
        ShapedType::isDynamic(size)
            ? terms.index().freshDim((name + "." + Twine(dim)).str())
            : terms.index().constant(size));
  SymTensor tensor = argumentTensor(terms, name, scalar, shape,
                                    shared.options.poisonArguments);
  if (isa<MemRefType>(type))
    return makeMemRef(shared, tensor, name);
  return tensor;
}

std::optional<unsigned> tv::makeArguments(SharedEncoding &shared,
                                          TypeRange types,
                                          ArrayRef<std::string> names) {
  FunctionEncoding unused;
  OpEncodings none;
  Encoder encoder(shared, none, unused);
  shared.arguments.clear();
  shared.blocks.clear();
  for (auto [index, type] : llvm::enumerate(types)) {
    std::optional<ScalarType> scalar;
    if (!isa<UnrankedTensorType, UnrankedMemRefType>(type))
      scalar = encoder.scalarType(type);
    if (!scalar)
      return index;
    shared.arguments.push_back(
        makeArgument(shared, type, *scalar, names[index]));
  }
  // What unknown functions do elsewhere, as one number: it orders their calls.
  SymTensor world = argumentTensor(shared.terms, "outside world",
                                   ScalarType::integer(64), {});
  shared.blocks.push_back({MemBlock::Kind::Global, "outside world", world.type,
                           world.shape, world.element});
  return std::nullopt;
}

/// Executes the programs of a pipeline in an order in which they can run.
static LogicalResult encodePipeline(Encoder &encoder, pipe::PipelineOp pipeline,
                                    ArrayRef<SymValue> arguments,
                                    FunctionEncoding &out) {
  Network network;
  if (std::optional<NetworkError> error = runNetwork(pipeline, network)) {
    std::string text = error->message;
    for (const NetworkError::Note &note : error->notes)
      text += "; " + note.text;
    out.malformed = UnsupportedNote{text, error->where};
    return failure();
  }
  for (auto [argument, symbolic] :
       llvm::zip_equal(pipeline.getBody().getArguments(), arguments))
    encoder.define(argument, symbolic);
  for (Operation *op : network.order) {
    if (auto recv = dyn_cast<pipe::RecvOp>(op))
      encoder.define(recv.getValue(),
                     encoder.get(network.received.lookup(recv.getValue())));
    else if (!isa<pipe::SendOp, pipe::FreeOp, pipe::DeliverOp>(op) &&
             failed(encoder.encodeOp(op)))
      return failure();
  }
  for (Value value : network.delivered)
    out.results.push_back(encoder.get(value));
  return success();
}

FunctionEncoding tv::encodeFunction(SharedEncoding &shared,
                                    const OpEncodings &encodings,
                                    FunctionOpInterface function) {
  FunctionEncoding out;
  Encoder encoder(shared, encodings, out);
  encoder.declareGlobals(function);
  if (auto pipeline = dyn_cast<pipe::PipelineOp>(function.getOperation()))
    (void)encodePipeline(encoder, pipeline, shared.arguments, out);
  else
    (void)encoder.encodeCall(function, function, shared.arguments, out.results);
  out.facts = encoder.context().facts();
  encoder.finish();
  return out;
}
