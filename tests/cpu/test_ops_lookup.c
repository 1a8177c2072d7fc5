/* SPDX-License-Identifier: Apache-2.0 */
/* test_ops_lookup.c - GATHER_ND, SCATTER_ND, SPARSE_TO_DENSE and ASSERT through the API, against loops written here
   from the definition: which slice a row of indices names is worked out axis by axis. */
#include "linked.h"

#define SEED 20260408u

#include "one_operator.h"

/* Indices of rows of depth numbers below dims, int32 or int64. */
static tensor indices_for(size_t rank, const int32_t *dims, const int32_t *of) {
    tensor t = make(noise() % 2 != 0 ? OH_NN_INT32 : OH_NN_INT64, rank, dims);
    const size_t depth = (size_t)dims[rank - 1];
    size_t i;
    for (i = 0; i < t.count; i++) {
        const int64_t index = noise_in(0, of[i % depth] - 1);
        const int32_t narrow = (int32_t)index;
        if (t.element == 8) memcpy(t.data + 8 * i, &index, 8);
        else memcpy(t.data + 4 * i, &narrow, 4);
    }
    return t;
}

static int64_t number(const tensor *t, size_t i) {
    int64_t wide;
    int32_t narrow;
    if (t->element == 8) {
        memcpy(&wide, t->data + 8 * i, 8);
        return wide;
    }
    memcpy(&narrow, t->data + 4 * i, 4);
    return narrow;
}

/* A tensor with these contents. */
static tensor holding(OH_NN_DataType dtype, size_t rank, const int32_t *dims, const void *data) {
    tensor t = make(dtype, rank, dims);
    memcpy(t.data, data, t.count * t.element);
    return t;
}

static void zero(tensor *t) { memset(t->data, 0, t->count * t->element); }

/* ------------------------------------------------------------------------------------------------- GATHER_ND */

Test(lookup, gather_nd_takes_the_slice_that_each_row_names) {
    int round;
    for (round = 0; round < 150; round++) {
        int32_t dims[10], rows[10], result[10];
        const size_t rank = shape(dims, 1, 6), depth = (size_t)noise_in(1, (int32_t)rank);
        const size_t row_rank = shape(rows, 0, 3);
        size_t i, k, inner = 1, result_rank = 0;
        tensor in = make(any_type(), rank, dims), indices, out;
        model m;
        rows[row_rank] = (int32_t)depth;
        indices = indices_for(row_rank + 1, rows, dims);
        for (i = 0; i < row_rank; i++) result[result_rank++] = rows[i];
        for (i = depth; i < rank; i++) result[result_rank++] = dims[i], inner *= (size_t)dims[i];
        out = make(in.dtype, result_rank, result);
        start(&m), feed(&m, &in), feed(&m, &indices), expect(&m, &out), finish(&m, OH_NN_OPS_GATHER_ND);
        for (k = 0; k < out.count; k++) {
            size_t at = 0;
            for (i = 0; i < depth; i++) at = at * (size_t)dims[i] + (size_t)number(&indices, k / inner * depth + i);
            same(&out, k, &in, at * inner + k % inner);
        }
        drop(&in), drop(&indices), drop(&out);
    }
}

