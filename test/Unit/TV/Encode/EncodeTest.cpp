//===- EncodeTest.cpp - Functions as terms --------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two functions that mean the same by an index map alone must become the same
/// term, and two that do not must not.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Encoder.h"

#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

namespace {

class EncodeTest : public ::testing::Test {
protected:
  EncodeTest() {
    context.loadDialect<
        affine::AffineDialect, arith::ArithDialect,
        bufferization::BufferizationDialect, cf::ControlFlowDialect,
        func::FuncDialect, index::IndexDialect, linalg::LinalgDialect,
        math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
        tensor::TensorDialect, tosa::TosaDialect, ub::UBDialect,
        vector::VectorDialect, pipe::PipeDialect>();
  }

  /// Encodes @f of the text. Both calls of a test share arguments.
  FunctionEncoding encode(const std::string &text) {
    modules.push_back(
        parseSourceString<ModuleOp>(text, ParserConfig(&context)));
    if (!modules.back()) {
      ADD_FAILURE() << "does not parse: " << text;
      return {};
    }
    auto function =
        cast<FunctionOpInterface>(modules.back()->lookupSymbol("f"));
    if (shared.arguments.empty()) {
      std::vector<std::string> names;
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        names.push_back("arg" + std::to_string(i));
      EXPECT_FALSE(makeArguments(shared, function.getArgumentTypes(), names));
    }
    FunctionEncoding encoding = encodeFunction(shared, table, function);
    if (encoding.unsupported)
      ADD_FAILURE() << encoding.unsupported->what;
    return encoding;
  }

  void expectSame(const std::string &source, const std::string &target,
                  bool same = true) {
    FunctionEncoding a = encode(source), b = encode(target);
    ASSERT_EQ(a.results.size(), b.results.size());
    for (auto [x, y] : llvm::zip_equal(a.results, b.results)) {
      Element p = x.isTensor() ? x.tensor.element : x.scalar;
      Element q = y.isTensor() ? y.tensor.element : y.scalar;
      EXPECT_EQ(p == q, same) << show(p.value) << "\n  against\n"
                              << show(q.value) << "\n  poison\n"
                              << show(p.poison) << "\n  against\n"
                              << show(q.poison);
    }
    EXPECT_TRUE(b.ub.empty()) << terms.print(b.ub.front().condition);
  }

  std::string show(const Term *term) {
    std::string text = terms.print(term, 20);
    if (term->kind() == TermKind::App)
      text += " where\n" + print(*term->closure());
    return text;
  }

  MLIRContext context;
  std::vector<OwningOpRef<ModuleOp>> modules;
  TermContext terms;
  SharedEncoding shared{terms};
  OpEncodings table = OpEncodings::all();
};

const std::string matmul = R"(
func.func @f(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %r = linalg.matmul ins(%x, %y : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
})";

std::string genericMatmul(const std::string &yMap, const std::string &step) {
  return R"(
func.func @f(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %c = arith.constant dense<0.0> : tensor<3x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, k, m) -> (m, k)>, affine_map<(n, k, m) -> )" +
         yMap + R"(>, affine_map<(n, k, m) -> (m, n)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x, %y : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    )" + step +
         R"(
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
})";
}

TEST_F(EncodeTest, NamedAndGenericMatmul) {
  expectSame(matmul, genericMatmul("(k, n)", "%p = arith.mulf %b, %a : f32\n"
                                             "%s = arith.addf %p, %acc : f32"));
}

TEST_F(EncodeTest, AnotherStepIsAnotherTerm) {
  expectSame(matmul,
             genericMatmul("(k, n)", "%p = arith.mulf %b, %a : f32\n"
                                     "%s = arith.subf %acc, %p : f32"),
             /*same=*/false);
}

TEST_F(EncodeTest, DynamicSizesOfOperandsMustAgree) {
  FunctionEncoding encoding = encode(R"(
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.addf %x, %y : tensor<?xf32>
  return %r : tensor<?xf32>
})");
  ASSERT_EQ(encoding.ub.size(), 1u);
  EXPECT_EQ(encoding.ub[0].reason, "operands of different size");
  EXPECT_EQ(encoding.facts.size(), 1u);
}

TEST_F(EncodeTest, UndefinedBodiesAreFolded) {
  FunctionEncoding encoding = encode(R"(
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = arith.divui %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
})");
  ASSERT_EQ(encoding.ub.size(), 2u); // poison, zero
  EXPECT_EQ(encoding.ub[1].reason, "division by zero");
  EXPECT_EQ(encoding.ub[1].condition->kind(), TermKind::App);
  EXPECT_TRUE(encoding.ub[1].condition->leaves().empty());
}

TEST_F(EncodeTest, ExtractOutOfBounds) {
  FunctionEncoding encoding = encode(R"(
func.func @f(%x: tensor<4xf32>, %i: index) -> f32 {
  %c = arith.constant 1 : index
  %j = arith.addi %i, %c : index
  %r = tensor.extract %x[%j] : tensor<4xf32>
  return %r : f32
})");
  ASSERT_EQ(encoding.ub.size(), 2u); // poison, bounds
  EXPECT_EQ(encoding.ub[1].condition->kind(), TermKind::Ite);
  EXPECT_EQ(encoding.results[0].scalar.value->kind(), TermKind::Read);
  EXPECT_EQ(encoding.facts.size(), 2u);
}

