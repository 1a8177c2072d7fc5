# SPDX-License-Identifier: Apache-2.0
"""The networks that tests run on the simulated HiSilicon boards: small ones of every kind of segment, with weights
that are drawn by name and are multiples of 1/64."""

import struct

import exact
import make_wk
from network import RELU

ONE = 4096


class Port:
    """An input or output of a segment. map: what a ROI layer reads, (channels, height, width)."""

    def __init__(self, name, kind, tensor, map=None):
        self.name, self.kind, self.tensor, self.map = name, kind, tensor, map


class Roi:
    """A ROI layer, before input number index of the network: the largest of height x width parts of a box."""

    def __init__(self, name, source, height, width, scale, boxes):
        self.name, self.source, self.height, self.width, self.scale, self.boxes = \
            name, source, height, width, scale, boxes

    def packed(self):
        channels, height, width = self.source
        return struct.pack("<15IiiI", height, width, channels, self.height, self.width, channels, 0, 0, 0, 0, 0, 0,
                           self.boxes, int(self.scale * ONE), 0, 0, 1, 0) + self.name.encode().ljust(32, b"\0")


class Segment:
    """inputs and outputs are those of the network in turn. feedback: (output, input) of the next step."""

    def __init__(self, network, inputs, outputs, net=make_wk.CNN, rois=(), feedback=(), max_step=0):
        self.network, self.inputs, self.outputs, self.net = network, inputs, outputs, net
        self.rois, self.feedback, self.max_step = list(rois), list(feedback), max_step


class Maker(exact.Maker):
    def input(self, name, kind, shape, map=None, raw=False):
        """A picture becomes pixel / 256, raw: the pixel itself."""
        number = self.tensor(name, shape)
        tensor = self.net.tensors[number]
        if kind in ("U8", "YVU420SP", "YVU422SP") and not raw:
            tensor.as_image([0.0] * 4, [256.0] * 4)
        self.net.inputs.append(number)
        self.inputs.append(Port(name, kind, tensor, map))
        return number

    def output(self, number, name, kind="S32"):
        self.net.outputs.append(number)
        self.outputs.append(Port(name, kind, self.net.tensors[number]))
        return number

    def segment(self, **keywords):
        return Segment(self.net, self.inputs, self.outputs, **keywords)


def segment_of_network(network):
    """Of a network that was not made here: pictures are U8, other inputs and outputs maps or vectors."""
    def kind(tensor, output):
        if tensor.image and not output:
            return "U8"
        return "S32" if len(tensor.shapes[0]) > 2 else "VEC_S32"
    ports = [[Port(network.tensors[i].name[:31], kind(network.tensors[i], output), network.tensors[i])
              for i in numbers_of] for output, numbers_of in enumerate((network.inputs, network.outputs))]
    return Segment(network, *ports)


# ---- the set -------------------------------------------------------------------------------------


def same(kind, shape):
    """The output is the input: where every element stands."""
    make = Maker("same_" + kind)
    number = make.input("data", kind, shape, raw=True)
    vector = len(shape) == 2
    make.output(make.same("copy", number), "copy", "VEC_S32" if vector else "S32")
    return [make.segment()]


def picture(kind):
    """Two outputs, a map and a vector; rows of 13 elements."""
    make = Maker("picture_" + kind)
    shape = [1, 9, 13, 3] if kind == "U8" else [1, 10, 14, 3]
    conv = make.conv(make.input("data", kind, shape), 4, activation=RELU)
    make.output(conv, "conv")
    make.output(make.softmax(make.full(make.pool(conv), 10)), "prob", "VEC_S32")
    return [make.segment()]


def gray():
    make = Maker("gray")
    make.output(make.full(make.pool(make.conv(make.input("data", "U8", [1, 12, 17, 1]), 5)), 7), "score", "VEC_S32")
    return [make.segment()]


def features():
    make = Maker("features")
    make.output(make.conv(make.input("features", "S32", [1, 6, 7, 5]), 6), "conv")
    return [make.segment()]


def vector():
    make = Maker("vector")
    make.output(make.full(make.input("vector", "VEC_S32", [1, 21]), 9), "full", "VEC_S32")
    return [make.segment()]


def two_in_two_out():
    make = Maker("two")
    gray, words = make.input("gray", "U8", [1, 8, 10, 1]), make.input("words", "VEC_S32", [1, 16])
    make.output(make.conv(gray, 6), "conv")
    make.output(make.softmax(make.full(words, 10)), "prob", "VEC_S32")
    return [make.segment()]


def equal_names():
    make = Maker("equal_names")
    data = make.input("data", "U8", [1, 16, 16, 3])
    cut = "face_rpn_cls_prob_reshape_stride8"[:31]
    for stride, name in (8, "bbox"), (8, cut), (4, cut), (2, cut):
        make.output(make.conv(data, 4, stride=stride), name)
    return [make.segment()]


def three_segments():
    """Each feeds the next by name; no CPU between them."""
    first, second, third = Maker("three_1"), Maker("three_2"), Maker("three_3")
    conv = first.conv(first.input("data", "U8", [1, 16, 16, 3]), 4, stride=2, activation=RELU)
    first.output(conv, "conv1")
    conv = second.conv(second.input("conv1", "S32", [1, 8, 8, 4]), 6, stride=2, activation=RELU)
    second.output(conv, "conv2")
    third.output(third.full(third.input("conv2", "S32", [1, 4, 4, 6]), 10), "score", "VEC_S32")
    return [first.segment(), second.segment(), third.segment()]


