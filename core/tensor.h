/* SPDX-License-Identifier: Apache-2.0 */
/* core/tensor.h - NN_Tensor: a descriptor and a buffer.   >>tensor

   The buffer is reference-counted: an asynchronous run past its deadline may still be writing when the program destroys
   the tensor, and the memory then stays until the device is done with it. A device that has its own memory (allocate,
   import) makes the buffer; otherwise it is zeroed pages of the system, which get a file descriptor when
   OH_NNTensor_GetFd asks for it and stay at their address when they do, or, without files, bytes behind the buffer. */
#ifndef NNRT_CORE_TENSOR_H
#define NNRT_CORE_TENSOR_H

#include "desc.h"
#include "registry.h"
#include "shared_memory.h"

#define NNRT__MAX_BUFFER ((size_t)1 << 30)
/* In bytes, for memory that is neither a device's nor a page: a cache line, or, where RAM counts more, the widest
   element. */
#define NNRT__BUFFER_ALIGNMENT (NNRT__FOR_RAM ? 8u : 64u)

/* ------------------------------------------------------------------------------------------------ buffers */

typedef struct nnrt__buffer {
    int32_t references; /* one for the tensor and one for each asynchronous run that uses it */
    const nnrt__device *device;
    nnrt_device_memory *memory; /* the device's, in the block of this structure; NULL: none */
    bool from_device;           /* memory is filled */
    bool is_input;              /* memory is an executor's: nobody else frees it */
    nnrt__mutex mutex;          /* held while pages get their descriptor */
    nnrt__pages pages;          /* the system's; imported memory keeps its descriptor here, whoever maps it */
    void *data;                 /* the device's, in pages, or in the block of this structure */
    size_t size;                /* usable bytes from data */
} nnrt__buffer;

/* A buffer of size bytes without memory; it is followed, in its block, by `behind` zero bytes, or, for device memory,
   by the device's description of it. NULL with a sentence. */
NNRT__FN nnrt__buffer *nnrt__buffer_new(const nnrt__device *device, size_t size, size_t behind, bool from_device) {
    size_t bytes = from_device ? sizeof(nnrt_device_memory) : behind;
    nnrt__buffer *buffer =
        nnrt__add_size(sizeof(*buffer), bytes, &bytes) ? (nnrt__buffer *)nnrt__alloc_zero(bytes, 1) : NULL;
    NNRT_ASSERT(size != 0);
    if (buffer == NULL || !nnrt__mutex_init(&buffer->mutex)) {
        nnrt__free(buffer);
        (void)nnrt__fail_memory();
        return NULL;
    }
    buffer->references = 1;
    buffer->device = device;
    if (from_device) buffer->memory = (nnrt_device_memory *)(void *)(buffer + 1);
    buffer->pages.fd = -1;
    buffer->size = size;
    return buffer;
}

NNRT__FN nnrt__buffer *nnrt__buffer_retain(nnrt__buffer *buffer) {
    NNRT_ASSERT(nnrt__atomic_peek(&buffer->references) >= 1);
    (void)nnrt__atomic_add(&buffer->references, 1);
    return buffer;
}

NNRT__FN void nnrt__buffer_release(nnrt__buffer *buffer) {
    NNRT_ASSERT(buffer == NULL || nnrt__atomic_peek(&buffer->references) >= 1);
    if (buffer == NULL || nnrt__atomic_add(&buffer->references, -1) != 0) return;
    if (buffer->from_device && !buffer->is_input)
        nnrt__backend_of(buffer->device)->free_memory(buffer->device->state, buffer->memory);
    nnrt__pages_free(&buffer->pages);
    nnrt__mutex_destroy(&buffer->mutex);
    nnrt__free(buffer);
}

