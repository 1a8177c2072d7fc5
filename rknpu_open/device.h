/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/device.h - the NPU as an accelerator of the CPU device, devices that have both.   >>rknpu_open_device

   A row for each chip fills the table of cpu/accelerator.h with compile.h, check.h and session.h. The device of a chip
   is the CPU device with that row beside it: it takes every operator that the CPU takes, and what the NPU is not given
   runs on the CPU in the same plan. It is listed where the board has the chip and a driver; the rows alone, for plans
   made on another machine, are named by nnrt.target of the CPU device. */
#ifndef NNRT_RKNPU_OPEN_DEVICE_H
#define NNRT_RKNPU_OPEN_DEVICE_H

#include "../core/log.h"
#include "../cpu/accelerator.h"
#include "../cpu/device.h"
#include "check.h"
#include "session.h"
#ifndef NNRT_PLANS_ONLY
#include "compile.h"
#include "work.h"
#endif

typedef struct nnrt__open_npu_chip_row {
    nnrt__accelerator base;
    nnrt__open_npu_chip chip;
    bool pools; /* the driver notices the end of a task of pooling */
} nnrt__open_npu_chip_row;

/* A session of the CPU device's. */
typedef struct nnrt__open_npu_part {
    nnrt__accelerator_session base;
    nnrt__open_npu_session *session;
    uint32_t timeout_ms;
} nnrt__open_npu_part;

NNRT__INLINE const nnrt__open_npu_chip_row *nnrt__open_npu_chip_row_of(const nnrt__accelerator *self) {
    return (const nnrt__open_npu_chip_row *)(const void *)self;
}

/* ------------------------------------------------------------------------------------------------- to compile */

