/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_tflite.h - reads a .tflite model into the graph that OH_NNModel_* calls would have built.   >>tflite

   nnrt__tflite_is(bytes, size)            whether the bytes say that they are a .tflite file
   nnrt__tflite_read(bytes, size, &store)  the finished graph, or a code and a sentence
   nnrt__tflite_open_shapes(bytes, ...)    which dimensions of its inputs a run may change
   nnrt__tflite_read_open(bytes, ...)      the graph with these dynamic

   What it reads     the first subgraph, of int8, int16, uint8, float32, float16 or integer tensors and the operators
                     of nnrt__tflite_rows, with weights inline or behind the tables, those of int4 as int8; dynamic
                     shapes as the static shape that the file gives, or open. Scalars are tensors of rank 0. Tensors
                     keep their names and their numbers.
                     Constants among the model's inputs stay constants and are no inputs of the graph; a constant or
                     an input among its outputs is copied
   What it does not  control flow and what else runs a second subgraph, but for a CALL_ONCE that gives variables
                     their first contents; custom operators but TFLite_Detection_PostProcess, sparse tensors:
                     OH_NN_UNSUPPORTED, and the sentence names the operators
   Memory            weights are not copied, but for int4: the bytes must outlive the graph. Everything else is, and is
                     a small multiple of the size of the file, whatever the file says
   Trust             the bytes may be hostile. Every offset, length and index is checked; anything wrong is
                     OH_NN_INVALID_FILE and a sentence with the tensor or operator, and the byte
   Alignment         none is needed

   Rooms   tflite/flatbuffer.h        >>tflite_flatbuffer         tables, vectors and strings, with every step checked
           tflite/flexbuffer.h        >>tflite_flexbuffer         options of custom operators
           tflite/schema.h            >>tflite_schema             numbers of the file format
           tflite/tensors.h           >>tflite_tensors            types, shapes, quantization, contents
           tflite/open_shapes.h       >>tflite_open_shapes        dimensions of inputs that a run may change
           tflite/translate.h         >>tflite_translate          what a translator gets, and its words
           tflite/operators_custom.h  >>tflite_operators_custom   operators with a name of their own: the end of an SSD
           tflite/operators_empty.h   >>tflite_operators_empty    tensors without elements, of which a graph has none
           tflite/operators_lookup.h  >>tflite_operators_lookup   going where indices say
           tflite/operators_math.h    >>tflite_operators_math     arithmetic, reductions, functions, conversions
           tflite/operators_recurrent.h >>tflite_operators_recurrent operators that keep state, variables
           tflite/operators_shape.h   >>tflite_operators_shape    moving elements, changing shapes
           tflite/operators_variable.h >>tflite_operators_variable variables that have a name, CALL_ONCE
           tflite/operators_window.h  >>tflite_operators_window   convolutions, pools, full connections, resizing
           tflite/operators.h         >>tflite_operators          the table: one operator there, one or more here */
#ifndef NNRT_TFLITE_H
#define NNRT_TFLITE_H

#include "core/error.h"
#include "core/graph_store.h"
#include "tflite/flatbuffer.h"
#include "tflite/schema.h"
#include "tflite/tensors.h"
#include "tflite/open_shapes.h"
#include "tflite/translate.h"
#include "tflite/flexbuffer.h"
#include "tflite/operators_custom.h"
#include "tflite/operators_lookup.h"
#include "tflite/operators_math.h"
#include "tflite/operators_recurrent.h"
#include "tflite/operators_shape.h"
#include "tflite/operators_variable.h"
#include "tflite/operators_window.h"
#include "tflite/operators.h"

NNRT__FN bool nnrt__tflite_is(const void *bytes, size_t size) {
    return bytes != NULL && size >= 8 && memcmp((const uint8_t *)bytes + 4, "TFL3", 4) == 0;
}

