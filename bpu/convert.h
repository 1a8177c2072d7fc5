/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/convert.h - tensors between the program's form and the memory of the board: pure functions on bytes.
   >>bpu_convert

   A walk merges dimensions that are contiguous on both sides and processes the rest in two-dimensional tiles: rows of
   elements, or a transposition if another dimension is innermost on the board. A tile that is not contiguous on the
   board, or needs a scale per element, is converted 256 elements at a time on the stack.

     store   every element to its place, everything else of the board's memory becomes 0
     load every element to the program; padding is ignored
   Numbers are converted as convert_scalar.h and npu/layout_scalar.h define, on every processor the same. */
#ifndef NNRT_BPU_CONVERT_H
#define NNRT_BPU_CONVERT_H

#include "convert_scalar.h"

#if !defined(NNRT_NO_SIMD) && (defined(__ARM_NEON) || defined(__ARM_NEON__) || defined(__aarch64__)) && \
    !defined(__ARM_BIG_ENDIAN) && !defined(__AARCH64EB__)
#include "convert_neon.h"
NNRT__FN void nnrt__bpu_select(nnrt__bpu_kernels *kernels) {
    nnrt__bpu_install_scalar(kernels);
    nnrt__layout_select(&kernels->layout);
    nnrt__bpu_install_neon(kernels);
}
#else
NNRT__FN void nnrt__bpu_select(nnrt__bpu_kernels *kernels) { nnrt__bpu_install_scalar(kernels); }
#endif

/* Elements of a tile on the stack; even, so that it begins at a byte if two share one. */
#define NNRT__BPU_TILE 256u

/* The merged dimensions, innermost first: number 0 is innermost for the program; on the board it is number 0 or
   (transposed) number 1. */
typedef struct nnrt__bpu_walk {
    uint32_t count; /* 2 at least */
    uint32_t size[NNRT__BPU_MAX_DIMS + 2];
    uint64_t board[NNRT__BPU_MAX_DIMS + 2];   /* stride in bits, because two elements may share a byte */
    uint64_t outside[NNRT__BPU_MAX_DIMS + 2]; /* bytes */
    uint32_t axis;                            /* the dimension with the scales; count: none */
    bool transposed;
} nnrt__bpu_walk;

/* What happens to an element. */
typedef enum nnrt__bpu_change {
    NNRT__BPU_COPY = 0,
    NNRT__BPU_NIBBLES = 1, /* 4 bits, and bytes */
    NNRT__BPU_KERNEL = 2,  /* a loop of npu/layout.h: one scale, or float16 */
    NNRT__BPU_DOUBLES = 3, /* float64, and float32 */
    NNRT__BPU_EACH = 4,    /* integers of up to 32 bits to float32, by a scale each */
    NNRT__BPU_SLOW = 5     /* any integers and float32, one by one */
} nnrt__bpu_change;

/* A prepared conversion: all that depends on the tensor and the form. 1.5 KB. */
typedef struct nnrt__bpu_job {
    const nnrt__bpu_tensor *tensor; /* outlives it */
    nnrt__bpu_kernels kernels;
    nnrt__bpu_walk walk;
    uint32_t bits; /* of an element on the board */
    uint32_t wide; /* bytes of one outside */
    bool stores;
    nnrt__bpu_change change;
    nnrt__layout_numbers_call convert; /* KERNEL */
    nnrt__layout_numbers numbers;
    double low, high; /* SLOW */
    bool has_zeros;
    uint32_t tile_rows, tile_columns;
    size_t cleared; /* bytes on the board that are cleared before elements are stored */
} nnrt__bpu_job;

/* State of a conversion under way; on the stack. */
typedef struct nnrt__bpu_scratch {
    /* EACH, SLOW: of the elements of the tile at hand */
    float scales[NNRT__BPU_TILE];
    int32_t zeros[NNRT__BPU_TILE];
    uint32_t first, rows, columns; /* for which tile: index on the axis, and shape; rows 0: none yet */
    int32_t words[NNRT__BPU_TILE];
    uint8_t bytes[NNRT__BPU_TILE * 8u];
} nnrt__bpu_scratch;

