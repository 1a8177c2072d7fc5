/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_no_files.h - NNRT_NO_STDIO: the names of platform_files.h on a target without files.
   >>platform_no_files

   Opening and creating fail with a reason; models and caches come from memory. No header. */
#ifndef NNRT_CORE_PLATFORM_NO_FILES_H
#define NNRT_CORE_PLATFORM_NO_FILES_H

#define NNRT__HAS_FILES 0

NNRT__FN const char *nnrt__environment(const char *name) {
    (void)name;
    return NULL;
}

NNRT__FN void nnrt__unmap_file(nnrt__mapping *mapping) {
    nnrt__free(mapping->memory);
    nnrt__clear(mapping, sizeof(*mapping));
}

NNRT__FN void nnrt__let_go_of_file(const nnrt__mapping *mapping, const void *from, size_t size) {
    (void)mapping;
    (void)from;
    (void)size;
}

NNRT__FN const char *nnrt__take_file_within(const char *path, const char *folder, bool read_it, uint64_t most,
                                            nnrt__mapping *mapping) {
    (void)path;
    (void)folder;
    (void)read_it;
    (void)most;
    memset(mapping, 0, sizeof(*mapping));
    return NNRT__WHY("this build has no files (NNRT_NO_STDIO)");
}

NNRT__FN const char *nnrt__take_file(const char *path, bool read_it, nnrt__mapping *mapping) {
    return nnrt__take_file_within(path, NULL, read_it, 0, mapping);
}

NNRT__FN const char *nnrt__read_file(const char *path, const char *folder, void *to, size_t capacity, size_t *size) {
    (void)path;
    (void)folder;
    (void)to;
    (void)capacity;
    (void)size;
    return NNRT__WHY("cannot be read: this build has no files (NNRT_NO_STDIO)");
}

NNRT__FN const char *nnrt__folder_problem(const char *folder, bool writable) {
    (void)folder;
    (void)writable;
    return NNRT__WHY("cannot be used: this build has no files (NNRT_NO_STDIO)");
}

NNRT__FN bool nnrt__file_exists(const char *path) {
    (void)path;
    return false;
}
NNRT__FN void nnrt__remove_file(const char *path) { (void)path; }
NNRT__FN nnrt__write_result nnrt__rename_file(const char *from, const char *to) {
    (void)from;
    (void)to;
    return NNRT__WRITE_NO_FILE;
}
NNRT__FN nnrt__write_result nnrt__write_file(const char *folder, char *path, const void *data, size_t size) {
    (void)folder;
    (void)path;
    (void)data;
    (void)size;
    return NNRT__WRITE_NO_FILE;
}

#endif /* NNRT_CORE_PLATFORM_NO_FILES_H */
