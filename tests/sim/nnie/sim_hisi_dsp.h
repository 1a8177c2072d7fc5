/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hisi_dsp.h - structures of HiSilicon's DSP, for the board and for tests. */
#ifndef NNRT_TESTS_SIM_HISI_DSP_H
#define NNRT_TESTS_SIM_HISI_DSP_H

#include <stdint.h>

#define SIM_DSP_ERODE_3X3 2u
#define SIM_DSP_DILATE_3X3 3u
#define SIM_DSP_BUTT 4u /* commands of the program in the DSP are above */

#define SIM_DSP_ILLEGAL_PARAM 0xa0348003u
#define SIM_DSP_NULL_PTR 0xa0348006u
#define SIM_DSP_NOT_PERM 0xa0348009u
#define SIM_DSP_NOMEM 0xa034800cu
#define SIM_DSP_BUF_FULL 0xa034800fu
#define SIM_DSP_NOTREADY 0xa0348010u
#define SIM_DSP_SYS_TIMEOUT 0xa0348040u
#define SIM_DSP_QUERY_TIMEOUT 0xa0348041u
#define SIM_DSP_OPEN_FILE 0xa0348042u
#define SIM_DSP_READ_FILE 0xa0348043u

typedef struct sim_dsp_message { /* SVP_DSP_MESSAGE_S */
    uint32_t command;
    uint32_t id;
    uint64_t body; /* physical */
    uint32_t size;
} sim_dsp_message;

typedef struct sim_dsp_image { /* SVP_IMAGE_S; of type 0, U8C1, only the first of each is used */
    uint64_t physical[3];
    uint64_t address[3];
    uint32_t stride[3];
    uint32_t width;
    uint32_t height;
    uint32_t type;
} sim_dsp_image;

#endif /* NNRT_TESTS_SIM_HISI_DSP_H */
