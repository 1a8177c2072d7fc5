/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/resizer.h - limits of the resizer of X3, J5 and X5, which cuts regions out of a picture and scales
   them.   >>bpu_resizer

   The library returns "invalid argument" for everything that its resizer cannot do, so each limit is checked before the
   call. All four sides of a region are inside.

                        X3                          J5, RDK Ultra, X5
     picture            rows of 16 k bytes          the same, 16 to 131072; 1 to 4096 columns
     sides              even, even, odd, odd        any
     size               16 to 255                   2 to 4096
     size of the model  below 18432 pixels          2 x 2 and more
     times              more than 1/2, up to 8      a step of at most 262143 / 65536 pixels

   X5 is undocumented and assumed to be like J5 and Ultra. For an unknown board only the picture is a limit. */
#ifndef NNRT_BPU_RESIZER_H
#define NNRT_BPU_RESIZER_H

#include "abi.h"
#include "march.h"

/* A picture that regions are cut out of; pitch: bytes from row to row. */
typedef struct nnrt__bpu_frame {
    uint32_t width, height, pitch;
} nnrt__bpu_frame;

typedef enum nnrt__bpu_resizer {
    NNRT__BPU_RESIZER_UNKNOWN = 0,
    NNRT__BPU_RESIZER_X3 = 1,
    NNRT__BPU_RESIZER_BAYES = 2
} nnrt__bpu_resizer;

/* march NULL: not known. */
NNRT__FN nnrt__bpu_resizer nnrt__bpu_resizer_of(const nnrt__bpu_march *march) {
    if (march == NULL) return NNRT__BPU_RESIZER_UNKNOWN;
    if (strcmp(march->name, "bernoulli2") == 0) return NNRT__BPU_RESIZER_X3;
    return strncmp(march->name, "bayes", 5) == 0 ? NNRT__BPU_RESIZER_BAYES : NNRT__BPU_RESIZER_UNKNOWN;
}

/* The input of a model that regions are scaled to. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_check_target(nnrt__bpu_resizer resizer, uint32_t width, uint32_t height,
                                                 const char *name) {
    if (resizer == NNRT__BPU_RESIZER_X3 && (uint64_t)width * height >= 18432)
        return nnrt__fail(OH_NN_FAILED, "input \"%.40s\" is %ux%u: the resizer of X3 makes less than 18432 pixels",
                          name, (unsigned)width, (unsigned)height);
    if (resizer == NNRT__BPU_RESIZER_BAYES && (width < 2 || height < 2))
        return nnrt__fail(OH_NN_FAILED, "input \"%.40s\" is %ux%u: the resizer makes 2x2 pixels and more", name,
                          (unsigned)width, (unsigned)height);
    return OH_NN_SUCCESS;
}

/* The picture of a run. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_check_frame(nnrt__bpu_resizer resizer, const nnrt__bpu_frame *source,
                                                const char *name) {
    const uint32_t width = source->width, height = source->height, pitch = source->pitch;
    if (width == 0 || height == 0 || width % 2 != 0 || height % 2 != 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "picture \"%.40s\" is %ux%u: both must be even", name,
                          (unsigned)width, (unsigned)height);
    if (pitch < width || pitch % 16 != 0)
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "picture \"%.40s\" has %u columns in rows of %u bytes: rows are a multiple of 16", name,
                          (unsigned)width, (unsigned)pitch);
    if (resizer == NNRT__BPU_RESIZER_BAYES && (width > 4096 || pitch > 131072))
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "picture \"%.40s\" has %u columns in rows of %u bytes: the resizer reads 4096 in 131072",
                          name, (unsigned)width, (unsigned)pitch);
    return OH_NN_SUCCESS;
}

/* What the resizer of a chip cannot scale; NULL: it can. Both are 1 and more. */
NNRT__FN const char *nnrt__bpu_scale_fault(nnrt__bpu_resizer resizer, uint64_t from, uint64_t to) {
    if (resizer == NNRT__BPU_RESIZER_X3) {
        if (from < 16 || from > 255) return "X3 takes 16 to 255 pixels";
        return 2 * to > from && to <= 8 * from ? NULL : "X3 scales by more than 1/2, up to 8";
    }
    if (resizer == NNRT__BPU_RESIZER_UNKNOWN) return NULL;
    if (from < 2 || from > 4096) return "the resizer takes 2 to 4096 pixels";
    return to >= 2 && ((from - 1) * 65536 + (to - 1) / 2) / (to - 1) <= 262143 ? NULL : "the resizer shrinks below 1/4";
}

