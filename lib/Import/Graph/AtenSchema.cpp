//===- AtenSchema.cpp - Arguments and defaults of ATen operators ----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Import/AtenSchema.h"

#include <algorithm>
#include <cstdlib>

using namespace panpipe::import;

const AtenArgument *AtenOp::find(std::string_view argument) const {
  for (unsigned i = 0; i < numArguments; ++i)
    if (arguments[i].name == argument)
      return &arguments[i];
  return nullptr;
}

const AtenOp *panpipe::import::findAtenOp(std::string_view target) {
  const AtenOp *found = std::lower_bound(
      atenOpsBegin(), atenOpsEnd(), target,
      [](const AtenOp &op, std::string_view t) { return op.target < t; });
  return found != atenOpsEnd() && found->target == target ? found : nullptr;
}

bool panpipe::import::defaultOf(const AtenArgument &argument, Argument &out) {
  const char *text = argument.defaultText;
  if (!text)
    return false;
  using Kind = Argument::Kind;
  const char *value = text[0] == 'n' ? text : text + 2;
  switch (text[0]) {
  case 'b':
  case 'i':
    out.kind = text[0] == 'b' ? Kind::Bool : Kind::Int;
    out.ints.push_back(std::strtoll(value, nullptr, 10));
    break;
  case 'f':
    out.kind = Kind::Float;
    out.floats.push_back(std::strtod(value, nullptr));
    break;
  case 's':
    out.kind = Kind::String;
    out.strings.push_back(value);
    break;
  case 'B':
  case 'I':
    out.kind = text[0] == 'B' ? Kind::BoolList : Kind::IntList;
    for (char *end; *value; value = *end ? end + 1 : end)
      out.ints.push_back(std::strtoll(value, &end, 10));
    break;
  default: // 'n'
    out.kind = Kind::None;
  }
  return true;
}
