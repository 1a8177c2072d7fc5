/* SPDX-License-Identifier: Apache-2.0 */
/* test_nnie_library.c - HiSilicon's libraries are loaded in the order that works, each function gets its place, and who
   cannot be loaded is told why. With libraries that need each other as the vendor's do (tests/sim/nnie), in folders of
   links that have only some of them. Each test is a process of its own: what is loaded stays. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as nnrt.h asks for POSIX */
#endif
#include "core/log.h"
#define NNRT__HAS_DLOPEN 1 /* as core/backends.h has it */
#include "nnie/library.h"

#include <criterion/criterion.h>

#include <stdio.h>

static char folder[64]; /* of this test */

/* A folder with links to these libraries, "NAME" or "NAME=NAME OF THE LINK"; NNRT_NNIE_LIBRARY names its libnnie.so.
   Skips the test where the libraries are not built. */
static void folder_with(const char *const *names) {
    const char *from = getenv("NNRT_SIM_DIR");
    char target[512], link[512], cwd[256];
    cr_assert_not_null(getcwd(cwd, sizeof(cwd)));
    (void)snprintf(folder, sizeof(folder), "/tmp/nnrt_nnie_XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    for (; *names != NULL; names++) {
        const char *equals = strchr(*names, '=');
        const int length = equals != NULL ? (int)(equals - *names) : (int)strlen(*names);
        from = from != NULL ? from : "build/sim";
        (void)snprintf(target, sizeof(target), "%s%s%s/nnie/%.*s", from[0] == '/' ? "" : cwd, from[0] == '/' ? "" : "/",
                       from, length, *names);
        (void)snprintf(link, sizeof(link), "%s/%s", folder, equals != NULL ? equals + 1 : *names);
        if (access(target, R_OK) != 0) cr_skip_test("skipped, no %s", target);
        cr_assert_eq(symlink(target, link), 0, "%s", link);
    }
    (void)snprintf(link, sizeof(link), "%s/libnnie.so", folder);
    (void)setenv("NNRT_NNIE_LIBRARY", link, 1);
}

static void folder_away(void) {
    char command[96];
    (void)snprintf(command, sizeof(command), "rm -rf %s", folder);
    cr_expect_eq(system(command), 0);
}

static void refused(const char *piece, const char *other) {
    nnrt__nnie_library library;
    cr_expect_eq(nnrt__nnie_library_open(&library), OH_NN_UNAVAILABLE_DEVICE);
    cr_expect(strstr(nnrt__sentence(), piece) != NULL && strstr(nnrt__sentence(), other) != NULL, "\"%s\": %s", piece,
              nnrt__sentence());
    folder_away();
}

/* Every slot has the function of its name: each answers its number. */
static void has_every_function(const nnrt__nnie_api *api) {
    cr_expect_eq(api->load_model(NULL, NULL), 1);
    cr_expect_eq(api->unload_model(NULL), 2);
    cr_expect_eq(api->task_sizes(0, 0, NULL, NULL, 0), 3);
    cr_expect_eq(api->forward(NULL, NULL, NULL, NULL, NULL, 0), 4);
    cr_expect_eq(api->forward_boxes(NULL, NULL, NULL, NULL, NULL, NULL, 0), 5);
    cr_expect_eq(api->query(0, 0, NULL, 0), 6);
    cr_expect_eq(api->add_task_memory(NULL), 7);
    cr_expect_eq(api->remove_task_memory(NULL), 8);
    cr_expect_eq(api->mmz.allocate(NULL, NULL, NULL, NULL, 0), 9);
    cr_expect_eq(api->mmz.allocate_cached(NULL, NULL, NULL, NULL, 0), 10);
    cr_expect_eq(api->mmz.free_memory(0, NULL), 11);
    cr_expect_eq(api->mmz.flush(0, NULL, 0), 12);
}

#define NEEDED "libsecurec.so", "libupvqe.so", "libdnvqe.so", "libVoiceEngine.so", "libmpi.so"

Test(nnie_library, a_library_that_does_not_name_what_it_needs_is_loaded_behind_it) {
    static const char *const names[] = {NEEDED, "libnnie.so", NULL};
    nnrt__nnie_library library;
    folder_with(names);
    cr_expect_null(dlopen(getenv("NNRT_NNIE_LIBRARY"), RTLD_LAZY), "it can be loaded alone: this test shows nothing");
    cr_assert_eq(nnrt__nnie_library_open(&library), OH_NN_SUCCESS, "%s", nnrt__sentence());
    cr_expect_str_eq(library.name, getenv("NNRT_NNIE_LIBRARY"));
    has_every_function(&library.api);
    folder_away();
}

