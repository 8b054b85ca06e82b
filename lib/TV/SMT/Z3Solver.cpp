//===- Z3Solver.cpp - The solver over libz3 -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The only file that knows z3.h. Errors are collected by a handler that does
/// nothing: z3's default would end the process.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/SMT/Solver.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <z3.h>

using namespace llvm;

namespace panpipe::tv::smt {

Solver::~Solver() = default;

static void ignoreError(Z3_context, Z3_error_code) {}

static Z3_context makeContext() {
  Z3_config config = Z3_mk_config();
  Z3_context context = Z3_mk_context_rc(config);
  Z3_del_config(config);
  if (context)
    Z3_set_error_handler(context, ignoreError);
  return context;
}

namespace {

/// Interrupts z3 when its own time limit is overrun.
class Watchdog {
public:
  Watchdog(Z3_context context, double seconds) {
    if (seconds <= 0)
      return;
    thread = std::thread([=] {
      std::unique_lock<std::mutex> lock(mutex);
      auto limit = std::chrono::duration<double>(seconds * 1.2 + 0.1);
      while (!condition.wait_for(lock, limit, [this] { return done; })) {
        Z3_interrupt(context);
        limit = std::chrono::duration<double>(0.1);
      }
    });
  }
  ~Watchdog() {
    if (!thread.joinable())
      return;
    {
      std::lock_guard<std::mutex> lock(mutex);
      done = true;
    }
    condition.notify_all();
    thread.join();
  }

private:
  std::mutex mutex;
  std::condition_variable condition;
  bool done = false;
  std::thread thread;
};

class Z3Solver : public Solver {
public:
  explicit Z3Solver(Z3_context context) : z3(context) {
    rounding = keep(Z3_mk_fpa_round_nearest_ties_to_even(z3));
    solver = Z3_mk_solver(z3);
    Z3_solver_inc_ref(z3, solver);
  }
  ~Z3Solver() override {
    dropModel();
    Z3_solver_dec_ref(z3, solver);
    for (Z3_ast a : kept)
      Z3_dec_ref(z3, a);
    Z3_del_context(z3);
  }

  void add(Expr condition) override {
    Z3_ast a = translate(condition);
    if (a)
      Z3_solver_assert(z3, solver, a);
    noteError();
  }
  void push() override { Z3_solver_push(z3, solver); }
  void pop() override { Z3_solver_pop(z3, solver, 1); }

  CheckResult check(const Limits &limits) override {
    dropModel();
    if (!error.empty()) {
      reason = error;
      return CheckResult::Unknown;
    }
    setLimits(limits);
    Z3_lbool r;
    {
      Watchdog dog(z3, limits.seconds);
      r = Z3_solver_check(z3, solver);
    }
    if (r == Z3_L_FALSE)
      return CheckResult::Unsat;
    if (r == Z3_L_TRUE) {
      model = Z3_solver_get_model(z3, solver);
      if (model) {
        Z3_model_inc_ref(z3, model);
        return CheckResult::Sat;
      }
    }
    const char *why = Z3_solver_get_reason_unknown(z3, solver);
    reason = why ? why : "unknown";
    return CheckResult::Unknown;
  }

  std::optional<APInt> value(Expr e) override {
    Z3_ast a = translate(e);
    Z3_ast v = nullptr;
    if (!model || !a || !Z3_model_eval(z3, model, a, true, &v) || !v)
      return std::nullopt;
    keep(v);
    if (e.sort().kind == Sort::Kind::Bool) {
      Z3_lbool b = Z3_get_bool_value(z3, v);
      return b == Z3_L_UNDEF ? std::nullopt
                             : std::optional<APInt>(APInt(1, b == Z3_L_TRUE));
    }
    if (Z3_get_ast_kind(z3, v) != Z3_NUMERAL_AST)
      return std::nullopt;
    StringRef digits = Z3_get_numeral_string(z3, v);
    bool negative = digits.consume_front("-");
    APInt n;
    if (digits.getAsInteger(10, n))
      return std::nullopt;
    n = n.zextOrTrunc(e.sort().kind == Sort::Kind::Int ? 128 : e.width());
    return negative ? -n : n;
  }

