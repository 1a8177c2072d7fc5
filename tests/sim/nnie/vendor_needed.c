/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_needed.c - the libraries that libmpi.so and libnnie.so use and do not name: libsecurec.so, libupvqe.so,
   libdnvqe.so and libVoiceEngine.so, whichever the macro says. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NEEDED __attribute__((visibility("default")))

NEEDED int32_t memcpy_s(void *to, size_t size, const void *from, size_t length);
NEEDED int32_t memset_s(void *to, size_t size, int32_t value, size_t count);
NEEDED int32_t strncpy_s(char *to, size_t size, const char *from, size_t count);
NEEDED int32_t HI_UPVQE_Create(void);
NEEDED int32_t HI_DNVQE_Create(void);
NEEDED int32_t HI_VOICE_DecReset(void);

#if defined(NNRT_SIM_SECUREC)

int32_t memcpy_s(void *to, size_t size, const void *from, size_t length) {
    if (!to || !from || length > size) return -1;
    memcpy(to, from, length);
    return 0;
}

int32_t memset_s(void *to, size_t size, int32_t value, size_t count) {
    if (!to || count > size) return -1;
    memset(to, value, count);
    return 0;
}

int32_t strncpy_s(char *to, size_t size, const char *from, size_t count) {
    size_t length = 0;
    if (!to || !from || size == 0) return -1;
    while (length < count && from[length]) length++;
    if (length >= size) return -1;
    memcpy(to, from, length);
    to[length] = '\0';
    return 0;
}

#elif defined(NNRT_SIM_UPVQE)

int32_t HI_UPVQE_Create(void) { return memset_s(NULL, 0, 0, 0); }

#elif defined(NNRT_SIM_DNVQE)

int32_t HI_DNVQE_Create(void) { return memset_s(NULL, 0, 0, 0); }

#else

int32_t HI_VOICE_DecReset(void) { return memset_s(NULL, 0, 0, 0); }

#endif
