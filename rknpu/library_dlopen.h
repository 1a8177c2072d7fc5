/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/library_dlopen.h - the runtime library looked for while the program runs; a piece of library.h.

   NNRT_RKNPU_LIBRARY in the environment names the library, and then only that one is tried. With glibc before 2.34 the
   program is linked with -ldl; a static program cannot do this at all and wants NNRT_RKNPU_LINK. A library that does
   not fit stays loaded: nobody promises that the vendor's can be unloaded. */
#ifndef NNRT_RKNPU_LIBRARY_DLOPEN_H
#define NNRT_RKNPU_LIBRARY_DLOPEN_H

#include <dlfcn.h>

typedef struct nnrt__rknn_symbol {
    const char *name;
    size_t slot; /* offset in nnrt__rknn_api */
} nnrt__rknn_symbol;

/* dlsym gives an object pointer; POSIX says that a function's has the same representation. */
NNRT__FN void nnrt__rknpu_symbol(void *handle, const char *name, void *function) {
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof(symbol));
}

NNRT__FN void nnrt__rknpu_symbols(void *handle, nnrt__rknn_api *api) {
#define NNRT__RKNN_SLOT(symbol, field) { symbol, offsetof(nnrt__rknn_api, field) }
    static const nnrt__rknn_symbol symbols[] = {
        NNRT__RKNN_SLOT("rknn_init", init),
        NNRT__RKNN_SLOT("rknn_dup_context", dup_context),
        NNRT__RKNN_SLOT("rknn_destroy", destroy),
        NNRT__RKNN_SLOT("rknn_query", query),
        NNRT__RKNN_SLOT("rknn_inputs_set", inputs_set),
        NNRT__RKNN_SLOT("rknn_set_batch_core_num", set_batch_core_num),
        NNRT__RKNN_SLOT("rknn_set_core_mask", set_core_mask),
        NNRT__RKNN_SLOT("rknn_run", run),
        NNRT__RKNN_SLOT("rknn_outputs_get", outputs_get),
        NNRT__RKNN_SLOT("rknn_outputs_release", outputs_release),
        NNRT__RKNN_SLOT("rknn_create_mem_from_phys", create_mem_from_phys),
        NNRT__RKNN_SLOT("rknn_create_mem_from_fd", create_mem_from_fd),
        NNRT__RKNN_SLOT("rknn_create_mem", create_mem),
        NNRT__RKNN_SLOT("rknn_create_mem2", create_mem2),
        NNRT__RKNN_SLOT("rknn_destroy_mem", destroy_mem),
        NNRT__RKNN_SLOT("rknn_set_weight_mem", set_weight_mem),
        NNRT__RKNN_SLOT("rknn_set_internal_mem", set_internal_mem),
        NNRT__RKNN_SLOT("rknn_set_io_mem", set_io_mem),
        NNRT__RKNN_SLOT("rknn_set_input_shapes", set_input_shapes),
        NNRT__RKNN_SLOT("rknn_mem_sync", mem_sync),
        NNRT__RKNN_SLOT("rknn_register_custom_ops", register_custom_ops),
        NNRT__RKNN_SLOT("rknn_custom_op_get_op_attr", custom_op_get_op_attr),
        NNRT__RKNN_SLOT("rknn_matmul_create", matmul_create),
        NNRT__RKNN_SLOT("rknn_matmul_create_dynamic_shape", matmul_create_dynamic_shape),
        NNRT__RKNN_SLOT("rknn_matmul_set_io_mem", matmul_set_io_mem),
        NNRT__RKNN_SLOT("rknn_matmul_set_core_mask", matmul_set_core_mask),
        NNRT__RKNN_SLOT("rknn_matmul_set_quant_params", matmul_set_quant_params),
        NNRT__RKNN_SLOT("rknn_matmul_get_quant_params", matmul_get_quant_params),
        NNRT__RKNN_SLOT("rknn_matmul_set_dynamic_shape", matmul_set_dynamic_shape),
        NNRT__RKNN_SLOT("rknn_matmul_run", matmul_run),
        NNRT__RKNN_SLOT("rknn_matmul_destroy", matmul_destroy),
        NNRT__RKNN_SLOT("rknn_B_normal_layout_to_native_layout", b_to_native),
    };
#undef NNRT__RKNN_SLOT
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(symbols); i++)
        nnrt__rknpu_symbol(handle, symbols[i].name, (char *)api + symbols[i].slot);
}

