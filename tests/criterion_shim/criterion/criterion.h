/* SPDX-License-Identifier: Apache-2.0 */
/* criterion.h - the part of Criterion that our tests use, in one header, for places where Criterion is not:
   the boards' architectures under QEMU, ThreadSanitizer, a machine without the package. A test program
   includes it from exactly one file. As in Criterion each test runs in a process of its own, so that a crash
   or a changed registry stays there.

   Has       Test and TestSuite with .init .fini .signal .exit_code .timeout .disabled .description; cr_assert
             and cr_expect, bare and with _eq _neq _lt _leq _gt _geq _null _not_null _str_eq _str_neq
             _str_empty _str_not_empty _arr_eq _arr_neq _float_eq _float_neq; cr_fail cr_assert_fail
             cr_expect_fail cr_skip_test cr_log_info cr_log_warn cr_log_error.
   Has not   parameters, theories, redirection, reporters. A test that needs those runs with the real one
             only.
   Differs   tests run one after the other in the order of the file; --filter and --list are the only
             options. */
#ifndef NNRT_TESTS_CRITERION_H
#define NNRT_TESTS_CRITERION_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* a test that includes Criterion first finds all of POSIX under -std=c99 too */
#endif

#include <fnmatch.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a test's process ends when it does not simply return; far from what a test or a sanitizer would
   choose. */
enum {
    CRS_FAILED = 113,
    CRS_SKIPPED = 114
};

typedef struct crs_options {
    int sentinel_; /* lets Test(a, b) expand to a non-empty argument list, which C99 asks for */
    void (*init)(void);
    void (*fini)(void);
    int signal;     /* the test is to be ended by this signal */
    int exit_code;  /* the test is to call exit with this */
    double timeout; /* seconds; 0 means none */
    bool disabled;
    const char *description;
} crs_options;

typedef struct crs_test {
    const char *suite, *name;
    void (*body)(void);
    const crs_options *options;
    struct crs_test *next;
} crs_test;

typedef struct crs_suite {
    const char *name;
    const crs_options *options;
    struct crs_suite *next;
} crs_suite;

static crs_test *crs_tests, **crs_tests_end = &crs_tests;
static crs_suite *crs_suites;
static const crs_test *crs_current;
static int crs_failures; /* of cr_expect in the current test's process */

__attribute__((unused)) static void crs_add_test(crs_test *test) {
    *crs_tests_end = test;
    crs_tests_end = &test->next;
}

__attribute__((unused)) static void crs_add_suite(crs_suite *suite) {
    suite->next = crs_suites;
    crs_suites = suite;
}

#define Test(...) CRS_TEST_(__VA_ARGS__, .sentinel_ = 0)
#define CRS_TEST_(Suite, Name, ...)                                                        \
    static void crs_body_##Suite##_##Name(void);                                           \
    static const crs_options crs_options_##Suite##_##Name = {__VA_ARGS__};                 \
    static crs_test crs_test_##Suite##_##Name = {#Suite, #Name, crs_body_##Suite##_##Name, \
                                                 &crs_options_##Suite##_##Name, NULL};     \
    __attribute__((constructor)) static void crs_add_##Suite##_##Name(void) {              \
        crs_add_test(&crs_test_##Suite##_##Name);                                          \
    }                                                                                      \
    static void crs_body_##Suite##_##Name(void)

#define TestSuite(...) CRS_SUITE_(__VA_ARGS__, .sentinel_ = 0)
#define CRS_SUITE_(Suite, ...)                                                                                  \
    static const crs_options crs_suite_options_##Suite = {__VA_ARGS__};                                         \
    static crs_suite crs_suite_##Suite = {#Suite, &crs_suite_options_##Suite, NULL};                            \
    __attribute__((constructor)) static void crs_add_suite_##Suite(void) { crs_add_suite(&crs_suite_##Suite); } \
    struct crs_semicolon_##Suite

/* One line for the place and the expression, one for the test's own message, as in Criterion. */
__attribute__((unused)) static void crs_fail(bool fatal, const char *file, int line, const char *what,
                                             const char *format, ...) {
    va_list args;
    fprintf(stderr, "[----] %s:%d: Assertion Failed\n[----]   %s\n", file, line, what);
    if (format && *format) {
        fprintf(stderr, "[----]   ");
        va_start(args, format);
        vfprintf(stderr, format, args);
        va_end(args);
        fputc('\n', stderr);
    }
    crs_failures++;
    if (fatal) {
        fflush(NULL);
        _exit(CRS_FAILED);
    }
}

