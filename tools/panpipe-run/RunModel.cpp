//===- RunModel.cpp - panpipe-run NET.panpipe, and info -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "panpipe/Runtime/Executable.h"
#include "panpipe/Runtime/Npy.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace panpipe;
using namespace panpipe::run;
using rt::Executable;

static std::string join(const std::vector<rt::TensorInfo> &infos) {
  std::string names;
  for (const rt::TensorInfo &info : infos)
    names += (names.empty() ? "" : ", ") + info.name;
  return names;
}

/// For every tensor of `infos` the file that was given for it: by name, or in
/// order. An empty name stands for "none given".
static bool assignFiles(const std::vector<std::string> &given,
                        const std::vector<rt::TensorInfo> &infos,
                        const char *what, std::vector<std::string> &files) {
  files.assign(infos.size(), "");
  size_t next = 0;
  for (const std::string &word : given) {
    size_t equal = word.find('=');
    size_t index = infos.size();
    if (equal != std::string::npos)
      for (size_t i = 0; i != infos.size(); ++i)
        if (infos[i].name == word.substr(0, equal))
          index = i;
    if (index != infos.size()) {
      if (!files[index].empty()) {
        error("two files are given for the " + std::string(what) + " " +
              infos[index].name + ": " + files[index] + " and " +
              word.substr(equal + 1));
        return false;
      }
      files[index] = word.substr(equal + 1);
      continue;
    }
    // A misspelt name must not become the name of a file that is written.
    if (equal != std::string::npos && word.find('/') > equal) {
      error("the model has no " + std::string(what) + " '" +
            word.substr(0, equal) + "'; it has: " + join(infos) +
            " (a file of that name is ./" + word + ")");
      return false;
    }
    while (next != infos.size() && !files[next].empty())
      ++next;
    if (next == infos.size()) {
      error("the model has " + std::to_string(infos.size()) + " " + what +
            "s; '" + word + "' is too many");
      return false;
    }
    files[next++] = word;
  }
  return true;
}

static void printSummary(const rt::RunReport &report, double loadSeconds) {
  std::printf("load %.1f ms, run %.2f ms\n", loadSeconds * 1e3,
              report.seconds * 1e3);
  for (const rt::StageReport &stage : report.stages)
    std::printf("  stage %-12s device %u: %u run%s, %8.2f ms, arena %.1f MiB, "
                "packed weights %.1f MiB\n",
                stage.name.c_str(), stage.device, stage.runs,
                stage.runs == 1 ? "" : "s", stage.seconds * 1e3,
                stage.arenaBytes / 1048576.0, stage.weightBytes / 1048576.0);
  std::vector<rt::KernelReport> kernels = report.kernels;
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const rt::KernelReport &a, const rt::KernelReport &b) {
                     return a.seconds > b.seconds;
                   });
  double total = 0;
  for (const rt::KernelReport &kernel : kernels)
    total += kernel.seconds;
  for (const rt::KernelReport &kernel : kernels)
    std::printf("  %8.3f ms %5.1f%%  %-12s %-24s %s\n", kernel.seconds * 1e3,
                100 * kernel.seconds / total, kernel.stage.c_str(),
                kernel.kernel.c_str(), kernel.location.c_str());
}

static double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

int run::runCommand(const std::vector<std::string> &text) {
  Arguments arguments;
  unsigned threads = 1, repeat = 1;
  if (!arguments.parse(
          text, {"--input", "--output", "--weights", "--threads", "--repeat"},
          {"--summary", "--profile"}) ||
      !arguments.number("--threads", 1, threads) ||
      !arguments.number("--repeat", 1, repeat))
    return 2;
  if (arguments.positional.size() != 1)
    return error("one .panpipe file is needed (see panpipe-run --help)");
  rt::LoadOptions options;
  options.weights = arguments.get("--weights");
  options.threadsPerDevice = threads;
  double start = now();
  auto loaded = Executable::load(arguments.positional[0], options);
  if (!loaded.ok())
    return error(loaded.message());
  double loadSeconds = now() - start;
  Executable &net = **loaded;

  std::vector<std::string> inputFiles, outputFiles;
  if (!assignFiles(arguments.all("--input"), net.inputs(), "input",
                   inputFiles) ||
      !assignFiles(arguments.all("--output"), net.outputs(), "output",
                   outputFiles))
    return 1;
  std::vector<rt::HostTensor> inputs;
  for (size_t i = 0; i != inputFiles.size(); ++i) {
    const rt::TensorInfo &info = net.inputs()[i];
    if (inputFiles[i].empty())
      return error("input " + info.name + " (" + info.typeString() +
                   ") is missing: --input " + info.name + "=FILE.npy");
    auto tensor = rt::readNpy(inputFiles[i]);
    if (!tensor.ok())
      return error(tensor.message());
    inputs.push_back(std::move(*tensor));
  }
  rt::RunReport report, best;
  report.profile = arguments.has("--profile");
  std::vector<rt::HostTensor> outputs;
  for (unsigned i = 0; i != repeat; ++i) {
    auto result = net.run(inputs, &report);
    if (!result.ok())
      return error(result.message());
    outputs = std::move(*result);
    if (i == 0 || report.seconds < best.seconds)
      best = report;
  }
  for (size_t i = 0; i != outputs.size(); ++i) {
    if (outputFiles[i].empty())
      continue;
    rt::Status status = rt::writeNpy(outputFiles[i], outputs[i]);
    if (!status.ok())
      return error(status.message());
  }
  if (arguments.has("--summary") || report.profile)
    printSummary(best, loadSeconds);
  return 0;
}

int run::infoCommand(const std::vector<std::string> &text) {
  Arguments arguments;
  if (!arguments.parse(text, {"--weights"}, {}))
    return 2;
  if (arguments.positional.size() != 1)
    return error("info needs one .panpipe file");
  rt::LoadOptions options;
  options.weights = arguments.get("--weights");
  auto loaded = Executable::load(arguments.positional[0], options);
  if (!loaded.ok())
    return error(loaded.message());
  std::fputs((*loaded)->describe().c_str(), stdout);
  return 0;
}
