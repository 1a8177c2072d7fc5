/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/hbm.h - compiled models of X3, J5 and X5: a .hbm, which is also inside a .bin.   >>bpu_hbm

   Marks: S seen in 30 real files, with what libhbrt reports of them; L how libhbrt treats modified files; D documented.
   Numbers are little-endian, offsets in bytes. Offsets in a file count from byte 16, where the header begins; those in
   a model or tensor from its own beginning.

      0  16 chars     "#X2Ahbm#########": three letters say for which BPU (bpu/march.h)                             S
     16  u32 x 3      version of the runtime that it is for: 3.4 and up are taken, also newer ones than the library;
                      3.0 to 3.3 and any other first number are refused                                             SL
     28  32 chars     the same as text, often with a fourth number                                                   S
     60  32 chars     version of the compiler (HBDK) as text; three u32 follow                                       S
    104  u32          168, where the table is                                                                        S
    108  u32          size of the header and all behind it: 16 less than the file                                    S
    112  u32          models; those of a .bin are parts of one                                                       S
    184  u64 x models where each begins; then as many of where the name of each is                                   S

   A model (S), offsets from its begin:

    128  u32          name, which ends with a zero
    164  u32 x 4      instructions: where, how many, bytes, CRC-32 (L)
    188  u32 x 3      weights: where, bytes, CRC-32 (L)
    224  u32 u32      where tensors are described, 100 bytes each, and how many
    272  u32 u32      inputs: where, how many: u64 each, which of the tensors it is
    280  u32 u32      outputs, the same

   A tensor (S), offsets from its begin: 0 u32 name; 16 u32 x 4 dimensions n, h, w, c as stored; 32 u32 x 4 as they are;
   52 u32 element: 1 int8, 2 int16, 3 int32; 56 u32 order: 0 NHWC, 2 NCHW; 60 u32 source of an input: 0 memory, 1
   resizer (D), 2 pyramid.

   All of it is untrusted: every offset is checked before it is used. */
#ifndef NNRT_BPU_HBM_H
#define NNRT_BPU_HBM_H

#include "../core/error.h"
#include "abi.h"
#include "march.h"

#define NNRT__BPU_HBM_HEADER 184u /* up to the table */
#define NNRT__BPU_HBM_BASE 16u    /* offsets count from here */
#define NNRT__BPU_HBM_MODEL 288u  /* bytes of a model that are read */
#define NNRT__BPU_HBM_TENSOR 100u

/* More than any file has; bounds the work. */
#define NNRT__BPU_MAX_PARTS 256u
#define NNRT__BPU_MAX_TENSORS 256u /* inputs, and outputs, of a model */
#define NNRT__BPU_MAX_NAME 1024u   /* bytes of a name, its end included */

/* A text in a file: not terminated, not always printable. */
typedef struct nnrt__bpu_text {
    const uint8_t *bytes;
    size_t length;
} nnrt__bpu_text;

/* Where an input comes from. */
typedef enum nnrt__bpu_source {
    NNRT__BPU_SOURCE_UNKNOWN,
    NNRT__BPU_FROM_MEMORY,
    NNRT__BPU_FROM_PYRAMID, /* a picture from a camera or program */
    NNRT__BPU_FROM_RESIZER  /* a region of a picture, which the BPU scales: roi.h */
} nnrt__bpu_source;

/* What a file says about an input or output. */
typedef struct nnrt__bpu_told {
    nnrt__bpu_text name;
    int32_t element;         /* nnrt__bpu_dnn_type; -1: the file's number is not known */
    nnrt__bpu_text picture;  /* "nv12", "gray", "featuremap" ..., as in the file; length 0: unknown */
    nnrt__bpu_source source; /* of an input */
    uint32_t dims;           /* how many */
    uint64_t dim[NNRT__BPU_DNN_DIMS];
    bool is_stored;     /* what follows is told */
    int32_t order;      /* NNRT__BPU_NHWC, NNRT__BPU_NCHW; NNRT__BPU_NO_ORDER: another one */
    uint32_t stored[4]; /* n, h, w, c */
} nnrt__bpu_told;

