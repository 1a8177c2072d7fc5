/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/inspect.h - recognises Horizon's .bin and .hbm and lists what they say, without a library or a
   board.   >>bpu_inspect */
#ifndef NNRT_BPU_INSPECT_H
#define NNRT_BPU_INSPECT_H

#include "file.h"

#define NNRT__BPU_SHOWN 100u /* longest name; longer ones are cut in the middle */

/* The bytes as text of size characters: unprintable ones become question marks, and an empty text "-". */
NNRT__FN const char *nnrt__bpu_show(nnrt__bpu_text from, char *text, size_t size) {
    size_t i;
    for (i = 0; i < from.length && i + 1 < size; i++)
        text[i] = from.bytes[i] > ' ' && from.bytes[i] < 0x7f ? (char)from.bytes[i] : '?';
    text[i] = '\0';
    return i != 0 ? text : "-";
}

/* " x "-separated, to text of 176 bytes. */
NNRT__FN const char *nnrt__bpu_show_dims(const uint64_t *dims, uint32_t count, char *text) {
    size_t used = 0;
    uint32_t i;
    text[0] = '\0';
    for (i = 0; i < count; i++) {
        nnrt__format(text + used, 176 - used, "%s%lld", i == 0 ? "" : " x ", (long long)dims[i]);
        used += strlen(text + used);
    }
    return count != 0 ? text : "a scalar";
}

NNRT__FN const char *nnrt__bpu_element_text(int32_t element) {
    static const char *const names[NNRT__BPU_DNN_TYPES] = {"Y",      "NV12",    "NV12 in two memories",
                                                           "YUV444", "RGB",     "BGR",
                                                           "int4",   "uint4",   "int8",
                                                           "uint8",  "float16", "int16",
                                                           "uint16", "float32", "int32",
                                                           "uint32", "float64", "int64",
                                                           "uint64"};
    return element >= 0 && element < (int32_t)NNRT__BPU_DNN_TYPES ? names[element] : "type not known";
}

NNRT__FN void nnrt__bpu_tell_tensor(const char *label, const nnrt__bpu_told *told, nnrt_inspect_callback tell,
                                    void *user) {
    static const char *const sources[4] = {"", ", from memory", ", from the pyramid", ", from the resizer"};
    char name[NNRT__BPU_MAX_NAME], picture[24], shape[176], stored[176], end[224], text[768];
    const char *kind = nnrt__bpu_element_text(told->element);
    uint64_t dims[4];
    uint32_t i;
    if (told->picture.length != 0 && !nnrt__bpu_text_is(told->picture, "featuremap"))
        kind = nnrt__bpu_show(told->picture, picture, sizeof(picture));
    if (told->is_stored && told->source == NNRT__BPU_FROM_PYRAMID) kind = told->dim[3] == 1 ? "gray" : "nv12";
    end[0] = '\0';
    if (told->is_stored && told->source != NNRT__BPU_FROM_PYRAMID) {
        for (i = 0; i < 4; i++) dims[i] = told->stored[i];
        nnrt__format(end, sizeof(end), ", stored as %s", nnrt__bpu_show_dims(dims, 4, stored));
    }
    nnrt__format(text, sizeof(text), "%.100s: %s, %s%s%s", nnrt__bpu_show(told->name, name, sizeof(name)), kind,
                 nnrt__bpu_show_dims(told->dim, told->dims, shape), end, sources[told->source]);
    tell(user, label, text);
}

NNRT__FN void nnrt__bpu_tell_model(const nnrt__bpu_file *file, uint32_t index, nnrt_inspect_callback tell, void *user) {
    const uint32_t twin = nnrt__bpu_file_twin(file, index);
    char name[NNRT__BPU_MAX_NAME], label[32], same[48], text[256];
    nnrt__bpu_file_model model;
    nnrt__bpu_told told;
    uint32_t which, i;
    nnrt__bpu_file_model_at(file, index, &model);
    same[0] = '\0';
    if (twin != file->models) nnrt__format(same, sizeof(same), "; model %u has the same name", (unsigned)twin);
    nnrt__format(label, sizeof(label), "model %u", (unsigned)index);
    nnrt__format(text, sizeof(text), "%.100s, %u input%s, %u output%s, %u part%s for the BPU%s",
                 nnrt__bpu_show(model.name, name, sizeof(name)), (unsigned)model.count[0],
                 model.count[0] == 1 ? "" : "s", (unsigned)model.count[1], model.count[1] == 1 ? "" : "s",
                 (unsigned)model.parts, model.parts == 1 ? "" : "s", same);
    tell(user, label, text);
    for (which = 0; which < 2; which++) {
        for (i = 0; i < model.count[which]; i++) {
            nnrt__bpu_file_tensor(file, &model, which, i, &told);
            nnrt__format(label, sizeof(label), "%s %u.%u", which == 0 ? "input" : "output", (unsigned)index,
                         (unsigned)i);
            nnrt__bpu_tell_tensor(label, &told, tell, user);
        }
    }
}

/* Slot inspect. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_inspect(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user) {
    static const char *const kinds[3] = {"Horizon .bin", "Horizon .hbm", "Horizon .hbm of the UCP libraries"};
    nnrt__bpu_file file;
    OH_NN_ReturnCode code;
    char text[160];
    uint32_t i;
    if (!nnrt__bpu_file_is(bytes, size)) return OH_NN_UNSUPPORTED;
    code = nnrt__bpu_file_read(bytes, size, &file);
    if (code != OH_NN_SUCCESS || tell == NULL) return code;
    code = nnrt__bpu_file_check_sums(&file);
    if (code != OH_NN_SUCCESS) return code;
    tell(user, "kind", kinds[file.kind]);
    nnrt__format(text, sizeof(text), "%s%s%s", file.march_text, file.march != NULL ? ": " : "",
                 file.march != NULL ? file.march->chips : "");
    tell(user, "made for", text[0] != '\0' ? text : "not told: S100, S100P or S600");
    if (file.runtime[0] != '\0') tell(user, "runtime", file.runtime);
    if (file.compiler[0] != '\0') tell(user, "compiler", file.compiler);
    if (file.builder[0] != '\0') tell(user, "builder", file.builder);
    nnrt__format(text, sizeof(text), "%u", (unsigned)file.models);
    tell(user, "models", file.models != 0 ? text : "only the library can say");
    for (i = 0; i < file.models; i++) nnrt__bpu_tell_model(&file, i, tell, user);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_BPU_INSPECT_H */
