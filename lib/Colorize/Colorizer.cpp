//===- Colorizer.cpp - From line art to a coloured picture ----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Colorize/Colorizer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

using namespace panpipe::colorize;

LineArt panpipe::colorize::prepareLines(const Image &art) {
  LineArt result;
  result.lines = Image(art.width, art.height, 1);
  double sum = 0;
  for (size_t i = 0; i < art.pixels(); ++i) {
    const float *p = &art.data[i * art.channels];
    float alpha = art.channels == 4 ? p[3] : 1.0f;
    float light = 0.299f * p[0] + 0.587f * p[1] + 0.114f * p[2];
    result.lines.data[i] = light * alpha + 1.0f - alpha;
    sum += result.lines.data[i];
  }
  result.inverted = sum / art.pixels() < 0.5;
  if (result.inverted)
    for (float &value : result.lines.data)
      value = 1.0f - value;

  // Stretch so that the paper is white: scans have a tint, and dark paper
  // inverts to a light grey.
  std::vector<float> sorted = result.lines.data;
  std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2,
                   sorted.end());
  float paper = std::max(sorted[sorted.size() / 2], 0.5f);
  for (float &value : result.lines.data)
    value = std::min(1.0f, value / paper);
  return result;
}

/// Where a picture lies in the square sheet. Paper is added left and right of a
/// tall one and above a wide one, as in the drawings the network was trained
/// on: figures stand on the lower edge.
static void squareOffsets(int width, int height, int &side, int &x, int &y) {
  side = std::max(width, height);
  x = (side - width) / 2;
  y = side - height;
}

std::vector<float> panpipe::colorize::networkInput(const LineArt &art,
                                                   int side) {
  int native, dx, dy;
  squareOffsets(art.lines.width, art.lines.height, native, dx, dy);
  Image square(native, native, 1, 1.0f);
  for (int y = 0; y < art.lines.height; ++y)
    for (int x = 0; x < art.lines.width; ++x)
      square.at(x + dx, y + dy, 0) = art.lines.at(x, y, 0);
  Image small = resize(square, side, side);

  // Averaging turns a hairline of a large drawing into a faint grey, fainter
  // than any line the network was trained on. Darken such sheets.
  std::vector<float> darkness;
  for (float value : small.data)
    if (1.0f - value > 0.04f)
      darkness.push_back(1.0f - value);
  if (!darkness.empty()) {
    size_t rank = darkness.size() * 9 / 10;
    std::nth_element(darkness.begin(), darkness.begin() + rank, darkness.end());
    float gain = std::clamp(0.4f / darkness[rank], 1.0f, 8.0f);
    for (float &value : small.data)
      value = 1.0f - std::min(1.0f, (1.0f - value) * gain);
  }
  return small.data;
}

