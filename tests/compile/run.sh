#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles nnrt the ways its users do, with every warning an error; runs nothing but what it links.
#   1. build/nnrt.h, API only and as implementation: C99, C11, gnu99, C++11, C++17, gcc and clang, -O0 and -O2; with
#      all devices by an older gcc and for musl; the size of every public type
#   2. every NNRT_* option alone, C99 and C++11; options that exclude each other must be refused
#   3. every header of the tree alone, C99; the front pages in C++11, too
#   4. two files of one program that include it; the examples; every C program in the README and docs/bare_metal.md
#   5. the devices with an NPU: options, the comparison with the vendors' headers, linked instead of opened
# Compilers that are absent are skipped and named. Code is made by gcc, once per language and option that leaves code
# out, since warnings about values need it; the rest is for the front end alone, which takes a tenth of the time. Code
# with the same warnings is made elsewhere of the whole in C99 by gcc -O2 with all devices (`make tool`: the one file is
# the same text, `make check-amalgam`), of the examples (`make examples`), of the devices and for the boards' processors
# (the tests), and of NNRT_NO_SIMD (`make test-options`).
# JOBS compilations run at a time.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'wait; rm -rf "$work"' EXIT
# -Wmisleading-indentation is for the tree's rooms (`make tool`, the tests): in the one file gcc takes four of its five
# seconds to look for it.
strict="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Wno-misleading-indentation"
jobs=${JOBS:-$(nproc)}
done_=0
sources=0

fail() { # fail WHAT COMMAND LOG: one mistake in a header fails everything, so after twelve there are only names
    echo "$1" >>"$work/failed"
    if [ "$(wc -l <"$work/failed")" -le 12 ]; then
        printf 'FAILED %s\n       %s\n%s\n' "$1" "$2" \
            "$(grep -E 'error|warning|undefined' "$3" | head -n 4 | sed 's/^/       /')"
    else
        echo "FAILED $1"
    fi
}
compile() { # compile WHAT COMMAND...: what source_is wrote last
    local what=$1
    shift
    done_=$((done_ + 1))
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    compile_one "$what" "$work/$done_" "$@" $strict -c "$source" &
}
compile_one() {
    local what=$1 result=$2
    shift 2
    "$@" -o "$result.o" 2>"$result.log" </dev/null || fail "$what" "$*" "$result.log"
    rm -f "$result.o"
}
source_is() { # source_is LINES...
    sources=$((sources + 1))
    source=$work/source_$sources.c
    printf '%s\n' "$@" >"$source"
}

have() { command -v "$1" >/dev/null || { echo "absent $1"; return 1; }; }
c_compilers=$(for c in gcc clang; do have $c >&2 && echo $c; done)
cxx_compilers=$(for c in g++ clang++; do have $c >&2 && echo $c; done)
# Options are looked at once in each language, by the two families of compilers.
option_c=${c_compilers%%[[:space:]]*}
option_cxx=${cxx_compilers##*[[:space:]]}
example_c=${c_compilers##*[[:space:]]} # the other one makes them for `make examples`
form_of() { # form_of COMPILER OPTION: options that leave code out are for the optimiser, too
    case "$1 $2" in
    "gcc #define NNRT_NO_SIMD") echo -fsyntax-only ;;
    gcc*NNRT_NO_* | gcc*"NNRT_API static"*) echo -O1 ;;
    *) echo -fsyntax-only ;;
    esac
}

# What clang warns about, its front end has seen; gcc has to optimise for some of it. `make asan` makes code with clang.
code_of() { # code_of COMPILER LEVEL
    case $1 in
    clang*) echo -fsyntax-only ;;
    *) echo "$2" ;;
    esac
}

# 1. The product in each language.
all_devices=$(printf -- '-DNNRT_%s ' BACKEND_RKNPU BACKEND_RKNPU_OPEN BACKEND_NNIE BACKEND_BPU DSP GROUPS DETECTION \
    IMAGE SELFTEST)
