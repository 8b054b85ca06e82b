//===- ExecutorTest.cpp - Tests of device programs on threads -------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "TestFiles.h"

#include <gtest/gtest.h>

using namespace panpipe::rt;
using namespace panpipe::rt::test;

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

static Value valueOf(const char *text) {
  Value value;
  value.data = reinterpret_cast<const uint8_t *>(text);
  value.bytes = 1;
  return value;
}

TEST(Channels, FirstInFirstOut) {
  Channels channels(2);
  channels.send({0, 1, 5}, valueOf("a"));
  channels.send({0, 1, 6}, valueOf("x"));
  channels.send({0, 1, 5}, valueOf("b"));
  Value value;
  ASSERT_TRUE(channels.receive({0, 1, 5}, value));
  EXPECT_EQ(*value.data, 'a');
  ASSERT_TRUE(channels.receive({0, 1, 5}, value));
  EXPECT_EQ(*value.data, 'b');
}

TEST(Channels, WaitsForALateSender) {
  Channels channels(2);
  Value value;
  std::thread sender([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    channels.send({0, 1, 0}, valueOf("z"));
    channels.finish();
  });
  EXPECT_TRUE(channels.receive({0, 1, 0}, value));
  sender.join();
}

TEST(Channels, AnErrorWakesTheOthers) {
  Channels channels(2);
  std::thread failing([&] {
    channels.fail(Status::error("stage s0: broken"));
    channels.finish();
  });
  Value value;
  EXPECT_FALSE(channels.receive({0, 1, 0}, value));
  failing.join();
  channels.fail(Status::error("a later error"));
  EXPECT_EQ(channels.status().message(), "stage s0: broken");
}

TEST(Channels, ADeadlockEndsTheRun) {
  Channels channels(2);
  std::thread other([&] {
    Value value;
    EXPECT_FALSE(channels.receive({1, 0, 0}, value));
    channels.finish();
  });
  Value value;
  EXPECT_FALSE(channels.receive({0, 1, 0}, value));
  channels.finish();
  other.join();
  EXPECT_NE(channels.status().message().find("deadlock"), std::string::npos);
}