/* The lists of the file: operator codes, buffers, and what is in its first subgraph: the others run only where an
   operator of that one names them, and of those only CALL_ONCE is supported. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_lists(nnrt__tflite *t, nnrt__fb_vector *inputs, nnrt__fb_vector *outputs) {
    nnrt__fb_table model, graph;
    uint32_t version = 0;
    size_t root;
    if (!nnrt__fb_follow(&t->fb, 0, &root) || !nnrt__fb_table_at(&t->fb, root, &model) ||
        !nnrt__fb_u32(&t->fb, &model, NNRT__TFL_MODEL_VERSION, &version) ||
        !nnrt__fb_vector_field(&t->fb, &model, NNRT__TFL_MODEL_CODES, 4, &t->codes) ||
        !nnrt__fb_vector_field(&t->fb, &model, NNRT__TFL_MODEL_BUFFERS, 4, &t->buffers) ||
        !nnrt__fb_vector_field(&t->fb, &model, NNRT__TFL_MODEL_SUBGRAPHS, 4, &t->graphs)) {
        return nnrt__fail(OH_NN_INVALID_FILE, "the model: %s, at byte %zu of %zu%s", t->fb.what, t->fb.where,
                          t->fb.size, nnrt__fb_hint(&t->fb));
    }
    if (version != NNRT__TFLITE_SCHEMA) {
        return nnrt__fail(OH_NN_UNSUPPORTED, "schema version %u of .tflite is not supported, only %u", version,
                          NNRT__TFLITE_SCHEMA);
    }
    if (t->graphs.count == 0) return nnrt__fail(OH_NN_INVALID_FILE, "the model has no subgraph");
    if (!nnrt__fb_element_table(&t->fb, &t->graphs, 0, &graph) ||
        !nnrt__fb_vector_field(&t->fb, &graph, NNRT__TFL_GRAPH_TENSORS, 4, &t->tensors) ||
        !nnrt__fb_vector_field(&t->fb, &graph, NNRT__TFL_GRAPH_INPUTS, 4, inputs) ||
        !nnrt__fb_vector_field(&t->fb, &graph, NNRT__TFL_GRAPH_OUTPUTS, 4, outputs) ||
        !nnrt__fb_vector_field(&t->fb, &graph, NNRT__TFL_GRAPH_OPERATORS, 4, &t->operators)) {
        return nnrt__tflite_broken(t, "subgraph", 0);
    }
    if (t->tensors.count > NNRT__TFLITE_MAX_TENSORS || t->operators.count > NNRT__TFLITE_MAX_OPERATORS) {
        return nnrt__fail(OH_NN_UNSUPPORTED,
                          "the model has %u tensors and %u operators; at most %u of each are "
                          "supported",
                          t->tensors.count, t->operators.count, NNRT__TFLITE_MAX_TENSORS);
    }
    if (inputs->count > NNRT__MAX_IO || outputs->count > NNRT__MAX_IO) {
        return nnrt__fail(OH_NN_UNSUPPORTED, "the model has %u inputs and %u outputs; at most %u of each are supported",
                          inputs->count, outputs->count, NNRT__MAX_IO);
    }
    if (t->operators.count == 0) return nnrt__fail(OH_NN_INVALID_FILE, "the model has no operators");
    return OH_NN_SUCCESS;
}

/* Tensor numbers of the model's inputs or outputs. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_ends(const nnrt__tflite *t, const nnrt__fb_vector *list, const char *what,
                                            uint32_t *indices) {
    uint32_t i;
    if (list->count == 0) return nnrt__fail(OH_NN_INVALID_FILE, "the model has no %ss", what);
    for (i = 0; i < list->count; i++) {
        const int32_t tensor = nnrt__fb_element_i32(&t->fb, list, i);
        if (tensor < 0 || (uint32_t)tensor >= t->tensors.count) {
            return nnrt__fail(OH_NN_INVALID_FILE, "model %s %u is tensor %d, which does not exist, at byte %zu", what,
                              i, (int)tensor, list->at + 4 * (size_t)i);
        }
        indices[i] = (uint32_t)tensor;
    }
    return OH_NN_SUCCESS;
}

/* A model output that no operator computes, a constant or a model input: a copy of it, which has its name. *tensor
   becomes the copy. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_given_output(nnrt__tflite *t, uint32_t i, uint32_t *tensor) {
    nnrt_tensor_info info = *nnrt__tflite_info(t, *tensor);
    const uint32_t input = *tensor;
    nnrt__tflite_op op;
    OH_NN_ReturnCode code;
    memset(&op, 0, sizeof(op));
    op.index = t->operators.count;
    op.name = "of a copy";
    info.data = NULL;
    info.data_size = 0;
    if (!nnrt__tflite_charge(t, 1, 32)) return nnrt__tflite_broken(t, "model output", i);
    code = nnrt__tflite_stored(&op, nnrt__graph_add_tensor(t->store, &info, false, tensor));
    return code == OH_NN_SUCCESS ? nnrt__tflite_reshaped(t, &op, input, *tensor) : code;
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_graph(nnrt__tflite *t) {
    nnrt__fb_vector inputs, outputs;
    uint32_t input_indices[NNRT__MAX_IO], output_indices[NNRT__MAX_IO];
    uint32_t input_count = 0, i;
    OH_NN_ReturnCode code = nnrt__tflite_lists(t, &inputs, &outputs);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_check_codes(t);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_ends(t, &inputs, "input", input_indices);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_ends(t, &outputs, "output", output_indices);
    if (code != OH_NN_SUCCESS) return code;
    t->known = (uint8_t *)nnrt__alloc_zero(t->tensors.count, 1);
    t->store = nnrt__graph_store_new();
    if (t->known == NULL || t->store == NULL) return nnrt__fail_memory();
    t->opens = true;
    for (i = 0; i < inputs.count; i++) t->opens = t->opens && !nnrt__tflite_is_open(t, input_indices[i]);
    for (i = 0; i < t->tensors.count && code == OH_NN_SUCCESS; i++) code = nnrt__tflite_tensor(t, i);
    for (i = 0; i < inputs.count && code == OH_NN_SUCCESS; i++) {
        uint8_t *known = &t->known[input_indices[i]];
        if (*known == NNRT__TFLITE_CONSTANT) continue;
        code = nnrt__tflite_not_empty(t, input_indices[i]);
        if (code == OH_NN_SUCCESS && *known == NNRT__TFLITE_HANDLE)
            code = nnrt__fail(OH_NN_UNSUPPORTED,
                              "model input %u, tensor %u, is the handle of a variable, which is not supported", i,
                              input_indices[i]);
        if (code != OH_NN_SUCCESS) return code;
        if (*known == NNRT__TFLITE_GIVEN)
            code = nnrt__fail(OH_NN_INVALID_FILE, "model input %u, tensor %u, is listed twice", i, input_indices[i]);
        *known = (uint8_t)NNRT__TFLITE_GIVEN;
        input_indices[input_count++] = input_indices[i];
    }
    if (code == OH_NN_SUCCESS && input_count == 0)
        code = nnrt__fail(OH_NN_UNSUPPORTED, "the inputs of the model are constants, which is not supported");
    if (code == OH_NN_SUCCESS) nnrt__tflite_open_inputs(t, input_indices, input_count);
    for (i = 0; i < t->operators.count && code == OH_NN_SUCCESS; i++) code = nnrt__tflite_operator(t, i);
    for (i = 0; i < t->tensors.count && code == OH_NN_SUCCESS; i++) /* what nobody changes stays as it is */
        if (t->known[i] == NNRT__TFLITE_VARIABLE) code = nnrt__tflite_keep(t, i, i);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_end_variables(t);
    for (i = 0; i < outputs.count && code == OH_NN_SUCCESS; i++) {
        const uint8_t known = t->known[output_indices[i]];
        if (known == NNRT__TFLITE_UNKNOWN)
            code = nnrt__fail(OH_NN_INVALID_FILE, "model output %u, tensor %u, is not computed by any operator", i,
                              output_indices[i]);
        else if (known > NNRT__TFLITE_COMPUTED)
            code =
                nnrt__fail(OH_NN_UNSUPPORTED,
                           "model output %u, tensor %u, is a variable, a handle of one, or has no elements, which is "
                           "not supported",
                           i, output_indices[i]);
        else if (known != NNRT__TFLITE_COMPUTED) code = nnrt__tflite_given_output(t, i, &output_indices[i]);
    }
    if (code != OH_NN_SUCCESS) return code;
    nnrt__tflite_open_computed(t);
    code = nnrt__graph_set_io(t->store, input_indices, input_count, output_indices, outputs.count);
    if (code == OH_NN_SUCCESS) code = nnrt__graph_finish(t->store);
    if (code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR) return code;
    return nnrt__fail(OH_NN_INVALID_FILE, "the model: %s", nnrt__sentence());
}

