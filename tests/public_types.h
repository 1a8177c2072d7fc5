/* SPDX-License-Identifier: Apache-2.0 */
/* public_types.h - size and alignment of every type of core/api_types.h, for compile-time and run-time checks.
   Applications compiled for OpenHarmony depend on these numbers. */
#ifndef NNRT_TESTS_PUBLIC_TYPES_H
#define NNRT_TESTS_PUBLIC_TYPES_H

#define PUBLIC_POINTER sizeof(void *)

/* X(type, bytes, alignment) */
#define PUBLIC_TYPES(X)                                      \
    X(OH_NN_ReturnCode, 4, 4)                                \
    X(OH_NN_PerformanceMode, 4, 4)                           \
    X(OH_NN_Priority, 4, 4)                                  \
    X(OH_NN_FuseType, 1, 1)                                  \
    X(OH_NN_Format, 4, 4)                                    \
    X(OH_NN_DeviceType, 4, 4)                                \
    X(OH_NN_DataType, 4, 4)                                  \
    X(OH_NN_OperationType, 4, 4)                             \
    X(OH_NN_TensorType, 4, 4)                                \
    X(OH_NN_UInt32Array, 2 * PUBLIC_POINTER, PUBLIC_POINTER) \
    X(OH_NN_QuantParam, 4 * PUBLIC_POINTER, PUBLIC_POINTER)  \
    X(OH_NN_Tensor, 3 * PUBLIC_POINTER + 8, PUBLIC_POINTER)  \
    X(OH_NN_Memory, 2 * PUBLIC_POINTER, PUBLIC_POINTER)      \
    X(NN_OnRunDone, PUBLIC_POINTER, PUBLIC_POINTER)          \
    X(NN_OnServiceDied, PUBLIC_POINTER, PUBLIC_POINTER)

/* X(type): handles, of which a program sees only pointers. */
#define PUBLIC_HANDLES(X) \
    X(OH_NNModel) X(OH_NNCompilation) X(OH_NNExecutor) X(NN_QuantParam) X(NN_TensorDesc) X(NN_Tensor)

/* X(structure, member, bytes from its beginning) */
#define PUBLIC_MEMBERS(X)                              \
    X(OH_NN_UInt32Array, data, 0)                      \
    X(OH_NN_UInt32Array, size, PUBLIC_POINTER)         \
    X(OH_NN_QuantParam, quantCount, 0)                 \
    X(OH_NN_QuantParam, numBits, PUBLIC_POINTER)       \
    X(OH_NN_QuantParam, scale, 2 * PUBLIC_POINTER)     \
    X(OH_NN_QuantParam, zeroPoint, 3 * PUBLIC_POINTER) \
    X(OH_NN_Tensor, dataType, 0)                       \
    X(OH_NN_Tensor, dimensionCount, 4)                 \
    X(OH_NN_Tensor, dimensions, 8)                     \
    X(OH_NN_Tensor, quantParam, 8 + PUBLIC_POINTER)    \
    X(OH_NN_Tensor, type, 8 + 2 * PUBLIC_POINTER)      \
    X(OH_NN_Memory, data, 0)                           \
    X(OH_NN_Memory, length, PUBLIC_POINTER)

#endif /* NNRT_TESTS_PUBLIC_TYPES_H */
