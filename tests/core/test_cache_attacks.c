/* SPDX-License-Identifier: Apache-2.0 */
/* test_cache_attacks.c - the cache on disk beside others: processes that write it at once and have the same id, users
   who put something in its place, disks that fail at every call. Whoever else there is does not decide whether a
   program starts, nor what it computes. */
#include "counting_alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------ system calls that can be refused */

enum {
    CALL_UNNAMED, /* open of a file without a name */
    CALL_CREATE,
    CALL_WRITE,
    CALL_SYNC,
    CALL_LINK,
    CALL_RENAME,
    CALL_KINDS
};

static int refused_kind = -1, refused_errno;
static long refused_from, refused_count, refused_seen; /* of this kind: so many calls from that one, counted from 0 */
static bool no_unnamed;                                /* a file system that cannot do that, as vfat */

static bool is_refused(int kind) {
    if (kind == CALL_UNNAMED && no_unnamed) {
        errno = EOPNOTSUPP;
        return true;
    }
    if (kind != refused_kind) return false;
    refused_seen++;
    errno = refused_errno;
    return refused_seen > refused_from && refused_seen <= refused_from + refused_count;
}

static void refuse(int kind, int code, long from, long count) {
    refused_kind = kind;
    refused_errno = code;
    refused_from = from;
    refused_count = count;
    refused_seen = 0;
}

static int call_open(const char *path, int flags, ...) {
    va_list list;
    unsigned mode = 0;
    va_start(list, flags);
    if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) mode = va_arg(list, unsigned);
    va_end(list);
    if ((flags & O_TMPFILE) == O_TMPFILE && is_refused(CALL_UNNAMED)) return -1;
    if ((flags & O_CREAT) != 0 && is_refused(CALL_CREATE)) return -1;
    return open(path, flags, (mode_t)mode);
}

static ssize_t call_write(int fd, const void *from, size_t size) {
    if (is_refused(CALL_WRITE)) return -1;
    return write(fd, from, size > 100 ? 100 : size); /* a system may write less than it was asked */
}

static int call_fsync(int fd) { return is_refused(CALL_SYNC) ? -1 : fsync(fd); }

__attribute__((unused)) static int call_linkat(int a, const char *from, int b, const char *to, int flags) {
    return is_refused(CALL_LINK) ? -1 : linkat(a, from, b, to, flags);
}

static int call_rename(const char *from, const char *to) { return is_refused(CALL_RENAME) ? -1 : rename(from, to); }

/* As in two containers: everybody is process 7. */
#define getpid() ((pid_t)7)
#define open(...) call_open(__VA_ARGS__)
#define write(fd, from, size) call_write(fd, from, size)
#define fsync(fd) call_fsync(fd)
#define linkat(a, from, b, to, flags) call_linkat(a, from, b, to, flags)
#define rename(from, to) call_rename(from, to)
#include "core/platform.h"
#undef getpid
#undef open
#undef write
#undef fsync
#undef linkat
#undef rename

#define NNRT_NO_CPU /* not needed here; a quarter of the time to compile */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "mock_device.h"

/* ---------------------------------------------------------------------------------------------- cache and folder */

enum {
    NOBODY = 65534,
    SOMEBODY = 65533
};

static const int32_t four[1] = {4};
static char folder[32];
static char paths[2][128]; /* info, blob */
static int warnings;
static char warning_line[512];

static void keep_line(void *user, nnrt_log_level level, const char *message) {
    (void)user;
    if (level != NNRT_LOG_WARNING) return;
    warnings++;
    snprintf(warning_line, sizeof(warning_line), "%s", message);
}

static void use_folder(const char *path) {
    snprintf(folder, sizeof(folder), "%s", path);
    snprintf(paths[0], sizeof(paths[0]), "%s/cache_info.nncache", folder);
    snprintf(paths[1], sizeof(paths[1]), "%s/0.nncache", folder);
}

static void open_folder(void) {
    char path[] = "/tmp/nnrt-attack-XXXXXX";
    cr_assert_not_null(mkdtemp(path));
    use_folder(path);
    nnrt_set_log(keep_line, NULL);
}

/* Files in the folder; by the system call, as readdir fails on 32 bits where the system has wider numbers. An entry: 8
   bytes each of number and place, 2 of its size, 1 of its kind, its name. */
static int count_files(void) {
    char entries[4096];
    const int fd = open(folder, O_RDONLY | O_DIRECTORY);
    int count = 0;
    long size, at;
    cr_assert_geq(fd, 0);
    while ((size = syscall(SYS_getdents64, fd, entries, sizeof(entries))) > 0) {
        uint16_t step;
        for (at = 0; at < size; at += step) {
            memcpy(&step, entries + at + 16, sizeof(step));
            count += entries[at + 19] != '.';
        }
    }
    cr_assert_eq(size, 0);
    close(fd);
    return count;
}

