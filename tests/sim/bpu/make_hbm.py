# SPDX-License-Identifier: Apache-2.0
"""The outside of Horizon's model files, as real ones have it, and what stands in it here for a board to compute.

.bin (X3, J5, X5): a protobuf message. 1 and 2 are 1; 5 is the graph, 6 the table of keys and values. The graph:
1 nodes (1 inputs, 2 outputs, 3 name, 4 type), 2 the model's name, 3 constants (1 shape, 5 bytes, 8 name), 4 inputs,
5 outputs, 6 values between (1 name, 2: 1 an element's type as ONNX numbers it, 2 dimensions), 7 and 8 a byte for each
input. The constant PACKED_HBM_MODEL is an image:

.hbm of those: '#', three letters of the march, "hbm#########", versions, lengths; a multiple of 65536 bytes. That of a
board here has at 0xf00 "NNRTSIM", 0, offset, length and CRC32C of a body, and the body behind 0x1000.

.hbm of UCP: an ELF with sections .horizon.*; the body is .horizon.binary_info, and .horizon.hbm_checksum the CRC32C of
the others.

A body (packed below; sim_bpu_file.c reads it): "SIMB", the number of models, and of each name, description, march,
cores, function calls, microseconds, inputs, outputs, and a packed network of ../common/network.py behind its length."""

import struct

from network import numbers, text

MARCH = {"x3": ("bernoulli2", b"X2A"), "j5": ("bayes", b"B25"), "x5": ("bayes-e", b"B2E"), "s100": ("nash-e", None),
         "s600": ("nash-p", None)}
# hbrt and hbdk, builder and horizon_nn of files that were seen.
VERSIONS = {"x3": ((3, 13, 27), "3.13.27", (3, 27, 4), "1.6.8", "0.13.3"),
            "j5": ((3, 15, 10), "3.15.10.0", (3, 42, 2), "1.14.2", "0.15.7"),
            "x5": ((3, 15, 55), "3.15.55.0", (3, 49, 15), "1.24.3", "1.1.0")}

Y, NV12, NV12_SEPARATE, YUV444, RGB, BGR, S4, U4, S8, U8, F16, S16, U16, F32, S32, U32, F64, S64, U64, BOOL8 = range(20)
SIZES = {Y: 1, YUV444: 1, RGB: 1, BGR: 1, S8: 1, U8: 1, BOOL8: 1, F16: 2, S16: 2, U16: 2, F32: 4, S32: 4, U32: 4,
         F64: 8, S64: 8, U64: 8}
ONNX = {F32: 1, U8: 2, S8: 3, U16: 4, S16: 5, S32: 6, S64: 7, BOOL8: 9, F16: 10, F64: 11, U32: 12, U64: 13}
NHWC, NCHW, NO_LAYOUT = 0, 2, 255
NONE, SHIFT, SCALE = range(3)
DDR, RESIZER, PYRAMID = range(3)
PLAIN, GRAY, IMAGE, PIXELS, LUMA, CHROMA = range(6)


class Port:
    """An input or output. tensor: number of the network's. stride is how it lies, shown what stride[] tells."""

    def __init__(self, name, type, layout, valid, tensor, role=PLAIN, quant=NONE, axis=0, shifts=(), scales=(),
                 zeros=(), factors=(), source=DDR, cpu=False):
        self.name, self.type, self.layout, self.valid, self.tensor = name, type, layout, list(valid), tensor
        self.role, self.quant, self.axis, self.source, self.cpu = role, quant, axis, source, cpu
        self.shifts, self.scales, self.zeros, self.factors = shifts, scales, zeros, factors
        self.aligned, self.stride, self.shown, self.bytes = None, None, None, None

    def packed(self):
        out = [text(self.name), text("description of " + self.name), numbers([self.type, self.layout, len(self.valid)]),
               numbers(self.valid + self.aligned, "i"), numbers(self.shown + self.stride + [self.bytes], "q"),
               numbers([self.quant]), numbers([self.axis], "i"), numbers([len(self.shifts)] + list(self.shifts)),
               numbers([len(self.scales)]), numbers(self.scales, "f"),
               numbers([len(self.zeros)] + list(self.zeros), "i"),
               numbers([len(self.factors)] + list(self.factors), "i"),
               numbers([self.source, self.tensor, self.role])]
        return b"".join(out)


