/* SPDX-License-Identifier: Apache-2.0 */
/* sim_model.h - the network that a simulated NPU computes: reading it and computing it, knowing nothing of boards.

   The bytes are the container of network.py, which describes it; what a vendor's file has around them is the vendor's
   to take off. They are untrusted.

   Tensors are computed in plain logical order, NHWC for four dimensions, without padding, in the model's own type. int8
   arithmetic is that of TensorFlow Lite, written here once more and independently of nnrt. */
#ifndef NNRT_TESTS_SIM_MODEL_H
#define NNRT_TESTS_SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_MAX_NAME 256
#define SIM_MAX_SHAPES 16

/* Types and quantizations of a network have names of their own, and the numbers of the container: a vendor's are the
   vendor's to translate. */
typedef enum sim_type {
    SIM_FLOAT32 = 0,
    SIM_FLOAT16 = 1,
    SIM_INT8 = 2,
    SIM_UINT8 = 3,
    SIM_INT16 = 4,
    SIM_UINT16 = 5,
    SIM_INT32 = 6,
    SIM_UINT32 = 7,
    SIM_INT64 = 8,
    SIM_BOOL = 9
} sim_type;

typedef enum sim_quant {
    SIM_QUANT_NONE = 0,
    SIM_QUANT_DFP = 1,   /* real = stored * 2^-fl */
    SIM_QUANT_AFFINE = 2 /* real = (stored - zp) * scale */
} sim_quant;

/* Why a network was not computed. */
enum {
    SIM_FAILED = -1,
    SIM_NO_MEMORY = -2
};

typedef struct sim_tensor {
    char name[SIM_MAX_NAME];
    uint32_t rank;    /* 1..4 */
    uint32_t dims[4]; /* NHWC when rank is 4; of shape 0, the default */
    sim_type type;
    sim_quant quant;
    int8_t fl;
    int32_t zp;
    float scale;
    bool image;            /* an input with 1, 3 or 4 channels that the NPU reads as NHWC; takes uint8 pixels too */
    float mean[4], std[4]; /* of an image: real = (pixel - mean) / std, for uint8 pixels */
} sim_tensor;

typedef struct sim_model sim_model;

/* NULL: *error says why in one line. The bytes are copied. */
sim_model *sim_model_load(const uint8_t *bytes, size_t size, const char **error);
/* The same where nothing tells how long the network is: *left bytes stand behind it. */
sim_model *sim_model_load_front(const uint8_t *bytes, size_t size, size_t *left, const char **error);
void sim_model_free(sim_model *model);

/* A network that somebody else computes: data as in sim_model_run, of one shape, from any thread. */
typedef struct sim_model_engine {
    int (*run)(void *user, const void *const *inputs, void *const *outputs); /* 0, SIM_FAILED or SIM_NO_MEMORY */
    void (*release)(void *user);                                             /* when the model goes */
    void *user;
    uint32_t weight_bytes, internal_bytes;
} sim_model_engine;

/* Such a one, with these tensors, inputs first. NULL: no memory, and nothing was taken. */
sim_model *sim_model_of(const sim_model_engine *engine, const sim_tensor *tensors, uint32_t inputs, uint32_t outputs);

const char *sim_model_custom_string(const sim_model *model);
uint32_t sim_model_weight_bytes(const sim_model *model);
uint32_t sim_model_internal_bytes(const sim_model *model);
bool sim_model_multi_core(const sim_model *model); /* compiled for several cores */
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

/* Computes all layers. 0, SIM_FAILED or SIM_NO_MEMORY. */
int sim_model_run(const sim_model *model, uint32_t shape, const void *const *inputs, void *const *outputs,
                  sim_custom_call custom, void *user);

size_t sim_type_size(sim_type type); /* bytes; 0: it is not one of them */

/* Bytes of the logical tensor, without padding. */
size_t sim_tensor_bytes(const sim_tensor *tensor);

/* Attribute name of a custom operator, in the attributes that sim_custom_call got; false: it has none of that name.
   *data points into them, at any alignment. */
bool sim_model_attribute(const uint8_t *attributes, size_t bytes, const char *name, sim_type *type, uint32_t *elements,
                         const void **data);

#endif /* NNRT_TESTS_SIM_MODEL_H */
