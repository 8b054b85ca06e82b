//===- PT2Graph.cpp - models/<name>.json to the op graph ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PT2Decoder.h"

using namespace panpipe::import;
using json::Json;

Status panpipe::import::decodeProgram(const Json &program,
                                      const PT2Payloads &payloads,
                                      OpGraph &graph) {
  const Json *version = json::object(program, "schema_version");
  const Json *major = version ? json::field(*version, "major") : nullptr;
  if (!major || !major->isInt())
    return Status::error("the program has no schema_version");
  if (major->asInt() != 8)
    return Status::error(
        "the program has schema version " + std::to_string(major->asInt()) +
        "; this reader knows version 8: save it with torch 2.9 or a newer "
        "release that writes schema 8");
  const Json *module = json::object(program, "graph_module");
  const Json *body = module ? json::object(*module, "graph") : nullptr;
  const Json *signature = module ? json::object(*module, "signature") : nullptr;
  if (!body || !signature)
    return Status::error("the program has no graph_module with graph and "
                         "signature");
  GraphDecoder decoder(graph, payloads);
  if (Status s = decoder.decode(*body, *signature); s.failed())
    return s;
  return decoder.placeWeights();
}

Status GraphDecoder::decode(const Json &body, const Json &signature) {
  Scope scope;
  if (Status s = openScope(body, scope); s.failed())
    return s;
  const Json *specs = json::array(signature, "input_specs");
  if (!specs)
    return Status::error("the signature has no input_specs");
  for (const Json &spec : specs->elements())
    if (Status s = decodeInput(spec, scope); s.failed())
      return s;
  if (Status s = decodeNodes(body, scope, 0); s.failed())
    return s;
  specs = json::array(signature, "output_specs");
  if (!specs)
    return Status::error("the signature has no output_specs");
  for (const Json &spec : specs->elements())
    if (Status s = decodeOutput(spec, scope); s.failed())
      return s;
  if (graph.outputs.empty())
    return Status::error("the program has no outputs");
  return Status::success();
}

Status GraphDecoder::openScope(const Json &body, Scope &scope) {
  const Json *metas = json::object(body, "tensor_values");
  if (!metas)
    return Status::error("a graph has no tensor_values");
  // RapidJSON's objects are lists: index them once.
  scope.metas.reserve(metas->size());
  for (Json::Member member : metas->members())
    scope.metas.emplace(member.name, &member.value);
  return Status::success();
}

Status GraphDecoder::define(const std::string &name, Scope &scope,
                            ValueId &id) {
  auto meta = scope.metas.find(name);
  if (meta == scope.metas.end())
    return Status::error("the value '" + name + "' has no tensor_values entry");
  GraphValue value;
  value.name = name;
  if (Status s =
          json::tensorMeta(*meta->second, "value '" + name + "'", value.type);
      s.failed())
    return s;
  id = ValueId(graph.values.size());
  if (!scope.values.emplace(meta->first, id).second)
    return Status::error("the value '" + name + "' is defined twice");
  graph.values.push_back(std::move(value));
  return Status::success();
}

/// {"arg": {"name": …}} or {"arg": {"as_tensor": {"name": …}}}.
static bool specName(const Json &spec, std::string &name) {
  const Json *arg = json::object(spec, "arg");
  if (!arg)
    return false;
  if (json::string(*arg, "name", name))
    return true;
  const Json *tensor = json::object(*arg, "as_tensor");
  return tensor && json::string(*tensor, "name", name);
}

Status GraphDecoder::decodeInput(const Json &spec, Scope &scope) {
  using Kind = GraphInput::Kind;
  struct Form {
    const char *tag;
    Kind kind;
    const char *nameField;
  };
  static const Form forms[] = {
      {"user_input", Kind::User, nullptr},
      {"parameter", Kind::Parameter, "parameter_name"},
      {"buffer", Kind::Buffer, "buffer_name"},
      {"tensor_constant", Kind::Constant, "tensor_constant_name"}};
  json::Tag tag = json::tagged(spec);
  std::string kind(tag.name);
  if (kind == "constant_input")
    return Status::success(); // a number or None, already in the nodes
  if (kind == "custom_obj" || kind == "token")
    return Status::error("the program takes a " + kind +
                         " as an input, which is not supported; remove custom "
                         "classes and effects from the model");
  for (const Form &form : forms) {
    if (kind != form.tag)
      continue;
    GraphInput input;
    input.kind = form.kind;
    std::string name;
    if (!specName(*tag.value, name))
      return Status::error("an input of kind " + kind +
                           " is not a tensor; only tensors are supported");
    input.name = name;
    if (form.nameField && !json::string(*tag.value, form.nameField, input.name))
      return Status::error("input '" + name + "' has no " + form.nameField);
    if (Status s = define(name, scope, input.value); s.failed())
      return s;
    if (form.kind != Kind::User) {
      input.storage.emplace();
      weights.push_back(graph.inputs.size());
    }
    graph.inputs.push_back(std::move(input));
    return Status::success();
  }
  return Status::error("unknown input kind '" + kind +
                       "' in the signature; the file is newer than this "
                       "reader");
}

Status GraphDecoder::placeWeights() {
  std::vector<bool> used(graph.values.size());
  auto use = [&](ValueId id) {
    if (id != kNoValue)
      used[id] = true;
  };
  for (const Node &node : graph.nodes)
    for (const NamedArgument &arg : node.args)
      for (ValueId id : arg.value.tensors)
        use(id);
  for (const GraphOutput &output : graph.outputs)
    use(output.value);
  for (size_t i : weights) {
    GraphInput &input = graph.inputs[i];
    Status s = payloads.find(input.name, graph.values[input.value].type,
                             *input.storage);
    // A parameter without users needs no bytes; it is dropped later.
    if (s.failed() && used[input.value])
      return s;
  }
  return Status::success();
}

Status GraphDecoder::decodeOutput(const Json &spec, Scope &scope) {
  json::Tag tag = json::tagged(spec);
  std::string kind(tag.name);
  if (kind == "buffer_mutation" || kind == "parameter_mutation" ||
      kind == "user_input_mutation") {
    std::string target;
    for (const char *field :
         {"buffer_name", "parameter_name", "user_input_name"})
      if (json::string(*tag.value, field, target))
        break;
    return Status::error(
        "the program changes '" + target + "' (" + kind +
        "); this version imports inference programs only: call model.eval() "
        "before the export and keep state out of forward");
  }
  if (kind == "gradient_to_parameter" || kind == "gradient_to_user_input" ||
      kind == "token")
    return Status::error("the program has an output of kind " + kind +
                         "; this version imports inference programs only");
  if (kind != "user_output" && kind != "loss_output")
    return Status::error("unknown output kind '" + kind +
                         "' in the signature; the file is newer than this "
                         "reader");
  std::string name;
  if (!specName(*tag.value, name)) {
    const Json *arg = json::object(*tag.value, "arg");
    if (arg && json::field(*arg, "as_none"))
      return Status::success(); // nothing to compute
    return Status::error("an output is not a tensor; return tensors only");
  }
  auto it = scope.values.find(name);
  if (it == scope.values.end())
    return Status::error("the output '" + name + "' is not defined");
  graph.outputs.push_back({name, it->second});
  return Status::success();
}