__attribute__((unused)) static void crs_skip(const char *format, ...) {
    va_list args;
    fprintf(stderr, "%s %s::%s: ", crs_failures ? "[----]" : "[SKIP]", crs_current->suite, crs_current->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    fflush(NULL);
    _exit(crs_failures ? CRS_FAILED : CRS_SKIPPED);
}

/* The message is optional in every assertion: the last argument added here is NULL, which is the format when
   the caller gave none and an unused argument otherwise. */
#define CRS_END_ (const char *)0
#define CRS_CHECK_(Fatal, Ok, What, ...) ((Ok) ? (void)0 : crs_fail(Fatal, __FILE__, __LINE__, What, __VA_ARGS__))
#define CRS_ONE_(Fatal, Cond, ...) CRS_CHECK_(Fatal, Cond, #Cond, __VA_ARGS__)
#define CRS_BINARY_(Fatal, Op, A, B, ...) CRS_CHECK_(Fatal, (A)Op(B), #A " " #Op " " #B, __VA_ARGS__)
#define CRS_NULL_(Fatal, Op, A, ...) CRS_CHECK_(Fatal, (A)Op NULL, #A " " #Op " NULL", __VA_ARGS__)
#define CRS_STR_(Fatal, Op, A, B, ...) \
    CRS_CHECK_(Fatal, strcmp((A), (B)) Op 0, "the text of " #A " " #Op " " #B, __VA_ARGS__)
#define CRS_EMPTY_(Fatal, Op, A, ...) CRS_CHECK_(Fatal, (A)[0] Op '\0', #A "[0] " #Op " 0", __VA_ARGS__)
#define CRS_ARR_(Fatal, Op, A, B, Size, ...) \
    CRS_CHECK_(Fatal, memcmp((A), (B), (Size)) Op 0, "the " #Size " bytes of " #A " " #Op " " #B, __VA_ARGS__)
#define CRS_FLOAT_(Fatal, Op, A, B, Epsilon, ...)                                                                 \
    CRS_CHECK_(Fatal, fabs((double)(A) - (double)(B)) Op(double)(Epsilon), "|" #A " - " #B "| " #Op " " #Epsilon, \
               __VA_ARGS__)

#define cr_assert(...) CRS_ONE_(true, __VA_ARGS__, CRS_END_)
#define cr_assert_not(...) CRS_BINARY_(true, ==, 0, __VA_ARGS__, CRS_END_)
#define cr_assert_eq(...) CRS_BINARY_(true, ==, __VA_ARGS__, CRS_END_)
#define cr_assert_neq(...) CRS_BINARY_(true, !=, __VA_ARGS__, CRS_END_)
#define cr_assert_lt(...) CRS_BINARY_(true, <, __VA_ARGS__, CRS_END_)
#define cr_assert_leq(...) CRS_BINARY_(true, <=, __VA_ARGS__, CRS_END_)
#define cr_assert_gt(...) CRS_BINARY_(true, >, __VA_ARGS__, CRS_END_)
#define cr_assert_geq(...) CRS_BINARY_(true, >=, __VA_ARGS__, CRS_END_)
#define cr_assert_null(...) CRS_NULL_(true, ==, __VA_ARGS__, CRS_END_)
#define cr_assert_not_null(...) CRS_NULL_(true, !=, __VA_ARGS__, CRS_END_)
#define cr_assert_str_eq(...) CRS_STR_(true, ==, __VA_ARGS__, CRS_END_)
#define cr_assert_str_neq(...) CRS_STR_(true, !=, __VA_ARGS__, CRS_END_)
#define cr_assert_str_empty(...) CRS_EMPTY_(true, ==, __VA_ARGS__, CRS_END_)
#define cr_assert_str_not_empty(...) CRS_EMPTY_(true, !=, __VA_ARGS__, CRS_END_)
#define cr_assert_arr_eq(...) CRS_ARR_(true, ==, __VA_ARGS__, CRS_END_)
#define cr_assert_arr_neq(...) CRS_ARR_(true, !=, __VA_ARGS__, CRS_END_)
#define cr_assert_float_eq(...) CRS_FLOAT_(true, <=, __VA_ARGS__, CRS_END_)
#define cr_assert_float_neq(...) CRS_FLOAT_(true, >, __VA_ARGS__, CRS_END_)
#define cr_assert_fail(...) crs_fail(true, __FILE__, __LINE__, "cr_assert_fail", "" __VA_ARGS__, CRS_END_)
#define cr_fail cr_assert_fail

#define cr_expect(...) CRS_ONE_(false, __VA_ARGS__, CRS_END_)
#define cr_expect_not(...) CRS_BINARY_(false, ==, 0, __VA_ARGS__, CRS_END_)
#define cr_expect_eq(...) CRS_BINARY_(false, ==, __VA_ARGS__, CRS_END_)
#define cr_expect_neq(...) CRS_BINARY_(false, !=, __VA_ARGS__, CRS_END_)
#define cr_expect_lt(...) CRS_BINARY_(false, <, __VA_ARGS__, CRS_END_)
#define cr_expect_leq(...) CRS_BINARY_(false, <=, __VA_ARGS__, CRS_END_)
#define cr_expect_gt(...) CRS_BINARY_(false, >, __VA_ARGS__, CRS_END_)
#define cr_expect_geq(...) CRS_BINARY_(false, >=, __VA_ARGS__, CRS_END_)
#define cr_expect_null(...) CRS_NULL_(false, ==, __VA_ARGS__, CRS_END_)
#define cr_expect_not_null(...) CRS_NULL_(false, !=, __VA_ARGS__, CRS_END_)
#define cr_expect_str_eq(...) CRS_STR_(false, ==, __VA_ARGS__, CRS_END_)
#define cr_expect_str_neq(...) CRS_STR_(false, !=, __VA_ARGS__, CRS_END_)
#define cr_expect_str_empty(...) CRS_EMPTY_(false, ==, __VA_ARGS__, CRS_END_)
#define cr_expect_str_not_empty(...) CRS_EMPTY_(false, !=, __VA_ARGS__, CRS_END_)
#define cr_expect_arr_eq(...) CRS_ARR_(false, ==, __VA_ARGS__, CRS_END_)
#define cr_expect_arr_neq(...) CRS_ARR_(false, !=, __VA_ARGS__, CRS_END_)
#define cr_expect_float_eq(...) CRS_FLOAT_(false, <=, __VA_ARGS__, CRS_END_)
#define cr_expect_float_neq(...) CRS_FLOAT_(false, >, __VA_ARGS__, CRS_END_)
#define cr_expect_fail(...) crs_fail(false, __FILE__, __LINE__, "cr_expect_fail", "" __VA_ARGS__, CRS_END_)

#define cr_skip_test(...) crs_skip("" __VA_ARGS__)
#define cr_skip cr_skip_test
#define CRS_LOG_(...) (fputs("[----] ", stderr), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr))
#define cr_log_info(...) CRS_LOG_(__VA_ARGS__)
#define cr_log_warn(...) CRS_LOG_(__VA_ARGS__)
#define cr_log_error(...) CRS_LOG_(__VA_ARGS__)

/* In the test's own process. Leaving through exit lets a leak checker look. */
static void crs_child(const crs_test *test, const crs_options *suite) {
    double timeout = test->options->timeout > 0 ? test->options->timeout : suite->timeout;
    void (*init)(void) = test->options->init ? test->options->init : suite->init;
    void (*fini)(void) = test->options->fini ? test->options->fini : suite->fini;
    if (timeout > 0) alarm((unsigned)ceil(timeout));
    if (init) init();
    test->body();
    if (fini) fini();
    exit(crs_failures ? CRS_FAILED : 0);
}

/* What a test's process came to: +1 passed, 0 failed, -1 crashed, -2 skipped. */
static int crs_verdict(const crs_test *test, int status) {
    const crs_options *wanted = test->options;
    if (WIFSIGNALED(status)) {
        if (wanted->signal == WTERMSIG(status)) return 1;
        fprintf(stderr, "[----] %s::%s: ended by signal %d%s\n", test->suite, test->name, WTERMSIG(status),
                WTERMSIG(status) == SIGALRM ? " (timeout)" : "");
        return -1;
    }
    if (WEXITSTATUS(status) == CRS_SKIPPED) return -2;
    if (wanted->signal || WEXITSTATUS(status) != wanted->exit_code) {
        if (WEXITSTATUS(status) != CRS_FAILED)
            fprintf(stderr, "[----] %s::%s: exit code %d\n", test->suite, test->name, WEXITSTATUS(status));
        return 0;
    }
    return 1;
}

int main(int argc, char **argv) {
    static const crs_options none;
    const char *filter = "*";
    bool list = false;
    int passed = 0, failed = 0, crashed = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--filter") && i + 1 < argc) filter = argv[++i];
        else if (!strncmp(argv[i], "--filter=", 9)) filter = argv[i] + 9;
        else if (!strcmp(argv[i], "--list")) list = true;
    }
    for (const crs_test *test = crs_tests; test; test = test->next) {
        const crs_options *suite = &none;
        char name[512];
        int status = 0, verdict;
        pid_t child;
        for (const crs_suite *s = crs_suites; s; s = s->next)
            if (!strcmp(s->name, test->suite)) suite = s->options;
        snprintf(name, sizeof name, "%s/%s", test->suite, test->name);
        if (fnmatch(filter, name, 0) != 0) continue;
        if (list) {
            puts(name);
            continue;
        }
        if (test->options->disabled || suite->disabled) {
            fprintf(stderr, "[SKIP] %s::%s: Test is disabled\n", test->suite, test->name);
            continue;
        }
        crs_current = test;
        fflush(NULL);
        child = fork();
        if (child == 0) crs_child(test, suite);
        while (child > 0 && waitpid(child, &status, 0) != child) {}
        verdict = child < 0 ? -1 : crs_verdict(test, status);
        passed += verdict == 1;
        failed += verdict == 0 || verdict == -1;
        crashed += verdict == -1;
        if (verdict == 0 || verdict == -1)
            fprintf(stderr, "[%s] %s::%s\n", verdict ? "CRSH" : "FAIL", test->suite, test->name);
    }
    if (!list)
        fprintf(stderr, "[====] Synthesis: Tested: %d | Passing: %d | Failing: %d | Crashing: %d \n", passed + failed,
                passed, failed, crashed);
    return failed ? 1 : 0;
}

#endif
