//===- DnnlConvKernel.cpp - Convolutions by oneDNN ------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One primitive per call, made at load for a batch of one and executed sample
/// by sample: so a sample's bits do not depend on the batch that it came in.
/// Where the library has no good kernel for the layouts of the call, it chooses
/// its own and this file converts around it. The only file that includes oneDNN
/// (its C API: the C++ one throws).
///
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <cstring>
#include <oneapi/dnnl/dnnl.h>

using namespace panpipe::rt;

namespace {

/// oneDNN handles, destroyed with the kernel.
template <typename T, dnnl_status_t (*Destroy)(T)> class Handle {
public:
  Handle() = default;
  Handle(const Handle &) = delete;
  ~Handle() { reset(); }
  void reset() {
    if (value)
      Destroy(value);
    value = nullptr;
  }
  T *out() {
    reset();
    return &value;
  }
  T get() const { return value; }

private:
  T value = nullptr;
};

using Engine = Handle<dnnl_engine_t, dnnl_engine_destroy>;
using Stream = Handle<dnnl_stream_t, dnnl_stream_destroy>;
using Memory = Handle<dnnl_memory_t, dnnl_memory_destroy>;
using Primitive = Handle<dnnl_primitive_t, dnnl_primitive_destroy>;
using PrimitiveDesc =
    Handle<dnnl_primitive_desc_t, dnnl_primitive_desc_destroy>;
using Attributes = Handle<dnnl_primitive_attr_t, dnnl_primitive_attr_destroy>;
using PostOps = Handle<dnnl_post_ops_t, dnnl_post_ops_destroy>;

/// A change of layout, or nothing when both sides agree.
struct Reorder {
  Primitive primitive;
  bool needed = false;
};

class DnnlConvKernel : public Kernel {
public:
  DnnlConvKernel(const WindowAttrs &w, bool transposed)
      : w(w), transposed(transposed) {}

  Status prepare();
  Status packWeights(const void *values);
  Status run(void *const *operands) override;
  size_t bytes() const override {
    return packed.size() + scratch.size() + srcCopy.size() + dstCopy.size();
  }
  bool constantWeights = false;

private:
  WindowAttrs w;
  bool transposed;
  // Destroyed from the last to the first: engine and stream outlive the rest.
  Engine engine;
  Stream stream;
  PrimitiveDesc desc;
  Primitive primitive;
  dnnl_memory_desc_t userSrc, userWeights, userDst, biasDesc;
  dnnl_memory_desc_t libSrc, libWeights, libDst;
  Memory srcIn, srcOut, dstIn, dstOut, weightsIn, weightsOut, bias,
      scratchMemory;
  Reorder srcReorder, dstReorder, weightsReorder;
  AlignedBytes packed, scratch, srcCopy, dstCopy;

  Status makeDescs(bool libraryChooses);
  bool isPoor() const;
  Status makeReorder(Reorder &reorder, const dnnl_memory_desc_t &from,
                     const dnnl_memory_desc_t &to, Memory &in, Memory &out);
  Status execute(dnnl_primitive_t what, dnnl_memory_t from, dnnl_memory_t to);
};

} // namespace

static Status check(dnnl_status_t status, const char *what) {
  if (status == dnnl_success)
    return Status::success();
  return Status::error(std::string("oneDNN failed in ") + what + " (status " +
                       std::to_string(status) + ")");
}

