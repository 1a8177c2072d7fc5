/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that .tflite models move elements where their operators say, with shapes that only the run knows: files of one
   operator are made, read, compiled for the CPU and run, and every element is compared with loops that are written
   here. */
#include "linked.h"

#include <criterion/criterion.h>

#include <math.h>

#define SEED 81177u

#include "noise.h"
#include "run_tflite.h"

static const int32_t open_dims[NNRT_MAX_RANK] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

/* A tensor whose shape only values decide. */
static tensor_spec open_tensor(int type, uint32_t rank) {
    static const int32_t ones[NNRT_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    tensor_spec t = tensor(type, rank, ones);
    t.signature = open_dims;
    return t;
}

static void fails(const spec *s, const memory *in, size_t in_count, const memory *out, const char *word) {
    cr_assert_neq((int)try_run(s, in, in_count, out, 1), (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), word), "no \"%s\" in \"%s\"", word, nnrt_last_error());
}

/* ------------------------------------------------------------------------------------- GATHER in batches */

/* value [batches, outer, dim, inner], indices [batches, taken], result [batches, outer, taken, inner]. */
Test(tflite_moves, gather_in_batches_has_indices_of_its_own_for_each) {
    static const int types[3] = {FLOAT32, INT8, INT64};
    int drawn;
    for (drawn = 0; drawn < 60; drawn++) {
        const int type = types[drawn % 3], width = type == FLOAT32 ? 4 : type == INT8 ? 1 : 8;
        const int32_t v[4] = {noise_in(1, 4), noise_in(1, 3), noise_in(1, 6), noise_in(1, 3)};
        const int32_t at[2] = {v[0], noise_in(1, 5)}, y_dims[4] = {v[0], v[1], at[1], v[3]};
        const bool wide = drawn % 2 != 0;
        const int64_t options[2] = {drawn % 4 < 2 ? 2 : -2, drawn % 5 == 0 ? -1 : 1};
        const size_t values = (size_t)(v[0] * v[1] * v[2] * v[3]), results = (size_t)(v[0] * v[1] * at[1] * v[3]);
        const size_t piece = (size_t)(v[3] * width), rows = (size_t)(at[0] * at[1]);
        uint8_t *x = (uint8_t *)malloc(values * (size_t)width), *y = (uint8_t *)malloc(results * (size_t)width);
        int32_t narrow[20];
        int64_t broad[20];
        tensor_spec t[2];
        memory in[2], out = mem(y, results * (size_t)width);
        size_t i;
        int b, o, k;
        spec s;
        for (i = 0; i < values * (size_t)width; i++) x[i] = (uint8_t)noise_in(0, 255);
        for (i = 0; i < rows; i++) broad[i] = narrow[i] = noise_in(0, v[2] - 1);
        t[0] = tensor(type, 4, v);
        t[1] = tensor(wide ? INT64 : INT32, 2, at);
        s = operator_of(36, 2, t, tensor(type, 4, y_dims));
        option(&s, 23, 2, options);
        in[0] = mem(x, values * (size_t)width);
        in[1] = wide ? mem(broad, 8 * rows) : mem(narrow, 4 * rows);
        run(&s, in, 2, &out, 1);
        for (b = 0; b < v[0]; b++)
            for (o = 0; o < v[1]; o++)
                for (k = 0; k < at[1]; k++) {
                    const uint8_t *from = x + (size_t)((b * v[1] + o) * v[2] + narrow[b * at[1] + k]) * piece;
                    const uint8_t *to = y + (size_t)((b * v[1] + o) * at[1] + k) * piece;
                    cr_assert_eq(memcmp(from, to, piece), 0, "seed %u, drawn %d: %d, %d, %d", SEED, drawn, b, o, k);
                }
        free(x);
        free(y);
    }
}

