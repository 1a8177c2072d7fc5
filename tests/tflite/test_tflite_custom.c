/* SPDX-License-Identifier: Apache-2.0 */
/* test_tflite_custom.c - the custom operator that ends an SSD: its options are a flexbuffer, and may hold any
   bytes. */
#include "linked.h"

#include <criterion/criterion.h>

#include "make_tflite.h"
#include "read_tflite.h"

typedef struct flex {
    uint8_t at[1024];
    uint32_t used;
} flex;

static void flex_put(flex *f, uint64_t value, size_t width) {
    size_t i;
    for (i = 0; i < width; i++) f->at[f->used++] = (uint8_t)(value >> (8 * i));
}

/* A value of a map: of this type and width (1, 2, 4, 8: 0, 1, 2, 3), where it is indirect, else four bytes. */
typedef struct flex_value {
    const char *name;
    uint8_t type, width;
    uint64_t bits;
} flex_value;

/* A flexbuffer, whose offsets and values have four bytes. */
static flex flex_of(const flex_value *values, uint32_t count) {
    uint32_t names[16], elsewhere[16], keys, map, i;
    flex f;
    memset(&f, 0, sizeof f);
    for (i = 0; i < count; i++) {
        names[i] = f.used;
        memcpy(f.at + f.used, values[i].name, strlen(values[i].name) + 1);
        f.used += (uint32_t)strlen(values[i].name) + 1;
        elsewhere[i] = f.used;
        if (values[i].type > 5 && values[i].type < 9) flex_put(&f, values[i].bits, (size_t)1 << values[i].width);
    }
    flex_put(&f, count, 4);
    keys = f.used;
    for (i = 0; i < count; i++) flex_put(&f, f.used - names[i], 4);
    flex_put(&f, f.used - keys, 4);
    flex_put(&f, 4, 4);
    flex_put(&f, count, 4);
    map = f.used;
    for (i = 0; i < count; i++)
        flex_put(&f, values[i].type > 5 && values[i].type < 9 ? f.used - elsewhere[i] : values[i].bits, 4);
    for (i = 0; i < count; i++) flex_put(&f, (uint64_t)(values[i].type << 2 | values[i].width), 1);
    flex_put(&f, f.used - map, 4);
    flex_put(&f, 9 << 2 | 2, 1);
    flex_put(&f, 4, 1);
    return f;
}

static spec detection_of(const flex *f) {
    static const int32_t dims[3][3] = {{1, 5, 4}, {1, 5, 3}, {5, 4, 0}};
    spec s = unary(32);
    uint32_t i;
    s.custom = "TFLite_Detection_PostProcess";
    s.custom_options = f->at, s.custom_size = f->used;
    s.tensors[0].rank = 3, memcpy(s.tensors[0].dims, dims[0], sizeof dims[0]);
    s.tensors[1].rank = 0; /* outputs without a shape, as converters write them */
    for (i = 1; i < 3; i++) {
        static const float floats[20] = {0};
        add_constant(&s, 0, 1, floats, (uint32_t)(i == 1 ? 15 : 20) * 4);
        s.tensors[s.tensor_count - 1].rank = i == 1 ? 3 : 2;
        memcpy(s.tensors[s.tensor_count - 1].dims, dims[i], sizeof dims[i]);
    }
    for (i = 1; i < 4; i++) {
        s.tensors[s.tensor_count] = s.tensors[1];
        s.outputs[i] = (int32_t)s.tensor_count++;
    }
    s.output_count = 4;
    return s;
}

static const flex_value detection_options[] = {{"h_scale", 3, 2, 0x40a00000},
                                               {"max_classes_per_detection", 1, 2, 1},
                                               {"max_detections", 2, 2, 10},
                                               {"nms_iou_threshold", 8, 3, 0x3fe3333340000000u},
                                               {"nms_score_threshold", 8, 2, 0xbf000000},
                                               {"num_classes", 6, 0, 2},
                                               {"use_regular_nms", 26, 2, 1},
                                               {"w_scale", 1, 2, 5},
                                               {"x_scale", 7, 1, 300},
                                               {"y_scale", 3, 2, 0x41200000}};

