/* SPDX-License-Identifier: Apache-2.0 */
/* open_npu_run.h - images of rknpu_open run on the NPU in software (tools/rkchip), and graphs cut in two of which the
   NPU has a part. Include it after linked.h, graph_builder.h and noise.h.

   Memory of a job is one block of exactly its size, filled with noise before it is loaded: nothing may depend on what
   nobody has written, and a sanitizer sees what leaves it. */
#ifndef NNRT_TESTS_OPEN_NPU_RUN_H
#define NNRT_TESTS_OPEN_NPU_RUN_H

#include "../../tools/rkchip/run.h"

#define RUN_FN static __attribute__((unused))

enum {
    RUN_BASE = 0x7000000
};

RUN_FN const char *chip_name(nnrt__open_npu_chip chip) { return chip == NNRT__OPEN_NPU_RK3588 ? "RK3588" : "RV1106"; }

RUN_FN const nnrt__open_npu_header *image_header(const void *image) { return (const nnrt__open_npu_header *)image; }

RUN_FN const nnrt__open_npu_port *image_ports(const void *image) {
    return (const nnrt__open_npu_port *)(const void *)((const uint8_t *)image + image_header(image)->ports);
}

RUN_FN const nnrt__open_npu_task *image_tasks(const void *image) {
    return (const nnrt__open_npu_task *)(const void *)((const uint8_t *)image + image_header(image)->tasks);
}

/* What a task writes in a register; the last word counts. */
RUN_FN uint32_t image_word(const void *image, uint32_t task, uint32_t name) {
    const nnrt__open_npu_task *t = &image_tasks(image)[task];
    const uint64_t *words =
        (const uint64_t *)(const void *)((const uint8_t *)image + image_header(image)->loaded + t->words);
    for (uint32_t i = t->amount; i > 0; i--)
        if ((words[i - 1] & 0xffff) == name) return (uint32_t)(words[i - 1] >> 16);
    cr_assert_fail("task %u writes nothing in 0x%04x", task, name);
    return 0;
}

RUN_FN const uint8_t *image_at(const void *image, uint32_t offset) {
    cr_assert_lt(offset, image_header(image)->loaded_size);
    return (const uint8_t *)image + image_header(image)->loaded + offset;
}

/* Where a value of a port is in the memory. */
RUN_FN size_t port_at(const nnrt__open_npu_port *p, uint32_t y, uint32_t x, uint32_t c) {
    if (p->layout == NNRT__OPEN_NPU_FLAT) return p->offset + ((size_t)y * p->width + x) * p->channels + c;
    if (p->layout == NNRT__OPEN_NPU_PIXELS) return p->offset + (size_t)y * p->row_bytes + (size_t)x * p->channels + c;
    return p->offset + (size_t)(c / 16) * p->plane_bytes + ((size_t)y * p->width + x) * 16 + c % 16;
}

RUN_FN void port_move(const nnrt__open_npu_port *p, uint8_t *memory, uint8_t *flat, bool in) {
    for (uint32_t y = 0; y < p->height; y++)
        for (uint32_t x = 0; x < p->width; x++)
            for (uint32_t c = 0; c < p->channels; c++, flat++) {
                uint8_t *at = memory + port_at(p, y, x, c);
                cr_assert_lt(port_at(p, y, x, c), (size_t)p->offset + p->size);
                if (in) *at = *flat;
                else *flat = *at;
            }
}

