//===- OpGraph.h - The one graph that every reader fills --------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A model as a list of operator calls on named values, in plain C++ data: what
/// the readers produce and the lowering to linalg consumes. It holds no
/// weights, only where their bytes lie in the archive.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_IMPORT_OPGRAPH_H
#define PANPIPE_IMPORT_OPGRAPH_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace panpipe::import {

/// Element types, numbered as in the export schema of PyTorch (which are not
/// the numbers of c10::ScalarType).
enum class DType : uint8_t {
  Unknown = 0,
  U8 = 1,
  I8 = 2,
  I16 = 3,
  I32 = 4,
  I64 = 5,
  F16 = 6,
  F32 = 7,
  F64 = 8,
  ComplexF16 = 9,
  ComplexF32 = 10,
  ComplexF64 = 11,
  Bool = 12,
  BF16 = 13,
  U16 = 28,
  F8E4M3FN = 29,
  F8E5M2 = 30,
  F8E4M3FNUZ = 31,
  F8E5M2FNUZ = 32,
  F8E8M0FNU = 33,
  U32 = 34,
  U64 = 35
};
/// "f32", "i64", "bool", …; "unknown" for a number that is no DType.
std::string_view dtypeName(DType dtype);
/// Bytes of one element in an archive (a bool is one byte); 0 if unknown.
unsigned dtypeBytes(DType dtype);
bool isFloat(DType dtype);
bool isComplex(DType dtype);
/// Signed or unsigned integer, not bool.
bool isInteger(DType dtype);
bool isUnsigned(DType dtype);

/// A ranked tensor with static sizes.
struct GraphTensorType {
  DType dtype = DType::Unknown;
  std::vector<int64_t> sizes;
  bool operator==(const GraphTensorType &o) const {
    return dtype == o.dtype && sizes == o.sizes;
  }
  /// For messages: "f32[1, 3, 64, 64]".
  std::string str() const;
};

using ValueId = uint32_t;
constexpr ValueId kNoValue = ~0u; ///< an absent optional tensor

struct GraphValue {
  std::string name;
  GraphTensorType type;
};

/// One argument of a node, as the file gives it.
struct Argument {
  enum class Kind : uint8_t {
    None,
    Tensor,
    TensorList,
    Int,
    IntList,
    Float,
    FloatList,
    Bool,
    BoolList,
    String,
    StringList,
    DType,
    MemoryFormat,
    Layout,
    Device,
    Other ///< a known tag without support; strings[0] is the tag
  };
  Kind kind = Kind::None;
  std::vector<ValueId> tensors; ///< Tensor: one; TensorList: kNoValue for none
  std::vector<int64_t> ints;    ///< Int, Bool, DType, MemoryFormat, Layout: one
  std::vector<double> floats;
  std::vector<std::string> strings; ///< String, Device: one
};
/// For messages: "a tensor", "a list of integers", …
std::string_view kindName(Argument::Kind kind);

struct NamedArgument {
  std::string name;
  Argument value;
};

/// The place of a node in the user's model; any part may be empty.
struct SourceRef {
  std::string modulePath;  ///< "layer1.0.conv1"; empty for the model itself
  std::string moduleClass; ///< "torch.nn.modules.conv.Conv2d"
  std::string file;        ///< innermost frame outside of torch
  unsigned line = 0;
  std::string code; ///< the text of that line
  /// For messages: "module 'layer1.0.conv1', net.py:12".
  std::string str() const;
};

struct Node {
  std::string target; ///< "aten.conv2d.default"; without "torch.ops."
  std::string name;
  std::vector<NamedArgument> args;
  /// By position in the operator's schema; kNoValue where undefined. A list of
  /// tensors (split) is spread.
  std::vector<ValueId> results;
  SourceRef source;
  /// Null if the argument is not written in the file.
  const Argument *find(std::string_view argument) const;
};

/// Where a tensor's bytes lie: `as_strided` on a storage in the archive.
struct Storage {
  uint64_t offset = 0; ///< absolute offset of element [0, …, 0] in the file
  std::vector<int64_t> strides; ///< in elements
  DType dtype = DType::Unknown;
  /// Record of the archive, to see that two names share one storage.
  std::string record;
};

struct GraphInput {
  enum class Kind : uint8_t { User, Parameter, Buffer, Constant };
  Kind kind = Kind::User;
  std::string name; ///< of the user's argument, or of the parameter
  ValueId value = kNoValue;
  std::optional<Storage> storage; ///< all but User
};

struct GraphOutput {
  std::string name;
  ValueId value = kNoValue;
};

/// Nodes are in an order in which every value is defined before its use.
struct OpGraph {
  std::string name; ///< of the program in its archive
  std::vector<GraphValue> values;
  std::vector<GraphInput> inputs;
  std::vector<GraphOutput> outputs;
  std::vector<Node> nodes;
};

} // namespace panpipe::import

#endif // PANPIPE_IMPORT_OPGRAPH_H
