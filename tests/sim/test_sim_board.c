/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that the simulated Rockchip board refuses what a real one refuses, has the limits and the
   versions that it says it has, and that any call can be told to fail, hang, die or be late. */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/rknpu/vendor.h"

static void open_version(vendor_api *v, const char *chip, const char *version) {
    setenv("NNRT_SIM_REPORT", "0", 1);
    if (!vendor_open(v, chip, version)) cr_skip_test("skipped, no simulated board in %s", vendor_folder());
}

static int try_load(const vendor_api *v, const char *name, const char *chip, uint32_t flags, vendor_context *context) {
    char path[512];
    *context = 77;
    return v->init(context, (void *)vendor_model(path, sizeof(path), name, chip), 0, flags, NULL);
}

static vendor_context load(const vendor_api *v, const char *name, const char *chip, uint32_t flags) {
    vendor_context context;
    cr_assert_eq(try_load(v, name, chip, flags, &context), 0, "%s", name);
    return context;
}

static uint8_t *read_model(const char *name, const char *chip, size_t extra, size_t *size) {
    char path[512];
    FILE *file = fopen(vendor_model(path, sizeof(path), name, chip), "rb");
    uint8_t *bytes;
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = (uint8_t *)malloc(*size + extra);
    cr_assert_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void none_alive(const vendor_api *v) {
    nnrt_sim_live live;
    v->get_live(&live);
    cr_assert(live.contexts == 0 && live.memories == 0 && live.fds == 0 && live.bytes == 0, "%u %u %u %lu",
              live.contexts, live.memories, live.fds, (unsigned long)live.bytes);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* --------------------------------------------------------------------------------- libraries and versions */

static void has(const vendor_api *v, const char *version, const char *symbol, bool expected) {
    cr_assert_eq(dlsym(v->library, symbol) != NULL, expected, "%s: %s", version, symbol);
}

static void symbols(const char *version, unsigned number, bool mini) {
    vendor_api v;
    const bool full = !mini;
    open_version(&v, mini ? "rv1106" : "rk3588", version);
    has(&v, version, "rknn_init", true);
    has(&v, version, "rknn_wait", true);
    has(&v, version, "rknn_dup_context", true);
    has(&v, version, "rknn_create_mem_from_mb_blk", false);
    has(&v, version, "rknn_set_core_mask", full);
    has(&v, version, "rknn_set_batch_core_num", full);
    has(&v, version, "rknn_matmul_create", full);
    has(&v, version, "rknn_matmul_set_core_mask", full);
    has(&v, version, "rknn_set_input_shape", number >= 0x010500);
    has(&v, version, "rknn_set_input_shapes", number >= 0x010502);
    has(&v, version, "rknn_mem_sync", number >= 0x010600);
    has(&v, version, "rknn_register_custom_ops", number >= 0x010600 && full);
    has(&v, version, "rknn_custom_op_get_op_attr", number >= 0x010600 && full);
    has(&v, version, "rknn_create_mem2", number >= 0x020000);
    has(&v, version, "rknn_matmul_create_dyn_shape", number >= 0x020000 && number < 0x020100 && full);
    has(&v, version, "rknn_matmul_create_dynamic_shape", number >= 0x020100 && full);
}

#define SYMBOLS(test, version, number)                                                     \
    Test(sim_versions, full_##test##_has_its_symbols) { symbols(version, number, false); } \
    Test(sim_versions, mini_##test##_has_its_symbols) { symbols(version, number, true); }

SYMBOLS(v1_4_0, "1.4.0", 0x010400)
SYMBOLS(v1_5_2, "1.5.2", 0x010502)
SYMBOLS(v1_6_0, "1.6.0", 0x010600)
SYMBOLS(v2_0_0, "2.0.0", 0x020000)
SYMBOLS(v2_1_0, "2.1.0", 0x020100)
SYMBOLS(v2_3_2, "", 0x020302)

Test(sim_versions, an_old_runtime_refuses_models_of_a_newer_toolkit) {
    vendor_api v;
    vendor_context context;
    nnrt_rknn_sdk_version sdk;
    nnrt_rknn_input_range *range = (nnrt_rknn_input_range *)calloc(1, sizeof(*range));
    open_version(&v, "rk3588", "1.4.0");
    cr_assert_eq(try_load(&v, "odd", "rk3588", 0, &context), -1, "the code of 1.4.0 for all of it");
    cr_assert_eq(try_load(&v, "version4", "rk3588", 0, &context), -1);
    cr_assert_eq(try_load(&v, "version1", "rk3588", 0, &context), 0);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_SDK_VERSION, &sdk, sizeof(sdk)), 0);
    cr_assert_eq(strncmp(sdk.api_version, "1.4.0 (", 7), 0);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_INPUT_DYNAMIC_RANGE, range, sizeof(*range)), -5, "not known yet");
    cr_assert_eq(v.destroy(context), 0);
    free(range);
    none_alive(&v);
}

Test(sim_versions, the_node_is_there_for_the_right_library_only) {
    vendor_api v;
    char path[512];
    vendor_context context;
    open_version(&v, "rk3588", "");
    cr_assert_str_eq(v.node(), "/dev/null");
    snprintf(path, sizeof(path), "%s/librknnmrt.so", vendor_folder());
    memset(&v, 0, sizeof(v));
    v.library = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* on an rk3588 */
    cr_assert_not_null(v.library);
    vendor_find(v.library, "nnrt_rknpu_node", &v.node);
    vendor_find(v.library, "rknn_init", &v.init);
    cr_assert_not_null(strstr(v.node(), "needs librknnrt.so"));
    cr_assert_neq(access(v.node(), F_OK), 0);
    cr_assert_eq(try_load(&v, "odd", "rv1106", 0, &context), -1);
    cr_assert_eq(context, 77, "untouched");
}

Test(sim_versions, a_board_without_a_device_node_refuses) {
    vendor_api v;
    vendor_context context;
    setenv("NNRT_SIM_DEVICE", "0", 1);
    open_version(&v, "rk3588", "");
    cr_assert_neq(access(v.node(), F_OK), 0);
    cr_assert_eq(try_load(&v, "odd", "rk3588", 0, &context), -1);
    cr_assert_eq(context, 77, "untouched");
    cr_assert_null(v.create_mem2(0, 64, NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT));
}

/* ------------------------------------------------------------------------------------------------ loading */

typedef struct loading_case {
    const char *name, *chip;
    int code;
} loading_case;

static void loads(const char *chip, const char *version, const loading_case *cases, size_t count) {
    vendor_api v;
    vendor_context context;
    size_t i;
    open_version(&v, chip, version);
    for (i = 0; i < count; ++i) {
        cr_assert_eq(try_load(&v, cases[i].name, cases[i].chip, 0, &context), cases[i].code, "%s", cases[i].name);
        if (cases[i].code == 0) cr_assert_eq(v.destroy(context), 0);
        else cr_assert_eq(context == 77, strncmp(chip, "rv", 2) == 0, "librknnrt leaves a number behind");
    }
    cr_assert_eq(v.init(NULL, "x", 0, 0, NULL), -7);
    cr_assert_eq(v.init(&context, NULL, 0, 0, NULL), cases[0].code);
    none_alive(&v);
}

