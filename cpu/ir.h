/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ir.h - the graph while it is being compiled, and how operators become steps.   >>cpu_ir

   Build copies only the structure of the graph: an IR value points at the constant bytes where they are. The stages are
   graph -> IR (order of execution) -> rewrites, shapes, folding -> passes -> lowering -> plan Every stage before
   lowering may add and erase nodes (cpu/ir_edit.h); their memory lives until the IR is freed. Adding an operator to the
   CPU device is one nnrt__cpu_op row (infer, lower), its kinds of steps (cpu/kinds.h) and, when none fits, a new one.
   */
#ifndef NNRT_CPU_IR_H
#define NNRT_CPU_IR_H

#include "../core/graph.h"
#include "../kernels/pack_scalar.h"
#include "accelerator.h"
#include "plan.h"

typedef struct nnrt__ir_value {
    const char *name;
    OH_NN_DataType dtype;
    OH_NN_Format format;
    uint32_t rank;
    int32_t dims[NNRT_MAX_RANK]; /* before inference: as declared, -1 where dynamic; after: all >= 1 */
    size_t count;                /* elements, after inference */
    size_t size;                 /* bytes, after inference */
    nnrt_quant quant;
    const void *data;  /* constant: any alignment; NULL: computed */
    void *owned;       /* data of a constant made by Build; freed with the IR */
    bool known;        /* shape inferred or given */
    bool shifted;      /* weights whose zero point need not be 0, of cpu/rewrite_uint8.h */
    const void *first; /* of a state: initial contents, any alignment; NULL: zeros, or not a state */
    uint32_t input;    /* which input of the model or state this is, or NNRT__NONE */
    uint32_t output;   /* which output this is, or NNRT__NONE */
    uint32_t producer; /* node, or NNRT__NONE */
    uint32_t uses;     /* node inputs that read it, + 1 if it is a model output */
    uint32_t alias;    /* value whose memory this one shares (same bytes, other shape), or NNRT__NONE */
    uint32_t form;     /* value with the same numbers in the type that operators compute in, or NNRT__NONE */
    uint32_t mark;     /* its index in the part being extracted (cpu/ir_cut.h), or NNRT__NONE */
} nnrt__ir_value;

/* The spec of a node that stands for a part of the graph (cpu/accelerate.h). */
typedef struct nnrt__ir_accelerated {
    char accelerator[NNRT__ACCELERATOR_NAME]; /* its name, with zeros behind */
    uint64_t macs;
} nnrt__ir_accelerated;

/* Parameters besides the operands are in params. Only the operator's infer reads them, once, and keeps what it read in
   spec. */
typedef struct nnrt__ir_node {
    OH_NN_OperationType op;
    uint32_t origin; /* the operator of the program's graph that it is, or was made for */
    uint32_t param_count;
    const nnrt_param *params; /* the graph's, or the IR's */
    void *spec;               /* the structure named in its row, filled by infer; owned by the IR */
    uint32_t input_count, output_count;
    uint32_t *inputs;          /* value indices */
    uint32_t *outputs;         /* value indices */
    uint32_t activation;       /* OH_NN_FuseType, from its parameters or fused in by a pass */
    bool has_padding;          /* a PAD of zeros (zero points) in front was fused, */
    int32_t pad_top, pad_left; /* and adds this to its own pads */
    bool has_affine;           /* the next operator was folded into its weights (cpu/pass_affine.h) */
    uint32_t next;             /* in order of execution; NNRT__NONE: the last */
    uint32_t previous;
    bool erased; /* removed from the graph */
} nnrt__ir_node;

/* A block of IR memory; allocations follow this header. */
typedef struct nnrt__ir_piece {
    struct nnrt__ir_piece *next;
    size_t size, used; /* bytes that follow */
} nnrt__ir_piece;

typedef struct nnrt__ir {
    nnrt__ir_value *values;
    uint32_t value_count, value_capacity;
    nnrt__ir_node *nodes; /* in any order, erased ones included; first, next ... give the order of execution */
    uint32_t node_count, node_capacity;
    uint32_t first, last;
    uint32_t *inputs, *outputs; /* states are the last state_count of both (cpu/state.h) */
    uint32_t input_count, output_count, state_count;
    nnrt__ir_piece *pieces; /* the first has free room */
} nnrt__ir;