Test(tflite_moves, gather_refuses_batches_that_are_not_there) {
    static const int32_t v[2] = {2, 3}, at[2] = {2, 2}, other[2] = {3, 2};
    int64_t options[2] = {1, 1};
    float x[6] = {0}, y[4];
    int32_t chosen[4] = {0, 2, 1, 3};
    memory in[2], out = mem(y, sizeof y);
    tensor_spec t[2];
    spec s;
    in[0] = mem(x, sizeof x);
    in[1] = mem(chosen, sizeof chosen);
    t[0] = tensor(FLOAT32, 2, v);
    t[1] = tensor(INT32, 2, at);
    s = operator_of(36, 2, t, tensor(FLOAT32, 2, at));
    option(&s, 23, 2, options);
    fails(&s, in, 2, &out, "GATHER: index 3 is outside an axis of 3 elements");
    s.options[0] = 0;
    refused(&s, "more batches than axes");
    s.options[0] = 1;
    s.options[1] = -3;
    refused(&s, "more batches than axes");
    s.options[1] = 1;
    s.tensors[1] = tensor(INT32, 2, other);
    refused(&s, "do not have the batches of the input");
}

/* ------------------------------------------------------------------------------------- RANGE */

static spec range_of(int type) {
    tensor_spec t[3];
    t[0] = t[1] = t[2] = tensor(type, 0, open_dims);
    return operator_of(96, 3, t, open_tensor(type, 1));
}

Test(tflite_moves, a_range_of_the_run_counts_to_its_limit) {
    static const int32_t numbers[][3] = {{0, 5, 1}, {0, 5, 2}, {5, 0, -2}, {-3, -2, 7}, {2147483640, 2147483647, 3}};
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(numbers); i++) {
        const spec s = range_of(INT32), w = range_of(INT64);
        int32_t three[3], y[8];
        int64_t wide[3], z[8];
        memory in[3], out = mem(y, sizeof y);
        memcpy(three, numbers[i], sizeof three);
        for (k = 0; k < 3; k++) in[k] = mem(&three[k], 4);
        run(&s, in, 3, &out, 1);
        for (k = 0; k < 3; k++) {
            wide[k] = three[k];
            in[k] = mem(&wide[k], 8);
        }
        out = mem(z, sizeof z);
        run(&w, in, 3, &out, 1);
        for (k = 0; k < 8; k++) {
            const int64_t want = wide[0] + (int64_t)k * wide[2];
            if (wide[2] > 0 ? want >= wide[1] : want <= wide[1]) break;
            cr_assert(y[k] == want && z[k] == want, "range %zu, %zu: %d", i, k, (int)y[k]);
        }
        cr_assert_gt(k, 0);
    }
}

/* As many as the quotient rounded up, and each the one before and a step, in float. */
Test(tflite_moves, a_range_of_floats_adds_its_step) {
    static const float numbers[][3] = {{0, 1, 0.1f}, {1, -1, -0.25f}, {0.5f, 0.75f, 3}, {-1e8f, -1e8f + 64, 8}};
    static const size_t counts[] = {10, 8, 1, 8};
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(numbers); i++) {
        const spec s = range_of(FLOAT32);
        float three[3], y[16], want = numbers[i][0];
        memory in[3], out = mem(y, 4 * counts[i]);
        memcpy(three, numbers[i], sizeof three);
        for (k = 0; k < 3; k++) in[k] = mem(&three[k], 4);
        run(&s, in, 3, &out, 1);
        for (k = 0; k < counts[i]; k++, want += three[2])
            cr_assert_eq(y[k], want, "range %zu, %zu: %g", i, k, (double)y[k]);
        if (counts[i] == 1) continue;
        out.size -= 4;
        cr_assert_neq((int)try_run(&s, in, 3, &out, 1), (int)OH_NN_SUCCESS, "range %zu in too few bytes", i);
    }
}

Test(tflite_moves, a_range_whose_numbers_are_of_two_types_is_refused) {
    int64_t x[3] = {0, 3, 1};
    int64_t y[4];
    spec s = range_of(INT32);
    memory in[3] = {mem(&x[0], 4), mem(&x[1], 8), mem(&x[2], 4)}, out = mem(y, sizeof y);
    s.tensors[1].type = INT64;
    fails(&s, in, 3, &out, "first, limit and step are not one element each, of the output's type");
    s = range_of(FLOAT32);
    s.tensors[2] = list(FLOAT32, 2);
    in[1] = mem(&x[1], 4), in[2] = mem(&x[1], 8);
    fails(&s, in, 3, &out, "first, limit and step are not one element each, of the output's type");
}

