//===- AtenSchemaTest.cpp - Tests of the operator schemas -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Import/AtenSchema.h"

#include <gtest/gtest.h>

using namespace panpipe::import;

/// The default of an argument that has one.
static Argument defaultValue(const char *target, const char *name) {
  Argument value;
  const AtenOp *op = findAtenOp(target);
  EXPECT_NE(op, nullptr) << target;
  const AtenArgument *argument = op ? op->find(name) : nullptr;
  EXPECT_NE(argument, nullptr) << name;
  EXPECT_TRUE(argument && defaultOf(*argument, value)) << name;
  return value;
}

TEST(AtenSchema, IsSortedWithoutRepetition) {
  for (const AtenOp *op = atenOpsBegin(); op + 1 != atenOpsEnd(); ++op)
    EXPECT_LT(std::string(op[0].target), std::string(op[1].target));
}

TEST(AtenSchema, EveryOperatorIsFound) {
  for (const AtenOp *op = atenOpsBegin(); op != atenOpsEnd(); ++op)
    EXPECT_EQ(findAtenOp(op->target), op);
}

TEST(AtenSchema, UnknownOperatorsAreNotFound) {
  for (const char *target : {"", "aten", "aten.conv2d", "aten.conv2d.defaul",
                             "aten.conv2d.defaultx", "aten.zzz.default", "AAA"})
    EXPECT_EQ(findAtenOp(target), nullptr) << target;
}

TEST(AtenSchema, DefaultsOfAConvolution) {
  Argument stride = defaultValue("aten.conv2d.default", "stride");
  EXPECT_EQ(stride.kind, Argument::Kind::IntList);
  EXPECT_EQ(stride.ints, (std::vector<int64_t>{1, 1}));
  Argument padding = defaultValue("aten.conv3d.default", "padding");
  EXPECT_EQ(padding.ints, (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(defaultValue("aten.conv2d.default", "groups").ints,
            (std::vector<int64_t>{1}));
  EXPECT_EQ(defaultValue("aten.conv2d.default", "bias").kind,
            Argument::Kind::None);
}

TEST(AtenSchema, DefaultsOfEachKind) {
  EXPECT_EQ(defaultValue("aten.layer_norm.default", "eps").floats,
            (std::vector<double>{1e-5}));
  Argument sorted = defaultValue("aten.topk.default", "sorted");
  EXPECT_EQ(sorted.kind, Argument::Kind::Bool);
  EXPECT_EQ(sorted.ints, (std::vector<int64_t>{1}));
  EXPECT_EQ(defaultValue("aten.gelu.default", "approximate").strings,
            (std::vector<std::string>{"none"}));
  // An empty list is a default of its own: the stride is then the kernel.
  Argument stride = defaultValue("aten.max_pool2d.default", "stride");
  EXPECT_EQ(stride.kind, Argument::Kind::IntList);
  EXPECT_TRUE(stride.ints.empty());
  EXPECT_EQ(defaultValue("aten.softplus.default", "threshold").ints,
            (std::vector<int64_t>{20}));
}

TEST(AtenSchema, RequiredArgumentsHaveNoDefault) {
  const AtenOp *op = findAtenOp("aten.conv2d.default");
  ASSERT_NE(op, nullptr);
  Argument value;
  ASSERT_NE(op->find("input"), nullptr);
  EXPECT_FALSE(defaultOf(*op->find("input"), value));
  EXPECT_FALSE(defaultOf(*op->find("weight"), value));
  EXPECT_EQ(op->find("self"), nullptr);
  EXPECT_EQ(op->find(""), nullptr);
}

TEST(AtenSchema, EveryDefaultIsReadable) {
  for (const AtenOp *op = atenOpsBegin(); op != atenOpsEnd(); ++op)
    for (unsigned i = 0; i < op->numArguments; ++i) {
      const AtenArgument &argument = op->arguments[i];
      Argument value;
      if (!defaultOf(argument, value) || value.kind == Argument::Kind::None)
        continue;
      bool list = value.kind == Argument::Kind::IntList ||
                  value.kind == Argument::Kind::BoolList;
      EXPECT_TRUE(list || value.ints.size() + value.floats.size() +
                                  value.strings.size() ==
                              1)
          << op->target << " " << argument.name;
    }
}