#ifndef NNRT_PLANS_ONLY
NNRT__FN const char *nnrt__open_npu_part_refusal(const nnrt__accelerator *self, const nnrt__ir *ir,
                                                 const nnrt__ir_node *node, bool exact) {
    const nnrt__open_npu_chip_row *row = nnrt__open_npu_chip_row_of(self);
    if (!row->pools && node->op == OH_NN_OPS_MAX_POOL) /* averages are convolutions */
        return "this driver does not notice the end of a pooling";
    return nnrt__open_npu_refusal_of(ir, node, row->chip, exact);
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_part_compile(const nnrt__accelerator *self, nnrt__ir *part, bool exact,
                                                      void **image, size_t *size) {
    return nnrt__open_npu_compile(part, nnrt__open_npu_chip_row_of(self)->chip, exact, image, size);
}

NNRT__FN void nnrt__open_npu_part_work(const nnrt__accelerator *self, const void *image, uint32_t node,
                                       nnrt__part_work *work) {
    (void)self;
    nnrt__open_npu_work(image, node, work);
}
#define NNRT__OPEN_NPU_REFUSAL nnrt__open_npu_part_refusal
#define NNRT__OPEN_NPU_COMPILE nnrt__open_npu_part_compile
#define NNRT__OPEN_NPU_WORK nnrt__open_npu_part_work
#else
#define NNRT__OPEN_NPU_REFUSAL NULL
#define NNRT__OPEN_NPU_COMPILE NULL
#define NNRT__OPEN_NPU_WORK NULL
#endif

/* ----------------------------------------------------------------------------------------------------- to run */

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_part_check(const nnrt__accelerator *self, const void *image, size_t size,
                                                    const nnrt__part_ends *ends, uint64_t *memory) {
    nnrt__open_npu_header header;
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__open_npu_check(image, size);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__open_npu_header_read(image, &header);
    if (header.chip != (uint32_t)nnrt__open_npu_chip_row_of(self)->chip)
        return nnrt__fail(OH_NN_INVALID_FILE, "an image in the plan is not for %s", self->name);
    if (header.input_count != ends->input_count || header.output_count != ends->output_count)
        return nnrt__fail(OH_NN_INVALID_FILE, "an image in the plan has %u inputs and %u outputs, its step %u and %u",
                          (unsigned)header.input_count, (unsigned)header.output_count, (unsigned)ends->input_count,
                          (unsigned)ends->output_count);
    for (i = 0; i < ends->input_count + ends->output_count; i++) {
        nnrt__open_npu_port port;
        nnrt__open_npu_port_read(image, &header, i, &port);
        if ((uint64_t)port.height * port.width * port.channels != ends->sizes[i]) /* the check has bounded them */
            return nnrt__fail(OH_NN_INVALID_FILE, "tensor %u of an image in the plan is not that of its step",
                              (unsigned)i);
    }
    for (i = 0; !nnrt__open_npu_chip_row_of(self)->pools && i < header.task_count; i++) {
        nnrt__open_npu_task task;
        nnrt__open_npu_task_read(image, &header, i, &task);
        if (task.enable == NNRT__OPEN_NPU_RUN_POOL)
            return nnrt__fail(OH_NN_INVALID_FILE,
                              "the plan has pools on the NPU, of which this board's driver does not notice the end: "
                              "compile it for %s (nnrt.target)",
                              self->name);
    }
    *memory = header.memory_size;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__open_npu_part_open(const nnrt__accelerator *self, const void *image, size_t size,
                                                   uint32_t timeout_ms, nnrt__accelerator_session **session) {
    nnrt__open_npu_part *made = (nnrt__open_npu_part *)nnrt__alloc_zero(1, sizeof(*made));
    OH_NN_ReturnCode code;
    if (made == NULL) return nnrt__fail_memory();
    made->base.accelerator = self;
    made->timeout_ms = timeout_ms;
    code = nnrt__open_npu_open(image, size, &made->session);
    if (code != OH_NN_SUCCESS) nnrt__free(made);
    else *session = &made->base;
    return code;
}

/* The tasks of a part are one submission, which no driver takes back: a run that is cancelled ends behind it. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_part_run(nnrt__accelerator_session *session, const void *const *inputs,
                                                  void *const *outputs, int32_t *cancel) {
    const nnrt__open_npu_part *self = (const nnrt__open_npu_part *)(const void *)session;
    (void)cancel;
    return nnrt__open_npu_run(self->session, inputs, outputs, self->timeout_ms);
}

NNRT__FN void nnrt__open_npu_part_close(nnrt__accelerator_session *session) {
    nnrt__open_npu_part *self = (nnrt__open_npu_part *)(void *)session;
    nnrt__open_npu_close(self->session);
    nnrt__free(self);
}

NNRT__FN size_t nnrt__open_npu_part_memory(const nnrt__accelerator_session *session) {
    return ((const nnrt__open_npu_part *)(const void *)session)->session->header.memory_size;
}

/* ------------------------------------------------------------------------------------------------------- rows

   What a part has to be worth is assumed: no board has been measured. A submission costs a processor about 200 us, a
   byte that changes its layout twice one or two cycles; in that time a Cortex-A7 does some 200,000 products of int8,
   and one or two for a byte, a Cortex-A76 ten times as many. */
#define NNRT__OPEN_NPU_ROW(name, kin, isa, least_macs, macs_per_byte)                                                \
    {                                                                                                                \
        name, kin, isa, least_macs, macs_per_byte, NNRT__OPEN_NPU_REFUSAL, NNRT__OPEN_NPU_COMPILE,                   \
            nnrt__open_npu_part_check, nnrt__open_npu_part_open, nnrt__open_npu_part_run, nnrt__open_npu_part_close, \
            nnrt__open_npu_part_memory, NNRT__OPEN_NPU_WORK                                                          \
    }

static const nnrt__open_npu_chip_row nnrt__open_npu_rv1106 = {NNRT__OPEN_NPU_ROW("rv1106", NULL, "neon", 200000, 2),
                                                              NNRT__OPEN_NPU_RV1106, true};
static const nnrt__open_npu_chip_row nnrt__open_npu_rk3588 = {
    NNRT__OPEN_NPU_ROW("rk3588", "rk3588-rocket", "armv8-dot", 2000000, 8), NNRT__OPEN_NPU_RK3588, true};

/* The same chip behind mainline's driver: its plans run on both, those of the other here if they have no pools. */
static const nnrt__open_npu_chip_row nnrt__open_npu_rk3588_rocket = {
    NNRT__OPEN_NPU_ROW("rk3588-rocket", "rk3588", "armv8-dot", 2000000, 8), NNRT__OPEN_NPU_RK3588, false};

/* ---------------------------------------------------------------------------------------------------- devices */

/* Slot open. user: the row of the device's chip. OH_NN_UNSUPPORTED: this is no such board. */
NNRT__FN OH_NN_ReturnCode nnrt__open_npu_device_slot(void *user, void **device) {
    static nnrt__cpu_device selves[2];
    const nnrt__open_npu_chip_row *row = (const nnrt__open_npu_chip_row *)user;
    nnrt__cpu_device *self = &selves[row->chip == NNRT__OPEN_NPU_RK3588 ? 1 : 0];
    nnrt__open_npu_chip chip = row->chip;
    char sentence[NNRT__SENTENCE_SIZE];
    bool pools = true;
    if (!nnrt__open_npu_find(&chip, &pools, sentence, sizeof(sentence)))
        return nnrt__fail(OH_NN_UNSUPPORTED, "%s", sentence);
    if (chip != row->chip) return nnrt__fail(OH_NN_UNSUPPORTED, "not the NPU of %s: %s", row->base.name, sentence);
    nnrt__log(NNRT_LOG_INFO, "device rknpu_open_%s is on this board: %s", row->base.name, sentence);
    if (row->pools && !pools) row = &nnrt__open_npu_rk3588_rocket;
    *device = self;
    return nnrt__cpu_open_with(self, &row->base);
}

#endif /* NNRT_RKNPU_OPEN_DEVICE_H */
