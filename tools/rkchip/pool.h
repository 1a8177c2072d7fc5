/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/pool.h - PPU and PPU_RDMA: the largest of a window, or the mean of 2 x 2. */
#ifndef NNRT_TOOLS_RKCHIP_POOL_H
#define NNRT_TOOLS_RKCHIP_POOL_H

#include "arithmetic.h"
#include "generation.h"

typedef struct rkchip_pool {
    bool averages;
    uint32_t width, height, planes, out_width, out_height;
    uint32_t kernel_width, kernel_height, step_x, step_y, pad_left, pad_top;
    uint64_t row_bytes, plane_bytes, out_row_bytes, out_plane_bytes;
} rkchip_pool;

/* From the first byte of a plane to its last. */
static uint64_t rkchip_pool_reach(uint32_t height, uint64_t row_bytes, uint32_t width) {
    return (height - 1) * row_bytes + (uint64_t)width * RKCHIP_LANES;
}

/* A mean is the sum times two parts of 65536, a width's and a height's. Only with halves is it known how the product is
   rounded, and of padding nobody knows what it counts for. */
static bool rkchip_pool_divides(rkchip *chip, const rkchip_pool *p) {
    const uint32_t part = p->averages ? 0x8000 : 0;
    if (p->averages &&
        (p->kernel_width != 2 || p->kernel_height != 2 || rkchip_get(chip, PPU_POOLING_PADDING_CFG) != 0 ||
         (p->out_width - 1) * p->step_x + 2 > p->width || (p->out_height - 1) * p->step_y + 2 > p->height))
        return rkchip_refuse_word(chip, PPU_OPERATION_MODE_CFG,
                                  "averages: how any but those of 2 x 2 without padding are divided is not known");
    return rkchip_expect(chip, PPU_RECIP_KERNEL_WIDTH, part) && rkchip_expect(chip, PPU_RECIP_KERNEL_HEIGHT, part);
}

static bool rkchip_pool_read(rkchip *chip, rkchip_pool *p) {
    p->width = rkchip_get(chip, PPU_IN_WIDTH) + 1;
    p->height = rkchip_get(chip, PPU_IN_HEIGHT) + 1;
    p->planes = rkchip_get(chip, PPU_IN_CHANNEL) / RKCHIP_LANES + 1;
    p->out_width = rkchip_get(chip, PPU_OUT_WIDTH) + 1;
    p->out_height = rkchip_get(chip, PPU_OUT_HEIGHT) + 1;
    p->kernel_width = rkchip_bits(chip, PPU_POOLING_KERNEL_CFG, 0, 4) + 1;
    p->kernel_height = rkchip_bits(chip, PPU_POOLING_KERNEL_CFG, 8, 4) + 1;
    p->step_x = rkchip_bits(chip, PPU_POOLING_KERNEL_CFG, 16, 4) + 1;
    p->step_y = rkchip_bits(chip, PPU_POOLING_KERNEL_CFG, 20, 4) + 1;
    p->pad_left = rkchip_bits(chip, PPU_POOLING_PADDING_CFG, 0, 3);
    p->pad_top = rkchip_bits(chip, PPU_POOLING_PADDING_CFG, 4, 3);
    p->row_bytes = rkchip_get(chip, PPU_RDMA_SRC_LINE_STRIDE);
    p->plane_bytes = rkchip_get(chip, PPU_RDMA_SRC_SURF_STRIDE);
    p->out_row_bytes = (uint64_t)(p->out_width + rkchip_bits(chip, PPU_OPERATION_MODE_CFG, 16, 13)) * RKCHIP_LANES;
    p->out_plane_bytes = rkchip_get(chip, PPU_DST_SURF_STRIDE);
    p->averages = rkchip_bits(chip, PPU_OPERATION_MODE_CFG, 0, 1) == 0;
    if (!rkchip_pool_divides(chip, p)) return false;
    if (p->planes > 1 && p->plane_bytes < rkchip_pool_reach(p->height, p->row_bytes, p->width))
        return rkchip_refuse_word(chip, PPU_RDMA_SRC_SURF_STRIDE, "planes that overlap");
    if (p->planes > 1 && p->out_plane_bytes < rkchip_pool_reach(p->out_height, p->out_row_bytes, p->out_width))
        return rkchip_refuse_word(chip, PPU_DST_SURF_STRIDE, "planes that overlap");
    return rkchip_expect(chip, PPU_OUT_CHANNEL, rkchip_get(chip, PPU_IN_CHANNEL)) &&
           rkchip_expect(chip, PPU_RDMA_IN_WIDTH, p->width - 1) &&
           rkchip_expect(chip, PPU_RDMA_IN_HEIGHT, p->height - 1) &&
           rkchip_expect(chip, PPU_RDMA_IN_CHANNEL, rkchip_get(chip, PPU_IN_CHANNEL)) &&
           rkchip_expect(chip, PPU_DATA_FORMAT, rkchip_get(chip, PPU_DST_SURF_STRIDE));
}

