/* SPDX-License-Identifier: Apache-2.0 */
/* models.h - the models and samples in the flash of the programs of tests/bare. run.py writes their bytes, as models.c
   below build/, and models_steps.h, whose MODELS_STEPS has the steps of all plans. */
#ifndef NNRT_TESTS_BARE_MODELS_H
#define NNRT_TESTS_BARE_MODELS_H

#include <stddef.h>
#include <stdint.h>

typedef struct bare_model {
    const char *name;
    const uint8_t *tflite; /* 16-byte aligned, as are plans; one byte where the program runs plans only */
    size_t tflite_size;
    const uint8_t *plan; /* what `nnrt compile` made of it on the PC, for the board */
    size_t plan_size;
    size_t samples, input_size, output_size;
    const uint8_t *inputs;  /* samples of input_size bytes, one after the other */
    const uint8_t *outputs; /* what a PC computes for them */
} bare_model;

extern const bare_model bare_models[];
extern const size_t bare_model_count;

#endif /* NNRT_TESTS_BARE_MODELS_H */
