//===- StepReport.cpp - Plans of steps for people -------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/StepReport.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

using namespace panpipe::planner;

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
static std::string format(const char *text, ...) {
  char buffer[256];
  va_list list;
  va_start(list, text);
  std::vsnprintf(buffer, sizeof(buffer), text, list);
  va_end(list);
  return buffer;
}

static std::string bytesText(int64_t bytes) {
  auto value = static_cast<double>(bytes);
  if (bytes < 10000)
    return format("%lld B", static_cast<long long>(bytes));
  if (bytes < 10000000)
    return format("%.1f kB", value / 1e3);
  return bytes < 10000000000 ? format("%.1f MB", value / 1e6)
                             : format("%.2f GB", value / 1e9);
}

namespace {
/// Columns as wide as their widest cell.
class Table {
public:
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  std::string text() const {
    std::vector<size_t> widths;
    for (const auto &row : rows) {
      widths.resize(std::max(widths.size(), row.size()));
      for (size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max(widths[i], row[i].size());
    }
    std::string result;
    for (const auto &row : rows) {
      std::string line;
      for (size_t i = 0; i < row.size(); ++i)
        line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
      line.erase(line.find_last_not_of(' ') + 1);
      result += line + "\n";
    }
    return result;
  }

private:
  std::vector<std::vector<std::string>> rows;
};
} // namespace

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static std::string stageRows(const Graph &graph, const StepGraph &steps,
                             const Plan &plan) {
  Table table;
  table.add({"stage", "device", "nodes", "F ms", "B ms", "W ms", "keeps",
             "sends", "first", "last"});
  for (unsigned stage = 0; stage < steps.stages(); ++stage) {
    const auto &nodes = plan.partition.stages[stage];
    int64_t sent = 0;
    for (Phase phase : {Phase::Forward, Phase::Backward})
      for (const StepGraph::Message &message : steps.out(phase)[stage])
        sent += message.isRemote ? message.bytes : 0;
    bool recomputes = stage < plan.recompute.size() && plan.recompute[stage];
    table.add({std::to_string(stage), std::to_string(steps.stageDevice[stage]),
               std::to_string(nodes.size()),
               format("%.3f", steps.forward[stage]),
               format("%.3f", steps.backward[stage]),
               format("%.3f", steps.weight[stage]),
               bytesText(steps.saved[stage]) + (recomputes ? " (again)" : ""),
               bytesText(sent), graph.nodes[nodes.front()].name,
               graph.nodes[nodes.back()].name});
  }
  return table.text();
}

static std::string deviceRows(const Cluster &cluster, const StepGraph &steps,
                              const StepTimeline &timeline) {
  Table table;
  table.add({"device", "busy", "parameters", "peak", "cap"});
  for (unsigned device = 0; device < steps.devices; ++device) {
    uint64_t cap = cluster.devices[device].memoryCap;
    table.add(
        {std::to_string(device),
         format("%.1f %%", timeline.makespan > 0
                               ? 100 * timeline.busy[device] / timeline.makespan
                               : 0),
         bytesText(steps.resident[device]), bytesText(timeline.peak[device]),
         cap ? bytesText(static_cast<int64_t>(cap)) : "none"});
  }
  return table.text();
}

/// Parameters with copies on several devices.
static std::string tiedRows(const Graph &graph, const Plan &plan) {
  std::string text;
  for (unsigned param = 0; param < graph.params.size(); ++param) {
    std::vector<char> isOn(plan.partition.devices, 0);
    for (unsigned stage = 0; stage < plan.partition.stages.size(); ++stage)
      for (unsigned node : plan.partition.stages[stage])
        for (unsigned used : graph.nodes[node].params)
          if (used == param)
            isOn[plan.partition.stageDevice[stage]] = 1;
    std::string list;
    unsigned count = 0;
    for (unsigned device = 0; device < isOn.size(); ++device)
      if (isOn[device]) {
        list += (count++ ? ", " : "") + std::to_string(device);
      }
    if (count > 1)
      text += "parameter " + graph.params[param].name +
              " has copies on devices " + list +
              (graph.params[param].isFrozen
                   ? "\n"
                   : ": their gradients are summed before the update\n");
  }
  return text;
}

std::string panpipe::planner::stepTable(const Graph &graph,
                                        const Cluster &cluster,
                                        const Plan &plan,
                                        const StepBounds &bounds) {
  StepGraph steps = buildStepGraph(graph, cluster, plan);
  StepTimeline timeline;
  if (Error error = simulateStep(steps, *plan.schedule, timeline))
    return *error + "\n";
  std::string text =
      format("plan of %.100s: %u stages on %u devices, %u microbatch%s, "
             "schedule %.20s\n",
             graph.name.c_str(), steps.stages(), steps.devices,
             plan.microbatches, plan.microbatches == 1 ? "" : "es",
             plan.policy.empty() ? "given" : plan.policy.c_str());
  text += stageRows(graph, steps, plan) + deviceRows(cluster, steps, timeline) +
          tiedRows(graph, plan);
  double bound = std::min(bounds.best(), timeline.makespan);
  text += format("makespan %.3f ms, lower bound %.3f ms, gap %.2f %%\n",
                 timeline.makespan, bound,
                 bound > 0 ? 100 * (timeline.makespan / bound - 1) : 0);
  text += "the bound rests on " + bounds.binding() + "\n";
  if (auto chain = chainBound(graph, cluster, plan.microbatches);
      chain && graph.isTraining())
    text += format("one stage per device and undivided backward runs take at "
                   "least %.3f ms\n",
                   *chain);
  return text;
}

//===----------------------------------------------------------------------===//
// Picture
//===----------------------------------------------------------------------===//

namespace {
constexpr double chartWidth = 1200, left = 90, runHeight = 26, curveHeight = 40,
                 rowHeight = 84, top = 40;
} // namespace

static std::string svgRuns(const StepTimeline &timeline, unsigned device,
                           double scale) {
  static const char *const colors[] = {"#6ba3d6", "#7cc08b", "#e8b45a"};
  std::string text;
  double y = top + device * rowHeight;
  for (const StepTimeline::Task &task : timeline.tasks[device]) {
    double x = left + task.start * scale;
    double width = (task.end - task.start) * scale;
    text += format("<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.0f\" "
                   "fill=\"%s\" stroke=\"#fff\" stroke-width=\"0.5\">",
                   x, y, width, runHeight,
                   colors[static_cast<size_t>(task.run.phase)]);
    text += format("<title>%s%s %.3f to %.3f ms</title></rect>\n",
                   instructionText(task.run).c_str(),
                   task.hasWeight ? " with W" : "", task.start, task.end);
    if (width > 22)
      text += format("<text x=\"%.2f\" y=\"%.1f\" text-anchor=\"middle\" "
                     "font-size=\"8\">%u.%u</text>\n",
                     x + width / 2, y + runHeight / 2 + 3, task.run.stage,
                     task.run.microbatch);
  }
  return text;
}

/// Bytes over time, from 0 to the larger of the peak and the cap.
static std::string svgMemory(const StepTimeline &timeline, unsigned device,
                             int64_t cap, double scale) {
  double base = top + device * rowHeight + runHeight + curveHeight + 6;
  double most =
      static_cast<double>(std::max<int64_t>({timeline.peak[device], cap, 1}));
  auto height = [&](int64_t bytes) {
    return base - curveHeight * static_cast<double>(bytes) / most;
  };
  std::string points = format("%.2f,%.2f ", left, base);
  double last = base;
  for (const StepTimeline::Memory &memory : timeline.memory[device]) {
    double x = left + memory.time * scale;
    points += format("%.2f,%.2f ", x, last);
    last = height(memory.bytes);
    points += format("%.2f,%.2f ", x, last);
  }
  double end = left + timeline.makespan * scale;
  points += format("%.2f,%.2f %.2f,%.2f", end, last, end, base);
  std::string text = "<polygon points=\"" + points +
                     "\" fill=\"#d9d2e9\" stroke=\"#8e7cc3\" "
                     "stroke-width=\"0.7\"/>\n";
  if (cap > 0)
    text += format("<line x1=\"%.1f\" y1=\"%.2f\" x2=\"%.1f\" y2=\"%.2f\" "
                   "stroke=\"#c00\" stroke-dasharray=\"4 3\"/>\n",
                   left, height(cap), end, height(cap));
  return text;
}

std::string panpipe::planner::stepSvg(const Graph &graph,
                                      const Cluster &cluster,
                                      const Plan &plan) {
  StepGraph steps = buildStepGraph(graph, cluster, plan);
  StepTimeline timeline;
  if (simulateStep(steps, *plan.schedule, timeline))
    return "";
  double scale = chartWidth / std::max(timeline.makespan, 1e-12);
  std::string text =
      format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
             "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"11\">\n",
             left + chartWidth + 20, top + steps.devices * rowHeight + 10);
  text += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  text += format("<text x=\"10\" y=\"20\">F blue, B green, W orange; labels "
                 "stage.microbatch; below: memory; makespan %.3f ms</text>\n",
                 timeline.makespan);
  for (unsigned device = 0; device < steps.devices; ++device) {
    double y = top + device * rowHeight;
    text +=
        format("<text x=\"10\" y=\"%.1f\">device %u</text>\n", y + 16, device);
    text +=
        format("<text x=\"10\" y=\"%.1f\" font-size=\"9\">%s</text>\n",
               y + runHeight + 30, bytesText(timeline.peak[device]).c_str());
    text += svgRuns(timeline, device, scale);
    text += svgMemory(timeline, device,
                      static_cast<int64_t>(cluster.devices[device].memoryCap),
                      scale);
  }
  return text + "</svg>\n";
}

