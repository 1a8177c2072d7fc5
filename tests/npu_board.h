/* SPDX-License-Identifier: Apache-2.0 */
/* npu_board.h - for tests on simulated boards of any vendor: one board per process, models, executors, tensors.

   The chip of a board is fixed when its library is loaded, so a test of several chips forks: board_in_child() runs a
   function in a child process with a board, and returns its result. In the child a failure is a sentence on stderr and
   _exit(1); at its end the library must hold no live object and have seen no mistake. A vendor's header includes this
   one and says how its boards are loaded (rknpu/rknpu_board.h); include it after nnrt.h and criterion.h. */
#ifndef NNRT_TESTS_NPU_BOARD_H
#define NNRT_TESTS_NPU_BOARD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "board_load.h"

#define BOARD_SECONDS 60 /* of one child: under an emulator, beside other programs */
#define BOARD_MAX_IO 9

#define MUST(condition, ...)                                                               \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s, %s:%d: %s: ", context(), __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                                  \
            fprintf(stderr, "\n");                                                         \
            _exit(1);                                                                      \
        }                                                                                  \
    } while (0)
#define MUST_BE(code, call)                                                               \
    do {                                                                                  \
        const OH_NN_ReturnCode must_code = (call);                                        \
        MUST(must_code == (code), "%s: %s", nnrt_strerror(must_code), nnrt_last_error()); \
    } while (0)
#define MUST_WORK(call) MUST_BE(OH_NN_SUCCESS, call)

/* The device whose name has this prefix; 0: none. */
static size_t board_device(const char *beginning) {
    const size_t *ids = NULL;
    uint32_t count = 0, i;
    MUST_WORK(OH_NNDevice_GetAllDevicesID(&ids, &count));
    for (i = 0; i < count; i++) {
        const char *name = NULL;
        MUST_WORK(OH_NNDevice_GetName(ids[i], &name));
        if (strncmp(name, beginning, strlen(beginning)) == 0) return ids[i];
    }
    return 0;
}

/* After the board was loaded: its devices, the NPU's by the beginning of its name. */
__attribute__((unused)) static void board_find_devices(board *b, const char *npu) {
    b->npu = board_device(npu);
    b->cpu = board_device("cpu_nnrt_");
    MUST(b->npu != 0, "the library of an %s drives no device: %s", b->chip, nnrt_last_error());
}

/* AddressSanitizer's. A child leaves by _exit, before the usual leak check. */
__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);

/* After everything was destroyed: checks that the library holds nothing, saw no mistake, and that nothing leaked. */
__attribute__((unused)) static void board_is_clean(const board *b) {
    const char *complaint = board_complaint(b);
    MUST(complaint == NULL, "%s", complaint);
    MUST(__lsan_do_recoverable_leak_check == NULL || __lsan_do_recoverable_leak_check() == 0, "on %s", b->chip);
}

enum {
    BOARD_WORKS = 0,
    BOARD_ABSENT = 77
};

/* Loads a board and finds its devices, before the first call of nnrt. version "": the newest. false: that one is not
   built. */
typedef bool (*board_plug_call)(board *b, const char *chip, const char *version);
/* What is tried on it. */
typedef void (*board_life)(board *b, const void *user);

