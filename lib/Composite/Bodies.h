//===- Bodies.h - Reference bodies of the composites ------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_COMPOSITE_BODIES_H
#define PANPIPE_LIB_COMPOSITE_BODIES_H

#include "panpipe/Composite/Composite.h"

namespace panpipe {

#define PANPIPE_BODY(name)                                                     \
  mlir::Value name(TensorBuilder &b, mlir::ValueRange args,                    \
                   mlir::DictionaryAttr params, mlir::RankedTensorType result)
PANPIPE_BODY(buildConv2d);
PANPIPE_BODY(buildConv3d);
PANPIPE_BODY(buildConvTranspose2d);
PANPIPE_BODY(buildLinear);
PANPIPE_BODY(buildMatmul);
PANPIPE_BODY(buildMaxPool2d);
PANPIPE_BODY(buildAvgPool2d);
PANPIPE_BODY(buildAdaptiveAvgPool2d);
PANPIPE_BODY(buildBatchNorm);
PANPIPE_BODY(buildLayerNorm);
PANPIPE_BODY(buildRmsNorm);
PANPIPE_BODY(buildGroupNorm);
PANPIPE_BODY(buildSoftmax);
PANPIPE_BODY(buildLogSoftmax);
PANPIPE_BODY(buildSdpa);
PANPIPE_BODY(buildGelu);
PANPIPE_BODY(buildEmbedding);
#undef PANPIPE_BODY

} // namespace panpipe

#endif // PANPIPE_LIB_COMPOSITE_BODIES_H
