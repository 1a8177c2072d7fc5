/* SPDX-License-Identifier: Apache-2.0 */
/* npu/elf.h - why a library cannot be loaded into this program: another processor, another float ABI.   >>npu_elf

   A loader skips a library for another ABI and then reports that there is none. The first bytes of library and program
   show the reason. */
#ifndef NNRT_NPU_ELF_H
#define NNRT_NPU_ELF_H

#include <fcntl.h>
#include <unistd.h>

#include "../core/error.h"
#include "../core/platform.h"

#define NNRT__ELF_HEADER 52u /* the 32-bit header; the 64-bit one is not read to its end */

typedef enum nnrt__elf_floats {
    NNRT__ELF_NOT_TOLD,
    NNRT__ELF_SOFT, /* softfp: floats are passed in integer registers */
    NNRT__ELF_HARD
} nnrt__elf_floats;

typedef struct nnrt__elf {
    uint32_t bits; /* 32, 64; 0: it is no ELF file */
    bool big_endian;
    uint32_t machine;
    nnrt__elf_floats floats; /* of 32-bit ARM */
} nnrt__elf;

/* Describes a file by its first NNRT__ELF_HEADER bytes. */
NNRT__FN nnrt__elf nnrt__elf_of(const uint8_t *bytes) {
    nnrt__elf elf;
    memset(&elf, 0, sizeof(elf));
    if (memcmp(bytes, "\177ELF", 4) != 0 || (bytes[4] != 1 && bytes[4] != 2)) return elf;
    elf.bits = bytes[4] == 1 ? 32 : 64;
    elf.big_endian = bytes[5] == 2;
    elf.machine = elf.big_endian ? (uint32_t)bytes[18] << 8 | bytes[19] : (uint32_t)bytes[19] << 8 | bytes[18];
    if (elf.bits == 32 && elf.machine == 40 && !elf.big_endian && bytes[39] == 5) { /* e_flags, of EABI 5 */
        if ((bytes[37] & 4) != 0) elf.floats = NNRT__ELF_HARD;
        else if ((bytes[37] & 2) != 0) elf.floats = NNRT__ELF_SOFT;
    }
    return elf;
}

/* bits 0: the file cannot be read, or is no ELF file. */
NNRT__FN nnrt__elf nnrt__elf_read(const char *path) {
    uint8_t bytes[NNRT__ELF_HEADER];
    ssize_t length;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    memset(bytes, 0, sizeof(bytes));
    if (fd < 0) return nnrt__elf_of(bytes);
    length = read(fd, bytes, sizeof(bytes));
    (void)close(fd);
    if (length != (ssize_t)sizeof(bytes)) bytes[0] = 0;
    return nnrt__elf_of(bytes);
}

/* "32-bit ARM, softfp" to text of size bytes, which is returned. */
NNRT__FN const char *nnrt__elf_name(const nnrt__elf *elf, char *text, size_t size) {
    static const char *const floats[3] = {"", ", softfp", ", hard-float"};
    const char *machine = elf->machine == 40    ? "ARM"
                          : elf->machine == 183 ? "AArch64"
                          : elf->machine == 62  ? "x86-64"
                          : elf->machine == 3   ? "x86"
                                                : NULL;
    if (machine != NULL)
        nnrt__format(text, size, "%u-bit %s%s%s", (unsigned)elf->bits, elf->big_endian ? "big-endian " : "", machine,
                     floats[elf->floats]);
    else
        nnrt__format(text, size, "%u-bit %smachine %u", (unsigned)elf->bits, elf->big_endian ? "big-endian " : "",
                     (unsigned)elf->machine);
    return text;
}

/* Whether that program cannot load the library. A file that does not state its float ABI fits both. */
NNRT__FN bool nnrt__elf_misfits(const nnrt__elf *library, const nnrt__elf *program) {
    if (library->bits == 0 || program->bits == 0) return false;
    if (library->bits != program->bits || library->machine != program->machine ||
        library->big_endian != program->big_endian)
        return true;
    return library->floats != NNRT__ELF_NOT_TOLD && program->floats != NNRT__ELF_NOT_TOLD &&
           library->floats != program->floats;
}

#endif /* NNRT_NPU_ELF_H */
