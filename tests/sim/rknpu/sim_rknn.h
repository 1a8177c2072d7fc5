/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn.h - Rockchip's runtime on the simulated board, shared by its own rooms. What is below it is common to all
   vendors: ../common/sim_board.h.

     sim_rknn_board.c    chips, the device node
     sim_rknn_memory.c   rknn_create_mem and its relatives, rknn_destroy_mem, rknn_mem_sync
     sim_rknn_tensor.c   layouts of a chip; values from one layout into another
     sim_rknn_attr.c     attributes
     sim_rknn_file.c     the outside of a .rknn
     sim_rknn_stream.c   real files: their command stream, on the NPU in software
     sim_rknn_context.c  rknn_init, dup, destroy, core masks, memory from outside
     sim_rknn_query.c    rknn_query and dynamic shapes
     sim_rknn_bind.c     rknn_set_io_mem
     sim_rknn_run.c      rknn_run
     sim_rknn_general.c  rknn_inputs_set, rknn_outputs_get, rknn_outputs_release
     sim_rknn_custom.c   custom operators
     sim_rknn_matmul.c   the matmul API
     sim_rknn_matrix.c   its matrices in memory

   NNRT_SIM_VERSION (0xMMmmpp) and NNRT_SIM_MINI choose at compile time which library this is; the chip is chosen by
   environment. */
#ifndef NNRT_TESTS_SIM_RKNN_H
#define NNRT_TESTS_SIM_RKNN_H

#include "../../../rknpu/abi.h"

#include "../common/sim_memory.h"
#include "../common/sim_model.h"
#include "sim_rknn_file.h"

#ifndef NNRT_SIM_VERSION
#define NNRT_SIM_VERSION 0x020302
#endif
#ifndef NNRT_SIM_MINI
#define NNRT_SIM_MINI 0
#endif

/* What nnrt asks a stand-in for the vendor's library: the device node to look for. */
const char *nnrt_rknpu_node(void);
/* And the chip, in place of the device tree. */
const char *nnrt_rknpu_chip(void);

/* ---------------------------------------------------------------------------------------------- the board */

typedef struct sim_rknn_chip {
    const char *name;   /* "rk3588" */
    const char *family; /* chips of one family run each other's models: "rk3566" for rk3568 too */
    bool mini;          /* driven by librknnmrt */
    uint32_t cores;
    uint32_t c2_8;        /* lanes of NC1HWC2 for elements of 1 byte */
    uint32_t c2_16;       /* of 2 bytes */
    uint32_t w_align;     /* pixels of a row of an image of 1 byte elements in memory */
    uint32_t w_align_16;  /* of 2 bytes */
    uint32_t extra_c1;    /* blocks beyond ceil(C / C2) of outputs with at most C2 channels */
    uint32_t extra_since; /* in versions from this on */
    uint32_t map_align;   /* NC1HWC2 feature maps store rows of a multiple of this many columns */
    uint32_t sram;        /* bytes; 0: none */
    bool flat_vectors;    /* tensors of fewer than 4 dimensions are plain for the NPU too, else NC1HWC2 */
    bool swapped_nhwc;    /* librknnrt 1.5 takes columns for channels in NATIVE_NHWC_OUTPUT_ATTR */
} sim_rknn_chip;

/* Never NULL; of the environment. */
const sim_rknn_chip *sim_rknn_board_chip(void);
const sim_rknn_chip *sim_rknn_chip_locked(void);
size_t sim_rknn_sram_left(void); /* locked */
bool sim_rknn_board_fits(void);  /* this library drives this chip and there is a device */
void sim_rknn_keep_device(void); /* the descriptor that librknnrt keeps for the life of the process */

/* ------------------------------------------------------------------------------------------------ tensors */

typedef struct sim_rknn_layout {
    nnrt_rknn_format order; /* UNDEFINED is NCHW with ones */
    nnrt_rknn_tensor_type type;
    uint32_t n, c, h, w;
    uint32_t w_stride, h_stride; /* stored columns and rows */
    uint32_t c1, c2;
    uint32_t unit; /* the whole is a multiple of so many bytes; 0: of none */
} sim_rknn_layout;

