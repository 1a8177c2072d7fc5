/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that the output of a convolution or pool may lie over its input as cpu/overlap.h says, no nearer and hardly
   further: the bytes stay those of tensors that lie apart, arenas are smaller, and a plan that says otherwise is
   refused. */
#include "linked.h"

#define SEED 20261126u

#include "conv_chain.h"

/* ------------------------------------------------------------------------------------------ how near they may be */

typedef struct window {
    nnrt__conv_args conv;
    nnrt__plan_value in, out;
    const nnrt__plan_value *operands[3];
    nnrt__plan_step step;
    nnrt__step_view view;
    int32_t element;
} window;

static int32_t drawn_side(int32_t in, int32_t kernel, int32_t stride, int32_t dilation, int32_t pad) {
    const int32_t room = in + pad - (kernel - 1) * dilation - 1;
    return room < 0 ? 0 : room / stride + 1;
}

/* A convolution of any shape; false: it has no output. */
static bool draw_window(window *w, bool depthwise) {
    nnrt__geometry *g = &w->conv.geometry;
    const bool point = !depthwise && noise_in(0, 2) == 0;
    const int32_t h = noise_in(1, 14), width = noise_in(1, 7), channels = noise_in(1, 9);
    memset(w, 0, sizeof *w);
    g->kernel_h = point ? 1 : noise_in(1, 5);
    g->kernel_w = point ? 1 : noise_in(1, 3);
    g->stride_h = point ? noise_in(1, 8) / 8 + 1 : noise_in(1, 4);
    g->stride_w = point ? 1 : noise_in(1, 3);
    g->dilation_h = noise_in(1, 3);
    g->dilation_w = 1;
    g->pad_top = point ? 0 : noise_in(0, 6);
    g->pad_left = point ? 0 : noise_in(0, 2);
    w->in.rank = w->out.rank = 4;
    w->in.dims[0] = w->out.dims[0] = 1;
    w->in.dims[1] = h;
    w->in.dims[2] = width;
    w->in.dims[3] = channels;
    w->out.dims[1] = drawn_side(h, g->kernel_h, g->stride_h, g->dilation_h, g->pad_top + (point ? 0 : noise_in(0, 6)));
    w->out.dims[2] = drawn_side(width, g->kernel_w, g->stride_w, 1, g->pad_left + (point ? 0 : noise_in(0, 2)));
    w->out.dims[3] = depthwise ? channels : noise_in(1, 20);
    if (w->out.dims[1] < 1 || w->out.dims[2] < 1) return false;
    w->element = noise_in(0, 1) == 0 ? 1 : 4;
    w->in.size = (uint64_t)(w->in.dims[1] * w->in.dims[2] * w->in.dims[3] * w->element);
    w->out.size = (uint64_t)(w->out.dims[1] * w->out.dims[2] * w->out.dims[3] * w->element);
    w->conv.group = depthwise ? channels : 1;
    w->conv.row_count = w->out.dims[1];
    w->conv.block = (uint32_t)noise_in(1, 40);
    w->operands[0] = &w->in;
    w->operands[2] = &w->out;
    w->view.step = &w->step;
    w->view.arguments = &w->conv;
    w->view.operands = w->operands;
    w->view.input_count = 2;
    w->view.output_count = 1;
    return true;
}

/* Rows of the input that a row of the output sees: [first, last), empty where it sees none. */
static void rows_seen(const window *w, int32_t y, int32_t *first, int32_t *last) {
    const nnrt__geometry *g = &w->conv.geometry;
    *first = INT32_MAX;
    *last = 0;
    for (int32_t i = 0; i < g->kernel_h; i++) {
        const int32_t row = y * g->stride_h - g->pad_top + i * g->dilation_h;
        if (row < 0 || row >= w->in.dims[1]) continue;
        if (row < *first) *first = row;
        *last = row + 1;
    }
}

/* Does a block that begins with pixel p, computed in this order, write what is still read? The output begins `offset`
   bytes behind the input. */
