/* SPDX-License-Identifier: Apache-2.0 */
/* Proves every return code of OH_NNTensorDesc_* and OH_NNQuantParam_*, in the documented order of the
   checks: where two things are wrong at once the first one decides, and a call that fails changes nothing. */
#include "linked.h"

#include <criterion/criterion.h>

#define IP OH_NN_INVALID_PARAMETER

/* A refusal has the code and a sentence of its own. */
#define REFUSED(call, code)                                                                        \
    do {                                                                                           \
        (void)nnrt__fail(OH_NN_FAILED, "stale");                                                   \
        cr_assert_eq((int)(call), (int)(code), #call);                                             \
        cr_assert(strcmp(nnrt_last_error(), "stale") != 0 && nnrt_last_error()[0] != '\0', #call); \
    } while (0)
#define OK(call) cr_assert_eq((int)(call), (int)OH_NN_SUCCESS, #call ": %s", nnrt_last_error())

static NN_TensorDesc *desc_of(OH_NN_DataType dtype, const int32_t *shape, size_t length) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    cr_assert_not_null(desc);
    OK(OH_NNTensorDesc_SetDataType(desc, dtype));
    if (length != 0) OK(OH_NNTensorDesc_SetShape(desc, shape, length));
    return desc;
}

Test(desc, a_new_descriptor_is_empty) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    const char *name = NULL;
    int32_t *shape = NULL;
    size_t length = 9;
    OH_NN_DataType dtype = OH_NN_INT8;
    OH_NN_Format format = OH_NN_FORMAT_ND;
    OK(OH_NNTensorDesc_GetName(desc, &name));
    OK(OH_NNTensorDesc_GetShape(desc, &shape, &length));
    OK(OH_NNTensorDesc_GetDataType(desc, &dtype));
    OK(OH_NNTensorDesc_GetFormat(desc, &format));
    cr_assert_str_eq(name, "");
    cr_assert_null(shape);
    cr_assert_eq(length, 0u);
    cr_assert_eq((int)dtype, (int)OH_NN_UNKNOWN);
    cr_assert_eq((int)format, (int)OH_NN_FORMAT_NONE);
    OK(OH_NNTensorDesc_Destroy(&desc));
    cr_assert_null(desc);
    cr_assert_eq(counting_live(), 0);
}

Test(desc, destroy_wants_a_descriptor) {
    NN_TensorDesc *none = NULL;
    REFUSED(OH_NNTensorDesc_Destroy(NULL), IP);
    REFUSED(OH_NNTensorDesc_Destroy(&none), IP);
}

Test(desc, names_are_copied_and_replaced) {
    NN_TensorDesc *desc = desc_of(OH_NN_INT8, NULL, 0);
    char text[8] = "first";
    const char *name = NULL, *taken = "taken";
    REFUSED(OH_NNTensorDesc_SetName(NULL, NULL), IP);
    REFUSED(OH_NNTensorDesc_SetName(desc, NULL), IP);
    OK(OH_NNTensorDesc_SetName(desc, text));
    text[0] = 'X';
    REFUSED(OH_NNTensorDesc_GetName(NULL, &name), IP);
    REFUSED(OH_NNTensorDesc_GetName(desc, NULL), IP);
    REFUSED(OH_NNTensorDesc_GetName(desc, &taken), IP);
    OK(OH_NNTensorDesc_GetName(desc, &name));
    cr_assert_str_eq(name, "first");
    OK(OH_NNTensorDesc_SetName(desc, ""));
    name = NULL;
    OK(OH_NNTensorDesc_GetName(desc, &name));
    cr_assert_str_eq(name, "");
    OK(OH_NNTensorDesc_Destroy(&desc));
    cr_assert_eq(counting_live(), 0);
}

Test(desc, a_name_may_be_set_to_the_name_that_get_gave) {
    NN_TensorDesc *desc = desc_of(OH_NN_INT8, NULL, 0);
    const char *name = NULL;
    OK(OH_NNTensorDesc_SetName(desc, "itself"));
    OK(OH_NNTensorDesc_GetName(desc, &name));
    OK(OH_NNTensorDesc_SetName(desc, name));
    name = NULL;
    OK(OH_NNTensorDesc_GetName(desc, &name));
    cr_assert_str_eq(name, "itself");
    OK(OH_NNTensorDesc_Destroy(&desc));
}

