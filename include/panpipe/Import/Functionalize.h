//===- Functionalize.h - In-place operators become plain ones ---*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_IMPORT_FUNCTIONALIZE_H
#define PANPIPE_IMPORT_FUNCTIONALIZE_H

#include "panpipe/Import/OpGraph.h"
#include "panpipe/Import/Status.h"

namespace panpipe::import {

/// Replaces in-place operators by their functional forms: later uses of the
/// changed value see the new one. Fails where that would need more than
/// renaming.
Status functionalize(OpGraph &graph);

} // namespace panpipe::import

#endif // PANPIPE_IMPORT_FUNCTIONALIZE_H
