//===- ColorizerTest.cpp - What lies around the network -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Colorize/Colorizer.h"

#include <gtest/gtest.h>

using namespace panpipe::colorize;

namespace {

/// A white picture with a black square outline from (10, 10) to (29, 29).
Image squareDrawing() {
  Image art(40, 48, 4, 1.0f);
  for (int i = 10; i < 30; ++i)
    for (auto [x, y] : {std::pair(i, 10), {i, 29}, {10, i}, {29, i}})
      for (int c = 0; c < 3; ++c)
        art.at(x, y, c) = 0.0f;
  return art;
}

/// A network that paints everything in one colour.
Network constantNetwork(float r, float g, float b) {
  return [=](const std::vector<float> &line, const std::vector<float> &,
             std::vector<float> &colour, std::string &) {
    colour.clear();
    for (float value : {r, g, b})
      colour.insert(colour.end(), line.size(), value);
    return true;
  };
}

TEST(PrepareLines, PutsAlphaOntoWhite) {
  Image art(2, 1, 4, 0.0f); // black, but fully transparent
  art.at(1, 0, 3) = 0.25f;
  LineArt lines = prepareLines(art);
  EXPECT_FALSE(lines.inverted);
  EXPECT_FLOAT_EQ(lines.lines.at(0, 0, 0), 1.0f);
  EXPECT_FLOAT_EQ(lines.lines.at(1, 0, 0), 0.75f);
}

TEST(PrepareLines, InvertsDarkPaper) {
  Image art(4, 1, 4, 1.0f);
  for (int x = 0; x < 3; ++x)
    for (int c = 0; c < 3; ++c)
      art.at(x, 0, c) = 0.1f;
  LineArt lines = prepareLines(art);
  EXPECT_TRUE(lines.inverted);
  // The paper becomes white, not light grey.
  EXPECT_FLOAT_EQ(lines.lines.at(0, 0, 0), 1.0f);
  EXPECT_NEAR(lines.lines.at(3, 0, 0), 0.0f, 1e-6f);
}

TEST(NetworkInput, PadsToASquareAndDarkensFaintLines) {
  // One dark row of a large tall picture would fade to almost nothing.
  LineArt art;
  art.lines = Image(400, 800, 1, 1.0f);
  for (int x = 0; x < 400; ++x)
    art.lines.at(x, 400, 0) = 0.0f;
  std::vector<float> sheet = networkInput(art, 64);
  ASSERT_EQ(sheet.size(), 64u * 64u);
  // Padding left and right stays paper.
  EXPECT_NEAR(sheet[32 * 64 + 0], 1.0f, 1e-4f);
  EXPECT_NEAR(sheet[32 * 64 + 63], 1.0f, 1e-4f);
  // The line keeps at least a third of its darkness.
  EXPECT_LT(sheet[32 * 64 + 32], 0.7f);
  EXPECT_NEAR(sheet[10 * 64 + 32], 1.0f, 1e-4f);
}

TEST(NetworkInput, WideDrawingsStandOnTheLowerEdge) {
  LineArt art;
  art.lines = Image(64, 32, 1, 0.0f);
  std::vector<float> sheet = networkInput(art, 64);
  EXPECT_FLOAT_EQ(sheet[31 * 64 + 32], 1.0f);
  EXPECT_FLOAT_EQ(sheet[32 * 64 + 32], 0.0f);
  EXPECT_FLOAT_EQ(sheet[63 * 64 + 32], 0.0f);
}

TEST(Colorize, KeepsTheSizeAndTheLines) {
  LineArt lines = prepareLines(squareDrawing());
  Image result;
  std::string error;
  ASSERT_TRUE(colorize(lines, {}, 16, constantNetwork(1, -1, 0), {}, result,
                       nullptr, error));
  EXPECT_EQ(result.width, 40);
  EXPECT_EQ(result.height, 48);
  EXPECT_EQ(result.channels, 3);
  // Lines stay black, the inside has the colour of the network.
  EXPECT_FLOAT_EQ(result.at(15, 10, 0), 0.0f);
  EXPECT_NEAR(result.at(20, 20, 0), 1.0f, 1e-5f);
  EXPECT_NEAR(result.at(20, 20, 1), 0.0f, 1e-5f);
  EXPECT_NEAR(result.at(20, 20, 2), 0.5f, 1e-5f);
}

TEST(Colorize, SnapsAnEnclosedRegionToItsMedian) {
  LineArt lines = prepareLines(squareDrawing());
  // Nearly constant, with one pixel that bleeds inside the square.
  Network network = [](const std::vector<float> &line,
                       const std::vector<float> &, std::vector<float> &colour,
                       std::string &) {
    colour.assign(3 * line.size(), 0.5f);
    colour[8 * 16 + 8] = -1.0f;
    return true;
  };
  Image snapped, soft;
  std::string error;
  ColorizeOptions options;
  ASSERT_TRUE(
      colorize(lines, {}, 16, network, options, snapped, nullptr, error));
  options.snapRegions = false;
  ASSERT_TRUE(colorize(lines, {}, 16, network, options, soft, nullptr, error));
  bool differs = false;
  for (int y = 12; y < 28; ++y)
    for (int x = 12; x < 28; ++x) {
      EXPECT_NEAR(snapped.at(x, y, 0), 0.75f, 1e-5f);
      differs |= std::abs(soft.at(x, y, 0) - 0.75f) > 0.1f;
    }
  EXPECT_TRUE(differs);
}

TEST(Colorize, ReportsAFailingNetwork) {
  LineArt lines = prepareLines(squareDrawing());
  Image result;
  std::string error;
  Network broken = [](const std::vector<float> &, const std::vector<float> &,
                      std::vector<float> &, std::string &why) {
    why = "device 1 is gone";
    return false;
  };
  EXPECT_FALSE(colorize(lines, {}, 16, broken, {}, result, nullptr, error));
  EXPECT_EQ(error, "device 1 is gone");
  Network shortOutput = [](const std::vector<float> &,
                           const std::vector<float> &,
                           std::vector<float> &colour, std::string &) {
    colour.assign(7, 0.0f);
    return true;
  };
  EXPECT_FALSE(
      colorize(lines, {}, 16, shortOutput, {}, result, nullptr, error));
  EXPECT_EQ(error, "the network returned 7 values instead of 768");
}

TEST(ContactSheet, HoldsEveryPicture) {
  std::vector<Image> pictures(5, Image(100, 50, 3, 0.0f));
  Image sheet = contactSheet(pictures);
  EXPECT_EQ(sheet.width, 3 * 102 + 2);
  EXPECT_EQ(sheet.height, 2 * 52 + 2);
  size_t black = 0;
  for (size_t i = 0; i < sheet.pixels(); ++i)
    black += sheet.data[i * 3] == 0.0f;
  EXPECT_EQ(black, 5u * 100 * 50);
}

} // namespace
