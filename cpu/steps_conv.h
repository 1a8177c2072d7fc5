/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_conv.h - steps that are a matrix product: convolution, full connection.   >>cpu_steps_conv

   Every one of them walks the output in blocks of pixels, lists where the rows of a block lie (conv_rows.h), and the
   GEMM kernel multiplies them with the weights of one group. A full connection is the same with one pixel per batch and
   the features as channels. What the types have of their own is a row of traits.

   Operands   conv_s8, fc_s8          input s8, packed tiles as INT32 | output s8
              conv_raw_s8, fc_raw_s8  input s8, weights [out_c][k] s8, channels | output s8
              conv_f32, fc_f32        input f32, packed tiles as FLOAT32 | output f32
              conv_raw_f32, fc_raw_f32  input f32, weights [out_c][k] f32, bias [out_c] | output f32
   channels is INT32 [3][out_c]: bias with the input's zero point taken in, multiplier, shift.
   Packed tiles of the groups follow one another. A factor that all channels share stands in front of them: it is made
   for one group alone, and of several, which only a forged plan has, the tiles are still inside the constant. */
#ifndef NNRT_CPU_STEPS_CONV_H
#define NNRT_CPU_STEPS_CONV_H

#include "conv_bands.h"
#include "conv_rows.h"

/* What is special to one pair of types. */
typedef struct nnrt__conv_traits {
    OH_NN_DataType dtype;   /* of input 0 and output 0 */
    OH_NN_DataType weights; /* packed: of the constant that holds the tiles; raw: of the weights */
    OH_NN_DataType channel; /* of what goes with each channel where it is an operand, and how many of it */
    size_t per_channel;
    size_t element; /* bytes of an element of A */
    /* The slot for a packing and its kernel's level; NULL: the table has none. Raw: NULL itself. */
    const void *(*find)(const nnrt__cpu_table *kernels, uint32_t packing, const nnrt__packing **row, const char **isa);
    nnrt__conv_product product;
} nnrt__conv_traits;

/* Finds among two slots of any type; both have the fields packing and isa. */
#define NNRT__CONV_FIND(name, slots)                                                                       \
    NNRT__FN const void *name(const nnrt__cpu_table *kernels, uint32_t packing, const nnrt__packing **row, \
                              const char **isa) {                                                          \
        size_t i;                                                                                          \
        for (i = 0; i < 2; i++) {                                                                          \
            if (kernels->slots[i].packing->id != packing) continue;                                        \
            *row = kernels->slots[i].packing;                                                              \
            *isa = kernels->slots[i].isa;                                                                  \
            return &kernels->slots[i];                                                                     \
        }                                                                                                  \
        return NULL;                                                                                       \
    }

NNRT__CONV_FIND(nnrt__conv_s8_find, gemm_s8)
NNRT__CONV_FIND(nnrt__conv_f32_find, gemm_f32)

/* The slot of a step and, where they are wanted, its packing and level. */
NNRT__FN const void *nnrt__conv_slot(const nnrt__step_view *view, const nnrt__conv_traits *traits,
                                     const nnrt__packing **packing) {
    const char *isa;
    *packing = NULL;
    return traits->find(view->kernels, nnrt__conv_args_of(view)->packing, packing, &isa);
}

NNRT__FN bool nnrt__conv_packed_check(const nnrt__step_view *view, const nnrt__conv_traits *traits) {
    const nnrt__packing *packing;
    nnrt__conv_shape own;
    const nnrt__conv_shape *s;
    size_t size, pieces;
    if (nnrt__conv_slot(view, traits, &packing) == NULL) return false;
    s = nnrt__conv_check(view, traits->dtype, traits->dtype, &own);
    if (s == NULL || !nnrt__conv_span_check(nnrt__conv_args_of(view), s)) return false;
    pieces = nnrt__conv_pieces(s->taps, nnrt__conv_args_of(view)->span);
    return (pieces == 1 || packing->pieces) && nnrt__packing_size(packing, s->n, pieces, s->k / pieces, &size) &&
           nnrt__mul_size(size, s->group, &size) &&
           nnrt__conv_check_packed(nnrt__step_input(view, 1), traits->weights, size);
}

NNRT__FN bool nnrt__conv_raw_check(const nnrt__step_view *view, const nnrt__conv_traits *traits) {
    nnrt__conv_shape own;
    const nnrt__conv_shape *s = nnrt__conv_check(view, traits->dtype, traits->dtype, &own);
    return s != NULL && nnrt__conv_args_of(view)->span == s->taps &&
           nnrt__conv_check_count(nnrt__step_input(view, 1), traits->weights, (size_t)s->out_c, s->k) &&
           nnrt__conv_check_count(nnrt__step_input(view, 2), traits->channel, (size_t)s->out_c, traits->per_channel);
}

