/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_custom.h - translators of operators that have a name of their own.   >>tflite_operators_custom */
#ifndef NNRT_TFLITE_OPERATORS_CUSTOM_H
#define NNRT_TFLITE_OPERATORS_CUSTOM_H

#include "flexbuffer.h"
#include "translate.h"

/* TFLite_Detection_PostProcess: options by name, those of OpenHarmony's operator. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_detection(nnrt__tflite *t, nnrt__tflite_op *op) {
    static const struct {
        const char *name;
        OH_NN_TensorType type; /* OH_NN_TENSOR: one of the scales */
        bool is_integer;
        double absent;
    } options[] = {{"y_scale", OH_NN_TENSOR, false, 0},
                   {"x_scale", OH_NN_TENSOR, false, 0},
                   {"h_scale", OH_NN_TENSOR, false, 0},
                   {"w_scale", OH_NN_TENSOR, false, 0},
                   {"nms_iou_threshold", OH_NN_DETECTION_POST_PROCESS_NMS_IOU_THRESHOLD, false, 0},
                   {"nms_score_threshold", OH_NN_DETECTION_POST_PROCESS_NMS_SCORE_THRESHOLD, false, 0},
                   {"max_detections", OH_NN_DETECTION_POST_PROCESS_MAX_DETECTIONS, true, 0},
                   {"detections_per_class", OH_NN_DETECTION_POST_PROCESS_DETECTIONS_PER_CLASS, true, 100},
                   {"max_classes_per_detection", OH_NN_DETECTION_POST_PROCESS_MAX_CLASSES_PER_DETECTION, true, 0},
                   {"num_classes", OH_NN_DETECTION_POST_PROCESS_NUM_CLASSES, true, 0}};
    float scales[4] = {0, 0, 0, 0};
    double regular = 0;
    nnrt__flex_map map;
    size_t i;
    if (op->output_count != 4) return nnrt__tflite_op_wrong(op, "it has not four outputs");
    if (!nnrt__flex_open(&t->fb, &op->custom, &map)) return nnrt__tflite_op_broken(t, op);
    for (i = 0; i < NNRT__COUNT_OF(options); i++) {
        double value = options[i].absent;
        if (!nnrt__flex_number(&map, options[i].name, &value)) return nnrt__tflite_op_broken(t, op);
        if (!(value >= -2147483648.0 && value <= 2147483647.0))
            return nnrt__tflite_op_wrong(op, "a number of its options is out of range");
        if (options[i].type == OH_NN_TENSOR) scales[i] = (float)value;
        else if (options[i].is_integer) nnrt__tflite_param_i64(op, options[i].type, (int64_t)value);
        else nnrt__tflite_param_f32(op, options[i].type, (float)value);
    }
    if (!nnrt__flex_number(&map, "use_regular_nms", &regular)) return nnrt__tflite_op_broken(t, op);
    nnrt__tflite_param_byte(op, OH_NN_DETECTION_POST_PROCESS_USE_REGULAR_NMS, OH_NN_BOOL, regular < 0 || regular > 0);
    nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
    nnrt__tflite_param(op, OH_NN_DETECTION_POST_PROCESS_SCALE, OH_NN_FLOAT32, 4, scales);
    return nnrt__tflite_add(t, op);
}

#endif /* NNRT_TFLITE_OPERATORS_CUSTOM_H */
