/* SPDX-License-Identifier: Apache-2.0 */
/* The words of every convolution in real files of the vendor's, RV1103, RV1106 and RK3588, beside those that the
   compiler writes for the same shape: register by register how many are equal, and why the others are not. A difference
   without a reason fails.

   Files lie in the directory NNRT_RKNN, and are no part of this repository (docs/open_npu.md says where they are from);
   without it there is nothing to compare. NNRT_RKNN_VERBOSE: each difference, with its shape. */
#define SEED 32010
#include "linked.h"

#include <dirent.h>

#include <criterion/criterion.h>

#include "offline_runner.h"

#include "../../tools/rkchip/file.h"
#include "../../tools/rkchip/run.h"

enum {
    MOST_TILES = 128,
    MOST_REGISTERS = 128,
    MOST_REASONS = 96
};

/* Registers of one task of the vendor's, those that were left from earlier tasks included. */
typedef struct seen {
    uint32_t cna[0x1000 / 4], core[0x1000 / 4], dpu[0x1000 / 4], rdma[0x1000 / 4], ddma[16];
} seen;

static uint32_t seen_get(const seen *s, uint32_t name) {
    const uint32_t *block = name >> 12 == 1 ? s->cna : name >> 12 == 3 ? s->core : name >> 12 == 4 ? s->dpu : s->rdma;
    if (name >> 12 == 8) return s->ddma[(name & 0xfff) / 4];
    return block[(name & 0xfff) / 4];
}

/* The tasks of one convolution. */
typedef struct layer {
    seen *tiles; /* MOST_TILES */
    uint32_t count;
} layer;

typedef struct reason {
    uint16_t name;
    const char *text;
    uint32_t count;
} reason;

typedef struct tally {
    uint16_t names[MOST_REGISTERS];
    uint32_t equal[MOST_REGISTERS], all[MOST_REGISTERS];
    uint32_t registers, tasks, tiles, layers, phases, reason_count, unexplained; /* tiles: with other rows */
    reason reasons[MOST_REASONS];
} tally;

static int verbose(void) { return getenv("NNRT_RKNN_VERBOSE") != NULL; }

/* ------------------------------------------------------------------------------------------------ the vendor's */

static bool is_depthwise(const seen *s, nnrt__open_npu_chip chip) {
    return (seen_get(s, 0x100c) & 15) == (chip == NNRT__OPEN_NPU_RV1106 ? 7u : 3u);
}

static uint32_t picture_channels(const seen *s) {
    const uint32_t packed = seen_get(s, 0x100c) >> 12 & 15;
    return packed != 0 ? packed - 7 : 0;
}

static uint32_t pad_top(const seen *s, nnrt__open_npu_chip chip) {
    return seen_get(s, 0x1068) & (chip == NNRT__OPEN_NPU_RV1106 ? 0xffu : 15u);
}

static uint32_t out_row(const layer *l, uint32_t i) {
    const uint32_t pixel = 16 * (seen_get(&l->tiles[0], 0x4030) + 1);
    return (seen_get(&l->tiles[i], 0x4020) - seen_get(&l->tiles[0], 0x4020)) / pixel;
}

/* Rows of the input above those of tile i. */
static uint32_t in_row(const layer *l, uint32_t i) {
    const uint32_t width = seen_get(&l->tiles[0], 0x1020) >> 16, picture = picture_channels(&l->tiles[0]);
    return (seen_get(&l->tiles[i], 0x1070) - seen_get(&l->tiles[0], 0x1070)) /
           (picture != 0 ? (width + 15) / 16 * 16 * picture : width * 16);
}