  std::string reasonUnknown() const override { return reason; }

private:
  template <typename T> T keep(T ast) {
    if (ast) {
      Z3_inc_ref(z3, (Z3_ast)ast);
      kept.push_back((Z3_ast)ast);
    }
    return ast;
  }
  void dropModel() {
    if (model)
      Z3_model_dec_ref(z3, model);
    model = nullptr;
  }
  void noteError() {
    Z3_error_code code = Z3_get_error_code(z3);
    if (code != Z3_OK && error.empty())
      error = std::string("z3: ") + Z3_get_error_msg(z3, code);
  }
  void setLimits(const Limits &limits) {
    Z3_params params = Z3_mk_params(z3);
    Z3_params_inc_ref(z3, params);
    Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "timeout"),
                       limits.seconds > 0 ? unsigned(limits.seconds * 1000) + 1
                                          : ~0u);
    Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, "rlimit"),
                       limits.resources);
    Z3_solver_set_params(z3, solver, params);
    Z3_params_dec_ref(z3, params);
  }

  Z3_sort sortOf(Sort s) {
    switch (s.kind) {
    case Sort::Kind::Bool:
      return Z3_mk_bool_sort(z3);
    case Sort::Kind::Int:
      return Z3_mk_int_sort(z3);
    case Sort::Kind::BitVec:
      return Z3_mk_bv_sort(z3, s.first);
    case Sort::Kind::Float:
      return Z3_mk_fpa_sort(z3, s.first, s.second);
    }
    return nullptr;
  }

  /// Memoised by expression number, without recursion.
  Z3_ast translate(Expr root) {
    SmallVector<Expr, 32> stack{root};
    while (!stack.empty()) {
      Expr e = stack.back();
      if (memo.size() <= e.id())
        memo.resize(std::max<size_t>(e.id() + 1, memo.size() * 2), nullptr);
      if (memo[e.id()]) {
        stack.pop_back();
        continue;
      }
      size_t before = stack.size();
      for (Expr a : e.args())
        if (a.id() >= memo.size() || !memo[a.id()])
          stack.push_back(a);
      if (stack.size() != before)
        continue;
      SmallVector<Z3_ast, 4> args;
      for (Expr a : e.args())
        args.push_back(memo[a.id()]);
      Z3_ast ast = keep(translateNode(e, args));
      noteError();
      if (!ast)
        return nullptr;
      memo[e.id()] = ast;
      stack.pop_back();
    }
    return memo[root.id()];
  }

  Z3_ast translateNode(Expr e, ArrayRef<Z3_ast> a);
  Z3_ast translateFloat(Expr e, ArrayRef<Z3_ast> a);
  Z3_ast translateConst(Expr e);
  Z3_ast translateApply(Expr e, ArrayRef<Z3_ast> a);
  Z3_ast roundingMode(unsigned mode);

  Z3_context z3;
  Z3_solver solver;
  Z3_model model = nullptr;
  Z3_ast rounding;
  std::vector<Z3_ast> memo, kept;
  std::string error, reason;
};
} // namespace

Z3_ast Z3Solver::translateConst(Expr e) {
  if (e.sort().kind == Sort::Kind::Bool)
    return e.isTrue() ? Z3_mk_true(z3) : Z3_mk_false(z3);
  SmallString<80> digits;
  e.value().toString(digits, 10, e.sort().kind == Sort::Kind::Int);
  return Z3_mk_numeral(z3, digits.c_str(), sortOf(e.sort()));
}

