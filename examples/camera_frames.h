/* SPDX-License-Identifier: Apache-2.0 */
/* camera_frames.h - frames for camera.c, each in a file descriptor that a device can share: from a V4L2 camera,
   or a moving test pattern in a dma-heap, or in an unnamed file where there is no heap either.

   A camera has to give pixels of exactly the size that the model wants: RGB or grey ones, or NV12 as the ISP of
   Rockchip's boards does, which the CPU then converts into frames of its own. Where that takes too long, RGA does it:
   the descriptors that RGA writes to take the place of these, and camera.c stays as it is. */
#ifndef CAMERA_FRAMES_H
#define CAMERA_FRAMES_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    FRAMES = 2
}; /* one is looked at by the NPU while the other one is filled */

typedef struct frames {
    size_t size; /* bytes of a frame: rows of pixels without gaps */
    int fd[FRAMES];
    uint8_t *pixels[FRAMES];
    const char *source;
    int camera;    /* -1: a test pattern */
    uint32_t type; /* of the camera's queue */
    uint32_t width, height, channels;
    uint8_t *nv12[FRAMES]; /* what the camera fills, where that is not pixels; NULL: it is */
    bool limited;          /* its luma is from 16 to 235, else from 0 to 255 */
    unsigned shown;        /* frames so far */
} frames;

/* Tells the kernel that the CPU begins (or ends) to look at a frame or to write it. Fails harmlessly on what is
   no dma-buf. */
static void cpu_access(const frames *f, int i, uint64_t flags) {
    struct dma_buf_sync sync;
    memset(&sync, 0, sizeof(sync));
    sync.flags = flags;
    (void)ioctl(f->fd[i], DMA_BUF_IOCTL_SYNC, &sync);
}

/* A queue entry of frame i; plane is used by cameras that have planes. */
static struct v4l2_buffer queue_entry(const frames *f, int i, struct v4l2_plane *plane) {
    struct v4l2_buffer entry;
    memset(&entry, 0, sizeof(entry));
    memset(plane, 0, sizeof(*plane));
    entry.index = (uint32_t)i;
    entry.type = f->type;
    entry.memory = V4L2_MEMORY_MMAP;
    if (f->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE) {
        entry.m.planes = plane;
        entry.length = 1;
    }
    return entry;
}

static uint8_t clamped(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

/* NV12 (a plane of luma, then one of colour at half the size) to RGB or grey pixels, by the integers of BT.601. Width
   and height are even, rows have no gaps. */
static void from_nv12(const frames *f, const uint8_t *nv12, uint8_t *pixels) {
    const uint8_t *colours = nv12 + (size_t)f->width * f->height;
    const int32_t black = f->limited ? 16 : 0, white = f->limited ? 298 : 256;
    const int32_t red = f->limited ? 409 : 359, blue = f->limited ? 516 : 454;
    const int32_t green_red = f->limited ? 208 : 183, green_blue = f->limited ? 100 : 88;
    for (uint32_t y = 0; y < f->height; y++) {
        for (uint32_t x = 0; x < f->width; x++) {
            const uint8_t *colour = colours + (size_t)(y / 2) * f->width + x / 2 * 2;
            const int32_t light = white * (nv12[(size_t)y * f->width + x] - black) + 128;
            const int32_t u = colour[0] - 128, v = colour[1] - 128;
            if (f->channels == 1) {
                *pixels++ = clamped(light / 256);
                continue;
            }
            *pixels++ = clamped((light + red * v) / 256);
            *pixels++ = clamped((light - green_red * v - green_blue * u) / 256);
            *pixels++ = clamped((light + blue * u) / 256);
        }
    }
}

/* Makes the camera give pixelformat in rows of row bytes, of the frames' size; false when it cannot. */
static bool set_format(frames *f, uint32_t pixelformat, uint32_t row) {
    const bool planes = f->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
    struct v4l2_format format;
    memset(&format, 0, sizeof(format));
    format.type = f->type;
    format.fmt.pix.width = f->width; /* the first three fields are those of fmt.pix_mp, too */
    format.fmt.pix.height = f->height;
    format.fmt.pix.pixelformat = pixelformat;
    if (ioctl(f->camera, VIDIOC_S_FMT, &format) != 0) return false;
    f->limited = (planes ? format.fmt.pix_mp.quantization : format.fmt.pix.quantization) == V4L2_QUANTIZATION_LIM_RANGE;
    return format.fmt.pix.width == f->width && format.fmt.pix.height == f->height &&
           format.fmt.pix.pixelformat == pixelformat &&
           (planes ? format.fmt.pix_mp.plane_fmt[0].bytesperline : format.fmt.pix.bytesperline) == row;
}

/* Maps the camera's own buffer i, of NV12. */
static bool map_nv12(frames *f, int i) {
    const size_t size = (size_t)f->width * f->height * 3 / 2;
    struct v4l2_plane plane;
    struct v4l2_buffer entry = queue_entry(f, i, &plane);
    if (ioctl(f->camera, VIDIOC_QUERYBUF, &entry) != 0) return false;
    const bool planes = f->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
    const uint32_t offset = planes ? plane.m.mem_offset : entry.m.offset;
    void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, f->camera, (off_t)offset);
    if (map == MAP_FAILED) return false;
    f->nv12[i] = (uint8_t *)map;
    return true;
}

