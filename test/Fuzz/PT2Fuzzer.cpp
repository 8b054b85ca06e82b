//===- PT2Fuzzer.cpp - The .pt2 reader on arbitrary bytes -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Opens the input as an archive and decodes every program. A plain mutation of
/// a zip file rarely passes its checksums, so inputs that do not begin with
/// "PK" are an archive in short form, to which this file adds headers and
/// checksums: entries of a name up to a newline and a text up to a zero byte.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Import/Functionalize.h"
#include "panpipe/Import/PT2Archive.h"

#include <cstdlib>
#include <cstring>

using namespace panpipe::import;

namespace {
void put16(std::string &out, uint32_t v) {
  out += char(v & 0xFF);
  out += char((v >> 8) & 0xFF);
}
void put32(std::string &out, uint64_t v) {
  put16(out, uint32_t(v) & 0xFFFF);
  put16(out, uint32_t(v >> 16) & 0xFFFF);
}

/// Builds a well-formed zip from the short form.
std::string expand(const uint8_t *data, size_t size) {
  std::string out, directory;
  unsigned count = 0;
  const char *at = reinterpret_cast<const char *>(data), *end = at + size;
  while (at != end && count < 1000) {
    const void *newline = std::memchr(at, '\n', size_t(end - at));
    const char *nameEnd = newline ? static_cast<const char *>(newline) : end;
    std::string name(at, std::min<size_t>(size_t(nameEnd - at), 200));
    at = nameEnd == end ? end : nameEnd + 1;
    const void *zero = std::memchr(at, 0, size_t(end - at));
    const char *textEnd = zero ? static_cast<const char *>(zero) : end;
    std::string text(at, size_t(textEnd - at));
    at = textEnd == end ? end : textEnd + 1;
    uint32_t crc =
        crc32(reinterpret_cast<const uint8_t *>(text.data()), text.size());
    std::string head;
    for (uint32_t v : {45u, 0u, 0u, 0u, 0u})
      put16(head, v);
    put32(head, crc);
    put32(head, text.size());
    put32(head, text.size());
    put16(head, uint32_t(name.size()));
    put16(head, 0);
    put32(directory, 0x02014b50);
    put16(directory, 45);
    directory += head;
    for (uint32_t v : {0u, 0u, 0u, 0u, 0u})
      put16(directory, v);
    put32(directory, out.size());
    directory += name;
    put32(out, 0x04034b50);
    out += head + name + text;
    ++count;
  }
  uint64_t offset = out.size();
  out += directory;
  put32(out, 0x06054b50);
  put32(out, 0);
  put16(out, count);
  put16(out, count);
  put32(out, directory.size());
  put32(out, offset);
  put16(out, 0);
  return out;
}

void decode(const uint8_t *data, size_t size) {
  PT2Archive archive;
  if (archive.openMemory(data, size).failed())
    return;
  for (const std::string &name : archive.programs()) {
    OpGraph graph;
    if (archive.readProgram(name, graph).failed())
      continue;
    // What the reader promises about weights.
    for (const GraphInput &input : graph.inputs)
      if (input.storage && !input.storage->record.empty() &&
          input.storage->offset > size)
        std::abort();
    (void)functionalize(graph).failed();
  }
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size >= 2 && data[0] == 'P' && data[1] == 'K') {
    decode(data, size);
    return 0;
  }
  std::string archive = expand(data, size);
  decode(reinterpret_cast<const uint8_t *>(archive.data()), archive.size());
  return 0;
}
