# SPDX-License-Identifier: Apache-2.0
"""nnrt from Python, on the PC and on boards that have one: ctypes over the shared library, numpy in and out.

    make shared                                 # build/libnnrt.so, beside which nnrt.py finds itself
    python3 -c 'import nnrt; print(nnrt.devices())'

    model = nnrt.Model("model.tflite")
    scores, = model.run(picture)                # what is stored: int8 of an int8 model
    scores, = model.run_real(picture / 255.0)   # real numbers in and out, quantized as the model wants it

Arrays have the type and the number of elements of the input. Without numpy an input is anything that has a buffer
(bytes, array.array, memoryview), an output is bytes, and run_real takes and gives array.array("f").
What fails raises nnrt.Error with the library's sentence. A Model is for one thread at a time."""

import array
import ctypes
import ctypes.util
import os
import sys

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ["Error", "Model", "Tensor", "devices", "version"]

# OH_NN_DataType: name as numpy has it, bytes of an element
_TYPES = {1: ("bool", 1), 2: ("int8", 1), 3: ("int16", 2), 4: ("int32", 4), 5: ("int64", 8), 6: ("uint8", 1),
          7: ("uint16", 2), 8: ("uint32", 4), 9: ("uint64", 8), 10: ("float16", 2), 11: ("float32", 4),
          12: ("float64", 8)}
_KINDS = {0: "other", 1: "cpu", 2: "gpu", 3: "accelerator"}
_PERFORMANCE = {"low": 1, "medium": 2, "high": 3, "extreme": 4}
_UNSUPPORTED = 10  # OH_NN_UNSUPPORTED
_ROOM, _ROOM_LAST = 1 << 20, 1 << 28  # bytes for an output whose shape only a run knows, tried in turn


class Error(RuntimeError):
    """A call that failed: the library's sentence, and its code as .code and .name."""

    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code = code
        self.name = _library().nnrt_strerror(code).decode()


def _find():
    here = os.path.dirname(os.path.abspath(__file__))
    named = None if sys.flags.ignore_environment else os.environ.get("NNRT_LIBRARY")
    # Beside it, in a tree, and as `make install` has the two.
    places = [("libnnrt.so",), ("build", "libnnrt.so"), ("..", "..", "lib", "libnnrt.so")]
    for path in [named] if named else [os.path.join(here, *place) for place in places]:
        if named or os.path.exists(path):
            return path
    found = ctypes.util.find_library("nnrt")
    if found is None:
        raise ImportError("no libnnrt.so: make shared, or name it in NNRT_LIBRARY")
    return found


_loaded = None


