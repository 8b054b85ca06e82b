//===- CpuFeatures.h - What this CPU can do ------------------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_RUNTIME_CPU_CPUFEATURES_H
#define PANPIPE_LIB_RUNTIME_CPU_CPUFEATURES_H

#include "panpipe/Runtime/Status.h"

#include <string>
#include <vector>

namespace panpipe::rt {

/// Refuses code that needs features (LLVM's names) which this CPU lacks.
Status checkCpuFeatures(const std::vector<std::string> &features,
                        const std::string &compiledFor);

} // namespace panpipe::rt

#endif // PANPIPE_LIB_RUNTIME_CPU_CPUFEATURES_H
