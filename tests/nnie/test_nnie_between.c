/* SPDX-License-Identifier: Apache-2.0 */
/* test_nnie_between.c - networks that the engine does not run whole: layers of the program between segments, boxes from
   a layer and from the program, sequences. Against the slow reference, on every simulated HiSilicon board. */
#include "linked.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "nnie_board.h"

#include "nnie_golden.h"

static void reference_of(golden *g, const board *b, const char *model) {
    MUST(golden_read(g, b->folder, model), "the reference of %s cannot be read", model);
}

/* The compilation of models/MODEL.CHIP.wk with layers, not built yet. */
static void begin(rig *r, const board *b, const char *model, const char *const *configs, const nnrt_nnie_layer *layers,
                  size_t count) {
    char path[400];
    memset(r, 0, sizeof(*r));
    r->b = b;
    (void)snprintf(path, sizeof(path), "%s/models/%s.%s.wk", b->folder, model, b->chip);
    r->compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    MUST(r->compilation != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNCompilation_SetDevice(r->compilation, b->npu));
    rig_configure(r->compilation, configs);
    if (count != 0)
        MUST_WORK(OH_NNCompilation_AddExtensionConfig(r->compilation, "nnie.layers", layers, count * sizeof(*layers)));
}

static void open_with(rig *r, const board *b, const char *model, const char *const *configs,
                      const nnrt_nnie_layer *layers, size_t count) {
    begin(r, b, model, configs, layers, count);
    MUST_WORK(OH_NNCompilation_Build(r->compilation));
    rig_execute(r);
}

