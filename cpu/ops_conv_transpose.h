/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_conv_transpose.h - Conv2DTranspose: what it accepts, its shape, its step.   >>cpu_ops_conv_transpose

   Weights are [out_c, kh, kw, in_c / group] or [in_c, kh, kw, out_c / group]; the length of the bias decides which. The
   step stores those of each phase (cpu/steps_conv_transpose.h) or, where they stay in the model, takes the first
   layout. */
#ifndef NNRT_CPU_OPS_CONV_TRANSPOSE_H
#define NNRT_CPU_OPS_CONV_TRANSPOSE_H

#include "ops_conv_spec.h"
#include "steps_conv_transpose.h"

/* The shape that a .tflite file gives as a fourth input, [batch, height, width, out]. The input's batch counts: a
   constant with another one is in a file that runs with more images than it was made for, where TensorFlow Lite
   computes only the first. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_shape(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                     const nnrt__conv_window *window, nnrt__conv_spec *spec) {
    const nnrt__ir_value *value = nnrt__ir_in(ir, node, 3);
    int64_t shape[4];
    uint32_t count = 0;
    const char *reason;
    if (value->data == NULL)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the shape of the output is not computed yet");
    if (!nnrt__ir_constant_ints(value, shape, 4, &count) || count != 4 || shape[3] != spec->out_c)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED,
                             "the shape of the output is not four integers that end in its channels");
    reason = nnrt__geometry_transposed_to(window, shape[1], shape[2], &spec->geometry);
    if (reason != NULL) return nnrt__ir_fail(ir, node, OH_NN_FAILED, reason);
    spec->out_dims[1] = (int32_t)shape[1];
    spec->out_dims[2] = (int32_t)shape[2];
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_read(nnrt__ir *ir, const nnrt__ir_node *node, nnrt__conv_spec *spec) {
    static const nnrt__geometry_params params = {OH_NN_CONV2D_TRANSPOSE_STRIDES, OH_NN_CONV2D_TRANSPOSE_DILATION,
                                                 OH_NN_CONV2D_TRANSPOSE_PAD_MODE, OH_NN_CONV2D_TRANSPOSE_PAD};
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *weights = nnrt__ir_in(ir, node, 1);
    const int64_t group = nnrt__ir_int(node, OH_NN_CONV2D_TRANSPOSE_GROUP, 1);
    const int32_t *w = weights->dims;
    int64_t extra[2] = {0, 0}, channels;
    uint32_t count;
    nnrt__conv_window window;
    const char *reason;
    OH_NN_ReturnCode code;
    if (in->rank != 4 || weights->rank != 4)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "input and weights must have four dimensions");
    spec->in_c = in->dims[3];
    channels = (int64_t)nnrt__ir_in(ir, node, 2)->count;
    if (group < 1 || group > spec->in_c)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the number of groups must be from 1 to the input channels");
    spec->inputs_first = !(w[0] == channels && (int64_t)w[3] * group == spec->in_c);
    if (spec->inputs_first && !(w[0] == spec->in_c && (int64_t)w[3] * group == channels))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "weights, bias and groups do not fit the input channels");
    spec->out_c = (int32_t)channels;
    spec->group = (int32_t)group;
    spec->geometry.kernel_h = w[1];
    spec->geometry.kernel_w = w[2];
    code = nnrt__conv_read_types(ir, node, spec);
    if (code == OH_NN_SUCCESS) code = nnrt__conv_read_groups(ir, node, spec);
    if (code != OH_NN_SUCCESS) return code;
    if (spec->type == NNRT__CONV_HYBRID)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                             "data types must be int8, float32, or int16 with int8 weights");
    reason = nnrt__conv_window_read(node, &params, &window);
    if (reason != NULL) return nnrt__ir_fail(ir, node, OH_NN_FAILED, reason);
    count = nnrt__ir_ints(node, OH_NN_CONV2D_TRANSPOSE_OUTPUT_PADDINGS, extra, 2);
    if (count == 1) extra[1] = extra[0];
    if (count > 2 || !nnrt__in_range(extra[0], 0, window.stride_h - 1) ||
        !nnrt__in_range(extra[1], 0, window.stride_w - 1))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "output paddings must be at least 0 and less than the stride");
    if (node->input_count > 3) {
        code = nnrt__conv_transpose_shape(ir, node, &window, spec);
        if (code != OH_NN_SUCCESS) return code;
    } else {
        reason = nnrt__geometry_transposed(&window, (int32_t)extra[0], (int32_t)extra[1], in->dims[1], in->dims[2],
                                           &spec->geometry, &spec->out_dims[1], &spec->out_dims[2]);
        if (reason != NULL) return nnrt__ir_fail(ir, node, OH_NN_FAILED, reason);
    }
    spec->out_rank = 4;
    spec->out_dims[0] = in->dims[0];
    spec->out_dims[3] = spec->out_c;
    return OH_NN_SUCCESS;
}

/* As nnrt__conv_check_scales. In the second layout the weights of an output channel lie spec->n apart, and are summed
   per tap and input channel of the group. */
NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_check_scales(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                            const nnrt__conv_spec *spec) {
    const bool inputs_first = spec->inputs_first;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    size_t o;
    for (o = 0; code == OH_NN_SUCCESS && nnrt__conv_is_integer(spec) && o < (size_t)spec->out_c; o++) {
        const ptrdiff_t first =
            inputs_first ? (ptrdiff_t)(o / spec->n * spec->k * spec->n + o % spec->n) : (ptrdiff_t)(o * spec->k);
        code = nnrt__conv_check_channel(ir, node, o, first, inputs_first ? (ptrdiff_t)spec->n : 1, spec->k);
    }
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__conv_spec *spec = (nnrt__conv_spec *)node->spec;
    OH_NN_ReturnCode code = nnrt__conv_transpose_read(ir, node, spec);
    if (code == OH_NN_SUCCESS) code = nnrt__conv_transpose_check_scales(ir, node, spec);
    return code != OH_NN_SUCCESS ? code : nnrt__ir_set_shape(ir, node, 0, spec->out_rank, spec->out_dims);
}

/* ---------------------------------------------------------------------------------------------- constants */

/* The source of a step's weights. */
typedef struct nnrt__transpose_filling {
    nnrt__conv_spec spec;
    nnrt__phase_grid grid;
} nnrt__transpose_filling;

/* The weights of one phase as [out_c][taps][in_c / group], taps reversed. */
NNRT__FN void nnrt__transpose_take(const nnrt__transpose_filling *from, const nnrt__ir_value *weights, size_t i,
                                   const nnrt__phase *rows, const nnrt__phase *columns, uint8_t *to) {
    const nnrt__phase_grid *grid = &from->grid;
    const size_t element = nnrt__element_size(weights->dtype), run = grid->run, width = (size_t)grid->columns.kernel;
    const size_t taps = (size_t)grid->rows.kernel * width, columns_count = (size_t)grid->columns.count;
    size_t o, c;
    int32_t y, x;
    for (o = 0; o < (size_t)from->spec.out_c; o++)
        for (y = rows->taps; y-- > 0;)
            for (x = columns->taps; x-- > 0; to += run * element) {
                const size_t tap = (i / columns_count + (size_t)y * (size_t)grid->rows.period) * width +
                                   i % columns_count + (size_t)x * (size_t)grid->columns.period;
                const uint8_t *w = (const uint8_t *)weights->data;
                if (!from->spec.inputs_first) memcpy(to, w + (o * taps + tap) * run * element, run * element);
                for (c = 0; from->spec.inputs_first && c < run; c++)
                    memcpy(to + c * element,
                           w + (((o / grid->n * run + c) * taps + tap) * grid->n + o % grid->n) * element, element);
            }
}