/* The shape that its words tell. */
static nnrt__open_npu_conv conv_of_layer(const layer *l, nnrt__open_npu_chip chip) {
    const seen *first = &l->tiles[0], *last = &l->tiles[l->count - 1];
    const uint32_t strides = seen_get(first, 0x1014), kernel = seen_get(first, 0x1038);
    nnrt__open_npu_conv c;
    memset(&c, 0, sizeof c);
    c.depthwise = is_depthwise(first, chip);
    c.width = seen_get(first, 0x1020) >> 16;
    c.height = in_row(l, l->count - 1) + (seen_get(last, 0x1020) & 0x7ff);
    c.outputs = (seen_get(first, 0x403c) >> 16) + 1;
    c.channels = (seen_get(first, 0x1024) >> 16) + 1;
    if (chip == NNRT__OPEN_NPU_RK3588) c.channels += (seen_get(first, 0x1088) - 1) / 64 * 64; /* it tells 6 bits */
    if (picture_channels(first) != 0) c.channels = picture_channels(first);
    if (c.depthwise) c.channels = c.outputs;
    c.out_width = seen_get(first, 0x4030) + 1;
    c.out_height = out_row(l, l->count - 1) + seen_get(last, 0x4034) + 1;
    c.kernel_w = kernel >> 24;
    c.kernel_h = kernel >> 16 & 31;
    c.stride_w = strides & 7;
    c.stride_h = strides >> 3 & 7;
    c.dilation_w = (strides >> 16 & 31) + 1;
    c.dilation_h = (strides >> 21 & 31) + 1;
    c.spread_w = (strides >> 8 & 7) + 1;
    c.spread_h = (strides >> 11 & 7) + 1;
    c.pad_top = pad_top(first, chip);
    c.pad_left = seen_get(first, 0x1068) >> (chip == NNRT__OPEN_NPU_RV1106 ? 8 : 4) & 31;
    c.group_channels = c.depthwise ? 1 : c.channels;
    c.group_outputs = c.depthwise ? 1 : c.outputs;
    return c;
}

/* ----------------------------------------------------------------------------------------------------- ours */

/* Numbers of the model and places in memory, which a shape does not tell; ours are given the vendor's, or are not
   looked at. */
static bool is_of_the_model(uint32_t name) {
    static const uint16_t names[] = {0x1070, 0x1110, 0x1184, 0x4020, 0x4080, 0x4084,
                                     0x4088, 0x5018, 0x5020, 0x5038, 0x502c};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i] == name) return true;
    return (name & 0xfff) == 4;
}

static bool adds(const seen *s) { return seen_get(s, 0x5034) == 0x40000004; }

static bool has_curve(const seen *s, nnrt__open_npu_chip chip) {
    return seen_get(s, 0x4070) == (chip == NNRT__OPEN_NPU_RK3588 ? 0x302u : 0x1004140u);
}

/* Our words of tile i. */
static void our_words(const layer *l, uint32_t i, const nnrt__open_npu_conv *c, nnrt__open_npu_chip chip,
                      nnrt__open_npu_draft *d, bool *same_tiles) {
    const nnrt__open_npu_facts *facts = nnrt__open_npu_facts_of(chip);
    const seen *s = &l->tiles[i];
    const bool picture = picture_channels(s) != 0;
    nnrt__open_npu_writer w;
    nnrt__open_npu_conv_task t;
    nnrt__open_npu_tile tile;
    uint32_t row = 0, next;
    memset(&w, 0, sizeof w);
    memset(&t, 0, sizeof t);
    w.facts = facts;
    w.pointer = 0xe;
    t.c = c;
    t.picture = picture;
    t.zero_point = rkchip_signed(seen_get(s, 0x1184), 8);
    t.in.plane_bytes = (c->height * c->width * 16 + 63) / 64 * 64;
    t.in.row_bytes = (c->width + 15) / 16 * 16 * c->channels;
    t.out.plane_bytes = (c->out_height * c->out_width * 16 + 63) / 64 * 64;
    t.scales.shift = 14;
    t.bounded = seen_get(s, 0x4060) == 0x12 || seen_get(s, 0x4060) == 0x92;
    t.lower = t.bounded ? 0 : INT32_MIN;
    t.upper = chip == NNRT__OPEN_NPU_RV1106 ? (int32_t)seen_get(s, 0x4028)
              : seen_get(s, 0x4060) == 0x92 ? (int32_t)seen_get(s, 0x406c)
                                            : INT32_MAX;
    t.curve = has_curve(s, chip);
    if (t.curve) { /* factor and shift are the model's */
        t.scales.output.factor = (int32_t)(seen_get(s, 0x4068) >> 16);
        t.scales.output.shift = (seen_get(s, 0x4068) >> 8 & 63) + 7;
    }
    cr_assert_null(nnrt__open_npu_tiles_of(c, facts, picture, &t.tiles));
    for (;; row = next) {
        tile = nnrt__open_npu_tile_at(c, &t.tiles, row);
        next = row + tile.out_rows;
        if (next > out_row(l, i) || next >= c->out_height) break;
    }
    *same_tiles = row == out_row(l, i) && tile.out_rows == seen_get(s, 0x4034) + 1;
    if (!*same_tiles) { /* the vendor's tile, so that all else can be compared */
        tile.out_row = out_row(l, i);
        tile.out_rows = seen_get(s, 0x4034) + 1;
        tile.row = in_row(l, i);
        tile.rows = seen_get(s, 0x1020) & 0x7ff;
        tile.pad_top = pad_top(s, chip);
    }
    nnrt__open_npu_draft_begin(d, &w, NNRT__OPEN_NPU_CONV);
    nnrt__open_npu_conv_shape_words(&t, &tile, facts, d);
    if (chip == NNRT__OPEN_NPU_RK3588) nnrt__open_npu_conv_words_rk3588(&t, &tile, facts, d);
    else nnrt__open_npu_conv_words_rv1106(&t, &tile, facts, d);
    if (t.curve) nnrt__open_npu_conv_curve_words(&t, facts, d);
}

