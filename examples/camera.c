/* SPDX-License-Identifier: Apache-2.0 */
/* camera.c - the camera loop: frames go into the NPU without a copy, classes come out before a deadline.

       cc -std=c99 -O2 -I build -DNNRT_BACKEND_RKNPU examples/camera.c -o camera -lm -lpthread -ldl
       ./camera [/dev/video0] mobilenet.rk3588.rknn mobilenet.rv1106.rknn mobilenet.tflite

   The first of the models that a device here can run is used, so one program and one command line serve every
   board and, on the CPU, a PC. Without a camera ten frames of a test pattern go through. While the NPU looks at
   one frame, the next one is filled. */
#define NNRT_IMAGE
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "camera_frames.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    DEADLINE_MS = 500,
    PATTERN_FRAMES = 10,
    MAX_OUTPUTS = 8
};

static void check(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "camera: %s: %s\n", what, nnrt_last_error());
    exit(1);
}

static bool set(OH_NNCompilation *model, const char *name, const char *value) {
    return OH_NNCompilation_AddExtensionConfig(model, name, value, strlen(value)) == OH_NN_SUCCESS;
}

/* An executor of the model on the device that its bytes are for; NULL, with the reason printed, when this machine
   cannot. On the NPU the input is pixels as the camera has them: the NPU subtracts the mean and quantizes. nhwc is the
   order in which that of an RV1103 or RV1106 writes maps, too: those of a YOLO come with next to no copy. */
static OH_NNExecutor *load(const char *path, size_t *device) {
    const char *ending = strrchr(path, '.');
    const bool npu = ending != NULL && strcmp(ending, ".rknn") == 0;
    OH_NNExecutor *executor = NULL;
    OH_NNCompilation *model = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    check(model != NULL, path);
    if ((!npu || (set(model, "rknn.input_type", "uint8") && set(model, "rknn.io_layout", "nhwc"))) &&
        set(model, "nnrt.profile", "1") && OH_NNCompilation_Build(model) == OH_NN_SUCCESS)
        executor = OH_NNExecutor_Construct(model);
    if (executor == NULL) printf("%s: %s\n", path, nnrt_last_error());
    else check(nnrt_executor_get_device(executor, device) == OH_NN_SUCCESS, "ask for the device");
    OH_NNCompilation_Destroy(&model);
    return executor;
}

/* -------------------------------------------------------------------------------------- waiting for a run */

typedef struct run_result {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done;
    OH_NN_ReturnCode code;
} run_result;

static void on_run_done(void *user, OH_NN_ReturnCode code, void *outputs[], int32_t count) {
    run_result *result = (run_result *)user;
    (void)outputs;
    (void)count;
    pthread_mutex_lock(&result->lock);
    result->code = code;
    result->done = true;
    pthread_cond_signal(&result->changed);
    pthread_mutex_unlock(&result->lock);
}

static OH_NN_ReturnCode wait_for(run_result *result) {
    pthread_mutex_lock(&result->lock);
    while (!result->done) pthread_cond_wait(&result->changed, &result->lock);
    result->done = false;
    pthread_mutex_unlock(&result->lock);
    return result->code;
}

/* ----------------------------------------------------------------------------------------------- the loop */

/* The number of the largest value; stored integers order as the real values do. */
static size_t top_class(NN_Tensor *tensor) {
    const void *data = OH_NNTensor_GetDataBuffer(tensor);
    OH_NN_DataType type = OH_NN_UNKNOWN;
    size_t count = 0, top = 0;
    check(OH_NNTensorDesc_GetDataType(OH_NNTensor_GetTensorDesc(tensor), &type) == OH_NN_SUCCESS &&
              OH_NNTensorDesc_GetElementCount(OH_NNTensor_GetTensorDesc(tensor), &count) == OH_NN_SUCCESS,
          "describe the scores");
    check(type == OH_NN_INT8 || type == OH_NN_UINT8 || type == OH_NN_FLOAT32, "scores of another type");
    for (size_t i = 1; i < count; i++)
        if (type == OH_NN_INT8    ? ((const int8_t *)data)[i] > ((const int8_t *)data)[top]
            : type == OH_NN_UINT8 ? ((const uint8_t *)data)[i] > ((const uint8_t *)data)[top]
                                  : ((const float *)data)[i] > ((const float *)data)[top])
            top = i;
    return top;
}

/* The CPU device reads int8 where the NPU takes pixels: parts of 255, as the input is quantized. */
static bool to_int8(const OH_NNExecutor *executor, const frames *f, int i, NN_Tensor *input) {
    const nnrt_pixel_format format = f->channels == 1 ? NNRT_PIXELS_GRAY8 : NNRT_PIXELS_RGB888;
    nnrt_image image;
    nnrt_image_options options;
    nnrt_layout layout;
    double scale = 0;
    int32_t zero_point = 0;
    bool done;
    memset(&options, 0, sizeof(options));
    memset(&layout, 0, sizeof(layout));
    options.deviation[0] = options.deviation[1] = options.deviation[2] = 255;
    layout.order = NNRT_ORDER_NHWC;
    layout.type = OH_NN_INT8;
    layout.batches = 1;
    layout.channels = f->channels;
    layout.height = f->height;
    layout.width = f->width;
    cpu_access(f, i, DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ);
    done = nnrt_executor_get_input_quant(executor, 0, &scale, &zero_point) == OH_NN_SUCCESS &&
           nnrt_image_of(format, f->width, f->height, f->pixels[i], f->size, 0, &image) == OH_NN_SUCCESS &&
           nnrt_image_to_tensor(&image, &options, &layout, scale, zero_point, OH_NNTensor_GetDataBuffer(input),
                                f->size) == OH_NN_SUCCESS;
    cpu_access(f, i, DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ);
    return done;
}

