//===- Program.cpp - Bytes of a program -----------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One `visit` per struct lists its fields once; a Writer and a Reader walk
/// them. The reader bounds every count by the bytes that are left, and `check`
/// then compares every index with what it indexes.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Runtime/Program.h"

#include <cstring>
#include <type_traits>

using namespace panpipe::rt;

bool Parameter::contiguous() const {
  int64_t expected = 1;
  for (size_t i = info.shape.size(); i-- > 0;) {
    if (info.shape[i] != 1 && strides[i] != expected)
      return false;
    expected *= info.shape[i];
  }
  return true;
}

namespace {

template <typename T> struct IsVector : std::false_type {};
template <typename T> struct IsVector<std::vector<T>> : std::true_type {};

class Writer {
public:
  std::vector<uint8_t> bytes;

  template <typename... Ts> void operator()(Ts &...fields) {
    (put(fields), ...);
  }

private:
  template <typename T> void put(T &field) {
    using U = std::remove_const_t<T>;
    if constexpr (std::is_arithmetic_v<U> || std::is_enum_v<U>) {
      const uint8_t *raw = reinterpret_cast<const uint8_t *>(&field);
      bytes.insert(bytes.end(), raw, raw + sizeof(U));
    } else if constexpr (IsVector<U>::value || std::is_same_v<U, std::string>) {
      uint64_t count = field.size();
      put(count);
      if constexpr (sizeof(typename U::value_type) == 1)
        bytes.insert(bytes.end(), field.begin(), field.end());
      else
        for (auto &element : field)
          put(element);
    } else {
      visit(*this, const_cast<U &>(field));
    }
  }
};

class Reader {
public:
  Reader(const uint8_t *data, size_t size) : at(data), end(data + size) {}

  bool good = true;
  bool finished() const { return good && at == end; }

  template <typename... Ts> void operator()(Ts &...fields) {
    (get(fields), ...);
  }

private:
  const uint8_t *at, *end;

  template <typename T> void get(T &field) {
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t raw = 0;
      get(raw);
      field = raw != 0;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      if (!good || static_cast<size_t>(end - at) < sizeof(T)) {
        good = false;
        return;
      }
      std::memcpy(&field, at, sizeof(T));
      at += sizeof(T);
    } else if constexpr (IsVector<T>::value || std::is_same_v<T, std::string>) {
      uint64_t count = 0;
      get(count);
      // Every element has at least one byte.
      if (!good || count > static_cast<size_t>(end - at)) {
        good = false;
        return;
      }
      if constexpr (sizeof(typename T::value_type) == 1) {
        field.assign(at, at + count);
        at += count;
      } else {
        for (uint64_t i = 0; i != count && good; ++i)
          get(field.emplace_back());
      }
    } else {
      visit(*this, field);
    }
  }
};

} // namespace

namespace panpipe::rt {

template <typename V> static void visit(V &v, TensorInfo &x) {
  v(x.name, x.dtype, x.shape);
}
template <typename V> static void visit(V &v, Parameter &x) {
  v(x.info, x.offset, x.strides);
}
template <typename V> static void visit(V &v, ArchiveRef &x) {
  v(x.path, x.size, x.crc);
}
template <typename V> static void visit(V &v, Slot &x) {
  v(x.place, x.index, x.offset, x.bytes);
}
template <typename V> static void visit(V &v, WindowAttrs &x) {
  v(x.n, x.ic, x.ih, x.iw, x.oc, x.oh, x.ow, x.kh, x.kw, x.sh, x.sw, x.dh, x.dw,
    x.padTop, x.padLeft, x.padBottom, x.padRight, x.groups, x.block, x.src,
    x.dst, x.bias, x.average, x.countPad, x.activation, x.alpha);
}
template <typename V> static void visit(V &v, MatMulAttrs &x) {
  v(x.batch, x.m, x.n, x.k, x.rhsBatched, x.transposed, x.bias);
}
template <typename V> static void visit(V &v, KernelCall &x) {
  v(x.kind, x.symbol, x.location, x.operands, x.inputs, x.sharedWork, x.atLoad,
    x.window, x.matmul);
}
template <typename V> static void visit(V &v, Stage &x) {
  v(x.name, x.device, x.arguments, x.results, x.slots, x.calls, x.arenaBytes,
    x.persistentBytes);
}
template <typename V> static void visit(V &v, Instruction &x) {
  v(x.op, x.index, x.peer, x.tag, x.dim, x.microbatch, x.operands, x.results,
    x.sizes);
}
template <typename V> static void visit(V &v, DeviceProgram &x) {
  v(x.device, x.values, x.code);
}
template <typename V> static void visit(V &v, Program &x) {
  v(x.name, x.cpuName, x.cpuFeatures, x.archive, x.inputs, x.outputs,
    x.parameters, x.constants, x.stages, x.devices, x.assumptions);
}

} // namespace panpipe::rt

