/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/writer.h - an image that grows: tasks, constants, and addresses that are known at the end.
   >>rknpu_open_writer

   A task is drafted from its template: every word of it, then what it is about. No task leans on the registers that
   one before it has left; the vendor's do, from the third on. Words come first in the memory, constants behind them,
   tensors behind both: an address is kept with its area until the sizes of those before it are known. */
#ifndef NNRT_RKNPU_OPEN_WRITER_H
#define NNRT_RKNPU_OPEN_WRITER_H

#include "chip.h"

#define NNRT__OPEN_NPU_CONV 0x1du /* blocks that run: CNA, CORE, DPU, DPU_RDMA */
#define NNRT__OPEN_NPU_DPU 0x18u  /* DPU, DPU_RDMA */
#define NNRT__OPEN_NPU_POOL 0x60u /* PPU, PPU_RDMA */
#define NNRT__OPEN_NPU_MOST_WORDS 128u
#define NNRT__OPEN_NPU_POINTER_CLEAR 0x30u

/* What an address is relative to. */
typedef enum nnrt__open_npu_area {
    NNRT__OPEN_NPU_NOWHERE = 0, /* it is none */
    NNRT__OPEN_NPU_CONSTANTS,
    NNRT__OPEN_NPU_TENSORS
} nnrt__open_npu_area;

/* The words of a task that is being made. */
typedef struct nnrt__open_npu_draft {
    uint32_t enable, count;
    nnrt__open_npu_setting words[NNRT__OPEN_NPU_MOST_WORDS];
    uint8_t areas[NNRT__OPEN_NPU_MOST_WORDS];
} nnrt__open_npu_draft;

/* Bytes that grow, of elements of one size. */
typedef struct nnrt__open_npu_list {
    void *items;
    size_t count, capacity;
} nnrt__open_npu_list;

/* A word that has an address. */
typedef struct nnrt__open_npu_fixup {
    uint32_t word, area;
} nnrt__open_npu_fixup;

typedef struct nnrt__open_npu_writer {
    const nnrt__open_npu_facts *facts;
    OH_NN_ReturnCode status;       /* the first failure; calls behind it do nothing */
    nnrt__open_npu_list words;     /* uint64_t */
    nnrt__open_npu_list fixups;    /* nnrt__open_npu_fixup */
    nnrt__open_npu_list tasks;     /* nnrt__open_npu_task; words counts words here */
    nnrt__open_npu_list constants; /* bytes */
    uint32_t op;                   /* of the tasks that are added */
    uint32_t pointer;              /* what S_POINTER of every block gets; clears the groups once a table was loaded */
    uint64_t macs;
} nnrt__open_npu_writer;

NNRT__FN void nnrt__open_npu_writer_free(nnrt__open_npu_writer *w) {
    nnrt__free(w->words.items);
    nnrt__free(w->fixups.items);
    nnrt__free(w->tasks.items);
    nnrt__free(w->constants.items);
    memset(w, 0, sizeof(*w));
}

/* Room for `more` elements behind the last, which count from now on; NULL: w->status says why. They are not cleared. */
NNRT__FN void *nnrt__open_npu_append(nnrt__open_npu_writer *w, nnrt__open_npu_list *list, size_t more, size_t size) {
    const size_t most = NNRT__OPEN_NPU_MOST_MEMORY / size;
    uint8_t *at;
    if (w->status != OH_NN_SUCCESS) return NULL;
    if (more > most || list->count > most - more) {
        w->status = nnrt__fail(OH_NN_FAILED, "what the NPU is given is larger than its memory may be");
        return NULL;
    }
    if (list->capacity - list->count < more) {
        const size_t capacity = list->count + more + (list->count + more) / 2;
        void *grown = nnrt__realloc(list->items, capacity, size);
        if (grown == NULL) {
            w->status = nnrt__fail_memory();
            return NULL;
        }
        list->items = grown;
        list->capacity = capacity;
    }
    at = (uint8_t *)list->items + list->count * size;
    list->count += more;
    return at;
}

