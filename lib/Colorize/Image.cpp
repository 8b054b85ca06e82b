//===- Image.cpp - Pictures in memory and in files ------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// PNG through libpng's simplified interface, JPEG through TurboJPEG: both
/// report errors by return value, so no exception or longjmp is needed here.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Colorize/Image.h"

#include <png.h>
#include <turbojpeg.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <unistd.h>

using namespace panpipe::colorize;

namespace {

struct FileCloser {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

struct TurboCloser {
  void operator()(void *handle) const { tjDestroy(handle); }
};
using Turbo = std::unique_ptr<void, TurboCloser>;

bool readFile(const std::string &path, std::vector<unsigned char> &bytes,
              std::string &error) {
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    error = path + ": " + std::strerror(errno);
    return false;
  }
  unsigned char buffer[1 << 16];
  size_t got;
  while ((got = std::fread(buffer, 1, sizeof buffer, file.get())) > 0)
    bytes.insert(bytes.end(), buffer, buffer + got);
  if (std::ferror(file.get())) {
    error = path + ": cannot be read (is it a folder?)";
    return false;
  }
  return true;
}

bool sizeAllowed(const std::string &path, long width, long height,
                 std::string &error) {
  if (width > 0 && height > 0 && width <= maxPixels / height)
    return true;
  error = path + ": a picture of " + std::to_string(width) + "x" +
          std::to_string(height) +
          " pixels is outside what is supported (1 to " +
          std::to_string(maxPixels) + " pixels)";
  return false;
}

void fromBytes(const std::vector<unsigned char> &pixels, int width, int height,
               Image &image) {
  image = Image(width, height, 4);
  std::transform(pixels.begin(), pixels.end(), image.data.begin(),
                 [](unsigned char v) { return v / 255.0f; });
}

bool decodePNG(const std::string &path, const std::vector<unsigned char> &bytes,
               Image &image, std::string &error) {
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size())) {
    error = path + ": not a readable PNG file: " + png.message;
    return false;
  }
  if (!sizeAllowed(path, png.width, png.height, error)) {
    png_image_free(&png);
    return false;
  }
  png.format = PNG_FORMAT_RGBA;
  std::vector<unsigned char> pixels(PNG_IMAGE_SIZE(png));
  if (!png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr)) {
    error = path + ": the PNG file is damaged: " + png.message;
    png_image_free(&png);
    return false;
  }
  fromBytes(pixels, png.width, png.height, image);
  return true;
}

bool decodeJPEG(const std::string &path,
                const std::vector<unsigned char> &bytes, Image &image,
                std::string &error) {
  Turbo turbo(tjInitDecompress());
  int width = 0, height = 0, sampling = 0, colours = 0;
  if (!turbo ||
      tjDecompressHeader3(turbo.get(), bytes.data(), bytes.size(), &width,
                          &height, &sampling, &colours) != 0) {
    error = path + ": not a readable JPEG file: " + tjGetErrorStr2(turbo.get());
    return false;
  }
  if (!sizeAllowed(path, width, height, error))
    return false;
  std::vector<unsigned char> pixels(static_cast<size_t>(width) * height * 4);
  // A truncated file is only a warning to the library; to us it is an error.
  if (tjDecompress2(turbo.get(), bytes.data(), bytes.size(), pixels.data(),
                    width, 0, height, TJPF_RGBA, TJFLAG_STOPONWARNING) != 0) {
    error = path + ": the JPEG file is damaged: " + tjGetErrorStr2(turbo.get());
    return false;
  }
  fromBytes(pixels, width, height, image);
  return true;
}

unsigned char toByte(float value) {
  return static_cast<unsigned char>(
      std::lround(std::clamp(value, 0.0f, 1.0f) * 255.0f));
}

/// Encodes into memory first, so that a full disk cannot leave half a picture
/// under the final name.
bool encodePNG(const Image &image, std::vector<unsigned char> &bytes,
               std::string &error) {
  std::vector<unsigned char> pixels(image.data.size());
  std::transform(image.data.begin(), image.data.end(), pixels.begin(), toByte);
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  png.width = image.width;
  png.height = image.height;
  png.format = image.channels == 4 ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  if (png_image_write_to_memory(&png, nullptr, &size, 0, pixels.data(), 0,
                                nullptr)) {
    bytes.resize(size);
    if (png_image_write_to_memory(&png, bytes.data(), &size, 0, pixels.data(),
                                  0, nullptr)) {
      bytes.resize(size);
      return true;
    }
  }
  error = std::string("cannot encode PNG: ") + png.message;
  return false;
}

bool encodeJPEG(const Image &image, std::vector<unsigned char> &bytes,
                std::string &error) {
  std::vector<unsigned char> pixels;
  pixels.reserve(image.pixels() * 3);
  for (size_t i = 0; i < image.pixels(); ++i) {
    const float *pixel = &image.data[i * image.channels];
    float alpha = image.channels == 4 ? pixel[3] : 1.0f;
    for (int c = 0; c < 3; ++c)
      pixels.push_back(toByte(pixel[c] * alpha + 1.0f - alpha));
  }
  Turbo turbo(tjInitCompress());
  unsigned char *out = nullptr;
  unsigned long size = 0;
  if (!turbo ||
      tjCompress2(turbo.get(), pixels.data(), image.width, 0, image.height,
                  TJPF_RGB, &out, &size, TJSAMP_444, 95, 0) != 0) {
    error = std::string("cannot encode JPEG: ") + tjGetErrorStr2(turbo.get());
    return false;
  }
  bytes.assign(out, out + size);
  tjFree(out);
  return true;
}

