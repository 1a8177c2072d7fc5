/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_devices.h - which device a model is for, why one is missing, and what a .rknn tells without an NPU. */
#ifndef NNRT_TOOLS_TOOL_DEVICES_H
#define NNRT_TOOLS_TOOL_DEVICES_H

#include "tool_files.h"

#include <sys/mman.h>

/* ------------------------------------------------------------------------------------------ missing devices */

enum { MAX_NOTES = 8, NOTE_TEXT = 512 };

/* Lines of the library's log that say why a device is not listed. */
typedef struct device_notes {
    size_t count;
    char lines[MAX_NOTES][NOTE_TEXT];
} device_notes;

/* The library looks for devices once, so whoever comes first has to listen. */
static device_notes missing_devices;

static void note_missing_device(void *user, nnrt_log_level level, const char *message) {
    device_notes *notes = (device_notes *)user;
    (void)level;
    if (strstr(message, " is not listed: ") == NULL || notes->count == MAX_NOTES) return;
    snprintf(notes->lines[notes->count], NOTE_TEXT, "%s", message);
    clean(notes->lines[notes->count++]);
}

/* Why no device whose name begins so is listed; NULL: nobody said. */
static const char *why_missing(const char *beginning) {
    for (size_t i = 0; i < missing_devices.count; i++) {
        const char *name = strstr(missing_devices.lines[i], "device ");
        if (name != NULL && strncmp(name + strlen("device "), beginning, strlen(beginning)) == 0)
            return strstr(missing_devices.lines[i], " is not listed: ") + strlen(" is not listed: ");
    }
    return NULL;
}

/* ------------------------------------------------------------------------------------------ files for an NPU */

/* Whether the file begins like Rockchip's .rknn, converted for one chip and of no use to the CPU device. */
static bool is_rknn(const char *path) {
    char magic[8] = "";
    FILE *file = fopen(path, "rb");
    const bool read = file != NULL && fread(magic, 1, sizeof(magic), file) == sizeof(magic);
    if (file != NULL) fclose(file);
    return read && (memcmp(magic, "RKNN", 4) == 0 || memcmp(magic, "CYPTRKNN", 8) == 0); /* the latter: encrypted */
}

#ifdef NNRT_BACKEND_RKNPU

static void add_fact(table *t, const char *name, const char *value) {
    cell(t, "%s", name);
    cell(t, "%s", value[0] != '\0' ? value : "not told");
}

/* Prints what the file says about itself; needs neither an NPU nor the vendor's library. */
static int print_rknn_file(const char *path) {
    nnrt_rknn_model_info info;
    struct stat status;
    FILE *file = NULL;
    void *bytes = MAP_FAILED;
    memset(&info, 0, sizeof(info));
    const int result = open_input(path, &file);
    if (result != TOOL_OK) return result;
    if (fstat(fileno(file), &status) == 0 && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fileno(file), 0);
    fclose(file);
    if (bytes == MAP_FAILED) return complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(errno));
    const OH_NN_ReturnCode code = nnrt_rknn_inspect(bytes, (size_t)status.st_size, &info);
    munmap(bytes, (size_t)status.st_size);
    if (code != OH_NN_SUCCESS) return refused(path, code);
    table t = table_begin("ll");
    printf("file\n");
    cell(&t, "kind");
    if (info.encrypted != 0) cell(&t, "Rockchip .rknn, encrypted: only the runtime can read it");
    else cell(&t, "Rockchip .rknn, format %lu", (unsigned long)info.format_version);
    add_fact(&t, "made for", info.platform);
    add_fact(&t, "toolkit", info.toolkit);
    add_fact(&t, "runtime", info.minimum_runtime);
    cell(&t, "size");
    cell(&t, "%lld B", (long long)status.st_size);
    table_end(&t);
    printf("\n");
    return TOOL_OK;
}

#else

static int print_rknn_file(const char *path) {
    return complain(TOOL_REFUSED, "%s: is for Rockchip's NPU, and this build was made without NNRT_BACKEND_RKNPU",
                    path);
}

#endif

/* ------------------------------------------------------------------------------------------ the device of a model */

typedef struct chosen_device {
    size_t id;
    const char *name; /* belongs to the library */
} chosen_device;

/* The first device whose name begins so, the one whose name is all of it before others. *found: how many begin so. */
static int look_for_device(const char *beginning, chosen_device *device, uint32_t *found) {
    const size_t *ids = NULL;
    uint32_t count = 0;
    nnrt_set_log(note_missing_device, &missing_devices);
    OH_NN_ReturnCode code = OH_NNDevice_GetAllDevicesID(&ids, &count);
    *found = 0;
    if (code != OH_NN_SUCCESS) return refused("list the devices", code);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = NULL;
        code = OH_NNDevice_GetName(ids[i], &name);
        if (code != OH_NN_SUCCESS) return refused("ask for the name of a device", code);
        if (strncmp(name, beginning, strlen(beginning)) != 0) continue;
        const bool exact = strcmp(name, beginning) == 0;
        if (exact || *found == 0) {
            device->id = ids[i];
            device->name = name;
        }
        *found = exact ? 1 : *found + 1;
        if (exact) return TOOL_OK;
    }
    return TOOL_OK;
}

/* The device called name, or the only one whose name begins with it. Without a name the one that the file is for: an
   NPU of Rockchip for a .rknn, the CPU for everything else; where there is no CPU device, the first of the list. */
static int find_device(const char *name, const char *model, chosen_device *device) {
    const bool rknn = is_rknn(model);
    uint32_t found = 0;
    int result = look_for_device(name != NULL ? name : rknn ? "rknpu_" : "cpu_", device, &found);
    if (result != TOOL_OK || found == 1 || (found > 1 && name == NULL)) return result;
    if (name != NULL)
        return complain(TOOL_USAGE,
                        found == 0 ? "--device %s: no such device; see: nnrt devices"
                                   : "--device %s: more than one device begins so; see: nnrt devices",
                        name);
    if (rknn) {
        const char *why = why_missing("rknpu_");
        return complain(TOOL_REFUSED, "%s: is for Rockchip's NPU, and none is here: %s (OH_NN_UNAVAILABLE_DEVICE)",
                        model, why != NULL ? why : "this build was made without NNRT_BACKEND_RKNPU");
    }
    result = look_for_device("", device, &found);
    if (result != TOOL_OK || found > 0) return result;
    return complain(TOOL_REFUSED, "list the devices: there is none (OH_NN_UNAVAILABLE_DEVICE)");
}

#endif /* NNRT_TOOLS_TOOL_DEVICES_H */
