/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_matrix.c - the matrices of the matmul API: types and tiles of each chip, where an element lies. What is
   assumed stands in sim_rknn_matmul.c. */
#include <math.h>
#include <string.h>

#include "../common/sim_network.h"
#include "sim_rknn_matrix.h"

/* ---------------------------------------------------------------------------------------- types and tiles */

void sim_rknn_types(nnrt_rknn_matmul_type type, nnrt_rknn_tensor_type types[3]) {
    nnrt_rknn_tensor_type a = NNRT_RKNN_FLOAT16, b = NNRT_RKNN_FLOAT16, c = NNRT_RKNN_FLOAT32;
    int n = (int)type;
    if (n == 2 || n == 3 || n == 9 || n == 11 || n == 15) a = NNRT_RKNN_INT8;
    if (n == 10) a = NNRT_RKNN_INT4;
    if (n == 2 || n == 3 || n == 5 || n == 6 || n == 9) b = NNRT_RKNN_INT8;
    if (n == 7 || n == 8 || n == 10 || n == 11 || n == 12 || n == 15) b = NNRT_RKNN_INT4;
    if (n == 2 || n == 11) c = NNRT_RKNN_INT32;
    if (n == 3) c = NNRT_RKNN_INT8;
    if (n == 4 || n == 6 || n == 8 || n == 15) c = NNRT_RKNN_FLOAT16;
    if (n == 10) c = NNRT_RKNN_INT16;
    if (n == 12) c = NNRT_RKNN_BFLOAT16;
    types[SIM_RKNN_A] = a;
    types[SIM_RKNN_B] = b;
    types[SIM_RKNN_C] = c;
}

bool sim_rknn_is(const char *chip) { return strcmp(sim_rknn_board_chip()->name, chip) == 0; }

static bool sim_rknn_large_chip(void) { return sim_rknn_is("rk3588") || sim_rknn_is("rk3576"); }

bool sim_rknn_type_known(int type) {
    bool known = type == 1 || type == 2;
    if (NNRT_SIM_VERSION >= 0x010600 && type == 10) known = true;
    if (NNRT_SIM_VERSION >= 0x020100 && type >= 1 && type <= 11) known = true;
    if (NNRT_SIM_VERSION >= 0x020300 && type == 12) known = true;
    if (NNRT_SIM_VERSION >= 0x020302 && type == 15) known = true;
    if (sim_rknn_large_chip()) return known;
    if (sim_rknn_is("rk3562")) return known && (type == 1 || type == 2 || type == 5 || type == 6);
    return known && type <= 2;
}

uint32_t sim_rknn_bits(nnrt_rknn_tensor_type type) {
    switch (type) {
    case NNRT_RKNN_INT4: return 4;
    case NNRT_RKNN_INT8: return 8;
    case NNRT_RKNN_FLOAT32:
    case NNRT_RKNN_INT32: return 32;
    default: return 16;
    }
}

/* Columns of a block of A. */
static uint32_t sim_rknn_a_tile(nnrt_rknn_tensor_type type) {
    uint32_t tile = type == NNRT_RKNN_INT4 ? 32 : type == NNRT_RKNN_INT8 ? 16 : 8;
    return sim_rknn_is("rk3566") || sim_rknn_is("rk3568") ? tile / 2 : tile;
}

void sim_rknn_b_tile(nnrt_rknn_tensor_type type, uint32_t *columns, uint32_t *rows) {
    *columns = type == NNRT_RKNN_INT4 ? 64 : type == NNRT_RKNN_INT8 ? 32 : 16;
    *rows = 32;
    if (!sim_rknn_large_chip()) *columns /= 2;
    if (!sim_rknn_large_chip() && !sim_rknn_is("rk3562") && type == NNRT_RKNN_FLOAT16) *rows = 16;
}

