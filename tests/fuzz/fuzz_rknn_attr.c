/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_rknn_attr.c - what a runtime answers about a tensor is untrusted: shapes, strides, sizes, types. `make fuzz`.
   The bytes are read as options of the program and then as the runtime's answers, an answer per query.
   Properties  (1) any answers: the tensor is refused with a sentence, or described; (2) a described tensor of the
               program has exactly the bytes that are read or written for it; (3) copying it into the NPU's buffer and
               back stays inside buffers of the promised sizes; (4) what goes in without another type comes back as it
               was; (5) a tensor that is bound as it is has as many bytes on both sides.
   Seeds       a way to store a tensor each, by name; answers that are refused, by the runtime or by nnrt. */
#include "linked.h"

#include "must.h"

enum {
    MOST_BYTES = 1 << 16
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ------------------------------------------------------------------------------------------------ answers */

static struct {
    const uint8_t *data;
    size_t size;
    nnrt_rknn_tensor_attr last; /* the answer before */
} answers;

static uint8_t take(void) {
    if (answers.size == 0) return 0;
    answers.size--;
    return *answers.data++;
}

static uint32_t take_word(void) {
    uint32_t word = take();
    word |= (uint32_t)take() << 8;
    word |= (uint32_t)take() << 16;
    return word | (uint32_t)take() << 24;
}

/* Small, and now and then anything. */
static uint32_t take_length(void) {
    const uint8_t first = take();
    return first < 0xf0 ? first % 48u : take_word();
}

static uint32_t bytes_of(const nnrt_rknn_tensor_attr *attr) {
    const bool rows = attr->n_dims == 4 && attr->fmt == NNRT_RKNN_NHWC && attr->w_stride != 0;
    uint32_t bytes = (uint32_t)nnrt__element_size(nnrt__rknpu_dtype(attr->type)), i;
    for (i = 0; i < attr->n_dims && i < NNRT_RKNN_MAX_DIMS; i++)
        bytes *= rows && i == 2 ? attr->w_stride : attr->dims[i];
    return bytes;
}

static void answer_numbers(nnrt_rknn_tensor_attr *attr) {
    static const float scales[8] = {0.5f, 0.00392156886f, 1.0f, 0.0f, -1.0f, 1e-42f, 3e38f, INFINITY};
    attr->type = (nnrt_rknn_tensor_type)(take() % 15);
    attr->qnt_type = (nnrt_rknn_qnt_type)(take() % 4);
    attr->fl = (int8_t)take();
    attr->zp = (int8_t)take();
    attr->scale = scales[take() % 8];
}

static void answer_anything(nnrt_rknn_tensor_attr *attr) {
    uint32_t i;
    memset(attr, 0, sizeof(*attr));
    memset(attr->name, 'n', take() % 2 != 0 ? sizeof(attr->name) : 3);
    attr->n_dims = take_length() % 20;
    attr->fmt = (nnrt_rknn_format)(take() % 5);
    for (i = 0; i < attr->n_dims && i < NNRT_RKNN_MAX_DIMS; i++) attr->dims[i] = take_length();
    answer_numbers(attr);
}

/* As a chip stores the tensor of the answer before: blocks of lanes, or columns of them. */
static void answer_blocks(nnrt_rknn_tensor_attr *attr) {
    const uint32_t lanes = 8u << take() % 3, *dims = answers.last.dims;
    const bool nhwc = answers.last.fmt == NNRT_RKNN_NHWC, image = answers.last.n_dims == 4;
    const uint32_t channels = nhwc ? dims[3] : dims[1], c1 = channels / lanes + 1;
    const uint32_t h = !image ? 1 : nhwc ? dims[1] : dims[2], w = image && !nhwc ? dims[3] : dims[2];
    const bool columns = take() % 2 != 0;
    *attr = answers.last;
    attr->fmt = NNRT_RKNN_NC1HWC2;
    attr->n_dims = 5;
    attr->dims[1] = c1;
    attr->dims[2] = columns ? w : h;
    attr->dims[3] = (columns ? h : w) + take() % 4u;
    attr->dims[4] = lanes;
}

static int answer(nnrt_rknn_context context, nnrt_rknn_query_cmd command, void *info, uint32_t size) {
    nnrt_rknn_tensor_attr attr = answers.last;
    const uint8_t kind = take();
    (void)context;
    (void)command;
    MUST(size == sizeof(attr));
    if (kind % 16 == 15) return -(int)(take() % 14);
    if (kind % 4 == 0) answer_anything(&attr);
    else if (kind % 4 == 1) answer_blocks(&attr);
    else if (kind % 4 == 2) attr.w_stride = attr.dims[2] % 4096 + take() % 4u;
    if (kind % 32 > 24) answer_numbers(&attr);
    attr.size_with_stride = kind % 64 > 48 ? take_word() : bytes_of(&attr);
    answers.last = attr;
    memcpy(info, &attr, sizeof(attr));
    return 0;
}

/* ----------------------------------------------------------------------------------------------- a tensor */

/* native: the program's side has padding, too, which is lost. */
static void move(const nnrt__rknpu_port *port, bool output, bool native) {
    uint8_t *outside = (uint8_t *)malloc(port->outside_size), *inside = (uint8_t *)malloc(port->inside_size);
    uint8_t *back = (uint8_t *)malloc(port->outside_size);
    uint32_t i;
    MUST(outside != NULL && inside != NULL && back != NULL);
    for (i = 0; i < port->outside_size; i++) outside[i] = back[i] = (uint8_t)(i * 7 + 1);
    memset(inside, 0xa5, port->inside_size);
    if (!output || nnrt__layout_convertible(&port->outside, &port->inside))
        (void)nnrt__layout_convert(&port->outside, outside, &port->inside, inside);
    if (output || nnrt__layout_convertible(&port->inside, &port->outside)) {
        (void)nnrt__layout_convert(&port->inside, inside, &port->outside, back);
        if (port->inside.type == port->outside.type && !native) MUST(memcmp(outside, back, port->outside_size) == 0);
    }
    free(outside);
    free(inside);
    free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static nnrt__rknpu_device device;
    static nnrt__rknpu_model model;
    static nnrt__rknpu_context context;
    nnrt__rknpu_port port;
    OH_NN_ReturnCode code;
    size_t bytes;
    uint32_t i;
    bool output, pixels = false;
    memset(&answers, 0, sizeof(answers));
    answers.data = data;
    answers.size = size;
    memset(&device, 0, sizeof(device));
    memset(&model, 0, sizeof(model));
    memset(&context, 0, sizeof(context));
    device.library.api.query = answer;
    device.library.mini = take() % 2 != 0;
    model.device = context.device = &device;
    output = take() % 2 != 0;
    model.options.order = (nnrt__rknpu_io_order)(take() % 4);
    i = take();
    model.options.io_float = i % 2 != 0 && model.options.order != NNRT__RKNPU_IO_NATIVE;
    model.options.input_uint8 = i / 2 % 2 != 0 && model.options.order != NNRT__RKNPU_IO_NATIVE;
    model.options.general_api = i / 4 % 2 != 0 && model.options.order != NNRT__RKNPU_IO_NATIVE && !device.library.mini;
    (void)nnrt_backend_fail(OH_NN_FAILED, "");
    code = nnrt__rknpu_make_port(&model, &context, output, 0, i / 8 % 2 != 0, &port, &pixels);
    if (code != OH_NN_SUCCESS) {
        MUST(nnrt_last_error()[0] != '\0');
        return 0;
    }
    MUST(port.desc.rank != 0 && port.desc.rank <= NNRT_MAX_RANK && memchr(port.attr.name, 0, sizeof(port.attr.name)));
    bytes = nnrt__element_size(port.desc.dtype);
    for (i = 0; i < port.desc.rank; i++)
        MUST(port.desc.dims[i] > 0 && nnrt__mul_size(bytes, (size_t)port.desc.dims[i], &bytes));
    MUST(bytes == port.outside_size);
    MUST(!port.direct || port.outside_size == port.inside_size);
    if (port.outside_size <= MOST_BYTES && port.inside_size <= MOST_BYTES)
        move(&port, output, model.options.order == NNRT__RKNPU_IO_NATIVE);
    return 0;
}
