#!/usr/bin/env python3
"""Makes damaged, foreign and hostile variants of a .pt2 file.

    hostile.py KIND good.pt2 out.pt2

The kinds are the functions below that take entries or bytes. Needs only the
standard library.
"""
import io
import json
import struct
import sys
import zipfile
import zlib

KINDS = {}


def kind(function):
    KINDS[function.__name__.replace("_", "-")] = function
    return function


def write_zip(entries, method=0, flags=0x0800, zip64=False, comment=b"",
              edit_local=None, edit_central=None, edit_end=None):
    """A zip of [name, data] pairs; the edits change the fields of a header."""
    out, central = bytearray(), bytearray()
    for name, data in entries:
        raw = name.encode()
        packed = zlib.compress(data)[2:-4] if method == 8 else data
        head = dict(name=raw, method=method, flags=flags, crc=zlib.crc32(data),
                    packed=len(packed), size=len(data), offset=len(out))
        local = dict(head, **(edit_local(name) if edit_local else {}))
        out += struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, local["flags"], local["method"],
                           0, 0, local["crc"], local["packed"], local["size"],
                           len(local["name"]), 0) + local["name"] + packed
        head.update(edit_central(name) if edit_central else {})
        extra = b""
        fields = [head["packed"], head["size"], head["offset"]]
        if zip64:
            extra = struct.pack("<HHQQQ", 1, 24, fields[1], fields[0], fields[2])
            fields = [0xFFFFFFFF] * 3
        central += struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 45, head["flags"],
                               head["method"], 0, 0, head["crc"], fields[0], fields[1],
                               len(head["name"]), len(extra), 0, 0, 0, 0, fields[2])
        central += head["name"] + extra
    end = dict(count=len(entries), size=len(central), offset=len(out), disk=0)
    end.update(edit_end or {})
    out += central
    if zip64:
        position = len(out)
        out += struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, end["count"],
                           end["count"], end["size"], end["offset"])
        out += struct.pack("<IIQI", 0x07064B50, 0, position, 1)
        end.update(count=0xFFFF, size=0xFFFFFFFF, offset=0xFFFFFFFF)
    out += struct.pack("<IHHHHIIH", 0x06054B50, end["disk"], end["disk"], end["count"],
                       end["count"], end["size"], end["offset"], len(comment)) + comment
    return bytes(out)


def read_entries(data):
    archive = zipfile.ZipFile(io.BytesIO(data))
    return [[i.filename, archive.read(i)] for i in archive.infolist()]


def edited(data, suffix, change):
    """Applies `change` to the JSON of the entry that ends in `suffix`."""
    entries = read_entries(data)
    for entry in entries:
        if entry[0].endswith(suffix):
            tree = json.loads(entry[1])
            change(tree)
            entry[1] = json.dumps(tree).encode()
    return write_zip(entries)


def model(data, change):
    return edited(data, "models/model.json", change)


def weight(data, change):
    def first(tree):
        change(next(iter(tree["config"].values())))
    return edited(data, "_weights_config.json", first)


def renamed(data, rename):
    return write_zip([[rename(n), d] for n, d in read_entries(data)])


def replaced(data, suffix, content):
    return write_zip([[n, content if n.endswith(suffix) else d]
                      for n, d in read_entries(data)])


def without(data, suffix):
    return write_zip([e for e in read_entries(data) if not e[0].endswith(suffix)])


def graph(tree):
    return tree["graph_module"]["graph"]


# --- still good -----------------------------------------------------------------

@kind
def plain(data):
    return write_zip(read_entries(data))


@kind
def zip64(data):
    return write_zip(read_entries(data), zip64=True)


@kind
def comment(data):
    return write_zip(read_entries(data), comment=b"PK\5\6 is no end record here")


@kind
def other_root(data):
    return renamed(data, lambda n: "some.other.name/" + n.split("/", 1)[1])


@kind
def unknown_fields(data):
    def change(tree):
        tree["brand_new"] = {"a": [1, 2]}
        graph(tree)["nodes"][0]["novelty"] = None
        tree["schema_version"]["minor"] = 99
    return model(data, change)


# --- not an archive of torch 2.9 or newer ----------------------------------------

@kind
def empty(data):
    return b""


@kind
def text(data):
    return b"This is a text file, long enough to hold the end record of a zip.\n"


