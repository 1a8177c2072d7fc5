/* SPDX-License-Identifier: Apache-2.0 */
/* test_sim_bpu_mistakes.c - what programs for Horizon's boards do wrong shows on the simulated ones: in a sentence, in
   a code, or in the bytes. Nothing of nnrt is in here. */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/bpu/golden.h"
#include "sim/bpu/vendor_program.h"

typedef void (*mistake)(program *p);

static const char *const boards[][2] = {{"x3", "1.9.7"}, {"x5", ""}, {"s100", "3.13.6"}};

static bool has_mistake(const program *p, const char *beginning) {
    unsigned i;
    for (i = 0; i < program_mistakes(p); i++)
        if (strncmp(program_mistake(p, i), beginning, strlen(beginning)) == 0) return true;
    return false;
}

/* The program makes one mistake on a board. */
static void is_noticed_on(const char *const *board, const char *model, mistake make, const char *beginning) {
    program p;
    program_open(&p, board[0], board[1]);
    program_load(&p, model, NULL);
    cr_expect_eq(program_mistakes(&p), 0);
    make(&p);
    cr_expect(has_mistake(&p, beginning), "%s: %s", board[0],
              program_mistakes(&p) ? program_mistake(&p, 0) : "nothing was noticed");
}

/* X5's release; the board is the same for all. */
static void is_noticed(const char *model, mistake make, const char *beginning) {
    is_noticed_on(boards[1], model, make, beginning);
}

static void clean_inputs(program *p) {
    int32_t i;
    for (i = 0; i < p->input_count; i++) PROGRAM_WORKS(program_flush(p, program_memory(p, false, i), VENDOR_CLEAN));
}

/* A run that is over; nothing is invalidated. */
static void run_blindly(program *p) {
    program_start(p, 0, 0);
    PROGRAM_WORKS(program_wait(p, p->task, 0));
    PROGRAM_WORKS(program_release(p, p->task));
}

/* ----------------------------------------------------------------------------------------------------------- caches */

static void inputs_not_cleaned(program *p) {
    memset(program_bytes(p, false, 0), 1, (size_t)p->input[0].bytes);
    run_blindly(p);
}
static void output_not_cleaned(program *p) {
    memset(program_bytes(p, true, 0), 0, (size_t)p->output[0].bytes);
    clean_inputs(p);
    run_blindly(p);
}
static void overwritten_unseen(program *p) {
    clean_inputs(p);
    run_blindly(p);
    run_blindly(p);
}
static void freed_unseen(program *p) {
    clean_inputs(p);
    run_blindly(p);
    PROGRAM_WORKS(program_free(p, program_memory(p, true, 0)));
}

Test(sim_bpu_mistakes, an_input_that_was_not_cleaned) {
    is_noticed("small", inputs_not_cleaned, "missing sync: 1 lines of input 0");
}
Test(sim_bpu_mistakes, an_output_that_was_cleared_and_not_cleaned) {
    is_noticed("small", output_not_cleaned, "missing sync: output 0 was written by the CPU");
}
Test(sim_bpu_mistakes, results_that_are_overwritten_unseen) {
    is_noticed("small", overwritten_unseen, "missing sync: output 0 is overwritten");
}
Test(sim_bpu_mistakes, results_that_are_freed_unseen) {
    is_noticed("small", freed_unseen, "missing sync: a memory ends with results");
}

/* Without CLEAN the run sees what was there before, without INVALIDATE the CPU sees what it saw before. */
Test(sim_bpu_mistakes, without_syncs_bytes_are_those_of_before) {
    program p;
    uint8_t before[64];
    program_open(&p, "x5", "");
    program_load(&p, "same_u8", NULL);
    memset(program_bytes(&p, false, 0), 11, (size_t)p.input[0].bytes);
    program_run(&p);
    cr_expect_eq(program_bytes(&p, true, 0)[0], 11);
    memset(program_bytes(&p, false, 0), 22, (size_t)p.input[0].bytes);
    run_blindly(&p);
    PROGRAM_WORKS(program_flush(&p, program_memory(&p, true, 0), VENDOR_INVALIDATE));
    cr_expect_eq(program_bytes(&p, true, 0)[0], 11, "the picture of before, as it was not cleaned");
    clean_inputs(&p);
    memcpy(before, program_bytes(&p, true, 0), sizeof(before));
    run_blindly(&p);
    cr_expect_eq(memcmp(before, program_bytes(&p, true, 0), sizeof(before)), 0, "the result of before");
    PROGRAM_WORKS(program_flush(&p, program_memory(&p, true, 0), VENDOR_INVALIDATE));
    cr_expect_eq(program_bytes(&p, true, 0)[0], 22);
}

