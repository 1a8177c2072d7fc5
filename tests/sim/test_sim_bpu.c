/* SPDX-License-Identifier: Apache-2.0 */
/* test_sim_bpu.c - the simulated Horizon boards compute what their models say, in every release of the libraries, as a
   program sees it that was written like the vendor's samples. Nothing of nnrt is in here. What the libraries answer to
   what is wrong is in test_sim_bpu_calls.c. */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include "sim/bpu/vendor_program.h"

/* ------------------------------------------------------------------------------------------------------ the meter */

static void read_file(const char *name, unsigned number, void *bytes, size_t size) {
    char path[80];
    FILE *file;
    (void)snprintf(path, sizeof(path), "examples/meter/golden/%s%u.bin", name, number);
    file = fopen(path, "rb");
    cr_assert(file != NULL && fread(bytes, 1, size, file) == size, "%s: run me where README.md is", path);
    (void)fclose(file);
}

/* Window number of the meter's own files; the classes are those of the CPU device. */
static void meter_reads(program *p, unsigned number) {
    const size_t pitch = p->layout->ucp ? (size_t)p->input[0].stride[1] : (size_t)p->input[0].aligned[3];
    int8_t window[32][20], digit[10];
    uint32_t h, w, i;
    read_file("input", number, window, sizeof(window));
    read_file("expected", number, digit, sizeof(digit));
    for (h = 0; h < 32; h++)
        for (w = 0; w < 20; w++) program_bytes(p, false, 0)[h * pitch + w] = (uint8_t)(window[h][w] + 128);
    program_run(p);
    for (i = 0; i < 10; i++)
        cr_expect_eq((int8_t)program_bytes(p, true, 0)[i], digit[i], "%s %s: window %u, class %u", p->chip, p->release,
                     number, i);
}

static void meter_on(const program_board *board) {
    unsigned release, number;
    for (release = 0; release < 6 && board->releases[release]; release++) {
        program p;
        program_open(&p, board->chip, board->releases[release]);
        program_load(&p, "meter", "meter");
        for (number = 0; number < 6; number++) meter_reads(&p, number);
        program_close(&p);
    }
}

Test(sim_bpu, the_meter_gives_the_classes_of_the_cpu_on_x3_in_all_releases) { meter_on(&program_boards[0]); }
Test(sim_bpu, the_meter_gives_the_classes_of_the_cpu_on_j5_in_all_releases) { meter_on(&program_boards[1]); }
Test(sim_bpu, the_meter_gives_the_classes_of_the_cpu_on_x5) { meter_on(&program_boards[2]); }
Test(sim_bpu, the_meter_gives_the_classes_of_the_cpu_on_s100_in_all_releases) { meter_on(&program_boards[3]); }
Test(sim_bpu, the_meter_gives_the_classes_of_the_cpu_on_s600) { meter_on(&program_boards[4]); }
