//===- Executor.h - State of one concrete execution -------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/TV/Interp. One Executor is one run; each dialect has a file
/// with one function that executes its operations.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_INTERP_EXECUTOR_H
#define PANPIPE_LIB_TV_INTERP_EXECUTOR_H

#include "panpipe/TV/Interp/Interpreter.h"
#include "panpipe/TV/Interp/ScalarMapping.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace panpipe::tv::interp {

/// What a dialect's function did with an operation.
enum class Did : uint8_t {
  NotMine, ///< another dialect's operation
  Done,
  Failed ///< the outcome is set
};

/// Values of one function activation.
using Frame = llvm::DenseMap<mlir::Value, ValuePtr>;

class Executor {
public:
  explicit Executor(const InterpreterOptions &options) : options(options) {}

  const InterpreterOptions &options;
  Outcome outcome;

  //===--- Values ---------------------------------------------------------===//
  const ConcreteValue &get(mlir::Value value) { return *frame->at(value); }
  ValuePtr getPtr(mlir::Value value) { return frame->at(value); }
  Did define(mlir::Value value, ConcreteValue concrete) {
    (*frame)[value] =
        std::make_shared<const ConcreteValue>(std::move(concrete));
    return Did::Done;
  }
  Did define(mlir::Value value, ValuePtr concrete) {
    (*frame)[value] = std::move(concrete);
    return Did::Done;
  }
  std::optional<ScalarType> elementType(mlir::Type type) const;

  //===--- Endings --------------------------------------------------------===//
  Did undefined(mlir::Operation *op, const llvm::Twine &reason);
  Did unsupported(mlir::Operation *op, const llvm::Twine &reason);
  /// Counts work; false (and the outcome is set) when the budget is spent.
  bool spend(mlir::Operation *op, uint64_t steps);
  /// Counts memory of a tensor to be made; checks the extents.
  bool allocate(mlir::Operation *op, ScalarType type,
                llvm::ArrayRef<int64_t> shape);

  //===--- Reading indices ------------------------------------------------===//
  /// A scalar integer or index operand as a number, sign-extended. Poison is
  /// undefined behaviour, as is an open value on the source side.
  std::optional<int64_t> index(mlir::Operation *op, mlir::Value value);
  std::optional<int64_t>
  index(mlir::Operation *op, const ConcreteElement &element, const char *what);
  /// Static or dynamic sizes of an operation.
  bool indices(mlir::Operation *op, llvm::ArrayRef<mlir::OpFoldResult> mixed,
               llvm::SmallVectorImpl<int64_t> &result);

  //===--- Scalars --------------------------------------------------------===//
  /// One scalar operation on elements, marks included.
  std::optional<ConcreteElement>
  scalarOp(mlir::Operation *op, const ScalarMapping &mapping,
           ScalarType resultType, llvm::ArrayRef<ScalarType> operandTypes,
           llvm::ArrayRef<ConcreteElement> operands);
  /// The filling of unspecified contents, marked open.
  ConcreteElement filler(ScalarType type, int64_t i) const;

  //===--- Execution ------------------------------------------------------===//
  /// Runs a block of operations up to its terminator, whose operands are
  /// returned by `terminatorValues`.
  bool runBlock(mlir::Block &block);
  llvm::SmallVector<ValuePtr> terminatorValues(mlir::Block &block);
  /// Runs a function or stage in a frame of its own.
  bool call(mlir::Operation *callee, llvm::ArrayRef<ValuePtr> arguments,
            llvm::SmallVectorImpl<ValuePtr> &results);
  bool execute(mlir::Operation *op);
  /// An equivalent of `op` in simpler operations, as a function of its
  /// operands; null if there is none. Cached.
  mlir::Operation *definition(mlir::Operation *op);

  Frame *frame = nullptr;
  /// Indices of the innermost structured operation that runs its body slowly.
  llvm::ArrayRef<int64_t> loopIndex;
  unsigned depth = 0;
  /// No trace while an operation runs through its definition.
  bool quiet = false;

private:
  llvm::DenseMap<mlir::Operation *, mlir::OwningOpRef<mlir::ModuleOp>>
      definitions;
  uint64_t bytes = 0;
};

Did executeArith(Executor &e, mlir::Operation *op);
Did executeTensor(Executor &e, mlir::Operation *op);
Did executeTensorViews(Executor &e, mlir::Operation *op);
Did executeLinalg(Executor &e, mlir::Operation *op);
Did executeFunc(Executor &e, mlir::Operation *op);
Did executePipe(Executor &e, mlir::Operation *op);
/// Runs the device programs of a pipe.pipeline, whose arguments are bound.
bool runPipeline(Executor &e, mlir::Operation *pipeline,
                 llvm::SmallVectorImpl<ValuePtr> &results);

/// Whether a dialect's function knows the operation (used for coverage).
bool knowsArith(mlir::Operation *op);
bool knowsTensor(mlir::Operation *op);
bool knowsLinalg(mlir::Operation *op);
bool knowsFunc(mlir::Operation *op);
bool knowsPipe(mlir::Operation *op);

/// Marks of a result, from those of its operands and the freedom its flags
/// give.
uint8_t marksOf(mlir::Operation *op, const ScalarMapping &mapping,
                ScalarType resultType, llvm::ArrayRef<ScalarType> operandTypes,
                llvm::ArrayRef<ConcreteElement> operands,
                const ScalarValue &result);

/// Calls `body` for each index of `shape` in row-major order.
template <typename Body>
void forEachIndex(llvm::ArrayRef<int64_t> shape, Body body) {
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t extent : shape)
    if (extent == 0)
      return;
  while (true) {
    body(llvm::ArrayRef<int64_t>(index));
    int64_t d = int64_t(shape.size()) - 1;
    for (; d >= 0; --d) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
    if (d < 0)
      return;
  }
}

inline int64_t linearize(llvm::ArrayRef<int64_t> index,
                         llvm::ArrayRef<int64_t> strides) {
  int64_t position = 0;
  for (auto [i, stride] : llvm::zip(index, strides))
    position += i * stride;
  return position;
}

} // namespace panpipe::tv::interp

#endif // PANPIPE_LIB_TV_INTERP_EXECUTOR_H
