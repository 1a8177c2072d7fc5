/* SPDX-License-Identifier: Apache-2.0 */
/* test_bpu_roi.c - regions of pictures: what the resizer of a chip cannot do is refused before the library is asked,
   and what it can is one task whose results are those of each region alone. */
#include "linked.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <unistd.h>

#include "bpu_board.h"
#include "sim/bpu/golden.h"

static nnrt__bpu_resizer of(const char *march) {
    return nnrt__bpu_resizer_of(nnrt__bpu_march_named(march, strlen(march)));
}

static nnrt__bpu_region region_of(int32_t left, int32_t top, int32_t width, int32_t height) {
    nnrt__bpu_region r;
    r.left = left;
    r.top = top;
    r.right = left + width - 1;
    r.bottom = top + height - 1;
    return r;
}

static const nnrt__bpu_frame big = {4096, 4096, 4096};

/* One side of a region scaled to one side of a model, the other one being harmless. */
static bool scales(nnrt__bpu_resizer resizer, bool across, int32_t from, uint32_t to) {
    const nnrt__bpu_region r = across ? region_of(0, 0, from, 64) : region_of(0, 0, 64, from);
    return nnrt__bpu_check_region(resizer, &big, &r, 0, across ? to : 64, across ? 64 : to) == OH_NN_SUCCESS;
}

Test(bpu_roi, every_chip_has_the_limits_of_its_resizer) {
    cr_expect_eq(of("bernoulli2"), NNRT__BPU_RESIZER_X3);
    cr_expect_eq(of("bayes"), NNRT__BPU_RESIZER_BAYES);
    cr_expect_eq(of("bayes-e"), NNRT__BPU_RESIZER_BAYES);
    cr_expect_eq(of("nash-e"), NNRT__BPU_RESIZER_UNKNOWN);
    cr_expect_eq(nnrt__bpu_resizer_of(NULL), NNRT__BPU_RESIZER_UNKNOWN);
}

Test(bpu_roi, every_size_is_taken_or_refused_as_documented) {
    int across, from;
    uint32_t to;
    for (across = 0; across < 2; across++) {
        for (from = 2; from <= 300; from += 2) /* a region of X3 has even sizes */
            for (to = 1; to <= 2100; to += from % 16 == 0 ? 1 : 7) {
                const double ratio = (double)to / from;
                const bool expected = from >= 16 && from < 256 && ratio > 0.5 && ratio <= 8.0;
                cr_assert_eq(scales(NNRT__BPU_RESIZER_X3, across != 0, from, to), expected, "X3: %d to %u", from,
                             (unsigned)to);
            }
        for (from = 1; from <= 4096; from += from < 40 || from > 4080 ? 1 : 37)
            for (to = 1; to <= 2000; to += to < 40 ? 1 : 13) {
                const int64_t above = (int64_t)(from - 1) * 65536 + ((int64_t)to - 1) / 2;
                const bool expected = from >= 2 && to >= 2 && above / (to == 1 ? 1 : (int64_t)to - 1) <= 262143;
                cr_assert_eq(scales(NNRT__BPU_RESIZER_BAYES, across != 0, from, to), expected, "bayes: %d to %u", from,
                             (unsigned)to);
                cr_assert(scales(NNRT__BPU_RESIZER_UNKNOWN, across != 0, from, to));
            }
    }
}

static void refused(nnrt__bpu_resizer resizer, const nnrt__bpu_region *r, const char *sentence) {
    const nnrt__bpu_frame source = {640, 480, 640};
    cr_expect_eq(nnrt__bpu_check_region(resizer, &source, r, 3, 128, 64), OH_NN_INVALID_PARAMETER, "%s", sentence);
    cr_expect_str_eq(nnrt__sentence(), sentence);
}

Test(bpu_roi, a_region_is_refused_with_its_number_and_the_reason) {
    nnrt__bpu_region r = region_of(640, 0, 2, 2);
    refused(NNRT__BPU_RESIZER_UNKNOWN, &r,
            "region 3 from (640,0) to (641,1), both inside, is not in a picture of 640x480");
    r = region_of(0, 400, 100, 81);
    refused(NNRT__BPU_RESIZER_BAYES, &r,
            "region 3 from (0,400) to (99,480), both inside, is not in a picture of 640x480");
    r = region_of(-2, 0, 100, 100);
    refused(NNRT__BPU_RESIZER_BAYES, &r,
            "region 3 from (-2,0) to (97,99), both inside, is not in a picture of 640x480");
    r = region_of(10, 10, 0, 10);
    refused(NNRT__BPU_RESIZER_BAYES, &r,
            "region 3 from (10,10) to (9,19), both inside, is not in a picture of 640x480");
    r.left = INT32_MIN;
    r.right = INT32_MAX;
    refused(NNRT__BPU_RESIZER_UNKNOWN, &r,
            "region 3 from (-2147483648,10) to (2147483647,19), both inside, is not in a picture of 640x480");
    r = region_of(11, 10, 100, 100);
    refused(NNRT__BPU_RESIZER_X3, &r,
            "region 3 goes from (11,10) to (110,109): on X3 it begins at even and ends at odd coordinates");
    r = region_of(10, 10, 101, 100);
    refused(NNRT__BPU_RESIZER_X3, &r,
            "region 3 goes from (10,10) to (110,109): on X3 it begins at even and ends at odd coordinates");
    r = region_of(10, 10, 100, 14);
    refused(NNRT__BPU_RESIZER_X3, &r, "region 3 is 100x14 and the model's input 128x64: X3 takes 16 to 255 pixels");
    r = region_of(10, 10, 254, 130);
    refused(NNRT__BPU_RESIZER_X3, &r,
            "region 3 is 254x130 and the model's input 128x64: X3 scales by more than 1/2, up to 8");
    r = region_of(10, 10, 1, 14);
    refused(NNRT__BPU_RESIZER_BAYES, &r,
            "region 3 is 1x14 and the model's input 128x64: the resizer takes 2 to 4096 pixels");
    r = region_of(10, 10, 600, 300);
    refused(NNRT__BPU_RESIZER_BAYES, &r,
            "region 3 is 600x300 and the model's input 128x64: the resizer shrinks below 1/4");
}

