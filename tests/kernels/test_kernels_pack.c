/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_pack.c - packed weights: every packing is the block that its fields say, of the size that it tells. */
#include "linked_kernels.h"

#include <criterion/criterion.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SEED 20240611u

#include "levels.h"
#include "noise.h"

/* A packing of any shape: int8 with three words in front, or float with one. */
static nnrt__packing shape(uint32_t element, uint32_t nr, uint32_t kr, uint32_t marks) {
    nnrt__packing p;
    memset(&p, 0, sizeof p);
    p.element = (uint8_t)element, p.head = element == 1 ? 3 : 1;
    p.nr = (uint8_t)nr, p.kr = (uint8_t)kr, p.mr = 1, p.pieces = 1, p.marks = (uint8_t)marks;
    p.align = 64;
    return p;
}

static bool packed_size(uint32_t element, size_t n, size_t pieces, size_t piece, uint32_t nr, uint32_t kr,
                        size_t *size) {
    const nnrt__packing p = shape(element, nr, kr, 0);
    return nnrt__packing_size(&p, n, pieces, piece, size);
}

Test(pack, sizes_that_do_not_fit_are_refused) {
    size_t size = 77;
    cr_expect_not(packed_size(1, 1, 1, SIZE_MAX, 16, 2, &size));
    cr_expect_not(packed_size(1, SIZE_MAX, 1, 64, 8, 2, &size));
    cr_expect_not(packed_size(1, 16, 1, SIZE_MAX / 16, 16, 2, &size));
    cr_expect_not(packed_size(1, 16, SIZE_MAX / 16, 16, 16, 2, &size));
    cr_expect_not(packed_size(1, 1, SIZE_MAX, 1, 1, 8, &size));
    cr_expect_not(packed_size(4, 1, 1, SIZE_MAX / 4, 1, 1, &size));
    cr_expect_not(packed_size(4, SIZE_MAX / 8, 1, 1, 1, 1, &size));
    cr_expect_eq(size, 77);
    cr_expect(packed_size(1, 0, 1, 5, 8, 2, &size) && size == 0);
    cr_expect(packed_size(1, 9, 1, 5, 8, 2, &size) && size == 2 * (96 + 48 + 48));
    cr_expect(packed_size(1, 9, 3, 1, 8, 2, &size) && size == 2 * (96 + 48 + 48));
    cr_expect(packed_size(4, 9, 1, 9, 8, 1, &size) && size == 2 * 320);
}

/* What kernels step by must be what the checked sizes are made of. */
Test(pack, sizes_are_whole_tiles) {
    for (uint32_t nr = 1; nr <= 24; nr++)
        for (uint32_t kr = 1; kr <= 8; kr *= 2)
            for (size_t k = 0; k < 40; k++)
                for (uint32_t marks = 0; marks < 2; marks++) {
                    const nnrt__packing s8 = shape(1, nr, kr, marks), f32 = shape(4, nr, kr, 0);
                    size_t size = 0, pieces = 1 + k % 3;
                    cr_assert(nnrt__packing_size(&s8, 3 * nr, pieces, k, &size));
                    cr_assert_eq(size, 3 * nnrt__packing_tile_size(&s8, nnrt__packed_depth(pieces, k, kr)));
                    cr_assert(nnrt__packing_size(&f32, 3 * nr, pieces, k, &size));
                    cr_assert_eq(size, 3 * nnrt__packing_tile_size(&f32, nnrt__packed_depth(pieces, k, kr)));
                }
}

/* A model in flash pays for each byte of padding: that of weights that are loaded as bytes is that of the next tile's
   words in front. */
Test(pack, tiles_of_what_loads_no_vectors_are_padded_to_words_only) {
    for (size_t k = 1; k < 70; k++) {
        size_t size = 0;
        cr_assert(nnrt__packing_size(nnrt__target_find("scalar")->gemm_s8[0], 7, 1, k, &size));
        cr_expect_eq(size, 7 * (12 + (k + 3) / 4 * 4), "k = %zu", k);
        cr_assert(nnrt__packing_size(nnrt__target_find("scalar")->dw_s8[0], 7, 1, k, &size));
        cr_expect_eq(size, 7 * (12 + (k + 3) / 4 * 4), "k = %zu", k);
    }
}

