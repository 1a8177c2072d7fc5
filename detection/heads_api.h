/* SPDX-License-Identifier: Apache-2.0 */
/* detection/heads_api.h - the YOLO networks from version 5 on: types and functions.   >>detection_heads_api

   YOLOv5 to v12 and YOLOX end in a few heads, one for each cell size (and, in v5 and v7, for each anchor). For each
   cell a head says where a box is, how likely each class is and, in some networks, whether there is an object at all or
   where its keypoints are. Exporters cut the networks at different places and combine these parts differently. Here a
   head is a set of parts, and a part is a map of any type that is read in place. Quantized maps stay quantized:
   integers are compared with the threshold, and only cells that may be above it are converted to real numbers.

   The rules of detection/api.h on arguments, order and trust apply here. Detections are in pixels of the network's
   input; nnrt_image_points_back() converts them to the picture. docs/detection.md has a table of who exports what. */
#ifndef NNRT_DETECTION_HEADS_API_H
#define NNRT_DETECTION_HEADS_API_H

#include "../data/api.h"
#include "api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------------- maps */

/* A map as a device outputs it: the element of channel c, row y and column x is number c * channel_stride + y *
   row_stride + x * column_stride of data. Filled by hand, or by the functions below. */
typedef struct nnrt_map {
    const void *data;    /* aligned for its elements */
    OH_NN_DataType type; /* OH_NN_INT8, UINT8, INT16, FLOAT16 or FLOAT32 */
    float scale;         /* of integers: real = scale * (value - zero_point) */
    int32_t zero_point;
    size_t size;       /* elements that may be read at data: no stride may lead past them */
    uint32_t channels; /* 1 or more; likewise height and width */
    uint32_t height;
    uint32_t width;
    size_t channel_stride; /* in elements, like the others */
    size_t row_stride;
    size_t column_stride;
} nnrt_map;

/* A tensor of one batch, NNRT_ORDER_NCHW or NNRT_ORDER_NHWC, of data_size bytes. [1,84,8400] is 84 channels, height 1,
   width 8400 in NCHW; [1,8400,84] the same in NHWC. */
NNRT_API OH_NN_ReturnCode nnrt_map_of(const nnrt_layout *layout, const void *data, size_t data_size, double scale,
                                      int32_t zero_point, nnrt_map *map);

/* Channels first to first + count - 1 of a map. part may be map. */
NNRT_API OH_NN_ReturnCode nnrt_map_channels(const nnrt_map *map, uint32_t first, uint32_t count, nnrt_map *part);

/* Columns first to first + height * width - 1 of a map of one row, as rows of width: the cells of one size, if an
   exporter has put all sizes into one row. part may be map. */
NNRT_API OH_NN_ReturnCode nnrt_map_cells(const nnrt_map *map, uint32_t first, uint32_t height, uint32_t width,
                                         nnrt_map *part);

/* -------------------------------------------------------------------------------------------------- heads */

/* What the channels of boxes mean, for the cell in column x and row y: */
typedef enum nnrt_box_coding {
    /* YOLOv6, v8 and later. 4 channels l, t, r, b: the box from (x + 1/2 - l) * stride_x to (x + 1/2 + r) * stride_x, y
       the same with t and b. 4 * n channels: l is the mean of 0..n-1, weighted by a softmax over the first n channels,
       and so on. n is 16 */
    NNRT_BOX_DISTANCES = 0,
    /* YOLOv5 and v7. With s the sigmoid of a channel: the centre (x + 2 s0 - 1/2) * stride_x, (y + 2 s1 - 1/2) *
       stride_y, the sides (2 s2)^2 * anchor_width, (2 s3)^2 * anchor_height */
    NNRT_BOX_ANCHOR = 1,
    /* YOLOX. The centre (x + v0) * stride_x, (y + v1) * stride_y, the sides exp(v2) * stride_x, exp(v3) * stride_y */
    NNRT_BOX_EXPONENTIAL = 2,
    /* Decoded by the network: centre v0 * stride_x, v1 * stride_y, sides v2 * stride_x, v3 * stride_y. The strides are
       1 if it gives pixels, and the sides of the input if it gives fractions of them, as .tflite files do */
    NNRT_BOX_DECODED = 3
} nnrt_box_coding;

typedef struct nnrt_yolo_head {
    nnrt_box_coding coding;
    float stride_x; /* pixels of the input from cell to cell: 8, 16, 32 */
    float stride_y;
    float anchor_width; /* NNRT_BOX_ANCHOR, in pixels of the input */
    float anchor_height;
    nnrt_map boxes;     /* all maps of a head have its height and width */
    nnrt_map object;    /* 1 channel; data NULL: the network has none */
    nnrt_map classes;   /* a channel per class */
    nnrt_map keypoints; /* keypoint_values channels per keypoint; data NULL: none */
} nnrt_yolo_head;

/* Fills the maps of a head whose parts are channels of one map from channel first on: box_channels of boxes, one of
   object if there is one, class_count of classes, keypoint_channels of keypoints, 0: none. Nothing else is changed. For
   example, the heads of a YOLOv5 map with three anchors begin at channels 0, 5 + class_count and 2 * (5 +
   class_count). */
NNRT_API OH_NN_ReturnCode nnrt_yolo_head_of(const nnrt_map *map, uint32_t first, uint32_t box_channels, bool object,
                                            uint32_t class_count, uint32_t keypoint_channels, nnrt_yolo_head *head);

typedef struct nnrt_heads_options {
    uint32_t head_count;      /* 1 to 64 */
    bool logits;              /* apply the sigmoid to object, classes and boxes of NNRT_BOX_ANCHOR */
    bool best_class;          /* a cell counts for its best class only (among equals the lower), not for all likely
                               ones */
    bool class_agnostic;      /* boxes of one class suppress those of others, too */
    bool keypoints_decoded;   /* keypoints are pixels of the input, and the sigmoid was applied to their score */
    uint32_t keypoint_values; /* 3: x, y and a score; 2: x and y; 0: there are none */
    float score_threshold;    /* of object, and of object times class: 0.25 */
    float nms_threshold;      /* 0.45; 1: nothing is suppressed, for networks that do without it, like YOLOv10 */
    uint32_t pre_nms_count;   /* how many of the best are considered; 0: all, cells times classes, or cells */
    uint32_t max_detections;  /* 1 or more */
} nnrt_heads_options;

/* In pixels of the input. The score is 1 if the network gives none. If not decoded, x is (column + 2 v0) * stride_x, y
   the same with the row, and the score the sigmoid of v2. */
typedef struct nnrt_keypoint {
    float x, y, score;
} nnrt_keypoint;

/* Detections of head_count heads, all with as many classes and keypoints. keypoints: those of each detection in turn,
   with room for capacity times the number in a head; NULL: not wanted. */
NNRT_API OH_NN_ReturnCode nnrt_detect_heads(const nnrt_heads_options *options, const nnrt_yolo_head *heads,
                                            void *scratch, size_t scratch_size, nnrt_detection *detections,
                                            nnrt_keypoint *keypoints, size_t capacity, size_t *count);
NNRT_API OH_NN_ReturnCode nnrt_detect_heads_scratch(const nnrt_heads_options *options, const nnrt_yolo_head *heads,
                                                    size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_DETECTION_HEADS_API_H */
