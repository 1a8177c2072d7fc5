/* SPDX-License-Identifier: Apache-2.0 */
/* sample.h - models of one operator, made from what is said of it, and what the library answers to them.

   A sample is made whole and can then be spoiled; sample_try hands it to the library, call by call, until one refuses
   it or a run has ended. It prints nothing and asserts nothing: the test and the printer of the page want different
   things. Include it after nnrt.h with its implementation, as it writes constants of float16 with the library's own
   conversion. */
#ifndef NNRT_TESTS_OPERATORS_SAMPLE_H
#define NNRT_TESTS_OPERATORS_SAMPLE_H

#include "every.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE_FN static __attribute__((unused))

enum {
    SAMPLE_TENSORS = 8,  /* of an operator, those of LSTM with two to spare */
    SAMPLE_PARAMS = 12,  /* NNRT__MAX_PARAMS and some to spare */
    SAMPLE_NUMBERS = 16, /* that are given of a tensor or a parameter */
    SAMPLE_STEPS = 12,
    SAMPLE_BYTES = 4096 /* of the outputs of a run */
};

/* The data types of a sample, by role. */
typedef struct sample_types {
    OH_NN_DataType data, weights, bias, ints, other;
    bool quantized, other_quantized; /* weights of int8 and uint8 always are */
} sample_types;

typedef struct sample_tensor {
    OH_NN_DataType dtype;
    bool quantized, constant, without_data; /* without_data: a parameter that has none */
    double scale;
    int32_t zero_point;
    uint32_t rank, count, numbers; /* how many numbers are given; the others are 1, -2, 3, -4, 5, -1 ... */
    int32_t dims[10];
    double number[SAMPLE_NUMBERS];
    OH_NN_TensorType type;
} sample_tensor;

typedef struct sample {
    OH_NN_OperationType op;
    sample_tensor inputs[SAMPLE_TENSORS], outputs[SAMPLE_TENSORS], params[SAMPLE_PARAMS];
    uint32_t input_count, output_count, param_count; /* more inputs or outputs than tensors: the last one again */
    uint32_t input_tensors, output_tensors;
    bool open_outputs; /* outputs are declared without a shape: they take the one that is computed */
    const char *level; /* "nnrt.isa"; NULL: the best */
} sample;

typedef struct sample_step {
    char kind[32], level[16];
} sample_step;

typedef struct sample_answer {
    said_call call; /* that refused it; SAID_NEVER: none */
    OH_NN_ReturnCode code;
    char sentence[512];
    uint32_t step_count;
    sample_step steps[SAMPLE_STEPS];
    size_t size; /* of all outputs, one behind the other: rank and dimensions, then elements */
    unsigned char bytes[SAMPLE_BYTES];
} sample_answer;

/* --------------------------------------------------------------------------------------------- numbers */

/* The data type of a name, which ends with a blank or a colon; OH_NN_UNKNOWN when there is none. */
SAMPLE_FN OH_NN_DataType sample_dtype(const char *text) {
    const size_t length = strcspn(text, " :");
    int i;
    for (i = 1; i <= (int)OH_NN_FLOAT64; i++) {
        const char *name = nnrt__dtype_name((OH_NN_DataType)i);
        if (strlen(name) == length && memcmp(name, text, length) == 0) return (OH_NN_DataType)i;
    }
    return OH_NN_UNKNOWN;
}

/* Reads "1 5 5 4" up to the end or a semicolon; "type" and "other" are the numbers of data types. */
SAMPLE_FN uint32_t sample_read(const char *text, const sample_types *types, double *numbers) {
    uint32_t count = 0;
    for (;;) {
        char *end;
        while (*text == ' ') text++;
        if (*text == '\0' || *text == ';' || count == SAMPLE_NUMBERS) return count;
        if (strncmp(text, "type", 4) == 0) {
            numbers[count++] = (double)types->data;
            text += 4;
        } else if (strncmp(text, "other", 5) == 0) {
            numbers[count++] = (double)types->other;
            text += 5;
        } else {
            numbers[count++] = strtod(text, &end);
            text = end;
        }
    }
}

