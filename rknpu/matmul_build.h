/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/matmul_build.h - graphs on the NPU: from the nodes to matmul contexts with B in place.   >>rknpu_matmul_build

   K and N are padded with zeros to what every chip takes. A and C have the NPU's native layout. B, too, where the
   library converts it or its layout is known; else the library converts it when it is bound.

   rknn_matmul_info was 24 bytes before 2.0. On a little-endian machine the present structure, zero but for the first
   fields, begins with those very bytes: its B_layout and B_quant_type are one int32 there, as are the other two. */
#ifndef NNRT_RKNPU_MATMUL_BUILD_H
#define NNRT_RKNPU_MATMUL_BUILD_H

#include "device.h"
#include "errors.h"
#include "matmul_pack.h"
#include "types.h"

#define NNRT__RKNPU_MM_MAX_STEPS 64u
/* Above this K, native B is split into segments that differ between chips; only the library's converter knows how. */
#define NNRT__RKNPU_MM_NATIVE_K_MAX 4096u

/* Where a tensor is during a run. */
typedef enum nnrt__rknpu_mm_place_kind {
    NNRT__RKNPU_MM_NOWHERE = 0, /* not made yet while steps are ordered */
    NNRT__RKNPU_MM_CONSTANT = 1,
    NNRT__RKNPU_MM_INPUT = 2,
    NNRT__RKNPU_MM_OUTPUT = 3,
    NNRT__RKNPU_MM_BETWEEN = 4
} nnrt__rknpu_mm_place_kind;

typedef struct nnrt__rknpu_mm_place {
    nnrt__rknpu_mm_place_kind kind;
    const void *data; /* CONSTANT */
    size_t at;        /* INPUT, OUTPUT: index; BETWEEN: offset in the executor's block */
} nnrt__rknpu_mm_place;

/* A node of the compiled graph. */
typedef struct nnrt__rknpu_mm_step {
    nnrt__rknpu_mm_spec spec;
    nnrt__rknpu_mm_place a, b, out;
    OH_NN_DataType a_dtype, b_dtype, out_dtype;
    nnrt__rknpu_mm_element element; /* of B in the NPU */
    bool fixed_b;                   /* B is one constant matrix: converted at Build */
    nnrt_rknn_matmul_info info;
    nnrt_rknn_matmul_io_attr io;
    nnrt__rknpu_context *context; /* of the first executor */
    nnrt__rknpu_memory *b_memory; /* of fixed_b */
    void *constants;              /* int8: base, multiplier, shift; float: bias; n words each */
} nnrt__rknpu_mm_step;

struct nnrt__rknpu_matmul {
    nnrt__rknpu_device *device;
    const nnrt_graph *graph;
    bool taken; /* the contexts of the steps belong to an executor; under device->mutex */
    uint32_t step_count;
    nnrt__rknpu_mm_step *steps;
    size_t between_bytes; /* tensors between steps */
    size_t base_words;    /* largest n of a step whose B changes, largest m of one with row sums */
    size_t sum_words;
    uint32_t memory_flags;
    bool profile;
};

/* --------------------------------------------------------------------------------------------- capability */

/* Refuses what this version of the library does not compute. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_check_library(const nnrt__rknpu_library *library, const nnrt_graph *graph,
                                                       const nnrt__rknpu_mm_spec *spec) {
    const size_t most = spec->s8 ? NNRT__RKNPU_MM_K_MAX_S8_1_5 : NNRT__RKNPU_MM_K_MAX_F16_1_5;
    if (library->at_least >= NNRT__RKNN_VERSION(1, 6, 0) || spec->k <= most) return OH_NN_SUCCESS;
    return nnrt__rknpu_mm_refuse(graph, spec->node,
                                 spec->s8 ? "a value of the result has more than 4096 products of int8, the most that "
                                            "runtimes before 1.6.0 add"
                                          : "a value of the result has more than 2048 products of float16, the most "
                                            "that runtimes before 1.6.0 add");
}

/* Slot supports. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_supports(void *device, const nnrt_graph *graph, uint32_t node) {
    const nnrt__rknpu_library *library = &((nnrt__rknpu_device *)device)->library;
    nnrt__rknpu_mm_spec spec;
    OH_NN_ReturnCode code = nnrt__rknpu_mm_read(graph, node, &spec);
    if (code != OH_NN_SUCCESS) return code;
    if (library->mini)
        return nnrt__rknpu_mm_refuse(graph, spec.node,
                                     "librknnmrt of RV1103 and RV1106 runs .rknn models only, it has no matmul API");
    if (library->api.matmul_create == NULL || library->api.matmul_set_io_mem == NULL ||
        library->api.matmul_run == NULL || library->api.matmul_destroy == NULL || library->api.create_mem == NULL)
        return nnrt__rknpu_mm_refuse(graph, spec.node,
                                     "this librknnrt has no matmul API, which came with version 1.5.0");
    return nnrt__rknpu_mm_check_library(library, graph, &spec);
}

/* ------------------------------------------------------------------------------ attributes of the library */

