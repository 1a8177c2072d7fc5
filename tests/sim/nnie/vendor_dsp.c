/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_dsp.c - libdsp.so of Hi3519AV100 and Hi3559AV100: reads images, and hands the rest to the driver, which is in
   libsim_hisilicon.so. */
#include <stdio.h>
#include <stdlib.h>

#include "sim_hisi.h"
#include "sim_hisi_dsp.h"

#define DSP_LOST ((int32_t)SIM_DSP_NOTREADY)

/* Of a library that this one does not name as needed. */
extern int32_t memcpy_s(void *to, size_t size, const void *from, size_t length);

SIM_EXPORT int32_t HI_MPI_SVP_DSP_LoadBin(const char *file, uint32_t memory);
SIM_EXPORT int32_t HI_MPI_SVP_DSP_EnableCore(uint32_t core);
SIM_EXPORT int32_t HI_MPI_SVP_DSP_DisableCore(uint32_t core);
SIM_EXPORT int32_t HI_MPI_SVP_DSP_RPC(int32_t *handle, const sim_dsp_message *message, uint32_t core,
                                      uint32_t priority);
SIM_EXPORT int32_t HI_MPI_SVP_DSP_Query(uint32_t core, int32_t handle, int32_t *finished, int32_t block);
SIM_EXPORT int32_t HI_MPI_SVP_DSP_PowerOn(uint32_t core);
SIM_EXPORT int32_t HI_MPI_SVP_DSP_PowerOff(uint32_t core);

/* A chip without a DSP has no device node of one. */
static bool dsp_call(const char *function, int32_t *answer) {
    if (sim_hisi_call(function, DSP_LOST, answer)) return true;
    *answer = DSP_LOST;
    return sim_hisi_dsp_memories() == 0;
}

static int32_t dsp_load(const char *path, uint32_t memory) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    long size;
    int32_t answer = (int32_t)SIM_DSP_READ_FILE;
    if (!file) return (int32_t)SIM_DSP_OPEN_FILE;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        bytes = (uint8_t *)malloc((size_t)size + 1);
        if (bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size)
            answer = sim_hisi_dsp_image(memory, bytes, (size_t)size);
    }
    fclose(file);
    free(bytes);
    return answer;
}

int32_t HI_MPI_SVP_DSP_LoadBin(const char *file, uint32_t memory) {
    int32_t answer;
    if (dsp_call("HI_MPI_SVP_DSP_LoadBin", &answer)) return answer;
    if (!file) return (int32_t)SIM_DSP_NULL_PTR;
    return memory < sim_hisi_dsp_memories() ? dsp_load(file, memory) : (int32_t)SIM_DSP_ILLEGAL_PARAM;
}

int32_t HI_MPI_SVP_DSP_PowerOn(uint32_t core) {
    int32_t answer;
    return dsp_call("HI_MPI_SVP_DSP_PowerOn", &answer) ? answer : sim_hisi_dsp_power(core, true, false);
}

int32_t HI_MPI_SVP_DSP_PowerOff(uint32_t core) {
    int32_t answer;
    if (!dsp_call("HI_MPI_SVP_DSP_PowerOff", &answer)) return sim_hisi_dsp_power(core, false, false);
    (void)sim_hisi_dsp_power(core, false, true);
    return answer;
}

int32_t HI_MPI_SVP_DSP_EnableCore(uint32_t core) {
    int32_t answer;
    return dsp_call("HI_MPI_SVP_DSP_EnableCore", &answer) ? answer : sim_hisi_dsp_enable(core, true);
}

int32_t HI_MPI_SVP_DSP_DisableCore(uint32_t core) {
    int32_t answer;
    return dsp_call("HI_MPI_SVP_DSP_DisableCore", &answer) ? answer : sim_hisi_dsp_enable(core, false);
}

int32_t HI_MPI_SVP_DSP_RPC(int32_t *handle, const sim_dsp_message *message, uint32_t core, uint32_t priority) {
    sim_dsp_message copy;
    int32_t answer;
    if (dsp_call("HI_MPI_SVP_DSP_RPC", &answer)) return answer;
    if (!handle || !message || memcpy_s(&copy, sizeof(copy), message, sizeof(*message)) != 0)
        return (int32_t)SIM_DSP_NULL_PTR;
    return sim_hisi_dsp_rpc(handle, &copy, core, priority);
}

int32_t HI_MPI_SVP_DSP_Query(uint32_t core, int32_t handle, int32_t *finished, int32_t block) {
    int32_t answer;
    if (dsp_call("HI_MPI_SVP_DSP_Query", &answer)) return answer;
    return finished ? sim_hisi_dsp_query(core, handle, finished, block != 0) : (int32_t)SIM_DSP_NULL_PTR;
}