/* A value that the file says comes through the resizer: what the library tells of it decides whether it can. */
Test(bpu_roi, only_one_picture_of_y_or_nv12_has_a_resizer) {
    static const struct {
        nnrt__bpu_element element;
        int32_t order;
        uint32_t rank;
        int32_t dims[4];
        uint32_t h; /* 0: it has none */
    } rows[] = {{NNRT__BPU_Y, NNRT__BPU_NHWC, 4, {1, 64, 128, 1}, 1},
                {NNRT__BPU_Y, NNRT__BPU_NCHW, 4, {1, 1, 64, 128}, 2},
                {NNRT__BPU_NV12, NNRT__BPU_NCHW, 4, {1, 3, 64, 128}, 2},
                {NNRT__BPU_NV12, NNRT__BPU_NHWC, 4, {1, 64, 128, 3}, 1},
                {NNRT__BPU_Y, NNRT__BPU_NHWC, 3, {1, 64, 128, 1}, 0},
                {NNRT__BPU_Y, NNRT__BPU_NHWC, 4, {2, 64, 128, 1}, 0},
                {NNRT__BPU_Y, NNRT__BPU_NHWC, 4, {0, 64, 128, 1}, 0},
                {NNRT__BPU_S8, NNRT__BPU_NHWC, 4, {1, 64, 128, 1}, 0}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        nnrt__bpu_tensor tensor;
        uint32_t h = 9;
        bool is;
        memset(&tensor, 0, sizeof(tensor));
        tensor.element = rows[i].element;
        tensor.order = rows[i].order;
        tensor.rank = rows[i].rank;
        for (size_t k = 0; k < 4; k++) tensor.dims[k] = rows[i].dims[k];
        is = nnrt__bpu_picture_axes(&tensor, &h);
        cr_expect_eq(is, rows[i].h != 0, "row %zu", i);
        if (is) cr_expect_eq(h, rows[i].h, "row %zu: %u", i, (unsigned)h);
    }
}

/* A picture that comes through the resizer: of NV12 the program sees rows, of gray its channel last. */
static const struct {
    nnrt__bpu_element element;
    int32_t order, dims[4];
    uint32_t rank; /* that the program sees */
    int32_t seen[4], given[4];
} resized[] = {{NNRT__BPU_NV12, NNRT__BPU_NCHW, {1, 3, 64, 128}, 3, {1, -1, -1}, {1, 30, 48}},
               {NNRT__BPU_NV12, NNRT__BPU_NHWC, {1, 64, 128, 3}, 3, {1, -1, -1}, {1, 30, 48}},
               {NNRT__BPU_Y, NNRT__BPU_NCHW, {1, 1, 64, 128}, 4, {1, -1, -1, 1}, {1, 20, 48, 1}},
               {NNRT__BPU_Y, NNRT__BPU_NHWC, {1, 64, 128, 1}, 4, {1, -1, -1, 1}, {1, 20, 48, 1}}};

/* The two ports of a picture like row i, height x width for the model. */
static OH_NN_ReturnCode add_resized(nnrt__bpu_model *model, nnrt__bpu_value *value, nnrt__bpu_port *ports, size_t i,
                                    int32_t height, int32_t width) {
    const uint32_t h = resized[i].order == NNRT__BPU_NHWC ? 1 : 2;
    memset(value, 0, sizeof(*value));
    memset(ports, 0, 2 * sizeof(*ports));
    value->resized = true;
    value->tensor.element = resized[i].element;
    value->tensor.order = resized[i].order;
    value->tensor.rank = 4;
    memcpy(value->tensor.dims, resized[i].dims, sizeof(resized[i].dims));
    value->tensor.dims[h] = height;
    value->tensor.dims[h + 1] = width;
    memcpy(value->tensor.aligned, value->tensor.dims, sizeof(value->tensor.dims));
    model->values = value;
    model->value_inputs = 1;
    model->ports = ports;
    model->npu.input_count = model->npu.output_count = 0;
    return nnrt__bpu_add_resized(model, 0, "image");
}

static void free_resized(nnrt__bpu_port *ports) {
    nnrt__free(ports[0].name);
    nnrt__free(ports[1].name);
}

Test(bpu_roi, the_height_and_width_of_a_picture_are_the_programs_and_nothing_else_is) {
    nnrt__bpu_device device;
    nnrt__bpu_model model;
    nnrt__bpu_value value;
    nnrt__bpu_port ports[2];
    size_t i;
    uint32_t d;
    memset(&device, 0, sizeof(device));
    memset(&model, 0, sizeof(model));
    device.march = nnrt__bpu_march_named("bayes", 5);
    model.device = &device;
    for (i = 0; i < NNRT__COUNT_OF(resized); i++) {
        const uint32_t h = resized[i].order == NNRT__BPU_NHWC ? 1 : 2;
        nnrt__bpu_executor executor;
        nnrt__bpu_tensor shape;
        nnrt_io io;
        cr_assert_eq(add_resized(&model, &value, ports, i, 64, 128), OH_NN_SUCCESS, "row %zu", i);
        cr_expect(model.npu.input_count == 2 && model.npu.output_count == 0);
        cr_expect_eq(ports[0].desc.rank, resized[i].rank, "row %zu", i);
        for (d = 0; d < resized[i].rank; d++)
            cr_expect_eq(ports[0].desc.dims[d], resized[i].seen[d], "row %zu, dimension %u: %d", i, (unsigned)d,
                         (int)ports[0].desc.dims[d]);
        cr_expect(ports[1].desc.rank == 2 && ports[1].desc.dims[0] == -1 && ports[1].desc.dims[1] == 4);
        cr_expect_eq(ports[1].desc.dtype, OH_NN_INT32);
        memset(&executor, 0, sizeof(executor));
        memset(&io, 0, sizeof(io));
        shape = value.tensor;
        executor.model = &model;
        executor.shape = &shape;
        io.rank = resized[i].rank;
        memcpy(io.dims, resized[i].given, sizeof(resized[i].given));
        cr_expect_eq(nnrt__bpu_take_picture(&executor, &ports[0], &io), OH_NN_SUCCESS, "row %zu: %s", i,
                     nnrt__sentence());
        cr_expect(shape.dims[h] == 20 && shape.dims[h + 1] == 48, "row %zu: %dx%d", i, (int)shape.dims[h],
                  (int)shape.dims[h + 1]);
        free_resized(ports);
    }
}

