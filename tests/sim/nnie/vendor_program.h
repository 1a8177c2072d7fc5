/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_program.h - for tests: a program as firmware has it. A model's file in MMZ, a TmpBuf, a TskBuf for each
   segment, blobs in one block with rows at multiples of 16 bytes, and addresses of elements by the formulas of the
   manual. Behind criterion.h. */
#ifndef NNRT_TESTS_SIM_NNIE_VENDOR_PROGRAM_H
#define NNRT_TESTS_SIM_NNIE_VENDOR_PROGRAM_H

#include "vendor.h"

#define PROGRAM_BLOCKS 8
#define PROGRAM_MAX_SEQUENCES 8

typedef struct program {
    vendor_api v;
    const char *chip;
    bool uncached; /* blobs and TskBuf are in uncached memory */
    vendor_model *model;
    vendor_memory file, temporary, task[NNRT__NNIE_MAX_SEGMENTS];
    uint32_t task_sizes[NNRT__NNIE_MAX_SEGMENTS];
    /* of the segment that program_blobs is for */
    vendor_memory block;
    uint32_t input_count, output_count;
    vendor_blob inputs[NNRT__NNIE_MAX_IO], outputs[NNRT__NNIE_MAX_IO], boxes;
    uint32_t steps[PROGRAM_MAX_SEQUENCES];
} program;