def _library():
    """The library, opened when first needed."""
    global _loaded
    if _loaded is not None:
        return _loaded
    library = ctypes.CDLL(_find())
    handle, handles = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
    size, sizes, text = ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t), ctypes.c_char_p
    code, ints, count = ctypes.c_int, ctypes.POINTER(ctypes.c_int32), ctypes.c_uint32
    quant = [handle, size, ctypes.POINTER(ctypes.c_double), ints]
    for name, result, arguments in (
            ("nnrt_version", text, []),
            ("nnrt_last_error", text, []),
            ("nnrt_strerror", text, [code]),
            ("nnrt_executor_get_device", code, [handle, sizes]),
            ("nnrt_executor_get_input_quant", code, quant),
            ("nnrt_executor_get_output_quant", code, quant),
            ("nnrt_executor_reset", code, [handle]),
            ("nnrt_executor_prepare", code, [handle, handles, size]),
            ("nnrt_quantize", code, [handle, size, code, ctypes.c_double, ctypes.c_int32, handle]),
            ("nnrt_dequantize", code, [handle, size, code, ctypes.c_double, ctypes.c_int32, handle]),
            ("OH_NNDevice_GetAllDevicesID", code, [ctypes.POINTER(sizes), ctypes.POINTER(count)]),
            ("OH_NNDevice_GetName", code, [size, ctypes.POINTER(text)]),
            ("OH_NNDevice_GetType", code, [size, ctypes.POINTER(code)]),
            ("OH_NNCompilation_ConstructWithOfflineModelFile", handle, [text]),
            ("OH_NNCompilation_ConstructWithOfflineModelBuffer", handle, [handle, size]),
            ("nnrt_compilation_use_in_place", code, [handle]),
            ("OH_NNCompilation_SetDevice", code, [handle, size]),
            ("OH_NNCompilation_SetPerformanceMode", code, [handle, code]),
            ("OH_NNCompilation_SetCache", code, [handle, text, count]),
            ("OH_NNCompilation_AddExtensionConfig", code, [handle, text, handle, size]),
            ("OH_NNCompilation_Build", code, [handle]),
            ("OH_NNCompilation_Destroy", None, [handles]),
            ("OH_NNExecutor_Construct", handle, [handle]),
            ("OH_NNExecutor_Destroy", None, [handles]),
            ("OH_NNExecutor_GetInputCount", code, [handle, sizes]),
            ("OH_NNExecutor_GetOutputCount", code, [handle, sizes]),
            ("OH_NNExecutor_CreateInputTensorDesc", handle, [handle, size]),
            ("OH_NNExecutor_CreateOutputTensorDesc", handle, [handle, size]),
            ("OH_NNExecutor_GetInputDimRange", code,
             [handle, size, ctypes.POINTER(sizes), ctypes.POINTER(sizes), sizes]),
            ("OH_NNExecutor_RunSync", code, [handle, handles, size, handles, size]),
            ("OH_NNTensorDesc_GetName", code, [handle, ctypes.POINTER(text)]),
            ("OH_NNTensorDesc_GetDataType", code, [handle, ctypes.POINTER(code)]),
            ("OH_NNTensorDesc_GetShape", code, [handle, ctypes.POINTER(ints), sizes]),
            ("OH_NNTensorDesc_SetShape", code, [handle, ints, size]),
            ("OH_NNTensorDesc_Destroy", code, [handles]),
            ("OH_NNTensor_Create", handle, [size, handle]),
            ("OH_NNTensor_CreateWithSize", handle, [size, handle, size]),
            ("OH_NNTensor_GetDataBuffer", handle, [handle]),
            ("OH_NNTensor_GetTensorDesc", handle, [handle]),
            ("OH_NNTensor_Destroy", code, [handles])):
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    _loaded = library
    return library


def _check(code):
    if code != 0:
        raise Error(code, _library().nnrt_last_error().decode(errors="replace"))


def _made(handle):
    """A handle that has to be there."""
    if not handle:
        raise Error(1, _library().nnrt_last_error().decode(errors="replace"))
    return ctypes.c_void_p(handle)


def version():
    """Version and configuration of the library, in one line."""
    return _library().nnrt_version().decode()


def devices():
    """A list of (id, name, kind): kind is "cpu", "gpu", "accelerator" or "other"."""
    library, ids, count = _library(), ctypes.POINTER(ctypes.c_size_t)(), ctypes.c_uint32()
    _check(library.OH_NNDevice_GetAllDevicesID(ctypes.byref(ids), ctypes.byref(count)))
    found = []
    for i in range(count.value):
        name, kind = ctypes.c_char_p(), ctypes.c_int()
        _check(library.OH_NNDevice_GetName(ids[i], ctypes.byref(name)))
        _check(library.OH_NNDevice_GetType(ids[i], ctypes.byref(kind)))
        found.append((ids[i], name.value.decode(), _KINDS.get(kind.value, "other")))
    return found


class Tensor:
    """An input or output: name, shape (-1: open), dtype ("int8" ...), scale (0.0: not quantized), zero_point, count and
    size (None while the shape is open); open: of an input, the dimensions that Model.resize may change."""

    def __init__(self, desc, quant, open=()):
        library, name, kind = _library(), ctypes.c_char_p(), ctypes.c_int()
        scale, zero_point = ctypes.c_double(), ctypes.c_int32()
        _check(library.OH_NNTensorDesc_GetName(desc, ctypes.byref(name)))
        _check(library.OH_NNTensorDesc_GetDataType(desc, ctypes.byref(kind)))
        _check(quant(ctypes.byref(scale), ctypes.byref(zero_point)))
        self.name = (name.value or b"").decode(errors="replace")
        self.dtype, self._element = _TYPES[kind.value]
        self.scale, self.zero_point = scale.value, zero_point.value
        self._kind = kind.value
        self.open = tuple(open)
        self._take_shape(desc)

    def _take_shape(self, desc):
        dims, rank = ctypes.POINTER(ctypes.c_int32)(), ctypes.c_size_t()
        _check(_library().OH_NNTensorDesc_GetShape(desc, ctypes.byref(dims), ctypes.byref(rank)))
        self.shape = tuple(dims[i] for i in range(rank.value))
        self.count = self.size = None
        if all(dim > 0 for dim in self.shape):
            self.count = 1
            for dim in self.shape:
                self.count *= dim
            self.size = self.count * self._element

    def __repr__(self):
        quantized = ", scale %g, zero point %d" % (self.scale, self.zero_point) if self.scale else ""
        return "<%s %s %s%s>" % (self.name or "tensor", self.dtype, list(self.shape), quantized)


