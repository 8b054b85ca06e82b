//===- WitnessTest.cpp - Tests of refutation by execution -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../../lib/TV/Witness.h"

#include "panpipe/Dialect/Pipe/IR/Pipe.h"
#include "panpipe/TV/Expect.h"
#include "panpipe/TV/Validate.h"

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

class WitnessTest : public testing::Test {
protected:
  WitnessTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect, ub::UBDialect,
                        panpipe::pipe::PipeDialect>();
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, &context);
  }

  /// The difference between @f of two modules, "" if none is found, with the
  /// inputs in front: "[1] result #0: …".
  std::string difference(StringRef source, StringRef target) {
    left = parse(source);
    right = parse(target);
    if (!left || !right)
      return "does not parse";
    Witness witness(cast<FunctionOpInterface>(left->lookupSymbol("f")),
                    cast<FunctionOpInterface>(right->lookupSymbol("f")), 64);
    std::optional<Found> found = witness.search(20'000'000, 700);
    if (!found)
      return witness.obstacle();
    found = witness.minimise(std::move(*found), 2'000'000);
    example = witness.describe(*found);
    std::string inputs;
    for (const Counterexample::Input &input : example.inputs)
      inputs += (inputs.empty() ? "" : "; ") + input.value;
    return "(" + inputs + ") " + example.difference;
  }

  std::string f(StringRef signature, StringRef body) {
    return ("func.func @f" + signature + " {\n" + body + "\n}").str();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> left, right;
  Counterexample example;
};

