/* SPDX-License-Identifier: Apache-2.0 */
/* camera_frames.h - frames for camera.c, each in a file descriptor that a device can share: from a V4L2 camera,
   or a moving test pattern in a dma-heap, or in an unnamed file where there is no heap either.

   A camera that gives RGB or grey pixels of exactly the size that the model wants fills the frames itself. Of any
   other (NV12 as the ISP of Rockchip's boards has it, YUYV as webcams do, another size) the CPU makes frames of its
   own. Where that takes too long, RGA does it: the descriptors that RGA writes to take the place of these, and camera.c
   stays as it is. nnrt.h with NNRT_IMAGE comes before this. */
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
    nnrt_image image[FRAMES]; /* what the camera fills, where that is not the frame itself; data NULL: it is */
    void *map[FRAMES];        /* its memory */
    unsigned shown;           /* frames so far */
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

/* An image becomes the pixels of frame i, stretched to its size. */
static bool fill_frame(const frames *f, const nnrt_image *image, int i) {
    nnrt_layout layout;
    bool filled;
    memset(&layout, 0, sizeof(layout));
    layout.order = NNRT_ORDER_NHWC;
    layout.type = OH_NN_UINT8;
    layout.batches = 1;
    layout.channels = f->channels;
    layout.height = f->height;
    layout.width = f->width;
    cpu_access(f, i, DMA_BUF_SYNC_START | DMA_BUF_SYNC_WRITE);
    filled = nnrt_image_to_tensor(image, NULL, &layout, 1, 0, f->pixels[i], f->size) == OH_NN_SUCCESS;
    cpu_access(f, i, DMA_BUF_SYNC_END | DMA_BUF_SYNC_WRITE);
    return filled;
}

/* Asks the camera for pixelformat in the frames' size; format is what it chooses. */
static bool set_format(frames *f, uint32_t pixelformat, struct v4l2_pix_format *chosen) {
    const bool planes = f->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
    struct v4l2_format format;
    memset(&format, 0, sizeof(format));
    format.type = f->type;
    format.fmt.pix.width = f->width; /* the first three fields are those of fmt.pix_mp, too */
    format.fmt.pix.height = f->height;
    format.fmt.pix.pixelformat = pixelformat;
    if (ioctl(f->camera, VIDIOC_S_FMT, &format) != 0 || format.fmt.pix.pixelformat != pixelformat) return false;
    *chosen = format.fmt.pix;
    if (!planes) return true;
    chosen->bytesperline = format.fmt.pix_mp.plane_fmt[0].bytesperline;
    chosen->quantization = format.fmt.pix_mp.quantization;
    chosen->ycbcr_enc = format.fmt.pix_mp.ycbcr_enc;
    return true;
}

/* Whether the camera gives frames as they have to be, or at least something to make them of: chosen, then. */
static bool agree(frames *f, struct v4l2_pix_format *chosen, nnrt_pixel_format *format, bool *exact) {
    static const struct {
        uint32_t v4l2;
        nnrt_pixel_format format;
    } known[] = {{V4L2_PIX_FMT_NV12, NNRT_PIXELS_NV12},
                 {V4L2_PIX_FMT_YUYV, NNRT_PIXELS_YUYV},
                 {V4L2_PIX_FMT_RGB24, NNRT_PIXELS_RGB888},
                 {V4L2_PIX_FMT_GREY, NNRT_PIXELS_GRAY8}};
    const uint32_t wanted = f->channels == 1 ? V4L2_PIX_FMT_GREY : V4L2_PIX_FMT_RGB24;
    *exact = set_format(f, wanted, chosen) && chosen->width == f->width && chosen->height == f->height &&
             chosen->bytesperline == f->width * f->channels;
    if (*exact) return true;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        *format = known[i].format;
        if (set_format(f, known[i].v4l2, chosen)) return true;
    }
    return false;
}

/* Maps the camera's own buffer i. */
static bool map_image(frames *f, int i, nnrt_pixel_format format, const struct v4l2_pix_format *chosen) {
    struct v4l2_plane plane;
    struct v4l2_buffer entry = queue_entry(f, i, &plane);
    if (ioctl(f->camera, VIDIOC_QUERYBUF, &entry) != 0) return false;
    const bool planes = f->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
    const uint32_t offset = planes ? plane.m.mem_offset : entry.m.offset, size = planes ? plane.length : entry.length;
    const bool high = chosen->ycbcr_enc == V4L2_YCBCR_ENC_709,
               full = chosen->quantization == V4L2_QUANTIZATION_FULL_RANGE;
    void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, f->camera, (off_t)offset);
    if (map == MAP_FAILED) return false;
    f->map[i] = map;
    if (nnrt_image_of(format, chosen->width, chosen->height, map, size, chosen->bytesperline, &f->image[i]) !=
        OH_NN_SUCCESS)
        return false;
    f->image[i].yuv = high ? full ? NNRT_YUV_BT709_FULL : NNRT_YUV_BT709 : full ? NNRT_YUV_BT601_FULL : NNRT_YUV_BT601;
    return true;
}

/* Asks the camera for FRAMES buffers and for their descriptors, or to look at them; false when it cannot. */
static bool open_camera(frames *f, const char *path) {
    struct v4l2_capability can;
    struct v4l2_requestbuffers request;
    struct v4l2_pix_format chosen;
    nnrt_pixel_format format = NNRT_PIXELS_GRAY8;
    bool exact = false;
    memset(&request, 0, sizeof(request));
    f->camera = open(path, O_RDWR | O_CLOEXEC);
    if (f->camera < 0 || ioctl(f->camera, VIDIOC_QUERYCAP, &can) != 0) return false;
    const uint32_t abilities = (can.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 ? can.device_caps : can.capabilities;
    const bool planes = (abilities & V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0;
    f->type = request.type = planes ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (!agree(f, &chosen, &format, &exact)) return false;
    request.count = FRAMES;
    request.memory = V4L2_MEMORY_MMAP;
    if (ioctl(f->camera, VIDIOC_REQBUFS, &request) != 0 || request.count != FRAMES) return false;
    for (int i = 0; i < FRAMES && !exact; i++)
        if (!map_image(f, i, format, &chosen)) return false;
    if (!exact) return ioctl(f->camera, VIDIOC_STREAMON, &f->type) == 0;
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
        if (path == NULL || f->map[i] != NULL) f->fd[i] = shared_memory(f->size, &f->source);
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
        return f->map[i] == NULL || fill_frame(f, &f->image[entry.index < FRAMES ? entry.index : 0], i);
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
        if (f->map[i] != NULL) munmap(f->map[i], f->image[i].plane[0].size);
        close(f->fd[i]);
    }
    if (f->camera >= 0) close(f->camera);
}

#endif /* CAMERA_FRAMES_H */
