//===- Program.h - What an executable file holds -------------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Level EXECUTABLE as plain data: device programs, stages as lists of kernel
/// calls over a static memory plan, and the reference to the weights archive.
/// The compiler fills it, the runtime reads it. `serialize` and `deserialize`
/// define the bytes; `deserialize` checks every index, so that the rest of the
/// runtime can trust a Program.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_RUNTIME_PROGRAM_H
#define PANPIPE_RUNTIME_PROGRAM_H

#include "panpipe/Runtime/Status.h"
#include "panpipe/Runtime/Tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace panpipe::rt {

/// A weight (parameter, buffer or constant of the model) in the archive.
struct Parameter {
  TensorInfo info;
  uint64_t offset = 0;          // byte offset of element [0, …, 0] in the file
  std::vector<int64_t> strides; // in elements
  bool contiguous() const;
};

/// The archive that holds the weights. Identified by its size and the CRC-32 of
/// its zip central directory, which contains the CRCs of all entries.
struct ArchiveRef {
  std::string path;
  uint64_t size = 0;
  uint32_t crc = 0;
};

/// Where the bytes of a kernel operand live.
enum class Place : uint8_t {
  Argument = 0,   // argument `index` of the stage, from byte `offset` on
  Result = 1,     // result `index` of the stage
  Parameter = 2,  // parameter `index` of the program
  Constant = 3,   // `offset` in the program's constant bytes
  Arena = 4,      // `offset` in the stage's arena: lives within one run
  Persistent = 5, // `offset` in the stage's persistent memory: computed at load
};

struct Slot {
  Place place = Place::Arena;
  uint32_t index = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

enum class KernelKind : uint8_t {
  Compiled = 0,
  Conv2d = 1,
  ConvTranspose2d = 2,
  MatMul = 3,
  Pool2d = 4,
  Pack = 5,   // NCHW to blocked channels
  Unpack = 6, // and back
  Copy = 7,
};

/// How a 4-D image is stored.
enum class Layout : uint8_t {
  Plain = 0,   // NCHW
  Blocked = 1, // N, C/b, H, W, b: b channels side by side
};

enum class Activation : uint8_t { None = 0, LeakyRelu = 1 };

/// Geometry of a 2-D convolution or pooling window.
struct WindowAttrs {
  int64_t n = 1, ic = 1, ih = 1, iw = 1, oc = 1, oh = 1, ow = 1;
  int64_t kh = 1, kw = 1, sh = 1, sw = 1, dh = 1, dw = 1; // dilation 1: dense
  int64_t padTop = 0, padLeft = 0, padBottom = 0, padRight = 0;
  int64_t groups = 1;
  int64_t block = 16; // channels of a block in layout Blocked
  Layout src = Layout::Plain, dst = Layout::Plain;
  bool bias = false;     // operand 2, convolutions only
  bool average = false;  // pooling: average instead of maximum
  bool countPad = false; // average: padding counts in the divisor
  Activation activation = Activation::None;
  double alpha = 0; // slope of LeakyRelu
};

/// out[b] = lhs[b] · rhs[b] (+ bias); row-major. `rhs` is k×n, or n×k if
/// `transposed`.
struct MatMulAttrs {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  bool rhsBatched = false; // else one rhs for all of the batch
  bool transposed = false;
  bool bias = false; // operand 2: n elements
};

/// One kernel call: `operands` are slots of the stage, inputs then outputs.
struct KernelCall {
  KernelKind kind = KernelKind::Compiled;
  std::string symbol;   // Compiled: function in the object code
  std::string location; // the user's module path
  std::vector<uint32_t> operands;
  uint32_t inputs = 0;    // the first `inputs` operands are only read
  int64_t sharedWork = 0; // Compiled: elements that threads can share; 0: none
  bool atLoad = false;    // depends on weights only: run once when loading
  WindowAttrs window;     // Conv2d, ConvTranspose2d, Pool2d, Pack, Unpack
  MatMulAttrs matmul;
};

struct Stage {
  std::string name;
  uint32_t device = 0;
  std::vector<TensorInfo> arguments, results;
  std::vector<Slot> slots;
  std::vector<KernelCall> calls;
  uint64_t arenaBytes = 0, persistentBytes = 0;
};

enum class Opcode : uint8_t {
  Recv = 0,    // results[0] from `peer`, `tag`
  Send = 1,    // operands[0] to `peer`, `tag`
  Run = 2,     // stage `index` on operands
  Free = 3,    // operands[0]
  Split = 4,   // operands[0] along `dim` into `sizes`
  Concat = 5,  // operands along `dim`
  Deliver = 6, // operands[0] is result `index` of the model
};

/// Operands: a value of the program (≥ 0), or model input −1−i.
struct Instruction {
  Opcode op = Opcode::Run;
  uint32_t index = 0;
  uint32_t peer = 0;
  int64_t tag = 0;
  int64_t dim = 0;
  int64_t microbatch = -1; // Run only; −1: none
  std::vector<int32_t> operands;
  std::vector<uint32_t> results;
  std::vector<int64_t> sizes;
};

struct DeviceProgram {
  uint32_t device = 0;
  std::vector<TensorInfo> values;
  std::vector<Instruction> code;
};

struct Program {
  std::string name;
  std::string cpuName; // for people; what is checked are the features
  std::vector<std::string> cpuFeatures;
  ArchiveRef archive;
  std::vector<TensorInfo> inputs, outputs;
  std::vector<Parameter> parameters;
  std::vector<uint8_t> constants;
  std::vector<Stage> stages;
  std::vector<DeviceProgram> devices;
  std::vector<std::string> assumptions;
};

std::vector<uint8_t> serialize(const Program &program);
Result<Program> deserialize(const uint8_t *data, size_t size);

/// Reads and writes the container: magic, version, lengths, CRC-32, program,
/// object code (an ELF shared object). Writing is atomic: a reader sees the old
/// file or the whole new one.
struct ExecutableFile {
  Program program;
  std::vector<uint8_t> code;
};
Status writeExecutableFile(const std::string &path, const ExecutableFile &file);
Result<ExecutableFile> readExecutableFile(const std::string &path);

} // namespace panpipe::rt

#endif // PANPIPE_RUNTIME_PROGRAM_H
