/* SPDX-License-Identifier: Apache-2.0 */
/* test_group_threads.c - the scheduler of groups: every frame ends once, priorities, order, abort, who may not wait.
   Clean under ThreadSanitizer. GROUP_FRAMES in the environment makes the long test as long as one likes. */
#include "linked.h"

#include "group_devices.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    IMAGE = 16,
    CROP = 8,
    MOST = 6 /* boxes */
};

static nnrt_scheduler *scheduler;

/* ------------------------------------------------------------------------- a cascade of two families of devices */

/* As many crops as element 0 of the boxes says, at most MOST. */
static OH_NN_ReturnCode crop(void *user, nnrt_group_call *call) {
    const float *image = (const float *)OH_NNTensor_GetDataBuffer(call->inputs[0].tensors[0]);
    const float *boxes = (const float *)OH_NNTensor_GetDataBuffer(call->inputs[1].tensors[0]);
    uint32_t k, i;
    gd_device *noise = (gd_device *)user;
    if (noise != NULL && GD_READ(noise->more_us) != 0) usleep(gd_noise(noise, 50));
    if (noise != NULL && GD_READ(noise->one_in) != 0 && gd_noise(noise, 97) == 0)
        return nnrt_backend_fail(OH_NN_INVALID_FILE, "crop: told to fail");
    call->item_count = (uint32_t)boxes[0] % (MOST + 1);
    for (k = 0; k < call->item_count; k++)
        for (i = 0; i < CROP; i++)
            ((float *)OH_NNTensor_GetDataBuffer(call->outputs[0].tensors[k]))[i] = image[(k + i) % IMAGE] + (float)k;
    return OH_NN_SUCCESS;
}

static const nnrt_group_port image_port = {"image", false, OH_NN_FLOAT32, 1, {IMAGE}};
static const nnrt_group_port crop_inputs[2] = {{"image", false, OH_NN_FLOAT32, 1, {IMAGE}},
                                               {"boxes", false, OH_NN_FLOAT32, 0, {0}}};
static const nnrt_group_port crop_outputs[1] = {{"crop", true, OH_NN_FLOAT32, 1, {CROP}}};
static const nnrt_group_function cropper = {"crop", crop_inputs, 2, crop_outputs, 1, MOST, false, NULL, crop};

static void add_model(nnrt_group *group, const char *name, int device, int32_t from, int32_t to) {
    OH_NNCompilation *compilation = gd_model_1(device, from, to);
    cr_assert_not_null(compilation, "%s", nnrt_last_error());
    OK(nnrt_group_add_model(group, name, compilation));
    OH_NNCompilation_Destroy(&compilation);
}

static nnrt_group *three_stages(nnrt_group_priority priority, uint32_t frames) {
    nnrt_group *group = NULL;
    OH_NNCompilation *second = gd_model_1(2, CROP, 2);
    OK(nnrt_group_create(scheduler, "three", priority, &group));
    OK(nnrt_group_add_input(group, &image_port));
    add_model(group, "detector", 0, IMAGE, 4);
    OK(nnrt_group_add_connector(group, "crop", &cropper, &gd_devices[0]));
    add_model(group, "classifier", 1, CROP, 2);
    OK(nnrt_group_add_replica(group, "classifier", second));
    OH_NNCompilation_Destroy(&second);
    OK(nnrt_group_connect(group, "image", "detector"));
    OK(nnrt_group_connect(group, "image", "crop.image"));
    OK(nnrt_group_connect(group, "detector", "crop.boxes"));
    OK(nnrt_group_connect(group, "crop", "classifier"));
    OK(nnrt_group_add_output(group, "classifier"));
    OK(nnrt_group_finish(group, frames));
    return group;
}

/* One model on one device, and nothing else. */
static nnrt_group *one_stage(nnrt_group_priority priority, int device, uint32_t frames) {
    nnrt_group *group = NULL;
    OK(nnrt_group_create(scheduler, "one", priority, &group));
    OK(nnrt_group_add_input(group, &image_port));
    add_model(group, "only", device, IMAGE, IMAGE);
    OK(nnrt_group_connect(group, "image", "only"));
    OK(nnrt_group_add_output(group, "only"));
    OK(nnrt_group_finish(group, frames));
    return group;
}

static float *image_of(nnrt_frame *frame) {
    float *image = (float *)OH_NNTensor_GetDataBuffer(nnrt_frame_get_input(frame, 0));
    cr_assert_not_null(image, "%s", nnrt_last_error());
    return image;
}

