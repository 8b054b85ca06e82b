//===- PlanFiles.cpp - Files and options of the planning passes -----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanFiles.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace panpipe;

FailureOr<std::string> pipe::readWholeFile(Operation *op, StringRef path) {
  std::string error;
  auto buffer = openInputFile(path, &error);
  if (!buffer)
    return emitError(op->getLoc(), error);
  return buffer->getBuffer().str();
}

LogicalResult pipe::writeWholeFile(Operation *op, StringRef path,
                                   StringRef text) {
  std::string error;
  auto file = openOutputFile(path, &error);
  if (!file)
    return emitError(op->getLoc(), error);
  file->os() << text;
  file->keep();
  return success();
}

const planner::DeviceDescription *pipe::lookUpDevice(Operation *op,
                                                     StringRef name) {
  const planner::DeviceDescription *device = planner::findDevice(name.str());
  if (!device)
    emitError(op->getLoc(), "unknown device kind \"")
        << name << "\"; known ones are " << planner::knownDevices();
  return device;
}
