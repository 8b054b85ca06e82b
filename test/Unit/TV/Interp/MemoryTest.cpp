//===- MemoryTest.cpp - Tests of loops and memory in execution ------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Interp/Interpreter.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace panpipe::tv;

namespace {

class MemoryTest : public testing::Test {
protected:
  MemoryTest() {
    context.loadDialect<
        affine::AffineDialect, arith::ArithDialect,
        bufferization::BufferizationDialect, cf::ControlFlowDialect,
        func::FuncDialect, linalg::LinalgDialect, memref::MemRefDialect,
        scf::SCFDialect, tensor::TensorDialect, ub::UBDialect>();
  }

  /// A memref with the elements of a dense attribute, row-major.
  ValuePtr memref(StringRef text) {
    auto tensor = ConcreteValue::fromAttribute(parseAttribute(text, &context));
    auto block = std::make_shared<MemoryBlock>(MemoryBlock::Kind::Argument,
                                               tensor->type(), tensor->size());
    for (int64_t i = 0; i < tensor->size(); ++i)
      block->store(i * bytesOf(tensor->type()), tensor->type(), tensor->get(i));
    MemoryView view;
    view.block = block;
    for (int64_t stride : ConcreteValue::stridesOf(tensor->shape()))
      view.strides.push_back(stride);
    return std::make_shared<ConcreteValue>(
        ConcreteValue::memref(tensor->type(), tensor->shape(), view));
  }
  ValuePtr value(StringRef text) {
    return std::make_shared<ConcreteValue>(
        *ConcreteValue::fromAttribute(parseAttribute(text, &context)));
  }

  /// Runs @f; results, then "|" and the memory of each memref argument.
  std::string run(StringRef text, std::vector<ValuePtr> arguments,
                  InterpreterOptions options = {}) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return "does not parse";
    if (!options.stepBudget)
      options.stepBudget = 100'000;
    Outcome outcome = interpret(module->lookupSymbol("f"), arguments, options);
    if (outcome.kind == Outcome::Undefined)
      return "ub: " + outcome.reason;
    if (outcome.kind == Outcome::Unsupported)
      return "unsupported: " + outcome.reason;
    if (outcome.kind == Outcome::OutOfBudget)
      return "budget: " + outcome.reason;
    std::string joined;
    for (const ValuePtr &result : outcome.results)
      joined += (joined.empty() ? "" : "; ") + result->str(100);
    for (const ValuePtr &memory : outcome.memory)
      if (memory->isMemRef())
        joined += " | " + memory->str(100);
    return joined;
  }

  MLIRContext context;
};

TEST_F(MemoryTest, ForLoopsCompareSignedAndCarryValues) {
  const char *text = R"(
    func.func @f(%n: i8) -> i8 {
      %low = arith.constant -2 : i8
      %one = arith.constant 1 : i8
      %zero = arith.constant 0 : i8
      %0 = scf.for %i = %low to %n step %one iter_args(%s = %zero) -> i8 : i8 {
        %1 = arith.addi %s, %i : i8
        scf.yield %1 : i8
      }
      return %0 : i8
    })";
  EXPECT_EQ(run(text, {value("3 : i8")}), "0");
  EXPECT_EQ(run(text, {value("2 : i8")}), "-2");
  EXPECT_EQ(run(text, {value("-2 : i8")}), "0"); // no iteration
  // The counter does not wrap around behind the largest number.
  EXPECT_EQ(run(text, {value("127 : i8")}), "62");
  const char *step = R"(
    func.func @f(%s: index) {
      %c0 = arith.constant 0 : index
      scf.for %i = %c0 to %c0 step %s {
      }
      return
    })";
  EXPECT_EQ(run(step, {value("0 : index")}), "ub: the step is not positive");
  EXPECT_EQ(run(step, {value("1 : index")}), "");
}

TEST_F(MemoryTest, WhileRunsBeforeOnceMore) {
  const char *text = R"(
    func.func @f(%n: i32, %m: memref<2xi32>) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %r = scf.while (%i = %zero) : (i32) -> i32 {
        %a = memref.load %m[%c0] : memref<2xi32>
        %b = arith.addi %a, %one : i32
        memref.store %b, %m[%c0] : memref<2xi32>
        %c = arith.cmpi slt, %i, %n : i32
        %j = arith.muli %i, %i : i32
        scf.condition(%c) %j : i32
      } do {
      ^bb0(%j: i32):
        %a = memref.load %m[%c1] : memref<2xi32>
        %b = arith.addi %a, %one : i32
        memref.store %b, %m[%c1] : memref<2xi32>
        %k = arith.addi %j, %one : i32
        scf.yield %k : i32
      }
      return %r : i32
    })";
  EXPECT_EQ(run(text, {value("3 : i32"), memref("dense<0> : tensor<2xi32>")}),
            "25 | [4, 3]");
}

