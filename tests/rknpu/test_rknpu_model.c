/* SPDX-License-Identifier: Apache-2.0 */
/* test_rknpu_model.c - compilations of the Rockchip device on simulated boards: configs, files, descriptors, layouts,
   shapes, sharing, contexts for executors, and Build with every fault and every allocation failing.

   The library of a board belongs to its process, so each board is played in a process of its own, which ends with the
   number of what went wrong. At its end nothing is alive in the library or in nnrt, and the library saw no
   mistake. */
#include "linked.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rknpu_load.h"

/* ----------------------------------------------------------------------------------- a board in a process */

static const char *const every_chip[] = {"rv1103", "rv1106", "rk3562", "rk3566", "rk3568", "rk3576", "rk3588"};
enum {
    CHIPS = 7,
    SKIPPED = 77
};

static int wrong; /* in this process */

#define CHECK(condition, ...)                                                              \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            wrong++;                                                                       \
            fprintf(stderr, "%s, %s:%d: %s: ", context(), __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                                  \
            fprintf(stderr, "\n");                                                         \
        }                                                                                  \
    } while (0)

/* Nothing is alive any more. */
static void check_clean(const board *b, const char *when) {
    nnrt_sim_live live;
    b->get_live(&live);
    CHECK(live.contexts == 0 && live.memories == 0 && live.fds == 0 && live.bytes == 0,
          "%s %s: %u contexts, %u memories, %u descriptors, %zu bytes are alive", b->chip, when, live.contexts,
          live.memories, live.fds, live.bytes);
}

typedef void (*scene)(const board *b);

/* Plays scene on chip in a process of its own. A test whose first board is not built is skipped. */
static void play(const char *chip, const char *version, scene body) {
    static unsigned played;
    int status = 0;
    pid_t child;
    (void)fflush(NULL);
    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        board b;
        const size_t *ids = NULL;
        uint32_t count = 0;
        unsigned i;
        long before;
        (void)alarm(120);
        if (!rknpu_load(&b, chip, version)) _exit(SKIPPED);
        (void)OH_NNDevice_GetAllDevicesID(&ids, &count);
        CHECK(count != 0, "%s", nnrt_last_error());
        before = counting_live();
        body(&b);
        check_clean(&b, "at the end");
        CHECK(counting_live() == before, "%s: %ld blocks of nnrt are alive", chip, counting_live() - before);
        for (i = 0; i < b.mistakes(); i++) CHECK(false, "%s: %s", chip, b.mistake(i));
        _exit(wrong > 100 ? 100 : wrong);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) board_absent(played, chip, version);
    else cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s %s: see above", chip, version);
    played++;
}

static void play_everywhere(scene body) {
    size_t i;
    for (i = 0; i < CHIPS; i++) play(every_chip[i], "", body);
}

/* ------------------------------------------------------------------------------------------------- builds */

static void model_path(const board *b, const char *name, char *path, size_t size) {
    (void)snprintf(path, size, "%s/models/%s.%s.rknn", b->folder, name, b->chip);
}

/* "name=value name=value": values without blanks. */
static void add_configs(OH_NNCompilation *c, const char *configs) {
    char copy[512], *state = NULL, *word;
    (void)snprintf(copy, sizeof(copy), "%s", configs);
    for (word = strtok_r(copy, " ", &state); word != NULL; word = strtok_r(NULL, " ", &state)) {
        char *value = strchr(word, '=');
        OH_NN_ReturnCode code;
        *value++ = '\0';
        code = OH_NNCompilation_AddExtensionConfig(c, word, value, strlen(value));
        CHECK(code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR, "%s", nnrt_last_error());
    }
}

/* NULL: *code says why, and nnrt_last_error. */
static OH_NNCompilation *build_path(const char *path, const char *configs, OH_NN_ReturnCode *code) {
    OH_NNCompilation *c = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    *code = OH_NN_MEMORY_ERROR;
    if (c == NULL) return NULL;
    add_configs(c, configs);
    *code = OH_NNCompilation_Build(c);
    if (*code != OH_NN_SUCCESS) OH_NNCompilation_Destroy(&c);
    return c;
}

static OH_NNCompilation *try_build(const board *b, const char *name, const char *configs, OH_NN_ReturnCode *code) {
    char path[512];
    model_path(b, name, path, sizeof(path));
    return build_path(path, configs, code);
}

static OH_NNCompilation *build(const board *b, const char *name, const char *configs) {
    OH_NN_ReturnCode code;
    OH_NNCompilation *c = try_build(b, name, configs, &code);
    CHECK(c != NULL, "%s %s [%s]: code %d, %s", b->chip, name, configs, (int)code, nnrt_last_error());
    return c;
}

static void end(OH_NNCompilation *c) {
    if (c != NULL) OH_NNCompilation_Destroy(&c);
}

/* Build answers code and a sentence with part in it. */
static void refused(const board *b, const char *name, const char *configs, OH_NN_ReturnCode expected,
                    const char *part) {
    OH_NN_ReturnCode code;
    OH_NNCompilation *c = try_build(b, name, configs, &code);
    CHECK(c == NULL && code == expected, "%s %s [%s]: code %d instead of %d", b->chip, name, configs, (int)code,
          (int)expected);
    if (c == NULL)
        CHECK(strstr(nnrt_last_error(), part) != NULL, "%s %s [%s]: \"%s\" lacks \"%s\"", b->chip, name, configs,
              nnrt_last_error(), part);
    end(c);
}

static const nnrt__rknpu_model *inside(const OH_NNCompilation *c) {
    return (const nnrt__rknpu_model *)c->prepared->object;
}

/* A descriptor in words: "int8 NHWC 1x7x13x3". */
static void describe(const nnrt_io_desc *desc, char *text, size_t size) {
    static const char *const formats[] = {"NONE", "NCHW", "NHWC", "ND"};
    uint32_t i;
    (void)snprintf(text, size, "%s %s ", nnrt__dtype_name(desc->dtype), formats[(unsigned)desc->format & 3u]);
    for (i = 0; i < desc->rank; i++) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, size - used, "%s%d", i != 0 ? "x" : "", (int)desc->dims[i]);
    }
}

static void check_desc(const OH_NNCompilation *c, const char *what, bool output, size_t index, const char *expected) {
    char text[128];
    nnrt_io_desc desc;
    size_t inputs = 0, outputs = 0;
    if (c == NULL) return;
    nnrt__npu_io_count(c->prepared->object, &inputs, &outputs);
    CHECK(index < (output ? outputs : inputs), "%s", what);
    if (index >= (output ? outputs : inputs)) return;
    (void)nnrt__npu_io_desc(c->prepared->object, output, index, &desc);
    describe(&desc, text, sizeof(text));
    CHECK(strcmp(text, expected) == 0, "%s: %s instead of %s", what, text, expected);
}

/* -------------------------------------------------------------------------------------------- descriptors */

typedef struct known {
    const char *name;
    const char *input, *output; /* of the first ones, as make_model.py draws them: logical */
} known;

static const known models[] = {{"odd", "int8 NHWC 1x7x13x3", "int8 NCHW 1x20x7x13"},
                               {"gray", "int8 NHWC 1x9x17x1", "int8 NCHW 1x16x9x17"},
                               {"c5", "int8 NHWC 1x6x10x5", "int8 NCHW 1x5x6x10"},
                               {"c40", "int8 NHWC 1x4x9x40", "int8 NCHW 1x40x4x9"},
                               {"half", "float16 NHWC 1x9x11x3", "float16 NCHW 1x10x9x11"},
                               {"half_c24", "float16 NHWC 1x5x7x24", "float16 NCHW 1x24x5x7"},
                               {"int16", "int16 NHWC 1x5x6x8", "int16 NCHW 1x12x5x6"},
                               {"dfp8", "int8 NHWC 1x5x6x8", "int8 NCHW 1x12x5x6"},
                               {"dfp16", "int16 NHWC 1x5x6x8", "int16 NCHW 1x12x5x6"},
                               {"float", "float32 NHWC 1x9x11x3", "float32 NCHW 1x10x9x11"},
                               {"two", "int8 NHWC 1x8x10x3", "int8 NCHW 1x12x8x10"},
                               {"batch4", "int8 NHWC 4x6x10x3", "int8 ND 4x10"},
                               {"same_int8", "int8 NHWC 1x3x5x40", "int8 NCHW 1x40x3x5"},
                               {"same_wide", "int8 NHWC 1x2x301x3", "int8 NCHW 1x3x2x301"},
                               {"same_half", "float16 NHWC 1x3x5x20", "float16 NCHW 1x20x3x5"},
                               {"same_float", "float32 NHWC 1x3x5x20", "float32 NCHW 1x20x3x5"},
                               {"same_uint8", "uint8 NHWC 1x3x5x20", "uint8 NCHW 1x20x3x5"},
                               {"same_int64", "int64 ND 2x9", "int64 ND 2x9"},
                               {"same_bool", "bool ND 12", "bool ND 12"},
                               {"same_vector", "int8 ND 1x70", "int8 ND 1x70"},
                               {"same_rank1", "int8 ND 33", "int8 ND 33"},
                               {"same_rank3", "int8 ND 2x7x9", "int8 ND 2x7x9"}};

