/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/model_ports.h - the tensors of a model, as the program sees them and as the NPU stores
   them.   >>rknpu_model_ports

   The program sees logical tensors, the NPU gets its native ones, and layout.h converts on the CPU: overriding formats
   and letting the runtime convert is what fails on boards. Which query gives what differs:
                      logical                          native, and what is bound
     librknnrt        INPUT_ATTR, OUTPUT_ATTR          NATIVE_INPUT_ATTR, NATIVE_OUTPUT_ATTR
       dynamic        CURRENT_INPUT_ATTR ...           CURRENT_NATIVE_INPUT_ATTR ...
     librknnmrt, in   NATIVE_NHWC_INPUT_ATTR, or       INPUT_ATTR, which is native there
                      what INPUT_ATTR leaves to guess
     librknnmrt, out  OUTPUT_ATTR: only its dims       NATIVE_OUTPUT_ATTR, or NATIVE_NHWC_OUTPUT_ATTR: the second way
                                                       in where the first is padded in a way that nobody describes
                                                       ([1,16800,2] and [1,1] from 2.2.0 on)
   Attributes are untrusted: every size that is used is computed from dims and strides. */
#ifndef NNRT_RKNPU_MODEL_PORTS_H
#define NNRT_RKNPU_MODEL_PORTS_H

#include <float.h>

#include "config.h"
#include "errors.h"
#include "types.h"

/* ------------------------------------------------------------------------------------------------ queries */

/* Attributes of tensor index by one query: the vendor's code. Nothing is checked but that name ends. */
NNRT__FN int nnrt__rknpu_query_attr(const nnrt__rknpu_context *context, nnrt_rknn_query_cmd command, uint32_t index,
                                    nnrt_rknn_tensor_attr *attr) {
    int code;
    memset(attr, 0, sizeof(*attr));
    attr->index = index;
    code = context->device->library.api.query(context->handle, command, attr, (uint32_t)sizeof(*attr));
    attr->index = index;
    attr->name[sizeof(attr->name) - 1] = '\0';
    return code;
}

/* Whether the runtime refused the query itself, so that another one can be tried: not if it timed out, lost the device,
   ran out of memory or does not know the context. */
NNRT__FN bool nnrt__rknpu_is_refusal(int code) {
    return code < 0 && code != NNRT_RKNN_ERR_TIMEOUT && code != NNRT_RKNN_ERR_DEVICE_UNAVAILABLE &&
           code != NNRT_RKNN_ERR_MALLOC_FAIL && code != NNRT_RKNN_ERR_CTX_INVALID;
}

/* What is wrong with these attributes in any case; NULL: nothing. */
NNRT__FN const char *nnrt__rknpu_attr_fault(const nnrt_rknn_tensor_attr *attr) {
    uint64_t count = 1;
    uint32_t i;
    if (attr->n_dims == 0) return "has no dimensions";
    if (attr->n_dims > NNRT_MAX_RANK) return "has more than 10 dimensions";
    for (i = 0; i < attr->n_dims; i++) {
        if (attr->dims[i] == 0) return "has a dimension of 0";
        count *= attr->dims[i];
        if (count > INT32_MAX) return "has more than 2147483647 elements";
    }
    if ((unsigned)attr->fmt > (unsigned)NNRT_RKNN_UNDEFINED)
        return "has a format that this version of nnrt does not know";
    if (attr->fmt == NNRT_RKNN_NC1HWC2 && attr->n_dims != 5) return "is NC1HWC2 without 5 dimensions";
    return NULL;
}

/* -------------------------------------------------------------------------------------------------- types */

/* OH_NN_UNKNOWN: the program cannot see this type. */
NNRT__FN OH_NN_DataType nnrt__rknpu_dtype(nnrt_rknn_tensor_type type) {
    switch (type) {
    case NNRT_RKNN_FLOAT32: return OH_NN_FLOAT32;
    case NNRT_RKNN_FLOAT16: return OH_NN_FLOAT16;
    case NNRT_RKNN_INT8: return OH_NN_INT8;
    case NNRT_RKNN_UINT8: return OH_NN_UINT8;
    case NNRT_RKNN_INT16: return OH_NN_INT16;
    case NNRT_RKNN_UINT16: return OH_NN_UINT16;
    case NNRT_RKNN_INT32: return OH_NN_INT32;
    case NNRT_RKNN_UINT32: return OH_NN_UINT32;
    case NNRT_RKNN_INT64: return OH_NN_INT64;
    case NNRT_RKNN_BOOL: return OH_NN_BOOL;
    default: return OH_NN_UNKNOWN;
    }
}

/* The other way round. */
NNRT__FN nnrt_rknn_tensor_type nnrt__rknpu_vendor_type(OH_NN_DataType dtype) {
    switch (dtype) {
    case OH_NN_FLOAT32: return NNRT_RKNN_FLOAT32;
    case OH_NN_FLOAT16: return NNRT_RKNN_FLOAT16;
    case OH_NN_UINT8: return NNRT_RKNN_UINT8;
    case OH_NN_INT16: return NNRT_RKNN_INT16;
    case OH_NN_UINT16: return NNRT_RKNN_UINT16;
    case OH_NN_INT32: return NNRT_RKNN_INT32;
    case OH_NN_UINT32: return NNRT_RKNN_UINT32;
    case OH_NN_INT64: return NNRT_RKNN_INT64;
    case OH_NN_BOOL: return NNRT_RKNN_BOOL;
    default: return NNRT_RKNN_INT8;
    }
}

/* Type and quantization of attr. Float and wide integer tensors are reported as affine with scale 1, which means
   none. */
