/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that the network inside the simulated boards is right: network.py and sim_model_*.c give the bytes of nnrt's
   CPU device on int8, every type and operator of the container computes what it says, and no file, however broken, is
   worse than a sentence.

   The twelve trained models lie in the directory NNRT_MODELS (default ../shared/models) and are not part of this
   repository. The .rknn files are made anew here. */
#include "linked.h"

#include "offline_runner.h"

#include "sim/common/sim_model_read.c"
#include "sim/common/sim_model_run.c"
#include "sim/common/sim_ops_float.c"
#include "sim/common/sim_ops_int8.c"
#include "sim/common/sim_result.c"
#include "sim/rknpu/sim_rknn_file.c"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

static uint32_t seed;

static uint32_t draw(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* -------------------------------------------------------------------------------------------------- files */

/* The folder of all models of the repository, made when first asked for; the parent's for all tests of this run. */
static const char *made_folder(void) {
    static char folder[64];
    char command[200];
    if (folder[0] != 0) return folder;
    snprintf(folder, sizeof folder, "/tmp/nnrt_test_sim_XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(command, sizeof command, "python3 tests/sim/rknpu/make_model.py --all %s", folder);
    cr_assert_eq(system(command), 0, "%s", command);
    return folder;
}

static void drop_made_folder(void) {
    char command[200];
    snprintf(command, sizeof command, "rm -r %s", made_folder());
    cr_assert_eq(system(command), 0);
}

static uint8_t *made_bytes(const char *name, size_t *size) {
    char path[200];
    uint8_t *bytes;
    snprintf(path, sizeof path, "%s/%s.rk3588.rknn", made_folder(), name);
    bytes = off_read(path, size);
    cr_assert_not_null(bytes, "%s is missing", path);
    return bytes;
}

/* As the simulated library loads it: the outside, then the network inside. */
static sim_model *load(const uint8_t *bytes, size_t size, sim_rknn_file *outside, const char **error) {
    *error = sim_rknn_file_open(bytes, size, false, outside);
    return *error != NULL ? NULL : sim_model_load(outside->body, outside->body_size, error);
}

/* outside: what the file says of itself, without its body. */
static sim_model *made_file(const char *name, sim_rknn_file *outside) {
    size_t size;
    uint8_t *bytes = made_bytes(name, &size);
    const char *error = NULL;
    sim_model *model = load(bytes, size, outside, &error);
    free(bytes); /* the model keeps no pointer into it */
    outside->body = NULL;
    cr_assert_not_null(model, "%s: %s", name, error != NULL ? error : "no reason");
    return model;
}

static sim_model *made(const char *name) {
    sim_rknn_file outside;
    return made_file(name, &outside);
}

/* ------------------------------------------------------------------------------------------------ running */

/* Bytes of one input or output at a shape. */
static size_t port_bytes(const sim_model *model, bool output, uint32_t index, uint32_t shape) {
    sim_tensor tensor;
    sim_model_tensor(model, output, index, shape, &tensor);
    return sim_tensor_bytes(&tensor);
}

/* One input, one output; the output is the caller's to free. */
static uint8_t *run_one(const sim_model *model, const void *input) {
    size_t size = port_bytes(model, true, 0, 0);
    uint8_t *output = (uint8_t *)malloc(size);
    const void *inputs[1];
    void *outputs[1];
    inputs[0] = input;
    outputs[0] = output;
    memset(output, 0x5a, size);
    cr_assert_eq(sim_model_run(model, 0, inputs, outputs, NULL, NULL), 0);
    return output;
}

/* Values that the tensor's type can hold and a network can use: any integers, floats from -1 to 1. */
static void *drawn_input(const sim_model *model) {
    sim_tensor t;
    size_t bytes, i;
    uint8_t *input;
    sim_model_tensor(model, false, 0, 0, &t);
    bytes = sim_tensor_bytes(&t);
    input = (uint8_t *)malloc(bytes);
    for (i = 0; i < bytes; i++) input[i] = (uint8_t)draw();
    for (i = 0; t.type == SIM_FLOAT32 && i < bytes / 4; i++)
        ((float *)(void *)input)[i] = (float)((int32_t)(draw() % 2001) - 1000) / 1000.0f;
    for (i = 0; t.type == SIM_FLOAT16 && i < bytes / 2; i++)
        ((uint16_t *)(void *)input)[i] = sim_half((float)((int32_t)(draw() % 2001) - 1000) / 1000.0f);
    return input;
}

/* --------------------------------------------------------------------------------- against the CPU device */

/* Converts the .tflite file and runs both on `runs` drawn inputs; int8: the first is all maximum, the second all
   minimum. false: make_model.py refused the file. */
static bool compare_with_cpu(const char *path, size_t runs, double bound) {
    char command[800], rknn[] = "/tmp/nnrt_test_sim_XXXXXX";
    off_settings settings;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    const char *error = NULL;
    sim_rknn_file outside;
    sim_model *model;
    sim_tensor in, out;
    uint8_t *bytes, *expected;
    size_t size, i, k;
    int fd = mkstemp(rknn), result;
    cr_assert_geq(fd, 0);
    close(fd);
    snprintf(command, sizeof command, "python3 tests/sim/rknpu/make_model.py %s rk3588 %s 2>/dev/null", path, rknn);
    result = system(command);
    bytes = result == 0 ? off_read(rknn, &size) : NULL;
    unlink(rknn);
    if (bytes == NULL) return false;
    model = load(bytes, size, &outside, &error);
    cr_assert_not_null(model, "%s: %s", path, error != NULL ? error : "no reason");
    free(bytes);
    sim_model_tensor(model, false, 0, 0, &in);
    sim_model_tensor(model, true, 0, 0, &out);

    memset(&settings, 0, sizeof settings);
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    cr_assert_eq((int)off_build(compilation, &settings), (int)OH_NN_SUCCESS, "%s: %s", path, nnrt_last_error());
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    expected = (uint8_t *)malloc(sim_tensor_bytes(&out));
    for (i = 0; i < runs; i++) {
        void *input = drawn_input(model);
        uint8_t *got;
        if (i < 2 && in.type == SIM_INT8) memset(input, i == 0 ? 127 : 0x80, sim_tensor_bytes(&in));
        got = run_one(model, input);
        cr_assert_eq((int)off_run(executor, input, sim_tensor_bytes(&in), expected, sim_tensor_bytes(&out)),
                     (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
        for (k = 0; out.type == SIM_INT8 && k < sim_tensor_bytes(&out); k++)
            cr_assert_eq(got[k], expected[k], "%s, input %zu: byte %zu is %d, on the CPU device %d", path, i, k,
                         (int8_t)got[k], (int8_t)expected[k]);
        for (k = 0; out.type == SIM_FLOAT32 && k < sim_tensor_bytes(&out) / 4; k++) {
            float is, should;
            memcpy(&is, got + 4 * k, 4);
            memcpy(&should, expected + 4 * k, 4);
            cr_assert_leq(fabs((double)is - (double)should), bound * (1 + fabs((double)should)),
                          "%s, input %zu: element %zu is %g, on the CPU device %g", path, i, k, (double)is,
                          (double)should);
        }
        free(got);
        free(input);
    }
    free(expected);
    sim_model_free(model);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    return true;
}

Test(sim_model, the_meter_gives_the_bytes_of_the_cpu_device) {
    seed = 3;
    cr_assert(compare_with_cpu("examples/meter/meter.tflite", 120, 0), "run me where README.md is, with python3");
}

Test(sim_model, trained_models_give_the_bytes_of_the_cpu_device) {
    static const char *const names[] = {"ad01_int8",    "kws_ref_model",    "pretrainedResnet_quant", "person_detect",
                                        "vww_96_int8",  "hello_world_int8", "micro_speech_quantized", "ad01_fp32",
                                        "vww_96_float", "pretrainedResnet", "hello_world_float"};
    char path[512];
    size_t i;
    seed = 4;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s/%s.tflite", off_models_folder(), names[i], names[i]);
        if (access(path, R_OK) != 0) {
            cr_assert_eq(i, 0u, "%s is missing", path);
            cr_skip_test("skipped, no models in %s", off_models_folder());
        }
        cr_assert(compare_with_cpu(path, 4, 1e-3), "%s was not converted", path);
    }
    snprintf(path, sizeof path, "%s/kws_ref_model_float32/kws_ref_model_float32.tflite", off_models_folder());
    cr_assert_not(compare_with_cpu(path, 1, 0), "int8 weights with float32 activations are refused");
}

/* The exit code of make_model.py with these arguments. */
static int convert(const char *arguments) {
    char command[800];
    int status;
    snprintf(command, sizeof command, "python3 tests/sim/rknpu/make_model.py %s 2>/dev/null", arguments);
    status = system(command);
    return status == -1 || !WIFEXITED(status) ? -1 : WEXITSTATUS(status);
}

Test(sim_model, the_converter_takes_pixels_and_refuses_what_is_wrong) {
    static const char *const refused[] = {"examples/meter/meter.tflite rk3399 %s",
                                          "examples/meter/meter.tflite rk3588",
                                          "README.md rk3588 %s",
                                          "no_such_file rk3588 %s",
                                          "--all",
                                          "",
                                          "examples/meter/meter.tflite rk3588 %s --grey",
                                          "examples/meter/meter.tflite rk3588 %s --uint8-input 3,x"};
    char rknn[] = "/tmp/nnrt_test_sim_XXXXXX", arguments[400], damaged[64];
    const char *error = NULL;
    sim_rknn_file outside;
    sim_model *model;
    sim_tensor t;
    uint8_t *bytes;
    size_t size, i;
    FILE *file;
    int fd = mkstemp(rknn);
    cr_assert_geq(fd, 0);
    close(fd);
    snprintf(arguments, sizeof arguments, "examples/meter/meter.tflite rv1106 %s --uint8-input 12,4 --multi-core",
             rknn);
    cr_assert_eq(convert(arguments), 0);
    bytes = off_read(rknn, &size);
    model = load(bytes, size, &outside, &error);
    cr_assert_not_null(model, "%s", error != NULL ? error : "no reason");
    free(bytes);
    sim_model_tensor(model, false, 0, 0, &t);
    cr_assert(t.image && t.mean[0] == 12 && t.std[0] == 4 && sim_model_multi_core(model));
    cr_assert_str_eq(outside.platform, "rv1106");
    sim_model_free(model);
    for (i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *place = strstr(refused[i], "%s");
        snprintf(arguments, sizeof arguments, "%.*s%s%s", (int)(place != NULL ? place - refused[i] : 200), refused[i],
                 place != NULL ? rknn : "", place != NULL ? place + 2 : "");
        cr_assert_gt(convert(arguments), 0, "%s", arguments);
    }
    /* A .tflite file that ends early ends in a sentence. */
    snprintf(damaged, sizeof damaged, "%s.tflite", rknn);
    bytes = off_read("examples/meter/meter.tflite", &size);
    file = fopen(damaged, "wb");
    cr_assert(file != NULL && fwrite(bytes, 1, size / 3, file) == size / 3);
    fclose(file);
    free(bytes);
    snprintf(arguments, sizeof arguments, "%s rk3588 %s", damaged, rknn);
    cr_assert_eq(convert(arguments), 1);
    unlink(damaged);
    unlink(rknn);
}

/* ------------------------------------------------------------------------------------ types and operators */

Test(sim_model, copies_keep_every_bit_of_every_type) {
    static const char *const names[] = {"same_int8",  "same_wide",   "same_half",  "same_float", "same_int16",
                                        "same_uint8", "same_vector", "same_int64", "same_rank1", "same_rank3"};
    size_t i, k;
    seed = 5;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        sim_model *model = made(names[i]);
        size_t bytes = port_bytes(model, false, 0, 0);
        uint8_t *input = (uint8_t *)malloc(bytes), *output;
        for (k = 0; k < bytes; k++) input[k] = (uint8_t)draw();
        output = run_one(model, input);
        cr_assert_eq(memcmp(input, output, bytes), 0, "%s", names[i]);
        free(input);
        free(output);
        sim_model_free(model);
    }
    drop_made_folder();
}

static double number_at(const sim_tensor *t, const void *data, size_t i) {
    double x = sim_read_number(data, t->type, i);
    if (t->quant == SIM_QUANT_AFFINE) return (x - t->zp) * (double)t->scale;
    return t->quant == SIM_QUANT_DFP ? ldexp(x, -t->fl) : x;
}

/* Runs the twin and `name` on the same numbers: they differ by no more than bound of a real number. */
static void compare_twins(const char *twin, const char *name, double bound) {
    sim_model *a = made(twin), *b = made(name);
    sim_tensor a_in, b_in, a_out, b_out;
    float *input, *exact;
    void *coarse;
    uint8_t *a_got, *b_got;
    size_t count, i;
    sim_model_tensor(a, false, 0, 0, &a_in);
    sim_model_tensor(b, false, 0, 0, &b_in);
    sim_model_tensor(a, true, 0, 0, &a_out);
    sim_model_tensor(b, true, 0, 0, &b_out);
    count = sim_elements(a_in.dims, a_in.rank);
    input = (float *)drawn_input(a);
    exact = (float *)malloc(count * sizeof *exact);
    coarse = malloc(sim_tensor_bytes(&b_in));
    for (i = 0; i < count; i++) {
        double x = (double)input[i];
        if (b_in.quant == SIM_QUANT_AFFINE) x = x / (double)b_in.scale + b_in.zp;
        if (b_in.quant == SIM_QUANT_DFP) x = ldexp(x, b_in.fl);
        sim_write_number(coarse, b_in.type, i, x, 0);
        exact[i] = (float)number_at(&b_in, coarse, i); /* both see the same numbers */
    }
    a_got = run_one(a, exact);
    b_got = run_one(b, coarse);
    count = sim_elements(a_out.dims, a_out.rank);
    for (i = 0; i < count; i++) {
        double is = number_at(&b_out, b_got, i), should = number_at(&a_out, a_got, i);
        double low = b_out.type == SIM_INT8 ? number_at(&b_out, "\x80", 0) : -1e9;
        double high = b_out.type == SIM_INT8 ? number_at(&b_out, "\x7f", 0) : 1e9;
        should = should < low ? low : should > high ? high : should;
        cr_assert_leq(fabs(is - should), bound, "%s: element %zu is %g and should be %g", name, i, is, should);
    }
    free(input);
    free(exact);
    free(coarse);
    free(a_got);
    free(b_got);
    sim_model_free(a);
    sim_model_free(b);
}

Test(sim_model, float16_int16_and_dynamic_fixed_point_stay_near_float32) {
    seed = 6;
    compare_twins("float", "half", 0.004);          /* half a step of float16 between 4 and 8 */
    compare_twins("float_c8", "int16", 0.05 / 64);  /* a step */
    compare_twins("float_c8", "dfp16", 1.0 / 1024); /* a step */
    compare_twins("float_c8", "dfp8", 1.0 / 32);    /* a step */
    drop_made_folder();
}

Test(sim_model, padding_pools_and_relu_follow_their_definitions) {
    sim_model *model = made("windows");
    int8_t *input, *output;
    int n, y, x, c, ky;
    seed = 7;
    input = (int8_t *)drawn_input(model);
    output = (int8_t *)run_one(model, input);
    for (n = 0; n < 2; n++)
        for (y = 0; y < 4; y++)
            for (x = 0; x < 5; x++)
                for (c = 0; c < 3; c++) {
                    int most = -128, should, is = output[((n * 4 + y) * 5 + x) * 3 + c];
                    for (ky = 0; ky < 3; ky++) { /* one row of padding stands in front, the rest behind */
                        int row = 2 * y + ky - 1, column = 2 * x;
                        int inside = row >= 0 && row < 6 && column < 7;
                        int value = inside ? input[((n * 6 + row) * 7 + column) * 3 + c] : -20;
                        if (value > most) most = value;
                    }
                    should = most < -20 ? -128 : (int)floor((most + 20) * 0.05 / 0.08 + 0.5) - 128;
                    cr_assert_leq(abs(is - should), 0, "%d %d %d %d is %d and should be %d", n, y, x, c, is, should);
                }
    free(input);
    free(output);
    sim_model_free(model);
    drop_made_folder();
}

Test(sim_model, each_shape_of_a_dynamic_network_computes_its_own_size) {
    static const uint32_t rows[3] = {1, 4, 7};
    sim_model *model = made("dynamic_rows");
    uint32_t shape;
    seed = 8;
    cr_assert_eq(sim_model_shapes(model), 3u);
    for (shape = 0; shape < 3; shape++) {
        size_t bytes = port_bytes(model, false, 0, shape), i;
        int8_t *a = (int8_t *)malloc(bytes), *b = (int8_t *)malloc(bytes), *c = (int8_t *)malloc(bytes);
        const void *inputs[2];
        void *outputs[1];
        cr_assert_eq(bytes, 20u * rows[shape]);
        cr_assert_eq(port_bytes(model, true, 0, shape), bytes);
        for (i = 0; i < bytes; i++) {
            a[i] = (int8_t)draw();
            b[i] = (int8_t)draw();
        }
        inputs[0] = a;
        inputs[1] = b;
        outputs[0] = c;
        cr_assert_eq(sim_model_run(model, shape, inputs, outputs, NULL, NULL), 0);
        for (i = 0; i < bytes; i++) {
            double real = (a[i] - 5 + b[i] - 5) * 0.03 / 0.09 + 7;
            real = real < -128 ? -128 : real > 127 ? 127 : real;
            cr_assert_leq(fabs(c[i] - real), 0.51, "shape %u, element %zu: %d + %d is %d", shape, i, a[i], b[i], c[i]);
        }
        free(a);
        free(b);
        free(c);
    }
    sim_model_free(model);
    model = made("dynamic");
    cr_assert_eq(sim_model_inputs(model), 2u);
    cr_assert_eq(port_bytes(model, false, 0, 2), 16u * 33 * 3);
    cr_assert_eq(port_bytes(model, false, 1, 1), 8u * 9 * 24);
    cr_assert_eq(port_bytes(model, true, 0, 0), 12u * 20 * 24);
    sim_model_free(model);
    drop_made_folder();
}

/* --------------------------------------------------------------------------------------- custom operators */

static int scale_and_offset(void *user, const char *op_type, const sim_tensor *inputs, void *const *input_data,
                            uint32_t n_inputs, const sim_tensor *outputs, void *const *output_data, uint32_t n_outputs,
                            const uint8_t *attributes, size_t attribute_bytes) {
    sim_type type;
    const void *data;
    uint32_t elements;
    int32_t offset[8];
    float factor;
    size_t i, count = sim_elements(inputs[0].dims, inputs[0].rank);
    cr_assert_str_eq(op_type, "nnrtScale");
    cr_assert(n_inputs == 1 && n_outputs == 1 && sim_tensor_bytes(&inputs[0]) == sim_tensor_bytes(&outputs[0]));
    cr_assert_not(sim_model_attribute(attributes, attribute_bytes, "fact", &type, &elements, &data));
    cr_assert(sim_model_attribute(attributes, attribute_bytes, "factor", &type, &elements, &data));
    cr_assert(type == SIM_FLOAT32 && elements == 1);
    memcpy(&factor, data, sizeof factor);
    cr_assert(sim_model_attribute(attributes, attribute_bytes, "offset", &type, &elements, &data));
    cr_assert(type == SIM_INT32 && elements == 8);
    memcpy(offset, data, sizeof offset);
    for (i = 0; i < count; i++)
        ((float *)output_data[0])[i] = ((const float *)input_data[0])[i] * factor + (float)offset[i % 8];
    return *(const int *)user;
}

Test(sim_model, custom_operators_are_called_with_their_tensors_and_attributes) {
    sim_model *model = made("custom");
    uint16_t *input, output[240];
    const void *inputs[1];
    void *outputs[1];
    int answer = 0, bad = -5;
    size_t i;
    seed = 9;
    cr_assert_eq(sim_model_custom_ops(model), 1u);
    cr_assert_str_eq(sim_model_custom_op(model, 0), "nnrtScale");
    input = (uint16_t *)drawn_input(model);
    inputs[0] = input;
    outputs[0] = output;
    cr_assert_eq(sim_model_run(model, 0, inputs, outputs, scale_and_offset, &answer), 0);
    for (i = 0; i < 240; i++)
        cr_assert_eq(output[i], sim_half(2.0f * sim_from_half(input[i]) + (float)((int)(i % 8) - 3)), "%zu", i);
    cr_assert_lt(sim_model_run(model, 0, inputs, outputs, scale_and_offset, &bad), 0);
    cr_assert_lt(sim_model_run(model, 0, inputs, outputs, NULL, NULL), 0, "without a callback nothing computes it");
    free(input);
    sim_model_free(model);
    drop_made_folder();
}

/* --------------------------------------------------------------------------------------- what a file says */

Test(sim_model, a_file_says_what_it_is) {
    sim_rknn_file outside;
    sim_model *model = made_file("two", &outside);
    sim_tensor t;
    cr_assert_str_eq(outside.platform, "rk3588");
    cr_assert_eq(outside.format_version, 6u);
    cr_assert_str_eq(sim_model_custom_string(model), "made by make_model.py: two");
    cr_assert_eq(sim_model_inputs(model), 2u);
    cr_assert_eq(sim_model_outputs(model), 2u);
    cr_assert_not(sim_model_multi_core(model));
    cr_assert_gt(sim_model_weight_bytes(model), 12u * 27 + 10 * 16);
    cr_assert_gt(sim_model_internal_bytes(model), 2u * 8 * 10 * 12);
    cr_assert_str_eq(sim_model_layer_name(model, 0), "Conv");
    cr_assert_str_eq(sim_model_layer_name(model, sim_model_layers(model) - 1), "Softmax");
    sim_model_tensor(model, false, 0, 0, &t);
    cr_assert(t.image && t.rank == 4 && t.dims[3] == 3 && t.type == SIM_INT8 && t.zp == -128);
    /* A pixel p becomes the stored value p - 128. */
    cr_assert_leq(fabs((double)((200 - t.mean[0]) / t.std[0]) - (200 - 128 - t.zp) * (double)t.scale), 1e-5);
    sim_model_tensor(model, false, 1, 0, &t);
    cr_assert(!t.image && t.rank == 2 && t.dims[1] == 16);
    cr_assert_str_eq(t.name, "words");
    sim_model_free(model);
    model = made("multi_core");
    cr_assert(sim_model_multi_core(model));
    sim_model_free(model);
    model = made_file("version4", &outside);
    cr_assert_eq(outside.format_version, 4u);
    sim_model_free(model);
    model = made_file("broken_platform", &outside);
    cr_assert_str_eq(outside.platform, "rk9999");
    sim_model_free(model);
    drop_made_folder();
}

/* ------------------------------------------------------------------------------------------- broken files */

Test(sim_model, broken_files_are_refused_with_a_sentence) {
    static const char *const names[] = {"broken_header", "broken_short", "broken_magic", "broken_body", "encrypted"};
    size_t i;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t size;
        uint8_t *bytes = made_bytes(names[i], &size);
        const char *error = NULL;
        sim_rknn_file outside;
        cr_assert_null(load(bytes, size, &outside, &error), "%s was read", names[i]);
        cr_assert(error != NULL && strlen(error) > 10, "%s", names[i]);
        free(bytes);
    }
    drop_made_folder();
}

Test(sim_model, what_a_runtime_reads_of_a_file_is_what_the_real_one_reads) {
    const char *error = NULL;
    sim_rknn_file outside;
    size_t size, body, left = 0;
    uint8_t *bytes = made_bytes("two", &size);
    sim_model *model = load(bytes, size, &outside, &error);
    cr_assert_not_null(model);
    sim_model_free(model);
    body = outside.body_size;
    model = load(bytes, 64 + body, &outside, &error);
    cr_assert_not_null(model, "librknnrt does not miss the text: %s", error);
    cr_assert_str_eq(outside.platform, "");
    sim_model_free(model);
    memset(bytes + 16, 0xff, 8); /* the length of the body */
    cr_assert_null(load(bytes, size, &outside, &error));
    cr_assert_null(sim_rknn_file_open(bytes, size, true, &outside), "librknnmrt does not read it");
    model = sim_model_load_front(outside.body, outside.body_size, &left, &error);
    cr_assert_not_null(model, "%s", error);
    cr_assert_eq(left, size - 64 - body);
    sim_model_free(model);
    cr_assert_null(sim_rknn_file_open(bytes, 64 + body / 2, true, &outside));
    cr_assert_null(sim_model_load_front(outside.body, outside.body_size, &left, &error), "half a file");
    free(bytes);
    drop_made_folder();
}

Test(sim_model, formats_are_of_two_families_and_new_ones_need_new_runtimes) {
    static const struct {
        uint64_t format;
        bool mini;
        uint32_t version;
        sim_rknn_verdict verdict;
    } cases[] = {{6, false, 0x010400, SIM_RKNN_REFUSES},     {6, false, 0x010500, SIM_RKNN_REFUSES},
                 {6, false, 0x010502, SIM_RKNN_TAKES},       {2, false, 0x010400, SIM_RKNN_TAKES},
                 {0, false, 0x010600, SIM_RKNN_REFUSES},     {0x1004, false, 0x010600, SIM_RKNN_REFUSES},
                 {6, true, 0x010502, SIM_RKNN_REFUSES},      {6, true, 0x020302, SIM_RKNN_REFUSES},
                 {6, true, 0x010400, SIM_RKNN_DIES},         {0x1000, true, 0x010600, SIM_RKNN_REFUSES},
                 {0x1003, true, 0x010600, SIM_RKNN_REFUSES}, {0x1003, true, 0x010502, SIM_RKNN_TAKES},
                 {0x1004, true, 0x010502, SIM_RKNN_DIES},    {0x1004, true, 0x010600, SIM_RKNN_TAKES},
                 {0x10004, true, 0x010600, SIM_RKNN_TAKES},  {0x10004, true, 0x010502, SIM_RKNN_DIES}};
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_assert_eq(sim_rknn_file_format(cases[i].format, cases[i].mini, cases[i].version), cases[i].verdict, "%zu",
                     i);
}

/* Loads a block of exactly that size and, when that works and the network is small, runs it. True: it was read. */
static bool try_bytes(const uint8_t *bytes, size_t size) {
    void *block = malloc(size != 0 ? size : 1), *data[2][64];
    const char *error = NULL;
    sim_rknn_file outside;
    sim_model *model;
    size_t total = 0;
    uint32_t side, i, shape;
    memcpy(block, bytes, size);
    model = load((const uint8_t *)block, size, &outside, &error);
    free(block);
    cr_assert((model == NULL) == (error != NULL), "a refused file has a sentence, another has none");
    if (model == NULL) return false;
    for (shape = 0; shape < sim_model_shapes(model); shape++) {
        for (side = 0; side < 2; side++)
            for (i = 0; i < (side ? sim_model_outputs(model) : sim_model_inputs(model)); i++)
                total += port_bytes(model, side != 0, i, shape);
        if (total + sim_model_internal_bytes(model) > 200000) continue;
        for (side = 0; side < 2; side++)
            for (i = 0; i < (side ? sim_model_outputs(model) : sim_model_inputs(model)); i++)
                data[side][i] = calloc(1, port_bytes(model, side != 0, i, shape));
        (void)sim_model_run(model, shape, (const void *const *)data[0], data[1], NULL, NULL);
        for (side = 0; side < 2; side++)
            for (i = 0; i < (side ? sim_model_outputs(model) : sim_model_inputs(model)); i++) free(data[side][i]);
    }
    sim_model_free(model);
    return true;
}

static size_t body_length(const uint8_t *file) {
    uint64_t length;
    memcpy(&length, file + 16, sizeof length);
    return (size_t)length;
}

Test(sim_model, every_truncation_is_refused) {
    static const char *const names[] = {"odd", "two", "dynamic_rows", "custom", "windows"};
    size_t i, size, cut;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint8_t *bytes = made_bytes(names[i], &size);
        cr_assert(try_bytes(bytes, size));
        /* What is missing of the JSON text nobody misses. */
        for (cut = 0; cut < size; cut++)
            cr_assert_eq(try_bytes(bytes, cut), cut >= 64 + body_length(bytes), "%s, %zu bytes", names[i], cut);
        free(bytes);
    }
    drop_made_folder();
}

Test(sim_model, no_changed_byte_does_harm) {
    static const char *const names[] = {"odd", "two", "dynamic_rows", "custom", "windows", "same_int64"};
    static const uint8_t masks[] = {0x01, 0x80, 0xff};
    size_t i, size, at, k, read = 0, refused = 0;
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint8_t *bytes = made_bytes(names[i], &size);
        for (at = 0; at < size; at++)
            for (k = 0; k < sizeof masks; k++) {
                bytes[at] ^= masks[k];
                if (try_bytes(bytes, size)) read++;
                else refused++;
                bytes[at] ^= masks[k];
            }
        free(bytes);
    }
    cr_assert(read > 100 && refused > 100, "%zu files read, %zu refused", read, refused);
    drop_made_folder();
}