for form in "" "#define NNRT_IMPLEMENTATION"; do
    source_is "$form" '#include "nnrt.h"' 'int nnrt_here(void);' 'int nnrt_here(void) { return (int)OH_NN_SUCCESS; }'
    for c in $c_compilers; do
        for std in c99 c11 gnu99; do compile "${form:-API only}, $c $std" $c -std=$std -fsyntax-only -Ibuild -x c; done
    done
    for c in $cxx_compilers; do
        compile "${form:-API only}, $c c++11" $c -std=c++11 $(code_of $c -O1) -Ibuild -x c++
        compile "${form:-API only}, $c c++17" $c -std=c++17 -fsyntax-only -Ibuild -x c++
    done
    # The oldest compiler that Debian has beside its own, and another C library.
    for other in "gcc-11 -O2" "musl-gcc -fsyntax-only"; do
        have ${other%% *} && compile "${form:-API only}, $other" $other $all_devices -std=c99 -Ibuild -x c
    done
    for cross in "arm-linux-gnueabihf-gcc -mcpu=cortex-a7 -mfpu=neon-vfpv4 -fsyntax-only" \
        "arm-linux-gnueabihf-gcc -mfpu=vfpv3-d16 -O1" \
        "arm-linux-gnueabi-gcc -mcpu=cortex-a7 -mfpu=neon-vfpv4 -mfloat-abi=softfp -fsyntax-only" \
        "aarch64-linux-gnu-gcc -fsyntax-only"; do
        have ${cross%% *} && compile "${form:-API only}, $cross" $cross -std=c99 -Ibuild -x c
    done
done
source=tests/compile/public_types.c
for c in $c_compilers; do
    for std in c99 c11; do compile "public types, $c $std" $c -std=$std -fsyntax-only -Ibuild -x c; done
done
for c in $cxx_compilers; do
    for std in c++11 c++17; do compile "public types, $c $std" $c -std=$std -fsyntax-only -Ibuild -x c++; done
done
for cross in arm-linux-gnueabihf arm-linux-gnueabi aarch64-linux-gnu; do
    have $cross-gcc && compile "public types, $cross-gcc" $cross-gcc -std=c99 -fsyntax-only -Ibuild -x c
    have $cross-g++ && compile "public types, $cross-g++" $cross-g++ -std=c++11 -fsyntax-only -Ibuild -x c++
done

