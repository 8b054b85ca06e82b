//===- ProofCache.cpp - Proofs kept between runs --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProofCache.h"

#include "Isolate.h"
#include "SourcesHash.inc"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace panpipe::tv;

/// Besides what is hashed: the layout of an entry.
static constexpr const char *kHeader = "panpipe-proof 1\n";

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

namespace {
/// Hashes what is written to it.
class HashStream : public llvm::raw_ostream {
public:
  HashStream() { SetBuffered(); }
  ~HashStream() override { flush(); }
  std::string digest() {
    flush();
    return llvm::toHex(hash.final(), /*LowerCase=*/true);
  }

private:
  void write_impl(const char *data, size_t size) override {
    hash.update(StringRef(data, size));
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  llvm::SHA256 hash;
  uint64_t position = 0;
};
} // namespace

/// `function` and everything it refers to by name, in order of occurrence.
static llvm::SetVector<Operation *> reachable(Operation *function) {
  llvm::SetVector<Operation *> found;
  found.insert(function);
  for (size_t next = 0; next < found.size(); ++next) {
    Operation *current = found[next];
    current->walk([&](Operation *op) {
      op->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
        for (SymbolRefAttr name :
             {symbol,
              SymbolRefAttr(FlatSymbolRefAttr::get(symbol.getRootReference()))})
          if (Operation *target =
                  SymbolTable::lookupNearestSymbolFrom(op, name))
            found.insert(target);
      });
    });
  }
  return found;
}

/// The text of an operation has all of it but the data of resources.
static void write(Operation *op, llvm::raw_ostream &os) {
  OpPrintingFlags flags;
  // Whatever the command line says about shorter output.
  flags.enableDebugInfo(false);
  flags.elideLargeElementsAttrs(INT64_MAX);
  flags.elideLargeResourceString(INT64_MAX);
  flags.skipRegions(false);
  flags.useLocalScope().printGenericOpForm().assumeVerified();
  op->print(os, flags);
  os << '\0';
  op->walk([&](Operation *inner) {
    inner->getAttrDictionary().walk([&](DenseResourceElementsAttr attr) {
      if (AsmResourceBlob *blob = attr.getRawHandle().getBlob()) {
        ArrayRef<char> data = blob->getData();
        os << data.size() << ':';
        os.write(data.data(), data.size());
      } else {
        os << "no data";
      }
    });
  });
  os << '\0';
}

/// Attributes of the module around (its data layout, say), except notes about
/// where it came from.
static void writeModule(Operation *function, llvm::raw_ostream &os) {
  auto module = function->getParentOfType<ModuleOp>();
  if (!module)
    return;
  for (NamedAttribute attr : module->getAttrs())
    if (!attr.getName().strref().starts_with("panpipe.") &&
        attr.getName() != SymbolTable::getSymbolAttrName())
      os << attr.getName() << '=' << attr.getValue() << '\0';
}

static std::string keyOf(FunctionOpInterface source, FunctionOpInterface target,
                         const CheckOptions &options) {
  HashStream os;
  os << kHeader << PANPIPE_TV_SOURCES << '\0' << LLVM_VERSION_STRING << '\0'
     << options.indexWidth << '\0';
  for (const std::string &name : options.allowed)
    os << name << '\0';
  for (Operation *side : {source.getOperation(), target.getOperation()}) {
    os << "side" << '\0';
    writeModule(side, os);
    for (Operation *op : reachable(side))
      write(op, os);
  }
  return os.digest();
}

ProofCache::ProofCache(std::string folder, FunctionOpInterface source,
                       FunctionOpInterface target, const CheckOptions &options)
    : folder(std::move(folder)) {
  if (!this->folder.empty())
    key = keyOf(source, target, options);
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static std::string checksum(StringRef text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                     /*LowerCase=*/true);
}

std::optional<CheckResult> ProofCache::lookup() const {
  if (folder.empty())
    return std::nullopt;
  SmallString<128> path(folder);
  llvm::sys::path::append(path, key);
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  StringRef text = (*buffer)->getBuffer();
  if (!text.consume_front(kHeader) || !text.consume_front(key + "\n"))
    return std::nullopt;
  auto [sum, payload] = text.split('\n');
  if (sum != checksum(payload))
    return std::nullopt;
  IsolatedResult out;
  if (!readResult(payload, out) || out.result.kind != CheckResult::Kind::Proved)
    return std::nullopt;
  out.result.stats.cached = std::max<uint64_t>(out.result.stats.obligations, 1);
  return std::move(out.result);
}

void ProofCache::store(const CheckResult &result) const {
  if (folder.empty() || result.kind != CheckResult::Kind::Proved ||
      llvm::sys::fs::create_directories(folder))
    return;
  std::string payload = writeResult(result);
  SmallString<128> path(folder), model(folder), temporary;
  llvm::sys::path::append(path, key);
  llvm::sys::path::append(model, "new-%%%%%%%%%%%%");
  int file;
  if (llvm::sys::fs::createUniqueFile(model, file, temporary))
    return;
  bool failed = false;
  {
    llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
    os << kHeader << key << '\n' << checksum(payload) << '\n' << payload;
    os.close();
    failed = os.has_error();
    os.clear_error();
  }
  // Readers see the old entry or the new one, never a part.
  if (failed || llvm::sys::fs::rename(temporary, path))
    (void)llvm::sys::fs::remove(temporary);
}
