//===- KernelTest.cpp - Tests of the CPU kernels --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every library kernel against a plain loop over the definition, and each
/// sample of a batch against the same sample alone, bit by bit.
///
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "VectorKernels.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace panpipe::rt;

using Floats = std::vector<float>;

static Floats randomFloats(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> range(-1, 1);
  Floats values(count);
  for (float &value : values)
    value = range(random);
  return values;
}

/// Runs one kernel; operand 1 and 2 are known at load when `constant`.
static Floats runKernel(const KernelCall &call, std::vector<Floats> inputs,
                        int64_t outputs, bool constant, unsigned threads = 1) {
  KernelContext context;
  context.threads = threads;
  std::vector<void *> operands;
  for (size_t i = 0; i != inputs.size(); ++i) {
    operands.push_back(inputs[i].data());
    context.constants.push_back(constant && i > 0 ? inputs[i].data() : nullptr);
  }
  context.constants.push_back(nullptr);
  Floats result(outputs, 12345.0f);
  operands.push_back(result.data());
  auto kernel = createKernel(call, context);
  EXPECT_TRUE(kernel.ok()) << kernel.message();
  if (kernel.ok()) {
    Status status = (*kernel)->run(operands.data());
    EXPECT_TRUE(status.ok()) << status.message();
  }
  return result;
}

