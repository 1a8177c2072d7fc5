/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/reduce_axes_scalar.h - sums, means, extremes, products, norms and ALL over any axes. Output elements one by
   one, each from its inputs in row-major order, so float results are those of a sequential loop, with stop (internal.h)
   or without. The innermost reduced axis is a strided run; neighbouring output elements read the same cache lines. */
#ifndef NNRT_KERNELS_REDUCE_AXES_SCALAR_H
#define NNRT_KERNELS_REDUCE_AXES_SCALAR_H

#include "internal.h"
#include "s16_scalar.h"
#include "fp_contract.h"

#define NNRT__REDUCE_RANK 10u

#define NNRT__REDUCE_SUM 0u
#define NNRT__REDUCE_MEAN 1u
#define NNRT__REDUCE_MAX 2u
#define NNRT__REDUCE_MIN 3u
#define NNRT__REDUCE_PROD 4u
#define NNRT__REDUCE_L2 5u
#define NNRT__REDUCE_ALL 6u /* every element is not zero */

typedef struct nnrt__reduce_args {
    uint32_t op;
    uint32_t rank;                   /* 1..NNRT__REDUCE_RANK */
    uint32_t mask;                   /* bit i: axis i is reduced; at least one is */
    float factor;                    /* float results are multiplied by it */
    int32_t dims[NNRT__REDUCE_RANK]; /* of the input, >= 1, at most 2^30 elements in all */
    int32_t multiplier, shift;       /* int8 and int16 sum, mean and product */
    int32_t input_zero_point, output_zero_point;
} nnrt__reduce_args;

/* Of all operators. in_element, out_element: bytes; [first, last): of the output's elements. */
NNRT__ASSERT_FN bool nnrt__reduce_is_right(const nnrt__reduce_args *args, const void *in, size_t in_element,
                                           const void *out, size_t out_element, size_t first, size_t last) {
    const size_t most = (size_t)1 << 30;
    size_t all = 1, kept = 1;
    uint32_t i;
    NNRT_ASSERT(args->op <= NNRT__REDUCE_ALL);
    NNRT_ASSERT(args->rank >= 1 && args->rank <= NNRT__REDUCE_RANK);
    NNRT_ASSERT(args->mask != 0 && args->mask >> args->rank == 0);
    for (i = 0; i < args->rank; i++) {
        NNRT_ASSERT(args->dims[i] >= 1 && (size_t)args->dims[i] <= most / all);
        all *= (size_t)args->dims[i];
        if ((args->mask >> i & 1) == 0) kept *= (size_t)args->dims[i];
    }
    NNRT_ASSERT(first <= last && last <= kept);
    NNRT_ASSERT(nnrt__is_aligned(in, in_element) && nnrt__is_aligned(out, out_element));
    NNRT_ASSERT(nnrt__is_apart(in, all * in_element, out, kept * out_element));
    return true;
}

/* Of sums, means and extremes (shifts up to 30), and products (up to 7), of quantized integers. */
NNRT__ASSERT_FN bool nnrt__reduce_quant_is_right(const nnrt__reduce_args *args, int32_t most) {
    NNRT_ASSERT(nnrt__is_factor(args->multiplier, args->shift, most));
    NNRT_ASSERT(nnrt__is_byte_quantity(args->input_zero_point) && nnrt__is_byte_quantity(args->output_zero_point));
    return true;
}

/* The reduced axes as runs: outer odometer, innermost reduced axis as `run` elements `stride` apart, in pieces of
   `count`. */
typedef struct nnrt__reduce_walk {
    uint32_t outer; /* reduced axes but the innermost */
    size_t run, done, count, stride;
    size_t looked; /* elements since the last question to stop */
    const nnrt__stop *stop;
    bool stopped;
    size_t dims[NNRT__REDUCE_RANK], strides[NNRT__REDUCE_RANK], at[NNRT__REDUCE_RANK];
    size_t elements; /* reduced into one */
} nnrt__reduce_walk;

