//===- Networks.h - Tensor operations for tests -----------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Layers written with the term builders, as an encoder would write them.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TEST_UNIT_TV_TERM_NETWORKS_H
#define PANPIPE_TEST_UNIT_TV_TERM_NETWORKS_H

#include "panpipe/TV/Term/Tensor.h"

#include "gtest/gtest.h"

namespace panpipe::tv::test {

struct Networks : ::testing::Test {
  TermContext terms;
  ScalarType f32 = ScalarType::floating(llvm::APFloatBase::S_IEEEsingle);
  ScalarType i32 = ScalarType::integer(32);

  IndexTerm c(int64_t v) { return terms.index().constant(v); }
  IndexList shape(std::initializer_list<int64_t> dims) {
    IndexList s;
    for (int64_t d : dims)
      s.push_back(c(d));
    return s;
  }
  SymTensor input(llvm::StringRef name, std::initializer_list<int64_t> dims) {
    return argumentTensor(terms, name, f32, shape(dims));
  }
  SymTensor inputOf(ScalarType type, llvm::StringRef name, IndexList dims) {
    return argumentTensor(terms, name, type, dims);
  }
  Element constant(double v) {
    return {terms.mkFloat(f32, v), terms.mkBool(false)};
  }
  Element intConstant(int64_t v) {
    return {terms.mkInt(i32, v), terms.mkBool(false)};
  }

  Element op(ScalarOp o, llvm::ArrayRef<Element> x) {
    llvm::SmallVector<const Term *, 3> values;
    const Term *poison = terms.mkBool(false);
    for (const Element &e : x) {
      values.push_back(e.value);
      poison = terms.mkOr(poison, e.poison);
    }
    return {terms.mkOp(o, x[0].value->type(), values), poison};
  }

  SymTensor map1(ScalarOp o, const SymTensor &x) {
    return mapTensor(terms, x.type, x.shape,
                     [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &g) {
                       return op(o, {readElement(terms, x, i, g)});
                     });
  }
  SymTensor map2(ScalarOp o, const SymTensor &x, const SymTensor &y) {
    return mapTensor(terms, x.type, x.shape,
                     [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &g) {
                       return op(o, {readElement(terms, x, i, g),
                                     readElement(terms, y, i, g)});
                     });
  }
  SymTensor relu(const SymTensor &x) {
    return mapTensor(terms, x.type, x.shape,
                     [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &g) {
                       return op(ScalarOp::MaximumF,
                                 {readElement(terms, x, i, g), constant(0)});
                     });
  }

  using BodyFn = llvm::function_ref<Element(llvm::ArrayRef<IndexTerm>,
                                            llvm::ArrayRef<IndexTerm>,
                                            const IndexContext &)>;
  /// out[i] = fold over k of body(i, k), from init[i].
  SymTensor reduce(ScalarOp o, llvm::ArrayRef<IndexTerm> out,
                   llvm::ArrayRef<IndexTerm> extents, const SymTensor &init,
                   BodyFn body, llvm::StringRef location = "sum") {
    return mapTensor(terms, init.type, out,
                     [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &g) {
                       FoldSpec spec;
                       spec.op = o;
                       spec.location = location.str();
                       for (IndexTerm e : extents) {
                         spec.vars.push_back(terms.index().freshVar());
                         spec.extents.push_back(e);
                       }
                       Element h = body(i, spec.vars, foldContext(g, spec));
                       return mkFold(terms, g, spec, h,
                                     readElement(terms, init, i, g));
                     });
  }
  SymTensor filled(ScalarType type, IndexList dims, Element e) {
    return splatTensor(terms, type, dims, e);
  }
  SymTensor zeros(IndexList dims) { return filled(f32, dims, constant(0)); }