/* All that the structure promises; words and addresses are the engine's to refuse. */
RUN_FN void image_is_sound(const void *image, size_t size) {
    const nnrt__open_npu_header *h = image_header(image);
    cr_assert_eq(h->magic, NNRT__OPEN_NPU_MAGIC);
    cr_assert_eq(h->size, size);
    cr_assert_eq(h->loaded + h->loaded_size, h->size);
    cr_assert(h->words_size <= h->loaded_size && h->loaded_size <= h->memory_size);
    cr_assert(h->memory_size <= NNRT__OPEN_NPU_MOST_MEMORY && h->task_count <= NNRT__OPEN_NPU_MOST_TASKS);
    for (uint32_t i = 0; i < h->input_count + h->output_count; i++) {
        const nnrt__open_npu_port *p = &image_ports(image)[i];
        cr_assert(p->offset % 64 == 0 && p->offset >= h->loaded_size && p->size <= h->memory_size - p->offset,
                  "port %u", i);
    }
    for (uint32_t i = 0; i < h->task_count; i++) {
        const nnrt__open_npu_task *t = &image_tasks(image)[i];
        const uint64_t *tail;
        cr_assert(t->words % 16 == 0 && t->words + (t->amount + 4) * 8 <= h->words_size, "task %u", i);
        tail = (const uint64_t *)(const void *)image_at(image, t->words + t->amount * 8);
        cr_assert_eq(tail[2], (uint64_t)0x41 << 48);
        cr_assert_eq(tail[3], (uint64_t)0x81 << 48 | (uint64_t)t->enable << 16 | 8);
        if (i + 1 < h->task_count) {
            cr_assert_eq(tail[0], (uint64_t)0x101 << 48 | (uint64_t)t[1].words << 16 | 0x10);
            cr_assert_eq(tail[1], (uint64_t)0x101 << 48 | (uint64_t)((t[1].amount + 5) / 2 - 1) << 16 | 0x14);
        } else {
            cr_assert(tail[0] == 0 && tail[1] == 0);
        }
    }
}

/* One word of the image has another value: a bit, a size, a place near the end of memory, or what is twice as far. */
RUN_FN void image_change(uint8_t *image, uint32_t *state) {
    const nnrt__open_npu_header *h = image_header(image);
    uint32_t drawn[4], value;
    uint8_t *word;
    for (uint32_t i = 0; i < 4; i++) drawn[i] = (*state = *state * 1664525u + 1013904223u) >> 8;
    const nnrt__open_npu_task *t = &image_tasks(image)[drawn[0] % h->task_count];
    word = image + h->loaded + t->words + 8 * (drawn[1] % t->amount);
    value = nnrt__read_u32(word + 2);
    switch (drawn[2] % 5) {
    case 0: value ^= (uint32_t)1 << drawn[3] % 32; break;
    case 1: value += drawn[3] % 33 * 16 - 256; break;
    case 2: value = h->memory_size - drawn[3] % 64 * 16; break;
    case 3: value = (value & 0xffff0000u) | drawn[3] % 512; break;
    default: value *= 2; break;
    }
    memcpy(word + 2, &value, sizeof value);
}

/* Whatever the check accepts of changed images, the engine finds no place outside of their memory, and words and
   weights stay. The image itself is accepted. */