/* Bytes of a matrix with these dimensions, which the attribute must hold. 0: impossible dimensions. */
NNRT__FN size_t nnrt__rknpu_mm_attr_bytes(const nnrt_rknn_matmul_tensor_attr *attr, uint32_t n_dims, size_t bits) {
    uint64_t elements = 1; /* <= 2^31 before each multiplication by a dimension */
    uint32_t i;
    if (attr->n_dims != n_dims || attr->size > INT32_MAX) return 0;
    for (i = 0; i < n_dims; i++) {
        elements *= attr->dims[i];
        if (elements == 0 || elements > INT32_MAX) return 0;
    }
    return elements * bits <= (uint64_t)attr->size * 8 ? (size_t)((elements * bits + 7) / 8) : 0;
}

/* Whether the library's matrices can hold ours, with all our indices inside their sizes. */
NNRT__FN bool nnrt__rknpu_mm_attrs_fit(const nnrt__rknpu_mm_step *step) {
    const nnrt__rknpu_mm_spec *spec = &step->spec;
    const nnrt_rknn_matmul_tensor_attr *a = &step->io.A, *b = &step->io.B, *c = &step->io.C;
    const size_t bits = nnrt__rknpu_mm_element_bits(step->element);
    if (nnrt__rknpu_mm_attr_bytes(a, 3, spec->s8 ? 8 : 16) == 0 || a->dims[1] != spec->m ||
        (size_t)a->dims[0] * a->dims[2] < spec->k)
        return false;
    if (nnrt__rknpu_mm_attr_bytes(c, 3, 32) == 0 || c->dims[1] != spec->m || (size_t)c->dims[0] * c->dims[2] < spec->n)
        return false;
    if (step->info.B_layout == NNRT_RKNN_MM_LAYOUT_NORM)
        return nnrt__rknpu_mm_attr_bytes(b, 2, bits) != 0 && b->dims[0] >= spec->k && b->dims[1] >= spec->n;
    return nnrt__rknpu_mm_attr_bytes(b, 4, bits) != 0 && (size_t)b->dims[0] * b->dims[2] >= spec->n &&
           (size_t)b->dims[1] * b->dims[3] >= spec->k;
}

/* ----------------------------------------------------------------------------------------------- contexts */

NNRT__FN const char *nnrt__rknpu_mm_type_name(const nnrt__rknpu_mm_step *step) {
    return !step->spec.s8 ? "float16" : step->element == NNRT__RKNPU_MM_S4 ? "int8 by int4" : "int8";
}

/* Fills info: the product with K and N padded to what every chip takes. */
NNRT__FN void nnrt__rknpu_mm_fill_info(const nnrt__rknpu_library *library, nnrt__rknpu_mm_step *step) {
    const nnrt__rknpu_mm_spec *spec = &step->spec;
    const size_t unit = step->element == NNRT__RKNPU_MM_S4 ? 64 : 32;
    const size_t k = (spec->k + 31) / 32 * 32, n = (spec->n + unit - 1) / unit * unit;
    const bool converts = step->fixed_b && library->api.b_to_native != NULL;
    const bool packs = step->element != NNRT__RKNPU_MM_S4 && k <= NNRT__RKNPU_MM_NATIVE_K_MAX;
    memset(&step->info, 0, sizeof(step->info));
    step->info.M = (int32_t)spec->m;
    step->info.K = (int32_t)k;
    step->info.N = (int32_t)n;
    step->info.type = !spec->s8                            ? NNRT_RKNN_FLOAT16_MM_FLOAT16_TO_FLOAT32
                      : step->element == NNRT__RKNPU_MM_S4 ? NNRT_RKNN_INT8_MM_INT4_TO_INT32
                                                           : NNRT_RKNN_INT8_MM_INT8_TO_INT32;
    step->info.B_layout = converts || packs ? NNRT_RKNN_MM_LAYOUT_NATIVE : NNRT_RKNN_MM_LAYOUT_NORM;
    step->info.AC_layout = NNRT_RKNN_MM_LAYOUT_NATIVE;
}