namespace {

/// Connected areas of paper between lines.
struct Regions {
  std::vector<int32_t> label; ///< per pixel, -1 on a line
  std::vector<size_t> size;   ///< per region, pixels
};

Regions findRegions(const Image &lines) {
  constexpr float paper = 0.75f;
  Regions regions;
  regions.label.assign(lines.pixels(), -1);
  std::vector<int32_t> stack;
  auto isPaper = [&](size_t i) { return lines.data[i] >= paper; };
  for (size_t start = 0; start < lines.pixels(); ++start) {
    if (!isPaper(start) || regions.label[start] >= 0)
      continue;
    int32_t label = static_cast<int32_t>(regions.size.size());
    regions.size.push_back(0);
    regions.label[start] = label;
    stack.push_back(static_cast<int32_t>(start));
    while (!stack.empty()) {
      int32_t i = stack.back();
      stack.pop_back();
      ++regions.size[label];
      int x = i % lines.width, y = i / lines.width;
      const int neighbours[4] = {x > 0 ? i - 1 : -1,
                                 x + 1 < lines.width ? i + 1 : -1,
                                 y > 0 ? i - lines.width : -1,
                                 y + 1 < lines.height ? i + lines.width : -1};
      for (int n : neighbours)
        if (n >= 0 && regions.label[n] < 0 && isPaper(n)) {
          regions.label[n] = label;
          stack.push_back(n);
        }
    }
  }
  return regions;
}

/// Replaces the colours of a region by their median where most of them lie
/// near it; a region that leaks through a gap spans several colours and stays
/// as the network painted it.
void snap(const Regions &regions, Image &colour) {
  constexpr float near = 0.16f;
  constexpr float agreement = 0.70f;
  std::vector<std::vector<uint32_t>> pixels(regions.size.size());
  for (size_t r = 0; r < pixels.size(); ++r)
    pixels[r].reserve(regions.size[r]);
  for (size_t i = 0; i < regions.label.size(); ++i)
    if (regions.label[i] >= 0)
      pixels[regions.label[i]].push_back(static_cast<uint32_t>(i));
  std::vector<float> values;
  for (const std::vector<uint32_t> &members : pixels) {
    float median[3];
    for (int c = 0; c < 3; ++c) {
      values.clear();
      for (uint32_t i : members)
        values.push_back(colour.data[i * 3ul + c]);
      std::nth_element(values.begin(), values.begin() + values.size() / 2,
                       values.end());
      median[c] = values[values.size() / 2];
    }
    size_t agreeing = 0;
    for (uint32_t i : members) {
      float distance = 0;
      for (int c = 0; c < 3; ++c)
        distance =
            std::max(distance, std::abs(colour.data[i * 3ul + c] - median[c]));
      agreeing += distance < near;
    }
    if (agreeing < agreement * members.size())
      continue;
    for (uint32_t i : members)
      std::copy(median, median + 3, &colour.data[i * 3ul]);
  }
}

} // namespace

bool panpipe::colorize::colorize(const LineArt &art,
                                 const std::vector<float> &tags, int side,
                                 const Network &network,
                                 const ColorizeOptions &options, Image &result,
                                 Image *colourLayer, std::string &error) {
  std::vector<float> output;
  if (!network(networkInput(art, side), tags, output, error))
    return false;
  size_t plane = static_cast<size_t>(side) * side;
  if (output.size() != 3 * plane) {
    error = "the network returned " + std::to_string(output.size()) +
            " values instead of " + std::to_string(3 * plane);
    return false;
  }
  Image sheet(side, side, 3);
  for (size_t i = 0; i < plane; ++i)
    for (int c = 0; c < 3; ++c)
      sheet.data[i * 3 + c] =
          std::clamp((output[c * plane + i] + 1.0f) / 2.0f, 0.0f, 1.0f);

  int native, dx, dy;
  squareOffsets(art.lines.width, art.lines.height, native, dx, dy);
  Image large = resize(sheet, native, native);
  result = Image(art.lines.width, art.lines.height, 3);
  for (int y = 0; y < result.height; ++y)
    for (int x = 0; x < result.width; ++x)
      for (int c = 0; c < 3; ++c)
        result.at(x, y, c) = large.at(x + dx, y + dy, c);
  if (options.snapRegions)
    snap(findRegions(art.lines), result);
  if (colourLayer)
    *colourLayer = result;
  for (size_t i = 0; i < result.pixels(); ++i)
    for (int c = 0; c < 3; ++c)
      result.data[i * 3 + c] *= art.lines.data[i];
  return true;
}

Image panpipe::colorize::contactSheet(const std::vector<Image> &pictures) {
  if (pictures.empty())
    return Image();
  int columns = static_cast<int>(
      std::ceil(std::sqrt(static_cast<double>(pictures.size()))));
  int rows = (static_cast<int>(pictures.size()) + columns - 1) / columns;
  int width = pictures[0].width, height = pictures[0].height;
  int gap = std::max(2, std::max(width, height) / 100);
  Image sheet(columns * (width + gap) + gap, rows * (height + gap) + gap, 3,
              1.0f);
  for (size_t k = 0; k < pictures.size(); ++k) {
    int left = gap + static_cast<int>(k % columns) * (width + gap);
    int top = gap + static_cast<int>(k / columns) * (height + gap);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int c = 0; c < 3; ++c)
          sheet.at(left + x, top + y, c) = pictures[k].at(x, y, c);
  }
  return sheet;
}
