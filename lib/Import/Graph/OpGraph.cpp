//===- OpGraph.cpp - The one graph that every reader fills ----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Import/OpGraph.h"

using namespace panpipe::import;

namespace {
struct DTypeInfo {
  DType dtype;
  const char *name;
  unsigned bytes;
};
const DTypeInfo dtypes[] = {{DType::U8, "u8", 1},
                            {DType::I8, "i8", 1},
                            {DType::I16, "i16", 2},
                            {DType::I32, "i32", 4},
                            {DType::I64, "i64", 8},
                            {DType::F16, "f16", 2},
                            {DType::F32, "f32", 4},
                            {DType::F64, "f64", 8},
                            {DType::ComplexF16, "cf16", 4},
                            {DType::ComplexF32, "cf32", 8},
                            {DType::ComplexF64, "cf64", 16},
                            {DType::Bool, "bool", 1},
                            {DType::BF16, "bf16", 2},
                            {DType::U16, "u16", 2},
                            {DType::F8E4M3FN, "f8e4m3fn", 1},
                            {DType::F8E5M2, "f8e5m2", 1},
                            {DType::F8E4M3FNUZ, "f8e4m3fnuz", 1},
                            {DType::F8E5M2FNUZ, "f8e5m2fnuz", 1},
                            {DType::F8E8M0FNU, "f8e8m0fnu", 1},
                            {DType::U32, "u32", 4},
                            {DType::U64, "u64", 8}};
} // namespace

std::string_view panpipe::import::dtypeName(DType dtype) {
  for (const DTypeInfo &info : dtypes)
    if (info.dtype == dtype)
      return info.name;
  return "unknown";
}

unsigned panpipe::import::dtypeBytes(DType dtype) {
  for (const DTypeInfo &info : dtypes)
    if (info.dtype == dtype)
      return info.bytes;
  return 0;
}

bool panpipe::import::isFloat(DType dtype) {
  switch (dtype) {
  case DType::F16:
  case DType::F32:
  case DType::F64:
  case DType::BF16:
  case DType::F8E4M3FN:
  case DType::F8E5M2:
  case DType::F8E4M3FNUZ:
  case DType::F8E5M2FNUZ:
  case DType::F8E8M0FNU:
    return true;
  default:
    return false;
  }
}

bool panpipe::import::isComplex(DType dtype) {
  return dtype == DType::ComplexF16 || dtype == DType::ComplexF32 ||
         dtype == DType::ComplexF64;
}

bool panpipe::import::isUnsigned(DType dtype) {
  return dtype == DType::U8 || dtype == DType::U16 || dtype == DType::U32 ||
         dtype == DType::U64;
}

bool panpipe::import::isInteger(DType dtype) {
  return isUnsigned(dtype) || dtype == DType::I8 || dtype == DType::I16 ||
         dtype == DType::I32 || dtype == DType::I64;
}

std::string GraphTensorType::str() const {
  std::string out(dtypeName(dtype));
  out += '[';
  for (size_t i = 0; i < sizes.size(); ++i)
    out += (i ? ", " : "") + std::to_string(sizes[i]);
  return out + ']';
}

std::string_view panpipe::import::kindName(Argument::Kind kind) {
  using Kind = Argument::Kind;
  switch (kind) {
  case Kind::None:
    return "none";
  case Kind::Tensor:
    return "a tensor";
  case Kind::TensorList:
    return "a list of tensors";
  case Kind::Int:
    return "an integer";
  case Kind::IntList:
    return "a list of integers";
  case Kind::Float:
    return "a float";
  case Kind::FloatList:
    return "a list of floats";
  case Kind::Bool:
    return "a bool";
  case Kind::BoolList:
    return "a list of bools";
  case Kind::String:
    return "a string";
  case Kind::StringList:
    return "a list of strings";
  case Kind::DType:
    return "a dtype";
  case Kind::MemoryFormat:
    return "a memory format";
  case Kind::Layout:
    return "a layout";
  case Kind::Device:
    return "a device";
  case Kind::Other:
    return "a value of an unsupported kind";
  }
  return "unknown";
}

std::string SourceRef::str() const {
  std::string out = modulePath.empty() ? std::string("the model itself")
                                       : "module '" + modulePath + "'";
  if (!file.empty())
    out += ", " + file + ":" + std::to_string(line);
  return out;
}

const Argument *Node::find(std::string_view argument) const {
  for (const NamedArgument &arg : args)
    if (arg.name == argument)
      return &arg.value;
  return nullptr;
}
