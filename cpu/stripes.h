/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/stripes.h - chooses convolutions to run in stripes or blocks, so that the arena is small.   >>cpu_stripes

   Looks for chains of convolutions in which each reads only the output of the one before, and nothing else reads that;
   some become groups (cpu/steps_stripes.h). Instead of the tensors between them the arena then holds windows of a few
   rows. No product is computed twice. The cost: each step of a group is called, and reads its weights, once per turn.
   That price is estimated, and the arena made as small as a given share of the model's own work pays for.

   A step alone may have its output over its input (cpu/overlap.h), which takes the room of little more than the larger
   of the two. A convolution then has a block of so many pixels, that fewer of them lie between what is written and what
   is still read; with fewer its scratch is smaller, too. Each block costs a call.

   How: for a given arena size the cheapest way to cut the whole plan is a shortest path over its steps, each either
   alone, with the cheapest block that fits, or in a group with as many rows per turn as fit. The size is found by
   bisection. Sizes are sums of what is alive at a step; cpu/arena.h may need a little more to place it.

   MobileNetV1 0.25 on 96x96 (vww_96_int8, person_detect) takes an arena of 24,192 bytes by stripes instead of 56,832,
   with the same number of products (2026-11-23), and of 22,016 with blocks, too (2026-11-26). Patches that recompute
   rows and columns instead of keeping them ("MCUNetV2: Memory-efficient Patch-based Inference", Lin et al., 2021) need
   no room for kept rows, but repeat a tenth to a third of the products of these layers. */
#ifndef NNRT_CPU_STRIPES_H
#define NNRT_CPU_STRIPES_H

#include "arena.h"
#include "lower.h"
#include "overlap.h"

/* Most steps of a group: tensors further down are small anyway. */
#define NNRT__STRIPES_STEPS 16u
/* Products that a call of a step in one more turn costs, beside its weights; a Cortex-A7 counts 1,000 instructions. */
#define NNRT__STRIPES_CALL 2000u
#define NNRT__STRIPES_NEVER UINT64_MAX
/* The same of the call of a kernel that does up to four products at once; where it does more, a call counts for so many
   times as many. */
#define NNRT__STRIPES_BLOCK_CALL 400u
/* Blocks that are tried: pixels of a convolution, rows of a depthwise one. */
#define NNRT__STRIPES_BLOCKS 8u

/* A way to run a step alone. */
typedef struct nnrt__stripes_block {
    uint64_t live, price;
    uint32_t block; /* nnrt__conv_args.block; 0: a pool has none */
} nnrt__stripes_block;

/* A step before anything is cut. */
typedef struct nnrt__stripes_step {
    const nnrt__step_kind *kind; /* its kind in a group; NULL: it cannot be in one */
    bool joined;                 /* it alone reads the previous step's output, as its first input */
    nnrt__conv_args conv;
    int32_t in_h, out_h;
    uint64_t in_row, out_row;                         /* bytes */
    uint32_t in, out;                                 /* storages; NNRT__NONE: not in the arena */
    uint64_t live;                                    /* bytes in the arena while it runs, scratch included */
    uint64_t begins, ends;                            /* bytes of memory whose life begins, or ends, with it */
    uint64_t width, each;                             /* pixels of an output row, products of a pixel */
    nnrt__stripes_block blocks[NNRT__STRIPES_BLOCKS]; /* each with less alive than the one before; the first: with less
                                                         than `live` */
    uint32_t block_count;
} nnrt__stripes_step;

/* The best way to do all steps before this one. */
typedef struct nnrt__stripes_way {
    uint64_t price;
    uint32_t size;  /* steps of the group that ends here, or 1 */
    uint32_t rows;  /* rows per turn of the last one's output; no group: 0 */
    uint32_t block; /* no group: that of the step; 0: as it is */
} nnrt__stripes_way;

typedef struct nnrt__stripes_plan {
    nnrt__lower *lower;
    uint32_t count;            /* steps */
    nnrt__stripes_step *steps; /* [count] */
    nnrt__memory_life *lives;  /* of each storage */
    nnrt__stripes_way *ways;   /* [count + 1] */
} nnrt__stripes_plan;

