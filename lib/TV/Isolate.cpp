//===- Isolate.cpp - The prover in a process of its own -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isolate.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace panpipe::tv;
namespace json = llvm::json;

std::string panpipe::tv::locationText(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn();
  else if (!isa<UnknownLoc>(loc))
    os << loc;
  return text;
}

//===----------------------------------------------------------------------===//
// Results as text
//===----------------------------------------------------------------------===//

static std::string utf8(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

static json::Value write(const Candidate &candidate) {
  json::Array elements, sizes;
  for (const Candidate::Element &element : candidate.elements) {
    json::Array index;
    for (int64_t i : element.index)
      index.push_back(i);
    elements.push_back(
        json::Object{{"argument", element.argument},
                     {"index", std::move(index)},
                     {"bits", llvm::toString(element.value.bits, 16, false)},
                     {"width", element.value.bits.getBitWidth()},
                     {"poison", element.value.poison}});
  }
  for (const Candidate::Size &size : candidate.sizes)
    sizes.push_back(json::Object{{"argument", size.argument},
                                 {"dimension", size.dimension},
                                 {"size", size.size}});
  return json::Object{{"elements", std::move(elements)},
                      {"sizes", std::move(sizes)}};
}

std::string panpipe::tv::writeResult(const CheckResult &result) {
  json::Array assumptions, candidates;
  for (const Assumption &assumption : result.assumptions)
    assumptions.push_back(json::Object{{"kind", utf8(assumption.kind)},
                                       {"detail", utf8(assumption.detail)}});
  for (const Candidate &candidate : result.candidates)
    candidates.push_back(write(candidate));
  const ProofStats &s = result.stats;
  json::Array stats{s.nodes, s.obligations,   s.congruence, s.cells,
                    s.sums,  s.abstractFloat, s.exactFloat, s.queries};
  json::Object object{
      {"kind", int(result.kind)},
      {"reason", utf8(result.reason)},
      {"where", result.where ? utf8(locationText(*result.where)) : ""},
      {"vacuous", result.sourceAlwaysUndefined},
      {"assumptions", std::move(assumptions)},
      {"candidates", std::move(candidates)},
      {"stats", std::move(stats)}};
  std::string text;
  llvm::raw_string_ostream os(text);
  os << json::Value(std::move(object));
  return text;
}

static Candidate readCandidate(const json::Object &object) {
  Candidate candidate;
  for (const json::Value &value : *object.getArray("elements")) {
    const json::Object &o = *value.getAsObject();
    Candidate::Element element;
    element.argument = *o.getInteger("argument");
    for (const json::Value &i : *o.getArray("index"))
      element.index.push_back(*i.getAsInteger());
    element.value = {
        llvm::APInt(*o.getInteger("width"), *o.getString("bits"), 16),
        *o.getBoolean("poison")};
    candidate.elements.push_back(std::move(element));
  }
  for (const json::Value &value : *object.getArray("sizes")) {
    const json::Object &o = *value.getAsObject();
    candidate.sizes.push_back({unsigned(*o.getInteger("argument")),
                               unsigned(*o.getInteger("dimension")),
                               *o.getInteger("size")});
  }
  return candidate;
}

bool panpipe::tv::readResult(StringRef text, IsolatedResult &out) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const json::Object &object = *value->getAsObject();
  CheckResult &result = out.result;
  result.kind = CheckResult::Kind(*object.getInteger("kind"));
  result.reason = object.getString("reason")->str();
  out.location = object.getString("where")->str();
  result.sourceAlwaysUndefined = *object.getBoolean("vacuous");
  for (const json::Value &item : *object.getArray("assumptions")) {
    const json::Object &o = *item.getAsObject();
    result.assumptions.push_back(
        {o.getString("kind")->str(), o.getString("detail")->str()});
  }
  for (const json::Value &item : *object.getArray("candidates"))
    result.candidates.push_back(readCandidate(*item.getAsObject()));
  const json::Array &stats = *object.getArray("stats");
  ProofStats &s = result.stats;
  uint64_t *fields[] = {&s.nodes, &s.obligations,   &s.congruence, &s.cells,
                        &s.sums,  &s.abstractFloat, &s.exactFloat, &s.queries};
  for (auto [field, number] : llvm::zip(fields, stats))
    *field = *number.getAsInteger();
  return true;
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

/// The child: proves, writes, ends without the parent's clean-up.
[[noreturn]] static void prove(int pipe, FunctionOpInterface source,
                               FunctionOpInterface target,
                               const CheckOptions &options,
                               uint64_t memoryBytes) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit limit = {memoryBytes, memoryBytes};
  setrlimit(RLIMIT_DATA, &limit);
  rlimit noCore = {0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  // A crash is told by the parent, without LLVM's stack dump.
  for (int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
    signal(number, SIG_DFL);
  std::string text = writeResult(checkRefinement(source, target, options));
  const char *at = text.data();
  size_t left = text.size();
  while (left > 0) {
    ssize_t done = ::write(pipe, at, left);
    if (done < 0 && errno != EINTR)
      _exit(1);
    if (done > 0) {
      at += done;
      left -= done;
    }
  }
  _exit(0);
}

/// Everything from `pipe` until it closes; false if `seconds` pass before.
static bool readAll(int pipe, double seconds, std::string &text) {
  using Clock = std::chrono::steady_clock;
  auto deadline =
      Clock::now() + std::chrono::microseconds(int64_t(seconds * 1e6));
  char buffer[1 << 16];
  while (true) {
    int64_t left = std::chrono::duration_cast<std::chrono::milliseconds>(
                       deadline - Clock::now())
                       .count();
    if (left <= 0)
      return false;
    pollfd item = {pipe, POLLIN, 0};
    int ready = poll(&item, 1, int(std::min<int64_t>(left + 1, 1000)));
    if (ready <= 0)
      continue;
    ssize_t count = ::read(pipe, buffer, sizeof buffer);
    if (count == 0)
      return true;
    if (count > 0)
      text.append(buffer, count);
    else if (errno != EINTR)
      return true;
  }
}

static IsolatedResult failedRun(bool inTime, int status,
                                const CheckOptions &options,
                                uint64_t memoryBytes) {
  IsolatedResult out;
  out.result.kind = CheckResult::Kind::Timeout;
  if (!inTime)
    out.result.reason = "no proof within " +
                        llvm::formatv("{0:f1}", options.seconds).str() +
                        " s (see --timeout)";
  else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGABRT) {
    out.result.kind = CheckResult::Kind::Unproved;
    out.result.reason = "the prover crashed (" +
                        std::string(strsignal(WTERMSIG(status))) +
                        "): a defect of the validator";
  } else {
    // Out of memory ends in abort: there are no exceptions.
    out.result.reason = "the prover gave up, out of memory (limit " +
                        std::to_string(memoryBytes >> 20) + " MiB)";
  }
  return out;
}

IsolatedResult panpipe::tv::checkIsolated(FunctionOpInterface source,
                                          FunctionOpInterface target,
                                          const CheckOptions &options,
                                          uint64_t memoryBytes) {
  int ends[2];
  pid_t child = -1;
  if (::pipe(ends) == 0) {
    child = fork();
    if (child == 0) {
      close(ends[0]);
      prove(ends[1], source, target, options, memoryBytes);
    }
    close(ends[1]);
    if (child < 0)
      close(ends[0]);
  }
  if (child < 0) { // no process to be had: do without
    IsolatedResult out{checkRefinement(source, target, options), ""};
    if (out.result.where)
      out.location = locationText(*out.result.where);
    return out;
  }
  setpgid(child, child); // both sides, so that it holds from now on
  std::string text;
  // The prover keeps its time itself where it can; this is for where not.
  bool inTime = readAll(ends[0], options.seconds * 1.25 + 1, text);
  close(ends[0]);
  if (!inTime)
    kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  kill(-child, SIGKILL); // solvers it may have left behind
  IsolatedResult out;
  if (inTime && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
      readResult(text, out))
    return out;
  return failedRun(inTime, status, options, memoryBytes);
}