Test(desc, data_types_0_to_12_are_accepted_and_no_other) {
    NN_TensorDesc *desc = desc_of(OH_NN_INT16, NULL, 0);
    OH_NN_DataType dtype = OH_NN_UNKNOWN;
    int i;
    REFUSED(OH_NNTensorDesc_SetDataType(NULL, (OH_NN_DataType)99), IP);
    REFUSED(OH_NNTensorDesc_SetDataType(desc, (OH_NN_DataType)13), IP);
    REFUSED(OH_NNTensorDesc_SetDataType(desc, (OH_NN_DataType)-1), IP);
    REFUSED(OH_NNTensorDesc_GetDataType(NULL, &dtype), IP);
    REFUSED(OH_NNTensorDesc_GetDataType(desc, NULL), IP);
    OK(OH_NNTensorDesc_GetDataType(desc, &dtype));
    cr_assert_eq((int)dtype, (int)OH_NN_INT16, "a refused type replaced the old one");
    for (i = 0; i <= 12; i++) {
        OK(OH_NNTensorDesc_SetDataType(desc, (OH_NN_DataType)i));
        OK(OH_NNTensorDesc_GetDataType(desc, &dtype));
        cr_assert_eq((int)dtype, i);
    }
    OK(OH_NNTensorDesc_Destroy(&desc));
}

Test(desc, formats_0_to_3_are_accepted_and_no_other) {
    NN_TensorDesc *desc = desc_of(OH_NN_INT8, NULL, 0);
    OH_NN_Format format = OH_NN_FORMAT_NONE;
    int i;
    REFUSED(OH_NNTensorDesc_SetFormat(NULL, (OH_NN_Format)9), IP);
    REFUSED(OH_NNTensorDesc_SetFormat(desc, (OH_NN_Format)4), IP);
    REFUSED(OH_NNTensorDesc_SetFormat(desc, (OH_NN_Format)-1), IP);
    REFUSED(OH_NNTensorDesc_GetFormat(NULL, &format), IP);
    REFUSED(OH_NNTensorDesc_GetFormat(desc, NULL), IP);
    for (i = 0; i <= 3; i++) {
        OK(OH_NNTensorDesc_SetFormat(desc, (OH_NN_Format)i));
        OK(OH_NNTensorDesc_GetFormat(desc, &format));
        cr_assert_eq((int)format, i);
    }
    OK(OH_NNTensorDesc_Destroy(&desc));
}

Test(desc, shapes_of_1_to_10_dimensions_are_kept_whatever_they_say) {
    static const int32_t odd[11] = {0, -1, -7, 4, 5, 6, 7, 8, 9, 10, 11};
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    int32_t *shape = NULL, *taken = (int32_t *)&desc;
    size_t length = 0, n;
    REFUSED(OH_NNTensorDesc_SetShape(NULL, NULL, 0), IP);
    REFUSED(OH_NNTensorDesc_SetShape(desc, NULL, 1), IP);
    REFUSED(OH_NNTensorDesc_SetShape(desc, odd, 0), IP);
    REFUSED(OH_NNTensorDesc_SetShape(desc, odd, 11), IP);
    REFUSED(OH_NNTensorDesc_SetShape(desc, odd, SIZE_MAX), IP);
    REFUSED(OH_NNTensorDesc_GetShape(NULL, &shape, &length), IP);
    REFUSED(OH_NNTensorDesc_GetShape(desc, NULL, &length), IP);
    REFUSED(OH_NNTensorDesc_GetShape(desc, &taken, NULL), IP);
    REFUSED(OH_NNTensorDesc_GetShape(desc, &shape, NULL), IP);
    for (n = 1; n <= 10; n++) {
        OK(OH_NNTensorDesc_SetShape(desc, odd, n));
        shape = NULL;
        OK(OH_NNTensorDesc_GetShape(desc, &shape, &length));
        cr_assert_eq(length, n);
        cr_assert_eq(memcmp(shape, odd, n * sizeof(odd[0])), 0);
    }
    OK(OH_NNTensorDesc_SetShape(desc, shape + 3, 2));
    cr_assert(desc->rank == 2 && desc->dims[0] == 4 && desc->dims[1] == 5, "part of its own shape");
    OK(OH_NNTensorDesc_Destroy(&desc));
}