/* ---------------------------------------------------------------------------------------------- callbacks */

typedef struct log_of_frames {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int ends[3]; /* by status */
    int inside, slow;
    uint64_t last_id;
} log_of_frames;

#define NEW_LOG \
    { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0, 0, 0}, 0, 0, 0 }

static int total(log_of_frames *log) {
    int sum;
    pthread_mutex_lock(&log->lock);
    sum = log->ends[0] + log->ends[1] + log->ends[2];
    pthread_mutex_unlock(&log->lock);
    return sum;
}

/* Ids count from 1: a callback that comes twice, never, out of order or beside another one is seen here. */
static void note(log_of_frames *log, nnrt_frame *frame, nnrt_frame_status status, OH_NN_ReturnCode code) {
    uint64_t id = 0;
    nnrt_frame_status told = NNRT_FRAME_ABORT;
    cr_assert_eq(GD_ADD(log->inside, 1), 1, "two callbacks of one group at once");
    OK(nnrt_frame_get_result(frame, &told, NULL, &id));
    cr_assert_eq(told, status);
    cr_assert_eq(status == NNRT_FRAME_SUCCESS, code == OH_NN_SUCCESS);
    if (code != OH_NN_SUCCESS)
        cr_assert(strstr(nnrt_last_error(), "told to fail") != NULL || strstr(nnrt_last_error(), "aborted") != NULL,
                  "%s", nnrt_last_error());
    pthread_mutex_lock(&log->lock);
    cr_assert_eq(id, log->last_id + 1);
    log->last_id = id;
    log->ends[status]++;
    pthread_cond_broadcast(&log->changed);
    pthread_mutex_unlock(&log->lock);
    (void)GD_ADD(log->inside, -1);
}

static void done(void *user, nnrt_frame *frame, nnrt_frame_status status, OH_NN_ReturnCode code) {
    note((log_of_frames *)user, frame, status, code);
    OK(nnrt_frame_release(frame));
}

static void done_three(void *user, nnrt_frame *frame, nnrt_frame_status status, OH_NN_ReturnCode code) {
    if (status == NNRT_FRAME_SUCCESS) {
        const float *image = image_of(frame);
        uint32_t count, k;
        OK(nnrt_frame_get_output_count(frame, 0, &count));
        cr_assert_eq(count, (uint32_t)(image[0] + 1) % (MOST + 1));
        for (k = 0; k < count; k++) {
            const float *result = (const float *)OH_NNTensor_GetDataBuffer(nnrt_frame_get_output(frame, 0, k));
            cr_assert(result[0] == image[k] + (float)k + 1 && result[1] == image[k + 1] + (float)k + 1);
        }
    }
    done(user, frame, status, code);
}

static void begin(uint32_t workers) {
    (void)gd_id(0), (void)gd_id(1), (void)gd_id(2);
    OK(nnrt_scheduler_create(workers, &scheduler));
}

static void end(void) {
    OK(nnrt_scheduler_destroy(&scheduler));
    gd_all_gone();
}

/* ------------------------------------------------------------------------------------------------ no loss */

typedef struct sender {
    nnrt_group *group;
    int frames;
    unsigned seed;
    log_of_frames log;
    pthread_t thread;
} sender;

static void *send(void *argument) {
    sender *self = (sender *)argument;
    int i, k;
    for (i = 1; i <= self->frames; i++) {
        nnrt_frame *frame = NULL;
        float *image;
        self->seed = self->seed * 1103515245u + 12345u;
        OK(nnrt_frame_acquire(self->group, -1, &frame));
        image = image_of(frame);
        for (k = 0; k < IMAGE; k++) image[k] = (float)((self->seed >> 16) % 50 + (unsigned)k);
        OK(nnrt_frame_forward_async(frame, (uint64_t)i, done_three, &self->log));
        if (i % 17 == 0) { /* between the others one that is waited for; its id is of no list */
            frame = NULL;
            OK(nnrt_frame_acquire(self->group, -1, &frame));
            (void)nnrt_frame_forward_sync(frame, 0);
            OK(nnrt_frame_release(frame));
        }
        if (i % 101 == 0) OK(nnrt_group_abort(self->group));
    }
    return NULL;
}

