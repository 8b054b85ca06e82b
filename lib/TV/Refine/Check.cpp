//===- Check.cpp - Does one function refine another? ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The order of a proof: undefined behaviour, shapes, then poison and values of
/// each result; last, whether the source is ever defined. Each attempt runs
/// under one set of float assumptions, from none to many; the first that
/// succeeds decides.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Refine/Check.h"

#include "CandidateInputs.h"

#include "panpipe/TV/Encode/Choices.h"
#include "panpipe/TV/Encode/Encoder.h"
#include "panpipe/TV/Refine/Compare.h"
#include "panpipe/TV/Refine/ScalarLadder.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <chrono>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

namespace {

using Clock = std::chrono::steady_clock;

/// Asks the scalar ladder and keeps what its failures suggest.
class LadderOracle : public ScalarOracle {
public:
  LadderOracle(TermContext &terms, const LadderOptions &options,
               Clock::time_point deadline)
      : ladder(terms, options), deadline(deadline) {
    isStrict = options.assumptions.empty();
  }

  bool proves(TermContext &, const ScalarPair &pair) override {
    if (Clock::now() > deadline) {
      outOfTime = true;
      return false;
    }
    LadderResult result =
        ladder.prove(pair.where, pair.source, pair.target, facts);
    if (result.proved()) {
      assumptions.insert(assumptions.end(), result.assumptions.begin(),
                         result.assumptions.end());
      freePicks.append(result.freePicks.begin(), result.freePicks.end());
      return true;
    }
    if (result.kind == LadderResult::Kind::Candidate)
      models.push_back(std::move(result.inputs));
    else if (result.unsupported)
      missing = result.reason;
    else if (StringRef(result.reason).contains("time"))
      outOfTime = true;
    return false;
  }

  ScalarLadder ladder;
  Clock::time_point deadline;
  /// Boolean terms that hold: the source is defined.
  std::vector<const Term *> facts;
  std::vector<std::vector<LadderInput>> models;
  /// Operations of the source that had to pick as the proof needs it.
  SmallVector<uint32_t> freePicks;
  std::string missing; ///< an operation that the ladder cannot encode
  bool outOfTime = false;
};

/// Float assumptions of one attempt.
struct Attempt {
  std::vector<std::string> classes;
  bool has(StringRef name) const { return llvm::is_contained(classes, name); }
};

/// One proof of refinement.
class Check {
public:
  Check(FunctionOpInterface source, FunctionOpInterface target,
        const CheckOptions &options)
      : source(source), target(target), options(options),
        shared(terms, encodeOptions(options)),
        deadline(Clock::now() +
                 std::chrono::microseconds(int64_t(options.seconds * 1e6))) {}
  CheckResult run();

private:
  static EncodeOptions encodeOptions(const CheckOptions &options) {
    EncodeOptions encode;
    encode.indexWidth = options.indexWidth;
    return encode;
  }
  bool encode();
  bool encodingFails(const FunctionEncoding &side, StringRef name);
  std::vector<Attempt> attempts() const;
  bool attempt(const Attempt &classes, bool isLast);
  bool proveDefined(Comparer &comparer, LadderOracle &oracle);
  bool proveResult(Comparer &comparer, LadderOracle &oracle, unsigned number);
  bool proveMemory(Comparer &comparer, LadderOracle &oracle);
  bool proveMemRef(const SymMemRef &a, const SymMemRef &b, unsigned number);
  bool needsNoAlias() const;
  bool proveShape(Comparer &comparer, const SymTensor &a, const SymTensor &b,
                  unsigned number);
  bool accept(const CompareResult &compared, const Twine &what);
  void setFacts(LadderOracle &oracle, ArrayRef<IndexTerm> shape);
  void lookForVacuity(LadderOracle &oracle);
  void notePicks(const LadderOracle &oracle);
  void collectCandidates(const LadderOracle &oracle);
  const Term *sourceUndefined();
  const Term *whereDefined(const Term *term);
  Element whereDefined(Element e) {
    return {whereDefined(e.value), whereDefined(e.poison)};
  }
  bool isAllowed(StringRef kind) const;

