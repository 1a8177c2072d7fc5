/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/tensor.h - a version-independent description of an input or output: pure functions.   >>bpu_tensor

   A library's description of a tensor is untrusted: everything is checked here once, and the rooms above use nothing
   else.

     shapes   dims is what the tensor is, aligned what is stored. Padding of inputs is zeroed, that of outputs is noise.
     strides  bytes from one index to the next, as reported, with three exceptions. None, all of them 0, or 0 for the
              last dimension: those of aligned, without gaps. Reported ones that are those of aligned in another order:
              they are meant for other dimensions (seen on X5) and would leave the memory; those of aligned. -1 (UCP):
              the program chooses; without gaps, each rounded up to row_alignment. What still leaves the memory, or puts
              two elements at one place, is refused.
     NV12     aligned is rows and their pitch; strides are not used. Chroma pairs follow the luma rows, or lie in a
              memory of their own.
     4 bits   two elements in a byte, the first in its low half; strides[rank - 1] is 1 and counts nothing.

   What the program sees is a form of it (nnrt__bpu_describe_form): by default dims without gaps, gray pictures as
   [N,H,W,1]. */
#ifndef NNRT_BPU_TENSOR_H
#define NNRT_BPU_TENSOR_H

#include "../core/error.h"
#include "abi.h"

/* The numbers of UCP, then what only version 1 has. */
typedef enum nnrt__bpu_element {
    NNRT__BPU_S4 = 0,
    NNRT__BPU_U4 = 1,
    NNRT__BPU_S8 = 2,
    NNRT__BPU_U8 = 3,
    NNRT__BPU_F16 = 4,
    NNRT__BPU_S16 = 5,
    NNRT__BPU_U16 = 6,
    NNRT__BPU_F32 = 7,
    NNRT__BPU_S32 = 8,
    NNRT__BPU_U32 = 9,
    NNRT__BPU_F64 = 10,
    NNRT__BPU_S64 = 11,
    NNRT__BPU_U64 = 12,
    NNRT__BPU_BOOL8 = 13,
    NNRT__BPU_Y = 14,
    NNRT__BPU_NV12 = 15,
    NNRT__BPU_NV12_SEPARATE = 16,
    NNRT__BPU_YUV444 = 17,
    NNRT__BPU_RGB = 18,
    NNRT__BPU_BGR = 19
} nnrt__bpu_element;

/* What integers mean. */
typedef enum nnrt__bpu_quant {
    NNRT__BPU_QUANT_NONE = 0,
    NNRT__BPU_QUANT_SHIFT = 1, /* q / 2^shift */
    NNRT__BPU_QUANT_SCALE = 2  /* (q - zero point) * scale */
} nnrt__bpu_quant;

typedef struct nnrt__bpu_tensor {
    nnrt__bpu_element element;
    int32_t order;                    /* NNRT__BPU_NHWC, NNRT__BPU_NCHW or NNRT__BPU_NO_ORDER */
    uint32_t rank;                    /* 1..NNRT__BPU_MAX_DIMS */
    int32_t dims[NNRT__BPU_MAX_DIMS]; /* -1: the program's, at each run (is_dynamic) */
    int32_t aligned[NNRT__BPU_MAX_DIMS];
    int64_t strides[NNRT__BPU_MAX_DIMS];
    int64_t size;           /* bytes of its memory, both of NV12_SEPARATE; -1: comes from dims that are the program's */
    uint32_t row_alignment; /* of strides that the program chooses */
    bool is_ucp;
    bool is_dynamic;  /* nothing but dims is certain before nnrt__bpu_set_shape */
    bool was_rotated; /* the reported strides were those of other dimensions */

    nnrt__bpu_quant quant; /* NONE for what is not an integer */
    uint32_t quant_count;  /* 1, or dims[axis]; 0: NONE */
    uint32_t axis;         /* quant_count > 1 */
    /* The library's, until the model is released */
    const uint8_t *shifts;
    const float *scales;      /* finite, not negative */
    const void *zero_points;  /* NULL: they are 0 */
    uint32_t zero_point_size; /* 1: int8_t, 4: int32_t */
} nnrt__bpu_tensor;

/* How a program sees a tensor. */
typedef enum nnrt__bpu_form {
    NNRT__BPU_FORM_LOGICAL = 0, /* dims without gaps, the element type of the board; 4 bits are int8 and uint8 */
    NNRT__BPU_FORM_FLOAT = 1,   /* the same, but float32 where integers are quantized, and for float16 and float64 */
    NNRT__BPU_FORM_RAW = 2      /* the bytes of the board */
} nnrt__bpu_form;

/* ------------------------------------------------------------------------------------------------- elements */

