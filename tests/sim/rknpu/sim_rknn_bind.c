/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_bind.c - rknn_set_io_mem. Which tensor is meant goes by the name alone. What a runtime takes, refuses, or
   takes and cannot do, is what the vendor's libraries were seen to answer, by library and version; a caller who goes
   by the attributes makes no mistake here, and all else is one, whatever the answer. */
#include "sim_rknn.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define SIM_RKNN_MINI_22 (NNRT_SIM_MINI && NNRT_SIM_VERSION >= 0x020200)

/* What a binding means: the layout of its bytes, how many there must be. */
typedef struct sim_rknn_choice {
    sim_rknn_layout layout;
    size_t needed;
    bool strided; /* attr->w_stride should say the pitch of the rows */
    sim_rknn_fate fate;
    int code;          /* 0: it is taken */
    const char *wrong; /* a mistake, and which; NULL: none */
    bool attaches;     /* refused, and the memory is used all the same */
    bool spoils;       /* refused, and the next run fails */
} sim_rknn_choice;

/* The code of this library for what it refuses. */
static int sim_rknn_no(void) { return NNRT_SIM_MINI ? NNRT_RKNN_ERR_PARAM_INVALID : NNRT_RKNN_ERR_FAIL; }

static void sim_rknn_refuse_binding(sim_rknn_choice *choice, const char *why) {
    choice->wrong = why;
    choice->code = sim_rknn_no();
}

static void sim_rknn_take_badly(sim_rknn_choice *choice, sim_rknn_fate fate, const char *why) {
    choice->wrong = why;
    choice->fate = fate;
    if (!sim_lets_pass()) choice->code = NNRT_RKNN_ERR_PARAM_INVALID;
}

/* ------------------------------------------------------------------------------------------------- inputs */

/* librknnmrt reads every layout as the native one. */
static void sim_rknn_choose_mini_input(const sim_tensor *tensor, const nnrt_rknn_tensor_attr *attr,
                                       sim_rknn_choice *choice) {
    const nnrt_rknn_tensor_type own = sim_rknn_type(tensor->type);
    const bool map = tensor->rank == 4, late = SIM_RKNN_MINI_22 != 0;
    const bool pixels = attr->type == NNRT_RKNN_UINT8;
    if (attr->pass_through && attr->type != own) {
        if (pixels && !map && !late) sim_rknn_take_badly(choice, SIM_RKNN_CONVERTS, "uint8 with pass_through 1");
        else if (attr->type == NNRT_RKNN_INT16 && late)
            sim_rknn_take_badly(choice, SIM_RKNN_CONVERTS, "int16 with pass_through 1");
        else sim_rknn_refuse_binding(choice, "a type that is not the model's, with pass_through 1");
    } else if (!attr->pass_through && attr->type != own && !pixels) {
        if (!late) sim_rknn_refuse_binding(choice, "a type other than the model's and uint8");
        else if (sim_rknn_input_convertible(tensor, attr->type)) choice->layout.type = attr->type;
        else sim_rknn_take_badly(choice, SIM_RKNN_CONVERTS, "a type that cannot be converted");
    } else if (!attr->pass_through && pixels) {
        choice->layout.type = NNRT_RKNN_UINT8;
    }
    if (choice->code == 0 && map && attr->fmt == NNRT_RKNN_NCHW && !attr->pass_through)
        sim_rknn_take_badly(choice, late ? SIM_RKNN_FAILS : SIM_RKNN_CONVERTS, "NCHW, which is not converted");
    else if (choice->code == 0 && !choice->wrong && attr->fmt != choice->layout.order && attr->fmt != NNRT_RKNN_NC1HWC2)
        sim_rknn_take_badly(choice, SIM_RKNN_CONVERTS, "a format that this input does not have");
    choice->spoils = late && map;
}

