//===- Lowering.cpp - From the op graph to MODEL-level IR -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

#include <map>
#include <set>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::import;

static StringRef ref(std::string_view text) {
  return StringRef(text.data(), text.size());
}

static ArrayRef<OpEntry> (*const families[])() = {
    shapeOps,  indexOps,  selectOps, padOps,    resizeOps, createOps, unaryOps,
    binaryOps, reduceOps, convOps,   matmulOps, poolOps,   normOps};

/// Nodes that state facts about shapes; with static shapes they say nothing.
static bool isShapeFact(StringRef target) {
  return target.starts_with("aten._assert_") ||
         target.starts_with("aten.sym_constrain_range");
}

/// The key of the table: "conv2d", "add.Tensor".
static StringRef tableKey(StringRef target) {
  if (!target.consume_front("aten."))
    return StringRef();
  target.consume_back(".default");
  return target;
}

Type panpipe::import::elementType(MLIRContext *context, DType dtype) {
  Builder b(context);
  switch (dtype) {
  case DType::F16:
    return b.getF16Type();
  case DType::BF16:
    return b.getBF16Type();
  case DType::F32:
    return b.getF32Type();
  case DType::F64:
    return b.getF64Type();
  case DType::Bool:
    return b.getI1Type();
  default:
    return isInteger(dtype) ? b.getIntegerType(8 * dtypeBytes(dtype)) : Type();
  }
}

RankedTensorType panpipe::import::tensorType(MLIRContext *context,
                                             const GraphTensorType &type) {
  Type element = elementType(context, type.dtype);
  return element ? RankedTensorType::get(type.sizes, element)
                 : RankedTensorType();
}

GraphLowering::GraphLowering(const OpGraph &graph, ModuleOp module)
    : graph(graph), module(module), composites(module),
      values(graph.values.size()), excused(graph.values.size()) {
  for (auto family : families)
    for (const OpEntry &entry : family())
      table[entry.target] = &entry;
}

Location GraphLowering::locationOf(const Node &node) {
  MLIRContext *context = module.getContext();
  const SourceRef &source = node.source;
  Location loc = UnknownLoc::get(context);
  if (!source.file.empty())
    loc = FileLineColLoc::get(context, source.file, source.line, 0);
  StringRef target = node.target;
  target.consume_back(".default");
  loc = NameLoc::get(StringAttr::get(context, target), loc);
  StringRef path = source.modulePath.empty() ? StringRef(graph.name)
                                             : StringRef(source.modulePath);
  return path.empty() ? loc : NameLoc::get(StringAttr::get(context, path), loc);
}

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

static DictionaryAttr argumentAttrs(Builder &b, const OpGraph &graph,
                                    const GraphInput &input) {
  using Kind = GraphInput::Kind;
  NamedAttrList attrs;
  if (input.kind == Kind::User) {
    attrs.set("panpipe.input", b.getStringAttr(input.name));
    return attrs.getDictionary(b.getContext());
  }
  attrs.set("panpipe.param", b.getStringAttr(input.name));
  if (input.kind != Kind::Parameter)
    attrs.set(
        "panpipe.kind",
        b.getStringAttr(input.kind == Kind::Buffer ? "buffer" : "constant"));
  const Storage &storage = *input.storage;
  attrs.set(
      "panpipe.storage",
      b.getDictionaryAttr(
          {b.getNamedAttr("offset",
                          b.getI64IntegerAttr(int64_t(storage.offset))),
           b.getNamedAttr("strides", b.getDenseI64ArrayAttr(storage.strides)),
           b.getNamedAttr("dtype",
                          b.getStringAttr(ref(dtypeName(storage.dtype))))}));
  // Tied weights: several names of one storage. The first name stands for all.
  for (const GraphInput &other : graph.inputs) {
    if (&other == &input)
      break;
    if (other.storage && other.storage->record == storage.record) {
      attrs.set("panpipe.tied", b.getStringAttr(other.name));
      break;
    }
  }
  return attrs.getDictionary(b.getContext());
}

