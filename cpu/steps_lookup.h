/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_lookup.h - steps that follow indices, and ASSERT.   >>cpu_steps_lookup

   They depend on data, so a run can fail; its sentence names the operator and what was wrong. Ids: 0x35x. */
#ifndef NNRT_CPU_STEPS_LOOKUP_H
#define NNRT_CPU_STEPS_LOOKUP_H

#include "../kernels/copy_nd_scalar.h"
#include "../kernels/quantize_scalar.h"
#include "steps_movement.h"

/* The number of slices along the named axes of value; 0: these are not its first axes. */
NNRT__FN size_t nnrt__nd_slices(const nnrt__nd_args *args, const nnrt__plan_value *value) {
    size_t slices = 1;
    uint32_t i;
    if (args->depth < 1 || args->depth > NNRT__ND_RANK || args->depth > value->rank) return 0;
    for (i = 0; i < args->depth; i++) {
        if (args->dims[i] != value->dims[i]) return 0;
        slices *= (size_t)args->dims[i];
    }
    return slices;
}

/* Rows of indices; 0: they do not have args->depth numbers each. */
NNRT__FN size_t nnrt__nd_rows(const nnrt__nd_args *args, const nnrt__plan_value *indices) {
    const size_t count = nnrt__value_count(indices);
    return args->depth == 0 || count % args->depth != 0 ? 0 : count / args->depth;
}

NNRT__FN OH_NN_ReturnCode nnrt__nd_fail(const char *op, const nnrt__nd_args *args, const nnrt__nd_bad *bad) {
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s: index %s%llu is outside axis %u of %d elements", op,
                      bad->index < 0 ? "-" : "",
                      bad->index < 0 ? 0ull - (unsigned long long)bad->index : (unsigned long long)bad->index,
                      (unsigned)bad->axis, (int)args->dims[bad->axis]);
}

/* -------------------------------------------------------------------------------------  0x350 gather_nd

   Inputs: data of any type, indices INT32 or INT64 of rows of `depth`. Output: of data's type, a slice for each row. An
   index that is not there fails the run. Arguments: nnrt__nd_args. */

NNRT__FN bool nnrt__gather_nd_check(const nnrt__step_view *view) {
    const nnrt__nd_args *args = (const nnrt__nd_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *indices = nnrt__step_input(view, 1);
    const nnrt__plan_value *out = nnrt__step_output(view, 0);
    size_t slices, rows;
    if (in == NULL || !nnrt__is_index(indices) || in->dtype != out->dtype || args->way != NNRT__ND_COPY) return false;
    slices = nnrt__nd_slices(args, in);
    rows = nnrt__nd_rows(args, indices);
    return slices != 0 && rows != 0 &&
           nnrt__movement_product(rows, nnrt__value_count(in) / slices, 1) == nnrt__value_count(out);
}

/* Rows. */
NNRT__FN uint32_t nnrt__gather_nd_units(const nnrt__step_view *view) {
    return nnrt__movement_units(nnrt__nd_rows((const nnrt__nd_args *)view->arguments, nnrt__step_input(view, 1)));
}

NNRT__FN uint64_t nnrt__gather_nd_work(const nnrt__step_view *view) {
    return (uint64_t)nnrt__step_output(view, 0)->size / 8 + 4 * (uint64_t)nnrt__value_count(nnrt__step_input(view, 1));
}

NNRT__FN OH_NN_ReturnCode nnrt__gather_nd_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__nd_args *args = (const nnrt__nd_args *)view->arguments;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *indices = nnrt__step_input(view, 1);
    const size_t inner = (size_t)in->size / nnrt__nd_slices(args, in);
    nnrt__nd_bad bad = {0, 0};
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    if (nnrt__gather_nd_scalar(args, call->data[0], inner, call->data[1],
                               nnrt__element_size((OH_NN_DataType)indices->dtype), call->data[2], call->first,
                               call->last, &bad))
        return OH_NN_SUCCESS;
    return nnrt__nd_fail("GATHER_ND", args, &bad);
}

NNRT__STEP_KIND(gather_nd, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__nd_args), CHECK(nnrt__gather_nd_check),
                SCRATCH(NULL), UNITS(nnrt__gather_nd_units), ISA(NULL), RUN(nnrt__gather_nd_run),
                WORK(nnrt__gather_nd_work), NOTHING_READY)

/* -------------------------------------------------------------------------------------  0x351 scatter_nd

   Inputs: indices INT32 or INT64 of rows of `depth`, updates: a slice for each row, or one element for all when a slice
   is one. Output: of the updates' type, bytes of 0 where no row goes. An index out of range fails the run. Arguments:
   nnrt__nd_args. It is one unit: of rows for one slice the last one wins. */

/* Bytes of an element that a way of scattering needs; 0: any. */
NNRT__FN size_t nnrt__nd_way_size(uint32_t way) {
    return way == NNRT__ND_COPY                                ? 0
           : way == NNRT__ND_ADD_F32 || way == NNRT__ND_ADD_32 ? 4
           : way == NNRT__ND_ADD_64                            ? 8
           : way == NNRT__ND_ADD_16                            ? 2
                                                               : 1;
}