SAMPLE_FN void sample_shape(sample_tensor *tensor, const char *dims) {
    double numbers[SAMPLE_NUMBERS];
    uint32_t i;
    tensor->rank = sample_read(dims, NULL, numbers);
    tensor->count = 1;
    for (i = 0; i < tensor->rank; i++) {
        tensor->dims[i] = (int32_t)numbers[i];
        tensor->count *= (uint32_t)tensor->dims[i];
    }
}

/* Writes a number as an element. Of a quantized tensor it is the stored number. */
SAMPLE_FN void sample_write(OH_NN_DataType dtype, double number, void *to) {
    const float single = (float)number;
    const int64_t integer = number == number ? (int64_t)number : 0;
    const uint16_t half = nnrt__float16_from_bits(nnrt__float32_bits(single));
    const bool truth = number < 0 || number > 0;
    switch (dtype) {
    case OH_NN_BOOL: *(unsigned char *)to = truth; break;
    case OH_NN_FLOAT16: memcpy(to, &half, sizeof half); break;
    case OH_NN_FLOAT32: memcpy(to, &single, sizeof single); break;
    case OH_NN_FLOAT64: memcpy(to, &number, sizeof number); break;
    default: memcpy(to, &integer, nnrt__element_size(dtype)); break; /* the low bytes: little endian */
    }
}

/* The elements of a tensor, to be freed. */
SAMPLE_FN void *sample_elements(const sample_tensor *tensor, size_t *size) {
    const size_t element = nnrt__element_size(tensor->dtype);
    unsigned char *data = (unsigned char *)malloc(tensor->count * element + 1);
    uint32_t i;
    *size = tensor->count * element;
    for (i = 0; data != NULL && i < tensor->count; i++)
        sample_write(tensor->dtype,
                     i < tensor->numbers ? tensor->number[i] : (double)(i % 5 + 1) * (i % 2 != 0 ? -1 : 1),
                     data + i * element);
    return data;
}

/* ------------------------------------------------------------------------------------------- making one */

/* Scale and zero point as far as the type has them. */
SAMPLE_FN void sample_quantize(sample_tensor *tensor, said_span span) {
    const bool is_unsigned = tensor->dtype == OH_NN_UINT8;
    tensor->quantized = true;
    tensor->scale = span == SAID_AS_INPUT          ? 0.5
                    : tensor->dtype == OH_NN_INT16 ? 1.0 / 32768
                    : span == SAID_FROM_0_TO_1     ? 1.0 / 256
                                                   : 1.0 / 128;
    tensor->zero_point = 0;
    if (tensor->dtype == OH_NN_INT8 || is_unsigned)
        tensor->zero_point = (is_unsigned ? 128 : 0) + (span == SAID_AS_INPUT      ? 3
                                                        : span == SAID_FROM_0_TO_1 ? -128
                                                                                   : 0);
}

SAMPLE_FN void sample_operand(sample_tensor *tensor, const said_operand *operand, const sample_types *types,
                              said_span span) {
    memset(tensor, 0, sizeof *tensor);
    sample_shape(tensor, operand->dims);
    tensor->constant = operand->time == SAID_AT_BUILD;
    switch (operand->role) {
    case SAID_DATA:
        tensor->dtype = types->data;
        if (types->quantized) sample_quantize(tensor, span);
        break;
    case SAID_WEIGHTS:
        tensor->dtype = types->weights;
        tensor->quantized = tensor->dtype == OH_NN_INT8 || tensor->dtype == OH_NN_UINT8;
        tensor->scale = 1.0 / 64;
        tensor->zero_point = tensor->dtype == OH_NN_UINT8 ? 128 : 0;
        break;
    case SAID_OTHER:
        tensor->dtype = types->other;
        if (types->other_quantized) sample_quantize(tensor, SAID_AS_INPUT);
        break;
    case SAID_BIAS: tensor->dtype = types->bias; break;
    case SAID_INTS: tensor->dtype = types->ints; break;
    case SAID_TRUTH: tensor->dtype = OH_NN_BOOL; break;
    case SAID_TYPE:
        tensor->dtype = OH_NN_INT32;
        tensor->numbers = 1;
        tensor->number[0] = (double)types->other;
        break;
    default: tensor->dtype = OH_NN_FLOAT32; break;
    }
    if (operand->values != NULL) tensor->numbers = sample_read(operand->values, types, tensor->number);
}

