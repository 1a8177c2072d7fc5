/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/abi.h - the binary interface of Rockchip's librknnrt and librknnmrt, declared by nnrt itself.   >>rknpu_abi

   Types and values of rknn_api.h, rknn_matmul_api.h and rknn_custom_op.h 2.3.2, under names of our own, so that nnrt
   builds without the vendor's SDK and beside its headers. Sizes and offsets were measured with the vendor's headers on
   32-bit ARM (EABI, hard float) and AArch64 and are checked at compile time below. An older runtime takes the newest,
   largest structures in queries; where it does not (nnrt_rknn_matmul_info before 2.0) the text says so.

   Public, because custom operators are C functions of the program that the vendor's runtime calls: extension config
   "rknn.custom_op", docs/rknpu.md. Everything else here is used by the Rockchip device only. */
#ifndef NNRT_RKNPU_ABI_H
#define NNRT_RKNPU_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "../core/api_extensions.h"

/* Decided by the compiler, not by the library: a 32-bit process has 32-bit contexts on every chip. */
#if defined(__arm__)
typedef uint32_t nnrt_rknn_context;
#else
typedef uint64_t nnrt_rknn_context;
#endif

#define NNRT_RKNN_MAX_DIMS 16
#define NNRT_RKNN_MAX_NAME 256
#define NNRT_RKNN_MAX_DYNAMIC_SHAPES 512

/* ------------------------------------------------------------------------------------------------- values */

/* Flags of rknn_init. */
#define NNRT_RKNN_FLAG_PRIOR_HIGH 0x00000000u
#define NNRT_RKNN_FLAG_PRIOR_MEDIUM 0x00000001u
#define NNRT_RKNN_FLAG_PRIOR_LOW 0x00000002u
#define NNRT_RKNN_FLAG_ASYNC_MASK 0x00000004u
#define NNRT_RKNN_FLAG_COLLECT_PERF_MASK 0x00000008u
#define NNRT_RKNN_FLAG_MEM_ALLOC_OUTSIDE 0x00000010u
#define NNRT_RKNN_FLAG_SHARE_WEIGHT_MEM 0x00000020u
#define NNRT_RKNN_FLAG_FENCE_IN_OUTSIDE 0x00000040u
#define NNRT_RKNN_FLAG_FENCE_OUT_OUTSIDE 0x00000080u
#define NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY 0x00000100u           /* 1.5.0 */
#define NNRT_RKNN_FLAG_INTERNAL_ALLOC_OUTSIDE 0x00000200u            /* 1.5.2 */
#define NNRT_RKNN_FLAG_EXECUTE_FALLBACK_PRIOR_DEVICE_GPU 0x00000400u /* 1.5.2 */
#define NNRT_RKNN_FLAG_ENABLE_SRAM 0x00000800u                       /* 1.6.0 */
#define NNRT_RKNN_FLAG_SHARE_SRAM 0x00001000u                        /* 1.6.0 */
#define NNRT_RKNN_FLAG_DISABLE_PROC_HIGH_PRIORITY 0x00002000u        /* 1.6.0 */
#define NNRT_RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE 0x00004000u     /* 2.0.0 */
#define NNRT_RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE 0x00008000u    /* 2.0.0 */
#define NNRT_RKNN_FLAG_MODEL_BUFFER_ZERO_COPY 0x00010000u            /* 2.1.0 */
/* alloc_flags of rknn_create_mem2, not a flag of rknn_init; 2.1.0 */
#define NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT 0x00020000u

/* alloc_flags of rknn_create_mem2. */
#define NNRT_RKNN_MEMORY_DEFAULT 0u
#define NNRT_RKNN_MEMORY_CACHEABLE 1u
#define NNRT_RKNN_MEMORY_NON_CACHEABLE 2u
#define NNRT_RKNN_MEMORY_TRY_ALLOC_SRAM 4u /* 2.3.2 */

