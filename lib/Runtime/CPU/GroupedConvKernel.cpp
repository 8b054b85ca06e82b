//===- GroupedConvKernel.cpp - Convolution with few channels a group ------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// oneDNN 2.6 falls to its reference kernel (or to im2col) for 2, 4 or 8
/// channels a group in blocked layout. This kernel stays in that layout: a
/// vector holds the channels of whole groups, and a lane permutation brings
/// every lane the input channel that it needs. Input rows pass through a ring
/// of padded rows.
///
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "VectorKernels.h"

#include <algorithm>
#include <cstring>

using namespace panpipe::rt;

bool panpipe::rt::isSmallGroupConvolution(const WindowAttrs &w) {
  int64_t size = w.ic / w.groups;
  return w.src == Layout::Blocked && w.dst == Layout::Blocked && w.ic == w.oc &&
         (size == 2 || size == 4 || size == 8) && w.block % size == 0 &&
         w.dh == 1 && w.dw == 1 &&
         vectorKernels(static_cast<int>(w.block)).lanes == w.block;
}

namespace {

class GroupedConvKernel : public Kernel {
public:
  GroupedConvKernel(const WindowAttrs &w, unsigned threads)
      : w(w), threads(threads), lanes(w.block), size(w.ic / w.groups),
        paddedWidth(
            std::max(w.iw + w.padLeft + w.padRight, (w.ow - 1) * w.sw + w.kw)) {
    row = vectorKernels(static_cast<int>(w.block)).groupedRow(size);
    weights = AlignedBytes(sizeof(float) * w.oc * size * w.kh * w.kw);
    // Per thread: kh rows of the ring and one row of zeros.
    ringFloats = (w.kh + 1) * paddedWidth * lanes;
    ring = AlignedBytes(sizeof(float) * ringFloats * threads);
    std::memset(ring.data(), 0, ring.size());
  }

  size_t bytes() const override { return weights.size() + ring.size(); }

  /// From [oc][channel of the group][kh][kw] to [block][kh][kw][channel][lane].
  void pack(const float *source) {
    float *target = reinterpret_cast<float *>(weights.data());
    int64_t window = w.kh * w.kw;
    for (int64_t oc = 0; oc != w.oc; ++oc)
      for (int64_t c = 0; c != size; ++c)
        for (int64_t k = 0; k != window; ++k)
          target[((oc / lanes * window + k) * size + c) * lanes + oc % lanes] =
              source[(oc * size + c) * window + k];
    packedOnce = true;
  }

  Status run(void *const *operands) override {
    const float *source = static_cast<const float *>(operands[0]);
    const float *bias =
        w.bias ? static_cast<const float *>(operands[2]) : nullptr;
    float *target = static_cast<float *>(operands[w.bias ? 3 : 2]);
    if (!constantWeights)
      pack(static_cast<const float *>(operands[1]));
    int64_t blocks = w.oc / lanes, images = w.n * blocks;
    unsigned workers =
        static_cast<unsigned>(std::min<int64_t>(threads, images));
    parallelFor(workers, workers, [&](int64_t worker) {
      float *scratch =
          reinterpret_cast<float *>(ring.data()) + worker * ringFloats;
      for (int64_t i = worker; i < images; i += workers)
        image(source + i * w.ih * w.iw * lanes,
              target + i * w.oh * w.ow * lanes, i % blocks, bias, scratch);
    });
    return Status::success();
  }

  bool constantWeights = false;

private:
  WindowAttrs w;
  unsigned threads;
  int64_t lanes, size, paddedWidth, ringFloats = 0;
  void (*row)(const GroupedRow &) = nullptr;
  AlignedBytes weights, ring;
  bool packedOnce = false;

  void image(const float *source, float *target, int64_t block,
             const float *bias, float *scratch) {
    int64_t rowFloats = paddedWidth * lanes;
    const float *zeros = scratch + w.kh * rowFloats;
    int64_t loaded = -1; // last input row in the ring
    std::vector<const float *> rows(w.kh);
    for (int64_t oy = 0; oy != w.oh; ++oy) {
      int64_t first = oy * w.sh - w.padTop;
      for (int64_t k = 0; k != w.kh; ++k) {
        int64_t iy = first + k;
        if (iy < 0 || iy >= w.ih) {
          rows[k] = zeros;
          continue;
        }
        float *slot = scratch + iy % w.kh * rowFloats;
        if (iy > loaded) {
          std::memcpy(slot + w.padLeft * lanes, source + iy * w.iw * lanes,
                      sizeof(float) * w.iw * lanes);
          loaded = iy;
        }
        rows[k] = slot;
      }
      GroupedRow r;
      r.rows = rows.data();
      r.weights = reinterpret_cast<const float *>(weights.data()) +
                  block * w.kh * w.kw * size * lanes;
      r.bias = bias ? bias + block * lanes : nullptr;
      r.output = target + oy * w.ow * lanes;
      r.ow = w.ow;
      r.kh = w.kh;
      r.kw = w.kw;
      r.sw = w.sw;
      r.leaky = w.activation == Activation::LeakyRelu;
      r.alpha = static_cast<float>(w.alpha);
      row(r);
    }
  }
};

} // namespace

Result<std::unique_ptr<Kernel>>
panpipe::rt::createGroupedConvolution(const KernelCall &call,
                                      const KernelContext &context) {
  auto kernel =
      std::make_unique<GroupedConvKernel>(call.window, context.threads);
  if (context.constants[1]) {
    kernel->pack(static_cast<const float *>(context.constants[1]));
    kernel->constantWeights = true;
  }
  return std::unique_ptr<Kernel>(std::move(kernel));
}
