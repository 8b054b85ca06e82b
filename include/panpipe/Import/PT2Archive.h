//===- PT2Archive.h - PyTorch .pt2 archives without libtorch ----*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Opens the archives that `torch.export.save` of torch 2.9 or newer writes and
/// decodes their programs. Weights are never read: a program names the place of
/// their bytes in the file. Knows no MLIR, so that it can be fuzzed alone.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_IMPORT_PT2ARCHIVE_H
#define PANPIPE_IMPORT_PT2ARCHIVE_H

#include "panpipe/Import/OpGraph.h"
#include "panpipe/Import/ZipReader.h"

namespace panpipe::import {

class PT2Archive {
public:
  /// Maps the file and checks container and format. Archives of torch 2.8 or
  /// older, TorchScript files, big-endian files, … each get their own message.
  Status open(const std::string &path);
  /// The same for bytes that outlive the archive.
  Status openMemory(const uint8_t *bytes, size_t size);

  /// Names of the programs, in the order of the file. Never empty.
  const std::vector<std::string> &programs() const { return names; }

  /// Decodes program `name`: its graph with the place of every weight. The
  /// graph is checked: values are defined before use, weights lie in the file.
  Status readProgram(const std::string &name, OpGraph &graph) const;

  const ZipReader &zip() const { return reader; }

private:
  Status inspect();
  Status refuseOther() const;
  Status checkMarkers() const;
  Status text(const std::string &entry, std::string &out) const;

  ZipReader reader;
  std::string root; ///< common first folder of all entries, with its slash
  std::vector<std::string> names;
};

} // namespace panpipe::import

#endif // PANPIPE_IMPORT_PT2ARCHIVE_H
