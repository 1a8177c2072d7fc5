/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/library_link.h - the runtime library linked into the program; a piece of library.h.   >>rknpu_library_link

   The functions are declared under names of nnrt's own that stand for the vendor's symbols, so that the vendor's
   headers can be included as well. What nothing works without is referred to strongly, so that -lrknnmrt takes it out
   of librknnmrt.a; the rest weakly, so that a library that lacks a function links. A weak reference takes nothing out
   of an archive: if nnrt misses a function that a librknnmrt.a does have, link it between -Wl,--whole-archive and
   -Wl,--no-whole-archive. */
#ifndef NNRT_RKNPU_LIBRARY_LINK_H
#define NNRT_RKNPU_LIBRARY_LINK_H

#if !defined(__GNUC__) && !defined(__clang__)
#error "nnrt: NNRT_RKNPU_LINK needs a compiler with weak symbols, GCC or clang"
#endif

#define NNRT__RKNN_STRONG(symbol) __asm__(symbol)
#define NNRT__RKNN_WEAK(symbol) __asm__(symbol) __attribute__((weak))

#ifdef __cplusplus
extern "C" {
#endif

int nnrt__rknn_link_init(nnrt_rknn_context *context, void *model, uint32_t size, uint32_t flag,
                         nnrt_rknn_init_extend *extend) NNRT__RKNN_STRONG("rknn_init");
int nnrt__rknn_link_dup_context(nnrt_rknn_context *in, nnrt_rknn_context *out) NNRT__RKNN_WEAK("rknn_dup_context");
int nnrt__rknn_link_destroy(nnrt_rknn_context context) NNRT__RKNN_STRONG("rknn_destroy");
int nnrt__rknn_link_query(nnrt_rknn_context context, nnrt_rknn_query_cmd cmd, void *info, uint32_t size)
    NNRT__RKNN_STRONG("rknn_query");
int nnrt__rknn_link_inputs_set(nnrt_rknn_context context, uint32_t count, nnrt_rknn_input inputs[])
    NNRT__RKNN_WEAK("rknn_inputs_set");
int nnrt__rknn_link_set_batch_core_num(nnrt_rknn_context context, int count) NNRT__RKNN_WEAK("rknn_set_batch_core_num");
int nnrt__rknn_link_set_core_mask(nnrt_rknn_context context, nnrt_rknn_core_mask mask)
    NNRT__RKNN_WEAK("rknn_set_core_mask");
int nnrt__rknn_link_run(nnrt_rknn_context context, nnrt_rknn_run_extend *extend) NNRT__RKNN_STRONG("rknn_run");
int nnrt__rknn_link_outputs_get(nnrt_rknn_context context, uint32_t count, nnrt_rknn_output outputs[],
                                nnrt_rknn_output_extend *extend) NNRT__RKNN_WEAK("rknn_outputs_get");
int nnrt__rknn_link_outputs_release(nnrt_rknn_context context, uint32_t count, nnrt_rknn_output outputs[])
    NNRT__RKNN_WEAK("rknn_outputs_release");
nnrt_rknn_tensor_mem *nnrt__rknn_link_create_mem_from_phys(nnrt_rknn_context context, uint64_t phys, void *virt,
                                                           uint32_t size) NNRT__RKNN_WEAK("rknn_create_mem_from_phys");
nnrt_rknn_tensor_mem *nnrt__rknn_link_create_mem_from_fd(nnrt_rknn_context context, int32_t fd, void *virt,
                                                         uint32_t size, int32_t offset)
    NNRT__RKNN_STRONG("rknn_create_mem_from_fd");
nnrt_rknn_tensor_mem *nnrt__rknn_link_create_mem(nnrt_rknn_context context, uint32_t size)
    NNRT__RKNN_STRONG("rknn_create_mem");
nnrt_rknn_tensor_mem *nnrt__rknn_link_create_mem2(nnrt_rknn_context context, uint64_t size, uint64_t flags)
    NNRT__RKNN_WEAK("rknn_create_mem2");
int nnrt__rknn_link_destroy_mem(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem)
    NNRT__RKNN_STRONG("rknn_destroy_mem");
int nnrt__rknn_link_set_weight_mem(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem)
    NNRT__RKNN_WEAK("rknn_set_weight_mem");
int nnrt__rknn_link_set_internal_mem(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem)
    NNRT__RKNN_WEAK("rknn_set_internal_mem");
int nnrt__rknn_link_set_io_mem(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem, nnrt_rknn_tensor_attr *attr)
    NNRT__RKNN_STRONG("rknn_set_io_mem");
int nnrt__rknn_link_set_input_shapes(nnrt_rknn_context context, uint32_t count, nnrt_rknn_tensor_attr attrs[])
    NNRT__RKNN_WEAK("rknn_set_input_shapes");
int nnrt__rknn_link_mem_sync(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem, nnrt_rknn_mem_sync_mode mode)
    NNRT__RKNN_WEAK("rknn_mem_sync");
int nnrt__rknn_link_register_custom_ops(nnrt_rknn_context context, nnrt_rknn_custom_op *ops, uint32_t count)
    NNRT__RKNN_WEAK("rknn_register_custom_ops");
void nnrt__rknn_link_custom_op_get_op_attr(nnrt_rknn_custom_op_context *op, const char *name,
                                           nnrt_rknn_custom_op_attr *attr)
    NNRT__RKNN_WEAK("rknn_custom_op_get_op_attr");
int nnrt__rknn_link_matmul_create(nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, nnrt_rknn_matmul_io_attr *io)
    NNRT__RKNN_WEAK("rknn_matmul_create");
int nnrt__rknn_link_matmul_create_dynamic_shape(nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, int count,
                                                nnrt_rknn_matmul_shape shapes[], nnrt_rknn_matmul_io_attr io[])
    NNRT__RKNN_WEAK("rknn_matmul_create_dynamic_shape");
int nnrt__rknn_link_matmul_set_io_mem(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem,
                                      nnrt_rknn_matmul_tensor_attr *attr) NNRT__RKNN_WEAK("rknn_matmul_set_io_mem");
int nnrt__rknn_link_matmul_set_core_mask(nnrt_rknn_context context, nnrt_rknn_core_mask mask)
    NNRT__RKNN_WEAK("rknn_matmul_set_core_mask");
int nnrt__rknn_link_matmul_set_quant_params(nnrt_rknn_context context, nnrt_rknn_quant_params *params)
    NNRT__RKNN_WEAK("rknn_matmul_set_quant_params");
int nnrt__rknn_link_matmul_get_quant_params(nnrt_rknn_context context, nnrt_rknn_quant_params *params, float *scale)
    NNRT__RKNN_WEAK("rknn_matmul_get_quant_params");
int nnrt__rknn_link_matmul_set_dynamic_shape(nnrt_rknn_context context, nnrt_rknn_matmul_shape *shape)
    NNRT__RKNN_WEAK("rknn_matmul_set_dynamic_shape");
int nnrt__rknn_link_matmul_run(nnrt_rknn_context context) NNRT__RKNN_WEAK("rknn_matmul_run");
int nnrt__rknn_link_matmul_destroy(nnrt_rknn_context context) NNRT__RKNN_WEAK("rknn_matmul_destroy");
int nnrt__rknn_link_b_to_native(void *b, void *native, int k, int n, nnrt_rknn_matmul_info *info)
    NNRT__RKNN_WEAK("rknn_B_normal_layout_to_native_layout");
int nnrt__rknn_link_set_input_shape(nnrt_rknn_context context, nnrt_rknn_tensor_attr *attr)
    NNRT__RKNN_WEAK("rknn_set_input_shape");
int nnrt__rknn_link_matmul_create_dyn_shape(nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, int count,
                                            nnrt_rknn_matmul_shape shapes[], nnrt_rknn_matmul_io_attr io[])
    NNRT__RKNN_WEAK("rknn_matmul_create_dyn_shape");
/* Of a stand-in for the vendor's library, which says what board it plays. */
const char *nnrt__rknn_link_node(void) NNRT__RKNN_WEAK("nnrt_rknpu_node");
const char *nnrt__rknn_link_chip(void) NNRT__RKNN_WEAK("nnrt_rknpu_chip");

#ifdef __cplusplus
}
#endif

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_library_open(nnrt__rknpu_library *library) {
    nnrt__rknn_api *api = &library->api;
    const char *(*node)(void) = nnrt__rknn_link_node;
    const char *(*chip)(void) = nnrt__rknn_link_chip;
    int (*set_input_shape)(nnrt_rknn_context, nnrt_rknn_tensor_attr *) = nnrt__rknn_link_set_input_shape;
    nnrt__rknn_probe probe;
    memset(library, 0, sizeof(*library));
    nnrt__format(library->name, sizeof(library->name), "the linked runtime");
    api->init = nnrt__rknn_link_init;
    api->dup_context = nnrt__rknn_link_dup_context;
    api->destroy = nnrt__rknn_link_destroy;
    api->query = nnrt__rknn_link_query;
    api->inputs_set = nnrt__rknn_link_inputs_set;
    api->set_batch_core_num = nnrt__rknn_link_set_batch_core_num;
    api->set_core_mask = nnrt__rknn_link_set_core_mask;
    api->run = nnrt__rknn_link_run;
    api->outputs_get = nnrt__rknn_link_outputs_get;
    api->outputs_release = nnrt__rknn_link_outputs_release;
    api->create_mem_from_phys = nnrt__rknn_link_create_mem_from_phys;
    api->create_mem_from_fd = nnrt__rknn_link_create_mem_from_fd;
    api->create_mem = nnrt__rknn_link_create_mem;
    api->create_mem2 = nnrt__rknn_link_create_mem2;
    api->destroy_mem = nnrt__rknn_link_destroy_mem;
    api->set_weight_mem = nnrt__rknn_link_set_weight_mem;
    api->set_internal_mem = nnrt__rknn_link_set_internal_mem;
    api->set_io_mem = nnrt__rknn_link_set_io_mem;
    api->set_input_shapes = nnrt__rknn_link_set_input_shapes;
    api->mem_sync = nnrt__rknn_link_mem_sync;
    api->register_custom_ops = nnrt__rknn_link_register_custom_ops;
    api->custom_op_get_op_attr = nnrt__rknn_link_custom_op_get_op_attr;
    api->matmul_create = nnrt__rknn_link_matmul_create;
    api->matmul_create_dynamic_shape = nnrt__rknn_link_matmul_create_dynamic_shape;
    api->matmul_set_io_mem = nnrt__rknn_link_matmul_set_io_mem;
    api->matmul_set_core_mask = nnrt__rknn_link_matmul_set_core_mask;
    api->matmul_set_quant_params = nnrt__rknn_link_matmul_set_quant_params;
    api->matmul_get_quant_params = nnrt__rknn_link_matmul_get_quant_params;
    api->matmul_set_dynamic_shape = nnrt__rknn_link_matmul_set_dynamic_shape;
    api->matmul_run = nnrt__rknn_link_matmul_run;
    api->matmul_destroy = nnrt__rknn_link_matmul_destroy;
    api->b_to_native = nnrt__rknn_link_b_to_native;
    probe.set_input_shape = set_input_shape != NULL;
    probe.matmul_create_dyn_shape = nnrt__rknn_link_matmul_create_dyn_shape;
    return nnrt__rknpu_library_finish(library, &probe, node != NULL ? node() : NULL, chip != NULL ? chip() : NULL);
}

#undef NNRT__RKNN_STRONG
#undef NNRT__RKNN_WEAK

#endif /* NNRT_RKNPU_LIBRARY_LINK_H */
