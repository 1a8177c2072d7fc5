#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the digit network of the meter demo and its test pictures, from nothing but this file.

  train_meter.py           draws, trains (a few minutes on one core), quantizes to int8, and writes
                           meter.tflite, pictures/, expected.txt and golden/ beside this script
  train_meter.py --check   no training: reads the committed meter.tflite back, runs it with the integer
                           arithmetic of tflite_reference.py, and compares readings, goldens and accuracy

Needs Python 3.9 and numpy 1.20 or newer. Every picture is drawn here, so no data set is needed and
there is no licence to look up; the other side of it is that the network has never seen a photograph.

The wheels of a meter are drums: a digit scrolls through its window from below and the next one
follows. So the drawing starts from ten digits on a strip, and a picture is a look at one place
of the strip through a small, dirty, badly lit window.
"""

import os
import sys
import time

import numpy as np

import tflite_file
import tflite_reference

HERE = os.path.dirname(os.path.abspath(__file__))
HEIGHT, WIDTH = 32, 20          # one digit window, in pixels
WHEELS = 6                      # windows side by side in a meter picture
GOLDENS = 6                     # pairs of input and output in golden/
LETTERINGS = 8                  # styles that make_strips() draws
TURNING = .35                   # share of wheels that are drawn between two digits
MAX_ROLL = .37                  # how far, in digits; at .5 there is no right answer
MAX_WOBBLE = .06                # the same for wheels at rest
TRAINING_SEED, CALIBRATION_SEED, CHECK_SEED, PICTURE_SEED = 20, 21, 22, 23
TRAINING_STEPS, BATCH = 6000, 64
METER_VALUES = [4711.02, 0.0, 123456.05, 789012.95, 8999.68, 271828.3, 314159.27, 65535.98,
                199999.72, 40506.01, 987654.66, 111117.3]


# ---- the strip: for every point the distance to the nearest pen stroke -------------------------

STRIP_DENSITY = 40              # samples per digit height
STRIP_HALF_WIDTH = 0.8          # in digit heights, to the left and right of the middle


def arc(cx, cy, rx, ry, start, stop, squareness):
    """Points of an arc; degrees clockwise from three o'clock; squareness 2 is an ellipse."""
    angle = np.radians(np.linspace(start, stop, 2 + int(abs(stop - start) / 15)))
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([cx + rx * np.sign(c) * np.abs(c) ** (2 / squareness),
                     cy + ry * np.sign(s) * np.abs(s) ** (2 / squareness)], 1)


def line(*points):
    return np.array(points, float).reshape(-1, 2)


def strokes(digit, squareness, variant):
    """Pen strokes of a digit in the unit square, y downwards; variant 0 or 1 where hands differ."""
    q = squareness
    if digit == 0:
        return [arc(.5, .5, .48, .5, 0, 360, q)]
    if digit == 1:
        if variant:
            return [line(.5, 0, .5, 1)]
        return [line(.22, .22, .55, 0, .55, 1)]
    if digit == 2:
        return [arc(.5, .28, .46, .28, 190, 370, q), line(.94, .36, .03, 1), line(.03, 1, 1, 1)]
    if digit == 3:
        low = arc(.48, .7, .47, .3, 260, 520, q)
        if variant:
            return [line(.08, 0, .92, 0, .45, .4), low]
        return [arc(.48, .25, .42, .25, 200, 450, q), low]
    if digit == 4:
        if variant:
            return [line(.28, 0, .02, .68, 1, .68), line(.74, .35, .74, 1)]
        return [line(.72, 1, .72, 0, 0, .7, 1, .7)]
    if digit == 5:
        return [line(.9, 0, .16, 0, .1, .45), arc(.46, .67, .48, .33, 235, 515, q)]
    if digit == 6:
        if variant:
            return [line(.7, 0, .1, .55), arc(.5, .68, .46, .32, 0, 360, q)]
        return [arc(.5, .68, .46, .32, 0, 360, q), arc(.62, .6, .58, .6, 180, 285, 2)]
    if digit == 7:
        if variant:
            return [line(0, .14, 0, 0, .96, 0), arc(1.02, .98, .64, 1.0, 180, 262, 2)]
        return [line(.03, 0, .97, 0, .38, 1)]
    if digit == 8:
        return [arc(.5, .24, .4, .24, 0, 360, q), arc(.5, .73, .48, .27, 0, 360, q)]
    return [1.0 - s for s in strokes(6, squareness, variant)]


