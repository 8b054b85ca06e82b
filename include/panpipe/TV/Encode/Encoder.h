//===- Encoder.h - From functions to terms ----------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Translates one function into the term graph: its results as elements and
/// tensors of elements, and every way in which it can be undefined. Both sides
/// of a validation use one TermContext and one set of arguments.
///
/// The meaning of operations is fixed in docs/TV/Semantics.md.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_ENCODE_ENCODER_H
#define PANPIPE_TV_ENCODE_ENCODER_H

#include "panpipe/TV/Encode/Memory.h"
#include "panpipe/TV/Encode/OpEncodings.h"
#include "panpipe/TV/Encode/Picks.h"
#include "panpipe/TV/Encode/SymValue.h"
#include "panpipe/TV/Verdict.h"

#include "mlir/IR/Location.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <set>

namespace mlir {
class Block;
} // namespace mlir

namespace panpipe::tv {

struct EncodeOptions {
  unsigned indexWidth = 64;
  /// Elements and scalars passed in may be poison.
  bool poisonArguments = true;
  /// Constant tensors up to this many elements are exact; larger ones are
  /// unknown tensors named by their contents.
  unsigned exactConstantElements = 64;
  /// Iterations of a loop without a constant trip count that are looked at.
  unsigned loopBound = 4;
};

/// Undefined if `condition` is true, because of `reason`.
struct UBCondition {
  const Term *condition;
  std::string reason;
  mlir::Location where;
  /// Not undefined, but past the iterations of a loop that are looked at.
  bool isBound = false;
};

/// Something that has no encoding.
struct UnsupportedNote {
  std::string what; ///< "'vector.scan' has no encoding", "recursion of @f"
  mlir::Location where;
};

/// What one function means.
struct FunctionEncoding {
  llvm::SmallVector<SymValue, 2> results;
  /// In order of execution, constantly false ones left out. Each was simplified
  /// assuming that the earlier ones are false.
  std::vector<UBCondition> ub;
  /// Facts about index symbols that hold where no condition of `ub` is true.
  Guard facts;
  std::vector<Assumption> assumptions;
  /// Memory that the caller can see, at the end, by name.
  struct FinalBlock {
    MemBlock block;
    Element contents;
  };
  std::vector<FinalBlock> memory;
  /// Names of observable blocks that were read or written.
  std::set<std::string> touched;
  /// Executions in which one of these holds run past a bound on loops: the
  /// encoding does not say what they do.
  std::vector<const Term *> bounds;
  /// Set: the encoding is not usable, and this is why.
  std::optional<UnsupportedNote> unsupported;
  /// Set: the function is no program (a pipeline that deadlocks, …).
  std::optional<UnsupportedNote> malformed;
};

/// Shared between the encodings of both sides.
struct SharedEncoding {
  explicit SharedEncoding(TermContext &terms, EncodeOptions options = {})
      : terms(terms), options(options) {}
  TermContext &terms;
  EncodeOptions options;
  llvm::SmallVector<SymValue> arguments;
  /// Blocks that exist on entry; numbers 0, 1, … on both sides.
  std::vector<MemBlock> blocks;
  /// What holds of the blocks (where they lie).
  Guard facts;
  /// Decides what ranges cannot; may be null.
  IndexOracle *oracle = nullptr;
  /// Index symbols that stand for scalar terms used as addresses.
  llvm::DenseMap<const Term *, IndexTerm> indexSymbols;
  /// Names of operations whose result is a set.
  PickTable picks;
};

/// Makes one symbolic argument per type, named `names[i]`. Null on success,
/// else the number of the first argument whose type has no encoding.
std::optional<unsigned> makeArguments(SharedEncoding &shared,
                                      mlir::TypeRange types,
                                      llvm::ArrayRef<std::string> names);

/// Encodes `function` (a func.func, a pipe.stage or a pipe.pipeline) applied to
/// the shared arguments.
FunctionEncoding encodeFunction(SharedEncoding &shared,
                                const OpEncodings &encodings,
                                mlir::FunctionOpInterface function);

/// The type or location as MLIR prints it, for messages.
std::string toText(mlir::Type type);
std::string toText(mlir::Location location);

/// The state while one function is translated; the interface of encodings.
class Encoder {
public:
  Encoder(SharedEncoding &shared, const OpEncodings &encodings,
          FunctionEncoding &out);

