# SPDX-License-Identifier: Apache-2.0
"""Networks of float32 with weights that are multiples of 1/64, so that sums have one result whatever their order, and a
slow reference that computes them element by element from the definitions."""

import math
import random
import struct

from network import ABSENT, FLOAT32, LINEAR, RELU, SAME, Network, Tensor, bits, numbers


class Maker:
    """A network layer by layer."""

    def __init__(self, name, shapes=1):
        self.net, self.random, self.inputs, self.outputs = Network(name, shapes), random.Random(name), [], []

    def tensor(self, name, shape):
        return self.net.add(Tensor(name, shape, FLOAT32))

    def shape(self, number):
        return self.net.tensors[number].shapes[0]

    def constant(self, name, shape, most=32):
        count = 1
        for d in shape:
            count *= d
        values = [self.random.randint(-most, most) / 64 for _ in range(count)]
        return self.net.add(Tensor(name, shape, FLOAT32, data=numbers(values, "f")))

    def conv(self, number, channels, size=3, stride=1, activation=LINEAR):
        depth = self.shape(number)[3]
        w, b = self.constant("w", [channels, size, size, depth]), self.constant("b", [channels])
        out = self.tensor("conv", [[1, -(-s[1] // stride), -(-s[2] // stride), channels]
                                   for s in self.net.tensors[number].shapes])
        return self.net.layer("conv", [number, w, b], [out], [activation, SAME, stride, stride, 1, 1])

    def full(self, number, channels, activation=LINEAR):
        depth = 1
        for d in self.shape(number):
            depth *= d
        out = self.tensor("full", [1, channels])
        w, b = self.constant("w", [channels, depth], 16), self.constant("b", [channels])
        return self.net.layer("full", [number, w, b], [out], [activation])

    def pool(self, number, operator="max_pool", window=2):
        _, height, width, depth = self.shape(number)
        out = self.tensor("pool", [1, height // window, width // window, depth])
        return self.net.layer(operator, [number], [out], [LINEAR, 1, window, window, window, window])

    def same(self, operator, number, other=None, params=(0,)):
        out = self.tensor(operator, self.net.tensors[number].shapes)
        return self.net.layer(operator, [number] + ([] if other is None else [other]), [out], list(params))

    def softmax(self, number):
        return self.same("softmax", number, None, [0, bits(1.0)])

    def reshape(self, number, shape):
        return self.net.layer("reshape", [number], [self.tensor("reshape", shape)])


# ---- networks: a tensor is a dictionary of indices -------------------------------------------------


def indices(shape):
    if not shape:
        yield ()
        return
    for first in range(shape[0]):
        for rest in indices(shape[1:]):
            yield (first,) + rest


def constant(tensor):
    values = struct.unpack("<%df" % (len(tensor.data) // 4), tensor.data)
    return dict(zip(indices(tensor.shapes[0]), values))


def window(size, reach, stride, before):
    """For each output along an axis: (index in the window, index in the tensor)."""
    return [[(k, at * stride - before + k) for k in range(reach) if 0 <= at * stride - before + k < size[0]]
            for at in range(size[1])]


def windows(shape, out, height, width, params):
    """The windows along both axes; SAME: outputs are centred, the odd element is behind."""
    found = []
    for axis, reach, stride in (1, height, params[2]), (2, width, params[3]):
        missing = (out[axis] - 1) * stride + reach - shape[axis]
        found.append(window((shape[axis], out[axis]), reach, stride, max(missing, 0) // 2 if params[1] == 0 else 0))
    return found


def activate(value, params):
    return max(value, 0.0) if params and params[0] == RELU else value


def convolve(shape, out, x, w, b, params):
    reach = [max(index[axis] for index in w) + 1 for axis in range(4)]
    rows, columns = windows(shape, out, reach[1], reach[2], params)
    return {(n, h, c, k): activate(b[(k,)] + sum(w[(k, i, j, d)] * x[(n, y, z, d)] for i, y in rows[h]
                                                 for j, z in columns[c] for d in range(reach[3])), params)
            for n, h, c, k in indices(out)}


def pool(shape, out, x, params):
    rows, columns = windows(shape, out, params[4], params[5], params)
    return {(n, h, c, k): max(x[(n, y, z, k)] for _, y in rows[h] for _, z in columns[c])
            for n, h, c, k in indices(out)}


def connect(x, w, b, params):
    values = [x[index] for index in sorted(x)]
    channels = max(index[0] for index in w) + 1
    return {(0, k): activate(b[(k,)] + sum(w[(k, i)] * v for i, v in enumerate(values)), params)
            for k in range(channels)}


def softmax(x):
    total = {}
    for index, value in x.items():
        total[index[:-1]] = total.get(index[:-1], 0) + math.exp(value)
    return {index: math.exp(value) / total[index[:-1]] for index, value in x.items()}


def run(network, inputs, size=0):
    """size: the number of the shapes that the tensors have."""
    values = dict(zip(network.inputs, inputs))
    for operator, sources, (target,), params, _, _ in network.layers:
        out = network.tensors[target].shapes[size]
        shape = network.tensors[sources[0]].shapes[size]
        given = [values[s] if s in values else constant(network.tensors[s]) for s in sources if s != ABSENT]
        x = given[0]
        if operator == "conv":
            values[target] = convolve(shape, out, *given, params)
        elif operator == "max_pool":
            values[target] = pool(shape, out, x, params)
        elif operator == "full":
            values[target] = connect(*given, params)
        elif operator == "softmax":
            values[target] = softmax(x)
        elif operator == "logistic":
            values[target] = {index: 1 / (1 + math.exp(-value)) for index, value in x.items()}
        elif operator == "add":
            values[target] = {index: value + given[1][index] for index, value in x.items()}
        elif operator == "reshape":
            values[target] = dict(zip(indices(out), (x[index] for index in sorted(x))))
        elif operator == "copy":
            values[target] = x
        else:
            raise ValueError(operator)
    return [values[number] for number in network.outputs]
