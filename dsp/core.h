/* SPDX-License-Identifier: Apache-2.0 */
/* dsp/core.h - a core of the DSP: power, images, memory.   >>dsp_core

   Steps are undone in reverse order, also after a failure. The vendor's calls of one core are serialised by its mutex,
   because the driver promises no more, and each is short. */
#ifndef NNRT_DSP_CORE_H
#define NNRT_DSP_CORE_H

#include "../core/platform.h"
#include "api.h"
#include "errors.h"
#include "library.h"

/* Most unfinished tasks of a core: its queues at their longest, and a running one. */
#define NNRT__DSP_PLACES (NNRT__DSP_PRIORITIES * NNRT__DSP_MAX_NODES + 1u)

/* The pictures of one erode or dilate, as the DSP reads them. */
typedef struct nnrt__dsp_body {
    nnrt__dsp_picture source, destination;
} nnrt__dsp_body;

/* A task that was submitted and is not known to be over. */
typedef struct nnrt__dsp_place {
    bool used;
    uint32_t number; /* of the task that has it, or had it last */
    int32_t handle;
    nnrt_dsp_image destination; /* flushed at the end, unless data is NULL */
} nnrt__dsp_place;

struct nnrt_dsp {
    nnrt__dsp_library library;
    nnrt__mutex mutex; /* of all below, and of the vendor's calls */
    uint32_t core;
    uint32_t last_command;
    bool was_running;
    uint32_t memories;      /* that the program has */
    uint32_t unfinished;    /* places in use */
    uint64_t bodies;        /* physical address of a body for each place, uncached */
    nnrt__dsp_body *mapped; /* the same for the CPU */
    nnrt__dsp_place places[NNRT__DSP_PLACES];
};

/* --------------------------------------------------------------------------------------------- on and off */

/* Loads one image. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_load(const nnrt_dsp *dsp, const nnrt_dsp_options *options, uint32_t kind) {
    static const char *const names[NNRT_DSP_IMAGES] = {"hi_sram.bin", "hi_iram0.bin", "hi_dram0.bin", "hi_dram1.bin"};
    char path[300], what[360];
    int32_t vendor_code;
    const char *own = options->images[kind];
    if (own == NULL && options->folder == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "no folder has %s, and images[%u] is NULL", names[kind],
                          (unsigned)kind);
    }
    if ((own != NULL ? strlen(own) : strlen(options->folder) + 1 + strlen(names[kind])) >= sizeof(path)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the path of %s has 300 bytes or more", names[kind]);
    }
    if (own != NULL) nnrt__format(path, sizeof(path), "%s", own);
    else nnrt__format(path, sizeof(path), "%s/%s", options->folder, names[kind]);
    nnrt__format(what, sizeof(what), "HI_MPI_SVP_DSP_LoadBin of %.70s", path);
    vendor_code = dsp->library.functions.load_image(path, NNRT__DSP_MEMORIES * dsp->core + kind);
    return vendor_code == 0 ? OH_NN_SUCCESS : nnrt__dsp_fail(vendor_code, what);
}

/* Power, images, enable; off again when one of them fails. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_switch_on(const nnrt_dsp *dsp, const nnrt_dsp_options *options) {
    static const uint32_t order[NNRT_DSP_IMAGES] = {NNRT_DSP_IMAGE_IRAM, NNRT_DSP_IMAGE_DDR, NNRT_DSP_IMAGE_DRAM0,
                                                    NNRT_DSP_IMAGE_DRAM1}; /* that of the vendor's sample */
    int32_t vendor_code = dsp->library.functions.power_on(dsp->core);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    size_t i;
    if (vendor_code != 0) return nnrt__dsp_fail(vendor_code, "HI_MPI_SVP_DSP_PowerOn");
    for (i = 0; i < NNRT_DSP_IMAGES && code == OH_NN_SUCCESS; i++) code = nnrt__dsp_load(dsp, options, order[i]);
    if (code == OH_NN_SUCCESS) {
        vendor_code = dsp->library.functions.enable(dsp->core);
        if (vendor_code == 0) return OH_NN_SUCCESS;
        code = nnrt__dsp_fail(vendor_code, "HI_MPI_SVP_DSP_EnableCore");
    }
    (void)dsp->library.functions.power_off(dsp->core);
    return code;
}

