/* SPDX-License-Identifier: Apache-2.0 */
/* sim_network.h - a network in memory: shared by sim_model_read.c, which reads and checks it, sim_model_run.c, and the
   sim_ops files, which compute its layers and trust what was checked. */
#ifndef NNRT_TESTS_SIM_NETWORK_H
#define NNRT_TESTS_SIM_NETWORK_H

#include "sim_model.h"

#define SIM_MAX_LAYER_IO 8
#define SIM_MAX_PARAMS 16
#define SIM_ABSENT 0xffffffffu

typedef enum sim_op {
    SIM_COPY = 0,         /* the same elements in another type */
    SIM_CONV = 1,         /* NHWC, filter [oc][kh][kw][ic], bias [oc] or absent */
    SIM_DEPTHWISE = 2,    /* filter [1][kh][kw][c * multiplier] */
    SIM_FULL = 3,         /* filter [n][k], bias [n] or absent */
    SIM_AVERAGE_POOL = 4, /* of the elements inside the picture */
    SIM_MAX_POOL = 5,
    SIM_ADD = 6,     /* of two tensors of one shape */
    SIM_SOFTMAX = 7, /* along the last axis */
    SIM_RESHAPE = 8,
    SIM_PAD = 9,
    SIM_LOGISTIC = 10,
    SIM_RELU = 11, /* whatever SIM_P_ACTIVATION says */
    SIM_CUSTOM = 12,
    SIM_OPS = 13
} sim_op;

/* Activations, as TensorFlow Lite numbers them. */
enum {
    SIM_LINEAR = 0,
    SIM_RELU_ONLY = 1,
    SIM_RELU1 = 2,
    SIM_RELU6 = 3
};

/* Places of sim_layer.params. */
enum {
    SIM_P_ACTIVATION = 0,
    SIM_P_VALID = 1, /* windows: 0 SAME, 1 VALID */
    SIM_P_STRIDE_H = 2,
    SIM_P_STRIDE_W = 3,
    SIM_P_DILATION_H = 4, /* pools: height of the window */
    SIM_P_DILATION_W = 5, /* pools: width of the window */
    SIM_P_BETA = 1,       /* softmax: the bits of a float */
    SIM_P_PADS = 1        /* pad: before and after, of each of four dimensions */
};

/* A tensor of the network: an input, a constant, or what a layer computes. */
typedef struct sim_value {
    sim_tensor tensor; /* dims: of shape 0 */
    uint32_t dims[SIM_MAX_SHAPES][4];
    uint8_t *data;       /* of a constant, aligned for any type; NULL: not constant */
    uint32_t n_scales;   /* of a constant with one scale per channel; 0: tensor.scale */
    uint32_t scale_axis; /* the dimension that channels count */
    float *scales;
} sim_value;

typedef struct sim_layer {
    sim_op op;
    uint32_t n_inputs, n_outputs;
    uint32_t inputs[SIM_MAX_LAYER_IO], outputs[SIM_MAX_LAYER_IO]; /* values, or SIM_ABSENT */
    int32_t params[SIM_MAX_PARAMS];
    char name[64]; /* a custom operator's type */
    uint8_t *attributes;
    size_t attribute_bytes;
    bool fixed_point;              /* int8 in TensorFlow Lite's arithmetic; else float32 between conversions */
    int32_t *multipliers, *shifts; /* of conv, depthwise, full: one per output channel */
} sim_layer;

struct sim_model {
    char custom_string[1024];
    bool multi_core;
    uint32_t shapes, n_values, n_inputs, n_outputs, n_layers, n_custom;
    sim_value *values;
    uint32_t *inputs, *outputs; /* of values */
    sim_layer *layers;
    uint32_t *custom; /* of layers */
    uint32_t weight_bytes, internal_bytes;
    sim_model_engine engine; /* what runs a network that was not read here; run is NULL else */
};

/* A tensor while it is computed. */
typedef struct sim_view {
    const sim_value *value;
    const uint32_t *dims;
    void *data;
} sim_view;

size_t sim_elements(const uint32_t *dims, uint32_t rank);
size_t sim_value_bytes(const sim_value *value, uint32_t shape);
/* What the environment says that is wrong with results, done to one of them (NNRT_SIM_RESULT). */
void sim_result_spoil(void *data, const uint32_t *dims, const sim_tensor *tensor);

/* The window of a convolution or pool along one axis: the number of outputs (0: none fits) and the padding before. */
uint32_t sim_window(uint32_t size, uint32_t window, int32_t stride, int32_t dilation, bool valid, uint32_t *before);

/* multiplier * 2^(shift - 31) nearest to real, as TensorFlow Lite chooses it. false: too large. */
bool sim_quantize_multiplier(double real, int32_t *multiplier, int32_t *shift);

/* What the layer computes; absent inputs are views without data. 0 or SIM_NO_MEMORY;
   SIM_FAILED: no layer for these functions. */
int sim_run_int8(const sim_layer *layer, const sim_view *in, const sim_view *out);
int sim_run_float(const sim_layer *layer, const sim_view *in, const sim_view *out);

uint16_t sim_half(float x); /* nearest, ties to even */
float sim_from_half(uint16_t x);
/* Element number i; x is rounded to nearest, ties to even, and saturated, NaN becomes zero. */
double sim_read_number(const void *data, sim_type type, size_t i);
void sim_write_number(void *data, sim_type type, size_t i, double x, double zero);

#endif /* NNRT_TESTS_SIM_NETWORK_H */
