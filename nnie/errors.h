/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/errors.h - codes of HiSilicon's library as codes of OH_NN and sentences that say what to check.   >>nnie_errors

   The library prints details on the console only, and its driver returns ILLEGAL_PARAM for every bad shape, stride,
   address and size: each sentence names the causes that a code was seen with, the likeliest first. */
#ifndef NNRT_NNIE_ERRORS_H
#define NNRT_NNIE_ERRORS_H

#include "../core/error.h"
#include "abi.h"

typedef struct nnrt__nnie_error {
    uint32_t vendor_code;
    OH_NN_ReturnCode code;
    const char *sentence;
} nnrt__nnie_error;

/* The meaning of the code; NULL: not a known code of the library. */
NNRT__FN const nnrt__nnie_error *nnrt__nnie_error_find(uint32_t vendor_code) {
    static const nnrt__nnie_error errors[] = {
        {NNRT__NNIE_INVALID_DEVID, OH_NN_INVALID_PARAMETER, "this chip has no NNIE core of that number"},
        {NNRT__NNIE_INVALID_CHNID, OH_NN_INVALID_PARAMETER, "the driver does not know the channel"},
        {NNRT__NNIE_ILLEGAL_PARAM, OH_NN_INVALID_PARAMETER,
         "an argument was refused: a shape, stride or count that is not the model's, memory that is too small or not "
         "of MMZ, or a model for another chip; the console or dmesg may say which"},
        {NNRT__NNIE_EXIST, OH_NN_FAILED, "the task buffer is registered already, by this program or another one"},
        {NNRT__NNIE_UNEXIST, OH_NN_FAILED, "the driver does not know what it was asked about"},
        {NNRT__NNIE_NULL_PTR, OH_NN_NULL_PTR, "a pointer is NULL"},
        {NNRT__NNIE_NOT_CONFIG, OH_NN_FAILED, "the driver has not been configured: load the modules with their script"},
        {NNRT__NNIE_NOT_SUPPORT, OH_NN_UNSUPPORTED,
         "the driver does not do this on this chip: library and modules have to be of this chip's SDK"},
        {NNRT__NNIE_NOT_PERM, OH_NN_UNAVAILABLE_DEVICE,
         "the NNIE cannot work now: GDC has the memory that both share; stop what uses GDC"},
        {NNRT__NNIE_NOMEM, OH_NN_MEMORY_ERROR, "the driver got no memory of the kernel"},
        {NNRT__NNIE_NOBUF, OH_NN_MEMORY_ERROR, "the driver has no buffer left"},
        {NNRT__NNIE_BUF_EMPTY, OH_NN_FAILED, "the driver's buffer is empty"},
        {NNRT__NNIE_BUF_FULL, OH_NN_UNAVAILABLE_DEVICE,
         "the driver's queue is full: 513 tasks are unfinished, or as many task buffers registered as "
         "nnie_max_tskbuf_num allows (32)"},
        {NNRT__NNIE_NOTREADY, OH_NN_UNAVAILABLE_DEVICE,
         "the NNIE is not ready: check that its modules are loaded, that this user may open /dev/nnie, and that the "
         "program has initialised the media system (HI_MPI_SYS_Init)"},
        {NNRT__NNIE_BADADDR, OH_NN_INVALID_PARAMETER, "the driver cannot read the program's memory"},
        {NNRT__NNIE_BUSY, OH_NN_UNAVAILABLE_DEVICE, "the NNIE is busy: another program may have it"},
        {NNRT__NNIE_SYS_TIMEOUT, OH_NN_TIMEOUT,
         "the NNIE did not finish and was reset: look at dmesg, and whether the model or its memory was changed"},
        {NNRT__NNIE_QUERY_TIMEOUT, OH_NN_TIMEOUT,
         "the NNIE did not finish in the driver's 50 seconds: look at dmesg and the load in /proc/umap/nnie"},
        {NNRT__NNIE_CFG_ERR, OH_NN_FAILED,
         "the NNIE found its instructions wrong and was reset: the model's memory was changed or freed, or the model "
         "is of a mapper for another chip"},
        {NNRT__NNIE_OPEN_FILE, OH_NN_FAILED, "the library could not open a file"},
        {NNRT__NNIE_READ_FILE, OH_NN_FAILED, "the library could not read a file"},
        {NNRT__NNIE_WRITE_FILE, OH_NN_FAILED, "the library could not write a file"}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(errors); i++)
        if (errors[i].vendor_code == vendor_code) return &errors[i];
    return NULL;
}

/* Fails because the library's call what returned vendor_code, which is not 0. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_fail(int32_t vendor_code, const char *what) {
    const nnrt__nnie_error *error = nnrt__nnie_error_find((uint32_t)vendor_code);
    if (error == NULL)
        return nnrt__fail(OH_NN_FAILED,
                          "%.50s: the library failed for a reason that nnrt does not know; its own output may say more "
                          "(code 0x%x)",
                          what, (unsigned)vendor_code);
    return nnrt__fail(error->code, "%.50s: %s (code 0x%x)", what, error->sentence, (unsigned)vendor_code);
}

#endif /* NNRT_NNIE_ERRORS_H */
