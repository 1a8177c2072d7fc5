/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_context.c - rknn_init and what belongs to a context: its model, duplicates, cores, memory from
   outside. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "sim_rknn.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Flags that this version knows; others are ignored, as on a board. */
static uint32_t sim_rknn_known_flags(uint32_t flags) {
    uint32_t known = 0xffu | NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY;
    if (NNRT_SIM_VERSION >= 0x010502)
        known |= NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE | NNRT_RKNN_FLAG_EXECUTE_FALLBACK_PRIOR_DEVICE_GPU;
    if (NNRT_SIM_VERSION >= 0x010600)
        known |= NNRT_RKNN_FLAG_ENABLE_SRAM | NNRT_RKNN_FLAG_SHARE_SRAM | NNRT_RKNN_FLAG_DISABLE_PROC_HIGH_PRIORITY;
    if (NNRT_SIM_VERSION >= 0x020000)
        known |= NNRT_RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE | NNRT_RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE;
    if (NNRT_SIM_VERSION >= 0x020100) known |= NNRT_RKNN_FLAG_MODEL_BUFFER_ZERO_COPY;
    if (NNRT_SIM_MINI)
        known &= NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE | NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE |
                 NNRT_RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE | NNRT_RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE;
    return flags & known;
}

bool sim_rknn_weights_outside(const sim_rknn_context *context) {
    return (context->flags & NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE) != 0;
}

bool sim_rknn_internal_outside(const sim_rknn_context *context) {
    return (context->flags & (NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE | NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE)) != 0;
}

void sim_rknn_port_tensor(const sim_rknn_context *context, uint32_t port, sim_tensor *tensor) {
    const bool output = port >= context->n_input;
    sim_model_tensor(context->shared->model, output, output ? port - context->n_input : port, context->shape, tensor);
}

/* Stand-ins for weights in memory of the caller: they must be there at every run. */
static uint8_t sim_rknn_weight_byte(const sim_rknn_context *context, size_t at) {
    const uint32_t seed = sim_model_weight_bytes(context->shared->model);
    return (uint8_t)((seed + at) * 2654435761u >> 13);
}

/* The bytes that fit. */
static size_t sim_rknn_weights_in(const sim_rknn_context *context, size_t room) {
    const size_t size = sim_model_weight_bytes(context->shared->model);
    return size < room ? size : room;
}

void sim_rknn_weights_write(const sim_rknn_context *context, uint8_t *bytes, size_t room) {
    size_t at, size = sim_rknn_weights_in(context, room);
    for (at = 0; at < size; ++at) bytes[at] = sim_rknn_weight_byte(context, at);
}

bool sim_rknn_weights_intact(const sim_rknn_context *context, const uint8_t *bytes, size_t room) {
    size_t at = 0, size = sim_rknn_weights_in(context, room);
    while (at < size && bytes[at] == sim_rknn_weight_byte(context, at)) ++at;
    return at == size;
}

/* --------------------------------------------------------------------------------------------------- init */

/* librknnrt has one code for all that is wrong with a file. */
#define SIM_RKNN_BAD_FILE \
    (NNRT_SIM_MINI || NNRT_SIM_VERSION < 0x010500 ? NNRT_RKNN_ERR_FAIL : NNRT_RKNN_ERR_MODEL_INVALID)

static bool sim_rknn_is_folder(FILE *file) {
    struct stat status;
    return fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode);
}

/* The bytes of path from offset on, size of them (0: to the end). *code says what is wrong when NULL comes
   back. */
static uint8_t *sim_rknn_read_file(const char *path, int32_t offset, uint32_t *size, int *code) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    long length = -1;
    *code = SIM_RKNN_BAD_FILE;
    if (!file) {
        sim_log("failed to open model: %s", path);
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0) length = ftell(file);
    if (!NNRT_SIM_MINI && (length == 0 || sim_rknn_is_folder(file)))
        sim_crash(SIGBUS, "rknn_init of librknnrt with a folder or an empty file");
    if (length >= 0 && offset >= 0 && offset < length && *size <= (uint32_t)(length - offset)) {
        if (*size == 0) *size = (uint32_t)(length - offset);
        bytes = (uint8_t *)malloc(*size);
        *code = NNRT_RKNN_ERR_MALLOC_FAIL;
        if (bytes && (fseek(file, offset, SEEK_SET) != 0 || fread(bytes, 1, *size, file) != *size)) {
            free(bytes);
            bytes = NULL;
            *code = SIM_RKNN_BAD_FILE;
        }
    }
    fclose(file);
    return bytes;
}

