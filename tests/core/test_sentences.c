/* SPDX-License-Identifier: Apache-2.0 */
/* test_sentences.c - what a refusal says: both sides of a comparison, a reason that no name pushes out, the config that
   was probably meant, the devices that there are. Codes are the business of the other suites. */
#include "linked.h"

#include "graph_builder.h"
#include "mock_device.h"
#include "offline_runner.h"

#define SAYS(part) cr_assert_not_null(strstr(nnrt_last_error(), part), "not \"%s\": %s", part, nnrt_last_error())

static char long_name[1001]; /* 1000 letters, that begin and end with others */

static const char *name_of_1000(void) {
    memset(long_name, 'n', 1000);
    memcpy(long_name, "first", 5);
    memcpy(long_name + 996, "last", 4);
    return long_name;
}

/* ADD of x and y, float32, into an output of two dimensions. */
static void adds(gb_graph *g, size_t x_rank, const int32_t *x, size_t y_rank, const int32_t *y, const int32_t *out) {
    uint32_t in[2], sum;
    gb_open(g);
    in[0] = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, x_rank, x));
    in[1] = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, y_rank, y));
    sum = gb_output(g, gb_tensor(g, OH_NN_FLOAT32, 2, out));
    cr_assert_eq((int)gb_op(g, OH_NN_OPS_ADD, 2, in, 1, &sum), (int)OH_NN_SUCCESS);
}

