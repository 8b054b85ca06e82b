//===- panpipe-run.cpp - Compile and run models ---------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace panpipe::run;

static const char usage[] =
    "panpipe-run: compiles and runs models\n"
    "\n"
    "  panpipe-run compile MODEL.mlir -o NET.panpipe [options]\n"
    "      MODEL.mlir is at any level from MODEL to SCHEDULED; a MODEL is cut "
    "by\n"
    "      --devices N         one stage for each device (1)\n"
    "      --microbatches M    equal pieces of the batch (1)\n"
    "      --microbatch-sizes A,B,…  or pieces of these sizes\n"
    "      --batch-dim NAME:D  batch dimension of an input; NAME:none for no "
    "one\n"
    "      --memory-cap A,B,…  bytes of each device, or one number for all\n"
    "      --plan-in FILE, --plan-out FILE  read or write the partition\n"
    "      Further options:\n"
    "      --cpu NAME          native (default), x86-64, x86-64-v3, x86-64-v4\n"
    "      --plain-layouts     keep images in NCHW between kernels\n"
    "      --dump-lowered FILE write the lowered module\n"
    "  panpipe-run plan --graph GRAPH.json|MODEL.mlir [options]\n"
    "      finds stages, devices and schedule of a step; needs no weights\n"
    "      --devices N, --microbatches M   or M,M,…: the best of these\n"
    "      -o PLAN.json        write the plan\n"
    "      --svg FILE, --trace FILE  the predicted timeline, as a picture and "
    "for\n"
    "                          chrome://tracing or Perfetto\n"
    "      --memory-cap A,B,…  bytes of each device, or one number for all\n"
    "      --device-file FILE  devices of different speed, memory and links\n"
    "      --optimizer NAME    sgd, momentum, adam, adamw: bytes per "
    "parameter\n"
    "      --no-recompute      keep all that backward runs need\n"
    "      --costs-at M        microbatches that the costs were measured with\n"
    "      --overhead MS       of each node's run, whatever its size\n"
    "      --effort N          millions of simulated runs (45)\n"
    "      --graph-out FILE    write the graph\n"
    "      --check PLAN.json   only check that plan and show it\n"
    "  panpipe-run NET.panpipe --input [NAME=]X.npy --output [NAME=]Y.npy\n"
    "      --input, --output   once per tensor, in the model's order or by "
    "name\n"
    "      --weights FILE      the weights archive, when it has moved\n"
    "      --threads N         threads of a device inside one kernel (1)\n"
    "      --repeat N          run N times; the summary shows the fastest run\n"
    "      --summary           time and memory of each stage\n"
    "      --profile           the same, and time of each kernel\n"
    "  panpipe-run info NET.panpipe\n";

bool Arguments::parse(const std::vector<std::string> &text,
                      const std::vector<std::string> &valued,
                      const std::vector<std::string> &flags) {
  auto contains = [](const std::vector<std::string> &list,
                     const std::string &item) {
    for (const std::string &entry : list)
      if (entry == item)
        return true;
    return false;
  };
  for (size_t i = 0; i != text.size(); ++i) {
    const std::string &word = text[i];
    if (word.size() < 2 || word[0] != '-') {
      positional.push_back(word);
      continue;
    }
    size_t equal =
        word.compare(0, 2, "--") == 0 ? word.find('=') : std::string::npos;
    std::string name = word.substr(0, equal);
    if (contains(flags, name) && equal == std::string::npos) {
      options.push_back({name, ""});
    } else if (contains(valued, name)) {
      if (equal == std::string::npos && i + 1 == text.size()) {
        error("option " + name + " needs a value");
        return false;
      }
      options.push_back({name, equal == std::string::npos
                                   ? text[++i]
                                   : word.substr(equal + 1)});
    } else {
      error("unknown option " + word + " (see panpipe-run --help)");
      return false;
    }
  }
  return true;
}

std::vector<std::string> Arguments::all(const std::string &name) const {
  std::vector<std::string> values;
  for (const auto &[option, value] : options)
    if (option == name)
      values.push_back(value);
  return values;
}

std::string Arguments::get(const std::string &name,
                           const std::string &normal) const {
  std::vector<std::string> values = all(name);
  return values.empty() ? normal : values.back();
}

bool Arguments::has(const std::string &name) const {
  return !all(name).empty();
}

bool Arguments::number(const std::string &name, unsigned normal,
                       unsigned &value) const {
  value = normal;
  if (!has(name))
    return true;
  std::string text = get(name);
  char *end = nullptr;
  unsigned long parsed = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || *end || parsed == 0 || parsed > 1000000) {
    error(name + " needs a positive number, not '" + text + "'");
    return false;
  }
  value = static_cast<unsigned>(parsed);
  return true;
}

int panpipe::run::error(const std::string &message) {
  std::fprintf(stderr, "panpipe-run: error: %s\n", message.c_str());
  return 1;
}

/// A device of several threads runs on libgomp, whose idle threads would spin
/// and take the CPU from the other devices. The library reads its setting
/// before main, so the program starts itself once more with it.
static void restartWithPassiveThreads(const std::vector<std::string> &arguments,
                                      char **argv) {
  bool severalThreads = false;
  for (const std::string &word : arguments)
    severalThreads |= word.compare(0, 9, "--threads") == 0;
  if (!severalThreads || std::getenv("OMP_WAIT_POLICY") ||
      std::getenv("GOMP_SPINCOUNT"))
    return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  execv("/proc/self/exe", argv);
}

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
    std::fputs(usage, arguments.empty() ? stderr : stdout);
    return arguments.empty() ? 2 : 0;
  }
  std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (arguments[0] == "compile")
    return compileCommand(rest);
  if (arguments[0] == "plan")
    return planCommand(rest);
  if (arguments[0] == "info")
    return infoCommand(rest);
  restartWithPassiveThreads(arguments, argv);
  return runCommand(arguments);
}