/* size bytes of zeros for constants, aligned as everything in the memory is. *offset in their area. NULL: w->status. */
NNRT__FN uint8_t *nnrt__open_npu_constant(nnrt__open_npu_writer *w, size_t size, uint32_t *offset) {
    const size_t gap = (0 - w->constants.count) % NNRT__OPEN_NPU_ALIGNMENT;
    uint8_t *at;
    *offset = 0;
    if (size > NNRT__OPEN_NPU_MOST_MEMORY) {
        if (w->status == OH_NN_SUCCESS)
            w->status = nnrt__fail(OH_NN_FAILED, "weights are larger than the NPU's memory may be");
        return NULL;
    }
    at = (uint8_t *)nnrt__open_npu_append(w, &w->constants, gap + size, 1);
    if (at == NULL) return NULL;
    memset(at, 0, gap + size);
    *offset = (uint32_t)(w->constants.count - size);
    return at + gap;
}

NNRT__FN void nnrt__open_npu_draft_begin(nnrt__open_npu_draft *draft, const nnrt__open_npu_writer *w, uint32_t enable) {
    const nnrt__open_npu_template *from = enable == NNRT__OPEN_NPU_CONV  ? &w->facts->conv
                                          : enable == NNRT__OPEN_NPU_DPU ? &w->facts->dpu
                                                                         : &w->facts->pool;
    uint32_t i;
    NNRT_ASSERT(from->count <= NNRT__OPEN_NPU_MOST_WORDS);
    memset(draft, 0, sizeof(*draft));
    draft->enable = enable;
    draft->count = from->count;
    memcpy(draft->words, from->words, from->count * sizeof(*from->words));
    for (i = 0; i < draft->count; i++)
        if ((draft->words[i].name & 0xfff) == 4) draft->words[i].value = w->pointer;
}

/* A register that this chip does not have is left out: false. */
NNRT__FN bool nnrt__open_npu_set(nnrt__open_npu_draft *draft, uint32_t name, uint32_t value) {
    bool found = false;
    uint32_t i;
    for (i = 0; i < draft->count; i++)
        if (draft->words[i].name == name) {
            draft->words[i].value = value;
            found = true;
        }
    return found;
}

NNRT__FN void nnrt__open_npu_set_address(nnrt__open_npu_draft *draft, uint32_t name, nnrt__open_npu_area area,
                                         uint32_t offset) {
    uint32_t i;
    for (i = 0; i < draft->count; i++)
        if (draft->words[i].name == name) {
            draft->words[i].value = offset;
            draft->areas[i] = (uint8_t)area;
        }
}

/* What its words write in a register. */
NNRT__FN uint32_t nnrt__open_npu_said(const nnrt__open_npu_draft *draft, uint32_t name) {
    uint32_t i;
    for (i = draft->count; i > 0; i--)
        if (draft->words[i - 1].name == name) return draft->words[i - 1].value;
    return 0;
}

/* The word as memory has it: the block that it is for, the value, the register. */
NNRT__FN uint64_t nnrt__open_npu_word(uint32_t name, uint32_t value) {
    static const uint16_t targets[9] = {0x101, 0x201, 0, 0x801, 0x1001, 0x2001, 0x4001, 0x8001, 0x401};
    NNRT_ASSERT(name >> 12 < NNRT__COUNT_OF(targets));
    return (uint64_t)targets[name >> 12] << 48 | (uint64_t)value << 16 | name;
}

/* Begins a task whose words follow. */
NNRT__FN void nnrt__open_npu_task_begin(nnrt__open_npu_writer *w, uint32_t enable) {
    nnrt__open_npu_task *task =
        (nnrt__open_npu_task *)nnrt__open_npu_append(w, &w->tasks, 1, sizeof(nnrt__open_npu_task));
    if (task == NULL) return;
    memset(task, 0, sizeof(*task));
    task->enable = enable;
    task->interrupt = enable == NNRT__OPEN_NPU_POOL ? 0xc00 : 0x300;
    task->words = (uint32_t)w->words.count;
    task->op = w->op;
}

