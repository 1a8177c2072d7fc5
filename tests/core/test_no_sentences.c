/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of NNRT_NO_SENTENCES that calls fail with the same codes, that nothing is said, and that an error which is
   handed on is still one. The other option keeps the program small: the codes of the core are the same with it. */
#define NNRT_PLANS_ONLY
#define NNRT_NO_SENTENCES
#define NNRT_STEPS(X) X(softmax_s8, SCALAR)
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <criterion/criterion.h>

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted))

static void count_line(void *user, nnrt_log_level level, const char *message) {
    (void)level;
    (void)message;
    ++*(int *)user;
}

Test(no_sentences, calls_fail_with_their_codes_and_nothing_is_said) {
    static const uint8_t garbage[64] = {1, 2, 3};
    OH_NNCompilation *compilation;
    OH_NN_DeviceType type;
    const char *name = NULL;
    int lines = 0;
    nnrt_set_log(count_line, &lines);
    IS(OH_NNDevice_GetType(12345, &type), OH_NN_INVALID_PARAMETER);
    cr_assert_str_empty(nnrt_last_error());
    IS(OH_NNDevice_GetName(12345, &name), OH_NN_FAILED);
    IS(OH_NNCompilation_Build(NULL), OH_NN_INVALID_PARAMETER);
    compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(garbage, sizeof garbage);
    IS(OH_NNCompilation_SetPriority(compilation, (OH_NN_Priority)17), OH_NN_SUCCESS);
    IS(OH_NNCompilation_Build(compilation), OH_NN_INVALID_PARAMETER);
    OH_NNCompilation_Destroy(&compilation);
    OH_NNCompilation_Destroy(&compilation); /* warns the log */
    compilation = OH_NNCompilation_ConstructForCache();
    IS(OH_NNCompilation_ImportCacheFromBuffer(compilation, garbage, sizeof garbage), OH_NN_SUCCESS);
    IS(OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.nonsense", "1", 1), OH_NN_SUCCESS);
    cr_assert_neq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_SUCCESS);
    OH_NNCompilation_Destroy(&compilation);
    IS(nnrt_backend_fail(OH_NN_TIMEOUT, "the device's own words"), OH_NN_TIMEOUT);
    cr_assert_str_empty(nnrt_last_error());
    cr_assert_eq(lines, 0);
    cr_assert_str_eq(nnrt_strerror(OH_NN_TIMEOUT), "OH_NN_TIMEOUT");
}