Test(sim_loading, librknnrt_has_one_code_for_broken_and_foreign_files) {
    static const loading_case cases[] = {
        {"nowhere", "rk3588", -6},         {"broken_magic", "rk3588", -6}, {"broken_header", "rk3588", -6},
        {"broken_short", "rk3588", -6},    {"broken_body", "rk3588", -6},  {"version7", "rk3588", -6},
        {"broken_platform", "rk3588", -6}, {"odd", "rk3566", -6},          {"odd", "rv1106", -6},
        {"encrypted", "rk3588", -6},       {"broken_json", "rk3588", 0}};
    loads("rk3588", "", cases, sizeof(cases) / sizeof(cases[0]));
}

Test(sim_loading, librknnmrt_has_another_and_takes_what_is_for_another_chip) {
    static const loading_case cases[] = {
        {"nowhere", "rv1106", -1},        {"broken_magic", "rv1106", -1}, {"broken_header", "rv1106", -1},
        {"broken_short", "rv1106", -1},   {"broken_body", "rv1106", -1},  {"version7", "rv1106", -1},
        {"broken_platform", "rv1106", 0}, {"odd", "rk3566", -1},          {"odd", "rv1103", 0},
        {"encrypted", "rv1106", -1},      {"broken_json", "rv1106", 0},   {"version4", "rv1106", -1}};
    loads("rv1106", "", cases, sizeof(cases) / sizeof(cases[0]));
    loads("rv1106", "1.6.0", cases, sizeof(cases) / sizeof(cases[0]));
}

/* In a child: the signal that ends rknn_init of that file; 0: none. */
static int dies_loading(const char *version, const char *name) {
    int status = 0;
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        vendor_api v;
        vendor_context context;
        setenv("NNRT_SIM_REPORT", "0", 1);
        signal(SIGSEGV, SIG_DFL); /* no shim's or sanitizer's */
        open_version(&v, "rv1106", version);
        _exit(try_load(&v, name, "rv1106", 0, &context) == 0 ? 0 : 1);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

Test(sim_loading, an_old_librknnmrt_dies_of_a_new_file) {
    cr_assert_eq(dies_loading("1.5.2", "odd"), SIGSEGV);
    cr_assert_eq(dies_loading("1.5.2", "version4"), 0);
    cr_assert_eq(dies_loading("1.4.0", "odd"), SIGSEGV);
    cr_assert_eq(dies_loading("1.4.0", "version7"), SIGSEGV, "of all that it refuses");
    cr_assert_eq(dies_loading("1.5.2", "version7"), 0);
    cr_assert_eq(dies_loading("1.6.0", "odd"), 0);
}

Test(sim_loading, sister_chips_run_each_others_models) {
    vendor_api v;
    open_version(&v, "rk3566", "");
    cr_assert_eq(v.destroy(load(&v, "odd", "rk3568", 0)), 0);
}

Test(sim_loading, a_buffer_is_copied_and_a_part_of_a_file_is_found) {
    vendor_api v;
    vendor_context context;
    size_t size;
    uint8_t *bytes = read_model("odd", "rk3588", 100, &size);
    nnrt_rknn_init_extend extend;
    char path[] = "/tmp/nnrt_sim_XXXXXX";
    int fd = mkstemp(path);
    open_version(&v, "rk3588", "");
    cr_assert_eq(v.init(&context, bytes, (uint32_t)size, 0, NULL), 0);
    cr_assert_eq(v.destroy(context), 0);
    cr_assert_eq(write(fd, "0123456789", 10), 10);
    cr_assert_eq(write(fd, bytes, size + 100), (ssize_t)(size + 100));
    close(fd);
    memset(&extend, 0, sizeof(extend));
    extend.real_model_offset = 10;
    extend.real_model_size = (uint32_t)size;
    cr_assert_eq(v.init(&context, path, 0, 0, &extend), 0);
    cr_assert_eq(v.destroy(context), 0);
    extend.real_model_size = (uint32_t)size + 101;
    cr_assert_eq(v.init(&context, path, 0, 0, &extend), -6);
    unlink(path);
    free(bytes);
    none_alive(&v);
}

Test(sim_loading, a_model_in_npu_memory_is_used_in_place) {
    vendor_api v;
    vendor_context context, other;
    nnrt_rknn_init_extend extend;
    vendor_mem *mem;
    size_t size;
    uint8_t *bytes = read_model("same_int8", "rk3588", 0, &size);
    int8_t data[600] = {0};
    nnrt_rknn_input input;
    open_version(&v, "rk3588", "");
    other = load(&v, "odd", "rk3588", 0);
    mem = v.create_mem2(0, size, NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT);
    cr_assert_not_null(mem);
    memcpy(mem->virt_addr, bytes, size);
    memset(&extend, 0, sizeof(extend));
    extend.real_model_size = (uint32_t)size;
    extend.model_buffer_fd = mem->fd;
    extend.model_buffer_flags = mem->flags;
    cr_assert_eq(v.init(&context, bytes, (uint32_t)size, NNRT_RKNN_FLAG_MODEL_BUFFER_ZERO_COPY, &extend), -5);
    cr_assert_eq(v.init(&context, mem->virt_addr, (uint32_t)size, NNRT_RKNN_FLAG_MODEL_BUFFER_ZERO_COPY, &extend), 0);
    memset(&input, 0, sizeof(input));
    input.buf = data;
    input.size = sizeof(data);
    input.type = NNRT_RKNN_INT8;
    input.fmt = NNRT_RKNN_NHWC;
    cr_assert_eq(v.inputs_set(context, 1, &input), 0);
    cr_assert_eq(v.run(context, NULL), 0);
    ((uint8_t *)mem->virt_addr)[size / 2] ^= 1;
    cr_assert_eq(v.run(context, NULL), -5);
    cr_assert(vendor_has_mistake(&v, "model overwritten: "));
    cr_assert_eq(v.destroy(context), 0);
    cr_assert_eq(v.destroy_mem(other, mem), 0);
    cr_assert_eq(v.destroy(other), 0);
    free(bytes);
    none_alive(&v);
}

Test(sim_loading, memory_and_handles_of_the_board_end) {
    vendor_api v;
    vendor_context context, more;
    vendor_mem *mem[16];
    unsigned i, count = 0;
    setenv("NNRT_SIM_MEMORY", "1000000", 1);
    setenv("NNRT_SIM_HANDLES", "9", 1);
    open_version(&v, "rk3588", "");
    context = load(&v, "odd", "rk3588", 0);
    cr_assert_null(v.create_mem(context, 1000000));
    cr_assert_null(v.create_mem(context, 0));
    mem[0] = v.create_mem(context, 900000);
    cr_assert_not_null(mem[0]);
    cr_assert_null(v.create_mem(context, 300000));
    cr_assert_eq(v.destroy_mem(context, mem[0]), 0);
    while (count < 16 && (mem[count] = v.create_mem(context, 100)) != NULL) ++count;
    cr_assert_eq(count, 9);
    for (i = 0; i < count; ++i) cr_assert_eq(v.destroy_mem(context, mem[i]), 0);
    mem[0] = v.create_mem(context, 900000);
    mem[1] = v.create_mem(context, 80000);
    cr_assert(mem[0] && mem[1]);
    cr_assert_eq(try_load(&v, "c40", "rk3588", 0, &more), -4, "no room for weights");
    cr_assert_eq(v.destroy_mem(context, mem[0]), 0);
    cr_assert_eq(v.destroy_mem(context, mem[1]), 0);
    cr_assert_eq(v.destroy(context), 0);
    none_alive(&v);
}

Test(sim_loading, context_free_memory_leaks_its_descriptor_when_freed_without_a_context) {
    vendor_api v;
    vendor_context context;
    vendor_mem *mem;
    nnrt_sim_live live;
    unsigned i;
    setenv("NNRT_SIM_HANDLES", "20", 1);
    open_version(&v, "rk3588", "");
    for (i = 0; i < 20; ++i) {
        mem = v.create_mem2(0, 64, NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT);
        cr_assert_not_null(mem);
        cr_assert_eq(v.destroy_mem(0, mem), 0);
    }
    cr_assert_null(v.create_mem2(0, 64, NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT), "all descriptors are gone");
    cr_assert_eq(v.mistakes(), 0, "nobody could have done better");
    context = load(&v, "odd", "rk3588", 0);
    cr_assert_null(v.create_mem(context, 64));
    cr_assert_eq(v.destroy(context), 0);
    v.get_live(&live);
    cr_assert_eq(live.fds, 0);
}

/* ------------------------------------------------------------------------------------------------ queries */

Test(sim_queries, checks_come_in_the_order_of_the_library) {
    vendor_api v;
    vendor_context context;
    nnrt_rknn_tensor_attr attr[2];
    nnrt_rknn_mem_size memory;
    nnrt_rknn_custom_string custom;
    nnrt_rknn_perf_run perf;
    uint8_t *after = (uint8_t *)&attr[1];
    size_t i;
    open_version(&v, "rk3588", "");
    context = load(&v, "odd", "rk3588", 0);
    cr_assert_eq(v.query(context, (nnrt_rknn_query_cmd)18, attr, sizeof(attr)), -5);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_INPUT_ATTR, NULL, sizeof(attr)), -5);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_INPUT_ATTR, attr, sizeof(attr[0]) - 1), -5);
    attr[0].index = 1;
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_INPUT_ATTR, attr, sizeof(attr[0])), -5);
    attr[0].index = 0;
    memset(attr, 0x5a, sizeof(attr));
    attr[0].index = 0;
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_INPUT_ATTR, attr, sizeof(attr)), 0, "more room is fine");
    for (i = 0; i < sizeof(attr[1]); ++i) cr_assert_eq(after[i], 0x5a, "and is left alone");
    cr_assert(attr[0].n_dims == 4 && attr[0].dims[4] == 0x5a5a5a5a && attr[0].pass_through == 0x5a &&
                  attr[0].name[sizeof(attr[0].name) - 1] == 0x5a && attr[0].fl == 0 && attr[0].h_stride == 0,
              "only what belongs to the answer is written");
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_MEM_SIZE, &memory, 8), -5);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_MEM_SIZE, &memory, sizeof(memory)), 0);
    cr_assert(memory.total_weight_size > 0 && memory.total_internal_size > 0);
    cr_assert_eq(memory.total_sram_size, 956u * 1024);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_CUSTOM_STRING, &custom, sizeof(custom)), 0);
    cr_assert_not_null(strstr(custom.string, "odd"));
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_PERF_RUN, &perf, sizeof(perf)), -1, "before a run");
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_CURRENT_INPUT_ATTR, attr, sizeof(attr)), -6, "a static model");
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_CURRENT_NATIVE_OUTPUT_ATTR, attr, sizeof(attr)), -7);
    cr_assert_eq(v.destroy(context), 0);
    cr_assert_eq(v.mistakes(), 0);
}

