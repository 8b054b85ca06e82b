//===- panpipe-tv.cpp - Does one module refine another? -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// panpipe-tv source.mlir target.mlir: proves that the target refines the
/// source or shows an input on which it does not. docs/TV/README.md is the
/// manual.
///
//===----------------------------------------------------------------------===//

#include "panpipe/InitAll.h"
#include "panpipe/TV/Encode/OpEncodings.h"
#include "panpipe/TV/Expect.h"
#include "panpipe/TV/Options.h"
#include "panpipe/TV/Report.h"
#include "panpipe/TV/Validate.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

#include <set>

namespace cl = llvm::cl;
using namespace mlir;
using namespace panpipe::tv;

namespace {
struct Flags {
  cl::OptionCategory category{"Options of panpipe-tv"};
  cl::list<std::string> files{
      cl::Positional, cl::desc("source.mlir [target.mlir]"), cl::cat(category)};
  cl::opt<bool> json{"json", cl::desc("Print one JSON object"),
                     cl::cat(category)};
  cl::opt<bool> expect{
      "expect",
      cl::desc(
          "One file of pairs (modules @src and @tgt in a module, separated "
          "by // -----) with the expected verdict as attribute tv.expect"),
      cl::cat(category)};
  cl::opt<bool> split{
      "split", cl::desc("One file of such pairs, without expected verdicts"),
      cl::cat(category)};
  cl::opt<bool> listEncodings{
      "list-encodings",
      cl::desc("List the operations that can be proved about"),
      cl::cat(category)};
  cl::opt<bool> listOperations{
      "list-operations",
      cl::desc(
          "List all operations of the dialects with encodings, and whether "
          "each has one"),
      cl::cat(category)};
  cl::opt<std::string> dump{
      "dump-smt", cl::desc("Write every solver query into this folder"),
      cl::value_desc("folder"), cl::cat(category)};
  cl::opt<std::string> cache{
      "proof-cache",
      cl::desc("Keep proofs in this folder, and find them there again"),
      cl::value_desc("folder"), cl::cat(category)};
  cl::opt<double> timeout{"timeout",
                          cl::desc("Seconds for the proof of one function"),
                          cl::init(60), cl::cat(category)};
  cl::list<std::string> allow{
      "allow", cl::CommaSeparated,
      cl::desc("Floating-point assumptions a proof may use: nsz, contract, "
               "reassoc, finite, real"),
      cl::cat(category)};
  cl::opt<std::string> function{"function",
                                cl::desc("Compare this function only"),
                                cl::value_desc("name"), cl::cat(category)};
  cl::opt<unsigned> indexWidth{"index-width", cl::desc("Bits of index"),
                               cl::init(64), cl::cat(category)};
  cl::opt<std::string> reproducer{
      "reproducer",
      cl::desc("Where a counterexample is written as a module that replays it "
               "(default: FUNCTION.reproducer.mlir; empty: nowhere)"),
      cl::value_desc("file"), cl::init("auto"), cl::cat(category)};
};

/// The state of one run of the tool.
class Tool {
public:
  explicit Tool(Flags &flags) : flags(flags) {}
  int run();
  Options options;
  PrintOptions print;

private:
  Flags &flags;
  int comparePair(ModuleOp source, ModuleOp target, const Options &own);
  int compareFiles();
  int runChunks();
  int runChunk(std::unique_ptr<llvm::MemoryBuffer> buffer);
  bool writeReproducers(const Report &report);
  OwningOpRef<ModuleOp> parse(std::unique_ptr<llvm::MemoryBuffer> buffer,
                              MLIRContext &context);
  DialectRegistry registry;
  llvm::json::Array jsonReports;
};
} // namespace

static constexpr int badInput = static_cast<int>(VerdictKind::BadInput);

static int fail(const llvm::Twine &message) {
  llvm::errs() << "panpipe-tv: " << message << "\n";
  return badInput;
}

/// Writes the first counterexample; says where.
bool Tool::writeReproducers(const Report &report) {
  for (const FunctionReport &function : report.functions) {
    if (function.verdict != VerdictKind::Invalid || flags.reproducer.empty())
      continue;
    std::string path = flags.reproducer;
    if (path == "auto") {
      // A symbol may hold anything; the file stays in this folder.
      path = function.function + ".reproducer.mlir";
      std::replace(path.begin(), path.end(), '/', '_');
    }
    std::string error;
    auto file = openOutputFile(path, &error);
    if (!file) {
      fail(error);
      return false;
    }
    file->os() << function.counterexample->reproducer;
    file->keep();
    if (!flags.json)
      llvm::outs() << "\n  Reproducer: " << path
                   << "  (replay: panpipe-tv --expect " << path << ")\n";
    return true;
  }
  return true;
}

int Tool::comparePair(ModuleOp source, ModuleOp target, const Options &own) {
  Report report = validate(source, target, own);
  if (flags.json)
    jsonReports.push_back(toJson(report));
  else
    printReport(llvm::outs(), report, source, target, print);
  if (!writeReproducers(report))
    return badInput;
  return static_cast<int>(report.verdict());
}

OwningOpRef<ModuleOp> Tool::parse(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                  MLIRContext &context) {
  // An operation nobody knows is not an error of syntax: its verdict is
  // UNSUPPORTED.
  context.allowUnregisteredDialects();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context, llvm::errs());
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
}