Z3_ast Z3Solver::translateApply(Expr e, ArrayRef<Z3_ast> a) {
  SmallVector<Z3_sort, 4> domain;
  for (Expr arg : e.args())
    domain.push_back(sortOf(arg.sort()));
  Z3_symbol name = Z3_mk_string_symbol(z3, e.name().str().c_str());
  Z3_func_decl f =
      Z3_mk_func_decl(z3, name, domain.size(), domain.data(), sortOf(e.sort()));
  if (!f)
    return nullptr;
  keep(Z3_func_decl_to_ast(z3, f));
  return Z3_mk_app(z3, f, a.size(), a.data());
}

Z3_ast Z3Solver::roundingMode(unsigned mode) {
  switch (RoundingMode(mode)) {
  case RoundingMode::NearestEven:
    return rounding;
  case RoundingMode::NearestAway:
    return keep(Z3_mk_fpa_round_nearest_ties_to_away(z3));
  case RoundingMode::TowardPositive:
    return keep(Z3_mk_fpa_round_toward_positive(z3));
  case RoundingMode::TowardNegative:
    return keep(Z3_mk_fpa_round_toward_negative(z3));
  case RoundingMode::TowardZero:
    return keep(Z3_mk_fpa_round_toward_zero(z3));
  }
  return nullptr;
}

Z3_ast Z3Solver::translateNode(Expr e, ArrayRef<Z3_ast> a) {
  switch (e.op()) {
  case ExprOp::Const:
    return translateConst(e);
  case ExprOp::Var:
    return Z3_mk_const(z3, Z3_mk_string_symbol(z3, e.name().str().c_str()),
                       sortOf(e.sort()));
  case ExprOp::Apply:
    return translateApply(e, a);
  case ExprOp::Not:
    return Z3_mk_not(z3, a[0]);
  case ExprOp::And:
    return Z3_mk_and(z3, a.size(), a.data());
  case ExprOp::Or:
    return Z3_mk_or(z3, a.size(), a.data());
  case ExprOp::Ite:
    return Z3_mk_ite(z3, a[0], a[1], a[2]);
  case ExprOp::Eq:
    return Z3_mk_eq(z3, a[0], a[1]);
  case ExprOp::BvNeg:
    return Z3_mk_bvneg(z3, a[0]);
  case ExprOp::BvNot:
    return Z3_mk_bvnot(z3, a[0]);
#define BINARY(Op, Function)                                                   \
  case ExprOp::Op:                                                             \
    return Function(z3, a[0], a[1]);
    BINARY(BvAdd, Z3_mk_bvadd)
    BINARY(BvSub, Z3_mk_bvsub)
    BINARY(BvMul, Z3_mk_bvmul)
    BINARY(BvUDiv, Z3_mk_bvudiv)
    BINARY(BvURem, Z3_mk_bvurem)
    BINARY(BvSDiv, Z3_mk_bvsdiv)
    BINARY(BvSRem, Z3_mk_bvsrem)
    BINARY(BvAnd, Z3_mk_bvand)
    BINARY(BvOr, Z3_mk_bvor)
    BINARY(BvXor, Z3_mk_bvxor)
    BINARY(BvShl, Z3_mk_bvshl)
    BINARY(BvLShr, Z3_mk_bvlshr)
    BINARY(BvAShr, Z3_mk_bvashr)
    BINARY(BvULt, Z3_mk_bvult)
    BINARY(BvULe, Z3_mk_bvule)
    BINARY(BvSLt, Z3_mk_bvslt)
    BINARY(BvSLe, Z3_mk_bvsle)
    BINARY(Concat, Z3_mk_concat)
    BINARY(IntDiv, Z3_mk_div)
    BINARY(IntMod, Z3_mk_mod)
    BINARY(IntLe, Z3_mk_le)
    BINARY(IntLt, Z3_mk_lt)
#undef BINARY
  case ExprOp::Extract:
    return Z3_mk_extract(z3, e.param(0), e.param(1), a[0]);
  case ExprOp::ZeroExt:
    return Z3_mk_zero_ext(z3, e.param(0), a[0]);
  case ExprOp::SignExt:
    return Z3_mk_sign_ext(z3, e.param(0), a[0]);
  case ExprOp::IntAdd:
    return Z3_mk_add(z3, a.size(), a.data());
  case ExprOp::IntMul:
    return Z3_mk_mul(z3, a.size(), a.data());
  default:
    return translateFloat(e, a);
  }
}

