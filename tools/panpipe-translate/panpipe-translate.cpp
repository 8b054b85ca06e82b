//===- panpipe-translate.cpp - Models of other tools to MLIR --------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Import/GraphImport.h"
#include "panpipe/Import/PT2Import.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

namespace cl = llvm::cl;

static cl::OptionCategory category("panpipe-translate options");
static cl::opt<std::string> inputPath(cl::Positional, cl::desc("<file>"),
                                      cl::cat(category));
static cl::opt<std::string> outputPath("o", cl::desc("File to write"),
                                       cl::value_desc("file"), cl::init("-"),
                                       cl::cat(category));
static cl::opt<bool> importPT2("import-pt2",
                               cl::desc("Read a .pt2 file of PyTorch"),
                               cl::cat(category));
static cl::opt<std::string>
    model("model", cl::desc("Program to import, if the file holds several"),
          cl::value_desc("name"), cl::cat(category));
static cl::opt<bool> listOps("list-ops",
                             cl::desc("Print the supported operators and stop"),
                             cl::cat(category));
static cl::opt<bool> noLocations("no-locations",
                                 cl::desc("Do not print where ops come from"),
                                 cl::cat(category));

/// Errors as "file: error: text"; an op of the file has its own place in it.
static mlir::LogicalResult printDiagnostic(mlir::Diagnostic &diag) {
  if (auto name = llvm::dyn_cast<mlir::NameLoc>(diag.getLocation()))
    llvm::errs() << name.getName().getValue() << ": ";
  llvm::errs() << "error: " << diag << "\n";
  return mlir::success();
}

static int translate() {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler(printDiagnostic);
  panpipe::import::PT2Options options;
  options.program = model;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      panpipe::import::importPT2(inputPath, options, &context);
  if (!module)
    return 1;
  std::string message;
  auto output = mlir::openOutputFile(outputPath, &message);
  if (!output) {
    llvm::errs() << message << "\n";
    return 1;
  }
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo(!noLocations);
  module->print(output->os(), flags);
  output->os() << "\n";
  output->keep();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Imports models of other tools into MLIR\n");
  if (listOps) {
    for (const std::string &target : panpipe::import::supportedOps())
      llvm::outs() << target << "\n";
    return 0;
  }
  if (!importPT2 || inputPath.empty()) {
    llvm::errs() << "usage: panpipe-translate --import-pt2 net.pt2 -o net.mlir"
                    " (see --help)\n";
    return 1;
  }
  return translate();
}
