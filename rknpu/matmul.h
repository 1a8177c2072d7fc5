/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/matmul.h - graphs on the NPU: MATMUL and FULL_CONNECTION through the vendor's matmul API.   >>rknpu_matmul

   A graph becomes steps, one node each, in order of execution; tensors between them lie in ordinary memory. A step
   is one matmul context. The NPU multiplies int8 into int32, or float16 into float32; zero points, bias,
   requantization and activation follow on the CPU with the CPU device's own arithmetic, so that int8 results are its
   bytes.

   Rooms     matmul_spec.h   what a node computes
             matmul_pack.h   matrices into and out of the NPU's layouts; matmul_neon.h the hottest loop of it
             matmul_build.h  contexts, B
   and here executors and runs. A run goes through the steps: each packs A into the NPU's memory, lets the NPU multiply,
   and finishes the products while storing them in the result. The vendor requires the data of A and B to be in place
   when rknn_matmul_set_io_mem is called, so what changes is bound again in each run. The vendor calls of one product
   are one call of the runner and touch no tensor of the program, so a run that is given up there uses nothing that the
   program may free. After open a run allocates nothing. Executors of one compilation have contexts of their own and
   share the memory of B. */
#ifndef NNRT_RKNPU_MATMUL_H
#define NNRT_RKNPU_MATMUL_H

#include "device.h"
#include "matmul_build.h"

#if NNRT__HAVE_NEON
#include "matmul_neon.h"
#define NNRT__RKNPU_MM_UNPACK_S8 nnrt__rknpu_mm_unpack_s8_neon
#else
#define NNRT__RKNPU_MM_UNPACK_S8 nnrt__rknpu_mm_unpack_s8
#endif

/* An executor's state for one step. */
typedef struct nnrt__rknpu_mm_product {
    nnrt__rknpu_context *context;  /* counted */
    nnrt__rknpu_memory *a, *b, *c; /* counted; b NULL: the memory of the step is used */
} nnrt__rknpu_mm_product;

typedef struct nnrt__rknpu_mm_state {
    nnrt__rknpu_model *model;
    struct nnrt__rknpu_matmul *matmul;
    bool owner;                       /* uses the contexts that Build made */
    nnrt__rknpu_mm_product *products; /* one per step */
    uint8_t *between;                 /* tensors between steps */
    uint32_t *base, *sums;            /* of the product under way */
    nnrt_profile_step *profile;
    uint64_t copied, syncs;       /* of the last run */
    nnrt__rknpu_context *current; /* that the run is in or was last in */
    nnrt__runner *runner;         /* of the executor */
} nnrt__rknpu_mm_state;

/* ------------------------------------------------------------------------------------ calls that may hang */

/* Gives up a vendor call of matmul_run, from another thread: its context is stuck (nnrt__rknpu_give_up). The next
   matmul_run enters the contexts again and must not begin before that run has ended. Never blocks. */
NNRT__FN void nnrt__rknpu_matmul_give_up(void *state) {
    nnrt__rknpu_context *context = ((nnrt__rknpu_mm_state *)state)->current;
    if (context != NULL) nnrt__rknpu_give_up(context);
}

/* Makes call on context, after recording the context for a thread that gives the run up. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_call_in(nnrt__rknpu_mm_state *self, nnrt__rknpu_context *context,
                                                 OH_NN_ReturnCode (*call)(void *argument), void *argument) {
    self->current = context;
    return nnrt__runner_call(self->runner, call, argument);
}

/* Enters context, in such a call. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_enter(const nnrt__rknpu_mm_state *self, nnrt__rknpu_context *context) {
    return nnrt__rknpu_enter_until(context, nnrt__runner_grace_ends(self->runner)) ? OH_NN_SUCCESS
                                                                                   : nnrt__runner_hangs(self->runner);
}

/* -------------------------------------------------------------------------------------------- open, close */

