/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/file.h - reads a .wk, a model of HiSilicon's NNIE, without a library or a board.   >>nnie_file

   Marks: S seen in twelve real files; L what the vendor's library (Hi3516CV500, 2.0.0 to 2.0.2) does with files that
   were changed; D documented; A assumed. Numbers are little-endian, offsets in bytes.

      0  u32        CRC-32 of the bytes from 4 to the end of the payload, begun with 0 instead of all ones           SL
      4  u32        length of the payload and 64 for each node; nobody reads it                                      S
      8  u32        192, where segments begin                                                                        S
     12  u32        bytes of memory for intermediate values (TmpBuf); 0 is refused                                   SL
     16  u8 u8      version of the model, 1.1: any other is refused                                                  SL
     18  u8 u8      version of the NNIE: 1.2 or 1.1; each library takes only its own                                 SL
     24  u8 x 5     version of the mapper, which made the file                                                       S
     32  14-16 chars  digits; the same in all files of one version of the mapper                                     S
     48  u8         0: for a chip; 1: for the simulation on a PC, which a chip refuses (no such file was seen)       LD
     49  u8         segments, 1 to 8                                                                                 SL
     52  u32        length of the header, which ends with the last node                                              S
     56  u32        length of the payload behind it                                                                  SL
     64  (u32 u32 8 bytes) x 7  parts of the payload: offset from the end of the header, length                      S
    176  u32 u32    the same of the records of layers, 48 bytes each, which follow the payload; no CRC covers them   S
    192  segments   u8 type of net, u8 inputs, u8 outputs, u8 ROI layers, u16 most steps, u16, u32 offset and u32
                    length of its instructions; then its inputs and its outputs, a node each                         SL
         node       u32 height, u32 width, u32 channels, u16 mode, u16 kind of image, 32 bytes of name,
                    16 bytes that nobody reads                                                                       SL

   What a node is (L; S for maps, vectors and U8): an input of mode 1 is a vector, else its kind of image says S32 (0),
   U8 (1), YVU420SP (3) or YVU422SP (5). An output of mode 1 is a map, of mode 0 a vector. A vector of n elements is
   kept as n channels. In a recurrent segment the first input is a sequence of channels elements; outputs have mode 1
   and keep their elements as height: a sequence where the u16 at 14 is 1, else a vector.

   Faults that the library would report only at first use are refused here: the checks include those of GetTskBufSize,
   except for the sizes of pictures, which depend on the chip, and ROI layers, whose descriptions are not read (no file
   with them was seen). All of the file is untrusted: every length is checked before it is used. */
#ifndef NNRT_NNIE_FILE_H
#define NNRT_NNIE_FILE_H

#include "../core/foreign.h"
#include "abi.h"

#define NNRT__WK_HEADER 192u /* up to the segments */
#define NNRT__WK_SEGMENT 16u
#define NNRT__WK_NODE 64u
#define NNRT__WK_LAYER 48u

/* Bytes of a name with the number that distinguishes equal ones, "NAME#16", and its 0. */
#define NNRT__WK_NAME_TEXT (NNRT__NNIE_MAX_NAME + 4)

/* The versions of the NNIE. */
#define NNRT__WK_FOR_HI3559A 0x0101u
#define NNRT__WK_FOR_HI3516C 0x0102u

typedef struct nnrt__wk_segment {
    nnrt__nnie_net_type type;
    uint32_t inputs;
    uint32_t outputs;
    uint32_t roi_layers;
    uint32_t max_steps;    /* of a sequence, if it is recurrent */
    uint32_t instructions; /* offset in the payload */
    uint32_t instructions_size;
    uint32_t nodes; /* offset in the file */
} nnrt__wk_segment;

typedef struct nnrt__wk_file {
    const uint8_t *bytes;
    uint64_t size; /* according to the header; the file may be longer */
    uint32_t header_size;
    uint32_t payload_size;
    uint32_t layers_size;
    uint32_t temporary_size;
    uint32_t architecture; /* version of the NNIE, 0x0102: 1.2 */
    uint8_t mapper[5];
    bool simulation;
    uint32_t segments;
    nnrt__wk_segment segment[NNRT__NNIE_MAX_SEGMENTS];
} nnrt__wk_file;

