/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/bin.h - a .bin: models of X3, J5 and X5 with the CPU's operators around the BPU's part.   >>bpu_bin

   A message of protobuf (S: seen in 26 real files, D: documented, A: assumed):

     1, 2   1 (S); a file packed from several omits them (A)
     5      graph: a model; several in a packed file (D), all in front of the tables (A)
     6      table of texts of the graph of the same number: entries (1), each a key (1) and a value (2): MARCH,
            HBDK_VERSION, BUILDER_VERSION, INPUT_NAMES, INPUT_TYPE_RT ("nv12;", in the order of the names),
            input-source ("{'data': 'pyramid', '_default_value': 'ddr'}")

   and of a graph (S):

     1      nodes: 4 is the type, "BPU", "Dequantize" ...
     2      name of the model
     3      constants: 8 is the name, 5 bytes. That called PACKED_HBM_MODEL is a whole .hbm (bpu/hbm.h), whose models
            are the parts of this one
     4, 5   inputs and outputs: 1 name, 2 type: 1 element as in ONNX, 2 dimensions
     7      for each input a number: 5 feature map, 6 gray, 7 nv12

   A picture is [N,H,W,3] or [N,H,W,1] of int8, whatever the program passes. If a tool has deleted the last node, an
   output is the BPU's int32 or int16 instead of float: each output has its own type.

   All of it is untrusted: every length is checked before it is used. */
#ifndef NNRT_BPU_BIN_H
#define NNRT_BPU_BIN_H

#include "hbm.h"

#define NNRT__BPU_MAX_MODELS 64u    /* of a packed file */
#define NNRT__BPU_MAX_FIELDS 65536u /* limit for a graph, and for the file: real ones have 100 */
#define NNRT__BPU_MAX_LIST 65536u   /* longest text of the table that is read; longer ones are skipped */

/* ------------------------------------------------------------------------------------------------ protobuf */

/* A message that is walked once. */
typedef struct nnrt__bpu_wire {
    const uint8_t *at;
    const uint8_t *end;
    uint64_t missing; /* missing bytes of the field at which the walk ended; 0: other damage, or none */
    bool is_damaged;
} nnrt__bpu_wire;

/* A field: a number, or bytes. */
typedef struct nnrt__bpu_field {
    uint32_t id;
    bool is_bytes;
    uint64_t value;
    nnrt__bpu_text text;
} nnrt__bpu_field;

NNRT__FN nnrt__bpu_wire nnrt__bpu_wire_of(nnrt__bpu_text text) {
    nnrt__bpu_wire wire;
    wire.at = text.bytes;
    wire.end = text.bytes + text.length;
    wire.missing = 0;
    wire.is_damaged = false;
    return wire;
}

