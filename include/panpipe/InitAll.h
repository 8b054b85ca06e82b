//===- InitAll.h - Registration of every dialect and pass -------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The only header that stands for "everything": tools that must know all
/// dialects and passes (panpipe-opt, panpipe-run) include it. Libraries do not.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_INITALL_H
#define PANPIPE_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace panpipe {

/// Adds the upstream dialects (with the extensions that passes need) and the
/// `pipe` dialect to `registry`.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers the upstream passes and Panpipe's own, once per process.
void registerAllPasses();

} // namespace panpipe

#endif // PANPIPE_INITALL_H
