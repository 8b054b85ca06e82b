//===- InterpreterTest.cpp - Tests of the concrete execution --------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Interp/Interpreter.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace panpipe::tv;

namespace {

class InterpreterTest : public testing::Test {
protected:
  InterpreterTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect, linalg::LinalgDialect,
                        math::MathDialect, tensor::TensorDialect, ub::UBDialect,
                        panpipe::pipe::PipeDialect>();
  }

  /// Runs @f of `text` on attributes in MLIR syntax; the results joined by
  /// "; ", or how the run ended otherwise.
  std::string run(StringRef text, std::vector<std::string> inputs,
                  InterpreterOptions options = {}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return "does not parse";
    std::vector<ValuePtr> arguments;
    for (const std::string &input : inputs) {
      auto value =
          ConcreteValue::fromAttribute(parseAttribute(input, &context));
      if (!value)
        return "bad input";
      arguments.push_back(std::make_shared<ConcreteValue>(std::move(*value)));
    }
    Outcome outcome = interpret(module->lookupSymbol("f"), arguments, options);
    switch (outcome.kind) {
    case Outcome::Finished:
      break;
    case Outcome::Undefined:
      return "ub: " + outcome.reason;
    case Outcome::Diverged:
      return "diverged: " + outcome.reason;
    case Outcome::Stuck:
      return "stuck: " + outcome.reason;
    case Outcome::Unsupported:
      return "unsupported: " + outcome.reason;
    case Outcome::OutOfBudget:
      return "budget: " + outcome.reason;
    }
    std::string joined;
    for (const ValuePtr &value : outcome.results)
      joined += (joined.empty() ? "" : "; ") + value->str(100);
    return joined;
  }

  /// A function of one body line per element of `lines`.
  std::string f(StringRef signature, StringRef body) {
    return ("func.func @f" + signature + " {\n" + body + "\n}").str();
  }

  MLIRContext context;
};

TEST_F(InterpreterTest, ScalarsAndElementwiseTensors) {
  EXPECT_EQ(run(f("(%a: i8, %b: i8) -> i8", R"(
    %0 = arith.addi %a, %b : i8
    return %0 : i8)"),
                {"100 : i8", "100 : i8"}),
            "-56");
  EXPECT_EQ(run(f("(%a: tensor<2xf32>) -> tensor<2xf32>", R"(
    %0 = arith.mulf %a, %a : tensor<2xf32>
    %1 = math.sqrt %0 : tensor<2xf32>
    return %1 : tensor<2xf32>)"),
                {"dense<[3.0, -4.0]> : tensor<2xf32>"}),
            "[3.0, 4.0]");
  EXPECT_EQ(run(f("(%a: i8) -> (i8, i8)", R"(
    %0, %1 = arith.mulsi_extended %a, %a : i8
    return %0, %1 : i8, i8)"),
                {"100 : i8"}),
            "16; 39");
  EXPECT_EQ(run(f("(%a: f32) -> f32", R"(
    %lo = arith.constant 0.0 : f32
    %hi = arith.constant 1.0 : f32
    %0 = math.clampf %a to [%lo, %hi] : f32
    return %0 : f32)"),
                {"7.0 : f32"}),
            "1.0");
}

TEST_F(InterpreterTest, PoisonIsPerElementAndLazy) {
  const char *body = R"(
    %one = arith.constant dense<1> : tensor<2xi8>
    %0 = arith.addi %a, %one overflow<nsw> : tensor<2xi8>
    return %0 : tensor<2xi8>)";
  EXPECT_EQ(run(f("(%a: tensor<2xi8>) -> tensor<2xi8>", body),
                {"dense<[127, 1]> : tensor<2xi8>"}),
            "[poison, 2]");
  EXPECT_EQ(run(f("(%a: i8) -> i8", R"(
    %p = ub.poison : i8
    %0 = arith.divsi %a, %p : i8
    return %a : i8)"),
                {"1 : i8"}),
            "ub: division by poison");
  EXPECT_EQ(run(f("(%c: i1, %a: i8) -> i8", R"(
    %p = ub.poison : i8
    %0 = arith.select %c, %a, %p : i8
    return %0 : i8)"),
                {"true", "1 : i8"}),
            "1");
}

