//===- SoakTest.cpp - Random programs and their mutants -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A random program refines itself, and a mutant of it is VALID only if no
/// execution tells the two apart. Fixed seeds; PANPIPE_ALL_TESTS runs more.
///
//===----------------------------------------------------------------------===//

#include "../../../../lib/TV/Witness.h"

#include "panpipe/TV/Validate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <random>

using namespace mlir;
using namespace panpipe::tv;

namespace {

/// Straight-line programs on 2x3 and 3x2 tensors of one element type.
class Program {
public:
  Program(unsigned seed, bool isFloat)
      : random(seed), isFloat(isFloat), element(isFloat ? "f32" : "i8") {
    wide = {"%x", "%y"};
    unsigned steps = 2 + random() % 5;
    for (unsigned i = 0; i < steps; ++i)
      addStep();
  }
  /// Program text; `mutated` (an index of `lines`) is replaced by its mutant.
  std::string text(int mutated = -1) const {
    std::string t = type(true);
    std::string body = "func.func @f(%x: " + t + ", %y: " + t + ") -> " + t +
                       " {\n  %zero = arith.constant " +
                       (isFloat ? "0.0 : f32" : "0 : i8") +
                       "\n  %one = arith.constant dense<" +
                       (isFloat ? "1.0" : "1") + "> : " + t + "\n";
    for (auto [i, line] : llvm::enumerate(lines))
      body += (int(i) == mutated ? mutants[i] : line) + "\n";
    return body + "  return " + wide.back() + " : " + t + "\n}\n";
  }
  unsigned size() const { return lines.size(); }

private:
  std::string type(bool isWide) const {
    return std::string("tensor<") + (isWide ? "2x3x" : "3x2x") + element + ">";
  }
  std::string pick(const std::vector<std::string> &from) {
    return from[random() % from.size()];
  }
  std::string fresh() { return "%v" + std::to_string(counter++); }
  void add(std::string line, std::string mutant) {
    lines.push_back("  " + line);
    mutants.push_back("  " + mutant);
  }
  void addBinary() {
    static const std::vector<std::string> floats = {
        "arith.addf", "arith.mulf", "arith.subf", "arith.maximumf",
        "arith.minimumf"};
    static const std::vector<std::string> ints = {
        "arith.addi", "arith.muli", "arith.subi", "arith.maxsi",
        "arith.andi", "arith.xori", "arith.minui"};
    const auto &pool = isFloat ? floats : ints;
    std::string a = pick(wide), b = random() % 4 ? pick(wide) : "%one";
    std::string op = pick(pool), other = pick(pool), v = fresh();
    std::string tail = " : " + type(true);
    // Half of the mutants swap operands: often the same program.
    add(v + " = " + op + " " + a + ", " + b + tail,
        random() % 2 ? v + " = " + op + " " + b + ", " + a + tail
                     : v + " = " + other + " " + a + ", " + b + tail);
    wide.push_back(v);
  }
  void addTransposeTwice() {
    std::string a = pick(wide), e = fresh(), t = fresh(), e2 = fresh(),
                v = fresh();
    lines.push_back("  " + e + " = tensor.empty() : " + type(false));
    mutants.push_back(lines.back());
    std::string line = t + " = linalg.transpose ins(" + a + " : " + type(true) +
                       ") outs(" + e + " : " + type(false) +
                       ") permutation = [1, 0]";
    // A reshape has the same type but another order.
    add(line, "%c" + t.substr(1) + " = tensor.collapse_shape " + a +
                  " [[0, 1]] : " + type(true) + " into tensor<6x" + element +
                  ">\n  " + t + " = tensor.expand_shape %c" + t.substr(1) +
                  " [[0, 1]] output_shape [3, 2] : tensor<6x" + element +
                  "> into " + type(false));
    lines.push_back("  " + e2 + " = tensor.empty() : " + type(true));
    mutants.push_back(lines.back());
    line = v + " = linalg.transpose ins(" + t + " : " + type(false) +
           ") outs(" + e2 + " : " + type(true) + ") permutation = [1, 0]";
    add(line, line);
    wide.push_back(v);
  }
  void addShift() {
    std::string a = pick(wide), s = fresh(), v = fresh();
    std::string narrow = "tensor<2x2x" + std::string(element) + ">";
    auto slice = [&](unsigned at) {
      return s + " = tensor.extract_slice " + a + "[0, " + std::to_string(at) +
             "] [2, 2] [1, 1] : " + type(true) + " to " + narrow;
    };
    add(slice(1), slice(0));
    auto pad = [&](unsigned low) {
      return v + " = tensor.pad " + s + " low[0, " + std::to_string(low) +
             "] high[0, " + std::to_string(1 - low) +
             "] {\n  ^bb0(%i: index, %j: index):\n    tensor.yield %zero : " +
             element + "\n  } : " + narrow + " to " + type(true);
    };
    unsigned low = random() % 2;
    add(pad(low), pad(1 - low));
    wide.push_back(v);
  }
  void addReduce() {
    std::string a = pick(wide), e = fresh(), z = fresh(), r = fresh(),
                e2 = fresh(), v = fresh();
    std::string row = std::string("tensor<2x") + element + ">";
    auto line = [&](std::string text) { add(text, text); };
    line(e + " = tensor.empty() : " + row);
    line(z + " = linalg.fill ins(%zero : " + element + ") outs(" + e + " : " +
         row + ") -> " + row);
    auto reduce = [&](const char *op) {
      return r + " = linalg.reduce { " + op + " } ins(" + a + " : " +
             type(true) + ") outs(" + z + " : " + row + ") dimensions = [1]";
    };
    add(reduce(isFloat ? "arith.addf" : "arith.addi"),
        reduce(isFloat ? "arith.maximumf" : "arith.xori"));
    line(e2 + " = tensor.empty() : " + type(true));
    line(v + " = linalg.broadcast ins(" + r + " : " + row + ") outs(" + e2 +
         " : " + type(true) + ") dimensions = [1]");
    wide.push_back(v);
  }
  void addStep() {
    switch (random() % 6) {
    case 0:
      return addTransposeTwice();
    case 1:
      return addShift();
    case 2:
      return addReduce();
    default:
      return addBinary();
    }
  }

