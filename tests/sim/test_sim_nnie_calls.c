/* SPDX-License-Identifier: Apache-2.0 */
/* test_sim_nnie_calls.c - what the simulated libnnie and libmpi answer to what is wrong: the list of calls and answers
   that was seen with the vendor's libraries and driver. tests/sim/nnie/README.md says which. The board's cores are
   threads of its own (pthread). */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <time.h>
#include <unistd.h>

#include "sim/nnie/vendor_program.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ILLEGAL NNRT__NNIE_ILLEGAL_PARAM
#define CODE(call, code) cr_expect_eq((uint32_t)(call), (uint32_t)(code), "%s is 0x%x", #call, (unsigned)(call))

static const char *const chips[] = {"hi3516cv500", "hi3519av100", "hi3559av100"};

static void begin(program *p, const char *chip, const char *release, const char *model) {
    program_open(p, chip, release);
    program_load(p, model);
    program_blobs(p, 0, 2, 0);
}

/* -------------------------------------------------------------------------------------------------------- libraries */

Test(sim_nnie_calls, libnnie_can_only_be_loaded_behind_what_it_does_not_name) {
    static const char *const order[] = {"libsecurec.so", "libupvqe.so", "libdnvqe.so", "libVoiceEngine.so",
                                        "libmpi.so"};
    size_t i;
    if (!vendor_library("", "libsim_hisilicon.so", RTLD_LOCAL)) cr_skip_test("skipped, no simulated board");
    cr_expect_null(vendor_library("", "libmpi.so", RTLD_GLOBAL));
    for (i = 0; i < COUNT(order); i++) {
        cr_expect_null(vendor_library("", "libnnie.so", RTLD_LOCAL), "before %s", order[i]);
        cr_assert_not_null(vendor_library("", order[i], RTLD_GLOBAL), "%s", dlerror());
    }
    cr_assert_not_null(vendor_library("", "libnnie.so", RTLD_GLOBAL), "%s", dlerror());
    cr_expect_null(dlsym(RTLD_DEFAULT, "HI_MPI_SVP_NNIE_Query_Timeout"));
    cr_expect_null(dlsym(RTLD_DEFAULT, "hi_mpi_svp_nnie_load_model"));
}

Test(sim_nnie_calls, earlier_releases_of_libnnie_need_libsecurec_alone) {
    cr_expect_null(vendor_library("2.0.1", "libnnie.so", RTLD_LOCAL));
    if (!vendor_library("2.0.1", "libsecurec.so", RTLD_GLOBAL)) cr_skip_test("skipped, no simulated board");
    cr_expect_not_null(vendor_library("2.0.1", "libnnie.so", RTLD_LOCAL), "%s", dlerror());
}

/* ------------------------------------------------------------------------------------------------- the media system */

Test(sim_nnie_calls, tasks_wait_for_the_media_system_and_models_do_not) {
    static uint8_t config[776];
    int32_t handle = 5, finished = 5;
    program p;
    memset(&p, 0, sizeof(p));
    setenv("NNRT_SIM_REPORT", "0", 1);
    if (!vendor_open(&p.v, chips[0], "")) cr_skip_test("skipped, no simulated board in %s", vendor_folder());
    p.chip = chips[0];
    p.file = program_file(&p, "meter");
    p.model = (vendor_model *)calloc(1, sizeof(*p.model));
    CODE(p.v.load_model(&p.file, p.model), 0);
    CODE(p.v.task_sizes(1, 0, p.model, p.task_sizes, 1), 0);
    p.task[0] = program_memory(&p, p.task_sizes[0], false);
    p.temporary = program_memory(&p, p.model->temporary_size, false);
    program_blobs(&p, 0, 1, 0);
    CODE(program_forward(&p, 0, 0, 1, &handle), NNRT__NNIE_NOTREADY);
    cr_expect_eq(handle, -1);
    CODE(p.v.query(0, 0, &finished, 0), NNRT__NNIE_NOTREADY);
    cr_expect_eq(finished, 5);
    CODE(p.v.add_task(&p.task[0]), NNRT__NNIE_NOTREADY);
    CODE(p.v.sys_init(), 0xa0028010u);
    CODE(p.v.vb_init(), 0xa0018007u);
    CODE(p.v.vb_set_config(NULL), 0xa0018006u);
    CODE(p.v.vb_set_config(config), 0);
    CODE(p.v.vb_init(), 0);
    CODE(p.v.vb_set_config(config), 0xa0018012u);
    CODE(p.v.sys_init(), 0);
    program_run(&p, 0, 0);
    program_flush_all(&p);
    program_free(&p, &p.block);
    program_free(&p, &p.temporary);
    program_free(&p, &p.task[0]);
    CODE(p.v.unload_model(p.model), 0);
    program_free(&p, &p.file);
    cr_expect_eq(p.v.mistakes(), 0, "%s", p.v.mistake(0));
    free(p.model);
}

