/* SPDX-License-Identifier: Apache-2.0 */
/* test_group_boards.c - one group on simulated NPUs of two vendors and the CPU at once: they read the same pictures and
   have to agree; a fault of one board is one frame's. */
#include "linked.h"

#include "nnie/nnie_load.h"
#include "npu_board.h"
#include "rknpu/rknpu_load.h"

enum {
    WIDTH = 20,
    HEIGHT = 32,
    WINDOWS = 6,
    ROW = WINDOWS * WIDTH,
    DIGITS = 10,
    PIXELS = ROW * HEIGHT,
    PICTURES = 4,
    FRAMES = 4
};

/* ------------------------------------------------------------------------------------------------ boards */

static board rockchip;

/* "CHIP of Rockchip", and as version the one of HiSilicon. */
static bool plug_both(board *b, const char *chip, const char *hisilicon) {
    if (!rknpu_load(&rockchip, chip, "") || rockchip.mistakes() != 0) return false; /* its chip is fixed */
    if (!nnie_load(b, hisilicon, "")) return false;
    board_find_devices(b, "nnie_hisilicon_");
    rockchip.npu = board_device("rknpu_rockchip_");
    MUST(rockchip.npu != 0, "%s drives no device", chip);
    return true;
}

/* ------------------------------------------------------------------------------------------------- stages */

/* Every window of a picture for both families: int8, and as the camera has it. */
static OH_NN_ReturnCode cut(void *user, nnrt_group_call *call) {
    const uint8_t *picture = (const uint8_t *)OH_NNTensor_GetDataBuffer(call->inputs[0].tensors[0]);
    uint32_t i, y, x;
    (void)user;
    for (i = 0; i < WINDOWS; i++) {
        int8_t *window = (int8_t *)OH_NNTensor_GetDataBuffer(call->outputs[0].tensors[i]);
        uint8_t *raw = (uint8_t *)OH_NNTensor_GetDataBuffer(call->outputs[1].tensors[i]);
        for (y = 0; y < HEIGHT; y++)
            for (x = 0; x < WIDTH; x++) {
                raw[y * WIDTH + x] = picture[(y * WINDOWS + i) * WIDTH + x];
                window[y * WIDTH + x] = (int8_t)(raw[y * WIDTH + x] - 128);
            }
    }
    call->item_count = WINDOWS;
    return OH_NN_SUCCESS;
}

/* Two lists of scores, int8 and float32: what each family reads. */
static OH_NN_ReturnCode join(void *user, nnrt_group_call *call) {
    char *text = (char *)OH_NNTensor_GetDataBuffer(call->outputs[0].tensors[0]);
    uint32_t i, k;
    (void)user;
    for (i = 0; i < WINDOWS; i++) {
        const int8_t *bytes = (const int8_t *)OH_NNTensor_GetDataBuffer(call->inputs[0].tensors[i]);
        const float *reals = (const float *)OH_NNTensor_GetDataBuffer(call->inputs[1].tensors[i]);
        uint32_t best = 0, other = 0;
        for (k = 1; k < DIGITS; k++) {
            if (bytes[k] > bytes[best]) best = k;
            if (reals[k] > reals[other]) other = k;
        }
        text[i] = (char)('0' + best);
        text[WINDOWS + 1 + i] = (char)('0' + other);
    }
    text[WINDOWS] = text[2 * WINDOWS + 1] = '\0';
    return call->inputs[0].count == WINDOWS && call->inputs[1].count == WINDOWS ? OH_NN_SUCCESS : OH_NN_FAILED;
}

static const nnrt_group_port picture_port = {"picture", false, OH_NN_UINT8, 2, {HEIGHT, ROW}};
static const nnrt_group_port cut_outputs[2] = {{"window", true, OH_NN_INT8, 4, {1, HEIGHT, WIDTH, 1}},
                                               {"raw", true, OH_NN_UINT8, 4, {1, HEIGHT, WIDTH, 1}}};
static const nnrt_group_port join_inputs[2] = {{"bytes", true, OH_NN_INT8, 0, {0}},
                                               {"reals", true, OH_NN_FLOAT32, 0, {0}}};
