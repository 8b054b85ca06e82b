//===- PT2Import.cpp - From a .pt2 file to a MODEL-level module -----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Import/PT2Import.h"

#include "panpipe/Import/Functionalize.h"
#include "panpipe/Import/GraphImport.h"
#include "panpipe/Import/PT2Archive.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace panpipe::import;

/// The program that the options name, or the only one.
static Status chooseProgram(const PT2Archive &archive,
                            const PT2Options &options, std::string &name) {
  std::string all;
  for (const std::string &program : archive.programs()) {
    all += (all.empty() ? "" : ", ") + program;
    if (program == options.program) {
      name = program;
      return Status::success();
    }
  }
  if (!options.program.empty())
    return Status::error("the archive has no program '" + options.program +
                         "'; it has: " + all);
  if (archive.programs().size() > 1)
    return Status::error("the archive holds several programs, choose one with "
                         "--model: " +
                         all);
  name = archive.programs().front();
  return Status::success();
}

static void describe(ModuleOp module, StringRef path, const ZipReader &zip) {
  Builder b(module.getContext());
  module.setSymName(llvm::sys::path::stem(path));
  module->setAttr("panpipe.level", b.getStringAttr("model"));
  module->setAttr("panpipe.source",
                  b.getStringAttr(llvm::sys::path::filename(path)));
  module->setAttr(
      "panpipe.archive",
      b.getDictionaryAttr(
          {b.getNamedAttr("path", b.getStringAttr(path)),
           b.getNamedAttr("size", b.getI64IntegerAttr(int64_t(zip.size()))),
           b.getNamedAttr("crc", b.getI64IntegerAttr(zip.directoryCRC()))}));
}

OwningOpRef<ModuleOp> panpipe::import::importPT2(StringRef path,
                                                 const PT2Options &options,
                                                 MLIRContext *context) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       linalg::LinalgDialect, math::MathDialect,
                       tensor::TensorDialect>();
  Location loc = NameLoc::get(StringAttr::get(context, path));
  auto fail = [&](const Status &status) {
    emitError(loc) << status.message();
    return OwningOpRef<ModuleOp>();
  };
  PT2Archive archive;
  OpGraph graph;
  std::string program;
  if (Status s = archive.open(path.str()); s.failed())
    return fail(s);
  if (Status s = chooseProgram(archive, options, program); s.failed())
    return fail(s);
  if (Status s = archive.readProgram(program, graph); s.failed())
    return fail(s);
  if (Status s = functionalize(graph); s.failed())
    return fail(s);

  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  describe(*module, path, archive.zip());
  if (failed(lowerGraph(graph, *module, loc)))
    return {};
  if (failed(verify(*module))) {
    emitError(loc) << "the imported module does not verify; this is an error "
                      "of the importer, please report it with the file";
    return {};
  }
  return module;
}