/* ------------------------------------------------------------------------------------------------- the walk */

/* Adds a dimension outside the existing ones, from the inside out; merges it with the last one if they are contiguous.
   is_axis: do not merge. */
NNRT__FN void nnrt__bpu_walk_add(nnrt__bpu_walk *walk, uint32_t size, uint64_t board, uint64_t outside, bool is_axis) {
    const uint32_t last = walk->count - 1;
    if (size == 1) return;
    if (walk->count != 0 && !is_axis && walk->axis != last && board == walk->board[last] * walk->size[last]) {
        walk->size[last] *= size;
        return;
    }
    NNRT_ASSERT(walk->count < NNRT__COUNT_OF(walk->size));
    if (is_axis) walk->axis = walk->count;
    walk->size[walk->count] = size;
    walk->board[walk->count] = board;
    walk->outside[walk->count] = outside;
    walk->count++;
}

NNRT__FN void nnrt__bpu_walk_swap(nnrt__bpu_walk *walk, uint32_t a, uint32_t b) {
    const uint32_t size = walk->size[a];
    const uint64_t board = walk->board[a], outside = walk->outside[a];
    walk->size[a] = walk->size[b];
    walk->board[a] = walk->board[b];
    walk->outside[a] = walk->outside[b];
    walk->size[b] = size;
    walk->board[b] = board;
    walk->outside[b] = outside;
    if (walk->axis == a) walk->axis = b;
    else if (walk->axis == b) walk->axis = a;
}

/* axis: the dimension of tensor that must not be merged; tensor->rank: none. */
NNRT__FN void nnrt__bpu_walk_of(nnrt__bpu_walk *walk, const nnrt__bpu_tensor *tensor, uint32_t axis, uint32_t bits,
                                uint32_t wide) {
    const uint32_t none = UINT32_MAX;
    uint64_t outside = wide;
    uint32_t i;
    memset(walk, 0, sizeof(*walk));
    walk->axis = none;
    for (i = tensor->rank; i != 0; i--) {
        const uint32_t size = (uint32_t)tensor->dims[i - 1];
        const bool packed = bits == 4 && i == tensor->rank;
        nnrt__bpu_walk_add(walk, size, packed ? 4 : (uint64_t)tensor->strides[i - 1] * 8, outside, i - 1 == axis);
        outside *= size;
    }
    for (i = 0; i < walk->count && walk->board[i] != bits; i++) continue;
    if (i != 0 && i < walk->count) { /* another dimension is innermost on the board: it becomes number 1 */
        nnrt__bpu_walk_swap(walk, 1, i);
        walk->transposed = true;
    } else if (i == walk->count) { /* none is: elements stand alone */
        for (; i != 0; i--) nnrt__bpu_walk_swap(walk, i, i - 1);
        walk->size[0] = 1;
        walk->board[0] = bits;
        walk->outside[0] = wide;
        walk->count++;
    }
    for (; walk->count < 2; walk->count++) walk->size[walk->count] = 1;
    NNRT_ASSERT(walk->count <= NNRT__COUNT_OF(walk->size));
    if (walk->axis == none) walk->axis = walk->count;
}

/* ------------------------------------------------------------------------------------------------ what to do */

