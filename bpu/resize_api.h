/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/resize_api.h - the BPU of older boards scales pictures without a model.   >>bpu_resize_api

   Libraries 1.6 to 1.22 have a function for it, on X3 and J5. Horizon recommends passing regions to a model instead
   (docs/bpu.md), which is the only way with later libraries. */
#ifndef NNRT_BPU_RESIZE_API_H
#define NNRT_BPU_RESIZE_API_H

#include "../core/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nnrt_bpu_pixels {
    NNRT_BPU_PIXELS_Y = 0,
    NNRT_BPU_PIXELS_NV12 = 1 /* rows of luma, then half as many rows of U V pairs; width and height are even */
} nnrt_bpu_pixels;

typedef struct nnrt_bpu_picture {
    NN_Tensor *tensor; /* of the BPU device, of any type and shape: its first bytes are the picture. The program's */
    uint32_t width;    /* pixels, at most 4080 */
    uint32_t height;   /* of a target at most 4080 */
    uint32_t pitch;    /* bytes from row to row, width or more, a multiple of 16 from 16 to 4080 */
} nnrt_bpu_picture;

/* All four sides are inside. */
typedef struct nnrt_bpu_region {
    int32_t left;
    int32_t top;
    int32_t right;
    int32_t bottom;
} nnrt_bpu_region;

/* Scales region of source (NULL: all of it) to all of target, bilinear, both of the same pixels, and waits for the end.
   Each side becomes 1/185 to less than 256 times as long. Bytes behind the rows of target may change. First waits for
   one of the library's 32 tasks, after every run of a priority above 0. timeout_ms counts from then on; 0: none.
     OH_NN_SUCCESS            target has the picture
     OH_NN_INVALID_PARAMETER  a limit above, a region outside, a tensor that is too small or of another device
     OH_NN_UNSUPPORTED        this library has no such function
     OH_NN_TIMEOUT            target may still be written; the memory of both tensors stays until the program ends
     OH_NN_MEMORY_ERROR, OH_NN_UNAVAILABLE_DEVICE, OH_NN_FAILED   what the library answers, with its code
   Thread-safe, for tensors that nothing else uses. */
NNRT_API OH_NN_ReturnCode nnrt_bpu_resize(nnrt_bpu_pixels pixels, const nnrt_bpu_picture *source,
                                          const nnrt_bpu_region *region, const nnrt_bpu_picture *target,
                                          uint32_t timeout_ms);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_BPU_RESIZE_API_H */
