//===- Kernel.cpp - A kernel call, ready to run ---------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "CodeObject.h"

#include <cstring>

using namespace panpipe::rt;

// The pool of libgomp, which oneDNN uses too. clang has no -fopenmp for it, so
// its stable entry point is called directly.
extern "C" void GOMP_parallel(void (*body)(void *), void *data,
                              unsigned threads, unsigned flags);
extern "C" void GOMP_barrier(void);
extern "C" int omp_get_thread_num(void);
extern "C" int omp_get_num_threads(void);

Kernel::~Kernel() = default;

namespace {

struct ParallelJob {
  void (*body)(void *, int64_t);
  void *data;
  int64_t count;
};

/// Less than this is done before another thread has woken up.
constexpr int64_t leastSharedWork = 32768;

class CompiledKernel : public Kernel {
public:
  CompiledKernel(CompiledFunction function, unsigned threads)
      : function(function), threads(threads) {}
  Status run(void *const *operands) override {
    if (threads <= 1) {
      function(operands, 0, 1, GOMP_barrier);
      return Status::success();
    }
    Share share = {function, operands};
    GOMP_parallel(runShare, &share, threads, 0);
    return Status::success();
  }

private:
  CompiledFunction function;
  unsigned threads;

  struct Share {
    CompiledFunction function;
    void *const *operands;
  };
  static void runShare(void *pointer) {
    const Share &share = *static_cast<Share *>(pointer);
    share.function(share.operands, static_cast<size_t>(omp_get_thread_num()),
                   static_cast<size_t>(omp_get_num_threads()), GOMP_barrier);
  }
};

class CopyKernel : public Kernel {
public:
  explicit CopyKernel(size_t size) : size(size) {}
  Status run(void *const *operands) override {
    std::memcpy(operands[1], operands[0], size);
    return Status::success();
  }

private:
  size_t size;
};

} // namespace

/// Each thread takes one contiguous piece.
static void runPiece(void *pointer) {
  const ParallelJob &job = *static_cast<ParallelJob *>(pointer);
  int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
  int64_t end = job.count * (thread + 1) / threads;
  for (int64_t i = job.count * thread / threads; i < end; ++i)
    job.body(job.data, i);
}

void panpipe::rt::parallelFor(unsigned threads, int64_t count,
                              void (*body)(void *, int64_t), void *data) {
  if (threads <= 1 || count <= 1) {
    for (int64_t i = 0; i < count; ++i)
      body(data, i);
    return;
  }
  ParallelJob job = {body, data, count};
  GOMP_parallel(runPiece, &job, threads, 0);
}

static uint64_t windowBytes(const KernelCall &call, size_t operand) {
  const WindowAttrs &w = call.window;
  uint64_t source = 4u * w.n * w.ic * w.ih * w.iw;
  uint64_t target = 4u * w.n * w.oc * w.oh * w.ow;
  switch (call.kind) {
  case KernelKind::Conv2d:
  case KernelKind::ConvTranspose2d:
    if (operand == 0)
      return source;
    if (operand == 1)
      return 4u * w.oc * w.ic / w.groups * w.kh * w.kw;
    return operand == 2 && w.bias ? 4u * w.oc : target;
  case KernelKind::Pool2d:
    return operand == 0 ? source : target;
  default:
    return source;
  }
}

uint64_t panpipe::rt::expectedBytes(const KernelCall &call, size_t operand) {
  if (call.kind != KernelKind::MatMul)
    return windowBytes(call, operand);
  const MatMulAttrs &m = call.matmul;
  switch (operand) {
  case 0:
    return 4u * m.batch * m.m * m.k;
  case 1:
    return 4u * (m.rhsBatched ? m.batch : 1) * m.k * m.n;
  default:
    return operand == 2 && m.bias ? 4u * m.n : 4u * m.batch * m.m * m.n;
  }
}

Result<std::unique_ptr<Kernel>>
panpipe::rt::createKernel(const KernelCall &call,
                          const KernelContext &context) {
  switch (call.kind) {
  case KernelKind::Compiled: {
    CompiledFunction function = context.code->find(call.symbol);
    if (!function)
      return Status::error("its code has no function " + call.symbol);
    bool share = call.sharedWork >= leastSharedWork;
    return std::unique_ptr<Kernel>(std::make_unique<CompiledKernel>(
        function, share ? context.threads : 1));
  }
  case KernelKind::Conv2d:
    if (isSmallGroupConvolution(call.window))
      return createGroupedConvolution(call, context);
    return createConvolution(call, context);
  case KernelKind::ConvTranspose2d:
    return createConvolution(call, context);
  case KernelKind::MatMul:
    return createMatMul(call, context);
  case KernelKind::Pool2d:
    return createPooling(call, context);
  case KernelKind::Pack:
  case KernelKind::Unpack:
    return createReorder(call, context);
  case KernelKind::Copy:
    return std::unique_ptr<Kernel>(std::make_unique<CopyKernel>(call.matmul.k));
  }
  return Status::error("unknown kind of kernel");
}
