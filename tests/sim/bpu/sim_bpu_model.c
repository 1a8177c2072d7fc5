/* SPDX-License-Identifier: Apache-2.0 */
/* sim_bpu_model.c - packed models: loading, names, properties, release. */
#define _GNU_SOURCE
#include "sim_bpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const sim_kind sim_bpu_kind_packed = {"packed model"};

void sim_bpu_packed_free(sim_bpu_packed *packed) {
    uint32_t i;
    for (i = 0; i < packed->models; i++) sim_bpu_model_free(packed->model[i]);
    free(packed->model);
    free(packed->names);
    free(packed);
}

/* UCP tells names in another order than that of the files. */
static bool sim_bpu_name_all(sim_bpu_packed *packed) {
    const uint32_t count = packed->models;
    uint32_t i;
    packed->names = (const char **)calloc(count + 1, sizeof(*packed->names));
    for (i = 0; packed->names && i < count; i++)
        packed->names[i] = packed->model[packed->release->ucp && packed->files > 1 ? count - 1 - i : i]->name;
    return packed->names != NULL;
}

/* Locked. Puts packed among what is alive, or answers why not. */
static int32_t sim_bpu_admit(sim_bpu_packed *packed) {
    uint32_t i;
    if (!sim_fits(packed->context.bytes)) {
        sim_log("a model needs %lu bytes, which there are not", (unsigned long)packed->context.bytes);
        return packed->release->ucp ? SIM_BPU_INVALID_MODEL : SIM_BPU_NO_MEMORY;
    }
    if (!sim_bpu_name_all(packed)) return SIM_BPU_NO_MEMORY;
    sim_context_add(&packed->context, &sim_bpu_kind_packed);
    for (i = 0; i < packed->models; i++)
        packed->model[i]->handle = ((sim_handle)0x6d0d << 32) + 16 * ++sim_state.serial;
    return SIM_BPU_OK;
}

/* A whole file. */
typedef struct sim_bpu_bytes {
    const void *data;
    size_t size;
} sim_bpu_bytes;

static int32_t sim_bpu_load(const sim_bpu_release *release, vendor_handle *handle, const sim_bpu_bytes *files,
                            int32_t count) {
    sim_bpu_packed *packed = (sim_bpu_packed *)calloc(1, sizeof(*packed));
    int32_t answer = packed ? SIM_BPU_OK : SIM_BPU_NO_MEMORY, i;
    sim_lock();
    if (packed) packed->release = release;
    if (packed && !sim_bpu_drives(release)) answer = SIM_BPU_ARGUMENT;
    for (i = 0; i < count && answer == SIM_BPU_OK; i++) {
        packed->files++;
        answer = sim_bpu_read(packed, sim_bpu_the_chip(), (const uint8_t *)files[i].data, files[i].size);
    }
    if (answer == SIM_BPU_OK) answer = sim_bpu_admit(packed);
    if (answer == SIM_BPU_OK) *handle = (vendor_handle)(uintptr_t)packed->context.handle;
    sim_unlock();
    if (answer != SIM_BPU_OK && packed) sim_bpu_packed_free(packed);
    return answer;
}

int32_t sim_bpu_load_memory(const sim_bpu_release *release, vendor_handle *handle, const void *const *data,
                            const int32_t *lengths, int32_t count) {
    sim_bpu_bytes *files;
    int32_t answer, i;
    if (!handle || !data || !lengths || count <= 0) return SIM_BPU_ARGUMENT;
    for (i = 0; i < count; i++)
        if (!data[i] || lengths[i] <= 0) return SIM_BPU_ARGUMENT;
    files = (sim_bpu_bytes *)calloc((size_t)count, sizeof(*files));
    if (!files) return SIM_BPU_NO_MEMORY;
    for (i = 0; i < count; i++) {
        files[i].data = data[i];
        files[i].size = (size_t)lengths[i];
    }
    answer = sim_bpu_load(release, handle, files, count);
    free(files);
    return answer;
}

/* data NULL: *answer says why. */
static sim_bpu_bytes sim_bpu_whole(const sim_bpu_release *release, const char *path, int32_t *answer) {
    sim_bpu_bytes bytes = {NULL, 0};
    struct stat status;
    uint8_t *data = NULL;
    FILE *file = fopen(path, "rb");
    *answer = SIM_BPU_CANNOT_OPEN;
    if (file && fstat(fileno(file), &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            *answer = release->ucp ? SIM_BPU_ARGUMENT : SIM_BPU_CANNOT_OPEN;
        } else {
            data = (uint8_t *)malloc((size_t)status.st_size + 1);
            *answer = data ? SIM_BPU_OK : SIM_BPU_NO_MEMORY;
            bytes.size = (size_t)status.st_size;
        }
    }
    if (data && fread(data, 1, bytes.size, file) != bytes.size) {
        free(data);
        data = NULL;
        *answer = SIM_BPU_CANNOT_OPEN;
    }
    if (file) fclose(file);
    bytes.data = data;
    return bytes;
}

