#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make packages`: nnrt installed below a folder and used from there by pkg-config and CMake, used as a part of a
# project of CMake and of Meson, installed for another processor, and uninstalled; a release, made twice. Programs of
# three lines, built and run. Of the systems for firmware the package is real and the system a stand-in, in a folder of
# its name, that gives the package what the documentation promises; check_packages.py reads the manifests.
# A tool that is not here is one skipped test. NNRT_NO_CPU shortens builds that are not the first of their kind.
# The last line is "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD work=$(mktemp -d) passed=0 failed=0 skipped=0
trap 'rm -rf "$work"' EXIT
prefix=/opt/nnrt
version=$(sed -n 's/^#define NNRT_VERSION "\(.*\)"/\1/p' core/api_extensions.h)
there=$work$prefix
export PKG_CONFIG_SYSROOT_DIR="$work" PKG_CONFIG_LIBDIR="$there/lib/pkgconfig"

started=0 shown=0
try() { # try NAME FUNCTION: begins it, JOBS at a time; passed when the function succeeds
    started=$((started + 1))
    echo "$1" >"$work/name.$started"
    # Not as a condition: there a shell goes on after what fails.
    { (set -e; "$2") >"$work/log.$started" 2>&1; echo $? >"$work/result.$started"; } &
    [ $((started - shown)) -lt "${JOBS:-2}" ] || all_ended
}
all_ended() { # and shown; what a function printed is shown when it has failed
    wait
    while [ $shown -lt $started ]; do
        shown=$((shown + 1))
        if [ "$(cat "$work/result.$shown")" = 0 ]; then
            passed=$((passed + 1))
            echo "ok      $(cat "$work/name.$shown")"
        else
            failed=$((failed + 1))
            sed 's/^/        /' "$work/log.$shown" | tail -n 40
            echo "FAILED  $(cat "$work/name.$shown")"
        fi
    done
}
needs() { # needs TOOL NAME FUNCTION
    command -v "$1" >/dev/null && { shift; try "$@"; return; }
    skipped=$((skipped + 1))
    echo "skipped $2: no $1"
}

# Debian's modules belong to Debian's python3, which need not be the first one on the path.
needs_modules() { # needs_modules NAME FUNCTION: $python has kconfiglib and yaml
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import kconfiglib, yaml' 2>/dev/null && { try "$@"; return; }
    done
    skipped=$((skipped + 1))
    echo "skipped $1: no python3-kconfiglib, python3-yaml"
}