static void scene_descriptors(const board *b) {
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(models); i++) {
        const known *m = &models[i];
        OH_NNCompilation *c = build(b, m->name, "");
        char what[128];
        (void)snprintf(what, sizeof(what), "%s on %s", m->name, b->chip);
        check_desc(c, what, false, 0, m->input);
        check_desc(c, what, true, 0, m->output);
        for (k = 0; c != NULL && k < inside(c)->npu.input_count + inside(c)->npu.output_count; k++) {
            const nnrt__rknpu_port *port = &inside(c)->ports[k];
            uint32_t size = 0;
            CHECK(nnrt__layout_size(&port->outside, &size) && size == port->outside_size, "%s: port %zu", what, k);
            CHECK(nnrt__layout_size(&port->inside, &size) && size == port->inside_size, "%s: port %zu", what, k);
            CHECK(port->bind.size_with_stride == port->inside_size, "%s: port %zu", what, k);
            CHECK(port->bind.pass_through == (k < inside(c)->npu.input_count ? 1 : 0), "%s: port %zu", what, k);
            CHECK(port->desc.name[0] != '\0', "%s: port %zu has no name", what, k);
        }
        if (c != NULL && strcmp(m->name, "two") == 0) {
            CHECK(inside(c)->npu.input_count == 2 && inside(c)->npu.output_count == 2, "%s", what);
            CHECK(strcmp(inside(c)->ports[0].desc.name, "picture") == 0, "%s", inside(c)->ports[0].desc.name);
            CHECK(strcmp(inside(c)->ports[1].desc.name, "words") == 0, "%s", inside(c)->ports[1].desc.name);
        }
        end(c);
    }
}

Test(rknpu_model, descriptors_of_every_model_are_logical_on_every_chip) { play_everywhere(scene_descriptors); }

static void scene_quantization(const board *b) {
    OH_NNCompilation *c = build(b, "same_int8", "");
    const nnrt_io_desc *desc;
    if (c != NULL) {
        desc = &inside(c)->ports[0].desc;
        CHECK((float)desc->scale == 0.1f && desc->zero_point == 3, "%g %d", desc->scale, (int)desc->zero_point);
        desc = &inside(c)->ports[1].desc;
        CHECK((float)desc->scale == 0.1f && desc->zero_point == 3, "%g %d", desc->scale, (int)desc->zero_point);
    }
    end(c);
    c = build(b, "same_half", "");
    if (c != NULL) CHECK(inside(c)->ports[0].desc.scale == 0.0, "%g", inside(c)->ports[0].desc.scale);
    end(c);
    c = build(b, "dfp8", "");
    if (c != NULL) {
        const nnrt__rknpu_port *port = &inside(c)->ports[0];
        double power = port->desc.scale;
        int i;
        for (i = 0; i < port->inside.fraction_bits; i++) power *= 2.0;
        for (i = 0; i > port->inside.fraction_bits; i--) power *= 0.5;
        CHECK(port->inside.quant == NNRT__QUANT_FIXED_POINT && power == 1.0 && port->desc.zero_point == 0, "%g", power);
    }
    end(c);
}

Test(rknpu_model, quantization_is_told_as_scale_and_zero_point) { play_everywhere(scene_quantization); }

/* ------------------------------------------------------------------------------------- layouts on request */

static void scene_layouts(const board *b) {
    static const char *const names[] = {"odd", "c40", "half_c24", "same_int8", "two", "same_vector"};
    size_t i, k;
    OH_NNCompilation *c = build(b, "odd", "rknn.io_layout=nhwc");
    check_desc(c, "nhwc", false, 0, "int8 NHWC 1x7x13x3");
    check_desc(c, "nhwc", true, 0, "int8 NHWC 1x7x13x20");
    if (c != NULL && b->mini)
        CHECK(inside(c)->ports[1].bind.fmt == NNRT_RKNN_NHWC, "the NHWC output of librknnmrt is not used");
    end(c);
    c = build(b, "odd", "rknn.io_layout=nchw");
    check_desc(c, "nchw", false, 0, "int8 NCHW 1x3x7x13");
    check_desc(c, "nchw", true, 0, "int8 NCHW 1x20x7x13");
    end(c);
    c = build(b, "half", "rknn.io_layout=nhwc rknn.io_float=1");
    check_desc(c, "float of float16", false, 0, "float32 NHWC 1x9x11x3");
    check_desc(c, "float of float16", true, 0, "float32 NHWC 1x9x11x10");
    end(c);
    c = build(b, "dfp16", "rknn.io_float=1");
    check_desc(c, "float of int16", false, 0, "float32 NHWC 1x5x6x8");
    check_desc(c, "float of int16", true, 0, "float32 NCHW 1x12x5x6");
    if (c != NULL) CHECK(inside(c)->ports[0].desc.scale == 0.0, "float32 is not quantized");
    end(c);
    c = build(b, "same_int64", "rknn.io_float=1");
    check_desc(c, "indices stay integers", false, 0, "int64 ND 2x9");
    end(c);
    c = build(b, "odd", "rknn.input_type=uint8");
    check_desc(c, "pixels", false, 0, "uint8 NHWC 1x7x13x3");
    check_desc(c, "pixels", true, 0, "int8 NCHW 1x20x7x13");
    if (c != NULL) {
        const nnrt__rknpu_port *port = &inside(c)->ports[0];
        CHECK(port->bind.type == NNRT_RKNN_UINT8 && port->bind.fmt == NNRT_RKNN_NHWC && port->bind.pass_through == 0,
              "pixels are left to the runtime");
        CHECK(port->desc.scale == 0.0 && port->inside.quant == NNRT__QUANT_NONE, "pixels are not quantized");
    }
    end(c);
    c = build(b, "odd", "rknn.input_type=uint8 rknn.io_layout=nchw rknn.io_float=1");
    check_desc(c, "pixels by planes", false, 0, "uint8 NCHW 1x3x7x13");
    check_desc(c, "pixels by planes", true, 0, "float32 NCHW 1x20x7x13");
    end(c);
    c = build(b, "two", "rknn.input_type=uint8");
    if (c != NULL) CHECK(inside(c)->ports[1].desc.dtype == OH_NN_INT8, "only images take pixels");
    end(c);
    refused(b, "c40", "rknn.input_type=uint8", OH_NN_FAILED, "no quantized image input");
    refused(b, "half", "rknn.input_type=uint8", OH_NN_FAILED, "no quantized image input");
    for (i = 0; i < NNRT__COUNT_OF(names); i++) {
        c = build(b, names[i], "rknn.io_layout=native");
        for (k = 0; c != NULL && k < inside(c)->npu.input_count + inside(c)->npu.output_count; k++) {
            const nnrt__rknpu_port *port = &inside(c)->ports[k];
            size_t bytes = nnrt__element_size(port->desc.dtype);
            uint32_t d;
            for (d = 0; d < port->desc.rank; d++) bytes *= (size_t)port->desc.dims[d];
            CHECK(port->direct, "%s: native tensor %zu of %s is copied", b->chip, k, names[i]);
            CHECK(bytes == port->inside_size, "%s: native tensor %zu of %s has %zu bytes, the NPU's %u", b->chip, k,
                  names[i], bytes, (unsigned)port->inside_size);
        }
        end(c);
    }
}

Test(rknpu_model, layouts_types_and_pixels_are_as_asked) { play_everywhere(scene_layouts); }

Test(rknpu_model, vectors_stored_as_rows_or_as_columns_are_told_apart) {
    static const struct stored {
        uint32_t w, lines, line_length; /* logical [1,20,w]; inside [1,2,lines,line_length,16] */
        bool columns;
    } cases[] = {{9, 1, 9, false}, {9, 1, 16, false}, {9, 9, 1, true},   {9, 9, 4, true},
                 {9, 9, 9, true},  {9, 9, 16, true},  {9, 12, 16, true}, {1, 1, 16, false}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(cases); i++) {
        const struct stored *t = &cases[i];
        nnrt_rknn_tensor_attr attr, native;
        nnrt__tensor_layout logical, inside;
        const char *fault;
        memset(&attr, 0, sizeof(attr));
        attr.type = NNRT_RKNN_INT8;
        attr.n_dims = 3;
        attr.dims[0] = 1;
        attr.dims[1] = 20;
        attr.dims[2] = t->w;
        native = attr;
        native.fmt = NNRT_RKNN_NC1HWC2;
        native.n_dims = 5;
        native.dims[1] = 2;
        native.dims[2] = t->lines;
        native.dims[3] = t->line_length;
        native.dims[4] = 16;
        nnrt__rknpu_plain_layout(&attr, &logical);
        fault = nnrt__rknpu_native_layout(&native, &logical, &inside);
        cr_assert_null(fault, "case %zu %s", i, fault);
        cr_assert_eq(inside.h, t->columns ? t->w : 1u, "case %zu: %u lines", i, (unsigned)inside.h);
        cr_assert_eq(inside.w, t->columns ? 1u : t->w, "case %zu: %u in a line", i, (unsigned)inside.w);
        cr_assert_eq(inside.h_stride, t->lines);
        cr_assert_eq(inside.w_stride, t->line_length);
    }
}

Test(rknpu_model, pixels_are_nhwc_even_when_the_model_says_nchw) {
    static const struct wish {
        nnrt__rknpu_io_order asked;
        nnrt_rknn_format shown;
    } cases[] = {{NNRT__RKNPU_IO_MODEL, NNRT_RKNN_NHWC},
                 {NNRT__RKNPU_IO_NHWC, NNRT_RKNN_NHWC},
                 {NNRT__RKNPU_IO_NCHW, NNRT_RKNN_NCHW}};
    static const uint32_t dims[4] = {1, 3, 7, 13};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(cases); i++) {
        nnrt__rknpu_options options;
        nnrt__rknpu_port port;
        nnrt__tensor_layout logical;
        const char *fault;
        memset(&options, 0, sizeof(options));
        memset(&port, 0, sizeof(port));
        options.order = cases[i].asked;
        options.input_uint8 = true;
        port.attr.fmt = NNRT_RKNN_NCHW;
        port.attr.type = NNRT_RKNN_INT8;
        port.attr.n_dims = 4;
        memcpy(port.attr.dims, dims, sizeof(dims));
        nnrt__rknpu_bind_pixels(&port.attr, &port.bind);
        fault = nnrt__rknpu_fit(&port, false, false, &logical);
        if (fault == NULL) fault = nnrt__rknpu_show(&options, false, true, &logical, &port);
        cr_assert_null(fault, "case %zu %s", i, fault);
        cr_assert_eq((int)port.outside.order, (int)cases[i].shown, "case %zu", i);
        cr_assert_eq((int)port.inside.order, (int)NNRT_RKNN_NHWC, "case %zu: the runtime takes NHWC", i);
        cr_assert_eq((int)port.desc.dtype, (int)OH_NN_UINT8);
        cr_assert_eq(port.desc.dims[cases[i].shown == NNRT_RKNN_NHWC ? 3 : 1], 3, "case %zu: channels", i);
    }
}