/* Calls rknn_matmul_set_core_mask if a core was requested. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_set_core(nnrt__rknpu_context *context, const nnrt__rknpu_options *options) {
    const nnrt__rknn_api *api = &context->device->library.api;
    int result = NNRT_RKNN_ERR_FAIL;
    if (!options->has_core_mask) return OH_NN_SUCCESS;
    if (!nnrt__rknpu_enter(context)) return nnrt__rknpu_fail_stuck();
    if (api->matmul_set_core_mask != NULL)
        result = api->matmul_set_core_mask(context->handle, (nnrt_rknn_core_mask)options->core_mask);
    nnrt__rknpu_leave(context);
    return result == NNRT_RKNN_SUCC ? OH_NN_SUCCESS
                                    : nnrt__rknpu_fail(result, "rknn.core_mask, rknn_matmul_set_core_mask");
}

/* Whether both describe the same bytes. */
NNRT__FN bool nnrt__rknpu_mm_same_attr(const nnrt_rknn_matmul_tensor_attr *a, const nnrt_rknn_matmul_tensor_attr *b) {
    return a->size == b->size && a->n_dims == b->n_dims &&
           memcmp(a->dims, b->dims, a->n_dims * sizeof(a->dims[0])) == 0; /* n_dims <= 4: that of a was checked */
}

/* A context for step, one reference. first: the attributes are kept; else they must be the same again. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_context_new(const struct nnrt__rknpu_matmul *matmul, nnrt__rknpu_mm_step *step,
                                                     const nnrt__rknpu_options *options, bool first,
                                                     nnrt__rknpu_context **context) {
    const nnrt__rknn_api *api = &matmul->device->library.api;
    const nnrt__rknpu_mm_spec *spec = &step->spec;
    nnrt_rknn_matmul_info info = step->info;
    nnrt_rknn_matmul_io_attr io;
    nnrt_rknn_context handle = 0;
    OH_NN_ReturnCode code;
    int result;
    memset(&io, 0, sizeof(io));
    result = api->matmul_create(&handle, &info, &io);
    if (result == NNRT_RKNN_ERR_FAIL || result == NNRT_RKNN_ERR_PARAM_INVALID)
        return nnrt__fail(OH_NN_UNSUPPORTED,
                          "%s (output \"%.60s\"): the library takes no %s product of %dx%d by %dx%d on this chip (rknn "
                          "code %d); %s",
                          nnrt__op_name((int)spec->node->op), nnrt__rknpu_mm_output(matmul->graph, spec->node),
                          nnrt__rknpu_mm_type_name(step), (int)info.M, (int)info.K, (int)info.K, (int)info.N, result,
                          step->element == NNRT__RKNPU_MM_S4 ? "leave rknn.matmul_weights int4 out"
                                                             : "put it on the CPU device");
    if (result != NNRT_RKNN_SUCC) return nnrt__rknpu_fail(result, "rknn_matmul_create");
    code = nnrt__rknpu_context_new(matmul->device, handle, true, NULL, context);
    if (code != OH_NN_SUCCESS) return code;
    if (first) {
        step->io = io;
        if (!nnrt__rknpu_mm_attrs_fit(step))
            code =
                nnrt__fail(OH_NN_FAILED,
                           "%s (output \"%.60s\"): rknn_matmul_create describes matrices that do not hold the product; "
                           "update librknnrt or put it on the CPU device",
                           nnrt__op_name((int)spec->node->op), nnrt__rknpu_mm_output(matmul->graph, spec->node));
    } else if (!nnrt__rknpu_mm_same_attr(&step->io.A, &io.A) || !nnrt__rknpu_mm_same_attr(&step->io.B, &io.B) ||
               !nnrt__rknpu_mm_same_attr(&step->io.C, &io.C)) {
        code = nnrt__fail(OH_NN_FAILED, "rknn_matmul_create describes the same product differently each time");
    }
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_mm_set_core(*context, options);
    if (code != OH_NN_SUCCESS) nnrt__rknpu_context_release(*context);
    return code;
}

/* Cleans or invalidates the CPU's cache of memory; counted. It is undocumented whether the runtime does so itself
   around rknn_matmul_run, and twice does no harm. context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_sync(nnrt__rknpu_context *context, nnrt_rknn_tensor_mem *mem,
                                              nnrt_rknn_mem_sync_mode mode, uint64_t *syncs) {
    *syncs += 1;
    return nnrt__rknpu_sync(context, mem, mode);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_bind(nnrt__rknpu_context *context, nnrt_rknn_tensor_mem *mem,
                                              const nnrt_rknn_matmul_tensor_attr *attr, const char *what) {
    nnrt_rknn_matmul_tensor_attr copy = *attr; /* the library's parameter is not const */
    const int result = context->device->library.api.matmul_set_io_mem(context->handle, mem, &copy);
    return result == NNRT_RKNN_SUCC ? OH_NN_SUCCESS : nnrt__rknpu_fail(result, what);
}

