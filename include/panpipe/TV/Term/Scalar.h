//===- Scalar.h - Scalar types, operations and values -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The vocabulary that terms, the interpreter and the solver back ends share:
/// scalar types, scalar operations with their attributes, and concrete scalar
/// values. Nothing here depends on MLIR; the encodings translate from it.
///
/// A float is its IEEE bit pattern everywhere. Two float results are equal when
/// their bits are, or when both are NaN.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_TERM_SCALAR_H
#define PANPIPE_TV_TERM_SCALAR_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace panpipe::tv {

/// The type of one element: an integer of 1 to 2^23 bits, an index (an integer
/// of the index width, kept apart because its width is a parameter), or a float
/// of one of APFloat's formats.
class ScalarType {
public:
  enum class Kind : uint8_t { Integer, Index, Float };

  static ScalarType integer(unsigned width) {
    return {Kind::Integer, width, llvm::APFloatBase::S_IEEEsingle};
  }
  static ScalarType boolean() { return integer(1); }
  static ScalarType index(unsigned width = 64) {
    return {Kind::Index, width, llvm::APFloatBase::S_IEEEsingle};
  }
  static ScalarType floating(llvm::APFloatBase::Semantics semantics) {
    return {Kind::Float,
            llvm::APFloatBase::getSizeInBits(
                llvm::APFloatBase::EnumToSemantics(semantics)),
            semantics};
  }

  Kind kind() const { return kindValue; }
  bool isInteger() const { return kindValue == Kind::Integer; }
  bool isBoolean() const { return isInteger() && bits == 1; }
  bool isIndex() const { return kindValue == Kind::Index; }
  bool isFloat() const { return kindValue == Kind::Float; }
  /// Width of the bit pattern.
  unsigned width() const { return bits; }
  /// Format of a float; must not be asked of another kind.
  llvm::APFloatBase::Semantics semantics() const { return format; }
  const llvm::fltSemantics &fltSemantics() const {
    return llvm::APFloatBase::EnumToSemantics(format);
  }

  bool operator==(const ScalarType &other) const {
    return kindValue == other.kindValue && bits == other.bits &&
           (!isFloat() || format == other.format);
  }
  bool operator!=(const ScalarType &other) const { return !(*this == other); }
  friend llvm::hash_code hash_value(const ScalarType &type) {
    return llvm::hash_combine(type.kindValue, type.bits,
                              type.isFloat() ? int(type.format) : -1);
  }

private:
  ScalarType(Kind kind, unsigned bits, llvm::APFloatBase::Semantics format)
      : kindValue(kind), bits(bits), format(format) {}
  Kind kindValue;
  unsigned bits;
  llvm::APFloatBase::Semantics format;
};

/// The operations of ScalarOps.def.
enum class ScalarOp : uint8_t {
#define SCALAR_OP(Name, Arity, Class, Spelling) Name,
#include "panpipe/TV/Term/ScalarOps.def"
};

/// How an operation is treated by the solver back ends; see ScalarOps.def.
enum class ScalarOpClass : uint8_t { INT, EXACT, ABSTRACT, OPAQUE };

inline ScalarOpClass scalarOpClass(ScalarOp op) {
  static const ScalarOpClass table[] = {
#define SCALAR_OP(Name, Arity, Class, Spelling) ScalarOpClass::Class,
#include "panpipe/TV/Term/ScalarOps.def"
  };
  return table[static_cast<unsigned>(op)];
}

inline unsigned scalarOpArity(ScalarOp op) {
  static const unsigned table[] = {
#define SCALAR_OP(Name, Arity, Class, Spelling) Arity,
#include "panpipe/TV/Term/ScalarOps.def"
  };
  return table[static_cast<unsigned>(op)];
}

