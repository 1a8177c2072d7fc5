/* SPDX-License-Identifier: Apache-2.0 */
/* selftest/run.h - nnrt_selftest(): the report, line by line.   >>selftest_run */
#ifndef NNRT_SELFTEST_RUN_H
#define NNRT_SELFTEST_RUN_H

#include "../kernels/internal.h"
#include "cases.h"

#ifdef __VERSION__
#define NNRT__SELF_COMPILER __VERSION__
#else
#define NNRT__SELF_COMPILER "unknown"
#endif

typedef struct nnrt__self_page {
    nnrt_selftest_print print;
    void *user;
    unsigned passed, failed, skipped;
    char first[NNRT__SENTENCE_SIZE]; /* what failed first */
} nnrt__self_page;

NNRT__FN NNRT__PRINTF(2, 3) void nnrt__self_line(nnrt__self_page *page, const char *text, ...) {
    char line[160];
    va_list arguments;
    if (page->print == NULL) return;
    va_start(arguments, text);
    (void)nnrt__format_list(line, sizeof(line), 0, text, arguments);
    va_end(arguments);
    page->print(page->user, line);
}

/* Describes a wrong result in the report; for integers with the actual and the expected value. */
NNRT__FN OH_NN_ReturnCode nnrt__self_wrong(const nnrt__self_data *data) {
    if (data->of->type == OH_NN_FLOAT32) return nnrt__fail(OH_NN_FAILED, "further from the sum than rounding takes it");
    return nnrt__fail(OH_NN_FAILED, "CRC-32 0x%x in place of 0x%x",
                      (unsigned)nnrt__crc32(0, data->out, data->out_bytes), (unsigned)data->of->crc);
}

/* Reports one test: code of the calls, whether the result is right, and the level. */
NNRT__FN void nnrt__self_verdict(nnrt__self_page *page, const char *name, const char *level, OH_NN_ReturnCode code,
                                 bool is_right) {
    if (code == OH_NN_UNSUPPORTED) { /* an operator that the build leaves out */
        page->skipped++;
        nnrt__self_line(page, "  skipped  %s, %s", name, level);
        return;
    }
    if (code == OH_NN_SUCCESS && is_right) {
        page->passed++;
        return;
    }
    if (page->failed++ == 0)
        nnrt__format(page->first, sizeof(page->first), "%s, %s: %s", name, level,
                     code == OH_NN_SUCCESS ? "wrong result" : nnrt_last_error());
    nnrt__self_line(page, "  FAILED   %s, %s: %s", name, level,
                    code == OH_NN_SUCCESS ? "wrong result" : nnrt_last_error());
}

/* ------------------------------------------------------------------------------------ one case, one level */

NNRT__FN void nnrt__self_try(nnrt__self_page *page, nnrt__self_data *data, const char *level) {
    nnrt__self_graph graph;
    nnrt__self_model(data, &graph);
    if (graph.code == OH_NN_SUCCESS) graph.compilation = OH_NNCompilation_Construct(graph.model);
    nnrt__self_build(&graph, level);
    nnrt__self_construct(&graph);
    if (graph.code == OH_NN_SUCCESS) nnrt__self_run(&graph, data->in, data->in_bytes, data->out, data->out_bytes);
    if (graph.code == OH_NN_SUCCESS && !nnrt__self_is_right(data)) graph.code = nnrt__self_wrong(data);
    nnrt__self_verdict(page, data->of->name, level, graph.code, true);
    nnrt__self_close(&graph);
}

/* The compiled model of the first case, loaded from memory, gives the same result; with a changed byte, or truncated,
   it is refused. blob: bytes of the plan, which are changed. */
NNRT__FN void nnrt__self_try_blob(nnrt__self_page *page, nnrt__self_data *data, const char *level, uint8_t *blob,
                                  size_t size) {
    static const char *const names[] = {"plan from memory", "plan with a wrong byte", "plan that is cut off"};
    nnrt__self_graph graph;
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(names); i++) {
        memset(&graph, 0, sizeof(graph));
        if (i == 1) blob[size / 2] ^= 0x10;
        graph.compilation = OH_NNCompilation_ConstructForCache();
        if (graph.compilation == NULL) graph.code = OH_NN_MEMORY_ERROR;
        else graph.code = OH_NNCompilation_ImportCacheFromBuffer(graph.compilation, blob, i == 2 ? size / 2 : size);
        nnrt__self_build(&graph, level);
        if (i == 0) {
            nnrt__self_construct(&graph);
            if (graph.code == OH_NN_SUCCESS)
                nnrt__self_run(&graph, data->in, data->in_bytes, data->out, data->out_bytes);
            nnrt__self_verdict(page, names[i], level, graph.code,
                               graph.code == OH_NN_SUCCESS && nnrt__self_is_right(data));
        } else {
            nnrt__self_verdict(page, names[i], level, OH_NN_SUCCESS,
                               graph.code != OH_NN_SUCCESS && graph.code != OH_NN_MEMORY_ERROR);
        }
        nnrt__self_close(&graph);
        if (i == 1) blob[size / 2] ^= 0x10;
    }
}

