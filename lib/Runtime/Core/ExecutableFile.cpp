//===- ExecutableFile.cpp - The container of an executable ----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///     bytes  0.. 7  "PANPIPE\n"
///            8..11  format version
///           12..15  CRC-32 of everything behind the header
///           16..23  bytes of the program
///           24..31  bytes of the object code
///           32..    program, object code
/// All numbers little-endian.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Runtime/Files.h"
#include "panpipe/Runtime/Program.h"

#include <cstring>

using namespace panpipe::rt;

static constexpr char magic[9] = "PANPIPE\n";
static constexpr uint32_t formatVersion = 3;
static constexpr size_t headerBytes = 32;

Status panpipe::rt::writeExecutableFile(const std::string &path,
                                        const ExecutableFile &file) {
  std::vector<uint8_t> program = serialize(file.program);
  std::vector<uint8_t> bytes(headerBytes);
  uint64_t sizes[2] = {program.size(), file.code.size()};
  bytes.insert(bytes.end(), program.begin(), program.end());
  bytes.insert(bytes.end(), file.code.begin(), file.code.end());
  uint32_t crc = crc32(bytes.data() + headerBytes, bytes.size() - headerBytes);
  std::memcpy(bytes.data(), magic, 8);
  std::memcpy(bytes.data() + 8, &formatVersion, 4);
  std::memcpy(bytes.data() + 12, &crc, 4);
  std::memcpy(bytes.data() + 16, sizes, 16);
  return writeFileAtomically(path, bytes.data(), bytes.size());
}

Result<ExecutableFile>
panpipe::rt::readExecutableFile(const std::string &path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok())
    return file.status();
  auto fail = [&](const std::string &what) {
    return Status::error("cannot load " + path + ": " + what);
  };
  const uint8_t *data = file->data();
  if (file->size() < 8 || std::memcmp(data, magic, 8) != 0)
    return fail("it is not a Panpipe executable (make one with: panpipe-run "
                "compile model.mlir -o net.panpipe)");
  if (file->size() < headerBytes)
    return fail("it is truncated");
  uint32_t version = 0, crc = 0;
  uint64_t sizes[2];
  std::memcpy(&version, data + 8, 4);
  std::memcpy(&crc, data + 12, 4);
  std::memcpy(sizes, data + 16, 16);
  if (version != formatVersion)
    return fail("it has format version " + std::to_string(version) +
                ", this runtime reads version " +
                std::to_string(formatVersion) + "; compile it again");
  uint64_t body = file->size() - headerBytes;
  if (sizes[0] > body || sizes[1] > body - sizes[0])
    return fail("it is truncated: " + std::to_string(file->size()) +
                " bytes are there, the header promises more");
  if (sizes[0] + sizes[1] != body)
    return fail("bytes follow its end");
  if (crc32(data + headerBytes, body) != crc)
    return fail("its checksum is wrong: the file is damaged");
  Result<Program> program = deserialize(data + headerBytes, sizes[0]);
  if (!program.ok())
    return fail(program.message());
  ExecutableFile result;
  result.program = std::move(*program);
  const uint8_t *code = data + headerBytes + sizes[0];
  result.code.assign(code, code + sizes[1]);
  return result;
}
