#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Flash, per section, of a program that loads a model from a buffer, builds and runs it (tests/size/kws.c), and the
# stack that calls take, as the tables of docs/sizes.md. -Os, unused sections dropped, C library linked dynamically, no
# model inside. The Cortex-M4 has no system: what the program uses of newlib (malloc, the functions of math.h, double in
# software) is inside.
#
#     make size                       prints the tables, and compares them with docs/sizes.md
#     tests/size.sh                   prints them; JOBS rows are made at a time
#     tests/size.sh --check FILE      prints them, and fails where .text or .rodata is more than a sixth and 512 bytes
#                                     above what FILE has in that row: compilers differ by less, a table or a room that
#                                     comes back is more; of the stack, more than a quarter and 512 bytes
set -u
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kws='NNRT_OPS(X)=X(CONV2D)X(DEPTHWISE_CONV2D_NATIVE)X(AVG_POOL)X(RESHAPE)X(FULL_CONNECTION)X(SOFTMAX)'
none=NNRT_NO_THREADS,NNRT_NO_STDIO
least=$none,NNRT_PLANS_ONLY,NNRT_NO_SENTENCES,NNRT_ONE_DEVICE,NNRT_NO_STATES,NNRT_API=static
steps() { # steps LEVEL: those of a keyword spotter, as its plan for that target lists them
    softmax=softmax_s8
    [ "$1" != SCALAR ] || softmax=softmax_few_s8
    echo "NNRT_STEPS(X)=X(conv_s8+$1)X(dw_s8+$1)X(avg_pool_s8+$1)X(fc_s8+$1)X($softmax+SCALAR)"
}

section() { # section PROGRAM REGULAR_EXPRESSION: bytes of its sections that have such a name
    size -A "$1" | awk -v want="^($2)\$" '$1 ~ want { sum += $2 } END { print sum + 0 }'
}

rows=0
row() { # row NAME DEFINES COMMAND...: DEFINES without spaces, parted by commas; + stands for a comma inside one
    rows=$((rows + 1))
    make_row "$work/$(printf %03d $rows)" "$@" &
    [ $((rows % ${JOBS:-$(nproc)})) != 0 ] || wait
}
make_row() { # make_row RESULT, and what row has
    made=$1 name=$2 defines=$(echo "$3" | sed 's/[^,][^,]*/-D&/g; s/,/ /g; s/+/,/g')
    shift 3
    "$@" -std=c99 -Os -ffunction-sections -fdata-sections -Wl,--gc-sections $defines -Ibuild \
        tests/size/kws.c -o "$made" -lm $threads || { touch "$work/failed"; return; }
    printf '| %s | %s | %d | %d | %d | %d |\n' "$processor" "$name" "$(section "$made" '[.]text')" \
        "$(section "$made" '[.]rodata')" "$(section "$made" '[.]data|[.]data[.]rel[.]ro')" \
        "$(section "$made" '[.]bss')" >"$made.row"
}

tables() {
    printf '| processor | program | .text | .rodata | .data | .bss |\n|---|---|---|---|---|---|\n'
    threads=-lpthread
    thumb="arm-linux-gnueabihf-gcc -mthumb -mcpu=cortex-a7 -mfpu=neon-vfpv4"
    for target in "x86-64:SSE41:gcc" "ARMv7 Thumb-2:NEON:$thumb" "AArch64:NEON:aarch64-linux-gnu-gcc"; do
        processor=${target%%:*} compiler=${target##*:} level=${target#*:} level=${level%%:*}
        command -v "${compiler%% *}" >/dev/null || { echo "absent ${compiler%% *}" >&2; continue; }
        row "all operators" "" $compiler
        row "six operators" "$kws" $compiler
        row "six operators, NO_SIMD, NO_THREADS, NO_STDIO" "$kws,NNRT_NO_SIMD,$none" $compiler
        row "six operators, five steps" "$kws,$(steps $level)" $compiler
        row "six operators, five steps, NO_SENTENCES, ONE_DEVICE" \
            "$kws,$(steps $level),$none,NNRT_NO_SENTENCES,NNRT_ONE_DEVICE" $compiler
        row "five steps, portable" "$(steps SCALAR),NNRT_NO_SIMD,$least" $compiler
        row "five steps, $level" "$(steps $level),$least" $compiler
    done
    threads= processor=Cortex-M4
    bare="arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard --specs=nosys.specs"
    if command -v arm-none-eabi-gcc >/dev/null; then
        row "all operators" "$none" $bare
        row "six operators" "$kws,$none" $bare
        row "five steps" "$(steps SCALAR),$least" $bare
        row "NNRT_NO_CPU (core only)" "NNRT_NO_CPU,$none" $bare
    else
        echo "absent arm-none-eabi-gcc" >&2
    fi
    wait
    cat "$work"/*.row
}

# The stack that calls take (tests/size/stack.c), of the keyword meter and of all operators that the seeds of the
# fuzzers have.
stack_row() { # stack_row PROCESSOR EMULATOR COMMAND...
    processor=$1 emulator=$2
    shift 2
    command -v "${emulator:-sh}" >/dev/null && command -v "$1" >/dev/null || { echo "absent $1 $emulator" >&2; return; }
    "$@" -std=gnu99 -Os -Ibuild tests/size/stack.c -o "$work/stack" -static -lm -lpthread &&
        $emulator "$work/stack" examples/meter/meter.tflite tests/fuzz/seeds/tflite/*.tflite >"$work/depths" ||
        { touch "$work/failed"; return; }
    read -r b1 e1 r1 p1 b2 e2 r2 p2 <"$work/depths"
    printf '| %s | %d, %d | %d, %d | %d, %d | %d, %d |\n' "$processor" "$b1" "$b2" "$e1" "$e2" "$r1" "$r2" "$p1" "$p2"
}
stacks() {
    printf '\n| processor | Build of a `.tflite` | an executor | a run | Build of a plan |\n|---|---|---|---|---|\n'
    stack_row x86-64 "" gcc
    stack_row "ARMv7 Thumb-2" qemu-arm arm-linux-gnueabihf-gcc -mthumb -mcpu=cortex-a7 -mfpu=neon-vfpv4
    stack_row AArch64 qemu-aarch64 aarch64-linux-gnu-gcc
}

{ tables && stacks; } | tee "$work/tables"
[ ! -e "$work/failed" ] || exit 1
[ "${1:-}" = --check ] || exit 0
awk -F'|' 'NR == FNR {
        if (NF == 8) { text[$2 $3] = $4; rodata[$2 $3] = $5 }
        for (i = 3; NF == 7 && i <= 6; i++) stack[$2 i] = $i
        next
    }
    NF == 8 && $4 + 0 > 0 {
        if (($2 $3 in text) && ($4 > text[$2 $3] * 7 / 6 + 512 || $5 > rodata[$2 $3] * 7 / 6 + 512)) {
            print "larger than documented:" $2 $3 $4 $5; bad = 1
        }
    }
    NF == 7 && NR != FNR && $3 + 0 > 0 {
        for (i = 3; i <= 6; i++) {
            split($i, is, ","); split(stack[$2 i], was, ",")
            if ($2 i in stack && (is[1] > was[1] * 5 / 4 + 512 || is[2] > was[2] * 5 / 4 + 512)) {
                print "more stack than documented:" $0; bad = 1
            }
        }
    }
    END { exit bad }' "$2" "$work/tables" && exit 0
echo "  FIX: make it smaller, or docs/sizes.md true (make size)"
exit 1
