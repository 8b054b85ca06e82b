//===- MemorySoakTest.cpp - Random programs with loops and memory ---------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random programs over memrefs, loops and conditionals, their mutants, and
/// what passes make of them. VALID only if no execution tells the two apart;
/// what a pass of MLIR made is never INVALID. Fixed seeds; PANPIPE_SOAK_PAIRS
/// sets the number of pairs, PANPIPE_SOAK_SEED the first seed.
///
//===----------------------------------------------------------------------===//

#include "../../../../lib/TV/Witness.h"

#include "panpipe/TV/Validate.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <map>
#include <random>

using namespace mlir;
using namespace panpipe::tv;

namespace {

/// A program as lines; a mutant replaces one of them or swaps two neighbours.
class Program {
public:
  explicit Program(unsigned seed) : random(seed) {
    scalars = {"%x", "%y"};
    indices = {"%c0", "%c1", "%c2"};
    memrefs = {"%m", "%q"};
    addStatements(3 + random() % 4, /*depth=*/0);
    result = scalars.back();
  }
  static constexpr const char *type = "memref<4xi8>";

  std::string text(const std::vector<std::string> &body) const {
    std::string program =
        "func.func @f(%m: memref<4xi8>, %q: memref<4xi8>, %x: i8, %y: i8, "
        "%n: index) -> i8 {\n";
    for (int i = 0; i < 5; ++i)
      program += "  %c" + std::to_string(i) + " = arith.constant " +
                 std::to_string(i) + " : index\n";
    for (const std::string &line : body)
      program += line + "\n";
    return program + "  return " + result + " : i8\n}\n";
  }
  std::string text() const { return text(lines); }

  /// Some parse, some do not; some mean the same.
  std::vector<std::string> mutantTexts() {
    std::vector<std::string> all;
    for (auto &[line, replacement] : mutants) {
      std::vector<std::string> body = lines;
      body[line] = replacement;
      all.push_back(text(body));
    }
    for (size_t i = 0; i + 1 < lines.size(); ++i) {
      if (lines[i].back() == '{' || lines[i + 1].back() == '{' ||
          StringRef(lines[i]).ltrim().starts_with("}") ||
          StringRef(lines[i + 1]).ltrim().starts_with("}") ||
          StringRef(lines[i + 1]).contains("yield"))
        continue;
      std::vector<std::string> body = lines;
      std::swap(body[i], body[i + 1]);
      all.push_back(text(body));
    }
    return all;
  }

private:
  std::string pick(const std::vector<std::string> &from) {
    return from[random() % from.size()];
  }
  std::string fresh() { return "%v" + std::to_string(counter++); }
  void line(std::string text) { lines.push_back("  " + text); }
  void mutant(std::string text) {
    mutants.emplace_back(lines.size() - 1, "  " + text);
  }