/* Packs the rows of one phase, `size` bytes. bias: of all channels, of int8 without the input's zero point. */
NNRT__FN void nnrt__transpose_pack(const nnrt__transpose_filling *from, const nnrt__geometry *g, const uint8_t *rows,
                                   int32_t *constants, int32_t in_zero, const void *bias, uint8_t *to, size_t size) {
    const nnrt__phase_grid *grid = &from->grid;
    const nnrt__packing *packing = grid->packing;
    const size_t channels = (size_t)from->spec.out_c, taps = (size_t)g->kernel_h * (size_t)g->kernel_w;
    const size_t k = taps * grid->run;
    nnrt__weights of;
    size_t o, i;
    for (o = 0; constants != NULL && o < channels; o++) {
        uint32_t value = (uint32_t)((const int32_t *)bias)[o];
        value -= nnrt__sum_s8((const int8_t *)rows + o * k, k) * (uint32_t)(in_zero + packing->a_offset);
        memcpy(&constants[o], &value, sizeof(value));
    }
    memset(&of, 0, sizeof(of));
    of.n = grid->n;
    of.pieces = taps / nnrt__phase_span(grid, g);
    of.piece = k / of.pieces;
    of.n_stride = (ptrdiff_t)k;
    of.k_stride = 1;
    for (i = 0; i < grid->group; i++) {
        of.w = rows + i * grid->n * k * packing->element;
        of.bias = (constants != NULL ? (const uint8_t *)constants : (const uint8_t *)bias) + i * grid->n * 4;
        of.multiplier = constants != NULL ? constants + channels + i * grid->n : NULL;
        of.shift = constants != NULL ? constants + 2 * channels + i * grid->n : NULL;
        nnrt__pack(to + i * (size / grid->group), packing, &of);
    }
}

/* All phases: packed or plain rows. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_transpose_phases(const nnrt__filling *filling, void *to) {
    const nnrt__transpose_filling *from = (const nnrt__transpose_filling *)filling->context;
    const nnrt__ir_value *weights = nnrt__ir_in(filling->ir, filling->node, 1);
    const nnrt__phase_grid *grid = &from->grid;
    const size_t count = nnrt__phase_grid_count(grid), channels = (size_t)from->spec.out_c;
    const size_t phases = count + (nnrt__phase_grid_has_gaps(grid) ? 1 : 0);
    const bool s8 = from->spec.type == NNRT__CONV_S8;
    uint8_t *rows = (uint8_t *)nnrt__alloc_zero(weights->size, 1), *at = (uint8_t *)to; /* no phase has more */
    int32_t *constants = (int32_t *)nnrt__alloc_zero(channels, 4 * sizeof(int32_t)), *bias;
    double scale;
    int32_t zero = 0;
    size_t i, size;
    if (rows == NULL || constants == NULL) {
        nnrt__free(rows);
        nnrt__free(constants);
        return nnrt__fail_memory();
    }
    bias = constants + 3 * channels;
    if (s8) {
        (void)nnrt__ir_quant(nnrt__ir_in(filling->ir, filling->node, 0), &scale, &zero);
        nnrt__conv_channels(filling->ir, filling->node, &from->spec, false, 0, constants);
        memcpy(bias, constants, channels * sizeof(int32_t));
    } else if (from->spec.type == NNRT__CONV_F32) {
        memcpy(bias, nnrt__ir_in(filling->ir, filling->node, 2)->data, channels * sizeof(float));
    }
    for (i = 0; i < phases; i++, at += size) {
        nnrt__phase of_rows, of_columns;
        nnrt__geometry g;
        nnrt__phase_grid_at(grid, i, &of_rows, &of_columns, &g);
        (void)nnrt__phase_size(grid, &g, &size);
        if (i == count) memset(rows, 0, channels * grid->run * nnrt__element_size(weights->dtype));
        else nnrt__transpose_take(from, weights, i, &of_rows, &of_columns, grid->packing == NULL ? at : rows);
        if (grid->packing == NULL) continue;
        nnrt__transpose_pack(from, &g, rows, s8 ? constants : NULL, zero, bias, at, size);
    }
    nnrt__free(rows);
    nnrt__free(constants);
    return OH_NN_SUCCESS;
}

/* ----------------------------------------------------------------------------------------------- lowering */

/* Traits of a type of activations. */
typedef struct nnrt__transpose_type {
    const nnrt__step_kind *kind;
    OH_NN_DataType constant; /* of the constant with the weights of the phases */
    bool packed;
} nnrt__transpose_type;

NNRT__FN nnrt__transpose_type nnrt__transpose_type_of(nnrt__conv_type type) {
    nnrt__transpose_type row;
    row.kind = type == NNRT__CONV_S8    ? NNRT__KIND(conv_transpose_s8)
               : type == NNRT__CONV_S16 ? NNRT__KIND(conv_transpose_s16)
                                        : NNRT__KIND(conv_transpose_f32);
    row.constant = type == NNRT__CONV_S8 ? OH_NN_INT32 : type == NNRT__CONV_S16 ? OH_NN_INT8 : OH_NN_FLOAT32;
    row.packed = type != NNRT__CONV_S16;
    return row;
}

