//===- PT2Json.h - Checked access to a parsed JSON text ---------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A flat, read-only tree over RapidJSON's event parser. (Its own DOM of
/// release 1.1 does not compile with recent clang, takes more memory, and
/// asserts on a value of the wrong kind, which is what files from elsewhere
/// have.)
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_IMPORT_PT2_PT2JSON_H
#define PANPIPE_LIB_IMPORT_PT2_PT2JSON_H

#include "panpipe/Import/OpGraph.h"
#include "panpipe/Import/Status.h"

namespace panpipe::import::json {

/// A node of the tree. All nodes lie in one array in the order of the text, so
/// a node's children follow it and its next sibling is `span` nodes away.
class Json {
public:
  enum class Kind : uint8_t { Null, Bool, Int, Double, String, Array, Object };

  bool isNull() const { return kind == Kind::Null; }
  bool isBool() const { return kind == Kind::Bool; }
  bool isInt() const { return kind == Kind::Int; }
  bool isNumber() const { return isInt() || kind == Kind::Double; }
  bool isString() const { return kind == Kind::String; }
  bool isArray() const { return kind == Kind::Array; }
  bool isObject() const { return kind == Kind::Object; }

  // For values of that kind only.
  bool asBool() const { return integer != 0; }
  int64_t asInt() const { return integer; }
  double asDouble() const { return isInt() ? double(integer) : real; }
  std::string_view asText() const { return {string, count}; }
  /// Elements of an array, members of an object, bytes of a string.
  uint32_t size() const { return count; }

  /// Elements of an array; for other kinds nothing. An object's keys and values
  /// alternate: use members().
  class Iterator {
  public:
    explicit Iterator(const Json *at) : at(at) {}
    const Json &operator*() const { return *at; }
    Iterator &operator++() {
      at += at->span;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return at != other.at; }

  private:
    const Json *at;
  };
  struct Member {
    std::string_view name;
    const Json &value;
  };
  class MemberIterator {
  public:
    explicit MemberIterator(const Json *at) : at(at) {}
    Member operator*() const { return {at->asText(), at[1]}; }
    MemberIterator &operator++() {
      at += 1 + at[1].span;
      return *this;
    }
    bool operator!=(const MemberIterator &other) const {
      return at != other.at;
    }

  private:
    const Json *at;
  };
  template <typename It> struct Range {
    It first, last;
    It begin() const { return first; }
    It end() const { return last; }
  };
  Range<Iterator> elements() const {
    return {Iterator(this + 1), Iterator(this + (isArray() ? span : 1))};
  }
  Range<MemberIterator> members() const {
    return {MemberIterator(this + 1),
            MemberIterator(this + (isObject() ? span : 1))};
  }

private:
  friend struct TreeBuilder;
  Kind kind = Kind::Null;
  uint32_t count = 0;
  union {
    int64_t integer = 0;
    double real;
    const char *string; ///< into the document's text
  };
  uint32_t span = 1;
};

/// A tree and the text that its strings point into (parsed in place).
struct Document {
  std::string text;
  std::vector<Json> nodes;
  const Json &root() const { return nodes.front(); }
};
/// Parses `doc.text`, without recursion; `what` names the entry in messages.
Status parse(Document &doc, const std::string &what);

/// Null unless `v` is an object with that field.
const Json *field(const Json &v, const char *name);
/// Like field, but null too if the field is null or of another kind.
const Json *object(const Json &v, const char *name);
const Json *array(const Json &v, const char *name);
bool string(const Json &v, const char *name, std::string &out);

/// A union of the schema: an object with exactly one key.
struct Tag {
  std::string_view name; ///< empty if it is something else
  const Json *value = nullptr;
  explicit operator bool() const { return value; }
};
Tag tagged(const Json &v);

/// Sizes, strides and offsets: {"as_int": n}. An expression is an error.
Status symInt(const Json &v, const std::string &what, int64_t &out);
Status symInts(const Json &v, const char *name, const std::string &what,
               std::vector<int64_t> &out);
/// Numbers, with "Infinity", "-Infinity" and "NaN" as strings.
bool number(const Json &v, double &out);
/// Dtype and sizes of a TensorMeta; refuses layouts other than strided.
Status tensorMeta(const Json &v, const std::string &what, GraphTensorType &out);

} // namespace panpipe::import::json

#endif // PANPIPE_LIB_IMPORT_PT2_PT2JSON_H
