/* SPDX-License-Identifier: Apache-2.0 */
/* tools/diff_cause.h - why two tensors that should be equal are not: a guess, from the numbers alone.

   Each cause is a hypothesis: if this were it, what would B be? The one that leaves the fewest elements unexplained
   wins, if it explains nearly all of those that differ; of equals the first of the list, which is the simplest. Pure
   functions: nothing here knows files, models or devices. */
#ifndef NNRT_TOOLS_DIFF_CAUSE_H
#define NNRT_TOOLS_DIFF_CAUSE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum diff_cause {
    CAUSE_NONE,       /* they are equal */
    CAUSE_ROUNDING,   /* one step of the quantization, or what half precision loses */
    CAUSE_CHANNELS,   /* channels in the opposite order: RGB and BGR */
    CAUSE_LAYOUT,     /* the same numbers in another order of axes: NCHW and NHWC */
    CAUSE_SATURATION, /* B is A, cut off at the ends of B's range */
    CAUSE_OVERFLOW,   /* B is A, wrapped around at the ends of 8 or 16 bits */
    CAUSE_ZERO_POINT, /* B is A and a constant */
    CAUSE_SCALE,      /* B is A times a constant */
    CAUSE_AFFINE,     /* both */
    CAUSE_STRIDE,     /* rows are farther apart in one of them than in the other */
    CAUSE_SHIFT,      /* all is moved by some elements */
    CAUSE_UNKNOWN
} diff_cause;

enum {
    DIFF_RANK = 4,       /* axes that are permuted */
    DIFF_FARTHEST = 256, /* elements by which a row can be padded, or all be moved */
    DIFF_SAMPLES = 499,  /* elements that are looked at first */
    DIFF_FEWEST = 8,     /* elements of which something can be said */
    DIFF_SENTENCE = 192
};

static const char *cause_name(diff_cause cause) {
    static const char *const names[] = {"none",       "rounding",   "channels",
                                        "layout",     "saturation", "overflow",
                                        "zero point", "scale",      "scale and zero point",
                                        "stride",     "shift",      "unknown"};
    return names[cause];
}

/* Two tensors of one shape. */
typedef struct diff_pair {
    const double *a, *b; /* real values */
    size_t count;        /* at least 1 */
    const int32_t *dims; /* whose product is count; of A */
    size_t rank;
    double unit;      /* one step of the coarser quantization; 0: neither is quantized */
    double tolerance; /* what they may be apart */
} diff_pair;

/* A guess. */
typedef struct diff_guess {
    diff_cause cause;
    size_t unexplained; /* elements */
    char sentence[DIFF_SENTENCE];
} diff_guess;

/* How far an element may be from what a hypothesis says: a little more than the coarser of both allows. */
static double diff_slack(const diff_pair *p) {
    const double step = 1.001 * p->unit;
    return step > p->tolerance ? step : p->tolerance;
}

static bool diff_fits(double wanted, double got, double slack) {
    if (isnan(wanted) || isnan(got)) return isnan(wanted) && isnan(got);
    return wanted - got <= slack && got - wanted <= slack;
}

/* The tests below name numbers by a function: what B's element i should be by the hypothesis; false: it says nothing
   of it. */
typedef bool (*diff_rule)(const diff_pair *p, const void *hypothesis, size_t i, double *wanted);

/* Elements that the rule gets wrong; SIZE_MAX when it says something of fewer than half of them, or is wrong on many of
   the samples. */
static size_t diff_wrong(const diff_pair *p, diff_rule rule, const void *hypothesis, double slack) {
    const size_t step = p->count > 4 * DIFF_SAMPLES ? p->count / DIFF_SAMPLES : 0;
    size_t wrong = 0, said = 0;
    double wanted = 0.0;
    for (size_t i = 0; step != 0 && i < p->count; i += step)
        if (rule(p, hypothesis, i, &wanted)) {
            said++;
            wrong += !diff_fits(wanted, p->b[i], slack);
        }
    if (step != 0 && 4 * wrong > said + 4) return SIZE_MAX;
    wrong = said = 0;
    for (size_t i = 0; i < p->count; i++)
        if (rule(p, hypothesis, i, &wanted)) {
            said++;
            wrong += !diff_fits(wanted, p->b[i], slack);
        }
    return 2 * said < p->count ? SIZE_MAX : wrong;
}