static bool block_fits(const window *w, int32_t p, int32_t count, int64_t offset, bool backwards, bool point) {
    const int32_t width = w->out.dims[2], all = width * w->out.dims[1];
    const int64_t pixel = w->out.dims[3] * w->element, in_pixel = w->in.dims[3] * w->element;
    const int64_t row = w->in.dims[2] * in_pixel;
    const int32_t end = p + count < all ? p + count : all;
    const int64_t from = offset + p * pixel, to = offset + end * pixel;
    for (int32_t q = backwards ? 0 : p; q < (backwards ? end : all); q++) {
        int32_t first, last;
        int64_t low, high;
        rows_seen(w, q / width, &first, &last);
        low = point ? q * in_pixel : first * row;
        high = point ? (q + 1) * in_pixel : last * row;
        if (last != 0 && from < high && low < to) return false;
    }
    return true;
}

static bool fits(const window *w, bool depthwise, int64_t offset, bool backwards) {
    const int32_t width = w->out.dims[2], block = (int32_t)w->conv.block;
    const nnrt__geometry *g = &w->conv.geometry;
    const bool point = !depthwise && g->kernel_h == 1 && g->kernel_w == 1 && g->stride_h == 1 && g->stride_w == 1 &&
                       g->pad_top == 0 && g->pad_left == 0 && w->in.dims[1] == w->out.dims[1] && w->in.dims[2] == width;
    const int32_t step = depthwise ? width : 1, count = depthwise ? (block < width ? 1 : block / width) * width : block;
    for (int32_t p = 0; p < width * w->out.dims[1]; p += step)
        if (!block_fits(w, p, count, offset, backwards, point)) return false;
    return true;
}

Test(overlap, an_output_lies_as_near_as_what_is_still_read_allows) {
    uint64_t apart = 0, needed = 0;
    for (int round = 0; round < 4000; round++) {
        const bool depthwise = round % 2 == 0;
        const nnrt__step_kind *kind = depthwise ? &nnrt__step_dw_s8 : &nnrt__step_conv_s8;
        nnrt__overlap_bytes overlap;
        int64_t below, above;
        window w;
        if (!draw_window(&w, depthwise)) continue;
        cr_assert(nnrt__overlap_of(&w.view, kind, &overlap));
        cr_assert(fits(&w, depthwise, -(int64_t)overlap.below, false), "round %d: %zu below", round, overlap.below);
        cr_assert(fits(&w, depthwise, (int64_t)overlap.above, true), "round %d: %zu above", round, overlap.above);
        cr_assert_leq(overlap.below, w.out.size, "round %d", round);
        cr_assert(overlap.above >= 1 && overlap.above <= w.in.size + 15, "round %d", round);
        for (below = 0; !fits(&w, depthwise, -below, false); below++) {}
        for (above = 1; !fits(&w, depthwise, above, true); above++) {}
        apart += overlap.below + overlap.above;
        needed += (uint64_t)(below + above);
        w.conv.block = 0;
        cr_assert_not(nnrt__overlap_of(&w.view, kind, &overlap));
    }
    cr_assert_lt(apart * 100, needed * 115, "%llu, and %llu would do", (unsigned long long)apart,
                 (unsigned long long)needed);
}

/* -------------------------------------------------------------------------------------------------------- plans */

static nnrt__plan_value *operand_of(const compiled *p, uint32_t step, uint32_t k) {
    const uint32_t *operands = (const uint32_t *)(const void *)(p->block + header_of(p)->operands);
    return (nnrt__plan_value *)(void *)(p->block + header_of(p)->values) +
           operands[steps_of(p)[step].first_operand + k];
}

static nnrt__conv_args *arguments_of(const compiled *p, uint32_t step) {
    return (nnrt__conv_args *)(void *)(p->block + header_of(p)->arguments + steps_of(p)[step].arguments);
}