typedef enum nnrt_rknn_query_cmd {
    NNRT_RKNN_QUERY_IN_OUT_NUM = 0,
    NNRT_RKNN_QUERY_INPUT_ATTR = 1,
    NNRT_RKNN_QUERY_OUTPUT_ATTR = 2,
    NNRT_RKNN_QUERY_PERF_DETAIL = 3,
    NNRT_RKNN_QUERY_PERF_RUN = 4,
    NNRT_RKNN_QUERY_SDK_VERSION = 5,
    NNRT_RKNN_QUERY_MEM_SIZE = 6,
    NNRT_RKNN_QUERY_CUSTOM_STRING = 7,
    NNRT_RKNN_QUERY_NATIVE_INPUT_ATTR = 8,
    NNRT_RKNN_QUERY_NATIVE_OUTPUT_ATTR = 9,
    NNRT_RKNN_QUERY_NATIVE_NHWC_INPUT_ATTR = 10,
    NNRT_RKNN_QUERY_NATIVE_NHWC_OUTPUT_ATTR = 11,
    NNRT_RKNN_QUERY_DEVICE_MEM_INFO = 12,           /* 1.4 */
    NNRT_RKNN_QUERY_INPUT_DYNAMIC_RANGE = 13,       /* 1.5.0 */
    NNRT_RKNN_QUERY_CURRENT_INPUT_ATTR = 14,        /* 1.5.0 */
    NNRT_RKNN_QUERY_CURRENT_OUTPUT_ATTR = 15,       /* 1.5.0 */
    NNRT_RKNN_QUERY_CURRENT_NATIVE_INPUT_ATTR = 16, /* 1.5.2 */
    NNRT_RKNN_QUERY_CURRENT_NATIVE_OUTPUT_ATTR = 17 /* 1.5.2 */
} nnrt_rknn_query_cmd;

typedef enum nnrt_rknn_tensor_type {
    NNRT_RKNN_FLOAT32 = 0,
    NNRT_RKNN_FLOAT16 = 1,
    NNRT_RKNN_INT8 = 2,
    NNRT_RKNN_UINT8 = 3,
    NNRT_RKNN_INT16 = 4,
    NNRT_RKNN_UINT16 = 5,
    NNRT_RKNN_INT32 = 6,
    NNRT_RKNN_UINT32 = 7,
    NNRT_RKNN_INT64 = 8,
    NNRT_RKNN_BOOL = 9,
    NNRT_RKNN_INT4 = 10,    /* 1.6.0; two elements in a byte */
    NNRT_RKNN_BFLOAT16 = 11 /* 2.3.0 */
} nnrt_rknn_tensor_type;

typedef enum nnrt_rknn_qnt_type {
    NNRT_RKNN_QNT_NONE = 0,
    NNRT_RKNN_QNT_DFP = 1,   /* real = q / 2^fl */
    NNRT_RKNN_QNT_AFFINE = 2 /* real = (q - zp) * scale */
} nnrt_rknn_qnt_type;

typedef enum nnrt_rknn_format {
    NNRT_RKNN_NCHW = 0,
    NNRT_RKNN_NHWC = 1,
    NNRT_RKNN_NC1HWC2 = 2,
    NNRT_RKNN_UNDEFINED = 3 /* fewer than 4 dimensions: row-major, contiguous */
} nnrt_rknn_format;

typedef enum nnrt_rknn_core_mask {
    NNRT_RKNN_CORE_AUTO = 0,
    NNRT_RKNN_CORE_0 = 1,
    NNRT_RKNN_CORE_1 = 2,
    NNRT_RKNN_CORE_2 = 4,
    NNRT_RKNN_CORE_0_1 = 3,
    NNRT_RKNN_CORE_0_1_2 = 7,
    NNRT_RKNN_CORE_ALL = 0xffff /* 2.0.0 */
} nnrt_rknn_core_mask;

typedef enum nnrt_rknn_mem_origin { /* rknn_tensor_mem_flags */
    NNRT_RKNN_MEM_ALLOC_INSIDE = 1,
    NNRT_RKNN_MEM_FROM_FD = 2,
    NNRT_RKNN_MEM_FROM_PHYS = 3,
    NNRT_RKNN_MEM_UNKNOWN = 4
} nnrt_rknn_mem_origin;