NNRT__FN void nnrt__reduce_start(const nnrt__reduce_args *args, const nnrt__stop *stop, nnrt__reduce_walk *walk) {
    size_t stride = 1;
    uint32_t axis;
    bool inner = true;
    memset(walk, 0, sizeof(*walk));
    walk->stop = stop;
    walk->elements = 1;
    walk->run = 1;
    for (axis = args->rank; axis-- > 0;) {
        const size_t dim = (size_t)args->dims[axis];
        if ((args->mask >> axis & 1) != 0) {
            if (inner) {
                walk->run = dim;
                walk->stride = stride;
                inner = false;
            } else {
                walk->dims[walk->outer] = dim;
                walk->strides[walk->outer++] = stride;
            }
            walk->elements *= dim;
        }
        stride *= dim;
    }
    walk->count = nnrt__piece_end(0, walk->run);
}

/* Where the inputs of output element o begin. */
NNRT__FN size_t nnrt__reduce_base(const nnrt__reduce_args *args, size_t o) {
    size_t stride = 1, base = 0;
    uint32_t axis;
    for (axis = args->rank; axis-- > 0;) {
        const size_t dim = (size_t)args->dims[axis];
        if ((args->mask >> axis & 1) == 0) {
            base += o % dim * stride;
            o /= dim;
        }
        stride *= dim;
    }
    return base;
}

/* Moves *offset to the next piece, in row-major order; false after the last, and everything at the start again, and
   false with walk->stopped. */
NNRT__FN bool nnrt__reduce_next(nnrt__reduce_walk *walk, size_t *offset) {
    uint32_t i;
    walk->looked += walk->count;
    if (walk->looked >= NNRT__PIECE) {
        walk->looked = 0;
        walk->stopped = nnrt__is_stopped(walk->stop);
        if (walk->stopped) return false;
    }
    if (walk->run > NNRT__PIECE) {
        *offset += walk->count * walk->stride;
        walk->done += walk->count;
        if (walk->done == walk->run) {
            *offset -= walk->run * walk->stride;
            walk->done = 0;
        }
        walk->count = nnrt__piece_end(walk->done, walk->run) - walk->done;
        if (walk->done != 0) return true;
    }
    for (i = 0; i < walk->outer; i++) {
        *offset += walk->strides[i];
        if (++walk->at[i] < walk->dims[i]) return true;
        *offset -= walk->dims[i] * walk->strides[i];
        walk->at[i] = 0;
    }
    return false;
}

NNRT__FP_CONTRACT_OFF_BEGIN

NNRT__FN float nnrt__reduce_run_f32(uint32_t op, float acc, const float *in, size_t count, size_t stride) {
    size_t i;
    switch (op) {
    case NNRT__REDUCE_MAX:
        for (i = 0; i < count; i++) acc = in[i * stride] > acc ? in[i * stride] : acc;
        break;
    case NNRT__REDUCE_MIN:
        for (i = 0; i < count; i++) acc = in[i * stride] < acc ? in[i * stride] : acc;
        break;
    case NNRT__REDUCE_PROD:
        for (i = 0; i < count; i++) acc *= in[i * stride];
        break;
    case NNRT__REDUCE_L2:
        for (i = 0; i < count; i++) acc += in[i * stride] * in[i * stride];
        break;
    default:
        for (i = 0; i < count; i++) acc += in[i * stride];
        break;
    }
    return acc;
}

/* Output elements [first, last).

   pre   args as above, op not ALL; in holds dims, out the kept axes of dims; they do not overlap.
   post  out = factor * op; a mean is sum / elements, a norm sqrt(sum of squares). A NaN does not win an
         extreme. */
