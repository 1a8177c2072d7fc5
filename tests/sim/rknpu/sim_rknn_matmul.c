/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_matmul.c - the matrix products of librknnrt: C[M,N] = A[M,K] x B[K,N]. librknnmrt has none of it.

   Seen, up to 1.6.0 on rk3566 and rk3588: types, tile sizes, alignment and limits of K and N, codes, core masks, and
   that nobody looks at the size of memory or whether it is bound. Known: nibble order. The manual wants A and B to be
   there before rknn_matmul_set_io_mem. Assumptions, where nothing is written:
     - That call converts A and B in normal layout, so they have to be bound again after a change. A change without
       that is a mistake here, and the old values are used.
     - rk3566 and rk3568 accept types 1 and 2, rk3562 also 5 and 6, rk3576 and rk3588 all. Runtimes before 1.6 know 1
       and 2, 1.6 and 2.0 also 10, 2.1 up to 11, 2.3.0 also 12, 2.3.2 also 15.
     - Tiles of B and alignment of N go by the type of B; K is a multiple of what both types ask for.
     - A large B on rk3588 (K > 8192) and rk3576 (K > 4096) lies in plain segments of that many rows, from 2.0 on.
     - Scales per group: element (k / group_size) * N + n.
     - Type 2 with scales per channel is brought to the largest of them, which rknn_matmul_get_quant_params returns.
     - Sizes of 0 are refused where they are not seen to end the process. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "sim_rknn_matrix.h"

#if !NNRT_SIM_MINI && NNRT_SIM_VERSION >= 0x010400

#define SIM_RKNN_MOST_SHAPES 512
#define SIM_RKNN_V20 (NNRT_SIM_VERSION >= 0x020000)
#define SIM_RKNN_V21 (NNRT_SIM_VERSION >= 0x020100)

typedef struct sim_rknn_binding {
    nnrt_rknn_tensor_mem *mem;
    uint32_t shape; /* that it was bound for */
    uint8_t *copy;  /* the bytes when it was bound, of A and B in normal layout */
    size_t size;
} sim_rknn_binding;

typedef struct sim_rknn_matmul {
    sim_context base; /* kind: sim_rknn_kind_matmul */
    nnrt_rknn_matmul_info info;
    uint32_t shapes, shape;
    int32_t *rows; /* M of each shape */
    sim_rknn_binding bound[3];
    float scale[3]; /* of A and C */
    int32_t zp[3];
    float *b_scales; /* b_count of them: 0 (the scale is 1), 1, N or a multiple of N */
    int32_t *b_zps;
    uint32_t b_count;
} sim_rknn_matmul;

/* --------------------------------------------------------------------------------------- making a product */

static void sim_rknn_fill_attr(const nnrt_rknn_matmul_info *info, int which, int32_t rows,
                               nnrt_rknn_matmul_tensor_attr *attr) {
    sim_rknn_matrix m = sim_rknn_describe_matrix(info, which, rows);
    memset(attr, 0, sizeof *attr);
    attr->name[0] = (char)('A' + which);
    attr->type = m.type;
    attr->size = (uint32_t)sim_rknn_matrix_bytes(&m);
    attr->n_dims = 2;
    attr->dims[0] = m.rows;
    attr->dims[1] = m.columns;
    if (m.layout == NNRT_RKNN_MM_LAYOUT_TP_NORM) {
        attr->dims[0] = m.columns;
        attr->dims[1] = m.rows;
    }
    if (m.layout != NNRT_RKNN_MM_LAYOUT_NATIVE) return;
    attr->n_dims = which == SIM_RKNN_B ? 4 : 3;
    attr->dims[0] = m.columns / m.tile;
    attr->dims[1] = which == SIM_RKNN_B ? m.rows / m.tile_rows : m.rows;
    attr->dims[2] = m.tile;
    attr->dims[3] = which == SIM_RKNN_B ? m.tile_rows : 0;
}

static int32_t sim_rknn_multiple(uint32_t a, uint32_t b) { return (int32_t)(a > b ? a : b); /* powers of two */ }

/* Seen up to 1.6.0 (there: the largest that was taken, what the limit itself is nobody knows), documented from then on;
   1.4.0 is assumed to have the limits of 1.5.2. */
static int32_t sim_rknn_k_max(nnrt_rknn_tensor_type type) {
    if (NNRT_SIM_VERSION < 0x010600) return type == NNRT_RKNN_FLOAT16 ? 2048 : 4096;
    if (NNRT_SIM_VERSION < 0x020000) return sim_rknn_is("rk3588") ? 10272 : 14336;
    return 10240;
}