typedef enum nnrt_rknn_mem_sync_mode {
    NNRT_RKNN_SYNC_TO_DEVICE = 1,
    NNRT_RKNN_SYNC_FROM_DEVICE = 2,
    NNRT_RKNN_SYNC_BIDIRECTIONAL = 3
} nnrt_rknn_mem_sync_mode;

typedef enum nnrt_rknn_target_type {
    NNRT_RKNN_TARGET_CPU = 1,
    NNRT_RKNN_TARGET_GPU = 2
} nnrt_rknn_target_type;

typedef enum nnrt_rknn_matmul_type {
    NNRT_RKNN_FLOAT16_MM_FLOAT16_TO_FLOAT32 = 1,
    NNRT_RKNN_INT8_MM_INT8_TO_INT32 = 2,
    NNRT_RKNN_INT8_MM_INT8_TO_INT8 = 3,
    NNRT_RKNN_FLOAT16_MM_FLOAT16_TO_FLOAT16 = 4,
    NNRT_RKNN_FLOAT16_MM_INT8_TO_FLOAT32 = 5,
    NNRT_RKNN_FLOAT16_MM_INT8_TO_FLOAT16 = 6,
    NNRT_RKNN_FLOAT16_MM_INT4_TO_FLOAT32 = 7,
    NNRT_RKNN_FLOAT16_MM_INT4_TO_FLOAT16 = 8,
    NNRT_RKNN_INT8_MM_INT8_TO_FLOAT32 = 9, /* 2.1.0 */
    NNRT_RKNN_INT4_MM_INT4_TO_INT16 = 10,
    NNRT_RKNN_INT8_MM_INT4_TO_INT32 = 11,
    NNRT_RKNN_FLOAT16_MM_INT4_TO_BFLOAT16 = 12, /* 2.3.0 */
    NNRT_RKNN_INT8_MM_INT4_TO_FLOAT16 = 15      /* 2.3.2 */
} nnrt_rknn_matmul_type;

/* B_layout and AC_layout of a matmul. */
#define NNRT_RKNN_MM_LAYOUT_NORM 0
#define NNRT_RKNN_MM_LAYOUT_NATIVE 1
#define NNRT_RKNN_MM_LAYOUT_TP_NORM 2 /* B only: row-major [N, K] */

/* B_quant_type of a matmul; 2.1.0. In 2.0.0 1 meant per channel and 2 per group. */
#define NNRT_RKNN_QUANT_PER_LAYER_SYM 0
#define NNRT_RKNN_QUANT_PER_LAYER_ASYM 1
#define NNRT_RKNN_QUANT_PER_CHANNEL_SYM 2
#define NNRT_RKNN_QUANT_PER_CHANNEL_ASYM 3
#define NNRT_RKNN_QUANT_PER_GROUP_SYM 4
#define NNRT_RKNN_QUANT_PER_GROUP_ASYM 5

/* What functions return. */
#define NNRT_RKNN_SUCC 0
#define NNRT_RKNN_ERR_FAIL (-1)
#define NNRT_RKNN_ERR_TIMEOUT (-2)
#define NNRT_RKNN_ERR_DEVICE_UNAVAILABLE (-3)
#define NNRT_RKNN_ERR_MALLOC_FAIL (-4)
#define NNRT_RKNN_ERR_PARAM_INVALID (-5)
#define NNRT_RKNN_ERR_MODEL_INVALID (-6)
#define NNRT_RKNN_ERR_CTX_INVALID (-7)
#define NNRT_RKNN_ERR_INPUT_INVALID (-8)
#define NNRT_RKNN_ERR_OUTPUT_INVALID (-9)
#define NNRT_RKNN_ERR_DEVICE_UNMATCH (-10)
#define NNRT_RKNN_ERR_INCOMPATIBLE_PRE_COMPILE_MODEL (-11)
#define NNRT_RKNN_ERR_INCOMPATIBLE_OPTIMIZATION_LEVEL (-12)
#define NNRT_RKNN_ERR_TARGET_PLATFORM_UNMATCH (-13)
#define NNRT_RKNN_SKIP_CUSTOM_OP_COMPUTE (-14) /* only from the init callback of a custom operator */