NNRT__FN uint32_t nnrt__bpu_element_bits(nnrt__bpu_element element) {
    static const uint8_t bits[20] = {4, 4, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 8, 8, 8, 8, 8, 8, 8};
    NNRT_ASSERT((unsigned)element < NNRT__COUNT_OF(bits));
    return bits[(unsigned)element];
}

NNRT__FN bool nnrt__bpu_is_nv12(nnrt__bpu_element element) {
    return element == NNRT__BPU_NV12 || element == NNRT__BPU_NV12_SEPARATE;
}

/* Whether it is an integer that can be quantized. */
NNRT__FN bool nnrt__bpu_is_integer(nnrt__bpu_element element) {
    return element < NNRT__BPU_BOOL8 && element != NNRT__BPU_F16 && element != NNRT__BPU_F32 &&
           element != NNRT__BPU_F64;
}

/* The type for a program without conversion of numbers. */
NNRT__FN OH_NN_DataType nnrt__bpu_dtype(nnrt__bpu_element element) {
    static const uint8_t types[14] = {OH_NN_INT8,    OH_NN_UINT8,  OH_NN_INT8,    OH_NN_UINT8, OH_NN_FLOAT16,
                                      OH_NN_INT16,   OH_NN_UINT16, OH_NN_FLOAT32, OH_NN_INT32, OH_NN_UINT32,
                                      OH_NN_FLOAT64, OH_NN_INT64,  OH_NN_UINT64,  OH_NN_BOOL};
    return element <= NNRT__BPU_BOOL8 ? (OH_NN_DataType)types[(unsigned)element] : OH_NN_UINT8;
}

/* Does FORM_FLOAT change it? */
NNRT__FN bool nnrt__bpu_becomes_float(const nnrt__bpu_tensor *tensor) {
    return tensor->quant != NNRT__BPU_QUANT_NONE || tensor->element == NNRT__BPU_F16 ||
           tensor->element == NNRT__BPU_F64;
}

/* Zero point number i. */
NNRT__FN int32_t nnrt__bpu_zero_point(const nnrt__bpu_tensor *tensor, uint32_t i) {
    if (tensor->zero_points == NULL) return 0;
    if (tensor->zero_point_size == 1) return ((const int8_t *)tensor->zero_points)[i];
    return nnrt__read_i32((const uint8_t *)tensor->zero_points + 4u * i);
}

/* The scale of a quantized value. A shift is below 32. */
NNRT__FN float nnrt__bpu_scale(const nnrt__bpu_tensor *tensor, uint32_t i) {
    if (tensor->quant == NNRT__BPU_QUANT_SHIFT) return 1.0f / (float)((uint32_t)1 << tensor->shifts[i]);
    return nnrt__read_f32(&tensor->scales[i]);
}

/* --------------------------------------------------------------------------------------------------- strides */

NNRT__FN int64_t nnrt__bpu_round_up(int64_t bytes, uint32_t multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
}

/* Stride of dimension i, if dimension i + 1 has that size and stride. */
NNRT__FN int64_t nnrt__bpu_outer_stride(const nnrt__bpu_tensor *tensor, uint32_t i, int64_t stride, int32_t size) {
    if (i + 2 == tensor->rank && nnrt__bpu_element_bits(tensor->element) == 4) return ((int64_t)size + 1) / 2;
    return stride * size;
}

/* Strides of dims without gaps; products of 2^31 or more were refused. */
NNRT__FN void nnrt__bpu_dense_strides(const nnrt__bpu_tensor *tensor, const int32_t *dims, int64_t *strides) {
    const uint32_t bits = nnrt__bpu_element_bits(tensor->element);
    uint32_t i = tensor->rank - 1;
    NNRT_ASSERT(tensor->rank >= 1 && tensor->rank <= NNRT__BPU_MAX_DIMS);
    strides[i] = bits == 4 ? 1 : (int64_t)bits / 8;
    for (; i != 0; i--) strides[i - 1] = nnrt__bpu_outer_stride(tensor, i - 1, strides[i], dims[i]);
}

/* The same numbers in another order. */
NNRT__FN bool nnrt__bpu_is_rotation(const int64_t *a, const int64_t *b, uint32_t count) {
    bool used[NNRT__BPU_MAX_DIMS] = {false, false, false, false, false, false, false, false, false, false};
    uint32_t i, k;
    if (memcmp(a, b, count * sizeof(a[0])) == 0) return false;
    for (i = 0; i < count; i++) {
        for (k = 0; k < count && (used[k] || a[i] != b[k]); k++) continue;
        if (k == count) return false;
        used[k] = true;
    }
    return true;
}

