/* SPDX-License-Identifier: Apache-2.0 */
/* dsp/errors.h - codes of libdsp as codes of OH_NN and sentences that say what to check.   >>dsp_errors */
#ifndef NNRT_DSP_ERRORS_H
#define NNRT_DSP_ERRORS_H

#include "../core/error.h"
#include "abi.h"

typedef struct nnrt__dsp_error {
    uint32_t vendor_code;
    OH_NN_ReturnCode code;
    const char *sentence;
} nnrt__dsp_error;

/* The meaning of the code; NULL: not a known code of the library. Never OH_NN_TIMEOUT, which is nnrt's code for an
   unfinished task. */
NNRT__FN const nnrt__dsp_error *nnrt__dsp_error_find(uint32_t vendor_code) {
    static const nnrt__dsp_error errors[] = {
        {NNRT__DSP_INVALID_DEVID, OH_NN_INVALID_PARAMETER, "this chip has no DSP core of that number"},
        {NNRT__DSP_INVALID_CHNID, OH_NN_INVALID_PARAMETER, "the driver does not know the channel"},
        {NNRT__DSP_ILLEGAL_PARAM, OH_NN_INVALID_PARAMETER,
         "an argument was refused: a core that the chip does not have, memory that is not of MMZ, or a picture that "
         "the "
         "program in the DSP does not take"},
        {NNRT__DSP_EXIST, OH_NN_FAILED, "it is there already"},
        {NNRT__DSP_UNEXIST, OH_NN_FAILED, "the driver does not know what it was asked about"},
        {NNRT__DSP_NULL_PTR, OH_NN_NULL_PTR, "a pointer is NULL"},
        {NNRT__DSP_NOT_CONFIG, OH_NN_FAILED, "the driver has not been configured: load the modules with their script"},
        {NNRT__DSP_NOT_SUPPORT, OH_NN_UNSUPPORTED,
         "the driver does not do this on this chip: library and modules have to be of this chip's SDK"},
        {NNRT__DSP_NOT_PERM, OH_NN_UNAVAILABLE_DEVICE,
         "the core cannot do this now: it is not enabled, or another program switched it off"},
        {NNRT__DSP_NOMEM, OH_NN_MEMORY_ERROR, "no memory of the kernel, or the image is empty"},
        {NNRT__DSP_NOBUF, OH_NN_MEMORY_ERROR, "the driver has no buffer left"},
        {NNRT__DSP_BUF_EMPTY, OH_NN_FAILED, "the driver's buffer is empty"},
        {NNRT__DSP_BUF_FULL, OH_NN_UNAVAILABLE_DEVICE,
         "the queue of this priority is full: wait for a task, or load the driver with a larger max_node_num"},
        {NNRT__DSP_NOTREADY, OH_NN_UNAVAILABLE_DEVICE,
         "the DSP is not ready: check that hi*_dsp.ko is loaded, that this user may open /dev/dsp and /dev/mem, and "
         "that "
         "the core has power"},
        {NNRT__DSP_BADADDR, OH_NN_INVALID_PARAMETER, "the driver cannot read the program's memory"},
        {NNRT__DSP_BUSY, OH_NN_UNAVAILABLE_DEVICE, "the DSP is busy: another program may have it"},
        {NNRT__DSP_SYS_TIMEOUT, OH_NN_UNAVAILABLE_DEVICE,
         "the DSP did not answer: check that its images are whole, of this SDK and of this core"},
        {NNRT__DSP_QUERY_TIMEOUT, OH_NN_UNAVAILABLE_DEVICE, "the DSP did not finish in the driver's time"},
        {NNRT__DSP_OPEN_FILE, OH_NN_INVALID_FILE, "the file cannot be opened"},
        {NNRT__DSP_READ_FILE, OH_NN_INVALID_FILE, "the file cannot be read"}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(errors); i++) {
        if (errors[i].vendor_code == vendor_code) return &errors[i];
    }
    return NULL;
}

/* Fails because the library's call what returned vendor_code, which is not 0. */
NNRT__FN OH_NN_ReturnCode nnrt__dsp_fail(int32_t vendor_code, const char *what) {
    const nnrt__dsp_error *error = nnrt__dsp_error_find((uint32_t)vendor_code);
    if (error == NULL) {
        return nnrt__fail(
            OH_NN_FAILED,
            "%.100s: the library failed for a reason that nnrt does not know; its own output may say more "
            "(code 0x%x)",
            what, (unsigned)vendor_code);
    }
    return nnrt__fail(error->code, "%.100s: %s (code 0x%x)", what, error->sentence, (unsigned)vendor_code);
}

#endif /* NNRT_DSP_ERRORS_H */
