/* SPDX-License-Identifier: Apache-2.0 */
/* sim_memory.c - NPU memory: what the CPU sees, what the device sees, and the syncs between the two.

   Bytes live in memfds, so that descriptors can be passed round as dma-bufs are. The CPU's copy is the
   pages themselves; the device's copy is private to the board; a third one holds the CPU's bytes at the
   last sync. As in a cache, what counts is lines of 64 bytes: a clean writes back the lines that differ
   from that third copy and leaves the others, which a camera may have filled behind the CPU's back, alone.
   An invalidate overwrites the CPU's pages. */
#define _GNU_SOURCE
#include "sim_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIM_TRAP 0xa5u /* fills pages behind the end of a memory */
#define SIM_DEAD_MAX 4096u

static bool sim_line_dirty(const sim_buffer *buffer, size_t at, size_t length) {
    return memcmp(buffer->cpu + at, buffer->synced + at, length) != 0;
}

/* Lines of the region [offset, offset + size) that the CPU has written since the last sync. */
static size_t sim_dirty_lines(const sim_buffer *buffer, size_t offset, size_t size) {
    const size_t end = offset + size;
    size_t lines = 0, at = offset;
    while (buffer->device != buffer->cpu && at < end) {
        size_t next = at / SIM_LINE * SIM_LINE + SIM_LINE;
        if (next > end) next = end;
        lines += sim_line_dirty(buffer, at, next - at) ? 1u : 0u;
        at = next;
    }
    return lines;
}

/* Whole lines, also where the region begins or ends inside one. */
static void sim_clean(sim_buffer *buffer, size_t offset, size_t size) {
    size_t at = offset / SIM_LINE * SIM_LINE;
    for (; buffer->device != buffer->cpu && at < offset + size; at += SIM_LINE) {
        if (sim_line_dirty(buffer, at, SIM_LINE)) {
            memcpy(buffer->device + at, buffer->cpu + at, SIM_LINE);
            memcpy(buffer->synced + at, buffer->cpu + at, SIM_LINE);
        }
    }
}

/* Somebody, CPU or device, can have seen what the device wrote there. */
static void sim_seen(const sim_buffer *buffer, size_t offset, size_t size) {
    sim_memory *memory;
    for (memory = sim_state.memories; memory; memory = memory->next) {
        if (memory->buffer == buffer && memory->offset < offset + size && offset < memory->offset + memory->size)
            memory->unread = false;
    }
}

static void sim_note(sim_memory *memory, size_t offset, size_t size, bool unread) {
    const size_t first = offset / SIM_UNIT;
    if (memory->units && size > 0) memset(memory->units + first, unread, (offset + size - 1) / SIM_UNIT - first + 1);
}

static void sim_invalidate(sim_buffer *buffer, size_t offset, size_t size) {
    const size_t first = offset / SIM_LINE * SIM_LINE;
    const size_t end = (offset + size + SIM_LINE - 1) / SIM_LINE * SIM_LINE;
    if (buffer->device != buffer->cpu) {
        memcpy(buffer->cpu + first, buffer->device + first, end - first);
        memcpy(buffer->synced + first, buffer->device + first, end - first);
    }
    sim_seen(buffer, offset, size);
}

/* ------------------------------------------------------------------------------------------------ buffers */

static size_t sim_pages(size_t size) { return (size + 4095u) / 4096u * 4096u; }

static void sim_buffer_release(sim_buffer *buffer) {
    sim_buffer **place = &sim_state.buffers;
    size_t at;
    if (--buffer->references != 0) return;
    for (at = buffer->used; at < buffer->size && buffer->cpu[at] == SIM_TRAP; ++at) continue;
    if (at < buffer->size)
        sim_mistake_locked("write past the end: the CPU wrote at offset %lu of a memory of %lu bytes",
                           (unsigned long)at, (unsigned long)buffer->used);
    while (*place != buffer) place = &(*place)->next;
    *place = buffer->next;
    if (buffer->device != buffer->cpu) {
        free(buffer->device);
        free(buffer->synced);
    }
    munmap(buffer->cpu, buffer->size);
    free(buffer);
}

/* A buffer for the pages of fd, with one reference. cacheable: device and CPU have copies of their own,
   both zero for the device, so that what the CPU wrote so far is dirty. NULL: fd cannot be mapped, or no
   memory. */