/* Bytes from the first to the end of the last element; UINT64_MAX: more than 2^31, or two elements overlap. */
NNRT__FN uint64_t nnrt__bpu_extent(const nnrt__bpu_tensor *tensor) {
    const bool packs = nnrt__bpu_element_bits(tensor->element) == 4;
    const int32_t last = tensor->dims[tensor->rank - 1];
    uint64_t extent = packs ? ((uint64_t)last + 1) / 2 : nnrt__bpu_element_bits(tensor->element) / 8;
    bool done[NNRT__BPU_MAX_DIMS] = {false, false, false, false, false, false, false, false, false, false};
    uint32_t i, k;
    if (packs) done[tensor->rank - 1] = true;
    for (i = 0; i < tensor->rank; i++)
        if (tensor->dims[i] == 1) done[i] = true;
    for (;;) { /* from the smallest stride to the largest: each must step over all inner dimensions */
        uint32_t next = tensor->rank;
        for (k = 0; k < tensor->rank; k++)
            if (!done[k] && (next == tensor->rank || tensor->strides[k] < tensor->strides[next])) next = k;
        if (next == tensor->rank) return extent;
        if (tensor->strides[next] < 0 || (uint64_t)tensor->strides[next] < extent) return UINT64_MAX;
        if (tensor->strides[next] > INT32_MAX) return UINT64_MAX;
        extent += (uint64_t)tensor->strides[next] * (uint64_t)(tensor->dims[next] - 1);
        if (extent > INT32_MAX) return UINT64_MAX;
        done[next] = true;
    }
}

/* -------------------------------------------------------------------------------------------------- pictures */

/* Luma and chroma rows of an NV12 tensor of consecutive images. */
typedef struct nnrt__bpu_nv12 {
    uint32_t images, width, height; /* width and height are even */
    uint32_t pitch;                 /* bytes of a stored row, luma or chroma, >= width */
    uint32_t rows;                  /* stored luma rows, even, >= height */
} nnrt__bpu_nv12;

/* tensor is NV12 and not dynamic. */
NNRT__FN void nnrt__bpu_nv12_of(const nnrt__bpu_tensor *tensor, nnrt__bpu_nv12 *picture) {
    const uint32_t h = tensor->order == NNRT__BPU_NHWC ? 1 : 2;
    NNRT_ASSERT(nnrt__bpu_is_nv12(tensor->element) && !tensor->is_dynamic && tensor->rank == 4);
    picture->images = (uint32_t)tensor->dims[0];
    picture->height = (uint32_t)tensor->dims[h];
    picture->width = (uint32_t)tensor->dims[h + 1];
    picture->rows = (uint32_t)tensor->aligned[h];
    picture->pitch = (uint32_t)tensor->aligned[h + 1];
}

/* -------------------------------------------------------------------------------------------- from a library */

/* Fields of a version's properties, as they are. */
typedef struct nnrt__bpu_reported {
    int32_t valid_count, aligned_count; /* aligned_count -1: no such field */
    int32_t type, quantization, axis;   /* axis INT32_MIN: no such field */
    int32_t length, zero_point_length;
} nnrt__bpu_reported;

/* count sizes at from; returns how many the structure says. */
NNRT__FN int32_t nnrt__bpu_read_shape(const nnrt__bpu_layout *layout, const uint8_t *from, int32_t *dims) {
    memcpy(dims, from, sizeof(dims[0]) * layout->dims);
    return nnrt__read_i32(from + sizeof(dims[0]) * layout->dims);
}

NNRT__FN void nnrt__bpu_read_strides(const nnrt__bpu_layout *layout, const uint8_t *properties, int64_t *strides) {
    uint32_t i;
    for (i = 0; i < NNRT__BPU_MAX_DIMS; i++) strides[i] = 0;
    if (layout->stride == NNRT__BPU_ABSENT) return;
    for (i = 0; i < layout->dims; i++)
        strides[i] = layout->is_ucp ? nnrt__read_i64(properties + layout->stride + 8u * i)
                                    : nnrt__read_i32(properties + layout->stride + 4u * i);
}

