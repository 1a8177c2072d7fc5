/* SPDX-License-Identifier: Apache-2.0 */
/* npu/board.h - which chip this is, from the device tree.   >>npu_board */
#ifndef NNRT_NPU_BOARD_H
#define NNRT_NPU_BOARD_H

#include "../core/error.h"
#include "../core/platform.h"

/* The chip in size bytes of the device tree's "compatible": strings that end with a zero, the board first, the chip
   last. vendor is "rockchip," or the like; "rockchip,rk3588-evb1-v10" names rk3588 as well. "" when no string is the
   vendor's. */
NNRT__FN void nnrt__board_chip_of(const char *compatible, size_t size, const char *vendor, char *chip,
                                  size_t chip_size) {
    const size_t length = strlen(vendor);
    size_t start = 0;
    chip[0] = '\0';
    while (start < size) {
        size_t end = start, from = start + length, i;
        while (end < size && compatible[end] != '\0') end++;
        if (end - start > length && memcmp(compatible + start, vendor, length) == 0) {
            for (i = 0; from + i < end && i + 1 < chip_size && compatible[from + i] != '-'; i++)
                chip[i] = compatible[from + i];
            chip[i] = '\0';
        }
        start = end + 1;
    }
}

/* "": there is no device tree, or the board is not the vendor's. */
NNRT__FN void nnrt__board_chip(const char *vendor, char *chip, size_t size) {
    char compatible[512];
    ssize_t length = -1;
    int fd = open("/proc/device-tree/compatible", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        length = read(fd, compatible, sizeof(compatible));
        (void)close(fd);
    }
    nnrt__board_chip_of(compatible, length > 0 ? (size_t)length : 0, vendor, chip, size);
}

#endif /* NNRT_NPU_BOARD_H */
