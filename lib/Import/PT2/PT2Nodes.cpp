//===- PT2Nodes.cpp - Nodes of a program and their arguments --------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PT2Decoder.h"

using namespace panpipe::import;
using json::Json;
using Kind = Argument::Kind;

/// Takes the last level of "key,path,class;key,path,class;…".
static void readModuleStack(std::string_view stack, SourceRef &out) {
  size_t level = stack.rfind(';');
  if (level != stack.npos)
    stack.remove_prefix(level + 1);
  size_t first = stack.find(','), last = stack.rfind(',');
  if (first == stack.npos || last == first)
    return;
  out.modulePath = stack.substr(first + 1, last - first - 1);
  out.moduleClass = stack.substr(last + 1);
}

/// Takes the innermost frame outside of torch: the user's own line.
static void readStackTrace(std::string_view trace, SourceRef &out) {
  bool found = false;
  size_t pos = 0;
  while ((pos = trace.find("File \"", pos)) != trace.npos) {
    pos += 6;
    size_t quote = trace.find('"', pos);
    if (quote == trace.npos)
      return;
    std::string_view file = trace.substr(pos, quote - pos);
    std::string_view rest = trace.substr(quote + 1);
    pos = quote + 1;
    constexpr std::string_view lineMark = ", line ";
    if (rest.substr(0, lineMark.size()) != lineMark)
      continue;
    rest.remove_prefix(lineMark.size());
    unsigned line = 0;
    while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9' &&
           line < 1u << 24) {
      line = line * 10 + unsigned(rest[0] - '0');
      rest.remove_prefix(1);
    }
    bool library = file.find("/site-packages/torch/") != file.npos ||
                   file.find("/dist-packages/torch/") != file.npos;
    if (library && found)
      continue;
    found |= !library;
    out.file = file;
    out.line = line;
    out.code.clear();
    size_t newline = rest.find('\n');
    if (newline == rest.npos)
      continue;
    rest.remove_prefix(newline + 1);
    rest = rest.substr(0, rest.find('\n'));
    while (!rest.empty() && rest[0] == ' ')
      rest.remove_prefix(1);
    out.code = rest;
  }
}

static SourceRef readSource(const Json &item) {
  SourceRef out;
  std::string text;
  const Json *metadata = json::object(item, "metadata");
  if (metadata && json::string(*metadata, "nn_module_stack", text))
    readModuleStack(text, out);
  if (metadata && json::string(*metadata, "stack_trace", text))
    readStackTrace(text, out);
  return out;
}

Status GraphDecoder::decodeNodes(const Json &body, Scope &scope,
                                 unsigned depth) {
  const Json *nodes = json::array(body, "nodes");
  if (!nodes)
    return Status::error("a graph has no list of nodes");
  for (const Json &item : nodes->elements())
    if (Status s = decodeNode(item, scope, depth); s.failed())
      return s;
  return Status::success();
}

Status GraphDecoder::decodeNode(const Json &item, Scope &scope,
                                unsigned depth) {
  Node node;
  if (!json::string(item, "target", node.target))
    return Status::error("a node has no target");
  constexpr std::string_view prefix = "torch.ops.";
  if (node.target.compare(0, prefix.size(), prefix) == 0)
    node.target.erase(0, prefix.size());
  json::string(item, "name", node.name);
  node.source = readSource(item);
  auto located = [&](const std::string &message) {
    return Status::error("node '" + node.name + "' (" + node.target + ", " +
                         node.source.str() + "): " + message);
  };
  const Json *inputs = json::array(item, "inputs");
  const Json *outputs = json::array(item, "outputs");
  if (!inputs || !outputs)
    return located("inputs or outputs are missing");
  if (node.target == "higher_order.wrap_with_set_grad_enabled") {
    Status s = inlineWrapper(item, scope, depth);
    return s.failed() ? located(s.message()) : s;
  }
  for (const Json &input : inputs->elements()) {
    NamedArgument arg;
    json::string(input, "name", arg.name);
    const Json *value = json::field(input, "arg");
    if (!value)
      return located("argument '" + arg.name + "' has no value");
    if (Status s = decodeArgument(*value, scope, arg.value); s.failed())
      return located("argument '" + arg.name + "': " + s.message());
    node.args.push_back(std::move(arg));
  }
  for (const Json &output : outputs->elements())
    if (Status s = decodeResult(output, scope, node); s.failed())
      return located(s.message());
  graph.nodes.push_back(std::move(node));
  return Status::success();
}