  TermContext &terms() { return shared.terms; }
  const EncodeOptions &options() const { return shared.options; }
  /// What is known of index symbols at this point.
  const IndexContext &context() const { return current; }

  //===--- Values
  //-----------------------------------------------------------===//
  const SymValue &get(mlir::Value value) const;
  Element scalar(mlir::Value value) const { return get(value).scalar; }
  const SymTensor &tensor(mlir::Value value) const { return get(value).tensor; }
  void define(mlir::Value value, SymValue symbolic);
  const SymMemRef &memref(mlir::Value value) const { return get(value).memref; }
  Element defined(const Term *value) { return {value, terms().mkBool(false)}; }
  Element poison(ScalarType type);

  //===--- Types and indices ----------------------------------------------===//
  /// Scalar type of a scalar, or of a tensor's or vector's element.
  std::optional<ScalarType> scalarType(mlir::Type type) const;
  ScalarType indexType() const {
    return ScalarType::index(shared.options.indexWidth);
  }
  IndexTerm constant(int64_t value) { return terms().index().constant(value); }
  /// The polynomial that equals the scalar modulo 2^width, if there is one.
  std::optional<IndexTerm> polynomial(const Term *scalar);
  /// The polynomial whose mathematical value is the scalar's signed value.
  std::optional<IndexTerm> exactIndex(const Term *scalar);
  /// The same with a symbol for whatever is not a polynomial. Null under
  /// binders (the scalar depends on loop variables). A poison value is UB
  /// `reason`.
  IndexTerm indexOrSymbol(Element scalar, llvm::StringRef reason,
                          mlir::Operation *op);
  const Term *indexValue(IndexTerm index) {
    return terms().mkIndexValue(indexType(), index);
  }
  /// Static and dynamic sizes (as of mixed offsets) as index terms.
  llvm::LogicalResult mixed(llvm::ArrayRef<mlir::OpFoldResult> values,
                            llvm::SmallVectorImpl<IndexTerm> &out,
                            mlir::Operation *op);

  /// The element of `tensor` at run-time indices; out of bounds is UB.
  llvm::FailureOr<Element> readAt(const SymTensor &tensor,
                                  llvm::ArrayRef<Element> at,
                                  mlir::Operation *op);

  /// UB unless 0 <= index < size, and if the index is poison.
  void requireInBounds(Element index, IndexTerm size, mlir::Operation *op);
  /// A polynomial that can stand for the scalar wherever it is in bounds.
  std::optional<IndexTerm> accessPolynomial(const Term *scalar);

  /// One scalar operation: index arithmetic stays a polynomial where it can,
  /// the rest goes through encodeScalarOp; undefined behaviour is recorded.
  Element apply(ScalarOp scalarOp, const ScalarAttrs &attrs, ScalarType type,
                llvm::ArrayRef<Element> operands, mlir::Operation *op);

  /// A block that is encoded again is executed again, and its operations pick
  /// anew. While this lives it is not so: after `again`, what follows is the
  /// same execution as what followed the last time (for each result of a
  /// structured operation, say).
  class OneExecution {
  public:
    explicit OneExecution(Encoder &encoder)
        : encoder(encoder), outer(encoder.execution) {
      encoder.execution = this;
    }
    ~OneExecution() { encoder.execution = outer; }
    OneExecution(const OneExecution &) = delete;
    OneExecution &operator=(const OneExecution &) = delete;
    void again() { at = 0; }

  private:
    friend class Encoder;
    Encoder &encoder;
    OneExecution *outer;
    llvm::SmallVector<unsigned, 2> instances;
    unsigned at = 0;
  };

