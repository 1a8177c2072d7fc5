/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that the simulated Rockchip board answers as the vendor's own libraries do: a list of calls and of the answers
   that librknnmrt 1.6.0, 2.1.0 and 2.3.2 and librknnrt 1.5.2 and 1.6.0 gave, under an imitated driver, for real models;
   here they are asked of models of the same shapes. Nothing but the vendor's API is used, so that the list can be
   played to the vendor's libraries, too: NNRT_SIM_DIR then has them as VERSION/LIBRARY, and models/NAME.CHIP.rknn. What
   only a simulated board can tell (syncs) is left out there. */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/rknpu/vendor.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { M160, M210, M232, R152, R160, RUNTIMES };
enum { NOT_ASKED = -99, DIES = 1000 }; /* DIES + the signal */

static const char *const versions[RUNTIMES] = {"1.6.0", "2.1.0", "", "1.5.2", "1.6.0"};

enum { NCHW = NNRT_RKNN_NCHW, NHWC = NNRT_RKNN_NHWC, BLOCKS = NNRT_RKNN_NC1HWC2, PLAIN = NNRT_RKNN_UNDEFINED };
enum { I8 = NNRT_RKNN_INT8, U8 = NNRT_RKNN_UINT8, I16 = NNRT_RKNN_INT16, U16 = NNRT_RKNN_UINT16, I32 = NNRT_RKNN_INT32,
       F16 = NNRT_RKNN_FLOAT16, F32 = NNRT_RKNN_FLOAT32, BOOL8 = NNRT_RKNN_BOOL };

/* ------------------------------------------------------------------------------------- asking */

typedef struct asked {
    vendor_api v;
    vendor_context context;
    int answers[16];
    unsigned count;
} asked;

static void say(asked *a, int answer) {
    if (a->count < COUNT(a->answers)) a->answers[a->count++] = answer;
}

/* What ask() says in a process of its own, where that runtime is loaded; what is missing is how the process ended. */
static void ask_of(int runtime, const char *chip, void (*ask)(asked *a, const void *row), const void *row, int *answers,
                   unsigned count) {
    int ends[2], status = 0;
    unsigned i;
    pid_t child;
    cr_assert_eq(pipe(ends), 0);
    (void)fflush(NULL);
    child = fork();
    if (child == 0) {
        const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE};
        static asked a;
        for (i = 0; i < COUNT(signals); i++) (void)signal(signals[i], SIG_DFL); /* no shim's or sanitizer's */
        (void)alarm(60);
        (void)setenv("NNRT_SIM_REPORT", "0", 1);
        if (!vendor_open(&a.v, chip, versions[runtime])) _exit(77);
        ask(&a, row);
        _exit(write(ends[1], a.answers, a.count * sizeof a.answers[0]) >= 0 ? 0 : 1);
    }
    (void)close(ends[1]);
    for (i = 0; i < count; i++) answers[i] = NOT_ASKED;
    (void)!read(ends[0], answers, count * sizeof answers[0]);
    (void)close(ends[0]);
    cr_assert_eq(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) answers[0] = DIES + WTERMSIG(status);
    else if (WEXITSTATUS(status) == 77) cr_skip_test("skipped, no simulated board in %s", vendor_folder());
    else cr_assert_eq(status, 0, "the child ended with %d", status);
}

/* Of no use here. */
static void unused(void) { (void)vendor_has_mistake; }

static bool open_model(asked *a, const char *model, uint32_t flags) {
    const char *chip = getenv("NNRT_SIM_CHIP");
    char path[512];
    int answer = a->v.init(&a->context, (void *)vendor_model(path, sizeof path, model, chip), 0, flags, NULL);
    unused();
    if (answer != 0) say(a, answer);
    return answer == 0;
}

static const char *chip_of(int runtime, const char *full) { return runtime <= M232 ? "rv1106" : full; }

/* ------------------------------------------------------------------------------------- attributes */

typedef struct attr_row {
    const char *model, *chip; /* chip NULL: of librknnmrt */
    int cmd;
    uint32_t index;
    unsigned runtimes; /* bits */
    uint32_t n_dims, dims[5], n_elems, size;
    int fmt;
    uint32_t w_stride, size_with_stride;
} attr_row;

#define ALL_M (1u << M160 | 1u << M210 | 1u << M232)
#define OLD_M (1u << M160 | 1u << M210)
#define ALL_R (1u << R152 | 1u << R160)
#define ON(runtime) (1u << (runtime))