/* --------------------------------------------------------------------------------------------- structures */

typedef struct nnrt_rknn_input_output_num {
    uint32_t n_input;
    uint32_t n_output;
} nnrt_rknn_input_output_num;

typedef struct nnrt_rknn_tensor_attr {
    uint32_t index; /* filled in before a query */
    uint32_t n_dims;
    uint32_t dims[NNRT_RKNN_MAX_DIMS]; /* in the order of fmt */
    char name[NNRT_RKNN_MAX_NAME];
    uint32_t n_elems;
    uint32_t size; /* bytes without padding */
    nnrt_rknn_format fmt;
    nnrt_rknn_tensor_type type;
    nnrt_rknn_qnt_type qnt_type;
    int8_t fl;
    int32_t zp;
    float scale;
    uint32_t w_stride;         /* pixels of a stored row; 0: the width */
    uint32_t size_with_stride; /* bytes with row padding */
    uint8_t pass_through;      /* 1: the buffer already is what the NPU wants */
    uint32_t h_stride;         /* rows of a stored image of a batch; 0: the height */
} nnrt_rknn_tensor_attr;

typedef struct nnrt_rknn_input_range { /* 33 KB: not for a stack */
    uint32_t index;
    uint32_t shape_number;
    nnrt_rknn_format fmt;
    char name[NNRT_RKNN_MAX_NAME];
    uint32_t dyn_range[NNRT_RKNN_MAX_DYNAMIC_SHAPES][NNRT_RKNN_MAX_DIMS];
    uint32_t n_dims;
} nnrt_rknn_input_range;

typedef struct nnrt_rknn_perf_detail {
    char *perf_data; /* the runtime's: do not free */
    uint64_t data_len;
} nnrt_rknn_perf_detail;

typedef struct nnrt_rknn_perf_run {
    int64_t run_duration; /* microseconds */
} nnrt_rknn_perf_run;

typedef struct nnrt_rknn_sdk_version {
    char api_version[256];
    char drv_version[256];
} nnrt_rknn_sdk_version;

typedef struct nnrt_rknn_mem_size { /* before 1.4 only the first two */
    uint32_t total_weight_size;
    uint32_t total_internal_size;
    uint64_t total_dma_allocated_size;
    uint32_t total_sram_size;
    uint32_t free_sram_size;
    uint32_t reserved[10];
} nnrt_rknn_mem_size;

typedef struct nnrt_rknn_custom_string {
    char string[1024];
} nnrt_rknn_custom_string;

/* Only the runtime can make one, because of priv_data. */
typedef struct nnrt_rknn_tensor_mem {
    void *virt_addr;
    uint64_t phys_addr;
    int32_t fd;
    int32_t offset; /* of the bytes, in fd and from virt_addr */
    uint32_t size;
    uint32_t flags; /* nnrt_rknn_mem_origin */
    void *priv_data;
} nnrt_rknn_tensor_mem;

typedef struct nnrt_rknn_input {
    uint32_t index;
    void *buf;
    uint32_t size;
    uint8_t pass_through;
    nnrt_rknn_tensor_type type;
    nnrt_rknn_format fmt;
} nnrt_rknn_input;

typedef struct nnrt_rknn_output {
    uint8_t want_float;
    uint8_t is_prealloc;
    uint32_t index;
    void *buf;
    uint32_t size;
} nnrt_rknn_output;

typedef struct nnrt_rknn_init_extend { /* all zero before use; NULL on librknnmrt */
    nnrt_rknn_context ctx;
    int32_t real_model_offset;
    uint32_t real_model_size;
    int32_t model_buffer_fd;
    uint32_t model_buffer_flags;
    uint8_t reserved[112];
} nnrt_rknn_init_extend;

