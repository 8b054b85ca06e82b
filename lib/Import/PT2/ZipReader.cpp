//===- ZipReader.cpp - Entries of a STORED zip file, in place -------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Import/ZipReader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace panpipe::import;

namespace {
constexpr uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50;
constexpr uint32_t kEndRecord = 0x06054b50, kEndRecord64 = 0x06064b50;
constexpr uint32_t kEndLocator64 = 0x07064b50;
constexpr uint64_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22;
constexpr uint64_t kEndLocatorSize = 20, kEndRecord64Size = 56;

uint16_t read16(const uint8_t *p) { return uint16_t(p[0] | (p[1] << 8)); }
uint32_t read32(const uint8_t *p) {
  return uint32_t(read16(p)) | (uint32_t(read16(p + 2)) << 16);
}
uint64_t read64(const uint8_t *p) {
  return uint64_t(read32(p)) | (uint64_t(read32(p + 4)) << 32);
}

/// Slicing-by-8 tables: the JSON of a large model is hundreds of megabytes.
using CRCTables = std::array<std::array<uint32_t, 256>, 8>;
CRCTables makeTables() {
  CRCTables t;
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k)
      c = (c >> 1) ^ ((c & 1) ? 0xEDB88320u : 0u);
    t[0][i] = c;
  }
  for (uint32_t i = 0; i < 256; ++i)
    for (int s = 1; s < 8; ++s)
      t[s][i] = (t[s - 1][i] >> 8) ^ t[0][t[s - 1][i] & 0xFF];
  return t;
}

/// Names come from the file: make them printable.
std::string quoted(std::string_view name) {
  std::string out = "'";
  for (char c : name.substr(0, 200))
    out += (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) ? '?' : c;
  return out + "'";
}
} // namespace

uint32_t panpipe::import::crc32(const uint8_t *data, size_t size,
                                uint32_t crc) {
  static const CRCTables t = makeTables();
  uint32_t c = ~crc;
  for (; size >= 8; size -= 8, data += 8) {
    uint32_t lo = read32(data) ^ c, hi = read32(data + 4);
    c = t[7][lo & 0xFF] ^ t[6][(lo >> 8) & 0xFF] ^ t[5][(lo >> 16) & 0xFF] ^
        t[4][lo >> 24] ^ t[3][hi & 0xFF] ^ t[2][(hi >> 8) & 0xFF] ^
        t[1][(hi >> 16) & 0xFF] ^ t[0][hi >> 24];
  }
  for (; size; --size, ++data)
    c = (c >> 8) ^ t[0][(c ^ *data) & 0xFF];
  return ~c;
}

/// Where the central directory lies.
struct ZipReader::Directory {
  uint64_t offset = 0, size = 0, entries = 0;
};

ZipReader::~ZipReader() { close(); }

ZipReader::ZipReader(ZipReader &&other) noexcept { *this = std::move(other); }

ZipReader &ZipReader::operator=(ZipReader &&other) noexcept {
  if (this == &other)
    return *this;
  close();
  std::swap(base, other.base);
  std::swap(length, other.length);
  std::swap(mapped, other.mapped);
  dirCRC = other.dirCRC;
  list = std::move(other.list);
  index = std::move(other.index);
  other.list.clear();
  other.index.clear();
  return *this;
}

void ZipReader::close() {
  if (mapped)
    ::munmap(const_cast<uint8_t *>(base), length);
  base = nullptr;
  length = 0;
  mapped = false;
  list.clear();
  index.clear();
}

