# SPDX-License-Identifier: Apache-2.0
# Rockchip's libraries, for ../build.sh: librknnrt.so and librknnmrt.so of runtime 2.3.2 in OUT, of older versions in
# OUT/VERSION. Every version is of the same sources; symbols that it lacks are not there.
VERSIONS=${VERSIONS-1.4.0 1.5.2 1.6.0 2.0.0 2.1.0}

# both FOLDER VERSION: the two libraries at a time
both()
{
    hex=$(IFS=.; set -- $2; printf '0x%02x%02x%02x' "$1" "$2" "$3")
    library "$1" librknnmrt.so rknpu -DNNRT_SIM_VERSION="$hex" -DNNRT_SIM_MINI=1 &
    library "$1" librknnrt.so rknpu -DNNRT_SIM_VERSION="$hex" -DNNRT_SIM_MINI=0
    wait $!
}

both "$OUT" 2.3.2
for version in $VERSIONS; do
    both "$OUT/$version" "$version"
done