NNRT__FN void nnrt__reduce_f32_scalar(const nnrt__reduce_args *args, const float *in, float *out, size_t first,
                                      size_t last, const nnrt__stop *stop) {
    const float start = args->op == NNRT__REDUCE_MAX    ? -INFINITY
                        : args->op == NNRT__REDUCE_MIN  ? INFINITY
                        : args->op == NNRT__REDUCE_PROD ? 1.0f
                                                        : 0.0f;
    nnrt__reduce_walk walk;
    size_t o;
    NNRT_ASSERT(args->op <= NNRT__REDUCE_L2);
    NNRT_ASSERT(nnrt__reduce_is_right(args, in, sizeof(float), out, sizeof(float), first, last));
    nnrt__reduce_start(args, stop, &walk);
    for (o = first; o < last; o++) {
        size_t offset = nnrt__reduce_base(args, o);
        float acc = start;
        do acc = nnrt__reduce_run_f32(args->op, acc, in + offset, walk.count, walk.stride);
        while (nnrt__reduce_next(&walk, &offset));
        if (walk.stopped) return;
        if (args->op == NNRT__REDUCE_MEAN) acc /= (float)walk.elements;
        if (args->op == NNRT__REDUCE_L2) acc = sqrtf(acc);
        out[o] = acc * args->factor;
    }
}

NNRT__FP_CONTRACT_OFF_END

/* The same of int32, op not L2 or ALL: sums and products wrap modulo 2^32, the mean of the true sum is cut
   off towards 0. |sum| <= 2^30 * 2^31. */
NNRT__FN void nnrt__reduce_s32_scalar(const nnrt__reduce_args *args, const int32_t *in, int32_t *out, size_t first,
                                      size_t last, const nnrt__stop *stop) {
    nnrt__reduce_walk walk;
    size_t o, i;
    NNRT_ASSERT(args->op <= NNRT__REDUCE_PROD);
    NNRT_ASSERT(nnrt__reduce_is_right(args, in, sizeof(int32_t), out, sizeof(int32_t), first, last));
    nnrt__reduce_start(args, stop, &walk);
    for (o = first; o < last; o++) {
        size_t offset = nnrt__reduce_base(args, o);
        int32_t extreme = in[offset];
        uint32_t product = 1;
        int64_t sum = 0;
        do {
            for (i = 0; i < walk.count; i++) {
                const int32_t x = in[offset + i * walk.stride];
                if (args->op == NNRT__REDUCE_MAX ? x > extreme : x < extreme) extreme = x;
                product *= (uint32_t)x;
                sum += x;
            }
        } while (nnrt__reduce_next(&walk, &offset));
        if (walk.stopped) return;
        out[o] = args->op == NNRT__REDUCE_SUM    ? (int32_t)(uint32_t)(uint64_t)sum
                 : args->op == NNRT__REDUCE_MEAN ? (int32_t)(sum / (int64_t)walk.elements)
                 : args->op == NNRT__REDUCE_PROD ? (int32_t)product
                                                 : extreme;
    }
}

/* The same of int8: op is SUM, MEAN, MAX or MIN.

   Sum and mean are TensorFlow Lite's QuantizedMeanOrSum: requantize(sum - elements * input_zero_point) +
   output_zero_point, one rescale for the ratio of the scales and, in a mean, the division by `elements` as
   well (nnrt__reduce_multiplier folds it in). The sum wraps modulo 2^32 from 2^24 elements on, as there.
   Extremes keep their bytes: input and output have one quantization. */
