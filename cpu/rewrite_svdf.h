/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/rewrite_svdf.h - SVDF becomes a full connection, and sums over its latest results.   >>cpu_rewrite_svdf

   In the graph its inputs are TensorFlow Lite's, with the bias last: input [batch, inputs], weights of features
   [filters, inputs], weights of time, state, bias if there is one. FULL_CONNECTION makes the features, one for each
   filter, and SVDF reads them in place of the first two (cpu/ops_svdf.h).

   Types float32; the same with int8 weights, which for time are a storage format only; or int8 with a state of int8 or
   int16: then the input becomes int16, and the features are int16 in units of the state */
#ifndef NNRT_CPU_REWRITE_SVDF_H
#define NNRT_CPU_REWRITE_SVDF_H

#include "ir_build.h"
#include "kinds.h"

/* Is it still in the graph's form? After the rewrite the fourth input is the bias, of one dimension. */
NNRT__FN bool nnrt__svdf_is_whole(const nnrt__ir *ir, const nnrt__ir_node *node) {
    return nnrt__op_is_chosen(OH_NN_OPS_SVDF) && node->op == OH_NN_OPS_SVDF &&
           (node->input_count == 5 || (node->input_count == 4 && nnrt__ir_in(ir, node, 3)->rank != 1));
}

/* The scale of the features: the state's, changed in the last bits so that the full connection gets the factor of
   TensorFlow Lite's kernels, which divide in float. */
NNRT__FN double nnrt__svdf_features_scale(double input, double weights, double state) {
    const float product = (float)input * (float)weights;
    const float factor = product / (float)state;
    return factor > 0.0f ? (double)product / (double)factor : state;
}

/* Adds a value like another one: int16 with this scale and zero point 0, or float32. */
NNRT__FN uint32_t nnrt__svdf_add_value(nnrt__ir *ir, uint32_t like, OH_NN_DataType dtype, double scale) {
    static const int32_t zero = 0;
    const uint32_t to = nnrt__ir_add_value(ir, like, dtype);
    nnrt__ir_value *value = &ir->values[to];
    double *kept = (double *)nnrt__ir_take(ir, 1, sizeof(*kept));
    *kept = scale;
    value->name = "";
    value->quant.count = dtype == OH_NN_INT16 ? 1 : 0;
    value->quant.scales = kept;
    value->quant.zero_points = &zero;
    return to;
}

/* Rewrites node i, still in the graph's form; the shapes of its inputs are known. */
NNRT__FN OH_NN_ReturnCode nnrt__rewrite_svdf(nnrt__ir *ir, uint32_t i) {
    const OH_NN_ReturnCode code =
        nnrt__ir_reserve(ir, 4, 3,
                         NNRT__IR_NODE_BYTES(3) + 2 * NNRT__IR_CAST_BYTES + 3 * sizeof(double) +
                             NNRT__IR_BYTES((size_t)nnrt__ir_in(ir, &ir->nodes[i], 1)->dims[0], int32_t));
    const nnrt__ir_node *node = &ir->nodes[i];
    const nnrt__ir_value *x = nnrt__ir_in(ir, node, 0), *weights = nnrt__ir_in(ir, node, 1);
    const nnrt__ir_value *time = nnrt__ir_in(ir, node, 2), *state = nnrt__ir_in(ir, node, 3);
    const bool integer = x->dtype == OH_NN_INT8;
    uint32_t inputs[3], features;
    double scale = 0.0;
    if (code != OH_NN_SUCCESS) return code;
    if (x->rank != 2 || weights->rank != 2 || state->rank != 2 ||
        (node->input_count == 5 && nnrt__ir_in(ir, node, 4)->rank != 1))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "an operand has not two dimensions, or the bias not one");
    if (integer && (x->quant.count != 1 || weights->quant.count != 1 || state->quant.count != 1))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "its input, its weights or its state has not one scale");
    memcpy(inputs, node->inputs, 2 * sizeof(inputs[0]));
    if (integer) {
        const uint32_t filters = (uint32_t)weights->dims[0];
        scale = nnrt__svdf_features_scale(x->quant.scales[0], weights->quant.scales[0], state->quant.scales[0]);
        inputs[0] = nnrt__svdf_add_value(ir, inputs[0], OH_NN_INT16, x->quant.scales[0]);
        nnrt__ir_add_cast(ir, i, node->origin, node->inputs[0], inputs[0]);
        /* with a 32-bit bias the sums are 32 bits, too */
        inputs[2] = nnrt__ir_add_ints(ir, (const int32_t *)nnrt__ir_take(ir, filters, sizeof(int32_t)), filters);
    }
    features = nnrt__svdf_add_value(ir, inputs[0], integer ? OH_NN_INT16 : OH_NN_FLOAT32, scale);
    ir->values[features].dims[1] = weights->dims[0];
    (void)nnrt__ir_add_node(ir, i, OH_NN_OPS_FULL_CONNECTION, node->origin, inputs, integer ? 3 : 2, features);
    if (!integer && time->dtype == OH_NN_INT8) {
        const uint32_t real = nnrt__svdf_add_value(ir, node->inputs[2], OH_NN_FLOAT32, 0.0);
        nnrt__ir_add_cast(ir, i, node->origin, node->inputs[2], real);
        nnrt__ir_set_input(ir, i, 2, real);
    }
    nnrt__ir_set_input(ir, i, 0, features);
    nnrt__ir_remove_input(ir, i, 1);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_REWRITE_SVDF_H */
