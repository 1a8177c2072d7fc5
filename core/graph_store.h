/* SPDX-License-Identifier: Apache-2.0 */
/* core/graph_store.h - the memory of an nnrt_graph, shared by all who need the graph.   >>graph_store

   A graph is built here call by call, by the OH_NNModel_* functions and by the reader of model files
   alike, so that both make the same graph. The store is reference-counted: the model and every compilation made from it
   hold one reference each, and the last one to release it frees it.

   Every call that adds something first checks it, then allocates, and only then changes the graph, so a failure changes
   nothing. The pointers inside nnrt_graph may move whenever something is added. */
#ifndef NNRT_CORE_GRAPH_STORE_H
#define NNRT_CORE_GRAPH_STORE_H

#include "desc.h"
#include "log.h"
#include "optable.h"

/* What a tensor of the graph owns; each NULL when it has none. */
typedef struct nnrt__tensor_owner {
    void *shape; /* dims, then the name */
    void *quant; /* scales, zero points, bits */
    void *data;  /* NULL also when the data are borrowed */
} nnrt__tensor_owner;

typedef struct nnrt__graph_store {
    int32_t references;
    bool complete; /* nnrt__graph_finish has succeeded: nothing changes any more */
    nnrt_graph graph;
    nnrt_tensor_info *tensors;
    nnrt__tensor_owner *owners;
    uint32_t tensor_capacity;
    nnrt_node *nodes; /* each owns one block, that begins at its params */
    uint32_t node_capacity;
    uint32_t *io;       /* inputs, then outputs; NULL: not specified */
    nnrt_state *states; /* of room for graph.state_count, rounded up to a power of two */
} nnrt__graph_store;

/* --------------------------------------------------------------------------------------------------- life */

/* An empty graph with one reference; NULL when out of memory. */
NNRT__FN nnrt__graph_store *nnrt__graph_store_new(void) {
    nnrt__graph_store *store = (nnrt__graph_store *)nnrt__alloc_zero(1, sizeof(*store));
    if (store != NULL) store->references = 1;
    return store;
}

NNRT__FN void nnrt__graph_store_retain(nnrt__graph_store *store) { (void)nnrt__atomic_add(&store->references, 1); }

NNRT__FN void nnrt__graph_store_release(nnrt__graph_store *store) {
    uint32_t i;
    NNRT_ASSERT(store == NULL || nnrt__atomic_peek(&store->references) >= 1);
    if (store == NULL || nnrt__atomic_add(&store->references, -1) != 0) return;
    for (i = 0; i < store->graph.tensor_count; i++) {
        nnrt__free(store->owners[i].shape);
        nnrt__free(store->owners[i].quant);
        nnrt__free(store->owners[i].data);
    }
    for (i = 0; i < store->graph.node_count; i++) nnrt__free((void *)store->nodes[i].params);
    nnrt__free(store->tensors);
    nnrt__free(store->owners);
    nnrt__free(store->nodes);
    nnrt__free(store->io);
    nnrt__free(store->states);
    nnrt__free(store);
}

/* Bytes of NNRT_MALLOC that store holds; 0 for NULL. */
NNRT__FN size_t nnrt__graph_store_bytes(const nnrt__graph_store *store) {
    size_t bytes;
    uint32_t i;
    if (store == NULL) return 0;
    bytes = nnrt__block_bytes(store) + nnrt__block_bytes(store->tensors) + nnrt__block_bytes(store->owners) +
            nnrt__block_bytes(store->nodes) + nnrt__block_bytes(store->io) + nnrt__block_bytes(store->states);
    for (i = 0; i < store->graph.tensor_count; i++) {
        const nnrt__tensor_owner *owner = &store->owners[i];
        bytes += nnrt__block_bytes(owner->shape) + nnrt__block_bytes(owner->quant) + nnrt__block_bytes(owner->data);
    }
    for (i = 0; i < store->graph.node_count; i++) bytes += nnrt__block_bytes(store->nodes[i].params);
    return bytes;
}

