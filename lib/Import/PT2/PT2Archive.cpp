//===- PT2Archive.cpp - The container of a .pt2 file ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Import/PT2Archive.h"

#include "PT2Program.h"

using namespace panpipe::import;

static bool startsWith(std::string_view s, std::string_view prefix) {
  return s.substr(0, prefix.size()) == prefix;
}

static bool endsWith(std::string_view s, std::string_view suffix) {
  return s.size() >= suffix.size() &&
         s.substr(s.size() - suffix.size()) == suffix;
}

static std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.back() == '\n' || s.back() == ' '))
    s.remove_suffix(1);
  return s;
}

Status PT2Archive::open(const std::string &path) {
  names.clear();
  if (Status s = reader.open(path); s.failed())
    return s;
  return inspect();
}

Status PT2Archive::openMemory(const uint8_t *bytes, size_t size) {
  names.clear();
  if (Status s = reader.openMemory(bytes, size); s.failed())
    return s;
  return inspect();
}

Status PT2Archive::inspect() {
  if (reader.entries().empty())
    return Status::error("the zip file is empty");
  // The root folder is the file's name at the time of saving: take what all
  // entries have in common.
  std::string_view first = reader.entries().front().name;
  size_t slash = first.find('/');
  root = slash == first.npos ? std::string()
                             : std::string(first.substr(0, slash + 1));
  for (const ZipEntry &entry : reader.entries())
    if (!startsWith(entry.name, root))
      root.clear();

  if (!reader.find(root + "archive_format"))
    return refuseOther();
  if (Status s = checkMarkers(); s.failed())
    return s;
  std::string folder = root + "models/";
  for (const ZipEntry &entry : reader.entries())
    if (startsWith(entry.name, folder) && endsWith(entry.name, ".json"))
      names.push_back(entry.name.substr(folder.size(),
                                        entry.name.size() - folder.size() - 5));
  if (names.empty())
    return Status::error("the archive holds no program (no 'models/*.json'); "
                         "save it with torch.export.save");
  for (const std::string &name : names)
    if (reader.find(root + "data/weights/" + name + ".pt") ||
        reader.find(root + "data/constants/" + name + ".pt"))
      return Status::error(
          "the archive was saved by torch 2.8, with pickled weights; load it "
          "with that release and save it again with torch 2.9 or newer");
  return Status::success();
}

Status PT2Archive::refuseOther() const {
  auto has = [&](const char *name) { return reader.find(root + name); };
  if (has("serialized_exported_program.json") ||
      reader.find("serialized_exported_program.json"))
    return Status::error(
        "the archive was saved by torch 2.7 or older (flat layout, pickled "
        "weights); load it with that release and save it again with torch 2.9 "
        "or newer");
  if (has("constants.pkl") || has("code/"))
    return Status::error("this is a TorchScript file, not an exported program; "
                         "use torch.export.export and torch.export.save");
  if (has("data.pkl"))
    return Status::error(
        "this is a checkpoint of torch.save, which holds weights without a "
        "program; use torch.export.export and torch.export.save");
  return Status::error("not a .pt2 archive: there is no entry "
                       "'archive_format'; save the model with "
                       "torch.export.save of torch 2.9 or newer");
}

Status PT2Archive::checkMarkers() const {
  for (const ZipEntry &entry : reader.entries())
    if (entry.method != 0)
      return Status::error(
          "the zip entry '" + entry.name +
          "' is compressed; weights are used in place, so entries must be "
          "STORED, as torch.export.save writes them");
  auto value = [&](const char *name, std::string_view absent) {
    const ZipEntry *entry = reader.find(root + name);
    std::string_view text = entry ? reader.payload(*entry) : absent;
    return std::string(trimmed(text.substr(0, 64)));
  };
  if (std::string format = value("archive_format", ""); format != "pt2")
    return Status::error("the archive's format is '" + format +
                         "', expected 'pt2'");
  if (std::string version = value("archive_version", "0"); version != "0")
    return Status::error("the archive has format version '" + version +
                         "'; this reader knows version 0");
  if (std::string order = value("byteorder", "little"); order != "little")
    return Status::error("the archive's byte order is '" + order +
                         "'; only 'little' is supported: save it on a "
                         "little-endian machine");
  return Status::success();
}

Status PT2Archive::text(const std::string &entry, std::string &out) const {
  const ZipEntry *found = reader.find(root + entry);
  if (!found)
    return Status::error("the archive has no entry '" + entry + "'");
  if (Status s = reader.checkCRC(*found); s.failed())
    return s;
  out = reader.payload(*found);
  return Status::success();
}

Status PT2Archive::readProgram(const std::string &name, OpGraph &graph) const {
  graph = OpGraph();
  graph.name = name;
  PT2Payloads payloads(reader, root);
  for (const char *kind : {"weights", "constants"}) {
    std::string entry =
        std::string("data/") + kind + "/" + name + "_" + kind + "_config.json";
    json::Document doc;
    if (!reader.find(root + entry))
      continue; // then each parameter that needs it is reported by name
    if (Status s = text(entry, doc.text); s.failed())
      return s;
    if (Status s = payloads.read(doc, entry, std::string("data/") + kind + "/");
        s.failed())
      return s;
  }
  json::Document doc;
  std::string entry = "models/" + name + ".json";
  if (Status s = text(entry, doc.text); s.failed())
    return s;
  if (Status s = json::parse(doc, entry); s.failed())
    return s;
  return decodeProgram(doc.root(), payloads, graph);
}
