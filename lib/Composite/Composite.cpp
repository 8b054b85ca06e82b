//===- Composite.cpp - High-level operations as tagged functions ----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Composite/Composite.h"

#include "Bodies.h"

using namespace mlir;
using namespace panpipe;

static const CompositeInfo table[] = {
    {"conv2d", "input, weight [, bias]", "stride, padding, dilation, groups",
     buildConv2d},
    {"conv3d", "input, weight [, bias]", "stride, padding, dilation, groups",
     buildConv3d},
    {"conv_transpose2d", "input, weight [, bias]",
     "stride, padding, output_padding, dilation, groups", buildConvTranspose2d},
    {"linear", "input, weight [, bias]", "", buildLinear},
    {"matmul", "a, b", "", buildMatmul},
    {"max_pool2d", "input", "kernel, stride, padding, dilation",
     buildMaxPool2d},
    {"avg_pool2d", "input", "kernel, stride, padding, count_include_pad",
     buildAvgPool2d},
    {"adaptive_avg_pool2d", "input", "output_size", buildAdaptiveAvgPool2d},
    {"batch_norm", "input, mean, var [, weight, bias]", "eps", buildBatchNorm},
    {"layer_norm", "input [, weight [, bias]]", "axes, eps", buildLayerNorm},
    {"rms_norm", "input [, weight]", "axes, eps", buildRmsNorm},
    {"group_norm", "input [, weight, bias]", "groups, eps", buildGroupNorm},
    {"softmax", "input", "axis", buildSoftmax},
    {"log_softmax", "input", "axis", buildLogSoftmax},
    {"sdpa", "query, key, value [, mask]", "scale, causal", buildSdpa},
    {"gelu", "input", "approximate", buildGelu},
    {"embedding", "weight, indices", "", buildEmbedding},
};

ArrayRef<CompositeInfo> panpipe::composites() { return table; }

const CompositeInfo *panpipe::findComposite(StringRef name) {
  for (const CompositeInfo &info : table)
    if (info.name == name)
      return &info;
  return nullptr;
}

ArrayRef<int64_t> panpipe::paramInts(DictionaryAttr params, StringRef name) {
  return params.getAs<DenseI64ArrayAttr>(name).asArrayRef();
}

int64_t panpipe::paramInt(DictionaryAttr params, StringRef name) {
  return params.getAs<IntegerAttr>(name).getInt();
}

double panpipe::paramFloat(DictionaryAttr params, StringRef name) {
  return params.getAs<FloatAttr>(name).getValueAsDouble();
}

bool panpipe::paramBool(DictionaryAttr params, StringRef name) {
  return params.getAs<BoolAttr>(name).getValue();
}

Value CompositeCache::call(TensorBuilder &b, StringRef name, ValueRange args,
                           DictionaryAttr params, RankedTensorType result) {
  const CompositeInfo *info = findComposite(name);
  assert(info && "unknown composite");
  MLIRContext *context = module.getContext();
  auto type = FunctionType::get(context, args.getTypes(), Type(result));
  auto key = ArrayAttr::get(
      context, {StringAttr::get(context, name), TypeAttr::get(type), params});
  func::FuncOp &function = known[key];
  if (!function)
    function = create(*info, type, params);
  return func::CallOp::create(b.b, b.loc, function, args).getResult(0);
}

func::FuncOp CompositeCache::create(const CompositeInfo &info,
                                    FunctionType type, DictionaryAttr params) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  std::string symbol = (info.name + "." + Twine(counters[info.name]++)).str();
  Location loc = NameLoc::get(b.getStringAttr(info.name));
  auto function = func::FuncOp::create(b, loc, symbol, type);
  function.setPrivate();
  function->setAttr(kCompositeAttr, b.getStringAttr(info.name));
  function->setAttr(kCompositeParamsAttr, params);
  b.setInsertionPointToStart(function.addEntryBlock());
  TensorBuilder body(b, loc);
  Value result = info.body(body, function.getArguments(), params,
                           cast<RankedTensorType>(type.getResult(0)));
  func::ReturnOp::create(b, loc, result);
  return function;
}
