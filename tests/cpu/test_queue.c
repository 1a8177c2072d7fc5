/* SPDX-License-Identifier: Apache-2.0 */
/* test_queue.c - priorities of the CPU device: which runs wait for which, which never wait, and what ends a wait. The
   device is told that it has one core and that waits last a minute, so that a wait that should not be is a test that
   does not end. */
#include "linked.h"

#include "graph_builder.h"
#include "mock_device.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define MINUTE_NS 60000000000u

static int32_t never; /* the cancel of runs that nobody cancels */

static nnrt__place place_of(nnrt__queue *queue, OH_NN_Priority priority, int32_t threads) {
    nnrt__place place;
    place.queue = queue;
    place.rank = nnrt__place_rank(priority);
    place.threads = threads;
    place.cancel = &never;
    return place;
}

static void open_queue(nnrt__queue *queue, int32_t cores) {
    memset(queue, 0, sizeof(*queue));
    OK(nnrt__queue_open(queue));
    queue->cores = cores;
    queue->wait_ns = MINUTE_NS;
    (void)alarm(30); /* less than a wait */
}

/* A run that waits in a thread of its own and notes when it went on. */
static int32_t order;

typedef struct waiter {
    nnrt__place place;
    pthread_t thread;
    int32_t position; /* 0: has not gone on */
} waiter;

static void *wait_in_thread(void *argument) {
    waiter *self = (waiter *)argument;
    nnrt__place_wait(&self->place);
    nnrt__atomic_store(&self->position, nnrt__atomic_add(&order, 1));
    nnrt__place_end(&self->place);
    return NULL;
}

static void start_waiter(waiter *self, nnrt__place place) {
    self->place = place;
    self->position = 0;
    nnrt__place_begin(&self->place);
    cr_assert_eq(pthread_create(&self->thread, NULL, wait_in_thread, self), 0);
}

Test(queue, runs_of_one_priority_never_wait_for_each_other) {
    static const OH_NN_Priority equal[4][2] = {{OH_NN_PRIORITY_LOW, OH_NN_PRIORITY_LOW},
                                               {OH_NN_PRIORITY_NONE, OH_NN_PRIORITY_NONE},
                                               {OH_NN_PRIORITY_NONE, OH_NN_PRIORITY_MEDIUM},
                                               {OH_NN_PRIORITY_HIGH, OH_NN_PRIORITY_HIGH}};
    nnrt__queue queue;
    size_t i;
    open_queue(&queue, 1);
    for (i = 0; i < 4; i++) {
        const nnrt__place a = place_of(&queue, equal[i][0], 8), b = place_of(&queue, equal[i][1], 8);
        nnrt__place_begin(&a);
        nnrt__place_begin(&b);
        nnrt__place_wait(&a);
        nnrt__place_wait(&b);
        nnrt__place_end(&b);
        nnrt__place_end(&a);
    }
}

Test(queue, a_higher_run_never_waits_for_a_lower_one) {
    nnrt__queue queue;
    nnrt__place low, middle, high;
    open_queue(&queue, 1);
    low = place_of(&queue, OH_NN_PRIORITY_LOW, 8);
    middle = place_of(&queue, OH_NN_PRIORITY_NONE, 8);
    high = place_of(&queue, OH_NN_PRIORITY_HIGH, 1);
    nnrt__place_begin(&low);
    nnrt__place_wait(&low);
    nnrt__place_begin(&middle);
    nnrt__place_wait(&middle);
    nnrt__place_begin(&high);
    nnrt__place_wait(&high);
    nnrt__place_end(&high);
    nnrt__place_wait(&middle);
    nnrt__place_end(&middle);
    nnrt__place_wait(&low);
    nnrt__place_end(&low);
}

Test(queue, lower_runs_wait_while_the_higher_ones_fill_the_cores_and_no_longer) {
    nnrt__queue queue;
    nnrt__place high[2], low;
    waiter waits;
    open_queue(&queue, 4);
    high[0] = place_of(&queue, OH_NN_PRIORITY_HIGH, 3);
    high[1] = place_of(&queue, OH_NN_PRIORITY_MEDIUM, 1);
    low = place_of(&queue, OH_NN_PRIORITY_LOW, 4);
    nnrt__place_begin(&high[0]);
    nnrt__place_begin(&low);
    nnrt__place_wait(&low); /* a core is left */
    nnrt__place_begin(&high[1]);
    start_waiter(&waits, low);
    usleep(20000);
    cr_assert_eq(nnrt__atomic_load(&waits.position), 0);
    nnrt__place_end(&high[1]);
    cr_assert_eq(pthread_join(waits.thread, NULL), 0);
    cr_assert_eq(waits.position, 1);
    nnrt__place_end(&low);
    nnrt__place_end(&high[0]);
}

