/* SPDX-License-Identifier: Apache-2.0 */
/* standalone.c - runs a fuzzer on the files that are named, without libFuzzer: `make fuzz-replay`, and any compiler or
   emulator. Each file is in a block of exactly its size, so that AddressSanitizer sees a byte too far. Ends with 0 when
   every file was read; a property that does not hold ends the program by a trap. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    int i;
    for (i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        long length = -1;
        uint8_t *bytes = NULL;
        if (file != NULL && fseek(file, 0, SEEK_END) == 0) length = ftell(file);
        if (length >= 0 && fseek(file, 0, SEEK_SET) == 0) bytes = (uint8_t *)malloc((size_t)length + (length == 0));
        if (bytes == NULL || fread(bytes, 1, (size_t)length, file) != (size_t)length) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 1;
        }
        fclose(file);
        (void)LLVMFuzzerTestOneInput(bytes, (size_t)length);
        free(bytes);
    }
    return 0;
}