/* Scales and shifts, where a field says so. */
NNRT__FN void nnrt__bpu_read_quant(const nnrt__bpu_layout *layout, const uint8_t *properties, nnrt__bpu_tensor *tensor,
                                   nnrt__bpu_reported *reported) {
    if (tensor->quant == NNRT__BPU_QUANT_SHIFT) {
        nnrt__bpu_shift shift;
        memcpy(&shift, properties + layout->shift, sizeof(shift));
        reported->length = shift.length;
        tensor->shifts = shift.data;
    } else if (layout->is_ucp) {
        nnrt__bpu_ucp_scale scale;
        memcpy(&scale, properties + layout->scale, sizeof(scale));
        reported->length = scale.length;
        reported->zero_point_length = scale.zero_point_length;
        tensor->scales = scale.data;
        tensor->zero_points = scale.zero_point;
        tensor->zero_point_size = sizeof(int32_t);
    } else if (layout->has_zero_points) {
        nnrt__bpu_scale_1_9 scale;
        memcpy(&scale, properties + layout->scale, sizeof(scale));
        reported->length = scale.length;
        reported->zero_point_length = scale.zero_point_length;
        tensor->scales = scale.data;
        tensor->zero_points = scale.zero_point;
        tensor->zero_point_size = 1;
    } else {
        nnrt__bpu_scale_1_6 scale;
        memcpy(&scale, properties + layout->scale, sizeof(scale));
        reported->length = scale.length;
        tensor->scales = scale.data;
    }
    if (reported->zero_point_length == 0) tensor->zero_points = NULL;
}

/* The element of a type number; false: unknown. */
NNRT__FN bool nnrt__bpu_find_element(const nnrt__bpu_layout *layout, int32_t type, nnrt__bpu_element *element) {
    static const uint8_t elements[NNRT__BPU_DNN_TYPES] = {NNRT__BPU_Y,      NNRT__BPU_NV12, NNRT__BPU_NV12_SEPARATE,
                                                          NNRT__BPU_YUV444, NNRT__BPU_RGB,  NNRT__BPU_BGR,
                                                          NNRT__BPU_S4,     NNRT__BPU_U4,   NNRT__BPU_S8,
                                                          NNRT__BPU_U8,     NNRT__BPU_F16,  NNRT__BPU_S16,
                                                          NNRT__BPU_U16,    NNRT__BPU_F32,  NNRT__BPU_S32,
                                                          NNRT__BPU_U32,    NNRT__BPU_F64,  NNRT__BPU_S64,
                                                          NNRT__BPU_U64};
    if (type < 0 || type >= (layout->is_ucp ? (int32_t)NNRT__BPU_UCP_TYPES : (int32_t)NNRT__BPU_DNN_TYPES))
        return false;
    *element = layout->is_ucp ? (nnrt__bpu_element)type : (nnrt__bpu_element)elements[type];
    return true;
}

/* ---------------------------------------------------------------------------------------------------- checks */

/* Checks the number of dimensions, sizes, and that products fit. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_check_shape(nnrt__bpu_tensor *tensor, const nnrt__bpu_layout *layout,
                                                const nnrt__bpu_reported *reported, const char *name) {
    const uint32_t bits = nnrt__bpu_element_bits(tensor->element);
    uint64_t total = bits == 4 ? 1 : bits / 8;
    uint32_t i;
    if (reported->valid_count < 1 || reported->valid_count > layout->dims)
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" has %d dimensions, and 1 to %d are possible", name,
                          (int)reported->valid_count, (int)layout->dims);
    if (reported->aligned_count != -1 && reported->aligned_count != reported->valid_count)
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" has %d dimensions, and %d with its padding", name,
                          (int)reported->valid_count, (int)reported->aligned_count);
    tensor->rank = (uint32_t)reported->valid_count;
    for (i = 0; i < tensor->rank; i++) {
        const bool is_free = layout->is_ucp && tensor->dims[i] == -1;
        if (tensor->dims[i] < 1 && !is_free)
            return nnrt__fail(OH_NN_FAILED, "dimension %u of tensor \"%.40s\" is %d", (unsigned)i, name,
                              (int)tensor->dims[i]);
        if (is_free) tensor->is_dynamic = true;
        if (reported->aligned_count == -1) tensor->aligned[i] = tensor->dims[i];
        if (tensor->aligned[i] < tensor->dims[i])
            return nnrt__fail(OH_NN_FAILED, "dimension %u of tensor \"%.40s\" is %d, and with its padding %d",
                              (unsigned)i, name, (int)tensor->dims[i], (int)tensor->aligned[i]);
        total *= is_free ? 1 : (uint64_t)tensor->aligned[i]; /* below 2^31 * 2^31 */
        if (total > INT32_MAX) return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" takes 2 GiB or more", name);
    }
    return OH_NN_SUCCESS;
}

/* The axis, for versions without a field for it: that of the channels, or the only one with this size. */
NNRT__FN uint32_t nnrt__bpu_guess_axis(const nnrt__bpu_tensor *tensor, uint32_t length) {
    const uint32_t channels = tensor->order == NNRT__BPU_NCHW ? 1 : tensor->rank - 1;
    uint32_t i, found = tensor->rank;
    if (channels < tensor->rank && (uint32_t)tensor->dims[channels] == length) return channels;
    for (i = 0; i < tensor->rank; i++)
        if ((uint32_t)tensor->dims[i] == length) {
            if (found != tensor->rank) return tensor->rank;
            found = i;
        }
    return found;
}