/* Whether it begins like one. The rest may be damaged or missing. */
NNRT__FN bool nnrt__wk_file_is(const void *bytes, size_t size) {
    const uint8_t *file = (const uint8_t *)bytes;
    return size >= 20 && nnrt__read_u32(file + 8) == NNRT__WK_HEADER && file[16] == 1 && file[18] == 1;
}

/* The chips with a version of the NNIE; NULL: unknown. */
NNRT__FN const char *nnrt__wk_chips(uint32_t architecture) {
    if (architecture == NNRT__WK_FOR_HI3559A) return "Hi3559AV100";
    if (architecture == NNRT__WK_FOR_HI3516C) return "Hi3516CV500, Hi3516DV300, Hi3516AV300, Hi3559V200, Hi3519AV100";
    return NULL;
}

/* --------------------------------------------------------------------------------------------------- nodes */

/* Makes node a vector, or the step of a sequence, of that many elements. */
NNRT__FN void nnrt__wk_set_row(nnrt__nnie_node *node, nnrt__nnie_blob_type type, uint32_t elements) {
    node->type = type;
    node->width = elements;
    node->height = 1;
    node->channels = 1;
}

/* Interprets the node at at, which still has the file's width, height and channels. NULL: valid; otherwise what is
   wrong. */
NNRT__FN const char *nnrt__wk_interpret(const uint8_t *at, nnrt__nnie_net_type net, bool output, uint32_t index,
                                        nnrt__nnie_node *node) {
    /* [kind of image]; 2 and 4 are none */
    static const nnrt__nnie_blob_type kinds[6] = {NNRT__NNIE_S32,      NNRT__NNIE_U8,  NNRT__NNIE_S32,
                                                  NNRT__NNIE_YVU420SP, NNRT__NNIE_S32, NNRT__NNIE_YVU422SP};
    const uint32_t mode = nnrt__read_u16(at + 12), image = nnrt__read_u16(at + 14);
    const bool recurrent = net == NNRT__NNIE_NET_RECURRENT;
    if (!output && (image >= NNRT__COUNT_OF(kinds) || image == 2 || image == 4))
        return "its kind of image is not known";
    if (output && (mode > 1 || (recurrent && mode != 1))) return "its mode is not known";
    if (recurrent && output)
        nnrt__wk_set_row(node, nnrt__read_u16(at + 14) == 1 ? NNRT__NNIE_SEQ_S32 : NNRT__NNIE_VEC_S32, node->height);
    else if (recurrent && index == 0) nnrt__wk_set_row(node, NNRT__NNIE_SEQ_S32, node->channels);
    else if (mode == (output ? 0 : 1)) {
        if (node->height != 1 || node->width != 1) return "a vector has height and width 1";
        nnrt__wk_set_row(node, NNRT__NNIE_VEC_S32, node->channels);
    } else node->type = output ? NNRT__NNIE_S32 : kinds[image];
    if (node->width == 0 || node->height == 0 || node->channels == 0) return "a dimension is 0";
    if (node->type == NNRT__NNIE_U8 && node->channels != 1 && node->channels != 3)
        return "a picture has 1 or 3 channels";
    if ((node->type == NNRT__NNIE_YVU420SP || node->type == NNRT__NNIE_YVU422SP) && node->channels != 3)
        return "a YVU picture has 3 channels";
    return NULL;
}

/* Node index of the segment, inputs first, as LoadModel describes it, except that id is 0; the name is cut to 31 bytes
   and padded with 0. NULL: valid. */
NNRT__FN const char *nnrt__wk_take_node(const nnrt__wk_file *file, const nnrt__wk_segment *segment, uint32_t index,
                                        nnrt__nnie_node *node) {
    const uint8_t *at = file->bytes + segment->nodes + (size_t)index * NNRT__WK_NODE;
    const bool output = index >= segment->inputs;
    size_t i;
    NNRT_ASSERT(index < segment->inputs + segment->outputs);
    NNRT_ASSERT(segment->nodes + (index + 1) * NNRT__WK_NODE <= file->header_size);
    memset(node, 0, sizeof(*node));
    node->height = nnrt__read_u32(at);
    node->width = nnrt__read_u32(at + 4);
    node->channels = nnrt__read_u32(at + 8);
    for (i = 0; i + 1 < sizeof(node->name) && at[16 + i] != 0; i++) node->name[i] = (char)at[16 + i];
    return nnrt__wk_interpret(at, segment->type, output, output ? index - segment->inputs : index, node);
}