/* Takes the hypothesis if it leaves fewer elements unexplained than what there is. true: the sentence is to be
   written. */
static bool diff_better(diff_guess *best, diff_cause cause, size_t wrong) {
    if (wrong >= best->unexplained) return false;
    best->cause = cause;
    best->unexplained = wrong;
    return true;
}

/* ----------------------------------------------------------------------------------------------- orders of axes */

/* B holds A with the axes in the order of `axes`: its element number i, counted through A's shape so permuted. */
typedef struct diff_order {
    size_t rank;
    size_t dims[DIFF_RANK];    /* of B's bytes, outermost first */
    size_t strides[DIFF_RANK]; /* of A along each of them */
    size_t axes[DIFF_RANK];
} diff_order;

static bool diff_order_rule(const diff_pair *p, const void *hypothesis, size_t i, double *wanted) {
    const diff_order *order = (const diff_order *)hypothesis;
    size_t from = 0;
    for (size_t k = order->rank; k > 0; k--) {
        from += i % order->dims[k - 1] * order->strides[k - 1];
        i /= order->dims[k - 1];
    }
    *wanted = p->a[from];
    return true;
}

/* Fills *order by the axes in it; false: the bytes stay where they are, or another order has the same. */
static bool diff_order_set(const diff_pair *p, diff_order *order) {
    size_t last = 0;
    bool moves = false;
    order->rank = p->rank;
    for (size_t k = 0; k < p->rank; k++) {
        const size_t axis = order->axes[k];
        order->dims[k] = (size_t)p->dims[axis];
        order->strides[k] = 1;
        for (size_t inner = axis + 1; inner < p->rank; inner++) order->strides[k] *= (size_t)p->dims[inner];
        if (order->dims[k] == 1 && axis != k) return false; /* one without that move gives the same */
        if (order->dims[k] == 1) continue;
        moves = moves || axis < last;
        last = axis;
    }
    return moves;
}

/* The permutation number n of rank axes, of rank! */
static void diff_order_axes(diff_order *order, size_t rank, size_t n) {
    size_t left[DIFF_RANK] = {0, 1, 2, 3};
    for (size_t k = 0; k < rank; k++) {
        const size_t at = n % (rank - k);
        n /= rank - k;
        order->axes[k] = left[at];
        for (size_t i = at; i + 1 < rank - k; i++) left[i] = left[i + 1];
    }
}

static void diff_try_orders(const diff_pair *p, double slack, diff_guess *best) {
    size_t all = 1;
    if (p->rank < 2 || p->rank > DIFF_RANK) return;
    for (size_t k = 2; k <= p->rank; k++) all *= k;
    for (size_t n = 0; n < all; n++) {
        char axes[4 * DIFF_RANK];
        diff_order order;
        memset(&order, 0, sizeof(order));
        diff_order_axes(&order, p->rank, n);
        if (!diff_order_set(p, &order)) continue;
        if (!diff_better(best, CAUSE_LAYOUT, diff_wrong(p, diff_order_rule, &order, slack))) continue;
        size_t used = 0;
        for (size_t k = 0; k < p->rank; k++)
            used += (size_t)snprintf(axes + used, sizeof(axes) - used, k == 0 ? "%u" : ",%u", (unsigned)order.axes[k]);
        snprintf(best->sentence, DIFF_SENTENCE, "layout: B holds A's numbers in the order of its axes %s%s", axes,
                 strcmp(axes, "0,3,1,2") == 0   ? ", as NCHW where A has NHWC"
                 : strcmp(axes, "0,2,3,1") == 0 ? ", as NHWC where A has NCHW"
                                                : "");
    }
}

/* Channels of an axis in the opposite order. */
typedef struct diff_reversed {
    size_t dim, inner; /* of the axis; elements behind one step of it */
} diff_reversed;

static bool diff_reversed_rule(const diff_pair *p, const void *hypothesis, size_t i, double *wanted) {
    const diff_reversed *r = (const diff_reversed *)hypothesis;
    const size_t at = i / r->inner % r->dim;
    *wanted = p->a[i - at * r->inner + (r->dim - 1 - at) * r->inner];
    return true;
}