/* Binds the fixed B of step in the context of product: the memory that Build made, as this context knows it, or another
   copy where the runtime cannot share it between contexts. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_take_b(const struct nnrt__rknpu_matmul *matmul,
                                                const nnrt__rknpu_mm_step *step, nnrt__rknpu_mm_product *product) {
    static const char what[] = "B, rknn_matmul_set_io_mem";
    nnrt__rknpu_context *context = product->context;
    nnrt_rknn_tensor_mem *mem;
    bool flushed;
    OH_NN_ReturnCode code;
    if (!nnrt__rknpu_enter(context)) return nnrt__rknpu_fail_stuck();
    code = nnrt__rknpu_memory_view(step->b_memory, context, step->io.B.size, &mem, &flushed);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_mm_bind(context, mem, &step->io.B, what);
    nnrt__rknpu_leave(context);
    if (code == OH_NN_SUCCESS || code == OH_NN_CONNECTION_EXCEPTION || context == step->context) return code;
    code = nnrt__rknpu_mm_fixed_b(matmul, step, context, &product->b);
    if (code != OH_NN_SUCCESS) {
        product->b = NULL;
        return code;
    }
    if (!nnrt__rknpu_enter(context)) return nnrt__rknpu_fail_stuck();
    code = nnrt__rknpu_mm_bind(context, product->b->mem, &step->io.B, what);
    nnrt__rknpu_leave(context);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_new_memory(const struct nnrt__rknpu_matmul *matmul,
                                                    nnrt__rknpu_context *context, size_t size,
                                                    nnrt__rknpu_memory **memory) {
    const OH_NN_ReturnCode code = nnrt__rknpu_memory_new(context, size, matmul->memory_flags, memory);
    if (code != OH_NN_SUCCESS) *memory = NULL;
    return code;
}

/* Context, memory and lasting bindings of one step. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_open_product(nnrt__rknpu_mm_state *self, nnrt__rknpu_mm_step *step,
                                                      nnrt__rknpu_mm_product *product) {
    const struct nnrt__rknpu_matmul *matmul = self->matmul;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (self->owner) {
        product->context = step->context;
        nnrt__rknpu_context_retain(product->context);
    } else {
        code = nnrt__rknpu_mm_context_new(matmul, step, &self->model->options, false, &product->context);
        if (code != OH_NN_SUCCESS) product->context = NULL;
    }
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_mm_new_memory(matmul, product->context, step->io.A.size, &product->a);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_mm_new_memory(matmul, product->context, step->io.C.size, &product->c);
    if (code == OH_NN_SUCCESS && step->fixed_b) code = nnrt__rknpu_mm_take_b(matmul, step, product);
    if (code == OH_NN_SUCCESS && !step->fixed_b)
        code = nnrt__rknpu_mm_new_memory(matmul, product->context, step->io.B.size, &product->b);
    if (code != OH_NN_SUCCESS) return code;
    memset(product->a->data, 0, product->a->size); /* padding stays as it is */
    if (!nnrt__rknpu_enter(product->context)) return nnrt__rknpu_fail_stuck();
    code = nnrt__rknpu_mm_bind(product->context, product->c->mem, &step->io.C, "C, rknn_matmul_set_io_mem");
    nnrt__rknpu_leave(product->context);
    return code;
}

/* The profile step before any run. */
NNRT__FN void nnrt__rknpu_mm_describe_step(const nnrt_graph *graph, const nnrt__rknpu_mm_step *step,
                                           nnrt_profile_step *profile) {
    const nnrt__rknpu_mm_spec *spec = &step->spec;
    const nnrt_tensor_info *out = &graph->tensors[spec->out];
    profile->name = out->name;
    profile->op = spec->node->op;
    profile->kernel = !spec->s8 ? "matmul_f16" : step->element == NNRT__RKNPU_MM_S4 ? "matmul_s8_s4" : "matmul_s8";
    profile->isa = "npu";
    profile->dtype = out->dtype;
    profile->rank = spec->out_rank;
    memcpy(profile->dims, spec->out_dims, sizeof(spec->out_dims));
    profile->macs = (uint64_t)spec->batches * spec->m * spec->n * spec->k;
    profile->weights_bytes = step->fixed_b ? step->io.B.size : 0;
    if (!spec->s8) return;
    profile->output_scale = out->quant.scales[0];
    profile->output_zero_point = spec->out_zero;
    profile->weight_scales = graph->tensors[spec->b].quant.count;
}

