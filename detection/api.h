/* SPDX-License-Identifier: Apache-2.0 */
/* detection/api.h - turns the output maps of a detector into boxes: types and functions.   >>detection_api

   Everything here is float32 arithmetic in the caller's memory. Nothing is allocated, no device is needed, and all
   functions are thread-safe. A function that needs working memory takes it as scratch from the caller; its ..._scratch
   function says how many bytes these options and shapes need. Scratch may have any address and contents.

   Coordinates   x grows to the right, y downwards, (x0, y0) is the upper left corner and (x1, y1) the lower right one,
                 in pixels. Faster R-CNN and its relatives count pixels: x1 and y1 are the last ones that belong to the
                 box, and it is x1 - x0 + 1 wide. Everywhere else x1 - x0 is the width.
   Scores        A box is found when its score is greater than score_threshold. Boxes are suppressed when their overlap
                 (intersection over union) with a better one is greater than nms_threshold.
   Order         Best first; among equal scores the lower class, then the lower index in the order of the maps. The same
                 input always gives the same output bytes.
   Not numbers   The output of a device is not trusted: a NaN score is no detection, and neither is a box with a corner
                 that is not finite. No value of a float can make a loop longer or an index larger.
   Definitions   Where published implementations differ, the one of the network's authors decides: py-faster-rcnn,
                 py-R-FCN, Caffe's SSD branch, darknet. The vendors' samples round to whole pixels; those do not.
   Return codes  OH_NN_INVALID_PARAMETER of every function here: an argument is NULL, an option or a shape is wrong,
                 strides reach past the size of a view, or scratch is too small; outputs are untouched then, and
                 nnrt_last_error() says which. Other codes are listed with the function. */
#ifndef NNRT_DETECTION_API_H
#define NNRT_DETECTION_API_H

#include "../core/api_extensions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------------- views */

/* A map of floats in place: the element of channel c, row y and column x is data[c * channel_stride + y * row_stride +
   x * column_stride]. Planes, interleaved channels and padded rows are thus read without a copy. Filled by hand, or by
   the two functions below. */
typedef struct nnrt_tensor_view {
    const float *data; /* aligned for float */
    size_t size;       /* elements that may be read at data: no stride may lead past them */
    uint32_t channels; /* 1 or more; likewise height and width */
    uint32_t height;
    uint32_t width;
    size_t channel_stride; /* in elements, like the others */
    size_t row_stride;
    size_t column_stride;
} nnrt_tensor_view;

/* Channels as planes; rows are row_stride elements apart, 0: width elements. */
NNRT_API OH_NN_ReturnCode nnrt_tensor_view_nchw(const float *data, size_t size, uint32_t channels, uint32_t height,
                                                uint32_t width, size_t row_stride, nnrt_tensor_view *view);

/* Interleaved channels; pixels are pixel_stride elements apart, 0: channels elements, and rows have no gap. Also for
   the permuted maps of SSD, whose "channels" are rows there. */
NNRT_API OH_NN_ReturnCode nnrt_tensor_view_nhwc(const float *data, size_t size, uint32_t channels, uint32_t height,
                                                uint32_t width, size_t pixel_stride, nnrt_tensor_view *view);

/* ---------------------------------------------------------------------------------------------- what comes out */

/* One detected object, or one region that may hold one (then class_id is 0). */
typedef struct nnrt_detection {
    uint32_t class_id; /* as the network numbers them */
    float score;
    float x0, y0, x1, y1;
} nnrt_detection;

/* A view of the corners of count detections (1 or more), as nnrt_detect_rcnn takes regions: a row each, columns x0, y0,
   x1, y1. */
NNRT_API OH_NN_ReturnCode nnrt_detection_boxes(const nnrt_detection *detections, size_t count, nnrt_tensor_view *view);

/* One of many values, and its index. */
typedef struct nnrt_ranked {
    float score;
    uint32_t index;
} nnrt_ranked;

/* ---------------------------------------------------------------------------------------------------- pieces */

/* An axis of a view. */
typedef enum nnrt_view_axis {
    NNRT_AXIS_CHANNELS = 0,
    NNRT_AXIS_HEIGHT = 1,
    NNRT_AXIS_WIDTH = 2
} nnrt_view_axis;

