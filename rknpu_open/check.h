/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/check.h - an image as a stranger may have made it: nothing of it leaves its memory.   >>rknpu_open_check

   Files, caches and plans carry images (image.h). This reads one before any of it reaches a driver: its parts lie in
   it, its ports in the memory behind what is loaded, its tasks' words in what is loaded, each led to by the one before,
   and no task reaches a byte outside of the memory or writes what was loaded (check_task.h). What is accepted may
   compute nonsense or hang; it cannot touch anybody else's memory. */
#ifndef NNRT_RKNPU_OPEN_CHECK_H
#define NNRT_RKNPU_OPEN_CHECK_H

#include "check_task.h"

/* The header, whose image may lie at any address. */
NNRT__FN void nnrt__open_npu_header_read(const void *image, nnrt__open_npu_header *header) {
    memcpy(header, image, sizeof(*header));
}

/* Port number i: inputs, then outputs. The image was checked. */
NNRT__FN void nnrt__open_npu_port_read(const void *image, const nnrt__open_npu_header *header, uint32_t i,
                                       nnrt__open_npu_port *port) {
    memcpy(port, (const uint8_t *)image + header->ports + (size_t)i * sizeof(*port), sizeof(*port));
}

NNRT__FN void nnrt__open_npu_task_read(const void *image, const nnrt__open_npu_header *header, uint32_t i,
                                       nnrt__open_npu_task *task) {
    memcpy(task, (const uint8_t *)image + header->tasks + (size_t)i * sizeof(*task), sizeof(*task));
}

/* What PC_REGISTER_AMOUNTS says of a task's words and its tail: they are fetched in pairs. */
NNRT__FN uint32_t nnrt__open_npu_fetched(uint32_t amount) { return (amount + NNRT__OPEN_NPU_TAIL + 1) / 2 - 1; }

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_damaged(const char *what) {
    (void)what;
    return nnrt__fail(OH_NN_INVALID_FILE, "the image for the NPU is damaged: %s", what);
}

