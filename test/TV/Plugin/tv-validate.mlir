// The validator inside the distribution's own mlir-opt: each nested pass is
// proved, functions that did not change are not looked at.
// RUN: mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="func.func(canonicalize,cse),symbol-dce"})' -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=RESULT < %t
// The same as if the passes had run without it.
// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(canonicalize,cse),symbol-dce)' | diff - %t
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="canonicalize,cze"})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TYPO
// Our own driver knows the pass, too.
// RUN: panpipe-opt %s --tv-validate="pipeline=canonicalize,cse report=%t.json" -o /dev/null 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json

// CHECK: canonicalize {{ *}}@twice {{ *}}VALID
// CHECK-NOT: @same
// CHECK: cse {{ *}}@shared {{ *}}VALID
// CHECK-NOT: symbol-dce
// CHECK: 2 of 2 covered passes proved: VALID
// RESULT: arith.muli
// EMPTY: error: tv-validate: no passes to validate; name them as in tv-validate{pipeline="canonicalize,cse"}
// TYPO: error: tv-validate: the pipeline 'canonicalize,cze' does not parse
// TYPO: cze
// JSON: "pass": "canonicalize"

func.func @twice(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  return %0 : i32
}
func.func @same(%x: i32) -> i32 {
  return %x : i32
}
func.func @shared(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %y : i32
  %1 = arith.addi %x, %y : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
