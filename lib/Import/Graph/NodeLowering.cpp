//===- NodeLowering.cpp - Arguments and results of one node ---------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::import;
using Kind = Argument::Kind;

NodeLowering::NodeLowering(GraphLowering &lowering, const Node &node,
                           OpBuilder &b, Location loc)
    : b(b, loc), node(node), lowering(lowering),
      schema(findAtenOp(node.target)) {
  for (const NamedArgument &arg : node.args) {
    if (schema && !schema->find(arg.name))
      fail("its argument '" + arg.name + "' is unknown to this version",
           "export with a torch release that this version was tested with");
    for (ValueId id : arg.value.tensors)
      if (id != kNoValue && !lowering.values[id]) {
        failed = true;
        if (!lowering.excused[id])
          fail("it uses '" + lowering.graph.values[id].name +
               "', a further result of an operator of which only the first is "
               "supported");
      }
  }
}

void NodeLowering::fail(const Twine &what, const Twine &workaround) {
  failed = true;
  lowering.problems.push_back({&node, what.str(), workaround.str()});
}

bool NodeLowering::require(bool condition, const Twine &what) {
  if (!condition)
    fail(what);
  return condition;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

const Argument *NodeLowering::argument(StringRef name) {
  if (const Argument *written = node.find(name))
    return written;
  const AtenArgument *formal = schema ? schema->find(name) : nullptr;
  Argument value;
  if (formal && defaultOf(*formal, value)) {
    defaults.push_back(std::move(value));
    return &defaults.back();
  }
  fail("its argument '" + name + "' is missing");
  return nullptr;
}

const Argument *NodeLowering::expect(StringRef name,
                                     std::initializer_list<Kind> kinds) {
  const Argument *arg = argument(name);
  if (!arg || llvm::is_contained(kinds, arg->kind))
    return arg;
  fail("its argument '" + name + "' is " +
       StringRef(kindName(arg->kind).data(), kindName(arg->kind).size()) +
       (arg->kind == Kind::Other ? " (" + arg->strings[0] + ")" : ""));
  return nullptr;
}

Value NodeLowering::valueOf(ValueId id, StringRef name) {
  if (id == kNoValue || !lowering.values[id]) {
    failed = true;
    return Value();
  }
  return lowering.values[id];
}

Value NodeLowering::tensor(StringRef name) {
  const Argument *arg = expect(name, {Kind::Tensor});
  return arg ? valueOf(arg->tensors[0], name) : Value();
}

Value NodeLowering::optionalTensor(StringRef name) {
  const Argument *arg = expect(name, {Kind::Tensor, Kind::None});
  return arg && arg->kind == Kind::Tensor ? valueOf(arg->tensors[0], name)
                                          : Value();
}

std::vector<Operand> NodeLowering::tensors(StringRef name) {
  std::vector<Operand> out;
  const Argument *arg = expect(name, {Kind::TensorList});
  if (!arg)
    return out;
  for (ValueId id : arg->tensors) {
    Operand operand;
    if (id != kNoValue) {
      operand.value = valueOf(id, name);
      operand.dtype = lowering.graph.values[id].type.dtype;
    }
    out.push_back(operand);
  }
  return out;
}

Operand NodeLowering::operand(StringRef name) {
  Operand out;
  const Argument *arg =
      expect(name, {Kind::Tensor, Kind::Int, Kind::Float, Kind::Bool});
  if (!arg)
    return out;
  if (arg->kind == Kind::Tensor) {
    out.value = valueOf(arg->tensors[0], name);
    out.dtype = lowering.graph.values[arg->tensors[0]].type.dtype;
  } else if (arg->kind == Kind::Float) {
    out.dtype = DType::F64;
    out.number = arg->floats[0];
  } else {
    out.dtype = arg->kind == Kind::Int ? DType::I64 : DType::Bool;
    out.number = double(arg->ints[0]);
  }
  return out;
}

int64_t NodeLowering::integer(StringRef name) {
  const Argument *arg = expect(name, {Kind::Int});
  return arg ? arg->ints[0] : 0;
}

std::optional<int64_t> NodeLowering::optionalInteger(StringRef name) {
  const Argument *arg = expect(name, {Kind::Int, Kind::None});
  if (!arg || arg->kind == Kind::None)
    return std::nullopt;
  return arg->ints[0];
}

Ints NodeLowering::integers(StringRef name) {
  const Argument *arg = expect(name, {Kind::IntList, Kind::Int});
  return arg ? Ints(arg->ints.begin(), arg->ints.end()) : Ints();
}

std::optional<Ints> NodeLowering::optionalIntegers(StringRef name) {
  const Argument *arg = expect(name, {Kind::IntList, Kind::Int, Kind::None});
  if (!arg || arg->kind == Kind::None)
    return std::nullopt;
  return Ints(arg->ints.begin(), arg->ints.end());
}

Ints NodeLowering::integers(StringRef name, size_t count) {
  Ints values = integers(name);
  if (values.size() == 1)
    values.assign(count, values[0]);
  if (ok() && !require(values.size() == count,
                       "its argument '" + name + "' needs " + Twine(count) +
                           " integers, has " + Twine(values.size())))
    values.assign(count, 1);
  values.resize(count, 1);
  return values;
}

double NodeLowering::number(StringRef name) {
  return optionalNumber(name).value_or(0.0);
}

std::optional<double> NodeLowering::optionalNumber(StringRef name) {
  const Argument *arg =
      expect(name, {Kind::Float, Kind::Int, Kind::Bool, Kind::None});
  if (!arg || arg->kind == Kind::None)
    return std::nullopt;
  return arg->kind == Kind::Float ? arg->floats[0] : double(arg->ints[0]);
}

bool NodeLowering::boolean(StringRef name) {
  const Argument *arg = expect(name, {Kind::Bool, Kind::None});
  return arg && arg->kind == Kind::Bool && arg->ints[0];
}

std::string NodeLowering::string(StringRef name) {
  const Argument *arg = expect(name, {Kind::String, Kind::None});
  return arg && arg->kind == Kind::String ? arg->strings[0] : std::string();
}

std::optional<DType> NodeLowering::dtype(StringRef name) {
  const Argument *arg = expect(name, {Kind::DType, Kind::None});
  if (!arg || arg->kind == Kind::None)
    return std::nullopt;
  return DType(uint8_t(arg->ints[0]));
}

bool NodeLowering::isNone(StringRef name) {
  const Argument *arg = argument(name);
  return !arg || arg->kind == Kind::None;
}

int64_t NodeLowering::wrapDim(int64_t dim, int64_t rank) {
  int64_t bound = std::max<int64_t>(rank, 1);
  if (!require(dim >= -bound && dim < bound,
               "dimension " + Twine(dim) +
                   " is out of range for a tensor of "
                   "rank " +
                   Twine(rank)))
    return 0;
  return dim < 0 ? dim + bound : dim;
}

int64_t NodeLowering::dim(StringRef name, int64_t rank) {
  return wrapDim(integer(name), rank);
}

Ints NodeLowering::dims(StringRef name, int64_t rank) {
  Ints out = optionalIntegers(name).value_or(Ints());
  if (out.empty())
    for (int64_t i = 0; i < rank; ++i)
      out.push_back(i);
  for (int64_t &d : out)
    d = wrapDim(d, rank);
  llvm::sort(out);
  require(std::adjacent_find(out.begin(), out.end()) == out.end(),
          "its argument '" + name + "' names a dimension twice");
  if (rank == 0)
    out.clear();
  return out;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

RankedTensorType NodeLowering::resultType(size_t i) {
  const GraphTensorType &type = lowering.graph.values[node.results[i]].type;
  return tensorType(b.b.getContext(), type);
}

DType NodeLowering::resultDType(size_t i) {
  return lowering.graph.values[node.results[i]].type.dtype;
}

DType NodeLowering::dtypeOf(StringRef name) {
  const Argument *arg = node.find(name);
  if (!arg || arg->kind != Kind::Tensor || arg->tensors[0] == kNoValue)
    return DType::Unknown;
  return lowering.graph.values[arg->tensors[0]].type.dtype;
}

static std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

void NodeLowering::bind(Value value, size_t i) {
  if (!value || !hasResult(i))
    return;
  if (!require(value.getType() == resultType(i),
               "the file says that it gives " + typeText(resultType(i)) +
                   ", but its operands give " + typeText(value.getType())))
    return;
  lowering.values[node.results[i]] = value;
}

Value NodeLowering::composite(StringRef name, ValueRange args,
                              DictionaryAttr params, RankedTensorType result) {
  return lowering.composites.call(b, name, args, params, result);
}

void NodeLowering::call(StringRef name, ValueRange args,
                        DictionaryAttr params) {
  bind(composite(name, args, params, resultType()));
}