/* Closes the part of an executor whose runs have all ended. */
NNRT__FN void nnrt__rknpu_matmul_close(void *state) {
    nnrt__rknpu_mm_state *self = (nnrt__rknpu_mm_state *)state;
    uint32_t i;
    for (i = 0; self->products != NULL && i < self->matmul->step_count; i++) {
        nnrt__rknpu_mm_product *product = &self->products[i];
        nnrt__rknpu_memory_release(product->a);
        nnrt__rknpu_memory_release(product->b);
        nnrt__rknpu_memory_release(product->c);
        nnrt__rknpu_context_release(product->context);
    }
    if (self->owner) {
        nnrt__mutex_lock(&self->matmul->device->mutex);
        self->matmul->taken = false;
        nnrt__mutex_unlock(&self->matmul->device->mutex);
    }
    nnrt__free(self->products);
    nnrt__free(self->between);
    nnrt__free(self->base);
    nnrt__free(self->sums);
    nnrt__free(self->profile);
    nnrt__free(self);
}

/* Of this executor alone. */
NNRT__FN size_t nnrt__rknpu_matmul_state_bytes(const void *state) {
    const nnrt__rknpu_mm_state *self = (const nnrt__rknpu_mm_state *)state;
    return nnrt__block_bytes(self) + nnrt__block_bytes(self->products) + nnrt__block_bytes(self->between) +
           nnrt__block_bytes(self->base) + nnrt__block_bytes(self->sums) + nnrt__block_bytes(self->profile);
}

NNRT__FN bool nnrt__rknpu_matmul_holds_context(const void *state, const nnrt__rknpu_context *context) {
    const nnrt__rknpu_mm_state *self = (const nnrt__rknpu_mm_state *)state;
    uint32_t i;
    for (i = 0; i < self->matmul->step_count; i++)
        if (self->products[i].context == context || self->matmul->steps[i].context == context) return true;
    return false;
}

NNRT__FN bool nnrt__rknpu_matmul_holds_memory(const void *state, const nnrt__rknpu_memory *memory) {
    const nnrt__rknpu_mm_state *self = (const nnrt__rknpu_mm_state *)state;
    uint32_t i;
    for (i = 0; i < self->matmul->step_count; i++) {
        const nnrt__rknpu_mm_product *product = &self->products[i];
        if (product->a == memory || product->b == memory || product->c == memory ||
            self->matmul->steps[i].b_memory == memory)
            return true;
    }
    return false;
}

/* The part of an executor that a graph has. Vendor calls of matmul_run that may hang are calls of runner. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_matmul_open(nnrt__rknpu_model *model, nnrt__runner *runner, void **state) {
    struct nnrt__rknpu_matmul *matmul = model->matmul;
    nnrt__rknpu_mm_state *self = (nnrt__rknpu_mm_state *)nnrt__alloc_zero(1, sizeof(*self));
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    if (self == NULL) return nnrt__fail_memory();
    self->model = model;
    self->matmul = matmul;
    self->runner = runner;
    nnrt__mutex_lock(&matmul->device->mutex);
    self->owner = !matmul->taken;
    matmul->taken = true;
    nnrt__mutex_unlock(&matmul->device->mutex);
    self->products = (nnrt__rknpu_mm_product *)nnrt__alloc_zero(matmul->step_count, sizeof(self->products[0]));
    self->profile = (nnrt_profile_step *)nnrt__alloc_zero(matmul->step_count, sizeof(self->profile[0]));
    self->between = (uint8_t *)nnrt__alloc(matmul->between_bytes);
    self->base = (uint32_t *)nnrt__alloc_zero(matmul->base_words, sizeof(self->base[0]));
    self->sums = (uint32_t *)nnrt__alloc_zero(matmul->sum_words, sizeof(self->sums[0]));
    if (self->products == NULL || self->profile == NULL || self->between == NULL || self->base == NULL ||
        self->sums == NULL)
        code = nnrt__fail_memory();
    for (i = 0; i < matmul->step_count && code == OH_NN_SUCCESS; i++) {
        nnrt__rknpu_mm_describe_step(matmul->graph, &matmul->steps[i], &self->profile[i]);
        code = nnrt__rknpu_mm_open_product(self, &matmul->steps[i], &self->products[i]);
    }
    if (code != OH_NN_SUCCESS) nnrt__rknpu_matmul_close(self);
    else *state = self;
    return code;
}

/* ---------------------------------------------------------------------------------------------------- run */

/* One product of a run. */
typedef struct nnrt__rknpu_mm_call {
    nnrt__rknpu_mm_state *self;
    const nnrt__rknpu_mm_step *step;
    const nnrt__rknpu_mm_product *product;
} nnrt__rknpu_mm_call;

