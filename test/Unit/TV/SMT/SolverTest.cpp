//===- SolverTest.cpp - Expressions, solvers, child processes -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/SMT/Solver.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace panpipe::tv::smt;
using llvm::APInt;

namespace {

class SolverTest : public ::testing::Test {
protected:
  ExprContext ctx;
  Expr var(const char *name, unsigned width) {
    return ctx.var(name, Sort::bitVec(width));
  }
};

TEST_F(SolverTest, EqualExpressionsAreEqualHandles) {
  Expr x = var("x", 8), y = var("y", 8);
  EXPECT_EQ(x + y, x + y);
  EXPECT_NE(x + y, y + x);
  EXPECT_EQ(eq(x, y), eq(y, x));
  EXPECT_EQ(ctx.bv(3, 8) + ctx.bv(254, 8), ctx.bv(1, 8));
  EXPECT_EQ(extract(concat(x, y), 7, 0), y);
  EXPECT_TRUE(land(eq(x, y), lnot(eq(x, y))).isFalse());
  EXPECT_TRUE(implies(eq(x, y), eq(x, y)).isTrue());
}

TEST_F(SolverTest, FoldingFollowsSmtLib) {
  Expr zero = ctx.bv(0, 8), minus7 = ctx.bv(249, 8), two = ctx.bv(2, 8);
  EXPECT_EQ(udiv(two, zero), ctx.bv(255, 8));
  EXPECT_EQ(urem(two, zero), two);
  EXPECT_EQ(sdiv(minus7, two), ctx.bv(253, 8)); // -3
  EXPECT_EQ(srem(minus7, two), ctx.bv(255, 8)); // -1
  EXPECT_EQ(shl(two, ctx.bv(8, 8)), zero);
  EXPECT_EQ(ashr(minus7, ctx.bv(200, 8)), ctx.bv(255, 8));
  // Euclidean: the remainder is never negative.
  EXPECT_EQ(intDiv(ctx.integer(-7), ctx.integer(2)), ctx.integer(-4));
  EXPECT_EQ(intMod(ctx.integer(-7), ctx.integer(2)), ctx.integer(1));
  EXPECT_EQ(intDiv(ctx.integer(-7), ctx.integer(-2)), ctx.integer(4));
  EXPECT_EQ(intMod(ctx.integer(-7), ctx.integer(-2)), ctx.integer(1));
}

TEST_F(SolverTest, Z3FindsModelsAndProves) {
  Expr x = var("x", 16);
  auto solver = createZ3Solver(ctx);
  ASSERT_TRUE(solver);
  solver->add(eq(x * x.constant(3), x.constant(21)));
  ASSERT_EQ(solver->check({}), CheckResult::Sat);
  EXPECT_EQ(*solver->value(x), APInt(16, 7));
  EXPECT_EQ(*solver->value(x + x), APInt(16, 14));
  solver->push();
  solver->add(ne(x, x.constant(7)));
  EXPECT_EQ(solver->check({}), CheckResult::Unsat);
  solver->pop();
  EXPECT_EQ(solver->check({}), CheckResult::Sat);
}

TEST_F(SolverTest, LinearIntegersAndFunctions) {
  Expr i = ctx.var("i", Sort::integer());
  auto solver = createZ3Solver(ctx);
  solver->add(intLe(ctx.integer(0), i));
  solver->add(intLt(i, ctx.integer(10)));
  solver->add(eq(intMod(i, ctx.integer(7)), ctx.integer(2)));
  solver->add(ne(i, ctx.integer(2)));
  ASSERT_EQ(solver->check({}), CheckResult::Sat);
  EXPECT_EQ(solver->value(i)->getSExtValue(), 9);
  Expr x = var("x", 8), y = var("y", 8);
  Expr fx = ctx.apply("f", {x}, Sort::bitVec(8));
  Expr fy = ctx.apply("f", {y}, Sort::bitVec(8));
  auto other = createZ3Solver(ctx);
  other->add(land(eq(x, y), ne(fx, fy)));
  EXPECT_EQ(other->check({}), CheckResult::Unsat);
}

TEST_F(SolverTest, FloatsAfterACheckAreUnderstood) {
  // A z3 solver made for bit-vectors would treat fp.add as unknown here.
  Expr x = var("x", 16), y = var("y", 16);
  auto fp = [](Expr e) { return fpFromBits(e, 5, 11); };
  auto solver = createZ3Solver(ctx);
  solver->add(ult(x, x.constant(0x7c00)));
  ASSERT_EQ(solver->check({}), CheckResult::Sat);
  solver->add(eq(x, x.constant(0x3c00)));
  solver->add(eq(y, x.constant(0x3c00)));
  solver->add(ne(fpBinary(ExprOp::FpAdd, fp(x), fp(y)),
                 fp(x.constant(0x4000)))); // 1 + 1 = 2
  EXPECT_EQ(solver->check({}), CheckResult::Unsat);
}

TEST_F(SolverTest, AnEvaluatorAgreesWithZ3) {
  Expr x = var("x", 8), y = var("y", 8);
  Expr e = ite(ult(x, y), sextOrTrunc(x * y, 16), concat(x ^ y, ~x));
  auto solver = createZ3Solver(ctx);
  solver->add(eq(x, x.constant(200)));
  solver->add(eq(y, x.constant(31)));
  ASSERT_EQ(solver->check({}), CheckResult::Sat);
  ExprEvaluator ev;
  ev.set(x, APInt(8, 200));
  ev.set(y, APInt(8, 31));
  APInt value;
  ASSERT_TRUE(ev.evaluate(e, value));
  EXPECT_EQ(value, *solver->value(e));
  EXPECT_FALSE(ExprEvaluator().evaluate(e, value)); // x is not known
}

TEST_F(SolverTest, FileNamesAreInjective) {
  EXPECT_NE(escapeFileName("add+0"), escapeFileName("add-0"));
  EXPECT_NE(escapeFileName("a_2b"), escapeFileName("a+"));
  EXPECT_EQ(escapeFileName("add+0"), "add_2b0");
}

TEST_F(SolverTest, DumpsEveryQueryToItsOwnFile) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("panpipe-dump", folder));
  QueryDump dump{std::string(folder)};
  EXPECT_TRUE(dump.write("q", "1"));
  EXPECT_TRUE(dump.write("q", "2"));
  EXPECT_TRUE(dump.write("q/2", "3"));
  unsigned files = 0;
  std::error_code ec;
  for (llvm::sys::fs::directory_iterator it(folder, ec), end; it != end && !ec;
       it.increment(ec))
    ++files;
  EXPECT_EQ(files, 3u);
  llvm::sys::fs::remove_directories(folder);
}