/* librknnmrt 1.4.0 dies when rknn_init fails behind opening the file. */
static int sim_rknn_refuse(const char *why) {
    sim_log("rknn_init: %s", why);
    if (NNRT_SIM_MINI && NNRT_SIM_VERSION < 0x010502)
        sim_crash(SIGSEGV, "librknnmrt before 1.5.2 dies where rknn_init fails");
    return SIM_RKNN_BAD_FILE;
}

/* librknnmrt does not look for which chip a model is. */
static bool sim_rknn_platform_fits(const char *platform) {
    static const char *const families[][2] = {{"rk3568", "rk3566"}, {"rv1103", "rv1106"}};
    size_t i;
    for (i = 0; i < 2; ++i) platform = strcmp(platform, families[i][0]) == 0 ? families[i][1] : platform;
    return NNRT_SIM_MINI || !*platform || strcmp(platform, sim_rknn_board_chip()->family) == 0;
}

static int sim_rknn_load_model(const uint8_t *bytes, size_t size, sim_model **model) {
    sim_rknn_file file;
    const char *error = sim_rknn_file_open(bytes, size, NNRT_SIM_MINI != 0, &file);
    size_t left;
    *model = NULL;
    if (error) return sim_rknn_refuse(error);
    switch (sim_rknn_file_format(file.format_version, NNRT_SIM_MINI != 0, NNRT_SIM_VERSION)) {
    case SIM_RKNN_DIES:
        sim_log("failed to decode config data!");
        sim_crash(SIGSEGV, "rknn_init of a file that is too new for librknnmrt before 1.6.0");
        break;
    case SIM_RKNN_REFUSES: return sim_rknn_refuse("incompatible model version");
    default: break;
    }
    if (!sim_rknn_platform_fits(file.platform)) return sim_rknn_refuse("the model is for another chip");
    if (sim_rknn_stream_is(&file)) *model = sim_rknn_stream_load(bytes, size, &error);
    else
        *model = NNRT_SIM_MINI ? sim_model_load_front(file.body, file.body_size, &left, &error)
                               : sim_model_load(file.body, file.body_size, &error);
    return *model ? 0 : sim_rknn_refuse(error ? error : "?");
}

static void sim_rknn_shared_release(sim_rknn_shared *shared) {
    bool last;
    sim_lock();
    last = --shared->base.references == 0;
    sim_unlock();
    if (last) {
        sim_model_free(shared->model);
        free(shared);
    }
}

static void sim_rknn_context_free(sim_rknn_context *context) {
    uint32_t i;
    while (context->blocks) {
        sim_rknn_block *block = context->blocks;
        context->blocks = block->next;
        free(block->data);
        free(block);
    }
    for (i = 0; context->ports && i < context->n_input + context->n_output; ++i) {
        free(context->ports[i].data);
        free(context->ports[i].previous);
    }
    free(context->ports);
    free(context->perf);
    free(context->model_copy);
    if (context->shared) sim_rknn_shared_release(context->shared);
    free(context);
}