  //===--- Memory ---------------------------------------------------------===//
  /// A new block with contents `tensor`; of kind Heap, Stack or Constant.
  SymMemRef allocate(MemBlock::Kind kind, const SymTensor &tensor,
                     const llvm::Twine &name);
  /// The block of a global that may change.
  SymMemRef global(llvm::StringRef name, ScalarType type,
                   llvm::ArrayRef<IndexTerm> shape);
  const MemBlock &block(unsigned number) const { return blocks[number]; }
  /// One element; out of bounds is UB, as is memory that was freed.
  llvm::FailureOr<Element> load(const SymMemRef &memref,
                                llvm::ArrayRef<Element> at,
                                mlir::Operation *op);
  llvm::LogicalResult store(const SymMemRef &memref, llvm::ArrayRef<Element> at,
                            Element value, mlir::Operation *op);
  /// What the memref holds now, as a tensor: for operations that read all of
  /// it (or a subview, made before). Unspecified elements stay unspecified.
  llvm::FailureOr<SymTensor> readView(const SymMemRef &memref,
                                      mlir::Operation *op);
  /// Replaces every element of the memref, or those whose index (ownIndex of
  /// the memref) satisfies `where`. No bounds are checked.
  llvm::LogicalResult writeView(const SymMemRef &memref,
                                const SymTensor &tensor, mlir::Operation *op,
                                llvm::ArrayRef<GuardAtom> where = {});
  /// Frees the block; it must be a whole one of kind Heap.
  llvm::LogicalResult free(const SymMemRef &memref, mlir::Operation *op);
  /// Later writes have no encoding: a tensor shares the memory.
  void freeze(const SymMemRef &memref) {
    for (const SymMemRef::Choice &choice : memref.choices)
      frozen.insert(choice.view.block);
  }
  /// Applies a function to each view a memref may be. Null: no closed form.
  using ViewFunction =
      llvm::function_ref<std::optional<MemView>(const MemView &)>;
  std::optional<SymMemRef> mapViews(const SymMemRef &memref,
                                    ViewFunction function);
  /// True if the memrefs can have an element in common.
  bool mayOverlap(const SymMemRef &a, const SymMemRef &b) const;
  /// True if index i of one is index i of the other, always.
  bool isSameView(const SymMemRef &a, const SymMemRef &b) const;

  //===--- Paths ----------------------------------------------------------===//
  /// `condition ? a : b`, as a guard where the condition is one.
  const Term *choose(const Term *condition, const Term *a, const Term *b);
  Element choose(const Term *condition, Element a, Element b) {
    return {choose(condition, a.value, b.value),
            choose(condition, a.poison, b.poison)};
  }
  /// The same for any value; shapes must be equal. Null if they may differ.
  std::optional<SymValue> choose(const Term *condition, const SymValue &a,
                                 const SymValue &b);
  /// Code that runs only if `condition`: its UB conditions and facts count
  /// there only.
  class PathScope {
  public:
    PathScope(Encoder &encoder, const Term *condition);
    ~PathScope();

  private:
    Encoder &encoder;
    const Term *condition;
    std::vector<UBCondition> collected;
    std::vector<UBCondition> *outerSink;
    IndexContext outerContext, outerAmbient;
  };
  using Branch = llvm::function_ref<llvm::LogicalResult(
      llvm::SmallVectorImpl<SymValue> &)>;
  /// Runs one of two branches, and joins their results and memories.
  llvm::LogicalResult branch(const Term *condition, Branch thenBranch,
                             Branch elseBranch,
                             llvm::SmallVectorImpl<SymValue> &results,
                             mlir::Operation *op);
  /// `memory` becomes `condition ? memory : other`.
  void joinMemory(const Term *condition, const Memory &other);
  /// A condition under which the encoding says nothing; a printed assumption.
  void addBound(const Term *condition, mlir::Operation *op);

