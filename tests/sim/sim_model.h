/* SPDX-License-Identifier: Apache-2.0 */
/* sim_model.h - the network inside a simulated .rknn: reading it and computing it, knowing nothing of boards.

   The file has the outside of a real .rknn (rknpu/file.h reads it): 64 bytes of header ("RKNN", 4 zero bytes, u64
   format version, u64 length of the body, zeros), the body, u64 length of a JSON text, and the text with
   "target_platform" and "version". The body is the container of tests/sim/make_model.py, which describes it. Bytes are
   untrusted.

   Tensors are computed in plain logical order, NHWC for four dimensions, without padding, in the model's own type. int8
   arithmetic is that of TensorFlow Lite, written here once more and independently of nnrt. */
#ifndef NNRT_TESTS_SIM_MODEL_H
#define NNRT_TESTS_SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../rknpu/abi.h"

#define SIM_MAX_SHAPES 16

typedef struct sim_tensor {
    char name[NNRT_RKNN_MAX_NAME];
    uint32_t rank;    /* 1..4 */
    uint32_t dims[4]; /* NHWC when rank is 4; of shape 0, the default */
    nnrt_rknn_tensor_type type;
    nnrt_rknn_qnt_type quant;
    int8_t fl;
    int32_t zp;
    float scale;
    bool image; /* an input with 1, 3 or 4 channels that the NPU reads as NHWC; takes uint8 pixels too */
    float mean[4], std[4]; /* of an image: real = (pixel - mean) / std, for uint8 pixels */
} sim_tensor;

typedef struct sim_model sim_model;

/* NULL: *error says why in one line. The bytes are copied. */
sim_model *sim_model_load(const uint8_t *bytes, size_t size, const char **error);
void sim_model_free(sim_model *model);

/* Of the outside. */
const char *sim_model_platform(const sim_model *model);    /* target_platform */
uint32_t sim_model_format_version(const sim_model *model); /* 1 to 6 */
/* Of the body. */
const char *sim_model_custom_string(const sim_model *model);
uint32_t sim_model_weight_bytes(const sim_model *model);
uint32_t sim_model_internal_bytes(const sim_model *model);
bool sim_model_multi_core(const sim_model *model); /* compiled for core masks of several cores */
uint32_t sim_model_inputs(const sim_model *model);
uint32_t sim_model_outputs(const sim_model *model);
uint32_t sim_model_shapes(const sim_model *model); /* 1: static */
/* Tensor index of the inputs (outputs) at shape number shape. */
void sim_model_tensor(const sim_model *model, bool output, uint32_t index, uint32_t shape, sim_tensor *tensor);
uint32_t sim_model_layers(const sim_model *model);
const char *sim_model_layer_name(const sim_model *model, uint32_t layer); /* "Conv", "Add" ... */
/* The type name of custom operator number k of the model, and how many there are. */
uint32_t sim_model_custom_ops(const sim_model *model);
const char *sim_model_custom_op(const sim_model *model, uint32_t index);

/* Called for an operator that the model marks as custom: 0, or negative: the run fails. All is in logical order. */
typedef int (*sim_custom_call)(void *user, const char *op_type, const sim_tensor *inputs, void *const *input_data,
                               uint32_t n_inputs, const sim_tensor *outputs, void *const *output_data,
                               uint32_t n_outputs, const uint8_t *attributes, size_t attribute_bytes);

/* Computes all layers. 0, or a negative rknn code. */
int sim_model_run(const sim_model *model, uint32_t shape, const void *const *inputs, void *const *outputs,
                  sim_custom_call custom, void *user);

/* Bytes of the logical tensor, without padding. */
size_t sim_tensor_bytes(const sim_tensor *tensor);

/* Attribute name of a custom operator, in the attributes that sim_custom_call got; false: it has none of that name.
   *data points into them, at any alignment. */
bool sim_model_attribute(const uint8_t *attributes, size_t bytes, const char *name, nnrt_rknn_tensor_type *type,
                         uint32_t *elements, const void **data);

#endif /* NNRT_TESTS_SIM_MODEL_H */