static sim_buffer *sim_buffer_new(int fd, bool cacheable) {
    struct stat status;
    sim_buffer *buffer;
    size_t size;
    void *map;
    if (fstat(fd, &status) != 0 || status.st_size <= 0) return NULL;
    size = sim_pages((size_t)status.st_size);
    buffer = (sim_buffer *)calloc(1, sizeof(*buffer));
    map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (!buffer || map == MAP_FAILED) {
        if (map != MAP_FAILED) munmap(map, size);
        free(buffer);
        return NULL;
    }
    buffer->cpu = (uint8_t *)map;
    buffer->size = size;
    buffer->used = (size_t)status.st_size < size ? (size_t)status.st_size : size;
    buffer->device_number = (uint64_t)status.st_dev;
    buffer->inode = (uint64_t)status.st_ino;
    buffer->references = 1;
    buffer->phys = sim_state.next_phys;
    sim_state.next_phys += size;
    buffer->device = buffer->cpu;
    if (cacheable) {
        buffer->device = (uint8_t *)calloc(1, size);
        buffer->synced = (uint8_t *)calloc(1, size);
        if (!buffer->device || !buffer->synced) {
            free(buffer->device);
            free(buffer->synced);
            munmap(map, size);
            free(buffer);
            return NULL;
        }
    }
    /* Behind the end of a file that is no whole number of pages the kernel shows zeros, and no trap stands
       there. */
    if (buffer->used < size) buffer->used = size;
    buffer->next = sim_state.buffers;
    sim_state.buffers = buffer;
    return buffer;
}

static sim_buffer *sim_buffer_of_fd(int fd) {
    struct stat status;
    sim_buffer *buffer = sim_state.buffers;
    if (fstat(fd, &status) != 0) return NULL;
    while (buffer && (buffer->inode != (uint64_t)status.st_ino || buffer->device_number != (uint64_t)status.st_dev))
        buffer = buffer->next;
    return buffer;
}

/* ----------------------------------------------------------------------------------------------- memories */

sim_memory *sim_memory_find(const void *vendor) {
    sim_memory *memory = vendor ? sim_state.memories : NULL;
    while (memory && memory->vendor != vendor) memory = memory->next;
    return memory;
}

bool sim_memory_was(const void *vendor) {
    const sim_memory *memory = vendor ? sim_state.dead : NULL;
    while (memory && memory->vendor != vendor) memory = memory->next;
    return memory != NULL;
}

sim_memory *sim_memory_of(const sim_memory_ref *ref) {
    sim_memory *memory = ref->memory ? sim_state.memories : NULL;
    while (memory && (memory != ref->memory || memory->serial != ref->serial)) memory = memory->next;
    return memory;
}

void sim_memory_refer(sim_memory_ref *ref, sim_memory *memory) {
    ref->memory = memory;
    ref->serial = memory ? memory->serial : 0;
}

unsigned sim_memories_of(sim_handle owner) {
    const sim_memory *memory;
    unsigned left = 0;
    for (memory = sim_state.memories; memory; memory = memory->next)
        left += memory->owner == owner && !memory->given_up ? 1u : 0u;
    return left;
}

uint64_t sim_memory_phys(const sim_memory *memory) { return memory->buffer->phys + memory->offset; }

uint8_t *sim_memory_device(const sim_memory *memory) { return memory->buffer->device + memory->offset; }

uint8_t *sim_memory_cpu(const sim_memory *memory) { return memory->buffer->cpu + memory->offset; }

void sim_memory_show(sim_memory *memory) {
    sim_invalidate(memory->buffer, memory->offset, memory->size);
    sim_note(memory, 0, memory->size, false);
}

void sim_memory_sync(sim_memory *memory, bool to_device, bool from_device) {
    if (to_device) {
        sim_clean(memory->buffer, memory->offset, memory->size);
        ++sim_state.syncs[0];
    }
    if (from_device) {
        sim_memory_show(memory);
        ++sim_state.syncs[1];
    }
}

sim_memory *sim_memory_at_phys(uint64_t phys, size_t *offset) {
    sim_memory *memory = sim_state.memories;
    while (memory && (phys < sim_memory_phys(memory) || phys - sim_memory_phys(memory) >= memory->size))
        memory = memory->next;
    if (memory) *offset = (size_t)(phys - sim_memory_phys(memory));
    return memory;
}

size_t sim_memory_dirty(const sim_memory *memory, size_t offset, size_t size, bool whole) {
    size_t first = memory->offset + offset, end = first + size;
    if (whole) {
        first = first / SIM_LINE * SIM_LINE;
        end = (end + SIM_LINE - 1) / SIM_LINE * SIM_LINE;
    }
    return sim_dirty_lines(memory->buffer, first, end - first);
}