/* Softmax along an axis: exp(x - largest) / their sum. to has the size and strides of the view and may be from->data;
   gaps between elements are not written. NaN or infinity makes the whole row NaN. The strides must not let two elements
   overlap. */
NNRT_API OH_NN_ReturnCode nnrt_detection_softmax(const nnrt_tensor_view *from, nnrt_view_axis axis, float *to);

/* The best of count values that are stride elements apart (1: dense), highest first, at most capacity; *found is their
   number. NaN is skipped. count is at most 4294967295. */
NNRT_API OH_NN_ReturnCode nnrt_detection_top_n(const float *values, size_t count, size_t stride, nnrt_ranked *best,
                                               size_t capacity, size_t *found);

/* How boxes suppress each other. */
typedef struct nnrt_nms_options {
    float score_threshold;  /* boxes whose score is not greater are dropped first */
    float nms_threshold;    /* 0..1: a box that overlaps a better one by more is suppressed */
    uint32_t pre_nms_count; /* how many of the best boxes are looked at; 0: all */
    bool count_pixels;      /* boxes are x1 - x0 + 1 wide, as in Faster R-CNN */
    bool class_agnostic;    /* boxes of one class suppress those of others, too */
} nnrt_nms_options;

/* Non-maximum suppression: kept gets the indices of the remaining boxes, best first and among equal scores the lower
   index first, at most capacity; *kept_count is their number. At most pre_nms_count * capacity pairs are compared. */
NNRT_API OH_NN_ReturnCode nnrt_detection_nms(const nnrt_nms_options *options, const nnrt_detection *boxes, size_t count,
                                             void *scratch, size_t scratch_size, uint32_t *kept, size_t capacity,
                                             size_t *kept_count);
NNRT_API OH_NN_ReturnCode nnrt_detection_nms_scratch(const nnrt_nms_options *options, size_t count, size_t *bytes);

/* ------------------------------------------------------------------------------------- Faster R-CNN, R-FCN, PVANET */

/* The anchors of one cell, made as in py-faster-rcnn: the square 0..base_size-1 is reshaped to each ratio (height /
   width; sides rounded to whole pixels, halves to even), then enlarged by each scale about its centre; ratios are the
   outer loop, scales the inner. anchors gets 4 floats per anchor, 4 * ratio_count * scale_count in all. Ratios, scales
   and the size are positive. VGG16: 16; 0.5, 1, 2; 8, 16, 32. PVANET: 16; 0.5, 0.667, 1, 1.5, 2; 2, 3, 5, 9, 16, 32. */
NNRT_API OH_NN_ReturnCode nnrt_detection_anchors(float base_size, const float *ratios, uint32_t ratio_count,
                                                 const float *scales, uint32_t scale_count, float *anchors,
                                                 size_t capacity);

/* A region proposal network: what follows rpn_cls_score and rpn_bbox_pred. */
typedef struct nnrt_proposal_options {
    const float *anchors; /* of the first cell, anchor_count times x0, y0, x1, y1 */
    uint32_t anchor_count;
    float stride;      /* pixels of the input from cell to cell, 16 */
    float image_width; /* of the network's input: boxes are clipped to image_width - 1, image_height - 1 */
    float image_height;
    float min_size;          /* in pixels of the input: boxes with a smaller side are dropped. 16; 0: none is */
    uint32_t pre_nms_count;  /* how many of the best boxes are looked at, 6000; 0: all */
    uint32_t post_nms_count; /* how many may remain, 300; 0: as many as fit */
    float nms_threshold;     /* 0.7 */
    bool softmax;            /* scores are logits: apply the softmax of background against object */
} nnrt_proposal_options;

/* Regions that may hold an object, best first. scores: 2 * anchor_count channels, those of the background first;
   deltas: 4 * anchor_count channels of the same height and width, dx, dy, dw, dh of each anchor. class_id is 0. At most
   pre_nms_count * (number of results) pairs are compared. */
NNRT_API OH_NN_ReturnCode nnrt_detection_proposals(const nnrt_proposal_options *options, const nnrt_tensor_view *scores,
                                                   const nnrt_tensor_view *deltas, void *scratch, size_t scratch_size,
                                                   nnrt_detection *proposals, size_t capacity, size_t *count);
