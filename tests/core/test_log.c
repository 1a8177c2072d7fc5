/* SPDX-License-Identifier: Apache-2.0 */
/* test_log.c - the log callback: it may do anything with nnrt, wherever the line came up. */
#include "counting_alloc.h"
#define NNRT_NO_CPU /* not needed here; a quarter of the time to compile */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "mock_device.h"

#include <stdio.h>

static const int32_t four[1] = {4};

typedef struct log_book {
    int lines, inside;
    char texts[8][400];
    void (*act)(void);
} log_book;

static log_book book;

static void on_line(void *user, nnrt_log_level level, const char *message) {
    cr_assert_eq(user, (void *)&book);
    cr_assert((int)level >= NNRT_LOG_ERROR && (int)level <= NNRT_LOG_INFO);
    cr_assert_eq(book.inside, 0, "called from inside itself: %s", message);
    book.inside = 1;
    cr_assert_lt(book.lines, 8);
    snprintf(book.texts[book.lines++], sizeof(book.texts[0]), "%s", message);
    if (book.act != NULL) book.act();
    book.inside = 0;
}

/* What takes every lock of the core, and a call that fails. */
static void use_everything(void) {
    static nnrt_backend more[8];
    static char names[8][16];
    static int used;
    const size_t *ids = NULL;
    uint32_t count = 0;
    OH_NNExecutor *executor;
    NN_Tensor *in, *out;
    size_t id;
    cr_assert_lt(used, 8);
    more[used] = mock_backend;
    snprintf(names[used], sizeof(names[0]), "m%d", used);
    more[used].name = names[used];
    OK(nnrt_register_backend(&more[used++], &id));
    OK(OH_NNDevice_GetAllDevicesID(&ids, &count));
    cr_assert_gt(count, 0);
    executor = mock_executor_of(four, 1);
    in = mock_tensor(four, 1);
    out = mock_tensor(four, 1);
    OK(OH_NNExecutor_RunSync(executor, &in, 1, &out, 1));
    OH_NNExecutor_Destroy(&executor);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OH_NNExecutor_Destroy(NULL); /* would log */
    (void)OH_NNDevice_GetAllDevicesID(NULL, NULL);
}

static OH_NN_ReturnCode refusing_open(void *user, void **device) {
    (void)user;
    (void)device;
    nnrt__log(NNRT_LOG_INFO, "looking for the board");
    return nnrt_backend_fail(OH_NN_UNAVAILABLE_DEVICE, "no board");
}

Test(log, a_callback_may_use_nnrt_while_a_device_is_opened, .timeout = 20) {
    nnrt_backend absent = mock_backend;
    absent.name = "absent";
    absent.open = refusing_open;
    book.act = use_everything;
    nnrt_set_log(on_line, &book);
    (void)mock_id(); /* outside: its own registration says nothing */
    cr_assert_eq(nnrt_register_backend(&absent, NULL), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_str_eq(nnrt_last_error(), "no board", "that of another call: %s", nnrt_last_error());
    cr_assert_eq(book.lines, 2);
    cr_assert_str_eq(book.texts[0], "looking for the board");
    cr_assert_str_eq(book.texts[1], "device absent_tests_1 is not listed: no board");
    cr_assert_eq(counting_live(), 0);
}

static OH_NNExecutor *running;
static NN_Tensor *in, *out;

static OH_NN_ReturnCode talking_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                    size_t output_count) {
    nnrt__log(NNRT_LOG_INFO, "running");
    return mock_run(executor, inputs, input_count, outputs, output_count);
}

static void use_the_executor(void) {
    nnrt_memory memory;
    OK(nnrt_executor_get_memory(running, &memory));
    OK(OH_NNExecutor_RunSync(running, &in, 1, &out, 1));
    use_everything();
}

Test(log, a_callback_may_use_the_executor_whose_run_had_something_to_say, .timeout = 20) {
    mock_backend.run = talking_run;
    running = mock_executor_of(four, 1);
    in = mock_tensor(four, 1);
    out = mock_tensor(four, 1);
    book.act = use_the_executor;
    nnrt_set_log(on_line, &book);
    OK(OH_NNExecutor_RunSync(running, &in, 1, &out, 1));
    cr_assert_eq(book.lines, 1);
    nnrt_set_log(NULL, NULL);
    OH_NNExecutor_Destroy(&running);
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    cr_assert_eq(counting_live(), 0);
}

Test(log, a_line_that_waits_for_memory_in_vain_is_lost_and_nothing_else) {
    nnrt_backend absent = mock_backend;
    absent.name = "absent";
    absent.open = refusing_open;
    nnrt_set_log(on_line, &book);
    (void)mock_id();
    counting_fail_at(0);
    cr_assert_eq(nnrt_register_backend(&absent, NULL), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert(counting_failed());
    counting_fail_never();
    cr_assert_eq(book.lines, 1);
    cr_assert_str_eq(book.texts[0], "device absent_tests_1 is not listed: no board");
    cr_assert_eq(counting_live(), 0);
}
