/* SPDX-License-Identifier: Apache-2.0 */
/* tools/command_devices.h - `nnrt devices`: a row for each device, and why one is missing. */
#ifndef NNRT_TOOLS_COMMAND_DEVICES_H
#define NNRT_TOOLS_COMMAND_DEVICES_H

#include "arguments.h"
#include "tool_json.h"

static int devices_json(const size_t *ids, uint32_t count) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    json j;
    json_begin(&j, "devices");
    json_open(&j, "devices", '[');
    for (uint32_t i = 0; i < count && code == OH_NN_SUCCESS; i++) {
        const char *name = NULL;
        char id[24];
        OH_NN_DeviceType type = OH_NN_OTHERS;
        code = OH_NNDevice_GetName(ids[i], &name);
        if (code == OH_NN_SUCCESS) code = OH_NNDevice_GetType(ids[i], &type);
        snprintf(id, sizeof(id), "%zu", ids[i]);
        json_open(&j, NULL, '{');
        json_string(&j, "id", id); /* as a number it would lose digits */
        json_string(&j, "name", name);
        json_string(&j, "type", device_type_name(type));
        json_boolean(&j, "default", i == 0);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_open(&j, "missing", '[');
    for (size_t i = 0; i < missing_devices.count; i++) json_string(&j, NULL, missing_devices.lines[i]);
    json_close(&j, ']');
    return json_end(&j, code == OH_NN_SUCCESS ? TOOL_OK : refused("describe a device", code));
}

static int command_devices(const arguments *a) {
    const size_t *ids = NULL;
    uint32_t count = 0;
    nnrt_set_log(note_missing_device, &missing_devices);
    OH_NN_ReturnCode code = OH_NNDevice_GetAllDevicesID(&ids, &count);
    table t = table_begin("llll");
    if (code != OH_NN_SUCCESS) return refused("list the devices", code);
    if (a->json) return devices_json(ids, count);
    cell(&t, "id");
    cell(&t, "name");
    cell(&t, "type");
    cell(&t, "%s", "");
    for (uint32_t i = 0; i < count && code == OH_NN_SUCCESS; i++) {
        const char *name = NULL;
        OH_NN_DeviceType type = OH_NN_OTHERS;
        code = OH_NNDevice_GetName(ids[i], &name);
        if (code == OH_NN_SUCCESS) code = OH_NNDevice_GetType(ids[i], &type);
        cell(&t, "%zu", ids[i]);
        cell(&t, "%s", name == NULL ? "" : name);
        cell(&t, "%s", device_type_name(type));
        cell(&t, "%s", i == 0 ? "default" : "");
    }
    table_end(&t);
    for (size_t i = 0; i < missing_devices.count; i++) printf("%s  %s\n", i == 0 ? "\n" : "", missing_devices.lines[i]);
    return code == OH_NN_SUCCESS ? TOOL_OK : refused("describe a device", code);
}

#endif /* NNRT_TOOLS_COMMAND_DEVICES_H */
