/* SPDX-License-Identifier: Apache-2.0 */
/* npu/library.h - finds a vendor's library at run time.   >>npu_library

   With glibc before 2.34 the program is linked with -ldl; a static program cannot do this at all. An unsuitable library
   stays loaded: a vendor's may not survive being unloaded. */
#ifndef NNRT_NPU_LIBRARY_H
#define NNRT_NPU_LIBRARY_H

#include <dlfcn.h>

#include "../core/error.h"
#include "../core/platform.h"
#include "elf.h"

/* A vendor's function and its place in the device's table of functions. */
typedef struct nnrt__library_symbol {
    const char *name;
    size_t slot; /* offset of a function pointer */
} nnrt__library_symbol;

/* Where a library is looked for. */
typedef struct nnrt__library_search {
    const char *variable;       /* environment variable: if set, the only library to try */
    const char *const *names;   /* otherwise these, until one is suitable; ended by NULL */
    const char *const *folders; /* each is tried in the loader's folders, then in these; ended by NULL */
    const char *absent;         /* the sentence when there is none */
    size_t name_size;           /* longest name that take keeps, its end included; at most 256 */
    /* Accepts a loaded library, or refuses it with a reason (OH_NN_UNAVAILABLE_DEVICE), and the next one is tried. */
    OH_NN_ReturnCode (*take)(void *user, const char *name, void *library);
    void *user;
} nnrt__library_search;

/* *function, a pointer to a function, gets the symbol or NULL. dlsym gives an object pointer; POSIX says that a
   function's has the same representation. */
NNRT__FN void nnrt__library_function(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof(symbol));
}

/* Fills the table of functions: NULL where the library has none. */
NNRT__FN void nnrt__library_functions(void *library, const nnrt__library_symbol *symbols, size_t count, void *table) {
    size_t i;
    for (i = 0; i < count; i++) nnrt__library_function(library, symbols[i].name, (char *)table + symbols[i].slot);
}

/* The name of the first function that the table lacks; NULL: all are there. */
NNRT__FN const char *nnrt__library_missing(const nnrt__library_symbol *symbols, size_t count, const void *table) {
    size_t i;
    for (i = 0; i < count; i++) {
        void *function;
        memcpy(&function, (const char *)table + symbols[i].slot, sizeof(function));
        if (function == NULL) return symbols[i].name;
    }
    return NULL;
}

/* What a stand-in for a vendor's library reports about its simulated board, through a function called name; NULL: the
   library is no stand-in, or reports nothing. */
NNRT__FN const char *nnrt__library_stand_in(void *library, const char *name) {
    const char *(*say)(void);
    nnrt__library_function(library, name, &say);
    return say != NULL ? say() : NULL;
}

/* The value of an environment variable; NULL: not set, empty, or not trusted (nnrt__environment). */
NNRT__FN const char *nnrt__library_chosen(const char *variable) {
    const char *chosen = nnrt__environment(variable);
    return chosen != NULL && chosen[0] != '\0' ? chosen : NULL;
}

/* The folder of the library at path, with its last "/"; "": path is NULL, has none, or one of size bytes or more. */
NNRT__FN void nnrt__library_folder(const char *path, char *folder, size_t size) {
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    const size_t kept = length < size ? length : 0;
    if (kept != 0) memcpy(folder, path, kept);
    folder[kept] = '\0';
}

/* Tries one library. *there: it could be loaded. */
NNRT__FN OH_NN_ReturnCode nnrt__library_try(const nnrt__library_search *search, const char *name, bool *there) {
    void *library;
    *there = false;
    if (strlen(name) >= search->name_size)
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "the name of the library in %s is too long", search->variable);
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    *there = library != NULL;
    if (library == NULL) {
        const char *reason = dlerror();
        if (reason == NULL) reason = "no reason is given";
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s cannot be loaded: %s%s", name, reason,
                          strstr(reason, "libc.so.0") != NULL ? " (it is for programs built with uClibc)" : "");
    }
    return search->take(search->user, name, library);
}

/* Whether the sentence of try only says that there is no such library, which loaders word differently. A library that
   exists and lacks another one is worth reporting. */
NNRT__FN bool nnrt__library_is_absence(const char *sentence, const char *name) {
    const char *reason = sentence + strlen(name);
    return (strstr(reason, "No such file") != NULL && strstr(reason, name) != NULL) ||
           strstr(reason, ": File not found") != NULL;
}

