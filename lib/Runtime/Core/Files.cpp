//===- Files.cpp - Mapped files, checksums, archives ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Runtime/Files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace panpipe::rt;

static std::array<uint32_t, 256> makeCrcTable() {
  std::array<uint32_t, 256> table;
  for (uint32_t i = 0; i != 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit != 8; ++bit)
      value = value & 1 ? 0xEDB88320u ^ (value >> 1) : value >> 1;
    table[i] = value;
  }
  return table;
}

uint32_t panpipe::rt::crc32(const uint8_t *data, size_t size, uint32_t seed) {
  static const std::array<uint32_t, 256> table = makeCrcTable();
  uint32_t value = ~seed;
  for (size_t i = 0; i != size; ++i)
    value = table[(value ^ data[i]) & 255] ^ (value >> 8);
  return ~value;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

MappedFile::~MappedFile() {
  if (base)
    munmap(const_cast<uint8_t *>(base), length);
}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(base, other.base);
  std::swap(length, other.length);
  return *this;
}

Result<MappedFile> MappedFile::open(const std::string &path) {
  auto fail = [&]() {
    return Status::error("cannot read " + path + ": " + std::strerror(errno));
  };
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail();
  struct stat info;
  if (fstat(file, &info) != 0 || S_ISDIR(info.st_mode)) {
    if (errno == 0 || S_ISDIR(info.st_mode))
      errno = EISDIR;
    Status status = fail();
    ::close(file);
    return status;
  }
  MappedFile mapped;
  mapped.length = static_cast<size_t>(info.st_size);
  if (mapped.length) {
    void *memory =
        mmap(nullptr, mapped.length, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED) {
      Status status = fail();
      ::close(file);
      mapped.length = 0;
      return status;
    }
    mapped.base = static_cast<const uint8_t *>(memory);
  }
  ::close(file);
  return mapped;
}

Status panpipe::rt::writeFileAtomically(const std::string &path,
                                        const uint8_t *data, size_t size) {
  std::string temporary = path + ".tmp" + std::to_string(getpid());
  auto fail = [&](int error) {
    unlink(temporary.c_str());
    return Status::error("cannot write " + path + ": " + std::strerror(error));
  };
  int file =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return fail(errno);
  for (size_t done = 0; done != size;) {
    ssize_t count = ::write(file, data + done, size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0) {
      int error = errno;
      ::close(file);
      return fail(error);
    }
    done += static_cast<size_t>(count);
  }
  if (::close(file) != 0 || rename(temporary.c_str(), path.c_str()) != 0)
    return fail(errno);
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Archives
//===----------------------------------------------------------------------===//

static uint64_t readLittle(const uint8_t *data, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i != bytes; ++i)
    value |= uint64_t(data[i]) << (8 * i);
  return value;
}

Result<uint32_t> panpipe::rt::centralDirectoryCrc(const uint8_t *data,
                                                  size_t size) {
  // The end record is the last thing in the file, behind it only a comment.
  if (size < 22)
    return Status::error("it is not a zip archive");
  size_t lowest = size - 22 > 65535 ? size - 22 - 65535 : 0;
  for (size_t at = size - 22 + 1; at-- > lowest;) {
    if (readLittle(data + at, 4) != 0x06054b50)
      continue;
    uint64_t bytes = readLittle(data + at + 12, 4);
    uint64_t offset = readLittle(data + at + 16, 4);
    if (at >= 20 && readLittle(data + at - 20, 4) == 0x07064b50) {
      uint64_t end64 = readLittle(data + at - 12, 8);
      if (end64 <= size && size - end64 >= 56 &&
          readLittle(data + end64, 4) == 0x06064b50) {
        bytes = readLittle(data + end64 + 40, 8);
        offset = readLittle(data + end64 + 48, 8);
      }
    }
    if (offset > size || bytes > size - offset)
      break;
    return crc32(data + offset, bytes);
  }
  return Status::error("its zip directory is missing or damaged");
}

static std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

static Status checkArchive(const ArchiveRef &archive, const MappedFile &file,
                           const std::string &path) {
  Status changed = Status::error(
      "the weights archive " + path +
      " is not the one that the model was compiled from; compile again, or "
      "name the right archive with --weights");
  if (file.size() != archive.size)
    return changed;
  Result<uint32_t> crc = centralDirectoryCrc(file.data(), file.size());
  return crc.ok() && *crc == archive.crc ? Status::success() : changed;
}

Result<MappedFile> panpipe::rt::openArchive(const ArchiveRef &archive,
                                            const std::string &executablePath,
                                            const std::string &override) {
  std::vector<std::string> candidates;
  if (!override.empty()) {
    candidates.push_back(override);
  } else {
    candidates.push_back(archive.path);
    candidates.push_back(folderOf(executablePath) +
                         archive.path.substr(folderOf(archive.path).size()));
  }
  // A changed archive at the first place must not hide a good one at the next.
  Status problem = Status::success();
  for (const std::string &path : candidates) {
    if (access(path.c_str(), F_OK) != 0)
      continue;
    Result<MappedFile> file = MappedFile::open(path);
    Status status =
        file.ok() ? checkArchive(archive, *file, path) : file.status();
    if (status.ok())
      return file;
    if (problem.ok())
      problem = status;
  }
  if (!problem.ok())
    return problem;
  return Status::error("the weights archive " + candidates[0] +
                       " is missing; put it there or beside " + executablePath +
                       ", or name it with --weights");
}

/// Copies a strided tensor into dense memory, innermost dimension last.
static void gather(const uint8_t *source, uint8_t *&target, size_t element,
                   const Parameter &parameter, size_t dim) {
  if (dim == parameter.info.shape.size()) {
    std::memcpy(target, source, element);
    target += element;
    return;
  }
  for (int64_t i = 0; i != parameter.info.shape[dim]; ++i)
    gather(source + i * parameter.strides[dim] * static_cast<int64_t>(element),
           target, element, parameter, dim + 1);
}

Result<std::vector<const uint8_t *>>
panpipe::rt::mapParameters(const std::vector<Parameter> &parameters,
                           const MappedFile &archive,
                           std::vector<AlignedBytes> &copies) {
  std::vector<const uint8_t *> pointers;
  for (const Parameter &parameter : parameters) {
    size_t element = byteSize(parameter.info.dtype);
    uint64_t extent = element;
    bool fits = true;
    for (size_t i = 0; i != parameter.info.shape.size(); ++i) {
      uint64_t span = 0;
      fits &= parameter.strides[i] >= 0 && parameter.info.shape[i] >= 0;
      fits &= !__builtin_mul_overflow(
          static_cast<uint64_t>(
              std::max<int64_t>(parameter.info.shape[i] - 1, 0)),
          static_cast<uint64_t>(parameter.strides[i]) * element, &span);
      fits &= !__builtin_add_overflow(extent, span, &extent);
    }
    if (parameter.info.elements() == 0)
      extent = 0;
    if (!fits || parameter.offset > archive.size() ||
        extent > archive.size() - parameter.offset)
      return Status::error("weight " + parameter.info.name +
                           " lies outside the archive");
    const uint8_t *source = archive.data() + parameter.offset;
    if (!parameter.contiguous()) {
      copies.emplace_back(parameter.info.bytes());
      uint8_t *target = copies.back().data();
      gather(source, target, element, parameter, 0);
      source = copies.back().data();
    }
    pointers.push_back(source);
  }
  return pointers;
}