/* Is there one? */
NNRT__FN bool nnrt__graph_store_here(const nnrt__graph_store *store) { return store != NULL; }

/* Valid until the last release; its contents until the next addition. */
NNRT__FN const nnrt_graph *nnrt__graph_store_graph(const nnrt__graph_store *store) { return &store->graph; }

/* Whether the graph was finished, and so may be compiled. */
NNRT__FN bool nnrt__graph_store_complete(const nnrt__graph_store *store) { return store->complete; }

/* ------------------------------------------------------------------------------------------------ tensors */

/* Copies quant into one block. zero_points NULL: all 0. num_bits NULL: those of the element type. */
NNRT__FN OH_NN_ReturnCode nnrt__copy_quant(const nnrt_quant *quant, OH_NN_DataType dtype, nnrt_quant *copy,
                                           void **block) {
    const uint32_t bits = (uint32_t)nnrt__element_size(dtype) * 8u;
    size_t bytes;
    double *scales;
    int32_t *zero_points;
    uint32_t *num_bits;
    uint32_t i;
    memset(copy, 0, sizeof(*copy));
    *block = NULL;
    if (quant->count == 0) return OH_NN_SUCCESS;
    if (quant->scales == NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%u quantization parameters without scales", quant->count);
    }
    if (!nnrt__mul_size(quant->count, sizeof(double) + 2 * sizeof(uint32_t), &bytes)) return nnrt__fail_memory();
    *block = nnrt__alloc(bytes);
    if (*block == NULL) return nnrt__fail_memory();
    scales = (double *)*block;
    zero_points = (int32_t *)(void *)(scales + quant->count);
    num_bits = (uint32_t *)(void *)(zero_points + quant->count);
    memcpy(scales, quant->scales, quant->count * sizeof(scales[0]));
    for (i = 0; i < quant->count; i++) {
        zero_points[i] = quant->zero_points != NULL ? quant->zero_points[i] : 0;
        num_bits[i] = quant->num_bits != NULL ? quant->num_bits[i] : bits;
    }
    copy->count = quant->count;
    copy->axis = quant->axis;
    copy->scales = scales;
    copy->zero_points = zero_points;
    copy->num_bits = num_bits;
    return OH_NN_SUCCESS;
}

/* A larger capacity than count, so that each addition takes constant time on average; 0 on overflow. */
NNRT__FN uint32_t nnrt__grown(uint32_t count) {
    if (count < 8) return 8;
    return count <= UINT32_MAX / 2 ? count * 2 : count < UINT32_MAX ? UINT32_MAX : 0;
}

NNRT__FN OH_NN_ReturnCode nnrt__reserve_tensor(nnrt__graph_store *store) {
    const uint32_t capacity = nnrt__grown(store->graph.tensor_count);
    nnrt_tensor_info *tensors;
    nnrt__tensor_owner *owners;
    if (store->graph.tensor_count < store->tensor_capacity) return OH_NN_SUCCESS;
    if (capacity == 0) return nnrt__fail_memory();
    tensors = (nnrt_tensor_info *)nnrt__realloc(store->tensors, capacity, sizeof(*tensors));
    if (tensors == NULL) return nnrt__fail_memory();
    store->tensors = tensors;
    store->graph.tensors = tensors;
    owners = (nnrt__tensor_owner *)nnrt__realloc(store->owners, capacity, sizeof(*owners));
    if (owners == NULL) return nnrt__fail_memory();
    store->owners = owners;
    store->tensor_capacity = capacity;
    return OH_NN_SUCCESS;
}