TEST_F(InterpreterTest, UndefinedBehaviourNeedsNoUse) {
  EXPECT_EQ(run(f("(%a: i8) -> i8", R"(
    %z = arith.constant 0 : i8
    %0 = arith.divui %a, %z : i8
    return %a : i8)"),
                {"1 : i8"}),
            "ub: division by zero");
}

TEST_F(InterpreterTest, UnspecifiedContents) {
  std::string text = f("() -> (tensor<2xi8>, tensor<2xi8>)", R"(
    %e = tensor.empty() : tensor<2xi8>
    %z = arith.constant dense<0> : tensor<2xi8>
    %0 = arith.muli %e, %z : tensor<2xi8>
    return %e, %0 : tensor<2xi8>, tensor<2xi8>)");
  InterpreterOptions other;
  other.filling = 1;
  EXPECT_EQ(run(text, {}), "[?17, ?18]; [0, 0]");
  EXPECT_EQ(run(text, {}, other), "[?-20, ?-21]; [0, 0]");
  InterpreterOptions source;
  source.isSource = true;
  EXPECT_EQ(run(f("(%a: i8) -> i8", R"(
    %e = tensor.empty() : tensor<i8>
    %0 = tensor.extract %e[] : tensor<i8>
    %1 = arith.divui %a, %0 : i8
    return %1 : i8)"),
                {"1 : i8"}, source),
            "ub: a divisor depends on unspecified contents");
}

TEST_F(InterpreterTest, FastMathLeavesChoices) {
  auto sum = [&](const char *flags, const char *a, const char *b) {
    return run(
        f("(%a: f32, %b: f32) -> f32", (Twine("%0 = arith.addf %a, %b ") +
                                        flags + " : f32\n return %0 : f32")
                                           .str()),
        {a, b});
  };
  EXPECT_EQ(sum("fastmath<nsz>", "0.0 : f32", "-0.0 : f32"), "?0.0");
  EXPECT_EQ(sum("fastmath<nsz>", "0.0 : f32", "1.0 : f32"), "1.0");
  EXPECT_EQ(sum("fastmath<reassoc>", "0.1 : f32", "1.0 : f32"), "?1.1");
  EXPECT_EQ(sum("fastmath<reassoc>", "2.0 : f32", "1.0 : f32"), "3.0");
}

TEST_F(InterpreterTest, TensorElements) {
  EXPECT_EQ(
      run(f("(%a: tensor<2x2xi32>, %i: index) -> (i32, tensor<2x2xi32>, index)",
            R"(
    %c1 = arith.constant 1 : index
    %0 = tensor.extract %a[%i, %c1] : tensor<2x2xi32>
    %1 = tensor.insert %0 into %a[%c1, %c1] : tensor<2x2xi32>
    %2 = tensor.dim %a, %c1 : tensor<2x2xi32>
    return %0, %1, %2 : i32, tensor<2x2xi32>, index)"),
          {"dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", "0 : index"}),
      "2; [[1, 2], [3, 2]]; 2");
  EXPECT_EQ(run(f("(%a: tensor<2xi32>, %i: index) -> i32", R"(
    %0 = tensor.extract %a[%i] : tensor<2xi32>
    return %0 : i32)"),
                {"dense<[1, 2]> : tensor<2xi32>", "2 : index"}),
            "ub: index 2 is out of bounds (size 2)");
  EXPECT_EQ(run(f("(%a: i32, %n: index) -> (tensor<2xi32>, tensor<?xi32>, "
                  "tensor<?xindex>)",
                  R"(
    %0 = tensor.from_elements %a, %a : tensor<2xi32>
    %1 = tensor.splat %a[%n] : tensor<?xi32>
    %2 = tensor.generate %n {
    ^bb0(%i: index):
      %3 = arith.muli %i, %i : index
      tensor.yield %3 : index
    } : tensor<?xindex>
    return %0, %1, %2 : tensor<2xi32>, tensor<?xi32>, tensor<?xindex>)"),
                {"7 : i32", "3 : index"}),
            "[7, 7]; [7, 7, 7]; [0, 1, 4]");
  EXPECT_EQ(run(f("(%a: tensor<2xf32>) -> tensor<2xi32>", R"(
    %0 = tensor.bitcast %a : tensor<2xf32> to tensor<2xi32>
    return %0 : tensor<2xi32>)"),
                {"dense<1.0> : tensor<2xf32>"}),
            "[1065353216, 1065353216]");
}