/* Checks that there are as many numbers as the axis has, each of them valid. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_check_quant(nnrt__bpu_tensor *tensor, const nnrt__bpu_reported *reported,
                                                const char *name) {
    const bool shifts = tensor->quant == NNRT__BPU_QUANT_SHIFT;
    const char *what = shifts ? "shifts" : "scales";
    int32_t axis = reported->axis;
    uint32_t i;
    if (tensor->quant == NNRT__BPU_QUANT_NONE) return OH_NN_SUCCESS;
    if (reported->length < 1 || (shifts ? (const void *)tensor->shifts : (const void *)tensor->scales) == NULL)
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" is quantized, and its library shows no %s", name, what);
    if (reported->zero_point_length != 0 &&
        (reported->zero_point_length != reported->length || tensor->zero_points == NULL))
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" has %d scales and %d zero points", name,
                          (int)reported->length, tensor->zero_points != NULL ? (int)reported->zero_point_length : 0);
    if (reported->length > 1) {
        if (axis == INT32_MIN) axis = (int32_t)nnrt__bpu_guess_axis(tensor, (uint32_t)reported->length);
        if (axis < 0 || axis >= (int32_t)tensor->rank || tensor->dims[axis] != reported->length)
            return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" has %d %s, and its axis %d has %d indices", name,
                              (int)reported->length, what, (int)axis,
                              axis >= 0 && axis < (int32_t)tensor->rank ? (int)tensor->dims[axis] : 0);
        tensor->axis = (uint32_t)axis;
    }
    tensor->quant_count = (uint32_t)reported->length;
    for (i = 0; i < tensor->quant_count; i++) {
        float scale;
        if (shifts && tensor->shifts[i] > 31)
            return nnrt__fail(OH_NN_FAILED, "shift %u of tensor \"%.40s\" is %d, and 31 is the most", (unsigned)i, name,
                              (int)tensor->shifts[i]);
        scale = shifts ? 1.0f : nnrt__bpu_scale(tensor, i);
        if (!(scale >= 0.0f && scale <= 3.4e38f))
            return nnrt__fail(OH_NN_FAILED, "scale %u of tensor \"%.40s\" is negative, infinite or not a number",
                              (unsigned)i, name);
    }
    return OH_NN_SUCCESS;
}

/* NV12: checks for even sizes, and makes the memory large enough for both planes even if the library asks for less. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_settle_nv12(nnrt__bpu_tensor *tensor, const char *name) {
    nnrt__bpu_nv12 picture;
    uint64_t bytes;
    if (tensor->rank != 4 || (tensor->order != NNRT__BPU_NHWC && tensor->order != NNRT__BPU_NCHW))
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" is NV12 without an order of four dimensions", name);
    nnrt__bpu_nv12_of(tensor, &picture);
    if (picture.width % 2 != 0 || picture.height % 2 != 0 || picture.rows % 2 != 0 || picture.pitch % 2 != 0)
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" is NV12 of %ux%u pixels, stored as %ux%u: all must be even",
                          name, (unsigned)picture.width, (unsigned)picture.height, (unsigned)picture.pitch,
                          (unsigned)picture.rows);
    bytes = (uint64_t)picture.pitch * picture.rows / 2 * 3 * picture.images; /* below 2^32 */
    if (bytes > INT32_MAX) return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" takes 2 GiB or more", name);
    if (bytes > (uint64_t)tensor->size) tensor->size = (int64_t)bytes;
    return OH_NN_SUCCESS;
}

/* Elements of 4 bits: rows must end at bytes, or their end is ambiguous. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_check_packing(const nnrt__bpu_tensor *tensor, const char *name) {
    const int32_t row = tensor->aligned[tensor->rank - 1];
    uint32_t i;
    if (nnrt__bpu_element_bits(tensor->element) != 4 || row % 2 == 0) return OH_NN_SUCCESS;
    for (i = 0; i + 1 < tensor->rank; i++)
        if (tensor->aligned[i] != 1)
            return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" has rows of %d elements of 4 bits: half a byte is left",
                              name, (int)row);
    return OH_NN_SUCCESS;
}

/* Fills in strides left to the program: from the inside out, with gaps only for alignment. */
NNRT__FN void nnrt__bpu_fill_strides(nnrt__bpu_tensor *tensor) {
    uint32_t i;
    for (i = tensor->rank - 1; i != 0 && tensor->strides[i] <= INT32_MAX; i--)
        if (tensor->strides[i - 1] == -1)
            tensor->strides[i - 1] = nnrt__bpu_round_up(
                nnrt__bpu_outer_stride(tensor, i - 1, tensor->strides[i], tensor->dims[i]), tensor->row_alignment);
}