/* The NPU's part of it: A, and B unless it is fixed, lie in memory. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_call_multiply(void *argument) {
    const nnrt__rknpu_mm_call *call = (const nnrt__rknpu_mm_call *)argument;
    nnrt__rknpu_mm_state *self = call->self;
    const nnrt__rknpu_mm_step *step = call->step;
    const nnrt__rknpu_mm_product *product = call->product;
    nnrt__rknpu_context *context = product->context;
    OH_NN_ReturnCode code = nnrt__rknpu_mm_enter(self, context);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__rknpu_mm_sync(context, product->a->mem, NNRT_RKNN_SYNC_TO_DEVICE, &self->syncs);
    if (code == OH_NN_SUCCESS)
        code = nnrt__rknpu_mm_bind(context, product->a->mem, &step->io.A, "A, rknn_matmul_set_io_mem");
    if (code == OH_NN_SUCCESS && !step->fixed_b) {
        code = nnrt__rknpu_mm_sync(context, product->b->mem, NNRT_RKNN_SYNC_TO_DEVICE, &self->syncs);
        if (code == OH_NN_SUCCESS)
            code = nnrt__rknpu_mm_bind(context, product->b->mem, &step->io.B, "B, rknn_matmul_set_io_mem");
    }
    if (code == OH_NN_SUCCESS) {
        const int result = self->matmul->device->library.api.matmul_run(context->handle);
        if (result != NNRT_RKNN_SUCC) code = nnrt__rknpu_fail(result, "rknn_matmul_run");
    }
    if (code == OH_NN_SUCCESS)
        code = nnrt__rknpu_mm_sync(context, product->c->mem, NNRT_RKNN_SYNC_FROM_DEVICE, &self->syncs);
    nnrt__rknpu_leave(context);
    return code;
}

/* Finishes the products of C into out, the first element of this product's result. */
NNRT__FN void nnrt__rknpu_mm_finish(const nnrt__rknpu_mm_state *self, const nnrt__rknpu_mm_step *step,
                                    const nnrt__rknpu_mm_product *product, void *out) {
    const nnrt__rknpu_mm_spec *spec = &step->spec;
    const uint32_t tile = step->io.C.dims[2];
    nnrt__rknpu_mm_finish_s8 how;
    if (!spec->s8) {
        nnrt__rknpu_mm_unpack_float((const float *)product->c->data, spec->m, spec->n, tile,
                                    (const float *)step->constants, spec->low, spec->high, step->out_dtype, out);
        return;
    }
    how.m = spec->m;
    how.n = spec->n;
    how.tile = tile;
    how.base = step->fixed_b ? (const uint32_t *)step->constants : self->base;
    how.row_sums = spec->b_zero != 0 ? self->sums : NULL;
    how.multiplier = (const int32_t *)step->constants + spec->n;
    how.shift = how.multiplier + spec->n;
    how.b_zero = spec->b_zero;
    how.out_zero = spec->out_zero;
    how.clamp_min = spec->clamp_min;
    how.clamp_max = spec->clamp_max;
    NNRT__RKNPU_MM_UNPACK_S8(&how, (const int32_t *)product->c->data, (int8_t *)out);
}

