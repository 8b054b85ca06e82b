//===- NetworkTest.cpp - Programs that do and do not run ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Pipe/Network.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

namespace {

class NetworkTest : public ::testing::Test {
protected:
  NetworkTest() { context.loadDialect<pipe::PipeDialect>(); }

  /// Runs the programs with a body each, over the argument %x.
  std::optional<NetworkError> run(const std::string &first,
                                  const std::string &second) {
    std::string text =
        "pipe.pipeline @main(%x: tensor<4xf32>) -> (tensor<4xf32>) {\n"
        "pipe.program on 0 {\n" +
        first + "}\npipe.program on 1 {\n" + second + "}\n}\n";
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context, false));
    if (!module) {
      ADD_FAILURE() << "does not parse: " << text;
      return std::nullopt;
    }
    return runNetwork(*module->getOps<pipe::PipelineOp>().begin(), network);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Network network;
};

const std::string sendX = "pipe.send %x to 1 tag 0 : tensor<4xf32>\n";
const std::string recvA = "%a = pipe.recv from 0 tag 0 : tensor<4xf32>\n";
const std::string deliverA = "pipe.deliver %a to 0 : tensor<4xf32>\n";

TEST_F(NetworkTest, ConnectsSenderAndReceiver) {
  auto error = run(sendX, recvA + deliverA);
  ASSERT_FALSE(error) << error->message;
  ASSERT_EQ(network.order.size(), 3u);
  Value received = network.delivered[0];
  Value sent = network.received.lookup(received);
  EXPECT_TRUE(isa<BlockArgument>(sent));
  EXPECT_EQ(network.leaked.size(), 1u);
}

TEST_F(NetworkTest, ChannelsAreFirstInFirstOut) {
  auto error = run("%p, %q = pipe.split %x dim 0 sizes [1, 3] : tensor<4xf32> "
                   "-> (tensor<1xf32>, tensor<3xf32>)\n"
                   "pipe.send %q to 1 tag 0 : tensor<3xf32>\n"
                   "pipe.send %p to 1 tag 0 : tensor<1xf32>\n",
                   "%a = pipe.recv from 0 tag 0 : tensor<1xf32>\n"
                   "pipe.deliver %x to 0 : tensor<4xf32>\n");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, NetworkError::Kind::TypeMismatch);
  EXPECT_EQ(error->message,
            "receives tensor<1xf32> but tensor<3xf32> was sent on channel 0 -> "
            "1 tag 0");
}

TEST_F(NetworkTest, DeadlockNamesTheCycle) {
  auto error =
      run("%a = pipe.recv from 1 tag 1 : tensor<4xf32>\n" + sendX,
          recvA + "pipe.send %a to 0 tag 1 : tensor<4xf32>\n" + deliverA);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, NetworkError::Kind::Deadlock);
  EXPECT_EQ(error->message,
            "deadlock: device 0 waits for device 1 waits for device 0");
  EXPECT_EQ(error->notes.size(), 2u);
}

TEST_F(NetworkTest, ValuesLost) {
  auto error = run("", recvA + deliverA);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, NetworkError::Kind::NeverSent);
  error = run(sendX + sendX, recvA + deliverA);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, NetworkError::Kind::NeverReceived);
}

TEST_F(NetworkTest, LifeEndsAtFree) {
  auto error = run(sendX, recvA + "pipe.free %a : tensor<4xf32>\n" + deliverA);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, NetworkError::Kind::UseAfterFree);
  error = run(sendX, recvA + deliverA + "pipe.free %a : tensor<4xf32>\n" +
                         "pipe.free %a : tensor<4xf32>\n");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "a value is freed twice");
}

TEST_F(NetworkTest, ResultsAreDeliveredOnce) {
  auto error = run(sendX, recvA);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, NetworkError::Kind::BadDeliver);
  EXPECT_EQ(error->message, "result 0 is never delivered");
  error = run(sendX, recvA + deliverA + deliverA);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "result 0 is delivered twice");
}

TEST_F(NetworkTest, ChannelsNeedTwoDevices) {
  auto error = run("pipe.send %x to 0 tag 0 : tensor<4xf32>\n", "");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, NetworkError::Kind::BadDevice);
  error = run("pipe.send %x to 7 tag 0 : tensor<4xf32>\n", "");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, NetworkError::Kind::BadDevice);
}

} // namespace
