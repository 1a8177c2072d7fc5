/* SPDX-License-Identifier: Apache-2.0 */
/* said.h - what is said of an operator beyond its rows in core/optable.h and core/optable_params.h: names and shapes of
   what it reads and writes, what a parameter means and what it is when it is left out, what is refused, where the
   definition comes from.

   No program carries it: docs/operators.md is printed from it and from the tables of the library, and
   tests/cpu/test_ops_said.c proves every line. So each operator has here a sample too, numbers for everything that it
   needs: the sample is built and run, and spoiled in each of the ways that are said to be refused.

   Numbers of shapes, values and changes are texts, "1 5 5 4", because most of them are short and all of them are read
   by one function. Families of operators that share rows are rooms of this folder; every.h lists them. */
#ifndef NNRT_TESTS_OPERATORS_SAID_H
#define NNRT_TESTS_OPERATORS_SAID_H

/* Which data type an operand has. */
typedef enum said_role {
    SAID_DATA,    /* that of the operator: what is tried with every type */
    SAID_WEIGHTS, /* of a product: int8 beside wider activations */
    SAID_BIAS,    /* of a product: the type of its sums */
    SAID_INTS,    /* int32 or int64: axes, shapes, indices */
    SAID_TRUTH,   /* bool */
    SAID_REAL,    /* float32, whatever the others are */
    SAID_TYPE,    /* the OH_NN_DataType that an output has, as int32 */
    SAID_OTHER,   /* any, tried together with that of the data: the result of a conversion */
    SAID_ANY      /* any; the sample has float32 */
} said_role;

/* When the sample gives it. Whether it may be given at the other time, too, is found out. */
typedef enum said_time {
    SAID_AT_RUN,
    SAID_AT_BUILD
} said_time;

typedef struct said_operand {
    const char *name, *shape; /* for the page */
    const char *about;        /* for the page: what it is, beyond its name; NULL: nothing */
    said_role role;
    said_time time;
    const char *dims;   /* of the sample; "": a scalar */
    const char *values; /* of the sample; NULL: 1, -2, 3, -4, 5, -1 ... */
} said_operand;

/* A parameter. It must be given where `absent` is NULL: leaving it out is refused. */
typedef struct said_param {
    OH_NN_TensorType type;
    const char *about, *range; /* for the page; range NULL: what core/optable_params.h says, if anything */
    const char *absent;        /* for the page: what it is when it is left out */
    const char *same;          /* values that mean the same as leaving it out; NULL: none does */
    const char *sample;        /* values in the sample; NULL: it is left out there */
    const char *refused;       /* lists that are refused when the model is built, "2; -3"; NULL: none */
} said_param;

/* What of the sample is changed. */
typedef enum said_change {
    SAID_INPUT_DIMS,   /* which: input; to: its shape */
    SAID_INPUT_VALUES, /* which: input; to: its numbers, and as many in one dimension where there are more or fewer */
    SAID_INPUT_TYPE,   /* which: input; to: a data type, "int32"; not quantized */
    SAID_OUTPUT_TYPE,  /* which: output; to: as above */
    SAID_INPUTS,       /* to: so many inputs, the last one again and again */
    SAID_OUTPUTS,      /* to: so many outputs */
    SAID_PARAM         /* which: OH_NN_TensorType; to: its values */
} said_change;

/* The call that refuses it, which says which code. */
typedef enum said_call {
    SAID_ADD,    /* OH_NNModel_AddOperation: OH_NN_INVALID_PARAMETER */
    SAID_FINISH, /* OH_NNModel_Finish: OH_NN_FAILED */
    SAID_BUILD,  /* OH_NNCompilation_Build: OH_NN_FAILED */
    SAID_RUN,    /* OH_NNExecutor_RunSync: OH_NN_UNAVAILABLE_DEVICE */
    SAID_NEVER,  /* it is not refused */
    SAID_BEFORE  /* one that adds the tensors: the sample itself is wrong */
} said_call;

typedef struct said_wrong {
    const char *what; /* for the page */
    said_change change;
    int which;
    const char *to; /* "int32: 1 0 2": in a sample of that type */
    said_call call;
} said_wrong;

/* Which numbers the output of a quantized sample has. */
typedef enum said_span {
    SAID_AS_INPUT,     /* the scale and zero point of the input */
    SAID_FROM_0_TO_1,  /* 1/256 and the lowest byte; int16: 1/32768 */
    SAID_FROM_M1_TO_1, /* 1/128 and the middle; int16: 1/32768 */
} said_span;

typedef struct said_operator {
    OH_NN_OperationType op;
    const char *name;
    const said_operand *inputs;
    unsigned input_count;
    const said_operand *outputs;
    unsigned output_count;
    const said_param *params;
    unsigned param_count;
    const said_wrong *wrongs;
    unsigned wrong_count;
    said_span span;
    const char *computes; /* a formula or a few words */
    const char *source;   /* whose definition it is */
} said_operator;

/* A section of the page. Operators of it that point at the same rows share a table there. */
typedef struct said_family {
    const char *title, *about;
    const said_operator *operators;
    unsigned count;
} said_family;

/* A row of a family: the fields behind the name. Each of the four lists is SAID_LIST(array) or SAID_NONE. */
#define SAID(op, ...) \
    { OH_NN_OPS_##op, #op, __VA_ARGS__ }
#define SAID_LIST(array) array, (unsigned)(sizeof(array) / sizeof(array[0]))
#define SAID_NONE NULL, 0u

/* Whose definition: what the page explains above its sections. */
#define OPENHARMONY "OpenHarmony"
#define MINDSPORE "MindSpore Lite"
#define TFLITE "TensorFlow Lite"

#endif /* NNRT_TESTS_OPERATORS_SAID_H */
