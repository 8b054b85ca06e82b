//===- OracleTest.cpp - Encodings against the interpreter -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every function of every pair under test/TV/Encode is executed twice on
/// random and corner inputs: by the interpreter, and as the terms it is encoded
/// into. Values, poison and undefined behaviour must agree.
///
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"
#include "TermEval.h"

#include "panpipe/Dialect/Pipe/IR/Pipe.h"
#include "panpipe/TV/Encode/Encoder.h"
#include "panpipe/TV/Interp/Interpreter.h"

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
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

namespace {

/// Corner values, small numbers, and now and then anything.
llvm::APInt randomBits(ScalarType type, std::mt19937 &rng) {
  unsigned width = type.width(), choice = rng() % 12;
  if (type.isFloat()) {
    static const double few[] = {0.0, -0.0, 1.0,  -1.0, 0.5,
                                 3.0, -2.5, 1e30, 100.0};
    if (choice == 9)
      return canonicalNaN(type);
    if (choice == 10)
      return llvm::APFloat::getInf(type.fltSemantics(), rng() & 1)
          .bitcastToAPInt();
    if (choice < 9) {
      llvm::APFloat value(few[choice]);
      bool lossy;
      value.convert(type.fltSemantics(), llvm::APFloat::rmNearestTiesToEven,
                    &lossy);
      return value.bitcastToAPInt();
    }
    return llvm::APInt(width, rng(), false, true);
  }
  if (choice < 8)
    return llvm::APInt(width, int64_t(rng() % 7) - 1, true, true);
  if (choice == 8)
    return llvm::APInt::getSignedMinValue(width);
  if (choice == 9)
    return llvm::APInt::getSignedMaxValue(width);
  return llvm::APInt(width, (uint64_t(rng()) << 32) | rng(), false, true);
}

/// One execution of a function, on both ways.
class Trial {
public:
  Trial(SharedEncoding &shared, FunctionOpInterface function,
        const FunctionEncoding &encoding, unsigned seed)
      : shared(shared), function(function), encoding(encoding), rng(seed),
        poisonOften(seed % 4 == 3) {}

  /// Empty if both ways agree. `compared` counts elements and undefined runs
  /// on which there was something to compare.
  unsigned compared = 0;
  std::string run() {
    makeInputs();
    Outcome outcome = interpret(function, arguments);
    if (outcome.kind != Outcome::Finished && outcome.kind != Outcome::Undefined)
      return "";
    TermEval eval(inputs);
    std::string reason;
    for (const UBCondition &ub : encoding.ub)
      if (eval.value(ub.condition).isOne()) {
        reason = ub.reason;
        break;
      }
    bool undefined = !reason.empty();
    if (inputs.open)
      return "";
    if (undefined != (outcome.kind == Outcome::Undefined))
      return "undefined: interpreter says '" + outcome.reason +
             "', encoding says '" + reason + "'" + describe();
    compared += undefined;
    if (undefined)
      return "";
    for (auto [symbolic, concrete] :
         llvm::zip_equal(encoding.results, outcome.results)) {
      std::string difference = compare(symbolic, *concrete);
      if (!difference.empty())
        return difference + describe();
    }
    return "";
  }

private:
  ConcreteElement randomElement(ScalarType type) {
    bool poison = poisonOften && rng() % 5 == 0;
    return {randomBits(type, rng), uint8_t(poison ? EM_poison : EM_none)};
  }

