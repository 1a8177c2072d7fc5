/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_detection.h - DETECTION_POST_PROCESS, the custom operator of .tflite, too.   >>cpu_ops_detection

   Inputs may be float32, or int8 or uint8 with one scale and zero point: these are converted to float32 first, constant
   anchors at Build. INPUT_SIZE and OUT_QUANTIZED are ignored: the outputs are float32. Where OpenHarmony's
   documentation is silent, this follows MindSpore Lite. TensorFlow Lite differs when a detection has several classes:
   it counts detections, MindSpore Lite counts rows. Nodes of .tflite files ask for that (NNRT__TENSOR_TFLITE). */
#ifndef NNRT_CPU_OPS_DETECTION_H
#define NNRT_CPU_OPS_DETECTION_H

#include "lower_elementwise.h"
#include "ops_movement_base.h"
#include "steps_detection.h"

/* A number from 1 to 2^30. */
NNRT__FN bool nnrt__detect_number(const nnrt__ir_node *node, OH_NN_TensorType type, uint32_t *number) {
    const int64_t value = nnrt__ir_int(node, type, 0);
    if (value < 1 || value > 1 << 30) return false;
    *number = (uint32_t)value;
    return true;
}

/* The parameters; NULL, or what is wrong. */
NNRT__FN const char *nnrt__detect_read(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__detect_args *args) {
    const nnrt__ir_value *encodings = nnrt__ir_in(ir, node, 0), *scores = nnrt__ir_in(ir, node, 1);
    const nnrt__ir_value *anchors = nnrt__ir_in(ir, node, 2);
    const nnrt_param *scale = nnrt__ir_param(node, OH_NN_DETECTION_POST_PROCESS_SCALE);
    float scales[4];
    uint32_t i;
    if (encodings->rank != 3 || encodings->dims[0] != 1 || encodings->dims[2] < 4)
        return "the boxes are not [1, boxes, 4]";
    args->boxes = (uint32_t)encodings->dims[1];
    args->coordinates = (uint32_t)encodings->dims[2];
    if (scores->rank != 3 || scores->dims[0] != 1 || scores->dims[1] != encodings->dims[1])
        return "the scores are not [1, boxes, classes]";
    args->columns = (uint32_t)scores->dims[2];
    if (anchors->rank != 2 || anchors->dims[0] != encodings->dims[1] || anchors->dims[1] != 4)
        return "the anchors are not [boxes, 4]";
    if (scale == NULL || scale->count != 4) return "the scale is not four numbers";
    for (i = 0; i < 4; i++) {
        scales[i] = nnrt__read_f32((const uint8_t *)scale->data + 4 * i);
        if (!(scales[i] > 0.0f)) return "a scale is not positive";
    }
    args->y_scale = scales[0];
    args->x_scale = scales[1];
    args->h_scale = scales[2];
    args->w_scale = scales[3];
    if (!nnrt__detect_number(node, OH_NN_DETECTION_POST_PROCESS_MAX_DETECTIONS, &args->most))
        return "the number of detections is below 1 or too large";
    if (!nnrt__detect_number(node, OH_NN_DETECTION_POST_PROCESS_MAX_CLASSES_PER_DETECTION, &args->classes_each))
        return "the number of classes of a detection is below 1 or too large";
    if (!nnrt__detect_number(node, OH_NN_DETECTION_POST_PROCESS_NUM_CLASSES, &args->classes) ||
        args->classes > args->columns)
        return "the number of classes is below 1, or the scores have not as many";
    args->regular = nnrt__ir_int(node, OH_NN_DETECTION_POST_PROCESS_USE_REGULAR_NMS, 0) != 0 ? 1 : 0;
    if (!nnrt__detect_number(node, OH_NN_DETECTION_POST_PROCESS_DETECTIONS_PER_CLASS, &args->most_each)) {
        if (args->regular != 0) return "the number of detections of a class is below 1 or too large";
        args->most_each = 1;
    }
    args->counts_boxes = nnrt__ir_int(node, NNRT__TENSOR_TFLITE, 0) != 0 ? 1 : 0;
    args->overlap = nnrt__ir_float(node, OH_NN_DETECTION_POST_PROCESS_NMS_IOU_THRESHOLD, 0.0f);
    args->score = nnrt__ir_float(node, OH_NN_DETECTION_POST_PROCESS_NMS_SCORE_THRESHOLD, 0.0f);
    if (args->overlap != args->overlap || args->score != args->score) return "a threshold is not a number";
    return NULL;
}

NNRT__FN OH_NN_ReturnCode nnrt__detect_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__detect_args *args = (nnrt__detect_args *)node->spec;
    int64_t dims[3];
    uint32_t i;
    OH_NN_ReturnCode code;
    const char *wrong;
    for (i = 0; i < 3; i++)
        if (!nnrt__ir_is_real(nnrt__ir_in(ir, node, i)))
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                                 "it takes float32, or int8 and uint8 with one scale and zero point");
    for (i = 0; i < 4; i++)
        if (nnrt__ir_out(ir, node, i)->dtype != OH_NN_FLOAT32)
            return nnrt__movement_bad(ir, node, "the outputs must be float32");
    wrong = nnrt__detect_read(ir, node, args);
    if (wrong != NULL) return nnrt__movement_bad(ir, node, wrong);
    dims[0] = 1;
    dims[1] = (int64_t)args->most * args->classes_each;
    dims[2] = 4;
    code = nnrt__movement_set_shape(ir, node, 0, 3, dims);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_set_shape(ir, node, 1, 2, dims);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_set_shape(ir, node, 2, 2, dims);
    return code != OH_NN_SUCCESS ? code : nnrt__movement_set_shape(ir, node, 3, 1, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__detect_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    uint32_t inputs[3], outputs[4], i;
    for (i = 0; i < 3; i++) {
        const nnrt__ir_value *value = nnrt__ir_in(lower->ir, node, i);
        inputs[i] = value->data != NULL && value->dtype != OH_NN_FLOAT32
                        ? nnrt__lower_constant_f32(lower, node, node->inputs[i])
                        : nnrt__lower_as_f32(lower, node, node->inputs[i]);
    }
    for (i = 0; i < 4; i++) outputs[i] = nnrt__lower_value(lower, node->outputs[i]);
    return nnrt__lower_spec(lower, NNRT__KIND(detection), node, inputs, 3, outputs, 4, NULL);
}

NNRT__CPU_OP_READ(DETECTION_POST_PROCESS, nnrt__detect_args, NNRT__CPU_HEAVY, nnrt__detect_infer, nnrt__detect_lower)

#endif /* NNRT_CPU_OPS_DETECTION_H */
