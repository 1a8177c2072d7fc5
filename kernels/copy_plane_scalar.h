/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/copy_plane_scalar.h - copies rows by columns of equal pieces of bytes between strides: the inner loops of
   everything that moves tensors. */
#ifndef NNRT_KERNELS_COPY_PLANE_SCALAR_H
#define NNRT_KERNELS_COPY_PLANE_SCALAR_H

#include "internal.h"

/* Bytes from one row, and one column, to the next on a side; they may be negative. */
typedef struct nnrt__plane_steps {
    ptrdiff_t row, column;
} nnrt__plane_steps;

/* size is a constant in all calls but one, so that each memcpy becomes a load and a store. */
NNRT__INLINE void nnrt__copy_plane_of(uint8_t *dst, nnrt__plane_steps dst_steps, const uint8_t *src,
                                      nnrt__plane_steps src_steps, size_t size, size_t rows, size_t columns) {
    for (; rows != 0; rows--, dst += dst_steps.row, src += src_steps.row) {
        uint8_t *to = dst;
        const uint8_t *from = src;
        size_t column;
        for (column = columns; column != 0; column--, to += dst_steps.column, from += src_steps.column)
            memcpy(to, from, size);
    }
}

/* Pieces of size bytes, any alignment. Source and destination do not overlap. */
NNRT__FN void nnrt__copy_plane(uint8_t *dst, nnrt__plane_steps dst_steps, const uint8_t *src,
                               nnrt__plane_steps src_steps, size_t size, size_t rows, size_t columns) {
    switch (size) { /* elements, pixels, blocks of common NPUs: without a call for each */
    case 1: nnrt__copy_plane_of(dst, dst_steps, src, src_steps, 1, rows, columns); break;
    case 2: nnrt__copy_plane_of(dst, dst_steps, src, src_steps, 2, rows, columns); break;
    case 3: nnrt__copy_plane_of(dst, dst_steps, src, src_steps, 3, rows, columns); break;
    case 4: nnrt__copy_plane_of(dst, dst_steps, src, src_steps, 4, rows, columns); break;
    case 8: nnrt__copy_plane_of(dst, dst_steps, src, src_steps, 8, rows, columns); break;
    case 16: nnrt__copy_plane_of(dst, dst_steps, src, src_steps, 16, rows, columns); break;
    default: nnrt__copy_plane_of(dst, dst_steps, src, src_steps, size, rows, columns); break;
    }
}

#endif /* NNRT_KERNELS_COPY_PLANE_SCALAR_H */
