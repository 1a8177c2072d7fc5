/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/copy_box_scalar.h - moves a box of bytes: the one copy behind slice, concat, transpose, tile and
   their like.

   A box is a nest of counted loops around a run of contiguous bytes; each loop steps by its own number of
   bytes in the source and in the destination. Nothing here knows an element or its type, so every data type
   goes the same way, and nothing has to be aligned. A negative source step walks backwards, a step of 0
   repeats. */
#ifndef NNRT_KERNELS_COPY_BOX_SCALAR_H
#define NNRT_KERNELS_COPY_BOX_SCALAR_H

#include "copy_plane_scalar.h"

/* Two loops for each of ten axes: enough to tile a tensor of the highest rank. */
#define NNRT__BOX_RANK 20u

/* In bytes, except count. Loop 0 is the outermost. */
typedef struct nnrt__box {
    uint32_t rank;       /* loops, 0..NNRT__BOX_RANK */
    uint32_t run;        /* >= 1 */
    uint32_t src_offset; /* of the first run */
    uint32_t dst_offset;
    int32_t count[NNRT__BOX_RANK]; /* >= 1 */
    int32_t src_step[NNRT__BOX_RANK];
    int32_t dst_step[NNRT__BOX_RANK];
} nnrt__box;

/* The byte range [*low, *high) that one side of a box reaches, relative to its first run. */
NNRT__ASSERT_FN void nnrt__box_reach(const nnrt__box *box, const int32_t *step, ptrdiff_t *low, ptrdiff_t *high) {
    uint32_t i;
    *low = 0;
    *high = (ptrdiff_t)box->run;
    for (i = 0; i < box->rank; i++) *(step[i] < 0 ? low : high) += (ptrdiff_t)step[i] * (box->count[i] - 1);
}

NNRT__ASSERT_FN bool nnrt__box_is_right(const nnrt__box *box, const void *dst, const void *src, uint32_t last) {
    const uint8_t *to = (const uint8_t *)dst + box->dst_offset, *from = (const uint8_t *)src + box->src_offset;
    ptrdiff_t low[2], high[2];
    uint32_t i;
    NNRT_ASSERT(dst != NULL && src != NULL && box->rank <= NNRT__BOX_RANK && box->run >= 1);
    for (i = 0; i < box->rank; i++) NNRT_ASSERT(box->count[i] >= 1);
    NNRT_ASSERT(last <= (box->rank == 0 ? 1u : (uint32_t)box->count[0]));
    nnrt__box_reach(box, box->dst_step, &low[0], &high[0]);
    nnrt__box_reach(box, box->src_step, &low[1], &high[1]);
    NNRT_ASSERT(low[0] >= -(ptrdiff_t)box->dst_offset && low[1] >= -(ptrdiff_t)box->src_offset);
    NNRT_ASSERT(nnrt__is_apart(to + low[0], (size_t)(high[0] - low[0]), from + low[1], (size_t)(high[1] - low[1])));
    return true;
}

/* Copies one run, through a table of 256 bytes if there is one. */
NNRT__INLINE void nnrt__copy_run(uint8_t *dst, const uint8_t *src, size_t run, const uint8_t *table) {
    size_t i;
    if (table == NULL) {
        memcpy(dst, src, run);
        return;
    }
    for (i = 0; i < run; i++) dst[i] = table[src[i]];
}

/* rows by columns runs. */
NNRT__FN void nnrt__copy_runs(uint8_t *dst, nnrt__plane_steps dst_steps, const uint8_t *src,
                              nnrt__plane_steps src_steps, size_t run, const uint8_t *table, int32_t rows,
                              int32_t columns) {
    int32_t row, column;
    if (table == NULL) {
        nnrt__copy_plane(dst, dst_steps, src, src_steps, run, (size_t)rows, (size_t)columns);
        return;
    }
    for (row = 0; row < rows; row++)
        for (column = 0; column < columns; column++)
            nnrt__copy_run(dst + row * dst_steps.row + column * dst_steps.column,
                           src + row * src_steps.row + column * src_steps.column, run, table);
}

