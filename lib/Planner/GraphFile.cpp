//===- GraphFile.cpp - The format pipe-graph/1 ----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Json.h"

#include "panpipe/Planner/Graph.h"

#include <rapidjson/error/en.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

using namespace panpipe::planner;

//===----------------------------------------------------------------------===//
// Checked access
//===----------------------------------------------------------------------===//

Error json::parseFile(const std::string &text, const char *format,
                      rapidjson::Document &document) {
  // Iterative: a deeply nested file must not exhaust the stack. Full precision:
  // a number that is written and read again is the same.
  document.Parse<rapidjson::kParseIterativeFlag |
                 rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
  if (document.HasParseError())
    return std::string("not JSON: ") +
           rapidjson::GetParseError_En(document.GetParseError()) + " (byte " +
           std::to_string(document.GetErrorOffset()) + ")";
  if (!document.IsObject())
    return std::string("expected a JSON object of format ") + format;
  std::string found;
  if (Error error = readString(document, "format", true, "file", found))
    return error;
  if (found != format)
    return "expected format " + std::string(format) + ", found " + found;
  return std::nullopt;
}

/// The member, or null with `error` set if it is required.
static const json::Value *find(const json::Value &object, const char *name,
                               bool required, const std::string &where,
                               Error &error) {
  if (object.IsObject()) {
    auto it = object.FindMember(name);
    if (it != object.MemberEnd())
      return &it->value;
  }
  if (required)
    error = where + ": member \"" + name + "\" is missing";
  return nullptr;
}

static std::string wrongKind(const std::string &where, const char *name,
                             const char *kind) {
  return where + ": member \"" + name + "\" must be " + kind;
}

Error json::readNumber(const Value &object, const char *name, bool required,
                       const std::string &where, double &result) {
  Error error;
  const Value *value = find(object, name, required, where, error);
  if (!value)
    return error;
  if (!value->IsNumber())
    return wrongKind(where, name, "a number");
  result = value->GetDouble();
  return std::nullopt;
}

Error json::readCount(const Value &object, const char *name, bool required,
                      const std::string &where, uint64_t &result) {
  Error error;
  const Value *value = find(object, name, required, where, error);
  if (!value)
    return error;
  if (!value->IsUint64())
    return wrongKind(where, name, "a whole number, not negative");
  result = value->GetUint64();
  return std::nullopt;
}

Error json::readIndex(const Value &object, const char *name, bool required,
                      const std::string &where, unsigned &result) {
  uint64_t wide = result;
  if (Error error = readCount(object, name, required, where, wide))
    return error;
  if (wide > UINT32_MAX)
    return wrongKind(where, name, "smaller than 2^32");
  result = static_cast<unsigned>(wide);
  return std::nullopt;
}

Error json::readString(const Value &object, const char *name, bool required,
                       const std::string &where, std::string &result) {
  Error error;
  const Value *value = find(object, name, required, where, error);
  if (!value)
    return error;
  if (!value->IsString())
    return wrongKind(where, name, "a string");
  result.assign(value->GetString(), value->GetStringLength());
  return std::nullopt;
}

Error json::readArray(const Value &object, const char *name, bool required,
                      const std::string &where, const Value *&result) {
  Error error;
  const Value *value = find(object, name, required, where, error);
  if (!value)
    return error;
  if (!value->IsArray())
    return wrongKind(where, name, "a list");
  result = value;
  return std::nullopt;
}