/* ------------------------------------------------------------------------------------------------------ B */

/* B of product number 0 when it is fixed. */
NNRT__FN nnrt__rknpu_mm_source nnrt__rknpu_mm_b_source(const nnrt__rknpu_mm_step *step, const void *data) {
    nnrt__rknpu_mm_source source;
    source.data = data;
    source.dtype = step->b_dtype;
    source.k = step->spec.k;
    source.n = step->spec.n;
    source.k_stride = step->spec.b_k_stride;
    source.n_stride = step->spec.b_n_stride;
    return source;
}

/* Writes B into the memory to of step->io.B.size bytes, which the CPU owns. Allocates only for the library's
   converter. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_write_b(const nnrt__rknpu_library *library, const nnrt__rknpu_mm_step *step,
                                                 const nnrt__rknpu_mm_source *source, void *to) {
    const size_t k = (size_t)step->info.K, n = (size_t)step->info.N;
    const uint64_t normal = (uint64_t)k * n * nnrt__rknpu_mm_element_bits(step->element) / 8;
    nnrt_rknn_matmul_info info = step->info;
    void *block, *rows;
    int result;
    if (step->info.B_layout == NNRT_RKNN_MM_LAYOUT_NORM) {
        nnrt__rknpu_mm_pack_normal(step->element, source, step->io.B.dims[0], step->io.B.dims[1], to);
        return OH_NN_SUCCESS;
    }
    if (!step->fixed_b || library->api.b_to_native == NULL) {
        nnrt__rknpu_mm_pack_native(step->element, source, step->io.B.dims, to);
        return OH_NN_SUCCESS;
    }
    if (step->io.B.size < normal)
        return nnrt__fail(OH_NN_FAILED, "rknn_matmul_create describes a B of %u bytes; it has %llu",
                          (unsigned)step->io.B.size, (unsigned long long)normal);
    rows = nnrt__alloc_aligned((size_t)normal, 64, &block);
    if (rows == NULL) return nnrt__fail_memory();
    nnrt__rknpu_mm_pack_normal(step->element, source, k, n, rows);
    memset(to, 0, step->io.B.size);
    result = library->api.b_to_native(rows, to, (int)k, (int)n, &info);
    nnrt__free(block);
    return result == NNRT_RKNN_SUCC ? OH_NN_SUCCESS : nnrt__rknpu_fail(result, "rknn_B_normal_layout_to_native_layout");
}

/* Memory with the fixed B of step, made in context, cleaned for the NPU. The context is not entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_fixed_b(const struct nnrt__rknpu_matmul *matmul,
                                                 const nnrt__rknpu_mm_step *step, nnrt__rknpu_context *context,
                                                 nnrt__rknpu_memory **memory) {
    const nnrt__rknpu_mm_source source = nnrt__rknpu_mm_b_source(step, step->b.data);
    uint64_t syncs = 0;
    OH_NN_ReturnCode code = nnrt__rknpu_memory_new(context, step->io.B.size, matmul->memory_flags, memory);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__rknpu_mm_write_b(&matmul->device->library, step, &source, (*memory)->data);
    if (code == OH_NN_SUCCESS && !nnrt__rknpu_enter(context)) {
        code = nnrt__rknpu_fail_stuck();
    } else if (code == OH_NN_SUCCESS) {
        code = nnrt__rknpu_mm_sync(context, (*memory)->mem, NNRT_RKNN_SYNC_TO_DEVICE, &syncs);
        nnrt__rknpu_leave(context);
    }
    if (code != OH_NN_SUCCESS) nnrt__rknpu_memory_release(*memory);
    return code;
}

/* -------------------------------------------------------------------------------------------------- Build */