/* A function of a stand-in for the vendor's library, which says something about the board that it plays. */
NNRT__FN const char *nnrt__rknpu_stand_in(void *handle, const char *name) {
    const char *(*say)(void);
    nnrt__rknpu_symbol(handle, name, &say);
    return say != NULL ? say() : NULL;
}

/* One library. *there: it could be loaded. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_library_try(nnrt__rknpu_library *library, const char *name, bool *there) {
    nnrt__rknn_probe probe;
    void *handle, *symbol;
    *there = false;
    memset(library, 0, sizeof(*library));
    if (strlen(name) >= sizeof(library->name))
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "the name of the runtime in NNRT_RKNPU_LIBRARY is too long");
    nnrt__format(library->name, sizeof(library->name), "%s", name);
    handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *reason = dlerror();
        if (reason == NULL) reason = "no reason is given";
        return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s cannot be loaded: %s%s", name, reason,
                          strstr(reason, "libc.so.0") != NULL ? " (it is for programs built with uClibc)" : "");
    }
    *there = true;
    nnrt__rknpu_symbols(handle, &library->api);
    symbol = dlsym(handle, "rknn_set_input_shape");
    probe.set_input_shape = symbol != NULL;
    nnrt__rknpu_symbol(handle, "rknn_matmul_create_dyn_shape", &probe.matmul_create_dyn_shape);
    return nnrt__rknpu_library_finish(library, &probe, nnrt__rknpu_stand_in(handle, "nnrt_rknpu_node"),
                                      nnrt__rknpu_stand_in(handle, "nnrt_rknpu_chip"));
}

/* Does the sentence of try only say that there is no such library? Loaders word it differently. A library that is there
   and misses another one is news. */
NNRT__FN bool nnrt__rknpu_is_absence(const char *sentence, const char *name) {
    const char *reason = sentence + strlen(name);
    return (strstr(reason, "No such file") != NULL && strstr(reason, name) != NULL) ||
           strstr(reason, ": File not found") != NULL;
}

/* What is said when nothing fits: about the first library that is there, else about the first that is there but cannot
   be loaded, else that there is none. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_library_open(nnrt__rknpu_library *library) {
    static const char *const names[] = {"librknnrt.so", "librknn_api.so", "librknnmrt.so"};
    /* not for programs that run with the rights of another user: as the loader treats LD_LIBRARY_PATH */
    const bool trusted = getuid() == geteuid() && getgid() == getegid();
    const char *chosen = trusted ? getenv("NNRT_RKNPU_LIBRARY") : NULL;
    char sentence[NNRT__SENTENCE_SIZE];
    bool found = false, there;
    size_t i;
    if (chosen != NULL && chosen[0] != '\0') return nnrt__rknpu_library_try(library, chosen, &there);
    nnrt__format(sentence, sizeof(sentence),
                 "no runtime of Rockchip: librknnrt.so and librknnmrt.so are not where the loader looks "
                 "(LD_LIBRARY_PATH, /usr/lib), and NNRT_RKNPU_LIBRARY names none");
    for (i = 0; i < NNRT__COUNT_OF(names); i++) {
        const char *reason;
        if (nnrt__rknpu_library_try(library, names[i], &there) == OH_NN_SUCCESS) return OH_NN_SUCCESS;
        reason = nnrt__sentence();
        if (!there) there = !nnrt__rknpu_is_absence(reason, names[i]);
        if (there && !found) memcpy(sentence, reason, sizeof(sentence));
        found = found || there;
    }
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "%s", sentence);
}

#endif /* NNRT_RKNPU_LIBRARY_DLOPEN_H */
