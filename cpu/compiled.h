/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/compiled.h - a compiled model of the CPU device: its plan, or the graph to make plans from.   >>cpu_compiled */
#ifndef NNRT_CPU_COMPILED_H
#define NNRT_CPU_COMPILED_H

#include "../core/desc.h"
#include "../core/graph.h"
#include "device.h"
#include "plan_load.h"

/* Alignment at which a plan can be used in place: kernels need constants aligned to their elements only, and none is
   wider than this. Every malloc gives it. */
#define NNRT__PLAN_ADDRESS 8u

/* A bit for each of OH_NN_OPS_*. */
#define NNRT__CPU_OPERATOR_WORDS 4

/* Most bytes of an input whose values shapes depend on (cpu/values.h): lists of axes and sizes are short, and every run
   compares them. */
#define NNRT__VALUES_MOST 1024u

struct nnrt__instance;

/* How a model is compiled, or a plan checked. */
typedef struct nnrt__cpu_recipe {
    nnrt__compile_options options;
    unsigned levels;                              /* NNRT__ISA bits of this processor */
    uint32_t operators[NNRT__CPU_OPERATOR_WORDS]; /* those of the graph, a bit each; 0 of a plan, which has none */
    uint32_t givers[(NNRT__MAX_IO + 31) / 32];    /* bits: dynamic inputs whose values shapes depend on */
    nnrt__cpu_table kernels; /* filled as a whole; also what runs call, unless each makes it (NNRT__FOR_RAM) */
} nnrt__cpu_recipe;

typedef struct nnrt__cpu_prepared {
    nnrt__cpu_recipe *recipe;   /* owned; NULL: freed after Build, as nothing needs it (NNRT__FOR_RAM) */
    const nnrt__target *target; /* nnrt.target: compiled for that machine, never run here; NULL: for this one */
    nnrt__queue *queue;         /* the device's */
    OH_NN_Priority priority;
    OH_NN_ReturnCode (*describe)(struct nnrt__instance *instance); /* nnrt.profile: makes the profile; NULL: none */
    bool trust_crc;                                                /* nnrt.trust is crc */
    nnrt__mapping file;       /* the offline model while it is still read, if it came as a path or is a copy */
    nnrt__graph_store *store; /* of a dynamic .tflite; NULL: not needed */
    const nnrt_graph *graph;  /* dynamic: what to make plans from; NULL: static */
    bool dynamic;
    uint16_t *open; /* of a .tflite, for each input: bits of the dimensions that a run may give another size than the
                       file's, from options.model; NULL: there are none */
    void *memory;   /* owns the plan's block, or NULL: it is borrowed */
    nnrt__loaded_plan plan; /* empty when dynamic */
    size_t block_size;
} nnrt__cpu_prepared;

/* Must the values of input i be known before the model can be compiled? */
NNRT__FN bool nnrt__cpu_gives(const nnrt__cpu_prepared *model, size_t i) {
    return (model->recipe->givers[i / 32] >> i % 32 & 1) != 0;
}

NNRT__FN void nnrt__cpu_release(void *prepared) {
    nnrt__cpu_prepared *model = (nnrt__cpu_prepared *)prepared;
    nnrt__plan_unload(&model->plan);
    nnrt__free(model->memory);
    nnrt__free(model->open);
    nnrt__graph_store_release(model->store);
    nnrt__unmap_file(&model->file);
    nnrt__free(model->recipe);
    nnrt__free(model);
}

/* Bytes of NNRT_MALLOC that model holds. */
NNRT__FN size_t nnrt__cpu_prepared_bytes(const nnrt__cpu_prepared *model) {
    return nnrt__block_bytes(model) + nnrt__block_bytes(model->recipe) + nnrt__block_bytes(model->memory) +
           nnrt__block_bytes(model->open) + nnrt__plan_bytes(&model->plan) + nnrt__graph_store_bytes(model->store) +
           nnrt__block_bytes(model->file.memory);
}

/* Slot needs_graph: true if later shapes are compiled from it. */
NNRT__FN bool nnrt__cpu_needs_graph(void *prepared) { return ((const nnrt__cpu_prepared *)prepared)->dynamic; }

#endif /* NNRT_CPU_COMPILED_H */
