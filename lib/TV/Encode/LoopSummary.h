//===- LoopSummary.h - Closed forms of loops ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a counted loop computes, from one symbolic iteration. Every rule has a
/// side condition that is checked; where none holds there is no summary.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_ENCODE_LOOPSUMMARY_H
#define PANPIPE_LIB_TV_ENCODE_LOOPSUMMARY_H

#include "panpipe/TV/Encode/Encoder.h"

namespace panpipe::tv {

class LoopSummary {
public:
  LoopSummary(Encoder &encoder, const Encoder::LoopSpec &spec,
              Encoder::LoopBody body)
      : e(encoder), terms(encoder.terms()), spec(spec), body(body) {}

  /// False: no closed form was found; the encoder's memory and notes are then
  /// to be restored by the caller.
  bool run(llvm::SmallVectorImpl<SymValue> &carried);
  const std::string &reason() const { return why; }

private:
  /// A tensor that the loop changes: a carried value or a block of memory.
  struct Slot {
    enum class Kind : uint8_t { Scalar, Tensor, Block } kind;
    unsigned number = 0;              ///< of the block, or of the carried value
    SymTensor init;                   ///< a scalar has rank 0
    const TensorBase *base = nullptr; ///< stands for it within an iteration
    Element next;                     ///< after one iteration, at own indices
    bool changed = false;
    /// next = guard ? update : before.
    Guard guard;
    Element update;
    SymTensor result;
    /// Scalars: the value when iteration t starts.
    std::optional<Element> atStart;
  };

  bool fail(const llvm::Twine &text) {
    if (why.empty())
      why = text.str();
    return false;
  }
  class Replacer;
  /// What stands for a slot's own element while it is rewritten.
  struct Own {
    const Slot *slot;
    Element by;
  };

  void addSlot(Slot::Kind kind, unsigned number, const SymTensor &init);
  bool makeSlots(llvm::ArrayRef<SymValue> carried);
  llvm::SmallVector<bool> writtenBlocks();
  bool runBody(llvm::ArrayRef<SymValue> carried);
  bool takeResults(llvm::ArrayRef<SymValue> carried,
                   llvm::ArrayRef<SymValue> next);
  void splitUpdate(Slot &slot);
  bool foldScalars();
  bool foldScalarGroup(llvm::ArrayRef<Slot *> group, IndexTerm trips,
                       llvm::SmallVectorImpl<Element> &results);
  bool summarise(Slot &slot);
  bool oneWriter(Slot &slot, bool &applies);
  bool lastIteration(Slot &slot);
  bool accumulate(Slot &slot);
  std::optional<Element> foldStep(const IndexContext &context, Element step,
                                  Element init, IndexTerm trips);
  std::optional<Element> foldConcatenated(const IndexContext &context,
                                          const FoldSpec &fold, Element step,
                                          Element init);
  bool closeConditions();
  void storeResults(llvm::SmallVectorImpl<SymValue> &carried);

  /// Does the term read `base`, inside closures too?
  bool mentions(const Term *term, const TensorBase *base);
  Slot *slotOf(const TensorBase *base);
  Element before(const Slot &slot);
  Element initAt(const Slot &slot, llvm::ArrayRef<IndexTerm> at,
                 const IndexContext &context);
  std::optional<Element> replace(Element element, llvm::ArrayRef<Own> own,
                                 const IndexContext &context);
  bool isUnwritten(const Slot &slot, llvm::ArrayRef<IndexTerm> at,
                   const IndexContext &context);
  Element afterTrips(Element some, Element none, const IndexContext &context);

  Encoder &e;
  TermContext &terms;
  const Encoder::LoopSpec &spec;
  Encoder::LoopBody body;
  IndexTerm t;
  /// Where an iteration runs: 0 <= t < trips.
  std::optional<IndexContext> inside;
  std::vector<Slot> slots;
  std::vector<UBCondition> conditions;
  std::string why;
};

/// `step` as op(acc, h) with h free of all accumulators: h and the kind. `accs`
/// are those of the body in the order of their numbers, each value followed by
/// its poison; that of `step` is number `own`.
std::optional<Element> asContribution(TermContext &terms, Element step,
                                      llvm::ArrayRef<const Term *> accs,
                                      unsigned own, const IndexContext &context,
                                      FoldSpec &spec);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_ENCODE_LOOPSUMMARY_H
