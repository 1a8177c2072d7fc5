/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/inspect.h - is this file a .rknn, and what does it tell? Without a runtime or an NPU.   >>rknpu_inspect */
#ifndef NNRT_RKNPU_INSPECT_H
#define NNRT_RKNPU_INSPECT_H

#include "file.h"

/* Does it begin like one? It may be cut off behind that. */
NNRT__FN bool nnrt__rknpu_file_is(const void *bytes, size_t size) {
    return size >= 8 && (memcmp(bytes, "RKNN\0\0\0\0", 8) == 0 || memcmp(bytes, "CYPTRKNN", 8) == 0);
}

/* Slot inspect. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_inspect(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user) {
    nnrt_rknn_model_info info;
    OH_NN_ReturnCode code;
    char kind[64], format[12];
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
    nnrt__format(kind, sizeof(kind), "Rockchip .rknn, format %s", nnrt__rknn_format_name(info.format_version, format));
    tell(user, "kind", kind);
    tell(user, "made for", info.platform[0] != '\0' ? info.platform : "not told");
    tell(user, "toolkit", info.toolkit[0] != '\0' ? info.toolkit : "not told");
    tell(user, "runtime", info.minimum_runtime[0] != '\0' ? info.minimum_runtime : "not told");
    return OH_NN_SUCCESS;
}

#endif /* NNRT_RKNPU_INSPECT_H */