/* Does the output of the step lie over its input: 1: below it, 2: above, 0: apart? */
static int lies_over(const compiled *p, uint32_t step) {
    const nnrt__plan_value *in = operand_of(p, step, 0), *out = operand_of(p, step, steps_of(p)[step].input_count);
    if (in->segment != NNRT__SEGMENT_ARENA || out->segment != NNRT__SEGMENT_ARENA) return 0;
    if (in->offset >= out->offset + out->size || out->offset >= in->offset + in->size) return 0;
    return out->offset > in->offset ? 2 : 1;
}

static void compile_over(compiled *p, const gb_graph *g, unsigned isa, uint32_t stripes, bool in_place) {
    IS(try_passes(p, g, isa, stripes, in_place, NNRT__PASS_ALL), OH_NN_SUCCESS);
}

static const uint32_t prices[] = {2, 15, 60, 250, 1000, 1000000};

Test(overlap, the_bytes_are_those_of_tensors_that_lie_apart) {
    static const uint32_t kinds[] = {0x100, 0x102, 0x104, 0x106, 0x110, 0x111, 0x120, 0x121, 0x122, 0x123};
    uint32_t over[3] = {0}, seen[NNRT__COUNT_OF(kinds)] = {0}, smaller = 0, plans = 0;
    for (uint32_t i = 0; i < 240; i++) {
        chain c;
        gb_graph g;
        char text[1024];
        draw_with(&c, i % 3 == 0 ? OH_NN_FLOAT32 : OH_NN_INT8, i % 5 == 0, i % 2 == 0);
        make(&g, &c);
        for (int in_place = 0; in_place < 2; in_place++) {
            const unsigned isa = i / 2 % 2 == 0 ? 0 : nnrt__cpu_detect();
            const uint32_t price = prices[i % NNRT__COUNT_OF(prices)];
            compiled apart, striped, all;
            uint8_t *expected, *result;
            size_t size, result_size;
            compile(&apart, &g, isa, 0, in_place != 0);
            compile(&striped, &g, isa, price, in_place != 0);
            compile_over(&all, &g, isa, price, in_place != 0);
            cr_assert(run(&apart, &expected, &size), "%s", nnrt_last_error());
            cr_assert(run(&all, &result, &result_size), "%s, %s", nnrt_last_error(), describe(&c, text, sizeof text));
            cr_assert(size == result_size && same(expected, result, size, c.dtype), "%s, price %u, %s",
                      describe(&c, text, sizeof text), (unsigned)price, in_place != 0 ? "raw" : "packed");
            cr_assert_leq(header_of(&all)->arena_size, header_of(&apart)->arena_size, "%s",
                          describe(&c, text, sizeof text));
            smaller += header_of(&all)->arena_size < header_of(&striped)->arena_size;
            plans++;
            for (uint32_t k = 0; k < header_of(&all)->step_count; k++) {
                const int way = lies_over(&all, k);
                over[way]++;
                for (size_t n = 0; n < NNRT__COUNT_OF(kinds); n++)
                    seen[n] += way != 0 && steps_of(&all)[k].kind == kinds[n];
            }
            free(expected);
            free(result);
            nnrt__free(apart.memory);
            nnrt__free(striped.memory);
            nnrt__free(all.memory);
        }
        gb_close(&g);
    }
    cr_assert(over[1] > 50 && over[2] > 50, "%u below, %u above", (unsigned)over[1], (unsigned)over[2]);
    cr_assert_gt(2 * smaller, plans, "%u of %u", (unsigned)smaller, (unsigned)plans);
    for (size_t n = 0; n < NNRT__COUNT_OF(kinds); n++)
        cr_assert_gt(seen[n], 2u, "kind 0x%x: %u steps", (unsigned)kinds[n], (unsigned)seen[n]);
}

