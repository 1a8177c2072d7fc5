/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/profile.h - what an executor of the Rockchip device reports about itself.   >>rknpu_profile

   Profile   inputs (kernel "bind": tensors went to the NPU as they are; else "convert"), rknn_run, the layers when the
             runtime lists them, outputs. Layers come from a table of text that the runtime prints for people: a row
             that does not look like one is skipped.
   Facts     by name, for nnrt_executor_get_info: NNRT__RKNPU_FACTS is the list, docs/rknpu.md explains them. */
#ifndef NNRT_RKNPU_PROFILE_H
#define NNRT_RKNPU_PROFILE_H

#include "../npu/facts.h"
#include "device.h"
#include "matmul.h"
#include "model_load.h"

#define NNRT__RKNPU_COLUMNS 24u                 /* of a row of layers that are looked at */
#define NNRT__RKNPU_TABLE_MAX ((size_t)1 << 20) /* bytes of a table */

/* ------------------------------------------------------------------------------------------------ profile */

/* Whether ports first to end are converted or copied. Before the first run: unless tensors will be in NPU memory. */
NNRT__FN bool nnrt__rknpu_converts(const nnrt__rknpu_executor *self, uint32_t first, uint32_t end, uint64_t copied) {
    uint32_t i;
    if (self->npu.has_run) return copied != 0;
    for (i = first; i < end; i++)
        if (!self->ports[i].direct) return true;
    return self->model->options.general_api;
}

/* Memory sizes of the model, queried now if Build did not; zeros if the runtime does not report them. */
NNRT__FN const nnrt_rknn_mem_size *nnrt__rknpu_sizes(const nnrt__rknpu_executor *self) {
    nnrt__rknpu_model *model = self->model;
    bool asked;
    nnrt__mutex_lock(&model->device->mutex);
    asked = model->mem_size_asked;
    nnrt__mutex_unlock(&model->device->mutex);
    if (!asked && self->context != NULL && nnrt__rknpu_enter(self->context)) {
        (void)nnrt__rknpu_ask_mem_size(model, self->context);
        nnrt__rknpu_leave(self->context);
    }
    return &model->mem_size;
}

/* The three steps that every model has. */
NNRT__FN void nnrt__rknpu_base_steps(nnrt__rknpu_executor *self) {
    static const char *const names[NNRT__RKNPU_STEPS] = {"inputs", "rknn_run", "outputs"};
    const uint32_t inputs = self->model->npu.input_count;
    const bool in = nnrt__rknpu_converts(self, 0, inputs, self->npu.steps[0].copied_bytes);
    const bool out = nnrt__rknpu_converts(self, inputs, self->npu.io_count, self->npu.steps[2].copied_bytes);
    uint32_t i;
    for (i = 0; i < NNRT__RKNPU_STEPS; i++) {
        const char *kernel = i == 1 ? "npu" : (i == 0 ? in : out) ? "convert" : "bind";
        nnrt__step_describe(&self->npu.steps[i], names[i], kernel, i == 1 ? "npu" : "cpu",
                            &self->ports[i == 0 ? 0 : inputs].desc);
    }
    self->npu.steps[1].weights_bytes = nnrt__rknpu_sizes(self)->total_weight_size;
}

/* Cuts line, terminated, into words; returns how many, at most NNRT__RKNPU_COLUMNS. */
NNRT__FN uint32_t nnrt__rknpu_words(char *line, char **words) {
    uint32_t count = 0;
    while (count < NNRT__RKNPU_COLUMNS) {
        while (*line == ' ' || *line == '\t' || *line == '\r') line++;
        if (*line == '\0') break;
        words[count++] = line;
        while (*line != '\0' && *line != ' ' && *line != '\t' && *line != '\r') line++;
        if (*line == '\0') break;
        *line++ = '\0';
    }
    return count;
}

/* Where the columns are that a layer is made of; time 0: no header was seen yet. */
typedef struct nnrt__rknpu_columns {
    uint32_t type, dtype, target, shape, time, name; /* 0: there is none; column 0 is the number of the layer */
} nnrt__rknpu_columns;

