/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/vendor_check.h - compares nnrt's declarations with the vendor's headers,
   NNRT_BPU_USE_VENDOR_HEADER.   >>bpu_vendor_check

   The option is the first number of the headers' version, 1 or 3: both call their types the same. With the headers on
   the include path everything here compiles to nothing. A value, a size or an offset that differs is an array of
   negative length. A function whose prototype differs is declared a second time here, which C and C++ refuse. Compiled
   with the headers 1.23.10 on 2026-11-22; not with those of UCP, only with stand-ins written from the text of
   3.13.6. */
#ifndef NNRT_BPU_VENDOR_CHECK_H
#define NNRT_BPU_VENDOR_CHECK_H

#include "abi.h"

#define NNRT__BPU_SAME(name, ours, vendor) \
    typedef char nnrt__bpu_vendor_##name[(long long)(ours) == (long long)(vendor) ? 1 : -1]
#define NNRT__BPU_SAME_SIZE(ours, vendor) NNRT__BPU_SAME(size_##ours, sizeof(nnrt__bpu_##ours), sizeof(vendor))
#define NNRT__BPU_SAME_PLACE(ours, field, vendor, vendor_field) \
    NNRT__BPU_SAME(at_##ours##_##field, offsetof(nnrt__bpu_##ours, field), offsetof(vendor, vendor_field))

#if (NNRT_BPU_USE_VENDOR_HEADER + 0) == 1
#include "vendor_check_dnn.h"
#else
#if (NNRT_BPU_USE_VENDOR_HEADER + 0) == 3
#include "vendor_check_ucp.h"
#else
#error "nnrt: NNRT_BPU_USE_VENDOR_HEADER is 1 (dnn/hb_dnn.h of X3, J5, X5) or 3 (hobot/dnn/hb_dnn.h of S100, S600)"
#endif
#endif

/* Of both. */
NNRT__BPU_SAME(clean, NNRT__BPU_CLEAN, HB_SYS_MEM_CACHE_CLEAN);
NNRT__BPU_SAME(invalidate, NNRT__BPU_INVALIDATE, HB_SYS_MEM_CACHE_INVALIDATE);

#undef NNRT__BPU_SAME
#undef NNRT__BPU_SAME_SIZE
#undef NNRT__BPU_SAME_PLACE

#endif /* NNRT_BPU_VENDOR_CHECK_H */