/* As fits() sees the step of a plan. */
static bool step_fits(const compiled *p, uint32_t i) {
    const nnrt__plan_value *in = operand_of(p, i, 0), *out = operand_of(p, i, steps_of(p)[i].input_count);
    const int64_t offset = (int64_t)out->offset - (int64_t)in->offset;
    window w;
    memset(&w, 0, sizeof w);
    w.conv = *arguments_of(p, i);
    w.in = *in;
    w.out = *out;
    w.element = in->dtype == (uint32_t)OH_NN_INT8 ? 1 : 4;
    return w.conv.block != 0 && fits(&w, steps_of(p)[i].kind == 0x110, offset, offset > 0);
}

/* Moves outputs to all places in the arena and makes blocks larger: what is not refused is right. */
Test(overlap, a_plan_whose_tensors_lie_nearer_is_refused) {
    uint32_t refused = 0, taken = 0;
    for (uint32_t round = 0; round < 100; round++) {
        chain c;
        gb_graph g;
        compiled p;
        draw(&c, OH_NN_INT8, false);
        make(&g, &c);
        compile_over(&p, &g, 0, 1000, false);
        for (uint32_t i = 0; i < header_of(&p)->step_count; i++) {
            nnrt__plan_value *out = operand_of(&p, i, steps_of(&p)[i].input_count);
            const uint64_t before = out->offset;
            const uint32_t block = steps_of(&p)[i].turns == 0 ? arguments_of(&p, i)->block : 0;
            if (steps_of(&p)[i].turns != 0 || lies_over(&p, i) == 0) continue;
            for (int times = 1; times <= 16; times *= 2) {
                arguments_of(&p, i)->block = block * (uint32_t)times;
                for (out->offset = 0; out->offset + out->size <= header_of(&p)->arena_size; out->offset += 64) {
                    uint8_t *result;
                    size_t size;
                    const bool runs = run(&p, &result, &size);
                    refused += !runs;
                    taken += runs && lies_over(&p, i) != 0;
                    if (!runs) cr_assert_eq(strncmp(nnrt_last_error(), "not a valid plan", 16), 0);
                    else free(result);
                    cr_assert(!runs || lies_over(&p, i) == 0 || step_fits(&p, i), "round %u, step %u", (unsigned)round,
                              (unsigned)i);
                }
            }
            arguments_of(&p, i)->block = 0;
            out->offset = before;
            cr_assert_not(run(&p, &(uint8_t *){NULL}, &(size_t){0}));
            arguments_of(&p, i)->block = block;
            ((nnrt__plan_header *)(void *)p.block)->threads = 2;
            cr_assert_not(run(&p, &(uint8_t *){NULL}, &(size_t){0}));
            ((nnrt__plan_header *)(void *)p.block)->threads = 1;
        }
        nnrt__free(p.memory);
        gb_close(&g);
    }
    cr_assert(refused > 100 && taken > 20, "%u refused, %u taken", (unsigned)refused, (unsigned)taken);
}

/* ---------------------------------------------------------------------------------------------------- the arena */

/* A chain of maps of one size, each of which may lie over the one before: one map and what is between two. */
Test(overlap, a_chain_of_maps_takes_one_and_the_distance) {
    for (uint32_t count = 2; count <= 24; count++) {
        nnrt__block blocks[24];
        size_t total;
        uint64_t bound;
        memset(blocks, 0, sizeof blocks);
        for (uint32_t i = 0; i < count; i++) {
            blocks[i].size = 6400;
            blocks[i].first = i;
            blocks[i].last = i + 1;
            if (i == 0) continue;
            blocks[i].over = i;
            blocks[i].odd = i % 2 != 0;
            blocks[i].below = i % 2 == 0 ? 640 : 1536;
            blocks[i].above = i % 2 == 0 ? 704 : 1600;
        }
        cr_assert(nnrt__arena_plan(blocks, count, count + 1, &total, &bound));
        cr_assert_leq(total, count == 2 ? 6400u + 1536 : 6400u + 1600, "%u maps: %zu", (unsigned)count, total);
        cr_assert_eq(bound, 6400u + 1536, "%u maps", (unsigned)count);
    }
}