/* Callback that learns which operators of a graph are refused. With it, compiling continues after a refusal as far as
   shapes are known, and fails at the end. */
typedef struct nnrt__refusals {
    nnrt_refuse_callback refuse;
    void *user;
    uint32_t count; /* of calls while it was compiled */
} nnrt__refusals;

NNRT__INLINE nnrt__ir_value *nnrt__ir_in(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t i) {
    NNRT_ASSERT(i < node->input_count && node->inputs[i] < ir->value_count);
    return &ir->values[node->inputs[i]];
}
NNRT__INLINE nnrt__ir_value *nnrt__ir_out(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t i) {
    NNRT_ASSERT(i < node->output_count && node->outputs[i] < ir->value_count);
    return &ir->values[node->outputs[i]];
}

/* Read a node's parameters; core/optable.h has their counterparts for nodes of a graph. */
NNRT__FN const nnrt_param *nnrt__ir_param(const nnrt__ir_node *node, OH_NN_TensorType type) {
    return nnrt__params_find(node->params, node->param_count, type);
}
NNRT__FN int64_t nnrt__ir_int(const nnrt__ir_node *node, OH_NN_TensorType type, int64_t absent) {
    return nnrt__param_first_int(nnrt__ir_param(node, type), absent);
}
NNRT__FN float nnrt__ir_float(const nnrt__ir_node *node, OH_NN_TensorType type, float absent) {
    return nnrt__param_first_float(nnrt__ir_param(node, type), absent);
}
NNRT__FN uint32_t nnrt__ir_ints(const nnrt__ir_node *node, OH_NN_TensorType type, int64_t *out, uint32_t capacity) {
    return nnrt__params_ints(node->op, node->params, node->param_count, type, out, capacity);
}

/* For infer: sets the inferred shape of output i and checks it against the declared one (-1 matches anything;
   a rank-0 value and [1] are the same; a declared rank 0 takes any inferred shape of one element).
   OH_NN_FAILED with a sentence when they differ, a dim is < 1, rank > NNRT_MAX_RANK or the byte size does not
   fit 1 GiB. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_set_shape(nnrt__ir *ir, const nnrt__ir_node *node, uint32_t i, uint32_t rank,
                                             const int32_t *dims);

/* For infer: "CONV2D (node 3, output "name"): <reason>". code: OH_NN_FAILED for geometry and values that
   cannot be, OH_NN_UNSUPPORTED for data types and options that no kernel takes. reason is a constant
   sentence. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_fail(const nnrt__ir *ir, const nnrt__ir_node *node, OH_NN_ReturnCode code,
                                        const char *reason);

/* For infer and lower: checks that an integer of magnitude `most` can be rescaled with this shift of
   nnrt__quantize_multiplier, made for the ratio of in_scale, the scale of an input, to that of output 0.
   OH_NN_UNSUPPORTED, with both scales, when its left shift would leave 32 bits: the kernels wrap there, and a result
   that should saturate would be any byte. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_check_rescale(const nnrt__ir *ir, const nnrt__ir_node *node, double in_scale,
                                                 uint64_t most, int32_t shift);

/* For infer: reads an integer list from a CONSTANT value, of any integer type or of floats that are whole numbers below
   2^53: false when the value is not constant, is none of these or has more than capacity elements. *count elements. */
NNRT__FN bool nnrt__ir_constant_ints(const nnrt__ir_value *value, int64_t *out, uint32_t capacity, uint32_t *count);

/* Per-tensor quantization of a value: true and its scale and zero point when there is exactly one pair. */
NNRT__INLINE bool nnrt__ir_quant(const nnrt__ir_value *value, double *scale, int32_t *zero_point) {
    NNRT_ASSERT(value->quant.count == 0 || (value->quant.scales != NULL && value->quant.zero_points != NULL));
    if (value->quant.count != 1) return false;
    *scale = value->quant.scales[0];
    *zero_point = value->quant.zero_points[0];
    return true;
}