NNRT__FN bool nnrt__scatter_nd_check(const nnrt__step_view *view) {
    const nnrt__nd_args *args = (const nnrt__nd_args *)view->arguments;
    const nnrt__plan_value *indices = nnrt__step_input(view, 0), *updates = nnrt__step_input(view, 1);
    const nnrt__plan_value *out = nnrt__step_output(view, 0);
    size_t slices, rows, inner;
    if (!nnrt__is_index(indices) || updates == NULL || updates->dtype != out->dtype || args->way > NNRT__ND_OR)
        return false;
    if (args->way != NNRT__ND_COPY && nnrt__element_size((OH_NN_DataType)out->dtype) != nnrt__nd_way_size(args->way))
        return false;
    slices = nnrt__nd_slices(args, out);
    rows = nnrt__nd_rows(args, indices);
    if (slices == 0 || rows == 0) return false;
    inner = nnrt__value_count(out) / slices;
    return nnrt__movement_product(rows, inner, 1) == nnrt__value_count(updates) ||
           (inner == 1 && nnrt__value_count(updates) == 1);
}

NNRT__FN uint64_t nnrt__scatter_nd_work(const nnrt__step_view *view) {
    return (uint64_t)nnrt__step_output(view, 0)->size / 8 + (uint64_t)nnrt__step_input(view, 1)->size +
           4 * (uint64_t)nnrt__value_count(nnrt__step_input(view, 0)) + 1;
}

NNRT__FN OH_NN_ReturnCode nnrt__scatter_nd_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__nd_args *args = (const nnrt__nd_args *)view->arguments;
    const nnrt__plan_value *indices = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    const size_t inner = (size_t)out->size / nnrt__nd_slices(args, out), rows = nnrt__nd_rows(args, indices);
    const size_t step = nnrt__value_count(nnrt__step_input(view, 1)) == 1 ? 0 : inner;
    const uint32_t chunk = nnrt__chunk_of(nnrt__scatter_nd_work(view), nnrt__movement_units(rows));
    size_t first = 0, last;
    nnrt__nd_bad bad = {0, 0};
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    memset(call->data[2], 0, (size_t)out->size);
    for (; first < rows && !nnrt__atomic_load(call->cancel); first = last) {
        last = rows - first > chunk ? first + chunk : rows;
        if (!nnrt__scatter_nd_scalar(args, call->data[0], nnrt__element_size((OH_NN_DataType)indices->dtype),
                                     call->data[1], step, inner, call->data[2], first, last, &bad))
            return nnrt__nd_fail(nnrt__step_op(view->step) == OH_NN_OPS_SCATTER_ND ? "SCATTER_ND" : "SPARSE_TO_DENSE",
                                 args, &bad);
    }
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(scatter_nd, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__nd_args), CHECK(nnrt__scatter_nd_check),
                SCRATCH(NULL), UNITS(NULL), ISA(NULL), RUN(nnrt__scatter_nd_run), WORK(nnrt__scatter_nd_work),
                NOTHING_READY)

/* -------------------------------------------------------------------------------------  0x352 assertion

   Inputs: the condition, BOOL; what a failure shows, of any type. Output: BOOL, 1 for each element of the condition. An
   element of 0 fails the run, with as many numbers of the second input as `shown` says and the sentence holds. */

typedef struct nnrt__assert_args {
    uint32_t shown;
    uint32_t reserved; /* 0 */
} nnrt__assert_args;

NNRT__FN bool nnrt__assert_check(const nnrt__step_view *view) {
    const nnrt__plan_value *condition = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
    return condition != NULL && nnrt__step_input(view, 1) != NULL && condition->dtype == (uint32_t)OH_NN_BOOL &&
           out->dtype == (uint32_t)OH_NN_BOOL && nnrt__value_count(condition) == nnrt__value_count(out);
}

/* Element i of value behind what `text` holds; float16 is not shown. */
NNRT__FN void nnrt__assert_print(const nnrt__plan_value *value, const void *data, size_t i, char *text, size_t size) {
    const size_t used = strlen(text);
    nnrt__real_text digits;
    double real;
    if (value->dtype == (uint32_t)OH_NN_FLOAT16) return;
    if (nnrt__cast_is_float(value->dtype)) {
        real = value->dtype == (uint32_t)OH_NN_FLOAT32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
        nnrt__format(text + used, size - used, "%s%s%s", i == 0 ? ": " : ", ", real < 0.0 ? "-" : "",
                     real != real ? "nan" : nnrt__real_print(&digits, real < 0.0 ? -real : real));
    } else {
        const uint64_t bits = nnrt__cast_load_int(value->dtype, data, i);
        const bool negative = value->dtype <= (uint32_t)OH_NN_INT64 && bits >> 63 != 0;
        nnrt__format(text + used, size - used, "%s%s%llu", i == 0 ? ": " : ", ", negative ? "-" : "",
                     (unsigned long long)(negative ? 0 - bits : bits));
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__assert_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__assert_args *args = (const nnrt__assert_args *)view->arguments;
    const nnrt__plan_value *shown = nnrt__step_input(view, 1);
    const size_t count = nnrt__value_count(nnrt__step_input(view, 0)), most = nnrt__value_count(shown);
    const uint8_t *condition = (const uint8_t *)call->data[0];
    char text[160];
    size_t i = 0;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    while (i < count && condition[i] != 0) i++;
    if (i == count) {
        memset(call->data[2], 1, count);
        return OH_NN_SUCCESS;
    }
    text[0] = '\0';
    for (i = 0; i < args->shown && i < most && strlen(text) + 32 < sizeof(text); i++)
        nnrt__assert_print(shown, call->data[1], i, text, sizeof(text));
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "ASSERT: the condition is false%s", text);
}

NNRT__STEP_KIND(assert, INPUTS(2, 2), OUTPUTS(1, 1), ARGUMENTS(nnrt__assert_args), CHECK(nnrt__assert_check),
                SCRATCH(NULL), UNITS(NULL), ISA(NULL), RUN(nnrt__assert_run), WORK(NULL), NOTHING_READY)

#endif /* NNRT_CPU_STEPS_LOOKUP_H */
