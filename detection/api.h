/* SPDX-License-Identifier: Apache-2.0 */
/* detection/api.h - what turns the maps of a detector into boxes: types and functions.   >>detection_api

   Everything here is arithmetic on float32 in the memory of the caller. Nothing is allocated, no device is needed, and
   any thread may call anything. What a function needs beside its arguments is scratch of the caller's; its ..._scratch
   function tells how many bytes for these options and shapes: at any address, with any contents.

   Coordinates   x grows to the right, y downwards, (x0, y0) is the upper left corner and (x1, y1) the lower right one,
                 in pixels. Faster R-CNN and its relatives count pixels: x1 and y1 are the last ones that belong to the
                 box, and it is x1 - x0 + 1 wide. Everywhere else x1 - x0 is the width.
   Scores        A box is found when its score is greater than score_threshold. Boxes are suppressed when their overlap
                 (intersection over union) with a better one is greater than nms_threshold.
   Order         The best first; of equal scores the lower class, then the lower index in the order of the maps. The
                 same input gives the same bytes of output.
   Not numbers   What a device answers is not trusted: a score that is not a number is no detection, and neither is a
                 box with a corner that is not finite. Nothing that the floats hold makes a loop longer or an index
                 larger.
   Definitions   Where published implementations differ, the one of the network's authors decides: py-faster-rcnn,
                 py-R-FCN, Caffe's SSD branch, darknet. The vendors' samples round to whole pixels, which they do not.
   Return codes  OH_NN_INVALID_PARAMETER of every function here: an argument is NULL, an option or a shape is wrong,
                 strides reach past the size of a view, or scratch is too small; outputs are untouched then, and
                 nnrt_last_error() says which. Other codes are told beside the function. */
#ifndef NNRT_DETECTION_API_H
#define NNRT_DETECTION_API_H

#include "../core/api_extensions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------------- views */

/* A map of floats where it lies: the element of channel c, row y and column x is data[c * channel_stride + y *
   row_stride + x * column_stride]. So planes, interleaved channels and rows with bytes behind them are read without a
   copy. Filled by hand, or by the two functions below. */
typedef struct nnrt_tensor_view {
    const float *data; /* aligned for float */
    size_t size;       /* elements that may be read at data: no stride may lead past them */
    uint32_t channels; /* 1 or more, as height and width */
    uint32_t height;
    uint32_t width;
    size_t channel_stride; /* in elements, as the others */
    size_t row_stride;
    size_t column_stride;
} nnrt_tensor_view;

/* Channels as planes of rows that are row_stride elements apart; 0: of width elements. */
NNRT_API OH_NN_ReturnCode nnrt_tensor_view_nchw(const float *data, size_t size, uint32_t channels, uint32_t height,
                                                uint32_t width, size_t row_stride, nnrt_tensor_view *view);

/* Channels beside each other, pixels pixel_stride elements apart; 0: channels elements. Rows follow each other without
   a gap. Also the permuted maps of SSD, whose "channels" are rows there. */
NNRT_API OH_NN_ReturnCode nnrt_tensor_view_nhwc(const float *data, size_t size, uint32_t channels, uint32_t height,
                                                uint32_t width, size_t pixel_stride, nnrt_tensor_view *view);

/* ---------------------------------------------------------------------------------------------- what comes out */

/* One object that was found, or one region that may hold one (class_id 0 then). */
typedef struct nnrt_detection {
    uint32_t class_id; /* as the network numbers them */
    float score;
    float x0, y0, x1, y1;
} nnrt_detection;

/* A view of the corners of count detections (1 or more), as nnrt_detect_rcnn takes regions: a row each, columns x0, y0,
   x1, y1. */
NNRT_API OH_NN_ReturnCode nnrt_detection_boxes(const nnrt_detection *detections, size_t count, nnrt_tensor_view *view);

/* One of many values, and which. */
typedef struct nnrt_ranked {
    float score;
    uint32_t index;
} nnrt_ranked;

/* ---------------------------------------------------------------------------------------------------- pieces */

/* The axis of a view that something is done along. */
typedef enum nnrt_view_axis {
    NNRT_AXIS_CHANNELS = 0,
    NNRT_AXIS_HEIGHT = 1,
    NNRT_AXIS_WIDTH = 2
} nnrt_view_axis;