def sums(outputs):
    """The CPU layer of cpu_between, on numbers of 20.12: sum of each channel of "pool4", shifted right by 4."""
    frames = outputs[0]
    return [[[[[sum(sum(row) for row in plane) >> 4 for plane in frame]]] for frame in frames]]


def cpu_between():
    """A CPU layer (sums) makes "sums" of "pool4"; the second segment has it as a map of one row."""
    first, second = Maker("cpu_1"), Maker("cpu_2")
    conv = first.conv(first.input("data", "U8", [1, 16, 20, 3]), 6, stride=2, activation=RELU)
    first.output(first.pool(conv), "pool4")
    second.output(second.softmax(second.full(second.input("sums", "S32", [1, 1, 6, 1]), 10)), "prob", "VEC_S32")
    parts = [first.segment(), second.segment()]
    parts[1].cpu = sums
    return parts


def rcnn():
    """Three anchors for each of 4 x 6 cells of 8 pixels; then each box of "conv5" in 3 x 3 parts, three classes."""
    first, second = Maker("rcnn_1"), Maker("rcnn_2")
    conv = first.conv(first.input("data", "U8", [1, 32, 48, 3]), 6, stride=4, activation=RELU)
    conv = first.conv(conv, 8, stride=2, activation=RELU)
    first.output(first.conv(conv, 6, size=1), "rpn_cls_score")
    first.output(first.conv(conv, 12, size=1), "rpn_bbox_pred")
    first.output(first.same("copy", conv), "conv5")
    pooled = second.input("conv5", "S32", [1, 3, 3, 8], map=(8, 4, 6))
    second.output(second.softmax(second.full(pooled, 3)), "cls_prob", "VEC_S32")
    second.output(second.full(pooled, 12), "bbox_pred", "VEC_S32")
    roi = Roi("roi_pool5", (8, 4, 6), 3, 3, 1 / 8, 16)
    return [first.segment(), second.segment(net=make_wk.ROI, rois=[roi])]


def ssd():
    """Two levels, 4 priors for each cell, 3 classes; outputs are permuted, as those of SSD are: rows of channels."""
    make = Maker("ssd")
    level = make.conv(make.input("data", "U8", [1, 24, 24, 3]), 6, stride=4, activation=RELU)
    for index in range(2):
        _, height, width, _ = make.shape(level)
        for name, depth in ("mbox_loc", 16), ("mbox_conf", 12):
            head = make.reshape(make.conv(level, depth), [height, width, depth])
            make.output(head, "%s%d_perm" % (name, index))
        level = make.conv(level, 6, stride=2, activation=RELU)
    return [make.segment()]


def yolo3():
    """Two levels, 3 anchors each, 2 classes."""
    make = Maker("yolo3")
    level = make.conv(make.input("data", "U8", [1, 32, 32, 3]), 4, stride=4, activation=RELU)
    fine = make.conv(level, 21, size=1)
    coarse = make.conv(make.conv(level, 6, stride=2, activation=RELU), 21, size=1)
    make.output(coarse, "yolo_coarse")
    make.output(fine, "yolo_fine")
    return [make.segment()]


def yolo2():
    """5 anchors, 3 classes, 4 x 4 cells."""
    make = Maker("yolo2")
    level = make.conv(make.input("data", "U8", [1, 32, 32, 3]), 4, stride=4, activation=RELU)
    make.output(make.conv(make.conv(level, 6, stride=2, activation=RELU), 40, size=1), "region")
    return [make.segment()]


def yolo1():
    """7 x 7 cells, 2 boxes, 4 classes in one vector."""
    make = Maker("yolo1")
    level = make.conv(make.input("data", "U8", [1, 28, 28, 3]), 4, stride=4, activation=RELU)
    make.output(make.full(make.pool(level), 7 * 7 * (4 + 2 + 8)), "result", "VEC_S32")
    return [make.segment()]


def lstm():
    """h' = logistic(W x + U h), y = V h'; "start" is the first h of each sequence, "state" its last."""
    make = Maker("lstm")
    words, start = make.input("words", "SEQ_S32", [1, 6]), make.input("start", "VEC_S32", [1, 5])
    state = make.same("logistic", make.same("add", make.full(words, 5), make.full(start, 5)), params=())
    make.output(make.full(state, 4), "text", "SEQ_S32")
    make.output(make.same("copy", state), "state", "VEC_S32")
    return [make.segment(net=make_wk.RECURRENT, feedback=[(1, 1)], max_step=20)]


def the_set():
    """name: segments."""
    return {
        "same_u8": same("U8", [1, 9, 13, 3]), "same_gray": same("U8", [1, 8, 19, 1]),
        "same_yuv420": same("YVU420SP", [1, 10, 14, 3]), "same_yuv422": same("YVU422SP", [1, 9, 18, 3]),
        "same_s32": same("S32", [1, 3, 5, 4]), "same_vector": same("VEC_S32", [1, 11]),
        "picture": picture("U8"), "yuv420": picture("YVU420SP"), "yuv422": picture("YVU422SP"), "gray": gray(),
        "features": features(), "vector": vector(), "two": two_in_two_out(), "equal_names": equal_names(),
        "three_segments": three_segments(), "cpu_between": cpu_between(), "rcnn": rcnn(), "ssd": ssd(),
        "yolo1": yolo1(), "yolo2": yolo2(), "yolo3": yolo3(), "lstm": lstm(),
    }
