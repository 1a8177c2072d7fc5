/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/rknn_image.h - from a .rknn of RV1103 or RV1106 to an image, which is then checked.
   >>rknpu_open_rknn_image

   The memory of the image is that of the file with longer words at its beginning (rknn_words.h): everything behind
   them lies as much further. Tasks run in the order of the file. Those of an OutputOperator are left out: they only
   make another layout or type of an output, which is read where it is made (so does the vendor's runtime where a
   program wants the NPU's own layout). An operator that the runtime's CPU would compute is refused by its name.

   Nothing of the file is believed but its order: the image is checked like any other before it reaches a driver. */
#ifndef NNRT_RKNPU_OPEN_RKNN_IMAGE_H
#define NNRT_RKNPU_OPEN_RKNN_IMAGE_H

#include "rknn_file.h"
#include "rknn_words.h"

/* Bytes behind the last tensor: rows of pictures and planes are counted to the end of their atoms. */
#define NNRT__OPEN_RKNN_SLACK 32768u

/* The words become at most so many times as long: a task that writes eleven has seventeen times as many. Tasks that
   share their words would make more of a small file. */
#define NNRT__OPEN_RKNN_MOST_GROWTH 24u

/* Bytes that a task may have more than its words: all that it can inherit, a tail, what fills up a line. */
#define NNRT__OPEN_RKNN_MORE ((NNRT__OPEN_NPU_MOST_ROWS + NNRT__OPEN_NPU_TAIL) * 8u + NNRT__OPEN_NPU_ALIGNMENT)

/* An image that is being made. */
typedef struct nnrt__open_rknn_maker {
    const nnrt__open_rknn *file;
    nnrt__open_rknn_registers registers;
    uint8_t *records, *words; /* of the image; NULL: only sizes are wanted */
    uint32_t room;            /* bytes of words */
    uint32_t words_size, task_count;
    uint32_t last_task[NNRT__OPEN_NPU_MOST_PORTS]; /* of each output: tasks behind its last one may not write to it */
} nnrt__open_rknn_maker;

/* Record number i of the file: the blocks, and where its words are. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_task_read(const nnrt__open_rknn *file, uint32_t i,
                                                    nnrt__open_npu_task *task) {
    const uint8_t *at = file->tasks + (size_t)i * NNRT__OPEN_RKNN_RECORD;
    memset(task, 0, sizeof(*task));
    task->enable = nnrt__read_u32(at + 8);
    task->interrupt = nnrt__read_u32(at + 12);
    task->amount = nnrt__read_u32(at + 24);
    task->words = nnrt__read_u32(at + 32);
    if (nnrt__read_u32(at + 28) != 0 || nnrt__read_u32(at + 36) != 0 || task->words % 8 != 0 || task->amount == 0 ||
        task->amount > 0xffff || task->words > file->words || task->amount > (file->words - task->words) / 8)
        return nnrt__fail(OH_NN_INVALID_FILE, "task %u of the .rknn: its words are not among those of the file",
                          (unsigned)i);
    if (nnrt__open_npu_blocks(task->enable) == 0)
        return nnrt__fail(OH_NN_UNSUPPORTED, "task %u of the .rknn: blocks 0x%x together are not known", (unsigned)i,
                          (unsigned)task->enable);
    return OH_NN_SUCCESS;
}

/* Words and a tail, which lead to whatever lies behind them. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_add_task(nnrt__open_rknn_maker *m, uint32_t number, uint32_t op) {
    nnrt__open_npu_task task;
    uint32_t amount, most;
    OH_NN_ReturnCode code = nnrt__open_rknn_task_read(m->file, number, &task);
    if (code != OH_NN_SUCCESS) return code;
    most = task.amount * 8 + NNRT__OPEN_RKNN_MORE;
    if (most > NNRT__OPEN_NPU_MOST_MEMORY / 2 - m->words_size)
        return nnrt__open_rknn_damaged("it has more words than an NPU could reach");
    if (m->words != NULL && most > m->room - m->words_size)
        return nnrt__open_rknn_damaged("it changes while it is read");
    if (!nnrt__open_rknn_complete(&m->registers, m->file->memory + task.words, task.amount, task.enable, number,
                                  m->words != NULL ? m->words + m->words_size : NULL, &amount))
        return OH_NN_INVALID_FILE;
    task.words = m->words_size;
    task.amount = amount;
    task.op = op;
    if (m->words != NULL) {
        uint8_t *words = m->words + m->words_size;
        memcpy(m->records + (size_t)m->task_count * sizeof(task), &task, sizeof(task));
        nnrt__open_rknn_put(words, amount + 2, 0x41, 0, 0);
        nnrt__open_rknn_put(words, amount + 3, 0x81, NNRT__OPEN_NPU_PC_OPERATION_ENABLE, task.enable);
    }
    m->words_size += (amount + NNRT__OPEN_NPU_TAIL + NNRT__OPEN_NPU_ALIGNMENT / 8 - 1) /
                     (NNRT__OPEN_NPU_ALIGNMENT / 8) * NNRT__OPEN_NPU_ALIGNMENT;
    m->task_count++;
    if (m->words_size / NNRT__OPEN_RKNN_MOST_GROWTH > m->file->words)
        return nnrt__open_rknn_damaged("its tasks share their words");
    return OH_NN_SUCCESS;
}

/* "it runs on the CPU": which operator. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_fail_operator(const nnrt__open_rknn_operator *o) {
    char name[96];
    nnrt__open_rknn_say(o->name, name, sizeof(name));
    (void)name;
    return nnrt__fail(OH_NN_UNSUPPORTED,
                      "operator %s of the .rknn is not for the NPU: the vendor's runtime computes it on the CPU, which "
                      "rknn.open cannot; cut the model before it, or take the .tflite or .onnx that it came from",
                      name);
}

/* The output behind the colon of "OutputOperator:name"; their order is that of the operators where a name is not
   found. */
NNRT__FN uint32_t nnrt__open_rknn_find_output(const nnrt__open_rknn_operator *o, const nnrt__open_rknn_port *outputs,
                                              uint32_t count) {
    nnrt__flat_text name = o->name;
    char text[NNRT__OPEN_RKNN_NAME];
    uint32_t i;
    while (name.length != 0 && *name.bytes != ':') name.bytes++, name.length--;
    if (name.length != 0) name.bytes++, name.length--;
    nnrt__open_rknn_say(name, text, sizeof(text));
    for (i = 0; i < count && strcmp(outputs[i].name, text) != 0; i++) continue;
    return i;
}

/* All operators, in order. outputs: count of them. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_add_all(nnrt__open_rknn_maker *m, const nnrt__open_rknn_port *outputs,
                                                  uint32_t count) {
    const uint32_t operators = nnrt__open_rknn_count(m->file, 1);
    uint32_t i, k, task = 0;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (operators == 0 || operators > NNRT__OPEN_RKNN_MOST_OPERATORS)
        return nnrt__open_rknn_damaged("its graph has no operators, or too many");
    for (i = 0; i < count; i++) m->last_task[i] = UINT32_MAX;
    for (i = 0; i < operators && code == OH_NN_SUCCESS; i++) {
        nnrt__open_rknn_operator o;
        code = nnrt__open_rknn_operator_read(m->file, i, &o);
        if (code != OH_NN_SUCCESS) return code;
        if (!o.on_npu && !o.is_output && !o.is_input) return nnrt__open_rknn_fail_operator(&o);
        if (o.task_count > m->file->task_count - task)
            return nnrt__open_rknn_damaged("its operators have more tasks than it has");
        if (o.is_output) {
            k = nnrt__open_rknn_find_output(&o, outputs, count);
            if (k == count) return nnrt__open_rknn_damaged("an OutputOperator is for none of its outputs");
            m->last_task[k] = m->task_count;
        }
        for (k = 0; k < o.task_count && !o.is_output && code == OH_NN_SUCCESS; k++)
            code = nnrt__open_rknn_add_task(m, task + k, i);
        task += o.task_count;
    }
    if (code == OH_NN_SUCCESS && task != m->file->task_count)
        code = nnrt__open_rknn_damaged("it has more tasks than its operators");
    if (code == OH_NN_SUCCESS && m->task_count == 0) code = nnrt__open_rknn_damaged("it has nothing to run");
    return code;
}

/* The tails lead from one task to the next. */
NNRT__FN void nnrt__open_rknn_chain(const nnrt__open_rknn_maker *m) {
    nnrt__open_npu_task task, next;
    uint32_t i;
    memcpy(&next, m->records, sizeof(next));
    for (i = 0; i < m->task_count; i++) {
        const bool is_last = i + 1 == m->task_count;
        uint8_t *words;
        task = next;
        if (!is_last) memcpy(&next, m->records + (i + (size_t)1) * sizeof(next), sizeof(next));
        words = m->words + task.words;
        nnrt__open_rknn_put(words, task.amount, 0x101, NNRT__OPEN_NPU_PC_BASE_ADDRESS, is_last ? 0 : next.words);
        nnrt__open_rknn_put(words, task.amount + 1, 0x101, NNRT__OPEN_NPU_PC_REGISTER_AMOUNTS,
                            is_last ? 0 : nnrt__open_npu_fetched(next.amount));
    }
}

/* The ends of a model: inputs, then outputs. */
typedef struct nnrt__open_rknn_ports {
    uint32_t input_count, output_count;
    nnrt__open_rknn_port *ports; /* NNRT_MALLOC */
} nnrt__open_rknn_ports;

NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_ports_read(const nnrt__open_rknn *file, nnrt__open_rknn_ports *ports) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    ports->input_count = nnrt__open_rknn_count(file, 2);
    ports->output_count = nnrt__open_rknn_count(file, 3);
    ports->ports = NULL;
    if (ports->input_count == 0 || ports->input_count > NNRT__OPEN_NPU_MOST_PORTS || ports->output_count == 0 ||
        ports->output_count > NNRT__OPEN_NPU_MOST_PORTS)
        return nnrt__open_rknn_damaged("its graph has no inputs or outputs, or too many");
    ports->ports = (nnrt__open_rknn_port *)nnrt__alloc_zero((size_t)ports->input_count + ports->output_count,
                                                            sizeof(ports->ports[0]));
    if (ports->ports == NULL) return nnrt__fail_memory();
    for (i = 0; i < ports->input_count + ports->output_count && code == OH_NN_SUCCESS; i++) {
        const bool is_input = i < ports->input_count;
        code = nnrt__open_rknn_port_read(file, is_input, is_input ? i : i - ports->input_count, &ports->ports[i]);
    }
    return code;
}

