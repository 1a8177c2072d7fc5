/* SPDX-License-Identifier: Apache-2.0 */
/* one_operator.h - models of one operator, fed with tensors of the test: for tests that compare an operator with
   index formulas of their own.

   Define SEED and include it after nnrt.h. An example, RELU on what noise says:

       const int32_t dims[2] = {2, 3};
       tensor in = make(OH_NN_FLOAT32, 2, dims), out = make(OH_NN_FLOAT32, 2, dims);
       model m;
       fill_f32(&in);
       start(&m), feed(&m, &in), expect(&m, &out), finish(&m, OH_NN_OPS_RELU);
       drop(&in), drop(&out); */
#ifndef NNRT_TESTS_ONE_OPERATOR_H
#define NNRT_TESTS_ONE_OPERATOR_H

#include "graph_builder.h"
#include "noise.h"

/* ----------------------------------------------------------------------------------- tensors of the tests */

typedef struct tensor {
    OH_NN_DataType dtype;
    size_t rank;
    int32_t dims[10];
    size_t count, element;
    uint8_t *data; /* exactly count * element bytes */
} tensor;

GB_FN tensor make(OH_NN_DataType dtype, size_t rank, const int32_t *dims) {
    tensor t;
    size_t i;
    memset(&t, 0, sizeof t);
    t.dtype = dtype;
    t.rank = rank;
    for (i = 0; i < rank; i++) t.dims[i] = dims[i];
    t.element = gb_bytes(dtype, 0, NULL);
    t.count = gb_bytes(dtype, rank, dims) / t.element;
    t.data = (uint8_t *)malloc(t.count * t.element);
    cr_assert_not_null(t.data);
    for (i = 0; i < t.count * t.element; i++) t.data[i] = (uint8_t)noise();
    return t;
}

GB_FN tensor make1(OH_NN_DataType dtype, int32_t count) { return make(dtype, 1, &count); }

GB_FN void drop(tensor *t) { free(t->data); }

GB_FN void fill_f32(tensor *t) {
    size_t i;
    for (i = 0; i < t->count; i++) ((float *)t->data)[i] = (float)noise_in(-1000, 1000) / 64.0f;
}

/* A random type. */
GB_FN OH_NN_DataType any_type(void) {
    static const OH_NN_DataType types[5] = {OH_NN_INT8, OH_NN_FLOAT16, OH_NN_FLOAT32, OH_NN_INT64, OH_NN_UINT8};
    return types[noise() % 5];
}

GB_FN size_t shape(int32_t *dims, size_t least, size_t most) {
    size_t rank = (size_t)noise_in((int32_t)least, (int32_t)most), i;
    for (i = 0; i < rank; i++) dims[i] = noise_in(1, rank > 5 ? 3 : rank > 3 ? 5 : 9);
    return rank;
}

/* The row-major index of a place, and the place of an index. */
GB_FN size_t index_of(size_t rank, const int32_t *dims, const int64_t *place) {
    size_t at = 0, i;
    for (i = 0; i < rank; i++) {
        cr_assert(place[i] >= 0 && place[i] < dims[i]);
        at = at * (size_t)dims[i] + (size_t)place[i];
    }
    return at;
}

GB_FN void place_of(size_t rank, const int32_t *dims, size_t at, int64_t *place) {
    size_t i;
    for (i = rank; i-- > 0;) {
        place[i] = (int64_t)(at % (size_t)dims[i]);
        at /= (size_t)dims[i];
    }
}

/* -------------------------------------------------------------------------------- a model of one operator */

typedef struct model {
    gb_graph g;
    uint32_t ins[GB_MOST], outs[GB_MOST], in_count, out_count;
    gb_io in_data[GB_MOST], out_data[GB_MOST];
    size_t fed;
} model;

GB_FN void start(model *m) {
    memset(m, 0, sizeof *m);
    gb_open(&m->g);
    m->g.threads = noise() % 2 != 0 ? "3" : NULL;
}

GB_FN void feed(model *m, const tensor *t) {
    m->in_data[m->fed++] = gb_buffer(t->data, t->count * t->element);
    m->ins[m->in_count++] = gb_input(&m->g, gb_tensor(&m->g, t->dtype, t->rank, t->dims));
}

GB_FN void ints(model *m, int32_t count, const int32_t *values) {
    m->ins[m->in_count++] = gb_ints(&m->g, count, values);
}

GB_FN void expect(model *m, tensor *t) {
    m->out_data[m->out_count] = gb_buffer(t->data, t->count * t->element);
    m->outs[m->out_count++] = gb_output(&m->g, gb_tensor(&m->g, t->dtype, t->rank, t->dims));
}

/* The quantization of the tensor that was fed or expected last. */
GB_FN void quantized(model *m, bool input, double scale, int32_t zero) {
    gb_quantize(&m->g, input ? m->ins[m->in_count - 1] : m->outs[m->out_count - 1], 1, &scale, &zero);
}

/* Builds it, runs it, and returns the code of the run. */
GB_FN OH_NN_ReturnCode run_once(model *m, OH_NN_OperationType op) {
    OH_NN_ReturnCode code;
    cr_assert_eq(gb_op(&m->g, op, m->in_count, m->ins, m->out_count, m->outs), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(gb_build(&m->g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    code = gb_run_many(&m->g, m->in_data, m->out_data);
    gb_close(&m->g);
    return code;
}

GB_FN void finish(model *m, OH_NN_OperationType op) {
    cr_assert_eq(run_once(m, op), OH_NN_SUCCESS, "%s", nnrt_last_error());
}

/* The run must fail, with that in its sentence. */
GB_FN void fails(model *m, OH_NN_OperationType op, const char *sentence) {
    cr_assert_eq(run_once(m, op), OH_NN_UNAVAILABLE_DEVICE, "%s", nnrt_last_error());
    cr_assert_not_null(strstr(nnrt_last_error(), sentence), "\"%s\" does not say \"%s\"", nnrt_last_error(), sentence);
}

/* Build must fail, with that in its sentence. */
GB_FN void refused(model *m, OH_NN_OperationType op, const char *sentence) {
    cr_assert_eq(gb_op(&m->g, op, m->in_count, m->ins, m->out_count, m->outs), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_neq(gb_build(&m->g), OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), sentence), "\"%s\" does not say \"%s\"", nnrt_last_error(), sentence);
    gb_close(&m->g);
}

/* out[i] is in[from], bit for bit. */
GB_FN void same(const tensor *out, size_t i, const tensor *in, size_t from) {
    cr_assert_eq(memcmp(out->data + i * out->element, in->data + from * in->element, out->element), 0,
                 "element %zu of %zu is not input element %zu of %zu", i, out->count, from, in->count);
}

#endif /* NNRT_TESTS_ONE_OPERATOR_H */
