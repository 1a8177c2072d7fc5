/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_bpu_file.c - a .bin or .hbm of Horizon's is untrusted bytes that are read before the vendor's library sees them.
   `make fuzz`.
   Properties  (1) any bytes: reading returns, refusing with OH_NN_INVALID_FILE and a sentence, or telling something;
               (2) nothing outside the bytes is read; (3) what is told is terminated, printable text; (4) the verdict
               and what is told are the same at another address; (5) of a file that is taken each model has as many
               inputs and outputs as it says, and every name and text that it tells lies within the bytes; (6) the
               comparison with a board answers success or OH_NN_INVALID_FILE with a sentence, and success when neither
               the board's nor the file's BPU are known and the library is of its kind.
   Seeds       made by tests/sim/bpu/make_files.py: one file of each kind. */
#include "linked.h"

#include "told.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void lies_within(const nnrt__bpu_file *file, nnrt__bpu_text text) {
    if (text.length == 0) return;
    MUST(text.bytes >= file->bytes.bytes && text.length <= file->bytes.length &&
         (size_t)(text.bytes - file->bytes.bytes) <= file->bytes.length - text.length);
}

static void look_at_models(const nnrt__bpu_file *file) {
    uint32_t i, which, k;
    MUST(file->models <= (file->kind == NNRT__BPU_HBM ? NNRT__BPU_MAX_PARTS : NNRT__BPU_MAX_MODELS));
    MUST((file->models != 0) == (file->kind != NNRT__BPU_ELF_HBM));
    for (i = 0; i < file->models; i++) {
        nnrt__bpu_file_model model;
        nnrt__bpu_told tensor;
        nnrt__bpu_file_model_at(file, i, &model);
        lies_within(file, model.name);
        MUST(model.name.length < NNRT__BPU_MAX_NAME && nnrt__bpu_file_twin(file, i) <= file->models);
        for (which = 0; which < 2; which++) {
            MUST(model.count[which] <= NNRT__BPU_MAX_TENSORS);
            for (k = 0; k < model.count[which]; k++) {
                nnrt__bpu_file_tensor(file, &model, which, k, &tensor);
                lies_within(file, tensor.name);
                lies_within(file, tensor.picture);
                MUST(tensor.name.bytes != NULL && tensor.name.length < NNRT__BPU_MAX_NAME);
                MUST(tensor.dims <= NNRT__BPU_DNN_DIMS && tensor.element < (int32_t)NNRT__BPU_DNN_TYPES);
            }
        }
    }
}

static void compare_with_boards(const nnrt__bpu_file *file) {
    static const char *const marches[] = {NULL, "bernoulli2", "bayes", "bayes-e", "nash-e", "nash-p", "none"};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(marches) * 2; i++) {
        OH_NN_ReturnCode code;
        (void)nnrt_backend_fail(OH_NN_FAILED, "");
        code = nnrt__bpu_file_check_board(file, i % 2 != 0, marches[i / 2]);
        MUST(code == OH_NN_SUCCESS || (code == OH_NN_INVALID_FILE && nnrt_last_error()[0] != '\0'));
        if (marches[i / 2] == NULL && (i % 2 != 0) == (file->kind == NNRT__BPU_ELF_HBM) && file->version[0] == 0)
            MUST(code == OH_NN_SUCCESS);
    }
}

static OH_NN_ReturnCode look(const uint8_t *data, size_t size, told *t) {
    nnrt__bpu_file file;
    OH_NN_ReturnCode code, inspected;
    memset(t, 0, sizeof(*t));
    (void)nnrt_backend_fail(OH_NN_FAILED, "");
    code = nnrt__bpu_file_read(data, size, &file);
    MUST(code == OH_NN_SUCCESS || (code == OH_NN_INVALID_FILE && nnrt_last_error()[0] != '\0'));
    if (code == OH_NN_SUCCESS) {
        look_at_models(&file);
        compare_with_boards(&file);
    }
    inspected = nnrt__bpu_inspect(data, size, NULL, NULL);
    MUST(inspected == (nnrt__bpu_file_is(data, size) ? code : OH_NN_UNSUPPORTED));
    inspected = nnrt__bpu_inspect(data, size, sum_pair, t);
    MUST(inspected == code || inspected == OH_NN_UNSUPPORTED ||
         (code == OH_NN_SUCCESS && inspected == OH_NN_INVALID_FILE)); /* a checksum */
    MUST((t->pairs != 0) == (inspected == OH_NN_SUCCESS));
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *moved = (uint8_t *)malloc(size + 1);
    told first, second;
    OH_NN_ReturnCode code;
    MUST(moved != NULL);
    if (size != 0) memcpy(moved + 1, data, size);
    code = look(data, size, &first);
    MUST(look(moved + 1, size, &second) == code && first.crc == second.crc && first.pairs == second.pairs);
    free(moved);
    return 0;
}
