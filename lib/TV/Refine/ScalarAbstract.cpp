//===- ScalarAbstract.cpp - The abstract query and its refinement -*- C++
//-*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Circuits and abstract operations in one query. A model is executed at once;
/// then come violated pair axioms, at most a few rounds of value lemmas, and
/// operations made exact kind by kind, in child processes.
///
//===----------------------------------------------------------------------===//

#include "ScalarObligation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <chrono>

using namespace llvm;
using namespace panpipe::tv::smt;

namespace panpipe::tv {

namespace {
class AbstractQuery {
public:
  AbstractQuery(const std::string &name, const ScalarObligation &obligation,
                LadderTools &tools, LadderResult &result)
      : name(name), ob(obligation), tools(tools), result(result),
        encoder(ctx, encoderOptions()),
        start(std::chrono::steady_clock::now()) {}

  bool climb();

private:
  using Values = std::vector<APInt>;

  static ScalarEncoder::Options encoderOptions() {
    return ScalarEncoder::Options();
  }
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }
  bool encodeGoal();
  Expr side(SliceEncoder &source, SliceEncoder &target, bool &ok);
  bool refineInProcess();
  bool refineExact();
  bool addPairAxioms();
  bool addValueLemmas();
  std::optional<Values> leafValues(function_ref<std::optional<APInt>(Expr)>);
  std::optional<bool> isWrong(const Application &app,
                              function_ref<std::optional<APInt>(Expr)> value,
                              SmallVectorImpl<APInt> &args, APInt &right);
  void proved(LadderRung rung);
  void constrain(Expr e) {
    if (solver)
      solver->add(e);
    assertions.push_back(e);
  }

