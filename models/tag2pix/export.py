# Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for licence information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a network as a `.pt2` file, with inputs and expected outputs, or its weights.

    python export.py --weights RUN/generator.pt --out tag2pix-64.pt2
    python export.py --weights tag2pix-64.pt2 --batch 8 --out batch8.pt2
    python export.py --weights tag2pix-64.pt2 --half --out tag2pix-64.safetensors
    python export.py --untrained --out untrained.pt2
    python export.py --full-size 256 --out full.pt2
    python export.py --discriminator 256 --out disc.pt2

The graph is functional with composite operators kept whole and its batch is
fixed.  Beside NAME.pt2 lie NAME.<input>.npy and NAME.out<k>.npy.  A
`.safetensors` file holds the weights alone, with `--half` rounded to float16,
and the settings of the network as its metadata.
"""

from __future__ import annotations

import argparse
import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import torch
from torch import nn

import synth
from model import (
    Colorizer,
    Discriminator,
    Extractor,
    Generator,
    GeneratorConfig,
    count_parameters,
    full_config,
    reduced_config,
    soften_residuals,
)

CONFIG = "tag2pix.json"  # name of the configuration inside the .pt2 and .safetensors


class ExportError(Exception):
    """A message for the user."""


def build(config: dict, weights: dict) -> Generator:
    """A generator without guide decoder from saved settings and weights."""
    config = {**config, "blocks": tuple(config["blocks"]), "guide": False}
    generator = Generator(GeneratorConfig(**config))
    kept = {k: v for k, v in weights.items() if not k.startswith("guide.")}
    generator.load_state_dict(kept)
    return generator.eval()


def load_generator(path: Path) -> Generator:
    """Read a trained generator: `generator.pt` or `checkpoint.pt` of a run, `.pt2`, `.safetensors`."""
    if not path.is_file():
        raise ExportError(f"no such file: {path}")
    try:
        if path.suffix == ".pt2":
            if not zipfile.is_zipfile(path):
                raise ExportError(f"{path} is not a .pt2 archive")
            extra = {CONFIG: ""}
            program = torch.export.load(path, extra_files=extra)
            state = {k.removeprefix("generator."): v for k, v in program.state_dict.items()}
            return build(json.loads(extra[CONFIG]), state)
        if path.suffix == ".safetensors":
            return build(*read_safetensors(path))
        saved = torch.load(path, weights_only=True)
        return build(saved["config"], saved.get("weights") or saved["g"])
    except ExportError:
        raise
    except Exception as e:  # torch raises many kinds for a damaged file
        raise ExportError(f"{path} is not a Tag2Pix generator: {e}") from e


def safetensors_library():
    """The two modules needed of the safetensors package."""
    try:
        import safetensors
        import safetensors.torch
    except ImportError as e:
        raise ExportError("the safetensors package is missing: pip install safetensors") from e
    return safetensors, safetensors.torch


def read_safetensors(path: Path) -> tuple[dict, dict]:
    """Settings and weights, widened to float32."""
    library, _ = safetensors_library()
    with library.safe_open(path, "pt") as f:
        settings = (f.metadata() or {}).get(CONFIG)
        if settings is None:
            raise ExportError(f"{path} has no {CONFIG} in its metadata")
        return json.loads(settings), {k: f.get_tensor(k).float() for k in f.keys()}


def write_safetensors(generator: Generator, out: Path, half: bool) -> None:
    """The weights under the names they have in `model.py`, no guide decoder."""
    _, library = safetensors_library()
    config = {**generator.config.to_dict(), "guide": False}
    kind = torch.float16 if half else torch.float32
    weights = {
        k: v.to(kind).contiguous()
        for k, v in generator.state_dict().items()
        if not k.startswith("guide.")
    }
    out.write_bytes(library.save(weights, {CONFIG: json.dumps(config)}))
    print(f"export: {out}: {out.stat().st_size} bytes, {len(weights)} tensors, {kind}")


def example(size: int, batch: int, tags: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Unseen synthetic line art [n,1,s,s] and random tags [n,tags]."""
    data = synth.make_shapes(synth.TEST_SEED + 900_000 + seed, batch, size)
    vocab, rows = synth.Vocabulary(), []
    for k in range(batch):
        rng = np.random.default_rng((seed, k))
        if tags == len(vocab.tags):
            rows.append(synth.pick_tags(rng, vocab, 1)[0][0])
        else:
            rows.append((rng.random(tags) < 0.06).astype(np.float32))
    return torch.from_numpy(synth.line_art(data["ink"])), torch.from_numpy(np.stack(rows))


