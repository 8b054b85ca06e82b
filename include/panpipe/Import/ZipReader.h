//===- ZipReader.h - Entries of a STORED zip file, in place -----*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A reader for zip and zip64 files that maps the file and hands out payloads
/// where they lie. Only the central directory is believed: PyTorch writes zeros
/// into the sizes of the local headers.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_IMPORT_ZIPREADER_H
#define PANPIPE_IMPORT_ZIPREADER_H

#include "panpipe/Import/Status.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace panpipe::import {

/// CRC-32 as in zip (polynomial 0xEDB88320) of `size` bytes, continuing `crc`.
uint32_t crc32(const uint8_t *data, size_t size, uint32_t crc = 0);

/// One entry of the central directory, already checked against the file.
struct ZipEntry {
  std::string name;
  uint64_t offset = 0; ///< absolute file offset of the payload, in bytes
  uint64_t size = 0;   ///< size of the payload in the file, in bytes
  uint32_t crc = 0;    ///< CRC-32 of the (unpacked) payload
  uint16_t method = 0; ///< 0 is STORED; anything else cannot be read in place
};

/// A mapped (or borrowed) zip file. Movable; owns its mapping.
class ZipReader {
public:
  ZipReader() = default;
  ~ZipReader();
  ZipReader(ZipReader &&other) noexcept;
  ZipReader &operator=(ZipReader &&other) noexcept;
  ZipReader(const ZipReader &) = delete;
  ZipReader &operator=(const ZipReader &) = delete;

  /// Maps the file read-only and checks its structure: the directory lies in
  /// the file, each payload lies before the directory, the local header's name
  /// agrees, and no two entries share a name or a byte.
  Status open(const std::string &path);
  /// The same for bytes that outlive the reader.
  Status openMemory(const uint8_t *bytes, size_t size);

  const std::vector<ZipEntry> &entries() const { return list; }
  /// Null if there is no entry of that name.
  const ZipEntry *find(std::string_view name) const;
  /// The payload of an entry, in place.
  std::string_view payload(const ZipEntry &entry) const {
    return {reinterpret_cast<const char *>(base) + entry.offset,
            static_cast<size_t>(entry.size)};
  }
  /// Reads the whole payload; fails if its CRC is not the directory's.
  Status checkCRC(const ZipEntry &entry) const;

  const uint8_t *data() const { return base; }
  uint64_t size() const { return length; }
  /// CRC-32 of the central directory's bytes. It covers names, sizes and CRCs
  /// of all entries, so it identifies the contents without reading the weights.
  uint32_t directoryCRC() const { return dirCRC; }

private:
  struct Directory;
  void close();
  Status findDirectory(Directory &dir) const;
  Status findDirectory64(uint64_t endRecord, Directory &dir) const;
  Status readDirectory(const Directory &dir);
  Status readEntry(const Directory &dir, uint64_t &pos, ZipEntry &entry,
                   uint64_t &localOffset) const;
  Status locatePayload(const Directory &dir, uint64_t localOffset,
                       ZipEntry &entry) const;

  const uint8_t *base = nullptr;
  uint64_t length = 0;
  bool mapped = false;
  uint32_t dirCRC = 0;
  std::vector<ZipEntry> list;
  std::unordered_map<std::string_view, size_t> index;
};

} // namespace panpipe::import

#endif // PANPIPE_IMPORT_ZIPREADER_H
