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

const char *sim_rknn_file_open(const uint8_t *bytes, size_t size, sim_rknn_file *file) {
    uint64_t length, text;
    memset(file, 0, sizeof *file);
    if (size >= 8 && memcmp(bytes, "CYPTRKNN", 8) == 0) return "the model is encrypted";
    if (size < SIM_RKNN_HEADER || memcmp(bytes, "RKNN\0\0\0", 8) != 0) return "not a .rknn file";
    if (sim_rknn_u64_at(bytes + 8) < 1 || sim_rknn_u64_at(bytes + 8) > 6) return "Invalid RKNN model version";
    file->format_version = (uint32_t)sim_rknn_u64_at(bytes + 8);
    length = sim_rknn_u64_at(bytes + 16);
    if (length > size - SIM_RKNN_HEADER || size - SIM_RKNN_HEADER - length < 8) return "the .rknn file is cut short";
    text = sim_rknn_u64_at(bytes + SIM_RKNN_HEADER + length);
    if (text > size - SIM_RKNN_HEADER - length - 8) return "the .rknn file is cut short";
    if (!sim_rknn_json_string((const char *)bytes + SIM_RKNN_HEADER + length + 8, (size_t)text, "target_platform",
                              file->platform, sizeof file->platform))
        return "the .rknn file does not say for which chip it is";
    file->body = bytes + SIM_RKNN_HEADER;
    file->body_size = (size_t)length;
    return NULL;
}