# 2. Every option alone. The list is what >>config of nnrt.h documents.
hooks='#define NNRT_MALLOC(size) malloc(size)
#define NNRT_REALLOC(pointer, size) realloc(pointer, size)
#define NNRT_FREE(pointer) free(pointer)'
posix=$'#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif'
every_step=$(sed -n 's/^    X(\([a-z0-9_]*\), *0x.*/X(\1, SCALAR)/p' cpu/kind_list.h | tr '\n' ' ')
smallest='#define NNRT_PLANS_ONLY
#define NNRT_STEPS(X) X(conv_s8, SCALAR) X(softmax_s8, SCALAR)
#define NNRT_NO_SENTENCES
#define NNRT_ONE_DEVICE
#define NNRT_NO_STATES
#define NNRT_NO_THREADS
#define NNRT_NO_STDIO'
options=("#define NNRT_DETECTION"
    $'#define NNRT_DETECTION\n#define NNRT_NO_CPU\n#define NNRT_NO_STDIO\n#define NNRT_NO_THREADS'
    "#define NNRT_IMAGE" $'#define NNRT_IMAGE\n#define NNRT_NO_CPU\n#define NNRT_NO_STDIO\n#define NNRT_NO_THREADS'
    "#define NNRT_GROUPS"
    "#define NNRT_SELFTEST" $'#define NNRT_SELFTEST\n#define NNRT_NO_CPU'
    $'#define NNRT_SELFTEST\n#define NNRT_PLANS_ONLY\n#define NNRT_NO_SENTENCES'
    $'#define NNRT_GROUPS\n#define NNRT_NO_THREADS\n#define NNRT_NO_STDIO\n#define NNRT_NO_SIMD'
    "#define NNRT_BACKEND_NNIE" "#define NNRT_DSP" "#define NNRT_BACKEND_RKNPU_OPEN"
    $'#define NNRT_BACKEND_RKNPU_OPEN\n#define NNRT_PLANS_ONLY'
    "#define NNRT_NO_CPU" "#define NNRT_NO_THREADS" "#define NNRT_NO_STDIO" "#define NNRT_NO_SIMD"
    $'#define NNRT_NO_THREADS\n#define NNRT_NOW_NS() 1' "#define NNRT_API static" "$hooks"
    "$posix"$'\n#include <assert.h>\n#define NNRT_ASSERT(condition) assert(condition)'
    '#define NNRT_OPS(X) X(CONV2D) X(DEPTHWISE_CONV2D_NATIVE) X(AVG_POOL) X(RESHAPE) X(FULL_CONNECTION) X(SOFTMAX)'
    $'#define NNRT_OPS(X) X(CONV2D) X(SOFTMAX)\n#define NNRT_STEPS(X) X(conv_s8, SCALAR) X(softmax_s8, SCALAR)'
    $'#define NNRT_STEPS(X) X(conv_s8, SCALAR)\n#define NNRT_NO_SENTENCES'
    "#define NNRT_OPS(X) X(ADD)" "#define NNRT_PLANS_ONLY" "#define NNRT_NO_SENTENCES"
    "#define NNRT_ONE_DEVICE" "#define NNRT_TRUST_CRC" "#define NNRT_NO_STATES"
    $'#define NNRT_PLANS_ONLY\n#define NNRT_OPS(X) X(ADD)' "$smallest"
    "#define NNRT_PLANS_ONLY"$'\n'"#define NNRT_STEPS(X) $every_step"
    $'#define NNRT_NO_CPU\n#define NNRT_NO_THREADS\n#define NNRT_NO_STDIO\n#define NNRT_NO_SIMD')
for option in "${options[@]}"; do
    source_is "$option" "#define NNRT_IMPLEMENTATION" '#include "nnrt.h"' 'int nnrt_here;'
    name=$(echo "$option" | grep -o 'NNRT_.*' | tr '\n' ' ')
    for c in $option_c; do compile "$name, $c" $c -std=c99 $(form_of $c "$option") -Ibuild -x c; done
    for c in $option_cxx; do compile "$name, $c" $c -std=c++11 -fsyntax-only -Ibuild -x c++; done
done
# A firmware tree that is stricter than nnrt, and has globals of its own.
for option in "" "$smallest"; do
    source_is "int model, plan, view, step, size, bytes, self, executor, io;" "$option" \
        "#define NNRT_IMPLEMENTATION" '#include "nnrt.h"'
    for c in $option_c; do
        compile "a strict tree, $c" $c -std=c99 -Wcast-qual -Wswitch-enum -Wfloat-equal -fsyntax-only -Ibuild -x c
    done
