//===- PT2ArchiveTest.cpp - Tests of the decoder of programs --------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Import/PT2Archive.h"

#include "TestZip.h"

#include <gtest/gtest.h>

using namespace panpipe::import;
using namespace panpipe::import::test;

namespace {
/// y = linear(x [2, 3], w [4, 3]); each part of the JSON can be replaced.
struct Program {
  std::string version = R"({"major": 8, "minor": 20})";
  std::string values =
      R"("x": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 3}],
               "strides": [{"as_int": 3}, {"as_int": 1}], "layout": 7},
         "w": {"dtype": 7, "sizes": [{"as_int": 4}, {"as_int": 3}],
               "strides": [{"as_int": 3}, {"as_int": 1}], "layout": 7},
         "y": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 4}],
               "strides": [{"as_int": 4}, {"as_int": 1}], "layout": 7})";
  std::string nodes = R"({"target": "torch.ops.aten.linear.default",
      "inputs": [{"name": "input", "arg": {"as_tensor": {"name": "x"}}},
                 {"name": "weight", "arg": {"as_tensor": {"name": "w"}}}],
      "outputs": [{"as_tensor": {"name": "y"}}],
      "metadata": {"nn_module_stack": "L__self__,,M;L__self__head,head,Linear",
                   "stack_trace": "  File \"/src/net.py\", line 12, in forward\n    y = self.head(x)\n"}})";
  std::string inputs =
      R"({"user_input": {"arg": {"as_tensor": {"name": "x"}}}},
         {"parameter": {"arg": {"name": "w"}, "parameter_name": "head.weight"}})";
  std::string outputs =
      R"({"user_output": {"arg": {"as_tensor": {"name": "y"}}}})";
  std::string strides = R"([{"as_int": 3}, {"as_int": 1}])";
  std::string offset = "0";
  std::string weight = std::string(48, 'w');

  std::vector<ZipItem> items() const {
    std::string model = R"({"schema_version": )" + version +
                        R"(, "graph_module": {"graph": {"nodes": [)" + nodes +
                        R"(], "tensor_values": {)" + values +
                        R"(}}, "signature": {"input_specs": [)" + inputs +
                        R"(], "output_specs": [)" + outputs + "]}}}";
    std::string config =
        R"({"config": {"head.weight": {"path_name": "weight_0",
            "is_param": true, "use_pickle": false, "tensor_meta": {"dtype": 7,
            "sizes": [{"as_int": 4}, {"as_int": 3}], "layout": 7, "strides": )" +
        strides + R"(, "storage_offset": {"as_int": )" + offset + "}}}}}";
    return {{"net/data/weights/weight_0", weight},
            {"net/data/weights/model_weights_config.json", config},
            {"net/models/model.json", model},
            {"net/archive_format", "pt2"},
            {"net/byteorder", "little"}};
  }
};
} // namespace

/// Opens and decodes; the message, or "" for success.
static std::string decode(const std::vector<ZipItem> &items, OpGraph &graph) {
  std::vector<uint8_t> bytes = makeZip(items);
  PT2Archive archive;
  Status status = archive.openMemory(bytes.data(), bytes.size());
  if (!status.failed())
    status = archive.readProgram("model", graph);
  return status.failed() ? status.message() : "";
}

static std::string messageFor(const Program &program) {
  OpGraph graph;
  return decode(program.items(), graph);
}

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

#define EXPECT_REFUSED(program, part)                                          \
  EXPECT_TRUE(contains(messageFor(program), part)) << messageFor(program)

TEST(PT2Archive, DecodesAProgram) {
  OpGraph graph;
  ASSERT_EQ(decode(Program().items(), graph), "");
  ASSERT_EQ(graph.nodes.size(), 1u);
  const Node &node = graph.nodes[0];
  EXPECT_EQ(node.target, "aten.linear.default");
  EXPECT_EQ(node.source.modulePath, "head");
  EXPECT_EQ(node.source.line, 12u);
  EXPECT_EQ(node.source.code, "y = self.head(x)");
  ASSERT_EQ(graph.inputs.size(), 2u);
  EXPECT_EQ(graph.inputs[0].kind, GraphInput::Kind::User);
  EXPECT_EQ(graph.inputs[1].name, "head.weight");
  EXPECT_EQ(graph.values[graph.outputs.at(0).value].type.str(), "f32[2, 4]");
  EXPECT_EQ(node.find("bias"), nullptr);
}

