/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/layers_api.h - ready-made layers to put between and after the segments of a .wk.   >>nnie_layers_api

   Each is a function for nnrt_nnie_layer.run; nnrt_nnie_layer.user points to options of nnrt_detection.h, and
   scratch_size is the result of nnrt_nnie_layer_scratch. Maps have one frame. Detections are an output that varies, of
   w = 6 values each: class, score, x0, y0, x1, y1, best first, at most n. */
#ifndef NNRT_NNIE_LAYERS_API_H
#define NNRT_NNIE_LAYERS_API_H

#include "../detection/api.h"
#include "layer_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* user: nnrt_proposal_options. Inputs: rpn_cls_score, rpn_bbox_pred. Output: NNRT_NNIE_BOXES, w = 4, which varies. */
NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_proposals(const nnrt_nnie_layer_call *call, const void *user);

/* user: nnrt_rcnn_options. Inputs: the boxes, cls_prob, bbox_pred. Output: detections. */
NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_rcnn(const nnrt_nnie_layer_call *call, const void *user);

/* user: nnrt_ssd_options. Inputs: locations and confidences of the first map, then of the next; permuted: their
   channels come last (n, h, w, c), as Caffe's Permute layer leaves them. Output: detections. */
NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_ssd(const nnrt_nnie_layer_call *call, const void *user);
NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_ssd_permuted(const nnrt_nnie_layer_call *call, const void *user);

/* user: nnrt_yolo_options. Inputs: the maps. Output: detections. */
NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_yolo(const nnrt_nnie_layer_call *call, const void *user);

/* user: a nnrt_view_axis, or NULL for the width. One input and one output of the same shape, which may have frames. */
NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_softmax(const nnrt_nnie_layer_call *call, const void *user);

/* user: ignored. One input, its values counted from 0. Output, which varies: w = 2, index and value, the highest first,
   at most n. */
NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_top_n(const nnrt_nnie_layer_call *call, const void *user);

/* The scratch that a layer of one of these functions needs, with inputs of these shapes: name and data are ignored, and
   there are layer->input_count of them. Give a varying shape at its maximum.
   OH_NN_INVALID_PARAMETER: a NULL argument, run is none of these functions, or the options or shapes do not fit. */
NNRT_API OH_NN_ReturnCode nnrt_nnie_layer_scratch(const nnrt_nnie_layer *layer, const nnrt_nnie_view *inputs,
                                                  size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_NNIE_LAYERS_API_H */