Test(group_threads, every_frame_ends_once_and_in_order_with_random_times_faults_and_aborts, .timeout = 3600) {
    const char *asked = getenv("GROUP_FRAMES");
    const int frames = asked != NULL ? atoi(asked) : 700;
    sender senders[3];
    nnrt_group_statistics statistics;
    int i;
    begin(2);
    for (i = 0; i < GD_MOST; i++) {
        gd_devices[i].more_us = 60;
        gd_devices[i].one_in = 41;
        gd_devices[i].fault = i == 1 ? OH_NN_MEMORY_ERROR : OH_NN_FAILED;
    }
    for (i = 0; i < 3; i++) {
        const log_of_frames empty = NEW_LOG;
        senders[i].log = empty;
        senders[i].frames = frames / 3;
        senders[i].seed = (unsigned)i;
        senders[i].group = three_stages((nnrt_group_priority)i, (uint32_t)i + 2);
    }
    for (i = 0; i < 3; i++) cr_assert_eq(pthread_create(&senders[i].thread, NULL, send, &senders[i]), 0);
    for (i = 0; i < 3; i++) pthread_join(senders[i].thread, NULL);
    for (i = 0; i < 3; i++) {
        const int *ends = senders[i].log.ends;
        OK(nnrt_group_wait(senders[i].group, -1));
        OK(nnrt_group_get_statistics(senders[i].group, &statistics));
        cr_assert_eq(total(&senders[i].log), frames / 3);
        cr_assert(ends[NNRT_FRAME_SUCCESS] > 0 && ends[NNRT_FRAME_FAILURE] > 0);
        cr_assert_eq(statistics.succeeded + statistics.failed + statistics.aborted,
                     (uint64_t)(frames / 3 + frames / 3 / 17));
        cr_assert(statistics.in_flight == 0 && statistics.ready == 0 && statistics.running == 0);
        cr_log_info("priority %d: %d succeeded, %d failed, %d aborted", i, ends[0], ends[1], ends[2]);
        OK(nnrt_group_destroy(&senders[i].group));
    }
    end();
}

Test(group_threads, destroying_a_group_waits_for_its_frames, .timeout = 60) {
    log_of_frames log = NEW_LOG;
    nnrt_group *group;
    int i;
    begin(1);
    group = three_stages(NNRT_GROUP_PRIORITY_LOW, 8);
    gd_devices[0].least_us = 2000;
    for (i = 1; i <= 8; i++) {
        nnrt_frame *frame = NULL;
        OK(nnrt_frame_acquire(group, 0, &frame));
        OK(nnrt_frame_forward_async(frame, (uint64_t)i, done_three, &log));
    }
    REFUSED(nnrt_group_wait(group, 1), OH_NN_TIMEOUT, "in flight");
    OK(nnrt_group_destroy(&group));
    cr_assert_null(group);
    cr_assert_eq(log.ends[NNRT_FRAME_SUCCESS], 8);
    end();
}

/* --------------------------------------------------------------------------------------- what runs next */

/* Waits until a run of device number i is held. */
static void wait_held(int i) {
    while (GD_READ(gd_devices[i].waits) == 0) usleep(200);
}

static void forward_tagged(nnrt_group *group, uint64_t id, float tag, log_of_frames *log) {
    nnrt_frame *frame = NULL;
    OK(nnrt_frame_acquire(group, 0, &frame));
    image_of(frame)[0] = tag;
    OK(nnrt_frame_forward_async(frame, id, done, log));
}

Test(group_threads, the_higher_priority_goes_first_and_within_one_the_frame_that_was_forwarded_first, .timeout = 60) {
    /* groups 1 and 4 have the same priority */
    static const nnrt_group_priority priorities[5] = {NNRT_GROUP_PRIORITY_LOWEST, NNRT_GROUP_PRIORITY_MEDIUM,
                                                      NNRT_GROUP_PRIORITY_HIGHEST, NNRT_GROUP_PRIORITY_HIGH,
                                                      NNRT_GROUP_PRIORITY_MEDIUM};
    static const float wanted[11] = {-1, 2, 102, 3, 103, 1, 4, 101, 104, 0, 100};
    log_of_frames logs[5], first = NEW_LOG;
    nnrt_group *groups[5], *blocker;
    int i;
    begin(1);
    blocker = one_stage(NNRT_GROUP_PRIORITY_LOWEST, 0, 1);
    gd_devices[0].held = 1;
    forward_tagged(blocker, 1, -1, &first);
    wait_held(0);
    for (i = 0; i < 5; i++) {
        const log_of_frames empty = NEW_LOG;
        logs[i] = empty;
        groups[i] = one_stage(priorities[i], 0, 2);
    }
    for (i = 0; i < 5; i++) forward_tagged(groups[i], 1, (float)i, &logs[i]);
    for (i = 0; i < 5; i++) forward_tagged(groups[i], 2, (float)(100 + i), &logs[i]);
    GD_WRITE(gd_devices[0].held, 0);
    for (i = 0; i < 5; i++) OK(nnrt_group_destroy(&groups[i]));
    OK(nnrt_group_destroy(&blocker));
    cr_assert_eq(GD_READ(gd_devices[0].runs), 11);
    for (i = 0; i < 11; i++)
        cr_assert_eq(gd_devices[0].log[i], wanted[i], "run %d: %g", i, (double)gd_devices[0].log[i]);
    end();
}

