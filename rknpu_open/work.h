/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/work.h - what a run of an image costs, as its words tell.   >>rknpu_open_work

   For people who look at a plan: tasks, tiles, bytes that move, and a guess of the time. Bytes are what the blocks
   fetch and write by the words of each task: input, weights that are not kept from the tile before, tables, a second
   operand, output, and the words. The time is made of prices, and all of these are assumed: no silicon has been timed.
   Clocks and products of a cycle are those of the manual (RK3588) and of the kernel's device tree (RV1106), what the
   memory gives is a guess, and nothing overlaps but products and bytes of one task. */
#ifndef NNRT_RKNPU_OPEN_WORK_H
#define NNRT_RKNPU_OPEN_WORK_H

#include "../cpu/accelerator.h"
#include "check.h"

typedef struct nnrt__open_npu_prices {
    uint32_t mhz;
    uint32_t channels, kernels; /* whose products of one tap are one cycle, dense */
    uint32_t depthwise;         /* channels whose products of one tap are one cycle, depthwise */
    uint32_t bytes_per_us;      /* from and to memory */
    uint32_t task_ns;           /* from the end of a task to the first product of the next */
    uint32_t submit_us;         /* the way through the driver, there and back */
    uint32_t port_ps;           /* picoseconds of the processor for each byte that changes its layout */
} nnrt__open_npu_prices;

NNRT__FN const nnrt__open_npu_prices *nnrt__open_npu_prices_of(uint32_t chip) {
    static const nnrt__open_npu_prices rv1106 = {420, 32, 16, 32, 1500, 2000, 200, 1500};
    static const nnrt__open_npu_prices rk3588 = {1000, 32, 32, 64, 8000, 1000, 200, 700};
    return chip == NNRT__OPEN_NPU_RK3588 ? &rk3588 : &rv1106;
}

/* The words of a task. */
typedef struct nnrt__open_npu_told {
    const uint8_t *words;
    uint32_t amount;
} nnrt__open_npu_told;

/* What they write in a register; 0: nothing. */
NNRT__FN uint32_t nnrt__open_npu_told_of(const nnrt__open_npu_told *t, uint32_t name) {
    uint32_t i;
    for (i = t->amount; i > 0; i--)
        if (nnrt__read_u16(t->words + (size_t)(i - 1) * 8) == name)
            return nnrt__read_u32(t->words + (size_t)(i - 1) * 8 + 2);
    return 0;
}

NNRT__FN uint32_t nnrt__open_npu_told_bits(const nnrt__open_npu_told *t, uint32_t name, unsigned low, unsigned count) {
    return nnrt__open_npu_told_of(t, name) >> low & (((uint32_t)1 << count) - 1);
}

NNRT__INLINE uint64_t nnrt__open_npu_pieces(uint64_t count, uint32_t size) { return (count + size - 1) / size; }

/* What a task costs beside its words. */
typedef struct nnrt__open_npu_cost {
    uint64_t cycles, read, written;
} nnrt__open_npu_cost;

/* Bytes of width x height x channels, each one less in its register, in planes of 16 channels. */
NNRT__FN uint64_t nnrt__open_npu_map_bytes(const nnrt__open_npu_told *t, uint32_t width, uint32_t height,
                                           uint32_t channels) {
    return ((uint64_t)nnrt__open_npu_told_bits(t, width, 0, 13) + 1) *
           (nnrt__open_npu_told_bits(t, height, 0, 13) + 1u) *
           (nnrt__open_npu_told_bits(t, channels, 0, 13) / NNRT__OPEN_NPU_LANES + 1u) * NNRT__OPEN_NPU_LANES;
}

/* The DPU behind a convolution or alone: an atom of 16 bytes in a cycle. */
NNRT__FN void nnrt__open_npu_dpu_cost(const nnrt__open_npu_told *t, bool alone, nnrt__open_npu_cost *cost) {
    const uint64_t out =
        nnrt__open_npu_map_bytes(t, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, NNRT__OPEN_NPU_DPU_DATA_CUBE_HEIGHT,
                                 NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL);
    const uint32_t format = nnrt__open_npu_told_of(t, NNRT__OPEN_NPU_DPU_DATA_FORMAT);
    const bool nearest = alone && (format == 0x01000000 || format == 0x04000000);
    const uint32_t operand = nnrt__open_npu_told_of(t, NNRT__OPEN_NPU_RDMA_ERDMA_CFG);
    if (operand == 0x40000004) cost->read += out;
    if (alone) cost->read += nearest ? out / 2 : out; /* nearest: the new width, the old height */
    cost->written += nearest ? 2 * out : out;
    cost->cycles = nnrt__open_npu_pieces(nearest ? 2 * out : out, NNRT__OPEN_NPU_LANES);
}

