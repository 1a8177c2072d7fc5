#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the simulated board: librknnrt.so and librknnmrt.so of runtime 2.3.2 in OUT, of older versions in
# OUT/VERSION, and the models of the tests in OUT/models. README.md explains.
#   CC         compiler                                      gcc
#   OUT        where to                                      build/sim
#   SANITIZE   flags, for example -fsanitize=address         none
#   OPT        optimisation                                  -O1 -g
#   VERSIONS   which versions beside 2.3.2                   1.4.0 1.5.2 1.6.0 2.0.0 2.1.0
#   MODELS     folder of NAME/NAME.tflite to convert too; "-": no models at all
set -eu
cd "$(dirname "$0")/../.."
CC=${CC:-gcc}
OUT=${OUT:-build/sim}
OPT=${OPT:--O1 -g}
VERSIONS=${VERSIONS-1.4.0 1.5.2 1.6.0 2.0.0 2.1.0}
# Every name must be found at link time; a sanitizer brings its own only at run time.
DEFS=-Wl,-z,defs
[ -z "${SANITIZE:-}" ] || DEFS=
WARNINGS='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
FLAGS="-std=c99 $WARNINGS -fPIC -fvisibility=hidden $OPT ${SANITIZE:-}"

# library FOLDER VERSION NAME MINI
library()
{
    hex=$(IFS=.; set -- $2; printf '0x%02x%02x%02x' "$1" "$2" "$3")
    mkdir -p "$1"
    # shellcheck disable=SC2086
    $CC $FLAGS -DNNRT_SIM_VERSION="$hex" -DNNRT_SIM_MINI="$4" -shared -Wl,-soname,"$3" $DEFS -o "$1/$3.new" \
        tests/sim/sim_*.c -lm -lpthread
    mv "$1/$3.new" "$1/$3"
}

# both FOLDER VERSION: the two libraries at a time
both()
{
    library "$1" "$2" librknnmrt.so 1 &
    library "$1" "$2" librknnrt.so 0
    wait $!
}

both "$OUT" 2.3.2
for version in $VERSIONS; do
    both "$OUT/$version" "$version"
done

if [ "${MODELS:-}" != - ]; then
    # shellcheck disable=SC2086
    python3 tests/sim/make_model.py --all "$OUT/models" ${MODELS:+"$MODELS"}
fi