/* Completes a tensor whose dims are known: strides holds what was reported. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_settle(nnrt__bpu_tensor *tensor, const char *name) {
    const uint32_t last = tensor->rank - 1;
    int64_t dense[NNRT__BPU_MAX_DIMS];
    uint64_t extent;
    OH_NN_ReturnCode code = nnrt__bpu_check_packing(tensor, name);
    NNRT_ASSERT(!tensor->is_dynamic && tensor->row_alignment != 0);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__bpu_dense_strides(tensor, tensor->aligned, dense);
    tensor->was_rotated = !tensor->is_ucp && nnrt__bpu_is_rotation(tensor->strides, dense, tensor->rank);
    if (tensor->is_ucp && tensor->strides[last] == -1) tensor->strides[last] = dense[last];
    if (tensor->strides[last] == 0 || tensor->was_rotated || nnrt__bpu_is_nv12(tensor->element))
        memcpy(tensor->strides, dense, sizeof(dense[0]) * tensor->rank);
    if (nnrt__bpu_is_nv12(tensor->element)) return nnrt__bpu_settle_nv12(tensor, name);
    if (tensor->is_ucp) nnrt__bpu_fill_strides(tensor);
    extent = nnrt__bpu_extent(tensor);
    if (tensor->size == -1 && extent != UINT64_MAX) {
        tensor->size = (int64_t)extent;
        if (tensor->strides[0] <= INT32_MAX && tensor->strides[0] * tensor->dims[0] > tensor->size)
            tensor->size = tensor->strides[0] * tensor->dims[0];
        if (tensor->size > INT32_MAX) return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" takes 2 GiB or more", name);
    }
    if (extent == UINT64_MAX)
        return nnrt__fail(OH_NN_FAILED, "the strides of tensor \"%.40s\" overlap, or reach over 2 GiB", name);
    if (extent > (uint64_t)tensor->size || (nnrt__bpu_element_bits(tensor->element) == 4 && tensor->strides[last] != 1))
        return nnrt__fail(OH_NN_FAILED, "the strides of tensor \"%.40s\" leave its %lld bytes", name,
                          (long long)tensor->size);
    return OH_NN_SUCCESS;
}

/* Describes what a library of this layout wrote to properties. row_alignment: of strides that are left to the program,
   32 on S100, 64 on S600; not 0. OH_NN_FAILED with a sentence: something is impossible, and tensor must not be used. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_describe(nnrt__bpu_tensor *tensor, const nnrt__bpu_layout *layout,
                                             const void *properties, uint32_t row_alignment, const char *name) {
    const uint8_t *from = (const uint8_t *)properties;
    nnrt__bpu_reported reported;
    OH_NN_ReturnCode code;
    int32_t order = NNRT__BPU_NO_ORDER, type;
    memset(tensor, 0, sizeof(*tensor));
    memset(&reported, 0, sizeof(reported));
    type = nnrt__read_i32(from + layout->type);
    if (!nnrt__bpu_find_element(layout, type, &tensor->element))
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" has type %d, which nobody has described", name, (int)type);
    if (layout->order != NNRT__BPU_ABSENT) order = nnrt__read_i32(from + layout->order);
    if (order != NNRT__BPU_NHWC && order != NNRT__BPU_NCHW && order != NNRT__BPU_NO_ORDER)
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" has layout %d, and NHWC, NCHW and none are possible", name,
                          (int)order);
    tensor->order = order;
    tensor->is_ucp = layout->is_ucp != 0;
    tensor->row_alignment = row_alignment;
    reported.valid_count = nnrt__bpu_read_shape(layout, from + layout->valid, tensor->dims);
    reported.aligned_count = -1;
    if (layout->aligned != NNRT__BPU_ABSENT)
        reported.aligned_count = nnrt__bpu_read_shape(layout, from + layout->aligned, tensor->aligned);
    code = nnrt__bpu_check_shape(tensor, layout, &reported, name);
    if (code != OH_NN_SUCCESS) return code;

    reported.quantization = nnrt__read_i32(from + layout->quantization);
    reported.axis = layout->axis == NNRT__BPU_ABSENT ? INT32_MIN : nnrt__read_i32(from + layout->axis);
    if (reported.quantization < 0 ||
        reported.quantization > (layout->is_ucp ? NNRT__BPU_UCP_SCALE : NNRT__BPU_DNN_SCALE))
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" is quantized in way %d, which nobody has described", name,
                          (int)reported.quantization);
    if (reported.quantization != NNRT__BPU_DNN_NONE && nnrt__bpu_is_integer(tensor->element)) {
        tensor->quant = !layout->is_ucp && reported.quantization == NNRT__BPU_DNN_SHIFT ? NNRT__BPU_QUANT_SHIFT
                                                                                        : NNRT__BPU_QUANT_SCALE;
        nnrt__bpu_read_quant(layout, from, tensor, &reported);
    }
    code = nnrt__bpu_check_quant(tensor, &reported, name);
    if (code != OH_NN_SUCCESS) return code;

    nnrt__bpu_read_strides(layout, from, tensor->strides);
    tensor->size = layout->is_ucp ? nnrt__read_i64(from + layout->byte_size) : nnrt__read_i32(from + layout->byte_size);
    if (tensor->size > INT32_MAX) return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" takes 2 GiB or more", name);
    if (tensor->size < 1 && !(layout->is_ucp && tensor->size == -1))
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.40s\" takes %lld bytes", name, (long long)tensor->size);
    return tensor->is_dynamic ? OH_NN_SUCCESS : nnrt__bpu_settle(tensor, name);
}

/* Gives a dynamic tensor the program's tensor->rank dims: concrete, which may be tensor itself, is then like one that
   the library described. OH_NN_INVALID_PARAMETER: dims are not of that tensor. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_set_shape(const nnrt__bpu_tensor *tensor, const int32_t *dims, const char *name,
                                              nnrt__bpu_tensor *concrete) {
    nnrt__bpu_tensor made = *tensor;
    const uint32_t bits = nnrt__bpu_element_bits(tensor->element);
    uint64_t total = bits == 4 ? 1 : bits / 8;
    uint32_t i;
    OH_NN_ReturnCode code;
    NNRT_ASSERT(tensor->is_dynamic);
    for (i = 0; i < tensor->rank; i++) {
        if (dims[i] < 1 || (tensor->dims[i] != -1 && tensor->dims[i] != dims[i]))
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "dimension %u of tensor \"%.40s\" cannot be %d", (unsigned)i,
                              name, (int)dims[i]);
        made.dims[i] = made.aligned[i] = dims[i];
        total *= (uint64_t)dims[i];
        if (total > INT32_MAX) return nnrt__fail(OH_NN_INVALID_PARAMETER, "tensor \"%.40s\" takes 2 GiB or more", name);
    }
    made.is_dynamic = false;
    code = nnrt__bpu_settle(&made, name);
    if (code == OH_NN_SUCCESS) *concrete = made;
    return code;
}

/* Writes into properties what a program may change before a run: UCP takes shape and strides, version 1 the stored
   shape and the type. Other properties stay as the library wrote them. */
