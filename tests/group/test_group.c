/* SPDX-License-Identifier: Apache-2.0 */
/* test_group.c - groups: what is refused and why, what a frame computes, lists of items, plugins, memory, faults. All
   of it holds without threads, too; test_group_threads.c has what needs them. */
#include "linked.h"

#include "group_devices.h"

enum {
    IMAGE = 16, /* elements of what the detector reads */
    BOXES = 4,  /* of what it writes */
    CROP = 8,
    CLASSES = 2,
    MOST = 6 /* boxes of one frame */
};

/* ----------------------------------------------------------------- the three stages that most tests are about */

/* Element 0 of the boxes says how many there are; crop k is what the image has at k, k + 1 ... */
static OH_NN_ReturnCode crop(void *user, nnrt_group_call *call) {
    const float *image = (const float *)OH_NNTensor_GetDataBuffer(call->inputs[0].tensors[0]);
    const float *boxes = (const float *)OH_NNTensor_GetDataBuffer(call->inputs[1].tensors[0]);
    uint32_t k, i;
    if (user != NULL) ++*(int *)user;
    cr_assert(call->inputs[0].count == 1 && call->inputs[1].count == 1 && call->outputs[0].count == MOST);
    cr_assert(call->item == 0 && call->item_count == 0);
    if (boxes[0] < 0) return nnrt_backend_fail(OH_NN_FAILED, "crop: a negative number of boxes");
    if (boxes[0] > 1000) return OH_NN_UNSUPPORTED; /* without a sentence */
    call->item_count = (uint32_t)boxes[0];
    for (k = 0; k < call->item_count && k < MOST; k++)
        for (i = 0; i < CROP; i++)
            ((float *)OH_NNTensor_GetDataBuffer(call->outputs[0].tensors[k]))[i] = image[(k + i) % IMAGE];
    return OH_NN_SUCCESS;
}

static const nnrt_group_port crop_inputs[2] = {{"image", false, OH_NN_FLOAT32, 1, {IMAGE}},
                                               {"boxes", false, OH_NN_UNKNOWN, 0, {0}}};
static const nnrt_group_port crop_outputs[1] = {{"crop", true, OH_NN_FLOAT32, 1, {CROP}}};
static const nnrt_group_function cropper = {"crop", crop_inputs, 2, crop_outputs, 1, MOST, false, NULL, crop};
static const nnrt_group_port image_port = {"image", false, OH_NN_UNKNOWN, 0, {0}};

static nnrt_scheduler *scheduler;
static nnrt_group *group;
static nnrt_frame *frame;

static void begin(void) {
    (void)gd_id(0), (void)gd_id(1), (void)gd_id(2);
    OK(nnrt_scheduler_create(2, &scheduler));
    OK(nnrt_group_create(scheduler, "three stages", NNRT_GROUP_PRIORITY_MEDIUM, &group));
}

static void end(void) {
    if (frame != NULL) OK(nnrt_frame_release(frame));
    frame = NULL;
    if (group != NULL) OK(nnrt_group_destroy(&group));
    OK(nnrt_scheduler_destroy(&scheduler));
    cr_assert_null(scheduler);
    gd_all_gone();
}

/* Adds a model and forgets the compilation. */
static OH_NN_ReturnCode add_model(const char *name, int device, int32_t from, int32_t to) {
    OH_NNCompilation *compilation = gd_model_1(device, from, to);
    OH_NN_ReturnCode code;
    if (compilation == NULL) return OH_NN_MEMORY_ERROR;
    code = nnrt_group_add_model(group, name, compilation);
    OH_NNCompilation_Destroy(&compilation);
    return code;
}

static OH_NN_ReturnCode build_three(uint32_t frames) {
    OH_NN_ReturnCode code = nnrt_group_add_input(group, &image_port);
    if (code == OH_NN_SUCCESS) code = add_model("detector", 0, IMAGE, BOXES);
    if (code == OH_NN_SUCCESS) code = nnrt_group_add_connector(group, "crop", &cropper, NULL);
    if (code == OH_NN_SUCCESS) code = add_model("classifier", 1, CROP, CLASSES);
    if (code == OH_NN_SUCCESS) code = nnrt_group_connect(group, "image", "detector");
    if (code == OH_NN_SUCCESS) code = nnrt_group_connect(group, "image", "crop.image");
    if (code == OH_NN_SUCCESS) code = nnrt_group_connect(group, "detector.out", "crop.boxes");
    if (code == OH_NN_SUCCESS) code = nnrt_group_connect(group, "crop.crop", "classifier.in");
    if (code == OH_NN_SUCCESS) code = nnrt_group_add_output(group, "classifier");
    if (code == OH_NN_SUCCESS) code = nnrt_group_add_output(group, "detector.#0");
    if (code == OH_NN_SUCCESS) code = nnrt_group_finish(group, frames);
    return code;
}

static float *input(size_t index) {
    float *data = (float *)OH_NNTensor_GetDataBuffer(nnrt_frame_get_input(frame, index));
    cr_assert_not_null(data, "%s", nnrt_last_error());
    return data;
}

static float output(size_t index, uint32_t item, size_t element) {
    NN_Tensor *tensor = nnrt_frame_get_output(frame, index, item);
    cr_assert_not_null(tensor, "%s", nnrt_last_error());
    return ((const float *)OH_NNTensor_GetDataBuffer(tensor))[element];
}

/* An image with which the detector, which adds 1, finds boxes. */
static void write_image(int boxes) {
    int i;
    for (i = 0; i < IMAGE; i++) input(0)[i] = (float)(boxes - 1 + i);
}

static void check_three(int boxes) {
    uint32_t count = 99, k;
    OK(nnrt_frame_get_output_count(frame, 0, &count));
    cr_assert_eq(count, (uint32_t)boxes);
    for (k = 0; k < count; k++) {
        cr_assert_eq(output(0, k, 0), (float)(boxes - 1) + (float)k + 1);
        cr_assert_eq(output(0, k, 1), (float)(boxes - 1) + (float)k + 2);
    }
    REFUSED_NULL(nnrt_frame_get_output(frame, 0, count), "there is no item");
    OK(nnrt_frame_get_output_count(frame, 1, &count));
    cr_assert_eq(count, 1);
    cr_assert_eq(output(1, 0, 3), (float)boxes + 3);
}

Test(group, a_detector_a_connector_that_crops_and_a_classifier_give_one_result_per_box) {
    int boxes;
    begin();
    OK(build_three(2));
    OK(nnrt_frame_acquire(group, 0, &frame));
    for (boxes = 0; boxes <= MOST; boxes++) {
        write_image(boxes);
        OK(nnrt_frame_forward_sync(frame, (uint64_t)boxes));
        check_three(boxes);
    }
    for (boxes = 0; boxes < MOST; boxes++) /* one device runs the items in their order; the last frame had MOST */
        cr_assert_eq(gd_devices[1].log[MOST * (MOST - 1) / 2 + boxes], (float)(MOST - 1 + boxes));
    end();
}

Test(group, a_frame_allocates_nothing) {
    size_t calls;
    int i;
    begin();
    OK(build_three(1));
    for (i = 0; i < 20; i++) {
        if (i == 2) calls = counting_calls(); /* what a thread or a device takes once */
        OK(nnrt_frame_acquire(group, 0, &frame));
        write_image(i % (MOST + 1));
        OK(nnrt_frame_forward_sync(frame, 1));
        OK(nnrt_frame_release(frame));
        frame = NULL;
    }
    cr_assert_eq(counting_calls(), calls);
    end();
}