/* Room for dims and name; name NULL or "" becomes "Tensor: index". */
NNRT__FN OH_NN_ReturnCode nnrt__copy_shape(const nnrt_tensor_info *info, uint32_t index, nnrt_tensor_info *copy,
                                           void **block) {
    const size_t dims_bytes = info->rank * sizeof(int32_t);
    char made[24];
    const char *name = info->name;
    size_t name_bytes, bytes;
    if (name == NULL || name[0] == '\0') {
        nnrt__format(made, sizeof(made), "Tensor: %u", index);
        name = made;
    }
    name_bytes = strlen(name) + 1;
    if (!nnrt__add_size(dims_bytes, name_bytes, &bytes)) return nnrt__fail_memory();
    *block = nnrt__alloc(bytes);
    if (*block == NULL) return nnrt__fail_memory();
    if (info->rank != 0) memcpy(*block, info->dims, dims_bytes);
    memcpy((char *)*block + dims_bytes, name, name_bytes);
    copy->dims = info->rank != 0 ? (const int32_t *)*block : NULL;
    copy->name = (const char *)*block + dims_bytes;
    return OH_NN_SUCCESS;
}

/* Appends a tensor and gives its index (index may be NULL). Name, dims and quant are copied; the data are
   copied, or borrowed when copy_data is false and must then outlive the store. A format of NONE becomes
   NHWC. Neither the number nor the axis of the quantization parameters is compared with the shape:
   OpenHarmony does not, the device does. OH_NN_INVALID_PARAMETER: no such data type, format or tensor
   type; a shape past the limits; data of another size than the shape, or on a dynamic shape.
   OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__graph_add_tensor(nnrt__graph_store *store, const nnrt_tensor_info *info, bool copy_data,
                                                 uint32_t *index) {
    const uint32_t at = store->graph.tensor_count;
    nnrt_tensor_info copy;
    nnrt__tensor_owner owner;
    size_t size = 0;
    OH_NN_ReturnCode code = nnrt__check_shape(info->dtype, info->rank, info->dims, &size);
    if (code != OH_NN_SUCCESS) return code;
    if ((unsigned)info->type > (unsigned)OH_NN_REDUCE_L2_COEFF) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%d is no tensor type", (int)info->type);
    }
    if ((unsigned)info->format > (unsigned)OH_NN_FORMAT_ND) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%d is no format", (int)info->format);
    }
    if (info->data != NULL && (size == 0 || info->data_size != size)) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%zu bytes of data for a tensor of %zu", info->data_size, size);
    }
    memset(&owner, 0, sizeof(owner));
    copy = *info;
    if (copy.format == OH_NN_FORMAT_NONE) copy.format = OH_NN_FORMAT_NHWC;
    if (copy.data == NULL) copy.data_size = 0;
    code = nnrt__reserve_tensor(store);
    if (code == OH_NN_SUCCESS) code = nnrt__copy_shape(info, at, &copy, &owner.shape);
    if (code == OH_NN_SUCCESS) code = nnrt__copy_quant(&info->quant, info->dtype, &copy.quant, &owner.quant);
    if (code == OH_NN_SUCCESS && info->data != NULL && copy_data) {
        owner.data = nnrt__alloc(size);
        if (owner.data == NULL) code = nnrt__fail_memory();
        else memcpy(owner.data, info->data, size);
        copy.data = owner.data;
    }
    if (code != OH_NN_SUCCESS) {
        nnrt__free(owner.shape);
        nnrt__free(owner.quant);
        return code;
    }
    store->tensors[at] = copy;
    store->owners[at] = owner;
    store->graph.tensor_count = at + 1;
    if (index != NULL) *index = at;
    return OH_NN_SUCCESS;
}

/* Gives an existing tensor its contents, copied. OH_NN_INVALID_PARAMETER: it has some already, or length
   is not its size. OH_NN_OPERATION_FORBIDDEN: its shape is dynamic. OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__graph_set_data(nnrt__graph_store *store, uint32_t index, const void *data,
                                               size_t length) {
    nnrt_tensor_info *tensor = &store->tensors[index];
    size_t size = 0;
    OH_NN_ReturnCode code;
    if (tensor->data != NULL) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "tensor %u, \"%.60s\", has data already", index, tensor->name);
    }
    if (nnrt__shape_is_dynamic(tensor->rank, tensor->dims)) {
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "tensor %u, \"%.60s\", has a dynamic shape and can have no data",
                          index, tensor->name);
    }
    code = nnrt__check_shape(tensor->dtype, tensor->rank, tensor->dims, &size);
    if (code != OH_NN_SUCCESS) return code;
    if (length != size) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "tensor %u, \"%.60s\", has %zu bytes, not %zu", index, tensor->name,
                          size, length);
    }
    store->owners[index].data = nnrt__alloc(size);
    if (store->owners[index].data == NULL) return nnrt__fail_memory();
    memcpy(store->owners[index].data, data, size);
    tensor->data = store->owners[index].data;
    tensor->data_size = size;
    return OH_NN_SUCCESS;
}

/* Makes dimensions of a tensor without contents dynamic: those whose bits are set in mask, bit 0 for the outermost. */
NNRT__FN void nnrt__graph_open_shape(nnrt__graph_store *store, uint32_t index, uint32_t mask) {
    int32_t *dims = (int32_t *)store->owners[index].shape; /* in front of the name */
    uint32_t i;
    NNRT_ASSERT(index < store->graph.tensor_count && store->tensors[index].data == NULL);
    for (i = 0; i < store->tensors[index].rank; i++)
        if (i >= 32 || (mask >> i & 1) != 0) dims[i] = -1;
}