/* The zero point z of the weights: sum((x - zero) * (w - z)) is sum((x - zero) * w), which a kernel computes, and -z
   times the sum of the row, which is added to it. Makes room for these. A tap in the padding is the input's zero point
   and counts as any other. */
NNRT__FN void nnrt__conv_keep_sums(nnrt__conv_ready *r) {
    r->sums_at = r->scratch;
    r->scratch += (r->block * sizeof(int32_t) + 63) & ~(size_t)63;
}

/* Fills ready. */
NNRT__FN void nnrt__conv_make_ready(const nnrt__step_view *view, const nnrt__conv_traits *traits,
                                    nnrt__conv_ready *ready) {
    const nnrt__packing *packing = NULL;
    const void *slot = traits->find != NULL ? nnrt__conv_slot(view, traits, &packing) : NULL;
    nnrt__conv_ready_of(view, packing, traits->element, ready);
    if (traits->find == nnrt__conv_s8_find && nnrt__conv_args_of(view)->weight_zero_point != 0)
        nnrt__conv_keep_sums(ready);
    else if (NNRT__FOR_SPEED && packing != NULL) nnrt__conv_choose_bands(view, packing, ready);
    ready->slot = slot;
}

/* The ready of a step that was checked; if it is not there, made in room. */
NNRT__FN const nnrt__conv_ready *nnrt__conv_made(const nnrt__step_view *view, const nnrt__conv_traits *traits,
                                                 nnrt__conv_ready *room) {
    if (view->ready != NULL) return (const nnrt__conv_ready *)view->ready;
    nnrt__conv_make_ready(view, traits, room);
    return room;
}

/* ----------------------------------------------------------------------------------------------- products */

/* The packed tiles of a piece. */
NNRT__INLINE const uint8_t *nnrt__conv_tiles(const nnrt__step_call *call, const nnrt__conv_ready *r,
                                             const nnrt__conv_piece *piece) {
    return (const uint8_t *)call->data[1] + piece->weights + (piece->group * r->tiles + piece->tile) * r->tile_size;
}

/* What is added to the sums of a piece's rows. */
NNRT__FN const int32_t *nnrt__conv_row_sums(const nnrt__step_view *view, const nnrt__step_call *call,
                                            const nnrt__conv_ready *r, const nnrt__conv_piece *piece) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    nnrt__row_sums_args sums;
    sums.m = piece->m;
    sums.pieces = r->pieces;
    sums.piece = r->piece;
    sums.a = (const int8_t *const *)piece->a;
    sums.origin = args->input_zero_point * (int32_t)r->shape.k; /* k < 2^22 */
    sums.factor = -args->weight_zero_point;
    sums.sums = (int32_t *)(void *)((uint8_t *)call->scratch + r->sums_at);
    view->kernels->row_sums(&sums);
    return sums.sums;
}

NNRT__CONV_FAST void nnrt__conv_s8_product(const nnrt__step_view *view, const nnrt__step_call *call,
                                           const nnrt__conv_ready *r, const nnrt__conv_piece *piece) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__gemm_s8_slot *slot = (const nnrt__gemm_s8_slot *)r->slot;
    const size_t front = slot->packing->head == 1 ? 8 : 0; /* nnrt__packing_front of int8 weights */
    nnrt__gemm_s8_args gemm;
    gemm.m = piece->m;
    gemm.n = piece->last - piece->first;
    gemm.pieces = r->pieces;
    gemm.piece = r->piece;
    gemm.a = (const int8_t *const *)piece->a;
    gemm.w = nnrt__conv_tiles(call, r, piece) + front;
    gemm.c = (int8_t *)call->data[view->input_count] + piece->out + piece->first;
    gemm.c_stride = piece->c_stride;
    gemm.output_zero_point = args->output_zero_point;
    gemm.clamp_min = args->clamp_min;
    gemm.clamp_max = args->clamp_max;
    gemm.factor = front != 0 ? call->data[1] : NULL;
    gemm.added = r->sums_at != 0 ? nnrt__conv_row_sums(view, call, r, piece) : NULL;
    if (NNRT__HAVE_FLIPPED && r->flipped) view->kernels->gemm_s8_flipped.run(&gemm);
    else slot->run(&gemm, piece->scratch);
}