NNRT__FN void nnrt__rknpu_take_type(nnrt__tensor_layout *layout, const nnrt_rknn_tensor_attr *attr) {
    const bool narrow = attr->type == NNRT_RKNN_INT8 || attr->type == NNRT_RKNN_UINT8 || attr->type == NNRT_RKNN_INT16;
    layout->type = nnrt__rknpu_dtype(attr->type);
    layout->quant = NNRT__QUANT_NONE;
    layout->fraction_bits = 0;
    layout->zp = 0;
    layout->scale = 0.0f;
    if (narrow && attr->qnt_type == NNRT_RKNN_QNT_DFP) {
        layout->quant = NNRT__QUANT_FIXED_POINT;
        layout->fraction_bits = attr->fl;
    } else if (narrow && attr->qnt_type == NNRT_RKNN_QNT_AFFINE && attr->scale > 0.0f && attr->scale <= FLT_MAX) {
        layout->quant = NNRT__QUANT_AFFINE;
        layout->zp = attr->zp;
        layout->scale = attr->scale;
    }
}

NNRT__FN void nnrt__rknpu_copy_type(nnrt__tensor_layout *to, const nnrt__tensor_layout *from) {
    to->type = from->type;
    to->quant = from->quant;
    to->fraction_bits = from->fraction_bits;
    to->zp = from->zp;
    to->scale = from->scale;
}

/* Type without quantization. */
NNRT__FN void nnrt__rknpu_plain_type(nnrt__tensor_layout *layout, OH_NN_DataType type) {
    layout->type = type;
    layout->quant = NNRT__QUANT_NONE;
    layout->fraction_bits = 0;
    layout->zp = 0;
    layout->scale = 0.0f;
}

/* ------------------------------------------------------------------------------------------------ layouts */

/* N, C, H and W of dims in NCHW or NHWC order or in none, as layout.h reads fewer dimensions. More than 4 keep their
   order: N and the rest. */
NNRT__FN void nnrt__rknpu_plain_layout(const nnrt_rknn_tensor_attr *attr, nnrt__tensor_layout *layout) {
    const uint32_t *dims = attr->dims;
    uint32_t i;
    memset(layout, 0, sizeof(*layout));
    layout->order = NNRT__ORDER_NCHW;
    layout->n = layout->c = layout->h = layout->w = 1;
    if (attr->n_dims == 1) {
        layout->c = dims[0];
    } else if (attr->n_dims == 4 && attr->fmt == NNRT_RKNN_NHWC) {
        layout->order = NNRT__ORDER_NHWC;
        layout->n = dims[0];
        layout->h = dims[1];
        layout->w = dims[2];
        layout->c = dims[3];
    } else {
        layout->n = dims[0];
        layout->c = dims[1];
        if (attr->n_dims == 3) layout->w = dims[2];
        if (attr->n_dims == 4) {
            layout->h = dims[2];
            layout->w = dims[3];
        }
        for (i = 2; attr->n_dims > 4 && i < attr->n_dims; i++) layout->c *= dims[i];
    }
    layout->w_stride = layout->w;
    layout->h_stride = layout->h;
    nnrt__rknpu_take_type(layout, attr);
}

NNRT__FN bool nnrt__rknpu_same_shape(const nnrt__tensor_layout *a, const nnrt__tensor_layout *b) {
    return a->n == b->n && a->c == b->c && a->h == b->h && a->w == b->w;
}

/* The layout of what native describes, of the tensor that logical is. If the NPU stores a tensor [N,C,W] as columns,
   logical becomes one of H = W and W = 1: the same bytes. A row would be one line, so more lines mean columns, whose
   stored width may be padded beyond W. NULL, or the reason. */
NNRT__FN const char *nnrt__rknpu_native_layout(const nnrt_rknn_tensor_attr *native, nnrt__tensor_layout *logical,
                                               nnrt__tensor_layout *inside) {
    const uint32_t *dims = native->dims;
    uint32_t rows = dims[2], columns = dims[3];
    if (native->fmt == NNRT_RKNN_NC1HWC2) {
        if (rows == 1 && logical->h > 1 && columns == (uint64_t)logical->h * logical->w) {
            rows = logical->h; /* librknnrt 1.4 reports all pixels as one row */
            columns = logical->w;
        }
        if (logical->order == NNRT__ORDER_NCHW && logical->h == 1 && logical->w > 1 && logical->w <= rows) {
            logical->h = logical->h_stride = logical->w;
            logical->w = logical->w_stride = 1;
        }
        *inside = *logical;
        inside->order = NNRT__ORDER_NC1HWC2;
        inside->c1 = dims[1];
        inside->h_stride = rows;
        inside->w_stride = columns;
        inside->c2 = dims[4];
        nnrt__rknpu_take_type(inside, native);
        if (dims[0] != logical->n || rows < logical->h || columns < logical->w ||
            (uint64_t)dims[1] * dims[4] < logical->c)
            return "is smaller inside the NPU than its logical shape";
        return NULL;
    }
    nnrt__rknpu_plain_layout(native, inside);
    if (native->n_dims == 4 && native->fmt != NNRT_RKNN_UNDEFINED && native->w_stride != 0)
        inside->w_stride = native->w_stride;
    if (inside->w_stride < inside->w) return "has a stride below its width";
    if (nnrt__rknpu_same_shape(inside, logical)) return NULL;
    if (inside->order == NNRT__ORDER_NCHW && logical->order == NNRT__ORDER_NCHW && inside->w_stride == inside->w &&
        (uint64_t)inside->n * inside->c * inside->h * inside->w ==
            (uint64_t)logical->n * logical->c * logical->h * logical->w) {
        *inside = *logical; /* the same elements in the same order under other dimensions */
        nnrt__rknpu_take_type(inside, native);
        return NULL;
    }
    return "has another shape inside the NPU than its logical one";
}

