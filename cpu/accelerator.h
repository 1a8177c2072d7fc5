/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/accelerator.h - what the CPU device asks of an accelerator that takes parts of its models.   >>cpu_accelerator

   The CPU device compiles a model for both: the accelerator gets the parts that it can do and that are worth handing
   over (cpu/accelerate.h). Each part is an image that the plan stores as a constant and a step hands over
   (cpu/steps_accelerator.h). Tensors that cross are int8 in the CPU's layout, NHWC without gaps. A backend with an
   accelerator fills one table per kind of chip. The CPU device knows none by name: its owner passes one in
   (nnrt__cpu_device), and nnrt.target names one of those listed in core/registry.h. */
#ifndef NNRT_CPU_ACCELERATOR_H
#define NNRT_CPU_ACCELERATOR_H

#include "../core/error.h"

/* Most inputs of a part, and most outputs. */
#define NNRT__PART_TENSORS 32u

/* Bytes of a name, its end included. */
#define NNRT__ACCELERATOR_NAME 16u

struct nnrt__accelerator;
struct nnrt__ir;
struct nnrt__ir_node;

/* An image in memory that the accelerator reaches, ready for runs, one at a time. The accelerator's own structure
   begins with it. */
typedef struct nnrt__accelerator_session {
    const struct nnrt__accelerator *accelerator;
} nnrt__accelerator_session;

/* What a step says of the tensors of its image, in bytes, each of one int8. */
typedef struct nnrt__part_ends {
    uint32_t input_count, output_count;   /* 1 .. NNRT__PART_TENSORS */
    size_t sizes[2 * NNRT__PART_TENSORS]; /* of inputs, then of outputs */
} nnrt__part_ends;

/* What a run of a part costs, as its image tells. */
typedef struct nnrt__part_work {
    uint32_t tasks;         /* what the accelerator is started for */
    uint32_t tiles;         /* of these, pieces of convolutions: as many as its buffer makes of each, at least one */
    uint64_t read, written; /* bytes between its memory and its buffers */
    uint64_t loaded;        /* bytes that a session brings into its memory: words, weights, tables */
    uint64_t memory;        /* bytes that a session takes */
    uint64_t run_us;        /* microseconds, estimated; of all nodes with the way there and back */
} nnrt__part_work;

#define NNRT__PART_ALL 0xffffffffu /* in place of a node: all of the part */

/* refusal  NULL: it does this node, whose shapes are known and on which no pass has run; else why it does not, a
            constant sentence without its end. exact: only what gives the CPU's bytes counts.
   compile  the image of a part (cpu/ir_cut.h), of nodes of which none was refused. The caller frees *image
            (nnrt__free). A failure has a code and a sentence; the CPU then does the part.
   check    of an image that may be hostile: does it fit these tensors, and may it run? *memory: bytes that a session
            takes. OH_NN_SUCCESS is the promise that no run reads or writes anything else than that memory and the
            tensors. A failure is OH_NN_INVALID_FILE, with a sentence.
   open     of an image that was checked and stays where it is. timeout_ms: of each run, above 0.
   run      inputs and outputs as check was told. It ends early, with OH_NN_TIMEOUT and a sentence, once *cancel is not
            0, as far as the accelerator can be stopped. A failure leaves the outputs as they may be.
   close    no run is under way. session is freed.
   memory   bytes of device memory of a session.
   work     (optional) what a run costs of node number `node` of the part that the image was compiled from, or of all of
            it; of a node alone, loaded and memory are 0. The image was checked, or is fresh from compile. */
typedef struct nnrt__accelerator {
    const char *name; /* "rv1106": for nnrt.target, in plans and sentences */
    const char *kin;  /* of another one whose plans it takes, too, as far as check does; NULL: there is none */
    const char *isa;  /* of the processors beside it, for nnrt.target */
    /* A part goes to the accelerator when its multiply-accumulates are at least least_macs, and macs_per_byte for each
       byte that crosses. */
    uint64_t least_macs;
    uint32_t macs_per_byte;
    const char *(*refusal)(const struct nnrt__accelerator *self, const struct nnrt__ir *ir,
                           const struct nnrt__ir_node *node, bool exact);
    OH_NN_ReturnCode (*compile)(const struct nnrt__accelerator *self, struct nnrt__ir *part, bool exact, void **image,
                                size_t *size);
    OH_NN_ReturnCode (*check)(const struct nnrt__accelerator *self, const void *image, size_t size,
                              const nnrt__part_ends *ends, uint64_t *memory);
    OH_NN_ReturnCode (*open)(const struct nnrt__accelerator *self, const void *image, size_t size, uint32_t timeout_ms,
                             nnrt__accelerator_session **session);
    OH_NN_ReturnCode (*run)(nnrt__accelerator_session *session, const void *const *inputs, void *const *outputs,
                            int32_t *cancel);
    void (*close)(nnrt__accelerator_session *session);
    size_t (*memory)(const nnrt__accelerator_session *session);
    void (*work)(const struct nnrt__accelerator *self, const void *image, uint32_t node, nnrt__part_work *work);
} nnrt__accelerator;

/* Are plans for the accelerator of that name for this one? */
NNRT__FN bool nnrt__accelerator_takes(const nnrt__accelerator *self, const char *name) {
    return strcmp(self->name, name) == 0 || (self->kin != NULL && strcmp(self->kin, name) == 0);
}

/* How long a run of a part may take, where nnrt.timeout_ms says nothing. */
#define NNRT__PART_MS 1000u

/* Is any compiled in? 0 or 1. core/registry.h has the list. */
#ifdef NNRT__HAS_ACCELERATOR
#define NNRT__ACCELERATES 1
/* Number i of those that are compiled in; NULL behind the last. */
NNRT__FN const nnrt__accelerator *nnrt__accelerator_at(size_t i);
#else
#define NNRT__ACCELERATES 0
NNRT__INLINE const nnrt__accelerator *nnrt__accelerator_at(size_t i) {
    (void)i;
    return NULL;
}
#endif

/* The one of that name; NULL: there is none. */
NNRT__FN const nnrt__accelerator *nnrt__accelerator_find(const char *name) {
    size_t i = 0;
    while (nnrt__accelerator_at(i) != NULL && strcmp(nnrt__accelerator_at(i)->name, name) != 0) i++;
    return nnrt__accelerator_at(i);
}

/* ", " and the name of each that is compiled in. */
NNRT__FN const char *nnrt__accelerator_names(char *text, size_t size) {
    size_t used = 0, i;
    text[0] = '\0';
    for (i = 0; nnrt__accelerator_at(i) != NULL; i++) {
        nnrt__format(text + used, size - used, ", %s", nnrt__accelerator_at(i)->name);
        used += strlen(text + used);
    }
    return text;
}

#endif /* NNRT_CPU_ACCELERATOR_H */