/* Chooses the loop for a scale per element: needs differences that fit 32 bits, and for NEON suitable scales. */
NNRT__FN void nnrt__bpu_choose_each(nnrt__bpu_job *job) {
    const nnrt__bpu_tensor *tensor = job->tensor;
    uint32_t i;
    job->change = NNRT__BPU_EACH;
    for (i = 0; i < tensor->quant_count; i++) {
        const int32_t zero = nnrt__bpu_zero_point(tensor, i);
        const uint32_t scale = nnrt__float32_bits(nnrt__bpu_scale(tensor, i));
        if (scale != 0 && scale < 0x0d800000u) job->kernels.dequantize_each = nnrt__bpu_dequantize_each_scalar;
        if (zero != 0) job->has_zeros = true;
        if (zero != 0 && (job->bits == 32 || zero > 0x40000000 || zero < -0x40000000)) job->change = NNRT__BPU_SLOW;
    }
    if (job->bits == 64 || tensor->element == NNRT__BPU_U32) job->change = NNRT__BPU_SLOW;
}

/* A loop of npu/layout.h that does the same; false: there is none. */
NNRT__FN bool nnrt__bpu_choose_kernel(nnrt__bpu_job *job) {
    const nnrt__bpu_tensor *tensor = job->tensor;
    const nnrt__layout_kernels *kernels = &job->kernels.layout;
    const nnrt__bpu_element element = tensor->element;
    const float scale = nnrt__bpu_scale(tensor, 0);
    const int32_t zero = nnrt__bpu_zero_point(tensor, 0);
    if (tensor->quant_count != 1 || scale == 0.0f || zero < -32768 || zero > 65535) return false;
    job->convert = NULL;
    if (element == NNRT__BPU_S8 || element == NNRT__BPU_U8) {
        job->convert = job->stores ? kernels->quantize_8 : kernels->dequantize_8;
    } else if (element == NNRT__BPU_S16 || (element == NNRT__BPU_U16 && job->stores)) {
        job->convert = job->stores ? kernels->quantize_16 : kernels->dequantize_16;
    } else if (element == NNRT__BPU_S32 && zero == 0 && (!job->stores || tensor->quant == NNRT__BPU_QUANT_SHIFT)) {
        job->convert = job->stores ? kernels->quantize_32 : kernels->dequantize_32;
    }
    if (job->convert == NULL) return false;
    nnrt__layout_numbers_set(&job->numbers, scale, zero, job->bits == 8 ? 8 : 16,
                             element == NNRT__BPU_S8 || element == NNRT__BPU_S16, !job->stores);
    job->numbers.parity = zero & 1;
    return true;
}

NNRT__FN void nnrt__bpu_choose(nnrt__bpu_job *job, nnrt__bpu_form form) {
    const nnrt__bpu_tensor *tensor = job->tensor;
    job->change = NNRT__BPU_COPY;
    job->has_zeros = false;
    job->wide = job->bits == 4 ? 1 : job->bits / 8;
    if (form != NNRT__BPU_FORM_FLOAT || !nnrt__bpu_becomes_float(tensor)) {
        if (job->bits == 4) job->change = NNRT__BPU_NIBBLES;
        return;
    }
    job->wide = 4;
    if (tensor->element == NNRT__BPU_F64) {
        job->change = NNRT__BPU_DOUBLES;
    } else if (tensor->element == NNRT__BPU_F16) {
        job->change = NNRT__BPU_KERNEL;
        job->convert =
            job->stores ? job->kernels.layout.float16_from_float32 : job->kernels.layout.float32_from_float16;
    } else if (nnrt__bpu_choose_kernel(job)) {
        job->change = NNRT__BPU_KERNEL;
    } else {
        nnrt__bpu_choose_each(job);
        if (job->stores) job->change = NNRT__BPU_SLOW;
        nnrt__bpu_range(tensor->element, &job->low, &job->high);
    }
}

/* ------------------------------------------------------------------------------------------------- elements */