typedef struct nnrt__bpu_hbm {
    const uint8_t *bytes;
    uint64_t size;                /* of all of it; more bytes may follow */
    const nnrt__bpu_march *march; /* NULL: its letters are not known */
    char letters[4];
    uint32_t runtime[3];
    char runtime_text[33]; /* "3.15.55.0" */
    char compiler[33];
    uint32_t models;
} nnrt__bpu_hbm;

typedef struct nnrt__bpu_hbm_model {
    nnrt__bpu_text name;
    const uint8_t *at; /* where offsets of it count from */
    uint64_t left;     /* bytes from there to the end */
    uint32_t tensors;
    uint64_t tensors_at;
    uint32_t count[2]; /* inputs, outputs */
    uint64_t list_at[2];
} nnrt__bpu_hbm_model;

/* Does it begin like one? */
NNRT__FN bool nnrt__bpu_hbm_is(const uint8_t *bytes, uint64_t size) {
    return size >= 16 && bytes[0] == '#' && memcmp(bytes + 4, "hbm#########", 12) == 0;
}

NNRT__FN uint64_t nnrt__bpu_read_u64(const uint8_t *from) {
    return (uint64_t)nnrt__read_u32(from) | (uint64_t)nnrt__read_u32(from + 4) << 32;
}

/* Copies the leading printable ASCII of 32 bytes without leading blanks. to has 33. */
NNRT__FN void nnrt__bpu_copy_version(char *to, const uint8_t *from, size_t length) {
    size_t i, used = 0;
    for (i = 0; i < length && from[i] == ' '; i++) continue;
    for (; i < length && used < 32 && from[i] > ' ' && from[i] < 0x7f; i++) to[used++] = (char)from[i];
    to[used] = '\0';
}

/* The text that begins at a byte of size and ends with a zero. false: it does not begin or end there. */
NNRT__FN bool nnrt__bpu_take_text(const uint8_t *bytes, uint64_t size, uint64_t at, nnrt__bpu_text *text) {
    uint64_t most;
    if (at >= size) return false;
    most = size - at < NNRT__BPU_MAX_NAME ? size - at : NNRT__BPU_MAX_NAME;
    text->bytes = bytes + at;
    for (text->length = 0; text->length < most; text->length++)
        if (text->bytes[text->length] == 0) return true;
    return false;
}

/* Whether count items of that size, from at on, lie within the bytes. */
NNRT__FN bool nnrt__bpu_is_inside(uint64_t at, uint64_t count, uint64_t each, uint64_t size) {
    NNRT_ASSERT(each != 0);
    return at <= size && count <= (size - at) / each;
}

/* Model number index. false: the file is damaged there. */
NNRT__FN bool nnrt__bpu_hbm_model_at(const nnrt__bpu_hbm *hbm, uint32_t index, nnrt__bpu_hbm_model *model) {
    const uint8_t *base = hbm->bytes + NNRT__BPU_HBM_BASE;
    const uint64_t size = hbm->size - NNRT__BPU_HBM_BASE;
    const uint64_t at = nnrt__bpu_read_u64(hbm->bytes + NNRT__BPU_HBM_HEADER + (size_t)index * 8);
    uint32_t i;
    NNRT_ASSERT(index < hbm->models);
    memset(model, 0, sizeof(*model));
    if (!nnrt__bpu_is_inside(at, 1, NNRT__BPU_HBM_MODEL, size)) return false;
    model->at = base + at;
    model->left = size - at;
    if (!nnrt__bpu_take_text(model->at, model->left, nnrt__read_u32(model->at + 128), &model->name)) return false;
    model->tensors_at = nnrt__read_u32(model->at + 224);
    model->tensors = nnrt__read_u32(model->at + 228);
    if (!nnrt__bpu_is_inside(model->tensors_at, model->tensors, NNRT__BPU_HBM_TENSOR, model->left)) return false;
    for (i = 0; i < 2; i++) {
        model->list_at[i] = nnrt__read_u32(model->at + 272 + (size_t)i * 8);
        model->count[i] = nnrt__read_u32(model->at + 276 + (size_t)i * 8);
        if (model->count[i] > NNRT__BPU_MAX_TENSORS ||
            !nnrt__bpu_is_inside(model->list_at[i], model->count[i], 8, model->left))
            return false;
    }
    return true;
}