static const attr_row attr_rows[] = {
    {"faces", NULL, 1, 0, ALL_M, 4, {1, 640, 640, 3}, 1228800, 1228800, NHWC, 640, 1228800},
    {"faces", NULL, 8, 0, ALL_M, 4, {1, 640, 640, 3}, 1228800, 1228800, NHWC, 640, 1228800},
    {"faces", NULL, 10, 0, ALL_M, 4, {1, 640, 640, 3}, 1228800, 1228800, NHWC, 640, 1228800},
    {"faces", NULL, 2, 0, ALL_M, 3, {1, 16800, 4}, 67200, 67200, PLAIN, 0, 67200},
    {"faces", NULL, 2, 1, ALL_M, 3, {1, 16800, 2}, 33600, 33600, PLAIN, 0, 33600},
    {"faces", NULL, 2, 2, ALL_M, 3, {1, 16800, 10}, 168000, 168000, PLAIN, 0, 168000},
    {"faces", NULL, 9, 0, ALL_M, 3, {1, 16800, 4}, 67200, 67200, PLAIN, 0, 67200},
    {"faces", NULL, 9, 1, OLD_M, 3, {1, 16800, 2}, 33600, 33600, PLAIN, 0, 33600},
    {"faces", NULL, 9, 1, ON(M232), 3, {1, 16800, 2}, 33600, 67200, PLAIN, 0, 67200},
    {"faces", NULL, 9, 2, OLD_M, 3, {1, 16800, 10}, 168000, 168000, PLAIN, 0, 168000},
    {"faces", NULL, 9, 2, ON(M232), 3, {1, 16800, 10}, 168000, 201600, PLAIN, 0, 201600},
    {"faces", NULL, 11, 1, ALL_M, 3, {1, 16800, 2}, 33600, 33600, PLAIN, 0, 33600},
    {"faces", NULL, 11, 2, ALL_M, 3, {1, 16800, 10}, 168000, 168000, PLAIN, 0, 168000},
    {"number", NULL, 1, 0, ALL_M, 2, {1, 2}, 2, 2, PLAIN, 0, 2},
    {"number", NULL, 2, 0, ALL_M, 2, {1, 1}, 1, 1, PLAIN, 0, 1},
    {"number", NULL, 9, 0, OLD_M, 2, {1, 1}, 1, 1, PLAIN, 0, 1},
    {"number", NULL, 9, 0, ON(M232), 2, {1, 1}, 1, 64, PLAIN, 0, 64},
    {"number", NULL, 11, 0, ALL_M, 2, {1, 1}, 1, 1, PLAIN, 0, 1},
    {"voice", NULL, 1, 0, ALL_M, 3, {1, 129, 4}, 516, 516, PLAIN, 0, 516},
    {"voice", NULL, 8, 0, ALL_M, 3, {1, 129, 4}, 516, 516, PLAIN, 0, 516},
    {"voice", NULL, 9, 0, ALL_M, 3, {1, 128, 1}, 128, 128, PLAIN, 0, 128},
    {"objects", NULL, 2, 0, ALL_M, 4, {1, 18, 80, 80}, 115200, 115200, NCHW, 0, 115200},
    {"objects", NULL, 9, 0, ALL_M, 5, {1, 2, 80, 80, 16}, 204800, 204800, BLOCKS, 80, 204800},
    {"objects", NULL, 11, 0, ALL_M, 4, {1, 80, 80, 18}, 115200, 115200, NHWC, 0, 204800},
    {"objects", NULL, 2, 5, ALL_M, 4, {1, 4, 20, 20}, 1600, 1600, NCHW, 0, 1600},
    {"objects", NULL, 9, 5, ALL_M, 5, {1, 1, 20, 20, 16}, 6400, 6400, BLOCKS, 20, 6400},
    {"objects", NULL, 11, 5, ALL_M, 4, {1, 20, 20, 4}, 1600, 1600, NHWC, 0, 6400},
    {"objects", NULL, 11, 6, ALL_M, 4, {1, 20, 20, 1}, 400, 400, NHWC, 0, 6400},
    {"objects", NULL, 9, 3, ALL_M, 5, {1, 4, 20, 20, 16}, 25600, 25600, BLOCKS, 20, 25600},
    {"two_pictures", "rk3588", 1, 0, ALL_R, 4, {1, 128, 128, 1}, 16384, 16384, NHWC, 128, 16384},
    {"two_pictures", "rk3588", 1, 1, ALL_R, 4, {1, 128, 128, 3}, 49152, 49152, NHWC, 128, 49152},
    {"two_pictures", "rk3588", 8, 1, ALL_R, 4, {1, 128, 128, 3}, 49152, 49152, NHWC, 128, 49152},
    {"two_pictures", "rk3588", 10, 1, ALL_R, 4, {1, 128, 128, 3}, 49152, 49152, NHWC, 128, 49152},
    {"two_pictures", "rk3588", 2, 0, ALL_R, 4, {1, 8, 128, 128}, 131072, 131072, NCHW, 0, 262144},
    {"two_pictures", "rk3588", 9, 0, ALL_R, 5, {1, 2, 128, 128, 16}, 524288, 524288, BLOCKS, 0, 524288},
    {"two_pictures", "rk3588", 11, 0, ALL_R, 4, {1, 128, 128, 8}, 131072, 131072, NHWC, 0, 131072},
    {"two_pictures", "rk3566", 2, 0, ALL_R, 4, {1, 8, 128, 128}, 131072, 131072, NCHW, 0, 131072},
    {"two_pictures", "rk3566", 9, 0, ALL_R, 5, {1, 2, 128, 128, 8}, 262144, 262144, BLOCKS, 0, 262144},
    {"two_pictures", "rk3566", 11, 0, ON(R152), 4, {1, 128, 128, 128}, 2097152, 2097152, NHWC, 0, 2097152},
    {"two_pictures", "rk3566", 11, 0, ON(R160), 4, {1, 128, 128, 8}, 131072, 131072, NHWC, 0, 131072},
    {"two_pictures", "rk3562", 2, 0, ALL_R, 4, {1, 8, 128, 128}, 131072, 131072, NCHW, 0, 262144},
    {"two_pictures", "rk3562", 9, 0, ALL_R, 5, {1, 1, 128, 128, 16}, 262144, 262144, BLOCKS, 0, 262144},
    {"objects", "rk3566", 2, 3, ALL_R, 4, {1, 64, 20, 20}, 25600, 25600, NCHW, 0, 30720},
    {"objects", "rk3566", 2, 4, ALL_R, 4, {1, 80, 20, 20}, 32000, 32000, NCHW, 0, 38400},
    {"objects", "rk3566", 9, 3, ALL_R, 5, {1, 8, 20, 20, 8}, 25600, 25600, BLOCKS, 0, 25600},
    {"objects", "rk3566", 9, 4, ALL_R, 5, {1, 10, 20, 20, 8}, 32000, 32000, BLOCKS, 0, 32000},
    {"objects", "rk3566", 11, 4, ALL_R, 4, {1, 20, 20, 80}, 32000, 32000, NHWC, 0, 32000},
    {"classes", "rk3588", 1, 0, ALL_R, 4, {1, 224, 224, 3}, 150528, 150528, NHWC, 224, 150528},
    {"classes", "rk3588", 2, 0, ALL_R, 2, {1, 1000}, 1000, 1000, PLAIN, 0, 1000},
    {"classes", "rk3588", 9, 0, ALL_R, 2, {1, 1000}, 1000, 1000, PLAIN, 0, 1000},
    {"classes", "rk3588", 11, 0, ALL_R, 2, {1, 1000}, 1000, 1000, PLAIN, 0, 1008},
    {"half10", "rk3588", 1, 0, ON(R160), 4, {1, 10, 10, 3}, 300, 600, NHWC, 16, 960},
    {"half10", "rk3588", 2, 0, ON(R160), 4, {1, 3, 10, 10}, 300, 600, NCHW, 0, 2560},
    {"half10", "rk3562", 1, 0, ON(R160), 4, {1, 10, 10, 3}, 300, 600, NHWC, 16, 960},
    {"half10", "rk3566", 1, 0, ON(R160), 4, {1, 10, 10, 3}, 300, 600, NHWC, 12, 720},
    {"half10", "rk3566", 2, 0, ON(R160), 4, {1, 3, 10, 10}, 300, 600, NCHW, 0, 960},
};

