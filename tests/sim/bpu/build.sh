# SPDX-License-Identifier: Apache-2.0
# Horizon's, for ../build.sh: libsim_horizon.so, which is the board, and libdnn.so of 1.23.10 in OUT; in OUT/RELEASE
# libdnn.so of other releases, of 3.x with libhbucp.so. Only for processors with addresses of 64 bits: there are no
# other boards. 1.26.0 and 3.14.7 are newer than what nnrt knows, and made of what is known.
BPU_VERSIONS=${BPU_VERSIONS-1.6.1 1.9.7 1.14.1 1.18.4 1.18.6 1.24.5 1.26.0 3.6.1 3.12.3 3.13.6
3.14.7}

# bpu_library FOLDER NAME RELEASE FLAGS AND SOURCES...: one that needs libsim_horizon.so
bpu_library()
{
    bpu_folder=$1 bpu_name=$2 bpu_release=$3
    shift 3
    # shellcheck disable=SC2086
    $CC $FLAGS -shared -Wl,-soname,"$bpu_name" $DEFS -DNNRT_SIM_VERSION="$(version "$bpu_release")" \
        -o "$bpu_folder/$bpu_name.new" "$@" -L"$OUT" -lsim_horizon "-Wl,-rpath,\$ORIGIN:\$ORIGIN/.."
    mv "$bpu_folder/$bpu_name.new" "$bpu_folder/$bpu_name"
}

# bpu_libraries FOLDER RELEASE
bpu_libraries()
{
    mkdir -p "$1"
    case $2 in
    3.*)
        bpu_library "$1" libhbucp.so "$2" tests/sim/bpu/vendor_ucp.c
        bpu_library "$1" libdnn.so "$2" tests/sim/bpu/vendor_ucp_dnn.c -L"$1" -lhbucp
        ;;
    *) bpu_library "$1" libdnn.so "$2" tests/sim/bpu/vendor_dnn.c ;;
    esac
}

if echo | $CC -dM -E - | grep -q '__SIZEOF_POINTER__ 8'; then
    objects "$OUT/bpu_board" tests/sim/bpu/sim_bpu_*.c
    # shellcheck disable=SC2086
    $CC $FLAGS -shared -Wl,-soname,libsim_horizon.so $DEFS -o "$OUT/libsim_horizon.so.new" \
        "$OUT"/common/*.o "$OUT"/bpu_board/*.o -lm -lpthread
    mv "$OUT/libsim_horizon.so.new" "$OUT/libsim_horizon.so"
    rm -rf "$OUT/bpu_board"
    bpu_libraries "$OUT" 1.23.10
    for each_version in $BPU_VERSIONS; do
        bpu_libraries "$OUT/$each_version" "$each_version"
    done
    # Libraries that are not as they should be: functions are left out by another name.
    bpu_odd() # bpu_odd NAME FUNCTIONS...
    {
        bpu_name=$1 bpu_without=
        shift
        for each_function in "$@"; do bpu_without="$bpu_without -D$each_function=odd_$each_function"; done
        # shellcheck disable=SC2086
        $CC $FLAGS -fvisibility=default -shared $bpu_without -o "$OUT/odd/$bpu_name.new" tests/sim/bpu/odd_dnn.c
        mv "$OUT/odd/$bpu_name.new" "$OUT/odd/$bpu_name"
    }
    mkdir -p "$OUT/odd"
    bpu_odd libdnn.so
    bpu_odd libdnn_short.so hbDNNInfer hbUCPSubmitTask
    bpu_odd libdnn_least.so hbDNNRoiInfer hbDNNResize hbDNNGetInputSource hbDNNGetCompileBpuCoreNum
    bpu_odd libother.so hbDNNGetVersion
fi
