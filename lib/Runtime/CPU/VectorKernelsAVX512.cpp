//===- VectorKernelsAVX512.cpp - Own kernels for avx512 -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define VK_NAMESPACE avx512
#define VK_NAME "avx512"
#define VK_LANES 16
#define VK_ROWS 12
#define VK_PIXELS 12
#include "VectorKernels.inc"