static void scene_native_shapes(const board *b) {
    const bool eight = strcmp(b->chip, "rk3566") == 0 || strcmp(b->chip, "rk3568") == 0;
    OH_NNCompilation *c = build(b, "same_wide", "rknn.io_layout=native");
    check_desc(c, "rows of a multiple of the chip's width", false, 0, "int8 NHWC 1x2x304x3");
    end(c);
    c = build(b, "same_wide", "");
    if (c != NULL) {
        CHECK(inside(c)->ports[0].inside.w == 301 && inside(c)->ports[0].inside.w_stride == 304, "stride");
        CHECK(!inside(c)->ports[0].direct, "padding is not the program's");
    }
    end(c);
    c = build(b, "same_int8", "rknn.io_layout=native");
    if (c != NULL) {
        const nnrt__tensor_layout *layout = &inside(c)->ports[1].inside;
        const uint32_t c2 = eight ? 8u : strcmp(b->chip, "rk3576") == 0 ? 32u : 16u;
        CHECK(layout->order == NNRT__ORDER_NC1HWC2 && layout->c2 == c2 && layout->c == 40, "c2 is %u", layout->c2);
        CHECK(layout->c1 == (40u + c2 - 1) / c2, "c1 is %u, not what was queried", layout->c1);
    }
    end(c);
    c = build(b, "same_wide", "rknn.io_layout=native");
    if (c != NULL) {
        const nnrt__tensor_layout *layout = &inside(c)->ports[1].inside;
        const bool more = eight || strcmp(b->chip, "rk3588") == 0; /* a block beyond what 3 channels need */
        CHECK(layout->c1 == (more ? 2u : 1u), "c1 is %u, not what was queried", layout->c1);
    }
    end(c);
}

Test(rknpu_model, native_layouts_are_those_of_the_chip) { play_everywhere(scene_native_shapes); }

/* ------------------------------------------------------------------------------------------------ configs */

static void scene_values(const board *b) {
    static const char *const bad[][3] = {
        {"rknn.api", "fast", "zero_copy|general"},
        {"rknn.io_layout", "NHWC", "model|nhwc|nchw|native"},
        {"rknn.io_float", "yes", "0|1"},
        {"rknn.input_type", "int8", "model|uint8"},
        {"rknn.core_mask", "0_2", "auto|0|1|2|0_1|0_1_2|all"},
        {"rknn.batch_cores", "17", "0 to 16"},
        {"rknn.profile", "2", "0|1"},
        {"nnrt.profile", "", "0|1"},
        {"rknn.memory", "out", "inside|internal_outside|outside"},
        {"rknn.sram", "01", "0|1"},
        {"rknn.flags", "800", "0x0 to 0xffffffff"},
        {"rknn.flags", "0x", "0x0 to 0xffffffff"},
        {"rknn.flags", "0x100000000", "0x0 to 0xffffffff"},
        {"rknn.flags", "0xg", "0x0 to 0xffffffff"},
        {"rknn.timeout_ms", "-1", "0 to 2147483647"},
        {"rknn.timeout_ms", "1s", "0 to 2147483647"},
        {"rknn.hang_grace_ms", "99999999999", "0 to 2147483647"},
        {"rknn.model_size", "4294967296", "0 to 4294967295"},
        {"rknn.model_offset", "2147483648", "0 to 2147483647"},
        {"rknn.matmul_weights", "int16", "int8|int4"},
        {"rknn.name", "0123456789012345678901234567890123456789012345678901234567890123", "1 to 63 bytes"},
        {"rknn.custom_op", "short", "nnrt_rknn_custom_op"},
        {"rknn.priority", "high", "knows no extension config"},
        {"rknn.", "1", "knows no extension config"}};
    static const char *const good[][2] = {
        {"rknn.api", "zero_copy"},
        {"rknn.io_layout", "native"},
        {"rknn.core_mask", "0_1_2"},
        {"rknn.flags", "0xFf"},
        {"rknn.batch_cores", "0"},
        {"rknn.memory", "internal_outside"},
        {"rknn.model_size", "4294967295"},
        {"rknn.name", "012345678901234567890123456789012345678901234567890123456789012"},
        {"rknn.hang_grace_ms", "0"},
        {"rknn.matmul_weights", "int4"},
        {"nnrt.profile", "1"}};
    size_t i;
    (void)b;
    for (i = 0; i < NNRT__COUNT_OF(bad); i++) {
        nnrt_config config = {bad[i][0], bad[i][1], strlen(bad[i][1])};
        CHECK(nnrt__rknpu_check_config(NULL, &config) == OH_NN_INVALID_PARAMETER, "%s=%s", bad[i][0], bad[i][1]);
        CHECK(strstr(nnrt_last_error(), bad[i][2]) != NULL, "%s=%s: %s", bad[i][0], bad[i][1], nnrt_last_error());
    }
    for (i = 0; i < NNRT__COUNT_OF(good); i++) {
        nnrt_config config = {good[i][0], good[i][1], strlen(good[i][1])};
        CHECK(nnrt__rknpu_check_config(NULL, &config) == OH_NN_SUCCESS, "%s: %s", good[i][0], nnrt_last_error());
        config.size++; /* its zero counted too, as sizeof a literal does */
        CHECK(nnrt__rknpu_check_config(NULL, &config) == OH_NN_SUCCESS, "%s: %s", good[i][0], nnrt_last_error());
    }
    {
        nnrt_config config = {"rknn.api", "general\0x", 9};
        CHECK(nnrt__rknpu_check_config(NULL, &config) == OH_NN_INVALID_PARAMETER, "a zero inside");
    }
}

Test(rknpu_model, config_values_are_checked_and_the_sentence_lists_what_is_possible) {
    play("rk3588", "", scene_values);
}

/* The flags that options become. */
static uint32_t flags_of(const board *b, const char *configs) {
    OH_NNCompilation *c = build(b, "odd", configs);
    uint32_t flags = c != NULL ? inside(c)->options.flags : 0xdeadbeefu;
    end(c);
    return flags;
}

static void scene_flags(const board *b) {
    OH_NNCompilation *c;
    char path[512];
    CHECK(flags_of(b, "") == 0, "nothing asked");
    CHECK(flags_of(b, "rknn.flush_input=0 rknn.flush_output=0") == 0xc000, "flush");
    CHECK(flags_of(b, "rknn.high_priority=0") == 0x2000, "nice value");
    CHECK(flags_of(b, "rknn.flags=0xc0") == 0xc0, "fences");
    CHECK(flags_of(b, "rknn.memory=outside") == 0x10, "memory");
    CHECK(flags_of(b, "rknn.flags=0x2010 rknn.memory=inside") == 0x2000, "the last word counts");
    CHECK(flags_of(b, "rknn.profile=1") == (b->mini ? 0u : 8u), "layers are timed by librknnrt only");
    if (!b->mini) {
        CHECK(flags_of(b, "rknn.info_only=1") == 0x100, "info only");
        CHECK(flags_of(b, "rknn.sram=1 rknn.fallback_gpu=1") == 0xc00, "SRAM, GPU");
        CHECK(flags_of(b, "rknn.api=general rknn.async=1") == 4, "async");
        CHECK(flags_of(b, "rknn.memory=internal_outside") == 0x200, "internal memory");
    }
    model_path(b, "odd", path, sizeof(path));
    c = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    (void)OH_NNCompilation_SetPriority(c, OH_NN_PRIORITY_LOW);
    CHECK(OH_NNCompilation_Build(c) == OH_NN_SUCCESS, "%s", nnrt_last_error());
    CHECK(inside(c)->options.flags == 2, "priority low");
    end(c);
    c = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    (void)OH_NNCompilation_SetPriority(c, OH_NN_PRIORITY_HIGH);
    CHECK(OH_NNCompilation_Build(c) == OH_NN_SUCCESS, "%s", nnrt_last_error());
    CHECK(inside(c)->options.flags == 0, "priority high is the runtime's default");
    end(c);
}

Test(rknpu_model, configs_and_priority_become_the_flags_of_init) {
    play("rk3588", "", scene_flags);
    play("rv1106", "", scene_flags);
}

static void scene_combinations(const board *b) {
    refused(b, "odd", "rknn.async=1", OH_NN_FAILED, "rknn.api general");
    refused(b, "odd", "rknn.flags=0x210", OH_NN_FAILED, b->mini ? "together with the weights" : "0x10 includes 0x200");
    refused(b, "odd", "rknn.flags=0x20", OH_NN_FAILED, "rknn.share_weights");
    refused(b, "odd", "rknn.flags=0x1800", OH_NN_FAILED, "rknn.share_sram");
    refused(b, "odd", "rknn.flags=0x20000", OH_NN_FAILED, "rknn_create_mem2");
    refused(b, "odd", "rknn.io_layout=native rknn.io_float=1", OH_NN_FAILED, "NPU's own bytes");
    refused(b, "odd", "rknn.io_layout=native rknn.input_type=uint8", OH_NN_FAILED, "NPU's own bytes");
    refused(b, "odd", "rknn.name=a rknn.share_weights=a", OH_NN_FAILED, "itself");
    refused(b, "odd", "rknn.share_weights=a rknn.share_sram=b", OH_NN_FAILED, "different compilations");
    refused(b, "odd", "rknn.info_only=1 rknn.share_internal=g", OH_NN_FAILED, "never runs");
    refused(b, "odd", "rknn.matmul_weights=int4", OH_NN_FAILED, "for graphs");
    if (b->mini) {
        refused(b, "odd", "rknn.api=general", OH_NN_FAILED, "binds memory only");
        refused(b, "odd", "rknn.core_mask=0", OH_NN_FAILED, "rknn_set_core_mask");
        refused(b, "odd", "rknn.batch_cores=2", OH_NN_FAILED, "rknn_set_batch_core_num");
        refused(b, "odd", "rknn.sram=1", OH_NN_FAILED, "needs librknnrt");
        refused(b, "odd", "rknn.fallback_gpu=1", OH_NN_FAILED, "needs librknnrt");
        refused(b, "odd", "rknn.model_zero_copy=1", OH_NN_FAILED, "needs librknnrt");
        refused(b, "odd", "rknn.memory=internal_outside", OH_NN_FAILED, "rknn.memory outside");
    } else {
        refused(b, "odd", "rknn.api=general rknn.flush_input=0", OH_NN_FAILED, "zero_copy");
        refused(b, "odd", "rknn.api=general rknn.memory=outside", OH_NN_FAILED, "zero_copy");
        refused(b, "odd", "rknn.api=general rknn.io_layout=native", OH_NN_FAILED, "zero_copy");
    }
}