  /// a: MxK, b: KxN.
  SymTensor matmul(const SymTensor &a, const SymTensor &b,
                   const SymTensor &init) {
    return reduce(
        ScalarOp::AddF, {a.shape[0], b.shape[1]}, {a.shape[1]}, init,
        [&](auto i, auto k, const IndexContext &g) {
          return op(ScalarOp::MulF, {readElement(terms, a, {i[0], k[0]}, g),
                                     readElement(terms, b, {k[0], i[1]}, g)});
        },
        "matmul");
  }
  SymTensor matmul(const SymTensor &a, const SymTensor &b) {
    return matmul(a, b, zeros({a.shape[0], b.shape[1]}));
  }
  /// x: NCHW, w: OIHW, no padding.
  SymTensor conv(const SymTensor &x, const SymTensor &w, int64_t stride = 1) {
    IndexContext g = terms.emptyContext();
    auto out = [&](unsigned d) {
      return terms.index().dimFor(
          g.floorDiv(x.shape[d] - w.shape[d], c(stride)) + 1);
    };
    IndexList dims{x.shape[0], w.shape[0], out(2), out(3)};
    return reduce(
        ScalarOp::AddF, dims, {w.shape[1], w.shape[2], w.shape[3]}, zeros(dims),
        [&](auto i, auto k, const IndexContext &g) {
          return op(
              ScalarOp::MulF,
              {readElement(
                   terms, x,
                   {i[0], k[0], i[2] * stride + k[1], i[3] * stride + k[2]}, g),
               readElement(terms, w, {i[1], k[0], k[1], k[2]}, g)});
        },
        "conv");
  }
  /// y[n,c,h,w] = x + b[c].
  SymTensor bias(const SymTensor &x, const SymTensor &b) {
    return mapTensor(terms, x.type, x.shape,
                     [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &g) {
                       return op(ScalarOp::AddF,
                                 {readElement(terms, x, i, g),
                                  readElement(terms, b, {i[1]}, g)});
                     });
  }
  SymTensor pad(const SymTensor &x, std::initializer_list<int64_t> each,
                double value = 0) {
    IndexList amount;
    for (int64_t a : each)
      amount.push_back(c(a));
    return padTensor(terms, x, amount, amount,
                     [&](llvm::ArrayRef<IndexTerm>, const IndexContext &) {
                       return constant(value);
                     });
  }
  /// Rows lo … lo+size-1 of dimension 0.
  SymTensor rows(const SymTensor &x, int64_t lo, int64_t size) {
    IndexList offsets(x.rank(), c(0)), strides(x.rank(), c(1)), sizes = x.shape;
    offsets[0] = c(lo);
    sizes[0] = c(size);
    return extractSlice(terms, x, offsets, sizes, strides);
  }
  SymTensor sumAll(ScalarOp o, const SymTensor &x, const SymTensor &init,
                   unsigned from) {
    IndexList out(x.shape.begin(), x.shape.begin() + from);
    IndexList inner(x.shape.begin() + from, x.shape.end());
    return reduce(o, out, inner, init,
                  [&](auto i, auto k, const IndexContext &g) {
                    IndexList at(i.begin(), i.end());
                    at.append(k.begin(), k.end());
                    return readElement(terms, x, at, g);
                  });
  }
  SymTensor softmax(const SymTensor &x) {
    unsigned n = x.rank() - 1;
    IndexList outer(x.shape.begin(), x.shape.begin() + n);
    SymTensor top =
        sumAll(ScalarOp::MaximumF, x,
               filled(f32, outer,
                      {terms.mkConst(f32, *identityOf(ScalarOp::MaximumF, f32)),
                       terms.mkBool(false)}),
               n);
    llvm::SmallVector<int64_t, 4> dims;
    for (unsigned d = 0; d < n; ++d)
      dims.push_back(d);
    SymTensor e =
        map1(ScalarOp::Exp, map2(ScalarOp::SubF, x,
                                 broadcastTensor(terms, top, x.shape, dims)));
    SymTensor s = sumAll(ScalarOp::AddF, e, zeros(outer), n);
    return map2(ScalarOp::DivF, e, broadcastTensor(terms, s, x.shape, dims));
  }
  using Groups = llvm::SmallVector<llvm::SmallVector<int64_t, 2>, 4>;
};

} // namespace panpipe::tv::test

#endif // PANPIPE_TEST_UNIT_TV_TERM_NETWORKS_H
