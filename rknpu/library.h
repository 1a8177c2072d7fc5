/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/library.h - Rockchip's runtime library: finding and opening it, its version and functions.   >>rknpu_library

   By default librknnrt.so and librknnmrt.so are looked for at run time with dlopen, so that one binary runs with and
   without them. NNRT_RKNPU_LINK refers to the functions directly, for static builds and systems without dlopen.
   The exported symbols show a library's kind and version; nothing is called to find out. */
#ifndef NNRT_RKNPU_LIBRARY_H
#define NNRT_RKNPU_LIBRARY_H

#include "../core/error.h"
#include "../core/log.h"
#include "../core/platform.h"
#include "../npu/board.h"
#include "abi.h"

#define NNRT__RKNN_VERSION(major, minor, patch) \
    (((uint32_t)(major) << 16) | ((uint32_t)(minor) << 8) | (uint32_t)(patch))

/* The functions of the library: X(symbol, slot of nnrt__rknn_api, result, parameters, NEEDED or OPTIONAL). Nothing
   works without the NEEDED ones. Versions are those from which on it has them. */
/* clang-format off */
#define NNRT__RKNN_FUNCTIONS(X) \
    X(rknn_init, init, int, \
      (nnrt_rknn_context *context, void *model, uint32_t size, uint32_t flag, nnrt_rknn_init_extend *extend), NEEDED) \
    X(rknn_dup_context, dup_context, int, (nnrt_rknn_context *in, nnrt_rknn_context *out), OPTIONAL) \
    X(rknn_destroy, destroy, int, (nnrt_rknn_context context), NEEDED) \
    X(rknn_query, query, int, \
      (nnrt_rknn_context context, nnrt_rknn_query_cmd cmd, void *info, uint32_t size), NEEDED) \
    X(rknn_inputs_set, inputs_set, int, \
      (nnrt_rknn_context context, uint32_t count, nnrt_rknn_input inputs[]), OPTIONAL) \
    X(rknn_set_batch_core_num, set_batch_core_num, int, (nnrt_rknn_context context, int count), OPTIONAL) \
    X(rknn_set_core_mask, set_core_mask, int, (nnrt_rknn_context context, nnrt_rknn_core_mask mask), OPTIONAL) \
    X(rknn_run, run, int, (nnrt_rknn_context context, nnrt_rknn_run_extend *extend), NEEDED) \
    X(rknn_outputs_get, outputs_get, int, \
      (nnrt_rknn_context context, uint32_t count, nnrt_rknn_output outputs[], \
       nnrt_rknn_output_extend *extend), OPTIONAL) \
    X(rknn_outputs_release, outputs_release, int, \
      (nnrt_rknn_context context, uint32_t count, nnrt_rknn_output outputs[]), OPTIONAL) \
    X(rknn_create_mem_from_phys, create_mem_from_phys, nnrt_rknn_tensor_mem *, \
      (nnrt_rknn_context context, uint64_t phys, void *virt, uint32_t size), OPTIONAL) \
    X(rknn_create_mem_from_fd, create_mem_from_fd, nnrt_rknn_tensor_mem *, \
      (nnrt_rknn_context context, int32_t fd, void *virt, uint32_t size, int32_t offset), NEEDED) \
    X(rknn_create_mem, create_mem, nnrt_rknn_tensor_mem *, (nnrt_rknn_context context, uint32_t size), NEEDED) \
    X(rknn_create_mem2, create_mem2, nnrt_rknn_tensor_mem *, \
      (nnrt_rknn_context context, uint64_t size, uint64_t flags), OPTIONAL) /* 2.0.0 */ \
    X(rknn_destroy_mem, destroy_mem, int, (nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem), NEEDED) \
    X(rknn_set_weight_mem, set_weight_mem, int, (nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem), OPTIONAL) \
    X(rknn_set_internal_mem, set_internal_mem, int, (nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem), OPTIONAL) \
    X(rknn_set_io_mem, set_io_mem, int, \
      (nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem, nnrt_rknn_tensor_attr *attr), NEEDED) \
    X(rknn_set_input_shapes, set_input_shapes, int, \
      (nnrt_rknn_context context, uint32_t count, nnrt_rknn_tensor_attr attrs[]), OPTIONAL) /* 1.5.2 */ \
    X(rknn_mem_sync, mem_sync, int, \
      (nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem, nnrt_rknn_mem_sync_mode mode), OPTIONAL) /* 1.6.0 */ \
    X(rknn_register_custom_ops, register_custom_ops, int, \
      (nnrt_rknn_context context, nnrt_rknn_custom_op *ops, uint32_t count), OPTIONAL) /* 1.6.0 */ \
    X(rknn_custom_op_get_op_attr, custom_op_get_op_attr, void, \
      (nnrt_rknn_custom_op_context *op, const char *name, nnrt_rknn_custom_op_attr *attr), OPTIONAL) \
    X(rknn_matmul_create, matmul_create, int, \
      (nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, nnrt_rknn_matmul_io_attr *io), OPTIONAL) \
    X(rknn_matmul_create_dynamic_shape, matmul_create_dynamic_shape, int, \
      (nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, int count, \
       nnrt_rknn_matmul_shape shapes[], nnrt_rknn_matmul_io_attr io[]), OPTIONAL) /* 2.1.0 */ \
    X(rknn_matmul_set_io_mem, matmul_set_io_mem, int, \
      (nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem, nnrt_rknn_matmul_tensor_attr *attr), OPTIONAL) \
    X(rknn_matmul_set_core_mask, matmul_set_core_mask, int, \
      (nnrt_rknn_context context, nnrt_rknn_core_mask mask), OPTIONAL) \
    X(rknn_matmul_set_quant_params, matmul_set_quant_params, int, \
      (nnrt_rknn_context context, nnrt_rknn_quant_params *params), OPTIONAL) /* 2.0.0 */ \
    X(rknn_matmul_get_quant_params, matmul_get_quant_params, int, \
      (nnrt_rknn_context context, nnrt_rknn_quant_params *params, float *scale), OPTIONAL) \
    X(rknn_matmul_set_dynamic_shape, matmul_set_dynamic_shape, int, \
      (nnrt_rknn_context context, nnrt_rknn_matmul_shape *shape), OPTIONAL) /* 2.0.0 */ \
    X(rknn_matmul_run, matmul_run, int, (nnrt_rknn_context context), OPTIONAL) \
    X(rknn_matmul_destroy, matmul_destroy, int, (nnrt_rknn_context context), OPTIONAL) \
    X(rknn_B_normal_layout_to_native_layout, b_to_native, int, \
      (void *b, void *native, int k, int n, nnrt_rknn_matmul_info *info), OPTIONAL) /* 2.1.0: five arguments */