Test(group_threads, an_older_frame_goes_on_before_a_younger_one_begins, .timeout = 60) {
    log_of_frames log = NEW_LOG;
    nnrt_group *group = NULL;
    int i;
    begin(1);
    OK(nnrt_group_create(scheduler, "twice on one device", NNRT_GROUP_PRIORITY_HIGH, &group));
    OK(nnrt_group_add_input(group, &image_port));
    add_model(group, "a", 0, IMAGE, IMAGE);
    add_model(group, "b", 0, IMAGE, IMAGE);
    OK(nnrt_group_connect(group, "image", "a"));
    OK(nnrt_group_connect(group, "a", "b"));
    OK(nnrt_group_finish(group, 3));
    gd_devices[0].held = 1;
    for (i = 0; i < 3; i++) forward_tagged(group, (uint64_t)i + 1, (float)(10 * i), &log);
    GD_WRITE(gd_devices[0].held, 0);
    OK(nnrt_group_destroy(&group));
    for (i = 0; i < 6; i++) cr_assert_eq(gd_devices[0].log[i], (float)(10 * (i / 2) + i % 2));
    end();
}

Test(group_threads, items_and_frames_use_every_device_and_every_worker_at_once, .timeout = 60) {
    log_of_frames log = NEW_LOG;
    nnrt_group *group;
    int i;
    begin(1);
    OK(nnrt_scheduler_set_device_workers(scheduler, gd_id(1), 3));
    group = three_stages(NNRT_GROUP_PRIORITY_HIGH, 2);
    gd_devices[1].held = gd_devices[2].held = 1;
    forward_tagged(group, 1, MOST - 1, &log);
    while (GD_READ(gd_devices[1].waits) < 3 || GD_READ(gd_devices[2].waits) < 1) usleep(200);
    forward_tagged(group, 2, MOST - 1, &log); /* its detector runs beside them */
    while (GD_READ(gd_devices[0].runs) < 2) usleep(200);
    for (i = 1; i < 3; i++) GD_WRITE(gd_devices[i].held, 0);
    OK(nnrt_group_destroy(&group));
    cr_assert_eq(gd_devices[1].most_running, 3);
    cr_assert_eq(gd_devices[2].most_running, 1);
    cr_assert_eq(gd_devices[1].runs + gd_devices[2].runs, 2 * MOST);
    end();
}

typedef struct tracker {
    float last;
    int inside, calls;
} tracker;

static OH_NN_ReturnCode track(void *user, nnrt_group_call *call) {
    tracker *self = (tracker *)user;
    const float *tag = (const float *)OH_NNTensor_GetDataBuffer(call->inputs[0].tensors[0]);
    cr_assert_eq(GD_ADD(self->inside, 1), 1, "two calls at once");
    cr_assert_gt(tag[0], self->last);
    self->last = tag[0];
    self->calls++;
    usleep(100);
    (void)GD_ADD(self->inside, -1);
    return OH_NN_SUCCESS;
}