Test(group, every_allocation_may_be_refused_and_nothing_is_left_behind) {
    long n;
    begin();
    end();
    for (n = 0;; n++) {
        OH_NN_ReturnCode code;
        bool refused;
        counting_fail_at(n);
        code = nnrt_scheduler_create(2, &scheduler);
        if (code == OH_NN_SUCCESS)
            code = nnrt_group_create(scheduler, "three stages", NNRT_GROUP_PRIORITY_HIGH, &group);
        if (code == OH_NN_SUCCESS) code = build_three(2);
        refused = counting_failed();
        counting_fail_never();
        if (!refused) {
            OK(code);
            break;
        }
        cr_assert(code == OH_NN_MEMORY_ERROR || code == OH_NN_FAILED, "%ld: %d", n, (int)code);
        cr_assert_not_null(strstr(nnrt_last_error(), "out of memory"), "%ld: %s", n, nnrt_last_error());
        cr_assert((scheduler == NULL) <= (group == NULL));
        if (group != NULL) OK(nnrt_group_destroy(&group));
        if (scheduler != NULL) OK(nnrt_scheduler_destroy(&scheduler));
        gd_all_gone();
    }
    cr_assert_gt(n, 30);
    end();
}

/* Each of the allocations of a call refused in turn, all of them answered alike. */
#define EVERY_REFUSAL_IS_MEMORY(call)                                                            \
    do {                                                                                         \
        OH_NN_ReturnCode code_ = OH_NN_FAILED;                                                   \
        long n_ = 0;                                                                             \
        for (; code_ != OH_NN_SUCCESS; n_++) {                                                   \
            counting_fail_at(n_);                                                                \
            code_ = (call);                                                                      \
            if (!counting_failed()) OK(code_);                                                   \
            else cr_assert_eq((int)code_, OH_NN_MEMORY_ERROR, "%ld: %s", n_, nnrt_last_error()); \
            counting_fail_never();                                                               \
        }                                                                                        \
        cr_assert_gt(n_, 1);                                                                     \
    } while (0)

Test(group, a_device_without_memory_for_its_workers_or_executors_is_told_as_such) {
    OH_NNCompilation *built;
    begin();
    built = gd_model_1(0, IMAGE, BOXES);
    EVERY_REFUSAL_IS_MEMORY(nnrt_scheduler_set_device_workers(scheduler, gd_id(0), 3));
    EVERY_REFUSAL_IS_MEMORY(nnrt_group_add_model(group, "detector", built));
    OH_NNCompilation_Destroy(&built);
    built = gd_model_1(1, IMAGE, BOXES);
    EVERY_REFUSAL_IS_MEMORY(nnrt_group_add_replica(group, "detector", built));
    OH_NNCompilation_Destroy(&built);
    end();
}

Test(group, a_compilation_that_is_not_built_is_refused_as_a_parameter) {
    OH_NNCompilation *built, *not_built = OH_NNCompilation_ConstructWithOfflineModelFile("model.rknn");
    cr_assert_not_null(not_built);
    begin();
    built = gd_model_1(0, IMAGE, BOXES);
    REFUSED(nnrt_group_add_model(group, "detector", not_built), IP, "nnrt_group_add_model");
    OK(nnrt_group_add_model(group, "detector", built));
    REFUSED(nnrt_group_add_replica(group, "detector", not_built), IP, "nnrt_group_add_replica");
    OH_NNCompilation_Destroy(&built);
    OH_NNCompilation_Destroy(&not_built);
    end();
}

Test(group, a_finish_that_found_no_memory_may_be_repeated) {
    long n;
    OH_NN_ReturnCode code = OH_NN_FAILED;
    begin();
    REFUSED(build_three(NNRT_GROUP_MOST_FRAMES + 1), IP, "frames is 65");
    for (n = 0; code != OH_NN_SUCCESS; n++) {
        counting_fail_at(n);
        code = nnrt_group_finish(group, 3);
        counting_fail_never();
    }
    cr_assert_gt(n, 30);
    OK(nnrt_frame_acquire(group, 0, &frame));
    write_image(3);
    OK(nnrt_frame_forward_sync(frame, 7));
    check_three(3);
    end();
}

/* ----------------------------------------------------------------------------------------------- refusals */

Test(group, arguments_that_are_missing_are_named) {
    OH_NNCompilation *model;
    nnrt_group *taken;
    nnrt_scheduler *taken_scheduler;
    nnrt_group_memory memory = {NULL, NULL, NULL, NULL};
    nnrt_group_statistics of_group;
    nnrt_stage_statistics of_stage;
    nnrt_device_statistics of_device;
    const size_t *ids = NULL;
    uint32_t count = 0;
    begin();
    taken = group;
    taken_scheduler = scheduler;
    model = gd_model_1(0, 4, 4);
    REFUSED(nnrt_scheduler_create(1, NULL), IP, "scheduler");
    REFUSED(nnrt_scheduler_create(1, &taken_scheduler), IP, "*scheduler");
    REFUSED(nnrt_scheduler_create(NNRT_SCHEDULER_MOST_WORKERS + 1, &taken_scheduler), IP, "*scheduler");
    taken_scheduler = NULL;
    REFUSED(nnrt_scheduler_create(NNRT_SCHEDULER_MOST_WORKERS + 1, &taken_scheduler), IP, "65");
    REFUSED(nnrt_scheduler_set_device_workers(NULL, 0, 1), IP, "scheduler");
    REFUSED(nnrt_scheduler_set_device_workers(scheduler, 0, 0), IP, "workers is 0");
    REFUSED(nnrt_scheduler_set_device_workers(scheduler, 0, 65), IP, "workers is 65");
    REFUSED(nnrt_scheduler_set_device_workers(scheduler, 12345, 1), OH_NN_FAILED, "12345");
    OK(OH_NNDevice_GetAllDevicesID(&ids, &count));
    OK(nnrt_scheduler_set_device_workers(scheduler, 0, 5)); /* the first device */
    OK(nnrt_scheduler_get_statistics(scheduler, 1, &of_device));
    cr_assert(of_device.device_id == ids[0] && of_device.workers == 5);
    REFUSED(nnrt_scheduler_get_statistics(NULL, 0, &of_device), IP, "scheduler");
    REFUSED(nnrt_scheduler_get_statistics(scheduler, 0, NULL), IP, "statistics");
    REFUSED(nnrt_scheduler_get_statistics(scheduler, 2, &of_device), IP, "no device number 2");
    REFUSED(nnrt_scheduler_destroy(NULL), IP, "scheduler");
    REFUSED(nnrt_scheduler_destroy(&taken_scheduler), IP, "*scheduler");
    REFUSED(nnrt_scheduler_destroy(&scheduler), FORBIDDEN, "groups of it");
    REFUSED(nnrt_group_create(NULL, "", NNRT_GROUP_PRIORITY_LOW, &taken), IP, "scheduler");
    REFUSED(nnrt_group_create(scheduler, NULL, NNRT_GROUP_PRIORITY_LOW, &taken), IP, "name");
    REFUSED(nnrt_group_create(scheduler, "", NNRT_GROUP_PRIORITY_LOW, NULL), IP, "group");
    REFUSED(nnrt_group_create(scheduler, "", NNRT_GROUP_PRIORITY_LOW, &taken), IP, "*group");
    taken = NULL;
    REFUSED(nnrt_group_create(scheduler, "", (nnrt_group_priority)5, &taken), IP, "priority is 5");
    REFUSED(nnrt_group_set_memory(NULL, &memory), IP, "group");
    REFUSED(nnrt_group_set_memory(group, NULL), IP, "memory");
    REFUSED(nnrt_group_set_memory(group, &memory), IP, "allocate");
    REFUSED(nnrt_group_add_input(NULL, &image_port), IP, "group");
    REFUSED(nnrt_group_add_input(group, NULL), IP, "port");
    REFUSED(nnrt_group_add_model(NULL, "m", model), IP, "group");
    REFUSED(nnrt_group_add_model(group, NULL, model), IP, "name");
    REFUSED(nnrt_group_add_model(group, "m", NULL), IP, "compilation");
    REFUSED(nnrt_group_add_replica(NULL, "m", model), IP, "group");
    REFUSED(nnrt_group_add_replica(group, NULL, model), IP, "name");
    REFUSED(nnrt_group_add_replica(group, "m", NULL), IP, "compilation");
    REFUSED(nnrt_group_add_replica(group, "m", model), IP, "no model is called");
    REFUSED(nnrt_group_add_connector(NULL, "c", &cropper, NULL), IP, "group");
    REFUSED(nnrt_group_add_connector(group, NULL, &cropper, NULL), IP, "name");
    REFUSED(nnrt_group_add_connector(group, "c", NULL, NULL), IP, "function");
    REFUSED(nnrt_group_add_plugin(group, "c", &cropper, NULL, 4), IP, "parameter");
    REFUSED(nnrt_group_connect(NULL, "a", "b"), IP, "group");
    REFUSED(nnrt_group_connect(group, NULL, "b"), IP, "from");
    REFUSED(nnrt_group_connect(group, "a", NULL), IP, "to");
    REFUSED(nnrt_group_add_output(NULL, "a"), IP, "group");
    REFUSED(nnrt_group_add_output(group, NULL), IP, "from");
    REFUSED(nnrt_group_finish(NULL, 1), IP, "group");
    REFUSED(nnrt_group_finish(group, 0), IP, "frames is 0");
    REFUSED(nnrt_group_finish(group, 1), IP, "no stage");
    REFUSED(nnrt_group_abort(NULL), IP, "group");
    REFUSED(nnrt_group_wait(NULL, 0), IP, "group");
    REFUSED(nnrt_group_destroy(NULL), IP, "group");
    REFUSED(nnrt_group_destroy(&taken), IP, "*group");
    REFUSED(nnrt_group_get_statistics(NULL, &of_group), IP, "group");
    REFUSED(nnrt_group_get_statistics(group, NULL), IP, "statistics");
    REFUSED(nnrt_group_get_stage_statistics(NULL, 0, &of_stage), IP, "group");
    REFUSED(nnrt_group_get_stage_statistics(group, 0, NULL), IP, "statistics");
    REFUSED(nnrt_group_get_stage_statistics(group, 0, &of_stage), IP, "no stage 0");
    REFUSED(nnrt_frame_acquire(NULL, 0, &frame), IP, "group");
    REFUSED(nnrt_frame_acquire(group, 0, NULL), IP, "frame");
    REFUSED(nnrt_frame_acquire(group, 0, &frame), FORBIDDEN, "not finished");
    REFUSED(nnrt_frame_forward_sync(NULL, 0), IP, "frame");
    REFUSED(nnrt_frame_forward_async(NULL, 0, NULL, NULL), IP, "frame");
    REFUSED(nnrt_frame_release(NULL), IP, "frame");
    REFUSED(nnrt_frame_set_input(NULL, 0, NULL), IP, "frame");
    REFUSED(nnrt_frame_get_result(NULL, NULL, NULL, NULL), IP, "frame");
    REFUSED(nnrt_frame_get_output_count(NULL, 0, NULL), IP, "frame");
    REFUSED(nnrt_frame_get_run(NULL, 0, 0, NULL), IP, "frame");
    REFUSED_NULL(nnrt_frame_get_input(NULL, 0), "frame");
    REFUSED_NULL(nnrt_frame_get_output(NULL, 0, 0), "frame");
    OH_NNCompilation_Destroy(&model);
    end();
}

