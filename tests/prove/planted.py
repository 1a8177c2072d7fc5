#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""planted.py - errors planted into what prove.py proves of a plan: of each at least one goal must stay open.

    tests/prove/planted.py          all of them, on 64 bits; some minutes
    tests/prove/planted.py NAME...  those in these functions

By hand, after a change of a contract: one that says too little lets an error pass here. A function is proved from its
own text and the contracts of others, so one error of each function is tried at a time."""

import os
import shutil
import subprocess
import sys
import tempfile

import prove

SOURCE = "cpu/plan_check.h"
PLANTED = (  # the function whose goals must not all be proved, what stands there, what is planted
    ("nnrt__inside", "return offset <= limit && size <= limit - offset;", "return offset <= limit && size <= limit;"),
    ("nnrt__plan_section_fits", "offset >= sizeof(nnrt__plan_header) && offset <= end", "offset <= end"),
    ("nnrt__plan_section_fits", "size <= end - offset;", "size <= end - offset + 1;"),
    ("nnrt__plan_section_fits", "return offset % NNRT__PLAN_ALIGNMENT == 0 && ", "return "),
    ("nnrt__plan_check_sections", "header->value_count * value_size", "header->value_count"),
    ("nnrt__plan_check_sections",
     "           nnrt__plan_section_fits(header->strings, header->strings_size, end) &&\n",
     ""),
    ("nnrt__plan_check_sections",
     "constants_size, header->size) && header->strings_size != 0;",
     "constants_size, header->size);"),
    ("nnrt__plan_check_counts", "outputs > states", "outputs >= states"),
    ("nnrt__plan_check_counts", "return states <= NNRT__MAX_IO && ", "return "),
    ("nnrt__plan_check_counts", "inputs + outputs + states <= header", "inputs + outputs <= header"),
    ("nnrt__plan_check_header", "header->threads < 1 ||", ""),
    ("nnrt__plan_check_header", "    if (header->size != size)", "    if (header->size > size)"),
    ("nnrt__plan_check_header", "header->arena_bound > header->arena_size", "header->arena_bound > size"),
    ("nnrt__plan_check_header", "header->scratch_size > header->arena_size", "header->scratch_size > size"),
    ("nnrt__plan_check_value",
     "value->index < header->input_count ? size",
     "value->index <= header->input_count ? size"),
    ("nnrt__plan_check_value", "value->name >= header->strings_size", "value->name > header->strings_size"),
    ("nnrt__plan_check_value", "value->dims[k] < 1", "value->dims[k] < 0"),
    ("nnrt__plan_check_io",
     "        if (value == NULL) return nnrt__plan_refuse(\"a model input or output is missing\", i);\n",
     ""),
    ("nnrt__plan_check_io", "value->size != whole->size || ", ""),
    ("nnrt__plan_check_io",
     "plan->operand_values[header->input_count + value->index];",
     "plan->operand_values[header->input_count + value->index + 1];"),
    ("nnrt__plan_is_state",
     "return now->segment == NNRT__SEGMENT_INPUT && now->index == number && ",
     "return now->segment == NNRT__SEGMENT_INPUT && "),
    ("nnrt__plan_check_states", "operands[inputs + outputs + i]))", "operands[inputs + outputs + states + i]))"),
    ("nnrt__plan_check_place", "!nnrt__inside(step->first_operand, step->input_count, header->operand_count) ||", ""),
    ("nnrt__plan_check_place",
     "step->output_count, header->operand_count))",
     "step->output_count, header->operand_count + 1))"),
    ("nnrt__plan_check_place", " || step->output_count == 0)", ")"),
    ("nnrt__plan_check_place", "(size_t)step->arguments % 8 != 0 ||", ""),
    ("nnrt__plan_check_place", "nnrt__kind_arguments_size(kind), (size_t)header", "0, (size_t)header"),
    ("nnrt__plan_may_write", "for (k = first; k < end; k++)", "for (k = first; k <= end; k++)"),
    ("nnrt__plan_may_write",
     "output->segment != NNRT__SEGMENT_OUTPUT))\n            return false;",
     "output->segment != NNRT__SEGMENT_CONSTANT))\n            return false;"),
    ("nnrt__view_fill", "view->output_count = step->output_count;", "view->output_count = step->output_count + 1;"),
    ("nnrt__plan_check_step",
     "    if (code != OH_NN_SUCCESS) return code;\n    if (!nnrt__plan_may_write",
     "    if (!nnrt__plan_may_write"),
    ("nnrt__plan_check_step", "    if (kind == NULL) return nnrt__plan_refuse(NNRT__NO_KIND, i);\n", ""),
    ("nnrt__plan_check_groups", "step->turns == 1 || ", ""),
    ("nnrt__plan_check_groups",
     "        if (step->back != 0 && step->back != size) return",
     "        if (step->back != 0 && step->back < size) return"),
    ("nnrt__plan_check_scratch", "size > arena / threads || ", ""),
    ("nnrt__plan_check_scratch",
     "!nnrt__inside(offset, size * threads, arena))",
     "!nnrt__inside(offset, size, arena))"),
    ("nnrt__view_end",
     "for (k = 0; k < count; k++) {\n        const nnrt__plan_value *value = view->operands[k];\n      "
     "  if (value != NULL",
     "for (k = 0; k <= count; k++) {\n        const nnrt__plan_value *value = view->operands[k];\n     "
     "   if (value != NULL"),
    ("nnrt__values_bytes", "k < count && sum < enough", "k < count"),
    ("nnrt__plan_states_size",
     "for (i = first; i < header->input_count; i++)",
     "for (i = first; i <= header->input_count; i++)"),
    ("nnrt__plan_check_work", "plan->views[i].work > most - work", "plan->views[i].work > most"),
    ("nnrt__plan_check_memory", "size <= memory && ", ""),
    ("nnrt__overlap",
     "return a_size != 0 && b_size != 0 && a < b + b_size && b < a + a_size;",
     "return a_size != 0 && b_size != 0 && a < b + b_size && b <= a + a_size;"),
    ("nnrt__values_overlap", "return a->index == b->index;", "return false;"),
    ("nnrt__view_overlaps", "value->offset != output->offset ||\n", "\n"),
    ("nnrt__view_overlaps", "n != view->input_count || ", ""),
    ("nnrt__plan_check_overlap",
     "        if (nnrt__view_overlaps(view, in_place, ordered, k))",
     "        if (k != 0 && nnrt__view_overlaps(view, in_place, ordered, k))"),
    ("nnrt__plan_check_overlap", "        if (value == NULL) continue;\n", ""),
    ("nnrt__value_overlaps", "(size_t)value->size, offset, size)", "(size_t)value->size - 1, offset, size)"),
    ("nnrt__plan_ready_size",
     "bytes) || !nnrt__add_size(*size, bytes, size))\n            return false;",
     "bytes))\n            return false;\n        *size += bytes;"),
)


def main():
    wanted = sys.argv[1:]
    planted = [each for each in PLANTED if not wanted or each[0] in wanted]
    with open(os.path.join(prove.ROOT, SOURCE)) as f:
        text = f.read()
    passed = 0
    with tempfile.TemporaryDirectory() as work:
        config = os.path.join(work, "why3.conf")
        subprocess.run(["why3", "config", "-C", config, "detect"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        tree = os.path.join(work, "tree")
        shutil.copytree(prove.ROOT, tree, ignore=shutil.ignore_patterns("build", ".git"))
        prove.ROOT = tree
        while planted:
            trial = {}
            for each in planted:
                trial.setdefault(each[0], each)
            planted = [each for each in planted if each not in trial.values()]
            forged = text
            for function, old, new in trial.values():
                assert forged.count(old) == 1, "%s: stands there %d times: %s" % (function, forged.count(old), old)
                forged = forged.replace(old, new)
            with open(os.path.join(tree, SOURCE), "w") as f:
                f.write(forged)
            goals, said = prove.prove("plan.c", prove.SIZES, list(trial), prove.MACHINES[0][1], config, 5)
            for function, (valid, total, still_open) in goals.items():
                found = valid < total
                passed += not found
                print("%-6s %s: %r -> %r, %d of %d goals: %s"
                      % (("ok" if found else "FAILED", function) + trial[function][1:] +
                         (valid, total, " ".join(still_open))), flush=True)
            print(said, end="")
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main())