TEST_F(InterpreterTest, GatherAndScatter) {
  EXPECT_EQ(
      run(f("(%a: tensor<3x2xi32>, %i: tensor<2x1xindex>) -> tensor<2x2xi32>",
            R"(
    %0 = tensor.gather %a[%i] gather_dims([0]) : (tensor<3x2xi32>, tensor<2x1xindex>) -> tensor<2x2xi32>
    return %0 : tensor<2x2xi32>)"),
          {"dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>",
           "dense<[[2], [0]]> : tensor<2x1xindex>"}),
      "[[5, 6], [1, 2]]");
  const char *scatter = R"(
    %0 = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<2x1xi32>, tensor<3xi32>, tensor<2x1xindex>) -> tensor<3xi32>
    return %0 : tensor<3xi32>)";
  const char *signature = "(%s: tensor<2x1xi32>, %d: tensor<3xi32>, %i: "
                          "tensor<2x1xindex>) -> tensor<3xi32>";
  EXPECT_EQ(
      run(f(signature, scatter),
          {"dense<[[8], [9]]> : tensor<2x1xi32>", "dense<0> : tensor<3xi32>",
           "dense<[[2], [0]]> : tensor<2x1xindex>"}),
      "[9, 0, 8]");
  EXPECT_EQ(
      run(f(signature, scatter),
          {"dense<[[8], [9]]> : tensor<2x1xi32>", "dense<0> : tensor<3xi32>",
           "dense<[[2], [2]]> : tensor<2x1xindex>"}),
      "ub: coordinates that are not unique");
}

TEST_F(InterpreterTest, SlicesPaddingConcatenation) {
  std::string a = "dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>";
  EXPECT_EQ(
      run(f("(%a: tensor<2x3xi32>) -> (tensor<2xi32>, tensor<2x2xi32>)", R"(
    %0 = tensor.extract_slice %a[0, 1] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2xi32>
    %1 = tensor.extract_slice %a[0, 0] [2, 2] [1, 2] : tensor<2x3xi32> to tensor<2x2xi32>
    return %0, %1 : tensor<2xi32>, tensor<2x2xi32>)"),
          {a}),
      "[2, 5]; [[1, 3], [4, 6]]");
  EXPECT_EQ(run(f("(%a: tensor<2x3xi32>, %i: index) -> tensor<1x3xi32>", R"(
    %0 = tensor.extract_slice %a[%i, 0] [1, 3] [1, 1] : tensor<2x3xi32> to tensor<1x3xi32>
    return %0 : tensor<1x3xi32>)"),
                {a, "2 : index"}),
            "ub: the slice leaves dimension 0 of size 2 (offset 2, size 1, "
            "stride 1)");
  EXPECT_EQ(
      run(f("(%a: tensor<2x3xi32>, %s: tensor<2xi32>) -> tensor<2x3xi32>", R"(
    %0 = tensor.insert_slice %s into %a[0, 2] [2, 1] [1, 1] : tensor<2xi32> into tensor<2x3xi32>
    return %0 : tensor<2x3xi32>)"),
          {a, "dense<[8, 9]> : tensor<2xi32>"}),
      "[[1, 2, 8], [4, 5, 9]]");
  EXPECT_EQ(
      run(f("(%a: tensor<2x3xi32>) -> (tensor<6xi32>, tensor<3x2xi32>)", R"(
    %0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [3, 2] : tensor<6xi32> into tensor<3x2xi32>
    return %0, %1 : tensor<6xi32>, tensor<3x2xi32>)"),
          {a}),
      "[1, 2, 3, 4, 5, 6]; [[1, 2], [3, 4], [5, 6]]");
  EXPECT_EQ(
      run(f("(%a: tensor<2xindex>) -> (tensor<4xindex>, tensor<4xindex>)", R"(
    %z = arith.constant 9 : index
    %0 = tensor.pad %a low[1] high[1] {
    ^bb0(%i: index):
      tensor.yield %z : index
    } : tensor<2xindex> to tensor<4xindex>
    %1 = tensor.pad %a low[0] high[2] {
    ^bb0(%i: index):
      tensor.yield %i : index
    } : tensor<2xindex> to tensor<4xindex>
    return %0, %1 : tensor<4xindex>, tensor<4xindex>)"),
          {"dense<[7, 8]> : tensor<2xindex>"}),
      "[9, 7, 8, 9]; [7, 8, 2, 3]");
  EXPECT_EQ(
      run(f("(%a: tensor<2x1xi32>, %b: tensor<2x2xi32>) -> tensor<2x3xi32>", R"(
    %0 = tensor.concat dim(1) %a, %b : (tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
    return %0 : tensor<2x3xi32>)"),
          {"dense<[[1], [2]]> : tensor<2x1xi32>",
           "dense<[[3, 4], [5, 6]]> : tensor<2x2xi32>"}),
      "[[1, 3, 4], [2, 5, 6]]");
}

TEST_F(InterpreterTest, ImpossibleCastIsUndefined) {
  EXPECT_EQ(run(f("(%a: tensor<?xi32>) -> tensor<3xi32>", R"(
    %0 = tensor.cast %a : tensor<?xi32> to tensor<3xi32>
    return %0 : tensor<3xi32>)"),
                {"dense<[7, 8]> : tensor<2xi32>"}),
            "ub: cast to size 3 of dimension 0, which has size 2");
}

TEST_F(InterpreterTest, LinalgGenericInOrder) {
  // A sum from the left: 1e8 + 1 - 1e8 loses the 1 in f32.
  EXPECT_EQ(run(f("(%a: tensor<3xf32>) -> tensor<f32>", R"(
    %z = arith.constant dense<0.0> : tensor<f32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<3xf32>) outs(%z : tensor<f32>) {
    ^bb0(%x: f32, %acc: f32):
      %1 = arith.addf %acc, %x : f32
      linalg.yield %1 : f32
    } -> tensor<f32>
    return %0 : tensor<f32>)"),
                {"dense<[1.0e8, 1.0, -1.0e8]> : tensor<3xf32>"}),
            "0.0");
  EXPECT_EQ(run(f("(%n: tensor<2x3xindex>) -> tensor<2x3xindex>", R"(
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%n : tensor<2x3xindex>) {
    ^bb0(%o: index):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c = arith.constant 10 : index
      %1 = arith.muli %i, %c : index
      %2 = arith.addi %1, %j : index
      linalg.yield %2 : index
    } -> tensor<2x3xindex>
    return %0 : tensor<2x3xindex>)"),
                {"dense<0> : tensor<2x3xindex>"}),
            "[[0, 1, 2], [10, 11, 12]]");
}

