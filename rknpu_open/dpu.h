/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/dpu.h - tasks of the DPU alone: what it reads, makes of it, and writes.   >>rknpu_open_dpu

   Reads planes, moves and scales a value (BS), adds a second operand, multiplies with it or takes the larger one (EW),
   or looks it up (LUT), and converts to the output. A convolution is not needed for any of it. */
#ifndef NNRT_RKNPU_OPEN_DPU_H
#define NNRT_RKNPU_OPEN_DPU_H

#include "tensors.h"

/* The words of a copy from one tensor to another. */
NNRT__FN void nnrt__open_npu_dpu_begin(nnrt__open_npu_compiler *m, const nnrt__open_npu_tensor *in,
                                       const nnrt__open_npu_tensor *out, nnrt__open_npu_draft *d) {
    const nnrt__open_npu_at from = nnrt__open_npu_place(m, in), to = nnrt__open_npu_place(m, out);
    const bool rk3588 = m->writer.facts->chip == NNRT__OPEN_NPU_RK3588;
    const nnrt__open_npu_shape *s = &out->shape;
    const uint32_t lanes = nnrt__open_npu_up(s->channels, NNRT__OPEN_NPU_LANES);
    const uint32_t pixels = s->height * s->width * NNRT__OPEN_NPU_LANES;
    nnrt__open_npu_draft_begin(d, &m->writer, NNRT__OPEN_NPU_DPU);
    nnrt__open_npu_set_address(d, NNRT__OPEN_NPU_DPU_DST_BASE_ADDR, NNRT__OPEN_NPU_TENSORS, to.offset);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_DST_SURF_STRIDE, to.plane_bytes);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, s->width - 1);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_DATA_CUBE_HEIGHT, s->height - 1);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, (s->channels - 1) << 16 | (lanes - 1));
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0, rk3588 ? lanes - 1 : (lanes / 16 - 1) << 16 | 3);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_WDMA_SIZE_1, (s->height - 1) << 16 | (s->width - 1));
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_SURFACE_ADD, to.plane_bytes);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_DATA_CUBE_WIDTH, s->width - 1);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_DATA_CUBE_HEIGHT, s->height - 1);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_DATA_CUBE_CHANNEL, lanes - 1);
    nnrt__open_npu_set_address(d, NNRT__OPEN_NPU_RDMA_SRC_BASE_ADDR, NNRT__OPEN_NPU_TENSORS, from.offset);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_SURF_NOTCH, from.plane_bytes - pixels);
}

/* Where a second operand lies. */
typedef struct nnrt__open_npu_operand {
    nnrt__open_npu_area area;
    uint32_t offset, plane_bytes;
} nnrt__open_npu_operand;

/* The second operand: (operand + move) * factor, not shifted. */
NNRT__FN void nnrt__open_npu_dpu_operand(const nnrt__open_npu_operand *operand, const nnrt__open_npu_shape *shape,
                                         int32_t move, int32_t factor, nnrt__open_npu_draft *d) {
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_EW_CVT_OFFSET, (uint32_t)move);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_EW_CVT_SCALE, (uint32_t)factor & 0xffff);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_ERDMA_CFG, 0x40000004);
    nnrt__open_npu_set_address(d, NNRT__OPEN_NPU_RDMA_EW_BASE_ADDR, operand->area, operand->offset);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_EW_SURF_STRIDE, operand->plane_bytes);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_EW_SURF_NOTCH,
                       operand->plane_bytes - shape->height * shape->width * NNRT__OPEN_NPU_LANES);
}

/* The first operand: (value + move) * factor, not shifted; factor 0: as it is moved. */
NNRT__FN void nnrt__open_npu_dpu_first(const nnrt__open_npu_facts *facts, int32_t move, int32_t factor,
                                       nnrt__open_npu_draft *d) {
    const uint32_t scaled = ((uint32_t)factor & 0xffff) << 16;
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_MUL_CFG, scaled);
    if (facts->chip == NNRT__OPEN_NPU_RK3588) {
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_CFG, factor != 0 ? 0x20040 : 0x20050);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_ALU_CFG, (uint32_t)move);
    } else {
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_CFG, 0x100012);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_ADD, (uint32_t)move);
    }
}

NNRT__FN void nnrt__open_npu_dpu_output(const nnrt__open_npu_facts *facts, const nnrt__open_npu_output *output,
                                        nnrt__open_npu_draft *d) {
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_OUT_CVT_OFFSET, (uint32_t)output->zero_point);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_OUT_CVT_SCALE,
                       (uint32_t)output->factor | (facts->chip == NNRT__OPEN_NPU_RK3588 ? 0u : 0x10000u));
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_OUT_CVT_SHIFT, output->shift);
}

/* The bytes of one tensor into another. */
NNRT__FN void nnrt__open_npu_copy(nnrt__open_npu_compiler *m, const nnrt__open_npu_tensor *in,
                                  const nnrt__open_npu_tensor *out) {
    nnrt__open_npu_draft d;
    nnrt__open_npu_dpu_begin(m, in, out, &d);
    nnrt__open_npu_draft_end(&m->writer, &d);
}

/* Pixels of one tensor to every step_w-th column and step_h-th row of another, from `at` on, in pixels. Each is a row
   by itself, with a gap behind it, and rows are planes, of all planes together where nothing lies between those. */
NNRT__FN void nnrt__open_npu_copy_apart(nnrt__open_npu_compiler *m, const nnrt__open_npu_tensor *in,
                                        const nnrt__open_npu_tensor *out, uint32_t at, uint32_t step_h,
                                        uint32_t step_w) {
    const uint32_t planes = nnrt__open_npu_planes(in->shape.channels), most = NNRT__OPEN_NPU_MOST_OUTPUTS / 16;
    const uint32_t in_row = in->shape.width * NNRT__OPEN_NPU_LANES;
    const uint32_t out_row = out->shape.width * NNRT__OPEN_NPU_LANES * step_h;
    const bool together =
        in->plane_bytes == in->shape.height * in_row && out->plane_bytes == in->shape.height * out_row;
    const uint32_t rows = in->shape.height * (together ? planes : 1);
    uint32_t plane, row, count;
    for (plane = 0; plane < (together ? 1 : planes); plane++)
        for (row = 0; row < rows; row += count) {
            nnrt__open_npu_tensor from = *in, to = *out;
            nnrt__open_npu_draft d;
            count = rows - row < most ? rows - row : most;
            from.first += plane * in->plane_bytes + row * in_row;
            to.first += plane * out->plane_bytes + row * out_row + at * NNRT__OPEN_NPU_LANES;
            from.plane_bytes = in_row;
            to.plane_bytes = out_row;
            to.shape.height = in->shape.width;
            to.shape.width = 1;
            to.shape.channels = count * NNRT__OPEN_NPU_LANES;
            nnrt__open_npu_dpu_begin(m, &from, &to, &d);
            nnrt__open_npu_set(&d, NNRT__OPEN_NPU_DPU_DATA_CUBE_NOTCH_ADDR, (step_w - 1) * 0x10001);
            nnrt__open_npu_draft_end(&m->writer, &d);
        }
}

#endif /* NNRT_RKNPU_OPEN_DPU_H */
