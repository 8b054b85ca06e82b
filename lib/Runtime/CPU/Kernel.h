//===- Kernel.h - A kernel call, ready to run ----------------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_RUNTIME_CPU_KERNEL_H
#define PANPIPE_LIB_RUNTIME_CPU_KERNEL_H

#include "panpipe/Runtime/Program.h"

#include <memory>

namespace panpipe::rt {

class CodeObject;

/// One call of a stage with everything prepared: primitives created, constant
/// weights packed. Belongs to one device thread.
class Kernel {
public:
  virtual ~Kernel();
  /// `operands` in the order of the call.
  virtual Status run(void *const *operands) = 0;
  /// Memory that the kernel holds: packed weights and scratch.
  virtual size_t bytes() const { return 0; }
};

/// What a kernel may know when it is made. `constants[i]` is the operand's data
/// where it is known at load, else null.
struct KernelContext {
  const CodeObject *code = nullptr;
  unsigned threads = 1;
  std::vector<const void *> constants;
};

/// Makes the kernel of `call`; the message of an error names no location.
Result<std::unique_ptr<Kernel>> createKernel(const KernelCall &call,
                                             const KernelContext &context);

/// Bytes that operand `i` of a library kernel has, by its attributes.
uint64_t expectedBytes(const KernelCall &call, size_t operand);

// One maker per kind.
Result<std::unique_ptr<Kernel>> createConvolution(const KernelCall &call,
                                                  const KernelContext &context);
Result<std::unique_ptr<Kernel>>
createGroupedConvolution(const KernelCall &call, const KernelContext &context);
Result<std::unique_ptr<Kernel>> createMatMul(const KernelCall &call,
                                             const KernelContext &context);
Result<std::unique_ptr<Kernel>> createPooling(const KernelCall &call,
                                              const KernelContext &context);
Result<std::unique_ptr<Kernel>> createReorder(const KernelCall &call,
                                              const KernelContext &context);

/// Whether the own kernel for few channels a group takes this convolution.
bool isSmallGroupConvolution(const WindowAttrs &window);

/// Runs `body(index)` for 0 ≤ index < count on up to `threads` threads (GOMP's
/// pool, the one that oneDNN uses too).
void parallelFor(unsigned threads, int64_t count, void (*body)(void *, int64_t),
                 void *data);
template <typename F>
void parallelFor(unsigned threads, int64_t count, F body) {
  parallelFor(
      threads, count,
      [](void *data, int64_t index) { (*static_cast<F *>(data))(index); },
      static_cast<void *>(&body));
}

} // namespace panpipe::rt

#endif // PANPIPE_LIB_RUNTIME_CPU_KERNEL_H
