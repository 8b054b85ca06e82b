//===- Image.h - Pictures in memory and in files ----------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An RGBA picture of floats, PNG and JPEG files, and resampling.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_COLORIZE_IMAGE_H
#define PANPIPE_COLORIZE_IMAGE_H

#include <string>
#include <vector>

namespace panpipe::colorize {

/// A grid of `channels` floats per pixel, row by row from the top left, the
/// channels of a pixel side by side. Values are sRGB (not linear light) in
/// [0, 1]; alpha is not premultiplied.
struct Image {
  int width = 0;
  int height = 0;
  int channels = 0;
  std::vector<float> data;

  Image() = default;
  Image(int width, int height, int channels, float value = 0.0f)
      : width(width), height(height), channels(channels),
        data(static_cast<size_t>(width) * height * channels, value) {}

  float &at(int x, int y, int c) {
    return data[(static_cast<size_t>(y) * width + x) * channels + c];
  }
  float at(int x, int y, int c) const {
    return data[(static_cast<size_t>(y) * width + x) * channels + c];
  }
  size_t pixels() const { return static_cast<size_t>(width) * height; }
};

/// Pictures with more pixels than this are refused rather than decoded: a
/// hostile header must not make the tool take all memory.
constexpr long maxPixels = 100L * 1000 * 1000;

/// Reads a PNG or JPEG file (told apart by content, not by name) into four
/// channels. Returns false and an explanation that names the file on failure.
bool readImage(const std::string &path, Image &image, std::string &error);

/// Writes `image` (3 or 4 channels) as PNG or JPEG, by the suffix of `path`.
/// The file appears complete or not at all. Values are rounded to 8 bits; JPEG
/// drops alpha over white. Returns false and an explanation on failure.
bool writeImage(const std::string &path, const Image &image,
                std::string &error);

/// Shrinks or enlarges to the given size. Shrinking averages over areas, so
/// thin lines fade evenly and never vanish; enlarging is bilinear.
Image resize(const Image &image, int width, int height);

} // namespace panpipe::colorize

#endif // PANPIPE_COLORIZE_IMAGE_H
