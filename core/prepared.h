/* SPDX-License-Identifier: Apache-2.0 */
/* core/prepared.h - a compiled model, shared by its compilation and all executors.   >>prepared

   Reference-counted: the device's object lives until the last of them is gone, and so does everything that it may point
   into: the graph, unless the device is done with it, the mapped cache file, or a copy of the program's bytes, if
   neither the device copies them nor the program has promised to keep them. */
#ifndef NNRT_CORE_PREPARED_H
#define NNRT_CORE_PREPARED_H

#include "cache.h"
#include "graph.h"
#include "registry.h"

typedef struct nnrt__prepared {
    int32_t references;
    int32_t dead; /* the device died: compile again */
    const nnrt__device *device;
    OH_NN_Priority priority;
    void *object;             /* the device's */
    nnrt__graph_store *store; /* NULL: not from a graph, or not needed any more */
    nnrt__mapping mapping;    /* of the cache file, or a copy of the program's bytes; else empty */
    nnrt_io_desc *io;         /* inputs, then outputs; NULL: the device is asked each time (NNRT__FOR_RAM) */
    size_t input_count;
    size_t output_count;
    size_t build_peak_bytes;   /* nnrt_memory */
    size_t compilation_bytes;  /* of NNRT_MALLOC in the OH_NNCompilation, which is final now */
    int32_t compilation_lives; /* any thread may ask */
} nnrt__prepared;

NNRT__FN nnrt__prepared *nnrt__prepared_retain(nnrt__prepared *prepared) {
    (void)nnrt__atomic_add(&prepared->references, 1);
    return prepared;
}

NNRT__FN void nnrt__prepared_release(nnrt__prepared *prepared) {
    if (prepared == NULL || nnrt__atomic_add(&prepared->references, -1) != 0) return;
    if (prepared->object != NULL) nnrt__backend_of(prepared->device)->release(prepared->object);
    nnrt__graph_store_release(prepared->store);
    nnrt__unmap_file(&prepared->mapping);
    nnrt__free(prepared->io);
    nnrt__free(prepared);
}

/* Bytes of NNRT_MALLOC that the core holds for prepared, its compilation included. */
NNRT__FN size_t nnrt__prepared_bytes(nnrt__prepared *prepared) {
    return nnrt__block_bytes(prepared) + nnrt__block_bytes(prepared->io) + nnrt__graph_store_bytes(prepared->store) +
           nnrt__block_bytes(prepared->mapping.memory) +
           (nnrt__atomic_load(&prepared->compilation_lives) != 0 ? prepared->compilation_bytes : 0);
}

/* After Build: releases the graph if the device does not need it any more. */
NNRT__FN void nnrt__prepared_settle(nnrt__prepared *prepared) {
    const nnrt_backend *backend = nnrt__backend_of(prepared->device);
    if (backend->needs_graph == NULL || backend->needs_graph(prepared->object)) return;
    nnrt__graph_store_release(prepared->store);
    prepared->store = NULL;
}

/* What the model declares for a port; inputs come first, then outputs. room: used if that is not kept. */
NNRT__APART_FOR_SIZE const nnrt_io_desc *nnrt__prepared_port(const nnrt__prepared *prepared, size_t port,
                                                             nnrt_io_desc *room) {
    const bool output = port >= prepared->input_count;
    NNRT_ASSERT(port < prepared->input_count + prepared->output_count);
    if (!NNRT__FOR_RAM) return &prepared->io[port];
    (void)nnrt__backend_of(prepared->device) /* of a plan it does not fail */
        ->io_desc(prepared->object, output, output ? port - prepared->input_count : port, room);
    return room;
}

/* Reads and checks the descriptions of the inputs and outputs, which are not trusted. */
NNRT__FN OH_NN_ReturnCode nnrt__prepared_describe(nnrt__prepared *prepared) {
    const nnrt_backend *backend = nnrt__backend_of(prepared->device);
    size_t i;
    backend->io_count(prepared->object, &prepared->input_count, &prepared->output_count);
    if (prepared->input_count == 0 && prepared->output_count == 0) return OH_NN_SUCCESS; /* for its facts only */
    if (prepared->input_count == 0 || prepared->output_count == 0 || prepared->input_count > NNRT__MAX_IO ||
        prepared->output_count > NNRT__MAX_IO)
        return nnrt__fail(OH_NN_FAILED, "the compiled model has %zu inputs and %zu outputs; 1 to %u are possible",
                          prepared->input_count, prepared->output_count, NNRT__MAX_IO);
    if (NNRT__FOR_RAM) return OH_NN_SUCCESS; /* nnrt's own device is believed */
    prepared->io =
        (nnrt_io_desc *)nnrt__alloc_zero(prepared->input_count + prepared->output_count, sizeof(prepared->io[0]));
    if (prepared->io == NULL) return nnrt__fail_memory();
    for (i = 0; i < prepared->input_count + prepared->output_count; i++) {
        nnrt_io_desc *desc = &prepared->io[i];
        bool output = i >= prepared->input_count;
        OH_NN_ReturnCode code =
            backend->io_desc(prepared->object, output, output ? i - prepared->input_count : i, desc);
        if (code != OH_NN_SUCCESS) return code;
        if (NNRT__MAX_DEVICES == 1) continue; /* nnrt's own device is believed */
        if (desc->rank == 0 || desc->rank > NNRT_MAX_RANK || (unsigned)desc->dtype > (unsigned)OH_NN_FLOAT64)
            return nnrt__fail(OH_NN_FAILED, "%s %zu of the compiled model has %u dimensions and type %s",
                              output ? "output" : "input", output ? i - prepared->input_count : i, (unsigned)desc->rank,
                              nnrt__dtype_name(desc->dtype));
    }
    return OH_NN_SUCCESS;
}

/* Compiles request, or restores blob unless NULL. store (retained) and mapping (taken on success) may be NULL. */
NNRT__FN OH_NN_ReturnCode nnrt__prepared_make(const nnrt__device *device, const nnrt_request *request, const void *blob,
                                              size_t size, nnrt__graph_store *store, nnrt__mapping *mapping,
                                              nnrt__prepared **made) {
    const nnrt_backend *backend = nnrt__backend_of(device);
    nnrt__prepared *prepared = (nnrt__prepared *)nnrt__alloc_zero(1, sizeof(*prepared));
    OH_NN_ReturnCode code;
    if (prepared == NULL) return nnrt__fail_memory();
    prepared->references = 1;
    prepared->device = device;
    prepared->priority = request->priority;
    if (nnrt__graph_store_here(store)) {
        nnrt__graph_store_retain(store);
        prepared->store = store;
    }
    code = blob != NULL || NNRT__MAX_DEVICES == 1 /* the CPU device does for NULL what prepare does */
               ? backend->restore(device->state, request, blob, size, &prepared->object)
               : backend->prepare(device->state, request, &prepared->object);
    if (code != OH_NN_SUCCESS) {
        prepared->object = NULL;
    } else if (prepared->object == NULL) {
        code = nnrt__fail(OH_NN_FAILED, "device %s made no model", device->name);
    } else {
        code = nnrt__prepared_describe(prepared);
    }
    if (code != OH_NN_SUCCESS) {
        nnrt__prepared_release(prepared);
        return code;
    }
    if (mapping != NULL) {
        prepared->mapping = *mapping;
        nnrt__clear(mapping, sizeof(*mapping));
    }
    *made = prepared;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CORE_PREPARED_H */
