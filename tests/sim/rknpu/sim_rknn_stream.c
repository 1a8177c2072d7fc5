/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_stream.c - real .rknn files of RV1103, RV1106 and RK3588 on the simulated board: the NPU in software runs
   what they hold (tools/rkchip). Every run has a job of its own, so that contexts of one model may run at once. */
#include "sim_rknn_file.h"

#include <string.h>

#include "../../../tools/rkchip/job.h"

typedef struct sim_rknn_stream {
    uint8_t *bytes;
    rkchip_model model;
} sim_rknn_stream;

bool sim_rknn_stream_is(const sim_rknn_file *file) {
    static const uint8_t network[4] = {'N', 'S', 'I', 'M'};
    return file->body_size >= 4 && memcmp(file->body, network, sizeof network) != 0;
}

static void sim_rknn_stream_release(void *user) {
    sim_rknn_stream *stream = (sim_rknn_stream *)user;
    rkchip_model_free(&stream->model);
    free(stream->bytes);
    free(stream);
}

static int sim_rknn_stream_run(void *user, const void *const *inputs, void *const *outputs) {
    const rkchip_model *model = &((const sim_rknn_stream *)user)->model;
    rkchip_job job;
    uint32_t i;
    int result = rkchip_job_open(&job, model) ? 0 : SIM_NO_MEMORY;
    for (i = 0; i < model->input_count && result == 0; i++)
        rkchip_job_put(&job, &model->inputs[i], (const uint8_t *)inputs[i]);
    for (i = 0; i < model->operator_count && result == 0; i++) {
        const rkchip_operator *o = &model->operators[i];
        if (o->is_output) rkchip_job_get(&job, &model->outputs[o->output], true, (uint8_t *)outputs[o->output]);
        else if (!rkchip_job_run(&job, o)) result = SIM_FAILED;
    }
    rkchip_job_close(&job);
    return result;
}

/* A picture also comes as pixels of uint8, which are stored less 128: of those files whose words convert otherwise no
   more is known than that they do. */
static void sim_rknn_stream_describe(const rkchip_tensor *t, bool output, sim_tensor *to) {
    uint32_t i;
    memset(to, 0, sizeof *to);
    memcpy(to->name, t->name, sizeof t->name);
    to->rank = t->rank;
    for (i = 0; i < t->rank; i++) to->dims[i] = t->dims[t->rank == 4 && i > 0 ? 1 + i % 3 : i];
    to->type = SIM_INT8;
    to->quant = SIM_QUANT_AFFINE;
    to->scale = t->scale;
    to->zp = t->zero_point;
    to->image = !output && rkchip_is_picture(t);
    for (i = 0; i < 4; i++) {
        to->std[i] = 1.0f / t->scale;
        to->mean[i] = (float)(t->zero_point + 128);
    }
}

/* The board has tensors of one to four dimensions. */
static bool sim_rknn_stream_has_room(const rkchip_model *model) {
    uint32_t i;
    for (i = 0; i < model->input_count; i++)
        if (model->inputs[i].rank > 4) return false;
    for (i = 0; i < model->output_count; i++)
        if (model->outputs[i].rank > 4) return false;
    return true;
}

sim_model *sim_rknn_stream_load(const uint8_t *bytes, size_t size, const char **error) {
    sim_tensor *tensors = (sim_tensor *)calloc(2 * RKCHIP_MOST_PORTS, sizeof *tensors);
    sim_rknn_stream *stream = (sim_rknn_stream *)calloc(1, sizeof *stream);
    sim_model_engine engine = {sim_rknn_stream_run, sim_rknn_stream_release, NULL, 0, 0};
    sim_model *model = NULL;
    uint32_t i;
    *error = "the .rknn holds a stream that the NPU in software does not know";
    if (stream != NULL) stream->bytes = (uint8_t *)malloc(size);
    if (tensors != NULL && stream != NULL && stream->bytes != NULL) {
        memcpy(stream->bytes, bytes, size);
        if (rkchip_model_read(&stream->model, stream->bytes, size) && sim_rknn_stream_has_room(&stream->model)) {
            for (i = 0; i < stream->model.input_count; i++)
                sim_rknn_stream_describe(&stream->model.inputs[i], false, &tensors[i]);
            for (i = 0; i < stream->model.output_count; i++)
                sim_rknn_stream_describe(&stream->model.outputs[i], true, &tensors[stream->model.input_count + i]);
            engine.user = stream;
            engine.weight_bytes = (uint32_t)stream->model.weights_bytes;
            engine.internal_bytes = (uint32_t)stream->model.between_bytes;
            model = sim_model_of(&engine, tensors, stream->model.input_count, stream->model.output_count);
        }
    }
    free(tensors);
    if (model == NULL && stream != NULL) sim_rknn_stream_release(stream);
    return model;
}