Test(queue, of_several_that_wait_the_highest_goes_first) {
    int round;
    for (round = 0; round < 20; round++) { /* which thread comes first is chance */
        nnrt__queue queue;
        nnrt__place high;
        waiter low, middle;
        open_queue(&queue, 1);
        order = 0;
        high = place_of(&queue, OH_NN_PRIORITY_HIGH, 1);
        nnrt__place_begin(&high);
        start_waiter(&low, place_of(&queue, OH_NN_PRIORITY_LOW, 1));
        start_waiter(&middle, place_of(&queue, OH_NN_PRIORITY_MEDIUM, 1));
        usleep(round % 2 == 0 ? 2000 : 0);
        cr_assert_eq(nnrt__atomic_load(&order), 0);
        nnrt__place_end(&high);
        cr_assert_eq(pthread_join(low.thread, NULL), 0);
        cr_assert_eq(pthread_join(middle.thread, NULL), 0);
        cr_assert(middle.position == 1 && low.position == 2, "round %d", round);
    }
}

Test(queue, a_wait_ends_by_itself_so_that_nothing_stands_still_for_ever) {
    nnrt__queue queue;
    nnrt__place high, low;
    uint64_t start;
    open_queue(&queue, 1);
    queue.wait_ns = 5000000;
    high = place_of(&queue, OH_NN_PRIORITY_HIGH, 1);
    low = place_of(&queue, OH_NN_PRIORITY_LOW, 1);
    nnrt__place_begin(&high);
    start = nnrt__now_ns();
    nnrt__place_wait(&low);
    cr_assert_geq(nnrt__now_ns() - start, 5000000u);
    nnrt__place_end(&high);
    cr_assert_leq(NNRT__QUEUE_WAIT_NS, 100000000u);
}

/* ------------------------------------------------------------------------------------------ through the API */

static nnrt__queue *device_queue(void) {
    const size_t *ids = NULL;
    uint32_t count = 0;
    OK(OH_NNDevice_GetAllDevicesID(&ids, &count));
    return &((nnrt__cpu_device *)nnrt__device_find(ids[0])->state)->queue;
}

typedef struct player {
    OH_NNExecutor *executor;
    NN_Tensor *in, *out;
    int32_t done; /* 1 + the code of the asynchronous run */
} player;

static void note_done(void *user, OH_NN_ReturnCode code, void *outputs[], int32_t count) {
    (void)outputs;
    (void)count;
    nnrt__atomic_store(&((player *)user)->done, 1 + (int32_t)code);
}

/* A model of three steps. */
static void open_player(player *self, OH_NN_Priority priority, const char *threads) {
    const int32_t dims[1] = {64};
    NN_TensorDesc *desc;
    uint32_t tensors[4], i;
    gb_graph g;
    gb_open(&g);
    for (i = 0; i < 4; i++) tensors[i] = gb_tensor(&g, OH_NN_FLOAT32, 1, dims);
    (void)gb_input(&g, tensors[0]);
    (void)gb_output(&g, tensors[3]);
    for (i = 0; i < 3; i++) OK(gb_op(&g, OH_NN_OPS_ABS, 1, &tensors[i], 1, &tensors[i + 1]));
    OK(OH_NNModel_SpecifyInputsAndOutputs(g.model, &(OH_NN_UInt32Array){&tensors[0], 1},
                                          &(OH_NN_UInt32Array){&tensors[3], 1}));
    OK(OH_NNModel_Finish(g.model));
    g.compilation = OH_NNCompilation_Construct(g.model);
    OK(OH_NNCompilation_SetPriority(g.compilation, priority));
    OK(OH_NNCompilation_AddExtensionConfig(g.compilation, "nnrt.threads", threads, strlen(threads)));
    OK(OH_NNCompilation_Build(g.compilation));
    memset(self, 0, sizeof(*self));
    self->executor = OH_NNExecutor_Construct(g.compilation);
    cr_assert_not_null(self->executor);
    gb_close(&g);
    desc = OH_NNExecutor_CreateInputTensorDesc(self->executor, 0);
    self->in = OH_NNTensor_Create(0, desc);
    self->out = OH_NNTensor_Create(0, desc);
    OK(OH_NNTensorDesc_Destroy(&desc));
    for (i = 0; i < 64; i++) mock_floats(self->in)[i] = -(float)i;
    OK(OH_NNExecutor_SetOnRunDone(self->executor, note_done));
}

static void close_player(player *self) {
    OH_NNExecutor_Destroy(&self->executor);
    OK(OH_NNTensor_Destroy(&self->in));
    OK(OH_NNTensor_Destroy(&self->out));
}

static int32_t wait_done(player *self) {
    while (nnrt__atomic_load(&self->done) == 0) usleep(500);
    return nnrt__atomic_load(&self->done) - 1;
}

/* While a run of priority HIGH is under way on the only core. */
static nnrt__place occupy(void) {
    nnrt__queue *queue = device_queue();
    nnrt__place high = place_of(queue, OH_NN_PRIORITY_HIGH, 1);
    queue->cores = 1;
    queue->wait_ns = MINUTE_NS;
    (void)alarm(30);
    nnrt__place_begin(&high);
    return high;
}

