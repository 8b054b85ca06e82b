//===- SelectKernels.cpp - Library kernels for composites -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A composite whose kernel the runtime has becomes a call of that kernel: from
/// here on the kernel's contract stands for the composite's body. All other
/// composites are replaced by their bodies.
///
//===----------------------------------------------------------------------===//

#include "KernelCalls.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::lower;

static ArrayRef<int64_t> shapeOf(Value v) {
  return cast<RankedTensorType>(v.getType()).getShape();
}

static bool allF32(func::CallOp call) {
  return llvm::all_of(
      llvm::concat<const Type>(call.getOperandTypes(), call.getResultTypes()),
      [](Type type) {
        auto tensor = dyn_cast<RankedTensorType>(type);
        return tensor && tensor.hasStaticShape() &&
               tensor.getElementType().isF32() && tensor.getNumElements() > 0;
      });
}

static std::pair<int64_t, int64_t> pairOf(DictionaryAttr attrs, StringRef name,
                                          int64_t normal) {
  auto values = attrs.getAs<DenseI64ArrayAttr>(name);
  if (!values || values.size() != 2)
    return {normal, normal};
  return {values[0], values[1]};
}

/// Geometry that convolutions and poolings share. The padding below and on the
/// right follows from the result's extent: what the windows reach.
static rt::WindowAttrs windowOf(func::CallOp call, DictionaryAttr attrs) {
  rt::WindowAttrs w;
  ArrayRef<int64_t> in = shapeOf(call.getOperand(0));
  ArrayRef<int64_t> out = shapeOf(call.getResult(0));
  w.n = in[0], w.ic = in[1], w.ih = in[2], w.iw = in[3];
  w.oc = out[1], w.oh = out[2], w.ow = out[3];
  std::tie(w.sh, w.sw) = pairOf(attrs, "stride", 1);
  std::tie(w.dh, w.dw) = pairOf(attrs, "dilation", 1);
  std::tie(w.padTop, w.padLeft) = pairOf(attrs, "padding", 0);
  if (auto groups = attrs.getAs<IntegerAttr>("groups"))
    w.groups = groups.getInt();
  return w;
}

static bool fitConvolution(func::CallOp call, DictionaryAttr attrs,
                           LibraryKernel &kernel) {
  rt::WindowAttrs &w = kernel.window;
  ArrayRef<int64_t> weight = shapeOf(call.getOperand(1));
  if (shapeOf(call.getOperand(0)).size() != 4 || weight.size() != 4)
    return false;
  w = windowOf(call, attrs);
  w.kh = weight[2], w.kw = weight[3];
  w.bias = call.getNumOperands() > 2;
  if (kernel.kind == rt::KernelKind::ConvTranspose2d) {
    // (in − 1)·stride − top − bottom + dilation·(k − 1) + 1 = out
    w.padBottom = (w.ih - 1) * w.sh + w.dh * (w.kh - 1) + 1 - w.padTop - w.oh;
    w.padRight = (w.iw - 1) * w.sw + w.dw * (w.kw - 1) + 1 - w.padLeft - w.ow;
    return w.padBottom >= 0 && w.padRight >= 0;
  }
  // Rows that no window reaches need no negative padding.
  w.padBottom = std::max<int64_t>(0, (w.oh - 1) * w.sh + w.dh * (w.kh - 1) + 1 -
                                         w.padTop - w.ih);
  w.padRight = std::max<int64_t>(0, (w.ow - 1) * w.sw + w.dw * (w.kw - 1) + 1 -
                                        w.padLeft - w.iw);
  return true;
}

static bool fitPooling(func::CallOp call, DictionaryAttr attrs,
                       LibraryKernel &kernel) {
  rt::WindowAttrs &w = kernel.window;
  if (shapeOf(call.getOperand(0)).size() != 4)
    return false;
  w = windowOf(call, attrs);
  std::tie(w.kh, w.kw) = pairOf(attrs, "kernel", 1);
  if (auto stride = attrs.getAs<DenseI64ArrayAttr>("stride"); !stride)
    w.sh = w.kh, w.sw = w.kw;
  w.padBottom = w.padTop, w.padRight = w.padLeft;
  if (auto countPad = attrs.getAs<BoolAttr>("count_include_pad"))
    w.countPad = countPad.getValue();
  if (auto divisor = attrs.getAs<IntegerAttr>("divisor"))
    return divisor.getInt() == 0;
  return true;
}