  std::mt19937 random;
  bool isFloat;
  const char *element;
  std::vector<std::string> wide, lines, mutants;
  unsigned counter = 0;
};

class SoakTest : public testing::Test {
protected:
  SoakTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect, ub::UBDialect>();
    options.seconds = 5;
    options.deepSteps = 2'000'000;
  }
  VerdictKind verdict(ModuleOp source, ModuleOp target) {
    return validate(source, target, options).verdict();
  }
  void run(unsigned seed, bool isFloat);

  MLIRContext context;
  Options options;
};

void SoakTest::run(unsigned seed, bool isFloat) {
  Program program(seed, isFloat);
  auto source = parseSourceString<ModuleOp>(program.text(), &context);
  ASSERT_TRUE(source) << program.text();
  VerdictKind self = verdict(*source, *source);
  EXPECT_EQ(toString(self), toString(VerdictKind::Valid)) << program.text();
  for (unsigned k = 0; k < program.size(); ++k) {
    std::string mutant = program.text(k);
    if (mutant == program.text())
      continue;
    auto target = parseSourceString<ModuleOp>(mutant, &context);
    ASSERT_TRUE(target) << mutant;
    if (verdict(*source, *target) != VerdictKind::Valid)
      continue;
    Witness witness(cast<FunctionOpInterface>(source->lookupSymbol("f")),
                    cast<FunctionOpInterface>(target->lookupSymbol("f")), 64);
    std::optional<Found> found = witness.search(5'000'000, 2000);
    EXPECT_FALSE(found) << "VALID, but " << found->trial.text << "\n"
                        << program.text() << mutant;
  }
}

unsigned rounds() { return std::getenv("PANPIPE_ALL_TESTS") ? 300 : 12; }

TEST_F(SoakTest, Integers) {
  for (unsigned seed = 0; seed < rounds(); ++seed)
    run(seed, false);
}

TEST_F(SoakTest, Floats) {
  for (unsigned seed = 0; seed < rounds(); ++seed)
    run(1000 + seed, true);
}

} // namespace
