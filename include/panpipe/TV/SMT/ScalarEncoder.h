//===- ScalarEncoder.h - Scalar operations as expressions -------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Encodes the operations of ScalarOps.def on (value, poison) pairs. Integers
/// and exact float operations are circuits; addf mulf divf fma sqrt, and wide
/// integer products and quotients, are applications of unknown functions with
/// axioms, which a caller may make exact later. Library functions stay unknown.
///
/// Undefined behaviour is not encoded: a division by zero has some total value,
/// the same on both sides, and whether it happens is another obligation.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_SMT_SCALARENCODER_H
#define PANPIPE_TV_SMT_SCALARENCODER_H

#include "panpipe/TV/SMT/FloatAxioms.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <string>
#include <vector>

namespace panpipe::tv::smt {

/// A value (of the type's width; booleans have width 1) and "it is poison".
struct EncodedScalar {
  Expr value;
  Expr poison;
};

/// One application of an abstract operation.
struct Application {
  ScalarOp op;
  unsigned width;
  std::optional<FloatFormat> format; ///< of a float operation
  llvm::SmallVector<Expr, 3> args;
  Expr result;
  bool exact = false;
};

/// What arithmetic makes of NaN, where bits of NaNs are read; see
/// docs/TV/Floats.md. Where no bits are read, Canonical is right for both.
enum class NaNMode : uint8_t {
  Canonical, ///< the canonical NaN: one choice a source may take
  Fresh      ///< an unknown NaN pattern, one per value
};

class ScalarEncoder {
public:
  struct Options {
    /// Core functions of normalised arguments (off: for tests).
    bool normalForms = true;
    /// Products and quotients by constant powers of two are circuits.
    bool powersOfTwo = true;
    bool axioms = true;
    /// Names of axioms that are left out ("add.mono0"), for ablation tests.
    llvm::ArrayRef<llvm::StringRef> without;
    /// Integer products and quotients wider than this are abstract, if no
    /// operand is constant.
    unsigned maxExactProduct = 32;
  };

  explicit ScalarEncoder(ExprContext &context) : ctx(context) {}
  ScalarEncoder(ExprContext &context, Options options)
      : ctx(context), options(options) {}

  /// Nothing if the operation, format or attribute has no encoding; then
  /// unsupported() says which.
  std::optional<EncodedScalar> encode(ScalarOp op, const ScalarAttrs &attrs,
                                      ScalarType resultType,
                                      llvm::ArrayRef<ScalarType> operandTypes,
                                      llvm::ArrayRef<EncodedScalar> operands);
  void setNaNMode(NaNMode mode) { nanMode = mode; }
  /// An unknown function: equal arguments give equal results. NaN arguments are
  /// canonical, unless their types are given as integers.
  Expr applyUnknown(llvm::StringRef function, ScalarType resultType,
                    llvm::ArrayRef<ScalarType> types,
                    llvm::ArrayRef<Expr> args);
  /// `value`, an unknown NaN pattern (one per value and pick) in place of NaN.
  Expr withFreshNaN(ScalarType type, Expr value, uint32_t pick = 0);

  /// Definitions and axioms, to be asserted.
  const std::vector<Expr> &constraints() const { return side; }
  std::vector<Application> &applications() { return apps; }
  /// Unknown library functions that occur, by name.
  const llvm::SetVector<llvm::StringRef> &libraryFunctions() const {
    return library;
  }
  const std::string &unsupported() const { return reason; }

private:
  std::optional<Expr> encodeFloat(ScalarOp op, const ScalarAttrs &attrs,
                                  ScalarType resultType,
                                  llvm::ArrayRef<ScalarType> types,
                                  llvm::ArrayRef<Expr> v, Expr &poison);
  std::optional<Expr> encodeByConstant(ScalarOp op, const FloatCircuits &f,
                                       llvm::ArrayRef<Expr> v);
  Expr abstractFloat(ScalarOp op, ScalarType type, const FloatCircuits &f,
                     llvm::ArrayRef<Expr> args);
  Expr abstractInt(ScalarOp op, Expr a, Expr b);
  Expr core(llvm::StringRef name, unsigned width, llvm::ArrayRef<Expr> args);
  Expr fastMathPoison(const ScalarAttrs &attrs, ScalarType type, Expr value);
  bool enabled(llvm::StringRef axiom) const;

  ExprContext &ctx;
  Options options;
  NaNMode nanMode = NaNMode::Canonical;
  std::vector<Expr> side;
  std::vector<Application> apps;
  llvm::SetVector<llvm::StringRef> library;
  std::string reason;
  /// Per core function: its argument tuples and results (Ackermann).
  std::map<std::string, std::vector<std::pair<std::vector<Expr>, Expr>>> cores;
  /// (operation, argument ids) -> application result.
  std::map<std::vector<unsigned>, Expr> known;
  llvm::DenseMap<std::pair<unsigned, unsigned>, Expr> nanPatterns;
};

/// An integer operation on bit-vectors with its poison condition. Division by
/// zero takes SMT-LIB's value. IPowI is not covered (null value). `multiply`
/// and the division hooks may be null: then exact.
EncodedScalar
encodeIntegerOp(ExprContext &context, ScalarOp op, const ScalarAttrs &attrs,
                unsigned resultWidth, llvm::ArrayRef<Expr> operands,
                const std::function<Expr(ScalarOp, Expr, Expr)> &abstract = {});

} // namespace panpipe::tv::smt

#endif // PANPIPE_TV_SMT_SCALARENCODER_H