  void makeInputs() {
    for (const SymValue &symbolic : shared.arguments) {
      if (symbolic.isTensor()) {
        SmallVector<int64_t> shape;
        for (IndexTerm size : symbolic.tensor.shape) {
          auto extent = size.constantInt64();
          shape.push_back(extent ? *extent : int64_t(rng() % 4));
          if (!extent)
            inputs.atoms[size->asAtom()] = shape.back();
        }
        auto value =
            std::make_shared<ConcreteValue>(symbolic.tensor.type, shape);
        for (int64_t i = 0; i < value->size(); ++i)
          value->set(i, randomElement(symbolic.tensor.type));
        tensors[symbolic.tensor.element.value->base()] = value;
        arguments.push_back(value);
        continue;
      }
      ScalarType type = symbolic.scalar.value->type();
      ConcreteElement element = randomElement(type);
      const Term *term = symbolic.scalar.value;
      if (term->kind() == TermKind::IndexValue)
        inputs.atoms[term->indices()[0]->asAtom()] =
            element.bits.getSExtValue();
      else
        inputs.symbols[term] = element.bits;
      inputs.symbols[symbolic.scalar.poison] =
          llvm::APInt(1, element.isPoison());
      arguments.push_back(std::make_shared<ConcreteValue>(
          ConcreteValue::scalar(type, element)));
    }
    inputs.read = [&](const TensorBase *base, ArrayRef<int64_t> at,
                      bool poison) {
      auto found = tensors.find(base);
      llvm::APInt none(poison ? 1 : base->type.width(), 0);
      if (found == tensors.end()) {
        inputs.open = true; // a large constant
        return none;
      }
      const ConcreteValue &value = *found->second;
      int64_t linear = 0;
      for (auto [i, extent] : llvm::zip_equal(at, value.shape())) {
        // Only in an operand that a case distinction does not choose: the bits
        // must not matter.
        if (i < 0 || i >= extent)
          return ~none;
        linear = linear * extent + i;
      }
      ConcreteElement element = value.get(linear);
      return poison ? llvm::APInt(1, element.isPoison()) : element.bits;
    };
    // Scalars that address elements: the symbol has the scalar's value.
    for (auto &entry : shared.indexSymbols) {
      TermEval eval(inputs);
      inputs.atoms[entry.second->asAtom()] =
          eval.value(entry.first).getSExtValue();
    }
  }

  std::string compare(const SymValue &symbolic, const ConcreteValue &concrete) {
    if (symbolic.isScalar())
      return compareElement(symbolic.scalar, concrete.get(0), {});
    SmallVector<int64_t> at(symbolic.tensor.rank(), 0);
    TermEval sizes(inputs);
    for (auto [size, extent] :
         llvm::zip_equal(symbolic.tensor.shape, concrete.shape()))
      if (sizes.index(size) != extent)
        return "another shape";
    for (int64_t i = 0; i < concrete.size(); ++i) {
      int64_t rest = i;
      for (int64_t d = at.size() - 1; d >= 0; --d) {
        at[d] = rest % concrete.shape()[d];
        rest /= concrete.shape()[d];
        inputs.atoms[shared.terms.ownIndex(d)->asAtom()] = at[d];
      }
      std::string difference =
          compareElement(symbolic.tensor.element, concrete.get(i), at);
      if (!difference.empty())
        return difference;
    }
    return "";
  }

  std::string compareElement(Element symbolic, const ConcreteElement &concrete,
                             ArrayRef<int64_t> at) {
    if (concrete.isOpen())
      return "";
    inputs.open = false;
    TermEval eval(inputs);
    bool poison = eval.value(symbolic.poison).isOne();
    llvm::APInt bits = eval.value(symbolic.value);
    if (inputs.open)
      return "";
    ++compared;
    ScalarType type = symbolic.value->type();
    std::string where = "at [";
    for (int64_t i : at)
      where += std::to_string(i) + ",";
    where += "]: ";
    if (poison != concrete.isPoison())
      return where + "poison: interpreter says " +
             std::to_string(concrete.isPoison());
    if (poison || bits == concrete.bits ||
        (type.isFloat() && isNaN(type, bits) && isNaN(type, concrete.bits)))
      return "";
    return where + "encoding " + toString(type, {bits, false}) +
           ", interpreter " + toString(type, {concrete.bits, false});
  }

  std::string describe() {
    std::string text = " on";
    for (const ValuePtr &argument : arguments)
      text += " " + argument->str(64);
    return text;
  }

  SharedEncoding &shared;
  FunctionOpInterface function;
  const FunctionEncoding &encoding;
  std::mt19937 rng;
  bool poisonOften;
  TermInputs inputs;
  std::vector<ValuePtr> arguments;
  llvm::DenseMap<const TensorBase *, std::shared_ptr<ConcreteValue>> tensors;
};

class OracleTest : public ::testing::TestWithParam<std::string> {
protected:
  OracleTest() {
    context.loadDialect<
        affine::AffineDialect, arith::ArithDialect,
        bufferization::BufferizationDialect, cf::ControlFlowDialect,
        func::FuncDialect, index::IndexDialect, memref::MemRefDialect,
        scf::SCFDialect, linalg::LinalgDialect, math::MathDialect,
        tensor::TensorDialect, ub::UBDialect, pipe::PipeDialect,
        tosa::TosaDialect, vector::VectorDialect>();
    context.allowUnregisteredDialects();
  }