def distance_to_strokes(x, y, polylines):
    best = np.full(x.shape, 9.0)
    for points in polylines:
        for (x0, y0), (x1, y1) in zip(points[:-1], points[1:]):
            length2 = (x1 - x0) ** 2 + (y1 - y0) ** 2
            if length2 < 1e-12:
                continue
            t = np.clip(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length2, 0, 1)
            best = np.minimum(best, np.hypot(x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0)))
    return best


class Strip:
    """A wheel of one lettering style, unrolled. Its rows wrap around after ten digits."""

    def __init__(self, squareness, aspect, pitch, variants):
        rows = int(round(pitch * STRIP_DENSITY))
        columns = int(2 * STRIP_HALF_WIDTH * STRIP_DENSITY)
        self.pitch = rows / STRIP_DENSITY
        down = ((np.arange(rows) + .5) / rows - .5) * self.pitch
        across = ((np.arange(columns) + .5) / columns - .5) * 2 * STRIP_HALF_WIDTH
        y, x = np.meshgrid(down, across, indexing="ij")
        cells = []
        for digit in range(10):
            pen = [(s - .5) * (aspect, 1.0) for s in strokes(digit, squareness, variants >> digit & 1)]
            cells.append(distance_to_strokes(x, y, pen))
        self.field = np.concatenate(cells).astype(np.float32)

    def sample(self, x, position):
        """Distance at x (digit heights from the middle) and position (digits, digit d is at d)."""
        rows, columns = self.field.shape
        r = (position + .5) * (rows / 10) - .5
        c = np.clip((x / (2 * STRIP_HALF_WIDTH) + .5) * columns - .5, 0, columns - 1.001)
        r0, c0 = np.floor(r).astype(np.int32), np.floor(c).astype(np.int32)
        fr, fc = r - r0, c - c0
        above, below = r0 % rows, (r0 + 1) % rows
        return ((self.field[above, c0] * (1 - fc) + self.field[above, c0 + 1] * fc) * (1 - fr) +
                (self.field[below, c0] * (1 - fc) + self.field[below, c0 + 1] * fc) * fr)


def make_strips():
    """The eight letterings: squareness, width, pitch, and the digits that have the other variant."""
    looks = [(2.0, .56, 1.50, 0b0000000000), (2.0, .64, 1.35, 0b0011000000), (2.8, .55, 1.60, 0b0000010010),
             (3.6, .52, 1.45, 0b0010001000), (2.3, .48, 1.40, 0b1001000000), (3.0, .62, 1.55, 0b0000001010),
             (2.0, .52, 1.30, 0b1010010000), (5.0, .56, 1.50, 0b1001010010)]
    return [Strip(*look) for look in looks]


# ---- the window: geometry, light, frame, lens, sensor -------------------------------------------

def random_scene(rng, count):
    """What is random about `count` windows except the position of the wheel."""
    def between(low, high):
        return rng.uniform(low, high, (count, 1, 1)).astype(np.float32)

    def sometimes(probability, values):
        return np.where(rng.random((count, 1, 1)) < probability, values, 0).astype(np.float32)

    contrast = between(.25, .85)
    ground = between(0, 1) * (1 - contrast)
    dark_on_light = rng.random((count, 1, 1)) < .35
    return {
        "style": rng.integers(0, LETTERINGS, count), "height": between(16, 23), "stretch": between(.85, 1.15),
        "x": between(-2, 2), "y": between(-1.2, 1.2),
        "slant": between(-.18, .18), "turn": between(-.05, .05), "drum": between(0, .12),
        "pen": between(.09, .2),
        "ground": np.where(dark_on_light, ground + contrast, ground),
        "ink": np.where(dark_on_light, ground, ground + contrast),
        "shade": between(0, .45), "light_x": between(-.012, .012), "light_y": between(-.008, .008),
        "glare": sometimes(.25, between(.1, .4)), "glare_size": between(2.5, 7),
        "glare_x": between(-8, 8), "glare_y": between(-14, 14), "frame_grey": between(0, .9),
        "left": sometimes(.4, between(0, 3)), "right": sometimes(.4, between(0, 3)),
        "top": sometimes(.4, between(0, 3)), "bottom": sometimes(.4, between(0, 3)),
        "blur": between(.3, 1.1), "noise": between(0, .05),
    }


