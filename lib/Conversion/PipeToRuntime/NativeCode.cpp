//===- NativeCode.cpp - Native code of compiled kernels -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeCode.h"

#include "KernelCalls.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::lower;

//===----------------------------------------------------------------------===//
// CPU
//===----------------------------------------------------------------------===//

static const char *const baseFeatures[] = {"sse3", "ssse3", "sse4.1", "sse4.2",
                                           "popcnt"};
static const char *const avx2Features[] = {"avx", "avx2", "fma", "bmi", "bmi2"};
static const char *const avx512Features[] = {"avx512f", "avx512bw", "avx512dq",
                                             "avx512vl", "avx512cd"};

FailureOr<CpuTarget> lower::resolveCpu(StringRef name) {
  CpuTarget target;
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  auto hostHas = [&](ArrayRef<const char *> names) {
    return llvm::all_of(names, [&](const char *f) { return host.lookup(f); });
  };
  int level = -1;
  if (name == "native")
    level = !hostHas(baseFeatures)    ? 1
            : !hostHas(avx2Features)  ? 2
            : hostHas(avx512Features) ? 4
                                      : 3;
  else if (name == "x86-64")
    level = 1;
  else if (name == "x86-64-v3")
    level = 3;
  else if (name == "x86-64-v4")
    level = 4;
  if (level < 0)
    return failure();
  auto add = [&](ArrayRef<const char *> names) {
    target.features.insert(target.features.end(), names.begin(), names.end());
  };
  if (level >= 2)
    add(baseFeatures);
  if (level >= 3)
    add(avx2Features);
  if (level >= 4)
    add(avx512Features);
  // Only features that the runtime can check: not all that this CPU has.
  target.cpu = "x86-64";
  target.tune =
      name == "native" ? llvm::sys::getHostCPUName().str() : "generic";
  target.block = level >= 4 ? 16 : level >= 3 ? 8 : 0;
  const char *sets[] = {"x86-64", "x86-64 with SSE4.2", "AVX2 + FMA",
                        "AVX-512 + FMA"};
  target.description = sets[level - 1];
  if (name == "native")
    target.description += " (" + target.tune + ")";
  return target;
}

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

static std::unique_ptr<llvm::TargetMachine>
makeTargetMachine(const CpuTarget &target) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string message, features;
  const llvm::Target *found =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!found)
    return nullptr;
  for (const std::string &feature : target.features)
    features += (features.empty() ? "+" : ",+") + feature;
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      triple, target.cpu, features, llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// Puts `void NAME(ptr operands, i64 thread, i64 threads, ptr barrier)` in
/// front of every kernel, which becomes internal.
static void addEntries(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  SmallVector<llvm::Function *> kernels;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      kernels.push_back(&function);
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *word = llvm::Type::getInt64Ty(context);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {pointer, word, word, pointer},
                                       /*isVarArg=*/false);
  for (llvm::Function *kernel : kernels) {
    std::string name = kernel->getName().str();
    kernel->setName(name + ".body");
    kernel->setLinkage(llvm::GlobalValue::InternalLinkage);
    llvm::Function *entry = llvm::Function::Create(
        type, llvm::GlobalValue::ExternalLinkage, name, module);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", entry));
    SmallVector<llvm::Value *> operands;
    for (unsigned i = 0; i + 3 != kernel->arg_size(); ++i)
      operands.push_back(b.CreateLoad(
          pointer, b.CreateConstGEP1_64(pointer, entry->getArg(0), i)));
    operands.append({entry->getArg(1), entry->getArg(2), entry->getArg(3)});
    b.CreateCall(kernel, operands);
    b.CreateRetVoid();
  }
}

static void setCpu(llvm::Module &module, const CpuTarget &target,
                   llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : module) {
    function.addFnAttr("target-cpu", target.cpu);
    function.addFnAttr("tune-cpu", target.tune);
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

static LogicalResult emitObject(llvm::Module &module,
                                llvm::TargetMachine &machine,
                                SmallVectorImpl<char> &object) {
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return failure();
  passes.run(module);
  return success();
}

//===----------------------------------------------------------------------===//
// Link
//===----------------------------------------------------------------------===//

static FailureOr<std::string> findLinker() {
  for (const char *name : {"ld.lld-22", "ld.lld", "ld"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return failure();
}

/// Links the object to a shared object in memory.
static FailureOr<std::vector<uint8_t>> link(ArrayRef<char> object,
                                            Operation *blame) {
  FailureOr<std::string> linker = findLinker();
  if (failed(linker))
    return blame->emitError("no linker found: install the package lld-22");
  SmallString<128> input, output, log;
  std::error_code error =
      llvm::sys::fs::createTemporaryFile("panpipe", "o", input);
  llvm::FileRemover removeInput(input);
  if (!error)
    error = llvm::sys::fs::createTemporaryFile("panpipe", "so", output);
  llvm::FileRemover removeOutput(output);
  if (!error)
    error = llvm::sys::fs::createTemporaryFile("panpipe", "log", log);
  llvm::FileRemover removeLog(log);
  if (!error) {
    llvm::raw_fd_ostream stream(input, error);
    if (!error)
      stream.write(object.data(), object.size());
  }
  if (error)
    return blame->emitError("cannot write a temporary file: ")
           << error.message();
  StringRef arguments[] = {*linker, "-shared", "--hash-style=gnu",
                           "-o",    output,    input};
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log.str()),
                                          StringRef(log.str())};
  std::string message;
  int code = llvm::sys::ExecuteAndWait(*linker, arguments, std::nullopt,
                                       redirects, 0, 0, &message);
  if (code != 0) {
    auto text = llvm::MemoryBuffer::getFile(log);
    return blame->emitError("the linker ")
           << *linker << " failed: " << message
           << (text ? (*text)->getBuffer() : StringRef());
  }
  auto buffer = llvm::MemoryBuffer::getFile(output, false, false);
  if (!buffer)
    return blame->emitError("cannot read what the linker wrote: ")
           << buffer.getError().message();
  return std::vector<uint8_t>((*buffer)->getBufferStart(),
                              (*buffer)->getBufferEnd());
}

FailureOr<NativeCode> lower::compileKernels(ModuleOp module,
                                            const CpuTarget &target) {
  NativeCode native;
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  OpBuilder b = OpBuilder::atBlockEnd(kernels->getBody());
  for (auto function : module.getOps<func::FuncOp>()) {
    auto kind = function->getAttrOfType<StringAttr>(kKernelAttr);
    if (!kind || kind != "compiled")
      continue;
    auto copy = cast<func::FuncOp>(b.clone(*function));
    copy.setPublic();
    copy->removeAttr(kKernelAttr);
  }
  if (kernels->getBody()->empty())
    return native;
  if (failed(lowerKernelsToLLVM(*kernels, native.sharedWork, native.passes)))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(*kernels, context, "panpipe");
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(target);
  if (!code || !machine)
    return module.emitError("kernels cannot be translated to LLVM IR");
  addEntries(*code);
  setCpu(*code, target, *machine);
  optimize(*code, *machine);
  SmallVector<char, 0> object;
  if (failed(emitObject(*code, *machine, object)))
    return module.emitError("no object code can be made for this machine");
  FailureOr<std::vector<uint8_t>> linked = link(object, module);
  if (failed(linked))
    return failure();
  native.object = std::move(*linked);
  return native;
}
