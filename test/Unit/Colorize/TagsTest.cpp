//===- TagsTest.cpp - The vocabulary of colour tags -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Colorize/Tags.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <numeric>
#include <unistd.h>

using namespace panpipe::colorize;

namespace {

class Tags : public ::testing::Test {
protected:
  void SetUp() override {
    file = ::testing::TempDir() + "panpipe-tags-" + std::to_string(getpid());
    std::ofstream(file) << R"({"categories": {
      "hair": {"blonde_hair": "#f3d676", "blue_hair": "#4f7fd6"},
      "eyes": {"blue_eyes": "#3a78de", "red_eyes": "#d0343a"}}})";
    std::string error;
    ASSERT_TRUE(vocabulary.load(file, error)) << error;
  }
  std::string file, error;
  Vocabulary vocabulary;
  std::vector<float> vector;
};

TEST_F(Tags, KeepTheOrderOfTheFile) {
  ASSERT_EQ(vocabulary.size(), 4u);
  EXPECT_EQ(vocabulary.tags()[1].name, "blue_hair");
  EXPECT_EQ(vocabulary.categories(),
            (std::vector<std::string>{"hair", "eyes"}));
  EXPECT_EQ(vocabulary.members("eyes"), (std::vector<size_t>{2, 3}));
  EXPECT_TRUE(vocabulary.members("shoes").empty());
}

TEST_F(Tags, AreForgivingAboutCaseAndSpaces) {
  ASSERT_TRUE(vocabulary.parse(" Blonde hair ,RED-EYES,, ", vector, error));
  EXPECT_EQ(vector, (std::vector<float>{1, 0, 0, 1}));
  ASSERT_TRUE(vocabulary.parse("", vector, error));
  EXPECT_EQ(vector, (std::vector<float>{0, 0, 0, 0}));
}

TEST_F(Tags, UnknownOnesGetSuggestions) {
  EXPECT_FALSE(vocabulary.parse("blnode_hair", vector, error));
  EXPECT_EQ(error.substr(0, error.find('?')),
            "unknown tag 'blnode_hair'; did you mean blonde_hair, blue_hair, "
            "blue_eyes");
  EXPECT_FALSE(vocabulary.parse("green_hair", vector, error));
  EXPECT_NE(error.find("did you mean blue_hair"), std::string::npos) << error;
}

TEST_F(Tags, TwoOfOneCategoryAreRefused) {
  EXPECT_FALSE(vocabulary.parse("blonde_hair, blue_hair", vector, error));
  EXPECT_EQ(error, "'blonde_hair' and 'blue_hair' are both tags of hair; give "
                   "one of them");
  EXPECT_TRUE(vocabulary.parse("blue_hair, blue_hair", vector, error));
}

TEST_F(Tags, BadFilesAreExplained) {
  Vocabulary other;
  EXPECT_FALSE(other.load("/nonexistent/v.json", error));
  EXPECT_NE(error.find("No such file"), std::string::npos);
  std::ofstream(file) << "{\"categories\": [1, 2";
  EXPECT_FALSE(other.load(file, error));
  EXPECT_NE(error.find("not a tag vocabulary"), std::string::npos);
  std::ofstream(file) << "{\"categories\": {}}";
  EXPECT_FALSE(other.load(file, error));
  EXPECT_NE(error.find("no tags"), std::string::npos);
  std::ofstream(file) << "{\"categories\": {\"hair\": 3}}";
  EXPECT_FALSE(other.load(file, error));
  EXPECT_NE(error.find("hair"), std::string::npos);
}

} // namespace
