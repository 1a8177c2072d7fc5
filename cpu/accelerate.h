/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/accelerate.h - a graph for two devices: parts of it are compiled for an accelerator.   >>cpu_accelerate

   Once shapes are known, the graph is cut (cpu/ir_cut.h). Two passes run first: an unread value, such as a cast in a
   uint8 model, would otherwise become an output of a part, and a PAD that the next convolution can do itself would
   split a part in two. A part that is worth handing over becomes one node, whose constant is the image that the
   accelerator compiled; the rest goes through passes and lowering as usual. So both share one plan, one arena and one
   cache. Nodes that the accelerator cannot do, or fails to compile, stay on the CPU, and the log says why. */
#ifndef NNRT_CPU_ACCELERATE_H
#define NNRT_CPU_ACCELERATE_H

#include "../core/log.h"
#include "ir_cut.h"
#include "write_plan.h"

#ifdef NNRT__HAS_ACCELERATOR
/* Multiply-accumulates of a node with weights, its second input; 0 for any other node. Shapes are known. */
NNRT__FN uint64_t nnrt__ir_macs(const nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in, *weights, *out, *seen;
    if (node->op != OH_NN_OPS_CONV2D && node->op != OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE &&
        node->op != OH_NN_OPS_CONV2D_TRANSPOSE && node->op != OH_NN_OPS_FULL_CONNECTION)
        return 0;
    if (node->input_count < 2) return 0;
    in = nnrt__ir_in(ir, node, 0);
    weights = nnrt__ir_in(ir, node, 1);
    out = nnrt__ir_out(ir, node, 0);
    seen = node->op == OH_NN_OPS_CONV2D_TRANSPOSE ? in : out; /* each weight is used once per position */
    if (seen->rank == 0) return 0;
    return (uint64_t)(seen->count / (size_t)seen->dims[seen->rank - 1]) * weights->count;
}

typedef struct nnrt__accelerating {
    nnrt__ir *ir;
    const nnrt__compile_options *options;
    bool *taken; /* [node_count] the accelerator does that node */
} nnrt__accelerating;

/* Logs why a node stays on the CPU. */
NNRT__FN void nnrt__accelerating_tell(const nnrt__accelerating *self, const nnrt__ir_node *node, const char *reason) {
    nnrt__log(NNRT_LOG_INFO, "operator %u (%s) stays on the CPU, not on %s: %s", (unsigned)node->origin,
              nnrt__op_name((int)node->op), self->options->bounds.accelerator->name, reason);
}

/* NULL, or why the accelerator does not do a node. */
NNRT__FN const char *nnrt__accelerating_refusal(const nnrt__accelerating *self, const nnrt__ir_node *node) {
    const nnrt__accelerator *accelerator = self->options->bounds.accelerator;
    const nnrt__ir *ir = self->ir;
    bool computed = false;
    uint32_t k;
    for (k = 0; k < node->input_count; k++) computed = computed || nnrt__ir_in(ir, node, k)->data == NULL;
    if (!computed) return "it reads constants only";
    for (k = 0; k < node->input_count; k++)
        if (nnrt__ir_in(ir, node, k)->data == NULL && nnrt__ir_in(ir, node, k)->dtype != OH_NN_INT8)
            return "it reads what is not int8";
    for (k = 0; k < node->output_count; k++)
        if (nnrt__ir_out(ir, node, k)->dtype != OH_NN_INT8) return "its result is not int8";
    return accelerator->refusal(accelerator, ir, node, self->options->exact);
}

NNRT__FN void nnrt__accelerating_choose(const nnrt__accelerating *self) {
    uint32_t i;
    for (i = self->ir->first; i != NNRT__NONE; i = self->ir->nodes[i].next) {
        const char *reason = nnrt__accelerating_refusal(self, &self->ir->nodes[i]);
        self->taken[i] = reason == NULL;
        if (reason != NULL) nnrt__accelerating_tell(self, &self->ir->nodes[i], reason);
    }
}