def blurred(picture, sigma):
    """Five taps down, then five across; the edge is repeated."""
    taps = np.exp(-np.arange(-2, 3) ** 2 / (2 * sigma ** 2))
    taps = (taps / taps.sum(2, keepdims=True)).astype(np.float32)
    tall = np.pad(picture, ((0, 0), (2, 2), (0, 0)), "edge")
    picture = sum(taps[:, :, i:i + 1] * tall[:, i:i + HEIGHT] for i in range(5))
    wide = np.pad(picture, ((0, 0), (0, 0), (2, 2)), "edge")
    return sum(taps[:, :, i:i + 1] * wide[:, :, i:i + WIDTH] for i in range(5))


def draw(rng, strips, position, scene):
    """8-bit pictures [count, HEIGHT, WIDTH] of wheels that stand at `position` (3.0 shows a 3)."""
    s = scene
    py = (np.arange(HEIGHT, dtype=np.float32) - (HEIGHT - 1) / 2)[None, :, None]
    px = (np.arange(WIDTH, dtype=np.float32) - (WIDTH - 1) / 2)[None, None, :]
    v = (py - s["y"] + s["turn"] * px) / s["height"]
    v = v * (1 + s["drum"] * v * v)                        # the drum turns away from the eye
    u = ((px - s["x"] - s["turn"] * py) / s["height"] + s["slant"] * v) / s["stretch"]
    distance = np.empty(v.shape, np.float32)
    for style, strip in enumerate(strips):
        chosen = s["style"] == style
        place = position[chosen, None, None].astype(np.float32) + v[chosen] / strip.pitch
        distance[chosen] = strip.sample(u[chosen], place)
    cover = np.clip((s["pen"] / 2 - distance) * s["height"] + .5, 0, 1)
    picture = s["ground"] + (s["ink"] - s["ground"]) * cover
    picture = picture * (1 - s["shade"] * v * v) + s["light_x"] * px + s["light_y"] * py
    spot = (px - s["glare_x"]) ** 2 + (py - s["glare_y"]) ** 2
    picture = picture + s["glare"] * np.exp(-spot / (2 * s["glare_size"] ** 2))
    inside = (np.clip(px + (WIDTH + 1) / 2 - s["left"], 0, 1) *
              np.clip((WIDTH + 1) / 2 - s["right"] - px, 0, 1) *
              np.clip(py + (HEIGHT + 1) / 2 - s["top"], 0, 1) *
              np.clip((HEIGHT + 1) / 2 - s["bottom"] - py, 0, 1))
    picture = blurred(inside * picture + (1 - inside) * s["frame_grey"], s["blur"])
    picture = picture + s["noise"] * rng.standard_normal(picture.shape, np.float32)
    return np.rint(np.clip(picture, 0, 1) * 255).astype(np.uint8)


def random_digits(rng, strips, count):
    """Pictures, labels, and which wheels were caught turning. The label is the nearer digit."""
    label = rng.integers(0, 10, count)
    turning = rng.random(count) < TURNING
    roll = rng.uniform(-1, 1, count) * np.where(turning, MAX_ROLL, MAX_WOBBLE)
    return draw(rng, strips, label + roll, random_scene(rng, count)), label, turning


def wheel_positions(value):
    """Most significant wheel first. A wheel moves only while the one to its right goes from 9 to 0."""
    positions = [value % 10]
    for k in range(1, WHEELS):
        positions.insert(0, int(value / 10 ** k) % 10 + max(0.0, positions[0] % 10 - 9))
    return np.array(positions)


def draw_meter(rng, strips, value):
    """One picture of a whole meter: the windows share lettering, light and lens, not their wear."""
    scene = {k: np.repeat(a, WHEELS, 0) for k, a in random_scene(rng, 1).items()}
    wear = random_scene(rng, WHEELS)
    scene["x"] = scene["x"] * .5 + wear["x"] * .3
    scene["y"] = scene["y"] * .5 + wear["y"] * .5
    scene["glare"], scene["light_x"] = wear["glare"], scene["light_x"] * .25
    step = scene["light_x"][0, 0, 0] * WIDTH * (np.arange(WHEELS) - (WHEELS - 1) / 2)
    for grey in ("ground", "ink"):
        scene[grey] = scene[grey] + step[:, None, None].astype(np.float32)
    return np.concatenate(list(draw(rng, strips, wheel_positions(value), scene)), axis=1)


