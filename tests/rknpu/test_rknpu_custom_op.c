/* SPDX-License-Identifier: Apache-2.0 */
/* test_rknpu_custom_op.c - custom operators of the program: registered, called, refused.

   The model "custom" of the simulated boards has one operator "nnrtScale" with attributes factor (2.0) and offset
   (-3 .. 4, one per channel): y = x * factor + offset[channel] on float32 tensors of shape 1,5,6,8 (NHWC). The board
   hands tensors to callbacks in NCHW order and not at the beginning of their memory. */
#include "linked.h"

#include <criterion/criterion.h>

#include "rknpu_load.h"

#include <stdio.h>

enum {
    PIXELS = 30,
    CHANNELS = 8,
    COUNT = PIXELS * CHANNELS
};

/* ------------------------------------------------------------------------------------ the simulated board */

static board sim;
static char model[400];

/* To be called before anything else of nnrt. Where the boards are not built, the test is skipped. */
static void plug_in(const char *chip, const char *version) {
    if (!rknpu_load(&sim, chip, version)) cr_skip_test("skipped, no simulated board in %s", sim.folder);
    (void)snprintf(model, sizeof model, "%s/models/custom.%s.rknn", sim.folder, chip);
}

static void unplug(void) {
    const char *complaint = board_complaint(&sim);
    cr_expect(complaint == NULL, "%s", complaint != NULL ? complaint : "");
}