int Tool::compareFiles() {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> modules[2];
  for (unsigned i = 0; i < 2; ++i) {
    std::string error;
    auto buffer = openInputFile(flags.files[i], &error);
    if (!buffer)
      return fail(error);
    modules[i] = parse(std::move(buffer), context);
    if (!modules[i])
      return badInput;
  }
  return comparePair(*modules[0], *modules[1], options);
}

int Tool::runChunk(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> outer = parse(std::move(buffer), context);
  if (!outer)
    return badInput;
  if (flags.expect)
    return checkExpectation(llvm::outs(), *outer, options, print) ? 0 : 1;
  std::optional<ModulePair> pair = findPair(*outer);
  if (!pair)
    return fail("one file was given, but it holds no modules @src and @tgt");
  return comparePair(cast<ModuleOp>(pair->source), cast<ModuleOp>(pair->target),
                     optionsOf(*outer, options));
}

int Tool::runChunks() {
  std::string error;
  auto buffer = openInputFile(flags.files[0], &error);
  if (!buffer)
    return fail(error);
  int worst = 0;
  bool any = false;
  // A chunk starts with as many empty lines as the text before it has, so that
  // locations are those of the file.
  std::string chunk, before;
  auto process = [&] {
    if (llvm::StringRef(chunk).trim().empty())
      return;
    any = true;
    int code = runChunk(llvm::MemoryBuffer::getMemBufferCopy(
        before + chunk, buffer->getBufferIdentifier()));
    worst = static_cast<int>(worse(VerdictKind(worst), VerdictKind(code)));
  };
  for (llvm::StringRef line : llvm::split(buffer->getBuffer(), '\n')) {
    if (line.rtrim() != "// -----") {
      chunk += line.str() + "\n";
      continue;
    }
    process();
    before.append(llvm::StringRef(chunk).count('\n') + 1, '\n');
    chunk.clear();
  }
  process();
  if (!any)
    return fail(flags.files[0] +
                ": the file is empty; expected pairs of modules "
                "@src and @tgt");
  return worst;
}

static int listEncodings() {
  for (const std::string &name : OpEncodings::all().names())
    llvm::outs() << name << "\n";
  return 0;
}

/// One line per registered operation: its name, then "yes" or "no".
static int listOperations() {
  DialectRegistry registry;
  panpipe::registerAllDialects(registry);
  MLIRContext context(registry);
  OpEncodings encodings = OpEncodings::all();
  std::set<std::string> dialects;
  for (const std::string &name : encodings.names())
    dialects.insert(StringRef(name).split('.').first.str());
  for (const std::string &dialect : dialects)
    context.getOrLoadDialect(dialect);
  std::set<std::string> names;
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (dialects.count(op.getDialectNamespace().str()))
      names.insert(op.getStringRef().str());
  for (const std::string &name : names)
    llvm::outs() << name << (encodings.lookup(name) ? " yes" : " no") << "\n";
  return 0;
}

int Tool::run() {
  if (flags.listEncodings)
    return listEncodings();
  if (flags.listOperations)
    return listOperations();
  if (flags.files.empty() || flags.files.size() > 2 ||
      (flags.files.size() == 2 && (flags.expect || flags.split)))
    return fail("expected two files, or one file of pairs; see --help");
  panpipe::registerAllDialects(registry);
  int code = flags.files.size() == 2 ? compareFiles() : runChunks();
  if (flags.json && !jsonReports.empty()) {
    llvm::json::Value value = jsonReports.size() == 1
                                  ? std::move(jsonReports[0])
                                  : llvm::json::Value(std::move(jsonReports));
    llvm::outs() << llvm::formatv("{0:2}", value) << "\n";
  }
  return code;
}

/// Takes --color=auto|always|never out of the arguments: LLVM has an option of
/// that name already, with other values. False for another value.
static bool takeColor(std::vector<const char *> &arguments, bool &color) {
  color = llvm::sys::Process::StandardOutHasColors();
  for (auto it = arguments.begin(); it != arguments.end();) {
    llvm::StringRef text = *it;
    if (!text.consume_front("--color=") && !text.consume_front("-color=")) {
      ++it;
      continue;
    }
    if (text != "auto" && text != "always" && text != "never")
      return false;
    if (text != "auto")
      color = text == "always";
    it = arguments.erase(it);
  }
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Flags flags;
  bool color;
  std::vector<const char *> arguments(argv, argv + argc);
  if (!takeColor(arguments, color))
    return fail("--color must be auto, always or never");
  cl::HideUnrelatedOptions(flags.category);
  cl::ParseCommandLineOptions(
      arguments.size(), arguments.data(),
      "Panpipe's translation validator: does the target refine the source?\n\n"
      "  Exit codes: 0 VALID, 1 INVALID, 2 UNCONFIRMED, 3 TIMEOUT, "
      "4 UNSUPPORTED,\n  5 bad input, 6 VALID-UNDER assumptions that were not "
      "allowed.\n  --color=auto|always|never: colours (default: on a "
      "terminal).\n");
  Tool tool(flags);
  tool.options.seconds = flags.timeout;
  tool.options.allow.assign(flags.allow.begin(), flags.allow.end());
  tool.options.function = flags.function;
  tool.options.dumpFolder = flags.dump;
  tool.options.cacheFolder = flags.cache;
  tool.options.indexWidth = flags.indexWidth;
  tool.print.color = color;
  if (unsigned width = llvm::sys::Process::StandardOutColumns())
    tool.print.width = std::max(width, 60u);
  if (std::string wrong = explainBadOptions(tool.options); !wrong.empty())
    return fail(wrong);
  return tool.run();
}