//===----------------------------------------------------------------------===//
// Checks after reading
//===----------------------------------------------------------------------===//

static bool checkInfo(const TensorInfo &info) {
  size_t bytes = 16;
  if (info.dtype > DType::F64 || info.shape.size() > 32)
    return false;
  for (int64_t extent : info.shape)
    if (extent < 0 ||
        __builtin_mul_overflow(bytes, static_cast<size_t>(extent), &bytes) ||
        bytes > (size_t(1) << 60))
      return false;
  return true;
}

static bool checkInfos(const std::vector<TensorInfo> &infos) {
  for (const TensorInfo &info : infos)
    if (!checkInfo(info))
      return false;
  return true;
}

/// Bytes of the memory that a slot points into, or false when there is none.
static bool placeBytes(const Program &program, const Stage &stage,
                       const Slot &slot, uint64_t &bytes) {
  switch (slot.place) {
  case Place::Argument:
    if (slot.index >= stage.arguments.size())
      return false;
    bytes = stage.arguments[slot.index].bytes();
    return true;
  case Place::Result:
    if (slot.index >= stage.results.size())
      return false;
    bytes = stage.results[slot.index].bytes();
    return true;
  case Place::Parameter:
    if (slot.index >= program.parameters.size())
      return false;
    bytes = program.parameters[slot.index].info.bytes();
    return true;
  case Place::Constant:
    bytes = program.constants.size();
    return true;
  case Place::Arena:
    bytes = stage.arenaBytes;
    return true;
  case Place::Persistent:
    bytes = stage.persistentBytes;
    return true;
  }
  return false;
}

static bool checkWindow(const WindowAttrs &w) {
  for (int64_t value : {w.n, w.ic, w.ih, w.iw, w.oc, w.oh, w.ow, w.kh, w.kw,
                        w.sh, w.sw, w.dh, w.dw, w.groups, w.block})
    if (value < 1 || value > (int64_t(1) << 31))
      return false;
  for (int64_t value : {w.padTop, w.padLeft, w.padBottom, w.padRight})
    if (value < 0 || value > (int64_t(1) << 31))
      return false;
  return w.src <= Layout::Blocked && w.dst <= Layout::Blocked &&
         w.activation <= Activation::LeakyRelu;
}

static bool checkStage(const Program &program, const Stage &stage) {
  if (!checkInfos(stage.arguments) || !checkInfos(stage.results) ||
      stage.arenaBytes >> 48 || stage.persistentBytes >> 48)
    return false;
  for (const Slot &slot : stage.slots) {
    uint64_t bytes = 0;
    if (!placeBytes(program, stage, slot, bytes) || slot.offset > bytes ||
        slot.bytes > bytes - slot.offset)
      return false;
  }
  for (const KernelCall &call : stage.calls) {
    if (call.kind > KernelKind::Copy || call.inputs > call.operands.size() ||
        !checkWindow(call.window))
      return false;
    for (uint32_t operand : call.operands)
      if (operand >= stage.slots.size())
        return false;
    for (size_t i = call.inputs; i != call.operands.size(); ++i) {
      Place place = stage.slots[call.operands[i]].place;
      if (place != Place::Arena && place != Place::Result &&
          place != Place::Persistent)
        return false;
    }
  }
  return true;
}

static bool sameType(const TensorInfo &a, const TensorInfo &b) {
  return a.dtype == b.dtype && a.shape == b.shape;
}

