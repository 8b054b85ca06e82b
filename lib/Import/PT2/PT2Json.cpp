//===- PT2Json.cpp - Checked access to a parsed JSON text -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PT2Json.h"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <limits>

using namespace panpipe::import;
using namespace panpipe::import::json;

namespace panpipe::import::json {
/// Receives the events of the parser; false stops it.
struct TreeBuilder {
  std::vector<Json> &nodes;
  std::vector<uint32_t> open; ///< arrays and objects not yet closed

  Json &add(Json::Kind kind) {
    nodes.emplace_back();
    nodes.back().kind = kind;
    return nodes.back();
  }
  bool integer(Json::Kind kind, int64_t value) {
    add(kind).integer = value;
    return nodes.size() < std::numeric_limits<uint32_t>::max();
  }
  bool Null() { return integer(Json::Kind::Null, 0); }
  bool Bool(bool value) { return integer(Json::Kind::Bool, value); }
  bool Int(int value) { return integer(Json::Kind::Int, value); }
  bool Uint(unsigned value) { return integer(Json::Kind::Int, value); }
  bool Int64(int64_t value) { return integer(Json::Kind::Int, value); }
  bool Uint64(uint64_t value) {
    if (value <= uint64_t(std::numeric_limits<int64_t>::max()))
      return Int64(int64_t(value));
    return Double(double(value));
  }
  bool Double(double value) {
    add(Json::Kind::Double).real = value;
    return true;
  }
  bool RawNumber(const char *, unsigned, bool) { return false; }
  bool String(const char *text, unsigned size, bool) {
    Json &node = add(Json::Kind::String);
    node.string = text;
    node.count = size;
    return nodes.size() < std::numeric_limits<uint32_t>::max();
  }
  bool Key(const char *text, unsigned size, bool copy) {
    return String(text, size, copy);
  }
  bool start(Json::Kind kind) {
    open.push_back(uint32_t(nodes.size()));
    return integer(kind, 0);
  }
  bool close(unsigned count) {
    Json &node = nodes[open.back()];
    node.count = count;
    node.span = uint32_t(nodes.size()) - open.back();
    open.pop_back();
    return true;
  }
  bool StartObject() { return start(Json::Kind::Object); }
  bool EndObject(unsigned count) { return close(count); }
  bool StartArray() { return start(Json::Kind::Array); }
  bool EndArray(unsigned count) { return close(count); }
};
} // namespace panpipe::import::json

Status json::parse(Document &doc, const std::string &what) {
  // Iterative: a deeply nested text must not overflow the stack. Full
  // precision: an epsilon must be the double that Python wrote.
  constexpr unsigned flags = rapidjson::kParseInsituFlag |
                             rapidjson::kParseIterativeFlag |
                             rapidjson::kParseFullPrecisionFlag;
  rapidjson::Reader reader;
  rapidjson::InsituStringStream stream(doc.text.data());
  TreeBuilder builder{doc.nodes, {}};
  doc.nodes.clear();
  if (!reader.Parse<flags>(stream, builder))
    return Status::error(
        what + " is not valid JSON: " +
        rapidjson::GetParseError_En(reader.GetParseErrorCode()) + " (at byte " +
        std::to_string(reader.GetErrorOffset()) + ")");
  if (!doc.root().isObject())
    return Status::error(what + ": expected a JSON object");
  return Status::success();
}

const Json *json::field(const Json &v, const char *name) {
  for (Json::Member member : v.members())
    if (member.name == name)
      return &member.value;
  return nullptr;
}

const Json *json::object(const Json &v, const char *name) {
  const Json *f = field(v, name);
  return f && f->isObject() ? f : nullptr;
}

const Json *json::array(const Json &v, const char *name) {
  const Json *f = field(v, name);
  return f && f->isArray() ? f : nullptr;
}

bool json::string(const Json &v, const char *name, std::string &out) {
  const Json *f = field(v, name);
  if (!f || !f->isString())
    return false;
  out = f->asText();
  return true;
}

Tag json::tagged(const Json &v) {
  if (!v.isObject() || v.size() != 1)
    return {};
  Json::Member member = *v.members().begin();
  return {member.name, &member.value};
}

Status json::symInt(const Json &v, const std::string &what, int64_t &out) {
  if (v.isInt()) {
    out = v.asInt();
    return Status::success();
  }
  Tag tag = tagged(v);
  std::string_view kind = tag.name;
  if (kind == "as_int" && tag.value->isInt()) {
    out = tag.value->asInt();
    return Status::success();
  }
  if (kind == "as_expr" || kind == "as_name") {
    std::string expr;
    if (kind == "as_name" && tag.value->isString())
      expr = tag.value->asText();
    else if (!string(*tag.value, "expr_str", expr))
      expr = "?";
    return Status::error(what + " has a dynamic size (" + expr +
                         "); only static shapes are supported: export without "
                         "dynamic_shapes");
  }
  if (tag)
    return Status::error(what + ": unknown tag '" + std::string(kind) +
                         "' of a symbolic integer");
  return Status::error(what + ": expected a symbolic integer");
}

Status json::symInts(const Json &v, const char *name, const std::string &what,
                     std::vector<int64_t> &out) {
  const Json *list = array(v, name);
  if (!list)
    return Status::error(what + ": the list '" + name + "' is missing");
  out.clear();
  for (const Json &item : list->elements()) {
    int64_t value = 0;
    if (Status s = symInt(item, what, value); s.failed())
      return s;
    out.push_back(value);
  }
  return Status::success();
}

bool json::number(const Json &v, double &out) {
  if (v.isNumber()) {
    out = v.asDouble();
    return true;
  }
  if (!v.isString())
    return false;
  std::string_view s = v.asText();
  if (s == "Infinity")
    out = std::numeric_limits<double>::infinity();
  else if (s == "-Infinity")
    out = -std::numeric_limits<double>::infinity();
  else if (s == "NaN")
    out = std::numeric_limits<double>::quiet_NaN();
  else
    return false;
  return true;
}

Status json::tensorMeta(const Json &v, const std::string &what,
                        GraphTensorType &out) {
  const Json *dtype = field(v, "dtype"), *layout = field(v, "layout");
  if (!dtype || !dtype->isInt())
    return Status::error(what + ": the dtype is missing");
  int64_t code = dtype->asInt();
  out.dtype = code >= 0 && code < 256 ? DType(code) : DType::Unknown;
  if (!dtypeBytes(out.dtype))
    return Status::error(what + " has the unknown dtype number " +
                         std::to_string(dtype->asInt()) +
                         "; known are those of export schema 8");
  if (layout && !(layout->isInt() && layout->asInt() == 7))
    return Status::error(what + " has a layout other than strided (7); convert "
                                "it with to_dense() before the export");
  if (Status s = symInts(v, "sizes", what, out.sizes); s.failed())
    return s;
  // Products of sizes must not overflow anywhere later.
  uint64_t bytes = dtypeBytes(out.dtype);
  for (int64_t size : out.sizes) {
    if (size < 0)
      return Status::error(what + " has the negative size " +
                           std::to_string(size));
    if (size && bytes > (uint64_t(1) << 46) / uint64_t(size))
      return Status::error(what + " is larger than 64 TiB: " + out.str());
    if (size)
      bytes *= uint64_t(size);
  }
  if (out.sizes.size() > 16)
    return Status::error(what + " has more than 16 dimensions");
  return Status::success();
}
