#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Flash that build/nnrt.h adds to a program, in bytes of code and constants, without the C library's own.
# One table: compiler and processor, for the whole library and for parts of it. -Os, sections that nothing uses removed.
set -u
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row() { # row NAME DEFINES COMMAND...
    name=$1 defines=$2
    shift 2
    command -v "$1" >/dev/null || { echo "absent $1"; return; }
    printf '%b#define NNRT_IMPLEMENTATION\n#include "nnrt.h"\n' "$defines" >"$work/size.c"
    "$@" -std=c99 -Os -ffunction-sections -fdata-sections -Ibuild -c "$work/size.c" -o "$work/size.o" || exit 1
    set -- $(size "$work/size.o" | tail -n 1)
    printf '%-34s %8d text %6d data %6d bss\n' "$name" "$1" "$2" "$3"
}

for target in "gcc" "arm-linux-gnueabihf-gcc -mthumb -mcpu=cortex-a7 -mfpu=neon-vfpv4" "aarch64-linux-gnu-gcc"; do
    echo "$target -Os"
    row "  everything" "" $target
    row "  NNRT_NO_SIMD" "#define NNRT_NO_SIMD\n" $target
    row "  NNRT_NO_SIMD, NNRT_NO_THREADS" "#define NNRT_NO_SIMD\n#define NNRT_NO_THREADS\n" $target
    row "  NNRT_NO_CPU (core only)" "#define NNRT_NO_CPU\n" $target
done
