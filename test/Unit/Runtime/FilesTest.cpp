//===- FilesTest.cpp - Tests of weights archives --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

#include <gtest/gtest.h>

using namespace panpipe::rt;
using namespace panpipe::rt::test;

static ArchiveRef refTo(const std::string &path,
                        const std::vector<uint8_t> &bytes) {
  ArchiveRef ref;
  ref.path = path;
  ref.size = bytes.size();
  ref.crc = *centralDirectoryCrc(bytes.data(), bytes.size());
  return ref;
}

static Parameter parameter(std::vector<int64_t> shape,
                           std::vector<int64_t> strides, uint64_t offset) {
  Parameter p;
  p.info = tensor(std::move(shape), "w");
  p.strides = std::move(strides);
  p.offset = offset;
  return p;
}

TEST(Files, Crc32) {
  const char *text = "123456789";
  EXPECT_EQ(crc32(reinterpret_cast<const uint8_t *>(text), 9), 0xCBF43926u);
}

TEST(Files, FindsTheArchiveBesideTheExecutable) {
  TemporaryFolder folder;
  std::vector<uint8_t> bytes = fakeArchive({1, 2, 3});
  folder.write("net.pt2", bytes);
  ArchiveRef ref = refTo("/elsewhere/net.pt2", bytes);
  EXPECT_TRUE(openArchive(ref, folder.file("net.panpipe"), "").ok());
  EXPECT_TRUE(openArchive(ref, "/x/y", folder.file("net.pt2")).ok());
}

TEST(Files, RefusesAMissingOrChangedArchive) {
  TemporaryFolder folder;
  std::vector<uint8_t> bytes = fakeArchive({1, 2, 3});
  ArchiveRef ref = refTo(folder.file("net.pt2"), bytes);
  auto missing = openArchive(ref, folder.file("net.panpipe"), "");
  EXPECT_NE(missing.message().find("is missing"), std::string::npos);
  EXPECT_NE(missing.message().find("--weights"), std::string::npos);

  std::vector<uint8_t> other = bytes;
  other[14] ^= 1; // in the directory
  folder.write("net.pt2", other);
  auto changed = openArchive(ref, folder.file("net.panpipe"), "");
  EXPECT_NE(changed.message().find("is not the one"), std::string::npos);
  folder.write("net.pt2", fakeArchive({1, 2}));
  EXPECT_FALSE(openArchive(ref, folder.file("net.panpipe"), "").ok());
}

TEST(Files, MapsInPlaceAndGathersStrides) {
  TemporaryFolder folder;
  std::string path = folder.write("net.pt2", fakeArchive({0, 1, 2, 3, 4, 5}));
  auto archive = MappedFile::open(path);
  std::vector<AlignedBytes> copies;
  auto pointers =
      mapParameters({parameter({2, 3}, {3, 1}, 0), parameter({3, 2}, {1, 3}, 0),
                     parameter({2, 2}, {0, 1}, 8)},
                    *archive, copies);
  ASSERT_TRUE(pointers.ok()) << pointers.message();
  EXPECT_EQ((*pointers)[0], archive->data());
  EXPECT_EQ(copies.size(), 2u);
  const float *transposed = reinterpret_cast<const float *>((*pointers)[1]);
  EXPECT_EQ(std::vector<float>(transposed, transposed + 6),
            (std::vector<float>{0, 3, 1, 4, 2, 5}));
  const float *expanded = reinterpret_cast<const float *>((*pointers)[2]);
  EXPECT_EQ(std::vector<float>(expanded, expanded + 4),
            (std::vector<float>{2, 3, 2, 3}));
}

TEST(Files, RefusesWeightsOutsideTheArchive) {
  TemporaryFolder folder;
  std::string path = folder.write("net.pt2", fakeArchive({0, 1}));
  auto archive = MappedFile::open(path);
  std::vector<AlignedBytes> copies;
  int64_t huge = int64_t(1) << 61;
  for (const Parameter &bad :
       {parameter({1000}, {1}, 0), parameter({1}, {1}, 1000),
        parameter({4}, {huge}, 0), parameter({2}, {-1}, 4)}) {
    auto result = mapParameters({bad}, *archive, copies);
    EXPECT_NE(result.message().find("weight w lies outside"),
              std::string::npos);
  }
}

TEST(Files, RefusesWhatIsNoZip) {
  std::vector<uint8_t> text(100, 'x');
  EXPECT_FALSE(centralDirectoryCrc(text.data(), text.size()).ok());
  EXPECT_FALSE(centralDirectoryCrc(text.data(), 3).ok());
}
