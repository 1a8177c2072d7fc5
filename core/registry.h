/* SPDX-License-Identifier: Apache-2.0 */
/* core/registry.h - the devices: which are compiled in, how others are added, and how they are found by
   id.   >>registry

   The only place where the core names backends: the includes and two lists. The table is filled by the first call that
   needs it, under its mutex, without static constructors. Devices are never removed: a pointer to one stays valid until
   the program ends, and is read without the mutex. */
#ifndef NNRT_CORE_REGISTRY_H
#define NNRT_CORE_REGISTRY_H

#include "api.h"
#include "error.h"
#include "../rknpu/relatives.h"
#include "../nnie/relatives.h"
#include "../bpu/relatives.h"
#include "foreign.h"
#include "log.h"

#ifdef NNRT__HAS_CPU
#include "../nnrt_backend_cpu.h"
#endif
#ifdef NNRT__HAS_BOARD
#ifdef NNRT__HAS_NPU
#ifdef NNRT__HAS_RKNPU
#include "../nnrt_backend_rknpu.h"
#endif
#ifdef NNRT__HAS_NNIE
#include "../nnrt_backend_nnie.h"
#ifdef NNRT__HAS_DSP
#include "../nnrt_dsp.h"
#endif
#endif
#ifdef NNRT__HAS_BPU
#include "../nnrt_backend_bpu.h"
#endif
#endif
#ifdef NNRT__HAS_CPU
#ifdef NNRT__HAS_RKNPU_OPEN
#include "../nnrt_backend_rknpu_open.h"
#endif
#endif
#endif

#ifndef NNRT_ONE_DEVICE
#define NNRT__MAX_DEVICES 16
#else
#define NNRT__MAX_DEVICES 1
#endif
#define NNRT__DEVICE_NAME_SIZE 128

/* NAME_VENDOR_VERSION of a device. */
#ifndef NNRT_ONE_DEVICE
typedef char nnrt__device_label[NNRT__DEVICE_NAME_SIZE];
#else
typedef const char *nnrt__device_label; /* a constant */
#endif

struct nnrt__memory_block;

typedef struct nnrt__device {
    size_t id;
#ifndef NNRT_ONE_DEVICE
    const nnrt_backend *backend; /* read it with nnrt__backend_of */
#endif
    void *state;                       /* what the backend's open gave */
    nnrt__mutex cache_mutex;           /* held while cache files of this device are written */
    struct nnrt__memory_block *blocks; /* memory of the deprecated calls, deprecated.h; under nnrt__device_mutex */
    nnrt__device_label name;
} nnrt__device;

/* The backends compiled in, in order of priority, ended by NULL: the first that opens is device 0. */
static const nnrt_backend *const nnrt__compiled_in[] = {
#ifdef NNRT__HAS_RKNPU
    &nnrt__rknpu_backend,
#endif
#ifdef NNRT__HAS_NNIE
    &nnrt__nnie_backend,
    &nnrt__nnie_second_backend,
#endif
#ifdef NNRT__HAS_BPU
    &nnrt__bpu_backend,
#endif
#ifdef NNRT__HAS_CPU
    &nnrt__cpu_backend,
#endif
#ifdef NNRT__HAS_RKNPU_OPEN
    &nnrt__open_npu_rv1106_backend, /* after the CPU, which takes the same models: chosen by name only */
    &nnrt__open_npu_rk3588_backend,
#ifndef NNRT_PLANS_ONLY
    &nnrt__open_rknn_backend, /* behind the vendor's, which a .rknn is for where both are here */
#endif
#endif
#ifdef NNRT__HAS_DSP
    &nnrt__dsp_backend, /* last: it runs no models */
#endif
    NULL};

/* Whether there may be a second built-in device, which takes what the first one does not. */
#ifndef NNRT__HAS_ALTERNATIVES /* tests/core/test_choice.c builds in devices of its own */
#define NNRT__HAS_ALTERNATIVES (NNRT__MAX_DEVICES != 1 && NNRT__COUNT_OF(nnrt__compiled_in) > 2)
#endif

