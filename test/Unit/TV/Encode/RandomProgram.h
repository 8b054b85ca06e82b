//===- RandomProgram.h - Random tensor programs -----------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes the text of a function @f of chained slices, pads, reshapes, maps and
/// reductions over small tensors. The same seed makes the same program.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TEST_TV_ENCODE_RANDOMPROGRAM_H
#define PANPIPE_TEST_TV_ENCODE_RANDOMPROGRAM_H

#include <random>
#include <string>
#include <vector>

namespace panpipe::tv {

class RandomProgram {
public:
  explicit RandomProgram(unsigned seed) : rng(seed) {
    type = seed % 3 == 0 ? "f32" : "i32";
  }

  std::string make(unsigned length) {
    std::string arguments;
    for (unsigned i = 0; i < 2; ++i) {
      Value v{"%x" + std::to_string(i), {}};
      for (unsigned d = 0; d < 1 + pick(3); ++d)
        v.shape.push_back(1 + pick(5));
      values.push_back(v);
      arguments += (i ? ", " : "") + v.name + ": " + text(v.shape);
    }
    body = "  %zero = arith.constant " + std::string(isFloat() ? "0.0" : "0") +
           " : " + type + "\n";
    while (count < length)
      step();
    const Value &result = values.back();
    return "func.func @f(" + arguments + ") -> " + text(result.shape) + " {\n" +
           body + "  return " + result.name + " : " + text(result.shape) +
           "\n}\n";
  }

private:
  using Shape = std::vector<int64_t>;
  struct Value {
    std::string name;
    Shape shape;
  };

  unsigned pick(unsigned n) { return rng() % n; }
  bool isFloat() const { return type == "f32"; }
  int64_t elements(const Shape &s) {
    int64_t n = 1;
    for (int64_t d : s)
      n *= d;
    return n;
  }
  std::string text(const Shape &s) {
    std::string t = "tensor<";
    for (int64_t d : s)
      t += std::to_string(d) + "x";
    return t + type + ">";
  }
  std::string list(const Shape &s) {
    std::string t = "[";
    for (size_t i = 0; i < s.size(); ++i)
      t += (i ? ", " : "") + std::to_string(s[i]);
    return t + "]";
  }
  /// Mostly recent values, so that programs are deep.
  Value operand() {
    size_t n = values.size();
    return values[n - 1 - (pick(3) ? pick(std::min<size_t>(2, n)) : pick(n))];
  }
  std::string fresh() { return "%v" + std::to_string(count++); }
  void define(const std::string &code, const Shape &shape) {
    std::string name = fresh();
    body += "  " + name + " = " + code + "\n";
    values.push_back({name, shape});
  }
  std::string empty(const Shape &shape) {
    std::string name = "%e" + std::to_string(temporaries++);
    body += "  " + name + " = tensor.empty() : " + text(shape) + "\n";
    return name;
  }
  std::string filled(const Shape &shape) {
    std::string name = "%e" + std::to_string(temporaries++);
    body += "  " + name + " = tensor.splat %zero : " + text(shape) + "\n";
    return name;
  }

  void step() {
    Value a = operand();
    switch (pick(12)) {
    case 0:
      return slice(a);
    case 1:
      return insert(a);
    case 2:
      return pad(a);
    case 3:
      return concat(a);
    case 4:
      return collapse(a);
    case 5:
      return expand(a);
    case 6:
      return transpose(a);
    case 7:
      return elementwise(a);
    case 8:
      return reduce(a);
    case 9:
      return window(a);
    case 10:
      return gather(a);
    default:
      return number(a);
    }
  }

  /// A window of `shape` in a dimension of `extent`.
  void window(int64_t extent, int64_t &offset, int64_t &size, int64_t &stride) {
    stride = 1 + pick(3);
    offset = pick(extent);
    size = 1 + pick((extent - 1 - offset) / stride + 1);
  }

  void slice(const Value &a) {
    Shape offsets, sizes, strides;
    for (int64_t d : a.shape) {
      int64_t o, s, t;
      window(d, o, s, t);
      offsets.push_back(o);
      sizes.push_back(s);
      strides.push_back(t);
    }
    define("tensor.extract_slice " + a.name + list(offsets) + " " +
               list(sizes) + " " + list(strides) + " : " + text(a.shape) +
               " to " + text(sizes),
           sizes);
  }