static void flush_of_another(program *p) {
    vendor_memory wrong = *program_memory(p, false, 0);
    wrong.phyAddr = program_memory(p, true, 0)->phyAddr;
    PROGRAM_WORKS(program_flush(p, &wrong, VENDOR_CLEAN));
}
static void flush_of_too_much(program *p) {
    vendor_memory wrong = *program_memory(p, false, 0);
    wrong.memSize += 4096;
    PROGRAM_WORKS(program_flush(p, &wrong, VENDOR_CLEAN));
}

Test(sim_bpu_mistakes, a_flush_with_the_addresses_of_two_memories) {
    is_noticed("small", flush_of_another, "wrong address: ");
}
Test(sim_bpu_mistakes, a_flush_beyond_the_end) { is_noticed("small", flush_of_too_much, "wrong size: a flush of "); }

/* ---------------------------------------------------------------------------------------------------------- tensors */

/* Reads an output as if there were no padding; or by its stride[]. How many elements are right. */
static size_t read_by(const char *const *board, const char *model, int32_t output, bool by_stride, size_t *all) {
    program p;
    golden g;
    unsigned k;
    size_t i, good = 0;
    program_open(&p, board[0], board[1]);
    cr_assert(golden_read(&g, program_folder(), model, board[0]));
    program_load(&p, model, NULL);
    memset(program_bytes(&p, false, 0), 0, (size_t)p.input[0].bytes);
    for (k = 0; k < g.count; k++) {
        const golden_tensor *t = &g.tensor[k];
        for (i = 0; !t->output && i < t->bytes; i++) { /* int8: four or two channels, rows of alignedShape */
            const size_t c = i % (size_t)p.input[0].valid[3], x = i / (size_t)p.input[0].valid[3];
            const size_t w = x % (size_t)p.input[0].valid[2], h = x / (size_t)p.input[0].valid[2];
            const size_t pixel = h * (size_t)p.input[0].aligned[2] + w;
            program_bytes(&p, false, 0)[pixel * (size_t)p.input[0].aligned[3] + c] = t->data[i];
        }
    }
    program_run(&p);
    for (k = 0; k < g.count; k++) {
        const golden_tensor *t = &g.tensor[k];
        if (!t->output || t->index != (unsigned)output) continue;
        *all = t->bytes / t->element;
        for (i = 0; i < *all; i++) {
            size_t rest = i, offset = by_stride ? 0 : i * t->element;
            int32_t d;
            for (d = p.output[output].rank; by_stride && d-- > 0; rest /= (size_t)p.output[output].valid[d])
                offset += rest % (size_t)p.output[output].valid[d] * (size_t)p.output[output].stride[d];
            good += offset + t->element <= (size_t)p.output[output].bytes &&
                    memcmp(program_bytes(&p, true, output) + offset, t->data + i * t->element, t->element) == 0;
        }
    }
    golden_free(&g);
    program_close(&p);
    return good;
}

Test(sim_bpu_mistakes, an_output_that_is_read_with_its_valid_shape_is_wrong) {
    size_t all = 0, good = read_by(boards[1], "padded", 0, false, &all);
    cr_expect(good > 0 && good < all / 3, "%zu of %zu elements are right", good, all);
    good = read_by(boards[1], "padded", 0, true, &all);
    cr_expect_eq(good, all, "by its strides %zu of %zu are", good, all);
}

