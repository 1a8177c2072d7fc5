/* SPDX-License-Identifier: Apache-2.0 */
/* core/choice.h - the device of a compilation that names none.   >>choice

   Device 0 means "choose": for a graph the first of the list (compilation.h may then pass it on); for bytes (an offline
   model, a cache) the first whose slot inspect recognises the format.

     the first device has no inspect    it may take anything, so it gets them
     a later one has no inspect         it is skipped: a program that wants it must name it
     a device says "mine, but damaged"  it gets them, and its refusal says what is wrong
     several say so                     the first of them gets them; if it refuses the settings, the next that takes
                                        them (of those built in)
     nobody says anything               the first device gets them: a config may tell it the format, else it refuses
     a device that is not listed does   the NPU or its library is missing: refused, and the sentence says why */
#ifndef NNRT_CORE_CHOICE_H
#define NNRT_CORE_CHOICE_H

#include "cache.h"
#include "registry.h"

/* Whether the bytes are in a format of the backend. */
NNRT__FN bool nnrt__backend_knows(const nnrt_backend *backend, const void *bytes, size_t size) {
    return backend->inspect != NULL && backend->inspect(bytes, size, NULL, NULL) != OH_NN_UNSUPPORTED;
}

/* Does the device take the settings of a compilation? */
typedef struct nnrt__choice_settings {
    OH_NN_ReturnCode (*check)(const void *compilation, const nnrt__device *device);
    const void *compilation; /* NULL: no device is passed over */
} nnrt__choice_settings;

/* *device, of a built-in backend, knows the bytes: if it refuses the settings, the next built-in one that knows them
   and takes the settings, and the log says so. */
NNRT__FN void nnrt__choose_next(const nnrt__device_table *table, const void *bytes, size_t size,
                                const nnrt__choice_settings *settings, const nnrt__device **device) {
    const uint32_t built_in = table->compiled_in;
    char reason[NNRT__SENTENCE_SIZE];
    uint32_t i = (uint32_t)(*device - table->devices);
    if (settings->compilation == NULL || i >= built_in ||
        settings->check(settings->compilation, *device) == OH_NN_SUCCESS)
        return;
    memcpy(reason, nnrt__sentence(), sizeof(reason));
    for (i++; i < built_in; i++) {
        const nnrt__device *next = &table->devices[i];
        if (!nnrt__backend_knows(nnrt__backend_of(next), bytes, size) ||
            settings->check(settings->compilation, next) != OH_NN_SUCCESS)
            continue;
        nnrt__log(NNRT_LOG_INFO, "device %.60s runs the model instead of %.60s: %s", next->name, (*device)->name,
                  reason);
        *device = next;
        return;
    }
}

/* The device for size bytes of what ("the model", for the sentence). OH_NN_UNAVAILABLE_DEVICE: it is compiled in but
   not listed. OH_NN_FAILED: there is no device. */
NNRT__FN OH_NN_ReturnCode nnrt__choose_by_bytes(const char *what, const void *bytes, size_t size,
                                                const nnrt__choice_settings *settings, const nnrt__device **device) {
    nnrt__device_table *table;
    uint32_t count, i;
    *device = nnrt__device_find(0);
    if (*device == NULL) return OH_NN_FAILED;
    if (NNRT__MAX_DEVICES == 1 || nnrt__backend_of(*device)->inspect == NULL) return OH_NN_SUCCESS;
    table = nnrt__devices_lock(); /* let go before backends are called */
    count = table->count;
    nnrt__devices_unlock();
    for (i = 0; i < count; i++) {
        if (!nnrt__backend_knows(nnrt__backend_of(&table->devices[i]), bytes, size)) continue;
        *device = &table->devices[i];
        if (NNRT__HAS_ALTERNATIVES) nnrt__choose_next(table, bytes, size, settings, device);
        return OH_NN_SUCCESS;
    }
    for (i = 0; nnrt__backend_at(i) != NULL; i++) {
        if (table->missing[i][0] == '\0' || !nnrt__backend_knows(nnrt__backend_at(i), bytes, size)) continue;
        *device = NULL;
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s is for device %.60s, which is not here: %s", what,
                          table->names[i], table->missing[i]);
    }
    return OH_NN_SUCCESS;
}

/* The device for the file at path; an unreadable file goes to the first device, which reports it. */
NNRT__FN OH_NN_ReturnCode nnrt__choose_by_file(const char *path, bool read_it, const nnrt__choice_settings *settings,
                                               const nnrt__device **device) {
    nnrt__mapping file;
    OH_NN_ReturnCode code;
    if (nnrt__take_file(path, read_it, &file) != NULL) {
        *device = nnrt__device_find(0);
        return *device != NULL ? OH_NN_SUCCESS : OH_NN_FAILED;
    }
    code = nnrt__choose_by_bytes("the model", file.data, file.size, settings, device);
    nnrt__unmap_file(&file);
    return code;
}

/* The device for a cache on disk without a model: the one that wrote it, if it is listed, else the first. */
NNRT__FN OH_NN_ReturnCode nnrt__choose_by_cache(const nnrt__cache_key *key, const nnrt__device **device) {
    *device = nnrt__device_find(nnrt__cache_device_id(key));
    if (*device == NULL) *device = nnrt__device_find(0);
    return *device != NULL ? OH_NN_SUCCESS : OH_NN_FAILED;
}

#endif /* NNRT_CORE_CHOICE_H */
