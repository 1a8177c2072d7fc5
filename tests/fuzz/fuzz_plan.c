/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_plan.c - a plan in a cache is untrusted bytes, and steps run blind once it is loaded. `make fuzz`.
   Properties  (1) any bytes: restoring returns, refusing with OH_NN_INVALID_FILE, or OH_NN_MEMORY_ERROR
               within the budget, and a sentence, or the plan runs; (2) neither reads or writes outside the
               block, the arena, and inputs and outputs of exactly the sizes that the plan declares; (3) nothing
               stays allocated; (4) no more is allocated than the budget; (5) verdict and outputs are the same at
               another address; (6) with little memory the verdict is the same or OH_NN_MEMORY_ERROR.
   Mutations   are tried as they are, for the instruction set that they name when this machine has it, and again with
               size, shape of the structures and checksum put right for every instruction set that it has.
   Seeds       the models of fuzz_tflite, compiled by this build for the portable kernels and for a processor with
               vectors (`make build/fuzz/seeds/made`): plans of another format would be refused at their header. */
#include "linked.h"

#include "must.h"

enum {
    BUDGET = 1 << 20,
    IO_BUDGET = 1 << 19,
    LITTLE = 2048,
    MOST_IO = 400
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The CPU device, opened once. */
static void *device(void) {
    static void *opened;
    if (opened == NULL) MUST(nnrt__cpu_backend.open(NULL, &opened) == OH_NN_SUCCESS);
    return opened;
}

/* One run with bytes that depend on their place only. *digest: of the outputs. */
static OH_NN_ReturnCode run(void *prepared, uint32_t *digest) {
    nnrt_io io[MOST_IO];
    void *executor = NULL;
    size_t inputs, outputs, i, k, total = 0;
    OH_NN_ReturnCode code;
    nnrt__cpu_backend.io_count(prepared, &inputs, &outputs);
    MUST(inputs >= 1 && outputs >= 1 && inputs + outputs <= MOST_IO);
    memset(io, 0, sizeof(io));
    for (i = 0; i < inputs + outputs; i++) {
        const bool output = i >= inputs;
        nnrt_io_desc desc;
        MUST(nnrt__cpu_backend.io_desc(prepared, output, output ? i - inputs : i, &desc) == OH_NN_SUCCESS);
        MUST(desc.name != NULL && desc.rank >= 1 && desc.rank <= NNRT_MAX_RANK);
        io[i].fd = -1;
        io[i].dtype = desc.dtype;
        io[i].rank = desc.rank;
        io[i].size = nnrt__element_size(desc.dtype);
        for (k = 0; k < desc.rank; k++) {
            MUST(desc.dims[k] >= 1);
            io[i].dims[k] = desc.dims[k];
            io[i].size *= (size_t)desc.dims[k];
            MUST(io[i].size <= 0x40000000u);
        }
        total += io[i].size;
    }
    if (total > IO_BUDGET) return OH_NN_MEMORY_ERROR; /* the caller's memory is out */
    code = nnrt__cpu_backend.open_executor(prepared, &executor);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < inputs + outputs; i++) {
        io[i].data = malloc(io[i].size);
        MUST(io[i].data != NULL);
        for (k = 0; k < io[i].size; k++) ((uint8_t *)io[i].data)[k] = (uint8_t)(k * 37 + i * 11);
    }
    code = nnrt__cpu_backend.run(executor, io, inputs, io + inputs, outputs);
    *digest = 0;
    for (i = 0; i < inputs + outputs; i++) {
        if (i >= inputs) *digest = nnrt__crc32(*digest, io[i].data, io[i].size);
        free(io[i].data);
    }
    nnrt__cpu_backend.close_executor(executor);
    return code;
}

/* Restores size bytes at block and runs them when they are a plan. *verdict: of restoring; the answer: of all
   of it. */
