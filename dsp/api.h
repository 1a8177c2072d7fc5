/* SPDX-License-Identifier: Apache-2.0 */
/* dsp/api.h - the vector DSP of HiSilicon's chips: programs for it are started, asked about and ended.   >>dsp_api

   nnrt_dsp_open switches a core on and loads its program, tasks are submitted with a priority and waited for with a
   deadline, nnrt_dsp_close switches it off. Erode and dilate are in every program that the vendor's SDK builds; further
   commands are the program's own. docs/dsp.md

   Functions with the same nnrt_dsp may be called from several threads at once, with the same task from one at a time.
   Return codes of every function: OH_NN_INVALID_PARAMETER: an argument is NULL or wrong. OH_NN_UNAVAILABLE_DEVICE: the
   library, its driver or the core is not there, not ready or busy. OH_NN_MEMORY_ERROR: out of memory, or of MMZ.
   OH_NN_FAILED: the library refused for a reason of its own. nnrt_last_error() says which, and what to check. A call of
   the vendor's library that hangs is waited for: only tasks have deadlines. */
#ifndef NNRT_DSP_API_H
#define NNRT_DSP_API_H

#include "../core/api_extensions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A core that was opened. */
typedef struct nnrt_dsp nnrt_dsp;

/* The memories of a core, each with an image of its own. */
typedef enum nnrt_dsp_image_kind {
    NNRT_DSP_IMAGE_DDR = 0,   /* hi_sram.bin */
    NNRT_DSP_IMAGE_IRAM = 1,  /* hi_iram0.bin */
    NNRT_DSP_IMAGE_DRAM0 = 2, /* hi_dram0.bin */
    NNRT_DSP_IMAGE_DRAM1 = 3, /* hi_dram1.bin */
    NNRT_DSP_IMAGES = 4
} nnrt_dsp_image_kind;

/* What is 0 has its default. */
typedef struct nnrt_dsp_options {
    uint32_t core;                       /* 0; Hi3559AV100 has 0 to 3 */
    const char *folder;                  /* where the images are, by the names that the SDK gives them */
    const char *images[NNRT_DSP_IMAGES]; /* path of one that is elsewhere; NULL: in the folder */
    bool running; /* the core runs already (dsp_init_mode=1, or another program): it is not switched on, nor off */
    uint32_t last_command; /* SVP_DSP_CMD_BUTT of the SDK that built the program: 4, with photo support 5, at most 7 */
} nnrt_dsp_options;

/* Powers the core on, loads its images and enables it. A core without power or with half an image may hang the board:
   the order is this, each step is checked, and after a failure the core is off again and *dsp NULL. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_open(const nnrt_dsp_options *options, nnrt_dsp **dsp);

/* Disables the core and powers it off; *dsp becomes NULL. NULL and a NULL in it are allowed.
   OH_NN_OPERATION_FORBIDDEN: tasks are unfinished, or memory of nnrt_dsp_allocate is left: nothing was done. Another
   code: the library failed to switch off, and *dsp is gone all the same. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_close(nnrt_dsp **dsp);

/* The same with tasks unfinished, for a core that hangs: they end with it. Memory that is left is the program's no
   more. Where the core cannot be disabled, what it may still write to is never given back. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_close_hanging(nnrt_dsp **dsp);

/* -------------------------------------------------------------------------------------------------- memory */

/* MMZ: memory in one piece, which the CPU sees through a cache at data and the DSP at physical. */
typedef struct nnrt_dsp_memory {
    void *data;
    uint64_t physical;
    size_t size;
} nnrt_dsp_memory;

/* size is at most 4 GiB - 1. The contents are not set. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_allocate(nnrt_dsp *dsp, size_t size, nnrt_dsp_memory *memory);

/* memory becomes zero. No task may use it. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_free(nnrt_dsp *dsp, nnrt_dsp_memory *memory);

/* What the CPU wrote reaches the DSP, what the DSP wrote the CPU: before a command of the program's own is submitted,
   and when it is over. Erode and dilate do it by themselves. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_flush(nnrt_dsp *dsp, const nnrt_dsp_memory *memory);

/* --------------------------------------------------------------------------------------------------- tasks */

/* A waiting task of a higher priority comes first. */
typedef enum nnrt_dsp_priority {
    NNRT_DSP_PRIORITY_HIGH = 0,
    NNRT_DSP_PRIORITY_MEDIUM = 1,
    NNRT_DSP_PRIORITY_LOW = 2
} nnrt_dsp_priority;

/* A task that was submitted. */
typedef struct nnrt_dsp_task {
    uint32_t number; /* nnrt's, as place */
    uint32_t place;
    bool over; /* the DSP is done with it, whatever came of it: its memory is the program's again */
} nnrt_dsp_task;

/* A picture of 8 bits for each pixel. */
typedef struct nnrt_dsp_image {
    uint64_t physical;
    void *data;      /* where the CPU sees it through a cache, which is then flushed; NULL: it does not */
    uint32_t stride; /* bytes from row to row: width or more */
    uint32_t width;  /* pixels, 1 or more, as height */
    uint32_t height;
} nnrt_dsp_image;

/* Each pixel becomes the smallest (erode) or largest (dilate) of the 3 by 3 around it, as far as the program in the DSP
   defines borders. Both pictures have the same size, do not overlap and stay until the task is over.
   OH_NN_UNAVAILABLE_DEVICE, too: the queue of this priority is full (max_node_num of the driver, 30). */
NNRT_API OH_NN_ReturnCode nnrt_dsp_erode_3x3(nnrt_dsp *dsp, const nnrt_dsp_image *source,
                                             const nnrt_dsp_image *destination, nnrt_dsp_priority priority,
                                             nnrt_dsp_task *task);
NNRT_API OH_NN_ReturnCode nnrt_dsp_dilate_3x3(nnrt_dsp *dsp, const nnrt_dsp_image *source,
                                              const nnrt_dsp_image *destination, nnrt_dsp_priority priority,
                                              nnrt_dsp_task *task);

/* A command of the program in the DSP. */
typedef struct nnrt_dsp_message {
    uint32_t command; /* nnrt_dsp_user_command, or one of the SDK's but init and exit */
    uint32_t id;      /* handed on */
    uint64_t body;    /* physical address of size bytes of MMZ that the program understands; flushed by the caller */
    uint32_t size;
} nnrt_dsp_message;

/* The number of the program's own command `index`, counted from 0: they begin behind SVP_DSP_CMD_BUTT. 0: dsp is NULL,
   or there is no such number. */
NNRT_API uint32_t nnrt_dsp_user_command(const nnrt_dsp *dsp, uint32_t index);

/* The body stays until the task is over. OH_NN_UNAVAILABLE_DEVICE, too: the queue of this priority is full. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_submit(nnrt_dsp *dsp, const nnrt_dsp_message *message, nnrt_dsp_priority priority,
                                          nnrt_dsp_task *task);

/* Waits until the task is over, at most timeout_ms milliseconds; 0: only asks. The library's blocking call, which takes
   50 seconds, is not used.
   OH_NN_TIMEOUT: not over yet; wait again, or give the core up with nnrt_dsp_close_hanging. Another failure: what came
   of the task where task->over, else what came of asking, and it may be asked again.
   OH_NN_INVALID_PARAMETER: the task was over before, or is of another core. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_wait(nnrt_dsp *dsp, nnrt_dsp_task *task, uint32_t timeout_ms);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_DSP_API_H */