/* librknnrt: what it counts as bytes of an element; 0: it does not know the type and wants more than there can be. */
static uint32_t sim_rknn_input_bytes(nnrt_rknn_tensor_type type) {
    switch (type) {
    case NNRT_RKNN_FLOAT32:
    case NNRT_RKNN_INT32: return 4;
    case NNRT_RKNN_FLOAT16: return 2;
    case NNRT_RKNN_INT8:
    case NNRT_RKNN_UINT8:
    case NNRT_RKNN_BOOL: return 1;
    case NNRT_RKNN_INT64: return 8;
    default: return 0;
    }
}

static void sim_rknn_choose_full_input(const sim_tensor *tensor, const nnrt_rknn_tensor_attr *attr,
                                       sim_rknn_choice *choice) {
    const nnrt_rknn_format plain = tensor->rank == 4 ? NNRT_RKNN_NHWC : NNRT_RKNN_UNDEFINED;
    const bool late = NNRT_SIM_VERSION >= 0x010600;
    if (attr->pass_through) {
        if (attr->type != sim_rknn_type(tensor->type))
            sim_rknn_take_badly(choice, SIM_RKNN_CONVERTS, "a type that is not the model's, with pass_through 1");
        else if (attr->fmt != choice->layout.order)
            sim_rknn_take_badly(choice, SIM_RKNN_CONVERTS, "a layout that is not the native one, with pass_through 1");
        return;
    }
    if (choice->layout.order != plain) sim_rknn_tensor_plain(tensor, &choice->layout);
    if (attr->type == sim_rknn_type(tensor->type) || sim_rknn_input_bytes(attr->type) > 0)
        choice->layout.type = attr->type;
    else sim_rknn_refuse_binding(choice, "a type that the runtime does not know");
    if (choice->code == 0 && attr->fmt == NNRT_RKNN_NC1HWC2 && NNRT_SIM_VERSION >= 0x010502)
        sim_rknn_refuse_binding(choice, "NC1HWC2 with pass_through 0");
    else if (choice->code == 0 && attr->fmt == NNRT_RKNN_NCHW && tensor->rank == 4 && late)
        choice->wrong = "NCHW, of which librknnrt 1.6.0 dies";
    else if (choice->code == 0 && attr->fmt != plain)
        sim_rknn_take_badly(choice, late ? SIM_RKNN_FAILS : SIM_RKNN_SKIPS,
                            "a format other than NHWC (UNDEFINED below 4 dimensions), with pass_through 0");
    else if (choice->code == 0 && !sim_rknn_input_convertible(tensor, attr->type))
        sim_rknn_take_badly(choice, SIM_RKNN_SKIPS, "a type that cannot be converted");
}

static void sim_rknn_choose_input(const sim_rknn_chip *chip, const sim_tensor *tensor,
                                  const nnrt_rknn_tensor_attr *attr, sim_rknn_choice *choice) {
    sim_rknn_layout *layout = &choice->layout;
    sim_rknn_tensor_native(chip, tensor, false, layout);
    if (NNRT_SIM_MINI) sim_rknn_choose_mini_input(tensor, attr, choice);
    else sim_rknn_choose_full_input(tensor, attr, choice);
    choice->strided = layout->order == NNRT_RKNN_NHWC;
    if (!NNRT_SIM_MINI && attr->h_stride > layout->h && layout->order == NNRT_RKNN_NHWC)
        layout->h_stride = attr->h_stride;
    choice->needed = sim_rknn_layout_bytes(layout);
}

/* ------------------------------------------------------------------------------------------------ outputs */

static void sim_rknn_plain_nchw(const sim_tensor *tensor, sim_rknn_layout *layout) {
    sim_rknn_tensor_plain(tensor, layout);
    if (tensor->rank == 4) layout->order = NNRT_RKNN_NCHW;
}

/* Has memory of this tensor the padding of the native attribute, or is it that of NATIVE_NHWC_OUTPUT_ATTR? Assumed: the
   real runtime cannot be asked what it wrote. */
static void sim_rknn_unpad(const sim_tensor *tensor, const nnrt_rknn_tensor_attr *attr, sim_rknn_layout *layout) {
    if (layout->unit && attr->size_with_stride < sim_rknn_layout_bytes(layout)) sim_rknn_tensor_plain(tensor, layout);
}