/* ----------------------------------------------------------------------------------------------- one port */

/* Fits port->inside to port->attr and port->bind; *logical gets the program's side before configs apply. NULL, or the
   reason. mini: only dims of the logical attribute are valid. exact: more bytes than the shape needs mean an unknown
   layout. */
NNRT__FN const char *nnrt__rknpu_fit(nnrt__rknpu_port *port, bool mini, bool exact, nnrt__tensor_layout *logical) {
    const char *fault = nnrt__rknpu_attr_fault(&port->attr);
    uint32_t size;
    if (fault == NULL) fault = nnrt__rknpu_attr_fault(&port->bind);
    if (fault == NULL && port->attr.fmt == NNRT_RKNN_NC1HWC2) fault = "has no logical shape";
    if (fault != NULL) return fault;
    nnrt__rknpu_plain_layout(&port->attr, logical);
    fault = nnrt__rknpu_native_layout(&port->bind, logical, &port->inside);
    if (fault != NULL) return fault;
    /* Either attribute may lack the quantization, and only dims of librknnmrt's logical one are valid. */
    if (port->inside.type == logical->type) {
        if (port->inside.quant == NNRT__QUANT_NONE) nnrt__rknpu_copy_type(&port->inside, logical);
        else nnrt__rknpu_copy_type(logical, &port->inside);
    } else if (mini) {
        nnrt__rknpu_copy_type(logical, &port->inside);
    }
    if (!nnrt__layout_size(&port->inside, &size)) return "has an impossible layout or type inside the NPU";
    if (port->bind.size_with_stride != 0 && port->bind.size_with_stride != size &&
        (exact || port->bind.size_with_stride < size || port->bind.size_with_stride > INT32_MAX))
        return "has a size that does not follow from its shape and strides";
    port->inside_size = port->bind.size_with_stride > size ? port->bind.size_with_stride : size;
    port->bind.size_with_stride = port->inside_size;
    return NULL;
}

/* Dimensions, format and type of the descriptor for port->outside, which has the layout of attr's dims unless order is
   another one of a 4-D image. */
NNRT__FN void nnrt__rknpu_fill_desc(nnrt__rknpu_port *port, const nnrt_rknn_tensor_attr *attr) {
    const nnrt__tensor_layout *outside = &port->outside;
    nnrt_io_desc *desc = &port->desc;
    const bool image = attr->n_dims == 4 && (attr->fmt == NNRT_RKNN_NCHW || attr->fmt == NNRT_RKNN_NHWC);
    uint32_t i;
    memset(desc, 0, sizeof(*desc));
    desc->name = port->attr.name;
    desc->dtype = outside->type;
    desc->rank = attr->n_dims;
    desc->format = OH_NN_FORMAT_ND;
    for (i = 0; i < attr->n_dims; i++) desc->dims[i] = (int32_t)attr->dims[i];
    if (image && outside->order == NNRT__ORDER_NHWC) {
        desc->format = OH_NN_FORMAT_NHWC;
        desc->dims[0] = (int32_t)outside->n;
        desc->dims[1] = (int32_t)outside->h_stride;
        desc->dims[2] = (int32_t)outside->w_stride;
        desc->dims[3] = (int32_t)outside->c;
    } else if (image) {
        desc->format = OH_NN_FORMAT_NCHW;
        desc->dims[0] = (int32_t)outside->n;
        desc->dims[1] = (int32_t)outside->c;
        desc->dims[2] = (int32_t)outside->h_stride;
        desc->dims[3] = (int32_t)outside->w_stride;
    }
    if (outside->quant == NNRT__QUANT_AFFINE) {
        desc->scale = (double)outside->scale;
        desc->zero_point = outside->zp;
    } else if (outside->quant == NNRT__QUANT_FIXED_POINT) {
        int power = outside->fraction_bits;
        desc->scale = 1.0;
        for (; power > 0; power--) desc->scale *= 0.5;
        for (; power < 0; power++) desc->scale *= 2.0;
    }
}

/* Fills the program's side of a port whose inside is known. NULL, or the reason. */
NNRT__FN const char *nnrt__rknpu_show(const nnrt__rknpu_options *options, bool output, bool pixels,
                                      const nnrt__tensor_layout *logical, nnrt__rknpu_port *port) {
    const nnrt_rknn_tensor_attr *attr = &port->attr;
    nnrt__tensor_layout *outside = &port->outside;
    const bool image = attr->n_dims == 4 && attr->fmt != NNRT_RKNN_UNDEFINED;
    bool convertible;
    *outside = *logical;
    if (options->order == NNRT__RKNPU_IO_NATIVE) {
        *outside = port->inside;
        attr = &port->bind;
    } else if (image && options->order == NNRT__RKNPU_IO_NCHW) {
        outside->order = NNRT__ORDER_NCHW;
    } else if (image && (pixels || options->order == NNRT__RKNPU_IO_NHWC)) {
        outside->order = NNRT__ORDER_NHWC; /* pixels have the order of a camera whatever the model says */
    }
    if (pixels) nnrt__rknpu_plain_type(outside, OH_NN_UINT8);
    else if (options->io_float && (outside->type == OH_NN_FLOAT16 || outside->quant != NNRT__QUANT_NONE))
        nnrt__rknpu_plain_type(outside, OH_NN_FLOAT32);
    if (outside->type == OH_NN_UNKNOWN || !nnrt__layout_size(outside, &port->outside_size))
        return "has a type that programs cannot be given";
    convertible =
        output ? nnrt__layout_convertible(&port->inside, outside) : nnrt__layout_convertible(outside, &port->inside);
    if (!convertible) return "has another type inside the NPU, and nnrt does not convert between the two";
    port->direct = port->outside_size == port->inside_size && nnrt__layout_same(outside, &port->inside);
    nnrt__rknpu_fill_desc(port, attr);
    return NULL;
}

