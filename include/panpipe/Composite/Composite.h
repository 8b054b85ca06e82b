//===- Composite.h - High-level operations as tagged functions --*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A composite is a private function with the attributes `panpipe.composite`
/// (its name) and `panpipe.attrs` (its parameters); its linalg body is its
/// meaning. A lowering may replace a call by a library kernel, and then the
/// body is the kernel's contract.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_COMPOSITE_COMPOSITE_H
#define PANPIPE_COMPOSITE_COMPOSITE_H

#include "panpipe/Composite/TensorBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace panpipe {

constexpr llvm::StringLiteral kCompositeAttr = "panpipe.composite";
constexpr llvm::StringLiteral kCompositeParamsAttr = "panpipe.attrs";

/// Builds the body; types and parameters fit each other (callers check).
using CompositeBody = mlir::Value (*)(TensorBuilder &b, mlir::ValueRange args,
                                      mlir::DictionaryAttr params,
                                      mlir::RankedTensorType result);

/// One row of the table of composites.
struct CompositeInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral operands; ///< "input, weight [, bias]"
  llvm::StringLiteral params;   ///< "stride, padding, dilation, groups"
  CompositeBody body;
};

/// All composites, by name; the order is that of the documentation.
llvm::ArrayRef<CompositeInfo> composites();
/// Null if there is no such composite.
const CompositeInfo *findComposite(llvm::StringRef name);

// Parameters of a composite; the parameter must exist.
llvm::ArrayRef<int64_t> paramInts(mlir::DictionaryAttr params,
                                  llvm::StringRef name);
int64_t paramInt(mlir::DictionaryAttr params, llvm::StringRef name);
double paramFloat(mlir::DictionaryAttr params, llvm::StringRef name);
bool paramBool(mlir::DictionaryAttr params, llvm::StringRef name);

/// Creates composites in one module; equal ones (name, types, parameters) share
/// one function, called `name.0`, `name.1`, …
class CompositeCache {
public:
  explicit CompositeCache(mlir::ModuleOp module) : module(module) {}

  /// Calls a composite at the insertion point of `b`.
  mlir::Value call(TensorBuilder &b, llvm::StringRef name,
                   mlir::ValueRange args, mlir::DictionaryAttr params,
                   mlir::RankedTensorType result);

private:
  mlir::func::FuncOp create(const CompositeInfo &info, mlir::FunctionType type,
                            mlir::DictionaryAttr params);

  mlir::ModuleOp module;
  llvm::DenseMap<mlir::Attribute, mlir::func::FuncOp> known;
  llvm::StringMap<unsigned> counters;
};

} // namespace panpipe

#endif // PANPIPE_COMPOSITE_COMPOSITE_H