Test(tflite_moves, a_range_of_nothing_is_refused) {
    static const float reals[][3] = {{0, 1, 0}, {0, 1, -1}, {1, 1, 1}, {0, 1, 1e-30f}, {0, NAN, 1}, {0, INFINITY, 1}};
    static const char *const words[] = {"the step is 0", "empty", "empty", "too large", "empty", "too large"};
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(reals); i++) {
        const spec s = range_of(FLOAT32), n = range_of(INT32);
        float three[3], y[4];
        int32_t whole[3];
        memory in[3], out = mem(y, sizeof y);
        memcpy(three, reals[i], sizeof three);
        for (k = 0; k < 3; k++) in[k] = mem(&three[k], 4);
        fails(&s, in, 3, &out, words[i]);
        if (i > 2) continue;
        for (k = 0; k < 3; k++) {
            whole[k] = (int32_t)three[k];
            in[k] = mem(&whole[k], 4);
        }
        fails(&n, in, 3, &out, words[i]);
    }
}

/* ------------------------------------------------------------------------------------- BROADCAST_TO, BROADCAST_ARGS */

Test(tflite_moves, broadcast_to_takes_its_shape_in_the_run) {
    int drawn;
    for (drawn = 0; drawn < 40; drawn++) {
        const uint32_t rank = (uint32_t)noise_in(1, 4), small = (uint32_t)noise_in(1, (int32_t)rank);
        int32_t dims[4], x_dims[4], target[4];
        int64_t wide[4];
        float x[256], y[256];
        size_t count = 1, values = 1, i;
        memory in[2], out;
        tensor_spec t[2];
        uint32_t k;
        spec s;
        for (k = 0; k < rank; k++) {
            wide[k] = target[k] = dims[k] = noise_in(1, 4);
            count *= (size_t)dims[k];
        }
        for (k = 0; k < small; k++) {
            x_dims[k] = noise_in(0, 1) ? dims[k + rank - small] : 1;
            values *= (size_t)x_dims[k];
        }
        for (i = 0; i < values; i++) x[i] = (float)noise_between(-9, 9);
        t[0] = tensor(FLOAT32, small, x_dims);
        t[1] = list(drawn % 2 ? INT64 : INT32, (int32_t)rank);
        s = operator_of(130, 2, t, open_tensor(FLOAT32, rank));
        in[0] = mem(x, 4 * values);
        in[1] = drawn % 2 ? mem(wide, 8 * rank) : mem(target, 4 * rank);
        out = mem(y, 4 * count);
        run(&s, in, 2, &out, 1);
        for (i = 0; i < count; i++) {
            size_t rest = i, at = 0, stride = 1;
            for (k = rank; k-- > 0;) {
                const size_t coordinate = rest % (size_t)dims[k];
                rest /= (size_t)dims[k];
                if (k + small < rank) continue;
                if (x_dims[k + small - rank] != 1) at += coordinate * stride;
                stride *= (size_t)x_dims[k + small - rank];
            }
            cr_assert_eq(y[i], x[at], "seed %u, drawn %d, element %zu", SEED, drawn, i);
        }
    }
}

Test(tflite_moves, broadcast_to_a_shape_that_does_not_fit_fails_the_run) {
    tensor_spec t[2] = {list(FLOAT32, 3), list(INT32, 2)};
    const spec s = operator_of(130, 2, t, open_tensor(FLOAT32, 2));
    float x[3] = {1, 2, 3}, y[8];
    int32_t shape[2] = {2, 4};
    memory in[2], out = mem(y, sizeof y);
    in[0] = mem(x, sizeof x);
    in[1] = mem(shape, sizeof shape);
    fails(&s, in, 2, &out, "does not broadcast");
    shape[1] = 0;
    fails(&s, in, 2, &out, "does not broadcast");
    shape[0] = shape[1] = -3;
    fails(&s, in, 2, &out, "does not broadcast");
}