#ifdef NNRT__HAS_ACCELERATOR
/* What nnrt.target of the CPU device may name besides instruction sets. */
static const nnrt__accelerator *const nnrt__accelerators[] = {
#ifdef NNRT__HAS_RKNPU_OPEN
    &nnrt__open_npu_rv1106.base, &nnrt__open_npu_rk3588.base, &nnrt__open_npu_rk3588_rocket.base,
#endif
    NULL};

NNRT__FN const nnrt__accelerator *nnrt__accelerator_at(size_t i) { return nnrt__accelerators[i]; }
#endif

/* The vendors with a VENDOR/relatives.h, which describes their other files, whether or not the backend is compiled
   in. */
#define NNRT__VENDORS(X) X(rknpu) X(nnie) X(bpu)

#ifndef NNRT_NO_STDIO
NNRT__FN const nnrt__foreign *nnrt__relative_find(const uint8_t *bytes, size_t size) {
    const nnrt__foreign *row = NULL;
#define NNRT__RELATIVE_OF(vendor) \
    if (row == NULL) row = nnrt__##vendor##_relative(bytes, size);
    NNRT__VENDORS(NNRT__RELATIVE_OF)
#undef NNRT__RELATIVE_OF
    return row;
}
#endif

#ifndef NNRT_ONE_DEVICE
/* The backend of a device. */
NNRT__INLINE const nnrt_backend *nnrt__backend_of(const nnrt__device *device) { return device->backend; }

NNRT__INLINE void nnrt__device_take_backend(nnrt__device *device, const nnrt_backend *backend) {
    device->backend = backend;
}

/* Place i of nnrt__compiled_in. */
NNRT__INLINE const nnrt_backend *nnrt__backend_at(size_t i) { return nnrt__compiled_in[i]; }
#else
/* A constant whose address is not taken, so that the linker keeps only the functions that are called through it. */
NNRT__INLINE const nnrt_backend *nnrt__backend_of(const nnrt__device *device) {
    (void)device;
    return &nnrt__cpu_backend;
}

NNRT__INLINE void nnrt__device_take_backend(nnrt__device *device, const nnrt_backend *backend) {
    (void)device;
    (void)backend;
}

NNRT__INLINE const nnrt_backend *nnrt__backend_at(size_t i) { return i == 0 ? &nnrt__cpu_backend : NULL; }
#endif

typedef struct nnrt__device_table {
    bool filled; /* the compiled-in backends were registered */
    uint32_t count;
    uint32_t compiled_in;       /* this many devices, the first ones, are of compiled-in backends */
    struct nnrt__lease *leases; /* arenas of the program's, arena.h */
    nnrt__device devices[NNRT__MAX_DEVICES];
    size_t ids[NNRT__MAX_DEVICES];
    nnrt__device_label names[NNRT__COUNT_OF(nnrt__compiled_in)];          /* of their devices, listed or not */
    char missing[NNRT__COUNT_OF(nnrt__compiled_in)][NNRT__SENTENCE_SIZE]; /* why one is not listed; "": it is */
} nnrt__device_table;

NNRT__FN nnrt__mutex *nnrt__device_mutex(void) {
    static nnrt__mutex mutex = NNRT__MUTEX_INIT;
    return &mutex;
}

/* FNV-1a of the name, in as many bits as size_t has; never 0, which means "the first device". */
NNRT__FN size_t nnrt__device_id(const char *name) {
    const bool wide = sizeof(size_t) > 4;
    const size_t prime = wide ? (size_t)0x100000001b3u : 0x1000193u;
    size_t id = wide ? (size_t)0xcbf29ce484222325u : 0x811c9dc5u;
    for (; *name != '\0'; name++) id = (id ^ (uint8_t)*name) * prime;
    return id != 0 ? id : 1;
}

#ifndef NNRT_ONE_DEVICE
/* Appends text to name; false when it does not fit. */
NNRT__FN bool nnrt__device_name_append(char *name, const char *text) {
    size_t used = strlen(name), length = strlen(text);
    if (length >= NNRT__DEVICE_NAME_SIZE - used) return false;
    memcpy(name + used, text, length + 1);
    return true;
}