  std::string arithmetic(const std::string &v) {
    static const std::vector<std::string> ops = {
        "addi", "subi", "muli", "andi", "xori", "maxsi", "minui", "shli"};
    std::string op = pick(ops);
    std::string flags;
    if (op != "andi" && op != "xori" && op != "maxsi" && op != "minui" &&
        random() % 4 == 0)
      flags = random() % 2 ? " overflow<nsw>" : " overflow<nuw>";
    return v + " = arith." + op + " " + pick(scalars) + ", " + pick(scalars) +
           flags + " : i8";
  }
  void addArithmetic() {
    std::string v = fresh();
    std::string text = arithmetic(v), other = arithmetic(v);
    line(text);
    mutant(other);
    scalars.push_back(v);
  }
  void addLoad() {
    std::string v = fresh(), m = pick(memrefs), i = pick(indices);
    auto load = [&](const std::string &from, const std::string &at) {
      return v + " = memref.load " + from + "[" + at + "] : " + type;
    };
    line(load(m, i));
    mutant(random() % 2 ? load(m, pick(indices)) : load(pick(memrefs), i));
    scalars.push_back(v);
  }
  void addStore() {
    std::string v = pick(scalars), m = pick(memrefs), i = pick(indices);
    auto store = [&](const std::string &what, const std::string &to,
                     const std::string &at) {
      return "memref.store " + what + ", " + to + "[" + at + "] : " + type;
    };
    line(store(v, m, i));
    mutant("");
    mutant(store(v, m, pick(indices)));
    mutant(store(pick(scalars), m, i));
  }
  void addAlloc() {
    std::string a = fresh(), i = pick(indices);
    line(a + " = memref.alloc() : " + type);
    memrefs.push_back(a);
    // Half of them start with contents.
    if (random() % 2) {
      line("memref.copy " + pick(memrefs) + ", " + a + " : " + type + " to " +
           type);
      mutant("");
    }
  }
  void addCopy() {
    line("memref.copy " + pick(memrefs) + ", " + pick(memrefs) + " : " + type +
         " to " + type);
    mutant("");
    mutant("memref.copy " + pick(memrefs) + ", " + pick(memrefs) + " : " +
           type + " to " + type);
  }
  /// Runs `body` with the values that are visible now.
  template <typename Body> void scoped(Body body) {
    auto outerScalars = scalars, outerIndices = indices, outerMemrefs = memrefs;
    body();
    scalars = outerScalars;
    indices = outerIndices;
    memrefs = outerMemrefs;
  }
  void addFor(unsigned depth) {
    std::string r = fresh(), i = fresh(), s = fresh(), init = pick(scalars);
    auto head = [&](int low, const std::string &high, int step) {
      return r + " = scf.for " + i + " = %c" + std::to_string(low) + " to " +
             high + " step %c" + std::to_string(step) + " iter_args(" + s +
             " = " + init + ") -> (i8) {";
    };
    int low = random() % 2;
    std::string high =
        random() % 3 ? "%c" + std::to_string(random() % 5) : std::string("%n");
    line(head(low, high, 1 + random() % 2));
    mutant(head(low, "%c" + std::to_string(random() % 5), 1));
    scoped([&] {
      scalars.push_back(s);
      indices.push_back(i);
      indices.push_back(i);
      addStatements(1 + random() % 3, depth + 1);
      line("scf.yield " + scalars.back() + " : i8");
      mutant("scf.yield " + pick(scalars) + " : i8");
    });
    line("}");
    scalars.push_back(r);
  }
  void addAffineFor(unsigned depth) {
    std::string i = fresh(), m = pick(memrefs), q = pick(memrefs), v = fresh();
    unsigned low = random() % 2, high = 1 + random() % 4;
    auto head = [&](unsigned from, unsigned to) {
      return "affine.for " + i + " = " + std::to_string(from) + " to " +
             std::to_string(to) + " {";
    };
    auto access = [&](unsigned kind) {
      return kind % 3 == 0 ? i : kind % 3 == 1 ? "3 - " + i : i + " mod 2";
    };
    line(head(low, high));
    mutant(head(low, high - 1));
    auto load = [&](unsigned kind) {
      return v + " = affine.load " + m + "[" + access(kind) + "] : " + type;
    };
    auto store = [&](const std::string &what, unsigned kind) {
      return "affine.store " + what + ", " + q + "[" + access(kind) +
             "] : " + type;
    };
    scoped([&] {
      line(load(random()));
      mutant(load(random()));
      scalars.push_back(v);
      addArithmetic();
      line(store(scalars.back(), random()));
      mutant(store(pick(scalars), random()));
      if (depth < 1 && random() % 2)
        addAffineFor(depth + 1);
    });
    line("}");
  }
  void addIf(unsigned depth) {
    std::string c = fresh(), r = fresh();
    static const std::vector<std::string> predicates = {"slt", "ult", "eq",
                                                        "sge"};
    std::string a = pick(scalars), b = pick(scalars);
    auto compare = [&](const std::string &p) {
      return c + " = arith.cmpi " + p + ", " + a + ", " + b + " : i8";
    };
    line(compare(pick(predicates)));
    mutant(compare(pick(predicates)));
    line(r + " = scf.if " + c + " -> (i8) {");
    auto branch = [&] {
      scoped([&] {
        addStatements(random() % 3, depth + 1);
        line("scf.yield " + pick(scalars) + " : i8");
        mutant("scf.yield " + pick(scalars) + " : i8");
      });
    };
    branch();
    line("} else {");
    branch();
    line("}");
    scalars.push_back(r);
  }
  void addStatements(unsigned count, unsigned depth) {
    for (unsigned k = 0; k < count; ++k) {
      unsigned dice = random() % (depth < 2 ? 12 : 8);
      if (dice < 2)
        addArithmetic();
      else if (dice < 4)
        addLoad();
      else if (dice < 6)
        addStore();
      else if (dice == 6)
        addAlloc();
      else if (dice == 7)
        addCopy();
      else if (dice < 10)
        random() % 2 ? addFor(depth) : addAffineFor(depth);
      else
        addIf(depth);
    }
  }

