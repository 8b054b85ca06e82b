//===- AtenSchema.h - Arguments and defaults of ATen operators --*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A .pt2 file names only the arguments that differ from their default; this
/// table, generated from PyTorch's schemas, has the rest.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_IMPORT_ATENSCHEMA_H
#define PANPIPE_IMPORT_ATENSCHEMA_H

#include "panpipe/Import/OpGraph.h"

namespace panpipe::import {

struct AtenArgument {
  const char *name;
  const char *type; ///< "Tensor", "int[]", "Scalar?", …
  /// A letter for the kind and the value, such as "i:1", "I:1,1", "f:1e-05",
  /// "n" for None; null if the argument is required.
  const char *defaultText;
};

struct AtenOp {
  const char *target; ///< "aten.conv2d.default"
  const AtenArgument *arguments;
  unsigned numArguments;
  unsigned numResults;

  /// Null if the operator has no such argument.
  const AtenArgument *find(std::string_view argument) const;
};

/// The generated table, sorted by target.
const AtenOp *atenOpsBegin();
const AtenOp *atenOpsEnd();
/// Null if the table does not have the operator.
const AtenOp *findAtenOp(std::string_view target);

/// The default of an argument; false if it is required.
bool defaultOf(const AtenArgument &argument, Argument &out);

} // namespace panpipe::import

#endif // PANPIPE_IMPORT_ATENSCHEMA_H
