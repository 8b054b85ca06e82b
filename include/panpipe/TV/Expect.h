//===- Expect.h - Pairs with their expected verdict in one file -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A test of the validator is a module with two modules in it:
///
///   module attributes {tv.expect = "VALID"} {
///     module @src { func.func @f(…) … }
///     module @tgt { func.func @f(…) … }
///   }
///
/// Attributes of the outer module, all but the first optional:
///   tv.expect   the verdict, as printed: "VALID", "INVALID", "UNCONFIRMED",
///               "TIMEOUT", "UNSUPPORTED", "BAD-INPUT", "VALID-UNDER"
///   tv.reason   text that reason, difference or location must contain
///   tv.assumes  array of the kinds of assumptions in the report, exactly
///   tv.allow    array of floating-point classes the caller allows
///   tv.seconds  budget of one proof, a float
///   tv.inputs   array of constants: the arguments to execute first
///   tv.reflexive = false   skip the check of each side against itself
///
/// Unless the expected verdict is UNSUPPORTED, TIMEOUT or BAD-INPUT, both sides
/// must also be VALID against themselves.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_EXPECT_H
#define PANPIPE_TV_EXPECT_H

#include "panpipe/TV/Report.h"
#include "panpipe/TV/Validate.h"

#include <optional>

namespace panpipe::tv {

/// The two modules of a pair in one module.
struct ModulePair {
  mlir::Operation *source = nullptr, *target = nullptr;
};
/// Nothing unless `outer` holds a module @src and a module @tgt.
std::optional<ModulePair> findPair(mlir::ModuleOp outer);

/// `options` with what the attributes of `outer` set.
Options optionsOf(mlir::ModuleOp outer, Options options);

/// Checks one such module. Prints one line when all is as expected, the report
/// and what is wrong with it otherwise. True if as expected.
bool checkExpectation(llvm::raw_ostream &os, mlir::ModuleOp outer,
                      const Options &options, const PrintOptions &print);

} // namespace panpipe::tv

#endif // PANPIPE_TV_EXPECT_H