/// @main with all inputs, those of the user first.
func::FuncOp GraphLowering::createMain() {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  for (bool user : {true, false})
    for (auto [i, input] : llvm::enumerate(graph.inputs))
      if ((input.kind == GraphInput::Kind::User) == user)
        argumentInputs.push_back(unsigned(i));
  SmallVector<Type> types;
  SmallVector<Attribute> attrs;
  for (unsigned i : argumentInputs) {
    const GraphInput &input = graph.inputs[i];
    const GraphTensorType &type = graph.values[input.value].type;
    RankedTensorType converted = tensorType(b.getContext(), type);
    if (!converted) {
      problems.push_back({nullptr,
                          "the input '" + input.name + "' is " + type.str() +
                              ", an element type without support",
                          "convert it before the export"});
      converted = RankedTensorType::get({}, b.getF32Type());
    }
    types.push_back(converted);
    attrs.push_back(argumentAttrs(b, graph, input));
  }
  auto main = func::FuncOp::create(b, NameLoc::get(b.getStringAttr(graph.name)),
                                   "main", b.getFunctionType(types, {}));
  main.setAllArgAttrs(attrs);
  Block *entry = main.addEntryBlock();
  for (auto [argument, i] :
       llvm::zip_equal(entry->getArguments(), argumentInputs)) {
    argument.setLoc(NameLoc::get(b.getStringAttr(graph.inputs[i].name)));
    values[graph.inputs[i].value] = argument;
  }
  return main;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

bool GraphLowering::checkTypes(const Node &node, const OpEntry &entry) {
  auto check = [&](ValueId id) {
    if (id == kNoValue)
      return true;
    DType dtype = graph.values[id].type.dtype;
    std::string name(dtypeName(dtype));
    if (!elementType(module.getContext(), dtype)) {
      problems.push_back(
          {&node,
           "it uses elements of type " + name + ", which have no support",
           isComplex(dtype) ? "write complex arithmetic with two real tensors"
                            : "convert the model with model.float()"});
      return false;
    }
    // Only cat knows what to do with nothing.
    if (llvm::is_contained(graph.values[id].type.sizes, 0) &&
        !StringRef(node.target).starts_with("aten.cat")) {
      problems.push_back({&node, "it works on a tensor without elements",
                          "export with inputs that are not empty"});
      return false;
    }
    bool half = dtype == DType::F16 || dtype == DType::BF16;
    bool whole = isInteger(dtype) || dtype == DType::Bool;
    if (half && entry.accepts != Accepts::Anything) {
      problems.push_back({&node, "it computes in half precision (" + name + ")",
                          "convert the model with model.float()"});
      return false;
    }
    if (whole && entry.accepts == Accepts::Floats) {
      problems.push_back({&node, "it computes on elements of type " + name,
                          "convert the operands to float32"});
      return false;
    }
    return true;
  };
  // Further results are often dead, and then of no shape at all.
  return check(node.results[0]) &&
         llvm::all_of(node.args, [&](const NamedArgument &arg) {
           return llvm::all_of(arg.value.tensors, check);
         });
}

/// Gives a failed node's results some value, so that later nodes are examined
/// too and all problems come out at once.
void GraphLowering::bindPlaceholders(const Node &node, OpBuilder &b) {
  for (ValueId id : node.results) {
    if (id == kNoValue || values[id])
      continue;
    excused[id] = true;
    if (auto type = tensorType(b.getContext(), graph.values[id].type))
      values[id] = TensorBuilder(b, b.getUnknownLoc())
                       .empty(type.getShape(), type.getElementType());
  }
}

void GraphLowering::lowerNode(const Node &node, OpBuilder &b) {
  if (isShapeFact(node.target))
    return;
  size_t before = problems.size();
  auto it = table.find(tableKey(node.target));
  bool cascade = false;
  if (it == table.end()) {
    problems.push_back({&node, "the operator is not supported",
                        workaroundFor(node.target).str()});
  } else if (node.results.empty() || node.results[0] == kNoValue) {
    problems.push_back({&node, "it has no result", ""});
  } else if (checkTypes(node, *it->second)) {
    NodeLowering op(*this, node, b, locationOf(node));
    if (op.ok())
      it->second->lower(op);
    if (op.ok() && !values[node.results[0]])
      op.fail("it was not lowered"); // an error of ours, not of the file
    cascade = !op.ok();
  }
  if (cascade || problems.size() != before)
    bindPlaceholders(node, b);
}

LogicalResult GraphLowering::run() {
  func::FuncOp main = createMain();
  OpBuilder b = OpBuilder::atBlockEnd(&main.getBody().front());
  for (const Node &node : graph.nodes)
    lowerNode(node, b);
  if (!problems.empty())
    return failure();
  finish(main, b);
  return success(problems.empty());
}

void GraphLowering::finish(func::FuncOp main, OpBuilder &b) {
  SmallVector<Value> results;
  SmallVector<Attribute> attrs;
  llvm::StringMap<unsigned> names;
  for (const GraphOutput &output : graph.outputs) {
    Value value = values[output.value];
    if (!value) {
      problems.push_back(
          {nullptr, "the output '" + output.name + "' has no value", ""});
      return;
    }
    results.push_back(value);
    std::string name = output.name;
    if (unsigned repeated = names[output.name]++)
      name += "." + std::to_string(repeated);
    attrs.push_back(b.getDictionaryAttr(
        b.getNamedAttr("panpipe.output", b.getStringAttr(name))));
  }
  func::ReturnOp::create(b, main.getLoc(), results);
  main.setFunctionType(b.getFunctionType(main.getFunctionType().getInputs(),
                                         ValueRange(results).getTypes()));
  main.setAllResultAttrs(attrs);
  eraseUnused(main);
}

/// Removes what no output needs: ops, composites, parameters. The user's inputs
/// stay, used or not.
void GraphLowering::eraseUnused(func::FuncOp main) {
  Block &body = main.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty() && (isa<func::CallOp>(op) || isOpTriviallyDead(op)))
      op->erase();
  llvm::BitVector dead(main.getNumArguments());
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    dead[i] = main.getArgument(i).use_empty() &&
              graph.inputs[argumentInputs[i]].kind != GraphInput::Kind::User;
  (void)main.eraseArguments(dead);
  std::set<std::string> called;
  main.walk([&](func::CallOp call) { called.insert(call.getCallee().str()); });
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function != main && !called.count(function.getSymName().str()))
      function.erase();
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