/* An input that can take pixels: an image of 1, 3 or 4 channels, quantized to 8 bits. */
NNRT__FN bool nnrt__rknpu_takes_pixels(const nnrt_rknn_tensor_attr *attr) {
    uint32_t channels;
    if (attr->n_dims != 4 || (attr->fmt != NNRT_RKNN_NHWC && attr->fmt != NNRT_RKNN_NCHW)) return false;
    if (attr->type != NNRT_RKNN_INT8 && attr->type != NNRT_RKNN_UINT8) return false;
    channels = attr->fmt == NNRT_RKNN_NHWC ? attr->dims[3] : attr->dims[1];
    return attr->qnt_type != NNRT_RKNN_QNT_NONE && (channels == 1 || channels == 3 || channels == 4);
}

/* Removes padding from attr. */
NNRT__FN void nnrt__rknpu_without_stride(nnrt_rknn_tensor_attr *attr) {
    attr->w_stride = 0;
    attr->h_stride = 0;
    attr->size_with_stride = 0;
}

/* Port of pixels: the runtime itself quantizes uint8 NHWC. attr is what was queried, with its stride. */
NNRT__FN void nnrt__rknpu_bind_pixels(const nnrt_rknn_tensor_attr *attr, nnrt_rknn_tensor_attr *bind) {
    *bind = *attr;
    if (attr->fmt == NNRT_RKNN_NCHW) {
        bind->dims[1] = attr->dims[2];
        bind->dims[2] = attr->dims[3];
        bind->dims[3] = attr->dims[1];
    }
    bind->fmt = NNRT_RKNN_NHWC;
    bind->type = NNRT_RKNN_UINT8;
    bind->qnt_type = NNRT_RKNN_QNT_NONE;
    bind->pass_through = 0;
}

/* The logical attributes of an input of librknnmrt, from the native ones: query 10 gives C and W of an NC1HWC2 tensor
   if it works; otherwise every lane counts. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mini_input(nnrt__rknpu_context *context, uint32_t index,
                                                 const nnrt_rknn_tensor_attr *native, nnrt_rknn_tensor_attr *logical) {
    const uint32_t *dims = native->dims;
    nnrt_rknn_tensor_attr told;
    int code;
    *logical = *native;
    if (native->fmt != NNRT_RKNN_NC1HWC2 || native->n_dims != 5) return OH_NN_SUCCESS;
    code = nnrt__rknpu_query_attr(context, NNRT_RKNN_QUERY_NATIVE_NHWC_INPUT_ATTR, index, &told);
    if (code < 0 && !nnrt__rknpu_is_refusal(code)) return nnrt__rknpu_fail(code, "rknn_query NATIVE_NHWC_INPUT_ATTR");
    logical->fmt = NNRT_RKNN_NHWC;
    logical->n_dims = 4;
    logical->dims[0] = dims[0];
    logical->dims[1] = dims[2];
    logical->dims[2] = dims[3];
    logical->dims[3] = (uint64_t)dims[1] * dims[4] <= INT32_MAX ? dims[1] * dims[4] : 0;
    logical->dims[4] = 0;
    if (code == NNRT_RKNN_SUCC && nnrt__rknpu_attr_fault(&told) == NULL && told.fmt == NNRT_RKNN_NHWC &&
        told.n_dims == 4 && told.dims[0] == dims[0] && told.dims[1] <= dims[2] && told.dims[2] <= dims[3] &&
        told.dims[3] <= logical->dims[3])
        memcpy(logical->dims, told.dims, sizeof(logical->dims));
    return OH_NN_SUCCESS;
}

/* Ways to bind a tensor, the most wanted first. */
typedef enum nnrt__rknpu_way {
    NNRT__RKNPU_BIND_LOGICAL = 0, /* what the program sees; the runtime converts */
    NNRT__RKNPU_BIND_NATIVE = 1,
    NNRT__RKNPU_BIND_NHWC = 2,   /* output of librknnmrt: images in NHWC, others dense in their own dimensions */
    NNRT__RKNPU_BIND_PIXELS = 3, /* uint8, which the runtime normalises */
    NNRT__RKNPU_BIND_GIVEN = 4   /* input of librknnmrt, which describes only native ones */
} nnrt__rknpu_way;

/* The ways to try for one tensor; returns how many. */
NNRT__FN uint32_t nnrt__rknpu_ways(const nnrt__rknpu_model *model, bool output, bool pixels, nnrt__rknpu_way ways[2]) {
    const nnrt__rknpu_options *options = &model->options;
    const bool mini = model->device->library.mini;
    uint32_t count = 0;
    if (pixels) ways[count++] = NNRT__RKNPU_BIND_PIXELS;
    else if (mini && !output) ways[count++] = NNRT__RKNPU_BIND_GIVEN;
    else if (options->general_api) ways[count++] = NNRT__RKNPU_BIND_LOGICAL;
    if (count != 0) return count;
    if (mini) {
        ways[0] = options->order == NNRT__RKNPU_IO_NHWC ? NNRT__RKNPU_BIND_NHWC : NNRT__RKNPU_BIND_NATIVE;
        ways[1] = options->order == NNRT__RKNPU_IO_NHWC ? NNRT__RKNPU_BIND_NATIVE : NNRT__RKNPU_BIND_NHWC;
        return 2;
    }
    ways[count++] = NNRT__RKNPU_BIND_NATIVE;
    if (options->order != NNRT__RKNPU_IO_NATIVE) ways[count++] = NNRT__RKNPU_BIND_LOGICAL;
    return count;
}

