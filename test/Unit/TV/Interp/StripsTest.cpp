//===- StripsTest.cpp - Many points at once against one by one ------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Interp/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace panpipe::tv;

namespace {

class StripsTest : public testing::Test {
protected:
  StripsTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect>();
  }

  /// Numbers of all kinds, with poison, open and library marks among them.
  ValuePtr input(Type type, unsigned kind) {
    auto tensor = cast<RankedTensorType>(type);
    auto element = tensor.getElementType();
    ScalarType scalar =
        element.isF32() ? ScalarType::floating(llvm::APFloat::S_IEEEsingle)
        : element.isF64()
            ? ScalarType::floating(llvm::APFloat::S_IEEEdouble)
            : ScalarType::integer(element.getIntOrFloatBitWidth());
    ConcreteValue value(scalar, tensor.getShape());
    for (int64_t i = 0; i < value.size(); ++i) {
      uint64_t bits = random();
      if (kind > 0 && element.isF32()) { // near one, zeros of both signs
        float number = int(bits % 9) - 4.0f;
        number = number == 0 && bits & 1024 ? -0.0f : number / 3;
        uint32_t pattern;
        std::memcpy(&pattern, &number, 4);
        bits = pattern;
      }
      uint8_t marks = kind == 2 && random() % 4 == 0 ? uint8_t(random() % 8)
                                                     : uint8_t(EM_none);
      value.set(i, {llvm::APInt(scalar.width(), bits, false, true), marks});
    }
    return std::make_shared<ConcreteValue>(std::move(value));
  }

  /// @f gives the same both ways, on three kinds of inputs.
  void compare(StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    auto f = cast<FunctionOpInterface>(module->lookupSymbol("f"));
    for (unsigned kind = 0; kind < 3; ++kind) {
      std::vector<ValuePtr> inputs;
      for (Type type : f.getArgumentTypes())
        inputs.push_back(input(type, kind));
      InterpreterOptions options;
      Outcome strips = interpret(f, inputs, options);
      options.pointByPoint = true;
      Outcome points = interpret(f, inputs, options);
      ASSERT_TRUE(strips.finished() && points.finished());
      EXPECT_LT(strips.steps, points.steps); // so it did run in strips
      ASSERT_EQ(strips.results.size(), points.results.size());
      for (auto [a, b] : llvm::zip(strips.results, points.results))
        for (int64_t i = 0; i < a->size(); ++i) {
          ASSERT_EQ(a->marks(i), b->marks(i)) << kind << " at " << i;
          if (!(a->marks(i) & EM_poison))
            ASSERT_EQ(a->word(i), b->word(i)) << kind << " at " << i;
        }
    }
  }

  MLIRContext context;
  std::mt19937_64 random{7};
};

TEST_F(StripsTest, Products) {
  compare(R"(func.func @f(%a: tensor<9x37xf32>, %b: tensor<37x70xf32>,
      %c: tensor<9x70xf32>) -> tensor<9x70xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<9x37xf32>, tensor<37x70xf32>)
      outs(%c : tensor<9x70xf32>) -> tensor<9x70xf32>
    return %0 : tensor<9x70xf32>
  })");
  compare(R"(func.func @f(%a: tensor<2x3x9x9xf64>, %b: tensor<4x3x3x3xf64>,
      %c: tensor<2x4x4x4xf64>) -> tensor<2x4x4x4xf64> {
    %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
      ins(%a, %b : tensor<2x3x9x9xf64>, tensor<4x3x3x3xf64>)
      outs(%c : tensor<2x4x4x4xf64>) -> tensor<2x4x4x4xf64>
    return %0 : tensor<2x4x4x4xf64>
  })");
}

TEST_F(StripsTest, ElementwiseWithConstantsIndicesAndLibrary) {
  compare(R"(func.func @f(%a: tensor<5x130xf32>, %b: tensor<130xf32>)
      -> (tensor<130x5xf32>, tensor<130x5xi1>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<130x5xf32>
    %g = tensor.empty() : tensor<130x5xi1>
    %0:2 = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                         affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j, i)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : tensor<5x130xf32>, tensor<130xf32>)
        outs(%e, %g : tensor<130x5xf32>, tensor<130x5xi1>) {
    ^bb0(%x: f32, %y: f32, %o: f32, %p: i1):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %f = arith.sitofp %k : i32 to f32
      %m = arith.maximumf %x, %zero : f32
      %n = arith.minimumf %m, %y : f32
      %d = arith.divf %n, %f : f32
      %t = math.exp %d : f32
      %s = arith.subf %t, %y : f32
      %c = arith.cmpf olt, %s, %x : f32
      %r = arith.select %c, %s, %y : f32
      linalg.yield %r, %c : f32, i1
    } -> (tensor<130x5xf32>, tensor<130x5xi1>)
    return %0#0, %0#1 : tensor<130x5xf32>, tensor<130x5xi1>
  })");
}

TEST_F(StripsTest, TwoAccumulatorsInOrder) {
  compare(R"(func.func @f(%a: tensor<70x11xf32>, %b: tensor<70xf32>,
      %c: tensor<70xf32>) -> (tensor<70xf32>, tensor<70xf32>) {
    %0:2 = linalg.generic {
        indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (i)>,
                         affine_map<(j, i) -> (i)>],
        iterator_types = ["reduction", "parallel"]}
        ins(%a : tensor<70x11xf32>) outs(%b, %c : tensor<70xf32>, tensor<70xf32>) {
    ^bb0(%x: f32, %p: f32, %q: f32):
      %s = arith.addf %p, %x : f32
      %m = arith.mulf %q, %s : f32
      linalg.yield %s, %m : f32, f32
    } -> (tensor<70xf32>, tensor<70xf32>)
    return %0#0, %0#1 : tensor<70xf32>, tensor<70xf32>
  })");
}

TEST_F(StripsTest, Integers) {
  compare(
      R"(func.func @f(%a: tensor<33x9xi8>, %b: tensor<33xi32>) -> tensor<33xi32> {
    %0 = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
        iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<33x9xi8>) outs(%b : tensor<33xi32>) {
    ^bb0(%x: i8, %p: i32):
      %y = arith.extsi %x : i8 to i32
      %s = arith.addi %p, %y overflow<nsw> : i32
      linalg.yield %s : i32
    } -> tensor<33xi32>
    return %0 : tensor<33xi32>
  })");
}

} // namespace
