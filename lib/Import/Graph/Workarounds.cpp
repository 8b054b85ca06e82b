//===- Workarounds.cpp - What to do about unsupported operators ----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace panpipe::import;

StringRef panpipe::import::workaroundFor(StringRef target) {
  struct Hint {
    StringLiteral part;
    StringLiteral text;
  };
  // The first entry whose part occurs in the target counts.
  static const Hint hints[] = {
      {"rand", "draw random numbers outside of the model, as an input"},
      {"bernoulli", "draw random numbers outside of the model, as an input"},
      {"multinomial", "draw random numbers outside of the model, as an input"},
      {"normal_", "draw random numbers outside of the model, as an input"},
      {"complex", "write complex arithmetic with two real tensors"},
      {"fft", "compute Fourier transforms outside of the model"},
      {"backward", "this version imports inference programs only"},
      {"_legit_functional", "call model.eval() before the export"},
      {"higher_order.cond", "replace torch.cond by torch.where"},
      {"higher_order.wrap_with_autocast",
       "export without autocast, in float32"},
      {"_operator.", "export with static shapes, without dynamic_shapes"},
      {"sym_size", "export with static shapes, without dynamic_shapes"},
      {"item", "keep numbers in the model, not in tensors"},
      {"einsum", "save ep.run_decompositions({}), which writes it as matrix "
                 "products"},
      {"scatter", "compute the result with torch.where and one_hot"},
      {"index_put", "use torch.where, or slices"},
      {"unique", "the result has no static shape: compute it outside"},
      {"nonzero", "use torch.where with three operands, or a mask"},
      {"quantize", "export the model before quantisation"},
  };
  for (const Hint &hint : hints)
    if (target.contains(hint.part))
      return hint.text;
  if (target.contains("_."))
    return "in-place operators: save ep.run_decompositions({}) instead";
  return "rewrite it with supported operators (panpipe-translate --list-ops), "
         "or save ep.run_decompositions(), which breaks many operators into "
         "simpler ones";
}