Test(sim_queries, the_mini_runtime_takes_the_old_memory_structure_and_lacks_profiles) {
    vendor_api v;
    vendor_context context, copy;
    uint32_t sizes[2] = {0, 0};
    nnrt_rknn_perf_run perf;
    vendor_attr attr;
    nnrt_rknn_init_extend extend;
    char path[512];
    open_version(&v, "rv1106", "");
    context = load(&v, "c40", "rv1106", 0);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_MEM_SIZE, sizes, 7), -5);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_MEM_SIZE, sizes, 8), 0);
    cr_assert(sizes[0] > 0 && sizes[1] > 0);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_PERF_RUN, &perf, sizeof(perf)), -1);
    cr_assert_eq(v.query(context, (nnrt_rknn_query_cmd)17, &perf, 1), -1, "known, and nothing behind it");
    cr_assert_eq(v.query(context, (nnrt_rknn_query_cmd)18, &perf, 1), -5);
    cr_assert_eq(vendor_query(&v, context, NNRT_RKNN_QUERY_INPUT_ATTR, 0, &attr), 0);
    cr_assert(attr.fmt == NNRT_RKNN_NC1HWC2 && attr.n_dims == 5 && attr.dims[4] == 16, "native already");
    cr_assert_eq(vendor_query(&v, context, NNRT_RKNN_QUERY_NATIVE_NHWC_INPUT_ATTR, 0, &attr), 0);
    cr_assert(attr.fmt == NNRT_RKNN_NHWC && attr.dims[3] == 40);
    cr_assert_eq(v.dup_context(&context, &copy), -1);
    cr_assert_eq(v.inputs_set(context, 0, NULL), -5);
    cr_assert_eq(v.outputs_get(context, 0, NULL, NULL), -5);
    cr_assert_eq(v.outputs_release(context, 0, NULL), 0);
    cr_assert_eq(v.set_input_shape(context, &attr), -1);
    cr_assert_eq(v.wait(context, NULL), -1);
    cr_assert_null(v.create_mem2(0, 64, NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT));
    cr_assert_eq(v.destroy(context), 0);
    memset(&extend, 0, sizeof(extend));
    cr_assert_eq(v.init(&context, (void *)vendor_model(path, sizeof(path), "c40", "rv1106"), 0,
                        NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY | NNRT_RKNN_FLAG_SHARE_WEIGHT_MEM, &extend),
                 0, "flags that it does not know are ignored");
    cr_assert_eq(v.run(context, NULL), 0);
    cr_assert_eq(v.destroy(context), 0);
}

Test(sim_queries, layouts_are_those_of_the_chip) {
    static const struct {
        const char *model;
        int query;
        nnrt_rknn_format fmt;
        uint32_t dims[5], w_stride, size_with_stride;
    } cases[] = {
        {"odd", NNRT_RKNN_QUERY_INPUT_ATTR, NNRT_RKNN_NHWC, {1, 7, 13, 3, 0}, 16, 7 * 16 * 3},
        {"odd", NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, NNRT_RKNN_NHWC, {1, 7, 13, 3, 0}, 16, 7 * 16 * 3},
        {"odd", NNRT_RKNN_QUERY_OUTPUT_ATTR, NNRT_RKNN_NCHW, {1, 20, 7, 13, 0}, 0, 24 * 7 * 16},
        {"odd", NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, NNRT_RKNN_NC1HWC2, {1, 3, 7, 13, 8}, 0, 3 * 7 * 13 * 8},
        {"odd", NNRT_RKNN_QUERY_NATIVE_NHWC_OUTPUT_ATTR, NNRT_RKNN_NHWC, {1, 7, 13, 20, 0}, 0, 7 * 13 * 20},
        {"c5", NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, NNRT_RKNN_NC1HWC2, {1, 2, 6, 10, 8}, 0, 2 * 6 * 10 * 8},
        {"half", NNRT_RKNN_QUERY_INPUT_ATTR, NNRT_RKNN_NHWC, {1, 9, 11, 3, 0}, 12, 9 * 12 * 3 * 2},
        {"c40", NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, NNRT_RKNN_NC1HWC2, {1, 5, 4, 9, 8}, 0, 5 * 4 * 9 * 8},
        {"half_c24", NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, NNRT_RKNN_NC1HWC2, {1, 6, 5, 7, 4}, 0, 6 * 5 * 7 * 4 * 2},
        {"half_c24", NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, NNRT_RKNN_NC1HWC2, {1, 6, 5, 7, 4}, 0, 6 * 5 * 7 * 4 * 2},
    };
    vendor_api v;
    size_t i;
    open_version(&v, "rk3566", "");
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        vendor_context context = load(&v, cases[i].model, "rk3566", 0);
        vendor_attr attr;
        cr_assert_eq(vendor_query(&v, context, cases[i].query, 0, &attr), 0);
        cr_assert_eq(attr.fmt, cases[i].fmt, "case %zu", i);
        cr_assert_eq(memcmp(attr.dims, cases[i].dims, sizeof(cases[i].dims)), 0, "case %zu", i);
        cr_assert_eq(attr.w_stride, cases[i].w_stride, "case %zu: %u", i, attr.w_stride);
        cr_assert_eq(attr.size_with_stride, cases[i].size_with_stride, "case %zu: %u", i, attr.size_with_stride);
        cr_assert_eq(v.destroy(context), 0);
    }
}

