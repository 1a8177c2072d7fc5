/* SPDX-License-Identifier: Apache-2.0 */
/* detector.c - Faster R-CNN on HiSilicon's NNIE: two segments of a .wk, and what the engine lacks on the CPU.

       arm-himix200-linux-gcc -std=c99 -O2 -mcpu=cortex-a7 -mfloat-abi=softfp -mfpu=neon-vfpv4 \
           -I build examples/detector.c -o detector -lm -lpthread -ldl
       ./detector MODEL.wk PICTURE

   PICTURE is raw: width * height pixels of blue, green and red. The options below are those of the toy model of the
   simulated boards (48 x 32 pixels, build/sim/models/rcnn.CHIP.wk); VGG16's are beside them. */
#define NNRT_BACKEND_NNIE 1
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    WIDTH = 48,  /* of the network's input; 1000 or so */
    HEIGHT = 32, /* 600 */
    COLUMNS = 6, /* of its last map: WIDTH / 8; VGG16: WIDTH / 16 */
    ROWS = 4,
    ANCHORS = 3, /* 9 */
    CLASSES = 3, /* with the background; 21 */
    BOXES = 16,  /* at most, into the second segment; 300 */
    DETECTIONS = 10
};

static const float anchors[4 * ANCHORS] = {-4, -4, 11, 11, -8, -4, 15, 11, -4, -8, 11, 15};

static void check(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "detector: %s: %s\n", what, nnrt_last_error());
    exit(1);
}

/* The two layers that the mapper left out: from the maps of the first segment to boxes, and from the answers of the
   second one, a row for each box, to detections. */
static void add_layers(OH_NNCompilation *compilation) {
    static nnrt_proposal_options proposals;
    static nnrt_rcnn_options found;
    static const char *const maps[] = {"rpn_cls_score", "rpn_bbox_pred"};
    static const char *const answers[] = {NNRT_NNIE_BOXES, "cls_prob", "bbox_pred"};
    static const nnrt_nnie_layer_output boxes = {NNRT_NNIE_BOXES, BOXES, 1, 1, 4, 1};
    static const nnrt_nnie_layer_output detections = {"detections", DETECTIONS, 1, 1, 6, 1};
    static const nnrt_nnie_view map_shapes[] = {{NULL, NULL, 1, 2 * ANCHORS, ROWS, COLUMNS},
                                                {NULL, NULL, 1, 4 * ANCHORS, ROWS, COLUMNS}};
    static const nnrt_nnie_view answer_shapes[] = {
        {NULL, NULL, BOXES, 1, 1, 4}, {NULL, NULL, BOXES, 1, 1, CLASSES}, {NULL, NULL, BOXES, 1, 1, 4 * CLASSES}};
    nnrt_nnie_layer layers[2] = {
        {sizeof(nnrt_nnie_layer), "proposals", 0, maps, 2, &boxes, 1, nnrt_nnie_layer_proposals, &proposals, 0},
        {sizeof(nnrt_nnie_layer), "detections", 1, answers, 3, &detections, 1, nnrt_nnie_layer_rcnn, &found, 0}};
    proposals.anchors = anchors; /* nnrt_detection_anchors() makes VGG16's */
    proposals.anchor_count = ANCHORS;
    proposals.stride = 8; /* 16 */
    proposals.image_width = found.image_width = WIDTH;
    proposals.image_height = found.image_height = HEIGHT;
    proposals.min_size = 4;        /* 16 */
    proposals.pre_nms_count = 100; /* 6000 */
    proposals.post_nms_count = BOXES;
    proposals.nms_threshold = 0.7f;
    proposals.softmax = true; /* the scores did not go through one on the engine */
    found.class_count = CLASSES;
    found.score_threshold = 0.05f; /* 0.8 for what a person looks at */
    found.nms_threshold = 0.3f;
    found.max_detections = DETECTIONS;
    check(nnrt_nnie_layer_scratch(&layers[0], map_shapes, &layers[0].scratch_size) == OH_NN_SUCCESS &&
              nnrt_nnie_layer_scratch(&layers[1], answer_shapes, &layers[1].scratch_size) == OH_NN_SUCCESS &&
              OH_NNCompilation_AddExtensionConfig(compilation, "nnie.layers", layers, sizeof(layers)) == OH_NN_SUCCESS,
          "add the layers");
}

int main(int argc, char **argv) {
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    NN_Tensor *input, *output;
    NN_TensorDesc *in, *out;
    size_t device = 0;
    uint32_t rank = 0;
    int32_t *shape = NULL;
    FILE *picture;
    if (argc != 3) {
        fprintf(stderr, "usage: detector MODEL.wk PICTURE\n");
        return 1;
    }
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile(argv[1]);
    check(compilation != NULL, argv[1]);
    add_layers(compilation);
    check(OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS, argv[1]);
    executor = OH_NNExecutor_Construct(compilation);
    check(executor != NULL && nnrt_executor_get_device(executor, &device) == OH_NN_SUCCESS, "make an executor");
    OH_NNCompilation_Destroy(&compilation);

    in = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    out = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
    input = OH_NNTensor_Create(device, in);
    output = OH_NNTensor_CreateWithSize(device, out, DETECTIONS * 6 * sizeof(float)); /* as many as there may be */
    check(input != NULL && output != NULL, "make the tensors");
    OH_NNTensorDesc_Destroy(&in);
    OH_NNTensorDesc_Destroy(&out);

    picture = fopen(argv[2], "rb");
    if (picture == NULL || fread(OH_NNTensor_GetDataBuffer(input), 3, WIDTH * HEIGHT, picture) != WIDTH * HEIGHT) {
        fprintf(stderr, "detector: %s has not %d x %d pixels of 3 bytes\n", argv[2], WIDTH, HEIGHT);
        return 1;
    }
    fclose(picture);
    check(OH_NNExecutor_RunSync(executor, &input, 1, &output, 1) == OH_NN_SUCCESS, "run");
    check(OH_NNExecutor_GetOutputShape(executor, 0, &shape, &rank) == OH_NN_SUCCESS, "ask how many there are");
    for (int i = 0; i < shape[0]; i++) {
        const float *row = (const float *)OH_NNTensor_GetDataBuffer(output) + 6 * i;
        printf("class %d, %.0f %%, from (%.1f, %.1f) to (%.1f, %.1f)\n", (int)row[0], (double)row[1] * 100,
               (double)row[2], (double)row[3], (double)row[4], (double)row[5]);
    }
    OH_NNTensor_Destroy(&input);
    OH_NNTensor_Destroy(&output);
    OH_NNExecutor_Destroy(&executor);
    return 0;
}
