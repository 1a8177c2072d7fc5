// SPDX-License-Identifier: Apache-2.0
// Tells over the serial port which nnrt this is and which devices run models. docs/bare_metal.md: how a model comes in.
#include <nnrt.h>

void setup() {
    Serial.begin(115200);
    Serial.println(nnrt_version());
    const size_t *devices = NULL;
    uint32_t count = 0;
    if (OH_NNDevice_GetAllDevicesID(&devices, &count) != OH_NN_SUCCESS) {
        Serial.println(nnrt_last_error());
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *name = NULL;
        if (OH_NNDevice_GetName(devices[i], &name) == OH_NN_SUCCESS) Serial.println(name);
    }
}

void loop() {}