typedef struct nnrt_rknn_run_extend { /* documented as unavailable: pass NULL */
    uint64_t frame_id;
    int32_t non_block;
    int32_t timeout_ms;
    int32_t fence_fd;
} nnrt_rknn_run_extend;

typedef struct nnrt_rknn_output_extend {
    uint64_t frame_id;
} nnrt_rknn_output_extend;

/* Custom operators, librknnrt 1.6.0 and later. */
typedef struct nnrt_rknn_gpu_op_context {
    void *cl_context;
    void *cl_command_queue;
    void *cl_kernel;
} nnrt_rknn_gpu_op_context;

typedef struct nnrt_rknn_custom_op_context {
    nnrt_rknn_target_type target;
    nnrt_rknn_context internal_ctx; /* the same width as a context */
    nnrt_rknn_gpu_op_context gpu_ctx;
    void *priv_data; /* the operator's own */
} nnrt_rknn_custom_op_context;

typedef struct nnrt_rknn_custom_op_tensor {
    nnrt_rknn_tensor_attr attr;
    nnrt_rknn_tensor_mem mem; /* the data are at (uint8_t *)mem.virt_addr + mem.offset */
} nnrt_rknn_custom_op_tensor;

typedef struct nnrt_rknn_custom_op_attr {
    char name[NNRT_RKNN_MAX_NAME];
    nnrt_rknn_tensor_type dtype;
    uint32_t n_elems; /* 0: the operator has no such attribute */
    void *data;       /* the runtime's */
} nnrt_rknn_custom_op_attr;

/* 0: success; a negative value ends the run, except NNRT_RKNN_SKIP_CUSTOM_OP_COMPUTE of init: compute it yourself. */
typedef int (*nnrt_rknn_custom_op_call)(nnrt_rknn_custom_op_context *op, nnrt_rknn_custom_op_tensor *inputs,
                                        uint32_t n_inputs, nnrt_rknn_custom_op_tensor *outputs, uint32_t n_outputs);

typedef struct nnrt_rknn_custom_op { /* all zero before use */
    uint32_t version;                /* 1 */
    nnrt_rknn_target_type target;
    char op_type[NNRT_RKNN_MAX_NAME]; /* the operator's name in the ONNX model */
    char cl_kernel_name[NNRT_RKNN_MAX_NAME];
    char *cl_kernel_source; /* program text, or an absolute path with cl_source_size 0 */
    uint64_t cl_source_size;
    char cl_build_options[NNRT_RKNN_MAX_NAME];
    nnrt_rknn_custom_op_call init;                   /* (optional) once, at registration */
    nnrt_rknn_custom_op_call prepare;                /* (optional) each run */
    nnrt_rknn_custom_op_call compute;                /* each run */
    nnrt_rknn_custom_op_call compute_native;         /* NULL: documented as unsupported */
    int (*destroy)(nnrt_rknn_custom_op_context *op); /* (optional) once */
} nnrt_rknn_custom_op;

/* Matrix products, librknnrt 1.5.0 and later. */
typedef struct nnrt_rknn_quant_params {
    char name[NNRT_RKNN_MAX_NAME]; /* that of the tensor in nnrt_rknn_matmul_io_attr */
    float *scale;
    int32_t scale_len;
    int32_t *zp;
    int32_t zp_len;
} nnrt_rknn_quant_params;

typedef struct nnrt_rknn_matmul_tensor_attr {
    char name[NNRT_RKNN_MAX_NAME];
    uint32_t n_dims;
    uint32_t dims[NNRT_RKNN_MAX_DIMS];
    uint32_t size;
    nnrt_rknn_tensor_type type;
} nnrt_rknn_matmul_tensor_attr;

typedef struct nnrt_rknn_matmul_io_attr {
    nnrt_rknn_matmul_tensor_attr A;
    nnrt_rknn_matmul_tensor_attr B;
    nnrt_rknn_matmul_tensor_attr C;
} nnrt_rknn_matmul_io_attr;

typedef struct nnrt_rknn_matmul_shape {
    int32_t M;
    int32_t K;
    int32_t N;
} nnrt_rknn_matmul_shape;