NNRT_API OH_NN_ReturnCode nnrt_detection_proposals_scratch(const nnrt_proposal_options *options,
                                                           const nnrt_tensor_view *scores, size_t *bytes);

/* Writes corners as the fixed-point rows that a region pooling engine reads: four int32 each, x0, y0, x1, y1 times 4096
   (20.12), rounded to nearest, halves away from zero, and saturated; NaN becomes 0. Rows are row_bytes apart, 16 or
   more; rows, at any address, has size bytes for count of them. Gaps are not written. */
NNRT_API OH_NN_ReturnCode nnrt_detection_fixed_boxes(const nnrt_detection *boxes, size_t count, void *rows,
                                                     size_t row_bytes, size_t size);

/* The second half of Faster R-CNN and PVANET: what follows cls_prob and bbox_pred. R-FCN with class_agnostic. */
typedef struct nnrt_rcnn_options {
    uint32_t class_count; /* with class 0, the background */
    bool class_agnostic;  /* all classes share the deltas of class 1: columns 4 to 7, as R-FCN has it */
    bool softmax;         /* the scores did not go through a softmax over the classes yet */
    float scale;          /* by which the picture was scaled to the input: regions are divided by it. 0: 1 */
    float image_width;    /* of the unscaled picture: boxes are clipped to image_width - 1, image_height - 1 */
    float image_height;
    float score_threshold;   /* 0.05 for a benchmark, 0.8 for display */
    float nms_threshold;     /* 0.3, among boxes of one class */
    uint32_t max_detections; /* 1 or more: the best of all classes, 100 */
} nnrt_rcnn_options;

/* Detections from region_count regions: rows 0 to region_count - 1 of three views of one channel. regions: columns x0,
   y0, x1, y1 in pixels of the input, further ones are ignored; scores: a column per class; deltas: four columns per
   class, or 8 with class_agnostic. Without regions there are no detections and the views are not read. */
NNRT_API OH_NN_ReturnCode nnrt_detect_rcnn(const nnrt_rcnn_options *options, const nnrt_tensor_view *regions,
                                           const nnrt_tensor_view *scores, const nnrt_tensor_view *deltas,
                                           uint32_t region_count, void *scratch, size_t scratch_size,
                                           nnrt_detection *detections, size_t capacity, size_t *count);
NNRT_API OH_NN_ReturnCode nnrt_detect_rcnn_scratch(const nnrt_rcnn_options *options, uint32_t region_count,
                                                   size_t *bytes);

/* ----------------------------------------------------------------------------------------------------------- SSD */

/* The prior boxes of one map, as in Caffe's PriorBox layer. In each cell, for each size: a square of min_size, one of
   sqrt(min_size * max_size) if there are max_sizes, then min_size * sqrt(ratio) by min_size / sqrt(ratio) for each
   aspect ratio and, with flip, its inverse. A ratio of 1 and repeated ratios add none. Unlike in Caffe, sizes are not
   truncated to whole pixels. */
typedef struct nnrt_prior_options {
    const float *min_sizes; /* in pixels of the input */
    const float *max_sizes; /* same number, each larger than its min_size; NULL: none */
    uint32_t size_count;
    const float *aspect_ratios; /* width by height; NULL: none */
    uint32_t ratio_count;       /* 16 at most */
    bool flip;
    bool clip;    /* to the picture */
    float step_x; /* pixels of the input from cell to cell; both 0: size of the input / size of the map */
    float step_y;
    float offset; /* of the centre in its cell, 0.5 */
} nnrt_prior_options;

/* The prior boxes of a map, row by row, 4 floats each, as fractions of the picture. *count is their number; boxes has
   room for capacity of them. boxes NULL: only the count. */
NNRT_API OH_NN_ReturnCode nnrt_detection_priors(const nnrt_prior_options *options, float image_width,
                                                float image_height, uint32_t map_width, uint32_t map_height,
                                                float *boxes, size_t capacity, size_t *count);