/* Loads count contiguous elements of the tile, from number at on, from the board as floats or bytes. */
NNRT__FN void nnrt__bpu_load_run(const nnrt__bpu_job *job, nnrt__bpu_scratch *scratch, const uint8_t *board,
                                 uint8_t *outside, uint32_t at, uint32_t count) {
    const nnrt__bpu_element element = job->tensor->element;
    const uint8_t *words = board;
    uint32_t i;
    NNRT_ASSERT((job->change != NNRT__BPU_EACH && job->change != NNRT__BPU_SLOW) || at + count <= NNRT__BPU_TILE);
    switch (job->change) {
    case NNRT__BPU_NIBBLES: nnrt__bpu_unpack(element == NNRT__BPU_S4, board, outside, count); break;
    case NNRT__BPU_KERNEL: job->convert(&job->numbers, board, outside, count); break;
    case NNRT__BPU_DOUBLES:
        for (i = 0; i < count; i++) {
            double real;
            float single;
            memcpy(&real, board + 8u * i, 8);
            single = (float)real;
            memcpy(outside + 4u * i, &single, 4);
        }
        break;
    case NNRT__BPU_EACH:
        if (job->bits != 32) {
            job->kernels.widen(element, board, scratch->words, count);
            words = (const uint8_t *)scratch->words;
        }
        job->kernels.dequantize_each(words, scratch->scales + at, job->has_zeros ? scratch->zeros + at : NULL, outside,
                                     count);
        break;
    case NNRT__BPU_SLOW:
    default:
        if (job->bits < 32) job->kernels.widen(element, board, scratch->words, count);
        for (i = 0; i < count; i++) {
            const double q =
                job->bits < 32 ? (double)scratch->words[i] : nnrt__bpu_read_wide(element, board + i * (job->bits / 8));
            const float real = (float)(q - (double)scratch->zeros[at + i]) * scratch->scales[at + i];
            memcpy(outside + 4u * i, &real, 4);
        }
        break;
    }
}

/* The same to the board. */
NNRT__FN void nnrt__bpu_store_run(const nnrt__bpu_job *job, nnrt__bpu_scratch *scratch, const uint8_t *outside,
                                  uint8_t *board, uint32_t at, uint32_t count) {
    const nnrt__bpu_element element = job->tensor->element;
    const uint32_t step = job->bits == 4 ? 1 : job->bits / 8;
    uint8_t *integers = job->bits == 4 ? (uint8_t *)scratch->words : board;
    uint32_t i;
    NNRT_ASSERT((job->change != NNRT__BPU_EACH && job->change != NNRT__BPU_SLOW) || at + count <= NNRT__BPU_TILE);
    switch (job->change) {
    case NNRT__BPU_NIBBLES: nnrt__bpu_pack(outside, board, count); break;
    case NNRT__BPU_KERNEL: job->convert(&job->numbers, outside, board, count); break;
    case NNRT__BPU_DOUBLES:
        for (i = 0; i < count; i++) {
            const double real = (double)nnrt__read_f32(outside + 4u * i);
            memcpy(board + 8u * i, &real, 8);
        }
        break;
    case NNRT__BPU_EACH:
    case NNRT__BPU_SLOW:
    default:
        for (i = 0; i < count; i++)
            nnrt__bpu_write_integer(element,
                                    nnrt__bpu_quantized(nnrt__read_f32(outside + 4u * i), scratch->scales[at + i],
                                                        (double)scratch->zeros[at + i], job->low, job->high),
                                    integers + i * step);
        if (job->bits == 4) nnrt__bpu_pack(integers, board, count);
        break;
    }
}

/* ---------------------------------------------------------------------------------------------------- tiles */

/* Position of a walk: index[i] of dimension i; for the tile's dimensions where it begins. */
typedef struct nnrt__bpu_position {
    uint32_t index[NNRT__BPU_MAX_DIMS + 2];
    uint64_t board;   /* bits */
    uint64_t outside; /* bytes */
} nnrt__bpu_position;

/* Fills in scales and zero points of a tile of rows x columns elements, unless those of the previous tile are the
   same. */