/* A tensor of this shape, or with room for it where the model leaves the shape open. */
static NN_Tensor *shaped(const rig *r, bool output, size_t i, const int32_t *dims, size_t rank, size_t room) {
    NN_TensorDesc *desc = rig_desc(r, output, i);
    NN_Tensor *tensor;
    if (!output) MUST_WORK(OH_NNTensorDesc_SetShape(desc, dims, rank));
    tensor = output ? OH_NNTensor_CreateWithSize(r->b->npu, desc, room) : OH_NNTensor_Create(r->b->npu, desc);
    MUST(tensor != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

static void shape_is(const NN_Tensor *tensor, size_t rank, const int32_t *dims) {
    NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(tensor);
    int32_t *is = NULL;
    size_t count = 0, i;
    MUST_WORK(OH_NNTensorDesc_GetShape(desc, &is, &count));
    MUST(count == rank, "%zu dimensions", count);
    for (i = 0; i < rank; i++) MUST(is[i] == dims[i], "dimension %zu is %d, not %d", i, (int)is[i], (int)dims[i]);
}

/* The first frames of the item as floats, dense; pictures of three planes interleaved. */
static void put(const golden_tensor *item, void *data, size_t frames) {
    const size_t plane = (size_t)item->height * item->width, count = frames * item->channels * plane;
    size_t i;
    for (i = 0; i < count; i++) {
        const size_t n = i / (item->channels * plane), c = i / plane % item->channels, p = i % plane;
        const float real = (float)golden_at(item, i) / 4096.0f;
        if (golden_is_picture(item))
            ((uint8_t *)data)[(n * plane + p) * item->channels + c] = (uint8_t)golden_at(item, i);
        else memcpy((float *)data + i, &real, sizeof(real));
    }
}

static void same_as(const golden_tensor *item, const float *data, size_t count) {
    size_t i;
    for (i = 0; i < count; i++)
        MUST(fabsf(data[i] * 4096.0f - (float)golden_at(item, i)) <= (float)item->within + 0.01f,
             "output %u of segment %u, element %zu: %f, not %f", item->index, item->segment, i, (double)data[i],
             (double)golden_at(item, i) / 4096.0);
}

/* ------------------------------------------------------------------------------- a layer between segments */

/* The sum of each channel, shifted right by 4 as a number of 20.12. */
static OH_NN_ReturnCode sums(const nnrt_nnie_layer_call *call, const void *user) {
    const nnrt_nnie_view *in = &call->inputs[0];
    const size_t plane = (size_t)in->h * in->w, planes = (size_t)in->n * in->c;
    size_t i, k;
    (void)user;
    if (call->input_count != 1 || call->output_count != 1 || strcmp(in->name, "pool4") != 0 ||
        strcmp(call->outputs[0].name, "sums") != 0 || call->scratch_size != 64)
        return nnrt_backend_fail(OH_NN_FAILED, "the call is not as it was asked for");
    memset(call->scratch, 0x77, call->scratch_size);
    for (i = 0; i < planes; i++) {
        int64_t sum = 0;
        for (k = 0; k < plane; k++) sum += lrintf(in->data[i * plane + k] * 4096.0f);
        call->outputs[0].data[i] = (float)floor((double)sum / 16.0) / 4096.0f;
    }
    return OH_NN_SUCCESS;
}

static const char *const pool4[] = {"pool4"};

static nnrt_nnie_layer layer_of(const char *name, const char *const *inputs, const nnrt_nnie_layer_output *outputs,
                                nnrt_nnie_layer_function run, const void *user) {
    nnrt_nnie_layer layer;
    memset(&layer, 0, sizeof(layer));
    layer.size = sizeof(layer);
    layer.name = name;
    layer.inputs = inputs;
    layer.outputs = outputs;
    layer.run = run;
    layer.user = user;
    layer.input_count = layer.output_count = 1;
    return layer;
}

static void live_between(board *b, const void *user) {
    static const char *const configs[] = {"nnie.batch", "2", "nnrt.profile", "1", NULL};
    const nnrt_nnie_layer_output made = {"sums", 2, 6, 1, 1, 0}; /* the segment takes [2,1,1,6]: a row of as many */
    nnrt_nnie_layer layer = layer_of("channel sums", pool4, &made, sums, NULL);
    const nnrt_profile_step *steps = NULL;
    const golden_tensor *in, *out;
    uint32_t count = 0, i;
    size_t size;
    golden g;
    rig r;
    (void)user;
    layer.scratch_size = 64;
    reference_of(&g, b, "cpu_between");
    in = golden_find(&g, 0, false, 0);
    out = golden_find(&g, 1, true, 0);
    open_with(&r, b, "cpu_between", configs, &layer, 1);
    MUST(r.input_count == 1 && r.output_count == 1, "what goes between segments is no input and no output");
    rig_tensors(&r, b->npu);
    put(in, bytes_of(r.inputs[0], &size), 2);
    MUST_WORK(rig_run(&r));
    same_as(out, (const float *)(const void *)bytes_of(r.outputs[0], &size), out->elements);
    MUST_WORK(nnrt_executor_get_profile(r.executor, &steps, &count));
    MUST(count == 5 && strcmp(steps[2].name, "channel sums") == 0 && strcmp(steps[2].kernel, "layer") == 0 &&
             steps[2].runs == 1,
         "step 2 of %u is %s", (unsigned)count, steps[2].name);
    for (i = 0; i < count; i++)
        MUST(steps[i].runs == 1 && steps[i].total_ns == steps[i].last_ns && steps[i].min_ns == steps[i].last_ns,
             "step %u, %s: %u runs", (unsigned)i, steps[i].name, (unsigned)steps[i].runs);
    rig_end(&r);
    golden_free(&g);
}

Test(nnie_between, a_layer_of_the_program_runs_between_two_segments) { board_each(board_all, live_between, NULL); }

static OH_NN_ReturnCode fails(const nnrt_nnie_layer_call *call, const void *user) {
    (void)call;
    return user == NULL ? OH_NN_INVALID_PARAMETER : nnrt_backend_fail(OH_NN_TIMEOUT, "no anchors were given");
}

static OH_NN_ReturnCode makes_too_many(const nnrt_nnie_layer_call *call, const void *user) {
    (void)user;
    call->outputs[0].n = 3;
    return OH_NN_SUCCESS;
}

static void live_failing(board *b, const void *user) {
    static const char *const configs[] = {"nnie.batch", "2", NULL};
    const nnrt_nnie_layer_output made = {"sums", 2, 6, 1, 1, 0};
    const struct {
        nnrt_nnie_layer_function run;
        const void *user;
        OH_NN_ReturnCode code;
        const char *sentence;
    } cases[] = {{fails, NULL, OH_NN_INVALID_PARAMETER, "layer \"channel sums\" failed and gave no reason"},
                 {fails, "", OH_NN_TIMEOUT, "no anchors were given"},
                 {makes_too_many, NULL, OH_NN_UNAVAILABLE_DEVICE, "made 3 of \"sums\", and has to make 2"}};
    size_t i;
    (void)user;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const nnrt_nnie_layer layer = layer_of("channel sums", pool4, &made, cases[i].run, cases[i].user);
        rig r;
        open_with(&r, b, "cpu_between", configs, &layer, 1);
        rig_tensors(&r, b->npu);
        rig_fill(&r, 1);
        MUST_BE(cases[i].code, rig_run(&r));
        MUST(strstr(nnrt_last_error(), cases[i].sentence) != NULL, "%s", nnrt_last_error());
        rig_end(&r);
    }
}

Test(nnie_between, what_a_layer_answers_ends_the_run) {
    static const char *const chip[] = {"hi3516cv500", NULL};
    board_each(chip, live_failing, NULL);
}

/* -------------------------------------------------------------------------------------------------- boxes */

static void live_boxes_given(board *b, const void *user) {
    static const char *const configs[] = {"nnie.segments", "1", NULL};
    const int32_t four[] = {4, 4}, too_many[] = {17, 4};
    const golden_tensor *boxes;
    size_t i, size, *least = NULL, *most = NULL, rank = 0;
    golden g;
    rig r;
    (void)user;
    reference_of(&g, b, "rcnn");
    boxes = golden_boxes(&g, 1);
    open_with(&r, b, "rcnn", configs, NULL, 0);
    MUST(r.input_count == 2 && r.output_count == 2, "the map and the boxes");
    MUST_WORK(OH_NNExecutor_GetInputDimRange(r.executor, 1, &least, &most, &rank));
    MUST(rank == 2 && least[0] == 1 && most[0] == 16 && most[1] == 4, "up to %zu boxes", most[0]);
    r.inputs[0] = rig_tensor(&r, b->npu, false, 0);
    r.inputs[1] = shaped(&r, false, 1, four, 2, 0);
    for (i = 0; i < 2; i++) r.outputs[i] = shaped(&r, true, i, NULL, 0, 16 * 12 * 4);
    put(golden_find(&g, 1, false, 0), bytes_of(r.inputs[0], &size), 1);
    put(boxes, bytes_of(r.inputs[1], &size), 1);
    for (i = 0; i < 2; i++) {
        const golden_tensor *item = golden_find(&g, 1, true, (unsigned)i);
        const int32_t dims[] = {4, (int32_t)item->width};
        if (i == 0) MUST_WORK(rig_run(&r));
        same_as(item, (const float *)(const void *)bytes_of(r.outputs[i], &size), item->elements);
        shape_is(r.outputs[i], 2, dims);
    }
    MUST_WORK(OH_NNTensor_Destroy(&r.inputs[1]));
    r.inputs[1] = shaped(&r, false, 1, too_many, 2, 0);
    MUST_BE(OH_NN_INVALID_PARAMETER, rig_run(&r));
    MUST(strstr(nnrt_last_error(), "can be 1 to 16") != NULL, "%s", nnrt_last_error());
    rig_end(&r);
    golden_free(&g);
}

Test(nnie_between, boxes_may_come_from_the_program) { board_each(board_all, live_boxes_given, NULL); }

/* Gives the boxes of the reference, or none. */
static OH_NN_ReturnCode proposes(const nnrt_nnie_layer_call *call, const void *user) {
    const golden_tensor *boxes = (const golden_tensor *)user;
    const nnrt_nnie_view *scores = &call->inputs[0], *deltas = &call->inputs[1];
    if (call->input_count != 2 || scores->c != 6 || deltas->c != 12 || scores->h != 4 || scores->w != 6 ||
        call->outputs[0].n != 16)
        return nnrt_backend_fail(OH_NN_FAILED, "the maps are not those of the network");
    call->outputs[0].n = boxes != NULL ? 4 : 0;
    if (boxes != NULL) put(boxes, call->outputs[0].data, 1);
    return OH_NN_SUCCESS;
}

static const char *const maps[] = {"rpn_cls_score", "rpn_bbox_pred"};
static const nnrt_nnie_layer_output sixteen = {NNRT_NNIE_BOXES, 16, 1, 1, 4, 1};

static void live_boxes_made(board *b, const void *user) {
    const int32_t none[] = {0, 3};
    size_t i, size;
    golden g;
    rig r;
    int found;
    (void)user;
    reference_of(&g, b, "rcnn");
    for (found = 1; found >= 0; found--) {
        nnrt_nnie_layer layer = layer_of("proposal", maps, &sixteen, proposes, found ? golden_boxes(&g, 1) : NULL);
        const unsigned before = b->calls("HI_MPI_SVP_NNIE_ForwardWithBbox");
        layer.input_count = 2;
        open_with(&r, b, "rcnn", NULL, &layer, 1);
        MUST(r.input_count == 1 && r.output_count == 2, "a picture in, classes and deltas out");
        r.inputs[0] = rig_tensor(&r, b->npu, false, 0);
        for (i = 0; i < 2; i++) r.outputs[i] = shaped(&r, true, i, NULL, 0, 16 * 12 * 4);
        put(golden_find(&g, 0, false, 0), bytes_of(r.inputs[0], &size), 1);
        MUST_WORK(rig_run(&r));
        MUST(b->calls("HI_MPI_SVP_NNIE_ForwardWithBbox") == before + (unsigned)found, "the segment behind no box runs");
        for (i = 0; i < 2 && found; i++) {
            const golden_tensor *item = golden_find(&g, 1, true, (unsigned)i);
            same_as(item, (const float *)(const void *)bytes_of(r.outputs[i], &size), item->elements);
        }
        if (!found) shape_is(r.outputs[0], 2, none);
        rig_end(&r);
    }
    golden_free(&g);
}

Test(nnie_between, boxes_come_from_a_layer_and_without_any_the_segment_behind_it_is_left_out) {
    board_each(board_all, live_boxes_made, NULL);
}

/* ---------------------------------------------------------------------------------------------- sequences */

static void live_step_counts(board *b, const void *user) {
    static const char *const configs[] = {"nnie.batch", "3", "nnie.step_counts", "1", NULL};
    const int32_t input_shape[] = {3, 4, 6}, output_shape[] = {3, 4, 4};
    const golden_tensor *in, *state, *out, *last;
    size_t size, n, t, k, row = 0;
    int32_t wrong[3] = {3, 0, 4};
    golden g;
    rig r;
    float *data;
    (void)user;
    reference_of(&g, b, "lstm");
    in = golden_find(&g, 0, false, 0);
    state = golden_find(&g, 0, false, 1);
    out = golden_find(&g, 0, true, 0);
    last = golden_find(&g, 0, true, 1);
    open_with(&r, b, "lstm", configs, NULL, 0);
    MUST(r.input_count == 3 && r.output_count == 2, "sequences, a state, and how many steps");
    r.inputs[0] = shaped(&r, false, 0, input_shape, 3, 0);
    r.inputs[1] = rig_tensor(&r, b->npu, false, 1);
    r.inputs[2] = rig_tensor(&r, b->npu, false, 2);
    r.outputs[0] = shaped(&r, true, 0, NULL, 0, 3 * 4 * 4 * 4);
    r.outputs[1] = rig_tensor(&r, b->npu, true, 1);
    data = (float *)(void *)bytes_of(r.inputs[0], &size);
    for (k = 0; k < size / 4; k++) data[k] = NAN; /* behind a sequence nothing is read */
    for (n = 0; n < 3; n++)
        for (t = 0; t < in->steps[n]; t++, row++)
            for (k = 0; k < 6; k++) data[(n * 4 + t) * 6 + k] = (float)golden_at(in, row * 6 + k) / 4096.0f;
    put(state, bytes_of(r.inputs[1], &size), 3);
    for (n = 0; n < 3; n++) memcpy(bytes_of(r.inputs[2], &size) + 4 * n, &in->steps[n], 4);
    MUST_WORK(rig_run(&r));
    shape_is(r.outputs[0], 3, output_shape);
    data = (float *)(void *)bytes_of(r.outputs[0], &size);
    for (row = 0, n = 0; n < 3; n++)
        for (t = 0; t < 4; t++)
            for (k = 0; k < 4; k++) {
                const float is = data[(n * 4 + t) * 4 + k];
                if (t >= in->steps[n]) MUST(is == 0.0f, "behind sequence %zu", n);
                else MUST(fabsf(is * 4096.0f - (float)golden_at(out, row++)) < 1.01f, "sequence %zu, step %zu", n, t);
            }
    same_as(last, (const float *)(const void *)bytes_of(r.outputs[1], &size), last->elements);
    memcpy(bytes_of(r.inputs[2], &size), wrong, sizeof(wrong));
    MUST_BE(OH_NN_INVALID_PARAMETER, rig_run(&r));
    MUST(strstr(nnrt_last_error(), "sequence 1 has 0 steps; 1 to 4 are possible") != NULL, "%s", nnrt_last_error());
    rig_end(&r);
    golden_free(&g);
}

Test(nnie_between, sequences_of_different_lengths_are_packed) { board_each(board_all, live_step_counts, NULL); }

/* One sequence, its steps by the shape of the tensor and by a config: the same numbers. */
static void live_steps(board *b, const void *user) {
    static const char *const fixed[] = {"nnie.steps", "4", NULL};
    const int32_t shape[] = {1, 4, 6};
    float results[2][4 * 4 + 5];
    size_t size, k;
    golden g;
    rig r;
    int i;
    (void)user;
    reference_of(&g, b, "lstm");
    for (i = 0; i < 2; i++) {
        open_with(&r, b, "lstm", i == 0 ? NULL : fixed, NULL, 0);
        if (i == 0) { /* the number of steps is the program's */
            NN_TensorDesc *desc = rig_desc(&r, false, 0);
            int32_t *dims = NULL;
            size_t rank;
            MUST_WORK(OH_NNTensorDesc_GetShape(desc, &dims, &rank));
            MUST(rank == 3 && dims[0] == 1 && dims[1] == -1, "[%d,%d]", (int)dims[0], (int)dims[1]);
            MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
        }
        r.inputs[0] = i == 0 ? shaped(&r, false, 0, shape, 3, 0) : rig_tensor(&r, b->npu, false, 0);
        r.inputs[1] = rig_tensor(&r, b->npu, false, 1);
        r.outputs[0] = i == 0 ? shaped(&r, true, 0, NULL, 0, 64) : rig_tensor(&r, b->npu, true, 0);
        r.outputs[1] = rig_tensor(&r, b->npu, true, 1);
        for (k = 0; k < 24; k++) { /* the third sequence of the reference, which has four steps */
            const float real = (float)golden_at(golden_find(&g, 0, false, 0), 24 + k) / 4096.0f;
            memcpy(bytes_of(r.inputs[0], &size) + 4 * k, &real, 4);
        }
        for (k = 0; k < 5; k++) {
            const float real = (float)golden_at(golden_find(&g, 0, false, 1), 10 + k) / 4096.0f;
            memcpy(bytes_of(r.inputs[1], &size) + 4 * k, &real, 4);
        }
        MUST_WORK(rig_run(&r));
        memcpy(results[i], bytes_of(r.outputs[0], &size), 64);
        memcpy(results[i] + 16, bytes_of(r.outputs[1], &size), 20);
        rig_end(&r);
    }
    for (k = 0; k < 16; k++)
        MUST(fabsf(results[0][k] * 4096.0f - (float)golden_at(golden_find(&g, 0, true, 0), 16 + k)) < 1.01f,
             "value %zu", k);
    MUST(memcmp(results[0], results[1], sizeof(results[0])) == 0, "the same either way");
    golden_free(&g);
}

Test(nnie_between, the_steps_of_sequences_come_from_the_shape_or_a_config) { board_each(board_all, live_steps, NULL); }

/* ----------------------------------------------------------------------------------------------- refusals */

typedef struct refusal {
    const char *model;
    const char *configs[5];
    const nnrt_nnie_layer *layers;
    size_t count;
    const char *sentence;
} refusal;

static void live_refusals(board *b, const void *user) {
    static const char *const nowhere[] = {"pool5"};
    static const char *const unnamed[] = {NULL};
    const nnrt_nnie_layer_output right = {"sums", 1, 6, 1, 1, 0}, other = {"sums", 1, 5, 1, 1, 0},
                                 more = {"sums", 2, 6, 1, 1, 0}, open = {"sums", 1, 6, 1, 1, 1},
                                 empty = {"sums", 1, 0, 1, 1, 0}, huge = {"sums", 1, 70000, 70000, 1, 0},
                                 taken = {"pool4", 1, 6, 1, 1, 0}, boxes_of_3 = {NNRT_NNIE_BOXES, 16, 1, 1, 3, 1},
                                 many_boxes = {NNRT_NNIE_BOXES, 17, 1, 1, 4, 1};
    nnrt_nnie_layer l[14];
    const refusal refusals[] = {
        {"cpu_between", {NULL}, NULL, 0, "input \"sums\" of segment 1 comes from no segment before it"},
        {"cpu_between", {NULL}, &l[0], 1, "is 1 x 5 x 1 x 1, and the segment takes 1 x 1 x 1 x 6"},
        {"cpu_between", {NULL}, &l[1], 1, "is 2 x 6 x 1 x 1, and the segment takes 1 x"},
        {"cpu_between", {NULL}, &l[2], 1, "\"sums\" varies, and an input of a segment does not"},
        {"cpu_between", {NULL}, &l[3], 1, "an output of 0, or of more than 2^28 values"},
        {"cpu_between", {NULL}, &l[4], 1, "an output of 0, or of more than 2^28 values"},
        {"cpu_between", {NULL}, &l[5], 1, "makes \"pool4\", which is made already"},
        {"cpu_between", {NULL}, &l[6], 1, "input \"pool5\" of layer \"l\" is no output of a segment"},
        {"cpu_between", {NULL}, &l[7], 1, "has an input without name"},
        {"cpu_between", {NULL}, &l[8], 1, "runs after a segment that does not run"},
        {"cpu_between", {NULL}, &l[9], 1, "its size is wrong"},
        {"cpu_between", {NULL}, &l[10], 1, "has no function run"},
        {"cpu_between", {NULL}, &l[11], 1, "has no name"},
        {"rcnn", {NULL}, &l[12], 1, "are at most 16 rows of 4 values"},
        {"rcnn", {NULL}, &l[13], 1, "are at most 16 rows of 4 values"},
        {"rcnn", {"nnie.batch", "2", NULL}, NULL, 0, "nnie.batch is 2, and segments with boxes take one frame"},
        {"rcnn", {"nnie.max_boxes", "17", NULL}, NULL, 0, "nnie.max_boxes is 17, and the model takes 16"},
        {"rcnn", {"nnie.segments", "2", NULL}, NULL, 0, "the model has 2, 0 to 1"},
        {"lstm", {"nnie.steps", "1000", NULL}, NULL, 0, "sequences of the model have at most"},
        {"meter", {"nnie.step_counts", "1", NULL}, NULL, 0, "the model has no sequences"},
        {"meter", {"nnie.pixels", "nv12", NULL}, NULL, 0, "the model has no input of YVU pixels"},
        {"same_yuv420", {"nnie.pixels", "rgb", NULL}, NULL, 0, "the model has no input of U8 pixels"},
        {"meter", {"nnie.io_layout", "native", "nnie.pixels", "bgr", NULL}, NULL, 0, "cannot change them"}};
    const nnrt_nnie_layer_output *const outputs[] = {&other, &more,       &open,       &empty,     &huge,
                                                     &taken, &right,      &right,      &right,     &right,
                                                     &right, &boxes_of_3, &boxes_of_3, &many_boxes};
    size_t i;
    (void)user;
    for (i = 0; i < 14; i++) l[i] = layer_of("l", i < 12 ? pool4 : maps, outputs[i], sums, NULL);
    l[6].inputs = nowhere;
    l[7].inputs = unnamed;
    l[8].after = 2;
    l[9].size--;
    l[10].run = NULL;
    l[11].name = "";
    for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        rig r;
        OH_NN_ReturnCode code;
        begin(&r, b, refusals[i].model, refusals[i].configs, refusals[i].layers, refusals[i].count);
        code = OH_NNCompilation_Build(r.compilation);
        MUST(code == OH_NN_FAILED && strstr(nnrt_last_error(), refusals[i].sentence) != NULL, "%zu: %s: %s", i,
             nnrt_strerror(code), nnrt_last_error());
        rig_end(&r);
    }
}

