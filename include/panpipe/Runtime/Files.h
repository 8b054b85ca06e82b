//===- Files.h - Mapped files, checksums, archives ------------ -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_RUNTIME_FILES_H
#define PANPIPE_RUNTIME_FILES_H

#include "panpipe/Runtime/Program.h"

namespace panpipe::rt {

/// CRC-32 as in zip files.
uint32_t crc32(const uint8_t *data, size_t size, uint32_t seed = 0);

/// A file mapped read-only. Movable, not copyable.
class MappedFile {
public:
  MappedFile() = default;
  ~MappedFile();
  MappedFile(MappedFile &&other) noexcept { *this = std::move(other); }
  MappedFile &operator=(MappedFile &&other) noexcept;

  static Result<MappedFile> open(const std::string &path);
  const uint8_t *data() const { return base; }
  size_t size() const { return length; }

private:
  const uint8_t *base = nullptr;
  size_t length = 0;
};

/// Writes `size` bytes to `path`: into a temporary file beside it, then
/// renamed.
Status writeFileAtomically(const std::string &path, const uint8_t *data,
                           size_t size);

/// CRC-32 of the central directory of the zip file in memory.
Result<uint32_t> centralDirectoryCrc(const uint8_t *data, size_t size);

/// Finds and maps the archive: at `override` if given, else at the recorded
/// path, else beside the executable file. Refuses another size or checksum.
Result<MappedFile> openArchive(const ArchiveRef &archive,
                               const std::string &executablePath,
                               const std::string &override);

/// Element [0, …, 0] of every parameter as dense row-major memory: in place
/// where the archive holds it so, else copied into `copies`.
Result<std::vector<const uint8_t *>>
mapParameters(const std::vector<Parameter> &parameters,
              const MappedFile &archive, std::vector<AlignedBytes> &copies);

} // namespace panpipe::rt

#endif // PANPIPE_RUNTIME_FILES_H
