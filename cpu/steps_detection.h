/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/steps_detection.h - the last step of an SSD detector.   >>cpu_steps_detection

   Inputs: encodings, scores, anchors, FLOAT32. Outputs, FLOAT32: boxes, classes and scores of most * classes_each rows,
   and the number of valid rows. Arguments: nnrt__detect_args. Id 0x360. */
#ifndef NNRT_CPU_STEPS_DETECTION_H
#define NNRT_CPU_STEPS_DETECTION_H

#include "../kernels/detection_scalar.h"
#include "steps_movement.h"

NNRT__FN bool nnrt__detect_count_is(const nnrt__plan_value *value, uint64_t a, uint64_t b) {
    return value != NULL && value->dtype == (uint32_t)OH_NN_FLOAT32 &&
           nnrt__movement_product(a, b, 1) == nnrt__value_count(value);
}

NNRT__FN bool nnrt__detect_check(const nnrt__step_view *view) {
    const nnrt__detect_args *args = (const nnrt__detect_args *)view->arguments;
    const uint64_t rows = nnrt__movement_product(args->most, args->classes_each, 1);
    return args->coordinates >= 4 && args->classes >= 1 && args->classes <= args->columns && args->most_each >= 1 &&
           args->regular <= 1 && args->counts_boxes <= 1 && rows != 0 &&
           nnrt__detect_count_is(nnrt__step_input(view, 0), args->boxes, args->coordinates) &&
           nnrt__detect_count_is(nnrt__step_input(view, 1), args->boxes, args->columns) &&
           nnrt__detect_count_is(nnrt__step_input(view, 2), args->boxes, 4) &&
           nnrt__detect_count_is(nnrt__step_output(view, 0), rows, 4) &&
           nnrt__detect_count_is(nnrt__step_output(view, 1), rows, 1) &&
           nnrt__detect_count_is(nnrt__step_output(view, 2), rows, 1) &&
           nnrt__detect_count_is(nnrt__step_output(view, 3), 1, 1);
}

/* Most boxes that one suppression keeps. */
NNRT__FN uint32_t nnrt__detect_most(const nnrt__detect_args *args) {
    const uint32_t most = args->regular != 0 ? args->most_each : args->most;
    return most < args->boxes ? most : args->boxes;
}

/* Boxes, their best scores, candidates, kept ones. */
NNRT__FN bool nnrt__detect_scratch(const nnrt__step_view *view, size_t *bytes) {
    const nnrt__detect_args *args = (const nnrt__detect_args *)view->arguments;
    size_t kept;
    return nnrt__mul_size(args->boxes, sizeof(nnrt__rect) + sizeof(float) + sizeof(uint32_t), bytes) &&
           nnrt__mul_size(nnrt__detect_most(args), sizeof(uint32_t), &kept) && nnrt__add_size(*bytes, kept, bytes);
}

/* Every candidate is compared with every kept box, and every row moves for each one inserted before it. */
NNRT__FN uint64_t nnrt__detect_work(const nnrt__step_view *view) {
    const nnrt__detect_args *args = (const nnrt__detect_args *)view->arguments;
    const uint64_t boxes = args->boxes, most = nnrt__detect_most(args), each = boxes * (64 + 8 * most);
    return args->regular != 0 ? args->classes * (each + most * args->most) + 64 * boxes
                              : each + 2 * boxes * args->columns + most * args->classes_each * args->classes;
}

/* Candidates between checks of cancel. */
#define NNRT__DETECT_TURNS 256u

/* One suppression, which checks *cancel. */
NNRT__FN void nnrt__detect_suppress(const nnrt__step_call *call, const nnrt__detect_args *args, const nnrt__rect *boxes,
                                    nnrt__detect_nms *nms) {
    nnrt__detect_nms_begin(args, nms);
    while (nnrt__detect_nms_go_on(args, nms, boxes, NNRT__DETECT_TURNS) && !nnrt__atomic_load(call->cancel)) {}
}

NNRT__FN OH_NN_ReturnCode nnrt__detect_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    const nnrt__detect_args *args = (const nnrt__detect_args *)view->arguments;
    const float *scores = (const float *)call->data[1];
    nnrt__rect *boxes = (nnrt__rect *)call->scratch;
    float *best = (float *)(void *)(boxes + args->boxes);
    nnrt__detect_nms nms;
    nnrt__detect_out out;
    uint32_t rows = 0, i;
    NNRT_ASSERT(nnrt__call_is_right(view, call));
    nms.heap = (uint32_t *)(void *)(best + args->boxes);
    nms.kept = nms.heap + args->boxes;
    nms.most = nnrt__detect_most(args);
    out.boxes = (float *)call->data[3];
    out.classes = (float *)call->data[4];
    out.scores = (float *)call->data[5];
    for (i = 0; i < 3; i++) memset(call->data[3 + i], 0, (size_t)nnrt__step_output(view, i)->size);
    nnrt__detect_decode(args, (const float *)call->data[0], (const float *)call->data[2], boxes, 0, args->boxes);
    if (args->regular == 0) {
        nnrt__detect_best(args, scores, best, 0, args->boxes);
        nms.lane = nnrt__top_lane_f32(best, 1);
        nnrt__detect_suppress(call, args, boxes, &nms);
        rows = nnrt__detect_tell_boxes(args, scores, boxes, &nms, &out);
    }
    for (i = 0; args->regular != 0 && i < args->classes && !nnrt__atomic_load(call->cancel); i++) {
        nms.lane = nnrt__detect_lane(args, scores, 0, i, false);
        nnrt__detect_suppress(call, args, boxes, &nms);
        rows = nnrt__detect_merge(args, boxes, &nms, i, &out, rows);
    }
    *(float *)call->data[6] = (float)rows;
    return OH_NN_SUCCESS;
}

NNRT__STEP_KIND(detection, INPUTS(3, 3), OUTPUTS(4, 4), ARGUMENTS(nnrt__detect_args), CHECK(nnrt__detect_check),
                SCRATCH(nnrt__detect_scratch), UNITS(NULL), ISA(NULL), RUN(nnrt__detect_run), WORK(nnrt__detect_work),
                NOTHING_READY)

#endif /* NNRT_CPU_STEPS_DETECTION_H */
