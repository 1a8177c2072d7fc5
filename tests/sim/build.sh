#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the simulated boards: every vendor's libraries in OUT, and the models of the tests in OUT/models. README.md
# explains; what a vendor builds is in VENDOR/build.sh.
#   CC         compiler                                      gcc
#   OUT        where to                                      build/sim
#   SANITIZE   flags, for example -fsanitize=address         none
#   OPT        optimisation                                  -O1 -g
#   VENDORS    whose boards                                  rknpu nnie bpu
#   VERSIONS   Rockchip: which versions beside 2.3.2         1.4.0 1.5.2 1.6.0 2.0.0 2.1.0
#   MINI_VERSIONS  which versions of librknnmrt beside those 2.2.0
#   NNIE_VERSIONS  HiSilicon: which releases beside 2.0.2.1   2.0.1 2.0.2
#   BPU_VERSIONS   Horizon: which releases beside 1.23.10     all that bpu/build.sh knows
#   MODELS     folder of NAME/NAME.tflite to convert too; "-": no models at all
set -eu
cd "$(dirname "$0")/../.."
CC=${CC:-gcc}
OUT=${OUT:-build/sim}
OPT=${OPT:--O1 -g}
VENDORS=${VENDORS:-rknpu nnie bpu}
# Every name must be found at link time; a sanitizer brings its own only at run time.
DEFS=-Wl,-z,defs
[ -z "${SANITIZE:-}" ] || DEFS=
WARNINGS='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
FLAGS="-std=c99 $WARNINGS -fPIC -fvisibility=hidden $OPT ${SANITIZE:-}"

# library FOLDER NAME VENDOR [FLAGS...]: FOLDER/NAME of the common part and the vendor's, which alone has the flags
library()
{
    folder=$1 name=$2 vendor=$3
    shift 3
    mkdir -p "$folder"
    # shellcheck disable=SC2086
    $CC $FLAGS "$@" -shared -Wl,-soname,"$name" $DEFS -o "$folder/$name.new" \
        "$OUT"/common/*.o "tests/sim/$vendor"/*.c -lm -lpthread
    mv "$folder/$name.new" "$folder/$name"
}

# version VERSION: 0xMMmmpp
version()
{
    (IFS=.; set -- $1; printf '0x%02x%02x%02x' "$1" "$2" "$3")
}

# objects FOLDER SOURCES...: FOLDER/NAME.o of each, and nothing else in it
objects()
{
    rm -rf "$1"
    mkdir -p "$1"
    objects_folder=$1
    shift
    for each_source; do
        each_object=${each_source##*/}
        # shellcheck disable=SC2086
        $CC $FLAGS -c -o "$objects_folder/${each_object%.c}.o" "$each_source"
    done
}

# The common part is compiled once, and then the vendors' beside each other.
objects "$OUT/common" tests/sim/common/*.c
started=
for each in $VENDORS; do
    (
        # shellcheck source=/dev/null
        . "tests/sim/$each/build.sh"
        if [ "${MODELS:-}" != - ] && [ -f "tests/sim/$each/make_model.py" ]; then
            python3 "tests/sim/$each/make_model.py" --all "$OUT/models" ${MODELS:+"$MODELS"}
        fi
    ) &
    started="$started $!"
done
result=0
for each in $started; do wait "$each" || result=1; done
rm -rf "$OUT/common"
exit $result