def reading_of(value):
    """What a person reads: each wheel at the nearer digit, which is the same as rounding."""
    return "%0*d" % (WHEELS, int(np.floor(value + .5)) % 10 ** WHEELS)


# ---- the network in float: forward and backward by hand, NHWC ------------------------------------

class Conv:
    """Convolution with ReLU, stride 1; weight [out, height, width, in]."""

    def __init__(self, rng, size, depth, count, padding):
        self.kind, self.size, self.padding = "CONV_2D", size, padding
        spread = np.sqrt(2.0 / (size * size * depth))
        self.weight = (rng.standard_normal((count, size, size, depth)) * spread).astype(np.float32)
        if depth == 1:      # pixels are never negative: start with filters that see edges, not light
            self.weight -= self.weight.mean((1, 2, 3), keepdims=True)
        self.bias = np.zeros(count, np.float32)

    def forward(self, x):
        border = self.size // 2 if self.padding == "SAME" else 0
        self.padded = np.pad(x, ((0, 0), (border, border), (border, border), (0, 0)))
        self.border = border
        view = np.lib.stride_tricks.sliding_window_view(self.padded, (self.size, self.size), (1, 2))
        self.patches = view.transpose(0, 1, 2, 4, 5, 3).reshape(-1, self.weight[0].size)
        y = self.patches @ self.weight.reshape(len(self.weight), -1).T + self.bias
        self.y = np.maximum(y, 0).reshape(view.shape[:3] + (len(self.weight),))
        return self.y

    def backward(self, dy):
        dy = dy * (self.y > 0)
        flat = dy.reshape(-1, dy.shape[3])
        self.weight_gradient = (flat.T @ self.patches).reshape(self.weight.shape)
        self.bias_gradient = flat.sum(0)
        dpatches = (flat @ self.weight.reshape(len(self.weight), -1)).reshape(
            dy.shape[:3] + (self.size, self.size, -1))
        dx = np.zeros_like(self.padded)
        height, width, b = dy.shape[1], dy.shape[2], self.border
        for i in range(self.size):
            for j in range(self.size):
                dx[:, i:i + height, j:j + width] += dpatches[:, :, :, i, j]
        return dx[:, b:dx.shape[1] - b, b:dx.shape[2] - b]


class Depthwise:
    """3x3 depthwise convolution with ReLU, stride 1, SAME; weight [1, 3, 3, channels]."""

    def __init__(self, rng, depth):
        self.kind, self.padding = "DEPTHWISE_CONV_2D", "SAME"
        self.weight = (rng.standard_normal((1, 3, 3, depth)) * np.sqrt(2 / 9)).astype(np.float32)
        self.bias = np.zeros(depth, np.float32)

    def forward(self, x):
        height, width = x.shape[1:3]
        self.padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        y = sum(self.padded[:, i:i + height, j:j + width] * self.weight[0, i, j]
                for i in range(3) for j in range(3))
        self.y = np.maximum(y + self.bias, 0)
        return self.y

    def backward(self, dy):
        dy = dy * (self.y > 0)
        height, width = dy.shape[1:3]
        dx = np.zeros_like(self.padded)
        self.weight_gradient = np.zeros_like(self.weight)
        self.bias_gradient = dy.sum((0, 1, 2))
        for i in range(3):
            for j in range(3):
                seen = self.padded[:, i:i + height, j:j + width]
                self.weight_gradient[0, i, j] = (seen * dy).sum((0, 1, 2))
                dx[:, i:i + height, j:j + width] += dy * self.weight[0, i, j]
        return dx[:, 1:-1, 1:-1]


