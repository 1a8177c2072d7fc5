/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of the rows of the CPU device's operators that each is found by its number, that the kinds of steps
   which they list can be told apart, and that lowering to a step that a row does not list is refused: so every
   test that builds an operator proves that its list is complete. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <criterion/criterion.h>

Test(ops_lists, every_row_is_found_by_its_number_and_stands_once) {
    size_t i, k, count = NNRT__COUNT_OF(nnrt__cpu_ops) - 1;
    cr_assert_gt(count, 0u);
    cr_assert_null(nnrt__cpu_ops[count]);
    for (i = 0; i < count; i++) {
        cr_assert_eq(nnrt__cpu_op_find(nnrt__cpu_ops[i]->op), nnrt__cpu_ops[i], "%s",
                     nnrt__op_name((int)nnrt__cpu_ops[i]->op));
        for (k = 0; k < i; k++) cr_assert_neq(nnrt__cpu_ops[i]->op, nnrt__cpu_ops[k]->op);
    }
    cr_assert_null(nnrt__cpu_op_find((OH_NN_OperationType)1000));
}

Test(ops_lists, every_listed_kind_of_step_is_the_one_of_its_number) {
    size_t i, k;
    for (i = 0; nnrt__cpu_ops[i] != NULL; i++) {
        const nnrt__cpu_op *row = nnrt__cpu_ops[i];
        cr_assert_not_null(row->steps[0], "%s lowers to nothing", nnrt__op_name((int)row->op));
        for (k = 0; row->steps[k] != NULL; k++)
            cr_assert_eq(nnrt__step_kind_find(row->steps[k]->id), row->steps[k], "%s: %s", nnrt__op_name((int)row->op),
                         row->steps[k]->name);
    }
    cr_assert_null(nnrt__step_kind_find(0));
}

Test(ops_lists, lowering_to_a_step_that_the_row_does_not_list_is_refused) {
    nnrt__plan_writer writer;
    nnrt__ir_node node;
    nnrt__lower lower;
    const uint32_t operand = 0;
    memset(&writer, 0, sizeof writer);
    memset(&node, 0, sizeof node);
    memset(&lower, 0, sizeof lower);
    node.op = OH_NN_OPS_RESHAPE;
    lower.writer = &writer;
    cr_assert_not_null(nnrt__lower_step(&lower, &nnrt__step_softmax_s8, &node, &operand, 1, &operand, 1, NULL));
    cr_assert_eq(lower.status, OH_NN_FAILED);
    cr_assert(strstr(nnrt_last_error(), "lowers to a step that its row does not list") != NULL, "%s",
              nnrt_last_error());
    cr_assert_eq(writer.steps.size, 0u);
}
