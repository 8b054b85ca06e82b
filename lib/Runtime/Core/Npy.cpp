//===- Npy.cpp - Reading and writing .npy files ---------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The header is a Python dictionary literal. Only the form that numpy writes
/// is accepted (three keys, any order, any spaces); everything else is an
/// error.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Runtime/Npy.h"

#include "panpipe/Runtime/Files.h"

#include <cstring>

using namespace panpipe::rt;

namespace {

struct DescrEntry {
  const char *descr; // without the byte order
  DType type;
};

/// Reads the dictionary literal of the header.
class HeaderParser {
public:
  HeaderParser(const char *text, size_t size) : at(text), end(text + size) {}

  bool parse(std::string &descr, bool &fortran, std::vector<int64_t> &shape) {
    if (!eat('{'))
      return false;
    bool seen[3] = {false, false, false};
    std::string key;
    while (!eat('}')) {
      if (!string(key) || !eat(':'))
        return false;
      if (key == "descr" && string(descr))
        seen[0] = true;
      else if (key == "fortran_order" && boolean(fortran))
        seen[1] = true;
      else if (key == "shape" && tuple(shape))
        seen[2] = true;
      else
        return false;
      if (!eat(',') && peek() != '}')
        return false;
    }
    return seen[0] && seen[1] && seen[2];
  }

private:
  const char *at, *end;

  void skip() {
    while (at != end && (*at == ' ' || *at == '\n' || *at == '\t'))
      ++at;
  }
  char peek() {
    skip();
    return at == end ? '\0' : *at;
  }
  bool eat(char c) {
    if (peek() != c || at == end)
      return false;
    ++at;
    return true;
  }
  bool string(std::string &text) {
    char quote = peek();
    if ((quote != '\'' && quote != '"') || !eat(quote))
      return false;
    text.clear();
    while (at != end && *at != quote)
      text += *at++;
    return at != end && *at++ == quote;
  }
  bool boolean(bool &value) {
    skip();
    for (bool candidate : {true, false}) {
      const char *word = candidate ? "True" : "False";
      size_t length = std::strlen(word);
      if (static_cast<size_t>(end - at) >= length &&
          std::memcmp(at, word, length) == 0) {
        at += length;
        value = candidate;
        return true;
      }
    }
    return false;
  }
  bool tuple(std::vector<int64_t> &values) {
    if (!eat('('))
      return false;
    while (!eat(')')) {
      int64_t value = 0;
      unsigned digits = 0;
      skip();
      for (; at != end && *at >= '0' && *at <= '9'; ++at, ++digits)
        value = value * 10 + (*at - '0');
      if (digits == 0 || digits > 18 || values.size() == 32)
        return false;
      values.push_back(value);
      if (!eat(',') && peek() != ')')
        return false;
    }
    return true;
  }
};

} // namespace

static const DescrEntry descrTable[] = {
    {"b1", DType::Bool}, {"i1", DType::I8},  {"i2", DType::I16},
    {"i4", DType::I32},  {"i8", DType::I64}, {"u1", DType::U8},
    {"f2", DType::F16},  {"f4", DType::F32}, {"f8", DType::F64}};

static Result<DType> parseDescr(const std::string &descr) {
  if (descr.size() != 3)
    return Status::error("element type '" + descr + "' is not supported");
  if (descr[0] == '>')
    return Status::error("it is big-endian ('" + descr +
                         "'); save it little-endian: array.astype('<" +
                         descr.substr(1) + "')");
  for (const DescrEntry &entry : descrTable)
    if (descr.compare(1, 2, entry.descr) == 0 &&
        (descr[0] == '<' || descr[0] == '|'))
      return entry.type;
  return Status::error("element type '" + descr + "' is not supported");
}

/// Product of the extents times `element`, or false when it does not fit.
static bool totalBytes(const std::vector<int64_t> &shape, size_t element,
                       size_t &bytes) {
  bytes = element;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(bytes, static_cast<size_t>(extent), &bytes))
      return false;
  return bytes < (size_t(1) << 62);
}

Result<HostTensor> panpipe::rt::parseNpy(const uint8_t *data, size_t size,
                                         const std::string &name) {
  auto fail = [&](const std::string &what) {
    return Status::error("cannot read " + name + ": " + what);
  };
  if (size < 10 || std::memcmp(data, "\x93NUMPY", 6) != 0)
    return fail("it is not a .npy file");
  unsigned version = data[6];
  if (version < 1 || version > 3)
    return fail("unknown .npy version " + std::to_string(version));
  size_t start = version == 1 ? 10 : 12;
  if (size < start)
    return fail("it is truncated in the header");
  size_t length = data[8] | size_t(data[9]) << 8;
  if (version != 1)
    length |= size_t(data[10]) << 16 | size_t(data[11]) << 24;
  if (length > size - start)
    return fail("it is truncated in the header");

  std::string descr;
  bool fortran = false;
  TensorInfo info;
  HeaderParser parser(reinterpret_cast<const char *>(data) + start, length);
  if (!parser.parse(descr, fortran, info.shape))
    return fail("its header is malformed");
  Result<DType> dtype = parseDescr(descr);
  if (!dtype.ok())
    return fail(dtype.message());
  info.dtype = *dtype;
  if (fortran && info.shape.size() > 1)
    return fail("it is in Fortran order; save numpy.ascontiguousarray(array)");
  size_t bytes = 0, present = size - start - length;
  if (!totalBytes(info.shape, byteSize(info.dtype), bytes) || bytes != present)
    return fail("its data has " + std::to_string(present) + " bytes, but " +
                info.typeString() + " needs " +
                (bytes ? std::to_string(bytes) : std::string("more")));
  HostTensor tensor(std::move(info));
  if (bytes)
    std::memcpy(tensor.storage.data(), data + start + length, bytes);
  return tensor;
}

Result<HostTensor> panpipe::rt::readNpy(const std::string &path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok())
    return file.status();
  return parseNpy(file->data(), file->size(), path);
}

Status panpipe::rt::writeNpy(const std::string &path,
                             const HostTensor &tensor) {
  const char *descr = nullptr;
  for (const DescrEntry &entry : descrTable)
    if (entry.type == tensor.info.dtype)
      descr = entry.descr;
  if (!descr)
    return Status::error("cannot write " + path + ": .npy has no type for " +
                         nameOf(tensor.info.dtype));
  std::string header = std::string("{'descr': '") +
                       (byteSize(tensor.info.dtype) == 1 ? "|" : "<") + descr +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : tensor.info.shape)
    header += std::to_string(extent) + ",";
  header += "), }";
  // The data starts at a multiple of 64 bytes; the header ends in a newline.
  while ((10 + header.size() + 1) % 64 != 0)
    header += ' ';
  header += '\n';

  std::vector<uint8_t> bytes = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  bytes.push_back(header.size() & 255);
  bytes.push_back(header.size() >> 8);
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), tensor.storage.data(),
               tensor.storage.data() + tensor.info.bytes());
  return writeFileAtomically(path, bytes.data(), bytes.size());
}