  FunctionOpInterface source, target;
  const CheckOptions &options;
  TermContext terms;
  SharedEncoding shared;
  Clock::time_point deadline;
  std::unique_ptr<IndexOracle> indexOracle;
  FunctionEncoding from, to;
  uint32_t targetPicks = 0;
  /// Holds wherever neither side is undefined.
  IndexContext context = terms.emptyContext();
  /// Terms where the source is defined; its conditions are false there.
  llvm::DenseMap<const Term *, const Term *> definedForms;
  CheckResult result;
};

} // namespace

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

static std::string argumentName(FunctionOpInterface function, unsigned index) {
  for (StringRef key : {"panpipe.input", "panpipe.param"})
    if (auto name = function.getArgAttrOfType<StringAttr>(index, key))
      return name.str();
  return "arg" + std::to_string(index);
}

bool Check::encodingFails(const FunctionEncoding &side, StringRef name) {
  auto report = [&](const UnsupportedNote &note, CheckResult::Kind kind) {
    result.kind = kind;
    result.reason = ("the " + name + ": " + note.what).str();
    result.where = note.where;
    return true;
  };
  if (side.malformed)
    return report(*side.malformed, CheckResult::Kind::BadInput);
  if (side.unsupported)
    return report(*side.unsupported, CheckResult::Kind::Unsupported);
  for (const Assumption &assumption : side.assumptions)
    if (llvm::none_of(result.assumptions, [&](const Assumption &known) {
          return known.kind == assumption.kind &&
                 known.detail == assumption.detail;
        }))
      result.assumptions.push_back(assumption);
  return false;
}

bool Check::encode() {
  // Inputs may share a name with a parameter; arguments are told apart by
  // number.
  std::vector<std::string> names;
  for (unsigned i = 0; i < source.getNumArguments(); ++i) {
    std::string name = argumentName(source, i);
    names.push_back(llvm::is_contained(names, name)
                        ? name + "#" + std::to_string(i)
                        : name);
  }
  if (auto bad = makeArguments(shared, source.getArgumentTypes(), names)) {
    result.kind = CheckResult::Kind::Unsupported;
    result.reason = "arguments of type " +
                    toText(source.getArgumentTypes()[*bad]) +
                    " have no encoding";
    result.where = source.getLoc();
    return false;
  }
  OpEncodings table = OpEncodings::all();
  terms.nanBitsAreRead = options.picks == PickTable::Mode::Bits;
  shared.picks.mode = options.picks;
  // The target first: the source copies its picks.
  indexOracle = makePresburgerOracle();
  shared.oracle = indexOracle.get();
  to = encodeFunction(shared, table, target);
  targetPicks = shared.picks.count();
  shared.picks.target = false;
  from = encodeFunction(shared, table, source);
  if (encodingFails(from, "source") || encodingFails(to, "target"))
    return false;
  context = context.assume(from.facts).assume(to.facts);
  SmallVector<const Term *> never;
  for (const UBCondition &ub : from.ub)
    never.push_back(ub.condition);
  while (!never.empty()) {
    const Term *condition = never.pop_back_val();
    if (condition->isConst())
      continue;
    definedForms[condition] = terms.mkBool(false);
    if (condition->is(ScalarOp::OrI))
      never.append(condition->operands().begin(), condition->operands().end());
  }
  if (needsNoAlias())
    result.assumptions.push_back(
        {"noalias", "memref arguments and globals do not overlap"});
  return true;
}

//===----------------------------------------------------------------------===//
// Obligations
//===----------------------------------------------------------------------===//

bool Check::accept(const CompareResult &compared, const Twine &what) {
  if (compared.proved()) {
    for (const Assumption &assumption : compared.assumptions)
      if (llvm::none_of(result.assumptions, [&](const Assumption &known) {
            return known.kind == assumption.kind &&
                   known.detail == assumption.detail;
          }))
        result.assumptions.push_back(assumption);
    return true;
  }
  result.reason = what.str();
  if (!compared.culprit.empty())
    result.reason += ": " + compared.culprit;
  return false;
}