static void sim_rknn_choose_mini_output(const sim_tensor *tensor, const nnrt_rknn_tensor_attr *attr,
                                        sim_rknn_choice *choice) {
    const bool own = attr->type == sim_rknn_type(tensor->type), late = SIM_RKNN_MINI_22 != 0;
    const nnrt_rknn_format native = choice->layout.order;
    const bool other = attr->fmt == NNRT_RKNN_NCHW || (attr->fmt == NNRT_RKNN_NHWC && tensor->rank < 4);
    if (attr->fmt == native && native != NNRT_RKNN_NCHW) {
        sim_rknn_unpad(tensor, attr, &choice->layout);
        if (!own) sim_rknn_refuse_binding(choice, "a type that is not the model's, in the native layout");
    } else if (attr->fmt == NNRT_RKNN_NHWC && tensor->rank == 4) {
        if (!own && attr->type != NNRT_RKNN_FLOAT32 && !late) {
            sim_rknn_refuse_binding(choice, "NHWC of a type that is neither the model's nor float32");
            return;
        }
        sim_rknn_tensor_plain(tensor, &choice->layout);
        choice->layout.type = attr->type;
        if (!sim_rknn_output_convertible(tensor, attr->type))
            sim_rknn_take_badly(choice, SIM_RKNN_SKIPS, "a type that cannot be converted");
    } else if (other && !late) {
        choice->attaches = true;
        sim_rknn_refuse_binding(choice, "a layout that is neither the native one nor NHWC");
    } else if (other && tensor->rank == 4) {
        sim_rknn_plain_nchw(tensor, &choice->layout);
        choice->layout.type = attr->type;
        if (!own && attr->type != NNRT_RKNN_FLOAT32)
            sim_rknn_take_badly(choice, SIM_RKNN_SKIPS, "NCHW of a type that is neither the model's nor float32");
    } else if (other) {
        sim_rknn_take_badly(choice, SIM_RKNN_SKIPS, "a format that this output does not have");
    } else {
        sim_rknn_refuse_binding(choice, "a layout that is neither the native one nor NHWC");
    }
}

static void sim_rknn_choose_full_output(const sim_tensor *tensor, bool dynamic, const nnrt_rknn_tensor_attr *attr,
                                        sim_rknn_choice *choice) {
    const bool own = attr->type == sim_rknn_type(tensor->type), late = NNRT_SIM_VERSION >= 0x010600;
    const sim_rknn_fate cannot = late ? SIM_RKNN_FAILS : SIM_RKNN_SKIPS;
    const bool plain = attr->fmt == NNRT_RKNN_NHWC && tensor->rank == 4;
    if (attr->fmt == choice->layout.order && own) return;
    if (attr->fmt == NNRT_RKNN_NC1HWC2) {
        sim_rknn_take_badly(choice, cannot, "NC1HWC2 of a type or an output that does not have it");
    } else if (plain) {
        sim_rknn_tensor_plain(tensor, &choice->layout);
        if (dynamic)
            sim_rknn_take_badly(choice, SIM_RKNN_CONVERTS, "NHWC, which outputs of a dynamic model do not have");
    } else {
        sim_rknn_plain_nchw(tensor, &choice->layout);
        /* The vendor's programs call every output NCHW. */
        if (attr->fmt != NNRT_RKNN_NCHW && (tensor->rank == 4 || attr->fmt != NNRT_RKNN_UNDEFINED))
            sim_rknn_take_badly(choice, SIM_RKNN_CONVERTS, "a format that this output does not have");
    }
    if (choice->wrong) return;
    if (!sim_rknn_output_convertible(tensor, attr->type))
        sim_rknn_take_badly(choice, cannot, "a type that cannot be converted");
    else choice->layout.type = attr->type;
}

static void sim_rknn_choose_output(const sim_rknn_chip *chip, const sim_tensor *tensor, bool dynamic,
                                   const nnrt_rknn_tensor_attr *attr, sim_rknn_choice *choice) {
    sim_rknn_tensor_native(chip, tensor, true, &choice->layout);
    if (NNRT_SIM_MINI) sim_rknn_choose_mini_output(tensor, attr, choice);
    else sim_rknn_choose_full_output(tensor, dynamic, attr, choice);
    choice->needed = sim_rknn_layout_bytes(&choice->layout);
}