/* NAME_VENDOR_VERSION to *name, which is empty; false when it does not fit. */
NNRT__FN bool nnrt__device_name(const nnrt_backend *backend, nnrt__device_label *name) {
    return nnrt__device_name_append(*name, backend->name) && nnrt__device_name_append(*name, "_") &&
           nnrt__device_name_append(*name, backend->vendor) && nnrt__device_name_append(*name, "_") &&
           nnrt__device_name_append(*name, backend->device_version);
}
#else
NNRT__FN bool nnrt__device_name(const nnrt_backend *backend, nnrt__device_label *name) {
    (void)backend;
    *name = "cpu_nnrt_" NNRT_VERSION;
    return true;
}
#endif

/* Refuses a table without everything that nnrt_backend requires. */
NNRT__FN OH_NN_ReturnCode nnrt__backend_check(const nnrt_backend *backend) {
    const char *missing = NULL;
    if (backend == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_register_backend: backend is NULL");
    if (backend->version != NNRT_BACKEND_VERSION)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_register_backend: version is %u, this nnrt takes %u",
                          (unsigned)backend->version, NNRT_BACKEND_VERSION);
    if (backend->name == NULL || backend->name[0] == '\0') missing = "name";
    else if (backend->vendor == NULL || backend->vendor[0] == '\0') missing = "vendor";
    else if (backend->device_version == NULL || backend->device_version[0] == '\0') missing = "device_version";
    else if (backend->prepare == NULL) missing = "prepare";
    else if (backend->release == NULL) missing = "release";
    else if (backend->io_count == NULL) missing = "io_count";
    else if (backend->io_desc == NULL) missing = "io_desc";
    else if (backend->open_executor == NULL) missing = "open_executor";
    else if (backend->close_executor == NULL) missing = "close_executor";
    else if (backend->run == NULL) missing = "run";
    else if ((backend->capabilities & NNRT_CAN_CACHE) != 0 && backend->restore == NULL) missing = "restore";
    else if ((backend->capabilities & NNRT_CAN_CACHE) != 0 && backend->save == NULL) missing = "save";
    else if ((backend->allocate != NULL || backend->import != NULL || backend->import_physical != NULL) &&
             backend->free_memory == NULL)
        missing = "free_memory";
    else if (backend->facts != NULL && backend->info == NULL) missing = "info";
    else if (backend->arena_size != NULL && backend->open_executor_in == NULL) missing = "open_executor_in";
    else if (backend->open_executor_in != NULL && backend->arena_size == NULL) missing = "arena_size";
    if (missing != NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_register_backend: %s is required and missing", missing);
    if ((unsigned)backend->type > (unsigned)OH_NN_ACCELERATOR)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_register_backend: type %u is no OH_NN_DeviceType",
                          (unsigned)backend->type);
    return OH_NN_SUCCESS;
}

/* Adds one device, whose backend is complete. The table is locked. */
NNRT__FN OH_NN_ReturnCode nnrt__device_add(nnrt__device_table *table, const nnrt_backend *backend, size_t *device_id) {
    nnrt__device *device;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    NNRT__ASSERT_HELD(nnrt__device_mutex());
    NNRT_ASSERT(table->count <= NNRT__MAX_DEVICES);
    if (table->count == NNRT__MAX_DEVICES)
        return nnrt__fail(OH_NN_MEMORY_ERROR, "nnrt_register_backend: the list is full, it takes %d devices",
                          NNRT__MAX_DEVICES);
    device = &table->devices[table->count];
    memset(device, 0, sizeof(*device));
    if (!nnrt__device_name(backend, &device->name))
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "nnrt_register_backend: name, vendor and version are longer than %d bytes together",
                          NNRT__DEVICE_NAME_SIZE - 1);
    device->id = nnrt__device_id(device->name);
    nnrt__device_take_backend(device, backend);
    for (i = 0; i < table->count; i++)
        if (table->ids[i] == device->id)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_register_backend: the name %s is taken", device->name);
    if (!nnrt__mutex_init(&device->cache_mutex)) return nnrt__fail_memory();
    if (backend->open != NULL) {
        code = backend->open(backend->user, &device->state);
        if (code != OH_NN_SUCCESS) {
            nnrt__mutex_destroy(&device->cache_mutex);
            nnrt__log(code == OH_NN_UNSUPPORTED ? NNRT_LOG_INFO : NNRT_LOG_WARNING, "device %s is not listed: %s",
                      device->name, nnrt__sentence());
            return code;
        }
    }
    table->ids[table->count++] = device->id;
    if (device_id != NULL) *device_id = device->id;
    return OH_NN_SUCCESS;
}