NNRT__FN void nnrt__bpu_fill_scales(const nnrt__bpu_job *job, nnrt__bpu_scratch *scratch, const nnrt__bpu_position *at,
                                    uint32_t rows, uint32_t columns) {
    const nnrt__bpu_walk *walk = &job->walk;
    const bool is_row = walk->axis == 1, is_column = walk->axis == 0;
    const uint32_t first = walk->axis < walk->count ? at->index[walk->axis] : 0;
    uint32_t row, column;
    NNRT_ASSERT(rows * columns <= NNRT__BPU_TILE);
    if (scratch->rows >= rows && scratch->columns == columns && scratch->first == first) return;
    for (row = 0; row < rows; row++)
        for (column = 0; column < columns; column++) {
            const uint32_t i = first + (is_row ? row : is_column ? column : 0);
            scratch->scales[row * columns + column] = nnrt__bpu_scale(job->tensor, i);
            scratch->zeros[row * columns + column] = nnrt__bpu_zero_point(job->tensor, i);
        }
    scratch->first = first;
    scratch->rows = rows;
    scratch->columns = columns;
}

/* The transposition of elements of width bytes. */
NNRT__FN nnrt__layout_transpose_call nnrt__bpu_transpose(const nnrt__layout_kernels *kernels, uint32_t width) {
    return width == 1   ? kernels->transpose_1
           : width == 2 ? kernels->transpose_2
           : width == 4 ? kernels->transpose_4
                        : kernels->transpose_8;
}

/* Copies rows x columns elements of the board to rows, stride bytes apart. */
NNRT__FN void nnrt__bpu_gather(const nnrt__bpu_job *job, const uint8_t *board, uint8_t *to, size_t stride,
                               uint32_t rows, uint32_t columns) {
    const uint32_t width = job->bits / 8;
    const size_t row = (size_t)(job->walk.board[1] / 8), column = (size_t)(job->walk.board[0] / 8);
    if (!job->walk.transposed) job->kernels.layout.copy_pieces(board, row, to, stride, (size_t)columns * width, rows);
    else nnrt__bpu_transpose(&job->kernels.layout, width)(board, column, columns, rows, to, stride);
}

/* And back. */
NNRT__FN void nnrt__bpu_scatter(const nnrt__bpu_job *job, const uint8_t *from, size_t stride, uint8_t *board,
                                uint32_t rows, uint32_t columns) {
    const uint32_t width = job->bits / 8;
    const size_t row = (size_t)(job->walk.board[1] / 8), column = (size_t)(job->walk.board[0] / 8);
    if (!job->walk.transposed) job->kernels.layout.copy_pieces(from, stride, board, row, (size_t)columns * width, rows);
    else nnrt__bpu_transpose(&job->kernels.layout, width)(from, stride, rows, columns, board, column);
}

NNRT__FN void nnrt__bpu_tile(const nnrt__bpu_job *job, nnrt__bpu_scratch *scratch, const nnrt__bpu_position *at,
                             const uint8_t *source, uint8_t *destination, uint32_t rows, uint32_t columns) {
    const nnrt__bpu_walk *walk = &job->walk;
    const size_t outside_row = (size_t)walk->outside[1], board_at = (size_t)(at->board / 8);
    const bool in_place = !walk->transposed && (rows == 1 || walk->board[1] == (uint64_t)columns * job->bits);
    const bool one_run = rows == 1 || (outside_row == (size_t)columns * job->wide && job->bits != 4);
    const uint32_t runs = one_run ? 1 : rows, length = one_run ? rows * columns : columns;
    const size_t board_run = (size_t)length * job->bits / 8, dense_row = (size_t)columns * job->bits / 8;
    const uint8_t *s = source + (job->stores ? at->outside : board_at);
    uint8_t *d = destination + (job->stores ? board_at : at->outside);
    uint32_t i;
    NNRT_ASSERT(rows >= 1 && columns >= 1);
    NNRT_ASSERT(in_place || job->change == NNRT__BPU_COPY || (size_t)rows * dense_row <= sizeof(scratch->bytes));
    if (job->change == NNRT__BPU_EACH || job->change == NNRT__BPU_SLOW)
        nnrt__bpu_fill_scales(job, scratch, at, rows, columns);
    if (job->change == NNRT__BPU_COPY) {
        if (job->stores) nnrt__bpu_scatter(job, s, outside_row, d, rows, columns);
        else nnrt__bpu_gather(job, s, d, outside_row, rows, columns);
    } else if (job->stores) {
        uint8_t *board = in_place ? d : scratch->bytes;
        for (i = 0; i < runs; i++)
            nnrt__bpu_store_run(job, scratch, s + i * outside_row, board + i * board_run, i * length, length);
        if (!in_place) nnrt__bpu_scatter(job, scratch->bytes, dense_row, d, rows, columns);
    } else {
        if (!in_place) nnrt__bpu_gather(job, s, scratch->bytes, dense_row, rows, columns);
        for (i = 0; i < runs; i++)
            nnrt__bpu_load_run(job, scratch, (in_place ? s : scratch->bytes) + i * board_run, d + i * outside_row,
                               i * length, length);
    }
}