/* What all channels have in common is stored once: the point of a shared packing. */
Test(pack, a_factor_that_all_channels_share_stands_once_in_front_of_the_tiles) {
    int32_t bias[3] = {11, 22, 33}, multiplier[3] = {44, 44, 44}, shift[3] = {-5, -5, -5};
    for (size_t i = 0; i < NNRT__TARGET_COUNT; i++)
        for (size_t k = 1; k < 40; k++) {
            const nnrt__packing *own = nnrt__targets[i].gemm_s8[0], *p = nnrt__targets[i].gemm_s8[1];
            int8_t w[3 * 40];
            const nnrt__weights from = {w, 3, 1, k, (ptrdiff_t)k, 1, bias, multiplier, shift, {NULL, NULL}};
            const size_t tile_size = nnrt__packing_tile_size(p, nnrt__packed_depth(1, k, p->kr));
            size_t size = 0, own_size = 0;
            uint8_t *packed;
            if (!nnrt__packing_is_shared(p)) continue;
            for (size_t j = 0; j < 3 * k; j++) w[j] = (int8_t)noise_in(-128, 127);
            cr_assert(nnrt__packing_size(own, 3, 1, k, &own_size) && nnrt__packing_size(p, 3, 1, k, &size));
            cr_expect_eq(size, own_size - 3 * 8 + 8);
            packed = malloc(size);
            nnrt__pack(packed, p, &from);
            cr_expect(nnrt__kernel_read_i32(packed) == 44 && nnrt__kernel_read_i32(packed + 4) == -5);
            for (size_t c = 0; c < 3; c++) {
                const uint8_t *tile = packed + 8 + c * tile_size;
                cr_expect_eq(nnrt__kernel_read_i32(tile), bias[c]);
                cr_expect_eq(memcmp(tile + 4, w + c * k, k), 0);
            }
            free(packed);
        }
}

Test(pack, a_packing_keeps_its_number_and_every_target_pads_few_channels_least) {
    uint32_t seen[64], count = 0;
#define SEE(name, number, ...) seen[count++] = nnrt__packing_##name.id;
    NNRT__PACKINGS(SEE)
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++) cr_assert_neq(seen[i], seen[j], "two packings are number %u", seen[i]);
    for (size_t i = 0; i < NNRT__TARGET_COUNT; i++) {
        const nnrt__target *target = nnrt__target_find(nnrt__targets[i].name);
        cr_assert_not_null(target);
        cr_expect_str_eq(target->name, nnrt__targets[i].name);
        cr_expect_eq(nnrt__target_of(target->isa), target);
        for (size_t n = 1; n < 70; n++) {
            const nnrt__packing *p = nnrt__packing_pick(target->gemm_s8, n);
            const size_t padded = (n + p->nr - 1) / p->nr * p->nr;
            for (size_t k = 0; k < 2; k++) {
                const size_t nr = target->gemm_s8[k]->nr;
                cr_assert_leq(padded, (n + nr - 1) / nr * nr);
            }
        }
    }
}

/* [n][k] and its transpose [k][n] give one block; without a bias that block begins with zeros. Floats lie
   anywhere. */