NNRT__CONV_FAST void nnrt__conv_f32_product(const nnrt__step_view *view, const nnrt__step_call *call,
                                            const nnrt__conv_ready *r, const nnrt__conv_piece *piece) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    nnrt__gemm_f32_args gemm;
    gemm.m = piece->m;
    gemm.n = piece->last - piece->first;
    gemm.pieces = r->pieces;
    gemm.piece = r->piece;
    gemm.a = (const float *const *)piece->a;
    gemm.w = nnrt__conv_tiles(call, r, piece);
    gemm.c = (float *)call->data[view->input_count] + piece->out + piece->first;
    gemm.c_stride = piece->c_stride;
    gemm.clamp_min = args->clamp_low;
    gemm.clamp_max = args->clamp_high;
    ((const nnrt__gemm_f32_slot *)r->slot)->run(&gemm, piece->scratch);
}

NNRT__CONV_FAST void nnrt__conv_raw_s8_product(const nnrt__step_view *view, const nnrt__step_call *call,
                                               const nnrt__conv_ready *r, const nnrt__conv_piece *piece) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__conv_shape *s = &r->shape;
    const size_t channel = piece->group * s->n + piece->first;
    const int32_t *constants = (const int32_t *)call->data[2];
    nnrt__gemm_raw_s8_args gemm;
    gemm.m = piece->m;
    gemm.n = piece->last - piece->first;
    gemm.k = s->k;
    gemm.a = (const int8_t *const *)piece->a;
    gemm.w = (const int8_t *)call->data[1] + channel * s->k;
    gemm.w_stride = s->k;
    gemm.bias = constants + channel;
    gemm.multiplier = gemm.bias + s->out_c;
    gemm.shift = gemm.multiplier + s->out_c;
    gemm.c = (int8_t *)call->data[view->input_count] + piece->out + piece->first;
    gemm.c_stride = piece->c_stride;
    gemm.output_zero_point = args->output_zero_point;
    gemm.clamp_min = args->clamp_min;
    gemm.clamp_max = args->clamp_max;
    view->kernels->gemm_raw_s8(&gemm);
}

NNRT__CONV_FAST void nnrt__conv_raw_f32_product(const nnrt__step_view *view, const nnrt__step_call *call,
                                                const nnrt__conv_ready *r, const nnrt__conv_piece *piece) {
    const nnrt__conv_args *args = nnrt__conv_args_of(view);
    const nnrt__conv_shape *s = &r->shape;
    const size_t channel = piece->group * s->n + piece->first;
    nnrt__gemm_raw_f32_args gemm;
    gemm.m = piece->m;
    gemm.n = piece->last - piece->first;
    gemm.k = s->k;
    gemm.a = (const float *const *)piece->a;
    gemm.w = (const float *)call->data[1] + channel * s->k;
    gemm.w_stride = s->k;
    gemm.bias = (const float *)call->data[2] + channel;
    gemm.c = (float *)call->data[view->input_count] + piece->out + piece->first;
    gemm.c_stride = piece->c_stride;
    gemm.clamp_min = args->clamp_low;
    gemm.clamp_max = args->clamp_high;
    view->kernels->gemm_raw_f32(&gemm);
}

/* ------------------------------------------------------------------------------------------------- traits */

/* clang-format off */
#define NNRT__CONV_TRAITS(type, dtype, weights, channel, per_channel, element, find)                         \
    static const nnrt__conv_traits nnrt__conv_traits_##type = {OH_NN_##dtype, OH_NN_##weights, OH_NN_##channel, \
                                                               per_channel, sizeof(element), find,               \
                                                               nnrt__conv_##type##_product};

/*                type     dtype    weights  channel  per_channel element  find */
NNRT__CONV_TRAITS(s8,      INT8,    INT32,   INT32,   3,          int8_t,  nnrt__conv_s8_find)
NNRT__CONV_TRAITS(f32,     FLOAT32, FLOAT32, FLOAT32, 1,          float,   nnrt__conv_f32_find)
NNRT__CONV_TRAITS(raw_s8,  INT8,    INT8,    INT32,   3,          int8_t,  NULL)
NNRT__CONV_TRAITS(raw_f32, FLOAT32, FLOAT32, FLOAT32, 1,          float,   NULL)
/* clang-format on */

NNRT__FN const char *nnrt__conv_packed_isa(const nnrt__step_view *view, const nnrt__conv_traits *traits) {
    const nnrt__packing *packing;
    const char *isa = NULL;
    (void)traits->find(view->kernels, nnrt__conv_args_of(view)->packing, &packing, &isa);
    return isa;
}