/* ------------------------------------------------------------------------------------- what the plan is like */

/* The kind with turns for one without, or NULL. */
NNRT__FN const nnrt__step_kind *nnrt__stripes_kind(uint32_t id) {
    return id == nnrt__step_conv_s8.id        ? NNRT__KIND(conv_s8_stripes)
           : id == nnrt__step_conv_raw_s8.id  ? NNRT__KIND(conv_raw_s8_stripes)
           : id == nnrt__step_conv_f32.id     ? NNRT__KIND(conv_f32_stripes)
           : id == nnrt__step_conv_raw_f32.id ? NNRT__KIND(conv_raw_f32_stripes)
           : id == nnrt__step_dw_s8.id        ? NNRT__KIND(dw_s8_stripes)
           : id == nnrt__step_dw_f32.id       ? NNRT__KIND(dw_f32_stripes)
                                              : NULL;
}

NNRT__INLINE const uint32_t *nnrt__stripes_operands(const nnrt__plan_writer *writer, uint32_t step) {
    return (const uint32_t *)(const void *)writer->operands.data + nnrt__writer_step(writer, step)->first_operand;
}

/* The arena storage of a value. */
NNRT__FN uint32_t nnrt__stripes_storage(const nnrt__plan_writer *writer, uint32_t value) {
    if (value == NNRT__NONE || nnrt__writer_value(writer, value)->segment != NNRT__SEGMENT_ARENA) return NNRT__NONE;
    return *nnrt__writer_storage(writer, value);
}

/* Bytes alive at each step, from the lives of `count` memories. */
NNRT__FN void nnrt__stripes_add_lives(nnrt__stripes_plan *plan, uint32_t count) {
    uint64_t now = 0;
    uint32_t i;
    for (i = 0; i < count; i++) {
        if (plan->lives[i].first == NNRT__NONE) continue;
        NNRT_ASSERT(plan->lives[i].first <= plan->lives[i].last && plan->lives[i].last < plan->count);
        plan->steps[plan->lives[i].first].begins += plan->lives[i].size;
        plan->steps[plan->lives[i].last].ends += plan->lives[i].size;
    }
    for (i = 0; i < plan->count; i++) {
        now += plan->steps[i].begins;
        plan->steps[i].live += now;
        now -= plan->steps[i].ends;
    }
}

/* The uses of an arena storage. */
typedef struct nnrt__stripes_uses {
    uint32_t operands; /* of steps, that are it */
    uint32_t values;   /* that share it */
} nnrt__stripes_uses;

/* uses: one for each storage, zero on entry. */
NNRT__FN void nnrt__stripes_count_uses(const nnrt__plan_writer *writer, nnrt__stripes_uses *uses) {
    const uint32_t *operands = (const uint32_t *)(const void *)writer->operands.data;
    const size_t count = writer->operands.size / sizeof(uint32_t);
    uint32_t i;
    size_t k;
    for (k = 0; k < count; k++) {
        const uint32_t storage = nnrt__stripes_storage(writer, operands[k]);
        if (storage != NNRT__NONE) uses[storage].operands++;
    }
    for (i = 0; i < nnrt__writer_value_count(writer); i++) {
        const uint32_t storage = nnrt__stripes_storage(writer, i);
        if (storage != NNRT__NONE) uses[storage].values++;
    }
}