Test(tflite_moves, broadcast_args_is_the_shape_with_which_both_broadcast) {
    int wide;
    for (wide = 0; wide < 2; wide++) {
        static const int64_t a[3] = {1, 4, 5}, b[2] = {4, 1}, bad[2] = {3, 5};
        tensor_spec t[2] = {list(wide ? INT64 : INT32, 3), list(wide ? INT64 : INT32, 2)};
        uint8_t x[24], z[16], y[24];
        memory in[2], out = mem(y, wide ? 24 : 12);
        spec s = operator_of(145, 2, t, list(wide ? INT64 : INT32, 3));
        int i, turn;
        in[0] = mem(x, wide ? 24 : 12);
        in[1] = mem(z, wide ? 16 : 8);
        for (i = 0; i < 3; i++) memcpy(x + i * (wide ? 8 : 4), &a[i], wide ? 8 : 4);
        for (turn = 0; turn < 3; turn++) { /* the longer one first, last, and one that does not fit */
            for (i = 0; i < 2; i++) memcpy(z + i * (wide ? 8 : 4), turn < 2 ? &b[i] : &bad[i], wide ? 8 : 4);
            s.inputs[0] = turn == 1;
            s.inputs[1] = turn != 1;
            if (turn == 2) {
                fails(&s, in, 2, &out, "ASSERT: the condition is false");
                continue;
            }
            run(&s, in, 2, &out, 1);
            cr_assert_eq(memcmp(y, x, out.size), 0);
        }
        s.tensors[1].type = wide ? INT32 : INT64;
        refused(&s, "not two lists of int32 or of int64");
    }
}

/* ------------------------------------------------------------------------------------- WHERE */

Test(tflite_moves, where_lists_the_places_of_what_is_not_zero) {
    static const int types[4] = {BOOL, FLOAT32, INT32, INT8};
    int drawn;
    for (drawn = 0; drawn < 40; drawn++) {
        const int type = types[drawn % 4];
        const int32_t dims[3] = {noise_in(1, 4), noise_in(1, 4), noise_in(1, 4)};
        const size_t count = (size_t)(dims[0] * dims[1] * dims[2]);
        const tensor_spec t = tensor(type, 3, dims);
        const spec s = operator_of(109, 1, &t, open_tensor(INT64, 2));
        uint8_t bytes_in[64];
        float reals[64];
        int32_t words[64];
        int64_t want[64 * 3], got[64 * 3];
        size_t places = 0, i;
        memory in, out;
        for (i = 0; i < count; i++) {
            const int kind = i + 1 == count ? 1 : noise_in(0, 2);
            bytes_in[i] = kind == 1 ? type == BOOL ? 1 : 0x80 : 0;
            reals[i] = kind == 1 ? NAN : kind == 2 ? -0.0f : 0.0f;
            words[i] = kind == 1 ? INT32_MIN : 0;
            if (kind != 1) continue;
            want[3 * places] = (int64_t)i / (dims[1] * dims[2]);
            want[3 * places + 1] = (int64_t)i / dims[2] % dims[1];
            want[3 * places++ + 2] = (int64_t)i % dims[2];
        }
        in = type == FLOAT32 ? mem(reals, 4 * count) : type == INT32 ? mem(words, 4 * count) : mem(bytes_in, count);
        out = mem(got, 24 * places);
        run(&s, &in, 1, &out, 1);
        cr_assert_eq(memcmp(got, want, 24 * places), 0, "seed %u, drawn %d", SEED, drawn);
    }
}