Test(group_threads, a_function_that_asks_for_order_sees_one_frame_after_the_other_but_for_those_that_failed,
     .timeout = 60) {
    static const nnrt_group_port in = {"in", false, OH_NN_FLOAT32, 0, {0}};
    const nnrt_group_function function = {"track", &in, 1, NULL, 0, 0, true, NULL, track};
    log_of_frames log = NEW_LOG;
    tracker self = {-1, 0, 0};
    OH_NNCompilation *second;
    nnrt_group *group = NULL;
    int i;
    begin(4);
    second = gd_model_1(1, IMAGE, IMAGE);
    OK(nnrt_group_create(scheduler, "tracker", NNRT_GROUP_PRIORITY_HIGH, &group));
    OK(nnrt_group_add_input(group, &image_port));
    add_model(group, "a", 0, IMAGE, IMAGE);
    OK(nnrt_group_add_replica(group, "a", second)); /* so that frames overtake each other */
    OH_NNCompilation_Destroy(&second);
    OK(nnrt_group_add_connector(group, "track", &function, &self));
    OK(nnrt_group_connect(group, "image", "a"));
    OK(nnrt_group_connect(group, "a", "track"));
    OK(nnrt_group_finish(group, 6));
    gd_devices[0].more_us = 3000;
    gd_devices[0].one_in = 7;
    for (i = 1; i <= 120; i++) {
        nnrt_frame *frame = NULL;
        OK(nnrt_frame_acquire(group, -1, &frame));
        image_of(frame)[0] = (float)i;
        OK(nnrt_frame_forward_async(frame, (uint64_t)i, done, &log));
    }
    OK(nnrt_group_destroy(&group));
    cr_assert_eq(self.calls, log.ends[NNRT_FRAME_SUCCESS]);
    cr_assert_eq(self.calls + log.ends[NNRT_FRAME_FAILURE], 120);
    end();
}

static OH_NN_ReturnCode track_items(void *user, nnrt_group_call *call) {
    tracker *self = (tracker *)user;
    cr_assert_eq(GD_ADD(self->inside, 1), 1, "two calls at once");
    cr_assert_eq(call->item, (uint32_t)(self->calls++ % MOST));
    usleep(100);
    (void)GD_ADD(self->inside, -1);
    return OH_NN_SUCCESS;
}

Test(group_threads, a_function_that_asks_for_order_sees_one_item_after_the_other, .timeout = 60) {
    static const nnrt_group_port in = {"in", false, OH_NN_FLOAT32, 0, {0}};
    const nnrt_group_function function = {"track", &in, 1, NULL, 0, 0, true, NULL, track_items};
    log_of_frames log = NEW_LOG;
    tracker self = {-1, 0, 0};
    nnrt_group *group = NULL;
    int i;
    begin(4);
    OK(nnrt_scheduler_set_device_workers(scheduler, gd_id(1), 4));
    gd_devices[1].more_us = 2000; /* so that items overtake each other */
    OK(nnrt_group_create(scheduler, "items", NNRT_GROUP_PRIORITY_HIGH, &group));
    OK(nnrt_group_add_input(group, &image_port));
    OK(nnrt_group_add_connector(group, "crop", &cropper, NULL));
    add_model(group, "a", 1, CROP, CROP);
    OK(nnrt_group_add_connector(group, "track", &function, &self));
    OK(nnrt_group_connect(group, "image", "crop.image"));
    OK(nnrt_group_connect(group, "image", "crop.boxes"));
    OK(nnrt_group_connect(group, "crop", "a"));
    OK(nnrt_group_connect(group, "a", "track"));
    OK(nnrt_group_finish(group, 4));
    for (i = 1; i <= 12; i++) {
        nnrt_frame *frame = NULL;
        OK(nnrt_frame_acquire(group, -1, &frame));
        image_of(frame)[0] = MOST;
        OK(nnrt_frame_forward_async(frame, (uint64_t)i, done, &log));
    }
    OK(nnrt_group_destroy(&group));
    cr_assert_eq(self.calls, 12 * MOST);
    end();
}

/* Two models beside each other; behind b a function that is called in order. */
static nnrt_group *two_beside(tracker *self) {
    static const nnrt_group_port in = {"in", false, OH_NN_FLOAT32, 0, {0}};
    const nnrt_group_function function = {"track", &in, 1, NULL, 0, 0, true, NULL, track};
    nnrt_group *group = NULL;
    OK(nnrt_group_create(scheduler, "beside", NNRT_GROUP_PRIORITY_HIGH, &group));
    OK(nnrt_group_add_input(group, &image_port));
    add_model(group, "a", 0, IMAGE, IMAGE);
    add_model(group, "b", 1, IMAGE, IMAGE);
    OK(nnrt_group_add_connector(group, "track", &function, self));
    OK(nnrt_group_connect(group, "image", "a"));
    OK(nnrt_group_connect(group, "image", "b"));
    OK(nnrt_group_connect(group, "b", "track"));
    OK(nnrt_group_finish(group, 2));
    return group;
}

/* Waits until so many runs of stage number index have ended. */
static void wait_runs(nnrt_group *group, size_t index, uint64_t runs) {
    nnrt_stage_statistics statistics;
    for (;;) {
        OK(nnrt_group_get_stage_statistics(group, index, &statistics));
        if (statistics.run.count >= runs) return;
        usleep(200);
    }
}

