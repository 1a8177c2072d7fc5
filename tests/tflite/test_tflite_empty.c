/* SPDX-License-Identifier: Apache-2.0 */
/* Proves what becomes of tensors without elements in .tflite files: the graph does without them, and what is left has
   the values that no elements mean. Files of one or two operators are made, read, compiled for the CPU and run. */
#include "linked.h"

#include <criterion/criterion.h>

#include <math.h>

#define SEED 5521u

#include "noise.h"
#include "run_tflite.h"

/* An operator that reads tensor 0, [2, 3] floats and the input of the model, and tensors that are added. */
static spec floats_to(int code, int type, uint32_t rank, const int32_t *dims) {
    static const int32_t square[2] = {2, 3};
    const tensor_spec t = tensor(FLOAT32, 2, square);
    return operator_of(code, 1, &t, tensor(type, rank, dims));
}

/* One more input of the operator. */
static int32_t add(spec *s, tensor_spec t) {
    s->tensors[s->tensor_count] = t;
    s->inputs[s->input_count++] = (int32_t)s->tensor_count;
    return (int32_t)s->tensor_count++;
}

static const int32_t none[1] = {0}, no_rows[2] = {0, 3}, no_columns[2] = {2, 0}, square[2] = {2, 3};
static float x[6] = {1, -2, 3, 4, 5, -6};

static memory input(void) { return mem(x, sizeof x); }

/* The result of floats. */
static void gives(const spec *s, const float *want, size_t count) {
    float y[16];
    memory in = input(), out = mem(y, 4 * count);
    size_t i;
    run(s, &in, 1, &out, 1);
    for (i = 0; i < count; i++)
        cr_assert(isnan(want[i]) ? isnan(y[i]) : y[i] == want[i], "operator %d, %zu: %g, not %g", s->code, i,
                  (double)y[i], (double)want[i]);
}

Test(tflite_empty, concatenation_does_without_them) {
    static const int32_t four[2] = {4, 3};
    const float twice[12] = {1, -2, 3, 4, 5, -6, 1, -2, 3, 4, 5, -6};
    spec s = floats_to(2, FLOAT32, 2, square);
    (void)add(&s, tensor(FLOAT32, 2, no_rows));
    gives(&s, x, 6); /* a copy */
    s = floats_to(2, FLOAT32, 2, four);
    (void)add(&s, tensor(FLOAT32, 2, no_rows));
    s.inputs[s.input_count++] = 0;
    gives(&s, twice, 12);
    s = floats_to(2, FLOAT32, 2, square);
    s.inputs[0] = add(&s, tensor(FLOAT32, 2, no_rows));
    refused(&s, "its output has elements and no input has");
}

/* RELU of a slice of nothing, and a SUM of that: the slice and RELU are none, and the sum is 0. */
Test(tflite_empty, what_computes_only_them_is_no_node) {
    static const int32_t begin[2] = {1, 0}, end[2] = {1, 3}, strides[2] = {1, 1};
    const float zeros[3] = {0, 0, 0};
    static const int32_t three[1] = {3}, axis = 0;
    spec s = floats_to(45, FLOAT32, 2, no_rows);
    add_constant(&s, INT32, 2, begin, 8);
    add_constant(&s, INT32, 2, end, 8);
    add_constant(&s, INT32, 2, strides, 8);
    s.more[s.more_count++] = 74;
    s.then_inputs[0] = 1;
    add_constant(&s, INT32, 1, &axis, 4);
    s.then_inputs[1] = s.inputs[--s.input_count];
    s.then_input_count = 2;
    s.tensors[s.tensor_count] = tensor(FLOAT32, 1, three);
    s.then_output = s.model_outputs[0] = (int32_t)s.tensor_count++;
    s.model_output_count = 1;
    gives(&s, zeros, 3);
    s.more[0] = 19; /* RELU of it, and the model gives back what it was given */
    s.then_input_count = 1;
    s.tensors[s.then_output] = tensor(FLOAT32, 2, no_rows);
    s.model_outputs[0] = 0;
    gives(&s, x, 6);
}

