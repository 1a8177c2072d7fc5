/* SPDX-License-Identifier: Apache-2.0 */
/* test_npu_no_threads.c - configs of devices in a build without threads: no deadline, as nobody could give up a run. */
#define NNRT_IMPLEMENTATION
#define NNRT_NO_THREADS
#define NNRT_NO_CPU
#define NNRT_BACKEND_NNIE
#define NNRT_BACKEND_BPU
#include "nnrt.h"

#include <criterion/criterion.h>

#include <string.h>

typedef OH_NN_ReturnCode (*check_config)(void *device, const nnrt_config *config);

static OH_NN_ReturnCode check(check_config device, const char *name, const char *value) {
    nnrt_config config;
    config.name = name;
    config.value = value;
    config.size = strlen(value);
    return device(NULL, &config);
}

Test(npu_no_threads, a_deadline_is_refused_none_and_everything_else_is_taken) {
    static const struct {
        check_config device;
        const char *deadline, *grace, *batch;
    } devices[2] = {{nnrt__nnie_check_config, "nnie.timeout_ms", "nnie.hang_grace_ms", "nnie.batch"},
                    {nnrt__bpu_check_config, "bpu.timeout_ms", "bpu.hang_grace_ms", "bpu.batch"}};
    size_t i;
    for (i = 0; i < 2; i++) {
        cr_assert_eq((int)check(devices[i].device, devices[i].deadline, "0"), OH_NN_SUCCESS);
        cr_assert_eq((int)check(devices[i].device, devices[i].deadline, "1"), OH_NN_INVALID_PARAMETER);
        cr_assert_not_null(strstr(nnrt__sentence(), "NNRT_NO_THREADS"), "%s", nnrt__sentence());
        cr_assert_eq((int)check(devices[i].device, devices[i].deadline, "2000"), OH_NN_INVALID_PARAMETER);
        cr_assert_not_null(strstr(nnrt__sentence(), "0 is possible"), "%s", nnrt__sentence());
        cr_assert_eq((int)check(devices[i].device, devices[i].grace, "1000"), OH_NN_SUCCESS);
        cr_assert_eq((int)check(devices[i].device, devices[i].batch, "2"), OH_NN_SUCCESS);
    }
}