static void ask_attr(asked *a, const void *given) {
    const attr_row *row = (const attr_row *)given;
    vendor_attr attr;
    uint32_t i;
    if (!open_model(a, row->model, 0)) return;
    say(a, vendor_query(&a->v, a->context, row->cmd, row->index, &attr));
    say(a, (int)attr.n_dims);
    for (i = 0; i < 5; i++) say(a, i < attr.n_dims ? (int)attr.dims[i] : 0);
    say(a, (int)attr.n_elems);
    say(a, (int)attr.size);
    say(a, (int)attr.fmt);
    say(a, (int)attr.w_stride);
    say(a, (int)attr.size_with_stride);
}

Test(sim_real, attributes, .timeout = 400) {
    size_t i;
    int runtime, got[12];
    for (i = 0; i < COUNT(attr_rows); i++) {
        const attr_row *r = &attr_rows[i];
        const int want[12] = {0, (int)r->n_dims, (int)r->dims[0], (int)r->dims[1], (int)r->dims[2], (int)r->dims[3],
                              (int)r->dims[4], (int)r->n_elems, (int)r->size, r->fmt, (int)r->w_stride,
                              (int)r->size_with_stride};
        for (runtime = 0; runtime < RUNTIMES; runtime++) {
            unsigned k;
            if ((r->runtimes >> runtime & 1) == 0) continue;
            ask_of(runtime, chip_of(runtime, r->chip), ask_attr, r, got, 12);
            for (k = 0; k < 12; k++)
                cr_assert_eq(got[k], want[k], "row %zu (%s, query %d of %u), runtime %d: number %u is %d and not %d", i,
                             r->model, r->cmd, (unsigned)r->index, runtime, k, got[k], want[k]);
        }
    }
}

/* ------------------------------------------------------------------------------------- codes of queries */

typedef struct query_row {
    int cmd;
    uint32_t index;
    int less; /* bytes of the structure that are missing; -1: no structure at all */
    int answers[RUNTIMES];
} query_row;

#define X NOT_ASKED

static const query_row query_rows[] = {
    {0, 0, 0, {0, 0, 0, 0, 0}},        {1, 9, 0, {-5, -5, -5, -5, -5}},
    {2, 9, 0, {-5, -5, -5, -5, -5}},   {8, 9, 0, {-5, -5, -5, -5, -5}},
    {9, 9, 0, {-5, -5, -5, DIES + SIGSEGV, DIES + SIGSEGV}},
    {10, 9, 0, {-5, -5, -5, X, X}},    {11, 9, 0, {-5, -5, -5, X, X}},
    {1, 0, 4, {-5, -5, -5, X, X}},     {1, 0, -1, {-5, -5, -5, -5, -5}},
    {3, 0, 0, {-1, -1, -1, X, X}},     {4, 0, 0, {-1, -1, -1, X, X}},
    {5, 0, 0, {0, 0, 0, 0, 0}},        {5, 0, 256, {-5, -5, -5, X, X}},
    {6, 0, 0, {0, 0, 0, 0, 0}},        {6, 0, 56, {0, 0, 0, X, X}}, /* the structure of 1.3 */
    {7, 0, 0, {0, 0, 0, X, X}},        {12, 0, 0, {0, 0, 0, X, X}},
    {13, 0, 0, {-1, -1, -1, -6, -6}},  {14, 0, 0, {-1, -1, -1, -6, -6}},
    {15, 0, 0, {-1, -1, -1, -6, -6}},  {16, 0, 0, {-1, -1, -1, -7, -7}},
    {17, 0, 0, {-1, -1, -1, -7, -7}},  {18, 0, 0, {-5, -5, -5, -5, -5}},
    {-1, 0, 0, {-5, -5, -5, -5, -5}},
};

static uint32_t query_bytes(int cmd) {
    switch (cmd) {
        case 0: return 8;
        case 3: return 2 * sizeof(void *);
        case 4: return 8;
        case 5: return 512;
        case 6: return 64;
        case 7: return 1024;
        case 12: return sizeof(nnrt_rknn_tensor_mem);
        case 13: return sizeof(nnrt_rknn_input_range);
        default: return sizeof(nnrt_rknn_tensor_attr);
    }
}

static void ask_query(asked *a, const void *given) {
    const query_row *row = (const query_row *)given;
    static uint32_t info[40000];
    if (!open_model(a, a->v.set_core_mask != NULL ? "two_pictures" : "faces", 0)) return;
    info[0] = row->index;
    say(a, a->v.query(a->context, (nnrt_rknn_query_cmd)row->cmd, row->less < 0 ? NULL : info,
                      query_bytes(row->cmd) - (uint32_t)(row->less < 0 ? 0 : row->less)));
}

Test(sim_real, codes_of_queries, .timeout = 400) {
    size_t i;
    int runtime, got;
    for (i = 0; i < COUNT(query_rows); i++)
        for (runtime = 0; runtime < RUNTIMES; runtime++) {
            if (query_rows[i].answers[runtime] == X) continue;
            ask_of(runtime, chip_of(runtime, "rk3588"), ask_query, &query_rows[i], &got, 1);
            cr_assert_eq(got, query_rows[i].answers[runtime], "row %zu (query %d), runtime %d: %d", i,
                         query_rows[i].cmd, runtime, got);
        }
}

/* ------------------------------------------------------------------------------------- rknn_set_io_mem */

enum { AS_IT_IS, INDEX, NAME, NO_NAME, NO_DIMS, NO_SIZE, NO_MEM, NO_ATTR, DIMS, NO_ADDRESS, SIZE_FIELD, BARE, NO_QUANT,
       STRIDE, ROWS };

/* One tensor is bound, and the model runs. */
typedef struct bind_row {
    const char *model;
    bool output;
    int cmd, type, fmt, pass_through;
    uint32_t size; /* of the memory; 0: size_with_stride */
    int odd;
    struct {
        int set, run;
    } answers[RUNTIMES];
} bind_row;

