/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/vendor_check.h - nnrt's declarations compared with the vendor's headers, NNRT_RKNPU_USE_VENDOR_HEADER.
   >>rknpu_vendor_check

   With the headers of runtime 2.3.2 on the include path everything here compiles to nothing. A value, a size or an
   offset that differs is an array of negative length. A function whose prototype differs is declared a second time
   here, which C and C++ refuse. Headers of other versions lack names: build without the macro then. Sizes and offsets
   are the same in those of 2.1.0, 2.2.0 and 2.3.0; in 1.6.0 rknn_matmul_info ends after 24 of its 64 bytes (compared
   2026-11-21; rknpu/abi.h). */
#ifndef NNRT_RKNPU_VENDOR_CHECK_H
#define NNRT_RKNPU_VENDOR_CHECK_H

#include <rknn_api.h>
#include <rknn_custom_op.h>
#include <rknn_matmul_api.h>

#include "abi.h"

/* ------------------------------------------------------------------------------------------------- values */

#define NNRT__RKNN_SAME(ours, vendor) \
    typedef char nnrt__rknn_vendor_##ours[(long long)(NNRT_RKNN_##ours) == (long long)(vendor) ? 1 : -1]

NNRT__RKNN_SAME(MAX_DIMS, RKNN_MAX_DIMS);
NNRT__RKNN_SAME(MAX_NAME, RKNN_MAX_NAME_LEN);
NNRT__RKNN_SAME(MAX_DYNAMIC_SHAPES, RKNN_MAX_DYNAMIC_SHAPE_NUM);
NNRT__RKNN_SAME(FLAG_PRIOR_HIGH, RKNN_FLAG_PRIOR_HIGH);
NNRT__RKNN_SAME(FLAG_PRIOR_MEDIUM, RKNN_FLAG_PRIOR_MEDIUM);
NNRT__RKNN_SAME(FLAG_PRIOR_LOW, RKNN_FLAG_PRIOR_LOW);
NNRT__RKNN_SAME(FLAG_ASYNC_MASK, RKNN_FLAG_ASYNC_MASK);
NNRT__RKNN_SAME(FLAG_COLLECT_PERF_MASK, RKNN_FLAG_COLLECT_PERF_MASK);
NNRT__RKNN_SAME(FLAG_MEM_ALLOC_OUTSIDE, RKNN_FLAG_MEM_ALLOC_OUTSIDE);
NNRT__RKNN_SAME(FLAG_SHARE_WEIGHT_MEM, RKNN_FLAG_SHARE_WEIGHT_MEM);
NNRT__RKNN_SAME(FLAG_FENCE_IN_OUTSIDE, RKNN_FLAG_FENCE_IN_OUTSIDE);
NNRT__RKNN_SAME(FLAG_FENCE_OUT_OUTSIDE, RKNN_FLAG_FENCE_OUT_OUTSIDE);
NNRT__RKNN_SAME(FLAG_COLLECT_MODEL_INFO_ONLY, RKNN_FLAG_COLLECT_MODEL_INFO_ONLY);
NNRT__RKNN_SAME(FLAG_INTERNAL_ALLOC_OUTSIDE, RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE);
NNRT__RKNN_SAME(FLAG_EXECUTE_FALLBACK_PRIOR_DEVICE_GPU, RKNN_FLAG_EXECUTE_FALLBACK_PRIOR_DEVICE_GPU);
NNRT__RKNN_SAME(FLAG_ENABLE_SRAM, RKNN_FLAG_ENABLE_SRAM);
NNRT__RKNN_SAME(FLAG_SHARE_SRAM, RKNN_FLAG_SHARE_SRAM);
NNRT__RKNN_SAME(FLAG_DISABLE_PROC_HIGH_PRIORITY, RKNN_FLAG_DISABLE_PROC_HIGH_PRIORITY);
NNRT__RKNN_SAME(FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE, RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE);
NNRT__RKNN_SAME(FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE, RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE);
NNRT__RKNN_SAME(FLAG_MODEL_BUFFER_ZERO_COPY, RKNN_FLAG_MODEL_BUFFER_ZERO_COPY);
NNRT__RKNN_SAME(MEM_FLAG_ALLOC_NO_CONTEXT, RKNN_MEM_FLAG_ALLOC_NO_CONTEXT);
NNRT__RKNN_SAME(MEMORY_DEFAULT, RKNN_FLAG_MEMORY_FLAGS_DEFAULT);
NNRT__RKNN_SAME(MEMORY_CACHEABLE, RKNN_FLAG_MEMORY_CACHEABLE);
NNRT__RKNN_SAME(MEMORY_NON_CACHEABLE, RKNN_FLAG_MEMORY_NON_CACHEABLE);
NNRT__RKNN_SAME(MEMORY_TRY_ALLOC_SRAM, RKNN_FLAG_MEMORY_TRY_ALLOC_SRAM);
NNRT__RKNN_SAME(QUERY_IN_OUT_NUM, RKNN_QUERY_IN_OUT_NUM);
NNRT__RKNN_SAME(QUERY_INPUT_ATTR, RKNN_QUERY_INPUT_ATTR);
NNRT__RKNN_SAME(QUERY_OUTPUT_ATTR, RKNN_QUERY_OUTPUT_ATTR);
NNRT__RKNN_SAME(QUERY_PERF_DETAIL, RKNN_QUERY_PERF_DETAIL);
NNRT__RKNN_SAME(QUERY_PERF_RUN, RKNN_QUERY_PERF_RUN);
NNRT__RKNN_SAME(QUERY_SDK_VERSION, RKNN_QUERY_SDK_VERSION);
NNRT__RKNN_SAME(QUERY_MEM_SIZE, RKNN_QUERY_MEM_SIZE);
NNRT__RKNN_SAME(QUERY_CUSTOM_STRING, RKNN_QUERY_CUSTOM_STRING);
NNRT__RKNN_SAME(QUERY_NATIVE_INPUT_ATTR, RKNN_QUERY_NATIVE_INPUT_ATTR);
NNRT__RKNN_SAME(QUERY_NATIVE_OUTPUT_ATTR, RKNN_QUERY_NATIVE_OUTPUT_ATTR);
NNRT__RKNN_SAME(QUERY_NATIVE_NHWC_INPUT_ATTR, RKNN_QUERY_NATIVE_NHWC_INPUT_ATTR);
NNRT__RKNN_SAME(QUERY_NATIVE_NHWC_OUTPUT_ATTR, RKNN_QUERY_NATIVE_NHWC_OUTPUT_ATTR);
NNRT__RKNN_SAME(QUERY_DEVICE_MEM_INFO, RKNN_QUERY_DEVICE_MEM_INFO);
NNRT__RKNN_SAME(QUERY_INPUT_DYNAMIC_RANGE, RKNN_QUERY_INPUT_DYNAMIC_RANGE);
NNRT__RKNN_SAME(QUERY_CURRENT_INPUT_ATTR, RKNN_QUERY_CURRENT_INPUT_ATTR);
NNRT__RKNN_SAME(QUERY_CURRENT_OUTPUT_ATTR, RKNN_QUERY_CURRENT_OUTPUT_ATTR);
NNRT__RKNN_SAME(QUERY_CURRENT_NATIVE_INPUT_ATTR, RKNN_QUERY_CURRENT_NATIVE_INPUT_ATTR);
NNRT__RKNN_SAME(QUERY_CURRENT_NATIVE_OUTPUT_ATTR, RKNN_QUERY_CURRENT_NATIVE_OUTPUT_ATTR);
NNRT__RKNN_SAME(FLOAT32, RKNN_TENSOR_FLOAT32);
NNRT__RKNN_SAME(FLOAT16, RKNN_TENSOR_FLOAT16);
NNRT__RKNN_SAME(INT8, RKNN_TENSOR_INT8);
NNRT__RKNN_SAME(UINT8, RKNN_TENSOR_UINT8);
NNRT__RKNN_SAME(INT16, RKNN_TENSOR_INT16);
NNRT__RKNN_SAME(UINT16, RKNN_TENSOR_UINT16);
NNRT__RKNN_SAME(INT32, RKNN_TENSOR_INT32);
NNRT__RKNN_SAME(UINT32, RKNN_TENSOR_UINT32);
NNRT__RKNN_SAME(INT64, RKNN_TENSOR_INT64);
NNRT__RKNN_SAME(BOOL, RKNN_TENSOR_BOOL);
NNRT__RKNN_SAME(INT4, RKNN_TENSOR_INT4);
NNRT__RKNN_SAME(BFLOAT16, RKNN_TENSOR_BFLOAT16);
NNRT__RKNN_SAME(QNT_NONE, RKNN_TENSOR_QNT_NONE);
NNRT__RKNN_SAME(QNT_DFP, RKNN_TENSOR_QNT_DFP);
NNRT__RKNN_SAME(QNT_AFFINE, RKNN_TENSOR_QNT_AFFINE_ASYMMETRIC);
NNRT__RKNN_SAME(NCHW, RKNN_TENSOR_NCHW);
NNRT__RKNN_SAME(NHWC, RKNN_TENSOR_NHWC);
NNRT__RKNN_SAME(NC1HWC2, RKNN_TENSOR_NC1HWC2);
NNRT__RKNN_SAME(UNDEFINED, RKNN_TENSOR_UNDEFINED);
NNRT__RKNN_SAME(CORE_AUTO, RKNN_NPU_CORE_AUTO);
NNRT__RKNN_SAME(CORE_0, RKNN_NPU_CORE_0);
NNRT__RKNN_SAME(CORE_1, RKNN_NPU_CORE_1);
NNRT__RKNN_SAME(CORE_2, RKNN_NPU_CORE_2);
NNRT__RKNN_SAME(CORE_0_1, RKNN_NPU_CORE_0_1);
NNRT__RKNN_SAME(CORE_0_1_2, RKNN_NPU_CORE_0_1_2);
NNRT__RKNN_SAME(CORE_ALL, RKNN_NPU_CORE_ALL);
NNRT__RKNN_SAME(MEM_ALLOC_INSIDE, RKNN_TENSOR_MEMORY_FLAGS_ALLOC_INSIDE);
NNRT__RKNN_SAME(MEM_FROM_FD, RKNN_TENSOR_MEMORY_FLAGS_FROM_FD);
NNRT__RKNN_SAME(MEM_FROM_PHYS, RKNN_TENSOR_MEMORY_FLAGS_FROM_PHYS);
NNRT__RKNN_SAME(MEM_UNKNOWN, RKNN_TENSOR_MEMORY_FLAGS_UNKNOWN);
NNRT__RKNN_SAME(SYNC_TO_DEVICE, RKNN_MEMORY_SYNC_TO_DEVICE);
NNRT__RKNN_SAME(SYNC_FROM_DEVICE, RKNN_MEMORY_SYNC_FROM_DEVICE);
NNRT__RKNN_SAME(SYNC_BIDIRECTIONAL, RKNN_MEMORY_SYNC_BIDIRECTIONAL);
NNRT__RKNN_SAME(TARGET_CPU, RKNN_TARGET_TYPE_CPU);
NNRT__RKNN_SAME(TARGET_GPU, RKNN_TARGET_TYPE_GPU);
NNRT__RKNN_SAME(FLOAT16_MM_FLOAT16_TO_FLOAT32, RKNN_FLOAT16_MM_FLOAT16_TO_FLOAT32);
NNRT__RKNN_SAME(INT8_MM_INT8_TO_INT32, RKNN_INT8_MM_INT8_TO_INT32);
NNRT__RKNN_SAME(INT8_MM_INT8_TO_INT8, RKNN_INT8_MM_INT8_TO_INT8);
NNRT__RKNN_SAME(FLOAT16_MM_FLOAT16_TO_FLOAT16, RKNN_FLOAT16_MM_FLOAT16_TO_FLOAT16);
NNRT__RKNN_SAME(FLOAT16_MM_INT8_TO_FLOAT32, RKNN_FLOAT16_MM_INT8_TO_FLOAT32);
NNRT__RKNN_SAME(FLOAT16_MM_INT8_TO_FLOAT16, RKNN_FLOAT16_MM_INT8_TO_FLOAT16);
NNRT__RKNN_SAME(FLOAT16_MM_INT4_TO_FLOAT32, RKNN_FLOAT16_MM_INT4_TO_FLOAT32);
NNRT__RKNN_SAME(FLOAT16_MM_INT4_TO_FLOAT16, RKNN_FLOAT16_MM_INT4_TO_FLOAT16);
NNRT__RKNN_SAME(INT8_MM_INT8_TO_FLOAT32, RKNN_INT8_MM_INT8_TO_FLOAT32);
NNRT__RKNN_SAME(INT4_MM_INT4_TO_INT16, RKNN_INT4_MM_INT4_TO_INT16);
NNRT__RKNN_SAME(INT8_MM_INT4_TO_INT32, RKNN_INT8_MM_INT4_TO_INT32);
NNRT__RKNN_SAME(FLOAT16_MM_INT4_TO_BFLOAT16, RKNN_FLOAT16_MM_INT4_TO_BFLOAT16);
NNRT__RKNN_SAME(INT8_MM_INT4_TO_FLOAT16, RKNN_INT8_MM_INT4_TO_FLOAT16);
NNRT__RKNN_SAME(MM_LAYOUT_NORM, RKNN_MM_LAYOUT_NORM);
NNRT__RKNN_SAME(MM_LAYOUT_NATIVE, RKNN_MM_LAYOUT_NATIVE);
NNRT__RKNN_SAME(MM_LAYOUT_TP_NORM, RKNN_MM_LAYOUT_TP_NORM);
NNRT__RKNN_SAME(QUANT_PER_LAYER_SYM, RKNN_QUANT_TYPE_PER_LAYER_SYM);
NNRT__RKNN_SAME(QUANT_PER_LAYER_ASYM, RKNN_QUANT_TYPE_PER_LAYER_ASYM);
NNRT__RKNN_SAME(QUANT_PER_CHANNEL_SYM, RKNN_QUANT_TYPE_PER_CHANNEL_SYM);
NNRT__RKNN_SAME(QUANT_PER_CHANNEL_ASYM, RKNN_QUANT_TYPE_PER_CHANNEL_ASYM);
NNRT__RKNN_SAME(QUANT_PER_GROUP_SYM, RKNN_QUANT_TYPE_PER_GROUP_SYM);
NNRT__RKNN_SAME(QUANT_PER_GROUP_ASYM, RKNN_QUANT_TYPE_PER_GROUP_ASYM);
NNRT__RKNN_SAME(SUCC, RKNN_SUCC);
NNRT__RKNN_SAME(ERR_FAIL, RKNN_ERR_FAIL);
NNRT__RKNN_SAME(ERR_TIMEOUT, RKNN_ERR_TIMEOUT);
NNRT__RKNN_SAME(ERR_DEVICE_UNAVAILABLE, RKNN_ERR_DEVICE_UNAVAILABLE);
NNRT__RKNN_SAME(ERR_MALLOC_FAIL, RKNN_ERR_MALLOC_FAIL);
NNRT__RKNN_SAME(ERR_PARAM_INVALID, RKNN_ERR_PARAM_INVALID);
NNRT__RKNN_SAME(ERR_MODEL_INVALID, RKNN_ERR_MODEL_INVALID);
NNRT__RKNN_SAME(ERR_CTX_INVALID, RKNN_ERR_CTX_INVALID);
NNRT__RKNN_SAME(ERR_INPUT_INVALID, RKNN_ERR_INPUT_INVALID);
NNRT__RKNN_SAME(ERR_OUTPUT_INVALID, RKNN_ERR_OUTPUT_INVALID);
NNRT__RKNN_SAME(ERR_DEVICE_UNMATCH, RKNN_ERR_DEVICE_UNMATCH);
NNRT__RKNN_SAME(ERR_TARGET_PLATFORM_UNMATCH, RKNN_ERR_TARGET_PLATFORM_UNMATCH);
NNRT__RKNN_SAME(ERR_INCOMPATIBLE_PRE_COMPILE_MODEL, RKNN_ERR_INCOMPATILE_PRE_COMPILE_MODEL);
NNRT__RKNN_SAME(ERR_INCOMPATIBLE_OPTIMIZATION_LEVEL, RKNN_ERR_INCOMPATILE_OPTIMIZATION_LEVEL_VERSION);
NNRT__RKNN_SAME(SKIP_CUSTOM_OP_COMPUTE, RKNN_WARNING_SKIP_CUSTOM_OP_COMPUTE);

