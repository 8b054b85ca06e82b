"""Executes random programs by the interpreter and by mlir-runner.

Each program fills memory, runs loops, views and conditionals on it, and
returns a checksum. mlir-opt lowers it to LLVM and mlir-runner executes it. The
validator is then asked whether "return CHECKSUM" refines the program: only its
interpreter can say INVALID, and must not for this number, and must for
another one.

usage: against_runner.py PANPIPE-TV MLIR-OPT MLIR-RUNNER FOLDER [COUNT [SEED]]
"""

import pathlib
import random
import subprocess
import sys

LOWER = [
    "--convert-linalg-to-loops", "--lower-affine", "--convert-scf-to-cf",
    "--expand-strided-metadata", "--lower-affine",
    "--finalize-memref-to-llvm", "--arith-expand", "--convert-arith-to-llvm",
    "--convert-index-to-llvm", "--convert-cf-to-llvm",
    "--convert-func-to-llvm", "--reconcile-unrealized-casts"]


class Program:
    """Defined by construction: no poison, no access out of bounds."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.count = [], 0
        self.scalars, self.indices = ["%k0", "%k1"], ["%c0", "%c1", "%c2"]
        # Memrefs with their type; all of four rows.
        self.memrefs = [("%m", "memref<4xi32>"), ("%q", "memref<4xi32>")]

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def line(self, text):
        self.lines.append("  " + text)

    def pick(self, items):
        return self.random.choice(items)

    def arithmetic(self):
        v, a, b = self.fresh(), self.pick(self.scalars), self.pick(self.scalars)
        op = self.pick(["addi", "subi", "muli", "andi", "ori", "xori", "maxsi",
                        "minui", "divsi", "remui", "floordivsi", "shrsi"])
        if op in ("divsi", "remui", "floordivsi", "shrsi"):
            # A divisor or shift amount from 1 to 15.
            low, one = self.fresh(), self.fresh()
            self.line(f"{low} = arith.andi {b}, %k14 : i32")
            self.line(f"{one} = arith.ori {low}, %k1 : i32")
            b = one
        self.line(f"{v} = arith.{op} {a}, {b} : i32")
        self.scalars.append(v)

    def load(self):
        v, (m, t) = self.fresh(), self.pick(self.memrefs)
        self.line(f"{v} = memref.load {m}[{self.pick(self.indices)}] : {t}")
        self.scalars.append(v)

    def store(self):
        m, t = self.pick(self.memrefs)
        self.line(f"memref.store {self.pick(self.scalars)}, "
                  f"{m}[{self.pick(self.indices)}] : {t}")

    def view(self):
        """A reversed, strided or shifted view of a new block with contents."""
        a, v, (m, t) = self.fresh(), self.fresh(), self.pick(self.memrefs)
        self.line(f"{a} = memref.alloc() : memref<12xi32>")
        self.line(f"linalg.fill ins({self.pick(self.scalars)} : i32) "
                  f"outs({a} : memref<12xi32>)")
        offset, stride = self.random.randrange(3), self.random.randrange(1, 4)
        kind = f"memref<4xi32, strided<[{stride}], offset: {offset}>>"
        self.line(f"{v} = memref.subview {a}[{offset}] [4] [{stride}] : "
                  f"memref<12xi32> to {kind}")
        # memref.copy would need a library.
        self.line(f"linalg.copy ins({m} : {t}) outs({v} : {kind})")
        self.memrefs.append((v, kind))
        if self.random.random() < 0.5:
            e, x = self.fresh(), self.fresh()
            self.line(f"{e} = memref.expand_shape {a} [[0, 1]] output_shape "
                      f"[3, 4] : memref<12xi32> into memref<3x4xi32>")
            tr = self.fresh()
            self.line(f"{tr} = memref.transpose {e} (i, j) -> (j, i) : "
                      "memref<3x4xi32> to memref<4x3xi32, strided<[1, 4]>>")
            self.line(f"{x} = memref.load {tr}[{self.pick(self.indices)}, %c2]"
                      " : memref<4x3xi32, strided<[1, 4]>>")
            self.scalars.append(x)

    def generic(self):
        (a, ta), (b, tb) = self.pick(self.memrefs), self.pick(self.memrefs)
        self.line(f"linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, "
                  f"affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}} "
                  f"ins({a} : {ta}) outs({b} : {tb}) {{")
        self.line("^bb0(%x: i32, %y: i32):")
        v = self.fresh()
        self.line(f"{v} = arith.{self.pick(['addi', 'muli', 'xori'])} %x, %y "
                  ": i32")
        self.line(f"linalg.yield {v} : i32")
        self.line("}")

    def affine(self):
        (a, ta), (b, tb) = self.pick(self.memrefs), self.pick(self.memrefs)
        i, v, w = self.fresh(), self.fresh(), self.fresh()
        index = [i, f"3 - {i}", f"({i} * 3 + 1) mod 4", f"{i} floordiv 2"]
        self.line(f"affine.for {i} = {self.random.randrange(2)} to "
                  f"{self.random.randrange(1, 5)} "
                  f"step {self.random.randrange(1, 3)} {{")
        self.line(f"{v} = affine.load {a}[{self.pick(index)}] : {ta}")
        self.line(f"{w} = arith.subi {v}, {self.pick(self.scalars)} : i32")
        self.line(f"affine.store {w}, {b}[{self.pick(index)}] : {tb}")
        self.line("}")

    def scope(self, body, *arguments):
        outer = list(self.scalars), list(self.indices), list(self.memrefs)
        body(*arguments)
        self.scalars, self.indices, self.memrefs = outer

    def loop(self, depth):
        r, i, s = self.fresh(), self.fresh(), self.fresh()
        self.line(f"{r} = scf.for {i} = %c{self.random.randrange(2)} to "
                  f"%c{self.random.randrange(5)} step "
                  f"%c{self.random.randrange(1, 3)} iter_args({s} = "
                  f"{self.pick(self.scalars)}) -> (i32) {{")

        def body():
            self.scalars.append(s)
            self.indices.append(i)
            self.statements(self.random.randrange(1, 4), depth + 1)
            self.line(f"scf.yield {self.scalars[-1]} : i32")

        self.scope(body)
        self.line("}")
        self.scalars.append(r)

    def loop_while(self, depth):
        r, i, s, c, n = (self.fresh() for _ in range(5))
        self.line(f"{r}:2 = scf.while ({i} = %k0, {s} = "
                  f"{self.pick(self.scalars)}) : (i32, i32) -> (i32, i32) {{")

        def before():
            self.scalars.append(s)
            self.statements(self.random.randrange(2), depth + 1)
            self.line(f"{c} = arith.cmpi slt, {i}, %k14 : i32")
            self.line(f"scf.condition({c}) {i}, {self.scalars[-1]} : i32, i32")

        self.scope(before)
        j, u = self.fresh(), self.fresh()
        self.line("} do {")
        self.line(f"^bb0({j}: i32, {u}: i32):")

        def after():
            self.scalars.append(u)
            self.statements(self.random.randrange(1, 3), depth + 1)
            self.line(f"{n} = arith.addi {j}, %k5 : i32")
            self.line(f"scf.yield {n}, {self.scalars[-1]} : i32, i32")

        self.scope(after)
        self.line("}")
        self.scalars.append(f"{r}#1")

    def branch(self, depth):
        c, r = self.fresh(), self.fresh()
        predicate = self.pick(["slt", "ult", "eq", "sge"])
        self.line(f"{c} = arith.cmpi {predicate}, {self.pick(self.scalars)}, "
                  f"{self.pick(self.scalars)} : i32")
        self.line(f"{r} = scf.if {c} -> (i32) {{")

        def side():
            self.statements(self.random.randrange(3), depth + 1)
            self.line(f"scf.yield {self.pick(self.scalars)} : i32")

        self.scope(side)
        self.line("} else {")
        self.scope(side)
        self.line("}")
        self.scalars.append(r)

    def statements(self, count, depth):
        simple = [self.arithmetic, self.arithmetic, self.load, self.store,
                  self.store, self.view, self.generic, self.affine]
        for _ in range(count):
            if depth < 2 and self.random.random() < 0.4:
                self.pick([self.loop, self.loop_while, self.branch])(depth)
            else:
                self.pick(simple)()

    def text(self):
        self.statements(6, 0)
        head = ["func.func @main() -> i64 {"]
        for i in range(5):
            head.append(f"  %c{i} = arith.constant {i} : index")
        for k in (0, 1, 5, 14, -7, 31):
            name = str(k).replace("-", "n")
            head.append(f"  %k{name} = arith.constant {k} : i32")
        for m, start in (("%m", "%kn7"), ("%q", "%k31")):
            head.append(f"  {m} = memref.alloc() : memref<4xi32>")
            head.append(f"  linalg.fill ins({start} : i32) outs({m} : "
                        "memref<4xi32>)")
        # Horner's rule over all that is visible at the end.
        tail = ["  %h0 = arith.constant 7 : i64",
                "  %p = arith.constant 1000003 : i64"]
        values = list(self.scalars[-4:])
        for m, t in self.memrefs:
            for i in range(4):
                v = self.fresh()
                tail.append(f"  {v} = memref.load {m}[%c{i}] : {t}")
                values.append(v)
        for n, value in enumerate(values):
            tail.append(f"  %e{n} = arith.extsi {value} : i32 to i64")
            tail.append(f"  %g{n} = arith.muli %h{n}, %p : i64")
            tail.append(f"  %h{n + 1} = arith.addi %g{n}, %e{n} : i64")
        tail.append(f"  return %h{len(values)} : i64\n}}")
        return "\n".join(head + self.lines + tail) + "\n"


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def main():
    tv, opt, runner, folder = sys.argv[1:5]
    count = int(sys.argv[5]) if len(sys.argv) > 5 else 5
    seed = int(sys.argv[6]) if len(sys.argv) > 6 else 0
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for k in range(seed, seed + count):
        text = Program(k).text()
        source, target = folder / f"{k}.mlir", folder / f"{k}.result.mlir"
        source.write_text(text)
        lowered = run([opt, str(source), *LOWER])
        if lowered.returncode:
            sys.exit(f"{source}: {lowered.stderr}")
        executed = run([runner, "-e", "main", "--entry-point-result=i64"],
                       input=lowered.stdout)
        if executed.returncode:
            sys.exit(f"{source}: {executed.stderr}")
        number = int(executed.stdout)
        for value, invalid in ((number, False), (number ^ 1, True)):
            target.write_text(f"func.func @main() -> i64 {{\n  %0 = "
                              f"arith.constant {value} : i64\n  return %0 : "
                              "i64\n}\n")
            verdict = run([tv, "--reproducer=", "--timeout=1", str(source),
                           str(target)])
            if (verdict.returncode == 1) != invalid or verdict.returncode == 5:
                wrong += 1
                print(f"{source}: the runner says {number}, the interpreter "
                      f"about {value}:\n{verdict.stdout}{verdict.stderr}")
    print(f"{count} programs, {wrong} wrong")
    sys.exit(wrong != 0)


main()
