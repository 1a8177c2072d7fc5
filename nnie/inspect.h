/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/inspect.h - recognises a .wk and lists what it says, without a library or a board.   >>nnie_inspect */
#ifndef NNRT_NNIE_INSPECT_H
#define NNRT_NNIE_INSPECT_H

#include "file.h"

/* The name as text: unprintable characters become question marks, and a number distinguishes equal names. text has
   NNRT__WK_NAME_TEXT bytes. */
NNRT__FN void nnrt__wk_name_text(const nnrt__wk_file *file, uint32_t segment, uint32_t index,
                                 const nnrt__nnie_node *node, char *text) {
    const uint32_t twin = nnrt__wk_twin(file, segment, index);
    size_t i;
    for (i = 0; node->name[i] != '\0'; i++) text[i] = node->name[i] > ' ' && node->name[i] < 0x7f ? node->name[i] : '?';
    text[i] = '\0';
    if (twin != 0) nnrt__format(text + i, NNRT__WK_NAME_TEXT - i, "#%u", (unsigned)twin);
}

NNRT__FN void nnrt__wk_tell_node(const nnrt__wk_file *file, uint32_t number, uint32_t index, nnrt_inspect_callback tell,
                                 void *user) {
    static const char *const kinds[6] = {"S32", "U8", "YVU420SP", "YVU422SP", "S32 vector", "S32 sequence"};
    const nnrt__wk_segment *segment = &file->segment[number];
    const bool output = index >= segment->inputs;
    nnrt__nnie_node node;
    char label[24], name[NNRT__WK_NAME_TEXT], shape[64], text[160];
    nnrt__wk_node(file, number, index, &node);
    nnrt__wk_name_text(file, number, index, &node, name);
    if (node.type == NNRT__NNIE_VEC_S32) nnrt__format(shape, sizeof(shape), "%u", (unsigned)node.width);
    else if (node.type == NNRT__NNIE_SEQ_S32)
        nnrt__format(shape, sizeof(shape), "up to %u steps of %u", (unsigned)segment->max_steps, (unsigned)node.width);
    else
        nnrt__format(shape, sizeof(shape), "%u x %u x %u channels", (unsigned)node.height, (unsigned)node.width,
                     (unsigned)node.channels);
    nnrt__format(label, sizeof(label), "%s %u.%u", output ? "output" : "input", (unsigned)number,
                 (unsigned)(output ? index - segment->inputs : index));
    nnrt__format(text, sizeof(text), "%s: %s, %s, %u bytes a %s", name, kinds[node.type], shape,
                 (unsigned)nnrt__wk_frame_size(&node), node.type == NNRT__NNIE_SEQ_S32 ? "step" : "frame");
    tell(user, label, text);
}

NNRT__FN void nnrt__wk_tell_segment(const nnrt__wk_file *file, uint32_t number, nnrt_inspect_callback tell,
                                    void *user) {
    static const char *const types[3] = {"CNN", "CNN with ROI layers", "recurrent"};
    const nnrt__wk_segment *segment = &file->segment[number];
    char label[16], text[128];
    uint32_t i;
    nnrt__format(label, sizeof(label), "segment %u", (unsigned)number);
    nnrt__format(text, sizeof(text), "%s, %u input%s, %u output%s, %u bytes of instructions", types[segment->type],
                 (unsigned)segment->inputs, segment->inputs == 1 ? "" : "s", (unsigned)segment->outputs,
                 segment->outputs == 1 ? "" : "s", (unsigned)segment->instructions_size);
    tell(user, label, text);
    for (i = 0; i < segment->inputs + segment->outputs; i++) nnrt__wk_tell_node(file, number, i, tell, user);
}

/* Slot inspect. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_inspect(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user) {
    nnrt__wk_file file;
    OH_NN_ReturnCode code;
    char text[128];
    uint32_t i;
    if (!nnrt__wk_file_is(bytes, size)) return OH_NN_UNSUPPORTED;
    code = nnrt__wk_read(bytes, size, &file);
    if (code != OH_NN_SUCCESS || tell == NULL) return code;
    tell(user, "kind", file.simulation ? "HiSilicon .wk for the simulation on a PC: chips refuse it" : "HiSilicon .wk");
    nnrt__format(text, sizeof(text), "NNIE %u.%u: %s", (unsigned)(file.architecture >> 8),
                 (unsigned)(file.architecture & 255u), nnrt__wk_chips(file.architecture));
    tell(user, "made for", text);
    nnrt__format(text, sizeof(text), "%u.%u.%u.%u.%u", file.mapper[0], file.mapper[1], file.mapper[2], file.mapper[3],
                 file.mapper[4]);
    tell(user, "mapper", text);
    nnrt__format(text, sizeof(text), "%llu bytes for the model, %u for intermediate values",
                 (unsigned long long)file.size, (unsigned)file.temporary_size);
    tell(user, "memory", text);
    nnrt__format(text, sizeof(text), "%u", (unsigned)file.segments);
    tell(user, "segments", text);
    for (i = 0; i < file.segments; i++) nnrt__wk_tell_segment(&file, i, tell, user);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_NNIE_INSPECT_H */