  const std::string &name;
  const ScalarObligation &ob;
  LadderTools &tools;
  LadderResult &result;
  ExprContext ctx;
  ScalarEncoder encoder;
  std::chrono::steady_clock::time_point start;
  std::unique_ptr<Solver> solver;
  std::vector<Expr> assertions;
  bool timedOut = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// The goal
//===----------------------------------------------------------------------===//

/// The negated obligation for one way the source treats NaN bits: no instance
/// fits. `ok` is false if something has no encoding.
Expr AbstractQuery::side(SliceEncoder &source, SliceEncoder &target, bool &ok) {
  auto poison = source.encode(ob.sourcePoison);
  auto strict = source.encode(ob.sourceStrict);
  auto value = target.encode(ob.targetValue);
  auto targetPoison = target.encode(ob.targetPoison);
  auto targetStrict = target.encode(ob.targetStrict);
  ok = poison && strict && value && targetPoison && targetStrict;
  if (!ok)
    return Expr();
  auto holds = [](const EncodedScalar &e) {
    return lor(e.poison, bitSet(e.value, 0));
  };
  Expr bad = lor(holds(*targetPoison), targetStrict->poison, value->poison);
  Expr none = ctx.boolean(true);
  std::optional<FloatFormat> format = FloatFormat::of(ob.type);
  for (unsigned i : ob.instances) {
    auto instance = source.encode(i);
    if (!(ok = instance.has_value()))
      return Expr();
    Expr same =
        format ? FloatCircuits(ctx, *format).same(instance->value, value->value)
               : eq(instance->value, value->value);
    none = land(none, lor(instance->poison, lnot(same)));
  }
  return land(lnot(holds(*poison)), lnot(strict->poison), lor(bad, none));
}

bool AbstractQuery::encodeGoal() {
  using Side = SliceEncoder::Side;
  const ScalarSlice &slice = ob.slice;
  bool bits = slice.readsBits();
  SliceEncoder plain(slice, ctx, encoder,
                     bits ? Side::SourceCanonical : Side::Plain);
  SliceEncoder target(slice, ctx, encoder, bits ? Side::Target : Side::Plain);
  bool ok = true;
  Expr goal = side(plain, bits ? target : plain, ok);
  if (ok && bits) {
    SliceEncoder fresh(slice, ctx, encoder, Side::SourceFresh);
    Expr other = side(fresh, target, ok);
    if (ok)
      goal = land(goal, other);
  }
  for (unsigned f : ob.facts) {
    auto fact = ok ? plain.encode(f) : std::nullopt;
    if (!(ok = fact.has_value()))
      break;
    constrain(land(lnot(fact->poison), bitSet(fact->value, 0)));
  }
  if (!ok) {
    result.reason = "no encoding of " + encoder.unsupported();
    result.unsupported = true;
    return false;
  }
  for (Expr e : encoder.constraints())
    constrain(e);
  constrain(goal);
  return true;
}

void AbstractQuery::proved(LadderRung rung) {
  result.kind = LadderResult::Kind::Proved;
  result.rung = rung;
  for (StringRef f : encoder.libraryFunctions()) {
    std::string detail = (f + ": one function on both sides").str();
    if (f == scalarOpName(ScalarOp::Exp))
      detail += "; exp.nan, exp.range: NaN of NaN, else not negative, not NaN";
    result.assumptions.push_back({"library", detail});
  }
}

//===----------------------------------------------------------------------===//
// In this process
//===----------------------------------------------------------------------===//

std::optional<AbstractQuery::Values>
AbstractQuery::leafValues(function_ref<std::optional<APInt>(Expr)> value) {
  Values values;
  for (unsigned i = 0; i < ob.slice.leaves().size(); ++i) {
    std::optional<APInt> v = value(leafVariable(ctx, ob.slice, i));
    if (!v)
      return std::nullopt;
    values.push_back(*v);
  }
  return values;
}

/// Adds the pair axioms that the model violates.
bool AbstractQuery::addPairAxioms() {
  bool any = false;
  auto &apps = encoder.applications();
  std::vector<Expr> violated;
  for (size_t i = 0; i < apps.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const Application &a = apps[i], &b = apps[j];
      if (a.op != b.op || !a.format || !b.format || !(*a.format == *b.format))
        continue;
      FloatCircuits f(ctx, *a.format);
      for (const Axiom &axiom :
           pairAxioms(a.op, f, a.args, a.result, b.args, b.result)) {
        std::optional<APInt> v = solver->value(axiom.fact);
        if (v && v->isZero())
          violated.push_back(axiom.fact);
      }
    }
  for (Expr e : violated) {
    any = true;
    constrain(e);
  }
  return any;
}

/// Whether an application's value in the model is wrong; `right` is the value
/// it should have.
std::optional<bool>
AbstractQuery::isWrong(const Application &app,
                       function_ref<std::optional<APInt>(Expr)> value,
                       SmallVectorImpl<APInt> &args, APInt &right) {
  SmallVector<ScalarValue, 3> values;
  args.clear();
  for (Expr a : app.args) {
    std::optional<APInt> v = value(a);
    if (!v)
      return std::nullopt;
    args.push_back(*v);
    values.push_back({*v, false});
  }
  std::optional<APInt> r = value(app.result);
  if (!r)
    return std::nullopt;
  ScalarType type = ScalarType::integer(app.width);
  if (app.format)
    for (auto s : {APFloatBase::S_IEEEhalf, APFloatBase::S_BFloat,
                   APFloatBase::S_IEEEsingle, APFloatBase::S_IEEEdouble,
                   APFloatBase::S_Float8E5M2, APFloatBase::S_Float8E4M3,
                   APFloatBase::S_Float8E3M4})
      if (*FloatFormat::of(ScalarType::floating(s)) == *app.format)
        type = ScalarType::floating(s);
  SmallVector<ScalarType, 3> types(app.args.size(), type);
  ScalarResult got = evalScalar(app.op, {}, type, types, values);
  if (got.ub)
    return true; // a total value, which only the exact operation fixes
  right = got.value.bits;
  return right != *r;
}

bool AbstractQuery::addValueLemmas() {
  bool any = false;
  std::vector<Expr> lemmas;
  for (const Application &app : encoder.applications()) {
    if (!app.format)
      continue;
    SmallVector<APInt, 3> args;
    APInt right;
    auto wrong =
        isWrong(app, [&](Expr e) { return solver->value(e); }, args, right);
    if (wrong && *wrong)
      for (Expr l : valueLemmas(app.op, FloatCircuits(ctx, *app.format),
                                app.args, app.result, args, right))
        lemmas.push_back(l);
  }
  for (Expr l : lemmas) {
    any = true;
    constrain(l);
  }
  return any;
}

/// Rungs 3 and 4. True if final.
bool AbstractQuery::refineInProcess() {
  unsigned lemmaRounds = 0;
  bool lemmas = false;
  for (;;) {
    double left = tools.options.abstractSeconds - elapsed();
    if (left <= 0) {
      timedOut = true;
      return false;
    }
    ++tools.queries;
    if (tools.dump)
      tools.dump->write(name + "-abstract", printSmtLib(assertions));
    CheckResult r = solver->check({left, tools.options.abstractResources});
    LadderRung rung = lemmas ? LadderRung::Lemmas : LadderRung::Abstract;
    if (r == CheckResult::Unsat) {
      proved(rung);
      return true;
    }
    if (r == CheckResult::Unknown) {
      timedOut = true;
      return false;
    }
    auto leaves = leafValues([&](Expr e) { return solver->value(e); });
    if (leaves && ob.tryCandidate(*leaves, rung, result))
      return true;
    result.reason = "an abstract counterexample that no execution confirms";
    if (encoder.applications().empty())
      return false;
    if (addPairAxioms()) {
      lemmas = true;
      continue;
    }
    if (lemmaRounds++ >= tools.options.lemmaRounds || !addValueLemmas())
      return false;
    lemmas = true;
  }
}

//===----------------------------------------------------------------------===//
// Exact operations, in children
//===----------------------------------------------------------------------===//

/// Cheap kinds first.
static unsigned exactCost(const Application &app) {
  static const ScalarOp order[] = {
      ScalarOp::Sqrt,  ScalarOp::AddF, ScalarOp::Fma,   ScalarOp::MulF,
      ScalarOp::DivF,  ScalarOp::MulI, ScalarOp::DivUI, ScalarOp::RemUI,
      ScalarOp::DivSI, ScalarOp::RemSI};
  unsigned rank = find(order, app.op) - std::begin(order);
  return rank * 1024 + app.width;
}

static Expr exactApplication(ExprContext &ctx, const Application &app) {
  if (app.format)
    return exactDefinition(app.op, FloatCircuits(ctx, *app.format), app.args,
                           app.result);
  EncodedScalar e = encodeIntegerOp(ctx, app.op, {}, app.width, app.args);
  return eq(app.result, e.value);
}

bool AbstractQuery::refineExact() {
  auto &apps = encoder.applications();
  if ((apps.empty() && !timedOut) || tools.options.exactSeconds <= 0)
    return false;
  QueryRunner runner(tools.solvers, tools.dump);
  QueryOptions options;
  options.secondsPerSolver = tools.options.exactSeconds;
  options.memoryMegabytes = tools.options.memoryMegabytes;
  options.crossCheck = tools.options.crossCheck;
  std::vector<bool> suspect(apps.size(), true);
  // A query that libz3 did not finish is asked again as it is.
  bool asIs = timedOut;
  for (;;) {
    unsigned cheapest = asIs ? 0 : ~0u;
    for (auto [i, app] : enumerate(apps))
      if (!asIs && !app.exact && suspect[i])
        cheapest = std::min(cheapest, exactCost(app));
    if (cheapest == ~0u)
      return false;
    for (auto [i, app] : enumerate(apps))
      if (!asIs && !app.exact && suspect[i] && exactCost(app) == cheapest) {
        app.exact = true;
        assertions.push_back(exactApplication(ctx, app));
      }
    std::vector<Expr> asked;
    for (unsigned i = 0; i < ob.slice.leaves().size(); ++i)
      asked.push_back(leafVariable(ctx, ob.slice, i));
    for (const Application &app : apps) {
      asked.insert(asked.end(), app.args.begin(), app.args.end());
      asked.push_back(app.result);
    }
    ++tools.queries;
    QueryResult r = runner.run(name + (asIs ? "-child" : "-exact"), assertions,
                               asked, options);
    if (r.result == CheckResult::Unsat) {
      proved(asIs ? LadderRung::Abstract : LadderRung::ExactOps);
      return true;
    }
    if (r.result == CheckResult::Unknown) {
      result.reason = r.reason;
      // Exact operations are harder still, but for other reasons: try them.
      if (!asIs || apps.empty())
        return false;
      asIs = false;
      continue;
    }
    asIs = false;
    DenseMap<unsigned, std::optional<APInt>> model;
    for (auto [e, v] : zip(asked, r.values))
      model[e.id()] = v;
    auto value = [&](Expr e) -> std::optional<APInt> {
      if (e.isConst())
        return e.value();
      auto it = model.find(e.id());
      return it == model.end() ? std::nullopt : it->second;
    };
    auto leaves = leafValues(value);
    if (leaves && ob.tryCandidate(*leaves, LadderRung::ExactOps, result))
      return true;
    // Next: the kinds with a wrong value; any kind if none looks wrong.
    bool anyWrong = false;
    for (auto [i, app] : enumerate(apps)) {
      SmallVector<APInt, 3> args;
      APInt right;
      suspect[i] =
          !app.exact && isWrong(app, value, args, right).value_or(true);
      anyWrong |= suspect[i];
    }
    if (!anyWrong)
      for (auto [i, app] : enumerate(apps))
        suspect[i] = !app.exact;
  }
}

bool AbstractQuery::climb() {
  if (!encodeGoal())
    return false;
  solver = createZ3Solver(ctx);
  if (!solver) {
    result.reason = "libz3 made no context";
    return false;
  }
  for (Expr e : assertions)
    solver->add(e);
  if (refineInProcess())
    return true;
  if (timedOut)
    result.reason = "timeout of the abstract query";
  return refineExact();
}

bool climbAbstract(const std::string &name, const ScalarObligation &obligation,
                   LadderTools &tools, LadderResult &result) {
  return AbstractQuery(name, obligation, tools, result).climb();
}

} // namespace panpipe::tv
