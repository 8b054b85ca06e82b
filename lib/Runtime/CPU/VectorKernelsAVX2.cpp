//===- VectorKernelsAVX2.cpp - Own kernels for avx2 -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define VK_NAMESPACE avx2
#define VK_NAME "avx2"
#define VK_LANES 8
#define VK_ROWS 4
#define VK_PIXELS 4
#include "VectorKernels.inc"
