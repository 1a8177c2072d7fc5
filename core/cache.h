/* SPDX-License-Identifier: Apache-2.0 */
/* core/cache.h - compiled models on disk: two files in a directory chosen by the program.   >>cache

     PREFIX0.nncache           the bytes from the device's save, unchanged, so that they can be mapped and used in place
     PREFIXcache_info.nncache  48 bytes, little-endian, that say what the other file is:
        0 "nnrtinfo"   8 u32 layout of this file (1)   12 u32 version given to SetCache   16 u64 device id
       24 u64 hash of model and settings               32 u64 size and   40 u32 CRC-32 of PREFIX0.nncache
       44 u32 CRC-32 of the 44 bytes before

   Both are written under temporary names, synchronised and renamed, the info last: after a power failure the info
   either matches the other file or its CRC shows that it does not. Their contents are untrusted; the device checks
   them. Only their user may read them. Symbolic links are not used, nor, in folders that everybody may write, files of
   other users; a file that cannot be replaced stays, and Build goes on without a cache. */
#ifndef NNRT_CORE_CACHE_H
#define NNRT_CORE_CACHE_H

#include "error.h"
#include "log.h"

#define NNRT__CACHE_INFO_SIZE 48
#define NNRT__CACHE_NO_VERSION 0xffffffffu /* reserved: never found, never saved */

/* Where a cache is and what it must match. */
typedef struct nnrt__cache_key {
    const char *folder;
    const char *prefix;
    uint32_t version;
    size_t device_id;
    bool has_model; /* model_hash counts */
    uint64_t model_hash;
    bool read_it;   /* read the file into memory, do not map it */
    uint64_t limit; /* largest size of a model or cache that is read whole */
} nnrt__cache_key;

typedef enum nnrt__cache_verdict {
    NNRT__CACHE_HIT,
    NNRT__CACHE_MISSING,
    NNRT__CACHE_OUTDATED, /* an older version */
    NNRT__CACHE_OTHER,    /* of another model, or other settings */
    NNRT__CACHE_NEWER,    /* a newer version than asked for */
    NNRT__CACHE_CORRUPT,  /* or of another device */
    NNRT__CACHE_NO_MEMORY
} nnrt__cache_verdict;

/* ---------------------------------------------------------------------------------------- hash of a model */

