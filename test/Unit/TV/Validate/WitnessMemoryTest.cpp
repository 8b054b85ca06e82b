//===- WitnessMemoryTest.cpp - Refutation of programs with memory ---------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../../lib/TV/Witness.h"

#include "panpipe/TV/Expect.h"
#include "panpipe/TV/Validate.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace panpipe::tv;

namespace {

class WitnessMemoryTest : public testing::Test {
protected:
  WitnessMemoryTest() {
    context
        .loadDialect<affine::AffineDialect, arith::ArithDialect,
                     func::FuncDialect, memref::MemRefDialect, scf::SCFDialect,
                     tensor::TensorDialect, ub::UBDialect>();
  }

  /// The difference between two bodies of @f, "" if none is found; the inputs
  /// are in front: "(1; [2, 3]) result #0: …".
  std::string difference(StringRef signature, StringRef source,
                         StringRef target, StringRef declarations = "",
                         bool noAlias = false) {
    auto parse = [&](StringRef body) {
      std::string text = (declarations + "func.func @f" + signature +
                          " {\n%c0 = arith.constant 0 : index\n"
                          "%c1 = arith.constant 1 : index\n" +
                          body + "\n}")
                             .str();
      return parseSourceString<ModuleOp>(text, &context);
    };
    left = parse(source);
    right = parse(target);
    if (!left || !right)
      return "does not parse";
    Witness witness(cast<FunctionOpInterface>(left->lookupSymbol("f")),
                    cast<FunctionOpInterface>(right->lookupSymbol("f")), 64);
    if (noAlias)
      witness.setNoAlias();
    std::optional<Found> found = witness.search(2'000'000, 200);
    if (!found)
      return witness.obstacle();
    EXPECT_EQ(witness.obstacle(), "");
    isHard = found->trial.isHard;
    found = witness.minimise(std::move(*found), 500'000);
    example = witness.describe(*found);
    std::string inputs;
    for (const Counterexample::Input &input : example.inputs)
      inputs += (inputs.empty() ? "" : "; ") + input.value;
    return "(" + inputs + ") " + example.difference;
  }

  /// The verdict of the counterexample's own module.
  std::string replay() {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(example.reproducer, &context);
    if (!module)
      return "does not parse:\n" + example.reproducer;
    Options options;
    options.seconds = 2;
    auto side = [&](StringRef name) {
      return cast<ModuleOp>(module->lookupSymbol(name));
    };
    return toString(validate(side("src"), side("tgt"), options).verdict())
        .str();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> left, right;
  Counterexample example;
  bool isHard = false;
};

TEST_F(WitnessMemoryTest, FinalMemoryIsCompared) {
  const char *type = "(%m: memref<3xi32>, %x: i32)";
  const char *store = "memref.store %x, %m[%c1] : memref<3xi32>\n return";
  EXPECT_EQ(difference(type, store, store), "");
  EXPECT_EQ(difference(type, store, "return"),
            "([0, 0, 0]; 1) the memory of %arg0 at [1]: source 1, target 0");
  EXPECT_TRUE(isHard);
  EXPECT_EQ(replay(), "INVALID");
  // Memory of its own is nobody's business.
  EXPECT_EQ(difference(type, "return", R"(
    %a = memref.alloc() : memref<i32>
    memref.store %x, %a[] : memref<i32>
    return)"),
            "");
  EXPECT_EQ(difference(type, "return", R"(
    memref.dealloc %m : memref<3xi32>
    return)"),
            "([0, 0, 0]; 0) the target frees the memory of %arg0");
  EXPECT_EQ(
      difference(type, "memref.dealloc %m : memref<3xi32>\n return", "return"),
      "");
}

TEST_F(WitnessMemoryTest, FreshMemoryHoldsAnything) {
  const char *type = "(%m: memref<i32>)";
  const char *fresh = R"(
    %a = memref.alloc() : memref<i32>
    %v = memref.load %a[] : memref<i32>
    memref.store %v, %m[] : memref<i32>
    return)";
  const char *seven = R"(
    %v = arith.constant 7 : i32
    memref.store %v, %m[] : memref<i32>
    return)";
  EXPECT_EQ(difference(type, fresh, seven), "");
  EXPECT_EQ(difference(type, fresh, fresh), "");
  EXPECT_EQ(difference(type, seven, fresh),
            "(0) the memory of %arg0: source 7, target 17");
  EXPECT_EQ(replay(), "INVALID");
}

TEST_F(WitnessMemoryTest, ArgumentsMayShareMemory) {
  const char *type = "(%a: memref<2xi32>, %b: memref<2xi32>) -> i32";
  const char *before = R"(
    %x = memref.load %a[%c0] : memref<2xi32>
    memref.store %x, %b[%c1] : memref<2xi32>
    %y = memref.load %a[%c1] : memref<2xi32>
    return %y : i32)";
  const char *after = R"(
    %x = memref.load %a[%c0] : memref<2xi32>
    %y = memref.load %a[%c1] : memref<2xi32>
    memref.store %x, %b[%c1] : memref<2xi32>
    return %y : i32)";
  EXPECT_EQ(difference(type, before, before), "");
  EXPECT_EQ(difference(type, before, after),
            "([1, 0]; same memory as %arg0) result #0: source 1, target 0");
  EXPECT_FALSE(isHard); // an assumption could explain it
  EXPECT_EQ(replay(), "INVALID");
  EXPECT_EQ(difference(type, before, after, "", /*noAlias=*/true), "");
}