static OH_NN_ReturnCode nothing(void *user, nnrt_group_call *call) {
    (void)user;
    (void)call;
    return OH_NN_SUCCESS;
}

Test(group, functions_that_make_no_sense_are_refused_when_they_are_added) {
    nnrt_group_port in[2] = {{"a", false, OH_NN_UNKNOWN, 0, {0}}, {"b", false, OH_NN_UNKNOWN, 0, {0}}};
    nnrt_group_port out[2] = {{"a", false, OH_NN_FLOAT32, 1, {4}}, {"b", false, OH_NN_FLOAT32, 1, {4}}};
    nnrt_group_function f = {"f", in, 2, out, 2, 0, false, NULL, nothing};
    begin();
#define TRY(text) REFUSED(nnrt_group_add_connector(group, "f", &f, NULL), IP, text)
    f.type = NULL;
    TRY("type");
    f.type = "f";
    f.run = NULL;
    TRY("run");
    f.run = nothing;
    f.input_count = 0;
    TRY("1 to 32 inputs or outputs, not 0");
    f.input_count = NNRT_GROUP_MOST_PORTS + 1;
    TRY("not 33");
    f.input_count = 2;
    f.inputs = NULL;
    TRY("inputs or outputs");
    f.inputs = in;
    in[1].name = "a";
    TRY("two are called \"a\"");
    in[1].name = "b.c";
    TRY("has a dot");
    in[1].name = "#1";
    TRY("begins with #");
    in[1].name = "";
    TRY("a name is \"\"");
    in[1].name = NULL;
    TRY("no name");
    in[1].name = "b";
    in[1].rank = NNRT_MAX_RANK + 1;
    TRY("11 dimensions");
    in[1].rank = 1;
    TRY("dimension 0 of b is 0");
    in[1].rank = 0;
    in[1].dtype = (OH_NN_DataType)99;
    TRY("data type 99");
    in[1].dtype = OH_NN_UNKNOWN;
    out[0].rank = 0;
    TRY("a has no data type or no shape");
    out[0].rank = 1;
    out[0].dtype = OH_NN_UNKNOWN;
    TRY("a has no data type or no shape");
    out[0].dtype = OH_NN_FLOAT32;
    out[0].list = true;
    TRY("most_items is 0");
    f.most_items = NNRT_GROUP_MOST_ITEMS + 1;
    TRY("most_items is 1025");
    out[0].list = false;
    f.most_items = 1;
    TRY("most_items is 1:");
    f.most_items = 0;
    OK(nnrt_group_add_connector(group, "f", &f, NULL));
    TRY("already");
    REFUSED(nnrt_group_add_connector(group, "f.g", &f, NULL), IP, "has a dot");
    REFUSED(nnrt_group_add_input(group, &(nnrt_group_port){"f", false, OH_NN_UNKNOWN, 0, {0}}), IP, "already");
    REFUSED(nnrt_group_add_input(group, &(nnrt_group_port){"l", true, OH_NN_UNKNOWN, 0, {0}}), IP, "list");
    OK(nnrt_group_add_input(group, &image_port));
    REFUSED(nnrt_group_add_input(group, &image_port), IP, "already");
    REFUSED(add_model("image", 0, 4, 4), IP, "already");
#undef TRY
    end();
}

Test(group, names_that_are_wrong_are_refused_with_the_right_one) {
    OH_NNCompilation *wide;
    begin();
    wide = gd_model_of(0, 3, 4, 4, 4);
    OK(nnrt_group_add_input(group, &image_port));
    OK(add_model("detector", 0, IMAGE, BOXES));
    OK(nnrt_group_add_connector(group, "crop", &cropper, NULL));
    OK(nnrt_group_add_model(group, "wide", wide));
    OH_NNCompilation_Destroy(&wide);
#define TRY(from, to, text) REFUSED(nnrt_group_connect(group, from, to), IP, text)
    TRY("imag", "detector", "\"imag\"");
    TRY("detectr", "crop.boxes", "did you mean detector?");
    TRY("wide.mre", "crop.boxes", "did you mean more?");
    TRY("detector.in", "crop.boxes", "detector has no output \"in\"");
    TRY("detector", "crop", "crop has 2 inputs: say which one");
    TRY("detector", "crop.#2", "no input \"#2\"");
    TRY("detector", "crop.#", "no input \"#\"");
    TRY("detector", "crop.#1x", "no input \"#1x\"");
    TRY("detector", "crop.bxes", "did you mean boxes?");
    TRY("detector", "image", "no stage or input for \"image\"");
    TRY("detector", "wide.side", "wide has 2 inputs \"side\": name one by its number, #2");
    TRY("wide", "crop.boxes", "wide has 4 outputs");
    TRY("wide.more", "crop.boxes", "2 outputs \"more\"");
#undef TRY
    OK(nnrt_group_connect(group, "detector", "wide.#2"));
    OK(nnrt_group_connect(group, "wide.out.3", "crop.boxes")); /* what is behind the first dot is the name */
    REFUSED(nnrt_group_connect(group, "image", "crop.#1"), IP, "crop.#1 is connected already");
    REFUSED(nnrt_group_add_output(group, "image"), IP, "an input of the group");
    REFUSED(nnrt_group_add_output(group, "wide.mor"), IP, "did you mean more?");
    end();
}

