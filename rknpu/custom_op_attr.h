/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/custom_op_attr.h - attributes for the callbacks of custom operators.   >>rknpu_custom_op_attr

   A callback gets only the runtime's own structures, so the library is found through the device in the registry. */
#ifndef NNRT_RKNPU_CUSTOM_OP_ATTR_H
#define NNRT_RKNPU_CUSTOM_OP_ATTR_H

#include "device.h"
#include "../core/registry.h"

NNRT_API void nnrt_rknn_custom_op_get_attr(nnrt_rknn_custom_op_context *op, const char *name,
                                           nnrt_rknn_custom_op_attr *attr) {
    const nnrt__device_table *table;
    const nnrt__rknpu_device *device = NULL;
    uint32_t i;
    if (attr == NULL) return;
    memset(attr, 0, sizeof(*attr));
    if (op == NULL || name == NULL) return;
    table = nnrt__devices_lock();
    for (i = 0; i < table->count && device == NULL; i++)
        if (table->devices[i].backend->open == nnrt__rknpu_open)
            device = (const nnrt__rknpu_device *)table->devices[i].state;
    nnrt__devices_unlock();
    if (device != NULL && device->library.api.custom_op_get_op_attr != NULL)
        device->library.api.custom_op_get_op_attr(op, name, attr);
}

#endif /* NNRT_RKNPU_CUSTOM_OP_ATTR_H */