/* Of 24 or 32 channels 19 are elements. */
static void padding_on(const char *const *board) {
    program p;
    size_t at, noise = 0, all = 0;
    program_open(&p, board[0], board[1]);
    program_load(&p, "padded", NULL);
    program_run(&p);
    for (at = 0; at < (size_t)p.output[0].bytes; at++) {
        if (at / 4 % (size_t)p.output[0].aligned[3] < 19) continue;
        noise += program_bytes(&p, true, 0)[at] != 0;
        all++;
    }
    cr_expect(all > 1000 && noise == all, "%zu of %zu bytes of padding are noise", noise, all);
    program_close(&p);
}

Test(sim_bpu_mistakes, padding_of_outputs_is_noise_on_x3) { padding_on(boards[0]); }
Test(sim_bpu_mistakes, padding_of_outputs_is_noise_on_x5) { padding_on(boards[1]); }

Test(sim_bpu_mistakes, strides_of_x5_that_are_believed_lead_into_the_padding) {
    size_t all = 0;
    const size_t good = read_by(boards[1], "rotated", 0, true, &all);
    cr_expect(good < all / 2, "%zu of %zu elements are right", good, all);
}

Test(sim_bpu_mistakes, an_array_that_is_given_for_the_address_of_its_variable_ends_the_process) {
    int status = 0;
    pid_t child;
    program_present("");
    child = fork();
    if (child == 0) {
        program p;
        vendor_control control;
        vendor_handle task = NULL;
        program_open(&p, "x5", "");
        program_load(&p, "small", NULL);
        memset(&control, 0, sizeof(control));
        (void)PROGRAM_CALL(&p, "hbDNNInfer", (vendor_handle *, void *, const void *, vendor_handle, void *),
                           (&task, p.outputs, p.inputs, p.model, &control));
        _exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static void wrong_indirection_strict(program *p) {
    vendor_control control;
    vendor_handle task = NULL;
    memset(&control, 0, sizeof(control));
    ((void (*)(int))program_need(p, "nnrt_sim_strict"))(1);
    cr_expect_eq(PROGRAM_CALL(p, "hbDNNInfer", (vendor_handle *, void *, const void *, vendor_handle, void *),
                              (&task, p->outputs, p->inputs, p->model, &control)),
                 VENDOR_INVALID_ARGUMENT);
}
static void wrong_indirection_of_ucp(program *p) {
    void *outputs[60] = {p->outputs};
    vendor_handle task = NULL;
    outputs[1] = outputs[0];
    cr_expect_neq(PROGRAM_CALL(p, "hbDNNInferV2", (vendor_handle *, void *, const void *, vendor_handle),
                               (&task, outputs, p->inputs, p->model)),
                  0);
    (void)program_release(p, task);
    /* What UCP looks at, the type, is 0 = S4 here; a tensor that passes is found out by its address. */
    ((vendor_ucp_tensor *)(void *)outputs)->properties.tensorType = p->output[0].type - VENDOR_S4;
    outputs[1] = program_bytes(p, true, 0);
    cr_expect_eq(PROGRAM_CALL(p, "hbDNNInferV2", (vendor_handle *, void *, const void *, vendor_handle),
                              (&task, outputs, p->inputs, p->model)),
                 VENDOR_UCP_INVALID_ARGUMENT);
}

Test(sim_bpu_mistakes, an_array_that_is_given_for_the_address_of_its_variable_is_refused_by_a_strict_board) {
    is_noticed("small", wrong_indirection_strict, "crash: the array of outputs");
}
Test(sim_bpu_mistakes, the_address_of_a_variable_that_is_given_for_an_array) {
    is_noticed_on(boards[2], "small", wrong_indirection_of_ucp, "foreign memory: output 0");
}

/* Outputs are laid out as another release has them: the second one is somewhere else. */
static void layout_of_another_release(program *p) {
    uint8_t wrong[2 * 272];
    void *outputs = wrong;
    vendor_control control;
    vendor_handle task = NULL;
    const size_t other = p->layout->tensor == 272 ? sizeof(vendor_tensor_197) : sizeof(vendor_tensor_1184);
    int32_t i;
    memset(wrong, 0, sizeof(wrong));
    memset(&control, 0, sizeof(control));
    for (i = 0; i < 2; i++)
        memcpy(wrong + (size_t)i * other, program_tensor(p, true, i),
               other < p->layout->tensor ? other : p->layout->tensor);
    cr_expect_eq(PROGRAM_CALL(p, "hbDNNInfer", (vendor_handle *, void **, const void *, vendor_handle, void *),
                              (&task, &outputs, p->inputs, p->model, &control)),
                 VENDOR_INVALID_ARGUMENT);
}

Test(sim_bpu_mistakes, tensors_of_another_release) {
    is_noticed("shifted", layout_of_another_release, "foreign memory: output 1");
}
Test(sim_bpu_mistakes, tensors_of_a_newer_release) {
    is_noticed_on(boards[0], "shifted", layout_of_another_release, "foreign memory: output 1");
}

static void too_small_output(program *p) {
    vendor_memory *memory = program_memory(p, true, 0), own = *memory;
    vendor_handle task = NULL;
    PROGRAM_WORKS(program_allocate(p, memory, 40, true));
    cr_expect_neq(program_infer(p, &task, 0, 0, 0), 0);
    PROGRAM_WORKS(program_free(p, memory));
    *memory = own;
}

Test(sim_bpu_mistakes, an_output_of_the_valid_size) { is_noticed("padded", too_small_output, "wrong size: output 0"); }

/* ------------------------------------------------------------------------------------------------------------ lives */

static void freed_in_use(program *p) {
    program_hold(p);
    clean_inputs(p);
    program_start(p, 0, 0);
    PROGRAM_WORKS(program_free(p, program_memory(p, true, 0)));
    program_until(p, "task", 1);
    program_let_go(p);
    cr_expect_neq(program_wait(p, p->task, 0), 0, "the run had somewhere to write");
    PROGRAM_WORKS(program_release(p, p->task));
}
static void freed_after_release(program *p) {
    program_hold(p);
    clean_inputs(p);
    program_start(p, 0, 0);
    program_until(p, "task", 1);
    PROGRAM_WORKS(program_release(p, p->task));
    PROGRAM_WORKS(program_free(p, program_memory(p, false, 0)));
}
static void freed_elsewhere(program *p) {
    vendor_memory wrong = *program_memory(p, false, 0);
    wrong.phyAddr = 0x77;
    cr_expect_neq(program_free(p, &wrong), 0);
}

Test(sim_bpu_mistakes, memory_that_is_freed_while_a_task_runs) { is_noticed("small", freed_in_use, "freed in use: "); }
Test(sim_bpu_mistakes, memory_that_is_freed_while_a_released_task_still_runs) {
    is_noticed("small", freed_after_release, "freed in use: ");
}
Test(sim_bpu_mistakes, memory_that_is_freed_while_a_released_task_still_runs_in_ucp) {
    is_noticed_on(boards[2], "small", freed_after_release, "freed in use: ");
}
Test(sim_bpu_mistakes, memory_that_is_freed_by_another_address) {
    is_noticed("small", freed_elsewhere, "foreign memory: physical 0x77 is freed");
}

/* Tasks that are not released: there are none left, and they are alive at the end. */
Test(sim_bpu_mistakes, tasks_that_are_not_released) {
    program p;
    nnrt_sim_live live;
    int32_t i, answer = 0;
    program_open(&p, "x5", "");
    program_load(&p, "small", NULL);
    clean_inputs(&p);
    for (i = 0; i < 33; i++) {
        vendor_handle task = NULL;
        answer = program_infer(&p, &task, 0, 0, 0);
        cr_expect_eq(answer, i < 32 ? 0 : VENDOR_TASK_NUMBER);
        if (task) PROGRAM_WORKS(program_wait(&p, task, 0));
        PROGRAM_WORKS(program_flush(&p, program_memory(&p, true, 0), VENDOR_INVALIDATE));
    }
    ((void (*)(nnrt_sim_live *))program_need(&p, "nnrt_sim_get_live"))(&live);
    cr_expect_eq(live.contexts, 33, "32 tasks and their model");
    cr_expect_eq(PROGRAM_CALL(&p, "hbDNNRelease", (vendor_handle), (p.packed)), VENDOR_MODEL_RUNNING);
}
