/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/rknn_file.h - the .rknn of RV1103 and RV1106 (format 0x1004): the program that it is.
   >>rknpu_open_rknn_file

     bytes 0      "RKNN", 4 zero bytes, u64 format, u64 length of the body
     byte 64      six u32: bytes of the graph, bytes of the tasks, number of tasks, bytes of the words, bytes of memory
                  between layers, bytes of the weights
     byte 128     tasks of 40 bytes, as the kernel's driver takes them
     then         the words, the weights: memory of the NPU from address 0 on, as they are; what is between layers
                  follows them there, and is not in the file
     then         the graph, a flatbuffer (npu/flat.h)

   Of the graph: 0 tensors, 1 operators, 2 and 3 numbers of the tensors that go in and come out. Of a tensor: 0 type (3
   int8), 1 layout (0 plain, 64 planes of 16 channels), 4 shape (N, C, H, W where there are four), 5 name, 6 scale,
   7 zero point, 8 bytes, 9 where it begins between the layers. Of an operator: 1 type, 2 name, 3 processor (2: NPU),
   9 how many of the tasks are its own, in the order of both.

   The vendor's format, not documented: this is what eleven public files of toolkits 1.6.0 and 2.3.2 have in common. All
   of it is a stranger's: every length is compared with what is there before it is used, and no byte outside is read. */
#ifndef NNRT_RKNPU_OPEN_RKNN_FILE_H
#define NNRT_RKNPU_OPEN_RKNN_FILE_H

#include "../npu/flat.h"
#include "image.h"

#define NNRT__OPEN_RKNN_FORMAT 0x1004u
#define NNRT__OPEN_RKNN_HEADER 128u
#define NNRT__OPEN_RKNN_RECORD 40u /* bytes of a task */
#define NNRT__OPEN_RKNN_MOST_OPERATORS 4096u
#define NNRT__OPEN_RKNN_RANK 6u
#define NNRT__OPEN_RKNN_NAME 64u /* bytes of a name that is kept, its end included */

/* The parts of a file; all pointers lead into it. */
typedef struct nnrt__open_rknn {
    const uint8_t *tasks;
    uint32_t task_count;
    const uint8_t *memory;            /* words, then weights */
    uint32_t words, weights, between; /* bytes */
    nnrt__flat_buffer flat;
    uint32_t graph; /* its table */
} nnrt__open_rknn;

/* An input or output. */
typedef struct nnrt__open_rknn_port {
    char name[NNRT__OPEN_RKNN_NAME];
    uint32_t rank;
    uint32_t dims[NNRT__OPEN_RKNN_RANK]; /* N, C, H, W where there are four */
    float scale;
    int32_t zero_point;
    nnrt__open_npu_port place; /* offset: in the memory of the file */
} nnrt__open_rknn_port;

typedef struct nnrt__open_rknn_operator {
    nnrt__flat_text type, name;
    uint32_t task_count;
    bool on_npu;
    bool is_output; /* it only makes another layout or type of an output that is there already */
    bool is_input;
} nnrt__open_rknn_operator;

NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_damaged(const char *what) {
    (void)what;
    return nnrt__fail(OH_NN_INVALID_FILE, "the .rknn file is damaged: %s", what);
}

/* A .rknn of any kind? It may be cut off behind that. */
NNRT__FN bool nnrt__open_rknn_is(const void *bytes, size_t size) {
    return size >= 8 && (memcmp(bytes, "RKNN\0\0\0\0", 8) == 0 || memcmp(bytes, "CYPTRKNN", 8) == 0);
}

/* ------------------------------------------------------------------------------------------------ the graph */

NNRT__FN uint8_t nnrt__open_rknn_byte(const nnrt__flat_buffer *flat, uint32_t table, uint32_t number) {
    const uint32_t at = nnrt__flat_field(flat, table, number, 1);
    return at != 0 ? flat->bytes[at] : 0;
}

NNRT__FN uint32_t nnrt__open_rknn_number(const nnrt__flat_buffer *flat, uint32_t table, uint32_t number) {
    const uint32_t at = nnrt__flat_field(flat, table, number, 4);
    return at != 0 ? nnrt__flat_u32(flat, at) : 0;
}