TEST_F(InterpreterTest, LinalgGatherInBodyAndSlowBodies) {
  // A gather through tensor.extract, and a type wider than a word.
  EXPECT_EQ(
      run(f("(%t: tensor<3xi32>, %i: tensor<2xindex>, %o: tensor<2xi32>) -> "
            "tensor<2xi32>",
            R"(
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%i : tensor<2xindex>) outs(%o : tensor<2xi32>) {
    ^bb0(%k: index, %x: i32):
      %1 = tensor.extract %t[%k] : tensor<3xi32>
      linalg.yield %1 : i32
    } -> tensor<2xi32>
    return %0 : tensor<2xi32>)"),
          {"dense<[5, 6, 7]> : tensor<3xi32>",
           "dense<[2, 1]> : tensor<2xindex>", "dense<0> : tensor<2xi32>"}),
      "[7, 6]");
  EXPECT_EQ(
      run(f("(%a: tensor<2xi100>, %o: tensor<2xi100>) -> tensor<2xi100>", R"(
    %0 = linalg.map { arith.muli } ins(%a, %a : tensor<2xi100>, tensor<2xi100>) outs(%o : tensor<2xi100>)
    return %0 : tensor<2xi100>)"),
          {"dense<[4294967296, 3]> : tensor<2xi100>",
           "dense<0> : tensor<2xi100>"}),
      "[18446744073709551616, 9]");
}

