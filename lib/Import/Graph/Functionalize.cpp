//===- Functionalize.cpp - In-place operators become plain ones -----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The training form of an exported program changes values without saying so:
/// after `relu_(x)` later nodes still name `x` and mean the new value. Renaming
/// mends that as long as no other live value shares the storage. A write
/// through a view (`y[:, 0].fill_(0)`) becomes a scatter into the viewed
/// tensor.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Import/Functionalize.h"

#include "panpipe/Import/AtenSchema.h"

#include <algorithm>
#include <set>

using namespace panpipe::import;

namespace {

/// Operators whose result may share storage with their first operand.
bool isView(std::string_view target) {
  static const std::set<std::string_view> views = {"alias",
                                                   "chunk",
                                                   "contiguous",
                                                   "detach",
                                                   "detach_",
                                                   "dropout",
                                                   "dropout_",
                                                   "expand",
                                                   "expand_as",
                                                   "feature_dropout",
                                                   "alpha_dropout",
                                                   "flatten",
                                                   "narrow",
                                                   "permute",
                                                   "reshape",
                                                   "select",
                                                   "slice",
                                                   "split",
                                                   "split_with_sizes",
                                                   "squeeze",
                                                   "t",
                                                   "to",
                                                   "transpose",
                                                   "type_as",
                                                   "unbind",
                                                   "unflatten",
                                                   "unsqueeze",
                                                   "view",
                                                   "view_as",
                                                   "as_strided"};
  if (target.substr(0, 5) != "aten.")
    return false;
  target.remove_prefix(5);
  return views.count(target.substr(0, target.find('.')));
}

/// "aten.relu_.default" gives "aten.relu.default"; empty if it is no in-place
/// operator.
std::string functionalForm(const std::string &target) {
  if (target.compare(0, 5, "aten.") != 0)
    return "";
  size_t dot = target.find('.', 5);
  if (dot == target.npos || dot < 7 || target[dot - 1] != '_' ||
      target[dot - 2] == '_' || target == "aten.detach_.default")
    return "";
  std::string out = target;
  out.erase(dot - 1, 1);
  return out;
}

const std::string *selfName(const Node &node, ValueId &self) {
  for (const NamedArgument &arg : node.args)
    if ((arg.name == "self" || arg.name == "input") &&
        arg.value.kind == Argument::Kind::Tensor) {
      self = arg.value.tensors[0];
      return &arg.name;
    }
  return nullptr;
}

class Functionalizer {
public:
  explicit Functionalizer(OpGraph &graph) : graph(graph) {}
  Status run();

private:
  Status rewrite(size_t index, const std::string &functional);
  Status writeThrough(size_t index, ValueId view, ValueId updated);
  void countUses();
  void renameAfter(size_t index, ValueId from, ValueId to);

  OpGraph &graph;
  std::vector<ValueId> base;      ///< of a view: the value that it views
  std::vector<size_t> definition; ///< node that made the value
  std::vector<size_t> lastUse; ///< node that reads it; the count for an output
  std::vector<bool> isInput;
};

void Functionalizer::countUses() {
  lastUse.assign(graph.values.size(), 0);
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    for (const NamedArgument &arg : graph.nodes[i].args)
      for (ValueId id : arg.value.tensors)
        if (id != kNoValue)
          lastUse[id] = i;
  for (const GraphOutput &output : graph.outputs)
    lastUse[output.value] = graph.nodes.size();
}

void Functionalizer::renameAfter(size_t index, ValueId from, ValueId to) {
  for (size_t i = index + 1; i < graph.nodes.size(); ++i)
    for (NamedArgument &arg : graph.nodes[i].args)
      std::replace(arg.value.tensors.begin(), arg.value.tensors.end(), from,
                   to);
  for (GraphOutput &output : graph.outputs)
    if (output.value == from)
      output.value = to;
  lastUse[to] = std::max(lastUse[to], lastUse[from]);
  lastUse[from] = std::min(lastUse[from], index);
}

Status Functionalizer::run() {
  base.assign(graph.values.size(), kNoValue);
  definition.assign(graph.values.size(), 0);
  isInput.assign(graph.values.size(), false);
  for (const GraphInput &input : graph.inputs)
    isInput[input.value] = true;
  countUses();
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    std::string functional = functionalForm(graph.nodes[i].target);
    if (!functional.empty() && findAtenOp(functional)) {
      if (Status s = rewrite(i, functional); s.failed())
        return s;
      continue;
    }
    const Node &node = graph.nodes[i];
    ValueId self = kNoValue;
    bool view = isView(node.target) && selfName(node, self);
    for (ValueId id : node.results)
      if (id != kNoValue) {
        definition[id] = i;
        base[id] = view ? self : kNoValue;
      }
  }
  return Status::success();
}

