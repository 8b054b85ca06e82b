//===- NpyTest.cpp - Tests of .npy files ----------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Runtime/Npy.h"

#include "TestFiles.h"

#include <gtest/gtest.h>

using namespace panpipe::rt;
using namespace panpipe::rt::test;

static std::vector<uint8_t> npy(const std::string &header,
                                const std::vector<uint8_t> &data) {
  std::vector<uint8_t> bytes = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  bytes.push_back(header.size() & 255);
  bytes.push_back(header.size() >> 8);
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

static std::string messageFor(const std::vector<uint8_t> &bytes) {
  auto result = parseNpy(bytes.data(), bytes.size(), "x.npy");
  return result.ok() ? "" : result.message();
}

static const std::string floats2 =
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";

TEST(Npy, ReadsWhatItWrites) {
  TemporaryFolder folder;
  HostTensor tensor(test::tensor({2, 3}));
  for (int i = 0; i != 6; ++i)
    tensor.as<float>()[i] = i * 0.5f;
  ASSERT_TRUE(writeNpy(folder.file("a.npy"), tensor).ok());
  auto back = readNpy(folder.file("a.npy"));
  ASSERT_TRUE(back.ok()) << back.message();
  EXPECT_EQ(back->info.typeString(), "2x3xf32");
  EXPECT_EQ(std::memcmp(back->storage.data(), tensor.storage.data(), 24), 0);
}

TEST(Npy, ReadsAScalarAndAnEmptyTensor) {
  auto scalar = npy("{'shape': (), 'descr': '<i8', 'fortran_order': False}",
                    std::vector<uint8_t>(8, 1));
  auto result = parseNpy(scalar.data(), scalar.size(), "s");
  ASSERT_TRUE(result.ok()) << result.message();
  EXPECT_EQ(result->info.typeString(), "i64");
  EXPECT_EQ(messageFor(npy("{'descr': '<f4', 'fortran_order': False, "
                           "'shape': (0, 4), }",
                           {})),
            "");
}

TEST(Npy, RefusesOtherFiles) {
  EXPECT_EQ(messageFor({'P', 'K', 3, 4, 0, 0, 0, 0, 0, 0}),
            "cannot read x.npy: it is not a .npy file");
  EXPECT_FALSE(readNpy("/nonexistent/x.npy").ok());
}

TEST(Npy, RefusesTruncation) {
  std::vector<uint8_t> whole = npy(floats2, std::vector<uint8_t>(8));
  EXPECT_EQ(messageFor(whole), "");
  for (size_t size = 0; size != whole.size(); ++size) {
    auto result = parseNpy(whole.data(), size, "x.npy");
    EXPECT_FALSE(result.ok()) << size;
  }
}

TEST(Npy, RefusesTrailingBytes) {
  EXPECT_NE(messageFor(npy(floats2, std::vector<uint8_t>(9)))
                .find("9 bytes, but 2xf32 needs 8"),
            std::string::npos);
}

TEST(Npy, RefusesBigEndianAndFortranOrder) {
  EXPECT_NE(messageFor(npy("{'descr': '>f4', 'fortran_order': False, "
                           "'shape': (2,), }",
                           std::vector<uint8_t>(8)))
                .find("big-endian"),
            std::string::npos);
  EXPECT_NE(messageFor(npy("{'descr': '<f4', 'fortran_order': True, "
                           "'shape': (1,2), }",
                           std::vector<uint8_t>(8)))
                .find("Fortran order"),
            std::string::npos);
}

TEST(Npy, RefusesUnknownTypesAndHugeShapes) {
  EXPECT_NE(messageFor(npy("{'descr': '<c8', 'fortran_order': False, "
                           "'shape': (1,), }",
                           std::vector<uint8_t>(8)))
                .find("'<c8' is not supported"),
            std::string::npos);
  EXPECT_NE(messageFor(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                           "(4611686018427387904, 16), }",
                           {})),
            "");
  EXPECT_NE(messageFor(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                           "(99999999999999999999,), }",
                           {}))
                .find("malformed"),
            std::string::npos);
}

TEST(Npy, RefusesMalformedHeaders) {
  for (const char *header :
       {"", "{", "{}", "{'descr': '<f4'}", "{'shape': (2), 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}"})
    EXPECT_NE(messageFor(npy(header, std::vector<uint8_t>(8))), "") << header;
}