Test(desc, element_count_follows_the_table) {
    static const int32_t fine[3] = {2, 3, 4}, dynamic[3] = {2, -1, 4}, zero[2] = {5, 0};
    static const int32_t huge[5] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, -1};
    static const int32_t late[4] = {-1, INT32_MAX, INT32_MAX, INT32_MAX};
    NN_TensorDesc *desc = desc_of(OH_NN_UNKNOWN, NULL, 0);
    size_t count = 77;
    REFUSED(OH_NNTensorDesc_GetElementCount(NULL, NULL), IP);
    REFUSED(OH_NNTensorDesc_GetElementCount(NULL, &count), IP);
    REFUSED(OH_NNTensorDesc_GetElementCount(desc, NULL), IP);
    REFUSED(OH_NNTensorDesc_GetElementCount(desc, &count), IP);
    cr_assert_eq(count, 77u, "no shape leaves the count alone");
    OK(OH_NNTensorDesc_SetShape(desc, dynamic, 3));
    REFUSED(OH_NNTensorDesc_GetElementCount(desc, &count), OH_NN_DYNAMIC_SHAPE);
    cr_assert_eq(count, 0u);
    count = 77;
    OK(OH_NNTensorDesc_SetShape(desc, zero, 2));
    REFUSED(OH_NNTensorDesc_GetElementCount(desc, &count), OH_NN_DYNAMIC_SHAPE);
    cr_assert_eq(count, 0u);
    OK(OH_NNTensorDesc_SetShape(desc, huge, 5));
    REFUSED(OH_NNTensorDesc_GetElementCount(desc, &count), IP);
    OK(OH_NNTensorDesc_SetShape(desc, late, 4));
    REFUSED(OH_NNTensorDesc_GetElementCount(desc, &count), OH_NN_DYNAMIC_SHAPE);
    OK(OH_NNTensorDesc_SetShape(desc, fine, 3));
    OK(OH_NNTensorDesc_GetElementCount(desc, &count));
    cr_assert_eq(count, 24u);
    OK(OH_NNTensorDesc_Destroy(&desc));
}

Test(desc, byte_size_follows_the_table) {
    static const size_t element[13] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
    static const int32_t fine[3] = {2, 3, 4}, dynamic[2] = {3, -1};
    static const int32_t huge[4] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    NN_TensorDesc *desc = desc_of(OH_NN_FLOAT32, NULL, 0);
    size_t size = 77;
    int i;
    REFUSED(OH_NNTensorDesc_GetByteSize(NULL, NULL), IP);
    REFUSED(OH_NNTensorDesc_GetByteSize(NULL, &size), IP);
    cr_assert_eq(size, 77u);
    REFUSED(OH_NNTensorDesc_GetByteSize(desc, NULL), IP);
    REFUSED(OH_NNTensorDesc_GetByteSize(desc, &size), IP);
    cr_assert_eq(size, 0u, "no shape");
    size = 77;
    OK(OH_NNTensorDesc_SetShape(desc, huge, 4));
    REFUSED(OH_NNTensorDesc_GetByteSize(desc, &size), IP);
    cr_assert_eq(size, 0u, "too many elements");
    OK(OH_NNTensorDesc_SetShape(desc, fine, 3));
    for (i = 1; i <= 12; i++) {
        OK(OH_NNTensorDesc_SetDataType(desc, (OH_NN_DataType)i));
        OK(OH_NNTensorDesc_GetByteSize(desc, &size));
        cr_assert_eq(size, 24 * element[i], "type %d", i);
    }
    OK(OH_NNTensorDesc_SetDataType(desc, OH_NN_UNKNOWN));
    REFUSED(OH_NNTensorDesc_GetByteSize(desc, &size), IP);
    cr_assert_eq(size, 0u, "no type");
    size = 77;
    OK(OH_NNTensorDesc_SetShape(desc, dynamic, 2));
    REFUSED(OH_NNTensorDesc_GetByteSize(desc, &size), OH_NN_DYNAMIC_SHAPE);
    cr_assert_eq(size, 0u, "dynamic comes before the missing type");
    OK(OH_NNTensorDesc_Destroy(&desc));
}

/* The elements fit into size_t and the bytes do not: 2^62 doubles, or 2^30 on 32 bits. */
Test(desc, byte_size_sees_an_overflow_of_the_last_product) {
    static const int32_t wide[3] = {1 << 30, 1 << 30, 4};
    const size_t rank = sizeof(size_t) == 8 ? 3 : 1;
    NN_TensorDesc *desc = desc_of(OH_NN_FLOAT64, wide, rank);
    size_t size = 77, count = 0;
    OK(OH_NNTensorDesc_GetElementCount(desc, &count));
    REFUSED(OH_NNTensorDesc_GetByteSize(desc, &size), IP);
    cr_assert_eq(size, 0u);
    OK(OH_NNTensorDesc_Destroy(&desc));
}

