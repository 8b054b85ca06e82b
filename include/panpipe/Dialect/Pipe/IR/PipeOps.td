//===- PipeOps.td - Operations of the pipe dialect ---------*- tablegen -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_DIALECT_PIPE_IR_PIPEOPS_TD
#define PANPIPE_DIALECT_PIPE_IR_PIPEOPS_TD

include "panpipe/Dialect/Pipe/IR/PipeDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Pipe_Op<string mnemonic, list<Trait> traits = []>
    : Op<Pipe_Dialect, mnemonic, traits>;

// An op that computes tensors from tensors. In a function it has no effect; in a
// `pipe.program`, where values are freed by name, its results are allocations: so
// CSE and folding never merge two lives into one.
class Pipe_ComputeOp<string mnemonic, list<Trait> traits = []>
    : Pipe_Op<mnemonic, !listconcat([
        AlwaysSpeculatable, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>],
        traits)>;

class Pipe_ProgramStep<string mnemonic> : Pipe_Op<mnemonic, [HasParent<"ProgramOp">]> {
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Level 1: STAGED
//===----------------------------------------------------------------------===//

def Pipe_StageOp : Pipe_Op<"stage", [
    IsolatedFromAbove, FunctionOpInterface, Symbol, SingleBlock,
    HasParent<"::mlir::ModuleOp">]> {
  let summary = "a part of the model that runs on one device";
  let description = [{
    A stage is a function of tensors with one block. Its body is ordinary
    tensor-level IR (calls of composites included) and ends in `pipe.yield`.
    `device` is the number of the device that owns it. At level MICROBATCHED a
    stage exists once per distinct microbatch size; when there are several sizes,
    the attribute `panpipe.stage` of each variant holds the stage's name at level
    STAGED (a stage without it stands for itself).

    ```mlir
    pipe.stage @s0 on 0 (%x: tensor<8x16xf32>, %w: tensor<16x4xf32>) -> (tensor<8x4xf32>) {
      %0 = func.call @linear.0(%x, %w) : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
      pipe.yield %0 : tensor<8x4xf32>
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    I64Attr:$device,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def Pipe_YieldOp : Pipe_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"StageOp">]> {
  let summary = "results of a stage";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ (void)$_state; }]>];
  let hasVerifier = 1;
}

def Pipe_RunOp : Pipe_ComputeOp<"run", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a stage once";
  let description = [{
    Calls the stage `callee`. In `@main` of level STAGED there is one per stage,
    at MICROBATCHED one per stage and microbatch, at SCHEDULED one per run in a
    device program. `microbatch` is absent at level STAGED.

    ```mlir
    %y = pipe.run @s1(%a, %skip) microbatch 0 : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$operands,
    OptionalAttr<I64Attr>:$microbatch);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` (`microbatch` $microbatch^)? attr-dict
    `:` functional-type($operands, $results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Level 2: MICROBATCHED
//===----------------------------------------------------------------------===//

def Pipe_SplitOp : Pipe_ComputeOp<"split"> {
  let summary = "cuts a tensor into consecutive pieces along one dimension";
  let description = [{
    Piece k is `tensor.extract_slice` of `source` at offset
    sizes[0] + … + sizes[k-1] along `dim`. The sizes are positive and add up to
    the extent of `dim`. A piece keeps every other extent.

    ```mlir
    %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x16xf32> -> (tensor<5x16xf32>, tensor<3x16xf32>)
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, I64Attr:$dim, DenseI64ArrayAttr:$sizes);
  let results = (outs Variadic<AnyRankedTensor>:$pieces);
  let assemblyFormat = [{
    $source `dim` $dim `sizes` $sizes attr-dict `:` type($source) `->` `(` type($pieces) `)`
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Pipe_ConcatOp : Pipe_ComputeOp<"concat"> {
  let summary = "joins pieces along one dimension; the inverse of pipe.split";
  let description = [{
    Same meaning as `tensor.concat dim(dim)`.

    ```mlir
    %y = pipe.concat %a, %b dim 0 : (tensor<5x4xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$pieces, I64Attr:$dim);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $pieces `dim` $dim attr-dict `:` functional-type($pieces, $result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Level 3: SCHEDULED
//===----------------------------------------------------------------------===//

def Pipe_PipelineOp : Pipe_Op<"pipeline", [
    IsolatedFromAbove, FunctionOpInterface, Symbol, SingleBlock, NoTerminator,
    HasParent<"::mlir::ModuleOp">]> {
  let summary = "the device programs that together compute one function";
  let description = [{
    The signature is that of the model. The block arguments are the model's
    inputs and parameters, visible to every program (the host feeds each device
    what it reads, owns them, and frees them). The body holds at most one
    `pipe.program` per device, and nothing else. Result i is what the one
    `pipe.deliver … to i` delivers.

    ```mlir
    pipe.pipeline @main(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>) -> (tensor<8x4xf32>) {
      pipe.program on 0 { … }
      pipe.program on 1 { … }
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def Pipe_ProgramOp : Pipe_Op<"program", [
    SingleBlock, NoTerminator, HasParent<"PipelineOp">]> {
  let summary = "the ordered instructions of one device";
  let description = [{
    A straight line of `pipe.recv`, `pipe.split`, `pipe.concat`, `pipe.run`,
    `pipe.send`, `pipe.free` and `pipe.deliver`. Values of other programs are
    not visible: they arrive by `pipe.recv`. Channels are first in, first out
    per (source, destination, tag), so the programs form a Kahn process network
    and their results do not depend on timing. Sending never waits.

    Every value that an instruction of the program defines lives on its own until
    its `pipe.free`: pieces of a split stay alive when the source is freed, and a
    value sent or delivered stays alive here.
  }];
  let arguments = (ins I64Attr:$device);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`on` $device attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Pipe_RecvOp : Pipe_ProgramStep<"recv"> {
  let summary = "takes the next value from a channel, waiting for it";
  let description = [{
    The channel is (`source`, this device, `tag`).

    ```mlir
    %a = pipe.recv from 0 tag 2 : tensor<5x16xf32>
    ```
  }];
  let arguments = (ins I64Attr:$source, I64Attr:$tag);
  let results = (outs AnyType:$value);
  let assemblyFormat = "`from` $source `tag` $tag attr-dict `:` type($value)";
}

def Pipe_SendOp : Pipe_ProgramStep<"send"> {
  let summary = "puts a value into a channel, without waiting";
  let description = [{
    The channel is (this device, `destination`, `tag`). The value stays alive on
    this device.

    ```mlir
    pipe.send %a to 1 tag 2 : tensor<5x16xf32>
    ```
  }];
  let arguments = (ins AnyType:$value, I64Attr:$destination, I64Attr:$tag);
  let assemblyFormat = "$value `to` $destination `tag` $tag attr-dict `:` type($value)";
}

def Pipe_FreeOp : Pipe_ProgramStep<"free"> {
  let summary = "ends the life of a value on this device";
  let description = [{
    The last use of a value that the program defines. Arguments of the pipeline
    belong to the host and are never freed by a program.

    ```mlir
    pipe.free %a : tensor<5x16xf32>
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Pipe_DeliverOp : Pipe_ProgramStep<"deliver"> {
  let summary = "hands result number `result` of the pipeline to the host";
  let description = [{
    The value stays alive on this device; the host holds its own reference.

    ```mlir
    pipe.deliver %y to 0 : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins AnyType:$value, I64Attr:$result);
  let assemblyFormat = "$value `to` $result attr-dict `:` type($value)";
}

#endif // PANPIPE_DIALECT_PIPE_IR_PIPEOPS_TD