/* Fills steps[i], of live only its scratch. */
NNRT__FN void nnrt__stripes_look(nnrt__stripes_plan *plan, uint32_t i, const nnrt__stripes_uses *uses) {
    const nnrt__plan_writer *writer = plan->lower->writer;
    const nnrt__plan_step *step = nnrt__writer_step(writer, i);
    const uint32_t *operands = nnrt__stripes_operands(writer, i);
    const nnrt__plan_value *in, *out;
    nnrt__stripes_step *s = &plan->steps[i];
    s->live = nnrt__writer_scratch(plan->lower, i);
    s->kind = nnrt__stripes_kind(step->kind);
    if (s->kind == NULL) return;
    in = nnrt__writer_value(writer, operands[0]);
    out = nnrt__writer_value(writer, operands[step->input_count]);
    memcpy(&s->conv, writer->arguments.data + step->arguments, sizeof(s->conv));
    s->in = nnrt__stripes_storage(writer, operands[0]);
    s->out = nnrt__stripes_storage(writer, operands[step->input_count]);
    if (s->conv.columns != 0 || in->rank != 4 || in->dims[0] != 1 || in->dims[1] > NNRT__STRIPE_MAX ||
        out->dims[1] > NNRT__STRIPE_MAX) {
        s->kind = NULL;
        return;
    }
    s->in_h = in->dims[1];
    s->out_h = out->dims[1];
    s->in_row = in->size / (uint64_t)in->dims[1];
    s->out_row = out->size / (uint64_t)out->dims[1];
    s->width = (uint64_t)out->dims[2];
    s->each = step->macs / (s->width * (uint64_t)out->dims[1]);
    /* Is it written by one, read by the other, and has no view of another shape? */
    s->joined = i > 0 && s[-1].kind != NULL && s->in != NNRT__NONE && s->in == s[-1].out && uses[s->in].operands == 2 &&
                uses[s->in].values == 1;
}

/* -------------------------------------------------------------------------------------------- a step alone */

/* The arena storage of operand k of step i if its life begins (k an output) or ends (an input) there; else
   NNRT__NONE. */
NNRT__FN uint32_t nnrt__stripes_ending(const nnrt__stripes_plan *plan, uint32_t i, uint32_t k) {
    const nnrt__plan_writer *writer = plan->lower->writer;
    const uint32_t *operands = nnrt__stripes_operands(writer, i);
    const uint32_t storage = nnrt__stripes_storage(writer, operands[k]);
    if (storage == NNRT__NONE) return NNRT__NONE;
    if (k < nnrt__writer_step(writer, i)->input_count) return plan->lives[storage].last == i ? storage : NNRT__NONE;
    return plan->lives[storage].first == i ? storage : NNRT__NONE;
}

/* Of a kind that works in place: does its output take the room of an input? */
NNRT__FN bool nnrt__stripes_in_place(const nnrt__stripes_plan *plan, uint32_t i) {
    const uint32_t inputs = nnrt__writer_step(plan->lower->writer, i)->input_count;
    const uint32_t out = nnrt__stripes_ending(plan, i, inputs);
    uint32_t k;
    for (k = 0; out != NNRT__NONE && k < inputs; k++) {
        const uint32_t in = nnrt__stripes_ending(plan, i, k);
        if (in != NNRT__NONE && in != out && plan->lives[in].size == plan->lives[out].size) return true;
    }
    return false;
}

/* Bytes that the first input and the output share as far as lives allow it. */
NNRT__FN uint64_t nnrt__stripes_shared(const nnrt__stripes_plan *plan, uint32_t i, const nnrt__step_view *view,
                                       const nnrt__step_kind *kind) {
    const uint32_t in = nnrt__stripes_ending(plan, i, 0), out = nnrt__stripes_ending(plan, i, view->input_count);
    const uint32_t *operands = nnrt__stripes_operands(plan->lower->writer, i);
    nnrt__overlap_bytes overlap;
    nnrt__block a, b;
    uint32_t k;
    if (in == NNRT__NONE || out == NNRT__NONE || in == out || view->output_count != 1) return 0;
    for (k = 1; k < view->input_count; k++)
        if (nnrt__stripes_storage(plan->lower->writer, operands[k]) == in) return 0;
    if (!nnrt__overlap_of(view, kind, &overlap)) return 0;
    memset(&a, 0, sizeof(a));
    memset(&b, 0, sizeof(b));
    a.size = (size_t)plan->lives[in].size;
    b.size = (size_t)plan->lives[out].size;
    b.below = nnrt__distance_rounded(overlap.below, b.size);
    b.above = nnrt__distance_rounded(overlap.above, a.size);
    return nnrt__arena_shared(&b, &a);
}

