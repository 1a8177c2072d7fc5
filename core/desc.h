/* SPDX-License-Identifier: Apache-2.0 */
/* core/desc.h - tensor descriptors and quantization parameters: plain data that the program fills.   >>desc

   They have no states: any setter may be called any number of times, and a refused call changes nothing. Dimensions are
   deliberately not checked here (0, -1 and -7 are all kept): what is valid depends on the model or tensor that is made
   from the descriptor. */
#ifndef NNRT_CORE_DESC_H
#define NNRT_CORE_DESC_H

#include "api.h"
#include "log.h"

/* 1 if every tensor of a run has the one shape that the model declares: where the CPU device runs nothing but plans. */
#if defined(NNRT_ONE_DEVICE) && defined(NNRT_PLANS_ONLY)
#define NNRT__SHAPES_ARE_FIXED 1
#else
#define NNRT__SHAPES_ARE_FIXED 0
#endif

/* 1 for firmware, where RAM matters more than some hundred instructions per step of a run: what can be recomputed is
   not kept. Such a build has one thread, constant plans, and nothing else to run. */
#if NNRT__SHAPES_ARE_FIXED && defined(NNRT_NO_THREADS) && defined(NNRT_NO_STDIO)
#define NNRT__FOR_RAM 1
#else
#define NNRT__FOR_RAM 0
#endif

struct NN_TensorDesc {
    char *name; /* NULL means ""; in its own block, or after the descriptor in this one */
    OH_NN_DataType dtype;
    OH_NN_Format format;
    uint32_t rank; /* 0: the shape was never set */
    int32_t dims[NNRT_MAX_RANK];
    /* These save an executor from checking a tensor in every run (nnrt__take_declared) */
    const void *taken; /* atomic: the port that has checked it; NULL: none since it was changed */
    int32_t shown;     /* atomic: the program was given a pointer to dims, and may change them without a call */
};

/* Three independent lists; their lengths are compared when the object is attached to a tensor. */
struct NN_QuantParam {
    double *scales;
    size_t scale_count;
    int32_t *zero_points;
    size_t zero_point_count;
    uint32_t *num_bits;
    size_t num_bits_count;
};

NNRT__FN OH_NN_ReturnCode nnrt__fail_null(const char *function, const char *argument) {
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s is NULL", function, argument);
}

NNRT__FN bool nnrt__is_dtype(OH_NN_DataType dtype) { return (unsigned)dtype <= (unsigned)OH_NN_FLOAT64; }
NNRT__FN bool nnrt__is_format(OH_NN_Format format) { return (unsigned)format <= (unsigned)OH_NN_FORMAT_ND; }

/* ------------------------------------------------------------------------------------ for the other rooms */

#define NNRT__MAX_IO 200u /* inputs or outputs of a node, and of a model */
#define NNRT__MAX_TENSOR_RANK 200u

/* Checks a shape and, when every dimension is known, gives its size; a dynamic one has size 0. Limits: 200
   dimensions; each >= 1, or -1; the product, -1 counting as 1, below 2^32 in elements and in bytes
   (elements too, because a tensor of unknown type has no bytes, and later code must never see a product that
   overflows). */
NNRT__FN OH_NN_ReturnCode nnrt__check_shape(OH_NN_DataType dtype, uint32_t rank, const int32_t *dims, size_t *size) {
    const uint64_t element = nnrt__element_size(dtype);
    uint64_t unit = element != 0 ? element : 1;
    bool dynamic = false;
    uint32_t i;
    if (!((unsigned)dtype <= (unsigned)OH_NN_FLOAT64)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%d is no data type", (int)dtype);
    }
    if (rank > NNRT__MAX_TENSOR_RANK) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "a tensor of %u dimensions; at most %u are possible", rank,
                          NNRT__MAX_TENSOR_RANK);
    }
    for (i = 0; i < rank; i++) {
        if (dims[i] < -1 || dims[i] == 0) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "dimension %u is %d; it must be -1 or positive", i,
                              (int)dims[i]);
        }
        if (dims[i] == -1) dynamic = true;
        else unit *= (uint64_t)dims[i]; /* < 2^32 * 2^31 */
        if (unit > UINT32_MAX) return nnrt__fail(OH_NN_INVALID_PARAMETER, "a tensor of 4 GiB or more");
    }
    *size = dynamic || element == 0 ? 0 : (size_t)unit;
    return OH_NN_SUCCESS;
}