Test(nnie_library, an_earlier_release_gets_its_memory_from_libmpi_all_the_same) {
    static const char *const names[] = {NEEDED, "libnnie_early.so=libnnie.so", NULL};
    nnrt__nnie_library library;
    folder_with(names);
    cr_assert_eq(nnrt__nnie_library_open(&library), OH_NN_SUCCESS, "%s", nnrt__sentence());
    has_every_function(&library.api);
    folder_away();
}

/* libnnie.so is in the process already, for itself or for all to see, and no variable names it. */
static void loaded_already(int visible, const char *expected) {
    static const char *const names[] = {NEEDED, "libnnie.so", NULL};
    nnrt__nnie_library library;
    char path[80];
    folder_with(names);
    (void)snprintf(path, sizeof(path), "%s/", folder);
    nnrt__nnie_load_needed(path);
    cr_assert_not_null(dlopen(getenv("NNRT_NNIE_LIBRARY"), RTLD_NOW | visible), "%s", dlerror());
    (void)unsetenv("NNRT_NNIE_LIBRARY");
    cr_assert_eq(nnrt__nnie_library_open(&library), OH_NN_SUCCESS, "%s", nnrt__sentence());
    cr_expect_str_eq(library.name, expected);
    has_every_function(&library.api);
    folder_away();
}

Test(nnie_library, without_the_variable_the_loader_is_asked_by_name) { loaded_already(RTLD_LOCAL, "libnnie.so"); }

Test(nnie_library, a_program_that_has_the_functions_uses_its_own) { loaded_already(RTLD_GLOBAL, "the program"); }

Test(nnie_library, the_variable_comes_before_what_the_program_has) {
    static const char *const names[] = {NEEDED, "libnnie.so", "libnnie_early.so", NULL};
    nnrt__nnie_library library;
    char path[96];
    folder_with(names);
    (void)snprintf(path, sizeof(path), "%s/", folder);
    nnrt__nnie_load_needed(path);
    cr_assert_not_null(dlopen(getenv("NNRT_NNIE_LIBRARY"), RTLD_NOW | RTLD_GLOBAL), "%s", dlerror());
    (void)snprintf(path, sizeof(path), "%s/libnnie_early.so", folder);
    (void)setenv("NNRT_NNIE_LIBRARY", path, 1);
    cr_assert_eq(nnrt__nnie_library_open(&library), OH_NN_SUCCESS, "%s", nnrt__sentence());
    cr_expect_str_eq(library.name, path);
    folder_away();
}

Test(nnie_library, what_is_missing_is_named) {
    static const char *const without_mpi[] = {"libsecurec.so", "libnnie.so", NULL};
    folder_with(without_mpi);
    refused("libnnie.so cannot be loaded: ", "HI_MPI_SYS_MmzAlloc");
}

Test(nnie_library, a_libnnie_that_needs_no_libmpi_is_no_use_without_it) {
    static const char *const early[] = {"libsecurec.so", "libnnie_early.so=libnnie.so", NULL};
    folder_with(early);
    refused("HI_MPI_SYS_MmzAlloc is not", "libmpi.so has to be beside it");
}

Test(nnie_library, libraries_of_other_families_are_refused) {
    static const char *const other[] = {"libnnie_other.so=libnnie.so", NULL};
    folder_with(other);
    refused("has other functions, those of Hi3531DV200", "Hi3516CV500");
}

Test(nnie_library, any_other_library_is_told_as_such) {
    static const char *const wrong[] = {"libsecurec.so=libnnie.so", NULL};
    folder_with(wrong);
    refused("HI_MPI_SVP_NNIE_LoadModel is not", "it is no libnnie.so");
}

Test(nnie_library, none_at_all_is_told_with_where_it_was_looked_for) {
    static const char *const none[] = {NULL};
    folder_with(none);
    (void)unsetenv("NNRT_NNIE_LIBRARY");
    refused("libnnie.so is not where the loader looks", "NNRT_NNIE_LIBRARY names none");
}

/* ------------------------------------------------------------------------------------------- for whom it is */

