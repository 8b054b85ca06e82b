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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace panpipe::tv::interp {

/// What a dialect's function did with an operation.
enum class Did : uint8_t {
  NotMine, ///< another dialect's operation
  Done,
  Failed ///< the outcome is set
};

/// Values of one function activation.
using Frame = llvm::DenseMap<mlir::Value, ValuePtr>;

/// Which iteration of a parallel loop accessed which byte; found conflicts are
/// undefined behaviour.
class AccessLog;

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

  /// Operands as numbers.
  bool indices(mlir::Operation *op, mlir::ValueRange values,
               llvm::SmallVectorImpl<int64_t> &result);

  //===--- Memory ---------------------------------------------------------===//
  /// A new block of unspecified contents as a memref with strides of its own.
  std::optional<ConcreteValue> newMemRef(mlir::Operation *op,
                                         MemoryBlock::Kind kind,
                                         ScalarType type,
                                         llvm::ArrayRef<int64_t> shape);
  /// The byte of an element; undefined behaviour if the memory is gone or the
  /// index out of bounds.
  std::optional<int64_t> address(mlir::Operation *op,
                                 const ConcreteValue &memref,
                                 llvm::ArrayRef<int64_t> index);
  std::optional<ConcreteElement> load(mlir::Operation *op,
                                      const ConcreteValue &memref,
                                      llvm::ArrayRef<int64_t> index,
                                      bool isAtomic = false);
  bool store(mlir::Operation *op, const ValuePtr &memref,
             llvm::ArrayRef<int64_t> index, const ConcreteElement &element,
             bool isAtomic = false);
  /// All elements of a memref as a tensor.
  std::optional<ConcreteValue> loadAll(mlir::Operation *op,
                                       const ConcreteValue &memref);
  bool storeAll(mlir::Operation *op, const ValuePtr &memref,
                const ConcreteValue &tensor);
  /// A scalar or memref of the run: argument memory is copied once.
  ValuePtr importValue(const ValuePtr &value);

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
  /// returned by `terminatorValues`. A body that runs once per element is not
  /// traced.
  bool runBlock(mlir::Block &block, bool isTraced = false);
  /// Runs a region from its first block along its branches; returns the
  /// terminator that leaves it, with its operands, or null if the run ended.
  /// Memory of the stack made meanwhile is gone afterwards if the region's
  /// operation says so.
  mlir::Operation *runRegion(mlir::Region &region,
                             llvm::ArrayRef<ValuePtr> arguments,
                             llvm::SmallVectorImpl<ValuePtr> &results);
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
  /// Nesting of regions inside of the function that runs, for the trace.
  unsigned nesting = 0;
  /// No trace while an operation runs through its definition.
  bool quiet = false;

  /// Blocks of the stack, innermost last.
  std::vector<BlockPtr> stack;
  std::map<std::string, ValuePtr> globals;
  /// Memory that functions without a body can reach, as memrefs.
  std::vector<ValuePtr> reachable;
  AccessLog *accesses = nullptr;

private:
  void trace(mlir::Operation *op, mlir::Block *entered);

  llvm::DenseMap<mlir::Operation *, mlir::OwningOpRef<mlir::ModuleOp>>
      definitions;
  llvm::DenseMap<const MemoryBlock *, BlockPtr> imported;
  std::vector<WrittenElement> written;
  uint64_t bytes = 0;
};

Did executeArith(Executor &e, mlir::Operation *op);
Did executeIndex(Executor &e, mlir::Operation *op);
Did executeTensor(Executor &e, mlir::Operation *op);
Did executeTensorViews(Executor &e, mlir::Operation *op);
Did executeLinalg(Executor &e, mlir::Operation *op);
Did executeTosa(Executor &e, mlir::Operation *op);
Did executeVector(Executor &e, mlir::Operation *op);
Did executeVectorReduce(Executor &e, mlir::Operation *op);
Did executeVectorTransfer(Executor &e, mlir::Operation *op);
/// A transfer under the mask of vector.mask, which may be null.
Did executeTransferMasked(Executor &e, mlir::Operation *op,
                          const ConcreteValue *mask, mlir::Value result);
Did executeFunc(Executor &e, mlir::Operation *op);
Did executeControl(Executor &e, mlir::Operation *op);
Did executeAffineOps(Executor &e, mlir::Operation *op);
Did executeMemRef(Executor &e, mlir::Operation *op);
Did executeMemRefViews(Executor &e, mlir::Operation *op);
Did executeParallelLoops(Executor &e, mlir::Operation *op);
Did executeBufferization(Executor &e, mlir::Operation *op);
Did executePipe(Executor &e, mlir::Operation *op);
/// A call of a function without a body.
Did callUnknown(Executor &e, mlir::Operation *op, llvm::StringRef callee,
                mlir::ValueRange operands);
/// Runs the device programs of a pipe.pipeline, whose arguments are bound.
bool runPipeline(Executor &e, mlir::Operation *pipeline,
                 llvm::SmallVectorImpl<ValuePtr> &results);

/// Whether a dialect's function knows the operation (used for coverage).
bool knowsArith(mlir::Operation *op);
bool knowsIndex(mlir::Operation *op);
bool knowsTensor(mlir::Operation *op);
bool knowsLinalg(mlir::Operation *op);
bool knowsTosa(mlir::Operation *op);
bool knowsVector(mlir::Operation *op);
bool knowsVectorReduce(mlir::Operation *op);
bool knowsVectorTransfer(mlir::Operation *op);
bool knowsFunc(mlir::Operation *op);
bool knowsControl(mlir::Operation *op);
bool knowsAffineOps(mlir::Operation *op);
bool knowsMemRef(mlir::Operation *op);
bool knowsMemRefViews(mlir::Operation *op);
bool knowsParallel(mlir::Operation *op);
bool knowsBufferization(mlir::Operation *op);
bool knowsPipe(mlir::Operation *op);

/// Where a terminator of the cf dialect goes, with the values it carries;
/// nothing (and the outcome is set) if the choice is undefined.
struct Jump {
  mlir::Block *target;
  llvm::SmallVector<ValuePtr> values;
};
std::optional<Jump> executeBranch(Executor &e, mlir::Operation *op);
bool isBranch(mlir::Operation *op);

/// The scalar operation of an update or reduction; nothing for an assignment.
std::optional<ScalarOp> atomicUpdate(mlir::arith::AtomicRMWKind kind);

/// Ends the life of an allocation.
Did freeMemory(Executor &e, mlir::Operation *op, const MemoryView &view);
/// All of `from` is read before anything is written.
Did copyMemory(Executor &e, mlir::Operation *op, const ConcreteValue &from,
               const ValuePtr &to);

/// The values of an affine map's results; a divisor that is not positive is
/// undefined.
std::optional<llvm::SmallVector<int64_t>>
evaluateMap(Executor &e, mlir::Operation *op, mlir::AffineMap map,
            mlir::ValueRange operands);

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
