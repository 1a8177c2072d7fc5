/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of the rows of the CPU device's operators that each is found by its number, that the kinds of steps
   which are listed for them can be told apart, that flags stand at the operators that have the property, and that
   lowering to a step that is not listed is refused: so every test that builds an operator proves that its list is
   complete. */
#include "linked.h"

#include <criterion/criterion.h>

Test(ops_lists, every_row_is_found_by_its_number_and_stands_once) {
    size_t i, k, count = NNRT__COUNT_OF(nnrt__cpu_ops) - 1;
    cr_assert_gt(count, 0u);
    cr_assert_null(nnrt__cpu_ops[count]);
    for (i = 0; i < count; i++) {
        const nnrt__cpu_op *found = nnrt__cpu_op_find(nnrt__cpu_ops[i]->op);
        cr_assert(found != NULL && found->op == nnrt__cpu_ops[i]->op, "%s", nnrt__op_name((int)nnrt__cpu_ops[i]->op));
        for (k = 0; k < i; k++) cr_assert_neq(nnrt__cpu_ops[i]->op, nnrt__cpu_ops[k]->op);
    }
    cr_assert_null(nnrt__cpu_op_find((OH_NN_OperationType)1000));
}

Test(ops_lists, every_listed_kind_of_step_is_the_one_of_its_number) {
    size_t i, k;
    for (i = 0; nnrt__cpu_ops[i] != NULL; i++) {
        const char *op = nnrt__op_name((int)nnrt__cpu_ops[i]->op);
        const nnrt__step_kind *const *kinds = nnrt__kinds_of(nnrt__cpu_ops[i]->op);
        cr_assert(kinds != NULL && kinds[0] != NULL, "%s lowers to nothing", op);
        for (k = 0; kinds[k] != NULL; k++) {
            const nnrt__step_kind *found = nnrt__step_kind_find(kinds[k]->id);
            cr_assert(found != NULL && strcmp(found->name, kinds[k]->name) == 0, "%s: %s", op, kinds[k]->name);
        }
    }
    cr_assert_null(nnrt__kinds_of((OH_NN_OperationType)1000));
    cr_assert_null(nnrt__step_kind_find(0));
}

#define ROW(name, id, revision, flags, slots) {#name, id, flags, &nnrt__step_##name},
static const struct {
    const char *name;
    uint32_t id, flags;
    const nnrt__step_kind *kind;
} listed[] = {NNRT__STEP_KINDS(ROW)};

Test(ops_lists, every_kind_of_step_has_one_id_and_name_and_is_one_that_some_operator_lowers_to) {
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(listed); i++) {
        const nnrt__step_kind *found = nnrt__step_kind_find(listed[i].id);
        if (!NNRT__ACCELERATES && listed[i].id == NNRT__ID_OF_accelerated) continue;
        for (k = 0; k < i; k++)
            cr_assert(listed[k].id != listed[i].id && strcmp(listed[k].name, listed[i].name) != 0, "%s",
                      listed[i].name);
        cr_assert(found != NULL && strcmp(found->name, listed[i].name) == 0, "%s", listed[i].name);
        cr_assert(listed[i].kind->id == listed[i].id && strcmp(listed[i].kind->name, listed[i].name) == 0);
        cr_assert_eq(found->in_place, (listed[i].flags & NNRT__IN_PLACE) != 0, "%s", listed[i].name);
        cr_assert_eq(nnrt__kind_takes_turns(found), strstr(listed[i].name, "_stripes") != NULL, "%s", listed[i].name);
    }
}

/* Plans of other versions say them. */
Test(ops_lists, ids_and_revisions_never_change) {
    cr_assert_eq(nnrt__step_conv_s8.id, 0x100u);
    cr_assert_eq(nnrt__step_dw_f32_stripes.id, 0x185u);
    cr_assert_eq(nnrt__step_softmax_s8.id, 0x231u);
    cr_assert_eq(nnrt__step_softmax_few_s8.id, 0x234u);
    cr_assert_eq(nnrt__step_update.id, 0x371u);
    cr_assert_eq(nnrt__step_gather.arguments, (uint32_t)sizeof(nnrt__gather_args) | NNRT__REVISION(1));
    cr_assert_eq(nnrt__step_cast.arguments, 0u);
    cr_assert_eq(nnrt__step_copy.arguments, (uint32_t)sizeof(nnrt__box));
}