/// Whether `pieces`, joined along `dim`, give `whole`.
static bool checkPieces(const TensorInfo &whole,
                        const std::vector<const TensorInfo *> &pieces,
                        int64_t dim) {
  if (dim < 0 || static_cast<size_t>(dim) >= whole.shape.size())
    return false;
  int64_t sum = 0;
  for (const TensorInfo *piece : pieces) {
    if (piece->dtype != whole.dtype ||
        piece->shape.size() != whole.shape.size())
      return false;
    for (size_t i = 0; i != whole.shape.size(); ++i)
      if (i != static_cast<size_t>(dim) && piece->shape[i] != whole.shape[i])
        return false;
    sum += piece->shape[dim];
  }
  return sum == whole.shape[dim];
}

static bool checkTypes(const Program &program, const DeviceProgram &device,
                       const Instruction &inst) {
  std::vector<const TensorInfo *> in, out;
  for (int32_t operand : inst.operands)
    in.push_back(operand >= 0 ? &device.values[operand]
                              : &program.inputs[-1 - operand]);
  for (uint32_t result : inst.results)
    out.push_back(&device.values[result]);
  switch (inst.op) {
  case Opcode::Run: {
    const Stage &stage = program.stages[inst.index];
    for (size_t i = 0; i != in.size(); ++i)
      if (!sameType(*in[i], stage.arguments[i]))
        return false;
    for (size_t i = 0; i != out.size(); ++i)
      if (!sameType(*out[i], stage.results[i]))
        return false;
    return true;
  }
  case Opcode::Split:
    for (size_t i = 0; i != out.size(); ++i)
      if (inst.dim < 0 ||
          static_cast<size_t>(inst.dim) >= out[i]->shape.size() ||
          out[i]->shape[inst.dim] != inst.sizes[i])
        return false;
    return checkPieces(*in[0], out, inst.dim);
  case Opcode::Concat:
    return checkPieces(*out[0], in, inst.dim);
  case Opcode::Deliver:
    return sameType(*in[0], program.outputs[inst.index]);
  default:
    return true;
  }
}

static bool checkInstruction(const Program &program,
                             const DeviceProgram &device,
                             const Instruction &inst) {
  for (int32_t operand : inst.operands)
    if (operand >= 0 ? static_cast<size_t>(operand) >= device.values.size()
                     : static_cast<size_t>(-1 - int64_t(operand)) >=
                           program.inputs.size())
      return false;
  for (uint32_t result : inst.results)
    if (result >= device.values.size())
      return false;
  switch (inst.op) {
  case Opcode::Recv:
    return inst.results.size() == 1;
  case Opcode::Send:
  case Opcode::Free:
    return inst.operands.size() == 1;
  case Opcode::Run:
    return inst.index < program.stages.size() &&
           inst.operands.size() ==
               program.stages[inst.index].arguments.size() &&
           inst.results.size() == program.stages[inst.index].results.size();
  case Opcode::Split:
    return inst.operands.size() == 1 &&
           inst.results.size() == inst.sizes.size();
  case Opcode::Concat:
    return !inst.operands.empty() && inst.results.size() == 1;
  case Opcode::Deliver:
    return inst.operands.size() == 1 && inst.index < program.outputs.size();
  }
  return false;
}

static bool check(const Program &program) {
  if (!checkInfos(program.inputs) || !checkInfos(program.outputs))
    return false;
  for (const Parameter &parameter : program.parameters)
    if (!checkInfo(parameter.info) ||
        parameter.strides.size() != parameter.info.shape.size())
      return false;
  for (const Stage &stage : program.stages)
    if (!checkStage(program, stage))
      return false;
  for (const DeviceProgram &device : program.devices) {
    if (!checkInfos(device.values))
      return false;
    for (const Instruction &inst : device.code)
      if (!checkInstruction(program, device, inst) ||
          !checkTypes(program, device, inst))
        return false;
  }
  return true;
}

std::vector<uint8_t> panpipe::rt::serialize(const Program &program) {
  Writer writer;
  writer(const_cast<Program &>(program));
  return std::move(writer.bytes);
}

Result<Program> panpipe::rt::deserialize(const uint8_t *data, size_t size) {
  Reader reader(data, size);
  Program program;
  reader(program);
  if (!reader.finished() || !check(program))
    return Status::error("its program is malformed");
  return program;
}