/* A vendor query of one tensor: attributes, and the beginning of the sentence if it fails. */
typedef struct nnrt__rknpu_question {
    nnrt_rknn_query_cmd command;
    const char *text;
} nnrt__rknpu_question;

NNRT__FN nnrt__rknpu_question nnrt__rknpu_question_of(bool native, bool output, bool current) {
    static const nnrt__rknpu_question questions[8] = {
        {NNRT_RKNN_QUERY_INPUT_ATTR, "rknn_query INPUT_ATTR"},
        {NNRT_RKNN_QUERY_OUTPUT_ATTR, "rknn_query OUTPUT_ATTR"},
        {NNRT_RKNN_QUERY_CURRENT_INPUT_ATTR, "rknn_query CURRENT_INPUT_ATTR"},
        {NNRT_RKNN_QUERY_CURRENT_OUTPUT_ATTR, "rknn_query CURRENT_OUTPUT_ATTR"},
        {NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, "rknn_query NATIVE_INPUT_ATTR"},
        {NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, "rknn_query NATIVE_OUTPUT_ATTR"},
        {NNRT_RKNN_QUERY_CURRENT_NATIVE_INPUT_ATTR, "rknn_query CURRENT_NATIVE_INPUT_ATTR"},
        {NNRT_RKNN_QUERY_CURRENT_NATIVE_OUTPUT_ATTR, "rknn_query CURRENT_NATIVE_OUTPUT_ATTR"}};
    return questions[(native ? 4u : 0u) + (current ? 2u : 0u) + (output ? 1u : 0u)];
}

/* Fills port->bind in one way. told: the result of the first query. Returns the vendor's code; *text: of which call. */
NNRT__FN int nnrt__rknpu_bind_by(const nnrt__rknpu_context *context, nnrt__rknpu_way way, nnrt__rknpu_question native,
                                 const nnrt_rknn_tensor_attr *told, bool general, nnrt__rknpu_port *port,
                                 const char **text) {
    int code = NNRT_RKNN_SUCC;
    port->bind = *told;
    *text = native.text;
    if (way == NNRT__RKNPU_BIND_NATIVE) {
        code = nnrt__rknpu_query_attr(context, native.command, told->index, &port->bind);
    } else if (way == NNRT__RKNPU_BIND_NHWC) {
        *text = "rknn_query NATIVE_NHWC_OUTPUT_ATTR";
        code = nnrt__rknpu_query_attr(context, NNRT_RKNN_QUERY_NATIVE_NHWC_OUTPUT_ATTR, told->index, &port->bind);
    } else if (way == NNRT__RKNPU_BIND_PIXELS) {
        nnrt__rknpu_bind_pixels(told, &port->bind);
    }
    if (general) nnrt__rknpu_without_stride(&port->bind);
    return code;
}

/* Fills the port of one input or output. *pixels gets true for an input that takes uint8 pixels. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_make_port(const nnrt__rknpu_model *model, nnrt__rknpu_context *context,
                                                bool output, uint32_t index, bool current, nnrt__rknpu_port *port,
                                                bool *pixels) {
    const nnrt__rknpu_options *options = &model->options;
    const bool mini = model->device->library.mini;
    const nnrt__rknpu_question first = nnrt__rknpu_question_of(false, output, current);
    nnrt_rknn_tensor_attr told;
    nnrt__rknpu_way ways[2];
    uint32_t count, i;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    int vendor_code = nnrt__rknpu_query_attr(context, first.command, index, &told);
    memset(port, 0, sizeof(*port));
    *pixels = false;
    if (vendor_code != NNRT_RKNN_SUCC) return nnrt__rknpu_fail(vendor_code, first.text);
    port->attr = told;
    if (mini && !output) code = nnrt__rknpu_mini_input(context, index, &told, &port->attr);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__rknpu_without_stride(&port->attr);
    *pixels = !output && options->input_uint8 && nnrt__rknpu_takes_pixels(&told);
    count = nnrt__rknpu_ways(model, output, *pixels, ways);
    for (i = 0; i < count; i++) {
        nnrt__tensor_layout logical;
        const char *text, *fault;
        vendor_code = nnrt__rknpu_bind_by(context, ways[i], nnrt__rknpu_question_of(true, output, current), &told,
                                          options->general_api, port, &text);
        if (vendor_code != NNRT_RKNN_SUCC) {
            code = nnrt__rknpu_fail(vendor_code, text);
            if (!nnrt__rknpu_is_refusal(vendor_code)) return code;
            continue;
        }
        port->bind.pass_through =
            !output && (ways[i] == NNRT__RKNPU_BIND_NATIVE || ways[i] == NNRT__RKNPU_BIND_GIVEN) ? 1 : 0;
        fault = nnrt__rknpu_fit(port, mini, mini && ways[i] != NNRT__RKNPU_BIND_NHWC, &logical);
        if (fault == NULL) fault = nnrt__rknpu_show(options, output, *pixels, &logical, port);
        if (fault == NULL) return OH_NN_SUCCESS;
        code = nnrt__fail(OH_NN_FAILED, "%s %u \"%.60s\" of the model %s", output ? "output" : "input", (unsigned)index,
                          port->attr.name, fault);
    }
    return code;
}

/* Fills ports (input_count + output_count) for the shape that context has now, by queries. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_model_ports(const nnrt__rknpu_model *model, nnrt__rknpu_context *context,
                                                  bool current, nnrt__rknpu_port *ports) {
    const uint32_t count = model->npu.input_count + model->npu.output_count;
    bool pixels = false, any = false;
    uint32_t i;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    for (i = 0; i < count && code == OH_NN_SUCCESS; i++) {
        const bool output = i >= model->npu.input_count;
        code = nnrt__rknpu_make_port(model, context, output, output ? i - model->npu.input_count : i,
                                     current && model->shapes.count != 0, &ports[i], &pixels);
        any = any || pixels;
    }
    if (code == OH_NN_SUCCESS && model->options.input_uint8 && !any)
        return nnrt__fail(OH_NN_FAILED, "rknn.input_type uint8: the model has no quantized image input of 1, 3 or 4 "
                                        "channels");
    return code;
}

/* ----------------------------------------------------------------------------------------- dynamic shapes */

