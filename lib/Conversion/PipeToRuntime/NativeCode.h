//===- NativeCode.h - Native code of compiled kernels --------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_CONVERSION_NATIVECODE_H
#define PANPIPE_LIB_CONVERSION_NATIVECODE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace panpipe::lower {

/// The CPU that code is made for.
struct CpuTarget {
  std::string cpu;                   // for LLVM: instruction choice
  std::string tune;                  // for LLVM: scheduling
  std::vector<std::string> features; // what the runtime checks
  int64_t block = 0;                 // channels of an image block
  std::string description;           // for people
};

/// "native" or a psABI level ("x86-64", "x86-64-v3", "x86-64-v4"); fails for
/// another name, without a message.
mlir::FailureOr<CpuTarget> resolveCpu(llvm::StringRef name);

/// A shared object, and for each kernel that threads can share the elements
/// that its loops visit.
struct NativeCode {
  std::vector<uint8_t> object;
  std::map<std::string, int64_t> sharedWork;
  std::vector<std::string> passes; // that ran, in order, without options
};

/// Makes a shared object with one function
/// `void NAME(void *const *operands, size_t thread, size_t threads,
/// void (*barrier)())` for every kernel with a body in `module`. Does not
/// change the module.
mlir::FailureOr<NativeCode> compileKernels(mlir::ModuleOp module,
                                           const CpuTarget &target);

/// From tensors to the LLVM dialect; every function of `kernels` takes bare
/// pointers, inputs then outputs, then thread, number of threads and barrier.
mlir::LogicalResult
lowerKernelsToLLVM(mlir::ModuleOp kernels,
                   std::map<std::string, int64_t> &sharedWork,
                   std::vector<std::string> &passes);

/// Adds the three thread arguments; the result is the work that threads can
/// share, 0 when one thread must do it all.
int64_t splitWork(mlir::func::FuncOp function);

} // namespace panpipe::lower

#endif // PANPIPE_LIB_CONVERSION_NATIVECODE_H