Status Functionalizer::rewrite(size_t index, const std::string &functional) {
  auto refuse = [&](const std::string &why) {
    const Node &node = graph.nodes[index];
    return Status::error("node '" + node.name + "' (" + node.target + ", " +
                         node.source.str() + ") " + why +
                         "; save ep.run_decompositions({}) instead, which has "
                         "no in-place operators");
  };
  ValueId self = kNoValue;
  if (!selfName(graph.nodes[index], self) ||
      graph.nodes[index].results.size() != 1 ||
      graph.nodes[index].results[0] == kNoValue)
    return refuse("writes in place in an unusual way");
  if (isInput[self])
    return refuse("changes an input or a buffer of the model in place");
  // Another live view of the same storage would see the change as well.
  for (ValueId id = 0; id < graph.values.size(); ++id) {
    ValueId root = id;
    while (root != self && root != kNoValue)
      root = base[root];
    if (id != self && root == self && lastUse[id] > index)
      return refuse("changes a tensor in place of which a view is used later");
  }
  ValueId updated = graph.nodes[index].results[0];
  graph.nodes[index].target = functional;
  // dropout_(self, …), but dropout(input, …).
  const AtenOp *schema = findAtenOp(functional);
  for (NamedArgument &arg : graph.nodes[index].args)
    if (arg.name == "self" && !schema->find("self") && schema->find("input"))
      arg.name = "input";
  definition[updated] = index;
  renameAfter(index, self, updated);
  return base[self] == kNoValue ? Status::success()
                                : writeThrough(index, self, updated);
}

/// The changed value was a view: put it back into what it views, unless that is
/// dead.
Status Functionalizer::writeThrough(size_t index, ValueId view,
                                    ValueId updated) {
  ValueId viewed = base[view];
  bool live = false;
  for (ValueId id = viewed; id != kNoValue; id = base[id])
    live |= lastUse[id] > index || isInput[id];
  if (!live)
    return Status::success();
  const Node &maker = graph.nodes[definition[view]];
  bool same = graph.values[view].type == graph.values[viewed].type;
  bool isSlice = maker.target == "aten.slice.Tensor",
       isSelect = maker.target == "aten.select.int";
  const Node &node = graph.nodes[index];
  if (base[viewed] != kNoValue || isInput[viewed] || !(isSlice || isSelect))
    return Status::error(
        "node '" + node.name + "' (" + node.target + ", " + node.source.str() +
        ") changes a tensor through " + (same ? "another name" : "a view") +
        "; save ep.run_decompositions({}) instead, which has no in-place "
        "operators");
  Node scatter;
  scatter.target =
      isSlice ? "aten.slice_scatter.default" : "aten.select_scatter.default";
  scatter.name = node.name + "_back";
  scatter.source = node.source;
  scatter.args = maker.args;
  Argument src;
  src.kind = Argument::Kind::Tensor;
  src.tensors = {updated};
  scatter.args.push_back({"src", src});
  ValueId result = ValueId(graph.values.size());
  graph.values.push_back({scatter.name, graph.values[viewed].type});
  base.push_back(kNoValue);
  definition.push_back(index + 1);
  isInput.push_back(false);
  scatter.results = {result};
  graph.nodes.insert(graph.nodes.begin() + long(index) + 1, std::move(scatter));
  countUses();
  renameAfter(index + 1, viewed, result);
  return Status::success();
}
} // namespace

Status panpipe::import::functionalize(OpGraph &graph) {
  return Functionalizer(graph).run();
}