Test(sim_queries, feature_maps_of_rk3562_have_more_columns_than_the_tensor) {
    vendor_api v;
    vendor_context context;
    vendor_attr attr;
    open_version(&v, "rk3562", "");
    context = load(&v, "c40", "rk3562", 0);
    cr_assert_eq(vendor_query(&v, context, NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, 0, &attr), 0);
    cr_assert(attr.dims[3] == 12 && attr.w_stride == 12 && attr.size_with_stride == 3 * 4 * 12 * 16);
    cr_assert_eq(vendor_query(&v, context, NNRT_RKNN_QUERY_OUTPUT_ATTR, 0, &attr), 0);
    cr_assert_eq(attr.dims[3], 9);
    cr_assert_eq(v.destroy(context), 0);
}

Test(sim_queries, cores_are_those_of_the_chip) {
    static const int masks[] = {0, 1, 2, 4, 3, 7, 0xffff, 5, 6, 8};
    static const struct {
        const char *chip;
        unsigned good; /* how many of masks work, from the first on */
    } chips[] = {{"rk3588", 7}};
    vendor_api v;
    vendor_context context;
    size_t i;
    open_version(&v, chips[0].chip, "");
    context = load(&v, "batch4", chips[0].chip, 0);
    for (i = 0; i < sizeof(masks) / sizeof(masks[0]); ++i)
        cr_assert_eq(v.set_core_mask(context, (nnrt_rknn_core_mask)masks[i]), i < chips[0].good ? 0 : -1, "%d",
                     masks[i]);
    cr_assert_eq(v.set_batch_core_num(context, 2), 0);
    cr_assert_eq(v.set_batch_core_num(context, 4), -1);
    cr_assert_eq(v.destroy(context), 0);
}

Test(sim_queries, a_single_core_has_no_masks) {
    vendor_api v;
    vendor_context context;
    open_version(&v, "rk3562", "");
    context = load(&v, "batch4", "rk3562", 0);
    cr_assert_eq(v.set_core_mask(context, NNRT_RKNN_CORE_AUTO), -1);
    cr_assert_eq(v.set_batch_core_num(context, 1), -1);
    cr_assert_eq(v.destroy(context), 0);
}

Test(sim_queries, sram_is_taken_and_shared) {
    vendor_api v;
    vendor_context first, second;
    nnrt_rknn_mem_size all, one, two;
    nnrt_rknn_init_extend extend;
    vendor_mem *mem;
    char path[512];
    open_version(&v, "rk3588", "");
    first = load(&v, "odd", "rk3588", 0);
    cr_assert_eq(v.query(first, NNRT_RKNN_QUERY_MEM_SIZE, &all, sizeof(all)), 0);
    cr_assert_eq(all.free_sram_size, all.total_sram_size);
    cr_assert_eq(v.destroy(first), 0);
    first = load(&v, "odd", "rk3588", NNRT_RKNN_FLAG_ENABLE_SRAM);
    cr_assert_eq(v.query(first, NNRT_RKNN_QUERY_MEM_SIZE, &one, sizeof(one)), 0);
    cr_assert_eq(one.total_sram_size - one.free_sram_size, one.total_internal_size);
    memset(&extend, 0, sizeof(extend));
    extend.ctx = first;
    cr_assert_eq(v.init(&second, (void *)vendor_model(path, sizeof(path), "odd", "rk3588"), 0,
                        NNRT_RKNN_FLAG_ENABLE_SRAM | NNRT_RKNN_FLAG_SHARE_SRAM, &extend),
                 0);
    cr_assert_eq(v.query(second, NNRT_RKNN_QUERY_MEM_SIZE, &two, sizeof(two)), 0);
    cr_assert_eq(two.free_sram_size, one.free_sram_size);
    mem = v.create_mem2(first, 4096, NNRT_RKNN_MEMORY_TRY_ALLOC_SRAM);
    cr_assert_eq(v.query(second, NNRT_RKNN_QUERY_MEM_SIZE, &two, sizeof(two)), 0);
    cr_assert_eq(two.free_sram_size, one.free_sram_size - 4096);
    cr_assert_eq(v.destroy_mem(first, mem), 0);
    cr_assert_eq(v.destroy(first), 0);
    cr_assert_eq(v.destroy(second), 0);
    none_alive(&v);
}

Test(sim_queries, contexts_for_their_sizes_cost_nothing_and_do_not_run) {
    vendor_api v;
    vendor_context context;
    nnrt_sim_live live;
    nnrt_rknn_mem_size memory;
    open_version(&v, "rk3588", "");
    context = load(&v, "odd", "rk3588", NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY | NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE);
    v.get_live(&live);
    cr_assert_eq(live.bytes, 0);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_MEM_SIZE, &memory, sizeof(memory)), 0);
    cr_assert_gt(memory.total_internal_size, 0);
    cr_assert_eq(v.run(context, NULL), -1);
    cr_assert_eq(v.destroy(context), 0);
}

/* ---------------------------------------------------------------------------------------- the general API */

static void general_input(nnrt_rknn_input *input, int8_t *data, uint32_t size) {
    memset(input, 0, sizeof(*input));
    input->buf = data;
    input->size = size;
    input->type = NNRT_RKNN_INT8;
    input->fmt = NNRT_RKNN_NHWC;
}

Test(sim_general, wrong_sizes_and_types_are_refused) {
    vendor_api v;
    vendor_context context;
    nnrt_rknn_input input;
    nnrt_rknn_output output;
    int8_t data[600] = {0};
    open_version(&v, "rk3588", "");
    context = load(&v, "same_int8", "rk3588", 0);
    memset(&output, 0, sizeof(output));
    v.strict(1);
    cr_assert_eq(v.run(context, NULL), -8, "never set");
    cr_assert_eq(v.outputs_get(context, 1, &output, NULL), -1, "before any run");
    general_input(&input, data, 599);
    cr_assert_eq(v.inputs_set(context, 1, &input), -8);
    general_input(&input, data, 600);
    input.type = NNRT_RKNN_INT64;
    cr_assert_eq(v.inputs_set(context, 1, &input), -8);
    general_input(&input, data, 600);
    input.index = 1;
    cr_assert_eq(v.inputs_set(context, 1, &input), -5);
    general_input(&input, data, 600);
    cr_assert_eq(v.inputs_set(context, 2, &input), -5);
    cr_assert_eq(v.inputs_set(context, 1, &input), 0);
    cr_assert_eq(v.run(context, NULL), 0);
    output.is_prealloc = 1;
    output.want_float = 1;
    output.buf = data;
    output.size = 600;
    cr_assert_eq(v.outputs_get(context, 1, &output, NULL), -9);
    output.want_float = 0;
    cr_assert_eq(v.outputs_get(context, 1, &output, NULL), 0);
    cr_assert_eq(v.outputs_release(context, 1, &output), 0);
    memset(&output, 0, sizeof(output));
    cr_assert_eq(v.outputs_get(context, 1, &output, NULL), 0);
    cr_assert_eq(v.outputs_release(context, 1, &output), 0);
    cr_assert_eq(v.outputs_release(context, 1, &output), -5);
    cr_assert_eq(v.outputs_get(context, 1, &output, NULL), 0);
    cr_assert_eq(v.destroy(context), 0);
    cr_assert(vendor_has_mistake(&v, "leak: rknn_destroy of a context with 1 outputs"));
}