/* Both run, then the second fails. */
static void fail_beside(void) {
    wait_held(0);
    wait_held(1);
    GD_WRITE(gd_devices[1].held, 0);
}

static void *forward_and_fail(void *argument) {
    REFUSED(nnrt_frame_forward_sync((nnrt_frame *)argument, 1), OH_NN_UNAVAILABLE_DEVICE, "stage b: gd: told to fail");
    return NULL;
}

Test(group_threads, the_end_of_a_frame_that_somebody_waits_for_gives_its_turn_to_the_next, .timeout = 60) {
    log_of_frames log = NEW_LOG;
    tracker self = {-1, 0, 0};
    nnrt_frame *frame = NULL;
    nnrt_group *group;
    pthread_t thread;
    begin(2);
    group = two_beside(&self);
    gd_devices[0].held = gd_devices[1].held = 1;
    gd_devices[1].one_in = 1;
    OK(nnrt_frame_acquire(group, 0, &frame));
    cr_assert_eq(pthread_create(&thread, NULL, forward_and_fail, frame), 0);
    fail_beside();
    wait_runs(group, 1, 1); /* b has failed, a is at it still: the frame has not ended */
    GD_WRITE(gd_devices[1].one_in, 0);
    forward_tagged(group, 1, 2, &log);
    wait_runs(group, 1, 2); /* the second frame waits for its turn now */
    GD_WRITE(gd_devices[0].held, 0);
    pthread_join(thread, NULL);
    OK(nnrt_group_wait(group, -1));
    cr_assert(log.ends[NNRT_FRAME_SUCCESS] == 1 && self.calls == 1);
    OK(nnrt_group_destroy(&group));
    end();
}

/* ----------------------------------------------------------------------------------------------------- abort */

Test(group_threads, what_decides_first_how_a_frame_ends_counts, .timeout = 60) {
    log_of_frames log = NEW_LOG;
    tracker self = {-1, 0, 0};
    nnrt_group *group;
    begin(1);
    group = two_beside(&self);
    gd_devices[0].held = gd_devices[1].held = 1;
    gd_devices[1].one_in = 1;
    forward_tagged(group, 1, 1, &log);
    fail_beside();
    wait_runs(group, 1, 1);
    OK(nnrt_group_abort(group)); /* it has failed already */
    GD_WRITE(gd_devices[0].held, 0);
    OK(nnrt_group_wait(group, -1));
    cr_assert(log.ends[NNRT_FRAME_FAILURE] == 1 && log.ends[NNRT_FRAME_ABORT] == 0);
    OK(nnrt_group_destroy(&group));
    end();
}

static void slow_callback(void *user, nnrt_frame *frame, nnrt_frame_status status, OH_NN_ReturnCode code) {
    log_of_frames *log = (log_of_frames *)user;
    cr_assert_eq(GD_ADD(log->slow, 1), 1, "two callbacks of one group at once");
    usleep(5000);
    (void)GD_ADD(log->slow, -1);
    done(user, frame, status, code);
}

Test(group_threads, callbacks_of_a_group_follow_each_other_however_long_they_take, .timeout = 60) {
    log_of_frames log = NEW_LOG;
    nnrt_group *group;
    uint64_t i;
    begin(4);
    group = one_stage(NNRT_GROUP_PRIORITY_HIGH, 0, 8);
    for (i = 1; i <= 8; i++) {
        nnrt_frame *frame = NULL;
        OK(nnrt_frame_acquire(group, 0, &frame));
        OK(nnrt_frame_forward_async(frame, i, slow_callback, &log));
    }
    OK(nnrt_group_destroy(&group));
    cr_assert_eq(log.ends[NNRT_FRAME_SUCCESS], 8);
    end();
}