const Term *Check::sourceUndefined() {
  const Term *any = terms.mkBool(false);
  for (const UBCondition &ub : from.ub)
    any = terms.mkOr(any, ub.condition);
  // Executions past a bound on loops are excluded by an assumption.
  for (const FunctionEncoding *side : {&from, &to})
    for (const Term *bound : side->bounds)
      any = terms.mkOr(any, bound);
  return any;
}

/// The term with the conditions of the source's undefined behaviour replaced by
/// false, as a branch on poison is.
const Term *Check::whereDefined(const Term *term) {
  auto [it, isNew] = definedForms.try_emplace(term, term);
  if (!isNew || term->operands().empty())
    return it->second;
  SmallVector<const Term *, 4> operands;
  bool changed = false;
  for (const Term *operand : term->operands()) {
    operands.push_back(whereDefined(operand));
    changed |= operands.back() != operand;
  }
  if (!changed)
    return term;
  const Term *form = term;
  if (term->kind() == TermKind::Op)
    form = terms.mkOp(term->op(), term->attrs(), term->type(), operands);
  else if (term->kind() == TermKind::Ite)
    form = terms.mkIte(term->guard(), operands[0], operands[1],
                       terms.emptyContext());
  else if (term->kind() == TermKind::App)
    form = terms.mkApp(term->closure(), term->indices(), operands);
  return definedForms[term] = form;
}

/// What the defined source tells about scalars: its conditions are false, at
/// every point of a fold as well (tried at the point of the current element).
void Check::setFacts(LadderOracle &oracle, ArrayRef<IndexTerm> shape) {
  oracle.facts.clear();
  for (const FunctionEncoding *side : {&from, &to})
    for (const Term *bound : side->bounds)
      oracle.facts.push_back(terms.mkNot(bound));
  for (const UBCondition &ub : from.ub) {
    oracle.facts.push_back(terms.mkNot(ub.condition));
    const Term *condition = ub.condition;
    if (condition->kind() != TermKind::App ||
        condition->closure()->kind != Closure::Kind::Fold ||
        condition->closure()->op != ScalarOp::OrI ||
        condition->closure()->extents.size() != shape.size())
      continue;
    SmallVector<IndexTerm> own;
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      own.push_back(terms.ownIndex(dim));
    OpenedFold open = openFold(terms, condition, own, terms.emptyContext());
    if (ArrayRef<IndexTerm>(open.extents) != shape || !open.guard.empty())
      continue;
    oracle.facts.push_back(terms.mkNot(open.bodies.front()));
  }
}

/// Wherever the source is defined, no condition of the target is true.
bool Check::proveDefined(Comparer &comparer, LadderOracle &oracle) {
  const Term *excuse = sourceUndefined();
  IndexContext known = terms.emptyContext().assume(from.facts);
  setFacts(oracle, {});
  for (const UBCondition &ub : to.ub) {
    ++result.stats.obligations;
    if (llvm::any_of(from.ub, [&](const UBCondition &mine) {
          return mine.condition == ub.condition;
        })) {
      ++result.stats.congruence;
      continue;
    }
    // Where it arises the source is undefined, or it never arises.
    CompareResult alone;
    if (!excuse->isFalse())
      alone = comparer.proveImplied(known, ub.condition, excuse);
    if (!alone.proved())
      alone = comparer.proveFalse(known, ub.condition);
    if (alone.proved()) {
      (void)accept(alone, "");
      continue;
    }
    CompareResult excused;
    if (!excuse->isFalse())
      excused = comparer.proveFalse(
          known, terms.mkAnd(ub.condition, terms.mkNot(excuse)));
    if (!accept(excused,
                "the target may be undefined where the source is not (" +
                    ub.reason + ")")) {
      result.where = ub.where;
      return false;
    }
  }
  return true;
}

bool Check::proveShape(Comparer &comparer, const SymTensor &a,
                       const SymTensor &b, unsigned number) {
  for (unsigned dim = 0; dim < a.rank(); ++dim) {
    if (context.provablyEqual(a.shape[dim], b.shape[dim]))
      continue;
    ScalarType index = ScalarType::index(options.indexWidth);
    const Term *no = terms.mkBool(false);
    CompareResult compared = comparer.compareElements(
        context, {terms.mkIndexValue(index, a.shape[dim]), no},
        {terms.mkIndexValue(index, b.shape[dim]), no});
    if (!accept(compared, "result #" + Twine(number) +
                              " may have another size along dimension " +
                              Twine(dim)))
      return false;
  }
  return true;
}

