/* SPDX-License-Identifier: Apache-2.0 */
/* sim_private.h - between sim_state.c and sim_calls.c: a wait needs the lock itself. */
#ifndef NNRT_TESTS_SIM_PRIVATE_H
#define NNRT_TESTS_SIM_PRIVATE_H

#include <pthread.h>

pthread_mutex_t *sim_the_mutex(void);

#endif /* NNRT_TESTS_SIM_PRIVATE_H */