/* Replaces the quantization parameters of an existing tensor; count 0 removes them. OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__graph_set_quant(nnrt__graph_store *store, uint32_t index, const nnrt_quant *quant) {
    nnrt_quant copy;
    void *block = NULL;
    OH_NN_ReturnCode code = nnrt__copy_quant(quant, store->tensors[index].dtype, &copy, &block);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__free(store->owners[index].quant);
    store->owners[index].quant = block;
    store->tensors[index].quant = copy;
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------ nodes, inputs and outputs */

/* Checks 1 to 200 indices of tensors that hold graph data. */
NNRT__FN OH_NN_ReturnCode nnrt__check_indices(const nnrt__graph_store *store, const char *what, const uint32_t *indices,
                                              uint32_t count) {
    uint32_t i;
    if (count == 0 || count > NNRT__MAX_IO) {
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%u %ss; 1 to %u are possible", count, what, NNRT__MAX_IO);
    }
    for (i = 0; i < count; i++) {
        if (indices[i] >= store->graph.tensor_count) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s %u is tensor %u, and there are %u tensors", what, i,
                              indices[i], store->graph.tensor_count);
        }
        if (store->tensors[indices[i]].type != OH_NN_TENSOR) {
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s %u, tensor %u, is a parameter: its type is not OH_NN_TENSOR",
                              what, i, indices[i]);
        }
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__check_io(const nnrt__graph_store *store, const uint32_t *inputs, uint32_t input_count,
                                         const uint32_t *outputs, uint32_t output_count) {
    uint32_t i, k;
    OH_NN_ReturnCode code = nnrt__check_indices(store, "input", inputs, input_count);
    if (code == OH_NN_SUCCESS) code = nnrt__check_indices(store, "output", outputs, output_count);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < input_count; i++) {
        for (k = 0; k < output_count; k++) {
            if (inputs[i] == outputs[k]) {
                return nnrt__fail(OH_NN_INVALID_PARAMETER, "tensor %u is both an input and an output", inputs[i]);
            }
        }
    }
    return OH_NN_SUCCESS;
}