/* Why the vendor's word is another. NULL: no reason is known. */
static const char *why_stage(const seen *s, uint32_t name, nnrt__open_npu_chip chip) {
    const bool leaky = seen_get(s, 0x4060) == 0x22;
    switch (name) {
    case 0x4060:
    case 0x4068:
    case 0x4010: return leaky ? "a slope for negative values in the task of the convolution" : NULL;
    case 0x4070:
    case 0x4074:
    case 0x4078:
    case 0x5034:
    case 0x5040:
    case 0x5044:
    case 0x504c:
    case 0x506c: return adds(s) ? "a sum with another map in the task of the convolution" : NULL;
    case 0x4108:
    case 0x410c:
    case 0x4110:
    case 0x411c: return has_curve(s, chip) ? NULL : "left from a table of an earlier task, and not used";
    case 0x4128:
    case 0x412c:
        return has_curve(s, chip) ? "the slope beyond the table, which ours cuts off there"
                                  : "left from a table of an earlier task, and not used";
    default: return NULL;
    }
}

static const char *why(const seen *s, const nnrt__open_npu_conv *c, uint32_t name, uint32_t theirs,
                       nnrt__open_npu_chip chip) {
    const char *stage = why_stage(s, name, chip);
    if (stage != NULL) return stage;
    switch (name) {
    case 0x1010: return "how far the input is fetched ahead: the rule is not known";
    case 0x101c:
    case 0x104c:
    case 0x1050:
    case 0x1054:
    case 0x1058:
    case 0x105c:
    case 0x108c:
    case 0x1180: return picture_channels(s) != 0 ? "pixels of uint8, which the runtime changes where int8 comes" : NULL;
    case 0x1080:
    case 0x4024:
    case 0x40c0:
        return theirs == 16u || theirs == 32u || theirs == 1u ? "a plane of one pixel has 16 bytes, ours 64" : NULL;
    case 0x4010:
    case 0x4040:
    case 0x4048:
    case 0x4050:
    case 0x4054:
    case 0x501c:
        if (c->outputs == 1) return "one output: the vendor's table has no factor, ours has one";
        return name == 0x4040 || name == 0x4054 ? why_stage(s, 0x4060, chip) : NULL;
    default: return NULL;
    }
}

/* ------------------------------------------------------------------------------------------------- comparison */

static void tally_word(tally *is, uint32_t name, bool equal) {
    uint32_t i;
    for (i = 0; i < is->registers && is->names[i] != name; i++) {}
    if (i == is->registers) {
        cr_assert_lt(i, (uint32_t)MOST_REGISTERS);
        is->names[is->registers++] = (uint16_t)name;
    }
    is->all[i]++;
    is->equal[i] += equal;
}

