/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_devices.h - which device a model is for, why one is missing, and what a file tells without any. */
#ifndef NNRT_TOOLS_TOOL_DEVICES_H
#define NNRT_TOOLS_TOOL_DEVICES_H

#include "rkchip/device.h"
#include "tool_npy.h"

#include <sys/mman.h>

/* ---------------------------------------------------------------------------------------- missing devices */

enum {
    MAX_NOTES = 8,
    NOTE_TEXT = 512
};

/* Lines of the library's log. */
typedef struct device_notes {
    size_t count;
    char lines[MAX_NOTES][NOTE_TEXT];
} device_notes;

/* Those that say why a device is not listed. The library looks for devices once, so whoever comes first has to
   listen. */
static device_notes missing_devices;

/* And those that say what one stands on, its driver for example. */
static device_notes present_devices;

static void add_note(device_notes *notes, const char *message) {
    if (notes->count == MAX_NOTES) return;
    snprintf(notes->lines[notes->count], NOTE_TEXT, "%s", message);
    clean(notes->lines[notes->count++]);
}

static void note_missing_device(void *user, nnrt_log_level level, const char *message) {
    (void)level;
    if (strstr(message, " is not listed: ") != NULL) add_note((device_notes *)user, message);
    if (strstr(message, " is on this board: ") != NULL) add_note(&present_devices, message);
}

/* Why the device of that name is not listed. */
static const char *why_missing(const char *name) {
    static const char middle[] = " is not listed: ";
    const size_t length = strlen(name);
    for (size_t i = 0; i < missing_devices.count; i++) {
        const char *at = strstr(missing_devices.lines[i], "device ");
        if (at == NULL || strncmp(at += strlen("device "), name, length) != 0) continue;
        if (strncmp(at + length, middle, strlen(middle)) == 0) return at + length + strlen(middle);
    }
    return "nobody said why";
}

/* ----------------------------------------------------------------------------------------- what a file is */

/* What the library says about a file. */
typedef struct model_file {
    OH_NN_ReturnCode code; /* of nnrt_inspect_model */
    const char *device;    /* name of the one that it is for, listed or not; NULL: of none */
    size_t size;
} model_file;

/* Asks whose the file is; tell (NULL: nobody listens) hears what it tells about itself. Needs no device. */
static int look_at_file(const char *path, model_file *model, nnrt_inspect_callback tell, void *user) {
    void *bytes = NULL;
    int fd = -1;
    memset(model, 0, sizeof(*model));
    nnrt_set_log(note_missing_device, &missing_devices);
    const int result = open_model(path, &fd, &model->size);
    if (result != TOOL_OK) return result;
    if (model->size > 0) bytes = mmap(NULL, model->size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED) return complain(TOOL_FILE, "%s: cannot be read: %s", path, strerror(errno));
    model->code = nnrt_inspect_model(bytes != NULL ? bytes : "", model->size, &model->device, tell, user);
    if (bytes != NULL) munmap(bytes, model->size);
    return TOOL_OK;
}

static void add_fact(void *user, const char *label, const char *text) {
    cell((table *)user, "%s", label);
    cell((table *)user, "%s", text);
}

/* Prints what the file tells about itself; of a file that no device knows, nothing. */
static int print_file(const char *path, model_file *model) {
    table t = table_begin("ll");
    const int result = look_at_file(path, model, add_fact, &t);
    if (t.count > 0) {
        printf("file\n");
        cell(&t, "size");
        cell(&t, "%zu B", model->size);
    }
    table_end(&t);
    if (result != TOOL_OK || model->code == OH_NN_SUCCESS || model->code == OH_NN_UNSUPPORTED) return result;
    return refused(path, model->code);
}

/* ---------------------------------------------------------------------------------- the device of a model */

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

/* The device of exactly that name. */
static int look_for_exactly(const char *name, chosen_device *device, bool *found) {
    uint32_t count = 0;
    const int result = look_for_device(name, device, &count);
    *found = result == TOOL_OK && count > 0 && strcmp(device->name, name) == 0;
    return result;
}

/* The device that the file is for. */
static int find_device_of(const char *path, chosen_device *device) {
    model_file model;
    bool found = false;
    int result = look_at_file(path, &model, NULL, NULL);
    if (result != TOOL_OK) return result;
    if (model.code == OH_NN_UNSUPPORTED)
        return complain(TOOL_REFUSED,
                        "%s: %s; this is nnrt %s, and devices of NPUs are built in by their NNRT_BACKEND_* (%s)", path,
                        nnrt_last_error(), nnrt_version(), nnrt_strerror(model.code));
    if (model.code != OH_NN_SUCCESS) return refused(path, model.code);
    result = look_for_exactly(model.device, device, &found);
    if (result != TOOL_OK || found) return result;
    return complain(TOOL_REFUSED, "%s: is for device %s, which is not here: %s (OH_NN_UNAVAILABLE_DEVICE)", path,
                    model.device, why_missing(model.device));
}

/* The device called name, or the only one whose name begins with it. Without a name the one that the file is for. */
static int find_device(const char *name, const char *path, chosen_device *device) {
    uint32_t found = 0;
    if (name == NULL) return find_device_of(path, device);
    if (strncmp(name, RKCHIP_DEVICE, strlen(RKCHIP_DEVICE)) == 0) {
        const OH_NN_ReturnCode code = rkchip_register();
        if (code != OH_NN_SUCCESS) return refused("make the simulated device", code);
    }
    const int result = look_for_device(name, device, &found);
    if (result != TOOL_OK || found == 1) return result;
    if (found != 0) return complain(TOOL_USAGE, "--device %s: more than one device begins so; see: nnrt devices", name);
    for (size_t i = 0; i < missing_devices.count; i++) {
        const char *line = strstr(missing_devices.lines[i], "device ");
        if (line != NULL && strncmp(line + strlen("device "), name, strlen(name)) == 0)
            return complain(TOOL_REFUSED, "--device %s: %s", name, line);
    }
    return complain(TOOL_USAGE, "--device %s: no such device; see: nnrt devices", name);
}

#endif /* NNRT_TOOLS_TOOL_DEVICES_H */