/* X3 makes less than 18432 pixels, in whatever order its dimensions stand. */
Test(bpu_roi, the_size_of_a_models_picture_is_checked_in_either_order) {
    nnrt__bpu_device device;
    nnrt__bpu_model model;
    nnrt__bpu_value value;
    nnrt__bpu_port ports[2];
    size_t i;
    memset(&device, 0, sizeof(device));
    memset(&model, 0, sizeof(model));
    device.march = nnrt__bpu_march_named("bernoulli2", 10);
    model.device = &device;
    for (i = 0; i < NNRT__COUNT_OF(resized); i++) {
        cr_expect_eq(add_resized(&model, &value, ports, i, 142, 128), OH_NN_SUCCESS, "row %zu", i);
        free_resized(ports);
        cr_expect_eq(add_resized(&model, &value, ports, i, 144, 128), OH_NN_FAILED, "row %zu", i);
        cr_expect_str_eq(nnrt__sentence(),
                         "input \"image\" is 128x144: the resizer of X3 makes less than 18432 pixels");
        free_resized(ports);
        cr_expect_eq(add_resized(&model, &value, ports, i, 2, 9216), OH_NN_FAILED, "row %zu", i);
        free_resized(ports);
        model.options.planes = true;
        cr_expect_eq(add_resized(&model, &value, ports, i, 64, 128), OH_NN_UNSUPPORTED, "row %zu", i);
        model.options.planes = false;
        free_resized(ports);
    }
}

Test(bpu_roi, pictures_and_models_have_limits_of_their_own) {
    static const struct {
        nnrt__bpu_frame source;
        nnrt__bpu_resizer resizer;
        const char *sentence; /* NULL: it is taken */
    } rows[] = {
        {{640, 480, 640}, NNRT__BPU_RESIZER_X3, NULL},
        {{28, 20, 32}, NNRT__BPU_RESIZER_BAYES, NULL},
        {{4098, 2, 4112}, NNRT__BPU_RESIZER_X3, NULL},
        {{4096, 2, 131072}, NNRT__BPU_RESIZER_BAYES, NULL},
        {{641, 480, 656}, NNRT__BPU_RESIZER_UNKNOWN, "picture \"image\" is 641x480: both must be even"},
        {{640, 0, 640}, NNRT__BPU_RESIZER_BAYES, "picture \"image\" is 640x0: both must be even"},
        {{28, 20, 28},
         NNRT__BPU_RESIZER_X3,
         "picture \"image\" has 28 columns in rows of 28 bytes: rows are a multiple of 16"},
        {{640, 480, 624},
         NNRT__BPU_RESIZER_BAYES,
         "picture \"image\" has 640 columns in rows of 624 bytes: rows are a multiple of 16"},
        {{4098, 2, 4112},
         NNRT__BPU_RESIZER_BAYES,
         "picture \"image\" has 4098 columns in rows of 4112 bytes: the resizer reads 4096 in 131072"},
        {{4096, 2, 131088},
         NNRT__BPU_RESIZER_BAYES,
         "picture \"image\" has 4096 columns in rows of 131088 bytes: the resizer reads 4096 in 131072"},
    };
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        const bool taken = nnrt__bpu_check_frame(rows[i].resizer, &rows[i].source, "image") == OH_NN_SUCCESS;
        cr_expect_eq(taken, rows[i].sentence == NULL, "row %zu", i);
        if (rows[i].sentence != NULL) cr_expect_str_eq(nnrt__sentence(), rows[i].sentence);
    }
    cr_expect_eq(nnrt__bpu_check_target(NNRT__BPU_RESIZER_X3, 128, 143, "image"), OH_NN_SUCCESS);
    cr_expect_eq(nnrt__bpu_check_target(NNRT__BPU_RESIZER_X3, 128, 144, "image"), OH_NN_FAILED);
    cr_expect_str_eq(nnrt__sentence(), "input \"image\" is 128x144: the resizer of X3 makes less than 18432 pixels");
    cr_expect_eq(nnrt__bpu_check_target(NNRT__BPU_RESIZER_BAYES, 4096, 4096, "image"), OH_NN_SUCCESS);
    cr_expect_eq(nnrt__bpu_check_target(NNRT__BPU_RESIZER_BAYES, 1, 2, "image"), OH_NN_FAILED);
    cr_expect_str_eq(nnrt__sentence(), "input \"image\" is 1x2: the resizer makes 2x2 pixels and more");
    cr_expect_eq(nnrt__bpu_check_target(NNRT__BPU_RESIZER_UNKNOWN, 1, 1, "image"), OH_NN_SUCCESS);
}

Test(bpu_roi, properties_of_an_output_tell_the_library_that_it_is_one_memory_for_all) {
    static const uint32_t versions[][2] = {{1, 6}, {1, 9}, {1, 14}, {1, 18}, {1, 24}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(versions); i++) {
        const nnrt__bpu_layout *layout = nnrt__bpu_layout_find(versions[i][0], versions[i][1]);
        uint8_t bytes[200], before[200];
        const int32_t one = 2, size = 48;
        memset(bytes, 0x11, sizeof(bytes));
        memcpy(bytes + layout->valid, &one, 4);
        memcpy(bytes + layout->aligned, &one, 4);
        memcpy(bytes + layout->byte_size, &size, 4);
        memcpy(before, bytes, sizeof(bytes));
        nnrt__bpu_put_runs(layout, 7, bytes);
        cr_expect_eq(nnrt__read_i32(bytes + layout->valid), 14);
        cr_expect_eq(nnrt__read_i32(bytes + layout->aligned), 14);
        cr_expect_eq(nnrt__read_i32(bytes + layout->byte_size), 336);
        memcpy(bytes + layout->valid, &one, 4);
        memcpy(bytes + layout->aligned, &one, 4);
        memcpy(bytes + layout->byte_size, &size, 4);
        cr_expect_arr_eq(bytes, before, sizeof(bytes), "and nothing else");
    }
}

/* ------------------------------------------------------------------------------------------ on the board */

#define MODEL_WIDTH 24
#define MODEL_HEIGHT 16
#define MODEL_BYTES (MODEL_WIDTH * MODEL_HEIGHT * 3 / 2)

