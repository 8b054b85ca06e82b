//===- panpipe-opt.cpp - mlir-opt with Panpipe's dialect and passes -------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// mlir-opt, plus --validate: every pass that changes something is validated.
///
//===----------------------------------------------------------------------===//

#include "panpipe/InitAll.h"
#include "panpipe/TV/Instrument.h"
#include "panpipe/TV/Options.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"

namespace cl = llvm::cl;
using namespace mlir;
using namespace panpipe;

namespace {
enum class Validate { Off, Report, Stop };

struct Flags {
  cl::opt<Validate> validate{
      "validate", cl::ValueOptional, cl::init(Validate::Off),
      cl::desc("Prove each pass that changes something; a table on stderr"),
      cl::values(clEnumValN(Validate::Report, "", ""),
                 clEnumValN(Validate::Report, "report", "run all passes"),
                 clEnumValN(Validate::Stop, "stop",
                            "fail after a pass that breaks the program"))};
  cl::opt<bool> bisect{
      "validate-bisect",
      cl::desc("Prove the whole pipeline; if it breaks the program, find the "
               "pass and the rewrite to blame")};
  cl::opt<std::string> report{"validate-report", cl::value_desc("file.json"),
                              cl::desc("Write the reports as JSON")};
  cl::opt<double> timeout{"validate-timeout", cl::init(60),
                          cl::desc("Seconds for the proof of one function")};
  cl::list<std::string> allow{
      "validate-allow", cl::CommaSeparated,
      cl::desc("Floating-point assumptions a proof may use: nsz, contract, "
               "reassoc, finite, real")};
  cl::opt<std::string> cache{
      "proof-cache", cl::value_desc("folder"),
      cl::desc("Keep proofs in this folder, and find them there again")};
};
} // namespace

static LogicalResult fail(const llvm::Twine &message) {
  llvm::errs() << "panpipe-opt: " << message << "\n";
  return failure();
}

static tv::Options optionsOf(const Flags &flags) {
  tv::Options options;
  options.seconds = flags.timeout;
  options.allow.assign(flags.allow.begin(), flags.allow.end());
  options.cacheFolder = flags.cache;
  return options;
}

/// A flag that would have no effect must not look like a validated run.
static LogicalResult checkFlags(const Flags &flags) {
  bool validates = flags.validate != Validate::Off;
  if (validates && flags.bisect)
    return fail("--validate and --validate-bisect exclude each other");
  if (!validates && !flags.bisect &&
      (flags.report.getNumOccurrences() || flags.timeout.getNumOccurrences() ||
       flags.allow.getNumOccurrences()))
    return fail("--validate-report, --validate-timeout and --validate-allow "
                "need --validate or --validate-bisect");
  std::string wrong = tv::explainBadOptions(optionsOf(flags));
  return wrong.empty() ? success() : fail(wrong);
}

/// mlir-opt from file to file, with a last word on its pass manager. Nothing if
/// a file cannot be opened.
static std::optional<LogicalResult>
runMlirOpt(StringRef input, StringRef output, DialectRegistry &registry,
           llvm::function_ref<LogicalResult(PassManager &)> adapt) {
  std::string error;
  auto buffer = openInputFile(input, &error);
  if (!buffer) {
    (void)fail(error);
    return std::nullopt;
  }
  auto file = openOutputFile(output, &error);
  if (!file) {
    (void)fail(error);
    return std::nullopt;
  }
  MlirOptMainConfig plain = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig config = plain;
  config.setPassPipelineSetupFn([&](PassManager &manager) {
    return failure(failed(plain.setupPassPipeline(manager)) ||
                   failed(adapt(manager)));
  });
  LogicalResult result =
      MlirOptMain(file->os(), std::move(buffer), registry, config);
  if (succeeded(result))
    file->keep();
  return result;
}

/// mlir-opt with its passes wrapped into tv-validate{bisect=true}.
static LogicalResult runBisecting(Flags &flags, StringRef input,
                                  StringRef output, DialectRegistry &registry) {
  auto result = runMlirOpt(input, output, registry, [&](PassManager &manager) {
    std::string wrapped;
    llvm::raw_string_ostream os(wrapped);
    os << "tv-validate{bisect=true timeout=" << flags.timeout;
    if (!flags.allow.empty())
      os << " allow=" << llvm::join(flags.allow, ",");
    if (!flags.report.empty())
      os << " report={" << flags.report << "}";
    os << " pipeline=\"";
    manager.printAsTextualPipeline(os);
    os << "\"}";
    manager.clear();
    return parsePassPipeline(wrapped, manager);
  });
  return result.value_or(failure());
}

/// mlir-opt with an instrumented pass manager.
static LogicalResult runValidated(Flags &flags, StringRef input,
                                  StringRef output, DialectRegistry &registry) {
  tv::Options options = optionsOf(flags);
  tv::PrintOptions print;
  print.color = llvm::sys::Process::StandardErrHasColors();
  tv::ValidationLog log;
  std::optional<LogicalResult> result =
      runMlirOpt(input, output, registry, [&](PassManager &manager) {
        tv::instrument(manager, log, flags.validate == Validate::Stop,
                       llvm::errs(), options, print);
        return success();
      });
  if (!result)
    return failure();
  tv::printLog(llvm::errs(), log, print);
  if (!flags.report.empty())
    if (std::string error = tv::writeJson(flags.report, log); !error.empty())
      return fail(error);
  return failure(failed(*result) || log.isBroken());
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  Flags flags;
  llvm::InitLLVM init(argc, argv);
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "Panpipe optimizer driver\n", registry);
  if (failed(checkFlags(flags)))
    return EXIT_FAILURE;
  if (flags.bisect)
    return asMainReturnCode(runBisecting(flags, input, output, registry));
  if (flags.validate == Validate::Off)
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  return asMainReturnCode(runValidated(flags, input, output, registry));
}