Test(group_threads, a_device_that_is_away_three_times_in_a_row_leaves_its_runs_to_the_others, .timeout = 60) {
    log_of_frames log = NEW_LOG, blocked = NEW_LOG;
    nnrt_group *group = NULL, *blocker;
    nnrt_frame *frame = NULL;
    OH_NNCompilation *second;
    int i;
    begin(1);
    second = gd_model_1(1, IMAGE, IMAGE);
    OK(nnrt_group_create(scheduler, "two", NNRT_GROUP_PRIORITY_HIGH, &group));
    OK(nnrt_group_add_input(group, &image_port));
    add_model(group, "a", 0, IMAGE, IMAGE);
    OK(nnrt_group_add_replica(group, "a", second));
    OH_NNCompilation_Destroy(&second);
    OK(nnrt_group_connect(group, "image", "a"));
    OK(nnrt_group_finish(group, 2));
    blocker = one_stage(NNRT_GROUP_PRIORITY_HIGH, 1, 1);
    gd_devices[1].held = 1; /* so that only the first device is free */
    forward_tagged(blocker, 1, 0, &blocked);
    wait_held(1);
    OK(nnrt_frame_acquire(group, 0, &frame));
    for (i = 0; i < 9; i++) { /* twice in a row, never three times */
        GD_WRITE(gd_devices[0].one_in, i % 3 != 2);
        cr_assert_eq(nnrt_frame_forward_sync(frame, 0), i % 3 != 2 ? OH_NN_UNAVAILABLE_DEVICE : OH_NN_SUCCESS);
    }
    GD_WRITE(gd_devices[0].one_in, 1);
    for (i = 0; i < 3; i++) cr_assert_eq(nnrt_frame_forward_sync(frame, 0), OH_NN_UNAVAILABLE_DEVICE);
    GD_WRITE(gd_devices[0].one_in, 0);
    forward_tagged(group, 1, 5, &log);
    usleep(20000);
    cr_assert_eq(total(&log), 0);
    GD_WRITE(gd_devices[1].held, 0);
    OK(nnrt_group_wait(group, -1));
    cr_assert_eq(log.ends[NNRT_FRAME_SUCCESS], 1);
    cr_assert_eq(GD_READ(gd_devices[0].runs), 12);
    OK(nnrt_group_destroy(&group));
    OK(nnrt_group_destroy(&blocker));
    end();
}

Test(group_threads, an_abort_ends_what_waits_at_once_and_what_runs_when_it_is_done, .timeout = 60) {
    log_of_frames log = NEW_LOG;
    nnrt_group_statistics statistics;
    nnrt_group *group, *other;
    log_of_frames others = NEW_LOG;
    int i;
    begin(1);
    group = one_stage(NNRT_GROUP_PRIORITY_HIGH, 0, 4);
    other = one_stage(NNRT_GROUP_PRIORITY_HIGH, 0, 1);
    gd_devices[0].held = 1;
    for (i = 1; i <= 4; i++) forward_tagged(group, (uint64_t)i, (float)i, &log);
    forward_tagged(other, 1, 9, &others);
    wait_held(0);
    OK(nnrt_group_get_statistics(group, &statistics));
    cr_assert(statistics.in_flight == 4 && statistics.ready == 3 && statistics.running == 1);
    OK(nnrt_group_abort(group));
    OK(nnrt_group_get_statistics(group, &statistics));
    cr_assert(statistics.aborted == 3 && statistics.ready == 0 && statistics.running == 1);
    cr_assert_eq(total(&log), 0); /* callbacks come in order, and the first one runs */
    GD_WRITE(gd_devices[0].held, 0);
    OK(nnrt_group_wait(group, -1));
    cr_assert_eq(log.ends[NNRT_FRAME_ABORT], 4);
    OK(nnrt_group_destroy(&other));
    cr_assert_eq(others.ends[NNRT_FRAME_SUCCESS], 1);
    forward_tagged(group, 5, 5, &log); /* the group goes on */
    OK(nnrt_group_destroy(&group));
    cr_assert_eq(log.ends[NNRT_FRAME_SUCCESS], 1);
    cr_assert_eq(GD_READ(gd_devices[0].runs), 3);
    end();
}

Test(group_threads, a_scheduler_that_may_not_go_yet_keeps_its_workers, .timeout = 60) {
    log_of_frames log = NEW_LOG;
    nnrt_group *group;
    begin(1);
    group = one_stage(NNRT_GROUP_PRIORITY_HIGH, 0, 1);
    REFUSED(nnrt_scheduler_destroy(&scheduler), FORBIDDEN, "groups of it");
    forward_tagged(group, 1, 5, &log);
    OK(nnrt_group_wait(group, -1));
    cr_assert_eq(log.ends[NNRT_FRAME_SUCCESS], 1);
    OK(nnrt_group_destroy(&group));
    end();
}

/* ---------------------------------------------------------------------------------- from inside a callback */

typedef struct inside {
    nnrt_group *group;
    nnrt_scheduler *scheduler;
    log_of_frames log;
    int again;
} inside;

