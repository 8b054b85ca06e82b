//===- Lowering.h - From the op graph to MODEL-level IR ---------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The state of one lowering, and the view of one node that the functions of
/// the operator table (Ops*.cpp) work with. The graph comes from a file of
/// unknown origin: each of them checks its operands before it builds IR.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_IMPORT_GRAPH_LOWERING_H
#define PANPIPE_LIB_IMPORT_GRAPH_LOWERING_H

#include "panpipe/Composite/Composite.h"
#include "panpipe/Import/AtenSchema.h"
#include "panpipe/Import/GraphImport.h"

#include <deque>

namespace panpipe::import {

using mlir::Location;
using mlir::OpBuilder;
using mlir::RankedTensorType;
using mlir::Value;
using mlir::ValueRange;
using Ints = llvm::SmallVector<int64_t>;

/// The MLIR type of one element, or null if Panpipe has none for it. Integers
/// are signless; their signedness is the DType's.
mlir::Type elementType(mlir::MLIRContext *context, DType dtype);
/// Null if the element type has none.
RankedTensorType tensorType(mlir::MLIRContext *context,
                            const GraphTensorType &type);

/// Converts one element as PyTorch's `to` does.
Value castScalar(OpBuilder &b, Location loc, Value v, DType from, DType to);

/// The largest (smallest) element over `dims`; NaN wins.
Value extremum(TensorBuilder &b, Value v, llvm::ArrayRef<int64_t> dims,
               DType dtype, bool isMax);
/// The product over `dims`, from 1 in row-major order.
Value foldProduct(TensorBuilder &b, Value v, llvm::ArrayRef<int64_t> dims);
/// Each slice along `dim` `count` times in a row.
Value repeatEach(TensorBuilder &b, Value v, int64_t dim, int64_t count);

/// Why a node cannot be lowered.
struct Problem {
  const Node *node;
  std::string what;
  std::string workaround;
};

/// Which element types an operator may meet.
enum class Accepts : uint8_t {
  Anything, ///< moves or converts elements
  Numbers,  ///< computes; not in half precision
  Floats    ///< f32 and f64 only
};

class NodeLowering;
struct OpEntry {
  llvm::StringLiteral target; ///< without "aten." and without ".default"
  Accepts accepts;
  void (*lower)(NodeLowering &op);
};
// The table, one part per family.
llvm::ArrayRef<OpEntry> shapeOps();
llvm::ArrayRef<OpEntry> indexOps();
llvm::ArrayRef<OpEntry> selectOps();
llvm::ArrayRef<OpEntry> padOps();
llvm::ArrayRef<OpEntry> resizeOps();
llvm::ArrayRef<OpEntry> createOps();
llvm::ArrayRef<OpEntry> unaryOps();
llvm::ArrayRef<OpEntry> binaryOps();
llvm::ArrayRef<OpEntry> reduceOps();
llvm::ArrayRef<OpEntry> convOps();
llvm::ArrayRef<OpEntry> matmulOps();
llvm::ArrayRef<OpEntry> poolOps();
llvm::ArrayRef<OpEntry> normOps();

/// What a list of unsupported operators tells the user to do.
llvm::StringRef workaroundFor(llvm::StringRef target);

class GraphLowering {
public:
  GraphLowering(const OpGraph &graph, mlir::ModuleOp module);
  /// Adds @main and the composites to the module; on failure `problems` says
  /// why.
  mlir::LogicalResult run();

  const OpGraph &graph;
  mlir::ModuleOp module;
  CompositeCache composites;
  std::vector<Value> values; ///< by ValueId; null before the definition
  /// Values whose producer failed and is reported.
  std::vector<bool> excused;
  std::vector<Problem> problems;

private:
  mlir::func::FuncOp createMain();
  void lowerNode(const Node &node, OpBuilder &b);
  void bindPlaceholders(const Node &node, OpBuilder &b);
  bool checkTypes(const Node &node, const OpEntry &entry);
  void finish(mlir::func::FuncOp main, OpBuilder &b);
  void eraseUnused(mlir::func::FuncOp main);
  Location locationOf(const Node &node);

  llvm::StringMap<const OpEntry *> table;
  std::vector<unsigned> argumentInputs; ///< argument of @main → graph input
};

/// A tensor or a plain number in the place of one.
struct Operand {
  Value value; ///< null for a number
  DType dtype = DType::Unknown;
  double number = 0;
  bool isTensor() const { return bool(value); }
};

/// One node during its lowering. Accessors of arguments look them up by name,
/// with PyTorch's default; a wrong kind is recorded as a problem and gives a
/// harmless value, so callers test ok() once after fetching.
class NodeLowering {
public:
  NodeLowering(GraphLowering &lowering, const Node &node, OpBuilder &b,
               Location loc);

  bool ok() const { return !failed; }
  void fail(const llvm::Twine &what, const llvm::Twine &workaround = "");
  /// Fails unless `condition`; returns it.
  bool require(bool condition, const llvm::Twine &what);

  Value tensor(llvm::StringRef name);
  Value optionalTensor(llvm::StringRef name);
  std::vector<Operand> tensors(llvm::StringRef name);
  Operand operand(llvm::StringRef name);
  int64_t integer(llvm::StringRef name);
  std::optional<int64_t> optionalInteger(llvm::StringRef name);
  Ints integers(llvm::StringRef name);
  std::optional<Ints> optionalIntegers(llvm::StringRef name);
  /// A list of `count` integers; one integer stands for all of them.
  Ints integers(llvm::StringRef name, size_t count);
  double number(llvm::StringRef name);
  std::optional<double> optionalNumber(llvm::StringRef name);
  bool boolean(llvm::StringRef name);
  std::string string(llvm::StringRef name);
  std::optional<DType> dtype(llvm::StringRef name);
  bool isNone(llvm::StringRef name);

  /// A dimension of a tensor of rank `rank`, from 0; negative counts from the
  /// end.
  int64_t dim(llvm::StringRef name, int64_t rank);
  int64_t wrapDim(int64_t dim, int64_t rank);
  /// Sorted and without repetition; an absent or empty list means all.
  Ints dims(llvm::StringRef name, int64_t rank);

  size_t numResults() const { return node.results.size(); }
  bool hasResult(size_t i) const {
    return i < node.results.size() && node.results[i] != kNoValue;
  }
  /// As the file declares it. Only for results that exist.
  RankedTensorType resultType(size_t i = 0);
  llvm::ArrayRef<int64_t> resultShape(size_t i = 0) {
    return resultType(i).getShape();
  }
  DType resultDType(size_t i = 0);
  /// Of any value that is an operand of the node.
  DType dtypeOf(llvm::StringRef name);

  /// Defines result `i`; a type other than the declared one is a problem.
  void bind(Value value, size_t i = 0);
  Value composite(llvm::StringRef name, ValueRange args,
                  mlir::DictionaryAttr params, RankedTensorType result);
  /// Defines result 0 by a composite.
  void call(llvm::StringRef name, ValueRange args, mlir::DictionaryAttr params);

  TensorBuilder b;
  const Node &node;

private:
  const Argument *argument(llvm::StringRef name);
  const Argument *expect(llvm::StringRef name,
                         std::initializer_list<Argument::Kind> kinds);
  Value valueOf(ValueId id, llvm::StringRef name);

  GraphLowering &lowering;
  const AtenOp *schema;
  std::deque<Argument> defaults;
  bool failed = false;
};

} // namespace panpipe::import

#endif // PANPIPE_LIB_IMPORT_GRAPH_LOWERING_H