NNRT__FN void nnrt__reduce_s8_scalar(const nnrt__reduce_args *args, const int8_t *in, int8_t *out, size_t first,
                                     size_t last, const nnrt__stop *stop) {
    nnrt__reduce_walk walk;
    size_t o, i;
    NNRT_ASSERT(args->op <= NNRT__REDUCE_MIN && nnrt__reduce_quant_is_right(args, 30));
    NNRT_ASSERT(nnrt__reduce_is_right(args, in, 1, out, 1, first, last));
    nnrt__reduce_start(args, stop, &walk);
    for (o = first; o < last; o++) {
        size_t offset = nnrt__reduce_base(args, o);
        int8_t extreme = in[offset];
        uint32_t sum = 0;
        do {
            if (args->op == NNRT__REDUCE_SUM || args->op == NNRT__REDUCE_MEAN) {
                for (i = 0; i < walk.count; i++) {
                    const int32_t x = in[offset + i * walk.stride];
                    sum += (uint32_t)x;
                }
            } else {
                for (i = 0; i < walk.count; i++) {
                    const int8_t x = in[offset + i * walk.stride];
                    if (args->op == NNRT__REDUCE_MAX ? x > extreme : x < extreme) extreme = x;
                }
            }
        } while (nnrt__reduce_next(&walk, &offset));
        if (walk.stopped) return;
        if (args->op == NNRT__REDUCE_SUM || args->op == NNRT__REDUCE_MEAN) {
            sum -= (uint32_t)args->input_zero_point * (uint32_t)walk.elements;
            out[o] = nnrt__requantize_s8(sum, args->multiplier, args->shift, args->output_zero_point, -128, 127);
        } else {
            out[o] = extreme;
        }
    }
}

/* The same of int16, whose zero points are 0; the sum wraps from 2^16 elements on. */
NNRT__FN void nnrt__reduce_s16_scalar(const nnrt__reduce_args *args, const int16_t *in, int16_t *out, size_t first,
                                      size_t last, const nnrt__stop *stop) {
    nnrt__reduce_walk walk;
    size_t o, i;
    NNRT_ASSERT(args->op <= NNRT__REDUCE_MIN && nnrt__reduce_quant_is_right(args, 30));
    NNRT_ASSERT(args->input_zero_point == 0 && args->output_zero_point == 0);
    NNRT_ASSERT(nnrt__reduce_is_right(args, in, sizeof(int16_t), out, sizeof(int16_t), first, last));
    nnrt__reduce_start(args, stop, &walk);
    for (o = first; o < last; o++) {
        size_t offset = nnrt__reduce_base(args, o);
        int32_t most = in[offset], least = most;
        uint32_t sum = 0;
        do {
            for (i = 0; i < walk.count; i++) {
                const int32_t x = in[offset + i * walk.stride];
                sum += (uint32_t)x;
                most = x > most ? x : most;
                least = x < least ? x : least;
            }
        } while (nnrt__reduce_next(&walk, &offset));
        if (walk.stopped) return;
        if (args->op == NNRT__REDUCE_SUM || args->op == NNRT__REDUCE_MEAN)
            out[o] = nnrt__requantize_s16(sum, args->multiplier, args->shift, -32768, 32767);
        else out[o] = (int16_t)(args->op == NNRT__REDUCE_MAX ? most : least);
    }
}

/* op PROD of int8 and of int16, whose zero points are 0.

   TensorFlow Lite's QuantizedReduceProd: each factor x - input_zero_point is one of a product that is rescaled as often
   as it has factors, once behind each of them, in row-major order: with in_scale / out_scale^(1 / elements), as a
   multiplier of 15 bits, rounded with ties up. What leaves 32 bits on the way saturates; there it is cut off.

   pre   shift within -31..7, multiplier >= 0, zero points of the type: |x| <= 2^31 * 2^16. */
NNRT__INLINE int64_t nnrt__reduce_prod_scale(int64_t x, int32_t multiplier, int32_t shift) {
    const int64_t reduced = multiplier < 0x7fff0000 ? (multiplier + (1 << 15)) >> 16 : 0x7fff;
    x = (x * reduced + ((int64_t)1 << (14 - shift))) >> (15 - shift);
    return x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x;
}