/* Softmax along an axis: exp(x - largest) / sum of them. to has the size and the strides of the view and may be
   from->data; what lies between the elements of the view is left alone. A value that is not a number, or infinity,
   makes all of its row NaN. The strides of the view have to lead each element to a place of its own. */
NNRT_API OH_NN_ReturnCode nnrt_detection_softmax(const nnrt_tensor_view *from, nnrt_view_axis axis, float *to);

/* The best of count values that are stride elements apart (1: dense), highest first, at most capacity: *found tells how
   many. What is not a number is left out. count is at most 4294967295. */
NNRT_API OH_NN_ReturnCode nnrt_detection_top_n(const float *values, size_t count, size_t stride, nnrt_ranked *best,
                                               size_t capacity, size_t *found);

/* How boxes suppress each other. */
typedef struct nnrt_nms_options {
    float score_threshold;  /* boxes whose score is not greater are left out before anything else */
    float nms_threshold;    /* 0..1: a box that overlaps a better one by more is suppressed */
    uint32_t pre_nms_count; /* how many of the best boxes are looked at; 0: all */
    bool count_pixels;      /* boxes are x1 - x0 + 1 wide, as in Faster R-CNN */
    bool class_agnostic;    /* boxes of one class suppress those of others, too */
} nnrt_nms_options;

/* Non-maximum suppression: kept gets the indices of the boxes that are left, best first and of equal scores the lower
   index, at most capacity of them, *kept_count how many. At most pre_nms_count * capacity pairs are compared. */
NNRT_API OH_NN_ReturnCode nnrt_detection_nms(const nnrt_nms_options *options, const nnrt_detection *boxes, size_t count,
                                             void *scratch, size_t scratch_size, uint32_t *kept, size_t capacity,
                                             size_t *kept_count);
NNRT_API OH_NN_ReturnCode nnrt_detection_nms_scratch(const nnrt_nms_options *options, size_t count, size_t *bytes);

/* ------------------------------------------------------------------------------------- Faster R-CNN, R-FCN, PVANET */

/* The anchors of one cell as py-faster-rcnn makes them: the square 0..base_size-1 reshaped to each ratio (height by
   width; sides rounded to whole pixels, halves to even), then enlarged by each scale about its centre; ratios outside,
   scales inside. anchors gets 4 floats each and has room for 4 * ratio_count * scale_count. Ratios, scales and the size
   are positive. VGG16: 16; 0.5, 1, 2; 8, 16, 32. PVANET: 16; 0.5, 0.667, 1, 1.5, 2; 2, 3, 5, 9, 16, 32. */
NNRT_API OH_NN_ReturnCode nnrt_detection_anchors(float base_size, const float *ratios, uint32_t ratio_count,
                                                 const float *scales, uint32_t scale_count, float *anchors,
                                                 size_t capacity);

/* A region proposal network: what follows rpn_cls_score and rpn_bbox_pred. */
typedef struct nnrt_proposal_options {
    const float *anchors; /* of the first cell, anchor_count times x0, y0, x1, y1 */
    uint32_t anchor_count;
    float stride;      /* pixels of the input from cell to cell, 16 */
    float image_width; /* of the network's input: boxes end at image_width - 1, image_height - 1 */
    float image_height;
    float min_size;          /* boxes with a smaller side are dropped; in pixels of the input. 16; 0: none is */
    uint32_t pre_nms_count;  /* how many of the best boxes are looked at, 6000; 0: all */
    uint32_t post_nms_count; /* how many may be left, 300; 0: as many as there is room for */
    float nms_threshold;     /* 0.7 */
    bool softmax;            /* the scores did not go through a softmax of background against object yet */
} nnrt_proposal_options;

/* Regions that may hold an object, best first. scores: 2 * anchor_count channels, those of the background in front;
   deltas: 4 * anchor_count channels of the same height and width, dx, dy, dw, dh of each anchor. class_id is 0.
   At most pre_nms_count * the number that is left pairs are compared. */
NNRT_API OH_NN_ReturnCode nnrt_detection_proposals(const nnrt_proposal_options *options, const nnrt_tensor_view *scores,
                                                   const nnrt_tensor_view *deltas, void *scratch, size_t scratch_size,
                                                   nnrt_detection *proposals, size_t capacity, size_t *count);
