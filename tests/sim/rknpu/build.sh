# SPDX-License-Identifier: Apache-2.0
# Rockchip's libraries, for ../build.sh: librknnrt.so and librknnmrt.so of runtime 2.3.2 in OUT, of older versions in
# OUT/VERSION. Every version is of the same sources; symbols that it lacks are not there. 2.2.0 is for librknnmrt, which
# pads outputs and converts NCHW from then on; 2.5.0 is newer than what nnrt knows, and made of what is known.
VERSIONS=${VERSIONS-1.4.0 1.5.2 1.6.0 2.0.0 2.1.0 2.5.0}
MINI_VERSIONS=${MINI_VERSIONS-2.2.0}

# both FOLDER VERSION: the two libraries at a time
both()
{
    hex=$(version "$2")
    library "$1" librknnmrt.so rknpu -DNNRT_SIM_VERSION="$hex" -DNNRT_SIM_MINI=1 &
    library "$1" librknnrt.so rknpu -DNNRT_SIM_VERSION="$hex" -DNNRT_SIM_MINI=0
    wait $!
}

both "$OUT" 2.3.2
for each_version in $VERSIONS; do
    both "$OUT/$each_version" "$each_version"
done
for each_version in $MINI_VERSIONS; do
    library "$OUT/$each_version" librknnmrt.so rknpu -DNNRT_SIM_VERSION="$(version "$each_version")" -DNNRT_SIM_MINI=1
done
