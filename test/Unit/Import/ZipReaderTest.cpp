//===- ZipReaderTest.cpp - Tests of the zip reader ------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestZip.h"

#include <gtest/gtest.h>

using namespace panpipe::import;
using namespace panpipe::import::test;

/// The reader's message, or "" for success.
static std::string messageFor(const std::vector<uint8_t> &bytes) {
  ZipReader reader;
  Status status = reader.openMemory(bytes.data(), bytes.size());
  return status.failed() ? status.message() : "";
}

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

static const std::vector<ZipItem> two = {{"a/x", "hello"}, {"a/y", "world!"}};

TEST(ZipReader, FindsEntriesInPlace) {
  std::vector<uint8_t> bytes = makeZip(two);
  ZipReader reader;
  ASSERT_FALSE(reader.openMemory(bytes.data(), bytes.size()).failed());
  ASSERT_EQ(reader.entries().size(), 2u);
  const ZipEntry *y = reader.find("a/y");
  ASSERT_NE(y, nullptr);
  EXPECT_EQ(reader.payload(*y), "world!");
  EXPECT_EQ(reader.payload(*y).data(),
            reinterpret_cast<const char *>(bytes.data()) + y->offset);
  EXPECT_EQ(reader.find("a/z"), nullptr);
  EXPECT_FALSE(reader.checkCRC(*y).failed());
}

TEST(ZipReader, ReadsZip64AndComments) {
  ZipEnd end;
  end.zip64 = true;
  EXPECT_EQ(messageFor(makeZip(two, end)), "");
  end.comment = "PK\5\6 is no end record here";
  EXPECT_EQ(messageFor(makeZip(two, end)), "");
  EXPECT_EQ(messageFor(makeZip({})), "");
}

TEST(ZipReader, MovesItsEntries) {
  std::vector<uint8_t> bytes = makeZip(two);
  ZipReader first;
  ASSERT_FALSE(first.openMemory(bytes.data(), bytes.size()).failed());
  ZipReader second = std::move(first);
  const ZipEntry *x = second.find("a/x");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(second.payload(*x), "hello");
  EXPECT_EQ(second.size(), bytes.size());
}

TEST(ZipReader, TheDirectoryIdentifiesTheContents) {
  auto crcOf = [](const std::vector<uint8_t> &bytes) {
    ZipReader reader;
    EXPECT_FALSE(reader.openMemory(bytes.data(), bytes.size()).failed());
    return reader.directoryCRC();
  };
  std::vector<ZipItem> other = two;
  other[1].data = "World!";
  EXPECT_EQ(crcOf(makeZip(two)), crcOf(makeZip(two)));
  EXPECT_NE(crcOf(makeZip(two)), crcOf(makeZip(other)));
}

TEST(ZipReader, RefusesEveryTruncation) {
  ZipEnd end;
  for (bool zip64 : {false, true}) {
    end.zip64 = zip64;
    std::vector<uint8_t> bytes = makeZip(two, end);
    for (size_t size = 0; size < bytes.size(); ++size) {
      // A copy of exactly this size, so that a sanitizer sees reads beyond it.
      std::vector<uint8_t> part(bytes.begin(), bytes.begin() + long(size));
      EXPECT_NE(messageFor(part), "") << size << " of " << bytes.size();
    }
  }
}

TEST(ZipReader, RefusesOverlaps) {
  std::vector<ZipItem> items = two;
  items[0].packed = items[0].size = 40;
  EXPECT_TRUE(contains(messageFor(makeZip(items)), "overlap"));
  // Two names for one place: the local header has only one of them.
  items = two;
  items[1].offset = 0;
  EXPECT_TRUE(contains(messageFor(makeZip(items)), "its own header"));
  items[1].name = items[0].name;
  EXPECT_TRUE(contains(messageFor(makeZip(items)), "overlap"));
}

TEST(ZipReader, RefusesTwoEntriesOfOneName) {
  EXPECT_TRUE(contains(messageFor(makeZip({two[0], two[1], two[0]})),
                       "two entries are called"));
}