TEST(Channels, WaitingForAFinishedDeviceEndsTheRun) {
  Channels channels(2);
  channels.finish();
  Value value;
  EXPECT_FALSE(channels.receive({0, 1, 3}, value));
  EXPECT_NE(channels.status().message().find("tag 3"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Whole programs of library kernels
//===----------------------------------------------------------------------===//

/// y = x · w for a batch of `rows`, w: 3×2 in the archive.
static Stage linearStage(const char *name, uint32_t device, int64_t rows) {
  Stage stage;
  stage.name = name;
  stage.device = device;
  stage.arguments = {tensor({rows, 3})};
  stage.results = {tensor({rows, 2})};
  Slot x, w, y;
  x.place = Place::Argument, x.bytes = 12 * rows;
  w.place = Place::Parameter, w.bytes = 24;
  y.place = Place::Result, y.bytes = 8 * rows;
  stage.slots = {x, w, y};
  KernelCall call;
  call.kind = KernelKind::MatMul;
  call.location = "net.fc";
  call.matmul.m = rows, call.matmul.n = 2, call.matmul.k = 3;
  call.operands = {0, 1, 2};
  call.inputs = 2;
  stage.calls = {call};
  return stage;
}

static Instruction make(Opcode op, std::vector<int32_t> operands,
                        std::vector<uint32_t> results = {}) {
  Instruction inst;
  inst.op = op;
  inst.operands = std::move(operands);
  inst.results = std::move(results);
  return inst;
}

/// Device 0 splits the batch and sends the pieces; device 1 runs the stage on
/// each and joins.
static Program twoDevices() {
  Program p;
  p.name = "net";
  p.inputs = {tensor({5, 3}, "x")};
  p.outputs = {tensor({5, 2}, "y")};
  Parameter w;
  w.info = tensor({3, 2}, "fc.weight");
  w.strides = {2, 1};
  p.parameters = {w};
  p.stages = {linearStage("s3", 1, 3), linearStage("s2", 1, 2)};
  DeviceProgram first, second;
  first.values = {tensor({3, 3}), tensor({2, 3})};
  Instruction split = make(Opcode::Split, {-1}, {0, 1});
  split.sizes = {3, 2};
  first.code = {split, make(Opcode::Send, {0}), make(Opcode::Send, {1}),
                make(Opcode::Free, {0})};
  first.code[1].peer = first.code[2].peer = 1;
  first.code[2].tag = 7;
  second.device = 1;
  second.values = {tensor({3, 3}), tensor({2, 3}), tensor({3, 2}),
                   tensor({2, 2}), tensor({5, 2})};
  second.code = {make(Opcode::Recv, {}, {0}),       make(Opcode::Run, {0}, {2}),
                 make(Opcode::Recv, {}, {1}),       make(Opcode::Run, {1}, {3}),
                 make(Opcode::Concat, {2, 3}, {4}), make(Opcode::Deliver, {4})};
  second.code[2].tag = 7;
  second.code[1].microbatch = 0;
  second.code[3].index = 1;
  second.code[3].microbatch = 1;
  p.devices = {first, second};
  return p;
}

static std::string writeProgram(const TemporaryFolder &folder,
                                Program program) {
  std::vector<uint8_t> archive = fakeArchive({1, 2, 3, 4, 5, 6});
  program.archive.path = folder.write("w.pt2", archive);
  program.archive.size = archive.size();
  program.archive.crc = *centralDirectoryCrc(archive.data(), archive.size());
  ExecutableFile file;
  file.program = std::move(program);
  std::string path = folder.file("net.panpipe");
  EXPECT_TRUE(writeExecutableFile(path, file).ok());
  return path;
}

TEST(Executable, RunsTwoDevicesAgainAndAgain) {
  TemporaryFolder folder;
  auto net = Executable::load(writeProgram(folder, twoDevices()));
  ASSERT_TRUE(net.ok()) << net.message();
  std::vector<float> x(15), want, y(10);
  for (int i = 0; i != 15; ++i)
    x[i] = static_cast<float>(i);
  for (int r = 0; r != 5; ++r)
    for (int j = 0; j != 2; ++j)
      want.push_back(x[r * 3] * (1 + j) + x[r * 3 + 1] * (3 + j) +
                     x[r * 3 + 2] * (5 + j));
  RunReport report;
  report.profile = true;
  for (int i = 0; i != 50; ++i) {
    std::fill(y.begin(), y.end(), 0.0f);
    ASSERT_TRUE((*net)->run({x.data()}, {y.data()}, &report).ok());
    ASSERT_EQ(y, want);
  }
  ASSERT_EQ(report.stages.size(), 2u);
  EXPECT_EQ(report.stages[0].runs, 1u);
  EXPECT_EQ(report.kernels.size(), 2u);
  EXPECT_EQ(report.kernels[0].location, "net.fc");
}

TEST(Executable, ChecksTheInputs) {
  TemporaryFolder folder;
  auto net = Executable::load(writeProgram(folder, twoDevices()));
  ASSERT_TRUE(net.ok()) << net.message();
  std::vector<HostTensor> wrong;
  EXPECT_FALSE((*net)->run(wrong).ok());
  wrong.emplace_back(tensor({5, 4}));
  auto result = (*net)->run(wrong);
  EXPECT_NE(result.message().find("input x must be 5x3xf32"), std::string::npos)
      << result.message();
}

TEST(Executable, NamesWhatIsWrongWhenLoading) {
  TemporaryFolder folder;
  Program p = twoDevices();
  p.cpuName = "some other CPU";
  p.cpuFeatures = {"antigravity"};
  auto cpu = Executable::load(writeProgram(folder, p));
  EXPECT_NE(
      cpu.message().find("compiled for some other CPU, but this CPU lacks "
                         "antigravity"),
      std::string::npos)
      << cpu.message();

  p = twoDevices();
  p.stages[0].calls[0].kind = KernelKind::Compiled;
  p.stages[0].calls[0].symbol = "kernel.compiled.0";
  auto code = Executable::load(writeProgram(folder, p));
  EXPECT_NE(code.message().find("stage s3, net.fc: its code has no function"),
            std::string::npos)
      << code.message();

  p = twoDevices();
  p.stages[1].calls[0].matmul.k = 4;
  auto size = Executable::load(writeProgram(folder, p));
  EXPECT_NE(size.message().find("instead of"), std::string::npos)
      << size.message();

  std::string path = writeProgram(folder, twoDevices());
  unlink(folder.file("w.pt2").c_str());
  auto weights = Executable::load(path);
  EXPECT_NE(weights.message().find("w.pt2 is missing"), std::string::npos);
}

TEST(Executable, ADeadlockedProgramEnds) {
  TemporaryFolder folder;
  Program p = twoDevices();
  p.devices[0].code.erase(p.devices[0].code.begin() + 2); // the second send
  auto net = Executable::load(writeProgram(folder, p));
  ASSERT_TRUE(net.ok()) << net.message();
  std::vector<float> x(15), y(10);
  Status status = (*net)->run({x.data()}, {y.data()});
  EXPECT_NE(status.message().find("deadlock: device 1"), std::string::npos)
      << status.message();
}

TEST(Executable, AValueThatNobodyMadeIsAnError) {
  TemporaryFolder folder;
  Program p = twoDevices();
  std::swap(p.devices[1].code[0], p.devices[1].code[1]);
  auto net = Executable::load(writeProgram(folder, p));
  ASSERT_TRUE(net.ok()) << net.message();
  std::vector<float> x(15), y(10);
  Status status = (*net)->run({x.data()}, {y.data()});
  EXPECT_NE(status.message().find("device 1 uses a value"), std::string::npos)
      << status.message();
}