/* Reads a header. Older runtimes write some titles in two words ("DDR Cycles"): they are one column. */
NNRT__FN bool nnrt__rknpu_read_header(char *const *words, uint32_t count, nnrt__rknpu_columns *columns) {
    uint32_t i, column = 0;
    nnrt__rknpu_columns found;
    memset(&found, 0, sizeof(found));
    if (count == 0 || strcmp(words[0], "ID") != 0) return false;
    for (i = 1; i < count; i++) {
        if (strcmp(words[i], "Cycles") == 0) continue;
        column++;
        if (strcmp(words[i], "OpType") == 0) found.type = column;
        else if (strcmp(words[i], "DataType") == 0) found.dtype = column;
        else if (strcmp(words[i], "Target") == 0) found.target = column;
        else if (strcmp(words[i], "OutputShape") == 0) found.shape = column;
        else if (strcmp(words[i], "Time(us)") == 0) found.time = column;
        else if (strcmp(words[i], "FullName") == 0) found.name = column;
    }
    if (found.time == 0 || found.type == 0) return false;
    *columns = found;
    return true;
}

/* Decimal microseconds, a fraction allowed, as nanoseconds; false: it is no such number, or longer than a day. */
NNRT__FN bool nnrt__rknpu_read_time(const char *text, uint64_t *ns) {
    uint64_t value = 0, unit = 1000;
    bool any = false;
    for (; *text >= '0' && *text <= '9'; text++) {
        any = true;
        value = value * 10 + (uint64_t)(*text - '0');
        if (value > 86400000000u) return false;
    }
    value *= unit;
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++) {
            unit /= 10; /* below a nanosecond: 0 */
            value += unit * (uint64_t)(*text - '0');
        }
    *ns = value;
    return any && *text == '\0';
}

/* "(1,32,112,112)" */
NNRT__FN void nnrt__rknpu_read_shape(const char *text, nnrt_profile_step *step) {
    uint32_t rank = 0;
    while (*text == '(' || *text == ',') {
        int32_t value = 0;
        const char *start = ++text;
        for (; *text >= '0' && *text <= '9' && value < 100000000; text++) value = value * 10 + (*text - '0');
        if (text == start || rank == NNRT_MAX_RANK) return;
        step->dims[rank++] = value;
    }
    if (*text == ')' && text[1] == '\0') step->rank = rank;
}

NNRT__FN OH_NN_DataType nnrt__rknpu_read_dtype(const char *text) {
    static const struct {
        const char *name;
        OH_NN_DataType dtype;
    } names[] = {{"INT8", OH_NN_INT8},       {"UINT8", OH_NN_UINT8},     {"INT16", OH_NN_INT16},
                 {"FLOAT16", OH_NN_FLOAT16}, {"FLOAT32", OH_NN_FLOAT32}, {"FLOAT", OH_NN_FLOAT32},
                 {"INT32", OH_NN_INT32},     {"INT64", OH_NN_INT64},     {"BOOL", OH_NN_BOOL}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(names); i++)
        if (strcmp(text, names[i].name) == 0) return names[i].dtype;
    return OH_NN_UNKNOWN;
}

/* A row as a step; false: it is none. Strings stay in the row. */
NNRT__FN bool nnrt__rknpu_read_row(char *const *words, uint32_t count, const nnrt__rknpu_columns *columns,
                                   nnrt_profile_step *step) {
    const char *digits = count != 0 ? words[0] : "";
    memset(step, 0, sizeof(*step));
    if (columns->time == 0 || columns->time >= count || columns->type >= count) return false;
    for (; *digits >= '0' && *digits <= '9'; digits++) continue;
    if (digits == words[0] || *digits != '\0') return false;
    if (!nnrt__rknpu_read_time(words[columns->time], &step->last_ns)) return false;
    step->kernel = words[columns->type];
    step->name = columns->name != 0 && columns->name < count ? words[columns->name] : step->kernel;
    step->isa = columns->target != 0 && columns->target < count ? words[columns->target] : "npu";
    if (columns->dtype != 0 && columns->dtype < count) step->dtype = nnrt__rknpu_read_dtype(words[columns->dtype]);
    if (columns->shape != 0 && columns->shape < count) nnrt__rknpu_read_shape(words[columns->shape], step);
    step->min_ns = step->total_ns = step->last_ns;
    step->runs = 1;
    return true;
}

/* Reads table, terminated, into steps (room for a step per line); the words stay in table. */
NNRT__FN uint32_t nnrt__rknpu_read_table(char *table, nnrt_profile_step *steps) {
    nnrt__rknpu_columns columns;
    uint32_t count = 0;
    memset(&columns, 0, sizeof(columns));
    while (*table != '\0') {
        char *words[NNRT__RKNPU_COLUMNS], *end = table;
        uint32_t word_count;
        bool last;
        while (*end != '\0' && *end != '\n') end++;
        last = *end == '\0';
        *end = '\0';
        word_count = nnrt__rknpu_words(table, words);
        if (!nnrt__rknpu_read_header(words, word_count, &columns) &&
            nnrt__rknpu_read_row(words, word_count, &columns, &steps[count]))
            count++;
        if (last) break;
        table = end + 1;
    }
    return count;
}

