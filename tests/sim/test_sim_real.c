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

#include "sim_real_rows.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------------------------------------- asking */

typedef struct asked {
    vendor_api v;
    vendor_context context;
    int answers[1024];
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
        (void)alarm(300); /* under an emulator all rows of a runtime take their time */
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

/* --------------------------------------------------------------------------------------------- attributes */

enum {
    ATTR_NUMBERS = 12
};

/* Does the row speak of that runtime on that chip? NULL: the one of librknnmrt. */
static bool attr_row_of(const attr_row *row, int runtime, const char *chip) {
    return (row->runtimes >> runtime & 1) != 0 && (row->chip == NULL || strcmp(row->chip, chip) == 0);
}

/* All rows of one runtime and chip: models are loaded once. */
static void ask_attrs(asked *a, const void *given) {
    const int runtime = *(const int *)given;
    const char *loaded = "";
    size_t row;
    for (row = 0; row < COUNT(attr_rows); row++) {
        const attr_row *r = &attr_rows[row];
        vendor_attr attr;
        uint32_t i;
        if (!attr_row_of(r, runtime, getenv("NNRT_SIM_CHIP"))) continue;
        if (strcmp(loaded, r->model) != 0 && !open_model(a, r->model, 0)) return;
        loaded = r->model;
        say(a, vendor_query(&a->v, a->context, r->cmd, r->index, &attr));
        say(a, (int)attr.n_dims);
        for (i = 0; i < 5; i++) say(a, i < attr.n_dims ? (int)attr.dims[i] : 0);
        say(a, (int)attr.n_elems);
        say(a, (int)attr.size);
        say(a, (int)attr.fmt);
        say(a, (int)attr.w_stride);
        say(a, (int)attr.size_with_stride);
    }
}

static void check_attrs(int runtime, const char *chip) {
    static int got[COUNT(attr_rows) * ATTR_NUMBERS];
    const int *at = got;
    size_t i;
    unsigned k;
    ask_of(runtime, chip, ask_attrs, &runtime, got, COUNT(got));
    for (i = 0; i < COUNT(attr_rows); i++) {
        const attr_row *r = &attr_rows[i];
        const int want[ATTR_NUMBERS] = {0,
                                        (int)r->n_dims,
                                        (int)r->dims[0],
                                        (int)r->dims[1],
                                        (int)r->dims[2],
                                        (int)r->dims[3],
                                        (int)r->dims[4],
                                        (int)r->n_elems,
                                        (int)r->size,
                                        r->fmt,
                                        (int)r->w_stride,
                                        (int)r->size_with_stride};
        if (!attr_row_of(r, runtime, chip)) continue;
        for (k = 0; k < ATTR_NUMBERS; k++, at++)
            cr_assert_eq(*at, want[k], "row %zu (%s, query %d of %u), runtime %d: number %u is %d and not %d", i,
                         r->model, r->cmd, (unsigned)r->index, runtime, k, *at, want[k]);
    }
}

Test(sim_real, attributes, .timeout = 400) {
    static const char *const full[] = {"rk3562", "rk3566", "rk3588"};
    int runtime;
    size_t i;
    for (runtime = M160; runtime <= M232; runtime++) check_attrs(runtime, "rv1106");
    for (runtime = R152; runtime <= R160; runtime++)
        for (i = 0; i < COUNT(full); i++) check_attrs(runtime, full[i]);
}

/* --------------------------------------------------------------------------------------- codes of queries */

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

/* One row that ends the process, or all others: what is asked of a runtime in one process. */
typedef struct span {
    int runtime;
    size_t only; /* a row; COUNT of them: all that do not end the process */
} span;

static bool asks(const span *s, size_t row, size_t rows, int answer) {
    return answer != X && (s->only == row || (s->only == rows && answer < DIES));
}

static void ask_queries(asked *a, const void *given) {
    const span *s = (const span *)given;
    static uint32_t info[40000];
    size_t i;
    if (!open_model(a, a->v.set_core_mask != NULL ? "two_pictures" : "faces", 0)) return;
    for (i = 0; i < COUNT(query_rows); i++) {
        const query_row *row = &query_rows[i];
        if (!asks(s, i, COUNT(query_rows), row->answers[s->runtime])) continue;
        info[0] = row->index;
        say(a, a->v.query(a->context, (nnrt_rknn_query_cmd)row->cmd, row->less < 0 ? NULL : info,
                          query_bytes(row->cmd) - (uint32_t)(row->less < 0 ? 0 : row->less)));
    }
}

static void check_queries(int runtime, size_t only) {
    const span s = {runtime, only};
    int got[COUNT(query_rows)], *at = got;
    size_t i;
    ask_of(runtime, chip_of(runtime, "rk3588"), ask_queries, &s, got, COUNT(got));
    for (i = 0; i < COUNT(query_rows); i++) {
        if (!asks(&s, i, COUNT(query_rows), query_rows[i].answers[runtime])) continue;
        cr_assert_eq(*at, query_rows[i].answers[runtime], "row %zu (query %d), runtime %d: %d", i, query_rows[i].cmd,
                     runtime, *at);
        at++;
    }
}

Test(sim_real, codes_of_queries, .timeout = 400) {
    size_t i;
    int runtime;
    for (runtime = 0; runtime < RUNTIMES; runtime++) {
        check_queries(runtime, COUNT(query_rows));
        for (i = 0; i < COUNT(query_rows); i++)
            if (query_rows[i].answers[runtime] >= DIES) check_queries(runtime, i);
    }
}

/* ---------------------------------------------------------------------------------------- rknn_set_io_mem */

static void ask_bind(asked *a, const bind_row *row) {
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
    (void)a->v.destroy_mem(a->context, mem);
    (void)a->v.destroy(a->context);
}

static void ask_binds(asked *a, const void *given) {
    const span *s = (const span *)given;
    size_t i;
    for (i = 0; i < COUNT(bind_rows); i++)
        if (asks(s, i, COUNT(bind_rows), bind_rows[i].answers[s->runtime].set)) ask_bind(a, &bind_rows[i]);
}

static void check_binds(int runtime, size_t only) {
    const span s = {runtime, only};
    int got[2 * COUNT(bind_rows)], *at = got;
    size_t i;
    ask_of(runtime, chip_of(runtime, "rk3588"), ask_binds, &s, got, COUNT(got));
    for (i = 0; i < COUNT(bind_rows); i++) {
        const bind_row *r = &bind_rows[i];
        const int set = r->answers[runtime].set, run = r->answers[runtime].run;
        if (!asks(&s, i, COUNT(bind_rows), set)) continue;
        cr_assert(at[0] == set && (run == X || at[1] == run),
                  "row %zu (%s, type %d, format %d, odd %d), runtime %d: %d and %d, not %d and %d", i, r->model,
                  r->type, r->fmt, r->odd, runtime, at[0], at[1], set, run);
        at += 2;
    }
}

Test(sim_real, bindings, .timeout = 400) {
    size_t i;
    int runtime;
    for (runtime = 0; runtime < RUNTIMES; runtime++) {
        check_binds(runtime, COUNT(bind_rows));
        for (i = 0; i < COUNT(bind_rows); i++)
            if (bind_rows[i].answers[runtime].set >= DIES) check_binds(runtime, i);
    }
}

/* --------------------------------------------------------------------------------------------------- runs */

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
    if (!open_model(a, a->v.set_core_mask != NULL ? "two_pictures" : "few_faces", row->flags)) return;
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

/* ---------------------------------------------------------------------------------------------- rknn_init */

enum {
    NOWHERE,
    NULL_MODEL,
    NULL_CONTEXT,
    ONE_BYTE,
    HEADER_ONLY,
    HALF,
    NO_TEXT,
    MORE,
    MAGIC,
    ENCRYPTED,
    LENGTH_0,
    LENGTH_LARGE,
    FORMAT_0,
    FORMAT_4,
    FORMAT_1000,
    FORMAT_1003,
    FORMAT_10004,
    OTHER_CHIP,
    FOLDER,
    AT_100,
    AT_100_SIZED,
    SHARE,
    KINDS
};

static const int init_answers[KINDS][RUNTIMES] = {
    [NOWHERE] = {-1, -1, -1, -6, -6},
    [NULL_MODEL] = {-1, -1, -1, -6, -6},
    [NULL_CONTEXT] = {-7, -7, -7, -7, -7},
    [ONE_BYTE] = {-1, -1, -1, -6, -6},
    [HEADER_ONLY] = {-1, -1, -1, -6, -6},
    [HALF] = {-1, -1, -1, -6, -6},
    [NO_TEXT] = {0, 0, 0, 0, 0},
    [MORE] = {0, 0, 0, 0, 0},
    [MAGIC] = {-1, -1, -1, -6, -6},
    [ENCRYPTED] = {-1, -1, -1, -6, -6},
    [LENGTH_0] = {0, 0, 0, -6, -6},
    [LENGTH_LARGE] = {0, 0, 0, -6, -6},
    [FORMAT_0] = {-1, -1, -1, -6, -6},
    [FORMAT_4] = {-1, -1, -1, 0, 0},
    [FORMAT_1000] = {-1, -1, -1, X, X},
    [FORMAT_1003] = {-1, -1, -1, X, X},
    [FORMAT_10004] = {0, 0, 0, X, X},
    [OTHER_CHIP] = {X, X, X, -6, -6},
    [FOLDER] = {-1, -1, -1, DIES + SIGBUS, DIES + SIGBUS},
    [AT_100] = {-1, -1, -1, -6, -6},
    [AT_100_SIZED] = {0, 0, 0, -6, -6},
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

/* ---------------------------------------------------------------------------------------- all other calls */

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