Test(sim_nnie_calls, who_stops_the_media_system_of_others_is_reported) {
    vendor_api v;
    setenv("NNRT_SIM_REPORT", "0", 1);
    setenv("NNRT_SIM_SYS", "1", 1);
    if (!vendor_open(&v, chips[0], "")) cr_skip_test("skipped, no simulated board in %s", vendor_folder());
    CODE(v.sys_exit(), 0);
    cr_expect(vendor_has_mistake(&v, "media system stopped: HI_MPI_SYS_Exit"));
}

static void chip_is(const char *names, uint32_t expected) {
    uint32_t id = 0;
    vendor_api v;
    setenv("NNRT_SIM_REPORT", "0", 1);
    if (!vendor_open(&v, names, "")) cr_skip_test("skipped, no simulated board in %s", vendor_folder());
    CODE(v.chip_id(&id), 0);
    cr_expect_eq(id, expected);
    CODE(v.chip_id(NULL), 0xa0028006u);
}

Test(sim_nnie_calls, each_chip_has_its_number) { chip_is(chips[1], 0x3519a100u); }
Test(sim_nnie_calls, without_a_name_it_is_hi3516cv500) { chip_is("", 0x3516c500u); }
Test(sim_nnie_calls, of_a_list_the_first_that_is_of_this_vendor) {
    chip_is("rk3588,hi3559av100,hi3519av100", 0x3559a100u);
}

/* ----------------------------------------------------------------------------------------------------------- memory */

Test(sim_nnie_calls, memory_has_a_physical_address_and_another_one) {
    program p;
    vendor_memory a, b;
    vendor_where where = {0, 5};
    uint64_t physical = 7;
    void *address = &p, *view;
    program_open(&p, chips[2], "");
    a = program_memory(&p, 100, false);
    b = program_memory(&p, 5000, true);
    cr_expect(a.physical >> 32 == 1, "above 4 GiB, so that who cuts it is noticed");
    cr_expect(a.physical % 4096 == 0 && b.physical % 4096 == 0 && b.physical > a.physical);
    cr_expect(a.physical != a.address && b.physical != b.address);
    CODE(p.v.where((void *)(uintptr_t)(b.address + 20), &where), 0);
    cr_expect(where.physical == b.physical + 20 && where.cached == 1);
    CODE(p.v.where((void *)(uintptr_t)a.address, &where), 0);
    cr_expect(where.physical == a.physical && where.cached == 0);
    CODE(p.v.where(&p, &where), -1);
    CODE(p.v.alloc(NULL, &address, NULL, NULL, 16), 0xa0028006u);
    CODE(p.v.alloc(&physical, NULL, NULL, NULL, 16), 0xa0028006u);
    CODE(p.v.alloc(&physical, &address, "a name of more than 15 characters", NULL, 0x7fffffffu), -1);
    cr_expect(physical == 7 && address == &p);
    view = p.v.mmap(b.physical + 9, 30);
    cr_assert_not_null(view);
    memset((void *)(uintptr_t)b.address, 1, 64);
    cr_expect_neq(((uint8_t *)view)[0] + ((uint8_t *)view)[1], 2, "an uncached view sees what was not flushed");
    CODE(p.v.mflush(b.physical, (void *)(uintptr_t)b.address, 64), 0);
    cr_expect_eq(((uint8_t *)view)[29], 1);
    CODE(p.v.munmap(view, 30), 0);
    cr_expect_null(p.v.mmap(b.physical, 0));
    cr_expect_null(p.v.mmap(b.address, 10));
    CODE(p.v.munmap(NULL, 0), 0xa0028006u);
    view = p.v.mmap_cached(a.physical + 4096 - 4096 % 100, 4);
    cr_expect_null(view, "behind the end of a block");
    program_free(&p, &a);
    program_free(&p, &b);
    program_close(&p);
}

Test(sim_nnie_calls, a_flush_writes_dirty_lines_back_and_loads_the_others) {
    uint8_t bytes[256], *cpu;
    vendor_memory m;
    program p;
    program_open(&p, chips[0], "");
    m = program_memory(&p, 256, true);
    cpu = (uint8_t *)(uintptr_t)m.address;
    memset(cpu, 1, 256);
    program_flush(&p, &m);
    cr_expect(p.v.memory_read(m.physical, bytes, 256) == 0 && bytes[0] == 1 && bytes[255] == 1);
    memset(bytes, 2, 256);
    cr_expect_eq(p.v.memory_write(m.physical, bytes, 256), 0);
    cr_expect_eq(cpu[0], 1, "the CPU has what it had");
    cpu[70] = 3;
    CODE(p.v.flush(m.physical + 64, cpu + 64, 1), 0);
    cr_expect(cpu[64] == 1 && cpu[70] == 3, "the line was dirty and overwrote the device's");
    CODE(p.v.flush(m.physical, cpu, 32), 0);
    cr_expect(cpu[0] == 2 && cpu[63] == 2 && cpu[128] == 1, "a whole line, no more");
    CODE(p.v.flush(0, cpu, 1), 0);
    cr_expect(cpu[128] == 2 && cpu[255] == 2, "physical 0: all there is");
    CODE(p.v.flush(m.physical, NULL, 1), 0xa0028006u);
    CODE(p.v.flush(m.physical, cpu, 0), 0);
    program_free(&p, &m);
    program_close(&p);
}

