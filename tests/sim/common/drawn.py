# SPDX-License-Identifier: Apache-2.0
"""The networks that the tests run on every simulated chip: examples/meter and small ones of drawn weights, which try
what a chip can do with a tensor."""

import os
import random

from network import AFFINE, BOOL, DFP, FLOAT16, FLOAT32, INT8, INT16, INT32, INT64, LINEAR, NONE, RELU, SAME, UINT8, \
    VALID, Network, Refused, Tensor, bits, numbers, read_tflite, text, with_images

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


class Maker:
    """Builds a network layer by layer; the weights are drawn from the seed, which is the name when none is given."""

    def __init__(self, name, shapes=1, type=INT8, quant=AFFINE, seed=None):
        self.net, self.random = Network(name, shapes), random.Random(seed or name)
        self.type, self.quant = type, quant

    def tensor(self, name, shapes, scale=0.05, zp=-3):
        if self.quant == AFFINE:
            return self.net.add(Tensor(name, shapes, self.type, scale if self.type == INT8 else scale / 64, zp))
        return self.net.add(Tensor(name, shapes, self.type, fl=(5 if self.type == INT8 else 10)
                                   if self.quant == DFP else None))

    def input(self, name, shapes, scale=0.03, zp=5):
        self.net.inputs.append(self.tensor(name, shapes, scale, zp))
        return self.net.inputs[-1]

    def image(self, name, shapes):
        number = self.input(name, shapes, 1 / 255, -128)
        self.net.tensors[number].as_image()
        return number

    def output(self, number):
        self.net.outputs.append(number)

    def shapes_of(self, number):
        return self.net.tensors[number].shapes

    def weights(self, name, shape, channels, axis):
        count = 1
        for d in shape:
            count *= d
        if self.type == INT8 and self.quant == AFFINE:
            values = numbers([self.random.randint(-127, 127) for _ in range(count)], "b")
            scales = [self.random.uniform(0.002, 0.006) for _ in range(channels)]
            return self.net.add(Tensor(name, shape, INT8, scales[0], data=values, scales=scales, axis=axis))
        values = numbers([self.random.uniform(-0.5, 0.5) for _ in range(count)], "f")
        return self.net.add(Tensor(name, shape, FLOAT32, data=values))

    def bias(self, name, channels):
        if self.type == INT8 and self.quant == AFFINE:
            return self.net.add(Tensor(name, [channels], INT32,
                                       data=numbers([self.random.randint(-900, 900) for _ in range(channels)], "i")))
        return self.net.add(Tensor(name, [channels], FLOAT32,
                                   data=numbers([self.random.uniform(-1, 1) for _ in range(channels)], "f")))

    def conv(self, number, channels, size=3, stride=1, activation=LINEAR, name="conv"):
        depth = self.shapes_of(number)[0][3]
        shapes = [[s[0], -(-s[1] // stride), -(-s[2] // stride), channels] for s in self.shapes_of(number)]
        w = self.weights(name + "_weights", [channels, size, size, depth], channels, 0)
        b = self.bias(name + "_bias", channels)
        out = self.tensor(name, shapes)
        return self.net.layer("conv", [number, w, b], [out], [activation, SAME, stride, stride, 1, 1])

    def depthwise(self, number, size=3, name="depthwise"):
        depth = self.shapes_of(number)[0][3]
        w = self.weights(name + "_weights", [1, size, size, depth], depth, 3)
        out = self.tensor(name, self.shapes_of(number))
        b = self.bias(name + "_bias", depth)
        return self.net.layer("depthwise", [number, w, b], [out], [RELU, SAME, 1, 1, 1, 1])

    def full(self, number, channels, name="full"):
        rows = self.shapes_of(number)[0][0]
        depth = 1
        for d in self.shapes_of(number)[0][1:]:
            depth *= d
        w = self.weights(name + "_weights", [channels, depth], channels, 0)
        out = self.tensor(name, [rows, channels])
        return self.net.layer("full", [number, w, self.bias(name + "_bias", channels)], [out], [LINEAR])

    def softmax(self, number, name="softmax"):
        out = self.tensor(name, self.shapes_of(number), 1 / 256, -128)
        return self.net.layer("softmax", [number], [out], [0, bits(1.0)])

    def pool(self, number, name="pool"):
        shapes = [[s[0], s[1] // 2, s[2] // 2, s[3]] for s in self.shapes_of(number)]
        source = self.net.tensors[number]
        out = self.tensor(name, shapes, source.scale, source.zp)
        return self.net.layer("average_pool", [number], [out], [LINEAR, VALID, 2, 2, 2, 2])

    def add(self, a, b, name="add"):
        return self.net.layer("add", [a, b], [self.tensor(name, self.shapes_of(a), 0.09, 7)], [LINEAR])


def one_conv(name, shape, channels, type=INT8, quant=AFFINE, seed=None):
    make = Maker(name, 1, type, quant, seed)
    source = make.image("input", shape) if shape[3] in (1, 3, 4) else make.input("input", shape)
    make.output(make.conv(source, channels))
    return make.net


def windows():
    """Padding, the largest of windows, and a RELU that changes the quantization."""
    make = Maker("windows")
    source = make.input("input", [2, 6, 7, 3], 0.05, -20)
    padded = make.tensor("padded", [2, 9, 9, 3], 0.05, -20)
    most = make.tensor("most", [2, 4, 5, 3], 0.05, -20)
    clipped = make.tensor("clipped", [2, 4, 5, 3], 0.08, -128)
    make.net.layer("pad", [source], [padded], [0, 0, 0, 1, 2, 0, 2, 0, 0])
    make.net.layer("max_pool", [padded], [most], [LINEAR, VALID, 2, 2, 3, 1])
    make.output(make.net.layer("relu", [most], [clipped], [RELU]))
    return make.net


def two_in_two_out():
    make = Maker("two")
    picture, words = make.image("picture", [1, 8, 10, 3]), make.input("words", [1, 16])
    make.output(make.depthwise(make.conv(picture, 12)))
    make.output(make.softmax(make.full(words, 10)))
    return make.net


def batch():
    make = Maker("batch4")
    make.output(make.full(make.pool(make.conv(make.image("input", [4, 6, 10, 3]), 16)), 10))
    return make.net


def dynamic():
    sizes = [(12, 20), (8, 9), (16, 33)]
    make = Maker("dynamic", len(sizes))
    picture = make.image("picture", [[1, h, w, 3] for h, w in sizes])
    features = make.input("features", [[1, h, w, 24] for h, w in sizes])
    make.output(make.add(make.conv(picture, 24, activation=RELU), features))
    return make.net


def dynamic_rows():
    make = Maker("dynamic_rows", 3)
    a = make.input("a", [[rows, 20] for rows in (1, 4, 7)])
    b = make.input("b", [[rows, 20] for rows in (1, 4, 7)])
    make.output(make.add(a, b))
    return make.net


def custom():
    """The custom operator "nnrtScale": y = x * factor + offset[channel]; float32 between float16 input and output."""
    net = Network("custom")
    shape = [1, 5, 6, 8]
    source, before = net.add(Tensor("input", shape, FLOAT16)), net.add(Tensor("before", shape, FLOAT32))
    after, output = net.add(Tensor("after", shape, FLOAT32)), net.add(Tensor("output", shape, FLOAT16))
    attributes = text("factor") + numbers([FLOAT32, 1]) + numbers([2.0], "f")
    attributes += text("offset") + numbers([INT32, 8]) + numbers(range(-3, 5), "i")
    net.layer("copy", [source], [before], [0])
    net.layer("custom", [before], [after], [], "nnrtScale", attributes)
    net.layer("copy", [after], [output], [0])
    net.inputs, net.outputs = [source], [output]
    return net


def identity(name, shape, type=INT8, scale=None, zp=0, fl=None):
    net = Network(name)
    net.inputs = [net.add(Tensor("input", shape, type, scale, zp, fl))]
    net.outputs = [net.add(Tensor("output", shape, type, scale, zp, fl))]
    net.layer("copy", net.inputs, net.outputs, [0])
    return with_images(net)


def several_cores():
    net = one_conv("multi_core", [1, 16, 16, 16], 32)
    net.multi_core = True
    return net


def chain():
    make = Maker("chain")
    a = make.conv(make.image("input", [1, 24, 24, 3]), 16, stride=2, activation=RELU, name="stem")
    b = make.depthwise(a)
    c = make.add(make.conv(b, 16, size=1, name="point"), a)
    make.output(make.softmax(make.full(make.pool(c), 10)))
    return make.net


def squeezed(make, source, window):
    """The mean of windows: a large picture becomes small enough to be computed here."""
    shape = [make.shapes_of(source)[0][0], make.shapes_of(source)[0][1] // window,
             make.shapes_of(source)[0][2] // window, make.shapes_of(source)[0][3]]
    tensor = make.net.tensors[source]
    out = make.tensor("squeezed%d" % shape[1], shape, tensor.scale, tensor.zp)
    return make.net.layer("average_pool", [source], [out], [LINEAR, VALID, window, window, window, window])


def reshaped(make, source, shape, name):
    tensor = make.net.tensors[source]
    return make.net.layer("reshape", [source], [make.tensor(name, shape, tensor.scale, tensor.zp)])


def faces():
    """The inputs and outputs of a detector of faces: three dimensions, the last of them 4, 2 and 10."""
    make = Maker("faces")
    small = squeezed(make, make.image("picture", [1, 640, 640, 3]), 16)
    for depth, name in (42, "boxes"), (21, "scores"), (105, "landmarks"):
        rows = make.conv(small, depth, size=1, name=name + "_map")
        make.output(reshaped(make, rows, [1, 16800, depth * 1600 // 16800], name))
    return make.net


def few_faces():
    """A small one of the same kind."""
    make = Maker("few_faces")
    small = squeezed(make, make.image("picture", [1, 32, 32, 3]), 4)
    for depth, name in (4, "boxes"), (2, "scores"), (10, "landmarks"):
        make.output(reshaped(make, make.conv(small, depth, size=1, name=name + "_map"), [1, 64, depth], name))
    return make.net


def objects():
    """Those of a detector of objects: maps of 18 channels, and of 64, 4 and 1."""
    make = Maker("objects")
    small = make.image("picture", [1, 640, 640, 3])
    for window in 8, 2, 2:
        small = squeezed(make, small, window)
        make.output(make.conv(small, 18, size=1, name="map%d" % make.shapes_of(small)[0][1]))
    for depth in 64, 80, 4, 1:
        make.output(make.conv(make.net.outputs[2], depth, size=1, name="deep%d" % depth))
    return make.net


def maps():
    """A small one of the same kind."""
    make = Maker("maps")
    make.output(make.conv(squeezed(make, make.image("picture", [1, 64, 64, 3]), 8), 18, size=1))
    return make.net


def heads():
    """The nine maps of a YOLOv8 on 640 x 640, 8,400 cells in all: 64 channels of boxes, 80 of classes and their sum."""
    make = Maker("heads")
    small = make.image("picture", [1, 80, 80, 3])
    for size in 80, 40, 20:
        for depth, name in (64, "boxes"), (80, "classes"), (1, "sum"):
            make.output(make.conv(small, depth, size=1, name="%s%d" % (name, size)))
        if size > 20:
            small = make.pool(small, "pool%d" % size)
    return make.net


def voice():
    """Those of a detector of speech: three dimensions going in and coming out, the last of them 1."""
    make = Maker("voice")
    flat = reshaped(make, make.input("input", [1, 129, 4]), [1, 516], "flat")
    make.output(reshaped(make, make.full(flat, 128), [1, 128, 1], "state"))
    return make.net


def number():
    make = Maker("number")
    make.output(make.full(make.input("input", [1, 2]), 1))
    return make.net


def classes():
    make = Maker("classes")
    make.output(make.full(squeezed(make, make.image("picture", [1, 224, 224, 3]), 32), 1000))
    return make.net


def two_pictures():
    make = Maker("two_pictures")
    gray, colours = make.image("gray", [1, 128, 128, 1]), make.image("colours", [1, 128, 128, 3])
    make.output(make.add(make.conv(gray, 8, name="a"), make.conv(colours, 8, name="b")))
    return make.net


def drawn():
    """The networks of drawn weights."""
    return [
        faces(), few_faces(), objects(), maps(), heads(), voice(), number(), classes(), two_pictures(),
        one_conv("half10", [1, 10, 10, 3], 3, FLOAT16, NONE),
        one_conv("odd", [1, 7, 13, 3], 20), one_conv("gray", [1, 9, 17, 1], 16), one_conv("c5", [1, 6, 10, 5], 5),
        one_conv("c40", [1, 4, 9, 40], 40), one_conv("half_c24", [1, 5, 7, 24], 24, FLOAT16, NONE),
        # The same weights in several types.
        one_conv("float", [1, 9, 11, 3], 10, FLOAT32, NONE, "picture"),
        one_conv("half", [1, 9, 11, 3], 10, FLOAT16, NONE, "picture"),
        one_conv("float_c8", [1, 5, 6, 8], 12, FLOAT32, NONE, "features"),
        one_conv("int16", [1, 5, 6, 8], 12, INT16, AFFINE, "features"),
        one_conv("dfp8", [1, 5, 6, 8], 12, INT8, DFP, "features"),
        one_conv("dfp16", [1, 5, 6, 8], 12, INT16, DFP, "features"),
        windows(), two_in_two_out(), batch(), dynamic(), dynamic_rows(), custom(), several_cores(), chain(),
        identity("same_int8", [1, 3, 5, 40], INT8, 0.1, 3), identity("same_wide", [1, 2, 301, 3], INT8, 1 / 255, -128),
        identity("same_half", [1, 3, 5, 20], FLOAT16), identity("same_float", [1, 3, 5, 20], FLOAT32),
        identity("same_int16", [1, 3, 5, 20], INT16, 0.001, 40),
        identity("same_uint8", [1, 3, 5, 20], UINT8, 0.05, 100),
        identity("same_int64", [2, 9], INT64), identity("same_bool", [12], BOOL),
        identity("same_vector", [1, 70], INT8, 0.2, -7), identity("same_rank1", [33], INT8, 0.2, -7),
        identity("same_rank3", [2, 7, 9], INT8, 0.2, -7),
    ]


def networks(models=None):
    """The set of the tests; models: a folder of NAME/NAME.tflite, of which those come too that can be converted."""
    found = [with_images(read_tflite(os.path.join(ROOT, "examples", "meter", "meter.tflite")))] + drawn()
    for name in sorted(os.listdir(models)) if models else []:
        path = os.path.join(models, name, name + ".tflite")
        if not os.path.exists(path):
            continue
        try:
            found.append(with_images(read_tflite(path)))
        except Refused as why:
            print("%s: %s" % (name, why))
    return found