/* Products that blocks of `each` of all pixels cost, beside those of `usual` pixels.
   The kernel is called for each, a depthwise one for each side and what is between, and looks at all its weights
   anew. */
NNRT__FN uint64_t nnrt__stripes_block_price(const nnrt__plan_step *step, const nnrt__cpu_table *kernels, bool depthwise,
                                            uint64_t all, uint64_t each, uint64_t usual) {
    const nnrt__packing *packing = kernels->gemm_s8[0].packing;
    const uint64_t wide = (uint64_t)packing->nr * packing->kr / 4,
                   call = NNRT__STRIPES_BLOCK_CALL * (wide > 1 ? wide : 1);
    const uint64_t price = depthwise ? 2 * call + step->weights_bytes : call + step->weights_bytes / 8;
    const uint64_t calls = (all + each - 1) / each, before = (all + usual - 1) / usual;
    return calls > before ? (calls - before) * price : 0;
}

/* Pixels that a small processor computes at once without a block: what has room in a list, or among copies. */
NNRT__FN uint64_t nnrt__stripes_usual_block(const nnrt__step_kind *kind, const nnrt__conv_args *args,
                                            const nnrt__plan_value *in, const nnrt__plan_value *out) {
    const uint64_t taps = (uint64_t)args->geometry.kernel_h * (uint64_t)args->geometry.kernel_w;
    const uint64_t width = (uint64_t)out->dims[2], listed = taps < NNRT__DW_ADDRESSES ? NNRT__DW_ADDRESSES / taps : 1;
    uint64_t copied;
    if (kind->by_rows) return (listed < width ? listed : width) * width;
    if (taps == 1 || args->span < taps)
        return taps / args->span < 24 ? NNRT__CONV_NARROW_ADDRESSES * args->span / taps : 4;
    copied = NNRT__CONV_NARROW_COPY_BYTES / (taps * (uint64_t)(in->dims[3] / args->group)); /* gathered */
    return copied < 4 ? 4 : copied < NNRT__CONV_NARROW_ADDRESSES ? copied : NNRT__CONV_NARROW_ADDRESSES;
}

/* Candidate k of pixels in a block, or of rows where it is depthwise, of which it usually lists so many. What
   makes the arena no smaller than those before is dropped. */
NNRT__FN uint64_t nnrt__stripes_candidate(uint32_t k, bool depthwise, uint64_t usual) {
    static const uint32_t pixels[NNRT__STRIPES_BLOCKS] = {96, 64, 48, 32, 24, 16, 8, 4};
    if (!depthwise) return pixels[k];
    if (k < 3) return usual << (2 - k);                    /* four times as many, twice, as usual */
    if (k < 6) return usual > k - 1 ? usual - (k - 2) : 1; /* one to three fewer */
    return NNRT__STRIPES_BLOCKS - k;                       /* 2, 1 */
}

/* Fills the blocks of step i, whose live is there. */
NNRT__FN void nnrt__stripes_try_blocks(nnrt__stripes_plan *plan, uint32_t i) {
    nnrt__stripes_step *s = &plan->steps[i];
    const nnrt__plan_step *step = nnrt__writer_step(plan->lower->writer, i);
    nnrt__conv_args *args = (nnrt__conv_args *)(void *)(plan->lower->writer->arguments.data + step->arguments);
    nnrt__writer_view room;
    const nnrt__step_kind *kind = nnrt__writer_look(plan->lower, i, &room);
    const nnrt__plan_value *out;
    uint64_t least = s->live, whole, usual;
    uint32_t k;
    if (kind == NULL || !(kind->by_blocks || kind->by_rows) || !kind->check(&room.view)) return;
    if (kind->by_blocks && args->columns != 0) return;
    out = nnrt__step_output(&room.view, 0);
    whole = nnrt__writer_scratch(plan->lower, i);
    usual = kind->by_blocks ? nnrt__stripes_usual_block(kind, args, room.values[0], out) : 1;
    for (k = 0; k < (kind->by_blocks ? NNRT__STRIPES_BLOCKS : 1); k++) {
        const uint64_t width = (uint64_t)out->dims[2], all = width * (uint64_t)out->dims[1];
        const uint64_t each = nnrt__stripes_candidate(k, kind->by_rows, usual / width) * (kind->by_rows ? width : 1);
        nnrt__stripes_block *block = &s->blocks[s->block_count];
        if (kind->by_blocks && (each > UINT32_MAX || each >= all)) continue;
        block->block = kind->by_blocks ? (uint32_t)each : 0;
        if (kind->by_blocks) args->block = block->block;
        block->live =
            s->live - whole + nnrt__writer_scratch(plan->lower, i) - nnrt__stripes_shared(plan, i, &room.view, kind);
        block->price = kind->by_blocks
                           ? nnrt__stripes_block_price(step, plan->lower->kernels, kind->by_rows, all, each, usual)
                           : 0;
        if (kind->by_blocks) args->block = 0;
        if (block->live >= least) continue;
        least = block->live;
        s->block_count++;
    }
}