/* The constants applied to a product: for int8 base, multiplier and shift of each column (base only if B is fixed);
   otherwise the bias in float. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_constants(const nnrt_graph *graph, nnrt__rknpu_mm_step *step) {
    const nnrt__rknpu_mm_spec *spec = &step->spec;
    const nnrt_tensor_info *bias = spec->bias != NNRT__RKNPU_MM_NONE ? &graph->tensors[spec->bias] : NULL;
    const nnrt__rknpu_mm_source b = nnrt__rknpu_mm_b_source(step, step->b.data);
    int32_t *words;
    size_t i;
    step->constants = nnrt__alloc_zero(spec->n, (spec->s8 ? 3 : 1) * sizeof(int32_t));
    if (step->constants == NULL) return nnrt__fail_memory();
    words = (int32_t *)step->constants;
    if (spec->s8) {
        nnrt__rknpu_mm_multipliers(&graph->tensors[spec->a].quant, &graph->tensors[spec->b].quant,
                                   &graph->tensors[spec->out].quant, spec->n, words + spec->n, words + 2 * spec->n);
        if (step->fixed_b)
            nnrt__rknpu_mm_base(&b, bias != NULL ? bias->data : NULL, spec->a_zero, spec->b_zero, (uint32_t *)words);
        return OH_NN_SUCCESS;
    }
    for (i = 0; bias != NULL && i < spec->n; i++) {
        const uint8_t *from = (const uint8_t *)bias->data + i * nnrt__element_size(bias->dtype);
        ((float *)step->constants)[i] =
            bias->dtype == OH_NN_FLOAT32 ? nnrt__read_f32(from) : nnrt__float16_to_float32(nnrt__read_u16(from));
    }
    return OH_NN_SUCCESS;
}

/* Checks options, beyond what nnrt__rknpu_supports knows. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_check_options(const nnrt_graph *graph, const nnrt_request *request,
                                                       const nnrt__rknpu_options *options, nnrt__rknpu_mm_step *step) {
    const nnrt__rknpu_mm_spec *spec = &step->spec;
    const nnrt__rknpu_mm_source b = nnrt__rknpu_mm_b_source(step, step->b.data);
    step->element = spec->s8 ? NNRT__RKNPU_MM_S8 : NNRT__RKNPU_MM_F16;
    if (spec->needs_float16 && !request->enable_float16)
        return nnrt__rknpu_mm_refuse(graph, spec->node,
                                     "the NPU computes float32 data in float16, which the program has not allowed with "
                                     "OH_NNCompilation_EnableFloat16");
    if (!options->int4_weights) return OH_NN_SUCCESS;
    if (!spec->s8 || !step->fixed_b)
        return nnrt__rknpu_mm_refuse(graph, spec->node,
                                     "rknn.matmul_weights int4 needs int8 data and constant weights");
    if (!nnrt__rknpu_mm_fits_s4(&b))
        return nnrt__fail(OH_NN_FAILED,
                          "%s (output \"%.60s\"): a weight lies outside -8..7, which is all that int4 holds; leave "
                          "rknn.matmul_weights int4 out or quantize the weights to 4 bits",
                          nnrt__op_name((int)spec->node->op), nnrt__rknpu_mm_output(graph, spec->node));
    step->element = NNRT__RKNPU_MM_S4;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_prepare_step(struct nnrt__rknpu_matmul *matmul, const nnrt_request *request,
                                                      const nnrt__rknpu_options *options, nnrt__rknpu_mm_step *step) {
    const nnrt__rknpu_mm_spec *spec = &step->spec;
    OH_NN_ReturnCode code;
    step->a_dtype = matmul->graph->tensors[spec->a].dtype;
    step->b_dtype = matmul->graph->tensors[spec->b].dtype;
    step->out_dtype = matmul->graph->tensors[spec->out].dtype;
    step->fixed_b = step->b.kind == NNRT__RKNPU_MM_CONSTANT && spec->batches == 1;
    code = nnrt__rknpu_mm_check_options(matmul->graph, request, options, step);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_mm_constants(matmul->graph, step);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__rknpu_mm_fill_info(&matmul->device->library, step);
    code = nnrt__rknpu_mm_context_new(matmul, step, options, true, &step->context);
    if (code != OH_NN_SUCCESS) {
        step->context = NULL;
        return code;
    }
    if (step->fixed_b) {
        code = nnrt__rknpu_mm_fixed_b(matmul, step, step->context, &step->b_memory);
        if (code != OH_NN_SUCCESS) step->b_memory = NULL;
    }
    if (!step->fixed_b && spec->n > matmul->base_words) matmul->base_words = spec->n;
    if (spec->b_zero != 0 && spec->m > matmul->sum_words) matmul->sum_words = spec->m;
    return code;
}

/* ------------------------------------------------------------------------------------- order of execution */

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_bad_tensor(const nnrt_graph *graph, uint32_t tensor, const char *reason) {
    return nnrt__fail(OH_NN_FAILED, "tensor \"%.60s\" %s", graph->tensors[tensor].name, reason);
}