/* clang-format on */

/* NULL: this library lacks it, or has it without effect. */
typedef struct nnrt__rknn_api {
#define NNRT__RKNN_SLOT(symbol, slot, result, parameters, need) result(*slot) parameters;
    NNRT__RKNN_FUNCTIONS(NNRT__RKNN_SLOT)
#undef NNRT__RKNN_SLOT
} nnrt__rknn_api;

typedef struct nnrt__rknpu_library {
    nnrt__rknn_api api;
    char name[256];    /* as it was opened */
    char chip[32];     /* "rk3588", of the device tree; "": not known */
    char node[256];    /* device node of a stand-in for the vendor's library; "": the board's */
    bool mini;         /* librknnmrt: zero-copy only, one core, no extend structure, no matmul, no dup */
    uint32_t at_least; /* NNRT__RKNN_VERSION that the symbols prove; a loaded model gives the exact one */
    uint32_t below;    /* a missing symbol proves it older than this version; 0: no limit */
} nnrt__rknpu_library;

/* Opens the first library that exists and has a device. OH_NN_UNAVAILABLE_DEVICE with the reason. The library stays
   open until the program ends. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_library_open(nnrt__rknpu_library *library);

/* --------------------------------------------------------------------------------- what the symbols prove */

/* Symbols outside the table that show versions, or replace a slot. */
typedef struct nnrt__rknn_probe {
    bool set_input_shape; /* rknn_set_input_shape: 1.5.0 and later */
    int (*matmul_create_dyn_shape)(nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, int count,
                                   nnrt_rknn_matmul_shape shapes[], nnrt_rknn_matmul_io_attr io[]); /* 2.0.0 only */
} nnrt__rknn_probe;