Test(rknpu_model, combinations_that_cannot_work_are_refused_before_init) {
    play("rk3588", "", scene_combinations);
    play("rv1106", "", scene_combinations);
}

static void scene_cores(const board *b) {
    const bool many = strcmp(b->chip, "rk3588") == 0 || strcmp(b->chip, "rk3576") == 0;
    if (!many) {
        refused(b, "odd", "rknn.core_mask=0", OH_NN_FAILED, "rknn.core_mask");
        refused(b, "odd", "rknn.batch_cores=2", OH_NN_FAILED, "rknn.batch_cores");
        end(build(b, "odd", "rknn.core_mask=auto"));
        return;
    }
    end(build(b, "odd", "rknn.core_mask=1"));
    end(build(b, "odd", "rknn.core_mask=all"));
    end(build(b, "odd", "rknn.core_mask=0_1"));
    CHECK(b->calls("rknn_set_core_mask") == 3, "three masks were set");
    end(build(b, "batch4", "rknn.batch_cores=2"));
    CHECK(b->calls("rknn_set_batch_core_num") == 1, "a batch over two cores");
    if (strcmp(b->chip, "rk3576") == 0) refused(b, "odd", "rknn.core_mask=2", OH_NN_FAILED, "RK3576 0 and 1");
}

Test(rknpu_model, core_masks_are_set_where_there_are_cores_and_refused_with_the_reason_elsewhere) {
    play_everywhere(scene_cores);
}

static int last_mask, mask_answer; /* -1: none was set */

static int note_mask(nnrt_rknn_context context, nnrt_rknn_core_mask mask) {
    (void)context;
    last_mask = (int)mask;
    return mask_answer;
}

static char last_line[256];

static void note_line(void *user, nnrt_log_level level, const char *message) {
    (void)user;
    if (level == NNRT_LOG_INFO) (void)snprintf(last_line, sizeof(last_line), "%s", message);
}

/* Builds with a performance mode; the code. What else is asked for stands in configs. */
static OH_NN_ReturnCode build_mode(const board *b, int mode, const char *configs) {
    OH_NN_ReturnCode code;
    OH_NNCompilation *c;
    char path[512];
    model_path(b, "odd", path, sizeof(path));
    c = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    add_configs(c, configs);
    (void)OH_NNCompilation_SetPerformanceMode(c, (OH_NN_PerformanceMode)mode);
    last_mask = -1;
    code = OH_NNCompilation_Build(c);
    end(c);
    return code;
}

static void scene_modes(const board *b) {
    static const int masks[4][5] = {{-1, -1, -1, -1, -1}, {0}, {-1, 1, -1, 3, 3}, {-1, 1, -1, 3, 7}};
    const int cores = strcmp(b->chip, "rk3588") == 0 ? 3 : strcmp(b->chip, "rk3576") == 0 ? 2 : 0;
    OH_NNCompilation *c = build(b, "odd", "");
    nnrt__rknn_api *api;
    int mode, (*real)(nnrt_rknn_context context, nnrt_rknn_core_mask mask);
    if (c == NULL) return;
    api = &inside(c)->device->library.api;
    end(c);
    real = api->set_core_mask;
    for (mode = 0; mode <= 4; mode++) { /* as the board has it: nothing of this is a mistake */
        api->set_core_mask = real;
        CHECK(build_mode(b, mode, "") == OH_NN_SUCCESS, "mode %d: %s", mode, nnrt_last_error());
        if (real != NULL) api->set_core_mask = note_mask;
        mask_answer = 0;
        CHECK(build_mode(b, mode, "") == OH_NN_SUCCESS, "mode %d: %s", mode, nnrt_last_error());
        CHECK(last_mask == masks[cores][mode], "%s, mode %d: mask %d", b->chip, mode, last_mask);
    }
    CHECK(build_mode(b, 5, "") == OH_NN_INVALID_PARAMETER, "no mode");
    if (cores != 0) {
        CHECK(build_mode(b, 4, "rknn.core_mask=1") == OH_NN_SUCCESS && last_mask == 2, "the config counts: %d",
              last_mask);
        CHECK(build_mode(b, 4, "rknn.core_mask=auto") == OH_NN_SUCCESS && last_mask == -1, "auto: %d", last_mask);
        CHECK(build_mode(b, 4, "rknn.batch_cores=2") == OH_NN_SUCCESS && last_mask == -1, "batch: %d", last_mask);
        nnrt_set_log(note_line, NULL);
        mask_answer = NNRT_RKNN_ERR_FAIL; /* a hint that is not taken is no failure; a wish by name is one */
        CHECK(build_mode(b, 4, "") == OH_NN_SUCCESS, "%s", nnrt_last_error());
        CHECK(strstr(last_line, "the runtime chooses the core") != NULL, "%s", last_line);
        CHECK(build_mode(b, 4, "rknn.core_mask=1") == OH_NN_FAILED, "refused");
        mask_answer = NNRT_RKNN_ERR_DEVICE_UNAVAILABLE;
        CHECK(build_mode(b, 4, "") == OH_NN_UNAVAILABLE_DEVICE, "a device that is gone is a failure");
        nnrt_set_log(NULL, NULL);
    }
    api->set_core_mask = real;
}

Test(rknpu_model, performance_modes_choose_cores_where_the_program_does_not) { play_everywhere(scene_modes); }

/* The line about the cache among others. */
static void note_cache(void *user, nnrt_log_level level, const char *line) {
    if (strstr(line, " is not used") != NULL) note_line(user, level, line);
}

static void scene_cache(const board *b) {
    OH_NNCompilation *c;
    char path[512];
    int round;
    model_path(b, "odd", path, sizeof(path));
    nnrt_set_log(note_cache, NULL);
    for (round = 0; round < 2; round++) {
        c = OH_NNCompilation_ConstructWithOfflineModelFile(path);
        (void)OH_NNCompilation_SetCache(c, "/no/such/directory", 1);
        CHECK(OH_NNCompilation_Build(c) == OH_NN_SUCCESS, "%s", nnrt_last_error());
        CHECK(strstr(last_line, "/no/such/directory is not used") != NULL, "%s", last_line);
        end(c);
    }
    nnrt_set_log(NULL, NULL);
}

Test(rknpu_model, a_cache_of_a_rknn_is_nothing_to_do) {
    play("rk3588", "", scene_cache);
    play("rv1106", "", scene_cache);
}

static void scene_old(const board *b) {
    const bool v14 = strcmp(b->version, "1.4.0") == 0, v15 = strcmp(b->version, "1.5.2") == 0;
    const bool v16 = strcmp(b->version, "1.6.0") == 0, v20 = strcmp(b->version, "2.0.0") == 0;
    const char *model = v14 ? "version1" : "odd";
    end(build(b, model, ""));
    if (v14) {
        refused(b, model, "rknn.info_only=1", OH_NN_FAILED, "1.5.0");
        refused(b, model, "rknn.fallback_gpu=1", OH_NN_FAILED, "1.5.2");
        refused(b, model, "rknn.memory=internal_outside", OH_NN_FAILED, "1.5.2");
        refused(b, "odd", "", OH_NN_INVALID_FILE, "");
        end(build(b, model, "rknn.share_internal=g")); /* weights go outside, too */
    }
    if (v14 || v15) {
        refused(b, model, "rknn.sram=1", OH_NN_FAILED, "1.6.0");
        refused(b, model, "rknn.high_priority=0", OH_NN_FAILED, "1.6.0");
    }
    if (v14 || v15 || v16) {
        refused(b, model, "rknn.flush_input=0", OH_NN_FAILED, "2.0.0");
        if (!b->mini) refused(b, model, "rknn.core_mask=all", OH_NN_FAILED, "2.0.0");
    }
    if ((v14 || v15 || v16 || v20) && !b->mini) refused(b, model, "rknn.model_zero_copy=1", OH_NN_FAILED, "2.1.0");
    if (strcmp(b->version, "2.1.0") == 0) {
        OH_NNCompilation *other = build(b, model, ""); /* without a context alive librknnrt loses the memory */
        end(build(b, model, "rknn.model_zero_copy=1"));
        end(other);
    }
}

Test(rknpu_model, what_a_runtime_is_too_old_for_is_refused_and_names_the_version) {
    static const char *const versions[] = {"1.4.0", "1.5.2", "1.6.0", "2.0.0", "2.1.0"};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(versions); i++) play("rk3588", versions[i], scene_old);
    play("rv1106", "1.6.0", scene_old);
    play("rv1106", "2.0.0", scene_old);
}

/* -------------------------------------------------------------------------------------------------- files */

static uint8_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    long length;
    *size = 0;
    if (file == NULL) return NULL;
    (void)fseek(file, 0, SEEK_END);
    length = ftell(file);
    (void)fseek(file, 0, SEEK_SET);
    if (length > 0) bytes = (uint8_t *)malloc((size_t)length);
    if (bytes != NULL) *size = fread(bytes, 1, (size_t)length, file);
    (void)fclose(file);
    return bytes;
}