static OH_NN_ReturnCode no_layer(const nnrt_nnie_layer_call *call, const void *user) {
    (void)call;
    (void)user;
    return OH_NN_SUCCESS;
}

/* Counts and sizes at their edges; a layer without inputs needs no list of them. */
Test(nnie_between, a_layer_is_taken_up_to_its_limits_and_refused_one_behind_them) {
    static const char *names[17];
    static nnrt_nnie_layer_output outputs[17];
    static const struct {
        uint32_t inputs, outputs, n, c, h, w, after;
        bool taken;
    } rows[] = {{16, 16, 1, 1, 1, 1, 1, true},
                {17, 1, 1, 1, 1, 1, 1, false},
                {1, 17, 1, 1, 1, 1, 1, false},
                {1, 0, 1, 1, 1, 1, 1, false},
                {0, 1, 1, 1, 1, 1, 1, true},
                {1, 1, 1u << 28, 1, 1, 1, 1, true},
                {1, 1, (1u << 28) + 1, 1, 1, 1, 1, false},
                {1, 1, 1, 1u << 28, 1, 1, 1, true},
                {1, 1, 1, (1u << 28) + 1, 1, 1, 1, false},
                {1, 1, 1, 1, 1u << 28, 1, 1, true},
                {1, 1, 1, 1, (1u << 28) + 1, 1, 1, false},
                {1, 1, 1, 1, 1, 1u << 28, 1, true},
                {1, 1, 1, 1, 1, (1u << 28) + 1, 1, false},
                {1, 1, 1u << 14, 1u << 14, 1, 1, 1, true},
                {1, 1, 1u << 14, (1u << 14) + 1, 1, 1, 1, false},
                {1, 1, 1u << 10, 1u << 9, 1u << 9, 1, 1, true},
                {1, 1, 1u << 10, 1u << 9, (1u << 9) + 1, 1, 1, false},
                {1, 1, 1u << 7, 1u << 7, 1u << 7, 1u << 7, 1, true},
                {1, 1, 1u << 7, 1u << 7, 1u << 7, (1u << 7) + 1, 1, false},
                {1, 1, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, false},
                {1, 1, 1u << 28, 1u << 28, 1u << 8, 1, 1, false}, /* 2^64: 0 */
                {1, 1, 0, 1, 1, 1, 1, false},
                {1, 1, 1, 0, 1, 1, 1, false},
                {1, 1, 1, 1, 0, 1, 1, false},
                {1, 1, 1, 1, 1, 0, 1, false},
                {1, 1, 1, 1, 1, 1, 0, false},
                {1, 1, 1, 1, 1, 1, 2, true},
                {1, 1, 1, 1, 1, 1, 3, false}};
    nnrt__nnie_prepared model;
    size_t i, k;
    memset(&model, 0, sizeof(model));
    model.options.first_segment = 1;
    model.options.last_segment = 2;
    for (k = 0; k < 17; k++) names[k] = "in";
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        nnrt_nnie_layer layer;
        memset(&layer, 0, sizeof(layer));
        for (k = 0; k < 17; k++) {
            outputs[k].name = "out";
            outputs[k].n = rows[i].n, outputs[k].c = rows[i].c, outputs[k].h = rows[i].h, outputs[k].w = rows[i].w;
        }
        layer.size = sizeof(layer);
        layer.name = "layer";
        layer.after = rows[i].after;
        layer.inputs = rows[i].inputs != 0 ? names : NULL;
        layer.input_count = rows[i].inputs;
        layer.outputs = outputs;
        layer.output_count = rows[i].outputs;
        layer.run = no_layer;
        cr_expect_eq(nnrt__nnie_check_layer(&model, &layer, 0) == OH_NN_SUCCESS, rows[i].taken, "row %zu: %s", i,
                     nnrt_last_error());
        layer.inputs = NULL;
        cr_expect_eq(nnrt__nnie_check_layer(&model, &layer, 0) == OH_NN_SUCCESS, rows[i].taken && rows[i].inputs == 0);
        layer.inputs = names, layer.outputs = NULL;
        cr_expect_neq(nnrt__nnie_check_layer(&model, &layer, 0), OH_NN_SUCCESS);
    }
}