/* What nnrt__ir_cut_in_two asks. */
NNRT__FN bool nnrt__accelerating_takes(void *user, const nnrt__ir *ir, uint32_t node) {
    (void)ir;
    return ((const nnrt__accelerating *)user)->taken[node];
}

NNRT__FN uint64_t nnrt__accelerating_macs(const nnrt__accelerating *self, const nnrt__ir_part *part) {
    uint64_t macs = 0;
    uint32_t i;
    for (i = 0; i < part->count; i++) macs += nnrt__ir_macs(self->ir, &self->ir->nodes[part->nodes[i]]);
    return macs;
}

/* Bytes of the values that go into a part and come out of it. */
NNRT__FN uint64_t nnrt__accelerating_bytes(const nnrt__ir *part) {
    uint64_t bytes = 0;
    uint32_t i;
    for (i = 0; i < part->input_count; i++) bytes += part->values[part->inputs[i]].size;
    for (i = 0; i < part->output_count; i++) bytes += part->values[part->outputs[i]].size;
    return bytes;
}

/* Is a part worth handing over? If not, *poor is set and its nodes stay on the CPU. */
NNRT__FN OH_NN_ReturnCode nnrt__accelerating_weigh(const nnrt__accelerating *self, const nnrt__ir_part *part,
                                                   bool *poor) {
    const nnrt__accelerator *accelerator = self->options->bounds.accelerator;
    const uint64_t macs = nnrt__accelerating_macs(self, part);
    const uint32_t *from;
    uint64_t bytes;
    uint32_t ends, i;
    nnrt__ir alone;
    OH_NN_ReturnCode code = nnrt__ir_take_part(self->ir, part->nodes, part->count, &alone, &from);
    if (code != OH_NN_SUCCESS) return code;
    bytes = nnrt__accelerating_bytes(&alone);
    ends = alone.input_count > alone.output_count ? alone.input_count : alone.output_count;
    nnrt__ir_free(&alone);
    if (ends <= NNRT__PART_TENSORS && macs >= accelerator->least_macs && macs >= accelerator->macs_per_byte * bytes)
        return OH_NN_SUCCESS;
    *poor = true;
    for (i = 0; i < part->count; i++) {
        self->taken[part->nodes[i]] = false;
        nnrt__accelerating_tell(self, &self->ir->nodes[part->nodes[i]],
                                ends > NNRT__PART_TENSORS ? "too many tensors go in or out there"
                                                          : "there is too little to do to be worth the way");
    }
    return OH_NN_SUCCESS;
}

/* Cuts the graph until every part for the accelerator is worth handing over: dropping one part may let those around it
   merge. The caller frees the result after OH_NN_SUCCESS. */
NNRT__FN OH_NN_ReturnCode nnrt__accelerating_cut(nnrt__accelerating *self, nnrt__ir_cut *cut) {
    OH_NN_ReturnCode code;
    bool poor;
    uint32_t i;
    do {
        poor = false;
        code = nnrt__ir_cut_in_two(self->ir, nnrt__accelerating_takes, self, cut);
        if (code != OH_NN_SUCCESS) return code;
        for (i = 0; code == OH_NN_SUCCESS && i < cut->part_count; i++)
            if (cut->parts[i].device == 1) code = nnrt__accelerating_weigh(self, &cut->parts[i], &poor);
        if (code != OH_NN_SUCCESS || poor) nnrt__ir_cut_free(cut);
    } while (code == OH_NN_SUCCESS && poor);
    return code;
}

/* Puts the nodes in the order of their parts. */
NNRT__FN void nnrt__accelerating_sort(nnrt__ir *ir, const nnrt__ir_cut *cut) {
    uint32_t i, k;
    ir->first = ir->last = NNRT__NONE;
    for (i = 0; i < cut->part_count; i++)
        for (k = 0; k < cut->parts[i].count; k++) nnrt__ir_link(ir, cut->parts[i].nodes[k], NNRT__NONE);
}