/* The first bytes of an ELF file. */
static void elf_bytes(uint8_t *bytes, uint8_t bits, uint8_t machine, uint8_t flags) {
    memset(bytes, 0, NNRT__ELF_HEADER);
    memcpy(bytes, "\177ELF", 4);
    bytes[4] = bits == 64 ? 2 : 1;
    bytes[5] = 1;
    bytes[18] = machine;
    bytes[37] = flags;
    bytes[39] = 5;
}

static void write_elf(const char *name, const uint8_t *bytes, size_t size) {
    char path[128];
    FILE *file;
    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "%s", path);
}

Test(nnie_library, a_library_for_another_program_is_told_with_both_sides) {
    static const char *const none[] = {NULL};
    const nnrt__elf program = nnrt__elf_read("/proc/self/exe");
    uint8_t bytes[NNRT__ELF_HEADER];
    int by_path;
    if (program.bits == 0) cr_skip_test("skipped, no /proc");
    for (by_path = 0; by_path < 2; by_path++) {
        folder_with(none);
        elf_bytes(bytes, 32, 40, program.floats == NNRT__ELF_SOFT ? 4 : 2);
        write_elf("libnnie.so", bytes, sizeof(bytes));
        if (by_path == 0) {
            (void)unsetenv("NNRT_NNIE_LIBRARY");
            (void)setenv("LD_LIBRARY_PATH", folder, 1);
        }
        refused("libnnie.so is 32-bit ARM, ", program.floats == NNRT__ELF_HARD ? "-mfloat-abi=softfp" : "for the chip");
    }
}

Test(nnie_library, the_first_bytes_tell_processor_and_float_abi) {
    static const struct {
        uint8_t bits, machine, flags;
        const char *name;
    } files[] = {{32, 40, 2, "32-bit ARM, softfp"}, {32, 40, 4, "32-bit ARM, hard-float"}, {32, 40, 0, "32-bit ARM"},
                 {64, 183, 4, "64-bit AArch64"},    {64, 62, 0, "64-bit x86-64"},          {32, 3, 0, "32-bit x86"},
                 {32, 8, 0, "32-bit machine 8"}};
    uint8_t bytes[NNRT__ELF_HEADER];
    nnrt__elf elfs[NNRT__COUNT_OF(files)], none;
    size_t i, k;
    char name[48];
    for (i = 0; i < NNRT__COUNT_OF(files); i++) {
        elf_bytes(bytes, files[i].bits, files[i].machine, files[i].flags);
        elfs[i] = nnrt__elf_of(bytes);
        cr_expect_str_eq(nnrt__elf_name(&elfs[i], name, sizeof(name)), files[i].name);
    }
    for (i = 0; i < NNRT__COUNT_OF(files); i++) /* the third does not tell its float ABI and fits the first two */
        for (k = 0; k < NNRT__COUNT_OF(files); k++)
            cr_expect_eq(nnrt__elf_misfits(&elfs[i], &elfs[k]), i != k && !((i == 2 && k < 2) || (k == 2 && i < 2)),
                         "%zu, %zu", i, k);
    memset(bytes, 0, sizeof(bytes));
    none = nnrt__elf_of(bytes);
    cr_expect(none.bits == 0 && !nnrt__elf_misfits(&none, &elfs[0]) && !nnrt__elf_misfits(&elfs[0], &none));
    elf_bytes(bytes, 32, 40, 4);
    bytes[39] = 4; /* the flags of an earlier EABI mean other things */
    none = nnrt__elf_of(bytes);
    cr_expect_str_eq(nnrt__elf_name(&none, name, sizeof(name)), "32-bit ARM");
    bytes[5] = 2;
    bytes[18] = 0;
    bytes[19] = 40;
    none = nnrt__elf_of(bytes);
    cr_expect_str_eq(nnrt__elf_name(&none, name, sizeof(name)), "32-bit big-endian ARM");
    cr_expect(nnrt__elf_misfits(&none, &elfs[1]));
}

Test(nnie_library, what_is_no_elf_file_tells_nothing) {
    static const char *const none[] = {NULL};
    uint8_t bytes[NNRT__ELF_HEADER];
    char path[128];
    folder_with(none);
    elf_bytes(bytes, 32, 40, 2);
    write_elf("short", bytes, sizeof(bytes) - 1);
    (void)snprintf(path, sizeof(path), "%s/short", folder);
    cr_expect_eq(nnrt__elf_read(path).bits, 0);
    cr_expect_eq(nnrt__elf_read(folder).bits, 0);
    cr_expect_eq(nnrt__elf_read("/nowhere/at/all").bits, 0);
    folder_away();
}