NNRT__FN void nnrt__bpu_put(const nnrt__bpu_tensor *tensor, const nnrt__bpu_layout *layout, void *properties) {
    uint8_t *to = (uint8_t *)properties;
    const int32_t type = tensor->element == NNRT__BPU_NV12_SEPARATE ? NNRT__BPU_DNN_NV12_SEPARATE : NNRT__BPU_DNN_NV12;
    if (layout->is_ucp) {
        memcpy(to + layout->valid, tensor->dims, sizeof(tensor->dims[0]) * tensor->rank);
        memcpy(to + layout->stride, tensor->strides, sizeof(tensor->strides[0]) * tensor->rank);
        return;
    }
    memcpy(to + layout->aligned, tensor->aligned, sizeof(tensor->aligned[0]) * tensor->rank);
    if (nnrt__bpu_is_nv12(tensor->element)) memcpy(to + layout->type, &type, sizeof(type));
}

/* ----------------------------------------------------------------------------------------- for the program */

/* Whether rows are stored without gaps, so that aligned is the shape of all bytes. */
NNRT__FN bool nnrt__bpu_is_aligned_shape(const nnrt__bpu_tensor *tensor) {
    int64_t dense[NNRT__BPU_MAX_DIMS];
    if (nnrt__bpu_element_bits(tensor->element) == 4) return false;
    nnrt__bpu_dense_strides(tensor, tensor->aligned, dense);
    return memcmp(dense, tensor->strides, sizeof(dense[0]) * tensor->rank) == 0 &&
           dense[0] * tensor->aligned[0] == tensor->size;
}

/* Whether it is a gray picture described as [N,1,H,W]. */
NNRT__FN bool nnrt__bpu_is_plane(const nnrt__bpu_tensor *tensor) {
    return tensor->element == NNRT__BPU_Y && tensor->rank == 4 && tensor->order == NNRT__BPU_NCHW &&
           tensor->dims[1] == 1;
}

