//===- CpuFeatures.cpp - What this CPU can do -----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuFeatures.h"

#include "VectorKernels.h"

using namespace panpipe::rt;

namespace panpipe::rt {
namespace avx512 {
extern const VectorKernels table;
}
namespace avx2 {
extern const VectorKernels table;
}
namespace base {
extern const VectorKernels table;
}
} // namespace panpipe::rt

/// Only features of this list are ever recorded by the compiler. f16c and lzcnt
/// come with every CPU that has avx2, and gcc cannot ask for all of them.
static bool hasFeature(const std::string &name) {
#if defined(__x86_64__)
  __builtin_cpu_init();
#define PANPIPE_FEATURE(text)                                                  \
  if (name == text)                                                            \
    return __builtin_cpu_supports(text);
  PANPIPE_FEATURE("sse3")
  PANPIPE_FEATURE("ssse3")
  PANPIPE_FEATURE("sse4.1")
  PANPIPE_FEATURE("sse4.2")
  PANPIPE_FEATURE("popcnt")
  PANPIPE_FEATURE("avx")
  PANPIPE_FEATURE("avx2")
  PANPIPE_FEATURE("fma")
  PANPIPE_FEATURE("bmi")
  PANPIPE_FEATURE("bmi2")
  PANPIPE_FEATURE("avx512f")
  PANPIPE_FEATURE("avx512bw")
  PANPIPE_FEATURE("avx512dq")
  PANPIPE_FEATURE("avx512vl")
  PANPIPE_FEATURE("avx512cd")
#undef PANPIPE_FEATURE
#endif
  return false;
}

Status panpipe::rt::checkCpuFeatures(const std::vector<std::string> &features,
                                     const std::string &compiledFor) {
  std::string missing;
  for (const std::string &feature : features)
    if (!hasFeature(feature))
      missing += (missing.empty() ? "" : ", ") + feature;
  if (missing.empty())
    return Status::success();
  return Status::error("it was compiled for " + compiledFor +
                       ", but this CPU lacks " + missing +
                       "; compile it again on this machine");
}

const VectorKernels &panpipe::rt::vectorKernels(int maxLanes) {
#if defined(__x86_64__)
  bool wide = hasFeature("avx512f") && hasFeature("avx512bw") &&
              hasFeature("avx512dq") && hasFeature("avx512vl");
  if (wide && maxLanes >= 16)
    return avx512::table;
  if (hasFeature("avx2") && hasFeature("fma"))
    return avx2::table;
#endif
  (void)maxLanes;
  return base::table;
}