/* A layer's output is a row of values where it is one, else a map. */
Test(nnie_between, an_output_of_a_layer_has_two_dimensions_where_it_is_a_row) {
    static const struct {
        uint32_t n, c, h, w, rank;
    } rows[] = {{2, 1, 1, 5, 2}, {2, 3, 1, 5, 4}, {2, 1, 3, 5, 4}, {2, 3, 4, 5, 4}, {1, 1, 1, 1, 2}};
    size_t i;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        nnrt__nnie_value value;
        nnrt__nnie_port port;
        memset(&value, 0, sizeof(value));
        memset(&port, 0, sizeof(port));
        value.n = rows[i].n, value.c = rows[i].c, value.h = rows[i].h, value.w = rows[i].w;
        nnrt__nnie_describe_reals(&value, &port);
        cr_expect_eq(port.desc.rank, rows[i].rank, "row %zu", i);
        cr_expect_eq(port.desc.dims[0], (int32_t)rows[i].n);
        cr_expect_eq(port.desc.dims[1], (int32_t)(rows[i].rank == 2 ? rows[i].w : rows[i].c), "row %zu", i);
        cr_expect_eq(port.desc.format, rows[i].rank == 2 ? OH_NN_FORMAT_NONE : OH_NN_FORMAT_NCHW);
        if (rows[i].rank == 4)
            cr_expect(port.desc.dims[2] == (int32_t)rows[i].h && port.desc.dims[3] == (int32_t)rows[i].w);
    }
}