/* ----------------------------------------------------------------------------------------------------------- models */

static uint32_t get_u32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_u32(uint8_t *at, uint32_t value) {
    int i;
    for (i = 0; i < 4; i++) at[i] = (uint8_t)(value >> 8 * i);
}

/* Begun with 0. */
static void sign(uint8_t *file) {
    const uint32_t end = get_u32(file + 0x34) + get_u32(file + 0x38);
    uint32_t crc = 0, i, k;
    for (i = 4; i < end; i++) {
        crc ^= file[i];
        for (k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    put_u32(file, ~crc);
}

enum {
    UNTOUCHED, /* how a refusal leaves the structure */
    ZEROED,
    PARTLY,
    TAKEN,      /* it is none */
    TAKEN_ONCE, /* by LoadModel, and GetTskBufSize refuses it */
    ANY
};

typedef struct damage {
    uint32_t at, size; /* of the file; size 1 or 4 bytes */
    uint32_t value;
    int newest, early; /* 2.0.2.1, 2.0.1 */
} damage;

static void damaged(const char *release, bool early) {
    static const damage damages[] = {
        {0x04, 4, 1, TAKEN, TAKEN},       {0x10, 1, 2, ZEROED, ZEROED},     {0x11, 1, 0, ZEROED, ZEROED},
        {0x12, 1, 2, ZEROED, ZEROED},     {0x13, 1, 1, ZEROED, ZEROED},     {0x18, 1, 9, TAKEN, TAKEN},
        {0x20, 4, 9, TAKEN, TAKEN},       {0x30, 1, 1, PARTLY, PARTLY},     {0x31, 1, 0, PARTLY, PARTLY},
        {0x31, 1, 9, PARTLY, PARTLY},     {0x0c, 4, 0, PARTLY, PARTLY},     {0x32, 1, 3, TAKEN, TAKEN},
        {0xc0, 1, 3, PARTLY, TAKEN_ONCE}, {0xc1, 1, 17, PARTLY, PARTLY},    {0xc1, 1, 0, PARTLY, ANY},
        {0xc8, 4, 0, PARTLY, TAKEN_ONCE}, {0xcc, 4, 0, PARTLY, TAKEN_ONCE}, {0xd0, 4, 0, PARTLY, TAKEN_ONCE},
        {0xde, 1, 2, PARTLY, PARTLY},     {0xde, 1, 4, PARTLY, PARTLY},     {0xd8, 4, 2, PARTLY, TAKEN},
    };
    static vendor_model model, before;
    uint8_t *bytes, *clean;
    uint32_t sizes[8];
    size_t i;
    program p;
    program_open(&p, chips[0], release);
    p.file = program_file(&p, "meter");
    bytes = (uint8_t *)(uintptr_t)p.file.address;
    clean = (uint8_t *)malloc(p.file.size);
    memcpy(clean, bytes, p.file.size);
    for (i = 0; i < COUNT(damages); i++) {
        const damage *d = &damages[i];
        const int expected = early ? d->early : d->newest;
        int32_t answer;
        memcpy(bytes, clean, p.file.size);
        if (d->size == 1) bytes[d->at] = (uint8_t)d->value;
        else put_u32(bytes + d->at, d->value);
        sign(bytes);
        memset(&model, 0xee, sizeof(model));
        memcpy(&before, &model, sizeof(model));
        answer = p.v.load_model(&p.file, &model);
        if (expected == TAKEN || expected == TAKEN_ONCE) {
            cr_expect_eq(answer, 0, "0x%x = %u: 0x%x", d->at, d->value, (unsigned)answer);
            cr_expect_eq((uint32_t)p.v.task_sizes(1, 0, &model, sizes, model.segments), expected == TAKEN ? 0 : ILLEGAL,
                         "0x%x = %u", d->at, d->value);
        } else if (expected != ANY) {
            cr_expect_eq((uint32_t)answer, ILLEGAL, "0x%x = %u: 0x%x", d->at, d->value, (unsigned)answer);
            memset(&before, expected == UNTOUCHED ? 0xee : 0, sizeof(before));
            cr_expect_eq(memcmp(&model, &before, sizeof(model)) == 0, expected != PARTLY, "0x%x = %u", d->at, d->value);
        }
        if (answer == 0) PROGRAM_WORKS(p.v.unload_model(&model));
    }
    free(clean);
    program_free(&p, &p.file);
    program_close(&p);
}

Test(sim_nnie_calls, damaged_files_are_refused_by_the_newest_release) { damaged("", false); }
Test(sim_nnie_calls, damaged_files_are_refused_or_not_by_an_early_release) { damaged("2.0.1", true); }

Test(sim_nnie_calls, what_is_wrong_with_the_buffer_leaves_the_model_alone) {
    static vendor_model model, before;
    vendor_memory m;
    uint8_t *bytes;
    uint32_t whole;
    program p;
    program_open(&p, chips[0], "2.0.1");
    p.file = program_file(&p, "meter");
    bytes = (uint8_t *)(uintptr_t)p.file.address;
    whole = get_u32(bytes + 0x34) + get_u32(bytes + 0x38);
    memset(&model, 0xee, sizeof(model));
    memset(&before, 0xee, sizeof(before));
    CODE(p.v.load_model(NULL, &model), NNRT__NNIE_NULL_PTR);
    CODE(p.v.load_model(&p.file, NULL), NNRT__NNIE_NULL_PTR);
    m = p.file;
    m.address = 0;
    CODE(p.v.load_model(&m, &model), ILLEGAL);
    m = p.file;
    m.physical = 0;
    CODE(p.v.load_model(&m, &model), ILLEGAL);
    m.physical = p.file.physical + 8;
    CODE(p.v.load_model(&m, &model), ILLEGAL);
    m = p.file;
    m.size = 192;
    CODE(p.v.load_model(&m, &model), ILLEGAL);
    m.size = whole - 1;
    CODE(p.v.load_model(&m, &model), ILLEGAL);
    bytes[0] ^= 1;
    CODE(p.v.load_model(&p.file, &model), ILLEGAL);
    bytes[0] ^= 1;
    cr_expect(memcmp(&model, &before, sizeof(model)) == 0);
    m = p.file;
    m.physical = 0x900000010u; /* nobody looks for it before a task */
    CODE(p.v.load_model(&m, &model), 0);
    cr_expect_eq(model.base.physical, 0x900000010u + get_u32(bytes + 0x34));
    cr_expect_eq(model.base.address, m.address + get_u32(bytes + 0x34));
    cr_expect_eq(model.base.size, get_u32(bytes + 0x38));
    CODE(p.v.unload_model(&model), 0);
    memset(&before, 0, sizeof(before));
    cr_expect(memcmp(&model, &before, sizeof(model)) == 0);
    CODE(p.v.unload_model(&model), 0);
    CODE(p.v.unload_model(NULL), NNRT__NNIE_NULL_PTR);
    program_free(&p, &p.file);
    program_close(&p);
}

Test(sim_nnie_calls, a_model_is_for_the_chips_of_one_version_of_the_nnie) {
    static vendor_model model;
    program p;
    program_open(&p, chips[2], "");
    p.chip = chips[1];
    p.file = program_file(&p, "meter");
    model.segments = 3;
    CODE(p.v.load_model(&p.file, &model), ILLEGAL);
    cr_expect_eq(model.segments, 0);
    program_free(&p, &p.file);
    program_close(&p);
}

Test(sim_nnie_calls, equal_names_are_cut_and_stay_equal) {
    program p;
    begin(&p, chips[0], "", "equal_names");
    cr_expect_eq(p.model->segment[0].outputs, 4);
    cr_expect_str_eq(p.model->segment[0].output[1].name, "face_rpn_cls_prob_reshape_strid");
    cr_expect_str_eq(p.model->segment[0].output[2].name, p.model->segment[0].output[3].name);
    program_close(&p);
}

Test(sim_nnie_calls, a_name_of_32_bytes_loses_the_last) {
    static vendor_model model;
    uint8_t *bytes;
    program p;
    program_open(&p, chips[0], "");
    p.file = program_file(&p, "meter");
    bytes = (uint8_t *)(uintptr_t)p.file.address;
    memcpy(bytes + 0xc0 + 16 + 16, "a_name_of_thirty_two_characters_", 32);
    sign(bytes);
    PROGRAM_WORKS(p.v.load_model(&p.file, &model));
    cr_expect_str_eq(model.segment[0].input[0].name, "a_name_of_thirty_two_characters");
    PROGRAM_WORKS(p.v.unload_model(&model));
    program_free(&p, &p.file);
    program_close(&p);
}

Test(sim_nnie_calls, task_buffers_have_the_sizes_of_the_formula) {
    static const struct {
        const char *model;
        uint32_t frames, boxes, segment, size;
    } sizes[] = {{"meter", 1, 0, 0, 48},    {"meter", 2, 0, 0, 48},      {"meter", 3, 0, 0, 64},
                 {"meter", 16, 0, 0, 160},  {"meter", 256, 0, 0, 2080},  {"picture", 1, 0, 0, 64},
                 {"picture", 4, 0, 0, 160}, {"picture", 16, 0, 0, 544},  {"picture", 256, 0, 0, 8224},
                 {"yuv420", 2, 0, 0, 64},   {"lstm", 3, 0, 0, 192},      {"rcnn", 1, 5, 0, 80},
                 {"rcnn", 9, 5, 1, 960},    {"cpu_between", 1, 0, 1, 48}};
    uint32_t found[8];
    size_t i;
    program p;
    program_open(&p, chips[0], "");
    for (i = 0; i < COUNT(sizes); i++) {
        program_load(&p, sizes[i].model);
        PROGRAM_WORKS(p.v.task_sizes(sizes[i].frames, sizes[i].boxes, p.model, found, p.model->segments));
        cr_expect_eq(found[sizes[i].segment], sizes[i].size, "%s, %u frames: %u", sizes[i].model, sizes[i].frames,
                     found[sizes[i].segment]);
        program_unload(&p);
    }
    program_load(&p, "rcnn");
    CODE(p.v.task_sizes(0, 5, p.model, found, 2), ILLEGAL);
    CODE(p.v.task_sizes(257, 5, p.model, found, 2), ILLEGAL);
    CODE(p.v.task_sizes(1, 0, p.model, found, 2), ILLEGAL);
    CODE(p.v.task_sizes(1, 17, p.model, found, 2), ILLEGAL);
    CODE(p.v.task_sizes(1, 16, p.model, found, 1), ILLEGAL);
    CODE(p.v.task_sizes(1, 16, NULL, found, 2), NNRT__NNIE_NULL_PTR);
    CODE(p.v.task_sizes(1, 16, p.model, NULL, 2), NNRT__NNIE_NULL_PTR);
    program_unload(&p);
    program_load(&p, "meter");
    CODE(p.v.task_sizes(1, 300, p.model, found, 1), ILLEGAL);
    p.model->segment[0].input[0].width = 7;
    CODE(p.v.task_sizes(1, 0, p.model, found, 1), ILLEGAL);
    p.model->segment[0].input[0].width = 4097;
    CODE(p.v.task_sizes(1, 0, p.model, found, 1), ILLEGAL);
    program_unload(&p);
    program_load(&p, "yuv420");
    p.model->segment[0].input[0].height++;
    CODE(p.v.task_sizes(1, 0, p.model, found, 1), ILLEGAL);
    p.model->segment[0].input[0].type = NNRT__NNIE_YVU422SP;
    CODE(p.v.task_sizes(1, 0, p.model, found, 1), 0);
    p.model->segment[0].input[0].width++;
    CODE(p.v.task_sizes(1, 0, p.model, found, 1), ILLEGAL);
    program_close(&p);
}

/* ------------------------------------------------------------------------------------------------------------ tasks */

Test(sim_nnie_calls, the_library_itself_looks_for_pointers_and_counts) {
    nnrt__nnie_forward control;
    nnrt__nnie_forward_boxes boxes;
    int32_t handle = 7;
    program p;
    begin(&p, chips[0], "", "meter");
    memset(&control, 0, sizeof(control));
    memset(&boxes, 0, sizeof(boxes));
    control.inputs = control.outputs = boxes.inputs = boxes.outputs = boxes.proposals = 1;
    CODE(p.v.forward(NULL, p.inputs, p.model, p.outputs, &control, 1), NNRT__NNIE_NULL_PTR);
    CODE(p.v.forward(&handle, NULL, p.model, p.outputs, &control, 1), NNRT__NNIE_NULL_PTR);
    CODE(p.v.forward(&handle, p.inputs, NULL, p.outputs, &control, 1), NNRT__NNIE_NULL_PTR);
    CODE(p.v.forward(&handle, p.inputs, p.model, NULL, &control, 1), NNRT__NNIE_NULL_PTR);
    CODE(p.v.forward(&handle, p.inputs, p.model, p.outputs, NULL, 1), NNRT__NNIE_NULL_PTR);
    CODE(p.v.forward_boxes(&handle, p.inputs, NULL, p.model, p.outputs, &boxes, 1), NNRT__NNIE_NULL_PTR);
    CODE(p.v.forward(&handle, p.inputs, p.model, p.outputs, &control, 2), ILLEGAL);
    control.inputs = 17;
    CODE(p.v.forward(&handle, p.inputs, p.model, p.outputs, &control, 1), ILLEGAL);
    control.inputs = 1;
    control.outputs = 0;
    CODE(p.v.forward(&handle, p.inputs, p.model, p.outputs, &control, 1), ILLEGAL);
    boxes.proposals = 3;
    CODE(p.v.forward_boxes(&handle, p.inputs, &p.boxes, p.model, p.outputs, &boxes, 1), ILLEGAL);
    CODE(p.v.query(0, 0, NULL, 0), NNRT__NNIE_NULL_PTR);
    CODE(p.v.query(1, 0, &handle, 0), ILLEGAL);
    CODE(p.v.query(0, -1, &handle, 0), ILLEGAL);
    CODE(p.v.query(0, 0x0fffffff, &handle, 0), ILLEGAL);
    CODE(p.v.query(0, 0, &handle, 2), ILLEGAL);
    cr_expect_eq(handle, 7, "what the library refuses leaves the handle");
    program_close(&p);
}

#define CHANGE(name, statement) \
    static void name(program *p) { statement; }
CHANGE(other_type, p->inputs[0].type = NNRT__NNIE_S32)
CHANGE(other_width, p->inputs[0].shape.map.width++)
CHANGE(other_height, p->outputs[0].shape.map.height++)
CHANGE(other_channels, p->outputs[0].shape.map.channels++)
CHANGE(no_stride, p->inputs[0].stride = 0)
CHANGE(odd_stride, p->inputs[0].stride += 8)
CHANGE(short_stride, p->outputs[0].stride -= 16)
CHANGE(odd_address, p->inputs[0].physical += 8)
CHANGE(no_address, p->outputs[0].physical = 0)
CHANGE(virtual_address, p->inputs[0].physical = p->inputs[0].address)
CHANGE(no_frames, p->inputs[0].count = 0)
CHANGE(many_frames, p->inputs[0].count = 257; p->task[0].size = 16384)
CHANGE(no_frames_out, p->outputs[0].count = 0)
CHANGE(small_temporary, p->temporary.size--)
CHANGE(odd_temporary, p->temporary.physical += 4)
CHANGE(small_task, p->task[0].size = 32)
CHANGE(virtual_task, p->task[0].physical = p->task[0].address)
CHANGE(no_model, p->model->base.physical = 0)
CHANGE(no_segment, p->model->segments = 0)
CHANGE(other_counts, p->input_count = 2)
CHANGE(beyond_mmz, p->outputs[0].count = 5000000)
#undef CHANGE

static void (*const changes_refused[])(program *p) = {
    other_type,    other_width, other_height,    other_channels, no_stride,   odd_stride,    short_stride,
    odd_address,   no_address,  virtual_address, no_frames,      many_frames, no_frames_out, small_temporary,
    odd_temporary, small_task,  virtual_task,    no_model,       no_segment,  other_counts,  beyond_mmz};

Test(sim_nnie_calls, the_driver_has_one_code_for_all_that_is_wrong) {
    static vendor_model model;
    size_t i;
    program p, now;
    begin(&p, chips[0], "", "picture");
    (void)program_memory(&p, 4u << 20, false); /* 257 frames would be within MMZ */
    for (i = 0; i < COUNT(changes_refused); i++) {
        int32_t handle = 7;
        now = p;
        memcpy(&model, p.model, sizeof(model));
        now.model = &model;
        changes_refused[i](&now);
        cr_expect_eq((uint32_t)program_forward(&now, 0, 0, 1, &handle), ILLEGAL, "change %zu", i);
        cr_expect_eq(handle, -1, "change %zu", i);
    }
    {
        int32_t handle = 7;
        CODE(program_forward(&p, 0, 1, 1, &handle), ILLEGAL);
        program_run(&p, 0, 0);
        program_flush_all(&p);
    }
}

Test(sim_nnie_calls, the_driver_takes_what_one_would_not_expect) {
    uint32_t i;
    program p;
    begin(&p, chips[0], "", "picture");
    for (i = 0; i < 2; i++) p.outputs[i].address = 0;
    p.inputs[0].address = p.temporary.address = p.task[0].address = p.model->base.address = 0;
    p.inputs[0].count = 1;
    p.outputs[0].count = p.outputs[1].count = 2;
    p.task[0].size = p.v.task_sizes(1, 0, p.model, p.task_sizes, 1) == 0 ? p.task_sizes[0] : 0;
    program_run(&p, 0, 0);
    program_flush_all(&p);
    p.task[0].address = 1; /* program_close frees by it */
    cr_expect_eq(p.v.mistakes(), 0);
}

Test(sim_nnie_calls, rois_have_their_own_call) {
    program p;
    int32_t handle = 7;
    uint32_t i;
    vendor_blob boxes;
    nnrt__nnie_forward control;
    nnrt__nnie_forward_boxes two;
    program_open(&p, chips[1], "");
    program_load(&p, "rcnn");
    program_blobs(&p, 1, 1, 4);
    for (i = 0; i < 6; i++) {
        boxes = p.boxes;
        if (i == 0) p.boxes.shape.map.height = 0;
        if (i == 1) p.boxes.shape.map.height = 17;
        if (i == 2) p.boxes.shape.map.width = 5;
        if (i == 3) p.boxes.count = 2;
        if (i == 4) p.boxes.stride = 24;
        if (i == 5) p.inputs[0].count = 2;
        CODE(program_forward(&p, 1, 0, 1, &handle), ILLEGAL);
        p.boxes = boxes;
        p.inputs[0].count = 1;
    }
    memset(&control, 0, sizeof(control));
    control.inputs = p.input_count;
    control.outputs = p.output_count;
    control.segment = 1;
    control.temporary = p.temporary;
    control.task = p.task[1];
    CODE(p.v.forward(&handle, p.inputs, p.model, p.outputs, &control, 1), ILLEGAL);
    memset(&two, 0, sizeof(two));
    two.inputs = p.input_count;
    two.outputs = p.output_count;
    two.proposals = 2;
    two.segment = 1;
    two.temporary = p.temporary;
    two.task = p.task[1];
    CODE(p.v.forward_boxes(&handle, p.inputs, &p.boxes, p.model, p.outputs, &two, 1), ILLEGAL);
    program_run(&p, 1, 0);
    program_flush_all(&p);
    program_close(&p);
}

Test(sim_nnie_calls, sequences_have_steps_within_the_models) {
    static const unsigned steps[] = {2, 20};
    int32_t handle = 7;
    program p;
    program_open(&p, chips[0], "");
    program_load(&p, "lstm");
    program_steps(&p, steps, 2);
    program_blobs(&p, 0, 2, 0);
    p.steps[1] = 21;
    CODE(program_forward(&p, 0, 0, 1, &handle), ILLEGAL);
    p.steps[1] = 0;
    CODE(program_forward(&p, 0, 0, 1, &handle), ILLEGAL);
    p.steps[1] = 20;
    p.inputs[0].shape.sequence.steps = 0;
    CODE(program_forward(&p, 0, 0, 1, &handle), ILLEGAL);
    p.inputs[0].shape.sequence.steps = p.outputs[0].shape.sequence.steps;
    p.outputs[0].count = 300;
    CODE(program_forward(&p, 0, 0, 1, &handle), ILLEGAL);
    p.outputs[0].count = 2;
    p.inputs[0].count = 300;
    CODE(program_forward(&p, 0, 0, 1, &handle), ILLEGAL);
    p.inputs[0].count = 2;
    PROGRAM_WORKS(program_forward(&p, 0, 0, 1, &handle));
    p.steps[0] = p.steps[1] = 1; /* they were copied during the call */
    {
        int32_t finished = 0;
        PROGRAM_WORKS(p.v.query(0, handle, &finished, 1));
    }
    program_flush_all(&p);
    program_close(&p);
}

/* -------------------------------------------------------------------------------------------------- queue and Query */

static void each_with_its_own_task(program *p, uint32_t count, vendor_memory *tasks, int32_t *handles) {
    uint32_t i;
    for (i = 0; i < count; i++) {
        tasks[i] = program_memory(p, p->task_sizes[0], false);
        p->task[0] = tasks[i];
        PROGRAM_WORKS(program_forward(p, 0, 0, 1, &handles[i]));
    }
}

Test(sim_nnie_calls, handles_count_from_0_and_513_tasks_may_be_unfinished) {
    static int32_t handles[514];
    int32_t handle, finished = 0;
    uint32_t i;
    program p;
    setenv("NNRT_SIM_FAULT", "task@1=hang", 1);
    begin(&p, chips[0], "", "vector");
    p.uncached = true;
    for (i = 0; i < 513; i++) {
        PROGRAM_WORKS(program_forward(&p, 0, 0, 1, &handles[i]));
        cr_assert_eq(handles[i], (int32_t)i);
    }
    CODE(program_forward(&p, 0, 0, 1, &handle), NNRT__NNIE_BUF_FULL);
    cr_expect_eq(handle, -1);
    PROGRAM_WORKS(p.v.query(0, 512, &finished, 0));
    cr_expect_eq(finished, 0);
}

Test(sim_nnie_calls, a_query_tells_the_state_and_later_tasks_make_earlier_ones_finished) {
    vendor_memory tasks[3];
    int32_t handles[3], finished = 0;
    uint32_t i;
    program p;
    begin(&p, chips[0], "", "vector");
    PROGRAM_WORKS(p.v.remove_task(&p.task[0]));
    program_free(&p, &p.task[0]);
    p.v.fault("task@1=hang:60000");
    p.v.block_time(5);
    each_with_its_own_task(&p, 1, tasks, handles);
    PROGRAM_WORKS(p.v.query(0, handles[0], &finished, 0));
    cr_expect_eq(finished, 0);
    finished = 5;
    CODE(p.v.query(0, handles[0], &finished, 1), NNRT__NNIE_QUERY_TIMEOUT);
    cr_expect_eq(finished, 5, "an error leaves the flag");
    p.v.block_time(50000);
    while (p.v.calls("task") == 0) usleep(1000);
    p.v.release_hang();
    PROGRAM_WORKS(p.v.query(0, handles[0], &finished, 1));
    cr_expect_eq(finished, 1);
    program_flush_all(&p);
    for (i = 1; i < 3; i++) {
        each_with_its_own_task(&p, 1, tasks + i, handles + i);
        PROGRAM_WORKS(p.v.query(0, handles[i], &finished, 1));
        program_flush_all(&p);
    }
    for (i = 0; i < 3; i++) {
        PROGRAM_WORKS(p.v.query(0, handles[i], &finished, 0));
        cr_expect_eq(finished, 1);
        program_free(&p, &tasks[i]);
    }
    cr_expect_eq(p.v.mistakes(), 0, "%s", p.v.mistakes() ? p.v.mistake(0) : "");
}

Test(sim_nnie_calls, a_task_that_is_not_instant_shows_with_a_later_one) {
    int32_t first, second, finished = 0;
    vendor_memory other;
    program p;
    begin(&p, chips[0], "", "vector");
    other = program_memory(&p, p.task_sizes[0], false);
    PROGRAM_WORKS(program_forward(&p, 0, 0, 0, &first));
    usleep(20000);
    PROGRAM_WORKS(p.v.query(0, first, &finished, 0));
    cr_expect_eq(finished, 0);
    p.task[0] = other;
    p.temporary = program_memory(&p, p.model->temporary_size, false);
    PROGRAM_WORKS(program_forward(&p, 0, 0, 1, &second));
    PROGRAM_WORKS(p.v.query(0, second, &finished, 1));
    PROGRAM_WORKS(p.v.query(0, first, &finished, 0));
    cr_expect_eq(finished, 1);
}

Test(sim_nnie_calls, an_error_of_the_engine_is_told_once) {
    static const uint32_t errors[] = {NNRT__NNIE_SYS_TIMEOUT, NNRT__NNIE_CFG_ERR};
    size_t i;
    program p;
    begin(&p, chips[0], "", "vector");
    for (i = 0; i < 2; i++) {
        int32_t handle, finished = 5;
        char fault[40];
        snprintf(fault, sizeof(fault), "task@1=fail:0x%x", (unsigned)errors[i]);
        p.v.fault(fault);
        PROGRAM_WORKS(program_forward(&p, 0, 0, 1, &handle));
        CODE(p.v.query(0, handle, &finished, 1), errors[i]);
        cr_expect_eq(finished, 5);
        p.v.block_time(10);
        PROGRAM_WORKS(p.v.query(0, handle, &finished, 0));
        cr_expect_eq(finished, 0);
        CODE(p.v.query(0, handle, &finished, 1), NNRT__NNIE_QUERY_TIMEOUT);
        p.v.fault(NULL);
        p.v.block_time(50000);
        program_run(&p, 0, 0);
        PROGRAM_WORKS(p.v.query(0, handle, &finished, 0));
        cr_expect_eq(finished, 1, "the task behind it has finished");
        program_flush_all(&p);
    }
    program_close(&p);
}

Test(sim_nnie_calls, two_cores_work_at_a_time_and_each_has_its_handles) {
    int32_t handles[2], finished = 0;
    nnrt_sim_work work;
    program p, other;
    begin(&p, chips[2], "", "vector");
    other = p;
    other.task[0] = program_memory(&p, p.task_sizes[0], false);
    other.temporary = program_memory(&p, p.model->temporary_size, false);
    memset(&other.block, 0, sizeof(other.block));
    program_blobs(&other, 0, 1, 0);
    p.v.task_time("100000");
    PROGRAM_WORKS(program_forward(&p, 0, 0, 1, &handles[0]));
    PROGRAM_WORKS(program_forward(&other, 0, 1, 1, &handles[1]));
    cr_expect(handles[0] == 0 && handles[1] == 0);
    PROGRAM_WORKS(p.v.query(0, 0, &finished, 1));
    PROGRAM_WORKS(p.v.query(1, 0, &finished, 1));
    p.v.get_work(&work);
    cr_expect_eq(work.tasks, 2);
    cr_expect_eq(work.most, 2);
    cr_expect(work.overlap > 10000 && work.overlap <= work.busy, "%lu of %lu", (unsigned long)work.overlap,
              (unsigned long)work.busy);
    program_flush_all(&p);
    program_flush_all(&other);
    program_free(&p, &other.task[0]);
    program_free(&p, &other.temporary);
    program_free(&p, &other.block);
    program_close(&p);
}

Test(sim_nnie_calls, registered_task_buffers_are_a_list_of_32) {
    vendor_memory m, piece;
    uint32_t i;
    program p;
    program_open(&p, chips[0], "");
    m = program_memory(&p, 4096, false);
    piece = m;
    piece.size = 16;
    CODE(p.v.add_task(NULL), NNRT__NNIE_NULL_PTR);
    CODE(p.v.remove_task(NULL), NNRT__NNIE_NULL_PTR);
    CODE(p.v.remove_task(&piece), NNRT__NNIE_NOTREADY);
    piece.physical = 0;
    CODE(p.v.add_task(&piece), ILLEGAL);
    piece.physical = m.physical + 8;
    CODE(p.v.add_task(&piece), ILLEGAL);
    piece.physical = m.address;
    CODE(p.v.add_task(&piece), ILLEGAL);
    piece.physical = m.physical;
    piece.size = 0;
    CODE(p.v.add_task(&piece), ILLEGAL);
    piece.size = 64; /* they overlap */
    for (i = 0; i < 32; i++, piece.physical += 16) PROGRAM_WORKS(p.v.add_task(&piece));
    CODE(p.v.add_task(&piece), NNRT__NNIE_BUF_FULL);
    cr_expect_eq(p.v.mistakes(), 0);
    CODE(p.v.add_task(&m), NNRT__NNIE_EXIST);
    cr_expect(vendor_has_mistake(&p.v, "registered twice"));
    for (i = 0; i < 32; i++) {
        piece.physical -= 16;
        piece.size = 16 + i; /* is not compared */
        PROGRAM_WORKS(p.v.remove_task(&piece));
    }
    CODE(p.v.remove_task(&piece), ILLEGAL);
    cr_expect(vendor_has_mistake(&p.v, "not registered"));
    program_free(&p, &m);
}
