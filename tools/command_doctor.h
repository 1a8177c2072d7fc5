/* SPDX-License-Identifier: Apache-2.0 */
/* tools/command_doctor.h - `nnrt doctor`: what of a machine decides whether and how fast models run, and what to do
   about it.

   Only reads: /proc, /sys, /dev, and what the library says. All of these can be absent, as on a PC, in a container or
   on a board with a small kernel: what is not there is no finding. --root looks at a copy of them. */
#ifndef NNRT_TOOLS_COMMAND_DOCTOR_H
#define NNRT_TOOLS_COMMAND_DOCTOR_H

#include <dirent.h>
#include <sys/statvfs.h>

#include "arguments.h"
#include "tool_json.h"

enum {
    MAX_FINDINGS = 96,
    FINDING_TEXT = 640,
    DOCTOR_PATH = 512,
    LITTLE_MEMORY_KB = 16 * 1024, /* below it the system itself is about to be short */
    LITTLE_ROOM_KB = 1024,        /* below it a plan may not fit into the cache */
    HOT = 85000                   /* thousandths of a degree; boards slow down from there on */
};

typedef enum finding_status {
    FINDING_OK,
    FINDING_NOTE,   /* it can be meant so */
    FINDING_PROBLEM /* it cannot */
} finding_status;

typedef struct finding {
    finding_status status;
    const char *name;
    char text[FINDING_TEXT];
    char advice[FINDING_TEXT]; /* "": there is nothing to do */
} finding;

typedef struct doctor {
    const char *root;
    finding *findings; /* [MAX_FINDINGS] */
    size_t count, problems;
    bool has_node; /* of an NPU */
} doctor;

/* Adds a finding; advice may be "". */
TOOL_PRINTF(5, 6)
static void find(doctor *d, finding_status status, const char *name, const char *advice, const char *format, ...) {
    va_list values;
    if (d->count == MAX_FINDINGS) return;
    finding *f = &d->findings[d->count++];
    f->status = status;
    f->name = name;
    va_start(values, format);
    vsnprintf(f->text, sizeof(f->text), format, values);
    va_end(values);
    snprintf(f->advice, sizeof(f->advice), "%s", advice);
    clean(f->text);
    clean(f->advice);
    d->problems += status == FINDING_PROBLEM;
}

/* The first line of a file below the root, without its end; false: there is none, or it is empty. */
static bool first_line(const doctor *d, const char *path, char *line, int size) {
    char whole[DOCTOR_PATH];
    snprintf(whole, sizeof(whole), "%s%s", d->root, path);
    FILE *file = fopen(whole, "r");
    if (file == NULL) return false;
    const bool got = fgets(line, size, file) != NULL;
    fclose(file);
    if (!got) return false;
    line[strcspn(line, "\n")] = '\0';
    clean(line);
    return line[0] != '\0';
}

static bool number_in(const doctor *d, const char *path, long *number) {
    char line[64];
    if (!first_line(d, path, line, sizeof(line))) return false;
    *number = strtol(line, NULL, 10);
    return true;
}

/* A row of /proc/meminfo in KiB. */
static bool memory_row(const doctor *d, const char *name, long *kb) {
    char path[DOCTOR_PATH], line[256];
    const size_t length = strlen(name);
    bool found = false;
    snprintf(path, sizeof(path), "%s/proc/meminfo", d->root);
    FILE *file = fopen(path, "r");
    while (file != NULL && !found && fgets(line, sizeof(line), file) != NULL) {
        found = strncmp(line, name, length) == 0 && line[length] == ':';
        if (found) *kb = strtol(line + length + 1, NULL, 10);
    }
    if (file != NULL) fclose(file);
    return found;
}

/* Whether a node or a module of the kernel is called like one of an NPU. */
static bool is_npu_name(const char *name) {
    static const char *const parts[] = {"npu", "nnie", "bpu", "rocket"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strstr(name, parts[i]) != NULL && strncmp(name, "input", 5) != 0) return true;
    return false;
}

/* ------------------------------------------------------------------------------------------------- the library */

