/* SPDX-License-Identifier: Apache-2.0 */
#include "neural_network_runtime/neural_network_runtime.h"

int main() {
    OH_NNModel *model = OH_NNModel_Construct();
    const size_t *devices = nullptr;
    uint32_t count = 0;
    const bool found = OH_NNDevice_GetAllDevicesID(&devices, &count) == OH_NN_SUCCESS && count > 0;
    OH_NNModel_Destroy(&model);
    return found ? 0 : 1;
}