TEST_F(MemoryTest, BranchesAndTheBudget) {
  const char *text = R"(
    func.func @f(%n: i32) -> i32 {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      cf.br ^head(%zero : i32)
    ^head(%i: i32):
      %c = arith.cmpi eq, %i, %n : i32
      cf.cond_br %c, ^exit(%i : i32), ^body
    ^body:
      %j = arith.addi %i, %one : i32
      cf.br ^head(%j : i32)
    ^exit(%r: i32):
      return %r : i32
    })";
  EXPECT_EQ(run(text, {value("5 : i32")}), "5");
  EXPECT_EQ(run(text, {value("-1 : i32")}), "budget: more than 100000 steps");
  const char *choice = R"(
    func.func @f(%n: i32) -> i32 {
      %a = arith.constant 10 : i32
      %p = ub.poison : i32
      cf.switch %n : i32, [
        default: ^bb1(%n : i32),
        1: ^bb1(%a : i32),
        2: ^bb1(%p : i32),
        3: ^bb2
      ]
    ^bb1(%r: i32):
      return %r : i32
    ^bb2:
      ub.unreachable
    })";
  EXPECT_EQ(run(choice, {value("1 : i32")}), "10");
  EXPECT_EQ(run(choice, {value("2 : i32")}), "poison");
  EXPECT_EQ(run(choice, {value("3 : i32")}), "ub: unreachable code is reached");
  EXPECT_EQ(run(choice, {value("9 : i32")}), "9");
  const char *poison = R"(
    func.func @f() {
      %p = ub.poison : i1
      scf.if %p {
      }
      return
    })";
  EXPECT_EQ(run(poison, {}), "ub: branch on poison");
}

TEST_F(MemoryTest, BoundsAndLife) {
  auto body = [&](const char *lines) {
    return run(std::string("func.func @f(%m: memref<2x3xi32>, %i: index) -> "
                           "i32 {\n %c0 = arith.constant 0 : index\n"
                           "%c1 = arith.constant 1 : index\n") +
                   lines + "\n return %r : i32 }",
               {memref("dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>"),
                value("3 : index")});
  };
  EXPECT_EQ(body("%r = memref.load %m[%c1, %c0] : memref<2x3xi32>"),
            "4 | [[1, 2, 3], [4, 5, 6]]");
  // Inside of the block, but not inside of its row.
  EXPECT_EQ(body("%r = memref.load %m[%c0, %i] : memref<2x3xi32>"),
            "ub: index 3 is out of bounds (size 3)");
  EXPECT_EQ(body(R"(
    %a = memref.alloc() : memref<i32>
    memref.dealloc %a : memref<i32>
    %r = memref.load %a[] : memref<i32>)"),
            "ub: access to memory that was freed");
  EXPECT_EQ(body(R"(
    %r = arith.constant 0 : i32
    %a = memref.alloc() : memref<i32>
    memref.dealloc %a : memref<i32>
    memref.dealloc %a : memref<i32>)"),
            "ub: memory is freed twice");
  EXPECT_EQ(body(R"(
    %r = arith.constant 0 : i32
    %a = memref.alloca() : memref<i32>
    memref.dealloc %a : memref<i32>)"),
            "ub: memory of the stack is freed");
  EXPECT_EQ(body(R"(
    %a = memref.alloca_scope -> (memref<i32>) {
      %b = memref.alloca() : memref<i32>
      memref.alloca_scope.return %b : memref<i32>
    }
    %r = memref.load %a[] : memref<i32>)"),
            "ub: access to memory that was freed");
  EXPECT_EQ(body(R"(
    %a = memref.alloc() : memref<i32>
    %r = memref.load %a[] : memref<i32>)"),
            "?17 | [[1, 2, 3], [4, 5, 6]]");
}

