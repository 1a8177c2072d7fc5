/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that a dimension that a .tflite file leaves open in the signature of an input can be given by a run, as
   TensorFlow Lite's ResizeInputTensorStrict has it: the result is that of a file of that shape. Without being asked, a
   model runs as if it had no signature. */
#include "linked.h"

#include <criterion/criterion.h>

#include <unistd.h>

#define SEED 2802u

#include "noise.h"
#include "run_tflite.h"

#include "make_net.h"

enum {
    WIDTH = 4,
    DEPTH = 3,
    MOST = 9 /* rows */
};

#define OK(call) cr_assert_eq((int)(call), (int)OH_NN_SUCCESS, "%s", nnrt_last_error())

static const int32_t open_rows[3] = {-1, WIDTH, DEPTH};
static const float scale_f[DEPTH] = {1.0f, -2.0f, 0.5f};
static char heard[400];

static void hear(void *user, nnrt_log_level level, const char *message) {
    (void)user;
    (void)level;
    if (strstr(message, "signature") != NULL) snprintf(heard, sizeof heard, "%s", message);
}

static tensor_spec cube(int32_t rows) {
    const int32_t dims[3] = {rows, WIDTH, DEPTH};
    tensor_spec t = tensor(FLOAT32, 3, dims);
    t.signature = open_rows;
    return t;
}

/* [rows, 4, 3] in, of which rows are open, through a MUL, a slice of those begin, end, strides and masks, and what
   Keras makes of Flatten behind another MUL: reshape to [rows, 12]. Nothing in between has a signature. */
typedef struct cut {
    int32_t begin[3], end[3], stride[3];
    int64_t masks[5]; /* begin, end, ellipsis, new axis, shrink */
    uint32_t rank;    /* of the slice */
    int32_t dims[4];
} cut;

static const int32_t zero = 0, one = 1, flat_size = WIDTH * DEPTH;

static net flatten(int32_t rows, const cut *c) {
    const int64_t shrink[5] = {0, 0, 0, 0, 1}, pack[2] = {2, 0}, none[2] = {0, 0};
    const int32_t flat[2] = {rows, WIDTH * DEPTH};
    net n;
    int32_t at, factors, shape, from, to, dim;
    memset(&n, 0, sizeof n);
    (void)net_input(&n, cube(rows));
    factors = net_constant(&n, FLOAT32, DEPTH, scale_f);
    at = net_add(&n, 18, 0, factors, -1, tensor(FLOAT32, 3, n.tensors[0].dims));
    net_options(&n, 21, 2, none);
    shape = net_add(&n, 77, at, -1, -1, list(INT32, 3));
    from = net_constant(&n, INT32, 1, &zero);
    to = net_constant(&n, INT32, 1, &one);
    dim = net_add(&n, 45, shape, from, to, tensor(INT32, 0, &zero));
    net_also(&n, to);
    net_options(&n, 32, 5, shrink);
    dim = net_add(&n, 83, dim, net_constant(&n, INT32, 0, &flat_size), -1, list(INT32, 2));
    net_options(&n, 59, 2, pack);
    net_output(&n, net_add(&n, 22, at, dim, -1, tensor(FLOAT32, 2, flat)));
    if (c == NULL) return n;
    from = net_constant(&n, INT32, 3, c->begin);
    to = net_constant(&n, INT32, 3, c->end);
    at = net_add(&n, 45, at, from, to, tensor(FLOAT32, c->rank, c->dims));
    net_also(&n, net_constant(&n, INT32, 3, c->stride));
    net_options(&n, 32, 5, c->masks);
    net_output(&n, at);
    return n;
}

typedef struct built {
    bytes file;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
} built;

static OH_NN_ReturnCode build_net(const net *n, built *b) {
    static const off_settings settings = {NULL, NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE};
    OH_NN_ReturnCode code;
    b->file = make_net(n);
    b->executor = NULL;
    b->compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(b->file.at, b->file.size);
    code = nnrt_compilation_use_in_place(b->compilation); /* the file goes last: no copy for shapes that may come */
    if (code == OH_NN_SUCCESS) code = off_build(b->compilation, &settings);
    if (code == OH_NN_SUCCESS) b->executor = OH_NNExecutor_Construct(b->compilation);
    return code;
}

