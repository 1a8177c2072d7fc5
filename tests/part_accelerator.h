/* SPDX-License-Identifier: Apache-2.0 */
/* part_accelerator.h - an accelerator for tests of the CPU device, and a device that has it beside its processor.

   Include it after linked.h. Its image is a plan of the CPU device with a short header, so by construction a part gives
   the CPU's results, and a model the same bytes however it is cut. It takes the nodes for which across.takes is true,
   counts the calls, and can be told to refuse, fail, hang or wait. */
#ifndef NNRT_TESTS_PART_ACCELERATOR_H
#define NNRT_TESTS_PART_ACCELERATOR_H

#include <criterion/criterion.h>

#include <string.h>
#include <time.h>

#define PART_FN static __attribute__((unused))

typedef struct part_state {
    bool (*takes)(const nnrt__ir *ir, const nnrt__ir_node *node); /* NULL: all */
    OH_NN_ReturnCode compile_code, open_code, run_code;
    uint32_t compile_code_at, open_code_at; /* which of the calls fails, from 1; 0: each */
    int hang;                               /* runs wait until they are cancelled, or this is 0 */
    /* what happened */
    uint32_t refused, compiled, checked, opened, closed, runs;
    bool exact;          /* of the last question */
    uint32_t timeout_ms; /* of the last open */
    uint64_t nodes;      /* in all images */
} part_state;

static part_state across;

#define PART_READ(field) __atomic_load_n(&across.field, __ATOMIC_SEQ_CST)
#define PART_WRITE(field, value) __atomic_store_n(&across.field, value, __ATOMIC_SEQ_CST)
#define PART_ADD(field, value) __atomic_add_fetch(&across.field, value, __ATOMIC_SEQ_CST)

typedef struct part_image {
    char magic[8];
    uint64_t plan_size;
    uint8_t zeros[48]; /* the plan is aligned as the image is */
} part_image;

typedef struct part_session {
    nnrt__accelerator_session base;
    nnrt__loaded_plan plan;
    nnrt__instance instance;
} part_session;

PART_FN const nnrt__cpu_table *part_kernels(void) {
    static nnrt__cpu_table table;
    static bool made;
    if (!made) nnrt__cpu_select(&table, nnrt__cpu_detect());
    made = true; /* before there are threads */
    return &table;
}

PART_FN nnrt__bounds part_bounds(void) {
    nnrt__bounds bounds;
    memset(&bounds, 0, sizeof bounds);
    bounds.memory = NNRT__BOUNDS_MEMORY;
    bounds.work = NNRT__BOUNDS_WORK;
    return bounds;
}

PART_FN const char *part_refusal(const nnrt__accelerator *self, const nnrt__ir *ir, const nnrt__ir_node *node,
                                 bool exact) {
    cr_assert_not_null(self);
    across.exact = exact;
    if (across.takes == NULL || across.takes(ir, node)) return NULL;
    across.refused++;
    return "the test said no";
}

PART_FN OH_NN_ReturnCode part_compile(const nnrt__accelerator *self, nnrt__ir *ir, bool exact, void **image,
                                      size_t *size) {
    nnrt__compile_options options;
    part_image front;
    uint64_t whole;
    uint8_t *plan, *bytes;
    void *memory;
    uint32_t i;
    OH_NN_ReturnCode code;
    (void)self;
    cr_assert_eq(exact, across.exact);
    memset(&options, 0, sizeof options);
    options.kernels = part_kernels();
    options.threads = 1;
    options.passes = NNRT__PASS_ALL;
    options.bounds = part_bounds();
    across.compiled++;
    for (i = ir->first; i != NNRT__NONE; i = ir->nodes[i].next) across.nodes++;
    if (across.compile_code != OH_NN_SUCCESS &&
        (across.compile_code_at == 0 || across.compile_code_at == across.compiled))
        return nnrt__fail(across.compile_code, "the test breaks the compiler");
    memset(&front, 0, sizeof front);
    code = nnrt__write_ir(ir, &options, &memory, &plan, size, &whole);
    if (code != OH_NN_SUCCESS) return code;
    memcpy(front.magic, "nnrtpart", 8);
    front.plan_size = *size;
    bytes = (uint8_t *)nnrt__alloc(sizeof front + *size);
    if (bytes != NULL) {
        memcpy(bytes, &front, sizeof front);
        memcpy(bytes + sizeof front, plan, *size);
    }
    nnrt__free(memory);
    *size += sizeof front;
    *image = bytes;
    return bytes != NULL ? OH_NN_SUCCESS : nnrt__fail_memory();
}

PART_FN OH_NN_ReturnCode part_load(const void *image, size_t size, nnrt__loaded_plan *plan) {
    const nnrt__bounds bounds = part_bounds();
    part_image front;
    if (size < sizeof front) return nnrt__fail(OH_NN_INVALID_FILE, "the part is too short");
    memcpy(&front, image, sizeof front);
    if (memcmp(front.magic, "nnrtpart", 8) != 0 || front.plan_size != size - sizeof front)
        return nnrt__fail(OH_NN_INVALID_FILE, "the part is none");
    return nnrt__plan_load(plan, (const uint8_t *)image + sizeof front, (size_t)front.plan_size, part_kernels(), 0,
                           &bounds, NNRT__PLAN_OUTSIDE | NNRT__PLAN_TRUST_CRC);
}

