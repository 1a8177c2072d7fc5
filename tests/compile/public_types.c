/* SPDX-License-Identifier: Apache-2.0 */
/* public_types.c - compiles where every public type has the size, the alignment and the places of its members that
   tests/public_types.h lists, as C and as C++. */
#include "nnrt.h"

#include "../public_types.h"

#define HOLDS(name, condition) typedef char name[(condition) ? 1 : -1]; /* an array of -1 elements does not compile */

#define SIZE_IS(type, bytes, alignment)            \
    HOLDS(size_of_##type, sizeof(type) == (bytes)) \
    typedef struct beside_##type {                 \
        char before;                               \
        type value;                                \
    } beside_##type;                               \
    HOLDS(alignment_of_##type, offsetof(beside_##type, value) == (alignment))
#define HANDLE_IS(type) HOLDS(handle_##type, sizeof(type *) == PUBLIC_POINTER)
#define MEMBER_IS(type, member, bytes) HOLDS(place_of_##type##_##member, offsetof(type, member) == (bytes))

PUBLIC_TYPES(SIZE_IS)
PUBLIC_HANDLES(HANDLE_IS)
PUBLIC_MEMBERS(MEMBER_IS)

/* What applications do with a fused activation. */
int public_fuse_name(OH_NN_FuseType fuse);
int public_fuse_name(OH_NN_FuseType fuse) {
    switch (fuse) {
    case OH_NN_FUSED_NONE: return 'n';
    case OH_NN_FUSED_RELU: return 'r';
    case OH_NN_FUSED_RELU6: return '6';
    }
    return 0;
}
OH_NN_ReturnCode public_fuse_set(OH_NNModel *model, uint32_t index, bool clamps);
OH_NN_ReturnCode public_fuse_set(OH_NNModel *model, uint32_t index, bool clamps) {
    OH_NN_FuseType fuse = clamps ? OH_NN_FUSED_RELU : OH_NN_FUSED_NONE;
    int8_t stored = OH_NN_FUSED_RELU6;
    if (clamps) stored = (int8_t)fuse;
    return stored == OH_NN_FUSED_RELU ? OH_NNModel_SetTensorData(model, index, &fuse, sizeof(fuse))
                                      : OH_NNModel_SetTensorData(model, index, &stored, sizeof(stored));
}

#ifdef __cplusplus
/* In C++ it is a type of its own: chosen by overloading, converted explicitly. */
int public_which(OH_NN_FuseType fuse);
int public_which(int8_t number);
int public_which(OH_NN_FuseType fuse) { return static_cast<int>(fuse); }
int public_which(int8_t number) { return public_which(static_cast<OH_NN_FuseType>(number)); }
#endif