static bool fitMatMul(func::CallOp call, bool linear, LibraryKernel &kernel) {
  rt::MatMulAttrs &m = kernel.matmul;
  ArrayRef<int64_t> lhs = shapeOf(call.getOperand(0));
  ArrayRef<int64_t> rhs = shapeOf(call.getOperand(1));
  if (lhs.size() < (linear ? 1 : 2) || rhs.size() < 2)
    return false;
  m.k = lhs.back();
  m.m = lhs.size() > 1 ? lhs[lhs.size() - 2] : 1;
  for (int64_t size : lhs.drop_back(std::min<size_t>(2, lhs.size())))
    m.batch *= size;
  m.transposed = linear;
  m.n = linear ? rhs[0] : rhs.back();
  m.rhsBatched = rhs.size() > 2;
  m.bias = call.getNumOperands() > 2;
  // Batches that broadcast have no kernel.
  return !m.rhsBatched || rhs.drop_back(2) == lhs.drop_back(2);
}

/// The kernel of a composite call, if there is one for it.
static FailureOr<LibraryKernel> kernelOf(func::CallOp call,
                                         func::FuncOp callee) {
  auto name = callee->getAttrOfType<StringAttr>("panpipe.composite");
  auto attrs = callee->getAttrOfType<DictionaryAttr>("panpipe.attrs");
  if (!name || call.getNumResults() != 1 || !allF32(call))
    return failure();
  if (!attrs)
    attrs = DictionaryAttr::get(call.getContext());
  LibraryKernel kernel;
  bool fits = false;
  if (name == "conv2d" || name == "conv_transpose2d") {
    kernel.kind = name == "conv2d" ? rt::KernelKind::Conv2d
                                   : rt::KernelKind::ConvTranspose2d;
    fits = fitConvolution(call, attrs, kernel);
  } else if (name == "max_pool2d" || name == "avg_pool2d") {
    kernel.kind = rt::KernelKind::Pool2d;
    kernel.window.average = name == "avg_pool2d";
    fits = fitPooling(call, attrs, kernel);
    kernel.window.average = name == "avg_pool2d";
  } else if (name == "linear" || name == "matmul") {
    kernel.kind = rt::KernelKind::MatMul;
    fits = fitMatMul(call, name == "linear", kernel);
  }
  if (!fits)
    return failure();
  return kernel;
}

/// Replaces the call by a copy of the callee's operations, at the call's
/// location.
static LogicalResult inlineBody(func::CallOp call, func::FuncOp callee) {
  if (callee.isExternal() || !callee.getBody().hasOneBlock())
    return call.emitOpError("calls @")
           << callee.getName() << ", which has no body to inline and no kernel";
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  OpBuilder b(call);
  for (Operation &op : callee.front().without_terminator())
    b.clone(op, mapping)->walk([&](Operation *copy) {
      copy->setLoc(call.getLoc());
    });
  for (auto [result, value] : llvm::zip(
           call.getResults(), callee.front().getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
  return success();
}

LogicalResult lower::selectKernels(Operation *stage, KernelTable &table) {
  SmallVector<func::CallOp> calls;
  auto collect = [&] {
    calls.clear();
    stage->walk([&](func::CallOp call) {
      func::FuncOp callee = table.function(call);
      if (callee && !callee->hasAttr(kKernelAttr))
        calls.push_back(call);
    });
    return !calls.empty();
  };
  // A body may call further composites; a chain longer than this is a cycle.
  for (unsigned depth = 0; collect(); ++depth) {
    if (depth == 64)
      return calls.front().emitOpError("belongs to a recursion");
    for (func::CallOp call : calls) {
      func::FuncOp callee = table.function(call);
      FailureOr<LibraryKernel> kernel = kernelOf(call, callee);
      if (failed(kernel)) {
        if (failed(inlineBody(call, callee)))
          return failure();
        continue;
      }
      OpBuilder b(call);
      func::CallOp replacement =
          table.call(b, call.getLoc(), *kernel, call.getOperands(),
                     call.getResult(0).getType());
      call.replaceAllUsesWith(replacement.getResults());
      call.erase();
    }
  }
  return success();
}