static void scene_files(const board *b) {
    static const char *const broken[] = {"version7",     "broken_platform", "broken_header", "broken_short",
                                         "broken_magic", "broken_body",     "broken_json",   "encrypted"};
    const char *other = b->mini ? "rk3588" : "rv1106";
    char path[512];
    OH_NN_ReturnCode code, expected;
    size_t i, size = 0;
    uint8_t *bytes;
    for (i = 0; i < NNRT__COUNT_OF(broken); i++) {
        expected = OH_NN_INVALID_FILE;
        if (strcmp(broken[i], "broken_json") == 0) expected = OH_NN_SUCCESS; /* no runtime reads its text */
        if (b->mini && strcmp(broken[i], "broken_platform") == 0) expected = OH_NN_SUCCESS; /* nor librknnmrt a chip */
        if (b->mini && strcmp(broken[i], "broken_body") == 0)
            expected = OH_NN_FAILED; /* the runtime finds it, and librknnmrt has -1 for everything */
        if (expected == OH_NN_SUCCESS) {
            end(build(b, broken[i], ""));
            continue;
        }
        refused(b, broken[i], "", expected, "");
        CHECK(strlen(nnrt_last_error()) > 20, "%s: \"%s\" says nothing", broken[i], nnrt_last_error());
        model_path(b, broken[i], path, sizeof(path));
        bytes = read_file(path, &size);
        CHECK(bytes != NULL, "%s", path);
        if (bytes != NULL) {
            OH_NNCompilation *c = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
            CHECK(OH_NNCompilation_Build(c) == expected, "%s from memory", broken[i]);
            end(c);
        }
        free(bytes);
    }
    b->fault(NULL); /* counts start again */
    (void)snprintf(path, sizeof(path), "%s/models/odd.%s.rknn", b->folder, other);
    CHECK(build_path(path, "", &code) == NULL && code == OH_NN_INVALID_FILE, "code %d", (int)code);
    CHECK(strstr(nnrt_last_error(), other) != NULL, "the platform is not named: %s", nnrt_last_error());
    CHECK(b->calls("rknn_init") == 0, "what the file tells is told before init");
    CHECK(build_path("/nonexistent/model.rknn", "", &code) == NULL && code == OH_NN_INVALID_FILE, "%d", (int)code);
    CHECK(strstr(nnrt_last_error(), "/nonexistent/model.rknn") != NULL, "%s", nnrt_last_error());
    CHECK(build_path("/dev", "", &code) == NULL && code == OH_NN_INVALID_FILE, "code %d", (int)code);
}

Test(rknpu_model, files_for_another_chip_or_runtime_and_damaged_ones_are_refused) { play_everywhere(scene_files); }

/* The model somewhere inside a file or buffer, loaded as a part of it. */
static void scene_parts(const board *b) {
    char path[512], wrapped[] = "/tmp/test_rknpu_model_XXXXXX", configs[128];
    uint8_t *bytes, *larger;
    size_t size = 0;
    OH_NN_ReturnCode code;
    OH_NNCompilation *c;
    int fd;
    model_path(b, "odd", path, sizeof(path));
    bytes = read_file(path, &size);
    larger = (uint8_t *)malloc(size + 300);
    fd = mkstemp(wrapped);
    CHECK(bytes != NULL && larger != NULL && fd >= 0, "%s", path);
    if (bytes == NULL || larger == NULL || fd < 0) return;
    memset(larger, 0x5a, size + 300);
    memcpy(larger + 100, bytes, size);
    CHECK(write(fd, larger, size + 300) == (ssize_t)(size + 300), "temporary file");
    (void)snprintf(configs, sizeof(configs), "rknn.model_offset=100 rknn.model_size=%zu", size);
    c = build_path(wrapped, configs, &code);
    CHECK(c != NULL, "part of a file: %s", nnrt_last_error());
    check_desc(c, "part of a file", false, 0, "int8 NHWC 1x7x13x3");
    end(c);
    CHECK(build_path(wrapped, "rknn.model_offset=99999999", &code) == NULL && code == OH_NN_INVALID_FILE, "offset");
    (void)snprintf(configs, sizeof(configs), "rknn.model_offset=100 rknn.model_size=%zu", size + 201);
    CHECK(build_path(wrapped, configs, &code) == NULL && code == OH_NN_INVALID_FILE, "size");
    CHECK(strstr(nnrt_last_error(), "rknn.model_size") != NULL, "%s", nnrt_last_error());
    (void)unlink(wrapped);
    (void)close(fd);

    (void)snprintf(configs, sizeof(configs), "rknn.model_offset=100 rknn.model_size=%zu", size);
    c = OH_NNCompilation_ConstructWithOfflineModelBuffer(larger, size + 300);
    add_configs(c, configs);
    CHECK(OH_NNCompilation_Build(c) == OH_NN_SUCCESS, "part of a buffer: %s", nnrt_last_error());
    check_desc(c, "part of a buffer", false, 0, "int8 NHWC 1x7x13x3");
    end(c);
    c = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    CHECK(OH_NNCompilation_Build(c) == OH_NN_SUCCESS, "a buffer: %s", nnrt_last_error());
    end(c);
    if (!b->mini) {
        nnrt_sim_live live;
        OH_NNCompilation *other = build(b, "odd", ""); /* without a context alive librknnrt loses the memory */
        c = build(b, "odd", "rknn.model_zero_copy=1");
        if (c != NULL) {
            b->get_live(&live);
            CHECK(live.memories == 1 && live.contexts == 2, "the model lies in NPU memory");
            CHECK(inside(c)->context->model_memory->size >= size, "all of it");
        }
        end(c);
        c = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
        add_configs(c, "rknn.model_zero_copy=1");
        CHECK(OH_NNCompilation_Build(c) == OH_NN_SUCCESS, "a buffer, moved: %s", nnrt_last_error());
        end(c);
        end(other);
    }
    free(bytes);
    free(larger);
}

Test(rknpu_model, models_come_from_files_parts_of_files_buffers_and_npu_memory) { play_everywhere(scene_parts); }

Test(rknpu_model, models_of_4_gib_and_more_are_refused) {
    nnrt__rknpu_options options;
    size_t offset = 0;
    uint32_t size = 0;
    memset(&options, 0, sizeof(options));
    cr_assert_eq(nnrt__rknpu_slice(&options, UINT32_MAX, &offset, &size), OH_NN_SUCCESS);
    cr_assert(size == UINT32_MAX && offset == 0);
    if (sizeof(size_t) > sizeof(uint32_t)) {
        const size_t large = (size_t)UINT32_MAX + 1u;
        cr_assert_eq(nnrt__rknpu_slice(&options, large, &offset, &size), OH_NN_INVALID_FILE);
        cr_assert(strstr(nnrt_last_error(), "4 GiB") != NULL, "%s", nnrt_last_error());
        options.model_size = 1000; /* a part of a larger file */
        options.model_offset = 100;
        cr_assert_eq(nnrt__rknpu_slice(&options, large, &offset, &size), OH_NN_SUCCESS);
        cr_assert(size == 1000 && offset == 100);
    }
}

/* -------------------------------------------------------------------------------------------------- facts */

static void scene_facts(const board *b) {
    OH_NNCompilation *c = build(b, "odd", "");
    if (c != NULL) {
        const nnrt__rknpu_model *m = inside(c);
        CHECK(m->runtime_version == NNRT__RKNN_VERSION(2, 3, 2), "%x", (unsigned)m->runtime_version);
        CHECK(strncmp(m->sdk.api_version, "2.3.2", 5) == 0 && m->sdk.drv_version[0] == '0', "%s", m->sdk.api_version);
        CHECK(m->mem_size.total_weight_size > 100 && m->mem_size.total_internal_size != 0, "sizes");
        CHECK(strncmp(m->toolkit, "2.3.2", 5) == 0, "%s", m->toolkit);
        CHECK(strcmp(m->platform, b->chip) == 0, "%s", m->platform);
    }
    end(c);
    /* Facts that nothing depends on may be missing. */
    b->fault("rknn_query@2=fail:-5,rknn_query@3=fail:-5");
    c = build(b, "odd", "");
    if (c != NULL) CHECK(inside(c)->custom_string.string[0] == '\0', "custom string");
    b->fault(NULL);
    end(c);
}

Test(rknpu_model, versions_sizes_and_texts_are_read) { play_everywhere(scene_facts); }

Test(rknpu_model, versions_are_parsed_from_what_runtimes_print) {
    cr_assert_eq(nnrt__rknpu_parse_version("1.6.0 (9a7b5d24c@2023-12-13T17:32:13)"), NNRT__RKNN_VERSION(1, 6, 0));
    cr_assert_eq(nnrt__rknpu_parse_version("2.0.0b0 (35a6907d79@2024-03-24T10:31:14)"), NNRT__RKNN_VERSION(2, 0, 0));
    cr_assert_eq(nnrt__rknpu_parse_version("librknnrt version: 1.4"), NNRT__RKNN_VERSION(1, 4, 0));
    cr_assert_eq(nnrt__rknpu_parse_version(""), 0);
    cr_assert_eq(nnrt__rknpu_parse_version("unknown"), 0);
    cr_assert_eq(nnrt__rknpu_parse_version("99999999999999.1.1"), 0);
}

/* ----------------------------------------------------------------------------------------- dynamic shapes */

