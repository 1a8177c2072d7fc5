/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_differential.c - whatever a .tflite asks for, it gets the same in every way in which the CPU device can do it.
   `make fuzz`.
   Ways        every instruction set of this machine; three threads; OH_NN_PERFORMANCE_LOW, then with inputs in the
               arena; no pass on the graph; the plan saved and restored.
   Properties  (1) a model that the portable kernels run is built and run in every other way, with the same code;
               (2) where no tensor is float, all outputs are the same bytes; (3) threads, and a plan that was saved and
               restored, change no byte of any model; (4) one float operator alone gives, between instruction sets, LOW
               and passes, results within a thousandth of the largest one, as far as all are finite.
   Seeds       the models of fuzz_tflite; those that ask for too much work or memory are left alone. */
#include "linked.h"

#include "must.h"

enum {
    BUDGET = 8 << 20,
    MOST_IO = 16,
    MOST_BYTES = 1 << 18,
    OPEN_DIM = 3 /* of dynamic dimensions */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The CPU device, opened once. */
static void *device(void) {
    static void *opened;
    if (opened == NULL) MUST(nnrt__cpu_backend.open(NULL, &opened) == OH_NN_SUCCESS);
    return opened;
}

typedef struct way {
    const char *isa, *threads, *passes, *stripes;
    bool low, restored;
    bool exact; /* changes no byte, whatever the types; else only where there is no float */
} way;

typedef struct result {
    OH_NN_ReturnCode code;
    bool ran;
    size_t outputs, sizes[MOST_IO];
    OH_NN_DataType dtypes[MOST_IO];
    uint8_t *bytes[MOST_IO];
} result;

static void result_free(result *r) {
    size_t i;
    for (i = 0; i < r->outputs; i++) free(r->bytes[i]);
    memset(r, 0, sizeof(*r));
}

/* Two runs, of which the second reads the state that the first one left, with bytes that depend on their place only;
   floats are small numbers. false: too large to be tried. */
static bool run(void *prepared, result *r) {
    nnrt_io io[2 * MOST_IO];
    void *executor = NULL;
    size_t inputs, outputs, i, k, total = 0;
    nnrt__cpu_backend.io_count(prepared, &inputs, &outputs);
    if (inputs > MOST_IO || outputs > MOST_IO) return false;
    memset(io, 0, sizeof(io));
    for (i = 0; i < inputs + outputs; i++) {
        nnrt_io_desc desc;
        MUST(nnrt__cpu_backend.io_desc(prepared, i >= inputs, i >= inputs ? i - inputs : i, &desc) == OH_NN_SUCCESS);
        io[i].fd = -1;
        io[i].dtype = desc.dtype;
        io[i].rank = desc.rank;
        io[i].size = nnrt__element_size(desc.dtype);
        for (k = 0; k < desc.rank && io[i].size <= MOST_BYTES; k++) {
            io[i].dims[k] = desc.dims[k] == -1 ? OPEN_DIM : desc.dims[k];
            io[i].size *= (size_t)io[i].dims[k];
        }
        if (i >= inputs && nnrt__shape_is_dynamic(desc.rank, desc.dims)) io[i].size = MOST_BYTES / MOST_IO;
        total += io[i].size;
        if (io[i].size > MOST_BYTES || total > 4 * MOST_BYTES) return false;
    }
    r->code = nnrt__cpu_backend.open_executor(prepared, &executor);
    if (r->code != OH_NN_SUCCESS) return true;
    for (i = 0; i < inputs + outputs; i++) {
        io[i].data = calloc(io[i].size + 1, 1);
        MUST(io[i].data != NULL);
        for (k = 0; i < inputs && k < io[i].size; k++)
            if (io[i].dtype != OH_NN_FLOAT32) ((uint8_t *)io[i].data)[k] = (uint8_t)(k * 37 + i * 11);
            else if (k % 4 == 0) ((float *)io[i].data)[k / 4] = (float)((int)(k * 37 + i * 11) % 255 - 127) / 32.0f;
    }
    for (k = 0; k < 2 && r->code == OH_NN_SUCCESS; k++)
        r->code = nnrt__cpu_backend.run(executor, io, inputs, io + inputs, outputs);
    r->ran = true;
    r->outputs = outputs;
    for (i = 0; i < inputs; i++) free(io[i].data);
    for (i = 0; i < outputs; i++) {
        r->bytes[i] = (uint8_t *)io[inputs + i].data;
        r->sizes[i] = io[inputs + i].size;
        r->dtypes[i] = io[inputs + i].dtype;
    }
    nnrt__cpu_backend.close_executor(executor);
    return true;
}

/* Builds and runs in one way. false: too large to be tried. */
static bool try_way(const uint8_t *data, size_t size, const way *w, result *r) {
    nnrt_config configs[7];
    nnrt_request request;
    void *prepared = NULL, *again = NULL;
    uint8_t *blob = NULL;
    size_t blob_size = 0;
    bool tried = true;
    memset(r, 0, sizeof(*r));
    memset(&request, 0, sizeof(request));
    request.configs = configs;
    request.performance = w->low ? OH_NN_PERFORMANCE_LOW : OH_NN_PERFORMANCE_NONE;
#define GIVE(the_name, the_value)                                                 \
    do {                                                                          \
        configs[request.config_count].name = (the_name);                          \
        configs[request.config_count].value = (the_value);                        \
        configs[request.config_count++].size = strlen((const char *)(the_value)); \
    } while (0)
    GIVE("nnrt.isa", w->isa);
    GIVE("nnrt.threads", w->threads);
    GIVE("nnrt.max_work", "4M");
    GIVE("nnrt.max_memory", "2M");
    if (w->passes != NULL) GIVE("nnrt.passes", w->passes);
    if (w->stripes != NULL) GIVE("nnrt.stripes", w->stripes);
    if (w->low) GIVE("nnrt.inputs", "arena");
    request.model = data;
    request.model_size = size;
    counting_budget(BUDGET);
    r->code = nnrt__cpu_backend.prepare(device(), &request, &prepared);
    if (r->code != OH_NN_SUCCESS) return true;
    if (w->restored) {
        request.model = NULL;
        request.model_size = 0;
        if (nnrt__cpu_backend.save(prepared, NULL, 0, &blob_size) != OH_NN_SUCCESS) {
            nnrt__cpu_backend.release(prepared); /* a dynamic model has no plan to save */
            return false;
        }
        blob = (uint8_t *)malloc(blob_size);
        MUST(blob != NULL);
        MUST(nnrt__cpu_backend.save(prepared, blob, blob_size, &blob_size) == OH_NN_SUCCESS);
        r->code = nnrt__cpu_backend.restore(device(), &request, blob, blob_size, &again);
        nnrt__cpu_backend.release(prepared);
        prepared = again;
    }
    if (r->code == OH_NN_SUCCESS) {
        tried = run(prepared, r);
        nnrt__cpu_backend.release(prepared);
    }
    free(blob);
    MUST(counting_bytes() == 0);
    return tried;
}

/* Are two float outputs as close as the kernels promise? Only where everything is finite and of a usual size. */
static bool close_enough(const uint8_t *a, const uint8_t *b, size_t bytes) {
    float largest = 1.0f;
    size_t i;
    for (i = 0; i + 4 <= bytes; i += 4) {
        const float x = nnrt__read_f32(a + i), y = nnrt__read_f32(b + i);
        if (!(fabsf(x) < 1e6f) || !(fabsf(y) < 1e6f)) return true;
        if (fabsf(x) > largest) largest = fabsf(x);
    }
    for (i = 0; i + 4 <= bytes; i += 4)
        if (fabsf(nnrt__read_f32(a + i) - nnrt__read_f32(b + i)) > 1e-3f * largest) return false;
    return true;
}

/* What the graph of a .tflite is made of. */
static bool look(const uint8_t *data, size_t size, bool *has_float, bool *single) {
    nnrt__graph_store *store = NULL;
    const nnrt_graph *graph;
    uint32_t i;
    counting_budget(BUDGET);
    if (nnrt__tflite_read(data, size, &store) != OH_NN_SUCCESS) return false;
    graph = nnrt__graph_store_graph(store);
    *has_float = false;
    *single = graph->node_count == 1;
    for (i = 0; i < graph->tensor_count; i++)
        *has_float = *has_float || graph->tensors[i].dtype == OH_NN_FLOAT32 ||
                     graph->tensors[i].dtype == OH_NN_FLOAT16 || graph->tensors[i].dtype == OH_NN_FLOAT64;
    nnrt__graph_store_release(store);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const way ways[] = {
        {"scalar", "3", NULL, NULL, false, false, true},      {"scalar", "1", NULL, NULL, false, true, true},
        {"scalar", "1", NULL, "1000", false, false, true},    {"scalar", "1", NULL, "1000", true, false, false},
        {"scalar", "1", "none", NULL, false, false, false},   {"sse41", "1", NULL, NULL, false, false, false},
        {"avx2", "3", NULL, NULL, false, false, false},       {"neon", "1", NULL, NULL, false, false, false},
        {"avx2", "1", NULL, "1000", true, true, false},       {"avxvnni", "1", NULL, NULL, false, false, false},
        {"avx512vnni", "2", NULL, NULL, false, true, false},  {"armv8-dot", "1", NULL, NULL, false, false, false},
        {"armv8-i8mm", "2", NULL, NULL, false, true, false},  {"cortex-m4", "1", NULL, NULL, false, false, false},
        {"cortex-m55", "1", NULL, NULL, false, false, false}, {"rvv", "1", NULL, NULL, false, false, false}};
    static const way first = {"scalar", "1", NULL, NULL, false, false, true};
    bool has_float, single;
    result right, other;
    size_t i, k;
    if (size == 0 || !nnrt__tflite_is(data, size) || !look(data, size, &has_float, &single)) return 0;
    if (!try_way(data, size, &first, &right) || !right.ran) {
        result_free(&right);
        return 0;
    }
    for (i = 0; i < NNRT__COUNT_OF(ways); i++) {
        unsigned isa = 0;
        if (!nnrt__isa_from_name(ways[i].isa, &isa) || (isa & ~nnrt__cpu_detect()) != 0) continue;
        if (!try_way(data, size, &ways[i], &other)) {
            result_free(&other);
            continue;
        }
        /* other packings and scratches may take a model over the bound; without passes nothing computes
           weights, nor shapes */
        if (!other.ran)
            MUST(strstr(nnrt__sentence(), "nnrt.max_memory") != NULL || other.code == OH_NN_MEMORY_ERROR ||
                 (ways[i].passes != NULL && (strstr(nnrt__sentence(), "constant") != NULL ||
                                             strstr(nnrt__sentence(), "is not computed yet") != NULL)));
        /* an operator that nobody reads is left out by a pass, and may fail without it */
        if (other.ran) MUST((other.code == right.code || ways[i].passes != NULL) && other.outputs == right.outputs);
        for (k = 0; other.ran && right.code == OH_NN_SUCCESS && other.code == OH_NN_SUCCESS && k < right.outputs; k++) {
            MUST(other.sizes[k] == right.sizes[k]);
            if (ways[i].exact || !has_float) MUST(memcmp(other.bytes[k], right.bytes[k], right.sizes[k]) == 0);
            else if (single && right.dtypes[k] == OH_NN_FLOAT32)
                MUST(close_enough(right.bytes[k], other.bytes[k], right.sizes[k]));
        }
        result_free(&other);
    }
    result_free(&right);
    return 0;
}