/* The price of step i alone, in at most `arena` bytes, and its block. */
NNRT__FN uint64_t nnrt__stripes_alone(const nnrt__stripes_step *step, uint64_t arena, uint32_t *block) {
    uint32_t k;
    *block = 0;
    if (step->live <= arena) return 0;
    for (k = 0; k < step->block_count; k++) {
        if (step->blocks[k].live > arena) continue;
        *block = step->blocks[k].block;
        return step->blocks[k].price;
    }
    return NNRT__STRIPES_NEVER;
}

/* -------------------------------------------------------------------------------------------- a group */

/* Rows that a window needs room for: all of them if it does not move. */
NNRT__FN int32_t nnrt__stripes_window(const nnrt__stripe *stripe) {
    const int32_t rows = stripe->slide == 0 ? stripe->height
                         : stripe->base < 0 ? stripe->end - stripe->base
                                            : stripe->end;
    return rows < stripe->height ? rows : stripe->height;
}

/* stripes[0..size]: for the input of the first of `size` steps from `first` on, and for each output, if the last
   computes `rows` rows per turn. false: they cannot be cut so. */
NNRT__FN bool nnrt__stripes_of_group(const nnrt__stripes_plan *plan, uint32_t first, uint32_t size, int32_t rows,
                                     nnrt__stripe *stripes) {
    uint32_t i = size;
    memset(&stripes[size], 0, sizeof(stripes[size]));
    stripes[size].height = plan->steps[first + size - 1].out_h;
    stripes[size].end = stripes[size].step = rows;
    while (i > 0) {
        const nnrt__stripes_step *step = &plan->steps[first + i - 1];
        const nnrt__geometry *g = &step->conv.geometry;
        const nnrt__stripe *out = &stripes[i];
        nnrt__stripe *in = &stripes[--i];
        const int64_t stride = g->stride_h, pad = g->pad_top;
        const int64_t base = ((int64_t)out->end - out->step) * stride - pad;
        const int64_t end = ((int64_t)out->end - 1) * stride - pad + (int64_t)(g->kernel_h - 1) * g->dilation_h + 1;
        in->height = step->in_h;
        if (!nnrt__in_range(base, -NNRT__STRIPE_MAX, NNRT__STRIPE_MAX) || !nnrt__in_range(end, 1, NNRT__STRIPE_MAX) ||
            out->step * stride > NNRT__STRIPE_MAX)
            return false;
        in->base = (int32_t)base;
        in->end = (int32_t)end;
        in->step = in->slide = (int32_t)(out->step * stride);
        if (i == 0 || nnrt__stripes_window(in) == in->height) in->base = in->slide = 0;
    }
    return true;
}

/* Does the window hold the whole tensor? */
NNRT__INLINE bool nnrt__stripe_is_whole(const nnrt__stripe *stripe) { return stripe->slide == 0; }