  /// A slice of `a` written into another place of `a`.
  void insert(const Value &a) {
    slice(a);
    Value source = values.back();
    Shape offsets, strides;
    for (size_t d = 0; d < a.shape.size(); ++d) {
      int64_t stride = 1 + pick(2);
      if ((source.shape[d] - 1) * stride >= a.shape[d])
        stride = 1;
      offsets.push_back(pick(a.shape[d] - (source.shape[d] - 1) * stride));
      strides.push_back(stride);
    }
    std::string dest = pick(3) ? a.name : empty(a.shape);
    define("tensor.insert_slice " + source.name + " into " + dest +
               list(offsets) + " " + list(source.shape) + " " + list(strides) +
               " : " + text(source.shape) + " into " + text(a.shape),
           a.shape);
  }

  void pad(const Value &a) {
    Shape low, high, shape;
    std::string indices;
    for (size_t d = 0; d < a.shape.size(); ++d) {
      low.push_back(pick(3));
      high.push_back(pick(2));
      shape.push_back(low[d] + a.shape[d] + high[d]);
      indices += (d ? ", %i" : "%i") + std::to_string(d) + ": index";
    }
    if (elements(shape) > 200)
      return;
    std::string value = "    tensor.yield %zero : " + type + "\n";
    if (!isFloat() && pick(2))
      value = "    %c = arith.index_cast %i0 : index to i32\n"
              "    tensor.yield %c : i32\n";
    define("tensor.pad " + a.name + " low" + list(low) + " high" + list(high) +
               " {\n  ^bb0(" + indices + "):\n" + value +
               "  } : " + text(a.shape) + " to " + text(shape),
           shape);
  }

  void concat(const Value &a) {
    unsigned dim = pick(a.shape.size());
    Value b = a;
    for (const Value &v : values)
      if (v.shape.size() == a.shape.size() && pick(2)) {
        Shape x = v.shape;
        x[dim] = a.shape[dim];
        if (x == a.shape)
          b = v;
      }
    Shape shape = a.shape;
    shape[dim] += b.shape[dim];
    if (elements(shape) > 200)
      return;
    define("tensor.concat dim(" + std::to_string(dim) + ") " + a.name + ", " +
               b.name + " : (" + text(a.shape) + ", " + text(b.shape) +
               ") -> " + text(shape),
           shape);
  }

  void collapse(const Value &a) {
    if (a.shape.size() < 2)
      return;
    unsigned at = pick(a.shape.size() - 1);
    Shape shape;
    std::string groups;
    for (unsigned d = 0; d < a.shape.size(); ++d) {
      bool both = d == at;
      groups += (d && !groups.empty() ? ", [" : "[") + std::to_string(d) +
                (both ? ", " + std::to_string(d + 1) : "") + "]";
      shape.push_back(a.shape[d] * (both ? a.shape[d + 1] : 1));
      d += both;
    }
    define("tensor.collapse_shape " + a.name + " [" + groups +
               "] : " + text(a.shape) + " into " + text(shape),
           shape);
  }

  void expand(const Value &a) {
    if (a.shape.size() > 4)
      return;
    unsigned at = pick(a.shape.size());
    std::vector<int64_t> factors;
    for (int64_t f = 1; f <= a.shape[at]; ++f)
      if (a.shape[at] % f == 0)
        factors.push_back(f);
    int64_t factor = factors[pick(factors.size())];
    Shape shape;
    std::string groups;
    unsigned next = 0;
    for (unsigned d = 0; d < a.shape.size(); ++d) {
      groups += d ? ", [" : "[";
      groups += std::to_string(next++);
      if (d == at) {
        groups += ", " + std::to_string(next++);
        shape.push_back(factor);
      }
      groups += "]";
      shape.push_back(d == at ? a.shape[d] / factor : a.shape[d]);
    }
    define("tensor.expand_shape " + a.name + " [" + groups + "] output_shape " +
               list(shape) + " : " + text(a.shape) + " into " + text(shape),
           shape);
  }