Z3_ast Z3Solver::translateFloat(Expr e, ArrayRef<Z3_ast> a) {
  Sort s = e.sort();
  switch (e.op()) {
  case ExprOp::FpFromBits:
    return Z3_mk_fpa_to_fp_bv(z3, a[0], sortOf(s));
  case ExprOp::FpNeg:
    return Z3_mk_fpa_neg(z3, a[0]);
  case ExprOp::FpAbs:
    return Z3_mk_fpa_abs(z3, a[0]);
  case ExprOp::FpAdd:
    return Z3_mk_fpa_add(z3, rounding, a[0], a[1]);
  case ExprOp::FpMul:
    return Z3_mk_fpa_mul(z3, rounding, a[0], a[1]);
  case ExprOp::FpDiv:
    return Z3_mk_fpa_div(z3, rounding, a[0], a[1]);
  case ExprOp::FpFma:
    return Z3_mk_fpa_fma(z3, rounding, a[0], a[1], a[2]);
  case ExprOp::FpSqrt:
    return Z3_mk_fpa_sqrt(z3, rounding, a[0]);
  case ExprOp::FpRound:
    return Z3_mk_fpa_round_to_integral(z3, roundingMode(e.param(0)), a[0]);
  case ExprOp::FpConvert:
    return Z3_mk_fpa_to_fp_float(z3, rounding, a[0], sortOf(s));
  case ExprOp::FpFromSInt:
    return Z3_mk_fpa_to_fp_signed(z3, rounding, a[0], sortOf(s));
  case ExprOp::FpFromUInt:
    return Z3_mk_fpa_to_fp_unsigned(z3, rounding, a[0], sortOf(s));
  case ExprOp::FpToSInt:
    return Z3_mk_fpa_to_sbv(
        z3, roundingMode(unsigned(RoundingMode::TowardZero)), a[0], s.first);
  case ExprOp::FpToUInt:
    return Z3_mk_fpa_to_ubv(
        z3, roundingMode(unsigned(RoundingMode::TowardZero)), a[0], s.first);
  case ExprOp::FpLt:
    return Z3_mk_fpa_lt(z3, a[0], a[1]);
  case ExprOp::FpLe:
    return Z3_mk_fpa_leq(z3, a[0], a[1]);
  case ExprOp::FpEq:
    return Z3_mk_fpa_eq(z3, a[0], a[1]);
  case ExprOp::FpIsNaN:
    return Z3_mk_fpa_is_nan(z3, a[0]);
  case ExprOp::FpIsInf:
    return Z3_mk_fpa_is_infinite(z3, a[0]);
  case ExprOp::FpIsZero:
    return Z3_mk_fpa_is_zero(z3, a[0]);
  case ExprOp::FpIsNegative:
    return Z3_mk_fpa_is_negative(z3, a[0]);
  default:
    return nullptr;
  }
}

std::unique_ptr<Solver> createZ3Solver(ExprContext &) {
  Z3_context context = makeContext();
  return context ? std::make_unique<Z3Solver>(context) : nullptr;
}

std::string z3Version() {
  unsigned major, minor, build, revision;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(build);
}

std::string evaluateSmtLibWithZ3(const std::string &script,
                                 const std::string &getValues) {
  Z3_context context = makeContext();
  if (!context)
    return "(error \"no z3 context\")";
  std::string out = Z3_eval_smtlib2_string(context, script.c_str());
  if (!getValues.empty() && StringRef(out).starts_with("sat"))
    out += Z3_eval_smtlib2_string(context, getValues.c_str());
  return out; // The child exits: nothing is freed.
}

} // namespace panpipe::tv::smt