class Model:
    def __init__(self, name, inputs, outputs, body, cores=1, calls=1):
        self.name, self.inputs, self.outputs, self.body = name, inputs, outputs, body
        self.cores, self.calls = cores, calls

    def packed(self, march):
        out = [text(self.name), text("model " + self.name), text(march), numbers([self.cores, self.calls, 1000])]
        for ports in self.inputs, self.outputs:
            out += [numbers([len(ports)])] + [port.packed() for port in ports]
        return b"".join(out + [numbers([len(self.body)]), self.body])


def crc_step(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    return byte


CRC_STEPS = [crc_step(byte) for byte in range(256)]


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC_STEPS[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def body_of(models, march):
    return b"SIMB" + numbers([len(models)]) + b"".join(model.packed(march) for model in models)


# ---- .hbm of 1.x -------------------------------------------------------------------------------------------


def image(models, chip, march=None, version=None):
    """march, version: of another chip or age."""
    march = march or chip
    hbrt, told, hbdk, _, _ = VERSIONS[march]
    if version:
        hbrt, told = version, "%d.%d.%d" % version
    versions = struct.pack("<3I", *hbrt) + told.encode().ljust(32, b"\0") + ("%d.%d.%d" % hbdk).encode().ljust(
        32, b"\0") + struct.pack("<3I", *hbdk)
    body = body_of(models, MARCH[march][0])
    size = -(-(0x1000 + len(body)) // 65536) * 65536
    raw = bytearray(size)

    def put(at, data):
        raw[at:at + len(data)] = data
    put(0, b"#" + MARCH[march][1] + b"hbm#########" + versions)
    put(0x68, struct.pack("<3I", 0xA8, size - 16, len(models)))
    put(0xB8, struct.pack("<I", 0xC0))
    put(0x154, MARCH[march][1] + b"\0")
    put(0x238, versions)
    put(0xF00, b"NNRTSIM\0" + struct.pack("<3I", 0x1000, len(body), crc32c(body)))
    put(0x1000, body)
    return bytes(raw)


# ---- .bin ------------------------------------------------------------------------------------------------


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """Of an int, a text or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    raw = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(raw)) + raw


def value_info(name, kind, dims):
    return field(1, name) + field(2, field(1, kind) + field(2, b"".join(varint(d) for d in dims)))


def nhwc(port):
    """The dimensions as a graph has them: pictures with the channels last."""
    if port.role in (GRAY, IMAGE):
        return [port.valid[0], port.valid[2], port.valid[3], port.valid[1]]
    return port.valid


def graph(model, chip, hbm):
    nodes, between = [], []
    last = []
    for port in model.outputs:
        last.append(port.name + "_quantized" if port.cpu else port.name)
    nodes.append(b"".join(field(1, p.name) for p in model.inputs) + b"".join(field(2, name) for name in last) +
                 field(3, model.name + "_subgraph_0") + field(4, "BPU"))
    constants = []
    for port, name in zip(model.outputs, last):
        if not port.cpu:
            continue
        nodes.append(field(1, name) + field(1, port.name + "_x_scale") + field(2, port.name) +
                     field(3, port.name + "_HzDequantize") + field(4, "Dequantize"))
        between.append(value_info(name, ONNX[S32], port.valid))
        constants.append(field(1, field(1, 1) + field(2, b"\x01")) + field(2, struct.pack("<f", 1.0)) +
                         field(8, port.name + "_x_scale"))
    constants.append(field(1, field(1, 8)) + field(5, hbm) + field(8, "PACKED_HBM_MODEL"))
    out = [field(1, node) for node in nodes] + [field(2, model.name)] + [field(3, c) for c in constants]
    out += [field(4, value_info(p.name, ONNX.get(p.type, ONNX[S8]), nhwc(p))) for p in model.inputs]
    out += [field(5, value_info(p.name, ONNX.get(p.type, ONNX[S8]), p.valid)) for p in model.outputs]
    out += [field(6, v) for v in between]
    out.append(field(7, bytes({GRAY: 6, IMAGE: 7}.get(p.role, 0) for p in model.inputs)))
    out.append(field(8, bytes(p.source for p in model.inputs)))
    return b"".join(out)


def input_kind(port):
    return {Y: "gray", NV12: "nv12", RGB: "rgb", BGR: "bgr", YUV444: "yuv444"}.get(port.type, "featuremap")


def table(model, march):
    hbrt, told, hbdk, builder, horizon_nn = VERSIONS[march]
    layouts = {NHWC: "NHWC", NCHW: "NCHW", NO_LAYOUT: ""}
    pairs = [("BUILDER_VERSION", builder), ("CALI_TYPE", "max"), ("DELETED_NODES", ""), ("LOG_LEVEL", "DEBUG"),
             ("HBDK_RUNTIME_VERSION", " " + told), ("HBDK_VERSION", "%d.%d.%d" % hbdk),
             ("HORIZON_NN_VERSION", horizon_nn),
             ("INPUT_LAYOUT_RT", "".join(("" if p.role == IMAGE else layouts[p.layout]) + ";" for p in model.inputs)),
             ("INPUT_NAMES", "".join(p.name + ";" for p in model.inputs)),
             ("INPUT_SHAPE", "".join("x".join(map(str, p.valid)) + ";" for p in model.inputs)),
             ("INPUT_TYPE_RT", "".join(input_kind(p) + ";" for p in model.inputs)), ("MARCH", MARCH[march][0]),
             ("MODEL_PREFIX", model.name), ("REMOVE_NODE_TYPE", "")]
    return b"".join(field(1, field(1, key) + field(2, value)) for key, value in pairs)


def bin_file(models, chip, march=None, version=None):
    """Several models: several graphs, which nobody has seen."""
    graphs = b"".join(field(5, graph(m, chip, image([m], chip, march, version))) for m in models)
    return field(1, 1) + field(2, 1) + graphs + field(6, table(models[0], march or chip))


# ---- .hbm of UCP -----------------------------------------------------------------------------------------------


def elf(models, chip, march=None):
    march = MARCH[march or chip][0]
    info = ("hbm\0march\0%s\0hbrt\0004.7.5\0" % march).encode()
    strings = b"".join(("\0" + m.name).encode() for m in models) + ("\0" + march).encode() + b"\0"
    body = body_of(models, march)
    sums = struct.pack("<3I", crc32c(info), crc32c(strings), crc32c(body))
    sections = [(b"", b""), (b".horizon.hbm_info", info), (b".horizon.string_info", strings),
                (b".horizon.binary_info", body), (b".horizon.hbm_checksum", sums), (b".shstrtab", b"")]
    names = b"".join(name + b"\0" for name, _ in sections)
    sections[-1] = (b".shstrtab", names)
    data, headers = bytearray(64), b""
    for number, (name, content) in enumerate(sections):
        while len(data) % 16:
            data.append(0)
        kind = 0 if number == 0 else 3 if name == b".shstrtab" else 1
        at = names.index(name + b"\0") if name else 0
        headers += struct.pack("<IIQQQQIIQQ", at, kind, 0, 0, len(data) if number else 0, len(content), 0, 0,
                               int(number > 0), 0)
        data += content
    while len(data) % 16:
        data.append(0)
    head = struct.pack("<HHIQQQIHHHHHH", 3, 183, 1, 0, 0, len(data), 0, 64, 0, 0, 64, len(sections), len(sections) - 1)
    data[:64] = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + head
    return bytes(data) + headers