/* Continues hash with size bytes, eight at a time, like FNV-1a; not cryptographic. */
NNRT__FN uint64_t nnrt__hash_bytes(uint64_t hash, const void *data, size_t size) {
    const uint8_t *bytes = (const uint8_t *)data;
    uint64_t word = (uint64_t)size;
    hash = (hash ^ word) * 0x100000001b3u;
    for (; size >= sizeof(word); size -= sizeof(word), bytes += sizeof(word)) {
        memcpy(&word, bytes, sizeof(word));
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    for (; size != 0; size--) hash = (hash ^ *bytes++) * 0x100000001b3u;
    return hash ^ (hash >> 29);
}

NNRT__FN uint64_t nnrt__hash_number(uint64_t hash, uint64_t number) {
    return nnrt__hash_bytes(hash, &number, sizeof(number));
}

/* count elements of size bytes; list may be NULL when count is 0. */
NNRT__FN uint64_t nnrt__hash_list(uint64_t hash, const void *list, size_t count, size_t size) {
    return list != NULL ? nnrt__hash_bytes(hash, list, count * size) : nnrt__hash_number(hash, count);
}

NNRT__FN uint64_t nnrt__hash_graph(uint64_t hash, const nnrt_graph *graph) {
    uint32_t i, k;
    for (i = 0; i < graph->tensor_count; i++) {
        const nnrt_tensor_info *tensor = &graph->tensors[i];
        hash = nnrt__hash_bytes(hash, tensor->name, strlen(tensor->name));
        hash = nnrt__hash_number(hash, (uint64_t)tensor->dtype << 32 | (uint64_t)tensor->format << 16 |
                                           (uint64_t)tensor->type);
        hash = nnrt__hash_list(hash, tensor->dims, tensor->rank, sizeof(tensor->dims[0]));
        hash = nnrt__hash_number(hash, (uint64_t)tensor->quant.count << 32 | tensor->quant.axis);
        hash = nnrt__hash_list(hash, tensor->quant.scales, tensor->quant.count, sizeof(tensor->quant.scales[0]));
        hash =
            nnrt__hash_list(hash, tensor->quant.zero_points, tensor->quant.count, sizeof(tensor->quant.zero_points[0]));
        hash = nnrt__hash_list(hash, tensor->quant.num_bits, tensor->quant.count, sizeof(tensor->quant.num_bits[0]));
        hash = nnrt__hash_list(hash, tensor->data, tensor->data_size, 1);
    }
    for (i = 0; i < graph->node_count; i++) {
        const nnrt_node *node = &graph->nodes[i];
        hash = nnrt__hash_number(hash, (uint64_t)node->op);
        hash = nnrt__hash_list(hash, node->inputs, node->input_count, sizeof(node->inputs[0]));
        hash = nnrt__hash_list(hash, node->outputs, node->output_count, sizeof(node->outputs[0]));
        for (k = 0; k < node->param_count; k++) {
            const nnrt_param *param = &node->params[k];
            hash = nnrt__hash_number(hash, (uint64_t)param->type << 32 | (uint64_t)param->dtype);
            hash = nnrt__hash_list(hash, param->data, param->count, nnrt__element_size(param->dtype));
        }
    }
    hash = nnrt__hash_list(hash, graph->inputs, graph->input_count, sizeof(graph->inputs[0]));
    return nnrt__hash_list(hash, graph->outputs, graph->output_count, sizeof(graph->outputs[0]));
}

/* ------------------------------------------------------------------------------------ names and directory */

/* "folder/PREFIXname" + suffix, to be freed; NULL when out of memory. */
NNRT__FN char *nnrt__cache_path(const nnrt__cache_key *key, const char *name, const char *suffix) {
    size_t size = strlen(key->folder) + strlen(key->prefix) + strlen(name) + strlen(suffix) + 2;
    char *path = (char *)nnrt__alloc(size);
    if (path != NULL) nnrt__format(path, size, "%s/%s%s%s", key->folder, key->prefix, name, suffix);
    return path;
}

/* ------------------------------------------------------------------------------------------------ reading */

NNRT__FN uint64_t nnrt__read_u64(const uint8_t *from) {
    return (uint64_t)nnrt__read_u32(from) | (uint64_t)nnrt__read_u32(from + 4) << 32;
}

NNRT__FN void nnrt__write_le(uint8_t *to, uint64_t value, size_t bytes) {
    for (; bytes != 0; bytes--, value >>= 8) *to++ = (uint8_t)value;
}

/* Whether info is intact, as nnrt__cache_write wrote it. */
NNRT__FN bool nnrt__cache_info_is_sound(const uint8_t *info, size_t size) {
    return size == NNRT__CACHE_INFO_SIZE && memcmp(info, "nnrtinfo", 8) == 0 && nnrt__read_u32(info + 8) == 1 &&
           nnrt__crc32(0, info, NNRT__CACHE_INFO_SIZE - 4) == nnrt__read_u32(info + NNRT__CACHE_INFO_SIZE - 4);
}

/* The id of the device that wrote the cache at key; 0: there is no intact one. */
NNRT__FN size_t nnrt__cache_device_id(const nnrt__cache_key *key) {
    uint8_t info[NNRT__CACHE_INFO_SIZE];
    size_t size = 0;
    char *path = NNRT__HAS_FILES ? nnrt__cache_path(key, "cache_info.nncache", "") : NULL;
    bool sound = path != NULL && nnrt__read_file(path, key->folder, info, sizeof(info), &size) == NULL &&
                 nnrt__cache_info_is_sound(info, size);
    nnrt__free(path);
    return sound ? (size_t)nnrt__read_u64(info + 16) : 0;
}

/* Compares the info with key, and sets a sentence for every verdict but a hit. */
NNRT__FN nnrt__cache_verdict nnrt__cache_judge(const nnrt__cache_key *key, const uint8_t *info, size_t size,
                                               const char *path) {
    uint32_t version;
    if (!nnrt__cache_info_is_sound(info, size)) {
        (void)nnrt__fail(OH_NN_INVALID_FILE, "the cache is damaged: %.100s is not what was written", path);
        return NNRT__CACHE_CORRUPT;
    }
    if (nnrt__read_u64(info + 16) != (uint64_t)key->device_id) {
        (void)nnrt__fail(OH_NN_INVALID_FILE, "the cache is of another device: %.100s", path);
        return NNRT__CACHE_CORRUPT;
    }
    version = nnrt__read_u32(info + 12);
    if (version > key->version) {
        (void)nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "the cache has version %u, newer than %u: %.100s",
                         (unsigned)version, (unsigned)key->version, path);
        return NNRT__CACHE_NEWER;
    }
    if (version < key->version) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "the cache has version %u, older than %u: %.100s", (unsigned)version,
                         (unsigned)key->version, path);
        return NNRT__CACHE_OUTDATED;
    }
    if (key->has_model && nnrt__read_u64(info + 24) != key->model_hash) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "the cache is of another model or other settings: %.100s", path);
        return NNRT__CACHE_OTHER;
    }
    return NNRT__CACHE_HIT;
}