NNRT__FN void nnrt__open_npu_word_add(nnrt__open_npu_writer *w, uint32_t name, uint32_t value) {
    uint64_t *at = (uint64_t *)nnrt__open_npu_append(w, &w->words, 1, sizeof(uint64_t));
    if (at != NULL) *at = nnrt__open_npu_word(name, value);
}

/* The four words that lead to the next task, whose address and amount are filled in at the end, and a gap up to an even
   number: the PC fetches pairs. */
NNRT__FN void nnrt__open_npu_task_end(nnrt__open_npu_writer *w) {
    nnrt__open_npu_task *task;
    uint64_t *tail;
    if (w->status != OH_NN_SUCCESS) return;
    task = (nnrt__open_npu_task *)w->tasks.items + (w->tasks.count - 1);
    task->amount = (uint32_t)w->words.count - task->words;
    tail = (uint64_t *)nnrt__open_npu_append(w, &w->words, NNRT__OPEN_NPU_TAIL + task->amount % 2, sizeof(uint64_t));
    if (tail == NULL) return;
    tail[0] = tail[1] = 0;
    tail[2] = (uint64_t)0x41 << 48;
    tail[3] = (uint64_t)0x81 << 48 | (uint64_t)task->enable << 16 | NNRT__OPEN_NPU_PC_OPERATION_ENABLE;
    if (task->amount % 2 != 0) tail[4] = 0;
}

/* The words of a draft, within a task. */
NNRT__FN void nnrt__open_npu_draft_add(nnrt__open_npu_writer *w, const nnrt__open_npu_draft *draft) {
    uint32_t i;
    for (i = 0; i < draft->count; i++) {
        nnrt__open_npu_word_add(w, draft->words[i].name, draft->words[i].value);
        if (draft->areas[i] != NNRT__OPEN_NPU_NOWHERE) {
            nnrt__open_npu_fixup *fixup =
                (nnrt__open_npu_fixup *)nnrt__open_npu_append(w, &w->fixups, 1, sizeof(*fixup));
            if (fixup == NULL) return;
            fixup->word = (uint32_t)w->words.count - 1;
            fixup->area = draft->areas[i];
        }
    }
}

/* A task of a draft. */
NNRT__FN void nnrt__open_npu_draft_end(nnrt__open_npu_writer *w, const nnrt__open_npu_draft *draft) {
    nnrt__open_npu_task_begin(w, draft->enable);
    nnrt__open_npu_draft_add(w, draft);
    nnrt__open_npu_task_end(w);
}

/* Every task knows the next: its address, and how many pairs of words the PC fetches, without the first. */
NNRT__FN void nnrt__open_npu_link(nnrt__open_npu_writer *w) {
    nnrt__open_npu_task *tasks = (nnrt__open_npu_task *)w->tasks.items;
    uint64_t *words = (uint64_t *)w->words.items;
    size_t i;
    for (i = 0; i + 1 < w->tasks.count; i++) {
        uint64_t *tail = words + tasks[i].words + tasks[i].amount;
        const uint32_t amount = (tasks[i + 1].amount + NNRT__OPEN_NPU_TAIL + 1) / 2 - 1;
        tail[0] = nnrt__open_npu_word(NNRT__OPEN_NPU_PC_BASE_ADDRESS, tasks[i + 1].words * 8);
        tail[1] = nnrt__open_npu_word(NNRT__OPEN_NPU_PC_REGISTER_AMOUNTS, amount);
    }
    for (i = 0; i < w->tasks.count; i++) tasks[i].words *= 8;
}

/* Adds to every address where its area begins. */
NNRT__FN void nnrt__open_npu_fix(nnrt__open_npu_writer *w, uint32_t constants, uint32_t tensors) {
    const nnrt__open_npu_fixup *fixups = (const nnrt__open_npu_fixup *)w->fixups.items;
    uint64_t *words = (uint64_t *)w->words.items;
    size_t i;
    for (i = 0; i < w->fixups.count; i++)
        words[fixups[i].word] += (uint64_t)(fixups[i].area == NNRT__OPEN_NPU_CONSTANTS ? constants : tensors) << 16;
}

#endif /* NNRT_RKNPU_OPEN_WRITER_H */