  void check(FunctionOpInterface function, bool mayBeUnsupported) {
    TermContext terms;
    SharedEncoding shared(terms);
    std::vector<std::string> names;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      names.push_back("arg" + std::to_string(i));
    ASSERT_FALSE(makeArguments(shared, function.getArgumentTypes(), names));
    FunctionEncoding encoding =
        encodeFunction(shared, OpEncodings::all(), function);
    if (encoding.unsupported || encoding.malformed) {
      EXPECT_TRUE(mayBeUnsupported)
          << (encoding.unsupported ? encoding.unsupported : encoding.malformed)
                 ->what;
      return;
    }
    for (unsigned seed = 0; seed < 24; ++seed) {
      Trial trial(shared, function, encoding, seed);
      std::string difference = trial.run();
      compared += trial.compared;
      if (!difference.empty()) {
        std::string text;
        llvm::raw_string_ostream(text) << *function;
        ADD_FAILURE() << difference << "\n" << text;
        return;
      }
    }
  }

  MLIRContext context;
  unsigned compared = 0;
};

std::vector<std::string> testFiles() {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(PAIRS_FOLDER, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

/// True if it has a memref, a loop or branch, or calls what is only declared.
bool usesMemory(Operation *function) {
  auto isMemory = [](Type type) { return isa<BaseMemRefType>(type); };
  return function
      ->walk([&](Operation *op) {
        bool found =
            llvm::any_of(op->getOperandTypes(), isMemory) ||
            llvm::any_of(op->getResultTypes(), isMemory) ||
            isa<func::CallOp>(op) ||
            isa<scf::SCFDialect, cf::ControlFlowDialect>(op->getDialect());
        for (Region &region : op->getRegions())
          for (Block &block : region)
            found |= llvm::any_of(block.getArgumentTypes(), isMemory);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

TEST_P(OracleTest, EncodingAgreesWithExecution) {
  unsigned withMemory = 0;
  auto buffer = llvm::MemoryBuffer::getFile(GetParam());
  ASSERT_TRUE(bool(buffer));
  SmallVector<StringRef> pieces;
  (*buffer)->getBuffer().split(pieces, "// -----\n");
  for (StringRef piece : pieces) {
    auto module = parseSourceString<ModuleOp>(piece, ParserConfig(&context));
    ASSERT_TRUE(bool(module)) << piece.str();
    auto expected =
        module->getOperation()->getAttrOfType<StringAttr>("tv.expect");
    bool refused = expected && (expected.getValue() == "UNSUPPORTED" ||
                                expected.getValue() == "BAD-INPUT" ||
                                (*module)->hasAttr("tv.reflexive"));
    module->walk([&](FunctionOpInterface function) {
      // What memory holds is no element that the evaluator could compare:
      // MemorySoakTest runs those.
      if (usesMemory(function))
        ++withMemory;
      else if (!function.isExternal() && function.getName() == "f")
        check(function, refused);
    });
  }
  EXPECT_GT(compared + withMemory, 0u) << "nothing was compared";
}

class RandomPrograms : public OracleTest {};

TEST_P(RandomPrograms, EncodingAgreesWithExecution) {
  // PANPIPE_SOAK=N makes N times as many programs.
  unsigned first = std::stoul(GetParam()), soak = 1;
  if (const char *factor = std::getenv("PANPIPE_SOAK"))
    soak = std::max(1, std::atoi(factor));
  for (unsigned i = 0; i < 50 * soak && !HasFailure(); ++i) {
    unsigned seed = first + i % 50 + i / 50 * 1000;
    std::string text = RandomProgram(seed).make(3 + seed % 9);
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    ASSERT_TRUE(bool(module)) << text;
    check(cast<FunctionOpInterface>(module->lookupSymbol("f")),
          /*mayBeUnsupported=*/false);
  }
  EXPECT_GT(compared, 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms,
                         ::testing::Values("0", "50", "100", "150", "200",
                                           "250"));

std::string nameOf(const ::testing::TestParamInfo<std::string> &info) {
  std::string name =
      (llvm::sys::path::filename(llvm::sys::path::parent_path(info.param)) +
       "_" + llvm::sys::path::stem(info.param))
          .str();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Pairs, OracleTest, ::testing::ValuesIn(testFiles()),
                         nameOf);

} // namespace