/* Places constants and model inputs; outputs are placed when their node is ordered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_first_places(const nnrt_graph *graph, nnrt__rknpu_mm_place *places) {
    uint32_t i;
    for (i = 0; i < graph->tensor_count; i++) {
        places[i].data = graph->tensors[i].data;
        if (places[i].data != NULL) places[i].kind = NNRT__RKNPU_MM_CONSTANT;
    }
    for (i = 0; i < graph->input_count; i++) {
        nnrt__rknpu_mm_place *place = &places[graph->inputs[i]];
        const char *reason = nnrt__rknpu_mm_check_input(&graph->tensors[graph->inputs[i]]);
        if (reason != NULL) return nnrt__fail(OH_NN_FAILED, "model input %u: %s", (unsigned)i, reason);
        if (place->kind != NNRT__RKNPU_MM_NOWHERE)
            return nnrt__rknpu_mm_bad_tensor(graph, graph->inputs[i], "is a model input twice, or a constant too");
        place->kind = NNRT__RKNPU_MM_INPUT;
        place->at = i;
    }
    return OH_NN_SUCCESS;
}

/* Places the result of step: a model output, or the next bytes of the block. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_place_result(struct nnrt__rknpu_matmul *matmul, nnrt__rknpu_mm_place *places,
                                                      nnrt__rknpu_mm_step *step) {
    const nnrt_graph *graph = matmul->graph;
    const nnrt__rknpu_mm_spec *spec = &step->spec;
    nnrt__rknpu_mm_place *place = &places[spec->out];
    size_t bytes = spec->batches * spec->m * spec->n * nnrt__element_size(graph->tensors[spec->out].dtype);
    uint32_t i;
    if (place->kind != NNRT__RKNPU_MM_NOWHERE)
        return nnrt__rknpu_mm_bad_tensor(graph, spec->out, "is computed twice, or given and computed");
    place->kind = NNRT__RKNPU_MM_BETWEEN;
    for (i = 0; i < graph->output_count; i++) {
        if (graph->outputs[i] != spec->out) continue;
        if (place->kind == NNRT__RKNPU_MM_OUTPUT)
            return nnrt__rknpu_mm_bad_tensor(graph, spec->out, "is a model output twice");
        place->kind = NNRT__RKNPU_MM_OUTPUT;
        place->at = i;
    }
    if (place->kind == NNRT__RKNPU_MM_BETWEEN) {
        place->at = matmul->between_bytes;
        if (!nnrt__round_up_size(bytes, 64, &bytes) ||
            !nnrt__add_size(matmul->between_bytes, bytes, &matmul->between_bytes))
            return nnrt__fail_memory();
    }
    step->out = *place;
    return OH_NN_SUCCESS;
}

/* Fills the steps in an order in which everything is computed before it is used. done: one flag per node, zero. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_order(struct nnrt__rknpu_matmul *matmul, nnrt__rknpu_mm_place *places,
                                               bool *done) {
    const nnrt_graph *graph = matmul->graph;
    uint32_t i;
    while (matmul->step_count < graph->node_count) {
        const uint32_t before = matmul->step_count;
        for (i = 0; i < graph->node_count; i++) {
            nnrt__rknpu_mm_step *step = &matmul->steps[matmul->step_count];
            const nnrt_node *node = &graph->nodes[i];
            OH_NN_ReturnCode code;
            if (done[i] || places[node->inputs[0]].kind == NNRT__RKNPU_MM_NOWHERE ||
                places[node->inputs[1]].kind == NNRT__RKNPU_MM_NOWHERE)
                continue;
            code = nnrt__rknpu_mm_read(graph, i, &step->spec);
            if (code == OH_NN_SUCCESS) code = nnrt__rknpu_mm_place_result(matmul, places, step);
            if (code != OH_NN_SUCCESS) return code;
            step->a = places[step->spec.a];
            step->b = places[step->spec.b];
            done[i] = true;
            matmul->step_count++;
        }
        if (matmul->step_count == before)
            return nnrt__fail(OH_NN_FAILED,
                              "the graph uses a tensor that nobody gives or computes, or goes in a circle");
    }
    for (i = 0; i < graph->output_count; i++)
        if (places[graph->outputs[i]].kind != NNRT__RKNPU_MM_OUTPUT)
            return nnrt__rknpu_mm_bad_tensor(graph, graph->outputs[i], "is a model output that no node computes");
    return OH_NN_SUCCESS;
}

/* Reads the graph into steps. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_read_graph(struct nnrt__rknpu_matmul *matmul) {
    const nnrt_graph *graph = matmul->graph;
    nnrt__rknpu_mm_place *places = (nnrt__rknpu_mm_place *)nnrt__alloc_zero(graph->tensor_count, sizeof(*places));
    bool *done = (bool *)nnrt__alloc_zero(graph->node_count, sizeof(*done));
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    matmul->steps = (nnrt__rknpu_mm_step *)nnrt__alloc_zero(graph->node_count, sizeof(matmul->steps[0]));
    if (places == NULL || done == NULL || matmul->steps == NULL) code = nnrt__fail_memory();
    for (i = 0; i < graph->node_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__rknpu_supports(matmul->device, graph, i); /* numbers of inputs and outputs, too */
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_mm_first_places(graph, places);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_mm_order(matmul, places, done);
    nnrt__free(places);
    nnrt__free(done);
    return code;
}