void sim_memory_sync_piece(sim_memory *memory, size_t offset, size_t size, bool to_device, bool from_device) {
    if (size == 0) return;
    if (to_device) sim_clean(memory->buffer, memory->offset + offset, size);
    if (from_device) {
        const size_t first = offset / SIM_LINE * SIM_LINE, end = (offset + size + SIM_LINE - 1) / SIM_LINE * SIM_LINE;
        sim_invalidate(memory->buffer, memory->offset + offset, size);
        sim_note(memory, first, (end < memory->size ? end : memory->size) - first, false);
    }
}

void sim_memory_take_piece(sim_memory *memory, size_t offset, void *to, size_t size) {
    memcpy(to, sim_memory_device(memory) + offset, size);
    sim_note(memory, offset, size, false);
}

void sim_memory_give_piece(sim_memory *memory, size_t offset, const void *from, size_t size, bool watched) {
    const bool cached = memory->buffer->device != memory->buffer->cpu;
    if (size == 0) return;
    memcpy(sim_memory_device(memory) + offset, from, size);
    if (watched && cached && !memory->units) memory->units = (uint8_t *)calloc(1, memory->size / SIM_UNIT + 1);
    sim_note(memory, offset, size, watched && cached);
}

bool sim_memory_unseen(const sim_memory *memory, size_t offset, size_t size) {
    size_t unit;
    for (unit = offset / SIM_UNIT; memory->units && size > 0 && unit <= (offset + size - 1) / SIM_UNIT; ++unit)
        if (memory->units[unit]) return true;
    return false;
}

/* Live memories and descriptors that destroying without a context has leaked share one limit. */
static unsigned sim_handles_lost;

static bool sim_handle_free(void) {
    unsigned count = sim_handles_lost;
    const sim_memory *memory;
    for (memory = sim_state.memories; memory; memory = memory->next) ++count;
    return count < sim_state.handle_limit;
}

static void sim_memory_free(sim_memory *memory) {
    free(memory->units);
    free(memory->vendor);
    free(memory);
}

static sim_memory *sim_memory_add(sim_handle owner, sim_buffer *buffer, size_t offset, size_t size) {
    sim_memory *memory = (sim_memory *)calloc(1, sizeof(*memory));
    if (memory && sim_the_board.memory_bytes) {
        memory->vendor = calloc(1, sim_the_board.memory_bytes);
        if (!memory->vendor) {
            free(memory);
            memory = NULL;
        }
    }
    if (!memory) return NULL;
    memory->serial = ++sim_state.serial;
    memory->buffer = buffer;
    memory->offset = offset;
    memory->size = size;
    memory->imported = true;
    memory->owner = owner;
    memory->fd = -1;
    memory->next = sim_state.memories;
    sim_state.memories = memory;
    if (offset + size > buffer->used) buffer->used = offset + size;
    return memory;
}

sim_memory *sim_memory_make(sim_handle owner, size_t size, bool cacheable) {
    const size_t pages = sim_pages(size);
    sim_memory *memory = NULL;
    sim_buffer *buffer;
    void *map;
    size_t i;
    int fd;
    if (size == 0 || size > 0x7fffffffu || !sim_handle_free() || !sim_fits(pages)) {
        sim_log("failed to malloc npu memory, size %lu", (unsigned long)size);
        return NULL;
    }
    fd = memfd_create("npu", MFD_CLOEXEC);
    if (fd < 0) return NULL;
    map = ftruncate(fd, (off_t)pages) == 0 ? mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    buffer = map != MAP_FAILED ? sim_buffer_new(fd, cacheable) : NULL;
    if (buffer) {
        buffer->used = 0;
        memory = sim_memory_add(owner, buffer, 0, size);
        if (!memory) {
            buffer->used = buffer->size;
            sim_buffer_release(buffer);
        }
    }
    if (!memory) {
        if (map != MAP_FAILED) munmap(map, pages);
        close(fd);
        return NULL;
    }
    buffer->accounted = pages;
    for (i = 0; i < pages; ++i) buffer->cpu[i] = i < size ? sim_poison_locked() : SIM_TRAP;
    if (buffer->device != buffer->cpu) { /* the same noise on both sides: fresh memory is not dirty */
        memcpy(buffer->device, buffer->cpu, pages);
        memcpy(buffer->synced, buffer->cpu, pages);
    }
    memory->imported = false;
    memory->fd = fd;
    memory->map = map;
    return memory;
}