done
refused() { # refused WHAT LINES...
    local what=$1
    shift
    source_is "$@" "#define NNRT_IMPLEMENTATION" '#include "nnrt.h"'
    done_=$((done_ + 1))
    gcc -fsyntax-only -Ibuild -x c "$source" 2>/dev/null && fail "$what is accepted" "" /dev/null
}
refused "NNRT_MALLOC without NNRT_FREE" "#define NNRT_MALLOC(size) 0"
refused "NNRT_NOW_NS with threads" "#define NNRT_NOW_NS() 1"
refused "NNRT_BACKEND_RKNPU with NNRT_NO_STDIO" "#define NNRT_BACKEND_RKNPU" "#define NNRT_NO_STDIO"
refused "NNRT_DSP with NNRT_NO_STDIO" "#define NNRT_DSP" "#define NNRT_NO_STDIO"
refused "NNRT_PLANS_ONLY with an NPU" "#define NNRT_PLANS_ONLY" "#define NNRT_BACKEND_BPU"
refused "NNRT_NO_SENTENCES with an NPU" "#define NNRT_NO_SENTENCES" "#define NNRT_BACKEND_RKNPU"
refused "NNRT_ONE_DEVICE with an NPU" "#define NNRT_ONE_DEVICE" "#define NNRT_BACKEND_RKNPU"
refused "NNRT_ONE_DEVICE without the CPU device" "#define NNRT_ONE_DEVICE" "#define NNRT_NO_CPU"
refused "NNRT_BPU_LINK without a version" "#define NNRT_BACKEND_BPU" "#define NNRT_BPU_LINK"

# What the options promise to leave out: the headers that nnrt.h itself includes, as those may include what they like.
headers_are() { # headers_are PATTERN OPTIONS...: each header matches
    local pattern=$1 alien
    shift
    done_=$((done_ + 1))
    source_is "$@" "#define NNRT_IMPLEMENTATION" '#include "nnrt.h"'
    gcc -E -dI -Ibuild -x c "$source" >"$work/headers" || fail "headers with $*" "" /dev/null
    alien=$(awk -F'"' '/^# [0-9]+ "/ { ours = $2 ~ /nnrt[.]h$/ } ours && /^#include </' "$work/headers" |
        grep -vE "<($pattern)>" | sort -u | tr '\n' ' ')
    [ -z "$alien" ] || fail "$* and yet $alien" "" /dev/null
}
c99='(stdarg|stdbool|stddef|stdint|stdlib|string|math|float|immintrin|cpuid)[.]h'
system='(errno|fcntl|stdio|unistd|time)[.]h|sys/[a-z]+[.]h'
headers_are "$c99" "#define NNRT_NO_THREADS" "#define NNRT_NO_STDIO"
headers_are "$c99|$system" "#define NNRT_NO_THREADS"
headers_are "$c99|(pthread|sched|unistd|time)[.]h" "#define NNRT_NO_STDIO"

# What NNRT_NO_SENTENCES promises, of the program that is left: no string has two words, but for what nnrt_strerror
# calls a code that there is not. All of the object is looked at: its names have one word each.
done_=$((done_ + 1))
source_is "$smallest" "#define NNRT_IMPLEMENTATION" '#include "nnrt.h"'
gcc -std=c99 -Os -Ibuild -x c -c "$source" -o "$work/silent.o" || fail "$smallest" "" /dev/null
said=$(strings -n 6 "$work/silent.o" | grep -E '[a-z]{2} [a-z]{2}' | grep -v '^unknown return code$')
[ -z "$said" ] || fail "NNRT_NO_SENTENCES and yet: $said" "" /dev/null