/* Describes inputs and outputs. Dynamic dimensions of an output are replaced by the computed ones. */
NNRT__FN void nnrt__rknpu_mm_describe(const struct nnrt__rknpu_matmul *matmul, nnrt__rknpu_port *ports) {
    const nnrt_graph *graph = matmul->graph;
    uint32_t i, k;
    for (i = 0; i < graph->input_count + graph->output_count; i++) {
        const uint32_t tensor = i < graph->input_count ? graph->inputs[i] : graph->outputs[i - graph->input_count];
        const nnrt_tensor_info *info = &graph->tensors[tensor];
        nnrt_io_desc *desc = &ports[i].desc;
        desc->name = info->name;
        desc->dtype = info->dtype;
        desc->format = info->format;
        desc->rank = info->rank;
        for (k = 0; k < info->rank; k++) desc->dims[k] = info->dims[k];
        if (info->quant.count == 1) {
            desc->scale = info->quant.scales[0];
            desc->zero_point = info->quant.zero_points[0];
        }
    }
    for (i = 0; i < matmul->step_count; i++) {
        const nnrt__rknpu_mm_step *step = &matmul->steps[i];
        if (step->out.kind == NNRT__RKNPU_MM_OUTPUT)
            memcpy(ports[graph->input_count + step->out.at].desc.dims, step->spec.out_dims,
                   sizeof(step->spec.out_dims));
    }
}