NNRT__FN bool nnrt__shape_is_dynamic(uint32_t rank, const int32_t *dims) {
    uint32_t i;
    for (i = 0; i < rank; i++) {
        if (dims[i] == -1) return true;
    }
    return false;
}

/* Whether the name is in the descriptor's own block. */
NNRT__FN bool nnrt__desc_has_name_behind(const NN_TensorDesc *desc) { return desc->name == (const char *)(desc + 1); }

NNRT__FN void nnrt__desc_free_name(NN_TensorDesc *desc) {
    if (!nnrt__desc_has_name_behind(desc)) nnrt__free(desc->name);
    desc->name = NULL;
}

NNRT__FN void nnrt__desc_free(NN_TensorDesc *desc) {
    if (desc == NULL) return;
    nnrt__desc_free_name(desc);
    nnrt__free(desc);
}

/* Executors look at it again. */
NNRT__INLINE void nnrt__desc_changes(NN_TensorDesc *desc) { nnrt__atomic_set_mark(&desc->taken, NULL); }

/* Bytes of NNRT_MALLOC that desc holds; 0 for NULL. */
NNRT__FN size_t nnrt__desc_bytes(const NN_TensorDesc *desc) {
    if (desc == NULL) return 0;
    return nnrt__block_bytes(desc) + (nnrt__desc_has_name_behind(desc) ? 0 : nnrt__block_bytes(desc->name));
}

/* Bytes for a copy of name after a descriptor; name may be NULL. */
NNRT__FN size_t nnrt__desc_behind(const char *name) { return name != NULL && name[0] != '\0' ? strlen(name) + 1 : 0; }

/* Fills a zeroed descriptor that is followed by nnrt__desc_behind(name) bytes. rank <= NNRT_MAX_RANK, dims may be NULL
   when rank is 0. */
NNRT__FN void nnrt__desc_set(NN_TensorDesc *desc, const char *name, OH_NN_DataType dtype, OH_NN_Format format,
                             uint32_t rank, const int32_t *dims) {
    const size_t behind = nnrt__desc_behind(name);
    NNRT_ASSERT(rank <= NNRT_MAX_RANK);
    if (behind != 0) {
        desc->name = (char *)(desc + 1);
        memcpy(desc->name, name, behind);
    }
    desc->dtype = dtype;
    desc->format = format;
    desc->rank = rank;
    if (rank != 0) memcpy(desc->dims, dims, rank * sizeof(dims[0]));
}

/* A new descriptor, filled by nnrt__desc_set. NULL when out of memory. */
NNRT__FN NN_TensorDesc *nnrt__desc_new(const char *name, OH_NN_DataType dtype, OH_NN_Format format, uint32_t rank,
                                       const int32_t *dims) {
    NN_TensorDesc *desc = (NN_TensorDesc *)nnrt__alloc_zero(1, sizeof(*desc) + nnrt__desc_behind(name));
    if (desc != NULL) nnrt__desc_set(desc, name, dtype, format, rank, dims);
    return desc;
}

NNRT__FN NN_TensorDesc *nnrt__desc_copy(const NN_TensorDesc *desc) {
    return nnrt__desc_new(desc->name, desc->dtype, desc->format, desc->rank, desc->dims);
}

/* Product of the dimensions from left to right. A dimension <= 0 ends it with OH_NN_DYNAMIC_SHAPE and 0; a
   product past SIZE_MAX with OH_NN_INVALID_PARAMETER and the product so far. A shape that was never set
   leaves *count alone. */
NNRT__FN OH_NN_ReturnCode nnrt__desc_element_count(const NN_TensorDesc *desc, size_t *count) {
    uint32_t i;
    if (desc->rank == 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "the descriptor has no shape");
    *count = 1;
    for (i = 0; i < desc->rank; i++) {
        if (desc->dims[i] <= 0) {
            *count = 0;
            return nnrt__fail(OH_NN_DYNAMIC_SHAPE, "dimension %u is %d: the size is not known", i, (int)desc->dims[i]);
        }
        if (!nnrt__mul_size(*count, (size_t)desc->dims[i], count)) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "the shape has more elements than fit in memory");
        }
    }
    return OH_NN_SUCCESS;
}