/* Input (which 0) or output (1) number index of a model. false: the file is damaged there. */
NNRT__FN bool nnrt__bpu_hbm_tensor(const nnrt__bpu_hbm_model *model, uint32_t which, uint32_t index,
                                   nnrt__bpu_told *told) {
    static const int32_t elements[4] = {-1, NNRT__BPU_DNN_S8, NNRT__BPU_DNN_S16, NNRT__BPU_DNN_S32};
    static const nnrt__bpu_source sources[3] = {NNRT__BPU_FROM_MEMORY, NNRT__BPU_FROM_RESIZER, NNRT__BPU_FROM_PYRAMID};
    const uint64_t number = nnrt__bpu_read_u64(model->at + model->list_at[which] + (size_t)index * 8);
    const uint8_t *from;
    uint64_t at;
    uint32_t i, value;
    NNRT_ASSERT(which < 2 && index < model->count[which]);
    memset(told, 0, sizeof(*told));
    if (number >= model->tensors) return false;
    at = model->tensors_at + number * NNRT__BPU_HBM_TENSOR;
    from = model->at + at;
    if (!nnrt__bpu_take_text(from, model->left - at, nnrt__read_u32(from), &told->name)) return false;
    value = nnrt__read_u32(from + 52);
    told->element = value < NNRT__COUNT_OF(elements) ? elements[value] : -1;
    value = nnrt__read_u32(from + 56);
    told->order = value == NNRT__BPU_NHWC || value == NNRT__BPU_NCHW ? (int32_t)value : NNRT__BPU_NO_ORDER;
    value = nnrt__read_u32(from + 60);
    if (which == 0 && value < NNRT__COUNT_OF(sources)) told->source = sources[value];
    told->dims = 4;
    told->is_stored = true;
    for (i = 0; i < 4; i++) {
        told->stored[i] = nnrt__read_u32(from + 16 + (size_t)i * 4);
        told->dim[i] = nnrt__read_u32(from + 32 + (size_t)i * 4);
    }
    return true;
}

/* Checks all models with their inputs and outputs, of what ("the .hbm file"). */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_hbm_check_models(const nnrt__bpu_hbm *hbm, const char *what) {
    nnrt__bpu_hbm_model model;
    nnrt__bpu_told told;
    uint32_t i, which, k;
    for (i = 0; i < hbm->models; i++) {
        if (!nnrt__bpu_hbm_model_at(hbm, i, &model))
            return nnrt__fail(OH_NN_INVALID_FILE, "%s is damaged: model %u of %u does not lie within its %llu bytes",
                              what, (unsigned)i, (unsigned)hbm->models, (unsigned long long)hbm->size);
        for (which = 0; which < 2; which++)
            for (k = 0; k < model.count[which]; k++)
                if (!nnrt__bpu_hbm_tensor(&model, which, k, &told))
                    return nnrt__fail(
                        OH_NN_INVALID_FILE, "%s is damaged: %s %u of model %u does not lie within its %llu bytes", what,
                        which == 0 ? "input" : "output", (unsigned)k, (unsigned)i, (unsigned long long)hbm->size);
    }
    return OH_NN_SUCCESS;
}