NNRT__FN bool nnrt__bpu_take_number(nnrt__bpu_wire *wire, uint64_t *value) {
    uint32_t shift;
    *value = 0;
    for (shift = 0; shift < 64 && wire->at < wire->end; shift += 7) {
        const uint8_t byte = *wire->at++;
        *value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

/* The next field. false: there is none, or is_damaged. */
NNRT__FN bool nnrt__bpu_take_field(nnrt__bpu_wire *wire, nnrt__bpu_field *field) {
    uint64_t tag;
    memset(field, 0, sizeof(*field));
    if (wire->is_damaged || wire->at >= wire->end) return false;
    wire->is_damaged = true;
    if (!nnrt__bpu_take_number(wire, &tag) || tag >> 3 == 0 || tag >> 32 != 0) return false;
    field->id = (uint32_t)(tag >> 3);
    if ((tag & 7) == 0) {
        if (!nnrt__bpu_take_number(wire, &field->value)) return false;
    } else {
        uint64_t length;
        if ((tag & 7) == 1) length = 8;
        else if ((tag & 7) == 5) length = 4;
        else if ((tag & 7) != 2 || !nnrt__bpu_take_number(wire, &length)) return false;
        if (length > (uint64_t)(wire->end - wire->at)) {
            wire->missing = length - (uint64_t)(wire->end - wire->at);
            return false;
        }
        field->is_bytes = (tag & 7) == 2;
        field->text.bytes = wire->at;
        field->text.length = (size_t)length;
        wire->at += (size_t)length;
    }
    wire->is_damaged = false;
    return true;
}

NNRT__FN bool nnrt__bpu_text_is(nnrt__bpu_text text, const char *expected) {
    return text.length == strlen(expected) && memcmp(text.bytes, expected, text.length) == 0;
}

/* An empty text at a valid place. */
NNRT__FN nnrt__bpu_text nnrt__bpu_text_none(nnrt__bpu_text place) {
    place.length = 0;
    return place;
}

/* The first field id of a message that is bytes; length 0: there is none. */
NNRT__FN nnrt__bpu_text nnrt__bpu_find_text(nnrt__bpu_text message, uint32_t id) {
    nnrt__bpu_wire wire = nnrt__bpu_wire_of(message);
    nnrt__bpu_field field;
    while (nnrt__bpu_take_field(&wire, &field))
        if (field.id == id && field.is_bytes) return field.text;
    return nnrt__bpu_text_none(message);
}

/* ------------------------------------------------------------------------------------- inputs and outputs */

NNRT__FN int32_t nnrt__bpu_bin_element(uint64_t onnx) {
    /* [number of ONNX] */
    static const int8_t elements[14] = {-1,
                                        NNRT__BPU_DNN_F32,
                                        NNRT__BPU_DNN_U8,
                                        NNRT__BPU_DNN_S8,
                                        NNRT__BPU_DNN_U16,
                                        NNRT__BPU_DNN_S16,
                                        NNRT__BPU_DNN_S32,
                                        NNRT__BPU_DNN_S64,
                                        -1,
                                        -1,
                                        NNRT__BPU_DNN_F16,
                                        NNRT__BPU_DNN_F64,
                                        NNRT__BPU_DNN_U32,
                                        NNRT__BPU_DNN_U64};
    return onnx < NNRT__COUNT_OF(elements) ? elements[onnx] : -1;
}

NNRT__FN bool nnrt__bpu_bin_add_dim(nnrt__bpu_told *told, uint64_t value) {
    if (told->dims >= NNRT__BPU_DNN_DIMS) return false;
    told->dim[told->dims++] = value;
    return true;
}

/* Element and dimensions of a type. false: it is damaged. */
NNRT__FN bool nnrt__bpu_bin_take_type(nnrt__bpu_text type, nnrt__bpu_told *told) {
    nnrt__bpu_wire wire = nnrt__bpu_wire_of(type);
    nnrt__bpu_field field;
    while (nnrt__bpu_take_field(&wire, &field)) {
        if (field.id == 1 && !field.is_bytes) told->element = nnrt__bpu_bin_element(field.value);
        else if (field.id == 2 && field.is_bytes) {
            nnrt__bpu_wire packed = nnrt__bpu_wire_of(field.text);
            uint64_t value;
            while (packed.at < packed.end)
                if (!nnrt__bpu_take_number(&packed, &value) || !nnrt__bpu_bin_add_dim(told, value)) return false;
        } else if (field.id == 2 && !nnrt__bpu_bin_add_dim(told, field.value)) return false;
    }
    return !wire.is_damaged;
}

/* Name and type of an input or output. false: it is damaged. */
NNRT__FN bool nnrt__bpu_bin_take_tensor(nnrt__bpu_text message, nnrt__bpu_told *told) {
    nnrt__bpu_wire wire = nnrt__bpu_wire_of(message);
    nnrt__bpu_field field;
    memset(told, 0, sizeof(*told));
    told->element = -1;
    told->order = NNRT__BPU_NO_ORDER;
    told->name = told->picture = nnrt__bpu_text_none(message);
    while (nnrt__bpu_take_field(&wire, &field)) {
        if (field.id == 1 && field.is_bytes) told->name = field.text;
        if (field.id == 2 && field.is_bytes && !nnrt__bpu_bin_take_type(field.text, told)) return false;
    }
    return !wire.is_damaged && told->name.length < NNRT__BPU_MAX_NAME;
}

/* -------------------------------------------------------------------------------------------------- a model */

typedef struct nnrt__bpu_bin_model {
    nnrt__bpu_text name;
    nnrt__bpu_text graph;
    nnrt__bpu_text table;                 /* length 0: none */
    nnrt__bpu_text image;                 /* the .hbm; length 0: all of it runs on the CPU */
    nnrt__bpu_text names, types, sources; /* of its inputs, as the table says */
    uint32_t count[2];                    /* inputs, outputs */
    uint32_t fields;
} nnrt__bpu_bin_model;

/* What a table says for a key; length 0: nothing. */
NNRT__FN nnrt__bpu_text nnrt__bpu_bin_lookup(nnrt__bpu_text table, const char *key) {
    nnrt__bpu_wire wire = nnrt__bpu_wire_of(table);
    nnrt__bpu_field field;
    nnrt__bpu_text value;
    while (nnrt__bpu_take_field(&wire, &field)) {
        if (field.id != 1 || !field.is_bytes || !nnrt__bpu_text_is(nnrt__bpu_find_text(field.text, 1), key)) continue;
        value = nnrt__bpu_find_text(field.text, 2);
        return value.length <= NNRT__BPU_MAX_LIST ? value : nnrt__bpu_text_none(table);
    }
    return nnrt__bpu_text_none(table);
}

/* A field of a graph. false: it is damaged. */
NNRT__FN bool nnrt__bpu_bin_take_part(const nnrt__bpu_field *field, nnrt__bpu_bin_model *model) {
    nnrt__bpu_told told;
    if (!field->is_bytes) return true;
    if (field->id == 2) model->name = field->text;
    if (field->id == 3 && nnrt__bpu_text_is(nnrt__bpu_find_text(field->text, 8), "PACKED_HBM_MODEL"))
        model->image = nnrt__bpu_find_text(field->text, 5);
    if (field->id != 4 && field->id != 5) return true;
    return ++model->count[field->id - 4] <= NNRT__BPU_MAX_TENSORS && nnrt__bpu_bin_take_tensor(field->text, &told);
}

/* Reads a graph: its name, counts, and .hbm image. false: it is damaged. */
NNRT__FN bool nnrt__bpu_bin_take_graph(nnrt__bpu_text graph, nnrt__bpu_bin_model *model) {
    nnrt__bpu_wire wire = nnrt__bpu_wire_of(graph);
    nnrt__bpu_field field;
    memset(model, 0, sizeof(*model));
    model->graph = graph;
    model->name = model->table = model->image = nnrt__bpu_text_none(graph);
    model->names = model->types = model->sources = model->table;
    while (nnrt__bpu_take_field(&wire, &field))
        if (++model->fields > NNRT__BPU_MAX_FIELDS || !nnrt__bpu_bin_take_part(&field, model)) return false;
    return !wire.is_damaged && model->name.length < NNRT__BPU_MAX_NAME;
}

/* Model number index of a file that nnrt__bpu_bin_read has accepted. */
NNRT__FN void nnrt__bpu_bin_model_at(nnrt__bpu_text file, uint32_t index, nnrt__bpu_bin_model *model) {
    nnrt__bpu_wire wire = nnrt__bpu_wire_of(file);
    nnrt__bpu_field field;
    uint32_t graphs = 0, tables = 0;
    nnrt__bpu_text table = nnrt__bpu_text_none(file);
    memset(model, 0, sizeof(*model));
    while (nnrt__bpu_take_field(&wire, &field)) {
        if (!field.is_bytes) continue;
        if (field.id == 5 && graphs++ == index) (void)nnrt__bpu_bin_take_graph(field.text, model);
        if (field.id == 6 && tables++ == index) table = field.text;
    }
    model->table = table;
    model->names = nnrt__bpu_bin_lookup(table, "INPUT_NAMES");
    model->types = nnrt__bpu_bin_lookup(table, "INPUT_TYPE_RT");
    model->sources = nnrt__bpu_bin_lookup(table, "input-source");
}

/* Removes and returns the first item of "a;b;c;". */
NNRT__FN nnrt__bpu_text nnrt__bpu_take_item(nnrt__bpu_text *list) {
    nnrt__bpu_text item = *list;
    for (item.length = 0; item.length < list->length && item.bytes[item.length] != ';'; item.length++) continue;
    list->bytes += item.length + (item.length < list->length);
    list->length -= item.length + (item.length < list->length);
    return item;
}

/* The table's type for an input's picture: the item of its types at the index of the name in its names. */
NNRT__FN nnrt__bpu_text nnrt__bpu_bin_picture(const nnrt__bpu_bin_model *model, nnrt__bpu_text name) {
    nnrt__bpu_text names = model->names, types = model->types;
    while (names.length != 0) {
        const nnrt__bpu_text item = nnrt__bpu_take_item(&names), type = nnrt__bpu_take_item(&types);
        if (item.length == name.length && memcmp(item.bytes, name.bytes, name.length) == 0) return type;
    }
    return nnrt__bpu_text_none(name);
}

/* Where the table says that an input comes from: "'NAME': 'pyramid'". */
NNRT__FN nnrt__bpu_source nnrt__bpu_bin_source(const nnrt__bpu_bin_model *model, nnrt__bpu_text name) {
    const uint8_t *at = model->sources.bytes, *const end = at + model->sources.length;
    for (; name.length != 0 && (size_t)(end - at) > name.length + 8; at++) {
        const uint8_t *value = at + name.length + 5;
        if (*at != '\'' || memcmp(at + 1, name.bytes, name.length) != 0 || memcmp(value - 4, "': '", 4) != 0) continue;
        if (end - value >= 8 && memcmp(value, "pyramid'", 8) == 0) return NNRT__BPU_FROM_PYRAMID;
        if (end - value >= 8 && memcmp(value, "resizer'", 8) == 0) return NNRT__BPU_FROM_RESIZER;
        if (memcmp(value, "ddr'", 4) == 0) return NNRT__BPU_FROM_MEMORY;
    }
    return NNRT__BPU_SOURCE_UNKNOWN;
}

/* Input (which 0) or output (1) number index, below count[which]. */
NNRT__FN void nnrt__bpu_bin_tensor(const nnrt__bpu_bin_model *model, uint32_t which, uint32_t index,
                                   nnrt__bpu_told *told) {
    nnrt__bpu_wire wire = nnrt__bpu_wire_of(model->graph);
    nnrt__bpu_field field;
    uint32_t seen = 0;
    NNRT_ASSERT(which < 2 && index < model->count[which]);
    memset(told, 0, sizeof(*told));
    while (seen <= index && nnrt__bpu_take_field(&wire, &field)) {
        if (!field.is_bytes || field.id != 4 + which) continue;
        if (seen++ == index) (void)nnrt__bpu_bin_take_tensor(field.text, told);
    }
    if (which != 0) return;
    told->picture = nnrt__bpu_bin_picture(model, told->name);
    told->source = nnrt__bpu_bin_source(model, told->name);
}

/* ------------------------------------------------------------------------------------------------ the file */

/* Whether it begins like one. A packed one has no fields 1 and 2 but a .hbm within the first graph. */
NNRT__FN bool nnrt__bpu_bin_is(const uint8_t *bytes, size_t size) {
    nnrt__bpu_text text;
    nnrt__bpu_wire wire;
    nnrt__bpu_field field;
    nnrt__bpu_bin_model model;
    if (size >= 5 && memcmp(bytes, "\x08\x01\x10\x01\x2a", 5) == 0) return true;
    if (size < 64 || bytes[0] != 0x2a) return false;
    text.bytes = bytes;
    text.length = size;
    wire = nnrt__bpu_wire_of(text);
    return nnrt__bpu_take_field(&wire, &field) && nnrt__bpu_bin_take_graph(field.text, &model) &&
           nnrt__bpu_hbm_is(model.image.bytes, model.image.length);
}

NNRT__FN OH_NN_ReturnCode nnrt__bpu_bin_check_graph(nnrt__bpu_text graph, uint32_t index, uint32_t *fields) {
    nnrt__bpu_bin_model model;
    nnrt__bpu_hbm hbm;
    if (!nnrt__bpu_bin_take_graph(graph, &model))
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .bin file is damaged: its graph %u is no list of up to %u nodes, constants, inputs and "
                          "outputs",
                          (unsigned)index, NNRT__BPU_MAX_FIELDS);
    *fields += model.fields;
    if (model.count[0] == 0 || model.count[1] == 0)
        return nnrt__fail(OH_NN_INVALID_FILE, "the .bin file is damaged: its graph %u has %u inputs and %u outputs",
                          (unsigned)index, (unsigned)model.count[0], (unsigned)model.count[1]);
    if (model.image.length == 0) return OH_NN_SUCCESS;
    if (!nnrt__bpu_hbm_is(model.image.bytes, model.image.length))
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "the .bin file is damaged: what its graph %u has as PACKED_HBM_MODEL is no .hbm",
                          (unsigned)index);
    return nnrt__bpu_hbm_read(model.image.bytes, model.image.length, "the .hbm in the .bin file", &hbm);
}

