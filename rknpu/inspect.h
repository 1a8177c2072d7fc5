/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/inspect.h - recognises a .rknn and lists what it says, without a runtime or an NPU.   >>rknpu_inspect */
#ifndef NNRT_RKNPU_INSPECT_H
#define NNRT_RKNPU_INSPECT_H

#include "file.h"

/* Whether it begins like one. The rest may be missing. */
NNRT__FN bool nnrt__rknpu_file_is(const void *bytes, size_t size) {
    return size >= 8 && (memcmp(bytes, "RKNN\0\0\0\0", 8) == 0 || memcmp(bytes, "CYPTRKNN", 8) == 0);
}

/* Reports a list of operators with an explanation; nothing if it is empty. */
NNRT__FN void nnrt__rknpu_tell_list(const nnrt__rknn_operators *operators, nnrt__rknn_question question,
                                    const char *label, const char *end, nnrt_inspect_callback tell, void *user) {
    char text[800]; /* 512 for the list, 288 for its end */
    size_t used;
    if (nnrt__rknn_list(operators, question, text, 512) == 0) return;
    used = strlen(text);
    nnrt__format(text + used, sizeof(text) - used, "%s", end);
    tell(user, label, text);
}

/* Reports the operators, if nnrt can read them. Those that the file's runtime cannot run are explained, and for the
   larger runtime also those that the smaller one would lack. */
NNRT__FN void nnrt__rknpu_tell_operators(const nnrt__rknn_file_info *file, nnrt_inspect_callback tell, void *user) {
    const nnrt__rknn_chip *chip = nnrt__rknn_chip_find(file->platform);
    const bool mini = file->format_version >= NNRT__RKNN_MINI_FORMATS || (chip != NULL && chip->mini);
    nnrt__rknn_operators operators;
    char end[288], first[96];
    if (file->body == NULL || !nnrt__rknn_operators_read(file->format_version, file->body, file->body_size, &operators))
        return;
    nnrt__rknpu_tell_list(&operators, NNRT__RKNN_ALL, "operators", "", tell, user);
    nnrt__rknpu_tell_list(&operators, NNRT__RKNN_NOT_ON_NPU, "not on the NPU", "", tell, user);
    if (!mini)
        nnrt__rknpu_tell_list(&operators, NNRT__RKNN_CUSTOM, "of the program",
                              ": to be given by rknn.custom_op, or rknn_run answers -1", tell, user);
    if (nnrt__rknn_first_missing(&operators, mini, first, sizeof(first))) {
        nnrt__format(end, sizeof(end),
                     ": not for the NPU, and this chip's runtime has no CPU form, " NNRT__RKNN_CPU_LIST
                     ": rknn_init will answer -1. Replace them or cut the model before them; the first is %s",
                     first);
        nnrt__rknpu_tell_list(&operators, mini ? NNRT__RKNN_NO_FORM_ON_MINI : NNRT__RKNN_NO_FORM_ON_FULL,
                              "runs nowhere", end, tell, user);
    }
    if (!mini)
        nnrt__rknpu_tell_list(&operators, NNRT__RKNN_NO_FORM_ON_MINI, "on rv1103, rv1106",
                              ": no CPU form there, " NNRT__RKNN_CPU_LIST, tell, user);
}

/* Slot inspect. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_inspect(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user) {
    nnrt_rknn_model_info info;
    nnrt__rknn_file_info file;
    OH_NN_ReturnCode code;
    char kind[96], format[12];
    memset(&info, 0, sizeof(info));
    if (!nnrt__rknpu_file_is(bytes, size)) return OH_NN_UNSUPPORTED;
    if (size < 24 && *(const char *)bytes == 'R')
        return nnrt__fail(OH_NN_INVALID_FILE, "the .rknn file is cut off: it has %zu bytes, its header 24", size);
    code = nnrt_rknn_inspect(bytes, size, &info);
    if (code != OH_NN_SUCCESS || tell == NULL) return code;
    if (info.encrypted != 0) {
        tell(user, "kind", "Rockchip .rknn, encrypted: only the runtime can read it");
        return OH_NN_SUCCESS;
    }
    code = nnrt__rknn_file_read(bytes, size, &file);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__format(kind, sizeof(kind), "Rockchip .rknn, format %s%s", nnrt__rknn_format_name(info.format_version, format),
                 nnrt__rknn_is_first_generation(&file) ? " of the first generation (rknn-toolkit 1)" : "");
    tell(user, "kind", kind);
    tell(user, "made for", info.platform[0] != '\0' ? info.platform : "not told");
    tell(user, "toolkit", info.toolkit[0] != '\0' ? info.toolkit : "not told");
    if (nnrt__rknn_is_first_generation(&file)) {
        tell(user, "runtime",
             "librknn_runtime of an older NPU, which nnrt does not use: convert the original model with "
             "rknn-toolkit2 for a chip that it knows");
        return OH_NN_SUCCESS;
    }
    tell(user, "runtime", info.minimum_runtime[0] != '\0' ? info.minimum_runtime : "not told");
    nnrt__rknpu_tell_operators(&file, tell, user);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_RKNPU_INSPECT_H */