/* The values of a parameter; index is that of params[]. */
SAMPLE_FN void sample_fill_param(sample_tensor *param, OH_NN_OperationType op, OH_NN_TensorType type,
                                 const char *values, const sample_types *types) {
    const nnrt__param_row *row = nnrt__op_param(nnrt__op_find((int)op), type);
    memset(param, 0, sizeof *param);
    param->type = type;
    param->constant = true;
    param->count = param->numbers = sample_read(values, types, param->number);
    if (row == NULL) {
        param->dtype = OH_NN_FLOAT32;
        param->rank = 1;
        param->dims[0] = (int32_t)param->count;
        return;
    }
    param->dtype = row->shape != NNRT__SHAPE_PAD ? row->dtype : param->count == 1 ? OH_NN_INT8 : OH_NN_INT64;
    param->rank = nnrt__param_rank(row) >= 0 ? (uint32_t)nnrt__param_rank(row) : 1;
    param->dims[0] = param->rank == 2 ? 2 : (int32_t)param->count;
    param->dims[1] = (int32_t)(param->count / 2);
}

/* Gives a parameter these values, in place of those that it has. */
SAMPLE_FN void sample_set_param(sample *s, OH_NN_TensorType type, const char *values, const sample_types *types) {
    uint32_t i = 0;
    while (i < s->param_count && s->params[i].type != type) i++;
    if (i == s->param_count) s->param_count++;
    sample_fill_param(&s->params[i], s->op, type, values, types);
}

SAMPLE_FN void sample_drop_param(sample *s, OH_NN_TensorType type) {
    uint32_t i;
    for (i = 0; i < s->param_count && s->params[i].type != type;) i++;
    if (i == s->param_count) return;
    memmove(&s->params[i], &s->params[i + 1], (s->param_count - 1 - i) * sizeof s->params[0]);
    s->param_count--;
}

SAMPLE_FN void sample_make(sample *s, const said_operator *said, const sample_types *types) {
    uint32_t i;
    memset(s, 0, sizeof *s);
    s->op = said->op;
    s->input_count = s->input_tensors = said->input_count;
    s->output_count = s->output_tensors = said->output_count;
    for (i = 0; i < said->input_count; i++) sample_operand(&s->inputs[i], &said->inputs[i], types, SAID_AS_INPUT);
    for (i = 0; i < said->output_count; i++) sample_operand(&s->outputs[i], &said->outputs[i], types, said->span);
    for (i = 0; i < said->param_count; i++)
        if (said->params[i].sample != NULL) sample_set_param(s, said->params[i].type, said->params[i].sample, types);
}

/* ------------------------------------------------------------------------------------------- trying one */

SAMPLE_FN OH_NN_ReturnCode sample_add_tensor(OH_NNModel *model, const sample_tensor *tensor, bool with_shape) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    OH_NN_ReturnCode code = OH_NNTensorDesc_SetDataType(desc, tensor->dtype);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_SetFormat(desc, OH_NN_FORMAT_NHWC);
    if (code == OH_NN_SUCCESS && with_shape && tensor->rank != 0)
        code = OH_NNTensorDesc_SetShape(desc, tensor->dims, tensor->rank);
    if (code == OH_NN_SUCCESS) code = OH_NNModel_AddTensorToModel(model, desc);
    (void)OH_NNTensorDesc_Destroy(&desc);
    return code;
}

