/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_ucp.c - libhbucp.so: memory and tasks of UCP, around the board. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vendor_ucp.h"

#define UCP_CALL(name)                                                    \
    do {                                                                  \
        int32_t ucp_answer;                                               \
        if (sim_bpu_call(name, &ucp_answer)) return ucp_code(ucp_answer); \
    } while (0)

SIM_EXPORT const char *hbUCPGetVersion(void);
SIM_EXPORT const char *hbUCPGetSocName(void);
SIM_EXPORT const char *hbUCPGetErrorDesc(int32_t code);
SIM_EXPORT int32_t hbUCPMalloc(vendor_ucp_memory *memory, uint64_t size, int32_t device);
SIM_EXPORT int32_t hbUCPMallocCached(vendor_ucp_memory *memory, uint64_t size, int32_t device);
SIM_EXPORT int32_t hbUCPMemFlush(const vendor_ucp_memory *memory, int32_t flag);
SIM_EXPORT int32_t hbUCPFree(vendor_ucp_memory *memory);
SIM_EXPORT int32_t hbUCPSubmitTask(vendor_handle task, vendor_ucp_sched *how);
SIM_EXPORT int32_t hbUCPWaitTaskDone(vendor_handle task, int32_t milliseconds);
SIM_EXPORT int32_t hbUCPSetTaskDoneCb(vendor_handle task, vendor_done done, void *user);
SIM_EXPORT int32_t hbUCPReleaseTask(vendor_handle task);

const char *hbUCPGetVersion(void) { return UCP_NUMBER; }

const char *hbUCPGetSocName(void) { return sim_bpu_soc(); }

const char *hbUCPGetErrorDesc(int32_t code) {
    static const struct {
        int32_t code;
        const char *text;
    } texts[] = {{0, "Success"},
                 {VENDOR_UCP_INVALID_ARGUMENT, "Invalid argument"},
                 {VENDOR_UCP_API_USE, "Wrong use of the interface"},
                 {VENDOR_UCP_TASK_NUMBER, "Too many tasks"},
                 {VENDOR_UCP_TIMEOUT, "Timeout"},
                 {VENDOR_UCP_RUN_FAILED, "The task failed"},
                 {VENDOR_UCP_TASK_HANDLE, "Invalid task handle"},
                 {VENDOR_UCP_ALLOC, "No memory"},
                 {VENDOR_UCP_FREE, "Memory cannot be freed"},
                 {VENDOR_UCP_FLUSH, "Memory cannot be flushed"},
                 {VENDOR_UCP_CANNOT_OPEN, "A file cannot be opened"},
                 {VENDOR_UCP_INVALID_MODEL, "Invalid model"},
                 {VENDOR_UCP_MODEL_IN_USE, "The model is in use"},
                 {VENDOR_UCP_INCOMPATIBLE, "Incompatible model"}};
    size_t i;
    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].code == code) return texts[i].text;
    return "Unknown code";
}

static sim_bpu_memory ucp_memory(const vendor_ucp_memory *from) {
    sim_bpu_memory memory;
    memory.physical = from->phyAddr;
    memory.address = from->virAddr;
    memory.size = from->memSize;
    return memory;
}

/* The structure stays as it was when there is no memory. */
static int32_t ucp_allocate(vendor_ucp_memory *memory, uint64_t size, bool cached) {
    sim_bpu_memory made;
    int32_t answer;
    if (!memory || size == 0) return VENDOR_UCP_INVALID_ARGUMENT;
    answer = sim_bpu_allocate(&ucp_release, &made, size, cached);
    if (answer != SIM_BPU_OK) return ucp_code(answer);
    memory->phyAddr = made.physical;
    memory->virAddr = made.address;
    memory->memSize = size;
    return 0;
}

int32_t hbUCPMalloc(vendor_ucp_memory *memory, uint64_t size, int32_t device) {
    UCP_CALL("hbUCPMalloc");
    (void)device;
    return ucp_allocate(memory, size, false);
}

int32_t hbUCPMallocCached(vendor_ucp_memory *memory, uint64_t size, int32_t device) {
    UCP_CALL("hbUCPMallocCached");
    (void)device;
    return ucp_allocate(memory, size, true);
}

int32_t hbUCPMemFlush(const vendor_ucp_memory *memory, int32_t flag) {
    sim_bpu_memory flushed;
    UCP_CALL("hbUCPMemFlush");
    if (!memory) return VENDOR_UCP_INVALID_ARGUMENT;
    flushed = ucp_memory(memory);
    return ucp_code(sim_bpu_flush(&ucp_release, &flushed, flag));
}

int32_t hbUCPFree(vendor_ucp_memory *memory) {
    sim_bpu_memory freed;
    int32_t answer;
    bool fails = sim_bpu_call("hbUCPFree", &answer);
    if (!memory) return fails ? ucp_code(answer) : VENDOR_UCP_INVALID_ARGUMENT;
    freed = ucp_memory(memory);
    if (fails) {
        (void)sim_bpu_free(&ucp_release, &freed, true);
        return ucp_code(answer);
    }
    answer = sim_bpu_free(&ucp_release, &freed, false);
    if (answer == SIM_BPU_OK) memset(memory, 0, sizeof(*memory));
    return ucp_code(answer);
}

int32_t hbUCPSubmitTask(vendor_handle task, vendor_ucp_sched *how) {
    sim_bpu_control control;
    UCP_CALL("hbUCPSubmitTask");
    if (!how) return VENDOR_UCP_INVALID_ARGUMENT;
    memset(&control, 0, sizeof(control));
    control.priority = how->priority;
    control.custom = how->customId;
    control.cores = how->backend;
    return ucp_code(sim_bpu_submit(&ucp_release, task, &control));
}

int32_t hbUCPWaitTaskDone(vendor_handle task, int32_t milliseconds) {
    UCP_CALL("hbUCPWaitTaskDone");
    return ucp_code(sim_bpu_wait(&ucp_release, task, milliseconds));
}

int32_t hbUCPSetTaskDoneCb(vendor_handle task, vendor_done done, void *user) {
    UCP_CALL("hbUCPSetTaskDoneCb");
    return ucp_code(sim_bpu_on_done(&ucp_release, task, done, user, ucp_code));
}

int32_t hbUCPReleaseTask(vendor_handle task) {
    int32_t answer;
    if (sim_bpu_call("hbUCPReleaseTask", &answer)) {
        (void)sim_bpu_release_task(&ucp_release, task, true);
        return ucp_code(answer);
    }
    return ucp_code(sim_bpu_release_task(&ucp_release, task, false));
}

/* Six lines that nobody asked for. */
__attribute__((constructor)) static void ucp_chatter(void) {
    const char *text = getenv("NNRT_SIM_CHATTER");
    int i;
    for (i = 1; text && text[0] == '1' && i <= 6; i++)
        printf("[UCP]: line %d of what libhbucp %s says when it is loaded\n", i, UCP_NUMBER);
}