static void expectNear(const Floats &have, const Floats &want, float scale) {
  ASSERT_EQ(have.size(), want.size());
  for (size_t i = 0; i != have.size(); ++i)
    ASSERT_NEAR(have[i], want[i], 1e-5f * scale) << "element " << i;
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

static Floats naiveConvolution(const WindowAttrs &w, const Floats &x,
                               const Floats &weights, const Floats &bias) {
  int64_t ig = w.ic / w.groups, og = w.oc / w.groups;
  Floats y;
  for (int64_t n = 0; n != w.n; ++n)
    for (int64_t oc = 0; oc != w.oc; ++oc)
      for (int64_t oy = 0; oy != w.oh; ++oy)
        for (int64_t ox = 0; ox != w.ow; ++ox) {
          double sum = 0;
          for (int64_t c = 0; c != ig; ++c)
            for (int64_t i = 0; i != w.kh; ++i)
              for (int64_t j = 0; j != w.kw; ++j) {
                int64_t iy = oy * w.sh + i * w.dh - w.padTop;
                int64_t ix = ox * w.sw + j * w.dw - w.padLeft;
                if (iy < 0 || iy >= w.ih || ix < 0 || ix >= w.iw)
                  continue;
                int64_t ic = oc / og * ig + c;
                sum += double(x[((n * w.ic + ic) * w.ih + iy) * w.iw + ix]) *
                       weights[((oc * ig + c) * w.kh + i) * w.kw + j];
              }
          sum += bias.empty() ? 0 : bias[oc];
          if (w.activation == Activation::LeakyRelu && sum <= 0)
            sum *= w.alpha;
          y.push_back(static_cast<float>(sum));
        }
  return y;
}

/// The same image in the layout that the kernel wants, and back.
static Floats relayout(const Floats &x, int64_t n, int64_t c, int64_t pixels,
                       int64_t block, bool toBlocked) {
  Floats y(x.size());
  for (int64_t i = 0; i != n; ++i)
    for (int64_t k = 0; k != c; ++k)
      for (int64_t p = 0; p != pixels; ++p) {
        int64_t plain = (i * c + k) * pixels + p;
        int64_t blocked =
            ((i * c / block + k / block) * pixels + p) * block + k % block;
        (toBlocked ? y[blocked] : y[plain]) = x[toBlocked ? plain : blocked];
      }
  return y;
}

static WindowAttrs window(int64_t n, int64_t ic, int64_t oc, int64_t size,
                          int64_t k, int64_t stride, int64_t groups) {
  WindowAttrs w;
  w.n = n, w.ic = ic, w.oc = oc, w.ih = size, w.iw = size + 3;
  w.kh = w.kw = k, w.sh = w.sw = stride, w.groups = groups;
  w.padTop = w.padLeft = w.padBottom = w.padRight = k / 2;
  w.oh = (w.ih + 2 * (k / 2) - k) / stride + 1;
  w.ow = (w.iw + 2 * (k / 2) - k) / stride + 1;
  w.block = vectorKernels().lanes;
  return w;
}

static Floats convolve(WindowAttrs w, const Floats &x, const Floats &weights,
                       const Floats &bias, bool constant,
                       unsigned threads = 1) {
  w.src = w.ic % w.block == 0 ? Layout::Blocked : Layout::Plain;
  w.dst = w.oc % w.block == 0 ? Layout::Blocked : Layout::Plain;
  w.bias = !bias.empty();
  KernelCall call;
  call.kind = KernelKind::Conv2d;
  call.window = w;
  bool src = w.src == Layout::Blocked, dst = w.dst == Layout::Blocked;
  std::vector<Floats> inputs = {
      src ? relayout(x, w.n, w.ic, w.ih * w.iw, w.block, true) : x, weights};
  if (w.bias)
    inputs.push_back(bias);
  Floats y =
      runKernel(call, inputs, w.n * w.oc * w.oh * w.ow, constant, threads);
  return dst ? relayout(y, w.n, w.oc, w.oh * w.ow, w.block, false) : y;
}

static void checkConvolution(WindowAttrs w, bool withBias = true) {
  Floats x = randomFloats(w.n * w.ic * w.ih * w.iw, 1);
  Floats weights = randomFloats(w.oc * w.ic / w.groups * w.kh * w.kw, 2);
  Floats bias = withBias ? randomFloats(w.oc, 3) : Floats();
  Floats want = naiveConvolution(w, x, weights, bias);
  Floats have = convolve(w, x, weights, bias, true);
  expectNear(have, want, std::sqrt(float(w.ic / w.groups * w.kh * w.kw)));
  EXPECT_EQ(convolve(w, x, weights, bias, false), have) << "weights of the run";
  EXPECT_EQ(convolve(w, x, weights, bias, true, 2), have) << "two threads";

  WindowAttrs one = w;
  one.n = 1;
  int64_t in = w.ic * w.ih * w.iw, out = w.oc * w.oh * w.ow;
  for (int64_t i = 0; i != w.n; ++i) {
    Floats alone =
        convolve(one, Floats(x.begin() + i * in, x.begin() + (i + 1) * in),
                 weights, bias, true);
    EXPECT_EQ(alone,
              Floats(have.begin() + i * out, have.begin() + (i + 1) * out))
        << "sample " << i;
  }
}

TEST(Convolution, Dense) {
  checkConvolution(window(2, 32, 48, 9, 3, 1, 1));
  checkConvolution(window(3, 16, 32, 8, 1, 1, 1));
  checkConvolution(window(1, 32, 16, 9, 3, 2, 1), /*withBias=*/false);
  checkConvolution(window(1, 16, 32, 8, 1, 2, 1));
}

TEST(Convolution, FewChannels) {
  checkConvolution(window(2, 1, 16, 12, 3, 1, 1));
  checkConvolution(window(1, 3, 32, 13, 7, 2, 1));
  checkConvolution(window(1, 32, 3, 10, 3, 1, 1));
  checkConvolution(window(1, 5, 7, 6, 3, 1, 1));
}

TEST(Convolution, Grouped) {
  for (int64_t size : {2, 4, 8, 16})
    for (int64_t stride : {1, 2}) {
      checkConvolution(window(2, 32, 32, 10, 3, stride, 32 / size));
      checkConvolution(window(1, 32, 32, 5, 5, stride, 32 / size), false);
    }
  checkConvolution(window(1, 32, 64, 6, 3, 1, 16)); // twice as many out
  checkConvolution(window(1, 6, 6, 6, 3, 1, 3));
}

TEST(Convolution, Depthwise) {
  checkConvolution(window(2, 32, 32, 7, 3, 1, 32));
}

TEST(Convolution, LeakyRelu) {
  WindowAttrs w = window(1, 32, 32, 8, 3, 1, 1);
  w.activation = Activation::LeakyRelu;
  w.alpha = 0.25;
  checkConvolution(w);
  w.groups = 8;
  checkConvolution(w);
}

TEST(Convolution, UnevenPaddingAndDilation) {
  WindowAttrs w = window(1, 16, 16, 8, 3, 1, 1);
  w.padTop = 0, w.padLeft = 2;
  w.oh = w.ih + w.padBottom - 2, w.ow = w.iw + 2 + 1 - 2;
  checkConvolution(w);
  w = window(1, 16, 16, 9, 3, 1, 1);
  w.dh = w.dw = 2;
  w.oh = w.ih + 2 - 4, w.ow = w.iw + 2 - 4;
  checkConvolution(w);
  w.groups = 8; // few channels a group, dilated: not for the own kernel
  checkConvolution(w);
}

TEST(Convolution, NaNPassesThrough) {
  for (int64_t groups : {1, 8}) {
    WindowAttrs w = window(1, 16, 16, 6, 3, 1, groups);
    w.activation = Activation::LeakyRelu;
    w.alpha = 0.2;
    Floats x = randomFloats(w.ic * w.ih * w.iw, 1);
    x[0] = std::numeric_limits<float>::quiet_NaN();
    Floats y = convolve(w, x, randomFloats(16 * 16 / groups * 9, 2), {}, true);
    EXPECT_TRUE(std::isnan(y[0]));
    EXPECT_FALSE(std::isnan(y.back()));
  }
}

TEST(Convolution, Transposed) {
  WindowAttrs w = window(2, 16, 8, 5, 3, 2, 1);
  w.oh = (w.ih - 1) * 2 - 2 + 3 + 1, w.ow = (w.iw - 1) * 2 - 2 + 3 + 1;
  w.padBottom = w.padRight = 0;
  Floats x = randomFloats(w.n * w.ic * w.ih * w.iw, 1);
  Floats weights = randomFloats(w.ic * w.oc * 9, 2),
         want(w.n * w.oc * w.oh * w.ow);
  for (int64_t n = 0; n != w.n; ++n)
    for (int64_t c = 0; c != w.ic; ++c)
      for (int64_t y = 0; y != w.ih; ++y)
        for (int64_t z = 0; z != w.iw; ++z)
          for (int64_t o = 0; o != w.oc; ++o)
            for (int64_t i = 0; i != 3; ++i)
              for (int64_t j = 0; j != 3; ++j) {
                int64_t oy = y * 2 + i - 1, ox = z * 2 + j - 1;
                if (oy >= 0 && oy < w.oh && ox >= 0 && ox < w.ow)
                  want[((n * w.oc + o) * w.oh + oy) * w.ow + ox] +=
                      x[((n * w.ic + c) * w.ih + y) * w.iw + z] *
                      weights[((c * w.oc + o) * 3 + i) * 3 + j];
              }
  KernelCall call;
  call.kind = KernelKind::ConvTranspose2d;
  call.window = w;
  expectNear(runKernel(call, {x, weights}, want.size(), true), want, 10);
}

TEST(Convolution, RefusesChannelsThatDoNotDivide) {
  KernelCall call;
  call.kind = KernelKind::Conv2d;
  call.window = window(1, 16, 16, 6, 3, 1, 5);
  KernelContext context;
  context.constants = {nullptr, nullptr, nullptr};
  EXPECT_FALSE(createKernel(call, context).ok());
}

//===----------------------------------------------------------------------===//
// Matrix product, pooling, layouts
//===----------------------------------------------------------------------===//

static void checkMatMul(int64_t batch, int64_t m, int64_t n, int64_t k,
                        bool rhsBatched, bool transposed, bool bias) {
  KernelCall call;
  call.kind = KernelKind::MatMul;
  call.matmul = {batch, m, n, k, rhsBatched, transposed, bias};
  Floats a = randomFloats(batch * m * k, 1);
  Floats b = randomFloats((rhsBatched ? batch : 1) * k * n, 2);
  Floats c = randomFloats(n, 3), want;
  for (int64_t i = 0; i != batch; ++i)
    for (int64_t r = 0; r != m; ++r)
      for (int64_t j = 0; j != n; ++j) {
        double sum = 0;
        for (int64_t p = 0; p != k; ++p)
          sum += double(a[(i * m + r) * k + p]) *
                 b[(rhsBatched ? i * k * n : 0) +
                   (transposed ? j * k + p : p * n + j)];
        want.push_back(static_cast<float>(sum + (bias ? c[j] : 0)));
      }
  std::vector<Floats> inputs = {a, b};
  if (bias)
    inputs.push_back(c);
  Floats have = runKernel(call, inputs, want.size(), true);
  expectNear(have, want, std::sqrt(float(k)));
  EXPECT_EQ(runKernel(call, inputs, want.size(), false, 2), have);
  // A row does not depend on how many rows there are.
  call.matmul.batch = 1, call.matmul.m = 1;
  inputs[0].resize(k);
  Floats row = runKernel(call, inputs, n, true);
  EXPECT_EQ(row, Floats(have.begin(), have.begin() + n));
}

TEST(MatMul, AllForms) {
  for (bool transposed : {false, true})
    for (bool bias : {false, true}) {
      checkMatMul(1, 1, 1, 1, false, transposed, bias);
      checkMatMul(1, 33, 70, 17, false, transposed, bias);
      checkMatMul(3, 5, 32, 64, false, transposed, bias);
      checkMatMul(2, 13, 40, 9, true, transposed, bias);
    }
  checkMatMul(1, 3, 5, 70000, false, true, false);
}

TEST(Pooling, MaximumAndAverage) {
  for (bool average : {false, true})
    for (bool countPad : {false, true}) {
      KernelCall call;
      call.kind = KernelKind::Pool2d;
      WindowAttrs w = window(2, 16, 16, 9, 3, 2, 1);
      w.average = average;
      w.countPad = countPad;
      call.window = w;
      Floats x = randomFloats(w.n * w.ic * w.ih * w.iw, 1);
      Floats plain = runKernel(call, {x}, w.n * w.oc * w.oh * w.ow, false);
      // A corner: two by two of the window's nine lie inside.
      float a = x[0], b = x[1], c = x[w.iw], d = x[w.iw + 1];
      float want = average ? (a + b + c + d) / (countPad ? 9 : 4)
                           : std::max(std::max(a, b), std::max(c, d));
      EXPECT_NEAR(plain[0], want, 1e-6);
      call.window.src = call.window.dst = Layout::Blocked;
      Floats blocked =
          runKernel(call, {relayout(x, w.n, w.ic, w.ih * w.iw, w.block, true)},
                    plain.size(), false);
      EXPECT_EQ(relayout(blocked, w.n, w.oc, w.oh * w.ow, w.block, false),
                plain);
    }
}

TEST(Pooling, MaximumKeepsNaN) {
  KernelCall call;
  call.kind = KernelKind::Pool2d;
  call.window = window(1, 1, 1, 4, 3, 1, 1);
  Floats x(4 * 7, -5.0f);
  x[0] = std::numeric_limits<float>::quiet_NaN();
  Floats y = runKernel(call, {x}, 4 * 7, false);
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], -5.0f);
}