NNRT_API OH_NN_ReturnCode nnrt_detection_proposals_scratch(const nnrt_proposal_options *options,
                                                           const nnrt_tensor_view *scores, size_t *bytes);

/* Corners as the rows of fixed-point numbers that a region pooling engine reads: four int32 each, x0, y0, x1, y1 times
   4096 (20.12), to the nearest, halves away from zero; what does not fit becomes the largest or smallest number that
   does, and NaN 0. Rows are row_bytes apart, 16 or more; the size bytes at rows hold count of them, at any address.
   What lies between them is left alone. */
NNRT_API OH_NN_ReturnCode nnrt_detection_fixed_boxes(const nnrt_detection *boxes, size_t count, void *rows,
                                                     size_t row_bytes, size_t size);

/* The second half of Faster R-CNN and PVANET: what follows cls_prob and bbox_pred. R-FCN with class_agnostic. */
typedef struct nnrt_rcnn_options {
    uint32_t class_count; /* with class 0, the background */
    bool class_agnostic;  /* all classes share the deltas of class 1: columns 4 to 7, as R-FCN has it */
    bool softmax;         /* the scores did not go through a softmax over the classes yet */
    float scale;          /* what the picture was multiplied by to become the input: regions are divided by it. 0: 1 */
    float image_width;    /* of the picture before that: boxes end at image_width - 1, image_height - 1 */
    float image_height;
    float score_threshold;   /* 0.05 for a benchmark, 0.8 for what a person looks at */
    float nms_threshold;     /* 0.3, among boxes of one class */
    uint32_t max_detections; /* 1 or more: the best of all classes, 100 */
} nnrt_rcnn_options;

/* Detections from region_count regions: rows 0 to region_count - 1 of three views of one channel. regions: columns x0,
   y0, x1, y1 in pixels of the input, those after them are not looked at; scores: a column for each class; deltas: four
   columns for each class, or 8 with class_agnostic. No regions: no detections, and the views are not looked at. */
NNRT_API OH_NN_ReturnCode nnrt_detect_rcnn(const nnrt_rcnn_options *options, const nnrt_tensor_view *regions,
                                           const nnrt_tensor_view *scores, const nnrt_tensor_view *deltas,
                                           uint32_t region_count, void *scratch, size_t scratch_size,
                                           nnrt_detection *detections, size_t capacity, size_t *count);
NNRT_API OH_NN_ReturnCode nnrt_detect_rcnn_scratch(const nnrt_rcnn_options *options, uint32_t region_count,
                                                   size_t *bytes);

/* ----------------------------------------------------------------------------------------------------------- SSD */

/* The prior boxes of one map, as Caffe's PriorBox layer has them. In each cell, for each size: a square of min_size,
   one of sqrt(min_size * max_size) where there are max_sizes, then min_size * sqrt(ratio) by min_size / sqrt(ratio) for
   each aspect ratio and, with flip, its inverse. A ratio of 1, and one that was there already, adds none. Sizes are not
   cut to whole pixels, as Caffe does. */
typedef struct nnrt_prior_options {
    const float *min_sizes; /* in pixels of the input */
    const float *max_sizes; /* as many, each larger than its min_size; NULL: none */
    uint32_t size_count;
    const float *aspect_ratios; /* width by height; NULL: none */
    uint32_t ratio_count;       /* 16 at most */
    bool flip;
    bool clip;    /* to the picture */
    float step_x; /* pixels of the input from cell to cell; 0, both: what the sizes of input and map make it */
    float step_y;
    float offset; /* of the centre in its cell, 0.5 */
} nnrt_prior_options;

/* The prior boxes of a map, a row of cells after another, 4 floats each, as fractions of the picture. *count tells how
   many; boxes has room for capacity of them. boxes NULL: only the count. */
NNRT_API OH_NN_ReturnCode nnrt_detection_priors(const nnrt_prior_options *options, float image_width,
                                                float image_height, uint32_t map_width, uint32_t map_height,
                                                float *boxes, size_t capacity, size_t *count);