/* Chips with a resizer, and every release that they have had. */
static const board_release with_resizer[] = {{"x3", "1.6.1"},  {"x3", "1.9.7"},  {"x3", "1.14.1"}, {"x3", "1.18.4"},
                                             {"j5", "1.14.1"}, {"j5", "1.24.5"}, {"x5", "1.23.10"}};

static void on_each(board_life life, const void *user) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(with_resizer); i++) {
        const int answer = board_try(with_resizer[i].chip, with_resizer[i].version, life, user);
        if (answer == BOARD_ABSENT) board_absent((unsigned)i, with_resizer[i].chip, with_resizer[i].version);
        else
            cr_assert(answer == BOARD_WORKS, "%s %s: the child ended with %d", with_resizer[i].chip,
                      with_resizer[i].version, answer);
    }
}

/* A tensor of device with the descriptor of input or output i, its free dimensions filled in order. */
static NN_Tensor *tensor_of(const rig *r, size_t device, bool output, size_t i, int32_t first, int32_t second) {
    NN_TensorDesc *desc = rig_desc(r, output, i);
    int32_t *now = NULL, dims[NNRT_MAX_RANK];
    const int32_t wanted[2] = {first, second};
    size_t rank, d, filled = 0;
    NN_Tensor *tensor;
    MUST_WORK(OH_NNTensorDesc_GetShape(desc, &now, &rank));
    for (d = 0; d < rank; d++) dims[d] = now[d] == -1 ? wanted[filled++] : now[d];
    if (output) dims[0] = first; /* after a run it is what that one made */
    MUST_WORK(OH_NNTensorDesc_SetShape(desc, dims, rank));
    tensor = OH_NNTensor_Create(device, desc);
    MUST(tensor != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

/* Bytes of one region in an output. */
static size_t unit_of(const rig *r) {
    size_t size;
    NN_Tensor *one = tensor_of(r, r->b->cpu, true, 0, 1, 0);
    (void)bytes_of(one, &size);
    MUST_WORK(OH_NNTensor_Destroy(&one));
    return size;
}

static void put_regions(NN_Tensor *tensor, const nnrt__bpu_region *regions, size_t count) {
    size_t size;
    memcpy(bytes_of(tensor, &size), regions, count * sizeof(regions[0]));
    MUST(size == count * 16, "%zu bytes", size);
}

static const nnrt__bpu_region whole = {0, 0, MODEL_WIDTH - 1, MODEL_HEIGHT - 1};

/* The model's golden answer to all of a picture, count times in one run. */
static void golden_run(board *b, const char *model, size_t device, int32_t count) {
    nnrt__bpu_region regions[8];
    golden g;
    size_t size, unit, bytes, i;
    int32_t k;
    unsigned n, data = 0;
    rig r;
    for (k = 0; k < 8; k++) regions[k] = whole;
    MUST(golden_read(&g, b->folder, model, b->chip), "%s.%s.golden", model, b->chip);
    rig_open(&r, b, model, NULL);
    for (n = 0; n < g.count && !g.tensor[n].output; n++) {
        const bool picture = strcmp(g.tensor[n].type, "NV12") == 0;
        NN_Tensor *tensor = picture ? tensor_of(&r, device, false, data, MODEL_HEIGHT * 3 / 2, MODEL_WIDTH)
                                    : tensor_of(&r, device, false, data, count, 0);
        bytes = g.tensor[n].bytes;
        r.inputs[data++] = tensor;
        for (k = 0; k < (picture ? 1 : count); k++)
            memcpy(bytes_of(tensor, &size) + (size_t)k * bytes, g.tensor[n].data, bytes);
        MUST(size == bytes * (size_t)(picture ? 1 : count), "%zu bytes", size);
        if (!picture) continue;
        r.inputs[data] = tensor_of(&r, device, false, data, count, 0);
        put_regions(r.inputs[data++], regions, (size_t)count);
    }
    MUST(data == r.input_count && n + 1 == g.count, "%u inputs", data);
    r.outputs[0] = tensor_of(&r, device, true, 0, count, 0);
    unit = unit_of(&r);
    MUST(unit == g.tensor[n].bytes, "%zu bytes", unit);
    MUST_WORK(rig_run(&r));
    for (i = 0; i < (size_t)count; i++)
        MUST(memcmp(bytes_of(r.outputs[0], &size) + i * unit, g.tensor[n].data, unit) == 0, "region %zu of %d", i,
             (int)count);
    rig_end(&r);
    golden_free(&g);
}

static void golden_lives(board *b, const void *user) {
    (void)user;
    golden_run(b, "resizer", b->npu, 1);
    golden_run(b, "resizer", b->npu, 5);
    golden_run(b, "resizer", b->cpu, 3);
    golden_run(b, "resizers", b->npu, 1);
    golden_run(b, "resizers", b->npu, 4);
    golden_run(b, "resizers", b->cpu, 8);
}

Test(bpu_roi, all_of_a_picture_is_the_answer_to_it_in_every_release, .timeout = 120) { on_each(golden_lives, NULL); }

/* ---------------------------------------------------------------------------------------- parts of pictures */

/* The pixels of a region, which has the model's size, of an NV12 picture of width x height. */
static void cut_out(const uint8_t *picture, uint32_t width, uint32_t height, const nnrt__bpu_region *region,
                    uint8_t *part) {
    const uint32_t left = (uint32_t)region->left, top = (uint32_t)region->top;
    uint32_t y;
    for (y = 0; y < MODEL_HEIGHT; y++, part += MODEL_WIDTH)
        memcpy(part, picture + (top + y) * width + left, MODEL_WIDTH);
    for (y = 0; y < MODEL_HEIGHT / 2; y++, part += MODEL_WIDTH)
        memcpy(part, picture + width * height + (top / 2 + y) * width + left, MODEL_WIDTH);
}

/* What the model makes of a picture of its own size. */
static void answer_alone(board *b, const uint8_t *part, uint8_t *answer) {
    size_t size;
    rig r;
    rig_open(&r, b, "resizer", NULL);
    r.inputs[0] = tensor_of(&r, b->npu, false, 0, MODEL_HEIGHT * 3 / 2, MODEL_WIDTH);
    r.inputs[1] = tensor_of(&r, b->npu, false, 1, 1, 0);
    r.outputs[0] = tensor_of(&r, b->npu, true, 0, 1, 0);
    memcpy(bytes_of(r.inputs[0], &size), part, MODEL_BYTES);
    put_regions(r.inputs[1], &whole, 1);
    MUST_WORK(rig_run(&r));
    memcpy(answer, bytes_of(r.outputs[0], &size), unit_of(&r));
    rig_end(&r);
}

typedef struct frame {
    int32_t width, height;
    bool in_place;
} frame;

static void parts_live(board *b, const void *user) {
    enum {
        COUNT = 6
    };
    static const int32_t at[COUNT][2] = {{0, 0}, {16, 8}, {2, 30}, {14, 2}, {8, 32}, {16, 8}};
    const frame *f = (const frame *)user;
    const size_t bytes = (size_t)(f->width * f->height * 3 / 2);
    nnrt__bpu_region regions[COUNT];
    uint8_t part[MODEL_BYTES], expected[4096];
    uint8_t *picture;
    int32_t *shape;
    uint32_t rank;
    size_t size, unit, i, k;
    int run;
    rig r;
    for (i = 0; i < COUNT; i++) regions[i] = region_of(at[i][0], at[i][1], MODEL_WIDTH, MODEL_HEIGHT);
    rig_open(&r, b, "resizer", NULL);
    unit = unit_of(&r);
    MUST(unit <= sizeof(expected), "%zu bytes", unit);
    r.inputs[0] = tensor_of(&r, b->npu, false, 0, f->height * 3 / 2, f->width);
    picture = bytes_of(r.inputs[0], &size);
    MUST(size == bytes, "%zu bytes", size);
    for (run = 0; run < 3; run++) { /* with another number of regions each time */
        const size_t count = run == 0 ? COUNT : run == 1 ? 2 : COUNT - 1;
        for (k = 0; k < bytes; k++) picture[k] = rig_byte(7u + (uint32_t)run, k);
        r.inputs[1] = tensor_of(&r, b->npu, false, 1, (int32_t)count, 0);
        r.outputs[0] = tensor_of(&r, b->npu, true, 0, (int32_t)count, 0);
        put_regions(r.inputs[1], regions, count);
        MUST_WORK(rig_run(&r));
        MUST((rig_number(&r, "bpu.copied_bytes") < bytes) == f->in_place, "%llu bytes copied",
             (unsigned long long)rig_number(&r, "bpu.copied_bytes"));
        for (i = 0; i < count; i++) {
            cut_out(picture, (uint32_t)f->width, (uint32_t)f->height, &regions[i], part);
            answer_alone(b, part, expected);
            MUST(memcmp(bytes_of(r.outputs[0], &size) + i * unit, expected, unit) == 0, "region %zu of %zu", i, count);
        }
        shape = NULL;
        MUST_WORK(OH_NNExecutor_GetOutputShape(r.executor, 0, &shape, &rank));
        MUST(rank == 4 && shape[0] == (int32_t)count, "%d regions in the shape", (int)shape[0]);
        MUST_WORK(OH_NNTensor_Destroy(&r.inputs[1]));
        MUST_WORK(OH_NNTensor_Destroy(&r.outputs[0]));
    }
    rig_end(&r);
}

Test(bpu_roi, many_regions_of_a_picture_are_each_of_them_alone, .timeout = 120) {
    static const frame fits = {48, 48, true}, needs_rows = {40, 52, false};
    on_each(parts_live, &fits);
    on_each(parts_live, &needs_rows);
}

/* Two pictures of different sizes with regions of their own, which libraries before 1.14 do not have. */
static void pairs_live(board *b, const void *user) {
    static const int32_t size_of[2][2] = {{48, 32}, {64, 48}}; /* width, height */
    const bool own = b->version[2] != '6' && b->version[2] != '9';
    nnrt__bpu_region regions[2][3];
    uint8_t part[2][MODEL_BYTES], expected[3][MODEL_WIDTH * MODEL_HEIGHT * 3 * 4];
    size_t size, unit, i, k;
    int alone, picture;
    rig r;
    (void)user;
    for (alone = 1; alone >= 0; alone--) { /* pictures of the model's size first, then all regions of the large ones */
        rig_open(&r, b, "resizers", NULL);
        unit = unit_of(&r);
        MUST(unit == sizeof(expected[0]), "%zu bytes", unit);
        for (i = 0; i < (alone ? 3u : 1u); i++) {
            const int32_t count = alone ? 1 : 3;
            for (picture = 0; picture < 2; picture++) {
                const int32_t width = size_of[picture][0], height = size_of[picture][1];
                NN_Tensor *tensor = alone ? tensor_of(&r, b->npu, false, 2 * (size_t)picture, 24, 24)
                                          : tensor_of(&r, b->npu, false, 2 * (size_t)picture, height * 3 / 2, width);
                uint8_t *bytes = bytes_of(tensor, &size), large[64 * 48 * 3 / 2];
                for (k = 0; k < (size_t)(width * height * 3 / 2); k++) large[k] = rig_byte((uint32_t)picture, k);
                for (k = 0; k < 3; k++)
                    regions[picture][k] = region_of((int32_t)(8 * k), (int32_t)(own ? 4 * k * (size_t)picture : 4 * k),
                                                    MODEL_WIDTH, MODEL_HEIGHT);
                cut_out(large, (uint32_t)width, (uint32_t)height, &regions[picture][i], part[picture]);
                memcpy(bytes, alone ? part[picture] : large, size);
                r.inputs[2 * picture] = tensor;
                r.inputs[2 * picture + 1] = tensor_of(&r, b->npu, false, 2 * (size_t)picture + 1, count, 0);
                put_regions(r.inputs[2 * picture + 1], alone ? &whole : regions[picture], (size_t)count);
            }
            r.inputs[4] = tensor_of(&r, b->npu, false, 4, count, 0);
            for (k = 0; k < 3 * MODEL_WIDTH * MODEL_HEIGHT * (size_t)count; k++)
                bytes_of(r.inputs[4], &size)[k] =
                    rig_byte(9u + (uint32_t)(alone ? i : k / (3 * MODEL_WIDTH * MODEL_HEIGHT)),
                             k % (3 * MODEL_WIDTH * MODEL_HEIGHT));
            r.outputs[0] = tensor_of(&r, b->npu, true, 0, count, 0);
            MUST_WORK(rig_run(&r));
            if (alone) memcpy(expected[i], bytes_of(r.outputs[0], &size), unit);
            else MUST(memcmp(bytes_of(r.outputs[0], &size), expected, 3 * unit) == 0, "another answer");
            if (i == 2 || !alone) break;
            for (k = 0; k < 5; k++) MUST_WORK(OH_NNTensor_Destroy(&r.inputs[k]));
            MUST_WORK(OH_NNTensor_Destroy(&r.outputs[0]));
        }
        if (!alone && !own) {
            regions[1][1].top += 2;
            regions[1][1].bottom += 2;
            put_regions(r.inputs[3], regions[1], 3);
            MUST(rig_run(&r) == OH_NN_INVALID_PARAMETER, "%s", nnrt_last_error());
            MUST(strcmp(nnrt_last_error(),
                        "region 1 of \"b_roi\" is not that of the first picture: a library before 1.14 "
                        "has one for all") == 0,
                 "%s", nnrt_last_error());
        }
        rig_end(&r);
    }
}

Test(bpu_roi, two_pictures_have_regions_of_their_own, .timeout = 120) { on_each(pairs_live, NULL); }

/* The executor has room for the most regions of every picture; one more is refused. */
static void most_live(board *b, const void *user) {
    static const int32_t size_of[2][2] = {{48, 32}, {64, 48}}; /* width, height */
    nnrt__bpu_region regions[NNRT__BPU_MAX_BATCH + 1];
    size_t size, unit, i, k, picture;
    uint8_t *answers;
    int32_t more;
    rig r;
    (void)user;
    for (i = 0; i <= NNRT__BPU_MAX_BATCH; i++)
        regions[i] = region_of((int32_t)(i % 2 * 8), 0, MODEL_WIDTH, MODEL_HEIGHT);
    for (more = 0; more < 2; more++) {
        const int32_t count = (int32_t)NNRT__BPU_MAX_BATCH + more;
        rig_open(&r, b, "resizers", NULL);
        unit = unit_of(&r);
        for (picture = 0; picture < 2; picture++) {
            uint8_t *bytes;
            r.inputs[2 * picture] =
                tensor_of(&r, b->npu, false, 2 * picture, size_of[picture][1] * 3 / 2, size_of[picture][0]);
            bytes = bytes_of(r.inputs[2 * picture], &size);
            for (k = 0; k < size; k++) bytes[k] = rig_byte((uint32_t)picture, k);
            r.inputs[2 * picture + 1] = tensor_of(&r, b->npu, false, 2 * picture + 1, count, 0);
            put_regions(r.inputs[2 * picture + 1], regions, (size_t)count);
        }
        r.inputs[4] = tensor_of(&r, b->npu, false, 4, count, 0);
        answers = bytes_of(r.inputs[4], &size); /* the same for each */
        memset(answers, 3, size);
        r.outputs[0] = tensor_of(&r, b->npu, true, 0, count, 0);
        if (more == 0) {
            MUST_WORK(rig_run(&r));
            answers = bytes_of(r.outputs[0], &size);
            for (i = 2; i < (size_t)count; i++)
                MUST(memcmp(answers + i * unit, answers + i % 2 * unit, unit) == 0, "region %zu", i);
        } else {
            MUST_BE(OH_NN_INVALID_PARAMETER, rig_run(&r));
        }
        rig_end(&r);
    }
}

Test(bpu_roi, as_many_regions_are_taken_as_a_task_may_have, .timeout = 120) { on_each(most_live, NULL); }

/* ------------------------------------------------------------------------------------------------ refusals */

static void refused_run(rig *r, const char *sentence) {
    const OH_NN_ReturnCode code = rig_run(r);
    MUST(code == OH_NN_INVALID_PARAMETER && strcmp(nnrt_last_error(), sentence) == 0, "%d: %s, not %s", (int)code,
         nnrt_last_error(), sentence);
}

static void refusals_live(board *b, const void *user) {
    static const char *const batch[] = {"bpu.batch", "2", NULL}, *const planes[] = {"bpu.nv12", "planes", NULL};
    const bool x3 = b->chip[1] == '3';
    nnrt__bpu_region region = region_of(0, 0, 49, 16);
    char path[400];
    size_t size, i;
    rig r;
    (void)user;
    rig_open(&r, b, "resizer", NULL);
    r.inputs[0] = tensor_of(&r, b->npu, false, 0, 48, 48);
    r.inputs[1] = tensor_of(&r, b->npu, false, 1, 1, 0);
    r.outputs[0] = tensor_of(&r, b->npu, true, 0, 1, 0);
    put_regions(r.inputs[1], &region, 1);
    refused_run(&r, "region 0 from (0,0) to (48,15), both inside, is not in a picture of 48x32");
    region = region_of(0, 0, x3 ? 48 : 1, 16);
    put_regions(r.inputs[1], &region, 1);
    refused_run(&r, x3 ? "region 0 is 48x16 and the model's input 24x16: X3 scales by more than 1/2, up to 8"
                       : "region 0 is 1x16 and the model's input 24x16: the resizer takes 2 to 4096 pixels");
    region = region_of(0, 0, 24, 16);
    put_regions(r.inputs[1], &region, 1);
    MUST_WORK(rig_run(&r));
    MUST_WORK(OH_NNTensor_Destroy(&r.inputs[0]));
    r.inputs[0] = tensor_of(&r, b->npu, false, 0, 49, 48);
    refused_run(&r, "picture \"image\" has 49 rows: NV12 has 3 for every 2 of the picture");
    MUST_WORK(OH_NNTensor_Destroy(&r.inputs[0]));
    r.inputs[0] = tensor_of(&r, b->npu, false, 0, 48, 47);
    refused_run(&r, "picture \"image\" is 47x32: both must be even");
    MUST_WORK(OH_NNTensor_Destroy(&r.inputs[0]));
    MUST_WORK(OH_NNTensor_Destroy(&r.inputs[1]));
    r.inputs[0] = tensor_of(&r, b->npu, false, 0, 48, 48);
    r.inputs[1] = tensor_of(&r, b->npu, false, 1, 256, 0);
    refused_run(&r, "input 1 is [256,4]: dimension 0 can be 1 to 255");
    MUST_WORK(OH_NNTensor_Destroy(&r.inputs[1]));
    r.inputs[1] = tensor_of(&r, b->npu, false, 1, 255, 0);
    for (i = 0; i < 255; i++) memcpy(bytes_of(r.inputs[1], &size) + 16 * i, &region, 16);
    MUST(rig_run(&r) == OH_NN_INVALID_PARAMETER, "an output of one region takes 255");
    MUST_WORK(OH_NNTensor_Destroy(&r.outputs[0]));
    r.outputs[0] = tensor_of(&r, b->npu, true, 0, 255, 0);
    MUST_WORK(rig_run(&r));
    rig_end(&r);

    rig_open(&r, b, "resizers", NULL);
    for (i = 0; i < 4; i++) r.inputs[i] = tensor_of(&r, b->npu, false, i, i % 2 == 0 ? 24 : 2, 24);
    r.inputs[4] = tensor_of(&r, b->npu, false, 4, 3, 0);
    r.outputs[0] = tensor_of(&r, b->npu, true, 0, 2, 0);
    refused_run(&r, "dimension 0 of \"c\" is 3, and 2 regions need 2");
    rig_end(&r);

    (void)snprintf(path, sizeof(path), "%s/models/resizer.%s.bin", b->folder, b->chip);
    for (i = 0; i < 2; i++) {
        OH_NNCompilation *c = OH_NNCompilation_ConstructWithOfflineModelFile(path);
        MUST(c != NULL, "%s", nnrt_last_error());
        MUST_WORK(OH_NNCompilation_SetDevice(c, b->npu));
        rig_configure(c, i == 0 ? batch : planes);
        MUST(OH_NNCompilation_Build(c) == OH_NN_FAILED, "it builds");
        MUST(strcmp(nnrt_last_error(),
                    i == 0 ? "bpu.batch: the model takes regions of a picture, which are a batch of their own"
                           : "\"image\" comes through the resizer: it takes Y and NV12 in one memory") == 0,
             "%s", nnrt_last_error());
        OH_NNCompilation_Destroy(&c);
    }
}

Test(bpu_roi, runs_that_the_resizer_cannot_do_are_refused_and_the_next_one_works, .timeout = 120) {
    on_each(refusals_live, NULL);
}

/* -------------------------------------------------------------------------------------- without a model */

Test(bpu_roi, a_resize_has_limits_of_its_own) {
    static const struct {
        bool nv12;
        nnrt__bpu_frame source;
        nnrt__bpu_region region;
        nnrt__bpu_frame target;
        const char *sentence; /* NULL: it is taken */
    } rows[] = {
        {true, {640, 480, 640}, {0, 0, 639, 479}, {320, 240, 320}, NULL},
        {false, {4080, 9000, 4080}, {0, 0, 0, 0}, {1, 1, 16}, NULL},
        {false, {200, 200, 208}, {0, 0, 184, 184}, {1, 1, 16}, NULL},
        {false, {200, 200, 208}, {0, 0, 0, 0}, {255, 255, 256}, NULL},
        {false,
         {200, 200, 208},
         {0, 0, 185, 184},
         {1, 1, 16},
         "nnrt_bpu_resize: 186x185 pixels to 1x1: each side becomes 1/185 to less than 256 times as long"},
        {false,
         {200, 200, 208},
         {0, 0, 0, 0},
         {255, 256, 256},
         "nnrt_bpu_resize: 1x1 pixels to 255x256: each side becomes 1/185 to less than 256 times as long"},
        {true,
         {641, 480, 656},
         {0, 0, 1, 1},
         {2, 2, 16},
         "nnrt_bpu_resize: the source is NV12 of 641x480: both must be even"},
        {true,
         {640, 480, 640},
         {0, 0, 1, 1},
         {2, 3, 16},
         "nnrt_bpu_resize: the target is NV12 of 2x3: both must be even"},
        {false,
         {4096, 2, 4096},
         {0, 0, 1, 1},
         {2, 2, 16},
         "nnrt_bpu_resize: the source is 4096x2 in rows of 4096 bytes: 1 to 4080 columns in 16 to 4080 bytes, a "
         "multiple "
         "of 16, are possible"},
        {false,
         {2, 2, 16},
         {0, 0, 1, 1},
         {20, 2, 16},
         "nnrt_bpu_resize: the target is 20x2 in rows of 16 bytes: 1 to 4080 columns in 16 to 4080 bytes, a multiple "
         "of "
         "16, are possible"},
        {false,
         {2, 400, 16},
         {0, 0, 1, 399},
         {2, 4081, 16},
         "nnrt_bpu_resize: the target has 4081 rows, and 4080 are the most"},
        {false,
         {20, 20, 32},
         {0, 0, 20, 1},
         {2, 2, 16},
         "region 0 from (0,0) to (20,1), both inside, is not in a picture of 20x20"},
    };
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        const bool taken =
            nnrt__bpu_check_resize(rows[i].nv12, &rows[i].source, &rows[i].region, &rows[i].target) == OH_NN_SUCCESS;
        cr_expect_eq(taken, rows[i].sentence == NULL, "row %zu: %s", i, nnrt__sentence());
        if (rows[i].sentence != NULL) cr_expect_str_eq(nnrt__sentence(), rows[i].sentence);
    }
}

static NN_Tensor *bytes_tensor(size_t device, int32_t size) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    NN_Tensor *tensor;
    MUST(desc != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_SetDataType(desc, OH_NN_UINT8));
    MUST_WORK(OH_NNTensorDesc_SetShape(desc, &size, 1));
    tensor = OH_NNTensor_Create(device, desc);
    MUST(tensor != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

static void resized_as(nnrt_bpu_pixels pixels, const nnrt_bpu_picture *source, const nnrt_bpu_region *region,
                       const nnrt_bpu_picture *target, OH_NN_ReturnCode expected, const char *piece) {
    const OH_NN_ReturnCode code = nnrt_bpu_resize(pixels, source, region, target, 10000);
    MUST(code == expected && strstr(nnrt_last_error(), piece) != NULL, "%d: %s", (int)code, nnrt_last_error());
}

static void resize_lives(board *b, const void *user) {
    static const nnrt_bpu_region regions[2] = {{0, 0, 23, 15}, {10, 6, 33, 21}};
    const bool has = b->chip[1] == '3' || strcmp(b->version, "1.14.1") == 0;
    nnrt_bpu_picture source = {NULL, 40, 24, 48}, target = {NULL, 24, 16, 32}, other = source;
    uint8_t picture[40 * 24 * 3 / 2], part[MODEL_BYTES];
    uint8_t *rows;
    size_t size, i;
    uint32_t y;
    (void)user;
    source.tensor = bytes_tensor(b->npu, 48 * 36);
    target.tensor = bytes_tensor(b->npu, 32 * 24);
    if (!has) {
        resized_as(NNRT_BPU_PIXELS_NV12, &source, &regions[0], &target, OH_NN_UNSUPPORTED,
                   " and has no hbDNNResize, which 1.6 to 1.22 have: give regions to a model with a resizer");
    } else {
        for (i = 0; i < sizeof(picture); i++) picture[i] = rig_byte(3, i);
        rows = bytes_of(source.tensor, &size);
        for (y = 0; y < 36; y++) memcpy(rows + y * 48, picture + y * 40, 40);
        for (i = 0; i < 2; i++) { /* as large as the target: the same pixels */
            nnrt__bpu_region region;
            memcpy(&region, &regions[i], sizeof(region));
            cut_out(picture, 40, 24, &region, part);
            MUST_WORK(nnrt_bpu_resize(NNRT_BPU_PIXELS_NV12, &source, &regions[i], &target, i == 0 ? 0 : 10000));
            for (y = 0; y < 24; y++)
                MUST(memcmp(bytes_of(target.tensor, &size) + y * 32, part + y * 24, 24) == 0, "row %u", (unsigned)y);
        }
        b->fault("hbDNNResize@0=fail:-6000012");
        resized_as(NNRT_BPU_PIXELS_NV12, &source, NULL, &target, OH_NN_FAILED, "hbDNNResize: ");
        b->fault("hbDNNWaitTaskDone@0=fail:-6000012");
        resized_as(NNRT_BPU_PIXELS_NV12, &source, NULL, &target, OH_NN_FAILED, "hbDNNWaitTaskDone: ");
        for (i = 1; i <= 3; i++) { /* the source is cleaned, the target, and what it had in the cache forgotten */
            char fault[64];
            (void)snprintf(fault, sizeof(fault), "hbSysFlushMem@%u=fail:-6000012", (unsigned)i);
            b->fault(fault);
            resized_as(NNRT_BPU_PIXELS_NV12, &source, NULL, &target, OH_NN_FAILED, "hbSysFlushMem: ");
            MUST(b->calls("hbSysFlushMem") == i && b->calls("hbDNNResize") == (i == 3), "flush %u", (unsigned)i);
        }
        b->fault("");
        MUST_WORK(nnrt_bpu_resize(NNRT_BPU_PIXELS_NV12, &source, NULL, &target, 0));
        MUST(b->calls("hbSysFlushMem") == 3, "%u flushes", b->calls("hbSysFlushMem"));
        MUST_WORK(nnrt_bpu_resize(NNRT_BPU_PIXELS_Y, &source, NULL, &target, 0));
    }
    other.tensor = bytes_tensor(b->cpu, 48 * 36);
    resized_as(NNRT_BPU_PIXELS_NV12, &other, NULL, &target, OH_NN_INVALID_PARAMETER,
               "the source is no tensor of the BPU device");
    resized_as(NNRT_BPU_PIXELS_NV12, &source, NULL, &source, OH_NN_INVALID_PARAMETER,
               "source and target are one tensor");
    resized_as(NNRT_BPU_PIXELS_NV12, &source, NULL, NULL, OH_NN_INVALID_PARAMETER, "a picture is NULL");
    resized_as((nnrt_bpu_pixels)2, &source, NULL, &target, OH_NN_INVALID_PARAMETER, "pixels are Y or NV12");
    target.height = 18;
    resized_as(NNRT_BPU_PIXELS_NV12, &source, NULL, &target, OH_NN_INVALID_PARAMETER,
               "the target has 864 bytes, from a multiple of 16 on, and its tensor 768");
    MUST_WORK(OH_NNTensor_Destroy(&source.tensor));
    MUST_WORK(OH_NNTensor_Destroy(&target.tensor));
    MUST_WORK(OH_NNTensor_Destroy(&other.tensor));
}

/* A resize that is late: the program goes on, and what the BPU may still write to is not given back. */
static void late_lives(board *b, const void *user) {
    nnrt_bpu_picture source = {NULL, 40, 24, 48}, target = {NULL, 24, 16, 32};
    nnrt_sim_live before, after;
    (void)user;
    source.tensor = bytes_tensor(b->npu, 48 * 36);
    target.tensor = bytes_tensor(b->npu, 32 * 24);
    b->get_live(&before);
    b->fault("hbDNNWaitTaskDone@0=fail:-6000008"); /* the library's own word for: not yet */
    MUST(nnrt_bpu_resize(NNRT_BPU_PIXELS_Y, &source, NULL, &target, 20) == OH_NN_TIMEOUT, "%s", nnrt_last_error());
    MUST(strcmp(nnrt_last_error(), "nnrt_bpu_resize: the BPU did not finish in 20 ms") == 0, "%s", nnrt_last_error());
    b->fault("");
    MUST_WORK(nnrt_bpu_resize(NNRT_BPU_PIXELS_Y, &source, NULL, &target, 0));
    MUST_WORK(OH_NNTensor_Destroy(&source.tensor));
    MUST_WORK(OH_NNTensor_Destroy(&target.tensor));
    b->get_live(&after);
    MUST(memcmp(&before, &after, sizeof(before)) == 0, "memory was given back");
    _exit(BOARD_WORKS); /* before anybody looks for leaks */
}

Test(bpu_roi, a_part_of_a_picture_is_resized_where_the_library_can_and_refused_elsewhere, .timeout = 120) {
    static const char *const ucp[] = {"s100", NULL};
    on_each(resize_lives, NULL);
    board_each(ucp, resize_lives, NULL);
}

Test(bpu_roi, memory_of_a_resize_that_is_late_stays) {
    static const char *const x3[] = {"x3", NULL};
    board_each(x3, late_lives, NULL);
}