/* Checks everything of what ("the .hbm file", for sentences) that is read later. bytes, in any alignment, are the
   caller's and must stay as long as hbm is used. OH_NN_INVALID_FILE, with a sentence: it is damaged. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_hbm_read(const uint8_t *bytes, uint64_t size, const char *what,
                                             nnrt__bpu_hbm *hbm) {
    memset(hbm, 0, sizeof(*hbm));
    if (size < NNRT__BPU_HBM_HEADER)
        return nnrt__fail(OH_NN_INVALID_FILE, "%s is cut off: it has %llu bytes, and its header %u", what,
                          (unsigned long long)size, NNRT__BPU_HBM_HEADER);
    hbm->bytes = bytes;
    hbm->size = (uint64_t)nnrt__read_u32(bytes + 108) + NNRT__BPU_HBM_BASE;
    hbm->march = nnrt__bpu_march_of_letters(bytes + 1);
    nnrt__bpu_copy_version(hbm->letters, bytes + 1, 3);
    hbm->runtime[0] = nnrt__read_u32(bytes + 16);
    hbm->runtime[1] = nnrt__read_u32(bytes + 20);
    hbm->runtime[2] = nnrt__read_u32(bytes + 24);
    nnrt__bpu_copy_version(hbm->runtime_text, bytes + 28, 32);
    nnrt__bpu_copy_version(hbm->compiler, bytes + 60, 32);
    hbm->models = nnrt__read_u32(bytes + 112);
    if (hbm->size > size)
        return nnrt__fail(OH_NN_INVALID_FILE, "%s is cut off: it has %llu bytes, and its header speaks of %llu", what,
                          (unsigned long long)size, (unsigned long long)hbm->size);
    if (nnrt__read_u32(bytes + 104) != NNRT__BPU_HBM_HEADER - NNRT__BPU_HBM_BASE)
        return nnrt__fail(OH_NN_INVALID_FILE, "%s is damaged: its table begins at byte %u, and has to at %u", what,
                          (unsigned)nnrt__read_u32(bytes + 104), NNRT__BPU_HBM_HEADER - NNRT__BPU_HBM_BASE);
    if (hbm->models == 0 || hbm->models > NNRT__BPU_MAX_PARTS ||
        !nnrt__bpu_is_inside(NNRT__BPU_HBM_HEADER, hbm->models, 16, hbm->size))
        return nnrt__fail(OH_NN_INVALID_FILE, "%s is damaged: it has %u models in %llu bytes, and may have 1 to %u",
                          what, (unsigned)hbm->models, (unsigned long long)hbm->size, NNRT__BPU_MAX_PARTS);
    return nnrt__bpu_hbm_check_models(hbm, what);
}

/* Compares the checksums of every model's instructions and weights. Reads all of them: seconds for a large file.
   OH_NN_INVALID_FILE, with a sentence: they are damaged. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_hbm_check_sums(const nnrt__bpu_hbm *hbm, const char *what) {
    /* where, length, CRC-32 */
    static const uint16_t places[2][3] = {{164, 172, 176}, {188, 192, 196}};
    nnrt__bpu_hbm_model model;
    uint32_t i, k;
    for (i = 0; i < hbm->models && nnrt__bpu_hbm_model_at(hbm, i, &model); i++) {
        for (k = 0; k < 2; k++) {
            const uint32_t at = nnrt__read_u32(model.at + places[k][0]),
                           length = nnrt__read_u32(model.at + places[k][1]);
            const uint32_t told = nnrt__read_u32(model.at + places[k][2]);
            uint32_t computed;
            if (!nnrt__bpu_is_inside(at, length, 1, model.left))
                return nnrt__fail(OH_NN_INVALID_FILE,
                                  "%s is damaged: %u bytes from byte %u on of model %u do not lie within it", what,
                                  (unsigned)length, (unsigned)at, (unsigned)i);
            computed = nnrt__crc32(0, model.at + at, length);
            if (computed != told)
                return nnrt__fail(OH_NN_INVALID_FILE,
                                  "%s is damaged: its checksum of %s is 0x%x, and the bytes give 0x%x: transfer it "
                                  "again",
                                  what, k == 0 ? "instructions" : "weights", (unsigned)told, (unsigned)computed);
        }
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_BPU_HBM_H */
