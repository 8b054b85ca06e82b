//===- KernelCalls.cpp - Kernels as symbols of a module -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCalls.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::lower;

StringRef lower::kernelName(rt::KernelKind kind) {
  switch (kind) {
  case rt::KernelKind::Conv2d:
    return "conv2d";
  case rt::KernelKind::ConvTranspose2d:
    return "conv_transpose2d";
  case rt::KernelKind::MatMul:
    return "matmul";
  case rt::KernelKind::Pool2d:
    return "pool2d";
  default:
    return "";
  }
}

namespace {

/// Writes the fields that differ from their default into a dictionary.
class FieldWriter {
public:
  explicit FieldWriter(MLIRContext *context) : b(context) {}
  SmallVector<NamedAttribute> fields;

  void operator()(StringRef name, const int64_t &value, int64_t normal) {
    if (value != normal)
      fields.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(value)));
  }
  void operator()(StringRef name, const bool &value) {
    if (value)
      fields.push_back(b.getNamedAttr(name, b.getUnitAttr()));
  }
  void operator()(StringRef name, const double &value) {
    if (value != 0)
      fields.push_back(b.getNamedAttr(name, b.getF64FloatAttr(value)));
  }

private:
  Builder b;
};

class FieldReader {
public:
  explicit FieldReader(DictionaryAttr dictionary) : dictionary(dictionary) {}

  void operator()(StringRef name, int64_t &value, int64_t normal) {
    auto attr = dictionary.getAs<IntegerAttr>(name);
    value = attr ? attr.getInt() : normal;
  }
  void operator()(StringRef name, bool &value) {
    value = dictionary.contains(name);
  }
  void operator()(StringRef name, double &value) {
    auto attr = dictionary.getAs<FloatAttr>(name);
    value = attr ? attr.getValueAsDouble() : 0;
  }

private:
  DictionaryAttr dictionary;
};

} // namespace

template <typename V> static void visit(V &v, rt::WindowAttrs &w) {
  v("n", w.n, 1), v("ic", w.ic, 1), v("ih", w.ih, 1), v("iw", w.iw, 1);
  v("oc", w.oc, 1), v("oh", w.oh, 1), v("ow", w.ow, 1);
  v("kh", w.kh, 1), v("kw", w.kw, 1), v("sh", w.sh, 1), v("sw", w.sw, 1);
  v("dh", w.dh, 1), v("dw", w.dw, 1), v("groups", w.groups, 1);
  v("pad_top", w.padTop, 0), v("pad_left", w.padLeft, 0);
  v("pad_bottom", w.padBottom, 0), v("pad_right", w.padRight, 0);
  v("block", w.block, 16);
  bool src = w.src == rt::Layout::Blocked, dst = w.dst == rt::Layout::Blocked;
  v("blocked_src", src), v("blocked_dst", dst);
  w.src = src ? rt::Layout::Blocked : rt::Layout::Plain;
  w.dst = dst ? rt::Layout::Blocked : rt::Layout::Plain;
  v("bias", w.bias), v("average", w.average), v("count_pad", w.countPad);
  bool leaky = w.activation == rt::Activation::LeakyRelu;
  v("leaky_relu", leaky), v("alpha", w.alpha);
  w.activation = leaky ? rt::Activation::LeakyRelu : rt::Activation::None;
}

template <typename V> static void visit(V &v, rt::MatMulAttrs &m) {
  v("batch", m.batch, 1), v("m", m.m, 1), v("n", m.n, 1), v("k", m.k, 1);
  v("rhs_batched", m.rhsBatched), v("transposed", m.transposed);
  v("bias", m.bias);
}

template <typename T>
static DictionaryAttr writeFields(MLIRContext *context, const T &fields) {
  FieldWriter writer(context);
  T copy = fields;
  visit(writer, copy);
  return DictionaryAttr::get(context, writer.fields);
}

DictionaryAttr lower::toAttr(MLIRContext *context,
                             const rt::WindowAttrs &window) {
  return writeFields(context, window);
}

DictionaryAttr lower::toAttr(MLIRContext *context,
                             const rt::MatMulAttrs &matmul) {
  return writeFields(context, matmul);
}

FailureOr<LibraryKernel> lower::readLibraryKernel(func::FuncOp function) {
  auto name = function->getAttrOfType<StringAttr>(kKernelAttr);
  if (!name)
    return failure();
  LibraryKernel kernel;
  for (auto kind : {rt::KernelKind::Conv2d, rt::KernelKind::ConvTranspose2d,
                    rt::KernelKind::MatMul, rt::KernelKind::Pool2d})
    if (name.getValue() == kernelName(kind))
      kernel.kind = kind;
  if (kernel.kind == rt::KernelKind::Compiled)
    return failure();
  StringRef attrName =
      kernel.kind == rt::KernelKind::MatMul ? kMatMulAttr : kWindowAttr;
  auto fields = function->getAttrOfType<DictionaryAttr>(attrName);
  if (!fields)
    return failure();
  FieldReader reader(fields);
  if (kernel.kind == rt::KernelKind::MatMul)
    visit(reader, kernel.matmul);
  else
    visit(reader, kernel.window);
  return kernel;
}

KernelTable::KernelTable(ModuleOp module) : module(module), symbols(module) {}

func::CallOp KernelTable::call(OpBuilder &b, Location loc,
                               const LibraryKernel &kernel, ValueRange operands,
                               Type result) {
  MLIRContext *context = module.getContext();
  StringRef name = kernelName(kernel.kind);
  bool isMatMul = kernel.kind == rt::KernelKind::MatMul;
  DictionaryAttr fields = isMatMul ? toAttr(context, kernel.matmul)
                                   : toAttr(context, kernel.window);
  auto type = FunctionType::get(context, operands.getTypes(), result);
  Attribute key =
      b.getArrayAttr({b.getStringAttr(name), TypeAttr::get(type), fields});
  func::FuncOp &function = known[key];
  if (!function) {
    OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
    function = func::FuncOp::create(
        atEnd, UnknownLoc::get(context),
        ("kernel." + name + "." + Twine(counters[name]++)).str(), type);
    function.setPrivate();
    function->setAttr(kKernelAttr, b.getStringAttr(name));
    function->setAttr(isMatMul ? kMatMulAttr : kWindowAttr, fields);
    symbols.insert(function);
  }
  return func::CallOp::create(b, loc, function, operands);
}

func::FuncOp KernelTable::function(func::CallOp call) const {
  return symbols.lookup<func::FuncOp>(call.getCallee());
}

FailureOr<LibraryKernel> KernelTable::lookup(Operation *op) const {
  auto call = dyn_cast_or_null<func::CallOp>(op);
  func::FuncOp callee = call ? function(call) : func::FuncOp();
  return callee ? readLibraryKernel(callee) : FailureOr<LibraryKernel>();
}

std::string lower::modulePath(Location loc) {
  if (auto named = dyn_cast<NameLoc>(loc))
    return named.getName().str();
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return modulePath(call.getCaller());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations()) {
      std::string path = modulePath(part);
      if (!path.empty())
        return path;
    }
  return "";
}
