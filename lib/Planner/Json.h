//===- Json.h - Checked access to JSON members ------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// RapidJSON asserts on a member of the wrong kind; files of users need errors.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_PLANNER_JSON_H
#define PANPIPE_LIB_PLANNER_JSON_H

#include "panpipe/Planner/Graph.h"

#include <rapidjson/document.h>

#include <string>

namespace panpipe::planner::json {

using Value = rapidjson::Value;

/// Parses `text` as an object whose member "format" is `format`.
Error parseFile(const std::string &text, const char *format,
                rapidjson::Document &document);

// Each leaves `result` alone when an optional member is absent. `where` starts
// the error message, as in `node 3`.
Error readNumber(const Value &object, const char *name, bool required,
                 const std::string &where, double &result);
Error readCount(const Value &object, const char *name, bool required,
                const std::string &where, uint64_t &result);
Error readIndex(const Value &object, const char *name, bool required,
                const std::string &where, unsigned &result);
Error readString(const Value &object, const char *name, bool required,
                 const std::string &where, std::string &result);
/// `result` stays null when an optional array is absent.
Error readArray(const Value &object, const char *name, bool required,
                const std::string &where, const Value *&result);

} // namespace panpipe::planner::json

#endif // PANPIPE_LIB_PLANNER_JSON_H
