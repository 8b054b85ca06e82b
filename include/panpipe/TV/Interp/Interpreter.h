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

#include "panpipe/TV/Interp/ConcreteValue.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <optional>

namespace mlir {
class Operation;
} // namespace mlir

namespace panpipe::tv {

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
  /// Bytes of all tensors made in a run; 0 is no limit.
  uint64_t memoryBudget = uint64_t(2) << 30;
  /// Called after each operation of a function or stage body, with the nesting
  /// depth of calls.
  std::function<void(mlir::Operation *, llvm::ArrayRef<ValuePtr> results,
                     unsigned depth)>
      trace;
};

/// How an execution ended.
struct Outcome {
  enum Kind {
    Finished,
    Undefined,   ///< immediate undefined behaviour at `op`
    Stuck,       ///< a network of programs waits for ever
    Unsupported, ///< no execution for `op`
    OutOfBudget
  };
  Kind kind = Finished;
  std::vector<ValuePtr> results;
  /// Why, for every kind but Finished: "division by zero".
  std::string reason;
  mlir::Operation *op = nullptr;
  uint64_t steps = 0;
  bool finished() const { return kind == Finished; }
};

/// Executes `function` (with a body) on `arguments`, one per argument, of the
/// argument types' element types and shapes. Callees are looked up in the
/// nearest symbol table. The function is not changed.
Outcome interpret(mlir::Operation *function, llvm::ArrayRef<ValuePtr> arguments,
                  const InterpreterOptions &options = {});

/// Nothing if `interpret` covers every operation reachable from `function`,
/// otherwise the first one that it does not.
mlir::Operation *findNotInterpretable(mlir::Operation *function);

/// True for operations that `interpret` knows by themselves.
bool isInterpretable(mlir::Operation *op);

} // namespace panpipe::tv

#endif // PANPIPE_TV_INTERP_INTERPRETER_H
