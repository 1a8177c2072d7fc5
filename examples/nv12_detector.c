/* SPDX-License-Identifier: Apache-2.0 */
/* nv12_detector.c - a camera's picture to detections on Horizon's BPU: NV12 in, boxes out, before a deadline.

       aarch64-linux-gnu-gcc -std=c99 -O2 -I build examples/nv12_detector.c -o nv12_detector -lm -lpthread -ldl
       ./nv12_detector MODEL.bin PICTURE.nv12

   PICTURE is raw: rows of luma, then half as many rows of U and V in turns. The model has no anchors: one output of
   [1,H,W,4] with the distances from each cell's middle to the four sides, one of [1,H,W,classes] with scores, as the
   toy model of the simulated boards has them (build/sim/models/detector.CHIP.bin). */
#define NNRT_BACKEND_BPU 1
#define NNRT_DETECTION 1
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SIDES = 4,
    MAX_CELLS = 20000,
    MAX_DETECTIONS = 10
};

static void check(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "nv12_detector: %s: %s\n", what, nnrt_last_error());
    exit(1);
}

/* One of the planes, or one of the outputs. Memory of the BPU: what the model takes as it is, is not copied. */
typedef struct plane {
    NN_Tensor *tensor;
    int32_t dims[4];
    size_t size;
} plane;

static plane open_plane(OH_NNExecutor *executor, size_t device, bool input, size_t index) {
    plane made;
    int32_t *shape = NULL;
    size_t rank = 0;
    NN_TensorDesc *desc = input ? OH_NNExecutor_CreateInputTensorDesc(executor, index)
                                : OH_NNExecutor_CreateOutputTensorDesc(executor, index);
    check(desc != NULL && OH_NNTensorDesc_GetShape(desc, &shape, &rank) == OH_NN_SUCCESS && rank == 4,
          "four dimensions are wanted");
    memcpy(made.dims, shape, sizeof(made.dims));
    made.tensor = OH_NNTensor_Create(device, desc);
    check(made.tensor != NULL && OH_NNTensor_GetSize(made.tensor, &made.size) == OH_NN_SUCCESS, "make a tensor");
    OH_NNTensorDesc_Destroy(&desc);
    return made;
}

/* Cells of a good score as boxes in pixels of a width x height picture; how many. */
static size_t find_boxes(const plane *sides, const plane *scores, int32_t width, int32_t height,
                         nnrt_detection *boxes) {
    const float *distance = (const float *)OH_NNTensor_GetDataBuffer(sides->tensor);
    const float *score = (const float *)OH_NNTensor_GetDataBuffer(scores->tensor);
    const int32_t rows = scores->dims[1], columns = scores->dims[2], classes = scores->dims[3];
    size_t count = 0;
    for (int32_t y = 0; y < rows; y++) {
        for (int32_t x = 0; x < columns; x++, distance += SIDES, score += classes) {
            const float middle_x = ((float)x + 0.5f) * (float)width / (float)columns;
            const float middle_y = ((float)y + 0.5f) * (float)height / (float)rows;
            nnrt_detection *box = &boxes[count];
            int32_t best = 0;
            for (int32_t c = 1; c < classes; c++)
                if (score[c] > score[best]) best = c;
            if (!(score[best] > 0.0f) || count == MAX_CELLS) continue;
            box->class_id = (uint32_t)best;
            box->score = score[best];
            box->x0 = middle_x - distance[0];
            box->y0 = middle_y - distance[1];
            box->x1 = middle_x + distance[2];
            box->y1 = middle_y + distance[3];
            count++;
        }
    }
    return count;
}

int main(int argc, char **argv) {
    static nnrt_detection boxes[MAX_CELLS];
    static const char *const configs[][2] = {{"bpu.nv12", "planes"}, {"bpu.io_float", "1"}, {"bpu.timeout_ms", "500"}};
    nnrt_nms_options options = {0.0f, 0.5f, 100, false, false};
    uint32_t kept[MAX_DETECTIONS];
    plane in[2], out[2];
    size_t device = 0, inputs = 0, outputs = 0, kept_count = 0, bytes = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: nv12_detector MODEL PICTURE\n");
        return 1;
    }

    OH_NNCompilation *model = OH_NNCompilation_ConstructWithOfflineModelFile(argv[1]);
    check(model != NULL, argv[1]);
    for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++)
        check(OH_NNCompilation_AddExtensionConfig(model, configs[i][0], configs[i][1], strlen(configs[i][1])) ==
                  OH_NN_SUCCESS,
              configs[i][0]);
    check(OH_NNCompilation_Build(model) == OH_NN_SUCCESS, "build"); /* finds the BPU by the file */
    OH_NNExecutor *executor = OH_NNExecutor_Construct(model);
    check(executor != NULL, "make an executor");
    OH_NNCompilation_Destroy(&model);
    check(nnrt_executor_get_device(executor, &device) == OH_NN_SUCCESS &&
              OH_NNExecutor_GetInputCount(executor, &inputs) == OH_NN_SUCCESS &&
              OH_NNExecutor_GetOutputCount(executor, &outputs) == OH_NN_SUCCESS && inputs == 2 && outputs == 2,
          "luma and chroma in, boxes and scores out are wanted");

    /* From a file here. A camera's own memory takes no copy: nnrt_tensor_create_physical(). */
    FILE *picture = fopen(argv[2], "rb");
    for (size_t i = 0; i < 2; i++) {
        in[i] = open_plane(executor, device, true, i);
        if (picture == NULL || fread(OH_NNTensor_GetDataBuffer(in[i].tensor), 1, in[i].size, picture) != in[i].size) {
            fprintf(stderr, "nv12_detector: %s: %d x %d pixels are wanted\n", argv[2], (int)in[0].dims[2],
                    (int)in[0].dims[1]);
            return 1;
        }
        out[i] = open_plane(executor, device, false, i);
    }
    fclose(picture);

    /* Tools write outputs in any order: what is what shows in the shape. */
    const plane *sides = &out[out[0].dims[3] == SIDES ? 0 : 1], *scores = &out[out[0].dims[3] == SIDES ? 1 : 0];
    NN_Tensor *input_tensors[2] = {in[0].tensor, in[1].tensor}, *output_tensors[2] = {out[0].tensor, out[1].tensor};
    check(OH_NNExecutor_RunSync(executor, input_tensors, 2, output_tensors, 2) == OH_NN_SUCCESS, "run");
    const size_t count = find_boxes(sides, scores, in[0].dims[2], in[0].dims[1], boxes);
    check(nnrt_detection_nms_scratch(&options, count, &bytes) == OH_NN_SUCCESS, "ask for the scratch memory");
    void *scratch = malloc(bytes + 1);
    check(scratch != NULL && nnrt_detection_nms(&options, boxes, count, scratch, bytes, kept, MAX_DETECTIONS,
                                                &kept_count) == OH_NN_SUCCESS,
          "suppress");
    for (size_t i = 0; i < kept_count; i++) {
        const nnrt_detection *box = &boxes[kept[i]];
        printf("class %u, score %.3f: %.1f, %.1f to %.1f, %.1f\n", (unsigned)box->class_id, (double)box->score,
               (double)box->x0, (double)box->y0, (double)box->x1, (double)box->y1);
    }
    printf("%zu of %zu boxes\n", kept_count, count);

    free(scratch);
    for (size_t i = 0; i < 2; i++) {
        OH_NNTensor_Destroy(&in[i].tensor);
        OH_NNTensor_Destroy(&out[i].tensor);
    }
    OH_NNExecutor_Destroy(&executor);
    return 0;
}
