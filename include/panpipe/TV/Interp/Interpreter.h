//===- Interpreter.h - Concrete execution of functions ----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes a func.func, pipe.stage or pipe.pipeline on concrete inputs: exact,
/// with poison per element, immediate undefined behaviour and unspecified
/// contents. It is the oracle of the validator: encodings are tested against
/// it, and a counterexample counts only after it was executed here.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_INTERP_INTERPRETER_H
#define PANPIPE_TV_INTERP_INTERPRETER_H

#include "panpipe/TV/Interp/Memory.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <optional>

namespace mlir {
class Block;
class Operation;
} // namespace mlir

namespace panpipe::tv {

/// An element that an operation wrote to memory.
struct WrittenElement {
  ValuePtr memref;
  llvm::SmallVector<int64_t, 4> index;
  ConcreteElement element;
};

/// What a trace is told.
struct TraceEvent {
  /// The operation that was executed; or, with `entered`, whose body begins to
  /// run.
  mlir::Operation *op;
  mlir::Block *entered = nullptr;
  /// The operation's results, or the arguments of the block.
  llvm::ArrayRef<ValuePtr> values;
  /// The first elements that the operation wrote itself.
  llvm::ArrayRef<WrittenElement> written;
  /// Nesting of calls and of loops.
  unsigned depth = 1;
};

/// A call of a function without a body: what it was given and what it did.
struct CallRecord {
  std::string callee;
  /// Scalars and tensors; the sizes of memrefs.
  std::vector<ValuePtr> arguments;
  /// For each memref argument: the memory it is part of, as a number among the
  /// memory that the callee can reach, and the byte where it begins.
  std::vector<std::pair<unsigned, int64_t>> places;
  /// All memory that the callee can reach, before the call, as tensors; null
  /// if it is gone.
  std::vector<ValuePtr> before;
  /// What the callee wrote there: (memory, element, value).
  struct Write {
    unsigned memory;
    int64_t element;
    ConcreteElement value;
  };
  std::vector<Write> writes;
  std::vector<ValuePtr> results;
};

struct InterpreterOptions {
  /// A source may resolve a choice in any way: undefined behaviour that depends
  /// on unspecified contents then counts as undefined. In a target every
  /// choice counts, so one run is one behaviour.
  bool isSource = false;
  unsigned indexWidth = 64;
  /// Which filling unspecified contents get: two runs with different fillings
  /// show what depends on them.
  unsigned filling = 0;
  /// Scalar operations and copied elements; 0 is no limit.
  uint64_t stepBudget = 0;
  /// Run the bodies of structured operations at one point after the other. The
  /// results are the same; for tests of that.
  bool pointByPoint = false;
  /// Bytes of all tensors made in a run; 0 is no limit.
  uint64_t memoryBudget = uint64_t(2) << 30;
  /// Contents of memref.globals that can change, at the start. One that is not
  /// here starts with its initial value.
  std::vector<std::pair<std::string, ValuePtr>> globals;
  /// Calls of functions without a body do what the same call did in this run of
  /// the source, and must be given what it was given there. Without it they do
  /// something that depends on all they are given.
  const std::vector<CallRecord> *replay = nullptr;
  /// Called after each operation of a function, stage or loop body.
  std::function<void(const TraceEvent &)> trace;
};

/// How an execution ended.
struct Outcome {
  enum Kind {
    Finished,
    Undefined,   ///< immediate undefined behaviour at `op`
    Diverged,    ///< calls something else than `InterpreterOptions::replay`
    Stuck,       ///< a network of programs waits for ever
    Unsupported, ///< no execution for `op`
    OutOfBudget
  };
  Kind kind = Finished;
  std::vector<ValuePtr> results;
  /// The arguments as they were given, memrefs with the final contents of
  /// their memory; behind them those of `InterpreterOptions::globals`.
  std::vector<ValuePtr> memory;
  /// Calls of functions without a body, in order.
  std::vector<CallRecord> calls;
  /// Why, for every kind but Finished: "division by zero".
  std::string reason;
  mlir::Operation *op = nullptr;
  uint64_t steps = 0;
  bool finished() const { return kind == Finished; }
};

/// Executes `function` (with a body) on `arguments`, one per argument, of the
/// argument types' element types and shapes. Callees are looked up in the
/// nearest symbol table. Neither the function nor the memory of arguments is
/// changed: the run works on a copy, in which the same memrefs alias.
Outcome interpret(mlir::Operation *function, llvm::ArrayRef<ValuePtr> arguments,
                  const InterpreterOptions &options = {});

/// Nothing if `interpret` covers every operation reachable from `function`,
/// otherwise the first one that it does not.
mlir::Operation *findNotInterpretable(mlir::Operation *function);

/// True for operations that `interpret` knows by themselves.
bool isInterpretable(mlir::Operation *op);

} // namespace panpipe::tv

#endif // PANPIPE_TV_INTERP_INTERPRETER_H