/* Shape of the tiles: all of both dimensions if the stack is not used. */
NNRT__FN void nnrt__bpu_tile_shape(const nnrt__bpu_job *job, uint32_t *rows, uint32_t *columns) {
    const nnrt__bpu_walk *walk = &job->walk;
    const bool tables = job->change == NNRT__BPU_EACH || job->change == NNRT__BPU_SLOW;
    const bool gaps = walk->size[1] != 1 && walk->board[1] != (uint64_t)walk->size[0] * job->bits;
    const uint32_t most = walk->transposed ? 16 : NNRT__BPU_TILE;
    *rows = walk->size[1];
    *columns = walk->size[0];
    if (job->change == NNRT__BPU_COPY) {
        if (walk->transposed && *rows > 32) *rows = 32; /* so that what was read stays in the cache */
        if (walk->transposed && *columns > NNRT__BPU_TILE) *columns = NNRT__BPU_TILE;
    } else if (tables || walk->transposed || (gaps && walk->size[0] < 32)) {
        if (*columns > most) *columns = most;
        *rows = walk->transposed || *columns == walk->size[0] ? NNRT__BPU_TILE / *columns : 1;
        if (*rows > walk->size[1]) *rows = walk->size[1];
    } else if (gaps) {
        *rows = 1;
    }
    if (job->bits == 4 && *rows != 1)
        *rows = 1; /* rows begin at a byte, and 4-bit elements cannot be copied as
                                                    pieces */
}

/* Converts both tile dimensions at a position of the outer ones. */
NNRT__FN void nnrt__bpu_plane(const nnrt__bpu_job *job, nnrt__bpu_scratch *scratch, const nnrt__bpu_position *from,
                              const uint8_t *source, uint8_t *destination) {
    const nnrt__bpu_walk *walk = &job->walk;
    nnrt__bpu_position at = *from;
    const uint32_t tile_rows = job->tile_rows, tile_columns = job->tile_columns;
    for (at.index[1] = 0; at.index[1] < walk->size[1]; at.index[1] += tile_rows) {
        const uint32_t rows = walk->size[1] - at.index[1];
        for (at.index[0] = 0; at.index[0] < walk->size[0]; at.index[0] += tile_columns) {
            const uint32_t columns = walk->size[0] - at.index[0];
            at.board = from->board + at.index[1] * walk->board[1] + at.index[0] * walk->board[0];
            at.outside = from->outside + at.index[1] * walk->outside[1] + at.index[0] * walk->outside[0];
            nnrt__bpu_tile(job, scratch, &at, source, destination, rows < tile_rows ? rows : tile_rows,
                           columns < tile_columns ? columns : tile_columns);
        }
    }
}

