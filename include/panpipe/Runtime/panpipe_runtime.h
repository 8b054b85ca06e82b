//===- panpipe_runtime.h - C interface of the runtime --------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For other languages: opaque handles, no C++ or LLVM types. Functions that
/// can fail return 0 on success; the message of this thread's last failure is
/// `panpipe_last_error()`.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_RUNTIME_PANPIPE_RUNTIME_H
#define PANPIPE_RUNTIME_PANPIPE_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct panpipe_executable panpipe_executable;

/* Loads an executable file. `weights` may be NULL; `threads` (>= 1) is what
 * each device may use inside one kernel. The caller owns *executable. */
int panpipe_load(const char *path, const char *weights, unsigned threads,
                 panpipe_executable **executable);
void panpipe_free(panpipe_executable *executable);

/* Inputs and outputs, in the model's order. `which` is 0 for inputs, 1 for
 * outputs. The strings and shapes live as long as the executable. */
size_t panpipe_tensor_count(const panpipe_executable *executable, int which);
const char *panpipe_tensor_name(const panpipe_executable *executable, int which,
                                size_t index);
/* "f32", "i64", "bool", ... */
const char *panpipe_tensor_dtype(const panpipe_executable *executable,
                                 int which, size_t index);
size_t panpipe_tensor_rank(const panpipe_executable *executable, int which,
                           size_t index);
const int64_t *panpipe_tensor_shape(const panpipe_executable *executable,
                                    int which, size_t index);
size_t panpipe_tensor_bytes(const panpipe_executable *executable, int which,
                            size_t index);

/* Runs once on dense row-major tensors of the caller's. */
int panpipe_run(panpipe_executable *executable, const void *const *inputs,
                void *const *outputs);

const char *panpipe_last_error(void);

#ifdef __cplusplus
}
#endif

#endif /* PANPIPE_RUNTIME_PANPIPE_RUNTIME_H */