/* A single shot detector: what follows the pairs of maps of locations and confidences. */
typedef struct nnrt_ssd_options {
    const nnrt_prior_options *maps; /* one for each pair */
    uint32_t map_count;             /* 16 at most */
    float image_width;              /* of the network's input, in whose pixels the detections are */
    float image_height;
    float variances[4];        /* 0.1, 0.1, 0.2, 0.2 */
    uint32_t class_count;      /* with the background */
    uint32_t background_class; /* 0; class_count or more: none */
    bool softmax;              /* the confidences did not go through a softmax over the classes yet */
    bool clip;                 /* detections end at the picture; Caffe does not do this */
    float score_threshold;     /* 0.01 for a benchmark */
    float nms_threshold;       /* 0.45, among boxes of one class */
    uint32_t top_k;            /* how many of the best boxes of each class are looked at, 400; 0: all */
    uint32_t max_detections;   /* 1 or more: the best of all classes, 200 */
} nnrt_ssd_options;

/* Detections from map_count pairs of views: 4 * k channels of locations and class_count * k of confidences, k the prior
   boxes of a cell, the channels of one box beside each other. */
NNRT_API OH_NN_ReturnCode nnrt_detect_ssd(const nnrt_ssd_options *options, const nnrt_tensor_view *locations,
                                          const nnrt_tensor_view *confidences, void *scratch, size_t scratch_size,
                                          nnrt_detection *detections, size_t capacity, size_t *count);
NNRT_API OH_NN_ReturnCode nnrt_detect_ssd_scratch(const nnrt_ssd_options *options, const nnrt_tensor_view *locations,
                                                  size_t *bytes);

/* ---------------------------------------------------------------------------------------------------------- YOLO */

/* Whose last layer it is. */
typedef enum nnrt_yolo_version {
    NNRT_YOLO_V1 = 1, /* darknet's [detection] */
    NNRT_YOLO_V2 = 2, /* [region]: anchors in cells, a softmax over the classes */
    NNRT_YOLO_V3 = 3  /* [yolo]: anchors in pixels of the input, classes for themselves */
} nnrt_yolo_version;

typedef struct nnrt_yolo_options {
    nnrt_yolo_version version;
    uint32_t map_count; /* 1; YOLOv3 has 3, or 2 */
    uint32_t class_count;
    uint32_t boxes_per_cell; /* 2, 5, 3 */
    uint32_t grid;           /* v1 only: cells in a row and in a column, 7 */
    bool square_root;        /* v1 only: the network gives the roots of width and height, sqrt=1 */
    const float *anchors;    /* v2, v3: width and height of each box of a cell, those of the first map first */
    float input_width;       /* v3: of the network's input, for the anchors */
    float input_height;
    float scale_xy;    /* v3: scale_x_y of later networks; 0: 1 */
    bool activated;    /* v2, v3: x, y, object and classes went through their sigmoid or softmax on the device */
    float image_width; /* of the picture that detections are pixels of; it fills the input of the network whole */
    float image_height;
    bool clip;               /* detections end at the picture */
    bool best_class;         /* a box is only of its best class (of equal ones the lower), not of all that are likely */
    bool class_agnostic;     /* boxes of one class suppress those of others, too */
    float score_threshold;   /* 0.24, v1 0.2 */
    float nms_threshold;     /* 0.45, v1 0.4 */
    uint32_t pre_nms_count;  /* how many of the best are looked at; 0: all, boxes times classes. darknet has no limit */
    uint32_t max_detections; /* 1 or more */
} nnrt_yolo_options;

/* Detections from map_count views. v2 and v3: boxes_per_cell * (5 + class_count) channels each, x, y, w, h, object and
   the classes of a box beside each other. v1: one view whose elements, channel after channel and row after row, are the
   vector of the network: the classes of each cell, the objects of its boxes, then x, y, w, h of each. */
NNRT_API OH_NN_ReturnCode nnrt_detect_yolo(const nnrt_yolo_options *options, const nnrt_tensor_view *maps,
                                           void *scratch, size_t scratch_size, nnrt_detection *detections,
                                           size_t capacity, size_t *count);
NNRT_API OH_NN_ReturnCode nnrt_detect_yolo_scratch(const nnrt_yolo_options *options, const nnrt_tensor_view *maps,
                                                   size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_DETECTION_API_H */
