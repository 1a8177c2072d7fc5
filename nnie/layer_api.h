/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/layer_api.h - how a program describes the layers between the segments of a .wk.   >>nnie_layer_api

   The mapper drops from a .wk what the engine cannot do, a proposal layer for example, and leaves no trace of it: the
   program supplies it. Extension config "nnie.layers" is an array of nnrt_nnie_layer; Build copies what they point to,
   except user. */
#ifndef NNRT_NNIE_LAYER_API_H
#define NNRT_NNIE_LAYER_API_H

#include "../core/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most inputs, and outputs, of a layer. */
#define NNRT_NNIE_MAX_LAYER_TENSORS 16

/* The name of the output that ForwardWithBbox of the ROI segments behind the layer gets: n boxes of 4 values x0, y0,
   x1, y1, in pixels of the network's input, both ends included. */
#define NNRT_NNIE_BOXES "boxes"

/* A tensor of a layer: n images of c channels of h rows of w values, without gaps. A vector is c = h = 1, a sequence
   n = sequences, c = 1, h = steps. */
typedef struct nnrt_nnie_view {
    const char *name;
    float *data; /* read-only for inputs; aligned to 4 bytes */
    uint32_t n;
    uint32_t c;
    uint32_t h;
    uint32_t w;
} nnrt_nnie_view;

typedef struct nnrt_nnie_layer_call {
    const nnrt_nnie_view *inputs;
    uint32_t input_count;
    nnrt_nnie_view
        *outputs; /* data has room for the declared shape; run sets n of one that varies, at most to the declared n */
    uint32_t output_count;
    void *scratch; /* scratch_size bytes, as malloc aligns */
    size_t scratch_size;
} nnrt_nnie_layer_call;

/* One run of the layer. Anything but OH_NN_SUCCESS ends the model's run with that code; nnrt_backend_fail() sets the
   sentence. It is called in the thread of the run; a deadline cannot interrupt it. */
typedef OH_NN_ReturnCode (*nnrt_nnie_layer_function)(const nnrt_nnie_layer_call *call, const void *user);

typedef struct nnrt_nnie_layer_output {
    const char *name; /* that of an input of a later segment or layer, or NNRT_NNIE_BOXES; any other name makes it an
                         output of the model */
    uint32_t n;       /* the maximum, if it varies */
    uint32_t c;
    uint32_t h;
    uint32_t w;
    int varies; /* 1: run sets n, which may be 0; the program sees the dimension as -1. Segments accept this for boxes
                   only */
} nnrt_nnie_layer_output;

typedef struct nnrt_nnie_layer {
    size_t size;               /* sizeof(nnrt_nnie_layer) */
    const char *name;          /* for sentences and profiles */
    uint32_t after;            /* the segment after which it runs; several after one run in the order of the array */
    const char *const *inputs; /* outputs of earlier segments or layers: "NAME", or "NAME#2" where names are equal */
    uint32_t input_count;
    const nnrt_nnie_layer_output *outputs;
    uint32_t output_count;
    nnrt_nnie_layer_function run;
    const void *user; /* passed to run; the program's, and must live as long as the executors */
    size_t scratch_size;
} nnrt_nnie_layer;

#ifdef __cplusplus
}
#endif
#endif /* NNRT_NNIE_LAYER_API_H */
