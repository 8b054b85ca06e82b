//===- Tags.h - The vocabulary of colour tags -------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tag names, their categories and positions in the network's tag vector.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_COLORIZE_TAGS_H
#define PANPIPE_COLORIZE_TAGS_H

#include <string>
#include <vector>

namespace panpipe::colorize {

/// The tags a network knows, in the order of its tag vector.
class Vocabulary {
public:
  struct Tag {
    std::string name;     ///< "blonde_hair"
    std::string category; ///< "hair"
    std::string anchor;   ///< "#rrggbb", the colour the tag stands for
  };

  /// Reads `{"categories": {"hair": {"blonde_hair": "#f3d676", …}, …}}`. The
  /// order of the file is the order of the vector.
  bool load(const std::string &path, std::string &error);

  const std::vector<Tag> &tags() const { return entries; }
  size_t size() const { return entries.size(); }
  /// Categories in file order.
  std::vector<std::string> categories() const;
  /// Positions of the tags of a category; empty if there is none of that name.
  std::vector<size_t> members(const std::string &category) const;

  /// Turns "blonde_hair, blue eyes" into a multi-hot vector. Case, and spaces
  /// for underscores, do not matter. An unknown tag, or two tags of one
  /// category, is an error that suggests the nearest known names.
  bool parse(const std::string &text, std::vector<float> &vector,
             std::string &error) const;

private:
  std::string suggestions(const std::string &name) const;
  std::vector<Tag> entries;
};

} // namespace panpipe::colorize

#endif // PANPIPE_COLORIZE_TAGS_H