static void examine_library(doctor *d) {
    const char *version = nnrt_version();
    char line[256];
    if (first_line(d, "/proc/sys/kernel/osrelease", line, sizeof(line)))
        find(d, FINDING_OK, "kernel", "", "Linux %s", line);
    if (first_line(d, "/proc/device-tree/model", line, sizeof(line))) find(d, FINDING_OK, "board", "", "%s", line);
    find(d, strstr(version, "isa=scalar") != NULL ? FINDING_NOTE : FINDING_OK, "library",
         strstr(version, "isa=scalar") != NULL
             ? "the kernels are the portable ones: compile for the processor (-mcpu=, -mfpu=neon-vfpv4) and without "
               "NNRT_NO_SIMD, and leave NNRT_ISA unset"
             : "",
         "%s", version);
    for (char **variable = environ; *variable != NULL; variable++)
        if (strncmp(*variable, "NNRT_", 5) == 0)
            find(d, FINDING_NOTE, "environment", "unset it unless it is meant", "%s", *variable);
}

static void examine_devices(doctor *d) {
    const size_t *ids = NULL;
    uint32_t count = 0, accelerators = 0;
    nnrt_set_log(note_missing_device, &missing_devices);
    if (OH_NNDevice_GetAllDevicesID(&ids, &count) != OH_NN_SUCCESS) {
        find(d, FINDING_PROBLEM, "device", "", "the devices cannot be listed: %s", nnrt_last_error());
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *name = NULL;
        OH_NN_DeviceType type = OH_NN_OTHERS;
        if (OH_NNDevice_GetName(ids[i], &name) != OH_NN_SUCCESS) continue;
        if (OH_NNDevice_GetType(ids[i], &type) == OH_NN_SUCCESS) accelerators += type == OH_NN_ACCELERATOR;
        find(d, FINDING_OK, "device", "", "%s%s", name, i == 0 ? ", the default" : "");
    }
    for (size_t i = 0; i < present_devices.count; i++)
        find(d, FINDING_OK, "device", "", "%s", present_devices.lines[i]);
    for (size_t i = 0; i < missing_devices.count; i++) {
        const char *line = missing_devices.lines[i];
        find(d, FINDING_NOTE, "device",
             strstr(line, "LD_LIBRARY_PATH") != NULL
                 ? "where this board has that NPU: put the vendor's library there, or name its path in the variable"
                 : "where this board has that NPU: what the sentence says; more on the page of the device in docs/",
             "%s", line);
    }
    if (d->has_node && accelerators == 0)
        find(d, FINDING_PROBLEM, "device", "do what stands above about the device that is missing",
             "the kernel has a node of an NPU, and no device uses it: models run on the CPU");
}

/* ------------------------------------------------------------------------------------------ nodes and drivers */

/* One node: may this user open it? */
static void examine_node(doctor *d, const char *node) {
    char path[DOCTOR_PATH], advice[256];
    struct stat status;
    snprintf(path, sizeof(path), "%s%s", d->root, node);
    if (stat(path, &status) != 0) return;
    d->has_node = true;
    if (access(path, R_OK | W_OK) == 0) {
        find(d, FINDING_OK, "node", "", "%s can be opened", node);
        return;
    }
    snprintf(advice, sizeof(advice),
             "run as root, or add the user to group %lu and let it read and write (a rule of udev or mdev for %s)",
             (unsigned long)status.st_gid, strrchr(node, '/') + 1);
    find(d, FINDING_PROBLEM, "node", advice, "%s: this user may not read and write it (mode %04o, group %lu)", node,
         (unsigned)(status.st_mode & 07777), (unsigned long)status.st_gid);
}

/* A render node counts when its driver is that of an NPU. */
static bool is_npu_render(const doctor *d, const char *name) {
    char path[DOCTOR_PATH], target[DOCTOR_PATH];
    snprintf(path, sizeof(path), "%s/sys/class/drm/%s/device/driver", d->root, name);
    const ssize_t length = readlink(path, target, sizeof(target) - 1);
    if (length <= 0) return false;
    target[length] = '\0';
    return is_npu_name(strrchr(target, '/') == NULL ? target : strrchr(target, '/') + 1);
}

