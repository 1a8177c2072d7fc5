/* SPDX-License-Identifier: Apache-2.0 */
/* static_program.c - a program without a library of anybody's: linked statically, it runs images through the imitated
   drivers of tests/sim/rknpu_open and compares each byte with the definition of the convolution. Prints how many were
   equal. test_open_static.py links it for the C libraries and processors that are here. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as nnrt.h asks for POSIX */
#endif
#include "core/platform.h"
#include "core/log.h"
#include "rknpu_open/session.h"

#define SEED 20261202u

#include "open_file.h"
#include "../sim/rknpu_open/sim_npu.h"

static int complain(const char *what) {
    printf("%s: %s; %s\n", what, nnrt__sentence(), sim.mistakes);
    return 1;
}

/* Equal bytes; -1: it failed. */
static long run_conv(const conv *c) {
    const size_t count = (size_t)conv_out_height(c) * conv_out_width(c) * c->outputs;
    image *i = image_begin(NNRT__OPEN_NPU_RV1106);
    nnrt__open_npu_session *session;
    const void *inputs[2];
    void *outputs[1];
    size_t size;
    uint8_t *bytes;
    int8_t *expected = conv_reference(c), *out = (int8_t *)malloc(count);
    bool is_right;
    image_conv(i, c);
    bytes = image_make(i, &size);
    inputs[0] = c->input;
    inputs[1] = c->operand;
    outputs[0] = out;
    sim_begin(SIM_OWN, false);
    is_right = out != NULL && nnrt__open_npu_open(bytes, size, &session) == OH_NN_SUCCESS;
    if (is_right) {
        is_right = nnrt__open_npu_run(session, inputs, outputs, 0) == OH_NN_SUCCESS;
        nnrt__open_npu_close(session);
    }
    is_right = is_right && memcmp(out, expected, count) == 0 && sim_alive() == 0 && sim.mistakes[0] == '\0';
    if (!is_right) (void)complain("a convolution");
    sim_end();
    free(bytes);
    free(expected);
    free(out);
    return is_right ? (long)count : -1;
}

int main(void) {
    long equal = 0;
    conv c;
    for (uint32_t n = 0; conv_example(n, &c); n++) {
        const long count = run_conv(&c);
        conv_free(&c);
        if (count < 0) return 1;
        equal += count;
    }
    printf("%ld bytes equal\n", equal);
    return 0;
}