/* Repeats one run count times: each memcpy doubles what is there, up to a piece that fits the first-level cache. */
NNRT__FN void nnrt__repeat_run(uint8_t *dst, const uint8_t *src, size_t run, const uint8_t *table, size_t count) {
    const size_t size = run * count;
    size_t done = run;
    NNRT_ASSERT(run >= 1 && count >= 1);
    nnrt__copy_run(dst, src, run, table);
    while (done < size) {
        size_t piece = done < 4096 || run > 4096 ? done : 4096 / run * run;
        if (piece > size - done) piece = size - done;
        memcpy(dst + done, dst, piece);
        done += piece;
    }
}

/* The two innermost loops, in squares of 32: one side of a transposition strides across cache lines, and 32 of them
   stay in the first-level cache until they are used up. */
NNRT__FN void nnrt__copy_squares(const nnrt__box *box, uint32_t loop, int32_t first, int32_t last, uint8_t *dst,
                                 const uint8_t *src, const uint8_t *table) {
    const nnrt__plane_steps dst_steps = {box->dst_step[loop], box->dst_step[loop + 1]};
    const nnrt__plane_steps src_steps = {box->src_step[loop], box->src_step[loop + 1]};
    int32_t row, column;
    for (row = first; row < last; row += 32) {
        const int32_t rows = last - row < 32 ? last - row : 32;
        for (column = 0; column < box->count[loop + 1]; column += 32) {
            const int32_t columns = box->count[loop + 1] - column < 32 ? box->count[loop + 1] - column : 32;
            nnrt__copy_runs(dst + row * dst_steps.row + column * dst_steps.column, dst_steps,
                            src + row * src_steps.row + column * src_steps.column, src_steps, box->run, table, rows,
                            columns);
        }
    }
}

/* Iterations [first, last) of the outermost loop; [0, 1) if there is no loop.

   pre   every byte that the loops reach is inside src and dst, which do not overlap; rank, run and count as
         above. table: 256 bytes that each byte is mapped through, or NULL.
   post dst holds the box, other bytes of dst are untouched. If steps of dst make runs overlap, it is unspecified which
   one stays. */
NNRT__FN void nnrt__copy_box_scalar(const nnrt__box *box, void *dst, const void *src, const uint8_t *table,
                                    uint32_t first, uint32_t last) {
    uint8_t *to = (uint8_t *)dst + box->dst_offset;
    const uint8_t *from = (const uint8_t *)src + box->src_offset;
    int32_t at[NNRT__BOX_RANK];
    uint32_t outer, loop;
    NNRT_ASSERT(nnrt__box_is_right(box, dst, src, last));
    if (first >= last) return;
    if (box->rank == 0) {
        nnrt__copy_run(to, from, box->run, table);
        return;
    }
    if (box->rank == 1) {
        const nnrt__plane_steps dst_steps = {0, box->dst_step[0]}, src_steps = {0, box->src_step[0]};
        to += (ptrdiff_t)first * box->dst_step[0];
        from += (ptrdiff_t)first * box->src_step[0];
        if (box->src_step[0] == 0 && (uint32_t)box->dst_step[0] == box->run)
            nnrt__repeat_run(to, from, box->run, table, last - first);
        else nnrt__copy_runs(to, dst_steps, from, src_steps, box->run, table, 1, (int32_t)(last - first));
        return;
    }
    if (box->rank == 2) {
        nnrt__copy_squares(box, 0, (int32_t)first, (int32_t)last, to, from, table);
        return;
    }
    outer = box->rank - 2;
    memset(at, 0, sizeof(at));
    at[0] = (int32_t)first;
    to += (ptrdiff_t)first * box->dst_step[0];
    from += (ptrdiff_t)first * box->src_step[0];
    for (;;) {
        nnrt__copy_squares(box, outer, 0, box->count[outer], to, from, table);
        for (loop = outer; loop-- > 0;) {
            const int32_t end = loop == 0 ? (int32_t)last : box->count[loop];
            to += box->dst_step[loop];
            from += box->src_step[loop];
            if (++at[loop] < end) break;
            if (loop == 0) return;
            to -= (ptrdiff_t)at[loop] * box->dst_step[loop];
            from -= (ptrdiff_t)at[loop] * box->src_step[loop];
            at[loop] = 0;
        }
    }
}

/* ------------------------------------------------------------------------------------- mirrored padding

   Element i of a mirrored axis of n elements and `before` elements in front is element j of the source, with
   j = i - before inside, and outside it mirrored at the edge: edge 0 leaves the outermost element single
   (reflect), edge 1 doubles it (symmetric). */