static void destroy(built *b) {
    if (b->executor != NULL) OH_NNExecutor_Destroy(&b->executor);
    OH_NNCompilation_Destroy(&b->compilation);
    free(b->file.at);
}

static NN_TensorDesc *input_desc(OH_NNExecutor *executor, int32_t rows) {
    NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    const int32_t dims[3] = {rows, WIDTH, DEPTH};
    cr_assert_not_null(desc);
    OK(OH_NNTensorDesc_SetShape(desc, dims, 3));
    return desc;
}

/* One run with that many rows of x: all outputs in order into y, *used floats of it, and shapes into dims and ranks. */
static OH_NN_ReturnCode run_rows(OH_NNExecutor *executor, int32_t rows, const float *x, float *y, size_t *used,
                                 int32_t dims[2][NNRT_MAX_RANK], size_t ranks[2]) {
    NN_TensorDesc *desc = input_desc(executor, rows);
    NN_Tensor *in = OH_NNTensor_Create(off_device(), desc), *out[2] = {NULL, NULL};
    OH_NN_ReturnCode code = nnrt_executor_prepare(executor, &desc, 1);
    size_t count = 0, i;
    cr_assert_not_null(in, "%s", nnrt_last_error());
    OK(OH_NNTensorDesc_Destroy(&desc));
    memcpy(OH_NNTensor_GetDataBuffer(in), x, (size_t)rows * WIDTH * DEPTH * 4);
    OK(OH_NNExecutor_GetOutputCount(executor, &count));
    *used = 0;
    for (i = 0; i < count && code == OH_NN_SUCCESS; i++) { /* of the shape that prepare has found */
        desc = OH_NNExecutor_CreateOutputTensorDesc(executor, i);
        out[i] = OH_NNTensor_Create(off_device(), desc);
        cr_assert_not_null(out[i], "%s", nnrt_last_error());
        OK(OH_NNTensorDesc_Destroy(&desc));
    }
    if (code == OH_NN_SUCCESS) code = OH_NNExecutor_RunSync(executor, &in, 1, out, count);
    for (i = 0; i < count && code == OH_NN_SUCCESS; i++) {
        int32_t *shape = NULL;
        size_t elements = 0;
        OK(OH_NNTensorDesc_GetShape(OH_NNTensor_GetTensorDesc(out[i]), &shape, &ranks[i]));
        memcpy(dims[i], shape, ranks[i] * sizeof shape[0]);
        OK(OH_NNTensorDesc_GetElementCount(OH_NNTensor_GetTensorDesc(out[i]), &elements));
        memcpy(y + *used, OH_NNTensor_GetDataBuffer(out[i]), elements * 4);
        *used += elements;
    }
    for (i = 0; i < count; i++)
        if (out[i] != NULL) OK(OH_NNTensor_Destroy(&out[i]));
    OK(OH_NNTensor_Destroy(&in));
    return code;
}

static float x[MOST * WIDTH * DEPTH];

static void fill_x(void) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(x); i++) x[i] = (float)((int)i % 31 - 15) * 0.25f;
}

/* What flatten gives first. */
static void is_flattened(int32_t rows, const float *y, const int32_t *dims, size_t rank) {
    int32_t i;
    cr_assert(rank == 2 && dims[0] == rows && dims[1] == WIDTH * DEPTH, "%d rows: [%d, %d]", (int)rows, (int)dims[0],
              (int)dims[1]);
    for (i = 0; i < rows * WIDTH * DEPTH; i++)
        cr_assert_eq(y[i], x[i] * scale_f[i % DEPTH], "%d rows: element %d", (int)rows, (int)i);
}

