// RUN: split-file %s %t
// RUN: panpipe-opt %t/good.mlir --validate --validate-report=%t/report.json -canonicalize -cse -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=GOOD
// RUN: FileCheck %s --check-prefix=JSON < %t/report.json
// RUN: panpipe-opt %t/good.mlir --validate --convert-linalg-to-loops --linalg-generalize-named-ops -o - 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: panpipe-opt %t/good.mlir --validate --canonicalize --one-shot-bufferize=bufferize-function-boundaries -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=MEMREF

// Only passes that changed something have a line.
// GOOD: Validation of the passes that changed something
// GOOD-NEXT: pass {{ *}}function {{ *}}verdict
// GOOD-NEXT: canonicalize {{ *}}@f {{ *}}VALID
// GOOD-NOT: cse
// GOOD: 1 of 1 covered passes proved: VALID

// JSON: "passes": [
// JSON: "pass": "canonicalize"
// JSON: "verdict": "VALID"

// NAMED: linalg-generalize-named-ops {{ *}}@f {{ *}}VALID

// MEMREF: canonicalize {{.*}}VALID
// MEMREF: one-shot-bufferize {{ *}}@f {{ *}}UNSUPPORTED
// MEMREF: 1 of 2 covered passes proved: UNSUPPORTED

//--- good.mlir
func.func @f(%x: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.addi %c0, %c1 : i32
  %e = tensor.empty() : tensor<4x4xi32>
  %z = linalg.fill ins(%c2 : i32) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xi32>, tensor<4x4xi32>) outs(%z : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}
