//===- ConcreteValue.cpp - Values of concrete execution -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Interp/ConcreteValue.h"

#include "panpipe/TV/Interp/Memory.h"
#include "panpipe/TV/Interp/ScalarMapping.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace panpipe::tv;

static int64_t product(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

ConcreteValue::ConcreteValue(ScalarType type, ArrayRef<int64_t> shape,
                             bool isScalar)
    : elementType(type), extents(shape.begin(), shape.end()),
      count(product(shape)), scalarFlag(isScalar) {
  if (isCompact())
    words.assign(count, 0);
  else
    wide.assign(count, llvm::APInt(type.width(), 0));
}

ConcreteValue ConcreteValue::scalar(ScalarType type,
                                    const ConcreteElement &element) {
  ConcreteValue value(type, {}, /*isScalar=*/true);
  value.set(0, element);
  return value;
}

ConcreteValue ConcreteValue::memref(ScalarType type, ArrayRef<int64_t> shape,
                                    MemoryView view) {
  ConcreteValue value(type, {});
  value.extents.assign(shape.begin(), shape.end());
  value.count = product(shape);
  value.words.clear();
  value.wide.clear();
  value.memory = std::make_shared<const MemoryView>(std::move(view));
  return value;
}

int64_t ConcreteValue::byteOf(int64_t i) const {
  int64_t position = memory->offset;
  for (int64_t d = rank() - 1; d >= 0; --d) {
    position += i % extents[d] * memory->strides[d];
    i /= extents[d];
  }
  return memory->origin + position * int64_t(bytesOf(elementType));
}

ConcreteElement ConcreteValue::fromMemory(int64_t i) const {
  int64_t at = byteOf(i);
  if (!memory->block->isAlive || at < 0 ||
      at + bytesOf(elementType) > memory->block->size())
    return {llvm::APInt(elementType.width(), 0), EM_poison};
  return memory->block->load(at, elementType);
}

ConcreteElement ConcreteValue::get(int64_t i) const {
  if (memory)
    return fromMemory(i);
  if (isCompact())
    return {llvm::APInt(elementType.width(), words[i]), marks(i)};
  return {wide[i], marks(i)};
}

void ConcreteValue::set(int64_t i, const ConcreteElement &element) {
  if (isCompact())
    words[i] = element.bits.getZExtValue();
  else
    wide[i] = element.bits;
  if (element.marks || !flags.empty())
    setMarks(i, element.marks);
}

void ConcreteValue::setMarks(int64_t i, uint8_t elementMarks) {
  if (flags.empty()) {
    if (!elementMarks)
      return;
    flags.assign(count, EM_none);
  }
  flags[i] = elementMarks;
}

void ConcreteValue::dropEmptyMarks() {
  if (llvm::all_of(flags, [](uint8_t marks) { return marks == EM_none; }))
    flags.clear();
}

void ConcreteValue::copy(int64_t i, const ConcreteValue &other, int64_t from) {
  if (other.memory)
    return set(i, other.get(from));
  if (isCompact())
    words[i] = other.words[from];
  else
    wide[i] = other.wide[from];
  setMarks(i, other.marks(from));
}

ConcreteValue ConcreteValue::reshaped(ArrayRef<int64_t> shape) const {
  ConcreteValue result = *this;
  result.extents.assign(shape.begin(), shape.end());
  result.scalarFlag = false;
  return result;
}

SmallVector<int64_t> ConcreteValue::stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t d = int64_t(shape.size()) - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * shape[d + 1];
  return strides;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The elements of a resource whose data is present, little endian.
static std::optional<ConcreteValue> fromResource(DenseResourceElementsAttr attr,
                                                 ScalarType type,
                                                 ConcreteValue value) {
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  unsigned bytes = (type.width() + 7) / 8;
  if (!blob || type.width() > 64 ||
      blob->getData().size() != size_t(value.size()) * bytes)
    return std::nullopt;
  for (int64_t i = 0; i < value.size(); ++i) {
    uint64_t word = 0;
    for (unsigned b = 0; b < bytes; ++b)
      word |= uint64_t(uint8_t(blob->getData()[i * bytes + b])) << (8 * b);
    value.setWord(i, word);
  }
  return value;
}

std::optional<ConcreteValue> ConcreteValue::fromAttribute(Attribute attr,
                                                          unsigned indexWidth) {
  auto typed = dyn_cast<TypedAttr>(attr);
  if (!typed)
    return std::nullopt;
  auto shaped = dyn_cast<ShapedType>(typed.getType());
  std::optional<ScalarType> type = mapScalarType(
      shaped ? shaped.getElementType() : typed.getType(), indexWidth);
  if (!type || (shaped && !shaped.hasStaticShape()))
    return std::nullopt;
  if (!shaped) {
    std::optional<ScalarValue> bits = mapScalarAttr(attr, *type);
    if (!bits)
      return std::nullopt;
    return scalar(*type, ConcreteElement{bits->bits});
  }
  ConcreteValue value(*type, shaped.getShape());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return fromResource(resource, *type, std::move(value));
  auto elements = dyn_cast<ElementsAttr>(attr);
  if (!elements)
    return std::nullopt;
  if (type->isFloat()) {
    auto range = elements.tryGetValues<APFloat>();
    if (!range)
      return std::nullopt;
    for (auto [i, element] : llvm::enumerate(*range))
      value.set(i, {element.bitcastToAPInt()});
    return value;
  }
  auto range = elements.tryGetValues<APInt>();
  if (!range)
    return std::nullopt;
  for (auto [i, element] : llvm::enumerate(*range))
    value.set(i, {element.sextOrTrunc(type->width())});
  return value;
}

/// `bits` as an attribute of the scalar MLIR type.
static Attribute scalarAttribute(Type type, const llvm::APInt &bits) {
  if (auto real = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat(real.getFloatSemantics(), bits));
  if (type.isIndex())
    return IntegerAttr::get(type, bits.sextOrTrunc(64));
  return IntegerAttr::get(type, bits);
}

Attribute ConcreteValue::toAttribute(Type type) const {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return scalarAttribute(type, get(0).bits);
  SmallVector<Attribute> elements;
  elements.reserve(count);
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(scalarAttribute(shaped.getElementType(), get(i).bits));
  ShapedType dense =
      isa<MemRefType>(type)
          ? RankedTensorType::get(extents, shaped.getElementType())
          : shaped.clone(extents);
  return DenseElementsAttr::get(dense, elements);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string elementText(ScalarType type,
                               const ConcreteElement &element) {
  std::string text =
      toString(type, ScalarValue{element.bits, element.isPoison()});
  return element.isOpen() && !element.isPoison() ? "?" + text : text;
}

/// Prints the sub-tensor of dimension `dim` from linear position `base`.
static void printNested(const ConcreteValue &value, ArrayRef<int64_t> strides,
                        unsigned dim, int64_t base, int64_t &left,
                        std::string &text) {
  if (dim == value.shape().size()) {
    text += elementText(value.type(), value.get(base));
    --left;
    return;
  }
  text += "[";
  for (int64_t i = 0; i < value.shape()[dim]; ++i) {
    if (i)
      text += ", ";
    if (left <= 0) {
      text += "…";
      break;
    }
    printNested(value, strides, dim + 1, base + i * strides[dim], left, text);
  }
  text += "]";
}

/// True if all elements are the same bits with the same marks.
static bool isSplat(const ConcreteValue &value) {
  for (int64_t i = 1; i < value.size(); ++i)
    if (value.marks(i) != value.marks(0) ||
        value.get(i).bits != value.get(0).bits)
      return false;
  return value.size() > 1;
}

std::string ConcreteValue::str(int64_t limit) const {
  if (scalarFlag)
    return elementText(elementType, get(0));
  if (count > 4 && isSplat(*this))
    return "all " + elementText(elementType, get(0));
  std::string text;
  printNested(*this, stridesOf(extents), 0, 0, limit, text);
  return text;
}
