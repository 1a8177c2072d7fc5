/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/prepared.h - the CPU device prepares, restores, saves and describes models; its configs.   >>cpu_prepared

   A prepared model is a plan or, if an input shape is not known before the run, the graph to make plans from. */
#ifndef NNRT_CPU_PREPARED_H
#define NNRT_CPU_PREPARED_H

#include "../core/amount.h"
#include "../core/nearest.h"
#include "compiled.h"
#include "run.h"
#ifndef NNRT_PLANS_ONLY
#include "build.h"
#else
#include "build_none.h"
#endif

/* The value as a decimal number of at most 4 digits; -1: it is none. */
NNRT__FN int nnrt__config_number(const nnrt_config *config) {
    const char *digits = (const char *)config->value;
    int number = 0;
    size_t i, size = config->size;
    if (size > 1 && digits[size - 1] == '\0') size--;
    if (size == 0 || size > 4) return -1;
    for (i = 0; i < size; i++) {
        if (digits[i] < '0' || digits[i] > '9') return -1;
        number = number * 10 + (digits[i] - '0');
    }
    return number;
}

/* Sets *isa to the level of that name, one of levels. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_isa(const char *name, const char *source, unsigned levels, unsigned *isa) {
    unsigned cap = 0;
    if (!nnrt__isa_from_name(name, &cap))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: \"%.60s\" is no instruction set; there are " NNRT__ISA_NAMES,
                          source, name);
    if ((cap & ~levels) != 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: this processor or this build has no \"%.60s\"", source, name);
    *isa = cap;
    return OH_NN_SUCCESS;
}

/* Configs of a build with an accelerator; else only those of every device. */
#if NNRT__ACCELERATES
#define NNRT__PART_CONFIGS "nnrt.exact", "nnrt.timeout_ms"
#else
#define NNRT__PART_CONFIGS "nnrt.isa"
#endif

/* Reads a config about the accelerator; false: it is about something else. number: its value. */
NNRT__FN bool nnrt__cpu_take_part_config(nnrt__cpu_prepared *model, const nnrt_config *config, int number,
                                         OH_NN_ReturnCode *code) {
    *code = OH_NN_SUCCESS;
    if (strcmp(config->name, "nnrt.exact") == 0) {
        if (number != 0 && number != 1)
            *code = nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.exact: \"%.60s\" is neither 0 nor 1",
                               (const char *)config->value);
        else if (model != NULL) model->recipe->options.exact = number == 1;
        return true;
    }
    if (strcmp(config->name, "nnrt.timeout_ms") != 0) return false;
    if (number < 1)
        *code = nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.timeout_ms: \"%.60s\" is no number from 1 to 9999",
                           (const char *)config->value);
    else if (model != NULL && model->target == NULL) model->recipe->options.bounds.part_ms = (uint32_t)number;
    return true;
}