/* The table of the last run, a block of the caller's; *table NULL: the runtime has none. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_perf_detail(const nnrt__rknpu_executor *self, char **table) {
    nnrt_rknn_perf_detail detail;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    size_t size = 0;
    *table = NULL;
    if (self->context == NULL || self->model->device->library.mini ||
        (self->model->options.flags & NNRT_RKNN_FLAG_COLLECT_PERF_MASK) == 0)
        return OH_NN_SUCCESS;
    memset(&detail, 0, sizeof(detail));
    if (!nnrt__rknpu_enter(self->context)) return OH_NN_SUCCESS;
    if (self->model->device->library.api.query(self->context->handle, NNRT_RKNN_QUERY_PERF_DETAIL, &detail,
                                               sizeof(detail)) == NNRT_RKNN_SUCC &&
        detail.perf_data != NULL) {
        while (size < detail.data_len && size < NNRT__RKNPU_TABLE_MAX && detail.perf_data[size] != '\0') size++;
        *table = (char *)nnrt__alloc(size + 1);
        if (*table != NULL) {
            memcpy(*table, detail.perf_data, size);
            (*table)[size] = '\0';
        } else {
            code = nnrt__fail_memory();
        }
    }
    nnrt__rknpu_leave(self->context);
    return code;
}

/* Slot profile. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_profile(void *executor, const nnrt_profile_step **steps, uint32_t *count) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)executor;
    nnrt_profile_step *list;
    OH_NN_ReturnCode code;
    size_t lines = 1, i;
    char *table;
    uint32_t layers = 0;
    if (self->matmul != NULL) {
        nnrt__rknpu_matmul_profile(self->matmul, steps, count);
        return OH_NN_SUCCESS;
    }
    if (self->npu.io_count == 0)
        return nnrt__fail(OH_NN_UNSUPPORTED, "a model that was built for its facts only (rknn.info_only) has no steps");
    if (self->model->shapes.count != 0 && self->shape == UINT32_MAX)
        return nnrt__fail(OH_NN_DYNAMIC_SHAPE, "a model with dynamic shapes has no steps before its first run");
    code = nnrt__rknpu_perf_detail(self, &table);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; table != NULL && table[i] != '\0'; i++) lines += table[i] == '\n';
    list = (nnrt_profile_step *)nnrt__alloc_zero(NNRT__RKNPU_STEPS + lines, sizeof(list[0]));
    if (list == NULL) {
        nnrt__free(table);
        return nnrt__fail_memory();
    }
    nnrt__rknpu_base_steps(self);
    list[0] = self->npu.steps[0];
    list[1] = self->npu.steps[1];
    if (table != NULL) layers = nnrt__rknpu_read_table(table, list + 2);
    list[2 + layers] = self->npu.steps[2];
    nnrt__free(self->steps);
    nnrt__free(self->step_text);
    self->steps = list;
    self->step_text = table;
    *steps = list;
    *count = NNRT__RKNPU_STEPS + layers;
    return OH_NN_SUCCESS;
}

/* -------------------------------------------------------------------------------------------------- facts */

/* "int8 NC1HWC2 [1,2,8,8,16], w_stride 8, 2048 bytes, bound" */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_port(const nnrt__rknpu_port *port, bool general, char *text, size_t size) {
    static const char *const types[12] = {"float32", "float16", "int8",  "uint8", "int16", "uint16",
                                          "int32",   "uint32",  "int64", "bool",  "int4",  "bfloat16"};
    static const char *const orders[4] = {"NCHW", "NHWC", "NC1HWC2", "plain"};
    char line[256];
    size_t used;
    uint32_t k;
    nnrt__format(line, sizeof(line), "%s %s [",
                 (unsigned)port->bind.type < NNRT__COUNT_OF(types) ? types[(unsigned)port->bind.type] : "?",
                 (unsigned)port->bind.fmt < NNRT__COUNT_OF(orders) ? orders[(unsigned)port->bind.fmt] : "?");
    for (k = 0; k < port->bind.n_dims && k < NNRT_RKNN_MAX_DIMS; k++) {
        used = strlen(line);
        nnrt__format(line + used, sizeof(line) - used, "%s%u", k == 0 ? "" : ",", (unsigned)port->bind.dims[k]);
    }
    used = strlen(line);
    nnrt__format(line + used, sizeof(line) - used, "], w_stride %u, %u bytes, %s", (unsigned)port->inside.w_stride,
                 (unsigned)port->bind.size_with_stride,
                 general        ? "copied by the runtime"
                 : port->direct ? "bound"
                                : "converted");
    return nnrt__tell(line, text, size);
}

