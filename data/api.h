/* SPDX-License-Identifier: Apache-2.0 */
/* data/api.h - what a program does with the numbers of a model before and after it runs.   >>data_api

   Pure functions on the memory of the caller: nothing is allocated, no device is needed, any thread may call any of
   them, and the same input gives the same bytes on every processor. Arrays have the alignment of their elements, but
   where it says "any alignment"; from and to do not overlap. Everything else may be anything: what does not fit is
   refused before the first byte is written.
   Return codes  OH_NN_INVALID_PARAMETER of every function here: a pointer is NULL, or a number, a type or a size is not
                 what the function says; what it writes is untouched then, and nnrt_last_error() says which. */
#ifndef NNRT_DATA_API_H
#define NNRT_DATA_API_H

#include "../core/api_extensions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------ real and quantized */

/* count numbers become elements of type, as the CPU device's QUANTIZE (and TensorFlow Lite's) makes them:
     OH_NN_INT8, OH_NN_UINT8, OH_NN_INT16   q = round(x / scale) + zero_point, the quotient in float32, ties away from
                                            zero, kept within the type; a NaN becomes the lowest value
     OH_NN_FLOAT16                          the nearest, ties to even; scale and zero_point are not looked at
     OH_NN_FLOAT32                          a copy; the same
   So one call serves every model, with what nnrt_executor_get_input_quant() and OH_NNTensorDesc_GetDataType() say of
   its input. scale is a float32 above 0 for integers, and zero_point a value of the type. count may be 0. */
NNRT_API OH_NN_ReturnCode nnrt_quantize(const float *from, size_t count, OH_NN_DataType type, double scale,
                                        int32_t zero_point, void *to);

/* The way back, of the same types: x = scale * (q - zero_point), rounded once. */
NNRT_API OH_NN_ReturnCode nnrt_dequantize(const void *from, size_t count, OH_NN_DataType type, double scale,
                                          int32_t zero_point, float *to);

/* Both for a tensor of dimensions [outer, channels, inner] whose channels have a scale and a zero point each, as
   weights have: outer and inner are the products of the dimensions before and behind that of the channels. zero_points
   may be NULL: all are 0. The element count outer * channels * inner fits size_t. */
NNRT_API OH_NN_ReturnCode nnrt_quantize_channels(const float *from, size_t outer, size_t channels, size_t inner,
                                                 OH_NN_DataType type, const double *scales, const int32_t *zero_points,
                                                 void *to);
NNRT_API OH_NN_ReturnCode nnrt_dequantize_channels(const void *from, size_t outer, size_t channels, size_t inner,
                                                   OH_NN_DataType type, const double *scales,
                                                   const int32_t *zero_points, float *to);

/* -------------------------------------------------------------------------------------------- the best of many */

typedef struct nnrt_top {
    size_t index;
    double value; /* as it stands in the array: real = scale * (value - zero_point) */
} nnrt_top;

/* The k largest of count values, the largest first; of equal ones (0 and -0 are equal) the lower index first; a NaN is
   smaller than everything else. type is any but OH_NN_BOOL, OH_NN_INT64 and OH_NN_UINT64. k is 1 to count; best has
   room for k. In the order of count * log(k) steps. */
NNRT_API OH_NN_ReturnCode nnrt_top_k(const void *values, size_t count, OH_NN_DataType type, size_t k, nnrt_top *best);

/* ------------------------------------------------------------------------------------------------ memory layouts */

/* Where element (n, c, y, x) stands, counted in elements; H is row_count, or height where that is 0, and W row_stride,
   or width:
     NNRT_ORDER_NCHW      ((n * channels + c) * H + y) * W + x
     NNRT_ORDER_NHWC      ((n * H + y) * W + x) * channels + c
     NNRT_ORDER_NC1HWC2   (((n * C1 + c / block) * H + y) * W + x) * block + c % block, with C1 = channels / block
                          rounded up: the NPUs' own. Lanes behind the last channel are padding */
typedef enum nnrt_order {
    NNRT_ORDER_NCHW = 0,
    NNRT_ORDER_NHWC = 1,
    NNRT_ORDER_NC1HWC2 = 2
} nnrt_order;

typedef struct nnrt_layout {
    nnrt_order order;
    OH_NN_DataType type; /* any but OH_NN_UINT64 and OH_NN_FLOAT64 */
    uint32_t batches;    /* each of these four is 1 or more */
    uint32_t channels;
    uint32_t height;
    uint32_t width;
    uint32_t row_stride; /* pixels from a row to the next, at least width; 0: width */
    uint32_t row_count;  /* rows from a plane or picture to the next, at least height; 0: height */
    uint32_t block;      /* channels side by side, 1 or more; NC1HWC2 only */
} nnrt_layout;

/* Bytes of a tensor that is laid out so, padding included, at most 2^31 - 1. */
NNRT_API OH_NN_ReturnCode nnrt_layout_size(const nnrt_layout *layout, size_t *bytes);

/* Every element of from_layout goes to its place in to_layout, bytes unchanged; both have the same type, batches,
   channels, height and width. Lanes of padding become 0, padding of rows and planes is left alone. from_size and
   to_size are the bytes that may be read and written: at least nnrt_layout_size(). Any alignment; 4 KB of stack. */
NNRT_API OH_NN_ReturnCode nnrt_convert_layout(const nnrt_layout *from_layout, const void *from, size_t from_size,
                                              const nnrt_layout *to_layout, void *to, size_t to_size);

#ifdef __cplusplus
}
#endif

#endif /* NNRT_DATA_API_H */