Test(group, a_whole_that_does_not_fit_is_refused_with_the_place) {
    OH_NNCompilation *wide;
    const nnrt_group_port flat = {"flat", false, OH_NN_FLOAT32, 1, {IMAGE}};
    const nnrt_group_port tall = {"tall", false, OH_NN_FLOAT32, 2, {IMAGE, 1}};
    const nnrt_group_port bytes = {"bytes", false, OH_NN_INT8, 1, {IMAGE}};
    const nnrt_group_port any = {"any", false, OH_NN_UNKNOWN, 0, {0}};
    nnrt_group_function pass = {"pass", NULL, 1, NULL, 1, 0, false, NULL, nothing};
    nnrt_group_port in = {"in", false, OH_NN_UNKNOWN, 0, {0}}, out = {"out", false, OH_NN_FLOAT32, 1, {CROP}};
    pass.inputs = &in;
    pass.outputs = &out;
    begin();
    OK(add_model("detector", 0, IMAGE, BOXES));
    REFUSED(nnrt_group_finish(group, 1), IP, "nothing is connected to detector.in");
    OK(nnrt_group_add_input(group, &flat));
    OK(nnrt_group_connect(group, "flat", "detector"));
    OK(nnrt_group_add_input(group, &any));
    REFUSED(nnrt_group_finish(group, 1), IP, "input any of the group goes nowhere");
    OK(nnrt_group_add_connector(group, "pass", &pass, NULL));
    OK(nnrt_group_connect(group, "any", "pass"));
    REFUSED(nnrt_group_finish(group, 1), IP, "input any of the group needs a type and a shape: unknown []");
    OK(nnrt_group_destroy(&group));

    OK(nnrt_group_create(scheduler, "bytes", NNRT_GROUP_PRIORITY_LOWEST, &group));
    OK(nnrt_group_add_input(group, &bytes));
    OK(add_model("detector", 0, IMAGE, BOXES));
    OK(nnrt_group_connect(group, "bytes", "detector"));
    REFUSED(nnrt_group_finish(group, 1), IP, "bytes gives int8 [16], detector.in takes float32 [16]");
    OK(nnrt_group_destroy(&group));

    OK(nnrt_group_create(scheduler, "ranks", NNRT_GROUP_PRIORITY_LOWEST, &group));
    OK(nnrt_group_add_input(group, &tall));
    OK(add_model("detector", 0, IMAGE, BOXES));
    OK(nnrt_group_connect(group, "tall", "detector"));
    REFUSED(nnrt_group_finish(group, 1), IP, "tall gives float32 [16,1], detector.in takes float32 [16]");
    OK(nnrt_group_destroy(&group));

    OK(nnrt_group_create(scheduler, "shapes", NNRT_GROUP_PRIORITY_LOWEST, &group));
    OK(nnrt_group_add_input(group, &flat));
    OK(add_model("detector", 0, IMAGE, BOXES));
    OK(add_model("next", 1, BOXES + 1, BOXES));
    OK(nnrt_group_connect(group, "flat", "detector"));
    OK(nnrt_group_connect(group, "detector", "next"));
    REFUSED(nnrt_group_finish(group, 1), IP, "detector.out gives float32 [4], next.in takes float32 [5]");
    OK(nnrt_group_destroy(&group));

    OK(nnrt_group_create(scheduler, "cycle", NNRT_GROUP_PRIORITY_LOWEST, &group));
    wide = gd_model_of(0, 2, 4, 1, 4);
    OK(nnrt_group_add_input(group, &any));
    OK(nnrt_group_add_model(group, "a", wide));
    OK(add_model("b", 1, 4, 4));
    OK(nnrt_group_connect(group, "any", "a.in"));
    OK(nnrt_group_connect(group, "b", "a.side"));
    OK(nnrt_group_connect(group, "a", "b"));
    REFUSED(nnrt_group_finish(group, 1), IP, "a is behind itself");
    OK(nnrt_group_destroy(&group));
    OH_NNCompilation_Destroy(&wide);
    end();
}

Test(group, what_is_finished_does_not_change) {
    OH_NNCompilation *model;
    begin();
    OK(build_three(1));
    model = gd_model_1(1, CROP, CLASSES);
    REFUSED(nnrt_group_add_input(group, &(nnrt_group_port){"x", false, OH_NN_UNKNOWN, 0, {0}}), FORBIDDEN, "finished");
    REFUSED(nnrt_group_add_model(group, "x", model), FORBIDDEN, "finished");
    REFUSED(nnrt_group_add_replica(group, "classifier", model), FORBIDDEN, "finished");
    REFUSED(nnrt_group_add_connector(group, "x", &cropper, NULL), FORBIDDEN, "finished");
    REFUSED(nnrt_group_add_plugin(group, "x", &cropper, "", 1), FORBIDDEN, "finished");
    REFUSED(nnrt_group_connect(group, "image", "detector"), FORBIDDEN, "finished");
    REFUSED(nnrt_group_add_output(group, "detector"), FORBIDDEN, "finished");
    REFUSED(nnrt_group_finish(group, 1), FORBIDDEN, "finished already");
    REFUSED(nnrt_scheduler_set_device_workers(scheduler, gd_id(1), 2), FORBIDDEN, "beta_tests_1");
    OH_NNCompilation_Destroy(&model);
    end();
}

Test(group, frames_are_refused_what_is_not_theirs) {
    nnrt_frame *second = NULL, *third = NULL;
    nnrt_frame_run run;
    uint32_t count;
    begin();
    OK(build_three(2));
    OK(nnrt_frame_acquire(group, 0, &frame));
    REFUSED(nnrt_frame_acquire(group, 0, &frame), IP, "*frame");
    OK(nnrt_frame_acquire(group, 0, &second));
    cr_assert_neq(frame, second);
    REFUSED(nnrt_frame_acquire(group, 0, &third), OH_NN_TIMEOUT, "all frames are in use");
    REFUSED(nnrt_frame_acquire(group, 5, &third), OH_NN_TIMEOUT, "all frames are in use");
    REFUSED_NULL(nnrt_frame_get_input(frame, 1), "there is no input 1, the group has 1");
    REFUSED(nnrt_frame_set_input(frame, 1, NULL), IP, "there is no input 1");
    REFUSED(nnrt_frame_get_result(frame, NULL, NULL, NULL), FORBIDDEN, "not forwarded yet");
    REFUSED(nnrt_frame_get_output_count(frame, 0, &count), FORBIDDEN, "not forwarded yet");
    REFUSED(nnrt_frame_get_run(frame, 0, 0, &run), FORBIDDEN, "not forwarded yet");
    REFUSED_NULL(nnrt_frame_get_output(frame, 0, 0), "not forwarded yet");
    write_image(1);
    OK(nnrt_frame_forward_sync(frame, 1));
    REFUSED(nnrt_frame_get_output_count(frame, 2, &count), IP, "there is no output 2");
    REFUSED(nnrt_frame_get_run(frame, 3, 0, &run), IP, "there is no stage 3");
    REFUSED(nnrt_frame_get_run(frame, 0, 1, &run), IP, "did not run");
    REFUSED(nnrt_frame_get_run(frame, 2, 1, &run), IP, "did not run");
    OK(nnrt_frame_get_run(frame, 2, 0, &run));
    cr_assert_eq(run.device_id, gd_id(1));
    write_image(3);
    OK(nnrt_frame_forward_sync(frame, 1));
    OK(nnrt_frame_get_run(frame, 2, 2, &run));
    write_image(1);
    OK(nnrt_frame_forward_sync(frame, 1));
    REFUSED(nnrt_frame_get_run(frame, 2, 2, &run), IP, "did not run"); /* this time */
    OK(nnrt_frame_forward_sync(second, 1));
    OK(nnrt_frame_release(second));
    REFUSED(nnrt_frame_release(second), FORBIDDEN, "not acquired");
    REFUSED(nnrt_frame_forward_sync(second, 1), FORBIDDEN, "not acquired");
    REFUSED_NULL(nnrt_frame_get_input(second, 0), "not acquired");
    OK(nnrt_frame_acquire(group, -1, &third)); /* there is one: nothing to wait for */
    cr_assert_eq(second, third);
    REFUSED(nnrt_frame_get_result(third, NULL, NULL, NULL), FORBIDDEN, "not forwarded yet");
    OK(nnrt_frame_release(third));
    end();
}

