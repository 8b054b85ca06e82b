//===- PT2Program.h - Decoding of a program and its payloads ----*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the container hands to the decoder of `models/<name>.json`.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_IMPORT_PT2_PT2PROGRAM_H
#define PANPIPE_LIB_IMPORT_PT2_PT2PROGRAM_H

#include "PT2Json.h"
#include "panpipe/Import/ZipReader.h"

#include <map>

namespace panpipe::import {

/// The payload configs of one program: name of a weight → place in the file.
class PT2Payloads {
public:
  PT2Payloads(const ZipReader &zip, const std::string &root)
      : zip(zip), root(root) {}
  /// Reads `doc.text`, a `*_config.json`, whose records lie in `folder`.
  Status read(json::Document &doc, const std::string &entry,
              const std::string &folder);
  /// The place of weight `name`, whose type in the graph is `type`.
  Status find(const std::string &name, const GraphTensorType &type,
              Storage &out) const;

private:
  struct Payload {
    GraphTensorType type;
    Storage storage;
    std::string problem; ///< reported when a graph uses the payload
  };
  Payload decode(const json::Json &meta, const std::string &name,
                 const std::string &folder) const;
  Status place(const json::Json &meta, const std::string &what,
               const std::string &record, Payload &out) const;

  const ZipReader &zip;
  const std::string &root;
  std::map<std::string, Payload> payloads;
};

/// Decodes an ExportedProgram of schema 8.
Status decodeProgram(const json::Json &program, const PT2Payloads &payloads,
                     OpGraph &graph);

} // namespace panpipe::import

#endif // PANPIPE_LIB_IMPORT_PT2_PT2PROGRAM_H
