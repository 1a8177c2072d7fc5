/* SPDX-License-Identifier: Apache-2.0 */
/* read_tflite.h - what a test asks of the reader of .tflite: a verdict on bytes, the graph of a spec, a refusal.
   Include it after linked.h and make_tflite.h. */
#ifndef NNRT_TESTS_READ_TFLITE_H
#define NNRT_TESTS_READ_TFLITE_H

/* Reads an exact-size copy at an address with the given misalignment and releases everything. */
MAKE_FN OH_NN_ReturnCode verdict(const uint8_t *from, size_t size, size_t skew) {
    uint8_t *block = (uint8_t *)malloc(size + skew + (size + skew == 0));
    nnrt__graph_store *store = NULL;
    OH_NN_ReturnCode code;
    if (size != 0) memcpy(block + skew, from, size);
    (void)nnrt__fail(OH_NN_FAILED, "%s", "");
    code = nnrt__tflite_read(block + skew, size, &store);
    cr_assert_eq(code == OH_NN_SUCCESS, store != NULL);
    cr_assert_eq(code == OH_NN_SUCCESS, nnrt_last_error()[0] == '\0', "code %d: \"%s\"", (int)code, nnrt_last_error());
    nnrt__graph_store_release(store);
    cr_assert_eq(counting_live(), 0);
    free(block);
    return code;
}

/* Reads what make made; the file stays until done(). */
static bytes file;

MAKE_FN const nnrt_graph *graph_of(const spec *s, nnrt__graph_store **store) {
    OH_NN_ReturnCode code;
    file = make(s);
    code = nnrt__tflite_read(file.at, file.size, store);
    cr_assert_eq((int)code, 0, "operator %d: %s", s->code, nnrt_last_error());
    return &(*store)->graph;
}

MAKE_FN void done(nnrt__graph_store *store) {
    nnrt__graph_store_release(store);
    free(file.at);
    cr_assert_eq(counting_live(), 0);
}

/* The spec is refused with code and a sentence that has word in it. */
MAKE_FN void refused(const spec *s, OH_NN_ReturnCode code, const char *word) {
    bytes b = make(s);
    const OH_NN_ReturnCode got = verdict(b.at, b.size, 0);
    cr_assert_eq((int)got, (int)code, "operator %d: %d, not %d: %s", s->code, (int)got, (int)code, nnrt_last_error());
    cr_assert(strstr(nnrt_last_error(), word) != NULL, "no \"%s\" in \"%s\"", word, nnrt_last_error());
    free(b.at);
}

/* If it is refused, then not for this. */
MAKE_FN void not_refused_for(const spec *s, const char *word) {
    bytes b = make(s);
    (void)verdict(b.at, b.size, 0);
    cr_assert_null(strstr(nnrt_last_error(), word), "operator %d: %s", s->code, nnrt_last_error());
    free(b.at);
}

MAKE_FN int64_t int_of(const nnrt_graph *g, uint32_t node, OH_NN_TensorType type) {
    return nnrt__param_int(&g->nodes[node], type, -99);
}

#endif /* NNRT_TESTS_READ_TFLITE_H */
