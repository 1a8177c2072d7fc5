/* SPDX-License-Identifier: Apache-2.0 */
#include <nnrt.h>

int main(void) { return *nnrt_version() == '\0'; }
