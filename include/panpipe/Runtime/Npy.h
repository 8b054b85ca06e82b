//===- Npy.h - Reading and writing .npy files ----------------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_RUNTIME_NPY_H
#define PANPIPE_RUNTIME_NPY_H

#include "panpipe/Runtime/Status.h"
#include "panpipe/Runtime/Tensor.h"

namespace panpipe::rt {

/// Reads a .npy file (format versions 1 to 3): little-endian, C order, element
/// types bool, i1 to i8, u1, f2, f4, f8. The tensor's name stays empty. Errors
/// name the file and what is wrong with it.
Result<HostTensor> readNpy(const std::string &path);
/// The same from memory; `name` stands in messages.
Result<HostTensor> parseNpy(const uint8_t *data, size_t size,
                            const std::string &name);
/// Writes version 1.0, atomically. bf16 has no .npy type and is refused.
Status writeNpy(const std::string &path, const HostTensor &tensor);

} // namespace panpipe::rt

#endif // PANPIPE_RUNTIME_NPY_H