static nnrt__nnie_node node_of(nnrt__nnie_blob_type type, uint32_t width, uint32_t height, uint32_t channels) {
    nnrt__nnie_node node;
    memset(&node, 0, sizeof(node));
    node.type = type;
    node.width = width;
    node.height = height;
    node.channels = channels;
    return node;
}

/* A feature map of one row is a vector; a picture and a sequence are nothing else. */
Test(nnie_between, two_descriptions_mean_the_same_bytes_where_only_the_name_of_the_type_differs) {
    static const nnrt__nnie_blob_type types[] = {NNRT__NNIE_S32,      NNRT__NNIE_U8,      NNRT__NNIE_YVU420SP,
                                                 NNRT__NNIE_YVU422SP, NNRT__NNIE_VEC_S32, NNRT__NNIE_SEQ_S32};
    size_t i, k;
    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        for (k = 0; k < sizeof(types) / sizeof(types[0]); k++) {
            const bool free_i = types[i] == NNRT__NNIE_S32 || types[i] == NNRT__NNIE_VEC_S32;
            const bool free_k = types[k] == NNRT__NNIE_S32 || types[k] == NNRT__NNIE_VEC_S32;
            const nnrt__nnie_node a = node_of(types[i], 8, 1, 3), b = node_of(types[k], 8, 1, 3);
            const nnrt__nnie_node others[3] = {node_of(types[k], 9, 1, 3), node_of(types[k], 8, 2, 3),
                                               node_of(types[k], 8, 1, 4)};
            size_t o;
            cr_expect_eq(nnrt__nnie_same_bytes(&a, &b), i == k || (free_i && free_k), "types %d and %d", (int)types[i],
                         (int)types[k]);
            for (o = 0; o < 3; o++) cr_expect_not(nnrt__nnie_same_bytes(&a, &others[o]));
        }
}