/* A program's arena: one byte too few is refused, and nothing after the arena is written. */
NNRT__FN void nnrt__self_try_arena(nnrt__self_page *page, nnrt__self_data *data, nnrt__self_graph *graph,
                                   const char *level) {
    size_t bytes = 0, i;
    uint8_t *block, *arena;
    bool is_right;
    graph->code = nnrt_compilation_get_arena(graph->compilation, &bytes);
    if (graph->code != OH_NN_SUCCESS) {
        nnrt__self_verdict(page, "arena", level, graph->code, false);
        return;
    }
    block = (uint8_t *)nnrt__alloc(bytes + 2 * NNRT_ARENA_ALIGNMENT);
    if (block == NULL) {
        nnrt__self_verdict(page, "arena", level, nnrt__fail_memory(), false);
        return;
    }
    memset(block, 0x5a, bytes + 2 * NNRT_ARENA_ALIGNMENT);
    arena = block + (NNRT_ARENA_ALIGNMENT - (uintptr_t)block % NNRT_ARENA_ALIGNMENT) % NNRT_ARENA_ALIGNMENT;
    if (bytes != 0) {
        is_right = nnrt_executor_construct_in(graph->compilation, arena, bytes - 1, &graph->executor) ==
                   OH_NN_INVALID_PARAMETER;
        nnrt__self_verdict(page, "arena that is a byte too small", level, OH_NN_SUCCESS, is_right);
    }
    if (graph->executor == NULL)
        graph->code = nnrt_executor_construct_in(graph->compilation, arena, bytes, &graph->executor);
    if (graph->code == OH_NN_SUCCESS) nnrt__self_run(graph, data->in, data->in_bytes, data->out, data->out_bytes);
    is_right = graph->code == OH_NN_SUCCESS && nnrt__self_is_right(data);
    for (i = 0; i < NNRT_ARENA_ALIGNMENT; i++) is_right = is_right && arena[bytes + i] == 0x5a;
    nnrt__self_verdict(page, "arena of the program", level, graph->code, is_right);
    if (graph->executor != NULL) (void)OH_NNExecutor_Destroy(&graph->executor);
    nnrt__free(block);
}

/* Tests plans and arenas, with the first case. */
NNRT__FN void nnrt__self_try_around(nnrt__self_page *page, nnrt__self_data *data, const char *level) {
    nnrt__self_graph graph;
    uint8_t none, *blob = NULL;
    size_t size = 0;
    nnrt__self_model(data, &graph);
    if (graph.code == OH_NN_SUCCESS) graph.compilation = OH_NNCompilation_Construct(graph.model);
    nnrt__self_build(&graph, level);
    if (graph.code != OH_NN_SUCCESS) {
        nnrt__self_verdict(page, "plan and arena", level, graph.code, false);
    } else {
        (void)OH_NNCompilation_ExportCacheToBuffer(graph.compilation, &none, 1, &size); /* too small: tells the size */
        blob = (uint8_t *)nnrt__alloc(size + 1);
        if (blob == NULL) nnrt__self_verdict(page, "plan", level, nnrt__fail_memory(), false);
        else if ((graph.code = OH_NNCompilation_ExportCacheToBuffer(graph.compilation, blob, size, &size)) !=
                 OH_NN_SUCCESS)
            nnrt__self_verdict(page, "plan", level, graph.code, false);
        else nnrt__self_try_blob(page, data, level, blob, size);
        nnrt__free(blob);
        nnrt__self_try_arena(page, data, &graph, level);
    }
    nnrt__self_close(&graph);
}

/* --------------------------------------------------------------------------------------------------- speed */

enum {
    NNRT__SELF_SPEED_NS = 30000000
};

