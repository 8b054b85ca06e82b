//===- ScalarMapping.h - From MLIR operations to scalar operations -*- C++ -*-//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which ScalarOp an operation of arith or math stands for. The interpreter and
/// the encodings share this table, so that they cannot disagree about it.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_INTERP_SCALARMAPPING_H
#define PANPIPE_TV_INTERP_SCALARMAPPING_H

#include "panpipe/TV/Term/Scalar.h"

#include "mlir/Support/LLVM.h"

#include <optional>

namespace mlir {
class Attribute;
class Operation;
class Type;
} // namespace mlir

namespace panpipe::tv {

/// A scalar operation with all that distinguishes two uses of it.
struct ScalarMapping {
  ScalarOp op;
  ScalarAttrs attrs;
};

/// The scalar operation that computes result `resultNumber` of `op` from all of
/// its operands, element by element where the types are shaped. Operations with
/// two results (arith.mulsi_extended, arith.addui_extended, math.sincos) map
/// each result to an operation of its own. Nothing for other operations,
/// arith.constant and math.clampf among them: clampf(x, lo, hi) is
/// MaximumF(MinimumF(x, hi), lo).
std::optional<ScalarMapping> mapScalarOp(mlir::Operation *op,
                                         unsigned resultNumber = 0);

/// The scalar type of a signless or signed integer, index or float type;
/// nothing for others. Shaped types are the caller's: pass the element type.
std::optional<ScalarType> mapScalarType(mlir::Type type,
                                        unsigned indexWidth = 64);

/// The value of an integer, bool or float attribute of type `type`; nothing for
/// other attributes.
std::optional<ScalarValue> mapScalarAttr(mlir::Attribute attr, ScalarType type);

} // namespace panpipe::tv

#endif // PANPIPE_TV_INTERP_SCALARMAPPING_H