/* The same for a file that nnrt__wk_read has accepted. */
NNRT__FN void nnrt__wk_node(const nnrt__wk_file *file, uint32_t segment, uint32_t index, nnrt__nnie_node *node) {
    const char *wrong = nnrt__wk_take_node(file, &file->segment[segment], index, node);
    NNRT_ASSERT(segment < file->segments && wrong == NULL);
    (void)wrong;
}

/* Its number among the segment's inputs or outputs of the same name, from 1; 0: its name is unique. The mapper makes
   equal names by cutting them. */
NNRT__FN uint32_t nnrt__wk_twin(const nnrt__wk_file *file, uint32_t segment, uint32_t index) {
    const nnrt__wk_segment *at = &file->segment[segment];
    const uint32_t begin = index < at->inputs ? 0 : at->inputs;
    const uint32_t end = index < at->inputs ? at->inputs : at->inputs + at->outputs;
    uint32_t i, equal = 0, before = 0;
    nnrt__nnie_node node, other;
    nnrt__wk_node(file, segment, index, &node);
    for (i = begin; i < end; i++) {
        nnrt__wk_node(file, segment, i, &other);
        if (memcmp(node.name, other.name, sizeof(node.name)) != 0) continue;
        equal++;
        before += i < index;
    }
    return equal > 1 ? before + 1 : 0;
}

/* Bytes of one frame, or of one step of a sequence, with rows at multiples of 16; 0: more than an uint32 says. */
NNRT__FN uint32_t nnrt__wk_frame_size(const nnrt__nnie_node *node) {
    const bool picture =
        node->type == NNRT__NNIE_U8 || node->type == NNRT__NNIE_YVU420SP || node->type == NNRT__NNIE_YVU422SP;
    const uint64_t stride = ((uint64_t)node->width * (picture ? 1 : 4) + 15) / 16 * 16;
    uint64_t rows = node->height, all;
    if (node->type == NNRT__NNIE_YVU420SP) rows += rows / 2;
    else if (node->type == NNRT__NNIE_YVU422SP) rows *= 2;
    else rows *= node->channels;
    all = stride * rows;
    return stride > UINT32_MAX || rows > UINT32_MAX || all > UINT32_MAX ? 0 : (uint32_t)all;
}

/* ------------------------------------------------------------------------------------------------ the file */

NNRT__FN OH_NN_ReturnCode nnrt__wk_check_node(const nnrt__wk_file *file, uint32_t number, uint32_t index) {
    const nnrt__wk_segment *segment = &file->segment[number];
    const bool output = index >= segment->inputs;
    nnrt__nnie_node node;
    const char *wrong = nnrt__wk_take_node(file, segment, index, &node);
    const uint8_t *at = file->bytes + segment->nodes + (size_t)index * NNRT__WK_NODE;
    if (wrong == NULL && nnrt__wk_frame_size(&node) == 0) wrong = "it takes 4 GiB or more";
    if (wrong == NULL) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_FILE,
                      "the .wk file is damaged: %s %u of segment %u has height %u, width %u, channels %u, mode %u and "
                      "image %u: %s",
                      output ? "output" : "input", (unsigned)(output ? index - segment->inputs : index),
                      (unsigned)number, (unsigned)nnrt__read_u32(at), (unsigned)nnrt__read_u32(at + 4),
                      (unsigned)nnrt__read_u32(at + 8), nnrt__read_u16(at + 12), nnrt__read_u16(at + 14), wrong);
}