Test(tflite_moves, where_refuses_what_it_cannot_list) {
    static const int32_t one[1] = {1};
    tensor_spec t = list(BOOL, 4);
    uint8_t x[4] = {0};
    int64_t y[4];
    memory in = mem(x, sizeof x), out = mem(y, sizeof y);
    spec s = operator_of(109, 1, &t, open_tensor(INT64, 2));
    fails(&s, &in, 1, &out, "empty");
    t = tensor(BOOL, 0, one);
    s = operator_of(109, 1, &t, open_tensor(INT64, 2));
    in.size = x[0] = 1;
    fails(&s, &in, 1, &out, "has no axes");
    t = list(BOOL, 2048); /* a shape of the run may depend on a short input only */
    s = operator_of(109, 1, &t, open_tensor(INT64, 2));
    refused(&s, "more than 1 KiB");
    t = list(FLOAT64, 1);
    s = operator_of(109, 1, &t, open_tensor(INT64, 2));
    in = mem(y, 8);
    fails(&s, &in, 1, &out, "no kernel for this data type");
    t = list(BOOL, 1);
    s = operator_of(109, 1, &t, open_tensor(FLOAT32, 2));
    in = mem(x, 1);
    fails(&s, &in, 1, &out, "the output must be int32 or int64");
}

/* ------------------------------------------------------------------------------------- CUMSUM */

/* Place i of a lane of n, from the end where the sum runs backwards. */
static size_t met(size_t i, size_t n, int64_t reverse) { return reverse != 0 ? n - 1 - i : i; }

Test(tflite_moves, cumsum_adds_up_along_any_axis) {
    static const int types[3] = {FLOAT32, INT32, INT64};
    int drawn;
    for (drawn = 0; drawn < 72; drawn++) {
        const int type = types[drawn % 3];
        const int32_t dims[3] = {noise_in(1, 5), noise_in(1, 5), noise_in(1, 5)}, axis = drawn / 12 - 3;
        const int64_t options[2] = {drawn / 3 % 2, drawn / 6 % 2};
        const size_t n = (size_t)dims[(axis + 3) % 3], stride = (size_t)(axis == 0 || axis == -3   ? dims[1] * dims[2]
                                                                         : axis == 1 || axis == -2 ? dims[2]
                                                                                                   : 1);
        const size_t count = (size_t)(dims[0] * dims[1] * dims[2]), width = type == INT64 ? 8 : 4;
        const tensor_spec t = tensor(type, 3, dims);
        spec s = operator_of(128, 1, &t, t);
        float fx[125], fy[125];
        int32_t nx[125], ny[125];
        int64_t wx[125], wy[125];
        memory in = type == FLOAT32 ? mem(fx, width * count)
                    : type == INT32 ? mem(nx, width * count)
                                    : mem(wx, width * count);
        memory out = type == FLOAT32 ? mem(fy, width * count)
                     : type == INT32 ? mem(ny, width * count)
                                     : mem(wy, width * count);
        size_t lane, i;
        for (i = 0; i < count; i++) {
            fx[i] = (float)noise_between(-1, 1);
            nx[i] = noise_in(-3, 3) * 715827882; /* wraps */
            wx[i] = (int64_t)nx[i] * INT32_MAX;
        }
        add_constant(&s, INT32, 1, &axis, 4);
        option(&s, 102, 2, options);
        run(&s, &in, 1, &out, 1);
        for (lane = 0; lane < count / n; lane++) {
            const size_t first = lane / stride * stride * n + lane % stride;
            float real = 0;
            uint32_t narrow = 0;
            uint64_t wide = 0;
            for (i = 0; i < n; i++) {
                const size_t at = first + met(i, n, options[1]) * stride;
                const float real_before = real;
                const uint32_t narrow_before = narrow;
                const uint64_t wide_before = wide;
                real += fx[at];
                narrow += (uint32_t)nx[at];
                wide += (uint64_t)wx[at];
                if (type == FLOAT32)
                    cr_assert_eq(fy[at], options[0] ? real_before : real, "seed %u, drawn %d", SEED, drawn);
                if (type == INT32)
                    cr_assert_eq((uint32_t)ny[at], options[0] ? narrow_before : narrow, "seed %u, drawn %d", SEED,
                                 drawn);
                if (type == INT64)
                    cr_assert_eq((uint64_t)wy[at], options[0] ? wide_before : wide, "seed %u, drawn %d", SEED, drawn);
            }
        }
    }
}