/* Runs of 30 ms in all: millions of products in a second, and nanoseconds of the fastest run. */
NNRT__FN void nnrt__self_time(nnrt__self_page *page, nnrt__self_data *data, const char *level) {
    const nnrt__self_case *one = data->of;
    const uint64_t products =
        (uint64_t)data->out_count * (uint64_t)(one->kernel * one->kernel) * (uint64_t)data->channels_read;
    uint64_t begin, before, now, least = UINT64_MAX;
    NN_Tensor *in = NULL, *out = NULL;
    nnrt__self_graph graph;
    nnrt__self_model(data, &graph);
    if (graph.code == OH_NN_SUCCESS) graph.compilation = OH_NNCompilation_Construct(graph.model);
    nnrt__self_build(&graph, level);
    nnrt__self_construct(&graph);
    nnrt__self_tensors(&graph, &in, &out);
    if (graph.code == OH_NN_SUCCESS) memcpy(OH_NNTensor_GetDataBuffer(in), data->in, data->in_bytes);
    begin = now = nnrt__now_ns();
    while (graph.code == OH_NN_SUCCESS && begin != 0 && now - begin < NNRT__SELF_SPEED_NS) {
        before = now;
        graph.code = OH_NNExecutor_RunSync(graph.executor, &in, 1, &out, 1);
        now = nnrt__now_ns();
        if (now - before < least) least = now - before;
    }
    if (graph.code == OH_NN_SUCCESS && least != UINT64_MAX && least != 0)
        nnrt__self_line(page, "  %s, %s: %u million products/s, %u ns", one->name, level,
                        (unsigned)(products * 1000u / least), (unsigned)least);
    if (graph.code != OH_NN_SUCCESS && graph.code != OH_NN_UNSUPPORTED)
        nnrt__self_verdict(page, one->name, level, graph.code, false);
    if (in != NULL) (void)OH_NNTensor_Destroy(&in);
    if (out != NULL) (void)OH_NNTensor_Destroy(&out);
    nnrt__self_close(&graph);
}

/* ---------------------------------------------------------------------------------------------------- page */

NNRT__FN unsigned nnrt__cpu_levels(void); /* nnrt_cpu_kernels.h */

/* Levels of the processor; level i, or NULL. */
NNRT__FN const char *nnrt__self_level(size_t i) {
    static const struct {
        const char *name;
        unsigned level;
    } levels[] = {{nnrt__isa_name_SCALAR, NNRT__ISA_LEVEL_SCALAR},
#define NNRT__SELF_LEVEL(token, suffix, name, bit, level, have, sure) {nnrt__isa_name_##token, level},
                  NNRT__ISAS(NNRT__SELF_LEVEL)
#undef NNRT__SELF_LEVEL
    };
    const unsigned there = nnrt__cpu_levels();
    size_t k;
    for (k = 0; k < NNRT__COUNT_OF(levels); k++)
        if ((levels[k].level & ~there) == 0 && i-- == 0) return levels[k].name;
    return NULL;
}

NNRT__FN void nnrt__self_head(nnrt__self_page *page) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    nnrt__self_line(page, "nnrt %s", nnrt_version());
    nnrt__self_line(page, "compiler %s, %s-endian, pointers of %u bytes, %d cores", NNRT__SELF_COMPILER,
                    first != 0 ? "little" : "big", (unsigned)sizeof(void *), nnrt__core_count());
}

/* Every level with every case; plans and arenas; speeds. false: out of memory. */
NNRT__FN bool nnrt__self_all(nnrt__self_page *page) {
    static const uint8_t timed[] = {0, 3, 12}; /* a convolution, a depthwise one, one of floats */
    nnrt__self_data data;
    const char *level;
    size_t i, k;
    for (i = 0; (level = nnrt__self_level(i)) != NULL; i++) {
        const unsigned failed = page->failed, passed = page->passed;
        for (k = 0; k < NNRT__COUNT_OF(nnrt__self_cases); k++) {
            if (!nnrt__self_draw_case(&nnrt__self_cases[k], &data)) return false;
            nnrt__self_try(page, &data, level);
            if (k == 0) nnrt__self_try_around(page, &data, level);
            nnrt__free(data.memory);
        }
        nnrt__self_line(page, "%s: %u passed, %u failed", level, page->passed - passed, page->failed - failed);
    }
    for (k = 0; k < NNRT__COUNT_OF(timed); k++) {
        if (!nnrt__self_draw_case(&nnrt__self_cases[timed[k]], &data)) return false;
        for (i = 0; (level = nnrt__self_level(i)) != NULL; i++) nnrt__self_time(page, &data, level);
        nnrt__free(data.memory);
    }
    return true;
}

NNRT_API OH_NN_ReturnCode nnrt_selftest(nnrt_selftest_print print, void *user) {
    nnrt__self_page page;
    size_t device = 0;
    OH_NN_ReturnCode code = nnrt__self_cpu(&device);
    if (code != OH_NN_SUCCESS) return code;
    memset(&page, 0, sizeof(page));
    page.print = print;
    page.user = user;
    nnrt__self_head(&page);
    if (!nnrt__self_all(&page)) return nnrt__fail_memory();
    nnrt__self_line(&page, "selftest: %u passed, %u failed, %u skipped", page.passed, page.failed, page.skipped);
    if (page.failed == 0) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_FAILED, "nnrt_selftest: %u tests failed, the first: %s", page.failed, page.first);
}

#endif /* NNRT_SELFTEST_RUN_H */