/* count things of size bytes, offset bytes from the start of the image, which has total. */
NNRT__FN bool nnrt__open_npu_is_inside(uint32_t offset, uint64_t count, uint64_t size, uint64_t total) {
    return offset <= total && count * size <= total - offset;
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_check_header(const nnrt__open_npu_header *h, size_t size) {
    if (h->magic != NNRT__OPEN_NPU_MAGIC) return nnrt__open_npu_damaged("it does not begin as one");
    if (h->version != NNRT__OPEN_NPU_VERSION)
        return nnrt__fail(OH_NN_INVALID_FILE, "the image for the NPU is of version %u, and this nnrt reads version %u",
                          (unsigned)h->version, NNRT__OPEN_NPU_VERSION);
    if (h->chip != NNRT__OPEN_NPU_RV1106 && h->chip != NNRT__OPEN_NPU_RK3588)
        return nnrt__open_npu_damaged("its chip is none that is known");
    if (h->size != size || h->reserved != 0) return nnrt__open_npu_damaged("it has another size than it says");
    if (h->input_count == 0 || h->input_count > NNRT__OPEN_NPU_MOST_PORTS || h->output_count == 0 ||
        h->output_count > NNRT__OPEN_NPU_MOST_PORTS ||
        !nnrt__open_npu_is_inside(h->ports, (uint64_t)h->input_count + h->output_count, sizeof(nnrt__open_npu_port),
                                  size))
        return nnrt__open_npu_damaged("its ports do not lie in it");
    if (h->task_count == 0 || h->task_count > NNRT__OPEN_NPU_MOST_TASKS ||
        !nnrt__open_npu_is_inside(h->tasks, h->task_count, sizeof(nnrt__open_npu_task), size))
        return nnrt__open_npu_damaged("its tasks do not lie in it");
    if (!nnrt__open_npu_is_inside(h->loaded, h->loaded_size, 1, size) || h->words_size > h->loaded_size ||
        h->words_size % 8 != 0 || h->loaded_size > h->memory_size)
        return nnrt__open_npu_damaged("its words and weights do not lie in it");
    if (h->memory_size > NNRT__OPEN_NPU_MOST_MEMORY || h->memory_size % NNRT__OPEN_NPU_ALIGNMENT != 0)
        return nnrt__open_npu_damaged("no NPU has memory of the size that it asks for");
    return OH_NN_SUCCESS;
}

/* ----------------------------------------------------------------------------------------------------- ports */

/* Bytes from the first to the last of a tensor at a port, UINT64_MAX: its strides are too small for it, or its layout
   is not known. */
NNRT__FN uint64_t nnrt__open_npu_port_bytes(const nnrt__open_npu_port *p) {
    const uint64_t pixels = (uint64_t)p->height * p->width;
    const uint64_t planes = ((uint64_t)p->channels + NNRT__OPEN_NPU_LANES - 1) / NNRT__OPEN_NPU_LANES;
    switch (p->layout) {
    case NNRT__OPEN_NPU_PLANES:
        if (p->plane_bytes < pixels * NNRT__OPEN_NPU_LANES) return UINT64_MAX;
        return (planes - 1) * p->plane_bytes + pixels * NNRT__OPEN_NPU_LANES;
    case NNRT__OPEN_NPU_PIXELS:
        if ((p->channels != 1 && p->channels != 3 && p->channels != 4) ||
            p->row_bytes < (uint64_t)p->width * p->channels)
            return UINT64_MAX;
        return (uint64_t)(p->height - 1) * p->row_bytes + (uint64_t)p->width * p->channels;
    case NNRT__OPEN_NPU_FLAT: return pixels * p->channels;
    default: return UINT64_MAX;
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_check_port(const nnrt__open_npu_header *h, const nnrt__open_npu_port *p) {
    if (p->height - 1 > 0xfffe || p->width - 1 > 0xfffe || p->channels - 1 > 0xfffe) /* none is 0 */
        return nnrt__open_npu_damaged("no tensor has the shape of a port");
    if (nnrt__open_npu_port_bytes(p) > p->size) return nnrt__open_npu_damaged("a port is smaller than its tensor");
    if (p->offset % NNRT__OPEN_NPU_ALIGNMENT != 0 || p->offset < h->loaded_size ||
        !nnrt__open_npu_is_inside(p->offset, p->size, 1, h->memory_size))
        return nnrt__open_npu_damaged("a port does not lie in the memory behind what is loaded");
    return OH_NN_SUCCESS;
}

/* ----------------------------------------------------------------------------------------------------- tasks */

/* Registers that hold places in the memory, which a loader may have to move; 0: the end. */
NNRT__FN uint32_t nnrt__open_npu_address_register(uint32_t i) {
    static const uint16_t names[] = {NNRT__OPEN_NPU_CNA_FEATURE_DATA_ADDR, NNRT__OPEN_NPU_CNA_DCOMP_ADDR0,
                                     NNRT__OPEN_NPU_DPU_DST_BASE_ADDR,     NNRT__OPEN_NPU_RDMA_SRC_BASE_ADDR,
                                     NNRT__OPEN_NPU_RDMA_BS_BASE_ADDR,     NNRT__OPEN_NPU_RDMA_EW_BASE_ADDR,
                                     NNRT__OPEN_NPU_PPU_DST_BASE_ADDR,     NNRT__OPEN_NPU_PPU_RDMA_SRC_BASE_ADDR};
    return i < NNRT__COUNT_OF(names) ? names[i] : 0;
}

NNRT__FN bool nnrt__open_npu_is_address(uint32_t name) {
    uint32_t i;
    for (i = 0; nnrt__open_npu_address_register(i) != 0; i++)
        if (nnrt__open_npu_address_register(i) == name) return true;
    return false;
}

/* Also one that no block of the task uses lies in the memory, so that no loader makes something else of it. */
NNRT__FN bool nnrt__open_npu_check_addresses(const nnrt__open_npu_check_state *s) {
    uint32_t i, name;
    for (i = 0; (name = nnrt__open_npu_address_register(i)) != 0; i++)
        if (nnrt__open_npu_get(s, name) > s->memory_size)
            return nnrt__open_npu_refuse_word(s, name, "it leads out of the memory of the job");
    return true;
}

/* The words behind a task's own: where the next one is, and how long; at the end values of 0, or words of 0, which the
   NPU passes over; then what starts the blocks. A word that is fetched beyond them, as words come in pairs, is 0. */
NNRT__FN bool nnrt__open_npu_check_tail(const nnrt__open_npu_check_state *s, const uint8_t *tail,
                                        const nnrt__open_npu_task *task, const nnrt__open_npu_task *next) {
    const uint64_t expected[NNRT__OPEN_NPU_TAIL + 1] = {
        nnrt__open_npu_check_word(0x101, NNRT__OPEN_NPU_PC_BASE_ADDRESS, next != NULL ? next->words : 0),
        nnrt__open_npu_check_word(0x101, NNRT__OPEN_NPU_PC_REGISTER_AMOUNTS,
                                  next != NULL ? nnrt__open_npu_fetched(next->amount) : 0),
        nnrt__open_npu_check_word(0x41, 0, 0),
        nnrt__open_npu_check_word(0x81, NNRT__OPEN_NPU_PC_OPERATION_ENABLE, task->enable), 0};
    const uint32_t count = NNRT__OPEN_NPU_TAIL + task->amount % 2;
    uint32_t i;
    for (i = 0; i < count; i++) {
        const uint64_t word = (uint64_t)nnrt__read_i64(tail + (size_t)i * 8);
        if (word != expected[i] && (word != 0 || next != NULL || i >= 2)) {
            (void)nnrt__fail(OH_NN_INVALID_FILE,
                             "task %u of the NPU: word %u behind its own does not lead to the next task or start it",
                             (unsigned)s->task, (unsigned)i);
            return false;
        }
    }
    return true;
}

/* next: NULL behind the last. */
NNRT__FN bool nnrt__open_npu_check_task(nnrt__open_npu_check_state *s, const uint8_t *loaded,
                                        const nnrt__open_npu_task *task, const nnrt__open_npu_task *next) {
    const uint8_t *words = loaded + task->words;
    if (!nnrt__open_npu_check_tail(s, words + (size_t)task->amount * 8, task, next) ||
        !nnrt__open_npu_take_words(s, words, task->amount, task->enable) || !nnrt__open_npu_check_addresses(s))
        return false;
    switch (task->enable) {
    case NNRT__OPEN_NPU_RUN_CONV: return nnrt__open_npu_check_conv(s);
    case NNRT__OPEN_NPU_RUN_DPU: return nnrt__open_npu_check_dpu(s);
    default: return nnrt__open_npu_check_pool(s);
    }
}

/* The records, without their words: those lie one behind the other in what is loaded. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_check_records(const void *image, const nnrt__open_npu_header *h) {
    uint64_t end = 0; /* of the words of those before */
    uint32_t i;
    for (i = 0; i < h->task_count; i++) {
        nnrt__open_npu_task task;
        nnrt__open_npu_task_read(image, h, i, &task);
        if (nnrt__open_npu_blocks(task.enable) == 0 || task.reserved != 0 ||
            task.interrupt != (task.enable == NNRT__OPEN_NPU_RUN_POOL ? 0xc00u : 0x300u))
            return nnrt__fail(OH_NN_INVALID_FILE, "task %u of the NPU: blocks 0x%x that end with 0x%x are not known",
                              (unsigned)i, (unsigned)task.enable, (unsigned)task.interrupt);
        if (task.words % 8 != 0 || task.words < end || task.amount == 0 || task.amount > 0xffff ||
            !nnrt__open_npu_is_inside(task.words, task.amount + (uint64_t)NNRT__OPEN_NPU_TAIL + task.amount % 2, 8,
                                      h->words_size))
            return nnrt__fail(OH_NN_INVALID_FILE, "task %u of the NPU: its words do not lie behind those before it",
                              (unsigned)i);
        end = task.words + ((uint64_t)task.amount + NNRT__OPEN_NPU_TAIL + task.amount % 2) * 8;
    }
    return OH_NN_SUCCESS;
}

/* May the NPU run this? size: of the image, which may lie at any address and is not changed. written, which may be
   NULL, gets of each task what it can write.
   OH_NN_INVALID_FILE: no; the sentence says which task and register. OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_check_ranges(const void *image, size_t size, nnrt__open_npu_range *written) {
    nnrt__open_npu_header h;
    nnrt__open_npu_task task, next;
    nnrt__open_npu_check_state *s;
    OH_NN_ReturnCode code;
    uint32_t i;
    if (size < sizeof(h)) return nnrt__open_npu_damaged("it is cut off");
    nnrt__open_npu_header_read(image, &h);
    code = nnrt__open_npu_check_header(&h, size);
    for (i = 0; code == OH_NN_SUCCESS && i < h.input_count + h.output_count; i++) {
        nnrt__open_npu_port port;
        nnrt__open_npu_port_read(image, &h, i, &port);
        code = nnrt__open_npu_check_port(&h, &port);
    }
    if (code == OH_NN_SUCCESS) code = nnrt__open_npu_check_records(image, &h);
    if (code != OH_NN_SUCCESS) return code;
    s = (nnrt__open_npu_check_state *)nnrt__alloc(sizeof(*s));
    if (s == NULL) return nnrt__fail_memory();
    s->chip = (nnrt__open_npu_chip)h.chip;
    s->rows = nnrt__open_npu_rows_of(s->chip);
    s->memory_size = h.memory_size;
    s->loaded_size = h.loaded_size;
    nnrt__open_npu_task_read(image, &h, 0, &next);
    for (i = 0; code == OH_NN_SUCCESS && i < h.task_count; i++) {
        const bool is_last = i + 1 == h.task_count;
        task = next;
        if (!is_last) nnrt__open_npu_task_read(image, &h, i + 1, &next);
        s->task = i;
        s->output.from = s->output.to = 0;
        if (!nnrt__open_npu_check_task(s, (const uint8_t *)image + h.loaded, &task, is_last ? NULL : &next))
            code = OH_NN_INVALID_FILE;
        if (written != NULL) written[i] = s->output;
    }
    nnrt__free(s);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_check(const void *image, size_t size) {
    return nnrt__open_npu_check_ranges(image, size, NULL);
}

#endif /* NNRT_RKNPU_OPEN_CHECK_H */