Test(lookup, gather_nd_refuses_what_is_not_there) {
    static const struct {
        int32_t index[2];
        const char *sentence;
    } bad[] = {{{2, 0}, "GATHER_ND: index 2 is outside axis 0 of 2 elements"},
               {{0, 3}, "GATHER_ND: index 3 is outside axis 1 of 3 elements"},
               {{-1, 0}, "GATHER_ND: index -1 is outside axis 0 of 2 elements"},
               {{1, INT32_MIN}, "GATHER_ND: index -2147483648 is outside axis 1"},
               {{INT32_MAX, 0}, "GATHER_ND: index 2147483647 is outside axis 0"}};
    const int32_t dims[3] = {2, 3, 4}, rows[2] = {1, 2}, four[2] = {1, 4}, three[1] = {3}, one = 1;
    const int32_t result[2] = {1, 4}, wrong[2] = {1, 5};
    tensor in = make(OH_NN_FLOAT32, 3, dims), out = make(OH_NN_FLOAT32, 2, result);
    tensor wide_out = make(OH_NN_FLOAT32, 2, wrong), bytes = make(OH_NN_INT8, 2, result);
    tensor shorts = make(OH_NN_INT16, 2, rows), deep = make(OH_NN_INT32, 2, four);
    int64_t far[2] = {INT64_MAX, 0};
    tensor wide, indices;
    size_t i;
    model m;
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        indices = holding(OH_NN_INT32, 2, rows, bad[i].index);
        start(&m), feed(&m, &in), feed(&m, &indices), expect(&m, &out), fails(&m, OH_NN_OPS_GATHER_ND, bad[i].sentence);
        drop(&indices);
    }
    wide = holding(OH_NN_INT64, 2, rows, far);
    start(&m), feed(&m, &in), feed(&m, &wide), expect(&m, &out), fails(&m, OH_NN_OPS_GATHER_ND, "9223372036854775807");
    start(&m), feed(&m, &in), feed(&m, &wide), expect(&m, &wide_out), refused(&m, OH_NN_OPS_GATHER_ND, "declared as");
    start(&m), feed(&m, &in), feed(&m, &wide), expect(&m, &bytes), refused(&m, OH_NN_OPS_GATHER_ND, "data type");
    start(&m), feed(&m, &in), feed(&m, &shorts), expect(&m, &out);
    refused(&m, OH_NN_OPS_GATHER_ND, "the indices must be int32, int64 or float32");
    start(&m), feed(&m, &in), feed(&m, &deep), expect(&m, &out);
    refused(&m, OH_NN_OPS_GATHER_ND, "names more axes than there are");
    start(&m), feed(&m, &in), m.ins[m.in_count++] = gb_constant(&m.g, OH_NN_INT32, 0, NULL, &one), expect(&m, &out);
    refused(&m, OH_NN_OPS_GATHER_ND, "the indices have too few dimensions");
    drop(&in), drop(&out), drop(&wide_out), drop(&bytes), drop(&shorts), drop(&deep), drop(&wide);
    in = make(OH_NN_INT8, 3, dims), bytes = make(OH_NN_INT8, 2, rows), indices = make(OH_NN_INT32, 1, three);
    drop(&bytes), bytes = make(OH_NN_INT8, 0, NULL);
    start(&m), feed(&m, &in), quantized(&m, true, 0.5, 1), feed(&m, &indices), expect(&m, &bytes);
    quantized(&m, false, 0.25, 1), refused(&m, OH_NN_OPS_GATHER_ND, "same quantization");
    drop(&in), drop(&bytes), drop(&indices);
}

/* ------------------------------------------------------------------------------------- SCATTER_ND, SPARSE_TO_DENSE */

Test(lookup, scatter_nd_writes_slices_over_zeros_and_the_last_one_wins) {
    int round;
    for (round = 0; round < 150; round++) {
        int32_t dims[10], rows[10], given[20];
        const size_t rank = shape(dims, 1, 5), depth = (size_t)noise_in(1, (int32_t)rank);
        const size_t row_rank = shape(rows, 1, 3);
        size_t i, k, inner = 1, given_rank = 0;
        tensor indices, updates, out = make(any_type(), rank, dims), want;
        model m;
        rows[row_rank] = (int32_t)depth;
        indices = indices_for(row_rank + 1, rows, dims); /* few places, many rows: most are named twice */
        for (i = 0; i < row_rank; i++) given[given_rank++] = rows[i];
        for (i = depth; i < rank; i++) given[given_rank++] = dims[i], inner *= (size_t)dims[i];
        updates = make(out.dtype, given_rank, given);
        want = make(out.dtype, rank, dims), zero(&want);
        start(&m), feed(&m, &indices), feed(&m, &updates), ints(&m, (int32_t)rank, dims), expect(&m, &out);
        finish(&m, OH_NN_OPS_SCATTER_ND);
        for (k = 0; k < indices.count / depth; k++) {
            size_t at = 0;
            for (i = 0; i < depth; i++) at = at * (size_t)dims[i] + (size_t)number(&indices, k * depth + i);
            memcpy(want.data + at * inner * want.element, updates.data + k * inner * want.element,
                   inner * want.element);
        }
        cr_assert_eq(memcmp(want.data, out.data, want.count * want.element), 0, "round %d", round);
        drop(&indices), drop(&updates), drop(&out), drop(&want);
    }
}

