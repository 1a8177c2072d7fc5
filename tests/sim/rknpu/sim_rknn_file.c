/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_file.c - takes the outside of a .rknn off, hostile bytes or not. */
#include "sim_rknn_file.h"

#include <string.h>

#define SIM_RKNN_HEADER 64u

static uint64_t sim_rknn_u64_at(const uint8_t *p) {
    uint64_t value = 0;
    int i;
    for (i = 7; i >= 0; i--) value = value << 8 | p[i];
    return value;
}

/* The first string behind "key": in a JSON text, out of a list or not. false: there is none of 1 to room - 1 bytes. */
static bool sim_rknn_json_string(const char *json, size_t size, const char *key, char *to, size_t room) {
    size_t length = strlen(key), at, begin;
    memset(to, 0, room);
    for (at = 0; at + length + 2 <= size; at++)
        if (json[at] == '"' && memcmp(json + at + 1, key, length) == 0 && json[at + 1 + length] == '"') break;
    at += length + 2;
    while (at < size && strchr(" \t\r\n:[", json[at]) != NULL && json[at] != 0) at++;
    if (at >= size || json[at] != '"') return false;
    begin = ++at;
    while (at < size && json[at] != '"') at++;
    if (at >= size || at == begin || at - begin >= room) return false;
    memcpy(to, json + begin, at - begin);
    return true;
}

const char *sim_rknn_file_open(const uint8_t *bytes, size_t size, bool mini, sim_rknn_file *file) {
    uint64_t length, text;
    memset(file, 0, sizeof *file);
    if (size >= 8 && memcmp(bytes, "CYPTRKNN", 8) == 0) return "the model is encrypted";
    if (size <= SIM_RKNN_HEADER) return "rknn model is too small!";
    if (memcmp(bytes, "RKNN\0\0\0", 8) != 0) return "invalid RKNN_MAGIC!";
    file->format_version = sim_rknn_u64_at(bytes + 8);
    length = sim_rknn_u64_at(bytes + 16);
    file->body = bytes + SIM_RKNN_HEADER;
    file->body_size = mini ? size - SIM_RKNN_HEADER : (size_t)length;
    if (length > size - SIM_RKNN_HEADER) return mini ? NULL : "the .rknn file is cut short";
    if (size - SIM_RKNN_HEADER - length < 8) return NULL;
    text = sim_rknn_u64_at(bytes + SIM_RKNN_HEADER + length);
    if (text > size - SIM_RKNN_HEADER - length - 8) text = size - SIM_RKNN_HEADER - length - 8;
    (void)sim_rknn_json_string((const char *)bytes + SIM_RKNN_HEADER + length + 8, (size_t)text, "target_platform",
                               file->platform, sizeof file->platform);
    return NULL;
}

/* librknnmrt takes up to 0x1000 in no version. What those before 1.6.0 do with 0x1001 to 0x1003, the formats of their
   time, is assumed: nobody has such a file. */
static sim_rknn_verdict sim_rknn_mini_format(uint64_t format, uint32_t version) {
    if (format <= 0x1000) return version >= 0x010502 ? SIM_RKNN_REFUSES : SIM_RKNN_DIES;
    if (format <= 0x1003) return version >= 0x010600 ? SIM_RKNN_REFUSES : SIM_RKNN_TAKES;
    return version >= 0x010600 ? SIM_RKNN_TAKES : SIM_RKNN_DIES;
}

sim_rknn_verdict sim_rknn_file_format(uint64_t format, bool mini, uint32_t version) {
    const uint64_t newest = version >= 0x010502 ? 6 : version >= 0x010500 ? 4 : 2;
    if (mini) return sim_rknn_mini_format(format, version);
    return format >= 1 && format <= newest ? SIM_RKNN_TAKES : SIM_RKNN_REFUSES;
}