/* Copies a node into one block: parameters, indices, contents of the parameters. NULL when out of memory. */
NNRT__FN OH_NN_ReturnCode nnrt__copy_node(const nnrt_node *node, nnrt_node *copy) {
    size_t bytes = node->param_count * sizeof(nnrt_param);
    size_t indices = bytes;
    size_t contents;
    uint8_t *block;
    nnrt_param *params;
    uint32_t *inputs;
    uint32_t i;
    bool fits = nnrt__add_size(bytes, (size_t)(node->input_count + node->output_count) * sizeof(uint32_t), &bytes);
    contents = bytes;
    for (i = 0; i < node->param_count && fits; i++) {
        size_t size = 0;
        fits = nnrt__mul_size(node->params[i].count, nnrt__element_size(node->params[i].dtype), &size) &&
               nnrt__add_size(bytes, size, &bytes);
    }
    block = fits ? (uint8_t *)nnrt__alloc(bytes) : NULL;
    if (block == NULL) return nnrt__fail_memory();
    params = (nnrt_param *)(void *)block;
    inputs = (uint32_t *)(void *)(block + indices);
    memcpy(inputs, node->inputs, node->input_count * sizeof(uint32_t));
    memcpy(inputs + node->input_count, node->outputs, node->output_count * sizeof(uint32_t));
    for (i = 0; i < node->param_count; i++) {
        const nnrt_param *from = &node->params[i];
        const size_t size = from->count * nnrt__element_size(from->dtype);
        params[i].type = nnrt__param_canonical(node->op, from->type, from->count);
        params[i].dtype = from->dtype;
        params[i].count = from->count;
        params[i].data = memcpy(block + contents, from->data, size);
        contents += size;
    }
    *copy = *node;
    copy->params = params;
    copy->inputs = inputs;
    copy->outputs = inputs + node->input_count;
    return OH_NN_SUCCESS;
}

/* Appends a node and copies all of it, the contents of the parameters included. The types of pads and of
   the pooling operators' parameters are normalised, see nnrt__param_canonical. Checks what OpenHarmony checks: counts,
   indices, tensor types, and nnrt__op_check_node. OH_NN_INVALID_PARAMETER,
   OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__graph_add_node(nnrt__graph_store *store, OH_NN_OperationType op, const uint32_t *inputs,
                                               uint32_t input_count, const uint32_t *outputs, uint32_t output_count,
                                               const nnrt_param *params, uint32_t param_count) {
    nnrt_node node;
    OH_NN_ReturnCode code = nnrt__check_io(store, inputs, input_count, outputs, output_count);
    if (code != OH_NN_SUCCESS) return code;
    node.op = op;
    node.input_count = input_count;
    node.output_count = output_count;
    node.param_count = param_count;
    node.inputs = inputs;
    node.outputs = outputs;
    node.params = params;
    code = nnrt__op_check_node(nnrt__op_find((int)op), &node, store->tensors);
    if (code != OH_NN_SUCCESS) return code;
    if (store->graph.node_count == store->node_capacity) {
        const uint32_t capacity = nnrt__grown(store->graph.node_count);
        nnrt_node *nodes = capacity != 0 ? (nnrt_node *)nnrt__realloc(store->nodes, capacity, sizeof(*nodes)) : NULL;
        if (nodes == NULL) return nnrt__fail_memory();
        store->nodes = nodes;
        store->graph.nodes = nodes;
        store->node_capacity = capacity;
    }
    code = nnrt__copy_node(&node, &store->nodes[store->graph.node_count]);
    if (code == OH_NN_SUCCESS) store->graph.node_count++;
    return code;
}

/* Names the inputs and outputs of the graph, once. OH_NN_OPERATION_FORBIDDEN: a second time.
   OH_NN_INVALID_PARAMETER: none or more than 200, no such tensor, a parameter tensor, or one tensor in
   both. OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__graph_set_io(nnrt__graph_store *store, const uint32_t *inputs, uint32_t input_count,
                                             const uint32_t *outputs, uint32_t output_count) {
    OH_NN_ReturnCode code;
    if (store->io != NULL) {
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "the inputs and outputs of the model are specified already");
    }
    code = nnrt__check_io(store, inputs, input_count, outputs, output_count);
    if (code != OH_NN_SUCCESS) return code;
    store->io = (uint32_t *)nnrt__alloc((size_t)(input_count + output_count) * sizeof(uint32_t));
    if (store->io == NULL) return nnrt__fail_memory();
    memcpy(store->io, inputs, input_count * sizeof(uint32_t));
    memcpy(store->io + input_count, outputs, output_count * sizeof(uint32_t));
    store->graph.inputs = store->io;
    store->graph.input_count = input_count;
    store->graph.outputs = store->io + input_count;
    store->graph.output_count = output_count;
    return OH_NN_SUCCESS;
}

/* Whether two tensors have the same data type and the same static shape. */
NNRT__FN bool nnrt__tensors_match(const nnrt_tensor_info *a, const nnrt_tensor_info *b) {
    return a->dtype == b->dtype && a->rank == b->rank && !nnrt__shape_is_dynamic(a->rank, a->dims) &&
           (a->rank == 0 || memcmp(a->dims, b->dims, a->rank * sizeof(a->dims[0])) == 0);
}