NNRT__FN void nnrt__rknpu_library_forget_matmul(nnrt__rknn_api *api) {
    api->matmul_create = NULL;
    api->matmul_create_dynamic_shape = NULL;
    api->matmul_set_io_mem = NULL;
    api->matmul_set_core_mask = NULL;
    api->matmul_set_quant_params = NULL;
    api->matmul_get_quant_params = NULL;
    api->matmul_set_dynamic_shape = NULL;
    api->matmul_run = NULL;
    api->matmul_destroy = NULL;
    api->b_to_native = NULL;
}

/* library->api has what the library exports: finds its kind and version, and drops functions that are exported without
   effect or with other arguments. Calls nothing. */
NNRT__FN void nnrt__rknpu_library_judge(nnrt__rknpu_library *library, const nnrt__rknn_probe *probe) {
    nnrt__rknn_api *api = &library->api;
    const bool since[5] = {probe->set_input_shape, api->set_input_shapes != NULL, api->mem_sync != NULL,
                           api->create_mem2 != NULL, api->matmul_create_dynamic_shape != NULL};
    const uint32_t versions[5] = {NNRT__RKNN_VERSION(1, 5, 0), NNRT__RKNN_VERSION(1, 5, 2), NNRT__RKNN_VERSION(1, 6, 0),
                                  NNRT__RKNN_VERSION(2, 0, 0), NNRT__RKNN_VERSION(2, 1, 0)};
    uint32_t i;
    library->mini = api->set_core_mask == NULL;
    library->at_least = NNRT__RKNN_VERSION(1, 3, 0);
    library->below = 0;
    for (i = 0; i < NNRT__COUNT_OF(versions); i++)
        if (since[i]) library->at_least = versions[i];
    for (i = 0; i < NNRT__COUNT_OF(versions) && library->below == 0; i++)
        if (!since[i] && versions[i] > library->at_least) library->below = versions[i];
    if (library->mini) {
        if (library->below == NNRT__RKNN_VERSION(2, 1, 0)) library->below = 0; /* it never has matrix products */
        api->dup_context = NULL;
        api->inputs_set = NULL;
        api->outputs_get = NULL;
        api->outputs_release = NULL;
        api->set_input_shapes = NULL;
        api->set_batch_core_num = NULL;
        api->register_custom_ops = NULL;
        api->custom_op_get_op_attr = NULL;
    }
    if (library->at_least < NNRT__RKNN_VERSION(2, 1, 0)) {
        api->b_to_native = NULL; /* seven arguments in 2.0 */
        if (library->at_least == NNRT__RKNN_VERSION(2, 0, 0))
            api->matmul_create_dynamic_shape = probe->matmul_create_dyn_shape;
    }
    if (library->mini || library->at_least < NNRT__RKNN_VERSION(1, 5, 0) || api->matmul_create == NULL ||
        api->matmul_set_io_mem == NULL || api->matmul_run == NULL || api->matmul_destroy == NULL)
        nnrt__rknpu_library_forget_matmul(api);
}

/* The first essential function that the library lacks; NULL: none. */
NNRT__FN const char *nnrt__rknpu_library_missing(const nnrt__rknn_api *api) {
#define NNRT__RKNN_MISSES_NEEDED(symbol, slot) \
    if (api->slot == NULL) return #symbol;
#define NNRT__RKNN_MISSES_OPTIONAL(symbol, slot)
#define NNRT__RKNN_MISSES(symbol, slot, result, parameters, need) NNRT__RKNN_MISSES_##need(symbol, slot)
    NNRT__RKNN_FUNCTIONS(NNRT__RKNN_MISSES)
#undef NNRT__RKNN_MISSES
#undef NNRT__RKNN_MISSES_OPTIONAL
#undef NNRT__RKNN_MISSES_NEEDED
    return NULL;
}