/// One group per operator and reason, in the order of the first occurrence.
static void report(ArrayRef<Problem> problems, Location loc) {
  constexpr unsigned shown = 8;
  struct Group {
    const Problem *first;
    SmallVector<const Node *> nodes;
  };
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::string>, size_t> index;
  for (const Problem &problem : problems) {
    std::string target = problem.node ? problem.node->target : "";
    auto [it, isNew] =
        index.emplace(std::pair(target, problem.what), groups.size());
    if (isNew)
      groups.push_back({&problem, {}});
    groups[it->second].nodes.push_back(problem.node);
  }
  InFlightDiagnostic diag = emitError(loc);
  diag << "the program cannot be imported: " << groups.size()
       << (groups.size() == 1 ? " problem" : " problems");
  for (const Group &group : groups) {
    diag << "\n  ";
    if (group.first->node) {
      diag << group.first->node->target << " (" << group.nodes.size()
           << (group.nodes.size() == 1 ? " node): " : " nodes): ");
    }
    diag << group.first->what;
    for (const Node *node : ArrayRef(group.nodes).take_front(shown)) {
      if (!node)
        continue;
      diag << "\n    in " << node->source.str();
      if (!node->source.code.empty())
        diag << ": " << node->source.code;
    }
    if (group.nodes.size() > shown)
      diag << "\n    and " << group.nodes.size() - shown << " more";
    if (!group.first->workaround.empty())
      diag << "\n    do: " << group.first->workaround;
  }
}

LogicalResult panpipe::import::lowerGraph(const OpGraph &graph, ModuleOp module,
                                          Location loc) {
  GraphLowering lowering(graph, module);
  if (succeeded(lowering.run()))
    return success();
  report(lowering.problems, loc);
  return failure();
}

std::vector<std::string> panpipe::import::supportedOps() {
  std::vector<std::string> out;
  for (auto family : families)
    for (const OpEntry &entry : family()) {
      std::string target = ("aten." + entry.target).str();
      if (!entry.target.contains('.'))
        target += ".default";
      out.push_back(target);
    }
  llvm::sort(out);
  return out;
}
