/* SPDX-License-Identifier: Apache-2.0 */
/* An AI framework opens both libraries and asks each for its part: models of one, everything else of the other. */
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
    static const char *const parts[][2] = {{"libneural_network_runtime.so", "OH_NNModel_Construct"},
                                           {"libneural_network_runtime.so", "OH_NNModel_GetAvailableOperations"},
                                           {"libneural_network_core.so", "OH_NNDevice_GetAllDevicesID"},
                                           {"libneural_network_core.so", "OH_NNCompilation_Construct"},
                                           {"libneural_network_core.so", "OH_NNExecutor_RunSync"}};
    size_t i;
    for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        void *library = dlopen(parts[i][0], RTLD_NOW | RTLD_GLOBAL);
        if (library == NULL || dlsym(library, parts[i][1]) == NULL) return puts(dlerror()), 1;
    }
    return 0;
}
