#!/usr/bin/env python3
"""Writes the seed corpus of panpipe-pt2-fuzzer, from fixtures that are at hand:

    python3 utils/make-fuzz-corpus.py test/Fuzz/PT2Corpus archive.pt2 …

Each archive gives one seed in the short form of PT2Fuzzer.cpp: for each entry its
name, a newline, its text, a zero byte. Only the first small program of an archive
is taken; weights become text of the same length. One real zip file is added.
"""
import json
import os
import sys
import zipfile


def short_form(path):
    archive = zipfile.ZipFile(path)
    names = archive.namelist()
    programs = sorted((n for n in names if "/models/" in n), key=lambda n:
                      archive.getinfo(n).file_size)
    program = programs[0]
    stem = os.path.basename(program)[:-5]
    out = b""
    for name in names:
        data = archive.read(name)
        if "/extra/" in name or "sample_inputs" in name or "serialization_id" in name:
            continue
        if "/models/" in name or "_config.json" in name:
            if stem not in os.path.basename(name) or name.endswith("json") and \
               "/models/" in name and name != program:
                continue
            data = json.dumps(json.loads(data), separators=(",", ":")).encode()
        elif "/data/" in name:
            data = b"w" * min(len(data), 600)
        out += name.encode() + b"\n" + data + b"\0"
    return out


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for path in sys.argv[2:]:
        stem = os.path.basename(path)[:-4]
        with open(os.path.join(folder, stem), "wb") as f:
            f.write(short_form(path))
    with open(sys.argv[2], "rb") as f, open(os.path.join(folder, "zip"), "wb") as g:
        g.write(f.read())


if __name__ == "__main__":
    main()