Test(tflite_resize, an_open_dimension_is_what_a_run_gives) {
    static const int32_t order[] = {1, 4, 4, 1, 2, 3, 5, 6, 7, 4, 9, 1, 8};
    float y[sizeof x / 4];
    int32_t dims[2][NNRT_MAX_RANK];
    size_t ranks[2], used, i;
    built b;
    net n = flatten(1, NULL);
    fill_x();
    OK(build_net(&n, &b));
    for (i = 0; i < NNRT__COUNT_OF(order); i++) {
        OK(run_rows(b.executor, order[i], x, y, &used, dims, ranks));
        is_flattened(order[i], y, dims[0], ranks[0]);
    }
    destroy(&b);
}

/* Without prepare an output of the file's shape is too small, and that is said. */
Test(tflite_resize, an_output_that_is_too_small_is_refused) {
    float y[WIDTH * DEPTH];
    NN_TensorDesc *desc;
    NN_Tensor *in, *out;
    built b;
    net n = flatten(1, NULL);
    fill_x();
    OK(build_net(&n, &b));
    desc = input_desc(b.executor, 2);
    in = OH_NNTensor_Create(off_device(), desc);
    OK(OH_NNTensorDesc_Destroy(&desc));
    out = off_tensor(OH_NNExecutor_CreateOutputTensorDesc(b.executor, 0), sizeof y);
    cr_assert_eq((int)OH_NNExecutor_RunSync(b.executor, &in, 1, &out, 1), (int)OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt_last_error(), "output 0 has 48 bytes, the model needs 96"), "%s", nnrt_last_error());
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OK(off_run(b.executor, x, sizeof y, y, sizeof y)); /* as if nothing had been */
    destroy(&b);
}

Test(tflite_resize, ranges_say_what_is_open) {
    size_t *least = NULL, *most = NULL, rank = 0;
    int32_t dims[2][NNRT_MAX_RANK], *shape = NULL;
    static const int32_t wrong[2][3] = {{1, WIDTH + 1, DEPTH}, {0, WIDTH, DEPTH}};
    NN_TensorDesc *desc;
    size_t i;
    built b;
    net n = flatten(2, NULL);
    OK(build_net(&n, &b));
    OK(OH_NNExecutor_GetInputDimRange(b.executor, 0, &least, &most, &rank));
    cr_assert(rank == 3 && least[0] == 1 && most[0] >= 1000000 && least[1] == WIDTH && most[1] == WIDTH &&
              least[2] == DEPTH && most[2] == DEPTH);
    desc = OH_NNExecutor_CreateInputTensorDesc(b.executor, 0);
    OK(OH_NNTensorDesc_GetShape(desc, &shape, &rank));
    cr_assert(rank == 3 && shape[0] == 2, "the default is the file's shape");
    for (i = 0; i < 2; i++) {
        memcpy(dims[0], wrong[i], sizeof wrong[i]);
        OK(OH_NNTensorDesc_SetShape(desc, dims[0], 3));
        cr_assert_eq((int)nnrt_executor_prepare(b.executor, &desc, 1), (int)OH_NN_INVALID_PARAMETER);
    }
    OK(OH_NNTensorDesc_Destroy(&desc));
    destroy(&b);
}