/* Takes the first suitable library. If there is none, the sentence is about the first that could be loaded, else the
   first that exists but cannot be loaded, else that there is none. */
NNRT__FN OH_NN_ReturnCode nnrt__library_look(const nnrt__library_search *search) {
    const char *chosen = nnrt__library_chosen(search->variable);
    char sentence[NNRT__SENTENCE_SIZE];
    bool found = false, there;
    size_t i, k;
    if (chosen != NULL) return nnrt__library_try(search, chosen, &there);
    nnrt__format(sentence, sizeof(sentence), "%s", search->absent);
    for (i = 0; search->names[i] != NULL; i++) {
        for (k = 0; k == 0 || search->folders[k - 1] != NULL; k++) {
            char path[256];
            nnrt__format(path, sizeof(path), "%s%s%s", k == 0 ? "" : search->folders[k - 1], k == 0 ? "" : "/",
                         search->names[i]);
            if (nnrt__library_try(search, path, &there) == OH_NN_SUCCESS) return OH_NN_SUCCESS;
            if (!there) there = !nnrt__library_is_absence(nnrt__sentence(), path);
            if (there && !found) memcpy(sentence, nnrt__sentence(), sizeof(sentence));
            found = found || there;
            if (there) break; /* the same library in another place is not looked for */
        }
    }
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s", sentence);
}

/* Whether the file called name in one of the folders of path, "DIR:DIR", is for another kind of program; elf describes
   it, and at (size bytes) gets its path. */
NNRT__FN bool nnrt__library_misfits(const char *path, const char *name, const nnrt__elf *program, nnrt__elf *elf,
                                    char *at, size_t size) {
    while (*path != '\0') {
        const size_t length = strcspn(path, ":");
        if (length + strlen(name) + 2 <= size) {
            memcpy(at, path, length);
            nnrt__format(at + length, size - length, "/%s", name);
            *elf = nnrt__elf_read(at);
            if (nnrt__elf_misfits(elf, program)) return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

/* Improves the sentence after no library was taken: if the one to try, or the first of names, exists but is for another
   kind of program, the sentence says so. A loader skips it and reports that there is none. */
NNRT__FN OH_NN_ReturnCode nnrt__library_explain(const nnrt__library_search *search) {
    const nnrt__elf program = nnrt__elf_read("/proc/self/exe");
    const char *chosen = nnrt__library_chosen(search->variable), *name = chosen != NULL ? chosen : search->names[0];
    const char *path = nnrt__library_chosen("LD_LIBRARY_PATH");
    char at[256], theirs[48], ours[48];
    nnrt__elf elf;
    size_t i;
    bool found;
    if (name == NULL) return OH_NN_UNAVAILABLE_DEVICE; /* there was nothing to try */
    if (strchr(name, '/') != NULL) {
        nnrt__format(at, sizeof(at), "%s", name);
        elf = nnrt__elf_read(at);
        found = nnrt__elf_misfits(&elf, &program);
    } else {
        found = (path != NULL && nnrt__library_misfits(path, name, &program, &elf, at, sizeof(at))) ||
                nnrt__library_misfits("/usr/lib:/lib", name, &program, &elf, at, sizeof(at));
        for (i = 0; !found && search->folders[i] != NULL; i++)
            found = nnrt__library_misfits(search->folders[i], name, &program, &elf, at, sizeof(at));
    }
    if (!found) return OH_NN_UNAVAILABLE_DEVICE;
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%.80s is %s, and this program %s: %s", at,
                      nnrt__elf_name(&elf, theirs, sizeof(theirs)), nnrt__elf_name(&program, ours, sizeof(ours)),
                      elf.floats == NNRT__ELF_SOFT && program.floats == NNRT__ELF_HARD
                          ? "build it with -mfloat-abi=softfp and the SDK's compiler"
                          : "build it for the chip");
}

/* Takes the first suitable library. OH_NN_UNAVAILABLE_DEVICE: there is none, with the reason. */
NNRT__FN OH_NN_ReturnCode nnrt__library_find(const nnrt__library_search *search) {
    const OH_NN_ReturnCode code = nnrt__library_look(search);
    return code == OH_NN_SUCCESS ? code : nnrt__library_explain(search);
}

#endif /* NNRT_NPU_LIBRARY_H */