static const nnrt_group_port join_output = {"text", false, OH_NN_UINT8, 1, {2 * (WINDOWS + 1)}};
static const nnrt_group_function cutter = {"cut", &picture_port, 1, cut_outputs, 2, WINDOWS, false, NULL, cut};
static const nnrt_group_function joiner = {"join", join_inputs, 2, &join_output, 1, 0, false, NULL, join};

static void add(nnrt_group *group, const char *name, const char *path, size_t device, bool first) {
    OH_NNCompilation *model = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    MUST(model != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNCompilation_SetDevice(model, device));
    MUST_WORK(OH_NNCompilation_Build(model));
    MUST_WORK(first ? nnrt_group_add_model(group, name, model) : nnrt_group_add_replica(group, name, model));
    OH_NNCompilation_Destroy(&model);
}

static nnrt_group *build(nnrt_scheduler *scheduler, const board *b, nnrt_group_priority priority) {
    const size_t second = board_device("nnie1_hisilicon_");
    nnrt_group *group = NULL;
    char path[400];
    MUST_WORK(nnrt_group_create(scheduler, "meter", priority, &group));
    MUST_WORK(nnrt_group_add_input(group, &picture_port));
    MUST_WORK(nnrt_group_add_connector(group, "cut", &cutter, NULL));
    (void)snprintf(path, sizeof(path), "%s/models/meter.%s.rknn", rockchip.folder, rockchip.chip);
    add(group, "one", path, rockchip.npu, true);
    add(group, "one", "examples/meter/meter.tflite", b->cpu, false);
    (void)snprintf(path, sizeof(path), "%s/models/meter.%s.wk", b->folder, b->chip);
    add(group, "other", path, b->npu, true);
    if (second != 0) add(group, "other", path, second, false);
    MUST_WORK(nnrt_group_add_connector(group, "join", &joiner, NULL));
    MUST_WORK(nnrt_group_connect(group, "picture", "cut"));
    MUST_WORK(nnrt_group_connect(group, "cut.window", "one"));
    MUST_WORK(nnrt_group_connect(group, "cut.raw", "other"));
    MUST_WORK(nnrt_group_connect(group, "one", "join.bytes"));
    MUST_WORK(nnrt_group_connect(group, "other", "join.reals"));
    MUST_WORK(nnrt_group_add_output(group, "join"));
    MUST_WORK(nnrt_group_finish(group, FRAMES));
    return group;
}

/* ----------------------------------------------------------------------------------------------- pictures */

static char readings[PICTURES][WINDOWS + 1];
static uint8_t pictures[PICTURES][PIXELS];

static void read_pictures(void) {
    FILE *list = fopen("examples/meter/expected.txt", "r");
    char name[64], path[128];
    int i, width, height;
    MUST(list != NULL, "run me where README.md is");
    for (i = 0; i < PICTURES; i++) {
        FILE *file;
        MUST(fscanf(list, "%63s %6s", name, readings[i]) == 2, "expected.txt");
        (void)snprintf(path, sizeof(path), "examples/meter/pictures/%s", name);
        file = fopen(path, "rb");
        MUST(file != NULL, "%s", path);
        MUST(fscanf(file, "P5 %d %d 255", &width, &height) == 2 && getc(file) != EOF, "%s", path);
        MUST(fread(pictures[i], 1, PIXELS, file) == PIXELS, "%s", path);
        (void)fclose(file);
    }
    (void)fclose(list);
}

/* Callbacks of one group follow each other, and the main thread looks at this after nnrt_group_wait only. */
typedef struct tally {
    uint64_t next_id;
    int succeeded, failed;
} tally;