/* One step of a run; a, b and out are its tensors. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_run_step(nnrt__rknpu_mm_state *self, const nnrt__rknpu_mm_step *step,
                                                  const nnrt__rknpu_mm_product *product, const uint8_t *a,
                                                  const uint8_t *b, uint8_t *out, uint64_t *copied) {
    const nnrt__rknpu_mm_spec *spec = &step->spec;
    const size_t a_element = nnrt__element_size(step->a_dtype), b_element = nnrt__element_size(step->b_dtype);
    const size_t result = spec->m * spec->n * nnrt__element_size(step->out_dtype);
    nnrt__rknpu_mm_call call;
    size_t batch;
    call.self = self;
    call.step = step;
    call.product = product;
    for (batch = 0; batch < spec->batches; batch++) {
        size_t a_at, b_at;
        OH_NN_ReturnCode code;
        nnrt__rknpu_mm_offsets(spec, batch, &a_at, &b_at);
        nnrt__rknpu_mm_pack_a(a + a_at * a_element, step->a_dtype, spec->m, spec->k, spec->a_transposed,
                              step->io.A.dims[0], step->io.A.dims[2], product->a->data);
        *copied += spec->m * spec->k * a_element + result;
        if (spec->b_zero != 0)
            nnrt__rknpu_mm_row_sums((const int8_t *)(a + a_at * a_element), spec->m, spec->k, spec->a_transposed,
                                    self->sums);
        if (!step->fixed_b) {
            const nnrt__rknpu_mm_source source = nnrt__rknpu_mm_b_source(step, b + b_at * b_element);
            code = nnrt__rknpu_mm_write_b(&self->matmul->device->library, step, &source, product->b->data);
            if (code != OH_NN_SUCCESS) return code;
            if (spec->s8) nnrt__rknpu_mm_base(&source, NULL, spec->a_zero, spec->b_zero, self->base);
            *copied += spec->k * spec->n * b_element;
        }
        code = nnrt__rknpu_mm_call_in(self, product->context, nnrt__rknpu_mm_call_multiply, &call);
        if (code != OH_NN_SUCCESS) return code;
        nnrt__rknpu_mm_finish(self, step, product, out + batch * result);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN uint8_t *nnrt__rknpu_mm_at(const nnrt__rknpu_mm_state *self, const nnrt__rknpu_mm_place *place,
                                    const nnrt_io *inputs, const nnrt_io *outputs) {
    switch (place->kind) {
    case NNRT__RKNPU_MM_CONSTANT: return (uint8_t *)(uintptr_t)place->data; /* only read */
    case NNRT__RKNPU_MM_INPUT: return (uint8_t *)inputs[place->at].data;
    case NNRT__RKNPU_MM_OUTPUT: return (uint8_t *)outputs[place->at].data;
    default: return self->between + place->at;
    }
}

/* A dma-buf that the program gave. */
typedef struct nnrt__rknpu_mm_sync_call {
    nnrt__rknpu_mm_state *self;
    nnrt__rknpu_memory *memory;
    nnrt_rknn_mem_sync_mode mode;
} nnrt__rknpu_mm_sync_call;

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_call_sync(void *argument) {
    const nnrt__rknpu_mm_sync_call *call = (const nnrt__rknpu_mm_sync_call *)argument;
    nnrt__rknpu_context *context = call->self->products[0].context;
    nnrt_rknn_tensor_mem *mem;
    bool flushed;
    OH_NN_ReturnCode code = nnrt__rknpu_mm_enter(call->self, context);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__rknpu_memory_view(call->memory, context, call->memory->size, &mem, &flushed);
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_mm_sync(context, mem, call->mode, &call->self->syncs);
    else if (code == OH_NN_UNSUPPORTED) code = OH_NN_SUCCESS;
    nnrt__rknpu_leave(context);
    return code;
}

NNRT__FN void nnrt__rknpu_mm_call_release(void *memory) { nnrt__rknpu_memory_release((nnrt__rknpu_memory *)memory); }

/* Makes a dma-buf consistent for the CPU, whoever wrote it. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_sync_tensor(nnrt__rknpu_mm_state *self, const nnrt_io *io,
                                                     nnrt_rknn_mem_sync_mode mode) {
    nnrt__rknpu_mm_sync_call call;
    OH_NN_ReturnCode code, released;
    call.self = self;
    call.memory = (nnrt__rknpu_memory *)io->memory;
    call.mode = mode;
    if (call.memory == NULL || call.memory->kind != NNRT__RKNPU_MEMORY_FD) return OH_NN_SUCCESS;
    nnrt__rknpu_memory_retain(call.memory); /* the program may destroy its tensor once the run is given up */
    code = nnrt__rknpu_mm_call_in(self, self->products[0].context, nnrt__rknpu_mm_call_sync, &call);
    released = nnrt__runner_call_anyway(self->runner, nnrt__rknpu_mm_call_release, call.memory);
    return code == OH_NN_SUCCESS ? released : code;
}

