/* SPDX-License-Identifier: Apache-2.0 */
/* int16_reference.h - what the tests of int16 operators share: TensorFlow Lite's functions in 64-bit integers, and
   running a graph in several ways. Define SEED, and include linked.h and graph_builder.h, before it. */
#ifndef NNRT_TESTS_INT16_REFERENCE_H
#define NNRT_TESTS_INT16_REFERENCE_H

#include "int16_rescale.h"
#include "noise.h"

#include <math.h>
#include <stdio.h>

/* ------------------------------------------------------------------------------------------ the reference */

/* The sigmoid of the reference: linear between i / 24 and (i + 1) / 24, with 16-bit entries raised by half of the
   line's error in the middle; x in units of 1 / 24. */
NOISE_FN double sigmoid(double x) {
    double entry[2];
    const int at = (int)x;
    if (x >= 255) return -1;
    for (int k = 0; k < 2; k++) {
        const double y0 = 1 / (1 + exp(-(at + k) / 24.0)), y1 = 1 / (1 + exp(-(at + k + 1) / 24.0));
        const double middle = 1 / (1 + exp(-(at + k + 0.5) / 24.0));
        entry[k] = at + k == 255 ? 65535 : floor(65536 * (y0 + (middle - (y0 + y1) / 2) / 2) + 0.5);
    }
    return (entry[0] + (x - at) * (entry[1] - entry[0])) / 65536;
}

/* Logistic or tanh in 15 bits of x / (3 * 4096). */
NOISE_FN int16_t sigmoid_at(bool is_tanh, double x) {
    double y = sigmoid(fabs(x) / (is_tanh ? 256 : 512));
    if (y < 0) y = is_tanh ? 65535.0 / 65536 : 32767.0 / 32768;
    if (is_tanh) y = 2 * y - 1;
    /* ties go up, on both sides of zero */
    if (x >= 0) return (int16_t)floor(y * 32768 + 0.5);
    return (int16_t)ceil((is_tanh ? -y : 1 - y) * 32768 - 0.5);
}

/* The same of q * scale. */
NOISE_FN int16_t sigmoid_reference(bool is_tanh, double scale, int16_t q) {
    const double power = ldexp(scale, 12);
    double factor = scale * 3 * 4096;
    int shift = 0;
    if (power == 1 || (is_tanh && power == 2)) return sigmoid_at(is_tanh, 3 * power * q);
    for (; factor <= 32767.0 / 2; factor *= 2) shift++;
    return sigmoid_at(is_tanh, floor(q * floor(factor) / ldexp(1, shift) + 0.5));
}

NOISE_FN int16_t to_s16(int64_t x, double scale, int activation) {
    int64_t low = -32768, high = 32767;
    if (activation != OH_NN_FUSED_NONE) low = 0;
    if (activation == OH_NN_FUSED_RELU6) {
        high = llround((double)(6.0f / (float)scale));
        if (high > 32767) high = 32767;
    }
    return (int16_t)(x < low ? low : x > high ? high : x);
}

/* ------------------------------------------------------------------------------------- running a graph */

static const struct {
    const char *isa, *threads;
} ways[] = {{NULL, NULL}, {"scalar", NULL}, {"sse41", NULL}, {"avx2", NULL}, {"neon", "3"}, {NULL, "2"}};
enum {
    WAYS = sizeof ways / sizeof ways[0]
};

/* Can this machine run it that way? Every machine can the first two. */
NOISE_FN bool has_way(size_t w) {
    unsigned isa = 0;
    return ways[w].isa == NULL || (nnrt__isa_from_name(ways[w].isa, &isa) && (isa & ~nnrt__cpu_levels()) == 0);
}

NOISE_FN void open_way(gb_graph *g, size_t w) {
    gb_open(g);
    g->isa = ways[w].isa;
    g->threads = ways[w].threads;
}

NOISE_FN uint32_t tensor_s16(gb_graph *g, size_t rank, const int32_t *dims, double scale) {
    return gb_quantize(g, gb_tensor(g, OH_NN_INT16, rank, dims), 1, &scale, NULL);
}

/* Builds, runs with exact-size copies, and closes. */
NOISE_FN void run_and_close(gb_graph *g, const void *in, size_t in_size, void *out, size_t out_size) {
    void *input = malloc(in_size), *output = malloc(out_size);
    memcpy(input, in, in_size);
    cr_assert_eq(gb_build(g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(gb_run(g, gb_buffer(input, in_size), gb_buffer(output, out_size)), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    memcpy(out, output, out_size);
    free(input);
    free(output);
    gb_close(g);
}

NOISE_FN void expect(const int16_t *got, const int16_t *want, size_t count, const char *what, size_t w) {
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(got[i], want[i], "seed %u, %s, way %zu [%zu]: %d, not %d", SEED, what, w, i, got[i], want[i]);
}

#endif /* NNRT_TESTS_INT16_REFERENCE_H */