  //===--- Conflicts ------------------------------------------------------===//
  /// An access to part of a block, for the check of parallel loops.
  struct AccessRecord {
    unsigned block;
    bool writes;
    Guard where; ///< over the block's own indices
    IndexContext context;
  };
  /// True if two different iterations of a parallel loop surely touch nothing
  /// in common that one of them writes. `iterations` holds what each did; with
  /// `t`, one symbolic iteration 0 <= t < trips stands for all.
  bool areIndependent(llvm::ArrayRef<std::vector<AccessRecord>> iterations,
                      IndexTerm t, IndexTerm trips, unsigned firstLocalBlock);
  /// Says that the loop's iterations are assumed not to conflict.
  void noteConflicts(mlir::Operation *op);

  //===--- Loops ----------------------------------------------------------===//
  /// A loop whose counters are t = 0 … trips - 1, innermost last.
  struct LoopSpec {
    mlir::Operation *op = nullptr;
    IndexTerm trips;
    /// Iterations touch different memory (checked), in any order.
    bool parallel = false;
  };
  using LoopBody = llvm::function_ref<llvm::LogicalResult(
      IndexTerm t, llvm::ArrayRef<SymValue> carried,
      llvm::SmallVectorImpl<SymValue> &next)>;
  /// Runs a counted loop: unrolled, summarised, or refused. `carried` holds the
  /// initial values and then the results.
  llvm::LogicalResult loop(const LoopSpec &spec, LoopBody body,
                           llvm::SmallVectorImpl<SymValue> &carried);

  //===--- Undefined behaviour
  //---------------------------------------------===//
  void addUB(const Term *condition, const llvm::Twine &reason,
             mlir::Operation *op);
  /// UB unless `guard` holds; afterwards it is assumed.
  void require(llvm::ArrayRef<GuardAtom> guard, const llvm::Twine &reason,
               mlir::Operation *op);
  /// UB unless two dims are equal.
  void requireEqual(IndexTerm a, IndexTerm b, const llvm::Twine &reason,
                    mlir::Operation *op);
  /// UB unless every dim that `type` fixes has that size in `shape`.
  void requireStaticSizes(llvm::ArrayRef<IndexTerm> shape,
                          llvm::ArrayRef<int64_t> type, mlir::Operation *op);
  void assumeNote(llvm::StringRef kind, const llvm::Twine &detail);

  /// Records that `what` has no encoding. Always fails.
  llvm::LogicalResult unsupported(mlir::Operation *op, const llvm::Twine &what);

  //===--- Execution
  //--------------------------------------------------------===//
  llvm::LogicalResult encodeOp(mlir::Operation *op);
  /// Runs a block with one terminator; `results` are its operands.
  llvm::LogicalResult encodeBlock(mlir::Block &block,
                                  llvm::ArrayRef<SymValue> arguments,
                                  llvm::SmallVectorImpl<SymValue> &results);
  /// Runs a block without its terminator, as one execution.
  llvm::LogicalResult encodeOps(mlir::Block &block);
  /// Runs a region; several blocks are followed path by path. `results` are the
  /// operands of the terminator that leaves it.
  llvm::LogicalResult encodeRegion(mlir::Region &region,
                                   llvm::ArrayRef<SymValue> arguments,
                                   llvm::SmallVectorImpl<SymValue> &results);
  /// Applies an unknown function, the same one on both sides: what it returns
  /// and leaves in memory that it may reach is unknown, and a function of what
  /// it got.
  llvm::LogicalResult
  encodeUnknownCall(mlir::Operation *call, llvm::StringRef name,
                    llvm::SmallVectorImpl<SymValue> &results);
  /// Applies a function with a body. Refuses recursion.
  llvm::LogicalResult encodeCall(mlir::Operation *call,
                                 mlir::FunctionOpInterface callee,
                                 llvm::ArrayRef<SymValue> arguments,
                                 llvm::SmallVectorImpl<SymValue> &results);

  //===--- Bodies
  //-----------------------------------------------------------===//
  /// Loop variables of the innermost linalg body, for linalg.index.
  llvm::ArrayRef<IndexTerm> loopIndices() const { return loops; }

  /// Code under binders: UB conditions are collected apart, in a context of its
  /// own, until `finish` folds them over the variables.
  class BodyScope {
  public:
    BodyScope(Encoder &encoder, const IndexContext &inside,
              llvm::ArrayRef<IndexTerm> loopIndices);
    ~BodyScope();
    /// The conditions collected; the caller folds them.
    std::vector<UBCondition> &conditions() { return collected; }