Test(tflite_custom, the_end_of_an_ssd_has_its_options_by_name) {
    const flex f = flex_of(detection_options, 10);
    const spec s = detection_of(&f);
    nnrt__graph_store *store;
    const nnrt_graph *g = graph_of(&s, &store);
    const nnrt_node *node = &g->nodes[0];
    const nnrt_param *scale = nnrt__node_param(node, OH_NN_DETECTION_POST_PROCESS_SCALE);
    const float scales[4] = {10, 300, 5, 5};
    cr_assert(node->op == OH_NN_OPS_DETECTION_POST_PROCESS && node->input_count == 3 && node->output_count == 4);
    cr_assert(scale != NULL && scale->count == 4 && memcmp(scale->data, scales, sizeof scales) == 0);
    cr_assert_eq(int_of(g, 0, OH_NN_DETECTION_POST_PROCESS_MAX_DETECTIONS), 10);
    cr_assert_eq(int_of(g, 0, OH_NN_DETECTION_POST_PROCESS_MAX_CLASSES_PER_DETECTION), 1);
    cr_assert_eq(int_of(g, 0, OH_NN_DETECTION_POST_PROCESS_DETECTIONS_PER_CLASS), 100);
    cr_assert_eq(int_of(g, 0, OH_NN_DETECTION_POST_PROCESS_NUM_CLASSES), 2);
    cr_assert_eq(int_of(g, 0, OH_NN_DETECTION_POST_PROCESS_USE_REGULAR_NMS), 1);
    cr_assert_eq(int_of(g, 0, NNRT__TENSOR_TFLITE), 1);
    cr_assert_float_eq((double)nnrt__param_float(node, OH_NN_DETECTION_POST_PROCESS_NMS_IOU_THRESHOLD, 0), 0.6, 1e-6);
    cr_assert_float_eq((double)nnrt__param_float(node, OH_NN_DETECTION_POST_PROCESS_NMS_SCORE_THRESHOLD, 0), -0.5, 0);
    done(store);
}

Test(tflite_custom, options_of_an_ssd_that_are_none_are_refused) {
    flex_value values[10];
    flex f = flex_of(detection_options, 10);
    spec s = detection_of(&f);
    uint32_t i, bit;
    for (i = 0; i < f.used; i++) { /* cut off at either end, with any byte and any bit changed */
        s.custom_size = i;
        not_refused_for(&s, "no such sentence");
        s.custom_options = f.at + i, s.custom_size = f.used - i;
        not_refused_for(&s, "no such sentence");
        s.custom_options = f.at, s.custom_size = f.used;
        for (bit = 0; bit < 9; bit++) {
            const uint8_t before = f.at[i];
            f.at[i] = (uint8_t)(bit < 8 ? before ^ (1u << bit) : 0xffu);
            not_refused_for(&s, "no such sentence");
            f.at[i] = before;
        }
    }
    s.custom_size = 2;
    refused(&s, OH_NN_INVALID_FILE, "no flexbuffer");
    s.custom_size = f.used - 1;
    refused(&s, OH_NN_INVALID_FILE, "no map");
    memcpy(values, detection_options, sizeof values);
    values[2].type = 5; /* a string */
    f = flex_of(values, 10), s = detection_of(&f);
    refused(&s, OH_NN_INVALID_FILE, "that must be a number is none");
    values[2].type = 2, values[2].bits = 0xffffffffu;
    f = flex_of(values, 10), s = detection_of(&f);
    refused(&s, OH_NN_INVALID_FILE, "out of range");
    f = flex_of(detection_options, 10), s = detection_of(&f), s.output_count = 3;
    refused(&s, OH_NN_INVALID_FILE, "four outputs");
    s = detection_of(&f), s.custom = "TFLite_Detection_PostProcess2";
    refused(&s, OH_NN_UNSUPPORTED, "custom operator");
}
