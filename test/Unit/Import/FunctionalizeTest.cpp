//===- FunctionalizeTest.cpp - Tests of the rewriting of in-place ops -----===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Import/Functionalize.h"

#include <gtest/gtest.h>

using namespace panpipe::import;

namespace {
/// A graph with one user input "x" of type f32[4, 4].
struct Builder {
  OpGraph graph;
  Builder() {
    value("x");
    graph.inputs.push_back({GraphInput::Kind::User, "x", 0, {}});
  }
  ValueId value(const std::string &name) {
    graph.values.push_back({name, {DType::F32, {4, 4}}});
    return ValueId(graph.values.size() - 1);
  }
  ValueId op(const std::string &target, ValueId self,
             const char *argument = "self") {
    Node node;
    node.target = target;
    node.name = "n" + std::to_string(graph.nodes.size());
    Argument arg;
    arg.kind = Argument::Kind::Tensor;
    arg.tensors = {self};
    node.args.push_back({argument, arg});
    node.results = {value(node.name)};
    graph.nodes.push_back(node);
    return node.results[0];
  }
  void output(ValueId id) { graph.outputs.push_back({"out", id}); }
  std::string run() {
    Status status = functionalize(graph);
    return status.failed() ? status.message() : "";
  }
};
} // namespace

TEST(Functionalize, LaterUsesSeeTheNewValue) {
  Builder b;
  ValueId y = b.op("aten.neg.default", 0);
  ValueId z = b.op("aten.relu_.default", y);
  b.op("aten.exp.default", y); // reads the changed y
  b.output(y);
  ASSERT_EQ(b.run(), "");
  EXPECT_EQ(b.graph.nodes[1].target, "aten.relu.default");
  EXPECT_EQ(b.graph.nodes[1].args[0].value.tensors[0], y);
  EXPECT_EQ(b.graph.nodes[2].args[0].value.tensors[0], z);
  EXPECT_EQ(b.graph.outputs[0].value, z);
}

TEST(Functionalize, TheOperandIsCalledAsTheSchemaCallsIt) {
  Builder b;
  ValueId y = b.op("aten.neg.default", 0);
  b.output(b.op("aten.dropout_.default", y));
  ASSERT_EQ(b.run(), "");
  EXPECT_EQ(b.graph.nodes[1].target, "aten.dropout.default");
  EXPECT_NE(b.graph.nodes[1].find("input"), nullptr);
  EXPECT_EQ(b.graph.nodes[1].find("self"), nullptr);
}

TEST(Functionalize, AWriteThroughASliceBecomesAScatter) {
  Builder b;
  ValueId y = b.op("aten.neg.default", 0);
  ValueId part = b.op("aten.slice.Tensor", y);
  ValueId changed = b.op("aten.relu_.default", part);
  b.output(y);
  ASSERT_EQ(b.run(), "");
  ASSERT_EQ(b.graph.nodes.size(), 4u);
  EXPECT_EQ(b.graph.nodes[3].target, "aten.slice_scatter.default");
  EXPECT_EQ(b.graph.nodes[3].find("src")->tensors[0], changed);
  EXPECT_EQ(b.graph.outputs[0].value, b.graph.nodes[3].results[0]);
}

TEST(Functionalize, PlainGraphsStayAsTheyAre) {
  Builder b;
  // Two underscores at the end, and other names that only look in-place.
  ValueId y = b.op("aten.__and__.Tensor", 0);
  b.output(b.op("aten.detach_.default", y));
  ASSERT_EQ(b.run(), "");
  EXPECT_EQ(b.graph.nodes[0].target, "aten.__and__.Tensor");
  EXPECT_EQ(b.graph.nodes[1].target, "aten.detach_.default");
}

TEST(Functionalize, RefusesToChangeAnInput) {
  Builder b;
  b.output(b.op("aten.relu_.default", 0));
  EXPECT_NE(b.run().find("changes an input"), std::string::npos);
}

TEST(Functionalize, RefusesAViewThatIsUsedLater) {
  Builder b;
  ValueId y = b.op("aten.neg.default", 0);
  ValueId view = b.op("aten.transpose.int", y);
  b.op("aten.relu_.default", y);
  b.output(view);
  EXPECT_NE(b.run().find("of which a view is used later"), std::string::npos);
}

TEST(Functionalize, RefusesAWriteThroughAnotherView) {
  Builder b;
  ValueId y = b.op("aten.neg.default", 0);
  ValueId view = b.op("aten.permute.default", y);
  b.op("aten.relu_.default", view);
  b.output(y);
  EXPECT_NE(b.run().find("save ep.run_decompositions({})"), std::string::npos);
}

TEST(Functionalize, RefusesUnusualForms) {
  Builder b;
  ValueId y = b.op("aten.neg.default", 0);
  b.output(b.op("aten.relu_.default", y, "other"));
  EXPECT_NE(b.run().find("unusual way"), std::string::npos);
}