/* Bytes in the arena that the group needs, and *price of cutting it so; NNRT__STRIPES_NEVER: it cannot be cut. */
NNRT__FN uint64_t nnrt__stripes_group_size(const nnrt__stripes_plan *plan, uint32_t first, uint32_t size, int32_t rows,
                                           uint64_t *price) {
    const nnrt__stripes_step *steps = &plan->steps[first];
    nnrt__stripe stripes[NNRT__STRIPES_STEPS + 1];
    uint64_t windows[NNRT__STRIPES_STEPS + 1], kept = 0, most = 0;
    const uint32_t begin = steps[0].in, end = steps[size - 1].out;
    const uint64_t turns = ((uint64_t)steps[size - 1].out_h + (uint64_t)rows - 1) / (uint64_t)rows;
    uint32_t i;
    *price = 0;
    if (!nnrt__stripes_of_group(plan, first, size, rows, stripes)) return NNRT__STRIPES_NEVER;
    for (i = 1; i < size; i++) {
        windows[i] = nnrt__writer_rounded((uint64_t)nnrt__stripes_window(&stripes[i]) * steps[i].in_row);
        if (!nnrt__stripe_keeps(&stripes[i]) && !nnrt__stripe_is_whole(&stripes[i])) continue;
        kept += windows[i];
        windows[i] = 0;
    }
    windows[0] = windows[size] = 0;
    for (i = 0; i < size; i++) {
        const uint64_t weights = nnrt__writer_step(plan->lower->writer, first + i)->weights_bytes;
        const uint64_t pixels = (uint64_t)stripes[i + 1].step * steps[i].width; /* of a turn */
        uint64_t live = steps[i].live + kept + windows[i] + windows[i + 1];
        if (i > 0) live -= plan->lives[steps[i].in].size;
        if (i + 1 < size) live -= plan->lives[steps[i].out].size;
        if (begin != NNRT__NONE && plan->lives[begin].last < first + i) live += plan->lives[begin].size;
        if (end != NNRT__NONE && plan->lives[end].first > first + i) live += plan->lives[end].size;
        if (live > most) most = live;
        *price += (turns - 1) * (NNRT__STRIPES_CALL + weights / 2);
        /* kernels do four pixels at a time, depthwise ones one */
        if (steps[i].conv.group == 1 && pixels % 4 != 0) *price += turns * (4 - pixels % 4) * steps[i].each;
        if (nnrt__stripe_keeps(&stripes[i + 1]))
            *price += turns * steps[i].out_row * (uint64_t)(stripes[i + 1].end - stripes[i + 1].base) / 16;
    }
    return most;
}

/* The most rows in a turn with which the group fits in `arena` bytes; 0: it does not fit. */
NNRT__FN int32_t nnrt__stripes_fit(const nnrt__stripes_plan *plan, uint32_t first, uint32_t size, uint64_t arena,
                                   uint64_t *price) {
    int32_t low = 0, high = plan->steps[first + size - 1].out_h; /* low fits, high does not or is no stripe */
    *price = NNRT__STRIPES_NEVER;
    while (high - low > 1) {
        const int32_t middle = low == 0 ? 1 : low + (high - low) / 2;
        uint64_t cost;
        if (nnrt__stripes_group_size(plan, first, size, middle, &cost) <= arena) {
            low = middle;
            *price = cost;
        } else {
            if (low == 0) return 0;
            high = middle;
        }
    }
    return low;
}

/* Finds the cheapest way to stay within `arena` bytes; returns its price. */
NNRT__FN uint64_t nnrt__stripes_find(nnrt__stripes_plan *plan, uint64_t arena) {
    uint32_t end, first;
    plan->ways[0].price = 0;
    for (end = 1; end <= plan->count; end++) {
        nnrt__stripes_way *way = &plan->ways[end];
        const uint64_t alone = nnrt__stripes_alone(&plan->steps[end - 1], arena, &way->block);
        way->price = alone < NNRT__STRIPES_NEVER - plan->ways[end - 1].price ? plan->ways[end - 1].price + alone
                                                                             : NNRT__STRIPES_NEVER;
        way->size = 1;
        way->rows = 0;
        for (first = end - 1; first > 0 && plan->steps[first].joined && end - first < NNRT__STRIPES_STEPS; first--) {
            const uint64_t before = plan->ways[first - 1].price;
            uint64_t price;
            int32_t rows;
            if (before >= way->price) continue;
            rows = nnrt__stripes_fit(plan, first - 1, end - first + 1, arena, &price);
            if (rows == 0 || price >= way->price - before) continue;
            way->price = before + price;
            way->size = end - first + 1;
            way->rows = (uint32_t)rows;
        }
    }
    return plan->ways[plan->count].price;
}