/* ----------------------------------------------------------------------------------------------- contexts */

extern const sim_kind sim_rknn_kind_model, sim_rknn_kind_matmul; /* of rknn_init, of rknn_matmul_create */

typedef struct sim_rknn_shared { /* a model and its weights: contexts that share them count */
    sim_shared base;
    sim_model *model;
} sim_rknn_shared;

typedef enum sim_rknn_fate {
    SIM_RKNN_CONVERTS, /* bytes are read or written as the layout says */
    SIM_RKNN_SKIPS,    /* the runtime logs that it cannot convert them, and rknn_run is 0 */
    SIM_RKNN_FAILS     /* rknn_run is -1 */
} sim_rknn_fate;

typedef struct sim_rknn_port { /* one input or output of a context */
    sim_memory_ref bound;
    bool stale; /* bound before the shape changed */
    uint32_t pass_through;
    sim_rknn_layout layout; /* of the bound memory */
    size_t needed;          /* bytes of it; the memory may have fewer */
    sim_rknn_fate fate;     /* what becomes of it when the model runs */
    bool by_npu;            /* the NPU itself reads or writes it, not the runtime through memory of its own */
    bool passed;            /* inputs: was bound with pass_through once */
    void *data;             /* logical bytes of the last inputs_set or run */
    size_t data_bytes;
    void *previous;    /* outputs, pipelined mode: of the run before */
    bool given;        /* inputs: by inputs_set; outputs: data hold a result */
    bool given_before; /* previous holds a result */
} sim_rknn_port;

typedef struct sim_rknn_block { /* given out by rknn_outputs_get */
    struct sim_rknn_block *next;
    void *data;
    size_t size;
} sim_rknn_block;

typedef struct sim_rknn_custom {
    nnrt_rknn_custom_op op;
    nnrt_rknn_custom_op_context context;
    const uint8_t *attributes; /* of the node that is computed now */
    size_t attribute_bytes;
    sim_rknn_block *given; /* attribute values given out in this call */
    bool started;          /* init was called */
    bool skip;             /* init answered: compute it yourself */
} sim_rknn_custom;

typedef struct sim_rknn_context {
    sim_context base;        /* sim_rknn_kind_model */
    sim_rknn_shared *shared; /* and base.shared */
    uint32_t flags;
    uint32_t n_input, n_output;
    uint32_t shape;
    bool shape_set;
    sim_rknn_port *ports; /* inputs, then outputs */
    sim_memory_ref internal;
    sim_memory_ref weights;
    sim_memory_ref model_memory; /* MODEL_BUFFER_ZERO_COPY */
    uint8_t *model_copy;         /* what stood there at rknn_init */
    size_t model_offset, model_size;
    uint64_t frame, previous_frame;
    int64_t run_us;
    bool fetched; /* rknn_outputs_get since the start */
    char *perf;
    sim_rknn_block *blocks;
    sim_rknn_custom **customs;
    uint32_t custom_count;
} sim_rknn_context;

/* sim_begin and sim_end for a context of rknn_init. */
int sim_rknn_begin(nnrt_rknn_context handle, const char *function, sim_rknn_context **context);
int sim_rknn_begin_last(nnrt_rknn_context handle, const char *function, sim_rknn_context **context);
void sim_rknn_end(sim_rknn_context *context);
/* Of a context of any kind. */
int sim_rknn_begin_any(nnrt_rknn_context handle, const char *function, sim_context **context);

/* ---------------------------------------------------------------------------------------------- the rooms */

/* sim_rknn_memory.c: sim_memory_read and sim_memory_write with the syncs that this runtime makes by itself. */
int sim_rknn_memory_take(const sim_context *context, const void *mem, void *to, size_t size, bool by_npu,
                         const char *what);
int sim_rknn_memory_give(const sim_context *context, const void *mem, const void *from, size_t size, bool by_npu,
                         const char *what);