#define PROGRAM_WORKS(call)                                             \
    do {                                                                \
        const int32_t works_ = (call);                                  \
        cr_assert_eq(works_, 0, "%s is 0x%x", #call, (unsigned)works_); \
    } while (0)

/* Media system up, as firmware begins. */
static void program_open(program *p, const char *chip, const char *release) {
    static uint8_t config[776];
    memset(p, 0, sizeof(*p));
    setenv("NNRT_SIM_REPORT", "0", 0);
    if (!vendor_open(&p->v, chip, release)) cr_skip_test("skipped, no simulated board in %s", vendor_folder());
    p->chip = chip;
    PROGRAM_WORKS(p->v.sys_exit());
    PROGRAM_WORKS(p->v.vb_exit());
    PROGRAM_WORKS(p->v.vb_set_config(config));
    PROGRAM_WORKS(p->v.vb_init());
    PROGRAM_WORKS(p->v.sys_init());
}

static vendor_memory program_memory(const program *p, uint32_t size, bool cached) {
    vendor_memory memory;
    void *address = NULL;
    memory.physical = 0;
    memory.size = size;
    PROGRAM_WORKS((cached ? p->v.alloc_cached : p->v.alloc)(&memory.physical, &address, "program", NULL, size));
    memory.address = (uint64_t)(uintptr_t)address;
    return memory;
}

static void program_free(const program *p, vendor_memory *memory) {
    if (memory->physical) PROGRAM_WORKS(p->v.free(memory->physical, (void *)(uintptr_t)memory->address));
    memory->physical = 0;
}

static void program_flush(const program *p, const vendor_memory *memory) {
    if (memory->physical) PROGRAM_WORKS(p->v.flush(memory->physical, (void *)(uintptr_t)memory->address, memory->size));
}

/* models/NAME.CHIP.wk in uncached memory. */
__attribute__((unused)) static vendor_memory program_file(const program *p, const char *name) {
    char path[512];
    vendor_memory memory;
    FILE *file;
    long size;
    snprintf(path, sizeof(path), "%s/models/%s.%s.wk", vendor_folder(), name, p->chip);
    file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    memory = program_memory(p, (uint32_t)size, false);
    cr_assert_eq(fread((void *)(uintptr_t)memory.address, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return memory;
}

/* Loads it, with task buffers for up to 16 frames and 16 boxes, registered. */
static void program_load(program *p, const char *name) {
    static vendor_model the_model;
    uint32_t i, boxes = 0;
    p->file = program_file(p, name);
    p->model = &the_model;
    PROGRAM_WORKS(p->v.load_model(&p->file, p->model));
    for (i = 0; i < p->model->segments; i++)
        if (p->model->segment[i].type == NNRT__NNIE_NET_ROI) boxes = 16;
    PROGRAM_WORKS(p->v.task_sizes(16, boxes, p->model, p->task_sizes, p->model->segments));
    p->temporary = program_memory(p, p->model->temporary_size, true);
    for (i = 0; i < p->model->segments; i++) {
        p->task[i] = program_memory(p, p->task_sizes[i], !p->uncached);
        memset((void *)(uintptr_t)p->task[i].address, 0, p->task[i].size);
        program_flush(p, &p->task[i]);
        PROGRAM_WORKS(p->v.add_task(&p->task[i]));
    }
}

static void program_unload(program *p) {
    uint32_t i;
    for (i = 0; i < p->model->segments; i++) {
        PROGRAM_WORKS(p->v.remove_task(&p->task[i]));
        program_free(p, &p->task[i]);
    }
    program_free(p, &p->block);
    program_free(p, &p->temporary);
    PROGRAM_WORKS(p->v.unload_model(p->model));
    program_free(p, &p->file);
    p->model = NULL;
}

/* Nothing may be left, and nothing may have been done wrong. */
static void program_close(program *p) {
    nnrt_sim_live live;
    if (p->model) program_unload(p);
    PROGRAM_WORKS(p->v.sys_exit());
    PROGRAM_WORKS(p->v.vb_exit());
    p->v.get_live(&live);
    cr_expect_eq(live.contexts + live.memories + live.fds, 0, "something is left alive");
    cr_expect_eq(p->v.mistakes(), 0, "%s", p->v.mistakes() ? p->v.mistake(0) : "");
}

/* ------------------------------------------------------------------------------------------------------------ blobs */

static uint32_t program_up(uint64_t size) { return (uint32_t)((size + 15) / 16 * 16); }

static bool program_is_picture(const vendor_blob *b) {
    return b->type == NNRT__NNIE_U8 || b->type == NNRT__NNIE_YVU420SP || b->type == NNRT__NNIE_YVU422SP;
}

static uint32_t program_rows(const vendor_blob *b) {
    const uint32_t height = b->shape.map.height;
    if (b->type == NNRT__NNIE_VEC_S32 || b->type == NNRT__NNIE_SEQ_S32) return 1;
    if (b->type == NNRT__NNIE_YVU420SP) return height * 3 / 2;
    return b->type == NNRT__NNIE_YVU422SP ? height * 2 : height * b->shape.map.channels;
}

static vendor_blob program_blob(program *p, const nnrt__nnie_node *node, uint32_t count) {
    vendor_blob b;
    memset(&b, 0, sizeof(b));
    b.type = node->type;
    b.count = count;
    if (b.type == NNRT__NNIE_SEQ_S32) {
        b.shape.sequence.dim = node->width;
        b.shape.sequence.steps = (uint64_t)(uintptr_t)p->steps;
    } else {
        b.shape.map.width = node->width;
        b.shape.map.height = node->height;
        b.shape.map.channels = node->channels;
    }
    b.stride = program_up((uint64_t)node->width * (program_is_picture(&b) ? 1 : 4));
    return b;
}

static uint32_t program_bytes(const program *p, const vendor_blob *b) {
    uint32_t i, frames = b->count;
    if (b->type == NNRT__NNIE_SEQ_S32)
        for (i = 0, frames = 0; i < b->count; i++) frames += p->steps[i];
    return frames * program_rows(b) * b->stride;
}

static void program_place(const program *p, vendor_blob *b, uint32_t *at) {
    b->physical = p->block.physical + *at;
    b->address = p->block.address + *at;
    *at += program_bytes(p, b);
}

/* Before program_blobs of a recurrent segment. */
__attribute__((unused)) static void program_steps(program *p, const unsigned *steps, uint32_t count) {
    uint32_t i;
    for (i = 0; i < count; i++) p->steps[i] = steps[i];
}

/* Blobs of the segment for so many frames (sequences), or for boxes of one frame; all zero and flushed. */
static void program_blobs(program *p, uint32_t number, uint32_t frames, uint32_t boxes) {
    static const nnrt__nnie_node box = {NNRT__NNIE_S32, 4, 1, 1, 0, "boxes"};
    const nnrt__nnie_segment *segment = &p->model->segment[number];
    uint32_t i, size = 0, at = 0;
    p->input_count = segment->inputs;
    p->output_count = segment->outputs;
    for (i = 0; i < p->input_count; i++) p->inputs[i] = program_blob(p, &segment->input[i], boxes ? 1 : frames);
    for (i = 0; i < p->output_count; i++) p->outputs[i] = program_blob(p, &segment->output[i], boxes ? boxes : frames);
    p->boxes = program_blob(p, &box, 1);
    p->boxes.shape.map.height = boxes;
    for (i = 0; i < p->input_count; i++) size += program_bytes(p, &p->inputs[i]);
    for (i = 0; i < p->output_count; i++) size += program_bytes(p, &p->outputs[i]);
    size += program_bytes(p, &p->boxes);
    program_free(p, &p->block);
    p->block = program_memory(p, size, !p->uncached);
    memset((void *)(uintptr_t)p->block.address, 0, size);
    program_flush(p, &p->block);
    for (i = 0; i < p->input_count; i++) program_place(p, &p->inputs[i], &at);
    for (i = 0; i < p->output_count; i++) program_place(p, &p->outputs[i], &at);
    program_place(p, &p->boxes, &at);
}

__attribute__((unused)) static void program_flush_all(const program *p) { program_flush(p, &p->block); }

/* Addresses of elements: frame, channel, row, column. */
static uint8_t *program_row(const vendor_blob *b, uint32_t n, uint32_t row) {
    return (uint8_t *)(uintptr_t)b->address + ((size_t)n * program_rows(b) + row) * b->stride;
}

__attribute__((unused)) static uint8_t *program_u8(const vendor_blob *b, uint32_t n, uint32_t c, uint32_t h,
                                                   uint32_t w) {
    return program_row(b, n, c * b->shape.map.height + h) + w;
}

__attribute__((unused)) static int32_t *program_s32(const vendor_blob *b, uint32_t n, uint32_t c, uint32_t h,
                                                    uint32_t w) {
    return (int32_t *)(void *)program_row(b, n, c * b->shape.map.height + h) + w;
}

/* c: 0 Y, 1 U, 2 V, which stands before U; pixels share chroma. */
__attribute__((unused)) static uint8_t *program_yvu(const vendor_blob *b, uint32_t n, uint32_t c, uint32_t h,
                                                    uint32_t w) {
    const uint32_t height = b->shape.map.height;
    if (c == 0) return program_row(b, n, h) + w;
    return program_row(b, n, height + (b->type == NNRT__NNIE_YVU420SP ? h / 2 : h)) + w / 2 * 2 + (c == 1 ? 1 : 0);
}

/* Step number row of all sequences. */
__attribute__((unused)) static int32_t *program_step(const vendor_blob *b, uint32_t row, uint32_t w) {
    return (int32_t *)(void *)((uint8_t *)(uintptr_t)b->address + (size_t)row * b->stride) + w;
}

/* ------------------------------------------------------------------------------------------------------------ tasks */

/* Forward or ForwardWithBbox of the blobs, with the segment's own TskBuf. */
static int32_t program_forward(const program *p, uint32_t segment, uint32_t core, int32_t instant, int32_t *handle) {
    if (p->model->segment[segment].type == NNRT__NNIE_NET_ROI) {
        nnrt__nnie_forward_boxes control;
        memset(&control, 0, sizeof(control));
        control.inputs = p->input_count;
        control.outputs = p->output_count;
        control.proposals = 1;
        control.segment = segment;
        control.core = core;
        control.temporary = p->temporary;
        control.task = p->task[segment];
        return p->v.forward_boxes(handle, p->inputs, &p->boxes, p->model, p->outputs, &control, instant);
    } else {
        nnrt__nnie_forward control;
        memset(&control, 0, sizeof(control));
        control.inputs = p->input_count;
        control.outputs = p->output_count;
        control.segment = segment;
        control.core = core;
        control.temporary = p->temporary;
        control.task = p->task[segment];
        return p->v.forward(handle, p->inputs, p->model, p->outputs, &control, instant);
    }
}

/* And waits for it. */
__attribute__((unused)) static void program_run(const program *p, uint32_t segment, uint32_t core) {
    int32_t handle = -1, finished = 0;
    PROGRAM_WORKS(program_forward(p, segment, core, 1, &handle));
    PROGRAM_WORKS(p->v.query(core, handle, &finished, 1));
    cr_assert_eq(finished, 1);
}

#endif /* NNRT_TESTS_SIM_NNIE_VENDOR_PROGRAM_H */