Test(tflite_empty, reductions_of_nothing_are_what_no_elements_mean) {
    static const struct {
        int code;
        float want;
    } rows[] = {{74, 0}, {81, 1}, {82, -3.402823466e+38f}, {89, 3.402823466e+38f}, {40, NAN}};
    static const int32_t axis = 1, two[1] = {2};
    const int32_t wholes[] = {0, 1, INT32_MIN, INT32_MAX, 0};
    size_t i;
    int code;
    spec s;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        const float want[2] = {rows[i].want, rows[i].want};
        int32_t y[2];
        memory in = input(), out = mem(y, sizeof y);
        s = floats_to(rows[i].code, FLOAT32, 1, two);
        s.inputs[0] = add(&s, tensor(FLOAT32, 2, no_columns));
        s.input_count--;
        add_constant(&s, INT32, 1, &axis, 4);
        gives(&s, want, 2);
        s.tensors[1].type = s.tensors[2].type = INT32;
        run(&s, &in, 1, &out, 1);
        cr_assert(y[0] == wholes[i] && y[1] == wholes[i], "operator %d: %d", rows[i].code, (int)y[0]);
    }
    s.tensors[1].type = s.tensors[2].type = INT16;
    refused(&s, "a reduction of no elements in this data type");
    for (code = 91; code <= 140; code += 49) {
        uint8_t y[2] = {7, 7};
        memory in = input(), out = mem(y, sizeof y);
        s = floats_to(code, BOOL, 1, two);
        s.inputs[0] = add(&s, tensor(BOOL, 2, no_columns));
        s.input_count--;
        add_constant(&s, INT32, 1, &axis, 4);
        run(&s, &in, 1, &out, 1);
        cr_assert(y[0] == (code == 140) && y[1] == (code == 140), "operator %d: %d", code, (int)y[0]);
    }
}

/* TRANSPOSE, TILE, SUM ... with a list that names no axis, RESHAPE to a scalar. */
Test(tflite_empty, a_list_without_entries_changes_nothing) {
    static const int codes[] = {34, 40, 45, 60, 65, 69, 74, 82, 130};
    static const int32_t one[2] = {1, 1};
    size_t i;
    spec s;
    for (i = 0; i < NNRT__COUNT_OF(codes); i++) {
        s = floats_to(codes[i], FLOAT32, 2, square);
        (void)add(&s, list(INT32, 0));
        if (codes[i] == 45 || codes[i] == 65) (void)add(&s, list(INT32, 0));
        if (codes[i] == 45) (void)add(&s, list(INT32, 0));
        if (codes[i] == 60) add_constant(&s, FLOAT32, 1, x, 4);
        gives(&s, x, 6);
    }
    s = floats_to(22, FLOAT32, 0, one);
    s.tensors[0] = tensor(FLOAT32, 2, one);
    (void)add(&s, list(INT32, 0));
    {
        float y;
        memory in = mem(x, 4), out = mem(&y, 4);
        run(&s, &in, 1, &out, 1);
        cr_assert_eq(y, x[0]);
    }
    s = floats_to(39, INT8, 2, square); /* other numbers for the same bytes */
    s.tensors[0].type = INT8;
    s.tensors[0].scale = 0.5f;
    s.tensors[1].scale = 0.25f;
    (void)add(&s, list(INT32, 0));
    refused(&s, "an output of another quantization, and a list without entries, is not supported");
}

Test(tflite_empty, padding_around_nothing_is_padding) {
    static const int32_t pads[4] = {2, 0, 0, 0};
    static const float five = 5;
    const float zeros[6] = {0}, fives[6] = {5, 5, 5, 5, 5, 5};
    int8_t y[6];
    memory in = input(), out = mem(y, sizeof y);
    int i;
    spec s = floats_to(34, FLOAT32, 2, square);
    s.inputs[0] = add(&s, tensor(FLOAT32, 2, no_rows));
    s.input_count--;
    add_constant(&s, INT32, 4, pads, 16);
    gives(&s, zeros, 6);
    s.code = 60;
    add_constant(&s, FLOAT32, 1, &five, 4);
    gives(&s, fives, 6);
    s.code = 34;
    s.input_count--;
    s.tensors[1].type = s.tensors[2].type = INT8;
    s.tensors[1].scale = s.tensors[2].scale = 0.5f;
    s.tensors[1].zero = s.tensors[2].zero = -7;
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 6; i++) cr_assert_eq(y[i], -7);
}