/* Blobs of the engine, and all values between segments, are below 2 GiB. */
Test(nnie_between, a_blob_that_takes_2_gib_is_refused_whichever_of_its_factors_does_it) {
    static const struct {
        uint32_t width, height, channels, batch;
        bool taken;
    } rows[] = {{16, 1, 1, 1, true},
                {4096, 32767, 4, 1, true},
                {4096, 32768, 4, 1, false},
                {4096, 32767, 1, 4, true},
                {4096, 32768, 1, 4, false},
                {0x20000000u, 1, 1, 1, false},
                {1, 0x80000000u, 1, 1, false},
                {1, 0x10000u, 0x10000u, 1, false},
                {0xffffffffu, 0xffffffffu, 1, 1, false},
                {0xffffffffu, 0xffffffffu, 0xffffffffu, 256, false}};
    nnrt__nnie_prepared model;
    size_t i;
    memset(&model, 0, sizeof(model));
    model.options.alignment = 16;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const nnrt__nnie_node node = node_of(NNRT__NNIE_S32, rows[i].width, rows[i].height, rows[i].channels);
        nnrt__nnie_value value;
        memset(&value, 0, sizeof(value));
        model.options.batch = rows[i].batch;
        cr_expect_eq(nnrt__nnie_shape_blob(&model, &node, &value), rows[i].taken ? OH_NN_SUCCESS : OH_NN_FAILED,
                     "row %zu", i);
        if (rows[i].taken)
            cr_expect_eq(value.bytes, 4 * rows[i].width * rows[i].height * rows[i].channels * rows[i].batch);
    }
}