Test(pack, strides_and_alignment_do_not_show_in_the_block) {
    enum {
        N = 11,
        K = 7,
        NR = 4,
        KR = 2
    };
    int8_t rows[N * K], columns[N * K];
    int32_t multiplier[N], shift[N];
    float frows[N * K];
    uint8_t fcolumns[N * K * 4 + 1], *a, *b;
    const nnrt__weights by_rows = {rows, N, 1, K, K, 1, NULL, multiplier, shift, {NULL, NULL}};
    const nnrt__weights by_columns = {columns, N, 1, K, 1, N, NULL, multiplier, shift, {NULL, NULL}};
    const nnrt__weights f_by_rows = {frows, N, 1, K, K, 1, NULL, NULL, NULL, {NULL, NULL}};
    const nnrt__weights f_by_columns = {fcolumns + 1, N, 1, K, 1, N, NULL, NULL, NULL, {NULL, NULL}};
    static const uint8_t zeros[16];
    size_t size = 0, fsize = 0;
    for (size_t n = 0; n < N; n++) {
        multiplier[n] = (int32_t)n + 1;
        shift[n] = -(int32_t)n;
        for (size_t k = 0; k < K; k++) {
            rows[n * K + k] = columns[k * N + n] = (int8_t)noise_in(-128, 127);
            frows[n * K + k] = (float)noise_in(-1000, 1000);
            memcpy(fcolumns + 1 + (k * N + n) * 4, &frows[n * K + k], 4);
        }
    }
    for (uint32_t kr = 1; kr <= KR; kr++) {
        const nnrt__packing s8 = shape(1, NR, kr, 1), f32 = shape(4, NR, kr, 0);
        cr_assert(nnrt__packing_size(&s8, N, 1, K, &size) && nnrt__packing_size(&f32, N, 1, K, &fsize));
        a = malloc(fsize);
        b = malloc(fsize);
        cr_assert(size <= fsize);
        nnrt__pack(a, &s8, &by_rows);
        nnrt__pack(b, &s8, &by_columns);
        cr_expect_eq(memcmp(a, b, size), 0);
        cr_expect_eq(memcmp(a, zeros, sizeof zeros), 0);
        memset(a, 0xee, fsize);
        nnrt__pack(a, &f32, &f_by_rows);
        nnrt__pack(b, &f32, &f_by_columns);
        cr_expect_eq(memcmp(a, b, fsize), 0);
        free(a);
        free(b);
    }
}

#define ADDRESS(name, ...) &nnrt__packing_##name,
static const nnrt__packing *const packings[] = {NNRT__PACKINGS(ADDRESS)};
#undef ADDRESS

/* Every packing that there is against its definition, for rows longer than a block and for weights in any order. */
Test(pack, puts_every_weight_where_its_packing_says_and_zeros_elsewhere) {
    static const size_t ks[] = {1, 7, 8, 67, 530};
    static const size_t ns[] = {1, 8, 17};
    int32_t words[17] = {0};
    for (size_t row = 0; row < sizeof packings / sizeof *packings; row++) {
        const nnrt__packing *p = packings[row];
        for (size_t at = 0; at < sizeof ks / sizeof *ks * 3 * 3 * 2; at++) {
            const size_t piece = ks[at / 18], n = ns[at / 6 % 3], order = at / 2 % 3, pieces = 1 + at % 2;
            const size_t k = pieces * piece, e = p->element, depth = nnrt__packed_depth(pieces, piece, p->kr);
            /* rows with a gap behind each, columns, columns with a gap */
            const size_t n_stride = order == 0 ? k + 3 : order, k_stride = order == 0 ? 1 : n * order;
            const size_t all = (n - 1) * n_stride + (k - 1) * k_stride + 1;
            uint8_t *w = malloc(all * e), *want, *got;
            const nnrt__weights from = {w,    n,     pieces, piece,       (ptrdiff_t)n_stride, (ptrdiff_t)k_stride,
                                        NULL, words, words,  {NULL, NULL}};
            size_t size = 0;
            cr_assert(nnrt__packing_size(p, n, pieces, piece, &size));
            want = calloc(1, size);
            got = malloc(size);
            memset(got, 0xee, size);
            for (size_t i = 0; i < all * e; i++) w[i] = (uint8_t)noise_in(-127, 127);
            if (at % 5 == 0) w[(k - 1) * k_stride * e] = 0x80;
            for (size_t c = 0; c < n; c++) {
                uint8_t *tile = want + nnrt__packing_front(p) + c / p->nr * nnrt__packing_tile_size(p, depth);
                uint8_t *to = tile + 4 * p->head * p->nr + 16u * p->marks;
                for (size_t i = 0; i < k; i++) {
                    const size_t group = i / piece * (depth / pieces / p->kr) + i % piece / p->kr;
                    const uint8_t *one = w + (c * n_stride + i * k_stride) * e;
                    memcpy(to + (group * p->nr * p->kr + nnrt__packed_place(p, c % p->nr, i % piece % p->kr)) * e, one,
                           e);
                    if (p->marks && *one == 0x80) tile[4 * p->head * p->nr] = 1;
                }
            }
            nnrt__pack(got, p, &from);
            cr_assert_eq(memcmp(got, want, size), 0, "packing %u: %zu channels, %zu pieces of %zu, order %zu",
                         (unsigned)p->id, n, pieces, piece, order);
            free(w);
            free(want);
            free(got);
        }
    }
}

