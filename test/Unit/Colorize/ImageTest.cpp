//===- ImageTest.cpp - Picture files and resampling -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Colorize/Image.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <unistd.h>

using namespace panpipe::colorize;

namespace {

class ImageFile : public ::testing::Test {
protected:
  std::string path(const std::string &suffix) {
    return ::testing::TempDir() + "panpipe-image-" + std::to_string(getpid()) +
           suffix;
  }
  std::string bytesOf(const std::string &file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string &file, const std::string &bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
  }
};

Image gradient(int channels) {
  Image image(31, 17, channels, 1.0f);
  for (int y = 0; y < 17; ++y)
    for (int x = 0; x < 31; ++x) {
      image.at(x, y, 0) = x / 30.0f;
      image.at(x, y, 1) = y / 16.0f;
      image.at(x, y, 2) = 0.5f;
    }
  return image;
}

TEST_F(ImageFile, PNGRoundTripIsExactToEightBits) {
  Image image = gradient(4), back;
  image.at(3, 4, 3) = 0.0f;
  std::string error;
  ASSERT_TRUE(writeImage(path(".png"), image, error)) << error;
  ASSERT_TRUE(readImage(path(".png"), back, error)) << error;
  ASSERT_EQ(back.width, 31);
  ASSERT_EQ(back.height, 17);
  for (size_t i = 0; i < image.data.size(); ++i)
    EXPECT_NEAR(back.data[i], image.data[i], 0.5f / 255 + 1e-6f);
}

TEST_F(ImageFile, JPEGRoundTripIsClose) {
  Image image = gradient(3), back;
  std::string error;
  ASSERT_TRUE(writeImage(path(".JPG"), image, error)) << error;
  ASSERT_TRUE(readImage(path(".JPG"), back, error)) << error;
  EXPECT_NEAR(back.at(15, 8, 0), 0.5f, 0.04f);
  EXPECT_EQ(back.channels, 4);
}

TEST_F(ImageFile, DamagedFilesAreErrors) {
  std::string error;
  Image image;
  ASSERT_TRUE(writeImage(path(".png"), gradient(3), error));
  ASSERT_TRUE(writeImage(path(".jpg"), gradient(3), error));
  for (std::string suffix : {".png", ".jpg"}) {
    std::string bytes = bytesOf(path(suffix));
    // A truncation is an error that names the file; none crashes. (A PNG whose
    // end marker alone is missing still has all its pixels and is read.)
    for (size_t length = 0; length + 30 < bytes.size(); length += 13) {
      write(path(".cut"), bytes.substr(0, length));
      error.clear();
      EXPECT_FALSE(readImage(path(".cut"), image, error)) << suffix << length;
      EXPECT_NE(error.find(".cut"), std::string::npos) << error;
    }
  }
}

TEST_F(ImageFile, HugeHeadersAreRefused) {
  // A PNG header that claims 60000 x 60000 pixels.
  std::string error;
  Image image;
  ASSERT_TRUE(writeImage(path(".png"), gradient(3), error));
  std::string bytes = bytesOf(path(".png"));
  // IHDR with a right checksum for these sizes.
  const unsigned char header[] = {0x00, 0x00, 0xea, 0x60, 0x00, 0x00, 0xea,
                                  0x60, 0x08, 0x02, 0x00, 0x00, 0x00};
  uint32_t crc = 0xffffffff;
  auto step = [&](unsigned char byte) {
    crc ^= byte;
    for (int k = 0; k < 8; ++k)
      crc = crc & 1 ? (crc >> 1) ^ 0xedb88320 : crc >> 1;
  };
  for (char c : std::string("IHDR"))
    step(c);
  for (unsigned char c : header)
    step(c);
  crc = ~crc;
  bytes.replace(16, 13, reinterpret_cast<const char *>(header), 13);
  for (int k = 0; k < 4; ++k)
    bytes[29 + k] = static_cast<char>(crc >> (24 - 8 * k));
  write(path(".png"), bytes);
  EXPECT_FALSE(readImage(path(".png"), image, error));
  EXPECT_NE(error.find("60000x60000"), std::string::npos) << error;
}

TEST_F(ImageFile, OtherContentAndNamesAreRefused) {
  std::string error;
  Image image;
  write(path(".png"), "GIF89a and more");
  EXPECT_FALSE(readImage(path(".png"), image, error));
  EXPECT_NE(error.find("neither a PNG nor a JPEG"), std::string::npos);
  EXPECT_FALSE(readImage("/nonexistent/art.png", image, error));
  EXPECT_NE(error.find("No such file"), std::string::npos);
  EXPECT_FALSE(writeImage(path(".gif"), gradient(3), error));
  EXPECT_NE(error.find(".png, .jpg or .jpeg"), std::string::npos);
  EXPECT_FALSE(writeImage("/nonexistent/out.png", gradient(3), error));
  EXPECT_NE(error.find("cannot be written"), std::string::npos);
}

TEST(Resize, AveragesAreasAndKeepsTheMean) {
  Image image(4, 2, 1);
  image.data = {0, 1, 0, 1, 1, 0, 1, 0};
  Image half = resize(image, 2, 1);
  EXPECT_FLOAT_EQ(half.at(0, 0, 0), 0.5f);
  EXPECT_FLOAT_EQ(half.at(1, 0, 0), 0.5f);
  Image odd = resize(image, 3, 2);
  double sum = 0;
  for (float v : odd.data)
    sum += v;
  EXPECT_NEAR(sum / 6, 0.5, 1e-6);
}

TEST(Resize, EnlargingStaysWithinTheRange) {
  Image image(2, 2, 1);
  image.data = {0, 1, 1, 0};
  Image large = resize(image, 9, 7);
  for (float v : large.data) {
    EXPECT_GE(v, 0.0f);
    EXPECT_LE(v, 1.0f);
  }
  EXPECT_FLOAT_EQ(large.at(0, 0, 0), 0.0f);
  EXPECT_FLOAT_EQ(large.at(8, 6, 0), 0.0f);
}

} // namespace