static void scene_dynamic(const board *b) {
    OH_NNCompilation *c;
    nnrt__rknpu_model *m;
    nnrt_io io[2];
    size_t least[NNRT_MAX_RANK], most[NNRT_MAX_RANK];
    uint32_t shape = 99;
    if (b->mini) {
        c = build(b, "dynamic", ""); /* in its default shape */
        check_desc(c, "dynamic on librknnmrt", false, 0, "int8 NHWC 1x12x20x3");
        end(c);
        return;
    }
    c = build(b, "dynamic", "");
    check_desc(c, "dynamic", false, 0, "int8 NHWC 1x-1x-1x3");
    check_desc(c, "dynamic", false, 1, "int8 NHWC 1x-1x-1x24");
    check_desc(c, "dynamic", true, 0, "int8 NCHW 1x24x-1x-1");
    if (c != NULL) {
        m = (nnrt__rknpu_model *)c->prepared->object;
        CHECK(m->shapes.count == 3, "%u shapes", (unsigned)m->shapes.count);
        (void)nnrt__rknpu_input_range(m, 0, least, most);
        CHECK(least[1] == 8 && most[1] == 16 && least[2] == 9 && most[2] == 33, "height and width");
        CHECK(least[3] == 3 && most[3] == 3, "channels");
        CHECK(m->ports[2].outside_size == 16 * 33 * 24, "the largest output has %u bytes", m->ports[2].outside_size);
        CHECK(m->ports[2].inside_size >= 16 * 33 * 24, "the largest output has %u bytes", m->ports[2].inside_size);
        memset(io, 0, sizeof(io));
        io[0].rank = io[1].rank = 4;
        io[0].dims[0] = io[1].dims[0] = 1;
        io[0].dims[1] = io[1].dims[1] = 16;
        io[0].dims[2] = io[1].dims[2] = 33;
        io[0].dims[3] = 3;
        io[1].dims[3] = 24;
        CHECK(nnrt__rknpu_model_shape(m, io, &shape) == OH_NN_SUCCESS && shape == 2, "shape %u", (unsigned)shape);
        io[1].dims[1] = 8; /* of another pair */
        CHECK(nnrt__rknpu_model_shape(m, io, &shape) == OH_NN_INVALID_PARAMETER, "shapes are pairs");
        CHECK(strstr(nnrt_last_error(), " and can be [1,12,20,3], [1,8,9,3], [1,16,33,3]") != NULL, "%s",
              nnrt_last_error());
    }
    end(c);
    c = build(b, "dynamic", "rknn.io_layout=nchw");
    check_desc(c, "dynamic, by planes", false, 0, "int8 NCHW 1x3x-1x-1");
    if (c != NULL) {
        (void)nnrt__rknpu_input_range(c->prepared->object, 0, least, most);
        CHECK(least[1] == 3 && most[1] == 3 && least[2] == 8 && most[2] == 16 && most[3] == 33, "range by planes");
    }
    end(c);
    c = build(b, "dynamic_rows", "");
    check_desc(c, "dynamic rows", false, 1, "int8 ND -1x20");
    end(c);
    c = build(b, "odd", "");
    if (c != NULL) {
        (void)nnrt__rknpu_input_range(c->prepared->object, 0, least, most);
        CHECK(least[1] == 7 && most[1] == 7 && least[2] == 13 && most[2] == 13, "range of a static model");
    }
    end(c);
    refused(b, "dynamic", "rknn.io_layout=native", OH_NN_FAILED, "dynamic shapes");
}

Test(rknpu_model, shapes_of_dynamic_models_are_told_as_ranges) { play_everywhere(scene_dynamic); }

static void scene_dynamic_old(const board *b) {
    refused(b, "dynamic", "rknn.memory=outside", OH_NN_FAILED, "dynamic shapes");
    end(build(b, "dynamic", ""));
}

Test(rknpu_model, memory_outside_of_dynamic_models_needs_a_runtime_of_2_0) {
    play("rk3588", "1.6.0", scene_dynamic_old);
}

/* ----------------------------------------------------------------------------------------------- contexts */

static OH_NNExecutor *open_executor(OH_NNCompilation *c) {
    OH_NNExecutor *executor = c != NULL ? OH_NNExecutor_Construct(c) : NULL;
    CHECK(executor != NULL, "%s", nnrt_last_error());
    return executor;
}

static void close_executor(OH_NNExecutor *executor) {
    if (executor != NULL) OH_NNExecutor_Destroy(&executor);
}

static void scene_executors(const board *b) {
    static const char *const configs[] = {"", "rknn.memory=outside", "rknn.share_internal=group"};
    nnrt_sim_live live;
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(configs); i++) {
        const bool dup = !b->mini && i == 0;
        OH_NNCompilation *c = build(b, "odd", configs[i]);
        OH_NNExecutor *first, *second, *third;
        unsigned inits;
        b->fault(NULL); /* counts start again */
        first = open_executor(c);
        CHECK(b->calls("rknn_init") == 0 && b->calls("rknn_dup_context") == 0, "the first has that of Build");
        second = open_executor(c);
        inits = b->calls("rknn_init");
        CHECK(inits == (dup ? 0u : 1u) && b->calls("rknn_dup_context") == (dup ? 1u : 0u), "%s %s: %u loads", b->chip,
              configs[i], inits);
        b->get_live(&live);
        CHECK(live.contexts == 2, "%u contexts", live.contexts);
        close_executor(first);
        third = open_executor(c);
        CHECK(b->calls("rknn_init") == inits, "the third gets the context that came back");
        end(c); /* executors go on */
        close_executor(second);
        close_executor(third);
        check_clean(b, configs[i]);
    }
    if (!b->mini) {
        OH_NNCompilation *c = build(b, "dynamic", "");
        OH_NNExecutor *first = open_executor(c), *second;
        b->fault("rknn_dup_context@0=fail:-1");
        second = open_executor(c);
        CHECK(b->calls("rknn_dup_context") == 0, "dynamic models are not duplicated");
        close_executor(first);
        close_executor(second);
        end(c);
        c = build(b, "odd", "");
        first = open_executor(c);
        second = open_executor(c);
        CHECK(b->calls("rknn_dup_context") == 1, "what cannot be duplicated is loaded again");
        b->fault(NULL);
        close_executor(first);
        close_executor(second);
        end(c);
    }
}

Test(rknpu_model, every_executor_has_a_context_of_its_own) { play_everywhere(scene_executors); }

/* ------------------------------------------------------------------------------------- memory and sharing */

static void scene_outside(const board *b) {
    nnrt_sim_live live;
    OH_NNCompilation *c = build(b, "odd", "rknn.memory=outside");
    if (c != NULL) {
        b->get_live(&live);
        CHECK(live.memories == 2, "weights and internal memory, not %u", live.memories);
        CHECK(b->calls("rknn_set_weight_mem") == 1 && b->calls("rknn_set_internal_mem") == 1, "both are set once");
    }
    end(c);
    check_clean(b, "memory outside");
    if (!b->mini) {
        c = build(b, "odd", "rknn.memory=internal_outside");
        b->get_live(&live);
        CHECK(live.memories == 1 && b->calls("rknn_set_weight_mem") == 1, "internal memory only");
        end(c);
        end(build(b, "odd", "rknn.memory=internal_outside rknn.api=general"));
    }
    if (b->mini) return;
    c = build(b, "odd", "rknn.memory=outside rknn.info_only=1");
    b->get_live(&live);
    CHECK(live.memories == 0, "whoever never runs needs no memory");
    end(c);
}

Test(rknpu_model, memory_from_outside_is_made_and_set_before_inputs_and_outputs) { play_everywhere(scene_outside); }

static void scene_share_internal(const board *b) {
    nnrt_sim_live live;
    OH_NNCompilation *large = build(b, "chain", "rknn.share_internal=one");
    OH_NNCompilation *small = build(b, "odd", "rknn.share_internal=one");
    OH_NNCompilation *other = build(b, "odd", "rknn.share_internal=two");
    if (large != NULL && small != NULL && other != NULL) {
        const nnrt__rknpu_memory *memory = inside(large)->holdings->internal;
        CHECK(memory == inside(small)->holdings->internal, "one memory for both");
        CHECK(memory != inside(other)->holdings->internal, "another group has its own");
        CHECK(inside(large)->arena == inside(small)->arena && inside(large)->arena != inside(other)->arena, "groups");
        CHECK(memory->size == inside(large)->mem_size.total_internal_size, "no more than the largest needs");
    }
    end(large); /* the memory was made in its context and stays */
    b->get_live(&live);
    CHECK(live.memories >= 2, "%u", live.memories);
    end(small);
    end(other);
    check_clean(b, "shared internal memory");
    small = build(b, "odd", "rknn.share_internal=one");
    large = build(b, "chain", "rknn.share_internal=one");
    if (large != NULL && small != NULL) {
        CHECK(inside(small)->holdings->internal->size == inside(small)->mem_size.total_internal_size, "keeps its");
        CHECK(inside(large)->holdings->internal->size == inside(large)->mem_size.total_internal_size, "has more");
        CHECK(inside(large)->arena->memory == inside(large)->holdings->internal, "that of the group from now on");
    }
    end(small);
    end(large);
}

Test(rknpu_model, models_of_a_group_share_internal_memory) { play_everywhere(scene_share_internal); }

static void scene_no_imports(const board *b) {
    OH_NNCompilation *large = build(b, "chain", "rknn.share_internal=one");
    b->fault("rknn_create_mem_from_fd@0=fail:-1");
    refused(b, "odd", "rknn.share_internal=one", OH_NN_FAILED, "does not import memory of another context");
    b->fault("");
    end(build(b, "odd", "rknn.share_internal=one"));
    end(large);
}

Test(rknpu_model, memory_of_another_context_that_is_not_imported_is_a_sentence) {
    play("rk3588", "", scene_no_imports);
    play("rv1106", "", scene_no_imports);
}

static void scene_names(const board *b) {
    OH_NNCompilation *a, *c;
    refused(b, "odd", "rknn.share_weights=nobody", OH_NN_FAILED, "\"nobody\"");
    a = build(b, "odd", b->mini ? "rknn.name=a rknn.memory=outside" : "rknn.name=a");
    refused(b, "odd", "rknn.name=a", OH_NN_FAILED, "\"a\" belongs to another");
    c = build(b, "odd", "rknn.share_weights=a");
    if (a != NULL && c != NULL) {
        if (b->mini) CHECK(inside(a)->holdings->weights == inside(c)->holdings->weights, "one memory of weights");
        else CHECK(inside(c)->context->parent == inside(a)->context, "the other context stays alive");
    }
    end(a); /* what is shared stays */
    refused(b, "odd", "rknn.share_weights=a", OH_NN_FAILED, "\"a\"");
    end(c);
    check_clean(b, "shared weights");
    a = build(b, "odd", "rknn.name=a");
    end(a);
    a = build(b, "odd", "rknn.name=a");
    if (b->mini) refused(b, "odd", "rknn.share_weights=a", OH_NN_FAILED, "rknn.memory outside");
    end(a);
    if (!b->mini) {
        a = build(b, "dynamic", "rknn.name=d");
        end(a);
    } else {
        a = build(b, "chain", "rknn.name=a rknn.memory=outside");
        refused(b, "odd", "rknn.share_weights=a", OH_NN_FAILED, "bytes of weights");
        end(a);
    }
}

