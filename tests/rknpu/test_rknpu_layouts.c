/* SPDX-License-Identifier: Apache-2.0 */
/* test_rknpu_layouts.c - every model of the simulated boards, on every chip, gives the same numbers whichever way its
   tensors lie and wherever its file and they come from.

   A tensor's bytes are no result: with rknn.io_layout native they have lanes past the last channel and columns past the
   width, in which an NPU leaves what it likes (the board: noise), and the orders are others. So inputs are drawn for
   their elements, element (n, c, h, w) the same in every way, and of outputs the elements are compared. */
#include "linked.h"

#include <criterion/criterion.h>

#include <dirent.h>

#include "rknpu_board.h"

enum {
    MOST_MODELS = 100,
    MOST_NAME = 64,
    MOST_ELEMENTS = 2000000
};

/* ---------------------------------------------------------------------------------------------- one tensor */

/* How a tensor lies in memory, by its descriptor alone. */
typedef struct lie {
    size_t n, c, h, w; /* stored: padding of rows and lanes included */
    size_t lanes;      /* channels side by side: 1 of NCHW, all of NHWC, C2 of NC1HWC2 */
    size_t element;    /* bytes */
} lie;

static size_t element_of(OH_NN_DataType type) {
    switch ((int)type) {
    case OH_NN_BOOL:
    case OH_NN_INT8:
    case OH_NN_UINT8: return 1;
    case OH_NN_FLOAT16:
    case OH_NN_INT16: return 2;
    case OH_NN_INT64: return 8;
    default: return 4;
    }
}

static lie lie_of(const NN_TensorDesc *desc) {
    OH_NN_DataType type = OH_NN_UNKNOWN;
    OH_NN_Format format = OH_NN_FORMAT_NONE;
    int32_t *dims = NULL;
    size_t rank = 0, k;
    size_t d[5] = {1, 1, 1, 1, 1};
    lie l;
    MUST_WORK(OH_NNTensorDesc_GetShape(desc, &dims, &rank));
    MUST_WORK(OH_NNTensorDesc_GetFormat(desc, &format));
    MUST_WORK(OH_NNTensorDesc_GetDataType(desc, &type));
    MUST(rank >= 1 && rank <= 5, "%zu dimensions", rank);
    for (k = 0; k < rank; k++) {
        MUST(dims[k] > 0, "dimension %zu is open", k);
        d[k] = (size_t)dims[k];
    }
    l.n = rank == 1 ? 1 : d[0];
    l.c = rank == 1 ? d[0] : d[1];
    l.h = rank == 4 ? d[2] : 1;
    l.w = rank == 4 ? d[3] : d[2];
    l.lanes = 1;
    if (rank == 4 && format == OH_NN_FORMAT_NHWC) {
        l.h = d[1];
        l.w = d[2];
        l.lanes = l.c = d[3];
    } else if (rank == 5) {
        l.c = d[1] * d[4];
        l.h = d[2];
        l.w = d[3];
        l.lanes = d[4];
    }
    l.element = element_of(type);
    return l;
}

static size_t bytes_in(const lie *l) { return l->n * l->c * l->h * l->w * l->element; }

static size_t place(const lie *l, size_t n, size_t c, size_t h, size_t w) {
    const size_t block = c / l->lanes, blocks = l->c / l->lanes;
    return ((((n * blocks + block) * l->h + h) * l->w + w) * l->lanes + c % l->lanes) * l->element;
}

typedef enum way_round {
    PUT,
    TAKE
} way_round;

/* The elements of logical, in the order n, c, h, w, between elements and the tensor's bytes. */
static void move(const lie *logical, const lie *l, uint8_t *bytes, uint8_t *elements, way_round to) {
    size_t n, c, h, w;
    MUST(l->n == logical->n && l->c >= logical->c && l->h >= logical->h && l->w >= logical->w &&
             l->element == logical->element,
         "smaller than the model's tensor");
    for (n = 0; n < logical->n; n++)
        for (c = 0; c < logical->c; c++)
            for (h = 0; h < logical->h; h++)
                for (w = 0; w < logical->w; w++, elements += l->element) {
                    uint8_t *at = bytes + place(l, n, c, h, w);
                    if (to == PUT) memcpy(at, elements, l->element);
                    else memcpy(elements, at, l->element);
                }
}