static bool is_among(OH_NN_OperationType op, const OH_NN_OperationType *ops, size_t count) {
    size_t i;
    for (i = 0; i < count; i++)
        if (ops[i] == op) return true;
    return false;
}

Test(ops_lists, flags_stand_at_the_operators_that_have_the_property_and_at_no_other) {
    static const OH_NN_OperationType renames[] = {OH_NN_OPS_RESHAPE, OH_NN_OPS_SQUEEZE, OH_NN_OPS_EXPAND_DIMS,
                                                  OH_NN_OPS_UNSQUEEZE, OH_NN_OPS_FLATTEN};
    static const OH_NN_OperationType clamps[] = {OH_NN_OPS_CONV2D,
                                                 OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE,
                                                 OH_NN_OPS_FULL_CONNECTION,
                                                 OH_NN_OPS_ADD,
                                                 OH_NN_OPS_SUB,
                                                 OH_NN_OPS_MUL,
                                                 OH_NN_OPS_MATMUL};
    static const OH_NN_OperationType heavy[] = {OH_NN_OPS_CONV2D,
                                                OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE,
                                                OH_NN_OPS_CONV2D_TRANSPOSE,
                                                OH_NN_OPS_FULL_CONNECTION,
                                                OH_NN_OPS_AVG_POOL,
                                                OH_NN_OPS_MAX_POOL,
                                                OH_NN_OPS_MATMUL,
                                                OH_NN_OPS_DETECTION_POST_PROCESS,
                                                OH_NN_OPS_LSTM,
                                                OH_NN_OPS_SEQUENCE_LSTM};
    size_t i;
    int op;
    for (i = 0; nnrt__cpu_ops[i] != NULL; i++) {
        const nnrt__cpu_op *row = nnrt__cpu_ops[i];
        const char *name = nnrt__op_name((int)row->op);
        cr_assert_eq((row->flags & NNRT__CPU_RENAMES) != 0, is_among(row->op, renames, NNRT__COUNT_OF(renames)), "%s",
                     name);
        cr_assert_eq((row->flags & NNRT__CPU_CLAMPS) != 0, is_among(row->op, clamps, NNRT__COUNT_OF(clamps)), "%s",
                     name);
        cr_assert_eq((row->flags & NNRT__CPU_HEAVY) != 0, is_among(row->op, heavy, NNRT__COUNT_OF(heavy)), "%s", name);
    }
    for (op = 1; nnrt__op_find(op) != NULL; op++)
        cr_assert_eq((nnrt__op_find(op)->flags & NNRT__OP_EFFECT) != 0, op == OH_NN_OPS_ASSERT, "%s",
                     nnrt__op_name(op));
}

Test(ops_lists, lowering_to_a_step_that_is_not_listed_for_the_operator_is_refused) {
    nnrt__plan_writer writer;
    nnrt__ir_node node;
    nnrt__lower lower;
    const uint32_t operand = 0;
    const nnrt__step_kind *softmax = nnrt__step_kind_find(nnrt__step_softmax_s8.id);
    memset(&writer, 0, sizeof writer);
    memset(&node, 0, sizeof node);
    memset(&lower, 0, sizeof lower);
    node.op = OH_NN_OPS_RESHAPE;
    lower.writer = &writer;
    cr_assert_null(nnrt__lower_step(&lower, softmax, &node, &operand, 1, &operand, 1, NULL));
    cr_assert_eq(lower.status, OH_NN_FAILED);
    cr_assert(strstr(nnrt_last_error(), "lowers to a step not listed for it in cpu/kind_list.h") != NULL, "%s",
              nnrt_last_error());
    cr_assert_eq(writer.steps.size, 0u);
}
