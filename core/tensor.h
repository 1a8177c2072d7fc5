/* SPDX-License-Identifier: Apache-2.0 */
/* core/tensor.h - NN_Tensor: a descriptor and a buffer of shared memory.   >>tensor

   The buffer is counted: an asynchronous run that passed its deadline may still be writing when the program destroys
   the tensor, and the memory then stays until the device is done with it. A device that has its own memory (allocate,
   import) makes the buffer; otherwise it is memory of the system with a file descriptor, zeroed. */
#ifndef NNRT_CORE_TENSOR_H
#define NNRT_CORE_TENSOR_H

#include "desc.h"
#include "registry.h"
#include "shared_memory.h"

#define NNRT__MAX_BUFFER ((size_t)1 << 30)

/* ------------------------------------------------------------------------------------------------ buffers */

typedef struct nnrt__buffer {
    int32_t references;
    const nnrt__device *device;
    bool from_device; /* memory is the device's; else map is ours */
    nnrt_device_memory memory;
    void *map;
    size_t map_size;
    int fd;        /* ours to close unless from_device; -1: none */
    size_t offset; /* of data in fd */
    void *data;
    size_t size; /* bytes that may be used from data */
} nnrt__buffer;

NNRT__FN nnrt__buffer *nnrt__buffer_new(const nnrt__device *device, size_t size) {
    nnrt__buffer *buffer = (nnrt__buffer *)nnrt__alloc_zero(1, sizeof(*buffer));
    if (buffer == NULL) {
        (void)nnrt__fail_memory();
        return NULL;
    }
    buffer->references = 1;
    buffer->device = device;
    buffer->fd = -1;
    buffer->size = size;
    return buffer;
}

NNRT__FN nnrt__buffer *nnrt__buffer_retain(nnrt__buffer *buffer) {
    (void)nnrt__atomic_add(&buffer->references, 1);
    return buffer;
}

NNRT__FN void nnrt__buffer_release(nnrt__buffer *buffer) {
    if (buffer == NULL || nnrt__atomic_add(&buffer->references, -1) != 0) return;
    if (buffer->from_device) {
        buffer->device->backend->free_memory(buffer->device->state, &buffer->memory);
    } else if (buffer->map != NULL) {
        (void)munmap(buffer->map, buffer->map_size);
    }
    if (buffer->fd >= 0 && (!buffer->from_device || buffer->fd != buffer->memory.fd)) (void)close(buffer->fd);
    nnrt__free(buffer);
}

/* Frees a buffer that could not be completed; NULL. */
NNRT__FN nnrt__buffer *nnrt__buffer_abandon(nnrt__buffer *buffer) {
    nnrt__buffer_release(buffer);
    return NULL;
}

/* size bytes, 1 to NNRT__MAX_BUFFER, for tensors of device. NULL with a sentence. */
NNRT__FN nnrt__buffer *nnrt__buffer_create(const nnrt__device *device, size_t size) {
    nnrt__buffer *buffer;
    if (size == 0 || size > NNRT__MAX_BUFFER) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "a buffer has 1 to 1073741824 bytes, not %zu", size);
        return NULL;
    }
    buffer = nnrt__buffer_new(device, size);
    if (buffer == NULL) return NULL;
    if (device->backend->allocate != NULL) {
        if (device->backend->allocate(device->state, size, &buffer->memory) != OH_NN_SUCCESS)
            return nnrt__buffer_abandon(buffer);
        buffer->from_device = true;
        buffer->fd = buffer->memory.fd;
        buffer->data = buffer->memory.data;
        return buffer;
    }
    buffer->fd = nnrt__shared_memory_open(size);
    if (buffer->fd < 0) {
        (void)nnrt__fail(OH_NN_MEMORY_ERROR, "the system gives no shared memory of %zu bytes", size);
        return nnrt__buffer_abandon(buffer);
    }
    buffer->map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, buffer->fd, 0);
    if (buffer->map == MAP_FAILED) {
        buffer->map = NULL;
        (void)nnrt__fail(OH_NN_MEMORY_ERROR, "%zu bytes of shared memory cannot be mapped", size);
        return nnrt__buffer_abandon(buffer);
    }
    buffer->map_size = size;
    buffer->data = buffer->map;
    return buffer;
}