TEST_F(MemoryTest, ViewsShareMemory) {
  auto body = [&](const char *lines) {
    return run(std::string("func.func @f(%m: memref<2x3xi32>) {\n"
                           "%c0 = arith.constant 0 : index\n"
                           "%c1 = arith.constant 1 : index\n"
                           "%v = arith.constant 9 : i32\n") +
                   lines + "\n return }",
               {memref("dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>")});
  };
  EXPECT_EQ(body(R"(
    %s = memref.subview %m[0, 1] [2, 2] [1, 1] : memref<2x3xi32> to memref<2x2xi32, strided<[3, 1], offset: 1>>
    memref.store %v, %s[%c1, %c0] : memref<2x2xi32, strided<[3, 1], offset: 1>>)"),
            " | [[1, 2, 3], [4, 9, 6]]");
  EXPECT_EQ(body(R"(
    %s = memref.subview %m[%c1, 0] [1, 3] [1, 1] : memref<2x3xi32> to memref<3xi32, strided<[1], offset: ?>>
    memref.store %v, %s[%c1] : memref<3xi32, strided<[1], offset: ?>>)"),
            " | [[1, 2, 3], [4, 9, 6]]");
  EXPECT_EQ(body(R"(
    %s = memref.subview %m[%c1, %c1] [2, 2] [1, 1] : memref<2x3xi32> to memref<2x2xi32, strided<[3, 1], offset: ?>>)"),
            "ub: the view runs from 1 to 2 in dimension 0 of size 2");
  EXPECT_EQ(body(R"(
    %t = memref.transpose %m (i, j) -> (j, i) : memref<2x3xi32> to memref<3x2xi32, strided<[1, 3]>>
    memref.store %v, %t[%c1, %c0] : memref<3x2xi32, strided<[1, 3]>>)"),
            " | [[1, 9, 3], [4, 5, 6]]");
  EXPECT_EQ(body(R"(
    %s = memref.collapse_shape %m [[0, 1]] : memref<2x3xi32> into memref<6xi32>
    %e = memref.expand_shape %s [[0, 1]] output_shape [3, 2] : memref<6xi32> into memref<3x2xi32>
    memref.store %v, %e[%c1, %c1] : memref<3x2xi32>)"),
            " | [[1, 2, 3], [9, 5, 6]]");
  EXPECT_EQ(body(R"(
    %r = memref.reinterpret_cast %m to offset: [1], sizes: [2], strides: [2] : memref<2x3xi32> to memref<2xi32, strided<[2], offset: 1>>
    memref.store %v, %r[%c1] : memref<2xi32, strided<[2], offset: 1>>)"),
            " | [[1, 2, 3], [9, 5, 6]]");
  EXPECT_EQ(body(R"(
    %d = memref.cast %m : memref<2x3xi32> to memref<?x?xi32>
    %e = memref.cast %d : memref<?x?xi32> to memref<3x?xi32>)"),
            "ub: a size is 2 where the type says 3");
  // One read behind the other's write: all is read first.
  EXPECT_EQ(body(R"(
    %a = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<2x3xi32> to memref<2x2xi32, strided<[3, 1]>>
    %b = memref.subview %m[0, 1] [2, 2] [1, 1] : memref<2x3xi32> to memref<2x2xi32, strided<[3, 1], offset: 1>>
    memref.copy %a, %b : memref<2x2xi32, strided<[3, 1]>> to memref<2x2xi32, strided<[3, 1], offset: 1>>)"),
            " | [[1, 1, 2], [4, 4, 5]]");
}

TEST_F(MemoryTest, BytesOfOtherTypes) {
  EXPECT_EQ(run(R"(
    func.func @f(%m: memref<8xi8>) -> (f32, index) {
      %c4 = arith.constant 4 : index
      %c0 = arith.constant 0 : index
      %v = memref.view %m[%c4][] : memref<8xi8> to memref<1xf32>
      %x = memref.load %v[%c0] : memref<1xf32>
      %one = arith.constant 1.0 : f32
      memref.store %one, %v[%c0] : memref<1xf32>
      %d = memref.dim %m, %c0 : memref<8xi8>
      return %x, %d : f32, index
    })",
                {memref("dense<[1, 2, 3, 4, 0, 0, 0, 64]> : tensor<8xi8>")}),
            "2.0; 8 | [1, 2, 3, 4, 0, 0, -128, 63]");
}