bool Check::proveResult(Comparer &comparer, LadderOracle &oracle,
                        unsigned number) {
  const SymValue &a = from.results[number], &b = to.results[number];
  if (a.isMemRef())
    return proveMemRef(a.memref, b.memref, number);
  if (a.isScalar()) {
    setFacts(oracle, {});
    return accept(comparer.compareElements(context, whereDefined(a.scalar),
                                           whereDefined(b.scalar)),
                  "result #" + Twine(number) + " may differ");
  }
  if (!proveShape(comparer, a.tensor, b.tensor, number))
    return false;
  setFacts(oracle, a.tensor.shape);
  IndexContext inside =
      ownContext(terms, a.tensor.shape).assume(context.facts());
  return accept(comparer.compareElements(inside, whereDefined(a.tensor.element),
                                         whereDefined(b.tensor.element)),
                "an element of result #" + Twine(number) + " may differ");
}

/// A memref result is a view of memory that the caller knows.
bool Check::proveMemRef(const SymMemRef &a, const SymMemRef &b,
                        unsigned number) {
  auto single = [&](const SymMemRef &m) -> const MemView * {
    if (m.choices.size() != 1 ||
        m.choices[0].view.block >= shared.blocks.size())
      return nullptr;
    return &m.choices[0].view;
  };
  const MemView *x = single(a), *y = single(b);
  if (x && y && x->block == y->block && x->shape == y->shape &&
      x->forward == y->forward)
    return true;
  result.reason = "memref result #" + std::to_string(number) +
                  " may differ (only views of arguments are compared)";
  return false;
}

/// What the caller can see of memory at the end.
bool Check::proveMemory(Comparer &comparer, LadderOracle &oracle) {
  auto partner = [&](const FunctionEncoding::FinalBlock &mine,
                     const FunctionEncoding &side) -> Element {
    for (const FunctionEncoding::FinalBlock &theirs : side.memory)
      if (theirs.block.name == mine.block.name)
        return theirs.contents;
    return mine.block.initial; // not mentioned there
  };
  auto prove = [&](const MemBlock &block, Element a, Element b) {
    if (a == b)
      return true;
    ++result.stats.obligations;
    setFacts(oracle, block.shape);
    IndexContext inside =
        ownContext(terms, block.shape).assume(context.facts());
    return accept(
        comparer.compareElements(inside, whereDefined(a), whereDefined(b)),
        "an element of the memory of " + block.name + " may differ");
  };
  for (const FunctionEncoding::FinalBlock &mine : from.memory)
    if (!prove(mine.block, mine.contents, partner(mine, to)))
      return false;
  for (const FunctionEncoding::FinalBlock &theirs : to.memory) {
    bool known = llvm::any_of(from.memory, [&](const auto &mine) {
      return mine.block.name == theirs.block.name;
    });
    if (!known && !prove(theirs.block, theirs.block.initial, theirs.contents))
      return false;
  }
  return true;
}

/// Two memrefs of the caller are used, of which one is written: it matters
/// whether they overlap.
bool Check::needsNoAlias() const {
  bool written = false;
  for (const FunctionEncoding *side : {&from, &to})
    for (const FunctionEncoding::FinalBlock &last : side->memory)
      if (!(last.contents == last.block.initial) &&
          last.block.name != "outside world")
        written = true;
  llvm::SmallVector<llvm::StringRef> names;
  for (const FunctionEncoding *side : {&from, &to})
    for (const std::string &name : side->touched)
      if (name != "outside world" && !llvm::is_contained(names, name))
        names.push_back(name);
  return written && names.size() > 1;
}

//===----------------------------------------------------------------------===//
// Attempts
//===----------------------------------------------------------------------===//