NNRT__FN void nnrt__open_npu_conv_cost(const nnrt__open_npu_told *t, const nnrt__open_npu_prices *prices,
                                       nnrt__open_npu_cost *cost) {
    const uint32_t control = nnrt__open_npu_told_of(t, NNRT__OPEN_NPU_CNA_CONV_CON1);
    const uint32_t packed = control >> 12 & 15,
                   lanes = nnrt__open_npu_told_bits(t, NNRT__OPEN_NPU_CNA_DATA_SIZE1, 0, 16);
    const uint32_t kernels = nnrt__open_npu_told_bits(t, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, 0, 13) + 1;
    const uint64_t pixels = nnrt__open_npu_told_of(t, NNRT__OPEN_NPU_CNA_DATA_SIZE3);
    const uint64_t taps = (uint64_t)nnrt__open_npu_told_bits(t, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE2, 24, 5) *
                          nnrt__open_npu_told_bits(t, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE2, 16, 5);
    const uint32_t form = nnrt__open_npu_told_of(t, NNRT__OPEN_NPU_RDMA_BRDMA_CFG);
    uint64_t cycles;
    nnrt__open_npu_dpu_cost(t, false, cost);
    cost->read += (uint64_t)nnrt__open_npu_told_bits(t, NNRT__OPEN_NPU_CNA_DATA_SIZE0, 16, 11) *
                  nnrt__open_npu_told_bits(t, NNRT__OPEN_NPU_CNA_DATA_SIZE0, 0, 11) * (packed > 7 ? packed - 7 : lanes);
    if ((nnrt__open_npu_told_of(t, NNRT__OPEN_NPU_CNA_CBUF_CON0) & 0x2000) == 0) /* kept from the tile before */
        cost->read += nnrt__open_npu_told_of(t, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE0);
    cost->read +=
        (uint64_t)kernels * (((form & 2) != 0 ? 4u : 0u) + ((form & 4) != 0 ? 2u : 0u) + ((form & 8) != 0 ? 2u : 0u));
    cycles = (control & 15) != 0 ? pixels * taps * nnrt__open_npu_pieces(kernels, prices->depthwise)
                                 : pixels * taps * nnrt__open_npu_pieces(lanes, prices->channels) *
                                       nnrt__open_npu_pieces(kernels, prices->kernels);
    if (cycles > cost->cycles) cost->cycles = cycles;
}

NNRT__FN void nnrt__open_npu_pool_cost(const nnrt__open_npu_told *t, nnrt__open_npu_cost *cost) {
    cost->read = nnrt__open_npu_map_bytes(t, NNRT__OPEN_NPU_PPU_IN_WIDTH, NNRT__OPEN_NPU_PPU_IN_HEIGHT,
                                          NNRT__OPEN_NPU_PPU_IN_CHANNEL);
    cost->written = nnrt__open_npu_map_bytes(t, NNRT__OPEN_NPU_PPU_OUT_WIDTH, NNRT__OPEN_NPU_PPU_OUT_HEIGHT,
                                             NNRT__OPEN_NPU_PPU_OUT_CHANNEL);
    cost->cycles = nnrt__open_npu_pieces(cost->read, NNRT__OPEN_NPU_LANES);
}

/* Adds a task to *work. ns: of the tasks so far. */
NNRT__FN void nnrt__open_npu_add_task(const void *image, const nnrt__open_npu_header *header,
                                      const nnrt__open_npu_task *task, nnrt__part_work *work, uint64_t *ns) {
    const nnrt__open_npu_prices *prices = nnrt__open_npu_prices_of(header->chip);
    nnrt__open_npu_told told;
    nnrt__open_npu_cost cost = {0, 0, 0};
    uint64_t products, bytes;
    told.words = (const uint8_t *)image + header->loaded + task->words;
    told.amount = task->amount;
    work->tasks++;
    if (task->enable == NNRT__OPEN_NPU_RUN_POOL) nnrt__open_npu_pool_cost(&told, &cost);
    else if (task->enable == NNRT__OPEN_NPU_RUN_DPU) nnrt__open_npu_dpu_cost(&told, true, &cost);
    else {
        nnrt__open_npu_conv_cost(&told, prices, &cost);
        work->tiles++;
    }
    cost.read += ((uint64_t)task->amount + NNRT__OPEN_NPU_TAIL) * 8;
    work->read += cost.read;
    work->written += cost.written;
    products = cost.cycles * 1000 / prices->mhz;
    bytes = (cost.read + cost.written) * 1000 / prices->bytes_per_us;
    *ns += (products > bytes ? products : bytes) + prices->task_ns;
}

/* As slot work of cpu/accelerator.h. */
NNRT__FN void nnrt__open_npu_work(const void *image, uint32_t node, nnrt__part_work *work) {
    nnrt__open_npu_header header;
    const nnrt__open_npu_prices *prices;
    uint64_t ns = 0;
    uint32_t i;
    memset(work, 0, sizeof(*work));
    nnrt__open_npu_header_read(image, &header);
    prices = nnrt__open_npu_prices_of(header.chip);
    for (i = 0; i < header.task_count; i++) {
        nnrt__open_npu_task task;
        nnrt__open_npu_task_read(image, &header, i, &task);
        if (node != NNRT__PART_ALL && task.op != node) continue;
        nnrt__open_npu_add_task(image, &header, &task, work, &ns);
    }
    if (node == NNRT__PART_ALL) {
        for (i = 0; i < header.input_count + header.output_count; i++) {
            nnrt__open_npu_port port;
            nnrt__open_npu_port_read(image, &header, i, &port);
            ns += (uint64_t)port.size * prices->port_ps / 1000;
        }
        ns += (uint64_t)prices->submit_us * 1000;
        work->loaded = header.loaded_size;
        work->memory = header.memory_size;
    }
    work->run_us = (ns + 500) / 1000;
}

#endif /* NNRT_RKNPU_OPEN_WORK_H */