/* Maps or reads the blob of a checked info, after comparing its size. NULL on success; otherwise the reason, and
   nothing is held. */
NNRT__FN const char *nnrt__cache_take_blob(const nnrt__cache_key *key, const uint8_t *info, const char *path,
                                           nnrt__mapping *blob) {
    const uint64_t size = nnrt__read_u64(info + 32);
    const char *reason = size > key->limit ? nnrt__file_too_large : NULL;
    if (reason == NULL) reason = nnrt__take_file_within(path, key->folder, key->read_it, size, blob);
    if (reason == nnrt__file_too_large && size <= key->limit) reason = NNRT__WHY("is not what was written");
    if (reason == NULL &&
        ((uint64_t)blob->size != size || nnrt__crc32(0, blob->data, blob->size) != nnrt__read_u32(info + 40))) {
        nnrt__unmap_file(blob);
        reason = NNRT__WHY("is not what was written");
    }
    return reason;
}

/* Looks for the cache of key; a hit leaves the blob in *blob, mapped or read as the key says. */
NNRT__FN nnrt__cache_verdict nnrt__cache_lookup(const nnrt__cache_key *key, nnrt__mapping *blob) {
    nnrt__cache_verdict verdict = NNRT__CACHE_NO_MEMORY;
    uint8_t info[NNRT__CACHE_INFO_SIZE];
    size_t info_size = 0;
    const char *reason;
    char *info_path = nnrt__cache_path(key, "cache_info.nncache", "");
    char *blob_path = nnrt__cache_path(key, "0.nncache", "");
    memset(blob, 0, sizeof(*blob));
    if (info_path == NULL || blob_path == NULL) {
        (void)nnrt__fail_memory();
    } else if ((reason = nnrt__read_file(info_path, key->folder, info, sizeof(info), &info_size)) ==
               nnrt__file_absent) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "there is no cache: %.100s", info_path);
        verdict = NNRT__CACHE_MISSING;
    } else if (reason != NULL) {
        (void)nnrt__fail(OH_NN_INVALID_FILE, "the cache is damaged: %.100s %s", info_path, reason);
        verdict = NNRT__CACHE_CORRUPT;
    } else if ((verdict = nnrt__cache_judge(key, info, info_size, info_path)) == NNRT__CACHE_HIT) {
        reason = nnrt__cache_take_blob(key, info, blob_path, blob);
        if (reason == nnrt__file_no_memory) {
            (void)nnrt__fail(OH_NN_MEMORY_ERROR, "the cache %.100s %s", blob_path, reason);
            verdict = NNRT__CACHE_NO_MEMORY;
        } else if (reason != NULL) {
            (void)nnrt__fail(OH_NN_INVALID_FILE, "the cache is damaged: %.100s %s", blob_path, reason);
            verdict = NNRT__CACHE_CORRUPT;
        }
    }
    nnrt__free(info_path);
    nnrt__free(blob_path);
    return verdict;
}