TEST(PT2Archive, PlacesAWeightWhereItLies) {
  Program program;
  // A transposed view that begins in the middle of its storage.
  program.strides = R"([{"as_int": 1}, {"as_int": 4}])";
  program.offset = "5";
  program.weight = std::string(4 * (5 + 3 + 2 * 4 + 1), 'w');
  std::vector<uint8_t> bytes = makeZip(program.items());
  PT2Archive archive;
  ASSERT_FALSE(archive.openMemory(bytes.data(), bytes.size()).failed());
  OpGraph graph;
  Status status = archive.readProgram("model", graph);
  ASSERT_FALSE(status.failed()) << status.message();
  const Storage &storage = *graph.inputs[1].storage;
  EXPECT_EQ(storage.strides, (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(storage.dtype, DType::F32);
  EXPECT_EQ(storage.offset,
            archive.zip().find("net/data/weights/weight_0")->offset + 20);
  program.weight.pop_back(); // the last element ends one byte too far
  EXPECT_REFUSED(program, "does not fit into its record");
}

TEST(PT2Archive, AnExpandedWeightNeedsFewBytes) {
  Program program;
  program.strides = R"([{"as_int": 0}, {"as_int": 1}])";
  program.weight = std::string(12, 'w');
  EXPECT_EQ(messageFor(program), "");
}

TEST(PT2Archive, RefusesWeightsOutsideOfTheirRecord) {
  Program program;
  program.strides = R"([{"as_int": 2305843009213693952}, {"as_int": 1}])";
  EXPECT_REFUSED(program, "does not fit into its record");
  program.strides = R"([{"as_int": -3}, {"as_int": 1}])";
  EXPECT_REFUSED(program, "does not fit into its record");
  program = Program();
  program.offset = "-1";
  EXPECT_REFUSED(program, "does not fit into its record");
  program.offset = "4611686018427387904";
  EXPECT_REFUSED(program, "does not fit into its record");
  program = Program();
  program.strides = R"([{"as_int": 1}])";
  EXPECT_REFUSED(program, "2 sizes but 1 strides");
  program = Program();
  program.weight = "";
  EXPECT_REFUSED(program, "meta device");
}

TEST(PT2Archive, RefusesAMissingRecord) {
  std::vector<ZipItem> items = Program().items();
  items.erase(items.begin());
  OpGraph graph;
  EXPECT_TRUE(contains(decode(items, graph), "is missing in the archive"));
}

TEST(PT2Archive, RefusesOtherSchemas) {
  Program program;
  program.version = R"({"major": 9, "minor": 0})";
  EXPECT_REFUSED(program, "schema version 9");
  program.version = R"({"major": 8, "minor": 99})"; // a newer minor is fine
  EXPECT_EQ(messageFor(program), "");
}

TEST(PT2Archive, RefusesUseBeforeDefinitionAndTwoDefinitions) {
  Program program;
  std::string first = program.nodes;
  program.nodes = R"({"target": "torch.ops.aten.relu.default",
      "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "y"}}}],
      "outputs": [{"as_tensor": {"name": "w"}}]})";
  EXPECT_REFUSED(program, "not defined before its use");
  program.nodes = first + "," + first;
  EXPECT_REFUSED(program, "'y' is defined twice");
  program.nodes = first;
  program.outputs = R"({"user_output": {"arg": {"as_tensor": {"name": "z"}}}})";
  EXPECT_REFUSED(program, "the output 'z' is not defined");
  program.outputs = "";
  EXPECT_REFUSED(program, "no outputs");
}

TEST(PT2Archive, NamesUnknownTagsAndDynamicSizes) {
  auto withArgument = [](const std::string &argument) {
    Program program;
    program.nodes.replace(program.nodes.find("],"), 1,
                          R"(, {"name": "bias", "arg": )" + argument + "}]");
    return program;
  };
  EXPECT_REFUSED(withArgument(R"({"as_brand_new": 1})"), "'as_brand_new'");
  EXPECT_REFUSED(withArgument(R"({"as_int": "three"})"), "wrong kind");
  EXPECT_REFUSED(withArgument(R"({"as_ints": 3})"), "not a list");
  EXPECT_REFUSED(withArgument(R"({"as_int": 1, "as_float": 2.0})"),
                 "exactly one tag");
  EXPECT_REFUSED(withArgument(R"({"as_sym_int": {"as_name": "s0"}})"),
                 "export without dynamic_shapes");
  EXPECT_EQ(messageFor(withArgument(R"({"as_none": true})")), "");
}

TEST(PT2Archive, RefusesMutationsAndGradients) {
  Program program;
  std::string good = program.outputs;
  program.outputs = good + R"(, {"buffer_mutation": {"arg": {"name": "y"},
                                 "buffer_name": "bn.mean"}})";
  EXPECT_REFUSED(program, "changes 'bn.mean'");
  program.outputs = good + R"(, {"gradient_to_parameter": {"arg":
                                 {"name": "y"}, "parameter_name": "w"}})";
  EXPECT_REFUSED(program, "inference programs only");
}

TEST(PT2Archive, RefusesBrokenJSON) {
  Program program;
  program.nodes = "{";
  EXPECT_REFUSED(program, "not valid JSON");
  // Deep nesting must not overflow the stack.
  program.nodes = std::string(200000, '[');
  EXPECT_REFUSED(program, "not valid JSON");
}

TEST(PT2Archive, RefusesForeignContainers) {
  auto refuse = [](std::vector<ZipItem> items) {
    OpGraph graph;
    return decode(items, graph);
  };
  EXPECT_TRUE(contains(refuse({{"net/data.pkl", ""}, {"net/data/0", "12"}}),
                       "checkpoint"));
  EXPECT_TRUE(contains(refuse({{"net/constants.pkl", ""}}), "TorchScript"));
  EXPECT_TRUE(contains(refuse({{"readme", "hello"}}), "archive_format"));
  std::vector<ZipItem> items = Program().items();
  items[4].data = "big";
  EXPECT_TRUE(contains(refuse(items), "byte order is 'big'"));
  items = Program().items();
  items[0].method = 8;
  EXPECT_TRUE(contains(refuse(items), "is compressed"));
  items = Program().items();
  items[2].crc = 1;
  EXPECT_TRUE(contains(refuse(items), "checksum"));
  items = Program().items();
  items.erase(items.begin() + 2);
  EXPECT_TRUE(contains(refuse(items), "holds no program"));
}
