//===- VectorKernelsBase.cpp - Own kernels for base -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define VK_NAMESPACE base
#define VK_NAME "base"
#define VK_LANES 8
#define VK_ROWS 2
#define VK_PIXELS 2
#include "VectorKernels.inc"
