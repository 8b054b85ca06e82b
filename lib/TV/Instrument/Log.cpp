//===- Log.cpp - What became of the passes of a pipeline ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Instrument.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace panpipe::tv;

VerdictKind ValidationLog::verdict() const {
  VerdictKind worst = VerdictKind::Valid;
  for (const PassRecord &record : records)
    if (record.notCovered.empty())
      worst = worse(worst, record.report.verdict());
  return worst;
}

static std::string assumptionsText(const FunctionReport &report) {
  std::string text;
  for (const Assumption &assumption : report.assumptions)
    text += (text.empty() ? "" : "; ") + assumption.kind +
            (assumption.detail.empty() ? "" : " (" + assumption.detail + ")");
  return text.empty() ? "-" : text;
}

void panpipe::tv::printFailures(llvm::raw_ostream &os, const PassRecord &record,
                                mlir::ModuleOp source, mlir::ModuleOp target,
                                const PrintOptions &print) {
  if (record.report.verdict() == VerdictKind::Valid)
    return;
  os << "after pass '" << record.pass << "':\n";
  for (const FunctionReport &report : record.report.functions)
    if (report.verdict != VerdictKind::Valid)
      printReport(os, report, source, target, print);
}

void panpipe::tv::printLog(llvm::raw_ostream &os, const ValidationLog &log,
                           const PrintOptions &print) {
  Painter painter(print.color);
  os << painter.bold("Validation of the passes that changed something") << "\n";
  if (log.records.empty()) {
    os << "  (none did)\n";
    return;
  }
  std::vector<std::vector<std::string>> rows = {
      {"pass", "function", "verdict", "time", "how", "assumptions"}};
  unsigned proved = 0, covered = 0;
  for (const PassRecord &record : log.records) {
    if (!record.notCovered.empty()) {
      rows.push_back({record.pass, "-",
                      "not covered: " + llvm::join(record.notCovered, ", "), "",
                      "", ""});
      continue;
    }
    ++covered;
    proved += record.report.verdict() == VerdictKind::Valid;
    for (const FunctionReport &report : record.report.functions) {
      std::string seconds;
      llvm::raw_string_ostream(seconds)
          << llvm::format("%.2f s", report.stats.seconds);
      std::string how = howProved(report);
      rows.push_back({record.pass, "@" + report.function, verdictText(report),
                      seconds, how.empty() ? "-" : how,
                      assumptionsText(report)});
    }
  }
  printTable(os, rows, painter);
  os << "  " << proved << " of " << covered << " covered passes proved";
  if (covered < log.records.size())
    os << ", " << log.records.size() - covered << " not covered";
  os << ": " << painter.verdict(log.verdict()) << "\n";
}

llvm::json::Value panpipe::tv::toJson(const ValidationLog &log) {
  llvm::json::Array passes;
  for (const PassRecord &record : log.records) {
    llvm::json::Object object{{"pass", record.pass}};
    llvm::json::Array notCovered;
    for (const std::string &name : record.notCovered)
      notCovered.push_back(name);
    object["covered"] = record.notCovered.empty();
    object["notCovered"] = std::move(notCovered);
    if (record.notCovered.empty()) {
      object["verdict"] = toString(record.report.verdict());
      llvm::json::Array functions;
      for (const FunctionReport &report : record.report.functions)
        functions.push_back(toJson(report));
      object["functions"] = std::move(functions);
    }
    passes.push_back(std::move(object));
  }
  return llvm::json::Object{{"verdict", toString(log.verdict())},
                            {"passes", std::move(passes)}};
}

std::string panpipe::tv::writeJson(llvm::StringRef path,
                                   const ValidationLog &log) {
  std::string error;
  auto file = mlir::openOutputFile(path, &error);
  if (!file)
    return error;
  file->os() << llvm::formatv("{0:2}", toJson(log)) << "\n";
  file->keep();
  return "";
}