/* The per-channel constants where they are a separate operand. */
NNRT__FN uint32_t nnrt__transpose_channels(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__conv_spec *spec) {
    if (spec->type == NNRT__CONV_S8) return nnrt__conv_channels_raw(lower, node, spec, false);
    if (spec->type == NNRT__CONV_S16) return nnrt__conv_channels_of_s16(lower, node, spec);
    return nnrt__conv_bias_f32(lower, node, spec);
}

/* The weights of all phases as a constant; NNRT__NONE after a failure. */
NNRT__FN uint32_t nnrt__transpose_weights(nnrt__lower *lower, const nnrt__ir_node *node, const nnrt__conv_spec *spec,
                                          const nnrt__transpose_type *type, uint64_t *bytes,
                                          const nnrt__packing **packing) {
    nnrt__transpose_filling from;
    size_t size;
    memset(&from, 0, sizeof(from));
    *packing = type->packed ? nnrt__conv_packing(lower->kernels, spec, NNRT__CONV_TILES) : NULL;
    from.spec = *spec;
    from.grid.packing = *packing;
    from.grid.run = (size_t)(spec->in_c / spec->group);
    from.grid.group = (size_t)spec->group;
    from.grid.n = spec->n;
    nnrt__phase_grid_sides(&from.grid, &spec->geometry, spec->out_dims[1], spec->out_dims[2]);
    if (!nnrt__phase_grid_size(&from.grid, &size) || size > INT32_MAX) {
        lower->status = nnrt__ir_fail(lower->ir, node, OH_NN_FAILED, "the packed weights are too large");
        return NNRT__NONE;
    }
    *bytes = size;
    return nnrt__lower_constant(lower, node, type->constant, size / nnrt__element_size(type->constant),
                                nnrt__fill_transpose_phases, &from, sizeof(from));
}

NNRT__FN OH_NN_ReturnCode nnrt__conv_transpose_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *weights = nnrt__ir_in(lower->ir, node, 1);
    const nnrt__conv_spec *spec = (const nnrt__conv_spec *)node->spec;
    const nnrt__transpose_type type = nnrt__transpose_type_of(spec->type);
    const nnrt__packing *packing = NULL;
    nnrt__step_info info;
    nnrt__conv_args *args;
    uint32_t inputs[3], input_count = 3, output;
    bool plain;
    if (!nnrt__lower_needs(lower, type.kind, node)) return lower->status;
    memset(&info, 0, sizeof(info));
    info.macs =
        (uint64_t)nnrt__ir_in(lower->ir, node, 0)->count * spec->n * (spec->k / (size_t)(spec->in_c / spec->group));
    info.weights_bytes = weights->size;
    info.weight_scales = nnrt__conv_is_integer(spec) ? weights->quant.count : 0;
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    plain = !spec->inputs_first && nnrt__lower_in_model(lower, node->inputs[1], &inputs[1]);
    if (!plain) inputs[1] = nnrt__transpose_weights(lower, node, spec, &type, &info.weights_bytes, &packing);
    if (plain || !type.packed) {
        inputs[2] = nnrt__transpose_channels(lower, node, spec);
        info.weights_bytes += (uint64_t)spec->out_c * (spec->type == NNRT__CONV_S8    ? 12
                                                       : spec->type == NNRT__CONV_S16 ? 16
                                                                                      : 4);
    } else {
        input_count = 2;
    }
    output = nnrt__lower_value(lower, node->outputs[0]);
    args = (nnrt__conv_args *)nnrt__lower_step(lower, type.kind, node, inputs, input_count, &output, 1, &info);
    if (args == NULL) return lower->status;
    nnrt__conv_fill_args(lower->ir, node, spec, NULL, args);
    args->packing = packing != NULL ? packing->id : 0;
    args->span = plain ? NNRT__TRANSPOSE_PLAIN : NNRT__TRANSPOSE_PHASES;
    return lower->status;
}

#endif /* NNRT_CPU_OPS_CONV_TRANSPOSE_H */
