/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/open_shapes.h - which dimensions of a model's inputs a run may change, and the graph for all of them.
   >>tflite_open_shapes

   Besides its shape a tensor may have a signature: the same with -1 for dimensions that the converter did not know. A
   model runs with the shapes; TensorFlow Lite's ResizeInputTensorStrict can change what is -1 in the signature of an
   input, and so can nnrt. ResizeInputTensor ignores signatures and can change everything; nnrt does not, because fixed
   dimensions of OpenHarmony's tensors stay fixed.

   TensorFlow Lite does not check signatures. One whose rank differs from the shape's, or that differs from it other
   than by -1, is ignored, which is logged.

   For other shapes the graph is read again. The file's shapes of computed tensors hold for its own input shapes only,
   often lack signatures, and are ignored by TensorFlow Lite: here they become dynamic, except for variables, whose size
   never changes. No translator may rely on them. */
#ifndef NNRT_TFLITE_OPEN_SHAPES_H
#define NNRT_TFLITE_OPEN_SHAPES_H

#include "tensors.h"

/* Bits of the dimensions that the signature of a model input leaves open; 0: none, or the signature is invalid. */
NNRT__FN uint16_t nnrt__tflite_open_of(nnrt__tflite *t, uint32_t index, bool tell) {
    nnrt__fb_table table;
    nnrt__fb_vector shape, signature;
    unsigned mask = 0;
    uint32_t i;
    if (!nnrt__fb_element_table(&t->fb, &t->tensors, index, &table) ||
        !nnrt__fb_vector_field(&t->fb, &table, NNRT__TFL_TENSOR_SHAPE, 4, &shape) ||
        !nnrt__fb_vector_field(&t->fb, &table, NNRT__TFL_TENSOR_SIGNATURE, 4, &signature) || signature.count == 0)
        return 0;
    for (i = 0; i < signature.count && signature.count == shape.count && i < NNRT_MAX_RANK; i++) {
        const int32_t said = nnrt__fb_element_i32(&t->fb, &signature, i);
        if (said == -1) mask |= 1u << i;
        else if (said != nnrt__fb_element_i32(&t->fb, &shape, i)) break;
    }
    if (i == signature.count && i == shape.count) return (uint16_t)mask;
    if (tell)
        nnrt__log(NNRT_LOG_WARNING, "tensor %u: its shape signature does not fit its shape and is ignored", index);
    return 0;
}

/* Whether a model input has contents, and so is no input of the graph. */
NNRT__FN bool nnrt__tflite_is_constant(nnrt__tflite *t, uint32_t index) {
    nnrt__fb_table table;
    uint32_t buffer = 0, variable = 0;
    const uint8_t *data = NULL;
    size_t size;
    return nnrt__fb_element_table(&t->fb, &t->tensors, index, &table) &&
           nnrt__fb_u32(&t->fb, &table, NNRT__TFL_TENSOR_BUFFER, &buffer) &&
           nnrt__fb_u8(&t->fb, &table, NNRT__TFL_TENSOR_VARIABLE, &variable) &&
           nnrt__tflite_buffer(t, buffer, &data, &size) && data != NULL && variable == 0;
}

/* Opens the inputs of a graph that is read for other shapes; indices as in nnrt__tflite_ends. */
NNRT__FN void nnrt__tflite_open_inputs(nnrt__tflite *t, const uint32_t *indices, uint32_t count) {
    uint32_t i;
    for (i = 0; i < count && t->resizes; i++)
        nnrt__graph_open_shape(t->store, indices[i], nnrt__tflite_open_of(t, indices[i], false));
}

/* Opens what nodes compute, except the next state of variables. */
NNRT__FN void nnrt__tflite_open_computed(nnrt__tflite *t) {
    const nnrt_graph *graph = &t->store->graph;
    uint32_t i, k, m;
    if (!t->resizes) return;
    for (i = 0; i < graph->node_count; i++) {
        for (k = 0; k < graph->nodes[i].output_count; k++) {
            const uint32_t tensor = graph->nodes[i].outputs[k];
            for (m = 0; m < graph->state_count && graph->states[m].next != tensor; m++) {}
            if (m != graph->state_count) continue;
            nnrt__graph_open_shape(t->store, tensor, ~(uint32_t)0);
        }
    }
}

#endif /* NNRT_TFLITE_OPEN_SHAPES_H */
