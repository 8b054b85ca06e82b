//===- MatMulKernel.cpp - Matrix product with a packed right-hand side ----===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An own kernel and not the library's: its result for a row must not depend on
/// how many rows there are, or microbatches would change last bits.
///
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "VectorKernels.h"

#include <algorithm>
#include <cstring>

using namespace panpipe::rt;

namespace {

class MatMulKernel : public Kernel {
public:
  MatMulKernel(const MatMulAttrs &attrs, unsigned threads)
      : attrs(attrs), threads(threads), vk(vectorKernels()),
        panels((attrs.n + vk.panel - 1) / vk.panel) {
    packed = AlignedBytes(sizeof(float) * panels * attrs.k * vk.panel);
    if (attrs.bias)
      bias = AlignedBytes(sizeof(float) * panels * vk.panel);
  }

  size_t bytes() const override { return packed.size() + bias.size(); }

  void pack(const float *rhs) {
    float *target = reinterpret_cast<float *>(packed.data());
    int64_t width = vk.panel, k = attrs.k, n = attrs.n;
    parallelFor(threads, panels, [&](int64_t panel) {
      float *out = target + panel * k * width;
      int64_t columns = std::min(width, n - panel * width);
      std::memset(out, 0, columns == width ? 0 : sizeof(float) * k * width);
      const float *in = rhs + panel * width * (attrs.transposed ? k : 1);
      if (attrs.transposed) {
        for (int64_t j = 0; j != columns; ++j)
          for (int64_t p = 0; p != k; ++p)
            out[p * width + j] = in[j * k + p];
        return;
      }
      for (int64_t p = 0; p != k; ++p)
        std::memcpy(out + p * width, in + p * n, sizeof(float) * columns);
    });
    isPacked = !attrs.rhsBatched;
  }

  void setBias(const float *values) {
    std::memset(bias.data(), 0, bias.size());
    std::memcpy(bias.data(), values, sizeof(float) * attrs.n);
    hasBias = true;
  }

  void keepConstants(const void *rhs, const void *biasValues) {
    if (rhs && !attrs.rhsBatched)
      pack(static_cast<const float *>(rhs));
    constantRhs = isPacked;
    if (attrs.bias && biasValues)
      setBias(static_cast<const float *>(biasValues));
    constantBias = hasBias;
  }

  Status run(void *const *operands) override {
    const float *lhs = static_cast<const float *>(operands[0]);
    const float *rhs = static_cast<const float *>(operands[1]);
    float *out = static_cast<float *>(operands[attrs.bias ? 3 : 2]);
    if (attrs.bias && !constantBias)
      setBias(static_cast<const float *>(operands[2]));
    if (attrs.rhsBatched) {
      for (int64_t i = 0; i != attrs.batch; ++i) {
        pack(rhs + i * attrs.k * attrs.n);
        multiply(lhs + i * attrs.m * attrs.k, out + i * attrs.m * attrs.n,
                 attrs.m);
      }
      return Status::success();
    }
    if (!constantRhs)
      pack(rhs);
    multiply(lhs, out, attrs.batch * attrs.m);
    return Status::success();
  }

private:
  MatMulAttrs attrs;
  unsigned threads;
  const VectorKernels &vk;
  int64_t panels;
  AlignedBytes packed, bias;
  bool isPacked = false, hasBias = false;
  bool constantRhs = false, constantBias = false;

  void multiply(const float *lhs, float *out, int64_t m) {
    const float *rhs = reinterpret_cast<const float *>(packed.data());
    const float *biasData = reinterpret_cast<const float *>(bias.data());
    int64_t width = vk.panel, n = attrs.n, k = attrs.k;
    // A block of rows stays in the cache while all panels pass.
    int64_t block = std::max<int64_t>(
        24, (256 * 1024 / 4) / std::max<int64_t>(k, 1) / 24 * 24);
    for (int64_t row = 0; row < m; row += block) {
      int64_t rows = std::min(block, m - row);
      parallelFor(threads, panels, [&](int64_t panel) {
        vk.gemmPanel(lhs + row * k, k, rhs + panel * k * width,
                     attrs.bias ? biasData + panel * width : nullptr,
                     out + row * n + panel * width, n, rows, k,
                     std::min(width, n - panel * width));
      });
    }
  }
};

} // namespace

Result<std::unique_ptr<Kernel>>
panpipe::rt::createMatMul(const KernelCall &call,
                          const KernelContext &context) {
  auto kernel = std::make_unique<MatMulKernel>(call.matmul, context.threads);
  kernel->keepConstants(context.constants[1],
                        call.matmul.bias ? context.constants[2] : nullptr);
  return std::unique_ptr<Kernel>(std::move(kernel));
}