/* Bytes of NNRT_MALLOC that buffer holds, including those that the device reports for its memory. 0 for NULL. */
NNRT__FN size_t nnrt__buffer_bytes(const nnrt__buffer *buffer) {
    return buffer != NULL ? nnrt__block_bytes(buffer) + nnrt__pages_bytes(&buffer->pages) +
                                (buffer->memory != NULL ? buffer->memory->heap_bytes : 0)
                          : 0;
}

/* Frees a buffer that could not be completed; NULL. */
NNRT__FN nnrt__buffer *nnrt__buffer_abandon(nnrt__buffer *buffer) {
    nnrt__buffer_release(buffer);
    return NULL;
}

/* A buffer whose memory the device has described, or refused to: code. NULL with the device's sentence. */
NNRT__FN nnrt__buffer *nnrt__buffer_filled(nnrt__buffer *buffer, OH_NN_ReturnCode code) {
    if (code != OH_NN_SUCCESS) return nnrt__buffer_abandon(buffer);
    buffer->from_device = true;
    buffer->data = buffer->memory->data;
    return buffer;
}

/* size bytes, 1 to NNRT__MAX_BUFFER, of device memory, or without memory if the device makes none: then `behind` bytes
   follow. NULL with a sentence. */
NNRT__FN nnrt__buffer *nnrt__buffer_of_device(const nnrt__device *device, size_t size, size_t behind) {
    const nnrt_backend *backend = nnrt__backend_of(device);
    nnrt__buffer *buffer;
    if (size == 0 || size > NNRT__MAX_BUFFER) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "a buffer has 1 to 1073741824 bytes, not %zu", size);
        return NULL;
    }
    buffer = nnrt__buffer_new(device, size, behind, backend->allocate != NULL);
    if (buffer == NULL || backend->allocate == NULL) return buffer;
    return nnrt__buffer_filled(buffer, backend->allocate(device->state, size, buffer->memory));
}

/* Zeroed memory without a system call: the device's, or bytes behind the buffer. NULL with a sentence. */
NNRT__FN nnrt__buffer *nnrt__buffer_create_plain(const nnrt__device *device, size_t size) {
    nnrt__buffer *buffer = nnrt__buffer_of_device(
        device, size, size <= NNRT__MAX_BUFFER ? size + NNRT__BUFFER_ALIGNMENT - sizeof(void *) : 0);
    if (buffer == NULL || buffer->from_device) return buffer;
    buffer->data = nnrt__align(buffer + 1, NNRT__BUFFER_ALIGNMENT);
    return buffer;
}

/* Zeroed memory of tensors of device. NULL with a sentence. */
NNRT__FN nnrt__buffer *nnrt__buffer_create(const nnrt__device *device, size_t size) {
    nnrt__buffer *buffer;
    if (!NNRT__HAS_FILES) return nnrt__buffer_create_plain(device, size);
    buffer = nnrt__buffer_of_device(device, size, 0);
    if (buffer == NULL || buffer->from_device) return buffer;
    if (nnrt__pages_new(&buffer->pages, size) != OH_NN_SUCCESS) return nnrt__buffer_abandon(buffer);
    /* A device that imports descriptors but makes no memory needs one in every nnrt_io. */
    if (nnrt__backend_of(device)->import != NULL && nnrt__pages_share(&buffer->pages) != OH_NN_SUCCESS)
        return nnrt__buffer_abandon(buffer);
    buffer->data = nnrt__pages_data(&buffer->pages);
    return buffer;
}

/* The same for memory whose descriptor is never asked for: from NNRT_MALLOC, without a system call, if the device makes
   no memory and needs no descriptor. */
NNRT__FN nnrt__buffer *nnrt__buffer_create_private(const nnrt__device *device, size_t size) {
    const bool wants_descriptor = NNRT__HAS_FILES && nnrt__backend_of(device)->import != NULL;
    return wants_descriptor ? nnrt__buffer_create(device, size) : nnrt__buffer_create_plain(device, size);
}

