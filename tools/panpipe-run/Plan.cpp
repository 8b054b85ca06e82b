//===- Plan.cpp - panpipe-run plan ----------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "panpipe/Dialect/Pipe/Analysis/CostGraph.h"
#include "panpipe/Dialect/Pipe/Analysis/Levels.h"
#include "panpipe/Planner/Cost.h"
#include "panpipe/Planner/JointSearch.h"
#include "panpipe/Planner/StepCheck.h"
#include "panpipe/Planner/StepReport.h"

#include "panpipe/Conversion/PipeToRuntime.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace panpipe;
using namespace panpipe::planner;

static bool readFile(const std::string &path, std::string &text) {
  std::ifstream file(path);
  std::stringstream stream;
  stream << file.rdbuf();
  if (!file) {
    run::error("cannot read " + path);
    return false;
  }
  text = stream.str();
  return true;
}

static bool writeFile(const std::string &path, const std::string &text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (file)
    return true;
  run::error("cannot write " + path);
  return false;
}

/// Numbers separated by commas; false (and a message) for anything else.
static bool readList(const run::Arguments &arguments, const std::string &name,
                     std::vector<uint64_t> &values) {
  std::stringstream stream(arguments.get(name));
  std::string word;
  while (std::getline(stream, word, ',')) {
    char *end = nullptr;
    double value = std::strtod(word.c_str(), &end);
    if (word.empty() || *end || !(value >= 0) || value > 1e18 ||
        value != std::floor(value)) {
      run::error(name + " needs whole numbers separated by commas, not '" +
                 arguments.get(name) + "'");
      return false;
    }
    values.push_back(static_cast<uint64_t>(value));
  }
  return true;
}

namespace {
struct Request {
  Graph graph;
  Cluster cluster;
  std::vector<uint64_t> microbatches = {};
  uint64_t costsAt = 1, effort = StepRequest::defaultEffort;
  double overhead = 0;
  bool allowsRecompute = true;
};
} // namespace

/// The graph of a module at level MODEL.
static bool readModule(const std::string &path, unsigned microbatches,
                       Graph &graph) {
  mlir::DialectRegistry registry;
  registerExecutableTranslations(registry);
  mlir::MLIRContext context(registry);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(path, sources, &context);
  if (!module || mlir::failed(pipe::verifyLevel(*module, pipe::Level::Model)))
    return false;
  const DeviceDescription *device = findDevice("cpu");
  auto model = createAnalyticModel(*device);
  graph = pipe::buildModelGraph(*module, *model, *device, microbatches).graph;
  return true;
}

static bool readGraphOrModule(const run::Arguments &arguments,
                              Request &request) {
  if (!arguments.has("--graph")) {
    if (arguments.positional.size() != 1) {
      run::error("plan needs --graph GRAPH.json or one MODEL.mlir");
      return false;
    }
    return readModule(arguments.positional[0],
                      static_cast<unsigned>(request.costsAt), request.graph);
  }
  std::string text;
  if (!readFile(arguments.get("--graph"), text))
    return false;
  if (Error error = readGraph(text, request.graph)) {
    run::error(arguments.get("--graph") + ": " + *error);
    return false;
  }
  return true;
}

static bool readCaps(const run::Arguments &arguments, Request &request) {
  std::vector<uint64_t> caps;
  if (!readList(arguments, "--memory-cap", caps))
    return false;
  auto &devices = request.cluster.devices;
  if (caps.size() > 1 && caps.size() != devices.size()) {
    run::error("--memory-cap lists " + std::to_string(caps.size()) +
               " caps for " + std::to_string(devices.size()) + " devices");
    return false;
  }
  for (size_t i = 0; i < devices.size() && !caps.empty(); ++i)
    devices[i].memoryCap = caps[caps.size() > 1 ? i : 0];
  return true;
}

static bool readDevices(const run::Arguments &arguments, Request &request) {
  if (arguments.has("--device-file")) {
    std::string text;
    if (!readFile(arguments.get("--device-file"), text))
      return false;
    if (Error error = readCluster(text, request.graph, request.cluster)) {
      run::error(arguments.get("--device-file") + ": " + *error);
      return false;
    }
    return readCaps(arguments, request);
  }
  unsigned devices = 1;
  if (!arguments.number("--devices", 1, devices))
    return false;
  if (devices > 1024) {
    run::error("--devices: at most 1024");
    return false;
  }
  request.cluster.devices.resize(devices);
  return readCaps(arguments, request);
}

static bool readOptimizer(const run::Arguments &arguments, Graph &graph) {
  std::string name = arguments.get("--optimizer");
  if (name.empty())
    return true;
  // Weight and gradient, and what the optimizer keeps.
  for (auto [known, factor] : {std::pair("sgd", 2), std::pair("momentum", 3),
                               std::pair("adam", 4), std::pair("adamw", 4)})
    if (name == known) {
      graph.paramFactor = factor;
      return true;
    }
  run::error("unknown optimizer " + name +
             "; known ones are sgd, momentum, adam, adamw");
  return false;
}

