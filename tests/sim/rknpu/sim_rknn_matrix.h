/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_matrix.h - the matrices of the matmul API as they lie in memory. Pure functions of the chip. */
#ifndef NNRT_TESTS_SIM_RKNN_MATRIX_H
#define NNRT_TESTS_SIM_RKNN_MATRIX_H

#include "sim_rknn.h"

enum {
    SIM_RKNN_A = 0,
    SIM_RKNN_B = 1,
    SIM_RKNN_C = 2
};

/* A matrix as it lies in memory. */
typedef struct sim_rknn_matrix {
    nnrt_rknn_tensor_type type;
    int layout; /* NNRT_RKNN_MM_LAYOUT_* */
    uint32_t rows, columns;
    uint32_t tile;      /* columns of A and C in a block; columns (N) of B in a block */
    uint32_t tile_rows; /* rows (K) of B in a block; 0: not B */
    uint32_t segment;   /* rows of B that lie together */
} sim_rknn_matrix;

/* Of A, B and C. */
void sim_rknn_types(nnrt_rknn_matmul_type type, nnrt_rknn_tensor_type types[3]);
bool sim_rknn_type_known(int type); /* to this chip and version */
uint32_t sim_rknn_bits(nnrt_rknn_tensor_type type);
bool sim_rknn_is(const char *chip);

/* A block of native B: columns (N) and rows (K). */
void sim_rknn_b_tile(nnrt_rknn_tensor_type type, uint32_t *columns, uint32_t *rows);
/* rows: M, of A and C. */
sim_rknn_matrix sim_rknn_describe_matrix(const nnrt_rknn_matmul_info *info, int which, int32_t rows);
uint64_t sim_rknn_matrix_bytes(const sim_rknn_matrix *m);

/* Number of element (row, column). */
size_t sim_rknn_at(const sim_rknn_matrix *m, uint32_t row, uint32_t column);
/* int4: is element number at the high half of its byte? */
bool sim_rknn_high_half(const sim_rknn_matrix *m, size_t at);
float sim_rknn_get(const sim_rknn_matrix *m, const uint8_t *bytes, uint32_t row, uint32_t column);
void sim_rknn_put(const sim_rknn_matrix *m, uint8_t *bytes, uint32_t row, uint32_t column, double x);

#endif /* NNRT_TESTS_SIM_RKNN_MATRIX_H */