/* Checks the tensors against the model. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_mm_check_tensors(const nnrt__rknpu_model *model, const nnrt_io *inputs,
                                                       const nnrt_io *outputs) {
    uint32_t i, k;
    for (i = 0; i < model->npu.input_count + model->npu.output_count; i++) {
        const bool output = i >= model->npu.input_count;
        const uint32_t number = output ? i - model->npu.input_count : i;
        const nnrt_io *io = output ? &outputs[number] : &inputs[number];
        const nnrt_io_desc *desc = &model->ports[i].desc;
        size_t size = nnrt__element_size(desc->dtype);
        bool fits = io->dtype == desc->dtype && (output || io->rank == desc->rank);
        for (k = 0; k < desc->rank; k++) {
            size *= (size_t)desc->dims[k];
            fits = fits && (output || io->dims[k] == desc->dims[k]);
        }
        if (!fits || io->size < size)
            return nnrt__fail(OH_NN_INVALID_PARAMETER,
                              "%s %u is not the tensor of the model, which has %zu bytes of %s",
                              output ? "output" : "input", (unsigned)number, size, nnrt__dtype_name(desc->dtype));
    }
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__rknpu_mm_note_time(nnrt_profile_step *profile, uint64_t ns) {
    profile->last_ns = ns;
    if (profile->runs == 0 || ns < profile->min_ns) profile->min_ns = ns;
    profile->total_ns += ns;
    profile->runs++;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_matmul_run(void *state, const nnrt_io *inputs, nnrt_io *outputs) {
    nnrt__rknpu_mm_state *self = (nnrt__rknpu_mm_state *)state;
    const nnrt__rknpu_model *model = self->model;
    OH_NN_ReturnCode code = nnrt__rknpu_mm_check_tensors(model, inputs, outputs);
    uint32_t i;
    self->copied = self->syncs = 0;
    for (i = 0; i < model->npu.input_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__rknpu_mm_sync_tensor(self, &inputs[i], NNRT_RKNN_SYNC_BIDIRECTIONAL);
    for (i = 0; i < self->matmul->step_count && code == OH_NN_SUCCESS; i++) {
        const nnrt__rknpu_mm_step *step = &self->matmul->steps[i];
        nnrt_profile_step *profile = &self->profile[i];
        const uint64_t start = self->matmul->profile ? nnrt__now_ns() : 0;
        profile->copied_bytes = 0;
        code =
            nnrt__rknpu_mm_run_step(self, step, &self->products[i], nnrt__rknpu_mm_at(self, &step->a, inputs, outputs),
                                    nnrt__rknpu_mm_at(self, &step->b, inputs, outputs),
                                    nnrt__rknpu_mm_at(self, &step->out, inputs, outputs), &profile->copied_bytes);
        self->copied += profile->copied_bytes;
        if (self->matmul->profile && code == OH_NN_SUCCESS) nnrt__rknpu_mm_note_time(profile, nnrt__now_ns() - start);
    }
    for (i = 0; i < model->npu.output_count && code == OH_NN_SUCCESS; i++) {
        const nnrt_io_desc *desc = &model->ports[model->npu.input_count + i].desc;
        outputs[i].rank = desc->rank;
        memcpy(outputs[i].dims, desc->dims, sizeof(outputs[i].dims));
        code = nnrt__rknpu_mm_sync_tensor(self, &outputs[i], NNRT_RKNN_SYNC_TO_DEVICE);
    }
    return code;
}

/* -------------------------------------------------------------------------------------------------- facts */

/* One step per node; the array belongs to the state. */
NNRT__FN void nnrt__rknpu_matmul_profile(void *state, const nnrt_profile_step **steps, uint32_t *count) {
    const nnrt__rknpu_mm_state *self = (const nnrt__rknpu_mm_state *)state;
    *steps = self->profile;
    *count = self->matmul->step_count;
}

/* Adds to all figures of memory except heap_bytes. */
NNRT__FN void nnrt__rknpu_matmul_memory(void *state, nnrt_memory *memory) {
    const nnrt__rknpu_mm_state *self = (const nnrt__rknpu_mm_state *)state;
    const struct nnrt__rknpu_matmul *matmul = self->matmul;
    uint32_t i;
    memory->arena_bytes += matmul->between_bytes;
    for (i = 0; i < matmul->step_count; i++) {
        const nnrt__rknpu_mm_step *step = &matmul->steps[i];
        const size_t constants = step->spec.n * (step->spec.s8 ? 3 : 1) * sizeof(int32_t);
        memory->weights_bytes += constants + (step->fixed_b ? step->io.B.size : 0);
        memory->device_bytes += (size_t)step->io.A.size + step->io.B.size + step->io.C.size;
    }
}

/* Bytes that the last run copied between tensors and the NPU's memory, and its rknn_mem_sync calls. */
NNRT__FN void nnrt__rknpu_matmul_counters(void *state, uint64_t *copied_bytes, uint64_t *syncs) {
    const nnrt__rknpu_mm_state *self = (const nnrt__rknpu_mm_state *)state;
    *copied_bytes = self->copied;
    *syncs = self->syncs;
}

#endif /* NNRT_RKNPU_MATMUL_H */
