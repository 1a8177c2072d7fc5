/* SPDX-License-Identifier: Apache-2.0 */
/* test_nnie_layers.c - the layers that are ready do what the functions of nnrt_detection.h do with the same maps:
   called by hand, and between and behind the segments of models on simulated HiSilicon boards. */
#include "linked.h"

#include <criterion/criterion.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SEED 20261124u
#include "noise.h"

#include "nnie_board.h"

#define REFUSED(call, words)                                                                      \
    do {                                                                                          \
        cr_assert_eq((call), OH_NN_INVALID_PARAMETER, #call);                                     \
        cr_assert_not_null(strstr(nnrt_last_error(), words), "%s: %s", #call, nnrt_last_error()); \
    } while (0)

/* ------------------------------------------------------------------------------------- options of the models */

static const float anchors[12] = {-4, -4, 11, 11, -8, -4, 15, 11, -4, -8, 11, 15};
static const nnrt_proposal_options proposal_options = {anchors, 3, 8, 48, 32, 4, 40, 12, 0.7f, true};
static const nnrt_rcnn_options rcnn_options = {3, false, false, 0, 48, 32, 0.05f, 0.3f, 10};
static const float small[2] = {6, 10}, large[2] = {10, 18}, ratios[1] = {2};
static const nnrt_prior_options priors[2] = {{&small[0], &large[0], 1, ratios, 1, true, false, 0, 0, 0.5f},
                                             {&small[1], &large[1], 1, ratios, 1, true, false, 0, 0, 0.5f}};
static const nnrt_ssd_options ssd_options = {priors, 2,     24, 24, {0.1f, 0.1f, 0.2f, 0.2f}, 3, 0, true, true,
                                             0.05f,  0.45f, 20, 12};
static const float yolo_anchors[12] = {8, 8, 12, 20, 24, 16, 3, 3, 5, 8, 8, 5};
static const nnrt_yolo_options yolo_options = {NNRT_YOLO_V3, 2,  2,  3,    0,     false, yolo_anchors, 32,    32, 0,
                                               false,        32, 32, true, false, false, 0.05f,        0.45f, 60, 12};

static nnrt_nnie_view view_of(float *data, uint32_t n, uint32_t c, uint32_t h, uint32_t w) {
    const nnrt_nnie_view v = {"a tensor", data, n, c, h, w};
    return v;
}

static float *drawn(size_t count) {
    float *values = malloc(count * sizeof(float));
    cr_assert_not_null(values);
    for (size_t i = 0; i < count; i++) values[i] = (float)noise_between(-2.0, 2.0);
    return values;
}

/* A layer of one of the functions with these inputs, called with the scratch that it says it needs. */
static OH_NN_ReturnCode call_layer(nnrt_nnie_layer_function run, const void *user, const nnrt_nnie_view *inputs,
                                   uint32_t input_count, nnrt_nnie_view *output) {
    const nnrt_nnie_layer_output to = {"found", output->n, 1, 1, output->w, 1};
    const nnrt_nnie_layer layer = {sizeof(layer), "layer", 0, NULL, input_count, &to, 1, run, user, 0};
    nnrt_nnie_layer_call call = {inputs, input_count, output, 1, NULL, 0};
    OH_NN_ReturnCode code;
    cr_assert_eq(nnrt_nnie_layer_scratch(&layer, inputs, &call.scratch_size), OH_NN_SUCCESS, "%s", nnrt_last_error());
    call.scratch = malloc(call.scratch_size + 1);
    cr_assert_not_null(call.scratch);
    code = run(&call, user);
    if (call.scratch_size != 0) {
        call.scratch_size--;
        cr_assert_eq(run(&call, user), OH_NN_INVALID_PARAMETER, "it needs all of its scratch");
    }
    free(call.scratch);
    return code;
}

static void equal_rows(const float *rows, size_t got, const nnrt_detection *want, size_t count) {
    cr_assert_eq(got, count, "%zu, not %zu", got, count);
    cr_assert_gt(count, 1, "a test that finds nothing");
    for (size_t i = 0; i < count; i++) {
        const float *row = rows + 6 * i;
        cr_assert(row[0] == (float)want[i].class_id && row[1] == want[i].score && row[2] == want[i].x0 &&
                  row[3] == want[i].y0 && row[4] == want[i].x1 && row[5] == want[i].y1);
    }
}

/* ------------------------------------------------------------------------------------------- called by hand */

static union {
    uint32_t alignment;
    uint8_t bytes[1 << 16];
} scratch;

Test(nnie_layers, proposals_and_detections_are_those_of_the_functions) {
    float *maps[2] = {drawn(6 * 4 * 6), drawn(12 * 4 * 6)}, *boxes = malloc(12 * 4 * sizeof(float));
    float *heads[2] = {drawn(12 * 3), drawn(12 * 12)}, *rows = malloc(10 * 6 * sizeof(float));
    nnrt_nnie_view in[3] = {view_of(maps[0], 1, 6, 4, 6), view_of(maps[1], 1, 12, 4, 6)};
    nnrt_nnie_view out = view_of(boxes, 12, 1, 1, 4), found = view_of(rows, 10, 1, 1, 6);
    nnrt_tensor_view views[3];
    nnrt_detection want[12];
    size_t count;
    cr_assert_eq(nnrt_tensor_view_nchw(maps[0], 144, 6, 4, 6, 0, &views[0]), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_tensor_view_nchw(maps[1], 288, 12, 4, 6, 0, &views[1]), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_detection_proposals(&proposal_options, &views[0], &views[1], scratch.bytes, sizeof(scratch), want,
                                          12, &count),
                 OH_NN_SUCCESS);
    cr_assert_eq(call_layer(nnrt_nnie_layer_proposals, &proposal_options, in, 2, &out), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    cr_assert(out.n == count && count > 3);
    for (size_t i = 0; i < count; i++) cr_assert_eq(memcmp(boxes + 4 * i, &want[i].x0, 16), 0);

    in[0] = out, in[1] = view_of(heads[0], out.n, 1, 1, 3), in[2] = view_of(heads[1], out.n, 12, 1, 1);
    cr_assert_eq(nnrt_tensor_view_nchw(boxes, 4 * count, 1, (uint32_t)count, 4, 0, &views[0]), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_tensor_view_nchw(heads[0], 3 * count, 1, (uint32_t)count, 3, 0, &views[1]), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_tensor_view_nchw(heads[1], 12 * count, 1, (uint32_t)count, 12, 0, &views[2]), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_detect_rcnn(&rcnn_options, &views[0], &views[1], &views[2], (uint32_t)count, scratch.bytes,
                                  sizeof(scratch), want, 10, &count),
                 OH_NN_SUCCESS);
    cr_assert_eq(call_layer(nnrt_nnie_layer_rcnn, &rcnn_options, in, 3, &found), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    equal_rows(rows, found.n, want, count);
    in[0].n = in[1].n = in[2].n = 0, found.n = 10;
    cr_assert_eq(nnrt_nnie_layer_rcnn(&(nnrt_nnie_layer_call){in, 3, &found, 1, NULL, 0}, &rcnn_options),
                 OH_NN_SUCCESS);
    cr_assert_eq(found.n, 0, "no boxes, no detections, no scratch");
    for (int i = 0; i < 2; i++) {
        free(maps[i]);
        free(heads[i]);
    }
    free(boxes);
    free(rows);
}

Test(nnie_layers, maps_of_ssd_are_planes_or_permuted) {
    const uint32_t sides[2] = {3, 2};
    float *planes[4], *permuted[4], *rows[2] = {malloc(12 * 6 * sizeof(float)), malloc(12 * 6 * sizeof(float))};
    nnrt_nnie_view in[4], turned[4], found[2] = {view_of(rows[0], 12, 1, 1, 6), view_of(rows[1], 12, 1, 1, 6)};
    nnrt_tensor_view locations[2], confidences[2];
    nnrt_detection want[12];
    size_t count;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t side = sides[i / 2], area = side * side, channels = i % 2 == 0 ? 16 : 12;
        planes[i] = drawn((size_t)channels * area);
        permuted[i] = drawn((size_t)channels * area);
        for (size_t k = 0; k < (size_t)channels * area; k++) {
            permuted[i][k % area * channels + k / area] = planes[i][k];
        }
        in[i] = view_of(planes[i], 1, channels, side, side);
        turned[i] = view_of(permuted[i], 1, side, side, channels);
        cr_assert_eq(nnrt_tensor_view_nchw(planes[i], (size_t)channels * area, channels, side, side, 0,
                                           i % 2 == 0 ? &locations[i / 2] : &confidences[i / 2]),
                     OH_NN_SUCCESS);
    }
    cr_assert_eq(
        nnrt_detect_ssd(&ssd_options, locations, confidences, scratch.bytes, sizeof(scratch), want, 12, &count),
        OH_NN_SUCCESS);
    cr_assert_eq(call_layer(nnrt_nnie_layer_ssd, &ssd_options, in, 4, &found[0]), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    equal_rows(rows[0], found[0].n, want, count);
    cr_assert_eq(call_layer(nnrt_nnie_layer_ssd_permuted, &ssd_options, turned, 4, &found[1]), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    equal_rows(rows[1], found[1].n, want, count);
    for (int i = 0; i < 4; i++) {
        free(planes[i]);
        free(permuted[i]);
    }
    for (int i = 0; i < 2; i++) free(rows[i]);
}

Test(nnie_layers, softmax_and_top_n_are_those_of_every_frame) {
    float *values = drawn(24), *made = malloc(24 * sizeof(float)), *rows = malloc(5 * 2 * sizeof(float));
    const nnrt_view_axis channels = NNRT_AXIS_CHANNELS;
    nnrt_nnie_view in = view_of(values, 2, 3, 2, 2), out = view_of(made, 2, 3, 2, 2), best = view_of(rows, 5, 1, 1, 2);
    cr_assert_eq(call_layer(nnrt_nnie_layer_softmax, &channels, &in, 1, &out), OH_NN_SUCCESS);
    for (size_t i = 0; i < 8; i++) {
        const float *column = made + i / 4 * 12 + i % 4;
        cr_assert(fabsf(column[0] + column[4] + column[8] - 1) < 1e-5f);
    }
    cr_assert_eq(call_layer(nnrt_nnie_layer_softmax, NULL, &in, 1, &out), OH_NN_SUCCESS);
    for (size_t i = 0; i < 24; i += 2) cr_assert(fabsf(made[i] + made[i + 1] - 1) < 1e-5f);
    cr_assert_eq(call_layer(nnrt_nnie_layer_top_n, NULL, &in, 1, &best), OH_NN_SUCCESS);
    cr_assert_eq(best.n, 5);
    for (size_t i = 0; i < 5; i++) {
        cr_assert_eq(rows[2 * i + 1], values[(size_t)rows[2 * i]]);
        cr_assert(i == 0 || rows[2 * i - 1] > rows[2 * i + 1]);
    }
    out.h = 1;
    REFUSED(nnrt_nnie_layer_softmax(&(nnrt_nnie_layer_call){&in, 1, &out, 1, NULL, 0}, NULL), "shape");
    free(values);
    free(made);
    free(rows);
}

Test(nnie_layers, what_does_not_fit_is_told) {
    float values[16] = {0}, rows[12];
    nnrt_nnie_view in[4], out = view_of(rows, 2, 1, 1, 6);
    const nnrt_nnie_layer_output to = {"found", 2, 1, 1, 6, 1};
    nnrt_nnie_layer layer = {sizeof(layer), "layer", 0, NULL, 2, &to, 1, nnrt_nnie_layer_yolo, &yolo_options, 0};
    nnrt_nnie_layer_call call = {in, 2, &out, 1, scratch.bytes, sizeof(scratch)};
    size_t bytes = 7;
    for (int i = 0; i < 4; i++) in[i] = view_of(values, 1, 4, 2, 2);
    REFUSED(nnrt_nnie_layer_yolo(&call, NULL), "no options");
    REFUSED(nnrt_nnie_layer_yolo(&call, &yolo_options), "maps: 4 channels");
    in[1].n = 2;
    REFUSED(nnrt_nnie_layer_yolo(&call, &yolo_options), "2 frames");
    call.input_count = 3;
    REFUSED(nnrt_nnie_layer_yolo(&call, &yolo_options), "3 inputs");
    REFUSED(nnrt_nnie_layer_ssd(&call, &ssd_options), "4 and 1 are right");
    REFUSED(nnrt_nnie_layer_ssd(&call, NULL), "no options");
    out.w = 5, call.input_count = 2;
    REFUSED(nnrt_nnie_layer_yolo(&call, &yolo_options), "of 5 values, and needs 6");
    REFUSED(nnrt_nnie_layer_top_n(&call, NULL), "2 inputs");
    out.w = 4, call.scratch_size = 47;
    in[1].n = 1;
    REFUSED(nnrt_nnie_layer_proposals(&call, &proposal_options), "scratch has 47");
    REFUSED(nnrt_nnie_layer_scratch(NULL, in, &bytes), "NULL");
    REFUSED(nnrt_nnie_layer_scratch(&layer, NULL, &bytes), "NULL");
    REFUSED(nnrt_nnie_layer_scratch(&layer, in, NULL), "NULL");
    REFUSED(nnrt_nnie_layer_scratch(&layer, in, &bytes), "maps: 4 channels");
    layer.user = NULL;
    REFUSED(nnrt_nnie_layer_scratch(&layer, in, &bytes), "none of nnrt's");
    layer.user = &yolo_options, layer.input_count = 3;
    REFUSED(nnrt_nnie_layer_scratch(&layer, in, &bytes), "none of nnrt's");
    layer.input_count = 2, layer.run = NULL;
    REFUSED(nnrt_nnie_layer_scratch(&layer, in, &bytes), "none of nnrt's");
    cr_assert_eq(bytes, 7);
}

/* Each of the five conditions of softmax alone; an output may hold more frames than there are. */
Test(nnie_layers, softmax_takes_one_input_and_an_output_of_its_shape_alone) {
    static const struct {
        uint32_t inputs, outputs, n, c, h, w;
        bool taken;
    } rows[] = {{1, 1, 2, 3, 2, 4, true},  {1, 1, 3, 3, 2, 4, true},  {1, 1, 1, 3, 2, 4, false},
                {1, 1, 2, 2, 2, 4, false}, {1, 1, 2, 3, 1, 4, false}, {1, 1, 2, 3, 2, 3, false},
                {1, 1, 2, 4, 2, 4, false}, {1, 1, 2, 3, 3, 4, false}, {1, 1, 2, 3, 2, 5, false},
                {2, 1, 2, 3, 2, 4, false}, {0, 1, 2, 3, 2, 4, false}, {1, 2, 2, 3, 2, 4, false},
                {1, 0, 2, 3, 2, 4, false}};
    static float values[2 * 3 * 2 * 4], results[4 * 5 * 5 * 5];
    size_t i;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        nnrt_nnie_view in[2], out[2];
        nnrt_nnie_layer_call call = {in, 0, out, 0, scratch.bytes, sizeof(scratch)};
        in[0] = in[1] = view_of(values, 2, 3, 2, 4);
        out[0] = out[1] = view_of(results, rows[i].n, rows[i].c, rows[i].h, rows[i].w);
        call.input_count = rows[i].inputs;
        call.output_count = rows[i].outputs;
        cr_expect_eq(nnrt_nnie_layer_softmax(&call, NULL) == OH_NN_SUCCESS, rows[i].taken, "row %zu", i);
    }
}

/* ------------------------------------------------------------------------------------------------ on boards */

/* A model with its layers, opened so that every segment's outputs are to be seen. */
static void open_with_layers(rig *r, const board *b, const char *model, const nnrt_nnie_layer *layers, size_t count) {
    char path[400];
    size_t i;
    memset(r, 0, sizeof(*r));
    r->b = b;
    (void)snprintf(path, sizeof(path), "%s/models/%s.%s.wk", b->folder, model, b->chip);
    r->compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    MUST(r->compilation != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNCompilation_SetDevice(r->compilation, b->npu));
    MUST_WORK(
        OH_NNCompilation_AddExtensionConfig(r->compilation, "nnie.layers", layers, count * sizeof(nnrt_nnie_layer)));
    MUST_WORK(OH_NNCompilation_AddExtensionConfig(r->compilation, "nnie.outputs", "all", 3));
    MUST_WORK(OH_NNCompilation_Build(r->compilation));
    rig_execute(r);
    MUST(r->input_count == 1, "a picture");
    r->inputs[0] = rig_tensor(r, b->npu, false, 0);
    for (i = 0; i < r->output_count; i++) {
        NN_TensorDesc *desc = rig_desc(r, true, i);
        r->outputs[i] = OH_NNTensor_CreateWithSize(b->cpu, desc, 16384);
        MUST(r->outputs[i] != NULL, "%s", nnrt_last_error());
        MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    }
}

/* The output of that name after a run, and its first dimension. */
static float *output_of(const rig *r, const char *name, size_t *rows) {
    size_t i;
    for (i = 0; i < r->output_count; i++) {
        NN_TensorDesc *desc = rig_desc(r, true, i);
        const char *own = NULL;
        bool found;
        MUST_WORK(OH_NNTensorDesc_GetName(desc, &own));
        found = strcmp(own, name) == 0;
        MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
        if (found) {
            int32_t *shape = NULL;
            uint32_t rank = 0;
            MUST_WORK(OH_NNExecutor_GetOutputShape(r->executor, (uint32_t)i, &shape, &rank));
            *rows = (size_t)shape[0];
            return (float *)OH_NNTensor_GetDataBuffer(r->outputs[i]);
        }
    }
    MUST(false, "no output %s", name);
    return NULL;
}

static void run_noise(rig *r) {
    size_t size, k;
    uint8_t *data = bytes_of(r->inputs[0], &size);
    for (k = 0; k < size; k++) data[k] = (uint8_t)noise();
    MUST_WORK(rig_run(r));
}

static void must_equal(const float *rows, size_t got, const nnrt_detection *want, size_t count, const char *what) {
    size_t i;
    MUST(got == count && count != 0, "%s: %zu detections, not %zu", what, got, count);
    for (i = 0; i < count; i++) {
        MUST(rows[6 * i] == (float)want[i].class_id && memcmp(&rows[6 * i + 1], &want[i].score, 20) == 0, "%s: %zu",
             what, i);
    }
}

static const nnrt_nnie_layer_output detections_12[1] = {{"detections", 12, 1, 1, 6, 1}};

static void rcnn_life(board *b, const void *user) {
    static const char *const rpn[2] = {"rpn_cls_score", "rpn_bbox_pred"};
    static const char *const heads[3] = {NNRT_NNIE_BOXES, "cls_prob", "bbox_pred"};
    static const nnrt_nnie_layer_output boxes_12[1] = {{NNRT_NNIE_BOXES, 12, 1, 1, 4, 1}};
    nnrt_nnie_layer layers[2] = {
        {sizeof(layers[0]), "proposals", 0, rpn, 2, boxes_12, 1, nnrt_nnie_layer_proposals, &proposal_options, 0},
        {sizeof(layers[0]), "detections", 1, heads, 3, detections_12, 1, nnrt_nnie_layer_rcnn, &rcnn_options, 0}};
    const nnrt_nnie_view maps[2] = {{NULL, NULL, 1, 6, 4, 6}, {NULL, NULL, 1, 12, 4, 6}};
    const nnrt_nnie_view rows[3] = {{NULL, NULL, 12, 1, 1, 4}, {NULL, NULL, 12, 1, 1, 3}, {NULL, NULL, 12, 1, 1, 12}};
    rig r;
    int round;
    (void)user;
    MUST_WORK(nnrt_nnie_layer_scratch(&layers[0], maps, &layers[0].scratch_size));
    MUST_WORK(nnrt_nnie_layer_scratch(&layers[1], rows, &layers[1].scratch_size));
    open_with_layers(&r, b, "rcnn", layers, 2);
    for (round = 0; round < 3; round++) {
        nnrt_detection regions[12], want[12];
        nnrt_tensor_view v[3];
        size_t ignored, boxes, found, region_count, count;
        float *got;
        run_noise(&r);
        MUST_WORK(nnrt_tensor_view_nchw(output_of(&r, "rpn_cls_score", &ignored), 144, 6, 4, 6, 0, &v[0]));
        MUST_WORK(nnrt_tensor_view_nchw(output_of(&r, "rpn_bbox_pred", &ignored), 288, 12, 4, 6, 0, &v[1]));
        MUST_WORK(nnrt_detection_proposals(&proposal_options, &v[0], &v[1], scratch.bytes, sizeof(scratch), regions, 12,
                                           &region_count));
        MUST(region_count != 0, "regions");
        got = output_of(&r, "cls_prob", &boxes);
        MUST(boxes == region_count, "%zu boxes went into the second segment, not %zu", boxes, region_count);
        MUST_WORK(nnrt_detection_boxes(regions, region_count, &v[0]));
        MUST_WORK(nnrt_tensor_view_nchw(got, boxes * 3, 1, (uint32_t)boxes, 3, 0, &v[1]));
        MUST_WORK(
            nnrt_tensor_view_nchw(output_of(&r, "bbox_pred", &ignored), boxes * 12, 1, (uint32_t)boxes, 12, 0, &v[2]));
        MUST_WORK(nnrt_detect_rcnn(&rcnn_options, &v[0], &v[1], &v[2], (uint32_t)boxes, scratch.bytes, sizeof(scratch),
                                   want, 12, &count));
        got = output_of(&r, "detections", &found);
        must_equal(got, found, want, count, "rcnn");
    }
    rig_end(&r);
}

Test(nnie_layers, faster_rcnn_runs_whole_on_every_board) { board_each(board_all, rcnn_life, NULL); }

static void ssd_life(board *b, const void *user) {
    static const char *const names[4] = {"mbox_loc0_perm", "mbox_conf0_perm", "mbox_loc1_perm", "mbox_conf1_perm"};
    nnrt_nnie_layer layer = {
        sizeof(layer), "detections", 0, names, 4, detections_12, 1, nnrt_nnie_layer_ssd_permuted, &ssd_options, 0};
    const nnrt_nnie_view shapes[4] = {
        {NULL, NULL, 1, 6, 6, 16}, {NULL, NULL, 1, 6, 6, 12}, {NULL, NULL, 1, 3, 3, 16}, {NULL, NULL, 1, 3, 3, 12}};
    nnrt_tensor_view v[2][2];
    nnrt_detection want[12];
    size_t ignored, found, count;
    const float *got;
    rig r;
    int i;
    (void)user;
    MUST_WORK(nnrt_nnie_layer_scratch(&layer, shapes, &layer.scratch_size));
    open_with_layers(&r, b, "ssd", &layer, 1);
    run_noise(&r);
    for (i = 0; i < 4; i++) {
        const nnrt_nnie_view *s = &shapes[i];
        MUST_WORK(nnrt_tensor_view_nhwc(output_of(&r, names[i], &ignored), (size_t)s->c * s->h * s->w, s->w, s->c, s->h,
                                        0, &v[i % 2][i / 2]));
    }
    MUST_WORK(nnrt_detect_ssd(&ssd_options, v[0], v[1], scratch.bytes, sizeof(scratch), want, 12, &count));
    got = output_of(&r, "detections", &found);
    must_equal(got, found, want, count, "ssd");
    rig_end(&r);
}

Test(nnie_layers, ssd_runs_whole_on_every_board) { board_each(board_all, ssd_life, NULL); }

static void yolo_life(board *b, const void *user) {
    static const char *const names[2] = {"yolo_coarse", "yolo_fine"};
    nnrt_nnie_layer layer = {sizeof(layer),        "detections",  0, names, 2, detections_12, 1,
                             nnrt_nnie_layer_yolo, &yolo_options, 0};
    const nnrt_nnie_view shapes[2] = {{NULL, NULL, 1, 21, 4, 4}, {NULL, NULL, 1, 21, 8, 8}};
    nnrt_tensor_view v[2];
    nnrt_detection want[12];
    size_t ignored, found, count;
    const float *got;
    rig r;
    int i;
    (void)user;
    MUST_WORK(nnrt_nnie_layer_scratch(&layer, shapes, &layer.scratch_size));
    open_with_layers(&r, b, "yolo3", &layer, 1);
    run_noise(&r);
    for (i = 0; i < 2; i++) {
        const nnrt_nnie_view *s = &shapes[i];
        MUST_WORK(nnrt_tensor_view_nchw(output_of(&r, names[i], &ignored), (size_t)s->c * s->h * s->w, s->c, s->h, s->w,
                                        0, &v[i]));
    }
    MUST_WORK(nnrt_detect_yolo(&yolo_options, v, scratch.bytes, sizeof(scratch), want, 12, &count));
    got = output_of(&r, "detections", &found);
    must_equal(got, found, want, count, "yolo3");
    rig_end(&r);
}

Test(nnie_layers, yolo_runs_whole_on_every_board) { board_each(board_all, yolo_life, NULL); }
