//===- Cluster.h - Devices and links ----------------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a plan runs on: devices with their speed and memory, and the links
/// between them.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_CLUSTER_H
#define PANPIPE_PLANNER_CLUSTER_H

#include "panpipe/Planner/Graph.h"

namespace panpipe::planner {

struct DeviceSpec {
  double speed = 1;       ///< A node takes its time divided by this.
  uint64_t memoryCap = 0; ///< Bytes; 0 means unlimited.
};

struct Cluster {
  std::vector<DeviceSpec> devices;
  /// links[from * devices + to]; empty means the graph's link for every pair.
  std::vector<Link> links;

  const Link &link(const Graph &graph, unsigned from, unsigned to) const {
    return links.empty() ? graph.link : links[from * devices.size() + to];
  }
  /// Says what is wrong, if anything.
  Error verify() const;
};

/// Reads `pipe-devices/1`: speeds, caps, and a link for each pair that differs
/// from the graph's. docs/Planning.md describes it.
Error readCluster(const std::string &text, const Graph &graph,
                  Cluster &cluster);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_CLUSTER_H