/* Bytes of the tensor that desc describes; 0 with every failure. A shape that is missing, overflows or has
   a type without size is OH_NN_INVALID_PARAMETER, a dynamic one OH_NN_DYNAMIC_SHAPE whatever its type. */
NNRT__FN OH_NN_ReturnCode nnrt__desc_byte_size(const NN_TensorDesc *desc, size_t *size) {
    size_t count = 0;
    OH_NN_ReturnCode code = nnrt__desc_element_count(desc, &count);
    *size = 0;
    if (code != OH_NN_SUCCESS) return code;
    if (nnrt__element_size(desc->dtype) == 0) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "elements of type %s have no size", nnrt__dtype_name(desc->dtype));
    }
    if (!nnrt__mul_size(count, nnrt__element_size(desc->dtype), size)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the tensor has more bytes than fit in memory");
    }
    return OH_NN_SUCCESS;
}

/* -------------------------------------------------------------------------------------- OH_NNTensorDesc_* */

NNRT_API NN_TensorDesc *OH_NNTensorDesc_Create(void) {
    NN_TensorDesc *desc = nnrt__desc_new(NULL, OH_NN_UNKNOWN, OH_NN_FORMAT_NONE, 0, NULL);
    if (desc == NULL) (void)nnrt__fail_memory();
    return desc;
}

NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_Destroy(NN_TensorDesc **tensorDesc) {
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_Destroy", "tensorDesc");
    if (*tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_Destroy", "*tensorDesc");
    nnrt__desc_free(*tensorDesc);
    *tensorDesc = NULL;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_SetName(NN_TensorDesc *tensorDesc, const char *name) {
    char *copy;
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_SetName", "tensorDesc");
    if (name == NULL) return nnrt__fail_null("OH_NNTensorDesc_SetName", "name");
    copy = nnrt__copy_string(name);
    if (copy == NULL) return nnrt__fail_memory();
    nnrt__desc_free_name(tensorDesc);
    tensorDesc->name = copy;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetName(const NN_TensorDesc *tensorDesc, const char **name) {
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetName", "tensorDesc");
    if (name == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetName", "name");
    if (*name != NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNTensorDesc_GetName: *name is not NULL");
    *name = tensorDesc->name != NULL ? tensorDesc->name : "";
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_SetDataType(NN_TensorDesc *tensorDesc, OH_NN_DataType dataType) {
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_SetDataType", "tensorDesc");
    if (!nnrt__is_dtype(dataType)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNTensorDesc_SetDataType: %d is no data type", (int)dataType);
    }
    nnrt__desc_changes(tensorDesc);
    tensorDesc->dtype = dataType;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetDataType(const NN_TensorDesc *tensorDesc, OH_NN_DataType *dataType) {
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetDataType", "tensorDesc");
    if (dataType == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetDataType", "dataType");
    *dataType = tensorDesc->dtype;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_SetShape(NN_TensorDesc *tensorDesc, const int32_t *shape,
                                                   size_t shapeLength) {
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_SetShape", "tensorDesc");
    if (shape == NULL) return nnrt__fail_null("OH_NNTensorDesc_SetShape", "shape");
    if (shapeLength == 0 || shapeLength > NNRT_MAX_RANK) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNTensorDesc_SetShape: %zu dimensions, 1 to %d are possible",
                          shapeLength, NNRT_MAX_RANK);
    }
    nnrt__desc_changes(tensorDesc);
    /* shape may be the pointer from GetShape: the memory may overlap. */
    memmove(tensorDesc->dims, shape, shapeLength * sizeof(shape[0]));
    tensorDesc->rank = (uint32_t)shapeLength;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetShape(const NN_TensorDesc *tensorDesc, int32_t **shape,
                                                   size_t *shapeLength) {
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetShape", "tensorDesc");
    if (shape == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetShape", "shape");
    if (*shape != NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNTensorDesc_GetShape: *shape is not NULL");
    if (shapeLength == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetShape", "shapeLength");
    *shapeLength = tensorDesc->rank;
    if (tensorDesc->rank == 0) return OH_NN_SUCCESS;
    *shape = (int32_t *)tensorDesc->dims;
    nnrt__atomic_store(&((NN_TensorDesc *)(uintptr_t)tensorDesc)->shown, 1);
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_SetFormat(NN_TensorDesc *tensorDesc, OH_NN_Format format) {
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_SetFormat", "tensorDesc");
    if (!nnrt__is_format(format)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNTensorDesc_SetFormat: %d is no format", (int)format);
    }
    tensorDesc->format = format;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetFormat(const NN_TensorDesc *tensorDesc, OH_NN_Format *format) {
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetFormat", "tensorDesc");
    if (format == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetFormat", "format");
    *format = tensorDesc->format;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetElementCount(const NN_TensorDesc *tensorDesc, size_t *elementCount) {
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetElementCount", "tensorDesc");
    if (elementCount == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetElementCount", "elementCount");
    return nnrt__desc_element_count(tensorDesc, elementCount);
}

NNRT_API OH_NN_ReturnCode OH_NNTensorDesc_GetByteSize(const NN_TensorDesc *tensorDesc, size_t *byteSize) {
    if (tensorDesc == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetByteSize", "tensorDesc");
    if (byteSize == NULL) return nnrt__fail_null("OH_NNTensorDesc_GetByteSize", "byteSize");
    return nnrt__desc_byte_size(tensorDesc, byteSize);
}

/* -------------------------------------------------------------------------------------- OH_NNQuantParam_* */

/* Copies a list of count elements of size bytes, which a program has handed over, into a new block. */
NNRT__FN OH_NN_ReturnCode nnrt__copy_quant_list(const char *function, const NN_QuantParam *params, const char *name,
                                                const void *list, size_t count, size_t size, void **copy) {
    size_t bytes;
    if (params == NULL) return nnrt__fail_null(function, "quantParams");
    if (list == NULL) return nnrt__fail_null(function, name);
    if (count == 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: quantCount is 0", function);
    *copy = nnrt__mul_size(count, size, &bytes) ? nnrt__alloc(bytes) : NULL;
    if (*copy == NULL) return nnrt__fail_memory();
    memcpy(*copy, list, bytes);
    return OH_NN_SUCCESS;
}

NNRT_API NN_QuantParam *OH_NNQuantParam_Create(void) {
    NN_QuantParam *params = (NN_QuantParam *)nnrt__alloc_zero(1, sizeof(*params));
    if (params == NULL) (void)nnrt__fail_memory();
    return params;
}

NNRT_API OH_NN_ReturnCode OH_NNQuantParam_SetScales(NN_QuantParam *quantParams, const double *scales,
                                                    size_t quantCount) {
    void *copy;
    const OH_NN_ReturnCode code = nnrt__copy_quant_list("OH_NNQuantParam_SetScales", quantParams, "scales", scales,
                                                        quantCount, sizeof(scales[0]), &copy);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__free(quantParams->scales);
    quantParams->scales = (double *)copy;
    quantParams->scale_count = quantCount;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNQuantParam_SetZeroPoints(NN_QuantParam *quantParams, const int32_t *zeroPoints,
                                                        size_t quantCount) {
    void *copy;
    const OH_NN_ReturnCode code = nnrt__copy_quant_list("OH_NNQuantParam_SetZeroPoints", quantParams, "zeroPoints",
                                                        zeroPoints, quantCount, sizeof(zeroPoints[0]), &copy);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__free(quantParams->zero_points);
    quantParams->zero_points = (int32_t *)copy;
    quantParams->zero_point_count = quantCount;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNQuantParam_SetNumBits(NN_QuantParam *quantParams, const uint32_t *numBits,
                                                     size_t quantCount) {
    void *copy;
    const OH_NN_ReturnCode code = nnrt__copy_quant_list("OH_NNQuantParam_SetNumBits", quantParams, "numBits", numBits,
                                                        quantCount, sizeof(numBits[0]), &copy);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__free(quantParams->num_bits);
    quantParams->num_bits = (uint32_t *)copy;
    quantParams->num_bits_count = quantCount;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNQuantParam_Destroy(NN_QuantParam **quantParams) {
    if (quantParams == NULL) return nnrt__fail_null("OH_NNQuantParam_Destroy", "quantParams");
    if (*quantParams == NULL) return nnrt__fail_null("OH_NNQuantParam_Destroy", "*quantParams");
    nnrt__free((*quantParams)->scales);
    nnrt__free((*quantParams)->zero_points);
    nnrt__free((*quantParams)->num_bits);
    nnrt__free(*quantParams);
    *quantParams = NULL;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CORE_DESC_H */