/* The bytes [offset, size) of fd, offset < size, which the caller keeps open or not. NULL with a sentence. */
NNRT__FN nnrt__buffer *nnrt__buffer_import(const nnrt__device *device, int fd, size_t size, size_t offset) {
    const nnrt_backend *backend = nnrt__backend_of(device);
    nnrt__buffer *buffer = nnrt__buffer_new(device, size - offset, 0, backend->import != NULL);
    NNRT_ASSERT(offset < size);
    if (buffer == NULL) return NULL;
    if (nnrt__pages_adopt(&buffer->pages, fd, size, offset) != OH_NN_SUCCESS) return nnrt__buffer_abandon(buffer);
    if (backend->import != NULL)
        return nnrt__buffer_filled(buffer,
                                   backend->import(device->state, buffer->pages.fd, size, offset, buffer->memory));
    if (nnrt__pages_map(&buffer->pages, size) != OH_NN_SUCCESS) return nnrt__buffer_abandon(buffer);
    buffer->data = nnrt__pages_data(&buffer->pages);
    return buffer;
}

/* The program's size bytes at address, which the device reaches at physical. NULL with a sentence. */
NNRT__FN nnrt__buffer *nnrt__buffer_import_physical(const nnrt__device *device, uint64_t physical, void *address,
                                                    size_t size) {
    const nnrt_backend *backend = nnrt__backend_of(device);
    nnrt__buffer *buffer;
    if (backend->import_physical == NULL) {
        (void)nnrt__fail(OH_NN_UNSUPPORTED, "device %s knows no physical addresses", device->name);
        return NULL;
    }
    buffer = nnrt__buffer_new(device, size, 0, true);
    if (buffer == NULL) return NULL;
    return nnrt__buffer_filled(buffer,
                               backend->import_physical(device->state, physical, address, size, buffer->memory));
}

/* The memory of an executor of device for input `index`, size bytes. NULL with a sentence. */
NNRT__FN nnrt__buffer *nnrt__buffer_of_input(const nnrt__device *device, void *executor, size_t index, size_t size) {
    const nnrt_backend *backend = nnrt__backend_of(device);
    nnrt__buffer *buffer;
    if (backend->input_memory == NULL) {
        (void)nnrt__fail(OH_NN_UNSUPPORTED, "device %s has no arena that inputs lie in", device->name);
        return NULL;
    }
    buffer = nnrt__buffer_new(device, size, 0, true);
    if (buffer == NULL) return NULL;
    buffer->memory->fd = -1;
    buffer->is_input = true;
    return nnrt__buffer_filled(buffer, backend->input_memory(executor, index, buffer->memory));
}

/* The descriptor that data lies in at buffer->pages.offset; -1: none, or none yet. */
NNRT__FN int nnrt__buffer_fd(const nnrt__buffer *buffer) {
    return buffer->from_device && buffer->pages.fd < 0 ? buffer->memory->fd : buffer->pages.fd;
}

/* The same, made if there is none yet; still -1 if the device's memory has none. Not during a run, which would go on in
   the old pages. */
NNRT__FN OH_NN_ReturnCode nnrt__buffer_share(nnrt__buffer *buffer, int *fd) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt__mutex_lock(&buffer->mutex);
    if (!buffer->from_device && buffer->pages.fd < 0) {
        if (nnrt__atomic_load(&buffer->references) > 1)
            code = nnrt__fail(OH_NN_OPERATION_FORBIDDEN,
                              "the tensor has no descriptor yet and an asynchronous run uses it");
        else code = nnrt__pages_share(&buffer->pages);
    }
    if (code == OH_NN_SUCCESS) *fd = nnrt__buffer_fd(buffer);
    nnrt__mutex_unlock(&buffer->mutex);
    return code;
}

/* ---------------------------------------------------------------------------------------------- NN_Tensor */

struct NN_Tensor {
    NN_TensorDesc *desc; /* in the block of this structure */
    nnrt__buffer *buffer;
    size_t size; /* as GetSize reports it: for CreateWithFd the whole, offset included */
};

