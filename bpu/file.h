/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/file.h - reads what a .bin or .hbm says about itself, without a library or a board.   >>bpu_file

     .bin   X3, J5, X5: a message of protobuf, which has a .hbm inside (bpu/bin.h)
     .hbm   X3, J5, X5: "#X2Ahbm#########", "#B25hbm..." or "#B2Ehbm..." (bpu/hbm.h)
     .hbm   S100, S600: an ELF file with sections .horizon.*. Their contents are unknown; the name of the BPU is
            searched in these sections, and unknown unless there is exactly one

   A library has one code for most faults of a file, accepts some files of another BPU, and prints. So nnrt reads a file
   before the library sees it. The reasons for refusing are the library's: another BPU, another kind of library, wrong
   lengths, a version below 3.4 or from 4 on (nine libraries of X3, J5, Ultra and X5 agree). A file newer than the
   library is not refused.

   Nothing is allocated, and only the requested parts are read: a mapped file of any size costs a few pages, except in
   nnrt__bpu_file_check_sums. All of it is untrusted. */
#ifndef NNRT_BPU_FILE_H
#define NNRT_BPU_FILE_H

#include "../core/foreign.h"
#include "bin.h"

#define NNRT__BPU_ELF_HEADER 64u
#define NNRT__BPU_ELF_SECTION 64u
#define NNRT__BPU_ELF_LOOK (1u << 20) /* bytes of a section that are searched */

typedef enum nnrt__bpu_kind {
    NNRT__BPU_BIN,
    NNRT__BPU_HBM,
    NNRT__BPU_ELF_HBM
} nnrt__bpu_kind;

/* A file that nnrt__bpu_file_read has accepted; its bytes are the caller's and must stay. */
typedef struct nnrt__bpu_file {
    nnrt__bpu_kind kind;
    nnrt__bpu_text bytes;
    const nnrt__bpu_march *march; /* NULL: not told, or not known */
    char march_text[33];          /* "bayes-e"; "": the file does not say */
    char runtime[33];             /* "3.15.55.0": the runtime that it was made with; "" as above */
    uint32_t version[3];          /* the same as numbers, which are what counts; 0: unknown */
    char compiler[33];            /* of HBDK */
    char builder[33];             /* of the tool that made the .bin */
    uint32_t models;              /* 0: not told (ELF) */
    nnrt__bpu_hbm hbm;            /* of a .hbm */
} nnrt__bpu_file;

/* A model of it. */
typedef struct nnrt__bpu_file_model {
    nnrt__bpu_text name;
    uint32_t count[2]; /* inputs, outputs */
    uint32_t parts;    /* parts of it that the BPU runs; 0: all of it runs on the CPU */
    nnrt__bpu_bin_model bin;
    nnrt__bpu_hbm_model hbm;
} nnrt__bpu_file_model;

/* --------------------------------------------------------------------------------------------- S100 and S600 */

/* Section number index of an ELF file: its name and bytes. false: it does not lie within the file. */
NNRT__FN bool nnrt__bpu_elf_section(nnrt__bpu_text file, uint32_t index, nnrt__bpu_text *name, nnrt__bpu_text *data) {
    const uint64_t table = nnrt__bpu_read_u64(file.bytes + 40);
    const uint32_t each = nnrt__read_u16(file.bytes + 58), count = nnrt__read_u16(file.bytes + 60);
    const uint32_t names = nnrt__read_u16(file.bytes + 62);
    const uint8_t *row, *strings;
    uint64_t at, length;
    if (each != NNRT__BPU_ELF_SECTION || index >= count || names >= count ||
        !nnrt__bpu_is_inside(table, count, each, file.length))
        return false;
    row = file.bytes + table + (size_t)index * each;
    strings = file.bytes + table + (size_t)names * each;
    at = nnrt__bpu_read_u64(strings + 24);
    length = nnrt__bpu_read_u64(strings + 32);
    if (!nnrt__bpu_is_inside(at, length, 1, file.length) ||
        !nnrt__bpu_take_text(file.bytes + at, length, nnrt__read_u32(row), name))
        return false;
    at = nnrt__bpu_read_u64(row + 24);
    length = nnrt__bpu_read_u64(row + 32);
    data->bytes = file.bytes;
    data->length = 0;
    if (nnrt__read_u32(row + 4) == 8) return true; /* it has no bytes in the file */
    if (!nnrt__bpu_is_inside(at, length, 1, file.length)) return false;
    data->bytes = file.bytes + at;
    data->length = (size_t)length;
    return true;
}