/* Refuses a config that the CPU device does not know. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_unknown_config(const char *name) {
    static const char *const known[] = {
        "nnrt.isa",   "nnrt.threads", "nnrt.profile", "nnrt.passes", "nnrt.stripes", "nnrt.max_memory", "nnrt.max_work",
        "nnrt.trust", "nnrt.target",  "nnrt.keep",    "nnrt.names",  "nnrt.inputs",  NNRT__PART_CONFIGS};
    nnrt__nearest nearest;
    size_t i;
    nnrt__nearest_begin(&nearest, name);
    for (i = 0; i < NNRT__COUNT_OF(known); i++) nnrt__nearest_offer(&nearest, known[i]);
    return nnrt__fail_config("the CPU device", &nearest);
}

/* Reads one config into the model; model may be NULL to check only. levels: of this processor. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_config(nnrt__cpu_prepared *model, const nnrt_config *config, unsigned levels,
                                                unsigned *isa) {
    int number = nnrt__config_number(config);
    OH_NN_ReturnCode code;
    if (NNRT__ACCELERATES && nnrt__cpu_take_part_config(model, config, number, &code)) return code;
    if (strcmp(config->name, "nnrt.isa") == 0)
        return nnrt__cpu_take_isa((const char *)config->value, "nnrt.isa", levels, isa);
    if (strcmp(config->name, "nnrt.target") == 0) return nnrt__cpu_take_target(model, (const char *)config->value);
    if (strcmp(config->name, "nnrt.threads") == 0) {
        if (number < 1 || number > (int)NNRT__MAX_THREADS)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.threads: \"%.60s\" is no number from 1 to 64",
                              (const char *)config->value);
        if (model != NULL) model->recipe->options.threads = (uint32_t)number;
    } else if (strcmp(config->name, "nnrt.profile") == 0) {
        if (number != 0 && number != 1)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.profile: \"%.60s\" is neither 0 nor 1",
                              (const char *)config->value);
        if (model != NULL) model->describe = number == 1 ? nnrt__instance_describe : NULL;
    } else if (strcmp(config->name, "nnrt.passes") == 0) {
        if (strcmp((const char *)config->value, "none") == 0) number = 0;
        if (number < 0 || number > (int)NNRT__PASS_ALL)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.passes: \"%.60s\" is neither none nor a sum of pass bits",
                              (const char *)config->value);
        if (model != NULL) model->recipe->options.passes = (uint32_t)number;
    } else if (strcmp(config->name, "nnrt.stripes") == 0) {
        if (number < 0 || number > (int)NNRT__STRIPES_MOST)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.stripes: \"%.60s\" is no number from 0 to 1000",
                              (const char *)config->value);
        if (model != NULL) model->recipe->options.stripes = (uint32_t)number;
    } else if (strcmp(config->name, "nnrt.keep") == 0) {
        if (number != 0 && number != 1)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.keep: \"%.60s\" is neither 0 nor 1",
                              (const char *)config->value);
        if (model != NULL) model->recipe->options.keep = number == 1;
    } else if (strcmp(config->name, "nnrt.names") == 0) {
        if (number != 0 && number != 1)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.names: \"%.60s\" is neither 0 nor 1",
                              (const char *)config->value);
        if (model != NULL) model->recipe->options.unnamed = number == 0;
    } else if (strcmp(config->name, "nnrt.inputs") == 0) {
        const bool arena = strcmp((const char *)config->value, "arena") == 0;
        if (!arena && strcmp((const char *)config->value, "apart") != 0)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.inputs: \"%.60s\" is neither apart nor arena",
                              (const char *)config->value);
        if (model != NULL) model->recipe->options.inputs_in_arena = arena;
    } else if (strcmp(config->name, "nnrt.trust") == 0) {
        const bool crc = strcmp((const char *)config->value, "crc") == 0;
        if (!crc && strcmp((const char *)config->value, "none") != 0)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt.trust: \"%.60s\" is neither none nor crc",
                              (const char *)config->value);
        if (model != NULL) model->trust_crc = crc;
    } else if (strcmp(config->name, "nnrt.max_memory") == 0 || strcmp(config->name, "nnrt.max_work") == 0) {
        const bool memory = strcmp(config->name, "nnrt.max_memory") == 0;
        uint64_t amount;
        if (!nnrt__config_amount(config, memory ? 1024 : 1000, &amount))
            return nnrt__fail(OH_NN_INVALID_PARAMETER,
                              "%s: \"%.60s\" is no number with K, M, G, T or nothing behind it", config->name,
                              (const char *)config->value);
        if (model != NULL)
            *(memory ? &model->recipe->options.bounds.memory : &model->recipe->options.bounds.work) = amount;
    } else {
        return nnrt__cpu_unknown_config(config->name);
    }
    return OH_NN_SUCCESS;
}

/* Reads a config, as nnrt__cpu_take_config. */
typedef struct nnrt__config_reader {
    OH_NN_ReturnCode (*take)(nnrt__cpu_prepared *model, const nnrt_config *config, unsigned levels, unsigned *isa);
} nnrt__config_reader;

static const nnrt__config_reader nnrt__cpu_reader = {nnrt__cpu_take_config};