static void busy_callback(void *user, nnrt_frame *frame, nnrt_frame_status status, OH_NN_ReturnCode code) {
    inside *self = (inside *)user;
    nnrt_frame *other = NULL;
    note(&self->log, frame, status, code);
    REFUSED(nnrt_group_wait(self->group, 0), FORBIDDEN, "inside");
    REFUSED(nnrt_group_destroy(&self->group), FORBIDDEN, "inside");
    REFUSED(nnrt_scheduler_destroy(&self->scheduler), FORBIDDEN, "inside");
    REFUSED(nnrt_frame_acquire(self->group, 1, &other), FORBIDDEN, "inside");
    REFUSED(nnrt_frame_forward_sync(frame, 1), FORBIDDEN, "inside");
    REFUSED(nnrt_frame_acquire(self->group, 0, &other), OH_NN_TIMEOUT, "in use");
    if (--self->again > 0) {
        OK(nnrt_frame_forward_async(frame, self->log.last_id + 1, busy_callback, self));
        REFUSED(nnrt_frame_release(frame), FORBIDDEN, "in flight");
        REFUSED(nnrt_frame_forward_async(frame, 0, busy_callback, self), FORBIDDEN, "in flight");
        REFUSED_NULL(nnrt_frame_get_input(frame, 0), "in flight");
    } else {
        OK(nnrt_frame_release(frame));
    }
}

Test(group_threads, a_callback_may_do_everything_but_wait_for_itself, .timeout = 60) {
    const log_of_frames empty = NEW_LOG;
    nnrt_frame *frame = NULL;
    inside self;
    begin(1);
    self.log = empty;
    self.again = 5;
    self.scheduler = scheduler;
    self.group = one_stage(NNRT_GROUP_PRIORITY_HIGHEST, 0, 1);
    OK(nnrt_frame_acquire(self.group, 0, &frame));
    REFUSED(nnrt_frame_forward_async(frame, 1, NULL, &self), IP, "callback");
    OK(nnrt_frame_forward_async(frame, 1, busy_callback, &self));
    OK(nnrt_group_wait(self.group, -1)); /* one frame is in flight until the last callback has returned */
    OK(nnrt_group_destroy(&self.group));
    cr_assert_eq(self.log.ends[NNRT_FRAME_SUCCESS], 5);
    end();
}

static int acquiring;

static void *acquire_for_ever(void *argument) {
    nnrt_frame *frame = NULL;
    GD_WRITE(acquiring, 1);
    REFUSED(nnrt_frame_acquire((nnrt_group *)argument, -1, &frame), FORBIDDEN, "being destroyed");
    return NULL;
}

Test(group_threads, who_waits_for_a_frame_of_a_group_that_is_destroyed_gets_none, .timeout = 60) {
    nnrt_frame *frame = NULL;
    nnrt_group *group;
    pthread_t thread;
    begin(1);
    group = one_stage(NNRT_GROUP_PRIORITY_HIGHEST, 0, 1);
    OK(nnrt_frame_acquire(group, 0, &frame));
    cr_assert_eq(pthread_create(&thread, NULL, acquire_for_ever, group), 0);
    while (GD_READ(acquiring) == 0) usleep(200);
    usleep(200000);                 /* it is about to wait, and nothing tells when it does */
    OK(nnrt_group_destroy(&group)); /* with the frame that this thread has */
    pthread_join(thread, NULL);
    end();
}

static void *destroy_it(void *argument) {
    nnrt_group *group = (nnrt_group *)argument;
    OK(nnrt_group_destroy(&group));
    return NULL;
}

Test(group_threads, a_frame_of_a_group_that_is_being_destroyed_does_not_take_off, .timeout = 60) {
    log_of_frames log = NEW_LOG;
    nnrt_frame *frame = NULL, *other = NULL;
    nnrt_group *group;
    pthread_t thread;
    begin(1);
    group = one_stage(NNRT_GROUP_PRIORITY_HIGHEST, 0, 2);
    GD_WRITE(gd_devices[0].held, 1);
    forward_tagged(group, 1, 5, &log);
    OK(nnrt_frame_acquire(group, 0, &frame));
    cr_assert_eq(pthread_create(&thread, NULL, destroy_it, group), 0);
    while (nnrt_frame_acquire(group, 0, &other) != FORBIDDEN) usleep(200); /* both are in use; then it is destroyed */
    REFUSED(nnrt_frame_forward_async(frame, 2, done, &log), FORBIDDEN, "being destroyed");
    REFUSED(nnrt_frame_forward_sync(frame, 2), FORBIDDEN, "being destroyed");
    GD_WRITE(gd_devices[0].held, 0);
    pthread_join(thread, NULL);
    cr_assert_eq(total(&log), 1);
    end();
}