TEST_F(WitnessTest, FindsAndMinimises) {
  std::string type = "(%x: tensor<4x4xi32>) -> tensor<4x4xi32>";
  // Wrong at one element, and only if it is 3.
  std::string changed = f(type, R"(
    %c2 = arith.constant 2 : index
    %three = arith.constant 3 : i32
    %0 = tensor.extract %x[%c2, %c2] : tensor<4x4xi32>
    %1 = arith.cmpi eq, %0, %three : i32
    %2 = arith.extui %1 : i1 to i32
    %3 = arith.addi %0, %2 : i32
    %4 = tensor.insert %3 into %x[%c2, %c2] : tensor<4x4xi32>
    return %4 : tensor<4x4xi32>)");
  std::string difference_ =
      difference(f(type, "return %x : tensor<4x4xi32>"), changed);
  // Not among the families, unless random: no difference is fine here.
  if (!difference_.empty())
    EXPECT_NE(difference_.find("result #0 at [2, 2]: source 3, target 4"),
              std::string::npos);
  EXPECT_EQ(difference(f(type, "return %x : tensor<4x4xi32>"), f(type, R"(
    %0 = tensor.empty() : tensor<4x4xi32>
    %1 = linalg.transpose ins(%x : tensor<4x4xi32>) outs(%0 : tensor<4x4xi32>) permutation = [1, 0]
    return %1 : tensor<4x4xi32>)")),
            "([[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]) "
            "result #0 at [0, 1]: source 1, target 0");
}

TEST_F(WitnessTest, SmallDomainsAreExhausted) {
  // One input of 65536.
  EXPECT_EQ(difference(f("(%x: i8, %y: i8) -> i1", R"(
    %0 = arith.constant false
    return %0 : i1)"),
                       f("(%x: i8, %y: i8) -> i1", R"(
    %c1 = arith.constant 77 : i8
    %c2 = arith.constant 91 : i8
    %0 = arith.cmpi eq, %x, %c1 : i8
    %1 = arith.cmpi eq, %y, %c2 : i8
    %2 = arith.andi %0, %1 : i1
    return %2 : i1)")),
            "(77; 91) result #0: source false, target true");
}

TEST_F(WitnessTest, ScalarFloatTraps) {
  std::string type = "(%x: f32) -> f32";
  std::string same = f(type, "return %x : f32");
  EXPECT_EQ(difference(f(type, R"(
    %0 = arith.constant 0.0 : f32
    %1 = arith.addf %x, %0 : f32
    return %1 : f32)"),
                       same),
            "(-0.0) result #0: source 0.0, target -0.0");
  // round(x) through trunc(x + 0.5).
  EXPECT_NE(difference(f(type, R"(
    %0 = math.round %x : f32
    return %0 : f32)"),
                       f(type, R"(
    %h = arith.constant 0.5 : f32
    %0 = math.absf %x : f32
    %1 = arith.addf %0, %h : f32
    %2 = math.trunc %1 : f32
    %3 = math.copysign %2, %x : f32
    return %3 : f32)")),
            "");
  // fma(x, 2, z) overflows where x·2 + z does not.
  EXPECT_NE(difference(f("(%x: f32, %z: f32) -> f32", R"(
    %c = arith.constant 2.0 : f32
    %0 = math.fma %x, %c, %z : f32
    return %0 : f32)"),
                       f("(%x: f32, %z: f32) -> f32", R"(
    %c = arith.constant 2.0 : f32
    %0 = arith.mulf %x, %c : f32
    %1 = arith.addf %0, %z : f32
    return %1 : f32)")),
            "");
  // Two roundings are not one.
  EXPECT_NE(difference(f("(%x: i64) -> f32", R"(
    %0 = arith.sitofp %x : i64 to f32
    return %0 : f32)"),
                       f("(%x: i64) -> f32", R"(
    %0 = arith.sitofp %x : i64 to f64
    %1 = arith.truncf %0 : f64 to f32
    return %1 : f32)")),
            "");
}

TEST_F(WitnessTest, FreedomOfTheSourceRefutesNothing) {
  std::string type = "(%x: f32, %y: f32) -> f32";
  std::string same = f(type, "return %x : f32");
  EXPECT_EQ(difference(f(type, R"(
    %0 = arith.constant 0.0 : f32
    %1 = arith.addf %x, %0 fastmath<nsz> : f32
    return %1 : f32)"),
                       same),
            "");
  EXPECT_EQ(difference(f(type, R"(
    %0 = arith.maxnumf %x, %y : f32
    return %0 : f32)"),
                       f(type, R"(
    %0 = arith.maxnumf %y, %x : f32
    return %0 : f32)")),
            "");
  EXPECT_EQ(difference(f("() -> tensor<2xi8>", R"(
    %0 = tensor.empty() : tensor<2xi8>
    return %0 : tensor<2xi8>)"),
                       f("() -> tensor<2xi8>", R"(
    %0 = arith.constant dense<3> : tensor<2xi8>
    return %0 : tensor<2xi8>)")),
            "");
  // The same freedom in the target is a fault.
  EXPECT_NE(difference(same, f(type, R"(
    %0 = arith.constant 0.0 : f32
    %1 = arith.addf %x, %0 fastmath<nnan> : f32
    return %1 : f32)")),
            "");
  EXPECT_NE(difference(f("() -> tensor<2xi8>", R"(
    %0 = arith.constant dense<17> : tensor<2xi8>
    return %0 : tensor<2xi8>)"),
                       f("() -> tensor<2xi8>", R"(
    %0 = tensor.empty() : tensor<2xi8>
    return %0 : tensor<2xi8>)")),
            "");
}

TEST_F(WitnessTest, NaNs) {
  std::string type = "(%x: f32) -> f32";
  // Any NaN equals any NaN …
  EXPECT_EQ(difference(f(type, R"(
    %0 = arith.constant -0.0 : f32
    %1 = arith.addf %x, %0 : f32
    return %1 : f32)"),
                       f(type, "return %x : f32")),
            "");
  // … and the bits of an arithmetic NaN are anything.
  EXPECT_EQ(difference(f("(%x: f32) -> i32", R"(
    %0 = arith.constant -0.0 : f32
    %1 = arith.addf %x, %0 : f32
    %2 = arith.bitcast %1 : f32 to i32
    return %2 : i32)"),
                       f("(%x: f32) -> i32", R"(
    %2 = arith.bitcast %x : f32 to i32
    return %2 : i32)")),
            "");
}

TEST_F(WitnessTest, LastBitsOfLibraryFunctionsRefuteNothing) {
  EXPECT_EQ(difference(f("(%x: f32) -> f32", R"(
    %0 = math.sqrt %x : f32
    %c = arith.constant 1.0 : f32
    %1 = arith.divf %c, %0 : f32
    return %1 : f32)"),
                       f("(%x: f32) -> f32", R"(
    %0 = math.rsqrt %x : f32
    return %0 : f32)")),
            "");
  EXPECT_NE(difference(f("(%x: f32) -> f32", R"(
    %0 = math.exp %x : f32
    return %0 : f32)"),
                       f("(%x: f32) -> f32", R"(
    %0 = math.exp2 %x : f32
    return %0 : f32)")),
            "");
}

TEST_F(WitnessTest, DynamicSizes) {
  // expand(collapse(x)) with the sizes the wrong way round.
  std::string text =
      difference(f("(%x: tensor<?x?xf32>) -> tensor<?x?xf32>",
                   "return %x : tensor<?x?xf32>"),
                 f("(%x: tensor<?x?xf32>) -> tensor<?x?xf32>", R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %x, %c0 : tensor<?x?xf32>
    %n = tensor.dim %x, %c1 : tensor<?x?xf32>
    %0 = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
    %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
    return %1 : tensor<?x?xf32>)"));
  EXPECT_NE(text.find("has shape 2x3 in the source, 3x2 in the target"),
            std::string::npos)
      << text;
}

TEST_F(WitnessTest, PoisonElements) {
  // select is not and.
  EXPECT_EQ(difference(f("(%x: i1, %y: i1) -> i1", R"(
    %c = arith.constant false
    %0 = arith.select %x, %y, %c : i1
    return %0 : i1)"),
                       f("(%x: i1, %y: i1) -> i1", R"(
    %0 = arith.andi %x, %y : i1
    return %0 : i1)")),
            "(false; poison) result #0: source false, target poison");
}

TEST_F(WitnessTest, SourceUndefinedAsksNothing) {
  EXPECT_EQ(difference(f("(%x: i8) -> i8", R"(
    %0 = arith.divui %x, %x : i8
    return %0 : i8)"),
                       f("(%x: i8) -> i8", R"(
    %0 = arith.constant 1 : i8
    return %0 : i8)")),
            "");
}

TEST_F(WitnessTest, PipelineAgainstFunction) {
  auto pipeline = [](const char *operands, const char *tag) {
    return std::string(R"(
    pipe.stage @s0 on 0 (%x: tensor<2xi32>) -> (tensor<2xi32>) {
      %0 = arith.addi %x, %x : tensor<2xi32>
      pipe.yield %0 : tensor<2xi32>
    }
    pipe.stage @s1 on 1 (%a: tensor<2xi32>, %b: tensor<2xi32>) -> (tensor<2xi32>) {
      %0 = arith.subi %a, %b : tensor<2xi32>
      pipe.yield %0 : tensor<2xi32>
    }
    pipe.pipeline @f(%x: tensor<2xi32>) -> (tensor<2xi32>) {
      pipe.program on 0 {
        %a = pipe.run @s0(%x) microbatch 0 : (tensor<2xi32>) -> tensor<2xi32>
        pipe.send %a to 1 tag 0 : tensor<2xi32>
      }
      pipe.program on 1 {
        %a = pipe.recv from 0 tag )") +
           tag + R"( : tensor<2xi32>
        %b = pipe.run @s1()" +
           operands +
           R"() microbatch 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
        pipe.deliver %b to 0 : tensor<2xi32>
      }
    })";
  };
  std::string plain = f("(%x: tensor<2xi32>) -> tensor<2xi32>", R"(
    %0 = arith.addi %x, %x : tensor<2xi32>
    %1 = arith.subi %0, %x : tensor<2xi32>
    return %1 : tensor<2xi32>)");
  EXPECT_EQ(difference(plain, pipeline("%a, %x", "0")), "");
  EXPECT_EQ(difference(plain, pipeline("%x, %a", "0")),
            "([1, 0]) result #0 at [0]: source 1, target -1");
  EXPECT_NE(difference(plain, pipeline("%a, %x", "3"))
                .find("the target never finishes: device 1 waits for tag 3"),
            std::string::npos);
  EXPECT_NE(example.reproducer.find("tv.inputs"), std::string::npos);
}

TEST_F(WitnessTest, ReproducersReplay) {
  std::string type = "(%x: tensor<?xi8>, %y: f32) -> (tensor<?xi8>, f32)";
  EXPECT_NE(difference(f(type, "return %x, %y : tensor<?xi8>, f32"), f(type, R"(
    %c0 = arith.constant 0 : index
    %0 = tensor.dim %x, %c0 : tensor<?xi8>
    %z = arith.constant 0 : i8
    %1 = tensor.splat %z[%0] : tensor<?xi8>
    return %1, %y : tensor<?xi8>, f32)")),
            "");
  OwningOpRef<ModuleOp> replay = parse(example.reproducer);
  ASSERT_TRUE(replay);
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_TRUE(checkExpectation(os, *replay, {}, {})) << text;
}

TEST_F(WitnessTest, NothingRunsWithoutExecution) {
  context.allowUnregisteredDialects();
  std::string text = f("(%x: i8) -> i8", R"(
    %0 = "foo.bar"(%x) : (i8) -> i8
    return %0 : i8)");
  EXPECT_EQ(difference(text, text), "source: no execution for 'foo.bar'");
}

TEST(Verdict, WorstFirst) {
  EXPECT_EQ(worse(VerdictKind::Invalid, VerdictKind::BadInput),
            VerdictKind::Invalid);
  EXPECT_EQ(worse(VerdictKind::BadInput, VerdictKind::Unconfirmed),
            VerdictKind::BadInput);
  EXPECT_EQ(worse(VerdictKind::Timeout, VerdictKind::Unconfirmed),
            VerdictKind::Unconfirmed);
  EXPECT_EQ(worse(VerdictKind::Unsupported, VerdictKind::Timeout),
            VerdictKind::Timeout);
  EXPECT_EQ(worse(VerdictKind::ValidUnder, VerdictKind::Unsupported),
            VerdictKind::Unsupported);
  EXPECT_EQ(worse(VerdictKind::Valid, VerdictKind::ValidUnder),
            VerdictKind::ValidUnder);
  EXPECT_EQ(Report().verdict(), VerdictKind::BadInput);
}

} // namespace
