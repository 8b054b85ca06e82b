//===- Cost.h - From work to time -------------------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Devices as the planner sees them, and the interface of a cost model. What a
/// node does (Work) is counted elsewhere, from its linalg body.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_COST_H
#define PANPIPE_PLANNER_COST_H

#include <cstdint>
#include <memory>
#include <string>

namespace panpipe::planner {

/// What a node computes for the whole batch. Contractions (convolution, matrix
/// product) are kept apart because they reach another share of the peak.
struct Work {
  double contractionOps = 0; ///< Floating-point operations of contractions.
  double otherOps = 0;       ///< All other scalar operations, weighted.
  uint64_t dataBytes =
      0; ///< Activations read and written: scale with the batch.
  uint64_t paramBytes = 0; ///< Parameters read: do not.

  Work &operator+=(const Work &other) {
    contractionOps += other.contractionOps;
    otherOps += other.otherOps;
    dataBytes += other.dataBytes;
    paramBytes += other.paramBytes;
    return *this;
  }
};

/// Sustained rates, not peaks.
struct DeviceDescription {
  std::string name;
  double contractionRate = 0; ///< Operations per millisecond.
  double otherRate = 0;       ///< Operations per millisecond.
  double memoryBandwidth = 0; ///< Bytes per millisecond.
  double overhead = 0;        ///< Milliseconds per node: dispatch.
  double linkLatency = 0; ///< Milliseconds per message to a device of its kind.
  double linkBandwidth = 0; ///< Bytes per millisecond.
};

/// The built-in table: "cpu" (two threads of a server core), "a100", "h100".
/// Null for an unknown name.
const DeviceDescription *findDevice(const std::string &name);
/// Names in the table, separated by commas, for diagnostics.
std::string knownDevices();

/// Where times come from. Other models (measured, given in a file) implement
/// the same interface.
class CostModel {
public:
  virtual ~CostModel() = default;
  /// Time of one of `microbatches` equal parts of `work`.
  virtual double milliseconds(const Work &work,
                              unsigned microbatches) const = 0;
  /// One word for the plan: where its costs come from.
  virtual std::string source() const = 0;
};

/// Roofline: the larger of the time to compute and the time to move the bytes,
/// plus the device's overhead per node.
std::unique_ptr<CostModel> createAnalyticModel(const DeviceDescription &device);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_COST_H