/* The table, locked and with the compiled-in devices in it. Why one did not open is logged. */
NNRT__FN nnrt__device_table *nnrt__devices_lock(void) {
    static nnrt__device_table table;
    nnrt__log_hold();
    nnrt__mutex_lock(nnrt__device_mutex());
    if (!table.filled) {
        char sentence[NNRT__SENTENCE_SIZE];
        size_t i;
        table.filled = true;
        table.count = 0; /* as it is, and the compiler knows it */
        nnrt__sentence_copy(sentence, nnrt__sentence());
        for (i = 0; nnrt__backend_at(i) != NULL; i++) {
            (void)nnrt__device_name(nnrt__backend_at(i), &table.names[i]);
            if (nnrt__device_add(&table, nnrt__backend_at(i), NULL) != OH_NN_SUCCESS)
                nnrt__sentence_copy(table.missing[i], nnrt__sentence());
        }
        table.compiled_in = table.count;
        nnrt__sentence_copy(nnrt__sentence(), sentence); /* the caller itself has not failed */
    }
    return &table;
}

/* Unlocks the table and sends what opening devices has logged. */
NNRT__FN void nnrt__devices_unlock(void) {
    nnrt__mutex_unlock(nnrt__device_mutex());
    nnrt__log_let_go();
}

#ifndef NNRT_NO_SENTENCES
/* Sets the sentence for an unknown id, which lists the known ones. The table is locked. */
NNRT__FN void nnrt__device_unknown(const nnrt__device_table *table, size_t id) {
    char list[NNRT__SENTENCE_SIZE];
    uint32_t i;
    list[0] = '\0';
    for (i = 0; i < table->count; i++) {
        const size_t used = strlen(list);
        nnrt__format(list + used, sizeof(list) - used, "%s%.60s (%zu)", i != 0 ? ", " : "", table->devices[i].name,
                     table->ids[i]);
    }
    if (table->count == 0) (void)nnrt__fail(OH_NN_FAILED, "no device is registered");
    else (void)nnrt__fail(OH_NN_FAILED, "no device has the id %zu; there are %s", id, list);
}
#else
NNRT__FN void nnrt__device_unknown(const nnrt__device_table *table, size_t id) {
    (void)table;
    (void)id;
}
#endif

/* The device with this id, the first one for 0; NULL when there is none, with a sentence. */
NNRT__FN nnrt__device *nnrt__device_find(size_t id) {
    nnrt__device_table *table = nnrt__devices_lock();
    nnrt__device *found = NULL;
    uint32_t count = table->count, i;
    for (i = 0; i < count && found == NULL; i++)
        if (id == 0 || table->ids[i] == id) found = &table->devices[i];
    if (found == NULL) nnrt__device_unknown(table, id);
    nnrt__devices_unlock();
    return found;
}

/* Whether the device takes every operator of graph, as far as it can say without compiling. */
NNRT__FN OH_NN_ReturnCode nnrt__device_takes_graph(const nnrt__device *device, const nnrt_graph *graph) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    if (graph->state_count != 0 && nnrt__backend_of(device)->reset == NULL)
        return nnrt__fail(OH_NN_FAILED, "device %s keeps no state from run to run", device->name);
    for (i = 0; i < graph->node_count && code == OH_NN_SUCCESS && nnrt__backend_of(device)->supports != NULL; i++)
        code = nnrt__backend_of(device)->supports(device->state, graph, i);
    return code;
}