#define SAME(s, r) {{s, r}, {s, r}, {s, r}, {X, X}, {X, X}}
#define NEWER(s, r, t, u) {{s, r}, {s, r}, {t, u}, {X, X}, {X, X}}
#define FULL(s, r) {{X, X}, {X, X}, {X, X}, {s, r}, {s, r}}
#define FULLS(s, r, t, u) {{X, X}, {X, X}, {X, X}, {s, r}, {t, u}}

static const bind_row bind_rows[] = {
    /* librknnmrt, three dimensions */
    {"voice", false, 1, F32, PLAIN, 0, 2064, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, F32, PLAIN, 1, 2064, 0, SAME(-5, 0)},
    {"voice", false, 1, F16, PLAIN, 0, 1032, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, 0, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 1, 516, 0, SAME(0, 0)},
    {"voice", false, 1, U8, PLAIN, 0, 516, 0, SAME(0, 0)},
    {"voice", false, 1, U8, PLAIN, 1, 516, 0, NEWER(0, 0, -5, 0)},
    {"voice", false, 1, I16, PLAIN, 0, 1032, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, I16, PLAIN, 1, 1032, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, U16, PLAIN, 1, 516, 0, SAME(-5, 0)},
    {"voice", false, 1, I32, PLAIN, 0, 516, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, BOOL8, PLAIN, 0, 516, 0, NEWER(-5, 0, 0, 0)},
    {"voice", false, 1, I8, NCHW, 0, 516, 0, SAME(0, 0)},
    {"voice", false, 1, U8, NHWC, 0, 516, 0, SAME(0, 0)},
    {"voice", false, 1, I8, BLOCKS, 1, 516, 0, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 515, 0, SAME(-5, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 1, 0, SAME(-5, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 2064, 0, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, INDEX, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NAME, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_NAME, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_DIMS, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_SIZE, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_MEM, SAME(-5, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_ATTR, SAME(-5, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, DIMS, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_ADDRESS, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, SIZE_FIELD, SAME(-5, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, BARE, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, NO_QUANT, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, STRIDE, SAME(0, 0)},
    {"voice", false, 1, I8, PLAIN, 0, 516, ROWS, SAME(0, 0)},
    {"voice", true, 2, F32, PLAIN, 0, 512, 0, SAME(-5, 0)},
    {"voice", true, 2, I8, PLAIN, 0, 128, 0, SAME(0, 0)},
    {"voice", true, 2, U8, PLAIN, 0, 128, 0, SAME(-5, 0)},
    {"voice", true, 2, I8, NCHW, 0, 128, 0, NEWER(-5, 0, 0, 0)},
    {"voice", true, 2, U8, NHWC, 0, 128, 0, NEWER(-5, 0, 0, 0)},
    {"voice", true, 2, I8, BLOCKS, 0, 128, 0, SAME(-5, 0)},
    {"voice", true, 2, I8, PLAIN, 0, 1, 0, SAME(0, 0)},
    {"voice", true, 9, I8, PLAIN, 0, 512, 0, SAME(0, 0)},
    {"voice", true, 9, I8, PLAIN, 0, 128, NAME, SAME(0, 0)},
    {"voice", true, 9, I8, PLAIN, 0, 128, NO_MEM, SAME(-5, 0)},
    /* librknnmrt, four dimensions; 2.1.0 was not asked */
    {"objects", false, 1, F32, NHWC, 0, 4915200, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", false, 1, F32, NHWC, 1, 4915200, 0, {{-5, 0}, {X, X}, {-5, -1}, {X, X}, {X, X}}},
    {"objects", false, 8, I8, NHWC, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", false, 8, I8, NHWC, 1, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", false, 8, U8, NHWC, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", false, 8, U8, NHWC, 1, 0, 0, {{-5, 0}, {X, X}, {-5, -1}, {X, X}, {X, X}}},
    {"objects", false, 8, I16, NHWC, 1, 2457600, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", false, 8, I32, NHWC, 1, 0, 0, {{-5, 0}, {X, X}, {-5, -1}, {X, X}, {X, X}}},
    {"objects", false, 8, I8, NCHW, 0, 0, 0, {{0, 0}, {X, X}, {0, -1}, {X, X}, {X, X}}},
    {"objects", false, 8, I8, NCHW, 1, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", false, 8, U8, BLOCKS, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", false, 8, U8, PLAIN, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", false, 8, I8, NHWC, 0, 1228799, 0, {{-5, 0}, {X, X}, {-5, -1}, {X, X}, {X, X}}},
    {"objects", false, 8, I8, NHWC, 0, 4915200, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", false, 8, I8, NHWC, 0, 0, SIZE_FIELD, {{-5, 0}, {X, X}, {-5, -1}, {X, X}, {X, X}}},
    {"objects", false, 8, I8, NHWC, 0, 0, NO_MEM, {{-5, 0}, {X, X}, {-5, 0}, {X, X}, {X, X}}},
    {"objects", true, 2, F32, NCHW, 0, 460800, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 2, F16, NCHW, 0, 230400, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 2, I8, NCHW, 0, 115200, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 2, I8, NCHW, 0, 1, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 2, I8, NCHW, 0, 115200, NAME, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 2, I8, NHWC, 0, 115200, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 2, U8, NHWC, 0, 115200, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 2, I8, BLOCKS, 0, 115200, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 2, U8, BLOCKS, 0, 115200, 0, {{-5, 0}, {X, X}, {-5, 0}, {X, X}, {X, X}}},
    {"objects", true, 2, I8, PLAIN, 0, 115200, 0, {{-5, 0}, {X, X}, {-5, 0}, {X, X}, {X, X}}},
    {"objects", true, 9, I8, BLOCKS, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 9, I8, BLOCKS, 0, 1, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 9, F32, BLOCKS, 0, 819200, 0, {{-5, 0}, {X, X}, {-5, 0}, {X, X}, {X, X}}},
    {"objects", true, 11, I8, NHWC, 0, 0, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 11, F32, NHWC, 0, 460800, 0, {{0, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    {"objects", true, 11, F16, NHWC, 0, 230400, 0, {{-5, 0}, {X, X}, {0, 0}, {X, X}, {X, X}}},
    /* librknnrt */
    {"two_pictures", false, 1, F32, NHWC, 0, 65536, 0, FULL(0, 0)},
    {"two_pictures", false, 1, F32, NHWC, 1, 65536, 0, FULL(0, 0)},
    {"two_pictures", false, 1, F16, NHWC, 0, 32768, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, U8, NHWC, 0, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, U8, NHWC, 1, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I16, NHWC, 0, 32768, 0, FULL(-1, 0)},
    {"two_pictures", false, 1, I16, NHWC, 1, 32768, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I32, NHWC, 0, 16384, 0, FULL(-1, 0)},
    {"two_pictures", false, 1, BOOL8, NHWC, 0, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NCHW, 0, 16384, 0, FULLS(0, 0, DIES + SIGSEGV, X)},
    {"two_pictures", false, 1, I8, NCHW, 1, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, BLOCKS, 0, 16384, 0, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, BLOCKS, 1, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, PLAIN, 0, 16384, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", false, 1, I8, PLAIN, 1, 16384, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16383, 0, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 65536, 0, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, INDEX, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NAME, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NO_NAME, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NO_DIMS, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NO_MEM, FULL(-5, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NO_ATTR, FULL(-5, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, NO_ADDRESS, FULL(-4, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, SIZE_FIELD, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, BARE, FULL(-1, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, STRIDE, FULL(0, 0)},
    {"two_pictures", false, 1, I8, NHWC, 0, 16384, ROWS, FULL(-1, 0)},
    {"two_pictures", true, 2, F32, NCHW, 0, 524288, 0, FULL(0, 0)},
    {"two_pictures", true, 2, F16, NCHW, 0, 262144, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I8, NCHW, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, U8, NCHW, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I16, NCHW, 0, 262144, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", true, 2, BOOL8, NCHW, 0, 131072, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", true, 2, I8, NHWC, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, U8, NHWC, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I8, BLOCKS, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, U8, BLOCKS, 0, 131072, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", true, 2, I8, PLAIN, 0, 131072, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I8, NCHW, 0, 1, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I8, NCHW, 0, 524288, 0, FULL(0, 0)},
    {"two_pictures", true, 2, I8, NCHW, 0, 131072, NAME, FULL(-1, 0)},
    {"two_pictures", true, 2, I8, NCHW, 0, 131072, INDEX, FULL(0, 0)},
    {"two_pictures", true, 9, F32, BLOCKS, 0, 1048576, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", true, 9, F16, BLOCKS, 0, 524288, 0, FULLS(0, 0, 0, -1)},
    {"two_pictures", true, 9, I8, BLOCKS, 0, 0, 0, FULL(0, 0)},
    {"two_pictures", true, 9, I8, BLOCKS, 0, 1, 0, FULL(0, 0)},
};

static void ask_bind(asked *a, const void *given) {
    const bind_row *row = (const bind_row *)given;
    vendor_attr attr, bare;
    vendor_mem *mem;
    int answer;
    if (!open_model(a, row->model, 0)) return;
    if (vendor_query(&a->v, a->context, row->cmd, 0, &attr) != 0) return;
    mem = a->v.create_mem(a->context, row->size != 0 ? row->size : attr.size_with_stride);
    attr.type = (nnrt_rknn_tensor_type)row->type;
    attr.fmt = (nnrt_rknn_format)row->fmt;
    attr.pass_through = (uint8_t)row->pass_through;
    if (row->odd == INDEX) attr.index = 99;
    if (row->odd == NAME) strcpy(attr.name, "nosuch");
    if (row->odd == NO_NAME) attr.name[0] = 0;
    if (row->odd == NO_DIMS) attr.n_dims = 0;
    if (row->odd == NO_SIZE) attr.size = attr.size_with_stride = 0;
    if (row->odd == DIMS) attr.dims[1]++;
    if (row->odd == NO_ADDRESS) mem->virt_addr = NULL;
    if (row->odd == SIZE_FIELD) mem->size = 1;
    if (row->odd == NO_QUANT) attr.qnt_type = NNRT_RKNN_QNT_NONE;
    if (row->odd == STRIDE) attr.w_stride = attr.dims[2] + 16;
    if (row->odd == ROWS) attr.h_stride = 999;
    if (row->odd == BARE) {
        memset(&bare, 0, sizeof bare);
        bare.type = attr.type;
        bare.fmt = attr.fmt;
        attr = bare;
    }
    answer = a->v.set_io_mem(a->context, row->odd == NO_MEM ? NULL : mem, row->odd == NO_ATTR ? NULL : &attr);
    say(a, answer);
    say(a, a->v.run(a->context, NULL));
}

Test(sim_real, bindings, .timeout = 240) {
    size_t i;
    int runtime, got[2];
    for (i = 0; i < COUNT(bind_rows); i++)
        for (runtime = 0; runtime < RUNTIMES; runtime++) {
            const bind_row *r = &bind_rows[i];
            if (r->answers[runtime].set == X) continue;
            ask_of(runtime, chip_of(runtime, "rk3588"), ask_bind, r, got, 2);
            cr_assert_eq(got[0], r->answers[runtime].set,
                         "row %zu (%s, type %d, format %d, odd %d), runtime %d: set %d and not %d", i, r->model,
                         r->type, r->fmt, r->odd, runtime, got[0], r->answers[runtime].set);
            if (r->answers[runtime].run == X) continue;
            cr_assert_eq(got[1], r->answers[runtime].run,
                         "row %zu (%s, type %d, format %d, odd %d), runtime %d: run %d and not %d", i, r->model,
                         r->type, r->fmt, r->odd, runtime, got[1], r->answers[runtime].run);
        }
}

/* ------------------------------------------------------------------------------------- runs */

typedef struct run_row {
    uint32_t flags;
    int in, out;       /* queries whose attributes are bound; 0: nothing is */
    bool imported;
    int pixels;        /* inputs are bound as uint8 */
    struct {
        int run;
        int to, from; /* syncs of the second run, which the runtime makes itself for what is bound; X: not counted */
    } answers[RUNTIMES];
} run_row;

#define NOT_R {X, X, X}, {X, X, X}
#define NOT_M {X, X, X}, {X, X, X}, {X, X, X}

static const run_row run_rows[] = {
    {0, 0, 0, false, 0, {{0, X, X}, {0, X, X}, {0, X, X}, {0, X, X}, {0, X, X}}},
    {0x10, 0, 0, false, 0, {{-5, X, X}, {-5, X, X}, {-5, X, X}, {0, X, X}, {0, X, X}}},
    {0x200, 0, 0, false, 0, {{-5, X, X}, {-5, X, X}, {-5, X, X}, {0, X, X}, {0, X, X}}},
    {0x100, 0, 0, false, 0, {{0, X, X}, {0, X, X}, {0, X, X}, {-1, X, X}, {-1, X, X}}},
    {0x10, 8, 9, false, 0, {{0, X, X}, {0, X, X}, {0, X, X}, {DIES + SIGSEGV, X, X}, {DIES + SIGSEGV, X, X}}},
    /* faces: one input, three outputs */
    {0, 1, 2, false, 1, {{0, 2, 3}, {0, 2, 3}, {0, 1, 3}, NOT_R}},
    {0, 1, 2, true, 1, {{0, 2, 3}, {0, 2, 3}, {0, 1, 3}, NOT_R}},
    {0, 8, 9, false, 0, {{0, 2, 3}, {0, 2, 3}, {0, 1, 3}, NOT_R}},
    {0, 8, 9, true, 0, {{0, 2, 3}, {0, 2, 3}, {0, 1, 3}, NOT_R}},
    {0, 10, 11, true, 0, {{0, 2, 3}, {0, 2, 3}, {0, 1, 3}, NOT_R}},
    {0x4000, 8, 9, true, 0, {{0, 2, 3}, {0, 1, 3}, {0, 0, 3}, NOT_R}},
    {0x8000, 8, 9, true, 0, {{0, 2, 3}, {0, 2, 0}, {0, 1, 0}, NOT_R}},
    {0xc000, 8, 9, true, 0, {{0, 2, 3}, {0, 1, 0}, {0, 0, 0}, NOT_R}},
    {0xc000, 8, 9, false, 0, {{0, 2, 3}, {0, 1, 0}, {0, 0, 0}, NOT_R}},
    /* two_pictures: two inputs, one output */
    {0, 1, 2, false, 1, {NOT_M, {0, 2, 1}, {0, 2, 1}}},
    {0, 1, 2, true, 1, {NOT_M, {0, 2, 1}, {0, 2, 1}}},
    {0, 8, 9, false, 0, {NOT_M, {0, 0, 2}, {0, 0, 2}}},
    {0, 8, 9, true, 0, {NOT_M, {0, 0, 2}, {0, 0, 2}}},
    {0xc000, 1, 2, true, 1, {NOT_M, {0, 2, 1}, {0, 2, 1}}},
    {0xc000, 8, 9, false, 0, {NOT_M, {0, 0, 2}, {0, 0, 2}}},
};

/* Binds every input or output; imported: in memory of which this program has the descriptor. */
static void bind_all(asked *a, const run_row *row, bool output, uint32_t count) {
    uint32_t i;
    for (i = 0; i < count; i++) {
        vendor_attr attr;
        vendor_mem *mem, *own;
        if (vendor_query(&a->v, a->context, output ? row->out : row->in, i, &attr) != 0) continue;
        own = mem = a->v.create_mem(a->context, attr.size_with_stride);
        if (row->imported)
            mem = a->v.create_mem_from_fd(a->context, dup(own->fd), own->virt_addr, attr.size_with_stride, 0);
        if (!output && row->pixels) attr.type = NNRT_RKNN_UINT8;
        if (a->v.set_io_mem(a->context, mem, &attr) != 0) say(a, -1000);
    }
}

static void ask_run(asked *a, const void *given) {
    const run_row *row = (const run_row *)given;
    nnrt_rknn_input_output_num count = {0, 0};
    unsigned to[2] = {0, 0}, from[2] = {0, 0};
    if (!open_model(a, a->v.set_core_mask != NULL ? "two_pictures" : "faces", row->flags)) return;
    (void)a->v.query(a->context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof count);
    if (row->in != 0) {
        bind_all(a, row, false, count.n_input);
        bind_all(a, row, true, count.n_output);
    }
    (void)a->v.run(a->context, NULL);
    if (a->v.get_run_syncs != NULL) a->v.get_run_syncs(&to[0], &from[0]);
    say(a, a->v.run(a->context, NULL));
    if (a->v.get_run_syncs == NULL) return;
    a->v.get_run_syncs(&to[1], &from[1]);
    say(a, (int)(to[1] - to[0]));
    say(a, (int)(from[1] - from[0]));
}

Test(sim_real, runs_and_their_syncs, .timeout = 400) {
    size_t i;
    int runtime, got[3];
    for (i = 0; i < COUNT(run_rows); i++)
        for (runtime = 0; runtime < RUNTIMES; runtime++) {
            const int want[3] = {run_rows[i].answers[runtime].run, run_rows[i].answers[runtime].to,
                                 run_rows[i].answers[runtime].from};
            unsigned k;
            if (want[0] == X) continue;
            ask_of(runtime, chip_of(runtime, "rk3588"), ask_run, &run_rows[i], got, 3);
            for (k = 0; k < 3; k++)
                if (want[k] != X && got[k] != NOT_ASKED)
                    cr_assert_eq(got[k], want[k], "row %zu, runtime %d: number %u is %d and not %d", i, runtime, k,
                                 got[k], want[k]);
            cr_assert_neq(got[0], NOT_ASKED);
        }
}

/* ------------------------------------------------------------------------------------- rknn_init */

enum { NOWHERE, NULL_MODEL, NULL_CONTEXT, ONE_BYTE, HEADER_ONLY, HALF, NO_TEXT, MORE, MAGIC, ENCRYPTED, LENGTH_0,
       LENGTH_LARGE, FORMAT_0, FORMAT_4, FORMAT_1000, FORMAT_1003, FORMAT_10004, OTHER_CHIP, FOLDER, AT_100,
       AT_100_SIZED, SHARE, KINDS };

static const int init_answers[KINDS][RUNTIMES] = {
    [NOWHERE] = {-1, -1, -1, -6, -6},      [NULL_MODEL] = {-1, -1, -1, -6, -6},
    [NULL_CONTEXT] = {-7, -7, -7, -7, -7}, [ONE_BYTE] = {-1, -1, -1, -6, -6},
    [HEADER_ONLY] = {-1, -1, -1, -6, -6},  [HALF] = {-1, -1, -1, -6, -6},
    [NO_TEXT] = {0, 0, 0, 0, 0},           [MORE] = {0, 0, 0, 0, 0},
    [MAGIC] = {-1, -1, -1, -6, -6},        [ENCRYPTED] = {-1, -1, -1, -6, -6},
    [LENGTH_0] = {0, 0, 0, -6, -6},        [LENGTH_LARGE] = {0, 0, 0, -6, -6},
    [FORMAT_0] = {-1, -1, -1, -6, -6},     [FORMAT_4] = {-1, -1, -1, 0, 0},
    [FORMAT_1000] = {-1, -1, -1, X, X},    [FORMAT_1003] = {-1, -1, -1, X, X},
    [FORMAT_10004] = {0, 0, 0, X, X},      [OTHER_CHIP] = {X, X, X, -6, -6},
    [FOLDER] = {-1, -1, -1, DIES + SIGBUS, DIES + SIGBUS},
    [AT_100] = {-1, -1, -1, -6, -6},       [AT_100_SIZED] = {0, 0, 0, -6, -6},
    [SHARE] = {0, 0, 0, -5, -5},
};

static uint8_t *whole_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    if (file == NULL) return NULL;
    (void)fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = (uint8_t *)calloc(1, *size + 1024);
    if (fread(bytes, 1, *size, file) != *size) *size = 0;
    (void)fclose(file);
    return bytes;
}

/* The model behind 100 bytes of a file: what rknn_init makes of the extend structure. */
static int init_inside(asked *a, const uint8_t *bytes, size_t size, bool sized) {
    char path[] = "/tmp/test_sim_real_XXXXXX";
    static const uint8_t zeros[100];
    nnrt_rknn_init_extend extend;
    int fd = mkstemp(path), answer = -1000;
    memset(&extend, 0, sizeof extend);
    extend.real_model_offset = 100;
    extend.real_model_size = sized ? (uint32_t)size : 0;
    if (fd >= 0 && write(fd, zeros, 100) == 100 && write(fd, bytes, size) == (ssize_t)size)
        answer = a->v.init(&a->context, path, 0, 0, &extend);
    (void)unlink(path);
    return answer;
}

static void set_u64(uint8_t *at, uint64_t value) { memcpy(at, &value, sizeof value); }

static void ask_init(asked *a, const void *given) {
    const int kind = *(const int *)given;
    const char *chip = getenv("NNRT_SIM_CHIP");
    char path[512];
    size_t size = 0, body;
    uint8_t *bytes = whole_file(vendor_model(path, sizeof path, "odd", kind == OTHER_CHIP ? "rk3566" : chip), &size);
    uint64_t length = 0;
    vendor_context *context = &a->context;
    void *model = bytes;
    if (bytes == NULL) return;
    memcpy(&length, bytes + 16, sizeof length);
    body = 64 + (size_t)length;
    if (kind == ONE_BYTE) size = 1;
    if (kind == HEADER_ONLY) size = 64;
    if (kind == HALF) size = body / 2;
    if (kind == NO_TEXT) size = body;
    if (kind == MORE) size += 1024;
    if (kind == MAGIC) bytes[0] = 'X';
    if (kind == ENCRYPTED) memcpy(bytes, "CYPTRKNN", 8);
    if (kind == LENGTH_0) set_u64(bytes + 16, 0);
    if (kind == LENGTH_LARGE) set_u64(bytes + 16, (uint64_t)1 << 40);
    if (kind == FORMAT_0) set_u64(bytes + 8, 0);
    if (kind == FORMAT_4) set_u64(bytes + 8, 4);
    if (kind == FORMAT_1000) set_u64(bytes + 8, 0x1000);
    if (kind == FORMAT_1003) set_u64(bytes + 8, 0x1003);
    if (kind == FORMAT_10004) set_u64(bytes + 8, 0x10004);
    if (kind == NOWHERE || kind == FOLDER) {
        model = kind == FOLDER ? "/tmp" : "/nonexistent/x.rknn";
        size = 0;
    }
    if (kind == NULL_MODEL) {
        model = NULL;
        size = 0;
    }
    if (kind == NULL_CONTEXT) context = NULL;
    if (kind == AT_100 || kind == AT_100_SIZED) say(a, init_inside(a, bytes, size, kind == AT_100_SIZED));
    else say(a, a->v.init(context, model, (uint32_t)size, kind == SHARE ? 0x20 : 0, NULL));
    say(a, a->context != 0);
}

Test(sim_real, failing_inits, .timeout = 400) {
    int kind, runtime, got[2];
    for (kind = 0; kind < KINDS; kind++)
        for (runtime = 0; runtime < RUNTIMES; runtime++) {
            const int want = init_answers[kind][runtime];
            if (want == X) continue;
            ask_of(runtime, chip_of(runtime, "rk3588"), ask_init, &kind, got, 2);
            cr_assert_eq(got[0], want, "kind %d, runtime %d: %d and not %d", kind, runtime, got[0], want);
            if (want < 0 && kind != NULL_CONTEXT)
                cr_assert_eq(got[1], runtime > M232, "kind %d, runtime %d: what is left in *context", kind, runtime);
        }
}

/* ------------------------------------------------------------------------------------- all other calls */

static void ask_memory(asked *a, const void *given) {
    const vendor_api *v = &a->v;
    vendor_mem *mem;
    (void)given;
    if (!open_model(a, "odd", 0)) return;
    mem = v->create_mem(a->context, 4097);
    say(a, mem != NULL && mem->size == 4097 && mem->flags == 1 && mem->offset == 0 && mem->fd >= 0);
    say(a, v->destroy_mem(a->context, mem));
    say(a, v->create_mem(a->context, 0) == NULL);
    say(a, v->create_mem(0, 4096) == NULL);
    mem = v->create_mem_from_fd(a->context, -1, NULL, 8192, 0);
    say(a, mem != NULL ? (int)mem->flags : -1);
    say(a, v->destroy_mem(a->context, mem));
    mem = v->create_mem_from_phys(a->context, 0, NULL, 8192);
    say(a, mem != NULL ? (int)mem->flags : -1);
    say(a, v->destroy_mem(a->context, NULL));
    mem = v->create_mem(a->context, 64);
    say(a, v->destroy_mem(0, mem));
    say(a, v->mem_sync != NULL ? v->mem_sync(a->context, mem, (nnrt_rknn_mem_sync_mode)7) : X);
    say(a, v->mem_sync != NULL ? v->mem_sync(a->context, NULL, NNRT_RKNN_SYNC_TO_DEVICE) : X);
    say(a, v->mem_sync != NULL ? v->mem_sync(0, mem, NNRT_RKNN_SYNC_TO_DEVICE) : X);
    say(a, v->create_mem2 != NULL ? v->create_mem2(0, 64, NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT) == NULL : X);
}

Test(sim_real, memory) {
    static const int want[RUNTIMES][13] = {{1, 0, 1, 1, 2, 0, 3, -5, -7, 0, -5, -7, X},
                                           {1, 0, 1, 1, 2, 0, 3, -5, -7, 0, -5, -7, 1},
                                           {1, 0, 1, 1, 2, 0, 3, -5, -7, 0, -5, -7, 1},
                                           {1, 0, 1, 1, 1, 0, 1, -5, -7, X, X, X, X},
                                           {1, 0, 1, 0, 1, 0, 1, -5, -7, 0, -5, 0, X}};
    int runtime, got[13];
    unsigned k;
    for (runtime = 0; runtime < RUNTIMES; runtime++) {
        ask_of(runtime, chip_of(runtime, "rk3588"), ask_memory, NULL, got, 13);
        for (k = 0; k < 13; k++)
            cr_assert_eq(got[k], want[runtime][k], "runtime %d: number %u is %d", runtime, k, got[k]);
    }
}

static void ask_calls(asked *a, const void *given) {
    const vendor_api *v = &a->v;
    nnrt_rknn_run_extend extend;
    nnrt_rknn_input input;
    nnrt_rknn_output output;
    vendor_context copy = 0;
    vendor_attr attr;
    vendor_mem *mem;
    (void)given;
    memset(&extend, 0, sizeof extend);
    memset(&input, 0, sizeof input);
    memset(&output, 0, sizeof output);
    if (!open_model(a, v->set_core_mask != NULL ? "two_pictures" : "faces", 0)) return;
    say(a, v->run(a->context, &extend));
    say(a, (int)extend.frame_id);
    say(a, v->wait(a->context, &extend));
    input.buf = calloc(1, 1228800);
    input.size = 1;
    input.type = NNRT_RKNN_UINT8;
    input.fmt = NNRT_RKNN_NHWC;
    say(a, v->inputs_set(a->context, 1, &input));
    say(a, v->outputs_get(a->context, 9, &output, NULL));
    say(a, v->outputs_release(a->context, 0, &output));
    (void)vendor_query(v, a->context, 1, 0, &attr);
    say(a, v->set_input_shape(a->context, &attr));
    say(a, v->set_input_shapes(a->context, 1, &attr));
    say(a, v->dup_context(&a->context, &copy));
    say(a, v->set_core_mask != NULL ? v->set_core_mask(a->context, NNRT_RKNN_CORE_0_1_2) : X);
    say(a, v->set_core_mask != NULL ? v->set_core_mask(a->context, (nnrt_rknn_core_mask)8) : X);
    say(a, v->set_batch_core_num != NULL ? v->set_batch_core_num(a->context, 4) : X);
    mem = v->create_mem(a->context, 64);
    say(a, v->set_internal_mem(a->context, mem)); /* without the flag, and too small */
    say(a, v->run(0, NULL));
    say(a, v->destroy(0));
    say(a, v->query(0, NNRT_RKNN_QUERY_IN_OUT_NUM, &attr, 8));
}

Test(sim_real, the_other_calls) {
    static const int mini[16] = {0, 0, -1, -5, -5, 0, -1, -1, -1, X, X, X, -1, -7, -7, -7};
    static const int full[16] = {0, 0, -1, -5, -5, 0, -6, -6, 0, 0, -1, -1, 0, -7, -7, -7};
    int runtime, got[16];
    unsigned k;
    for (runtime = 0; runtime < RUNTIMES; runtime++) {
        const int *want = runtime <= M232 ? mini : full;
        ask_of(runtime, chip_of(runtime, "rk3588"), ask_calls, NULL, got, 16);
        for (k = 0; k < 16; k++) cr_assert_eq(got[k], want[k], "runtime %d: number %u is %d", runtime, k, got[k]);
    }
}

/* librknnrt answers with what is bound once something is. */
static void ask_changed(asked *a, const void *given) {
    vendor_attr attr;
    vendor_mem *mem;
    (void)given;
    if (!open_model(a, "two_pictures", 0)) return;
    (void)vendor_query(&a->v, a->context, 1, 0, &attr);
    attr.type = NNRT_RKNN_UINT8;
    say(a, a->v.set_io_mem(a->context, a->v.create_mem(a->context, attr.size_with_stride), &attr));
    (void)vendor_query(&a->v, a->context, 8, 0, &attr);
    say(a, attr.n_dims == 5 && attr.dims[1] == 1 && attr.dims[2] == 128 && attr.dims[4] == 1 &&
               attr.fmt == NNRT_RKNN_NHWC && attr.type == NNRT_RKNN_UINT8);
    (void)vendor_query(&a->v, a->context, 2, 0, &attr);
    mem = a->v.create_mem(a->context, attr.size_with_stride);
    say(a, a->v.set_io_mem(a->context, mem, &attr));
    (void)vendor_query(&a->v, a->context, 9, 0, &attr);
    say(a, attr.n_dims == 4 && attr.fmt == NNRT_RKNN_NCHW && attr.size == 131072 && attr.size_with_stride == 131072);
    (void)vendor_query(&a->v, a->context, 11, 0, &attr);
    say(a, a->v.set_io_mem(a->context, mem, &attr));
    (void)vendor_query(&a->v, a->context, 9, 0, &attr);
    say(a, attr.n_dims == 5 && attr.dims[1] == 1 && attr.dims[3] == 16384 && attr.size == 262144);
}

Test(sim_real, attributes_that_change) {
    int got[6];
    unsigned k;
    ask_of(R160, "rk3588", ask_changed, NULL, got, 6);
    for (k = 0; k < 6; k++) cr_assert_eq(got[k], (int)(k & 1), "number %u is %d", k, got[k]);
}