Test(queue, the_priority_of_a_compilation_is_that_of_its_runs) {
    const nnrt__place high = occupy();
    player low, middle, urgent;
    int tries;
    open_player(&low, OH_NN_PRIORITY_LOW, "1");
    open_player(&middle, OH_NN_PRIORITY_NONE, "1");
    open_player(&urgent, OH_NN_PRIORITY_HIGH, "1");
    OK(OH_NNExecutor_RunAsync(low.executor, &low.in, 1, &low.out, 1, 0, &low));
    OK(OH_NNExecutor_RunAsync(middle.executor, &middle.in, 1, &middle.out, 1, 0, &middle));
    usleep(20000);
    for (tries = 0; tries < 1000 && nnrt__atomic_load(&device_queue()->above[0]) < 2; tries++) usleep(1000);
    cr_assert_eq(nnrt__atomic_load(&device_queue()->above[0]), 2); /* the one thread of high, and that of middle */
    OK(OH_NNExecutor_RunSync(urgent.executor, &urgent.in, 1, &urgent.out, 1)); /* nothing is higher */
    cr_assert_eq(mock_floats(urgent.out)[63], 63.0f);
    cr_assert(nnrt__atomic_load(&low.done) == 0 && nnrt__atomic_load(&middle.done) == 0);
    nnrt__place_end(&high);
    cr_assert_eq(wait_done(&middle), 0);
    cr_assert_eq(wait_done(&low), 0);
    cr_assert(mock_floats(low.out)[63] == 63.0f && mock_floats(middle.out)[63] == 63.0f);
    cr_assert_eq(device_queue()->above[0], 0);
    cr_assert_eq(device_queue()->above[1], 0);
    close_player(&low);
    close_player(&middle);
    close_player(&urgent);
}

Test(queue, a_run_counts_only_while_an_executor_of_a_lower_priority_is_open) {
    int with_low;
    for (with_low = 0; with_low < 2; with_low++) {
        const nnrt__place high = occupy();
        player low, middle;
        int32_t most = 0;
        int tries;
        if (with_low) open_player(&low, OH_NN_PRIORITY_LOW, "1");
        open_player(&middle, OH_NN_PRIORITY_NONE, "1");
        OK(OH_NNExecutor_RunAsync(middle.executor, &middle.in, 1, &middle.out, 1, 0, &middle));
        for (tries = 0; tries < (with_low ? 1000 : 20) && most < 2; tries++) {
            usleep(1000);
            most = nnrt__atomic_load(&device_queue()->above[0]);
        }
        cr_assert_eq(most, with_low ? 2 : 1); /* high, which waits for nobody, and middle */
        nnrt__place_end(&high);
        cr_assert_eq(wait_done(&middle), 0);
        cr_assert_eq(nnrt__atomic_load(&device_queue()->above[0]), 0);
        if (with_low) close_player(&low);
        close_player(&middle);
        cr_assert(device_queue()->lower[1] == 0 && device_queue()->lower[2] == 0);
    }
}

Test(queue, a_deadline_ends_a_run_that_waits) {
    const nnrt__place high = occupy();
    player low;
    open_player(&low, OH_NN_PRIORITY_LOW, "2");
    OK(OH_NNExecutor_RunAsync(low.executor, &low.in, 1, &low.out, 1, 10, &low));
    cr_assert_eq(wait_done(&low), (int32_t)OH_NN_TIMEOUT);
    close_player(&low); /* waits for the run to leave the device */
    nnrt__place_end(&high);
}

#ifdef __linux__

/* How many threads of this process have this nice value. */
static int threads_of_nice(int wanted) {
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *entry;
    int count = 0;
    if (tasks == NULL) return -1;
    while ((entry = readdir(tasks)) != NULL)
        if (entry->d_name[0] != '.')
            count += getpriority(PRIO_PROCESS, (id_t)strtoul(entry->d_name, NULL, 10)) == wanted;
    closedir(tasks);
    return count;
}

Test(queue, only_threads_of_nnrt_change_their_nice_value) {
    const int own = getpriority(PRIO_PROCESS, 0), stepped = own + 10 < 19 ? own + 10 : 19;
    player low, high;
    int before, tries;
    if (own == 19) return; /* no lower one is left */
    before = threads_of_nice(stepped);
    if (before < 0) return;
    open_player(&low, OH_NN_PRIORITY_LOW, "3");   /* two beside the caller */
    open_player(&high, OH_NN_PRIORITY_HIGH, "2"); /* refused, unless this is root's */
    OK(OH_NNExecutor_RunAsync(low.executor, &low.in, 1, &low.out, 1, 0, &low));
    cr_assert_eq(wait_done(&low), 0);
    for (tries = 0; tries < 1000 && threads_of_nice(stepped) != before + 3; tries++) usleep(1000);
    cr_assert_eq(threads_of_nice(stepped), before + 3); /* they, and the one that does asynchronous runs */
    OK(OH_NNExecutor_RunSync(high.executor, &high.in, 1, &high.out, 1));
    OK(OH_NNExecutor_RunSync(low.executor, &low.in, 1, &low.out, 1));
    cr_assert_eq(getpriority(PRIO_PROCESS, 0), own);
    close_player(&low);
    close_player(&high);
}

#endif
