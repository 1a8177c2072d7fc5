/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/device.h - a core of the NNIE: opening it, the media system, and the memory that tasks share.   >>nnie_device

   A device is a core. Hi3559AV100 has two; its library accepts both numbers, while others refuse 1 before they ask the
   driver, which is how nnrt counts them. The media system (SYS, VB) belongs to the application: nnrt does not touch it
   unless nnie.init_sys asks for it, and leaves it initialised if it was. */
#ifndef NNRT_NNIE_DEVICE_H
#define NNRT_NNIE_DEVICE_H

#include "memory.h"

/* Cores that the library knows. It prints a complaint about an unknown one; the chip with two runs 64-bit programs, so
   32-bit libraries are not asked, except on simulated boards. */
NNRT__FN uint32_t nnrt__nnie_count_cores(const nnrt__nnie_library *library) {
    int32_t finished = 0;
    if (sizeof(void *) < 8 && !library->stand_in) return 1;
    return (uint32_t)library->api.query(1, 0, &finished, 0) == NNRT__NNIE_ILLEGAL_PARAM ? 1 : 2;
}

/* Checks for the driver. The media system need not be initialised yet: the program may do that later. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_check_driver(const nnrt__nnie_library *library) {
    int32_t finished = 0;
    const int32_t vendor_code = library->api.query(0, 0, &finished, 0);
    if ((uint32_t)vendor_code != NNRT__NNIE_NOTREADY || nnrt__file_exists(library->node)) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                      "%.120s is there, but %.90s is not: load the modules of the SDK, hi*_nnie.ko among them",
                      library->name, library->node);
}

/* Slot open; user says which core. OH_NN_UNSUPPORTED: the board has no such core, or the first core has already
   reported why there is none. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_open(void *user, void **device) {
    const uint32_t core = user != NULL ? *(const uint32_t *)user : 0;
    nnrt__nnie_device *made = (nnrt__nnie_device *)nnrt__alloc_zero(1, sizeof(*made));
    OH_NN_ReturnCode code;
    if (made == NULL) return nnrt__fail_memory();
    code = nnrt__nnie_library_open(&made->library);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_check_driver(&made->library);
    if (code == OH_NN_SUCCESS) made->cores = nnrt__nnie_count_cores(&made->library);
    if (code == OH_NN_SUCCESS && core >= made->cores)
        code = nnrt__fail(OH_NN_UNSUPPORTED, "the NNIE of this chip has %u core", (unsigned)made->cores);
    else if (code != OH_NN_SUCCESS && core != 0) code = OH_NN_UNSUPPORTED;
    if (code == OH_NN_SUCCESS && !nnrt__mutex_init(&made->mutex)) {
        code = nnrt__fail_memory();
    } else if (code == OH_NN_SUCCESS && !nnrt__gate_init(&made->gate)) {
        nnrt__mutex_destroy(&made->mutex);
        code = nnrt__fail_memory();
    }
    if (code != OH_NN_SUCCESS) {
        nnrt__free(made);
        return code;
    }
    made->core = core;
    if (core == 0)
        nnrt__log(NNRT_LOG_INFO, "HiSilicon NNIE: %s, %u core%s", made->library.name, (unsigned)made->cores,
                  made->cores == 1 ? "" : "s");
    *device = made;
    return OH_NN_SUCCESS;
}

/* --------------------------------------------------------------------------------------- the media system */

#define NNRT__NNIE_VB_BUSY 0xa0018012u /* it is initialised already */

/* VB_CONFIG_S has 520 bytes in the SDKs and 776 in OpenHarmony's headers; pool 0 lies at the same place in both:
   {u32 pools, 4 bytes, u64 size of a buffer at 8, u32 buffers at 16}. */
typedef struct nnrt__nnie_buffers {
    uint32_t pools;
    uint32_t unused;
    uint64_t size;
    uint32_t count;
    uint32_t rest[189];
} nnrt__nnie_buffers;