Test(sim_general, what_librknnrt_lets_pass_is_told) {
    vendor_api v;
    vendor_context context;
    nnrt_rknn_input input;
    nnrt_rknn_output output;
    int8_t data[600] = {0};
    open_version(&v, "rk3588", "1.6.0");
    context = load(&v, "same_int8", "rk3588", 0);
    cr_assert_eq(v.run(context, NULL), 0, "with what stands in its memory");
    general_input(&input, data, 599);
    cr_assert_eq(v.inputs_set(context, 1, &input), -5);
    general_input(&input, data, 600);
    input.fmt = NNRT_RKNN_NCHW;
    cr_assert_eq(v.inputs_set(context, 1, &input), 0, "and nothing is set");
    general_input(&input, data, 600);
    input.index = 9;
    cr_assert_eq(v.inputs_set(context, 1, &input), 0);
    cr_assert_eq(v.mistakes(), 4);
    cr_assert_eq(v.run(context, NULL), 0);
    memset(&output, 0, sizeof(output));
    memset(data, 0x11, sizeof(data));
    output.is_prealloc = 1;
    output.want_float = 1;
    output.buf = data;
    output.size = 600;
    cr_assert_eq(v.outputs_get(context, 1, &output, NULL), 0);
    cr_assert_eq(data[0], 0x11, "left alone");
    cr_assert(vendor_has_mistake(&v, "wrong output: "));
    cr_assert_eq(v.destroy(context), 0);
}

/* The stored value of an identity's element (h, w, c); every int8 turns up. */
static int8_t stored(uint32_t h, uint32_t w, uint32_t c) { return (int8_t)((c * 37 + h * 101 + w * 7) % 256 - 128); }

/* same_wide, [1, 2, 301, 3] with scale 1/255 and zero point -128: each way in gives the same bytes out. */
Test(sim_general, inputs_are_converted_from_every_type_and_format) {
    static const struct {
        nnrt_rknn_tensor_type type;
        nnrt_rknn_format fmt;
        uint32_t bytes, pitch;
        uint8_t pass_through;
    } ways[] = {{NNRT_RKNN_INT8, NNRT_RKNN_NHWC, 1, 301, 0},    {NNRT_RKNN_INT8, NNRT_RKNN_NCHW, 1, 301, 0},
                {NNRT_RKNN_UINT8, NNRT_RKNN_NHWC, 1, 301, 0},   {NNRT_RKNN_UINT8, NNRT_RKNN_NCHW, 1, 301, 0},
                {NNRT_RKNN_FLOAT32, NNRT_RKNN_NHWC, 4, 301, 0}, {NNRT_RKNN_FLOAT32, NNRT_RKNN_NCHW, 4, 301, 0},
                {NNRT_RKNN_INT8, NNRT_RKNN_NHWC, 1, 304, 1}};
    vendor_api v;
    vendor_context context;
    size_t i;
    uint32_t h, w, c;
    open_version(&v, "rk3588", "");
    context = load(&v, "same_wide", "rk3588", 0);
    for (i = 0; i < sizeof(ways) / sizeof(ways[0]); ++i) {
        const uint32_t size = 2 * ways[i].pitch * 3 * ways[i].bytes;
        uint8_t *data = (uint8_t *)calloc(1, size);
        nnrt_rknn_input input;
        nnrt_rknn_output output;
        for (h = 0; h < 2; ++h) {
            for (w = 0; w < 301; ++w) {
                for (c = 0; c < 3; ++c) {
                    const uint32_t at =
                        ways[i].fmt == NNRT_RKNN_NCHW ? (c * 2 + h) * 301 + w : (h * ways[i].pitch + w) * 3 + c;
                    if (ways[i].type == NNRT_RKNN_FLOAT32)
                        ((float *)data)[at] = (float)(stored(h, w, c) + 128) * (1.0f / 255.0f);
                    else data[at] = (uint8_t)(stored(h, w, c) + (ways[i].type == NNRT_RKNN_UINT8 ? 128 : 0));
                }
            }
        }
        memset(&input, 0, sizeof(input));
        memset(&output, 0, sizeof(output));
        input.buf = data;
        input.size = size;
        input.type = ways[i].type;
        input.fmt = ways[i].fmt;
        input.pass_through = ways[i].pass_through;
        cr_assert_eq(v.inputs_set(context, 1, &input), 0, "way %zu", i);
        cr_assert_eq(v.run(context, NULL), 0);
        cr_assert_eq(v.outputs_get(context, 1, &output, NULL), 0);
        for (h = 0; h < 2; ++h) {
            for (w = 0; w < 301; ++w) {
                for (c = 0; c < 3; ++c)
                    cr_assert_eq(((int8_t *)output.buf)[(c * 2 + h) * 301 + w], stored(h, w, c), "way %zu", i);
            }
        }
        cr_assert_eq(v.outputs_release(context, 1, &output), 0);
        free(data);
    }
    cr_assert_eq(v.destroy(context), 0);
    cr_assert_eq(v.mistakes(), 0);
}