/* --------------------------------------------------------------------------------------------- structures */

#define NNRT__RKNN_SIZE(type) typedef char nnrt__rknn_vendor_##type[sizeof(nnrt_##type) == sizeof(type) ? 1 : -1]
#define NNRT__RKNN_FIELD(type, field)                                                                        \
    typedef char nnrt__rknn_vendor_##type##_##field[offsetof(nnrt_##type, field) == offsetof(type, field) && \
                                                            sizeof(((const nnrt_##type *)0)->field) ==       \
                                                                sizeof(((const type *)0)->field)             \
                                                        ? 1                                                  \
                                                        : -1]

NNRT__RKNN_SIZE(rknn_context);
typedef char nnrt__rknn_vendor_matmul_ctx[sizeof(nnrt_rknn_context) == sizeof(rknn_matmul_ctx) ? 1 : -1];
typedef char nnrt__rknn_vendor_enum[sizeof(nnrt_rknn_query_cmd) == sizeof(rknn_query_cmd) ? 1 : -1];
NNRT__RKNN_SIZE(rknn_input_output_num);
NNRT__RKNN_FIELD(rknn_input_output_num, n_input);
NNRT__RKNN_FIELD(rknn_input_output_num, n_output);
NNRT__RKNN_SIZE(rknn_tensor_attr);
NNRT__RKNN_FIELD(rknn_tensor_attr, index);
NNRT__RKNN_FIELD(rknn_tensor_attr, n_dims);
NNRT__RKNN_FIELD(rknn_tensor_attr, dims);
NNRT__RKNN_FIELD(rknn_tensor_attr, name);
NNRT__RKNN_FIELD(rknn_tensor_attr, n_elems);
NNRT__RKNN_FIELD(rknn_tensor_attr, size);
NNRT__RKNN_FIELD(rknn_tensor_attr, fmt);
NNRT__RKNN_FIELD(rknn_tensor_attr, type);
NNRT__RKNN_FIELD(rknn_tensor_attr, qnt_type);
NNRT__RKNN_FIELD(rknn_tensor_attr, fl);
NNRT__RKNN_FIELD(rknn_tensor_attr, zp);
NNRT__RKNN_FIELD(rknn_tensor_attr, scale);
NNRT__RKNN_FIELD(rknn_tensor_attr, w_stride);
NNRT__RKNN_FIELD(rknn_tensor_attr, size_with_stride);
NNRT__RKNN_FIELD(rknn_tensor_attr, pass_through);
NNRT__RKNN_FIELD(rknn_tensor_attr, h_stride);
NNRT__RKNN_SIZE(rknn_input_range);
NNRT__RKNN_FIELD(rknn_input_range, index);
NNRT__RKNN_FIELD(rknn_input_range, shape_number);
NNRT__RKNN_FIELD(rknn_input_range, fmt);
NNRT__RKNN_FIELD(rknn_input_range, name);
NNRT__RKNN_FIELD(rknn_input_range, dyn_range);
NNRT__RKNN_FIELD(rknn_input_range, n_dims);
NNRT__RKNN_SIZE(rknn_perf_detail);
NNRT__RKNN_FIELD(rknn_perf_detail, perf_data);
NNRT__RKNN_FIELD(rknn_perf_detail, data_len);
NNRT__RKNN_SIZE(rknn_perf_run);
NNRT__RKNN_FIELD(rknn_perf_run, run_duration);
NNRT__RKNN_SIZE(rknn_sdk_version);
NNRT__RKNN_FIELD(rknn_sdk_version, api_version);
NNRT__RKNN_FIELD(rknn_sdk_version, drv_version);
NNRT__RKNN_SIZE(rknn_mem_size);
NNRT__RKNN_FIELD(rknn_mem_size, total_weight_size);
NNRT__RKNN_FIELD(rknn_mem_size, total_internal_size);
NNRT__RKNN_FIELD(rknn_mem_size, total_dma_allocated_size);
NNRT__RKNN_FIELD(rknn_mem_size, total_sram_size);
NNRT__RKNN_FIELD(rknn_mem_size, free_sram_size);
NNRT__RKNN_FIELD(rknn_mem_size, reserved);
NNRT__RKNN_SIZE(rknn_custom_string);
NNRT__RKNN_FIELD(rknn_custom_string, string);
NNRT__RKNN_SIZE(rknn_tensor_mem);
NNRT__RKNN_FIELD(rknn_tensor_mem, virt_addr);
NNRT__RKNN_FIELD(rknn_tensor_mem, phys_addr);
NNRT__RKNN_FIELD(rknn_tensor_mem, fd);
NNRT__RKNN_FIELD(rknn_tensor_mem, offset);
NNRT__RKNN_FIELD(rknn_tensor_mem, size);
NNRT__RKNN_FIELD(rknn_tensor_mem, flags);
NNRT__RKNN_FIELD(rknn_tensor_mem, priv_data);
NNRT__RKNN_SIZE(rknn_input);
NNRT__RKNN_FIELD(rknn_input, index);
NNRT__RKNN_FIELD(rknn_input, buf);
NNRT__RKNN_FIELD(rknn_input, size);
NNRT__RKNN_FIELD(rknn_input, pass_through);
NNRT__RKNN_FIELD(rknn_input, type);
NNRT__RKNN_FIELD(rknn_input, fmt);
NNRT__RKNN_SIZE(rknn_output);
NNRT__RKNN_FIELD(rknn_output, want_float);
NNRT__RKNN_FIELD(rknn_output, is_prealloc);
NNRT__RKNN_FIELD(rknn_output, index);
NNRT__RKNN_FIELD(rknn_output, buf);
NNRT__RKNN_FIELD(rknn_output, size);
NNRT__RKNN_SIZE(rknn_init_extend);
NNRT__RKNN_FIELD(rknn_init_extend, ctx);
NNRT__RKNN_FIELD(rknn_init_extend, real_model_offset);
NNRT__RKNN_FIELD(rknn_init_extend, real_model_size);
NNRT__RKNN_FIELD(rknn_init_extend, model_buffer_fd);
NNRT__RKNN_FIELD(rknn_init_extend, model_buffer_flags);
NNRT__RKNN_FIELD(rknn_init_extend, reserved);
NNRT__RKNN_SIZE(rknn_run_extend);
NNRT__RKNN_FIELD(rknn_run_extend, frame_id);
NNRT__RKNN_FIELD(rknn_run_extend, non_block);
NNRT__RKNN_FIELD(rknn_run_extend, timeout_ms);
NNRT__RKNN_FIELD(rknn_run_extend, fence_fd);
NNRT__RKNN_SIZE(rknn_output_extend);
NNRT__RKNN_FIELD(rknn_output_extend, frame_id);
NNRT__RKNN_SIZE(rknn_gpu_op_context);
NNRT__RKNN_FIELD(rknn_gpu_op_context, cl_context);
NNRT__RKNN_FIELD(rknn_gpu_op_context, cl_command_queue);
NNRT__RKNN_FIELD(rknn_gpu_op_context, cl_kernel);
NNRT__RKNN_SIZE(rknn_custom_op_context);
NNRT__RKNN_FIELD(rknn_custom_op_context, target);
NNRT__RKNN_FIELD(rknn_custom_op_context, internal_ctx);
NNRT__RKNN_FIELD(rknn_custom_op_context, gpu_ctx);
NNRT__RKNN_FIELD(rknn_custom_op_context, priv_data);
NNRT__RKNN_SIZE(rknn_custom_op_tensor);
NNRT__RKNN_FIELD(rknn_custom_op_tensor, attr);
NNRT__RKNN_FIELD(rknn_custom_op_tensor, mem);
NNRT__RKNN_SIZE(rknn_custom_op_attr);
NNRT__RKNN_FIELD(rknn_custom_op_attr, name);
NNRT__RKNN_FIELD(rknn_custom_op_attr, dtype);
NNRT__RKNN_FIELD(rknn_custom_op_attr, n_elems);
NNRT__RKNN_FIELD(rknn_custom_op_attr, data);
NNRT__RKNN_SIZE(rknn_custom_op);
NNRT__RKNN_FIELD(rknn_custom_op, version);
NNRT__RKNN_FIELD(rknn_custom_op, target);
NNRT__RKNN_FIELD(rknn_custom_op, op_type);
NNRT__RKNN_FIELD(rknn_custom_op, cl_kernel_name);
NNRT__RKNN_FIELD(rknn_custom_op, cl_kernel_source);
NNRT__RKNN_FIELD(rknn_custom_op, cl_source_size);
NNRT__RKNN_FIELD(rknn_custom_op, cl_build_options);
NNRT__RKNN_FIELD(rknn_custom_op, init);
NNRT__RKNN_FIELD(rknn_custom_op, prepare);
NNRT__RKNN_FIELD(rknn_custom_op, compute);
NNRT__RKNN_FIELD(rknn_custom_op, compute_native);
NNRT__RKNN_FIELD(rknn_custom_op, destroy);
NNRT__RKNN_SIZE(rknn_quant_params);
NNRT__RKNN_FIELD(rknn_quant_params, name);
NNRT__RKNN_FIELD(rknn_quant_params, scale);
NNRT__RKNN_FIELD(rknn_quant_params, scale_len);
NNRT__RKNN_FIELD(rknn_quant_params, zp);
NNRT__RKNN_FIELD(rknn_quant_params, zp_len);
NNRT__RKNN_SIZE(rknn_matmul_tensor_attr);
NNRT__RKNN_FIELD(rknn_matmul_tensor_attr, name);
NNRT__RKNN_FIELD(rknn_matmul_tensor_attr, n_dims);
NNRT__RKNN_FIELD(rknn_matmul_tensor_attr, dims);
NNRT__RKNN_FIELD(rknn_matmul_tensor_attr, size);
NNRT__RKNN_FIELD(rknn_matmul_tensor_attr, type);
NNRT__RKNN_SIZE(rknn_matmul_io_attr);
NNRT__RKNN_FIELD(rknn_matmul_io_attr, A);
NNRT__RKNN_FIELD(rknn_matmul_io_attr, B);
NNRT__RKNN_FIELD(rknn_matmul_io_attr, C);
NNRT__RKNN_SIZE(rknn_matmul_shape);
NNRT__RKNN_FIELD(rknn_matmul_shape, M);
NNRT__RKNN_FIELD(rknn_matmul_shape, K);
NNRT__RKNN_FIELD(rknn_matmul_shape, N);
NNRT__RKNN_SIZE(rknn_matmul_info);
NNRT__RKNN_FIELD(rknn_matmul_info, M);
NNRT__RKNN_FIELD(rknn_matmul_info, K);
NNRT__RKNN_FIELD(rknn_matmul_info, N);
NNRT__RKNN_FIELD(rknn_matmul_info, type);
NNRT__RKNN_FIELD(rknn_matmul_info, B_layout);
NNRT__RKNN_FIELD(rknn_matmul_info, B_quant_type);
NNRT__RKNN_FIELD(rknn_matmul_info, AC_layout);
NNRT__RKNN_FIELD(rknn_matmul_info, AC_quant_type);
NNRT__RKNN_FIELD(rknn_matmul_info, iommu_domain_id);
NNRT__RKNN_FIELD(rknn_matmul_info, group_size);
NNRT__RKNN_FIELD(rknn_matmul_info, reserved);

#undef NNRT__RKNN_SAME
#undef NNRT__RKNN_SIZE
#undef NNRT__RKNN_FIELD

/* ---------------------------------------------------------------------------------------------- functions */

#ifdef __cplusplus
extern "C" {
#endif

int rknn_init(rknn_context *context, void *model, uint32_t size, uint32_t flag, rknn_init_extend *extend);
int rknn_dup_context(rknn_context *in, rknn_context *out);
int rknn_destroy(rknn_context context);
int rknn_query(rknn_context context, rknn_query_cmd cmd, void *info, uint32_t size);
int rknn_inputs_set(rknn_context context, uint32_t count, rknn_input inputs[]);
int rknn_set_batch_core_num(rknn_context context, int count);
int rknn_set_core_mask(rknn_context context, rknn_core_mask mask);
int rknn_run(rknn_context context, rknn_run_extend *extend);
int rknn_outputs_get(rknn_context context, uint32_t count, rknn_output outputs[], rknn_output_extend *extend);
int rknn_outputs_release(rknn_context context, uint32_t count, rknn_output outputs[]);
rknn_tensor_mem *rknn_create_mem_from_phys(rknn_context context, uint64_t phys, void *virt, uint32_t size);
rknn_tensor_mem *rknn_create_mem_from_fd(rknn_context context, int32_t fd, void *virt, uint32_t size, int32_t offset);
rknn_tensor_mem *rknn_create_mem(rknn_context context, uint32_t size);
rknn_tensor_mem *rknn_create_mem2(rknn_context context, uint64_t size, uint64_t flags);
int rknn_destroy_mem(rknn_context context, rknn_tensor_mem *mem);
int rknn_set_weight_mem(rknn_context context, rknn_tensor_mem *mem);
int rknn_set_internal_mem(rknn_context context, rknn_tensor_mem *mem);
int rknn_set_io_mem(rknn_context context, rknn_tensor_mem *mem, rknn_tensor_attr *attr);
int rknn_set_input_shapes(rknn_context context, uint32_t count, rknn_tensor_attr attrs[]);
int rknn_mem_sync(rknn_context context, rknn_tensor_mem *mem, rknn_mem_sync_mode mode);
int rknn_register_custom_ops(rknn_context context, rknn_custom_op *ops, uint32_t count);
void rknn_custom_op_get_op_attr(rknn_custom_op_context *op, const char *name, rknn_custom_op_attr *attr);
int rknn_matmul_create(rknn_matmul_ctx *context, rknn_matmul_info *info, rknn_matmul_io_attr *io);
int rknn_matmul_create_dynamic_shape(rknn_matmul_ctx *context, rknn_matmul_info *info, int count,
                                     rknn_matmul_shape shapes[], rknn_matmul_io_attr io[]);
int rknn_matmul_set_io_mem(rknn_matmul_ctx context, rknn_tensor_mem *mem, rknn_matmul_tensor_attr *attr);
int rknn_matmul_set_core_mask(rknn_matmul_ctx context, rknn_core_mask mask);
int rknn_matmul_set_quant_params(rknn_matmul_ctx context, rknn_quant_params *params);
int rknn_matmul_get_quant_params(rknn_matmul_ctx context, rknn_quant_params *params, float *scale);
int rknn_matmul_set_dynamic_shape(rknn_matmul_ctx context, rknn_matmul_shape *shape);
int rknn_matmul_run(rknn_matmul_ctx context);
int rknn_matmul_destroy(rknn_matmul_ctx context);
int rknn_B_normal_layout_to_native_layout(void *b, void *native, int k, int n, rknn_matmul_info *info);

#ifdef __cplusplus
}
#endif

/* Callbacks of a custom operator: each member declared a second time as a variable, which C refuses where it would only
   warn about an assignment. The variables do not exist. */
#if defined(__GNUC__) || defined(__clang__)
typedef int (*nnrt__rknn_vendor_call)(rknn_custom_op_context *, rknn_custom_op_tensor *, uint32_t,
                                      rknn_custom_op_tensor *, uint32_t);
#define NNRT__RKNN_MEMBER(field, type)                                         \
    extern __typeof__(((rknn_custom_op *)0)->field) nnrt__rknn_vendor_##field; \
    extern type nnrt__rknn_vendor_##field
NNRT__RKNN_MEMBER(init, nnrt__rknn_vendor_call);
NNRT__RKNN_MEMBER(prepare, nnrt__rknn_vendor_call);
NNRT__RKNN_MEMBER(compute, nnrt__rknn_vendor_call);
NNRT__RKNN_MEMBER(compute_native, nnrt__rknn_vendor_call);
typedef int (*nnrt__rknn_vendor_end)(rknn_custom_op_context *);
NNRT__RKNN_MEMBER(destroy, nnrt__rknn_vendor_end);
#undef NNRT__RKNN_MEMBER
#endif

#endif /* NNRT_RKNPU_VENDOR_CHECK_H */
