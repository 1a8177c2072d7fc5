/* SPDX-License-Identifier: Apache-2.0 */
/* test_types.c - every public type measures what OpenHarmony's does; tests/compile looks at the same list with every
   compiler, in C++ too. */
#include "linked.h"

#include "mock_device.h"
#include "public_types.h"

#define BESIDE(type, bytes, alignment) \
    typedef struct beside_##type {     \
        char before;                   \
        type value;                    \
    } beside_##type;
PUBLIC_TYPES(BESIDE)

Test(types, every_public_type_has_openharmonys_size_and_alignment) {
#define MEASURE(type, bytes, alignment)                               \
    cr_expect_eq(sizeof(type), (size_t)(bytes), "sizeof(" #type ")"); \
    cr_expect_eq(offsetof(beside_##type, value), (size_t)(alignment), "alignment of " #type);
#define MEASURE_HANDLE(type) cr_expect_eq(sizeof(type *), sizeof(void *), #type);
    PUBLIC_TYPES(MEASURE)
    PUBLIC_HANDLES(MEASURE_HANDLE)
    cr_expect_eq(sizeof(bool), 1);
}

Test(types, every_member_of_a_public_structure_is_where_openharmonys_is) {
#define PLACE(type, member, bytes) cr_expect_eq(offsetof(type, member), (size_t)(bytes), #type "." #member);
    PUBLIC_MEMBERS(PLACE)
}

Test(types, a_fused_activation_is_stored_by_the_address_and_size_of_a_variable) {
    static const OH_NN_FuseType fuses[3] = {OH_NN_FUSED_NONE, OH_NN_FUSED_RELU, OH_NN_FUSED_RELU6};
    const int32_t shape[1] = {1}, row[1] = {4};
    size_t i;
    for (i = 0; i < 3; i++) {
        const OH_NN_FuseType fuse = fuses[i];
        OH_NNModel *model = OH_NNModel_Construct();
        NN_TensorDesc *data = mock_desc(row, 1), *parameter = mock_desc(shape, 1);
        uint32_t in[2] = {0, 1}, out[1] = {2}, params[1] = {3};
        OH_NN_UInt32Array inputs, outputs, parameters;
        inputs.data = in, inputs.size = 2;
        outputs.data = out, outputs.size = 1;
        parameters.data = params, parameters.size = 1;
        OK(OH_NNTensorDesc_SetDataType(parameter, OH_NN_INT8));
        OK(OH_NNModel_AddTensorToModel(model, data));
        OK(OH_NNModel_AddTensorToModel(model, data));
        OK(OH_NNModel_AddTensorToModel(model, data));
        OK(OH_NNModel_AddTensorToModel(model, parameter));
        OK(OH_NNModel_SetTensorType(model, 3, OH_NN_ADD_ACTIVATIONTYPE));
        OK(OH_NNModel_SetTensorData(model, 3, &fuse, sizeof(fuse)));
        OK(OH_NNModel_AddOperation(model, OH_NN_OPS_ADD, &parameters, &inputs, &outputs));
        cr_assert_eq(nnrt__param_int(&nnrt__graph_store_graph(model->store)->nodes[0], OH_NN_ADD_ACTIVATIONTYPE, 9),
                     (int64_t)fuse);
        OH_NNModel_Destroy(&model);
        OK(OH_NNTensorDesc_Destroy(&data));
        OK(OH_NNTensorDesc_Destroy(&parameter));
    }
}
