//===- PipeOps.cpp - Operations of the pipe dialect -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Text form of the operations of the pipe dialect. What they verify is in
/// PipeVerify.cpp, what folds in PipeFolds.cpp.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace panpipe::pipe;

#define GET_OP_CLASSES
#include "panpipe/Dialect/Pipe/IR/PipeOps.cpp.inc"

//===----------------------------------------------------------------------===//
// StageOp and PipelineOp: functions in the text form of func.func, a stage with
// `on <device>` after its name.
//===----------------------------------------------------------------------===//

/// Parses `@name [on N] (args) -> (results) [attributes {…}] { body }` into an
/// operation with the attribute names of a function.
static ParseResult parseFunctionLike(OpAsmParser &parser, OperationState &state,
                                     bool withDevice) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             state.attributes))
    return failure();
  if (withDevice) {
    IntegerAttr device;
    if (parser.parseKeyword("on") ||
        parser.parseAttribute(device, builder.getI64Type(), "device",
                              state.attributes))
      return failure();
  }
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> results;
  SmallVector<DictionaryAttr> resultAttrs;
  bool isVariadic = false;
  if (function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, results,
          resultAttrs))
    return failure();
  SmallVector<Type> inputs;
  for (OpAsmParser::Argument &argument : arguments)
    inputs.push_back(argument.type);
  state.addAttribute("function_type",
                     TypeAttr::get(builder.getFunctionType(inputs, results)));
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  call_interface_impl::addArgAndResultAttrs(
      builder, state, arguments, resultAttrs,
      builder.getStringAttr("arg_attrs"), builder.getStringAttr("res_attrs"));
  return parser.parseRegion(*state.addRegion(), arguments,
                            /*enableNameShadowing=*/false);
}

static void printFunctionLike(OpAsmPrinter &printer, FunctionOpInterface op,
                              std::optional<int64_t> device) {
  printer << ' ';
  printer.printSymbolName(op.getName());
  if (device)
    printer << " on " << *device << ' ';
  function_interface_impl::printFunctionSignature(
      printer, op, op.getArgumentTypes(), /*isVariadic=*/false,
      op.getResultTypes());
  function_interface_impl::printFunctionAttributes(
      printer, op, {"function_type", "device", "arg_attrs", "res_attrs"});
  printer << ' ';
  printer.printRegion(op.getFunctionBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
}

ParseResult StageOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseFunctionLike(parser, state, /*withDevice=*/true);
}

void StageOp::print(OpAsmPrinter &printer) {
  printFunctionLike(printer, *this, getDevice());
}

ParseResult PipelineOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseFunctionLike(parser, state, /*withDevice=*/false);
}

void PipelineOp::print(OpAsmPrinter &printer) {
  printFunctionLike(printer, *this, std::nullopt);
}
