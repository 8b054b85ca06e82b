//===- StepSchedules.h - Schedules of the literature ------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The schedules of the literature, for any number of stages. Each gives the
/// order of every device; times follow from it (StepSimulator.h).
///
/// With p devices, stage k of a row is on device k. Interleaving with v chunks
/// puts stage k on device k mod p; the V shape puts stages k and 2p - 1 - k on
/// device k.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_STEPSCHEDULES_H
#define PANPIPE_PLANNER_STEPSCHEDULES_H

#include "panpipe/Planner/Plan.h"

namespace panpipe::planner {

/// All forward runs, then all backward runs (Huang et al., 2019).
Schedule scheduleGPipe(unsigned devices, unsigned microbatches);

/// One forward, one backward (Narayanan et al., 2019).
Schedule scheduleOneFOneB(unsigned devices, unsigned microbatches);

/// Interleaved 1F1B (Narayanan et al., 2021). `microbatches` must be a multiple
/// of `devices`; empty otherwise.
std::optional<Schedule>
scheduleInterleaved(unsigned devices, unsigned microbatches, unsigned chunks);

/// Zero bubble with the memory of 1F1B (Qi et al., 2023): W of device k is k
/// microbatches late.
Schedule scheduleZeroBubbleH1(unsigned devices, unsigned microbatches);

/// Zero bubble on a V of two chunks per device (Qi et al., 2024).
Schedule scheduleZeroBubbleV(unsigned devices, unsigned microbatches);

/// Devices of the stages: a row with `chunks` turns, and a V.
std::vector<unsigned> loopedPlacement(unsigned devices, unsigned chunks);
std::vector<unsigned> vPlacement(unsigned devices);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_STEPSCHEDULES_H
