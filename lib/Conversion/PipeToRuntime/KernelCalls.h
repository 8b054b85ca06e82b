//===- KernelCalls.h - Kernels as symbols of a module --------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// After lowering, a kernel is a private function: without body for a library
/// kernel, described by `panpipe.kernel` (its kind) and `panpipe.window` or
/// `panpipe.matmul` (its attributes); with a body for a compiled one.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_CONVERSION_KERNELCALLS_H
#define PANPIPE_LIB_CONVERSION_KERNELCALLS_H

#include "panpipe/Runtime/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace panpipe::lower {

constexpr llvm::StringLiteral kKernelAttr = "panpipe.kernel";
constexpr llvm::StringLiteral kWindowAttr = "panpipe.window";
constexpr llvm::StringLiteral kMatMulAttr = "panpipe.matmul";

/// Names of library kernels as in `panpipe.kernel`; empty for the other kinds.
llvm::StringRef kernelName(rt::KernelKind kind);

mlir::DictionaryAttr toAttr(mlir::MLIRContext *context,
                            const rt::WindowAttrs &window);
mlir::DictionaryAttr toAttr(mlir::MLIRContext *context,
                            const rt::MatMulAttrs &matmul);

/// A library kernel that a call names.
struct LibraryKernel {
  rt::KernelKind kind = rt::KernelKind::Compiled;
  rt::WindowAttrs window;
  rt::MatMulAttrs matmul;
};
/// Reads the attributes of a kernel declaration; fails for other functions.
mlir::FailureOr<LibraryKernel> readLibraryKernel(mlir::func::FuncOp function);

/// Makes the declarations of one module; equal ones are shared.
class KernelTable {
public:
  explicit KernelTable(mlir::ModuleOp module);

  /// Calls the library kernel on `operands` at the insertion point.
  mlir::func::CallOp call(mlir::OpBuilder &b, mlir::Location loc,
                          const LibraryKernel &kernel,
                          mlir::ValueRange operands, mlir::Type result);
  /// The library kernel that `op` calls, if it calls one.
  mlir::FailureOr<LibraryKernel> lookup(mlir::Operation *op) const;
  mlir::func::FuncOp function(mlir::func::CallOp call) const;

  mlir::ModuleOp module;

private:
  mutable mlir::SymbolTable symbols;
  llvm::DenseMap<mlir::Attribute, mlir::func::FuncOp> known;
  llvm::StringMap<unsigned> counters;
};

// The steps of --pipe-lower-stages, on the body of one stage.

/// Composites with a kernel become calls of it, the others are inlined.
mlir::LogicalResult selectKernels(mlir::Operation *stage, KernelTable &table);
/// Matrix products among the inlined operations become calls too; a leaky relu
/// joins the convolution before it; what is left is fused.
mlir::LogicalResult fuseStage(mlir::Operation *stage, KernelTable &table);
/// Images go to the blocked layout.
mlir::LogicalResult blockLayouts(mlir::Operation *stage, KernelTable &table,
                                 int64_t block);
/// Everything that computes moves into compiled kernels.
mlir::LogicalResult outlineKernels(llvm::ArrayRef<mlir::Operation *> stages,
                                   KernelTable &table);

/// The user's module path in a location, "" if there is none.
std::string modulePath(mlir::Location loc);

} // namespace panpipe::lower

#endif // PANPIPE_LIB_CONVERSION_KERNELCALLS_H
