//===- Tags.cpp - The vocabulary of colour tags ---------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Colorize/Tags.h"

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>

using namespace panpipe::colorize;

bool Vocabulary::load(const std::string &path, std::string &error) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    error = path + ": " + std::strerror(errno) +
            "; the vocabulary lies beside the compiled model";
    return false;
  }
  std::stringstream text;
  text << file.rdbuf();
  rapidjson::Document json;
  json.Parse(text.str().c_str());
  if (json.HasParseError() || !json.IsObject() ||
      !json.HasMember("categories") || !json["categories"].IsObject()) {
    error = path + ": not a tag vocabulary (an object with \"categories\")";
    if (json.HasParseError())
      error +=
          std::string(": ") + rapidjson::GetParseError_En(json.GetParseError());
    return false;
  }
  entries.clear();
  for (const auto &category : json["categories"].GetObject()) {
    if (!category.value.IsObject()) {
      error = path + ": the category " + category.name.GetString() +
              " is not an object of tags and colours";
      return false;
    }
    for (const auto &tag : category.value.GetObject())
      entries.push_back({tag.name.GetString(), category.name.GetString(),
                         tag.value.IsString() ? tag.value.GetString() : ""});
  }
  if (entries.empty()) {
    error = path + ": the vocabulary has no tags";
    return false;
  }
  return true;
}

std::vector<std::string> Vocabulary::categories() const {
  std::vector<std::string> names;
  for (const Tag &tag : entries)
    if (names.empty() || names.back() != tag.category)
      names.push_back(tag.category);
  return names;
}

std::vector<size_t> Vocabulary::members(const std::string &category) const {
  std::vector<size_t> positions;
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i].category == category)
      positions.push_back(i);
  return positions;
}

/// Number of single-letter changes that turn `a` into `b`.
static size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

std::string Vocabulary::suggestions(const std::string &name) const {
  // A tag that shares the noun ("hair") counts as nearer than any misspelling.
  std::string noun = name.substr(name.find_last_of('_') + 1);
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const Tag &tag : entries) {
    size_t distance = editDistance(name, tag.name);
    bool sameNoun = tag.name.substr(tag.name.find_last_of('_') + 1) == noun;
    ranked.push_back({distance + (sameNoun ? 0 : 2), tag.name});
  }
  std::sort(ranked.begin(), ranked.end());
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(3, ranked.size()); ++i)
    text += (i ? ", " : "") + ranked[i].second;
  return text;
}

static std::string normalised(std::string word) {
  size_t begin = word.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos)
    return "";
  word = word.substr(begin, word.find_last_not_of(" \t\r\n") - begin + 1);
  for (char &c : word)
    c = c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(c));
  return word;
}

bool Vocabulary::parse(const std::string &text, std::vector<float> &vector,
                       std::string &error) const {
  vector.assign(entries.size(), 0.0f);
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    word = normalised(word);
    if (word.empty())
      continue;
    auto found = std::find_if(entries.begin(), entries.end(),
                              [&](const Tag &t) { return t.name == word; });
    if (found == entries.end()) {
      error = "unknown tag '" + word + "'; did you mean " + suggestions(word) +
              "? (--list-tags prints all " + std::to_string(entries.size()) +
              ")";
      return false;
    }
    for (size_t other : members(found->category))
      if (vector[other] != 0.0f && entries[other].name != word) {
        error = "'" + entries[other].name + "' and '" + word +
                "' are both tags of " + found->category + "; give one of them";
        return false;
      }
    vector[found - entries.begin()] = 1.0f;
  }
  return true;
}