Test(sentences, a_run_with_another_shape_shows_both) {
    static const int32_t model[2] = {2, 3}, given[2] = {3, 2}, long_one[3] = {2, 3, 1};
    float bytes[6] = {0}, out[6];
    gb_io in[2], to = gb_buffer(out, sizeof(out));
    gb_graph g;
    adds(&g, 2, model, 2, model, model);
    cr_assert_eq((int)gb_build(&g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    in[0] = in[1] = gb_buffer(bytes, sizeof(bytes));
    gb_run_shape(&g, 1, 2, given);
    cr_assert_eq((int)gb_run_many(&g, in, &to), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_str_eq(nnrt_last_error(), "input 1 is [3,2], the model has [2,3]");
    gb_run_shape(&g, 1, 3, long_one);
    cr_assert_eq((int)gb_run_many(&g, in, &to), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_str_eq(nnrt_last_error(), "input 1 is [2,3,1], the model has [2,3]");
    gb_close(&g);
}

Test(sentences, a_dynamic_dimension_out_of_its_range_is_shown_with_it) {
    static const int32_t model[2] = {-1, 3}, unknown[2] = {-1, 3}, huge[2] = {2147483647, 3};
    float bytes[6] = {0}, out[6];
    gb_io in[2], to = gb_buffer(out, sizeof(out));
    gb_graph g;
    adds(&g, 2, model, 2, model, model);
    cr_assert_eq((int)gb_build(&g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    in[0] = in[1] = gb_buffer(bytes, sizeof(bytes));
    gb_run_shape(&g, 0, 2, unknown);
    cr_assert_eq((int)gb_run_many(&g, in, &to), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_str_eq(nnrt_last_error(), "input 0 is [-1,3]: dimension 0 is not known");
    cr_assert_eq((int)nnrt__check_input_shape(g.executor, 0, 2, huge), (int)OH_NN_INVALID_PARAMETER);
    SAYS("input 0 is [2147483647,3]: dimension 0 can be 1 to ");
    gb_close(&g);
}

/* The core refuses it before: a program that calls the device table itself gets the same words. */
Test(sentences, the_device_shows_both_shapes_too) {
    static const int32_t dims[2] = {2, 3};
    float bytes[6] = {0};
    nnrt_io in[2], out;
    gb_graph g;
    adds(&g, 2, dims, 2, dims, dims);
    cr_assert_eq((int)gb_build(&g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    memset(in, 0, sizeof(in));
    in[0].data = bytes;
    in[0].size = sizeof(bytes);
    in[0].dtype = OH_NN_FLOAT32;
    in[0].rank = 2;
    in[0].dims[0] = 2;
    in[0].dims[1] = 3;
    out = in[1] = in[0];
    in[1].dims[1] = 4;
    cr_assert_eq((int)nnrt__cpu_backend.run(g.executor->object, in, 2, &out, 1), (int)OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_str_eq(nnrt_last_error(), "input 1 is [2,4], the model has [2,3]");
    gb_close(&g);
}

Test(sentences, a_deprecated_call_shows_both_shapes_and_both_types) {
    static const int32_t model[2] = {2, 3}, given[2] = {2, 4};
    float bytes[8] = {0};
    OH_NN_Tensor tensor;
    gb_graph g;
    adds(&g, 2, model, 2, model, model);
    cr_assert_eq((int)gb_build(&g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    memset(&tensor, 0, sizeof(tensor));
    tensor.dataType = OH_NN_FLOAT32;
    tensor.dimensionCount = 2;
    tensor.dimensions = given;
    cr_assert_neq((int)OH_NNExecutor_SetInput(g.executor, 0, &tensor, bytes, sizeof(bytes)), (int)OH_NN_SUCCESS);
    SAYS("input 0 is [2,4], the model has [2,3]");
    tensor.dataType = OH_NN_INT32;
    tensor.dimensions = model;
    cr_assert_neq((int)OH_NNExecutor_SetInput(g.executor, 0, &tensor, bytes, 24), (int)OH_NN_SUCCESS);
    SAYS("input 0 is int32, the model has float32");
    gb_close(&g);
}

Test(sentences, shapes_that_do_not_fit_each_other_are_both_shown_by_build) {
    static const int32_t x[2] = {2, 3}, y[1] = {4}, out[2] = {2, 3};
    gb_graph g;
    adds(&g, 2, x, 1, y, out);
    cr_assert_eq((int)gb_build(&g), (int)OH_NN_FAILED);
    SAYS("cannot be broadcast; inputs: float32 [2,3], float32 [4]");
    gb_close(&g);
}

Test(sentences, a_result_that_was_declared_otherwise_is_shown_with_its_declaration) {
    static const int32_t x[2] = {2, 3}, out[2] = {3, 2};
    static const int32_t one[1] = {3};
    gb_graph g;
    adds(&g, 2, x, 1, one, out);
    cr_assert_eq((int)gb_build(&g), (int)OH_NN_FAILED);
    SAYS("the result is [2,3], declared as [3,2]");
    gb_close(&g);
}

/* PACK of 100 tensors: the list of its inputs ends in dots. */
Test(sentences, many_inputs_do_not_push_the_reason_out) {
    static const int32_t dims[4] = {1000, 1, 1000, 3}, other[4] = {1000, 1, 1000, 4}, out[4] = {1, 1, 1, 1};
    uint32_t in[100], to, i;
    gb_graph g;
    gb_open(&g);
    for (i = 0; i < 100; i++) in[i] = gb_input(&g, gb_tensor(&g, OH_NN_UINT16, 4, i == 50 ? other : dims));
    to = gb_output(&g, gb_tensor(&g, OH_NN_UINT16, 4, out));
    gb_param_i64(&g, OH_NN_CONCAT_AXIS, 0);
    cr_assert_eq((int)gb_op(&g, OH_NN_OPS_CONCAT, 100, in, 1, &to), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)gb_build(&g), (int)OH_NN_FAILED);
    SAYS("; inputs: uint16 [1000,1,1000,3], uint16 [1000,1,1000,3], ");
    cr_assert_str_eq(nnrt_last_error() + strlen(nnrt_last_error()) - 5, ", ...");
    gb_close(&g);
}

Test(sentences, gamma_of_another_shape_is_shown_beside_the_normalised_part) {
    static const int32_t x[3] = {2, 3, 5}, gamma[2] = {3, 4};
    const int64_t axis = 1;
    uint32_t in[3], out;
    gb_graph g;
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, x));
    in[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, gamma));
    in[2] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, gamma));
    out = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, x));
    gb_param_rank(&g, OH_NN_LAYER_NORM_BEGIN_NORM_AXIS, OH_NN_INT64, 1, &axis, 0);
    cr_assert_eq((int)gb_op(&g, OH_NN_OPS_LAYER_NORM, 3, in, 1, &out), (int)OH_NN_INVALID_PARAMETER);
    SAYS("is [3,4], the normalised part of");
    SAYS("is [3,5]");
    gb_close(&g);
}

/* -------------------------------------------------------------------------------------- names and reasons */

Test(sentences, the_name_of_a_tensor_loses_its_middle_and_the_reason_stays) {
    static const int32_t dims[1] = {2};
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    OH_NNModel *model = OH_NNModel_Construct();
    float data[2] = {0, 0};
    cr_assert_eq((int)OH_NNTensorDesc_SetDataType(desc, OH_NN_FLOAT32), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNTensorDesc_SetShape(desc, dims, 1), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNTensorDesc_SetName(desc, name_of_1000()), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNModel_AddTensorToModel(model, desc), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNModel_SetTensorData(model, 0, data, sizeof(data)), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNModel_SetTensorData(model, 0, data, sizeof(data)), (int)OH_NN_INVALID_PARAMETER);
    SAYS("\"firstnn");
    SAYS("...");
    SAYS("nnlast\", has data already");
    OH_NNTensorDesc_Destroy(&desc);
    OH_NNModel_Destroy(&model);
}

Test(sentences, a_path_keeps_the_name_of_the_file_and_the_reason_stays) {
    char path[600];
    OH_NNCompilation *compilation;
    memset(path, 'd', sizeof(path));
    memcpy(path, "/tmp/", 5);
    memcpy(path + 200, "/", 1);
    memcpy(path + 400, "/weights_of_the_meter.tflite", 29);
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    cr_assert_eq((int)OH_NNCompilation_SetDevice(compilation, gb_device()), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_INVALID_FILE);
    SAYS("/weights_of_the_meter.tflite\" no such file");
    OH_NNCompilation_Destroy(&compilation);
}

Test(sentences, a_cache_folder_keeps_its_end_and_the_reason_stays) {
    char path[600];
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructForCache();
    memset(path, 'd', sizeof(path));
    memcpy(path, "/tmp/", 5);
    memcpy(path + 400, "/caches", 8);
    cr_assert_eq((int)OH_NNCompilation_SetCache(compilation, path, 1), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNCompilation_SetDevice(compilation, gb_device()), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_INVALID_PARAMETER);
    SAYS("/caches does not exist");
    OH_NNCompilation_Destroy(&compilation);
}

/* ---------------------------------------------------------------------------------- what was probably meant */

/* Builds the meter model for device with one config; the sentence is left. */
static void refuses_config(size_t device, const char *name) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile("examples/meter/meter.tflite");
    cr_assert_eq((int)OH_NNCompilation_SetDevice(compilation, device), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNCompilation_AddExtensionConfig(compilation, name, "1", 1), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_INVALID_PARAMETER, "%s", name);
    OH_NNCompilation_Destroy(&compilation);
}

Test(sentences, a_misspelt_config_names_the_one_that_was_meant) {
    static const struct {
        const char *wrong, *meant;
    } rows[] = {{"nnrt.thread", "nnrt.threads"},  {"nnrt.treads", "nnrt.threads"},  {"threads", "nnrt.threads"},
                {"NNRT.Threads", "nnrt.threads"}, {"nnrt_threads", "nnrt.threads"}, {"nnrt.ISA", "nnrt.isa"},
                {"nrt.pases", "nnrt.passes"},     {"profil", "nnrt.profile"},       {"modelname", "ModelName"},
                {"Model_Name", "ModelName"}};
    size_t i;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char part[64];
        refuses_config(gb_device(), rows[i].wrong);
        snprintf(part, sizeof(part), "\"; did you mean %s?", rows[i].meant);
        SAYS(part);
    }
}

Test(sentences, a_config_that_is_near_to_nothing_gets_no_guess) {
    static const char *const names[] = {"x", "camera.exposure", "rknn.core_mask", "nnrt.a_config_of_a_later_version"};
    size_t i;
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        refuses_config(gb_device(), names[i]);
        SAYS("knows no extension config");
        cr_assert_null(strstr(nnrt_last_error(), "mean"), "%s", nnrt_last_error());
    }
    refuses_config(gb_device(), name_of_1000());
    SAYS("nnlast\"");
    cr_assert_null(strstr(nnrt_last_error(), "mean"), "%s", nnrt_last_error());
}

/* What the front page lists is what is offered: each name with its last letter doubled is understood. */
Test(sentences, every_config_of_the_front_page_is_offered) {
    size_t size, found = 0;
    uint8_t *bytes = off_read("nnrt.h", &size);
    char *page = (char *)calloc(size + 1, 1);
    const char *at, *end;
    cr_assert(bytes != NULL && page != NULL);
    memcpy(page, bytes, size);
    at = strstr(page, "Extension configs of the CPU device");
    end = strstr(page, "#ifndef NNRT_H");
    cr_assert(at != NULL && end != NULL);
    while ((at = strstr(at, "\n     nnrt.")) != NULL && at < end) {
        char name[64], wrong[65], part[96];
        at += strlen("\n     ");
        cr_assert_eq(sscanf(at, "%63s", name), 1);
        snprintf(wrong, sizeof(wrong), "%s%c", name, name[strlen(name) - 1]);
        refuses_config(gb_device(), wrong);
        snprintf(part, sizeof(part), "did you mean %s?", name);
        SAYS(part);
        found++;
    }
    cr_assert_geq(found, 4);
    free(page);
    free(bytes);
}

Test(sentences, an_unknown_device_is_refused_with_a_list_of_those_that_there_are) {
    const char *name = NULL, *listed = NULL;
    size_t id = 0, unknown = 12345;
    char part[200];
    cr_assert_eq((int)nnrt_register_backend(&mock_backend, &id), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNDevice_GetName(unknown, &name), (int)OH_NN_FAILED);
    cr_assert_eq((int)OH_NNDevice_GetName(id, &listed), (int)OH_NN_SUCCESS);
    SAYS("no device has the id 12345; there are cpu_nnrt_");
    snprintf(part, sizeof(part), ", %s (%zu)", listed, id);
    SAYS(part);
}