/* A context on shared, whose reference it takes. NULL: *code says why, and the reference is gone. */
static sim_rknn_context *sim_rknn_context_make(sim_rknn_shared *shared, uint32_t flags, const sim_rknn_context *sram_of,
                                               int *code) {
    const bool empty = (flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY) != 0;
    size_t internal = sim_model_internal_bytes(shared->model), sram = 0;
    sim_rknn_context *context = (sim_rknn_context *)calloc(1, sizeof(*context));
    uint32_t i;
    sim_lock();
    if (empty || (flags & (NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE | NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE))) internal = 0;
    if ((flags & NNRT_RKNN_FLAG_ENABLE_SRAM) && !sram_of) {
        sram = sim_rknn_sram_left();
        sram = sram < internal ? sram : internal;
    }
    if (context && !sim_fits(internal - sram + (shared->base.references == 1 ? shared->base.bytes : 0))) {
        free(context);
        context = NULL;
    }
    if (context) {
        sim_context_add(&context->base, &sim_rknn_kind_model);
        context->shared = shared;
        context->base.shared = &shared->base;
        context->base.bytes = internal - sram;
        context->base.sram = sram;
        context->flags = flags;
        context->base.inside = "rknn_init"; /* nobody knows the handle yet, or may use it */
    }
    sim_unlock();
    *code = NNRT_RKNN_ERR_MALLOC_FAIL;
    if (!context) {
        sim_log("failed to malloc npu memory for a model");
        sim_rknn_shared_release(shared);
        return NULL;
    }
    context->n_input = sim_model_inputs(shared->model);
    context->n_output = sim_model_outputs(shared->model);
    context->ports = (sim_rknn_port *)calloc((size_t)context->n_input + context->n_output, sizeof(*context->ports));
    for (i = 0; context->ports && i < context->n_input + context->n_output; ++i) {
        size_t most = 0;
        uint32_t shape;
        for (shape = 0; shape < sim_model_shapes(shared->model); ++shape) {
            sim_tensor tensor;
            context->shape = shape;
            sim_rknn_port_tensor(context, i, &tensor);
            most = sim_tensor_bytes(&tensor) > most ? sim_tensor_bytes(&tensor) : most;
        }
        context->shape = 0;
        context->ports[i].data_bytes = most;
        context->ports[i].data = calloc(1, most ? most : 1);
        context->ports[i].previous = calloc(1, most ? most : 1);
        if (!context->ports[i].data || !context->ports[i].previous) break;
    }
    if (context->ports && i == context->n_input + context->n_output) {
        *code = 0;
        return context;
    }
    sim_lock();
    sim_context_unlink(&context->base);
    sim_unlock();
    sim_rknn_context_free(context);
    return NULL;
}

/* Weights, or SRAM, of another context. NULL: there is no such one. */
static sim_rknn_context *sim_rknn_other(const nnrt_rknn_init_extend *extend) {
    sim_context *other = NULL;
    sim_lock();
    if (extend) other = sim_context_find(extend->ctx);
    if (other && other->kind != &sim_rknn_kind_model) other = NULL;
    sim_unlock();
    return (sim_rknn_context *)other;
}

/* MODEL_BUFFER_ZERO_COPY: the memory that holds the model, by the descriptor that the caller names. */
static int sim_rknn_find_model_memory(const void *model, const nnrt_rknn_init_extend *extend, sim_memory_ref *ref,
                                      size_t *offset) {
    sim_memory *memory;
    int answer = NNRT_RKNN_ERR_PARAM_INVALID;
    sim_lock();
    for (memory = extend ? sim_state.memories : NULL; memory && answer; memory = memory->next) {
        const nnrt_rknn_tensor_mem *mem = (const nnrt_rknn_tensor_mem *)memory->vendor;
        const uint8_t *first = (const uint8_t *)mem->virt_addr;
        const size_t at = (size_t)((const uint8_t *)model - first);
        if (mem->fd != extend->model_buffer_fd || !first || (const uint8_t *)model < first || at >= memory->size ||
            extend->real_model_offset < 0 || (size_t)extend->real_model_offset > memory->size - at ||
            extend->real_model_size > memory->size - at - (size_t)extend->real_model_offset)
            continue;
        sim_memory_refer(ref, memory);
        *offset = at + (size_t)extend->real_model_offset;
        answer = 0;
    }
    if (answer)
        sim_mistake_locked("wrong model buffer: MODEL_BUFFER_ZERO_COPY needs NPU memory, its descriptor and the size");
    sim_unlock();
    return answer;
}

/* The model's bytes: where they are, and what has to be freed. */
typedef struct sim_rknn_source {
    const uint8_t *bytes;
    size_t size;
    uint8_t *owned;
    sim_memory_ref memory;
    size_t offset;
} sim_rknn_source;

