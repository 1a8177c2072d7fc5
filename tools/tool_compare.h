/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_compare.h - how far two tensors are apart: pure functions, and what is said of their answer. */
#ifndef NNRT_TOOLS_TOOL_COMPARE_H
#define NNRT_TOOLS_TOOL_COMPARE_H

#include "json_model.h"

/* The elements of a tensor as real numbers: scale x (stored - zero point), or as they are stored where scale is 0. */
typedef struct tensor_values {
    OH_NN_DataType type;
    const void *data;
    size_t count;
    double scale;
    int32_t zero_point;
} tensor_values;

static tensor_values values_of(OH_NN_DataType type, const void *data, size_t count) {
    tensor_values v;
    memset(&v, 0, sizeof(v));
    v.type = type;
    v.data = data;
    v.count = count;
    return v;
}

static double value_at(const tensor_values *v, size_t i) {
    const double stored = element(v->type, v->data, i);
    return v->scale > 0.0 ? v->scale * (stored - v->zero_point) : stored;
}

static bool is_float(OH_NN_DataType type) {
    return type == OH_NN_FLOAT16 || type == OH_NN_FLOAT32 || type == OH_NN_FLOAT64;
}

/* How far two numbers are apart: equal infinities and two NaN not at all, a NaN and a number infinitely. */
static double apart(double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0.0 : (double)INFINITY;
    return a < b || a > b ? fabs(a - b) : 0.0;
}

/* The same of element i. 64 bits do not fit a double, so they are subtracted as they are. */
static double apart_at(const tensor_values *a, const tensor_values *b, size_t i) {
    if (a->type == b->type && (a->type == OH_NN_INT64 || a->type == OH_NN_UINT64) && !(a->scale > 0.0)) {
        const uint64_t x = ((const uint64_t *)a->data)[i], y = ((const uint64_t *)b->data)[i];
        const bool below = a->type == OH_NN_UINT64 ? x < y : (int64_t)x < (int64_t)y;
        return (double)(below ? y - x : x - y);
    }
    return apart(value_at(a, i), value_at(b, i));
}

typedef struct difference {
    size_t elements;
    size_t differing; /* that are not equal */
    size_t beyond;    /* that are farther apart than the tolerance */
    double tolerance;
    double max_error;
    size_t at;            /* the first element that is so far apart; 0 when all are equal */
    double expected, got; /* there */
    double cosine;        /* of the angle between both as vectors; NaN where that is no number */
} difference;

/* What two tensors may be apart when the user does not say: integers not at all; of floats 1e-5 (of half precision
   2e-3) of the largest expected number, or of 1 where that is smaller: sums in another order. */
static double default_tolerance(const tensor_values *expected) {
    double largest = 1.0;
    if (!is_float(expected->type)) return 0.0;
    for (size_t i = 0; i < expected->count; i++) {
        const double size = fabs(value_at(expected, i));
        if (isfinite(size) && size > largest) largest = size;
    }
    return largest * (expected->type == OH_NN_FLOAT16 ? 2e-3 : 1e-5);
}

/* Both have as many elements. */
static difference compare_values(const tensor_values *expected, const tensor_values *got, double tolerance) {
    difference d;
    double product = 0.0, square_a = 0.0, square_b = 0.0;
    memset(&d, 0, sizeof(d));
    d.elements = expected->count;
    d.tolerance = tolerance;
    for (size_t i = 0; i < d.elements; i++) {
        const double a = value_at(expected, i), b = value_at(got, i), error = apart_at(expected, got, i);
        product += a * b;
        square_a += a * a;
        square_b += b * b;
        d.differing += error > 0.0;
        d.beyond += error > tolerance;
        if (error > d.max_error || i == 0) {
            d.max_error = error;
            d.at = i;
        }
    }
    if (d.elements > 0) {
        d.expected = value_at(expected, d.at);
        d.got = value_at(got, d.at);
    }
    if (d.differing == 0) d.cosine = isnan(product) ? product : 1.0;
    else if (square_a > 0.0 && square_b > 0.0) d.cosine = product / (sqrt(square_a) * sqrt(square_b));
    else d.cosine = isnan(product) ? product : 0.0;
    return d;
}

/* The place of element `at` in a tensor of that shape: "0,3,17"; "-" in a scalar. */
static const char *position_text(char text[SHAPE_TEXT], const npy_form *form, size_t at) {
    size_t places[NNRT_MAX_RANK], used = 0;
    strcpy(text, "-");
    for (size_t i = form->rank; i > 0; i--) {
        const size_t dim = form->dims[i - 1] > 0 ? (size_t)form->dims[i - 1] : 1;
        places[i - 1] = at % dim;
        at /= dim;
    }
    for (size_t i = 0; i < form->rank; i++)
        used += (size_t)snprintf(text + used, SHAPE_TEXT - used, i == 0 ? "%zu" : ",%zu", places[i]);
    return text;
}

/* One row of a table "lrrrrlrr"; title NULL: the headings. */
static void add_difference_row(table *t, const char *title, const npy_form *form, const difference *d) {
    char text[SHAPE_TEXT];
    static const char *const headings[] = {"",    "max error", "tolerance", "expected",
                                           "got", "at",        "differing", "cosine"};
    for (size_t i = 0; title == NULL && i < t->columns; i++) cell(t, "%s", headings[i]);
    if (title == NULL) return;
    cell(t, "%s", title);
    cell(t, "%.6g", d->max_error);
    cell(t, "%.6g", d->tolerance);
    cell(t, "%.9g", d->expected);
    cell(t, "%.9g", d->got);
    cell(t, "%s", position_text(text, form, d->at));
    cell(t, "%zu of %zu", d->differing, d->elements);
    if (isnan(d->cosine)) cell(t, "-");
    else cell(t, "%.6f", d->cosine);
}

static void json_difference(json *j, const npy_form *form, const difference *d) {
    size_t at = d->at, places[NNRT_MAX_RANK];
    for (size_t i = form->rank; i > 0; i--) {
        const size_t dim = form->dims[i - 1] > 0 ? (size_t)form->dims[i - 1] : 1;
        places[i - 1] = at % dim;
        at /= dim;
    }
    json_boolean(j, "equal", d->beyond == 0);
    json_unsigned(j, "elements", d->elements);
    json_unsigned(j, "differing", d->differing);
    json_unsigned(j, "beyond", d->beyond);
    json_number(j, "tolerance", d->tolerance);
    json_number(j, "max_error", d->max_error);
    json_open(j, "at", '[');
    for (size_t i = 0; i < form->rank; i++) json_unsigned(j, NULL, places[i]);
    json_close(j, ']');
    json_number(j, "expected", d->expected);
    json_number(j, "got", d->got);
    json_number(j, "cosine", d->cosine);
}

#endif /* NNRT_TOOLS_TOOL_COMPARE_H */