/* ---------------------------------------------------------------------------------------------- one model */

/* What a model is asked in every way, and what it answers. */
typedef struct model {
    const char *name;
    bool largest; /* of a model with open dimensions: their maxima instead of their minima */
    size_t inputs, outputs;
    lie logical[2 * BOARD_MAX_IO]; /* as the model's own order has them; outputs last */
    uint8_t *elements[2 * BOARD_MAX_IO];
} model;

typedef struct way {
    const char *const *configs;
    bool full_only; /* librknnrt alone has it */
    bool native;
} way;

static const char *const in_model[] = {"rknn.io_layout", "model", NULL};
static const char *const in_native[] = {"rknn.io_layout", "native", NULL};
static const char *const in_nhwc[] = {"rknn.io_layout", "nhwc", NULL};
static const char *const in_nchw[] = {"rknn.io_layout", "nchw", NULL};
static const char *const in_native_uncached[] = {"rknn.io_layout", "native", "rknn.cacheable", "0", NULL};
static const char *const general_model[] = {"rknn.api", "general", NULL};
static const char *const general_nhwc[] = {"rknn.api", "general", "rknn.io_layout", "nhwc", NULL};
static const char *const general_nchw[] = {"rknn.api", "general", "rknn.io_layout", "nchw", NULL};

static const way ways[] = {{in_model, false, false},    {in_native, false, true},          {in_nhwc, false, false},
                           {in_nchw, false, false},     {in_native_uncached, false, true}, {general_model, true, false},
                           {general_nhwc, true, false}, {general_nchw, true, false}};

/* An open dimension k of a tensor whose stored sizes are known. */
static int32_t size_at(const lie *known, OH_NN_Format format, size_t rank, size_t k) {
    const size_t in_nhwc_order[4] = {known->n, known->h, known->w, known->c};
    const size_t in_nchw_order[4] = {known->n, known->c, known->h, known->w};
    return (int32_t)(rank == 4 && format == OH_NN_FORMAT_NHWC ? in_nhwc_order[k] : in_nchw_order[k]);
}

/* Tensor i of the model, outputs behind inputs. Open dimensions of an input become the least or the most that they can
   be, those of an output what the last input has: the models that have some are sums. */