/* ------------------------------------------------------------------------------------------------- inputs */

Test(group, a_tensor_of_the_program_is_used_in_place_until_it_is_taken_back) {
    NN_Tensor *mine, *own, *small;
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    const int32_t dims[1] = {IMAGE}, other[1] = {IMAGE + 1}, shorter[1] = {IMAGE - 1};
    begin();
    OK(build_three(1));
    OK(nnrt_frame_acquire(group, 0, &frame));
    own = nnrt_frame_get_input(frame, 0);
    OK(OH_NNTensorDesc_SetDataType(desc, OH_NN_FLOAT32));
    OK(OH_NNTensorDesc_SetShape(desc, other, 1));
    mine = OH_NNTensor_Create(gd_id(1), desc);
    REFUSED(nnrt_frame_set_input(frame, 0, mine), IP, "the tensor is float32 [17], image is float32 [16]");
    OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(mine), dims, 1));
    OK(nnrt_frame_set_input(frame, 0, mine));
    OK(OH_NNTensorDesc_SetShape(desc, shorter, 1));
    small = OH_NNTensor_Create(gd_id(1), desc);
    OK(OH_NNTensorDesc_SetShape(OH_NNTensor_GetTensorDesc(small), dims, 1));
    REFUSED(nnrt_frame_set_input(frame, 0, small), IP, "the tensor has 60 bytes, its descriptor needs 64");
    OK(OH_NNTensor_Destroy(&small));
    cr_assert_eq(nnrt_frame_get_input(frame, 0), mine);
    write_image(3);
    OK(nnrt_frame_forward_sync(frame, 1));
    check_three(3);
    OK(nnrt_frame_set_input(frame, 0, NULL));
    cr_assert_eq(nnrt_frame_get_input(frame, 0), own);
    OK(nnrt_frame_forward_sync(frame, 1)); /* zeros: the detector finds one */
    OK(nnrt_frame_set_input(frame, 0, mine));
    OK(nnrt_frame_release(frame));
    frame = NULL;
    OK(nnrt_frame_acquire(group, 0, &frame));
    cr_assert_eq(nnrt_frame_get_input(frame, 0), own);
    OK(nnrt_frame_set_input(frame, 0, mine));
    OK(nnrt_group_destroy(&group)); /* with the frame, but not with what is mine */
    frame = NULL;
    OK(OH_NNTensor_Destroy(&mine));
    OK(OH_NNTensorDesc_Destroy(&desc));
    end();
}

/* ----------------------------------------------------------------------------------------------- functions */

typedef struct sum_parameter {
    float factor;
    int32_t outputs;
} sum_parameter;

/* A plugin: out[i] = factor * sum of input 0 over all items, for so many outputs as its parameter says. */
static OH_NN_ReturnCode describe_sum(void *user, const nnrt_group_port *inputs, nnrt_group_port *outputs) {
    const sum_parameter *parameter = (const sum_parameter *)user;
    cr_assert(strcmp(inputs[0].name, "all") == 0 && inputs[0].list && inputs[0].rank == 1);
    if (parameter->outputs < 0) return nnrt_backend_fail(OH_NN_UNSUPPORTED, "sum: a negative number");
    cr_assert(outputs[0].rank == 0 && outputs[0].dtype == OH_NN_UNKNOWN && strcmp(outputs[0].name, "sum") == 0);
    outputs[0].dtype = inputs[0].dtype;
    outputs[0].rank = 1;
    outputs[0].dims[0] = parameter->outputs;
    outputs[0].name = NULL; /* names are not the function's to change */
    return OH_NN_SUCCESS;
}

static OH_NN_ReturnCode sum(void *user, nnrt_group_call *call) {
    const sum_parameter *parameter = (const sum_parameter *)user;
    float total = 0;
    uint32_t k;
    int32_t i;
    for (k = 0; k < call->inputs[0].count; k++)
        total += ((const float *)OH_NNTensor_GetDataBuffer(call->inputs[0].tensors[k]))[0];
    for (i = 0; i < parameter->outputs; i++)
        ((float *)OH_NNTensor_GetDataBuffer(call->outputs[0].tensors[0]))[i] = parameter->factor * total;
    return OH_NN_SUCCESS;
}

static const nnrt_group_port sum_inputs[1] = {{"all", true, OH_NN_FLOAT32, 0, {0}}};
static const nnrt_group_port sum_outputs[1] = {{"sum", false, OH_NN_UNKNOWN, 0, {0}}};
static const nnrt_group_function summer = {"sum", sum_inputs, 1, sum_outputs, 1, 0, false, describe_sum, sum};

static OH_NN_ReturnCode describe_nothing(void *user, const nnrt_group_port *inputs, nnrt_group_port *outputs) {
    (void)user;
    (void)inputs;
    (void)outputs;
    return OH_NN_UNSUPPORTED;
}

Test(group, a_function_that_does_not_describe_its_outputs_is_named_where_it_gives_no_reason) {
    const nnrt_group_port in = {"in", false, OH_NN_FLOAT32, 0, {0}};
    const nnrt_group_function mute = {"mute", &in, 1, sum_outputs, 1, 0, false, describe_nothing, sum};
    begin();
    OK(nnrt_group_add_input(group, &crop_inputs[0]));
    OK(nnrt_group_add_connector(group, "silent", &mute, NULL));
    OK(nnrt_group_connect(group, "image", "silent"));
    OK(nnrt_group_add_output(group, "silent"));
    REFUSED(nnrt_group_finish(group, 1), OH_NN_UNSUPPORTED, "silent cannot describe its outputs");
    end();
}

Test(group, a_plugin_has_a_copy_of_its_parameters_and_takes_the_items_of_a_list_at_once) {
    sum_parameter once = {1, 3}, twice = {2, 1}, bad = {1, -1};
    int boxes, i;
    begin();
    OK(nnrt_group_add_input(group, &image_port));
    OK(add_model("detector", 0, IMAGE, BOXES));
    OK(nnrt_group_add_connector(group, "crop", &cropper, NULL));
    OK(add_model("classifier", 1, CROP, CLASSES));
    OK(nnrt_group_add_plugin(group, "once", &summer, &once, sizeof once));
    OK(nnrt_group_add_plugin(group, "twice", &summer, &twice, sizeof twice)); /* right behind the crops */
    memset(&once, 0xff, sizeof once);
    memset(&twice, 0xff, sizeof twice);
    OK(nnrt_group_connect(group, "image", "detector"));
    OK(nnrt_group_connect(group, "image", "crop.image"));
    OK(nnrt_group_connect(group, "detector", "crop.boxes"));
    OK(nnrt_group_connect(group, "crop", "classifier"));
    OK(nnrt_group_connect(group, "classifier", "once"));
    OK(nnrt_group_connect(group, "crop", "twice"));
    OK(nnrt_group_add_output(group, "once"));
    OK(nnrt_group_add_output(group, "twice.sum"));
    OK(nnrt_group_add_plugin(group, "bad", &summer, &bad, sizeof bad));
    OK(nnrt_group_connect(group, "detector", "bad"));
    REFUSED(nnrt_group_finish(group, 1), OH_NN_UNSUPPORTED, "sum: a negative number");
    OK(nnrt_group_destroy(&group));
    OK(nnrt_group_create(scheduler, "sums", NNRT_GROUP_PRIORITY_HIGHEST, &group));
    once.factor = 1, once.outputs = 3, twice.factor = 2, twice.outputs = 1;
    OK(nnrt_group_add_input(group, &image_port));
    OK(add_model("detector", 0, IMAGE, BOXES));
    OK(nnrt_group_add_connector(group, "crop", &cropper, NULL));
    OK(add_model("classifier", 1, CROP, CLASSES));
    OK(nnrt_group_add_plugin(group, "once", &summer, &once, sizeof once));
    OK(nnrt_group_add_plugin(group, "twice", &summer, &twice, sizeof twice));
    memset(&once, 0xff, sizeof once);
    memset(&twice, 0xff, sizeof twice);
    OK(nnrt_group_connect(group, "image", "detector"));
    OK(nnrt_group_connect(group, "image", "crop.image"));
    OK(nnrt_group_connect(group, "detector", "crop.boxes"));
    OK(nnrt_group_connect(group, "crop", "classifier"));
    OK(nnrt_group_connect(group, "classifier", "once"));
    OK(nnrt_group_connect(group, "crop", "twice"));
    OK(nnrt_group_add_output(group, "once"));
    OK(nnrt_group_add_output(group, "twice.sum"));
    OK(nnrt_group_finish(group, 1));
    OK(nnrt_frame_acquire(group, 0, &frame));
    for (boxes = 0; boxes <= MOST; boxes++) {
        float crops = 0;
        write_image(boxes);
        for (i = 0; i < boxes; i++) crops += input(0)[i];
        OK(nnrt_frame_forward_sync(frame, 0));
        cr_assert_eq(output(0, 0, 2), crops + (float)boxes); /* the classifier adds 1 to each */
        cr_assert_eq(output(1, 0, 0), 2 * crops);
    }
    end();
}