static void diff_try_channels(const diff_pair *p, double slack, diff_guess *best) {
    for (size_t axis = p->rank; axis > 0; axis--) {
        diff_reversed r;
        r.dim = (size_t)p->dims[axis - 1];
        r.inner = 1;
        for (size_t k = axis; k < p->rank; k++) r.inner *= (size_t)p->dims[k];
        if (r.dim < 2 || !diff_better(best, CAUSE_CHANNELS, diff_wrong(p, diff_reversed_rule, &r, slack))) continue;
        snprintf(best->sentence, DIFF_SENTENCE, "channel order: B has axis %u in the opposite order%s",
                 (unsigned)(axis - 1), r.dim == 3 ? ", as BGR to RGB" : "");
    }
}

/* ------------------------------------------------------------------------------------------------------- places */

/* Rows of length, in one of the two apart bytes from each other. */
typedef struct diff_rows {
    size_t length, apart;
    bool in_a; /* B took A's numbers as if there were padding behind each row; else B holds such padding */
} diff_rows;

static bool diff_rows_rule(const diff_pair *p, const void *hypothesis, size_t i, double *wanted) {
    const diff_rows *rows = (const diff_rows *)hypothesis;
    const size_t from_length = rows->in_a ? rows->length : rows->apart;
    const size_t row = i / from_length, x = i % from_length;
    const size_t from = row * (rows->in_a ? rows->apart : rows->length) + x;
    if ((!rows->in_a && x >= rows->length) || from >= p->count) return false;
    *wanted = p->a[from];
    return true;
}

static void diff_try_rows(const diff_pair *p, double slack, diff_guess *best) {
    for (size_t axis = p->rank; axis > 1; axis--) {
        diff_rows rows;
        rows.length = 1;
        for (size_t k = axis - 1; k < p->rank; k++) rows.length *= (size_t)p->dims[k];
        if (rows.length < 2 || 2 * rows.length > p->count) continue;
        for (size_t way = 0; way < 2; way++) {
            rows.in_a = way == 1;
            for (rows.apart = rows.length + 1; rows.apart <= rows.length + DIFF_FARTHEST && rows.apart < p->count;
                 rows.apart++) {
                if (!diff_better(best, CAUSE_STRIDE, diff_wrong(p, diff_rows_rule, &rows, slack))) continue;
                snprintf(best->sentence, DIFF_SENTENCE,
                         "row stride: rows of %lu elements (axes %u and on) lie %lu apart %s",
                         (unsigned long)rows.length, (unsigned)(axis - 1), (unsigned long)rows.apart,
                         rows.in_a ? "for who read B" : "in B");
            }
        }
    }
}

static bool diff_shift_rule(const diff_pair *p, const void *hypothesis, size_t i, double *wanted) {
    const long shift = *(const long *)hypothesis;
    if (shift > 0 ? i < (size_t)shift : i + (size_t)-shift >= p->count) return false;
    *wanted = p->a[shift > 0 ? i - (size_t)shift : i + (size_t)-shift];
    return true;
}

static void diff_try_shifts(const diff_pair *p, double slack, diff_guess *best) {
    for (long far = 1; far <= DIFF_FARTHEST && (size_t)far < p->count / 2; far++)
        for (long sign = -1; sign < 2; sign += 2) {
            const long shift = sign * far;
            if (!diff_better(best, CAUSE_SHIFT, diff_wrong(p, diff_shift_rule, &shift, slack))) continue;
            snprintf(best->sentence, DIFF_SENTENCE, "shift: B's numbers lie %ld elements %s A's", far,
                     sign > 0 ? "behind" : "in front of");
        }
}

/* ------------------------------------------------------------------------------------------------------- values */

/* B is factor x A + offset, cut off to low..high. */
typedef struct diff_line {
    double factor, offset;
    double low, high;
} diff_line;

static bool diff_line_rule(const diff_pair *p, const void *hypothesis, size_t i, double *wanted) {
    const diff_line *line = (const diff_line *)hypothesis;
    const double value = line->factor * p->a[i] + line->offset;
    *wanted = value < line->low ? line->low : value > line->high ? line->high : value;
    return true;
}

/* The line that has the least squares, through zero or not, over elements of B that are not at the ends of its range;
   weight: of factor and of offset. false: there are too few, or A is constant. */
