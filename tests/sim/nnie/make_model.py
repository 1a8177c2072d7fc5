#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes .wk files for the simulated HiSilicon boards; sim_hisi_net.c reads them.

    make_model.py IN.tflite CHIP OUT.wk    one network, as one segment
    make_model.py --all OUTDIR             the set of the tests, OUTDIR/NAME.CHIP.wk, and OUTDIR/NAME.golden

The outside of the file is that of real ones (make_wk.py). Where those have the instructions of a segment stands what
sim_hisi_net.c describes: its ROI layers, what feeds back, and a network of ../common/network.py.

Networks are of float32 with weights and pixels that are multiples of 1/64 and 1/256, so that sums have one result
whatever their order. NAME.golden has inputs and outputs of each segment as the slow reference of reference.py computes
them, for two frames, two boxes or three sequences: lines of text

    golden 1
    segment 0 input 0 U8 frames 2 channels 3 height 9 width 13     (or VEC_S32 ... or SEQ_S32 steps 3,1,4 dim 6)
    segment 0 output 0 S32 frames 2 channels 4 height 9 width 13 within 1
    segment 1 boxes S32 frames 1 channels 1 height 2 width 4

and an empty one, then the elements of each line in turn: bytes, or int32 (real * 4096), little-endian, rows without
padding. "within" is by how much a result may differ.
"""

import os
import struct
import sys

sys.dont_write_bytecode = True  # the tree stays as it was
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "common")]

import make_wk                                                               # noqa: E402
import networks                                                              # noqa: E402
import reference                                                             # noqa: E402
from network import Refused, body_of, read_tflite, with_images               # noqa: E402

CHIPS = {"hi3516cv500": (1, 2), "hi3519av100": (1, 2), "hi3559av100": (1, 1)}
IMAGES = {"U8": make_wk.U8, "YVU420SP": make_wk.YVU420SP, "YVU422SP": make_wk.YVU422SP}


def planes(tensor):
    """(channels, height, width): of a tensor of four dimensions NHWC, of fewer in the order of memory."""
    shape = tensor.shapes[0]
    if len(shape) == 4:
        return shape[3], shape[1], shape[2]
    return tuple([1] * (3 - len(shape)) + list(shape))


def node_of(port, recurrent, output, index):
    channels, height, width = planes(port.tensor)
    if port.kind == "SEQ_S32":
        return make_wk.node(port.name, *((width, 1, 1, make_wk.MAP) if output else (1, 1, width, 0)),
                            sequence=int(output))
    if port.kind == "VEC_S32" and recurrent and output:
        return make_wk.node(port.name, width, 1, 1, make_wk.MAP)
    if port.kind == "VEC_S32":
        return make_wk.vector(port.name, width) if output else make_wk.node(port.name, 1, 1, width, 1)
    if output:
        return make_wk.output(port.name, height, width, channels)
    if port.map is not None:  # before the ROI layers
        channels, height, width = port.map
    return make_wk.node(port.name, height, width, channels, 0, IMAGES.get(port.kind, make_wk.S32))


def instructions_of(part):
    rois = b"".join(roi.packed() for roi in part.rois)
    pairs = b"".join(struct.pack("<II", *pair) for pair in part.feedback)
    return struct.pack("<4sI", b"NSEG", len(part.rois)) + rois + struct.pack("<I", len(part.feedback)) + pairs + \
        body_of(part.network)


def segment_of(part):
    recurrent = part.net == make_wk.RECURRENT
    inputs = [node_of(port, recurrent, False, i) for i, port in enumerate(part.inputs)]
    outputs = [node_of(port, recurrent, True, i) for i, port in enumerate(part.outputs)]
    return make_wk.segment(inputs, outputs, part.net, len(part.rois), part.max_step, instructions_of(part))


def file_of(parts, chip):
    return make_wk.wk([segment_of(part) for part in parts], arch=CHIPS[chip], temporary=8192)


def tflite_segment(path):
    """Inputs of 1 or 3 channels become pictures: the planes are the channels of the network in turn."""
    network = with_images(read_tflite(path))
    return networks.segment_of_network(network)


# ---- the set of the tests ------------------------------------------------------------------------


def write(folder, name, raw):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(raw)


def write_dsp_images(folder):
    """FOLDER/dsp<core>/hi_<memory>.bin: "NDSP", which memory of the core it is for, its length."""
    for core in range(4):
        os.makedirs(os.path.join(folder, "dsp%d" % core), exist_ok=True)
        for kind, name in enumerate(("sram", "iram0", "dram0", "dram1")):
            raw = b"NDSP" + struct.pack("<II", kind, 64 + kind) + bytes(52 + kind)
            write(folder, os.path.join("dsp%d" % core, "hi_%s.bin" % name), raw)


def write_all(folder):
    os.makedirs(folder, exist_ok=True)
    write_dsp_images(os.path.join(folder, "dsp_bin"))
    meter = tflite_segment(os.path.join(HERE, "..", "..", "..", "examples", "meter", "meter.tflite"))
    models = {"meter": [meter]}
    for name, parts in networks.the_set().items():
        models[name] = parts
        write(folder, name + ".golden", reference.golden(parts))
    for name, parts in models.items():
        for chip in CHIPS:
            write(folder, "%s.%s.wk" % (name, chip), file_of(parts, chip))


def main(arguments):
    if arguments[:1] == ["--all"] and len(arguments) in (2, 3):
        write_all(arguments[1])
        return 0
    if len(arguments) != 3 or arguments[1] not in CHIPS:
        sys.stderr.write(__doc__.split("\n\n")[1] + "\nchips: " + " ".join(CHIPS) + "\n")
        return 2
    with open(arguments[2], "wb") as file:
        file.write(file_of([tflite_segment(arguments[0])], arguments[1]))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Refused, OSError) as error:
        sys.stderr.write("make_model.py: %s\n" % error)
        sys.exit(1)
