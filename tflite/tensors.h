/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/tensors.h - the tensors of a .tflite file: type, shape, quantization, contents.   >>tflite_tensors

   Contents stay in the file, whatever their alignment. Tensor i of the file becomes tensor i of the graph. */
#ifndef NNRT_TFLITE_TENSORS_H
#define NNRT_TFLITE_TENSORS_H

#include "schema.h"

/* The contents of a buffer; *data is NULL when it has none. They are in the file's tables or, in files that may exceed
   2 GiB, after them at an offset from the first byte of the file (0 and 1: none). */
NNRT__FN bool nnrt__tflite_buffer(nnrt__tflite *t, uint32_t index, const uint8_t **data, size_t *size) {
    nnrt__fb_table table;
    nnrt__fb_vector inside;
    uint64_t offset = 0, length = 0;
    *data = NULL;
    *size = 0;
    if (index == 0 && t->buffers.count == 0) return true;
    if (index >= t->buffers.count) return nnrt__fb_bad(&t->fb, "its buffer does not exist", t->buffers.at);
    if (!nnrt__fb_element_table(&t->fb, &t->buffers, index, &table) ||
        !nnrt__fb_vector_field(&t->fb, &table, NNRT__TFL_BUFFER_DATA, 1, &inside) ||
        !nnrt__fb_u64(&t->fb, &table, NNRT__TFL_BUFFER_OFFSET, &offset) ||
        !nnrt__fb_u64(&t->fb, &table, NNRT__TFL_BUFFER_SIZE, &length)) {
        return false;
    }
    if (offset > 1 && inside.count != 0) {
        return nnrt__fb_bad(&t->fb, "a buffer has contents at two places", table.at);
    }
    if (offset > 1 && (offset > t->fb.size || length > t->fb.size - (size_t)offset)) {
        return nnrt__fb_beyond(&t->fb, "a buffer lies outside the file", table.at);
    }
    if (offset > 1 && length != 0) {
        *data = t->fb.bytes + (size_t)offset;
        *size = (size_t)length;
    } else if (inside.count != 0) {
        *data = t->fb.bytes + inside.at;
        *size = inside.count;
    }
    return true;
}

/* Whether the signature of the tensor leaves a dimension open. */
NNRT__FN bool nnrt__tflite_is_open(nnrt__tflite *t, uint32_t index) {
    nnrt__fb_table table;
    nnrt__fb_vector signature;
    uint32_t i;
    if (!nnrt__fb_element_table(&t->fb, &t->tensors, index, &table) ||
        !nnrt__fb_vector_field(&t->fb, &table, NNRT__TFL_TENSOR_SIGNATURE, 4, &signature))
        return false;
    for (i = 0; i < signature.count && i < NNRT_MAX_RANK; i++)
        if (nnrt__fb_element_i32(&t->fb, &signature, i) == -1) return true;
    return false;
}