NNRT__FN void nnrt__rknpu_mm_free(struct nnrt__rknpu_matmul *matmul) {
    uint32_t i;
    for (i = 0; matmul->steps != NULL && i < matmul->step_count; i++) {
        nnrt__rknpu_mm_step *step = &matmul->steps[i];
        if (step->b_memory != NULL) nnrt__rknpu_memory_release(step->b_memory);
        nnrt__rknpu_context_release(step->context);
        nnrt__free(step->constants);
    }
    nnrt__free(matmul->steps);
    nnrt__free(matmul);
}

/* Bytes of NNRT_MALLOC in matmul, but for contexts and memory of the device. */
NNRT__FN size_t nnrt__rknpu_mm_heap_bytes(const struct nnrt__rknpu_matmul *matmul) {
    size_t bytes = nnrt__block_bytes(matmul) + nnrt__block_bytes(matmul->steps);
    uint32_t i;
    for (i = 0; i < matmul->step_count; i++) bytes += nnrt__block_bytes(matmul->steps[i].constants);
    return bytes;
}

/* Fills model->matmul, the counts and model->ports (allocated here, the model's to free); nothing on failure. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_matmul_prepare(nnrt__rknpu_device *device, const nnrt_request *request,
                                                     nnrt__rknpu_model *model) {
    const nnrt_graph *graph = request->graph;
    struct nnrt__rknpu_matmul *matmul;
    nnrt__rknpu_port *ports;
    OH_NN_ReturnCode code;
    uint32_t i;
    if (graph->node_count > NNRT__RKNPU_MM_MAX_STEPS || graph->input_count > NNRT__RKNPU_MAX_IO ||
        graph->output_count > NNRT__RKNPU_MAX_IO)
        return nnrt__fail(OH_NN_UNSUPPORTED,
                          "a graph on the NPU has at most %u nodes, %u inputs and %u outputs; put it on the CPU device",
                          NNRT__RKNPU_MM_MAX_STEPS, NNRT__RKNPU_MAX_IO, NNRT__RKNPU_MAX_IO);
    matmul = (struct nnrt__rknpu_matmul *)nnrt__alloc_zero(1, sizeof(*matmul));
    ports = (nnrt__rknpu_port *)nnrt__alloc_zero((size_t)graph->input_count + graph->output_count, sizeof(*ports));
    if (matmul == NULL || ports == NULL) {
        nnrt__free(matmul);
        nnrt__free(ports);
        return nnrt__fail_memory();
    }
    matmul->device = device;
    matmul->graph = graph;
    matmul->memory_flags = model->options.non_cacheable ? NNRT_RKNN_MEMORY_NON_CACHEABLE : NNRT_RKNN_MEMORY_DEFAULT;
    matmul->profile = model->options.npu.profile;
    code = nnrt__rknpu_mm_read_graph(matmul);
    for (i = 0; i < matmul->step_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__rknpu_mm_prepare_step(matmul, request, &model->options, &matmul->steps[i]);
    if (code != OH_NN_SUCCESS) {
        nnrt__rknpu_mm_free(matmul);
        nnrt__free(ports);
        return code;
    }
    nnrt__rknpu_mm_describe(matmul, ports);
    model->matmul = matmul;
    model->ports = ports;
    model->npu.input_count = graph->input_count;
    model->npu.output_count = graph->output_count;
    return OH_NN_SUCCESS;
}

/* Frees model->matmul; the ports are the model's. NULL is allowed. */
NNRT__FN void nnrt__rknpu_matmul_release(nnrt__rknpu_model *model) {
    if (model->matmul == NULL) return;
    nnrt__rknpu_mm_free(model->matmul);
    model->matmul = NULL;
}

#endif /* NNRT_RKNPU_MATMUL_BUILD_H */
