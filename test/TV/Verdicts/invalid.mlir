// RUN: split-file %s %t
// RUN: cd %t && not panpipe-tv src.mlir tgt.mlir > out.txt
// RUN: FileCheck %s < %t/out.txt
// RUN: cd %t && panpipe-tv --expect f.reproducer.mlir | FileCheck %s --check-prefix=REPLAY

// The parts of a report stand in this order.
// CHECK: @f  INVALID
// CHECK: Source {{.*}}Target
// CHECK: func.func @f(%arg0: i32) -> i32 { {{.*}}func.func @f(%arg0: i32) -> i32 {
// CHECK: INVALID: the target does not refine the source
// CHECK: Inputs
// CHECK-NEXT: %arg0 : i32 = -1
// CHECK: Source values {{.*}}Target values
// CHECK: %c2_i32 = arith.constant  ->  2 {{.*}}%c1_i32 = arith.constant  ->  1
// CHECK: ! %0 = arith.divsi %arg0, %c2_i32  ->  0
// CHECK: Difference
// CHECK-NEXT: result #0: source 0, target -1
// CHECK: Reproducer: f.reproducer.mlir
// Plain when it is no terminal.
// CHECK-NOT: {{\[3}}

// REPLAY: f.reproducer.mlir:3: ok, INVALID

//--- src.mlir
func.func @f(%x: i32) -> i32 {
  %two = arith.constant 2 : i32
  %0 = arith.divsi %x, %two : i32
  return %0 : i32
}
//--- tgt.mlir
func.func @f(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %0 = arith.shrsi %x, %one : i32
  return %0 : i32
}