installs() {
    make -s install PREFIX=$prefix DESTDIR="$work" INSTALLED_FLAGS=-O0
    "$there/bin/nnrt" inspect examples/meter/meter.tflite >/dev/null
    "$there/bin/nnrt" inspect examples/meter/meter.tflite --json | "$there/bin/nnrt-report" - >/dev/null
    [ "$("$there/bin/nnrt" help --man)" = "$(cat "$there/share/man/man1/nnrt.1")" ]
    for header in core runtime runtime_type; do
        echo "#include <neural_network_runtime/neural_network_$header.h>"
    done | gcc -std=c99 -fsyntax-only -I"$there/include" -x c -
    [ -s "$there/share/doc/nnrt/README.md" ] && [ -s "$there/share/doc/nnrt/docs/install.md" ]
    [ -s "$there/share/doc/nnrt/docs/overview.svg" ]
    cd / # where there is no nnrt.py, and no build/
    export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$there/share/nnrt"
    python3 -c 'import nnrt; print(nnrt.devices())' | grep -q cpu_nnrt
}
# As OpenHarmony's guide has it: two names are linked, and frameworks open the same names at run time.
openharmony() {
    # A sysroot in the way of an SDK: its include and lib folders are given by the toolchain, and not by the project.
    flags="-isystem $there/include -L$there/lib"
    cmake -S tests/packages/openharmony -B "$work/openharmony" -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags"
    cmake --build "$work/openharmony"
    cd "$work"
    export LD_LIBRARY_PATH="$there/lib"
    openharmony/demo "$work"
    openharmony/demo_cpp
    openharmony/framework
    readelf -d openharmony/demo | grep -q 'NEEDED.*\[libnnrt\.so\.[0-9]*\.[0-9]*\]'
    for name in neural_network_runtime neural_network_core; do # what an application of OpenHarmony's SDK asks for
        [ "$(readlink -f "$there/lib/lib$name.so")" = "$(readlink -f "$there/lib/libnnrt.so")" ]
    done
}
openharmony_static() {
    gcc -std=c99 -O0 -static -I"$there/include" examples/openharmony/openharmony.c -o "$work/static" -L"$there/lib" \
        -lneural_network_runtime -lneural_network_core
    "$work/static" "$work"
}
pkg_config() {
    gcc -std=c99 -O0 $(pkg-config --cflags nnrt) tests/packages/header.c -o "$work/pc" $(pkg-config --libs nnrt)
    "$work/pc"
    gcc -std=c99 -O0 $(pkg-config --cflags nnrt-static) tests/packages/linked.c -o "$work/pcs" \
        $(pkg-config --libs nnrt-static)
    "$work/pcs"
    "$there/bin/nnrt" --version | grep -q ' rknpu_open '
    "$there/bin/nnrt" inspect examples/meter/meter.tflite --target rv1106 | grep -q '^accelerator$'
    if readelf -d "$work/pcs" | grep libnnrt; then exit 1; fi
    gcc -std=c99 -O0 $(pkg-config --cflags nnrt-shared) tests/packages/linked.c -o "$work/pcd" \
        $(pkg-config --libs nnrt-shared)
    LD_LIBRARY_PATH="$there/lib" "$work/pcd"
    [ "$(pkg-config --modversion nnrt)" = "$("$there/bin/nnrt" --version | cut -d' ' -f2)" ]
}
programs() { # programs FOLDER: both are there and run
    "$1/header"
    "$1/linked"
}
cmake_installed() {
    cmake -S tests/packages -B "$work/cmake" -DCMAKE_PREFIX_PATH="$there" -DCMAKE_C_FLAGS=-DNNRT_NO_CPU
    cmake --build "$work/cmake"
    programs "$work/cmake"
    "$work/cmake/shared"
}
cmake_tree() {
    cmake -S tests/packages -B "$work/cmake-tree" -DNNRT_TREE="$root" -DCMAKE_C_FLAGS=-DNNRT_NO_CPU
    cmake --build "$work/cmake-tree" -j 2
    programs "$work/cmake-tree"
}
meson_tree() {
    mkdir -p "$work/meson/subprojects"
    cp tests/packages/meson.build tests/packages/*.c "$work/meson/"
    ln -s "$root" "$work/meson/subprojects/nnrt"
    # The library with all of its devices, the header without its longest one.
    meson setup --wrap-mode=forcefallback --buildtype=plain -Dc_args=-DNNRT_NO_CPU "$work/meson/build" "$work/meson"
    meson compile -C "$work/meson/build"
    programs "$work/meson/build"
}
other_processor() {
    make -s install PREFIX=/usr DESTDIR="$work/arm" CC=arm-linux-gnueabihf-gcc INSTALLED_FLAGS="-O0 -DNNRT_NO_CPU"
    for part in usr/bin/nnrt usr/lib/libnnrt.a usr/lib/libnnrt.so; do
        arm-linux-gnueabihf-readelf -h "$work/arm/$part" | grep -q 'Machine: *ARM'
    done
    [ -s "$work/arm/usr/share/man/man1/nnrt.1" ]
}
dist_is_reproducible() {
    for clone in one another/deeper; do
        mkdir -p "$work/$clone"
        tar -c --exclude=./build --exclude=./.git . | tar -x -C "$work/$clone"
        # The man page is printed by the tool that was installed.
        (cd "$work/$clone" && COMMIT=0123abcd SOURCE_DATE_EPOCH=1700000000 DIST_FLAGS=-O0 \
            DIST_TOOLS="x86_64 armv7_softfp" python3 packaging/dist.py "$there/bin/nnrt") &
    done
    wait
    cmp "$work"/one/build/dist/*.tar.gz "$work"/another/deeper/build/dist/*.tar.gz
    cd "$work"/one/build/dist/nnrt-*
    sha256sum --quiet -c SHA256SUMS
    head -n 5 nnrt.h | grep -q '^   Content [0-9a-f]\{64\} '
    head -n 5 nnrt.h | grep -q '^   Commit 0123abcd\.$'
    tools/nnrt-x86_64 bench "$root/examples/meter/meter.tflite" --runs 1 >/dev/null
    if strings -a tools/* nnrt.h nnrt.spdx.json | grep -F "$work"; then exit 1; fi
    python3 "$root/tests/packages/check_spdx.py" .
    for file in nnrt.hpp nnrt.py README.md README.zh.md SECURITY.md docs/install.md docs/report.png docs/overview.svg
    do
        cmp "$file" "$root/$file"
    done
    tools/nnrt-x86_64 inspect "$root/examples/meter/meter.tflite" --json | tools/nnrt-report - >/dev/null
    # What is said to be beside it is there, and is of this commit.
    for name in arduino platformio esp-idf zephyr; do
        python3 -m zipfile -t "../nnrt-$name-$version.zip"
        cmp "../nnrt-$name-$version.zip" "$work/another/deeper/build/dist/nnrt-$name-$version.zip"
    done
    python3 -m zipfile -e "../nnrt.nnrt.$version.pack" "$work/pack-of-dist"
    cmp nnrt.h "$work/pack-of-dist/Include/nnrt.h"
}
# What goes into an image is for its processor, and what a program is built with is beside it.
built_for_arm() { # built_for_arm INCLUDE LIB PROGRAM
    printf '#include <nnrt.h>\nint main(void) { return *nnrt_version() == 0; }\n' >"$2/../program.c"
    arm-linux-gnueabihf-gcc -std=c99 -I"$1" "$2/../program.c" -L"$2" -lnnrt -o "$2/../program"
    for file in "$2/../program" "$3"; do arm-linux-gnueabihf-readelf -h "$file" | grep -q 'Machine: *ARM'; done
    arm-linux-gnueabihf-readelf -d "$2/../program" | grep -q 'NEEDED.*libnnrt'
}
buildroot() {
    out=$work/buildroot
    make -s -f tests/packages/buildroot/Makefile BR2_EXTERNAL_NNRT_PATH="$root/packaging/buildroot" O="$out"
    built_for_arm "$out/staging/usr/include" "$out/staging/usr/lib" "$out/target/usr/bin/nnrt"
    [ "$(find "$out/target" -type f -printf '%f\n' | sort | tr '\n' ' ')" = "libnnrt.so.$version nnrt nnrt.py " ]
}
openwrt() {
    out=$work/openwrt
    ln -s "$root/packaging/openwrt" "$work/feed" # as `feeds install` lays a feed
    make -s -C "$work/feed/nnrt" TOPDIR="$root/tests/packages/openwrt" O="$out"
    built_for_arm "$out/staging/usr/include" "$out/staging/usr/lib" "$out/packages/nnrt/usr/bin/nnrt"
    [ -s "$out/packages/libnnrt/usr/lib/libnnrt.so" ]
}
yocto() {
    tests/packages/yocto/build.py "$work/yocto"
    built_for_arm "$work/yocto/image/usr/include" "$work/yocto/image/usr/lib" "$work/yocto/image/usr/bin/nnrt"
}
no_compiler() {
    mkdir "$work/bin"
    for tool in sh bash env make grep sed id rm mkdir head sort tr; do ln -s "$(command -v $tool)" "$work/bin/"; done
    for word in "" demo; do
        ! PATH="$work/bin" make $word >"$work/said$word" 2>&1
        grep -v '^make' "$work/said$word" >"$work/told$word"
    done
    cmp "$work/told" "$work/tolddemo"
    grep -q '^  FIX: .*install.* gcc ' "$work/told"
}
# Archives of packaging/bundles.py, each with all that its system needs.
bundles() {
    for folder in bundles bundles-again; do python3 packaging/bundles.py "$work/$folder"; done
    diff -r "$work/bundles" "$work/bundles-again"
    [ "$(find "$work/bundles" -type f | wc -l)" = 5 ]
    for name in arduino platformio esp-idf zephyr; do
        python3 -m zipfile -e "$work/bundles/nnrt-$name-$version.zip" "$work/$name"
    done
    python3 -m zipfile -e "$work/bundles/nnrt.nnrt.$version.pack" "$work/cmsis-pack"
}
arduino() { # its own builder, a board that is this machine
    mkdir "$work/sketch"
    arduino-builder -hardware /usr/share/arduino-builder -hardware tests/packages/arduino/hardware -tools /usr/bin \
        -libraries "$work/arduino" -fqbn host:host:host -build-path "$work/sketch" \
        "$work/arduino/nnrt/examples/Version/Version.ino"
    "$work/sketch/Version.ino.elf" | grep -q "^$version "
}
takes_options() { ! nm "$1" | grep -q nnrt__cpu_; } # tests/packages/options/small.h
zephyr() {
    cmake -S tests/packages/zephyr -B "$work/zephyr-tree" -DMODULE="$root/packaging/zephyr" -DOPTIONS=small.h
    cmake -S tests/packages/zephyr -B "$work/zephyr-bundle" -DMODULE="$work/zephyr/nnrt" -DCMAKE_C_FLAGS=-DNNRT_NO_CPU
    for way in tree bundle; do
        cmake --build "$work/zephyr-$way"
        "$work/zephyr-$way/app"
    done
    takes_options "$work/zephyr-tree/app"
}
esp_idf() {
    cmake -S tests/packages/esp-idf -B "$work/idf-tree" -DCOMPONENT="$root/packaging/esp-idf" -DOPTIONS=small.h
    cmake -S tests/packages/esp-idf -B "$work/idf-bundle" -DCOMPONENT="$work/esp-idf/nnrt" \
        -DCMAKE_C_FLAGS=-DNNRT_NO_CPU
    for way in tree bundle; do
        cmake --build "$work/idf-$way"
        "$work/idf-$way/app"
    done
    takes_options "$work/idf-tree/app"
}
# As PlatformIO does: all of srcDir is compiled, includeDir and srcDir are where headers are looked for.
platformio() {
    cd "$work/platformio/nnrt"
    gcc -O0 -DNNRT_NO_CPU -Iinclude -Isrc src/*.c "$root/tests/packages/linked.c" -lm -o "$work/pio"
    "$work/pio"
}
# Sources and folders of headers as the .pdsc names them, for a Cortex-M4.
cmsis_pack() {
    cd "$work/cmsis-pack"
    files() { sed -n "s/.*<file category=\"$1\" name=\"\([^\"]*\)\".*/\1/p" nnrt.nnrt.pdsc; }
    # Warnings that an embedded compiler's user sees are errors here.
    arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -std=c99 -Wall -Wextra -Werror -Os -IConfig -I"$(files include)" \
        -DNNRT_NO_CPU "$(files source)" "$root/tests/packages/linked.c" --specs=nosys.specs -Wl,--no-warnings -lm -o app
    arm-none-eabi-readelf -h app | grep -q 'Machine: *ARM'
}
conan() {
    export PYTHONPATH="$root/tests/packages/conan" PYTHONDONTWRITEBYTECODE=1
    tests/packages/conan/create.py "$work/conan" >"$work/conan.flags"
    gcc -O0 -DNNRT_NO_CPU $(sed -n 1p "$work/conan.flags") tests/packages/header.c -o "$work/conan/header" \
        $(sed -n 2p "$work/conan.flags")
    "$work/conan/header"
}
vcpkg() {
    cmake -DPORTS="$root/packaging/vcpkg" -DINSTALLED="$work/vcpkg" -P tests/packages/vcpkg/install.cmake
    cmake -S tests/packages/vcpkg -B "$work/vcpkg-main" -DCMAKE_PREFIX_PATH="$work/vcpkg" -DCMAKE_C_FLAGS=-DNNRT_NO_CPU
    cmake --build "$work/vcpkg-main"
    "$work/vcpkg-main/main"
}
manifests() { "$python" tests/packages/check_packages.py; }
uninstalls() {
    touch "$there/lib/pkgconfig/of_another.pc"
    make -s uninstall PREFIX=$prefix DESTDIR="$work"
    [ "$(find "$there" ! -type d)" = "$there/lib/pkgconfig/of_another.pc" ]
    [ -z "$(find "$there" -path '*nnrt*/*' -type d -name '*n*rt*')" ]
}

