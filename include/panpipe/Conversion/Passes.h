//===- Passes.h - Passes of lib/Conversion -------------------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_CONVERSION_PASSES_H
#define PANPIPE_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace panpipe {

#define GEN_PASS_DECL
#include "panpipe/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "panpipe/Conversion/Passes.h.inc"

} // namespace panpipe

#endif // PANPIPE_CONVERSION_PASSES_H