Test(rknpu_model, weights_are_shared_by_name_and_stay_until_the_last) { play_everywhere(scene_names); }

static void scene_sram(const board *b) {
    OH_NNCompilation *a = build(b, "odd", "rknn.name=a rknn.sram=1"), *c;
    refused(b, "odd", "rknn.share_sram=nobody", OH_NN_FAILED, "\"nobody\"");
    c = build(b, "odd", "rknn.share_sram=a");
    if (c != NULL) CHECK((inside(c)->options.flags & 0x1800u) == 0x1800u, "sharing implies using");
    if (a != NULL) CHECK(inside(a)->mem_size.total_sram_size != 0, "the chip's SRAM is told");
    end(a);
    end(c);
}

Test(rknpu_model, sram_is_used_and_shared_by_name) { play("rk3588", "", scene_sram); }

/* ------------------------------------------------------------------------------------------------- faults */

static bool same_live(const nnrt_sim_live *a, const nnrt_sim_live *b) {
    return a->contexts == b->contexts && a->memories == b->memories && a->fds == b->fds && a->bytes == b->bytes;
}

static const char *const fault_plans[][2] = {{"odd", ""},
                                             {"two", "rknn.memory=outside"},
                                             {"c40", "rknn.share_internal=g rknn.io_layout=nhwc"},
                                             {"dynamic", ""},
                                             {"odd", "rknn.model_zero_copy=1"},
                                             {"odd", "rknn.core_mask=0"},
                                             {"odd", "rknn.share_weights=base"},
                                             {"odd", "rknn.api=general"}};

static bool plan_fits(const board *b, const char *configs) {
    if (!b->mini) return strstr(configs, "core_mask") == NULL || strcmp(b->chip, "rk3588") == 0;
    return strstr(configs, "zero_copy") == NULL && strstr(configs, "core_mask") == NULL &&
           strstr(configs, "general") == NULL;
}

static void scene_faults(const board *b) {
    static const char *const functions[] = {
        "rknn_init",          "rknn_query",       "rknn_set_weight_mem",     "rknn_set_internal_mem",
        "rknn_create_mem",    "rknn_create_mem2", "rknn_create_mem_from_fd", "rknn_set_input_shapes",
        "rknn_set_core_mask", "rknn_dup_context"};
    static const int codes[] = {-1, -2, -3, -4, -5, -6, -7, -13};
    OH_NNCompilation *base = build(b, "odd", b->mini ? "rknn.name=base rknn.memory=outside" : "rknn.name=base");
    nnrt_sim_live before, live;
    size_t p, f, k;
    b->get_live(&before);
    for (p = 0; p < NNRT__COUNT_OF(fault_plans); p++) {
        const char *name = fault_plans[p][0], *configs = fault_plans[p][1];
        unsigned calls[NNRT__COUNT_OF(functions)];
        if (!plan_fits(b, configs)) continue;
        b->fault(NULL);
        end(build(b, name, configs));
        for (f = 0; f < NNRT__COUNT_OF(functions); f++) calls[f] = b->calls(functions[f]);
        for (f = 0; f < NNRT__COUNT_OF(functions); f++) {
            unsigned n;
            for (n = 1; n <= calls[f]; n++) {
                for (k = 0; k < NNRT__COUNT_OF(codes); k++) {
                    char fault[96];
                    OH_NN_ReturnCode code;
                    OH_NNCompilation *c;
                    long blocks = counting_live();
                    (void)snprintf(fault, sizeof(fault), "%s@%u=fail:%d", functions[f], n, codes[k]);
                    b->fault(fault);
                    c = try_build(b, name, configs, &code);
                    b->fault(NULL);
                    if (c == NULL) {
                        CHECK(code == OH_NN_FAILED || code == OH_NN_MEMORY_ERROR || code == OH_NN_INVALID_FILE ||
                                  code == OH_NN_UNAVAILABLE_DEVICE,
                              "%s: code %d", fault, (int)code);
                        CHECK(strlen(nnrt_last_error()) > 20, "%s: \"%s\"", fault, nnrt_last_error());
                        if (strstr(functions[f], "create_mem") == NULL) {
                            if (codes[k] == -3) CHECK(code == OH_NN_UNAVAILABLE_DEVICE, "%s: %d", fault, (int)code);
                            if (codes[k] == -4) CHECK(code == OH_NN_MEMORY_ERROR, "%s: %d", fault, (int)code);
                            if (f == 0 && (codes[k] == -6 || codes[k] == -13))
                                CHECK(code == OH_NN_INVALID_FILE, "%s: %d", fault, (int)code);
                        }
                    } else {
                        CHECK(f == 1, "%s: only a query may be answered otherwise", fault);
                    }
                    end(c);
                    b->get_live(&live);
                    CHECK(same_live(&live, &before), "%s [%s] %s: %u contexts, %u memories, %zu bytes", name, configs,
                          fault, live.contexts, live.memories, live.bytes);
                    CHECK(counting_live() == blocks, "%s [%s] %s: %ld blocks", name, configs, fault,
                          counting_live() - blocks);
                    if (wrong > 20) return;
                }
            }
        }
    }
    end(base);
}

Test(rknpu_model, a_fault_at_any_vendor_call_of_build_has_a_code_a_sentence_and_leaves_nothing, .timeout = 300) {
    play("rk3588", "", scene_faults);
    play("rk3566", "", scene_faults);
    play("rv1106", "", scene_faults);
}

static void scene_memory(const board *b) {
    OH_NNCompilation *base = build(b, "odd", b->mini ? "rknn.name=base rknn.memory=outside" : "rknn.name=base");
    nnrt_sim_live before, live;
    size_t p;
    b->get_live(&before);
    for (p = 0; p < NNRT__COUNT_OF(fault_plans); p++) {
        long n, blocks = counting_live();
        if (!plan_fits(b, fault_plans[p][1])) continue;
        for (n = 0; n < 1000; n++) {
            OH_NN_ReturnCode code;
            OH_NNCompilation *c;
            bool failed;
            counting_fail_at(n);
            c = try_build(b, fault_plans[p][0], fault_plans[p][1], &code);
            failed = counting_failed();
            counting_fail_never();
            CHECK(c != NULL || code == OH_NN_MEMORY_ERROR, "%s: allocation %ld: code %d, %s", fault_plans[p][1], n,
                  (int)code, nnrt_last_error());
            end(c);
            CHECK(counting_live() == blocks, "%s: allocation %ld: %ld blocks", fault_plans[p][1], n,
                  counting_live() - blocks);
            b->get_live(&live);
            CHECK(same_live(&live, &before), "%s: allocation %ld", fault_plans[p][1], n);
            if (!failed || wrong > 20) break;
        }
        CHECK(n > 3 && n < 1000, "%ld", n);
    }
    end(base);
}

Test(rknpu_model, running_out_of_memory_anywhere_in_build_leaves_nothing, .timeout = 120) {
    play("rk3588", "", scene_memory);
    play("rv1106", "", scene_memory);
}

static void scene_full_board(const board *b) {
    OH_NN_ReturnCode code;
    OH_NNCompilation *c[64];
    size_t count = 0;
    while (count < 64 && (c[count] = try_build(b, "chain", "", &code)) != NULL) count++;
    CHECK(count > 0 && count < 64, "%zu models fit", count);
    CHECK(code == OH_NN_MEMORY_ERROR && strstr(nnrt_last_error(), "CMA") != NULL, "code %d: %s", (int)code,
          nnrt_last_error());
    while (count > 0) end(c[--count]);
}

Test(rknpu_model, a_board_without_memory_is_told_as_such) {
    (void)setenv("NNRT_SIM_MEMORY", "65536", 1);
    play("rk3566", "", scene_full_board);
    (void)unsetenv("NNRT_SIM_MEMORY");
}

/* --------------------------------------------------------------------------------- attributes from a liar */

static uint64_t random_state;