  Shape permutation(size_t rank) {
    Shape p;
    for (size_t i = 0; i < rank; ++i)
      p.push_back(i);
    std::shuffle(p.begin(), p.end(), rng);
    return p;
  }

  void transpose(const Value &a) {
    Shape perm = permutation(a.shape.size()), shape;
    for (int64_t p : perm)
      shape.push_back(a.shape[p]);
    std::string init = empty(shape);
    define("linalg.transpose ins(" + a.name + " : " + text(a.shape) +
               ") outs(" + init + " : " + text(shape) +
               ") permutation = " + list(perm),
           shape);
  }

  std::string dims(size_t n) {
    std::string t = "(";
    for (size_t i = 0; i < n; ++i)
      t += (i ? ", d" : "d") + std::to_string(i);
    return t + ")";
  }
  std::string map(size_t n, const std::string &results) {
    return "affine_map<" + dims(n) + " -> " + results + ">";
  }
  std::string iterators(size_t parallel, size_t reduction) {
    std::string t = "[";
    for (size_t i = 0; i < parallel + reduction; ++i)
      t += (i ? ", \"" : "\"") +
           std::string(i < parallel ? "parallel" : "reduction") + "\"";
    return t + "]";
  }

  /// A generic over two operands of one shape, one of them maybe read at
  /// permuted or repeated indices.
  void elementwise(const Value &a) {
    size_t rank = a.shape.size();
    Value b = a;
    for (const Value &v : values)
      if (v.shape == a.shape && pick(2))
        b = v;
    std::string second = dims(rank);
    // Reversal of the first dimension, in bounds for every index.
    if (pick(3) == 0) {
      second = "(-d0 + " + std::to_string(a.shape[0] - 1);
      for (size_t d = 1; d < rank; ++d)
        second += ", d" + std::to_string(d);
      second += ")";
    }
    static const char *floatOps[] = {"arith.addf", "arith.mulf", "arith.subf",
                                     "arith.maximumf"};
    static const char *intOps[] = {"arith.addi", "arith.muli", "arith.subi",
                                   "arith.maxsi", "arith.xori"};
    std::string op = isFloat() ? floatOps[pick(4)] : intOps[pick(5)];
    std::string init = empty(a.shape);
    define("linalg.generic {indexing_maps = [" + map(rank, dims(rank)) + ", " +
               map(rank, second) + ", " + map(rank, dims(rank)) +
               "], iterator_types = " + iterators(rank, 0) + "} ins(" + a.name +
               ", " + b.name + " : " + text(a.shape) + ", " + text(b.shape) +
               ") outs(" + init + " : " + text(a.shape) +
               ") {\n  ^bb0(%p: " + type + ", %q: " + type + ", %o: " + type +
               "):\n    %s = " + op + " %p, %q : " + type +
               "\n    linalg.yield %s : " + type + "\n  } -> " + text(a.shape),
           a.shape);
  }

  void reduce(const Value &a) {
    if (a.shape.size() < 2)
      return;
    unsigned dim = pick(a.shape.size());
    Shape shape = a.shape;
    shape.erase(shape.begin() + dim);
    static const char *floatOps[] = {"arith.addf", "arith.maximumf",
                                     "arith.mulf"};
    static const char *intOps[] = {"arith.addi", "arith.muli", "arith.maxsi",
                                   "arith.subi"};
    std::string op = isFloat() ? floatOps[pick(3)] : intOps[pick(4)];
    std::string init = filled(shape);
    // The accumulator first: subi does not commute.
    define("linalg.reduce ins(" + a.name + " : " + text(a.shape) + ") outs(" +
               init + " : " + text(shape) + ") dimensions = [" +
               std::to_string(dim) + "] (%p: " + type + ", %acc: " + type +
               ") {\n    %s = " + op + " %acc, %p : " + type +
               "\n    linalg.yield %s : " + type + "\n  }",
           shape);
  }