/* Slot check_config: Build calls it for each config before anything else. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_check_config(void *device, const nnrt_config *config) {
    nnrt__cpu_device *self = (nnrt__cpu_device *)device;
    unsigned isa = 0;
    nnrt__atomic_set_mark(&self->configs, &nnrt__cpu_reader);
    return nnrt__cpu_take_config(NULL, config, self->levels, &isa);
}

#ifndef NNRT_ONE_DEVICE
NNRT__FN const nnrt__config_reader *nnrt__cpu_reader_of(const nnrt__cpu_device *device) {
    (void)device;
    return &nnrt__cpu_reader;
}
#else
/* The reader is called through the pointer that check_config set: a program that adds no config does not link it. */
NNRT__FN const nnrt__config_reader *nnrt__cpu_reader_of(const nnrt__cpu_device *device) {
    return (const nnrt__config_reader *)nnrt__atomic_peek_mark(&device->configs);
}
#endif

/* nnrt.trust if no config sets it. */
#ifdef NNRT_TRUST_CRC
#define NNRT__TRUSTS_CRC true
#else
#define NNRT__TRUSTS_CRC false
#endif

/* A new prepared model with the request's settings and nothing in it. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_new(void *device, const nnrt_request *request, nnrt__cpu_prepared **made) {
    nnrt__cpu_device *self = (nnrt__cpu_device *)device;
    const char *level = nnrt__environment("NNRT_ISA");
    unsigned isa = self->levels;
    nnrt__cpu_prepared *model = (nnrt__cpu_prepared *)nnrt__alloc_zero(1, sizeof(*model));
    nnrt__cpu_recipe *recipe = model != NULL ? (nnrt__cpu_recipe *)nnrt__alloc(sizeof(*recipe)) : NULL;
    nnrt__compile_options *options;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    *made = NULL;
    if (recipe == NULL) {
        nnrt__free(model);
        return nnrt__fail_memory();
    }
    options = &recipe->options;
    nnrt__clear(recipe, offsetof(nnrt__cpu_recipe, kernels));
    model->recipe = recipe;
    model->queue = &self->queue;
    model->priority = request->priority;
    model->trust_crc = NNRT__TRUSTS_CRC;
    recipe->levels = self->levels;
    options->threads = request->performance == OH_NN_PERFORMANCE_EXTREME ? (uint32_t)nnrt__core_count() : 1;
    options->bounds.memory = NNRT__BOUNDS_MEMORY;
    options->bounds.work = NNRT__BOUNDS_WORK;
    if (NNRT__ACCELERATES) {
        options->bounds.accelerator = self->accelerator;
        options->bounds.part_ms = NNRT__PART_MS;
    }
    options->kernels = &recipe->kernels;
    nnrt__cpu_begin_options(options, request->performance);
    if (level != NULL && *level != '\0') code = nnrt__cpu_take_isa(level, "NNRT_ISA", self->levels, &isa);
    for (i = 0; code == OH_NN_SUCCESS && i < request->config_count; i++)
        code = nnrt__cpu_reader_of(self)->take(model, &request->configs[i], self->levels, &isa);
    if (code != OH_NN_SUCCESS) {
        nnrt__cpu_release(model);
        return code;
    }
    nnrt__cpu_select_for(model, isa);
    *made = model;
    return OH_NN_SUCCESS;
}

/* Slot cache_key: the instruction set that weights are packed for, the threads that scratch is laid out for, the
   passes, what stripes may cost, and whether tensors are kept and named and inputs lie in the arena. Other settings
   (nnrt.profile, bounds, priority) run the same plan in another way. Instruction set bits are below 2^16, threads below
   2^8, percent below 2^14, passes below 2^9, the last of which stands above the threads, and above it whether inputs
   lie in the arena; above the other passes are the accelerator and whether it has to be exact. A plan names its
   accelerator, so two names with the same checksum only make a cache that is refused. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_cache_key(void *device, const nnrt_request *request, uint64_t *key) {
    const nnrt__accelerator *accelerator;
    nnrt__cpu_prepared *model;
    uint32_t part = 0;
    OH_NN_ReturnCode code = nnrt__cpu_new(device, request, &model);
    if (code != OH_NN_SUCCESS) return code;
    accelerator = model->recipe->options.bounds.accelerator;
    if (NNRT__ACCELERATES && accelerator != NULL)
        part = ((nnrt__crc32(0, accelerator->name, strlen(accelerator->name)) & 0x7fu) | 1u) << 8 |
               (uint32_t)model->recipe->options.exact << 15;
    *key = (uint64_t)model->recipe->options.keep << 63 | (uint64_t)model->recipe->options.unnamed << 62 |
           (uint64_t)model->recipe->options.stripes << 48 | (uint64_t)model->recipe->kernels.isa << 32 |
           (uint64_t)model->recipe->options.inputs_in_arena << 25 |
           (uint64_t)(model->recipe->options.passes >> 8) << 24 | (uint64_t)model->recipe->options.threads << 16 |
           part | (model->recipe->options.passes & 0xffu);
    nnrt__cpu_release(model);
    return OH_NN_SUCCESS;
}

/* Selects the kernels that an external plan was packed for, not always the best of this processor. nnrt__plan_load
   finds any other fault of the header. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_level(nnrt__cpu_prepared *model, const void *blob, size_t size) {
    const unsigned allowed = model->recipe->kernels.isa;
    nnrt__plan_header header;
    unsigned level;
    if (NNRT__SENTENCE_SIZE == 1 && NNRT__LEVELS_WANTED == 0)
        return OH_NN_SUCCESS; /* there is nothing to choose from */
    if (size < sizeof(header)) return OH_NN_SUCCESS;
    memcpy(&header, blob, offsetof(nnrt__plan_header, threads)); /* what follows is of no interest here */
    if (header.isa == allowed || header.version != NNRT__PLAN_VERSION || header.shape != NNRT__PLAN_SHAPE)
        return OH_NN_SUCCESS;
    level = header.isa;
    if (!nnrt__isa_is_level(level))
        return nnrt__plan_refuse("it is packed for an instruction set that there is not", header.isa);
    if ((level & ~model->recipe->levels) != 0)
        return nnrt__fail(
            OH_NN_INVALID_FILE,
            "the plan is packed for instruction set \"%s\", this processor or this build has \"%s\": compile "
            "it again",
            nnrt__isa_name(level), nnrt__isa_name(model->recipe->levels));
    if ((level & ~allowed) != 0)
        return nnrt__fail(
            OH_NN_INVALID_FILE,
            "the plan is packed for instruction set \"%s\", nnrt.isa or NNRT_ISA allows \"%s\": compile it "
            "again",
            nnrt__isa_name(level), nnrt__isa_name(allowed));
    nnrt__cpu_select(&model->recipe->kernels, level);
    return OH_NN_SUCCESS;
}