@kind
def truncated(data):
    return data[:len(data) // 2]


@kind
def legacy_27(data):
    return write_zip([["serialized_exported_program.json", b"{}"],
                      ["serialized_state_dict.pt", b"PK"], ["version", b"8.8"]], method=8)


@kind
def legacy_28(data):
    return write_zip([e for e in read_entries(data) if "_config.json" not in e[0]] +
                     [["mlp/data/weights/model.pt", b"PK"],
                      ["mlp/data/constants/model.pt", b"PK"]])


@kind
def torchscript(data):
    return write_zip([["net/data.pkl", b""], ["net/constants.pkl", b""],
                      ["net/code/__torch__.py", b""]])


@kind
def checkpoint(data):
    return write_zip([["net/data.pkl", b""], ["net/data/0", b"1234"]])


@kind
def foreign(data):
    return write_zip([["readme.txt", b"hello"]])


@kind
def big_endian(data):
    return replaced(data, "/byteorder", b"big")


@kind
def format(data):
    return replaced(data, "/archive_format", b"aoti")


@kind
def archive_version(data):
    return replaced(data, "/archive_version", b"7")


@kind
def no_program(data):
    return without(data, "models/model.json")


@kind
def two_programs(data):
    entries = read_entries(data)
    return write_zip(entries + [[n.replace("model.json", "other.json"), d]
                                for n, d in entries if n.endswith("models/model.json")])


# --- hostile zip files -------------------------------------------------------------

@kind
def compressed(data):
    return write_zip(read_entries(data), method=8)


@kind
def encrypted(data):
    return write_zip(read_entries(data), flags=0x0801)


@kind
def overlap(data):
    entries = read_entries(data)
    size = len(entries[0][1]) + 200
    return write_zip(entries, edit_central=lambda n: {"packed": size, "size": size}
                     if n == entries[0][0] else {})


@kind
def same_place(data):
    entries = read_entries(data)
    return write_zip(entries + [entries[0]],
                     edit_central=lambda n: {"offset": 0} if n == entries[0][0] else {})


@kind
def same_name(data):
    entries = read_entries(data)
    return write_zip(entries + [entries[0]])


@kind
def other_local_name(data):
    return write_zip(read_entries(data), edit_local=lambda n: {"name": b"x" * len(n)})


@kind
def payload_outside(data):
    return write_zip(read_entries(data), edit_central=lambda n: {"packed": 1 << 30,
                                                                 "size": 1 << 30})


@kind
def two_sizes(data):
    return write_zip(read_entries(data), edit_central=lambda n: {"packed": 1})


@kind
def directory_outside(data):
    return write_zip(read_entries(data), edit_end={"offset": 1 << 30})


@kind
def too_many_entries(data):
    return write_zip(read_entries(data), edit_end={"count": 60000})


@kind
def several_disks(data):
    return write_zip(read_entries(data), edit_end={"disk": 1})


@kind
def zip64_wild(data):
    return write_zip(read_entries(data), zip64=True, edit_end={"offset": (1 << 64) - 100})


@kind
def checksum(data):
    return write_zip(read_entries(data), edit_central=lambda n: {"crc": 1})


# --- arguments that do not fit their operator --------------------------------------

@kind
def wrong_arguments(data):
    """Of the programs in ops-select.pt2 and ops-pad.pt2."""
    wrong = {"aten.topk.default": {"k": {"as_int": 99}},
             "aten.gather.default": {"dim": {"as_int": 7}},
             "aten.one_hot.default": {"num_classes": {"as_int": -1}},
             "aten.cumprod.default": {"dim": {"as_int": -4}},
             "aten.repeat_interleave.self_int": {"repeats": {"as_int": 4}},
             "aten.pad.default": {"pad": {"as_ints": [9, 9]}},
             "aten.roll.default": {"shifts": {"as_ints": [1, 2, 3]}},
             "aten.movedim.intlist": {"source": {"as_ints": [0, 0]}}}

    def change(tree):
        for node in graph(tree)["nodes"]:
            for argument in node["inputs"]:
                edits = wrong.get(node["target"].replace("torch.ops.", ""), {})
                argument["arg"] = edits.get(argument["name"], argument["arg"])
    return edited(data, "models/training.json", change)


# --- weights -------------------------------------------------------------------------

@kind
def no_config(data):
    return without(data, "_weights_config.json")


@kind
def no_record(data):
    return without(data, "weights/weight_0")


@kind
def short_record(data):
    return replaced(data, "weights/weight_0", b"1234")


@kind
def empty_record(data):
    return replaced(data, "weights/weight_0", b"")


@kind
def pickled(data):
    return weight(data, lambda w: w.update(use_pickle=True))


@kind
def other_shape(data):
    return weight(data, lambda w: w["tensor_meta"].update(sizes=[{"as_int": 2}, {"as_int": 2}]))


@kind
def far_stride(data):
    return weight(data, lambda w: w["tensor_meta"].update(
        strides=[{"as_int": 1 << 61}, {"as_int": 8}]))


@kind
def negative_stride(data):
    return weight(data, lambda w: w["tensor_meta"].update(
        strides=[{"as_int": -8}, {"as_int": 1}]))


@kind
def far_offset(data):
    return weight(data, lambda w: w["tensor_meta"].update(storage_offset={"as_int": 1 << 62}))


@kind
def few_strides(data):
    return weight(data, lambda w: w["tensor_meta"].update(strides=[{"as_int": 1}]))


@kind
def sparse(data):
    return weight(data, lambda w: w["tensor_meta"].update(layout=2))


@kind
def dtype(data):
    return weight(data, lambda w: w["tensor_meta"].update(dtype=99))


# --- programs --------------------------------------------------------------------------

@kind
def not_json(data):
    return replaced(data, "models/model.json", b'{"graph_module": ')


@kind
def deep_json(data):
    return replaced(data, "models/model.json", b'{"a":' + b"[" * 1000000 + b"]" * 1000000 + b"}")


@kind
def schema(data):
    return model(data, lambda t: t["schema_version"].update(major=9))


@kind
def no_schema(data):
    return model(data, lambda t: t.pop("schema_version"))


@kind
def argument_tag(data):
    return model(data, lambda t: graph(t)["nodes"][0]["inputs"][1].update(
        arg={"as_quaternion": 1}))


@kind
def two_tags(data):
    return model(data, lambda t: graph(t)["nodes"][0]["inputs"][1].update(
        arg={"as_int": 1, "as_float": 1.0}))


@kind
def input_tag(data):
    return model(data, lambda t: t["graph_module"]["signature"]["input_specs"].append(
        {"thought": {"arg": {"name": "x"}}}))


@kind
def output_tag(data):
    return model(data, lambda t: t["graph_module"]["signature"]["output_specs"].append(
        {"smell": {"arg": {"name": "x"}}}))


@kind
def result_tag(data):
    return model(data, lambda t: graph(t)["nodes"][0].update(outputs=[{"as_dream": {}}]))


@kind
def symint_tag(data):
    return model(data, lambda t: graph(t)["tensor_values"]["x"].update(
        sizes=[{"as_guess": 3}, {"as_int": 8}]))


@kind
def mutation(data):
    return model(data, lambda t: t["graph_module"]["signature"]["output_specs"].insert(
        0, {"buffer_mutation": {"arg": {"name": "x"}, "buffer_name": "bn.running_mean"}}))


@kind
def custom_object(data):
    return model(data, lambda t: t["graph_module"]["signature"]["input_specs"].append(
        {"custom_obj": {"arg": {"name": "x", "class_fqn": "C"}, "custom_obj_name": "c"}}))


@kind
def dynamic(data):
    return model(data, lambda t: graph(t)["tensor_values"]["x"].update(
        sizes=[{"as_expr": {"expr_str": "Symbol('s77', positive=True, integer=True)",
                            "hint": {"as_int": 3}}}, {"as_int": 8}]))


@kind
def undefined(data):
    return model(data, lambda t: graph(t)["nodes"][0]["inputs"][0].update(
        arg={"as_tensor": {"name": "nowhere"}}))


@kind
def twice(data):
    return model(data, lambda t: graph(t)["nodes"].append(graph(t)["nodes"][0]))


@kind
def cyclic(data):
    return model(data, lambda t: graph(t)["nodes"].reverse())


@kind
def negative_size(data):
    return model(data, lambda t: graph(t)["tensor_values"]["x"].update(
        sizes=[{"as_int": -3}, {"as_int": 8}]))


@kind
def huge_size(data):
    return model(data, lambda t: graph(t)["tensor_values"]["x"].update(
        sizes=[{"as_int": 1 << 40}, {"as_int": 1 << 40}]))


@kind
def wrong_result(data):
    return model(data, lambda t: graph(t)["tensor_values"]["linear"].update(
        sizes=[{"as_int": 3}, {"as_int": 7}]))


@kind
def unknown_argument(data):
    return model(data, lambda t: graph(t)["nodes"][0]["inputs"].append(
        {"name": "gain", "arg": {"as_float": 2.0}, "kind": 2}))


@kind
def missing_argument(data):
    return model(data, lambda t: graph(t)["nodes"][0]["inputs"].pop(1))


@kind
def wrong_kind(data):
    return model(data, lambda t: graph(t)["nodes"][0]["inputs"][1].update(
        arg={"as_string": "weight"}))


@kind
def unsupported(data):
    def change(tree):
        nodes = graph(tree)["nodes"]
        nodes[0]["target"] = "torch.ops.aten.fft_rfft.default"
        nodes[1]["target"] = "torch.ops.mylib.magic.default"
        nodes[2]["target"] = "torch.ops.aten.fft_rfft.default"
    return model(data, change)


@kind
def no_outputs(data):
    return model(data, lambda t: t["graph_module"]["signature"].update(output_specs=[]))


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in KINDS:
        raise SystemExit(__doc__ + "\nkinds: " + " ".join(KINDS))
    with open(sys.argv[2], "rb") as f:
        data = f.read()
    with open(sys.argv[3], "wb") as f:
        f.write(KINDS[sys.argv[1]](data))


if __name__ == "__main__":
    main()