/* The first of the values in field number, 0 where there are none. */
NNRT__FN uint32_t nnrt__open_rknn_first(const nnrt__flat_buffer *flat, uint32_t table, uint32_t number) {
    uint32_t count = 0;
    const uint32_t first = nnrt__flat_vector(flat, table, number, &count);
    return first != 0 && count != 0 ? nnrt__flat_u32(flat, first) : 0;
}

/* Table number index of the list in field number; 0: there is none. */
NNRT__FN uint32_t nnrt__open_rknn_table(const nnrt__flat_buffer *flat, uint32_t table, uint32_t number,
                                        uint32_t index) {
    uint32_t count = 0;
    const uint32_t first = nnrt__flat_vector(flat, table, number, &count);
    return first != 0 && index < count ? nnrt__flat_follow(flat, first + 4 * index) : 0;
}

/* Printable ASCII of the text, cut to fit. */
NNRT__FN void nnrt__open_rknn_say(nnrt__flat_text text, char *to, size_t size) {
    size_t i;
    for (i = 0; i < text.length && i + 1 < size; i++)
        to[i] = text.bytes[i] > ' ' && text.bytes[i] < 0x7f ? (char)text.bytes[i] : '?';
    to[i] = '\0';
}

NNRT__FN bool nnrt__open_rknn_text_is(nnrt__flat_text text, const char *expected) {
    return text.length == strlen(expected) && memcmp(text.bytes, expected, text.length) == 0;
}

/* Values of a shape; 0: none, or more than any memory. */
NNRT__FN uint64_t nnrt__open_rknn_values(const nnrt__open_rknn_port *port) {
    uint64_t count = port->rank == 0 ? 0 : 1;
    uint32_t i;
    for (i = 0; i < port->rank; i++) {
        if (port->dims[i] == 0 || port->dims[i] > NNRT__OPEN_NPU_MOST_MEMORY / (count != 0 ? count : 1)) return 0;
        count *= port->dims[i];
    }
    return count;
}

/* The layout of a tensor: a picture, planes, or as its shape says. bytes: that the file gives it, as many as its planes
   take, each rounded up to four pixels. UINT64_MAX: it is none that is known; else the bytes that it takes. */
NNRT__FN uint64_t nnrt__open_rknn_lay(nnrt__open_rknn_port *port, uint8_t layout, uint32_t bytes, bool is_input) {
    nnrt__open_npu_port *place = &port->place;
    const uint64_t values = nnrt__open_rknn_values(port), most = 0xffff; /* of a side of a port */
    uint64_t pixels, planes, plane;
    if (values == 0) return UINT64_MAX;
    if (layout == 0) {
        place->layout = NNRT__OPEN_NPU_FLAT;
        place->height = 1;
        place->channels = port->dims[port->rank - 1];
        place->width = (uint32_t)(values / place->channels);
        return place->channels <= most && place->width <= most ? values : UINT64_MAX;
    }
    if (layout != 64 || port->rank != 4 || port->dims[0] != 1 || port->dims[1] > most || port->dims[2] > most ||
        port->dims[3] > most)
        return UINT64_MAX;
    place->channels = port->dims[1];
    place->height = port->dims[2];
    place->width = port->dims[3];
    if (is_input && (place->channels == 1 || place->channels == 3 || place->channels == 4)) {
        place->layout = NNRT__OPEN_NPU_PIXELS; /* rows begin at every 16th pixel */
        place->row_bytes = (place->width + 15) / 16 * 16 * place->channels;
        return (uint64_t)place->row_bytes * place->height;
    }
    pixels = (uint64_t)place->height * place->width;
    planes = (place->channels + NNRT__OPEN_NPU_LANES - 1) / NNRT__OPEN_NPU_LANES;
    plane = bytes / planes;
    if (bytes % planes != 0 || plane >= 2 * pixels * NNRT__OPEN_NPU_LANES)
        plane = (pixels + 3) / 4 * 4 * NNRT__OPEN_NPU_LANES;
    if (plane > NNRT__OPEN_NPU_MOST_MEMORY || plane < pixels * NNRT__OPEN_NPU_LANES) return UINT64_MAX;
    place->layout = NNRT__OPEN_NPU_PLANES;
    place->plane_bytes = (uint32_t)plane;
    return (planes - 1) * plane + pixels * NNRT__OPEN_NPU_LANES;
}

