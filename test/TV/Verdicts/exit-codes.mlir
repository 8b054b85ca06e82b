// Each verdict with its exit code; bash tells them apart.
// RUN: split-file %s %t
// RUN: cd %t && panpipe-tv a.mlir a.mlir
// RUN: cd %t && bash -c 'panpipe-tv --reproducer= a.mlir wrong.mlir; test $? = 1'
// RUN: cd %t && bash -c 'panpipe-tv foo.mlir foo.mlir; test $? = 4' | FileCheck %s --check-prefix=FOO
// RUN: cd %t && bash -c 'panpipe-tv a.mlir broken.mlir 2>&1; test $? = 5' | FileCheck %s --check-prefix=BROKEN
// RUN: cd %t && bash -c 'panpipe-tv a.mlir nofile.mlir 2>&1; test $? = 5' | FileCheck %s --check-prefix=NOFILE
// RUN: cd %t && bash -c 'panpipe-tv a.mlir b.mlir; test $? = 5' | FileCheck %s --check-prefix=MISSING
// RUN: cd %t && bash -c 'panpipe-tv a.mlir types.mlir; test $? = 5' | FileCheck %s --check-prefix=TYPES
// RUN: cd %t && bash -c 'panpipe-tv --function=nope a.mlir a.mlir; test $? = 5' | FileCheck %s --check-prefix=NOPE
// RUN: cd %t && bash -c 'panpipe-tv --color=blue a.mlir a.mlir 2>&1; test $? = 5' | FileCheck %s --check-prefix=BLUE

// Options and files that would make a check of nothing.
// RUN: cd %t && bash -c 'panpipe-tv --index-width=0 a.mlir a.mlir 2>&1; test $? = 5' | FileCheck %s --check-prefix=WIDTH
// RUN: cd %t && bash -c 'panpipe-tv --timeout=nan a.mlir a.mlir 2>&1; test $? = 5' | FileCheck %s --check-prefix=TIME
// RUN: cd %t && bash -c 'panpipe-tv --allow=reasoc a.mlir a.mlir 2>&1; test $? = 5' | FileCheck %s --check-prefix=ALLOW
// RUN: cd %t && printf "\n// -----\n" > empty.mlir
// RUN: cd %t && bash -c 'panpipe-tv --expect empty.mlir 2>&1; test $? = 5' | FileCheck %s --check-prefix=EMPTY
// RUN: cd %t && bash -c 'panpipe-tv --split empty.mlir 2>&1; test $? = 5' | FileCheck %s --check-prefix=EMPTY
// WIDTH: the width of index must be 1 to 64 bits, not 0
// TIME: the timeout must be a positive number of seconds
// ALLOW: there is no assumption 'reasoc' to allow; there are: nsz, {{.*}}reassoc
// EMPTY: empty.mlir: the file is empty

// The reproducer of a function whose name is no file name.
// RUN: cd %t && sed 's,@f,@"../f",' a.mlir > a2.mlir && sed 's,@f,@"../f",' wrong.mlir > wrong2.mlir
// RUN: cd %t && bash -c 'panpipe-tv a2.mlir wrong2.mlir; test $? = 1' && ls .._f.reproducer.mlir

// FOO: UNSUPP{{ORTED}}: {{.*}}foo.bar{{.*}}foo.mlir:2
// BROKEN: broken.mlir:1:{{[0-9]+}}: error:
// NOFILE: nofile.mlir
// MISSING: @f  BAD-INPUT
// MISSING: the function is missing in the target
// MISSING: @g  BAD-INPUT
// MISSING: the function is only in the target
// MISSING: function verdict
// TYPES: BAD-INPUT: the signature changed from (i8) -> i8 to (i8) -> i16
// NOPE: there is nothing to compare: no function '@nope'
// BLUE: --color must be auto, always or never

//--- a.mlir
func.func @f(%x: i8) -> i8 {
  %0 = arith.addi %x, %x : i8
  return %0 : i8
}
//--- wrong.mlir
func.func @f(%x: i8) -> i8 {
  return %x : i8
}
//--- foo.mlir
func.func @f(%x: i8) -> i8 {
  %0 = "foo.bar"(%x) : (i8) -> i8
  return %0 : i8
}
//--- broken.mlir
func.func @f(
//--- b.mlir
func.func @g(%x: i8) -> i8 {
  return %x : i8
}
//--- types.mlir
func.func @f(%x: i8) -> i16 {
  %0 = arith.extsi %x : i8 to i16
  return %0 : i16
}