TEST_F(EncodeTest, GatherByData) {
  // The index depends on data: small dimensions are compared one by one, large
  // ones are walked along.
  for (std::string size : {"4", "100"}) {
    std::string text = "func.func @f(%x: tensor<" + size +
                       "xf32>, %i: tensor<3x1xi32>) -> tensor<3xf32> {\n"
                       "%r = tensor.gather %x[%i] gather_dims([0]) : (tensor<" +
                       size +
                       "xf32>, tensor<3x1xi32>) -> tensor<3xf32>\n"
                       "return %r : tensor<3xf32>\n}";
    shared.arguments.clear();
    FunctionEncoding encoding = encode(text);
    EXPECT_EQ(encoding.results.size(), 1u);
    EXPECT_EQ(encoding.ub.size(), 2u);
  }
}

TEST_F(EncodeTest, StagesAreInlined) {
  expectSame(R"(
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %r = arith.negf %a : tensor<4xf32>
  return %r : tensor<4xf32>
})",
             R"(
pipe.stage @s0 on 0 (%x: tensor<4xf32>) -> (tensor<4xf32>) {
  %a = math.exp %x : tensor<4xf32>
  pipe.yield %a : tensor<4xf32>
}
pipe.stage @s1 on 1 (%x: tensor<4xf32>) -> (tensor<4xf32>) {
  %a = arith.negf %x : tensor<4xf32>
  pipe.yield %a : tensor<4xf32>
}
pipe.pipeline @f(%x: tensor<4xf32>) -> (tensor<4xf32>) {
  pipe.program on 0 {
    %a = pipe.run @s0(%x) : (tensor<4xf32>) -> tensor<4xf32>
    pipe.send %a to 1 tag 0 : tensor<4xf32>
  }
  pipe.program on 1 {
    %a = pipe.recv from 0 tag 0 : tensor<4xf32>
    %b = pipe.run @s1(%a) : (tensor<4xf32>) -> tensor<4xf32>
    pipe.deliver %b to 0 : tensor<4xf32>
  }
})");
}

TEST_F(EncodeTest, RecursionIsRefused) {
  modules.push_back(parseSourceString<ModuleOp>(R"(
func.func @f(%x: i8) -> i8 {
  %r = func.call @f(%x) : (i8) -> i8
  return %r : i8
})",
                                                ParserConfig(&context)));
  auto function = cast<FunctionOpInterface>(modules.back()->lookupSymbol("f"));
  ASSERT_FALSE(makeArguments(shared, function.getArgumentTypes(), {"x"}));
  FunctionEncoding encoding = encodeFunction(shared, table, function);
  ASSERT_TRUE(encoding.unsupported);
  EXPECT_EQ(encoding.unsupported->what,
            "'func.call': recursion of @f has no encoding");
}

TEST_F(EncodeTest, Im2Col) {
  // Example 10.1 of the design, over expand and collapse of patches.
  expectSame(R"(
func.func @f(%x: tensor<2x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %c = arith.constant dense<0.0> : tensor<2x4x4x8xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x6x6x4xf32>, tensor<3x3x4x8xf32>) outs(%c : tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %r : tensor<2x4x4x8xf32>
})",
             R"(
func.func @f(%x: tensor<2x6x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<2x4x4x8xf32> {
  %e = tensor.empty() : tensor<2x4x4x3x3x4xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(n, h, w, a, b, c) -> (n, h + a, w + b, c)>, affine_map<(n, h, w, a, b, c) -> (n, h, w, a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x6x6x4xf32>) outs(%e : tensor<2x4x4x3x3x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<2x4x4x3x3x4xf32>
  %q = tensor.collapse_shape %p [[0, 1, 2], [3, 4, 5]] : tensor<2x4x4x3x3x4xf32> into tensor<32x36xf32>
  %v = tensor.collapse_shape %w [[0, 1, 2], [3]] : tensor<3x3x4x8xf32> into tensor<36x8xf32>
  %c = arith.constant dense<0.0> : tensor<32x8xf32>
  %m = linalg.matmul ins(%q, %v : tensor<32x36xf32>, tensor<36x8xf32>) outs(%c : tensor<32x8xf32>) -> tensor<32x8xf32>
  %r = tensor.expand_shape %m [[0, 1, 2], [3]] output_shape [2, 4, 4, 8] : tensor<32x8xf32> into tensor<2x4x4x8xf32>
  return %r : tensor<2x4x4x8xf32>
})");
}

TEST_F(EncodeTest, EveryOperationOfTheTableIsRegistered) {
  for (const std::string &name : table.names())
    EXPECT_TRUE(context.getRegisteredOperations().end() !=
                llvm::find_if(context.getRegisteredOperations(),
                              [&](RegisteredOperationName op) {
                                return op.getStringRef() == name;
                              }))
        << name;
}

} // namespace
