//===- Report.cpp - Reports of the validator for people -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Report.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

using namespace mlir;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

std::string Painter::paint(const char *code, StringRef text) const {
  if (!on)
    return text.str();
  return "\033[" + std::string(code) + "m" + text.str() + "\033[0m";
}

std::string Painter::verdict(VerdictKind kind, StringRef text) const {
  switch (kind) {
  case VerdictKind::Valid:
    return paint("1;32", text);
  case VerdictKind::Invalid:
  case VerdictKind::BadInput:
    return paint("1;31", text);
  default:
    return paint("1;33", text);
  }
}

std::string Painter::verdict(VerdictKind kind) const {
  return verdict(kind, toString(kind));
}

std::string panpipe::tv::verdictText(const FunctionReport &report) {
  std::string text = toString(report.verdict).str();
  if (report.verdict != VerdictKind::ValidUnder)
    return report.sourceAlwaysUndefined ? text + " (source always undefined)"
                                        : text;
  std::string kinds;
  for (const Assumption &assumption : report.assumptions)
    if (!StringRef(kinds).contains(assumption.kind))
      kinds += (kinds.empty() ? " " : ", ") + assumption.kind;
  // A loop that never ends within the bound, for example.
  return text + kinds +
         (report.sourceAlwaysUndefined ? " (which leaves no input)" : "");
}

std::string panpipe::tv::howProved(const FunctionReport &report) {
  if (report.verdict == VerdictKind::Invalid)
    return "execution";
  const ProofStats &stats = report.stats;
  if (stats.cached)
    return "from the proof cache";
  std::string text;
  auto add = [&](uint64_t count, const char *how) {
    if (count)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + how;
  };
  add(stats.congruence, "by congruence");
  add(stats.cells, "by cases");
  add(stats.sums, "by sums");
  add(stats.abstractFloat, "by abstract floats");
  add(stats.exactFloat, "by exact floats");
  return text;
}

static std::string secondsText(double seconds) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.2f s", seconds);
  return text;
}

static unsigned columns(StringRef text) {
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : unsigned(width);
}

static std::string padded(StringRef text, unsigned width) {
  unsigned have = columns(text);
  return text.str() + std::string(have < width ? width - have : 0, ' ');
}

