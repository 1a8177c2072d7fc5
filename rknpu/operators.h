/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/operators.h - the operators of a .rknn, and which of them its chip cannot run.   >>rknpu_operators

   A toolkit silently assigns to the CPU what the NPU cannot do; librknnmrt (RV1103, RV1106) has CPU forms of 14
   operators, and rknn_init returns -1 for any other. The file shows this in advance by the name and target of each
   operator. The format is the vendor's and undocumented. The following held in 60 public files of toolkits 1.1.0 to
   2.3.2 (formats 1, 2, 6 and 0x1004); a file that differs is not wrong, but nothing is reported about it.

     the graphs       a flatbuffer with the identifier "RKNN": the body of formats 1 to 6; of format 0x1004 its last
                      bytes, as many as the u32 in front of the body says
     root             field 2: the graphs
     graph            field 1: its operators
     operator         field 1: the type, "ConvRelu"; field 2: "Conv:name"; field 3: u8, 2 for the NPU, not there for
                      what else runs it: CPU, GPU, a function of the program's

   The names of what librknnmrt has are those of Rockchip's "RKNN Compiler Support Operator List" 2.3.2, chapter 4, and
   with them what libraries of 1.6.0 to 2.3.2 name beside: exSoftmax13, exNorm, exDataConvert, and inputs and outputs.
   librknnrt's are all of the chapter.

   All of the file is untrusted: no byte outside the buffer is read, and the work is bounded by its size. */
#ifndef NNRT_RKNPU_OPERATORS_H
#define NNRT_RKNPU_OPERATORS_H

#include "../npu/flat.h"
#include "types.h"

#define NNRT__RKNN_MINI_FORMATS 0x1000u /* and up: of librknnmrt, the runtime of RV1103 and RV1106 */
#define NNRT__RKNN_MAX_TYPES 40u        /* of operators; real files have up to 20 */
#define NNRT__RKNN_MAX_NODES 65535u     /* of all graphs */
#define NNRT__RKNN_FOR_NPU 2u
#define NNRT__RKNN_CPU_LIST "by Rockchip's operator list 2.3.2"

typedef struct nnrt__rknn_type {
    nnrt__flat_text name;
    nnrt__flat_text first; /* name of its first operator that the NPU does not run */
    uint32_t npu;          /* operators for the NPU */
    uint32_t others;       /* for another processor */
} nnrt__rknn_type;

typedef struct nnrt__rknn_operators {
    nnrt__rknn_type type[NNRT__RKNN_MAX_TYPES]; /* in the order of the file */
    uint32_t types;
    bool more; /* than there is room for */
} nnrt__rknn_operators;

/* ------------------------------------------------------------------------------------------------ counting */

