// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-dump-plan="output=%t" -o %t.mlir
// RUN: FileCheck %s < %t
// RUN: panpipe-opt %S/Inputs/mlp.mlir --pipe-partition=devices=2 --pipe-dump-plan="microbatches=4 device-kind=h100" 2>&1 >/dev/null | FileCheck %s --check-prefix=MANY

// CHECK: plan of mlp: 2 stages on 2 devices, 1 microbatch, costs analytic, cpu
// CHECK-NEXT: stage  device  nodes  time {{ *}}receives  parameters  memory  first {{ *}}last
// CHECK-NEXT: s0     0       2      {{[0-9.]+}} ms  0 B       256 B       512 B   mlp.fc1  mlp.act
// CHECK-NEXT: s1     1       2      {{[0-9.]+}} ms  256 B     64 B        576 B   mlp.fc2  mlp.add
// CHECK-NEXT: slowest stage or transfer: {{[0-9.]+}} ms, lower bound {{[0-9.]+}} ms, gap {{[0-9.]+}} %
// CHECK-NEXT: time for 1 microbatch: {{[0-9.]+}} ms, lower bound

// MANY: 4 microbatches, costs analytic, h100