Test(lookup, sparse_to_dense_takes_rows_lists_and_one_value_for_all) {
    const int32_t table[2] = {3, 4}, pairs[2] = {4, 2}, four = 4, one = 1, five = 5;
    const int32_t at[8] = {2, 3, 0, 1, 2, 3, 1, 0}, list[4] = {4, 0, 2, 4}, past[8] = {0, 0, 0, 4, 0, 0, 0, 0};
    const float values[4] = {1, 2, 3, 4}, seven = 7;
    const float dense[12] = {0, 2, 0, 0, 4, 0, 0, 0, 0, 0, 0, 3};
    const float of_list[5] = {2, 0, 3, 0, 4}, sevens[5] = {7, 0, 7, 0, 7}, alone[5] = {0, 0, 0, 7, 0};
    tensor indices = holding(OH_NN_INT32, 2, pairs, at), given = holding(OH_NN_FLOAT32, 1, &four, values);
    tensor single = holding(OH_NN_FLOAT32, 1, &one, &seven), out = make(OH_NN_FLOAT32, 2, table);
    tensor row = holding(OH_NN_INT32, 1, &four, list), line = make(OH_NN_FLOAT32, 1, &five);
    const int32_t three = 3;
    model m;
    start(&m), feed(&m, &indices), feed(&m, &given), ints(&m, 2, table), expect(&m, &out);
    finish(&m, OH_NN_OPS_SPARSE_TO_DENSE);
    cr_assert_eq(memcmp(out.data, dense, sizeof dense), 0);
    start(&m), feed(&m, &row), feed(&m, &given), ints(&m, 1, &five), expect(&m, &line);
    finish(&m, OH_NN_OPS_SPARSE_TO_DENSE);
    cr_assert_eq(memcmp(line.data, of_list, sizeof of_list), 0);
    start(&m), feed(&m, &row), feed(&m, &single), ints(&m, 1, &five), expect(&m, &line);
    finish(&m, OH_NN_OPS_SPARSE_TO_DENSE);
    cr_assert_eq(memcmp(line.data, sevens, sizeof sevens), 0);
    start(&m), m.ins[m.in_count++] = gb_constant(&m.g, OH_NN_INT32, 0, NULL, &three);
    feed(&m, &single), ints(&m, 1, &five), expect(&m, &line);
    finish(&m, OH_NN_OPS_SPARSE_TO_DENSE);
    cr_assert_eq(memcmp(line.data, alone, sizeof alone), 0);
    memcpy(indices.data, past, sizeof past);
    start(&m), feed(&m, &indices), feed(&m, &given), ints(&m, 2, table), expect(&m, &out);
    fails(&m, OH_NN_OPS_SPARSE_TO_DENSE, "SPARSE_TO_DENSE: index 4 is outside axis 1 of 4 elements");
    drop(&indices), drop(&given), drop(&single), drop(&out), drop(&row), drop(&line);
}

Test(lookup, scattering_refuses_what_does_not_fit) {
    const int32_t dims[2] = {3, 4}, pairs[2] = {2, 2}, rows[2] = {2, 1}, slices[2] = {2, 4}, two = 2, three = 3;
    const int32_t threes[2] = {2, 3}, cube[3] = {1, 2, 2}, one = 1, bad[2] = {0, -3}, empty[2] = {3, 0};
    tensor index = holding(OH_NN_INT32, 2, rows, bad), updates = make(OH_NN_FLOAT32, 2, slices);
    tensor out = make(OH_NN_FLOAT32, 2, dims), shorts = make(OH_NN_INT16, 2, pairs), list = make1(OH_NN_INT32, two);
    tensor deep = make(OH_NN_INT32, 2, threes), pair = make(OH_NN_INT32, 2, pairs), few = make1(OH_NN_FLOAT32, three);
    tensor line = make1(OH_NN_INT16, two), values = make1(OH_NN_FLOAT32, two), cubes = make(OH_NN_INT32, 3, cube),
           bytes = make(OH_NN_INT8, 2, dims);
    tensor wide = make1(OH_NN_INT32, 257);
    model m;
    start(&m), feed(&m, &index), feed(&m, &updates), ints(&m, 2, dims), expect(&m, &out);
    fails(&m, OH_NN_OPS_SCATTER_ND, "SCATTER_ND: index -3 is outside axis 0 of 3 elements");
    start(&m), feed(&m, &index), feed(&m, &updates), feed(&m, &wide), expect(&m, &out);
    refused(&m, OH_NN_OPS_SCATTER_ND, "depends on a model input of more than 1 KiB");
    start(&m), feed(&m, &shorts), feed(&m, &values), ints(&m, 2, dims), expect(&m, &out);
    refused(&m, OH_NN_OPS_SCATTER_ND, "the indices must be int32, int64 or float32");
    start(&m), feed(&m, &list), feed(&m, &values), ints(&m, 2, dims), expect(&m, &out);
    refused(&m, OH_NN_OPS_SCATTER_ND, "the indices have too few dimensions");
    start(&m), feed(&m, &deep), feed(&m, &values), ints(&m, 2, dims), expect(&m, &out);
    refused(&m, OH_NN_OPS_SCATTER_ND, "names more axes than there are");
    start(&m), feed(&m, &pair), feed(&m, &updates), ints(&m, 2, dims), expect(&m, &out);
    refused(&m, OH_NN_OPS_SCATTER_ND, "not one update for each row");
    start(&m), feed(&m, &index), feed(&m, &updates), ints(&m, 2, dims), expect(&m, &bytes);
    refused(&m, OH_NN_OPS_SCATTER_ND, "data type");
    start(&m), feed(&m, &pair), feed(&m, &values), ints(&m, 2, empty), expect(&m, &out);
    refused(&m, OH_NN_OPS_SCATTER_ND, "empty or a size is negative");
    start(&m), feed(&m, &shorts), feed(&m, &values), ints(&m, 2, dims), expect(&m, &out);
    refused(&m, OH_NN_OPS_SPARSE_TO_DENSE, "the indices must be int32, int64 or float32");
    start(&m), feed(&m, &line), feed(&m, &values), ints(&m, 1, &one), expect(&m, &values);
    refused(&m, OH_NN_OPS_SPARSE_TO_DENSE, "the indices must be int32, int64 or float32");
    start(&m), feed(&m, &cubes), feed(&m, &values), ints(&m, 2, dims), expect(&m, &out);
    refused(&m, OH_NN_OPS_SPARSE_TO_DENSE, "more than two dimensions");
    start(&m), feed(&m, &index), feed(&m, &values), ints(&m, 2, dims), expect(&m, &out);
    refused(&m, OH_NN_OPS_SPARSE_TO_DENSE, "does not name every axis");
    start(&m), feed(&m, &pair), feed(&m, &few), ints(&m, 2, dims), expect(&m, &out);
    refused(&m, OH_NN_OPS_SPARSE_TO_DENSE, "not one update for each row");
    drop(&wide), drop(&index), drop(&updates), drop(&out), drop(&shorts), drop(&line), drop(&list), drop(&deep),
        drop(&pair), drop(&few);
    drop(&values), drop(&cubes), drop(&bytes);
}