/* No task behind the last of an output writes to it, and nothing to an input before it is read: the file has tasks that
   have used the memory before. written: of each task, from the check. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_check_outputs(const nnrt__open_rknn_maker *m,
                                                        const nnrt__open_rknn_ports *ports,
                                                        const nnrt__open_npu_range *written) {
    uint32_t i, k;
    for (k = 0; k < ports->output_count; k++) {
        const nnrt__open_rknn_port *port = &ports->ports[ports->input_count + k];
        const uint64_t from = port->place.offset, to = from + port->place.size;
        for (i = m->last_task[k]; i < m->task_count; i++)
            if (written[i].from < to && written[i].to > from)
                return nnrt__fail(OH_NN_UNSUPPORTED,
                                  "output %s of the .rknn is written over by task %u before the run is over: rknn.open "
                                  "reads outputs at its end",
                                  port->name, (unsigned)i);
    }
    return OH_NN_SUCCESS;
}

/* Places of the image: header, ports, records, what is loaded. shift: of the file's memory. */
NNRT__FN void nnrt__open_rknn_plan(const nnrt__open_rknn_maker *m, const nnrt__open_rknn_ports *ports,
                                   nnrt__open_npu_header *h, uint32_t *shift) {
    const nnrt__open_rknn *file = m->file;
    const uint32_t up = NNRT__OPEN_NPU_ALIGNMENT - 1;
    const uint32_t more = m->words_size > file->words ? m->words_size - file->words : 0;
    *shift = (more + up) & ~up;
    memset(h, 0, sizeof(*h));
    h->magic = NNRT__OPEN_NPU_MAGIC;
    h->version = NNRT__OPEN_NPU_VERSION;
    h->chip = NNRT__OPEN_NPU_RV1106;
    h->input_count = ports->input_count;
    h->output_count = ports->output_count;
    h->ports = (uint32_t)sizeof(*h);
    h->tasks = h->ports + (h->input_count + h->output_count) * (uint32_t)sizeof(nnrt__open_npu_port);
    h->task_count = m->task_count;
    h->loaded = (h->tasks + h->task_count * (uint32_t)sizeof(nnrt__open_npu_task) + 7) & ~7u;
    h->words_size = m->words_size;
    h->loaded_size = *shift + file->words + file->weights;
    h->size = h->loaded + h->loaded_size;
    h->memory_size = (h->loaded_size + file->between + NNRT__OPEN_RKNN_SLACK + up) & ~up;
}