/* sim_rknn_tensor.c: pure */
nnrt_rknn_tensor_type sim_rknn_type(sim_type type);
int sim_rknn_code(int answer); /* of sim_model_run */
uint32_t sim_rknn_type_bytes(nnrt_rknn_tensor_type type);
void sim_rknn_tensor_plain(const sim_tensor *tensor, sim_rknn_layout *layout); /* as sim_model.h has it */
void sim_rknn_tensor_native(const sim_rknn_chip *chip, const sim_tensor *tensor, bool output, sim_rknn_layout *layout);
/* Of the queries NATIVE_NHWC_*: false: the tensor has none. Outputs are dense. */
bool sim_rknn_tensor_native_nhwc(const sim_rknn_chip *chip, const sim_tensor *tensor, bool output,
                                 sim_rknn_layout *layout);
uint32_t sim_rknn_column_align(const sim_rknn_chip *chip, const sim_tensor *tensor);
size_t sim_rknn_layout_bytes(const sim_rknn_layout *layout);
bool sim_rknn_input_convertible(const sim_tensor *tensor, nnrt_rknn_tensor_type from);
bool sim_rknn_output_convertible(const sim_tensor *tensor, nnrt_rknn_tensor_type to);
/* Between the logical bytes of a model's tensor and a layout. uint8 of an image that is not uint8 itself
   are pixels. */
void sim_rknn_tensor_read(const sim_tensor *tensor, const sim_rknn_layout *from, const void *source, void *logical);
void sim_rknn_tensor_write(const sim_tensor *tensor, const void *logical, const sim_rknn_layout *to, void *destination);

/* sim_rknn_attr.c: pure */
void sim_rknn_attr_logical(const sim_rknn_chip *chip, const sim_tensor *tensor, bool output,
                           nnrt_rknn_tensor_attr *attr);
/* layout is that of sim_rknn_tensor_native, or of an input sim_rknn_tensor_native_nhwc. */
void sim_rknn_attr_native(const sim_tensor *tensor, const sim_rknn_layout *layout, nnrt_rknn_tensor_attr *attr);
/* NATIVE_NHWC_OUTPUT_ATTR. */
void sim_rknn_attr_dense(const sim_rknn_chip *chip, const sim_tensor *tensor, nnrt_rknn_tensor_attr *attr);
/* librknnrt answers with what is bound once something is: changes the native attribute of a bound port. */
void sim_rknn_attr_bound(const sim_rknn_port *port, const sim_tensor *tensor, bool output, nnrt_rknn_tensor_attr *attr);

/* sim_rknn_context.c; of a context that the caller is inside of */
void sim_rknn_port_tensor(const sim_rknn_context *context, uint32_t port, sim_tensor *tensor);
bool sim_rknn_internal_outside(const sim_rknn_context *context);
bool sim_rknn_weights_outside(const sim_rknn_context *context);
/* room: bytes of the memory that they stand in, perhaps too few. */
void sim_rknn_weights_write(const sim_rknn_context *context, uint8_t *bytes, size_t room);
bool sim_rknn_weights_intact(const sim_rknn_context *context, const uint8_t *bytes, size_t room);

/* sim_rknn_bind.c: "input 0", in text. */
const char *sim_rknn_port_name(const sim_rknn_context *context, uint32_t port, char *text, size_t room);

/* sim_rknn_run.c */
/* Computes the logical inputs of the ports into the logical outputs; frame, times and profile follow. */
int sim_rknn_run_model(sim_rknn_context *context);

/* sim_rknn_custom.c */
int sim_rknn_custom_node(void *user, const char *op_type, const sim_tensor *inputs, void *const *input_data,
                         uint32_t n_inputs, const sim_tensor *outputs, void *const *output_data, uint32_t n_outputs,
                         const uint8_t *attributes, size_t attribute_bytes);
void sim_rknn_custom_end(sim_rknn_context *context);

#endif /* NNRT_TESTS_SIM_RKNN_H */
