//===- StepReport.h - Plans of steps for people -----------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A plan for people: a table, a picture, and a trace for chrome://tracing or
/// Perfetto.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_STEPREPORT_H
#define PANPIPE_PLANNER_STEPREPORT_H

#include "panpipe/Planner/Bounds.h"
#include "panpipe/Planner/StepSimulator.h"

namespace panpipe::planner {

/// Stages, devices with their memory, makespan, bound, gap, what binds.
std::string stepTable(const Graph &graph, const Cluster &cluster,
                      const Plan &plan, const StepBounds &bounds);

/// One row per device: its runs, and under them its memory over time.
std::string stepSvg(const Graph &graph, const Cluster &cluster,
                    const Plan &plan);

/// Runs, messages and memory in the Chrome trace format.
std::string stepTrace(const Graph &graph, const Cluster &cluster,
                      const Plan &plan);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_STEPREPORT_H
