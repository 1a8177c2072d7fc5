/* SPDX-License-Identifier: Apache-2.0 */
/* print_operators.c - docs/operators.md, from the tables that the library itself works with, so that the page
   cannot say something else. White box: it includes the implementation. Run in the root of the tree, as the
   table of the kernels is the listing of kernels/: one file per kernel and instruction set.

       make docs      writes docs/operators.md with the output of this program
       make test      fails when the committed page is another */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <dirent.h>
#include <stdio.h>

#define KERNELS 64
#define LEVELS NNRT__TARGET_COUNT

typedef struct kernel {
    char name[64];
    int has[LEVELS];
} kernel;

static void print_range(unsigned low, unsigned high) {
    if (low == high) printf(" %u |", low);
    else printf(" %u to %u |", low, high);
}

static void print_operators(void) {
    int op, rows = 0, on_cpu = 0;
    printf("| number | `OH_NN_OPS_` | inputs | outputs | steps of the CPU device |\n|---|---|---|---|---|\n");
    for (op = 0; op < 1000; op++) {
        const nnrt__op_row *row = nnrt__op_find(op);
        const nnrt__cpu_op *cpu;
        const nnrt__step_kind *const *kinds;
        size_t i;
        if (row == NULL) continue;
        rows++;
        cpu = nnrt__cpu_op_find(row->op);
        kinds = nnrt__kinds_of(row->op);
        printf("| %d | `%s` |", op, row->enumerator + strlen("OH_NN_OPS_"));
        print_range(row->inputs_min, row->inputs_max);
        print_range(row->outputs_min, row->outputs_max);
        if (cpu == NULL) {
            printf(" none |\n");
            continue;
        }
        on_cpu++;
        for (i = 0; kinds[i] != NULL; i++) printf("%s `%s`", i == 0 ? "" : ",", kinds[i]->name);
        printf("%s |\n", (cpu->flags & NNRT__CPU_RENAMES) != 0 ? "; none at all where the bytes can be shared" : "");
    }
    printf("\n%d operators, %d of them on the CPU device. Those behind number %d are not OpenHarmony's: .tflite files "
           "have\n"
           "them, and a program cannot add them.\n",
           rows, on_cpu, (int)NNRT__OPS_OF_PROGRAMS);
}

/* Does a file's name end with "_LEVEL.h"? A level's dash is an underscore there. */
static int ends_with_level(const char *file, size_t length, const char *level) {
    const size_t size = strlen(level), suffix = size + strlen("_.h");
    size_t i;
    if (length <= suffix || length - suffix >= sizeof(((kernel *)0)->name)) return 0;
    if (file[length - suffix] != '_' || strcmp(file + length - 2, ".h") != 0) return 0;
    file += length - suffix + 1;
    for (i = 0; i < size && file[i] == (level[i] == '-' ? '_' : level[i]);) i++;
    return i == size;
}

/* "gemm_raw_s8_neon.h" is kernel gemm_raw_s8 at level neon. */
static void add_file(kernel *kernels, int *count, const char *file) {
    const size_t length = strlen(file);
    size_t level;
    int i;
    for (level = 0; level < LEVELS; level++) {
        const size_t suffix = strlen(nnrt__targets[level].name) + strlen("_.h");
        if (!ends_with_level(file, length, nnrt__targets[level].name)) continue;
        for (i = 0; i < *count; i++)
            if (strlen(kernels[i].name) == length - suffix && memcmp(kernels[i].name, file, length - suffix) == 0)
                break;
        if (i == KERNELS) return;
        if (i == *count) {
            memset(&kernels[i], 0, sizeof kernels[i]);
            memcpy(kernels[i].name, file, length - suffix);
            ++*count;
        }
        kernels[i].has[level] = 1;
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const kernel *)a)->name, ((const kernel *)b)->name);
}

static bool print_kernels(void) {
    static kernel kernels[KERNELS];
    int count = 0, i;
    size_t level;
    struct dirent *entry;
    DIR *folder = opendir("kernels");
    if (folder == NULL) return false;
    while ((entry = readdir(folder)) != NULL) add_file(kernels, &count, entry->d_name);
    closedir(folder);
    qsort(kernels, (size_t)count, sizeof kernels[0], by_name);
    printf("| kernel |");
    for (level = 0; level < LEVELS; level++) printf(" %s |", nnrt__targets[level].name);
    printf("\n|---|");
    for (level = 0; level < LEVELS; level++) printf("---|");
    printf("\n");
    for (i = 0; i < count; i++) {
        /* A part that several vector kernels share is no kernel: it has no scalar definition. */
        if (!kernels[i].has[0]) continue;
        printf("| `%s` |", kernels[i].name);
        for (level = 0; level < LEVELS; level++) printf(" %s |", kernels[i].has[level] ? "yes" : "");
        printf("\n");
    }
    return true;
}

int main(void) {
    printf("# Operators\n\n"
           "Written by `make docs`; do not edit. The first table is that of the core and of the CPU\n"
           "device, the second one the listing of `kernels/`.\n\n"
           "An operator is accepted by `OH_NNModel_AddOperation` with these numbers of inputs and\n"
           "outputs, whatever the device. On the CPU device it becomes one or several of the steps in\n"
           "the last column; operators of one family share a list, so not every step occurs with each of\n"
           "them. In the names of steps `s8` stands for int8, `s16` for int16 (in products with\n"
           "int8 weights), `f32` for float32, `int` for the wider integers; `raw` reads the weights where the model "
           "has them; `hybrid` is float32 with int8\n"
           "weights; `lut_s8` is any function of one int8. `nnrt inspect MODEL` says which steps a model\n"
           "has. An operator that the CPU device does not have, or not with the given data types, is\n"
           "refused at Build with a sentence that names it.\n\n");
    print_operators();
    printf("\n## Kernels and instruction sets\n\n"
           "An empty field means that the next lower instruction set, in the end portable C, does it.\n\n");
    return print_kernels() ? 0 : 1;
}
