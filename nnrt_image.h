/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_image.h - from the pixels of a camera, a decoder or a file to the input of a model, in one pass.   >>image

   What it does   NV12, NV21, I420, YUYV, UYVY, RGB565, RGB888, BGR888, RGBA, BGRA, GRAY8; crop, resize (nearest,
                  bilinear), letterbox and the way back for what was found; BT.601 and BT.709; mean and deviation; RGB
                  or BGR or luma; int8, uint8, int16, float16, float32; NHWC or NCHW with strides
   Turn it on     #define NNRT_IMAGE before nnrt.h, everywhere: the functions are declared where it is defined
   Needs          6 KB of stack. No heap, no device, no threads, no operating system, no floating point per pixel
   Does NOT       decode files, rotate, or blur before it shrinks; a 2D engine of the board (RGA, VPSS) is faster
   Trust          sizes, strides, options and pixels may be anything; pointers may not
   Guide          docs/image.md

   Rooms   image/api.h        >>image_api        types and functions
           image/planes.h     >>image_planes     formats, where a component of a pixel lies, checks
           image/resize.h     >>image_resize     which pixels become one, letterbox, the way back
           image/sample.h     >>image_sample     components of a few pixels, interpolated: sample_rvv.h
           image/convert.h    >>image_convert    components to RGB or luma: convert_scalar.h, _neon.h, _rvv.h
           image/to_tensor.h  >>image_to_tensor  the pass */
#ifndef NNRT_IMAGE_H
#define NNRT_IMAGE_H

#include "image/planes.h"
#include "image/resize.h"
#include "image/sample.h"
#include "image/convert.h"
#include "image/to_tensor.h"

#endif /* NNRT_IMAGE_H */