# 3. Every header of the tree alone: it includes what it needs. Warnings do not count here, as a room may declare what
#    another one defines. A room for another processor compiles for that processor; nnrt.h asks the C library for POSIX,
#    here the command does. platform_*.h are pieces of platform.h, library_*.h of a library.h; part 5 looks at what is
#    called vendor_check.h.
arm_gcc="arm-linux-gnueabihf-gcc -mcpu=cortex-a7 -mfpu=neon-vfpv4"
aarch64_gcc=aarch64-linux-gnu-gcc
have arm-linux-gnueabihf-gcc || arm_gcc=""
have aarch64-linux-gnu-gcc || aarch64_gcc=""
helium_gcc="arm-none-eabi-gcc -mthumb -mcpu=cortex-m55 -mfloat-abi=hard -DNNRT_NO_THREADS -DNNRT_NO_STDIO"
have arm-none-eabi-gcc || helium_gcc=""
riscv_clang="clang-19 --target=riscv64-linux-gnu"
{ have clang-19 && [ -d /usr/riscv64-linux-gnu/include ]; } || riscv_clang=""
all_warnings=$strict
for header in *.h {bpu,core,cpu,data,detection,dsp,group,image,kernels,nnie,npu}/*.h \
    {rknpu,rknpu_open,selftest,tflite}/*.h; do
    only=
    [ "${header%_none.h}" = "$header" ] || only="#define NNRT_PLANS_ONLY"
    source_is "$only" "#include \"$header\"" 'int nnrt_here;'
    case $header in
    core/platform_* | */library_*.h | */vendor_check*.h) continue ;;
    *armv8*) compilers=("$aarch64_gcc") ;;
    *cortex_m55.h) compilers=("$helium_gcc") ;;
    *rvv.h) compilers=("$riscv_clang") ;;
    *neon*_armv7.h) compilers=("$arm_gcc") ;;
    *neon*) compilers=("$arm_gcc" "$aarch64_gcc") ;;
    */*) compilers=(gcc) ;; # what a room includes is the same in C++, which parts 1 and 2 see whole
    *) compilers=(gcc g++) ;;
    esac
    for c in "${compilers[@]}"; do
        strict="-D_GNU_SOURCE -fsyntax-only -I."
        case $c in
        "") ;;
        *++) have "$c" && compile "$header alone, $c" $c -std=c++11 -x c++ ;;
        *) compile "$header alone, $c" $c -std=c99 -Werror=implicit-function-declaration -x c ;;
        esac
    done
done
strict=$all_warnings

# 4. As users do.
source_is '#define NNRT_IMPLEMENTATION' '#include "nnrt.h"'
cp "$source" "$work/one.c"
printf '%s\n' '#include "nnrt.h"' 'int main(void) { return nnrt_version() == 0; }' >"$work/two.c"
for c in $c_compilers; do
    done_=$((done_ + 1))
    if ! $c -std=c99 $strict -O0 -Ibuild "$work/one.c" "$work/two.c" -o "$work/program" -lm -lpthread 2>"$work/log" ||
        ! "$work/program"; then
        fail "two files of one program, $c" "" "$work/log"
    fi
done
# An assertion that nobody asked for evaluates nothing, one with NNRT_ASSERT defined does.
source_is '#define NNRT_IMPLEMENTATION' '#include "nnrt.h"' 'int look(void);' 'static int looks;' \
    'int look(void) { return ++looks; }' 'int main(void) { NNRT_ASSERT(look() != 0); return looks != LOOKS; }'
for c in $c_compilers; do
    for form in "-DLOOKS=0" "-DLOOKS=1 -DNNRT_ASSERT(condition)=((void)(condition))"; do
        done_=$((done_ + 1))
        if ! $c -std=c99 $strict -O0 -Ibuild -DNNRT_NO_CPU $form "$source" -o "$work/program" -lm -lpthread \
            2>"$work/log" || ! "$work/program"; then
            fail "NNRT_ASSERT, $c $form" "" "$work/log"
        fi
    done
done
for example in examples/*.c examples/*/*.c; do
    [ -f "$example" ] || continue
    source=$example
    for c in $example_c; do
        compile "$example, $c" $c -std=c99 -fsyntax-only -Ibuild -Iexamples -Iexamples/flash/scalar -x c
    done
done
source=examples/openharmony/openharmony.c # by OpenHarmony's include names; there it is C++
for c in $cxx_compilers; do compile "$source, $c" $c -std=c++11 -fsyntax-only -Ibuild -x c++; done
for page in README.md docs/bare_metal.md docs/detection.md docs/image.md docs/migration.md docs/cheat_sheet.md; do
    python3 tests/compile/readme.py $page "$work"