/* The largest of each lane below one window; padding is never it. false: the window holds nothing but padding. */
static bool rkchip_pool_window(const rkchip_pool *p, const uint8_t *from, uint32_t x, uint32_t y, uint8_t *to) {
    const uint32_t left = x * p->step_x, top = y * p->step_y;
    bool any = false;
    uint32_t i, j, k;
    for (j = top; j < top + p->kernel_height; j++)
        for (i = left; i < left + p->kernel_width; i++) {
            const uint8_t *atom;
            if (i < p->pad_left || j < p->pad_top || i - p->pad_left >= p->width || j - p->pad_top >= p->height)
                continue;
            atom = from + (j - p->pad_top) * p->row_bytes + (uint64_t)(i - p->pad_left) * RKCHIP_LANES;
            for (k = 0; k < RKCHIP_LANES; k++)
                if (!any || rkchip_signed(atom[k], 8) > rkchip_signed(to[k], 8)) to[k] = atom[k];
            any = true;
        }
    return any;
}

/* The mean of each lane below one window, halves to even. */
static void rkchip_pool_mean(const rkchip_pool *p, const uint8_t *from, uint32_t x, uint32_t y, uint8_t *to) {
    const uint8_t *first = from + (uint64_t)y * p->step_y * p->row_bytes + (uint64_t)x * p->step_x * RKCHIP_LANES;
    uint32_t i, k;
    for (k = 0; k < RKCHIP_LANES; k++) {
        int32_t sum = 0;
        for (i = 0; i < 4; i++) sum += rkchip_signed(first[i / 2 * p->row_bytes + i % 2 * RKCHIP_LANES + k], 8);
        to[k] = (uint8_t)rkchip_round_shift(sum, 2);
    }
}

static bool rkchip_pool_plane(rkchip *chip, const rkchip_pool *p, uint32_t plane) {
    const uint64_t row = (uint64_t)p->out_width * RKCHIP_LANES;
    const uint8_t *from =
        rkchip_span(chip, PPU_RDMA_SRC_BASE_ADDR, rkchip_get(chip, PPU_RDMA_SRC_BASE_ADDR) + plane * p->plane_bytes,
                    rkchip_pool_reach(p->height, p->row_bytes, p->width));
    uint8_t *to = rkchip_span(chip, PPU_DST_BASE_ADDR, rkchip_get(chip, PPU_DST_BASE_ADDR) + plane * p->out_plane_bytes,
                              rkchip_pool_reach(p->out_height, p->out_row_bytes, p->out_width));
    uint8_t *made;
    uint32_t x, y;
    if (from == NULL || to == NULL) return false;
    made = (uint8_t *)rkchip_room(chip, &chip->sums, row * p->out_height);
    if (made == NULL) return false;
    for (y = 0; y < p->out_height; y++)
        for (x = 0; x < p->out_width; x++) {
            uint8_t *atom = made + y * row + (uint64_t)x * RKCHIP_LANES;
            if (p->averages) rkchip_pool_mean(p, from, x, y, atom);
            else if (!rkchip_pool_window(p, from, x, y, atom))
                return rkchip_refuse_word(chip, PPU_POOLING_PADDING_CFG, "a window of padding alone");
        }
    for (y = 0; y < p->out_height; y++) memcpy(to + y * p->out_row_bytes, made + y * row, (size_t)row);
    return true;
}

/* A task of PPU and PPU_RDMA. */
static bool rkchip_pooling(rkchip *chip) {
    rkchip_pool p;
    uint32_t plane;
    if (!rkchip_pool_read(chip, &p)) return false;
    for (plane = 0; plane < p.planes; plane++)
        if (!rkchip_pool_plane(chip, &p, plane)) return false;
    return true;
}

#endif /* NNRT_TOOLS_RKCHIP_POOL_H */