/* "rknn.input.N" and "rknn.output.N" */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_tensor(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                  size_t size) {
    const bool input = strncmp(name, "rknn.input.", strlen("rknn.input.")) == 0;
    const char *digits = name + strlen(input ? "rknn.input." : "rknn.output.");
    uint32_t number;
    const OH_NN_ReturnCode code =
        nnrt__fact_tensor(name, digits, input ? self->model->npu.input_count : self->model->npu.output_count, &number);
    if (code != OH_NN_SUCCESS) return code;
    if (self->matmul != NULL) return nnrt__tell_nothing(name);
    return nnrt__rknpu_tell_port(&self->ports[input ? number : self->model->npu.input_count + number],
                                 self->model->options.general_api, text, size);
}

/* Figures that change while models come and go are asked again. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_memory(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                  size_t size) {
    nnrt_rknn_mem_size figures = *nnrt__rknpu_sizes(self), fresh;
    memset(&fresh, 0, sizeof(fresh));
    if (self->context != NULL && nnrt__rknpu_enter(self->context)) {
        if (self->model->device->library.api.query(self->context->handle, NNRT_RKNN_QUERY_MEM_SIZE, &fresh,
                                                   sizeof(fresh)) == NNRT_RKNN_SUCC)
            figures = fresh;
        nnrt__rknpu_leave(self->context);
    }
    if (strcmp(name, "rknn.weight_bytes") == 0) return nnrt__tell_number(figures.total_weight_size, text, size);
    if (strcmp(name, "rknn.internal_bytes") == 0) return nnrt__tell_number(figures.total_internal_size, text, size);
    if (strcmp(name, "rknn.dma_bytes") == 0) return nnrt__tell_number(figures.total_dma_allocated_size, text, size);
    if (strcmp(name, "rknn.sram_bytes") == 0) return nnrt__tell_number(figures.total_sram_size, text, size);
    return nnrt__tell_number(figures.free_sram_size, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_run_us(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                  size_t size) {
    nnrt_rknn_perf_run perf;
    int result = NNRT_RKNN_ERR_FAIL;
    memset(&perf, 0, sizeof(perf));
    if (self->context != NULL && !self->model->device->library.mini && nnrt__rknpu_enter(self->context)) {
        result = self->model->device->library.api.query(self->context->handle, NNRT_RKNN_QUERY_PERF_RUN, &perf,
                                                        sizeof(perf));
        nnrt__rknpu_leave(self->context);
    }
    if (result != NNRT_RKNN_SUCC || perf.run_duration < 0) return nnrt__tell_nothing(name);
    return nnrt__tell_number((uint64_t)perf.run_duration, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_layers(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                  size_t size) {
    char *table;
    OH_NN_ReturnCode code = nnrt__rknpu_perf_detail(self, &table);
    if (code != OH_NN_SUCCESS) return code;
    code = table != NULL ? nnrt__tell(table, text, size) : nnrt__tell_nothing(name);
    nnrt__free(table);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_counter(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                   size_t size) {
    uint64_t copied = self->npu.copied_in + self->npu.copied_out, syncs = self->syncs;
    if (self->matmul != NULL) nnrt__rknpu_matmul_counters(self->matmul, &copied, &syncs);
    if (strcmp(name, "rknn.copied_bytes") == 0) return nnrt__tell_number(copied, text, size);
    if (strcmp(name, "rknn.syncs") == 0) return nnrt__tell_number(syncs, text, size);
    if (self->frame_id == 0) return nnrt__tell_nothing(name);
    return nnrt__tell_number(self->frame_id, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_text(const char *fact, const char *name, char *text, size_t size) {
    return *fact != '\0' ? nnrt__tell(fact, text, size) : nnrt__tell_nothing(name);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_library(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                   size_t size) {
    return nnrt__rknpu_tell_text(self->model->device->library.name, name, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_chip(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                size_t size) {
    return nnrt__rknpu_tell_text(self->model->device->library.chip, name, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_sdk(const nnrt__rknpu_executor *self, const char *name, char *text,
                                               size_t size) {
    return nnrt__rknpu_tell_text(self->model->sdk.api_version, name, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_driver(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                  size_t size) {
    return nnrt__rknpu_tell_text(self->model->sdk.drv_version, name, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_custom(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                  size_t size) {
    return nnrt__rknpu_tell_text(self->model->custom_string.string, name, text, size);
}

/* What the model file says of itself. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_platform(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                    size_t size) {
    return nnrt__rknpu_tell_text(self->model->platform, name, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_toolkit(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                   size_t size) {
    return nnrt__rknpu_tell_text(self->model->toolkit, name, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_tell_cores(const nnrt__rknpu_executor *self, const char *name, char *text,
                                                 size_t size) {
    (void)name;
    return nnrt__tell_number(nnrt__rknpu_cores(self->model), text, size);
}

/* Every fact, in the order in which people read them: its name, what it is about, the function that tells it. Those of
   tensors are followed by a number. Both the list of facts and their answers are made from these rows. */
