/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/layout.h - tensors from one memory layout into another: pure functions on bytes.   >>rknn_layout

   A tensor is N images of C channels, H rows, W columns. Index of element (n,c,h,w), in elements:
     NCHW      ((n*C + c)*HS + h)*WS + w                       HS = h_stride, WS = w_stride
     NHWC      ((n*HS + h)*WS + w)*C + c
     NC1HWC2   ((((n*C1 + c/C2)*HS + h)*WS + w)*C2) + c%C2     C1*C2 >= C; lanes past C are padding
   Tensors of fewer dimensions are NCHW with ones: [a] is C=a; [a,b] is N=a, C=b; [a,b,c] is N=a, C=b, W=c. */
#ifndef NNRT_RKNPU_LAYOUT_H
#define NNRT_RKNPU_LAYOUT_H

#include "../core/platform.h"
#include "abi.h"

typedef struct nnrt__tensor_layout {
    nnrt_rknn_format order; /* NCHW, NHWC or NC1HWC2 */
    nnrt_rknn_tensor_type type;
    uint32_t n, c, h, w;       /* logical, each >= 1 */
    uint32_t w_stride;         /* stored columns, >= w */
    uint32_t h_stride;         /* stored rows, >= h */
    uint32_t c1, c2;           /* NC1HWC2 only, else 0 */
    nnrt_rknn_qnt_type quant;  /* of integers: what float32 on the other side means */
    int8_t fl;
    int32_t zp;
    float scale;
} nnrt__tensor_layout;

/* Bytes of the tensor, strides and padding lanes included. false: a field is impossible (zero, stride below width,
   C1*C2 < C, C2 0, a type without whole bytes, quantisation without a positive finite scale) or the size does not fit
   31 bits. Every other function here takes only layouts that passed. */
NNRT__FN bool nnrt__layout_size(const nnrt__tensor_layout *layout, uint32_t *size);

/* Both describe the same bytes: nothing to convert, a tensor can be bound as it is. */
NNRT__FN bool nnrt__layout_same(const nnrt__tensor_layout *a, const nnrt__tensor_layout *b);

/* Is there a conversion? Same n, c, h, w, and: the same type and quantisation; or float32 on one side and float16, or
   quantised int8, uint8 or int16, on the other. */
NNRT__FN bool nnrt__layout_convertible(const nnrt__tensor_layout *from, const nnrt__tensor_layout *to);

/* Writes every logical element of from at its place in to. Row padding of to is left alone; lanes past C of NC1HWC2
   become 0. Regions do not overlap; any alignment. Quantising: clamp(round(x / scale) + zp), nearest, ties to even, NaN
   gives zp; dequantising: (q - zp) * scale in float32. Same bytes on every instruction set. Returns the bytes of
   elements written. */
NNRT__FN uint64_t nnrt__layout_convert(const nnrt__tensor_layout *from, const void *source,
                                       const nnrt__tensor_layout *to, void *destination);

NNRT__FN uint16_t nnrt__float16_from_float32(float value); /* nearest, ties to even; overflow: infinity */
NNRT__FN float nnrt__float16_to_float32(uint16_t value);

#endif /* NNRT_RKNPU_LAYOUT_H */