NNRT__FN void nnrt__bpu_walk_all(const nnrt__bpu_job *job, nnrt__bpu_scratch *scratch, const uint8_t *source,
                                 uint8_t *destination) {
    const nnrt__bpu_walk *walk = &job->walk;
    nnrt__bpu_position at;
    uint32_t i;
    memset(&at, 0, sizeof(at));
    for (;;) {
        nnrt__bpu_plane(job, scratch, &at, source, destination);
        for (i = 2; i < walk->count; i++) {
            at.board += walk->board[i];
            at.outside += walk->outside[i];
            if (++at.index[i] < walk->size[i]) break;
            at.board -= walk->board[i] * walk->size[i];
            at.outside -= walk->outside[i] * walk->size[i];
            at.index[i] = 0;
        }
        if (i == walk->count) return;
    }
}

/* Bytes of all elements on the board. */
NNRT__FN uint64_t nnrt__bpu_element_bytes(const nnrt__bpu_tensor *tensor) {
    uint64_t elements = 1;
    uint32_t i;
    for (i = 0; i < tensor->rank; i++) elements *= (uint64_t)tensor->dims[i];
    return (elements * nnrt__bpu_element_bits(tensor->element) + 7) / 8;
}

/* nnrt__bpu_prepare with other kernels, for tests. */
NNRT__FN void nnrt__bpu_prepare_with(nnrt__bpu_job *job, const nnrt__bpu_kernels *kernels,
                                     const nnrt__bpu_tensor *tensor, nnrt__bpu_form form, bool stores) {
    bool tables;
    NNRT_ASSERT(!tensor->is_dynamic && tensor->size > 0);
    NNRT_ASSERT(nnrt__bpu_element_bytes(tensor) <= (uint64_t)tensor->size);
    job->tensor = tensor;
    job->kernels = *kernels;
    job->bits = nnrt__bpu_element_bits(tensor->element);
    job->stores = stores;
    nnrt__bpu_choose(job, form);
    tables = job->change == NNRT__BPU_EACH || job->change == NNRT__BPU_SLOW;
    nnrt__bpu_walk_of(&job->walk, tensor, tables && tensor->quant_count > 1 ? tensor->axis : tensor->rank, job->bits,
                      job->wide);
    nnrt__bpu_tile_shape(job, &job->tile_rows, &job->tile_columns);
    job->cleared = stores && nnrt__bpu_element_bytes(tensor) < (uint64_t)tensor->size ? (size_t)tensor->size : 0;
}

/* Prepares nnrt__bpu_store (stores) or nnrt__bpu_load for a tensor that is neither NV12 nor raw: everything that does
   not depend on its bytes, once for many runs. Not dynamic. */
NNRT__FN void nnrt__bpu_prepare_job(nnrt__bpu_job *job, const nnrt__bpu_tensor *tensor, nnrt__bpu_form form,
                                    bool stores) {
    nnrt__bpu_kernels kernels;
    nnrt__bpu_select(&kernels);
    nnrt__bpu_prepare_with(job, &kernels, tensor, form, stores);
}

/* Runs a prepared conversion. Regions do not overlap; any alignment. Thread-safe; 5 KB of stack. */
NNRT__FN void nnrt__bpu_do(const nnrt__bpu_job *job, const void *source, void *destination) {
    nnrt__bpu_scratch scratch;
    scratch.rows = 0;
    if (job->cleared != 0) memset(destination, 0, job->cleared);
    nnrt__bpu_walk_all(job, &scratch, (const uint8_t *)source, (uint8_t *)destination);
}

/* ------------------------------------------------------------------------------------------------- pictures */

/* One plane of an image: height rows of stored ones. */
NNRT__FN void nnrt__bpu_store_plane(const nnrt__bpu_nv12 *picture, const uint8_t *source, uint8_t *destination,
                                    uint32_t height, uint32_t stored) {
    const size_t width = picture->width, pitch = picture->pitch;
    uint32_t i;
    NNRT_ASSERT(width <= pitch && height <= stored);
    if (width == pitch) memcpy(destination, source, width * height);
    for (i = 0; i < height && width != pitch; i++) {
        memcpy(destination + i * pitch, source + i * width, width);
        memset(destination + i * pitch + width, 0, pitch - width);
    }
    memset(destination + height * pitch, 0, (stored - height) * pitch);
}

