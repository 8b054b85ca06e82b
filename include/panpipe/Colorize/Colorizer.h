//===- Colorizer.h - From line art to a coloured picture --------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What lies around the network: any picture becomes a square sheet of lines,
/// and the network's small colour sheet becomes a picture of the original size
/// with the original lines.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_COLORIZE_COLORIZER_H
#define PANPIPE_COLORIZE_COLORIZER_H

#include "panpipe/Colorize/Image.h"

#include <functional>
#include <string>
#include <vector>

namespace panpipe::colorize {

/// Runs the network once. `line` is side*side values, 1 for paper and 0 for a
/// black line; `tags` the multi-hot vector; `colour` receives 3*side*side
/// values in [-1, 1], channel by channel. Returns false and an explanation on
/// failure.
using Network = std::function<bool(
    const std::vector<float> &line, const std::vector<float> &tags,
    std::vector<float> &colour, std::string &error)>;

struct ColorizeOptions {
  /// Give a region that the lines enclose one flat colour when the network
  /// nearly agrees on it; hides the blur of enlarging a small sheet.
  bool snapRegions = true;
};

/// A picture of lines prepared for the network.
struct LineArt {
  Image lines;           ///< one channel, native size, 1 = paper, 0 = line
  bool inverted = false; ///< it was light lines on dark paper
};

/// Puts a picture with alpha onto white, takes its lightness, and inverts it if
/// it is light on dark.
LineArt prepareLines(const Image &art);

/// The square sheet of `side` x `side` that the network sees: padded with paper
/// to a square, averaged down, and with faint lines darkened to what the
/// network was trained on.
std::vector<float> networkInput(const LineArt &art, int side);

/// Colours `art` with the tags; `result` has the size of `art`, three channels,
/// lines multiplied back at native resolution. With `colourLayer`, also the
/// colours without lines.
bool colorize(const LineArt &art, const std::vector<float> &tags, int side,
              const Network &network, const ColorizeOptions &options,
              Image &result, Image *colourLayer, std::string &error);

/// Arranges equally large pictures in rows, as square a sheet as fits, with a
/// thin gap between them.
Image contactSheet(const std::vector<Image> &pictures);

} // namespace panpipe::colorize

#endif // PANPIPE_COLORIZE_COLORIZER_H
