/* SPDX-License-Identifier: Apache-2.0 */
/* image/api.h - turns a picture into the input tensor of a model: types and functions.   >>image_api

   One call goes from the pixels of a camera, a decoder or a file to the elements of a tensor: crop, resize, letterbox,
   colours, mean and deviation, quantization and layout in one pass. Nothing is allocated, there is no intermediate
   picture (6 KB of stack), no device is needed, and all functions are thread-safe.

   Definition    Pixels are computed in integers, with the same bytes on every processor and compiler; image/resize.h,
                 sample.h and convert_scalar.h say how, with bounds. Each call first makes a table of the 256 values of
                 a channel: (value - mean) / deviation in float32, then as nnrt_quantize().
   Trust         Sizes, strides and options are untrusted: invalid ones are refused before the first element is written.
                 Pixels may have any value. Pointers must be valid.
   Return codes  OH_NN_INVALID_PARAMETER of every function here: a pointer is NULL, or a number breaks the rule beside
                 it; nothing is written then, and nnrt_last_error() says which. */
#ifndef NNRT_IMAGE_API_H
#define NNRT_IMAGE_API_H

#include "../core/api_extensions.h"
#include "../data/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------- a picture */

/* Layout of pixels in memory; bytes in the order of their addresses. In 4:2:0 one U and one V serve two by two pixels,
   in 4:2:2 two neighbours in a row; an odd last column or row has its own. */
typedef enum nnrt_pixel_format {
    NNRT_PIXELS_GRAY8 = 0,
    NNRT_PIXELS_RGB888 = 1, /* R, G, B */
    NNRT_PIXELS_BGR888 = 2,
    NNRT_PIXELS_RGBA8888 = 3, /* R, G, B and an ignored byte */
    NNRT_PIXELS_BGRA8888 = 4,
    NNRT_PIXELS_RGB565 = 5, /* 16 bits, the low byte first: R in the high 5, G in 6, B in the low 5 */
    NNRT_PIXELS_NV12 = 6,   /* 4:2:0: a plane of Y, then one of U, V pairs */
    NNRT_PIXELS_NV21 = 7,   /* the same with V, U pairs */
    NNRT_PIXELS_I420 = 8,   /* planes of Y, of U and of V */
    NNRT_PIXELS_YUYV = 9,   /* 4:2:2: Y, U, Y, V */
    NNRT_PIXELS_UYVY = 10   /* U, Y, V, Y */
} nnrt_pixel_format;

/* What Y, U and V mean. Cameras and video decoders give the limited range (Y 16 to 235, U and V 16 to 240), JPEG the
   full one; BT.709 is for HD video. */
typedef enum nnrt_yuv {
    NNRT_YUV_BT601 = 0,
    NNRT_YUV_BT601_FULL = 1,
    NNRT_YUV_BT709 = 2,
    NNRT_YUV_BT709_FULL = 3
} nnrt_yuv;

typedef struct nnrt_plane {
    const void *data;  /* any alignment */
    size_t size;       /* bytes that may be read at data */
    size_t row_stride; /* bytes from one row to the next; the last row may end with its last pixel */
} nnrt_plane;

/* Filled by nnrt_image_of(), or by hand if the planes are not adjacent. */
typedef struct nnrt_image {
    nnrt_pixel_format format;
    nnrt_yuv yuv;        /* of formats with Y */
    uint32_t width;      /* 1 to 32768 */
    uint32_t height;     /* the same */
    nnrt_plane plane[3]; /* one; NV12 and NV21 two; I420 three */
} nnrt_image;

/* Describes a picture of size bytes at data with adjacent planes, as V4L2 delivers it. row_stride: bytes from one row
   of the first plane to the next, 0: no gap; rows of U, V pairs have the same, rounded up to even, rows of U and of V
   half of it, rounded up. yuv is set to NNRT_YUV_BT601; change the field if it is another. */
NNRT_API OH_NN_ReturnCode nnrt_image_of(nnrt_pixel_format format, uint32_t width, uint32_t height, const void *data,
                                        size_t size, size_t row_stride, nnrt_image *image);