Test(pack, weights_are_summed_and_searched_for_the_lowest_in_any_number) {
    for (size_t n = 0; n < 1300; n += n < 40 ? 1 : 211)
        for (int how = 0; how < 4; how++) {
            int8_t *w = malloc(n);
            uint32_t sum = 0;
            bool lowest = false;
            for (size_t i = 0; i < n; i++) {
                w[i] = (int8_t)(how == 0 ? -128 : how == 1 ? 127 : noise_in(how == 2 ? -127 : -128, 127));
                sum += (uint32_t)w[i] & 0xffu;
                sum -= w[i] < 0 ? 256u : 0u;
                lowest = lowest || w[i] == -128;
            }
            cr_assert_eq(nnrt__sum_s8(w, n), sum, "%zu weights", n);
            cr_assert_eq(nnrt__has_lowest((const uint8_t *)w, n), lowest, "%zu weights", n);
            for (size_t i = 0; how == 2 && i < n; i += 1 + n / 20) {
                const int8_t before = w[i];
                w[i] = -128;
                cr_assert(nnrt__has_lowest((const uint8_t *)w, n), "number %zu of %zu", i, n);
                w[i] = before;
            }
            free(w);
        }
}

/* The mark of a tile says whether a weight of its own channels is -128. */
Test(pack, a_mark_stands_in_the_tiles_that_have_the_lowest_weight) {
    enum {
        N = 12,
        K = 5,
        NR = 4
    };
    const nnrt__packing p = shape(1, NR, 2, 1);
    int32_t words[N] = {0};
    int8_t w[N * K];
    size_t size = 0;
    cr_assert(nnrt__packing_size(&p, N, 1, K, &size));
    for (size_t at = 0; at < N * K; at++) {
        const nnrt__weights from = {w, N, 1, K, K, 1, NULL, words, words, {NULL, NULL}};
        uint8_t *packed = malloc(size);
        memset(w, -127, sizeof w);
        w[at] = -128;
        nnrt__pack(packed, &p, &from);
        for (size_t tile = 0; tile < N / NR; tile++)
            cr_assert_eq(nnrt__kernel_read_i32(packed + tile * (size / 3) + 12 * NR), at / K / NR == tile ? 1 : 0);
        free(packed);
    }
}

/* The second mark of a tile says whether a factor of its own channels is 1 or more. */
Test(pack, a_mark_stands_in_the_tiles_that_have_a_factor_of_one_or_more) {
    enum {
        N = 12,
        NR = 4
    };
    const nnrt__packing p = shape(1, NR, 2, 1);
    int32_t multiplier[N], shift[N];
    int8_t w[N] = {0};
    size_t size = 0;
    cr_assert(nnrt__packing_size(&p, N, 1, 1, &size));
    for (size_t at = 0; at < N; at++)
        for (int32_t how = -1; how < 2; how++) { /* a factor below 1, one of 0, one above 1 */
            const nnrt__weights from = {w, N, 1, 1, 1, 1, NULL, multiplier, shift, {NULL, NULL}};
            uint8_t *packed = malloc(size);
            for (size_t i = 0; i < N; i++) multiplier[i] = INT32_MAX, shift[i] = -1;
            multiplier[at] = how == 0 ? 0 : INT32_MAX, shift[at] = how;
            nnrt__pack(packed, &p, &from);
            for (size_t tile = 0; tile < N / NR; tile++)
                cr_assert_eq(nnrt__kernel_read_i32(packed + tile * (size / 3) + 12 * NR + 4),
                             at / NR == tile && how > 0 ? 1 : 0);
            free(packed);
        }
}