/* Takes an external plan: in place if it stays valid and is aligned, else as a copy. is_mapped: nnrt_request. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_plan(nnrt__cpu_prepared *model, const void *blob, size_t size, bool is_mapped,
                                              bool stays) {
    uint32_t origin = NNRT__PLAN_OUTSIDE | (model->trust_crc ? NNRT__PLAN_TRUST_CRC : 0u);
    const uint8_t *block = (const uint8_t *)blob;
    OH_NN_ReturnCode code = nnrt__cpu_take_level(model, blob, size);
    if (code != OH_NN_SUCCESS) return code;
    if (!stays || (uintptr_t)blob % NNRT__PLAN_ADDRESS != 0) {
        uint8_t *copy = (uint8_t *)nnrt__alloc_aligned(size, NNRT__PLAN_ALIGNMENT, &model->memory);
        if (copy == NULL)
            return nnrt__fail(OH_NN_MEMORY_ERROR,
                              "out of memory for a copy of the plan, %zu bytes: where it stays until its executors are "
                              "gone, nnrt_compilation_use_in_place spares the copy",
                              size);
        memcpy(copy, blob, size);
        block = copy;
        is_mapped = false;
    }
    if (stays && (uintptr_t)blob % NNRT__PLAN_ADDRESS != 0) {
        nnrt__log(NNRT_LOG_WARNING, "the plan of %zu bytes is copied: its address is no multiple of %u", size,
                  (unsigned)NNRT__PLAN_ADDRESS);
    }
    model->block_size = size;
    if (NNRT__HAS_FILES && is_mapped) origin |= NNRT__PLAN_MAPPED;
    return nnrt__plan_load(&model->plan, block, size, &model->recipe->kernels, 0, &model->recipe->options.bounds,
                           origin);
}

/* Offline bytes: a plan, or a model to compile. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_bytes(nnrt__cpu_prepared *model, const void *bytes, size_t size,
                                               bool is_mapped, bool stays) {
    OH_NN_ReturnCode code;
    if (nnrt__plan_is(bytes, size)) return nnrt__cpu_take_plan(model, bytes, size, is_mapped, stays);
    code = nnrt__cpu_take_model(model, bytes, size);
    return code == OH_NN_SUCCESS && !stays ? nnrt__cpu_keep_model(model) : code;
}

/* What a request names: a graph, a file or bytes. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_request(nnrt__cpu_prepared *model, const nnrt_request *request) {
    const char *reason;
    uint64_t most;
    if (request->graph != NULL) return nnrt__cpu_compile(model, request->graph);
    if (request->model_path == NULL)
        return nnrt__cpu_take_bytes(model, request->model, request->model_size, false, !request->bytes_go);
    most = request->read_files ? model->recipe->options.bounds.memory : UINT64_MAX;
    reason = nnrt__take_file_within(request->model_path, NULL, request->read_files, most, &model->file);
    if (reason != NULL)
        return nnrt__fail(reason == nnrt__file_no_memory ? OH_NN_MEMORY_ERROR : OH_NN_INVALID_FILE,
                          "model file \"%.100s\" %s", request->model_path, reason);
    return nnrt__cpu_take_bytes(model, model->file.data, model->file.size, model->file.memory == NULL, true);
}

/* A plan of a cache. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_take_cache(nnrt__cpu_prepared *model, const nnrt_request *request, const void *blob,
                                               size_t size) {
    OH_NN_ReturnCode code;
    if (!nnrt__plan_is(blob, size)) return nnrt__fail(OH_NN_INVALID_FILE, "the cache holds no plan of this machine");
    code = nnrt__cpu_take_plan(model, blob, size, request->is_mapped, !request->bytes_go);
    return code == OH_NN_SUCCESS ? nnrt__cpu_take_open(model, request) : code;
}

/* Slot restore; blob NULL: prepare. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_restore(void *device, const nnrt_request *request, const void *blob, size_t size,
                                            void **prepared) {
    nnrt__cpu_prepared *model;
    OH_NN_ReturnCode code = nnrt__cpu_new(device, request, &model);
    if (code != OH_NN_SUCCESS) return code;
    code = blob != NULL ? nnrt__cpu_take_cache(model, request, blob, size) : nnrt__cpu_take_request(model, request);
    if (code != OH_NN_SUCCESS) {
        nnrt__cpu_release(model);
        return code;
    }
    if (NNRT__FOR_RAM) {
        nnrt__free(model->recipe);
        model->recipe = NULL;
    }
    *prepared = model;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__cpu_prepare(void *device, const nnrt_request *request, void **prepared) {
    return nnrt__cpu_restore(device, request, NULL, 0, prepared);
}

/* The plan as self-contained bytes. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_save(void *prepared, void *blob, size_t capacity, size_t *size) {
    nnrt__cpu_prepared *model = (nnrt__cpu_prepared *)prepared;
    const uint8_t *block = model->plan.block, *constants = model->plan.constants;
    size_t before;
    uint8_t *packed = NULL;
    void *memory = NULL;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (nnrt__cpu_is_dynamic(model))
        return nnrt__fail(
            OH_NN_UNSUPPORTED,
            "a model with dynamic input shapes, or whose shapes depend on values of its inputs, has one plan per "
            "shape and no cache");
    *size = model->block_size;
    if (model->plan.header->model_size != 0) {
        code = nnrt__cpu_pack(model, &memory, &packed, size);
        block = packed;
        if (code == OH_NN_SUCCESS) constants = packed + ((const nnrt__plan_header *)(const void *)packed)->constants;
    }
    if (code == OH_NN_SUCCESS && blob != NULL && capacity >= *size) {
        uint32_t crc;
        before = (size_t)((const nnrt__plan_header *)(const void *)block)->constants;
        memcpy(blob, block, before);
        memcpy((uint8_t *)blob + before, constants, *size - before);
        crc = nnrt__plan_crc((const uint8_t *)blob, *size);
        memcpy((uint8_t *)blob + offsetof(nnrt__plan_header, crc), &crc, sizeof(crc));
    }
    nnrt__free(memory);
    return code;
}

/* -------------------------------------------------------------------------------------------- description */