typedef struct nnrt_rknn_matmul_info { /* 2.0.0 */
    int32_t M;
    int32_t K;
    int32_t N;
    nnrt_rknn_matmul_type type;
    int16_t B_layout;
    int16_t B_quant_type;
    int16_t AC_layout;
    int16_t AC_quant_type;
    int32_t iommu_domain_id;
    int16_t group_size; /* 2.1.0 */
    int8_t reserved[34];
} nnrt_rknn_matmul_info;

/* The same structure of 1.5.0 to 1.6.0: six int32. In 1.5 type is a nnrt_rknn_tensor_type (FLOAT16 1, INT8 2), which
   are the numbers of the first two matmul types; native_layout and perf_layout became B_layout and AC_layout in 1.6. */
typedef struct nnrt_rknn_matmul_info_v1 {
    int32_t M;
    int32_t K;
    int32_t N;
    int32_t type;
    int32_t B_layout;
    int32_t AC_layout;
} nnrt_rknn_matmul_info_v1;

/* ------------------------------------------------------------------------------------- what a .rknn tells */

/* From the outermost part of a model file; a field that the file lacks is 0 or "". */
typedef struct nnrt_rknn_model_info {
    uint32_t format_version;  /* of librknnrt: 1 to 6 as of toolkit 2.3; of librknnmrt (RV1103, RV1106): 0x1000 + n */
    uint32_t encrypted;       /* 1: only the runtime can read it; the other fields are empty */
    char platform[32];        /* the chip that it was converted for, "rk3588" */
    char toolkit[64];         /* version of the toolkit that converted it */
    char minimum_runtime[16]; /* oldest librknnrt or librknnmrt that takes this format, "1.5.2" */
} nnrt_rknn_model_info;

#ifdef __cplusplus
extern "C" {
#endif

/* Reads it without any library or NPU. bytes is the whole file, in any alignment, and is not trusted.
   OH_NN_INVALID_PARAMETER: a NULL argument. OH_NN_INVALID_FILE: no .rknn, or a damaged one; *info is then unchanged. */
NNRT_API OH_NN_ReturnCode nnrt_rknn_inspect(const void *bytes, size_t size, nnrt_rknn_model_info *info);

/* For the callbacks of a custom operator: fills attr with the attribute called name that the operator has in the model;
   n_elems 0: it has none. data belong to the runtime and may be read during the callback only. */
NNRT_API void nnrt_rknn_custom_op_get_attr(nnrt_rknn_custom_op_context *op, const char *name,
                                           nnrt_rknn_custom_op_attr *attr);

#ifdef __cplusplus
}
#endif

/* ------------------------------------------------------------------------------------- checks

   The sizes hold for every compiler that aligns uint64_t to 8, as ARM EABI, AArch64 and x86-64 do. i386 aligns it to 4
   inside structures: a 32-bit x86 build is only ever run against a simulated board built the same way. */
#define NNRT__RKNN_CHECK(name, condition) typedef char nnrt__rknn_check_##name[(condition) ? 1 : -1]
#define NNRT__RKNN_IS(type, a32, a64) (sizeof(type) == (sizeof(void *) == 8 ? (a64) : (a32)))
#define NNRT__RKNN_AT(type, field, a32, a64) (offsetof(type, field) == (sizeof(void *) == 8 ? (a64) : (a32)))