TEST_F(InterpreterTest, NamedLinalgOperations) {
  EXPECT_EQ(
      run(f("(%a: tensor<2x2xi32>, %b: tensor<2x2xi32>) -> tensor<2x2xi32>", R"(
    %c = arith.constant 0 : i32
    %e = tensor.empty() : tensor<2x2xi32>
    %z = linalg.fill ins(%c : i32) outs(%e : tensor<2x2xi32>) -> tensor<2x2xi32>
    %0 = linalg.matmul ins(%a, %b : tensor<2x2xi32>, tensor<2x2xi32>) outs(%z : tensor<2x2xi32>) -> tensor<2x2xi32>
    return %0 : tensor<2x2xi32>)"),
          {"dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>",
           "dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>"}),
      "[[19, 22], [43, 50]]");
  EXPECT_EQ(run(f("(%a: tensor<1x1x3x3xf32>, %w: tensor<1x1x2x2xf32>, %o: "
                  "tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>",
                  R"(
    %0 = linalg.conv_2d_nchw_fchw ins(%a, %w : tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>) outs(%o : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
    return %0 : tensor<1x1x2x2xf32>)"),
                {"dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, "
                 "9.0]]]]> : tensor<1x1x3x3xf32>",
                 "dense<[[[[1.0, 0.0], [0.0, 1.0]]]]> : tensor<1x1x2x2xf32>",
                 "dense<0.0> : tensor<1x1x2x2xf32>"}),
            "[[[[6.0, 8.0], [12.0, 14.0]]]]");
  EXPECT_EQ(
      run(f("(%a: tensor<1x1x4x4xf32>, %o: tensor<1x1x2x2xf32>) -> "
            "tensor<1x1x2x2xf32>",
            R"(
    %w = tensor.empty() : tensor<2x2xf32>
    %0 = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%a, %w : tensor<1x1x4x4xf32>, tensor<2x2xf32>) outs(%o : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
    return %0 : tensor<1x1x2x2xf32>)"),
          {"dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 8.0, "
           "7.0, 6.0], [5.0, 4.0, 3.0, 2.0]]]]> : tensor<1x1x4x4xf32>",
           "dense<0.0> : tensor<1x1x2x2xf32>"}),
      "[[[[6.0, 8.0], [9.0, 7.0]]]]");
  EXPECT_EQ(run(f("(%a: tensor<2x3xi32>, %o: tensor<3x2xi32>, %p: "
                  "tensor<2x3x2xi32>, %q: tensor<2xi32>) -> (tensor<3x2xi32>, "
                  "tensor<2x3x2xi32>, tensor<2xi32>)",
                  R"(
    %0 = linalg.transpose ins(%a : tensor<2x3xi32>) outs(%o : tensor<3x2xi32>) permutation = [1, 0]
    %1 = linalg.broadcast ins(%a : tensor<2x3xi32>) outs(%p : tensor<2x3x2xi32>) dimensions = [2]
    %2 = linalg.reduce { arith.addi } ins(%a : tensor<2x3xi32>) outs(%q : tensor<2xi32>) dimensions = [1]
    return %0, %1, %2 : tensor<3x2xi32>, tensor<2x3x2xi32>, tensor<2xi32>)"),
                {"dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>",
                 "dense<0> : tensor<3x2xi32>", "dense<0> : tensor<2x3x2xi32>",
                 "dense<100> : tensor<2xi32>"}),
            "[[1, 4], [2, 5], [3, 6]]; [[[1, 1], [2, 2], [3, 3]], [[4, 4], [5, "
            "5], [6, 6]]]; [106, 115]");
}

TEST_F(InterpreterTest, LinalgByDefinition) {
  EXPECT_EQ(run(f("(%a: tensor<1x2xf32>) -> tensor<1x2xf32>", R"(
    %e = tensor.empty() : tensor<1x2xf32>
    %0 = linalg.softmax dimension(1) ins(%a : tensor<1x2xf32>) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
    return %0 : tensor<1x2xf32>)"),
                {"dense<7.0> : tensor<1x2xf32>"}),
            "[[0.5, 0.5]]");
  EXPECT_EQ(run(f("(%a: tensor<4xi32>) -> (tensor<2x2xi32>, tensor<4xi32>)", R"(
    %e = tensor.empty() : tensor<2x2xi32>
    %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<4xi32> -> tensor<2x2xi32>
    %1 = linalg.unpack %0 inner_dims_pos = [0] inner_tiles = [2] into %a : tensor<2x2xi32> -> tensor<4xi32>
    return %0, %1 : tensor<2x2xi32>, tensor<4xi32>)"),
                {"dense<[1, 2, 3, 4]> : tensor<4xi32>"}),
            "[[1, 2], [3, 4]]; [1, 2, 3, 4]");
}

TEST_F(InterpreterTest, LinalgSizesThatDisagreeAreUndefined) {
  EXPECT_EQ(
      run(f("(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32>", R"(
    %0 = linalg.map { arith.addi } ins(%a, %a : tensor<?xi32>, tensor<?xi32>) outs(%b : tensor<?xi32>)
    return %0 : tensor<?xi32>)"),
          {"dense<[1, 2]> : tensor<2xi32>",
           "dense<[1, 2, 3]> : tensor<3xi32>"}),
      "ub: operand #2 has size 3 in dimension 0 where the loop runs to 2");
}

TEST_F(InterpreterTest, AffineMaps) {
  std::string text = f("(%i: index, %d: index) -> index", R"(
    %0 = affine.apply affine_map<(i)[d] -> (i floordiv d)>(%i)[%d]
    return %0 : index)");
  EXPECT_EQ(run(text, {"-7 : index", "2 : index"}), "-4");
  EXPECT_EQ(run(text, {"-7 : index", "0 : index"}),
            "ub: an affine division by a number that is not positive");
}

const char *pipelineText = R"(
  func.func private @double(%x: tensor<4xi32>) -> tensor<4xi32> {
    %0 = arith.addi %x, %x : tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  pipe.stage @s0 on 0 (%x: tensor<4xi32>) -> (tensor<4xi32>) {
    %0 = func.call @double(%x) : (tensor<4xi32>) -> tensor<4xi32>
    pipe.yield %0 : tensor<4xi32>
  }
  pipe.stage @s1 on 1 (%x: tensor<4xi32>) -> (tensor<4xi32>) {
    %0 = arith.muli %x, %x : tensor<4xi32>
    pipe.yield %0 : tensor<4xi32>
  }
)";

TEST_F(InterpreterTest, StagesAndCalls) {
  EXPECT_EQ(run(std::string(pipelineText) + R"(
    func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
      %a = pipe.run @s0(%x) : (tensor<4xi32>) -> tensor<4xi32>
      %b = pipe.run @s1(%a) : (tensor<4xi32>) -> tensor<4xi32>
      return %b : tensor<4xi32>
    })",
                {"dense<[1, 2, 3, 4]> : tensor<4xi32>"}),
            "[4, 16, 36, 64]");
  EXPECT_EQ(run(R"(
    func.func @f(%x: tensor<4xi32>) -> (tensor<3xi32>, tensor<4xi32>) {
      %a, %b = pipe.split %x dim 0 sizes [3, 1] : tensor<4xi32> -> (tensor<3xi32>, tensor<1xi32>)
      %c = pipe.concat %b, %a dim 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
      return %a, %c : tensor<3xi32>, tensor<4xi32>
    })",
                {"dense<[1, 2, 3, 4]> : tensor<4xi32>"}),
            "[1, 2, 3]; [4, 1, 2, 3]");
}

