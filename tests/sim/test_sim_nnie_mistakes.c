/* SPDX-License-Identifier: Apache-2.0 */
/* test_sim_nnie_mistakes.c - the simulated HiSilicon board notices what users of real ones do wrong, and its functions
   fail, hang and die as a test asks. */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/nnie/vendor_program.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CODE(call, code) cr_expect_eq((uint32_t)(call), (uint32_t)(code), "%s is 0x%x", #call, (unsigned)(call))

typedef void (*mistake)(program *p);

static void begin(program *p, const char *model) {
    program_open(p, "hi3516cv500", "");
    program_load(p, model);
    program_blobs(p, 0, 1, 0);
}

/* The program makes one mistake, which the board lets pass and reports; strict: what refused says is refused. */
static void is_noticed(const char *model, mistake make, const char *beginning) {
    program p;
    begin(&p, model);
    cr_expect_eq(p.v.mistakes(), 0);
    make(&p);
    cr_expect(vendor_has_mistake(&p.v, beginning), "%s", p.v.mistakes() ? p.v.mistake(0) : "nothing was noticed");
}

static uint8_t *bytes_of(const vendor_memory *memory) { return (uint8_t *)(uintptr_t)memory->address; }

/* Forward and a wait, whatever comes. */
static uint32_t run(program *p) {
    int32_t handle = -1, finished = 0;
    const int32_t answer = program_forward(p, 0, 0, 1, &handle);
    return (uint32_t)(answer ? answer : p->v.query(0, handle, &finished, 1));
}

/* ---------------------------------------------------------------------------------------------------------- caches */

static int32_t first_result(program *p) {
    program_flush_all(p);
    return *program_s32(&p->outputs[0], 0, 0, 0, 0);
}

Test(sim_nnie_mistakes, a_source_that_was_not_flushed_and_what_is_computed_then) {
    program p;
    begin(&p, "same_vector");
    *program_s32(&p.inputs[0], 0, 0, 0, 0) = 4096;
    cr_expect_eq(run(&p), 0);
    cr_expect_eq(first_result(&p), 0, "the engine has what was there before");
    cr_expect(vendor_has_mistake(&p.v, "missing sync: 1 lines of input 0"));
    *program_s32(&p.inputs[0], 0, 0, 0, 0) = 4097;
    program_flush_all(&p);
    cr_expect_eq(run(&p), 0);
    cr_expect_eq(first_result(&p), 4097);
}

Test(sim_nnie_mistakes, a_destination_with_dirty_lines_loses_its_results) {
    program p;
    begin(&p, "same_u8");
    program_u8(&p.inputs[0], 0, 0, 0, 0)[0] = 9;
    program_flush_all(&p);
    memset(program_s32(&p.outputs[0], 0, 0, 0, 0), 0x77, 400);
    cr_expect_eq(run(&p), 0);
    cr_expect(vendor_has_mistake(&p.v, "missing sync: 7 lines of output 0") ||
                  vendor_has_mistake(&p.v, "missing sync: 8 lines of output 0"),
              "%s", p.v.mistake(0));
    cr_expect_eq(first_result(&p), 0x77777777);
    program_u8(&p.inputs[0], 0, 0, 0, 0)[0] = 8;
    program_flush_all(&p);
    cr_expect_eq(run(&p), 0);
    cr_expect_eq(*program_s32(&p.outputs[0], 0, 0, 0, 0), 0x77777777, "the CPU has what it had");
    cr_expect_eq(first_result(&p), 8 * 4096);
}

static void results_between(program *p) {
    cr_expect_eq(run(p), 0);
    cr_expect_eq(run(p), 0);
}

static void results_at_the_end(program *p) {
    cr_expect_eq(run(p), 0);
    program_free(p, &p->block);
}

static void task_buffer_dirty(program *p) {
    bytes_of(&p->task[0])[0] ^= 1;
    (void)run(p);
}

static void file_in_the_cache(program *p) {
    vendor_memory cached = program_memory(p, p->file.size, true);
    memcpy(bytes_of(&cached), bytes_of(&p->file), p->file.size);
    PROGRAM_WORKS(p->v.unload_model(p->model));
    PROGRAM_WORKS(p->v.load_model(&cached, p->model));
    CODE(run(p), NNRT__NNIE_CFG_ERR);
}

static void boxes_not_flushed(program *p) {
    int32_t handle = -1;
    program_blobs(p, 1, 1, 3);
    program_s32(&p->boxes, 0, 0, 2, 0)[2] = 4096;
    PROGRAM_WORKS(program_forward(p, 1, 0, 1, &handle));
}

Test(sim_nnie_mistakes, results_that_are_overwritten_unread) {
    is_noticed("gray", results_between, "missing sync: output 0 is overwritten");
}
Test(sim_nnie_mistakes, results_that_are_freed_unread) {
    is_noticed("gray", results_at_the_end, "missing sync: a memory ends with results");
}
Test(sim_nnie_mistakes, a_task_buffer_that_was_not_flushed) {
    is_noticed("gray", task_buffer_dirty, "missing sync: 1 lines of the TskBuf");
}
Test(sim_nnie_mistakes, boxes_that_were_not_flushed) {
    is_noticed("rcnn", boxes_not_flushed, "missing sync: 1 lines of the boxes");
}
Test(sim_nnie_mistakes, a_model_that_is_still_in_the_cache) { is_noticed("gray", file_in_the_cache, "missing sync: "); }

/* ------------------------------------------------------------------------------------------------------------ lives */

static void through_base(program *p) {
    CODE(p->v.free(p->model->base.physical, (void *)(uintptr_t)p->model->base.address), -1);
}

static void file_of_a_loaded_model(program *p) { program_free(p, &p->file); }

static void slow_task(program *p) {
    int32_t handle = -1;
    p->v.task_time("30000");
    PROGRAM_WORKS(program_forward(p, 0, 0, 1, &handle));
}

static void file_of_a_running_model(program *p) {
    slow_task(p);
    PROGRAM_WORKS(p->v.unload_model(p->model));
    program_free(p, &p->file);
}

static void blobs_of_a_running_task(program *p) {
    slow_task(p);
    program_free(p, &p->block);
}

static void unloaded_while_it_runs(program *p) {
    slow_task(p);
    PROGRAM_WORKS(p->v.unload_model(p->model));
}

static void stopped_while_it_runs(program *p) {
    slow_task(p);
    PROGRAM_WORKS(p->v.sys_exit());
}

static void never_unregistered(program *p) { program_free(p, &p->task[0]); }

static void unregistered_twice(program *p) {
    PROGRAM_WORKS(p->v.remove_task(&p->task[0]));
    CODE(p->v.remove_task(&p->task[0]), NNRT__NNIE_ILLEGAL_PARAM);
}

static void unregistered_while_it_runs(program *p) {
    slow_task(p);
    PROGRAM_WORKS(p->v.remove_task(&p->task[0]));
}

static void freed_twice(program *p) {
    const vendor_memory again = p->block;
    program_free(p, &p->block);
    CODE(p->v.free(again.physical, (void *)(uintptr_t)again.address), -1);
}

static void freed_with_another_address(program *p) {
    (void)p->v.free(p->block.physical, (void *)(uintptr_t)(p->block.address + 16));
}

static void task_of_an_unloaded_model(program *p) {
    const vendor_model copy = *p->model;
    PROGRAM_WORKS(p->v.unload_model(p->model));
    *p->model = copy;
    CODE(run(p), NNRT__NNIE_CFG_ERR);
}

static void model_written_over(program *p) {
    bytes_of(&p->file)[p->file.size - 500] ^= 1;
    CODE(run(p), NNRT__NNIE_CFG_ERR);
}

Test(sim_nnie_mistakes, freeing_through_base) {
    is_noticed("gray", through_base, "wrong address: MmzFree of byte 336 of a block: freed through stBase?");
}
Test(sim_nnie_mistakes, freeing_the_file_of_a_loaded_model) {
    is_noticed("gray", file_of_a_loaded_model, "freed in use: the file of a model");
}
Test(sim_nnie_mistakes, freeing_the_file_while_a_task_runs) {
    is_noticed("gray", file_of_a_running_model, "freed in use: memory of a task");
}
Test(sim_nnie_mistakes, freeing_blobs_while_a_task_runs) {
    is_noticed("gray", blobs_of_a_running_task, "freed in use: memory of a task");
}
Test(sim_nnie_mistakes, unloading_while_a_task_runs) { is_noticed("gray", unloaded_while_it_runs, "unloaded in use"); }
Test(sim_nnie_mistakes, stopping_the_media_system_while_a_task_runs) {
    is_noticed("gray", stopped_while_it_runs, "media system stopped: HI_MPI_SYS_Exit while tasks may run");
}
Test(sim_nnie_mistakes, freeing_a_task_buffer_that_is_registered) {
    is_noticed("gray", never_unregistered, "freed in use: a task buffer");
}
Test(sim_nnie_mistakes, removing_a_task_buffer_twice) { is_noticed("gray", unregistered_twice, "not registered"); }
Test(sim_nnie_mistakes, removing_a_task_buffer_while_a_task_runs) {
    is_noticed("gray", unregistered_while_it_runs, "removed in use");
}
Test(sim_nnie_mistakes, freeing_twice) { is_noticed("gray", freed_twice, "wrong address: MmzFree of 0x"); }
Test(sim_nnie_mistakes, freeing_with_another_virtual_address) {
    is_noticed("gray", freed_with_another_address, "wrong address: MmzFree of a block with");
}
Test(sim_nnie_mistakes, running_an_unloaded_model) { is_noticed("gray", task_of_an_unloaded_model, "no model"); }
Test(sim_nnie_mistakes, writing_over_a_model) { is_noticed("gray", model_written_over, "model overwritten"); }

/* ---------------------------------------------------------------------------------------------------------- sharing */

static void second_task(program *p, bool own_task, bool own_temporary) {
    int32_t handle = -1;
    slow_task(p);
    if (own_task) p->task[0] = program_memory(p, p->task_sizes[0], false);
    if (own_temporary) p->temporary = program_memory(p, p->model->temporary_size, false);
    PROGRAM_WORKS(program_forward(p, 0, 0, 1, &handle));
}

static void shared_task_buffer(program *p) {
    int32_t finished = 0;
    second_task(p, false, true);
    CODE(p->v.query(0, 0, &finished, 1), NNRT__NNIE_CFG_ERR);
}

static void shared_temporary_buffer(program *p) { second_task(p, true, false); }

Test(sim_nnie_mistakes, a_task_buffer_of_two_tasks) { is_noticed("gray", shared_task_buffer, "shared task buffer"); }
Test(sim_nnie_mistakes, a_temporary_buffer_of_two_tasks) {
    is_noticed("gray", shared_temporary_buffer, "shared temporary buffer");
}

/* ------------------------------------------------------------------------------------------------- sizes, addresses */

static void stride_in_elements(program *p) {
    p->outputs[0].stride = 16; /* 13 elements of 4 bytes, rounded up */
    CODE(run(p), NNRT__NNIE_ILLEGAL_PARAM);
}

static void swapped_addresses(program *p) {
    const uint64_t physical = p->inputs[0].physical;
    p->inputs[0].physical = p->inputs[0].address;
    p->inputs[0].address = physical;
    CODE(run(p), NNRT__NNIE_ILLEGAL_PARAM);
}

static void task_buffer_of_another_segment(program *p) {
    p->task[0].size = p->task_sizes[0] = 64; /* 16 frames need 96 */
    program_blobs(p, 0, 16, 0);
    CODE(run(p), NNRT__NNIE_ILLEGAL_PARAM);
}

static void destination_too_small(program *p) {
    vendor_memory next;
    program_free(p, &p->block);
    p->block = program_memory(p, 4096, false);
    next = program_memory(p, 4096, false);
    p->inputs[0].physical = p->block.physical;
    p->outputs[0].physical = p->block.physical + 4096 - 16;
    cr_expect_eq(run(p), 0, "it is within MMZ");
    program_free(p, &next);
}

static void written_past_the_end(program *p) {
    bytes_of(&p->block)[p->block.size] = 1;
    program_free(p, &p->block);
}

static void flushed_at_another_address(program *p) {
    PROGRAM_WORKS(p->v.flush(p->block.physical, bytes_of(&p->temporary), 16));
}

static void flushed_beyond_the_end(program *p) {
    PROGRAM_WORKS(p->v.flush(p->block.physical, bytes_of(&p->block), p->block.size + 4096));
}

static void other_steps(program *p) {
    static const unsigned steps[] = {3, 2};
    static uint32_t others[] = {2, 3};
    program_steps(p, steps, 2);
    program_blobs(p, 0, 2, 0);
    p->outputs[0].shape.sequence.steps = (uint64_t)(uintptr_t)others;
    cr_expect_eq(run(p), 0);
}

static void handle_of_nobody(program *p) {
    int32_t finished = 5;
    cr_expect_eq(run(p), 0);
    PROGRAM_WORKS(p->v.query(0, 7, &finished, 0));
    cr_expect_eq(finished, 0);
}

Test(sim_nnie_mistakes, a_stride_in_elements) {
    is_noticed("picture", stride_in_elements, "wrong stride: output 0 has 16 bytes from row to row, and a row has 52");
}
Test(sim_nnie_mistakes, physical_and_virtual_swapped) {
    is_noticed("picture", swapped_addresses, "wrong address: input 0");
}
Test(sim_nnie_mistakes, a_task_buffer_for_fewer_frames) {
    is_noticed("vector", task_buffer_of_another_segment, "wrong size: a TskBuf of 64 bytes");
}
Test(sim_nnie_mistakes, a_destination_that_is_too_small) {
    is_noticed("vector", destination_too_small, "outside memory: output 0");
}
Test(sim_nnie_mistakes, writing_past_the_end_of_a_block) {
    is_noticed("gray", written_past_the_end, "write past the end");
}
Test(sim_nnie_mistakes, a_flush_with_the_address_of_another_block) {
    is_noticed("gray", flushed_at_another_address, "wrong address: a flush");
}
Test(sim_nnie_mistakes, a_flush_beyond_the_end) { is_noticed("gray", flushed_beyond_the_end, "wrong size: a flush"); }
Test(sim_nnie_mistakes, an_output_with_other_steps) { is_noticed("lstm", other_steps, "wrong steps: output 0"); }
Test(sim_nnie_mistakes, a_query_of_a_handle_that_was_not_given_out) {
    is_noticed("gray", handle_of_nobody, "wrong handle");
}

Test(sim_nnie_mistakes, a_strict_board_refuses_them) {
    program p;
    begin(&p, "gray");
    p.v.strict(1);
    program_u8(&p.inputs[0], 0, 0, 0, 0)[0] = 1;
    CODE(run(&p), NNRT__NNIE_ILLEGAL_PARAM);
    CODE(p.v.free(p.file.physical, (void *)(uintptr_t)p.file.address), -1);
    CODE(p.v.flush(p.block.physical, bytes_of(&p.temporary), 16), -1);
    cr_expect_eq(p.v.mistakes(), 3);
    program_flush_all(&p);
    cr_expect_eq(run(&p), 0);
}

/* What is left and what was wrong ends a strict process with 97; what it says goes to said. */
static int end_of(bool unload, char *said, size_t room) {
    int status = 0, ends[2];
    ssize_t length, whole = 0;
    pid_t child;
    cr_assert_eq(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        program p;
        (void)dup2(ends[1], 2);
        (void)close(ends[1]);
        setenv("NNRT_SIM_STRICT", "1", 1);
        setenv("NNRT_SIM_REPORT", "1", 1);
        begin(&p, "gray");
        program_free(&p, &p.block);
        if (unload) program_unload(&p);
        exit(0);
    }
    (void)close(ends[1]);
    while (whole + 1 < (ssize_t)room && (length = read(ends[0], said + whole, room - 1 - (size_t)whole)) > 0)
        whole += length;
    said[whole] = '\0';
    (void)close(ends[0]);
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(sim_nnie_mistakes, what_is_left_is_a_leak) {
    nnrt_sim_live live;
    char said[2000];
    program p;
    cr_assert(access(vendor_folder(), R_OK) == 0);
    cr_expect_eq(end_of(true, said, sizeof(said)), 0, "%s", said);
    cr_expect_eq(end_of(false, said, sizeof(said)), 97);
    cr_expect(strstr(said, "leak: 2 contexts, 3 memories") && strstr(said, "leak: a task buffer") &&
                  strstr(said, "leak: a model"),
              "%s", said);
    begin(&p, "rcnn");
    p.v.get_live(&live);
    cr_expect_eq(live.contexts, 3, "a model and two task buffers");
    cr_expect_eq(live.memories, 5, "file, TmpBuf, two TskBufs, blobs");
    program_close(&p);
}

/* ----------------------------------------------------------------------------------------------------------- faults */

/* Every function once, with arguments that work; what they answer is added up. */
typedef struct called {
    const char *function;
    int32_t lost; /* what it answers when the device is gone */
} called;

static const called all_calls[] = {{"HI_MPI_SYS_MmzAlloc", -1},
                                   {"HI_MPI_SYS_MmzAlloc_Cached", -1},
                                   {"HI_MPI_SYS_MmzFlushCache", -1},
                                   {"HI_MPI_SVP_NNIE_LoadModel", (int32_t)NNRT__NNIE_NOTREADY},
                                   {"HI_MPI_SVP_NNIE_GetTskBufSize", (int32_t)NNRT__NNIE_NOTREADY},
                                   {"HI_MPI_SVP_NNIE_AddTskBuf", (int32_t)NNRT__NNIE_NOTREADY},
                                   {"HI_MPI_SVP_NNIE_Forward", (int32_t)NNRT__NNIE_NOTREADY},
                                   {"HI_MPI_SVP_NNIE_Query", (int32_t)NNRT__NNIE_NOTREADY},
                                   {"HI_MPI_SVP_NNIE_RemoveTskBuf", (int32_t)NNRT__NNIE_NOTREADY},
                                   {"HI_MPI_SVP_NNIE_UnloadModel", (int32_t)NNRT__NNIE_NOTREADY},
                                   {"HI_MPI_SYS_MmzFree", -1}};

/* One pass through a program's life that goes on whatever fails; the answer of function. */
static int32_t life(program *p, const char *function) {
    int32_t answers[COUNT(all_calls)], handle = -1, finished = 0;
    uint64_t physical = 0;
    void *address = NULL;
    uint32_t sizes[8] = {48};
    size_t i;
    answers[0] = p->v.alloc(&physical, &address, NULL, NULL, 64);
    answers[10] = address ? p->v.free(physical, address) : -1;
    address = NULL;
    answers[1] = p->v.alloc_cached(&physical, &address, NULL, NULL, 64);
    answers[2] = address ? p->v.flush(physical, address, 64) : -1;
    if (address) (void)p->v.free(physical, address);
    answers[9] = p->v.unload_model(p->model);
    answers[3] = p->v.load_model(&p->file, p->model);
    answers[4] = p->v.task_sizes(1, 0, p->model, sizes, 1);
    answers[8] = p->v.remove_task(&p->task[0]);
    answers[5] = p->v.add_task(&p->task[0]);
    answers[6] = program_forward(p, 0, 0, 1, &handle);
    answers[7] = p->v.query(0, handle < 0 ? 0 : handle, &finished, 1);
    if (finished) program_flush_all(p);
    for (i = 0; i < COUNT(all_calls); i++)
        if (strcmp(all_calls[i].function, function) == 0) return answers[i];
    return 0;
}

Test(sim_nnie_faults, every_function_fails_with_any_code_once) {
    size_t i;
    for (i = 0; i < COUNT(all_calls); i++) {
        const pid_t child = fork();
        int status = 0;
        if (child == 0) {
            char fault[80];
            program p;
            begin(&p, "gray");
            snprintf(fault, sizeof(fault), "%s@1=fail:0xa033800c", all_calls[i].function);
            p.v.fault(fault);
            p.v.block_time(50);
            if ((uint32_t)life(&p, all_calls[i].function) != 0xa033800cu) _exit(1);
            if (p.v.calls(all_calls[i].function) == 0) _exit(2);
            p.v.fault(NULL);
            _exit(strcmp(all_calls[i].function, "HI_MPI_SYS_MmzFree") == 0 || life(&p, "HI_MPI_SVP_NNIE_Forward") == 0
                      ? 0
                      : 3);
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_expect_eq(status, 0, "%s: %d", all_calls[i].function, WEXITSTATUS(status));
    }
}

Test(sim_nnie_faults, a_device_that_dies_stays_dead) {
    size_t i;
    program p;
    begin(&p, "gray");
    p.v.fault("HI_MPI_SVP_NNIE_Forward@1=die");
    CODE(life(&p, "HI_MPI_SVP_NNIE_Forward"), NNRT__NNIE_NOTREADY);
    for (i = 0; i < COUNT(all_calls); i++) CODE(life(&p, all_calls[i].function), all_calls[i].lost);
    p.v.fault(NULL);
    CODE(p.v.unload_model(p.model), 0);
}

Test(sim_nnie_faults, there_may_be_no_device_node) {
    static vendor_model model;
    uint64_t physical = 7;
    void *address = &model;
    vendor_api v;
    setenv("NNRT_SIM_REPORT", "0", 1);
    setenv("NNRT_SIM_DEVICE", "0", 1);
    if (!vendor_open(&v, "hi3516cv500", "")) cr_skip_test("skipped, no simulated board in %s", vendor_folder());
    CODE(v.alloc(&physical, &address, NULL, NULL, 16), -1);
    cr_expect(physical == 7 && address == &model);
    CODE(v.query(0, 0, NULL, 0), NNRT__NNIE_NOTREADY);
    CODE(v.unload_model(&model), 0);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int released;

/* What begins to hang late is let go, too. */
static void *release_later(void *user) {
    while (!__atomic_load_n(&released, __ATOMIC_SEQ_CST)) {
        usleep(10000);
        ((const program *)user)->v.release_hang();
    }
    return NULL;
}

Test(sim_nnie_faults, calls_and_tasks_hang_and_take_their_time) {
    pthread_t thread;
    double begun;
    program p;
    begin(&p, "gray");
    p.v.fault("HI_MPI_SVP_NNIE_Forward@1=slow:20,task@1=slow:20");
    begun = seconds();
    cr_expect_eq(run(&p), 0);
    cr_expect_geq(seconds() - begun, 0.039);
    program_flush_all(&p);
    p.v.fault("HI_MPI_SVP_NNIE_Forward@1=hang");
    cr_assert_eq(pthread_create(&thread, NULL, release_later, &p), 0);
    CODE(run(&p), -1);
    p.v.fault("task@1=hang");
    CODE(run(&p), NNRT__NNIE_SYS_TIMEOUT);
    __atomic_store_n(&released, 1, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    p.v.fault(NULL);
    cr_expect_eq(run(&p), 0);
    program_flush_all(&p);
    program_close(&p);
}

Test(sim_nnie_faults, what_a_fault_kept_from_being_freed_is_no_leak) {
    nnrt_sim_live live;
    program p;
    begin(&p, "gray");
    p.v.fault(
        "HI_MPI_SYS_MmzFree@0=fail:-1,HI_MPI_SVP_NNIE_UnloadModel@0=fail:-1,HI_MPI_SVP_NNIE_RemoveTskBuf@0=fail:-1");
    CODE(p.v.remove_task(&p.task[0]), -1);
    CODE(p.v.unload_model(p.model), -1);
    CODE(p.v.free(p.task[0].physical, bytes_of(&p.task[0])), -1);
    CODE(p.v.free(p.file.physical, bytes_of(&p.file)), -1);
    CODE(p.v.free(p.block.physical, bytes_of(&p.block)), -1);
    CODE(p.v.free(p.temporary.physical, bytes_of(&p.temporary)), -1);
    p.v.get_live(&live);
    cr_expect_eq(live.contexts + live.memories + live.fds, 0);
    cr_expect_eq(p.v.mistakes(), 0);
}