/* out[0] = own + shared + 100 * item */
static OH_NN_ReturnCode join(void *user, nnrt_group_call *call) {
    const float *own = (const float *)OH_NNTensor_GetDataBuffer(call->inputs[0].tensors[0]);
    const float *shared = (const float *)OH_NNTensor_GetDataBuffer(call->inputs[1].tensors[0]);
    (void)user;
    cr_assert(call->inputs[0].count == 1 && call->inputs[1].count == 1);
    ((float *)OH_NNTensor_GetDataBuffer(call->outputs[0].tensors[0]))[0] = own[0] + shared[0] + 100 * (float)call->item;
    return OH_NN_SUCCESS;
}

static const nnrt_group_port join_inputs[2] = {{"own", false, OH_NN_FLOAT32, 0, {0}},
                                               {"shared", false, OH_NN_FLOAT32, 0, {0}}};
static const nnrt_group_port join_outputs[1] = {{"out", false, OH_NN_FLOAT32, 1, {1}}};
static const nnrt_group_function joiner = {"join", join_inputs, 2, join_outputs, 1, 0, false, NULL, join};

Test(group, what_comes_from_outside_a_list_is_the_same_for_every_item) {
    uint32_t k;
    begin();
    OK(nnrt_group_add_input(group, &image_port));
    OK(add_model("detector", 0, IMAGE, BOXES));
    OK(nnrt_group_add_connector(group, "crop", &cropper, NULL));
    OK(nnrt_group_add_connector(group, "join", &joiner, NULL));
    OK(nnrt_group_connect(group, "image", "detector"));
    OK(nnrt_group_connect(group, "image", "crop.image"));
    OK(nnrt_group_connect(group, "detector", "crop.boxes"));
    OK(nnrt_group_connect(group, "crop", "join.own"));
    OK(nnrt_group_connect(group, "detector", "join.shared"));
    OK(nnrt_group_add_output(group, "join"));
    OK(nnrt_group_finish(group, 1));
    OK(nnrt_frame_acquire(group, 0, &frame));
    write_image(5);
    OK(nnrt_frame_forward_sync(frame, 0));
    for (k = 0; k < 5; k++) cr_assert_eq(output(0, k, 0), 4 + (float)k + 5 + 100 * (float)k);
    end();
}

/* out[0] = own + 1000 * sum of all */
static OH_NN_ReturnCode weigh(void *user, nnrt_group_call *call) {
    float all = 0;
    uint32_t k;
    (void)user;
    for (k = 0; k < call->inputs[1].count; k++)
        all += ((const float *)OH_NNTensor_GetDataBuffer(call->inputs[1].tensors[k]))[0];
    ((float *)OH_NNTensor_GetDataBuffer(call->outputs[0].tensors[0]))[0] =
        ((const float *)OH_NNTensor_GetDataBuffer(call->inputs[0].tensors[0]))[0] + 1000 * all;
    return OH_NN_SUCCESS;
}

Test(group, a_stage_behind_an_item_runs_for_that_item_and_may_have_all_of_them_beside_it) {
    static const nnrt_group_port inputs[2] = {{"own", false, OH_NN_FLOAT32, 0, {0}},
                                              {"all", true, OH_NN_FLOAT32, 0, {0}}};
    static const nnrt_group_function weigher = {"weigh", inputs, 2, join_outputs, 1, 0, false, NULL, weigh};
    uint32_t k;
    int boxes;
    begin();
    OK(nnrt_group_add_input(group, &image_port));
    OK(add_model("detector", 0, IMAGE, BOXES));
    OK(nnrt_group_add_connector(group, "crop", &cropper, NULL));
    OK(add_model("classifier", 1, CROP, CLASSES));
    OK(add_model("second", 2, CLASSES, CLASSES));
    OK(nnrt_group_add_connector(group, "weigh", &weigher, NULL));
    OK(nnrt_group_connect(group, "image", "detector"));
    OK(nnrt_group_connect(group, "image", "crop.image"));
    OK(nnrt_group_connect(group, "detector", "crop.boxes"));
    OK(nnrt_group_connect(group, "crop", "classifier"));
    OK(nnrt_group_connect(group, "classifier", "second"));
    OK(nnrt_group_connect(group, "second", "weigh.own"));
    OK(nnrt_group_connect(group, "classifier", "weigh.all"));
    OK(nnrt_group_add_output(group, "weigh"));
    OK(nnrt_group_finish(group, 1));
    OK(nnrt_frame_acquire(group, 0, &frame));
    for (boxes = 0; boxes <= MOST; boxes++) {
        float all = 0;
        uint32_t count;
        write_image(boxes);
        for (k = 0; k < (uint32_t)boxes; k++) all += input(0)[k] + 1;
        OK(nnrt_frame_forward_sync(frame, 0));
        OK(nnrt_frame_get_output_count(frame, 0, &count));
        cr_assert_eq(count, (uint32_t)boxes);
        for (k = 0; k < count; k++) cr_assert_eq(output(0, k, 0), input(0)[k] + 2 + 1000 * all);
    }
    cr_assert_eq(GD_READ(gd_devices[2].runs), MOST * (MOST + 1) / 2);
    end();
}

Test(group, a_list_has_no_lists_and_no_stage_takes_items_of_two) {
    begin();
    OK(nnrt_group_add_input(group, &image_port));
    OK(nnrt_group_add_connector(group, "a", &cropper, NULL));
    OK(nnrt_group_add_connector(group, "b", &cropper, NULL));
    OK(nnrt_group_connect(group, "image", "a.image"));
    OK(nnrt_group_connect(group, "image", "a.boxes"));
    OK(nnrt_group_connect(group, "image", "b.image"));
    OK(nnrt_group_connect(group, "a", "b.boxes"));
    REFUSED(nnrt_group_finish(group, 1), IP, "b makes a list for every item of a");
    OK(nnrt_group_destroy(&group));
    OK(nnrt_group_create(scheduler, "two", NNRT_GROUP_PRIORITY_HIGHEST, &group));
    OK(nnrt_group_add_input(group, &image_port));
    OK(nnrt_group_add_connector(group, "a", &cropper, NULL));
    OK(nnrt_group_add_connector(group, "b", &cropper, NULL));
    OK(nnrt_group_add_connector(group, "join", &joiner, NULL));
    OK(nnrt_group_connect(group, "image", "a.image"));
    OK(nnrt_group_connect(group, "image", "a.boxes"));
    OK(nnrt_group_connect(group, "image", "b.image"));
    OK(nnrt_group_connect(group, "image", "b.boxes"));
    OK(nnrt_group_connect(group, "a", "join.own"));
    OK(nnrt_group_connect(group, "b", "join.shared"));
    REFUSED(nnrt_group_finish(group, 1), IP, "join takes items of a and of b");
    end();
}