static size_t npu(void) {
    const size_t *ids = NULL;
    const char *name = NULL;
    uint32_t count = 0;
    cr_assert_eq(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    cr_assert_gt(count, 0u);
    cr_assert_eq(OH_NNDevice_GetName(ids[0], &name), OH_NN_SUCCESS);
    cr_assert_eq(strncmp(name, "rknpu_rockchip_", 15), 0, "%s is the first device", name);
    return ids[0];
}

/* ------------------------------------------------------------------------------------------- the operator */

static struct {
    int inits, prepares, computes, destroys;
    int init_answer, compute_answer;
    bool wrong; /* something that a callback got was not as it should be */
    uint32_t missing;
} seen;

static float *values_of(nnrt_rknn_custom_op_tensor *tensor) {
    return (float *)(void *)((uint8_t *)tensor->mem.virt_addr + tensor->mem.offset);
}

static void check_tensor(const nnrt_rknn_custom_op_tensor *tensor) {
    const nnrt_rknn_tensor_attr *attr = &tensor->attr;
    if (attr->n_dims != 4 || attr->fmt != NNRT_RKNN_NCHW || attr->type != NNRT_RKNN_FLOAT32 || attr->dims[1] != 8 ||
        attr->dims[2] != 5 || attr->dims[3] != 6)
        seen.wrong = true;
}

static int on_init(nnrt_rknn_custom_op_context *op, nnrt_rknn_custom_op_tensor *inputs, uint32_t n_inputs,
                   nnrt_rknn_custom_op_tensor *outputs, uint32_t n_outputs) {
    if (n_inputs != 1 || n_outputs != 1) seen.wrong = true;
    check_tensor(&inputs[0]);
    check_tensor(&outputs[0]);
    op->priv_data = &seen;
    seen.inits++;
    return seen.init_answer;
}

static int on_prepare(nnrt_rknn_custom_op_context *op, nnrt_rknn_custom_op_tensor *inputs, uint32_t n_inputs,
                      nnrt_rknn_custom_op_tensor *outputs, uint32_t n_outputs) {
    (void)inputs;
    (void)n_inputs;
    (void)outputs;
    (void)n_outputs;
    if (op->priv_data != &seen) seen.wrong = true;
    seen.prepares++;
    return 0;
}

static int on_compute(nnrt_rknn_custom_op_context *op, nnrt_rknn_custom_op_tensor *inputs, uint32_t n_inputs,
                      nnrt_rknn_custom_op_tensor *outputs, uint32_t n_outputs) {
    nnrt_rknn_custom_op_attr factor, offset, missing;
    uint32_t i;
    seen.computes++;
    if (seen.compute_answer != 0) return seen.compute_answer;
    memset(&factor, 0xff, sizeof factor);
    nnrt_rknn_custom_op_get_attr(op, "factor", &factor);
    nnrt_rknn_custom_op_get_attr(op, "offset", &offset);
    nnrt_rknn_custom_op_get_attr(op, "no such attribute", &missing);
    seen.missing = missing.n_elems;
    if (n_inputs != 1 || n_outputs != 1 || factor.n_elems != 1 || factor.dtype != NNRT_RKNN_FLOAT32 ||
        offset.n_elems != CHANNELS || offset.dtype != NNRT_RKNN_INT32) {
        seen.wrong = true;
        return -1;
    }
    for (i = 0; i < COUNT; i++)
        values_of(&outputs[0])[i] = values_of(&inputs[0])[i] * ((const float *)factor.data)[0] +
                                    (float)((const int32_t *)offset.data)[i / PIXELS];
    return 0;
}

static int on_destroy(nnrt_rknn_custom_op_context *op) {
    if (op->priv_data != &seen) seen.wrong = true;
    seen.destroys++;
    return 0;
}

static nnrt_rknn_custom_op scale_op(void) {
    nnrt_rknn_custom_op op;
    memset(&op, 0, sizeof op);
    op.version = 1;
    op.target = NNRT_RKNN_TARGET_CPU;
    strcpy(op.op_type, "nnrtScale");
    op.init = on_init;
    op.prepare = on_prepare;
    op.compute = on_compute;
    op.destroy = on_destroy;
    return op;
}

/* ---------------------------------------------------------------------------------------------- the model */

/* Build of the model with the operators; float32 in NHWC order for the program. */
static OH_NN_ReturnCode build(const nnrt_rknn_custom_op *ops, size_t bytes, OH_NNCompilation **compilation) {
    OH_NN_ReturnCode code;
    *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(model);
    cr_assert_not_null(*compilation, "%s", nnrt_last_error());
    cr_assert_eq(OH_NNCompilation_SetDevice(*compilation, npu()), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNCompilation_AddExtensionConfig(*compilation, "rknn.io_float", "1", 1), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNCompilation_AddExtensionConfig(*compilation, "rknn.io_layout", "nhwc", 4), OH_NN_SUCCESS);
    code = OH_NNCompilation_AddExtensionConfig(*compilation, "rknn.custom_op", ops, bytes);
    return code != OH_NN_SUCCESS ? code : OH_NNCompilation_Build(*compilation);
}

/* Runs once; on success the output must be right. */
static OH_NN_ReturnCode run(OH_NNExecutor *executor) {
    NN_TensorDesc *in_desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    NN_TensorDesc *out_desc = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
    NN_Tensor *in = OH_NNTensor_Create(npu(), in_desc), *out = OH_NNTensor_Create(npu(), out_desc);
    OH_NN_ReturnCode code;
    size_t i;
    float *x, *y;
    cr_assert(in != NULL && out != NULL, "%s", nnrt_last_error());
    x = (float *)OH_NNTensor_GetDataBuffer(in);
    y = (float *)OH_NNTensor_GetDataBuffer(out);
    for (i = 0; i < COUNT; i++) x[i] = (float)i * 0.125f - 11.0f; /* exact in float16, and so are the results */
    memset(y, 0, COUNT * sizeof(float));
    code = OH_NNExecutor_RunSync(executor, &in, 1, &out, 1);
    for (i = 0; i < COUNT && code == OH_NN_SUCCESS; i++) {
        const int channel = (int)(i % CHANNELS);
        cr_assert_eq(y[i], x[i] * 2.0f + (float)(channel - 3), "value %zu is %g", i, (double)y[i]);
    }
    OH_NNTensor_Destroy(&in);
    OH_NNTensor_Destroy(&out);
    OH_NNTensorDesc_Destroy(&in_desc);
    OH_NNTensorDesc_Destroy(&out_desc);
    return code;
}

static void compute_on(const char *chip, const char *version) {
    const nnrt_rknn_custom_op op = scale_op();
    OH_NNCompilation *compilation;
    OH_NNExecutor *first, *second;
    plug_in(chip, version);
    cr_assert_eq(build(&op, sizeof op, &compilation), OH_NN_SUCCESS, "%s", nnrt_last_error());
    first = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(first, "%s", nnrt_last_error());
    cr_assert_eq(run(first), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(run(first), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(seen.inits, 1);
    cr_assert_eq(seen.prepares, 2);
    cr_assert_eq(seen.computes, 2);
    cr_assert_eq(seen.missing, 0u);
    second = OH_NNExecutor_Construct(compilation); /* a context of its own, with the operators */
    cr_assert_not_null(second, "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    cr_assert_eq(run(second), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(run(first), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(seen.inits, 2);
    OH_NNExecutor_Destroy(&first);
    OH_NNExecutor_Destroy(&second);
    cr_assert_eq(seen.destroys, 2);
    cr_assert(!seen.wrong);
    unplug();
}

Test(rknpu_custom_op, a_c_callback_computes_on_rk3588) { compute_on("rk3588", ""); }
Test(rknpu_custom_op, a_c_callback_computes_on_rk3566) { compute_on("rk3566", ""); }
Test(rknpu_custom_op, a_c_callback_computes_with_runtime_1_6) { compute_on("rk3588", "1.6.0"); }

Test(rknpu_custom_op, a_callback_that_fails_fails_the_run_and_no_more) {
    const nnrt_rknn_custom_op op = scale_op();
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    plug_in("rk3588", "");
    cr_assert_eq(build(&op, sizeof op, &compilation), OH_NN_SUCCESS, "%s", nnrt_last_error());
    executor = OH_NNExecutor_Construct(compilation);
    seen.compute_answer = -1;
    cr_assert_neq(run(executor), OH_NN_SUCCESS);
    cr_assert_neq(nnrt_last_error()[0], '\0');
    seen.compute_answer = 0;
    cr_assert_eq(run(executor), OH_NN_SUCCESS, "%s", nnrt_last_error());
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    cr_assert(!seen.wrong);
    unplug();
}

Test(rknpu_custom_op, an_init_that_fails_fails_build) {
    const nnrt_rknn_custom_op op = scale_op();
    OH_NNCompilation *compilation;
    plug_in("rk3588", "");
    seen.init_answer = -1;
    cr_assert_neq(build(&op, sizeof op, &compilation), OH_NN_SUCCESS);
    cr_assert(strstr(nnrt_last_error(), "rknn_register_custom_ops") != NULL, "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    unplug();
}

/* The runtime then computes the operator itself, if it knows it. This one it does not know. */
Test(rknpu_custom_op, an_init_that_skips_leaves_the_operator_to_the_runtime) {
    const nnrt_rknn_custom_op op = scale_op();
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    plug_in("rk3588", "");
    seen.init_answer = NNRT_RKNN_SKIP_CUSTOM_OP_COMPUTE;
    cr_assert_eq(build(&op, sizeof op, &compilation), OH_NN_SUCCESS, "%s", nnrt_last_error());
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_neq(run(executor), OH_NN_SUCCESS);
    cr_assert_eq(seen.computes, 0);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    unplug();
}

Test(rknpu_custom_op, a_failing_registration_leaves_nothing_behind) {
    const nnrt_rknn_custom_op op = scale_op();
    OH_NNCompilation *compilation;
    plug_in("rk3588", "");
    sim.fault("rknn_register_custom_ops@1=fail:-4");
    cr_assert_eq(build(&op, sizeof op, &compilation), OH_NN_MEMORY_ERROR, "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    sim.fault("");
    cr_assert_eq(seen.inits, 0);
    unplug();
}

/* ----------------------------------------------------------------------------------------------- refusals */

static void refused(const nnrt_rknn_custom_op *ops, size_t bytes, const char *part) {
    OH_NNCompilation *compilation;
    cr_assert_neq(build(ops, bytes, &compilation), OH_NN_SUCCESS, "not refused: %s", part);
    cr_assert(strstr(nnrt_last_error(), part) != NULL, "\"%s\" lacks \"%s\"", nnrt_last_error(), part);
    OH_NNCompilation_Destroy(&compilation);
}

Test(rknpu_custom_op, runtimes_without_custom_operators_refuse_them) {
    const nnrt_rknn_custom_op op = scale_op();
    plug_in("rk3588", "1.5.2");
    refused(&op, sizeof op, "1.6.0");
    unplug();
}

Test(rknpu_custom_op, librknnmrt_refuses_custom_operators) {
    const nnrt_rknn_custom_op op = scale_op();
    plug_in("rv1106", "");
    refused(&op, sizeof op, "rknn.custom_op");
    unplug();
}

Test(rknpu_custom_op, what_is_wrong_with_an_operator_is_said_before_the_runtime_sees_it) {
    nnrt_rknn_custom_op ops[2];
    plug_in("rk3588", "");
    ops[0] = scale_op();
    refused(ops, sizeof ops[0] - 1, "no array");
    ops[0].version = 2;
    refused(ops, sizeof ops[0], "version");
    ops[0] = scale_op();
    ops[0].compute = NULL;
    refused(ops, sizeof ops[0], "compute is NULL");
    ops[0] = scale_op();
    ops[0].compute_native = on_compute;
    refused(ops, sizeof ops[0], "compute_native");
    ops[0] = scale_op();
    ops[0].op_type[0] = '\0';
    refused(ops, sizeof ops[0], "op_type");
    ops[0] = scale_op();
    memset(ops[0].op_type, 'x', sizeof ops[0].op_type);
    refused(ops, sizeof ops[0], "op_type");
    ops[0] = scale_op();
    memset(ops[0].cl_build_options, 'x', sizeof ops[0].cl_build_options);
    refused(ops, sizeof ops[0], "cl_build_options");
    ops[0] = scale_op();
    ops[0].target = NNRT_RKNN_TARGET_GPU;
    refused(ops, sizeof ops[0], "cl_kernel_source");
    ops[0] = ops[1] = scale_op();
    refused(ops, sizeof ops, "operator 1: op_type is that of an earlier one");
    cr_assert_eq(sim.calls("rknn_register_custom_ops"), 0u);
    cr_assert_eq(seen.inits, 0);
    unplug();
}

Test(rknpu_custom_op, attributes_without_a_callback_are_none) {
    nnrt_rknn_custom_op_attr attr;
    plug_in("rk3588", "");
    attr.n_elems = 7;
    nnrt_rknn_custom_op_get_attr(NULL, "factor", &attr);
    cr_assert_eq(attr.n_elems, 0u);
    nnrt_rknn_custom_op_get_attr(NULL, NULL, NULL);
    unplug();
}

/* ----------------------------------------------------------------------------------------------- the copy */

static const nnrt_rknn_custom_op *registered;
static uint32_t registered_count;

static int take(nnrt_rknn_context context, nnrt_rknn_custom_op *ops, uint32_t count) {
    (void)context;
    registered = ops;
    registered_count = count;
    return 0;
}

/* Without a board: the array may begin at any address, and what the runtime gets is aligned and outlives it. */
Test(rknpu_custom_op, the_context_keeps_an_aligned_copy_of_an_array_at_any_address) {
    const nnrt_rknn_custom_op op = scale_op();
    size_t shift;
    for (shift = 0; shift < 16; shift++) {
        uint8_t *bytes = (uint8_t *)malloc(sizeof op + shift);
        nnrt__rknpu_library library;
        nnrt__rknpu_context context;
        nnrt__rknpu_options options;
        memset(&library, 0, sizeof library);
        memset(&context, 0, sizeof context);
        memset(&options, 0, sizeof options);
        library.api.register_custom_ops = take;
        memcpy(bytes + shift, &op, sizeof op);
        options.custom_ops = (const nnrt_rknn_custom_op *)(const void *)(bytes + shift);
        options.custom_op_count = 1;
        context.kept[0] = shift % 2 != 0 ? nnrt__alloc(1) : NULL; /* the place may be taken by the model's bytes */
        registered = NULL;
        cr_assert_eq(nnrt__rknpu_register_custom_ops(&library, &context, &options), OH_NN_SUCCESS, "%s",
                     nnrt_last_error());
        memset(bytes, 0xff, sizeof op + shift);
        free(bytes);
        cr_assert_eq(registered_count, 1u);
        cr_assert_eq((uintptr_t)registered % sizeof(uint64_t), 0u);
        cr_assert_eq(memcmp(registered, &op, sizeof op), 0);
        cr_assert(registered == context.kept[0] || registered == context.kept[1]);
        nnrt__free(context.kept[0]);
        nnrt__free(context.kept[1]);
    }
}
