/* SPDX-License-Identifier: Apache-2.0 */
/* npu/model.h - compilations of every device with an NPU: bytes for Build, its return codes, and who still uses
   one.   >>npu_model

   A vendor's compilation begins with a nnrt__npu_model and has the vendor's own part in a nnrt__npu_vendor; the slots
   of the backend are the functions here and in executor.h. */
#ifndef NNRT_NPU_MODEL_H
#define NNRT_NPU_MODEL_H

#include "../core/error.h"
#include "../core/platform.h"
#include "runner.h"

struct nnrt__npu_executor;
struct nnrt__npu_model;

/* The vendor's part of compilations and executors; model and self begin the vendor's structures. */
typedef struct nnrt__npu_vendor {
    const char *grace_config; /* the config that sets hang_grace_ms, for a sentence */
    size_t model_size;        /* bytes of its structures */
    size_t executor_size;

    /* A compilation. prepare: all of Build, in a model that is zero except for the base; whatever it returns, release
       frees what it has made, and model itself. desc: of a port, inputs first, then outputs. */
    OH_NN_ReturnCode (*prepare)(struct nnrt__npu_model *model, const nnrt_request *request);
    void (*release)(struct nnrt__npu_model *model);
    const nnrt_io_desc *(*desc)(const struct nnrt__npu_model *model, uint32_t port);

    /* An executor. open: makes what runs need, in one that is zero except for the base; close frees that, even after
       open failed, but not self. */
    OH_NN_ReturnCode (*open)(struct nnrt__npu_executor *self);
    void (*close)(struct nnrt__npu_executor *self);

    /* A run. check (optional): what the core and nnrt__npu_check_tensors leave to the vendor; *shape, 0 on entry, may
       be set to the number of the model's shape that inputs have. begin (optional) and give_up are those of
       nnrt__runner_work; the base's begin comes first. run: all of it, with the actual shapes of outputs. */
    OH_NN_ReturnCode (*check)(const struct nnrt__npu_model *model, const nnrt_io *inputs, uint32_t *shape);
    void (*begin)(struct nnrt__npu_executor *self);
    OH_NN_ReturnCode (*run)(struct nnrt__npu_executor *self);
    void (*give_up)(struct nnrt__npu_executor *self);

    /* hold takes a reference to the memory of port's tensor, which this device made, for the run under way; drop
       releases those of all ports, and what a run keeps until its end. It is a vendor call. NULL: tensors are blocks
       (block.h), which the base holds. */
    void (*hold)(struct nnrt__npu_executor *self, uint32_t port, void *memory);
    void (*drop)(struct nnrt__npu_executor *self);
} nnrt__npu_vendor;

/* Extension configs that every vendor has. */
typedef struct nnrt__npu_options {
    bool profile;           /* nnrt.profile: times of steps */
    uint32_t timeout_ms;    /* 0: none; deadline of every run, RunSync included */
    uint32_t hang_grace_ms; /* how long the next run waits for one that was given up */
} nnrt__npu_options;

typedef struct nnrt__npu_model {
    const nnrt__npu_vendor *vendor;
    void *device;
    nnrt__mutex *mutex;               /* the device's */
    nnrt__runner_group *group;        /* of executors that share memory by taking turns; NULL: none */
    const nnrt__npu_options *options; /* in the vendor's own: set by its prepare */
    uint32_t input_count, output_count;
    uint32_t step_count; /* of a profile: inputs first, outputs last */

    /* Under *mutex */
    uint32_t users; /* executors that are not freed yet, including those with a hanging call */
    bool released;  /* the program has released the compilation: the last executor frees it */
} nnrt__npu_model;

/* What Build returns when a device found code. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_build_code(OH_NN_ReturnCode code) {
    switch (code) {
    case OH_NN_SUCCESS:
    case OH_NN_MEMORY_ERROR:
    case OH_NN_INVALID_FILE:
    case OH_NN_UNAVAILABLE_DEVICE: return code;
    case OH_NN_CONNECTION_EXCEPTION: return OH_NN_UNAVAILABLE_DEVICE;
    default: return OH_NN_FAILED;
    }
}

/* The file of a request, mapped or read; *mapping is to be unmapped on success. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_map_file(const char *path, bool read_it, nnrt__mapping *mapping) {
    const char *reason = nnrt__take_file(path, read_it, mapping);
    if (reason == NULL) return OH_NN_SUCCESS;
    return nnrt__fail(reason == nnrt__file_no_memory ? OH_NN_MEMORY_ERROR : OH_NN_INVALID_FILE,
                      "model file \"%.100s\" %s", path, reason);
}

/* ------------------------------------------------------------------------------------------------- slots */

/* Slot prepare of a vendor whose device has mutex. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_prepare(const nnrt__npu_vendor *vendor, void *device, nnrt__mutex *mutex,
                                            const nnrt_request *request, void **prepared) {
    nnrt__npu_model *model = (nnrt__npu_model *)nnrt__alloc_zero(1, vendor->model_size);
    char sentence[NNRT__SENTENCE_SIZE];
    OH_NN_ReturnCode code;
    if (model == NULL) return nnrt__fail_memory();
    model->vendor = vendor;
    model->device = device;
    model->mutex = mutex;
    code = vendor->prepare(model, request);
    if (code == OH_NN_SUCCESS) {
        *prepared = model;
        return OH_NN_SUCCESS;
    }
    memcpy(sentence, nnrt__sentence(), sizeof(sentence));
    vendor->release(model);
    return nnrt__fail(nnrt__npu_build_code(code), "%s", sentence);
}

/* Slot release: deferred while calls of closed executors have not returned. */
NNRT__FN void nnrt__npu_release(void *prepared) {
    nnrt__npu_model *model = (nnrt__npu_model *)prepared;
    bool over;
    nnrt__mutex_lock(model->mutex);
    NNRT_ASSERT(!model->released);
    model->released = true;
    over = model->users == 0;
    nnrt__mutex_unlock(model->mutex);
    if (over) model->vendor->release(model);
}

/* Counts an executor that was made or freed; the last one frees a model that was released meanwhile. */
NNRT__FN void nnrt__npu_count_user(nnrt__npu_model *model, bool made) {
    bool over;
    nnrt__mutex_lock(model->mutex);
    NNRT_ASSERT(made || model->users != 0);
    if (made) model->users++;
    else model->users--;
    over = model->users == 0 && model->released;
    nnrt__mutex_unlock(model->mutex);
    if (over) model->vendor->release(model);
}

/* Slot io_count. */
NNRT__FN void nnrt__npu_io_count(void *prepared, size_t *inputs, size_t *outputs) {
    const nnrt__npu_model *model = (const nnrt__npu_model *)prepared;
    *inputs = model->input_count;
    *outputs = model->output_count;
}

/* Slot io_desc. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_io_desc(void *prepared, bool output, size_t index, nnrt_io_desc *desc) {
    const nnrt__npu_model *model = (const nnrt__npu_model *)prepared;
    NNRT_ASSERT(index < (output ? model->output_count : model->input_count));
    *desc = *model->vendor->desc(model, (uint32_t)index + (output ? model->input_count : 0));
    return OH_NN_SUCCESS;
}

#endif /* NNRT_NPU_MODEL_H */