class MaxPool:
    """2x2, stride 2."""

    kind, stride = "MAX_POOL_2D", (2, 2)

    def forward(self, x):
        n, h, w, c = x.shape
        self.cells = x.reshape(n, h // 2, 2, w // 2, 2, c)
        self.y = self.cells.max((2, 4))
        return self.y

    def backward(self, dy):
        """Equal largest values share: a white wall gives many of them."""
        mask = self.cells == self.y[:, :, None, :, None]
        mask = mask / mask.sum((2, 4), keepdims=True, dtype=np.float32)
        n, h, _, w, _, c = self.cells.shape
        return (mask * dy[:, :, None, :, None]).reshape(n, 2 * h, 2 * w, c)


class AveragePool:
    """Two rows into one; columns stay."""

    kind, stride = "AVERAGE_POOL_2D", (2, 1)

    def forward(self, x):
        n, h, w, c = x.shape
        return x.reshape(n, h // 2, 2, w, c).mean(2)

    def backward(self, dy):
        return np.repeat(dy, 2, axis=1) / 2


class Dense:
    """Full connection of the flattened input; weight [out, in], no activation."""

    kind = "FULLY_CONNECTED"

    def __init__(self, rng, depth, count):
        self.weight = (rng.standard_normal((count, depth)) * np.sqrt(1.0 / depth)).astype(np.float32)
        self.bias = np.zeros(count, np.float32)

    def forward(self, x):
        self.shape = x.shape
        self.flat = x.reshape(len(x), -1)
        return self.flat @ self.weight.T + self.bias

    def backward(self, dy):
        self.weight_gradient, self.bias_gradient = dy.T @ self.flat, dy.sum(0)
        return (dy @ self.weight).reshape(self.shape)


def make_network(rng):
    """32x20x1 - 16x10x8 - 16x10x24 - 8x5x24 - 6x3x40 - 3x3x40 - 10"""
    return [Conv(rng, 3, 1, 8, "SAME"), MaxPool(),
            Depthwise(rng, 8), Conv(rng, 1, 8, 24, "VALID"), MaxPool(),
            Conv(rng, 3, 24, 40, "VALID"), AveragePool(), Dense(rng, 360, 10)]


def real_input(pictures):
    """What the quantized input stands for: pixel / 255."""
    return (pictures.astype(np.float32) / 255)[..., None]


def forward(network, x):
    for layer in network:
        x = layer.forward(x)
    return x


def train(strips):
    """Adam, cosine learning rate; every batch is drawn afresh, so nothing can be learnt by heart."""
    rng = np.random.default_rng(TRAINING_SEED)
    network = make_network(rng)
    parameters = [(layer, name) for layer in network if hasattr(layer, "weight")
                  for name in ("weight", "bias")]
    first = [np.zeros_like(getattr(layer, name)) for layer, name in parameters]
    second = [np.zeros_like(m) for m in first]
    right = 0
    start = time.time()
    for step in range(1, TRAINING_STEPS + 1):
        pictures, label, _ = random_digits(rng, strips, BATCH)
        logits = forward(network, real_input(pictures))
        probability = np.exp(logits - logits.max(1, keepdims=True))
        probability /= probability.sum(1, keepdims=True)
        right += int((logits.argmax(1) == label).sum())
        gradient = probability
        gradient[np.arange(BATCH), label] -= 1
        gradient /= BATCH
        for layer in reversed(network):
            gradient = layer.backward(gradient)
        rate = 3e-3 * (.5 + .5 * np.cos(np.pi * step / TRAINING_STEPS)) * min(1, step / 100)
        for k, (layer, name) in enumerate(parameters):
            g = getattr(layer, name + "_gradient")
            first[k] += .1 * (g - first[k])
            second[k] += .005 * (g * g - second[k])
            update = first[k] / (1 - .9 ** step) / (np.sqrt(second[k] / (1 - .995 ** step)) + 1e-8)
            getattr(layer, name)[...] -= (rate * update).astype(np.float32)
        if step % 500 == 0:
            print("step %5d  %.2f %% of the last 500 batches right  %.0f s" %
                  (step, right / (5 * BATCH), time.time() - start), flush=True)
            right = 0
    return network


# ---- quantization, as TensorFlow Lite does it ---------------------------------------------------

def activation_quantization(low, high):
    """Scale and zero point of int8 for [low, high] widened to contain 0, which must be exact."""
    low, high = min(0.0, float(low)), max(0.0, float(high))
    scale = np.float32((high - low) / 255)
    return scale, int(np.clip(np.rint(-128 - low / float(scale)), -128, 127))


def quantize(network, pictures):
    """The int8 Model of a trained network; the ranges of activations come from `pictures`."""
    tensors, operators = [], []

    def add(*arguments, **named):
        tensors.append(tflite_file.Tensor(*arguments, **named))
        return len(tensors) - 1

    def add_constants(layer, name, per_channel, axis, input_scale):
        weight = layer.weight.astype(np.float64)
        others = tuple(a for a in range(weight.ndim) if a != axis) if per_channel else None
        largest = np.maximum(np.abs(weight).max(others), 1e-6)
        scale = np.atleast_1d(largest / 127).astype(np.float32)
        along = [-1 if a == axis else 1 for a in range(weight.ndim)]
        q = np.clip(np.rint(weight / scale.astype(np.float64).reshape(along)), -127, 127).astype(np.int8)
        bias_scale = (scale * input_scale).astype(np.float32)
        bias = np.rint(layer.bias / bias_scale.astype(np.float64)).astype(np.int32)
        zeros = np.zeros(len(scale), np.int64)
        return (add(name + "/weight", q.shape, "int8", q, scale, zeros, axis),
                add(name + "/bias", bias.shape, "int32", bias, bias_scale, zeros, 0))

    scale, zero_point = np.float32(1 / 255), -128
    x = real_input(pictures)
    current = first = add("window", (1, HEIGHT, WIDTH, 1), "int8", None, scale, zero_point)
    for number, layer in enumerate(network):
        name = "%d_%s" % (number, layer.kind.lower())
        inputs, options = [current], {}
        if layer.kind == "FULLY_CONNECTED":
            flat = (1, layer.weight.shape[1])
            shape_tensor = add(name + "/shape", (2,), "int32", np.array(flat, np.int32))
            current = add(name + "/flat", flat, "int8", None, scale, zero_point)
            operators.append(tflite_file.Operator("RESHAPE", [inputs[0], shape_tensor], [current]))
            inputs = [current]
        x = layer.forward(x)
        if hasattr(layer, "weight"):
            depthwise = layer.kind == "DEPTHWISE_CONV_2D"
            per_channel = layer.kind != "FULLY_CONNECTED"
            inputs += add_constants(layer, name, per_channel, 3 if depthwise else 0, scale)
            scale, zero_point = activation_quantization(x.min(), x.max())
        if layer.kind.endswith("CONV_2D"):
            options = {"padding": layer.padding, "stride_w": 1, "stride_h": 1, "activation": "relu"}
            if layer.kind == "DEPTHWISE_CONV_2D":
                options["depth_multiplier"] = 1
        elif layer.kind.endswith("POOL_2D"):             # same scale in and out: a pool changes no range
            height, width = layer.stride
            options = {"padding": "VALID", "stride_h": height, "stride_w": width,
                       "filter_h": height, "filter_w": width}
        current = add(name, (1,) + x.shape[1:], "int8", None, scale, zero_point)
        operators.append(tflite_file.Operator(layer.kind, inputs, [current], **options))
    result = add("digit", (1, 10), "int8", None, np.float32(1 / 256), -128)
    operators.append(tflite_file.Operator("SOFTMAX", [current], [result], beta=1.0))
    return tflite_file.Model(tensors, operators, [first], [result],
                             "nnrt example: digits of a utility meter")


# ---- results --------------------------------------------------------------------------------------

def input_bytes(pictures):
    """Pixels as the network wants them: pixel - 128, [count, HEIGHT, WIDTH, 1]."""
    return (pictures.astype(np.int16) - 128).astype(np.int8)[..., None]


def windows_of(picture):
    return np.stack(np.split(picture, WHEELS, axis=1))


def read_pgm(path):
    """Reads what write_pgm wrote, nothing more general."""
    with open(path, "rb") as file:
        raw = file.read()
    header = b"P5\n%d %d\n255\n" % (WHEELS * WIDTH, HEIGHT)
    if not raw.startswith(header):
        raise ValueError(path + ": not a picture of this script")
    return np.frombuffer(raw, np.uint8, offset=len(header)).reshape(HEIGHT, WHEELS * WIDTH)


def write_pgm(path, picture):
    with open(path, "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % (picture.shape[1], picture.shape[0]) + picture.tobytes())


def accuracy(model, strips, count):
    """Of the int8 network on freshly drawn windows: (all, resting wheels only, turning wheels only)."""
    pictures, label, turning = random_digits(np.random.default_rng(CHECK_SEED), strips, count)
    logits = tflite_reference.run(model, input_bytes(pictures), stop_before="SOFTMAX")
    right = logits.argmax(1) == label
    return right.mean(), right[~turning].mean(), right[turning].mean()


def write_results(directory, raw, strips):
    """The model file and everything that can be said about it without its float origin."""
    for name in ("pictures", "golden"):
        os.makedirs(os.path.join(directory, name), exist_ok=True)
    with open(os.path.join(directory, "meter.tflite"), "wb") as file:
        file.write(raw)
    model = tflite_file.read_model(raw)
    rng = np.random.default_rng(PICTURE_SEED)
    lines, digits = [], []
    for value in METER_VALUES:
        name = "reading_%s.pgm" % reading_of(value)
        picture = draw_meter(rng, strips, value)
        write_pgm(os.path.join(directory, "pictures", name), picture)
        lines.append("%s %s\n" % (name, reading_of(value)))
        digits += list(windows_of(picture))
    with open(os.path.join(directory, "expected.txt"), "w") as file:
        file.writelines(lines)
    write_goldens(os.path.join(directory, "golden"), model, np.stack(digits), rng)


def write_goldens(directory, model, digits, rng):
    """The four least certain digits and two windows of noise: a sure digit is +127 and nine times -128,
    which hides an error of the arithmetic."""
    certainty = tflite_reference.run(model, input_bytes(digits)).max(1)
    doubtful = digits[np.argsort(certainty, kind="stable")[:GOLDENS - 2]]
    noise = rng.integers(0, 256, (2, HEIGHT, WIDTH)).astype(np.uint8)
    inputs = input_bytes(np.concatenate([doubtful, noise]))
    for k, (window, scores) in enumerate(zip(inputs, tflite_reference.run(model, inputs))):
        window.tofile(os.path.join(directory, "input%d.bin" % k))
        scores.tofile(os.path.join(directory, "expected%d.bin" % k))


def check(directory, strips):
    """True if the committed files agree with each other and the network is good enough."""
    path = os.path.join(directory, "meter.tflite")
    with open(path, "rb") as file:
        raw = file.read()
    model = tflite_file.read_model(raw)
    wrong = 0
    with open(os.path.join(directory, "expected.txt")) as file:
        for name, reading in (text.split() for text in file):
            picture = read_pgm(os.path.join(directory, "pictures", name))
            scores = tflite_reference.run(model, input_bytes(windows_of(picture))).astype(int) + 128
            seen = "".join(str(d) for d in scores.argmax(1))
            print("%s  read %s  least certain digit %d %%" % (name, seen, scores.max(1).min() * 100 // 256))
            wrong += seen != reading
    for k in range(GOLDENS):
        window = np.fromfile(os.path.join(directory, "golden", "input%d.bin" % k), np.int8)
        scores = np.fromfile(os.path.join(directory, "golden", "expected%d.bin" % k), np.int8)
        result = tflite_reference.run(model, window.reshape(1, HEIGHT, WIDTH, 1))
        wrong += not np.array_equal(result.reshape(-1), scores)
    rates = accuracy(model, strips, 10000)
    print("%d bytes; of 10000 new windows %.2f %% right (wheel at rest %.2f %%, turning %.2f %%)" %
          ((len(raw),) + tuple(100 * r for r in rates)))
    return wrong == 0 and rates[0] >= .97


def main(arguments):
    strips = make_strips()
    if arguments == []:
        network = train(strips)
        calibration = random_digits(np.random.default_rng(CALIBRATION_SEED), strips, 2000)[0]
        write_results(HERE, tflite_file.write_model(quantize(network, calibration)), strips)
    elif arguments != ["--check"]:
        sys.exit(__doc__)
    if not check(HERE, strips):
        sys.exit("FAILED: a reading or a golden file is wrong, or the accuracy is below 97 %")


if __name__ == "__main__":
    main(sys.argv[1:])