void panpipe::tv::printTable(raw_ostream &os,
                             ArrayRef<std::vector<std::string>> rows,
                             const Painter &painter) {
  SmallVector<unsigned> widths;
  for (const auto &row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (auto [width, cell] : llvm::zip(widths, row))
      width = std::max(width, columns(cell));
  }
  for (auto [r, row] : llvm::enumerate(rows)) {
    std::string line = " ";
    for (auto [width, cell] : llvm::zip(widths, row))
      line += " " + padded(cell, width) + " ";
    line = StringRef(line).rtrim().str();
    os << (r == 0 ? painter.bold(line) : line) << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Two sides
//===----------------------------------------------------------------------===//

using Lines = std::vector<std::string>;

static Lines functionLines(ModuleOp module, StringRef name) {
  Operation *function = module ? module.lookupSymbol(name) : nullptr;
  if (!function)
    return {};
  std::string text;
  llvm::raw_string_ostream os(text);
  function->print(os, OpPrintingFlags()
                          .elideLargeElementsAttrs(8)
                          .elideLargeResourceString(16)
                          .useLocalScope());
  Lines lines;
  for (StringRef line : llvm::split(StringRef(text).rtrim(), '\n'))
    lines.push_back(line.str());
  constexpr size_t head = 14, tail = 10;
  if (lines.size() > head + tail + 1) {
    size_t hidden = lines.size() - head - tail;
    lines.erase(lines.begin() + head, lines.end() - tail);
    lines.insert(lines.begin() + head,
                 "  … " + std::to_string(hidden) + " lines …");
  }
  return lines;
}

static unsigned widest(const Lines &lines) {
  unsigned width = 0;
  for (const std::string &line : lines)
    width = std::max(width, columns(line));
  return width;
}

/// Cuts a line that is too long for the screen.
static std::string cut(StringRef line, unsigned width) {
  if (columns(line) <= width)
    return line.str();
  StringRef kept = line.take_front(width > 1 ? width - 1 : 1);
  while (!kept.empty() && (kept.back() & 0x80)) // not inside a character
    kept = kept.drop_back();
  return kept.str() + "…";
}

/// A line of a trace: marked ones in red, values in colour.
static std::string paintLine(StringRef line, const Painter &painter) {
  if (line.starts_with("! "))
    return painter.red(line);
  auto [operation, value] = line.split("  ->  ");
  if (value.empty())
    return line.str();
  return operation.str() + "  ->  " + painter.cyan(value);
}

/// Prints two blocks next to each other where they fit, else one by one.
static void printSides(raw_ostream &os, StringRef leftTitle, const Lines &left,
                       StringRef rightTitle, const Lines &right,
                       const PrintOptions &options) {
  Painter painter(options.color);
  unsigned leftWidth = std::max(widest(left), columns(leftTitle)) + 4;
  unsigned rightWidth = std::max(widest(right), columns(rightTitle));
  if (2 + leftWidth + rightWidth > options.width) {
    for (auto [title, lines] :
         {std::pair<StringRef, const Lines &>{leftTitle, left},
          {rightTitle, right}}) {
      os << "  " << painter.bold(title) << "\n";
      for (const std::string &line : lines)
        os << "    " << paintLine(cut(line, options.width - 4), painter)
           << "\n";
    }
    return;
  }
  os << "  " << painter.bold(padded(leftTitle, leftWidth))
     << painter.bold(rightTitle) << "\n";
  for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    std::string l = i < left.size() ? left[i] : "";
    std::string r = i < right.size() ? right[i] : "";
    std::string line = paintLine(l, painter);
    if (!r.empty())
      line += std::string(leftWidth - columns(l), ' ') + paintLine(r, painter);
    os << "  " << line << "\n";
  }
}

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

static void printAssumptions(raw_ostream &os, const FunctionReport &report,
                             const Painter &painter) {
  if (report.assumptions.empty())
    return;
  os << "\n  " << painter.bold("Assumptions") << "\n";
  for (const Assumption &assumption : report.assumptions)
    os << "    " << assumption.kind
       << (assumption.detail.empty() ? "" : ": " + assumption.detail) << "\n";
}

static void printCounterexample(raw_ostream &os, const FunctionReport &report,
                                const PrintOptions &options) {
  Painter painter(options.color);
  const Counterexample &example = *report.counterexample;
  os << "\n  "
     << painter.bold(
            report.verdict == VerdictKind::Invalid
                ? "Inputs"
                : "Without the assumptions they differ, for example on "
                  "these inputs")
     << "\n";
  if (example.inputs.empty())
    os << "    none\n";
  for (const Counterexample::Input &input : example.inputs)
    os << "    " << cut(input.name + " : " + input.type, options.width / 2)
       << " = " << painter.cyan(input.value) << "\n";
  os << "\n";
  printSides(os, "Source values", example.sourceTrace, "Target values",
             example.targetTrace, options);
  os << "\n  " << painter.bold("Difference") << "\n    "
     << painter.red(example.difference) << "\n";
}

static std::string sentence(const FunctionReport &report) {
  std::string text = report.reason;
  if (!report.location.empty())
    text += (text.empty() ? "at " : " (") + report.location +
            (text.empty() ? "" : ")");
  return text;
}

void panpipe::tv::printReport(raw_ostream &os, const FunctionReport &report,
                              ModuleOp source, ModuleOp target,
                              const PrintOptions &options) {
  Painter painter(options.color);
  os << painter.bold("@" + report.function) << "  "
     << painter.verdict(report.verdict, verdictText(report)) << "  "
     << painter.dim(secondsText(report.stats.seconds));
  std::string how = howProved(report);
  if (report.verdict == VerdictKind::Valid && !how.empty())
    os << painter.dim(", " + how);
  os << "\n";
  std::string text = sentence(report);
  if (report.verdict == VerdictKind::Valid) {
    printAssumptions(os, report, painter);
    return;
  }
  if (report.verdict != VerdictKind::BadInput) {
    Lines left = functionLines(source, report.function);
    Lines right = functionLines(target, report.function);
    os << "\n";
    printSides(os, "Source", left, "Target", right, options);
    os << "\n";
  }
  if (!text.empty())
    os << "  " << painter.verdict(report.verdict) << ": " << text << "\n";
  printAssumptions(os, report, painter);
  if (report.counterexample)
    printCounterexample(os, report, options);
}

//===----------------------------------------------------------------------===//
// All functions
//===----------------------------------------------------------------------===//

void panpipe::tv::printReport(raw_ostream &os, const Report &report,
                              ModuleOp source, ModuleOp target,
                              const PrintOptions &options) {
  Painter painter(options.color);
  for (auto [i, function] : llvm::enumerate(report.functions)) {
    if (i && function.verdict != VerdictKind::Valid)
      os << "\n";
    printReport(os, function, source, target, options);
  }
  if (report.functions.size() < 2)
    return;
  os << "\n";
  std::vector<std::vector<std::string>> rows = {
      {"function", "verdict", "time", "how"}};
  for (const FunctionReport &function : report.functions)
    rows.push_back({"@" + function.function, verdictText(function),
                    secondsText(function.stats.seconds), howProved(function)});
  printTable(os, rows, painter);
  os << "\n"
     << painter.bold("All together: ") << painter.verdict(report.verdict())
     << "\n";
}