static int sim_rknn_open_source(void *model, uint32_t size, uint32_t flags, const nnrt_rknn_init_extend *extend,
                                sim_rknn_source *source) {
    int answer = 0;
    memset(source, 0, sizeof(*source));
    if (flags & NNRT_RKNN_FLAG_MODEL_BUFFER_ZERO_COPY) {
        answer = sim_rknn_find_model_memory(model, extend, &source->memory, &source->offset);
        if (answer == 0) {
            source->bytes = (const uint8_t *)model + extend->real_model_offset;
            source->size = extend->real_model_size ? extend->real_model_size : size;
            if (source->size > source->memory.memory->size - source->offset) answer = NNRT_RKNN_ERR_MODEL_INVALID;
        }
    } else if (size > 0) {
        source->bytes = (const uint8_t *)model;
        source->size = size;
    } else {
        /* librknnrt up to 1.6.0 reads neither; librknnmrt both when there is a size. */
        const bool part = extend && (NNRT_SIM_MINI ? extend->real_model_size > 0 : NNRT_SIM_VERSION >= 0x020000);
        uint32_t length = part ? extend->real_model_size : 0;
        source->owned = sim_rknn_read_file((const char *)model, part ? extend->real_model_offset : 0, &length, &answer);
        source->bytes = source->owned;
        source->size = length;
        if (source->owned) answer = 0;
    }
    return answer;
}

/* The model of a new context: loaded, or that of extend->ctx with weights shared. */
static int sim_rknn_share_or_load(const sim_rknn_source *source, uint32_t flags, const nnrt_rknn_init_extend *extend,
                                  sim_rknn_shared **shared) {
    const bool empty = (flags & (NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY | NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE)) != 0;
    sim_rknn_context *other = (flags & NNRT_RKNN_FLAG_SHARE_WEIGHT_MEM) ? sim_rknn_other(extend) : NULL;
    sim_model *model;
    int answer = sim_rknn_load_model(source->bytes, source->size, &model);
    if (answer != 0) return answer;
    if ((flags & NNRT_RKNN_FLAG_SHARE_WEIGHT_MEM) &&
        (!other || sim_model_shapes(model) > 1 || sim_model_shapes(other->shared->model) > 1)) {
        sim_mistake("weights not shared: %s", other ? "a model has dynamic shapes" : "extend->ctx is no live context");
        sim_model_free(model);
        return other ? NNRT_RKNN_ERR_FAIL : NNRT_RKNN_ERR_CTX_INVALID;
    }
    *shared = (sim_rknn_shared *)calloc(1, sizeof(**shared));
    if (!*shared) {
        sim_model_free(model);
        return NNRT_RKNN_ERR_MALLOC_FAIL;
    }
    (*shared)->model = model;
    (*shared)->base.references = 1;
    (*shared)->base.bytes = empty || other ? 0 : sim_model_weight_bytes(model);
    return 0;
}

/* Where librknnrt fails once it has the device it leaves a number behind that is no context. */
static int sim_rknn_init_failed(nnrt_rknn_context *handle, int answer) {
    if (!NNRT_SIM_MINI) *handle = (nnrt_rknn_context)0x6b6e6e72u;
    return answer;
}

