//===- OpGraphTest.cpp - Tests of the op graph ----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Import/OpGraph.h"

#include <gtest/gtest.h>

using namespace panpipe::import;

TEST(OpGraph, TypesPrintAsTheyAreWritten) {
  EXPECT_EQ((GraphTensorType{DType::F32, {1, 3, 64, 64}}.str()),
            "f32[1, 3, 64, 64]");
  EXPECT_EQ((GraphTensorType{DType::Bool, {}}.str()), "bool[]");
}

TEST(OpGraph, UnknownTypesAreNamedAndHaveNoSize) {
  DType wild = DType(99);
  EXPECT_EQ(dtypeName(wild), "unknown");
  EXPECT_EQ(dtypeBytes(wild), 0u);
  EXPECT_FALSE(isFloat(wild) || isInteger(wild) || isComplex(wild));
  EXPECT_EQ(dtypeBytes(DType::Unknown), 0u);
}

TEST(OpGraph, SizesAndKindsOfElements) {
  EXPECT_EQ(dtypeBytes(DType::Bool), 1u);
  EXPECT_EQ(dtypeBytes(DType::BF16), 2u);
  EXPECT_EQ(dtypeBytes(DType::I64), 8u);
  EXPECT_TRUE(isUnsigned(DType::U16) && isInteger(DType::U16));
  EXPECT_FALSE(isInteger(DType::Bool));
  EXPECT_FALSE(isFloat(DType::ComplexF32));
}

TEST(OpGraph, TypesDifferInElementAndShape) {
  GraphTensorType type{DType::F32, {2, 3}};
  EXPECT_TRUE(type == (GraphTensorType{DType::F32, {2, 3}}));
  EXPECT_FALSE(type == (GraphTensorType{DType::F64, {2, 3}}));
  EXPECT_FALSE(type == (GraphTensorType{DType::F32, {3, 2}}));
  EXPECT_FALSE(type == (GraphTensorType{DType::F32, {2, 3, 1}}));
}

TEST(OpGraph, ArgumentsAreFoundByName) {
  Node node;
  node.args.push_back({"self", {}});
  node.args.push_back({"dim", {}});
  EXPECT_EQ(node.find("dim"), &node.args[1].value);
  EXPECT_EQ(node.find("di"), nullptr);
  EXPECT_EQ(node.find(""), nullptr);
}
