//===- Passes.td - Passes on the pipe dialect --------------*- tablegen -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_DIALECT_PIPE_TRANSFORMS_PASSES_TD
#define PANPIPE_DIALECT_PIPE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// From level to level
//===----------------------------------------------------------------------===//

def PipePartition : Pass<"pipe-partition", "::mlir::ModuleOp"> {
  let summary = "MODEL to STAGED: assigns every node to a stage on one device";
  let description = [{
    A node is one top-level operation of `@main`. The partition is searched on an
    analytic cost model (operations and bytes of the linalg bodies), or read from
    a file; then every stage becomes a `pipe.stage`. Values used by later stages
    pass as SSA values of `@main`, skip connections too. A parameter is passed
    only to the stages that use it. Constants and empty tensors are repeated in
    every stage that needs them. docs/Planner.md describes costs and files.

    ```mlir
    func.func @main(%x: tensor<8x16xf32> {panpipe.input = "x"},
                    %v: tensor<16x16xf32> {panpipe.param = "v"},
                    %w: tensor<16x4xf32> {panpipe.param = "w"}) -> (tensor<8x4xf32> {panpipe.output = "y"}) {
      %0 = call @linear.0(%x, %v) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %1 = call @linear.1(%0, %w) : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
      return %1 : tensor<8x4xf32>
    }
    ```
    becomes
    ```mlir
    pipe.stage @s0 on 0 (%x: tensor<8x16xf32>, %v: tensor<16x16xf32>) -> tensor<8x16xf32> { … }
    pipe.stage @s1 on 1 (%a: tensor<8x16xf32>, %w: tensor<16x4xf32>) -> tensor<8x4xf32> { … }
    func.func @main(…) {
      %0 = pipe.run @s0(%x, %v) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %1 = pipe.run @s1(%0, %w) : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
      return %1 : tensor<8x4xf32>
    }
    ```
  }];
  let dependentDialects = ["::panpipe::pipe::PipeDialect", "::mlir::func::FuncDialect"];
  let options = [
    Option<"devices", "devices", "unsigned", "1", "Number of devices; each gets one stage">,
    ListOption<"memoryCap", "memory-cap", "uint64_t",
               "Bytes each device may hold: one number for all, or one per device; 0 is no limit">,
    Option<"microbatches", "microbatches", "unsigned", "1",
           "Number of equal microbatches that costs and objective assume">,
    Option<"objective", "objective", "std::string", "\"auto\"",
           "bottleneck (slowest stage), makespan (of all microbatches), or auto: makespan if there are several microbatches">,
    Option<"policy", "policy", "std::string", "\"interval\"",
           "interval (dynamic programme) or even (equal node counts, a reference for tests)">,
    Option<"deviceKind", "device-kind", "std::string", "\"cpu\"", "Device of the cost table">,
    Option<"planIn", "plan-in", "std::string", "\"\"", "Read the partition from this file (pipe-plan/1)">,
    Option<"planOut", "plan-out", "std::string", "\"\"", "Write the partition to this file (pipe-plan/1)">,
    Option<"graphOut", "graph-out", "std::string", "\"\"", "Write the cost graph to this file (pipe-graph/1)">,
  ];
}

def PipeMicrobatch : Pass<"pipe-microbatch", "::mlir::ModuleOp"> {
  let summary = "STAGED to MICROBATCHED: cuts the batch and runs every stage once per piece";
  let description = [{
    By default dimension 0 of every input whose extent there equals the batch is
    cut; the batch is the extent of dimension 0 of the first input. An analysis
    of the stage bodies (linalg indexing maps, shape operations) follows the
    batch dimension through the model and proves for each value that a microbatch
    computes a slice of it, or all of it. Operations that couple elements of the
    batch, as a sum over the batch does, are refused by name. An input that is not
    used as a batch is passed whole to every microbatch.

    Each stage, and each composite it calls, is instantiated once per distinct
    microbatch size.

    ```mlir
    %0 = pipe.run @s0(%x, %w) : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    ```
    becomes, with `sizes=5,3`,
    ```mlir
    %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x16xf32> -> (tensor<5x16xf32>, tensor<3x16xf32>)
    %0 = pipe.run @s0_mb5(%a, %w) microbatch 0 : (tensor<5x16xf32>, tensor<16x4xf32>) -> tensor<5x4xf32>
    %1 = pipe.run @s0_mb3(%b, %w) microbatch 1 : (tensor<3x16xf32>, tensor<16x4xf32>) -> tensor<3x4xf32>
    %2 = pipe.concat %0, %1 dim 0 : (tensor<5x4xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
    ```
  }];
  let dependentDialects = ["::panpipe::pipe::PipeDialect"];
  let options = [
    Option<"count", "count", "unsigned", "1",
           "Number of microbatches; the first ones are larger if the batch does not divide evenly">,
    ListOption<"sizes", "sizes", "int64_t", "Sizes of the microbatches, instead of count">,
    ListOption<"batchDims", "batch-dims", "std::string",
               "Batch dimension of inputs, as name:dim, or name:none for an input that is passed whole">,
  ];
}

def PipeSchedule : Pass<"pipe-schedule", "::mlir::ModuleOp"> {
  let summary = "MICROBATCHED to SCHEDULED: one program per device";
  let description = [{
    The order in which each device runs its stages is made by the planner (a list
    schedule of the forward pipeline, so that devices work on different
    microbatches at the same time) or read from a file. Then every device gets a
    `pipe.program` that receives just before use, sends at once, and frees after
    the last use.

    The tag of a channel is the number of the value at level STAGED, counted in
    `@main` over all results of all stages; the microbatches of a value follow
    each other in its channel.
  }];
  let dependentDialects = ["::panpipe::pipe::PipeDialect"];
  let options = [
    Option<"deviceKind", "device-kind", "std::string", "\"cpu\"", "Device of the cost table">,
    Option<"planIn", "plan-in", "std::string", "\"\"",
           "Read the order from this file (pipe-plan/1; its stages are those of @main, in order)">,
    Option<"planOut", "plan-out", "std::string", "\"\"", "Write the plan with its order to this file (pipe-plan/1)">,
  ];
}

//===----------------------------------------------------------------------===//
// Verifiers and reports
//===----------------------------------------------------------------------===//

class PipeVerifyLevel<string name> : Pass<"pipe-verify-" # name, "::mlir::ModuleOp"> {
  let summary = "checks what later steps may assume of level " # name;
  let description = "docs/Dialects/Pipe.md lists the rules. Nothing is changed.";
}
def PipeVerifyModel : PipeVerifyLevel<"model">;
def PipeVerifyStaged : PipeVerifyLevel<"staged">;
def PipeVerifyMicrobatched : PipeVerifyLevel<"microbatched">;
def PipeVerifyScheduled : PipeVerifyLevel<"scheduled">;

def PipeDumpPlan : Pass<"pipe-dump-plan", "::mlir::ModuleOp"> {
  let summary = "prints the stages of a module, what they cost and what crosses";
  let description = [{
    A table for people: stage, device, nodes, first and last module path, predicted
    time, bytes received, memory; the predicted time with its lower bound and the
    gap; at level SCHEDULED the order of each device. Nothing is changed.
  }];
  let options = [
    Option<"microbatches", "microbatches", "unsigned", "1",
           "Number of equal microbatches to assume (level STAGED)">,
    Option<"deviceKind", "device-kind", "std::string", "\"cpu\"", "Device of the cost table">,
    Option<"output", "output", "std::string", "\"-\"", "File to write to; - is the standard error stream">,
  ];
}

#endif // PANPIPE_DIALECT_PIPE_TRANSFORMS_PASSES_TD