class Model:
    """A model that is compiled and ready to run: a file (.tflite, a plan, .rknn, .wk, .bin ...), or its bytes.

    device       the name of one of devices(), or how only one of them begins; None: the one that the file is for
    performance  "low", "medium", "high" or "extreme"
    threads, isa configs nnrt.threads and nnrt.isa
    cache        a folder for compiled models
    config       a dict of extension configs
    shapes       a dict of shapes for inputs that leave dimensions open: by number or by name, as for resize"""

    def __init__(self, model, device=None, performance=None, threads=None, isa=None, cache=None, config=None,
                 shapes=None):
        self._compilation = self._executor = None
        self._tensors, self._descs = [], []
        library = self._library = _library()
        if isinstance(model, (bytes, bytearray, memoryview)):
            self._bytes = ctypes.create_string_buffer(bytes(model), len(model))  # stays while the model is there
            self._compilation = _made(library.OH_NNCompilation_ConstructWithOfflineModelBuffer(self._bytes, len(model)))
            _check(library.nnrt_compilation_use_in_place(self._compilation))
        else:
            path = os.fsencode(model)
            self._compilation = _made(library.OH_NNCompilation_ConstructWithOfflineModelFile(path))
        try:
            chosen = {"nnrt.threads": threads, "nnrt.isa": isa}
            config = dict(config or {}, **{name: str(value) for name, value in chosen.items() if value is not None})
            self._open(device, performance, cache, config)
            self.resize(shapes or {})
        except BaseException:
            self.close()
            raise

    def _open(self, device, performance, cache, config):
        library, compilation = self._library, self._compilation
        if device is not None:
            names = {name: number for number, name, _ in devices()}
            ids = [names[device]] if device in names else [names[name] for name in names if name.startswith(device)]
            if len(ids) != 1:
                raise ValueError("no device %s, or several; there are: %s" % (device, ", ".join(names)))
            _check(library.OH_NNCompilation_SetDevice(compilation, ids[0]))
        if performance is not None:
            _check(library.OH_NNCompilation_SetPerformanceMode(compilation, _PERFORMANCE[performance]))
        if cache is not None:
            _check(library.OH_NNCompilation_SetCache(compilation, os.fsencode(cache), 0))
        for name, value in config.items():
            value = value.encode()
            _check(library.OH_NNCompilation_AddExtensionConfig(compilation, name.encode(), value, len(value)))
        _check(library.OH_NNCompilation_Build(compilation))
        self._executor = _made(library.OH_NNExecutor_Construct(compilation))
        number, count = ctypes.c_size_t(), ctypes.c_size_t()
        _check(library.nnrt_executor_get_device(self._executor, ctypes.byref(number)))
        self._number = number.value
        self.device = next(name for i, name, _ in devices() if i == number.value)
        self.inputs, self.outputs = [], []
        _check(library.OH_NNExecutor_GetInputCount(self._executor, ctypes.byref(count)))
        for i in range(count.value):
            self._descs.append(_made(library.OH_NNExecutor_CreateInputTensorDesc(self._executor, i)))
            self.inputs.append(Tensor(self._descs[i], self._quant(library.nnrt_executor_get_input_quant, i),
                                      self._open_of(i)))

    def _quant(self, ask, i):
        return lambda scale, zero: ask(self._executor, i, scale, zero)

    def _open_of(self, i):
        """The dimensions of input i that may be others; none where the device tells no ranges."""
        least, most = ctypes.POINTER(ctypes.c_size_t)(), ctypes.POINTER(ctypes.c_size_t)()
        rank = ctypes.c_size_t()
        if self._library.OH_NNExecutor_GetInputDimRange(self._executor, i, ctypes.byref(least), ctypes.byref(most),
                                                        ctypes.byref(rank)) != 0:
            return ()
        return tuple(k for k in range(rank.value) if least[k] != most[k])

    def resize(self, shapes):
        """Gives inputs shapes, a dict of {number or name: shape}: where the model leaves a dimension open it may be any
        that there is room for. The shapes of the outputs follow. A failure leaves all as it was."""
        if self._executor is None:
            raise ValueError("the model is closed")
        names = [tensor.name for tensor in self.inputs]
        wanted = [tensor.shape for tensor in self.inputs]
        for key, shape in shapes.items():
            if isinstance(key, str) and names.count(key) != 1:
                raise ValueError("no input %s, or several; there are: %s" % (key, ", ".join(names)))
            i = names.index(key) if isinstance(key, str) else key
            if not 0 <= i < len(names):
                raise ValueError("there is no input %d, the model has %d" % (i, len(names)))
            wanted[i] = tuple(int(dim) for dim in shape)
            if min(wanted[i], default=1) < 1:
                raise ValueError("input %d cannot be %s: a dimension is below 1" % (i, list(shape)))
        before = [tensor.shape for tensor in self.inputs]
        try:
            self._shape(wanted)
        except BaseException:
            if wanted != before:
                self._shape(before)
            raise

    def _shape(self, shapes):
        library = self._library
        for i, shape in enumerate(shapes):
            _check(library.OH_NNTensorDesc_SetShape(self._descs[i], (ctypes.c_int32 * len(shape))(*shape), len(shape)))
            self.inputs[i]._take_shape(self._descs[i])
        self._free_tensors()
        self.outputs, self._vary = [], []  # which outputs have shapes that only a run knows
        known = all(tensor.size is not None for tensor in self.inputs)
        if known and self._descs:
            code = library.nnrt_executor_prepare(self._executor,
                                                 (ctypes.c_void_p * len(self._descs))(*[d.value for d in self._descs]),
                                                 len(self._descs))
            if code != _UNSUPPORTED:  # then the shapes of the outputs are known when they have been computed
                _check(code)
        for desc in self._descs if known else []:
            self._tensors.append(_made(library.OH_NNTensor_Create(self._number, desc)))
        count = ctypes.c_size_t()
        _check(library.OH_NNExecutor_GetOutputCount(self._executor, ctypes.byref(count)))
        for i in range(count.value):
            desc = _made(library.OH_NNExecutor_CreateOutputTensorDesc(self._executor, i))
            try:
                self.outputs.append(Tensor(desc, self._quant(library.nnrt_executor_get_output_quant, i)))
                self._vary.append(self.outputs[i].size is None)
                if known:
                    self._tensors.append(self._output(desc, self.outputs[i].size, _ROOM))
            finally:
                library.OH_NNTensorDesc_Destroy(ctypes.byref(desc))

    def _output(self, desc, size, room):
        """A tensor for an output; with room bytes where its shape is not known."""
        if size is not None:
            return _made(self._library.OH_NNTensor_Create(self._number, desc))
        return _made(self._library.OH_NNTensor_CreateWithSize(self._number, desc, room))

    def _free_tensors(self):
        for tensor in self._tensors:
            self._library.OH_NNTensor_Destroy(ctypes.byref(tensor))
        self._tensors = []

    # ---------------------------------------------------------------------------------------------------- runs

    def _memory(self, i):
        return self._library.OH_NNTensor_GetDataBuffer(self._tensors[i])

    def _given(self, arrays):
        if self._executor is None:
            raise ValueError("the model is closed")
        if len(arrays) != len(self.inputs):
            raise ValueError("%d inputs were given, the model has %d" % (len(arrays), len(self.inputs)))
        for i, tensor in enumerate(self.inputs):
            if tensor.size is None:
                raise ValueError("input %d is %s: give all of it with shapes or resize" % (i, list(tensor.shape)))

    def _run(self):
        count, room, first = len(self.inputs), _ROOM, None
        while True:
            handles = [tensor.value for tensor in self._tensors]
            inputs = (ctypes.c_void_p * count)(*handles[:count])
            outputs = (ctypes.c_void_p * len(self.outputs))(*handles[count:])
            code = self._library.OH_NNExecutor_RunSync(self._executor, inputs, count, outputs, len(self.outputs))
            if code == 0:
                break
            # Nothing tells an output that was too small from another reason: the first reason is the one that is told.
            first = first or Error(code, self._library.nnrt_last_error().decode(errors="replace"))
            room *= 16
            if room > _ROOM_LAST or not any(self._vary) or not self._make_room(room):
                raise first
        for k, tensor in enumerate(self.outputs):
            tensor._take_shape(self._library.OH_NNTensor_GetTensorDesc(self._tensors[count + k]))

    def _make_room(self, room):
        """Outputs of unknown shapes get more; False where there is no more."""
        for k in range(len(self.outputs)):
            if not self._vary[k]:
                continue
            desc = _made(self._library.OH_NNExecutor_CreateOutputTensorDesc(self._executor, k))
            try:
                made = self._output(desc, None, room)
            except Error:
                return False
            finally:
                self._library.OH_NNTensorDesc_Destroy(ctypes.byref(desc))
            self._library.OH_NNTensor_Destroy(ctypes.byref(self._tensors[len(self.inputs) + k]))
            self._tensors[len(self.inputs) + k] = made
        return True

    def run(self, *arrays):
        """One run on what is stored. A list of the outputs: numpy arrays, or bytes without numpy."""
        self._given(arrays)
        for i, (given, tensor) in enumerate(zip(arrays, self.inputs)):
            if numpy is not None and isinstance(given, numpy.ndarray):
                if given.dtype != tensor.dtype:
                    raise TypeError("input %d is %s, not %s" % (i, tensor.dtype, given.dtype))
                given = numpy.ascontiguousarray(given)
            view = memoryview(given).cast("B")
            if view.nbytes != tensor.size:
                raise ValueError("input %d has %d bytes, the model needs %d" % (i, view.nbytes, tensor.size))
            ctypes.memmove(self._memory(i), bytes(view), tensor.size)
        self._run()
        results = []
        for k, tensor in enumerate(self.outputs):
            data = ctypes.string_at(self._memory(len(self.inputs) + k), tensor.size)
            if numpy is not None:
                data = numpy.frombuffer(data, tensor.dtype).reshape(tensor.shape).copy()
            results.append(data)
        return results

    def run_real(self, *arrays):
        """One run on real numbers, which become what the inputs store by scale and zero point, and back. Types that are
        not int8, uint8, int16, float16 or float32 are refused."""
        self._given(arrays)
        for i, (given, tensor) in enumerate(zip(arrays, self.inputs)):
            if numpy is not None:
                given = numpy.ascontiguousarray(given, "float32")
            view = memoryview(given).cast("B")
            if view.nbytes != 4 * tensor.count:
                raise ValueError("input %d has %d numbers, the model needs %d" % (i, view.nbytes // 4, tensor.count))
            numbers = (ctypes.c_float * tensor.count).from_buffer_copy(view)
            _check(self._library.nnrt_quantize(numbers, tensor.count, tensor._kind, tensor.scale, tensor.zero_point,
                                               self._memory(i)))
        self._run()
        results = []
        for k, tensor in enumerate(self.outputs):
            numbers = (ctypes.c_float * tensor.count)()
            _check(self._library.nnrt_dequantize(self._memory(len(self.inputs) + k), tensor.count, tensor._kind,
                                                 tensor.scale, tensor.zero_point, numbers))
            if numpy is not None:
                results.append(numpy.array(numbers, "float32").reshape(tensor.shape))
            else:
                results.append(array.array("f", bytes(numbers)))
        return results

    def reset(self):
        """The state of a recurrent model is zero again."""
        _check(self._library.nnrt_executor_reset(self._executor))

    # ----------------------------------------------------------------------------------------------- its end

    def close(self):
        """Gives everything back; also at the end of a with block, and when nobody holds the model any more."""
        library = self._library
        self._free_tensors()
        for desc in self._descs:
            library.OH_NNTensorDesc_Destroy(ctypes.byref(desc))
        self._descs = []
        if self._executor is not None:
            library.OH_NNExecutor_Destroy(ctypes.byref(self._executor))
        if self._compilation is not None:
            library.OH_NNCompilation_Destroy(ctypes.byref(self._compilation))
        self._executor = self._compilation = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_library", None) is not None:
            self.close()