bool hasSuffix(const std::string &path, const char *suffix) {
  size_t n = std::strlen(suffix);
  if (path.size() < n)
    return false;
  return std::equal(path.end() - n, path.end(), suffix,
                    [](char a, char b) { return std::tolower(a) == b; });
}

bool writeAtomically(const std::string &path,
                     const std::vector<unsigned char> &bytes,
                     std::string &error) {
  std::string temporary = path + ".part" + std::to_string(getpid());
  File file(std::fopen(temporary.c_str(), "wb"));
  bool written = false;
  if (file) {
    written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) ==
                  bytes.size() &&
              std::fflush(file.get()) == 0;
    int reason = errno;
    written = std::fclose(file.release()) == 0 && written;
    errno = reason;
  }
  if (written && std::rename(temporary.c_str(), path.c_str()) == 0)
    return true;
  error = path + ": cannot be written: " + std::strerror(errno);
  std::remove(temporary.c_str());
  return false;
}

/// Source range and weights of one output coordinate.
struct Taps {
  int first;
  std::vector<float> weights;
};

/// Area average when shrinking, linear interpolation when enlarging.
std::vector<Taps> makeTaps(int from, int to) {
  std::vector<Taps> taps(to);
  double scale = static_cast<double>(from) / to;
  for (int i = 0; i < to; ++i) {
    if (scale > 1.0) {
      double begin = i * scale, end = (i + 1) * scale;
      int first = static_cast<int>(begin);
      int last = std::min(from - 1, static_cast<int>(std::ceil(end)) - 1);
      taps[i].first = first;
      for (int s = first; s <= last; ++s)
        taps[i].weights.push_back(static_cast<float>(
            (std::min<double>(end, s + 1) - std::max<double>(begin, s)) /
            scale));
      continue;
    }
    double centre = (i + 0.5) * scale - 0.5;
    int first = std::clamp(static_cast<int>(std::floor(centre)), 0, from - 1);
    int second = std::min(first + 1, from - 1);
    float part = static_cast<float>(std::clamp(centre - first, 0.0, 1.0));
    taps[i].first = first;
    taps[i].weights = {1.0f - part};
    if (second != first)
      taps[i].weights.push_back(part);
  }
  return taps;
}

} // namespace

bool panpipe::colorize::readImage(const std::string &path, Image &image,
                                  std::string &error) {
  std::vector<unsigned char> bytes;
  if (!readFile(path, bytes, error))
    return false;
  static const unsigned char pngMagic[] = {0x89, 'P', 'N', 'G'};
  static const unsigned char jpegMagic[] = {0xff, 0xd8, 0xff};
  auto startsWith = [&](const unsigned char *magic, size_t n) {
    return bytes.size() >= n && std::equal(magic, magic + n, bytes.begin());
  };
  if (startsWith(pngMagic, sizeof pngMagic))
    return decodePNG(path, bytes, image, error);
  if (startsWith(jpegMagic, sizeof jpegMagic))
    return decodeJPEG(path, bytes, image, error);
  error = path + ": neither a PNG nor a JPEG file; convert it to one of them";
  return false;
}

bool panpipe::colorize::writeImage(const std::string &path, const Image &image,
                                   std::string &error) {
  std::vector<unsigned char> bytes;
  if (hasSuffix(path, ".png")) {
    if (!encodePNG(image, bytes, error))
      return false;
  } else if (hasSuffix(path, ".jpg") || hasSuffix(path, ".jpeg")) {
    if (!encodeJPEG(image, bytes, error))
      return false;
  } else {
    error =
        path + ": the name of an output picture ends in .png, .jpg or .jpeg";
    return false;
  }
  return writeAtomically(path, bytes, error);
}

Image panpipe::colorize::resize(const Image &image, int width, int height) {
  if (width == image.width && height == image.height)
    return image;
  Image rows(width, image.height, image.channels);
  std::vector<Taps> taps = makeTaps(image.width, width);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < width; ++x)
      for (size_t k = 0; k < taps[x].weights.size(); ++k)
        for (int c = 0; c < image.channels; ++c)
          rows.at(x, y, c) +=
              taps[x].weights[k] * image.at(taps[x].first + k, y, c);
  Image result(width, height, image.channels);
  taps = makeTaps(image.height, height);
  for (int y = 0; y < height; ++y)
    for (size_t k = 0; k < taps[y].weights.size(); ++k)
      for (int x = 0; x < width; ++x)
        for (int c = 0; c < image.channels; ++c)
          result.at(x, y, c) +=
              taps[y].weights[k] * rows.at(x, taps[y].first + k, c);
  return result;
}