int32_t sim_bpu_load_files(const sim_bpu_release *release, vendor_handle *handle, const char *const *files,
                           int32_t count) {
    sim_bpu_bytes *bytes;
    int32_t answer = SIM_BPU_OK, i;
    if (!handle || !files || count <= 0) return SIM_BPU_ARGUMENT;
    for (i = 0; i < count; i++)
        if (!files[i]) return SIM_BPU_ARGUMENT;
    bytes = (sim_bpu_bytes *)calloc((size_t)count, sizeof(*bytes));
    if (!bytes) return SIM_BPU_NO_MEMORY;
    for (i = 0; i < count && answer == SIM_BPU_OK; i++) bytes[i] = sim_bpu_whole(release, files[i], &answer);
    if (answer == SIM_BPU_OK) answer = sim_bpu_load(release, handle, bytes, count);
    for (i = 0; i < count; i++) free((void *)(uintptr_t)bytes[i].data);
    free(bytes);
    return answer;
}

/* Locked. */
static sim_bpu_packed *sim_bpu_packed_of(vendor_handle handle) {
    sim_context *context = sim_context_find((sim_handle)(uintptr_t)handle);
    return context && context->kind == &sim_bpu_kind_packed ? (sim_bpu_packed *)context : NULL;
}

int32_t sim_bpu_release_packed(vendor_handle handle, bool fault) {
    sim_bpu_packed *packed;
    int32_t answer = SIM_BPU_OK;
    sim_lock();
    packed = sim_bpu_packed_of(handle);
    if (!packed) answer = SIM_BPU_PACKED_HANDLE;
    else if (fault) packed->context.given_up = true;
    else if (packed->tasks) answer = SIM_BPU_MODEL_RUNNING;
    else sim_context_unlink(&packed->context);
    sim_unlock();
    if (packed && answer == SIM_BPU_OK && !fault) sim_bpu_packed_free(packed);
    return answer;
}

int32_t sim_bpu_names(vendor_handle handle, const char ***names, int32_t *count) {
    sim_bpu_packed *packed;
    sim_lock();
    packed = sim_bpu_packed_of(handle);
    if (packed) {
        *names = packed->names;
        *count = (int32_t)packed->models;
    }
    sim_unlock();
    return packed ? SIM_BPU_OK : SIM_BPU_PACKED_HANDLE;
}

int32_t sim_bpu_files(vendor_handle handle, int32_t *count) {
    sim_bpu_packed *packed;
    sim_lock();
    packed = sim_bpu_packed_of(handle);
    if (packed) *count = (int32_t)packed->files;
    sim_unlock();
    return packed ? SIM_BPU_OK : SIM_BPU_PACKED_HANDLE;
}

int32_t sim_bpu_find(vendor_handle handle, const char *name, vendor_handle *model) {
    int32_t answer = SIM_BPU_ARGUMENT;
    sim_bpu_packed *packed;
    uint32_t i;
    sim_lock();
    packed = sim_bpu_packed_of(handle);
    if (!packed) answer = SIM_BPU_PACKED_HANDLE;
    for (i = 0; packed && i < packed->models && answer != SIM_BPU_OK; i++) {
        if (strcmp(packed->model[i]->name, name) != 0) continue;
        *model = (vendor_handle)(uintptr_t)packed->model[i]->handle;
        answer = SIM_BPU_OK;
    }
    sim_unlock();
    return answer;
}

sim_bpu_model *sim_bpu_model_locked(vendor_handle handle, sim_bpu_packed **packed) {
    sim_context *context;
    uint32_t i;
    for (context = sim_state.contexts; context; context = context->next) {
        sim_bpu_packed *all = (sim_bpu_packed *)context;
        if (context->kind != &sim_bpu_kind_packed) continue;
        for (i = 0; i < all->models; i++) {
            if (all->model[i]->handle != (sim_handle)(uintptr_t)handle) continue;
            *packed = all;
            return all->model[i];
        }
    }
    return NULL;
}

const sim_bpu_model *sim_bpu_model_of(vendor_handle handle) {
    const sim_bpu_model *model;
    sim_bpu_packed *packed;
    sim_lock();
    model = sim_bpu_model_locked(handle, &packed);
    sim_unlock();
    return model;
}

void sim_bpu_describe(const sim_bpu_port *port, sim_bpu_properties *properties) {
    memset(properties, 0, sizeof(*properties));
    properties->rank = port->rank;
    memcpy(properties->valid, port->valid, sizeof(port->valid));
    memcpy(properties->aligned, port->aligned, sizeof(port->aligned));
    memcpy(properties->stride, port->shown, sizeof(port->shown));
    properties->layout = (int32_t)port->layout;
    properties->type = (int32_t)port->type;
    properties->quant = (int32_t)port->quant;
    properties->axis = port->axis;
    properties->bytes = port->bytes;
    properties->port = port;
}