/// The MLIR operation that `op` stands for, as printed in reports.
inline llvm::StringRef scalarOpName(ScalarOp op) {
  static const llvm::StringRef table[] = {
#define SCALAR_OP(Name, Arity, Class, Spelling) Spelling,
#include "panpipe/TV/Term/ScalarOps.def"
  };
  return table[static_cast<unsigned>(op)];
}

/// Fast-math flags, with the bits of arith.fastmath.
enum FastMath : uint8_t {
  FMF_none = 0,
  FMF_reassoc = 1,
  FMF_nnan = 2,
  FMF_ninf = 4,
  FMF_nsz = 8,
  FMF_arcp = 16,
  FMF_contract = 32,
  FMF_afn = 64
};

/// Integer flags: violated nsw, nuw, nneg or exact give poison.
enum IntFlags : uint8_t {
  IF_none = 0,
  IF_nsw = 1,
  IF_nuw = 2,
  IF_nneg = 4,
  IF_exact = 8
};

/// What distinguishes two uses of one operation besides operands and types.
struct ScalarAttrs {
  uint8_t fastMath = FMF_none;
  uint8_t intFlags = IF_none;
  /// CmpI: the numbers of arith::CmpIPredicate (eq ne slt sle sgt sge ult ule
  /// ugt uge); CmpF: those of arith::CmpFPredicate; 0 otherwise.
  uint8_t predicate = 0;
  /// Rounding mode of truncf: 0 when absent (to nearest, ties to even), else
  /// 1 + the number of arith::RoundingMode.
  uint8_t rounding = 0;
  /// Not 0: the operation picks its result from a set, and this names the
  /// operation of the program whose executions pick. Terms of different picks
  /// are different; see PickTable. Evaluation does not look at it.
  uint32_t pick = 0;

  bool operator==(const ScalarAttrs &o) const {
    return fastMath == o.fastMath && intFlags == o.intFlags &&
           predicate == o.predicate && rounding == o.rounding && pick == o.pick;
  }
  friend llvm::hash_code hash_value(const ScalarAttrs &a) {
    return llvm::hash_combine(a.fastMath, a.intFlags, a.predicate, a.rounding,
                              a.pick);
  }
};

/// A concrete scalar: bits of the type's width, or poison.
struct ScalarValue {
  llvm::APInt bits;
  bool poison = false;

  static ScalarValue poisoned(unsigned width) {
    return {llvm::APInt(width, 0), true};
  }
};

/// The outcome of one concrete operation.
struct ScalarResult {
  ScalarValue value;
  /// Not null: executing the operation is undefined behaviour, and this is why
  /// ("division by zero"). A static string.
  const char *ub = nullptr;
};

/// Executes `op` on concrete operands, exactly: poison, undefined behaviour,
/// integer and fast-math flags included. An arithmetic NaN result is the
/// format's canonical quiet NaN; neg, abs, copysign, select and bitcast move
/// bits. Library functions come from one fixed implementation. `operandTypes`
/// has one entry per operand. Implemented in TV/Interp/ScalarEval.cpp.
ScalarResult evalScalar(ScalarOp op, const ScalarAttrs &attrs,
                        ScalarType resultType,
                        llvm::ArrayRef<ScalarType> operandTypes,
                        llvm::ArrayRef<ScalarValue> operands);

/// The canonical quiet NaN of a float type, as bits.
llvm::APInt canonicalNaN(ScalarType type);
/// True if `bits` is a NaN of the float type `type`.
bool isNaN(ScalarType type, const llvm::APInt &bits);
/// True if a float result of `op` consists of bits of an operand, the payload
/// of a NaN included.
bool movesBits(ScalarOp op);
/// "f32", "i8", "index".
std::string toString(ScalarType type);
/// The value as a reader expects it: "-0.0", "nan", "3", "poison"; floats with
/// enough digits to be read back exactly.
std::string toString(ScalarType type, const ScalarValue &value);

} // namespace panpipe::tv

#endif // PANPIPE_TV_TERM_SCALAR_H
