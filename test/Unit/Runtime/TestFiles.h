//===- TestFiles.h - Files and programs for the tests of the runtime  -*- C++
//-*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TEST_UNIT_RUNTIME_TESTFILES_H
#define PANPIPE_TEST_UNIT_RUNTIME_TESTFILES_H

#include "panpipe/Runtime/Files.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

namespace panpipe::rt::test {

/// A folder of its own for each test, removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder() {
    char pattern[] = "/tmp/panpipe-test-XXXXXX";
    path = mkdtemp(pattern);
  }
  ~TemporaryFolder() {
    std::string command = "rm -rf '" + path + "'";
    if (std::system(command.c_str()) != 0)
      return;
  }
  std::string file(const std::string &name) const { return path + "/" + name; }
  std::string write(const std::string &name,
                    const std::vector<uint8_t> &bytes) const {
    (void)writeFileAtomically(file(name), bytes.data(), bytes.size());
    return file(name);
  }

  std::string path;
};

/// Something that ends like a zip archive: data, a directory, an end record.
inline std::vector<uint8_t> fakeArchive(const std::vector<float> &data) {
  std::vector<uint8_t> bytes(data.size() * 4);
  std::memcpy(bytes.data(), data.data(), bytes.size());
  uint32_t offset = static_cast<uint32_t>(bytes.size());
  std::string directory = "PK\1\2 the directory";
  bytes.insert(bytes.end(), directory.begin(), directory.end());
  uint8_t end[22] = {'P', 'K', 5, 6};
  uint32_t size = static_cast<uint32_t>(directory.size());
  std::memcpy(end + 12, &size, 4);
  std::memcpy(end + 16, &offset, 4);
  bytes.insert(bytes.end(), end, end + 22);
  return bytes;
}

inline TensorInfo tensor(std::vector<int64_t> shape, const char *name = "") {
  TensorInfo info;
  info.name = name;
  info.shape = std::move(shape);
  return info;
}

} // namespace panpipe::rt::test

#endif // PANPIPE_TEST_UNIT_RUNTIME_TESTFILES_H