/* A single shot detector: what follows the maps of locations and confidences, which come in pairs. */
typedef struct nnrt_ssd_options {
    const nnrt_prior_options *maps; /* one for each pair */
    uint32_t map_count;             /* 16 at most */
    float image_width;              /* of the network's input; detections are in its pixels */
    float image_height;
    float variances[4];        /* 0.1, 0.1, 0.2, 0.2 */
    uint32_t class_count;      /* with the background */
    uint32_t background_class; /* 0; class_count or more: none */
    bool softmax;              /* confidences are logits: apply the softmax over the classes */
    bool clip;                 /* clip detections to the picture; Caffe does not do this */
    float score_threshold;     /* 0.01 for a benchmark */
    float nms_threshold;       /* 0.45, among boxes of one class */
    uint32_t top_k;            /* how many of the best boxes of each class are considered, 400; 0: all */
    uint32_t max_detections;   /* 1 or more: the best of all classes, 200 */
} nnrt_ssd_options;

/* Detections from map_count pairs of views: 4 * k channels of locations and class_count * k of confidences, k being the
   prior boxes of a cell, with the channels of one box together. */
NNRT_API OH_NN_ReturnCode nnrt_detect_ssd(const nnrt_ssd_options *options, const nnrt_tensor_view *locations,
                                          const nnrt_tensor_view *confidences, void *scratch, size_t scratch_size,
                                          nnrt_detection *detections, size_t capacity, size_t *count);
NNRT_API OH_NN_ReturnCode nnrt_detect_ssd_scratch(const nnrt_ssd_options *options, const nnrt_tensor_view *locations,
                                                  size_t *bytes);

/* ---------------------------------------------------------------------------------------------------------- YOLO */

/* The network's last layer. */
typedef enum nnrt_yolo_version {
    NNRT_YOLO_V1 = 1, /* darknet's [detection] */
    NNRT_YOLO_V2 = 2, /* [region]: anchors in cells, a softmax over the classes */
    NNRT_YOLO_V3 = 3  /* [yolo]: anchors in pixels of the input, independent classes */
} nnrt_yolo_version;

typedef struct nnrt_yolo_options {
    nnrt_yolo_version version;
    uint32_t map_count; /* 1; YOLOv3 has 3, or 2 */
    uint32_t class_count;
    uint32_t boxes_per_cell; /* 2, 5, 3 */
    uint32_t grid;           /* v1 only: cells in a row and in a column, 7 */
    bool square_root;        /* v1 only: the network outputs square roots of width and height, sqrt=1 */
    const float *anchors;    /* v2, v3: width and height of each box of a cell, the first map's first */
    float input_width;       /* v3: of the network's input, for the anchors */
    float input_height;
    float scale_xy;    /* v3: scale_x_y of later networks; 0: 1 */
    bool activated;    /* v2, v3: the device has applied sigmoid or softmax to x, y, object and classes */
    float image_width; /* of the picture in whose pixels detections are; it fills the whole input of the network */
    float image_height;
    bool clip;               /* detections end at the picture */
    bool best_class;         /* a box counts for its best class only (among equals the lower), not for all likely
                                ones */
    bool class_agnostic;     /* boxes of one class suppress those of others, too */
    float score_threshold;   /* 0.24, v1 0.2 */
    float nms_threshold;     /* 0.45, v1 0.4 */
    uint32_t pre_nms_count;  /* how many of the best are considered; 0: all, boxes times classes. darknet has no
                                limit */
    uint32_t max_detections; /* 1 or more */
} nnrt_yolo_options;

/* Detections from map_count views. v2 and v3: boxes_per_cell * (5 + class_count) channels each, with x, y, w, h, object
   and the classes of a box together. v1: one view whose elements, channel by channel and row by row, are the network's
   output vector: the classes of each cell, the objects of its boxes, then x, y, w, h of each. */
NNRT_API OH_NN_ReturnCode nnrt_detect_yolo(const nnrt_yolo_options *options, const nnrt_tensor_view *maps,
                                           void *scratch, size_t scratch_size, nnrt_detection *detections,
                                           size_t capacity, size_t *count);
NNRT_API OH_NN_ReturnCode nnrt_detect_yolo_scratch(const nnrt_yolo_options *options, const nnrt_tensor_view *maps,
                                                   size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_DETECTION_API_H */