/* Slices over the open dimension, and over others, give what a file of that many rows gives. */
Test(tflite_resize, every_slice_is_that_of_a_file_of_the_shape) {
    static const cut cuts[] = {
        {{0, 0, 0}, {1, 2, 3}, {1, 1, 1}, {1, 1, 0, 0, 0}, 3, {1, 2, 3, 0}},    /* x[:, 0:2, 0:3] */
        {{0, 1, 0}, {0, 2, 0}, {1, 1, 1}, {5, 5, 0, 0, 2}, 2, {1, 3, 0, 0}},    /* x[:, 1, :] */
        {{0, 0, -1}, {0, 0, 0}, {1, 1, 1}, {3, 7, 0, 0, 4}, 2, {1, 4, 0, 0}},   /* x[:, :, -1] */
        {{-1, 0, 0}, {9, 99, 9}, {1, 2, 1}, {0, 0, 0, 0, 1}, 2, {2, 3, 0, 0}},  /* x[-1, 0:99:2, 0:9] */
        {{0, 0, 0}, {0, 0, 0}, {-1, -1, 1}, {7, 7, 0, 0, 0}, 3, {1, 4, 3, 0}},  /* x[::-1, ::-1] */
        {{0, 0, 1}, {0, 0, 2}, {1, 1, 1}, {0, 0, 1, 2, 0}, 4, {1, 4, 1, 1}},    /* x[..., newaxis, 1:2] */
        {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {2, 2, 0, 1, 4}, 3, {1, 1, 4, 3}},    /* mended below */
        {{0, 3, 2}, {7, 0, 0}, {1, -2, -1}, {1, 0, 0, 0, 0}, 3, {1, 2, 2, 0}}}; /* x[0:7, 3:0:-2, 2:0:-1] */
    size_t i;
    int32_t rows;
    fill_x();
    for (i = 0; i < NNRT__COUNT_OF(cuts); i++) {
        cut c = cuts[i];
        built b;
        net n;
        if (i == 6) { /* x[newaxis, :, 0] */
            static const int32_t kept[3] = {1, 1, DEPTH};
            memcpy(c.dims, kept, sizeof kept);
        }
        n = flatten(1, &c);
        OK(build_net(&n, &b));
        for (rows = 1; rows <= MOST; rows += 2) {
            float y[2 * NNRT__COUNT_OF(x)], want[2 * NNRT__COUNT_OF(x)];
            int32_t dims[2][NNRT_MAX_RANK], same[2][NNRT_MAX_RANK];
            size_t ranks[2], same_ranks[2], used, same_used;
            cut of_rows = c;
            built file;
            net whole;
            const uint32_t at = i == 3 ? 0 : i == 6 ? 1 : 0;
            if (i != 3) of_rows.dims[at] = i == 7 && rows > 7 ? 7 : rows;
            whole = flatten(rows, &of_rows);
            OK(build_net(&whole, &file));
            OK(run_rows(file.executor, rows, x, want, &same_used, same, same_ranks));
            OK(run_rows(b.executor, rows, x, y, &used, dims, ranks));
            cr_assert(used == same_used && ranks[1] == same_ranks[1], "slice %zu of %d rows", i, (int)rows);
            cr_assert_arr_eq(dims[1], same[1], ranks[1] * sizeof dims[1][0], "slice %zu of %d rows", i, (int)rows);
            cr_assert_arr_eq(y, want, used * 4, "slice %zu of %d rows", i, (int)rows);
            destroy(&file);
        }
        destroy(&b);
    }
}

/* Nothing but where the ranges are is different while nobody asks for another shape. */
Test(tflite_resize, it_costs_nothing_while_nobody_asks) {
    nnrt_memory with, without;
    uint8_t *plans[2];
    size_t sizes[2], i;
    for (i = 0; i < 2; i++) {
        built b;
        net n = flatten(3, NULL);
        if (i == 1) n.tensors[0].signature = NULL;
        OK(build_net(&n, &b));
        OK(nnrt_executor_get_memory(b.executor, i == 0 ? &with : &without));
        plans[i] = off_export(b.compilation, &sizes[i]);
        destroy(&b);
    }
    cr_assert_eq(with.arena_bytes, without.arena_bytes);
    cr_assert_eq(with.plan_bytes, without.plan_bytes);
    cr_assert(with.heap_bytes <= without.heap_bytes + 16, "%zu, not %zu and a mask of 16 bits in its block",
              with.heap_bytes, without.heap_bytes);
    cr_assert(sizes[0] == sizes[1] && memcmp(plans[0], plans[1], sizes[0]) == 0, "another plan");
    for (i = 0; i < 2; i++) free(plans[i]);
}