/* Takes buffer, which may be NULL. */
NNRT__FN NN_Tensor *nnrt__tensor_new(const NN_TensorDesc *desc, nnrt__buffer *buffer, size_t size) {
    NN_Tensor *tensor;
    if (buffer == NULL) return NULL;
    tensor = (NN_Tensor *)nnrt__alloc_zero(1, sizeof(*tensor) + sizeof(*desc) + nnrt__desc_behind(desc->name));
    if (tensor == NULL) {
        nnrt__buffer_release(buffer);
        (void)nnrt__fail_memory();
        return NULL;
    }
    tensor->desc = (NN_TensorDesc *)(void *)(tensor + 1);
    nnrt__desc_set(tensor->desc, desc->name, desc->dtype, desc->format, desc->rank, desc->dims);
    tensor->buffer = buffer;
    tensor->size = size;
    return tensor;
}

NNRT__FN bool nnrt__desc_is_dynamic(const NN_TensorDesc *desc) {
    uint32_t i;
    for (i = 0; i < desc->rank; i++)
        if (desc->dims[i] <= 0) return true;
    return false;
}

/* Bytes that desc needs, 0 for a dynamic shape. */
NNRT__FN OH_NN_ReturnCode nnrt__desc_least_size(const NN_TensorDesc *desc, size_t *size) {
    *size = 0;
    return nnrt__desc_is_dynamic(desc) ? OH_NN_SUCCESS : nnrt__desc_byte_size(desc, size);
}

NNRT_API NN_Tensor *OH_NNTensor_Create(size_t deviceID, NN_TensorDesc *tensorDesc) {
    const nnrt__device *device;
    size_t size;
    if (tensorDesc == NULL) {
        (void)nnrt__fail_null("OH_NNTensor_Create", "tensorDesc");
        return NULL;
    }
    device = nnrt__device_find(deviceID);
    if (device == NULL || nnrt__desc_byte_size(tensorDesc, &size) != OH_NN_SUCCESS) return NULL;
    return nnrt__tensor_new(tensorDesc, nnrt__buffer_create(device, size), size);
}

NNRT_API NN_Tensor *OH_NNTensor_CreateWithSize(size_t deviceID, NN_TensorDesc *tensorDesc, size_t size) {
    const nnrt__device *device;
    size_t needed;
    if (tensorDesc == NULL) {
        (void)nnrt__fail_null("OH_NNTensor_CreateWithSize", "tensorDesc");
        return NULL;
    }
    device = nnrt__device_find(deviceID);
    if (device == NULL) return NULL;
    if (size > NNRT__MAX_BUFFER) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNTensor_CreateWithSize: size is %zu, more than 1 GiB", size);
        return NULL;
    }
    if (nnrt__desc_least_size(tensorDesc, &needed) != OH_NN_SUCCESS) return NULL;
    if (size < needed) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNTensor_CreateWithSize: size is %zu, the descriptor needs %zu",
                         size, needed);
        return NULL;
    }
    return nnrt__tensor_new(tensorDesc, nnrt__buffer_create(device, size), size);
}

NNRT_API NN_Tensor *OH_NNTensor_CreateWithFd(size_t deviceID, NN_TensorDesc *tensorDesc, int fd, size_t size,
                                             size_t offset) {
    const nnrt__device *device;
    size_t needed;
    if (tensorDesc == NULL) {
        (void)nnrt__fail_null("OH_NNTensor_CreateWithFd", "tensorDesc");
        return NULL;
    }
    if (fd < 0 || size == 0 || offset >= size) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, fd < 0      ? "OH_NNTensor_CreateWithFd: fd is negative"
                                                  : size == 0 ? "OH_NNTensor_CreateWithFd: size is 0"
                                                              : "OH_NNTensor_CreateWithFd: offset is not below size");
        return NULL;
    }
    if (nnrt__desc_least_size(tensorDesc, &needed) != OH_NN_SUCCESS) return NULL;
    if (size - offset < needed) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER,
                         "OH_NNTensor_CreateWithFd: %zu bytes lie behind offset, the descriptor needs %zu",
                         size - offset, needed);
        return NULL;
    }
    device = nnrt__device_find(deviceID);
    if (device == NULL) return NULL;
    return nnrt__tensor_new(tensorDesc, nnrt__buffer_import(device, fd, size, offset), size);
}

