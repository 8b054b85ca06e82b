//===- PoolKernel.cpp - Pooling and changes of layout ---------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace panpipe::rt;

namespace {

/// Maximum or average of windows. A NaN in a window makes its maximum NaN; a
/// window order of rows, then columns is the order of summation.
class PoolKernel : public Kernel {
public:
  PoolKernel(const WindowAttrs &w, unsigned threads)
      : w(w), threads(threads), lanes(w.src == Layout::Blocked ? w.block : 1) {}

  Status run(void *const *operands) override {
    const float *source = static_cast<const float *>(operands[0]);
    float *target = static_cast<float *>(operands[1]);
    parallelFor(threads, w.n * w.ic / lanes, [&](int64_t plane) {
      for (int64_t oy = 0; oy != w.oh; ++oy)
        for (int64_t ox = 0; ox != w.ow; ++ox)
          window(source + plane * w.ih * w.iw * lanes, oy * w.sh - w.padTop,
                 ox * w.sw - w.padLeft,
                 target + ((plane * w.oh + oy) * w.ow + ox) * lanes);
    });
    return Status::success();
  }

private:
  WindowAttrs w;
  unsigned threads;
  int64_t lanes;

  void window(const float *image, int64_t y, int64_t x, float *out) const {
    for (int64_t l = 0; l != lanes; ++l)
      out[l] = w.average ? 0.0f : -std::numeric_limits<float>::infinity();
    int64_t count = 0;
    for (int64_t i = 0; i != w.kh; ++i) {
      int64_t iy = y + i * w.dh;
      if (iy < 0 || iy >= w.ih)
        continue;
      for (int64_t j = 0; j != w.kw; ++j) {
        int64_t ix = x + j * w.dw;
        if (ix < 0 || ix >= w.iw)
          continue;
        ++count;
        const float *in = image + (iy * w.iw + ix) * lanes;
        if (w.average)
          for (int64_t l = 0; l != lanes; ++l)
            out[l] += in[l];
        else
          for (int64_t l = 0; l != lanes; ++l)
            out[l] = in[l] > out[l] || in[l] != in[l] ? in[l] : out[l];
      }
    }
    if (!w.average)
      return;
    // The divisor that PyTorch takes: with padding, without what hangs over.
    if (w.countPad)
      count = std::min(w.kh, w.ih + w.padBottom - y) *
              std::min(w.kw, w.iw + w.padRight - x);
    for (int64_t l = 0; l != lanes; ++l)
      out[l] /= static_cast<float>(count);
  }
};

/// NCHW to blocked channels and back: n images of ic channels.
class ReorderKernel : public Kernel {
public:
  ReorderKernel(const WindowAttrs &w, bool toBlocked, unsigned threads)
      : w(w), toBlocked(toBlocked), threads(threads) {}

  Status run(void *const *operands) override {
    const float *source = static_cast<const float *>(operands[0]);
    float *target = static_cast<float *>(operands[1]);
    int64_t pixels = w.ih * w.iw, lanes = w.block;
    parallelFor(threads, w.n * w.ic / lanes, [&](int64_t plane) {
      const float *in = source + plane * pixels * lanes;
      float *out = target + plane * pixels * lanes;
      // 16 pixels at a time, so that both sides stay in the first cache.
      for (int64_t base = 0; base < pixels; base += 16) {
        int64_t count = std::min<int64_t>(16, pixels - base);
        for (int64_t l = 0; l != lanes; ++l)
          if (toBlocked)
            for (int64_t p = 0; p != count; ++p)
              out[(base + p) * lanes + l] = in[l * pixels + base + p];
          else
            for (int64_t p = 0; p != count; ++p)
              out[l * pixels + base + p] = in[(base + p) * lanes + l];
      }
    });
    return Status::success();
  }

private:
  WindowAttrs w;
  bool toBlocked;
  unsigned threads;
};

} // namespace

Result<std::unique_ptr<Kernel>>
panpipe::rt::createPooling(const KernelCall &call,
                           const KernelContext &context) {
  if (call.window.src != call.window.dst || call.window.ic != call.window.oc)
    return Status::error("pooling changes layout or channels");
  return std::unique_ptr<Kernel>(
      std::make_unique<PoolKernel>(call.window, context.threads));
}

Result<std::unique_ptr<Kernel>>
panpipe::rt::createReorder(const KernelCall &call,
                           const KernelContext &context) {
  return std::unique_ptr<Kernel>(std::make_unique<ReorderKernel>(
      call.window, call.kind == KernelKind::Pack, context.threads));
}