sim_rknn_matrix sim_rknn_describe_matrix(const nnrt_rknn_matmul_info *info, int which, int32_t rows) {
    nnrt_rknn_tensor_type types[3];
    sim_rknn_matrix m;
    memset(&m, 0, sizeof m);
    sim_rknn_types(info->type, types);
    m.type = types[which];
    m.layout = which == SIM_RKNN_B ? info->B_layout : info->AC_layout;
    m.rows = (uint32_t)(which == SIM_RKNN_B ? info->K : rows);
    m.columns = (uint32_t)(which == SIM_RKNN_A ? info->K : info->N);
    if (which == SIM_RKNN_A) m.tile = sim_rknn_a_tile(m.type);
    if (which == SIM_RKNN_C) m.tile = info->type == NNRT_RKNN_INT4_MM_INT4_TO_INT16 && sim_rknn_is("rk3588") ? 8 : 4;
    if (which == SIM_RKNN_B) {
        sim_rknn_b_tile(m.type, &m.tile, &m.tile_rows);
        m.segment = sim_rknn_is("rk3588") ? 8192 : sim_rknn_is("rk3576") ? 4096 : m.rows;
        if (NNRT_SIM_VERSION < 0x020000) m.segment = m.rows;
    }
    return m;
}

uint64_t sim_rknn_matrix_bytes(const sim_rknn_matrix *m) {
    return ((uint64_t)m->rows * m->columns * sim_rknn_bits(m->type) + 7) / 8;
}

/* Number of element (row, column). K and N are multiples of the tiles: rknn_matmul_create saw to that. */
size_t sim_rknn_at(const sim_rknn_matrix *m, uint32_t row, uint32_t column) {
    if (m->layout == NNRT_RKNN_MM_LAYOUT_NORM) return (size_t)row * m->columns + column;
    if (m->layout == NNRT_RKNN_MM_LAYOUT_TP_NORM) return (size_t)column * m->rows + row;
    if (m->tile_rows != 0) {
        uint32_t first = row / m->segment * m->segment, k = row - first;
        size_t length = m->rows - first < m->segment ? m->rows - first : m->segment;
        return (size_t)first * m->columns +
               ((column / m->tile * (length / m->tile_rows) + k / m->tile_rows) * m->tile + column % m->tile) *
                   m->tile_rows +
               k % m->tile_rows;
    }
    return ((size_t)(column / m->tile) * m->rows + row) * m->tile + column % m->tile;
}

/* int4: the even element is the low half, but in native B the high one. */
bool sim_rknn_high_half(const sim_rknn_matrix *m, size_t at) {
    return (at % 2 != 0) != (m->tile_rows != 0 && m->layout == NNRT_RKNN_MM_LAYOUT_NATIVE);
}

float sim_rknn_get(const sim_rknn_matrix *m, const uint8_t *bytes, uint32_t row, uint32_t column) {
    size_t at = sim_rknn_at(m, row, column);
    uint16_t half;
    int value;
    if (m->type == NNRT_RKNN_INT4) {
        value = sim_rknn_high_half(m, at) ? bytes[at / 2] >> 4 : bytes[at / 2] & 15;
        return (float)(value < 8 ? value : value - 16);
    }
    if (m->type == NNRT_RKNN_INT8) return (float)((const int8_t *)bytes)[at];
    memcpy(&half, bytes + 2 * at, sizeof half);
    return sim_from_half(half);
}

static uint16_t sim_rknn_bfloat16(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static double sim_rknn_within(double x, double low, double high) {
    return nearbyint(x < low ? low : x > high ? high : x);
}

/* An int32 wraps as the accumulator does; int8 and int16 saturate. */
void sim_rknn_put(const sim_rknn_matrix *m, uint8_t *bytes, uint32_t row, uint32_t column, double x) {
    size_t at = sim_rknn_at(m, row, column);
    float f = (float)x;
    int16_t i16;
    uint16_t half;
    uint32_t wrapped;
    switch (m->type) {
    case NNRT_RKNN_INT8: ((int8_t *)bytes)[at] = (int8_t)sim_rknn_within(x, -128, 127); return;
    case NNRT_RKNN_INT16:
        i16 = (int16_t)sim_rknn_within(x, -32768, 32767);
        memcpy(bytes + 2 * at, &i16, sizeof i16);
        return;
    case NNRT_RKNN_INT32:
        wrapped = (uint32_t)(uint64_t)(int64_t)nearbyint(x);
        memcpy(bytes + 4 * at, &wrapped, sizeof wrapped);
        return;
    case NNRT_RKNN_FLOAT32: memcpy(bytes + 4 * at, &f, sizeof f); return;
    default:
        half = m->type == NNRT_RKNN_BFLOAT16 ? sim_rknn_bfloat16(f) : sim_half(f);
        memcpy(bytes + 2 * at, &half, sizeof half);
        return;
    }
}