static bool diff_fit_line(const diff_pair *p, bool with_factor, bool with_offset, diff_line *line) {
    double n = 0.0, sum_a = 0.0, sum_b = 0.0, square = 0.0, product = 0.0;
    for (size_t i = 0; i < p->count; i++) {
        const double a = p->a[i], b = p->b[i];
        if (!isfinite(a) || !isfinite(b) || b <= line->low || b >= line->high) continue;
        n += 1.0;
        sum_a += a;
        sum_b += b;
        square += a * a;
        product += a * b;
    }
    line->factor = 1.0;
    line->offset = 0.0;
    if (n < 2.0) return false;
    if (with_factor && with_offset) {
        const double spread = square - sum_a * sum_a / n;
        if (!(spread > 1e-12 * square)) return false;
        line->factor = (product - sum_a * sum_b / n) / spread;
    } else if (with_factor) {
        if (!(square > 0.0)) return false;
        line->factor = product / square;
    }
    if (with_offset) line->offset = (sum_b - line->factor * sum_a) / n;
    return isfinite(line->factor) && isfinite(line->offset) && line->factor > 0.0;
}

/* The smallest and the largest number of B. */
static diff_line diff_ends(const diff_pair *p) {
    diff_line line;
    line.factor = 1.0;
    line.offset = 0.0;
    line.low = (double)INFINITY;
    line.high = (double)-INFINITY;
    for (size_t i = 0; i < p->count; i++) {
        if (p->b[i] < line.low) line.low = p->b[i];
        if (p->b[i] > line.high) line.high = p->b[i];
    }
    return line;
}

static void diff_try_saturation(const diff_pair *p, double slack, diff_guess *best) {
    const diff_line line = diff_ends(p);
    size_t low = 0, high = 0;
    for (size_t i = 0; i < p->count; i++) {
        low += p->a[i] < line.low - slack;
        high += p->a[i] > line.high + slack;
    }
    if (low + high == 0 || !(line.low < line.high)) return;
    if (!diff_better(best, CAUSE_SATURATION, diff_wrong(p, diff_line_rule, &line, slack))) return;
    snprintf(best->sentence, DIFF_SENTENCE,
             "saturation: B is cut off to %.6g..%.6g; %lu elements of A are below and %lu above", line.low, line.high,
             (unsigned long)low, (unsigned long)high);
}

/* B is A less or more a multiple of `period`. */
static bool diff_wrap_rule(const diff_pair *p, const void *hypothesis, size_t i, double *wanted) {
    const double period = *(const double *)hypothesis;
    *wanted = p->a[i] + period * round((p->b[i] - p->a[i]) / period);
    return true;
}

static void diff_try_overflow(const diff_pair *p, double slack, diff_guess *best) {
    static const int bits[] = {8, 16};
    for (size_t i = 0; p->unit > 0.0 && i < 2; i++) {
        const double period = ldexp(p->unit, bits[i]);
        if (!diff_better(best, CAUSE_OVERFLOW, diff_wrong(p, diff_wrap_rule, &period, slack))) continue;
        snprintf(best->sentence, DIFF_SENTENCE, "overflow: B is A wrapped around at the ends of %d bits", bits[i]);
    }
}

static void diff_try_lines(const diff_pair *p, double slack, diff_guess *best) {
    diff_line line = diff_ends(p);
    if (diff_fit_line(p, false, true, &line) && fabs(line.offset) > slack &&
        diff_better(best, CAUSE_ZERO_POINT, diff_wrong(p, diff_line_rule, &line, slack))) {
        if (p->unit > 0.0)
            snprintf(best->sentence, DIFF_SENTENCE, "zero point: B is A %+.6g, %+.0f steps of the quantization",
                     line.offset, line.offset / p->unit);
        else snprintf(best->sentence, DIFF_SENTENCE, "zero point or bias: B is A %+.6g", line.offset);
    }
    if (diff_fit_line(p, true, false, &line) &&
        diff_better(best, CAUSE_SCALE, diff_wrong(p, diff_line_rule, &line, slack)))
        snprintf(best->sentence, DIFF_SENTENCE, "scale: B is A times %.6g", line.factor);
    if (diff_fit_line(p, true, true, &line) &&
        diff_better(best, CAUSE_AFFINE, diff_wrong(p, diff_line_rule, &line, slack)))
        snprintf(best->sentence, DIFF_SENTENCE, "scale and zero point: B is A times %.6g, %+.6g", line.factor,
                 line.offset);
}

/* --------------------------------------------------------------------------------------------------- the guess */

static bool diff_same_rule(const diff_pair *p, const void *hypothesis, size_t i, double *wanted) {
    (void)hypothesis;
    *wanted = p->a[i];
    return true;
}