/// Does any value of the module have a float type?
static bool hasFloats(Operation *function) {
  Operation *module =
      function->getParentOp() ? function->getParentOp() : function;
  auto isFloat = [](Type type) {
    return isa<FloatType>(getElementTypeOrSelf(type));
  };
  WalkResult found = module->walk([&](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), isFloat) ||
                   llvm::any_of(op->getResultTypes(), isFloat)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Assumptions from weak to strong; what the caller allows comes before what
/// only tells what would be needed. Each attempt reports what it really used.
std::vector<Attempt> Check::attempts() const {
  std::vector<Attempt> list = {{{}}};
  if (!hasFloats(source) && !hasFloats(target))
    return list;
  if (llvm::is_contained(options.allowed, "real"))
    list.push_back({{"nsz", "contract", "reassoc", "finite", "real"}});
  else if (!options.allowed.empty())
    list.push_back({options.allowed});
  for (const char *one : {"nsz", "contract", "reassoc", "finite"})
    list.push_back({{one}});
  list.push_back({{"nsz", "contract", "reassoc"}});
  list.push_back({{"nsz", "contract", "reassoc", "finite"}});
  list.push_back({{"nsz", "contract", "reassoc", "finite", "real"}});
  return list;
}

bool Check::attempt(const Attempt &classes, bool isLast) {
  // The plain attempt must not spend the time of the others.
  double left = std::chrono::duration<double>(deadline - Clock::now()).count();
  bool isHopeless = classes.classes.empty() && options.refuted;
  double share = isLast ? left : left * (isHopeless ? 0.1 : 0.6);
  Clock::time_point until =
      Clock::now() + std::chrono::microseconds(int64_t(share * 1e6));
  LadderOptions ladderOptions;
  ladderOptions.dumpFolder = options.dumpFolder;
  for (const std::string &name : classes.classes)
    if (name != "real")
      ladderOptions.assumptions.push_back(name);
  ladderOptions.theorySeconds = std::min(20.0, std::max(1.0, share / 3));
  LadderOracle oracle(terms, ladderOptions, until);
  CompareOptions compareOptions;
  compareOptions.reassoc = classes.has("reassoc");
  compareOptions.nsz = classes.has("nsz");
  compareOptions.real = classes.has("real");
  compareOptions.scalarOracle = &oracle;
  compareOptions.targetPicks = targetPicks;
  Comparer comparer(terms, compareOptions);

  std::vector<Assumption> before = result.assumptions;
  bool proved = proveDefined(comparer, oracle);
  for (unsigned i = 0; proved && i < from.results.size(); ++i)
    proved = proveResult(comparer, oracle, i);
  proved = proved && proveMemory(comparer, oracle);

  const ProofStats &stats = comparer.stats();
  result.stats.obligations += stats.obligations;
  result.stats.congruence += stats.congruence;
  result.stats.cells += stats.cells;
  result.stats.sums += stats.sums;
  const LadderStats &scalar = oracle.ladder.stats();
  for (unsigned rung = 0; rung < 9; ++rung)
    (rung <= unsigned(LadderRung::Lemmas) ? result.stats.abstractFloat
                                          : result.stats.exactFloat) +=
        scalar.provedBy[rung];
  result.stats.queries += stats.queries + scalar.queries;
  if (proved) {
    oracle.freePicks.append(comparer.freePicks().begin(),
                            comparer.freePicks().end());
    notePicks(oracle);
    lookForVacuity(oracle);
    result.kind = CheckResult::Kind::Proved;
    return true;
  }
  result.assumptions = std::move(before);
  collectCandidates(oracle);
  if (oracle.outOfTime || Clock::now() > until)
    result.kind = CheckResult::Kind::Timeout;
  else if (!oracle.missing.empty()) {
    result.kind = CheckResult::Kind::Unsupported;
    result.reason = oracle.missing;
  } else {
    result.kind = CheckResult::Kind::Unproved;
  }
  return false;
}

void Check::collectCandidates(const LadderOracle &oracle) {
  for (const std::vector<LadderInput> &model : oracle.models) {
    if (result.candidates.size() >= 16)
      return;
    addCandidates(shared, model, result.candidates);
  }
}

/// What the names of picks do not cover.
void Check::notePicks(const LadderOracle &oracle) {
  SmallVector<Operation *> free(shared.picks.split.begin(),
                                shared.picks.split.end());
  for (const PickTable::Site &site : shared.picks.sources)
    if (llvm::is_contained(oracle.freePicks, site.pick))
      free.push_back(site.op);
  for (Assumption &assumption :
       pickAssumptions(source, free, shared.picks.merged))
    result.assumptions.push_back(std::move(assumption));
}

/// A source that is undefined on every input is refined by anything.
void Check::lookForVacuity(LadderOracle &oracle) {
  const Term *undefined = sourceUndefined();
  if (undefined->isFalse())
    return;
  const Term *yes = terms.mkBool(true), *no = terms.mkBool(false);
  result.sourceAlwaysUndefined =
      undefined->isTrue() ||
      oracle.ladder.prove("vacuity", {yes, no}, {undefined, no}).proved();
}

/// Float classes must be allowed by the caller (joined by '+', each of them);
/// other assumptions are only listed.
bool Check::isAllowed(StringRef kind) const {
  SmallVector<StringRef> parts;
  kind.split(parts, '+');
  return llvm::all_of(parts, [&](StringRef part) {
    return !llvm::is_contained({"nsz", "contract", "reassoc", "finite", "real",
                                "choices", "noalias", "bounded-trips",
                                "parallel-order"},
                               part) ||
           llvm::is_contained(options.allowed, part.str()) ||
           // Numbers without rounding are all that and more.
           (llvm::is_contained({"nsz", "contract", "reassoc", "finite"},
                               part) &&
            llvm::is_contained(options.allowed, "real"));
  });
}

CheckResult Check::run() {
  if (!encode())
    return std::move(result);
  result.stats.nodes = terms.numTerms();
  std::optional<CheckResult> strict;
  std::vector<Attempt> list = attempts();
  for (const Attempt &classes : list) {
    if (attempt(classes, &classes == &list.back())) {
      bool allowed = llvm::all_of(result.assumptions, [&](const Assumption &a) {
        return isAllowed(a.kind);
      });
      result.kind =
          allowed ? CheckResult::Kind::Proved : CheckResult::Kind::ProvedUnder;
      result.stats.nodes = terms.numTerms();
      result.reason.clear();
      result.where.reset();
      return std::move(result);
    }
    result.stats.nodes = terms.numTerms();
    if (!strict)
      strict = result; // what the plainest attempt says is what the user reads
    if (Clock::now() > deadline)
      break;
  }
  strict->stats = result.stats;
  return std::move(*strict);
}

/// The terms of a check without names for picks do not tie the picks of one
/// operation together. Where that could be seen, a check with names comes
/// first; if it has no proof, one without holds under an assumption, and is
/// never plainly VALID.
static CheckResult checkPicks(FunctionOpInterface source,
                              FunctionOpInterface target,
                              const CheckOptions &options) {
  std::vector<Assumption> picks = choiceAssumptions(source, target);
  if (picks.empty())
    return Check(source, target, options).run();
  CheckOptions named = options;
  named.seconds = options.seconds / 2;
  named.picks = readsBitsOfNaN(source, target) ? PickTable::Mode::Bits
                                               : PickTable::Mode::Flags;
  CheckResult result = Check(source, target, named).run();
  auto proved = [](const CheckResult &r) {
    return r.kind == CheckResult::Kind::Proved ||
           r.kind == CheckResult::Kind::ProvedUnder;
  };
  if (proved(result) || result.kind == CheckResult::Kind::BadInput)
    return result;
  CheckOptions rest = options;
  rest.seconds = std::max(0.0, options.seconds - result.stats.seconds);
  CheckResult assumed = Check(source, target, rest).run();
  if (!proved(assumed))
    return assumed;
  for (Assumption &assumption : picks) {
    if (!llvm::is_contained(options.allowed, assumption.kind))
      assumed.kind = CheckResult::Kind::ProvedUnder;
    assumed.assumptions.push_back(std::move(assumption));
  }
  return assumed;
}

CheckResult tv::checkRefinement(FunctionOpInterface source,
                                FunctionOpInterface target,
                                const CheckOptions &options) {
  auto start = Clock::now();
  CheckResult result = checkPicks(source, target, options);
  result.stats.seconds =
      std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}