Status GraphDecoder::decodeResult(const Json &result, Scope &scope,
                                  Node &node) {
  json::Tag tag = json::tagged(result);
  std::string_view kind = tag.name;
  auto defineOne = [&](const Json &v) {
    std::string name;
    if (!json::string(v, "name", name))
      return Status::error("a result has no name");
    ValueId id = kNoValue;
    Status s = define(name, scope, id);
    node.results.push_back(id);
    return s;
  };
  if (kind == "as_tensor")
    return defineOne(*tag.value);
  if (kind == "as_tensors" && tag.value->isArray()) {
    for (const Json &v : tag.value->elements())
      if (Status s = defineOne(v); s.failed())
        return s;
    return Status::success();
  }
  if (kind == "as_none") {
    node.results.push_back(kNoValue);
    return Status::success();
  }
  if (kind == "as_sym_int" || kind == "as_sym_bool" || kind == "as_sym_float")
    return Status::error("the result is a symbolic number; only static shapes "
                         "are supported: export without dynamic_shapes");
  return Status::error("unknown result tag '" + std::string(kind) +
                       "'; the file is newer than this reader");
}

Status GraphDecoder::useTensor(const Json &v, const Scope &scope,
                               ValueId &id) const {
  std::string name;
  if (!json::string(v, "name", name))
    return Status::error("a tensor has no name");
  auto it = scope.values.find(name);
  if (it == scope.values.end())
    return Status::error("the tensor '" + name +
                         "' is not defined before its "
                         "use");
  id = it->second;
  return Status::success();
}

Status GraphDecoder::decodeTensors(std::string_view tag, const Json &v,
                                   const Scope &scope, Argument &out) const {
  if (tag == "as_tensor") {
    out.kind = Kind::Tensor;
    out.tensors.push_back(kNoValue);
    return useTensor(v, scope, out.tensors[0]);
  }
  if (tag == "as_optional_tensor")
    return decodeArgument(v, scope, out);
  out.kind = Kind::TensorList;
  if (!v.isArray())
    return Status::error(std::string(tag) + " is not a list");
  for (const Json &item : v.elements()) {
    ValueId id = kNoValue;
    const Json *tensor = &item;
    if (tag == "as_optional_tensors") {
      json::Tag inner = json::tagged(item);
      std::string_view kind = inner.name;
      if (kind != "as_tensor" && kind != "as_none")
        return Status::error("unknown tag '" + std::string(kind) +
                             "' in a list of optional tensors");
      tensor = kind == "as_tensor" ? inner.value : nullptr;
    }
    if (tensor)
      if (Status s = useTensor(*tensor, scope, id); s.failed())
        return s;
    out.tensors.push_back(id);
  }
  return Status::success();
}

Status GraphDecoder::decodeArgument(const Json &arg, const Scope &scope,
                                    Argument &out) const {
  json::Tag tag = json::tagged(arg);
  if (!tag)
    return Status::error("expected an object with exactly one tag");
  std::string_view kind = tag.name;
  if (kind == "as_none")
    return Status::success();
  if (kind == "as_tensor" || kind == "as_tensors" ||
      kind == "as_optional_tensors" ||
      (kind == "as_optional_tensor" &&
       json::tagged(*tag.value).name != "as_optional_tensor"))
    return decodeTensors(kind, *tag.value, scope, out);
  for (const char *known :
       {"as_graph", "as_custom_obj", "as_operator", "as_complex",
        "as_nested_tensors", "as_int_lists", "as_string_to_argument"})
    if (kind == known) {
      out.kind = Kind::Other;
      out.strings.emplace_back(kind);
      return Status::success();
    }
  return decodeScalar(kind, *tag.value, out);
}

/// Appends one number, string or code; false if `v` is of another kind.
static bool appendScalar(Kind kind, const Json &v, Argument &out) {
  double number = 0;
  switch (kind) {
  case Kind::Int:
  case Kind::DType:
  case Kind::MemoryFormat:
  case Kind::Layout:
    if (!v.isInt())
      return false;
    out.ints.push_back(v.asInt());
    return true;
  case Kind::Bool:
    if (!v.isBool())
      return false;
    out.ints.push_back(v.asBool());
    return true;
  case Kind::Float:
    if (!json::number(v, number))
      return false;
    out.floats.push_back(number);
    return true;
  case Kind::String:
    if (!v.isString())
      return false;
    out.strings.emplace_back(v.asText());
    return true;
  default:
    return false;
  }
}

/// A symbolic number {"as_int" | "as_float" | "as_bool": x}; "as_name" is
/// dynamic.
static Status unwrapSymbolic(const Json *&v) {
  json::Tag tag = json::tagged(*v);
  std::string_view kind = tag.name;
  if (kind == "as_name")
    return Status::error("depends on a dynamic size; only static shapes are "
                         "supported: export without dynamic_shapes");
  if (kind != "as_int" && kind != "as_float" && kind != "as_bool")
    return Status::error("unknown tag '" + std::string(kind) +
                         "' of a symbolic number");
  v = tag.value;
  return Status::success();
}