/* life in a child with that board; what the child answered. */
static int board_in_child(board_plug_call plug, const char *chip, const char *version, board_life life,
                          const void *user) {
    int status = 0;
    pid_t child;
    (void)fflush(NULL);
    child = fork();
    if (child == 0) {
        board b;
        (void)alarm(BOARD_SECONDS);
        if (!plug(&b, chip, version)) _exit(BOARD_ABSENT);
        life(&b, user);
        board_is_clean(&b);
        _exit(BOARD_WORKS);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* The same on each chip of the list. */
__attribute__((unused)) static void board_on_each(board_plug_call plug, const char *const *chips, board_life life,
                                                  const void *user) {
    unsigned tried = 0;
    for (; *chips != NULL; chips++) {
        int answer = board_in_child(plug, *chips, "", life, user);
        if (answer == BOARD_ABSENT) board_absent(tried, *chips, "");
        else cr_assert(answer == BOARD_WORKS, "%s: the child ended with %d", *chips, answer);
        tried += answer != BOARD_ABSENT;
    }
}

/* -------------------------------------------------------------------------------- a model and its tensors */

typedef struct rig {
    const board *b;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    size_t input_count, output_count;
    NN_Tensor *inputs[BOARD_MAX_IO], *outputs[BOARD_MAX_IO];
} rig;

static void rig_configure(OH_NNCompilation *compilation, const char *const *configs) {
    for (; configs != NULL && *configs != NULL; configs += 2)
        MUST_WORK(OH_NNCompilation_AddExtensionConfig(compilation, configs[0], configs[1], strlen(configs[1])));
}

static void rig_compile(rig *r, const board *b, size_t device, const char *path, const char *const *configs) {
    memset(r, 0, sizeof(*r));
    r->b = b;
    r->compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    MUST(r->compilation != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNCompilation_SetDevice(r->compilation, device));
    rig_configure(r->compilation, configs);
    MUST_WORK(OH_NNCompilation_Build(r->compilation));
}

static void rig_execute(rig *r) {
    r->executor = OH_NNExecutor_Construct(r->compilation);
    MUST(r->executor != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNExecutor_GetInputCount(r->executor, &r->input_count));
    MUST_WORK(OH_NNExecutor_GetOutputCount(r->executor, &r->output_count));
    MUST(r->input_count <= BOARD_MAX_IO && r->output_count <= BOARD_MAX_IO, "a model of the tests");
}

/* models/MODEL.CHIP.SUFFIX of the board on its NPU. configs: name, value, ... NULL. Without tensors. */
__attribute__((unused)) static void rig_open_model(rig *r, const board *b, const char *model, const char *suffix,
                                                   const char *const *configs) {
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/models/%s.%s.%s", b->folder, model, b->chip, suffix);
    rig_compile(r, b, b->npu, path, configs);
    rig_execute(r);
}

static NN_TensorDesc *rig_desc(const rig *r, bool output, size_t i) {
    NN_TensorDesc *desc = output ? OH_NNExecutor_CreateOutputTensorDesc(r->executor, i)
                                 : OH_NNExecutor_CreateInputTensorDesc(r->executor, i);
    MUST(desc != NULL, "%s", nnrt_last_error());
    return desc;
}

/* A tensor of device with the model's descriptor. */
__attribute__((unused)) static NN_Tensor *rig_tensor(const rig *r, size_t device, bool output, size_t i) {
    NN_TensorDesc *desc = rig_desc(r, output, i);
    NN_Tensor *tensor = OH_NNTensor_Create(device, desc);
    MUST(tensor != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

/* The same in size bytes of fd from offset. */
__attribute__((unused)) static NN_Tensor *rig_tensor_fd(const rig *r, bool output, size_t i, int fd, size_t size,
                                                        size_t offset) {
    NN_TensorDesc *desc = rig_desc(r, output, i);
    NN_Tensor *tensor = OH_NNTensor_CreateWithFd(r->b->npu, desc, fd, size, offset);
    MUST(tensor != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

__attribute__((unused)) static void rig_tensors(rig *r, size_t device) {
    size_t i;
    for (i = 0; i < r->input_count; i++) r->inputs[i] = rig_tensor(r, device, false, i);
    for (i = 0; i < r->output_count; i++) r->outputs[i] = rig_tensor(r, device, true, i);
}

/* The bytes of the tensor, and how many: what lies before its offset is not counted. */
__attribute__((unused)) static uint8_t *bytes_of(NN_Tensor *tensor, size_t *size) {
    size_t offset = 0;
    MUST_WORK(OH_NNTensor_GetOffset(tensor, &offset));
    MUST_WORK(OH_NNTensor_GetSize(tensor, size));
    *size -= offset;
    return (uint8_t *)OH_NNTensor_GetDataBuffer(tensor);
}

/* The same bytes for the same seed, whatever the tensor's size; outputs get what no result should be. */
__attribute__((unused)) static uint8_t rig_byte(uint32_t seed, size_t k) {
    uint32_t x = (uint32_t)k * 2654435761u + seed * 40503u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    return (uint8_t)(x >> 24);
}

__attribute__((unused)) static void rig_fill(rig *r, uint32_t seed) {
    size_t i, k, size;
    for (i = 0; i < r->input_count; i++) {
        uint8_t *data = bytes_of(r->inputs[i], &size);
        for (k = 0; k < size; k++) data[k] = rig_byte(seed + (uint32_t)i, k);
    }
    for (i = 0; i < r->output_count; i++) {
        uint8_t *data = bytes_of(r->outputs[i], &size);
        memset(data, 0xd7, size);
    }
}

__attribute__((unused)) static OH_NN_ReturnCode rig_run(rig *r) {
    return OH_NNExecutor_RunSync(r->executor, r->inputs, r->input_count, r->outputs, r->output_count);
}

__attribute__((unused)) static uint64_t rig_number(const rig *r, const char *fact) {
    char text[64];
    MUST_WORK(nnrt_executor_get_info(r->executor, fact, text, sizeof(text)));
    return (uint64_t)strtoull(text, NULL, 10);
}

/* Checks that the executor's profile keeps its address and contents until the next run, however often it is asked for.
   */
__attribute__((unused)) static void rig_profile_stays(const rig *r) {
    const nnrt_profile_step *first = NULL, *again = NULL;
    nnrt_profile_step told[64];
    char names[64][64];
    uint32_t count = 0, again_count = 0, i, turn;
    MUST_WORK(nnrt_executor_get_profile(r->executor, &first, &count));
    MUST(count != 0 && count <= 64, "%u steps", (unsigned)count);
    for (i = 0; i < count; i++) {
        told[i] = first[i];
        (void)snprintf(names[i], sizeof(names[i]), "%s", first[i].name);
    }
    for (turn = 0; turn < 3; turn++) {
        MUST_WORK(nnrt_executor_get_profile(r->executor, &again, &again_count));
        MUST(again == first && again_count == count, "another list of %u steps", (unsigned)again_count);
        for (i = 0; i < count; i++)
            MUST(memcmp(&first[i], &told[i], sizeof(told[i])) == 0 &&
                     strncmp(first[i].name, names[i], sizeof(names[i]) - 1) == 0,
                 "step %u is not what was told", (unsigned)i);
    }
}

static void rig_end(rig *r) {
    size_t i;
    for (i = 0; i < r->input_count; i++)
        if (r->inputs[i] != NULL) MUST_WORK(OH_NNTensor_Destroy(&r->inputs[i]));
    for (i = 0; i < r->output_count; i++)
        if (r->outputs[i] != NULL) MUST_WORK(OH_NNTensor_Destroy(&r->outputs[i]));
    if (r->executor != NULL) OH_NNExecutor_Destroy(&r->executor);
    if (r->compilation != NULL) OH_NNCompilation_Destroy(&r->compilation);
}

/* Before the first run and between runs, with times and without. */
__attribute__((unused)) static void rig_life_profile(const board *b, const char *model, const char *suffix) {
    static const char *const timed[] = {"nnrt.profile", "1", NULL};
    int turn;
    for (turn = 0; turn < 4; turn++) {
        rig r;
        rig_open_model(&r, b, model, suffix, turn % 2 != 0 ? timed : NULL);
        rig_tensors(&r, turn / 2 != 0 ? b->npu : b->cpu);
        rig_profile_stays(&r);
        rig_fill(&r, 7);
        MUST_WORK(rig_run(&r));
        rig_profile_stays(&r);
        MUST_WORK(rig_run(&r));
        rig_profile_stays(&r);
        rig_end(&r);
    }
}

/* As rig_compile, from a copy of the file in memory that ends where a page does; to be taken away by rig_take_away. */
typedef struct rig_bytes {
    void *pages;
    size_t size;
} rig_bytes;

__attribute__((unused)) static rig_bytes rig_compile_bytes(rig *r, const board *b, const char *model,
                                                           const char *suffix, const char *const *configs) {
    char path[400];
    FILE *file;
    rig_bytes it;
    long length;
    uint8_t *bytes;
    (void)snprintf(path, sizeof(path), "%s/models/%s.%s.%s", b->folder, model, b->chip, suffix);
    file = fopen(path, "rb");
    MUST(file != NULL && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0, "%s", path);
    rewind(file);
    it.size = ((size_t)length + 4095) / 4096 * 4096;
    it.pages = mmap(NULL, it.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(it.pages != MAP_FAILED, "no memory");
    bytes = (uint8_t *)it.pages + (it.size - (size_t)length) / 8 * 8;
    MUST(fread(bytes, 1, (size_t)length, file) == (size_t)length && fclose(file) == 0, "%s", path);
    memset(r, 0, sizeof(*r));
    r->b = b;
    r->compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, (size_t)length);
    MUST(r->compilation != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNCompilation_SetDevice(r->compilation, b->npu));
    rig_configure(r->compilation, configs);
    MUST_WORK(OH_NNCompilation_Build(r->compilation));
    return it;
}

/* From here on any access to the bytes ends the program. */
__attribute__((unused)) static void rig_take_away(const rig_bytes *it) {
    MUST(mprotect(it->pages, it->size, PROT_NONE) == 0, "mprotect");
}

/* Of a model in memory two executors, which run when compilation and memory are gone as they do from its file. */
__attribute__((unused)) static void rig_life_gone(const board *b, const char *model, const char *suffix,
                                                  const char *const *configs) {
    rig from_file, rigs[2];
    rig_bytes memory;
    size_t i, k, turn, size = 0, other = 0;
    rig_open_model(&from_file, b, model, suffix, configs);
    rig_tensors(&from_file, b->npu);
    memory = rig_compile_bytes(&rigs[0], b, model, suffix, configs);
    rigs[1] = rigs[0];
    for (k = 0; k < 2; k++) {
        rig_execute(&rigs[k]);
        rig_tensors(&rigs[k], b->npu);
    }
    OH_NNCompilation_Destroy(&rigs[0].compilation);
    rigs[1].compilation = NULL;
    rig_take_away(&memory);
    for (turn = 0; turn < 2; turn++) {
        rig_fill(&from_file, (uint32_t)(11 + turn));
        MUST_WORK(rig_run(&from_file));
        for (k = 0; k < 2; k++) {
            rig_fill(&rigs[k], (uint32_t)(11 + turn));
            MUST_WORK(rig_run(&rigs[k]));
            for (i = 0; i < rigs[k].output_count; i++) {
                const uint8_t *is = bytes_of(rigs[k].outputs[i], &size);
                const uint8_t *should = bytes_of(from_file.outputs[i], &other);
                MUST(size == other && memcmp(is, should, size) == 0, "executor %zu, output %zu", k, i);
            }
        }
    }
    for (k = 0; k < 2; k++) {
        rig_profile_stays(&rigs[k]);
        rig_end(&rigs[k]);
    }
    rig_end(&from_file);
    MUST(munmap(memory.pages, memory.size) == 0, "munmap");
}

/* The output bytes of the same inputs from the .tflite on the CPU device: input and output of a model with one each. */
__attribute__((unused)) static void cpu_answer(const board *b, const char *tflite, const uint8_t *input,
                                               uint8_t *output, size_t size) {
    rig r;
    size_t input_size = 0, output_size = 0;
    uint8_t *data;
    rig_compile(&r, b, b->cpu, tflite, NULL);
    rig_execute(&r);
    rig_tensors(&r, b->cpu);
    data = bytes_of(r.inputs[0], &input_size);
    memcpy(data, input, input_size);
    MUST_WORK(rig_run(&r));
    data = bytes_of(r.outputs[0], &output_size);
    MUST(output_size == size, "the CPU gives %zu bytes, not %zu", output_size, size);
    memcpy(output, data, size);
    rig_end(&r);
}

#endif /* NNRT_TESTS_NPU_BOARD_H */