/* Asks the camera for FRAMES buffers and for their descriptors, or for NV12; false when it cannot. */
static bool open_camera(frames *f, const char *path) {
    struct v4l2_capability can;
    struct v4l2_requestbuffers request;
    memset(&request, 0, sizeof(request));
    f->camera = open(path, O_RDWR | O_CLOEXEC);
    if (f->camera < 0 || ioctl(f->camera, VIDIOC_QUERYCAP, &can) != 0) return false;
    const uint32_t abilities = (can.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 ? can.device_caps : can.capabilities;
    const bool planes = (abilities & V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0;
    f->type = request.type = planes ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE;
    const uint32_t wanted = f->channels == 1 ? V4L2_PIX_FMT_GREY : V4L2_PIX_FMT_RGB24;
    const bool pixels = set_format(f, wanted, f->width * f->channels);
    const bool even = f->width % 2 == 0 && f->height % 2 == 0;
    if (!pixels && (!even || !set_format(f, V4L2_PIX_FMT_NV12, f->width))) return false;
    request.count = FRAMES;
    request.memory = V4L2_MEMORY_MMAP;
    if (ioctl(f->camera, VIDIOC_REQBUFS, &request) != 0 || request.count != FRAMES) return false;
    for (int i = 0; i < FRAMES && !pixels; i++)
        if (!map_nv12(f, i)) return false;
    if (!pixels) return ioctl(f->camera, VIDIOC_STREAMON, &f->type) == 0;
    for (int i = 0; i < FRAMES; i++) {
        struct v4l2_exportbuffer share;
        memset(&share, 0, sizeof(share));
        share.type = f->type;
        share.index = (uint32_t)i;
        share.flags = O_RDWR | O_CLOEXEC;
        if (ioctl(f->camera, VIDIOC_EXPBUF, &share) != 0) return false;
        f->fd[i] = share.fd;
    }
    return ioctl(f->camera, VIDIOC_STREAMON, &f->type) == 0;
}

/* Memory that devices share: of the kernel's heap, or of an unnamed file, which an NPU has to have copied. */
static int shared_memory(size_t size, const char **source) {
    struct dma_heap_allocation_data wish;
    const int heap = open("/dev/dma_heap/system", O_RDWR | O_CLOEXEC);
    memset(&wish, 0, sizeof(wish));
    wish.len = size;
    wish.fd_flags = O_RDWR | O_CLOEXEC;
    const bool made = heap >= 0 && ioctl(heap, DMA_HEAP_IOCTL_ALLOC, &wish) == 0;
    if (heap >= 0) close(heap);
    if (*source == NULL) *source = made ? "test pattern in a dma-heap" : "test pattern in a file";
    if (made) return (int)wish.fd;
    FILE *file = tmpfile();
    const int fd = file == NULL ? -1 : dup(fileno(file));
    if (file != NULL) fclose(file);
    return fd >= 0 && ftruncate(fd, (off_t)size) == 0 ? fd : -1;
}

/* Frames of height x width x channels bytes from the camera at path; of the test pattern when path is NULL. */
static bool open_frames(frames *f, const char *path, uint32_t height, uint32_t width, uint32_t channels) {
    memset(f, 0, sizeof(*f));
    f->size = (size_t)height * width * channels;
    f->camera = -1;
    f->source = path;
    f->width = width;
    f->height = height;
    f->channels = channels;
    if (path != NULL && !open_camera(f, path)) {
        fprintf(stderr, "%s gives no %ux%u pixels of %u bytes: %s\n", path, (unsigned)width, (unsigned)height,
                (unsigned)channels, strerror(errno));
        return false;
    }
    for (int i = 0; i < FRAMES; i++) {
        if (path == NULL || f->nv12[i] != NULL) f->fd[i] = shared_memory(f->size, &f->source);
        void *pixels = mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd[i], 0);
        if (f->fd[i] < 0 || pixels == MAP_FAILED) {
            fprintf(stderr, "no memory for frames: %s\n", strerror(errno));
            return false;
        }
        f->pixels[i] = (uint8_t *)pixels;
    }
    return true;
}

/* Fills frame i, which nobody may be looking at; waits for the camera. */
static bool next_frame(frames *f, int i) {
    if (f->camera >= 0) {
        struct v4l2_plane plane;
        struct v4l2_buffer entry = queue_entry(f, i, &plane);
        f->shown++;
        if (ioctl(f->camera, VIDIOC_QBUF, &entry) != 0 || ioctl(f->camera, VIDIOC_DQBUF, &entry) != 0) return false;
        if (f->nv12[i] == NULL) return true;
        cpu_access(f, i, DMA_BUF_SYNC_START | DMA_BUF_SYNC_WRITE);
        from_nv12(f, f->nv12[entry.index < FRAMES ? entry.index : 0], f->pixels[i]);
        cpu_access(f, i, DMA_BUF_SYNC_END | DMA_BUF_SYNC_WRITE);
        return true;
    }
    cpu_access(f, i, DMA_BUF_SYNC_START | DMA_BUF_SYNC_WRITE);
    for (size_t b = 0; b < f->size; b++) f->pixels[i][b] = (uint8_t)(b * 7 + f->shown * 31);
    cpu_access(f, i, DMA_BUF_SYNC_END | DMA_BUF_SYNC_WRITE);
    f->shown++;
    return true;
}

static void close_frames(frames *f) {
    for (int i = 0; i < FRAMES; i++) {
        munmap(f->pixels[i], f->size);
        if (f->nv12[i] != NULL) munmap(f->nv12[i], (size_t)f->width * f->height * 3 / 2);
        close(f->fd[i]);
    }
    if (f->camera >= 0) close(f->camera);
}

#endif /* CAMERA_FRAMES_H */