TEST_F(MemoryTest, ArgumentsMayAlias) {
  const char *text = R"(
    func.func @f(%a: memref<2xi32>, %b: memref<2xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = memref.load %a[%c0] : memref<2xi32>
      memref.store %x, %b[%c1] : memref<2xi32>
      return
    })";
  ValuePtr a = memref("dense<[1, 2]> : tensor<2xi32>");
  EXPECT_EQ(run(text, {a, a}), " | [1, 1] | [1, 1]");
  EXPECT_EQ(run(text, {a, memref("dense<[3, 4]> : tensor<2xi32>")}),
            " | [1, 2] | [3, 1]");
  EXPECT_EQ(a->str(), "[1, 2]"); // inputs do not change
}

TEST_F(MemoryTest, GlobalsKeepTheirContents) {
  const char *text = R"(
    memref.global "private" constant @c : memref<2xi32> = dense<[5, 6]>
    memref.global "private" @g : memref<2xi32> = dense<7>
    func.func private @bump() {
      %c0 = arith.constant 0 : index
      %g = memref.get_global @g : memref<2xi32>
      %c = memref.get_global @c : memref<2xi32>
      %x = memref.load %g[%c0] : memref<2xi32>
      %y = memref.load %c[%c0] : memref<2xi32>
      %z = arith.addi %x, %y : i32
      memref.store %z, %g[%c0] : memref<2xi32>
      return
    }
    func.func @f() -> memref<2xi32> {
      call @bump() : () -> ()
      call @bump() : () -> ()
      %g = memref.get_global @g : memref<2xi32>
      return %g : memref<2xi32>
    })";
  EXPECT_EQ(run(text, {}), "[17, 7]");
  InterpreterOptions options;
  options.globals.emplace_back("g", memref("dense<[1, 2]> : tensor<2xi32>"));
  EXPECT_EQ(run(text, {}, options), "[11, 2] | [11, 2]");
  EXPECT_EQ(run(R"(
    memref.global "private" constant @c : memref<i32> = dense<5>
    func.func @f(%x: i32) {
      %c = memref.get_global @c : memref<i32>
      memref.store %x, %c[] : memref<i32>
      return
    })",
                {value("1 : i32")}),
            "ub: write to memory that must not be written");
}

TEST_F(MemoryTest, AffineLoopsAndAccesses) {
  EXPECT_EQ(run(R"(
    func.func @f(%m: memref<6xi32>, %n: index) {
      affine.for %i = 0 to min affine_map<(d0) -> (d0, 4)>(%n) step 2 {
        %x = affine.load %m[%i + 1] : memref<6xi32>
        affine.store %x, %m[symbol(%n) mod 4 + %i] : memref<6xi32>
        affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%i) {
          affine.store %x, %m[5] : memref<6xi32>
        }
      }
      return
    })",
                {memref("dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>"),
                 value("4 : index")}),
            " | [2, 2, 4, 4, 5, 4]");
  EXPECT_EQ(run(R"(
    func.func @f(%i: index) -> (index, index, index) {
      %0:2 = affine.delinearize_index %i into (3, 4) : index, index
      %1 = affine.linearize_index [%0#0, %0#1] by (3, 4) : index
      return %0#0, %0#1, %1 : index, index, index
    })",
                {value("7 : index")}),
            "1; 3; 7");
}

TEST_F(MemoryTest, ParallelIterationsMustNotConflict) {
  auto loop = [&](const char *lines) {
    return run(std::string("func.func @f(%m: memref<4xi32>) {\n"
                           "%c0 = arith.constant 0 : index\n"
                           "%c1 = arith.constant 1 : index\n"
                           "%c3 = arith.constant 3 : index\n"
                           "%v = arith.constant 9 : i32\n"
                           "scf.parallel (%i) = (%c0) to (%c3) step (%c1) {") +
                   lines + "\n scf.reduce } return }",
               {memref("dense<[1, 2, 3, 4]> : tensor<4xi32>")});
  };
  EXPECT_EQ(loop("memref.store %v, %m[%i] : memref<4xi32>"), " | [9, 9, 9, 4]");
  const char *conflict = "ub: iterations of a parallel loop access the same "
                         "memory, and one of them writes it";
  EXPECT_EQ(loop("memref.store %v, %m[%c0] : memref<4xi32>"), conflict);
  EXPECT_EQ(loop(R"(
    %j = arith.addi %i, %c1 : index
    %x = memref.load %m[%j] : memref<4xi32>
    memref.store %x, %m[%i] : memref<4xi32>)"),
            conflict);
  EXPECT_EQ(loop("%x = memref.load %m[%c3] : memref<4xi32>\n"
                 "memref.store %x, %m[%i] : memref<4xi32>"),
            " | [4, 4, 4, 4]");
  EXPECT_EQ(loop("%x = memref.atomic_rmw addi %v, %m[%c0] : (i32, "
                 "memref<4xi32>) -> i32"),
            " | [28, 2, 3, 4]");
}