TEST_F(InterpreterTest, NetworkOfPrograms) {
  auto network = [&](const char *tag) {
    return run(std::string(pipelineText) + R"(
    pipe.pipeline @f(%x: tensor<4xi32>) -> (tensor<4xi32>) {
      pipe.program on 0 {
        %a = pipe.run @s0(%x) microbatch 0 : (tensor<4xi32>) -> tensor<4xi32>
        pipe.send %a to 1 tag 7 : tensor<4xi32>
        pipe.free %a : tensor<4xi32>
      }
      pipe.program on 1 {
        %a = pipe.recv from 0 tag )" +
                   tag + R"( : tensor<4xi32>
        %b = pipe.run @s1(%a) microbatch 0 : (tensor<4xi32>) -> tensor<4xi32>
        pipe.deliver %b to 0 : tensor<4xi32>
      }
    })",
               {"dense<[1, 2, 3, 4]> : tensor<4xi32>"});
  };
  EXPECT_EQ(network("7"), "[4, 16, 36, 64]");
  EXPECT_EQ(network("8"), "stuck: device 1 waits for tag 8 from device 0");
}

TEST_F(InterpreterTest, BudgetsAndUnknownOperations) {
  InterpreterOptions tight;
  tight.stepBudget = 10;
  std::string text = f("(%a: tensor<64xi32>) -> tensor<64xi32>", R"(
    %0 = arith.addi %a, %a : tensor<64xi32>
    return %0 : tensor<64xi32>)");
  EXPECT_EQ(run(text, {"dense<1> : tensor<64xi32>"}, tight),
            "budget: more than 10 steps");
  context.allowUnregisteredDialects();
  EXPECT_EQ(run(f("(%a: i32) -> i32", R"(
    %0 = "foo.bar"(%a) : (i32) -> i32
    return %0 : i32)"),
                {"1 : i32"}),
            "unsupported: no execution for 'foo.bar'");
}

} // namespace
