/* SPDX-License-Identifier: Apache-2.0 */
/* Whole int8 networks, cut in two: what the open NPU takes runs on the NPU in software, the rest on the CPU device. No
   class has more than the expected one, and all products are the NPU's.

   The models lie in the directory NNRT_MODELS (default ../shared/models) and are no part of this repository. */
#define SEED 32003
#include "linked.h"

#include <criterion/criterion.h>

#include "graph_builder.h"
#include "noise.h"
#include "offline_runner.h"

#include "open_npu_run.h"

#include "open_npu_conv.h"

typedef struct network {
    const char *name;
    bool classes;        /* the largest output counts; else every one */
    uint64_t least_macs; /* of the NPU, in thousands */
    uint64_t most_steps; /* of an output from the expected one */
} network;

/* Of resnet a bit in the first layer moves classes by many steps, and two classes of one sample become equal. */
static const network networks[] = {{"kws_ref_model", true, 2664, 4}, {"vww_96_int8", true, 7491, 8},
                                   {"person_detect", true, 7160, 8}, {"pretrainedResnet_quant", true, 12505, 40},
                                   {"ad01_int8", false, 264, 4},     {"micro_speech_quantized", true, 336, 4}};

static uint8_t *read_bytes(const network *n, const char *file, size_t number, size_t *size) {
    const char *folder = off_models_folder();
    char path[400];
    if (file == NULL) snprintf(path, sizeof path, "%s/%s/%s.tflite", folder, n->name, n->name);
    else snprintf(path, sizeof path, "%s/%s/%s%zu.bin", folder, n->name, file, number);
    return off_read(path, size);
}

static size_t largest(const int8_t *values, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (values[i] > values[best]) best = i;
    return best;
}

static void print_refusals(const nnrt_graph *graph, nnrt__open_npu_chip chip) {
    parts p;
    parts_of(&p, graph);
    for (uint32_t i = p.ir.first; i != NNRT__NONE; i = p.ir.nodes[i].next) {
        const char *reason = nnrt__open_npu_refusal(&p.ir, &p.ir.nodes[i], chip);
        if (reason != NULL) fprintf(stderr, "    %s: %s\n", nnrt__op_name(p.ir.nodes[i].op), reason);
    }
    nnrt__ir_free(&p.ir);
}

static void run_network(const network *n, nnrt__open_npu_chip chip) {
    size_t size, in_size, out_size, sample;
    uint8_t *bytes = read_bytes(n, NULL, 0, &size), *in;
    nnrt__graph_store *store = NULL;
    distance d = {0, 0, 0};
    parts p;
    if (bytes == NULL) cr_skip_test("skipped, no models");
    memset(&p, 0, sizeof p);
    cr_assert_eq((int)nnrt__tflite_read(bytes, size, &store), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (sample = 0; (in = read_bytes(n, "input", sample, &in_size)) != NULL; sample++) {
        uint8_t *right = read_bytes(n, "expected", sample, &out_size), *got = (uint8_t *)malloc(out_size);
        parts_run(&p, nnrt__graph_store_graph(store), chip, in, got);
        if (n->classes)
            cr_assert_eq(((int8_t *)got)[largest((int8_t *)right, out_size)],
                         ((int8_t *)got)[largest((int8_t *)got, out_size)], "%s, sample %zu", n->name, sample);
        distance_add(&d, (int8_t *)got, (int8_t *)right, out_size);
        free(in);
        free(right);
        free(got);
    }
    cr_assert_gt(sample, 0u);
    fprintf(stderr, "%s on %s: %u parts, %u operators, %llu products; %u operators on the CPU\n", n->name,
            chip_name(chip), p.npu_parts, p.npu_nodes, (unsigned long long)p.npu_macs, p.cpu_nodes);
    print_refusals(nnrt__graph_store_graph(store), chip);
    distance_print(&d, n->name);
    cr_assert_geq(p.npu_macs, n->least_macs * 1000, "%s", n->name);
    cr_assert_leq(d.most, n->most_steps, "%s", n->name);
    nnrt__graph_store_release(store);
    free(bytes);
}

Test(open_compile_models, rv1106, .timeout = 120) {
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) run_network(&networks[i], NNRT__OPEN_NPU_RV1106);
}

Test(open_compile_models, rk3588, .timeout = 120) {
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) run_network(&networks[i], NNRT__OPEN_NPU_RK3588);
}