/* The device for a question about graph: that of id; for 0 the first one, or, if that lacks an operator, the next
   built-in one that has all, as Build would pass the graph on. NULL: there is none, with a sentence. */
NNRT__FN const nnrt__device *nnrt__device_for(size_t id, const nnrt_graph *graph) {
    const nnrt__device *device = nnrt__device_find(id);
    nnrt__device_table *table;
    uint32_t built_in, i;
    if (!NNRT__HAS_ALTERNATIVES || id != 0 || device == NULL) return device;
    table = nnrt__devices_lock(); /* let go before backends are called */
    built_in = table->compiled_in;
    nnrt__devices_unlock();
    if (built_in < 2 || device != &table->devices[0] || nnrt__device_takes_graph(device, graph) == OH_NN_SUCCESS)
        return device;
    for (i = 1; i < built_in; i++)
        if (nnrt__device_takes_graph(&table->devices[i], graph) == OH_NN_SUCCESS) return &table->devices[i];
    return device;
}

/* Calls blame for each node of graph for which Build would refuse it. OH_NN_MEMORY_ERROR: there is no answer. */
NNRT__FN OH_NN_ReturnCode nnrt__device_check_graph(const nnrt__device *device, const nnrt_graph *graph,
                                                   nnrt_refuse_callback blame, void *user) {
    const nnrt_backend *backend = nnrt__backend_of(device);
    const bool stateless = graph->state_count != 0 && backend->reset == NULL;
    uint32_t i;
    if (!stateless && backend->check_graph != NULL) return backend->check_graph(device->state, graph, blame, user);
    if (stateless) (void)nnrt__fail(OH_NN_FAILED, "device %s keeps no state from run to run", device->name);
    for (i = 0; i < graph->node_count; i++) {
        if (!stateless) {
            (void)nnrt__fail(OH_NN_FAILED, "device %s gave no reason", device->name);
            if (backend->supports == NULL || backend->supports(device->state, graph, i) == OH_NN_SUCCESS) continue;
        }
        blame(user, i, nnrt__sentence());
    }
    return OH_NN_SUCCESS;
}

#ifdef NNRT__HAS_CPU
#define NNRT__NO_CPU_TEXT ""
NNRT__FN const char *nnrt__best_isa(void) { return nnrt__isa_name(nnrt__cpu_levels()); }
#else
#define NNRT__NO_CPU_TEXT " no-cpu"
NNRT__FN const char *nnrt__best_isa(void) { return "none"; }
#endif

NNRT_API const char *nnrt_version(void) {
    static NNRT__THREAD_LOCAL char text[128];
    size_t used, i;
    nnrt__format(text, sizeof(text), "%s", NNRT_VERSION);
    for (i = 0; nnrt__backend_at(i) != NULL; i++) {
        const char *name = nnrt__backend_at(i)->name;
        if (i != 0 && strcmp(name, nnrt__backend_at(i - 1)->name) == 0) continue; /* a device for each chip */
        used = strlen(text);
        nnrt__format(text + used, sizeof(text) - used, " %s", name);
    }
    used = strlen(text);
    nnrt__format(text + used, sizeof(text) - used, "%s%s%s isa=%s", NNRT__NO_CPU_TEXT,
                 NNRT__HAS_THREADS ? " threads" : " no-threads", NNRT__HAS_FILES ? " files" : " no-files",
                 nnrt__best_isa());
    return text;
}

#ifndef NNRT_ONE_DEVICE
NNRT_API OH_NN_ReturnCode nnrt_register_backend(const nnrt_backend *backend, size_t *device_id) {
    nnrt__device_table *table = nnrt__devices_lock();
    OH_NN_ReturnCode code = nnrt__backend_check(backend);
    if (code == OH_NN_SUCCESS) code = nnrt__device_add(table, backend, device_id);
    nnrt__devices_unlock();
    return code;
}
#else
NNRT_API OH_NN_ReturnCode nnrt_register_backend(const nnrt_backend *backend, size_t *device_id) {
    (void)backend;
    (void)device_id;
    return nnrt__fail(OH_NN_UNSUPPORTED, "nnrt_register_backend: this build has one device (NNRT_ONE_DEVICE)");
}
#endif

