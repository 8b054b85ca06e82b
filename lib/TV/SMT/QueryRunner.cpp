//===- QueryRunner.cpp - Queries in child processes -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Child.h"
#include "panpipe/TV/SMT/Solver.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace panpipe::tv::smt {

/// The PyPI packages have no executable. argv: solver, file.
static const char pythonDriver[] = R"py(
import sys
solver, path = sys.argv[1], sys.argv[2]
if solver == "bitwuzla":
    import bitwuzla as b
    options = b.Options()
    options.set(b.Option.PRODUCE_MODELS, True)
    b.Parser(b.TermManager(), options).parse(path, False, True)
elif solver == "cvc5":
    import cvc5
    s = cvc5.Solver()
    s.setOption("fp-exp", "true")
    p = cvc5.InputParser(s)
    p.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, path)
    m = p.getSymbolManager()
    c = p.nextCommand()
    while not c.isNull():
        print(c.invoke(s, m).strip(), flush=True)
        c = p.nextCommand()
elif solver == "z3":
    import z3
    print(z3.Z3_eval_smtlib2_string(z3.main_ctx().ref(), open(path).read()))
)py";

static const char *kindName(ExternalSolver::Kind kind) {
  switch (kind) {
  case ExternalSolver::Kind::Bitwuzla:
    return "bitwuzla";
  case ExternalSolver::Kind::Cvc5:
    return "cvc5";
  case ExternalSolver::Kind::Z3:
    return "z3";
  }
  return "";
}

std::string ExternalSolver::name() const { return kindName(kind); }

//===----------------------------------------------------------------------===//
// Finding solvers
//===----------------------------------------------------------------------===//

/// True if the Python in `folder`/bin has the package, by looking at files:
/// starting an interpreter for each would cost more than most queries.
static bool hasPythonPackage(StringRef binFolder, StringRef package) {
  for (const char *lib : {"lib", "local/lib"}) {
    SmallString<128> root(sys::path::parent_path(binFolder));
    sys::path::append(root, lib);
    std::error_code ec;
    for (sys::fs::directory_iterator it(root, ec), end; it != end && !ec;
         it.increment(ec)) {
      StringRef name = sys::path::filename(it->path());
      if (!name.starts_with("python3"))
        continue;
      for (const char *site : {"site-packages", "dist-packages"}) {
        // A folder (cvc5) or one extension module (bitwuzla.cpython-….so).
        SmallString<128> path(it->path());
        sys::path::append(path, site);
        std::error_code none;
        for (sys::fs::directory_iterator m(path, none); m != end && !none;
             m.increment(none)) {
          StringRef module = sys::path::filename(m->path());
          if (module == package || (module.ends_with(".so") &&
                                    module.starts_with((package + ".").str())))
            return true;
        }
      }
    }
  }
  return false;
}

static bool findIn(StringRef entry, ExternalSolver::Kind kind,
                   ExternalSolver &found) {
  const char *name = kindName(kind);
  StringRef base = sys::path::filename(entry);
  if (!sys::fs::is_directory(entry)) {
    if (!sys::fs::can_execute(entry))
      return false;
    if (base.starts_with("python") &&
        hasPythonPackage(sys::path::parent_path(entry), name)) {
      found = {kind, entry.str(), true};
      return true;
    }
    if (base != name)
      return false;
    found = {kind, entry.str(), false};
    return true;
  }
  SmallString<128> path(entry);
  sys::path::append(path, name);
  if (sys::fs::can_execute(path) && !sys::fs::is_directory(path)) {
    found = {kind, std::string(path), false};
    return true;
  }
  path = entry;
  sys::path::append(path, "python3");
  if (sys::fs::can_execute(path) && hasPythonPackage(entry, name)) {
    found = {kind, std::string(path), true};
    return true;
  }
  return false;
}

std::vector<ExternalSolver> findExternalSolvers() {
  SmallVector<StringRef, 16> entries;
  const char *configured = getenv("PANPIPE_SOLVERS");
  if (configured && StringRef(configured) == "none")
    return {};
  if (configured)
    StringRef(configured).split(entries, ':', -1, false);
  if (const char *path = getenv("PATH"))
    StringRef(path).split(entries, ':', -1, false);
  std::vector<ExternalSolver> solvers;
  for (auto kind : {ExternalSolver::Kind::Bitwuzla, ExternalSolver::Kind::Cvc5,
                    ExternalSolver::Kind::Z3}) {
    ExternalSolver found;
    for (StringRef entry : entries)
      if (findIn(entry, kind, found)) {
        solvers.push_back(found);
        break;
      }
  }
  return solvers;
}

//===----------------------------------------------------------------------===//
// Reading answers
//===----------------------------------------------------------------------===//

/// One value of get-value's answer: #b…, #x…, (_ bvN w), true, false, N, (- N).
static std::optional<APInt> parseValue(StringRef text, Sort sort) {
  unsigned width = sort.kind == Sort::Kind::Bool
                       ? 1
                       : (sort.kind == Sort::Kind::Int ? 128 : sort.first);
  text = text.trim();
  if (text == "true" || text == "false")
    return APInt(1, text == "true");
  bool negative = false;
  unsigned radix = 10;
  if (text.consume_front("#b")) {
    radix = 2;
  } else if (text.consume_front("#x")) {
    radix = 16;
  } else if (text.consume_front("(_ bv")) {
    text = text.take_while(isDigit);
  } else if (text.consume_front("(-")) {
    negative = true;
    text = text.drop_back().trim();
  }
  APInt n;
  if (text.empty() || text.getAsInteger(radix, n))
    return std::nullopt;
  n = n.zextOrTrunc(width);
  return negative ? -n : n;
}