/* -------------------------------------------------------------------------------------------- the writer */

/* Makes the steps a group. Their arguments move to the end of the section. */
NNRT__FN OH_NN_ReturnCode nnrt__stripes_write(const nnrt__stripes_plan *plan, uint32_t first, uint32_t size,
                                              int32_t rows) {
    nnrt__plan_writer *writer = plan->lower->writer;
    const int32_t height = plan->steps[first + size - 1].out_h;
    nnrt__stripe stripes[NNRT__STRIPES_STEPS + 1];
    uint32_t i;
    (void)nnrt__stripes_of_group(plan, first, size, rows, stripes);
    for (i = 0; i < size; i++) {
        nnrt__plan_step *step = nnrt__writer_step(writer, first + i);
        const size_t at = writer->arguments.size;
        nnrt__plan_value *out =
            nnrt__writer_value(writer, nnrt__stripes_operands(writer, first + i)[step->input_count]);
        nnrt__stripes_args *args = (nnrt__stripes_args *)nnrt__grow_add(
            &writer->arguments, ((size_t)nnrt__kind_arguments_size(plan->steps[first + i].kind) + 7) & ~(size_t)7);
        if (args == NULL) return nnrt__fail_memory();
        args->conv = plan->steps[first + i].conv;
        args->in = stripes[i];
        args->in.end = args->in.step = 0;
        args->out = stripes[i + 1];
        if (i + 1 < size) {
            out->dims[1] = nnrt__stripes_window(&stripes[i + 1]);
            out->size = (uint64_t)out->dims[1] * plan->steps[first + i].out_row;
        }
        args->conv.row_count = out->dims[1];
        step->kind = plan->steps[first + i].kind->id;
        step->arguments_shape = plan->steps[first + i].kind->arguments;
        step->arguments = at;
        step->turns = (uint16_t)((height + rows - 1) / rows);
        step->back = (uint16_t)(i + 1 == size ? size : 0);
    }
    return OH_NN_SUCCESS;
}

/* Drops arguments that no step uses any more. */
NNRT__FN OH_NN_ReturnCode nnrt__stripes_pack_arguments(nnrt__plan_writer *writer) {
    nnrt__grow packed;
    uint32_t i;
    memset(&packed, 0, sizeof(packed));
    for (i = 0; i < nnrt__writer_step_count(writer); i++) {
        nnrt__plan_step *step = nnrt__writer_step(writer, i);
        const size_t bytes = ((size_t)(step->arguments_shape & 0xffffu) + 7) & ~(size_t)7, at = packed.size;
        void *to = nnrt__grow_add(&packed, bytes);
        if (to == NULL) {
            nnrt__free(packed.data);
            return nnrt__fail_memory();
        }
        memcpy(to, writer->arguments.data + step->arguments, bytes);
        step->arguments = at;
    }
    nnrt__free(writer->arguments.data);
    writer->arguments = packed;
    return OH_NN_SUCCESS;
}

/* Applies the way that was found. *cut: it has groups or blocks. */
NNRT__FN OH_NN_ReturnCode nnrt__stripes_take(const nnrt__stripes_plan *plan, bool *cut) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt__plan_writer *writer = plan->lower->writer;
    uint32_t end = plan->count;
    bool grouped = false;
    *cut = false;
    while (code == OH_NN_SUCCESS && end > 0) {
        const nnrt__stripes_way *way = &plan->ways[end];
        end -= way->size;
        if (way->rows != 0) code = nnrt__stripes_write(plan, end, way->size, (int32_t)way->rows);
        else if (way->block != 0)
            ((nnrt__conv_args *)(void *)(writer->arguments.data + nnrt__writer_step(writer, end)->arguments))->block =
                way->block;
        grouped = grouped || way->rows != 0;
        *cut = *cut || way->rows != 0 || way->block != 0;
    }
    return code == OH_NN_SUCCESS && grouped ? nnrt__stripes_pack_arguments(plan->lower->writer) : code;
}