TEST_F(WitnessMemoryTest, ArgumentsMayOverlap) {
  const char *type = "(%a: memref<3xi8>, %b: memref<3xi8>)";
  const char *up = R"(
    affine.for %i = 0 to 3 {
      %x = affine.load %a[%i] : memref<3xi8>
      affine.store %x, %b[%i] : memref<3xi8>
    }
    return)";
  const char *down = R"(
    affine.for %i = 0 to 3 {
      %x = affine.load %a[2 - %i] : memref<3xi8>
      affine.store %x, %b[2 - %i] : memref<3xi8>
    }
    return)";
  std::string text = difference(type, up, down);
  EXPECT_TRUE(StringRef(text).contains("memory of %arg0, 1 element")) << text;
  EXPECT_EQ(replay(), "INVALID");
  EXPECT_EQ(difference(type, up, down, "", /*noAlias=*/true), "");
}

TEST_F(WitnessMemoryTest, ResultsThatAreMemory) {
  const char *type = "(%m: memref<2xi32>) -> memref<2xi32>";
  const char *itself = "return %m : memref<2xi32>";
  const char *copy = R"(
    %a = memref.alloc() : memref<2xi32>
    memref.copy %m, %a : memref<2xi32> to memref<2xi32>
    return %a : memref<2xi32>)";
  EXPECT_EQ(difference(type, copy, copy), "");
  EXPECT_EQ(difference(type, itself, copy),
            "([0, 0]) result #0 shares memory with other arguments or results "
            "than in the source");
  EXPECT_EQ(difference(type, copy, itself),
            "([0, 0]) result #0 shares memory with other arguments or results "
            "than in the source");
  EXPECT_EQ(difference(type, copy, R"(
    %a = memref.alloc() : memref<2xi32>
    memref.copy %m, %a : memref<2xi32> to memref<2xi32>
    memref.dealloc %a : memref<2xi32>
    return %a : memref<2xi32>)"),
            "([0, 0]) result #0 is memory that the target has freed");
}

TEST_F(WitnessMemoryTest, GlobalsHoldAnything) {
  const char *global = "memref.global @g : memref<2xi32> = dense<[1, 2]>\n";
  const char *read = R"(
    %g = memref.get_global @g : memref<2xi32>
    %x = memref.load %g[%c0] : memref<2xi32>
    return %x : i32)";
  const char *folded = "%x = arith.constant 1 : i32\n return %x : i32";
  EXPECT_EQ(difference("() -> i32", read, read, global), "");
  EXPECT_EQ(difference("() -> i32", read, folded, global),
            "([0, 0]) result #0: source 0, target 1");
  EXPECT_EQ(example.inputs[0].name, "@g");
  EXPECT_EQ(replay(), "INVALID");
  EXPECT_EQ(difference("() -> i32", read, folded,
                       "memref.global constant @g : memref<2xi32> = "
                       "dense<[1, 2]>\n"),
            "");
}