Test(desc, copies_are_their_own) {
    static const int32_t shape[2] = {3, -1};
    NN_TensorDesc *desc = desc_of(OH_NN_INT32, shape, 2), *copy;
    OK(OH_NNTensorDesc_SetName(desc, "original"));
    OK(OH_NNTensorDesc_SetFormat(desc, OH_NN_FORMAT_NCHW));
    copy = nnrt__desc_copy(desc);
    OK(OH_NNTensorDesc_Destroy(&desc));
    cr_assert_str_eq(copy->name, "original");
    cr_assert(copy->dtype == OH_NN_INT32 && copy->format == OH_NN_FORMAT_NCHW && copy->rank == 2);
    cr_assert(copy->dims[0] == 3 && copy->dims[1] == -1);
    nnrt__desc_free(copy);
    nnrt__desc_free(NULL);
    cr_assert_eq(counting_live(), 0);
}

Test(desc, every_failed_allocation_leaves_nothing_behind) {
    long n;
    bool seen_all = false;
    for (n = 0; !seen_all; n++) {
        NN_TensorDesc *desc, *copy = NULL;
        const char *name = NULL;
        counting_fail_at(n);
        desc = OH_NNTensorDesc_Create();
        if (desc != NULL) {
            if (OH_NNTensorDesc_SetName(desc, "first") == OH_NN_SUCCESS) {
                if (OH_NNTensorDesc_SetName(desc, "second") != OH_NN_SUCCESS) {
                    OK(OH_NNTensorDesc_GetName(desc, &name));
                    cr_assert_str_eq(name, "first");
                }
                copy = nnrt__desc_copy(desc);
            }
            nnrt__desc_free(copy);
            OK(OH_NNTensorDesc_Destroy(&desc));
        } else {
            cr_assert_str_eq(nnrt_last_error(), "out of memory");
        }
        seen_all = !counting_failed();
        cr_assert_eq(counting_live(), 0, "allocation %ld", n);
    }
    cr_assert_eq(n, 5, "four allocations were expected, %ld were seen", n - 1);
}

Test(quant_param, setters_check_handle_list_and_count_in_this_order) {
    const double scale = 0.5;
    const int32_t zero = 3;
    const uint32_t bits = 9;
    NN_QuantParam *params = OH_NNQuantParam_Create();
    cr_assert_not_null(params);
    REFUSED(OH_NNQuantParam_SetScales(NULL, NULL, 0), IP);
    cr_assert_not_null(strstr(nnrt_last_error(), "quantParams"));
    REFUSED(OH_NNQuantParam_SetScales(params, NULL, 0), IP);
    cr_assert_not_null(strstr(nnrt_last_error(), "scales"));
    REFUSED(OH_NNQuantParam_SetScales(params, &scale, 0), IP);
    REFUSED(OH_NNQuantParam_SetZeroPoints(NULL, &zero, 1), IP);
    REFUSED(OH_NNQuantParam_SetZeroPoints(params, NULL, 1), IP);
    REFUSED(OH_NNQuantParam_SetZeroPoints(params, &zero, 0), IP);
    REFUSED(OH_NNQuantParam_SetNumBits(NULL, &bits, 1), IP);
    REFUSED(OH_NNQuantParam_SetNumBits(params, NULL, 1), IP);
    REFUSED(OH_NNQuantParam_SetNumBits(params, &bits, 0), IP);
    OK(OH_NNQuantParam_SetScales(params, &scale, 1));
    OK(OH_NNQuantParam_SetZeroPoints(params, &zero, 1));
    OK(OH_NNQuantParam_SetNumBits(params, &bits, 1));
    cr_assert(params->scales[0] == 0.5 && params->zero_points[0] == 3 && params->num_bits[0] == 9);
    OK(OH_NNQuantParam_Destroy(&params));
    cr_assert_null(params);
    REFUSED(OH_NNQuantParam_Destroy(&params), IP);
    REFUSED(OH_NNQuantParam_Destroy(NULL), IP);
    cr_assert_eq(counting_live(), 0);
}

Test(quant_param, a_list_replaces_the_one_before) {
    const double scales[3] = {1.0, 2.0, 3.0};
    NN_QuantParam *params = OH_NNQuantParam_Create();
    OK(OH_NNQuantParam_SetScales(params, scales, 3));
    OK(OH_NNQuantParam_SetScales(params, scales + 1, 1));
    cr_assert(params->scale_count == 1 && params->scales[0] == 2.0);
    counting_fail_at(0);
    REFUSED(OH_NNQuantParam_SetScales(params, scales, 3), OH_NN_MEMORY_ERROR);
    cr_assert(params->scale_count == 1 && params->scales[0] == 2.0, "a failure replaced the list");
    counting_fail_never();
    REFUSED(OH_NNQuantParam_SetScales(params, scales, SIZE_MAX / 2), OH_NN_MEMORY_ERROR);
    OK(OH_NNQuantParam_Destroy(&params));
    cr_assert_eq(counting_live(), 0);
    counting_fail_at(0);
    cr_assert_null(OH_NNQuantParam_Create());
}
