//===- OpEncodings.h - The table of encodings -------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which operations the validator understands: a table from operation names to
/// the functions that encode them, filled by one populate function a dialect.
/// An operation without an entry makes its function UNSUPPORTED. How to add one
/// is told in docs/TV/AddAnEncoding.md.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_ENCODE_OPENCODINGS_H
#define PANPIPE_TV_ENCODE_OPENCODINGS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <string>
#include <vector>

namespace panpipe::tv {

class Encoder;

class OpEncodings {
public:
  using Function =
      std::function<llvm::LogicalResult(mlir::Operation *, Encoder &)>;

  /// The table of all dialects.
  static OpEncodings all();

  /// `t.on<arith::SelectOp>(encodeSelect)`: one line per operation.
  template <typename OpT>
  void on(llvm::LogicalResult (*encode)(OpT, Encoder &)) {
    add(OpT::getOperationName(), [encode](mlir::Operation *op, Encoder &e) {
      return encode(llvm::cast<OpT>(op), e);
    });
  }
  /// For an encoding that serves several operations.
  template <typename... OpTs>
  void onAll(llvm::LogicalResult (*encode)(mlir::Operation *, Encoder &)) {
    (add(OpTs::getOperationName(), encode), ...);
  }
  void add(llvm::StringRef name, Function encode) {
    functions[name] = std::move(encode);
  }

  /// Null if the operation has no encoding.
  const Function *lookup(llvm::StringRef name) const {
    auto found = functions.find(name);
    return found == functions.end() ? nullptr : &found->second;
  }
  /// All operation names with an encoding, sorted.
  std::vector<std::string> names() const;

private:
  llvm::StringMap<Function> functions;
};

void populateFuncEncodings(OpEncodings &table);
void populateArithEncodings(OpEncodings &table);
void populateMathEncodings(OpEncodings &table);
void populateTensorEncodings(OpEncodings &table);
void populateLinalgEncodings(OpEncodings &table);
void populateAffineEncodings(OpEncodings &table);
void populateScfEncodings(OpEncodings &table);
void populateMemRefEncodings(OpEncodings &table);
void populateBufferizationEncodings(OpEncodings &table);
void populateIndexEncodings(OpEncodings &table);
void populateUBEncodings(OpEncodings &table);
void populatePipeEncodings(OpEncodings &table);
void populateTosaEncodings(OpEncodings &table);
void populateVectorEncodings(OpEncodings &table);

} // namespace panpipe::tv

#endif // PANPIPE_TV_ENCODE_OPENCODINGS_H
