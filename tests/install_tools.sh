#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs with apt what the tests need and this machine lacks: as root, or through sudo when that asks no password.
#   tests/install_tools.sh build    a compiler and python3: what `make demo` needs
#   tests/install_tools.sh test     a compiler (gcc, clang or CC), python3 and Criterion: what `make test` needs
#   tests/install_tools.sh all      also clang and its formatter, an older gcc, musl, the cross compilers, QEMU, CMake,
#                                   Meson, Frama-C, numpy, setcap and chromium: `make check`
# Where it cannot install, it says what is missing, and fails only if nothing could be tested at all: without Criterion
# the tests use tests/criterion_shim, and `make check` skips a tool that is absent and says so.
set -u
export DEBIAN_FRONTEND=noninteractive

missing=""
want() { # want PACKAGE COMMAND...: PACKAGE is missing unless the command succeeds
    package=$1
    shift
    "$@" >/dev/null 2>&1 </dev/null || missing="$missing $package"
}
# The one that make was told, or that the makefile finds by itself.
find_compiler() {
    for compiler in "${CC:-gcc}" gcc clang cc; do
        command -v "${compiler%% *}" >/dev/null && return
    done
    compiler=""
    return 1
}
find_compiler
has_header() { echo "#include <$1>" | $compiler -E -x c - ; }
has_newlib() { echo '#include <stdlib.h>' | arm-none-eabi-gcc -E -x c - ; }
has_picolibc() { echo '#include <stdlib.h>' | riscv64-unknown-elf-gcc --specs=picolibc.specs -E -x c - ; }
has_numpy() { python3 -c 'import numpy' || /usr/bin/python3 -c 'import numpy'; }
has_manifest_modules() { python3 -c 'import kconfiglib, yaml' || /usr/bin/python3 -c 'import kconfiglib, yaml'; }
has_setcap() { PATH=$PATH:/usr/sbin:/sbin; command -v setcap; }
has_chromium() { chromium --version || chromium-browser --version || google-chrome --version; }
clang_links() { echo 'int main(void) { return 0; }' | clang -x c - "$@" -o /dev/null; }

want gcc test -n "$compiler"
want libc6-dev has_header stdio.h
want python3 python3 --version
if [ "${1:-test}" != build ]; then
    want libcriterion-dev has_header criterion/criterion.h
    want pkg-config pkg-config --version
fi
want make make --version
if [ "${1:-test}" = all ]; then
    [ "$compiler" = gcc ] || want gcc gcc --version
    want g++ g++ --version
    want binutils nm --version
    want gcc-11 gcc-11 --version
    want musl-tools musl-gcc --version
    want clang clang --version
    want libclang-rt-14-dev clang_links -fsanitize=address
    want clang-format-14 clang-format-14 --version
    want gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc --version
    want libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/include/stdio.h
    want gcc-arm-linux-gnueabihf arm-linux-gnueabihf-gcc --version
    want libc6-dev-armhf-cross test -e /usr/arm-linux-gnueabihf/include/stdio.h
    want gcc-arm-linux-gnueabi arm-linux-gnueabi-gcc --version
    want libc6-dev-armel-cross test -e /usr/arm-linux-gnueabi/include/stdio.h
    want qemu-user qemu-arm --version
    want gcc-arm-none-eabi arm-none-eabi-gcc --version
    want libnewlib-arm-none-eabi has_newlib
    want qemu-system-arm qemu-system-arm --version
    want gcc-riscv64-unknown-elf riscv64-unknown-elf-gcc --version
    want picolibc-riscv64-unknown-elf has_picolibc
    want qemu-system-misc qemu-system-riscv32 --version
    want cmake cmake --version
    want meson meson --version
    want ninja-build ninja --version
    want frama-c-base frama-c -version
    want why3 why3 --version
    want cvc4 cvc4 --version
    want mandoc sh -c 'command -v mandoc'
    want libstb-dev has_header stb/stb_image.h
    want doxygen doxygen --version
    want doxygen-awesome-css test -d /usr/share/doxygen-awesome-css
    want libcap2-bin has_setcap
    want python3-numpy has_numpy
    want python3-kconfiglib has_manifest_modules
    want arduino-builder sh -c 'command -v arduino-builder'
    want python3-yaml has_manifest_modules
    want chromium has_chromium
fi
[ -n "$missing" ] || exit 0

as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo -n"
if command -v apt-get >/dev/null && $as_root true >/dev/null 2>&1; then
    echo "installing:$missing"
    $as_root apt-get update -qq </dev/null >/dev/null 2>&1
    install() { $as_root apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null 2>&1; }
    # One by one where all at once fails: a package that this release does not have must not keep the others out.
    # shellcheck disable=SC2086
    install $missing || for package in $missing; do
        install "$package" || echo "could not install $package"
    done
else
    echo "missing:$missing"
    echo "  FIX: sudo apt-get install$missing (or your system's packages of that kind)"
fi
command -v python3 >/dev/null && find_compiler && exit 0
echo "a C compiler and python3 are needed to test anything"
exit 1