/* same_int8, [1, 3, 5, 40] with scale 0.1 and zero point 3. */
Test(sim_general, outputs_are_converted_to_what_the_binding_says) {
    static const struct {
        nnrt_rknn_tensor_type type;
        nnrt_rknn_format fmt;
        uint32_t size;
        int answer;
    } ways[] = {{NNRT_RKNN_INT8, NNRT_RKNN_NCHW, 600, 0},     {NNRT_RKNN_INT8, NNRT_RKNN_NC1HWC2, 600, 0},
                {NNRT_RKNN_FLOAT32, NNRT_RKNN_NCHW, 2400, 0}, {NNRT_RKNN_FLOAT16, NNRT_RKNN_NCHW, 1200, 0},
                {NNRT_RKNN_INT8, NNRT_RKNN_NC1HWC2, 599, -5}, {NNRT_RKNN_FLOAT32, NNRT_RKNN_NCHW, 2399, -5},
                {NNRT_RKNN_INT64, NNRT_RKNN_NCHW, 9999, -5},  {NNRT_RKNN_INT8, NNRT_RKNN_UNDEFINED, 9999, -5}};
    vendor_api v;
    vendor_context context;
    vendor_attr in, out;
    vendor_mem *source;
    size_t i;
    uint32_t h, w, c;
    open_version(&v, "rk3566", "");
    context = load(&v, "same_int8", "rk3566", 0);
    cr_assert_eq(vendor_query(&v, context, NNRT_RKNN_QUERY_INPUT_ATTR, 0, &in), 0); /* NHWC, the model's type */
    source = v.create_mem(context, in.size_with_stride);
    for (i = 0; i < 600; ++i)
        ((int8_t *)source->virt_addr)[i] = stored((uint32_t)i / 200, (uint32_t)i / 40 % 5, (uint32_t)i % 40);
    cr_assert_eq(v.set_io_mem(context, source, &in), 0);
    v.strict(1); /* what is refused here passes otherwise: test_sim_real.c */
    for (i = 0; i < sizeof(ways) / sizeof(ways[0]); ++i) {
        vendor_mem *mem = v.create_mem(context, ways[i].size);
        cr_assert_eq(vendor_query(&v, context, NNRT_RKNN_QUERY_OUTPUT_ATTR, 0, &out), 0);
        out.type = ways[i].type;
        out.fmt = ways[i].fmt;
        cr_assert_eq(v.set_io_mem(context, mem, &out), ways[i].answer, "way %zu", i);
        if (ways[i].answer == 0) cr_assert_eq(v.run(context, NULL), 0);
        for (h = 0; ways[i].answer == 0 && h < 3; ++h) {
            for (w = 0; w < 5; ++w) {
                for (c = 0; c < 40; ++c) {
                    const size_t nchw = (c * 3 + h) * 5 + w, blocks = ((c / 8 * 3 + h) * 5 + w) * 8 + c % 8;
                    const int8_t *bytes = (const int8_t *)mem->virt_addr;
                    const float real = (float)(stored(h, w, c) - 3) * 0.1f;
                    uint16_t half;
                    if (ways[i].type == NNRT_RKNN_INT8) {
                        cr_assert_eq(bytes[ways[i].fmt == NNRT_RKNN_NCHW ? nchw : blocks], stored(h, w, c));
                    } else if (ways[i].type == NNRT_RKNN_FLOAT32) {
                        cr_assert_eq(((float *)mem->virt_addr)[nchw], real);
                    } else { /* normal numbers: sign, 5 bits of exponent, 10 of fraction */
                        memcpy(&half, bytes + 2 * nchw, 2);
                        cr_assert(fabsf((half >> 15 ? -1.0f : 1.0f) *
                                            ldexpf((float)(1024 + (half & 1023)), (half >> 10 & 31) - 25) -
                                        real) <= fabsf(real) / 2000.0f ||
                                  real == 0.0f);
                    }
                }
            }
        }
        cr_assert_eq(v.destroy_mem(context, mem), 0);
    }
    cr_assert_eq(v.destroy_mem(context, source), 0);
    cr_assert_eq(v.destroy(context), 0);
}

Test(sim_general, images_of_a_batch_may_have_rows_between_them) {
    vendor_api v;
    vendor_context context;
    vendor_attr in, out;
    vendor_mem *dense, *loose, *results[2];
    uint32_t n;
    open_version(&v, "rk3588", "");
    context = load(&v, "batch4", "rk3588", 0);
    cr_assert_eq(vendor_query(&v, context, NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, 0, &in), 0);
    cr_assert_eq(vendor_query(&v, context, NNRT_RKNN_QUERY_OUTPUT_ATTR, 0, &out), 0);
    in.pass_through = 1;
    dense = v.create_mem(context, in.size_with_stride);
    loose = v.create_mem(context, in.size_with_stride / 6 * 8); /* 8 rows for the 6 of each */
    for (n = 0; n < in.size_with_stride; ++n) ((uint8_t *)dense->virt_addr)[n] = (uint8_t)(n * 7 + n / 256);
    for (n = 0; n < 4; ++n)
        memcpy((uint8_t *)loose->virt_addr + n * 8 * 16 * 3, (uint8_t *)dense->virt_addr + n * 6 * 16 * 3, 6 * 16 * 3);
    for (n = 0; n < 2; ++n) {
        results[n] = v.create_mem(context, out.size_with_stride);
        cr_assert_eq(v.set_io_mem(context, results[n], &out), 0);
        in.h_stride = n ? 8 : 0;
        cr_assert_eq(v.set_io_mem(context, n ? loose : dense, &in), 0);
        cr_assert_eq(v.run(context, NULL), 0);
    }
    cr_assert_eq(memcmp(results[0]->virt_addr, results[1]->virt_addr, out.size), 0);
    in.h_stride = 9;
    cr_assert_eq(v.set_io_mem(context, loose, &in), -1);
    cr_assert_eq(v.destroy_mem(context, dense), 0);
    cr_assert_eq(v.destroy_mem(context, loose), 0);
    cr_assert_eq(v.destroy_mem(context, results[0]), 0);
    cr_assert_eq(v.destroy_mem(context, results[1]), 0);
    cr_assert_eq(v.destroy(context), 0);
}

Test(sim_general, weights_of_another_context_are_used) {
    vendor_api v;
    vendor_context first, second, other;
    nnrt_rknn_init_extend extend;
    nnrt_rknn_mem_size memory;
    nnrt_sim_live one, two;
    char path[512];
    open_version(&v, "rk3562", "");
    first = load(&v, "c40", "rk3562", 0);
    v.get_live(&one);
    memset(&extend, 0, sizeof(extend));
    vendor_model(path, sizeof(path), "c40", "rk3562");
    cr_assert_eq(v.init(&second, path, 0, NNRT_RKNN_FLAG_SHARE_WEIGHT_MEM, &extend), -7);
    extend.ctx = first;
    cr_assert_eq(v.init(&second, path, 0, NNRT_RKNN_FLAG_SHARE_WEIGHT_MEM, &extend), 0);
    cr_assert_eq(v.query(second, NNRT_RKNN_QUERY_MEM_SIZE, &memory, sizeof(memory)), 0);
    v.get_live(&two);
    cr_assert_eq(two.bytes - one.bytes, memory.total_internal_size);
    cr_assert_eq(v.init(&other, (void *)vendor_model(path, sizeof(path), "dynamic_rows", "rk3562"), 0,
                        NNRT_RKNN_FLAG_SHARE_WEIGHT_MEM, &extend),
                 -1);
    cr_assert_eq(v.init(&other, path, 0, NNRT_RKNN_FLAG_SHARE_WEIGHT_MEM, NULL), -5);
    cr_assert_eq(v.destroy(first), 0);
    cr_assert_eq(v.destroy(second), 0);
    none_alive(&v);
}

Test(sim_general, the_pipelined_mode_is_one_frame_late) {
    vendor_api v;
    vendor_context context;
    nnrt_rknn_input input;
    nnrt_rknn_output output;
    nnrt_rknn_output_extend extend;
    int8_t data[600], got[600];
    int frame;
    open_version(&v, "rk3588", "");
    context = load(&v, "same_int8", "rk3588", NNRT_RKNN_FLAG_ASYNC_MASK);
    for (frame = 1; frame <= 4; ++frame) {
        memset(data, frame, sizeof(data));
        general_input(&input, data, 600);
        cr_assert_eq(v.inputs_set(context, 1, &input), 0);
        cr_assert_eq(v.run(context, NULL), 0);
        memset(&output, 0, sizeof(output));
        output.is_prealloc = 1;
        output.buf = got;
        output.size = 600;
        cr_assert_eq(v.outputs_get(context, 1, &output, &extend), 0);
        cr_assert_eq(got[17], frame == 1 ? 1 : frame - 1);
        cr_assert_eq(extend.frame_id, (uint64_t)(frame == 1 ? 1 : frame - 1));
    }
    cr_assert_eq(v.destroy(context), 0);
}