Test(group, dynamic_shapes_become_those_of_what_is_connected) {
    const nnrt_group_port seven = {"image", false, OH_NN_FLOAT32, 1, {7}};
    begin();
    OK(nnrt_group_add_input(group, &image_port));
    OK(add_model("first", 0, -1, -1));
    OK(nnrt_group_connect(group, "image", "first"));
    REFUSED(nnrt_group_finish(group, 1), IP, "image of the group needs a type and a shape: float32 [-1]");
    OK(nnrt_group_destroy(&group));
    OK(nnrt_group_create(scheduler, "dynamic", NNRT_GROUP_PRIORITY_HIGHEST, &group));
    OK(nnrt_group_add_input(group, &seven));
    OK(add_model("first", 0, -1, -1));
    OK(add_model("second", 1, -1, -1));
    OK(nnrt_group_connect(group, "image", "first"));
    OK(nnrt_group_connect(group, "first", "second"));
    OK(nnrt_group_add_output(group, "second"));
    OK(nnrt_group_finish(group, 1));
    OK(nnrt_frame_acquire(group, 0, &frame));
    input(0)[6] = 5;
    OK(nnrt_frame_forward_sync(frame, 0));
    cr_assert_eq(output(0, 0, 6), 7);
    OK(nnrt_group_destroy(&group)); /* with the frame */
    frame = NULL;
    OK(nnrt_group_create(scheduler, "unknown", NNRT_GROUP_PRIORITY_HIGHEST, &group));
    OK(add_model("odd", 0, 4, -1));
    OK(nnrt_group_add_input(group, &image_port));
    OK(nnrt_group_connect(group, "image", "odd"));
    REFUSED(nnrt_group_finish(group, 1), IP, "the shape of odd.out is not known before a run");
    end();
}

/* -------------------------------------------------------------------------------------------------- memory */

typedef struct my_memory {
    int given, back, to_device, to_cpu, most, fail;
} my_memory;

static NN_Tensor *my_allocate(void *user, size_t device_id, NN_TensorDesc *desc) {
    my_memory *mine = (my_memory *)user;
    if (mine->given == mine->most) return NULL;
    mine->given++;
    return OH_NNTensor_Create(device_id, desc);
}

static OH_NN_ReturnCode my_flush(void *user, NN_Tensor *tensor, bool to_device) {
    my_memory *mine = (my_memory *)user;
    cr_assert_not_null(tensor);
    if (mine->fail) return nnrt_backend_fail(OH_NN_TIMEOUT, "my: no flush");
    ++*(to_device ? &mine->to_device : &mine->to_cpu);
    return OH_NN_SUCCESS;
}

static void my_free(void *user, NN_Tensor *tensor) {
    ((my_memory *)user)->back++;
    OK(OH_NNTensor_Destroy(&tensor));
}

Test(group, tensors_come_from_the_memory_of_the_program_and_are_flushed_where_sides_change) {
    /* of one frame: the image, the boxes, MOST crops, MOST results */
    const int tensors = 2 + 2 * MOST;
    my_memory mine = {0, 0, 0, 0, 0, 0};
    nnrt_group_memory memory = {&mine, my_allocate, my_flush, my_free};
    begin();
    memory.free = NULL;
    REFUSED(nnrt_group_set_memory(group, &memory), IP, "free");
    memory.free = my_free;
    OK(nnrt_group_set_memory(group, &memory));
    mine.most = 2 * tensors - 1;
    REFUSED(build_three(2), OH_NN_MEMORY_ERROR, "the program allocates no memory for out");
    cr_assert_eq(mine.given, mine.most);
    cr_assert_eq(mine.back, mine.most);
    mine.given = mine.back = 0;
    mine.most = 1000;
    OK(nnrt_group_finish(group, 2));
    cr_assert_eq(mine.given, 2 * tensors);
    REFUSED(nnrt_group_set_memory(group, &memory), FORBIDDEN, "finished");
    OK(nnrt_frame_acquire(group, 0, &frame));
    write_image(4);
    OK(nnrt_frame_forward_sync(frame, 1));
    check_three(4);
    cr_assert_eq(mine.to_device, 1 + 4); /* the image, four crops */
    cr_assert_eq(mine.to_cpu, 1 + 4);    /* the boxes, four results */
    mine.fail = 1;
    REFUSED(nnrt_frame_forward_sync(frame, 2), OH_NN_TIMEOUT, "my: no flush");
    mine.fail = 0;
    OK(nnrt_frame_forward_sync(frame, 2));
    end();
    cr_assert_eq(mine.back, mine.given);
}

Test(group, what_stays_on_one_side_or_is_not_the_groups_is_not_flushed) {
    static const nnrt_group_port in = {"in", false, OH_NN_FLOAT32, 0, {0}};
    static const nnrt_group_port out = {"out", false, OH_NN_FLOAT32, 1, {4}};
    static const nnrt_group_function pass = {"pass", &in, 1, &out, 1, 0, false, NULL, nothing};
    my_memory mine = {0, 0, 0, 0, 1000, 0};
    const nnrt_group_memory memory = {&mine, my_allocate, my_flush, my_free};
    NN_Tensor *image;
    begin();
    OK(nnrt_group_set_memory(group, &memory));
    OK(nnrt_group_add_input(group, &image_port));
    OK(add_model("a", 0, 4, 4));
    OK(add_model("b", 1, 4, 4));
    OK(nnrt_group_add_connector(group, "c", &pass, NULL));
    OK(nnrt_group_add_connector(group, "d", &pass, NULL));
    OK(nnrt_group_connect(group, "image", "a"));
    OK(nnrt_group_connect(group, "a", "b"));
    OK(nnrt_group_connect(group, "image", "c"));
    OK(nnrt_group_connect(group, "c", "d"));
    OK(nnrt_group_add_output(group, "b"));
    OK(nnrt_group_finish(group, 1));
    OK(nnrt_frame_acquire(group, 0, &frame));
    OK(nnrt_frame_forward_sync(frame, 1));
    cr_assert(mine.to_device == 1 && mine.to_cpu == 1); /* the image, what b writes */
    image = OH_NNTensor_Create(gd_id(0), OH_NNTensor_GetTensorDesc(nnrt_frame_get_input(frame, 0)));
    OK(nnrt_frame_set_input(frame, 0, image));
    OK(nnrt_frame_forward_sync(frame, 1));
    cr_assert(mine.to_device == 1 && mine.to_cpu == 2);
    OK(nnrt_frame_release(frame));
    frame = NULL;
    OK(OH_NNTensor_Destroy(&image));
    end();
}

/* -------------------------------------------------------------------------------------------------- faults */