#define NNRT__MIRROR_RANK 10u

typedef struct nnrt__mirror {
    uint32_t rank;                     /* 1..NNRT__MIRROR_RANK */
    uint32_t element_size;             /* bytes */
    uint32_t edge;                     /* 0: reflect, 1: symmetric */
    uint32_t reserved;                 /* 0 */
    int32_t dims[NNRT__MIRROR_RANK];   /* of the source, >= 1 */
    int32_t before[NNRT__MIRROR_RANK]; /* 0..dims - 1 + edge */
    int32_t after[NNRT__MIRROR_RANK];
} nnrt__mirror;

NNRT__INLINE int32_t nnrt__mirrored(int32_t i, int32_t n, int32_t edge) {
    return i < 0 ? -i - edge : i >= n ? (n - 1 - i) + (n - 1) + edge : i;
}

NNRT__ASSERT_FN bool nnrt__mirror_is_right(const nnrt__mirror *mirror, const void *dst, const void *src, size_t first,
                                           size_t last) {
    size_t from = mirror->element_size, to = from, rows = 1;
    uint32_t i;
    NNRT_ASSERT(dst != NULL && src != NULL && mirror->element_size >= 1 && mirror->edge <= 1);
    NNRT_ASSERT(mirror->rank >= 1 && mirror->rank <= NNRT__MIRROR_RANK);
    for (i = 0; i < mirror->rank; i++) {
        const int32_t most = mirror->dims[i] - 1 + (int32_t)mirror->edge;
        const size_t padded = (size_t)mirror->dims[i] + (size_t)mirror->before[i] + (size_t)mirror->after[i];
        NNRT_ASSERT(mirror->dims[i] >= 1 && mirror->before[i] >= 0 && mirror->after[i] >= 0);
        NNRT_ASSERT(mirror->before[i] <= most && mirror->after[i] <= most);
        from *= (size_t)mirror->dims[i];
        to *= padded;
        if (i + 1 < mirror->rank) rows *= padded;
    }
    NNRT_ASSERT(first <= last && last <= rows);
    NNRT_ASSERT(nnrt__is_apart(src, from, dst, to));
    return true;
}

/* Rows [first, last) of the output; a row is its innermost axis, the rows are in row-major order.

   pre   mirror as above; src holds its dims, dst those and the padding; they do not overlap. */
NNRT__FN void nnrt__pad_mirror_scalar(const nnrt__mirror *mirror, void *dst, const void *src, size_t first,
                                      size_t last) {
    const uint32_t inner = mirror->rank - 1;
    const size_t size = mirror->element_size;
    const int32_t n = mirror->dims[inner], before = mirror->before[inner], after = mirror->after[inner];
    const int32_t edge = (int32_t)mirror->edge;
    const size_t row_size = ((size_t)n + (size_t)before + (size_t)after) * size;
    size_t row;
    NNRT_ASSERT(nnrt__mirror_is_right(mirror, dst, src, first, last));
    for (row = first; row < last; row++) {
        uint8_t *to = (uint8_t *)dst + row * row_size;
        const uint8_t *from = (const uint8_t *)src;
        size_t rest = row, stride = (size_t)n * size;
        uint32_t axis;
        int32_t i;
        for (axis = inner; axis-- > 0;) {
            const int32_t dim = mirror->dims[axis];
            const size_t padded = (size_t)dim + (size_t)mirror->before[axis] + (size_t)mirror->after[axis];
            const int32_t at = (int32_t)(rest % padded) - mirror->before[axis];
            from += (size_t)nnrt__mirrored(at, dim, edge) * stride;
            rest /= padded;
            stride *= (size_t)dim;
        }
        for (i = 0; i < before; i++, to += size)
            memcpy(to, from + (size_t)nnrt__mirrored(i - before, n, edge) * size, size);
        memcpy(to, from, (size_t)n * size);
        to += (size_t)n * size;
        for (i = 0; i < after; i++, to += size) memcpy(to, from + (size_t)nnrt__mirrored(n + i, n, edge) * size, size);
    }
}

#endif /* NNRT_KERNELS_COPY_BOX_SCALAR_H */