/* ---------------------------------------------------------------------------------------------- the board */

/* Whether the driver of /dev/dri/renderD<number> is rknpu. If sysfs cannot be read: yes. */
NNRT__FN bool nnrt__rknpu_is_npu(unsigned number) {
    static const char expected[] = "rknpu";
    char path[64], driver[256];
    ssize_t length;
    size_t i;
    nnrt__format(path, sizeof(path), "/sys/class/drm/renderD%u/device/driver", number);
    length = readlink(path, driver, sizeof(driver));
    if (length < 0) return true;
    if ((size_t)length < sizeof(expected) - 1) return false;
    for (i = 0; i < sizeof(expected) - 1; i++)
        if ((driver[(size_t)length - (sizeof(expected) - 1) + i] | 0x20) != expected[i]) return false;
    return true;
}

/* Writes the path of the device node to path. stand_in: the only one to look for, from a stand-in library; NULL: the
   board's. false: there is none. */
NNRT__FN bool nnrt__rknpu_find_node(const char *stand_in, char *path, size_t size) {
    unsigned number;
    nnrt__format(path, size, "%s", stand_in != NULL ? stand_in : "/dev/rknpu");
    if (access(path, F_OK) == 0) return true;
    for (number = 128; number < 192 && stand_in == NULL; number++) {
        nnrt__format(path, size, "/dev/dri/renderD%u", number);
        if (access(path, F_OK) == 0 && nnrt__rknpu_is_npu(number)) return true;
    }
    return false;
}

/* The errno with which the device node cannot be opened; 0: it can. path gets its name. */
NNRT__FN int nnrt__rknpu_node_closed(const nnrt__rknpu_library *library, char *path, size_t size) {
    const char *stand_in = library->node[0] != '\0' ? library->node : NULL;
    int fd;
    if (!nnrt__rknpu_find_node(stand_in, path, size)) {
        nnrt__format(path, size, "%s", stand_in != NULL ? stand_in : "/dev/rknpu");
        return ENOENT;
    }
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return errno;
    (void)close(fd);
    return 0;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_fail_node(const char *library, const char *stand_in) {
    if (stand_in != NULL) return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s has no device: %s", library, stand_in);
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                      "%s is there, but neither /dev/rknpu nor a /dev/dri/renderD* of the rknpu driver: check that the "
                      "kernel has the driver and the device tree the NPU",
                      library);
}

/* The rest of open, after library->api and probe. node and chip: what a stand-in for the vendor's library reports about
   its simulated board; NULL: no stand-in. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_library_finish(nnrt__rknpu_library *library, const nnrt__rknn_probe *probe,
                                                     const char *node, const char *chip) {
    const char *missing = nnrt__rknpu_library_missing(&library->api);
    char path[256];
    if (missing != NULL)
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE,
                          "%s has no function %s: it is no runtime of Rockchip, or one older than 1.3, which nnrt "
                          "cannot use",
                          library->name, missing);
    nnrt__rknpu_library_judge(library, probe);
    if (!nnrt__rknpu_find_node(node, path, sizeof(path))) return nnrt__rknpu_fail_node(library->name, node);
    nnrt__format(library->node, sizeof(library->node), "%s", node != NULL ? node : "");
    if (node == NULL) nnrt__board_chip("rockchip,", library->chip, sizeof(library->chip));
    else nnrt__format(library->chip, sizeof(library->chip), "%s", chip != NULL ? chip : "");
    return OH_NN_SUCCESS;
}

#ifdef NNRT_RKNPU_LINK
#include "library_link.h"
#else
#ifdef NNRT__HAS_DLOPEN /* core/backends.h: not where a room is looked at alone */
#include "library_dlopen.h"
#endif
#endif

#ifdef NNRT_RKNPU_USE_VENDOR_HEADER
#include "vendor_check.h"
#endif

#endif /* NNRT_RKNPU_LIBRARY_H */
