//===- ProgramTest.cpp - Tests of the file format and the memory plan -----===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Runtime/Program.h"
#include "panpipe/Runtime/MemoryPlan.h"

#include "TestFiles.h"

#include <gtest/gtest.h>
#include <random>

using namespace panpipe::rt;
using namespace panpipe::rt::test;

/// One stage that copies its argument.
static Program copyProgram() {
  Program p;
  p.name = "copy";
  p.inputs = {tensor({4}, "x")};
  p.outputs = {tensor({4}, "y")};
  Stage stage;
  stage.name = "s0";
  stage.arguments = {tensor({4})};
  stage.results = {tensor({4})};
  Slot in, out;
  in.place = Place::Argument;
  out.place = Place::Result;
  in.bytes = out.bytes = 16;
  stage.slots = {in, out};
  KernelCall call;
  call.kind = KernelKind::Copy;
  call.matmul.k = 16;
  call.operands = {0, 1};
  call.inputs = 1;
  stage.calls = {call};
  p.stages = {stage};
  DeviceProgram device;
  device.values = {tensor({4})};
  Instruction run, deliver;
  run.operands = {-1};
  run.results = {0};
  deliver.op = Opcode::Deliver;
  deliver.operands = {0};
  device.code = {run, deliver};
  p.devices = {device};
  return p;
}

static bool survives(const Program &program) {
  std::vector<uint8_t> bytes = serialize(program);
  return deserialize(bytes.data(), bytes.size()).ok();
}

TEST(Program, RoundTrip) {
  std::vector<uint8_t> bytes = serialize(copyProgram());
  auto back = deserialize(bytes.data(), bytes.size());
  ASSERT_TRUE(back.ok()) << back.message();
  EXPECT_EQ(serialize(*back), bytes);
  EXPECT_EQ(back->stages[0].calls[0].matmul.k, 16);
}

TEST(Program, RefusesEveryTruncation) {
  std::vector<uint8_t> bytes = serialize(copyProgram());
  for (size_t size = 0; size != bytes.size(); ++size)
    EXPECT_FALSE(deserialize(bytes.data(), size).ok()) << size;
}

TEST(Program, NoByteChangeCrashes) {
  std::vector<uint8_t> bytes = serialize(copyProgram());
  std::mt19937 random(1);
  for (int i = 0; i != 20000; ++i) {
    std::vector<uint8_t> changed = bytes;
    for (int k = 0; k != 1 + i % 3; ++k)
      changed[random() % changed.size()] = static_cast<uint8_t>(random());
    (void)deserialize(changed.data(), changed.size());
  }
}

TEST(Program, RefusesIndicesOutside) {
  Program p = copyProgram();
  EXPECT_TRUE(survives(p));
  p.stages[0].calls[0].operands[1] = 2;
  EXPECT_FALSE(survives(p));
  p = copyProgram();
  p.stages[0].slots[0].offset = 1;
  EXPECT_FALSE(survives(p));
  p = copyProgram();
  p.devices[0].code[0].operands[0] = -2;
  EXPECT_FALSE(survives(p));
  p = copyProgram();
  p.devices[0].code[0].results[0] = 1;
  EXPECT_FALSE(survives(p));
  p = copyProgram();
  p.devices[0].values[0].shape = {5};
  EXPECT_FALSE(survives(p));
}

TEST(Program, RefusesAKernelThatWritesItsInput) {
  Program p = copyProgram();
  p.stages[0].calls[0].operands = {1, 0};
  EXPECT_FALSE(survives(p));
}

TEST(ExecutableFile, RoundTripAndDamage) {
  TemporaryFolder folder;
  ExecutableFile file;
  file.program = copyProgram();
  file.code = {1, 2, 3};
  std::string path = folder.file("net.panpipe");
  ASSERT_TRUE(writeExecutableFile(path, file).ok());
  auto back = readExecutableFile(path);
  ASSERT_TRUE(back.ok()) << back.message();
  EXPECT_EQ(back->code, file.code);

  auto mapped = MappedFile::open(path);
  std::vector<uint8_t> bytes(mapped->data(), mapped->data() + mapped->size());
  auto messageOf = [&](std::vector<uint8_t> content) {
    auto result = readExecutableFile(folder.write("bad.panpipe", content));
    return result.ok() ? std::string() : result.message();
  };
  std::vector<uint8_t> cut(bytes.begin(), bytes.end() - 1),
      wrong = bytes, longer = bytes, version = bytes;
  EXPECT_NE(messageOf(cut).find("truncated"), std::string::npos);
  EXPECT_NE(messageOf({'P', 'A', 'N'}).find("not a Panpipe executable"),
            std::string::npos);
  EXPECT_NE(messageOf({bytes.begin(), bytes.begin() + 20}).find("truncated"),
            std::string::npos);
  wrong[bytes.size() - 1] ^= 1;
  EXPECT_NE(messageOf(wrong).find("checksum"), std::string::npos);
  longer.push_back(0);
  EXPECT_NE(messageOf(longer).find("bytes follow"), std::string::npos);
  version[8] = 99;
  EXPECT_NE(messageOf(version).find("format version 99"), std::string::npos);
}

TEST(ExecutableFile, WritingFailsCleanly) {
  ExecutableFile file;
  file.program = copyProgram();
  Status status = writeExecutableFile("/nonexistent/net.panpipe", file);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("/nonexistent/net.panpipe"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// MemoryPlan
//===----------------------------------------------------------------------===//

static Lifetime life(uint32_t first, uint32_t last, uint64_t bytes) {
  Lifetime lifetime;
  lifetime.first = first;
  lifetime.last = last;
  lifetime.bytes = bytes;
  return lifetime;
}

TEST(MemoryPlan, ReusesDeadBuffers) {
  MemoryPlan plan =
      planMemory({life(0, 1, 64), life(1, 2, 64), life(2, 3, 64)});
  EXPECT_EQ(plan.bytes, 128u);
  EXPECT_EQ(plan.offsets[0], plan.offsets[2]);
  EXPECT_NE(plan.offsets[0], plan.offsets[1]);
}

TEST(MemoryPlan, NeverOverlaps) {
  std::mt19937 random(7);
  for (int round = 0; round != 50; ++round) {
    std::vector<Lifetime> lifetimes;
    for (int i = 0; i != 40; ++i) {
      uint32_t first = random() % 30;
      lifetimes.push_back(life(first, first + random() % 6, random() % 1000));
    }
    MemoryPlan plan = planMemory(lifetimes);
    for (size_t i = 0; i != lifetimes.size(); ++i) {
      EXPECT_EQ(plan.offsets[i] % 64, 0u);
      EXPECT_LE(plan.offsets[i] + lifetimes[i].bytes, plan.bytes);
      for (size_t j = 0; j != i; ++j) {
        const Lifetime &a = lifetimes[i], &b = lifetimes[j];
        bool together = a.first <= b.last && b.first <= a.last;
        bool apart = plan.offsets[i] + a.bytes <= plan.offsets[j] ||
                     plan.offsets[j] + b.bytes <= plan.offsets[i];
        EXPECT_TRUE(!together || apart);
      }
    }
  }
}
