//===- Intervals.h - Costs of intervals of a linear order -------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The costs of all intervals [begin, end) of a linear order, one row (fixed
/// begin) at a time, so that a search needs memory for one row only. A row
/// costs time in proportion to the graph. Equal to stageCost of the interval's
/// nodes.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_PLANNER_INTERVALS_H
#define PANPIPE_LIB_PLANNER_INTERVALS_H

#include "panpipe/Planner/Search.h"

namespace panpipe::planner {

class Intervals {
public:
  struct Cell {
    double work = 0, transfer = 0;
    uint64_t memory = 0;
  };

  Intervals(const Graph &graph, const std::vector<unsigned> &order,
            unsigned microbatches);

  size_t size() const { return order.size(); }
  /// Fills row[end] for begin < end <= size().
  void computeRow(size_t begin, std::vector<Cell> &row);

private:
  struct Value {
    uint64_t bytes = 0;  ///< Largest edge.
    size_t position = 0; ///< Of the producer.
  };

  const Graph &graph;
  std::vector<unsigned> order;
  unsigned microbatches;
  std::vector<Value> values;
  std::vector<std::vector<unsigned>> inputs; ///< Values used, per position.
  std::vector<size_t> lastUse; ///< Position, or size() when it leaves.
  size_t rowsComputed = 0;
  // Number of the row in which a value or parameter was last seen.
  std::vector<size_t> valueSeen, paramSeen;
};

} // namespace panpipe::planner

#endif // PANPIPE_LIB_PLANNER_INTERVALS_H