static void tally_reason(tally *is, uint32_t name, const char *text) {
    uint32_t i;
    for (i = 0; i < is->reason_count && (is->reasons[i].name != name || is->reasons[i].text != text); i++) {}
    if (i == is->reason_count) {
        cr_assert_lt(i, (uint32_t)MOST_REASONS);
        is->reasons[is->reason_count].name = (uint16_t)name;
        is->reasons[is->reason_count++].text = text;
    }
    is->reasons[i].count++;
}

static void compare_layer(const layer *l, nnrt__open_npu_chip chip, tally *is) {
    const nnrt__open_npu_conv c = conv_of_layer(l, chip);
    nnrt__open_npu_draft d;
    for (uint32_t i = 0; i < l->count; i++) {
        const seen *s = &l->tiles[i];
        bool same_tiles;
        our_words(l, i, &c, chip, &d, &same_tiles);
        if (!same_tiles) is->tiles++;
        if (verbose() && !same_tiles)
            fprintf(stderr, "T tile %u of %u: %ux%ux%u k%u s%u from %u rows %u\n", i, l->count, c.height, c.width,
                    c.channels, c.kernel_h, c.stride_h, out_row(l, i), seen_get(s, 0x4034) + 1);
        for (uint32_t k = 0; k < d.count; k++) {
            const uint32_t name = d.words[k].name, ours = nnrt__open_npu_said(&d, name), theirs = seen_get(s, name);
            const char *text;
            if (is_of_the_model(name) || (k == 0 && name == 0x1040)) continue; /* which stands twice on RK3588 */
            tally_word(is, name, ours == theirs);
            if (ours == theirs) continue;
            text = why(s, &c, name, theirs, chip);
            if (text != NULL) tally_reason(is, name, text);
            else is->unexplained++;
            if (verbose())
                fprintf(stderr,
                        "D %04x ours %x vendor %x %s%ux%ux%u k%ux%u s%u d%u out %ux%ux%u tile %u/%u rows %u row %u%s\n",
                        name, ours, theirs, c.depthwise ? "dw " : "", c.height, c.width, c.channels, c.kernel_h,
                        c.kernel_w, c.stride_h, c.dilation_h, c.out_height, c.out_width, c.outputs, i, l->count,
                        seen_get(s, 0x1020) & 0x7ff, in_row(l, i), adds(s) ? " add" : "");
        }
        is->tasks++;
    }
    is->layers++;
}

static void tally_print(const tally *is, const char *chip) {
    fprintf(stderr,
            "%s: %u tasks of %u convolutions, %u with other rows, %u phases of bilinear pictures; not explained: %u\n",
            chip, is->tasks, is->layers, is->tiles, is->phases, is->unexplained);
    for (uint32_t i = 0; i < is->registers; i++)
        if (is->equal[i] != is->all[i])
            fprintf(stderr, "  0x%04x equal in %u of %u\n", is->names[i], is->equal[i], is->all[i]);
    for (uint32_t i = 0; i < is->reason_count; i++)
        fprintf(stderr, "  0x%04x %u: %s\n", is->reasons[i].name, is->reasons[i].count, is->reasons[i].text);
}

/* ------------------------------------------------------------------------------------------------- a file */

static void seen_take(const rkchip *chip, seen *s) {
    memcpy(s->cna, chip->values[chip->group[1]], sizeof s->cna);
    memcpy(s->core, &chip->values[chip->group[3]][(0x3000 - RKCHIP_FIRST) / 4], sizeof s->core);
    memcpy(s->dpu, &chip->values[chip->group[4]][(0x4000 - RKCHIP_FIRST) / 4], sizeof s->dpu);
    memcpy(s->rdma, &chip->values[chip->group[5]][(0x5000 - RKCHIP_FIRST) / 4], sizeof s->rdma);
    memcpy(s->ddma, &chip->values[0][(0x8000 - RKCHIP_FIRST) / 4], sizeof s->ddma);
}