/* A signature that cannot be is ignored, with a line in the log, and what it says nothing of is fixed. */
Test(tflite_resize, signatures_that_cannot_be_are_ignored) {
    static const struct {
        int32_t said[4];
        uint32_t rank;
        bool told;
    } rows[] = {{{-1, WIDTH, DEPTH, 0}, 2, true},     {{-1, WIDTH, DEPTH, 1}, 4, true},
                {{-2, WIDTH, DEPTH, 0}, 3, true},     {{-1, WIDTH + 1, DEPTH, 0}, 3, true},
                {{-1, INT32_MIN, DEPTH, 0}, 3, true}, {{-1, 0, DEPTH, 0}, 3, true},
                {{1, WIDTH, DEPTH, 0}, 3, false}};
    size_t i;
    nnrt_set_log(hear, NULL);
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        size_t *least = NULL, *most = NULL, rank = 0;
        built b;
        net n = flatten(1, NULL);
        n.tensors[0].signature = rows[i].said;
        n.tensors[0].signature_rank = rows[i].rank;
        heard[0] = '\0';
        OK(build_net(&n, &b));
        cr_assert_eq(strstr(heard, "tensor 0: its shape signature does not fit its shape and is ignored") != NULL,
                     rows[i].told, "row %zu: \"%s\"", i, heard);
        OK(OH_NNExecutor_GetInputDimRange(b.executor, 0, &least, &most, &rank));
        cr_assert(least[0] == 1 && most[0] == 1, "row %zu", i);
        destroy(&b);
    }
    nnrt_set_log(NULL, NULL);
}

/* From a path, mapped and read, and from a cache, which holds the plan of one shape only. */
Test(tflite_resize, files_and_caches_have_open_dimensions_too) {
    char folder[] = "/tmp/nnrt-resize-XXXXXX", path[64];
    const net n = flatten(1, NULL);
    const bytes file = make_net(&n);
    FILE *to;
    int way;
    fill_x();
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/model.tflite", folder);
    to = fopen(path, "wb");
    cr_assert(to != NULL && fwrite(file.at, 1, file.size, to) == file.size && fclose(to) == 0);
    for (way = 0; way < 6; way++) { /* bit 0: read, not mapped; 2 makes a cache, 4 finds it */
        const off_settings settings = {NULL, NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE};
        OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
        OH_NNExecutor *executor;
        float y[sizeof x / 4];
        int32_t dims[2][NNRT_MAX_RANK];
        size_t ranks[2], used;
        off_config(compilation, "nnrt.map", way % 2 == 0 ? "1" : "0");
        if (way >= 2) OK(OH_NNCompilation_SetCache(compilation, folder, 1));
        OK(off_build(compilation, &settings));
        executor = OH_NNExecutor_Construct(compilation);
        cr_assert_not_null(executor, "%s", nnrt_last_error());
        OH_NNCompilation_Destroy(&compilation);
        OK(run_rows(executor, 5, x, y, &used, dims, ranks));
        is_flattened(5, y, dims[0], ranks[0]);
        OK(run_rows(executor, 1, x, y, &used, dims, ranks));
        is_flattened(1, y, dims[0], ranks[0]);
        OH_NNExecutor_Destroy(&executor);
    }
    free(file.at);
    {
        char command[96];
        snprintf(command, sizeof command, "rm -r %s", folder);
        cr_assert_eq(system(command), 0);
    }
}

/* Every allocation of a resize may fail: that is said, and the next run is whole. */
Test(tflite_resize, without_memory_a_shape_is_refused_and_nothing_changes) {
    float y[sizeof x / 4];
    int32_t dims[2][NNRT_MAX_RANK];
    size_t ranks[2], used;
    long n_failed = 0;
    OH_NN_ReturnCode code = OH_NN_MEMORY_ERROR;
    built b;
    net n = flatten(1, NULL);
    fill_x();
    OK(build_net(&n, &b));
    for (; code == OH_NN_MEMORY_ERROR; n_failed++) {
        NN_TensorDesc *desc = input_desc(b.executor, 3);
        const long live = counting_live();
        counting_fail_at(n_failed);
        code = nnrt_executor_prepare(b.executor, &desc, 1);
        counting_fail_never();
        if (code != OH_NN_SUCCESS) cr_assert_eq(counting_live(), live, "allocation %ld", n_failed);
        OK(OH_NNTensorDesc_Destroy(&desc));
        OK(run_rows(b.executor, 1, x, y, &used, dims, ranks));
        is_flattened(1, y, dims[0], ranks[0]);
    }
    cr_assert_eq((int)code, (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_gt(n_failed, 10);
    OK(run_rows(b.executor, 3, x, y, &used, dims, ranks));
    is_flattened(3, y, dims[0], ranks[0]);
    destroy(&b);
}