SAMPLE_FN OH_NN_ReturnCode sample_set_tensor(OH_NNModel *model, uint32_t index, const sample_tensor *tensor) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (tensor->quantized) {
        const uint32_t bits = 8;
        NN_QuantParam *quant = OH_NNQuantParam_Create();
        code = OH_NNQuantParam_SetScales(quant, &tensor->scale, 1);
        if (code == OH_NN_SUCCESS) code = OH_NNQuantParam_SetZeroPoints(quant, &tensor->zero_point, 1);
        if (code == OH_NN_SUCCESS) code = OH_NNQuantParam_SetNumBits(quant, &bits, 1);
        if (code == OH_NN_SUCCESS) code = OH_NNModel_SetTensorQuantParams(model, index, quant);
        (void)OH_NNQuantParam_Destroy(&quant);
    }
    if (code == OH_NN_SUCCESS && tensor->type != OH_NN_TENSOR)
        code = OH_NNModel_SetTensorType(model, index, tensor->type);
    if (code == OH_NN_SUCCESS && tensor->constant && !tensor->without_data) {
        size_t size;
        void *data = sample_elements(tensor, &size);
        code = OH_NNModel_SetTensorData(model, index, data, size);
        free(data);
    }
    return code;
}

/* Tensors are numbered as they are added: inputs, outputs, parameters, and one that nothing reads. */
SAMPLE_FN OH_NN_ReturnCode sample_add_tensors(OH_NNModel *model, const sample *s) {
    static const sample_tensor idle = {OH_NN_FLOAT32, false, false, false, 0, 0, 1, 1, 0, {1}, {0}, OH_NN_TENSOR};
    const uint32_t behind_inputs = s->input_tensors + s->output_tensors, all = behind_inputs + s->param_count;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i <= all && code == OH_NN_SUCCESS; i++) {
        const bool is_output = i >= s->input_tensors && i < behind_inputs;
        const sample_tensor *tensor = i < s->input_tensors ? &s->inputs[i]
                                      : is_output          ? &s->outputs[i - s->input_tensors]
                                      : i < all            ? &s->params[i - behind_inputs]
                                                           : &idle;
        code = sample_add_tensor(model, tensor, !(is_output && s->open_outputs));
        if (code == OH_NN_SUCCESS) code = sample_set_tensor(model, i, tensor);
    }
    return code;
}

SAMPLE_FN OH_NN_ReturnCode sample_add_operation(OH_NNModel *model, const sample *s) {
    uint32_t inputs[256], outputs[256], params[SAMPLE_PARAMS], i;
    OH_NN_UInt32Array in, out, param;
    for (i = 0; i < s->input_count; i++) inputs[i] = i < s->input_tensors ? i : s->input_tensors - 1;
    for (i = 0; i < s->output_count; i++)
        outputs[i] = s->input_tensors + (i < s->output_tensors ? i : s->output_tensors - 1);
    for (i = 0; i < s->param_count; i++) params[i] = s->input_tensors + s->output_tensors + i;
    in.data = s->input_count != 0 ? inputs : NULL;
    in.size = s->input_count;
    out.data = s->output_count != 0 ? outputs : NULL;
    out.size = s->output_count;
    param.data = s->param_count != 0 ? params : NULL;
    param.size = s->param_count;
    return OH_NNModel_AddOperation(model, s->op, &param, &in, &out);
}

/* Model inputs are what is no constant, and one that nothing reads where all are. ends: their numbers among the tensors
   of the sample, UINT32_MAX for that one. */
SAMPLE_FN OH_NN_ReturnCode sample_finish(OH_NNModel *model, const sample *s, uint32_t *ends, uint32_t *end_count) {
    uint32_t inputs[SAMPLE_TENSORS], outputs[SAMPLE_TENSORS], i;
    OH_NN_UInt32Array in, out;
    OH_NN_ReturnCode code;
    *end_count = 0;
    for (i = 0; i < s->input_tensors; i++) {
        if (s->inputs[i].constant || i >= s->input_count) continue;
        ends[*end_count] = i;
        inputs[(*end_count)++] = i;
    }
    if (*end_count == 0) {
        ends[0] = UINT32_MAX;
        inputs[(*end_count)++] = s->input_tensors + s->output_tensors + s->param_count;
    }
    for (i = 0; i < s->output_tensors; i++) outputs[i] = s->input_tensors + i;
    in.data = inputs;
    in.size = *end_count;
    out.data = outputs;
    out.size = s->output_tensors;
    code = OH_NNModel_SpecifyInputsAndOutputs(model, &in, &out);
    return code == OH_NN_SUCCESS ? OH_NNModel_Finish(model) : code;
}