/* Reads the shape into dims[NNRT_MAX_RANK] of *info. A tensor without elements is recorded, and has one in the graph.
   Dimensions that a signature leaves open are dynamic if all model inputs have known shapes: they depend on values, and
   the file may have any number for them. If inputs have open signatures, the shape is used as it is, for the one shape
   of the file, unless the graph is read for others. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_shape(nnrt__tflite *t, const nnrt__fb_table *table, uint32_t index,
                                             bool computed, int32_t *dims, nnrt_tensor_info *info) {
    nnrt__fb_vector shape, signature;
    bool opens;
    uint32_t i;
    if (!nnrt__fb_vector_field(&t->fb, table, NNRT__TFL_TENSOR_SHAPE, 4, &shape) ||
        !nnrt__fb_vector_field(&t->fb, table, NNRT__TFL_TENSOR_SIGNATURE, 4, &signature) ||
        !nnrt__tflite_charge(t, shape.count, 4)) {
        return nnrt__tflite_broken(t, "tensor", index);
    }
    if (shape.count > NNRT_MAX_RANK) {
        return nnrt__fail(OH_NN_UNSUPPORTED, "tensor %u has %u dimensions; at most %d are supported", index,
                          shape.count, NNRT_MAX_RANK);
    }
    opens = (t->opens || t->resizes) && computed && signature.count == shape.count;
    for (i = 0; i < shape.count; i++) {
        dims[i] = nnrt__fb_element_i32(&t->fb, &shape, i);
        if (dims[i] < 0) {
            return nnrt__fail(OH_NN_INVALID_FILE, "tensor %u: dimension %u is %d, at byte %zu", index, i, (int)dims[i],
                              shape.at + 4 * (size_t)i);
        }
        if (opens && nnrt__fb_element_i32(&t->fb, &signature, i) == -1) dims[i] = -1;
        if (dims[i] == 0) {
            t->known[index] = (uint8_t)NNRT__TFLITE_EMPTY;
            dims[i] = 1;
        }
    }
    info->rank = shape.count;
    info->dims = shape.count != 0 ? dims : NULL;
    return OH_NN_SUCCESS;
}

NNRT__FN bool nnrt__tflite_reserve_quant(nnrt__tflite *t, uint32_t count) {
    double *scales;
    int32_t *zero_points;
    if (count <= t->quant_capacity) return true;
    scales = (double *)nnrt__realloc(t->scales, count, sizeof(*scales));
    if (scales == NULL) return false;
    t->scales = scales;
    zero_points = (int32_t *)nnrt__realloc(t->zero_points, count, sizeof(*zero_points));
    if (zero_points == NULL) return false;
    t->zero_points = zero_points;
    t->quant_capacity = count;
    return true;
}

/* Scales and zero points into t->scales and t->zero_points, and *quant onto them. Types that kernels do not dequantize
   get none: floats need none, and an int32 constant is a bias, whose scale is the product of those of input and weights
   by definition. Such a tensor's quantization is checked all the same. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_quant(nnrt__tflite *t, const nnrt__fb_table *table, uint32_t index,
                                             nnrt_tensor_info *info) {
    const OH_NN_DataType dtype = info->dtype;
    nnrt__fb_table quant;
    nnrt__fb_vector scales, zero_points;
    uint32_t details = 0, i;
    int32_t axis = 0;
    int64_t low = INT32_MIN, high = INT32_MAX;
    bool present;
    if (!nnrt__fb_table_field(&t->fb, table, NNRT__TFL_TENSOR_QUANT, &quant, &present)) {
        return nnrt__tflite_broken(t, "tensor", index);
    }
    if (!present) return OH_NN_SUCCESS;
    if (!nnrt__fb_vector_field(&t->fb, &quant, NNRT__TFL_QUANT_SCALE, 4, &scales) ||
        !nnrt__fb_vector_field(&t->fb, &quant, NNRT__TFL_QUANT_ZERO_POINT, 8, &zero_points) ||
        !nnrt__fb_u8(&t->fb, &quant, NNRT__TFL_QUANT_DETAILS_TYPE, &details) ||
        !nnrt__fb_i32(&t->fb, &quant, NNRT__TFL_QUANT_DIMENSION, &axis) || !nnrt__tflite_charge(t, scales.count, 4)) {
        return nnrt__tflite_broken(t, "the quantization of tensor", index);
    }
    if (details != 0) {
        return nnrt__fail(OH_NN_UNSUPPORTED, "tensor %u: quantization of kind %u is not supported", index, details);
    }
    if (scales.count == 0 || dtype == OH_NN_FLOAT32 || dtype == OH_NN_FLOAT16 || dtype == OH_NN_FLOAT64 ||
        dtype == OH_NN_BOOL) {
        return OH_NN_SUCCESS;
    }
    if (zero_points.count != 0 && zero_points.count != scales.count) {
        return nnrt__fail(OH_NN_INVALID_FILE, "tensor %u has %u scales and %u zero points, at byte %zu", index,
                          scales.count, zero_points.count, quant.at);
    }
    if (info->rank == 1) axis = 0; /* per-channel biases carry the dimension of their weights in some files */
    if (scales.count > 1 && (axis < 0 || (uint32_t)axis >= info->rank || (uint32_t)info->dims[axis] != scales.count)) {
        return nnrt__fail(OH_NN_INVALID_FILE, "tensor %u: %u scales do not fit its dimension %d, at byte %zu", index,
                          scales.count, (int)axis, quant.at);
    }
    if (!nnrt__tflite_reserve_quant(t, scales.count)) return nnrt__fail_memory();
    if (dtype == OH_NN_INT8) low = -128, high = 127;
    if (dtype == OH_NN_UINT8) low = 0, high = 255;
    if (dtype == OH_NN_INT16) low = -32768, high = 32767;
    if (dtype == OH_NN_UINT16) low = 0, high = 65535;
    for (i = 0; i < scales.count; i++) {
        const size_t scale_at = scales.at + 4 * (size_t)i, zero_at = zero_points.at + 8 * (size_t)i;
        const float scale = nnrt__read_f32(t->fb.bytes + scale_at);
        const int64_t zero = zero_points.count != 0 ? nnrt__read_i64(t->fb.bytes + zero_at) : 0;
        if (!(scale > 0.0f && scale <= 3.402823466e+38f)) {
            return nnrt__fail(OH_NN_INVALID_FILE, "tensor %u: scale %u is not positive and finite, at byte %zu", index,
                              i, scale_at);
        }
        if (zero < low || zero > high) {
            return nnrt__fail(OH_NN_INVALID_FILE, "tensor %u: zero point %u is outside the range of %s, at byte %zu",
                              index, i, nnrt__dtype_name(dtype), zero_at);
        }
        NNRT_ASSERT(i < t->quant_capacity);
        t->scales[i] = (double)scale;
        t->zero_points[i] = (int32_t)zero;
    }
    if (dtype == OH_NN_INT32 && info->data != NULL) return OH_NN_SUCCESS;
    if (dtype != OH_NN_INT8 && dtype != OH_NN_UINT8 && dtype != OH_NN_INT16 && dtype != OH_NN_INT32)
        return OH_NN_SUCCESS;
    info->quant.count = scales.count;
    info->quant.axis = scales.count > 1 ? (uint32_t)axis : 0;
    info->quant.scales = t->scales;
    info->quant.zero_points = t->zero_points;
    return OH_NN_SUCCESS;
}