static bool readRequest(const run::Arguments &arguments, Request &request) {
  if (!readList(arguments, "--microbatches", request.microbatches))
    return false;
  if (request.microbatches.empty())
    request.microbatches = {1};
  for (uint64_t count : request.microbatches)
    if (count == 0 || count > 65536) {
      run::error("--microbatches: from 1 to 65536");
      return false;
    }
  unsigned costsAt = 0, effort = 0;
  if (!arguments.number("--costs-at",
                        static_cast<unsigned>(request.microbatches[0]),
                        costsAt) ||
      !arguments.number("--effort", StepRequest::defaultEffort / 1000000,
                        effort))
    return false;
  request.costsAt = costsAt;
  request.effort = effort * uint64_t(1000000);
  request.overhead = std::atof(arguments.get("--overhead", "0").c_str());
  request.allowsRecompute = !arguments.has("--no-recompute");
  return readGraphOrModule(arguments, request) &&
         readDevices(arguments, request) &&
         readOptimizer(arguments, request.graph);
}

/// One line that is written over and over, on a terminal only.
static void showProgress(uint64_t spent, uint64_t all, double best,
                         double bound) {
  if (!isatty(STDERR_FILENO))
    return;
  if (best < 1e90)
    std::fprintf(stderr,
                 "\r%3.0f %%  best %.3f ms, at most %.2f %% over the "
                 "optimum   ",
                 100.0 * static_cast<double>(spent) / static_cast<double>(all),
                 best, 100 * (best / bound - 1));
  else
    std::fprintf(stderr, "\r%3.0f %%  nothing fits yet",
                 100.0 * static_cast<double>(spent) / static_cast<double>(all));
}

/// The best plan over the numbers of microbatches; its graph is left in
/// `request`.
static StepResult search(Request &request) {
  StepResult best;
  Graph bestGraph = request.graph;
  for (uint64_t count : request.microbatches) {
    Graph graph = rescale(request.graph, static_cast<unsigned>(request.costsAt),
                          static_cast<unsigned>(count), request.overhead);
    StepRequest step{graph,
                     request.cluster,
                     static_cast<unsigned>(count),
                     request.allowsRecompute,
                     request.effort / request.microbatches.size(),
                     showProgress};
    StepResult result = searchStep(step);
    if (request.microbatches.size() > 1 && result.plan)
      std::printf("%llu microbatches: %.3f ms\n",
                  static_cast<unsigned long long>(count),
                  *result.plan->makespan);
    bool isBetter = result.plan && (!best.plan || *result.plan->makespan <
                                                      *best.plan->makespan);
    if (isBetter || (!best.plan && best.error.empty())) {
      best = std::move(result);
      bestGraph = graph;
    }
  }
  if (isatty(STDERR_FILENO))
    std::fputs("\r\033[K", stderr);
  request.graph = bestGraph;
  return best;
}

/// `--check`: a plan made elsewhere.
static int checkPlan(const run::Arguments &arguments, Request &request) {
  std::string text;
  if (!readFile(arguments.get("--check"), text))
    return 1;
  Plan plan;
  if (Error error = readPlan(text, request.graph, plan))
    return run::error(arguments.get("--check") + ": " + *error);
  if (!arguments.has("--devices") && !arguments.has("--device-file")) {
    request.cluster.devices.resize(plan.partition.devices);
    if (!readCaps(arguments, request))
      return 1;
  }
  StepReport report = checkStep(request.graph, request.cluster, plan);
  for (const std::string &mistake : report.mistakes)
    run::error(arguments.get("--check") + ": " + mistake);
  if (!report.isValid())
    return 1;
  std::fputs(
      stepTable(request.graph, request.cluster, plan,
                lowerBounds(request.graph, request.cluster, plan.microbatches))
          .c_str(),
      stdout);
  return 0;
}

int run::planCommand(const std::vector<std::string> &text) {
  Arguments arguments;
  if (!arguments.parse(text,
                       {"--graph", "--devices", "--microbatches", "-o", "--svg",
                        "--trace", "--memory-cap", "--device-file",
                        "--optimizer", "--effort", "--costs-at", "--overhead",
                        "--check", "--graph-out"},
                       {"--no-recompute"}))
    return 2;
  Request request;
  if (!readRequest(arguments, request))
    return 2;
  if (arguments.has("--check"))
    return checkPlan(arguments, request);
  if (arguments.has("--graph-out") &&
      !writeFile(arguments.get("--graph-out"), writeGraph(request.graph)))
    return 1;
  StepResult result = search(request);
  if (!result.plan)
    return error(result.error);
  const Plan &plan = *result.plan;
  std::fputs(
      stepTable(request.graph, request.cluster, plan, result.bounds).c_str(),
      stdout);
  if (arguments.has("-o") && !writeFile(arguments.get("-o"), writePlan(plan)))
    return 1;
  if (arguments.has("--svg") &&
      !writeFile(arguments.get("--svg"),
                 stepSvg(request.graph, request.cluster, plan)))
    return 1;
  if (arguments.has("--trace") &&
      !writeFile(arguments.get("--trace"),
                 stepTrace(request.graph, request.cluster, plan)))
    return 1;
  return 0;
}