NNRT__FN bool nnrt__rknn_is_letter(uint8_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Whether it looks like a name of a type, so that it may be shown in a sentence. */
NNRT__FN bool nnrt__rknn_is_type(nnrt__flat_text word) {
    uint32_t i;
    for (i = 0; i < word.length; i++)
        if (!nnrt__rknn_is_letter(word.bytes[i])) return false;
    return word.length <= 32;
}

NNRT__FN bool nnrt__rknn_word_is(nnrt__flat_text word, const char *text, size_t length) {
    return word.length == length && memcmp(word.bytes, text, length) == 0;
}

/* One operator more. */
NNRT__FN void nnrt__rknn_count(nnrt__rknn_operators *to, nnrt__flat_text type, nnrt__flat_text name, bool npu) {
    uint32_t i = 0;
    while (i < to->types && !nnrt__rknn_word_is(to->type[i].name, (const char *)type.bytes, type.length)) i++;
    if (i == NNRT__RKNN_MAX_TYPES) {
        to->more = true;
        return;
    }
    if (i == to->types) {
        memset(&to->type[i], 0, sizeof(to->type[i]));
        to->type[i].name = type;
        to->types++;
    }
    if (npu) to->type[i].npu++;
    else if (to->type[i].others++ == 0) to->type[i].first = name;
}

/* The graphs of a body. false: this format has none that is known. */
NNRT__FN bool nnrt__rknn_graphs(uint32_t format_version, const uint8_t *body, size_t size, nnrt__flat_buffer *buffer) {
    size_t length = size;
    if (size < 8) return false;
    if (format_version >= NNRT__RKNN_MINI_FORMATS) length = nnrt__read_u32(body);
    if (length < 8 || length > size || length > INT32_MAX) return false;
    buffer->bytes = body + (size - length);
    buffer->size = (uint32_t)length;
    return memcmp(buffer->bytes + 4, "RKNN", 4) == 0;
}

/* Counts the operators of a body, which must stay. false: its format is unknown. */
NNRT__FN bool nnrt__rknn_operators_read(uint32_t format_version, const uint8_t *body, size_t size,
                                        nnrt__rknn_operators *to) {
    nnrt__flat_buffer buffer;
    uint32_t root, graphs, graph_count, nodes, count, i, k, seen = 0;
    to->types = 0;
    to->more = false;
    if (!nnrt__rknn_graphs(format_version, body, size, &buffer)) return false;
    root = nnrt__flat_follow(&buffer, 0);
    graphs = root != 0 ? nnrt__flat_vector(&buffer, root, 2, &graph_count) : 0;
    if (graphs == 0) return false;
    for (i = 0; i < graph_count; i++) {
        const uint32_t graph = nnrt__flat_follow(&buffer, graphs + 4 * i);
        nodes = graph != 0 ? nnrt__flat_vector(&buffer, graph, 1, &count) : 0;
        if (nodes == 0 || count > NNRT__RKNN_MAX_NODES - seen) return false;
        seen += count + 1;
        for (k = 0; k < count; k++) {
            const uint32_t node = nnrt__flat_follow(&buffer, nodes + 4 * k);
            uint32_t field;
            nnrt__flat_text type, name;
            if (node == 0 || !nnrt__flat_string(&buffer, node, 1, &type) || !nnrt__rknn_is_type(type)) return false;
            if (!nnrt__flat_string(&buffer, node, 2, &name)) name = type;
            field = nnrt__flat_field(&buffer, node, 3, 1);
            nnrt__rknn_count(to, type, name, field != 0 && buffer.bytes[field] == NNRT__RKNN_FOR_NPU);
        }
        if (seen > NNRT__RKNN_MAX_NODES) return false;
    }
    return to->types != 0;
}

/* ------------------------------------------------------------------------------------------- what is known */

/* Whether word is in list, whose words are separated by single blanks. */
NNRT__FN bool nnrt__rknn_listed(const char *list, nnrt__flat_text word) {
    while (*list != '\0') {
        size_t length = 0;
        while (list[length] != ' ' && list[length] != '\0') length++;
        if (nnrt__rknn_word_is(word, list, length)) return true;
        list += length + (list[length] == ' ' ? 1 : 0);
    }
    return false;
}

/* Whether the runtime has a CPU form of an operator of this type. mini: librknnmrt. */
NNRT__FN bool nnrt__rknn_has_cpu_form(bool mini, nnrt__flat_text type) {
    static const char both[] = "InputOperator OutputOperator Concat DataConvert Div exDataConvert exLayerNorm exNorm "
                               "Exp exSoftmax13 Gather ReduceL2 ReduceMax Reshape ScatterND Softmax";
    static const char full[] =
        "Add And ArgMax ArgMin AveragePool BatchNormalization Cast Clip Conv ConvTranspose ConvTransposePad Cos "
        "Deconvolution DepthToSpace Equal Erf exGelu exGlu exGRU exHardSwish exLRN exMeanVarianceNormalization exMish "
        "Expand exProposal exRMSNorm exSwish exSwooshL exSwooshR exWindow Flatten Floor GatherElements Greater "
        "GreaterOrEqual GRU InstanceNormalization LayerNormalization Less LessOrEqual Log LogSoftmax LpNormalization "
        "MatMul Max MaxPool MaxRoiPool MaxUnpool Min Mod Mul Not OneHot Pad PassThrough Pow ReduceMean ReduceMin "
        "ReduceSum Reorg ReshapeTranspose Resize ReverseSequence RoiAlign Round Sigmoid Sin Slice SoftmaxMask "
        "SpaceToDepth Split Sqrt Squeeze Sub Tanh Tile TopK Transpose TransposeReshape Upsample Where";
    return nnrt__rknn_listed(both, type) || (!mini && nnrt__rknn_listed(full, type));
}

/* Whether it is a custom operator: toolkits require names that begin with "cst". */
NNRT__FN bool nnrt__rknn_is_custom(nnrt__flat_text type) {
    return type.length > 3 && memcmp(type.bytes, "cst", 3) == 0;
}

/* What a list of types shows. */
typedef enum nnrt__rknn_question {
    NNRT__RKNN_ALL,             /* which are there? */
    NNRT__RKNN_NOT_ON_NPU,      /* which run elsewhere? */
    NNRT__RKNN_CUSTOM,          /* those that the program must supply */
    NNRT__RKNN_NO_FORM_ON_MINI, /* of those not on the NPU, the ones that librknnmrt lacks */
    NNRT__RKNN_NO_FORM_ON_FULL
} nnrt__rknn_question;

/* How many operators of the type belong to the list. */
NNRT__FN uint32_t nnrt__rknn_answer(const nnrt__rknn_type *type, nnrt__rknn_question question) {
    const bool own =
        nnrt__rknn_word_is(type->name, "InputOperator", 13) || nnrt__rknn_word_is(type->name, "OutputOperator", 14);
    const bool custom = nnrt__rknn_is_custom(type->name);
    if (own) return 0;
    if (question == NNRT__RKNN_ALL) return type->npu + type->others;
    if (question == NNRT__RKNN_NOT_ON_NPU) return type->others;
    if (question == NNRT__RKNN_CUSTOM) return custom ? type->others : 0;
    if (question == NNRT__RKNN_NO_FORM_ON_MINI) return nnrt__rknn_has_cpu_form(true, type->name) ? 0 : type->others;
    return custom || nnrt__rknn_has_cpu_form(false, type->name) ? 0 : type->others;
}

/* "12 Conv, 2 Reshape", to text of size bytes (64 at least): how many types that are. What has no room becomes
   "...". */
NNRT__FN uint32_t nnrt__rknn_list(const nnrt__rknn_operators *from, nnrt__rknn_question question, char *text,
                                  size_t size) {
    const size_t room = size - sizeof(", ...");
    size_t used = 0;
    uint32_t i, types = 0;
    bool cut = from->more;
    text[0] = '\0';
    for (i = 0; i < from->types; i++) {
        const nnrt__rknn_type *type = &from->type[i];
        const uint32_t count = nnrt__rknn_answer(type, question);
        char one[48];
        size_t length;
        if (count == 0) continue;
        nnrt__format(one, sizeof(one), "%s%u ", types++ != 0 ? ", " : "", (unsigned)count);
        length = strlen(one);
        cut = cut || used + length + type->name.length > room;
        if (used + length + type->name.length > room) continue;
        memcpy(text + used, one, length);
        memcpy(text + used + length, type->name.bytes, type->name.length);
        used += length + type->name.length;
        text[used] = '\0';
    }
    if (cut && types != 0) nnrt__format(text + used, size - used, ", ...");
    return types;
}

/* The first operator that the runtime has no form of, "MatMul:/attn/MatMul", to text of size bytes. false: there is
   none. */
NNRT__FN bool nnrt__rknn_first_missing(const nnrt__rknn_operators *from, bool mini, char *text, size_t size) {
    const nnrt__rknn_question question = mini ? NNRT__RKNN_NO_FORM_ON_MINI : NNRT__RKNN_NO_FORM_ON_FULL;
    uint32_t i, k;
    for (i = 0; i < from->types; i++) {
        const nnrt__flat_text name = from->type[i].first;
        if (nnrt__rknn_answer(&from->type[i], question) == 0) continue;
        for (k = 0; k < name.length && k + 1 < size; k++)
            text[k] = name.bytes[k] > ' ' && name.bytes[k] < 0x7f ? (char)name.bytes[k] : '?';
        text[k] = '\0';
        return true;
    }
    return false;
}

/* The type of the first custom operator, to text of 32 bytes; "": there is none. */
NNRT__FN void nnrt__rknn_first_custom(const nnrt__rknn_operators *from, char *text) {
    uint32_t i;
    text[0] = '\0';
    for (i = 0; i < from->types && text[0] == '\0'; i++) {
        const nnrt__rknn_type *type = &from->type[i];
        if (nnrt__rknn_answer(type, NNRT__RKNN_CUSTOM) == 0 || type->name.length > 31) continue;
        memcpy(text, type->name.bytes, type->name.length);
        text[type->name.length] = '\0';
    }
}

#endif /* NNRT_RKNPU_OPERATORS_H */
