/* SPDX-License-Identifier: Apache-2.0 */
/* dsp/api.h - the vector DSP of HiSilicon's chips: start, query and stop programs for it.   >>dsp_api

   nnrt_dsp_open switches a core on and loads its program, tasks are submitted with a priority and waited for with a
   deadline, nnrt_dsp_close switches it off. Erode and dilate are in every program that the vendor's SDK builds; other
   commands are defined by the program. docs/dsp.md

   One nnrt_dsp may be used from several threads at once, one task from one thread at a time.
   Return codes of every function: OH_NN_INVALID_PARAMETER: an argument is NULL or wrong. OH_NN_UNAVAILABLE_DEVICE: the
   library, its driver or the core is missing, not ready or busy. OH_NN_MEMORY_ERROR: out of memory, or of MMZ.
   OH_NN_FAILED: the library refused for a reason of its own. nnrt_last_error() says which, and what to check. A hanging
   call of the vendor's library is waited for: only tasks have deadlines. */
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

/* 0 in a field means its default. */
typedef struct nnrt_dsp_options {
    uint32_t core;                       /* 0; Hi3559AV100 has 0 to 3 */
    const char *folder;                  /* where the images are, by the names that the SDK gives them */
    const char *images[NNRT_DSP_IMAGES]; /* path of an image that is elsewhere; NULL: in the folder */
    bool running;          /* the core runs already (dsp_init_mode=1, or another program): do not switch it on or off */
    uint32_t last_command; /* SVP_DSP_CMD_BUTT of the SDK that built the program: 4, with photo support 5, at most 7 */
} nnrt_dsp_options;

/* Powers the core on, loads its images and enables it. A core without power or with half an image may hang the board,
   hence this order; each step is checked, and after a failure the core is off again and *dsp is NULL. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_open(const nnrt_dsp_options *options, nnrt_dsp **dsp);

/* Disables the core, powers it off and sets *dsp to NULL. NULL and a pointer to NULL are ignored.
   OH_NN_OPERATION_FORBIDDEN: tasks are unfinished, or memory of nnrt_dsp_allocate was not freed: nothing was done.
   Another code: the library failed to switch off; *dsp is freed all the same. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_close(nnrt_dsp **dsp);

/* The same with unfinished tasks, for a core that hangs: they end with it. The program must not use memory that it has
   not freed any more; if the core cannot be disabled, memory that it may still write is leaked on purpose. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_close_hanging(nnrt_dsp **dsp);

/* -------------------------------------------------------------------------------------------------- memory */

/* MMZ: contiguous memory, which the CPU sees, cached, at data and the DSP at physical. */
typedef struct nnrt_dsp_memory {
    void *data;
    uint64_t physical;
    size_t size;
} nnrt_dsp_memory;

/* size is at most 4 GiB - 1. The contents are not set. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_allocate(nnrt_dsp *dsp, size_t size, nnrt_dsp_memory *memory);

/* memory becomes zero. No task may use it. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_free(nnrt_dsp *dsp, nnrt_dsp_memory *memory);

/* Makes the CPU's writes visible to the DSP, and the DSP's to the CPU: call it before submitting a command of the
   program's own, and after its end. Erode and dilate do it themselves. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_flush(nnrt_dsp *dsp, const nnrt_dsp_memory *memory);

/* --------------------------------------------------------------------------------------------------- tasks */

/* Waiting tasks of a higher priority run first. */
typedef enum nnrt_dsp_priority {
    NNRT_DSP_PRIORITY_HIGH = 0,
    NNRT_DSP_PRIORITY_MEDIUM = 1,
    NNRT_DSP_PRIORITY_LOW = 2
} nnrt_dsp_priority;

/* A task that was submitted. */
typedef struct nnrt_dsp_task {
    uint32_t number; /* nnrt's, as place */
    uint32_t place;
    bool over; /* the DSP is done with it, successfully or not: its memory is the program's again */
} nnrt_dsp_task;

/* A picture of 8 bits per pixel. */
typedef struct nnrt_dsp_image {
    uint64_t physical;
    void *data;      /* the CPU's cached mapping, which is flushed; NULL: none */
    uint32_t stride; /* bytes from row to row: width or more */
    uint32_t width;  /* pixels, 1 or more; likewise height */
    uint32_t height;
} nnrt_dsp_image;

/* Each pixel becomes the smallest (erode) or largest (dilate) of the 3 by 3 around it, with borders as the program in
   the DSP defines them. Both pictures have the same size, do not overlap and stay until the task is over.
   OH_NN_UNAVAILABLE_DEVICE also: the queue of this priority is full (max_node_num of the driver, 30). */
NNRT_API OH_NN_ReturnCode nnrt_dsp_erode_3x3(nnrt_dsp *dsp, const nnrt_dsp_image *source,
                                             const nnrt_dsp_image *destination, nnrt_dsp_priority priority,
                                             nnrt_dsp_task *task);
NNRT_API OH_NN_ReturnCode nnrt_dsp_dilate_3x3(nnrt_dsp *dsp, const nnrt_dsp_image *source,
                                              const nnrt_dsp_image *destination, nnrt_dsp_priority priority,
                                              nnrt_dsp_task *task);

/* A command of the program in the DSP. */
typedef struct nnrt_dsp_message {
    uint32_t command; /* nnrt_dsp_user_command, or one of the SDK's except init and exit */
    uint32_t id;      /* handed on */
    uint64_t body;    /* physical address of size bytes of MMZ in the program's own format; flushed by the caller */
    uint32_t size;
} nnrt_dsp_message;

/* The number of the program's own command `index`, counted from 0: they start after SVP_DSP_CMD_BUTT. 0: dsp is NULL,
   or there is no such number. */
NNRT_API uint32_t nnrt_dsp_user_command(const nnrt_dsp *dsp, uint32_t index);

/* The body stays until the task is over. OH_NN_UNAVAILABLE_DEVICE also: the queue of this priority is full. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_submit(nnrt_dsp *dsp, const nnrt_dsp_message *message, nnrt_dsp_priority priority,
                                          nnrt_dsp_task *task);

/* Waits until the task is over, at most timeout_ms milliseconds; 0 only asks. The library's blocking call, which may
   take 50 seconds, is not used.
   OH_NN_TIMEOUT: not over yet; wait again, or give up with nnrt_dsp_close_hanging. Another failure: the task's, if
   task->over; otherwise the query failed and may be repeated.
   OH_NN_INVALID_PARAMETER: the task was over already, or belongs to another core. */
NNRT_API OH_NN_ReturnCode nnrt_dsp_wait(nnrt_dsp *dsp, nnrt_dsp_task *task, uint32_t timeout_ms);

#ifdef __cplusplus
}
#endif
#endif /* NNRT_DSP_API_H */