/* Sizes of 0: what rk3588 dies of. */
static void sim_rknn_no_size(const nnrt_rknn_matmul_info *info, int32_t rows) {
    if (!sim_rknn_is("rk3588") || NNRT_SIM_VERSION >= 0x020000) return;
    if (info->K == 0 && NNRT_SIM_VERSION < 0x010600) sim_crash(SIGFPE, "rknn_matmul_create with K 0");
    if (rows == 0 && NNRT_SIM_VERSION >= 0x010600) sim_crash(SIGABRT, "rknn_matmul_create with M 0");
}

static const char *sim_rknn_info_error(const nnrt_rknn_matmul_info *info, int32_t rows) {
    sim_rknn_matrix a, b, c;
    uint32_t k_align;
    if (!sim_rknn_type_known((int)info->type)) return "this type is not supported by the chip or the runtime";
    if (rows < 1 || info->K < 1 || info->N < 1) {
        sim_rknn_no_size(info, rows);
        return "M, K or N is not positive";
    }
    if (info->B_layout < 0 || info->B_layout > (SIM_RKNN_V21 ? 2 : 1) || info->AC_layout < 0 || info->AC_layout > 1)
        return "an unknown layout";
    a = sim_rknn_describe_matrix(info, SIM_RKNN_A, rows);
    b = sim_rknn_describe_matrix(info, SIM_RKNN_B, rows);
    c = sim_rknn_describe_matrix(info, SIM_RKNN_C, rows);
    if (info->K > sim_rknn_k_max(a.type)) return "K is above what the runtime takes";
    k_align = sim_rknn_is("rk3566") || sim_rknn_is("rk3568") ? (a.type == NNRT_RKNN_FLOAT16 ? 16u : 32u) : 32u;
    if (info->K % sim_rknn_multiple(k_align, b.tile_rows) != 0) return "K is not a multiple of what the chip needs";
    if (info->N % (int32_t)b.tile != 0) return "N is not a multiple of what the chip needs";
    if (sim_rknn_matrix_bytes(&a) > INT32_MAX || sim_rknn_matrix_bytes(&b) > INT32_MAX ||
        sim_rknn_matrix_bytes(&c) > INT32_MAX)
        return "a matrix has more than 2 GiB";
    if (info->B_quant_type < 0 || info->B_quant_type > (SIM_RKNN_V21 ? 5 : 1) || info->AC_quant_type != 0)
        return "an unknown way of quantization";
    if (SIM_RKNN_V21 && info->B_quant_type >= NNRT_RKNN_QUANT_PER_GROUP_SYM &&
        (info->group_size < 1 || info->K % info->group_size != 0))
        return "K is not a multiple of the group size";
    return NULL;
}

static void sim_rknn_matmul_free(sim_rknn_matmul *state) {
    int i;
    if (state == NULL) return;
    for (i = 0; i < 3; i++) free(state->bound[i].copy);
    free(state->rows);
    free(state->b_scales);
    free(state->b_zps);
    free(state);
}

static int sim_rknn_register(sim_rknn_matmul *state, size_t bytes) {
    bool fits;
    if (!sim_rknn_board_fits()) return NNRT_RKNN_ERR_DEVICE_UNAVAILABLE;
    sim_lock();
    fits = sim_fits(bytes);
    if (fits) {
        sim_context_add(&state->base, &sim_rknn_kind_matmul);
        state->base.bytes = bytes;
    }
    sim_unlock();
    return fits ? 0 : NNRT_RKNN_ERR_MALLOC_FAIL;
}