static void close_folder(void) {
    char command[64];
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(cache_attacks, .init = open_folder, .fini = close_folder, .timeout = 120);

/* Builds, and an executor if there may be one; *executed tells whether there was one. */
static OH_NN_ReturnCode build(uint32_t version, bool *executed) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    OH_NNExecutor *executor;
    OH_NN_ReturnCode code;
    OK(OH_NNCompilation_SetCache(c, folder, version));
    code = OH_NNCompilation_Build(c);
    executor = OH_NNExecutor_Construct(c);
    *executed = executor != NULL;
    if (executor != NULL) OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&c);
    return code;
}

static OH_NN_ReturnCode build_for_cache(uint32_t version) {
    OH_NNCompilation *c = OH_NNCompilation_ConstructForCache();
    OH_NN_ReturnCode code;
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_SetCache(c, folder, version));
    code = OH_NNCompilation_Build(c);
    OH_NNCompilation_Destroy(&c);
    return code;
}

/* A Build that must succeed; whether it compiled. */
static bool builds(uint32_t version) {
    const int before = mock.prepared;
    bool executed;
    OK(build(version, &executed));
    cr_assert(executed);
    return mock.prepared > before;
}

/* ------------------------------------------------------------------------------------------------ other processes */

/* Each takes the cache away again and again, so that all of them write it. */
static void writes_at_once(void) {
    enum {
        PROCESSES = 8,
        BUILDS = 60
    };
    pid_t children[PROCESSES];
    int i, k, failed = 0;
    cr_assert(builds(1)); /* the device is registered before there are more */
    for (i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        cr_assert_geq(children[i], 0);
        if (children[i] != 0) continue;
        nnrt_set_log(NULL, NULL);
        for (k = 0, failed = 0; k < BUILDS; k++) {
            bool executed;
            (void)unlink(paths[0]);
            failed += build(1, &executed) != OH_NN_SUCCESS;
        }
        _exit(failed);
    }
    for (i = 0; i < PROCESSES; i++) {
        int status;
        cr_assert_eq(waitpid(children[i], &status, 0), children[i]);
        cr_assert(WIFEXITED(status));
        failed += WEXITSTATUS(status);
    }
    cr_assert_eq(failed, 0, "%d of %d Builds failed", failed, PROCESSES * BUILDS);
    (void)builds(1);
    OK(build_for_cache(1));
    cr_assert_eq(count_files(), 2, "temporary files stay behind");
}

Test(cache_attacks, processes_with_the_same_id_may_all_write_the_cache) { writes_at_once(); }

Test(cache_attacks, also_where_files_have_a_name_from_the_start) {
    no_unnamed = true;
    writes_at_once();
}

Test(cache_attacks, a_name_that_somebody_has_is_tried_again) {
    static const int kinds[2] = {CALL_LINK, CALL_CREATE};
    bool executed;
    size_t i;
    for (i = 0; i < 2; i++) {
        no_unnamed = kinds[i] == CALL_CREATE;
        refuse(kinds[i], EEXIST, 0, 20);
        cr_assert(builds((uint32_t)i + 1));
        cr_assert(refused_seen > 20 || NNRT__UNNAMED == 0);
        refuse(-1, 0, 0, 0);
        OK(build_for_cache((uint32_t)i + 1));
        cr_assert_eq(count_files(), 2);
    }
    refuse(CALL_CREATE, EEXIST, 0, 1000000); /* it ends some time */
    cr_assert_eq(build(3, &executed), OH_NN_INVALID_PARAMETER);
    cr_assert(executed);
}

/* ----------------------------------------------------------------------------------------------- disks that fail */