/* ---------------------------------------------------------------------------------------- what is checked */

const char *sim_rknn_port_name(const sim_rknn_context *context, uint32_t port, char *text, size_t room) {
    const bool output = port >= context->n_input;
    snprintf(text, room, "%s %lu", output ? "output" : "input",
             (unsigned long)(output ? port - context->n_input : port));
    return text;
}

static bool sim_rknn_find_port(const sim_rknn_context *context, const nnrt_rknn_tensor_attr *attr, uint32_t *port) {
    sim_tensor tensor;
    uint32_t i;
    for (i = 0; i < context->n_input + context->n_output; ++i) {
        sim_rknn_port_tensor(context, i, &tensor);
        if (strncmp(attr->name, tensor.name, sizeof(attr->name)) == 0) {
            *port = i;
            return true;
        }
    }
    return false;
}

/* A mistake that every runtime lets pass; strict: refused. */
static void sim_rknn_tell(sim_rknn_choice *choice) {
    if (!sim_lets_pass() && choice->code == 0) choice->code = NNRT_RKNN_ERR_PARAM_INVALID;
}

/* Locked. Memory of size bytes for what was chosen: only inputs are measured by the runtimes. */
static void sim_rknn_check_size(bool output, const char *what, const nnrt_rknn_tensor_attr *attr, size_t size,
                                size_t dense, sim_rknn_choice *choice) {
    const sim_rknn_layout *layout = &choice->layout;
    if (choice->strided && attr->w_stride != 0 && attr->w_stride != layout->w_stride) {
        sim_mistake_locked("%s: rows of %s have %lu columns, the attribute says %lu",
                           attr->w_stride == layout->w ? "stride taken as width" : "wrong attribute", what,
                           (unsigned long)layout->w_stride, (unsigned long)attr->w_stride);
        sim_rknn_tell(choice);
    }
    if (size >= choice->needed) return;
    if (choice->needed != dense && size == dense)
        sim_mistake_locked("stride taken as width: size of %s (%lu) was asked for, size_with_stride (%lu) is needed",
                           what, (unsigned long)size, (unsigned long)choice->needed);
    else
        sim_mistake_locked("wrong size: %s must have %lu bytes, its memory has %lu", what,
                           (unsigned long)choice->needed, (unsigned long)size);
    sim_rknn_tell(choice);
    if (!output) choice->code = sim_rknn_no();
}

/* Locked. */
static void sim_rknn_attach(sim_rknn_context *context, uint32_t port, sim_memory *memory,
                            const nnrt_rknn_tensor_attr *attr, const sim_tensor *tensor,
                            const sim_rknn_choice *choice) {
    sim_rknn_port *p = &context->ports[port];
    const bool image = port < context->n_input && tensor->rank == 4;
    sim_memory_refer(&p->bound, memory);
    p->stale = false;
    p->layout = choice->layout;
    p->needed = choice->needed;
    p->fate = choice->fate;
    if (port < context->n_input) p->by_npu = attr->pass_through || choice->layout.type != sim_rknn_type(tensor->type);
    else p->by_npu = choice->layout.order == NNRT_RKNN_NC1HWC2;
    /* librknnmrt 2.3.2 fails after a binding with pass_through 1 was followed by one without. */
    if (SIM_RKNN_MINI_22 && image && p->passed && !attr->pass_through) p->fate = SIM_RKNN_FAILS;
    p->passed = p->passed || attr->pass_through;
}

