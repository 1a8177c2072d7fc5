# SPDX-License-Identifier: Apache-2.0
"""What the networks of networks.py compute, element by element from the definitions, and the golden files of it.

A frame is [channel][row][column] of int32 (real * 4096) or of pixels, a sequence a list of such frames of one row."""

import math
import random
import struct

import make_wk
from exact import indices, run

ONE = 4096


# ---- frames ----------------------------------------------------------------------------------------


def planes(tensor):
    shape = tensor.shapes[0]
    return (shape[3], shape[1], shape[2]) if len(shape) == 4 else tuple([1] * (3 - len(shape)) + list(shape))


def place(tensor, channel, row, column):
    if len(tensor.shapes[0]) == 4:
        return (0, row, column, channel)
    return (channel, row, column)[3 - len(tensor.shapes[0]):]


def to_tensor(port, frame):
    tensor = port.tensor
    channels, height, width = planes(tensor)
    values = {}
    for c, h, w in indices((channels, height, width)):
        value = frame[c][h][w]
        if port.kind in ("U8", "YVU420SP", "YVU422SP"):
            value = value / tensor.std[0] if tensor.image else float(value)
        else:
            value = value / ONE
        values[place(tensor, c, h, w)] = value
    return values


def fixed(value):
    return max(-2 ** 31, min(2 ** 31 - 1, round(value * ONE)))


def to_frame(port, values):
    channels, height, width = planes(port.tensor)
    return [[[fixed(values[place(port.tensor, c, h, w)]) for w in range(width)] for h in range(height)]
            for c in range(channels)]


def drawn_frame(port, random):
    """Of a picture in YVU the chroma of pixels that share it is the same."""
    channels, height, width = port.map or planes(port.tensor)
    picture = port.kind in ("U8", "YVU420SP", "YVU422SP")
    frame = [[[random.randint(0, 255) if picture else random.randint(-128, 128) * 64 for _ in range(width)]
              for _ in range(height)] for _ in range(channels)]
    if port.kind in ("YVU420SP", "YVU422SP"):
        for plane in frame[1:]:
            for h, w in indices((height, width)):
                plane[h][w] = plane[h - h % 2 if port.kind == "YVU420SP" else h][w - w % 2]
    return frame


# ---- segments --------------------------------------------------------------------------------------


def run_frames(part, inputs):
    outputs = [run(part.network, [to_tensor(port, frames[n]) for port, frames in zip(part.inputs, inputs)])
               for n in range(len(inputs[0]))]
    return [[to_frame(port, frame[k]) for frame in outputs] for k, port in enumerate(part.outputs)]


def run_steps(part, inputs, steps):
    """Frames of a sequence are its steps, one sequence behind the other."""
    outputs = [[] for _ in part.outputs]
    row = 0
    for n, count in enumerate(steps):
        values = [to_tensor(port, frames[n]) for port, frames in zip(part.inputs, inputs)]
        for _ in range(count):
            for i, port in enumerate(part.inputs):
                if port.kind == "SEQ_S32":
                    values[i] = to_tensor(port, inputs[i][row])
            results = run(part.network, values)
            for k, port in enumerate(part.outputs):
                if port.kind == "SEQ_S32":
                    outputs[k].append(to_frame(port, results[k]))
            for output, back in part.feedback:
                values[back] = results[output]
            row += 1
        for k, port in enumerate(part.outputs):
            if port.kind != "SEQ_S32":
                outputs[k].append(to_frame(port, results[k]))
    return outputs


def nearest(value):
    return math.floor(value + 0.5)


def part_of(low, high, scale, k, parts, size):
    begin, end = nearest(low * scale), nearest(high * scale)
    length = max(end - begin + 1, 1)
    first, last = begin + math.floor(length * k / parts), begin + math.ceil(length * (k + 1) / parts)
    return range(min(max(first, 0), size), min(max(last, 0), size))


def pooled(roi, frame, box):
    left, top, right, bottom = [v / ONE for v in box]
    values = {}
    for y, x, c in indices((roi.height, roi.width, roi.source[0])):
        rows = part_of(top, bottom, roi.scale, y, roi.height, roi.source[1])
        columns = part_of(left, right, roi.scale, x, roi.width, roi.source[2])
        values[(0, y, x, c)] = max([frame[c][h][w] for h in rows for w in columns], default=0) / ONE
    return values


def run_boxes(part, inputs, boxes):
    outputs = [run(part.network, [pooled(roi, frames[0], box) for roi, frames in zip(part.rois, inputs)])
               for box in boxes]
    return [[to_frame(port, frame[k]) for frame in outputs] for k, port in enumerate(part.outputs)]


# ---- golden files ----------------------------------------------------------------------------------

STEPS = [3, 1, 4]
BOXES = [[0, 0, 47, 31], [8, 9, 30, 20], [20.5, 3.25, 21, 4], [40, 24, 60, 50]]


class Golden:
    def __init__(self):
        self.lines, self.raw = ["golden 1"], []

    def add(self, what, port, frames, steps=None, within=None):
        picture = port.kind in ("U8", "YVU420SP", "YVU422SP")
        shape = (len(frames[0]), len(frames[0][0]), len(frames[0][0][0]))
        if steps is not None and port.kind == "SEQ_S32":
            line = "%s SEQ_S32 steps %s dim %d" % (what, ",".join(map(str, steps)), shape[2])
        else:
            line = "%s %s frames %d channels %d height %d width %d" % ((what, port.kind, len(frames)) + shape)
        self.lines.append(line + ("" if within is None else " within %d" % within))
        for frame in frames:
            for plane in frame:
                for row in plane:
                    self.raw.append(bytes(row) if picture else struct.pack("<%di" % len(row), *row))

    def bytes(self):
        return "\n".join(self.lines).encode() + b"\n\n" + b"".join(self.raw)


def golden(parts):
    """Inputs that no segment before makes are drawn."""
    known, result = {}, Golden()
    draw = random.Random(parts[0].network.name + " golden")
    before = None
    for number, part in enumerate(parts):
        recurrent = part.net == make_wk.RECURRENT
        boxes = [[fixed(v) for v in box] for box in BOXES] if part.rois else None
        frames = 1 if part.rois else len(STEPS) if recurrent else 2
        made = part.cpu(before) if getattr(part, "cpu", None) else None
        inputs = []
        for index, port in enumerate(part.inputs):
            if made is not None:
                inputs.append(made[index])
            elif port.name in known:
                inputs.append(known[port.name][:frames])
            else:
                count = sum(STEPS) if port.kind == "SEQ_S32" else frames
                inputs.append([drawn_frame(port, draw) for _ in range(count)])
            result.add("segment %d input %d" % (number, index), port, inputs[-1], STEPS if recurrent else None)
        if boxes:
            box_port = type(part.inputs[0])("boxes", "S32", None)
            result.add("segment %d boxes" % number, box_port, [[boxes]])
            before = run_boxes(part, inputs, boxes)
        else:
            before = run_steps(part, inputs, STEPS) if recurrent else run_frames(part, inputs)
        for index, port in enumerate(part.outputs):
            known[port.name] = before[index]
            result.add("segment %d output %d" % (number, index), port, before[index], STEPS if recurrent else None, 1)
    return result.bytes()