/* Every call of every kind, on both kinds of file systems: the code, the compiled model, the old cache, no remains. */
Test(cache_attacks, whatever_call_fails_the_model_runs_and_the_old_cache_stays_or_is_replaced_whole) {
    static const int errors[] = {ENOSPC, EDQUOT, EIO, EROFS, EPERM, EACCES, ENOENT};
    int kind, unnamed;
    size_t e;
    cr_assert(builds(1));
    for (unnamed = 0; unnamed < 2; unnamed++) {
        no_unnamed = unnamed == 0;
        for (kind = CALL_CREATE; kind < CALL_KINDS; kind++) {
            for (e = 0; e < sizeof(errors) / sizeof(errors[0]); e++) {
                const bool full = errors[e] == ENOSPC || errors[e] == EDQUOT ||
                                  (errors[e] == EIO && kind != CALL_CREATE) || kind == CALL_WRITE || kind == CALL_SYNC;
                long n;
                for (n = 0; n < 40; n++) {
                    OH_NN_ReturnCode code;
                    bool executed, met;
                    unlink(paths[0]);
                    unlink(paths[1]);
                    cr_assert(builds(1));
                    refuse(kind, errors[e], n, 1);
                    code = build(2, &executed);
                    met = refused_seen > n;
                    refuse(-1, 0, 0, 0);
                    cr_assert(executed, "kind %d, %s, call %ld", kind, strerror(errors[e]), n);
                    cr_assert_eq(count_files(), 2, "kind %d, %s, call %ld", kind, strerror(errors[e]), n);
                    if (!met || kind == CALL_LINK) cr_assert_eq(code, OH_NN_SUCCESS);
                    else if (full) cr_assert_eq(code, OH_NN_SAVE_CACHE_EXCEPTION, "kind %d: %d", kind, (int)code);
                    else if (kind == CALL_CREATE) cr_assert_eq(code, OH_NN_INVALID_PARAMETER);
                    else cr_assert_eq(code, OH_NN_SUCCESS, "kind %d, %s", kind, strerror(errors[e]));
                    /* the info is renamed last: behind the other file it is of no use */
                    code = build_for_cache(2);
                    if (code != OH_NN_SUCCESS) code = build_for_cache(1);
                    cr_assert(code == OH_NN_SUCCESS || (kind == CALL_RENAME && n == 1));
                    if (!met) break;
                }
                cr_assert_lt(n, 40);
            }
        }
    }
}

Test(cache_attacks, what_cannot_be_replaced_stays_and_the_log_says_so) {
    bool executed;
    cr_assert(builds(1));
    refuse(CALL_RENAME, EPERM, 0, 1); /* chattr +i, or the sticky folder of another user */
    OK(build(2, &executed));
    cr_assert(executed);
    cr_assert_eq(warnings, 1);
    cr_assert_not_null(strstr(warning_line, "no cache is kept in"), "%s", warning_line);
    cr_assert_not_null(strstr(warning_line, "0.nncache cannot be replaced"), "%s", warning_line);
    OK(build_for_cache(1));
}

/* --------------------------------------------------------------------------------------------------- other users */

Test(cache_attacks, only_its_user_may_read_a_cache) {
    struct stat status;
    int unnamed, file;
    for (unnamed = 0; unnamed < 2; unnamed++) {
        const mode_t old = umask(0);
        no_unnamed = unnamed == 0;
        cr_assert(builds((uint32_t)unnamed + 1));
        (void)umask(old);
        for (file = 0; file < 2; file++) {
            cr_assert_eq(stat(paths[file], &status), 0);
            cr_assert_eq(status.st_mode & 07777, 0600, "%o", (unsigned)status.st_mode);
        }
    }
}

Test(cache_attacks, a_link_is_not_followed_whatever_is_at_its_end) {
    char elsewhere[192];
    struct stat status;
    int file;
    for (file = 0; file < 2; file++) {
        off_t size;
        (void)builds(1);
        snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", folder);
        cr_assert_eq(rename(paths[file], elsewhere), 0);
        cr_assert_eq(symlink(elsewhere, paths[file]), 0);
        cr_assert_eq(stat(elsewhere, &status), 0);
        size = status.st_size;
        REFUSED(build_for_cache(1), OH_NN_INVALID_FILE);
        cr_assert_not_null(strstr(nnrt_last_error(), "but a link"), "%s", nnrt_last_error());
        cr_assert(builds(1)); /* compiled, and the link is replaced, not what it leads to */
        cr_assert(lstat(paths[file], &status) == 0 && S_ISREG(status.st_mode));
        cr_assert(stat(elsewhere, &status) == 0 && status.st_size == size);
        OK(build_for_cache(1));
        unlink(elsewhere);
    }
}

/* What somebody else puts at the names of a cache in a folder like /tmp. */
static void plant(int what) {
    int file;
    unlink(paths[0]);
    unlink(paths[1]);
    if (what <= 1) cr_assert(builds(what == 0 ? 5 : 9)); /* sound, of this version, of a newer one */
    for (file = 0; file < 2; file++) {
        int fd;
        if (what == 2) cr_assert_eq(mkfifo(paths[file], 0666), 0);
        if (what == 3) cr_assert_eq(symlink("/dev/zero", paths[file]), 0);
        if (what == 4) {
            fd = open(paths[file], O_WRONLY | O_CREAT, 0600); /* which this program may not even read */
            cr_assert(fd >= 0 && write(fd, "x", 1) == 1);
            close(fd);
        }
        if (what == 5) cr_assert_eq(mkdir(paths[file], 0777), 0);
        if (what <= 1) cr_assert_eq(chmod(paths[file], 0666), 0);
        cr_assert_eq(lchown(paths[file], SOMEBODY, SOMEBODY), 0);
    }
}