/* The smallest arena that `percent` pays for, to within 1/256 of the original size. *whole: that size, if anything is
   cut. */
NNRT__FN OH_NN_ReturnCode nnrt__stripes_choose(nnrt__stripes_plan *plan, uint32_t percent, uint64_t *whole) {
    uint64_t low = 0, high = 0, paid = 0, step, fullest;
    OH_NN_ReturnCode code;
    uint32_t i;
    bool cut;
    for (i = 0; i < plan->count; i++) {
        paid += nnrt__writer_step(plan->lower->writer, i)->macs;
        if (plan->steps[i].live > high) high = plan->steps[i].live;
    }
    fullest = high;
    paid = paid / 100 * percent;
    step = high / 256 > NNRT__PLAN_ALIGNMENT ? high / 256 : NNRT__PLAN_ALIGNMENT;
    while (high - low > step) {
        const uint64_t middle = low + (high - low) / 2;
        if (nnrt__stripes_find(plan, middle) <= paid) high = middle;
        else low = middle;
    }
    (void)nnrt__stripes_find(plan, high);
    code = nnrt__stripes_take(plan, &cut);
    if (cut) *whole = fullest;
    return code;
}

/* Cuts at a cost of at most `percent` of a run's products, after every node has been lowered and before memory is
   placed. overlap: in blocks, too. *whole: bytes alive at the fullest step before that; unchanged if nothing is cut. */
NNRT__FN OH_NN_ReturnCode nnrt__cut_stripes(nnrt__lower *lower, uint32_t percent, bool overlap, uint64_t *whole) {
    const nnrt__plan_writer *writer = lower->writer;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt__stripes_plan plan;
    nnrt__stripes_uses *uses;
    const uint32_t memories = writer->storage_count + lower->ir->output_count;
    uint32_t i;
    memset(&plan, 0, sizeof(plan));
    plan.lower = lower;
    plan.count = nnrt__writer_step_count(writer);
    plan.steps = (nnrt__stripes_step *)nnrt__alloc_zero((size_t)plan.count + 1, sizeof(nnrt__stripes_step));
    plan.lives = (nnrt__memory_life *)nnrt__alloc_zero((size_t)memories + 1, sizeof(nnrt__memory_life));
    plan.ways = (nnrt__stripes_way *)nnrt__alloc_zero((size_t)plan.count + 1, sizeof(nnrt__stripes_way));
    uses = (nnrt__stripes_uses *)nnrt__alloc_zero((size_t)writer->storage_count + 1, sizeof(nnrt__stripes_uses));
    if (plan.steps == NULL || plan.lives == NULL || plan.ways == NULL || uses == NULL) {
        code = nnrt__fail_memory();
    } else {
        nnrt__stripes_count_uses(writer, uses);
        for (i = 0; i < plan.count; i++) nnrt__stripes_look(&plan, i, uses);
        nnrt__writer_measure_lives(writer, plan.lives, memories);
        nnrt__stripes_add_lives(&plan, memories);
        for (i = 0; i < plan.count; i++) {
            const nnrt__plan_step *step = nnrt__writer_step(writer, i);
            const nnrt__step_kind *kind = nnrt__step_kind_in(lower->kernels, step->kind);
            if (kind != NULL && kind->in_place && step->output_count == 1 && nnrt__stripes_in_place(&plan, i))
                plan.steps[i].live -= plan.lives[nnrt__stripes_ending(&plan, i, step->input_count)].size;
            if (overlap) nnrt__stripes_try_blocks(&plan, i);
        }
        code = nnrt__stripes_choose(&plan, percent, whole);
    }
    nnrt__free(plan.steps);
    nnrt__free(plan.lives);
    nnrt__free(plan.ways);
    nnrt__free(uses);
    return code;
}

#endif /* NNRT_CPU_STRIPES_H */