#define NNRT__RKNPU_FACTS(X)                                             \
    X("rknn.library", NNRT_FACT_MODEL, nnrt__rknpu_tell_library)         \
    X("rknn.sdk_version", NNRT_FACT_MODEL, nnrt__rknpu_tell_sdk)         \
    X("rknn.driver_version", NNRT_FACT_MODEL, nnrt__rknpu_tell_driver)   \
    X("rknn.chip", NNRT_FACT_MODEL, nnrt__rknpu_tell_chip)               \
    X("rknn.cores", NNRT_FACT_MODEL, nnrt__rknpu_tell_cores)             \
    X("rknn.model_platform", NNRT_FACT_MODEL, nnrt__rknpu_tell_platform) \
    X("rknn.model_toolkit", NNRT_FACT_MODEL, nnrt__rknpu_tell_toolkit)   \
    X("rknn.custom_string", NNRT_FACT_MODEL, nnrt__rknpu_tell_custom)    \
    X("rknn.weight_bytes", NNRT_FACT_MODEL, nnrt__rknpu_tell_memory)     \
    X("rknn.internal_bytes", NNRT_FACT_MODEL, nnrt__rknpu_tell_memory)   \
    X("rknn.dma_bytes", NNRT_FACT_MODEL, nnrt__rknpu_tell_memory)        \
    X("rknn.sram_bytes", NNRT_FACT_MODEL, nnrt__rknpu_tell_memory)       \
    X("rknn.sram_free_bytes", NNRT_FACT_MODEL, nnrt__rknpu_tell_memory)  \
    X("rknn.input.", NNRT_FACT_INPUT, nnrt__rknpu_tell_tensor)           \
    X("rknn.output.", NNRT_FACT_OUTPUT, nnrt__rknpu_tell_tensor)         \
    X("rknn.copied_bytes", NNRT_FACT_RUN, nnrt__rknpu_tell_counter)      \
    X("rknn.syncs", NNRT_FACT_RUN, nnrt__rknpu_tell_counter)             \
    X("rknn.run_us", NNRT_FACT_RUN, nnrt__rknpu_tell_run_us)             \
    X("rknn.perf_detail", NNRT_FACT_RUN, nnrt__rknpu_tell_layers)        \
    X("rknn.frame_id", NNRT_FACT_RUN, nnrt__rknpu_tell_counter)

/* Slot facts. */
static const nnrt_fact nnrt__rknpu_facts[] = {NNRT__RKNPU_FACTS(NNRT__FACT_ROW){NULL, NNRT_FACT_END}};

typedef OH_NN_ReturnCode (*nnrt__rknpu_teller)(const nnrt__rknpu_executor *self, const char *name, char *text,
                                               size_t size);

/* Slot info. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_info(void *executor, const char *name, char *text, size_t size) {
    static const nnrt__rknpu_teller tellers[] = {NNRT__RKNPU_FACTS(NNRT__FACT_ANSWER) NULL};
    const char *digits;
    const nnrt_fact *fact = nnrt__fact_find(nnrt__rknpu_facts, name, "the Rockchip device", &digits);
    if (fact == NULL) return OH_NN_INVALID_PARAMETER;
    return tellers[fact - nnrt__rknpu_facts]((const nnrt__rknpu_executor *)executor, name, text, size);
}

#endif /* NNRT_RKNPU_PROFILE_H */