/* The functions of the kinds of one row of traits. */
#define NNRT__CONV_KINDS_OF(type, check_type)                                                                     \
    NNRT__FN bool nnrt__conv_##type##_check(const nnrt__step_view *view) {                                        \
        return nnrt__conv_##check_type##_check(view, &nnrt__conv_traits_##type);                                  \
    }                                                                                                             \
    NNRT__FN void nnrt__conv_##type##_prepare(const nnrt__step_view *view, void *ready) {                         \
        nnrt__conv_make_ready(view, &nnrt__conv_traits_##type, (nnrt__conv_ready *)ready);                        \
    }                                                                                                             \
    NNRT__FN bool nnrt__conv_##type##_scratch(const nnrt__step_view *view, size_t *bytes) {                       \
        nnrt__conv_ready room;                                                                                    \
        *bytes = nnrt__conv_made(view, &nnrt__conv_traits_##type, &room)->scratch;                                \
        return true;                                                                                              \
    }                                                                                                             \
    NNRT__FN uint32_t nnrt__conv_##type##_units(const nnrt__step_view *view) {                                    \
        nnrt__conv_ready room;                                                                                    \
        return (uint32_t)nnrt__conv_made(view, &nnrt__conv_traits_##type, &room)->units;                          \
    }                                                                                                             \
    NNRT__FN OH_NN_ReturnCode nnrt__conv_##type##_run(const nnrt__step_view *view, const nnrt__step_call *call) { \
        const nnrt__conv_ready *ready = (const nnrt__conv_ready *)view->ready;                                    \
        if (NNRT__FOR_SPEED && nnrt__conv_traits_##type.find != NULL && ready->banded)                            \
            nnrt__conv_run_bands(view, call, ready, nnrt__conv_##type##_product);                                 \
        else if (!nnrt__conv_one_row(view, call, ready, nnrt__conv_##type##_product))                             \
            nnrt__conv_run(view, call, ready, NULL, nnrt__conv_##type##_product);                                 \
        return OH_NN_SUCCESS;                                                                                     \
    }

NNRT__CONV_KINDS_OF(s8, packed)
NNRT__CONV_KINDS_OF(f32, packed)
NNRT__CONV_KINDS_OF(raw_s8, raw)
NNRT__CONV_KINDS_OF(raw_f32, raw)

NNRT__FN const char *nnrt__conv_s8_isa(const nnrt__step_view *view) {
    return nnrt__conv_packed_isa(view, &nnrt__conv_traits_s8);
}
NNRT__FN const char *nnrt__conv_f32_isa(const nnrt__step_view *view) {
    return nnrt__conv_packed_isa(view, &nnrt__conv_traits_f32);
}
NNRT__FN const char *nnrt__conv_raw_s8_isa(const nnrt__step_view *view) { return view->kernels->gemm_raw_s8_isa; }
NNRT__FN const char *nnrt__conv_raw_f32_isa(const nnrt__step_view *view) { return view->kernels->gemm_raw_f32_isa; }

/* ---------------------------------------------------------------------------------------------- the kinds */

/* clang-format off */
#define NNRT__CONV_STEP(kind, type, inputs)         \
    NNRT__STEP_KIND(kind, INPUTS(inputs, inputs), OUTPUTS(1, 1), ARGUMENTS(nnrt__conv_args), \
                    CHECK(nnrt__conv_##type##_check), SCRATCH(nnrt__conv_##type##_scratch), \
                    UNITS(nnrt__conv_##type##_units), ISA(nnrt__conv_##type##_isa), \
                    RUN(nnrt__conv_##type##_run), WORK(nnrt__conv_work), \
                    READY(nnrt__conv_ready, nnrt__conv_##type##_prepare))
/* clang-format on */

NNRT__CONV_STEP(conv_s8, s8, 2)
NNRT__CONV_STEP(fc_s8, s8, 2)
NNRT__CONV_STEP(conv_raw_s8, raw_s8, 3)
NNRT__CONV_STEP(fc_raw_s8, raw_s8, 3)
NNRT__CONV_STEP(conv_f32, f32, 2)
NNRT__CONV_STEP(fc_f32, f32, 2)
NNRT__CONV_STEP(conv_raw_f32, raw_f32, 3)
NNRT__CONV_STEP(fc_raw_f32, raw_f32, 3)

#endif /* NNRT_CPU_STEPS_CONV_H */
