#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the models that tests/bare runs beside the meter, as large as those of products, into a folder:

    tests/bare/make_models.py FOLDER      FOLDER/NAME/NAME.tflite, FOLDER/NAME/input0.bin ...

keyword    49 x 10 features to 12 words: the network of MLPerf Tiny's keyword spotter (DS-CNN)
vww        96 x 96 x 3 pixels to two classes: that of its visual wake words (MobileNet 0.25)
detector   64 x 64 x 3 pixels to 320 boxes at two scales: a sum, a map that is doubled, and concatenations

They have learnt nothing: weights, biases and inputs are random, the same each time, and every layer's scale is such
that its results fill the range of int8, so that a wrong one is seen at the end."""

import os
import random
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tflite_writer import INT8, INT32, graph, ints

SEED = 20261126
SCALE = 0.05             # of every map
SPREAD = 35.0            # standard deviation of a map's bytes, more or less
WEIGHT_SPREAD = 73.0     # that of weights from -127 to 127
SAMPLES = 2
SAME, VALID = 0, 1
LINEAR, RELU = 0, 1


class Network:
    """Tensors and operators in the order of their making; a map is the index of its tensor."""

    def __init__(self, shape):
        self.random = random.Random(SEED)
        self.tensors, self.operators = [], []
        self.input = self.map(shape)

    def map(self, shape, scale=SCALE, zero=0):
        self.tensors.append((INT8, shape, None, [scale], [zero], 0))
        return len(self.tensors) - 1

    def shape(self, of):
        return self.tensors[of][1]

    def operator(self, code, options_type, options, inputs, output):
        self.operators.append((code, options_type, options, inputs, [output]))
        return output

    def weights(self, shape, axis, products):
        """Those of a layer with so many products a result, a scale for each channel; and the biases."""
        channels = shape[axis]
        count = channels * products
        data = [self.random.randrange(-127, 128) & 255 for _ in range(count)]
        scales = [(0.7 + 0.6 * self.random.random()) / (WEIGHT_SPREAD * products ** 0.5) for _ in range(channels)]
        biases = [int(self.random.uniform(-SPREAD, SPREAD) / scale) for scale in scales]
        self.tensors.append((INT8, shape, data, scales, [0] * channels, axis))
        self.tensors.append((INT32, [channels], ints(*biases), [SCALE * scale for scale in scales], [0] * channels, 0))
        return [len(self.tensors) - 2, len(self.tensors) - 1]

    def conv(self, x, channels, kernel=(1, 1), stride=1, act=RELU):
        n, h, w, c = self.shape(x)
        constants = self.weights([channels] + list(kernel) + [c], 0, kernel[0] * kernel[1] * c)
        return self.operator(3, 1, [SAME, stride, stride, act], [x] + constants,
                             self.map([n, -(-h // stride), -(-w // stride), channels]))

    def depthwise(self, x, stride=1):
        n, h, w, c = self.shape(x)
        constants = self.weights([1, 3, 3, c], 3, 9)
        return self.operator(4, 2, [SAME, stride, stride, 1, RELU], [x] + constants,
                             self.map([n, -(-h // stride), -(-w // stride), c]))

    def separable(self, x, channels, stride=1):
        return self.conv(self.depthwise(x, stride), channels)

    def average(self, x):
        n, h, w, c = self.shape(x)
        return self.operator(1, 5, [VALID, 1, 1, w, h, LINEAR], [x], self.map([n, 1, 1, c]))

    def reshape(self, x, shape):
        return self.operator(22, 17, [shape], [x], self.map(shape))

    def dense(self, x, channels):
        constants = self.weights([channels, self.shape(x)[1]], 0, self.shape(x)[1])
        return self.operator(9, 8, [LINEAR], [x] + constants, self.map([1, channels]))

    def classes(self, x, count):
        x = self.average(x)
        x = self.dense(self.reshape(x, [1, self.shape(x)[3]]), count)
        return self.operator(25, 9, [1.0], [x], self.map([1, count], 1 / 256, -128))

    def add(self, a, b):
        return self.operator(0, 11, [RELU], [a, b], self.map(self.shape(a)))

    def doubled(self, x):
        n, h, w, c = self.shape(x)
        self.tensors.append((INT32, [2], ints(h * 2, w * 2), None))
        return self.operator(97, 74, [None, None], [x, len(self.tensors) - 1], self.map([n, h * 2, w * 2, c]))

    def concat(self, parts, axis):
        shape = list(self.shape(parts[0]))
        shape[axis] = sum(self.shape(part)[axis] for part in parts)
        return self.operator(2, 10, [axis, LINEAR], parts, self.map(shape))

    def logistic(self, x):
        return self.operator(14, 0, [], [x], self.map(self.shape(x), 1 / 256, -128))

    def write(self, output):
        return graph(self.tensors, self.operators, [self.input], [output])


def keyword():
    network = Network([1, 49, 10, 1])
    x = network.conv(network.input, 64, (10, 4), 2)
    for _ in range(4):
        x = network.separable(x, 64)
    return network, network.classes(x, 12)


def vww():
    network = Network([1, 96, 96, 3])
    x = network.conv(network.input, 8, (3, 3), 2)
    for channels, stride in ((16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2), (128, 1), (128, 1), (128, 1),
                             (128, 1), (128, 1), (256, 2), (256, 1)):
        x = network.separable(x, channels, stride)
    return network, network.classes(x, 2)


def detector():
    network = Network([1, 64, 64, 3])
    x = network.separable(network.conv(network.input, 16, (3, 3), 2), 32, 2)
    fine = network.add(x, network.conv(network.separable(x, 32), 32, (3, 3), 1, LINEAR))
    coarse = network.separable(network.separable(fine, 64, 2), 64)
    fine = network.conv(network.concat([fine, network.doubled(network.conv(coarse, 32))], 3), 32)
    # a box is its place, its size, an object, and a class
    boxes = [network.reshape(network.conv(x, 6, (1, 1), 1, LINEAR), [1, rows, 6])
             for x, rows in ((fine, 256), (coarse, 64))]
    return network, network.logistic(network.concat(boxes, 1))


MODELS = {"keyword": keyword, "vww": vww, "detector": detector}


def main():
    for name, make in MODELS.items():
        folder = os.path.join(sys.argv[1], name)
        os.makedirs(folder, exist_ok=True)
        network, output = make()
        with open(os.path.join(folder, name + ".tflite"), "wb") as f:
            f.write(network.write(output))
        size = 1
        for extent in network.shape(network.input):
            size *= extent
        for sample in range(SAMPLES):
            with open(os.path.join(folder, "input%d.bin" % sample), "wb") as f:
                f.write(struct.pack("%db" % size, *[max(-128, min(127, round(network.random.gauss(0, SPREAD))))
                                                    for _ in range(size)]))


if __name__ == "__main__":
    main()