TEST_F(WitnessMemoryTest, UnknownFunctions) {
  const char *declaration = "func.func private @g(memref<2xi32>)\n"
                            "func.func private @h(i32)\n";
  const char *type = "(%m: memref<2xi32>, %x: i32) -> i32";
  const char *before = R"(
    memref.store %x, %m[%c0] : memref<2xi32>
    call @g(%m) : (memref<2xi32>) -> ()
    %y = memref.load %m[%c0] : memref<2xi32>
    return %y : i32)";
  EXPECT_EQ(difference(type, before, before, declaration), "");
  // The function may have written there.
  EXPECT_NE(difference(type, before, R"(
    memref.store %x, %m[%c0] : memref<2xi32>
    call @g(%m) : (memref<2xi32>) -> ()
    return %x : i32)",
                       declaration),
            "");
  // It sees what was stored before.
  std::string late = difference(type, before, R"(
    call @g(%m) : (memref<2xi32>) -> ()
    memref.store %x, %m[%c0] : memref<2xi32>
    return %x : i32)",
                                declaration);
  EXPECT_TRUE(StringRef(late).contains("calls @g with other memory")) << late;
  EXPECT_TRUE(
      StringRef(difference(type, before, "return %x : i32", declaration))
          .contains("calls nothing where the source calls @g"));
  EXPECT_TRUE(StringRef(difference("(%m: memref<2xi32>, %x: i32)",
                                   "call @h(%x) : (i32) -> ()\n return", R"(
    %y = arith.addi %x, %x : i32
    call @h(%y) : (i32) -> ()
    return)",
                                   declaration))
                  .contains("calls @h with another argument #0: source"));
  // Memory that nobody else knows stays as it is.
  const char *own = R"(
    %a = memref.alloc() : memref<i32>
    memref.store %x, %a[] : memref<i32>
    call @g(%m) : (memref<2xi32>) -> ()
    %y = memref.load %a[] : memref<i32>
    return %y : i32)";
  EXPECT_EQ(difference(type, own, R"(
    call @g(%m) : (memref<2xi32>) -> ()
    return %x : i32)",
                       declaration),
            "");
}

TEST_F(WitnessMemoryTest, LoopsThatDoNotEndRefuteNothing) {
  const char *type = "(%m: memref<i32>)";
  EXPECT_NE(difference(type, "return", R"(
    scf.while : () -> () {
      %t = arith.constant true
      scf.condition(%t)
    } do {
      scf.yield
    }
    return)"),
            "");
  EXPECT_EQ(example.difference, "");
}

TEST_F(WitnessMemoryTest, TracesShowStoresAndIterations) {
  EXPECT_NE(difference("(%m: memref<2xi32>)", R"(
    affine.for %i = 0 to 2 {
      %v = arith.constant 7 : i32
      affine.store %v, %m[%i] : memref<2xi32>
    }
    return)",
                       R"(
    affine.for %i = 0 to 1 {
      %v = arith.constant 7 : i32
      affine.store %v, %m[%i] : memref<2xi32>
    }
    return)"),
            "");
  std::string trace;
  for (const std::string &line : example.sourceTrace)
    trace += line + "\n";
  EXPECT_TRUE(StringRef(trace).contains("affine.for: %arg1 = 1")) << trace;
  EXPECT_TRUE(StringRef(trace).contains("-> %arg0[1] = 7") ||
              StringRef(trace).contains("->  %arg0[1] = 7"))
      << trace;
}

TEST_F(WitnessMemoryTest, LayoutsOfArguments) {
  const char *type = "(%m: memref<2x2xi8, strided<[?, ?], offset: ?>>)";
  const char *store = R"(
    %v = arith.constant 5 : i8
    memref.store %v, %m[%c1, %c0] : memref<2x2xi8, strided<[?, ?], offset: ?>>
    return)";
  EXPECT_EQ(difference(type, store, store), "");
  EXPECT_NE(difference(type, store, "return"), "");
  EXPECT_EQ(replay(), "INVALID");
  // Strides are not what the row-major type would say.
  EXPECT_NE(difference(type, store, R"(
    %v = arith.constant 5 : i8
    %r = memref.reinterpret_cast %m to offset: [2], sizes: [1], strides: [1] : memref<2x2xi8, strided<[?, ?], offset: ?>> to memref<1xi8, strided<[1], offset: 2>>
    memref.store %v, %r[%c0] : memref<1xi8, strided<[1], offset: 2>>
    return)"),
            "");
}

} // namespace