#define PANPIPE_DNNL(call)                                                     \
  do {                                                                         \
    Status panpipeStatus = check(call, #call);                                 \
    if (!panpipeStatus.ok())                                                   \
      return panpipeStatus;                                                    \
  } while (false)

static dnnl_format_tag_t tagOf(Layout layout, int64_t block) {
  if (layout == Layout::Plain)
    return dnnl_nchw;
  return block == 16 ? dnnl_nChw16c : dnnl_nChw8c;
}

/// Describes the operands and asks for a primitive with the call's layouts, or
/// with layouts of the library's choice.
Status DnnlConvKernel::makeDescs(bool libraryChooses) {
  dnnl_dims_t srcDims = {1, w.ic, w.ih, w.iw}, dstDims = {1, w.oc, w.oh, w.ow};
  dnnl_dims_t biasDims = {w.oc};
  PANPIPE_DNNL(dnnl_memory_desc_init_by_tag(&userSrc, 4, srcDims, dnnl_f32,
                                            tagOf(w.src, w.block)));
  PANPIPE_DNNL(dnnl_memory_desc_init_by_tag(&userDst, 4, dstDims, dnnl_f32,
                                            tagOf(w.dst, w.block)));
  PANPIPE_DNNL(
      dnnl_memory_desc_init_by_tag(&biasDesc, 1, biasDims, dnnl_f32, dnnl_x));

  // The model's weights are [oc][ic/g]… for a convolution, [ic][oc/g]… for a
  // transposed one; oneDNN's logical order is always output before input.
  int64_t og = w.oc / w.groups, ig = w.ic / w.groups;
  dnnl_dims_t dims = {w.groups, og, ig, w.kh, w.kw};
  int64_t k = w.kh * w.kw;
  dnnl_dims_t strides = {og * ig * k, ig * k, k, w.kw, 1};
  if (transposed) {
    strides[1] = k;
    strides[2] = og * k;
  }
  int skip = w.groups == 1 ? 1 : 0;
  PANPIPE_DNNL(dnnl_memory_desc_init_by_strides(
      &userWeights, 5 - skip, dims + skip, dnnl_f32, strides + skip));
  dnnl_memory_desc_t anyWeights, src = userSrc, dst = userDst;
  PANPIPE_DNNL(dnnl_memory_desc_init_by_tag(&anyWeights, 5 - skip, dims + skip,
                                            dnnl_f32, dnnl_format_tag_any));
  if (libraryChooses) {
    PANPIPE_DNNL(dnnl_memory_desc_init_by_tag(&src, 4, srcDims, dnnl_f32,
                                              dnnl_format_tag_any));
    PANPIPE_DNNL(dnnl_memory_desc_init_by_tag(&dst, 4, dstDims, dnnl_f32,
                                              dnnl_format_tag_any));
  }

  Attributes attributes;
  PostOps postOps;
  PANPIPE_DNNL(dnnl_primitive_attr_create(attributes.out()));
  PANPIPE_DNNL(dnnl_primitive_attr_set_scratchpad_mode(
      attributes.get(), dnnl_scratchpad_mode_user));
  PANPIPE_DNNL(dnnl_post_ops_create(postOps.out()));
  if (w.activation == Activation::LeakyRelu)
    PANPIPE_DNNL(dnnl_post_ops_append_eltwise(postOps.get(), 1.0f,
                                              dnnl_eltwise_relu,
                                              static_cast<float>(w.alpha), 0));
  PANPIPE_DNNL(
      dnnl_primitive_attr_set_post_ops(attributes.get(), postOps.get()));

  dnnl_dims_t stride = {w.sh, w.sw}, dilation = {w.dh - 1, w.dw - 1};
  dnnl_dims_t padL = {w.padTop, w.padLeft}, padR = {w.padBottom, w.padRight};
  const dnnl_memory_desc_t *biasPointer = w.bias ? &biasDesc : nullptr;
  union {
    dnnl_convolution_desc_t convolution;
    dnnl_deconvolution_desc_t deconvolution;
  } op;
  if (transposed)
    PANPIPE_DNNL(dnnl_dilated_deconvolution_forward_desc_init(
        &op.deconvolution, dnnl_forward_inference, dnnl_deconvolution_direct,
        &src, &anyWeights, biasPointer, &dst, stride, dilation, padL, padR));
  else
    PANPIPE_DNNL(dnnl_dilated_convolution_forward_desc_init(
        &op.convolution, dnnl_forward_inference, dnnl_convolution_direct, &src,
        &anyWeights, biasPointer, &dst, stride, dilation, padL, padR));
  PANPIPE_DNNL(dnnl_primitive_desc_create(desc.out(), &op, attributes.get(),
                                          engine.get(), nullptr));
  return Status::success();
}

/// A kernel that is hundreds of times slower than another layout's.
bool DnnlConvKernel::isPoor() const {
  const char *info = nullptr;
  dnnl_primitive_desc_query(desc.get(), dnnl_query_impl_info_str, 0, &info);
  return info && (std::strstr(info, "ref") || std::strstr(info, "gemm"));
}

Status DnnlConvKernel::makeReorder(Reorder &reorder,
                                   const dnnl_memory_desc_t &from,
                                   const dnnl_memory_desc_t &to, Memory &in,
                                   Memory &out) {
  PANPIPE_DNNL(dnnl_memory_create(in.out(), &from, engine.get(), nullptr));
  PANPIPE_DNNL(dnnl_memory_create(out.out(), &to, engine.get(), nullptr));
  reorder.needed = !dnnl_memory_desc_equal(&from, &to);
  if (!reorder.needed)
    return Status::success();
  PrimitiveDesc change;
  PANPIPE_DNNL(dnnl_reorder_primitive_desc_create(
      change.out(), &from, engine.get(), &to, engine.get(), nullptr));
  PANPIPE_DNNL(dnnl_primitive_create(reorder.primitive.out(), change.get()));
  return Status::success();
}

Status DnnlConvKernel::prepare() {
  PANPIPE_DNNL(dnnl_engine_create(engine.out(), dnnl_cpu, 0));
  PANPIPE_DNNL(dnnl_stream_create(stream.out(), engine.get(),
                                  dnnl_stream_default_flags));
  Status status = makeDescs(/*libraryChooses=*/false);
  if (!status.ok() || isPoor()) {
    status = makeDescs(/*libraryChooses=*/true);
    if (!status.ok())
      return status;
  }
  auto query = [&](dnnl_query_t what) {
    return *dnnl_primitive_desc_query_md(desc.get(), what, 0);
  };
  libSrc = query(dnnl_query_src_md);
  libWeights = query(dnnl_query_weights_md);
  libDst = query(dnnl_query_dst_md);
  PANPIPE_DNNL(dnnl_primitive_create(primitive.out(), desc.get()));

  status = makeReorder(srcReorder, userSrc, libSrc, srcIn, srcOut);
  if (status.ok())
    status = makeReorder(dstReorder, libDst, userDst, dstIn, dstOut);
  if (status.ok())
    status = makeReorder(weightsReorder, userWeights, libWeights, weightsIn,
                         weightsOut);
  if (!status.ok())
    return status;
  PANPIPE_DNNL(
      dnnl_memory_create(bias.out(), &biasDesc, engine.get(), nullptr));

  auto room = [](bool needed, const dnnl_memory_desc_t &md, Memory &memory,
                 AlignedBytes &bytes) {
    if (!needed)
      return;
    bytes = AlignedBytes(dnnl_memory_desc_get_size(&md));
    dnnl_memory_set_data_handle(memory.get(), bytes.data());
  };
  room(srcReorder.needed, libSrc, srcOut, srcCopy);
  room(dstReorder.needed, libDst, dstIn, dstCopy);
  room(true, libWeights, weightsOut, packed);
  dnnl_memory_desc_t scratchDesc = query(dnnl_query_scratchpad_md);
  PANPIPE_DNNL(dnnl_memory_create(scratchMemory.out(), &scratchDesc,
                                  engine.get(), nullptr));
  room(dnnl_memory_desc_get_size(&scratchDesc) != 0, scratchDesc, scratchMemory,
       scratch);
  return Status::success();
}

Status DnnlConvKernel::execute(dnnl_primitive_t what, dnnl_memory_t from,
                               dnnl_memory_t to) {
  dnnl_exec_arg_t arguments[2] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
  PANPIPE_DNNL(dnnl_primitive_execute(what, stream.get(), 2, arguments));
  return Status::success();
}

Status DnnlConvKernel::packWeights(const void *values) {
  if (!weightsReorder.needed) {
    std::memcpy(packed.data(), values, packed.size());
    return Status::success();
  }
  PANPIPE_DNNL(
      dnnl_memory_set_data_handle(weightsIn.get(), const_cast<void *>(values)));
  return execute(weightsReorder.primitive.get(), weightsIn.get(),
                 weightsOut.get());
}

Status DnnlConvKernel::run(void *const *operands) {
  Status status;
  if (!constantWeights)
    status = packWeights(operands[1]);
  if (!status.ok())
    return status;
  if (w.bias)
    dnnl_memory_set_data_handle(bias.get(), operands[2]);
  float *source = static_cast<float *>(operands[0]);
  float *target = static_cast<float *>(operands[w.bias ? 3 : 2]);
  for (int64_t sample = 0; sample != w.n; ++sample) {
    float *in = source + sample * w.ic * w.ih * w.iw;
    float *out = target + sample * w.oc * w.oh * w.ow;
    dnnl_memory_set_data_handle(srcIn.get(), in);
    dnnl_memory_set_data_handle(dstOut.get(), out);
    if (srcReorder.needed)
      status = execute(srcReorder.primitive.get(), srcIn.get(), srcOut.get());
    if (!status.ok())
      return status;
    dnnl_memory_t src = srcReorder.needed ? srcOut.get() : srcIn.get();
    dnnl_memory_t dst = dstReorder.needed ? dstIn.get() : dstOut.get();
    dnnl_exec_arg_t arguments[5] = {{DNNL_ARG_SRC, src},
                                    {DNNL_ARG_WEIGHTS, weightsOut.get()},
                                    {DNNL_ARG_DST, dst},
                                    {DNNL_ARG_SCRATCHPAD, scratchMemory.get()},
                                    {DNNL_ARG_BIAS, bias.get()}};
    PANPIPE_DNNL(dnnl_primitive_execute(primitive.get(), stream.get(),
                                        w.bias ? 5 : 4, arguments));
    if (dstReorder.needed)
      status = execute(dstReorder.primitive.get(), dstIn.get(), dstOut.get());
    if (!status.ok())
      return status;
  }
  return Status::success();
}

Result<std::unique_ptr<Kernel>>
panpipe::rt::createConvolution(const KernelCall &call,
                               const KernelContext &context) {
  const WindowAttrs &w = call.window;
  if (w.ic % w.groups || w.oc % w.groups)
    return Status::error("channels do not divide into the groups");
  auto kernel = std::make_unique<DnnlConvKernel>(
      w, call.kind == KernelKind::ConvTranspose2d);
  Status status = kernel->prepare();
  if (status.ok() && context.constants[1]) {
    status = kernel->packWeights(context.constants[1]);
    kernel->constantWeights = true;
  }
  if (!status.ok())
    return status;
  return std::unique_ptr<Kernel>(std::move(kernel));
}