void sim_memory_end(sim_memory *memory, bool keep_fd) {
    sim_memory **place = &sim_state.memories;
    sim_buffer *buffer = memory->buffer;
    while (*place != memory) place = &(*place)->next;
    *place = memory->next;
    if (memory->unread || sim_memory_unseen(memory, 0, memory->size))
        sim_mistake_locked("missing sync: a memory ends with results of the NPU that nobody could have read "
                           "(no sync from the device after the run)");
    if (keep_fd) ++sim_handles_lost; /* the descriptor and the mapping stay */
    if (memory->fd >= 0 && !keep_fd) {
        munmap(memory->map, sim_pages(memory->size));
        close(memory->fd);
    }
    if (!keep_fd) sim_buffer_release(buffer);
    if (memory->vendor) memset(memory->vendor, 0xdb, sim_the_board.memory_bytes);
    memory->buffer = NULL;
    memory->next = sim_state.dead;
    sim_state.dead = memory;
    if (++sim_state.dead_count > SIM_DEAD_MAX) {
        for (place = &sim_state.dead; (*place)->next; place = &(*place)->next) continue;
        sim_memory_free(*place);
        *place = NULL;
        --sim_state.dead_count;
    }
}

sim_memory *sim_memory_import(sim_handle owner, int fd, size_t size, size_t offset) {
    sim_buffer *buffer = fd >= 0 ? sim_buffer_of_fd(fd) : NULL;
    sim_memory *memory = NULL;
    if (fd < 0 || size == 0 || !sim_handle_free()) return NULL;
    if (buffer) ++buffer->references;
    else buffer = sim_buffer_new(fd, true);
    if (buffer && offset <= buffer->size && size <= buffer->size - offset)
        memory = sim_memory_add(owner, buffer, offset, size);
    if (buffer && !memory) {
        sim_log("cannot import %lu bytes at %lu of a descriptor of %lu bytes", (unsigned long)size,
                (unsigned long)offset, (unsigned long)buffer->size);
        sim_buffer_release(buffer);
    }
    return memory;
}

sim_memory *sim_memory_import_nothing(sim_handle owner, size_t size) {
    sim_memory *memory = NULL;
    sim_buffer *buffer = NULL;
    int fd = memfd_create("nothing", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)sim_pages(size ? size : 1)) == 0) buffer = sim_buffer_new(fd, true);
    if (buffer) memory = sim_memory_add(owner, buffer, 0, size);
    if (buffer && !memory) sim_buffer_release(buffer);
    if (fd >= 0) close(fd);
    return memory;
}

sim_memory *sim_memory_import_phys(sim_handle owner, uint64_t phys, size_t size) {
    sim_buffer *buffer = sim_state.buffers;
    sim_memory *memory = NULL;
    while (buffer && (phys < buffer->phys || phys - buffer->phys >= buffer->size)) buffer = buffer->next;
    if (buffer && size > 0 && size <= buffer->size - (size_t)(phys - buffer->phys) && sim_handle_free())
        memory = sim_memory_add(owner, buffer, (size_t)(phys - buffer->phys), size);
    if (memory) ++buffer->references;
    return memory;
}

/* ------------------------------------------------------------------------------- internal memory of a run */

sim_buffer *sim_scratch_enter(sim_memory *memory, size_t size) {
    sim_buffer *buffer = memory->buffer;
    size_t at;
    if (buffer->scratch_users++ > 0)
        sim_mistake_locked("shared internal memory: two models run in it at the same time");
    ++buffer->references;
    for (at = 0; at < size; ++at) buffer->device[memory->offset + at] = sim_poison_locked();
    return buffer;
}

void sim_scratch_leave(sim_buffer *buffer) {
    if (!buffer) return;
    sim_lock();
    --buffer->scratch_users;
    sim_buffer_release(buffer);
    sim_unlock();
}

/* ---------------------------------------------------------------------------------- as the device uses it */

static bool sim_runtime_cares(const sim_memory *memory, sim_care care) {
    return care == SIM_CARE_ALL || (care == SIM_CARE_RUNTIME && !memory->imported);
}

int sim_memory_check(const sim_context *context, const void *vendor, size_t size, const char *what) {
    const sim_memory *memory;
    int answer = sim_the_board.bad_argument;
    sim_lock();
    memory = sim_memory_find(vendor);
    if (!memory)
        sim_mistake_locked(sim_memory_was(vendor) ? "use after destroy: %s is bound to memory that was destroyed"
                                                  : "foreign memory: %s is bound to what this runtime did not make",
                           what);
    else if (memory->size < size)
        sim_mistake_locked("wrong size: %s needs %lu bytes, its memory has %lu", what, (unsigned long)size,
                           (unsigned long)memory->size);
    else answer = 0;
    if (answer == 0 && memory->owner && memory->owner != context->handle) {
        sim_mistake_locked("foreign memory: %s is bound to memory of another context", what);
        answer = sim_lets_pass() ? 0 : sim_the_board.bad_argument;
    }
    sim_unlock();
    return answer;
}