static unsigned long long copied_bytes(const OH_NNExecutor *executor) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    unsigned long long copied = 0;
    if (nnrt_executor_get_profile(executor, &steps, &count) != OH_NN_SUCCESS) return 0;
    for (uint32_t i = 0; i < count; i++) copied += steps[i].copied_bytes;
    return copied;
}

int main(int argc, char **argv) {
    run_result result = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, OH_NN_FAILED};
    const char *camera = NULL, *model = NULL, *name = NULL;
    OH_NNExecutor *executor = NULL;
    size_t device = 0, inputs = 0, outputs = 0, rank = 0;
    for (int i = 1; i < argc && executor == NULL; i++) {
        if (strncmp(argv[i], "/dev/", 5) == 0) camera = argv[i];
        else executor = load(model = argv[i], &device);
    }
    if (executor == NULL) {
        fprintf(stderr, "usage: camera [/dev/videoN] MODEL... (.rknn, .tflite; the first that runs here is used)\n");
        return 1;
    }
    check(OH_NNDevice_GetName(device, &name) == OH_NN_SUCCESS, "name the device");
    check(OH_NNExecutor_GetInputCount(executor, &inputs) == OH_NN_SUCCESS && inputs == 1, "count one input");
    check(OH_NNExecutor_GetOutputCount(executor, &outputs) == OH_NN_SUCCESS && outputs >= 1 && outputs <= MAX_OUTPUTS,
          "one output to eight are wanted");

    /* The two frames, and a tensor on each: the same memory, seen by the camera, the CPU and the NPU. */
    frames f;
    int32_t *shape = NULL;
    OH_NN_DataType type = OH_NN_UNKNOWN;
    NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    check(desc != NULL && OH_NNTensorDesc_GetShape(desc, &shape, &rank) == OH_NN_SUCCESS &&
              OH_NNTensorDesc_GetDataType(desc, &type) == OH_NN_SUCCESS,
          "describe the input");
    check(rank == 4 && shape[0] == 1 && (shape[3] == 1 || shape[3] == 3) && (type == OH_NN_UINT8 || type == OH_NN_INT8),
          "the input is no picture of bytes");
    if (!open_frames(&f, camera, (uint32_t)shape[1], (uint32_t)shape[2], (uint32_t)shape[3])) return 1;
    NN_Tensor *in[FRAMES], *out[MAX_OUTPUTS];
    for (int i = 0; i < FRAMES; i++) {
        in[i] = type == OH_NN_UINT8 ? OH_NNTensor_CreateWithFd(device, desc, f.fd[i], f.size, 0)
                                    : OH_NNTensor_Create(device, desc);
        check(in[i] != NULL, "make an input");
    }
    OH_NNTensorDesc_Destroy(&desc);
    for (size_t i = 0; i < outputs; i++) {
        desc = OH_NNExecutor_CreateOutputTensorDesc(executor, i);
        out[i] = desc == NULL ? NULL : OH_NNTensor_Create(device, desc);
        check(out[i] != NULL, "make an output");
        OH_NNTensorDesc_Destroy(&desc);
    }
    printf("%s on %s, frames: %s\n", model, name, f.source);

    check(OH_NNExecutor_SetOnRunDone(executor, on_run_done) == OH_NN_SUCCESS, "set the callback");
    check(next_frame(&f, 0), "get a frame");
    for (unsigned n = 0; camera != NULL || n < PATTERN_FRAMES; n++) {
        const int now = (int)(n % FRAMES);
        check(type != OH_NN_INT8 || to_int8(executor, &f, now, in[now]), "quantize a frame");
        check(OH_NNExecutor_RunAsync(executor, &in[now], 1, out, outputs, DEADLINE_MS, &result) == OH_NN_SUCCESS,
              "queue a run");
        check(next_frame(&f, (now + 1) % FRAMES), "get a frame"); /* meanwhile */
        const OH_NN_ReturnCode code = wait_for(&result);
        if (code == OH_NN_SUCCESS) printf("frame %u: class %zu\n", n, top_class(out[0]));
        else printf("frame %u: %s\n", n, nnrt_strerror(code)); /* OH_NN_TIMEOUT: the next one may work */
        if (code != OH_NN_SUCCESS && code != OH_NN_TIMEOUT) return 1;
    }
    printf("%llu bytes copied per frame between tensors and NPU\n", copied_bytes(executor));

    for (int i = 0; i < FRAMES; i++) OH_NNTensor_Destroy(&in[i]);
    for (size_t i = 0; i < outputs; i++) OH_NNTensor_Destroy(&out[i]);
    OH_NNExecutor_Destroy(&executor);
    close_frames(&f);
    return 0;
}