/* Makes tensor state, which takes the contents of next for the next run. OH_NN_INVALID_PARAMETER: no such tensors, they
   differ or are dynamic, tensor is state already, or there are NNRT__MAX_IO of them. OH_NN_MEMORY_ERROR. */
NNRT__FN OH_NN_ReturnCode nnrt__graph_add_state(nnrt__graph_store *store, uint32_t tensor, uint32_t next) {
    const uint32_t count = store->graph.state_count;
    uint32_t pair[2], i;
    OH_NN_ReturnCode code;
    pair[0] = tensor;
    pair[1] = next;
    code = nnrt__check_indices(store, "state", pair, 2);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < count; i++)
        if (store->states[i].tensor == tensor)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "tensor %u is state already", tensor);
    if (!nnrt__tensors_match(&store->tensors[tensor], &store->tensors[next]))
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "tensors %u and %u cannot be one state: data types and shapes differ, or are not known",
                          tensor, next);
    if (count == NNRT__MAX_IO)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "a model has at most %u states", NNRT__MAX_IO);
    if ((count & (count - 1)) == 0) { /* 0 or a power of two: full */
        nnrt_state *states =
            (nnrt_state *)nnrt__realloc(store->states, count != 0 ? 2 * (size_t)count : 1, sizeof(*states));
        if (states == NULL) return nnrt__fail_memory();
        store->states = states;
        store->graph.states = states;
    }
    store->states[count].tensor = tensor;
    store->states[count].next = next;
    store->graph.state_count = count + 1;
    return OH_NN_SUCCESS;
}

/* A state must not be an input of the model: its contents would be ambiguous. */
NNRT__FN OH_NN_ReturnCode nnrt__check_states(const nnrt_graph *graph) {
    uint32_t i, k;
    for (i = 0; i < graph->state_count; i++)
        for (k = 0; k < graph->input_count; k++)
            if (graph->inputs[k] == graph->states[i].tensor)
                return nnrt__fail(OH_NN_FAILED, "tensor %u is state and an input of the model", graph->inputs[k]);
    return OH_NN_SUCCESS;
}

/* Ends building. OH_NN_OPERATION_FORBIDDEN: no tensor, no node, or inputs and outputs not named; building
   may go on. OH_NN_FAILED: a node lacks a parameter without which it has no meaning, or an input is state. */
NNRT__FN OH_NN_ReturnCode nnrt__graph_finish(nnrt__graph_store *store) {
    OH_NN_ReturnCode code;
    uint32_t i;
    if (store->graph.tensor_count == 0) return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "the model has no tensor");
    if (store->graph.node_count == 0) return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "the model has no operation");
    if (store->io == NULL) {
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "the inputs and outputs of the model are not specified");
    }
    code = nnrt__check_states(&store->graph);
    for (i = 0; code == OH_NN_SUCCESS && i < store->graph.node_count; i++)
        code = nnrt__op_check_complete(&store->nodes[i]);
    if (code != OH_NN_SUCCESS) return code;
    store->complete = true;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CORE_GRAPH_STORE_H */
