//===- Cluster.cpp - Devices and links ------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Json.h"

#include "panpipe/Planner/Cluster.h"

using namespace panpipe::planner;

Error Cluster::verify() const {
  if (devices.empty())
    return std::string("there are no devices");
  for (size_t i = 0; i < devices.size(); ++i)
    if (!(devices[i].speed > 0))
      return "device " + std::to_string(i) + ": the speed must be positive";
  for (const Link &link : links)
    if (!(link.latency >= 0) || !(link.bandwidth >= 0))
      return std::string("a link has a negative latency or bandwidth");
  return std::nullopt;
}

static Error readDevices(const json::Value &list, Cluster &cluster) {
  for (unsigned i = 0; i < list.Size(); ++i) {
    std::string where = "device " + std::to_string(i);
    DeviceSpec device;
    if (Error e =
            json::readNumber(list[i], "speed", false, where, device.speed))
      return e;
    if (Error e = json::readCount(list[i], "memory_cap", false, where,
                                  device.memoryCap))
      return e;
    cluster.devices.push_back(device);
  }
  return std::nullopt;
}

static Error readLinks(const json::Value &list, const Graph &graph,
                       Cluster &cluster) {
  size_t count = cluster.devices.size();
  cluster.links.assign(count * count, graph.link);
  for (unsigned i = 0; i < list.Size(); ++i) {
    std::string where = "link " + std::to_string(i);
    unsigned from = 0, to = 0;
    Link link;
    if (Error e = json::readIndex(list[i], "from", true, where, from))
      return e;
    if (Error e = json::readIndex(list[i], "to", true, where, to))
      return e;
    if (Error e =
            json::readNumber(list[i], "latency", true, where, link.latency))
      return e;
    if (Error e =
            json::readNumber(list[i], "bandwidth", true, where, link.bandwidth))
      return e;
    if (from >= count || to >= count)
      return where + " joins devices " + std::to_string(from) + " and " +
             std::to_string(to) + ", but there are " + std::to_string(count);
    cluster.links[from * count + to] = link;
  }
  return std::nullopt;
}

Error panpipe::planner::readCluster(const std::string &text, const Graph &graph,
                                    Cluster &cluster) {
  rapidjson::Document document;
  if (Error e = json::parseFile(text, "pipe-devices/1", document))
    return e;
  cluster = Cluster();
  const json::Value *devices = nullptr, *links = nullptr;
  if (Error e = json::readArray(document, "devices", true, "file", devices))
    return e;
  if (Error e = json::readArray(document, "links", false, "file", links))
    return e;
  if (Error e = readDevices(*devices, cluster))
    return e;
  if (links)
    if (Error e = readLinks(*links, graph, cluster))
      return e;
  return cluster.verify();
}