NNRT__FN void nnrt__cpu_io_count(void *prepared, size_t *inputs, size_t *outputs) {
    const nnrt__cpu_prepared *model = (const nnrt__cpu_prepared *)prepared;
    const nnrt__plan_header *header = model->plan.header; /* NULL: dynamic */
    *inputs =
        nnrt__cpu_is_dynamic(model) ? model->graph->input_count : header->input_count - nnrt__plan_state_count(header);
    *outputs = nnrt__cpu_is_dynamic(model) ? model->graph->output_count
                                           : header->output_count - nnrt__plan_state_count(header);
}

/* A rank-0 tensor is shown as [1]. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_io_desc(void *prepared, bool output, size_t index, nnrt_io_desc *desc) {
    const nnrt__cpu_prepared *model = (const nnrt__cpu_prepared *)prepared;
    uint32_t k;
    nnrt__clear(desc, sizeof(*desc));
    if (nnrt__cpu_is_dynamic(model)) {
        const nnrt_graph *graph = model->graph;
        const nnrt_tensor_info *tensor = &graph->tensors[output ? graph->outputs[index] : graph->inputs[index]];
        if (tensor->rank > NNRT_MAX_RANK)
            return nnrt__fail(OH_NN_FAILED, "tensor \"%.60s\" has too many dimensions", tensor->name);
        desc->name = tensor->name;
        desc->dtype = tensor->dtype;
        desc->format = tensor->format;
        desc->rank = tensor->rank;
        for (k = 0; k < tensor->rank; k++) desc->dims[k] = tensor->dims[k];
        desc->scale = tensor->quant.count == 1 ? tensor->quant.scales[0] : 0.0;
        desc->zero_point = tensor->quant.count == 1 ? tensor->quant.zero_points[0] : 0;
    } else {
        const nnrt__plan_header *header = model->plan.header;
        const nnrt__plan_value *value =
            nnrt__plan_operand(&model->plan, (uint32_t)((output ? header->input_count : 0) + index));
        desc->name = model->plan.strings + value->name;
        desc->dtype = (OH_NN_DataType)value->dtype;
        desc->format = (OH_NN_Format)value->format;
        desc->rank = value->rank;
        for (k = 0; k < value->rank; k++) desc->dims[k] = value->dims[k];
        desc->scale = value->scale;
        desc->zero_point = value->zero_point;
    }
    if (desc->rank == 0) {
        desc->rank = 1;
        desc->dims[0] = 1;
    }
    return OH_NN_SUCCESS;
}

/* The largest value of a dynamic dimension is that with which the tensor can still be allocated if the other dynamic
   ones are 1. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_input_range(void *prepared, size_t index, size_t *min_dims, size_t *max_dims) {
    const nnrt__cpu_prepared *model = (const nnrt__cpu_prepared *)prepared;
    nnrt_io_desc desc;
    OH_NN_ReturnCode code = nnrt__cpu_io_desc(prepared, false, index, &desc);
    size_t bytes = nnrt__element_size(desc.dtype), most;
    uint32_t k;
    if (code != OH_NN_SUCCESS) return code;
    for (k = 0; k < desc.rank && nnrt__cpu_resizes(model); k++)
        if ((model->open[index] >> k & 1) != 0) desc.dims[k] = -1;
    for (k = 0; k < desc.rank; k++)
        if (desc.dims[k] != -1 && !nnrt__mul_size(bytes, (size_t)desc.dims[k], &bytes)) bytes = SIZE_MAX;
    most = bytes != 0 && bytes <= NNRT__PLAN_MAX_ARENA ? NNRT__PLAN_MAX_ARENA / bytes : 1;
    for (k = 0; k < desc.rank; k++) {
        min_dims[k] = desc.dims[k] == -1 ? 1 : (size_t)desc.dims[k];
        max_dims[k] = desc.dims[k] == -1 ? most : (size_t)desc.dims[k];
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_PREPARED_H */