/* ------------------------------------------------------------------------------------- lowering

   lower is called once for every node, in order of execution. It adds values and steps and fills in the arguments of
   the steps. For a constant it gives the size and a function that fills it once the plan is laid out, so that weights
   go from the caller's bytes straight into the plan. */
typedef struct nnrt__lower {
    nnrt__ir *ir;
    const nnrt__cpu_table *kernels;
    bool keep_weights;       /* OH_NN_PERFORMANCE_LOW: prefer raw weights in place to packed ones */
    bool unnamed;            /* what is lowered now has no name in the plan */
    OH_NN_ReturnCode status; /* the first failure; every call below does nothing after it */
    struct nnrt__plan_writer *writer;
} nnrt__lower;

/* The plan value of an IR value. A constant is copied into the plan (or referred to in the model's bytes when
   keep_weights is set and it is aligned for its dtype). */
NNRT__FN uint32_t nnrt__lower_value(nnrt__lower *lower, uint32_t ir_value);

/* The source of a constant. */
typedef struct nnrt__filling {
    const nnrt__ir *ir;
    const nnrt__ir_node *node; /* node that asked for it */
    const void *context;       /* a copy of what lower gave, 8-byte aligned */
    size_t count;              /* elements of the constant */
    nnrt__pack_taken taken;    /* notified of weights that have been packed */
} nnrt__filling;

/* Writes the constant to `to`, which is 64-byte aligned and zeroed. Sets a sentence on failure. */
typedef OH_NN_ReturnCode (*nnrt__fill)(const nnrt__filling *filling, void *to);

/* A constant for steps, any number of them: `count` elements of dtype, rank 1. Returns its plan value, or NNRT__NONE on
   failure. fill is called once, after every node has been lowered. context: context_size bytes for fill, which are
   copied. They may point into the IR and its data, which do not change. */
NNRT__FN uint32_t nnrt__lower_constant(nnrt__lower *lower, const nnrt__ir_node *node, OH_NN_DataType dtype,
                                       size_t count, nnrt__fill fill, const void *context, size_t context_size);

/* Leaves a constant IR value where it is in the model's bytes: true, *value set. Only with keep_weights, and for
   int8/uint8/bool (any alignment) or an aligned wider type. false: copy it instead. */
NNRT__FN bool nnrt__lower_in_model(nnrt__lower *lower, uint32_t ir_value, uint32_t *value);

/* The step's work, for a profile. */
typedef struct nnrt__step_info {
    uint64_t macs;
    uint64_t weights_bytes;
    uint32_t weight_scales;
} nnrt__step_info;

/* Does this build have the kind, and its kernels for this plan's instruction set? */
NNRT__FN bool nnrt__lower_has(const nnrt__lower *lower, const nnrt__step_kind *kind);

/* The same where there is no alternative. false: lower->status is set, with a sentence that names the operator.
   nnrt__lower_step checks it too; code that packs weights for a kernel checks first. */
NNRT__FN bool nnrt__lower_needs(nnrt__lower *lower, const nnrt__step_kind *kind, const nnrt__ir_node *node);

/* Adds a step. kind is NNRT__KIND(name) of cpu/kinds.h. inputs may hold NNRT__NONE for an absent optional operand.
   Returns the arguments to fill (zeroed, 8-byte aligned, of the kind's size, valid until the next step is added), or
   NULL on failure. info may be NULL. */
NNRT__FN void *nnrt__lower_step(nnrt__lower *lower, const nnrt__step_kind *kind, const nnrt__ir_node *node,
                                const uint32_t *inputs, uint32_t input_count, const uint32_t *outputs,
                                uint32_t output_count, const nnrt__step_info *info);

/* A step whose arguments are the first of node->spec. Returns lower->status. */
NNRT__FN OH_NN_ReturnCode nnrt__lower_spec(nnrt__lower *lower, const nnrt__step_kind *kind, const nnrt__ir_node *node,
                                           const uint32_t *inputs, uint32_t input_count, const uint32_t *outputs,
                                           uint32_t output_count, const nnrt__step_info *info);