/* *stopped: the core has stopped. It is asked twice, because cutting its power while it works may hang the board. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_switch_off(const nnrt_dsp *dsp, bool *stopped) {
    int32_t vendor_code = dsp->library.functions.disable(dsp->core);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (vendor_code != 0) vendor_code = dsp->library.functions.disable(dsp->core);
    *stopped = vendor_code == 0;
    if (vendor_code != 0) code = nnrt__dsp_fail(vendor_code, "HI_MPI_SVP_DSP_DisableCore");
    vendor_code = dsp->library.functions.power_off(dsp->core);
    *stopped = *stopped || vendor_code == 0;
    if (vendor_code != 0 && code == OH_NN_SUCCESS) code = nnrt__dsp_fail(vendor_code, "HI_MPI_SVP_DSP_PowerOff");
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_check_options(const nnrt_dsp_options *options) {
    if (options->core >= NNRT__DSP_MAX_CORES) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "core %u: no chip has more than 4", (unsigned)options->core);
    }
    if (options->last_command != 0 &&
        (options->last_command < NNRT__DSP_LAST_COMMAND || options->last_command > NNRT__DSP_MOST_LAST_COMMAND)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "last_command is %u, and SVP_DSP_CMD_BUTT 4 to 7",
                          (unsigned)options->last_command);
    }
    return OH_NN_SUCCESS;
}

/* The library, the memory of bodies, the core, in this order. dsp is zero but for its mutex. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_begin(nnrt_dsp *dsp, const nnrt_dsp_options *options) {
    void *mapped = NULL;
    OH_NN_ReturnCode code = nnrt__dsp_library_open(&dsp->library);
    dsp->core = options->core;
    dsp->last_command = options->last_command != 0 ? options->last_command : NNRT__DSP_LAST_COMMAND;
    dsp->was_running = options->running;
    if (code == OH_NN_SUCCESS) {
        code = nnrt__mmz_allocate(&dsp->library.functions.mmz, "nnrt dsp", false,
                                  NNRT__DSP_PLACES * sizeof(nnrt__dsp_body), &dsp->bodies, &mapped);
    }
    if (code != OH_NN_SUCCESS) return code;
    dsp->mapped = (nnrt__dsp_body *)mapped;
    if (!dsp->was_running) code = nnrt__dsp_switch_on(dsp, options);
    if (code != OH_NN_SUCCESS) (void)dsp->library.functions.mmz.free_memory(dsp->bodies, mapped);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_dsp_open(const nnrt_dsp_options *options, nnrt_dsp **dsp) {
    nnrt_dsp *made;
    OH_NN_ReturnCode code;
    if (dsp == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "dsp is NULL");
    *dsp = NULL;
    if (options == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "options is NULL");
    code = nnrt__dsp_check_options(options);
    if (code != OH_NN_SUCCESS) return code;
    made = (nnrt_dsp *)nnrt__alloc_zero(1, sizeof(*made));
    if (made == NULL) return nnrt__fail_memory();
    if (!nnrt__mutex_init(&made->mutex)) {
        nnrt__free(made);
        return nnrt__fail_memory();
    }
    code = nnrt__dsp_begin(made, options);
    if (code != OH_NN_SUCCESS) {
        nnrt__mutex_destroy(&made->mutex);
        nnrt__free(made);
        return code;
    }
    *dsp = made;
    return OH_NN_SUCCESS;
}

/* Frees everything, whatever the library returns. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_end(nnrt_dsp *dsp) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    bool stopped = dsp->unfinished == 0;
    if (!dsp->was_running) code = nnrt__dsp_switch_off(dsp, &stopped);
    if (stopped || dsp->unfinished == 0) (void)dsp->library.functions.mmz.free_memory(dsp->bodies, dsp->mapped);
    nnrt__mutex_destroy(&dsp->mutex);
    nnrt__free(dsp);
    return code;
}

/* -------------------------------------------------------------------------------------------------- memory */

NNRT_API OH_NN_ReturnCode nnrt_dsp_allocate(nnrt_dsp *dsp, size_t size, nnrt_dsp_memory *memory) {
    OH_NN_ReturnCode code;
    if (dsp == NULL || memory == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "dsp and memory may not be NULL");
    if (size == 0 || size > UINT32_MAX) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "MMZ memory comes in blocks of 1 byte to 4 GiB, not of %zu bytes",
                          size);
    }
    memset(memory, 0, sizeof(*memory));
    nnrt__mutex_lock(&dsp->mutex);
    code = nnrt__mmz_allocate(&dsp->library.functions.mmz, "nnrt dsp", true, size, &memory->physical, &memory->data);
    if (code == OH_NN_SUCCESS) {
        memory->size = size;
        dsp->memories++;
    }
    nnrt__mutex_unlock(&dsp->mutex);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__dsp_check_memory(const nnrt_dsp *dsp, const nnrt_dsp_memory *memory) {
    if (dsp != NULL && memory != NULL && memory->data != NULL && memory->physical != 0) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "no DSP, or no memory of nnrt_dsp_allocate");
}

NNRT_API OH_NN_ReturnCode nnrt_dsp_free(nnrt_dsp *dsp, nnrt_dsp_memory *memory) {
    int32_t vendor_code;
    const OH_NN_ReturnCode code = nnrt__dsp_check_memory(dsp, memory);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__mutex_lock(&dsp->mutex);
    vendor_code = dsp->library.functions.mmz.free_memory(memory->physical, memory->data);
    if (dsp->memories != 0) dsp->memories--;
    nnrt__mutex_unlock(&dsp->mutex);
    memset(memory, 0, sizeof(*memory));
    return vendor_code == 0 ? OH_NN_SUCCESS : nnrt__dsp_fail(vendor_code, "HI_MPI_SYS_MmzFree");
}

NNRT_API OH_NN_ReturnCode nnrt_dsp_flush(nnrt_dsp *dsp, const nnrt_dsp_memory *memory) {
    OH_NN_ReturnCode code = nnrt__dsp_check_memory(dsp, memory);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__mutex_lock(&dsp->mutex);
    code = nnrt__mmz_flush(&dsp->library.functions.mmz, memory->physical, memory->data, (uint32_t)memory->size);
    nnrt__mutex_unlock(&dsp->mutex);
    return code;
}

#endif /* NNRT_DSP_CORE_H */