SAMPLE_FN size_t sample_device(void) {
    const size_t *ids = NULL;
    uint32_t count = 0, i;
    (void)OH_NNDevice_GetAllDevicesID(&ids, &count);
    for (i = 0; i < count; i++) {
        OH_NN_DeviceType type;
        if (OH_NNDevice_GetType(ids[i], &type) == OH_NN_SUCCESS && type == OH_NN_CPU) return ids[i];
    }
    return 0;
}

/* Puts the shape and the elements of an output behind those before. */
SAMPLE_FN void sample_note_output(const NN_Tensor *tensor, sample_answer *answer) {
    NN_TensorDesc *desc = tensor != NULL ? OH_NNTensor_GetTensorDesc(tensor) : NULL;
    int32_t *dims = NULL;
    size_t rank = 0, size = 0;
    if (desc == NULL || OH_NNTensorDesc_GetShape(desc, &dims, &rank) != OH_NN_SUCCESS ||
        OH_NNTensorDesc_GetByteSize(desc, &size) != OH_NN_SUCCESS ||
        answer->size + sizeof rank + rank * sizeof dims[0] + size > SAMPLE_BYTES)
        return;
    memcpy(answer->bytes + answer->size, &rank, sizeof rank);
    memcpy(answer->bytes + answer->size + sizeof rank, dims, rank * sizeof dims[0]);
    answer->size += sizeof rank + rank * sizeof dims[0];
    memcpy(answer->bytes + answer->size, OH_NNTensor_GetDataBuffer(tensor), size);
    answer->size += size;
}

SAMPLE_FN void sample_run(const sample *s, OH_NNExecutor *executor, const uint32_t *ends, uint32_t end_count,
                          sample_answer *answer) {
    const size_t device = sample_device();
    NN_Tensor *in[SAMPLE_TENSORS] = {NULL}, *out[SAMPLE_TENSORS] = {NULL};
    uint32_t i;
    for (i = 0; i < end_count; i++) {
        NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(executor, i);
        in[i] = OH_NNTensor_Create(device, desc);
        (void)OH_NNTensorDesc_Destroy(&desc);
        if (in[i] != NULL && ends[i] != UINT32_MAX) {
            size_t size;
            void *data = sample_elements(&s->inputs[ends[i]], &size);
            memcpy(OH_NNTensor_GetDataBuffer(in[i]), data, size);
            free(data);
        }
    }
    for (i = 0; i < s->output_tensors; i++) {
        NN_TensorDesc *desc = OH_NNExecutor_CreateOutputTensorDesc(executor, i);
        out[i] = OH_NNTensor_Create(device, desc);
        (void)OH_NNTensorDesc_Destroy(&desc);
    }
    answer->code = OH_NNExecutor_RunSync(executor, in, end_count, out, s->output_tensors);
    if (answer->code != OH_NN_SUCCESS)
        (void)snprintf(answer->sentence, sizeof answer->sentence, "%s", nnrt_last_error());
    for (i = 0; i < s->output_tensors; i++) {
        sample_note_output(out[i], answer);
        if (out[i] != NULL) (void)OH_NNTensor_Destroy(&out[i]);
    }
    for (i = 0; i < end_count; i++)
        if (in[i] != NULL) (void)OH_NNTensor_Destroy(&in[i]);
}