/* The ports of the image, moved. */
NNRT__FN void nnrt__open_rknn_put_ports(nnrt__open_rknn_ports *ports, uint32_t shift, uint8_t *to) {
    uint32_t i;
    for (i = 0; i < ports->input_count + ports->output_count; i++) {
        nnrt__open_npu_port *place = &ports->ports[i].place;
        place->offset += shift;
        memcpy(to + (size_t)i * sizeof(*place), place, sizeof(*place));
    }
}

/* The image of what the maker has counted; *image is NNRT_MALLOC's. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_fill(nnrt__open_rknn_maker *m, nnrt__open_rknn_ports *ports, uint8_t **image,
                                               size_t *size) {
    const nnrt__open_rknn *file = m->file;
    nnrt__open_npu_header h;
    OH_NN_ReturnCode code;
    uint32_t shift, tasks = m->task_count, words = m->words_size;
    uint8_t *made;
    nnrt__open_rknn_plan(m, ports, &h, &shift);
    *size = h.size;
    made = (uint8_t *)nnrt__alloc_zero(1, h.size + (size_t)NNRT__OPEN_RKNN_MORE);
    if (made == NULL) return nnrt__fail_memory();
    *image = made;
    memcpy(made, &h, sizeof(h));
    memcpy(made + h.loaded + shift + file->words, file->memory + file->words, file->weights);
    m->records = made + h.tasks;
    m->words = made + h.loaded;
    m->room = h.loaded_size + NNRT__OPEN_RKNN_MORE;
    m->words_size = m->task_count = 0;
    nnrt__open_rknn_registers_begin(&m->registers, shift, h.memory_size - NNRT__OPEN_RKNN_SLACK);
    code = nnrt__open_rknn_add_all(m, ports->ports + ports->input_count, ports->output_count);
    if (code == OH_NN_SUCCESS && (m->task_count != tasks || m->words_size != words))
        code = nnrt__open_rknn_damaged("it changes while it is read");
    if (code != OH_NN_SUCCESS) return code;
    nnrt__open_rknn_chain(m);
    nnrt__open_rknn_put_ports(ports, shift, made + h.ports);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_make_with(nnrt__open_rknn_maker *m, nnrt__open_rknn_ports *ports,
                                                    uint8_t **image, size_t *size) {
    nnrt__open_npu_range *written;
    OH_NN_ReturnCode code;
    nnrt__open_rknn_registers_begin(&m->registers, 0, 0);
    code = nnrt__open_rknn_add_all(m, ports->ports + ports->input_count, ports->output_count);
    if (code == OH_NN_SUCCESS) code = nnrt__open_rknn_fill(m, ports, image, size);
    if (code != OH_NN_SUCCESS) return code;
    written = (nnrt__open_npu_range *)nnrt__alloc_zero(m->task_count, sizeof(written[0]));
    if (written == NULL) return nnrt__fail_memory();
    code = nnrt__open_npu_check_ranges(*image, *size, written);
    if (code == OH_NN_SUCCESS) code = nnrt__open_rknn_check_outputs(m, ports, written);
    nnrt__free(written);
    return code;
}

/* The checked image of size bytes of a .rknn, and what its ends are. On success *image and ports->ports are to be freed
   (nnrt__free); on failure nothing is.
   OH_NN_INVALID_FILE: it is damaged, or a task of it would leave the memory or is not known. OH_NN_UNSUPPORTED: another
   chip, type or operator. OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__open_rknn_make(const void *bytes, size_t size, uint8_t **image, size_t *image_size,
                                               nnrt__open_rknn_ports *ports) {
    nnrt__open_rknn file;
    nnrt__open_rknn_maker *m;
    OH_NN_ReturnCode code = nnrt__open_rknn_read(bytes, size, &file);
    *image = NULL;
    ports->ports = NULL;
    if (code == OH_NN_SUCCESS) code = nnrt__open_rknn_ports_read(&file, ports);
    if (code == OH_NN_SUCCESS) {
        m = (nnrt__open_rknn_maker *)nnrt__alloc_zero(1, sizeof(*m));
        if (m != NULL) {
            m->file = &file;
            code = nnrt__open_rknn_make_with(m, ports, image, image_size);
        } else {
            code = nnrt__fail_memory();
        }
        nnrt__free(m);
    }
    if (code == OH_NN_SUCCESS) return code;
    nnrt__free(*image);
    nnrt__free(ports->ports);
    *image = NULL;
    ports->ports = NULL;
    return code;
}

#endif /* NNRT_RKNPU_OPEN_RKNN_IMAGE_H */