static void ended(void *user, nnrt_frame *frame, nnrt_frame_status status, OH_NN_ReturnCode code) {
    tally *self = (tally *)user;
    uint64_t id = 0;
    MUST_WORK(nnrt_frame_get_result(frame, NULL, NULL, &id));
    MUST(id == self->next_id, "frame %u, not %u", (unsigned)id, (unsigned)self->next_id);
    self->next_id++;
    if (status == NNRT_FRAME_SUCCESS) {
        const char *text = (const char *)OH_NNTensor_GetDataBuffer(nnrt_frame_get_output(frame, 0, 0));
        MUST(strcmp(text, readings[id % PICTURES]) == 0, "Rockchip and the CPU read %s, not %s", text,
             readings[id % PICTURES]);
        MUST(strcmp(text + WINDOWS + 1, text) == 0, "HiSilicon reads %s, not %s", text + WINDOWS + 1, text);
        self->succeeded++;
    } else {
        /* what each vendor's code becomes */
        MUST(code == OH_NN_UNAVAILABLE_DEVICE || code == OH_NN_INVALID_PARAMETER, "%s: %s", nnrt_strerror(code),
             nnrt_last_error());
        MUST(strstr(nnrt_last_error(), ", stage o") != NULL, "%s", nnrt_last_error());
        self->failed++;
    }
    MUST_WORK(nnrt_frame_release(frame));
}

static void send(nnrt_group *group, tally *self, int count) {
    int i;
    for (i = 0; i < count; i++) {
        nnrt_frame *frame = NULL;
        MUST_WORK(nnrt_frame_acquire(group, -1, &frame));
        memcpy(OH_NNTensor_GetDataBuffer(nnrt_frame_get_input(frame, 0)), pictures[i % PICTURES], PIXELS);
        MUST_WORK(nnrt_frame_forward_async(frame, (uint64_t)i, ended, self));
    }
    MUST_WORK(nnrt_group_wait(group, -1));
}

/* Every picture in each of two groups; then faults; then nothing is left on either board. */
static void read_on_both(board *b, const void *user) {
    nnrt_scheduler *scheduler = NULL;
    nnrt_group *groups[2];
    nnrt_device_statistics statistics;
    tally tallies[2] = {{0, 0, 0}, {0, 0, 0}}, faulty = {0, 0, 0};
    size_t i;
    uint64_t runs = 0;
    (void)user;
    read_pictures();
    MUST_WORK(nnrt_scheduler_create(2, &scheduler));
    groups[0] = build(scheduler, b, NNRT_GROUP_PRIORITY_HIGH);
    groups[1] = build(scheduler, b, NNRT_GROUP_PRIORITY_LOW);
    for (i = 0; i < 2; i++) {
        send(groups[i], &tallies[i], PICTURES);
        MUST(tallies[i].succeeded == PICTURES && tallies[i].failed == 0, "%d", tallies[i].succeeded);
    }
    for (i = 1; nnrt_scheduler_get_statistics(scheduler, i, &statistics) == OH_NN_SUCCESS; i++) runs += statistics.runs;
    MUST(i >= 4 && runs == 2 * 2 * PICTURES * WINDOWS, "%u runs on %u devices", (unsigned)runs, (unsigned)i - 1);
    rockchip.fault("rknn_run@2=fail:-1");
    b->fault("HI_MPI_SVP_NNIE_Forward@20=fail:0xa0338003");
    send(groups[0], &faulty, 2 * PICTURES);
    MUST(faulty.failed >= 1 && faulty.failed <= 2 && faulty.succeeded + faulty.failed == 2 * PICTURES, "%d failed",
         faulty.failed);
    rockchip.fault(NULL);
    b->fault(NULL);
    for (i = 0; i < 2; i++) MUST_WORK(nnrt_group_destroy(&groups[i]));
    MUST_WORK(nnrt_scheduler_destroy(&scheduler));
    board_is_clean(&rockchip);
}

Test(group_boards, two_vendors_and_the_cpu_read_the_same_digits_in_one_group, .timeout = 300) {
    static const char *const pairs[2][2] = {{"rv1106", "hi3516cv500"}, {"rk3588", "hi3559av100"}};
    unsigned i;
    for (i = 0; i < 2; i++) {
        const int answer = board_in_child(plug_both, pairs[i][0], pairs[i][1], read_on_both, NULL);
        if (answer == BOARD_ABSENT) board_absent(i, pairs[i][0], "");
        else cr_assert(answer == BOARD_WORKS, "%s and %s: %d", pairs[i][0], pairs[i][1], answer);
    }
}