/* What TensorFlow Lite's SCATTER_ND does with rows that name one place twice. */
Test(lookup, sums_of_slices_are_those_of_their_type) {
    const int32_t indices[3] = {1, 1, 1};
    const float f32[6] = {0.5f, 1e30f, 0.25f, 1e30f, -1.0f, 0.0f};
    const uint8_t u8[6] = {200, 1, 100, 2, 255, 3}, bools[6] = {0, 2, 0, 0, 0, 1};
    const int16_t s16[6] = {32767, -1, 1, -1, 1, -1};
    const uint32_t u32[6] = {0xffffffffu, 1, 1, 1, 1, 1};
    const uint64_t u64[6] = {UINT64_MAX, 1, 2, 1, 0, 1};
    const float f32_sum[2] = {-0.25f, 2e30f};
    const uint8_t u8_sum[2] = {(200 + 100 + 255) & 255, 6}, or_sum[2] = {0, 1};
    const int16_t s16_sum[2] = {-32767, -3};
    const uint32_t u32_sum[2] = {1, 3};
    const uint64_t u64_sum[2] = {1, 3};
    const struct {
        uint32_t way;
        const void *updates, *sum;
        size_t element;
    } rows[] = {{NNRT__ND_ADD_F32, f32, f32_sum, 4}, {NNRT__ND_ADD_8, u8, u8_sum, 1},
                {NNRT__ND_OR, bools, or_sum, 1},     {NNRT__ND_ADD_16, s16, s16_sum, 2},
                {NNRT__ND_ADD_32, u32, u32_sum, 4},  {NNRT__ND_ADD_64, u64, u64_sum, 8}};
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        const size_t inner = 2 * rows[i].element;
        uint8_t *out = (uint8_t *)calloc(3, inner);
        nnrt__nd_args args;
        nnrt__nd_bad bad;
        memset(&args, 0, sizeof args);
        args.depth = 1, args.way = rows[i].way, args.dims[0] = 3;
        cr_assert(nnrt__scatter_nd_scalar(&args, indices, 4, rows[i].updates, inner, inner, out, 0, 3, &bad));
        cr_assert_eq(memcmp(out + inner, rows[i].sum, inner), 0, "way %u", (unsigned)rows[i].way);
        for (k = 0; k < inner; k++) cr_assert(out[k] == 0 && out[2 * inner + k] == 0);
        free(out);
    }
}

/* ----------------------------------------------------------------------------------------------------- ASSERT */

/* ASSERT of a condition, with so many entries of data in its sentence. */
static void assertion(model *m, const tensor *condition, const tensor *data, tensor *out, int64_t shown) {
    start(m), feed(m, condition), feed(m, data), expect(m, out);
    gb_param_i64(&m->g, OH_NN_ASSERT_SUMMARIZE, shown);
}