/* As nobody: 0, or the number of what was wrong. */
static int as_nobody(bool sticky) {
    const int prepared = mock.prepared;
    bool executed;
    if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0) return 1;
    warnings = 0;
    if (build(5, &executed) != OH_NN_SUCCESS) return 2;
    if (!executed) return 3;
    if (mock.prepared != prepared + 1) return 4; /* the cache of somebody else was used */
    if (warnings == 0) return 5;
    if (sticky && build_for_cache(5) != OH_NN_INVALID_FILE) return 6;
    return 0;
}

Test(cache_attacks, what_another_user_puts_there_decides_neither_whether_a_program_starts_nor_what_it_computes) {
    static const mode_t modes[] = {01777, 0777};
    size_t m;
    int what;
    if (geteuid() != 0) cr_skip_test("skipped, no root to be several users");
    for (m = 0; m < 2; m++) {
        for (what = 0; what < 6; what++) {
            pid_t child;
            int status;
            plant(what);
            cr_assert_eq(chmod(folder, modes[m]), 0);
            alarm(20);
            child = fork();
            cr_assert_geq(child, 0);
            if (child == 0) _exit(as_nobody(modes[m] == 01777));
            cr_assert_eq(waitpid(child, &status, 0), child);
            cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "mode %o, planted %d: %d", (unsigned)modes[m],
                      what, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
            cr_assert_eq(chmod(folder, 0700), 0);
            (void)rmdir(paths[0]);
            (void)rmdir(paths[1]);
        }
    }
}

Test(cache_attacks, root_does_not_take_a_users_cache_out_of_tmp_but_takes_it_from_a_folder_of_its_own) {
    /* below a folder of root's: those around mkdtemp's are open to everybody */
    char own[] = "/var/nnrt-attack-XXXXXX", outside[sizeof(folder)];
    if (geteuid() != 0) cr_skip_test("skipped, no root to be several users");
    memcpy(outside, folder, sizeof(folder));
    cr_assert_not_null(mkdtemp(own));
    use_folder(own);
    plant(0);
    cr_assert_eq(chmod(folder, 0755), 0);
    OK(build_for_cache(5));
    cr_assert_eq(chmod(folder, 01777), 0);
    REFUSED(build_for_cache(5), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "is another user's"), "%s", nnrt_last_error());
    cr_assert(builds(5)); /* root may replace it */
    OK(build_for_cache(5));
    close_folder();
    use_folder(outside);
}

/* Nobody else may write to the folder itself, but it is theirs, or the way there is. */
Test(cache_attacks, a_folder_of_another_user_in_tmp_is_not_believed_nor_a_link_to_one) {
    char real[sizeof(folder)], link[] = "/tmp/nnrt-linked-XXXXXX", own[] = "/var/nnrt-attack-XXXXXX";
    if (geteuid() != 0) cr_skip_test("skipped, no root to be several users");
    memcpy(real, folder, sizeof(folder));
    plant(0);
    cr_assert(chmod(folder, 0755) == 0 && chown(folder, SOMEBODY, SOMEBODY) == 0);
    REFUSED(build_for_cache(5), OH_NN_INVALID_FILE); /* mkdtemp's is in /tmp */
    cr_assert_not_null(strstr(nnrt_last_error(), "is another user's"), "%s", nnrt_last_error());
    cr_assert(builds(5));
    OK(build_for_cache(5)); /* root's own is good anywhere */
    cr_assert_not_null(mkdtemp(own));
    use_folder(own);
    plant(0);
    cr_assert_eq(chmod(folder, 0755), 0);
    OK(build_for_cache(5));
    cr_assert(mkdtemp(link) != NULL && rmdir(link) == 0 && symlink(own, link) == 0);
    use_folder(link);
    OK(build_for_cache(5)); /* root's link */
    cr_assert_eq(lchown(link, SOMEBODY, SOMEBODY), 0);
    REFUSED(build_for_cache(5), OH_NN_INVALID_FILE);
    strcat(folder, "/");
    REFUSED(build_for_cache(5), OH_NN_INVALID_FILE);
    unlink(link);
    use_folder(own);
    close_folder();
    use_folder(real);
}

/* A file of the program's own, of a newer version, that somebody has given a second name. */
Test(cache_attacks, a_file_with_a_second_name_is_not_believed_where_everybody_may_give_it_one) {
    char elsewhere[192];
    cr_assert(builds(9));
    snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", folder);
    cr_assert_eq(link(paths[0], elsewhere), 0);
    cr_assert(builds(5));
    cr_assert_eq(warnings, 1);
    OK(build_for_cache(5));
}