/// Splits "((a v) (b w))" into its values. An item is a balanced text.
static void parseValues(StringRef text, ArrayRef<Expr> values,
                        std::vector<std::optional<APInt>> &out) {
  size_t i = text.find('(');
  if (i == StringRef::npos)
    return;
  text = text.drop_front(i + 1);
  auto takeItem = [](StringRef &t) {
    t = t.ltrim();
    size_t n = 0;
    if (t.starts_with("(")) {
      int depth = 0;
      do {
        depth += t[n] == '(' ? 1 : t[n] == ')' ? -1 : 0;
        ++n;
      } while (n < t.size() && depth > 0);
    } else if (t.starts_with("|")) {
      n = std::min(t.find('|', 1), t.size() - 1) + 1;
    } else {
      n = std::min(t.find_first_of(" \t\n()"), t.size());
    }
    StringRef item = t.take_front(n);
    t = t.drop_front(n);
    return item;
  };
  for (Expr v : values) {
    StringRef entry = takeItem(text);
    if (!entry.consume_front("(") || !entry.consume_back(")")) {
      out.push_back(std::nullopt);
      continue;
    }
    takeItem(entry); // the name
    out.push_back(parseValue(takeItem(entry), v.sort()));
  }
}

static QueryResult readAnswer(const ChildResult &child, ArrayRef<Expr> values) {
  QueryResult r;
  StringRef text = StringRef(child.output).trim();
  auto [first, rest] = text.split('\n');
  first = first.trim();
  if (first == "unsat") {
    r.result = CheckResult::Unsat;
  } else if (first == "sat") {
    r.result = CheckResult::Sat;
    parseValues(rest, values, r.values);
    r.values.resize(values.size());
  } else if (child.failed) {
    r.reason = "could not start a child process";
  } else if (child.timedOut) {
    r.reason = "timeout";
  } else {
    r.reason = first.empty() ? "no answer (out of memory?)"
                             : first.take_front(160).str();
  }
  return r;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static ChildResult runExternal(const ExternalSolver &solver,
                               const std::string &script,
                               const QueryOptions &options) {
  SmallString<128> file;
  int fd;
  if (sys::fs::createTemporaryFile("panpipe-query", "smt2", fd, file))
    return {"", false, true};
  {
    raw_fd_ostream os(fd, /*shouldClose=*/true);
    os << script;
  }
  std::vector<std::string> args{solver.path};
  if (solver.python)
    args.insert(args.end(), {"-c", pythonDriver, solver.name()});
  else if (solver.kind == ExternalSolver::Kind::Cvc5)
    args.insert(args.end(), {"--lang=smt2", "--fp-exp", "--produce-models"});
  else if (solver.kind == ExternalSolver::Kind::Z3)
    args.push_back("-smt2");
  args.push_back(std::string(file));
  std::vector<char *> argv;
  for (std::string &a : args)
    argv.push_back(a.data());
  argv.push_back(nullptr);
  ChildResult r = runChild(
      [&](int out) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 0);
        dup2(out, 1);
        dup2(null, 2);
        execv(argv[0], argv.data());
        _exit(127);
      },
      options.secondsPerSolver, options.memoryMegabytes);
  sys::fs::remove(file);
  return r;
}

static ChildResult runForkedZ3(const std::string &script,
                               const std::string &getValues,
                               const QueryOptions &options) {
  return runChild(
      [&](int out) {
        std::string text = evaluateSmtLibWithZ3(script, getValues);
        size_t done = 0;
        while (done < text.size()) {
          ssize_t n = write(out, text.data() + done, text.size() - done);
          if (n <= 0)
            break;
          done += n;
        }
      },
      // The child starts with the parent's address space mapped.
      options.secondsPerSolver, 0);
}

QueryResult QueryRunner::run(StringRef name, ArrayRef<Expr> assertions,
                             ArrayRef<Expr> values,
                             const QueryOptions &options) {
  auto start = std::chrono::steady_clock::now();
  std::string script = printSmtLib(assertions, values);
  if (dump)
    dump->write(name, script);
  size_t cut = script.rfind("(get-value");
  std::string getValues;
  if (!values.empty())
    getValues = script.substr(cut);
  std::string body = values.empty() ? script : script.substr(0, cut);

  QueryResult best;
  auto consider = [&](QueryResult r, const std::string &who) {
    r.solver = who;
    if (r.result == CheckResult::Unknown) {
      if (best.result == CheckResult::Unknown)
        best.reason +=
            (best.reason.empty() ? "" : "; ") + who + ": " + r.reason;
      return false;
    }
    if (best.result != CheckResult::Unknown && best.result != r.result) {
      best = QueryResult();
      best.reason = "solvers disagree: " + who + " against the others";
      return true;
    }
    if (best.result == CheckResult::Unknown)
      best = std::move(r);
    return !options.crossCheck;
  };
  bool finished = false;
  bool haveZ3 = false;
  for (const ExternalSolver &s : solvers) {
    haveZ3 |= s.kind == ExternalSolver::Kind::Z3;
    if ((finished = consider(
             readAnswer(runExternal(s, script, options), values), s.name())))
      break;
  }
  if (!finished && options.useZ3 && !haveZ3)
    consider(readAnswer(runForkedZ3(body, getValues, options), values),
             "libz3");
  best.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return best;
}

} // namespace panpipe::tv::smt