NNRT_API NN_Tensor *nnrt_tensor_create_physical(size_t device_id, NN_TensorDesc *desc, uint64_t physical, void *address,
                                                size_t size) {
    static const char function[] = "nnrt_tensor_create_physical";
    const nnrt__device *device;
    size_t needed;
    if (desc == NULL || address == NULL) {
        (void)nnrt__fail_null(function, desc == NULL ? "desc" : "address");
        return NULL;
    }
    if (physical == 0 || size == 0 || size > NNRT__MAX_BUFFER) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: physical is %s0 and size %zu; 1 byte to 1 GiB are possible",
                         function, physical != 0 ? "not " : "", size);
        return NULL;
    }
    if (nnrt__desc_least_size(desc, &needed) != OH_NN_SUCCESS) return NULL;
    if (size < needed) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: size is %zu, the descriptor needs %zu", function, size, needed);
        return NULL;
    }
    device = nnrt__device_find(device_id);
    if (device == NULL) return NULL;
    return nnrt__tensor_new(desc, nnrt__buffer_import_physical(device, physical, address, size), size);
}

NNRT_API OH_NN_ReturnCode OH_NNTensor_Destroy(NN_Tensor **tensor) {
    if (tensor == NULL) return nnrt__fail_null("OH_NNTensor_Destroy", "tensor");
    if (*tensor == NULL) return nnrt__fail_null("OH_NNTensor_Destroy", "*tensor");
    nnrt__desc_free_name((*tensor)->desc);
    nnrt__buffer_release((*tensor)->buffer);
    nnrt__free(*tensor);
    *tensor = NULL;
    return OH_NN_SUCCESS;
}

NNRT_API NN_TensorDesc *OH_NNTensor_GetTensorDesc(const NN_Tensor *tensor) {
    if (tensor == NULL) {
        (void)nnrt__fail_null("OH_NNTensor_GetTensorDesc", "tensor");
        return NULL;
    }
    return tensor->desc;
}

NNRT_API void *OH_NNTensor_GetDataBuffer(const NN_Tensor *tensor) {
    if (tensor == NULL) {
        (void)nnrt__fail_null("OH_NNTensor_GetDataBuffer", "tensor");
        return NULL;
    }
    return tensor->buffer->data;
}

NNRT_API OH_NN_ReturnCode OH_NNTensor_GetFd(const NN_Tensor *tensor, int *fd) {
    if (tensor == NULL) return nnrt__fail_null("OH_NNTensor_GetFd", "tensor");
    if (fd == NULL) return nnrt__fail_null("OH_NNTensor_GetFd", "fd");
    nnrt__desc_changes(tensor->desc); /* executors pass an existing descriptor to the device */
    return nnrt__buffer_share(tensor->buffer, fd);
}

NNRT_API OH_NN_ReturnCode OH_NNTensor_GetSize(const NN_Tensor *tensor, size_t *size) {
    if (tensor == NULL) return nnrt__fail_null("OH_NNTensor_GetSize", "tensor");
    if (size == NULL) return nnrt__fail_null("OH_NNTensor_GetSize", "size");
    *size = tensor->size;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNTensor_GetOffset(const NN_Tensor *tensor, size_t *offset) {
    if (tensor == NULL) return nnrt__fail_null("OH_NNTensor_GetOffset", "tensor");
    if (offset == NULL) return nnrt__fail_null("OH_NNTensor_GetOffset", "offset");
    *offset = tensor->buffer->pages.offset;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CORE_TENSOR_H */