Test(group, a_fault_ends_its_frame_with_the_code_and_says_which_stage_of_which_frame) {
    static const OH_NN_ReturnCode faults[] = {OH_NN_FAILED, OH_NN_TIMEOUT, OH_NN_MEMORY_ERROR, OH_NN_INVALID_PARAMETER};
    nnrt_group_statistics statistics;
    nnrt_stage_statistics of_stage;
    nnrt_frame_status status;
    OH_NN_ReturnCode code;
    uint64_t id;
    uint32_t count;
    size_t i;
    begin();
    OK(build_three(1));
    OK(nnrt_frame_acquire(group, 0, &frame));
    for (i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        /* a device that fails otherwise is unavailable to the core */
        const OH_NN_ReturnCode wanted = faults[i] == OH_NN_FAILED ? OH_NN_UNAVAILABLE_DEVICE : faults[i];
        write_image(2);
        gd_devices[1].one_in = 1;
        gd_devices[1].fault = (int)faults[i];
        REFUSED(nnrt_frame_forward_sync(frame, 40 + i), wanted, ", stage classifier: gd: told to fail");
        cr_assert(strncmp(nnrt_last_error(), "frame 4", 7) == 0 && nnrt_last_error()[7] == (char)('0' + i));
        OK(nnrt_frame_get_result(frame, &status, &code, &id));
        cr_assert(status == NNRT_FRAME_FAILURE && code == wanted && id == 40 + i);
        REFUSED(nnrt_frame_get_output_count(frame, 0, &count), FORBIDDEN, "has not succeeded");
        REFUSED_NULL(nnrt_frame_get_output(frame, 0, 0), "has not succeeded");
        gd_devices[1].one_in = 0;
        OK(nnrt_frame_forward_sync(frame, 50));
        check_three(2);
    }
    write_image(-1);
    REFUSED(nnrt_frame_forward_sync(frame, 60), OH_NN_FAILED, "frame 60, stage crop: crop: a negative number of boxes");
    write_image(2000);
    REFUSED(nnrt_frame_forward_sync(frame, 61), OH_NN_UNSUPPORTED, "frame 61, stage crop: it gave no reason");
    write_image(MOST + 1);
    REFUSED(nnrt_frame_forward_sync(frame, 62), IP, "crop made 7 items, 6 are possible");
    OK(nnrt_group_get_statistics(group, &statistics));
    cr_assert(statistics.succeeded == 4 && statistics.failed == 7 && statistics.aborted == 0);
    cr_assert(statistics.in_flight == 0 && statistics.ready == 0 && statistics.running == 0);
    OK(nnrt_group_get_stage_statistics(group, 1, &of_stage));
    cr_assert_eq(of_stage.failures, 3);
    OK(nnrt_group_get_stage_statistics(group, 2, &of_stage));
    cr_assert_geq(of_stage.failures, 4);
    end();
}

Test(group, a_device_that_died_fails_the_frames_that_need_it_and_a_replica_takes_over) {
    OH_NNCompilation *same, *other;
    int device, i;
    begin();
    OK(nnrt_group_add_input(group, &image_port));
    OK(add_model("only", 0, 4, 4));
    same = gd_model_1(1, 4, 4);
    other = gd_model_1(1, 4, 5);
    OK(nnrt_group_add_connector(group, "join", &joiner, NULL));
    REFUSED(nnrt_group_add_replica(group, "join", same), IP, "no model is called \"join\"");
    REFUSED(nnrt_group_add_replica(group, "only", other), IP, "are not those of only");
    OK(nnrt_group_add_replica(group, "only", same));
    REFUSED(nnrt_group_add_replica(group, "only", same), IP, "only is on this device already");
    OH_NNCompilation_Destroy(&same);
    OH_NNCompilation_Destroy(&other);
    OK(nnrt_group_connect(group, "image", "only"));
    OK(nnrt_group_connect(group, "only", "join.own"));
    OK(nnrt_group_connect(group, "only", "join.shared"));
    OK(nnrt_group_finish(group, 1));
    OK(nnrt_frame_acquire(group, 0, &frame));
    for (i = 0; i < 2; i++) {
        gd_devices[i].one_in = 1;
        gd_devices[i].fault = OH_NN_CONNECTION_EXCEPTION;
    }
    for (device = 2; device > 0; device--) { /* whichever is first dies, then the other */
        REFUSED(nnrt_frame_forward_sync(frame, 1), OH_NN_CONNECTION_EXCEPTION, "stage only");
        if (device == 1) break;
        i = GD_READ(gd_devices[0].runs) != 0 ? 0 : 1;
        gd_devices[1 - i].one_in = 0;
        OK(nnrt_frame_forward_sync(frame, 1));
        OK(nnrt_frame_forward_sync(frame, 1));
        cr_assert_eq(GD_READ(gd_devices[i].runs), 1);
        gd_devices[1 - i].one_in = 1;
    }
    REFUSED(nnrt_frame_forward_sync(frame, 1), OH_NN_UNAVAILABLE_DEVICE, "died");
    end();
}

Test(group, a_frame_that_a_run_still_uses_is_nobodys_until_that_is_over) {
    begin();
    OK(build_three(1));
    OK(nnrt_frame_acquire(group, 0, &frame));
    gd_devices[0].one_in = 1;
    gd_devices[0].fault = OH_NN_TIMEOUT;
    gd_devices[0].late = 1;
    REFUSED(nnrt_frame_forward_sync(frame, 1), OH_NN_TIMEOUT, "told to fail");
    gd_devices[0].one_in = 0;
    REFUSED(nnrt_frame_forward_sync(frame, 2), OH_NN_TIMEOUT, "still uses the tensors");
    REFUSED(nnrt_frame_release(frame), OH_NN_TIMEOUT, "still uses the tensors");
    frame = NULL;
    REFUSED(nnrt_frame_acquire(group, 0, &frame), OH_NN_TIMEOUT, "still used by a run");
    REFUSED(nnrt_frame_acquire(group, 12, &frame), OH_NN_TIMEOUT, "still used by a run");
    gd_devices[0].late = 0;
    OK(nnrt_frame_acquire(group, 0, &frame));
    write_image(1);
    OK(nnrt_frame_forward_sync(frame, 3));
    check_three(1);
    end();
}

/* ---------------------------------------------------------------------------------------------- statistics */

Test(group, times_have_the_least_the_most_the_last_and_the_sum) {
    static const uint64_t ns[5] = {50, 70, 20, 20, 90}, least[5] = {50, 50, 20, 20, 20}, most[5] = {50, 70, 70, 70, 90};
    nnrt_group_times times;
    uint64_t sum = 0;
    int i;
    memset(&times, 0, sizeof(times));
    for (i = 0; i < 5; i++) {
        nnrt__times_add(&times, ns[i]);
        sum += ns[i];
        cr_assert(times.count == (uint64_t)i + 1 && times.last_ns == ns[i] && times.total_ns == sum, "%d", i);
        cr_assert(times.min_ns == least[i] && times.max_ns == most[i], "%d", i);
    }
}

Test(group, statistics_count_runs_by_stage_and_by_device) {
    nnrt_group_statistics of_group;
    nnrt_stage_statistics of_stage;
    nnrt_device_statistics of_device;
    nnrt_frame_run run;
    int i;
    begin();
    OK(build_three(1));
    OK(nnrt_frame_acquire(group, 0, &frame));
    for (i = 0; i < 5; i++) {
        write_image(3);
        OK(nnrt_frame_forward_sync(frame, 1));
    }
    OK(nnrt_group_get_statistics(group, &of_group));
    cr_assert(of_group.succeeded == 5 && of_group.total.count == 5 && of_group.queued.count == 5);
    cr_assert_eq(of_group.total.total_ns, of_group.queued.total_ns + of_group.executed.total_ns);
    cr_assert(of_group.total.min_ns <= of_group.total.last_ns && of_group.total.last_ns <= of_group.total.max_ns);
    OK(nnrt_group_get_stage_statistics(group, 0, &of_stage));
    cr_assert(strcmp(of_stage.name, "detector") == 0 && of_stage.run.count == 5 && of_stage.waited.count == 5);
    OK(nnrt_group_get_stage_statistics(group, 2, &of_stage));
    cr_assert(strcmp(of_stage.name, "classifier") == 0 && of_stage.run.count == 15 && of_stage.failures == 0);
    REFUSED(nnrt_group_get_stage_statistics(group, 3, &of_stage), IP, "there is no stage 3, the group has 3");
    OK(nnrt_scheduler_get_statistics(scheduler, 0, &of_device));
    cr_assert(of_device.device_id == 0 && of_device.workers == 2 && of_device.runs == 5 && of_device.ready == 0);
    OK(nnrt_scheduler_get_statistics(scheduler, 2, &of_device));
    cr_assert(of_device.device_id == gd_id(1) && of_device.workers == 1 && of_device.runs == 15);
    cr_assert_leq(of_device.busy_ns, of_device.elapsed_ns);
    REFUSED(nnrt_scheduler_get_statistics(scheduler, 3, &of_device), IP, "no device number 3");
    OK(nnrt_frame_get_run(frame, 0, 0, &run));
    cr_assert(run.ready_ns <= run.begin_ns && run.begin_ns <= run.end_ns && run.device_id == gd_id(0));
    end();
}