NNRT__RKNN_CHECK(enum_size, sizeof(nnrt_rknn_tensor_type) == 4);
NNRT__RKNN_CHECK(input_output_num, NNRT__RKNN_IS(nnrt_rknn_input_output_num, 8, 8));
NNRT__RKNN_CHECK(tensor_attr, NNRT__RKNN_IS(nnrt_rknn_tensor_attr, 376, 376));
NNRT__RKNN_CHECK(tensor_attr_dims, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, dims, 8, 8));
NNRT__RKNN_CHECK(tensor_attr_name, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, name, 72, 72));
NNRT__RKNN_CHECK(tensor_attr_n_elems, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, n_elems, 328, 328));
NNRT__RKNN_CHECK(tensor_attr_size, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, size, 332, 332));
NNRT__RKNN_CHECK(tensor_attr_fmt, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, fmt, 336, 336));
NNRT__RKNN_CHECK(tensor_attr_type, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, type, 340, 340));
NNRT__RKNN_CHECK(tensor_attr_qnt_type, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, qnt_type, 344, 344));
NNRT__RKNN_CHECK(tensor_attr_fl, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, fl, 348, 348));
NNRT__RKNN_CHECK(tensor_attr_zp, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, zp, 352, 352));
NNRT__RKNN_CHECK(tensor_attr_scale, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, scale, 356, 356));
NNRT__RKNN_CHECK(tensor_attr_w_stride, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, w_stride, 360, 360));
NNRT__RKNN_CHECK(tensor_attr_strided, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, size_with_stride, 364, 364));
NNRT__RKNN_CHECK(tensor_attr_pass, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, pass_through, 368, 368));
NNRT__RKNN_CHECK(tensor_attr_h_stride, NNRT__RKNN_AT(nnrt_rknn_tensor_attr, h_stride, 372, 372));
NNRT__RKNN_CHECK(input_range, NNRT__RKNN_IS(nnrt_rknn_input_range, 33040, 33040));
NNRT__RKNN_CHECK(input_range_dyn, NNRT__RKNN_AT(nnrt_rknn_input_range, dyn_range, 268, 268));
NNRT__RKNN_CHECK(input_range_n_dims, NNRT__RKNN_AT(nnrt_rknn_input_range, n_dims, 33036, 33036));
NNRT__RKNN_CHECK(perf_run, NNRT__RKNN_IS(nnrt_rknn_perf_run, 8, 8));
NNRT__RKNN_CHECK(sdk_version, NNRT__RKNN_IS(nnrt_rknn_sdk_version, 512, 512));
NNRT__RKNN_CHECK(mem_size, NNRT__RKNN_IS(nnrt_rknn_mem_size, 64, 64));
NNRT__RKNN_CHECK(mem_size_dma, NNRT__RKNN_AT(nnrt_rknn_mem_size, total_dma_allocated_size, 8, 8));
NNRT__RKNN_CHECK(custom_string, NNRT__RKNN_IS(nnrt_rknn_custom_string, 1024, 1024));
NNRT__RKNN_CHECK(input, NNRT__RKNN_IS(nnrt_rknn_input, 24, 32));
NNRT__RKNN_CHECK(input_buf, NNRT__RKNN_AT(nnrt_rknn_input, buf, 4, 8));
NNRT__RKNN_CHECK(input_type, NNRT__RKNN_AT(nnrt_rknn_input, type, 16, 24));
NNRT__RKNN_CHECK(output, NNRT__RKNN_IS(nnrt_rknn_output, 16, 24));
NNRT__RKNN_CHECK(output_buf, NNRT__RKNN_AT(nnrt_rknn_output, buf, 8, 8));
NNRT__RKNN_CHECK(init_extend, NNRT__RKNN_IS(nnrt_rknn_init_extend, sizeof(nnrt_rknn_context) == 8 ? 136 : 132, 136));
NNRT__RKNN_CHECK(output_extend, NNRT__RKNN_IS(nnrt_rknn_output_extend, 8, 8));
NNRT__RKNN_CHECK(gpu_op_context, NNRT__RKNN_IS(nnrt_rknn_gpu_op_context, 12, 24));
NNRT__RKNN_CHECK(custom_op_attr, NNRT__RKNN_IS(nnrt_rknn_custom_op_attr, 268, 272));
NNRT__RKNN_CHECK(quant_params, NNRT__RKNN_IS(nnrt_rknn_quant_params, 272, 288));
NNRT__RKNN_CHECK(matmul_tensor_attr, NNRT__RKNN_IS(nnrt_rknn_matmul_tensor_attr, 332, 332));
NNRT__RKNN_CHECK(matmul_io_attr, NNRT__RKNN_IS(nnrt_rknn_matmul_io_attr, 996, 996));
NNRT__RKNN_CHECK(matmul_shape, NNRT__RKNN_IS(nnrt_rknn_matmul_shape, 12, 12));
NNRT__RKNN_CHECK(matmul_info, NNRT__RKNN_IS(nnrt_rknn_matmul_info, 64, 64));
NNRT__RKNN_CHECK(matmul_info_domain, NNRT__RKNN_AT(nnrt_rknn_matmul_info, iommu_domain_id, 24, 24));
NNRT__RKNN_CHECK(matmul_info_group, NNRT__RKNN_AT(nnrt_rknn_matmul_info, group_size, 28, 28));
NNRT__RKNN_CHECK(matmul_info_v1, NNRT__RKNN_IS(nnrt_rknn_matmul_info_v1, 24, 24));