/* Dimensions of input index in shape number shape, in the order of its descriptor. */
NNRT__FN void nnrt__rknpu_shape_dims(const nnrt__rknpu_model *model, uint32_t index, uint32_t shape, int32_t *dims) {
    const nnrt_rknn_input_range *range = model->shapes.ranges[index];
    const OH_NN_Format format = model->ports[index].desc.format;
    const uint32_t *from = range->dyn_range[shape];
    uint32_t i;
    for (i = 0; i < range->n_dims; i++) dims[i] = (int32_t)from[i];
    if (range->n_dims != 4) return;
    if (range->fmt == NNRT_RKNN_NHWC && format == OH_NN_FORMAT_NCHW) {
        dims[1] = (int32_t)from[3];
        dims[2] = (int32_t)from[1];
        dims[3] = (int32_t)from[2];
    } else if (range->fmt == NNRT_RKNN_NCHW && format == OH_NN_FORMAT_NHWC) {
        dims[1] = (int32_t)from[2];
        dims[2] = (int32_t)from[3];
        dims[3] = (int32_t)from[1];
    }
}

/* "[1,224,224,3], [1,192,192,3], ..." of input index: the first three shapes. */
NNRT__FN void nnrt__rknpu_list_shapes(const nnrt__rknpu_model *model, uint32_t index, char *text, size_t size) {
    uint32_t shape;
    text[0] = '\0';
    for (shape = 0; shape < model->shapes.count; shape++) {
        const size_t used = strlen(text);
        int32_t dims[NNRT_MAX_RANK];
        nnrt__shape_text one;
        if (shape == 3) {
            nnrt__format(text + used, size - used, ", ...");
            return;
        }
        nnrt__rknpu_shape_dims(model, index, shape, dims);
        nnrt__format(text + used, size - used, "%s%s", shape != 0 ? ", " : "",
                     nnrt__shape_print(&one, model->shapes.ranges[index]->n_dims, dims));
    }
}

/* Finds the shape of the list that these inputs have; OH_NN_INVALID_PARAMETER with a sentence that lists some. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_model_shape(const nnrt__rknpu_model *model, const nnrt_io *inputs,
                                                  uint32_t *shape) {
    nnrt__shape_text given;
    char list[128];
    uint32_t k, i, d, index = 0;
    for (k = 0; k < model->shapes.count; k++) {
        bool same = true;
        for (i = 0; i < model->npu.input_count && same; i++) {
            int32_t dims[NNRT_MAX_RANK];
            nnrt__rknpu_shape_dims(model, i, k, dims);
            same = inputs[i].rank == model->shapes.ranges[i]->n_dims &&
                   memcmp(dims, inputs[i].dims, inputs[i].rank * sizeof(dims[0])) == 0;
        }
        if (same) {
            *shape = k;
            return OH_NN_SUCCESS;
        }
    }
    for (i = model->npu.input_count; i-- > 0;)
        for (d = 0; d < model->ports[i].desc.rank; d++)
            if (model->ports[i].desc.dims[d] < 0) index = i;
    nnrt__rknpu_list_shapes(model, index, list, sizeof(list));
    return nnrt__fail(OH_NN_INVALID_PARAMETER,
                      "the model was converted for %u shapes of its inputs, and these are none "
                      "of them; input %u is %s and can be %s",
                      (unsigned)model->shapes.count, (unsigned)index,
                      nnrt__shape_print(&given, inputs[index].rank, inputs[index].dims), list);
}

/* rknn_set_input_shapes: sets that shape of the list in context. attrs: the caller's room for input_count, so that a
   run allocates nothing. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_model_set_shape(const nnrt__rknpu_model *model, nnrt__rknpu_context *context,
                                                      uint32_t shape, nnrt_rknn_tensor_attr *attrs) {
    uint32_t i;
    int code;
    for (i = 0; i < model->npu.input_count; i++) {
        const nnrt_rknn_input_range *range = model->shapes.ranges[i];
        memset(&attrs[i], 0, sizeof(attrs[i]));
        attrs[i].index = i;
        attrs[i].fmt = range->fmt;
        attrs[i].n_dims = range->n_dims;
        memcpy(attrs[i].name, range->name, sizeof(attrs[i].name));
        memcpy(attrs[i].dims, range->dyn_range[shape], sizeof(attrs[i].dims));
    }
    code = context->device->library.api.set_input_shapes(context->handle, model->npu.input_count, attrs);
    return code == NNRT_RKNN_SUCC ? OH_NN_SUCCESS : nnrt__rknpu_fail(code, "rknn_set_input_shapes");
}

NNRT__FN void nnrt__rknpu_free_ranges(nnrt__rknpu_model *model) {
    uint32_t i;
    for (i = 0; model->shapes.ranges != NULL && i < model->npu.input_count; i++) nnrt__free(model->shapes.ranges[i]);
    nnrt__free(model->shapes.ranges);
    nnrt__free(model->shapes.ports);
    model->shapes.ranges = NULL;
    model->shapes.ports = NULL;
    model->shapes.count = 0;
}

/* Bytes of NNRT_MALLOC in them. */
NNRT__FN size_t nnrt__rknpu_ranges_bytes(const nnrt__rknpu_model *model) {
    size_t bytes = nnrt__block_bytes(model->shapes.ranges) + nnrt__block_bytes(model->shapes.ports);
    uint32_t i;
    for (i = 0; model->shapes.ranges != NULL && i < model->npu.input_count; i++)
        bytes += nnrt__block_bytes(model->shapes.ranges[i]);
    return bytes;
}