/* Reads the segment at *at of the file; *at moves past its nodes. */
NNRT__FN OH_NN_ReturnCode nnrt__wk_read_segment(nnrt__wk_file *file, uint32_t number, uint32_t *at) {
    nnrt__wk_segment *segment = &file->segment[number];
    const uint8_t *from = file->bytes + *at;
    uint32_t i, nodes;
    NNRT_ASSERT(number < NNRT__NNIE_MAX_SEGMENTS && *at <= file->header_size);
    if (file->header_size - *at < NNRT__WK_SEGMENT)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is damaged: segment %u of %u begins at byte %u, and the header ends at %u",
                          (unsigned)number, (unsigned)file->segments, (unsigned)*at, (unsigned)file->header_size);
    if (from[0] > NNRT__NNIE_NET_RECURRENT)
        return nnrt__fail(
            OH_NN_INVALID_FILE,
            "the .wk file is damaged: segment %u is of type %u, and there are 0 to 2: CNN, ROI, recurrent",
            (unsigned)number, from[0]);
    segment->type = (nnrt__nnie_net_type)from[0];
    segment->inputs = from[1];
    segment->outputs = from[2];
    segment->roi_layers = from[3];
    segment->max_steps = nnrt__read_u16(from + 4);
    segment->instructions = nnrt__read_u32(from + 8);
    segment->instructions_size = nnrt__read_u32(from + 12);
    segment->nodes = *at + NNRT__WK_SEGMENT;
    if (segment->inputs == 0 || segment->inputs > NNRT__NNIE_MAX_IO || segment->outputs == 0 ||
        segment->outputs > NNRT__NNIE_MAX_IO)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is damaged: segment %u has %u inputs and %u outputs, and may have 1 to %d of "
                          "each",
                          (unsigned)number, (unsigned)segment->inputs, (unsigned)segment->outputs, NNRT__NNIE_MAX_IO);
    if (segment->type == NNRT__NNIE_NET_ROI &&
        (segment->roi_layers == 0 || segment->roi_layers > NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS))
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is damaged: segment %u has %u ROI layers, and may have 1 to %d",
                          (unsigned)number, (unsigned)segment->roi_layers, NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS);
    if (segment->type == NNRT__NNIE_NET_RECURRENT &&
        (segment->max_steps == 0 || segment->max_steps > NNRT__NNIE_MAX_STEPS))
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is damaged: segment %u is for up to %u steps, and may be for 1 to %d",
                          (unsigned)number, (unsigned)segment->max_steps, NNRT__NNIE_MAX_STEPS);
    if (segment->instructions == 0 || segment->instructions_size == 0 || segment->instructions > file->payload_size ||
        segment->instructions_size > file->payload_size - segment->instructions)
        return nnrt__fail(
            OH_NN_INVALID_FILE,
            "the .wk file is damaged: segment %u has %u bytes of instructions from byte %u on of a payload "
            "of %u",
            (unsigned)number, (unsigned)segment->instructions_size, (unsigned)segment->instructions,
            (unsigned)file->payload_size);
    nodes = segment->inputs + segment->outputs;
    if ((file->header_size - segment->nodes) / NNRT__WK_NODE < nodes)
        return nnrt__fail(
            OH_NN_INVALID_FILE,
            "the .wk file is damaged: the %u nodes of segment %u begin at byte %u, and the header ends at "
            "%u",
            (unsigned)nodes, (unsigned)number, (unsigned)segment->nodes, (unsigned)file->header_size);
    for (i = 0; i < nodes; i++) {
        const OH_NN_ReturnCode code = nnrt__wk_check_node(file, number, i);
        if (code != OH_NN_SUCCESS) return code;
    }
    *at = segment->nodes + nodes * NNRT__WK_NODE;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__wk_read_segments(nnrt__wk_file *file) {
    uint32_t i, outputs = 0, at = NNRT__WK_HEADER;
    if (file->segments == 0 || file->segments > NNRT__NNIE_MAX_SEGMENTS)
        return nnrt__fail(OH_NN_INVALID_FILE, "the .wk file is damaged: it has %u segments, and may have 1 to %d",
                          (unsigned)file->segments, NNRT__NNIE_MAX_SEGMENTS);
    for (i = 0; i < file->segments; i++) {
        const OH_NN_ReturnCode code = nnrt__wk_read_segment(file, i, &at);
        if (code != OH_NN_SUCCESS) return code;
        outputs += file->segment[i].outputs;
    }
    if (file->layers_size / NNRT__WK_LAYER < outputs)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is damaged: its %u outputs need %u bytes of layers, and it has %u",
                          (unsigned)outputs, (unsigned)(outputs * NNRT__WK_LAYER), (unsigned)file->layers_size);
    if (at != file->header_size)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is damaged: its segments end at byte %u, and its header at %u", (unsigned)at,
                          (unsigned)file->header_size);
    return OH_NN_SUCCESS;
}

