/* SPDX-License-Identifier: Apache-2.0 */
/* dsp/abi.h - the binary interface of HiSilicon's DSP, declared by nnrt itself.   >>dsp_abi

   Types and values of hi_dsp.h and hi_comm_svp.h. Addresses are 64 bits wide on every chip, so that the layout is one
   for 32-bit ARM and AArch64; sizes and offsets are checked at compile time below. */
#ifndef NNRT_DSP_ABI_H
#define NNRT_DSP_ABI_H

#include <stddef.h>
#include <stdint.h>

/* What functions return: 0, or one of these, which are negative as int32_t. */
#define NNRT__DSP_INVALID_DEVID 0xa0348001u
#define NNRT__DSP_INVALID_CHNID 0xa0348002u
#define NNRT__DSP_ILLEGAL_PARAM 0xa0348003u
#define NNRT__DSP_EXIST 0xa0348004u
#define NNRT__DSP_UNEXIST 0xa0348005u
#define NNRT__DSP_NULL_PTR 0xa0348006u
#define NNRT__DSP_NOT_CONFIG 0xa0348007u
#define NNRT__DSP_NOT_SUPPORT 0xa0348008u
#define NNRT__DSP_NOT_PERM 0xa0348009u
#define NNRT__DSP_NOMEM 0xa034800cu
#define NNRT__DSP_NOBUF 0xa034800du
#define NNRT__DSP_BUF_EMPTY 0xa034800eu
#define NNRT__DSP_BUF_FULL 0xa034800fu
#define NNRT__DSP_NOTREADY 0xa0348010u
#define NNRT__DSP_BADADDR 0xa0348011u
#define NNRT__DSP_BUSY 0xa0348012u
#define NNRT__DSP_SYS_TIMEOUT 0xa0348040u
#define NNRT__DSP_QUERY_TIMEOUT 0xa0348041u
#define NNRT__DSP_OPEN_FILE 0xa0348042u
#define NNRT__DSP_READ_FILE 0xa0348043u

#define NNRT__DSP_MAX_CORES 4u    /* of Hi3559AV100; others have one */
#define NNRT__DSP_MEMORIES 4u     /* of a core: memory number of a core's kind = 4 * core + kind */
#define NNRT__DSP_MAX_NODES 51u   /* most tasks that wait in a queue; the driver has 30 by default */
#define NNRT__DSP_PRIORITIES 3u   /* queues of a core, 0 the highest */
#define NNRT__DSP_LAST_COMMAND 4u /* SVP_DSP_CMD_BUTT, where no optional commands were built in */
#define NNRT__DSP_MOST_LAST_COMMAND 7u

/* Commands of every program. */
#define NNRT__DSP_EXIT 1u /* and 0, init, are the system's */
#define NNRT__DSP_ERODE_3X3 2u
#define NNRT__DSP_DILATE_3X3 3u

/* SVP_DSP_MESSAGE_S */
typedef struct nnrt__dsp_message {
    uint32_t command;
    uint32_t id;
    uint64_t body; /* physical */
    uint32_t size;
} nnrt__dsp_message;

/* SVP_IMAGE_S; of U8C1, type 0, the first plane counts. */
typedef struct nnrt__dsp_picture {
    uint64_t physical[3];
    uint64_t address[3];
    uint32_t stride[3];
    uint32_t width;
    uint32_t height;
    uint32_t type;
} nnrt__dsp_picture;

#define NNRT__DSP_SIZE(type, bytes) typedef char nnrt__dsp_size_##type[sizeof(nnrt__dsp_##type) == (bytes) ? 1 : -1]
#define NNRT__DSP_AT(type, field, bytes) \
    typedef char nnrt__dsp_at_##type##_##field[offsetof(nnrt__dsp_##type, field) == (bytes) ? 1 : -1]
NNRT__DSP_SIZE(message, 24);
NNRT__DSP_AT(message, body, 8);
NNRT__DSP_AT(message, size, 16);
NNRT__DSP_SIZE(picture, 72);
NNRT__DSP_AT(picture, address, 24);
NNRT__DSP_AT(picture, stride, 48);
NNRT__DSP_AT(picture, width, 60);
NNRT__DSP_AT(picture, type, 68);
#undef NNRT__DSP_SIZE
#undef NNRT__DSP_AT

#endif /* NNRT_DSP_ABI_H */