/* These hold a uint64_t, or contain a structure that does. */
#if !defined(__i386__)
NNRT__RKNN_CHECK(perf_detail, NNRT__RKNN_IS(nnrt_rknn_perf_detail, 16, 16));
NNRT__RKNN_CHECK(perf_detail_len, NNRT__RKNN_AT(nnrt_rknn_perf_detail, data_len, 8, 8));
NNRT__RKNN_CHECK(tensor_mem, NNRT__RKNN_IS(nnrt_rknn_tensor_mem, 40, 40));
NNRT__RKNN_CHECK(tensor_mem_phys, NNRT__RKNN_AT(nnrt_rknn_tensor_mem, phys_addr, 8, 8));
NNRT__RKNN_CHECK(tensor_mem_fd, NNRT__RKNN_AT(nnrt_rknn_tensor_mem, fd, 16, 16));
NNRT__RKNN_CHECK(tensor_mem_offset, NNRT__RKNN_AT(nnrt_rknn_tensor_mem, offset, 20, 20));
NNRT__RKNN_CHECK(tensor_mem_size, NNRT__RKNN_AT(nnrt_rknn_tensor_mem, size, 24, 24));
NNRT__RKNN_CHECK(tensor_mem_priv, NNRT__RKNN_AT(nnrt_rknn_tensor_mem, priv_data, 32, 32));
NNRT__RKNN_CHECK(run_extend, NNRT__RKNN_IS(nnrt_rknn_run_extend, 24, 24));
NNRT__RKNN_CHECK(run_extend_fence, NNRT__RKNN_AT(nnrt_rknn_run_extend, fence_fd, 16, 16));
NNRT__RKNN_CHECK(custom_op_context, NNRT__RKNN_IS(nnrt_rknn_custom_op_context, 24, 48));
NNRT__RKNN_CHECK(custom_op_context_priv, NNRT__RKNN_AT(nnrt_rknn_custom_op_context, priv_data, 20, 40));
NNRT__RKNN_CHECK(custom_op_tensor, NNRT__RKNN_IS(nnrt_rknn_custom_op_tensor, 416, 416));
NNRT__RKNN_CHECK(custom_op_tensor_mem, NNRT__RKNN_AT(nnrt_rknn_custom_op_tensor, mem, 376, 376));
NNRT__RKNN_CHECK(custom_op, NNRT__RKNN_IS(nnrt_rknn_custom_op, 816, 832));
NNRT__RKNN_CHECK(custom_op_source, NNRT__RKNN_AT(nnrt_rknn_custom_op, cl_kernel_source, 520, 520));
NNRT__RKNN_CHECK(custom_op_options, NNRT__RKNN_AT(nnrt_rknn_custom_op, cl_build_options, 536, 536));
NNRT__RKNN_CHECK(custom_op_init, NNRT__RKNN_AT(nnrt_rknn_custom_op, init, 792, 792));
NNRT__RKNN_CHECK(custom_op_compute, NNRT__RKNN_AT(nnrt_rknn_custom_op, compute, 800, 808));
NNRT__RKNN_CHECK(custom_op_destroy, NNRT__RKNN_AT(nnrt_rknn_custom_op, destroy, 808, 824));
#endif

#endif /* NNRT_RKNPU_ABI_H */