/* A temporary between two steps of one node: an arena value of that dtype and shape. */
NNRT__FN uint32_t nnrt__lower_temporary(nnrt__lower *lower, OH_NN_DataType dtype, uint32_t rank, const int32_t *dims);

/* -------------------------------------------------------------------------------- operators of the device */

/* infer   checks dtypes, quantization and parameters, sets the shape of every output, and fills node->spec, which holds
           zeros. Codes as for nnrt__ir_fail. Shapes of all inputs are known. Must not depend on data of inputs that
           are not constant, and only on those of inputs that flags name.
   lower   makes the steps of node->spec. OH_NN_SUCCESS, or a failure with a sentence; lower->status when a call above
           failed.
   spec    bytes of node->spec
   flags   NNRT__CPU_*
   Which kinds of steps lower may add is said in cpu/kinds.h: nnrt__lower_step refuses every other. */
#define NNRT__CPU_RENAMES 0x1u  /* output 0 has the bytes of input 0; lower is used if they cannot be shared */
#define NNRT__CPU_CLAMPS 0x2u   /* its kernels clamp for free: a RELU or RELU6 after it becomes its activation */
#define NNRT__CPU_HEAVY 0x4u    /* work that is a product of sizes: never done at Build */
#define NNRT__CPU_ANY_TYPE 0x8u /* float16 is not widened for it (cpu/rewrite_float16.h) */
/* infer reads the values of input i, at most 3: axes, a shape, a count. They are constant, computed from constants and
   shapes, or given by the run (cpu/values.h). */
#define NNRT__CPU_VALUES(i) (0x10u << (i))
typedef struct nnrt__cpu_op {
    OH_NN_OperationType op;
    uint8_t flags;
    uint16_t spec;
    OH_NN_ReturnCode (*infer)(nnrt__ir *ir, const nnrt__ir_node *node);
    OH_NN_ReturnCode (*lower)(nnrt__lower *lower, const nnrt__ir_node *node);
} nnrt__cpu_op;

/* Each row is a separate object: nothing refers to an operator that NNRT_OPS leaves out, so the compiler drops it and
   whatever only it uses. Each family file ends with its rows; cpu/ops.h makes the table. */
#define NNRT__CPU_OP(name, flags, infer, lower) \
    static const nnrt__cpu_op nnrt__cpu_op_##name = {OH_NN_OPS_##name, flags, 0, infer, lower};
/* The same for one that reads parameters: its node->spec is a `type`. */
#define NNRT__CPU_OP_READ(name, type, flags, infer, lower) \
    static const nnrt__cpu_op nnrt__cpu_op_##name = {OH_NN_OPS_##name, flags, sizeof(type), infer, lower};

/* The same, dependent on the node's inputs: those of RANGE and WHERE differ between .tflite files and programs. */
NNRT__INLINE bool nnrt__ir_reads_values(const nnrt__cpu_op *row, uint32_t input_count, uint32_t i) {
    if (row->op == OH_NN_OPS_RANGE && input_count != 3) return false;
    if (row->op == OH_NN_OPS_WHERE && input_count != 1) return false;
    return i < 4 && (row->flags & NNRT__CPU_VALUES(i)) != 0;
}

/* Is its result known once the shape of its input is? */
NNRT__INLINE bool nnrt__ir_asks_shape(OH_NN_OperationType op) { return op == OH_NN_OPS_SHAPE || op == OH_NN_OPS_RANK; }

/* Why nnrt__cpu_op_find found no row. */
#ifdef NNRT_OPS
#define NNRT__NO_KERNEL "this build leaves the operator out: it is not in its NNRT_OPS"
#else
#define NNRT__NO_KERNEL "the CPU device has no kernel for this operator yet"
#endif

/* The row of an operator; NULL: NNRT__NO_KERNEL. */
NNRT__FN const nnrt__cpu_op *nnrt__cpu_op_find(OH_NN_OperationType op);

#endif /* NNRT_CPU_IR_H */