int sim_memory_read(const void *vendor, void *to, size_t size, sim_care care, const char *what) {
    sim_memory *memory;
    sim_lock();
    memory = sim_memory_find(vendor);
    if (!memory || memory->size < size) {
        sim_mistake_locked("use after destroy: %s is read from memory that is not alive", what);
        sim_unlock();
        return sim_the_board.bad_argument;
    }
    if (sim_runtime_cares(memory, care)) {
        sim_clean(memory->buffer, memory->offset, memory->size);
    } else {
        const size_t lines = sim_dirty_lines(memory->buffer, memory->offset, size);
        if (lines)
            sim_mistake_locked("missing sync: %lu lines of %s were written by the CPU and not synced to the device "
                               "before the run",
                               (unsigned long)lines, what);
    }
    memcpy(to, sim_memory_device(memory), size);
    sim_seen(memory->buffer, memory->offset, size);
    sim_unlock();
    return 0;
}

int sim_memory_write(const void *vendor, const void *from, size_t size, sim_care care, bool late, const char *what) {
    sim_memory *memory;
    sim_lock();
    memory = sim_memory_find(vendor);
    if (!memory || memory->size < size) {
        sim_mistake_locked("use after destroy: %s is written to memory that is not alive", what);
        sim_unlock();
        return sim_the_board.bad_argument;
    }
    if (memory->unread)
        sim_mistake_locked("missing sync: %s is overwritten, and nobody could have read the run before "
                           "(no sync from the device after it)",
                           what);
    memcpy(sim_memory_device(memory), from, size);
    if (sim_runtime_cares(memory, care)) sim_invalidate(memory->buffer, memory->offset, memory->size);
    else memory->unread = care != SIM_CARE_NOBODY && !late && memory->buffer->device != memory->buffer->cpu;
    sim_unlock();
    return 0;
}

/* ----------------------------------------------------------------------------------------------- a camera */

SIM_EXPORT int nnrt_sim_dma_alloc(size_t size) {
    sim_buffer *buffer = NULL;
    int fd = size > 0 && size <= 0x7fffffffu ? memfd_create("camera", MFD_CLOEXEC) : -1;
    if (fd >= 0 && ftruncate(fd, (off_t)sim_pages(size)) == 0) {
        sim_lock();
        buffer = sim_buffer_new(fd, true);
        if (buffer) buffer->camera = true; /* nobody tells when the last descriptor is closed */
        sim_unlock();
    }
    if (fd >= 0 && !buffer) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static int sim_dma_copy(int fd, size_t offset, size_t size, const void *from, void *to) {
    sim_buffer *buffer;
    int answer = -1;
    sim_lock();
    buffer = sim_buffer_of_fd(fd);
    if (buffer && offset <= buffer->size && size <= buffer->size - offset) {
        if (from) memcpy(buffer->device + offset, from, size);
        else memcpy(to, buffer->device + offset, size);
        if (!from) sim_seen(buffer, offset, size);
        answer = 0;
    }
    sim_unlock();
    return answer;
}

SIM_EXPORT int nnrt_sim_dma_write(int fd, size_t offset, const void *data, size_t size) {
    return sim_dma_copy(fd, offset, size, data, NULL);
}

SIM_EXPORT int nnrt_sim_dma_read(int fd, size_t offset, void *data, size_t size) {
    return sim_dma_copy(fd, offset, size, NULL, data);
}

static int sim_phys_copy(uint64_t phys, const void *from, void *to, size_t size) {
    sim_memory *memory;
    size_t offset = 0;
    int answer = -1;
    sim_lock();
    memory = sim_memory_at_phys(phys, &offset);
    if (memory && size <= memory->size - offset) {
        uint8_t *at = sim_memory_device(memory) + offset;
        if (from) memcpy(at, from, size);
        else memcpy(to, at, size);
        answer = 0;
    }
    sim_unlock();
    return answer;
}

SIM_EXPORT int nnrt_sim_memory_write(uint64_t physical, const void *data, size_t size) {
    return sim_phys_copy(physical, data, NULL, size);
}

SIM_EXPORT int nnrt_sim_memory_read(uint64_t physical, void *data, size_t size) {
    return sim_phys_copy(physical, NULL, data, size);
}