  private:
    Encoder &encoder;
    std::vector<UBCondition> collected;
    std::vector<UBCondition> *outerSink;
    IndexContext outerContext;
    llvm::SmallVector<IndexTerm, 4> outerLoops;
  };
  /// Adds "for some point of `vars` < `extents`" of each condition here.
  void foldUB(llvm::ArrayRef<UBCondition> conditions,
              llvm::ArrayRef<IndexTerm> vars,
              llvm::ArrayRef<IndexTerm> extents);

  /// One element per index of `shape`, computed by `body` (which may collect UB
  /// and may fail); the general form of elementwise operations and regions.
  using ElementFunction =
      llvm::function_ref<llvm::FailureOr<Element>(llvm::ArrayRef<IndexTerm>)>;
  llvm::FailureOr<SymTensor> compute(ScalarType type,
                                     llvm::ArrayRef<IndexTerm> shape,
                                     ElementFunction body);
  bool underBinder() const { return depth != 0; }
  void declareGlobals(mlir::Operation *function);
  /// Fills in what the encoding says of memory, at the end.
  void finish();

private:
  friend class BodyScope;
  friend class PathScope;
  friend class LoopSummary;
  llvm::LogicalResult encodeFrom(mlir::Block &block,
                                 llvm::ArrayRef<SymValue> arguments,
                                 llvm::DenseMap<mlir::Block *, unsigned> visits,
                                 llvm::SmallVectorImpl<SymValue> &results);
  llvm::LogicalResult storeSplit(const SymMemRef &memref,
                                 llvm::MutableArrayRef<const Term *> at,
                                 unsigned dim, Element value,
                                 mlir::Operation *op);
  llvm::LogicalResult access(const SymMemRef &memref, bool writes,
                             mlir::Operation *op);
  SymTensor readViewAt(const SymMemRef &memref);
  void record(const SymMemRef &memref, llvm::ArrayRef<Element> at, bool writes);
  SymTensor contentsOf(unsigned block) const;
  void setContents(unsigned block, Element contents);
  llvm::LogicalResult unroll(const LoopSpec &spec, int64_t trips, LoopBody body,
                             llvm::SmallVectorImpl<SymValue> &carried);
  llvm::LogicalResult unrollBounded(const LoopSpec &spec, LoopBody body,
                                    llvm::SmallVectorImpl<SymValue> &carried);
  llvm::FailureOr<Element>
  readSplit(const SymTensor &tensor, llvm::MutableArrayRef<const Term *> at,
            unsigned dim, llvm::SmallVectorImpl<IndexTerm> &done,
            const IndexContext &where, mlir::Operation *op);

  SharedEncoding &shared;
  const OpEncodings &encodings;
  FunctionEncoding &out;
  IndexContext current;
  llvm::DenseMap<mlir::Value, SymValue> values;
  std::vector<UBCondition> *sink;
  llvm::SmallVector<IndexTerm, 4> loops;
  llvm::SmallVector<mlir::Operation *, 8> callStack;
  unsigned depth = 0;
  unsigned nextInstance();
  /// Numbers of block executions: the current one, and how many there are.
  unsigned instance = 0, instances = 0;
  OneExecution *execution = nullptr;
  std::vector<MemBlock> blocks;
  Memory memory;
  /// Local blocks that an unknown function has seen, in that order.
  llvm::SetVector<unsigned> escaped;
  llvm::SetVector<unsigned> frozen;
  /// Accesses since the innermost parallel loop's iteration began; null outside
  /// of parallel loops.
  std::vector<AccessRecord> *accesses = nullptr;
  /// Executions of blocks that control flow may still need.
  unsigned blockBudget = 2000;
  unsigned summaries = 0; ///< loops being summarised around this point
  /// Operations that loops may still unroll.
  int64_t unrollBudget = 20000;
};

} // namespace panpipe::tv

#endif // PANPIPE_TV_ENCODE_ENCODER_H