static int sim_rknn_bind_port(sim_rknn_context *context, uint32_t port, const nnrt_rknn_tensor_mem *mem,
                              const nnrt_rknn_tensor_attr *attr) {
    const bool output = port >= context->n_input;
    char what[32];
    sim_rknn_choice choice;
    sim_tensor tensor;
    sim_memory *memory;
    memset(&choice, 0, sizeof(choice));
    sim_rknn_port_name(context, port, what, sizeof(what));
    sim_rknn_port_tensor(context, port, &tensor);
    if (output)
        sim_rknn_choose_output(sim_rknn_board_chip(), &tensor, sim_model_shapes(context->shared->model) > 1, attr,
                               &choice);
    else sim_rknn_choose_input(sim_rknn_board_chip(), &tensor, attr, &choice);
    sim_lock();
    memory = sim_memory_find(mem);
    if (choice.wrong) sim_mistake_locked("wrong attribute: %s is bound with %s", what, choice.wrong);
    if (attr->index != (output ? port - context->n_input : port)) {
        sim_mistake_locked("wrong attribute: index %lu has the name of %s", (unsigned long)attr->index, what);
        sim_rknn_tell(&choice);
    }
    if (memory && choice.code == 0)
        sim_rknn_check_size(output, what, attr, memory->size < mem->size ? memory->size : mem->size,
                            sim_tensor_bytes(&tensor), &choice);
    if (!memory) choice.code = NNRT_RKNN_ERR_PARAM_INVALID;
    else if (choice.code == 0 || (choice.attaches && sim_lets_pass()))
        sim_rknn_attach(context, port, memory, attr, &tensor, &choice);
    else if (choice.spoils && sim_lets_pass()) context->ports[port].fate = SIM_RKNN_FAILS;
    sim_unlock();
    sim_log("rknn_set_io_mem, %s, type %d, format %d, size %lu, %lu with stride, w_stride %lu, pass_through %d = %d",
            what, (int)attr->type, (int)attr->fmt, (unsigned long)attr->size, (unsigned long)attr->size_with_stride,
            (unsigned long)attr->w_stride, (int)attr->pass_through, choice.code);
    return choice.code;
}

static int sim_rknn_bind(sim_rknn_context *context, const nnrt_rknn_tensor_mem *mem,
                         const nnrt_rknn_tensor_attr *attr) {
    char what[32];
    uint32_t port;
    int answer;
    if (!sim_rknn_find_port(context, attr, &port)) {
        sim_mistake("wrong attribute: no input or output is called \"%.60s\"", attr->name);
        return NNRT_SIM_MINI && sim_lets_pass() ? 0 : sim_rknn_no();
    }
    sim_rknn_port_name(context, port, what, sizeof(what));
    if (NNRT_SIM_MINI && sim_rknn_weights_outside(context) && !context->internal.memory) {
        sim_mistake("wrong order: %s is bound before the internal memory", what);
        if (!sim_lets_pass()) return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    if (context->ports[port].given && !context->ports[port].bound.memory && port < context->n_input) {
        sim_mistake("mixing: rknn_set_io_mem and rknn_inputs_set of %s", what);
        if (!sim_lets_pass()) return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    answer = sim_memory_check(&context->base, mem, 0, what);
    if (answer != 0) return answer;
    if (!NNRT_SIM_MINI && !mem->virt_addr) { /* seen of memory whose address was taken away */
        if (NNRT_SIM_VERSION < 0x010502) sim_crash(SIGSEGV, "rknn_set_io_mem of memory without an address");
        return NNRT_RKNN_ERR_MALLOC_FAIL;
    }
    if (!NNRT_SIM_MINI && NNRT_SIM_VERSION >= 0x010600 && port < context->n_input && !attr->pass_through &&
        attr->fmt == NNRT_RKNN_NCHW)
        sim_crash(SIGSEGV, "librknnrt 1.6.0 dies of an input bound as NCHW");
    return sim_rknn_bind_port(context, port, mem, attr);
}

SIM_EXPORT int rknn_set_io_mem(nnrt_rknn_context handle, nnrt_rknn_tensor_mem *mem, nnrt_rknn_tensor_attr *attr) {
    sim_rknn_context *context;
    int answer = sim_rknn_begin(handle, "rknn_set_io_mem", &context);
    if (answer != 0) return answer;
    answer = mem && attr ? sim_rknn_bind(context, mem, attr) : NNRT_RKNN_ERR_PARAM_INVALID;
    sim_rknn_end(context);
    return answer;
}