#define NNRT__REDUCE_PROD_OF(name, type, low, high)                                                              \
    NNRT__FN void nnrt__reduce_prod_##name##_scalar(const nnrt__reduce_args *args, const type *in, type *out,    \
                                                    size_t first, size_t last, const nnrt__stop *stop) {         \
        nnrt__reduce_walk walk;                                                                                  \
        size_t o, i;                                                                                             \
        NNRT_ASSERT(args->op == NNRT__REDUCE_PROD && nnrt__reduce_quant_is_right(args, 7));                      \
        NNRT_ASSERT(nnrt__reduce_is_right(args, in, sizeof(type), out, sizeof(type), first, last));              \
        nnrt__reduce_start(args, stop, &walk);                                                                   \
        for (o = first; o < last; o++) {                                                                         \
            size_t offset = nnrt__reduce_base(args, o);                                                          \
            int64_t product = 0;                                                                                 \
            bool begun = false;                                                                                  \
            do {                                                                                                 \
                for (i = 0; i < walk.count; i++) {                                                               \
                    const int64_t x = in[offset + i * walk.stride] - args->input_zero_point;                     \
                    product = begun ? nnrt__reduce_prod_scale(product * x, args->multiplier, args->shift) : x;   \
                    begun = true;                                                                                \
                }                                                                                                \
            } while (nnrt__reduce_next(&walk, &offset));                                                         \
            if (walk.stopped) return;                                                                            \
            product = nnrt__reduce_prod_scale(product, args->multiplier, args->shift) + args->output_zero_point; \
            out[o] = (type)(product < (low) ? (low) : product > (high) ? (high) : product);                      \
        }                                                                                                        \
    }
NNRT__REDUCE_PROD_OF(s8, int8_t, -128, 127)
NNRT__REDUCE_PROD_OF(s16, int16_t, -32768, 32767)
#undef NNRT__REDUCE_PROD_OF

/* Folds the division by elements (1..2^30) into a multiplier and shift of nnrt__quantize_multiplier: the
   multiplier is shifted up by floor(log2(elements)) first, so that it keeps 30 bits, but not further than a
   shift of -31 allows. */
NNRT__FN void nnrt__reduce_multiplier(size_t elements, int32_t *multiplier, int32_t *shift) {
    int32_t up = 0;
    NNRT_ASSERT(elements >= 1 && elements <= (size_t)1 << 30 && nnrt__is_factor(*multiplier, *shift, 30));
    while ((elements >> up) > 1) up++;
    if (up > 31 + *shift) up = 31 + *shift;
    *multiplier = (int32_t)(((int64_t)*multiplier << up) / (int64_t)elements);
    *shift -= up;
}

/* op ALL: out is 1 where every element is not zero. element_size 1, 2, 4 or 8; sign: the bit that is not
   looked at (a float's -0 is zero), or 0. */
NNRT__FN void nnrt__reduce_all_scalar(const nnrt__reduce_args *args, const void *in, uint8_t *out, size_t element_size,
                                      uint64_t sign, size_t first, size_t last, const nnrt__stop *stop) {
    nnrt__reduce_walk walk;
    size_t o, i;
    NNRT_ASSERT(args->op == NNRT__REDUCE_ALL);
    NNRT_ASSERT(element_size == 1 || element_size == 2 || element_size == 4 || element_size == 8);
    NNRT_ASSERT(nnrt__reduce_is_right(args, in, element_size, out, 1, first, last));
    nnrt__reduce_start(args, stop, &walk);
    for (o = first; o < last; o++) {
        size_t offset = nnrt__reduce_base(args, o);
        bool all = true;
        do {
            for (i = 0; i < walk.count; i++) {
                const uint8_t *at = (const uint8_t *)in + (offset + i * walk.stride) * element_size;
                uint8_t byte;
                uint16_t half;
                uint32_t word;
                uint64_t wide = 0;
                switch (element_size) {
                case 1:
                    memcpy(&byte, at, 1);
                    wide = byte;
                    break;
                case 2:
                    memcpy(&half, at, 2);
                    wide = half;
                    break;
                case 4:
                    memcpy(&word, at, 4);
                    wide = word;
                    break;
                default: memcpy(&wide, at, 8); break;
                }
                all = all && (wide & ~sign) != 0;
            }
        } while (nnrt__reduce_next(&walk, &offset));
        if (walk.stopped) return;
        out[o] = all ? 1 : 0;
    }
}

#endif /* NNRT_KERNELS_REDUCE_AXES_SCALAR_H */
