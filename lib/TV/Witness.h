//===- Witness.h - Refutation by execution ----------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/TV: runs two functions on the same inputs, compares them by
/// the refinement relation, searches for a difference, makes a found one small,
/// and describes it.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_WITNESS_H
#define PANPIPE_LIB_TV_WITNESS_H

#include "Inputs.h"

#include "panpipe/TV/Interp/Interpreter.h"
#include "panpipe/TV/Refine/Check.h"
#include "panpipe/TV/Verdict.h"

namespace panpipe::tv {

/// What one pair of runs showed.
struct Trial {
  enum Kind {
    Same,            ///< the target's run is one that the source allows
    SourceUndefined, ///< nothing is asked of the target
    NotRun,          ///< no execution: unsupported operation or budget
    Different,       ///< a counterexample
    Doubtful ///< a difference in the last bits of a library function's result
  };
  Kind kind = NotRun;
  /// Different, Doubtful: the differing element. NotRun: why.
  std::string text;
  /// Different: undefined, stuck, poison, of another shape, or in a program
  /// without floats, so that no floating-point assumption can explain it.
  bool isHard = false;
  uint64_t steps = 0;
};

struct Found {
  std::vector<ValuePtr> inputs;
  Trial trial;
};

/// A memref.global that can change.
struct GlobalInput {
  std::string name;
  mlir::Type type;
  bool isCompared; ///< both sides have it
};

class Witness {
public:
  Witness(mlir::FunctionOpInterface source, mlir::FunctionOpInterface target,
          unsigned indexWidth);

  /// Memrefs share no memory in inputs generated from now on.
  void setNoAlias() { generator.setNoAlias(); }
  /// Runs both sides; at most `steps` scalar steps on each.
  Trial run(llvm::ArrayRef<ValuePtr> inputs, uint64_t steps) const;
  /// The first difference among generated inputs, within a budget of steps and
  /// of inputs. Continues where the last search ended.
  std::optional<Found> search(uint64_t steps, unsigned count);
  /// The first difference among inputs completed from a model's suggestions.
  std::optional<Found> search(llvm::ArrayRef<Candidate> candidates,
                              uint64_t steps);
  /// The same difference (any, to be exact) on simpler inputs.
  Found minimise(Found found, uint64_t steps) const;
  /// Everything a reader wants to know about it.
  Counterexample describe(const Found &found) const;

  /// Runs so far in which the source was defined, and those in which it was
  /// not.
  unsigned definedRuns() const { return defined; }
  unsigned undefinedRuns() const { return undefined; }
  bool isLarge() const { return generator.isLarge(); }
  /// Why nothing ran, if nothing did.
  const std::string &obstacle() const { return notRun; }

private:
  bool note(const Trial &trial);
  llvm::ArrayRef<mlir::Type> addGlobals();
  InterpreterOptions optionsFor(llvm::ArrayRef<ValuePtr> inputs) const;

  mlir::Operation *source, *target;
  /// Of the arguments, then of the globals.
  llvm::SmallVector<mlir::Type> types;
  std::vector<std::string> names;
  std::vector<GlobalInput> globals;
  InputGenerator generator;
  unsigned indexWidth;
  bool usesFloats;
  uint64_t nextInput = 0;
  unsigned defined = 0, undefined = 0;
  std::string notRun;
};

/// Compares the ends of two runs; `names` are those of the memory that is
/// compared.
Trial compareOutcomes(const Outcome &source, const Outcome &target,
                      llvm::ArrayRef<std::string> names, bool usesFloats);
/// True if a result or memory depends on unspecified contents.
bool anyOpen(const Outcome &outcome);

/// A module that holds both functions with `inputs` as constants, in the form
/// that panpipe-tv --expect reads (docs/TV/README.md).
std::string makeReproducer(mlir::Operation *source, mlir::Operation *target,
                           llvm::ArrayRef<ValuePtr> inputs,
                           llvm::ArrayRef<GlobalInput> globals,
                           llvm::StringRef difference);

/// The names of a function's arguments as reports print them.
std::vector<std::string> argumentNames(mlir::Operation *function);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_WITNESS_H