/* The next row tile of the convolution that has begun? */
static bool goes_on(const layer *l, const seen *s) {
    const seen *before = &l->tiles[l->count - 1];
    static const uint16_t alike[] = {0x1110, 0x5020, 0x1014, 0x1038, 0x4030, 0x403c, 0x4024};
    for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++)
        if (seen_get(before, alike[i]) != seen_get(s, alike[i])) return false;
    return seen_get(s, 0x4020) > seen_get(before, 0x4020) &&
           seen_get(s, 0x4020) - seen_get(before, 0x4020) ==
               16 * (seen_get(before, 0x4030) + 1) * (seen_get(before, 0x4034) + 1);
}

static void finish_layer(layer *l, nnrt__open_npu_chip chip, tally *is) {
    if (l->count != 0) compare_layer(l, chip, is);
    l->count = 0;
}

/* The registers of every task, without running any. */
static void compare_file(const rkchip_model *m, tally *is) {
    static const uint8_t blocks[][2] = {{0, 1}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}};
    const nnrt__open_npu_chip npu = m->generation == RKCHIP_RK3588 ? NNRT__OPEN_NPU_RK3588 : NNRT__OPEN_NPU_RV1106;
    rkchip *chip = rkchip_create(m->generation);
    const rkchip_region region = {0, (uint8_t *)(uintptr_t)m->image, m->image_bytes};
    layer l = {(seen *)calloc(MOST_TILES, sizeof(seen)), 0};
    (void)rkchip_run; /* nothing is run */
    cr_assert(chip != NULL && l.tiles != NULL);
    chip->memory.regions = &region;
    chip->memory.count = 1;
    for (uint32_t i = 0; i < m->task_count; i++) {
        const rkchip_task task = rkchip_model_task(m, i);
        seen s;
        if (!rkchip_write_words(chip, &task)) cr_assert_fail("%s", chip->sentence);
        seen_take(chip, &s);
        if (task.enable == RKCHIP_RUN_CONV && m->generation == RKCHIP_RK3588 && seen_get(&s, 0x4038) != 0) is->phases++;
        else if (task.enable == RKCHIP_RUN_CONV) {
            if (l.count != 0 && !goes_on(&l, &s)) finish_layer(&l, npu, is);
            cr_assert_lt(l.count, (uint32_t)MOST_TILES);
            l.tiles[l.count++] = s;
        }
        for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++)
            if ((task.enable >> blocks[k][0] & 1) != 0) chip->group[blocks[k][1]] ^= 1;
    }
    finish_layer(&l, npu, is);
    free(l.tiles);
    rkchip_destroy(chip);
}

Test(open_compile_vendor, every_difference_from_the_vendors_words_has_a_reason, .timeout = 300) {
    const char *folder = getenv("NNRT_RKNN");
    DIR *directory = folder != NULL && *folder != '\0' ? opendir(folder) : NULL;
    tally tallies[2];
    struct dirent *entry;
    if (directory == NULL) cr_skip_test("skipped, no files of the vendor's");
    memset(tallies, 0, sizeof tallies);
    while ((entry = readdir(directory)) != NULL) {
        char path[600];
        size_t size;
        uint8_t *bytes;
        rkchip_model m;
        if (strstr(entry->d_name, ".rknn") == NULL) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        bytes = off_read(path, &size);
        cr_assert_not_null(bytes);
        (void)rkchip_model_read(&m, bytes, size); /* what runs on the vendor's CPU refuses a model, and not its tasks */
        if (m.task_count != 0 && m.image != NULL) {
            fprintf(stderr, "%s\n", entry->d_name);
            compare_file(&m, &tallies[m.generation == RKCHIP_RK3588]);
        } else fprintf(stderr, "%s: %s\n", entry->d_name, m.sentence);
        rkchip_model_free(&m);
        free(bytes);
    }
    closedir(directory);
    tally_print(&tallies[0], "RV1103, RV1106");
    tally_print(&tallies[1], "RK3588");
    cr_assert_eq(tallies[0].unexplained + tallies[1].unexplained, 0u);
    cr_assert_eq(tallies[0].tiles + tallies[1].tiles, 0u, "the rows of the vendor's tiles");
}
