/* SPDX-License-Identifier: Apache-2.0 */
/* selftest/none.h - nnrt_selftest() of a build that compiles no graphs.   >>selftest_none */
#ifndef NNRT_SELFTEST_NONE_H
#define NNRT_SELFTEST_NONE_H

#include "../core/error.h"
#include "api.h"

NNRT_API OH_NN_ReturnCode nnrt_selftest(nnrt_selftest_print print, void *user) {
    (void)print;
    (void)user;
    return nnrt__fail(OH_NN_UNSUPPORTED, "nnrt_selftest: this build compiles no graphs for a CPU device");
}

#endif /* NNRT_SELFTEST_NONE_H */