SAMPLE_FN void sample_note_steps(const OH_NNExecutor *executor, sample_answer *answer) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0, i;
    if (nnrt_executor_get_profile(executor, &steps, &count) != OH_NN_SUCCESS) return;
    for (i = 0; i < count && i < SAMPLE_STEPS; i++) {
        (void)snprintf(answer->steps[i].kind, sizeof answer->steps[i].kind, "%s", steps[i].kernel);
        (void)snprintf(answer->steps[i].level, sizeof answer->steps[i].level, "%s", steps[i].isa);
    }
    answer->step_count = i;
}

/* Compiles a finished model and, if runs is true, runs it. */
SAMPLE_FN void sample_compile(const sample *s, OH_NNModel *model, const uint32_t *ends, uint32_t end_count, bool runs,
                              sample_answer *answer) {
    OH_NNCompilation *compilation = OH_NNCompilation_Construct(model);
    OH_NNExecutor *executor = NULL;
    answer->call = SAID_BUILD;
    answer->code = OH_NNCompilation_SetDevice(compilation, sample_device());
    if (answer->code == OH_NN_SUCCESS && s->level != NULL)
        answer->code = OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.isa", s->level, strlen(s->level));
    if (answer->code == OH_NN_SUCCESS) answer->code = OH_NNCompilation_Build(compilation);
    if (answer->code != OH_NN_SUCCESS)
        (void)snprintf(answer->sentence, sizeof answer->sentence, "%s", nnrt_last_error());
    else executor = OH_NNExecutor_Construct(compilation);
    if (executor != NULL) {
        answer->call = runs ? SAID_RUN : SAID_NEVER;
        sample_note_steps(executor, answer);
        if (runs) sample_run(s, executor, ends, end_count, answer);
        if (answer->code == OH_NN_SUCCESS) answer->call = SAID_NEVER;
        OH_NNExecutor_Destroy(&executor);
    }
    OH_NNCompilation_Destroy(&compilation);
}

SAMPLE_FN void sample_try(const sample *s, bool runs, sample_answer *answer) {
    OH_NNModel *model = OH_NNModel_Construct();
    uint32_t ends[SAMPLE_TENSORS], end_count;
    memset(answer, 0, sizeof *answer);
    answer->call = SAID_BEFORE;
    answer->code = sample_add_tensors(model, s);
    if (answer->code == OH_NN_SUCCESS) {
        answer->call = SAID_ADD;
        answer->code = sample_add_operation(model, s);
    }
    if (answer->code == OH_NN_SUCCESS) {
        answer->call = SAID_FINISH;
        answer->code = sample_finish(model, s, ends, &end_count);
    }
    if (answer->code == OH_NN_SUCCESS) sample_compile(s, model, ends, end_count, runs, answer);
    else (void)snprintf(answer->sentence, sizeof answer->sentence, "%s", nnrt_last_error());
    OH_NNModel_Destroy(&model);
}

/* ------------------------------------------------------------------------------------------ spoiling one */

/* A change of the sample. types: those that the sample was made with. */
SAMPLE_FN void sample_change(sample *s, const said_wrong *wrong, const sample_types *types) {
    sample_tensor *input = &s->inputs[wrong->which < SAMPLE_TENSORS ? wrong->which : 0];
    sample_tensor *output = &s->outputs[wrong->which < SAMPLE_TENSORS ? wrong->which : 0];
    const char *to = strchr(wrong->to, ':') != NULL ? strchr(wrong->to, ':') + 2 : wrong->to;
    switch (wrong->change) {
    case SAID_INPUT_DIMS: sample_shape(input, to); break;
    case SAID_INPUT_VALUES:
        input->numbers = sample_read(to, types, input->number);
        if (input->numbers == input->count || input->dtype == types->data) break;
        input->rank = 1;
        input->dims[0] = (int32_t)input->numbers;
        input->count = input->numbers;
        break;
    case SAID_INPUT_TYPE:
        input->dtype = sample_dtype(to);
        input->quantized = false;
        break;
    case SAID_OUTPUT_TYPE:
        output->dtype = sample_dtype(to);
        output->quantized = false;
        break;
    case SAID_INPUTS: s->input_count = (uint32_t)strtoul(to, NULL, 10); break;
    case SAID_OUTPUTS: s->output_count = (uint32_t)strtoul(to, NULL, 10); break;
    default: sample_set_param(s, (OH_NN_TensorType)wrong->which, to, types); break;
    }
}

