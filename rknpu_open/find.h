/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/find.h - which chip and which driver this board has.   >>rknpu_open_find

   The device tree names the chip. Of drivers, Rockchip's own device comes first (/dev/rknpu), then a device of DRM
   whose driver is named rknpu, then mainline's (/dev/accel, rocket). Nodes of DRM are asked for their driver's name and
   closed again; card nodes only where no renderD node answered, as who opens one first becomes its master. */
#ifndef NNRT_RKNPU_OPEN_FIND_H
#define NNRT_RKNPU_OPEN_FIND_H

#include "driver_rknpu.h"
#include "driver_rocket.h"

#include "../npu/board.h"

/* DRM_IOCTL_VERSION; lengths and pointers are the program's own. */
typedef struct nnrt__open_npu_drm_version {
    int numbers[3];
    size_t name_length;
    char *name;
    size_t date_length;
    char *date;
    size_t text_length;
    char *text;
} nnrt__open_npu_drm_version;

typedef struct nnrt__open_npu_device {
    const nnrt__open_npu_driver *driver;
    int fd;
    char path[32];
} nnrt__open_npu_device;

/* 0: no such chip is known. */
NNRT__FN uint32_t nnrt__open_npu_chip_of(const char *name) {
    if (strcmp(name, "rv1103") == 0 || strcmp(name, "rv1106") == 0) return NNRT__OPEN_NPU_RV1106;
    return strcmp(name, "rk3588") == 0 || strcmp(name, "rk3588s") == 0 ? NNRT__OPEN_NPU_RK3588 : 0;
}

NNRT__FN bool nnrt__open_npu_is_driver(int fd, const char *name) {
    nnrt__open_npu_drm_version version;
    char text[16];
    memset(&version, 0, sizeof(version));
    memset(text, 0, sizeof(text));
    version.name = text;
    version.name_length = sizeof(text) - 1;
    return nnrt__open_npu_ioctl(fd, (unsigned long)_IOWR('d', 0, nnrt__open_npu_drm_version), &version) == 0 &&
           strcmp(text, name) == 0;
}

/* The first of 16 nodes, path and a number from first on, whose driver has the name. *seen: there was a node that may
   not be opened. */
NNRT__FN bool nnrt__open_npu_drm_open(nnrt__open_npu_device *device, const char *path, uint32_t first, const char *name,
                                      bool *seen) {
    uint32_t i;
    for (i = first; i < first + 16; i++) {
        nnrt__format(device->path, sizeof(device->path), "%s%u", path, (unsigned)i);
        device->fd = open(device->path, O_RDWR | O_CLOEXEC);
        if (device->fd < 0) {
            *seen = *seen || errno == EACCES || errno == EPERM;
            continue;
        }
        if (nnrt__open_npu_is_driver(device->fd, name)) return true;
        (void)close(device->fd);
    }
    device->fd = -1;
    return false;
}

/* Opens the device. false: there is none; *seen: because this user may not. */
NNRT__FN bool nnrt__open_npu_device_open(nnrt__open_npu_chip chip, nnrt__open_npu_device *device, bool *seen) {
    *seen = false;
    nnrt__format(device->path, sizeof(device->path), "/dev/rknpu");
    device->fd = open(device->path, O_RDWR | O_CLOEXEC);
    device->driver = &nnrt__open_npu_rk_own_device;
    if (device->fd >= 0) return true;
    *seen = errno == EACCES || errno == EPERM;
    if (chip != NNRT__OPEN_NPU_RK3588) return false;
    device->driver = &nnrt__open_npu_rk_drm_device;
    if (nnrt__open_npu_drm_open(device, "/dev/dri/renderD", 128, "rknpu", seen) ||
        nnrt__open_npu_drm_open(device, "/dev/dri/card", 0, "rknpu", seen))
        return true;
    device->driver = &nnrt__open_npu_rocket;
    return nnrt__open_npu_drm_open(device, "/dev/accel/accel", 0, "rocket", seen);
}

/* Why there is no NPU for these images, or what there is. */
NNRT__FN bool nnrt__open_npu_look(nnrt__open_npu_chip *chip, nnrt__open_npu_device *device, char *sentence,
                                  size_t size) {
    char name[32];
    uint32_t known;
    bool seen;
    (void)size;
    nnrt__board_chip("rockchip,", name, sizeof(name));
    known = nnrt__open_npu_chip_of(name);
    if (known == 0) {
        nnrt__say(sentence, size, "%s%s: the open NPU is for RV1103, RV1106 and RK3588",
                  name[0] != '\0' ? "the board's chip is " : "the board names no chip of Rockchip's", name);
        return false;
    }
    *chip = (nnrt__open_npu_chip)known;
    if (!nnrt__open_npu_device_open(*chip, device, &seen)) {
        nnrt__say(sentence, size, "%s: %s", name,
                  seen
                      ? "this user may not open the NPU's device (/dev/rknpu, /dev/dri/renderD*, /dev/accel/accel*)"
                      : "no driver of the NPU is loaded: neither rknpu (/dev/rknpu, /dev/dri) nor rocket (/dev/accel)");
        return false;
    }
    nnrt__say(sentence, size, "%s, driver %s, %s%s", name, device->driver->name, device->path,
              device->driver->chains ? "" : "; maxima over windows stay on the CPU");
    return true;
}

/* Has this board an NPU for images, and of which chip? *pools: its driver runs tasks of pooling; who compiles for one
   that does not leaves them to the CPU. sentence (size bytes, at least 1) says what was found, or why there is none;
   *chip and *pools are then left alone. Opens the device and closes it again. */
NNRT__FN bool nnrt__open_npu_find(nnrt__open_npu_chip *chip, bool *pools, char *sentence, size_t size) {
    nnrt__open_npu_chip found;
    nnrt__open_npu_device device;
    if (!nnrt__open_npu_look(&found, &device, sentence, size)) return false;
    *chip = found;
    *pools = device.driver->chains;
    (void)close(device.fd);
    return true;
}

#endif /* NNRT_RKNPU_OPEN_FIND_H */