static OH_NN_ReturnCode judge(const uint8_t *block, size_t size, const char *isa, size_t budget,
                              OH_NN_ReturnCode *verdict, uint32_t *digest) {
    nnrt_config config;
    nnrt_request request;
    void *prepared = NULL;
    OH_NN_ReturnCode code;
    memset(&request, 0, sizeof(request));
    config.name = "nnrt.isa";
    config.value = isa;
    config.size = strlen(isa);
    request.configs = &config;
    request.config_count = 1;
    *digest = 0;
    counting_budget(budget);
    nnrt__sentence()[0] = '\0';
    code = *verdict = nnrt__cpu_backend.restore(device(), &request, block, size, &prepared);
    if (code == OH_NN_SUCCESS) {
        code = run(prepared, digest);
        nnrt__cpu_backend.release(prepared);
        MUST(code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR || code == OH_NN_UNAVAILABLE_DEVICE);
    } else {
        MUST(code == OH_NN_INVALID_FILE || code == OH_NN_MEMORY_ERROR);
        MUST(nnrt__sentence()[0] != '\0');
    }
    MUST(counting_bytes() == 0);
    if (*verdict == OH_NN_SUCCESS) MUST(nnrt_inspect_model(block, size, NULL, NULL, NULL) == OH_NN_SUCCESS);
    else (void)nnrt_inspect_model(block, size, NULL, NULL, NULL);
    return code;
}

static void try_plan(const uint8_t *bytes, size_t size, const char *isa) {
    uint8_t *block = (uint8_t *)malloc(size), *moved = (uint8_t *)malloc(size + 8);
    OH_NN_ReturnCode verdict, other_verdict, code, other;
    uint32_t digest, other_digest;
    MUST(block != NULL && moved != NULL);
    memcpy(block, bytes, size);
    memcpy(moved + 8, bytes, size);
    code = judge(block, size, isa, BUDGET, &verdict, &digest);
    other = judge(moved + 8, size, isa, BUDGET, &other_verdict, &other_digest);
    MUST(verdict == other_verdict && code == other && digest == other_digest);
    (void)judge(block, size, isa, LITTLE, &other_verdict, &other_digest);
    MUST(other_verdict == verdict || other_verdict == OH_NN_MEMORY_ERROR);
    MUST(memcmp(block, bytes, size) == 0); /* nothing writes into a plan */
    free(block);
    free(moved);
}

/* The levels of this machine, from the lowest. */
static size_t levels(unsigned *found) {
    size_t count = 0, i;
    for (i = 0; i < NNRT__TARGET_COUNT; i++)
        if ((nnrt__targets[i].isa & ~nnrt__cpu_detect()) == 0) found[count++] = nnrt__targets[i].isa;
    return count;
}

/* Makes a plan of `size` bytes one of this build's: what it says of the structures, where it has steps. */
static void put_shape_right(uint8_t *plan, size_t size) {
    const uint32_t shape = NNRT__PLAN_SHAPE;
    nnrt__plan_header header;
    uint32_t i;
    memcpy(plan + offsetof(nnrt__plan_header, shape), &shape, sizeof(shape));
    memcpy(&header, plan, sizeof(header));
    for (i = 0; i < header.step_count; i++) {
        nnrt__plan_step step;
        const nnrt__step_kind *kind;
        const uint64_t before = (uint64_t)i * sizeof(step);
        uint8_t *at;
        if (header.steps > size || size - header.steps < before + sizeof(step)) return;
        at = plan + (size_t)(header.steps + before);
        memcpy(&step, at, sizeof(step));
        kind = nnrt__step_kind_find(step.kind);
        if (kind != NULL) step.arguments_shape = kind->arguments;
        memcpy(at, &step, sizeof(step));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    unsigned isas[NNRT__TARGET_COUNT];
    const size_t count = levels(isas);
    uint64_t whole = size;
    uint32_t crc, isa = 0;
    uint8_t *fixed;
    size_t i, own = 0;
    if (size == 0) return 0;
    if (size >= sizeof(nnrt__plan_header)) memcpy(&isa, data + offsetof(nnrt__plan_header, isa), sizeof(isa));
    for (i = 0; i < count; i++)
        if (isas[i] == isa) own = i;
    try_plan(data, size, nnrt__isa_name(isas[own]));
    if (size < sizeof(nnrt__plan_header)) return 0;
    fixed = (uint8_t *)malloc(size);
    MUST(fixed != NULL);
    for (i = 0; i < count; i++) {
        memcpy(fixed, data, size);
        isa = isas[i];
        memcpy(fixed + offsetof(nnrt__plan_header, size), &whole, sizeof(whole));
        memcpy(fixed + offsetof(nnrt__plan_header, isa), &isa, sizeof(isa));
        put_shape_right(fixed, size);
        crc = nnrt__plan_crc(fixed, size);
        memcpy(fixed + offsetof(nnrt__plan_header, crc), &crc, sizeof(crc));
        if (memcmp(fixed, data, size) != 0) try_plan(fixed, size, nnrt__isa_name(isas[i]));
    }
    free(fixed);
    return 0;
}