static uint32_t random_number(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

/* Often plausible, else anything. */
static uint32_t lie(uint32_t most) {
    const uint32_t kind = random_number() % 16;
    if (kind == 0) return random_number();
    return kind == 1 ? 0 : random_number() % (most + 1);
}

static int lying_query(nnrt_rknn_context context, nnrt_rknn_query_cmd command, void *info, uint32_t size) {
    nnrt_rknn_tensor_attr *attr = (nnrt_rknn_tensor_attr *)info;
    uint32_t i, number;
    (void)context;
    if (random_number() % 24 == 0) return -(int)(random_number() % 16);
    if (command == NNRT_RKNN_QUERY_IN_OUT_NUM) {
        nnrt_rknn_input_output_num *count = (nnrt_rknn_input_output_num *)info;
        count->n_input = random_number() % 8 == 0 ? lie(70) : 1 + random_number() % 2;
        count->n_output = random_number() % 8 == 0 ? lie(70) : 1;
        return 0;
    }
    if (command == NNRT_RKNN_QUERY_INPUT_DYNAMIC_RANGE) {
        nnrt_rknn_input_range *range = (nnrt_rknn_input_range *)info;
        range->shape_number = random_number() % 8 == 0 ? lie(4) : 3;
        range->n_dims = random_number() % 8 == 0 ? lie(5) : 4;
        range->fmt = NNRT_RKNN_NHWC;
        memset(range->name, 'n', sizeof(range->name));
        for (i = 0; i < 4 * NNRT_RKNN_MAX_DIMS; i++)
            range->dyn_range[i / NNRT_RKNN_MAX_DIMS][i % NNRT_RKNN_MAX_DIMS] = random_number() % 64 == 0 ? lie(9) : 2;
        return 0;
    }
    cr_assert_eq(size, sizeof(*attr));
    attr->n_dims = random_number() % 3 == 0 ? lie(6) : 4 + random_number() % 2;
    for (i = 0; i < NNRT_RKNN_MAX_DIMS; i++)
        attr->dims[i] = random_number() % 8 == 0 ? lie(300) : 1 + random_number() % 3;
    memset(attr->name, 'a', sizeof(attr->name));
    attr->n_elems = random_number();
    attr->size = random_number();
    number = attr->n_dims == 5 ? 2 : random_number() % 64 == 0 ? random_number() : random_number() % 4;
    memcpy(&attr->fmt, &number, sizeof(number));
    number = random_number() % 64 == 0 ? random_number() : random_number() % 4 != 0 ? 2 : random_number() % 12;
    memcpy(&attr->type, &number, sizeof(number));
    number = random_number() % 64 == 0 ? random_number() : random_number() % 3;
    memcpy(&attr->qnt_type, &number, sizeof(number));
    attr->fl = (int8_t)random_number();
    attr->zp = (int32_t)random_number();
    attr->scale = random_number() % 4 != 0 ? 0.5f : (float)(int32_t)random_number();
    attr->w_stride = random_number() % 4 != 0 ? 0 : lie(9);
    attr->size_with_stride = random_number() % 4 != 0 ? 0 : lie(400);
    attr->pass_through = (uint8_t)random_number();
    attr->h_stride = random_number();
    return 0;
}

Test(rknpu_model, a_size_with_stride_is_no_less_than_the_shape_and_no_more_than_a_tensor) {
    static const struct {
        uint32_t told, inside;
        bool exact, fits;
    } cases[] = {{0, 60, false, true},
                 {60, 60, false, true},
                 {59, 0, false, false},
                 {64, 64, false, true},
                 {64, 0, true, false},
                 {60, 60, true, true},
                 {INT32_MAX, INT32_MAX, false, true},
                 {(uint32_t)INT32_MAX + 1, 0, false, false},
                 {UINT32_MAX, 0, false, false}};
    size_t i;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        static const uint32_t dims[4] = {1, 4, 5, 3};
        nnrt__rknpu_port *port = (nnrt__rknpu_port *)calloc(1, sizeof(*port));
        nnrt__tensor_layout logical;
        const char *fault;
        cr_assert_not_null(port);
        port->attr.n_dims = 4;
        memcpy(port->attr.dims, dims, sizeof(dims));
        port->attr.fmt = NNRT_RKNN_NHWC;
        port->attr.type = NNRT_RKNN_INT8;
        port->attr.n_elems = port->attr.size = 60;
        port->bind = port->attr;
        port->bind.size_with_stride = cases[i].told;
        fault = nnrt__rknpu_fit(port, false, cases[i].exact, &logical);
        cr_assert_eq(fault == NULL, cases[i].fits, "%u: %s", cases[i].told, fault != NULL ? fault : "it fits");
        if (fault == NULL) cr_assert_eq(port->inside_size, cases[i].inside, "%u", cases[i].told);
        else cr_assert_str_eq(fault, "has a size that does not follow from its shape and strides");
        free(port);
    }
}

Test(rknpu_model, whatever_attributes_a_runtime_invents_ports_keep_their_promises) {
    static const nnrt__rknpu_io_order orders[4] = {NNRT__RKNPU_IO_MODEL, NNRT__RKNPU_IO_NHWC, NNRT__RKNPU_IO_NCHW,
                                                   NNRT__RKNPU_IO_NATIVE};
    nnrt__rknpu_device *device = (nnrt__rknpu_device *)calloc(1, sizeof(*device));
    nnrt__rknpu_model *model = (nnrt__rknpu_model *)calloc(1, sizeof(*model));
    nnrt__rknpu_context *context = (nnrt__rknpu_context *)calloc(1, sizeof(*context));
    nnrt__rknpu_port *port = (nnrt__rknpu_port *)calloc(1, sizeof(*port)); /* exact: so that it is not left */
    long round, built = 0, refusals = 0;
    cr_assert(device != NULL && model != NULL && context != NULL && port != NULL);
    device->library.api.query = lying_query;
    context->device = device;
    model->device = device;
    random_state = 20240607;
    printf("seed %llu\n", (unsigned long long)random_state);
    for (round = 0; round < 200000; round++) {
        const bool output = random_number() % 2 == 0;
        bool pixels;
        uint32_t size, d;
        OH_NN_ReturnCode code;
        device->library.mini = random_number() % 2 == 0;
        model->options.order = orders[random_number() % 4];
        model->options.io_float = model->options.order != NNRT__RKNPU_IO_NATIVE && random_number() % 2 == 0;
        model->options.input_uint8 = model->options.order != NNRT__RKNPU_IO_NATIVE && random_number() % 2 == 0;
        model->options.general_api =
            !device->library.mini && model->options.order != NNRT__RKNPU_IO_NATIVE && random_number() % 4 == 0;
        code = nnrt__rknpu_make_port(model, context, output, 0, false, port, &pixels);
        if (code != OH_NN_SUCCESS) {
            refusals++;
            continue;
        }
        built++;
        cr_assert(nnrt__layout_size(&port->outside, &size) && size == port->outside_size);
        cr_assert(nnrt__layout_size(&port->inside, &size) && size <= port->inside_size);
        cr_assert(output ? nnrt__layout_convertible(&port->inside, &port->outside)
                         : nnrt__layout_convertible(&port->outside, &port->inside));
        cr_assert(port->desc.rank >= 1 && port->desc.rank <= NNRT_MAX_RANK);
        for (d = 0; d < port->desc.rank; d++) cr_assert_gt(port->desc.dims[d], 0);
        cr_assert_eq(port->attr.name[sizeof(port->attr.name) - 1], '\0');
        size = (uint32_t)nnrt__element_size(port->desc.dtype);
        for (d = 0; d < port->desc.rank; d++) size *= (uint32_t)port->desc.dims[d];
        cr_assert_eq(size, port->outside_size, "the descriptor and the bytes do not agree");
        if (port->direct) cr_assert_eq(port->outside_size, port->inside_size);
    }
    cr_assert(built > 5000 && refusals > 5000, "%ld built, %ld refused", built, refusals);
    free(port);
    free(context);
    free(model);
    free(device);
}

/* The last lie decides: the attributes that come next are of the shape that was set, or not. */
static int lying_set_shapes(nnrt_rknn_context context, uint32_t count, nnrt_rknn_tensor_attr attrs[]) {
    uint32_t i;
    (void)context;
    for (i = 0; i < count; i++) {
        cr_assert_eq(attrs[i].index, i);
        cr_assert(attrs[i].n_dims >= 1 && attrs[i].n_dims <= NNRT_MAX_RANK);
        cr_assert_eq(attrs[i].name[sizeof(attrs[i].name) - 1], '\0');
    }
    return random_number() % 64 == 0 ? -1 : 0;
}

/* Attributes as a runtime with one shape under three names would give them. */
static int plain_query(nnrt_rknn_context context, nnrt_rknn_query_cmd command, void *info, uint32_t size) {
    nnrt_rknn_tensor_attr *attr = (nnrt_rknn_tensor_attr *)info;
    const uint32_t dims[4] = {2, 2, 2, 2};
    if (size != sizeof(*attr) || random_number() % 32 == 0) return lying_query(context, command, info, size);
    attr->n_dims = 4;
    attr->fmt = NNRT_RKNN_NHWC;
    attr->type = NNRT_RKNN_INT8;
    memcpy(attr->dims, dims, sizeof(dims));
    return 0;
}

Test(rknpu_model, whatever_counts_and_shapes_a_runtime_invents_nothing_is_left_behind) {
    nnrt__rknpu_device *device = (nnrt__rknpu_device *)calloc(1, sizeof(*device));
    nnrt__rknpu_context *context = (nnrt__rknpu_context *)calloc(1, sizeof(*context));
    long round, built = 0, dynamic = 0, refusals = 0, blocks = counting_live();
    cr_assert(device != NULL && context != NULL);
    device->library.api.query = plain_query;
    device->library.api.set_input_shapes = lying_set_shapes;
    context->device = device;
    random_state = 20240608;
    printf("seed %llu\n", (unsigned long long)random_state);
    for (round = 0; round < 20000; round++) {
        nnrt__rknpu_model *model = (nnrt__rknpu_model *)nnrt__alloc_zero(1, sizeof(*model));
        size_t least[NNRT_MAX_RANK], most[NNRT_MAX_RANK];
        uint32_t i, d, shape;
        cr_assert_not_null(model);
        model->device = device;
        model->runtime_version = NNRT__RKNN_VERSION(2, 3, 2);
        if (nnrt__rknpu_read_tensors(model, context) == OH_NN_SUCCESS) {
            nnrt_io io[NNRT__RKNPU_MAX_IO];
            built++;
            if (model->shapes.count != 0) dynamic++;
            memset(io, 0, sizeof(io));
            for (i = 0; i < model->npu.input_count; i++) {
                cr_assert_eq(nnrt__rknpu_input_range(model, i, least, most), OH_NN_SUCCESS);
                for (d = 0; d < model->ports[i].desc.rank; d++)
                    cr_assert(least[d] >= 1 && least[d] <= most[d] && most[d] <= INT32_MAX);
            }
            if (model->shapes.count != 0) (void)nnrt__rknpu_model_shape(model, io, &shape);
        } else {
            refusals++;
        }
        nnrt__rknpu_release(&model->npu);
        cr_assert_eq(counting_live(), blocks);
    }
    cr_assert(built > 1000 && dynamic > 1000 && refusals > 1000, "%ld, %ld, %ld", built, dynamic, refusals);
    free(context);
    free(device);
}
