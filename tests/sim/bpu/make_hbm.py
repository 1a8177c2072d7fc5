# SPDX-License-Identifier: Apache-2.0
"""What stands in Horizon's model files for a simulated board to compute, in an outside of make_files.py.

In a .hbm of X3, J5 and X5 a body stands for the instructions of each of its models, in that of UCP it is the section
.horizon.binary_info, and .horizon.hbm_checksum is the CRC32C of the other sections. sim_bpu_file.c reads it: "SIMB",
the number of models, and of each name, description, march, cores, function calls, microseconds, inputs, outputs, and a
packed network of ../common/network.py behind its length."""

import struct

import make_files
from network import numbers, text

MARCH = {"x3": "bernoulli2", "j5": "bayes", "x5": "bayes-e", "s100": "nash-e", "s600": "nash-p"}
# hbrt, hbdk and builder of files that were seen.
VERSIONS = {"x3": ("3.13.27", "3.27.4", "1.6.8"), "j5": ("3.15.10.0", "3.42.2", "1.14.2"),
            "x5": ("3.15.55.0", "3.49.15", "1.24.3")}

Y, NV12, NV12_SEPARATE, YUV444, RGB, BGR, S4, U4, S8, U8, F16, S16, U16, F32, S32, U32, F64, S64, U64, BOOL8 = range(20)
SIZES = {Y: 1, YUV444: 1, RGB: 1, BGR: 1, S8: 1, U8: 1, BOOL8: 1, F16: 2, S16: 2, U16: 2, F32: 4, S32: 4, U32: 4,
         F64: 8, S64: 8, U64: 8, S4: 1, U4: 1}  # those of 4 bits: two in a byte
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


def four(port, dims):
    """As n, h, w, c."""
    dims = [1] * (4 - len(dims)) + list(dims)
    return [dims[0], dims[2], dims[3], dims[1]] if port.layout == NCHW and len(port.valid) == 4 else dims


def tensor_of(port, output):
    """What the BPU has of it: pictures in pixels of 4 bytes, int32 where the CPU makes float of it."""
    dims, stored = four(port, port.valid), four(port, port.aligned)
    if port.role in (GRAY, IMAGE):
        stored[3] = 4
    element = {S16: make_files.INT16, S32: make_files.INT32}.get(port.type, make_files.INT8)
    return make_files.tensor(port.name + ("_quantized" if port.cpu else ""), dims,
                             make_files.INT32 if port.cpu and output else element,
                             make_files.NCHW if port.layout == NCHW and port.role == PLAIN else make_files.NHWC,
                             port.source, stored)


def image(models, chip, march=None, version=None, suffix=""):
    """march, version: of another chip or age."""
    march = march or chip
    parts = [make_files.part(model.name + suffix, [tensor_of(p, False) for p in model.inputs],
                             [tensor_of(p, True) for p in model.outputs], body_of([model], MARCH[march]))
             for model in models]
    return make_files.hbm(MARCH[march], parts, version or VERSIONS[march][0], VERSIONS[march][1], 65536)


# ---- .bin ------------------------------------------------------------------------------------------------


def input_of(port):
    """As a graph has it: pictures with the channels last."""
    kind = {Y: "gray", NV12: "nv12", RGB: "rgb", BGR: "bgr", YUV444: "yuv444"}.get(port.type, "featuremap")
    dims = four(port, port.valid) if kind in ("gray", "nv12") else port.valid
    return (port.name, ONNX.get(port.type, ONNX[S8]), dims, kind, ("ddr", "resizer", "pyramid")[port.source])


def graph_of(model, chip, march, version):
    nodes = ["BPU"] + ["Dequantize" for port in model.outputs if port.cpu]
    inputs = [input_of(port) for port in model.inputs]
    outputs = [(port.name, ONNX.get(port.type, ONNX[S8]), port.valid) for port in model.outputs]
    hbm = image([model], chip, march, version, "_subgraph_0")
    runtime, compiler, builder = VERSIONS[march or chip]
    layouts = {NHWC: "NHWC", NCHW: "NCHW", NO_LAYOUT: ""}
    more = [("INPUT_LAYOUT_RT", "".join(("" if p.role == IMAGE else layouts[p.layout]) + ";" for p in model.inputs)),
            ("INPUT_SHAPE", "".join("x".join(map(str, p.valid)) + ";" for p in model.inputs)),
            ("MODEL_PREFIX", model.name), ("DELETED_NODES", ""), ("REMOVE_NODE_TYPE", "")]
    return (make_files.graph(model.name, nodes, hbm, inputs, outputs),
            make_files.table(MARCH[march or chip], inputs, builder, compiler, runtime, more))


def bin_file(models, chip, march=None, version=None):
    return make_files.model_bin(*[graph_of(model, chip, march, version) for model in models])


# ---- .hbm of UCP -----------------------------------------------------------------------------------------------


def elf(models, chip, march=None):
    march = MARCH[march or chip]
    info = ("hbm\0march\0%s\0hbrt\0004.7.5\0" % march).encode()
    strings = b"".join(("\0" + m.name).encode() for m in models) + b"\0"
    body = body_of(models, march)
    sums = struct.pack("<3I", crc32c(info), crc32c(strings), crc32c(body))
    return make_files.elf([(".horizon.hbm_info", info), (".horizon.hbm_checksum", sums),
                           (".horizon.string_info", strings), (".horizon.binary_info", body)])
