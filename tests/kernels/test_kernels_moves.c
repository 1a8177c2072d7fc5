/* SPDX-License-Identifier: Apache-2.0 */
/* What moves bytes without looking at them: every piece of every size lands where its steps say, and nothing beside it
   is touched. */
#include "linked_kernels.h"

#include <criterion/criterion.h>

#define SEED 20260101u
#include "noise.h"

enum {
    ROWS = 5,
    COLUMNS = 37,
    LARGEST = 20
};

/* Sides with gaps, without gaps, transposed, and one that is walked backwards. */
static nnrt__plane_steps steps_of(int form, ptrdiff_t size, ptrdiff_t *first) {
    const nnrt__plane_steps forms[4] = {
        {COLUMNS * size, size}, {COLUMNS * (size + 3) + 1, size + 3}, {size, ROWS * size}, {-(COLUMNS * size), -size}};
    *first = form == 3 ? (ROWS - 1) * COLUMNS * size + (COLUMNS - 1) * size : 0;
    return forms[form];
}

static size_t reach_of(int form, size_t size) {
    if (form == 1) return (ROWS - 1) * (COLUMNS * (size + 3) + 1) + (COLUMNS - 1) * (size + 3) + size;
    return (size_t)ROWS * COLUMNS * size;
}

Test(kernels_moves, pieces_of_every_size_land_where_their_steps_say) {
    size_t size;
    for (size = 1; size <= LARGEST; size++) {
        int from, to;
        for (from = 0; from < 4; from++)
            for (to = 0; to < 4; to++) {
                ptrdiff_t s_first, d_first;
                const nnrt__plane_steps s = steps_of(from, (ptrdiff_t)size, &s_first);
                const nnrt__plane_steps d = steps_of(to, (ptrdiff_t)size, &d_first);
                const size_t s_bytes = reach_of(from, size), d_bytes = reach_of(to, size);
                uint8_t *source = (uint8_t *)malloc(s_bytes), *got = (uint8_t *)malloc(d_bytes);
                uint8_t *expected = (uint8_t *)malloc(d_bytes);
                size_t i;
                ptrdiff_t row, column;
                cr_assert(source != NULL && got != NULL && expected != NULL);
                for (i = 0; i < s_bytes; i++) source[i] = (uint8_t)noise();
                for (i = 0; i < d_bytes; i++) expected[i] = got[i] = (uint8_t)noise();
                for (row = 0; row < ROWS; row++)
                    for (column = 0; column < COLUMNS; column++)
                        for (i = 0; i < size; i++)
                            expected[d_first + row * d.row + column * d.column + (ptrdiff_t)i] =
                                source[s_first + row * s.row + column * s.column + (ptrdiff_t)i];
                nnrt__copy_plane(got + d_first, d, source + s_first, s, size, ROWS, COLUMNS);
                cr_assert_arr_eq(got, expected, d_bytes, "pieces of %zu bytes from form %d to form %d", size, from, to);
                free(source);
                free(got);
                free(expected);
            }
    }
}