  std::mt19937 random;
  std::vector<std::string> scalars, indices, memrefs, lines;
  std::vector<std::pair<size_t, std::string>> mutants;
  std::string result;
  unsigned counter = 0;
};

class MemorySoakTest : public testing::Test {
protected:
  MemorySoakTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect, memref::MemRefDialect,
                        scf::SCFDialect, ub::UBDialect>();
    options.seconds = 5;
    options.deepSteps = 300'000;
    options.quickSteps = 100'000;
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    return parseSourceString<ModuleOp>(text, &context);
  }
  VerdictKind check(ModuleOp source, ModuleOp target);
  void runPasses(ModuleOp source, unsigned seed);

  MLIRContext context;
  Options options;
  std::map<std::string, unsigned> verdicts;
  unsigned pairs = 0;
};

} // namespace

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

/// VALID has to agree with execution.
VerdictKind MemorySoakTest::check(ModuleOp source, ModuleOp target) {
  VerdictKind verdict = validate(source, target, options).verdict();
  ++verdicts[toString(verdict).str()];
  ++pairs;
  if (verdict != VerdictKind::Valid)
    return verdict;
  Witness witness(cast<FunctionOpInterface>(source.lookupSymbol("f")),
                  cast<FunctionOpInterface>(target.lookupSymbol("f")), 64);
  std::optional<Found> found = witness.search(1'000'000, 600);
  EXPECT_FALSE(found) << "VALID, but " << found->trial.text << "\n"
                      << textOf(source) << textOf(target);
  return verdict;
}

/// What a pass makes of a program refines it.
void MemorySoakTest::runPasses(ModuleOp source, unsigned seed) {
  OwningOpRef<ModuleOp> target(source.clone());
  PassManager passes(&context);
  switch (seed % 5) {
  case 0:
    passes.addPass(createCanonicalizerPass());
    break;
  case 1:
    passes.addPass(createCSEPass());
    break;
  case 2:
    passes.addPass(createLoopInvariantCodeMotionPass());
    break;
  case 3:
    passes.addNestedPass<func::FuncOp>(
        affine::createAffineScalarReplacementPass());
    break;
  default:
    passes.addPass(createSCCPPass());
    passes.addPass(createCanonicalizerPass());
  }
  if (failed(passes.run(*target)))
    return;
  EXPECT_NE(toString(check(source, *target)), toString(VerdictKind::Invalid))
      << "pass " << seed % 5 << "\n"
      << textOf(source) << textOf(*target);
}

TEST_F(MemorySoakTest, ValidAgreesWithExecution) {
  auto number = [](const char *name, unsigned otherwise) -> unsigned {
    const char *text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
  };
  unsigned wanted = number("PANPIPE_SOAK_PAIRS", 25);
  for (unsigned seed = number("PANPIPE_SOAK_SEED", 0); pairs < wanted; ++seed) {
    Program program(seed);
    OwningOpRef<ModuleOp> source = parse(program.text());
    ASSERT_TRUE(source) << program.text();
    EXPECT_NE(toString(check(*source, *source)), toString(VerdictKind::Invalid))
        << program.text();
    runPasses(*source, seed);
    for (const std::string &text : program.mutantTexts())
      if (OwningOpRef<ModuleOp> target = parse(text))
        check(*source, *target);
  }
  for (const auto &[verdict, count] : verdicts)
    RecordProperty(verdict, count);
  if (std::getenv("PANPIPE_SOAK_PAIRS"))
    for (const auto &[verdict, count] : verdicts)
      std::printf("%s: %u\n", verdict.c_str(), count);
  // Both kinds must occur, or the test tests nothing.
  EXPECT_GT(verdicts["INVALID"], pairs / 10);
}