done
for program in "$work"/readme_*.c; do
    [ -f "$program" ] || continue
    source=$program
    for c in $c_compilers; do compile "$(basename "$program"), $c" $c -std=c99 -fsyntax-only -Ibuild -x c; done
    for c in $cxx_compilers; do
        compile "$(basename "$program"), $c" $c -std=c++11 -fsyntax-only -Ibuild -x c++
    done
done

# 5. The devices with an NPU. Options are looked at by the front ends only, and for the boards' processors where types
#    and the comparison with the vendor's headers differ there: code is made of what leaves most out. The CPU device,
#    three quarters of the text, is there once a device: no other option changes what the two have in common.
least=$'#define NNRT_NO_CPU\n#define NNRT_NO_THREADS\n#define NNRT_NO_SIMD'
crosses=("$arm_gcc" "$aarch64_gcc")
have arm-linux-gnueabi-gcc && crosses+=("arm-linux-gnueabi-gcc -mcpu=cortex-a7 -mfpu=neon-vfpv4 -mfloat-abi=softfp")
device() { # device NAME OPTIONS...
    local device=$1 option name form c alone include="-Ibuild -isystem tests/compile/vendor"
    shift
    for option in "" "$@"; do
        name="$device $(echo "$option" | grep -o 'NNRT_.*' | tr '\n' ' ')"
        form=-fsyntax-only
        [ "$option" != "$least" ] || form=-O1
        alone="#define NNRT_NO_CPU"
        case $option in "" | "$least"*) alone= ;; esac
        source_is "#define $device" "$alone" "$option" "#define NNRT_IMPLEMENTATION" '#include "nnrt.h"' \
            'int nnrt_here;'
        for c in $option_c; do compile "$name, $c" $c -std=c99 $form $include -x c; done
        for c in $option_cxx; do compile "$name, $c" $c -std=c++11 -fsyntax-only $include -x c++; done
        case $option in
        "" | "$least" | *VENDOR_HEADER*) ;;
        *) continue ;;
        esac
        for c in "${crosses[@]}"; do
            [ -z "$c" ] || compile "$name, $c" $c -std=c99 $form $include -x c
        done
    done
}
device NNRT_BACKEND_RKNPU "$least" "#define NNRT_NO_THREADS" "#define NNRT_NO_SIMD" \
    "#define NNRT_API static" "$hooks" "#define NNRT_RKNPU_LINK" "$least"$'\n#define NNRT_RKNPU_LINK' \
    "#define NNRT_RKNPU_USE_VENDOR_HEADER" $'#define NNRT_RKNPU_LINK\n#define NNRT_RKNPU_USE_VENDOR_HEADER'
device NNRT_BACKEND_NNIE "$least" $'#define NNRT_NNIE_LINK\n#define NNRT_NNIE_USE_VENDOR_HEADER' \
    "$least"$'\n#define NNRT_DSP' $'#define NNRT_DSP\n#define NNRT_NNIE_LINK' \
    $'#define NNRT_NNIE_USE_VENDOR_HEADER\n#define NNRT_API static' "$least"$'\n#define NNRT_NNIE_LINK'
device NNRT_BACKEND_BPU "$least" $'#define NNRT_BPU_LINK 1\n#define NNRT_BPU_USE_VENDOR_HEADER 1' \
    $'#define NNRT_BPU_LINK 3\n#define NNRT_BPU_USE_VENDOR_HEADER 3' "$least"$'\n#define NNRT_BPU_LINK 1' \
    $'#define NNRT_BPU_USE_VENDOR_HEADER 3\n#define NNRT_API static' \
    $'#define HB_DNN_VERSION_MINOR 6\n#define NNRT_BPU_USE_VENDOR_HEADER 1' \
    $'#define HB_DNN_VERSION_MINOR 9\n#define NNRT_BPU_USE_VENDOR_HEADER 1' \
    $'#define HB_DNN_VERSION_MINOR 14\n#define NNRT_BPU_USE_VENDOR_HEADER 1'
