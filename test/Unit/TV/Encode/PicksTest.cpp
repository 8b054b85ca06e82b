//===- PicksTest.cpp - Names of executions that pick ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Picks.h"
#include "panpipe/TV/Term/FoldDomain.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OperationSupport.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace panpipe::tv;

namespace {

class PicksTest : public ::testing::Test {
protected:
  PicksTest() { context.allowUnregisteredDialects(); }
  ~PicksTest() override {
    for (Operation *op : ops)
      op->destroy();
  }
  Operation *op() {
    OperationState state(UnknownLoc::get(&context), "test.op");
    ops.push_back(Operation::create(state));
    return ops.back();
  }
  uint32_t maxnum(Operation *op, unsigned instance, const Term *a,
                  const Term *b) {
    Element operands[] = {{a, nullptr}, {b, nullptr}};
    return picks.name(op, instance, ScalarOp::MaxNumF, {}, f32, operands);
  }

  MLIRContext context;
  std::vector<Operation *> ops;
  TermContext terms;
  PickTable picks;
  ScalarType f32 = ScalarType::floating(llvm::APFloatBase::S_IEEEsingle);
  const Term *x = terms.mkSymbol(f32, "x");
  const Term *y = terms.mkSymbol(f32, "y");
};

TEST_F(PicksTest, ExecutionsOfTheTargetHaveNamesOfTheirOwn) {
  picks.mode = PickTable::Mode::Flags;
  Operation *first = op(), *second = op();
  uint32_t a = maxnum(first, 1, x, y);
  EXPECT_NE(a, 0u);
  EXPECT_NE(maxnum(second, 1, x, y), a);
  EXPECT_NE(maxnum(first, 2, x, y), a) << "the block is executed again";
  EXPECT_EQ(maxnum(first, 1, x, y), a) << "and here it is not";
}

TEST_F(PicksTest, TheSourceCopies) {
  picks.mode = PickTable::Mode::Flags;
  uint32_t a = maxnum(op(), 1, x, y), b = maxnum(op(), 1, x, y);
  uint32_t c = maxnum(op(), 1, y, y);
  picks.target = false;
  uint32_t count = picks.count();
  EXPECT_EQ(maxnum(op(), 1, x, y), a);
  EXPECT_EQ(maxnum(op(), 1, x, y), b);
  EXPECT_EQ(maxnum(op(), 1, x, y), b) << "several may copy one";
  EXPECT_EQ(maxnum(op(), 1, y, y), c);
  EXPECT_GT(maxnum(op(), 1, y, x), count) << "the target has none like it";
  EXPECT_TRUE(picks.split.empty());
}

TEST_F(PicksTest, AnExecutionOfTheSourceWithTwoNamesIsNoted) {
  picks.mode = PickTable::Mode::Flags;
  picks.target = false;
  Operation *one = op();
  maxnum(one, 1, x, y);
  maxnum(one, 1, y, x);
  EXPECT_EQ(picks.split.size(), 1u);
}

TEST_F(PicksTest, OnlySetsHaveNames) {
  Element operands[] = {{x, nullptr}, {y, nullptr}};
  auto add = [&](uint8_t flags) {
    ScalarAttrs attrs;
    attrs.fastMath = flags;
    return picks.name(op(), 1, ScalarOp::AddF, attrs, f32, operands);
  };
  EXPECT_EQ(maxnum(op(), 1, x, y), 0u) << "off";
  picks.mode = PickTable::Mode::Flags;
  EXPECT_EQ(add(0), 0u);
  EXPECT_EQ(add(FMF_nnan | FMF_ninf), 0u) << "poison, not a set";
  EXPECT_NE(add(FMF_nsz), 0u);
  picks.mode = PickTable::Mode::Bits;
  EXPECT_NE(add(0), 0u);
  EXPECT_EQ(picks.name(op(), 1, ScalarOp::NegF, {}, f32, operands[0]), 0u)
      << "moves bits";
}

TEST_F(PicksTest, NamedOperationsAreDifferentTerms) {
  ScalarAttrs a, b;
  a.pick = 1;
  b.pick = 2;
  EXPECT_EQ(terms.mkOp(ScalarOp::AddF, a, f32, {x, y}),
            terms.mkOp(ScalarOp::AddF, a, f32, {y, x}));
  EXPECT_NE(terms.mkOp(ScalarOp::AddF, a, f32, {x, y}),
            terms.mkOp(ScalarOp::AddF, b, f32, {x, y}));
  // No rule narrows the set of its results.
  const Term *zero = terms.mkFloat(f32, -0.0);
  EXPECT_EQ(terms.mkOp(ScalarOp::AddF, f32, {x, zero}), x);
  EXPECT_NE(terms.mkOp(ScalarOp::AddF, a, f32, {x, zero}), x);
}

TEST_F(PicksTest, Determines) {
  IndexTerm i = terms.ownIndex(0), j = terms.ownIndex(1);
  const TensorBase *base = terms.argumentBase("t", f32, 1);
  auto read = [&](IndexTerm at) { return terms.mkRead(base, {at}); };
  auto sum = [&](const Term *a, const Term *b) {
    return terms.mkOp(ScalarOp::AddF, f32, {a, b});
  };
  EXPECT_TRUE(determines(read(i), {i}));
  EXPECT_FALSE(determines(read(i), {i, j}));
  EXPECT_FALSE(determines(read(i + j), {i, j}));
  EXPECT_TRUE(determines(sum(read(i + j), read(j)), {i, j}));
  EXPECT_TRUE(determines(read(i * 2 + 3), {i}));
  IndexContext inside =
      terms.emptyContext().withExtent(i, terms.index().constant(10));
  EXPECT_FALSE(
      determines(read(inside.floorDiv(i, terms.index().constant(2))), {i}));
  // What a case distinction says may go with it.
  const Term *cases =
      terms.mkIte({geZero(i - 5)}, read(terms.index().constant(0)),
                  read(terms.index().constant(1)), inside);
  EXPECT_FALSE(determines(cases, {i}));
  EXPECT_TRUE(determines(sum(cases, read(i)), {i}));
}

} // namespace