Test(sim_general, profiles_name_every_layer_and_the_time) {
    vendor_api v;
    vendor_context context;
    nnrt_rknn_input input;
    nnrt_rknn_perf_detail detail;
    nnrt_rknn_perf_run run;
    int8_t data[7 * 13 * 3] = {0};
    open_version(&v, "rk3588", "");
    context = load(&v, "odd", "rk3588", NNRT_RKNN_FLAG_COLLECT_PERF_MASK);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_PERF_DETAIL, &detail, sizeof(detail)), -1, "before a run");
    general_input(&input, data, sizeof(data));
    cr_assert_eq(v.inputs_set(context, 1, &input), 0);
    cr_assert_eq(v.run(context, NULL), 0);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_PERF_DETAIL, &detail, sizeof(detail)), 0);
    cr_assert_not_null(strstr(detail.perf_data, "Conv"));
    cr_assert_eq(detail.data_len, strlen(detail.perf_data) + 1);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_PERF_RUN, &run, sizeof(run)), 0);
    cr_assert_gt(run.run_duration, 0);
    cr_assert_eq(v.destroy(context), 0);
}

/* ------------------------------------------------------------------------------------------------- memory */

Test(sim_memory, without_the_flush_of_the_runtime_the_program_has_to_sync) {
    vendor_api v;
    vendor_context context;
    vendor_attr in, out;
    vendor_mem *a, *b, *c;
    unsigned to, from;
    open_version(&v, "rk3588", "");
    context = load(&v, "same_wide", "rk3588",
                   NNRT_RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE | NNRT_RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE);
    cr_assert_eq(vendor_query(&v, context, NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, 0, &in), 0);
    cr_assert_eq(vendor_query(&v, context, NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, 0, &out), 0);
    in.pass_through = 1;
    a = v.create_mem(context, in.size_with_stride);
    b = v.create_mem2(context, out.size_with_stride, NNRT_RKNN_MEMORY_NON_CACHEABLE);
    cr_assert_eq(v.set_io_mem(context, a, &in), 0);
    cr_assert_eq(v.set_io_mem(context, b, &out), 0);
    memset(a->virt_addr, 7, a->size);
    cr_assert_eq(v.run(context, NULL), 0);
    cr_assert(vendor_has_mistake(&v, "missing sync: "));
    cr_assert_eq(v.mem_sync(context, a, NNRT_RKNN_SYNC_TO_DEVICE), 0);
    cr_assert_eq(v.run(context, NULL), 0);
    cr_assert_eq(((int8_t *)b->virt_addr)[0], 7, "one copy needs no sync");
    c = v.create_mem(context, out.size_with_stride);
    cr_assert_eq(v.set_io_mem(context, c, &out), 0);
    memset(c->virt_addr, 9, c->size);
    cr_assert_eq(v.run(context, NULL), 0);
    cr_assert_eq(((int8_t *)c->virt_addr)[0], 9, "the CPU still sees its own");
    cr_assert_eq(v.mem_sync(context, c, NNRT_RKNN_SYNC_FROM_DEVICE), 0);
    cr_assert_eq(((int8_t *)c->virt_addr)[0], 7);
    cr_assert_eq(v.destroy_mem(context, c), 0);
    v.get_syncs(&to, &from);
    cr_assert(to == 1 && from == 1);
    cr_assert_eq(v.mistakes(), 1);
    cr_assert_eq(v.destroy_mem(context, a), 0);
    cr_assert_eq(v.destroy_mem(context, b), 0);
    cr_assert_eq(v.destroy(context), 0);
}

Test(sim_memory, descriptors_and_addresses_lead_to_the_same_bytes) {
    vendor_api v;
    vendor_context context;
    vendor_mem *own, *by_fd, *by_phys;
    uint8_t seen[4];
    int copy;
    open_version(&v, "rk3588", "");
    context = load(&v, "odd", "rk3588", 0);
    own = v.create_mem(context, 8192);
    copy = dup(own->fd);
    by_fd = v.create_mem_from_fd(context, copy, own->virt_addr, 4096, 4096);
    by_phys = v.create_mem_from_phys(context, own->phys_addr + 4096, (uint8_t *)own->virt_addr + 4096, 16);
    cr_assert(by_fd && by_phys);
    cr_assert(own->flags == 1 && by_fd->flags == 1 && by_phys->flags == 1 && by_fd->offset == 4096);
    memcpy((uint8_t *)own->virt_addr + 4096, "nnrt", 4);
    cr_assert_eq(v.dma_read(copy, 4096, seen, 4), 0);
    cr_assert_neq(memcmp(seen, "nnrt", 4), 0);
    cr_assert_eq(v.mem_sync(context, by_fd, NNRT_RKNN_SYNC_TO_DEVICE), 0);
    cr_assert_eq(v.dma_read(copy, 4096, seen, 4), 0);
    cr_assert_eq(memcmp(seen, "nnrt", 4), 0);
    cr_assert_eq(v.dma_write(copy, 4096, "NNRT", 4), 0);
    cr_assert_eq(memcmp((uint8_t *)own->virt_addr + 4096, "nnrt", 4), 0);
    cr_assert_eq(v.mem_sync(context, by_phys, NNRT_RKNN_SYNC_FROM_DEVICE), 0);
    cr_assert_eq(memcmp((uint8_t *)own->virt_addr + 4096, "NNRT", 4), 0);
    cr_assert_eq(v.destroy_mem(context, own), 0, "importers keep the bytes");
    cr_assert_eq(v.mem_sync(context, by_phys, NNRT_RKNN_SYNC_FROM_DEVICE), 0);
    cr_assert_eq(v.destroy_mem(context, by_fd), 0);
    cr_assert_eq(v.destroy_mem(context, by_phys), 0);
    cr_assert_eq(v.destroy(context), 0);
    close(copy);
    cr_assert_eq(v.mistakes(), 0);
    none_alive(&v);
}

Test(sim_memory, imports_are_not_looked_at) {
    vendor_api v;
    vendor_context context;
    vendor_mem *mem[4];
    unsigned i;
    open_version(&v, "rv1106", "");
    context = load(&v, "odd", "rv1106", 0);
    mem[0] = v.create_mem_from_fd(context, -1, NULL, 8192, 0);
    mem[1] = v.create_mem_from_fd(context, 0, NULL, 0, 0);
    mem[2] = v.create_mem_from_phys(context, 3, NULL, 16);
    mem[3] = v.create_mem(context, 100);
    for (i = 0; i < 4; ++i) {
        cr_assert_not_null(mem[i]);
        cr_assert_eq(mem[i]->flags, i == 3 ? 1 : i == 2 ? 3 : 2);
        cr_assert_eq(v.destroy_mem(context, mem[i]), 0);
    }
    cr_assert_eq(v.mistakes(), 3);
    cr_assert(vendor_has_mistake(&v, "wrong import: "));
    v.strict(1);
    cr_assert_null(v.create_mem_from_fd(context, -1, NULL, 8192, 0));
    cr_assert_null(v.create_mem_from_phys(context, 3, NULL, 16));
    cr_assert_eq(v.destroy_mem(context, NULL), -5);
    cr_assert_eq(v.mem_sync(context, NULL, NNRT_RKNN_SYNC_TO_DEVICE), -5);
    cr_assert_eq(v.mem_sync(0, NULL, NNRT_RKNN_SYNC_TO_DEVICE), -7);
    cr_assert_null(v.create_mem(0, 64));
    cr_assert_eq(v.destroy(context), 0);
    none_alive(&v);
}

/* ------------------------------------------------------------------------------------------------- faults */

/* One life that calls every function of librknnrt which takes a model's context; answers of failed calls
   are put up with, as a careful program does. Returns how many failed. */
