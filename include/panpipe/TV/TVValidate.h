//===- TVValidate.h - A pass that proves other passes ------------*- C++
//-*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `tv-validate{pipeline="…"}` runs a pipeline on the module and validates each
/// of its passes. It is what PanpipeTV.so brings into any mlir-opt.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_TVVALIDATE_H
#define PANPIPE_TV_TVVALIDATE_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace panpipe::tv {

/// The pass, with its options unset.
std::unique_ptr<mlir::Pass> createTVValidatePass();

/// Registers it under the name `tv-validate`; to be called once per process.
void registerTVValidatePass();

} // namespace panpipe::tv

#endif // PANPIPE_TV_TVVALIDATE_H