/* Refuses unknown versions, because the rest is only known for these. */
NNRT__FN OH_NN_ReturnCode nnrt__wk_check_versions(const nnrt__wk_file *file) {
    const uint8_t *bytes = file->bytes;
    if (bytes[16] != 1 || bytes[17] != 1)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is of version %u.%u, and 1.1 is the one that libraries take: it is damaged, or "
                          "of another family of chips",
                          bytes[16], bytes[17]);
    if (nnrt__wk_chips(file->architecture) == NULL)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file was made for NNIE %u.%u, and 1.1 (Hi3559AV100) and 1.2 (Hi3516CV500, "
                          "Hi3519AV100) are known: it is damaged, or of another family of chips",
                          bytes[18], bytes[19]);
    if (bytes[48] > NNRT__NNIE_RUN_SIMULATION)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is damaged: its run mode is %u, and there are 0 (chip) and 1 (simulation)",
                          bytes[48]);
    return OH_NN_SUCCESS;
}

/* Checks that header, payload and layer records lie within the file, and the checksum. */
NNRT__FN OH_NN_ReturnCode nnrt__wk_check_lengths(const nnrt__wk_file *file, size_t size) {
    const uint64_t covered = (uint64_t)file->header_size + file->payload_size;
    uint32_t told, computed;
    if (file->header_size < NNRT__WK_HEADER)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is damaged: its header ends at byte %u, and has at least %u",
                          (unsigned)file->header_size, NNRT__WK_HEADER);
    if (file->size < covered)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is damaged: its layers end at byte %llu, and the payload before them at %llu",
                          (unsigned long long)file->size, (unsigned long long)covered);
    if (file->size > size)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is cut off: it has %zu bytes, and its header speaks of %llu", size,
                          (unsigned long long)file->size);
    told = nnrt__read_u32(file->bytes);
    computed = nnrt__crc32(UINT32_MAX, file->bytes + 4, (size_t)covered - 4);
    if (told != computed)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .wk file is damaged: its checksum is 0x%x, and its bytes give 0x%x: transfer it again",
                          (unsigned)told, (unsigned)computed);
    return OH_NN_SUCCESS;
}

/* Checks all of the file except the bytes of the payload, and fills in file. nnrt__wk_node reads bytes, in any
   alignment, too. OH_NN_INVALID_FILE, with a sentence: it is no .wk, or damaged. */
NNRT__FN OH_NN_ReturnCode nnrt__wk_read(const void *bytes, size_t size, nnrt__wk_file *file) {
    const uint8_t *from = (const uint8_t *)bytes;
    char looks[NNRT__FOREIGN_SIZE];
    OH_NN_ReturnCode code;
    memset(file, 0, sizeof(*file));
    if (!nnrt__wk_file_is(bytes, size))
        return nnrt__fail(OH_NN_INVALID_FILE, "the model is no .wk file: %s", nnrt__foreign_say(bytes, size, looks));
    if (size < NNRT__WK_HEADER)
        return nnrt__fail(OH_NN_INVALID_FILE, "the .wk file is cut off: it has %zu bytes, and its header at least %u",
                          size, NNRT__WK_HEADER);
    file->bytes = from;
    file->temporary_size = nnrt__read_u32(from + 12);
    file->architecture = (uint32_t)from[18] << 8 | from[19];
    memcpy(file->mapper, from + 24, sizeof(file->mapper));
    file->simulation = from[48] == NNRT__NNIE_RUN_SIMULATION;
    file->segments = from[49];
    file->header_size = nnrt__read_u32(from + 52);
    file->payload_size = nnrt__read_u32(from + 56);
    file->layers_size = nnrt__read_u32(from + 180);
    file->size = (uint64_t)file->header_size + nnrt__read_u32(from + 176) + file->layers_size;
    code = nnrt__wk_check_versions(file);
    if (code == OH_NN_SUCCESS) code = nnrt__wk_check_lengths(file, size);
    if (code == OH_NN_SUCCESS && file->temporary_size == 0)
        code = nnrt__fail(OH_NN_INVALID_FILE, "the .wk file is damaged: it asks for 0 bytes of intermediate memory");
    return code == OH_NN_SUCCESS ? nnrt__wk_read_segments(file) : code;
}

#endif /* NNRT_NNIE_FILE_H */