Status ZipReader::open(const std::string &path) {
  close();
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return Status::error("cannot open '" + path + "': " + std::strerror(errno));
  struct stat info;
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    return Status::error("'" + path + "' is not a regular file");
  }
  if (info.st_size == 0) {
    ::close(fd);
    return Status::error("'" + path + "' is empty");
  }
  void *map =
      ::mmap(nullptr, size_t(info.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
  ::close(fd);
  if (map == MAP_FAILED)
    return Status::error("cannot map '" + path + "': " + std::strerror(errno));
  Status status =
      openMemory(static_cast<const uint8_t *>(map), size_t(info.st_size));
  mapped = true;
  return status;
}

Status ZipReader::openMemory(const uint8_t *bytes, size_t size) {
  close();
  base = bytes;
  length = size;
  Directory dir;
  if (Status s = findDirectory(dir); s.failed())
    return s;
  dirCRC = crc32(base + dir.offset, size_t(dir.size));
  return readDirectory(dir);
}

Status ZipReader::findDirectory(Directory &dir) const {
  if (length < kEndSize)
    return Status::error("not a zip file: only " + std::to_string(length) +
                         " bytes; a .pt2 file is a zip archive");
  // The end record is last, before a comment of at most 65535 bytes.
  uint64_t lowest = length > kEndSize + 0xFFFF ? length - kEndSize - 0xFFFF : 0;
  for (uint64_t pos = length - kEndSize + 1; pos-- > lowest;) {
    if (read32(base + pos) != kEndRecord ||
        pos + kEndSize + read16(base + pos + 20) != length)
      continue;
    const uint8_t *p = base + pos;
    dir.entries = read16(p + 10);
    dir.size = read32(p + 12);
    dir.offset = read32(p + 16);
    bool needs64 = dir.entries == 0xFFFF || dir.size == 0xFFFFFFFF ||
                   dir.offset == 0xFFFFFFFF;
    uint64_t limit = pos;
    if (needs64) {
      if (Status s = findDirectory64(pos, dir); s.failed())
        return s;
      limit = pos - kEndLocatorSize;
    } else if (read16(p + 4) || read16(p + 6) || read16(p + 8) != dir.entries) {
      return Status::error("the zip file spans several disks; join the parts");
    }
    if (dir.offset > limit || dir.size > limit - dir.offset)
      return Status::error(
          "damaged zip file: its directory (offset " +
          std::to_string(dir.offset) + ", size " + std::to_string(dir.size) +
          ") lies outside the file of " + std::to_string(length) + " bytes");
    if (dir.entries > dir.size / kCentralSize)
      return Status::error("damaged zip file: the directory claims " +
                           std::to_string(dir.entries) + " entries in " +
                           std::to_string(dir.size) + " bytes");
    return Status::success();
  }
  if (length >= 4 && read32(base) == kLocalHeader)
    return Status::error("truncated zip file: it begins like one, but its end "
                         "record is missing; copy or save it again");
  return Status::error("not a zip file; a .pt2 file, as torch.export.save "
                       "writes it, is a zip archive");
}

Status ZipReader::findDirectory64(uint64_t endRecord, Directory &dir) const {
  if (endRecord < kEndLocatorSize)
    return Status::error("damaged zip file: the zip64 locator is missing");
  const uint8_t *locator = base + endRecord - kEndLocatorSize;
  if (read32(locator) != kEndLocator64)
    return Status::error("damaged zip file: the zip64 locator is missing");
  uint64_t pos = read64(locator + 8), limit = endRecord - kEndLocatorSize;
  if (limit < kEndRecord64Size || pos > limit - kEndRecord64Size ||
      read32(base + pos) != kEndRecord64)
    return Status::error("damaged zip file: the zip64 end record is not where "
                         "its locator says");
  const uint8_t *p = base + pos;
  if (read32(p + 16) || read32(p + 20) || read64(p + 24) != read64(p + 32))
    return Status::error("the zip file spans several disks; join the parts");
  dir.entries = read64(p + 32);
  dir.size = read64(p + 40);
  dir.offset = read64(p + 48);
  return Status::success();
}

Status ZipReader::readDirectory(const Directory &dir) {
  struct Extent {
    uint64_t begin, end;
    size_t entry;
  };
  std::vector<Extent> extents;
  list.reserve(size_t(dir.entries));
  uint64_t pos = dir.offset;
  for (uint64_t i = 0; i < dir.entries; ++i) {
    ZipEntry entry;
    uint64_t localOffset = 0;
    if (Status s = readEntry(dir, pos, entry, localOffset); s.failed())
      return s;
    if (Status s = locatePayload(dir, localOffset, entry); s.failed())
      return s;
    extents.push_back({localOffset, entry.offset + entry.size, list.size()});
    list.push_back(std::move(entry));
  }
  if (pos != dir.offset + dir.size)
    return Status::error("damaged zip file: bytes are left over at the end of "
                         "its directory");
  std::sort(extents.begin(), extents.end(),
            [](const Extent &a, const Extent &b) {
              return a.begin != b.begin ? a.begin < b.begin : a.entry < b.entry;
            });
  for (size_t i = 1; i < extents.size(); ++i)
    if (extents[i].begin < extents[i - 1].end)
      return Status::error("hostile zip file: the entries " +
                           quoted(list[extents[i - 1].entry].name) + " and " +
                           quoted(list[extents[i].entry].name) + " overlap");
  for (size_t i = 0; i < list.size(); ++i)
    if (!index.emplace(list[i].name, i).second)
      return Status::error("hostile zip file: two entries are called " +
                           quoted(list[i].name));
  return Status::success();
}

/// Takes the 64-bit values of the extra field with id 1, which stand there in
/// the order of the 32-bit fields that are all ones.
static bool readExtra64(const uint8_t *extra, uint64_t size, uint64_t *fields,
                        const bool *wanted) {
  while (size >= 4) {
    uint64_t id = read16(extra), length = read16(extra + 2);
    if (length > size - 4)
      return false;
    if (id == 1) {
      const uint8_t *p = extra + 4;
      for (int i = 0; i < 3; ++i) {
        if (!wanted[i])
          continue;
        if (length < 8)
          return false;
        fields[i] = read64(p);
        p += 8;
        length -= 8;
      }
      return true;
    }
    extra += 4 + length;
    size -= 4 + length;
  }
  return false;
}

Status ZipReader::readEntry(const Directory &dir, uint64_t &pos,
                            ZipEntry &entry, uint64_t &localOffset) const {
  uint64_t end = dir.offset + dir.size;
  const uint8_t *p = base + pos;
  if (end - pos < kCentralSize || read32(p) != kCentralHeader)
    return Status::error("damaged zip file: entry header expected at offset " +
                         std::to_string(pos) + " of the directory");
  uint64_t nameSize = read16(p + 28), extraSize = read16(p + 30);
  uint64_t total = kCentralSize + nameSize + extraSize + read16(p + 32);
  if (end - pos < total)
    return Status::error("damaged zip file: the directory entry at offset " +
                         std::to_string(pos) + " runs past the directory");
  entry.name.assign(reinterpret_cast<const char *>(p) + kCentralSize,
                    size_t(nameSize));
  entry.method = read16(p + 10);
  entry.crc = read32(p + 16);
  uint64_t fields[3] = {read32(p + 24), read32(p + 20), read32(p + 42)};
  bool wanted[3], any = false;
  for (int i = 0; i < 3; ++i)
    any |= wanted[i] = fields[i] == 0xFFFFFFFF;
  if (any &&
      !readExtra64(p + kCentralSize + nameSize, extraSize, fields, wanted))
    return Status::error("damaged zip file: the entry " + quoted(entry.name) +
                         " lacks its zip64 sizes");
  if (read16(p + 8) & 1)
    return Status::error("the zip entry " + quoted(entry.name) +
                         " is encrypted; save the model without encryption");
  if (entry.method == 0 && fields[0] != fields[1])
    return Status::error("damaged zip file: the stored entry " +
                         quoted(entry.name) + " has two different sizes");
  entry.size = fields[1];
  localOffset = fields[2];
  pos += total;
  return Status::success();
}

Status ZipReader::locatePayload(const Directory &dir, uint64_t localOffset,
                                ZipEntry &entry) const {
  std::string outside = "damaged zip file: the entry " + quoted(entry.name) +
                        " (offset " + std::to_string(localOffset) + ", size " +
                        std::to_string(entry.size) +
                        ") lies outside the file's data";
  if (dir.offset < kLocalSize || localOffset > dir.offset - kLocalSize)
    return Status::error(outside);
  const uint8_t *p = base + localOffset;
  if (read32(p) != kLocalHeader)
    return Status::error("damaged zip file: no local header for the entry " +
                         quoted(entry.name) + " at offset " +
                         std::to_string(localOffset));
  uint64_t nameSize = read16(p + 26);
  uint64_t head = kLocalSize + nameSize + read16(p + 28);
  if (head > dir.offset - localOffset ||
      entry.size > dir.offset - localOffset - head)
    return Status::error(outside);
  std::string_view name(reinterpret_cast<const char *>(p) + kLocalSize,
                        size_t(nameSize));
  if (name != entry.name)
    return Status::error("hostile zip file: the directory calls an entry " +
                         quoted(entry.name) + ", its own header " +
                         quoted(name));
  entry.offset = localOffset + head;
  return Status::success();
}

const ZipEntry *ZipReader::find(std::string_view name) const {
  auto it = index.find(name);
  return it == index.end() ? nullptr : &list[it->second];
}

Status ZipReader::checkCRC(const ZipEntry &entry) const {
  if (crc32(base + entry.offset, size_t(entry.size)) == entry.crc)
    return Status::success();
  return Status::error("damaged zip file: the entry " + quoted(entry.name) +
                       " does not have the checksum of the directory; copy or "
                       "save the file again");
}