/* A reading that has just begun. */
NNRT__FN void nnrt__tflite_begin(nnrt__tflite *t, const void *bytes, size_t size) {
    memset(t, 0, sizeof(*t));
    t->fb.bytes = (const uint8_t *)bytes;
    t->fb.size = size;
    t->budget = size <= SIZE_MAX / 2 ? 2 * size : SIZE_MAX;
}

/* nnrt__tflite_read, or, with resizes, nnrt__tflite_read_open. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_read_as(const void *bytes, size_t size, bool resizes,
                                               nnrt__graph_store **store) {
    nnrt__tflite t;
    OH_NN_ReturnCode code;
    *store = NULL;
    if (!nnrt__tflite_is(bytes, size)) {
        return nnrt__fail(OH_NN_INVALID_FILE, "not a .tflite file: bytes 4 to 7 of %zu are not \"TFL3\"", size);
    }
    nnrt__tflite_begin(&t, bytes, size);
    t.resizes = resizes;
    code = nnrt__tflite_graph(&t);
    nnrt__free(t.known);
    nnrt__free(t.scales);
    nnrt__free(t.zero_points);
    nnrt__free(t.variables);
    if (code == OH_NN_SUCCESS) *store = t.store;
    else nnrt__graph_store_release(t.store);
    return code;
}

/* Reads size bytes into a new, finished graph with one reference; its constants lie in bytes, which must
   outlive it. Failure leaves *store NULL. OH_NN_INVALID_FILE: not a .tflite file, or a malformed one.
   OH_NN_UNSUPPORTED: a model that nnrt cannot express. OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_read(const void *bytes, size_t size, nnrt__graph_store **store) {
    return nnrt__tflite_read_as(bytes, size, false, store);
}

/* The same for inputs of other shapes: the dimensions that nnrt__tflite_open_shapes tells are -1. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_read_open(const void *bytes, size_t size, nnrt__graph_store **store) {
    return nnrt__tflite_read_as(bytes, size, true, store);
}

/* For each input of the graph that nnrt__tflite_read gives of these bytes, the bits of the dimensions that are open, to
   be freed; *open is NULL where none is. Only a file that was read well gives an answer. OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_open_shapes(const void *bytes, size_t size, uint16_t **open) {
    uint32_t indices[NNRT__MAX_IO], count = 0, any = 0, i;
    uint16_t masks[NNRT__MAX_IO];
    nnrt__fb_vector inputs, outputs;
    nnrt__tflite t;
    *open = NULL;
    nnrt__tflite_begin(&t, bytes, size);
    if (!nnrt__tflite_is(bytes, size) || nnrt__tflite_lists(&t, &inputs, &outputs) != OH_NN_SUCCESS ||
        nnrt__tflite_ends(&t, &inputs, "input", indices) != OH_NN_SUCCESS)
        return OH_NN_SUCCESS;
    for (i = 0; i < inputs.count; i++) {
        if (nnrt__tflite_is_constant(&t, indices[i])) continue;
        masks[count] = nnrt__tflite_open_of(&t, indices[i], true);
        any |= masks[count++];
    }
    if (any == 0) return OH_NN_SUCCESS;
    *open = (uint16_t *)nnrt__alloc(count * sizeof(masks[0]));
    if (*open == NULL) return nnrt__fail_memory();
    memcpy(*open, masks, count * sizeof(masks[0]));
    return OH_NN_SUCCESS;
}

#endif /* NNRT_TFLITE_H */