/* What is wrong with the list of input index; NULL: nothing. count: shapes of the inputs before it. */
NNRT__FN const char *nnrt__rknpu_range_fault(const nnrt_rknn_input_range *range, uint32_t index, uint32_t count) {
    uint32_t k, d;
    if (range->shape_number == 0 || range->shape_number > NNRT_RKNN_MAX_DYNAMIC_SHAPES)
        return "has a number of shapes that is not from 1 to 512";
    if (index != 0 && range->shape_number != count) return "has another number of shapes than the inputs before it";
    if (range->n_dims == 0 || range->n_dims > NNRT_MAX_RANK) return "has shapes that are not of 1 to 10 dimensions";
    for (k = 0; k < range->shape_number; k++)
        for (d = 0; d < range->n_dims; d++)
            if (range->dyn_range[k][d] == 0 || range->dyn_range[k][d] > INT32_MAX)
                return "has a dimension that is not from 1 to 2147483647";
    return NULL;
}

/* Reads the model's dynamic shapes, if any; if the runtime does not answer, the model is static. The context is
   entered. On failure the caller frees. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_load_ranges(nnrt__rknpu_model *model, nnrt__rknpu_context *context) {
    const nnrt__rknpu_library *library = &model->device->library;
    uint32_t i;
    if (library->mini || model->runtime_version < NNRT__RKNN_VERSION(1, 5, 2) || library->api.set_input_shapes == NULL)
        return OH_NN_SUCCESS;
    model->shapes.ranges = (nnrt_rknn_input_range **)nnrt__alloc_zero(model->npu.input_count, sizeof(void *));
    if (model->shapes.ranges == NULL) return nnrt__fail_memory();
    for (i = 0; i < model->npu.input_count; i++) {
        nnrt_rknn_input_range *range = (nnrt_rknn_input_range *)nnrt__alloc_zero(1, sizeof(*range));
        const char *fault;
        int code;
        if (range == NULL) return nnrt__fail_memory();
        model->shapes.ranges[i] = range;
        range->index = i;
        code =
            library->api.query(context->handle, NNRT_RKNN_QUERY_INPUT_DYNAMIC_RANGE, range, (uint32_t)sizeof(*range));
        if (code < 0 && !nnrt__rknpu_is_refusal(code)) return nnrt__rknpu_fail(code, "rknn_query INPUT_DYNAMIC_RANGE");
        range->name[sizeof(range->name) - 1] = '\0';
        if (i == 0 && (code < 0 || range->shape_number <= 1)) {
            nnrt__rknpu_free_ranges(model);
            return OH_NN_SUCCESS;
        }
        if (code < 0) return nnrt__rknpu_fail(code, "rknn_query INPUT_DYNAMIC_RANGE");
        fault = nnrt__rknpu_range_fault(range, i, model->shapes.count);
        if (fault != NULL)
            return nnrt__fail(OH_NN_FAILED, "input %u \"%.60s\" of the model %s", (unsigned)i, range->name, fault);
        model->shapes.count = range->shape_number;
    }
    return OH_NN_SUCCESS;
}

/* Merges ports of another shape into the model's: differing dimensions become -1, sizes the largest. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_merge_shape(nnrt__rknpu_model *model, uint32_t shape,
                                                  const nnrt__rknpu_port *ports) {
    const uint32_t count = model->npu.input_count + model->npu.output_count;
    uint32_t i, d;
    for (i = 0; i < count; i++) {
        nnrt__rknpu_port *to = &model->ports[i];
        const nnrt__rknpu_port *from = &ports[i];
        bool same = from->desc.rank == to->desc.rank;
        if (i < model->npu.input_count && same) {
            int32_t dims[NNRT_MAX_RANK];
            nnrt__rknpu_shape_dims(model, i, shape, dims);
            same = model->shapes.ranges[i]->n_dims == from->desc.rank &&
                   memcmp(dims, from->desc.dims, from->desc.rank * sizeof(dims[0])) == 0;
        }
        if (!same || from->desc.dtype != to->desc.dtype || from->desc.format != to->desc.format)
            return nnrt__fail(OH_NN_FAILED,
                              "%s \"%.60s\" of the model has not the shape that shape %u of its list gives it",
                              i < model->npu.input_count ? "input" : "output", to->attr.name, (unsigned)shape);
        for (d = 0; d < to->desc.rank; d++)
            if (to->desc.dims[d] != from->desc.dims[d]) to->desc.dims[d] = -1;
        if (from->inside_size > to->inside_size) to->inside_size = from->inside_size;
        if (from->outside_size > to->outside_size) to->outside_size = from->outside_size;
    }
    return OH_NN_SUCCESS;
}

/* Refuses what cannot be combined with dynamic shapes. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_dynamic(const nnrt__rknpu_model *model) {
    if (model->options.order == NNRT__RKNPU_IO_NATIVE)
        return nnrt__fail(OH_NN_FAILED,
                          "rknn.io_layout native: the model has dynamic shapes, and strides change with them");
    if ((model->options.flags & NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE) != 0 &&
        model->runtime_version < NNRT__RKNN_VERSION(2, 0, 0))
        return nnrt__fail(OH_NN_FAILED,
                          "memory outside: the model has dynamic shapes, and runtimes before 2.0.0 forbid both");
    if (model->options.share_weights[0] != '\0')
        return nnrt__fail(OH_NN_FAILED,
                          "rknn.share_weights: the model has dynamic shapes, and the runtime shares only static "
                          "ones");
    return OH_NN_SUCCESS;
}

/* Bytes whose conversion after every run is worth a line in the log: a tenth of a millisecond of a Cortex-A7 or so. */
#define NNRT__RKNPU_MUCH 16384u

