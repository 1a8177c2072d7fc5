/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/inspect.h - is this a file for the CPU device, and what do its first bytes say?   >>cpu_inspect

   A .tflite has an identifier at byte 4, a plan (of `nnrt compile`, or the file of a cache) a magic number at byte 0.
   Only the header of either is read; Build reads the rest. All of it is untrusted. */
#ifndef NNRT_CPU_INSPECT_H
#define NNRT_CPU_INSPECT_H

#include "prepared.h"

#ifndef NNRT_NO_SENTENCES
/* What a plan's header says. A plan of another format version or shape has its fields elsewhere, so only its version
   can be read. */
NNRT__FN void nnrt__cpu_tell_plan(const nnrt__plan_header *header, bool ours, nnrt_inspect_callback tell, void *user) {
    char text[64];
    nnrt__format(text, sizeof(text), "plan of nnrt, format %u", (unsigned)header->version);
    tell(user, "kind", text);
    if (!ours) return;
    tell(user, "packed for", nnrt__isa_name(header->isa));
    nnrt__format(text, sizeof(text), "%u", (unsigned)header->threads);
    tell(user, "threads", text);
}
#else
NNRT__FN void nnrt__cpu_tell_plan(const nnrt__plan_header *header, bool ours, nnrt_inspect_callback tell, void *user) {
    (void)header;
    (void)ours;
    (void)tell;
    (void)user;
}
#endif

/* Is it a plan, as far as its header says? */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_inspect_plan(const void *bytes, size_t size, nnrt_inspect_callback tell,
                                                 void *user) {
    nnrt__plan_header header;
    bool ours;
    if (size < sizeof(header)) return nnrt__plan_refuse("it is shorter than its header", size);
    memcpy(&header, bytes, sizeof(header));
    ours = header.version == NNRT__PLAN_VERSION && header.shape == NNRT__PLAN_SHAPE;
    if (ours && header.size != size) return nnrt__plan_refuse("its size is not what its header says", size);
    if (tell != NULL) nnrt__cpu_tell_plan(&header, ours, tell, user);
    return OH_NN_SUCCESS;
}

/* Slot inspect. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_inspect(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user) {
    if (nnrt__plan_is(bytes, size)) return nnrt__cpu_inspect_plan(bytes, size, tell, user);
    return nnrt__cpu_inspect_model(bytes, size, tell, user);
}

#endif /* NNRT_CPU_INSPECT_H */