TEST_F(SolverTest, ForkedZ3AnswersWithValues) {
  QueryRunner runner({});
  Expr x = var("x", 16), b = ctx.var("b|", Sort::boolean());
  QueryOptions options;
  options.secondsPerSolver = 20;
  QueryResult r = runner.run("q", {eq(x + x.constant(1), x.constant(0)), b},
                             {x, b}, options);
  ASSERT_EQ(r.result, CheckResult::Sat) << r.reason;
  ASSERT_EQ(r.values.size(), 2u);
  EXPECT_EQ(*r.values[0], APInt(16, 65535));
  EXPECT_EQ(*r.values[1], APInt(1, 1));
  EXPECT_EQ(runner.run("q", {ult(x, x.constant(0)), b}, {x}, options).result,
            CheckResult::Unsat);
}

TEST_F(SolverTest, ALongQueryIsKilledAtItsDeadline) {
  // Factoring: far beyond half a second.
  Expr x = var("x", 64), y = var("y", 64);
  Expr wide = zextOrTrunc(x, 128) * zextOrTrunc(y, 128);
  Expr one = x.constant(1);
  QueryRunner runner({});
  QueryOptions options;
  options.secondsPerSolver = 0.5;
  QueryResult r = runner.run(
      "hard",
      {eq(wide,
          ctx.bv(APInt(128, "340282366920938460843936948965011886881", 10))),
       ugt(x, one), ugt(y, one)},
      {x}, options);
  EXPECT_EQ(r.result, CheckResult::Unknown);
  EXPECT_NE(r.reason.find("timeout"), std::string::npos) << r.reason;
}

TEST_F(SolverTest, ABrokenSolverIsNotATrustedOne) {
  // An executable that says nothing, as PANPIPE_SOLVERS could name.
  QueryRunner runner({{ExternalSolver::Kind::Bitwuzla, "/bin/true", false}});
  QueryOptions options;
  options.useZ3 = false;
  Expr x = var("x", 8);
  QueryResult r = runner.run("q", {ne(x, x)}, {}, options);
  EXPECT_EQ(r.result, CheckResult::Unknown);
  EXPECT_FALSE(r.reason.empty());
}

TEST_F(SolverTest, DisagreementIsUnknown) {
  llvm::SmallString<128> path;
  int fd;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("panpipe-liar", "", fd, path));
  {
    llvm::raw_fd_ostream os(fd, true);
    os << "#!/bin/sh\necho unsat\n";
  }
  ASSERT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::owner_all));
  QueryRunner runner(
      {{ExternalSolver::Kind::Bitwuzla, std::string(path), false}});
  QueryOptions options;
  options.crossCheck = true;
  Expr x = var("x", 8);
  QueryResult r = runner.run("q", {eq(x, x.constant(1))}, {x}, options);
  EXPECT_EQ(r.result, CheckResult::Unknown);
  EXPECT_NE(r.reason.find("disagree"), std::string::npos) << r.reason;
  llvm::sys::fs::remove(path);
}

TEST_F(SolverTest, ExternalSolversAgree) {
  std::vector<ExternalSolver> solvers = findExternalSolvers();
  if (solvers.empty())
    GTEST_SKIP() << "no external solver found (PANPIPE_SOLVERS, PATH)";
  Expr x = var("x", 32);
  Expr f = fpFromBits(x, 8, 24);
  Expr nan = fpTest(ExprOp::FpIsNaN, {f});
  for (const ExternalSolver &s : solvers) {
    QueryRunner runner({s});
    QueryOptions options;
    options.useZ3 = false;
    QueryResult r = runner.run(
        "q", {nan, eq(extract(x, 15, 0), ctx.bv(0x1234, 16))}, {x}, options);
    ASSERT_EQ(r.result, CheckResult::Sat) << s.name() << ": " << r.reason;
    ASSERT_TRUE(r.values[0].has_value()) << s.name();
    EXPECT_EQ(r.values[0]->extractBitsAsZExtValue(16, 0), 0x1234u);
    EXPECT_EQ(r.values[0]->extractBitsAsZExtValue(8, 23), 255u);
    QueryResult u = runner.run(
        "u", {nan, ult(x & x.constant(0x7fffffff), x.constant(0x7f800000))}, {},
        options);
    EXPECT_EQ(u.result, CheckResult::Unsat) << s.name() << ": " << u.reason;
  }
}

} // namespace