TEST_F(MemoryTest, ReductionsHaveAnOpenOrder) {
  const char *text = R"(
    func.func @f(%t: tensor<3xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %zero = arith.constant 0.0 : f32
      %r = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init (%zero) -> f32 {
        %x = tensor.extract %t[%i] : tensor<3xf32>
        scf.reduce(%x : f32) {
        ^bb0(%a: f32, %b: f32):
          %s = arith.addf %a, %b : f32
          scf.reduce.return %s : f32
        }
      }
      return %r : f32
    })";
  EXPECT_EQ(run(text, {value("dense<[1.0, 2.0, 3.0]> : tensor<3xf32>")}),
            "6.0");
  EXPECT_EQ(run(text, {value("dense<[1.0e8, 1.0, -1.0e8]> : tensor<3xf32>")}),
            "?0.0");
  EXPECT_EQ(run(text, {value("dense<[1.0e8, -1.0e8, 1.0]> : tensor<3xf32>")}),
            "?1.0");
}

TEST_F(MemoryTest, ForallPutsSlicesTogether) {
  auto text = [](const char *at) {
    return std::string(R"(
    func.func @f(%t: tensor<4xi32>, %u: tensor<2xi32>) -> tensor<4xi32> {
      %c0 = arith.constant 0 : index
      %r = scf.forall (%i) in (2) shared_outs(%o = %t) -> (tensor<4xi32>) {
        %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %u into %o[)") +
           at + R"(] [2] [1] : tensor<2xi32> into tensor<4xi32>
        }
      }
      return %r : tensor<4xi32>
    })";
  };
  std::vector<ValuePtr> inputs = {value("dense<[1, 2, 3, 4]> : tensor<4xi32>"),
                                  value("dense<[8, 9]> : tensor<2xi32>")};
  EXPECT_EQ(run(text("%k"), inputs), "[8, 9, 8, 9]");
  EXPECT_EQ(run(text("%i"), inputs),
            "ub: two iterations write the same element");
}

TEST_F(MemoryTest, LinalgOnBuffersRunsInOrder) {
  EXPECT_EQ(run(R"(
    func.func @f(%m: memref<4xi32>) {
      %a = memref.subview %m[0] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1]>>
      %b = memref.subview %m[1] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1], offset: 1>>
      linalg.generic {
        indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]}
        ins(%a : memref<3xi32, strided<[1]>>)
        outs(%b : memref<3xi32, strided<[1], offset: 1>>) {
      ^bb0(%x: i32, %y: i32):
        %s = arith.addi %x, %y : i32
        linalg.yield %s : i32
      }
      return
    })",
                {memref("dense<[1, 2, 3, 4]> : tensor<4xi32>")}),
            " | [1, 3, 6, 10]");
}

TEST_F(MemoryTest, BetweenTensorsAndBuffers) {
  EXPECT_EQ(run(R"(
    func.func @f(%m: memref<2xi32>, %t: tensor<2xi32>) -> (tensor<2xi32>, i32) {
      %c0 = arith.constant 0 : index
      %v = arith.constant 9 : i32
      %old = bufferization.to_tensor %m : memref<2xi32> to tensor<2xi32>
      memref.store %v, %m[%c0] : memref<2xi32>
      %b = bufferization.to_buffer %t read_only : tensor<2xi32> to memref<2xi32>
      %x = memref.load %b[%c0] : memref<2xi32>
      return %old, %x : tensor<2xi32>, i32
    })",
                {memref("dense<[1, 2]> : tensor<2xi32>"),
                 value("dense<[3, 4]> : tensor<2xi32>")}),
            "[1, 2]; 3 | [9, 2]");
  EXPECT_EQ(run(R"(
    func.func @f(%t: tensor<2xi32>, %v: i32) {
      %c0 = arith.constant 0 : index
      %b = bufferization.to_buffer %t : tensor<2xi32> to memref<2xi32>
      memref.store %v, %b[%c0] : memref<2xi32>
      return
    })",
                {value("dense<[3, 4]> : tensor<2xi32>"), value("1 : i32")}),
            "ub: write to memory that must not be written");
}

} // namespace
