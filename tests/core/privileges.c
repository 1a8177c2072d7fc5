/* SPDX-License-Identifier: Apache-2.0 */
/* privileges.c - a program that may get more rights than its user has, for test_privileges.py: what does nnrt take from
   the environment?

     privileges [setuid]    setuid: becomes the user that it has the rights of, as many such programs do at once

   Prints a line NAME=0 or NAME=1 for each variable, 1: it was read. A library that is loaded says so by itself. */
#define NNRT_IMPLEMENTATION
#define NNRT_BACKEND_RKNPU
#define NNRT_BACKEND_NNIE
#define NNRT_BACKEND_BPU
#define NNRT_DSP
#include "nnrt.h"

/* The piece for C libraries without getauxval, beside the one that this build has. */
#define nnrt__is_privileged nnrt__is_privileged_by_proc
#include "core/platform_privileges_proc.h"
#undef nnrt__is_privileged

#include <stdio.h>
#include <sys/resource.h>

int main(int argc, char **argv) {
    static const char *const names[] = {"NNRT_RKNPU_LIBRARY", "NNRT_NNIE_LIBRARY", "NNRT_BPU_LIBRARY",
                                        "NNRT_DSP_LIBRARY", "LD_LIBRARY_PATH"};
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer("nothing", 7);
    const struct rlimit none = {0, 0};
    nnrt_dsp *dsp = NULL;
    const size_t *ids;
    uint32_t count;
    size_t i;
    if (argc > 1 && strcmp(argv[1], "setuid") == 0 && (setgid(getegid()) != 0 || setuid(geteuid()) != 0)) return 2;
    (void)OH_NNDevice_GetAllDevicesID(&ids, &count); /* looks for the libraries of the NPUs */
    (void)nnrt_dsp_open(NULL, &dsp);
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        printf("%s=%d\n", names[i], nnrt__library_chosen(names[i]) != NULL);
    printf("HB_UCP_MAX_TASK_NUM=%d\n", nnrt__bpu_task_limit(true) != NNRT__BPU_MAX_TASKS);
    (void)OH_NNCompilation_Build(compilation);
    printf("NNRT_ISA=%d\n", strstr(nnrt_last_error(), "NNRT_ISA") != NULL);
    OH_NNCompilation_Destroy(&compilation);
    printf("privileged=%d\n", nnrt__is_privileged());
    printf("privileged_by_proc=%d\n", nnrt__is_privileged_by_proc());
    if (setrlimit(RLIMIT_NOFILE, &none) != 0) return 2;
    printf("privileged_by_proc_without_descriptors=%d\n", nnrt__is_privileged_by_proc());
    return 0;
}
