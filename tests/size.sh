#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Flash, per section, of a program that loads a .tflite from a buffer, builds and runs it (tests/size/kws.c).
# -Os, unused sections dropped, C library linked dynamically, no model inside. kws: NNRT_OPS has the six
# operators of a keyword spotting network and nothing else. The Cortex-M4 has no system: what the program uses of newlib
# (malloc, the functions of math.h, double in software) is inside.
set -u
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kws='NNRT_OPS(X)=X(CONV2D)X(DEPTHWISE_CONV2D_NATIVE)X(AVG_POOL)X(RESHAPE)X(FULL_CONNECTION)X(SOFTMAX)'

section() { # section REGULAR_EXPRESSION: bytes of the sections of the program that have such a name
    size -A "$work/program" | awk -v want="^($1)\$" '$1 ~ want { sum += $2 } END { print sum + 0 }'
}

row() { # row NAME DEFINES COMMAND...: DEFINES without spaces, parted by commas
    name=$1 defines=$(echo "$2" | sed 's/[^,][^,]*/-D&/g; s/,/ /g')
    shift 2
    "$@" -std=c99 -Os -ffunction-sections -fdata-sections -Wl,--gc-sections $defines -Ibuild \
        tests/size/kws.c -o "$work/program" -lm $threads || exit 1
    printf '%-36s %8d %8d %8d %8d\n' "$name" "$(section '[.]text')" "$(section '[.]rodata')" \
        "$(section '[.]data|[.]data[.]rel[.]ro')" "$(section '[.]bss')"
}

threads=-lpthread
thumb="arm-linux-gnueabihf-gcc -mthumb -mcpu=cortex-a7 -mfpu=neon-vfpv4"
for target in gcc "$thumb" aarch64-linux-gnu-gcc; do
    command -v "${target%% *}" >/dev/null || { echo "absent ${target%% *}"; continue; }
    printf '%s -Os\n%36s %8s %8s %8s %8s\n' "$target" "" .text .rodata .data .bss
    row "  all operators" "" $target
    row "  all, NNRT_NO_SIMD" NNRT_NO_SIMD $target
    row "  kws" "$kws" $target
    row "  kws, NNRT_NO_SIMD" "$kws,NNRT_NO_SIMD" $target
    row "  kws, NO_SIMD, NO_THREADS, NO_STDIO" "$kws,NNRT_NO_SIMD,NNRT_NO_THREADS,NNRT_NO_STDIO" $target
    row "  NNRT_NO_CPU (core only)" NNRT_NO_CPU $target
done

threads=
bare="arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard --specs=nosys.specs"
none=NNRT_NO_THREADS,NNRT_NO_STDIO
command -v arm-none-eabi-gcc >/dev/null || { echo "absent arm-none-eabi-gcc"; exit 0; }
printf '%s -Os\n%36s %8s %8s %8s %8s\n' "$bare" "" .text .rodata .data .bss
row "  all operators, NO_THREADS, NO_STDIO" "$none" $bare
row "  kws, NO_THREADS, NO_STDIO" "$kws,$none" $bare
row "  NNRT_NO_CPU (core only)" "NNRT_NO_CPU,$none" $bare