/* The real sum, rounded, from that of the byte 0 on, whose real value is not 0 where the zero point is not. */
Test(tflite_moves, cumsum_of_bytes_is_the_sum_of_what_they_stand_for) {
    int drawn;
    for (drawn = 0; drawn < 60; drawn++) {
        const int32_t n = noise_in(1, 300), axis = 0;
        const int64_t options[2] = {drawn % 2, drawn / 2 % 2};
        tensor_spec t = list(INT8, n), u = t;
        int8_t x[300], y[300];
        memory in = mem(x, (size_t)n), out = mem(y, (size_t)n);
        double sum;
        spec s;
        int i;
        t.scale = (float)noise_between(0.01, 0.1);
        u.scale = (float)noise_between(0.01, 4.0);
        t.zero = drawn % 3 == 0 ? 0 : noise_in(-128, 127);
        u.zero = noise_in(-128, 127);
        for (i = 0; i < n; i++) x[i] = (int8_t)noise_in(-128, 127);
        s = operator_of(128, 1, &t, u);
        add_constant(&s, INT32, 1, &axis, 4);
        option(&s, 102, 2, options);
        run(&s, &in, 1, &out, 1);
        sum = -(double)t.zero;
        for (i = 0; i < n; i++) {
            const size_t at = met((size_t)i, (size_t)n, options[1]);
            const double before = sum;
            double q;
            sum += x[at] - (double)t.zero;
            q = (options[0] ? before : sum) * (double)t.scale / (double)u.scale + (double)u.zero;
            q = q < -128 ? -128 : q > 127 ? 127 : q;
            cr_assert(fabs(y[at] - q) <= 0.5001, "seed %u, drawn %d, byte %d: %d, not %g", SEED, drawn, i, y[at], q);
        }
    }
}

Test(tflite_moves, cumsum_refuses_axes_and_scales_that_it_cannot_take) {
    static const int32_t past = 1, two[2] = {0, 0};
    tensor_spec t = list(FLOAT32, 4), u;
    spec s = operator_of(128, 1, &t, t);
    add_constant(&s, INT32, 1, &past, 4);
    refused(&s, "the axis is out of range");
    u = list(INT8, 4);
    s = operator_of(128, 1, &u, u);
    add_constant(&s, INT32, 1, two, 4);
    refused(&s, "int8 sums need one scale for the input and one for the output");
    s = operator_of(128, 1, &t, t);
    add_constant(&s, INT32, 2, two, 8);
    refused(&s, "no short list of whole numbers");
    t = list(INT16, 4);
    s = operator_of(128, 1, &t, t);
    add_constant(&s, INT32, 1, two, 4);
    refused(&s, "no kernel for this data type");
    t = u = list(INT8, 4);
    t.scale = 1;
    u.scale = 1e-6f;
    s = operator_of(128, 1, &t, u);
    add_constant(&s, INT32, 1, two, 4);
    refused(&s, "the scale of the output is too small");
}

/* ------------------------------------------------------------------------------------- DYNAMIC_UPDATE_SLICE */

