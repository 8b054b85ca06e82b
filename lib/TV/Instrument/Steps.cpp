//===- Steps.cpp - A pass pipeline as a list of steps ---------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Steps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace panpipe::tv;

/// Splits at the commas that are outside of brackets and quotes.
static SmallVector<StringRef> splitList(StringRef text) {
  SmallVector<StringRef> parts;
  size_t start = 0;
  unsigned depth = 0;
  char quote = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    char letter = at < text.size() ? text[at] : ',';
    if (quote) {
      if (letter == quote)
        quote = 0;
    } else if (letter == '"' || letter == '\'') {
      quote = letter;
    } else if (letter == '(' || letter == '{' || letter == '[') {
      ++depth;
    } else if (letter == ')' || letter == '}' || letter == ']') {
      depth -= depth > 0;
    } else if (letter == ',' && depth == 0) {
      if (StringRef part = text.slice(start, at).trim(); !part.empty())
        parts.push_back(part);
      start = at + 1;
    }
  }
  return parts;
}

/// "anchor(inner)" as its two parts; nothing for a pass, with options or not.
static std::optional<std::pair<StringRef, StringRef>> asNest(StringRef text) {
  size_t at = text.find_first_of("({");
  if (at == StringRef::npos || text[at] != '(' || !text.ends_with(")"))
    return std::nullopt;
  return std::make_pair(text.take_front(at).trim(),
                        text.slice(at + 1, text.size() - 1));
}

/// The leaves of `list`, each inside `open` … `close`.
static void collectLeaves(StringRef list, const std::string &open,
                          const std::string &close,
                          std::vector<PipelineStep> &steps) {
  for (StringRef part : splitList(list)) {
    if (auto nest = asNest(part)) {
      collectLeaves(nest->second, open + nest->first.str() + "(", ")" + close,
                    steps);
      continue;
    }
    steps.push_back({part.take_until([](char c) { return c == '{'; }).str(),
                     open + part.str() + close});
  }
}

/// What stands inside the module.
static StringRef insideModule(StringRef pipeline) {
  pipeline = pipeline.trim();
  SmallVector<StringRef> parts = splitList(pipeline);
  if (parts.size() == 1)
    if (auto nest = asNest(parts.front());
        nest && nest->first == "builtin.module")
      return nest->second;
  return pipeline;
}

FailureOr<std::vector<PipelineStep>>
panpipe::tv::splitPipeline(StringRef pipeline, raw_ostream &errors) {
  std::vector<PipelineStep> written, steps;
  collectLeaves(insideModule(pipeline), "", "", written);
  for (PipelineStep &step : written) {
    OpPassManager manager(ModuleOp::getOperationName());
    if (failed(parsePassPipeline(step.pipeline, manager, errors)))
      return failure();
    std::string expanded;
    llvm::raw_string_ostream os(expanded);
    manager.printAsTextualPipeline(os);
    std::vector<PipelineStep> leaves;
    collectLeaves(insideModule(expanded), "", "", leaves);
    // As the user wrote it, unless the name stands for several passes: not
    // every upstream pass prints options that read back.
    if (leaves.size() == 1)
      steps.push_back(std::move(step));
    else
      llvm::append_range(steps, leaves);
  }
  return steps;
}
