/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/errors.h - codes of Rockchip's runtime as codes of OH_NN and sentences that say what to check.   >>rknpu_errors

   The runtime prints details on the console only, and old runtimes return -1 for almost everything, so each sentence
   names the causes that users met with the code, the likeliest first. */
#ifndef NNRT_RKNPU_ERRORS_H
#define NNRT_RKNPU_ERRORS_H

#include "types.h"

typedef struct nnrt__rknn_error {
    OH_NN_ReturnCode code;
    const char *sentence;
} nnrt__rknn_error;

/* Leaves a sentence "WHAT: ... (rknn code -N)" that says what to check and returns the OH_NN code.
   OH_NN_CONNECTION_EXCEPTION is for codes that mean that the device is gone. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_fail(int vendor_code, const char *what) {
    /* [i]: of vendor code -i */
    static const nnrt__rknn_error errors[15] = {
        {OH_NN_FAILED, "the runtime answered without success or error"},
        {OH_NN_FAILED,
         "the NPU refused the work; look for 'failed to submit' in dmesg: the kernel driver may be too old "
         "for this runtime, or another context of the program holds the core"},
        {OH_NN_TIMEOUT,
         "the NPU did not finish in the driver's time; look at dmesg and the load of the NPU, and whether "
         "other devices (ISP, encoder) take the memory bandwidth"},
        {OH_NN_CONNECTION_EXCEPTION,
         "the NPU is not there: check that the driver is loaded, that this user may open /dev/rknpu or "
         "/dev/dri/renderD*, and that the chip has this NPU"},
        {OH_NN_MEMORY_ERROR,
         "memory for the NPU is exhausted: see CmaFree in /proc/meminfo, give the kernel more CMA, close "
         "other models or use rknn.share_internal"},
        {OH_NN_INVALID_PARAMETER,
         "the runtime refused an argument: runtime and model may not fit each other, or this runtime does "
         "not support the call on this chip"},
        {OH_NN_INVALID_FILE,
         "the model file is damaged, or its toolkit is newer than the runtime on the board: convert it with "
         "the runtime's version, or update the runtime"},
        {OH_NN_FAILED, "the runtime does not know the context: it was ended by somebody else, or its driver restarted"},
        {OH_NN_INVALID_PARAMETER, "the runtime refused an input: its size, type or layout is not what the model takes"},
        {OH_NN_INVALID_PARAMETER,
         "the runtime refused an output: its size, type or layout is not what the model gives"},
        {OH_NN_UNSUPPORTED, "runtime and kernel driver do not fit each other: update both from the same SDK"},
        {OH_NN_INVALID_FILE, "the model was precompiled for another driver: convert it again without precompiling"},
        {OH_NN_INVALID_FILE,
         "the model's optimisation level is not for this driver: convert it again with the toolkit of the "
         "runtime's version"},
        {OH_NN_INVALID_FILE,
         "the model was made for another chip: convert it again with the target_platform of this board"},
        {OH_NN_FAILED, "a custom operator asked to be skipped, which only its init may do"}};
    const nnrt__rknn_error *error;
    if (vendor_code > 0 || vendor_code <= -(int)NNRT__COUNT_OF(errors))
        return nnrt__fail(OH_NN_FAILED,
                          "%.60s: the runtime failed for a reason that nnrt does not know; its own output may say more "
                          "(rknn code %d)",
                          what, vendor_code);
    error = &errors[-vendor_code];
    return nnrt__fail(error->code, "%.60s: %s (rknn code %d)", what, error->sentence, vendor_code);
}

/* rknn_run has returned vendor_code, tries times in a row. It returns -1 for everything except arguments; causes that
   users met: a missing custom operator ("has no custom delegate"), on RV1103 and RV1106 a camera's ISP that streams
   (most runs fail from some seconds after its start on, LuckfoxTECH/luckfox-pico#359), a driver that is too old or a
   core that is held or hangs. custom: nnrt__rknpu_model's. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_fail_run(const nnrt__rknpu_library *library, const char *custom, int vendor_code,
                                               uint32_t tries) {
    char what[32];
    nnrt__format(what, sizeof(what), tries > 1 ? "rknn_run, %u times" : "rknn_run", (unsigned)tries);
    if (vendor_code != NNRT_RKNN_ERR_FAIL) return nnrt__rknpu_fail(vendor_code, what);
    if (custom[0] != '\0')
        return nnrt__fail(
            OH_NN_FAILED,
            "%s: the model has the custom operator %.31s, which the program has to give by rknn.custom_op "
            "before Build (rknn code -1)",
            what, custom);
    if (library->mini)
        return nnrt__fail(
            OH_NN_FAILED,
            "%s: the NPU gave up the run. While the ISP streams from a camera that comes and goes: let "
            "rknn.retry call it again. Else another process has the NPU, or it hangs: look at dmesg (rknn "
            "code -1)",
            what);
    return nnrt__rknpu_fail(vendor_code, what);
}

/* The device node cannot be opened for reason, as in errno. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_fail_closed(const char *node, int reason, int vendor_code) {
    const char *advice = "the NPU's driver refuses; look at dmesg";
    if (reason == EACCES || reason == EPERM)
        advice = "this user has no right to; run as root, or give the user's group the node by a udev rule";
    else if (reason == ENOENT) advice = "it is not there; load the NPU's driver (insmod rknpu.ko)";
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "rknn_init: %s cannot be opened: %s (rknn code %d)", node, advice,
                      vendor_code);
}

/* rknn_init failed. -1 is any error and -6 one of the model; the runtime prints the details on the console only. Causes
   that nnrt can find itself are named first. missing: an operator of the model without a CPU form in the runtime,
   according to the file; "": none. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_fail_init(const nnrt__rknpu_library *library, const char *missing,
                                                int vendor_code) {
    char node[256];
    const int reason = nnrt__rknpu_node_closed(library, node, sizeof(node));
    if (reason != 0) return nnrt__rknpu_fail_closed(node, reason, vendor_code);
    if (vendor_code == NNRT_RKNN_ERR_FAIL && missing[0] != '\0')
        return nnrt__fail(OH_NN_FAILED,
                          "rknn_init: the model leaves %.63s to the CPU, of which this runtime has no form: replace it "
                          "or cut the model before it (rknn code -1)",
                          missing);
    if (vendor_code == NNRT_RKNN_ERR_FAIL)
        return nnrt__fail(OH_NN_FAILED,
                          "rknn_init: the runtime refused the model: an operator that it has no CPU form of, or, "
                          "before 1.5.0, a model of another chip or toolkit; look at the \"E RKNN\" line on the "
                          "console (rknn code -1)");
    if (vendor_code == NNRT_RKNN_ERR_MODEL_INVALID)
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "rknn_init: the model is for another chip than this one, newer than the runtime, or damaged; "
                          "convert it with this board's target_platform and the toolkit of the runtime's version "
                          "(rknn code -6)");
    return nnrt__rknpu_fail(vendor_code, "rknn_init");
}

/* An allocator of the runtime returned NULL without a reason. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_fail_memory(size_t size) {
    return nnrt__fail(OH_NN_MEMORY_ERROR,
                      "no NPU memory of %zu bytes: CMA is exhausted or in pieces (CmaFree in /proc/meminfo, dmesg); "
                      "give the kernel more CMA, or use fewer or smaller models and tensors",
                      size);
}

/* A context whose last call was given up and has not returned. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_fail_stuck(void) {
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "the NPU has not come back from a run that was given up");
}

#endif /* NNRT_RKNPU_ERRORS_H */