Test(lookup, an_assertion_that_holds_is_true_and_one_that_does_not_stops_the_run) {
    const int32_t three = 3, table[2] = {2, 2};
    const uint8_t yes[3] = {1, 1, 1}, no[3] = {1, 1, 0}, odd[3] = {1, 7, 255};
    const float f32[4] = {-1.5f, 0.0f, 2e10f, 0.25f};
    const int64_t s64[4] = {INT64_MIN, -1, 0, INT64_MAX};
    const uint32_t u32[4] = {0xffffffffu, 1, 2, 3};
    const double f64[4] = {-0.5, 1e300, 0, 1};
    const struct {
        OH_NN_DataType dtype;
        const void *data;
        int64_t shown;
        const char *sentence;
    } rows[] = {
        {OH_NN_FLOAT32, f32, 3, "ASSERT: the condition is false: -1.5, 0, 2e10"},
        {OH_NN_INT64, s64, 4, "ASSERT: the condition is false: -9223372036854775808, -1, 0, 9223372036854775807"},
        {OH_NN_UINT32, u32, 1, "ASSERT: the condition is false: 4294967295"},
        {OH_NN_FLOAT64, f64, 9, "ASSERT: the condition is false: -5e-1, 1e300, 0, 1"},
        {OH_NN_FLOAT16, f32, 4, "ASSERT: the condition is false"},
        {OH_NN_FLOAT32, f32, 0, "ASSERT: the condition is false"},
        {OH_NN_FLOAT32, f32, -1, "ASSERT: the condition is false"}};
    tensor condition = holding(OH_NN_BOOL, 1, &three, yes), out = make1(OH_NN_BOOL, three);
    size_t i;
    model m;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tensor data = holding(rows[i].dtype, 2, table, rows[i].data);
        memcpy(condition.data, i % 2 != 0 ? odd : yes, 3), memset(out.data, 9, 3);
        assertion(&m, &condition, &data, &out, rows[i].shown), finish(&m, OH_NN_OPS_ASSERT);
        cr_assert_eq(memcmp(out.data, yes, 3), 0);
        memcpy(condition.data, no, 3);
        assertion(&m, &condition, &data, &out, rows[i].shown), fails(&m, OH_NN_OPS_ASSERT, rows[i].sentence);
        cr_assert_not_null(strstr(nnrt_last_error(), "false"));
        if (rows[i].shown <= 0) cr_assert_null(strchr(nnrt_last_error() + 8, ':'), "%s", nnrt_last_error());
        drop(&data);
    }
    drop(&condition), drop(&out);
}

Test(lookup, an_assertion_is_made_even_when_nobody_reads_its_result) {
    const int32_t one = 1;
    const uint8_t no = 0;
    const float f32 = 3;
    tensor condition = holding(OH_NN_BOOL, 1, &one, &no), data = holding(OH_NN_FLOAT32, 1, &one, &f32);
    tensor out = make1(OH_NN_FLOAT32, one);
    uint32_t result, inputs[2], y;
    model m;
    start(&m), feed(&m, &condition), feed(&m, &data), expect(&m, &out);
    y = m.outs[0], inputs[0] = m.ins[0], inputs[1] = m.ins[1];
    result = gb_tensor(&m.g, OH_NN_BOOL, 1, &one);
    cr_assert_eq(gb_op(&m.g, OH_NN_OPS_ASSERT, 2, inputs, 1, &result), OH_NN_SUCCESS, "%s", nnrt_last_error());
    m.in_count = 1, m.ins[0] = inputs[1], m.outs[0] = y;
    fails(&m, OH_NN_OPS_ABS, "ASSERT: the condition is false");
    drop(&condition), drop(&data), drop(&out);
}

Test(lookup, a_condition_and_its_result_are_bool) {
    const int32_t one = 1, two = 2;
    tensor condition = make1(OH_NN_BOOL, one), data = make1(OH_NN_FLOAT32, one), out = make1(OH_NN_BOOL, one);
    tensor wide = make1(OH_NN_BOOL, two);
    model m;
    start(&m), feed(&m, &data), feed(&m, &data), expect(&m, &out);
    refused(&m, OH_NN_OPS_ASSERT, "the condition must be bool");
    start(&m), feed(&m, &condition), feed(&m, &data), expect(&m, &data);
    refused(&m, OH_NN_OPS_ASSERT, "the output must be bool");
    start(&m), feed(&m, &condition), feed(&m, &data), expect(&m, &wide), refused(&m, OH_NN_OPS_ASSERT, "declared as");
    drop(&condition), drop(&data), drop(&out), drop(&wide);
}