TEST(ZipReader, RefusesOffsetsOutsideOfTheFile) {
  std::vector<ZipItem> items = two;
  items[1].offset = 0x7FFFFFFF;
  EXPECT_TRUE(contains(messageFor(makeZip(items)), "lies outside"));
  items = two;
  items[1].packed = items[1].size = 0x7FFFFFFF;
  EXPECT_TRUE(contains(messageFor(makeZip(items)), "lies outside"));
  items = two;
  items[1].offset = 3;
  EXPECT_TRUE(contains(messageFor(makeZip(items)), "no local header"));
}

TEST(ZipReader, RefusesADirectoryOutsideOfTheFile) {
  ZipEnd end;
  end.offset = 0x10000000;
  EXPECT_TRUE(contains(messageFor(makeZip(two, end)), "outside the file"));
  end.zip64 = true;
  for (uint64_t far : {~uint64_t(0), ~uint64_t(0) - 99, uint64_t(1) << 63}) {
    end.offset = far;
    EXPECT_TRUE(contains(messageFor(makeZip(two, end)), "outside the file"));
  }
  end.offset.reset();
  end.size = ~uint64_t(0);
  EXPECT_TRUE(contains(messageFor(makeZip(two, end)), "outside the file"));
}

TEST(ZipReader, RefusesHugeCounts) {
  ZipEnd end;
  end.count = 60000;
  EXPECT_TRUE(contains(messageFor(makeZip(two, end)), "claims 60000 entries"));
  // Memory for this many entries must not be asked for.
  end.zip64 = true;
  end.count = uint64_t(1) << 60;
  EXPECT_TRUE(contains(messageFor(makeZip(two, end)), "claims"));
}

TEST(ZipReader, RefusesAWrongCount) {
  ZipEnd end;
  end.count = 1;
  EXPECT_TRUE(contains(messageFor(makeZip(two, end)), "left over"));
}

TEST(ZipReader, RefusesEncryptedAndInconsistentEntries) {
  std::vector<ZipItem> items = two;
  items[0].flags = 0x0801;
  EXPECT_TRUE(contains(messageFor(makeZip(items)), "encrypted"));
  items = two;
  items[0].packed = 4;
  EXPECT_TRUE(contains(messageFor(makeZip(items)), "two different sizes"));
  ZipEnd end;
  end.disk = 1;
  EXPECT_TRUE(contains(messageFor(makeZip(two, end)), "several disks"));
}

TEST(ZipReader, TellsOfACompressedEntry) {
  std::vector<ZipItem> items = two;
  items[0].method = 8;
  items[0].size = 500;
  std::vector<uint8_t> bytes = makeZip(items);
  ZipReader reader;
  ASSERT_FALSE(reader.openMemory(bytes.data(), bytes.size()).failed());
  EXPECT_EQ(reader.find("a/x")->method, 8);
}

TEST(ZipReader, ChecksumsAreCheckedOnDemand) {
  std::vector<ZipItem> items = two;
  items[1].crc = 1;
  std::vector<uint8_t> bytes = makeZip(items);
  ZipReader reader;
  ASSERT_FALSE(reader.openMemory(bytes.data(), bytes.size()).failed());
  EXPECT_FALSE(reader.checkCRC(*reader.find("a/x")).failed());
  EXPECT_TRUE(reader.checkCRC(*reader.find("a/y")).failed());
}

TEST(ZipReader, SaysWhatAForeignFileIs) {
  std::string text(100, 'x');
  EXPECT_TRUE(contains(messageFor({text.begin(), text.end()}), "not a zip"));
  EXPECT_TRUE(contains(messageFor({'P', 'K'}), "only 2 bytes"));
  EXPECT_TRUE(ZipReader().open("/nonexistent/file.pt2").failed());
}

TEST(CRC32, HasThePublishedCheckValue) {
  const std::string digits = "123456789";
  auto *p = reinterpret_cast<const uint8_t *>(digits.data());
  EXPECT_EQ(crc32(p, 9), 0xCBF43926u);
  EXPECT_EQ(crc32(p + 4, 5, crc32(p, 4)), 0xCBF43926u);
  EXPECT_EQ(crc32(p, 0), 0u);
}