/* Adds the image as a constant; the IR takes ownership. Room is reserved. */
NNRT__FN uint32_t nnrt__ir_add_image(nnrt__ir *ir, void *image, size_t size) {
    const uint32_t i = ir->value_count++;
    nnrt__ir_value *value = &ir->values[i];
    memset(value, 0, sizeof(*value));
    value->name = "image";
    value->dtype = OH_NN_UINT8;
    value->rank = 1;
    value->dims[0] = (int32_t)size;
    value->count = value->size = size;
    value->data = value->owned = image;
    value->known = true;
    value->input = value->output = value->producer = value->alias = value->form = value->mark = NNRT__NONE;
    return i;
}

/* Replaces the nodes of part by one node that has the image. alone, from: from nnrt__ir_take_part. The IR takes
   ownership of image, on failure too. */
NNRT__FN OH_NN_ReturnCode nnrt__accelerating_replace(const nnrt__accelerating *self, const nnrt__ir_part *part,
                                                     const nnrt__ir *alone, const uint32_t *from, void *image,
                                                     size_t size) {
    const uint64_t macs = nnrt__accelerating_macs(self, part);
    const uint32_t before = self->ir->nodes[part->nodes[part->count - 1]].next;
    const uint32_t inputs = alone->input_count + 1, outputs = alone->output_count;
    nnrt__ir *ir = self->ir;
    nnrt__ir_accelerated *about;
    nnrt__ir_node *node;
    uint32_t made, i;
    OH_NN_ReturnCode code = nnrt__ir_reserve(ir, 1, 1,
                                             NNRT__IR_BYTES(inputs, uint32_t) + NNRT__IR_BYTES(outputs, uint32_t) +
                                                 NNRT__IR_BYTES(1, nnrt__ir_accelerated));
    if (code != OH_NN_SUCCESS) {
        nnrt__free(image);
        return code;
    }
    made = ir->node_count++;
    node = &ir->nodes[made];
    memset(node, 0, sizeof(*node));
    node->op = NNRT__OPS_PART;
    node->origin = ir->nodes[part->nodes[0]].origin;
    node->inputs = (uint32_t *)nnrt__ir_take(ir, inputs, sizeof(uint32_t));
    node->outputs = (uint32_t *)nnrt__ir_take(ir, outputs, sizeof(uint32_t));
    node->spec = about = (nnrt__ir_accelerated *)nnrt__ir_take(ir, 1, sizeof(*about));
    node->input_count = inputs;
    node->output_count = outputs;
    memcpy(about->accelerator, self->options->bounds.accelerator->name,
           strlen(self->options->bounds.accelerator->name));
    about->macs = macs;
    for (i = 0; i < part->count; i++) nnrt__ir_erase(ir, part->nodes[i]);
    node->inputs[0] = nnrt__ir_add_image(ir, image, size);
    for (i = 1; i < inputs; i++) node->inputs[i] = from[alone->inputs[i - 1]];
    for (i = 0; i < inputs; i++) ir->values[node->inputs[i]].uses++;
    for (i = 0; i < outputs; i++) nnrt__ir_set_output(ir, made, i, from[alone->outputs[i]]);
    nnrt__ir_link(ir, made, before);
    return OH_NN_SUCCESS;
}

/* Logs which operators the accelerator does, and how much work they are. image: of the part. */
NNRT__FN void nnrt__accelerating_tell_done(const nnrt__accelerating *self, const nnrt__ir_part *part,
                                           const void *image) {
    const nnrt__accelerator *accelerator = self->options->bounds.accelerator;
    uint32_t i;
    for (i = 0; accelerator->work != NULL && i < part->count; i++) {
        const nnrt__ir_node *node = &self->ir->nodes[part->nodes[i]];
        nnrt__part_work work;
        accelerator->work(accelerator, image, i, &work);
        nnrt__log(NNRT_LOG_INFO,
                  "operator %u (%s) is done by %s: tasks %u, tiles %u, MACs %llu, bytes read %llu, written %llu",
                  (unsigned)node->origin, nnrt__op_name((int)node->op), accelerator->name, (unsigned)work.tasks,
                  (unsigned)work.tiles, (unsigned long long)nnrt__ir_macs(self->ir, node),
                  (unsigned long long)work.read, (unsigned long long)work.written);
    }
}