Test(tflite_moves, dynamic_update_slice_puts_the_part_where_the_run_says) {
    static const int types[4] = {FLOAT32, INT8, BOOL, INT64};
    int drawn;
    for (drawn = 0; drawn < 120; drawn++) {
        const uint32_t rank = (uint32_t)noise_in(1, 4);
        const int type = types[drawn % 4];
        const size_t width = type == FLOAT32 ? 4 : type == INT64 ? 8 : 1;
        const bool wide = noise_in(0, 1) != 0, whole = noise_in(0, 5) == 0;
        int32_t dims[4], sizes[4], starts[4], first[4];
        int64_t wide_starts[4];
        size_t count = 1, part_count = 1, i;
        uint8_t *x, *part, *y;
        tensor_spec t[3];
        memory in[3], out;
        uint32_t k;
        spec s;
        for (k = 0; k < rank; k++) {
            dims[k] = noise_in(1, 5);
            sizes[k] = whole ? dims[k] : noise_in(1, dims[k]);
            wide_starts[k] = starts[k] = noise_in(-2, 6);
            if (noise_in(0, 9) == 0) wide_starts[k] = starts[k] = noise_in(0, 1) ? INT32_MAX : INT32_MIN;
            first[k] = starts[k] < 0 ? 0 : starts[k] > dims[k] - sizes[k] ? dims[k] - sizes[k] : starts[k];
            count *= (size_t)dims[k];
            part_count *= (size_t)sizes[k];
        }
        x = (uint8_t *)malloc(count * width);
        y = (uint8_t *)malloc(count * width);
        part = (uint8_t *)malloc(part_count * width);
        for (i = 0; i < count * width; i++) x[i] = (uint8_t)noise_in(0, type == BOOL ? 1 : 255);
        for (i = 0; i < part_count * width; i++) part[i] = (uint8_t)noise_in(0, type == BOOL ? 1 : 255);
        t[0] = tensor(type, rank, dims);
        t[1] = tensor(type, rank, sizes);
        t[2] = list(wide ? INT64 : INT32, (int32_t)rank);
        s = operator_of(151, 3, t, t[0]);
        in[0] = mem(x, count * width);
        in[1] = mem(part, part_count * width);
        in[2] = wide ? mem(wide_starts, 8 * rank) : mem(starts, 4 * rank);
        out = mem(y, count * width);
        run(&s, in, 3, &out, 1);
        for (i = 0; i < count; i++) {
            size_t rest = i, at = 0, stride = 1;
            bool inside = true;
            for (k = rank; k-- > 0;) {
                const int32_t coordinate = (int32_t)(rest % (size_t)dims[k]) - first[k];
                rest /= (size_t)dims[k];
                inside = inside && coordinate >= 0 && coordinate < sizes[k];
                if (inside) at += (size_t)coordinate * stride;
                stride *= (size_t)sizes[k];
            }
            cr_assert_eq(memcmp(y + i * width, inside ? part + at * width : x + i * width, width), 0,
                         "seed %u, drawn %d, element %zu", SEED, drawn, i);
        }
        free(x);
        free(y);
        free(part);
    }
}

Test(tflite_moves, dynamic_update_slice_refuses_parts_that_do_not_fit) {
    static const int32_t square[2] = {2, 3}, large[2] = {2, 4};
    tensor_spec t[3];
    spec s;
    t[0] = t[1] = tensor(FLOAT32, 2, square);
    t[2] = list(INT32, 2);
    s = operator_of(151, 3, t, t[0]);
    s.tensors[1] = tensor(FLOAT32, 2, large);
    refused(&s, "the part is larger than the whole");
    s.tensors[1] = list(FLOAT32, 2);
    refused(&s, "the part has other axes than the whole");
    s.tensors[1] = tensor(INT32, 2, square);
    refused(&s, "an output does not have the data type of the input");
    s.tensors[1] = t[1];
    s.tensors[2] = list(INT32, 1);
    refused(&s, "not an int32 or int64 for each axis");
    s.tensors[2] = list(FLOAT32, 2);
    refused(&s, "not an int32 or int64 for each axis");
}

/* ------------------------------------------------------------------------------------- axes and sizes of the run */