static void examine_nodes_in(doctor *d, const char *folder, bool all, bool render) {
    char path[DOCTOR_PATH];
    snprintf(path, sizeof(path), "%s%s", d->root, folder);
    DIR *directory = opendir(path);
    if (directory == NULL) return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        if (!(render ? is_npu_render(d, entry->d_name) : all || is_npu_name(entry->d_name))) continue;
        snprintf(path, sizeof(path), "%s/%.200s", folder, entry->d_name);
        examine_node(d, path);
    }
    closedir(directory);
}

static void examine_nodes(doctor *d) {
    examine_nodes_in(d, "/dev", false, false);
    examine_nodes_in(d, "/dev/dri", false, true);
    examine_nodes_in(d, "/dev/accel", true, false);
    if (!d->has_node)
        find(d, FINDING_NOTE, "node", "where this board has an NPU: load its driver (modprobe, or the vendor's script)",
             "no node of an NPU in /dev");
}

/* Modules of the kernel, with the version where they tell one. */
static void examine_drivers(doctor *d) {
    char path[DOCTOR_PATH], version[128];
    snprintf(path, sizeof(path), "%s/sys/module", d->root);
    DIR *directory = opendir(path);
    if (directory == NULL) return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (!is_npu_name(entry->d_name)) continue;
        snprintf(path, sizeof(path), "/sys/module/%.200s/version", entry->d_name);
        bool told = first_line(d, path, version, sizeof(version));
        snprintf(path, sizeof(path), "/sys/kernel/debug/%.200s/version", entry->d_name);
        if (!told) told = first_line(d, path, version, sizeof(version));
        find(d, FINDING_OK, "driver", "", "%s%s%s", entry->d_name, told ? ": " : "", told ? version : "");
    }
    closedir(directory);
}

/* ----------------------------------------------------------------------------------------- memory and processor */

static void examine_memory(doctor *d) {
    long total = 0, available = 0, cma = 0, cma_free = 0;
    if (memory_row(d, "MemTotal", &total) && memory_row(d, "MemAvailable", &available)) {
        const bool little = available < LITTLE_MEMORY_KB;
        find(d, little ? FINDING_NOTE : FINDING_OK, "memory",
             little ? "nnrt inspect MODEL tells what a model needs; --performance low needs least" : "",
             "%ld MiB, %ld MiB available", total / 1024, available / 1024);
    }
    if (memory_row(d, "CmaTotal", &cma) && cma > 0 && memory_row(d, "CmaFree", &cma_free)) {
        const bool little = cma_free < cma / 8;
        find(d, little ? FINDING_PROBLEM : FINDING_OK, "CMA",
             little ? "models of an NPU that has no IOMMU lie there: end what holds it (camera, display), or give the "
                      "kernel more: cma=SIZE on its command line"
                    : "",
             "%ld of %ld KiB free", cma_free, cma);
    } else if (d->has_node && total > 0)
        find(d, FINDING_NOTE, "CMA", "an NPU without an IOMMU needs it: cma=SIZE on the kernel's command line",
             "the kernel has none");
}

static void examine_processor(doctor *d) {
    static const char folder[] = "/sys/devices/system/cpu";
    char path[DOCTOR_PATH], line[128], before[128] = "";
    snprintf(path, sizeof(path), "%s/online", folder);
    if (first_line(d, path, line, sizeof(line))) find(d, FINDING_OK, "cores", "", "online: %s", line);
    for (int cpu = 0; cpu < 64; cpu++) {
        long now = 0, most = 0;
        snprintf(path, sizeof(path), "%s/cpu%d/cpufreq/scaling_governor", folder, cpu);
        if (!first_line(d, path, line, sizeof(line)) || strcmp(line, before) == 0) continue;
        strcpy(before, line);
        snprintf(path, sizeof(path), "%s/cpu%d/cpufreq/scaling_cur_freq", folder, cpu);
        const bool known = number_in(d, path, &now);
        snprintf(path, sizeof(path), "%s/cpu%d/cpufreq/cpuinfo_max_freq", folder, cpu);
        char clock[64] = "";
        if (known && number_in(d, path, &most))
            snprintf(clock, sizeof(clock), ", %ld of %ld MHz", now / 1000, most / 1000);
        const bool steady = strcmp(line, "performance") == 0;
        find(d, steady ? FINDING_OK : FINDING_NOTE, "governor",
             steady ? ""
                    : "for times that can be compared: echo performance | tee "
                      "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
             "cpu%d: %s%s", cpu, line, clock);
    }
    for (int zone = 0; zone < 16; zone++) {
        long heat = 0;
        snprintf(path, sizeof(path), "/sys/class/thermal/thermal_zone%d/temp", zone);
        if (number_in(d, path, &heat) && heat >= HOT)
            find(d, FINDING_NOTE, "heat",
                 "processor and NPU are slowed down when they are hot: let it cool before timing",
                 "thermal_zone%d: %ld degrees", zone, heat / 1000);
    }
}

