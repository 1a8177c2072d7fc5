/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_wk_file.c - a .wk is untrusted bytes that are read before the vendor's library sees them. `make fuzz`.
   Properties  (1) any bytes: reading returns, refusing with OH_NN_INVALID_FILE and a sentence, or telling something;
               (2) nothing outside the bytes is read; (3) what is told is terminated, printable text; (4) the verdict
               and what is told are the same at another address, and whose the file is has the same verdict, or the file
               is not HiSilicon's; (5) of a file that is taken each node has its elements, a size that is a multiple of
               16, a name of at most 31 characters and no more equals than there are nodes.
   Checksum    Bytes that are refused for it are tried again with the right one: a fuzzer would never guess it.
   Seeds       made by tests/sim/nnie/make_wk.py: one file of each kind. */
#include "linked.h"

#include "told.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at_nodes(const nnrt__wk_file *file) {
    uint32_t number, i;
    for (number = 0; number < file->segments; number++) {
        const nnrt__wk_segment *segment = &file->segment[number];
        for (i = 0; i < segment->inputs + segment->outputs; i++) {
            nnrt__nnie_node node;
            nnrt__wk_node(file, number, i, &node);
            MUST(node.width != 0 && node.height != 0 && node.channels != 0);
            MUST(nnrt__wk_frame_size(&node) != 0 && nnrt__wk_frame_size(&node) % 16 == 0);
            MUST(node.name[NNRT__NNIE_MAX_NAME - 1] == '\0');
            MUST(nnrt__wk_twin(file, number, i) <= NNRT__NNIE_MAX_IO);
        }
    }
}

static OH_NN_ReturnCode look(const uint8_t *data, size_t size, told *t) {
    const char *device = NULL;
    nnrt__wk_file file;
    OH_NN_ReturnCode code, inspected;
    memset(t, 0, sizeof(*t));
    (void)nnrt_backend_fail(OH_NN_FAILED, "");
    code = nnrt__wk_read(data, size, &file);
    MUST(code == OH_NN_SUCCESS || (code == OH_NN_INVALID_FILE && nnrt_last_error()[0] != '\0'));
    if (code == OH_NN_SUCCESS) look_at_nodes(&file);
    inspected = nnrt_inspect_model(data, size, &device, sum_pair, t);
    MUST((inspected == OH_NN_UNSUPPORTED) == (device == NULL));
    MUST((t->pairs != 0) == (inspected == OH_NN_SUCCESS));
    MUST(device != NULL && strstr(device, "nnie") != NULL ? inspected == code : code == OH_NN_INVALID_FILE);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *moved = (uint8_t *)malloc(size + 1);
    told first, second;
    OH_NN_ReturnCode code;
    uint64_t end;
    uint32_t crc;
    MUST(moved != NULL);
    if (size != 0) memcpy(moved + 1, data, size);
    code = look(data, size, &first);
    MUST(look(moved + 1, size, &second) == code && first.crc == second.crc);
    end = size < NNRT__WK_HEADER ? UINT64_MAX : (uint64_t)nnrt__read_u32(data + 52) + nnrt__read_u32(data + 56);
    if (code != OH_NN_SUCCESS && end <= size && end >= 4) {
        crc = nnrt__crc32(UINT32_MAX, data + 4, (size_t)end - 4);
        memcpy(moved + 1, &crc, sizeof(crc)); /* the fuzzer's machine is little-endian */
        (void)look(moved + 1, size, &second);
    }
    free(moved);
    return 0;
}