@torch.no_grad()
def calibrate(net: nn.Module, inputs: tuple[torch.Tensor, ...], seed: int) -> None:
    """Give a random net sane statistics: BN from a batch, varied scales."""
    gen = torch.Generator().manual_seed(seed)
    norms = [m for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    for m in norms:
        m.momentum = None
        m.weight.copy_(torch.rand(m.weight.shape, generator=gen) * 0.4 + 0.8)
        m.bias.copy_(torch.randn(m.bias.shape, generator=gen) * 0.1)
    net.train()
    net(*inputs)
    net.eval()
    for m in norms:
        m.momentum = 0.1


@torch.no_grad()
def settle(net: nn.Module, factor: float = 0.2) -> None:
    """Make residual branches with batch norm small, as in a trained net.

    Without it, 30 random blocks amplify rounding so much that float32 results
    carry 3e-3 of error, and comparing two programs would say nothing.
    """
    for m in net.modules():
        if isinstance(getattr(m, "bn3", None), nn.BatchNorm2d):
            m.bn3.weight.mul_(factor)


@torch.no_grad()
def unsaturate(net: nn.Module, last: nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
    """Scale the layer before the final tanh or sigmoid to unit spread."""
    seen = []
    handle = last.register_forward_hook(lambda m, i, o: seen.append(o.square().mean().sqrt()))
    net(*inputs)
    handle.remove()
    last.weight.div_(seen[0].clamp_min(1e-6))


def random_full(size: int, seed: int) -> tuple[nn.Module, tuple[torch.Tensor, ...]]:
    """The full-size generator with extractor, random weights."""
    torch.manual_seed(seed)
    generator, extractor = Generator(full_config(size)), Extractor()
    generator.guide = None
    soften_residuals(generator, 0.5 if size == 256 else 0.2)
    net = Colorizer(generator, extractor)
    inputs = example(size, 2, generator.config.tags, seed)
    calibrate(net, inputs, seed)
    settle(net)
    unsaturate(net, generator.head_last, inputs)
    return net, inputs


def random_discriminator(size: int, seed: int) -> nn.Module:
    """The full-size discriminator, random weights."""
    torch.manual_seed(seed)
    net = Discriminator()
    image = torch.rand(4, 3, size, size) * 2 - 1
    calibrate(net, (image,), seed)
    for head in net.heads:
        unsaturate(net, head, (image,))
    return net


def random_reduced(seed: int) -> Generator:
    """The reduced generator as it is before training."""
    torch.manual_seed(seed)
    generator = Generator(reduced_config())
    soften_residuals(generator)
    return build(generator.config.to_dict(), generator.state_dict())


def write(net: nn.Module, inputs: dict[str, torch.Tensor], out: Path, config: dict) -> None:
    """Export, save, and store the inputs and the outputs in eager mode."""
    net.eval()
    values = tuple(inputs.values())
    with torch.no_grad():
        program = torch.export.export(net, values).run_decompositions({})
        result = net(*values)
    torch.export.save(program, out, extra_files={CONFIG: json.dumps(config)})
    stem = out.with_suffix("")
    for name, value in inputs.items():
        np.save(f"{stem}.{name}.npy", value.numpy())
    results = result if isinstance(result, tuple) else (result,)
    for k, value in enumerate(results):
        np.save(f"{stem}.out{k}.npy", value.numpy())
    shapes = ", ".join(f"{n} {list(v.shape)}" for n, v in inputs.items())
    print(f"export: {out}: {out.stat().st_size} bytes, {count_parameters(net)} parameters")
    print(f"export: inputs {shapes}; outputs {[list(v.shape) for v in results]}")


def run(a: argparse.Namespace) -> None:
    """Choose the network and write it."""
    if a.discriminator:
        net = random_discriminator(a.discriminator, a.seed)
        gen = torch.Generator().manual_seed(a.seed + 1)
        image = torch.rand(a.batch, 3, a.discriminator, a.discriminator, generator=gen)
        write(net, {"image": image * 2 - 1}, a.out, {"kind": "discriminator"})
        return
    if a.full_size:
        net, _ = random_full(a.full_size, a.seed)
        generator = net.generator
    else:
        generator = random_reduced(a.seed) if a.untrained else load_generator(a.weights)
        net = Colorizer(generator)
    if a.out.suffix == ".safetensors":
        write_safetensors(generator, a.out, a.half)
        return
    c = generator.config
    line, tags = example(c.size, a.batch, c.tags, a.seed)
    write(net, {"line": line, "tags": tags}, a.out, c.to_dict())


def main(argv: list[str] | None = None) -> int:
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = p.add_mutually_exclusive_group(required=True)
    what.add_argument("--weights", type=Path, help="generator.pt of a run, or a .pt2")
    what.add_argument("--untrained", action="store_true")
    what.add_argument("--full-size", type=int, choices=(256, 512))
    what.add_argument("--discriminator", type=int, choices=(256, 512))
    p.add_argument("--batch", type=int, default=1)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--half", action="store_true", help="float16 in a .safetensors")
    p.add_argument("--out", type=Path, required=True, help=".pt2 or .safetensors")
    a = p.parse_args(argv)
    torch.set_num_threads(1)
    try:
        if a.batch < 1:
            raise ExportError("--batch must be at least 1")
        weights_only = a.out.suffix == ".safetensors"
        if a.out.suffix != ".pt2" and not weights_only:
            raise ExportError("--out must end in .pt2 or .safetensors")
        if weights_only and (a.full_size or a.discriminator):
            raise ExportError("a .safetensors is written for the reduced generator only")
        if a.half and not weights_only:
            raise ExportError("--half is for a .safetensors: programs compute in float32")
        if not a.out.parent.is_dir():
            raise ExportError(f"no such folder: {a.out.parent}")
        run(a)
    except ExportError as e:
        print(f"export: {e}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