/* --------------------------------------------------------------------------------------------- what it becomes */

/* Pixels of a picture. */
typedef struct nnrt_image_rect {
    uint32_t x, y, width, height;
} nnrt_image_rect;

typedef enum nnrt_resize {
    NNRT_RESIZE_BILINEAR = 0, /* half-pixel centres; always from four pixels, also when shrinking */
    NNRT_RESIZE_NEAREST = 1
} nnrt_resize;

typedef enum nnrt_fit {
    NNRT_FIT_STRETCH = 0,           /* fills the tensor, without keeping the aspect ratio */
    NNRT_FIT_LETTERBOX = 1,         /* keeps the ratio, centred: padding on two sides. YOLOv5 and YOLOv8 */
    NNRT_FIT_LETTERBOX_TOP_LEFT = 2 /* keeps the ratio, padding on the right or below. YOLOX */
} nnrt_fit;

typedef enum nnrt_channels {
    NNRT_CHANNELS_RGB = 0,
    NNRT_CHANNELS_BGR = 1
} nnrt_channels;

/* 0 turns a field off: all zeros stretch the whole picture to the tensor, bilinear, in RGB. */
typedef struct nnrt_image_options {
    nnrt_image_rect crop; /* the part to use, inside the picture; all 0: the whole picture */
    nnrt_resize resize;
    nnrt_fit fit;
    uint8_t padding[3];     /* the pixel that a letterbox pads with, by channel of the tensor; YOLO uses 114 */
    nnrt_channels channels; /* order of three channels; a tensor of one channel gets the luma */
    float mean[3];          /* by channel of the tensor: (value - mean) / deviation, of values 0 to 255 */
    float deviation[3];     /* above 0; 0: 1 */
} nnrt_image_options;

/* ------------------------------------------------------------------------------------------------ the one pass */

/* The picture as a tensor of layout->type: OH_NN_INT8, UINT8, INT16, FLOAT16 or FLOAT32, of scale and zero_point as
   nnrt_quantize() takes them (nnrt_executor_get_input_quant() tells them of an input). layout: NNRT_ORDER_NHWC or NCHW,
   one batch, 1 or 3 channels, height and width up to 32768, with row_stride and row_count where NPUs pad rows and
   planes; padding is not written. to is aligned for its elements, has to_size bytes, at least nnrt_layout_size(), and
   does not overlap the picture. options NULL: all 0. A tensor of OH_NN_UINT8 with scale 1 and zero point 0 is a picture
   again: RGB888, BGR888 or GRAY8. */
NNRT_API OH_NN_ReturnCode nnrt_image_to_tensor(const nnrt_image *image, const nnrt_image_options *options,
                                               const nnrt_layout *layout, double scale, int32_t zero_point, void *to,
                                               size_t to_size);

/* Where the picture is in a tensor. */
typedef struct nnrt_image_place {
    nnrt_image_rect from; /* pixels of the picture: the crop */
    nnrt_image_rect to;   /* pixels of the tensor: all of them, or those that are not padding */
} nnrt_image_place;

/* Where nnrt_image_to_tensor() puts the picture with these options in a tensor of width x height. */
NNRT_API OH_NN_ReturnCode nnrt_image_find_place(const nnrt_image *image, const nnrt_image_options *options,
                                                uint32_t width, uint32_t height, nnrt_image_place *place);

/* The way back, for boxes and keypoints found by a model: converts count points x, y, which are stride floats apart,
   from pixels of the tensor to those of the picture, where 0, 0 is the outer corner of the first pixel and x = width
   the end of the last. Points in the padding end up outside the crop; clip moves them to its edge. NaN stays NaN.
   stride is 2 or more; count may be 0. */
NNRT_API OH_NN_ReturnCode nnrt_image_points_back(const nnrt_image_place *place, float *points, size_t count,
                                                 size_t stride, bool clip);

#ifdef __cplusplus
}
#endif

#endif /* NNRT_IMAGE_API_H */