static unsigned live_through(const vendor_api *v) {
    vendor_context context = 0, copy = 0;
    vendor_attr in, out, shape[2];
    vendor_mem *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL;
    nnrt_rknn_input input;
    nnrt_rknn_output output;
    nnrt_rknn_custom_op *op = (nnrt_rknn_custom_op *)calloc(1, sizeof(*op));
    int8_t data[600] = {0};
    char path[512];
    unsigned failed = 0;
    memset(shape, 0, sizeof(shape));
    memset(&output, 0, sizeof(output));
    if (v->init(&context, (void *)vendor_model(path, sizeof(path), "same_int8", "rk3588"), 0, 0, NULL) != 0) {
        free(op);
        return 1;
    }
    failed += vendor_query(v, context, NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR, 0, &in) != 0;
    failed += vendor_query(v, context, NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR, 0, &out) != 0;
    failed += v->set_core_mask(context, NNRT_RKNN_CORE_0) != 0;
    failed += v->set_batch_core_num(context, 1) != 0;
    failed += v->dup_context(&context, &copy) != 0;
    general_input(&input, data, sizeof(data));
    failed += v->inputs_set(context, 1, &input) != 0;
    failed += v->run(context, NULL) != 0;
    failed += v->outputs_get(context, 1, &output, NULL) != 0;
    if (output.buf) failed += v->outputs_release(context, 1, &output) != 0;
    if (copy) {
        in.pass_through = 1;
        a = v->create_mem(copy, 1024);
        b = v->create_mem2(copy, 1024, 0);
        c = a ? v->create_mem_from_fd(copy, a->fd, a->virt_addr, 100, 0) : NULL;
        d = a ? v->create_mem_from_phys(copy, a->phys_addr, a->virt_addr, 100) : NULL;
        e = v->create_mem2(0, 10, NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT);
        failed += !a || !b || !c || !d || !e;
        failed += a && v->set_io_mem(copy, a, &in) != 0;
        failed += a && v->mem_sync(copy, a, NNRT_RKNN_SYNC_TO_DEVICE) != 0;
        failed += a && v->destroy_mem(copy, a) != 0;
        failed += b && v->destroy_mem(copy, b) != 0;
        failed += c && v->destroy_mem(copy, c) != 0;
        failed += d && v->destroy_mem(copy, d) != 0;
        failed += e && v->destroy_mem(copy, e) != 0;
        failed += v->destroy(copy) != 0;
    }
    failed += v->destroy(context) != 0;
    free(op);
    return failed;
}

static const char *const living[] = {"rknn_init",
                                     "rknn_query",
                                     "rknn_set_core_mask",
                                     "rknn_set_batch_core_num",
                                     "rknn_dup_context",
                                     "rknn_inputs_set",
                                     "rknn_run",
                                     "rknn_outputs_get",
                                     "rknn_outputs_release",
                                     "rknn_create_mem",
                                     "rknn_create_mem2",
                                     "rknn_create_mem_from_fd",
                                     "rknn_create_mem_from_phys",
                                     "rknn_set_io_mem",
                                     "rknn_mem_sync",
                                     "rknn_destroy_mem",
                                     "rknn_destroy"};

Test(sim_faults, every_call_can_fail_or_be_the_last_of_the_device, .timeout = 120) {
    vendor_api v;
    unsigned counts[sizeof(living) / sizeof(living[0])], call;
    size_t i;
    open_version(&v, "rk3588", "");
    v.fault(NULL);
    cr_assert_eq(live_through(&v), 0);
    cr_assert_eq(v.mistakes(), 0, "%s", v.mistake(0));
    for (i = 0; i < sizeof(living) / sizeof(living[0]); ++i) {
        counts[i] = v.calls(living[i]);
        cr_assert_gt(counts[i], 0, "%s", living[i]);
    }
    cr_assert_gt(v.calls(NULL), v.calls("rknn_query"));
    for (i = 0; i < sizeof(living) / sizeof(living[0]); ++i) {
        for (call = 1; call <= counts[i]; ++call) {
            char text[100];
            snprintf(text, sizeof(text), "%s@%u=fail:-4", living[i], call);
            v.fault(text);
            cr_assert_gt(live_through(&v), 0, "%s", text);
            none_alive(&v); /* what a fault kept from being freed is not the leak of the caller */
            snprintf(text, sizeof(text), "%s@%u=die", living[i], call);
            v.fault(text);
            cr_assert_gt(live_through(&v), 0, "%s", text);
            none_alive(&v); /* what a fault kept from being freed is not the leak of the caller */
        }
    }
    v.fault("");
    cr_assert_eq(live_through(&v), 0, "and afterwards all is well");
}

Test(sim_faults, codes_are_those_asked_for_and_a_dead_device_stays_dead) {
    vendor_api v;
    vendor_context context;
    nnrt_rknn_input_output_num count;
    open_version(&v, "rk3588", "");
    context = load(&v, "odd", "rk3588", 0);
    v.fault("rknn_query@2=fail:-2,rknn_query@3=fail:-10");
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), 0);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), -2);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), -10);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), 0);
    v.fault("rknn_query@0=fail:-1");
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), -1);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), -1);
    v.fault("rknn_query@1=die");
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), -3);
    cr_assert_eq(v.run(context, NULL), -3);
    cr_assert_null(v.create_mem(context, 10));
    v.fault(NULL);
    cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), 0);
    cr_assert_eq(v.destroy(context), 0);
    cr_assert_eq(v.mistakes(), 0);
    v.fault("rknn_run@=fail");
    cr_assert(vendor_has_mistake(&v, "wrong fault: "));
}

typedef struct hanging {
    const vendor_api *v;
    vendor_context context;
    int answer;
} hanging;

static void *hang_there(void *argument) {
    hanging *h = (hanging *)argument;
    h->answer = h->v->wait(h->context, NULL);
    return NULL;
}

Test(sim_faults, calls_hang_and_are_late, .timeout = 60) {
    vendor_api v;
    vendor_context context, other;
    nnrt_rknn_input_output_num count;
    hanging h;
    pthread_t thread;
    double start;
    open_version(&v, "rk3588", "");
    context = load(&v, "odd", "rk3588", 0);
    other = load(&v, "odd", "rk3588", 0);
    v.fault("rknn_query@1=slow:120,rknn_query@2=hang:120");
    for (h.answer = 0; h.answer < 2; ++h.answer) {
        start = seconds();
        cr_assert_eq(v.query(context, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), 0);
        cr_assert_gt(seconds() - start, 0.1);
    }
    v.fault("rknn_wait@1=hang");
    h.v = &v;
    h.context = context;
    h.answer = 99;
    cr_assert_eq(pthread_create(&thread, NULL, hang_there, &h), 0);
    while (v.calls("rknn_wait") == 0) usleep(1000);
    cr_assert_eq(v.query(other, NNRT_RKNN_QUERY_IN_OUT_NUM, &count, sizeof(count)), 0, "the others work on");
    usleep(50000);
    cr_assert_eq(h.answer, 99);
    v.release_hang();
    pthread_join(thread, NULL);
    cr_assert_eq(h.answer, -1);
    cr_assert_eq(v.destroy(context), 0);
    cr_assert_eq(v.destroy(other), 0);
    cr_assert_eq(v.mistakes(), 0);
}

Test(sim_faults, the_environment_asks_for_faults_too) {
    vendor_api v;
    vendor_context context;
    setenv("NNRT_SIM_FAULT", "rknn_init@1=fail:-10", 1);
    open_version(&v, "rk3588", "");
    cr_assert_eq(try_load(&v, "odd", "rk3588", 0, &context), -10);
    cr_assert_eq(try_load(&v, "odd", "rk3588", 0, &context), 0);
    cr_assert_eq(v.destroy(context), 0);
}