  /// A convolution of the first dimension with itself.
  void window(const Value &a) {
    if (a.shape[0] < 2)
      return;
    size_t rank = a.shape.size();
    int64_t k = 1 + pick(a.shape[0]), stride = 1 + pick(2);
    Shape shape = a.shape;
    shape[0] = (a.shape[0] - k) / stride + 1;
    std::string reduced = "d" + std::to_string(rank), rest;
    for (size_t d = 1; d < rank; ++d)
      rest += ", d" + std::to_string(d);
    Shape kernelShape = a.shape;
    kernelShape[0] = k;
    std::string kernel = "%e" + std::to_string(temporaries++);
    Shape zeros(rank, 0), ones(rank, 1);
    body += "  " + kernel + " = tensor.extract_slice " + a.name + list(zeros) +
            " " + list(kernelShape) + " " + list(ones) + " : " + text(a.shape) +
            " to " + text(kernelShape) + "\n";
    std::string init = filled(shape);
    std::string mul = isFloat() ? "arith.mulf" : "arith.muli";
    std::string add = isFloat() ? "arith.addf" : "arith.addi";
    std::string step = "    %t = " + mul + " %p, %q : " + type +
                       "\n    %s = " + add + " %acc, %t : " + type + "\n";
    if (pick(4) == 0) // no fold of a known kind
      step = "    %t = " + mul + " %acc, %q : " + type + "\n    %s = " + add +
             " %t, %p : " + type + "\n";
    define("linalg.generic {indexing_maps = [" +
               map(rank + 1, "(d0 * " + std::to_string(stride) + " + " +
                                 reduced + rest + ")") +
               ", " + map(rank + 1, "(" + reduced + rest + ")") + ", " +
               map(rank + 1, dims(rank)) + "], iterator_types = " +
               iterators(rank, 1) + "} ins(" + a.name + ", " + kernel + " : " +
               text(a.shape) + ", " + text(kernelShape) + ") outs(" + init +
               " : " + text(shape) + ") {\n  ^bb0(%p: " + type +
               ", %q: " + type + ", %acc: " + type + "):\n" + step +
               "    linalg.yield %s : " + type + "\n  } -> " + text(shape),
           shape);
  }

  /// Reads `a` at computed indices.
  void gather(const Value &a) {
    int64_t n = 1 + pick(6);
    std::string indices;
    for (size_t d = 0; d < a.shape.size(); ++d)
      indices += (d ? ", %k" : "%k") + std::to_string(d);
    std::string code = "tensor.generate {\n  ^bb0(%i: index):\n";
    for (size_t d = 0; d < a.shape.size(); ++d) {
      std::string k = std::to_string(d), extent = std::to_string(a.shape[d]);
      code += "    %m" + k + " = arith.constant " + extent + " : index\n";
      code += "    %f" + k + " = arith.constant " +
              std::to_string(1 + pick(4)) + " : index\n";
      code += "    %a" + k + " = arith.muli %i, %f" + k + " : index\n";
      code +=
          "    %k" + k + " = arith.remui %a" + k + ", %m" + k + " : index\n";
    }
    code += "    %r = tensor.extract " + a.name + "[" + indices +
            "] : " + text(a.shape) + "\n    tensor.yield %r : " + type +
            "\n  } : " + text({n});
    define(code, {n});
  }

  /// An own index or a constant.
  void number(const Value &a) {
    if (isFloat())
      return elementwise(a);
    size_t rank = a.shape.size();
    std::string init = empty(a.shape);
    define("linalg.generic {indexing_maps = [" + map(rank, dims(rank)) + ", " +
               map(rank, dims(rank)) + "], iterator_types = " +
               iterators(rank, 0) + "} ins(" + a.name + " : " + text(a.shape) +
               ") outs(" + init + " : " + text(a.shape) +
               ") {\n  ^bb0(%p: i32, %o: i32):\n    %i = linalg.index " +
               std::to_string(pick(rank)) + " : index\n    %c = " +
               "arith.constant " + std::to_string(pick(4)) +
               " : index\n    %l = arith.cmpi slt, %i, %c : index\n"
               "    %j = arith.index_cast %i : index to i32\n"
               "    %s = arith.select %l, %p, %j : i32\n"
               "    linalg.yield %s : i32\n  } -> " +
               text(a.shape),
           a.shape);
  }

  std::mt19937 rng;
  std::string type, body;
  std::vector<Value> values;
  unsigned count = 0, temporaries = 0;
};

} // namespace panpipe::tv

#endif // PANPIPE_TEST_TV_ENCODE_RANDOMPROGRAM_H