source_is "#define NNRT_BACKEND_RKNPU" "#define NNRT_BACKEND_NNIE" '#include "nnrt.h"' \
    'nnrt_rknn_custom_op nnrt_here;' 'nnrt_nnie_layer nnrt_there;'
for c in $c_compilers; do compile "NPUs, API only, $c" $c -std=c99 -Ibuild -x c; done
for c in $cxx_compilers; do compile "NPUs, API only, $c" $c -std=c++11 -Ibuild -x c++; done

# Linked to the simulated libraries, shared and static, and run on their board: the NPU has to be listed. The CPU device
# changes nothing here, and takes three quarters of the time.
cat >"$work/linked.c" <<'END'
#define NNRT_NO_CPU
#define NNRT_IMPLEMENTATION
#include "nnrt.h"
#include <stdio.h>
static void log_line(void *user, nnrt_log_level level, const char *line) {
    (void)user;
    (void)level;
    puts(line);
}
int main(void) {
    const size_t *ids = NULL;
    const char *name = NULL;
    uint32_t count = 0;
    nnrt_set_log(log_line, NULL);
    if (OH_NNDevice_GetAllDevicesID(&ids, &count) != OH_NN_SUCCESS || count == 0) return 1;
    return OH_NNDevice_GetName(ids[0], &name) != OH_NN_SUCCESS || strncmp(name, DEVICE, strlen(DEVICE)) != 0;
}
END
mkdir "$work/mini"
for source in tests/sim/common/*.c tests/sim/rknpu/*.c; do
    gcc -std=c99 -O1 -DNNRT_SIM_VERSION=0x020302 -DNNRT_SIM_MINI=1 -c "$source" \
        -o "$work/mini/$(basename "$source" .c).o" || fail "$source" "" /dev/null
done
ar rcs "$work/librknnmrt.a" "$work"/mini/*.o
link() { # link DEVICE CHIP FLAGS...
    done_=$((done_ + 1))
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    link_one "$work/$done_" "$@" &
}
link_one() {
    local result=$1 device=$2 chip=$3
    shift 3
    if ! gcc -std=c99 $strict -O0 -Ibuild "-DNNRT_BACKEND_${device^^}" "-DDEVICE=\"$device\"" "$work/linked.c" \
        -o "$result.linked" "$@" -lm -lpthread -ldl 2>"$result.log" ||
        ! LD_LIBRARY_PATH=build/sim NNRT_SIM_CHIP=$chip NNRT_SIM_STRICT=1 "$result.linked" >>"$result.log" 2>&1; then
        fail "$device, $chip, $*" "" "$result.log"
    fi
}
link rknpu rk3588
link rknpu rk3588 -DNNRT_RKNPU_LINK -Lbuild/sim -lrknnrt
link rknpu rv1106 -DNNRT_RKNPU_LINK -Lbuild/sim -lrknnmrt
link rknpu rv1106 -DNNRT_RKNPU_LINK "$work/librknnmrt.a"
link rknpu rv1106 -DNNRT_RKNPU_LINK -static "$work/librknnmrt.a"
link nnie hi3516cv500
link bpu x5
link bpu x5 -DNNRT_BPU_LINK=1 -Lbuild/sim -ldnn
link bpu s100 -DNNRT_BPU_LINK=3 -Lbuild/sim/3.13.6 -ldnn -lhbucp \
    -Wl,--disable-new-dtags,-rpath,build/sim/3.13.6 # before LD_LIBRARY_PATH, where another libdnn.so is
link nnie hi3559av100 -DNNRT_NNIE_LINK -Lbuild/sim -lnnie -lmpi -lsecurec -lupvqe -ldnvqe -lVoiceEngine

wait
touch "$work/failed"
failed=$(wc -l <"$work/failed")
echo "$((done_ - failed)) compilations as they should be, $failed not"
[ "$failed" = 0 ] || echo "  FIX: run the printed command; tests/compile/run.sh says what each part proves"
[ "$failed" = 0 ]