/* ---------------------------------------------------------------------------------------------------- the cache */

/* The folder that a program gives to OH_NNCompilation_SetCache. */
static void examine_cache(doctor *d, const char *folder) {
    struct stat status;
    struct statvfs room;
    if (stat(folder, &status) != 0) {
        find(d, FINDING_PROBLEM, "cache", errno == ENOENT ? "make it: mkdir -p" : "look at the folders above it",
             "%s: %s", folder, strerror(errno));
        return;
    }
    if (!S_ISDIR(status.st_mode)) {
        find(d, FINDING_PROBLEM, "cache", "OH_NNCompilation_SetCache wants a folder", "%s is no folder", folder);
        return;
    }
    if (access(folder, R_OK | W_OK | X_OK) != 0) {
        find(d, FINDING_PROBLEM, "cache", "give it to the user of the program (chown, chmod u+rwx), or remount it rw",
             "%s: this user cannot write there: %s", folder, strerror(errno));
        return;
    }
    if (statvfs(folder, &room) != 0) return;
    const unsigned long long kb = (unsigned long long)room.f_bavail * room.f_frsize / 1024;
    find(d, kb < LITTLE_ROOM_KB ? FINDING_PROBLEM : FINDING_OK, "cache",
         kb < LITTLE_ROOM_KB ? "a plan is about as large as its model: make room" : "",
         "%s can be written, %llu KiB free", folder, kb);
}

/* -------------------------------------------------------------------------------------------------- the command */

static const char *const finding_names[] = {"ok", "note", "problem"};

static void doctor_json(const doctor *d) {
    json j;
    json_begin(&j, "doctor");
    json_open(&j, "findings", '[');
    for (size_t i = 0; i < d->count; i++) {
        const finding *f = &d->findings[i];
        json_open(&j, NULL, '{');
        json_string(&j, "status", finding_names[f->status]);
        json_string(&j, "name", f->name);
        json_string(&j, "text", f->text);
        json_string(&j, "advice", f->advice[0] != '\0' ? f->advice : NULL);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    (void)json_end(&j, TOOL_OK);
}

static int command_doctor(const arguments *a) {
    doctor d = {a->root != NULL ? a->root : "", NULL, 0, 0, false};
    d.findings = (finding *)allocate(MAX_FINDINGS * sizeof(finding));
    examine_library(&d);
    examine_nodes(&d);
    examine_drivers(&d);
    examine_devices(&d);
    examine_memory(&d);
    examine_processor(&d);
    if (a->cache != NULL) examine_cache(&d, a->cache);
    if (a->json) doctor_json(&d);
    for (size_t i = 0; i < d.count && !a->json; i++) {
        const finding *f = &d.findings[i];
        printf("  %-7s  %-11s  ", finding_names[f->status], f->name);
        print_wrapped(stdout, f->text, 24, 24);
        if (f->advice[0] == '\0') continue;
        printf("%20s  > ", "");
        print_wrapped(stdout, f->advice, 24, 24);
    }
    const int result = d.problems == 0 ? TOOL_OK : TOOL_REFUSED;
    free(d.findings);
    return result;
}

#endif /* NNRT_TOOLS_COMMAND_DOCTOR_H */
