//===- Solver.h - Abstract solver and child processes -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two ways to ask a query of Expr.h:
///
///  - Solver: incremental, in this process (libz3 through its C API). For short
///    queries: its time limit is soft.
///  - QueryRunner: one query, as SMT-LIB text, in child processes that are
///    killed with their process group at the deadline. Uses the SMT-LIB solvers
///    found at run time (PANPIPE_SOLVERS, then PATH), and always has libz3 in a
///    forked child as the last one, so nothing has to be installed.
///
/// No solver type appears here. Nothing aborts: a solver's error is Unknown
/// with a reason.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_SMT_SOLVER_H
#define PANPIPE_TV_SMT_SOLVER_H

#include "panpipe/TV/SMT/Expr.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <optional>
#include <vector>

namespace panpipe::tv::smt {

enum class CheckResult : uint8_t { Sat, Unsat, Unknown };

/// Writes every query into a folder, one file each. The file name is the
/// query's name with everything but letters and digits escaped, so different
/// names never share a file.
class QueryDump {
public:
  /// An empty folder name: writes nothing.
  explicit QueryDump(std::string folder = "") : folder(std::move(folder)) {}
  bool enabled() const { return !folder.empty(); }
  /// Returns false if the file could not be written; proofs go on.
  bool write(llvm::StringRef queryName, llvm::StringRef text);

private:
  std::string folder;
  llvm::StringMap<unsigned> used;
};

/// "add+0" -> "add_2b0": injective, safe as a file name.
std::string escapeFileName(llvm::StringRef name);

/// The query as SMT-LIB 2.6: declarations, one assertion per element, check-sat
/// and, if `values` is not empty, get-value of them.
std::string printSmtLib(llvm::ArrayRef<Expr> assertions,
                        llvm::ArrayRef<Expr> values = {});

/// Limits of one check. Zero means none.
struct Limits {
  double seconds = 2.0;
  /// z3's deterministic resource limit.
  unsigned resources = 0;
};

/// An incremental solver in this process.
class Solver {
public:
  virtual ~Solver();
  virtual void add(Expr condition) = 0;
  virtual void push() = 0;
  virtual void pop() = 0;
  virtual CheckResult check(const Limits &limits) = 0;
  /// After Sat: the value of a Bool (1 bit), BitVec, or Int (128 bits)
  /// expression, completed where the model leaves it open.
  virtual std::optional<llvm::APInt> value(Expr e) = 0;
  /// After Unknown: "timeout", "canceled", or the solver's message.
  virtual std::string reasonUnknown() const = 0;
};

/// A solver over libz3, without a set logic, so that floats may be added later.
/// Returns null if the library could not make a context.
std::unique_ptr<Solver> createZ3Solver(ExprContext &context);

/// "4.8.12".
std::string z3Version();

/// An SMT-LIB solver found on this machine.
struct ExternalSolver {
  enum class Kind : uint8_t { Bitwuzla, Cvc5, Z3 };
  Kind kind;
  /// The executable, or the Python interpreter whose package is used.
  std::string path;
  bool python = false;
  std::string name() const;
};

/// Looks in the entries of PANPIPE_SOLVERS (separated by colons; folders of
/// executables, executables, or Python interpreters), then of PATH, for
/// bitwuzla, cvc5 and z3, as programs or as packages of a python3 found there.
/// At most one per kind, in that order. PANPIPE_SOLVERS=none finds nothing.
std::vector<ExternalSolver> findExternalSolvers();

struct QueryResult {
  CheckResult result = CheckResult::Unknown;
  std::string solver; ///< who answered
  std::string reason; ///< of Unknown
  double seconds = 0; ///< wall time, all solvers tried
  /// After Sat: one value per asked expression (missing if not understood).
  std::vector<std::optional<llvm::APInt>> values;
};

struct QueryOptions {
  double secondsPerSolver = 20;
  unsigned memoryMegabytes = 2048;
  /// Ask all solvers, and answer Unknown if two disagree.
  bool crossCheck = false;
  /// Also run libz3 in a forked child, after the external solvers.
  bool useZ3 = true;
};

/// Runs queries in child processes.
class QueryRunner {
public:
  explicit QueryRunner(std::vector<ExternalSolver> solvers,
                       QueryDump *dump = nullptr)
      : solvers(std::move(solvers)), dump(dump) {}

  QueryResult run(llvm::StringRef name, llvm::ArrayRef<Expr> assertions,
                  llvm::ArrayRef<Expr> values, const QueryOptions &options);
  llvm::ArrayRef<ExternalSolver> external() const { return solvers; }

private:
  std::vector<ExternalSolver> solvers;
  QueryDump *dump;
};

/// Runs libz3 on SMT-LIB text, in this process. Only for forked children, where
/// a crash or an endless loop is the parent's to end. Returns what z3 prints.
std::string evaluateSmtLibWithZ3(const std::string &script,
                                 const std::string &getValues);

} // namespace panpipe::tv::smt

#endif // PANPIPE_TV_SMT_SOLVER_H
