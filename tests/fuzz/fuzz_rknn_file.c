/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_rknn_file.c - a .rknn is untrusted bytes that are read before the vendor's runtime sees them. `make fuzz`.
   Properties  (1) any bytes: reading returns, refusing with OH_NN_INVALID_FILE and a sentence, or telling something;
               (2) nothing outside the bytes is read; (3) what is told is terminated, printable text; (4) the verdict is
               the same at another address; (5) the comparison with a board answers success or OH_NN_INVALID_FILE with a
               sentence, and success when neither chip nor version of the board are known; (6) whose the file is has
               the same verdict, or the file is not the Rockchip device's.
   Seeds       each kind of file once: the formats 1, 4 and 6, a list and a plain string as platform, an encrypted file,
               text with escapes and nested members, a file that is cut off; operators as toolkits write them, for both
               runtimes. */
#include "linked.h"

#include "told.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void is_text(const char *text, size_t size) {
    size_t i;
    for (i = 0; i < size && text[i] != '\0'; i++) MUST(text[i] > ' ' && text[i] < 0x7f);
    MUST(i < size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const chips[] = {"", "rk3588s", "rk3566", "rv1106", "rv1103b", "bcm2711"};
    static const uint32_t below[] = {0, NNRT__RKNN_VERSION(1, 5, 0), NNRT__RKNN_VERSION(1, 5, 2)};
    uint8_t *moved = (uint8_t *)malloc(size + 1);
    nnrt_rknn_model_info info, again;
    nnrt__rknn_file_info read;
    OH_NN_ReturnCode code, again_code;
    const char *device = NULL;
    size_t i, k;
    told t;
    MUST(moved != NULL);
    if (size != 0) memcpy(moved + 1, data, size);
    memset(&info, 0, sizeof(info));
    memset(&again, 0, sizeof(again));
    memset(&t, 0, sizeof(t));
    (void)nnrt_backend_fail(OH_NN_FAILED, "");
    code = nnrt_rknn_inspect(data, size, &info);
    MUST(code == OH_NN_SUCCESS || (code == OH_NN_INVALID_FILE && nnrt_last_error()[0] != '\0'));
    MUST(nnrt_rknn_inspect(moved + 1, size, &again) == code);
    MUST(memcmp(&info, &again, sizeof(info)) == 0);
    again_code = nnrt_inspect_model(moved + 1, size, &device, sum_pair, &t);
    MUST((again_code == OH_NN_SUCCESS) == (t.pairs > 0) && (again_code == OH_NN_UNSUPPORTED) == (device == NULL));
    if (device != NULL && device[0] == 'r') MUST(again_code == code);
    else MUST(code == OH_NN_INVALID_FILE);
    free(moved);
    MUST(nnrt__rknn_file_read(data, size, &read) == code);
    if (code != OH_NN_SUCCESS) return 0;
    is_text(info.platform, sizeof(info.platform));
    is_text(info.toolkit, sizeof(info.toolkit));
    is_text(info.minimum_runtime, sizeof(info.minimum_runtime));
    for (i = 0; i < NNRT__COUNT_OF(chips) * NNRT__COUNT_OF(below) * 2; i++) {
        nnrt__rknpu_library library;
        memset(&library, 0, sizeof(library));
        library.mini = i % 2 != 0;
        library.below = below[i / 2 % NNRT__COUNT_OF(below)];
        k = i / 2 / NNRT__COUNT_OF(below);
        nnrt__format(library.chip, sizeof(library.chip), "%s", chips[k]);
        (void)nnrt_backend_fail(OH_NN_FAILED, "");
        code = nnrt__rknn_file_check(&read, &library);
        MUST(code == OH_NN_SUCCESS || (code == OH_NN_INVALID_FILE && nnrt_last_error()[0] != '\0'));
        MUST(code == OH_NN_SUCCESS || k != 0 || library.below != 0 || read.platform[0] != '\0' ||
             nnrt__rknn_format_is_mini(read.format_version));
    }
    return 0;
}
