// Two rewrites of MLIR 22.1 that are wrong, found and explained. (Should a later
// MLIR repair them, these tests need other victims.)
// RUN: split-file %s %t
// RUN: not panpipe-opt %t/nsw.mlir --validate --canonicalize --cse -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=NSW
// RUN: not panpipe-opt %t/nsw.mlir --validate=stop --canonicalize --symbol-privatize -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=STOP
// RUN: not panpipe-opt %t/matmul.mlir --validate --linalg-specialize-generic-ops -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=MATMUL

// The merged constant wraps, the flag is kept.
// NSW: after pass 'canonicalize':
// NSW: @f  INVALID
// NSW: %arg0 : i8 = -128
// NSW: result #0: source 72, target poison
// NSW: canonicalize  @f        INVALID
// NSW: 0 of 1 covered passes proved: INVALID

// STOP: the pass 'canonicalize' does not preserve the program
// STOP-NOT: symbol-privatize

// On i1, addition is exclusive or, but linalg.matmul means or.
// MATMUL: result #0 at [0, 0]: source false, target true

//--- nsw.mlir
func.func @f(%x: i8) -> i8 {
  %c = arith.constant 100 : i8
  %0 = arith.addi %x, %c overflow<nsw> : i8
  %1 = arith.addi %0, %c overflow<nsw> : i8
  return %1 : i8
}
//--- matmul.mlir
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @f(%a: tensor<2x3xi1>, %b: tensor<3x2xi1>, %c: tensor<2x2xi1>) -> tensor<2x2xi1> {
  %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x3xi1>, tensor<3x2xi1>) outs(%c : tensor<2x2xi1>) {
  ^bb0(%x: i1, %y: i1, %o: i1):
    %1 = arith.muli %x, %y : i1
    %2 = arith.addi %o, %1 : i1
    linalg.yield %2 : i1
  } -> tensor<2x2xi1>
  return %0 : tensor<2x2xi1>
}