/* Number index of the inputs, or outputs. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_port_read(const nnrt__open_rknn *file, bool is_input, uint32_t index,
                                                    nnrt__open_rknn_port *port) {
    const nnrt__flat_buffer *flat = &file->flat;
    const uint32_t behind = file->words + file->weights;
    nnrt__flat_text name;
    uint32_t count = 0, first, node, i, scale, offset;
    uint64_t size;
    memset(port, 0, sizeof(*port));
    first = nnrt__flat_vector(flat, file->graph, is_input ? 2 : 3, &count);
    node = first != 0 && index < count
               ? nnrt__open_rknn_table(flat, file->graph, 0, nnrt__flat_u32(flat, first + 4 * index))
               : 0;
    if (node == 0) return nnrt__open_rknn_damaged("an input or output is no tensor");
    if (nnrt__flat_string(flat, node, 5, &name)) nnrt__open_rknn_say(name, port->name, sizeof(port->name));
    if (nnrt__open_rknn_byte(flat, node, 0) != 3)
        return nnrt__fail(OH_NN_UNSUPPORTED, "tensor %s of the .rknn is not int8 (type %u): rknn.open knows no other",
                          port->name, (unsigned)nnrt__open_rknn_byte(flat, node, 0));
    first = nnrt__flat_vector(flat, node, 4, &port->rank);
    if (first == 0 || port->rank == 0 || port->rank > NNRT__OPEN_RKNN_RANK)
        return nnrt__open_rknn_damaged("an input or output has no shape");
    for (i = 0; i < port->rank; i++) port->dims[i] = nnrt__flat_u32(flat, first + 4 * i);
    scale = nnrt__open_rknn_first(flat, node, 6);
    memcpy(&port->scale, &scale, sizeof(port->scale));
    scale = nnrt__open_rknn_first(flat, node, 7);
    memcpy(&port->zero_point, &scale, sizeof(port->zero_point));
    if (!(port->scale > 0.0f && port->scale < 1e30f) || port->zero_point < -128 || port->zero_point > 127)
        return nnrt__open_rknn_damaged("an input or output has no scale and zero point of int8");
    offset = nnrt__open_rknn_number(flat, node, 9);
    size =
        nnrt__open_rknn_lay(port, nnrt__open_rknn_byte(flat, node, 1), nnrt__open_rknn_number(flat, node, 8), is_input);
    if (offset > file->between || size > file->between - offset)
        return nnrt__fail(OH_NN_INVALID_FILE, "tensor %s of the .rknn has no layout and place that are known",
                          port->name);
    port->place.offset = behind + offset;
    port->place.size = (uint32_t)size;
    return OH_NN_SUCCESS;
}

/* How many inputs, outputs or operators there are: what field number of the graph says. */
NNRT__FN uint32_t nnrt__open_rknn_count(const nnrt__open_rknn *file, uint32_t number) {
    uint32_t count = 0;
    return nnrt__flat_vector(&file->flat, file->graph, number, &count) != 0 ? count : 0;
}

NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_operator_read(const nnrt__open_rknn *file, uint32_t index,
                                                        nnrt__open_rknn_operator *o) {
    const nnrt__flat_buffer *flat = &file->flat;
    const uint32_t node = nnrt__open_rknn_table(flat, file->graph, 1, index);
    uint32_t count = 0, first, i;
    memset(o, 0, sizeof(*o));
    if (node == 0 || !nnrt__flat_string(flat, node, 1, &o->type))
        return nnrt__open_rknn_damaged("an operator has no type");
    if (!nnrt__flat_string(flat, node, 2, &o->name)) o->name = o->type;
    o->is_output = nnrt__open_rknn_text_is(o->type, "OutputOperator");
    o->is_input = nnrt__open_rknn_text_is(o->type, "InputOperator");
    o->on_npu = nnrt__open_rknn_byte(flat, node, 3) == 2;
    first = nnrt__flat_vector(flat, node, 9, &count);
    for (i = 0; first != 0 && i < count; i++) {
        const uint32_t tasks = nnrt__flat_u32(flat, first + 4 * i);
        if (tasks > NNRT__OPEN_NPU_MOST_TASKS - o->task_count)
            return nnrt__open_rknn_damaged("an operator has too many tasks");
        o->task_count += tasks;
    }
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------- the file */

/* The parts of the file, whose bytes have to stay. OH_NN_INVALID_FILE: it is damaged, or none. OH_NN_UNSUPPORTED: it is
   for another chip than RV1103 and RV1106. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_read(const void *bytes, size_t size, nnrt__open_rknn *file) {
    const uint8_t *at = (const uint8_t *)bytes;
    uint64_t used;
    uint32_t graph_bytes, task_bytes, root, graphs = 0;
    memset(file, 0, sizeof(*file));
    if (!nnrt__open_rknn_is(bytes, size)) return nnrt__fail(OH_NN_INVALID_FILE, "it is no .rknn file");
    if (at[0] == 'C')
        return nnrt__fail(OH_NN_UNSUPPORTED, "the .rknn is encrypted: only the vendor's library can read it");
    if (size < NNRT__OPEN_RKNN_HEADER) return nnrt__open_rknn_damaged("it is cut off");
    if (nnrt__read_u32(at + 8) != NNRT__OPEN_RKNN_FORMAT || nnrt__read_u32(at + 12) != 0)
        return nnrt__fail(
            OH_NN_UNSUPPORTED,
            "the .rknn has format 0x%x: without the vendor's library only those of RV1103 and RV1106 run, "
            "format 0x1004; of RK3588's, whose commands get their addresses at load, not enough is known",
            (unsigned)nnrt__read_u32(at + 8));
    graph_bytes = nnrt__read_u32(at + 64);
    task_bytes = nnrt__read_u32(at + 68);
    file->task_count = nnrt__read_u32(at + 72);
    file->words = nnrt__read_u32(at + 76);
    file->between = nnrt__read_u32(at + 80);
    file->weights = nnrt__read_u32(at + 84);
    used = (uint64_t)NNRT__OPEN_RKNN_HEADER + task_bytes + file->words + file->weights + graph_bytes;
    if (used > size || file->task_count == 0 || file->task_count > NNRT__OPEN_NPU_MOST_TASKS ||
        task_bytes / NNRT__OPEN_RKNN_RECORD < file->task_count || file->words % 8 != 0 ||
        (uint64_t)file->words + file->weights + file->between > NNRT__OPEN_NPU_MOST_MEMORY / 2)
        return nnrt__open_rknn_damaged("its parts do not fit into it, or into the memory of an NPU");
    file->tasks = at + NNRT__OPEN_RKNN_HEADER;
    file->memory = file->tasks + task_bytes;
    file->flat.bytes = file->memory + file->words + file->weights;
    file->flat.size = graph_bytes;
    if (graph_bytes < 8 || graph_bytes > INT32_MAX || memcmp(file->flat.bytes + 4, "RKNN", 4) != 0)
        return nnrt__open_rknn_damaged("it has no graph");
    root = nnrt__flat_follow(&file->flat, 0);
    if (root == 0 || nnrt__flat_vector(&file->flat, root, 2, &graphs) == 0 || graphs != 1)
        return nnrt__fail(OH_NN_UNSUPPORTED, "the .rknn has %u graphs: rknn.open knows files of one", (unsigned)graphs);
    file->graph = nnrt__open_rknn_table(&file->flat, root, 2, 0);
    if (file->graph == 0) return nnrt__open_rknn_damaged("it has no graph");
    return OH_NN_SUCCESS;
}

#endif /* NNRT_RKNPU_OPEN_RKNN_FILE_H */
