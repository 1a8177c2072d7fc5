/* SPDX-License-Identifier: Apache-2.0 */
/* test_npu_library.c - where a vendor's library is looked for, in which order, and what is said when none fits. With
   the C library's own pieces instead of a vendor's, and with a simulated board where there is one. */
#include "linked.h"

#include <criterion/criterion.h>

#include "npu/board.h"
#include "npu/library.h"

/* What was offered to take. */
typedef struct offers {
    char names[4][256];
    int count;
    int wanted; /* the offer that is taken; 0: none */
} offers;

static OH_NN_ReturnCode take(void *user, const char *name, void *library) {
    offers *o = (offers *)user;
    cr_assert(library != NULL && o->count < 4);
    (void)snprintf(o->names[o->count++], sizeof(o->names[0]), "%s", name);
    return o->count == o->wanted ? OH_NN_SUCCESS
                                 : nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s is not what is wanted", name);
}

static OH_NN_ReturnCode find(offers *o, const char *const *names, const char *const *folders, int wanted) {
    nnrt__library_search search = {"NNRT_TEST_LIBRARY", NULL, NULL, "there is none", 64, take, NULL};
    memset(o, 0, sizeof(*o));
    o->wanted = wanted;
    search.names = names;
    search.folders = folders;
    search.user = o;
    return nnrt__library_find(&search);
}

static const char *const no_folders[] = {NULL};

Test(npu_library, the_first_that_fits_is_taken_and_absent_ones_are_no_news) {
    static const char *const names[] = {"libnnrt_is_absent.so", "libm.so.6", "libc.so.6", NULL};
    offers o;
    unsetenv("NNRT_TEST_LIBRARY");
    cr_assert_eq(find(&o, names, no_folders, 2), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert(o.count == 2 && strcmp(o.names[0], "libm.so.6") == 0 && strcmp(o.names[1], "libc.so.6") == 0);
    cr_assert_eq(find(&o, names, no_folders, 0), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_str_eq(nnrt_last_error(), "libm.so.6 is not what is wanted");
    cr_assert_eq(find(&o, names + 3, no_folders, 1), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_str_eq(nnrt_last_error(), "there is none");
}

/* A folder that the loader does not know is tried where the loader finds nothing; a name that it finds is not tried
   again there. */
Test(npu_library, folders_come_after_the_loaders_own_places) {
    static const char *const names[] = {"librknnmrt.so", NULL}, *const known[] = {"libm.so.6", NULL};
    const char *folder = getenv("NNRT_SIM_DIR");
    const char *folders[3] = {"/nonexistent", NULL, NULL};
    char expected[256], chip[] = "rv1106";
    offers o;
    folders[1] = folder != NULL ? folder : "build/sim";
    (void)setenv("NNRT_SIM_CHIP", chip, 1);
    (void)setenv("NNRT_SIM_REPORT", "0", 1);
    unsetenv("NNRT_TEST_LIBRARY");
    (void)snprintf(expected, sizeof(expected), "%s/librknnmrt.so", folders[1]);
    cr_assert_eq(find(&o, known, folders, 0), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_eq(o.count, 1);
    if (access(expected, F_OK) != 0) cr_skip_test("skipped, no simulated board %s", expected);
    cr_assert_eq(find(&o, names, folders, 1), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_str_eq(o.names[0], expected);
}

Test(npu_library, the_environment_names_the_only_one_to_try) {
    static const char *const names[] = {"libm.so.6", NULL};
    offers o;
    (void)setenv("NNRT_TEST_LIBRARY", "libc.so.6", 1);
    cr_assert_eq(find(&o, names, no_folders, 1), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_str_eq(o.names[0], "libc.so.6");
    (void)setenv("NNRT_TEST_LIBRARY", "/nonexistent/libc.so.6", 1);
    cr_assert_eq(find(&o, names, no_folders, 1), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert(o.count == 0 && strstr(nnrt_last_error(), "/nonexistent/libc.so.6 cannot be loaded") != NULL);
    (void)setenv("NNRT_TEST_LIBRARY", "/0123456789012345678901234567890123456789012345678901234567890123456789", 1);
    cr_assert_eq(find(&o, names, no_folders, 1), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt_last_error(), "NNRT_TEST_LIBRARY is too long"), "%s", nnrt_last_error());
    (void)setenv("NNRT_TEST_LIBRARY", "", 1);
    cr_assert_eq(find(&o, names, no_folders, 1), OH_NN_SUCCESS, "empty is not set");
}

Test(npu_library, functions_that_are_not_there_are_null) {
    static const nnrt__library_symbol symbols[] = {{"cos", 0}, {"nnrt_is_absent", sizeof(void (*)(void))}};
    static const char *const names[] = {"libm.so.6", NULL};
    void (*table[2])(void) = {NULL, NULL};
    void *library = dlopen(names[0], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return; /* another C library */
    nnrt__library_functions(library, symbols, 2, table);
    cr_assert(table[0] != NULL && table[1] == NULL);
    cr_assert_null(nnrt__library_stand_in(library, "nnrt_is_absent"));
}

Test(npu_board, the_chip_is_the_last_of_the_vendors_own) {
    static const char tree[] = "friendly,board\0vendor,one-evb\0vendor,two\0other,three";
    char chip[8];
    nnrt__board_chip_of(tree, sizeof(tree), "vendor,", chip, sizeof(chip));
    cr_assert_str_eq(chip, "two");
    nnrt__board_chip_of(tree, sizeof(tree), "other,", chip, sizeof(chip));
    cr_assert_str_eq(chip, "three");
    nnrt__board_chip_of(tree, 20, "vendor,", chip, sizeof(chip));
    cr_assert_str_eq(chip, "", "cut off in the vendor's name");
    nnrt__board_chip_of(tree, sizeof(tree), "friendly,board-is-longer,", chip, sizeof(chip));
    cr_assert_str_eq(chip, "");
}
