//===- PT2Decoder.h - State of the decoding of one program ------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// GraphDecoder turns one JSON graph into an OpGraph. Signature in
/// PT2Graph.cpp, nodes in PT2Nodes.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_IMPORT_PT2_PT2DECODER_H
#define PANPIPE_LIB_IMPORT_PT2_PT2DECODER_H

#include "PT2Program.h"

#include <unordered_map>

namespace panpipe::import {

class GraphDecoder {
public:
  GraphDecoder(OpGraph &graph, const PT2Payloads &payloads)
      : graph(graph), payloads(payloads) {}
  Status decode(const json::Json &body, const json::Json &signature);
  /// To be called after decode: binds the weights that have users.
  Status placeWeights();

private:
  /// Names of one graph; the body of a higher-order op has its own. The keys
  /// point into the JSON text.
  struct Scope {
    std::unordered_map<std::string_view, const json::Json *> metas;
    std::unordered_map<std::string_view, ValueId> values;
  };

  Status openScope(const json::Json &body, Scope &scope);
  Status define(const std::string &name, Scope &scope, ValueId &id);
  Status decodeInput(const json::Json &spec, Scope &scope);
  Status decodeOutput(const json::Json &spec, Scope &scope);

  Status decodeNodes(const json::Json &body, Scope &scope, unsigned depth);
  Status decodeNode(const json::Json &item, Scope &scope, unsigned depth);
  Status decodeArgument(const json::Json &arg, const Scope &scope,
                        Argument &out) const;
  Status decodeScalar(std::string_view tag, const json::Json &v,
                      Argument &out) const;
  Status decodeTensors(std::string_view tag, const json::Json &v,
                       const Scope &scope, Argument &out) const;
  Status useTensor(const json::Json &v, const Scope &scope, ValueId &id) const;
  Status decodeResult(const json::Json &result, Scope &scope, Node &node);
  /// Replaces a higher-order op that only sets a mode by its body.
  Status inlineWrapper(const json::Json &item, Scope &scope, unsigned depth);

  OpGraph &graph;
  const PT2Payloads &payloads;
  std::vector<size_t> weights; ///< inputs that have a payload
};

} // namespace panpipe::import

#endif // PANPIPE_LIB_IMPORT_PT2_PT2DECODER_H