/* Whether nothing differs by more than one step, or by more than half precision loses, 2^-10 of a number. */
static bool diff_is_rounding(const diff_pair *p, diff_guess *guess) {
    double largest = 0.0;
    guess->unexplained = 0;
    guess->cause = CAUSE_ROUNDING;
    if (p->unit > 0.0) {
        snprintf(guess->sentence, DIFF_SENTENCE, "rounding: no element differs by more than one step, %.6g", p->unit);
        return diff_wrong(p, diff_same_rule, NULL, 1.001 * p->unit) == 0;
    }
    for (size_t i = 0; i < p->count; i++)
        if (fabs(p->a[i]) > largest) largest = fabs(p->a[i]);
    for (size_t i = 0; i < p->count; i++)
        if (!diff_fits(p->a[i], p->b[i], fabs(p->a[i]) / 1024.0 + largest * 1e-5)) return false;
    snprintf(guess->sentence, DIFF_SENTENCE, "rounding: no element differs by more than half precision loses");
    return true;
}

/* Places once more, with both tensors in the other order of axes: a device may keep them in it. rank is 4. */
static void diff_try_seen(const diff_pair *p, const size_t axes[DIFF_RANK], const char *as, double slack,
                          diff_guess *best) {
    double *const a = (double *)malloc(p->count * sizeof(double)), *const b =
                                                                       (double *)malloc(p->count * sizeof(double));
    int32_t dims[DIFF_RANK];
    diff_order order;
    diff_pair seen = *p;
    diff_guess guess = *best;
    for (size_t k = 0; k < DIFF_RANK; k++) {
        order.axes[k] = axes[k];
        dims[k] = p->dims[axes[k]];
    }
    if (a != NULL && b != NULL && diff_order_set(p, &order)) {
        seen.dims = dims;
        seen.a = a;
        seen.b = b;
        diff_pair other = *p;
        other.a = p->b;
        for (size_t i = 0; i < p->count; i++) {
            (void)diff_order_rule(p, &order, i, &a[i]);
            (void)diff_order_rule(&other, &order, i, &b[i]);
        }
        diff_try_orders(&seen, slack, &guess);
        diff_try_rows(&seen, slack, &guess);
        diff_try_shifts(&seen, slack, &guess);
    }
    if (guess.unexplained < best->unexplained) {
        *best = guess;
        const size_t length = strlen(best->sentence);
        snprintf(best->sentence + length, DIFF_SENTENCE - length, "; both seen as %s", as);
    }
    free(a);
    free(b);
}

/* Guesses. The dimensions are at least 1. */
static diff_guess diff_guess_cause(const diff_pair *p) {
    const double slack = diff_slack(p);
    diff_guess best;
    size_t differing = 0;
    memset(&best, 0, sizeof(best));
    for (size_t i = 0; i < p->count; i++) differing += !diff_fits(p->a[i], p->b[i], p->tolerance);
    if (differing == 0 || diff_is_rounding(p, &best)) {
        if (differing == 0) memset(&best, 0, sizeof(best));
        return best;
    }
    best.cause = CAUSE_UNKNOWN;
    differing = 0;
    for (size_t i = 0; i < p->count; i++) differing += !diff_fits(p->a[i], p->b[i], slack);
    best.unexplained = differing / 20 + 1; /* what explains less is no explanation */
    snprintf(best.sentence, DIFF_SENTENCE, "unknown: none of the usual mistakes would give these numbers");
    if (p->count < DIFF_FEWEST) {
        snprintf(best.sentence, DIFF_SENTENCE, "unknown: too few elements to tell");
        return best;
    }
    diff_try_channels(p, slack, &best);
    diff_try_orders(p, slack, &best);
    diff_try_saturation(p, slack, &best);
    diff_try_overflow(p, slack, &best);
    diff_try_lines(p, slack, &best);
    diff_try_rows(p, slack, &best);
    diff_try_shifts(p, slack, &best);
    if (best.cause == CAUSE_UNKNOWN && p->rank == 4) {
        static const size_t nhwc[DIFF_RANK] = {0, 2, 3, 1}, nchw[DIFF_RANK] = {0, 3, 1, 2};
        diff_try_seen(p, nhwc, "NHWC", slack, &best);
        diff_try_seen(p, nchw, "NCHW", slack, &best);
    }
    return best;
}

#endif /* NNRT_TOOLS_DIFF_CAUSE_H */