/* Bytes of the luma of all images of an NV12 tensor; the chroma has half as many. */
NNRT__FN uint32_t nnrt__bpu_luma_size(const nnrt__bpu_tensor *tensor) {
    nnrt__bpu_nv12 picture;
    nnrt__bpu_nv12_of(tensor, &picture);
    return picture.images * picture.rows * picture.pitch;
}

/* chroma: NULL where it follows the luma of each image. */
NNRT__FN void nnrt__bpu_store_nv12(const nnrt__bpu_tensor *tensor, const uint8_t *source, uint8_t *memory,
                                   uint8_t *chroma) {
    nnrt__bpu_nv12 picture;
    size_t luma_bytes;
    uint32_t i;
    nnrt__bpu_nv12_of(tensor, &picture);
    luma_bytes = (size_t)picture.rows * picture.pitch;
    for (i = 0; i < picture.images; i++) {
        uint8_t *luma = memory + i * (chroma != NULL ? luma_bytes : luma_bytes / 2 * 3);
        nnrt__bpu_store_plane(&picture, source, luma, picture.height, picture.rows);
        source += (size_t)picture.width * picture.height;
        nnrt__bpu_store_plane(&picture, source, chroma != NULL ? chroma + i * (luma_bytes / 2) : luma + luma_bytes,
                              picture.height / 2, picture.rows / 2);
        source += (size_t)picture.width * picture.height / 2;
    }
    if (chroma == NULL) {
        const size_t used = picture.images * (luma_bytes / 2 * 3);
        NNRT_ASSERT(used <= (size_t)tensor->size);
        memset(memory + used, 0, (size_t)tensor->size - used);
    }
}

/* ------------------------------------------------------------------------------------------------ the calls */

/* An input: source has nnrt__bpu_form_size bytes, memory tensor->size, or with chroma nnrt__bpu_luma_size, and chroma
   (NV12_SEPARATE only, else NULL) half as many. Not dynamic. Regions do not overlap; any alignment. All bytes of memory
   and chroma are written. Thread-safe; 7 KB of stack. */
NNRT__FN void nnrt__bpu_store(const nnrt__bpu_tensor *tensor, nnrt__bpu_form form, const void *source, void *memory,
                              void *chroma) {
    nnrt__bpu_job job;
    if (form == NNRT__BPU_FORM_RAW) {
        const size_t first = chroma != NULL ? nnrt__bpu_luma_size(tensor) : (size_t)tensor->size;
        memcpy(memory, source, first);
        if (chroma != NULL) memcpy(chroma, (const uint8_t *)source + first, first / 2);
    } else if (nnrt__bpu_is_nv12(tensor->element)) {
        nnrt__bpu_store_nv12(tensor, (const uint8_t *)source, (uint8_t *)memory, (uint8_t *)chroma);
    } else {
        nnrt__bpu_prepare_job(&job, tensor, form, true);
        nnrt__bpu_do(&job, source, memory);
    }
}

/* An output, which is no NV12: memory has tensor->size bytes, destination nnrt__bpu_form_size; all are written. Not
   dynamic. Regions do not overlap; any alignment. Thread-safe; 7 KB of stack. */
NNRT__FN void nnrt__bpu_load(const nnrt__bpu_tensor *tensor, nnrt__bpu_form form, const void *memory,
                             void *destination) {
    nnrt__bpu_job job;
    if (form == NNRT__BPU_FORM_RAW) {
        memcpy(destination, memory, (size_t)tensor->size);
    } else {
        nnrt__bpu_prepare_job(&job, tensor, form, false);
        nnrt__bpu_do(&job, memory, destination);
    }
}

#endif /* NNRT_BPU_CONVERT_H */
