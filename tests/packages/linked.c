/* SPDX-License-Identifier: Apache-2.0 */
#include <nnrt.h>

#include <string.h>

/* Is there a word of nnrt_version()? */
static int has(const char *word) {
    const char *at = nnrt_version();
    const size_t length = strlen(word);
    while ((at = strstr(at, word)) != NULL && (at[-1] != ' ' || (at[length] != ' ' && at[length] != '\0'))) at++;
    return at != NULL;
}

/* The compiled library has all devices, that of firmware one. */
int main(void) {
    const int all = has("rknpu") && has("nnie") && has("bpu"), none = !has("rknpu") && !has("nnie") && !has("bpu");
    return !(all || none) || has("rknpu_open") != (all && has("cpu"));
}