/* Region number index, scaled to width x height of the model. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_check_region(nnrt__bpu_resizer resizer, const nnrt__bpu_frame *source,
                                                 const nnrt__bpu_region *region, uint32_t index, uint32_t width,
                                                 uint32_t height) {
    const int32_t left = region->left, top = region->top, right = region->right, bottom = region->bottom;
    const char *fault;
    if (left < 0 || top < 0 || right < left || bottom < top || (uint32_t)right >= source->width ||
        (uint32_t)bottom >= source->height)
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "region %u from (%d,%d) to (%d,%d), both inside, is not in a picture of %ux%u",
                          (unsigned)index, (int)left, (int)top, (int)right, (int)bottom, (unsigned)source->width,
                          (unsigned)source->height);
    if (resizer == NNRT__BPU_RESIZER_X3 && (left % 2 != 0 || top % 2 != 0 || right % 2 == 0 || bottom % 2 == 0))
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "region %u goes from (%d,%d) to (%d,%d): on X3 it begins at even and ends at odd coordinates",
                          (unsigned)index, (int)left, (int)top, (int)right, (int)bottom);
    fault = nnrt__bpu_scale_fault(resizer, (uint64_t)(right - left) + 1, width);
    if (fault == NULL) fault = nnrt__bpu_scale_fault(resizer, (uint64_t)(bottom - top) + 1, height);
    if (fault == NULL) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "region %u is %dx%d and the model's input %ux%u: %s", (unsigned)index,
                      (int)(right - left) + 1, (int)(bottom - top) + 1, (unsigned)width, (unsigned)height, fault);
}

/* One side of hbDNNResize: pixels from, pixels to. */
NNRT__FN bool nnrt__bpu_resizes(uint64_t from, uint64_t to) { return to * 185 >= from && to < from * 256; }

/* A picture for hbDNNResize, which has limits of its own. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_check_side(bool nv12, const nnrt__bpu_frame *frame, const char *what) {
    if (nv12 && (frame->width % 2 != 0 || frame->height % 2 != 0))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_bpu_resize: the %s is NV12 of %ux%u: both must be even", what,
                          (unsigned)frame->width, (unsigned)frame->height);
    if (frame->width >= 1 && frame->width <= 4080 && frame->height >= 1 && frame->height <= INT32_MAX &&
        frame->pitch >= frame->width && frame->pitch >= 16 && frame->pitch <= 4080 && frame->pitch % 16 == 0)
        return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER,
                      "nnrt_bpu_resize: the %s is %ux%u in rows of %u bytes: 1 to 4080 columns in 16 to 4080 bytes, a "
                      "multiple of 16, are possible",
                      what, (unsigned)frame->width, (unsigned)frame->height, (unsigned)frame->pitch);
}

/* region of source to all of target. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_check_resize(bool nv12, const nnrt__bpu_frame *source,
                                                 const nnrt__bpu_region *region, const nnrt__bpu_frame *target) {
    OH_NN_ReturnCode code = nnrt__bpu_check_side(nv12, source, "source");
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_check_side(nv12, target, "target");
    if (code == OH_NN_SUCCESS && target->height > 4080)
        code = nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_bpu_resize: the target has %u rows, and 4080 are the most",
                          (unsigned)target->height);
    if (code == OH_NN_SUCCESS)
        code = nnrt__bpu_check_region(NNRT__BPU_RESIZER_UNKNOWN, source, region, 0, target->width, target->height);
    if (code != OH_NN_SUCCESS) return code;
    if (nnrt__bpu_resizes((uint64_t)(region->right - region->left) + 1, target->width) &&
        nnrt__bpu_resizes((uint64_t)(region->bottom - region->top) + 1, target->height))
        return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER,
                      "nnrt_bpu_resize: %dx%d pixels to %ux%u: each side becomes 1/185 to less than 256 times as long",
                      (int)(region->right - region->left) + 1, (int)(region->bottom - region->top) + 1,
                      (unsigned)target->width, (unsigned)target->height);
}

#endif /* NNRT_BPU_RESIZER_H */
