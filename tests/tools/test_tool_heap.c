/* SPDX-License-Identifier: Apache-2.0 */
/* test_tool_heap.c - what `nnrt inspect` says of memory, beside what the allocator has counted: the tool's own
   functions, in this process. */
#include "linked.h"

#include "offline_runner.h"

#define main tool_main
#include "../../tools/nnrt.c"
#undef main

#include <unistd.h>

#define METER "examples/meter/meter.tflite"

/* What print_memory() writes to stdout, in text. */
static void say_memory(const session *s, char *text, size_t room) {
    FILE *said = tmpfile();
    const int before = dup(1);
    size_t size;
    cr_assert(said != NULL && before >= 0);
    (void)fflush(stdout);
    cr_assert_eq(dup2(fileno(said), 1), 1);
    cr_expect_eq(print_memory(s), TOOL_OK);
    (void)fflush(stdout);
    cr_assert_eq(dup2(before, 1), 1);
    (void)close(before);
    rewind(said);
    size = fread(text, 1, room - 1, said);
    text[size] = '\0';
    fclose(said);
}

/* The number of the line that begins with name. */
static size_t figure(const char *text, const char *name) {
    char start[32];
    const char *line;
    (void)snprintf(start, sizeof start, "\n  %s ", name);
    line = strstr(text, start);
    cr_assert_not_null(line, "no line \"%s\" in%s", name, text);
    return (size_t)strtoul(line + strlen(start), NULL, 10);
}

/* Opens the model as the tool does, and compares what it says with what is still handed out. The figures are of the
   compilation and the executor; descriptors are the tool's own. */
static void is_said(const build_options *how) {
    const size_t before = counting_bytes();
    const long blocks = counting_live();
    char text[2048];
    size_t peak, held, i;
    session s;
    counting_peak_begin();
    cr_assert_eq(session_open(&s, how), TOOL_OK, "%s", nnrt_last_error());
    peak = counting_peak() - before;
    for (i = 0; i < s.input_count; i++) OH_NNTensorDesc_Destroy(&s.input_descs[i]);
    held = counting_bytes() - before;
    say_memory(&s, text, sizeof text);
    cr_assert_eq(figure(text, "heap"), held, "%s: %zu bytes are handed out, and it says%s", how->model, held, text);
    cr_assert(figure(text, "build") != 0 && figure(text, "build") <= peak, "%zu at once, and it says%s", peak, text);
    cr_assert(figure(text, "arena") != 0 && figure(text, "arena") < held, "%s", text);
    cr_assert_leq(figure(text, "bound"), figure(text, "arena"));
    session_close(&s);
    cr_assert_eq(counting_bytes(), before);
    cr_assert_eq(counting_live(), blocks);
}

Test(tool_heap, what_inspect_calls_heap_is_what_the_allocator_has_handed_out) {
    static const OH_NN_PerformanceMode modes[3] = {OH_NN_PERFORMANCE_NONE, OH_NN_PERFORMANCE_LOW,
                                                   OH_NN_PERFORMANCE_EXTREME};
    static const char *const threads[2] = {NULL, "3"};
    char plan[] = "/tmp/nnrt-heap-XXXXXX";
    const int file = mkstemp(plan);
    size_t i;
    cr_assert_geq(file, 0);
    (void)off_device();
    for (i = 0; i < 6; i++) {
        build_options how;
        uint8_t *bytes = NULL;
        size_t size = 0;
        session s;
        memset(&how, 0, sizeof how);
        how.model = METER;
        how.performance = modes[i / 2];
        how.threads = threads[i % 2];
        how.profile = i % 2 != 0;
        is_said(&how);
        cr_assert_eq(session_build(&s, &how), TOOL_OK);
        bytes = off_export(s.compilation, &size);
        session_close(&s);
        cr_assert_eq(ftruncate(file, 0), 0);
        cr_assert_eq(pwrite(file, bytes, size, 0), (ssize_t)size);
        free(bytes);
        how.model = plan;
        is_said(&how);
    }
    (void)close(file);
    (void)unlink(plan);
}