NNRT__FN bool nnrt__bpu_is_horizon(nnrt__bpu_text name) {
    return name.length > 9 && memcmp(name.bytes, ".horizon.", 9) == 0;
}

/* Whether it is a 64-bit little-endian ELF file with a section .horizon.*. */
NNRT__FN bool nnrt__bpu_elf_is(const uint8_t *bytes, size_t size) {
    nnrt__bpu_text file, name, data;
    uint32_t i, count;
    if (size < NNRT__BPU_ELF_HEADER || memcmp(bytes, "\177ELF\2\1", 6) != 0) return false;
    file.bytes = bytes;
    file.length = size;
    count = nnrt__read_u16(bytes + 60);
    for (i = 0; i < count; i++) {
        name.length = 0;
        (void)nnrt__bpu_elf_section(file, i, &name, &data);
        if (nnrt__bpu_is_horizon(name)) return true;
    }
    return false;
}

/* Searches data for names of BPUs. *march: the one found; *several: there are two. */
NNRT__FN void nnrt__bpu_elf_look(nnrt__bpu_text data, const nnrt__bpu_march **march, bool *several) {
    const uint8_t *at = data.bytes, *end;
    end = at + (data.length < NNRT__BPU_ELF_LOOK ? data.length : NNRT__BPU_ELF_LOOK);
    for (; end - at >= 6; at++) {
        const nnrt__bpu_march *found;
        if (memcmp(at, "nash-", 5) != 0 || (end - at > 6 && at[6] >= '0' && at[6] < 0x7f)) continue;
        found = nnrt__bpu_march_named(at, 6);
        if (found == NULL) continue;
        *several = *several || (*march != NULL && *march != found);
        *march = found;
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__bpu_elf_read(nnrt__bpu_file *file) {
    const uint32_t count = nnrt__read_u16(file->bytes.bytes + 60);
    const nnrt__bpu_march *march = NULL;
    nnrt__bpu_text name, data;
    bool several = false;
    uint32_t i;
    for (i = 0; i < count; i++) {
        if (!nnrt__bpu_elf_section(file->bytes, i, &name, &data))
            return nnrt__fail(OH_NN_INVALID_FILE,
                              "the .hbm file is damaged or cut off: its section %u of %u does not lie within its %zu "
                              "bytes",
                              (unsigned)i, (unsigned)count, file->bytes.length);
        if (nnrt__bpu_is_horizon(name)) nnrt__bpu_elf_look(data, &march, &several);
    }
    if (march == NULL || several) return OH_NN_SUCCESS;
    file->march = march;
    nnrt__format(file->march_text, sizeof(file->march_text), "%s", march->name);
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------- reading */

/* Whether it is one of Horizon's files, even if damaged. */
NNRT__FN bool nnrt__bpu_file_is(const void *bytes, size_t size) {
    const uint8_t *file = (const uint8_t *)bytes;
    return nnrt__bpu_hbm_is(file, size) || nnrt__bpu_bin_is(file, size) || nnrt__bpu_elf_is(file, size);
}

/* Copies what a .hbm says, also one in a .bin. */
NNRT__FN void nnrt__bpu_file_adopt(nnrt__bpu_file *file, const nnrt__bpu_hbm *hbm) {
    file->march = hbm->march;
    nnrt__format(file->march_text, sizeof(file->march_text), "%s",
                 hbm->march != NULL ? hbm->march->name : hbm->letters);
    memcpy(file->runtime, hbm->runtime_text, sizeof(file->runtime));
    memcpy(file->version, hbm->runtime, sizeof(file->version));
    memcpy(file->compiler, hbm->compiler, sizeof(file->compiler));
}

/* Versions and the BPU of a .bin from its tables, if it has no part for the BPU. */
NNRT__FN void nnrt__bpu_file_adopt_table(nnrt__bpu_file *file, nnrt__bpu_text table) {
    nnrt__bpu_text text = nnrt__bpu_bin_lookup(table, "BUILDER_VERSION");
    nnrt__bpu_copy_version(file->builder, text.bytes, text.length);
    text = nnrt__bpu_bin_lookup(table, "MARCH");
    nnrt__bpu_copy_version(file->march_text, text.bytes, text.length);
    file->march = nnrt__bpu_march_named(file->march_text, strlen(file->march_text));
    text = nnrt__bpu_bin_lookup(table, "HBDK_RUNTIME_VERSION");
    nnrt__bpu_copy_version(file->runtime, text.bytes, text.length);
    text = nnrt__bpu_bin_lookup(table, "HBDK_VERSION");
    nnrt__bpu_copy_version(file->compiler, text.bytes, text.length);
}

/* Versions and the BPU of a .bin: those of the first .hbm, else of the first table. All models are for one BPU. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_file_adopt_bin(nnrt__bpu_file *file) {
    nnrt__bpu_bin_model model;
    nnrt__bpu_hbm first, hbm;
    bool is_first = true;
    uint32_t i;
    memset(&first, 0, sizeof(first));
    for (i = 0; i < file->models; i++) {
        OH_NN_ReturnCode code;
        nnrt__bpu_bin_model_at(file->bytes, i, &model);
        if (i == 0) nnrt__bpu_file_adopt_table(file, model.table);
        if (model.image.length == 0) continue;
        code = nnrt__bpu_hbm_read(model.image.bytes, model.image.length, "the .hbm in the .bin file", &hbm);
        if (code != OH_NN_SUCCESS) return code;
        if (is_first) first = hbm;
        is_first = false;
        if (memcmp(first.letters, hbm.letters, sizeof(hbm.letters)) != 0)
            return nnrt__fail(OH_NN_INVALID_FILE, "the .bin file has models for two BPUs, %s and %s: pack those of one",
                              first.letters, hbm.letters);
    }
    if (!is_first) nnrt__bpu_file_adopt(file, &first);
    return OH_NN_SUCCESS;
}

/* Checks everything that is read later except instructions and weights, and fills in file. bytes may have any
   alignment.
   OH_NN_INVALID_FILE, with a sentence: it is not Horizon's, or damaged. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_file_read(const void *bytes, size_t size, nnrt__bpu_file *file) {
    OH_NN_ReturnCode code;
    char looks[NNRT__FOREIGN_SIZE];
    memset(file, 0, sizeof(*file));
    file->bytes.bytes = (const uint8_t *)bytes;
    file->bytes.length = size;
    if (nnrt__bpu_hbm_is(file->bytes.bytes, size)) {
        file->kind = NNRT__BPU_HBM;
        code = nnrt__bpu_hbm_read(file->bytes.bytes, size, "the .hbm file", &file->hbm);
        nnrt__bpu_file_adopt(file, &file->hbm);
        file->models = file->hbm.models;
        return code;
    }
    if (nnrt__bpu_bin_is(file->bytes.bytes, size)) {
        file->kind = NNRT__BPU_BIN;
        code = nnrt__bpu_bin_read(file->bytes, &file->models);
        return code == OH_NN_SUCCESS ? nnrt__bpu_file_adopt_bin(file) : code;
    }
    file->kind = NNRT__BPU_ELF_HBM;
    if (nnrt__bpu_elf_is(file->bytes.bytes, size)) return nnrt__bpu_elf_read(file);
    return nnrt__fail(OH_NN_INVALID_FILE, "the model is no .bin and no .hbm of Horizon: %s",
                      nnrt__foreign_say(bytes, size, looks));
}

/* Model number index, below file->models. */
NNRT__FN void nnrt__bpu_file_model_at(const nnrt__bpu_file *file, uint32_t index, nnrt__bpu_file_model *model) {
    NNRT_ASSERT(index < file->models);
    memset(model, 0, sizeof(*model));
    if (file->kind == NNRT__BPU_HBM) {
        (void)nnrt__bpu_hbm_model_at(&file->hbm, index, &model->hbm);
        model->name = model->hbm.name;
        memcpy(model->count, model->hbm.count, sizeof(model->count));
        model->parts = 1;
    } else {
        nnrt__bpu_bin_model_at(file->bytes, index, &model->bin);
        model->name = model->bin.name;
        memcpy(model->count, model->bin.count, sizeof(model->count));
        if (model->bin.image.length != 0) model->parts = nnrt__read_u32(model->bin.image.bytes + 112);
    }
}

/* Input (which 0) or output (1) number index of a model, below model->count[which], in the order of the file, which is
   that of the library (A). */
NNRT__FN void nnrt__bpu_file_tensor(const nnrt__bpu_file *file, const nnrt__bpu_file_model *model, uint32_t which,
                                    uint32_t index, nnrt__bpu_told *told) {
    if (file->kind == NNRT__BPU_HBM) (void)nnrt__bpu_hbm_tensor(&model->hbm, which, index, told);
    else nnrt__bpu_bin_tensor(&model->bin, which, index, told);
}

NNRT__FN bool nnrt__bpu_text_equal(nnrt__bpu_text a, nnrt__bpu_text b) {
    return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

/* The first model before number index with the same name; file->models: none. Of two such models UCP's library drops
   the later one. */
NNRT__FN uint32_t nnrt__bpu_file_twin(const nnrt__bpu_file *file, uint32_t index) {
    nnrt__bpu_file_model model, other;
    uint32_t i;
    if (index >= file->models) return file->models;
    nnrt__bpu_file_model_at(file, index, &model);
    for (i = 0; i < index; i++) {
        nnrt__bpu_file_model_at(file, i, &other);
        if (nnrt__bpu_text_equal(model.name, other.name)) return i;
    }
    return file->models;
}

/* ------------------------------------------------------------------------------------------------ the board */

/* Whether this board's library and BPU can take the file. march: of the board, NULL if unknown. Call it before
   Initialize: a library accepts some files that its BPU cannot run. OH_NN_INVALID_FILE, with a sentence: no. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_file_check_board(const nnrt__bpu_file *file, bool is_ucp, const char *march) {
    const nnrt__bpu_march *board = march != NULL ? nnrt__bpu_march_named(march, strlen(march)) : NULL;
    const char *chips = board != NULL ? board->chips : "another chip";
    if ((file->kind == NNRT__BPU_ELF_HBM) != is_ucp)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the model was made for %s, and this board's library is that of %s: compile it again for "
                          "this board%s%s",
                          file->march != NULL ? file->march->chips
                          : is_ucp            ? "X3, J5 or X5"
                                              : "S100 or S600",
                          is_ucp ? "S100 and S600" : "X3, J5 and X5", march != NULL ? ", march " : "",
                          march != NULL ? march : "");
    if (march != NULL && file->march_text[0] != '\0' && strcmp(march, file->march_text) != 0)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the model was made for %s (march %.32s), and this board is %s (%.32s): compile it again "
                          "with march %.32s",
                          file->march != NULL ? file->march->chips : "another chip", file->march_text, chips, march,
                          march);
    if (file->version[0] != 0 && (file->version[0] != 3 || file->version[1] < 4))
        return nnrt__fail(
            OH_NN_INVALID_FILE,
            "the model is for runtime %u.%u.%u, and libraries take 3.4 and later ones of 3: compile it again "
            "with the tools for this board's system",
            (unsigned)file->version[0], (unsigned)file->version[1], (unsigned)file->version[2]);
    return OH_NN_SUCCESS;
}

/* Compares the checksums of instructions and weights, reading all of them; ELF files have no known ones. For the
   sentence when a library refuses a file. OH_NN_INVALID_FILE: they are damaged. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_file_check_sums(const nnrt__bpu_file *file) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt__bpu_file_model model;
    nnrt__bpu_hbm hbm;
    uint32_t i;
    if (file->kind == NNRT__BPU_HBM) return nnrt__bpu_hbm_check_sums(&file->hbm, "the .hbm file");
    for (i = 0; i < file->models && code == OH_NN_SUCCESS; i++) {
        const char *what = "the .hbm in the .bin file";
        nnrt__bpu_file_model_at(file, i, &model);
        if (model.bin.image.length == 0) continue;
        code = nnrt__bpu_hbm_read(model.bin.image.bytes, model.bin.image.length, what, &hbm);
        if (code == OH_NN_SUCCESS) code = nnrt__bpu_hbm_check_sums(&hbm, what);
    }
    return code;
}

#endif /* NNRT_BPU_FILE_H */