Test(nnie_between, values_between_segments_take_less_than_2_gib_together) {
    static const struct {
        uint32_t h; /* of 2^20 values each, of two values */
        uint32_t bytes;
        bool taken;
    } rows[] = {{128, 64, true}, {255, 64, true}, {256, 64, false}, {1, 0x3fffffc0u, true}, {1, 0x7fffffc0u, false}};
    nnrt__nnie_prepared model;
    nnrt__nnie_value values[2];
    size_t i, k;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        memset(&model, 0, sizeof(model));
        memset(values, 0, sizeof(values));
        model.values = values;
        model.value_count = 2;
        for (k = 0; k < 2; k++) {
            values[k].has_blob = values[k].has_reals = true;
            values[k].bytes = rows[i].bytes;
            values[k].n = values[k].c = 1u << 5;
            values[k].w = 1u << 10;
            values[k].h = rows[i].h;
        }
        cr_expect_eq(nnrt__nnie_lay_out(&model), rows[i].taken ? OH_NN_SUCCESS : OH_NN_FAILED, "row %zu", i);
        if (rows[i].taken) cr_expect_eq(values[1].reals, (size_t)rows[i].h << 20);
    }
}

/* Nodes of one name are told apart by numbers that a later segment does not know. */
Test(nnie_between, a_node_is_the_first_of_its_name_in_the_newest_segment_that_has_it) {
    static const struct {
        const char *name;
        uint32_t segment;
    } made[] = {{"map", NNRT__NNIE_NONE}, {"map", 0}, {"other", 0}, {"map", 1}, {"map", 1}, {"other", 1}, {"last", 2}};
    static const struct {
        const char *name;
        uint32_t count, found;
    } rows[] = {{"map", 7, 3},   {"map", 3, 1},  {"map", 1, NNRT__NNIE_NONE}, {"other", 7, 5},
                {"other", 5, 2}, {"last", 7, 6}, {"last", 6, NNRT__NNIE_NONE}};
    nnrt__nnie_prepared model;
    nnrt__nnie_value values[7];
    nnrt__nnie_node node;
    size_t i;
    memset(&model, 0, sizeof(model));
    memset(values, 0, sizeof(values));
    memset(&node, 0, sizeof(node));
    model.values = values;
    for (i = 0; i < 7; i++) {
        (void)snprintf(values[i].node.name, sizeof(values[i].node.name), "%s", made[i].name);
        values[i].segment = made[i].segment;
    }
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        model.value_count = rows[i].count;
        (void)snprintf(node.name, sizeof(node.name), "%s", rows[i].name);
        cr_expect_eq(nnrt__nnie_find_node(&model, &node), rows[i].found, "row %zu", i);
    }
}

