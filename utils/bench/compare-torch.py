#!/usr/bin/env python3
"""Compares a compiled model with PyTorch eager on the same threads, in one run.

One worker process per framework; the driver calls them in turn, so that both see
the same load of the machine. Prints process CPU time (median and minimum) and wall
time, the ratio PyTorch / Panpipe, and the largest difference of the outputs.

usage: compare-torch.py MODEL.pt2 NET.panpipe [--threads N] [--rounds N]
                        [--inputs A.npy,B.npy] [--library build/lib/libpanpipe_runtime.so]
Without --inputs, the inputs are random numbers in [0, 1).
Run it with a Python that has torch and numpy.
"""
import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import time


def tensors_of(path, library):
    """Names, shapes and dtypes of the inputs and outputs of a loaded executable."""
    lib = ctypes.CDLL(library)
    lib.panpipe_last_error.restype = ctypes.c_char_p
    for name, result in [("name", ctypes.c_char_p), ("dtype", ctypes.c_char_p),
                         ("rank", ctypes.c_size_t), ("count", ctypes.c_size_t),
                         ("shape", ctypes.POINTER(ctypes.c_int64))]:
        getattr(lib, "panpipe_tensor_" + name).restype = result
    handle = ctypes.c_void_p()
    threads = int(os.environ["OMP_NUM_THREADS"])
    if lib.panpipe_load(path.encode(), None, threads, ctypes.byref(handle)):
        sys.exit(lib.panpipe_last_error().decode())

    def infos(which):
        result = []
        for i in range(lib.panpipe_tensor_count(handle, which)):
            rank = lib.panpipe_tensor_rank(handle, which, ctypes.c_size_t(i))
            shape = lib.panpipe_tensor_shape(handle, which, ctypes.c_size_t(i))[:rank]
            dtype = lib.panpipe_tensor_dtype(handle, which, ctypes.c_size_t(i)).decode()
            result.append((shape, dtype))
        return result
    return lib, handle, infos(0), infos(1)


def make_inputs(infos, files):
    import numpy as np
    if files:
        return [np.ascontiguousarray(np.load(path)) for path in files.split(",")]
    rng = np.random.default_rng(1)
    types = {"f32": np.float32, "f64": np.float64, "i64": np.int64, "i32": np.int32,
             "bool": np.bool_, "u8": np.uint8}
    return [np.ascontiguousarray(rng.random(shape).astype(types[dtype]))
            for shape, dtype in infos]


def worker(args):
    """Answers each line on stdin by one run: {"wall", "cpu"}; the first line of
    output tells that it is ready."""
    import numpy as np
    infos = json.loads(args.infos) if args.infos else None
    if args.worker == "panpipe":
        lib, handle, inputs, outputs = tensors_of(args.executable, args.library)
        arrays = make_inputs(inputs, args.inputs)
        results = [np.zeros(shape, np.float32) for shape, _ in outputs]
        ins = (ctypes.c_void_p * len(arrays))(*[a.ctypes.data for a in arrays])
        outs = (ctypes.c_void_p * len(results))(*[a.ctypes.data for a in results])
        def run():
            if lib.panpipe_run(handle, ins, outs):
                sys.exit(lib.panpipe_last_error().decode())
            return results
        hello = {"infos": inputs}
    else:
        import torch
        torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
        model = torch.export.load(args.model).module()
        tensors = [torch.from_numpy(a) for a in make_inputs(infos, args.inputs)]
        def run():
            with torch.no_grad():
                result = model(*tensors)
            result = result if isinstance(result, (tuple, list)) else [result]
            return [r.numpy() for r in result]
        hello = {"torch": torch.__version__}
    run()
    print(json.dumps(hello), flush=True)
    for line in sys.stdin:
        wall, cpu = time.perf_counter(), time.process_time()
        result = run()
        answer = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
        if line.strip() == "save":
            np.savez(args.save, *result)
        print(json.dumps(answer), flush=True)


class Worker:
    def __init__(self, kind, args, infos=None):
        env = dict(os.environ, OMP_NUM_THREADS=str(args.threads))
        command = [sys.executable, __file__, args.model, args.executable, "--worker", kind,
                   "--library", args.library, "--save", f"{args.save}.{kind}.npz"]
        if args.inputs:
            command += ["--inputs", args.inputs]
        if infos:
            command += ["--infos", json.dumps(infos)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, env=env,
                                        stdout=subprocess.PIPE, text=True)
        self.hello = self.read()
        self.times = []

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit("a worker ended early")
        return json.loads(line)

    def run(self, word="run"):
        print(word, file=self.process.stdin, flush=True)
        answer = self.read()
        self.times.append(answer)

    def line(self, name):
        cpu = [t["cpu"] * 1e3 for t in self.times]
        wall = [t["wall"] * 1e3 for t in self.times]
        return (f"  {name:8} CPU {statistics.median(cpu):8.2f} ms (min {min(cpu):8.2f})   "
                f"wall {statistics.median(wall):8.2f} ms (min {min(wall):8.2f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model")
    parser.add_argument("executable")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--inputs")
    parser.add_argument("--library", default=os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "../../build/lib/libpanpipe_runtime.so"))
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--infos", help=argparse.SUPPRESS)
    parser.add_argument("--save", default=f"/tmp/panpipe-bench-{os.getpid()}", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        return worker(args)

    import numpy as np
    ours = Worker("panpipe", args)
    theirs = Worker("torch", args, ours.hello["infos"])
    for _ in range(args.rounds):
        ours.run()
        theirs.run()
    ours.run("save")
    theirs.run("save")
    results = [np.load(f"{args.save}.{kind}.npz") for kind in ("panpipe", "torch")]
    worst = max(float(np.abs(results[0][k] - results[1][k]).max()) for k in results[0].files)
    for kind in ("panpipe", "torch"):
        os.remove(f"{args.save}.{kind}.npz")
    print(f"{os.path.basename(args.model)}, {args.threads} thread(s), torch {theirs.hello['torch']} eager, "
          f"{args.rounds} rounds in turn, load {os.getloadavg()[0]:.1f}")
    print(ours.line("panpipe"))
    print(theirs.line("torch"))
    for what in ("cpu", "wall"):
        a = [t[what] for t in ours.times]
        b = [t[what] for t in theirs.times]
        print(f"  ratio torch / panpipe, {what}: median {statistics.median(b) / statistics.median(a):.2f}, "
              f"minimum {min(b) / min(a):.2f}")
    print(f"  largest difference of the outputs: {worst:.2e}")


if __name__ == "__main__":
    main()