/* Initialises VB and SYS, as the vendor's samples do for a program that has no camera. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_system_init(const nnrt__nnie_api *api, bool *ours) {
    nnrt__nnie_buffers buffers;
    int32_t vendor_code;
    *ours = false;
    if (api->system_init == NULL || api->system_exit == NULL || api->buffers_configure == NULL ||
        api->buffers_init == NULL || api->buffers_exit == NULL)
        return nnrt__fail(OH_NN_FAILED, "nnie.init_sys: the program and its libraries have no HI_MPI_SYS_Init");
    memset(&buffers, 0, sizeof(buffers));
    buffers.pools = 2; /* of the samples: the least that VB takes; nothing of the NNIE lies in them */
    buffers.size = 4096;
    buffers.count = 1;
    vendor_code = api->buffers_configure(&buffers);
    if ((uint32_t)vendor_code == NNRT__NNIE_VB_BUSY) return OH_NN_SUCCESS;
    if (vendor_code != 0) return nnrt__nnie_fail(vendor_code, "HI_MPI_VB_SetConfig");
    vendor_code = api->buffers_init();
    if (vendor_code != 0) return nnrt__nnie_fail(vendor_code, "HI_MPI_VB_Init");
    vendor_code = api->system_init();
    if (vendor_code != 0) {
        (void)api->buffers_exit();
        return nnrt__nnie_fail(vendor_code, "HI_MPI_SYS_Init");
    }
    *ours = true;
    return OH_NN_SUCCESS;
}

/* Called for a model that needs the media system. Vendor calls about shared things are made inside the gate. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_system_use(nnrt__nnie_device *device) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (!nnrt__gate_enter(&device->gate)) return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "the NNIE hangs in another run");
    if (device->system_users == 0) code = nnrt__nnie_system_init(&device->library.api, &device->system_is_ours);
    if (code == OH_NN_SUCCESS) device->system_users++;
    nnrt__gate_leave(&device->gate);
    return code;
}

/* It goes. */
NNRT__FN void nnrt__nnie_system_leave(nnrt__nnie_device *device) {
    const nnrt__nnie_api *api = &device->library.api;
    if (!nnrt__gate_enter(&device->gate)) return; /* a run hangs: the media system must not be shut down under it */
    NNRT_ASSERT(device->system_users != 0);
    if (--device->system_users == 0 && device->system_is_ours) {
        (void)api->system_exit();
        (void)api->buffers_exit();
        device->system_is_ours = false;
    }
    nnrt__gate_leave(&device->gate);
}

/* -------------------------------------------------------------------------------- intermediate values */

/* Grows the core's memory to the size bytes that a task of a model needs. Tasks never overlap, so all models share one
   block; a smaller one is freed. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_temporary_use(nnrt__nnie_device *device, uint32_t size) {
    nnrt__npu_block *made = NULL, *old = NULL;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (!nnrt__gate_enter(&device->gate)) return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "the NNIE hangs in another run");
    if (device->temporary == NULL || device->temporary->size < size)
        code = nnrt__nnie_block_new(device, "nnrt intermediate", false, size, &made);
    if (code == OH_NN_SUCCESS && made != NULL) {
        old = device->temporary;
        device->temporary = made;
    }
    if (code == OH_NN_SUCCESS) {
        nnrt__mutex_lock(&device->mutex);
        device->temporary_models++;
        nnrt__mutex_unlock(&device->mutex);
    }
    nnrt__gate_leave(&device->gate);
    nnrt__npu_block_release(old);
    return code;
}

/* Called when a model is freed; the last one frees the memory. If a task hangs, the memory stays for it and the next
   model. */
NNRT__FN void nnrt__nnie_temporary_leave(nnrt__nnie_device *device) {
    nnrt__npu_block *old = NULL;
    bool over;
    nnrt__mutex_lock(&device->mutex);
    NNRT_ASSERT(device->temporary_models != 0);
    over = --device->temporary_models == 0;
    nnrt__mutex_unlock(&device->mutex);
    if (!over || !nnrt__gate_enter(&device->gate)) return;
    nnrt__mutex_lock(&device->mutex);
    over = device->temporary_models == 0; /* still */
    nnrt__mutex_unlock(&device->mutex);
    if (over) {
        old = device->temporary;
        device->temporary = NULL;
    }
    nnrt__gate_leave(&device->gate);
    nnrt__npu_block_release(old);
}

#endif /* NNRT_NNIE_DEVICE_H */
