/* SPDX-License-Identifier: Apache-2.0 */
/* flatbuffer.c - what prove.py looks at for the reader of flatbuffers. */
#include "prove.h"

#include "tflite/flatbuffer.h"
