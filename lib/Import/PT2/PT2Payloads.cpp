//===- PT2Payloads.cpp - Where the weights lie ----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PT2Program.h"

using namespace panpipe::import;
using json::Json;

Status PT2Payloads::read(json::Document &doc, const std::string &entry,
                         const std::string &folder) {
  if (Status s = json::parse(doc, entry); s.failed())
    return s;
  const Json *config = json::object(doc.root(), "config");
  if (!config)
    return Status::error(entry + ": the object 'config' is missing");
  for (Json::Member member : config->members()) {
    std::string name(member.name);
    payloads.emplace(name, decode(member.value, name, folder));
  }
  return Status::success();
}

PT2Payloads::Payload PT2Payloads::decode(const Json &meta,
                                         const std::string &name,
                                         const std::string &folder) const {
  Payload payload;
  std::string what = "weight '" + name + "'", record;
  const Json *pickled = json::field(meta, "use_pickle");
  if (pickled && pickled->isBool() && pickled->asBool()) {
    payload.problem = what + " is pickled (a tensor subclass or custom "
                             "object); re-save the model with plain tensors";
    return payload;
  }
  const Json *tensor = json::object(meta, "tensor_meta");
  if (!tensor || !json::string(meta, "path_name", record)) {
    payload.problem = what + " has no tensor description in its config";
    return payload;
  }
  if (Status s = place(*tensor, what, folder + record, payload); s.failed())
    payload.problem = s.message();
  return payload;
}

Status PT2Payloads::place(const Json &meta, const std::string &what,
                          const std::string &record, Payload &out) const {
  if (Status s = json::tensorMeta(meta, what, out.type); s.failed())
    return s;
  Storage &storage = out.storage;
  storage.record = record;
  storage.dtype = out.type.dtype;
  if (Status s = json::symInts(meta, "strides", what, storage.strides);
      s.failed())
    return s;
  if (storage.strides.size() != out.type.sizes.size())
    return Status::error(what + " has " +
                         std::to_string(out.type.sizes.size()) + " sizes but " +
                         std::to_string(storage.strides.size()) + " strides");
  int64_t first = 0;
  if (const Json *offset = json::field(meta, "storage_offset"))
    if (Status s = json::symInt(*offset, what, first); s.failed())
      return s;
  const ZipEntry *entry = zip.find(root + record);
  if (!entry)
    return Status::error(what + ": its record '" + record +
                         "' is missing in the archive");

  // The farthest element must lie inside the record.
  constexpr int64_t limit = int64_t(1) << 56;
  unsigned bytes = dtypeBytes(out.type.dtype);
  bool empty = false, far = first < 0 || first > limit;
  __int128 last = first;
  for (size_t i = 0; i < storage.strides.size(); ++i) {
    empty |= out.type.sizes[i] == 0;
    far |= storage.strides[i] < 0 || storage.strides[i] > limit;
    last += __int128(out.type.sizes[i] - 1) * storage.strides[i];
  }
  if (!empty && !far && entry->size == 0)
    return Status::error(what + ": its record '" + record +
                         "' holds no bytes; was the model saved on the meta "
                         "device? Load its weights before the export");
  if (!empty && (far || (last + 1) * bytes > __int128(entry->size)))
    return Status::error(what + " (" + out.type.str() +
                         ") does not fit into its record '" + record + "' of " +
                         std::to_string(entry->size) + " bytes");
  storage.offset = entry->offset + (empty ? 0 : uint64_t(first) * bytes);
  return Status::success();
}

Status PT2Payloads::find(const std::string &name, const GraphTensorType &type,
                         Storage &out) const {
  auto it = payloads.find(name);
  if (it == payloads.end())
    return Status::error("weight '" + name +
                         "' is missing: neither the weights config nor the "
                         "constants config names it");
  const Payload &payload = it->second;
  if (!payload.problem.empty())
    return Status::error(payload.problem);
  if (!(payload.type == type))
    return Status::error("weight '" + name + "' is " + payload.type.str() +
                         " in its config, but the program expects " +
                         type.str());
  out = payload.storage;
  return Status::success();
}