/* The type that a change wants, "int32: 1 0"; OH_NN_UNKNOWN: any. */
SAMPLE_FN OH_NN_DataType sample_wanted(const said_wrong *wrong) {
    return strchr(wrong->to, ':') != NULL ? sample_dtype(wrong->to) : OH_NN_UNKNOWN;
}

/* --------------------------------------------------------------------------------------- types by trying */

#define SAMPLE_TYPINGS 16

/* The data types that are tried: each as it is, and integers up to 32 bits quantized, too. */
SAMPLE_FN void sample_typing(int i, OH_NN_DataType *dtype, bool *quantized) {
    static const struct {
        OH_NN_DataType dtype;
        bool quantized;
    } typings[SAMPLE_TYPINGS] = {
        {OH_NN_FLOAT32, false}, {OH_NN_FLOAT16, false}, {OH_NN_INT8, true},    {OH_NN_UINT8, true},
        {OH_NN_INT16, true},    {OH_NN_INT32, false},   {OH_NN_INT64, false},  {OH_NN_BOOL, false},
        {OH_NN_INT8, false},    {OH_NN_UINT8, false},   {OH_NN_INT16, false},  {OH_NN_INT32, true},
        {OH_NN_UINT16, false},  {OH_NN_UINT32, false},  {OH_NN_UINT64, false}, {OH_NN_FLOAT64, false}};
    *dtype = typings[i].dtype;
    *quantized = typings[i].quantized;
}

SAMPLE_FN bool said_has(const said_operator *said, said_role role) {
    uint32_t i;
    for (i = 0; i < said->input_count; i++)
        if (said->inputs[i].role == role) return true;
    for (i = 0; i < said->output_count; i++)
        if (said->outputs[i].role == role) return true;
    return false;
}

/* Weights and biases that are tried beside activations. */
static const OH_NN_DataType sample_weights[] = {OH_NN_FLOAT32, OH_NN_FLOAT16, OH_NN_INT8, OH_NN_UINT8, OH_NN_INT16};
static const OH_NN_DataType sample_biases[] = {OH_NN_FLOAT32, OH_NN_FLOAT16, OH_NN_INT32, OH_NN_INT64};

/* The next combination of types that the operator may have; false behind the last one. *at: 0 before the first. */
SAMPLE_FN bool sample_next_types(const said_operator *said, int *at, sample_types *types) {
    const int weights = said_has(said, SAID_WEIGHTS) ? (int)NNRT__COUNT_OF(sample_weights) : 1;
    const int biases = said_has(said, SAID_BIAS) ? (int)NNRT__COUNT_OF(sample_biases) : 1;
    const int others = said_has(said, SAID_OTHER) ? SAMPLE_TYPINGS : 1;
    const int i = (*at)++;
    if (i >= SAMPLE_TYPINGS * weights * biases * others) return false;
    sample_typing(i / others / biases / weights, &types->data, &types->quantized);
    types->weights = sample_weights[i / others / biases % weights];
    types->bias = sample_biases[i / others % biases];
    sample_typing(i % others, &types->other, &types->other_quantized);
    types->ints = OH_NN_INT32;
    return true;
}

/* The first combination that the device takes, of activations of `wanted` if that is a type. */
SAMPLE_FN bool sample_first_types(const said_operator *said, OH_NN_DataType wanted, sample_types *types) {
    int at = 0;
    while (sample_next_types(said, &at, types)) {
        sample s;
        sample_answer answer;
        if (wanted != OH_NN_UNKNOWN && types->data != wanted) continue;
        sample_make(&s, said, types);
        sample_try(&s, false, &answer);
        if (answer.call == SAID_NEVER) return true;
    }
    return false;
}

#endif /* NNRT_TESTS_OPERATORS_SAMPLE_H */