/* info is complete; shapes: the rows of each, n of them. */
static int sim_rknn_create(nnrt_rknn_context *handle, const nnrt_rknn_matmul_info *info, const int32_t *rows,
                           uint32_t n, nnrt_rknn_matmul_io_attr *io) {
    sim_rknn_matmul *state;
    size_t bytes = 4096;
    uint32_t i;
    int result;
    for (i = 0; i < n; i++) {
        const char *error = sim_rknn_info_error(info, rows[i]);
        if (error == NULL) continue;
        sim_log("rknn_matmul_create: %s (M %d, K %d, N %d, type %d)", error, rows[i], info->K, info->N,
                (int)info->type);
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    state = (sim_rknn_matmul *)calloc(1, sizeof *state);
    if (state == NULL) return NNRT_RKNN_ERR_MALLOC_FAIL;
    state->rows = (int32_t *)calloc(n, sizeof *state->rows);
    if (state->rows == NULL) {
        free(state);
        return NNRT_RKNN_ERR_MALLOC_FAIL;
    }
    memcpy(state->rows, rows, n * sizeof *rows);
    state->info = *info;
    state->shapes = n;
    for (i = 0; i < 3; i++) state->scale[i] = 1;
    for (i = 0; i < n; i++) {
        sim_rknn_fill_attr(info, SIM_RKNN_A, rows[i], &io[i].A);
        sim_rknn_fill_attr(info, SIM_RKNN_B, rows[i], &io[i].B);
        sim_rknn_fill_attr(info, SIM_RKNN_C, rows[i], &io[i].C);
    }
    if (info->B_layout != NNRT_RKNN_MM_LAYOUT_NATIVE) bytes += io[0].B.size;
    if (info->AC_layout != NNRT_RKNN_MM_LAYOUT_NATIVE) bytes += io[0].A.size;
    result = sim_rknn_register(state, bytes);
    if (result != 0) sim_rknn_matmul_free(state);
    else *handle = (nnrt_rknn_context)state->base.handle;
    return result;
}

/* The caller's structure has the size of this runtime's version. */
static void sim_rknn_take_info(const void *from, nnrt_rknn_matmul_info *info) {
    nnrt_rknn_matmul_info_v1 old;
    memset(info, 0, sizeof *info);
    if (SIM_RKNN_V20) {
        memcpy(info, from, sizeof *info);
        return;
    }
    memcpy(&old, from, sizeof old);
    info->M = old.M;
    info->K = old.K;
    info->N = old.N;
    info->type = (nnrt_rknn_matmul_type)old.type;
    info->B_layout = (int16_t)(old.B_layout != 0); /* whatever is not 0 is native */
    info->AC_layout = (int16_t)(old.AC_layout != 0);
}

SIM_EXPORT int rknn_matmul_create(nnrt_rknn_context *context, void *info, nnrt_rknn_matmul_io_attr *io);
SIM_EXPORT int rknn_matmul_create(nnrt_rknn_context *context, void *info, nnrt_rknn_matmul_io_attr *io) {
    nnrt_rknn_matmul_info mine;
    int answer;
    if (sim_enter("rknn_matmul_create", &answer)) return answer;
    if (context == NULL) return NNRT_RKNN_ERR_CTX_INVALID;
    if (info == NULL || io == NULL) return NNRT_RKNN_ERR_PARAM_INVALID;
    sim_rknn_take_info(info, &mine);
    return sim_rknn_create(context, &mine, &mine.M, 1, io);
}

#if NNRT_SIM_VERSION >= 0x020000

static int sim_rknn_create_dynamic(nnrt_rknn_context *context, const nnrt_rknn_matmul_info *info, int count,
                                   const nnrt_rknn_matmul_shape *shapes, nnrt_rknn_matmul_io_attr *io) {
    nnrt_rknn_matmul_info mine;
    int32_t *rows;
    int i, result;
    if (context == NULL || info == NULL || shapes == NULL || io == NULL || count < 1 || count > SIM_RKNN_MOST_SHAPES)
        return NNRT_RKNN_ERR_PARAM_INVALID;
    mine = *info;
    mine.M = shapes[0].M;
    mine.K = shapes[0].K;
    mine.N = shapes[0].N;
    rows = (int32_t *)calloc((size_t)count, sizeof *rows);
    if (rows == NULL) return NNRT_RKNN_ERR_MALLOC_FAIL;
    result = 0;
    for (i = 0; i < count; i++) {
        rows[i] = shapes[i].M;
        if (shapes[i].K != mine.K || shapes[i].N != mine.N) result = NNRT_RKNN_ERR_PARAM_INVALID; /* only M may vary */
    }
    if (result == 0) result = sim_rknn_create(context, &mine, rows, (uint32_t)count, io);
    free(rows);
    return result;
}

#if NNRT_SIM_VERSION >= 0x020100
SIM_EXPORT int rknn_matmul_create_dynamic_shape(nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, int count,
                                                nnrt_rknn_matmul_shape shapes[], nnrt_rknn_matmul_io_attr io[]);
SIM_EXPORT int rknn_matmul_create_dynamic_shape(nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, int count,
                                                nnrt_rknn_matmul_shape shapes[], nnrt_rknn_matmul_io_attr io[]) {
    int answer;
    if (sim_enter("rknn_matmul_create_dynamic_shape", &answer)) return answer;
    return sim_rknn_create_dynamic(context, info, count, shapes, io);
}
#else
SIM_EXPORT int rknn_matmul_create_dyn_shape(nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, int count,
                                            nnrt_rknn_matmul_shape shapes[], nnrt_rknn_matmul_io_attr io[]);
SIM_EXPORT int rknn_matmul_create_dyn_shape(nnrt_rknn_context *context, nnrt_rknn_matmul_info *info, int count,
                                            nnrt_rknn_matmul_shape shapes[], nnrt_rknn_matmul_io_attr io[]) {
    int answer;
    if (sim_enter("rknn_matmul_create_dyn_shape", &answer)) return answer;
    return sim_rknn_create_dynamic(context, info, count, shapes, io);
}
#endif

SIM_EXPORT int rknn_matmul_set_dynamic_shape(nnrt_rknn_context context, nnrt_rknn_matmul_shape *shape);
SIM_EXPORT int rknn_matmul_set_dynamic_shape(nnrt_rknn_context context, nnrt_rknn_matmul_shape *shape) {
    sim_context *inside;
    sim_rknn_matmul *state;
    uint32_t i;
    int result = sim_begin(context, &sim_rknn_kind_matmul, "rknn_matmul_set_dynamic_shape", &inside);
    if (result != 0) return result;
    state = (sim_rknn_matmul *)inside;
    result = NNRT_RKNN_ERR_PARAM_INVALID;
    for (i = 0; i < state->shapes && shape != NULL && result != 0; i++) {
        if (shape->M != state->rows[i] || shape->K != state->info.K || shape->N != state->info.N) continue;
        state->shape = i;
        result = 0;
    }
    sim_end(inside);
    return result;
}

#endif

SIM_EXPORT int rknn_matmul_destroy(nnrt_rknn_context context);
SIM_EXPORT int rknn_matmul_destroy(nnrt_rknn_context context) {
    sim_context *inside;
    int result = sim_begin_last(context, &sim_rknn_kind_matmul, "rknn_matmul_destroy", &inside);
    if (result != 0) return result;
    sim_lock();
    sim_context_unlink(inside);
    sim_unlock();
    sim_rknn_matmul_free((sim_rknn_matmul *)inside);
    return 0;
}

SIM_EXPORT int rknn_matmul_set_core_mask(nnrt_rknn_context context, nnrt_rknn_core_mask mask);
SIM_EXPORT int rknn_matmul_set_core_mask(nnrt_rknn_context context, nnrt_rknn_core_mask mask) {
    sim_context *inside;
    uint32_t bits = (uint32_t)mask, cores = sim_rknn_board_chip()->cores;
    int result = sim_begin(context, &sim_rknn_kind_matmul, "rknn_matmul_set_core_mask", &inside);
    if (result != 0) return result;
    if (cores == 1 || bits >= 1u << cores || (bits & (bits - 1)) != 0) result = NNRT_RKNN_ERR_FAIL;
    sim_end(inside);
    return result;
}

/* ------------------------------------------------------------------------------------------------ binding */

/* The number of the shape that attr describes; UINT32_MAX: it is not one of this product's. */
static uint32_t sim_rknn_shape_of(const sim_rknn_matmul *state, int which, const nnrt_rknn_matmul_tensor_attr *attr) {
    uint32_t i, shape;
    for (i = 0; i < state->shapes; i++) {
        nnrt_rknn_matmul_tensor_attr mine;
        shape = (state->shape + i) % state->shapes; /* the current one first */
        sim_rknn_fill_attr(&state->info, which, state->rows[shape], &mine);
        if (mine.type == attr->type && mine.size == attr->size && mine.n_dims == attr->n_dims &&
            memcmp(mine.dims, attr->dims, mine.n_dims * sizeof mine.dims[0]) == 0)
            return shape;
    }
    return UINT32_MAX;
}

static const char *sim_rknn_letter(int which) { return which == SIM_RKNN_A ? "A" : which == SIM_RKNN_B ? "B" : "C"; }

/* Nobody measures the memory: bytes of a matrix that are in it. */
static size_t sim_rknn_there(const nnrt_rknn_tensor_mem *mem, size_t size) {
    return mem->size < size ? mem->size : size;
}

static int sim_rknn_bind(sim_context *inside, nnrt_rknn_tensor_mem *mem, const nnrt_rknn_matmul_tensor_attr *attr) {
    sim_rknn_matmul *state = (sim_rknn_matmul *)inside;
    sim_rknn_binding *bound;
    uint8_t *copy = NULL;
    uint32_t shape;
    int which, result;
    if (mem == NULL || attr == NULL || attr->name[0] < 'A' || attr->name[0] > 'C' || attr->name[1] != 0)
        return NNRT_RKNN_ERR_PARAM_INVALID;
    which = attr->name[0] - 'A';
    shape = sim_rknn_shape_of(state, which, attr);
    if (shape == UINT32_MAX) {
        sim_log("rknn_matmul_set_io_mem: %s is not described as rknn_matmul_create did", sim_rknn_letter(which));
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    result = sim_memory_check(inside, mem, sim_lets_pass() ? 0 : attr->size, sim_rknn_letter(which));
    if (result != 0) return result;
    if (mem->size < attr->size)
        sim_mistake("wrong size: %s needs %lu bytes, its memory has %lu", sim_rknn_letter(which),
                    (unsigned long)attr->size, (unsigned long)mem->size);
    bound = &state->bound[which];
    if (which != SIM_RKNN_C &&
        (which == SIM_RKNN_B ? state->info.B_layout : state->info.AC_layout) != NNRT_RKNN_MM_LAYOUT_NATIVE) {
        copy = (uint8_t *)calloc(1, attr->size);
        if (copy == NULL) return NNRT_RKNN_ERR_MALLOC_FAIL;
        result = sim_rknn_memory_take(inside, mem, copy, sim_rknn_there(mem, attr->size), true, sim_rknn_letter(which));
        if (result != 0) {
            free(copy);
            return result;
        }
    }
    free(bound->copy);
    bound->copy = copy;
    bound->mem = mem;
    bound->size = attr->size;
    bound->shape = shape;
    return 0;
}

SIM_EXPORT int rknn_matmul_set_io_mem(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem,
                                      nnrt_rknn_matmul_tensor_attr *attr);
SIM_EXPORT int rknn_matmul_set_io_mem(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem,
                                      nnrt_rknn_matmul_tensor_attr *attr) {
    sim_context *inside;
    int result = sim_begin(context, &sim_rknn_kind_matmul, "rknn_matmul_set_io_mem", &inside);
    if (result != 0) return result;
    result = sim_rknn_bind(inside, mem, attr);
    sim_end(inside);
    return result;
}

/* ------------------------------------------------------------------------------------------- quantization */

static float sim_rknn_largest_scale(const sim_rknn_matmul *state) {
    float most = 0;
    uint32_t i;
    for (i = 0; i < state->b_count; i++)
        if (state->b_scales[i] > most) most = state->b_scales[i];
    return most;
}

#if NNRT_SIM_VERSION >= 0x020000

static uint32_t sim_rknn_b_scales(const nnrt_rknn_matmul_info *info) {
    bool channel = SIM_RKNN_V21 ? info->B_quant_type == NNRT_RKNN_QUANT_PER_CHANNEL_SYM ||
                                      info->B_quant_type == NNRT_RKNN_QUANT_PER_CHANNEL_ASYM
                                : info->B_quant_type == 1;
    if (SIM_RKNN_V21 && info->B_quant_type >= NNRT_RKNN_QUANT_PER_GROUP_SYM)
        return (uint32_t)(info->K / info->group_size) * (uint32_t)info->N;
    return channel ? (uint32_t)info->N : 1;
}

static int sim_rknn_set_b(sim_rknn_matmul *state, const nnrt_rknn_quant_params *p, uint32_t count) {
    float *scales = (float *)malloc(count * sizeof *scales);
    int32_t *zps = (int32_t *)calloc(count, sizeof *zps);
    if (scales == NULL || zps == NULL) {
        free(scales);
        free(zps);
        return NNRT_RKNN_ERR_MALLOC_FAIL;
    }
    memcpy(scales, p->scale, count * sizeof *scales);
    if (p->zp_len != 0) memcpy(zps, p->zp, count * sizeof *zps);
    free(state->b_scales);
    free(state->b_zps);
    state->b_scales = scales;
    state->b_zps = zps;
    state->b_count = count;
    return 0;
}

static int sim_rknn_set_quant(sim_rknn_matmul *state, const nnrt_rknn_quant_params *p) {
    int type = (int)state->info.type, which;
    uint32_t count, i;
    if (type == 1 || type == 4 || type == 10 || type == 11 || p == NULL) return NNRT_RKNN_ERR_PARAM_INVALID;
    if (p->name[0] < 'A' || p->name[0] > 'C' || p->name[1] != 0 || p->scale == NULL) return NNRT_RKNN_ERR_PARAM_INVALID;
    which = p->name[0] - 'A';
    count = which == SIM_RKNN_B ? sim_rknn_b_scales(&state->info) : 1;
    if (p->scale_len < 0 || (uint32_t)p->scale_len != count) return NNRT_RKNN_ERR_PARAM_INVALID;
    if (p->zp_len != 0 && (p->zp == NULL || p->zp_len != p->scale_len)) return NNRT_RKNN_ERR_PARAM_INVALID;
    for (i = 0; i < count; i++)
        if (!(p->scale[i] > 0 && p->scale[i] < INFINITY)) return NNRT_RKNN_ERR_PARAM_INVALID;
    if (which == SIM_RKNN_B) {
        int result = sim_rknn_set_b(state, p, count);
        if (result != 0) return result;
    } else {
        state->scale[which] = p->scale[0];
        state->zp[which] = p->zp_len != 0 ? p->zp[0] : 0;
    }
    return 0;
}

SIM_EXPORT int rknn_matmul_set_quant_params(nnrt_rknn_context context, nnrt_rknn_quant_params *params);
SIM_EXPORT int rknn_matmul_set_quant_params(nnrt_rknn_context context, nnrt_rknn_quant_params *params) {
    sim_context *inside;
    int result = sim_begin(context, &sim_rknn_kind_matmul, "rknn_matmul_set_quant_params", &inside);
    if (result != 0) return result;
    result = sim_rknn_set_quant((sim_rknn_matmul *)inside, params);
    sim_end(inside);
    return result;
}

SIM_EXPORT int rknn_matmul_get_quant_params(nnrt_rknn_context context, nnrt_rknn_quant_params *params, float *scale);
SIM_EXPORT int rknn_matmul_get_quant_params(nnrt_rknn_context context, nnrt_rknn_quant_params *params, float *scale) {
    sim_context *inside;
    sim_rknn_matmul *state;
    int result = sim_begin(context, &sim_rknn_kind_matmul, "rknn_matmul_get_quant_params", &inside);
    if (result != 0) return result;
    state = (sim_rknn_matmul *)inside;
    if (params == NULL || scale == NULL || state->info.type != NNRT_RKNN_INT8_MM_INT8_TO_INT32 || state->b_count < 2 ||
        params->name[0] != 'B' || params->name[1] != 0)
        result = NNRT_RKNN_ERR_PARAM_INVALID;
    else *scale = sim_rknn_largest_scale(state);
    sim_end(inside);
    return result;
}

#endif

/* ------------------------------------------------------------------------------------------------ running */

/* The bytes that the product uses, in a block that the caller frees. */
static int sim_rknn_operand(sim_context *inside, int which, uint8_t **bytes) {
    sim_rknn_matmul *state = (sim_rknn_matmul *)inside;
    sim_rknn_binding *bound = &state->bound[which];
    int result;
    *bytes = NULL;
    if (bound->mem == NULL) return NNRT_RKNN_ERR_INPUT_INVALID;
    *bytes = (uint8_t *)calloc(1, bound->size);
    if (*bytes == NULL) return NNRT_RKNN_ERR_MALLOC_FAIL;
    result = sim_rknn_memory_take(inside, bound->mem, *bytes, sim_rknn_there(bound->mem, bound->size), true,
                                  sim_rknn_letter(which));
    if (result != 0 || bound->copy == NULL) return result;
    if (memcmp(*bytes, bound->copy, bound->size) != 0)
        sim_mistake("stale matrix: %s in normal layout was changed after rknn_matmul_set_io_mem, which converted it; "
                    "bind it again",
                    sim_rknn_letter(which));
    memcpy(*bytes, bound->copy, bound->size);
    return 0;
}

/* Everything as numbers: A by rows, B by columns. */
static void sim_rknn_unpack(const sim_rknn_matrix *m, const uint8_t *bytes, bool by_columns, float *to) {
    uint32_t row, column;
    for (row = 0; row < m->rows; row++)
        for (column = 0; column < m->columns; column++)
            to[by_columns ? (size_t)column * m->rows + row : (size_t)row * m->columns + column] =
                sim_rknn_get(m, bytes, row, column);
}

/* sum (a - za) * (b - zb), times the scale of B in each group. Integers are exact: below 2^53. */
static double sim_rknn_dot(const sim_rknn_matmul *state, const float *a, const float *b, uint32_t column) {
    uint32_t k = (uint32_t)state->info.K, n = (uint32_t)state->info.N;
    uint32_t groups = state->b_count > n ? state->b_count / n : 1, g, i;
    bool whole = state->info.type != NNRT_RKNN_FLOAT16_MM_FLOAT16_TO_FLOAT32 &&
                 state->info.type != NNRT_RKNN_FLOAT16_MM_FLOAT16_TO_FLOAT16;
    double total = 0;
    for (g = 0; g < groups; g++) {
        uint32_t at = state->b_count == 1 ? 0 : g * n + column;
        float zero = state->b_count != 0 ? (float)state->b_zps[at] : 0;
        double scale = state->b_count != 0 ? (double)state->b_scales[at] : 1, sum = 0;
        float sum_f = 0;
        for (i = g * (k / groups); i < (g + 1) * (k / groups); i++) {
            if (whole) sum += ((double)a[i] - state->zp[SIM_RKNN_A]) * (double)(b[i] - zero);
            else sum_f += a[i] * b[i];
        }
        total += whole ? sum * scale : (double)sum_f;
    }
    return total;
}

static double sim_rknn_scaled(const sim_rknn_matmul *state, double sum) {
    switch ((int)state->info.type) {
    case NNRT_RKNN_INT8_MM_INT8_TO_INT32: /* in units of A's scale times B's largest */
        return state->b_count != 0 ? sum / (double)sim_rknn_largest_scale(state) : sum;
    case NNRT_RKNN_INT8_MM_INT8_TO_INT8:
        return nearbyint(sum * (double)state->scale[SIM_RKNN_A] / (double)state->scale[SIM_RKNN_C]) +
               state->zp[SIM_RKNN_C];
    default: return sum * (double)state->scale[SIM_RKNN_A];
    }
}

static int sim_rknn_multiply(sim_context *inside) {
    sim_rknn_matmul *state = (sim_rknn_matmul *)inside;
    int32_t rows = state->rows[state->shape];
    sim_rknn_matrix a = sim_rknn_describe_matrix(&state->info, SIM_RKNN_A, rows),
                    b = sim_rknn_describe_matrix(&state->info, SIM_RKNN_B, rows);
    sim_rknn_matrix c = sim_rknn_describe_matrix(&state->info, SIM_RKNN_C, rows);
    uint8_t *a_bytes = NULL, *b_bytes = NULL, *c_bytes = NULL;
    float *a_values = NULL, *b_values = NULL;
    uint32_t m, n;
    int result = sim_rknn_operand(inside, SIM_RKNN_A, &a_bytes);
    if (result == 0) result = sim_rknn_operand(inside, SIM_RKNN_B, &b_bytes);
    if (result == 0 && state->bound[SIM_RKNN_C].mem == NULL) result = NNRT_RKNN_ERR_OUTPUT_INVALID;
    if (result == 0 &&
        (state->rows[state->bound[SIM_RKNN_A].shape] != rows || state->rows[state->bound[SIM_RKNN_C].shape] != rows)) {
        sim_mistake("stale binding: A or C of a product was bound for another shape than the current one");
        result = NNRT_RKNN_ERR_PARAM_INVALID;
    }
    if (result != 0) goto out;
    a_values = (float *)malloc((size_t)a.rows * a.columns * sizeof *a_values);
    b_values = (float *)malloc((size_t)b.rows * b.columns * sizeof *b_values);
    c_bytes = (uint8_t *)calloc(1, state->bound[SIM_RKNN_C].size);
    result = NNRT_RKNN_ERR_MALLOC_FAIL;
    if (a_values == NULL || b_values == NULL || c_bytes == NULL) goto out;
    sim_rknn_unpack(&a, a_bytes, false, a_values);
    sim_rknn_unpack(&b, b_bytes, true, b_values);
    for (m = 0; m < c.rows; m++)
        for (n = 0; n < c.columns; n++)
            sim_rknn_put(&c, c_bytes, m, n,
                         sim_rknn_scaled(state, sim_rknn_dot(state, a_values + (size_t)m * a.columns,
                                                             b_values + (size_t)n * b.rows, n)));
    result =
        sim_rknn_memory_give(inside, state->bound[SIM_RKNN_C].mem, c_bytes,
                             sim_rknn_there(state->bound[SIM_RKNN_C].mem, state->bound[SIM_RKNN_C].size), true, "C");
out:
    free(a_bytes);
    free(b_bytes);
    free(c_bytes);
    free(a_values);
    free(b_values);
    return result;
}

/* 0: yes. Else nothing is computed, and only a strict board says so: the code, or 1. */
static int sim_rknn_all_bound(const sim_rknn_matmul *state) {
    int which;
    for (which = SIM_RKNN_A; which <= SIM_RKNN_C; which++) {
        if (state->bound[which].mem != NULL) continue;
        sim_mistake("unbound tensor: %s has no memory", sim_rknn_letter(which));
        if (sim_lets_pass()) return 1;
        return which == SIM_RKNN_C ? NNRT_RKNN_ERR_OUTPUT_INVALID : NNRT_RKNN_ERR_INPUT_INVALID;
    }
    return 0;
}

SIM_EXPORT int rknn_matmul_run(nnrt_rknn_context context);
SIM_EXPORT int rknn_matmul_run(nnrt_rknn_context context) {
    sim_context *inside;
    int result = sim_begin(context, &sim_rknn_kind_matmul, "rknn_matmul_run", &inside);
    if (result != 0) return result;
    result = sim_rknn_all_bound((const sim_rknn_matmul *)inside);
    if (result == 0) result = sim_rknn_multiply(inside);
    if (result > 0) result = 0;
    sim_end(inside);
    return result;
}

/* ------------------------------------------------------------------------------------- the converter of B */

#if NNRT_SIM_VERSION >= 0x020000

static int sim_rknn_convert_b(const void *from, void *to, int k, int n, nnrt_rknn_matmul_type type) {
    nnrt_rknn_matmul_info info;
    sim_rknn_matrix normal, native;
    uint32_t row, column;
    const char *error;
    memset(&info, 0, sizeof info);
    info.M = 1;
    info.K = k;
    info.N = n;
    info.type = type;
    error = sim_rknn_info_error(&info, 1);
    if (from == NULL || to == NULL || error != NULL) {
        sim_log("rknn_B_normal_layout_to_native_layout: %s", error != NULL ? error : "no memory was given");
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    normal = native = sim_rknn_describe_matrix(&info, SIM_RKNN_B, 1);
    native.layout = NNRT_RKNN_MM_LAYOUT_NATIVE;
    if (normal.type == NNRT_RKNN_INT4) memset(to, 0, (size_t)sim_rknn_matrix_bytes(&native));
    for (row = 0; row < normal.rows; row++)
        for (column = 0; column < normal.columns; column++) {
            size_t i = sim_rknn_at(&normal, row, column), o = sim_rknn_at(&native, row, column);
            const uint8_t *source = (const uint8_t *)from;
            uint8_t *target = (uint8_t *)to;
            if (normal.type == NNRT_RKNN_INT4) {
                int value = sim_rknn_high_half(&normal, i) ? source[i / 2] >> 4 : source[i / 2] & 15;
                target[o / 2] = (uint8_t)(target[o / 2] | (sim_rknn_high_half(&native, o) ? value << 4 : value));
            } else {
                size_t bytes = sim_rknn_bits(normal.type) / 8;
                memcpy(target + o * bytes, source + i * bytes, bytes);
            }
        }
    return 0;
}

#if NNRT_SIM_VERSION >= 0x020100
SIM_EXPORT int rknn_B_normal_layout_to_native_layout(void *from, void *to, int k, int n, nnrt_rknn_matmul_info *info);
SIM_EXPORT int rknn_B_normal_layout_to_native_layout(void *from, void *to, int k, int n, nnrt_rknn_matmul_info *info) {
    int answer;
    if (sim_enter("rknn_B_normal_layout_to_native_layout", &answer)) return answer;
    if (info == NULL) return NNRT_RKNN_ERR_PARAM_INVALID;
    return sim_rknn_convert_b(from, to, k, n, info->type);
}
#else
SIM_EXPORT int rknn_B_normal_layout_to_native_layout(void *from, void *to, int k, int n, int sub_n, int sub_k,
                                                     int type);
SIM_EXPORT int rknn_B_normal_layout_to_native_layout(void *from, void *to, int k, int n, int sub_n, int sub_k,
                                                     int type) {
    nnrt_rknn_tensor_type types[3];
    uint32_t columns, rows;
    int answer;
    if (sim_enter("rknn_B_normal_layout_to_native_layout", &answer)) return answer;
    sim_rknn_types((nnrt_rknn_matmul_type)type, types);
    sim_rknn_b_tile(types[SIM_RKNN_B], &columns, &rows);
    if (sub_n != (int)columns || sub_k != (int)rows) return NNRT_RKNN_ERR_PARAM_INVALID;
    return sim_rknn_convert_b(from, to, k, n, (nnrt_rknn_matmul_type)type);
}
#endif

#endif

#else

/* C99 wants a declaration in every file. */
typedef int sim_rknn_matmul_is_empty;

#endif