PART_FN OH_NN_ReturnCode part_check(const nnrt__accelerator *self, const void *image, size_t size,
                                    const nnrt__part_ends *ends, uint64_t *memory) {
    nnrt__loaded_plan plan;
    OH_NN_ReturnCode code = part_load(image, size, &plan);
    uint32_t i;
    (void)self;
    PART_ADD(checked, 1);
    if (code != OH_NN_SUCCESS) return code;
    if (plan.header->input_count != ends->input_count || plan.header->output_count != ends->output_count)
        code = nnrt__fail(OH_NN_INVALID_FILE, "the part has other tensors");
    for (i = 0; code == OH_NN_SUCCESS && i < ends->input_count + ends->output_count; i++)
        if (plan.operand_values[i]->size != ends->sizes[i])
            code = nnrt__fail(OH_NN_INVALID_FILE, "tensor %u of the part has another size", (unsigned)i);
    *memory = plan.header->arena_size;
    nnrt__plan_unload(&plan);
    return code;
}

PART_FN OH_NN_ReturnCode part_open(const nnrt__accelerator *self, const void *image, size_t size, uint32_t timeout_ms,
                                   nnrt__accelerator_session **session) {
    part_session *made;
    OH_NN_ReturnCode code;
    PART_WRITE(timeout_ms, timeout_ms);
    if (across.open_code != OH_NN_SUCCESS && (across.open_code_at == 0 || across.open_code_at == across.opened + 1))
        return nnrt__fail(across.open_code, "the test breaks the chip");
    made = (part_session *)nnrt__alloc_zero(1, sizeof *made);
    if (made == NULL) return nnrt__fail_memory();
    code = part_load(image, size, &made->plan);
    if (code == OH_NN_SUCCESS) {
        code = nnrt__instance_open(&made->instance, &made->plan, NULL, NULL);
        if (code != OH_NN_SUCCESS) nnrt__plan_unload(&made->plan);
    }
    if (code != OH_NN_SUCCESS) {
        nnrt__free(made);
        return code;
    }
    made->base.accelerator = self;
    *session = &made->base;
    PART_ADD(opened, 1);
    return OH_NN_SUCCESS;
}

PART_FN OH_NN_ReturnCode part_run(nnrt__accelerator_session *session, const void *const *inputs, void *const *outputs,
                                  int32_t *cancel) {
    static const struct timespec moment = {0, 1000000};
    part_session *self = (part_session *)(void *)session;
    PART_ADD(runs, 1);
    if (across.run_code != OH_NN_SUCCESS) return nnrt__fail(across.run_code, "the test breaks the run");
    while (PART_READ(hang) && nnrt__atomic_load(cancel) == 0) nanosleep(&moment, NULL);
    if (nnrt__atomic_load(cancel) != 0) return nnrt__fail(OH_NN_TIMEOUT, "the part was stopped");
    nnrt__instance_bind(&self->instance, (void *const *)inputs, outputs);
    return nnrt__instance_run(&self->instance, NULL, outputs, false, cancel, NULL);
}

PART_FN void part_close(nnrt__accelerator_session *session) {
    part_session *self = (part_session *)(void *)session;
    nnrt__instance_close(&self->instance);
    nnrt__plan_unload(&self->plan);
    nnrt__free(self);
    PART_ADD(closed, 1);
}

PART_FN size_t part_memory(const nnrt__accelerator_session *session) {
    return (size_t)((const part_session *)(const void *)session)->plan.header->arena_size;
}

/* Changed at will before a device is opened: a name, what a part has to be worth. */
static nnrt__accelerator part_accelerator = {"second",     NULL,         "scalar",   0,         0,
                                             part_refusal, part_compile, part_check, part_open, part_run,
                                             part_close,   part_memory,  NULL};

/* ------------------------------------------------------------------------------------------------ the device */

PART_FN OH_NN_ReturnCode part_device_open(void *user, void **device) {
    nnrt__cpu_device *self = (nnrt__cpu_device *)calloc(1, sizeof *self); /* as long as the process */
    cr_assert_not_null(self);
    *device = self;
    return nnrt__cpu_open_with(self, (const nnrt__accelerator *)user);
}

/* The id of a new device, of that name, whose models are for the CPU and accelerator. */
PART_FN size_t part_device(const char *name, const nnrt__accelerator *accelerator) {
    nnrt_backend *backend = (nnrt_backend *)malloc(sizeof *backend); /* so does this */
    size_t id = 0;
    cr_assert_not_null(backend);
    (void)part_kernels();
    *backend = nnrt__cpu_backend;
    backend->name = name;
    backend->open = part_device_open;
    backend->user = (void *)(uintptr_t)accelerator;
    cr_assert_eq((int)nnrt_register_backend(backend, &id), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    return id;
}

#endif /* NNRT_TESTS_PART_ACCELERATOR_H */