static NN_Tensor *tensor_of(const rig *r, size_t device, const model *m, size_t i, const lie *last) {
    const bool output = i >= r->input_count;
    NN_TensorDesc *desc = rig_desc(r, output, output ? i - r->input_count : i);
    OH_NN_Format format = OH_NN_FORMAT_NONE;
    NN_Tensor *tensor;
    int32_t *dims = NULL, shape[5] = {0};
    size_t *least = NULL, *most = NULL, rank = 0, k, range = 0;
    bool open = false;
    MUST_WORK(OH_NNTensorDesc_GetShape(desc, &dims, &rank));
    MUST_WORK(OH_NNTensorDesc_GetFormat(desc, &format));
    MUST(rank <= 5, "%zu dimensions", rank);
    for (k = 0; k < rank; k++) open = open || dims[k] < 0;
    if (open && !output) MUST_WORK(OH_NNExecutor_GetInputDimRange(r->executor, i, &least, &most, &range));
    for (k = 0; open && k < rank; k++)
        shape[k] = dims[k] >= 0 ? dims[k]
                   : output     ? size_at(last, format, rank, k)
                                : (int32_t)(m->largest ? most[k] : least[k]);
    if (open) MUST_WORK(OH_NNTensorDesc_SetShape(desc, shape, rank));
    tensor = OH_NNTensor_Create(device, desc);
    MUST(tensor != NULL, "%s: %s", m->name, nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

static void make_tensors(rig *r, size_t device, const model *m) {
    lie last;
    size_t i;
    for (i = 0; i < r->input_count; i++) {
        r->inputs[i] = tensor_of(r, device, m, i, NULL);
        last = lie_of(OH_NNTensor_GetTensorDesc(r->inputs[i]));
    }
    for (i = 0; i < r->output_count; i++) r->outputs[i] = tensor_of(r, device, m, r->input_count + i, &last);
}

/* The model's tensors as they are without a wish, and elements for its inputs. */
static void ask(model *m, const rig *r) {
    size_t i, k;
    m->inputs = r->input_count;
    m->outputs = r->output_count;
    for (i = 0; i < m->inputs + m->outputs; i++) {
        const NN_Tensor *tensor = i < m->inputs ? r->inputs[i] : r->outputs[i - m->inputs];
        size_t size;
        m->logical[i] = lie_of(OH_NNTensor_GetTensorDesc(tensor));
        size = bytes_in(&m->logical[i]);
        MUST(size <= MOST_ELEMENTS, "%s: %zu bytes", m->name, size);
        m->elements[i] = (uint8_t *)malloc(size);
        MUST(m->elements[i] != NULL, "no memory");
        for (k = 0; i < m->inputs && k < size; k++) m->elements[i][k] = rig_byte(41 + (uint32_t)i, k);
    }
}

/* Fills all bytes of a tensor with what none of its elements depends on. */
static void spoil(NN_Tensor *tensor, uint8_t with) {
    size_t size = 0;
    uint8_t *bytes = bytes_of(tensor, &size);
    const lie l = lie_of(OH_NNTensor_GetTensorDesc(tensor));
    MUST(size == bytes_in(&l), "%zu bytes, the descriptor says %zu", size, bytes_in(&l));
    memset(bytes, with, size);
}

/* A run; the first one of a model (given false) says what the others have to answer. */
static void answer(model *m, rig *r, uint8_t noise, bool given, const char *what) {
    static uint8_t taken[MOST_ELEMENTS];
    size_t i, size;
    MUST(r->input_count == m->inputs && r->output_count == m->outputs, "%s: other tensors", m->name);
    for (i = 0; i < m->inputs; i++) {
        const lie l = lie_of(OH_NNTensor_GetTensorDesc(r->inputs[i]));
        spoil(r->inputs[i], noise);
        move(&m->logical[i], &l, bytes_of(r->inputs[i], &size), m->elements[i], PUT);
    }
    for (i = 0; i < m->outputs; i++) spoil(r->outputs[i], (uint8_t)~noise);
    MUST_WORK(rig_run(r));
    for (i = 0; i < m->outputs; i++) {
        const lie l = lie_of(OH_NNTensor_GetTensorDesc(r->outputs[i]));
        const lie *logical = &m->logical[m->inputs + i];
        move(logical, &l, bytes_of(r->outputs[i], &size), given ? taken : m->elements[m->inputs + i], TAKE);
        MUST(!given || memcmp(taken, m->elements[m->inputs + i], bytes_in(logical)) == 0, "%s, %s: output %zu", m->name,
             what, i);
    }
}

/* From its file and from memory, in tensors of the NPU and in others, which are copied; a model's first way twice. */
static void answer_everywhere(model *m, const board *b, const char *const *configs, bool *given) {
    char what[160] = "";
    size_t from, turn, turns, device, k;
    for (k = 0; configs[k] != NULL; k++)
        (void)snprintf(what + strlen(what), sizeof(what) - strlen(what), "%s ", configs[k]);
    for (from = 0; from < 2; from++) {
        rig_bytes memory = {NULL, 0};
        rig r;
        if (from == 0) {
            rig_open(&r, b, m->name, configs);
        } else {
            memory = rig_compile_bytes(&r, b, m->name, "rknn", configs);
            rig_execute(&r);
        }
        for (device = 0; device < 2; device++) {
            make_tensors(&r, device == 0 ? b->npu : b->cpu, m);
            turns = *given ? 1 : 2;
            if (!*given) ask(m, &r);
            for (turn = 0; turn < turns; turn++) {
                char where[256];
                (void)snprintf(where, sizeof(where), "%sfrom %s, tensors of the %s, run %zu", what,
                               from == 0 ? "a file" : "memory", device == 0 ? "NPU" : "CPU", turn);
                answer(m, &r, (uint8_t)(37 * (4 * from + 2 * device + turn) + 11), *given, where);
                *given = true;
            }
            for (k = 0; k < m->inputs; k++) MUST_WORK(OH_NNTensor_Destroy(&r.inputs[k]));
            for (k = 0; k < m->outputs; k++) MUST_WORK(OH_NNTensor_Destroy(&r.outputs[k]));
        }
        rig_end(&r);
        if (memory.pages != NULL) MUST(munmap(memory.pages, memory.size) == 0, "munmap");
    }
}

/* user: the model's name. */
static void life_model(board *b, const void *user) {
    const bool dynamic = strncmp((const char *)user, "dynamic", 7) == 0; /* the padding of native forms would change */
    size_t largest, w, i;
    for (largest = 0; largest < (dynamic ? 2u : 1u); largest++) {
        bool given = false;
        model m;
        memset(&m, 0, sizeof(m));
        m.name = (const char *)user;
        m.largest = largest != 0;
        for (w = 0; w < sizeof(ways) / sizeof(ways[0]); w++)
            if (!(ways[w].full_only && b->mini) && !(ways[w].native && dynamic))
                answer_everywhere(&m, b, ways[w].configs, &given);
        for (i = 0; i < m.inputs + m.outputs; i++) free(m.elements[i]);
    }
}

/* ------------------------------------------------------------------------------------------------- models */

/* Models that Build refuses for a good reason, which other tests are about: of a runtime that is too old or too new,
   damaged ones, one that needs a function of the program's. */
static bool is_for_others(const char *name, bool mini) {
    static const char *const beginnings[] = {"broken_", "encrypted", "version7", "custom"};
    static const char *const mini_names[] = {"version1", "version4", "meter_v4", "dynamic", "dynamic_rows"};
    size_t i;
    for (i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) return true;
    for (i = 0; mini && i < sizeof(mini_names) / sizeof(mini_names[0]); i++)
        if (strcmp(name, mini_names[i]) == 0) return true;
    return false;
}

/* Pictures and maps that make a test slow are tried on one chip of each runtime, where small ones of the same kind are
   on every chip; the heads of a YOLO on the one that writes them in another order. */
static bool is_tried(const char *name, const char *chip) {
    static const char *const large[] = {"objects", "faces", "two_pictures"};
    const bool mini = strcmp(chip, "rv1106") == 0;
    size_t i;
    for (i = 0; i < sizeof(large) / sizeof(large[0]); i++)
        if (strcmp(name, large[i]) == 0) return mini || strcmp(chip, "rk3566") == 0;
    return strcmp(name, "heads") != 0 || mini;
}

/* Names of the models of chip in the board's folder, those for others left out; how many. */
static size_t list_models(const char *chip, char (*names)[MOST_NAME]) {
    const char *folder = getenv("NNRT_SIM_DIR");
    char path[400], ending[32];
    size_t count = 0;
    struct dirent *entry;
    DIR *list;
    (void)snprintf(path, sizeof(path), "%s/models", folder != NULL ? folder : "build/sim");
    (void)snprintf(ending, sizeof(ending), ".%s.rknn", chip);
    list = opendir(path);
    if (list == NULL) return 0;
    while ((entry = readdir(list)) != NULL) {
        const size_t length = strlen(entry->d_name), end = strlen(ending);
        if (length <= end || length - end >= MOST_NAME || strcmp(entry->d_name + length - end, ending) != 0) continue;
        cr_assert(count < MOST_MODELS, "more than %d models", MOST_MODELS);
        memcpy(names[count], entry->d_name, length - end);
        names[count][length - end] = '\0';
        if (!is_for_others(names[count], chip[1] == 'v')) count++;
    }
    (void)closedir(list);
    return count;
}

Test(rknpu_layouts, every_model_gives_the_same_elements_from_file_and_memory_in_every_layout_and_tensor,
     .timeout = 600) {
    static char names[MOST_MODELS][MOST_NAME];
    size_t chip, i;
    for (chip = 0; board_all[chip] != NULL; chip++) {
        const size_t count = list_models(board_all[chip], names);
        for (i = 0; i < count; i++) {
            int answer;
            if (!is_tried(names[i], board_all[chip])) continue;
            answer = board_try(board_all[chip], "", life_model, names[i]);
            if (answer == BOARD_ABSENT) board_absent(0, board_all[chip], "");
            cr_assert(answer == BOARD_WORKS, "%s, %s: the child ended with %d", board_all[chip], names[i], answer);
        }
        cr_assert(count >= 30, "%s has %zu models: is the folder the board's?", board_all[chip], count);
    }
}