RUN_FN void image_stays_inside(const void *image, size_t size) {
    const nnrt__open_npu_header *h = image_header(image);
    static uint32_t state = 1;
    cr_assert_eq((int)nnrt__open_npu_check(image, size), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (uint32_t round = 0; round < 4 && h->macs < 200000 && h->memory_size < 1u << 18; round++) {
        uint8_t *changed = (uint8_t *)malloc(size), *memory = (uint8_t *)calloc(1, h->memory_size);
        rkchip *chip = rkchip_create(h->chip == NNRT__OPEN_NPU_RK3588 ? RKCHIP_RK3588 : RKCHIP_RV1106);
        rkchip_region region;
        bool runs = true;
        cr_assert(changed != NULL && memory != NULL && chip != NULL);
        memcpy(changed, image, size);
        for (uint32_t i = 0; i <= round % 2; i++) image_change(changed, &state);
        memcpy(memory, changed + h->loaded, h->loaded_size);
        region.address = 0;
        region.bytes = memory;
        region.size = h->memory_size;
        chip->memory.regions = &region;
        chip->memory.count = 1;
        if (nnrt__open_npu_check(changed, size) == OH_NN_SUCCESS)
            for (uint32_t i = 0; i < h->task_count && runs; i++) {
                const nnrt__open_npu_task *t = &image_tasks(changed)[i];
                const rkchip_task task = {t->enable, t->amount, t->words};
                runs = rkchip_run(chip, i, &task);
            }
        cr_assert(runs || (strstr(chip->sentence, "not memory of the job") == NULL &&
                           strstr(chip->sentence, "in front of the memory") == NULL),
                  "%s", chip->sentence);
        cr_assert_eq(memcmp(memory, changed + h->loaded, h->loaded_size), 0);
        rkchip_destroy(chip);
        free(memory);
        free(changed);
    }
}

/* inputs and outputs are [height][width][channels]. */
RUN_FN void image_run(const void *image, size_t size, void *const *inputs, void *const *outputs) {
    const nnrt__open_npu_header *h = image_header(image);
    const nnrt__open_npu_port *ports = image_ports(image);
    uint8_t *memory = (uint8_t *)malloc(h->memory_size);
    rkchip *chip = rkchip_create(h->chip == NNRT__OPEN_NPU_RK3588 ? RKCHIP_RK3588 : RKCHIP_RV1106);
    rkchip_region region;
    image_is_sound(image, size);
    image_stays_inside(image, size);
    cr_assert(memory != NULL && chip != NULL);
    memset(memory, (int)noise() & 0xff, h->memory_size);
    memcpy(memory, (const uint8_t *)image + h->loaded, h->loaded_size);
    for (uint32_t i = 0; i < h->input_count; i++) port_move(&ports[i], memory, (uint8_t *)inputs[i], true);
    region.address = RUN_BASE;
    region.bytes = memory;
    region.size = h->memory_size;
    chip->memory.regions = &region;
    chip->memory.count = 1;
    chip->memory.base = RUN_BASE;
    for (uint32_t i = 0; i < h->task_count; i++) {
        const nnrt__open_npu_task *t = &image_tasks(image)[i];
        const rkchip_task task = {t->enable, t->amount, t->words};
        cr_assert(rkchip_run(chip, i, &task), "%s: %s", chip_name((nnrt__open_npu_chip)h->chip), chip->sentence);
    }
    cr_assert_eq(memcmp(memory, (const uint8_t *)image + h->loaded, h->loaded_size), 0,
                 "a task writes what was loaded");
    for (uint32_t i = 0; i < h->output_count; i++)
        port_move(&ports[h->input_count + i], memory, (uint8_t *)outputs[i], false);
    rkchip_destroy(chip);
    free(memory);
}

/* ------------------------------------------------------------------------------------------ a graph in parts */

/* A graph with shapes, and how it is compiled for the CPU. */
typedef struct parts {
    nnrt__ir ir;
    nnrt__cpu_table kernels;
    nnrt__compile_options options;
    nnrt__ir_cut cut;
    nnrt__open_npu_chip chip;
    void **bytes; /* of every value that goes from part to part */
    uint32_t npu_parts, npu_nodes, cpu_nodes;
    uint64_t npu_macs;
} parts;

RUN_FN void parts_of(parts *p, const nnrt_graph *graph) {
    memset(p, 0, sizeof *p);
    nnrt__cpu_select(&p->kernels, 0);
    p->options.kernels = &p->kernels;
    p->options.threads = 1;
    p->options.passes = NNRT__PASS_ALL;
    p->options.bounds.memory = NNRT__BOUNDS_MEMORY;
    p->options.bounds.work = NNRT__BOUNDS_WORK;
    cr_assert_eq((int)nnrt__ir_build(&p->ir, graph, NULL), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)nnrt__infer_and_fold(&p->ir, &p->options), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
}

/* The image of a finished model, all of it for the NPU; the code of compiling. */
RUN_FN OH_NN_ReturnCode compile_whole(const gb_graph *g, nnrt__open_npu_chip chip, bool exact, void **image,
                                      size_t *size) {
    parts p;
    OH_NN_ReturnCode code;
    parts_of(&p, nnrt__graph_store_graph(g->model->store));
    code = nnrt__open_npu_compile(&p.ir, chip, exact, image, size); /* with outputs in the model's order */
    nnrt__ir_free(&p.ir);
    return code;
}

/* ---------------------------------------------------------------------------------------------- cut in two */

RUN_FN bool npu_takes(void *user, const nnrt__ir *ir, uint32_t node) {
    return nnrt__open_npu_refusal(ir, &ir->nodes[node], *(const nnrt__open_npu_chip *)user) == NULL;
}

RUN_FN void cpu_part_run(parts *p, nnrt__ir *part, void **ends) {
    nnrt__loaded_plan plan;
    nnrt__instance instance;
    void *memory;
    int32_t cancel = 0;
    uint64_t whole;
    uint8_t *block;
    size_t size;
    cr_assert_eq((int)nnrt__write_ir(part, &p->options, &memory, &block, &size, &whole), (int)OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    cr_assert_eq((int)nnrt__plan_load(&plan, block, size, &p->kernels, 0, &p->options.bounds, 0), (int)OH_NN_SUCCESS,
                 "%s", nnrt_last_error());
    cr_assert_eq((int)nnrt__instance_open(&instance, &plan, NULL, NULL), (int)OH_NN_SUCCESS);
    nnrt__instance_bind(&instance, ends, ends + part->input_count);
    cr_assert_eq((int)nnrt__instance_run(&instance, NULL, ends + part->input_count, false, &cancel, NULL),
                 (int)OH_NN_SUCCESS);
    nnrt__instance_close(&instance);
    nnrt__plan_unload(&plan);
    nnrt__free(memory);
}

RUN_FN void npu_part_run(parts *p, nnrt__ir *part, void **ends) {
    void *image;
    size_t size;
    cr_assert_eq((int)nnrt__open_npu_compile(part, p->chip, false, &image, &size), (int)OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    image_run(image, size, ends, ends + part->input_count);
    p->npu_macs += image_header(image)->macs;
    p->npu_parts++;
    nnrt__free(image);
}

RUN_FN void part_run(parts *p, const nnrt__ir_part *is) {
    static int32_t nothing;
    const uint32_t *from;
    nnrt__ir part;
    void **ends;
    cr_assert_eq((int)nnrt__ir_take_part(&p->ir, is->nodes, is->count, &part, &from), (int)OH_NN_SUCCESS);
    ends = (void **)malloc((part.input_count + part.output_count) * sizeof *ends);
    for (uint32_t k = 0; k < part.input_count; k++)
        ends[k] = part.values[part.inputs[k]].uses == 0 ? &nothing : p->bytes[from[part.inputs[k]]];
    for (uint32_t k = 0; k < part.output_count; k++)
        ends[part.input_count + k] = p->bytes[from[part.outputs[k]]] = malloc(part.values[part.outputs[k]].size);
    if (is->device == 1) npu_part_run(p, &part, ends);
    else cpu_part_run(p, &part, ends);
    nnrt__ir_free(&part);
    free(ends);
}

/* Runs a graph of one input, the NPU's part of it on the NPU; output 0 to out, which has room for it. */
RUN_FN void parts_run(parts *p, const nnrt_graph *graph, nnrt__open_npu_chip chip, const void *in, void *out) {
    parts_of(p, graph);
    p->chip = chip;
    cr_assert_eq((int)nnrt__ir_cut_in_two(&p->ir, npu_takes, &p->chip, &p->cut), (int)OH_NN_SUCCESS);
    p->bytes = (void **)calloc(p->ir.value_count, sizeof *p->bytes);
    p->bytes[p->ir.inputs[0]] = malloc(p->ir.values[p->ir.inputs[0]].size);
    memcpy(p->bytes[p->ir.inputs[0]], in, p->ir.values[p->ir.inputs[0]].size);
    for (uint32_t i = 0; i < p->cut.part_count; i++) {
        if (p->cut.parts[i].device == 1) p->npu_nodes += p->cut.parts[i].count;
        else p->cpu_nodes += p->cut.parts[i].count;
        part_run(p, &p->cut.parts[i]);
    }
    memcpy(out, p->bytes[p->ir.outputs[0]], p->ir.values[p->ir.outputs[0]].size);
    for (uint32_t i = 0; i < p->ir.value_count; i++) free(p->bytes[i]);
    free(p->bytes);
    nnrt__ir_cut_free(&p->cut);
    nnrt__ir_free(&p->ir);
}

#endif /* NNRT_TESTS_OPEN_NPU_RUN_H */
