/* SPDX-License-Identifier: Apache-2.0 */
/* test_rknpu_faults.c - every fault at every call of Rockchip's library, on simulated boards: npu_faults.h says what
   has to hold. */
#include "linked.h"

#include <criterion/criterion.h>

#include "rknpu_load.h"

#include "npu_faults.h"

static const char *const functions[] = {"rknn_init",
                                        "rknn_dup_context",
                                        "rknn_destroy",
                                        "rknn_query",
                                        "rknn_inputs_set",
                                        "rknn_set_batch_core_num",
                                        "rknn_set_core_mask",
                                        "rknn_run",
                                        "rknn_outputs_get",
                                        "rknn_outputs_release",
                                        "rknn_create_mem_from_fd",
                                        "rknn_create_mem",
                                        "rknn_create_mem2",
                                        "rknn_destroy_mem",
                                        "rknn_set_weight_mem",
                                        "rknn_set_internal_mem",
                                        "rknn_set_io_mem",
                                        "rknn_set_input_shapes",
                                        "rknn_mem_sync"};

static const fault_vendor rockchip = {rknpu_load, "rknpu",   "rknn",    functions, NNRT__COUNT_OF(functions),
                                      "rknn_run", "fail:-1", "fail:-3", "destroy", NULL,
                                      NULL,       false};

Test(rknpu_faults, zero_copy_on_the_mini_runtime, .timeout = 280) {
    const plan p = {&rockchip, "rv1106", "rv1106", "meter", {"rknn.hang_grace_ms", "50", NULL}, NULL};
    every_fault(&p);
}

Test(rknpu_faults, zero_copy_on_the_full_runtime, .timeout = 280) {
    const plan p = {&rockchip, "rk3588", "rk3588", "meter", {"rknn.hang_grace_ms", "50", "rknn.core_mask", "0_1", NULL},
                    NULL};
    every_fault(&p);
}

Test(rknpu_faults, general_calls, .timeout = 280) {
    const plan p = {
        &rockchip, "rk3566, general", "rk3566", "meter", {"rknn.hang_grace_ms", "50", "rknn.api", "general", NULL},
        NULL};
    every_fault(&p);
}

Test(rknpu_faults, shapes_that_change, .timeout = 280) {
    const plan p = {&rockchip,   "rk3588, dynamic", "rk3588", "dynamic", {"rknn.hang_grace_ms", "50", NULL},
                    "rknn_query"};
    every_fault(&p);
}

Test(rknpu_faults, shared_internal_memory, .timeout = 280) {
    const plan p = {&rockchip,
                    "rk3588, group",
                    "rk3588",
                    "meter",
                    {"rknn.hang_grace_ms", "50", "rknn.share_internal", "group", NULL},
                    NULL};
    every_fault(&p);
}

Test(rknpu_faults, memory_outside_the_runtime, .timeout = 280) {
    const plan p = {&rockchip,
                    "rk3568, outside",
                    "rk3568",
                    "meter",
                    {"rknn.hang_grace_ms", "50", "rknn.memory", "outside", "rknn.flush_input", "0", NULL},
                    NULL};
    every_fault(&p);
}