/* The length of what fd refers to; SIZE_MAX when it cannot be known (a device node). A dma-buf tells it by seeking. */
NNRT__FN size_t nnrt__fd_length(int fd) {
    struct stat status;
    off_t length;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        length = status.st_size;
    } else {
        length = lseek(fd, 0, SEEK_END);
    }
    return length < 0 || (uintmax_t)length > (uintmax_t)SIZE_MAX ? SIZE_MAX : (size_t)length;
}

/* The bytes [offset, size) of fd, offset < size, which the caller keeps open or not. NULL with a sentence. */
NNRT__FN nnrt__buffer *nnrt__buffer_import(const nnrt__device *device, int fd, size_t size, size_t offset) {
    nnrt__buffer *buffer;
    size_t length, page, start;
    long page_size = sysconf(_SC_PAGESIZE);
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own < 0) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "%d is no open file descriptor", fd);
        return NULL;
    }
    buffer = nnrt__buffer_new(device, size - offset);
    if (buffer == NULL) {
        (void)close(own);
        return NULL;
    }
    buffer->fd = own;
    buffer->offset = offset;
    length = nnrt__fd_length(own);
    if (length < size) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "the file descriptor has %zu bytes, not %zu", length, size);
        return nnrt__buffer_abandon(buffer);
    }
    if (device->backend->import != NULL) {
        if (device->backend->import(device->state, own, size, offset, &buffer->memory) != OH_NN_SUCCESS)
            return nnrt__buffer_abandon(buffer);
        buffer->from_device = true;
        buffer->data = buffer->memory.data;
        return buffer;
    }
    page = page_size > 0 ? (size_t)page_size : 4096;
    start = offset - offset % page;
    buffer->map_size = size - start;
    if ((off_t)start < 0 || (size_t)(off_t)start != start) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "offset %zu is too large for this system", offset);
        return nnrt__buffer_abandon(buffer);
    }
    buffer->map = mmap(NULL, buffer->map_size, PROT_READ | PROT_WRITE, MAP_SHARED, own, (off_t)start);
    if (buffer->map == MAP_FAILED) {
        buffer->map = NULL;
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "the file descriptor cannot be mapped for reading and writing");
        return nnrt__buffer_abandon(buffer);
    }
    buffer->data = (char *)buffer->map + (offset - start);
    return buffer;
}

/* ---------------------------------------------------------------------------------------------- NN_Tensor */

struct NN_Tensor {
    NN_TensorDesc *desc;
    nnrt__buffer *buffer;
    size_t size; /* as GetSize tells it: of CreateWithFd the whole, offset included */
};

/* Takes buffer, which may be NULL. */
NNRT__FN NN_Tensor *nnrt__tensor_new(const NN_TensorDesc *desc, nnrt__buffer *buffer, size_t size) {
    NN_Tensor *tensor;
    if (buffer == NULL) return NULL;
    tensor = (NN_Tensor *)nnrt__alloc_zero(1, sizeof(*tensor));
    if (tensor != NULL) tensor->desc = nnrt__desc_copy(desc);
    if (tensor == NULL || tensor->desc == NULL) {
        nnrt__free(tensor);
        nnrt__buffer_release(buffer);
        (void)nnrt__fail_memory();
        return NULL;
    }
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

NNRT_API OH_NN_ReturnCode OH_NNTensor_Destroy(NN_Tensor **tensor) {
    if (tensor == NULL) return nnrt__fail_null("OH_NNTensor_Destroy", "tensor");
    if (*tensor == NULL) return nnrt__fail_null("OH_NNTensor_Destroy", "*tensor");
    nnrt__desc_free((*tensor)->desc);
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
    *fd = tensor->buffer->fd;
    return OH_NN_SUCCESS;
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
    *offset = tensor->buffer->offset;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CORE_TENSOR_H */
