/* SPDX-License-Identifier: Apache-2.0 */
/* groups.c - a cascade: a connector cuts windows out of a picture, a model reads each, a connector joins what it read.

       cc -std=c99 -O2 -I build examples/groups.c -o groups -lm -lpthread
       ./groups examples/meter/meter.tflite examples/meter/pictures/reading_009000.pgm ...
       ./groups meter.rk3588.rknn meter.tflite reading_009000.pgm ...      with -DNNRT_BACKEND_RKNPU -ldl

   Several models are the same one for several devices: the windows of a picture go to whichever is free. Four pictures
   are on their way at once, and the last lines say what that brought. */
#define NNRT_GROUPS
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 20, /* of a window */
    HEIGHT = 32,
    WINDOWS = 6, /* of a picture, side by side */
    ROW = WINDOWS * WIDTH,
    DIGITS = 10,
    PIXELS = ROW * HEIGHT,
    FRAMES = 4, /* in flight */
    ROUNDS = 20 /* through all pictures: the first one prints */
};

static void check(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "groups: %s: %s\n", what, nnrt_last_error());
    exit(1);
}

/* A connector that makes a list: one picture in, WINDOWS windows out. It may make fewer. */
static OH_NN_ReturnCode cut(void *user, nnrt_group_call *call) {
    const uint8_t *picture = (const uint8_t *)OH_NNTensor_GetDataBuffer(call->inputs[0].tensors[0]);
    (void)user;
    for (int i = 0; i < WINDOWS; i++) {
        int8_t *window = (int8_t *)OH_NNTensor_GetDataBuffer(call->outputs[0].tensors[i]);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) window[y * WIDTH + x] = (int8_t)(picture[y * ROW + i * WIDTH + x] - 128);
    }
    call->item_count = WINDOWS;
    return OH_NN_SUCCESS;
}

/* A connector that takes the whole list: the scores of all windows in, their digits as text out. */
static OH_NN_ReturnCode join(void *user, nnrt_group_call *call) {
    uint8_t *text = (uint8_t *)OH_NNTensor_GetDataBuffer(call->outputs[0].tensors[0]);
    (void)user;
    for (uint32_t i = 0; i < call->inputs[0].count; i++) {
        const int8_t *scores = (const int8_t *)OH_NNTensor_GetDataBuffer(call->inputs[0].tensors[i]);
        int best = 0;
        for (int k = 1; k < DIGITS; k++)
            if (scores[k] > scores[best]) best = k;
        text[i] = (uint8_t)('0' + best);
    }
    text[call->inputs[0].count] = 0;
    return OH_NN_SUCCESS;
}

static const nnrt_group_port picture = {"picture", false, OH_NN_UINT8, 2, {HEIGHT, ROW}};
static const nnrt_group_port cut_out = {"window", true, OH_NN_INT8, 4, {1, HEIGHT, WIDTH, 1}};
static const nnrt_group_port join_in = {"scores", true, OH_NN_INT8, 0, {0}}; /* of any shape */
static const nnrt_group_port join_out = {"text", false, OH_NN_UINT8, 1, {WINDOWS + 1}};
static const nnrt_group_function cutter = {"cut", &picture, 1, &cut_out, 1, WINDOWS, false, NULL, cut};
static const nnrt_group_function joiner = {"join", &join_in, 1, &join_out, 1, 0, false, NULL, join};

/* In a thread of the scheduler, frame after frame in the order in which they were forwarded. */
static void ended(void *user, nnrt_frame *frame, nnrt_frame_status status, OH_NN_ReturnCode code) {
    char *const *names = (char *const *)user;
    uint64_t id = 0;
    nnrt_frame_get_result(frame, NULL, NULL, &id);
    if (status != NNRT_FRAME_SUCCESS) {
        printf("%s: %s, %s\n", names[0], nnrt_strerror(code), nnrt_last_error());
    } else if (id == 0) {
        printf("%s  %s\n", names[0], (const char *)OH_NNTensor_GetDataBuffer(nnrt_frame_get_output(frame, 0, 0)));
    }
    nnrt_frame_release(frame);
}

