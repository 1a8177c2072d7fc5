/* SPDX-License-Identifier: Apache-2.0 */
/* nnrt_tflite.h for `make test-amalgam`: suites that include the reader's front page get the one file, in
   which the reader is the same text. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"