/* Outputs of librknnmrt have the model's order of dimensions, as on every chip and in the ONNX file; the NPU writes
   NC1HWC2, so this costs a pass over each map. NHWC, which it can also write, costs less or nothing: this is logged
   unless an order was chosen. */
NNRT__FN void nnrt__rknpu_note_order(const nnrt__rknpu_model *model, const nnrt__rknpu_port *ports) {
    uint64_t bytes = 0;
    uint32_t i, size;
    if (!model->device->library.mini || model->options.order != NNRT__RKNPU_IO_MODEL) return;
    for (i = model->npu.input_count; i < model->npu.input_count + model->npu.output_count; i++)
        if (ports[i].inside.order == NNRT__ORDER_NC1HWC2 && ports[i].attr.n_dims == 4 &&
            nnrt__layout_size(&ports[i].outside, &size))
            bytes += size;
    if (bytes >= NNRT__RKNPU_MUCH)
        nnrt__log(
            NNRT_LOG_INFO,
            "outputs of %llu bytes are converted after every run; rknn.io_layout nhwc may need less of that or none",
            (unsigned long long)bytes);
}

/* The NPU's own bytes have lanes past the last channel, blocks past those and columns past the width with arbitrary
   contents: comparing them byte by byte, or searching them for the largest value, gives different results in every
   run. */
NNRT__FN void nnrt__rknpu_note_padding(const nnrt__rknpu_model *model, const nnrt__rknpu_port *ports) {
    uint32_t i, padded = 0;
    if (model->options.order != NNRT__RKNPU_IO_NATIVE) return;
    for (i = model->npu.input_count; i < model->npu.input_count + model->npu.output_count; i++) {
        const nnrt__tensor_layout *inside = &ports[i].inside;
        if (ports[i].inside_size >
            (uint64_t)inside->n * inside->c * inside->h * inside->w * nnrt__layout_element(inside->type))
            padded++;
    }
    if (padded != 0)
        nnrt__log(NNRT_LOG_INFO,
                  "rknn.io_layout native: %u of the outputs ha%s bytes of no element, which are undefined, behind the "
                  "last channel or the width",
                  (unsigned)padded, padded == 1 ? "s" : "ve");
}

/* The model's ports: of the default shape, with -1 and the largest sizes if there are others. Ports of every shape are
   queried here and kept, because a runtime answers differently once tensors are bound. The context is entered and has
   the default shape afterwards. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_describe(nnrt__rknpu_model *model, nnrt__rknpu_context *context) {
    const uint32_t count = model->npu.input_count + model->npu.output_count;
    nnrt_rknn_tensor_attr *attrs;
    OH_NN_ReturnCode code;
    size_t all;
    uint32_t k, i;
    model->ports = (nnrt__rknpu_port *)nnrt__alloc_zero(count, sizeof(nnrt__rknpu_port));
    if (model->ports == NULL) return nnrt__fail_memory();
    if (model->shapes.count == 0) {
        code = nnrt__rknpu_model_ports(model, context, false, model->ports);
        if (code != OH_NN_SUCCESS) return code;
        nnrt__rknpu_note_order(model, model->ports);
        nnrt__rknpu_note_padding(model, model->ports);
        return code;
    }
    code = nnrt__rknpu_check_dynamic(model);
    if (code != OH_NN_SUCCESS) return code;
    all = (size_t)model->shapes.count * count; /* at most 512 shapes of 128 tensors */
    model->shapes.ports = (nnrt__rknpu_port *)nnrt__alloc_zero(all, sizeof(nnrt__rknpu_port));
    attrs = (nnrt_rknn_tensor_attr *)nnrt__alloc_zero(model->npu.input_count, sizeof(*attrs));
    if (model->shapes.ports == NULL || attrs == NULL) code = nnrt__fail_memory();
    for (k = 0; k < model->shapes.count && code == OH_NN_SUCCESS; k++) {
        nnrt__rknpu_port *ports = &model->shapes.ports[(size_t)k * count];
        code = nnrt__rknpu_model_set_shape(model, context, k, attrs);
        if (code == OH_NN_SUCCESS) code = nnrt__rknpu_model_ports(model, context, true, ports);
        for (i = 0; k == 0 && i < count && code == OH_NN_SUCCESS; i++) {
            model->ports[i] = ports[i];
            model->ports[i].desc.name = model->ports[i].attr.name;
        }
        if (code == OH_NN_SUCCESS) code = nnrt__rknpu_merge_shape(model, k, ports);
    }
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_model_set_shape(model, context, 0, attrs);
    nnrt__free(attrs);
    return code;
}

#endif /* NNRT_RKNPU_MODEL_PORTS_H */
