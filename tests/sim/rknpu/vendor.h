/* SPDX-License-Identifier: Apache-2.0 */
/* vendor.h - the simulated board as a program of the vendor's meets it: functions by dlsym, nothing of
   nnrt. For tests. */
#ifndef NNRT_TESTS_SIM_VENDOR_H
#define NNRT_TESTS_SIM_VENDOR_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../rknpu/abi.h"
#include "../common/sim_control.h"

typedef nnrt_rknn_context vendor_context;
typedef nnrt_rknn_tensor_mem vendor_mem;
typedef nnrt_rknn_tensor_attr vendor_attr;

/* NULL: this library does not have the function. */
typedef struct vendor_api {
    int (*init)(vendor_context *context, void *model, uint32_t size, uint32_t flag, nnrt_rknn_init_extend *extend);
    int (*dup_context)(vendor_context *in, vendor_context *out);
    int (*destroy)(vendor_context context);
    int (*query)(vendor_context context, nnrt_rknn_query_cmd cmd, void *info, uint32_t size);
    int (*inputs_set)(vendor_context context, uint32_t count, nnrt_rknn_input inputs[]);
    int (*set_batch_core_num)(vendor_context context, int count);
    int (*set_core_mask)(vendor_context context, nnrt_rknn_core_mask mask);
    int (*run)(vendor_context context, nnrt_rknn_run_extend *extend);
    int (*wait)(vendor_context context, nnrt_rknn_run_extend *extend);
    int (*outputs_get)(vendor_context context, uint32_t count, nnrt_rknn_output outputs[],
                       nnrt_rknn_output_extend *extend);
    int (*outputs_release)(vendor_context context, uint32_t count, nnrt_rknn_output outputs[]);
    vendor_mem *(*create_mem_from_phys)(vendor_context context, uint64_t phys, void *virt, uint32_t size);
    vendor_mem *(*create_mem_from_fd)(vendor_context context, int32_t fd, void *virt, uint32_t size, int32_t offset);
    vendor_mem *(*create_mem)(vendor_context context, uint32_t size);
    vendor_mem *(*create_mem2)(vendor_context context, uint64_t size, uint64_t flags);
    int (*destroy_mem)(vendor_context context, vendor_mem *mem);
    int (*set_weight_mem)(vendor_context context, vendor_mem *mem);
    int (*set_internal_mem)(vendor_context context, vendor_mem *mem);
    int (*set_io_mem)(vendor_context context, vendor_mem *mem, vendor_attr *attr);
    int (*set_input_shape)(vendor_context context, vendor_attr *attr);
    int (*set_input_shapes)(vendor_context context, uint32_t count, vendor_attr attrs[]);
    int (*mem_sync)(vendor_context context, vendor_mem *mem, nnrt_rknn_mem_sync_mode mode);
    int (*register_custom_ops)(vendor_context context, nnrt_rknn_custom_op *ops, uint32_t count);
    void (*custom_op_get_op_attr)(nnrt_rknn_custom_op_context *op, const char *name, nnrt_rknn_custom_op_attr *attr);

    void (*fault)(const char *specification);
    unsigned (*calls)(const char *function);
    void (*release_hang)(void);
    unsigned (*mistakes)(void);
    const char *(*mistake)(unsigned index);
    void (*get_live)(nnrt_sim_live *live);
    void (*get_syncs)(unsigned *to_device, unsigned *from_device);
    void (*get_run_syncs)(unsigned *to_device, unsigned *from_device);
    void (*strict)(int strict);
    int (*dma_alloc)(size_t size);
    int (*dma_write)(int fd, size_t offset, const void *data, size_t size);
    int (*dma_read)(int fd, size_t offset, void *data, size_t size);
    const char *(*node)(void);
    void *library;
} vendor_api;

static void vendor_find(void *library, const char *name, void *slot) {
    void *symbol = dlsym(library, name);
    memcpy(slot, &symbol, sizeof(symbol)); /* ISO C has no cast from void * to a function */
}

static const char *vendor_folder(void) {
    const char *folder = getenv("NNRT_SIM_DIR");
    return folder && *folder ? folder : "build/sim";
}

/* The library of the chip, or of an older version ("1.6.0"; "": the newest). false: it is not built. */
static bool vendor_open(vendor_api *v, const char *chip, const char *version) {
    static const char *const names[] = {"rknn_init",
                                        "rknn_dup_context",
                                        "rknn_destroy",
                                        "rknn_query",
                                        "rknn_inputs_set",
                                        "rknn_set_batch_core_num",
                                        "rknn_set_core_mask",
                                        "rknn_run",
                                        "rknn_wait",
                                        "rknn_outputs_get",
                                        "rknn_outputs_release",
                                        "rknn_create_mem_from_phys",
                                        "rknn_create_mem_from_fd",
                                        "rknn_create_mem",
                                        "rknn_create_mem2",
                                        "rknn_destroy_mem",
                                        "rknn_set_weight_mem",
                                        "rknn_set_internal_mem",
                                        "rknn_set_io_mem",
                                        "rknn_set_input_shape",
                                        "rknn_set_input_shapes",
                                        "rknn_mem_sync",
                                        "rknn_register_custom_ops",
                                        "rknn_custom_op_get_op_attr",
                                        "nnrt_sim_fault",
                                        "nnrt_sim_calls",
                                        "nnrt_sim_release_hang",
                                        "nnrt_sim_mistakes",
                                        "nnrt_sim_mistake",
                                        "nnrt_sim_get_live",
                                        "nnrt_sim_get_syncs",
                                        "nnrt_sim_get_run_syncs",
                                        "nnrt_sim_strict",
                                        "nnrt_sim_dma_alloc",
                                        "nnrt_sim_dma_write",
                                        "nnrt_sim_dma_read",
                                        "nnrt_rknpu_node"};
    char path[512];
    size_t i;
    snprintf(path, sizeof(path), "%s/%s%s%s", vendor_folder(), version, *version ? "/" : "",
             strncmp(chip, "rv", 2) == 0 ? "librknnmrt.so" : "librknnrt.so");
    setenv("NNRT_SIM_CHIP", chip, 1);
    memset(v, 0, sizeof(*v));
    v->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!v->library) return false;
    for (i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
        vendor_find(v->library, names[i], (char *)v + i * sizeof(void *));
    return true;
}

static const char *vendor_model(char *path, size_t room, const char *name, const char *chip) {
    snprintf(path, room, "%s/models/%s.%s.rknn", vendor_folder(), name, chip);
    return path;
}

static int vendor_query(const vendor_api *v, vendor_context context, int cmd, uint32_t index, vendor_attr *attr) {
    memset(attr, 0, sizeof(*attr));
    attr->index = index;
    return v->query(context, (nnrt_rknn_query_cmd)cmd, attr, sizeof(*attr));
}

/* Has a mistake been kept that begins so? */
static bool vendor_has_mistake(const vendor_api *v, const char *beginning) {
    unsigned i;
    for (i = 0; i < v->mistakes(); ++i) {
        if (strncmp(v->mistake(i), beginning, strlen(beginning)) == 0) return true;
    }
    return false;
}

#endif /* NNRT_TESTS_SIM_VENDOR_H */