/* ------------------------------------------------------------------------------------------------ writing */

/* nnrt__write_file, with a sentence. */
NNRT__FN OH_NN_ReturnCode nnrt__write_new_file(const char *folder, char *path, const void *data, size_t size) {
    switch (nnrt__write_file(folder, path, data, size)) {
    case NNRT__WRITTEN: return OH_NN_SUCCESS;
    case NNRT__WRITE_NO_SPACE:
        return nnrt__fail(OH_NN_SAVE_CACHE_EXCEPTION, "the cache file %.100s cannot be written: is the disk full?",
                          path);
    default: return nnrt__fail(OH_NN_INVALID_PARAMETER, "the cache file %.100s cannot be created", path);
    }
}

/* nnrt__rename_file, with a sentence. OH_NN_OPERATION_FORBIDDEN: the name belongs to another user's file, a directory,
   or something that the file system does not let go. */
NNRT__FN OH_NN_ReturnCode nnrt__replace_file(const char *from, const char *to) {
    switch (nnrt__rename_file(from, to)) {
    case NNRT__WRITTEN: return OH_NN_SUCCESS;
    case NNRT__WRITE_NO_SPACE:
        return nnrt__fail(OH_NN_SAVE_CACHE_EXCEPTION, "the cache file %.100s cannot be written: is the disk full?", to);
    default: return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "what is at %.100s cannot be replaced", to);
    }
}

/* Makes size bytes at blob the cache of key. The old cache stays unless everything was written. Returns the code of
   what failed, with its sentence; OH_NN_OPERATION_FORBIDDEN as nnrt__replace_file. */
NNRT__FN OH_NN_ReturnCode nnrt__cache_write(const nnrt__cache_key *key, const void *blob, size_t size) {
    static const char suffix[] = ".tmp.000000000000"; /* NNRT__TEMPORARY_DIGITS */
    uint8_t info[NNRT__CACHE_INFO_SIZE];
    char *paths[4];
    OH_NN_ReturnCode code;
    size_t i;
    paths[0] = nnrt__cache_path(key, "0.nncache", suffix);
    paths[1] = nnrt__cache_path(key, "cache_info.nncache", suffix);
    paths[2] = nnrt__cache_path(key, "0.nncache", "");
    paths[3] = nnrt__cache_path(key, "cache_info.nncache", "");
    memcpy(info, "nnrtinfo", 8);
    nnrt__write_le(info + 8, 1, 4);
    nnrt__write_le(info + 12, key->version, 4);
    nnrt__write_le(info + 16, key->device_id, 8);
    nnrt__write_le(info + 24, key->model_hash, 8);
    nnrt__write_le(info + 32, size, 8);
    nnrt__write_le(info + 40, nnrt__crc32(0, blob, size), 4);
    nnrt__write_le(info + 44, nnrt__crc32(0, info, 44), 4);
    if (paths[0] == NULL || paths[1] == NULL || paths[2] == NULL || paths[3] == NULL) {
        code = nnrt__fail_memory();
    } else if ((code = nnrt__write_new_file(key->folder, paths[0], blob, size)) == OH_NN_SUCCESS) {
        code = nnrt__write_new_file(key->folder, paths[1], info, sizeof(info));
        if (code == OH_NN_SUCCESS) {
            code = nnrt__replace_file(paths[0], paths[2]);
            if (code == OH_NN_SUCCESS) code = nnrt__replace_file(paths[1], paths[3]);
            if (code != OH_NN_SUCCESS) nnrt__remove_file(paths[1]);
        }
        if (code != OH_NN_SUCCESS) nnrt__remove_file(paths[0]);
    }
    for (i = 0; i < NNRT__COUNT_OF(paths); i++) nnrt__free(paths[i]);
    return code;
}

#endif /* NNRT_CORE_CACHE_H */