/* Whether the backend knows the file; if so, *device_name is set to its name. */
NNRT__FN bool nnrt__backend_claims(const nnrt_backend *backend, const char *name, const void *bytes, size_t size,
                                   nnrt_inspect_callback tell, void *user, const char **device_name,
                                   OH_NN_ReturnCode *code) {
    if (backend->inspect == NULL) return false;
    *code = backend->inspect(bytes, size, tell, user);
    if (*code == OH_NN_UNSUPPORTED) return false;
    *device_name = name;
    return true;
}

NNRT_API OH_NN_ReturnCode nnrt_inspect_model(const void *bytes, size_t size, const char **device_name,
                                             nnrt_inspect_callback tell, void *user) {
    const nnrt__device_table *table;
    const char *name = NULL;
    char text[NNRT__FOREIGN_SIZE];
    OH_NN_ReturnCode code = OH_NN_UNSUPPORTED;
    uint32_t registered, count, i;
    bool claimed = false;
    if (device_name != NULL) *device_name = NULL;
    if (bytes == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_inspect_model: bytes is NULL");
    table = nnrt__devices_lock(); /* released before backends and tell are called, as they may ask about devices */
    registered = table->compiled_in;
    count = table->count;
    nnrt__devices_unlock();
    for (i = 0; nnrt__backend_at(i) != NULL && !claimed; i++)
        claimed = nnrt__backend_claims(nnrt__backend_at(i), table->names[i], bytes, size, tell, user, &name, &code);
    for (i = registered; i < count && !claimed; i++)
        claimed = nnrt__backend_claims(nnrt__backend_of(&table->devices[i]), table->devices[i].name, bytes, size, tell,
                                       user, &name, &code);
    if (!claimed)
        return nnrt__fail(OH_NN_UNSUPPORTED, "no device of this build knows the format: %s",
                          nnrt__foreign_say(bytes, size, text));
    if (device_name != NULL) *device_name = name;
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_device_get_facts(size_t device_id, const nnrt_fact **facts) {
    const nnrt__device *device;
    if (facts == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_device_get_facts: facts is NULL");
    device = nnrt__device_find(device_id);
    if (device == NULL) return OH_NN_FAILED;
    if (nnrt__backend_of(device)->facts == NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED, "nnrt_device_get_facts: device %s lists no facts", device->name);
    *facts = nnrt__backend_of(device)->facts;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNDevice_GetAllDevicesID(const size_t **allDevicesID, uint32_t *deviceCount) {
    nnrt__device_table *table;
    if (allDevicesID == NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNDevice_GetAllDevicesID: allDevicesID is NULL");
    if (*allDevicesID != NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNDevice_GetAllDevicesID: *allDevicesID is not NULL");
    if (deviceCount == NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNDevice_GetAllDevicesID: deviceCount is NULL");
    table = nnrt__devices_lock();
    *allDevicesID = table->count != 0 ? table->ids : NULL;
    *deviceCount = table->count;
    nnrt__devices_unlock();
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNDevice_GetName(size_t deviceID, const char **name) {
    const nnrt__device *device;
    if (name == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNDevice_GetName: name is NULL");
    if (*name != NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNDevice_GetName: *name is not NULL");
    device = nnrt__device_find(deviceID);
    if (device == NULL) return OH_NN_FAILED;
    *name = device->name;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNDevice_GetType(size_t deviceID, OH_NN_DeviceType *deviceType) {
    const nnrt__device *device = nnrt__device_find(deviceID);
    if (device == NULL) return OH_NN_INVALID_PARAMETER;
    if (deviceType == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNDevice_GetType: deviceType is NULL");
    *deviceType = nnrt__backend_of(device)->type;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CORE_REGISTRY_H */