static void add_model(nnrt_group *group, const char *path, bool first) {
    OH_NNCompilation *model = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    check(model != NULL && OH_NNCompilation_Build(model) == OH_NN_SUCCESS, path);
    check((first ? nnrt_group_add_model(group, "reader", model) : nnrt_group_add_replica(group, "reader", model)) ==
              OH_NN_SUCCESS,
          path);
    OH_NNCompilation_Destroy(&model); /* the group keeps what it needs */
}

static void read_pgm(const char *path, uint8_t *pixels) {
    int width = 0, height = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fscanf(file, "P5 %d %d 255", &width, &height) != 2 || width != ROW || height != HEIGHT ||
        getc(file) == EOF || fread(pixels, 1, PIXELS, file) != PIXELS) {
        fprintf(stderr, "groups: %s: no 8-bit binary PGM of %d x %d\n", path, ROW, HEIGHT);
        exit(1);
    }
    fclose(file);
}

int main(int argc, char **argv) {
    nnrt_scheduler *scheduler = NULL;
    nnrt_group *group = NULL;
    nnrt_group_statistics total;
    nnrt_device_statistics device;
    double busy = 0;
    int models = 1;
    while (models < argc && strstr(argv[models], ".pgm") == NULL) models++;
    if (models == 1 || models == argc) {
        fprintf(stderr, "usage: groups MODEL [MODEL...] PICTURE.pgm...\n");
        return 1;
    }
    check(nnrt_scheduler_create(2, &scheduler) == OH_NN_SUCCESS, "make a scheduler");
    check(nnrt_group_create(scheduler, "meter", NNRT_GROUP_PRIORITY_MEDIUM, &group) == OH_NN_SUCCESS, "make a group");
    check(nnrt_group_add_input(group, &picture) == OH_NN_SUCCESS, "add the input");
    check(nnrt_group_add_connector(group, "cut", &cutter, NULL) == OH_NN_SUCCESS, "add cut");
    for (int i = 1; i < models; i++) add_model(group, argv[i], i == 1);
    check(nnrt_group_add_connector(group, "join", &joiner, NULL) == OH_NN_SUCCESS, "add join");
    check(nnrt_group_connect(group, "picture", "cut") == OH_NN_SUCCESS, "connect");
    check(nnrt_group_connect(group, "cut", "reader") == OH_NN_SUCCESS, "connect");
    check(nnrt_group_connect(group, "reader", "join") == OH_NN_SUCCESS, "connect");
    check(nnrt_group_add_output(group, "join.text") == OH_NN_SUCCESS, "add the output");
    check(nnrt_group_finish(group, FRAMES) == OH_NN_SUCCESS, "finish");

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = models; i < argc; i++) {
            nnrt_frame *frame = NULL; /* waits where FRAMES are in flight */
            check(nnrt_frame_acquire(group, -1, &frame) == OH_NN_SUCCESS, "acquire a frame");
            read_pgm(argv[i], (uint8_t *)OH_NNTensor_GetDataBuffer(nnrt_frame_get_input(frame, 0)));
            check(nnrt_frame_forward_async(frame, (uint64_t)round, ended, &argv[i]) == OH_NN_SUCCESS, "forward");
        }
    }
    check(nnrt_group_wait(group, -1) == OH_NN_SUCCESS, "wait");

    check(nnrt_group_get_statistics(group, &total) == OH_NN_SUCCESS, "ask for the figures");
    for (size_t i = 0; nnrt_scheduler_get_statistics(scheduler, i, &device) == OH_NN_SUCCESS; i++) {
        const char *name = NULL;
        const double use = (double)device.busy_ns / (double)device.elapsed_ns;
        if (i != 0) check(OH_NNDevice_GetName(device.device_id, &name) == OH_NN_SUCCESS, "ask for a name");
        printf("%-28s %6u runs, busy %3.0f %%\n", i != 0 ? name : "connectors and callbacks", (unsigned)device.runs,
               100 * use);
        busy += use;
    }
    printf("%u pictures, %u failed; %.2f ms each from forward to the end; %.2f things at once\n",
           (unsigned)(total.succeeded + total.failed), (unsigned)total.failed,
           (double)total.total.total_ns / 1e6 / (double)(total.succeeded != 0 ? total.succeeded : 1), busy);
    check(nnrt_group_destroy(&group) == OH_NN_SUCCESS && nnrt_scheduler_destroy(&scheduler) == OH_NN_SUCCESS, "end");
    return total.failed != 0;
}
