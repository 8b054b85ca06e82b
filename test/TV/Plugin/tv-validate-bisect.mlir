// A pipeline of ten passes, one of which breaks the program (llvm-project#139925: canonicalize drops a
// truncation although converting the integer directly rounds another way). Its first wrong rewrite is named.
// RUN: rm -rf %t && split-file %s %t
// RUN: not mlir-opt %t/pattern.mlir --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{bisect=true reproducers=%t/out pipeline="symbol-dce,cse,sccp,loop-invariant-code-motion,func.func(canonicalize),cse,sccp,symbol-dce,inline,cse"})' -o /dev/null 2>&1 | FileCheck %s
// What it wrote shows the defect with nothing else installed.
// RUN: panpipe-tv --expect %t/out/01-canonicalize.f.reproducer.mlir
// RUN: not panpipe-tv --reproducer= %t/out/01-canonicalize.src.mlir %t/out/01-canonicalize.tgt.mlir | FileCheck %s --check-prefix=PAIR
// RUN: FileCheck %s --check-prefix=COMMAND < %t/out/01-canonicalize.src.mlir
// Folds are no patterns (llvm-project#216315: the flag of the second truncation does not hold for the first).
// RUN: not panpipe-opt %t/fold.mlir --tv-validate="pipeline=cse,canonicalize,cse stop=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOLD
// A folder that cannot be made is an error, not a lost report.
// RUN: not panpipe-opt %t/fold.mlir --tv-validate="pipeline=canonicalize reproducers=%t/fold.mlir/no" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOLDER
// The same with the passes as flags of panpipe-opt.
// RUN: not panpipe-opt %t/fold.mlir --validate-bisect --cse --canonicalize --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=FLAGS
// A right pipeline has nothing to look for.
// RUN: panpipe-opt %t/fold.mlir --tv-validate="pipeline=cse,sccp,cse bisect=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT

// CHECK: Pass 5 of 10, 'canonicalize', breaks the program
// CHECK: after pass 'canonicalize':
// CHECK: @f INVALID
// CHECK: The first wrong rewrite is number 1 of 1 tried: pattern '{{.*}}TruncFSIToFPToSIToFP' on 'arith.truncf' at loc(
// CHECK: Reproducer: {{.*}}01-canonicalize.src.mlir
// CHECK: error: the pass 'canonicalize' does not preserve the program: INVALID
// PAIR: @f  INVALID
// COMMAND: // mlir-opt --pass-pipeline='builtin.module(func.func(canonicalize))'
// FOLD: No rewrite pattern is to blame: the pass breaks the program by folding or by code of its own
// FOLD: error: the pass 'canonicalize' does not preserve the program: INVALID
// FLAGS: Pass 2 of 3, 'canonicalize', breaks the program
// FOLDER: error: tv-validate: cannot write '{{.*}}/01-canonicalize.src.mlir'
// RIGHT-NOT: breaks the program
// RIGHT: (none did)

//--- pattern.mlir
func.func @f(%i: i32) -> bf16 {
  %0 = arith.sitofp %i : i32 to f32
  %1 = arith.truncf %0 : f32 to bf16
  return %1 : bf16
}
//--- fold.mlir
func.func @f(%x: i32) -> i8 {
  %h = arith.trunci %x : i32 to i16
  %b = arith.trunci %h overflow<nuw> : i16 to i8
  return %b : i8
}