Status GraphDecoder::decodeScalar(std::string_view tag, const Json &v,
                                  Argument &out) const {
  struct Form {
    const char *tag;
    Kind kind, element;
    bool symbolic;
  };
  static const Form forms[] = {
      {"as_int", Kind::Int, Kind::Int, false},
      {"as_ints", Kind::IntList, Kind::Int, false},
      {"as_float", Kind::Float, Kind::Float, false},
      {"as_floats", Kind::FloatList, Kind::Float, false},
      {"as_bool", Kind::Bool, Kind::Bool, false},
      {"as_bools", Kind::BoolList, Kind::Bool, false},
      {"as_string", Kind::String, Kind::String, false},
      {"as_strings", Kind::StringList, Kind::String, false},
      {"as_scalar_type", Kind::DType, Kind::DType, false},
      {"as_memory_format", Kind::MemoryFormat, Kind::MemoryFormat, false},
      {"as_layout", Kind::Layout, Kind::Layout, false},
      {"as_sym_int", Kind::Int, Kind::Int, true},
      {"as_sym_ints", Kind::IntList, Kind::Int, true},
      {"as_sym_bool", Kind::Bool, Kind::Bool, true},
      {"as_sym_bools", Kind::BoolList, Kind::Bool, true},
      {"as_sym_float", Kind::Float, Kind::Float, true},
      {"as_sym_floats", Kind::FloatList, Kind::Float, true}};
  if (tag == "as_device") {
    std::string type;
    if (!json::string(v, "type", type))
      return Status::error("a device has no type");
    out.kind = Kind::Device;
    out.strings.push_back(type);
    return Status::success();
  }
  for (const Form &form : forms) {
    if (tag != form.tag)
      continue;
    out.kind = form.kind;
    auto append = [&](const Json &item) {
      const Json *value = &item;
      if (form.symbolic)
        if (Status s = unwrapSymbolic(value); s.failed())
          return s;
      return appendScalar(form.element, *value, out)
                 ? Status::success()
                 : Status::error("a value of tag '" + std::string(tag) +
                                 "' has the wrong kind");
    };
    if (form.kind == form.element)
      return append(v);
    if (!v.isArray())
      return Status::error("a value of tag '" + std::string(tag) +
                           "' is not a list");
    for (const Json &item : v.elements())
      if (Status s = append(item); s.failed())
        return s;
    return Status::success();
  }
  return Status::error("unknown argument tag '" + std::string(tag) +
                       "'; the file is newer than this reader");
}

Status GraphDecoder::inlineWrapper(const Json &item, Scope &scope,
                                   unsigned depth) {
  if (depth > 16)
    return Status::error("higher-order ops are nested too deeply");
  const Json *body = nullptr;
  std::vector<const Json *> actuals;
  for (const Json &input : json::array(item, "inputs")->elements()) {
    const Json *arg = json::object(input, "arg");
    if (const Json *g = arg ? json::object(*arg, "as_graph") : nullptr)
      body = json::object(*g, "graph");
    else if (body && arg)
      actuals.push_back(arg);
  }
  const Json *formals = body ? json::array(*body, "inputs") : nullptr;
  const Json *yields = body ? json::array(*body, "outputs") : nullptr;
  if (!formals || !yields || formals->size() != actuals.size())
    return Status::error("its body does not fit its arguments");
  Scope inner;
  if (Status s = openScope(*body, inner); s.failed())
    return s;
  size_t next = 0;
  for (const Json &formal : formals->elements()) {
    const Json *tensor = json::object(formal, "as_tensor");
    const Json *name = tensor ? json::field(*tensor, "name") : nullptr;
    Argument actual;
    if (Status s = decodeArgument(*actuals[next++], scope, actual); s.failed())
      return s;
    if (!name || !name->isString() || actual.kind != Kind::Tensor)
      return Status::error("its body takes something other than tensors");
    inner.values.emplace(name->asText(), actual.tensors[0]);
  }
  if (Status s = decodeNodes(*body, inner, depth + 1); s.failed())
    return s;
  // The results are either one list or single tensors.
  std::vector<const Json *> results;
  for (const Json &output : json::array(item, "outputs")->elements()) {
    if (const Json *list = json::array(output, "as_tensors"))
      for (const Json &v : list->elements())
        results.push_back(&v);
    else if (const Json *one = json::object(output, "as_tensor"))
      results.push_back(one);
  }
  if (results.size() != yields->size())
    return Status::error("its body does not fit its results");
  next = 0;
  for (const Json &item : yields->elements()) {
    const Json *yield = json::object(item, "as_tensor");
    const Json *name = json::field(*results[next++], "name");
    ValueId id = kNoValue;
    if (!yield || !name || !name->isString())
      return Status::error("a result of its body is not a tensor");
    if (Status s = useTensor(*yield, inner, id); s.failed())
      return s;
    scope.values.emplace(name->asText(), id);
  }
  return Status::success();
}
