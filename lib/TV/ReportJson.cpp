//===- ReportJson.cpp - Reports of the validator for tools ----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Report.h"

using namespace panpipe::tv;
using namespace llvm;

/// JSON strings must be UTF-8; names in MLIR need not be.
static json::Value text(StringRef string) {
  return json::isUTF8(string) ? string.str() : json::fixUTF8(string);
}

static json::Array lines(ArrayRef<std::string> strings) {
  json::Array array;
  for (const std::string &string : strings)
    array.push_back(text(string));
  return array;
}

static json::Value toJson(const Counterexample &example) {
  json::Array inputs;
  for (const Counterexample::Input &input : example.inputs)
    inputs.push_back(json::Object{{"name", text(input.name)},
                                  {"type", text(input.type)},
                                  {"value", text(input.value)}});
  return json::Object{{"inputs", std::move(inputs)},
                      {"sourceTrace", lines(example.sourceTrace)},
                      {"targetTrace", lines(example.targetTrace)},
                      {"difference", text(example.difference)},
                      {"reproducer", text(example.reproducer)}};
}

static json::Value toJson(const ProofStats &stats) {
  return json::Object{{"nodes", stats.nodes},
                      {"obligations", stats.obligations},
                      {"congruence", stats.congruence},
                      {"cells", stats.cells},
                      {"sums", stats.sums},
                      {"abstractFloat", stats.abstractFloat},
                      {"exactFloat", stats.exactFloat},
                      {"queries", stats.queries},
                      {"cached", stats.cached}};
}

json::Value panpipe::tv::toJson(const FunctionReport &report) {
  json::Array assumptions;
  for (const Assumption &assumption : report.assumptions)
    assumptions.push_back(json::Object{{"kind", text(assumption.kind)},
                                       {"detail", text(assumption.detail)}});
  json::Object object{{"function", text(report.function)},
                      {"verdict", toString(report.verdict)},
                      {"reason", text(report.reason)},
                      {"location", text(report.location)},
                      {"sourceAlwaysUndefined", report.sourceAlwaysUndefined},
                      {"assumptions", std::move(assumptions)},
                      {"seconds", report.stats.seconds},
                      {"statistics", ::toJson(report.stats)}};
  if (report.counterexample)
    object["counterexample"] = ::toJson(*report.counterexample);
  return object;
}

json::Value panpipe::tv::toJson(const Report &report) {
  json::Array functions;
  for (const FunctionReport &function : report.functions)
    functions.push_back(toJson(function));
  return json::Object{{"verdict", toString(report.verdict())},
                      {"exitCode", static_cast<int>(report.verdict())},
                      {"functions", std::move(functions)}};
}