try "make install" installs
all_ended
needs pkg-config "pkg-config: nnrt, nnrt-static, nnrt-shared" pkg_config
needs cmake "CMake, installed: nnrt::nnrt, nnrt::static, nnrt::shared" cmake_installed
needs cmake "OpenHarmony's names, as its guide links them: neural_network_runtime, neural_network_core" openharmony
try "the same names, linked statically" openharmony_static
needs cmake "CMake, a part of the project" cmake_tree
needs meson "Meson, a subproject" meson_tree
needs arm-linux-gnueabihf-gcc "make install for ARMv7" other_processor
needs x86_64-linux-gnu-gcc "make dist: the same bytes in two folders, all there" dist_is_reproducible
try "make, make demo without a compiler: what to install" no_compiler
needs arm-linux-gnueabihf-gcc "Buildroot, an external tree" buildroot
needs arm-linux-gnueabihf-gcc "OpenWrt, a feed" openwrt
needs arm-linux-gnueabihf-gcc "Yocto, a layer" yocto
try "bundles: the same bytes twice" bundles
all_ended
needs arduino-builder "Arduino, a library and its sketch" arduino
needs cmake "Zephyr, a module" zephyr
needs cmake "ESP-IDF, a component" esp_idf
try "PlatformIO, a library" platformio
needs arm-none-eabi-gcc "CMSIS-Pack, for a Cortex-M4" cmsis_pack
try "Conan, a recipe" conan
needs cmake "vcpkg, an overlay port" vcpkg
needs_modules "packages: what each format asks for, and the version of the library" manifests
all_ended
try "make uninstall" uninstalls
all_ended
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
