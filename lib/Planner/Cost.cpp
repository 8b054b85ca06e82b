//===- Cost.cpp - From work to time ---------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/Cost.h"

#include <algorithm>

using namespace panpipe::planner;

/// Rates are what ordinary networks sustain, so below data sheets. Operations
/// and bytes per millisecond; milliseconds.
static const DeviceDescription devices[] = {
    {"cpu", 60e6, 2e6, 12e6, 0.004, 0.002, 10e6},
    {"a100", 12e9, 4e9, 1.2e9, 0.004, 0.01, 200e6},
    {"h100", 40e9, 8e9, 2.6e9, 0.004, 0.01, 350e6},
};

const DeviceDescription *panpipe::planner::findDevice(const std::string &name) {
  for (const DeviceDescription &device : devices)
    if (device.name == name)
      return &device;
  return nullptr;
}

std::string panpipe::planner::knownDevices() {
  std::string names;
  for (const DeviceDescription &device : devices)
    names += (names.empty() ? "" : ", ") + device.name;
  return names;
}

namespace {
class AnalyticModel : public CostModel {
public:
  explicit AnalyticModel(const DeviceDescription &device) : device(device) {}

  double milliseconds(const Work &work, unsigned microbatches) const override {
    double parts = std::max(1u, microbatches);
    if (work.contractionOps == 0 && work.otherOps == 0 && work.dataBytes == 0 &&
        work.paramBytes == 0)
      return 0; // A view.
    double compute = (work.contractionOps / device.contractionRate +
                      work.otherOps / device.otherRate) /
                     parts;
    double bytes = static_cast<double>(work.dataBytes) / parts +
                   static_cast<double>(work.paramBytes);
    return device.overhead + std::max(compute, bytes / device.memoryBandwidth);
  }

  std::string source() const override { return "analytic, " + device.name; }

private:
  DeviceDescription device;
};
} // namespace

std::unique_ptr<CostModel>
panpipe::planner::createAnalyticModel(const DeviceDescription &device) {
  return std::make_unique<AnalyticModel>(device);
}