/// Bytes of the parameters of `node` that are not marked yet; marks them.
static uint64_t countFirstParams(const Graph &graph, const Node &node,
                                 std::vector<bool> &seen) {
  uint64_t bytes = 0;
  for (unsigned param : node.params)
    if (!seen[param]) {
      seen[param] = true;
      bytes += graph.params[param].bytes;
    }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Error readNode(const json::Value &value, const std::string &where,
                      Node &node) {
  if (Error e = json::readString(value, "name", true, where, node.name))
    return e;
  if (Error e = json::readNumber(value, "fwd", true, where, node.forward))
    return e;
  if (Error e = json::readNumber(value, "bwd_input", false, where,
                                 node.backwardInput))
    return e;
  if (Error e = json::readNumber(value, "bwd_weight", false, where,
                                 node.backwardWeight))
    return e;
  if (Error e =
          json::readCount(value, "out_bytes", false, where, node.outBytes))
    return e;
  if (Error e =
          json::readCount(value, "saved_bytes", false, where, node.savedBytes))
    return e;
  if (Error e =
          json::readCount(value, "w_bytes", false, where, node.weightBytes))
    return e;
  if (Error e =
          json::readCount(value, "param_bytes", false, where, node.paramBytes))
    return e;
  if (Error e = json::readCount(value, "frozen_bytes", false, where,
                                node.frozenBytes))
    return e;
  const json::Value *params = nullptr;
  if (Error e = json::readArray(value, "params", false, where, params))
    return e;
  if (params)
    for (const json::Value &param : params->GetArray()) {
      if (!param.IsUint())
        return where + ": \"params\" must list positions";
      node.params.push_back(param.GetUint());
    }
  auto output = value.FindMember("output");
  node.isOutput = output != value.MemberEnd() && output->value.IsTrue();
  return std::nullopt;
}

static Error readEdge(const json::Value &value, const std::string &where,
                      Edge &edge) {
  if (Error e = json::readIndex(value, "src", true, where, edge.source))
    return e;
  if (Error e = json::readIndex(value, "dst", true, where, edge.target))
    return e;
  if (Error e = json::readCount(value, "bytes", true, where, edge.bytes))
    return e;
  if (Error e = json::readIndex(value, "value", false, where, edge.value))
    return e;
  auto gradient = value.FindMember("grad");
  edge.gradient = gradient == value.MemberEnd() || !gradient->value.IsFalse();
  return std::nullopt;
}

static Error readParamsAndLink(const json::Value &document, Graph &graph) {
  const json::Value *params = nullptr;
  if (Error e = json::readArray(document, "params", false, "graph", params))
    return e;
  for (unsigned i = 0; params && i < params->Size(); ++i) {
    std::string where = "parameter " + std::to_string(i);
    Param param;
    if (Error e =
            json::readString((*params)[i], "name", true, where, param.name))
      return e;
    if (Error e =
            json::readCount((*params)[i], "bytes", true, where, param.bytes))
      return e;
    auto frozen = (*params)[i].FindMember("frozen");
    param.isFrozen =
        frozen != (*params)[i].MemberEnd() && frozen->value.IsTrue();
    graph.params.push_back(param);
  }
  auto link = document.FindMember("link");
  if (link == document.MemberEnd())
    return std::nullopt;
  if (Error e = json::readNumber(link->value, "latency", true, "link",
                                 graph.link.latency))
    return e;
  return json::readNumber(link->value, "bandwidth", true, "link",
                          graph.link.bandwidth);
}

Error panpipe::planner::readGraph(const std::string &text, Graph &graph) {
  rapidjson::Document document;
  if (Error e = json::parseFile(text, "pipe-graph/1", document))
    return e;
  graph = Graph();
  graph.paramFactor = 4;
  if (Error e = json::readString(document, "name", false, "graph", graph.name))
    return e;
  if (Error e = json::readNumber(document, "param_factor", false, "graph",
                                 graph.paramFactor))
    return e;
  if (Error e = readParamsAndLink(document, graph))
    return e;
  const json::Value *nodes = nullptr, *edges = nullptr;
  if (Error e = json::readArray(document, "nodes", true, "graph", nodes))
    return e;
  if (Error e = json::readArray(document, "edges", true, "graph", edges))
    return e;
  graph.nodes.resize(nodes->Size());
  graph.edges.resize(edges->Size());
  for (unsigned i = 0; i < nodes->Size(); ++i)
    if (Error e =
            readNode((*nodes)[i], "node " + std::to_string(i), graph.nodes[i]))
      return e;
  for (unsigned i = 0; i < edges->Size(); ++i)
    if (Error e =
            readEdge((*edges)[i], "edge " + std::to_string(i), graph.edges[i]))
      return e;
  if (Error e = graph.verify())
    return e;
  // `param_bytes` includes the listed parameters at their first user.
  std::vector<bool> seen(graph.params.size(), false);
  for (Node &node : graph.nodes) {
    uint64_t listed = countFirstParams(graph, node, seen);
    if (node.paramBytes < listed)
      return "node " + node.name + ": \"param_bytes\" is " +
             std::to_string(node.paramBytes) +
             ", less than the parameters it is the first to use (" +
             std::to_string(listed) + ")";
    node.paramBytes -= listed;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

using Writer = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

/// `firstParams` are the bytes of the listed parameters that no earlier node
/// uses: readers that do not know the list count them all the same.
static void writeNode(Writer &writer, const Node &node, uint64_t firstParams) {
  writer.StartObject();
  writer.Key("name");
  writer.String(node.name.c_str());
  auto number = [&](const char *key, double value) {
    writer.Key(key);
    writer.Double(value);
  };
  auto count = [&](const char *key, uint64_t value) {
    writer.Key(key);
    writer.Uint64(value);
  };
  number("fwd", node.forward);
  number("bwd_input", node.backwardInput);
  number("bwd_weight", node.backwardWeight);
  count("out_bytes", node.outBytes);
  count("saved_bytes", node.savedBytes);
  count("w_bytes", node.weightBytes);
  count("param_bytes", node.paramBytes + firstParams);
  if (node.frozenBytes != 0)
    count("frozen_bytes", node.frozenBytes);
  if (!node.params.empty()) {
    writer.Key("params");
    writer.StartArray();
    for (unsigned param : node.params)
      writer.Uint(param);
    writer.EndArray();
  }
  if (node.isOutput) {
    writer.Key("output");
    writer.Bool(true);
  }
  writer.EndObject();
}

static void writeEdge(Writer &writer, const Edge &edge) {
  writer.StartObject();
  writer.Key("src");
  writer.Uint(edge.source);
  writer.Key("dst");
  writer.Uint(edge.target);
  writer.Key("bytes");
  writer.Uint64(edge.bytes);
  if (edge.value != 0) {
    writer.Key("value");
    writer.Uint(edge.value);
  }
  if (!edge.gradient) {
    writer.Key("grad");
    writer.Bool(false);
  }
  writer.EndObject();
}

static void writeParams(Writer &writer, const Graph &graph) {
  if (graph.params.empty())
    return;
  writer.Key("params");
  writer.StartArray();
  for (const Param &param : graph.params) {
    writer.StartObject();
    writer.Key("name");
    writer.String(param.name.c_str());
    writer.Key("bytes");
    writer.Uint64(param.bytes);
    if (param.isFrozen) {
      writer.Key("frozen");
      writer.Bool(true);
    }
    writer.EndObject();
  }
  writer.EndArray();
}

std::string panpipe::planner::writeGraph(const Graph &graph) {
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  writer.SetIndent(' ', 1);
  writer.StartObject();
  writer.Key("format");
  writer.String("pipe-graph/1");
  writer.Key("name");
  writer.String(graph.name.c_str());
  writer.Key("time_unit");
  writer.String("ms");
  writer.Key("param_factor");
  writer.Double(graph.paramFactor);
  writer.Key("link");
  writer.StartObject();
  writer.Key("latency");
  writer.Double(graph.link.latency);
  writer.Key("bandwidth");
  writer.Double(graph.link.bandwidth);
  writer.EndObject();
  writeParams(writer, graph);
  writer.Key("nodes");
  writer.StartArray();
  std::vector<bool> seen(graph.params.size(), false);
  for (const Node &node : graph.nodes)
    writeNode(writer, node, countFirstParams(graph, node, seen));
  writer.EndArray();
  writer.Key("edges");
  writer.StartArray();
  for (const Edge &edge : graph.edges)
    writeEdge(writer, edge);
  writer.EndArray();
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}