TEST(Reorder, ThereAndBack) {
  KernelCall call;
  call.kind = KernelKind::Pack;
  call.window = window(2, 48, 48, 5, 1, 1, 1);
  const WindowAttrs &w = call.window;
  Floats x = randomFloats(w.n * w.ic * w.ih * w.iw, 1);
  Floats packed = runKernel(call, {x}, x.size(), false);
  EXPECT_EQ(packed, relayout(x, w.n, w.ic, w.ih * w.iw, w.block, true));
  call.kind = KernelKind::Unpack;
  EXPECT_EQ(runKernel(call, {packed}, x.size(), false, 2), x);
}

TEST(VectorKernels, EveryTableComputesTheSame) {
  // The tables that this CPU can run; the portable one always.
  Floats a = randomFloats(7 * 11, 1), b = randomFloats(11 * 64, 2);
  for (int lanes : {16, 8}) {
    const VectorKernels &vk = vectorKernels(lanes);
    Floats c(7 * vk.panel);
    vk.gemmPanel(a.data(), 11, b.data(), nullptr, c.data(), vk.panel, 7, 11,
                 vk.panel);
    double want = 0;
    for (int p = 0; p != 11; ++p)
      want += double(a[11 + p]) * b[p * vk.panel + 2];
    EXPECT_NEAR(c[vk.panel + 2], want, 1e-5) << vk.name;
  }
}
