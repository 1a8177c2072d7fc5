/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/library.h - Rockchip's runtime library: found, opened and asked what it has.   >>rknn_library

   By default librknnrt.so and librknnmrt.so are looked for at run time with dlopen, so that one binary runs with and
   without them. NNRT_RKNPU_LINK refers to the functions directly, weakly where the compiler can, for static builds. */
#ifndef NNRT_RKNPU_LIBRARY_H
#define NNRT_RKNPU_LIBRARY_H

#include "../core/error.h"
#include "../core/log.h"
#include "../core/platform.h"
#include "abi.h"

#define NNRT__RKNN_VERSION(major, minor, patch) (((uint32_t)(major) << 16) | ((uint32_t)(minor) << 8) | (uint32_t)(patch))

/* The functions of the library; NULL: this library does not have it, or has it without effect. */
typedef struct nnrt__rknn_api {
    int (*init)(nnrt_rknn_context *context, void *model, uint32_t size, uint32_t flag, nnrt_rknn_init_extend *extend);
    int (*dup_context)(nnrt_rknn_context *in, nnrt_rknn_context *out);
    int (*destroy)(nnrt_rknn_context context);
    int (*query)(nnrt_rknn_context context, nnrt_rknn_query_cmd cmd, void *info, uint32_t size);
    int (*inputs_set)(nnrt_rknn_context context, uint32_t count, nnrt_rknn_input inputs[]);
    int (*set_batch_core_num)(nnrt_rknn_context context, int count);
    int (*set_core_mask)(nnrt_rknn_context context, nnrt_rknn_core_mask mask);
    int (*run)(nnrt_rknn_context context, nnrt_rknn_run_extend *extend);
    int (*outputs_get)(nnrt_rknn_context context, uint32_t count, nnrt_rknn_output outputs[],
                       nnrt_rknn_output_extend *extend);
    int (*outputs_release)(nnrt_rknn_context context, uint32_t count, nnrt_rknn_output outputs[]);
    nnrt_rknn_tensor_mem *(*create_mem_from_phys)(nnrt_rknn_context context, uint64_t phys, void *virt, uint32_t size);
    nnrt_rknn_tensor_mem *(*create_mem_from_fd)(nnrt_rknn_context context, int32_t fd, void *virt, uint32_t size,
                                                int32_t offset);
    nnrt_rknn_tensor_mem *(*create_mem)(nnrt_rknn_context context, uint32_t size);
    nnrt_rknn_tensor_mem *(*create_mem2)(nnrt_rknn_context context, uint64_t size, uint64_t flags); /* 2.0.0 */
    int (*destroy_mem)(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem);
    int (*set_weight_mem)(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem);
    int (*set_internal_mem)(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem);
    int (*set_io_mem)(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem, nnrt_rknn_tensor_attr *attr);
    int (*set_input_shapes)(nnrt_rknn_context context, uint32_t count, nnrt_rknn_tensor_attr attrs[]); /* 1.5.2 */
    int (*mem_sync)(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem, nnrt_rknn_mem_sync_mode mode); /* 1.6.0 */
    int (*register_custom_ops)(nnrt_rknn_context context, nnrt_rknn_custom_op *ops, uint32_t count);     /* 1.6.0 */
    void (*custom_op_get_op_attr)(nnrt_rknn_custom_op_context *op, const char *name, nnrt_rknn_custom_op_attr *attr);
    int (*matmul_create)(nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, nnrt_rknn_matmul_io_attr *io);
    int (*matmul_create_dynamic_shape)(nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, int count,
                                       nnrt_rknn_matmul_shape shapes[], nnrt_rknn_matmul_io_attr io[]); /* 2.1.0 */
    int (*matmul_set_io_mem)(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem, nnrt_rknn_matmul_tensor_attr *attr);
    int (*matmul_set_core_mask)(nnrt_rknn_context context, nnrt_rknn_core_mask mask);
    int (*matmul_set_quant_params)(nnrt_rknn_context context, nnrt_rknn_quant_params *params);            /* 2.0.0 */
    int (*matmul_get_quant_params)(nnrt_rknn_context context, nnrt_rknn_quant_params *params, float *scale);
    int (*matmul_set_dynamic_shape)(nnrt_rknn_context context, nnrt_rknn_matmul_shape *shape);            /* 2.0.0 */
    int (*matmul_run)(nnrt_rknn_context context);
    int (*matmul_destroy)(nnrt_rknn_context context);
    int (*b_to_native)(void *b, void *native, int k, int n, nnrt_rknn_matmul_info *info); /* 2.1.0: five arguments */
} nnrt__rknn_api;

typedef struct nnrt__rknpu_library {
    nnrt__rknn_api api;
    char name[256];    /* as it was opened */
    char chip[32];     /* "rk3588", of the device tree; "": not known */
    bool mini;         /* librknnmrt: zero-copy only, one core, no extend structure, no matmul, no dup */
    uint32_t at_least; /* NNRT__RKNN_VERSION that the symbols prove; a loaded model tells the exact one */
} nnrt__rknpu_library;

/* Opens the first library that is there and has a device to drive. OH_NN_UNAVAILABLE_DEVICE with the reason. The
   library stays open until the program ends. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_library_open(nnrt__rknpu_library *library);

#endif /* NNRT_RKNPU_LIBRARY_H */
