/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement_resize.h - the operator that resizes images.   >>cpu_ops_movement_resize */
#ifndef NNRT_CPU_OPS_MOVEMENT_RESIZE_H
#define NNRT_CPU_OPS_MOVEMENT_RESIZE_H

#include "lower_elementwise.h"
#include "ops_movement_base.h"

/* ----------------------------------------------------------------------------------------------- resizing */

NNRT__FN OH_NN_ReturnCode nnrt__resize_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const int64_t mode = nnrt__ir_int(node, OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE, 0);
    nnrt__step_resize_args *args = (nnrt__step_resize_args *)node->spec;
    int64_t dims[4];
    uint32_t count = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code != OH_NN_SUCCESS) return code;
    if (in->rank != 4) return nnrt__movement_bad(ir, node, "the input does not have 4 dimensions");
    if (in->dtype != OH_NN_FLOAT32 && in->dtype != OH_NN_INT8 &&
        !((in->dtype == OH_NN_UINT8 || in->dtype == OH_NN_INT16) && in->quant.count == 1 &&
          nnrt__ir_out(ir, node, 0)->quant.count == 1))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is no kernel for this data type");
    if (mode < 0 || mode > 2) return nnrt__movement_bad(ir, node, "there is no such coordinate mode");
    if (nnrt__ir_int(node, OH_NN_RESIZE_BILINEAR_PRESERVE_ASPECT_RATIO, 0) != 0)
        return nnrt__movement_bad(ir, node, "the aspect ratio cannot be preserved");
    dims[0] = in->dims[0];
    dims[1] = nnrt__ir_int(node, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, 0);
    dims[2] = nnrt__ir_int(node, OH_NN_RESIZE_BILINEAR_NEW_WIDTH, 0);
    dims[3] = in->dims[3];
    if (node->input_count > 1) { /* of a .tflite file */
        code = nnrt__movement_ints(ir, node, 1, dims + 1, 2, &count);
        if (code != OH_NN_SUCCESS) return code;
        if (count != 2) return nnrt__movement_bad(ir, node, "the new size is not a height and a width");
    }
    if (dims[1] < 1 || dims[2] < 1) return nnrt__movement_bad(ir, node, "the new height or width is below 1");
    args->resize.mode = (uint32_t)mode;
    return nnrt__movement_set_shape(ir, node, 0, 4, dims);
}

/* Is it resized in float? uint8, and int16 of two quantizations. */
NNRT__FN bool nnrt__resize_by_floats(const nnrt__ir_value *in, const nnrt__ir_value *out) {
    return in->dtype == OH_NN_UINT8 || (in->dtype == OH_NN_INT16 && !nnrt__ir_moves_unchanged(in, out));
}

/* The scale and zero point with which value i is resized in float: none, as in TensorFlow Lite, or, if the output is
   quantized differently, those of value i. */
NNRT__FN nnrt__ir_value nnrt__resize_bytes(const nnrt__lower *lower, const nnrt__ir_node *node, uint32_t i) {
    static const double one = 1.0;
    static const int32_t zero = 0;
    nnrt__ir_value bytes = lower->ir->values[i];
    if (nnrt__ir_moves_unchanged(nnrt__ir_in(lower->ir, node, 0), nnrt__ir_out(lower->ir, node, 0))) {
        bytes.quant.scales = &one;
        bytes.quant.zero_points = &zero;
    }
    return bytes;
}

NNRT__FN OH_NN_ReturnCode nnrt__resize_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const uint32_t given = nnrt__lower_value(lower, node->inputs[0]);
    const uint32_t wanted = nnrt__lower_value(lower, node->outputs[0]);
    const bool floats = nnrt__resize_by_floats(in, out);
    const uint32_t src = floats ? nnrt__lower_like(lower, OH_NN_FLOAT32, node->inputs[0]) : given;
    const uint32_t dst = floats ? nnrt__lower_like(lower, OH_NN_FLOAT32, node->outputs[0]) : wanted;
    nnrt__ir_value bytes = nnrt__resize_bytes(lower, node, node->inputs[0]);
    nnrt__step_resize_args *args = (nnrt__step_resize_args *)node->spec;
    double in_scale, out_scale;
    if (floats) nnrt__lower_quantize(lower, node, &bytes, given, src);
    args->resize.in_height = in->dims[1];
    args->resize.in_width = in->dims[2];
    args->resize.out_height = out->dims[1];
    args->resize.out_width = out->dims[2];
    args->resize.channels = in->dims[3];
    if (in->dtype == OH_NN_INT8 && !nnrt__ir_moves_unchanged(in, out) &&
        nnrt__ir_quant(in, &in_scale, &args->resize.input_zero_point) &&
        nnrt__ir_quant(out, &out_scale, &args->resize.output_zero_point)) {
        args->resize.ratio = (float)(in_scale / out_scale);
        args->requantize = 1;
    }
    (void)nnrt__lower_spec(lower, NNRT__KIND(resize_bilinear), node, &src, 1, &dst, 1, NULL);
    bytes = nnrt__resize_bytes(lower, node, node->outputs[0]);
    if (floats) nnrt__lower_quantize(lower, node, &bytes, dst, wanted);
    return lower->status;
}

#endif /* NNRT_CPU_OPS_MOVEMENT_RESIZE_H */