/* Describes the same bytes as [N,H,W,1], as UCP and other vendors do. */
NNRT__FN void nnrt__bpu_describe_plane_last(nnrt_io_desc *desc) {
    desc->dims[1] = desc->dims[2];
    desc->dims[2] = desc->dims[3];
    desc->dims[3] = 1;
    desc->format = OH_NN_FORMAT_NHWC;
}

/* Sets type, format and shape as the program sees them, and nothing else of desc. */
NNRT__FN void nnrt__bpu_describe_form(const nnrt__bpu_tensor *tensor, nnrt__bpu_form form, nnrt_io_desc *desc) {
    const bool raw = form == NNRT__BPU_FORM_RAW, nv12 = nnrt__bpu_is_nv12(tensor->element);
    const bool is_float = form == NNRT__BPU_FORM_FLOAT && nnrt__bpu_becomes_float(tensor);
    desc->dtype = is_float ? OH_NN_FLOAT32 : nnrt__bpu_dtype(tensor->element);
    desc->format = OH_NN_FORMAT_NONE;
    if (nv12) { /* rows of luma, then rows of chroma */
        nnrt__bpu_nv12 picture;
        nnrt__bpu_nv12_of(tensor, &picture);
        desc->rank = 3;
        desc->dims[0] = (int32_t)picture.images;
        desc->dims[1] = (int32_t)((raw ? picture.rows : picture.height) / 2 * 3);
        desc->dims[2] = (int32_t)(raw ? picture.pitch : picture.width);
    } else if (raw && (tensor->is_dynamic || !nnrt__bpu_is_aligned_shape(tensor))) {
        desc->dtype = OH_NN_UINT8;
        desc->rank = 1;
        desc->dims[0] = tensor->is_dynamic ? -1 : (int32_t)tensor->size;
        return;
    } else {
        desc->rank = tensor->rank;
        memcpy(desc->dims, raw ? tensor->aligned : tensor->dims, sizeof(desc->dims[0]) * tensor->rank);
        if (tensor->rank == 4 && tensor->order == NNRT__BPU_NHWC) desc->format = OH_NN_FORMAT_NHWC;
        if (tensor->rank == 4 && tensor->order == NNRT__BPU_NCHW) desc->format = OH_NN_FORMAT_NCHW;
        if (nnrt__bpu_is_plane(tensor)) nnrt__bpu_describe_plane_last(desc);
    }
    if (tensor->quant_count == 1 && !is_float) {
        desc->scale = (double)nnrt__bpu_scale(tensor, 0);
        desc->zero_point = nnrt__bpu_zero_point(tensor, 0);
    }
}

/* Bytes of the program's tensor, which is not dynamic; 0: it takes 2 GiB or more. */
NNRT__FN uint32_t nnrt__bpu_form_size(const nnrt__bpu_tensor *tensor, nnrt__bpu_form form) {
    nnrt_io_desc desc;
    uint64_t bytes;
    uint32_t i;
    memset(&desc, 0, sizeof(desc));
    NNRT_ASSERT(!tensor->is_dynamic && tensor->size > 0 && tensor->size <= INT32_MAX);
    if (form == NNRT__BPU_FORM_RAW) return (uint32_t)tensor->size;
    nnrt__bpu_describe_form(tensor, form, &desc);
    bytes = nnrt__element_size(desc.dtype);
    for (i = 0; i < desc.rank && bytes <= INT32_MAX; i++) bytes *= (uint32_t)desc.dims[i];
    return bytes <= INT32_MAX ? (uint32_t)bytes : 0;
}

/* Whether the program's bytes are those of the board, so that memory of tensor->size bytes can be used in place. The
   board may have more bytes after them. Not dynamic. For NV12_SEPARATE the chroma follows the luma. */
NNRT__FN bool nnrt__bpu_is_direct(const nnrt__bpu_tensor *tensor, nnrt__bpu_form form) {
    int64_t dense[NNRT__BPU_MAX_DIMS];
    uint32_t i;
    NNRT_ASSERT(!tensor->is_dynamic);
    if (form == NNRT__BPU_FORM_RAW) return true;
    if (form == NNRT__BPU_FORM_FLOAT && nnrt__bpu_becomes_float(tensor)) return false;
    if (nnrt__bpu_element_bits(tensor->element) == 4) return false;
    if (nnrt__bpu_is_nv12(tensor->element)) {
        nnrt__bpu_nv12 picture;
        nnrt__bpu_nv12_of(tensor, &picture);
        return picture.pitch == picture.width && picture.rows == picture.height;
    }
    nnrt__bpu_dense_strides(tensor, tensor->dims, dense);
    for (i = 0; i < tensor->rank; i++)
        if (tensor->dims[i] != 1 && tensor->strides[i] != dense[i]) return false;
    return true;
}

#endif /* NNRT_BPU_TENSOR_H */