static int sim_rknn_init(nnrt_rknn_context *handle, void *model, uint32_t size, uint32_t flags,
                         nnrt_rknn_init_extend *extend) {
    const bool zero_copy = (flags & NNRT_RKNN_FLAG_MODEL_BUFFER_ZERO_COPY) != 0;
    sim_rknn_shared *shared = NULL;
    sim_rknn_context *context, *sram_of;
    sim_rknn_source source;
    uint8_t *copy = NULL;
    int answer = sim_rknn_open_source(model, size, flags, extend, &source);
    if (answer == 0) answer = sim_rknn_share_or_load(&source, flags, extend, &shared);
    if (answer == 0 && zero_copy) {
        copy = (uint8_t *)malloc(source.size);
        if (copy) memcpy(copy, source.bytes, source.size);
    }
    free(source.owned);
    if (answer != 0) return answer;
    sram_of = (flags & NNRT_RKNN_FLAG_SHARE_SRAM) ? sim_rknn_other(extend) : NULL;
    if (((flags & NNRT_RKNN_FLAG_SHARE_SRAM) && (!sram_of || !(flags & NNRT_RKNN_FLAG_ENABLE_SRAM))) ||
        (zero_copy && !copy)) {
        free(copy);
        sim_rknn_shared_release(shared);
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    context = sim_rknn_context_make(shared, flags, sram_of, &answer);
    if (!context) {
        free(copy);
        return answer;
    }
    context->model_memory = source.memory;
    context->model_offset = source.offset;
    context->model_size = source.size;
    context->model_copy = copy;
    *handle = (nnrt_rknn_context)context->base.handle;
    sim_rknn_end(context);
    return 0;
}

SIM_EXPORT int rknn_init(nnrt_rknn_context *handle, void *model, uint32_t size, uint32_t flag,
                         nnrt_rknn_init_extend *extend) {
    const uint32_t flags = sim_rknn_known_flags(flag);
    int answer;
    if (sim_enter("rknn_init", &answer)) return answer;
    if (!handle) return NNRT_RKNN_ERR_CTX_INVALID;
    if (!sim_rknn_board_fits()) return NNRT_RKNN_ERR_FAIL;
    sim_rknn_keep_device();
    if (!model) {
        if (NNRT_SIM_MINI && size > 0) sim_crash(SIGSEGV, "rknn_init of librknnmrt without a model");
        return sim_rknn_init_failed(handle, SIM_RKNN_BAD_FILE);
    }
    if ((flags & NNRT_RKNN_FLAG_SHARE_WEIGHT_MEM) && !extend)
        return sim_rknn_init_failed(handle,
                                    NNRT_SIM_VERSION < 0x010500 ? NNRT_RKNN_ERR_FAIL : NNRT_RKNN_ERR_PARAM_INVALID);
    answer = sim_rknn_init(handle, model, size, flags, extend);
    return answer == 0 ? 0 : sim_rknn_init_failed(handle, answer);
}

SIM_EXPORT int rknn_dup_context(nnrt_rknn_context *in, nnrt_rknn_context *out) {
    sim_rknn_context *context, *copy;
    int answer = sim_rknn_begin(in ? *in : 0, "rknn_dup_context", &context);
    if (answer != 0) return answer;
    if (!NNRT_SIM_MINI && !out) {
        answer = NNRT_RKNN_ERR_PARAM_INVALID;
    } else if (NNRT_SIM_MINI || sim_model_shapes(context->shared->model) > 1) {
        sim_mistake("not supported: rknn_dup_context %s",
                    NNRT_SIM_MINI ? "on librknnmrt" : "of a model with dynamic shapes");
        answer = NNRT_RKNN_ERR_FAIL;
    } else {
        sim_lock();
        ++context->shared->base.references;
        sim_unlock();
        copy = sim_rknn_context_make(context->shared, context->flags, NULL, &answer);
        if (copy) {
            *out = (nnrt_rknn_context)copy->base.handle;
            sim_rknn_end(copy);
        }
    }
    sim_rknn_end(context);
    return answer;
}

SIM_EXPORT int rknn_destroy(nnrt_rknn_context handle) {
    sim_rknn_context *context;
    unsigned left, blocks = 0;
    const sim_rknn_block *block;
    int answer = sim_rknn_begin_last(handle, "rknn_destroy", &context);
    if (answer != 0) return answer;
    sim_rknn_custom_end(context);
    for (block = context->blocks; block; block = block->next) ++blocks;
    sim_lock();
    left = sim_memories_of(handle);
    if (left) sim_mistake_locked("leak: rknn_destroy of a context with %u memories that are not destroyed", left);
    if (blocks) sim_mistake_locked("leak: rknn_destroy of a context with %u outputs that were not released", blocks);
    sim_context_unlink(&context->base);
    sim_unlock();
    sim_rknn_context_free(context);
    return 0;
}

/* -------------------------------------------------------------------------------------------------- cores */

#if !NNRT_SIM_MINI
static bool sim_rknn_mask_possible(uint32_t cores, int mask) {
    if (cores < 2) return false;
    if (mask == NNRT_RKNN_CORE_ALL) return NNRT_SIM_VERSION >= 0x020000;
    if (mask == NNRT_RKNN_CORE_2 || mask == NNRT_RKNN_CORE_0_1_2) return cores == 3;
    return mask >= 0 && mask <= NNRT_RKNN_CORE_0_1;
}

SIM_EXPORT int rknn_set_core_mask(nnrt_rknn_context handle, nnrt_rknn_core_mask mask) {
    sim_rknn_context *context;
    int answer = sim_rknn_begin(handle, "rknn_set_core_mask", &context);
    if (answer != 0) return answer;
    if (!sim_rknn_mask_possible(sim_rknn_board_chip()->cores, (int)mask)) answer = NNRT_RKNN_ERR_FAIL;
    else if ((int)mask > NNRT_RKNN_CORE_1 && (int)mask != NNRT_RKNN_CORE_2 &&
             !sim_model_multi_core(context->shared->model))
        sim_log("core mask %d is not supported by this model: single core auto", (int)mask);
    sim_rknn_end(context);
    return answer;
}

SIM_EXPORT int rknn_set_batch_core_num(nnrt_rknn_context handle, int count) {
    sim_rknn_context *context;
    sim_tensor tensor;
    int answer = sim_rknn_begin(handle, "rknn_set_batch_core_num", &context);
    if (answer != 0) return answer;
    sim_rknn_port_tensor(context, 0, &tensor);
    if (sim_rknn_board_chip()->cores < 2 || count < 1 || (uint32_t)count > sim_rknn_board_chip()->cores)
        answer = NNRT_RKNN_ERR_FAIL;
    else if (tensor.rank != 4 || tensor.dims[0] % (uint32_t)count != 0)
        sim_log("%d cores for a batch that they cannot share", count);
    sim_rknn_end(context);
    return answer;
}
#endif

/* ------------------------------------------------------------------------------------ memory from outside */

static bool sim_rknn_something_bound(const sim_rknn_context *context) {
    uint32_t i;
    for (i = 0; i < context->n_input + context->n_output; ++i) {
        if (context->ports[i].bound.memory) return true;
    }
    return false;
}

/* librknnmrt wants MEM_ALLOC_OUTSIDE, and internal memory before the tensors; librknnrt takes it at any time, whatever
   its size. 0, or the code after a mistake. */
static int sim_rknn_check_outside(const sim_rknn_context *context, bool weights, const char *function) {
    const bool asked =
        weights || NNRT_SIM_MINI ? sim_rknn_weights_outside(context) : sim_rknn_internal_outside(context);
    if (!asked) {
        sim_mistake("wrong flags: %s of a context that was made without memory from outside", function);
        return NNRT_SIM_MINI ? NNRT_RKNN_ERR_FAIL : sim_lets_pass() ? 0 : NNRT_RKNN_ERR_PARAM_INVALID;
    }
    if (NNRT_SIM_MINI && !weights && sim_rknn_something_bound(context)) {
        sim_mistake("wrong order: a tensor is bound before the internal memory");
        return NNRT_RKNN_ERR_FAIL;
    }
    return 0;
}

static int sim_rknn_set_memory(nnrt_rknn_context handle, nnrt_rknn_tensor_mem *mem, bool weights,
                               const char *function) {
    const char *what = weights ? "weights" : "internal memory";
    sim_rknn_context *context;
    sim_memory *memory;
    size_t needed;
    int answer = sim_rknn_begin(handle, function, &context);
    if (answer != 0) return answer;
    needed =
        weights ? sim_model_weight_bytes(context->shared->model) : sim_model_internal_bytes(context->shared->model);
    answer = mem ? sim_rknn_check_outside(context, weights, function) : NNRT_RKNN_ERR_PARAM_INVALID;
    if (answer == 0) answer = sim_memory_check(&context->base, mem, 1, what);
    sim_lock();
    memory = answer == 0 ? sim_memory_find(mem) : NULL;
    if (memory && memory->size < needed) {
        sim_mistake_locked("wrong size: %s needs %lu bytes, its memory has %lu", what, (unsigned long)needed,
                           (unsigned long)memory->size);
        if (!sim_lets_pass()) {
            answer = NNRT_RKNN_ERR_PARAM_INVALID;
            memory = NULL;
        }
    }
    if (memory) {
        sim_memory_refer(weights ? &context->weights : &context->internal, memory);
        if (weights) {
            sim_rknn_weights_write(context, sim_memory_device(memory), memory->size);
            sim_memory_show(memory);
        }
    }
    sim_unlock();
    sim_rknn_end(context);
    return answer;
}

SIM_EXPORT int rknn_set_weight_mem(nnrt_rknn_context handle, nnrt_rknn_tensor_mem *mem) {
    return sim_rknn_set_memory(handle, mem, true, "rknn_set_weight_mem");
}

SIM_EXPORT int rknn_set_internal_mem(nnrt_rknn_context handle, nnrt_rknn_tensor_mem *mem) {
    return sim_rknn_set_memory(handle, mem, false, "rknn_set_internal_mem");
}