Test(tflite_empty, shapes_are_numbers_all_the_same) {
    static const int32_t deep[3] = {4, 0, 5}, three[1] = {3};
    int32_t y[3], rank;
    int64_t wide[3];
    memory in = input(), out = mem(y, sizeof y);
    spec s = floats_to(77, INT32, 1, three);
    s.inputs[0] = add(&s, tensor(FLOAT32, 3, deep));
    s.input_count--;
    run(&s, &in, 1, &out, 1);
    cr_assert(y[0] == 4 && y[1] == 0 && y[2] == 5);
    s.tensors[1].type = INT64;
    out = mem(wide, sizeof wide);
    run(&s, &in, 1, &out, 1);
    cr_assert(wide[0] == 4 && wide[1] == 0 && wide[2] == 5);
    s.code = 110;
    s.tensors[1] = tensor(INT32, 0, three);
    out = mem(&rank, sizeof rank);
    run(&s, &in, 1, &out, 1);
    cr_assert_eq(rank, 3);
}

Test(tflite_empty, parts_that_are_not_there_are_left_out) {
    static const int32_t sizes[3] = {2, 0, 1}, axis = 1, two[2] = {2, 2}, one[2] = {2, 1}, start[2] = {0, 0};
    const int64_t parts[1] = {3};
    float a[4], b[2];
    memory in = input(), out[2];
    spec s = floats_to(102, FLOAT32, 2, two);
    add_constant(&s, INT32, 3, sizes, 12);
    add_constant(&s, INT32, 1, &axis, 4);
    option(&s, 79, 1, parts);
    s.tensors[s.tensor_count] = tensor(FLOAT32, 2, no_columns);
    s.outputs[1] = (int32_t)s.tensor_count++;
    s.tensors[s.tensor_count] = tensor(FLOAT32, 2, one);
    s.outputs[2] = (int32_t)s.tensor_count++;
    s.output_count = 3;
    s.model_outputs[0] = s.outputs[0];
    s.model_outputs[1] = s.outputs[2];
    s.model_output_count = 2;
    out[0] = mem(a, sizeof a);
    out[1] = mem(b, sizeof b);
    run(&s, &in, 1, out, 2);
    cr_assert(a[0] == 1 && a[1] == -2 && a[2] == 4 && a[3] == 5 && b[0] == 3 && b[1] == -6);
    s = floats_to(151, FLOAT32, 2, square);
    (void)add(&s, tensor(FLOAT32, 2, no_rows));
    add_constant(&s, INT32, 2, start, 8);
    gives(&s, x, 6);
}

Test(tflite_empty, what_needs_elements_is_refused) {
    spec s = floats_to(19, FLOAT32, 2, no_rows); /* RELU of elements has some */
    s.model_outputs[0] = 0;
    s.model_output_count = 1;
    refused(&s, "an output with a dimension of 0, of inputs that have none, is not supported");
    s = floats_to(0, FLOAT32, 2, square); /* and a sum has none where a term has not */
    (void)add(&s, tensor(FLOAT32, 2, no_rows));
    refused(&s, "tensor 2 has a dimension of 0");
    s = floats_to(2, FLOAT32, 2, no_rows); /* ends of the model */
    s.inputs[0] = add(&s, tensor(FLOAT32, 2, no_rows));
    refused(&s, "has no elements");
    s = floats_to(19, FLOAT32, 2, square);
    s.tensors[0] = tensor(FLOAT32, 2, no_rows);
    refused(&s, "tensor 0 has a dimension of 0");
    s = floats_to(39, FLOAT32, 1, none);
    (void)add(&s, list(INT32, 0));
    s.model_outputs[0] = 0;
    s.model_output_count = 1;
    refused(&s, "an output with a dimension of 0, of inputs");
}
