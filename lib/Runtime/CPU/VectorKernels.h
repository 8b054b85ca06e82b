//===- VectorKernels.h - Own kernels, one build per instruction set  -*- C++
//-*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The table of inner kernels that VectorKernels.inc defines. It is compiled
/// once for each instruction set; `vectorKernels` picks by what the CPU has.
/// Every output element is computed by the same operations in the same order
/// wherever it lies in a tile, so results do not depend on batch size or
/// threads.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_RUNTIME_CPU_VECTORKERNELS_H
#define PANPIPE_LIB_RUNTIME_CPU_VECTORKERNELS_H

#include <cstdint>

namespace panpipe::rt {

/// One row of outputs of a grouped convolution with `lanes` channels side by
/// side.
struct GroupedRow {
  const float *const *rows; // kh padded input rows, `lanes` floats a pixel
  const float *weights;     // [kh][kw][channel of the group][lanes]
  const float *bias;        // lanes floats, or null
  float *output;            // ow pixels
  int64_t ow, kh, kw, sw;
  bool leaky;
  float alpha;
};

struct VectorKernels {
  const char *name;
  int lanes; // floats of a vector
  /// `channels` per group: 2, 4 or 8 with lanes a multiple of it; null
  /// otherwise.
  void (*(*groupedRow)(int64_t channels))(const GroupedRow &row);
  /// Columns of one panel of a packed right-hand side.
  int panel;
  /// c[i][j] = Σ a[i][k]·b[k][j] (+ bias[j]) for one panel of `columns` ≤ panel
  /// columns; b is packed k × panel, zero-filled; bias is panel floats or null.
  void (*gemmPanel)(const float *a, int64_t lda, const float *b,
                    const float *bias, float *c, int64_t ldc, int64_t m,
                    int64_t k, int64_t columns);
};

/// The best table for this CPU; its vectors have at most `maxLanes` floats.
const VectorKernels &vectorKernels(int maxLanes = 16);

} // namespace panpipe::rt

#endif // PANPIPE_LIB_RUNTIME_CPU_VECTORKERNELS_H