/* Checks everything that is read later of a file that nnrt__bpu_bin_is recognises, and counts models.
   OH_NN_INVALID_FILE, with a sentence: it is damaged. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_bin_read(nnrt__bpu_text file, uint32_t *models) {
    nnrt__bpu_wire wire = nnrt__bpu_wire_of(file);
    nnrt__bpu_field field;
    uint32_t fields = 0;
    *models = 0;
    while (++fields <= NNRT__BPU_MAX_FIELDS && nnrt__bpu_take_field(&wire, &field)) {
        OH_NN_ReturnCode code;
        if (field.id != 5 || !field.is_bytes) continue;
        if (*models == NNRT__BPU_MAX_MODELS)
            return nnrt__fail(OH_NN_INVALID_FILE, "the .bin file is damaged: it has more than %u models",
                              NNRT__BPU_MAX_MODELS);
        code = nnrt__bpu_bin_check_graph(field.text, *models, &fields);
        if (code != OH_NN_SUCCESS) return code;
        ++*models;
    }
    if (wire.missing != 0)
        return nnrt__fail(OH_NN_INVALID_FILE, "the .bin file is cut off: it has %zu bytes, and %llu more belong to it",
                          file.length, (unsigned long long)wire.missing);
    if (wire.is_damaged)
        return nnrt__fail(OH_NN_INVALID_FILE, "the .bin file is damaged or cut off at byte %zu of %zu",
                          (size_t)(wire.at - file.bytes), file.length);
    if (fields > NNRT__BPU_MAX_FIELDS)
        return nnrt__fail(OH_NN_INVALID_FILE, "the .bin file is damaged: it is a list of more than %u parts",
                          NNRT__BPU_MAX_FIELDS);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_BPU_BIN_H */
