/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_conv_groups.h - what a convolution in groups becomes, by price.   >>cpu_ops_conv_groups

   A convolution in groups of a few channels can be computed in two ways:

       tiles     a GEMM for each group: most of a tile is padding when a group has few output channels, and the rows
                 of each group are listed, or gathered, anew
       planes    rows of the input are spread, and the depthwise kernels do it (cpu/steps_conv_groups.h)

   The shape decides which is faster. Prices are in 64ths of a nanosecond on a Zen 4 core with AVX2, where both sorts of
   kernels reach about the same share of their peak as on other instruction sets (tests/bench/bench_conv.c, 2026-11-25).
   Portable kernels have narrow tiles and waste nothing, so they always use tiles, as does a model that is to save
   memory.

   A third way is a GEMM for several groups at once, with zeros for each other's channels. It was measured for groups of
   8 of 64 channels, int8: 0.79 of the time of tiles on AVX-512 VNNI, 1.24 on AVX2. With floats, zero times infinity is
   NaN, and a channel must not depend on another group's values. So nothing is multiplied by a zero that is not in the
   model.
   */
#ifndef NNRT_CPU_OPS_CONV_GROUPS_H
#define NNRT_CPU_OPS_CONV_GROUPS_H

#include "ops_conv_spec.h"
#include "steps_conv_groups.h"

/* Narrower tiles are those of portable kernels. */
#define NNRT__GROUPS_TILE 8u

typedef struct nnrt__groups_price {
    uint32_t product, plane_product; /* of a GEMM, of a depthwise kernel */
    uint32_t spread;                 /* an element of a plane */
    uint32_t address, gathered;      /* of a piece of a group's row; of a tap that is copied */
} nnrt__groups_price;

NNRT__FN const nnrt__groups_price *nnrt__groups_price_of(nnrt__conv_type type) {
    static const nnrt__groups_price usual = {2, 3, 16, 45, 128}, wide = {1, 6, 16, 45, 128};
    return type == NNRT__CONV_S16 ? &wide : &usual;
}

/* Channels of the narrowest tile that a kernel computes. */
NNRT__INLINE uint64_t nnrt__groups_lanes(size_t n, uint32_t tile) { return (n + tile - 1) / tile * (uint64_t)tile; }

/* A pixel of a GEMM for each of spec's groups. packing NULL: rows as they are, four channels and 16 products at a
   time. */
NNRT__FN uint64_t nnrt__groups_price_tiles(const nnrt__conv_spec *spec, const nnrt__packing *packing) {
    const nnrt__groups_price *price = nnrt__groups_price_of(spec->type);
    const size_t taps = nnrt__conv_taps(spec);
    const size_t span = packing != NULL ? nnrt__conv_spec_span(packing, spec) : taps;
    const uint32_t kr = packing != NULL ? packing->kr : 16;
    const uint64_t depth = nnrt__packed_depth(taps / span, spec->k / (taps / span), kr);
    const uint64_t lanes = nnrt__groups_lanes(spec->n, packing != NULL ? NNRT__GROUPS_TILE : 4);
    const uint64_t listed =
        span == taps && taps > 1 ? price->gathered * (uint64_t)taps : price->address * (taps / span);
    return (uint64_t)spec->group * (lanes * depth * price->product + listed);
}

NNRT__FN uint64_t nnrt__groups_price_planes(const nnrt__conv_spec *spec) {
    const nnrt__groups_price *price = nnrt__groups_price_of(spec->type);
    const uint64_t run = spec->k / nnrt__conv_taps(spec);
    return (uint64_t)spec->out_c * (spec->k * price->plane_product + run * price->spread);
}

/* Should it use planes? Only if the planes of one pixel's window fit where those of several are meant to. */
NNRT__FN bool nnrt__conv_becomes_planes(const nnrt__lower *lower, const nnrt__conv_spec *spec,
                                        const nnrt__step_kind *kind, const nnrt__packing *tiles,
                                        const nnrt__packing *planes) {
    const size_t element = spec->type == NNRT__CONV_S8 ? 1 : spec->type == NNRT__CONV_S16 ? 2 : 4;
    const uint64_t window = (uint64_t)spec->out_c * spec->k * (uint64_t)spec->geometry.dilation_w *
                            element; /* at most 2^30 * 2^22 * 2^17 */
    if (!NNRT__HAVE_PLANES || spec->group <= 1 || lower->keep_weights || !nnrt__lower_has(lower, kind)) return false;
    if (planes != NULL && planes->nr < NNRT__GROUPS_TILE) return false;
    if ((uint64_t)spec->out_c > NNRT__GROUPS_BYTES || window > 2 * (uint64_t)NNRT__GROUPS_BYTES) return false;
    return nnrt__groups_price_planes(spec) < nnrt__groups_price_tiles(spec, tiles);
}

#endif /* NNRT_CPU_OPS_CONV_GROUPS_H */
