/* SPDX-License-Identifier: Apache-2.0 */
/* selftest.c - does nnrt compute on this board what it should? Prints a page to paste into a bug report; 0 when all is
   well. Compile it with the flags of your product: what is tested is your compiler, too.

       cc -std=c99 -O2 -I build examples/selftest.c -lm -lpthread -o selftest && ./selftest */
#define NNRT_IMPLEMENTATION
#define NNRT_SELFTEST
#include "nnrt.h"

#include <stdio.h>

static void print(void *user, const char *line) {
    (void)user;
    puts(line);
}

int main(void) {
    if (nnrt_selftest(print, NULL) == OH_NN_SUCCESS) return 0;
    puts(nnrt_last_error());
    return 1;
}
