/* SPDX-License-Identifier: Apache-2.0 */
/* test_tensor.c - NN_Tensor: sizes, shared descriptors, offsets, refusals in the documented order, device memory. */
#include "counting_alloc.h"
#include "counting_calls.h"
#define NNRT_NO_CPU /* not needed here; a quarter of the time to compile */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "mock_device.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>

static const int32_t four[1] = {4}, dynamic[1] = {-1};

/* At most count descriptors from now on; what the limit was. */
static rlim_t limit_descriptors(rlim_t count) {
    struct rlimit limit;
    rlim_t before;
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    before = limit.rlim_cur;
    limit.rlim_cur = count;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return before;
}

static size_t open_descriptors(void) {
    size_t count = 0;
    int fd;
    for (fd = 0; fd < 256; fd++) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

Test(tensor, create_gives_zeroed_memory_of_the_size_of_the_descriptor) {
    NN_TensorDesc *desc = mock_desc(four, 1);
    NN_Tensor *tensor = OH_NNTensor_Create(mock_id(), desc);
    size_t size = 0, offset = 9, i;
    int fd = -1;
    cr_assert_not_null(tensor, "%s", nnrt_last_error());
    OK(OH_NNTensor_GetSize(tensor, &size));
    OK(OH_NNTensor_GetOffset(tensor, &offset));
    OK(OH_NNTensor_GetFd(tensor, &fd));
    cr_assert_eq(size, 16);
    cr_assert_eq(offset, 0);
    cr_assert_geq(fd, 0);
    for (i = 0; i < 4; i++) cr_assert_eq(mock_floats(tensor)[i], 0.0f);
    cr_assert_neq(OH_NNTensor_GetTensorDesc(tensor), desc);
    OK(OH_NNTensor_Destroy(&tensor));
    cr_assert_null(tensor);
    (void)OH_NNTensorDesc_Destroy(&desc);
    cr_assert_eq(counting_live(), 0);
}

Test(tensor, thousands_of_tensors_take_no_descriptor) {
    enum {
        COUNT = 5000
    };
    static NN_Tensor *tensors[COUNT];
    NN_TensorDesc *desc = mock_desc(four, 1);
    size_t id = mock_id(), before = open_descriptors(), i;
    rlim_t limit = limit_descriptors(64);
    for (i = 0; i < COUNT; i++) {
        tensors[i] = OH_NNTensor_Create(id, desc);
        cr_assert_not_null(tensors[i], "tensor %zu: %s", i, nnrt_last_error());
        mock_floats(tensors[i])[3] = (float)i;
    }
    cr_assert_eq(open_descriptors(), before);
    for (i = 0; i < COUNT; i++) {
        cr_assert_eq(mock_floats(tensors[i])[3], (float)i);
        OK(OH_NNTensor_Destroy(&tensors[i]));
    }
    (void)limit_descriptors(limit);
    (void)OH_NNTensorDesc_Destroy(&desc);
    cr_assert_eq(counting_live(), 0);
}

/* Sizes around pages: what lies behind the last byte stays zero. */
Test(tensor, a_descriptor_that_is_asked_for_shows_the_same_bytes_and_moves_nothing) {
    const int32_t sizes[] = {1, 4, 1023, 1024, 1025, 100000};
    size_t n, k;
    for (n = 0; n < sizeof(sizes) / sizeof(sizes[0]); n++) {
        NN_Tensor *tensor = mock_tensor(&sizes[n], 1);
        const size_t count = (size_t)sizes[n], before = open_descriptors();
        float *data = mock_floats(tensor), *seen;
        int fd = -1, again = -2;
        for (k = 0; k < count; k++) data[k] = (float)k + 0.25f;
        OK(OH_NNTensor_GetFd(tensor, &fd));
        OK(OH_NNTensor_GetFd(tensor, &again));
        cr_assert(fd >= 0 && again == fd, "%d and %d", fd, again);
        cr_assert_eq(open_descriptors(), before + 1);
        cr_assert_neq(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0, "it would go to other programs");
        cr_assert_eq(mock_floats(tensor), data);
        cr_assert_eq(nnrt__fd_length(fd), count * 4);
        seen = (float *)mmap(NULL, count * 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        cr_assert_neq((void *)seen, MAP_FAILED);
        for (k = 0; k < count; k++) cr_assert(data[k] == (float)k + 0.25f && seen[k] == data[k], "float %zu", k);
        data[count - 1] = 7;
        cr_assert_eq(seen[count - 1], 7);
        seen[0] = 9;
        cr_assert_eq(data[0], 9);
        cr_assert_eq(munmap(seen, count * 4), 0);
        OK(OH_NNTensor_Destroy(&tensor));
        cr_assert_eq(open_descriptors(), before);
    }
    cr_assert_eq(counting_live(), 0);
}

/* 100 bytes in pieces of 7, every other call interrupted. */
Test(tensor, a_descriptor_shows_every_byte_also_when_the_system_writes_few_at_once) {
    const int32_t dims[1] = {25};
    NN_Tensor *tensor = mock_tensor(dims, 1);
    float *data = mock_floats(tensor), seen[25];
    int fd = -1, i;
    for (i = 0; i < 25; i++) data[i] = (float)i + 0.25f;
    calls_write_at_most(7);
    OK(OH_NNTensor_GetFd(tensor, &fd));
    calls_write_at_most(0);
    cr_assert_eq(pread(fd, seen, sizeof(seen), 0), (ssize_t)sizeof(seen));
    for (i = 0; i < 25; i++) cr_assert(data[i] == (float)i + 0.25f && seen[i] == data[i], "float %d", i);
    OK(OH_NNTensor_Destroy(&tensor));
    cr_assert_eq(counting_live(), 0);
}

Test(tensor, a_descriptor_that_the_system_refuses_leaves_the_tensor_as_it_was) {
    NN_Tensor *tensor = mock_tensor(four, 1);
    float *data = mock_floats(tensor);
    rlim_t limit = limit_descriptors(0);
    long n;
    int fd = -7;
    size_t before;
    data[2] = 5;
    REFUSED(OH_NNTensor_GetFd(tensor, &fd), OH_NN_MEMORY_ERROR);
    cr_assert_not_null(strstr(nnrt_last_error(), "16 bytes"), "%s", nnrt_last_error());
    cr_assert_not_null(strstr(nnrt_last_error(), "errno 24"), "%s", nnrt_last_error()); /* EMFILE */
    (void)limit_descriptors(limit);
    before = open_descriptors();
    for (n = 0; n < 2; n++) {
        calls_refuse_mmap(n);
        REFUSED(OH_NNTensor_GetFd(tensor, &fd), OH_NN_MEMORY_ERROR);
        cr_assert_not_null(strstr(nnrt_last_error(), "errno 12"), "%s", nnrt_last_error()); /* ENOMEM */
        cr_assert(fd == -7 && open_descriptors() == before && mock_floats(tensor) == data && data[2] == 5);
    }
    OK(OH_NNTensor_GetFd(tensor, &fd));
    cr_assert(fd >= 0 && mock_floats(tensor) == data && data[2] == 5);
    OK(OH_NNTensor_Destroy(&tensor));
    cr_assert_eq(counting_live(), 0);
}

Test(tensor, memory_that_the_system_refuses_gives_no_tensor_and_says_why) {
    NN_TensorDesc *desc = mock_desc(four, 1);
    NN_Tensor *tensor = mock_tensor(four, 1);
    long live = counting_live();
    rlim_t limit;
    int fd = -1;
    calls_refuse_mmap(0);
    REFUSED_NULL(OH_NNTensor_Create(mock_id(), desc));
    cr_assert_not_null(strstr(nnrt_last_error(), "16 bytes (errno 12)"), "%s", nnrt_last_error());
    OK(OH_NNTensor_GetFd(tensor, &fd));
    limit = limit_descriptors(0);
    REFUSED_NULL(OH_NNTensor_CreateWithFd(mock_id(), desc, fd, 16, 0));
    cr_assert_not_null(strstr(nnrt_last_error(), "errno"), "%s", nnrt_last_error());
    (void)limit_descriptors(limit);
    calls_refuse_mmap(0);
    REFUSED_NULL(OH_NNTensor_CreateWithFd(mock_id(), desc, fd, 16, 0));
    cr_assert_not_null(strstr(nnrt_last_error(), "errno 12"), "%s", nnrt_last_error());
    cr_assert_eq(counting_live(), live);
    OK(OH_NNTensor_Destroy(&tensor));
    (void)OH_NNTensorDesc_Destroy(&desc);
}

static void *ask_for_descriptor(void *tensor) {
    int fd = -1;
    return OH_NNTensor_GetFd((const NN_Tensor *)tensor, &fd) == OH_NN_SUCCESS ? (void *)(intptr_t)fd : NULL;
}

Test(tensor, threads_that_ask_at_once_get_one_descriptor) {
    int round;
    for (round = 0; round < 50; round++) {
        NN_Tensor *tensor = mock_tensor(four, 1);
        const size_t before = open_descriptors();
        pthread_t threads[4];
        void *fds[4];
        int i;
        for (i = 0; i < 4; i++) cr_assert_eq(pthread_create(&threads[i], NULL, ask_for_descriptor, tensor), 0);
        for (i = 0; i < 4; i++) cr_assert_eq(pthread_join(threads[i], &fds[i]), 0);
        for (i = 0; i < 4; i++) cr_assert(fds[i] != NULL && fds[i] == fds[0]);
        cr_assert_eq(open_descriptors(), before + 1);
        OK(OH_NNTensor_Destroy(&tensor));
    }
}

Test(tensor, a_device_that_imports_and_makes_no_memory_gets_a_descriptor_of_every_tensor) {
    nnrt__buffer *copy; /* as SetInput makes it */
    NN_Tensor *tensor;
    size_t before;
    int fd = -1;
    mock_backend.import = mock_import;
    mock_backend.free_memory = mock_free_memory;
    (void)mock_id();
    before = open_descriptors();
    tensor = mock_tensor(four, 1);
    cr_assert_eq(open_descriptors(), before + 1);
    cr_assert_geq(nnrt__buffer_fd(tensor->buffer), 0);
    OK(OH_NNTensor_GetFd(tensor, &fd));
    cr_assert_eq(fd, nnrt__buffer_fd(tensor->buffer));
    copy = nnrt__buffer_create_private(tensor->buffer->device, 16);
    cr_assert_geq(nnrt__buffer_fd(copy), 0);
    nnrt__buffer_release(copy);
    OK(OH_NNTensor_Destroy(&tensor));
    cr_assert_eq(open_descriptors(), before);
    cr_assert_eq(counting_live(), 0);
}

Test(tensor, two_tensors_on_one_descriptor_share_their_bytes_at_any_offset) {
    const size_t offsets[] = {0, 4, 20, 4096, 4100, 8188};
    NN_TensorDesc *desc = mock_desc(four, 1);
    const int32_t big[1] = {3000};
    NN_TensorDesc *big_desc = mock_desc(big, 1);
    NN_Tensor *whole = OH_NNTensor_Create(mock_id(), big_desc);
    size_t before, i;
    int fd = -1;
    OK(OH_NNTensor_GetFd(whole, &fd));
    before = open_descriptors();
    for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        NN_Tensor *part = OH_NNTensor_CreateWithFd(mock_id(), desc, fd, 12000, offsets[i]);
        size_t size = 0, offset = 0;
        cr_assert_not_null(part, "offset %zu: %s", offsets[i], nnrt_last_error());
        mock_floats(whole)[offsets[i] / 4 + 3] = (float)i + 0.5f;
        cr_assert_eq(mock_floats(part)[3], (float)i + 0.5f);
        OK(OH_NNTensor_GetSize(part, &size));
        OK(OH_NNTensor_GetOffset(part, &offset));
        cr_assert_eq(size, 12000);
        cr_assert_eq(offset, offsets[i]);
        OK(OH_NNTensor_Destroy(&part));
    }
    cr_assert_eq(open_descriptors(), before);
    OK(OH_NNTensor_Destroy(&whole));
    cr_assert_lt(fcntl(fd, F_GETFD), 0, "the descriptor of a destroyed tensor is still open");
    (void)OH_NNTensorDesc_Destroy(&desc);
    (void)OH_NNTensorDesc_Destroy(&big_desc);
}

Test(tensor, a_descriptor_that_was_given_may_be_closed_at_once) {
    NN_TensorDesc *desc = mock_desc(four, 1);
    NN_Tensor *first = OH_NNTensor_Create(mock_id(), desc), *second;
    int fd = -1;
    OK(OH_NNTensor_GetFd(first, &fd));
    second = OH_NNTensor_CreateWithFd(mock_id(), desc, fd, 16, 0);
    OK(OH_NNTensor_Destroy(&first));
    mock_floats(second)[0] = 1.0f;
    OK(OH_NNTensor_GetFd(second, &fd));
    cr_assert_geq(fcntl(fd, F_GETFD), 0);
    OK(OH_NNTensor_Destroy(&second));
    (void)OH_NNTensorDesc_Destroy(&desc);
}

Test(tensor, what_is_wrong_gives_no_tensor_and_leaks_nothing) {
    NN_TensorDesc *desc = mock_desc(four, 1), *any = mock_desc(dynamic, 1), *empty = OH_NNTensorDesc_Create();
    const int32_t huge[2] = {1 << 20, 257};
    NN_TensorDesc *large = mock_desc(huge, 2);
    NN_Tensor *tensor = OH_NNTensor_Create(mock_id(), desc);
    size_t id = mock_id(), before;
    long live = counting_live();
    int fd = -1, read_only;
    char name[64];
    OK(OH_NNTensor_GetFd(tensor, &fd));
    before = open_descriptors();
    snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    REFUSED_NULL(OH_NNTensor_Create(id, NULL));
    REFUSED_NULL(OH_NNTensor_Create(4711, desc));
    REFUSED_NULL(OH_NNTensor_Create(id, empty));
    REFUSED_NULL(OH_NNTensor_Create(id, any));
    REFUSED_NULL(OH_NNTensor_Create(id, large));
    REFUSED_NULL(OH_NNTensor_CreateWithSize(id, NULL, 16));
    REFUSED_NULL(OH_NNTensor_CreateWithSize(4711, desc, 16));
    REFUSED_NULL(OH_NNTensor_CreateWithSize(id, desc, ((size_t)1 << 30) + 1));
    REFUSED_NULL(OH_NNTensor_CreateWithSize(id, empty, 16));
    REFUSED_NULL(OH_NNTensor_CreateWithSize(id, desc, 15));
    REFUSED_NULL(OH_NNTensor_CreateWithSize(id, any, 0));
    REFUSED_NULL(OH_NNTensor_CreateWithFd(id, NULL, fd, 16, 0));
    REFUSED_NULL(OH_NNTensor_CreateWithFd(id, desc, -1, 16, 0));
    REFUSED_NULL(OH_NNTensor_CreateWithFd(id, desc, fd, 0, 0));
    REFUSED_NULL(OH_NNTensor_CreateWithFd(id, any, fd, 16, 16));
    REFUSED_NULL(OH_NNTensor_CreateWithFd(id, empty, fd, 16, 0));
    REFUSED_NULL(OH_NNTensor_CreateWithFd(id, desc, fd, 16, 1));
    REFUSED_NULL(OH_NNTensor_CreateWithFd(4711, desc, fd, 16, 0));
    REFUSED_NULL(OH_NNTensor_CreateWithFd(id, desc, 250, 16, 0));  /* not open */
    REFUSED_NULL(OH_NNTensor_CreateWithFd(id, desc, fd, 8192, 0)); /* longer than the memory */
    read_only = open(name, O_RDONLY);
    if (read_only >= 0) {
        REFUSED_NULL(OH_NNTensor_CreateWithFd(id, desc, read_only, 16, 0));
        close(read_only);
    }
    cr_assert_eq(open_descriptors(), before);
    cr_assert_eq(counting_live(), live);
    REFUSED(OH_NNTensor_Destroy(NULL), IP);
    OK(OH_NNTensor_Destroy(&tensor));
    REFUSED(OH_NNTensor_Destroy(&tensor), IP);
    (void)OH_NNTensorDesc_Destroy(&desc);
    (void)OH_NNTensorDesc_Destroy(&any);
    (void)OH_NNTensorDesc_Destroy(&empty);
    (void)OH_NNTensorDesc_Destroy(&large);
}

Test(tensor, getters_refuse_null) {
    NN_Tensor *tensor = mock_tensor(four, 1);
    size_t size;
    int fd;
    REFUSED_NULL(OH_NNTensor_GetTensorDesc(NULL));
    REFUSED_NULL(OH_NNTensor_GetDataBuffer(NULL));
    REFUSED(OH_NNTensor_GetFd(NULL, &fd), IP);
    REFUSED(OH_NNTensor_GetFd(tensor, NULL), IP);
    REFUSED(OH_NNTensor_GetSize(NULL, &size), IP);
    REFUSED(OH_NNTensor_GetSize(tensor, NULL), IP);
    REFUSED(OH_NNTensor_GetOffset(NULL, &size), IP);
    REFUSED(OH_NNTensor_GetOffset(tensor, NULL), IP);
    OK(OH_NNTensor_Destroy(&tensor));
}

Test(tensor, a_dynamic_descriptor_takes_any_size) {
    NN_TensorDesc *any = mock_desc(dynamic, 1);
    NN_Tensor *tensor;
    (void)nnrt_backend_fail(OH_NN_FAILED, "before");
    tensor = OH_NNTensor_CreateWithSize(mock_id(), any, 1);
    cr_assert_not_null(tensor);
    cr_assert_str_eq(nnrt_last_error(), "before", "success changed the sentence: %s", nnrt_last_error());
    OK(OH_NNTensor_Destroy(&tensor));
    (void)OH_NNTensorDesc_Destroy(&any);
}

Test(tensor, memory_of_the_device_is_asked_for_and_given_back) {
    NN_TensorDesc *desc = mock_desc(four, 1);
    NN_Tensor *tensor, *imported;
    int fd = -1, file = nnrt__shared_memory_open(64);
    mock_own_memory();
    tensor = mock_tensor(four, 1);
    imported = OH_NNTensor_CreateWithFd(mock_id(), desc, file, 64, 3);
    cr_assert_not_null(imported, "%s", nnrt_last_error());
    cr_assert_eq(mock.live_memory, 2);
    OK(OH_NNTensor_GetFd(tensor, &fd));
    cr_assert_eq(fd, -1);
    mock.allocate_code = OH_NN_MEMORY_ERROR;
    REFUSED_NULL(OH_NNTensor_Create(mock_id(), desc));
    REFUSED_NULL(OH_NNTensor_CreateWithFd(mock_id(), desc, file, 64, 0));
    OK(OH_NNTensor_Destroy(&tensor));
    OK(OH_NNTensor_Destroy(&imported));
    cr_assert_eq(mock.live_memory, 0);
    close(file);
    (void)OH_NNTensorDesc_Destroy(&desc);
}

static uint8_t of_input[32];

static OH_NN_ReturnCode memory_of_input(void *executor, size_t index, nnrt_device_memory *memory) {
    cr_assert_not_null(executor);
    if (index != 0) return nnrt_backend_fail(OH_NN_UNSUPPORTED, "not that one");
    memory->data = of_input;
    return OH_NN_SUCCESS;
}

Test(tensor, memory_of_an_executor_for_its_input_is_not_given_back) {
    OH_NNCompilation *compilation = mock_compilation(four, 1);
    OH_NNExecutor *executor;
    NN_Tensor *tensor;
    long live, n;
    mock_own_memory();
    OK(OH_NNCompilation_Build(compilation));
    executor = OH_NNExecutor_Construct(compilation);
    OH_NNCompilation_Destroy(&compilation);
    REFUSED_NULL(nnrt_tensor_create_in_arena(executor, 0)); /* the device has none */
    mock_backend.input_memory = memory_of_input;
    live = counting_live();
    for (n = 0; n < 50; n++) {
        counting_fail_at(n);
        tensor = nnrt_tensor_create_in_arena(executor, 0);
        counting_fail_never();
        if (tensor != NULL) break;
        cr_assert_eq(counting_live(), live);
    }
    cr_assert_eq(n, 3); /* its descriptor, the buffer, the tensor */
    cr_assert_eq(OH_NNTensor_GetDataBuffer(tensor), (void *)of_input);
    OK(OH_NNTensor_Destroy(&tensor));
    cr_assert_eq(counting_live(), live);
    cr_assert_eq(mock.live_memory, 0);
    OH_NNExecutor_Destroy(&executor);
}

Test(tensor, without_memfd_an_unlinked_file_serves) {
    int fd = nnrt__unlinked_file(10000);
    char last = 1;
    struct stat status;
    cr_assert_geq(fd, 0);
    cr_assert_eq(fstat(fd, &status), 0);
    cr_assert_eq(status.st_size, 10000);
    cr_assert_eq(status.st_nlink, 0);
    cr_assert_eq(pread(fd, &last, 1, 9999), 1);
    cr_assert_eq(last, 0);
    close(fd);
}

Test(tensor, every_allocation_that_fails_leaves_nothing_behind) {
    NN_TensorDesc *desc = mock_desc(four, 1);
    long live = counting_live(), n;
    size_t id = mock_id(), before = open_descriptors();
    for (n = 0; n < 50; n++) {
        NN_Tensor *tensor;
        counting_fail_at(n);
        tensor = OH_NNTensor_Create(id, desc);
        if (!counting_failed()) {
            counting_fail_never();
            OK(OH_NNTensor_Destroy(&tensor));
            break;
        }
        counting_fail_never();
        cr_assert_null(tensor);
        cr_assert_eq(counting_live(), live);
        cr_assert_eq(open_descriptors(), before);
    }
    cr_assert(n >= 2 && n < 50);
    (void)OH_NNTensorDesc_Destroy(&desc);
}