/* Refuses the use of a tensor without elements. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_not_empty(const nnrt__tflite *t, uint32_t index) {
    NNRT_ASSERT(index < t->tensors.count);
    if (t->known[index] != NNRT__TFLITE_EMPTY) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_UNSUPPORTED, "tensor %u has a dimension of 0; tensors without elements are not supported",
                      index);
}

/* Adds an int4 constant of size elements as an int8 copy. Only constants can be int4. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_int4(nnrt__tflite *t, uint32_t index, nnrt_tensor_info *info, size_t size) {
    const uint8_t *from = (const uint8_t *)info->data;
    OH_NN_ReturnCode code;
    int8_t *to;
    size_t i;
    if (from == NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED, "tensor %u has type INT4 and is not constant, which is not supported",
                          index);
    if (info->data_size != size / 2 + size % 2)
        return nnrt__fail(OH_NN_INVALID_FILE, "tensor %u has %zu bytes of data for %zu elements of INT4", index,
                          info->data_size, size);
    if (!nnrt__tflite_charge(t, info->data_size, 1)) return nnrt__tflite_broken(t, "tensor", index);
    to = (int8_t *)nnrt__alloc_zero(size, 1);
    if (to == NULL) return nnrt__fail_memory();
    for (i = 0; i < size; i++) {
        const int four = from[i / 2] >> (i % 2 != 0 ? 4 : 0) & 15;
        to[i] = (int8_t)(four < 8 ? four : four - 16);
    }
    info->data = to;
    info->data_size = size;
    t->known[index] = (uint8_t)NNRT__TFLITE_CONSTANT;
    code = nnrt__graph_add_tensor(t->store, info, true, NULL);
    nnrt__free(to);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_tensor(nnrt__tflite *t, uint32_t index) {
    int32_t dims[NNRT_MAX_RANK];
    nnrt__fb_table table, sparsity;
    nnrt_tensor_info info;
    uint32_t buffer = 0, variable = 0, external = 0, i;
    int32_t type = 0;
    size_t name_length, size = 0;
    const uint8_t *data;
    bool sparse;
    OH_NN_ReturnCode code;
    NNRT_ASSERT(index < t->tensors.count && index == t->store->graph.tensor_count); /* the same number in the graph */
    memset(&info, 0, sizeof(info));
    if (!nnrt__tflite_charge(t, 1, 16) || !nnrt__fb_element_table(&t->fb, &t->tensors, index, &table) ||
        !nnrt__fb_i8(&t->fb, &table, NNRT__TFL_TENSOR_TYPE, &type) ||
        !nnrt__fb_u32(&t->fb, &table, NNRT__TFL_TENSOR_BUFFER, &buffer) ||
        !nnrt__fb_string_field(&t->fb, &table, NNRT__TFL_TENSOR_NAME, &info.name, &name_length) ||
        !nnrt__tflite_charge(t, name_length, 1) || !nnrt__fb_u8(&t->fb, &table, NNRT__TFL_TENSOR_VARIABLE, &variable) ||
        !nnrt__fb_table_field(&t->fb, &table, NNRT__TFL_TENSOR_SPARSITY, &sparsity, &sparse) ||
        !nnrt__fb_u32(&t->fb, &table, NNRT__TFL_TENSOR_EXTERNAL, &external) ||
        !nnrt__tflite_buffer(t, buffer, &data, &info.data_size)) {
        return nnrt__tflite_broken(t, "tensor", index);
    }
    if (type == NNRT__TFL_RESOURCE) {
        info.dtype = OH_NN_BOOL; /* nobody reads it */
        t->known[index] = (uint8_t)NNRT__TFLITE_HANDLE;
        return nnrt__graph_add_tensor(t->store, &info, false, NULL);
    }
    info.dtype = type == NNRT__TFL_INT4 ? OH_NN_INT8 : nnrt__tflite_dtype(type);
    if (info.dtype == OH_NN_UNKNOWN) {
        return nnrt__fail(OH_NN_UNSUPPORTED, "tensor %u has TensorFlow Lite's data type %d, which is not supported",
                          index, (int)type);
    }
    if (sparse || external != 0) {
        return nnrt__fail(OH_NN_UNSUPPORTED, "tensor %u is %s, which is not supported", index,
                          sparse ? "sparse" : "kept in another file");
    }
    info.format = OH_NN_FORMAT_NHWC;
    info.type = OH_NN_TENSOR;
    code = nnrt__tflite_shape(t, &table, index, data == NULL && variable == 0, dims, &info);
    info.data = data;
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_quant(t, &table, index, &info);
    if (code != OH_NN_SUCCESS) return code;
    if (t->known[index] == NNRT__TFLITE_EMPTY) {
        for (i = 0; i < info.rank; i++) dims[i] = 1; /* an empty tensor may have any other dimensions */
        info.data = NULL;
        return nnrt__graph_add_tensor(t->store, &info, false, NULL);
    }
    if (nnrt__check_shape(info.dtype, info.rank, info.dims, &size) != OH_NN_SUCCESS) {
        return nnrt__fail(OH_NN_INVALID_FILE, "tensor %u: %s", index, nnrt__sentence());
    }
    if (type == NNRT__TFL_INT4) return nnrt__tflite_int4(t, index, &info, size);
    if (data != NULL && info.data_size != size) {
        return nnrt__fail(OH_NN_INVALID_FILE, "tensor %u has %zu bytes of data for a shape of %zu, at byte %zu", index,
                          info.data_size, size, (size_t)(data - t->fb.bytes));
    }
    if (variable != 0) t->known[index] = (uint8_t)NNRT__TFLITE_VARIABLE;
    else if (data != NULL) t->known[index] = (uint8_t)NNRT__TFLITE_CONSTANT;
    return nnrt__graph_add_tensor(t->store, &info, false, NULL);
}

#endif /* NNRT_TFLITE_TENSORS_H */