Test(nnie_between, a_segment_with_boxes_for_which_the_library_tells_no_roi_layer_is_refused) {
    static nnrt__nnie_model loaded; /* zero: the first segment runs, and nothing else */
    static nnrt__nnie_prepared model;
    loaded.segment[0].type = NNRT__NNIE_NET_ROI;
    loaded.roi_pool[0].max_boxes = 300;
    model.loaded = &loaded;
    model.options.batch = 1;
    cr_assert_eq((int)nnrt__nnie_measure(&model), OH_NN_FAILED);
    cr_assert_not_null(strstr(nnrt__sentence(), "no ROI layer in segment 0"), "%s", nnrt__sentence());
    loaded.segment[0].roi_layers = 1;
    cr_assert_eq((int)nnrt__nnie_measure(&model), OH_NN_SUCCESS, "%s", nnrt__sentence());
    cr_assert_eq(model.max_boxes, 300);
}

Test(nnie_between, segments_are_one_or_a_range_of_0_to_7) {
    static const struct {
        const char *text;
        bool taken;
        uint32_t first, last;
    } rows[] = {{"0", true, 0, 0},    {"7", true, 7, 7},    {"0-7", true, 0, 7},   {"7-7", true, 7, 7},
                {"2-5", true, 2, 5},  {"8", false, 0, 0},   {"0-8", false, 0, 0},  {"8-8", false, 0, 0},
                {"5-4", false, 0, 0}, {"-1", false, 0, 0},  {"1-", false, 0, 0},   {"-", false, 0, 0},
                {"", false, 0, 0},    {"0-9", false, 0, 0}, {"0-77", false, 0, 0}, {"1-2-3", false, 0, 0}};
    size_t i;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t first = 99, last = 99;
        const bool taken = nnrt__nnie_parse_segments(rows[i].text, strlen(rows[i].text), &first, &last);
        cr_expect_eq(taken, rows[i].taken, "%s", rows[i].text);
        if (taken) cr_expect(first == rows[i].first && last == rows[i].last, "%s", rows[i].text);
    }
}

Test(nnie_between, a_tensor_of_a_program_has_less_than_2_gib) {
    static const struct {
        OH_NN_DataType dtype;
        size_t rank;
        int32_t dims[4];
        uint32_t bytes; /* 0: too many */
    } rows[] = {{OH_NN_FLOAT32, 4, {2, 3, 4, 5}, 480},
                {OH_NN_UINT8, 2, {7, 5}, 35},
                {OH_NN_UINT8, 1, {7, 5}, 7},
                {OH_NN_UINT8, 2, {INT32_MAX, 1}, INT32_MAX},
                {OH_NN_UINT8, 2, {1, INT32_MAX}, INT32_MAX},
                {OH_NN_UINT8, 2, {INT32_MAX, 2}, 0},
                {OH_NN_FLOAT32, 2, {1 << 14, 1 << 15}, 0},
                {OH_NN_FLOAT32, 4, {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX}, 0}};
    size_t i;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        nnrt_io_desc desc;
        memset(&desc, 0, sizeof(desc));
        desc.dtype = rows[i].dtype;
        desc.rank = (uint32_t)rows[i].rank;
        memcpy(desc.dims, rows[i].dims, sizeof(rows[i].dims));
        cr_expect_eq(nnrt__nnie_outside_size(&desc), rows[i].bytes, "row %zu", i);
    }
}

Test(nnie_between, what_cannot_work_is_refused_by_build_with_a_reason) {
    static const char *const chip[] = {"hi3516cv500", NULL};
    board_each(chip, live_refusals, NULL);
}
