//===- TestZip.h - Zip files for the tests of the importer ------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TEST_UNIT_IMPORT_TESTZIP_H
#define PANPIPE_TEST_UNIT_IMPORT_TESTZIP_H

#include "panpipe/Import/ZipReader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace panpipe::import::test {

/// What the headers of an entry say, where it is not the truth.
struct ZipItem {
  std::string name;
  std::string data;
  uint16_t method = 0;
  uint16_t flags = 0x0800;
  std::string localName = ""; ///< empty: the name
  std::optional<uint32_t> crc = {};
  std::optional<uint32_t> packed = {}; ///< in the directory
  std::optional<uint32_t> size = {};
  std::optional<uint32_t> offset = {};
};

/// What the end record says, where it is not the truth.
struct ZipEnd {
  std::optional<uint64_t> count = {};
  std::optional<uint64_t> size = {};
  std::optional<uint64_t> offset = {};
  uint16_t disk = 0;
  bool zip64 = false;
  std::string comment = "";
};

class ZipBytes {
public:
  std::vector<uint8_t> bytes;
  void put(uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i)
      bytes.push_back(uint8_t(value >> (8 * i)));
  }
  void put(const std::string &text) {
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
};

/// The directory's entry of `item`, whose local header lies at `offset`.
inline void putCentral(ZipBytes &out, const ZipItem &item, uint64_t offset,
                       bool zip64) {
  uint32_t crc = item.crc.value_or(crc32(
      reinterpret_cast<const uint8_t *>(item.data.data()), item.data.size()));
  uint64_t packed = item.packed.value_or(uint32_t(item.data.size()));
  uint64_t size = item.size.value_or(uint32_t(item.data.size()));
  offset = item.offset.value_or(uint32_t(offset));
  out.put(0x02014B50, 4);
  out.put(0x002D002D, 4);
  out.put(item.flags, 2);
  out.put(item.method, 2);
  out.put(0, 4);
  out.put(crc, 4);
  out.put(zip64 ? 0xFFFFFFFF : packed, 4);
  out.put(zip64 ? 0xFFFFFFFF : size, 4);
  out.put(item.name.size(), 2);
  out.put(zip64 ? 28 : 0, 2);
  out.put(0, 10);
  out.put(0, 0);
  out.put(zip64 ? 0xFFFFFFFF : offset, 4);
  out.put(item.name);
  if (!zip64)
    return;
  out.put(1, 2);
  out.put(24, 2);
  out.put(size, 8);
  out.put(packed, 8);
  out.put(offset, 8);
}

inline std::vector<uint8_t> makeZip(const std::vector<ZipItem> &items,
                                    const ZipEnd &end = {}) {
  ZipBytes out, directory;
  for (const ZipItem &item : items) {
    putCentral(directory, item, out.bytes.size(), end.zip64);
    const std::string &name =
        item.localName.empty() ? item.name : item.localName;
    // Sizes and CRC are zero here, as PyTorch writes them.
    out.put(0x04034B50, 4);
    out.put(45, 2);
    out.put(item.flags, 2);
    out.put(item.method, 2);
    out.put(0, 8);
    out.put(0, 8);
    out.put(name.size(), 2);
    out.put(0, 2);
    out.put(name);
    out.put(item.data);
  }
  uint64_t offset = end.offset.value_or(out.bytes.size());
  uint64_t size = end.size.value_or(directory.bytes.size());
  uint64_t count = end.count.value_or(items.size());
  out.bytes.insert(out.bytes.end(), directory.bytes.begin(),
                   directory.bytes.end());
  if (end.zip64) {
    uint64_t position = out.bytes.size();
    out.put(0x06064B50, 4);
    out.put(44, 8);
    out.put(0x002D002D, 4);
    out.put(0, 8);
    out.put(count, 8);
    out.put(count, 8);
    out.put(size, 8);
    out.put(offset, 8);
    out.put(0x07064B50, 4);
    out.put(0, 4);
    out.put(position, 8);
    out.put(1, 4);
    count = 0xFFFF;
    size = offset = 0xFFFFFFFF;
  }
  out.put(0x06054B50, 4);
  out.put(end.disk, 2);
  out.put(end.disk, 2);
  out.put(count, 2);
  out.put(count, 2);
  out.put(size, 4);
  out.put(offset, 4);
  out.put(end.comment.size(), 2);
  out.put(end.comment);
  return out.bytes;
}

} // namespace panpipe::import::test

#endif // PANPIPE_TEST_UNIT_IMPORT_TESTZIP_H