/* Has the accelerator compile a part. It fails only when memory is out or the graph is left in pieces; otherwise the
   part stays on the CPU. */
NNRT__FN OH_NN_ReturnCode nnrt__accelerating_compile(const nnrt__accelerating *self, const nnrt__ir_part *part) {
    const nnrt__accelerator *accelerator = self->options->bounds.accelerator;
    const uint32_t *from;
    void *image = NULL;
    size_t size = 0;
    uint32_t i;
    nnrt__ir alone;
    OH_NN_ReturnCode code = nnrt__ir_take_part(self->ir, part->nodes, part->count, &alone, &from);
    if (code != OH_NN_SUCCESS) return code;
    code = accelerator->compile(accelerator, &alone, self->options->exact, &image, &size);
    if (code == OH_NN_SUCCESS && (size == 0 || size > NNRT__IR_MAX_VALUE_BYTES)) {
        nnrt__free(image);
        code = nnrt__fail(OH_NN_FAILED, "an image of %zu bytes", size);
    }
    if (code == OH_NN_SUCCESS) {
        nnrt__accelerating_tell_done(self, part, image);
        code = nnrt__accelerating_replace(self, part, &alone, from, image, size);
    } else if (code != OH_NN_MEMORY_ERROR) {
        nnrt__log(NNRT_LOG_WARNING, "%u operators from number %u on stay on the CPU, not on %s: %s",
                  (unsigned)part->count, (unsigned)self->ir->nodes[part->nodes[0]].origin, accelerator->name,
                  nnrt__sentence());
        for (i = 0; i < part->count; i++)
            nnrt__accelerating_tell(self, &self->ir->nodes[part->nodes[i]], "its part could not be compiled");
        code = OH_NN_SUCCESS;
    }
    nnrt__ir_free(&alone);
    return code;
}

/* Gives the accelerator of options its parts of ir, where it has one. */
NNRT__FN OH_NN_ReturnCode nnrt__accelerate(nnrt__ir *ir, const nnrt__compile_options *options) {
    nnrt__accelerating self;
    nnrt__ir_cut cut;
    OH_NN_ReturnCode code;
    uint32_t i;
    if (options->bounds.accelerator == NULL || ir->first == NNRT__NONE) return OH_NN_SUCCESS;
    NNRT_ASSERT(strlen(options->bounds.accelerator->name) < NNRT__ACCELERATOR_NAME);
    self.ir = ir;
    self.options = options;
    self.taken = (bool *)nnrt__alloc_zero(ir->node_count, sizeof(bool));
    if (self.taken == NULL) return nnrt__fail_memory();
    if (options->passes & NNRT__PASS_DEAD) nnrt__pass_dead(ir);
    if (options->passes & NNRT__PASS_PADDING) nnrt__pass_padding(ir);
    nnrt__accelerating_choose(&self);
    code = nnrt__accelerating_cut(&self, &cut);
    nnrt__free(self.taken);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__accelerating_sort(ir, &cut);
    for (i = 0; code == OH_NN_SUCCESS && i < cut.part_count; i++)
        if (cut.parts[i].device == 1) code = nnrt__accelerating_compile(&self, &cut.parts[i]);
    nnrt__ir_cut_free(&cut);
    return code;
}
#else
NNRT__FN OH_NN_ReturnCode nnrt__accelerate(nnrt__ir *ir, const nnrt__compile_options *options) {
    (void)ir;
    (void)options;
    return OH_NN_SUCCESS;
}
#endif

#endif /* NNRT_CPU_ACCELERATE_H */
