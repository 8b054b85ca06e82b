// RUN: split-file %s %t
// RUN: cd %t && not panpipe-tv src.mlir tgt.mlir > out.txt
// RUN: FileCheck %s < %t/out.txt
// RUN: cd %t && panpipe-tv --expect f.reproducer.mlir | FileCheck %s --check-prefix=REPLAY

// The parts of a report stand in this order.
// CHECK: @f  INVALID
// CHECK: Source {{.*}}Target
// CHECK: func.func @f(%arg0: f32) -> f32 { {{.*}}func.func @f(%arg0: f32) -> f32 {
// CHECK: INVALID: the target does not refine the source
// CHECK: Inputs
// CHECK-NEXT: %arg0 : f32 = -0.0
// CHECK: Source values {{.*}}Target values
// CHECK: %cst = arith.constant  ->  0.0
// CHECK: ! %0 = arith.addf %arg0, %cst  ->  0.0
// CHECK: Difference
// CHECK-NEXT: result #0: source 0.0, target -0.0
// CHECK: Reproducer: f.reproducer.mlir
// Plain when it is no terminal.
// CHECK-NOT: {{\[3}}

// REPLAY: f.reproducer.mlir:3: ok, INVALID

//--- src.mlir
func.func @f(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %0 = arith.addf %x, %zero : f32
  return %0 : f32
}
//--- tgt.mlir
func.func @f(%x: f32) -> f32 {
  return %x : f32
}