//===----------------------------------------------------------------------===//
// Trace
//===----------------------------------------------------------------------===//

std::string panpipe::planner::stepTrace(const Graph &graph,
                                        const Cluster &cluster,
                                        const Plan &plan) {
  StepGraph steps = buildStepGraph(graph, cluster, plan);
  StepTimeline timeline;
  if (simulateStep(steps, *plan.schedule, timeline))
    return "";
  std::string text = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
  for (unsigned device = 0; device < steps.devices; ++device)
    text += format("{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 0, "
                   "\"tid\": %u, \"args\": {\"name\": \"device %u\"}},\n",
                   device, device);
  // Times of the format are microseconds.
  auto event = [&](const std::string &name, const char *kind, unsigned row,
                   double start, double end) {
    text += "{\"ph\": \"X\", \"name\": \"" + name + "\", \"cat\": \"" + kind +
            format("\", \"pid\": 0, \"tid\": %u, \"ts\": %.3f, \"dur\": %.3f}",
                   row, start * 1e3, (end - start) * 1e3) +
            ",\n";
  };
  static const char *const kinds[] = {"F", "B", "W"};
  for (unsigned device = 0; device < steps.devices; ++device) {
    for (const StepTimeline::Task &task : timeline.tasks[device])
      event(instructionText(task.run),
            kinds[static_cast<size_t>(task.run.phase)], device, task.start,
            task.end);
    for (const StepTimeline::Memory &memory : timeline.memory[device])
      text += format(
          "{\"ph\": \"C\", \"name\": \"memory of device %u\", "
          "\"pid\": 0, \"ts\": %.3f, \"args\": {\"bytes\": %lld}},\n",
          device, memory.time * 1e3, static_cast<long long>(memory.bytes));
  }
  for (const StepTimeline::Transfer &transfer : timeline.transfers) {
    unsigned from = steps.stageDevice[transfer.source];
    unsigned to = steps.stageDevice[transfer.target];
    event(format("%s%u.%u to stage %u",
                 kinds[static_cast<size_t>(transfer.phase)], transfer.source,
                 transfer.microbatch, transfer.target),
          "message", steps.devices + from * steps.devices + to, transfer.start,
          transfer.end);
  }
  text.erase(text.size() - 2);
  return text + "\n]}\n";
}