Test(tflite_moves, parts_and_extremes_along_an_axis_of_the_run) {
    static const int32_t square[2] = {2, 3}, one = 1;
    float x[6] = {3, 1, 2, -4, 6, 5}, parts[2][6];
    const int64_t options[1] = {2};
    int32_t axis, at[3], sizes[2];
    tensor_spec t[3];
    memory in[3], out[2];
    int code;
    spec s;
    in[0] = mem(x, sizeof x);
    in[1] = mem(&axis, 4);
    t[0] = tensor(FLOAT32, 2, square);
    t[1] = tensor(INT32, 0, &one);
    for (code = 56; code <= 79; code += 23) { /* ARG_MAX, ARG_MIN */
        static const int32_t want[2][2][3] = {{{0, 1, 1}, {0, 1, 0}}, {{1, 0, 0}, {1, 0, 0}}};
        s = operator_of(code, 2, t, open_tensor(INT32, 1));
        for (axis = -2; axis < 0; axis++) {
            out[0] = mem(at, axis == -2 ? 12 : 8);
            run(&s, in, 2, out, 1);
            cr_assert_eq(memcmp(at, want[code != 56][axis == -1], out[0].size), 0, "operator %d, axis %d", code, axis);
        }
        axis = 2;
        fails(&s, in, 2, out, "the axis is out of range");
    }
    t[2] = list(INT32, 2); /* SPLIT_V: the value, sizes, the axis */
    s = operator_of(102, 3, t, open_tensor(FLOAT32, 2));
    s.inputs[1] = 2;
    s.inputs[2] = 1;
    s.tensors[s.tensor_count] = open_tensor(FLOAT32, 2);
    s.outputs[s.output_count++] = (int32_t)s.tensor_count++;
    option(&s, 79, 1, options);
    in[2] = mem(sizes, sizeof sizes);
    axis = 1;
    for (code = 0; code < 2; code++) {
        sizes[0] = code == 0 ? -1 : 2;
        sizes[1] = code == 0 ? 1 : -1;
        out[0] = mem(parts[0], 16);
        out[1] = mem(parts[1], 8);
        run(&s, in, 3, out, 2);
        cr_assert(parts[0][0] == 3 && parts[0][1] == 1 && parts[0][2] == -4 && parts[0][3] == 6);
        cr_assert(parts[1][0] == 2 && parts[1][1] == 5);
    }
    sizes[0] = sizes[1] = -1;
    cr_assert_neq((int)try_run(&s, in, 3, out, 2), (int)OH_NN_SUCCESS);
    sizes[0] = sizes[1] = 1;
    cr_assert_neq((int)try_run(&s, in, 3, out, 2), (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), "do not add up to the axis"), "%s", nnrt_last_error());
    s = operator_of(49, 2, t, open_tensor(FLOAT32, 2)); /* SPLIT: the axis, the value */
    s.inputs[0] = 1;
    s.inputs[1] = 0;
    s.tensors[s.tensor_count] = open_tensor(FLOAT32, 2);
    s.outputs[s.output_count++] = (int32_t)s.tensor_count++;
    option(&s, 35, 1, options);
    axis = 0;
    out[0] = mem(parts[0], 12);
    out[1] = mem(parts[1], 12);
    run(&s, in, 2, out, 2);
    cr_assert(memcmp(parts[0], x, 12) == 0 && memcmp(parts[1], x + 3, 12) == 0);
    axis = 1;
    cr_assert_neq((int)try_run(&s, in, 2, out, 2), (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), "cannot be split into equal parts"), "%s", nnrt_last_error());
}

/* Twice as wide and high, with positions o / 2: an element, and the mean of neighbours between them. */
Test(tflite_moves, resize_bilinear_takes_its_size_in_the_run) {
    static const int32_t dims[4] = {1, 2, 2, 1};
    float x[4] = {0, 4, 8, 16}, y[16];
    static const float want[16] = {0, 2, 4, 4, 4, 7, 10, 10, 8, 12, 16, 16, 8, 12, 16, 16};
    int32_t size[2] = {4, 4};
    tensor_spec t[2];
    memory in[2], out = mem(y, sizeof y);
    spec s;
    t[0] = tensor(FLOAT32, 4, dims);
    t[1] = list(INT32, 2);
    s = operator_of(23, 2, t, open_tensor(FLOAT32, 4));
    in[0] = mem(x, sizeof x);
    in[1] = mem(size, sizeof size);
    run(&s, in, 2, &out, 1);
    cr_assert_arr_eq(y, want, sizeof y);
    size[1] = 0;
    fails(&s, in, 2, &out, "below 1");
    t[1] = list(INT32, 1);
    s = operator_of(23, 2, t, open_tensor(FLOAT32, 4));
    in[1].size = 4;
    fails(&s, in, 2, &out, "is not a height and a width");
}
